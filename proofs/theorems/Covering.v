(* docs/theory-lp.md section 2: work of any kinds at pairs, the covering bound, for any CDAG. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney BackwardKinds CarriedWork Reduction PairTrees.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma cs_sum (I : finType) (x a b : I -> nat) p : (forall i, x i ^ 2 <= p * (a i * b i)) ->
  (\sum_i x i) ^ 2 <= p * ((\sum_i a i) * (\sum_i b i)).
Proof.
move=> H; apply: (big_rec3 (fun X A B => X ^ 2 <= p * (A * B))) => [|i X A B _ IH]; first by [].
exact: cs2 (H i) IH.
Qed.

Section Covering.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
(* rows, columns and pairs; words of rows and of columns, operands or chains; each in an array *)
Variables (Rw Cl E RW CW AR AC : finType) (row : E -> Rw) (col : E -> Cl).
Variables (of_row : RW -> Rw) (of_col : CW -> Cl) (ar : RW -> AR) (ac : CW -> AC).
Definition cword : finType := [finType of RW + CW + (E + unit)].
Definition cR w : cword := inl (inl w).
Definition cC w : cword := inl (inr w).
Definition cP e : cword := inr (inl e).
Definition cO : cword := inr (inr tt).
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G) (word : G -> cword) (key : K -> cword).
Hypothesis ch : chains len z.
(* kinds of work, their weights; steps: at a pair, with a word of its row and one of its column, its operand and its chain *)
Variables (Kd T : finType) (u : Kd -> nat) (kind : T -> Kd) (at_ : T -> E) (rs : T -> RW) (cs : T -> CW).
Variables (kR : Kd -> AR) (kC : Kd -> AC) (kk : T -> K) (jj : T -> nat) (op root : T -> G) (tree : E -> pred G).
(* the words that a step needs whole where its pair's value is made *)
Variables (wholeR : T -> {set RW}) (wholeC : T -> {set CW}).
Variables (sc each v np : nat).
Definition row_words (L : {set T}) : {set RW} := \bigcup_(x in L) (rs x |: wholeR x).
Definition col_words (L : {set T}) : {set CW} := \bigcup_(x in L) (cs x |: wholeC x).
Record interaction : Prop := Interaction {
  ip_pair : forall e e', row e = row e' -> col e = col e' -> e = e';
  ip_word : forall k j, j < len k -> word (z k j) = key k;
  ip_tree : forall e x, tree e x -> word x = cP e;
  ip_step : forall x, jj x < len (kk x);
  ip_op : forall x, op x \in input G /\ edge (op x) (z (kk x) (jj x));
  ip_sides : forall x, word (op x) = cC (cs x) /\ key (kk x) = cR (rs x) \/ word (op x) = cR (rs x) /\ key (kk x) = cC (cs x);
  ip_root : forall x, edge (root x) (z (kk x) (jj x));
  ip_row : forall x w, w \in wholeR x -> exists g, [/\ g \in input G, word g = cR w & needs (tree (at_ x)) g (root x)];
  ip_col : forall x w, w \in wholeC x -> exists g, [/\ g \in input G, word g = cC w & needs (tree (at_ x)) g (root x)];
  ip_of_row : forall x w, w \in rs x |: wholeR x -> of_row w = row (at_ x);
  ip_of_col : forall x w, w \in cs x |: wholeC x -> of_col w = col (at_ x);
  ip_ar : forall x, ar (rs x) = kR (kind x);
  ip_ac : forall x, ac (cs x) = kC (kind x);
  ip_LW : forall x x' y y', kind x = kind x' -> kind y = kind y' -> kind x = kind y -> at_ x = at_ x' -> at_ y = at_ y' ->
            rs x = rs y -> cs x' = cs y' -> x = y /\ x' = y';
  (* (1) *)
  ip_covered : forall e (L : {set T}), (forall x, x \in L -> at_ x = e) ->
    \sum_(x in L) u (kind x) <= sc * (#|row_words L| * #|col_words L|);
  ip_each : forall e, \sum_(x | at_ x == e) u (kind x) <= each;
  ip_sums : exists sR sC, [/\ forall a, \sum_(k | kR k == a) u k <= sR, forall a, \sum_(k | kC k == a) u k <= sC & sR * sC <= v];
  ip_np : #|E| <= np }.
Hypothesis ip : interaction.

Section Counting.
Variables (D : {set cword}) (F : {set T}).
Definition DR : {set RW} := [set w | cR w \in D].
Definition DC : {set CW} := [set w | cC w \in D].
Definition DP : {set E} := [set e | cP e \in D].
Hypothesis F_R : forall x, x \in F -> rs x \in DR.
Hypothesis F_C : forall x, x \in F -> cs x \in DC.
Hypothesis F_whole : forall x, x \in F -> at_ x \notin DP -> wholeR x \subset DR /\ wholeC x \subset DC.

Lemma cwords : #|DR| + #|DC| + #|DP| <= #|D|.
Proof.
rewrite [X in _ <= X]card_split (card_split [set x | inl x \in D]) (card_split [set x | inr x \in D]).
have l1 : #|DR| <= #|[set x | inl x \in [set x | inl x \in D]]| by apply/subset_leq_card/subsetP => w; rewrite !inE.
have l2 : #|DC| <= #|[set y | inr y \in [set x | inl x \in D]]| by apply/subset_leq_card/subsetP => w; rewrite !inE.
have l3 : #|DP| <= #|[set x | inl x \in [set x | inr x \in D]]| by apply/subset_leq_card/subsetP => w; rewrite !inE.
by move: l1 l2 l3; clear; lia.
Qed.

Lemma made_work : \sum_(x in F | at_ x \notin DP) u (kind x) <= sc * (#|DR| * #|DC|).
Proof.
pose L e := [set x in F | at_ x == e].
pose nR i := #|[set w in DR | of_row w == i]|; pose nC j := #|[set w in DC | of_col w == j]|.
rewrite (partition_big at_ (fun e => e \notin DP)) /=; last by move=> x /andP[].
apply: (@leq_trans (\sum_(e | e \notin DP) sc * (nR (row e) * nC (col e)))).
  apply: leq_sum => e nP; rewrite (eq_bigl (fun x => x \in L e)); last first.
    by move=> x; rewrite [RHS]inE; case: (at_ x =P e) => [->|]; rewrite ?nP ?andbT ?andbF.
  have LE x : x \in L e -> at_ x = e by rewrite inE => /andP[_ /eqP].
  apply: leq_trans (ip_covered ip LE) _; rewrite leq_mul2l; apply/orP; right; apply: leq_mul.
    apply/subset_leq_card/bigcupsP => x xL; apply/subsetP => w wx; rewrite inE (ip_of_row ip wx) (LE _ xL) eqxx andbT.
    have xF : x \in F by move: xL; rewrite inE => /andP[].
    case/setU1P: wx => [->|wx]; first exact: F_R.
    have nP' : at_ x \notin DP by rewrite (LE _ xL).
    by have [/subsetP H _] := F_whole xF nP'; apply: H.
  apply/subset_leq_card/bigcupsP => x xL; apply/subsetP => w wx; rewrite inE (ip_of_col ip wx) (LE _ xL) eqxx andbT.
  have xF : x \in F by move: xL; rewrite inE => /andP[].
  case/setU1P: wx => [->|wx]; first exact: F_C.
  have nP' : at_ x \notin DP by rewrite (LE _ xL).
  by have [_ /subsetP H] := F_whole xF nP'; apply: H.
rewrite -big_distrr leq_mul2l; apply/orP; right.
have cut (A B : finType) (S : {set A}) (f : A -> B) : #|S| = \sum_i #|[set w in S | f w == i]|.
  by rewrite -sum1_card (partition_big f predT) //=; apply: eq_bigr => i _; rewrite sum1dep_card.
rewrite (cut _ _ DR of_row) (cut _ _ DC of_col) big_distrlr /= pair_bigA /=.
pose f e := (row e, col e); have fi : injective f by move=> e e' [h1 h2]; exact: (ip_pair ip).
rewrite -(big_imset (fun ij : Rw * Cl => nR ij.1 * nC ij.2) (h := f) (A := [pred e | e \notin DP])) /=; last by move=> ? ? _ _ /fi.
rewrite [X in _ <= X](bigID (mem (f @: [pred e | e \notin DP]))) /=; exact: leq_addr.
Qed.

Lemma carried_work : (\sum_(x in F | at_ x \in DP) u (kind x)) ^ 2 <= v * #|DP| * (#|DR| * #|DC|).
Proof.
pose S k := [set x in F | (at_ x \in DP) && (kind x == k)].
pose r k := #|[set w in DR | ar w == kR k]|; pose c k := #|[set w in DC | ac w == kC k]|.
have -> : \sum_(x in F | at_ x \in DP) u (kind x) = \sum_k u k * #|S k|.
  rewrite (partition_big kind predT) //=; apply: eq_bigr => k _; rewrite mulnC -sum_nat_const.
  apply: eq_big => x; first by rewrite [RHS]inE andbA.
  by move=> /andP[_ /eqP ->].
have H k : (u k * #|S k|) ^ 2 <= #|DP| * ((u k * r k) * (u k * c k)).
  have lw : #|S k| ^ 2 <= #|(fun x => (kind x, at_ x)) @: S k| * (#|(fun x => (kind x, rs x)) @: S k| * #|cs @: S k|).
    by apply: loomis_whitney => x x' y y' [k1 e1] [k2 e2] [k3 r1] c1; apply: (ip_LW ip).
  apply: (@leq_trans (u k ^ 2 * (#|DP| * (r k * c k)))); last by rewrite -mulnn; clear; nia.
  rewrite expnMn leq_mul2l; apply/orP; right; apply: leq_trans lw _; apply: leq_mul; last apply: leq_mul.
  - rewrite -[X in _ <= X](card_imset _ (f := pair k)) => [|? ? []//]; apply/subset_leq_card/subsetP => _ /imsetP[x + ->].
    by rewrite inE => /and3P[_ xP /eqP ->]; apply: imset_f.
  - rewrite -[X in _ <= X](card_imset _ (f := pair k)) => [|? ? []//]; apply/subset_leq_card/subsetP => _ /imsetP[x + ->].
    by rewrite inE => /and3P[xF _ /eqP kx]; rewrite kx imset_f // inE (F_R xF) (ip_ar ip) kx eqxx.
  apply/subset_leq_card/subsetP => _ /imsetP[x xS ->].
  by rewrite inE in xS; have /and3P[xF _ /eqP kx] := xS; rewrite inE (F_C xF) (ip_ac ip) kx eqxx.
apply: leq_trans (cs_sum H) _; have [sR [sC [hR hC hv]]] := ip_sums ip.
have arrays (A W : finType) (S' : {set W}) (a : W -> A) (ka : Kd -> A) m : (forall b, \sum_(k | ka k == b) u k <= m) ->
    \sum_k u k * #|[set w in S' | a w == ka k]| <= m * #|S'|.
  move=> hm; rewrite (partition_big ka predT) //=.
  have -> : #|S'| = \sum_b #|[set w in S' | a w == b]|.
    by rewrite -sum1_card (partition_big a predT) //=; apply: eq_bigr => b _; rewrite sum1dep_card.
  rewrite big_distrr /=; apply: leq_sum => b _; rewrite (eq_bigr (fun k => u k * #|[set w in S' | a w == b]|)); last by move=> k /eqP ->.
  by rewrite -big_distrl leq_mul2r hm orbT.
apply: leq_trans (leq_mul (leqnn _) (leq_mul (arrays _ _ DR ar kR sR hR) (arrays _ _ DC ac kC sC hC))) _.
have := leq_mul hv (leqnn (#|DP| * (#|DR| * #|DC|))); clear; nia.
Qed.

Lemma segment_covering X h : #|D| <= X -> carried_most sc each v 1 1 np X h -> \sum_(x in F) u (kind x) <= h.
Proof.
move=> le H; rewrite (bigID (fun x => at_ x \notin DP)) /=.
apply: leq_trans (_ : _ <= sc * (#|DR| * #|DC|) + \sum_(x in F | at_ x \in DP) u (kind x)) _.
  apply: leq_add; first exact: made_work.
  by apply/eq_leq/eq_bigl => x; rewrite negbK.
apply: (H #|DP|); last exact: carried_work.
- by apply: leq_trans (max_card _) (ip_np ip).
- by rewrite !mul1n; apply: leq_trans cwords le.
rewrite (partition_big at_ (mem DP)) /=; last by move=> x /andP[].
rewrite mulnC -sum_nat_const; apply: leq_sum => e _; apply: leq_trans (ip_each ip e).
rewrite [X in _ <= X](bigID (fun x => (x \in F) && (at_ x \in DP))) /=.
by apply: leq_trans (leq_addr _ _); apply/eq_leq/eq_bigl => x; rewrite andbC.
Qed.
End Counting.

Theorem covering_segment f t q hf ht :
  carried_most sc each v 1 1 np f hf -> q = 0 \/ carried_most sc each v 1 1 np (M + t) ht ->
  hf + q * ht < \sum_x u (kind x) -> f + q * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof.
move=> Hf Ht lt; have [cn ca] := canonical_exists ok ch.
pose tm x := cn (kk x) (jj x); pose work a b := \sum_(x | a <= tm x < b) u (kind x).
have tmc x : computes s (tm x) (z (kk x) (jj x)) by exact: (c_computes ca (ip_step ip x)).
have stretch a b X h : carried_most sc each v 1 1 np X h -> #|avail s cn word key a b| <= X -> work a b <= h.
  move=> H le; rewrite /work (eq_bigl (fun x => x \in [set x | a <= tm x < b])) => [|x]; last by rewrite inE.
  have chain x : a <= tm x < b -> key (kk x) \in avail s cn word key a b.
    by move=> ab; exact: (chain_avail ok ch ca (ip_word ip) (ip_step ip x) ab).
  have oper x : a <= tm x < b -> word (op x) \in avail s cn word key a b.
    by move=> ab; have [oI oe] := ip_op ip x; exact: (input_avail ok cn word key ab (computes_edge ok (tmc x) oe) oI).
  have made x g : a <= tm x < b -> at_ x \notin DP (avail s cn word key a b) -> g \in input G -> needs (tree (at_ x)) g (root x) ->
      word g \in avail s cn word key a b.
    move=> ab nP gI nd; apply: (tree_avail ok (ip_tree ip (e := at_ x)) gI nd ab (computes_edge ok (tmc x) (ip_root ip x))).
    by move: nP; rewrite inE.
  apply: segment_covering le H => x; rewrite inE => ab.
  - by rewrite inE; case: (ip_sides ip x) => -[wo kE]; [rewrite -kE; apply: chain | rewrite -wo; apply: oper].
  - by rewrite inE; case: (ip_sides ip x) => -[wo kE]; [rewrite -wo; apply: oper | rewrite -kE; apply: chain].
  move=> nP; split; apply/subsetP => w wx; rewrite inE.
    by have [g [gI <- nd]] := ip_row ip wx; apply: made nd.
  by have [g [gI <- nd]] := ip_col ip wx; apply: made nd.
apply: (weighted_bound ok ch ca (word := word) (key := key) (tm := tm) (u := fun x => u (kind x)) (hf := hf) (ht := ht)).
- by move=> a b; apply: stretch.
- by case: Ht => [->|Ht]; [left | right=> a b; apply: stretch].
- by move=> x; exact: computes_size (tmc x).
by [].
Qed.
End Covering.
