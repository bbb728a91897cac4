(* docs/theory-lp.md section 5 (iv), case (2a): the sum over ranks, as combinatorics. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma sub_sum m r : m - r = \sum_(k < m) (r <= k).
Proof. by elim: m => [|m IH]; rewrite ?big_ord0 // big_ord_recr /= -IH; case: leqP; lia. Qed.

Lemma ranks (X : finType) (A : {set X}) (e : X -> nat) m :
  \sum_(x in A) (m - #|[set y in A | e y <= e x]|) <= \sum_(k < m) k.
Proof.
pose rk x := #|[set y in A | e y <= e x]|.
have -> : \sum_(x in A) (m - rk x) = \sum_(k < m) #|[set x in A | rk x <= k]|.
  transitivity (\sum_(x in A) \sum_(k < m) (rk x <= k)).
    by apply: eq_bigr => x _; apply: sub_sum.
  rewrite exchange_big /=; apply: eq_bigr => k _.
  rewrite -sum1_card big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => x _.
  by rewrite inE; case: (x \in A); case: (rk x <= k).
apply: leq_sum => k _; case: (set_0Vmem [set x in A | rk x <= k]) => [->|[x0 x0T]]; first by rewrite cards0.
have [x xT mx] := @arg_maxnP _ x0 (mem [set x in A | rk x <= k]) e x0T.
move: (xT); rewrite /= inE => /andP[xA xk]; apply: leq_trans xk.
apply/subset_leq_card/subsetP => y yT; have := mx y yT.
by move: yT; rewrite !inE => /andP[-> _] /= le.
Qed.


Section Case2a.
Variables (Al Be Cl SX : finType) (m : nat) (e p : Al -> nat) (sl : Al -> SX) (cl : Be -> Cl)
  (Q : Al -> Be -> bool) (A : {set Al}) (B : {set Be}).
Definition rank2 x y := #|[set x' | [&& Q x' y, sl x' == sl x & e x' <= e x]]|.
Hypothesis QA : forall x y, Q x y -> x \in A /\ y \in B.
Hypothesis one : forall x j, #|[set y | Q x y && (cl y == j)]| <= m.
Hypothesis red_pairs : forall x, x \in A -> \sum_j \max_(y | Q x y && (cl y == j)) rank2 x y <= p x.

Lemma case2a_sets :
  \sum_(x in A) m * #|[set y | Q x y]| <= \sum_(x in A) m * p x + #|B| * (#|SX| * \sum_(k < m) k).
Proof.
have rp x : x \in A -> \sum_(y | Q x y) rank2 x y <= m * p x.
  move=> xA; apply: (@leq_trans (m * \sum_j \max_(y | Q x y && (cl y == j)) rank2 x y)); last first.
    by rewrite leq_mul2l red_pairs ?orbT.
  rewrite (partition_big cl predT) //= big_distrr /=; apply: leq_sum => j _.
  set mx := \max_(y | _) _; apply: (@leq_trans (\sum_(y | Q x y && (cl y == j)) mx)).
    by apply: leq_sum => y yj; apply: (leq_bigmax_cond (F := rank2 x)).
  rewrite sum_nat_const leq_mul2r; apply/orP; right; apply: leq_trans (one x j).
  by rewrite cardsE.
apply: (@leq_trans (\sum_(x in A) (m * p x + \sum_(y | Q x y) (m - rank2 x y)))).
  apply: leq_sum => x xA; apply: (@leq_trans (\sum_(y | Q x y) (rank2 x y + (m - rank2 x y)))).
    rewrite mulnC cardsE -sum_nat_const; apply: leq_sum => y _; lia.
  by rewrite big_split /= leq_add2r rp.
rewrite big_split /= leq_add2l.
have -> : \sum_(x in A) \sum_(y | Q x y) (m - rank2 x y) =
    \sum_(y in B) \sum_(l : SX) \sum_(x | Q x y && (sl x == l)) (m - rank2 x y).
  rewrite (exchange_big_dep (mem B)) /=; last by move=> x y _ /QA[].
  apply: eq_bigr => y _; rewrite (partition_big sl predT) //=; apply: eq_bigr => l _.
  by apply: eq_bigl => x; case: (boolP (Q x y)) => [/QA[->]//|]; rewrite ?andbF.
rewrite -sum_nat_const; apply: leq_sum => y _.
rewrite -sum_nat_const; apply: leq_sum => l _.
have := ranks [set x | Q x y && (sl x == l)] e m; apply: leq_trans.
rewrite leq_eqVlt; apply/orP; left; apply/eqP; rewrite [RHS](eq_bigl (fun x => Q x y && (sl x == l))).
  apply: eq_bigr => x /andP[_ /eqP sx]; congr (_ - _); rewrite /rank2.
  by apply: eq_card => x'; rewrite !inE sx andbA.
by move=> x; rewrite inE.
Qed.
End Case2a.
