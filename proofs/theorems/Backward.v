(* The theorems backward-12 and backward-14 of docs/theory-lp.md sections 4 and 5, for any CDAG with the hypotheses of BackwardSegments.backward. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment Residency BackwardSegments.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* the most that a segment with X words can do: R row words, C column words, p carried pairs *)
Definition most14 d := most (14 * d ^ 2) (36 * d ^ 2).
Definition most12 d := most (12 * d ^ 2) (16 * d ^ 2).

(* with X words, X at least 4 u, nothing is carried *)
Lemma most_free u v X h : 4 * u <= X -> X ^ 2 < 4 * (h + 1) -> most u v X h.
Proof.
move=> uX Xh p R C w sum wu _.
have rc : 4 * (R * C) <= (X - p) ^ 2.
  by apply: leq_trans (nat_AGM2 R C) _; rewrite leq_exp2r //; move: sum; clear; lia.
have pX : p <= X by move: sum; clear; lia.
have e : X ^ 2 = (X - p) ^ 2 + p * (2 * X - p).
  have {1}-> : X = X - p + p by move: pX; clear; lia.
  have -> : 2 * X - p = 2 * (X - p) + p by move: pX; clear; lia.
  by move: (X - p) => y; rewrite -!mulnn; clear; lia.
have h1 : 4 * w <= p * (2 * X - p).
  apply: (@leq_trans (p * (4 * u))); first by move: wu; clear; lia.
  by rewrite leq_mul2l; apply/orP; right; move: uX pX; clear; lia.
have : 4 * (R * C + w) < 4 * (h + 1) by apply: leq_ltn_trans Xh; rewrite e mulnDr leq_add.
by rewrite ltn_mul2l addn1 ltnS => /andP[].
Qed.

Lemma most_twice u v M : 2 * u <= M -> most u v (M + M) (M ^ 2) /\ most u v M (M ^ 2).
Proof.
move=> uM; have m1 : most u v (M + M) (M ^ 2).
  by apply: most_free; [clear - uM; lia | rewrite addnn -muln2 expnMn; clear; lia].
split=> // p R C w sum; apply: m1; apply: leq_trans sum (leq_addl _ _).
Qed.

Section Theorems.
Variables (Rw Cl E : finType) (d : nat) (row : E -> Rw) (col : E -> Cl) (G : cdag).
Variables (len : K Rw Cl d -> nat) (z : K Rw Cl d -> nat -> G) (word : G -> bword Rw Cl E d)
  (rw : Rw -> Sl2 d -> G) (cw : Cl -> Sl2 d -> G) (rootS rootP : E -> G) (jX jY : E -> nat).
