(* docs/theory-lp.md sections 4 and 5: the arithmetic of the backward pass. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect zify_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* (iii): a local pair with v, q, k steps of dV, dQ, dK *)
Lemma pair_ineq d v q k R C : q <= d -> v <= d -> k <= d ->
  (0 < q + k -> 2 * d + q <= R /\ 2 * d + k + v <= C) ->
  (0 < v -> d + v <= R /\ d + v <= C) ->
  4 * d * v + 6 * d * q + 4 * d * k <= R * C + q * (k + v).
Proof.
move=> qd vd kd H1 H2; case: (posnP (q + k)) => [e|qk].
  have [-> ->] : q = 0 /\ k = 0 by lia.
  case: (posnP v) => [->|v0]; first by lia.
  have [r c] := H2 v0; have := leq_mul r c; have := nat_AGM2 d v; rewrite -mulnn; nia.
have [r c] := H1 qk; have := leq_mul r c.
have aux : 4 * d * v + 6 * d * q + 4 * d * k <= (2 * d + q) * (2 * d + k + v) + q * (k + v).
  have e1 : d = q + (d - q) by lia.
  have e2 : 2 * d = k + v + (2 * d - k - v) by lia.
  move: e1 e2; move: (d - q) (2 * d - k - v) => x y e1 e2.
  have : 0 <= 2 * (x * y) by [].
  clear - e1 e2; nia.
by move=> le; apply: leq_trans aux _; rewrite leq_add2r.
Qed.

(* (v): three kinds at carried pairs, no array used twice *)
Lemma cs2 a b c d x y p : x ^ 2 <= p * (a * b) -> y ^ 2 <= p * (c * d) ->
  (x + y) ^ 2 <= p * ((a + c) * (b + d)).
Proof.
move=> h1 h2; have h3 : 4 * (x * y) ^ 2 <= (p * (a * d + c * b)) ^ 2.
  apply: (@leq_trans (4 * ((p * (a * d)) * (p * (c * b))))).
    rewrite leq_mul2l expnMn; apply/orP; right; apply: leq_trans (leq_mul h1 h2) _.
    by rewrite leq_eqVlt; apply/orP; left; apply/eqP; lia.
  by rewrite mulnDr; apply: nat_AGM2.
have h4 : 2 * (x * y) <= p * (a * d + c * b).
  by rewrite -(leq_exp2r _ _ (isT : 0 < 2)) expnMn.
by rewrite sqrnD; move: h1 h2 h4; rewrite -!mulnn; lia.
Qed.
