(* Certificates of attention-segment, for all keys and for a mask: the program's integers, checked by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify.
From redblue Require Import Game CarriedOrMade Attention MaskedAttention Cut.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

(* `first`, `length`, segments - 1, `most_first`, `most`; the value B *)
Definition attention_check (M n nk d dv f t q hf ht B : N) : bool :=
  [&& 0 <? d, cut (pairs d dv n nk (n * nk)) M (n * nk * dv) f t q hf ht & B <=? f + q * t + 1].

Theorem attention_certificate game M n nk d dv f t q hf ht B : attention_check M n nk d dv f t q hf ht B ->
  forall s : seq (move (Attention.attention (nat_ n) (nat_ nk) (nat_ d) (nat_ dv))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
case/and3P=> /N.ltb_lt d0 holds /N.leb_le le s ok; apply: N.le_trans le _.
apply: (cut_ok (P := pairs_at_most (nat_ d) (nat_ dv) (nat_ n) (nat_ nk) (nat_ (n * nk)))) holds.
- exact: pairs_some.
- exact: pairs_ok.
move=> f' t' q' hf' ht'; rewrite (_ : nat_ (n * nk) = (nat_ n * nat_ nk)%nat); last by clear; lia.
move=> Hf Ht lt; apply: attention_segment ok Hf Ht _; first by clear - d0; lia.
by move: lt; clear; lia.
Qed.

(* np pairs; every row keeps a key *)
Definition masked_check (M n nk d dv np f t q hf ht B : N) : bool :=
  [&& 0 <? d, cut (pairs d dv n nk np) M (np * dv) f t q hf ht & B <=? f + q * t + 1].

Theorem masked_certificate game M n nk d dv np f t q hf ht B : masked_check M n nk d dv np f t q hf ht B ->
  forall mask : 'I_(nat_ n) -> 'I_(nat_ nk) -> bool,
  (forall i, exists j, mask i j) -> #|pair mask| = nat_ np ->
  forall s : seq (move (@MaskedAttention.attention (nat_ n) (nat_ nk) (nat_ d) (nat_ dv) mask)), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
case/and3P=> /N.ltb_lt d0 holds /N.leb_le le mask rows card s ok; apply: N.le_trans le _.
apply: (cut_ok (P := pairs_at_most (nat_ d) (nat_ dv) (nat_ n) (nat_ nk) (nat_ np))) holds.
- exact: pairs_some.
- exact: pairs_ok.
rewrite -card => f' t' q' hf' ht' Hf Ht lt; apply: masked_segment rows ok Hf Ht _; first by clear - d0; lia.
by move: lt; rewrite card; clear; lia.
Qed.

(* redblue bound attention:n=4096,d=64 -M 64K *)
Theorem attention_4096_64 game :
  forall s : seq (move (Attention.attention (nat_ 4096) (nat_ 4096) (nat_ 64) (nat_ 64))),
  legal game (nat_ 65536) s -> 4259840 <= N.of_nat (cost s).
Proof. by apply: (@attention_certificate game 65536 4096 4096 64 64 131134 65535 63 16793091 16776960); vm_compute. Qed.
