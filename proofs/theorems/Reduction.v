(* Steps of chains that read inputs, for any CDAG; docs/theory.md section 3: reductions over two operands. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
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

Section Steps.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Hypothesis ch : chains len z.

(* Steps x, each a vertex z (k x) (j x) of a chain, that reads the inputs op o x. *)
Variables (T O : finType) (kk : T -> K) (jj : T -> nat) (op : O -> T -> G).
Record reads : Prop := Reads {
  rd_step : forall x, jj x < len (kk x);
  rd_input : forall o x, op o x \in input G;
  rd_edge : forall o x, edge (op o x) (z (kk x) (jj x)) }.
Hypothesis rd : reads.

(* X words, inputs and chains, do h steps at most. *)
Definition can (X h : nat) : Prop := forall (D : {set G + K}) (S : {set T}), #|D| <= X ->
  (forall x, x \in S -> inr (kk x) \in D /\ forall o, inl (op o x) \in D) -> #|S| <= h.

Section Work.
Variable c : K -> nat -> nat.
Hypothesis ca : canonical s len z c.
Definition tm x := c (kk x) (jj x).
Definition work a b := cnt predT tm a b.
Lemma tm_computes x : computes s (tm x) (z (kk x) (jj x)).
Proof. exact: (c_computes ca (rd_step rd x)). Qed.
Lemma work_cat a b e : a <= b -> b <= e -> work a e <= work a b + work b e.
Proof. by move=> ab be; rewrite /work (cnt_cat predT tm ab be). Qed.
Lemma work_all : work 0 (size s) = #|T|.
Proof.
rewrite /work /cnt -cardsT; apply: eq_card => x; rewrite !inE; exact: computes_size (tm_computes x).
Qed.
Lemma stretch (Kb : finType) (cb : Kb -> nat -> nat) (key : Kb -> G + K) (word : G -> G + K) a b X h : can X h ->
  (forall o x, word (op o x) = inl (op o x)) ->
  (forall k j, j < len k -> a <= c k j < b -> inr k \in avail s cb word key a b) ->
  #|avail s cb word key a b| <= X -> work a b <= h.
Proof.
move=> HX wo chain le; rewrite /work /cnt; apply: (HX _ _ le) => x; rewrite inE => SP; split.
  exact: (chain _ _ (rd_step rd x) SP).
move=> o; rewrite -wo; have red := computes_edge ok (tm_computes x) (rd_edge rd o x).
exact: (input_avail ok cb word key SP red (rd_input rd o x)).
Qed.
Lemma canonical_lt k i j : i < j -> j < len k -> c k i < c k j.
Proof.
elim: j => // j IH; rewrite ltnS leq_eqVlt => /orP[/eqP ->|ij] jl; have [_ /(_ j jl)[cj _]] := ca k => //.
by apply: ltn_trans (IH ij _) cj; lia.
Qed.
Lemma births_avail a b k j : j < len k -> a <= c k j < b -> inr k \in avail s c (word_of len z) inr a b.
Proof. by move=> jl; apply: (chain_avail ok ch ca (word := word_of len z) (key := inr)) => // i l; apply: word_chain. Qed.
End Work.

Theorem steps_segment f t n hf ht :
  can f hf -> can (M + t) ht -> hf + n * ht < #|T| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof.
have [c ca] := canonical_exists ok ch => Hf Ht lt; apply: (events_cost ok (c := c)).
have wo o x := word_input ch (rd_input rd o x).
apply: (segment_lemma ok ch ca (word := word_of len z) (key := inr) (work := work c) (hf := hf) (ht := ht)).
- by move=> a b; apply: work_cat.
- by move=> a b _; apply: stretch => // k j; apply: births_avail.
- by move=> a b _; apply: stretch => // k j; apply: births_avail.
- by rewrite work_all.
Qed.

(* With one word less and one step more. *)
Theorem steps_segment_after f t n hf ht : (forall x y, kk x = kk y -> jj x = jj y -> x = y) ->
  can f hf -> can (M + t.-1) ht -> hf + n * ht.+1 < #|T| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof.
have [c ca] := canonical_exists ok ch => inj Hf Ht lt; apply: (events_cost ok (c := c)).
have wo o x := word_input ch (rd_input rd o x).
apply: (segment_lemma_after ok ch ca (word := word_of len z) (key := inr) (work := work c) (hf := hf) (ht := ht.+1) (w := 1)).
- by move=> a b e; apply: work_cat.
- move=> a; rewrite /work /cnt; case: (set_0Vmem [set x | predT x && (a <= tm c x < a.+1)]) => [->|[x]]; first by rewrite cards0.
  rewrite inE ltnS => xa; rewrite -(cards1 x); apply/subset_leq_card/subsetP => y; rewrite !inE ltnS => ya; apply/eqP.
  have E : tm c y = tm c x by move: xa ya; rewrite /=; lia.
  have cx := tm_computes ca x; have cy := tm_computes ca y; rewrite E in cy.
  have kE := chain_inj ch (rd_step rd y) (rd_step rd x) (computes_inj cy cx).
  apply: inj => //; have l1 := rd_step rd x; have l2 := rd_step rd y; move: E; rewrite /tm kE => E; rewrite kE in l2.
  by case: (ltngtP (jj y) (jj x)) => [l3|l3|]; [have := canonical_lt ca l3 l1; rewrite E ltnn | have := canonical_lt ca l3 l2; rewrite E ltnn |].
- by move=> a b _; apply: stretch => // k j; apply: births_avail.
- by move=> a b _ le; rewrite addn1 ltnS; apply: stretch le => // k j; apply: births_avail.
- by rewrite work_all.
Qed.

(* Every chain begins with an input of its own: that takes the chain's place among the words, and no birth is an event. *)
Variable seed : K -> G.
Record seeded : Prop := Seeded {
  seed_input : forall k, seed k \in input G;
  seed_edge : forall k, edge (seed k) (z k 0);
  seed_inj : injective seed;
  seed_op : forall k o x, seed k != op o x }.
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

(* A segment begins with a load, before which a pebble is free: M - 1 words are there. *)
Theorem seeded_steps f t n hf ht :
  can f hf -> can (M.-1 + t) ht -> hf + n * ht < #|T| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s.
Proof.
have [c ca] := canonical_exists ok ch => Hf Ht lt.
pose len0 (k : void) : nat := of_void nat k; pose z0 (k : void) : nat -> G := of_void (nat -> G) k.
pose c0 (k : void) : nat -> nat := of_void (nat -> nat) k; pose key0 : void -> G + K := of_void _.
have ch0 : chains len0 z0 by split; case.
have ca0 : canonical s len0 z0 c0 by case.
have chain_in a b k j : j < len k -> a <= c k j < b -> inr k \in avail s c0 seed_word key0 a b.
  elim: j => [|j IH] jl ab.
    rewrite -(seed_word_seed k); apply: (input_avail ok c0 seed_word key0 ab _ (seed_input sd k)).
    exact: (computes_edge ok (c_computes ca jl) (seed_edge sd k)).
  have [_ /(_ j jl)[cc H]] := ca k; have /andP[ac cb] := ab; have jl' : j < len k by lia.
  case: (leqP a (c k j)) => [aj|ja]; first by apply: IH => //; lia.
  have red := computes_edge ok (c_computes ca jl) (chain_edge ch jl).
  case: (used_avail ok c0 seed_word key0 ab red) => [|[i ii ci]]; first by rewrite seed_word_chain.
  by have /negP[] : ~~ computes s i (z k j) by apply: H; lia.
have wo o x : seed_word (op o x) = inl (op o x) by apply: seed_word_input (rd_input rd o x) _ => k; apply: seed_op.
have := @events_cost _ _ _ _ ok _ c0 (f + n * t + 1).
rewrite card_void addn0; apply.
apply: (@segment_lemma_before _ _ _ _ ok _ len0 z0 ch0 c0 ca0 _ seed_word key0 (work c) f t hf ht n).
- by right; apply: card_void.
- by move=> a b; apply: work_cat.
- by move=> a b _; apply: stretch => // k j; apply: chain_in.
- by move=> a b _; apply: stretch => // k j; apply: chain_in.
- by rewrite work_all.
Qed.
End Steps.

(* Words of inputs and chains that are there. *)
Lemma words_at_most (G K : finType) (D : {set G + K}) (I : {set G}) (Z : {set K}) :
  (forall v, v \in I -> inl v \in D) -> (forall k, k \in Z -> inr k \in D) -> #|I| + #|Z| <= #|D|.
Proof.
move=> iD zD; have inj1 : injective (@inl G K) by move=> ? ? []. have inj2 : injective (@inr G K) by move=> ? ? [].
rewrite -(card_imset (mem I) inj1) -(card_imset (mem Z) inj2) -cardsU_disj; last first.
  by move=> w /imsetP[? _ ->] /imsetP[? _].
by apply/subset_leq_card/subsetP => w /setUP[] /imsetP[x xS ->]; [apply: iD | apply: zD].
Qed.

Section Reduction.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Hypothesis ch : chains len z.

(* Steps x, each a vertex z (k x) (j x) of a chain, that reads the inputs A x and B x. *)
Variables (T : finType) (kk : T -> K) (jj : T -> nat) (A B : T -> G) (p q r : nat).
Definition two_operands (o : bool) := if o then A else B.
Record reduction : Prop := Reduction {
  red_reads : reads len z kk jj two_operands;
  red_AB : forall x y, A x != B y;
  red_LW : forall x x' y y', kk x = kk x' -> kk y = kk y' -> A x = A y -> B x' = B y' ->
             x = y /\ x' = y';
  red_p : forall w, #|[set x | A x == w]| <= p;
  red_q : forall w, #|[set x | B x == w]| <= q;
  red_r : forall k, #|[set x | kk x == k]| <= r }.
Hypothesis re : reduction.

Lemma reduction_can X h : at_most p q r X h -> can kk two_operands X h.
Proof.
move=> HX D S le inD; apply: (HX #|A @: S| #|B @: S| #|kk @: S|); first last.
- by apply: fiber; apply: red_r re.
- by apply: fiber; apply: red_q re.
- by apply: fiber; apply: red_p re.
- by apply: loomis_whitney; apply: red_LW re.
apply: leq_trans le; rewrite -cardsU_disj; last first.
  by move=> _ /imsetP[x _ ->] /imsetP[y _ /eqP E]; have := red_AB re x y; rewrite E.
apply: words_at_most => [v|k /imsetP[x xS ->]]; last by have [] := inD x xS.
by case/setUP=> /imsetP[x xS ->]; have [_ op] := inD x xS; [apply: (op true) | apply: (op false)].
Qed.

Theorem product_segment f t n hf ht :
  at_most p q r f hf -> at_most p q r (M + t) ht -> hf + n * ht < #|T| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof. by move=> /reduction_can Hf /reduction_can Ht lt; exact: (steps_segment ok ch (red_reads re) Hf Ht lt). Qed.

Theorem seeded_segment seed f t n hf ht : seeded z two_operands seed ->
  at_most p q r f hf -> at_most p q r (M.-1 + t) ht -> hf + n * ht < #|T| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s.
Proof. by move=> sd /reduction_can Hf /reduction_can Ht lt; exact: (seeded_steps ok ch (red_reads re) sd Hf Ht lt). Qed.
End Reduction.
