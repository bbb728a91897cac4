(* A certificate of product-segment for C = A B: the program's integers, checked by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify.
From redblue Require Import Game ThreeOperands Matmul Cut.
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
