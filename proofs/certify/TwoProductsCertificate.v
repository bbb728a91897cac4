(* A certificate of attention-two-products: the program's integers, checked by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game TwoProductsMost Mask AttentionCertificate AttentionTwoProducts Cut.
From redblue Require Attention MaskedAttention.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

(* The last t where the quartic F(t / r) of docs/theory.md section 5 still grows.  Any t proves a bound; this one the best. *)
Definition grows (d r X t : N) : bool :=
  (3 * t * t <=? X * r * r) && (t * (X * r * r - t * t) <=? 2 * d * r * (X * r * r - 3 * t * t)).
Fixpoint last_growing (d r X : N) (bits : nat) (t : N) : N :=
  if bits is k.+1 then last_growing d r X k (let u := t + 2 ^ N.of_nat k in if grows d r X u then u else t) else t.
Definition two (d X W : N) : bool :=
  let r := 4096 in
  let t := N.max 1 (last_growing d r X (N.size_nat (N.sqrt (X * r * r))) 0) in
  ~~ [&& 0 <? d, 0 <? W & two_positive (Z.of_N d) (Z.of_N t) (Z.of_N r) (Z.of_N X) (Z.of_N (W - 1))].

Lemma two_ok d X h : ~~ two d X (h + 1) -> two_most (nat_ d) (nat_ X) (nat_ h).
Proof.
rewrite /two negbK; set r := 4096; set t := N.max 1 _ => /and3P[/N.ltb_lt d0 _ pos].
have t1 : 1 <= t by exact: N.le_max_l.
clearbody t; apply: (@two_most_ok _ (nat_ t) (nat_ r)); [clear - t1; lia | by [] | clear - d0; lia |].
by move: pos; rewrite N.add_sub !N_nat_Z.
Qed.

Lemma two_some d X : (0 < d)%nat -> exists h, two_most d X h.
Proof.
move=> d0; exists (X * (X * X) + (X + X * X) * (X * X))%nat => p a1 a2 R C v y E HS HZ sum rd cd Ele hS hZ.
have sq (x z : nat) : (x ^ 2 <= z)%nat -> (x <= z)%nat by apply: leq_trans; case: x => // x; rewrite -mulnn leq_pmulr.
have R1 : (R <= X)%nat by have := leq_mul (leqnn R) d0; move: rd sum; clear; lia.
have C1 : (C <= X)%nat by have := leq_mul (leqnn C) d0; move: cd sum; clear; lia.
apply: leq_add; apply: sq.
  by apply: leq_trans hS _; apply: leq_mul; last apply: leq_mul; move: sum; clear; lia.
apply: leq_trans hZ _; apply: leq_mul; last by apply: leq_mul; move: sum; clear; lia.
apply: leq_trans Ele _; apply: leq_add; [move: sum; clear; lia | exact: leq_mul].
Qed.

(* np pairs; `first`, `length`, segments - 1, `most_first`, `most`; the value B *)
Definition two_products_pairs (M np d f t q hf ht B : N) : bool :=
  [&& 0 <? d, cut (two d) M (np * d + np * d) f t q hf ht & B + np <=? f + q * t + 1].
Lemma two_products_pairs_ok M np d f t q hf ht B Q : two_products_pairs M np d f t q hf ht B ->
  (forall f t q hf ht, 0 < nat_ d -> two_most (nat_ d) f hf -> two_most (nat_ d) (nat_ M + t) ht ->
    hf + q * ht < nat_ np * nat_ d + nat_ np * nat_ d -> f + q * t + 1 <= Q + nat_ np)%nat -> B <= N.of_nat Q.
Proof.
case/and3P=> /N.ltb_lt d0 holds /N.leb_le le bound; have d0' : (0 < nat_ d)%nat by clear - d0; lia.
suff : f + q * t + 1 <= N.of_nat (Q + nat_ np) by move: le; move: (q * t) => x; clear; lia.
apply: (cut_ok (P := two_most (nat_ d))) holds; [move=> X; exact: two_some | exact: two_ok |].
by move=> f' t' q' hf' ht' Hf Ht lt; apply: bound d0' Hf Ht _; move: lt; clear; lia.
Qed.

Definition two_products_check (M n nk d f t q hf ht B : N) : bool := two_products_pairs M (n * nk) d f t q hf ht B.
Theorem two_products_certificate game M n nk d f t q hf ht B : two_products_check M n nk d f t q hf ht B ->
  forall s : seq (move (Attention.attention (nat_ n) (nat_ nk) (nat_ d) (nat_ d))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
move=> holds s ok; apply: (two_products_pairs_ok holds) => f' t' q' hf' ht' d0 Hf Ht.
rewrite (_ : nat_ (n * nk) = nat_ n * nat_ nk)%nat; last by clear; lia.
exact: (attention_two d0 d0 ok Hf Ht).
Qed.

(* on a mask with np pairs in which every row keeps a key *)
Lemma masked_two_products game M n nk d np f t q hf ht B : two_products_pairs M np d f t q hf ht B ->
  forall mask : 'I_(nat_ n) -> 'I_(nat_ nk) -> bool, (forall i, exists j, mask i j) -> #|pair mask| = nat_ np ->
  forall s : seq (move (@MaskedAttention.attention (nat_ n) (nat_ nk) (nat_ d) (nat_ d) mask)), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
move=> holds mask rows card s ok; apply: (two_products_pairs_ok holds) => f' t' q' hf' ht' d0 Hf Ht; rewrite -card.
exact: (Masked.masked_two d0 d0 rows ok Hf Ht).
Qed.

Definition causal_two_products_check (M n d f t q hf ht B : N) : bool := two_products_pairs M (n * (n + 1) / 2) d f t q hf ht B.
Theorem causal_two_products_certificate game M n d f t q hf ht B : causal_two_products_check M n d f t q hf ht B ->
  forall s : seq (move (MaskedAttention.attention (nat_ d) (nat_ d) (@causal (nat_ n)))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof. by move=> holds; apply: (masked_two_products holds); [move=> i; exists i; apply: leqnn | exact: causal_pairs]. Qed.
