(* docs/theory-affine.md: rooted words (section 2), of which a vertex that is red was red before, or its word was
   loaded; and what gates say of them (section 7, Theorem 13, without the first loads of inputs). *)
From mathcomp Require Import all_ssreflect zify.
From redblue Require Import Game Trace Count Segment.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Rooted.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation R i := (red (pos (start G) s i)).
(* the word of a vertex; in a rooted word every element but an input has its own predecessor in the word *)
Variables (W : finType) (word : G -> W).
Definition rooted (w : W) : Prop := forall v, v \notin input G -> word v = w -> exists2 u, edge u v & word u = w.

(* Lemma 0 *)
Lemma rooted_back w a i v : rooted w -> a <= i -> v \in R i -> word v = w ->
  exists2 u, word u = w & u \in R a \/ exists2 j, a <= j < i & loads s j u.
Proof.
move=> ro; elim/ltn_ind: i v => i IH v ai vi vw.
case: (red_back ok ai vi) => [va|[j ji l]|[j /andP[aj ji] c]].
- by exists v => //; left.
- by exists v => //; right; exists j.
have [u e uw] := ro _ (computes_noninput ok c) vw.
have [x xw H] := IH j ji u aj (computes_edge ok c e) uw.
exists x => //; case: H => [|[k /andP[ak kj] l]]; [by left | right].
by exists k => //; rewrite ak (ltn_trans kj ji).
Qed.

(* Of the words read in [a, b) all but M are loaded there: what one gate costs. *)
Theorem gap_loads (S : {set W}) a b :
  (forall w, w \in S -> rooted w /\ exists i v, [/\ a <= i <= b, v \in R i & word v = w]) ->
  #|S| <= #|R a| + #|[set w in S | [exists j : 'I_(size s), (a <= j < b) && [exists u, loads s j u && (word u == w)]]]|.
Proof.
move=> H; set L := [set w in S | _].
have sub : S \subset (word @: R a) :|: L.
  apply/subsetP => w wS; have [ro [i [v [/andP[ai ib] vi vw]]]] := H w wS.
  have [u uw [ua|[j /andP[aj ji] l]]] := rooted_back ro ai vi vw; rewrite !inE.
    by rewrite -uw imset_f.
  apply/orP; right; rewrite wS; apply/existsP; exists (Ordinal (loads_size l)) => /=.
  rewrite aj (leq_trans ji ib) /=; by apply/existsP; exists u; rewrite l uw eqxx.
apply: leq_trans (subset_leq_card sub) _; rewrite cardsU; apply: leq_trans (leq_subr _ _) _.
by rewrite leq_add2r leq_imset_card.
Qed.

