(* docs/theory-lp.md sections 2 to 6: the most work with p carried values, and R and C words of rows and of columns beside them.  Values made
   anew do sc R C; carried ones at most u each, and sqrt(v p R C) together.  Of X words a carried value leaves X - p kn / kd. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition carried_most sc u v kn kd np X h : Prop := forall p R C w, p <= np -> kd * (R + C) + kn * p <= kd * X ->
  w <= u * p -> w ^ 2 <= v * p * (R * C) -> sc * (R * C) + w <= h.

(* A stretch of p, from lo on to hi: what is made with the words that lo leaves, and what hi carries. *)
Definition stretch_holds sc u v kn kd X h lo hi : bool :=
  let y2 := (kd * X - kn * lo) ^ 2 in let missing := 4 * kd ^ 2 * h.+1 - sc * y2 in
  (sc * y2 < 4 * kd ^ 2 * h.+1) && ((4 * kd ^ 2 * (u * hi) < missing) || (4 * kd ^ 2 * (v * hi * y2) < missing ^ 2)).

Lemma stretch_ok sc u v kn kd X h lo hi p R C w : stretch_holds sc u v kn kd X h lo hi -> lo <= p <= hi ->
  kd * (R + C) + kn * p <= kd * X -> w <= u * p -> w ^ 2 <= v * p * (R * C) -> sc * (R * C) + w <= h.
Proof.
rewrite /stretch_holds; set y2 := _ ^ 2; set missing := _ - _; case/andP=> pos cond /andP[lp ph] sum wu wv.
have kd0 : 0 < 4 * kd ^ 2 by move: pos; case: (4 * kd ^ 2) => //; rewrite mul0n.
have rc : 4 * kd ^ 2 * (R * C) <= y2.
  apply: (@leq_trans ((kd * (R + C)) ^ 2)).
    by rewrite expnMn (mulnC 4) -mulnA leq_mul2l nat_AGM2 orbT.
  rewrite leq_exp2r //; have := leq_mul (leqnn kn) lp; move: sum; clear; lia.
suff wm : 4 * kd ^ 2 * w < missing.
  have : 4 * kd ^ 2 * (sc * (R * C) + w) < 4 * kd ^ 2 * h.+1.
    have := leq_mul (leqnn sc) rc; move: wm pos; rewrite /missing mulnDr (mulnCA _ sc).
    by move: (4 * kd ^ 2 * w) (4 * kd ^ 2 * h.+1) (sc * y2) (sc * _) => a b c e; clear; lia.
  by rewrite ltn_mul2l ltnS => /andP[].
case/orP: cond => [lt|lt].
  apply: leq_ltn_trans lt; rewrite leq_mul2l; apply/orP; right; apply: leq_trans wu _; by rewrite leq_mul2l ph orbT.
rewrite -(ltn_exp2r _ _ (isT : 0 < 2)); apply: leq_ltn_trans lt; rewrite expnMn -[in X in X <= _]mulnn -mulnA leq_mul2l; apply/orP; right.
apply: (@leq_trans (4 * kd ^ 2 * (v * p * (R * C)))); first by rewrite leq_mul2l wv orbT.
rewrite mulnCA; apply: leq_mul rc; by rewrite leq_mul2l ph orbT.
Qed.
