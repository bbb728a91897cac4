(* C += A B, cdag/families/matmul.cdag with acc = 1: C[i,j,l] = C[i,j,l-1], C0[i,j,0] at l = 0, A[i,l], B[l,j]; its bound. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney ThreeOperands Reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Cdag.
Variables m n k : nat.
Definition ma_vertex : finType := [finType of 'I_m * 'I_k + 'I_k * 'I_n + ('I_m * 'I_n + 'I_m * 'I_n * 'I_k)].
Definition maA i l : ma_vertex := inl (inl (i, l)).
Definition maB l j : ma_vertex := inl (inr (l, j)).
Definition maC0 i j : ma_vertex := inr (inl (i, j)).
Definition maC i j l : ma_vertex := inr (inr (i, j, l)).
Definition ma_edge : rel ma_vertex := fun u v =>
  match u, v with
  | inr (inr (i, j, l)), inr (inr (i', j', l')) => [&& i == i', j == j' & l.+1 == l' :> nat]
  | inr (inl (i, j)), inr (inr (i', j', l'))    => [&& i == i', j == j' & 0 == l' :> nat]
  | inl (inl (i, l)), inr (inr (i', j', l'))    => (i == i') && (l == l')
  | inl (inr (l, j)), inr (inr (i', j', l'))    => (l == l') && (j == j')
  | _, _ => false
  end.
Definition ma_is_output (v : ma_vertex) : bool := if v is inr (inr (i, j, l)) then l.+1 == k else false.
Definition ma_output : {set ma_vertex} := [set v | ma_is_output v].
Lemma ma_acyclic : exists rank : ma_vertex -> nat, forall u v, ma_edge u v -> rank u < rank v.
Proof.
exists (fun v : ma_vertex => if v is inr (inr (i, j, l)) then (nat_of_ord l).+1 else 0).
by move=> [[[i l]|[l j]]|[[i j]|[[i j] l]]] [[[i' l']|[l' j']]|[[i' j']|[[i' j'] l']]] //= /and3P[_ _ /eqP <-].
Qed.
Definition matmul_add : cdag := Cdag ma_output ma_acyclic.
End Cdag.

Theorem matmul_add_bound game M m n k (s : seq (move (matmul_add m n k))) f t q hf ht :
  legal game M s ->
  at_most n m k f hf -> at_most n m k (M.-1 + t) ht -> hf + q * ht < m * n * k ->
  f + q * t + 1 + m * n <= cost s.
Proof.
case: k s => [|k] s ok Hf Ht lt; first by rewrite muln0 in lt.
pose G := matmul_add m n k.+1; pose K := [finType of 'I_m * 'I_n].
pose z (x : K) l : G := maC x.1 x.2 (inord l).
have src (v : G) : (forall u, ~~ ma_edge u v) -> v \in input G by move=> H; rewrite inE; apply/forallP.
have nI i j l : (maC i j l : G) \notin input G.
  by rewrite inE; apply/negP => /forallP/(_ (maA n i l)); rewrite /= !eqxx.
have ch : @chains G K (fun=> k.+1) z.
  split=> //.
  - by move=> x j jk; rewrite /= !eqxx /= !inordK //; lia.
  - by move=> [i j] l [i' j'] l' _ _ [-> ->].
  - by move=> [i j]; apply: nI.
  - move=> [i j]; rewrite /live; apply/existsP; exists (z (i, j) k).
    by rewrite in_setD nI inE /= inordK // eqxx connect0.
pose T := [finType of 'I_m * 'I_n * 'I_k.+1].
pose A (x : T) : G := maA n x.1.1 x.2; pose B (x : T) : G := maB m x.2 x.1.2.
have re : reduction (G := G) (fun=> k.+1) z (fun x : T => x.1) (fun x => x.2 : nat) A B n m k.+1.
  split=> //; first split=> //.
  - by move=> [] x; apply: src => -[[[]|[]]|[[]|[[]]]].
  - by move=> [] [[i j] l]; rewrite /= !eqxx inord_val eqxx.
  - by move=> [[i j] l] [[i' j'] l'] [[u v] w] [[u' v'] w'] /= [<- <-] [<- <-] [-> ->] [-> ->].
  - by apply: (@fiber_at_most _ _ _ _ (fun x : T => x.1.2)) => -[[i j] l] [[i' j'] l'] /= [-> ->] ->.
  - by apply: (@fiber_at_most _ _ _ _ (fun x : T => x.1.1)) => -[[i j] l] [[i' j'] l'] /= [-> ->] ->.
  - by apply: (@fiber_at_most _ _ _ _ (fun x : T => x.2)) => -[ij l] [ij' l'] /= -> ->.
pose seed (x : K) : G := maC0 k.+1 x.1 x.2.
have sd : seeded z (two_operands A B) seed.
  split=> //.
  - by move=> x; apply: src => -[[[]|[]]|[[]|[[]]]].
  - by move=> [i j]; rewrite /= !eqxx /= inordK.
  - by move=> [i j] [i' j'] [-> ->].
  - by move=> k' [].
have cT : #|T| = m * n * k.+1 by rewrite !card_prod !card_ord.
have := seeded_segment ok ch re (n := q) sd Hf Ht; rewrite cT => /(_ lt).
apply: leq_trans; rewrite leq_add2l.
apply: (@leq_trans #|[set: K]|); first by rewrite cardsT card_prod !card_ord.
apply: (@card_rel _ _ _ _ (fun (v : G) (x : K) => v == maC x.1 x.2 ord_max)).
  by move=> v [i j] [i' j'] /= /eqP -> /eqP [-> ->].
by move=> [i j] _; exists (maC i j ord_max); rewrite // inE nI inE /= eqxx.
Qed.
