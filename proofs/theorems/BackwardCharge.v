(* docs/theory-lp.md section 5 (iv), cases (1) and (2b): one residency that ends first, at a store at
   time tau; its partners of the other side. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count PairTrees.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Charge.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation R i := (red (pos (start G) s i)).

(* A tree none of whose vertices is red at a or loaded after: what the value needs is red after a. *)
Lemma tree_times (tree : pred G) u v a i : a <= i -> v \in R i -> needs tree u v ->
  (forall x, tree x -> x \notin R a) -> (forall x j, tree x -> a <= j < i -> ~~ loads s j x) ->
  exists2 t, a <= t < i & u \in R t.
Proof.
move=> ai vi nd; elim: nd i ai vi => {v} [v tv uv|w v tv wv nd IH] i ai vi na nl;
  case: (red_back ok ai vi) => [va|[j ji l]|[j ji cj]];
  try (by rewrite (negbTE (na v tv)) in va); try (by have := nl v j tv ji; rewrite l).
  by exists j => //; exact: (computes_edge ok cj uv).
have [aj ij] : a <= j /\ j < i by case/andP: ji.
have nl' x k : tree x -> a <= k < j -> ~~ loads s k x.
  by move=> tx kj; apply: nl => //; move: kj ij; clear; lia.
have [t tj ut] := IH j aj (computes_edge ok cj wv) na nl'.
by exists t => //; move: tj ij; clear; lia.
Qed.

(* a word red at some time before tau in the segment from a, and at some time t2 after: it is red at
   tau or it is loaded again *)
Lemma red_again w a t1 tau t2 : w \in input G -> a <= t1 <= tau -> tau <= t2 ->
  w \in R t1 -> w \in R t2 ->
  w \in R tau \/ exists2 j, tau <= j < t2 &
    loads s j w /\ (w \in R a \/ exists2 k, a <= k < j & loads s k w).
Proof.
move=> wI /andP[at1 t1t] tt2 w1 w2.
case: (red_back ok tt2 w2) => [|[j jt l]|[j _ /(computes_noninput ok)]]; [by left| |by rewrite wI].
right; exists j => //; split=> //.
case: (red_back ok at1 w1) => [|[k kt lk]|[k _ /(computes_noninput ok)]]; [by left| |by rewrite wI].
by right; exists k => //; move: kt jt t1t; clear; lia.
Qed.

(* The words: chains of this side, of the other side, inputs of the other side, pairs, all the rest. *)
Variables (KX KY E : finType) (word : G -> KX + KY + (KY + E) + unit).
Variable wY : KY -> G.                       (* the word that a chain of the other side is mapped to *)
Hypothesis wY_word : forall k, word (wY k) = inl (inr (inl k)).
Hypothesis wY_input : forall k, wY k \in input G.

Definition red_pairs_at t : nat := #|[set e : E | inl (inr (inr e)) \in word @: R t]|.
Definition again a b : {set 'I_(size s)} := [set j : 'I_(size s) | (a <= j < b) &&
  [exists k, loads s j (wY k) && ((wY k \in R a) || [exists i : 'I_j, (a <= i) && loads s i (wY k)])]].

Lemma charge kx tau a b (Y1 Y2 : {set KY}) :
  (exists2 v, v \in R tau & word v = inl (inl (inl kx))) ->
  (forall k, k \in Y1 -> exists2 v, v \in R tau & word v = inl (inl (inr k))) ->
  (forall k, k \in Y2 -> exists t1 t2, [/\ a <= t1 <= tau, tau <= t2 < b, wY k \in R t1 & wY k \in R t2]) ->
  #|Y1| + #|Y2| + 1 + red_pairs_at tau <= M + #|again a b|.
Proof.
move=> [v0 v0R v0w] H1 H2; have cR := card_R ok tau.
pose Yr := [set k in Y2 | wY k \in R tau].
have cY : #|Y2 :\: Yr| <= #|again a b|.
  apply: (@card_rel _ _ _ _ (fun (j : 'I_(size s)) k => loads s j (wY k))).
    by move=> j k k' l l'; have := wY_word k; rewrite (loads_fun l l') wY_word => -[].
  move=> k; rewrite !inE => /andP[nr k2]; have [t1 [t2 [at1 tt2 w1 w2]]] := H2 k k2.
  have [tt2' t2b] : tau <= t2 /\ t2 < b by case/andP: tt2.
  case: (red_again (wY_input k) at1 tt2' w1 w2) => [r|[j jt [l or]]]; first by rewrite k2 r in nr.
  exists (Ordinal (loads_size l)); last by [].
  rewrite inE /=; apply/andP; split; first by move: at1 jt t2b; clear; lia.
  apply/existsP; exists k; rewrite l /=; case: or => [->//|[i /andP[ai ij] li]].
  by apply/orP; right; apply/existsP; exists (Ordinal ij); rewrite /= ai.
have : #|word @: R tau| <= M by apply: leq_trans (leq_imset_card _ _) cR.
rewrite !card_split; set p := red_pairs_at tau.
set a1 := (X in X + _ + (_ + _) + _ <= _); set a2 := (X in _ + X + (_ + _) + _ <= _).
set a3 := (X in _ + _ + (X + _) + _ <= _); set a4 := (X in _ + _ + (_ + X) + _ <= _).
have l1 : 0 < a1 by apply/card_gt0P; exists kx; rewrite !inE -v0w imset_f.
have l2 : #|Y1| <= a2.
  by apply/subset_leq_card/subsetP => k /H1[v vR vw]; rewrite !inE -vw imset_f.
have l3 : #|Yr| <= a3.
  by apply/subset_leq_card/subsetP => k; rewrite !inE => /andP[_ kR]; rewrite -wY_word imset_f.
have l4 : p <= a4 by apply/subset_leq_card/subsetP => e; rewrite !inE.
have c2 : #|Y2| = #|Yr| + #|Y2 :\: Yr|.
  by rewrite -(cardsID Yr Y2) (_ : Y2 :&: Yr = Yr) //; apply/setIidPr/subsetP => k; rewrite inE => /andP[].
by move: l1 l2 l3 l4 cY; rewrite c2; clear; lia.
Qed.
End Charge.
