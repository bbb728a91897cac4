(* Certificates of gates: y = A^T (A x), the program's number, checked by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Atax.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

Definition atax_check (M m n B : N) : bool := [&& 0 <? m, 0 <? n & B <=? m * n + n + m * (n - (M - 1)) + n].
Theorem atax_certificate game M m n B : atax_check M m n B ->
  forall s : seq (move (atax (nat_ m) (nat_ n))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/and3P=> /N.ltb_lt m0 /N.ltb_lt n0 /N.leb_le le s ok; apply: N.le_trans le _.
have m0' : (0 < nat_ m)%nat by move: m0; clear; lia.
have n0' : (0 < nat_ n)%nat by move: n0; clear; lia.
have := atax_bound ok m0' n0'; have -> : n - (M - 1) = N.of_nat (nat_ n - (nat_ M).-1) by clear; lia.
move: (nat_ n - (nat_ M).-1)%nat (cost s) => y q; clear; lia.
Qed.
