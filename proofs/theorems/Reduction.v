(* docs/theory.md section 3: reductions over two operands, for any CDAG. *)
From mathcomp Require Import all_ssreflect zify.
From redblue Require Import Game Trace Count Segment LoomisWhitney ThreeOperands.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma cardsU_disj (U : finType) (X1 X2 : {set U}) :
  (forall w, w \in X1 -> w \in X2 -> False) -> #|X1 :|: X2| = #|X1| + #|X2|.
Proof.
move=> d; rewrite cardsU (_ : X1 :&: X2 = set0) ?cards0 ?subn0 //.
by apply/setP=> w; rewrite !inE; apply/negP => /andP[/d].
Qed.

Lemma fiber (T U : finType) (f : T -> U) (S : {set T}) d :
  (forall w, #|[set x | f x == w]| <= d) -> #|S| <= d * #|f @: S|.
Proof.
move=> fd; rewrite -sum1_card (partition_big_imset f) /= mulnC -sum_nat_const.
apply: leq_sum => w _; apply: leq_trans (fd w); rewrite -sum1_card.
rewrite [X in _ <= X](bigID (mem S)) /= (eq_bigl (fun x => (x \in [set x | f x == w]) && (x \in S))) ?leq_addr //.
by move=> x; rewrite inE andbC.
Qed.

(* with the value under f, g tells x: so at most r elements have one value *)
Lemma fiber_at_most (T U : finType) r (f : T -> U) (g : T -> 'I_r) :
  (forall x y, f x = f y -> g x = g y -> x = y) -> forall w, #|[set x | f x == w]| <= r.
Proof.
move=> inj w; rewrite -[r in _ <= r]card_ord -cardsT -(card_in_imset (f := g)).
  by apply/subset_leq_card/subsetP => y _; rewrite inE.
by move=> x y; rewrite !inE => /eqP <- /eqP /esym; apply: inj.
Qed.

Section Words.
Variables (G : cdag) (K : finType) (len : K -> nat) (z : K -> nat -> G).
Hypothesis ch : chains len z.
(* a chain is one word, every other vertex is one *)
Definition word_of (v : G) : G + K :=
  if [pick k | [exists j : 'I_(len k), z k j == v]] is Some k then inr k else inl v.
Lemma word_chain k j : j < len k -> word_of (z k j) = inr k.
Proof.
move=> jl; rewrite /word_of; case: pickP => [k' /existsP[j' /eqP E]|/(_ k)].
  by rewrite (chain_inj ch (ltn_ord j') jl E).
by move/existsP; case; exists (Ordinal jl).
Qed.
Lemma word_input v : v \in input G -> word_of v = inl v.
Proof.
move=> vI; rewrite /word_of; case: pickP => [k /existsP[j /eqP E]|//].
by have := chain_noninput ch (ltn_ord j); rewrite E vI.
Qed.
End Words.

Section Reduction.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Hypothesis ch : chains len z.

(* Steps x, each a vertex z (k x) (j x) of a chain, that reads the inputs A x and B x. *)
Variables (T : finType) (kk : T -> K) (jj : T -> nat) (A B : T -> G) (p q r : nat).
Record reduction : Prop := Reduction {
  red_step : forall x, jj x < len (kk x);
  red_A : forall x, A x \in input G;
  red_B : forall x, B x \in input G;
  red_edgeA : forall x, edge (A x) (z (kk x) (jj x));
  red_edgeB : forall x, edge (B x) (z (kk x) (jj x));
  red_AB : forall x y, A x != B y;
  red_LW : forall x x' y y', kk x = kk x' -> kk y = kk y' -> A x = A y -> B x' = B y' ->
             x = y /\ x' = y';
  red_p : forall w, #|[set x | A x == w]| <= p;
  red_q : forall w, #|[set x | B x == w]| <= q;
  red_r : forall k, #|[set x | kk x == k]| <= r }.
Hypothesis re : reduction.

(* The steps S of a stretch in which the words of D are available. *)
Lemma steps_at_most (D : {set G + K}) (S : {set T}) X h : at_most p q r X h -> #|D| <= X ->
  (forall x, x \in S -> [/\ inl (A x) \in D, inl (B x) \in D & inr (kk x) \in D]) -> #|S| <= h.
Proof.
move=> HX le inD; apply: (HX #|A @: S| #|B @: S| #|kk @: S|); first last.
- by apply: fiber; apply: red_r re.
- by apply: fiber; apply: red_q re.
- by apply: fiber; apply: red_p re.
- by apply: loomis_whitney; apply: red_LW re.
apply: leq_trans le; pose inlG := @inl G K; pose inrG := @inr G K.
have inj1 : injective inlG by move=> ? ? [].
have inj2 : injective inrG by move=> ? ? [].
rewrite -(card_imset (mem (A @: S)) inj1) -(card_imset (mem (B @: S)) inj1).
rewrite -(card_imset (mem (kk @: S)) inj2).
rewrite -cardsU_disj -?cardsU_disj; first last.
- move=> _ /imsetP[_ /imsetP[x _ ->] ->] /imsetP[_ /imsetP[y _ ->] /inj1 E].
  by have := red_AB re x y; rewrite E eqxx.
- by move=> w; rewrite inE => /orP[] /imsetP[? _ ->] /imsetP[? _].
apply/subset_leq_card/subsetP => w.
by case/setUP=> [/setUP[]|] /imsetP[_ /imsetP[x xS ->] ->]; have [] := inD x xS.
Qed.

Theorem product_segment f t n hf ht :
  at_most p q r f hf -> at_most p q r (M + t) ht -> hf + n * ht < #|T| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof.
have [c ca] := canonical_exists ok ch.
pose tm x := c (kk x) (jj x); pose work a b := cnt predT tm a b => Hf Ht lt.
have tmc x : computes s (tm x) (z (kk x) (jj x)) by exact: (c_computes ca (red_step re x)).
have stretch a b X h : at_most p q r X h ->
    #|avail s c (word_of len z) inr a b| <= X -> work a b <= h.
  move=> HX le; rewrite /work /cnt; apply: (steps_at_most HX le) => x; rewrite inE => SP; split.
  - rewrite -(word_input ch (red_A re x)); have rd := computes_edge ok (tmc x) (red_edgeA re x).
    exact: (input_avail ok c (word_of len z) inr SP rd (red_A re x)).
  - rewrite -(word_input ch (red_B re x)); have rd := computes_edge ok (tmc x) (red_edgeB re x).
    exact: (input_avail ok c (word_of len z) inr SP rd (red_B re x)).
  - refine (chain_avail ok ch ca (word := word_of len z) (key := inr) _ (red_step re x) SP).
    by move=> k j; apply: word_chain.
apply: (segment_bound ok ch ca (word := word_of len z) (key := inr) (work := work) (hf := hf) (ht := ht)).
- by move=> a b ab; rewrite /work (cnt_cat predT tm (leq0n a) ab).
- by move=> a b _; apply: stretch.
- by move=> a b _; apply: stretch.
- apply: leq_trans lt _; rewrite /work /cnt -cardsT; apply/subset_leq_card/subsetP => x _.
  by rewrite inE /=; apply: computes_size (tmc x).
Qed.

(* Every chain begins with an input of its own: that takes the chain's place among the words, and no birth is an event. *)
Variable seed : K -> G.
Record seeded : Prop := Seeded {
  seed_input : forall k, seed k \in input G;
  seed_edge : forall k, edge (seed k) (z k 0);
  seed_inj : injective seed;
  seed_A : forall k x, seed k != A x;
  seed_B : forall k x, seed k != B x }.
Hypothesis sd : seeded.

Definition seed_word (v : G) : G + K := if [pick k | seed k == v] is Some k then inr k else word_of len z v.
Lemma seed_word_seed k : seed_word (seed k) = inr k.
Proof. by rewrite /seed_word; case: pickP => [k' /eqP /(seed_inj sd) ->|/(_ k)]; rewrite ?eqxx. Qed.
Lemma seed_word_chain k j : j < len k -> seed_word (z k j) = inr k.
Proof.
move=> jl; rewrite /seed_word; case: pickP => [k' /eqP E|_]; last exact: (word_chain ch).
by have := chain_noninput ch jl; rewrite -E (seed_input sd).
Qed.
Lemma seed_word_input v : v \in input G -> (forall k, seed k != v) -> seed_word v = inl v.
Proof. by move=> vI no; rewrite /seed_word; case: pickP => [k E|_]; [have := no k; rewrite E | exact: (word_input ch)]. Qed.

Theorem seeded_segment f t n hf ht :
  at_most p q r f hf -> at_most p q r (M + t) ht -> hf + n * ht < #|T| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s.
Proof.
have [c ca] := canonical_exists ok ch.
pose len0 (k : void) : nat := of_void nat k; pose z0 (k : void) : nat -> G := of_void (nat -> G) k.
pose c0 (k : void) : nat -> nat := of_void (nat -> nat) k; pose key0 : void -> G + K := of_void _.
have ch0 : chains len0 z0 by split; case.
have ca0 : canonical s len0 z0 c0 by case.
pose tm x := c (kk x) (jj x); pose work a b := cnt predT tm a b => Hf Ht lt.
have tmc x : computes s (tm x) (z (kk x) (jj x)) by exact: (c_computes ca (red_step re x)).
have chain_in a b k j : j < len k -> a <= c k j < b -> inr k \in avail s c0 seed_word key0 a b.
  elim: j => [|j IH] jl ab.
    rewrite -(seed_word_seed k); apply: (input_avail ok c0 seed_word key0 ab _ (seed_input sd k)).
    exact: (computes_edge ok (c_computes ca jl) (seed_edge sd k)).
  have [_ /(_ j jl)[cc H]] := ca k; have /andP[ac cb] := ab; have jl' : j < len k by lia.
  case: (leqP a (c k j)) => [aj|ja]; first by apply: IH => //; lia.
  have rd := computes_edge ok (c_computes ca jl) (chain_edge ch jl).
  case: (used_avail ok c0 seed_word key0 ab rd) => [|[i ii ci]]; first by rewrite seed_word_chain.
  by have /negP[] : ~~ computes s i (z k j) by apply: H; lia.
have stretch a b X h : at_most p q r X h -> #|avail s c0 seed_word key0 a b| <= X -> work a b <= h.
  move=> HX le; rewrite /work /cnt; apply: (steps_at_most HX le) => x; rewrite inE => SP; split.
  - rewrite -(seed_word_input (red_A re x) (fun k => seed_A sd k x)).
    exact: (input_avail ok c0 seed_word key0 SP (computes_edge ok (tmc x) (red_edgeA re x)) (red_A re x)).
  - rewrite -(seed_word_input (red_B re x) (fun k => seed_B sd k x)).
    exact: (input_avail ok c0 seed_word key0 SP (computes_edge ok (tmc x) (red_edgeB re x)) (red_B re x)).
  - exact: (chain_in a b _ _ (red_step re x) SP).
have := @segment_bound _ _ _ _ ok _ len0 z0 ch0 c0 ca0 _ seed_word key0 work f t hf ht n.
rewrite card_void addn0; apply.
- by move=> a b ab; rewrite /work (cnt_cat predT tm (leq0n a) ab).
- by move=> a b _; apply: stretch.
- by move=> a b _; apply: stretch.
- apply: leq_trans lt _; rewrite /work /cnt -cardsT; apply/subset_leq_card/subsetP => x _.
  by rewrite inE /=; apply: computes_size (tmc x).
Qed.
End Reduction.

