(* A certificate of product-segment for C = A B, C += A B and C = A A^T: the program's integers, checked by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game ThreeOperands Matmul MatmulAdd Syrk OrderedPairs Reduction Cut.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

(* `first`, `length`, segments - 1, `most_first`, `most`; the value B *)
Definition matmul_check (M m n k f t q hf ht B : N) : bool :=
  cut (three n m k) M (m * n * k) f t q hf ht && (B <=? f + q * t + 1).

Theorem matmul_certificate game M m n k f t q hf ht B : matmul_check M m n k f t q hf ht B ->
  forall s : seq (move (matmul (nat_ m) (nat_ n) (nat_ k))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/andP=> holds /N.leb_le le s ok; apply: N.le_trans le _.
apply: (cut_ok (P := at_most (nat_ n) (nat_ m) (nat_ k))) holds; [exact: at_most_some | exact: three_ok | ].
move=> f' t' q' hf' ht' Hf Ht lt; apply: matmul_bound ok Hf Ht _.
by move: lt; clear; lia.
Qed.

(* C += A B: no births, the outputs are stored besides, and a segment begins with M - 1 words *)
Definition matmul_add_check (M m n k f t q hf ht B : N) : bool :=
  cut (three n m k) (M - 1) (m * n * k) f t q hf ht && (B <=? f + q * t + 1 + m * n).

Theorem matmul_add_certificate game M m n k f t q hf ht B : matmul_add_check M m n k f t q hf ht B ->
  forall s : seq (move (matmul_add (nat_ m) (nat_ n) (nat_ k))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/andP=> holds /N.leb_le le s ok; have [W0|W0] := N.eq_0_gt_0_cases (m * n * k).
  by move: holds; rewrite /cut W0 => /and3P[_ _ /N.ltb_lt]; clear; lia.
have mn : (nat_ m * nat_ n <= cost s)%nat.
  have small X : at_most (nat_ n) (nat_ m) (nat_ k) 0 X by move=> a b c H; case: a => // _ _; rewrite muln0 leqn0 => /eqP ->.
  have [h Hh] := at_most_some (nat_ n) (nat_ m) (nat_ k) ((nat_ M).-1 + 0).
  have := @matmul_add_bound game _ _ _ _ s 0 0 0 0 h ok (small 0%nat) Hh; rewrite mul0n addn0.
  move=> /(_ ltac:(clear - W0; lia)); move: (cost s) (_ * _)%nat => c x; clear; lia.
apply: N.le_trans le _.
have : f + q * t + 1 <= N.of_nat (cost s - nat_ m * nat_ n).
  apply: (cut_ok (P := at_most (nat_ n) (nat_ m) (nat_ k))) holds; [exact: at_most_some | exact: three_ok | ].
  move=> f' t' q' hf' ht' Hf; rewrite (_ : nat_ (M - 1) = (nat_ M).-1) => [Ht lt|]; last by clear; lia.
  have : (f' + q' * t' + 1 + nat_ m * nat_ n <= cost s)%nat.
    by apply: matmul_add_bound ok Hf Ht _; move: lt; clear; lia.
  by move: (q' * t')%nat (nat_ m * nat_ n)%nat (cost s) => x y c; clear; lia.
move: mn; have -> : (nat_ m * nat_ n)%nat = nat_ (m * n) by clear; lia.
by move: (m * n) (q * t) (cost s) => x y c; clear; lia.
Qed.

(* C = A A^T, the lower triangle; steps below the diagonal *)
Definition ordered (X W : N) : bool := 27 * (W * W) <=? 2 * (X * X * X).
Definition syrk_check (M n k f t q hf ht B : N) : bool :=
  cut ordered M (n * (n - 1) / 2 * k) f t q hf ht && (B <=? f + q * t + 1).

Theorem syrk_certificate game M n k f t q hf ht B : syrk_check M n k f t q hf ht B ->
  forall s : seq (move (syrk (nat_ n) (nat_ k))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/andP=> holds /N.leb_le le s ok; apply: N.le_trans le _.
have eW : (nat_ (n * (n - 1) / 2 * k) = #|below (nat_ n)| * nat_ k)%nat.
  have := card_below (nat_ n); move: (#|_|) => c cE.
  suff -> : n * (n - 1) / 2 = N.of_nat c by clear; lia.
  by apply/esym/N.div_unique_exact => //; case: (N.eq_0_gt_0_cases n) cE => [->|n0]; clear; lia.
apply: (cut_ok (P := fun X h => (X ^ 3 * 2 < 27 * h.+1 ^ 2)%nat)) holds => [X|X h|f' t' q' hf' ht' Hf Ht lt].
- by exists (X ^ 3)%nat; rewrite -mulnn; move: (X ^ 3)%nat => c; clear; nia.
- by rewrite /ordered => /negbTE/N.leb_gt lt; rewrite !expnS expn0; move: lt; clear; lia.
have : (f' + q' * t' + 1 + nat_ n <= cost s)%nat; last by move: (q' * t')%nat (cost s) => x c; clear; lia.
apply: (syrk_bound ok Hf Ht); rewrite -card_below -mulnA -eW.
by move: lt; move: (nat_ _) (q' * ht')%nat => x y; clear; lia.
Qed.