(* Loads in [a, b) of words of one class. *)
Variables (C : finType) (class : W -> C).
Definition loads_of (c : C) (i : 'I_(size s)) : bool := [exists u, loads s i u && (class (word u) == c)].

Lemma window_loads (S : {set W}) c a b :
  (forall w, w \in S -> [/\ rooted w, class w = c & exists i v, [/\ a <= i <= b, v \in R i & word v = w]]) ->
  #|S| - M <= cnt (loads_of c) val a b.
Proof.
move=> H; rewrite leq_subLR.
apply: leq_trans (@gap_loads S a b _) _; first by move=> w /H[].
apply: leq_add; first exact: (card_R ok).
apply: (@card_rel _ _ _ _ (fun (i : 'I_(size s)) w => [exists u, loads s i u && (word u == w)])).
  move=> i w w' /existsP[u /andP[l /eqP<-]] /existsP[u' /andP[l' /eqP<-]].
  by rewrite (loads_fun l l').
move=> w; rewrite inE => /andP[wS /existsP[j /andP[ab e]]]; exists j => //.
rewrite inE ab andbT; have [_ <- _] := H w wS.
case/existsP: e => u /andP[l /eqP<-]; apply/existsP; exists u; by rewrite l eqxx.
Qed.

(* Gates of each class at times t c 0 <= t c 1 <= ...; what is red between two of them is kept or loaded again. *)
Theorem gates_bound (n : C -> nat) (t : C -> nat -> nat) (S : C -> nat -> {set W}) :
  (forall c k, k < n c -> t c k <= t c k.+1) ->
  (forall c k w, k < n c -> w \in S c k ->
     [/\ rooted w, class w = c & exists i v, [/\ t c k <= i <= t c k.+1, v \in R i & word v = w]]) ->
  \sum_c \sum_(k < n c) (#|S c k| - M) + #|output G :\: input G| <= cost s.
Proof.
move=> mono H; rewrite (costE s) leq_add ?(output_stores ok) //.
have one c : \sum_(k < n c) (#|S c k| - M) <= cnt (loads_of c) val 0 (size s).
  have part m : m <= n c -> \sum_(k < m) (#|S c k| - M) <= cnt (loads_of c) val (t c 0) (t c m) /\ t c 0 <= t c m.
    elim: m => [|m IH] mn; first by rewrite big_ord0.
    have [le t0] := IH (ltnW mn); split; last exact: leq_trans t0 (mono _ _ mn).
    rewrite big_ord_recr /= (cnt_cat _ _ t0 (mono _ _ mn)) leq_add //.
    by apply: window_loads => w; apply: H.
  have [le _] := part (n c) (leqnn _); apply: leq_trans le _.
  apply: subset_leq_card; apply/subsetP => i; rewrite !inE => /andP[-> _] /=; exact: ltn_ord.
apply: (@leq_trans (\sum_c cnt (loads_of c) val 0 (size s))); first by apply: leq_sum => c _; apply: one.
have sums (P : pred 'I_(size s)) : cnt P val 0 (size s) = \sum_i (P i : nat).
  rewrite /cnt -sum1dep_card big_mkcond; apply: eq_bigr => i _.
  by rewrite leq0n ltn_ord !andbT; case: (P i).
rewrite /n_loads sums (eq_bigr _ (fun c _ => sums (loads_of c))) exchange_big /=; apply: leq_sum => i _.
have [l|nl] := boolP (at_time (@is_load G) i); last first.
  rewrite big1 // => c _; apply/eqP; rewrite eqb0; apply: contra nl => /existsP[u /andP[lu _]].
  by move: lu; rewrite /loads /at_time; case: (mv s i) => [[]|].
have [u lu] : exists u, loads s i u.
  by move: l; rewrite /at_time /loads; case: (mv s i) => [[w|w|w|x w|w|w]|] //= _; exists w.
rewrite (bigD1 (class (word u))) //= big1 => [|c /negPf cu]; first by rewrite addn0 leq_b1.
apply/eqP; rewrite eqb0; apply/negP => /existsP[v /andP[lv /eqP cv]].
by rewrite -(loads_fun lu lv) in cv; rewrite cv eqxx in cu.
Qed.
End Rooted.

(* Segments cut at loads alone: the words are those of what is red when a segment begins or loaded in it. *)
Section Loads.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (W : finType) (word : G -> W).
Let c0 (k : void) : nat -> nat := of_void (nat -> nat) k.
Let key0 (k : void) : W := of_void W k.
Definition red_or_loaded (a b : nat) : {set W} := avail s c0 word key0 a b.

Lemma red_or_computed a b i v : a <= i < b -> v \in red (pos (start G) s i) ->
  word v \in red_or_loaded a b \/ exists2 j, a <= j < i & computes s j v.
Proof. exact: (used_avail ok). Qed.
Lemma rooted_in a b i v w : rooted word w -> a <= i < b -> v \in red (pos (start G) s i) -> word v = w -> w \in red_or_loaded a b.
Proof.
move=> ro /andP[ai ib] vi vw; have [u <- [ua|[j /andP[aj ji] l]]] := rooted_back ok ro ai vi vw; first exact: red_avail.
by apply: (loaded_avail (s := s) c0 word key0 (a := a) (b := b)) l; rewrite aj (ltn_trans ji ib).
Qed.

Theorem loads_segment (work : nat -> nat -> nat) f t q hf ht :
  (forall a b, a <= b -> work 0 b <= work 0 a + work a b) ->
  (forall a b, #|red_or_loaded a b| <= f -> work a b <= hf) ->
  (forall a b, #|red_or_loaded a b| <= M + t -> work a b <= ht) ->
  hf + q * ht < work 0 (size s) -> f + q * t + 1 + #|output G :\: input G| <= cost s.
Proof.
move=> wcat Hf Ht lt; pose len0 (k : void) : nat := of_void nat k; pose z0 (k : void) : nat -> G := of_void (nat -> G) k.
have ch0 : chains len0 z0 by split; case.
have ca0 : canonical s len0 z0 c0 by case.
have := @events_cost _ _ _ _ ok _ c0 (f + q * t + 1); rewrite card_void addn0; apply.
by apply: (@segment_lemma _ _ _ _ ok _ len0 z0 ch0 c0 ca0 _ word key0 work f t hf ht q) => // a b _; [apply: Hf | apply: Ht].
Qed.
End Loads.
