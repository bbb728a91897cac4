(* docs/theory.md section 4: a value with a tree of its own is carried, or made in the segment. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma card_split (X Y : finType) (A : {set X + Y}) :
  #|A| = #|[set x | inl x \in A]| + #|[set y | inr y \in A]|.
Proof.
rewrite -!sum1_card [LHS]big_mkcond big_sumType /= -!big_mkcond /=.
by congr (_ + _); apply: eq_bigl => x; rewrite inE.
Qed.

(* A value with a tree: u is read, perhaps through other vertices of the tree, by v of the tree. *)
Inductive needs (G : cdag) (tree : pred G) (u : G) : G -> Prop :=
  | needs_leaf v : tree v -> edge u v -> needs tree u v
  | needs_step w v : tree v -> edge w v -> needs tree u w -> needs tree u v.

Section Tree.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (K : finType) (c : K -> nat -> nat) (W : finType) (word : G -> W) (key : K -> W).

(* Carried, or made: a value of the tree that is red in the segment has the tree's word available,
   or those of all inputs that it needs. *)
Lemma tree_avail (tree : pred G) (e : W) u v a b i :
  (forall v, tree v -> word v = e) -> u \in input G -> needs tree u v ->
  a <= i < b -> v \in red (pos (start G) s i) -> e \notin avail s c word key a b ->
  word u \in avail s c word key a b.
Proof.
move=> te uI nd; elim: nd i => {v} [v tv uv|w v tv wv nd IH] i ab vi ne;
  case: (used_avail ok c word key ab vi) => [|[j ji cj]]; try by rewrite te // (negbTE ne).
  by apply: (input_avail ok c word key _ (computes_edge ok cj uv) uI); lia.
by apply: (IH j _ (computes_edge ok cj wv) ne); lia.
Qed.
End Tree.
