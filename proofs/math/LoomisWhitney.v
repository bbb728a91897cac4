(* The discrete inequality of Loomis and Whitney, in the form of docs/theory.md section 3. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect zify_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma cauchy_schwarz (C : finType) (A : {set C}) (n : C -> nat) :
  (\sum_(x in A) n x) ^ 2 <= #|A| * \sum_(x in A) n x ^ 2.
Proof.
rewrite -(leq_pmul2l (isT : 0 < 2)).
have -> : 2 * (\sum_(x in A) n x) ^ 2 = \sum_(x in A) \sum_(y in A) 2 * (n x * n y).
  rewrite -mulnn big_distrlr /= big_distrr /=; apply: eq_bigr => x _; by rewrite big_distrr.
have -> : 2 * (#|A| * \sum_(x in A) n x ^ 2) = \sum_(x in A) \sum_(y in A) (n x ^ 2 + n y ^ 2).
  rewrite [RHS](eq_bigr (fun x => #|A| * n x ^ 2 + \sum_(y in A) n y ^ 2)); last first.
    by move=> x _; rewrite big_split /= sum_nat_const.
  by rewrite big_split /= sum_nat_const -big_distrr /=; lia.
by apply: leq_sum => x _; apply: leq_sum => y _; exact: nat_Cauchy.
Qed.

(* Steps S; f, g, e are what they use. If two steps with the same f are told by the g of the one
   and the e of the other, then |S|^2 <= |f S| |g S| |e S|. *)
Lemma loomis_whitney (T C A B : finType) (f : T -> C) (g : T -> A) (e : T -> B) (S : {set T}) :
  (forall s s' u u', f s = f s' -> f u = f u' -> g s = g u -> e s' = e u' -> s = u /\ s' = u') ->
  #|S| ^ 2 <= #|f @: S| * (#|g @: S| * #|e @: S|).
Proof.
move=> inj; pose n x := #|[set s in S | f s == x]|.
have -> : #|S| = \sum_(x in f @: S) n x.
  rewrite -sum1_card (partition_big_imset f) /=; apply: eq_bigr => x _.
  by rewrite /n -sum1_card; apply: eq_bigl => s; rewrite inE.
apply: leq_trans (cauchy_schwarz _ _) _; rewrite leq_mul2l; apply/orP; right.
pose P := [set p : T * T | [&& p.1 \in S, p.2 \in S & f p.1 == f p.2]].
have -> : \sum_(x in f @: S) n x ^ 2 = #|P|.
  rewrite -sum1_card (partition_big (fun p : T * T => f p.1) (mem (f @: S))) /=; last first.
    by move=> p; rewrite inE => /and3P[pS _ _]; apply: imset_f.
  apply: eq_bigr => x _; rewrite -mulnn /n -cardsX -sum1_card; apply: eq_bigl => p.
  rewrite !inE; case: (p.1 \in S) => //=; case: (p.2 \in S); rewrite ?andbF //=.
  by case: (f p.1 =P x) => [->|_]; rewrite ?andbF ?andbT //= eq_sym.
rewrite -cardsX -(card_in_imset (f := fun p : T * T => (g p.1, e p.2)) (D := mem P)); last first.
  move=> [s s'] [u u']; rewrite !inE /= => /and3P[_ _ /eqP fs] /and3P[_ _ /eqP fu] [gs es].
  by have [-> ->] := inj _ _ _ _ fs fu gs es.
apply/subset_leq_card/subsetP => _ /imsetP[p pP ->]; move: pP; rewrite inE => /and3P[p1 p2 _].
by rewrite in_setX !imset_f.
Qed.

Lemma agm3Z (a b c : Z) : (0 <= a -> 0 <= b -> 0 <= c -> 27 * (a * b * c) <= (a + b + c) ^ 3)%Z.
Proof.
move=> a0 b0 c0.
have sq x : (0 <= x ^ 2)%Z by nia.
have h0 : (0 <= (a-b)^2 + (b-c)^2 + (c-a)^2)%Z.
  by have := sq (a-b)%Z; have := sq (b-c)%Z; have := sq (c-a)%Z; lia.
have h1 := Z.mul_nonneg_nonneg (a + b + c)%Z _ ltac:(lia) h0.
have h2 := Z.mul_nonneg_nonneg a ((b-c)^2)%Z a0 (sq _).
have h3 := Z.mul_nonneg_nonneg b ((c-a)^2)%Z b0 (sq _).
have h4 := Z.mul_nonneg_nonneg c ((a-b)^2)%Z c0 (sq _).
clear - h1 h2 h3 h4; lia.
Qed.

Lemma agm3 a b c : 27 * (a * b * c) <= (a + b + c) ^ 3.
Proof.
have := @agm3Z (Z.of_nat a) (Z.of_nat b) (Z.of_nat c).
move=> /(_ ltac:(lia) ltac:(lia) ltac:(lia)); rewrite !expnS expn0; clear; lia.
Qed.
