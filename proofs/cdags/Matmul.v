(* The product of two matrices, cdag/families/matmul.cdag, for all m, n, k; its bound. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney ThreeOperands Reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
(* C = A B, as in cdag/families/matmul.cdag with acc = 0: C[i,j,l] = C[i,j,l-1], A[i,l], B[l,j]. *)
Section Matmul.
Variables m n k : nat.
Definition mm_vertex : finType := [finType of 'I_m * 'I_k + 'I_k * 'I_n + 'I_m * 'I_n * 'I_k].
Definition mmA i l : mm_vertex := inl (inl (i, l)).
Definition mmB l j : mm_vertex := inl (inr (l, j)).
Definition mmC i j l : mm_vertex := inr (i, j, l).
Definition mm_edge : rel mm_vertex := fun u v =>
  match u, v with
  | inr (i, j, l), inr (i', j', l') => [&& i == i', j == j' & l.+1 == l' :> nat]
  | inl (inl (i, l)), inr (i', j', l') => (i == i') && (l == l')
  | inl (inr (l, j)), inr (i', j', l') => (l == l') && (j == j')
  | _, _ => false
  end.
Definition mm_is_output (v : mm_vertex) : bool := if v is inr (i, j, l) then l.+1 == k else false.
Definition mm_output : {set mm_vertex} := [set v | mm_is_output v].
Lemma mm_acyclic : exists rank : mm_vertex -> nat, forall u v, mm_edge u v -> rank u < rank v.
Proof.
exists (fun v : mm_vertex => if v is inr (i, j, l) then (nat_of_ord l).+1 else 0).
by move=> [[[i l]|[l j]]|[[i j] l]] [[[i' l']|[l' j']]|[[i' j'] l']] //= /and3P[_ _ /eqP <-].
Qed.
Definition matmul : cdag := Cdag mm_output mm_acyclic.
End Matmul.

Lemma mm_inputE m n k (v : matmul m n k) :
  (v \in input (matmul m n k)) = if v is inl _ then true else false.
Proof.
case: v => [v|[[i j] l]]; rewrite inE; first by apply/forallP => -[[[i l]|[l j]]|[[i j] l]]; case: v => [[]|[]].
by apply/negP => /forallP/(_ (mmA n i l)); rewrite /= !eqxx.
Qed.

Theorem matmul_bound game M m n k (s : seq (move (matmul m n k))) f t q hf ht :
  legal game M s ->
  at_most n m k f hf -> at_most n m k (M + t) ht -> hf + q * ht < m * n * k ->
  f + q * t + 1 <= cost s.
Proof.
case: k s => [|k] s ok Hf Ht lt; first by rewrite muln0 in lt.
pose G := matmul m n k.+1; pose K := [finType of 'I_m * 'I_n].
pose z (x : K) l : G := mmC x.1 x.2 (inord l).
have nI i j l : @mmC m n k.+1 i j l \notin input G by rewrite mm_inputE.
have ch : @chains G K (fun=> k.+1) z.
  split=> //.
  - by move=> x j jk; rewrite /= !eqxx /= !inordK //; lia.
  - by move=> [i j] l [i' j'] l' _ _ [-> ->].
  - by move=> [i j]; apply: nI.
  - move=> [i j]; rewrite /live; apply/existsP; exists (z (i, j) k).
    by rewrite in_setD nI inE /= inordK // eqxx connect0.
pose T := [finType of 'I_m * 'I_n * 'I_k.+1].
pose A (x : T) : G := mmA n x.1.1 x.2; pose B (x : T) : G := mmB m x.2 x.1.2.
have re : reduction (G := G) (fun=> k.+1) z (fun x : T => x.1) (fun x => x.2 : nat) A B n m k.+1.
  split=> //; first split=> //.
  - by move=> [] x; rewrite mm_inputE.
  - by move=> [] [[i j] l]; rewrite /= !eqxx inord_val eqxx.
  - by move=> [[i j] l] [[i' j'] l'] [[u v] w] [[u' v'] w'] /= [<- <-] [<- <-] [-> ->] [-> ->].
  - by apply: (@fiber_at_most _ _ _ _ (fun x : T => x.1.2)) => -[[i j] l] [[i' j'] l'] /= [-> ->] ->.
  - by apply: (@fiber_at_most _ _ _ _ (fun x : T => x.1.1)) => -[[i j] l] [[i' j'] l'] /= [-> ->] ->.
  - by apply: (@fiber_at_most _ _ _ _ (fun x : T => x.2)) => -[ij l] [ij' l'] /= -> ->.
have cK : #|K| = m * n by rewrite card_prod !card_ord.
have cT : #|T| = m * n * k.+1 by rewrite !card_prod !card_ord.
have := product_segment ok ch re Hf Ht (n := q); rewrite cT cK => /(_ lt).
move=> le1; have le2 : m * n <= #|output G :\: input G|.
  apply: (@leq_trans #|[set: K]|); first by rewrite cardsT card_prod !card_ord.
  apply: (@card_rel _ _ _ _ (fun (v : G) (x : K) => v == mmC x.1 x.2 ord_max)).
    by move=> v [i j] [i' j'] /= /eqP -> /eqP [-> ->].
  by move=> [i j] _; exists (mmC i j ord_max); rewrite // inE nI inE /= eqxx.
by have := leq_trans (leq_add (leqnn (f + q * t + 1)) le2) le1; rewrite leq_add2r.
Qed.

(* With the integers of a certificate. *)
Theorem matmul_certified game M m n k (s : seq (move (matmul m n k))) f t q hf ht :
  legal game M s ->
  f ^ 3 < 27 * (hf + 1) ^ 2 -> (M + t) ^ 3 < 27 * (ht + 1) ^ 2 -> hf + q * ht < m * n * k ->
  f + q * t + 1 <= cost s.
Proof. by move=> ok Hf Ht; apply: matmul_bound ok (at_most_cube Hf) (at_most_cube Ht). Qed.
