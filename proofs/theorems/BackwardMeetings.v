(* docs/theory-lp.md section 5 (iv): meetings of a residency of one side, X, with one of the other, Y; those whose X ends first. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count PairTrees BackwardCharge RankSums.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Side.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation Rd i := (red (pos (start G) s i)).
Variables (KX KY E Cl SX : finType) (word : G -> KX + KY + (KY + E) + unit) (wY : KY -> G).
Hypothesis wY_word : forall k, word (wY k) = inl (inr (inl k)).
Hypothesis wY_input : forall k, wY k \in input G.
(* meetings: the chains, the pair; slices of X, columns of Y *)
Variables (Ga : finType) (kx : Ga -> KX) (ky : Ga -> KY) (pe : Ga -> E) (sl : KX -> SX)
  (cl : KY -> Cl) (pc : E -> Cl) (m : nat).
Hypothesis pe_cl : forall g, pc (pe g) = cl (ky g).
Hypothesis inj1 : forall g g', kx g = kx g' -> ky g = ky g' -> g = g'.
Hypothesis inj2 : forall g g', ky g = ky g' -> sl (kx g) = sl (kx g') -> pe g = pe g' -> g = g'.
Hypothesis cl_m : forall j, #|[set k | cl k == j]| <= m.
(* the times of the two steps, the ends of their residencies, the begin of Y's; the segment of a time *)
Variables (tX tY eX eY bY : Ga -> nat) (lo hi : nat -> nat) (Gd : {set Ga}).
Hypothesis eXs : forall g, eX g < size s.
Hypothesis eYs : forall g, eY g < size s.
Hypothesis tX_eX : forall g, tX g < eX g.
Hypothesis bY_tY : forall g, bY g <= tY g.
Hypothesis bY_eY : forall g, bY g < eY g.
Hypothesis bY_eX : forall g, bY g != eX g.
Hypothesis redX : forall g, exists2 v, v \in Rd (eX g) & word v = inl (inl (inl (kx g))).
Hypothesis redY : forall g u, bY g < u <= eY g -> exists2 v, v \in Rd u & word v = inl (inl (inr (ky g))).
Hypothesis apY : forall g g', ky g = ky g' -> eY g = eY g' -> bY g = bY g'.
Hypothesis seg2 : forall u u', lo u <= u' < hi u -> lo u' = lo u /\ hi u' = hi u.
Hypothesis same : forall g, g \in Gd -> lo (tX g) <= tX g < hi (tX g) /\ lo (tX g) <= tY g < hi (tX g).
Hypothesis before : forall g, g \in Gd -> exists2 t1, lo (tX g) <= t1 <= tX g & wY (ky g) \in Rd t1.
Hypothesis after : forall g u, g \in Gd -> lo (tX g) <= u <= tY g ->
  inl (inr (inr (pe g))) \notin word @: Rd u -> exists2 t2, u <= t2 <= tY g & wY (ky g) \in Rd t2.

Definition I := 'I_(size s).+1.
Definition al g : KX * I := (kx g, inord (eX g)).
Definition be g : KY * I := (ky g, inord (eY g)).
Definition First := [set g in Gd | eX g < eY g].
Definition tr g := [forall u : I, (eX g <= u <= bY g) ==> (inl (inr (inr (pe g))) \in word @: Rd u)].
Definition C1 := [set g in First | bY g < eX g].
Definition C2a := [set g in First | (eX g < bY g) && tr g].
Definition C2b := [set g in First | (eX g < bY g) && ~~ tr g].
Definition AX := al @: Gd.
Definition BY := be @: Gd.
Definition rho (x : KX * I) : nat :=
  if [exists g in Gd, (al g == x) && (lo x.2 <= tX g < hi x.2)] then #|again s wY (lo x.2) (hi x.2)| else 0.
Definition p (x : KX * I) : nat := red_pairs_at s word x.2.

Lemma al_e g : (al g).2 = eX g :> nat. Proof. by rewrite inordK // ltnS ltnW. Qed.
Lemma be_e g : (be g).2 = eY g :> nat. Proof. by rewrite inordK // ltnS ltnW. Qed.

Lemma cases12 x : x \in AX ->
  #|[set g in C1 | al g == x]| + #|[set g in C2b | al g == x]| + p x <= M + rho x.
Proof.
case/imsetP=> g0 g0d xE; set A1 := [set g in C1 | _]; set A2 := [set g in C2b | _].
have kxx g : al g = x -> kx g = x.1 by move=> <-.
have ci (A : {set Ga}) : {in A, forall g, al g = x} -> #|ky @: A| = #|A|.
  move=> H; apply: card_in_imset => g g' gA g'A; apply: inj1; by rewrite !kxx //; apply: H.
have a1 : {in A1, forall g, al g = x} by move=> g; rewrite inE => /andP[_ /eqP].
have a2 : {in A2, forall g, al g = x} by move=> g; rewrite inE => /andP[_ /eqP].
have ex g : al g = x -> eX g = x.2 by move=> <-; rewrite al_e.
have h0 : exists2 v, v \in Rd x.2 & word v = inl (inl (inl x.1)).
  by rewrite xE al_e; exact: redX.
have h1 k : k \in ky @: A1 -> exists2 v, v \in Rd x.2 & word v = inl (inl (inr k)).
  case/imsetP=> g gA ->; move: (gA); rewrite !inE => /andP[/andP[/andP[_ ee] be'] _].
  by rewrite -(ex g (a1 _ gA)); apply: redY; rewrite be' ltnW.
have h2 k : k \in ky @: A2 -> exists t1 t2, [/\ lo x.2 <= t1 <= x.2, x.2 <= t2 < hi x.2,
    wY k \in Rd t1 & wY k \in Rd t2].
  case/imsetP=> g gA ->; move: (gA); rewrite !inE => /andP[/and3P[/andP[gd ee] eb ntr] _].
  have [/andP[lX Xh] /andP[lY Yh]] := same gd; have := ex g (a2 _ gA) => E'.
  have [e1 e2] : lo x.2 = lo (tX g) /\ hi x.2 = hi (tX g).
    rewrite -E'; apply: seg2; have := tX_eX g; have := bY_tY g.
    by move: lX Xh lY Yh eb; clear; lia.
  have [t1 /andP[l1 t1X] r1] := before gd.
  case/forallPn: ntr => u; rewrite negb_imply => /andP[/andP[eu ub] nt].
  have uY : lo (tX g) <= u <= tY g.
    by have := tX_eX g; have := bY_tY g; move: lX eu ub; clear; lia.
  have [t2 /andP[ut t2Y] r2] := after gd uY nt.
  exists t1, t2; rewrite e1 e2 -E'; split=> //; have := tX_eX g.
    by move: l1 t1X; clear; lia.
  by move: eu ut t2Y Yh; clear; lia.
have cp := charge ok wY_word wY_input.
case: (set_0Vmem A2) => [E2|[g2 g2A]].
  have h3 k : k \in set0 -> exists t1 t2, [/\ 0 <= t1 <= x.2, x.2 <= t2 < 0,
    wY k \in Rd t1 & wY k \in Rd t2] by rewrite inE.
  have H := cp x.1 x.2 0 0 (ky @: A1) set0 h0 h1 h3.
  have a0 : #|again s wY 0 0| = 0 by apply: eq_card0 => j; rewrite !inE.
  rewrite (ci _ a1) cards0 a0 in H; rewrite E2 cards0 /p.
  move: H; rewrite !addn0 addn1 addSn => /ltnW H; exact: leq_trans H (leq_addr _ _).
have -> : rho x = #|again s wY (lo x.2) (hi x.2)|.
  rewrite /rho ifT //; apply/existsP; exists g2; move: (g2A); rewrite !inE => /andP[/and3P[/andP[gd ee] eb ntr] ->].
  rewrite gd /=; have [/andP[lX Xh] /andP[lY Yh]] := same gd; have := ex g2 (a2 _ g2A) => E'.
  have [-> ->] : lo x.2 = lo (tX g2) /\ hi x.2 = hi (tX g2).
    rewrite -E'; apply: seg2; have := tX_eX g2; have := bY_tY g2.
    by move: lX Xh lY Yh eb; clear; lia.
  by rewrite lX.
have := cp x.1 x.2 _ _ (ky @: A1) (ky @: A2) h0 h1 h2; rewrite (ci _ a1) (ci _ a2) /p.
by rewrite addn1 addSn => /ltnW.
Qed.

Lemma C2aP g : g \in C2a -> [/\ g \in Gd, eX g < bY g & forall u : nat, eX g <= u <= bY g ->
  inl (inr (inr (pe g))) \in word @: Rd u].
Proof.
rewrite !inE => /and3P[/andP[gd ee] eb /forallP tg]; split=> // u ub.
have us : u < (size s).+1.
  by have := eYs g; have := bY_eY g; move: ub; clear; lia.
by have := tg (Ordinal us); rewrite ub.
Qed.

Definition Q x y := [exists g in C2a, (al g == x) && (be g == y)].
Lemma QP x y : Q x y -> exists g, [/\ g \in C2a, al g = x & be g = y].
Proof. by case/existsP=> g /and3P[gA /eqP ? /eqP ?]; exists g. Qed.

Lemma sum2a : \sum_(x in AX) m * #|[set g in C2a | al g == x]| <=
  \sum_(x in AX) m * p x + #|BY| * (#|SX| * \sum_(k < m) k).
Proof.
have kal g g' : al g = al g' -> kx g = kx g' by case.
have kbe g g' : be g = be g' -> ky g = ky g' by case.
have ea g g' : al g = al g' -> eX g = eX g' by move=> E'; rewrite -!al_e E'.
have eb g g' : be g = be g' -> eY g = eY g' by move=> E'; rewrite -!be_e E'.
have C2aG g : g \in C2a -> g \in Gd by case/C2aP.
apply: leq_trans (@case2a_sets _ _ _ _ m (fun x : KX * I => x.2 : nat) p (fun x : KX * I => sl x.1)
   (fun y : KY * I => cl y.1) Q AX BY _ _ _).
- apply: leq_sum => x _; rewrite leq_mul2l; apply/orP; right.
  rewrite -(card_in_imset (f := be)); last first.
    move=> g g'; rewrite !inE => /andP[_ /eqP a1] /andP[_ /eqP a2] /kbe; apply: inj1.
    by apply: kal; rewrite a1.
  apply/subset_leq_card/subsetP => _ /imsetP[g gAx ->]; move: gAx; rewrite inE => /andP[gA gx].
  by rewrite inE; apply/existsP; exists g; rewrite gA gx eqxx.
- by move=> x y /QP[g [/C2aG gd <- <-]]; rewrite !imset_f.
- move=> x j; rewrite -(card_in_imset (f := fst)); last first.
    move=> y y'; rewrite !inE => /andP[/QP[g [_ a1 <-]] _] /andP[/QP[g' [_ a2 <-]] _] /= kk.
    by rewrite (inj1 _ kk) //; apply: kal; rewrite a1.
  apply: leq_trans (cl_m j); apply/subset_leq_card/subsetP => _ /imsetP[y yA ->].
  by move: yA; rewrite !inE => /andP[].
move=> x xA; rewrite /p /red_pairs_at; clear xA; set S := [set e | _].
have -> : #|S| = \sum_j #|[set e in S | pc e == j]|.
  rewrite -sum1_card (partition_big pc predT) //=; apply: eq_bigr => j _.
  by rewrite -sum1_card; apply: eq_bigl => e; rewrite [in RHS]inE.
apply: leq_sum => j _; apply/bigmax_leqP => y /andP[Qxy /eqP cy].
have [g0 [g0A a0 b0]] := QP Qxy.
apply: (@card_rel _ _ _ _ (fun e (x' : KX * I) => (sl x'.1 == sl x.1) &&
    [exists g in C2a, [&& al g == x', be g == y & pe g == e]])).
  move=> e x1 x2 /andP[/eqP s1 /existsP[g1 /and4P[_ /eqP a1 /eqP b1 /eqP p1]]].
  move=> /andP[/eqP s2 /existsP[g2 /and4P[_ /eqP a2 /eqP b2 /eqP p2]]].
  rewrite -a1 -a2 (@inj2 g1 g2) //; first by apply: kbe; rewrite b1.
    by rewrite -a1 in s1; rewrite -a2 in s2; rewrite [LHS]s1 [RHS]s2.
  by rewrite p1.
move=> x'; rewrite inE => /and3P[/QP[g [gA a1 b1]] sx le].
exists (pe g); last first.
  by rewrite sx; apply/existsP; exists g; rewrite gA a1 b1 !eqxx.
rewrite !inE pe_cl; have [_ _ tg] := C2aP gA; apply/andP; split; last first.
  by rewrite -cy -b1.
apply: tg; have [_ lt _] := C2aP g0A.
have E1 : bY g = bY g0 by apply: apY; [apply: kbe|apply: eb]; rewrite b1.
have E2 : x.2 = eX g0 :> nat by rewrite -a0 al_e.
have E3 : x'.2 = eX g :> nat by rewrite -a1 al_e.
by rewrite E1 E2 -E3 (ltnW lt) andbT -E2.
Qed.

Theorem side : m * #|First| <= \sum_(x in AX) m * (M + rho x) + #|BY| * (#|SX| * \sum_(k < m) k).
Proof.
have -> : #|First| = \sum_(x in AX) #|[set g in First | al g == x]|.
  rewrite -sum1_card (partition_big al (mem AX)) /=; last first.
    by move=> g; rewrite inE => /andP[gd _]; apply: imset_f.
  by apply: eq_bigr => x _; rewrite -sum1_card; apply: eq_bigl => g; rewrite [in RHS]inE.
have split3 x : #|[set g in First | al g == x]| <= #|[set g in C1 | al g == x]| +
   #|[set g in C2b | al g == x]| + #|[set g in C2a | al g == x]|.
  apply: leq_trans (leq_trans (leq_card_setU _ _) (leq_add (leq_card_setU _ _) (leqnn _))).
  apply/subset_leq_card/subsetP => g; rewrite !inE => /andP[-> ->]; rewrite !andbT /=.
  have := bY_eX g; case: ltngtP => //= _ _; first by case: (tr g).
have e1 : \sum_(x in AX) m * #|[set g in First | al g == x]| <=
   \sum_(x in AX) m * (#|[set g in C1 | al g == x]| + #|[set g in C2b | al g == x]|) +
   \sum_(x in AX) m * #|[set g in C2a | al g == x]|.
  rewrite -big_split /=; apply: leq_sum => x _; by rewrite -mulnDr leq_mul2l split3 orbT.
rewrite big_distrr /=; apply: leq_trans e1 _.
apply: leq_trans (leq_add (leqnn _) sum2a) _; rewrite addnA leq_add2r -big_split /=.
apply: leq_sum => x xA; rewrite -mulnDr leq_mul2l; apply/orP; right; exact: cases12.
Qed.
End Side.