Hypothesis bw : backward row col len z word rw cw rootS rootP jX jY.
Variables (game : rules) (M : nat) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation L := (n_loads s 0 (size s) + #|K Rw Cl d|).       (* loads and births *)
Notation S := (n_stores s 0 (size s)).

Theorem backward14_any f t q hf ht : L <= f + q * t -> most14 d f hf -> most14 d (M + t) ht ->
  14 * d ^ 2 * #|E| <= hf + q * ht + (M + d ^ 2) * S.
Proof.
move=> le Hf Ht; have [c [b [e rs]]] := residencies ok (bw_chains bw).
by apply: (backward14_cut bw ok rs _ Hf Ht); apply: leq_trans (events_loads s c) le.
Qed.

Theorem backward12_any f t q hf ht : most12 d f hf -> most12 d (M + t) ht -> hf + q * ht < 12 * d ^ 2 * #|E| ->
  f + q * t + 1 <= L.
Proof.
move=> Hf Ht; rewrite ltnNge; apply: contraR; rewrite addn1 -ltnNge ltnS => le.
have [c [b [e rs]]] := residencies ok (bw_chains bw).
by apply: (backward12_cut bw ok rs _ Hf Ht); apply: leq_trans (events_loads s c) le.
Qed.

(* The certificate's numbers: L12 loads and births by the first theorem, T the length of the segments,
   HT and HM the most that the first and the others do, V loads, births and stores. *)
Theorem backward14_balance L12 T HT HM V : L12 <= L -> 0 < T -> 0 < L12 ->
  most14 d T HT -> most14 d (M + T) HM -> HM <= T * (M + d ^ 2) -> L12 < V ->
  T * HT + (L12 - 1) * HM + T * (M + d ^ 2) * (V - 1 - L12) < T * (14 * d ^ 2 * #|E|) ->
  V <= cost s + #|K Rw Cl d|.
Proof.
move=> l12 T0 l0 Hf Ht le V12; apply: contraTT; rewrite -ltnNge -leqNgt costE => few.
have {few} : L + S <= V - 1 by move: few; clear; lia.
set l := L in l12 *; set S' := S => few.
have lq : l <= T + (l - 1) %/ T * T by have := divn_eq (l - 1) T; have := ltn_pmod (l - 1) T0; clear; lia.
have main := backward14_any lq Hf Ht; rewrite -/S' in main.
have m1 := leq_mul (leqnn T) main; apply: leq_trans m1 _.
have m2 : (l - 1) %/ T * T * HM <= (l - 1) * HM by rewrite leq_mul2r leq_trunc_div orbT.
have m3 : T * (M + d ^ 2) * S' <= T * (M + d ^ 2) * (V - 1 - l).
  by rewrite leq_mul2l; apply/orP; right; move: few; clear; lia.
have m4 : (l - L12) * HM <= (l - L12) * (T * (M + d ^ 2)) by rewrite leq_mul2l le orbT.
have e1 : (l - 1) * HM = (L12 - 1) * HM + (l - L12) * HM.
  by rewrite -mulnDl; congr (_ * _); move: l12 l0; clear; lia.
have e2 : T * (M + d ^ 2) * (V - 1 - L12) = T * (M + d ^ 2) * (V - 1 - l) + (l - L12) * (T * (M + d ^ 2)).
  by rewrite (mulnC (l - L12)) -mulnDr; congr (_ * _); move: l12 few; clear; lia.
have e3 : T * (HT + (l - 1) %/ T * HM + (M + d ^ 2) * S') =
    T * HT + (l - 1) %/ T * T * HM + T * (M + d ^ 2) * S' by clear; lia.
by rewrite e2 e3; move: m2 m3 m4; rewrite e1; clear; lia.
Qed.

(* The same with a first segment of F events: with F = M + T it does as much as the others, a gain of about M / 4 words. *)
Theorem backward14_first L12 F T HF HM V : L12 <= L -> 0 < T -> F <= L12 ->
  most14 d F HF -> most14 d (M + T) HM -> HM <= T * (M + d ^ 2) -> L12 < V ->
  T * HF + (L12 - F + (T - 1)) * HM + T * (M + d ^ 2) * (V - 1 - L12) < T * (14 * d ^ 2 * #|E|) ->
  V <= cost s + #|K Rw Cl d|.
Proof.
move=> l12 T0 l0 Hf Ht le V12; apply: contraTT; rewrite -ltnNge -leqNgt costE => few.
have {few} : L + S <= V - 1 by move: few; clear; lia.
set l := L in l12 *; set S' := S => few; set y := l - F + (T - 1).
have lq : l <= F + y %/ T * T.
  by have := divn_eq y T; have := ltn_pmod y T0; rewrite {1}/y; move: l12 l0 T0; clear; lia.
have main := backward14_any lq Hf Ht; rewrite -/S' in main.
have m1 := leq_mul (leqnn T) main; apply: leq_trans m1 _.
have m2 : y %/ T * T * HM <= y * HM by rewrite leq_mul2r leq_trunc_div orbT.
have m3 : T * (M + d ^ 2) * S' <= T * (M + d ^ 2) * (V - 1 - l).
  by rewrite leq_mul2l; apply/orP; right; move: few; clear; lia.
have m4 : (l - L12) * HM <= (l - L12) * (T * (M + d ^ 2)) by rewrite leq_mul2l le orbT.
have e1 : y * HM = (L12 - F + (T - 1)) * HM + (l - L12) * HM.
  by rewrite -mulnDl /y; congr (_ * _); move: l12 l0 T0; clear; lia.
have e2 : T * (M + d ^ 2) * (V - 1 - L12) = T * (M + d ^ 2) * (V - 1 - l) + (l - L12) * (T * (M + d ^ 2)).
  by rewrite (mulnC (l - L12)) -mulnDr; congr (_ * _); move: l12 few; clear; lia.
have e3 : T * (HF + y %/ T * HM + (M + d ^ 2) * S') =
    T * HF + y %/ T * T * HM + T * (M + d ^ 2) * S' by clear; lia.
by rewrite e2 e3; move: m2 m3 m4; rewrite e1; clear; lia.
Qed.

(* Where segments do more than M + d^2 an event: the fewest stores are worst. *)
Theorem backward14_stores T HT HM V : 0 < L -> #|K Rw Cl d| <= S -> 0 < T ->
  most14 d T HT -> most14 d (M + T) HM -> T * (M + d ^ 2) <= HM ->
  T * HT + (V - 2 - #|K Rw Cl d|) * HM + T * (M + d ^ 2) * #|K Rw Cl d| < T * (14 * d ^ 2 * #|E|) ->
  V <= cost s + #|K Rw Cl d|.
Proof.
move=> l0 bs T0 Hf Ht le; apply: contraTT; rewrite -ltnNge -leqNgt costE => few.
set B := #|K Rw Cl d| in l0 bs few *; set S' := S in bs few *.
have {few} : n_loads s 0 (size s) + B + S' <= V - 1 by move: few; clear; lia.
set l := n_loads s 0 (size s) + B in l0 * => few.
have lq : l <= T + (l - 1) %/ T * T by have := divn_eq (l - 1) T; have := ltn_pmod (l - 1) T0; clear; lia.
have main := backward14_any lq Hf Ht; rewrite -/S' in main.
have m1 := leq_mul (leqnn T) main; apply: leq_trans m1 _.
have m2 : (l - 1) %/ T * T * HM <= (l - 1) * HM by rewrite leq_mul2r leq_trunc_div orbT.
have m3 : T * (M + d ^ 2) * (S' - B) <= (S' - B) * HM by rewrite mulnC leq_mul2l le orbT.
have m4 : (l - 1 + (S' - B)) * HM <= (V - 2 - B) * HM.
  by rewrite leq_mul2r; apply/orP; right; move: few l0 bs; clear; lia.
have e2 : T * (M + d ^ 2) * S' = T * (M + d ^ 2) * B + T * (M + d ^ 2) * (S' - B).
  by rewrite -mulnDr subnKC.
have e3 : T * (HT + (l - 1) %/ T * HM + (M + d ^ 2) * S') =
    T * HT + (l - 1) %/ T * T * HM + T * (M + d ^ 2) * S' by clear; lia.
by rewrite e3 e2; move: m2 m3 m4; rewrite mulnDl; clear; lia.
Qed.

(* With a first segment of F events. *)
Theorem backward14_stores_first F T HF HM V : F <= L -> #|K Rw Cl d| <= S -> 0 < T ->
  most14 d F HF -> most14 d (M + T) HM -> T * (M + d ^ 2) <= HM ->
  T * HF + (V - 1 - #|K Rw Cl d| - F + (T - 1)) * HM + T * (M + d ^ 2) * #|K Rw Cl d| < T * (14 * d ^ 2 * #|E|) ->
  V <= cost s + #|K Rw Cl d|.
Proof.
move=> l0 bs T0 Hf Ht le; apply: contraTT; rewrite -ltnNge -leqNgt costE => few.
set B := #|K Rw Cl d| in l0 bs few *; set S' := S in bs few *.
have {few} : n_loads s 0 (size s) + B + S' <= V - 1 by move: few; clear; lia.
set l := n_loads s 0 (size s) + B in l0 * => few; set y := l - F + (T - 1).
have lq : l <= F + y %/ T * T.
  by have := divn_eq y T; have := ltn_pmod y T0; rewrite {1}/y; move: l0 T0; clear; lia.
have main := backward14_any lq Hf Ht; rewrite -/S' in main.
have m1 := leq_mul (leqnn T) main; apply: leq_trans m1 _.
have m2 : y %/ T * T * HM <= y * HM by rewrite leq_mul2r leq_trunc_div orbT.
have m3 : T * (M + d ^ 2) * (S' - B) <= (S' - B) * HM by rewrite mulnC leq_mul2l le orbT.
have m4 : (y + (S' - B)) * HM <= (V - 1 - B - F + (T - 1)) * HM.
  by rewrite leq_mul2r; apply/orP; right; rewrite /y; move: few l0 bs; clear; lia.
have e2 : T * (M + d ^ 2) * S' = T * (M + d ^ 2) * B + T * (M + d ^ 2) * (S' - B).
  by rewrite -mulnDr subnKC.
have e3 : T * (HF + y %/ T * HM + (M + d ^ 2) * S') =
    T * HF + y %/ T * T * HM + T * (M + d ^ 2) * S' by clear; lia.
by rewrite e3 e2; move: m2 m3 m4; rewrite mulnDl; clear; lia.
Qed.

(* Births cost nothing, but each chain's end is an output, and is stored. *)
Lemma births_stores : #|K Rw Cl d| <= S.
Proof.
apply: leq_trans (output_stores ok); have oc := bw_chains bw.
have l1 k : (len k).-1 < len k by have := oc_pos oc k; clear; lia.
rewrite -cardsT -(card_in_imset (D := mem [set: K Rw Cl d]) (f := fun k => z k (len k).-1)).
  apply/subset_leq_card/subsetP => _ /imsetP[k _ ->].
  by rewrite inE (oc_out oc) andbT (oc_noninput oc).
move=> k k' _ _ /(congr1 word); rewrite !(bw_word bw) //; by case.
Qed.

Theorem backward12_cost f t q hf ht : most12 d f hf -> most12 d (M + t) ht -> hf + q * ht < 12 * d ^ 2 * #|E| ->
  f + q * t + 1 <= cost s.
Proof.
move=> Hf Ht W; have := backward12_any Hf Ht W; have := births_stores; rewrite costE.
by move: (n_loads _ _ _) (n_stores _ _ _) => x y; clear; lia.
Qed.

(* closed forms *)
Theorem backward12_closed : 24 * d ^ 2 <= M -> 12 * d ^ 2 * #|E| <= M * (L + M).
Proof.
move=> dM; have [m2 m1] := @most_twice (12 * d ^ 2) (16 * d ^ 2) M ltac:(clear - dM; lia).
case: (posnP M) => [M0|M0].
  have d0 : d ^ 2 = 0 by move: dM; rewrite M0; clear; lia.
  by rewrite d0.
rewrite leqNgt; apply/negP => big; set l := L in big *.
have q2 : l <= M + (l - 1) %/ M * M by have := divn_eq (l - 1) M; have := ltn_pmod (l - 1) M0; clear; lia.
have q1 : M ^ 2 + (l - 1) %/ M * M ^ 2 < 12 * d ^ 2 * #|E|.
  apply: leq_ltn_trans big; rewrite -mulnn mulnA -mulnDl mulnC leq_mul2l; apply/orP; right.
  by have := leq_trunc_div (l - 1) M; clear; lia.
by have := backward12_any m1 m2 q1; rewrite -/l; move: q2; clear; lia.
Qed.

Theorem backward14_closed : 28 * d ^ 2 <= M -> 14 * d ^ 2 * #|E| <= M * (L + M) + (M + d ^ 2) * S.
Proof.
move=> dM; have [m2 m1] := @most_twice (14 * d ^ 2) (36 * d ^ 2) M ltac:(clear - dM; lia).
case: (posnP M) => [M0|M0].
  have d0 : d ^ 2 = 0 by move: dM; rewrite M0; clear; lia.
  by rewrite d0.
have q2 : L <= M + (L - 1) %/ M * M by have := divn_eq (L - 1) M; have := ltn_pmod (L - 1) M0; clear; lia.
apply: leq_trans (backward14_any q2 m1 m2) _; rewrite leq_add2r -mulnn mulnA -mulnDl mulnC leq_mul2l.
by apply/orP; right; have := leq_trunc_div (L - 1) M; clear; lia.
Qed.

(* (14 - 2 d^2 / (M + d^2)) d^2 |E| <= M (Q + B + M) *)
Theorem backward14_leading : 28 * d ^ 2 <= M ->
  (14 * M + 12 * d ^ 2) * (d ^ 2 * #|E|) <= M * ((M + d ^ 2) * (cost s + #|K Rw Cl d| + M)).
Proof.
move=> dM; have h14 := backward14_closed dM.
have h12 : 12 * d ^ 2 * #|E| <= M * (L + M) by apply: backward12_closed; clear - dM; lia.
rewrite costE; set D := d ^ 2 in h14 h12 *; set l := n_loads _ _ _ in h14 h12 *.
set B := #|K Rw Cl d| in h14 h12 *; set S' := S in h14 *.
have k1 := leq_mul (leqnn M) h14; have k2 := leq_mul (leqnn D) h12.
have e1 : (14 * M + 12 * D) * (D * #|E|) = M * (14 * D * #|E|) + D * (12 * D * #|E|) by clear; lia.
have e2 : M * ((M + D) * (l + S' + B + M)) = M * (M * (l + B + M) + (M + D) * S') + D * (M * (l + B + M)) by clear; lia.
by rewrite e1 e2 leq_add.
Qed.

Theorem backward12_leading : 24 * d ^ 2 <= M -> 12 * (d ^ 2 * #|E|) <= M * (cost s + M).
Proof.
move=> dM; rewrite mulnA; apply: leq_trans (backward12_closed dM) _; rewrite leq_mul2l costE; apply/orP; right.
by have := births_stores; move: (n_loads _ _ _) (n_stores _ _ _) => x y; clear; lia.
Qed.

(* the same without the second theorem's help: 14 d^2 |E| <= (M + d^2) Q + M (B + M) *)
Theorem backward14_simple : 28 * d ^ 2 <= M ->
  14 * d ^ 2 * #|E| <= (M + d ^ 2) * cost s + M * (#|K Rw Cl d| + M).
Proof.
move=> dM; apply: leq_trans (backward14_closed dM) _; rewrite costE.
move: (n_loads _ _ _) (n_stores _ _ _) (#|K Rw Cl d|) (d ^ 2) => l S' B D; clear.
by have : 0 <= D * l by []; lia.
Qed.
End Theorems.

