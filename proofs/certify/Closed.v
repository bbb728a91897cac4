(* The leading terms as theorems: 4 n nk d^2 / M for attention, 2 m n k / sqrt(M) for the product of matrices, n^2 k / sqrt(2 M) for A A^T. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game SquareRoot ThreeOperands CarriedOrMade Matmul Syrk Attention Mask MaskedAttention.
From redblue Require Import CarriedWork BackwardSegments Backward AttentionCovering.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* with 2 M words and M >= 4 d^2 to carry is no better than to make *)
Lemma carried_twice d rv rz M h : 0 < d -> 4 * d ^ 2 <= M -> M ^ 2 < 4 * d * (h + 1) -> at_most d rv rz (2 * M) h.
Proof.
move=> d0 dM; rewrite addn1 => up; apply: at_most_next => a b c sum lw ha _ _.
have big : M * d < h.+1.
  have : 4 * d * (M * d) < 4 * d * h.+1.
    by apply: leq_ltn_trans up; have := leq_mul (leqnn M) dM; rewrite -!mulnn; clear; lia.
  by rewrite ltn_mul2l => /andP[].
have d3 : d ^ 3 <= h.+1.
  apply: leq_trans (ltnW big); rewrite expnSr leq_mul2r; apply/orP; right; move: dM; clear; lia.
have [_ le] := one_active d3 sum lw ha.
have : 4 * h.+1 * d ^ 3 <= (M * d) ^ 2.
  by apply: leq_trans le _; rewrite leq_exp2r //; move: big; clear; lia.
have d2 : 0 < d ^ 2 by rewrite expn_gt0 d0.
have -> : 4 * h.+1 * d ^ 3 = d ^ 2 * (4 * d * h.+1) by rewrite expnSr; clear; lia.
by rewrite expnMn mulnC leq_mul2r leqNgt up orbF => /eqP d20; rewrite d20 in d2.
Qed.

(* The leading term of any family to which the theorem of pairs applies, W steps. *)
Lemma leading_term d rv rz N M W Q : 0 < d -> 4 * d ^ 2 <= M -> M ^ 2 < 4 * d * W ->
  (forall f t q hf ht, pairs_at_most d d rv rz N f hf -> pairs_at_most d d rv rz N (M + t) ht -> hf + q * ht < W ->
     f + q * t + 1 <= Q) ->
  4 * d * W <= M * Q.
Proof.
move=> d0 dM big bound; set h := M ^ 2 %/ (4 * d).
have up : M ^ 2 < 4 * d * (h + 1) by rewrite mulnC addn1 ltn_ceil // muln_gt0.
have lo : 4 * d * h <= M ^ 2 by rewrite mulnC leq_trunc_div.
have h0 : 0 < h.
  rewrite divn_gt0; last by rewrite muln_gt0.
  apply: (@leq_trans (4 * d ^ 2)); first by rewrite -mulnn leq_mul2l leq_pmulr ?orbT.
  have M0 : 0 < M by apply: leq_trans dM; rewrite muln_gt0 expn_gt0 d0.
  by apply: leq_trans dM _; rewrite -mulnn leq_pmulr.
have hW : h < W by have := leq_ltn_trans lo big; rewrite ltn_mul2l => /andP[].
have q1 : 0 < (W - 1) %/ h by rewrite divn_gt0 //; move: hW; clear; lia.
pose q := ((W - 1) %/ h).-1.
have qE : (W - 1) %/ h = q.+1 by rewrite prednK.
have qlo : h + q * h < W.
  by have := leq_trunc_div (W - 1) h; rewrite qE mulSn; move: hW; clear; lia.
have qup : W <= (q + 2) * h.
  by have := ltn_ceil (W - 1) h0; rewrite qE !mulSn mulnDl; clear; lia.
have pm : pairs_at_most d d rv rz N (2 * M) h.
  apply: pairs_free; last exact: carried_twice.
  by rewrite expnMn; move: up; clear; lia.
