(* Certificates of attention-segment, for all keys and for a mask: the program's integers, checked by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game CarriedOrMade Attention Mask MaskedAttention Cut.
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

(* np pairs; every row keeps a key, and w of them at most *)
Definition masked_narrow_check (M n w d dv np f t q hf ht B : N) : bool :=
  [&& 0 <? d, cut (pairs d dv n w np) M (np * dv) f t q hf ht & B <=? f + q * t + 1].
Theorem masked_narrow_certificate game M n nk w d dv np f t q hf ht B : masked_narrow_check M n w d dv np f t q hf ht B ->
  forall mask : 'I_(nat_ n) -> 'I_(nat_ nk) -> bool,
  (forall i, exists j, mask i j) -> (forall i, #|[set p : pair mask | row p == i]| <= nat_ w)%nat -> #|pair mask| = nat_ np ->
  forall s : seq (move (@MaskedAttention.attention (nat_ n) (nat_ nk) (nat_ d) (nat_ dv) mask)), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
case/and3P=> /N.ltb_lt d0 holds /N.leb_le le mask rows narrow card s ok; apply: N.le_trans le _.
apply: (cut_ok (P := pairs_at_most (nat_ d) (nat_ dv) (nat_ n) (nat_ w) (nat_ np))) holds.
- exact: pairs_some.
- exact: pairs_ok.
rewrite -card => f' t' q' hf' ht' Hf Ht lt; apply: masked_narrow_segment rows narrow ok Hf Ht _; first by clear - d0; lia.
by move: lt; rewrite card; clear; lia.
Qed.

Definition masked_check (M n nk d dv np f t q hf ht B : N) : bool := masked_narrow_check M n nk d dv np f t q hf ht B.
Theorem masked_certificate game M n nk d dv np f t q hf ht B : masked_check M n nk d dv np f t q hf ht B ->
  forall mask : 'I_(nat_ n) -> 'I_(nat_ nk) -> bool,
  (forall i, exists j, mask i j) -> #|pair mask| = nat_ np ->
  forall s : seq (move (@MaskedAttention.attention (nat_ n) (nat_ nk) (nat_ d) (nat_ dv) mask)), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
move=> chk mask rows card; apply: (masked_narrow_certificate chk) => // i; exact: row_at_most.
Qed.

(* the causal mask: a row sees its own key and those before *)
Definition causal n (i j : 'I_n) : bool := (j <= i)%nat.
Lemma card_causal n : (2 * #|pair (@causal n)|)%nat = (n * n.+1)%nat.
Proof.
have -> : (#|pair (@causal n)| = \sum_(i < n) i.+1)%nat.
  rewrite card_sig -sum1_card.
  transitivity (\sum_(i < n) \sum_(j < n | causal i j) 1)%nat; first by rewrite pair_big_dep /=; apply: eq_bigl.
  apply: eq_bigr => i _.
  rewrite sum1_card -[RHS](card_ord i.+1) -[RHS]cardsT -(card_imset _ (f := fun j : 'I_i.+1 => widen_ord (ltn_ord i) j)).
    apply: eq_card => j; apply/idP/imsetP => [ji|[k _ ->]]; last exact: (ltn_ord k).
    by exists (Ordinal (ji : (j < i.+1)%nat)) => //; apply/val_inj.
  by move=> j k /(congr1 val) /= jk; apply/val_inj.
by elim: n => [|n IH]; rewrite ?big_ord0 ?big_ord_recr //= mulnDr IH; clear; lia.
Qed.

Lemma causal_pairs (n : N) : #|pair (@causal (nat_ n))| = nat_ (n * (n + 1) / 2).
Proof.
have := card_causal (nat_ n); move: (#|_|) => c.
move=> e; suff -> : n * (n + 1) / 2 = N.of_nat c by rewrite Nnat.Nat2N.id.
by apply/esym/N.div_unique_exact => //; clear - e; lia.
Qed.

Definition causal_check (M n d dv f t q hf ht B : N) : bool := masked_check M n n d dv (n * (n + 1) / 2) f t q hf ht B.

Theorem causal_certificate game M n d dv f t q hf ht B : causal_check M n d dv f t q hf ht B ->
  forall s : seq (move (MaskedAttention.attention (nat_ d) (nat_ dv) (@causal (nat_ n)))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
by move=> chk s; apply: (masked_certificate chk); [move=> i; exists i; apply: leqnn | exact: causal_pairs].
Qed.

(* redblue bound attention:n=4096,d=64 -M 64K *)
Theorem attention_4096_64 game :
  forall s : seq (move (Attention.attention (nat_ 4096) (nat_ 4096) (nat_ 64) (nat_ 64))),
  legal game (nat_ 65536) s -> 4259840 <= N.of_nat (cost s).
Proof. by apply: (@attention_certificate game 65536 4096 4096 64 64 131134 65535 63 16793091 16776960); vm_compute. Qed.
