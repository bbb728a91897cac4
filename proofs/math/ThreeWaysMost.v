(* docs/theory.md section 6: what a segment does at most, in integers.  In units of 1 / (dk wd) of a step. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect zify_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* X words and stores: a words of rows and columns, b of the operand and of chains, p carried pairs; u pairs carried in or out; Z1 steps at
   pairs that are made, Z2 steps in all, HS score vertices. wn: the share of a step's weight that its run bears, rest: the other, over wd. *)
Definition ways_most dk dv wn rest M X h : Prop := forall a b p u Z1 Z2 HS, a + b + p <= X -> a + b + u <= X + M ->
  4 * dk * Z1 <= a * b -> 4 * dk ^ 2 * Z1 <= a ^ 2 * dv -> (4 * dk * Z2) ^ 2 <= (a ^ 2 + 4 * dk ^ 2 * p) * b ^ 2 -> Z2 <= Z1 + p * dv ->
  (2 * HS) ^ 2 <= u * a ^ 2 -> HS <= u * dk -> wn * dk * Z1 + rest * dk * Z2 + wn * dv * HS <= h.

(* The same with a1 words of rows and a2 of columns, v of the operand and y chains, st stores; E made pairs, of R whole rows and C columns. *)
Lemma ways_counted dk dv wn rest M X h : ways_most dk dv wn rest M X h ->
  forall a1 a2 v y p p' st R C E Z1 Z2 HS, a1 + a2 + (v + y) + p + st <= X -> p' <= M + st ->
  R * dk <= a1 -> C * dk <= a2 -> E <= R * C -> Z1 ^ 2 <= E * (v * y) -> Z1 <= dv * E -> Z2 ^ 2 <= (p + E) * (v * y) -> Z2 <= Z1 + p * dv ->
  HS ^ 2 <= (p + p') * (a1 * a2) -> HS <= (p + p') * dk -> wn * dk * Z1 + rest * dk * Z2 + wn * dv * HS <= h.
Proof.
move=> most a1 a2 v y p p' st R C E Z1 Z2 HS sum few rd cd Ele z1 z1d z2 z2d hs hsd.
set a := a1 + a2; set b := v + y.
have aa : 4 * (a1 * a2) <= a ^ 2 by exact: nat_AGM2.
have bb : 4 * (v * y) <= b ^ 2 by exact: nat_AGM2.
have ea : 4 * dk ^ 2 * E <= a ^ 2.
  apply: leq_trans aa; have := leq_mul rd cd; have := leq_mul (leqnn (dk ^ 2)) Ele; rewrite -!mulnn; clear; lia.
apply: (most a b p (p + p')) => //.
- by move: sum; rewrite /a /b; clear; lia.
- by move: sum few; rewrite /a /b; clear; lia.
- rewrite -(leq_exp2r _ _ (isT : 0 < 2)); apply: (@leq_trans (4 * dk ^ 2 * E * (4 * (v * y)))).
    by have := leq_mul (leqnn (16 * dk ^ 2)) z1; rewrite -!mulnn; clear; lia.
  by rewrite expnMn; apply: leq_mul.
- by have := leq_mul ea (leqnn dv); have := leq_mul (leqnn (4 * dk ^ 2)) z1d; clear; lia.
- apply: (@leq_trans (4 * dk ^ 2 * (p + E) * (4 * (v * y)))).
    by have := leq_mul (leqnn (16 * dk ^ 2)) z2; rewrite -!mulnn; clear; lia.
  by apply: leq_mul bb; move: ea; clear; lia.
have := leq_mul (leqnn (p + p')) aa; have := leq_mul (leqnn 4) hs; rewrite -!mulnn; clear; lia.
Qed.
