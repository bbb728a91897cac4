(* docs/theory-lp.md section 6: attention by dense features, with a normaliser, for any CDAG. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney Reduction PairTrees CarriedWork.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma card_in_sum (A B : finType) (S : {set A * B}) : #|S| = \sum_a #|[set b | (a, b) \in S]|.
Proof.
rewrite -sum1_card (partition_big fst predT) //=; apply: eq_bigr => a _.
rewrite sum1dep_card -[RHS](card_imset _ (f := pair a)) => [|b b' []//].
apply: eq_card => -[a' b].
apply/idP/imsetP => [|[b' + [-> ->]]]; rewrite !inE; last by move=> ->; rewrite eqxx.
by move=> /= /andP[S' /eqP E]; subst; exists b; rewrite ?inE.
Qed.

Section Words.
(* tokens, row words of a token, features, slices (None: the normaliser) *)
Variables (Tok Dk A Sl : finType).
Definition fword : finType := [finType of (Tok * Dk + Tok * Sl) + A * Sl + (Tok * A + unit)].
Definition wR t k : fword := inl (inl (inl (t, k))).
Definition wS t l : fword := inl (inl (inr (t, l))).
Definition wC a l : fword := inl (inr (a, l)).
Definition wT t a : fword := inr (inl (t, a)).
Definition wO : fword := inr (inr tt).
Lemma fword_card (D : {set fword}) :
  #|[set x : Tok * Dk | wR x.1 x.2 \in D]| + #|[set x : Tok * Sl | wS x.1 x.2 \in D]| +
  #|[set x : A * Sl | wC x.1 x.2 \in D]| + #|[set x : Tok * A | wT x.1 x.2 \in D]| <= #|D|.
Proof.
rewrite [X in _ <= X]card_split (card_split [set x | inl x \in D]) (card_split [set x | inr x \in D])
  (card_split [set x | inl x \in [set x | inl x \in D]]).
set a1 := #|_|; set a2 := #|_|; set a3 := #|_|; set a4 := #|_|.
set b1 := (X in _ <= X + _ + _ + _); set b2 := (X in _ <= _ + X + _ + _); set b3 := (X in _ <= _ + _ + X + _).
have l1 : a1 <= b1 by apply/subset_leq_card/subsetP => -[t k]; rewrite !inE.
have l2 : a2 <= b2 by apply/subset_leq_card/subsetP => -[t k]; rewrite !inE.
have l3 : a3 <= b3 by apply/subset_leq_card/subsetP => -[t k]; rewrite !inE.
have l4 : a4 <= #|[set x | inl x \in [set x | inr x \in D]]| by apply/subset_leq_card/subsetP => -[t k]; rewrite !inE.
by move: l1 l2 l3 l4; clear; lia.
Qed.
End Words.

(* With X words, kappa: `chains` of W may be made anew for `own` carried features. *)
Definition rerun_chains keys X := if X < keys then 0 else (X %/ keys).+1.
Definition own_features keys d X := keys - X %/ d.
Definition features_most keys d dv wn X h : Prop :=
  let c := rerun_chains keys X in let o := own_features keys d X in
  exists h', [/\ 0 < o, c <= o, h' + wn * X <= h & carried_most 1 (dv.+1 * d.+1) (d.+1 ^ 2) (o - c) o X X h'].

Section Features.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (Kt Qt Dk A Dv : finType).
Definition Sl : finType := [finType of option Dv].
Definition Tok : finType := [finType of Kt + Qt].
Definition FK : finType := [finType of A * Sl + Qt * Sl].        (* chains W, U, and N, D *)
Variables (len : FK -> nat) (z : FK -> nat -> G) (word : G -> fword Tok Dk A Sl).
Definition key (k : FK) : fword Tok Dk A Sl := match k with inl x => wC _ _ x.1 x.2 | inr x => wS _ _ (inr x.1) x.2 end.
Hypothesis ch : chains len z.
Variables (tree : Tok -> A -> pred G) (root : Tok -> A -> G) (Rw : Tok -> Dk -> G) (V : Kt -> Dv -> G).
Variables (jW : Kt -> nat) (jN : A -> nat).
Record features : Prop := FeaturesOf {
  ft_word : forall k j, j < len k -> word (z k j) = key k;
  ft_R : forall t k, Rw t k \in input G /\ word (Rw t k) = wR _ _ t k;
  ft_V : forall j l, V j l \in input G /\ word (V j l) = wS _ _ (inl j) (Some l);
  ft_tree : forall t a v, tree t a v -> word v = wT _ _ t a;
  ft_W : forall j a l, jW j < len (inl (a, l));
  ft_N : forall i a l, jN a < len (inr (i, l));
  ft_rootW : forall j a l, edge (root (inl j) a) (z (inl (a, l)) (jW j));
  ft_rootN : forall i a l, edge (root (inr i) a) (z (inr (i, l)) (jN a));
  ft_edgeV : forall j a l, edge (V j l) (z (inl (a, Some l)) (jW j));
  ft_end : forall i a l, edge (z (inl (a, l)) (len (inl (a, l))).-1) (z (inr (i, l)) (jN a));
  ft_row : forall t a k, needs (tree t a) (Rw t k) (root t a) }.
Hypothesis ft : features.
Local Notation d := #|Dk|.
Local Notation dv := #|Dv|.
Local Notation keys := #|Kt|.
Hypotheses (d0 : 0 < #|Dk|).
Variable wn : nat.                                                  (* the weight of U's steps *)
Hypothesis wnd : wn <= #|Dk|.

(* steps: token, feature, slice *)
Definition FT : finType := [finType of Tok * A * Sl].
Definition single (x : FT) : bool := if x.1.1 is inl _ then x.2 != None else true.   (* not of U *)
Definition weight (x : FT) : nat := if single x then d.+1 else wn.
Definition kk (x : FT) : FK := match x.1.1 with inl _ => inl (x.1.2, x.2) | inr i => inr (i, x.2) end.
Definition jj (x : FT) : nat := match x.1.1 with inl j => jW j | inr _ => jN x.1.2 end.

(* one segment: the words D that are there, the steps F done *)
Section Counting.
Variables (D : {set fword Tok Dk A Sl}) (F : {set FT}) (X : nat) (again : {set A * Sl}).
Hypothesis DX : #|D| <= X.
Definition P : {set Tok * A} := [set x | wT _ _ x.1 x.2 \in D].
Definition whole (t : Tok) : bool := [forall k, wR _ _ t k \in D].
Definition S : {set Tok * Sl} := [set x | wS _ _ x.1 x.2 \in D].
Definition C : {set A * Sl} := [set x | wC _ _ x.1 x.2 \in D].
Definition Rs : {set Tok * Dk} := [set x | wR _ _ x.1 x.2 \in D].
Hypothesis F_row : forall x, x \in F -> x.1 \notin P -> whole x.1.1.
Hypothesis F_col : forall x, x \in F -> (x.1.2, x.2) \in C :|: again.
Hypothesis F_single : forall x, x \in F -> single x -> (x.1.1, x.2) \in S.
(* a chain that is made anew has every feature at hand, and every word of its slice *)
Hypothesis again_row : forall x, x \in again -> forall j, (inl j, x.1) \notin P -> whole (inl j).
Hypothesis again_V : forall a l, (a, Some l) \in again -> forall j, (inl j, Some l) \in S.

Local Notation c := (rerun_chains keys X).
Local Notation o := (own_features keys d X).
Hypotheses (o0 : 0 < o) (co : c <= o).

Lemma all_words : #|Rs| + #|S| + #|C| + #|P| <= X.
Proof. exact: leq_trans (fword_card D) DX. Qed.

Lemma whole_rows : #|[set j | whole (inl j)]| * d <= #|Rs|.
Proof.
rewrite -cardsT -cardsX -(card_imset _ (f := fun x : Kt * Dk => (inl x.1 : Tok, x.2))) => [|[? ?] [? ?] [-> ->]//].
apply/subset_leq_card/subsetP => _ /imsetP[[j k] /setXP[jW' _] ->]; rewrite inE /=; by move: jW'; rewrite inE => /forallP/(_ k).
Qed.

Lemma again_keys x : x \in again -> keys <= #|[set j | (inl j, x.1) \in P]| + #|[set j | whole (inl j)]|.
Proof.
move=> xa; apply: leq_trans (leq_card_setU _ _); rewrite -cardsT; apply/subset_leq_card/subsetP => j _; rewrite !inE.
by case: (boolP (_ \in D)) => //= nP; apply: (again_row xa); rewrite inE.
Qed.

Lemma reruns : o * #|again| <= c * #|P|.
Proof.
case: (set_0Vmem again) => [->|[x0 x0a]]; first by rewrite cards0 muln0.
have le := all_words; have wr := whole_rows.
have wX : #|[set j | whole (inl j)]| <= X %/ d by rewrite leq_divRL //; move: wr le; clear; lia.
have kX : keys <= X.
  have l1 := again_keys x0a.
  have l2 : #|[set j | (inl j, x0.1) \in P]| <= #|P|.
    rewrite -(card_imset _ (f := fun j : Kt => (inl j : Tok, x0.1))) => [|? ? []//].
    by apply/subset_leq_card/subsetP => _ /imsetP[j + ->]; rewrite inE.
  have l3 : #|[set j | whole (inl j)]| <= #|[set j | whole (inl j)]| * d by rewrite leq_pmulr.
  have {l1 l2 l3} := leq_trans l1 (leq_add l2 (leq_trans l3 wr)).
  by move: #|Rs| #|P| le; clear; lia.
have {1}-> : c = (X %/ keys).+1 by rewrite /rerun_chains ltnNge kX.
have k0 : 0 < keys by move: o0; rewrite /own_features; move: (X %/ _) => y; clear; lia.
pose AR := [set a | [exists l, (a, l) \in again]].
pose full := [set l : Dv | [forall j, (inl j, Some l) \in S]].
have fX : #|full| <= X %/ keys.
  rewrite leq_divRL //; apply: (@leq_trans #|S|); last by move: le; clear; lia.
  rewrite mulnC -cardsT -cardsX -(card_imset _ (f := fun x : Kt * Dv => (inl x.1 : Tok, Some x.2 : Sl))) => [|[? ?] [? ?] [-> ->]//].
  by apply/subset_leq_card/subsetP => _ /imsetP[[j l] /setXP[_ lf] ->]; move: lf; rewrite inE => /forallP/(_ j).
have sub : #|again| <= #|AR| * #|full|.+1.
  have <- : #|None |: (Some @: full)| = #|full|.+1.
    by rewrite cardsU1 (card_imset _ (@Some_inj _)); case: imsetP => // -[].
  rewrite -cardsX; apply/subset_leq_card/subsetP => -[a l] al; apply/setXP; split; first by rewrite inE; apply/existsP; exists l.
  case: l al => [l|] al; last by rewrite !inE.
  by rewrite !inE /= imset_f // inE; apply/forallP => j; apply: (again_V al).
have ar : o * #|AR| <= #|P|.
  apply: (@leq_trans #|[set x : Kt * A | (inl x.1, x.2) \in P]|); last first.
    rewrite -(card_imset _ (f := fun x : Kt * A => (inl x.1 : Tok, x.2))) => [|[? ?] [? ?] [-> ->]//].
    by apply/subset_leq_card/subsetP => _ /imsetP[x + ->]; rewrite inE.
  rewrite -(card_imset _ (f := fun x : Kt * A => (x.2, x.1))) => [|[? ?] [? ?] [-> ->]//].
  rewrite card_in_sum mulnC -sum_nat_const; apply: (@leq_trans (\sum_(a in AR) #|[set j | (inl j, a) \in P]|)).
    apply: leq_sum => a; rewrite inE => /existsP[l /again_keys /= ka]; rewrite /own_features.
    by move: ka wX; move: (X %/ _) => y; clear; lia.
  rewrite [X in _ <= X](bigID (mem AR)) /=; apply: leq_trans (leq_addr _ _); apply: leq_sum => a _.
  apply/subset_leq_card/subsetP => j; rewrite !inE => jP.
  by apply/imsetP; exists (j, a) => //; rewrite !inE.
apply: (@leq_trans (o * (#|AR| * (X %/ keys).+1))).
  by rewrite leq_mul2l; apply/orP; right; apply: leq_trans sub _; rewrite leq_mul2l ltnS fX orbT.
by rewrite mulnA [X in _ <= X]mulnC leq_mul2r ar orbT.
Qed.

Definition nrow t := #|[set k | (t, k) \in Rs]| + #|[set l | (t, l) \in S]|.
Definition ncol a := #|[set l | (a, l) \in C :|: again]|.
Definition slices t a : {set Sl} := [set l | (t, a, l) \in F].

Lemma slices_weight t a : \sum_(l in slices t a) weight (t, a, l) =
  d.+1 * #|[set l in slices t a | single (t, a, l)]| + wn * #|[set l in slices t a | ~~ single (t, a, l)]|.
Proof.
rewrite (bigID (fun l => single (t, a, l))) /= !(mulnC _ #|_|) -!sum_nat_const; congr (_ + _); apply: eq_big => l.
- by rewrite !inE.
- by rewrite /weight => /andP[_ ->].
- by rewrite !inE.
by rewrite /weight => /andP[_ /negbTE ->].
Qed.

Lemma normal_one t a : #|[set l in slices t a | ~~ single (t, a, l)]| <= 1.
Proof.
apply: leq_trans (_ : #|[set (None : Sl)]| <= _); last by rewrite cards1.
by apply/subset_leq_card/subsetP => -[l|]; rewrite !inE /single /=; case: t => // ?; rewrite andbF.
Qed.

Lemma made_pair t a : (t, a) \notin P -> \sum_(l in slices t a) weight (t, a, l) <= nrow t * ncol a.
Proof.
move=> nP; rewrite slices_weight; set v := #|[set l in _ | single _]|; set y := #|[set l in _ | ~~ _]|.
have y1 : y <= 1 := normal_one t a.
case: (set_0Vmem (slices t a)) => [E|[l0 l0s]].
  have -> : v = 0 by apply/eqP; rewrite cards_eq0 -subset0; apply/subsetP => l; rewrite inE E inE.
  by have -> : y = 0; [apply/eqP; rewrite cards_eq0 -subset0; apply/subsetP => l; rewrite inE E inE | rewrite !muln0].
have wh : whole t by apply: (F_row (x := (t, a, l0))) => //; rewrite inE in l0s.
have rows : d + v <= nrow t.
  apply: leq_add.
    by rewrite -cardsT; apply/subset_leq_card/subsetP => k _; rewrite !inE; apply: (forallP wh).
  by apply/subset_leq_card/subsetP => l; rewrite inE => /andP[lF sg]; rewrite inE; rewrite inE in lF; exact: (F_single lF sg).
have vy : v + y = #|slices t a|.
  rewrite -cardsUI (_ : _ :&: _ = set0) ?cards0 ?addn0; last by apply/setP => l; rewrite !inE; case: (single _); rewrite ?andbF.
  by apply: eq_card => l; rewrite !inE; case: (single _); rewrite ?andbT ?andbF ?orbF.
have cols : v + y <= ncol a.
  by rewrite vy; apply/subset_leq_card/subsetP => l; rewrite !inE => lF; have := F_col lF; rewrite /= !inE.
have some : 0 < v + y by rewrite vy; apply/card_gt0P; exists l0.
apply: leq_trans (leq_mul rows cols); move: wnd y1 some {vy cols rows}; move: (#|Dk|) => d' wd y1 some.
apply: (@leq_trans (d'.+1 * v + d' * y)); first by rewrite leq_add2l leq_mul2r wd orbT.
by move: some y1; move: v y => v' y; clear; nia.
Qed.

Theorem segment_features h : (exists h', h' + wn * X <= h /\ carried_most 1 (dv.+1 * d.+1) (d.+1 ^ 2) (o - c) o X X h') ->
  \sum_(x in F) weight x <= h.
Proof.
case=> h' [hh HH].
have split : \sum_(x in F) weight x = \sum_ta \sum_(l in slices ta.1 ta.2) weight (ta.1, ta.2, l).
  rewrite (exchange_big_dep xpredT) //= pair_big_dep /=.
  rewrite [RHS](reindex (fun x : FT => (x.2, x.1))) /=; last first.
    by exists (fun y : Sl * (Tok * A) => (y.2, y.1)) => -[].
  by apply: eq_big => -[[t a] l] //=; rewrite inE.
rewrite split (bigID (fun ta => ta \in P)) /= addnC.
have made : \sum_(ta | ta \notin P) \sum_(l in slices ta.1 ta.2) weight (ta.1, ta.2, l) <= (#|Rs| + #|S|) * #|C :|: again|.
  apply: (@leq_trans (\sum_(ta : Tok * A) nrow ta.1 * ncol ta.2)).
    rewrite [X in _ <= X](bigID (fun ta => ta \notin P)) /=; apply: leq_trans (leq_addr _ _); apply: leq_sum => -[t a] /= nP; exact: made_pair.
  rewrite -(pair_bigA _ (fun t a => nrow t * ncol a)) /= !card_in_sum -big_split /= big_distrl /=; apply: leq_sum => t _.
  by rewrite big_distrr.
pose H := #|[set x in F | (x.1 \in P) && single x]|.
have carried : \sum_(ta in P) \sum_(l in slices ta.1 ta.2) weight (ta.1, ta.2, l) <= d.+1 * H + wn * #|P|.
  have -> : H = \sum_(ta in P) #|[set l in slices ta.1 ta.2 | single (ta.1, ta.2, l)]|.
    rewrite /H card_in_sum [RHS]big_mkcond /=; apply: eq_bigr => -[t a] _; case: ifP => tP; rewrite inE /= in tP.
      by apply: eq_card => l; rewrite !inE /= tP.
    by apply/eqP; rewrite cards_eq0 -subset0; apply/subsetP => l; rewrite !inE /= tP andbF.
  rewrite big_distrr /= mulnC -sum_nat_const -big_split /=; apply: leq_sum => -[t a] _; rewrite slices_weight leq_add2l.
  by rewrite -[X in _ <= X]muln1 leq_mul2l normal_one orbT.
have Pw : #|P| <= X by have := all_words; clear; lia.
have main : 1 * ((#|Rs| + #|S|) * #|C :|: again|) + d.+1 * H <= h'.
  apply: (HH #|P|) => //.
  - have le := all_words; have rr := reruns; have un := leq_card_setU C again.
    have k1 := leq_mul (leqnn o) un; have k2 := leq_mul (leqnn o) le; have k3 := leq_mul co (leqnn #|P|).
    move: k1 k2 k3 rr; rewrite mulnBl !mulnDr; move: (o * #|P|) (c * #|P|) (o * #|C|) (o * #|again|) (o * #|C :|: again|) (o * X) (o * #|S|) (o * #|Rs|).
    by clear; lia.
  - have Hp : H <= dv.+1 * #|P|.
      rewrite mulnC; have <- : #|Sl| = dv.+1 by rewrite card_option.
      rewrite -cardsT -cardsX; apply/subset_leq_card/subsetP => -[ta l]; rewrite !inE /= => /and3P[_ tP _]; by rewrite tP.
    by rewrite -mulnA mulnCA leq_mul2l Hp orbT.
  rewrite expnMn -mulnA leq_mul2l; apply/orP; right.
  have lw : H ^ 2 <= #|(fun x : FT => x.1) @: [set x in F | (x.1 \in P) && single x]| *
      (#|(fun x : FT => (x.1.1, x.2)) @: [set x in F | (x.1 \in P) && single x]| *
       #|(fun x : FT => (x.1.2, x.2)) @: [set x in F | (x.1 \in P) && single x]|).
    by apply: loomis_whitney => -[[? ?] ?] [[? ?] ?] [[? ?] ?] [[? ?] ?] /= [-> ->] [-> ->] [-> ->] [-> ->].
  apply: leq_trans lw _; apply: leq_mul; last apply: leq_mul.
  - by apply/subset_leq_card/subsetP => _ /imsetP[x + ->]; rewrite !inE => /and3P[_ ? _].
  - apply: leq_trans (leq_addl _ _); apply/subset_leq_card/subsetP => _ /imsetP[x + ->]; rewrite inE => /and3P[xF _ sg]; exact: F_single.
  by apply/subset_leq_card/subsetP => _ /imsetP[x + ->]; rewrite inE => /and3P[xF _ _]; apply: F_col.
apply: leq_trans hh; move: main; rewrite mul1n => main.
apply: leq_trans (leq_add made carried) _; rewrite addnA; apply: leq_add; first exact: main.
by rewrite leq_mul2l Pw orbT.
Qed.
End Counting.

(* A red value of a chain: a word of the chain is there, or all of it up to this value was made in the segment. *)
Lemma chain_again cn a b i k r : canonical s len z cn -> r < len k -> a <= i < b -> z k r \in red (pos (start G) s i) ->
  key k \in avail s cn word key a b \/ forall j, j <= r -> exists2 i', a <= i' < b & computes s i' (z k j).
Proof.
move=> ca; elim: r i => [|r IH] i rl ab zr; case: (used_avail ok cn word key ab zr); try by rewrite (ft_word ft rl); left.
  by case=> i' ii ci; right=> j; rewrite leqn0 => /eqP ->; exists i' => //; move: ii ab; clear; lia.
case=> i' ii ci; have ab' : a <= i' < b by move: ii ab; clear; lia.
have [|H|H] := IH i' _ ab' (computes_edge ok ci (chain_edge ch rl)); [exact: ltnW | by left | right].
by move=> j; rewrite leq_eqVlt => /orP[/eqP ->|]; [exists i' | apply: H].
Qed.

Theorem features_segment f t q hf ht :
  features_most keys d dv wn f hf -> q = 0 \/ features_most keys d dv wn (M + t) ht ->
  hf + q * ht < keys * #|A| * (dv * d.+1 + wn) + #|Qt| * #|A| * (dv.+1 * d.+1) ->
  f + q * t + 1 + #|output G :\: input G| <= cost s + (#|A| + #|Qt|) * dv.+1.
Proof.
move=> Hf Ht lt; have [cn ca] := canonical_exists ok ch.
pose tm (x : FT) := cn (kk x) (jj x); pose work a b := \sum_(x | a <= tm x < b) weight x.
have jl x : jj x < len (kk x) by case: x => [[[j|i] a] l]; [apply: ft_W | apply: ft_N].
have tmc x : computes s (tm x) (z (kk x) (jj x)) by exact: (c_computes ca (jl x)).
have stretch a b X h : features_most keys d dv wn X h -> #|avail s cn word key a b| <= X -> work a b <= h.
  case=> h' [o0 co hh HH] le; rewrite /work; set D := avail s cn word key a b in le.
  pose again := [set x : A * Sl | [forall j, ((inl j, x.1) \in P D) || whole D (inl j)] &&
    (if x.2 is Some l then [forall j, (inl j, Some l) \in S D] else true)].
  have rowP x : a <= tm x < b -> x.1 \notin P D -> whole D x.1.1.
    move=> ab nP; apply/forallP => k; have [RI <-] := ft_R ft x.1.1 k.
    have rd : root x.1.1 x.1.2 \in red (pos (start G) s (tm x)).
      apply: (computes_edge ok (tmc x)); rewrite /kk /jj; case: (x) => [[[j|i] a'] l] /=; [exact: ft_rootW | exact: ft_rootN].
    by apply: (tree_avail ok (ft_tree ft (t := x.1.1) (a := x.1.2)) RI (ft_row ft _ _ k) ab rd); move: nP; rewrite inE.
  rewrite (eq_bigl (fun x => x \in [set x | a <= tm x < b])) => [|x]; last by rewrite inE.
  apply: (segment_features (D := D) (X := X) (again := again)) => //; last by exists h'.
  - by move=> x; rewrite inE; apply: rowP.
  - move=> [[[j|i] a'] l]; rewrite inE => ab /=.
      by rewrite inE; apply/orP; left; rewrite inE; apply: (chain_avail ok ch ca (ft_word ft) (jl (inl j, a', l)) ab).
    have endl : (len (inl (a', l))).-1 < len (inl (a', l)) by have := chain_pos ch (inl (a', l)); clear; lia.
    have rd := computes_edge ok (tmc (inr i, a', l)) (ft_end ft i a' l).
    case: (chain_again ca endl ab rd) => [inD|H]; first by rewrite inE; apply/orP; left; rewrite inE.
    have HW j : exists2 i', a <= i' < b & computes s i' (z (inl (a', l)) (jW j)).
      by apply: H; have := ft_W ft j a' l; clear; lia.
    rewrite inE; apply/orP; right; rewrite inE /=; apply/andP; split.
      apply/forallP => j; have [i' ab' ci] := HW j; case: (boolP (_ \in P D)) => //= nP; apply/forallP => k.
      have [RI <-] := ft_R ft (inl j) k; have rdr := computes_edge ok ci (ft_rootW ft j a' l).
      by apply: (tree_avail ok (ft_tree ft (t := inl j) (a := a')) RI (ft_row ft _ _ k) ab' rdr); move: nP; rewrite inE.
    case: l {ab endl rd H} HW => // l HW; apply/forallP => j; have [i' ab' ci] := HW j; have [VI VE] := ft_V ft j l.
    by rewrite inE /= -VE; apply: (input_avail ok cn word key ab' (computes_edge ok ci (ft_edgeV ft j a' l)) VI).
  - move=> [[[j|i] a'] l]; rewrite inE => ab /=; rewrite /single /= => sg.
      case: l ab sg => // l ab _; have [VI VE] := ft_V ft j l.
      by rewrite inE /= -VE; apply: (input_avail ok cn word key ab (computes_edge ok (tmc (inl j, a', Some l)) (ft_edgeV ft j a' l)) VI).
    by rewrite inE; apply: (chain_avail ok ch ca (ft_word ft) (jl (inr i, a', l)) ab).
  - by move=> x; rewrite inE => /andP[/forallP xa _] j nP; move: (xa j); rewrite (negbTE nP).
  - by move=> a' l; rewrite inE => /andP[_ /forallP].
have <- : #|FK| = (#|A| + #|Qt|) * dv.+1 by rewrite card_sum !card_prod card_option mulnDl.
apply: (weighted_bound ok ch ca (word := word) (key := key) (tm := tm) (u := weight) (hf := hf) (ht := ht)).
- by move=> a b; apply: stretch.
- by case: Ht => [->|Ht]; [left | right=> a b; apply: stretch].
- by move=> x; exact: computes_size (tmc x).
apply: leq_trans lt _; rewrite -(pair_bigA _ (fun ta l => weight (ta, l))) /= -(pair_bigA _ (fun t a => \sum_l weight (t, a, l))) /= big_sumType /=.
apply: leq_add.
  rewrite -mulnA -sum_nat_const; apply: leq_sum => j _; rewrite -sum_nat_const; apply: leq_sum => a _.
  rewrite (bigD1 None) //= (eq_bigr (fun=> d.+1)); last by case.
  by rewrite sum_nat_cond_const cardsE cardC1 card_option addnC.
rewrite -mulnA -sum_nat_const; apply: leq_sum => j _; rewrite -sum_nat_const; apply: leq_sum => a _.
by rewrite sum_nat_const card_option.
Qed.
End Features.
