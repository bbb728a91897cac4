(* Certificates of what is compulsory, for any affine text: of each array a region all of which leads to an output that is computed, told
   by a tree of cases.  In each case an element is read by another of a region, or is put out and reads something; as no element needs
   itself, that is enough.  Then the inputs of regions are loaded, and the outputs stored. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes Game Trace Count Affine.
From redblue Require PlaneSums.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.

Inductive tree :=
  | Read of nat & seq form             (* by access c: its reader's loops and what runs there, as forms of the element's indices *)
  | Out of nat & nat & seq form        (* put out as outputs c' says, and access c reads something at these values of what runs there *)
  | Split of form & tree & tree        (* where the form is not negative, and elsewhere *)
  | Never.                             (* there is no such element *)
Definition region : Type := seq form * tree.
Fixpoint ends_out (t : tree) : bool :=
  match t with Out _ _ _ | Never => true | Split _ yes no => ends_out yes && ends_out no | Read _ _ => false end.

Section Leads.
Variables (tx : text) (lives : seq (option region)).
Notation ext := (extents tx).
Definition in_region (v : elem) : bool := if nth None lives v.1 is Some r then holds r.1 (ints v.2) else false.
Definition no_access := Access 0 0 [::] [::] [::].

(* these forms are an element of array b *)
Definition there ds cs b gs :=
  [&& b < size (arrays tx), within ds cs gs (ext b) & has (fun p => all (fun f => implies ds cs (subst f gs)) p) (pieces tx b)].
Definition exists_there a := there (ext a).

Fixpoint leads (a : nat) (cs : seq form) (t : tree) : bool :=
  match t with
  | Read c h => (c < size (accesses tx)) && let k := nth no_access (accesses tx) c in
      [&& read k == a, within (ext a) cs h (ext (reader k) ++ runs k), all (fun f => implies (ext a) cs (subst f h)) (where_ k),
          all2 (same (ext a) cs) [seq subst f h | f <- index k] (variables (size (ext a))) &
          if nth None lives (reader k) is Some r then all (fun f => implies (ext a) cs (subst f (take (size (ext (reader k))) h))) r.1 else false]
  | Out o c y => (c < size (accesses tx)) && let k := nth no_access (accesses tx) c in
      let h := variables (size (ext a)) ++ y in let put := nth (0, [::]) (outputs tx) o in
      [&& o < size (outputs tx), put.1 == a, all (implies (ext a) cs) put.2, reader k == a, within (ext a) cs y (runs k),
          all (fun f => implies (ext a) cs (subst f h)) (where_ k) & exists_there a cs (read k) [seq subst f h | f <- index k]]
  | Split f yes no => leads a (f :: cs) yes && leads a (less ((-1)%Z, [::]) f :: cs) no
  | Never => implies (ext a) cs ((-1)%Z, [::])
  end.

Definition lives_well : bool := (size lives <= size (arrays tx)) && all (fun a =>
  if nth None lives a is Some r then has (fun p => all (implies (ext a) r.1) p) (pieces tx a) && leads a r.1 r.2 else true) (iota 0 (size lives)).

Lemma holds_all ds cs l x : all (implies ds cs) l -> inside x (map nat_ ds) -> holds cs (ints x) -> holds l (ints x).
Proof. by elim: l => //= f l IH /andP[Hf /IH H] xd xs; rewrite H // andbT; apply/Z.leb_le; apply: implies_ok Hf xd xs. Qed.
Lemma same_all ds cs gs hs x : all2 (same ds cs) gs hs -> inside x (map nat_ ds) -> holds cs (ints x) ->
  all2 Z.eqb [seq value g (ints x) | g <- gs] [seq value h (ints x) | h <- hs].
Proof.
by elim: gs hs => [|g gs IH] [|h hs] //= /andP[E /IH H] xd xs; rewrite H // andbT; apply/Z.eqb_eq; apply: same_ok E xd xs.
Qed.

Hypothesis good : lives_well.
Lemma region_in a r x : nth None lives a = Some r -> inside x (size_of tx a) -> holds r.1 (ints x) ->
  exists_ tx (a, x) /\ leads a r.1 r.2.
Proof.
move=> ra xa xr; have al : a < size lives by rewrite ltnNge; apply/negP => le; rewrite nth_default in ra.
case/andP: good => le /allP/(_ a); rewrite mem_iota add0n ra => /(_ al)/andP[H ->]; split=> //.
rewrite /exists_ /= (leq_trans al le) xa /=; elim: (pieces tx a) H => //= p ps IH /orP[/holds_all H|/IH ->]; last by rewrite orbT.
by rewrite H.
Qed.

Lemma leads_ok a cs t x : leads a cs t -> inside x (size_of tx a) -> holds cs (ints x) ->
  (~~ ends_out t /\ exists w, [/\ exists_ tx w, in_region w & reads tx w (a, x)]) \/ put_out tx (a, x) /\ exists2 u, exists_ tx u & reads tx (a, x) u.
Proof.
move=> + xa; have n : size (ext a) = size x by rewrite (inside_size xa) size_map.
elim: t cs => [c h|o c y|f yes IHy no IHn|] cs /= H xs.
- left; case/andP: H => cl; set k := nth _ _ c => /and5P[/eqP ka hk wk ik rk].
  have [p E pk] := within_ok hk xa xs; rewrite map_cat inside_cat size_map in pk; case/andP: pk; set m := size (ext (reader k)) in rk * => p1 p2.
  case R: (nth None lives (reader k)) rk => [r|] // rk.
  have pr : holds r.1 (ints (take m p)) by rewrite [ints _]map_take -/(ints p) -E -map_take; apply: holds_subst rk xa xs.
  have [wt _] := region_in R p1 pr; split=> //; exists (reader k, take m p); split=> //; first by rewrite /in_region /= R.
  apply/(has_nthP no_access); exists c; rewrite // -/k eqxx ka eqxx; apply/hasP; exists (drop m p); first by rewrite mem_box.
  rewrite /reads_at /= cat_take_drop -E (holds_subst wk xa xs) /=.
  have := same_all ik xa xs; rewrite n value_variables -map_comp; apply: etrans; congr all2.
  by apply: eq_map => f /=; rewrite value_subst.
- right; case/andP: H => cl; set k := nth _ _ c => /andP[ol /and5P[/eqP oa po /eqP ka hy /andP[wk /and3P[bl hu pu]]]].
  split; first by apply/(has_nthP (0, [::])); exists o; rewrite // oa eqxx (holds_all po xa xs).
  have [y' Ey yk] := within_ok hy xa xs; have [u Eu ui] := within_ok hu xa xs.
  have Eh : [seq value h (ints x) | h <- variables (size (ext a)) ++ y] = ints (x ++ y') by rewrite map_cat n value_variables Ey -map_cat.
  exists (read k, u).
    rewrite /exists_ /= bl ui; elim: (pieces tx _) pu => //= p ps IH /orP[pu|/IH ->]; last by rewrite orbT.
    by rewrite -Eu (holds_subst pu xa xs).
  apply/(has_nthP no_access); exists c; rewrite // -/k ka !eqxx; apply/hasP; exists y'; first by rewrite mem_box.
  rewrite /reads_at /= -Eh (holds_subst wk xa xs) /= -Eu -map_comp.
  have -> : [seq value f [seq value h (ints x) | h <- variables (size (ext a)) ++ y] | f <- index k] =
            [seq (value^~ (ints x) \o (subst^~ (variables (size (ext a)) ++ y))) i | i <- index k].
    by apply: eq_map => f /=; rewrite value_subst.
  by elim: [seq _ | _ <- _] => //= v l ->; rewrite Z.eqb_refl.
- case/andP: H => Hy Hn; rewrite negb_and; case: (Z.leb_spec 0 (value f (ints x))) => lt.
    have [|[-> H]|H] := IHy _ Hy; [by rewrite /= xs andbT; apply/Z.leb_le | by left | by right].
  have [|[-> H]|H] := IHn _ Hn; [|by left; rewrite orbT | by right].
  rewrite /= xs andbT; apply/Z.leb_le.
  rewrite value_less (_ : value (-1, [::])%Z _ = (-1)%Z) //; move: lt; move: (value f _) => v; clear; lia.
have := implies_ok H xa xs; rewrite /value /=; clear; lia.
Qed.
End Leads.

(* ---- how many points of a box satisfy inequalities ---- *)
Definition fixed (v : Z) (f : form) : form := ((f.1 + head 0 f.2 * v)%Z, behead f.2).
Definition free (cs : seq form) : bool := all (fun f : form => head 0 f.2 =? 0)%Z cs.
Definition sum_below (d : N) (F : N -> N) : N := (N.iter d (fun s => (s.1 + 1, s.2 + F s.1)) (0, 0))%num.2.
(* values of the only variable from lo on, below hi *)
Fixpoint between (lo hi : Z) (cs : seq form) : Z := (
  if cs is f :: cs' then
    if head 0 f.2 =? 1 then between (Z.max lo (- f.1)) hi cs' else if head 0 f.2 =? -1 then between lo (Z.min hi (f.1 + 1)) cs'
    else if 0 <=? f.1 then between lo hi cs' else 0
  else Z.max 0 (hi - lo))%Z.
Definition unit_steps (cs : seq form) : bool := all (fun f : form => (head 0 f.2 =? 1) || (head 0 f.2 =? -1) || (head 0 f.2 =? 0))%Z cs.
(* a form that asks for the first variable, and for no other beside it *)
Definition asks (f : form) : bool := ~~ (head 0 f.2 =? 0)%Z.
Definition alone (f : form) : bool := ~~ asks f || all (fun c => c =? 0)%Z (behead f.2).
(* the last two variables, of which the last one is asked for in steps of one *)
Definition in_plane (f : form) : PlaneSums.ineq := (f.1, (head 0 f.2, head 0 (behead f.2)))%Z.
Definition is_plane (ds : seq N) (cs : seq form) : bool :=
  if ds is [:: e] then (0 <? e)%num && unit_steps [seq fixed 0 f | f <- cs] else false.
Fixpoint points (ds : seq N) (cs : seq form) : N :=
  if ds is d :: ds' then
    if free cs then (d * points ds' [seq fixed 0 f | f <- cs])%num
    else if all alone cs && unit_steps [seq f <- cs | asks f]
      then (Z.to_N (between 0 (Z.of_N d) [seq f <- cs | asks f]) * points ds' [seq fixed 0 f | f <- [seq f <- cs | ~~ asks f]])%num
    else if is_plane ds' cs then Z.to_N (PlaneSums.plane_sum 64 (Z.of_N d) (Z.of_N (head 0%num ds')) (map in_plane cs))
    else sum_below d (fun v => points ds' [seq fixed (Z.of_N v) f | f <- cs])
  else if all (fun f : form => 0 <=? f.1)%Z cs then 1%num else 0%num.

Lemma sum_belowE d F : nat_ (sum_below d F) = \sum_(i < nat_ d) nat_ (F (N.of_nat i)).
Proof.
rewrite /sum_below; suff -> : (N.iter d (fun s => (s.1 + 1, s.2 + F s.1)) (0, 0))%num = (d, N.of_nat (\sum_(i < nat_ d) nat_ (F (N.of_nat i)))).
  by rewrite /= Nat2N.id.
elim/N.peano_ind: d => [|d IH]; first by rewrite big_ord0.
rewrite N.iter_succ IH N2Nat.inj_succ big_ord_recr /= N2Nat.id Nat2N.inj_add N2Nat.id; congr pair; clear; lia.
Qed.
Lemma holds_fixed v cs x : holds cs (v :: x) = holds [seq fixed v f | f <- cs] x.
Proof.
by elim: cs => //= f cs ->; congr andb; rewrite /value /=; case: f => b [|c a] /=; congr (0 <=? _)%Z; rewrite ?dot_nil; case: x; clear; lia.
Qed.
Lemma value_alone f v x : all (fun c => c =? 0)%Z (behead f.2) -> value f (v :: x) = (f.1 + head 0 f.2 * v)%Z.
Proof.
rewrite /value; case: f.2 => [|c a] //= z; have -> : dot a x = 0%Z; last by clear; lia.
by elim: a x z => [|b a IH] [|w x] //= /andP[/Z.eqb_eq -> z]; rewrite IH.
Qed.
Lemma betweenE d lo hi cs : unit_steps cs -> (0 <= lo)%Z -> (hi <= Z.of_nat d)%Z ->
  Z.to_nat (between lo hi cs) = count (fun v => [&& lo <=? Z.of_nat v, Z.of_nat v <? hi & holds cs [:: Z.of_nat v]]%Z) (iota 0 d).
Proof.
elim: cs lo hi => [|f cs IH] lo hi /=.
  move=> _ l0 hd; suff -> : count (fun v => [&& lo <=? Z.of_nat v, Z.of_nat v <? hi & true]%Z) (iota 0 d) =
      Z.to_nat (Z.min hi (Z.of_nat d)) - Z.to_nat lo by move: l0 hd; clear; lia.
  elim: d {hd} => [|d IHd]; first by rewrite /=; move: l0; clear; lia.
  by rewrite -addn1 iotaD count_cat IHd add0n /= addn0 andbT; case: Z.leb_spec; case: Z.ltb_spec; move: l0; clear; lia.
have one v : (0 <=? value f [:: Z.of_nat v])%Z = (0 <=? f.1 + head 0 f.2 * Z.of_nat v)%Z.
  by rewrite /value; case: f.2 => [|c a] //=; rewrite dot_nil Z.add_0_r.
case/andP=> steps us l0 hd; case: Z.eqb_spec => [E|n1].
  rewrite IH //; last by move: l0; clear; lia.
  apply: eq_count => v; rewrite one E; move: (holds _ _) => h; clear; lia.
case: Z.eqb_spec => [E|n2].
  rewrite IH //; last by move: hd; clear; lia.
  apply: eq_count => v; rewrite one E; move: (holds _ _) => h; clear; lia.
have E : head 0%Z f.2 = 0%Z by move: steps n1 n2; clear; lia.
case: Z.leb_spec => f0; first by rewrite IH //; apply: eq_count => v; rewrite one E; move: f0; move: (holds _ _) => h; clear; lia.
by rewrite -(@eq_count _ pred0) ?count_pred0 // => v; rewrite one E /=; move: f0; move: (holds _ _) => h; clear; lia.
Qed.
Lemma ends_between y lo hi cs : unit_steps [seq fixed 0 f | f <- cs] -> PlaneSums.ends y lo hi (map in_plane cs) = between lo hi [seq fixed y f | f <- cs].
Proof.
elim: cs lo hi => //= f cs IH lo hi /andP[_ us]; rewrite !IH //; case: f => b a /=.
Qed.
Lemma line_points e cs : unit_steps cs -> size [seq x <- box [:: nat_ e] | holds cs (ints x)] = Z.to_nat (between 0 (Z.of_N e) cs).
Proof.
move=> us; rewrite (betweenE (d := nat_ e)) //; last by clear; lia.
have -> : box [:: nat_ e] = [seq [:: x] | x <- iota 0 (nat_ e)] by rewrite /=; elim: (iota 0 _) => //= x l ->.
rewrite size_filter count_map; apply: eq_in_count => x; rewrite mem_iota /= => xe.
by case: (holds cs _); rewrite ?andbT ?andbF //; move: xe; clear; lia.
Qed.
Lemma sum_nats n F lo : (forall y, 0 <= F y)%Z -> Z.to_nat (PlaneSums.sum n F lo) = \sum_(i < n) Z.to_nat (F (lo + Z.of_nat i)%Z).
Proof.
move=> F0; elim: n lo => [|n IH] lo; first by rewrite big_ord0.
have s0 m l : (0 <= PlaneSums.sum m F l)%Z by elim: m l => //= m IHm l; have := IHm (l + 1)%Z; have := F0 l; clear; lia.
rewrite big_ord_recl PlaneSums.sumS Z2Nat.inj_add // IH Z.add_0_r; congr addn; apply: eq_bigr => i _; congr (Z.to_nat (F _)).
by rewrite /bump /=; clear; lia.
Qed.
Lemma ends_pos y lo hi cs : (0 <= PlaneSums.ends y lo hi cs)%Z.
Proof.
elim: cs lo hi => [|[b [a c]] cs IH] lo hi /=; first by clear; lia.
by do 2 case: ifP => // _; case: ifP.
Qed.
Lemma planeE d e cs : (0 < e)%num -> unit_steps [seq fixed 0 f | f <- cs] ->
  nat_ (Z.to_N (PlaneSums.plane_sum 64 (Z.of_N d) (Z.of_N e) (map in_plane cs))) =
  \sum_(i < nat_ d) size [seq x <- box [:: nat_ e] | holds [seq fixed (Z.of_nat i) f | f <- cs] (ints x)].
Proof.
move=> e0 us; move: 64 => k; rewrite Z_N_nat PlaneSums.plane_sumE; last by move: e0; clear; lia.
rewrite sum_nats => [|y]; last exact: ends_pos.
have -> : Z.to_nat (Z.of_N d) = nat_ d by clear; lia.
apply: eq_bigr => i _; rewrite Z.add_0_l ends_between // line_points //.
by elim: cs us => //= f cs IH /andP[-> /IH ->].
Qed.
Lemma pointsE ds cs : nat_ (points ds cs) = size [seq x <- box (map nat_ ds) | holds cs (ints x)].
Proof.
elim: ds cs => [|d ds IH] cs /=.
  have -> : holds cs [::] = all (fun f : form => 0 <=? f.1)%Z cs by apply: eq_all => f; rewrite /value dot_nil Z.add_0_r.
  by case: all.
have -> : size [seq x <- [seq x :: p | x <- iota 0 (nat_ d), p <- box (map nat_ ds)] | holds cs (ints x)] =
    \sum_(i < nat_ d) nat_ (points ds [seq fixed (Z.of_nat i) f | f <- cs]).
  rewrite -(big_mkord xpredT (fun i => nat_ (points ds [seq fixed (Z.of_nat i) f | f <- cs]))) /index_iota subn0.
  elim: (iota _ _) => [|i l IHl] /=; first by rewrite big_nil.
  rewrite big_cons filter_cat size_cat IHl IH; congr addn; rewrite filter_map size_map; congr size; apply: eq_filter => x /=.
  exact: holds_fixed.
case: ifP => fr; last first.
  case: ifP => [/andP[al us]|_]; last first.
    case: ifP => [pl|_]; last by rewrite sum_belowE; apply: eq_bigr => i _; rewrite nat_N_Z.
    case: ds IH pl => [|e [|? ?]] IH //; rewrite /is_plane [head _ _]/= => /andP[/N.ltb_lt e0 us]; rewrite planeE //.
    by apply: eq_bigr => i _; rewrite IH.
  set A := [seq f <- cs | asks f] in us *; set B := points ds _.
  have -> : nat_ (Z.to_N (between 0 (Z.of_N d) A) * B)%num = Z.to_nat (between 0 (Z.of_N d) A) * nat_ B.
    by rewrite N2Nat.inj_mul Z_N_nat.
  rewrite (betweenE (d := nat_ d)) //; last by clear; lia.
  have -> : \sum_(i < nat_ d) nat_ (points ds [seq fixed (Z.of_nat i) f | f <- cs]) = \sum_(i < nat_ d) (holds A [:: Z.of_nat i] : nat) * nat_ B.
    apply: eq_bigr => i _; rewrite /B !IH; case: (boolP (holds A _)) => hA; rewrite ?mul1n ?mul0n; last first.
      rewrite size_filter; apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasPn => x _ /=; rewrite -holds_fixed; apply: contra hA => h.
      rewrite /A; elim: cs al h {fr us IH A B} => //= f cs IHc /andP[af acs] /andP[f0 /(IHc acs) h]; case: ifP => //= q; rewrite h andbT.
      by move: af f0; rewrite /alone q /= => z; rewrite !(value_alone _ _ z).
    congr size; apply: eq_filter => x /=; rewrite -holds_fixed.
    rewrite /A in hA; elim: cs al hA {fr us IH A B} => //= f cs IHc /andP[af acs]; case: (boolP (asks f)) => q /=.
      by case/andP=> f0 h; rewrite (IHc acs h) (_ : (0 <=? value f _)%Z) //; move: af f0; rewrite /alone q /= => z; rewrite !value_alone.
    by move=> h; rewrite (IHc acs h); congr andb; move: q; rewrite /asks negbK => /Z.eqb_eq q; rewrite /value /fixed /= q; case: f.2 q => [_|c a /= ->] /=; congr (0 <=? _)%Z; clear; lia.
  rewrite -big_distrl /=; congr muln.
  rewrite -(big_mkord xpredT (fun i => (holds A [:: Z.of_nat i] : nat))) /index_iota subn0.
  have : all (ltn^~ (nat_ d)) (iota 0 (nat_ d)) by apply/allP => i; rewrite mem_iota.
  elim: (iota 0 (nat_ d)) => [|i l IHl] /=; first by rewrite big_nil.
  case/andP=> lt /IHl {IHl} ->; rewrite big_cons; congr addn.
  by case: Z.leb_spec; case: Z.ltb_spec; case: (holds A _) => //=; move: lt; clear; lia.
rewrite (_ : nat_ _ = \sum_(i < nat_ d) nat_ (points ds [seq fixed 0 f | f <- cs])); last by rewrite sum_nat_const card_ord N2Nat.inj_mul.
apply: eq_bigr => i _; congr (nat_ (points _ _)).
elim: cs fr {IH} => //= f cs IHc /andP[/Z.eqb_eq f0 /IHc ->]; congr cons; rewrite /fixed f0; congr pair; clear; lia.
Qed.

(* ---- what is loaded and stored ---- *)
Record ends := Ends { leading : seq (option region); inputs_ : seq (nat * seq form); outputs_ : seq (nat * region) }.
Definition sumN := foldr N.add 0%num.
(* no access holds where these inequalities do *)
Definition is_source (tx : text) (i : nat * seq form) : bool :=
  all (fun f : form => size f.2 <= size (extents tx i.1)) i.2 &&
  all (fun k => (reader k != i.1) || implies (extents tx i.1 ++ runs k) (i.2 ++ where_ k) ((-1)%Z, [::])) (accesses tx).

Definition ends_ok (tx : text) (e : ends) : bool :=
  [&& lives_well tx (leading e), uniq (map fst (inputs_ e)), all (is_source tx) (inputs_ e), uniq (map fst (outputs_ e)) &
      all (fun o => [&& o.1 < size (arrays tx), has (fun p => all (implies (extents tx o.1) o.2.1) p) (pieces tx o.1),
                        leads tx (leading e) o.1 o.2.1 o.2.2 & ends_out o.2.2]) (outputs_ e)].
(* inputs of those arrays of which P says so *)
Definition ends_in_of (tx : text) (e : ends) (P : pred nat) : N :=
  sumN [seq if nth None (leading e) i.1 is Some r then (if P i.1 then points (extents tx i.1) (i.2 ++ r.1) else 0%num) else 0%num | i <- inputs_ e].
Definition ends_in (tx : text) (e : ends) : N := ends_in_of tx e xpredT.
Definition ends_out_of (tx : text) (e : ends) : N := sumN [seq points (extents tx o.1) o.2.1 | o <- outputs_ e].
Definition compulsory_check (tx : text) (e : ends) (B : N) : bool := ends_ok tx e && (B <=? ends_in tx e + ends_out_of tx e)%num.

Lemma value_cat f (a b : seq Z) : size f.2 <= size a -> value f (a ++ b) = value f a.
Proof. by rewrite /value; case: f => c l /= H; congr (c + _)%Z; elim: l a H => [|v l IH] [|w a] //= /IH ->. Qed.

Section Ends.
Variables (tx : text) (no : no_circle tx) (lives : seq (option region)).
Hypothesis good : lives_well tx lives.
Notation G := (computation no).

Lemma live_before (u v : G) : edge u v -> live v -> live u.
Proof. by move=> e /existsP[o /andP[oO vo]]; apply/existsP; exists o; rewrite oO (connect_trans (connect1 e) vo). Qed.
Lemma in_elements (v : elem) : exists_ tx v -> v \in elements tx. Proof. by rewrite mem_elements. Qed.
Lemma exists_val (v : G) : exists_ tx (ssval v). Proof. by rewrite -mem_elements; apply: ssvalP. Qed.

Lemma leads_on (v : G) : in_region lives (ssval v) ->
  (exists w : G, in_region lives (ssval w) /\ edge v w) \/ v \in output G :\: input G.
Proof.
have := exists_val v; case vE: (ssval v) => [a x] /and3P[_ xa _]; rewrite /in_region /=; case R: (nth None lives a) => [r|] // xr.
have [_ le] := region_in good R xa xr; case: (leads_ok good le xa xr) => [[_ [w [wx wr e]]]|[o [u ux e]]].
  by left; exists (SeqSub (in_elements wx) : G); rewrite /= /af_edge /= vE.
right; rewrite in_setD; apply/andP; split; last by rewrite inE /= vE.
by rewrite inE; apply/negP => /forallP/(_ (SeqSub (in_elements ux) : G)); rewrite /= /af_edge /= vE e.
Qed.
Lemma region_live (v : G) : in_region lives (ssval v) -> live v.
Proof.
have [rank up] := no; pose most := \max_(u : G) rank u.
have [n le] : exists n, most - rank v <= n by exists (most - rank v).
elim: n v le => [|n IH] v le vr; have [[w [wr e]]|o] := leads_on vr; try by (apply/existsP; exists v; rewrite o connect0).
  have := up _ _ e; have := leq_bigmax (F := rank) w; rewrite -/most; move: le; clear; lia.
apply: (live_before e (IH _ _ wr)); have := up _ _ e; have := leq_bigmax (F := rank) w; rewrite -/most; move: le; clear; lia.
Qed.

Lemma card_listed (A : {set G}) (l : seq elem) : uniq l -> (forall v, v \in l -> exists_ tx v /\ forall u : G, ssval u = v -> u \in A) ->
  size l <= #|A|.
Proof.
move=> ul H; rewrite cardE -(size_map (fun u : G => ssval u)); apply: uniq_leq_size ul _ => v /H[vx vA]; apply/mapP.
by exists (SeqSub (in_elements vx) : G); rewrite // mem_enum vA.
Qed.
(* elements of several arrays, listed *)
Lemma listed_uniq (T : Type) (f : T -> nat) (F : T -> seq (seq nat)) (l : seq T) : uniq (map f l) -> (forall t, uniq (F t)) ->
  uniq (flatten [seq [seq ((f t, x) : elem) | x <- F t] | t <- l]).
Proof.
move=> ul uF; elim: l ul => //= t l IH /andP[tl /IH u]; rewrite cat_uniq u map_inj_uniq ?uF => [|x y [] //]; rewrite andbT.
apply/hasPn => v; elim: l tl {IH u} => //= t' l IH; rewrite inE negb_or => /andP[tt tl]; rewrite mem_cat => /orP[/mapP[x _ ->]|/IH ->] //.
by apply/mapP => -[y _ [E _]]; rewrite E eqxx in tt.
Qed.
Lemma listed_size (T : Type) (f : T -> nat) (F : T -> seq (seq nat)) (P : T -> N) (l : seq T) : (forall t, nat_ (P t) = size (F t)) ->
  nat_ (sumN [seq P t | t <- l]) = size (flatten [seq [seq ((f t, x) : elem) | x <- F t] | t <- l]).
Proof. by move=> E; elim: l => //= t l IH; rewrite N2Nat.inj_add IH E size_cat size_map. Qed.
End Ends.

Lemma source_input tx (no : no_circle tx) a cs x (u : computation no) : is_source tx (a, cs) -> ssval u = (a, x) -> inside x (size_of tx a) ->
  holds cs (ints x) -> u \in input (computation no).
Proof.
case/andP=> /= short noread uE xa xc.
rewrite inE; apply/forallP => w; rewrite /= /af_edge uE; apply/negP => /(has_nthP no_access)[c cl] /and3P[/eqP ca _ /hasP[y]].
rewrite mem_box => yr /andP[hw _]; have /(all_nthP no_access)/(_ c cl) := noread; rewrite ca eqxx /= => no_.
have xy : inside (x ++ y) (map nat_ (extents tx a ++ runs (nth no_access (accesses tx) c))).
  by rewrite map_cat inside_cat -(inside_size xa) take_size_cat ?drop_size_cat // xa yr.
have H : holds cs (ints (x ++ y)) -> false.
  move=> hc; have : holds (cs ++ where_ (nth no_access (accesses tx) c)) (ints (x ++ y)) by rewrite /holds all_cat; apply/andP.
  by move=> /(implies_ok no_ xy); rewrite /value /=; clear; lia.
suff /H : holds cs (ints (x ++ y)) by [].
rewrite /holds; elim: cs short xc {noread no_ H} => //= f cs IHc /andP[sf /IHc {}IHc] /andP[xf /IHc ->]; rewrite andbT.
by rewrite /ints map_cat value_cat // size_map (inside_size xa) size_map.
Qed.

Lemma ends_in_count tx (no : no_circle tx) e P : ends_ok tx e ->
  nat_ (ends_in_of tx e P) <= #|[set v in needed (computation no) | P (ssval v).1]|.
Proof.
case/and5P=> good ui src _ _.
pose F (i : nat * seq form) := if nth None (leading e) i.1 is Some r then
  (if P i.1 then [seq x <- box (map nat_ (extents tx i.1)) | holds (i.2 ++ r.1) (ints x)] else [::]) else [::].
rewrite /ends_in_of (listed_size fst (F := F)) => [|i]; last by rewrite /F; case: nth => [r|] //; case: (P i.1) => //; exact: pointsE.
apply: card_listed => [|v].
  by apply: listed_uniq => // i; rewrite /F; case: nth => [r|] //; case: (P i.1) => //; apply: filter_uniq; apply: box_uniq.
elim: (inputs_ e) src => //= -[a cs] l IH /andP[src1 /IH {}IH]; rewrite mem_cat => /orP[|/IH//].
case/mapP=> x; rewrite /F /=; case R: nth => [r|] //; case Pa: (P a) => //.
rewrite mem_filter mem_box {1}/holds all_cat => /andP[/andP[xc xr] xa] ->.
have [ax _] := region_in good R xa xr; split=> // u uE; have ur : in_region (leading e) (ssval u) by rewrite /in_region uE /= R.
have uI : u \in input (computation no) by apply: (source_input src1 uE xa xc).
rewrite inE [(ssval u).1](congr1 fst uE) Pa andbT inE uI andTb; have [[w [wr ew]]|] := leads_on good ur; last by rewrite in_setD uI.
by apply/existsP; exists w; rewrite ew (region_live good).
Qed.
Lemma ends_count tx (no : no_circle tx) e : ends_ok tx e ->
  nat_ (ends_in tx e) <= #|needed (computation no)| /\ nat_ (ends_out_of tx e) <= #|output (computation no) :\: input (computation no)|.
Proof.
move=> ok; split.
  by apply: leq_trans (ends_in_count no xpredT ok) _; apply/subset_leq_card/subsetP => v; rewrite inE => /andP[].
case/and5P: ok => good ui src uo outs.
pose F (o : nat * region) := [seq x <- box (map nat_ (extents tx o.1)) | holds o.2.1 (ints x)].
rewrite /ends_out_of (listed_size fst (F := F)) => [|o]; last exact: pointsE.
apply: card_listed => [|v]; first by apply: listed_uniq => // o; apply: filter_uniq; apply: box_uniq.
elim: (outputs_ e) outs => //= o l IH /andP[/and4P[al piece le out] Hl]; rewrite mem_cat => /orP[|/(IH Hl)//].
case/mapP=> x; rewrite mem_filter mem_box => /andP[xr xa] ->; have [[]|[put [u ux r]]] := leads_ok good le xa xr; first by rewrite out.
split.
  rewrite /exists_ /= al xa /=; elim: (pieces tx _) piece => //= p ps IHp /orP[/holds_all H|/IHp ->]; last by rewrite orbT.
  by rewrite H.
move=> u' vE; rewrite in_setD; apply/andP; split; last by rewrite inE /= vE.
by rewrite inE; apply/negP => /forallP/(_ (SeqSub (in_elements ux) : computation no)); rewrite /= /af_edge /= vE r.
Qed.

Theorem compulsory_certificate game tx e B : compulsory_check tx e B ->
  forall M (no : no_circle tx) (s : seq (move (computation no))), legal game M s -> (B <= N.of_nat (cost s))%num.
Proof.
case/andP=> good /N.leb_le le M no s ok; apply: N.le_trans le _; have [i o] := ends_count no good.
by have := compulsory_bound ok; move: i o; move: #|_| #|_| (cost s) (ends_in _ _) (ends_out_of _ _) => p q r a b; clear; lia.
Qed.
