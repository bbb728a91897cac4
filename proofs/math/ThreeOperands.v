(* docs/theory.md section 3: the most steps on X words of three kinds, in all regimes; the integers of a certificate. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import LoomisWhitney.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* X words do not suffice for h + 1 steps: no a + b + c <= X with the inequality of Loomis and Whitney and the fibers p, q, r *)
Definition at_most (p q r X h : nat) : Prop :=
  forall a b c H, a + b + c <= X -> H ^ 2 <= c * (a * b) ->
    H <= p * a -> H <= q * b -> H <= r * c -> H <= h.

(* It is enough to ask for h + 1 steps exactly. *)
Lemma at_most_next p q r X h :
  (forall a b c, a + b + c <= X -> h.+1 ^ 2 <= c * (a * b) ->
     h.+1 <= p * a -> h.+1 <= q * b -> h.+1 <= r * c -> False) -> at_most p q r X h.
Proof.
move=> no a b c H sum lw ha hb hc; rewrite leqNgt; apply/negP => lt.
apply: (no a b c sum); [|exact: leq_trans lt _..].
by apply: leq_trans lw; rewrite leq_exp2r.
Qed.

Lemma at_most_swap p q r X h : at_most p q r X h -> at_most q p r X h.
Proof.
move=> H a b c W sum lw ha hb hc; apply: (H b a c) => //; first by rewrite (addnC b).
by rewrite (mulnC b).
Qed.

Lemma at_most_turn p q r X h : at_most p q r X h -> at_most q r p X h.
Proof.
move=> H a b c W sum lw ha hb hc; apply: (H c a b) => //; first by rewrite -addnA addnC.
by move: lw; rewrite mulnA (mulnC (c * a)).
Qed.

(* no fiber active: 27 H^2 <= X^3 *)
Lemma at_most_cube p q r X h : X ^ 3 < 27 * (h + 1) ^ 2 -> at_most p q r X h.
Proof.
move=> lt a b c H sum lw _ _ _; rewrite leqNgt; apply/negP => hH.
have := agm3 a b c; rewrite leqNgt => /negP; apply.
have l1 : (a + b + c) ^ 3 <= X ^ 3 by rewrite leq_exp2r.
have l2 : (h + 1) ^ 2 <= H ^ 2 by rewrite leq_exp2r // addn1.
have e : c * (a * b) = a * b * c by rewrite mulnC.
by move: lw; rewrite e; lia.
Qed.

(* one active: H >= p^3 steps need H <= p X and 4 H p^3 <= (p X - H)^2 *)
Lemma one_active p X H a b c : p ^ 3 <= H -> a + b + c <= X -> H ^ 2 <= c * (a * b) -> H <= p * a ->
  H <= p * X /\ 4 * H * p ^ 3 <= (p * X - H) ^ 2.
Proof.
move=> pH sum lw ha.
have aX : p * a <= p * X by rewrite leq_mul2l; apply/orP; right; move: sum; clear; lia.
have HX : H <= p * X by apply: leq_trans ha aX.
split=> //; case: (posnP H) => [->|H0]; first by rewrite muln0.
have h4 : 4 * H ^ 2 <= a * (X - a) ^ 2.
  apply: (@leq_trans (a * (4 * (b * c)))); first by move: lw; clear; lia.
  rewrite leq_mul2l; apply/orP; right; apply: leq_trans (nat_AGM2 b c) _.
  by rewrite leq_exp2r //; move: sum; clear; lia.
case: (leqP (3 * H) (p * X)) => [far|near].
  apply: (@leq_trans ((2 * H) ^ 2)); last by rewrite leq_exp2r //; move: far; clear; lia.
  by have := leq_mul (leqnn (4 * H)) pH; move: (p ^ 3) => y; rewrite -mulnn; clear; lia.
(* a (X - a)^2 falls beyond X / 3 *)
have aux u w e : u <= 2 * e -> (e + w) * (u * u) <= e * ((u + w) * (u + w)).
  by clear; move=> le; have := leq_mul (leqnn (w * u)) le; nia.
have mon := aux (p * X - p * a) (p * a - H) H ltac:(move: near ha; clear; lia).
rewrite (subnKC ha) (_ : _ + _ = p * X - H) in mon; last by move: ha aX; clear; lia.
rewrite -(leq_pmul2l H0) -[X in _ <= _ * X]mulnn; apply: leq_trans mon.
rewrite -mulnBr; have -> : p * a * (p * (X - a) * (p * (X - a))) = p ^ 3 * (a * (X - a) ^ 2).
  by rewrite -mulnn; move: (X - a) => y; rewrite !expnS expn0; clear; lia.
