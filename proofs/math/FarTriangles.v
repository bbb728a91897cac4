(* docs/theory.md section 10, far steps: triangles (i,j,k), k < j < i, whose edges ij come from few words and whose edges ik, jk are
   operands, where an operand without a word of its own drags G operands of two rows with it. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import LoomisWhitney OrderedPairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma card_rows (A B : finType) (P : {set A * B}) : #|P| = \sum_i #|[set k | (i, k) \in P]|.
Proof.
rewrite -sum1_card (partition_big (fun p : A * B => p.1) predT) //=; apply: eq_bigr => i _.
rewrite -sum1_card (reindex (fun k => (i, k))) /=; first by apply: eq_bigl => k; rewrite inE eqxx andbT.
by exists snd => [k _|[i' k]] //=; rewrite inE => /andP[_ /eqP <-].
Qed.
Lemma card_columns (A B : finType) (P : {set A * B}) : #|P| = \sum_k #|[set i | (i, k) \in P]|.
Proof.
rewrite -sum1_card (partition_big (fun p : A * B => p.2) predT) //=; apply: eq_bigr => k _.
rewrite -sum1_card (reindex (fun i => (i, k))) /=; first by apply: eq_bigl => i; rewrite inE eqxx andbT.
by exists fst => [i _|[i k']] //=; rewrite inE => /andP[_ /eqP <-].
Qed.

(* pairs y < x of R *)
Lemma below_pairs n (P : {set 'I_n * 'I_n}) (R : {set 'I_n}) :
  (forall x y, (x, y) \in P -> [/\ y < x, x \in R & y \in R]) -> 2 * #|P| <= #|R| ^ 2.
Proof.
move=> H; pose Q := [set (p.2, p.1) | p in P].
have cQ : #|Q| = #|P| by rewrite card_imset // => -[x y] [x' y'] [-> ->].
have dis : P :&: Q = set0.
  apply/setP => -[x y]; rewrite !inE; apply/negP => /andP[/H[lt _ _] /imsetP[[x' y'] /H[lt' _ _] /= [E1 E2]]].
  by move: lt lt'; rewrite E1 E2; clear; lia.
rewrite mul2n -addnn -{2}cQ -mulnn -cardsX -cardsUI dis cards0 addn0.
apply/subset_leq_card/subsetP => -[x y]; rewrite in_setU in_setX => /orP[/H[_ -> ->] //|/imsetP[[x' y'] /H[_ xR yR] [-> ->]]].
by rewrite /= xR yR.
Qed.

Lemma root_sum (I : finType) (c r : I -> nat) t : (forall i, 2 * c i ^ 2 <= t * r i ^ 2) -> 2 * (\sum_i c i) ^ 2 <= t * (\sum_i r i) ^ 2.
Proof.
move=> H; apply: (big_ind2 (fun C R => 2 * C ^ 2 <= t * R ^ 2)); [by rewrite exp0n ?muln0 | | by []].
move=> C R C' R' h h'.
have mixed : 2 * (C * C') <= t * (R * R').
  rewrite -leq_sqr !expnMn; have := leq_mul h h'; rewrite -!mulnn.
  by move: (C * C) (C' * C') (R * R) (R' * R') => a b d e; clear; nia.
move: h h' mixed; rewrite !sqrnD !mulnDr; move: (C ^ 2) (C' ^ 2) (R ^ 2) (R' ^ 2) (C * C') (R * R') => a b d e x y.
by clear; lia.
Qed.

Section Far.
Variables (n X G : nat) (Op Tw Aw : {set 'I_n * 'I_n}) (S : {set 'I_n * 'I_n * 'I_n}).
Hypothesis steps : forall i j k, (i, j, k) \in S -> [/\ j < i, (i, j) \in Tw, (i, k) \in Op & (j, k) \in Op].
Hypothesis order : forall i k, (i, k) \in Op -> k < i.
Hypothesis words : #|Aw| + #|Tw| <= X.
Hypothesis fed : Op \subset Aw :|: Tw.
Hypothesis drags : forall i k, (i, k) \in Op -> (i, k) \notin Aw ->
  G <= k /\ forall k' : 'I_n, k <= k' + G -> k' < k -> (i, k') \in Op /\ (k, k') \in Op.
Hypothesis far : 9 * X <= G ^ 2.

Let t := #|Tw|.
Let a := #|Aw|.
Let s := #|Op|.
Let B := Op :\: Aw.
Let c k := #|[set p | (p, k) \in S]|.
Let r k := #|[set i | (i, k) \in Op]|.
Let ops i := #|[set k | (i, k) \in Op]|.
Let b i := #|[set k | (i, k) \in B]|.

Lemma cE : #|S| = \sum_k c k. Proof. exact: card_columns. Qed.
Lemma rE : s = \sum_k r k. Proof. exact: card_columns. Qed.
Lemma opsE : s = \sum_i ops i. Proof. exact: card_rows. Qed.
Lemma bE : #|B| = \sum_i b i. Proof. exact: card_rows. Qed.
Lemma c_t k : c k <= t.
Proof. by apply/subset_leq_card/subsetP => -[i j]; rewrite inE => /steps[]. Qed.
Lemma c_r k : 2 * c k <= r k ^ 2.
Proof.
apply: (below_pairs (P := [set p | (p, k) \in S]) (R := [set i | (i, k) \in Op])) => i j H.
have {}H : (i, j, k) \in S by move: H; rewrite in_set.
by have [ji _ ik jk] := steps H; rewrite !in_set ik jk.
Qed.
Lemma c_tr k : 2 * c k ^ 2 <= t * r k ^ 2.
Proof.
have := c_t k; have := c_r k; rewrite -[c k ^ 2]mulnn mulnA; move: (c k) (r k ^ 2) => x y h1 h2.
by rewrite [t * y]mulnC leq_mul.
Qed.
Lemma s_ab : s <= a + #|B|.
Proof.
apply: leq_trans (leq_card_setU Aw B); apply/subset_leq_card/subsetP => p pO; rewrite in_setU in_setD pO andbT.
by case: (p \in Aw).
Qed.
Lemma s_X : s <= X.
Proof. by apply: leq_trans words; apply: leq_trans (leq_card_setU _ _); apply: subset_leq_card. Qed.

(* the rows that have G operands *)
Let R := [set i | G <= ops i].
Lemma R_s : #|R| * G <= s.
Proof.
rewrite opsE -sum_nat_const [X in _ <= X](bigID (fun i => i \in R)) /=; apply: leq_trans (leq_addr _ _).
by apply: leq_sum => i; rewrite inE.
Qed.
(* the G numbers before k *)
Lemma window (k : 'I_n) (A : {set 'I_n}) : G <= k -> (forall k' : 'I_n, k <= k' + G -> k' < k -> k' \in A) ->
  G <= #|[set k' in A | k' < k]|.
Proof.
move=> Gk H; have lt (u : 'I_G) : k - G + u < n by have := ltn_ord u; have := ltn_ord k; clear - Gk; lia.
rewrite -[G in G <= _](card_ord G) -cardsT -(card_imset _ (f := fun u : 'I_G => Ordinal (lt u))).
  apply/subset_leq_card/subsetP => _ /imsetP[u _ ->]; have ul := ltn_ord u; rewrite inE /=; apply/andP; split.
    by apply: H => /=; clear - Gk ul; lia.
  by clear - Gk ul; lia.
by move=> u v /(congr1 val) /= E; apply/val_inj => /=; clear - E; lia.
Qed.
Lemma B_R i k : (i, k) \in B -> [/\ k < i, i \in R & k \in R].
Proof.
rewrite in_setD => /andP[nA iO]; have [Gk H] := drags iO nA; split; first exact: order iO.
  rewrite inE; apply: leq_trans (window (A := [set k | (i, k) \in Op]) Gk _) _ => [k' h1 h2|].
    by rewrite inE; have [] := H k' h1 h2.
  by apply/subset_leq_card/subsetP => u; rewrite !inE => /andP[].
rewrite inE; apply: leq_trans (window (A := [set k' | (k, k') \in Op]) Gk _) _ => [k' h1 h2|].
  by rewrite inE; have [] := H k' h1 h2.
by apply/subset_leq_card/subsetP => u; rewrite !inE => /andP[].
Qed.
Lemma B_half : 2 * #|B| <= #|R| ^ 2.
Proof. by apply: below_pairs => i k; apply: B_R. Qed.
Lemma b_R i : b i <= #|R|.
Proof. by apply/subset_leq_card/subsetP => k; rewrite inE => /B_R[]. Qed.
(* a row with words that are made has G operands before the first of them *)
Lemma ops_b i : 0 < b i -> G + b i <= ops i.
Proof.
case/card_gt0P=> k0 k0B; have [k kB mn] := arg_minnP (fun k : 'I_n => k : nat) k0B.
have {}kB : k \in [set k | (i, k) \in B] := kB.
rewrite in_set in kB; have {}mn (u : 'I_n) : (i, u) \in B -> k <= u 
  by move=> uB; apply: (mn u); change (u \in [set k | (i, k) \in B]); rewrite in_set.
have /andP[nA iO] : ((i, k) \notin Aw) && ((i, k) \in Op) by move: kB; rewrite in_setD.
have [Gk H] := drags iO nA.
have w : G <= #|[set k' in [set k | (i, k) \in Op] | k' < k]|.
  by apply: (window Gk) => k' h1 h2; rewrite inE; have [] := H k' h1 h2.
apply: leq_trans (leq_add w (leqnn _)) _; rewrite /b /ops -cardsUI.
rewrite (_ : _ :&: _ = set0) ?cards0 ?addn0; last first.
  apply/setP => u; rewrite !inE; apply/negP => /andP[/andP[_ uk] uB].
  by have := mn u; rewrite /B in_setD uB leqNgt uk => /(_ isT).
apply/subset_leq_card/subsetP => u; rewrite in_setU !in_set => /orP[/andP[]//|].
by case/andP.
Qed.

Lemma R_G : X > 0 -> 9 * #|R| <= G.
Proof.
move=> X0; have G0 : 0 < G by case: (G) far => //; rewrite exp0n // leqn0 muln_eq0 /= => /eqP E; rewrite E in X0.
rewrite -(leq_pmul2r G0) mulnn; apply: leq_trans far; rewrite -mulnA leq_mul2l /=; exact: leq_trans R_s s_X.
Qed.

(* p / q at least sqrt(t / 2): columns with more than (4/3) p / q operands are full *)
Section Few.
Variables p q : nat.
Hypotheses (p0 : 0 < p) (q0 : 0 < q) (pq : t * q ^ 2 <= 2 * p ^ 2) (few : 2 * s ^ 2 <= t * G ^ 2) (X0 : 0 < X).
Let full := [set k | 4 * p < 3 * q * r k].
Lemma qs_pG : q * s <= p * G.
Proof.
rewrite -leq_sqr !expnMn -(leq_pmul2l (ltn0Sn 1)).
have := leq_mul few (leqnn (q ^ 2)); have := leq_mul pq (leqnn (G ^ 2)).
by move: (q ^ 2) (s ^ 2) (p ^ 2) (G ^ 2) => x y z w; clear; nia.
Qed.
Lemma full_G : 4 * #|full| <= 3 * G.
Proof.
rewrite -(leq_pmul2l p0).
have h : #|full| * (4 * p) <= 3 * q * s.
  rewrite rE -sum_nat_const big_distrr /= [X in _ <= X](bigID (fun k => k \in full)) /=.
  by apply: leq_trans (leq_addr _ _); apply: leq_sum => k; rewrite in_set => /ltnW.
by move: h qs_pG; clear; lia.
Qed.
Let rest i := #|[set k | (i, k) \in Op & k \notin full]|.
Lemma rest_b i : 3 * b i <= rest i.
Proof.
case: (posnP (b i)) => [->|b0]; first by rewrite muln0.
have split : ops i <= #|full| + rest i.
  apply: leq_trans (leq_card_setU full [set k | (i, k) \in Op & k \notin full]); apply/subset_leq_card/subsetP => k.
  by rewrite !in_set => ->; case: (_ < _).
by move: split (ops_b b0) full_G (b_R i) (R_G X0); clear; lia.
Qed.
Lemma rest_B : 3 * #|B| <= \sum_(k | k \notin full) r k.
Proof.
rewrite bE big_distrr /=; apply: (@leq_trans (\sum_i rest i)); first by apply: leq_sum => i _; apply: rest_b.
have := card_rows [set w : 'I_n * 'I_n | w \in Op & w.2 \notin full]; have := card_columns [set w : 'I_n * 'I_n | w \in Op & w.2 \notin full].
move=> -> E; rewrite (eq_bigr (fun i => #|[set k | (i, k) \in [set w | w \in Op & w.2 \notin full]]|)) => [|i _]; last first.
  by apply: eq_card => k; rewrite !in_set.
rewrite -E [X in _ <= X]big_mkcond /=; apply: leq_sum => k _; case: ifP => kf.
  by apply/subset_leq_card/subsetP => i; rewrite !in_set => /andP[].
rewrite leqn0 cards_eq0; apply/eqP/setP => i; rewrite !in_set /= -/full; apply/negP => /andP[_].
by move/negP; apply; move: kf; rewrite in_set => /negbFE.
Qed.
Lemma few_steps : q * #|S| <= p * a.
Proof.
have col k : 3 * q * c k + p * (if k \notin full then r k else 0) <= 3 * p * r k.
  case: ifP => [|_].
    rewrite in_set -leqNgt => nf; have h : 2 * (3 * q * c k) <= 4 * p * r k.
      have h1 := leq_mul (leqnn (3 * q)) (c_r k); have h2 := leq_mul nf (leqnn (r k)).
      by move: h1 h2; rewrite -mulnn; move: (c k) (r k) => x y; clear; nia.
    by move: h; move: (c k) (r k) => x y; clear; lia.
  have h : q * c k <= p * r k.
    rewrite -leq_sqr !expnMn -(leq_pmul2l (ltn0Sn 1)).
    have := leq_mul (c_tr k) (leqnn (q ^ 2)); have := leq_mul pq (leqnn (r k ^ 2)).
    by move: (q ^ 2) (c k ^ 2) (p ^ 2) (r k ^ 2) => x y z w; clear; nia.
  by move: h; move: (c k) (r k) => x y; clear; lia.
have all : 3 * q * #|S| + p * (\sum_(k | k \notin full) r k) <= 3 * p * s.
  rewrite cE rE !big_distrr /= [X in _ + X]big_mkcond -big_split /=; apply: leq_sum => k _.
  by apply: leq_trans (col k); rewrite leq_add2l; case: ifP.
have h1 := leq_mul (leqnn p) rest_B; have h2 := leq_mul (leqnn p) s_ab; move: all h1 h2; rewrite mulnDr.
by move: (\sum_(k | _) _) (#|B|) (#|S|) => x y z; clear; lia.
Qed.
End Few.

(* p / q just below W / a would be enough for fewer steps than there are *)
Lemma few_square : 2 * s ^ 2 <= t * G ^ 2 -> 0 < X -> 2 * #|S| ^ 2 <= t * a ^ 2.
Proof.
move=> few X0; rewrite leqNgt; apply/negP => lt.
have main p q : 0 < p -> 0 < q -> t * q ^ 2 <= 2 * p ^ 2 -> q * #|S| <= p * a by move=> p0 q0 pq; apply: few_steps.
move: (#|S|) main lt => W main lt; have W0 : 0 < W by case: W lt {main} => //; rewrite exp0n.
case: (posnP a) main lt => [a0|a0] main lt.
  have le : t * 1 ^ 2 <= 2 * t.+1 ^ 2 by rewrite -!mulnn; clear; nia.
  by have := main t.+1 1 isT isT le; rewrite a0 muln0 mul1n leqNgt W0.
have p0 : 0 < 4 * W * W - 1 by move: W0; clear; nia.
have q0 : 0 < 4 * W * a by rewrite !muln_gt0 W0 a0.
have := main _ _ p0 q0; have lt' : t * (4 * W * a) ^ 2 <= 2 * (4 * W * W - 1) ^ 2.
  have e : t * (4 * W * a) ^ 2 = 16 * (W * W) * (t * a ^ 2) by rewrite -!mulnn; clear; lia.
  rewrite e; apply: (@leq_trans (16 * (W * W) * (2 * W ^ 2 - 1))); first by rewrite leq_mul2l; apply/orP; right; move: lt; clear; lia.
  have : 0 < W * W by rewrite muln_gt0 W0.
  rewrite -!mulnn -[4 * W * W]mulnA; case: (W * W) => // x _; clear.
  have -> : 4 * x.+1 - 1 = 4 * x + 3 by lia.
  have -> : 2 * x.+1 - 1 = 2 * x + 1 by lia.
  by lia.
move=> /(_ lt'); move: W0 a0; clear; move=> W0 a0.
have : 0 < W * W by rewrite muln_gt0 W0.
have -> : 4 * W * a * W = 4 * (W * W) * a by clear; lia.
rewrite -[4 * W * W]mulnA leq_pmul2r //; case: (W * W) => // x _; clear; lia.
Qed.

Theorem far_triangles : 27 * #|S| ^ 2 <= 2 * X ^ 3.
Proof.
case: (posnP X) => [X0|X0].
  have t0 : t = 0 by move: words; rewrite X0 -/t; clear; lia.
  have S0 : #|S| = 0 by rewrite cE big1 // => k _; have := c_t k; rewrite t0 leqn0 => /eqP.
  by rewrite S0 exp0n // muln0.
have all : 2 * #|S| ^ 2 <= t * s ^ 2 by rewrite cE rE; apply: root_sum => k; apply: c_tr.
have sX := s_X; have sab := s_ab; have w : a + t <= X by [].
case: (leqP (2 * s ^ 2) (t * G ^ 2)) => [few|many].
  have le := few_square few X0; have := agm3 (2 * t) a a; have -> : 2 * t + a + a = 2 * (t + a) by clear; lia.
  move=> ag; have m : (2 * (t + a)) ^ 3 <= 8 * X ^ 3.
    by rewrite expnMn leq_mul2l /= leq_exp2r // addnC.
  have ag' : 54 * (t * a ^ 2) <= (2 * (t + a)) ^ 3 by apply: leq_trans ag; rewrite -(mulnn a); clear; lia.
  by move: le m ag'; move: (#|S| ^ 2) (X ^ 3) (t * a ^ 2) ((2 * (t + a)) ^ 3) => x y z u; clear; lia.
have b18 : 18 * #|B| <= X.
  have h1 := B_half; have h2 := R_s; have h3 := R_G X0.
  have h4 : #|R| ^ 2 * (9 * X) <= X * X.
    apply: (@leq_trans ((#|R| * G) ^ 2)); first by rewrite expnMn leq_mul2l far orbT.
    by rewrite -mulnn; apply: leq_mul; apply: leq_trans h2 sX.
  rewrite -(leq_pmul2r X0); apply: leq_trans h4; move: h1; move: (#|R| ^ 2) (#|B|) => x y; clear; nia.
case: (leqP (10 * s) (9 * X)) => small.
  (* 9 X W^2 < s^4 *)
  have h : #|S| ^ 2 * (9 * X) <= s ^ 4.
    apply: leq_trans (leq_mul (leqnn _) far) _; rewrite -(leq_pmul2l (ltn0Sn 1)) mulnA.
    apply: leq_trans (leq_mul all (leqnn _)) _; rewrite mulnAC (_ : 2 * s ^ 4 = 2 * s ^ 2 * s ^ 2); last first.
      by rewrite -mulnA -expnD.
    by rewrite leq_mul2r (ltnW many) orbT.
  have h10 : 10 ^ 4 * s ^ 4 <= 9 ^ 4 * X ^ 4 by rewrite -!expnMn leq_exp2r.
  rewrite -(leq_pmul2r (_ : 0 < 10 ^ 4 * X)); last by rewrite muln_gt0.
  have -> : 2 * X ^ 3 * (10 ^ 4 * X) = 2 * 10 ^ 4 * X ^ 4 by rewrite (expnSr X 3); clear; lia.
  by move: h h10; move: (#|S| ^ 2) (s ^ 4) (X ^ 4) => x y z; clear; nia.
(* s = X - d *)
have ts : t + s <= X + #|B| by move: sab w; clear; lia.
have ts18 : 18 * (t + s) <= 19 * X by move: ts b18; clear; lia.
have cut : 27 * (t * s ^ 2) <= 4 * X ^ 3.
  rewrite -(leq_pmul2l (_ : 0 < 18)) //.
  case: (leqP (20 * s) (19 * X)) => s19.
    have h1 : 5 * (18 * t) <= 14 * X by move: ts18 small; clear; lia.
    have h2 : 20 ^ 2 * s ^ 2 <= 19 ^ 2 * X ^ 2 by rewrite -!expnMn leq_exp2r.
    have := leq_mul h1 h2; rewrite (expnSr X 2); move: (s ^ 2) (X ^ 2) => x y; clear; nia.
  have h1 : 10 * (18 * t) <= 19 * X by move: ts18 s19; clear; lia.
  have h2 : s ^ 2 <= X ^ 2 by rewrite leq_exp2r.
  have := leq_mul h1 h2; rewrite (expnSr X 2); move: (s ^ 2) (X ^ 2) => x y; clear; nia.
by move: all cut; move: (#|S| ^ 2) (t * s ^ 2) (X ^ 3) => x y z; clear; nia.
Qed.
End Far.
