(* docs/theory.md section 4: the most steps at pairs whose values are carried or made, in all regimes. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import LoomisWhitney ThreeOperands.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* H steps at E of N pairs, p of them carried, the others made from R rows and C columns of dk words each; v words of the
   operand and z chains; a pair serves dv steps, a word rv, a chain rz. *)
Definition pairs_at_most (dk dv rv rz N X h : nat) : Prop :=
  forall p R C v z E H, p + dk * (R + C) + v + z <= X -> E <= p + R * C -> E <= N -> H ^ 2 <= E * (v * z) ->
    H <= dv * E -> H <= rv * v -> H <= rz * z -> H <= h.

(* Either all pairs cost a word each, or none is cheaper than one made. *)
Lemma carry_or_make dk p R C E : E <= p + R * C ->
  E <= p + dk * (R + C) \/ 4 * dk ^ 2 * E <= (p + dk * (R + C)) ^ 2.
Proof.
move=> le; have s4 : 4 * (R * C) <= (R + C) ^ 2 by exact: nat_AGM2.
case: (leqP (R * C) (4 * dk ^ 2)) => [small|big]; [left|right].
  have aux x y D : x <= 4 * D -> 4 * x <= y -> x * x <= D * y.
    by move=> h1 h2; have := leq_mul h1 (leqnn x); have := leq_mul (leqnn D) h2; nia.
  have : (R * C) ^ 2 <= (dk * (R + C)) ^ 2 by rewrite [X in _ <= X]expnMn -mulnn; apply: aux.
  by rewrite leq_exp2r // => h1; apply: leq_trans le _; rewrite leq_add2l.
have h2 : 4 * dk <= R + C.
  have : (4 * dk) ^ 2 <= (R + C) ^ 2 by rewrite expnMn; apply: leq_trans s4; lia.
  by rewrite leq_exp2r.
have aux D y : 4 * dk <= y -> 4 * (R * C) <= y ^ 2 -> D = dk ^ 2 -> E <= p + R * C ->
    4 * D * E <= (p + dk * y) ^ 2.
  move=> dy ry -> le'; rewrite -!mulnn in ry *.
  have k1 : 4 * (dk * dk) * E <= 4 * (dk * dk) * (p + R * C) by rewrite leq_mul2l le' orbT.
  have k2 : dk * dk * (4 * (R * C)) <= dk * dk * (y * y) by rewrite leq_mul2l ry orbT.
  have k3 : p * dk * (4 * dk) <= p * dk * y by rewrite leq_mul2l dy orbT.
  have : 0 <= p * p by [].
  move: k1 k2 k3; clear; lia.
exact: aux.
Qed.

(* Made: y words for E pairs leave X - y; so (2 H + 2 dk E)^2 <= E X^2. *)
Lemma made_root dk y E H X : y <= X -> 4 * dk ^ 2 * E <= y ^ 2 -> 4 * H ^ 2 <= E * (X - y) ^ 2 ->
  (2 * H + 2 * dk * E) ^ 2 <= E * X ^ 2.
Proof.
move=> yX hy hH; have eX : X = (X - y) + y by rewrite subnK.
move: hH; rewrite [in X in _ -> X]eX; move: (X - y) => w hH.
have ab : 2 * H * (2 * dk * E) <= E * (w * y).
  rewrite -(leq_exp2r _ _ (isT : 0 < 2)) expnMn; apply: (@leq_trans (E * w ^ 2 * (E * y ^ 2))); last by rewrite -!mulnn; clear; lia.
  apply: leq_mul; first by rewrite expnMn.
  by rewrite (_ : (2 * dk * E) ^ 2 = E * (4 * dk ^ 2 * E)); [rewrite leq_mul2l hy orbT | rewrite -!mulnn; clear; lia].
have b3 : (2 * dk * E) ^ 2 <= E * y ^ 2.
  by rewrite (_ : (2 * dk * E) ^ 2 = E * (4 * dk ^ 2 * E)); [rewrite leq_mul2l hy orbT | rewrite -!mulnn; clear; lia].
move: hH ab b3; rewrite -!mulnn; clear; lia.
Qed.

Lemma made_all dk E H X : (2 * H + 2 * dk * E) ^ 2 <= E * X ^ 2 -> 16 * dk * H <= X ^ 2.
Proof.
move=> le; have := nat_AGM2 (2 * H) (2 * dk * E) => le2.
case: (posnP E) => [E0|E0].
  by move: le; rewrite E0 muln0 addn0 mul0n leqn0 expn_eq0 muln_eq0 /= => /andP[/eqP -> _]; rewrite muln0.
rewrite -(leq_pmul2l E0); apply: leq_trans le; apply: leq_trans le2; rewrite leq_eqVlt; apply/orP; left; apply/eqP; clear; lia.
Qed.

(* beyond X = 4 dk sqrt(N) the number of pairs limits *)
Lemma made_pairs dk N E H X : E <= N -> 16 * dk ^ 2 * N <= X ^ 2 ->
  (2 * H + 2 * dk * E) ^ 2 <= E * X ^ 2 -> (2 * (H + dk * N)) ^ 2 <= N * X ^ 2.
Proof.
move=> EN; have [e ->] : exists e, N = E + e by exists (N - E); rewrite subnKC.
set c := 2 * H + 2 * dk * E; have -> : 2 * (H + dk * (E + e)) = c + 2 * dk * e by rewrite /c; clear; lia.
move=> big hc; set A := X ^ 2 in big hc *.
suff key : 4 * dk * c + 4 * dk ^ 2 * e <= A.
  have := leq_mul (leqnn e) key; move: hc; rewrite -!mulnn; clear; lia.
