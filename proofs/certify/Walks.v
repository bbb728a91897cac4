(* Who is an ancestor of whom in an affine text: reads are followed one after another, told by forms, with cases; a read that is a constant
   way off may be followed many times.  docs/theory-affine.md, section 7, ancestors. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes Game Trace Count Segment Affine Words CompulsoryCertificate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Local Notation nat_ := N.to_nat.

Inductive link :=
  | Once of nat & seq form             (* through this access, with these values of what runs there *)
  | Often of nat & form.               (* through this one, a constant way off, so many times, once at least *)
Inductive walk :=
  | Path of seq link
  | Either of form & walk & walk       (* where the form is not negative, and elsewhere *)
  | Nowhere.                           (* there is no such element *)
Definition at_point (fs : seq form) (x : seq Z) : seq Z := [seq value f x | f <- fs].
Definition composed (fs hs : seq form) : seq form := [seq subst f hs | f <- fs].
Definition one_less (f : form) : form := less f (1%Z, [::]).
Definition never : form := ((-1)%Z, [::]).
Lemma value_never x : value never x = (-1)%Z. Proof. by []. Qed.
Lemma ints_inj : injective ints. Proof. exact: inj_map Nat2Z.inj. Qed.
Lemma holds_cat a b x : holds (a ++ b) x = holds a x && holds b x. Proof. exact: all_cat. Qed.

(* Elements of an array where these forms hold are there, and live: in a piece of it, and in its region. *)
Definition there_alive (tx : text) (lives : seq (option region)) (a : nat) (r : seq form) : bool :=
  has (fun q => all (implies (extents tx a) r) q) (pieces tx a) && if nth None lives a is Some q then all (implies (extents tx a) r) q.1 else false.
Lemma there_aliveP (tx : text) (no : no_circle tx) lives a r x : lives_well tx lives -> there_alive tx lives a r ->
  inside x (map nat_ (extents tx a)) -> holds r (ints x) -> exists2 v : computation no, ssval v = (a, x) & live v.
Proof.
move=> lw /andP[pc lr] xin xh; have ex : exists_ tx (a, x).
  rewrite /exists_ /= xin; have -> : a < size (arrays tx).
    by rewrite ltnNge; apply/negP => le; move: pc; rewrite /pieces nth_default.
  by elim: (pieces tx _) pc => //= q ps IH /orP[/holds_all H|/IH ->]; rewrite ?orbT // H.
exists (SeqSub (in_elements ex) : computation no) => //; apply: (region_live lw); rewrite /in_region /=.
by case: (nth None _ _) lr => [q|] // /holds_all H; apply: H.
Qed.

Section Walks.
Variable tx : text.
Notation ext := (extents tx).
Definition acc (k : nat) : access := nth no_access (accesses tx) k.

(* what the access reads is there *)
Definition reads_there k := let c := acc k in
  (k < size (accesses tx)) && there tx (ext (reader c) ++ runs c) (where_ c) (read c) (index c).
(* by how much a form is more of what is read, when it is by as much always *)
Definition more_by k (f : form) : Z := ((subst f (index (acc k))).1 - f.1)%Z.
Definition steady k (f : form) : bool := let d := less (subst f (index (acc k))) f in all (fun c => c =? 0)%Z d.2.
Definition shifts k : bool := let c := acc k in [&& read c == reader c, nilp (runs c) & all (steady k) (where_ c ++ variables (size (ext (reader c))))].

(* what access k reads, at these values of what runs there, where cs hold, for the element hs of array a *)
Definition reads_one ds cs a (hs : seq form) k ys : option (nat * seq form) := let c := acc k in
  if [&& reader c == a, reads_there k, within ds cs ys (runs c) & all (fun f => implies ds cs (subst f (hs ++ ys))) (where_ c)]
  then Some (read c, composed (index c) (hs ++ ys)) else None.
(* from the element hs of array a along a path: where it ends, if every read of it holds *)
Fixpoint follow ds cs a (hs : seq form) (p : seq link) : option (nat * seq form) :=
  match p with
  | [::] => Some (a, hs)
  | Once k ys :: p' => if reads_one ds cs a hs k ys is Some (b, gs) then follow ds cs b gs p' else None
  | Often k m :: p' => let c := acc k in
      if [&& reader c == a, reads_there k, shifts k, implies ds cs (one_less m) &
          all (fun f => implies ds cs (subst f hs) && implies ds cs (add (subst f hs) (scale (more_by k f) (one_less m)))) (where_ c)]
      then follow ds cs a [seq add (subst f hs) (scale (more_by k f) m) | f <- variables (size (ext a))] p' else None
  end.
Fixpoint goes ds cs a hs (w : walk) (P : seq form -> nat -> seq form -> bool) : bool :=
  match w with
  | Path p => if follow ds cs a hs p is Some (b, gs) then P cs b gs else false
  | Either f yes no => goes ds (f :: cs) a hs yes P && goes ds (less never f :: cs) a hs no P
  | Nowhere => implies ds cs never
  end.
(* it reads something *)
Fixpoint reads_some ds cs a hs (w : walk) : bool :=
  match w with
  | Path p => ~~ nilp p && isSome (follow ds cs a hs p)
  | Either f yes no => reads_some ds (f :: cs) a hs yes && reads_some ds (less never f :: cs) a hs no
  | Nowhere => implies ds cs never
  end.

Variable no : no_circle tx.
Notation G := (computation no).
Definition is_at (v : G) (a : nat) (x : seq Z) : Prop := (ssval v).1 = a /\ ints (ssval v).2 = x.

Lemma vertex (v : G) : [/\ (ssval v).1 < size (arrays tx), inside (ssval v).2 (size_of tx (ssval v).1) &
  has (fun p => holds p (ints (ssval v).2)) (pieces tx (ssval v).1)].
Proof. by have /and3P[] := exists_val v. Qed.
Lemma there_ok ds cs b gs x : there tx ds cs b gs -> inside x (map nat_ ds) -> holds cs (ints x) ->
  exists v : G, is_at v b (at_point gs (ints x)).
Proof.
case/and3P=> bl wi pc xa xs; have [p E pk] := within_ok wi xa xs.
have px : exists_ tx (b, p).
  rewrite /exists_ /= bl pk /=; elim: (pieces tx _) pc => //= q ps IH /orP[H|/IH ->]; last by rewrite orbT.
  by rewrite -E (holds_subst H xa xs).
by exists (SeqSub (in_elements px) : G).
Qed.
Lemma at_composed fs hs x : at_point (composed fs hs) x = at_point fs (at_point hs x).
Proof. by rewrite /at_point /composed -map_comp; apply: eq_map => f /=; rewrite value_subst. Qed.
Lemma holds_at ds cs l hs x : all (fun f => implies ds cs (subst f hs)) l -> inside x (map nat_ ds) -> holds cs (ints x) -> holds l (at_point hs (ints x)).
Proof. exact: holds_subst. Qed.

(* one read *)
Lemma read_once k (u : G) y : (ssval u).1 = reader (acc k) -> reads_there k -> inside y (map nat_ (runs (acc k))) ->
  holds (where_ (acc k)) (ints ((ssval u).2 ++ y)) ->
  exists2 v : G, is_at v (read (acc k)) (at_point (index (acc k)) (ints ((ssval u).2 ++ y))) & @edge G v u.
Proof.
move=> ua /andP[kl th] yr hw; have [_ uin _] := vertex u; rewrite ua in uin.
have xin : inside ((ssval u).2 ++ y) (map nat_ (ext (reader (acc k)) ++ runs (acc k))).
  rewrite map_cat inside_cat -(inside_size uin) take_size_cat ?drop_size_cat //; exact/andP.
have [v [va vx]] := there_ok th xin hw; exists v => //.
apply/(has_nthP no_access); exists k => //; rewrite -/(acc k) ua va !eqxx /=; apply/hasP; exists y; first by rewrite mem_box.
by rewrite /reads_at hw vx all2_refl.
Qed.

Lemma reads_one_ok ds cs a hs k ys b gs z u : reads_one ds cs a hs k ys = Some (b, gs) -> inside z (map nat_ ds) -> holds cs (ints z) ->
  is_at u a (at_point hs (ints z)) -> exists2 v : G, is_at v b (at_point gs (ints z)) & @edge G v u.
Proof.
rewrite /reads_one; case: ifP => // /and4P[/eqP ka th wi al] [<- <-] zin zc [ua ux].
have [y Ey yk] := within_ok wi zin zc.
have E : at_point (hs ++ ys) (ints z) = ints ((ssval u).2 ++ y) by rewrite /at_point map_cat Ey [ints (_ ++ _)]map_cat -/(ints (ssval u).2) ux.
have [||v vat e] := @read_once k u y _ th yk; [by rewrite ka | by rewrite -E; apply: holds_at al zin zc |].
by exists v; rewrite // at_composed E.
Qed.
Lemma reader_noninput (u v : G) : @edge G v u -> u \notin input G.
Proof. by move=> e; rewrite inE; apply/negP => /forallP/(_ v); rewrite e. Qed.

Lemma zeros a x : all (fun c => c =? 0)%Z a -> dot a x = 0%Z.
Proof. by elim: a x => [|c a IH] [|v x] //= /andP[/Z.eqb_eq -> /IH ->]. Qed.
Lemma steady_value k f x : steady k f -> value (subst f (index (acc k))) x = (value f x + more_by k f)%Z.
Proof.
rewrite /steady => z; have E := value_less (subst f (index (acc k))) f x; move: E.
rewrite {1}/value zeros // /more_by; set g := subst f _; have -> : (less g f).1 = (g.1 - f.1)%Z by rewrite -[LHS]/(g.1 + (-1) * f.1)%Z; move: (g.1) (f.1) => p q; clear; lia.
by move: (value g x) (value f x) => p q; clear; lia.
Qed.
Lemma at_variables n x : size x = n -> at_point (variables n) (ints x) = ints x.
Proof. by move=> <-; exact: value_variables. Qed.

Lemma read_often k (u : G) (m : nat) : (ssval u).1 = reader (acc k) -> reads_there k -> shifts k -> 0 < m ->
  all (fun f => (0 <=? value f (ints (ssval u).2)) && (0 <=? value f (ints (ssval u).2) + more_by k f * Z.of_nat m.-1))%Z (where_ (acc k)) ->
  exists v : G, [/\ (ssval v).1 = reader (acc k), connect (@edge G) v u & forall r, r < size (ext (reader (acc k))) ->
    value (variable r) (ints (ssval v).2) = (value (variable r) (ints (ssval u).2) + more_by k (variable r) * Z.of_nat m)%Z].
Proof.
move=> ua th /and3P[/eqP rd /nilP rn]; rewrite all_cat => /andP[sw sv] m0 hw.
suff H t : t <= m -> exists v : G, [/\ (ssval v).1 = reader (acc k), connect (@edge G) v u &
    forall f, steady k f -> value f (ints (ssval v).2) = (value f (ints (ssval u).2) + more_by k f * Z.of_nat t)%Z].
  have [v [va vu vf]] := H m (leqnn m); exists v; split=> // r rl; apply: vf.
  by move: sv; rewrite all_map => /allP/(_ r); apply; rewrite mem_iota.
elim: t => [|t IH] tm; first by exists u; split=> // f _; clear; lia.
have [v [va vu vf]] := IH (ltnW tm); have hv : holds (where_ (acc k)) (ints ((ssval v).2 ++ [::])).
  rewrite cats0; have : all (predI (steady k) (fun f => (0 <=? value f (ints (ssval u).2)) && (0 <=? value f (ints (ssval u).2) + more_by k f * Z.of_nat m.-1))%Z)
    (where_ (acc k)) by rewrite all_predI sw.
  apply: sub_all => f /andP[fs]; rewrite vf //.
  move: tm m0; move: (value f _) (more_by k f) => p q; clear => tm m0 /andP[/Z.leb_le h /Z.leb_le h'].
  apply/Z.leb_le; have tm' : (Z.of_nat t <= Z.of_nat m.-1)%Z by move: tm m0; clear; lia.
  move: h h' tm'; move: (Z.of_nat m.-1) => a h h' tm'; have : (0 <= Z.of_nat t)%Z by clear; lia.
  move: (Z.of_nat t) tm' => b; move: h h'; clear; case: (Z.le_gt_cases 0 q) => q0 h h' ba b0; nia.
have [|w [wa wx] e] := @read_once k v [::] va th _ hv; first by rewrite rn.
exists w; split; [by rewrite wa rd | exact: connect_trans (connect1 e) vu |].
move=> f fs; rewrite wx cats0 /at_point -value_subst steady_value // vf //; move: (more_by k f) (value f _) => q p; clear; lia.
Qed.

Lemma follow_ok ds cs a hs p b gs z u : follow ds cs a hs p = Some (b, gs) -> inside z (map nat_ ds) -> holds cs (ints z) ->
  is_at u a (at_point hs (ints z)) -> exists2 v : G, is_at v b (at_point gs (ints z)) & connect (@edge G) v u /\ (0 < size p -> u \notin input G).
Proof.
move=> + zin zc; elim: p a hs u => [|[k ys|k m] p IH] a hs u /=.
- by case=> <- <- uat; exists u => //.
- case E: reads_one => [[b' gs']|] // /IH{}IH uat; have [v vat e] := reads_one_ok E zin zc uat.
  have [w wat [wv _]] := IH v vat; exists w => //; split; first exact: connect_trans wv (connect1 e).
  by move=> _; exact: reader_noninput e.
case: ifP => // /and5P[/eqP ka th sh m1 al] /IH{}IH [ua ux].
have := implies_ok m1 zin zc; rewrite value_less; have -> : value (1%Z, [::]) (ints z) = 1%Z by [].
move=> m0; pose n := Z.to_nat (value m (ints z)); have n0 : 0 < n by rewrite /n; move: m0; clear; lia.
have mE : Z.of_nat n = value m (ints z) by rewrite /n; move: m0; clear; lia.
have [||v [va vu vf]] := @read_often k u n _ th sh n0; first by rewrite ka.
  apply: sub_all al => f /andP[h h']; have {}h := implies_ok h zin zc; have {}h' := implies_ok h' zin zc.
  rewrite value_add value_scale value_less !value_subst -/(at_point hs (ints z)) -ux (_ : value (1%Z, [::]) _ = 1%Z) // -mE in h'.
  rewrite value_subst -/(at_point hs (ints z)) -ux in h; apply/andP; split; apply/Z.leb_le => //.
  by move: h' n0; move: (value f _) (more_by k f) => p' q; clear => h' n0; have -> : Z.of_nat n.-1 = (Z.of_nat n - 1)%Z by [move: n0; clear; lia].
have vsz : size (ssval v).2 = size (ext a) by have [_ vin _] := vertex v; rewrite (inside_size vin) size_map va ka.
have [|w wat [wv _]] := IH v.
  split; first by rewrite va ka.
  rewrite -(at_variables vsz) /at_point -map_comp; rewrite /variables -!map_comp; apply/eq_in_map => r; rewrite mem_iota add0n => /andP[_ rl] /=; rewrite vf ?ka //.
  by rewrite value_add value_scale value_subst -/(at_point hs (ints z)) -ux mE.
exists w => //; split; first exact: connect_trans wv vu.
move=> _; case/connectP: vu => q; case/lastP: q => [|q x] /= pq uE; last first.
  rewrite last_rcons in uE; move: pq; rewrite rcons_path -uE => /andP[_ e].
  by rewrite inE; apply/negP => /forallP/(_ (last v q))/negP[]; exact: e.
have hv : holds (where_ (acc k)) (ints ((ssval u).2 ++ [::])).
  by rewrite cats0 ux; apply: (holds_at (ds := ds) (cs := cs)) zin zc; apply: sub_all al => f /andP[].
have [||v' _ e] := @read_once k u [::] _ th _ hv; first by rewrite ka.
  by have /and3P[_ /nilP -> _] := sh.
by rewrite inE; apply/negP => /forallP/(_ v'); rewrite e.
Qed.

Lemma cases_hold f cs x : holds cs x -> holds (f :: cs) x \/ holds (less never f :: cs) x.
Proof.
move=> h; rewrite /holds /= -/(holds cs x) h !andbT value_less value_never; case: (Z.leb_spec 0 (value f x)) => lt; [by left | right].
by apply/Z.leb_le; move: lt; move: (value f x) => v; clear; lia.
Qed.
Lemma nowhere ds cs x (P : Prop) : implies ds cs never -> inside x (map nat_ ds) -> holds cs (ints x) -> P.
Proof. by move=> im xin xc; have := implies_ok im xin xc; rewrite value_never; clear; lia. Qed.
Lemma goes_ok ds cs a hs w P z u : goes ds cs a hs w P -> inside z (map nat_ ds) -> holds cs (ints z) -> is_at u a (at_point hs (ints z)) ->
  exists b gs cs', exists2 v : G, is_at v b (at_point gs (ints z)) & [/\ holds cs' (ints z), P cs' b gs & connect (@edge G) v u].
Proof.
move=> + zin + uat; elim: w cs => [p|f yes IHy no_ IHn|] cs /=.
- case E: follow => [[b gs]|] // Pb zc; have [v vat [vu _]] := follow_ok E zin zc uat; by exists b, gs, cs; exists v.
- by case/andP=> Hy Hn /(cases_hold f)[zc|zc]; [apply: IHy Hy zc | apply: IHn Hn zc].
by move=> im zc; apply: nowhere im zin zc.
Qed.
Lemma reads_some_ok ds cs a hs w z u : reads_some ds cs a hs w -> inside z (map nat_ ds) -> holds cs (ints z) -> is_at u a (at_point hs (ints z)) ->
  u \notin input G.
Proof.
move=> + zin + uat; elim: w cs => [p|f yes IHy no_ IHn|] cs /=.
- case/andP=> p0; case E: (follow ds cs a hs p) => [[b gs]|] // _ zc; have [v _ [_ H]] := follow_ok E zin zc uat; apply: H.
  by rewrite lt0n -/(nilp p) p0.
- by case/andP=> Hy Hn /(cases_hold f)[zc|zc]; [apply: IHy Hy zc | apply: IHn Hn zc].
by move=> im zc; apply: nowhere im zin zc.
Qed.
End Walks.
