(* An affine text: arrays of elements, each a box cut by inequalities, and accesses, each an affine form for each index of what is read, on
   the part of the reader's box where its inequalities hold.  The program's normal form (docs/theory-affine.md, section 1) in Coq. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes Game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.

(* a constant, then a coefficient for each variable *)
Definition form : Type := Z * seq Z.
Fixpoint dot (a x : seq Z) : Z := match a, x with c :: a', v :: x' => c * v + dot a' x' | _, _ => 0 end%Z.
Definition value (f : form) (x : seq Z) : Z := (f.1 + dot f.2 x)%Z.
(* no form of the list is negative *)
Definition holds (cs : seq form) (x : seq Z) : bool := all (fun f => 0 <=? value f x)%Z cs.
Definition ints (x : seq nat) : seq Z := map Z.of_nat x.

(* Array `reader` reads array `read`, where the inequalities hold; variables: its loops, then indices that run below `runs`. *)
Record access := Access { reader : nat; read : nat; runs : seq N; where_ : seq form; index : seq form }.
Record text := Text {
  arrays : seq (seq N * seq (seq form));     (* extents of the loops, and pieces: an element exists where one of them holds *)
  accesses : seq access;
  outputs : seq (nat * seq form) }.          (* of an array, where all hold *)

Section Affine.
Variable tx : text.
Definition nothing : seq N * seq (seq form) := ([::], [::]).
Definition extents a := (nth nothing (arrays tx) a).1.
Definition pieces a := (nth nothing (arrays tx) a).2.
Definition size_of a := map nat_ (extents a).

Definition elem : eqType := [eqType of nat * seq nat].      (* an array and an element's indices *)
Definition exists_ (v : elem) : bool :=
  [&& v.1 < size (arrays tx), inside v.2 (size_of v.1) & has (fun p => holds p (ints v.2)) (pieces v.1)].
Definition elements : seq elem :=
  [seq v <- flatten [seq [seq (a, x) | x <- box (size_of a)] | a <- iota 0 (size (arrays tx))] | exists_ v].
Definition reads_at (c : access) (v u : elem) (y : seq nat) : bool :=
  holds (where_ c) (ints (v.2 ++ y)) && all2 Z.eqb [seq value f (ints (v.2 ++ y)) | f <- index c] (ints u.2).
Definition reads (v u : elem) : bool :=
  has (fun c => [&& reader c == v.1, read c == u.1 & has (reads_at c v u) (box (map nat_ (runs c)))]) (accesses tx).
Definition put_out (v : elem) : bool := has (fun o => (o.1 == v.1) && holds o.2 (ints v.2)) (outputs tx).

Definition af_vertex : finType := [finType of seq_sub elements].
Definition af_edge : rel af_vertex := fun u v => reads (ssval v) (ssval u).
Definition af_output : {set af_vertex} := [set v | put_out (ssval v)].
(* A text is a computation when no element needs itself; the program refuses any other. *)
Definition no_circle : Prop := exists rank : af_vertex -> nat, forall u v, af_edge u v -> rank u < rank v.
Definition computation (no : no_circle) : cdag := Cdag af_output no.

Lemma mem_elements v : (v \in elements) = exists_ v.
Proof.
rewrite mem_filter andb_idr // => /and3P[va vx _]; apply/flattenP; case: v va vx => a x /= va vx.
exists [seq (a, x) | x <- box (size_of a)]; first by apply/mapP; exists a; rewrite // mem_iota add0n.
by apply: map_f; rewrite mem_box.
Qed.
Lemma elements_uniq : uniq elements.
Proof.
apply: filter_uniq; have := iota_uniq 0 (size (arrays tx)); elim: (iota _ _) => //= a l IH /andP[al /IH u].
rewrite cat_uniq u map_inj_uniq ?box_uniq => [|x y [] //]; rewrite andbT; apply/hasPn => v /flattenP[_ /mapP[b bl ->] /mapP[x _ ->]].
by apply/mapP => -[y _ [E _]]; rewrite -E bl in al.
Qed.
End Affine.

(* ---- forms ---- *)
Fixpoint plus (a b : seq Z) : seq Z := match a, b with [::], _ => b | _, [::] => a | c :: a', d :: b' => (c + d)%Z :: plus a' b' end.
Definition add (f g : form) : form := ((f.1 + g.1)%Z, plus f.2 g.2).
Definition scale (k : Z) (f : form) : form := ((k * f.1)%Z, map (Z.mul k) f.2).
Definition less (f g : form) : form := add f (scale (-1) g).
Fixpoint compose (b : Z) (a : seq Z) (hs : seq form) : form :=
  match a, hs with c :: a', h :: hs' => add (scale c h) (compose b a' hs') | _, _ => (b, [::]) end.
Definition subst (f : form) (hs : seq form) : form := compose f.1 f.2 hs.
Definition variable r : form := (0, ncons r 0 [:: 1])%Z.
Definition variables n : seq form := [seq variable r | r <- iota 0 n].

Lemma dot_nil a : dot a [::] = 0%Z. Proof. by case: a. Qed.
Lemma dot_plus a b x : dot (plus a b) x = (dot a x + dot b x)%Z.
Proof.
elim: a b x => [|c a IH] [|d b] [|v x] //=; first by rewrite Z.add_0_r.
rewrite IH; clear; lia.
Qed.
Lemma dot_scale k a x : dot (map (Z.mul k) a) x = (k * dot a x)%Z.
Proof. by elim: a x => [|c a IH] [|v x] //=; rewrite ?Z.mul_0_r // IH; clear; lia. Qed.
Lemma value_add f g x : value (add f g) x = (value f x + value g x)%Z.
Proof. rewrite /value /= dot_plus; clear; lia. Qed.
Lemma value_scale k f x : value (scale k f) x = (k * value f x)%Z.
Proof. rewrite /value /= dot_scale; clear; lia. Qed.
Lemma value_less f g x : value (less f g) x = (value f x - value g x)%Z.
Proof. rewrite value_add value_scale; clear; lia. Qed.
Lemma value_subst f hs x : value (subst f hs) x = value f [seq value h x | h <- hs].
Proof.
rewrite /subst {3}/value; case: f => b a /=; elim: a hs => [|c a IH] [|h hs] /=; rewrite ?value_add ?value_scale ?IH; rewrite /value /=; lia.
Qed.
Lemma dot_cons c a v x : dot (c :: a) (v :: x) = (c * v + dot a x)%Z. Proof. by []. Qed.
Lemma value_variable r x : value (variable r) x = nth 0%Z x r.
Proof.
rewrite /value /variable -[X in X = _]/(dot (ncons r 0%Z [:: 1%Z]) x); elim: r x => [|r IH] [|v x] //.
  by rewrite dot_cons Z.mul_1_l Z.add_0_r.
by rewrite dot_cons IH.
Qed.
Lemma value_variables x : [seq value h (ints x) | h <- variables (size x)] = ints x.
Proof.
rewrite -map_comp; apply: (@eq_from_nth _ 0%Z); rewrite !size_map size_iota // => r rx.
by rewrite (nth_map 0) ?size_iota //= nth_iota // add0n value_variable.
Qed.

(* ---- what follows from inequalities on a box: sums of some of them, four at most, and the least value of the rest ---- *)
Fixpoint least (a : seq Z) (ds : seq N) : Z :=
  match a, ds with c :: a', d :: ds' => (if c <? 0 then c * (Z.of_N d - 1) else 0) + least a' ds' | _, _ => 0 end%Z.
Definition on_box (ds : seq N) (f : form) : bool := (0 <=? f.1 + least f.2 ds)%Z.
Fixpoint by_sums (ds : seq N) (most : nat) (cs : seq form) (f : form) : bool :=
  if cs is c :: cs' then
    let g := less f c in
    if (if most is k.+1 then if on_box ds g then true else by_sums ds k cs' g else false) then true else by_sums ds most cs' f
  else false.
(* if and not ||, both sides of which Coq computes *)
Definition implies (ds : seq N) (cs : seq form) (f : form) : bool := if on_box ds f then true else by_sums ds 4 cs f.
Definition same ds cs f g : bool := implies ds cs (less f g) && implies ds cs (less g f).
(* forms that are indices of an array of these extents *)
Definition within ds cs (gs : seq form) (es : seq N) : bool :=
  (size gs == size es) && all2 (fun g e => implies ds cs g && implies ds cs (less ((Z.of_N e - 1)%Z, [::]) g)) gs es.

Lemma least_le a ds x : inside x (map nat_ ds) -> (least a ds <= dot a (ints x))%Z.
Proof.
rewrite /inside; elim: a ds x => [|c a IH] [|d ds] [|v x] //= /andP[vd /IH le]; move: le vd.
case: Z.ltb_spec => c0; move: (least _ _) (dot _ _) => p q; nia.
Qed.
Lemma on_box_ok ds f x : on_box ds f -> inside x (map nat_ ds) -> (0 <= value f (ints x))%Z.
Proof. by move=> /Z.leb_le le xd; have := @least_le f.2 _ _ xd; move: le; rewrite /value; clear; lia. Qed.
Lemma implies_ok ds cs f x : implies ds cs f -> inside x (map nat_ ds) -> holds cs (ints x) -> (0 <= value f (ints x))%Z.
Proof.
rewrite /implies; case: ifP => [H _ xd _|_ H xd]; first exact: on_box_ok H xd.
move: H; move: 4 => k; elim: cs k f => [|c cs IH] k f //= H /andP[/Z.leb_le c0 hs].
move: H; case: ifP => [+ _|_ H]; last exact: IH H hs.
by case: k => // k; case: ifP => [/on_box_ok/(_ xd) + _|_ /IH/(_ hs)]; rewrite value_less; move: c0; clear; lia.
Qed.
Lemma same_ok ds cs f g x : same ds cs f g -> inside x (map nat_ ds) -> holds cs (ints x) -> value f (ints x) = value g (ints x).
Proof. by case/andP=> H H' xd hs; have := implies_ok H xd hs; have := implies_ok H' xd hs; rewrite !value_less; clear; lia. Qed.
Lemma holds_subst ds cs l hs x : all (fun f => implies ds cs (subst f hs)) l -> inside x (map nat_ ds) -> holds cs (ints x) ->
  holds l [seq value h (ints x) | h <- hs].
Proof.
elim: l => //= f l IH /andP[Hf /IH H] xd xs; rewrite H // andbT; apply/Z.leb_le.
by rewrite -value_subst; apply: implies_ok Hf xd xs.
Qed.
Lemma within_ok ds cs gs es x : within ds cs gs es -> inside x (map nat_ ds) -> holds cs (ints x) ->
  exists2 p, [seq value g (ints x) | g <- gs] = ints p & inside p (map nat_ es).
Proof.
case/andP=> _ H xd xs; elim: gs es H => [|g gs IH] [|e es] //=; first by exists [::].
case/andP=> /andP[g0 ge] /IH[p E pe]; have := implies_ok g0 xd xs; have := implies_ok ge xd xs.
rewrite value_less {1}/value /= => lt le; exists (Z.to_nat (value g (ints x)) :: p); rewrite /= ?E.
  by rewrite Z2Nat.id.
by rewrite /inside /= -/(inside p _) pe andbT; move: lt le; clear; lia.
Qed.