have -> : H * (4 * H * p ^ 3) = p ^ 3 * (4 * H ^ 2) by rewrite -mulnn; clear; lia.
by rewrite leq_mul2l h4 orbT.
Qed.

(* two active: H >= p q^2, p^2 q steps need H (p + q) + (p q)^2 <= p q X *)
Lemma two_active p q X H a b c : p * q ^ 2 <= H -> p ^ 2 * q <= H -> a + b + c <= X ->
  H ^ 2 <= c * (a * b) -> H <= p * a -> H <= q * b -> H * (p + q) + (p * q) ^ 2 <= p * q * X.
Proof.
move=> pqH ppH sum lw ha hb; apply: (@leq_trans (p * q * (a + b + c))); last by rewrite leq_mul2l sum orbT.
have [u ua] : exists u, p * a = H + u by exists (p * a - H); rewrite subnKC.
have [v vb] : exists v, q * b = H + v by exists (q * b - H); rewrite subnKC.
have -> : p * q * (a + b + c) = q * (p * a) + p * (q * b) + p * q * c by clear; lia.
rewrite ua vb; case: (posnP H) => [H0|H0].
  have pq0 : p * q = 0.
    case: (posnP (p * q)) => // pq0; have : 0 < p * q * q by rewrite muln_gt0 pq0; case: (q) pq0; rewrite ?muln0.
    by move: pqH; rewrite H0 -mulnn mulnA leqn0 => /eqP ->.
  by rewrite pq0 H0.
suff key : (p * q) ^ 2 <= q * u + p * v + p * q * c by move: key; clear; lia.
rewrite leqNgt; apply/negP => lt; set e := q * u + p * v in lt; set D := p * q in lt.
have [t tD] : exists t, D ^ 2 = t + e by exists (D ^ 2 - e); move: lt; clear; lia.
have ct : D * c < t by move: lt; rewrite tD; clear; lia.
have k0 : D * H ^ 2 <= c * ((H + u) * (H + v)).
  rewrite -ua -vb (_ : c * (p * a * (q * b)) = D * (c * (a * b))); first by rewrite leq_mul2l lw orbT.
  by rewrite /D; clear; lia.
have k1 : D ^ 2 * H ^ 2 < t * ((H + u) * (H + v)).
  apply: (@leq_ltn_trans (D * c * ((H + u) * (H + v)))).
    by rewrite -[D ^ 2]mulnn -[D * D * _]mulnA -[X in _ <= X]mulnA leq_mul2l k0 orbT.
  by rewrite ltn_mul2r ct andbT muln_gt0 !addn_gt0 H0.
have k2 : (u + v) * D ^ 2 <= H * e.
  rewrite /D /e expnMn; have h1 := leq_mul (leqnn (q * u)) ppH; have h2 := leq_mul (leqnn (p * v)) pqH.
  by move: h1 h2; rewrite -!mulnn; clear; lia.
have k3 : (u + v) * ((u + v) * D ^ 2) <= (u + v) * (H * e) by rewrite leq_mul2l k2 orbT.
have k4 : H * ((u + v) * D ^ 2) <= H * (H * e) by rewrite leq_mul2l k2 orbT.
have k5 : u * v * t <= (u + v) * (u + v) * D ^ 2.
  apply: leq_mul; last by rewrite tD leq_addr.
  by apply: leq_mul; rewrite ?leq_addr ?leq_addl.
move: k1 k3 k4 k5; rewrite tD -mulnn; clear.
rewrite !mulnDr !mulnDl !mulnDr; lia.
Qed.

(* The three regimes, for p <= q <= r, as the program asks for them: can X words do W steps? *)
Definition three_suffice p q X W : bool :=
  if W <= p ^ 3 then 27 * W ^ 2 <= X ^ 3
  else if W <= p * q ^ 2 then (W <= p * X) && (4 * W * p ^ 3 <= (p * X - W) ^ 2)
  else W * (p + q) + (p * q) ^ 2 <= p * q * X.

Theorem at_most_three p q r X h : p <= q -> ~~ three_suffice p q X h.+1 -> at_most p q r X h.
Proof.
rewrite /three_suffice => pq; case: (leqP h.+1 (p ^ 3)) => [_|big].
  by rewrite -ltnNge => lt; apply: at_most_cube; rewrite addn1.
case: (leqP h.+1 (p * q ^ 2)) => [_ no|big2 no]; apply: at_most_next => a b c sum lw ha hb hc.
  by have [h1 h2] := one_active (ltnW big) sum lw ha; move: no; rewrite h1 h2.
have pp : p ^ 2 * q <= h.+1.
  by apply: leq_trans (ltnW big2); rewrite -!mulnn -mulnA leq_mul2l leq_mul2r pq !orbT.
by move: no; rewrite (two_active (ltnW big2) pp sum lw ha hb).
Qed.
