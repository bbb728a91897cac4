(* A certificate of attention-two-products: the program's integers, checked by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game TwoProductsMost Attention AttentionTwoProducts Cut.
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

(* `first`, `length`, segments - 1, `most_first`, `most`; the value B *)
Definition two_products_check (M n nk d f t q hf ht B : N) : bool :=
  [&& 0 <? d, cut (two d) M (n * nk * d + n * nk * d) f t q hf ht & B + n * nk <=? f + q * t + 1].

Theorem two_products_certificate game M n nk d f t q hf ht B : two_products_check M n nk d f t q hf ht B ->
  forall s : seq (move (Attention.attention (nat_ n) (nat_ nk) (nat_ d) (nat_ d))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/and3P=> /N.ltb_lt d0 holds /N.leb_le le s ok; have d0' : (0 < nat_ d)%nat by clear - d0; lia.
suff : f + q * t + 1 <= N.of_nat (cost s + nat_ n * nat_ nk) by move: le; move: (cost s) (q * t) => c x; clear; lia.
apply: (cut_ok (P := two_most (nat_ d))) holds; [move=> X; exact: two_some | exact: two_ok |].
move=> f' t' q' hf' ht' Hf Ht lt; apply: (attention_two d0' (d0') ok Hf Ht).
by move: lt; clear; lia.
Qed.
