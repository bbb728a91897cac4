(* docs/theory.md section 5: the most steps of scores and accumulators together, in integers.  With s = sqrt(p) for p pairs and any
   t > 0,  2 sqrt(p) <= p / t + t:  so the quartic F(s) is below a quadratic in p, which t / r tells. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect zify_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* X words: p pairs, a1 row words and a2 column words, R whole rows and C whole columns of dk words, v words of the operand and y
   chains; HS steps of scores, HZ of accumulators at E pairs *)
Definition two_most dk X h : Prop := forall p a1 a2 R C v y E HS HZ, p + a1 + a2 + v + y <= X ->
  R * dk <= a1 -> C * dk <= a2 -> E <= p + R * C -> HS ^ 2 <= p * (a1 * a2) -> HZ ^ 2 <= E * (v * y) -> HS + HZ <= h.

Lemma two_linear d t r p a1 a2 R C v y E HS HZ :
  R * d <= a1 -> C * d <= a2 -> E <= p + R * C -> HS ^ 2 <= p * (a1 * a2) -> HZ ^ 2 <= E * (v * y) ->
  16 * d * t * r * (HS + HZ) <=
    4 * d * (p * r ^ 2 + t ^ 2) * (a1 + a2 + (v + y)) + t * r * (a1 + a2 + (v + y)) ^ 2.
Proof.
move=> rd cd Ele hS hZ; set a := a1 + a2; set b := v + y; set g := p * r ^ 2 + t ^ 2.
have aa : 4 * (a1 * a2) <= a ^ 2 by exact: nat_AGM2.
have bb : 4 * (v * y) <= b ^ 2 by exact: nat_AGM2.
have gg : 4 * (p * (r ^ 2 * t ^ 2)) <= g ^ 2 by rewrite (mulnA p); exact: nat_AGM2.
have rc : 4 * (R * C * d ^ 2) <= a ^ 2.
  by have := leq_mul rd cd; move: aa; rewrite -![_ ^ 2]mulnn; clear; lia.
have s1 : 4 * t * r * HS <= g * a.
  rewrite -(leq_exp2r _ _ (isT : 0 < 2)).
  have k1 : 16 * (t ^ 2 * r ^ 2) * HS ^ 2 <= 16 * (t ^ 2 * r ^ 2) * (p * (a1 * a2)) by rewrite leq_mul2l hS orbT.
  have k2 : 4 * (p * (r ^ 2 * t ^ 2)) * (4 * (a1 * a2)) <= g ^ 2 * a ^ 2 by apply: leq_mul.
  by move: k1 k2; rewrite !expnMn -![_ ^ 2]mulnn; clear; lia.
have s2 : 4 * t * r * d * HZ <= d * g * b + t * r * a * b.
  rewrite -(leq_exp2r _ _ (isT : 0 < 2)).
  have k1 : 4 * d ^ 2 * E <= 4 * d ^ 2 * p + a ^ 2.
    by have := leq_mul (leqnn (4 * d ^ 2)) Ele; move: rc; clear; lia.
  have k2 : 4 * d ^ 2 * HZ ^ 2 * 4 <= (4 * d ^ 2 * p + a ^ 2) * b ^ 2.
    apply: (@leq_trans (4 * d ^ 2 * E * (4 * (v * y)))); last by apply: leq_mul.
    by have := leq_mul (leqnn (16 * d ^ 2)) hZ; clear; lia.
  have k3 : (d * b) ^ 2 * (4 * (p * (r ^ 2 * t ^ 2))) <= (d * b) ^ 2 * g ^ 2 by rewrite leq_mul2l gg orbT.
  have k4 : t ^ 2 * r ^ 2 * (4 * d ^ 2 * HZ ^ 2 * 4) <= t ^ 2 * r ^ 2 * ((4 * d ^ 2 * p + a ^ 2) * b ^ 2).
    by rewrite leq_mul2l k2 orbT.
  have : 0 <= d * g * b * (t * r * a * b) by [].
  by move: k3 k4; rewrite sqrnD !expnMn -![_ ^ 2]mulnn; clear; lia.