have pm' : pairs_at_most d d rv rz N (M + M) h by rewrite addnn -mul2n.
have le := bound _ _ _ _ _ pm pm' qlo.
apply: (@leq_trans ((q + 2) * M ^ 2)).
  apply: (@leq_trans ((q + 2) * (4 * d * h))); last by rewrite leq_mul2l lo orbT.
  by have := leq_mul (leqnn (4 * d)) qup; clear; lia.
by have := leq_mul (leqnn M) le; rewrite -mulnn; clear; lia.
Qed.

Theorem attention_leading game M n nk d (s : seq (move (Attention.attention n nk d d))) :
  legal game M s -> 0 < d -> 4 * d ^ 2 <= M -> M ^ 2 < 4 * d * (n * nk * d) ->
  4 * d * (n * nk * d) <= M * cost s.
Proof. by move=> ok d0 dM big; apply: (@leading_term d n nk (n * nk)) => // *; apply: attention_segment; eauto. Qed.

(* causal, windows, block sparse: |E| pairs *)
Theorem masked_leading game M n nk d mask (s : seq (move (@MaskedAttention.attention n nk d d mask))) :
  legal game M s -> (forall i, exists j, mask i j) ->
  0 < d -> 4 * d ^ 2 <= M -> M ^ 2 < 4 * d * (#|pair mask| * d) ->
  4 * d * (#|pair mask| * d) <= M * cost s.
Proof. by move=> ok rows d0 dM big; apply: (@leading_term d n nk #|pair mask|) => // *; apply: masked_segment; eauto. Qed.

(* C = A B: Q >= 2 m n k / sqrt(M) - M *)
Theorem matmul_leading game M m n k (s : seq (move (matmul m n k))) :
  legal game M s -> 0 < M -> M ^ 3 < (m * n * k) ^ 2 ->
  4 * (m * n * k) ^ 2 <= M * (cost s + M) ^ 2.
Proof.
move=> ok Mp big; set W := m * n * k in big *.
have [h hlo hup] := square_root (M ^ 3); rewrite -(addn1 h) in hup.
have hW : h < W by rewrite -(ltn_exp2r _ _ (isT : 0 < 2)); apply: leq_ltn_trans hlo big.
have h0 : 0 < h.
  rewrite lt0n; apply/eqP => h0; move: hup; rewrite h0 add0n exp1n ltnS leqn0 expn_eq0.
  by rewrite (gtn_eqF Mp).
have q1 : 0 < (W - 1) %/ h by rewrite divn_gt0 //; move: hW; clear; lia.
pose q := ((W - 1) %/ h).-1.
have qE : (W - 1) %/ h = q.+1 by rewrite prednK.
have qlo : h + q * h < W.
  by have := leq_trunc_div (W - 1) h; rewrite qE mulSn; move: hW; clear; lia.
have qup : W <= (q + 2) * h.
  by have := ltn_ceil (W - 1) h0; rewrite qE !mulSn mulnDl; clear; lia.
have up3 : (3 * M) ^ 3 < 27 * (h + 1) ^ 2 by rewrite expnMn ltn_mul2l hup.
have e3 : M + 2 * M = 3 * M by clear; lia.
have := @matmul_certified game M m n k s (3 * M) (2 * M) q h h ok up3.
rewrite e3 => /(_ up3 qlo) le.
have le' : (q + 2) * (2 * M) <= cost s + M by move: le; clear; lia.
apply: (@leq_trans (M * ((q + 2) * (2 * M)) ^ 2)); last by rewrite leq_mul2l leq_exp2r // le' orbT.
apply: (@leq_trans (4 * ((q + 2) * h) ^ 2)); first by rewrite leq_mul2l leq_exp2r.
rewrite !expnMn; apply: (@leq_trans (4 * ((q + 2) ^ 2 * M ^ 3))).
  by rewrite leq_mul2l leq_mul2l hlo !orbT.
by rewrite !expnS expn0; clear; lia.
Qed.

(* C = A B of a tall and a flat matrix, k = d, M = a d^2: Q >= m n (1 + d^2 / M) - M^2 / d^2 *)
Theorem tall_skinny_leading game M m n d a (s : seq (move (matmul m n d))) :
  legal game M s -> 0 < d -> 0 < a -> M = a * d ^ 2 -> a ^ 2 * d ^ 3 < m * n * d ->
  a.+1 * (m * n) <= a * (cost s + a * M).
Proof.
move=> ok d0 a0 eM big; set h := a ^ 2 * d ^ 3 in big.
have D0 : 0 < d ^ 3 by rewrite expn_gt0 d0.
have h0 : 0 < h by rewrite muln_gt0 expn_gt0 a0.
have am : at_most n m d (M + a.+1 * M) h.
  apply: at_most_turn; apply: at_most_next => x y c sum lw hx hy hc.
  have [|_ le] := one_active (p := d) _ sum lw hx; first by rewrite /h; have := leq_mul a0 a0; rewrite -mulnn; clear; nia.
  have e : d * (M + a.+1 * M) = h + 2 * a * d ^ 3 by rewrite /h eM (expnS d 2) -[in RHS]mulnn; clear; lia.
  move: le; rewrite e (_ : h + 2 * a * d ^ 3 - h.+1 = 2 * a * d ^ 3 - 1); last by clear; lia.
  rewrite /h; move: D0; move: (d ^ 3) => D D0 le.
  have [w wE] : exists w, 2 * a * D = w.+1 by exists (2 * a * D).-1; rewrite prednK // !muln_gt0 a0 D0.
  have : (2 * a * D) ^ 2 = 4 * (a ^ 2 * D) * D by rewrite -!mulnn; clear; lia.
  by move: le; rewrite wE subn1 /= -!mulnn; move: D0; clear; nia.
have [q qlo qup] : exists2 q, h + q * h < m * n * d & m * n * d <= (q + 2) * h.
  have q1 : 0 < (m * n * d - 1) %/ h by rewrite divn_gt0 //; move: big; clear; lia.
  exists ((m * n * d - 1) %/ h).-1.
    by have := leq_trunc_div (m * n * d - 1) h; rewrite -{1}(prednK q1) mulSn; move: big; clear; lia.
  by have := ltn_ceil (m * n * d - 1) h0; rewrite -{1}(prednK q1) !mulSn mulnDl; clear; lia.
have le := matmul_bound ok am am qlo.
have k1 : (q + 2) * (a.+1 * M) <= cost s + a * M by move: le; clear; lia.
rewrite -(leq_pmul2l (_ : 0 < d)) //; apply: (@leq_trans (a.+1 * (m * n * d))); first by clear; lia.
apply: leq_trans (leq_mul (leqnn a.+1) qup) _.
have -> : a.+1 * ((q + 2) * h) = d * (a * ((q + 2) * (a.+1 * M))) by rewrite /h eM (expnS d 2) -!mulnn; clear; lia.
by rewrite !leq_mul2l k1 !orbT.
Qed.

(* C = A A^T, the lower triangle: Q >= n (n - 1) k / sqrt(2 M) - M + n *)
Theorem syrk_leading game M n k (s : seq (move (syrk n k))) :
  legal game M s -> 0 < M -> 8 * M ^ 3 < (n * n.-1 * k) ^ 2 ->
  (n * n.-1 * k) ^ 2 <= 2 * M * (cost s + M - n) ^ 2.
Proof.
move=> ok Mp big; set W2 := n * n.-1 * k in big *.
have [h hlo hup] := square_root (2 * M ^ 3).
have hW : 2 * h < W2.
  rewrite -(ltn_exp2r _ _ (isT : 0 < 2)); apply: leq_ltn_trans big; rewrite expnMn -[8]/(4 * 2) -mulnA leq_mul2l //=.
have h0 : 0 < 2 * h.
  rewrite lt0n; apply/eqP => h0; have {}h0 : h = 0 by move: h0; clear; lia.
  move: hup; rewrite h0 exp1n ltnS leqn0 muln_eq0 expn_eq0 /=.
  by rewrite (gtn_eqF Mp).
have [q qlo qup] : exists2 q, 2 * h + q * (2 * h) < W2 & W2 <= (q + 2) * (2 * h).
  have q1 : 0 < (W2 - 1) %/ (2 * h) by rewrite divn_gt0 //; move: hW; clear; lia.
  exists ((W2 - 1) %/ (2 * h)).-1.
    by have := leq_trunc_div (W2 - 1) (2 * h); rewrite -{1}(prednK q1) mulSn; move: hW; clear; lia.
  by have := ltn_ceil (W2 - 1) h0; rewrite -{1}(prednK q1) !mulSn mulnDl; clear; lia.
have up3 : (M + 2 * M) ^ 3 * 2 < 27 * h.+1 ^ 2.
  have -> : (M + 2 * M) ^ 3 * 2 = 27 * (2 * M ^ 3) by rewrite !expnS expn0; clear; lia.
  by rewrite ltn_mul2l hup.
have := syrk_bound ok up3 up3 (q := q); rewrite -/W2 => /(_ _) le.
have {}le : (q + 2) * (2 * M) <= cost s + M - n.
  have := le ltac:(move: qlo; clear; lia); clear; lia.
apply: (@leq_trans (((q + 2) * (2 * h)) ^ 2)); first by rewrite leq_exp2r.
apply: (@leq_trans (2 * M * ((q + 2) * (2 * M)) ^ 2)); last by rewrite leq_mul2l leq_exp2r // le orbT.
rewrite !expnMn; apply: (@leq_trans ((q + 2) ^ 2 * (2 ^ 2 * (2 * M ^ 3)))); first by rewrite !leq_mul2l hlo !orbT.
by rewrite !expnS expn0; clear; lia.
Qed.

(* exact attention, keys of d words and values of dv: Q >= 4 n nk d dv / M - M *)
Theorem widths_leading game M n nk d dv (s : seq (move (Attention.attention n nk d dv))) :
  legal game M s -> 8 * (d * dv) <= M -> 4 * (n * nk * (d * dv)) <= M * (cost s + M).
Proof.
move=> ok dM; case: (posnP d) => [d00|d0]; first by rewrite (_ : d * dv = 0) ?muln0 // d00.
have [m2 m1] := @most_twice (dv * (4 * d)) ((4 * d) * (4 * d)) M ltac:(move: dM; clear; lia).
have carried X h : most (dv * (4 * d)) ((4 * d) * (4 * d)) X h -> carried_most 1 (dv * (4 * d)) ((4 * d) * (4 * d)) 1 1 (n * nk) X h.
  by move=> H p R C w _; rewrite !mul1n => sum; apply: H sum.
case: (posnP M) => [M0|M0].
  have -> : d * dv = 0 by move: dM; rewrite M0; clear; lia.
  by rewrite !muln0.
have cov x : x <= dv -> 0 < x -> 4 * d * x <= 1 * ((d + x) * (d + x)).
  by move=> _ _; rewrite mul1n mulnn -mulnA; apply: nat_AGM2.
rewrite leqNgt; apply/negP => big; set l := cost s in big.
have q2 : l <= M + (l - 1) %/ M * M by have := divn_eq (l - 1) M; have := ltn_pmod (l - 1) M0; clear; lia.
have q1 : M ^ 2 + (l - 1) %/ M * M ^ 2 < n * nk * dv * (4 * d).
  have -> : n * nk * dv * (4 * d) = 4 * (n * nk * (d * dv)) by clear; lia.
  apply: leq_ltn_trans big; rewrite -mulnn mulnA -mulnDl mulnC leq_mul2l; apply/orP; right.
  by have := leq_trunc_div (l - 1) M; clear; lia.
have := attention_covering ok d0 cov (carried _ _ m1) (or_intror (carried _ _ m2)) q1; rewrite -/l.
by move: q2; clear; lia.
Qed.
