(* docs/theory.md section 3, a matrix times its transpose: two words of one kind, which meet in one order only. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import LoomisWhitney.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* Steps S with g s, e s in W: g of a step and e of another with the same f tell both, and never are they e and g of such two. *)
Lemma ordered_pairs (T C A : finType) (f : T -> C) (g e : T -> A) (S : {set T}) (W : {set A}) :
  (forall s s' u u', f s = f s' -> f u = f u' -> g s = g u -> e s' = e u' -> s = u /\ s' = u') ->
  (forall s s' u u', f s = f s' -> f u = f u' -> g s = e u' -> e s' = g u -> False) ->
  (forall s, s \in S -> (g s \in W) && (e s \in W)) ->
  2 * #|S| ^ 2 <= #|f @: S| * #|W| ^ 2.
Proof.
move=> inj order inW; pose n x := #|[set s in S | f s == x]|.
have eS : #|S| = \sum_(x in f @: S) n x.
  rewrite -sum1_card (partition_big_imset f) /=; apply: eq_bigr => x _.
  by rewrite /n -sum1_card; apply: eq_bigl => s; rewrite inE.
pose P := [set p : T * T | [&& p.1 \in S, p.2 \in S & f p.1 == f p.2]].
have eP : \sum_(x in f @: S) n x ^ 2 = #|P|.
  rewrite -sum1_card (partition_big (fun p : T * T => f p.1) (mem (f @: S))) /=; last first.
    by move=> p; rewrite inE => /and3P[pS _ _]; apply: imset_f.
  apply: eq_bigr => x _; rewrite -mulnn /n -cardsX -sum1_card; apply: eq_bigl => p.
  rewrite !inE; case: (p.1 \in S) => //=; case: (p.2 \in S); rewrite ?andbF //=.
  by case: (f p.1 =P x) => [->|_]; rewrite ?andbF ?andbT //= eq_sym.
have cs := cauchy_schwarz (f @: S) n; rewrite -eS eP in cs.
suff twice : 2 * #|P| <= #|W| ^ 2.
  by apply: leq_trans (leq_mul (leqnn 2) cs) _; rewrite mulnCA leq_mul2l twice orbT.
pose ge (p : T * T) := (g p.1, e p.2); pose eg (p : T * T) := (e p.2, g p.1).
have geI : {in P &, injective ge}.
  move=> [s s'] [u u']; rewrite !inE /= => /and3P[_ _ /eqP fs] /and3P[_ _ /eqP fu] [gs es].
  by have [-> ->] := inj _ _ _ _ fs fu gs es.
have egI : {in P &, injective eg} by move=> p q pP qP [? ?]; apply: geI => //; congr (_, _).
rewrite mul2n -addnn -{1}(card_in_imset geI) -(card_in_imset egI) -mulnn -cardsX.
have -> : #|ge @: P| + #|eg @: P| = #|(ge @: P) :|: (eg @: P)|.
  rewrite cardsU (_ : _ :&: _ = set0) ?cards0 ?subn0 //; apply/setP => w; rewrite !inE; apply/negP.
  case/andP=> /imsetP[[s s'] sP ->] /imsetP[[u u'] uP] /= [E1 E2]; move: sP uP; rewrite !inE /=.
  by move=> /and3P[_ _ /eqP fs] /and3P[_ _ /eqP fu]; apply: (order _ _ _ _ fs fu E1 E2).
apply/subset_leq_card/subsetP => w; rewrite in_setU => /orP[] /imsetP[[s s'] sP ->]; move: sP; rewrite !inE /=;
  by move=> /and3P[/inW/andP[gs _] /inW/andP[_ es] _]; rewrite gs es.
Qed.

(* with a words and t chains, a + t <= X, at most sqrt(2) (X/3)^(3/2) *)
Lemma ordered_at_most a t X H h : X ^ 3 * 2 < 27 * h.+1 ^ 2 -> a + t <= X -> 2 * H ^ 2 <= t * a ^ 2 -> H <= h.
Proof.
move=> Xh sum le; rewrite leqNgt; apply/negP => hH.
have := agm3 (2 * t) a a; have -> : 2 * t + a + a = 2 * (t + a) by clear; lia.
rewrite leqNgt => /negP; apply; apply: (@leq_ltn_trans (2 ^ 3 * X ^ 3)).
  by rewrite expnMn leq_mul2l leq_exp2r //= addnC.
have l1 : h.+1 ^ 2 <= H ^ 2 by rewrite leq_exp2r.
by move: Xh le l1; rewrite -(mulnn a) mulnA; move: (X ^ 3) (H ^ 2) (h.+1 ^ 2) => x y w; clear; lia.
Qed.