have s3 : 4 * (t * r * a * b) <= t * r * (a + b) ^ 2.
  by rewrite -mulnA (mulnCA 4) leq_mul2l nat_AGM2 orbT.
have := leq_mul (leqnn (4 * d)) s1; have := leq_mul (leqnn 4) s2; move: s3; clear; lia.
Qed.

(* D(p) = 16 d t r (h + 1) - 4 d (X - p) (p r^2 + t^2) - t r (X - p)^2 = alpha p^2 - beta p + gamma is positive for all p. *)
Definition two_positive (d t r X h : Z) : bool :=
  let alpha := (4 * d * r * r - t * r)%Z in
  let beta := (4 * d * X * r * r - 4 * d * t * t - 2 * t * r * X)%Z in
  let gamma := (16 * d * t * r * (h + 1) - 4 * d * X * t * t - t * r * X * X)%Z in
  [&& (0 <? alpha)%Z, (0 <? gamma)%Z & (beta <=? 0)%Z || (beta * beta <? 4 * alpha * gamma)%Z].

Lemma two_positive_ok d t r X h : two_positive d t r X h ->
  forall p, (0 <= p -> 4 * d * (X - p) * (p * r * r + t * t) + t * r * ((X - p) * (X - p)) < 16 * d * t * r * (h + 1))%Z.
Proof.
rewrite /two_positive; set alpha := (_ - t * r)%Z; set beta := (_ - 2 * t * r * X)%Z; set gamma := (_ - t * r * X * X)%Z.
case/and3P=> /Z.ltb_lt a0 /Z.ltb_lt g0 cond p p0.
suff : (0 < alpha * (p * p) - beta * p + gamma)%Z by rewrite /alpha /beta /gamma; clear; lia.
clearbody alpha beta gamma; case/orP: cond => [/Z.leb_le b0|/Z.ltb_lt dis].
  have h1 := Z.mul_nonneg_nonneg _ _ p0 p0; have h2 := Z.mul_nonneg_nonneg _ _ (Z.lt_le_incl _ _ a0) h1.
  have h3 := Z.mul_nonneg_nonneg (- beta) p ltac:(clear - b0; lia) p0.
  by clear - h2 h3 g0; lia.
have sq := Z.square_nonneg (2 * alpha * p - beta).
have : (0 < 4 * alpha * (alpha * (p * p) - beta * p + gamma))%Z by clear - sq dis; lia.
by move=> pos; apply: (Z.mul_pos_cancel_l (4 * alpha) _ ltac:(clear - a0; lia)).1.
Qed.

Theorem two_most_ok d t r X h : 0 < t -> 0 < r -> 0 < d ->
  two_positive (Z.of_nat d) (Z.of_nat t) (Z.of_nat r) (Z.of_nat X) (Z.of_nat h) -> two_most d X h.
Proof.
move=> t0 r0 d0 pos p a1 a2 R C v y E HS HZ sum rd cd Ele hS hZ; rewrite leqNgt; apply/negP => big.
have lin := two_linear t r rd cd Ele hS hZ.
have c0 : 0 < 16 * d * t * r by rewrite !muln_gt0 d0 t0 r0.
have pX : p <= X by move: sum; clear; lia.
have le : 16 * d * t * r * h.+1 <= 4 * d * (p * r ^ 2 + t ^ 2) * (X - p) + t * r * (X - p) ^ 2.
  apply: (@leq_trans (16 * d * t * r * (HS + HZ))); first by rewrite leq_mul2l big orbT.
  have k : a1 + a2 + (v + y) <= X - p by move: sum; clear; lia.
  apply: leq_trans lin _; apply: leq_add; rewrite leq_mul2l ?k ?orbT // leq_exp2r //.
  by rewrite k orbT.
have := two_positive_ok pos (p := Z.of_nat p) ltac:(clear; lia).
have [x Xx] : exists x, X = x + p by exists (X - p); rewrite subnK.
move: le; rewrite Xx addnK -!mulnn; clear; lia.
Qed.