have eA : 4 * dk ^ 2 * e <= A by apply: leq_trans big; rewrite -!mulnn; clear; lia.
suff : (4 * dk * c) ^ 2 <= (A - 4 * dk ^ 2 * e) ^ 2 by rewrite leq_exp2r //; move: eA; clear; lia.
have h1 : (4 * dk * c) ^ 2 <= 16 * dk ^ 2 * E * A.
  rewrite (_ : (4 * dk * c) ^ 2 = 16 * dk ^ 2 * c ^ 2); last by rewrite -!mulnn; clear; lia.
  by rewrite -[X in _ <= X]mulnA leq_mul2l hc orbT.
apply: leq_trans h1 _.
have [g gA] : exists g, A = g + 4 * dk ^ 2 * e by exists (A - 4 * dk ^ 2 * e); rewrite subnK.
have -> : A - 4 * dk ^ 2 * e = g by rewrite gA addnK.
have h2 : 16 * dk ^ 2 * E + 12 * dk ^ 2 * e <= g by move: big; rewrite gA; clear; lia.
have h3 := leq_mul h2 (leqnn g); rewrite gA; set D := dk ^ 2 in h2 h3 *.
have h6 : 16 * D * E * (4 * D * e) <= 12 * D * e * g.
  by have := leq_mul (leqnn (12 * D * e)) h2; have : 0 <= D * e * (D * E) by []; have : 0 <= D * e * (D * e) by []; clear; lia.
by move: h3 h6; rewrite -mulnn; clear; lia.
Qed.

(* a pair that serves few steps, dv <= dk *)
Lemma made_few dk dv E H X : dv <= dk -> H <= dv * E -> 0 < E ->
  (2 * H + 2 * dk * E) ^ 2 <= E * X ^ 2 -> 4 * (dk + dv) ^ 2 * H <= dv * X ^ 2.
Proof.
move=> vk hE E0 hc; case: (posnP dv) => [v0|v0].
  by move: hE; rewrite v0 mul0n leqn0 => /eqP ->; rewrite muln0.
rewrite -(leq_pmul2l (_ : 0 < dv * E)) ?muln_gt0 ?v0 //.
apply: (@leq_trans (dv * (dv * (2 * H + 2 * dk * E) ^ 2))); last first.
  by have := leq_mul (leqnn (dv * dv)) hc; clear; lia.
have [F FE] : exists F, dv * E = F by exists (dv * E).
have -> : dv * (dv * (2 * H + 2 * dk * E) ^ 2) = 4 * (dv * H + dk * F) ^ 2.
  by rewrite -FE -!mulnn; clear; lia.
rewrite FE in hE *; have [x xF] : exists x, F = H + x by exists (F - H); rewrite subnKC.
have k1 := leq_mul vk vk; have k2 := leq_mul k1 (leqnn (H * x)); have : 0 <= dk * dk * (x * x) by [].
by move: k2; rewrite xF -!mulnn; clear; lia.
Qed.

(* The regimes of made pairs, as the program asks for them: can X words do W steps? *)
Definition made_suffice dk dv N X W : bool :=
  if dv < dk then 4 * (dk + dv) ^ 2 * W <= dv * X ^ 2
  else if X ^ 2 <= 16 * dk ^ 2 * N then 16 * dk * W <= X ^ 2
  else (2 * (W + dk * N)) ^ 2 <= N * X ^ 2.

Lemma pairs_by_root dk dv rv rz N X h : at_most dv rv rz X h ->
  (forall E, 0 < E -> E <= N -> h.+1 <= dv * E -> (2 * h.+1 + 2 * dk * E) ^ 2 <= E * X ^ 2 -> False) ->
  pairs_at_most dk dv rv rz N X h.
Proof.
move=> car made p R C v z E H sum Ele EN lw he hv hz; rewrite leqNgt; apply/negP => hH.
set y := p + dk * (R + C) in sum; have yX : y <= X by move: sum; clear; lia.
case: (carry_or_make dk Ele); rewrite -/y => yE.
  have : H <= h by apply: (car E v z) => //; [move: sum yE; clear; lia | by rewrite mulnC -mulnA].
  by rewrite leqNgt hH.
have vz : 4 * (v * z) <= (X - y) ^ 2.
  by apply: leq_trans (nat_AGM2 v z) _; rewrite leq_exp2r //; move: sum yX; clear; lia.
have h4 : 4 * h.+1 ^ 2 <= E * (X - y) ^ 2.
  apply: (@leq_trans (E * (4 * (v * z)))); last by rewrite leq_mul2l vz orbT.
  rewrite mulnCA leq_mul2l /=; apply: leq_trans lw; by rewrite leq_exp2r.
apply: (made E) => //; [|exact: leq_trans hH he|exact: made_root yX yE h4].
by move: (leq_trans hH he); case: (E); rewrite ?muln0.
Qed.

(* nothing but the words limits *)
Theorem pairs_free dk dv rv rz N X h : X ^ 2 < 16 * dk * (h + 1) -> at_most dv rv rz X h ->
  pairs_at_most dk dv rv rz N X h.
Proof.
move=> lt car; apply: pairs_by_root car _ => E _ _ _ root.
by move: lt; rewrite addn1 ltnNge (made_all root).
Qed.

Theorem pairs_regimes dk dv rv rz N X h : at_most dv rv rz X h -> ~~ made_suffice dk dv N X h.+1 ->
  pairs_at_most dk dv rv rz N X h.
Proof.
move=> car made; apply: pairs_by_root car _ => E E0 EN hE root.
move: made; rewrite /made_suffice; case: ifP => [lt|_].
  by rewrite (made_few (ltnW lt) hE E0 root).
case: ifP => [_|/negbT]; first by rewrite (made_all root).
by rewrite -ltnNge => big; rewrite (made_pairs EN (ltnW big) root).
Qed.
