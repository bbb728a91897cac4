(* docs/theory-affine.md section 4, Theorem 4: when nothing is computed twice, computed operands are words, too.  For any CDAG. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment Reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* nothing is computed twice *)
Definition one_shot (G : cdag) (s : seq (move G)) : Prop := forall v i j, computes s i v -> computes s j v -> i = j.

Section OneShot.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypotheses (ok : legal game M s) (once : one_shot s).
(* Disjoint chains: the words, cut at operands; an operand that steps read is a chain of its own, of one vertex. *)
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Hypothesis ch : chains len z.

(* Steps: vertices that every play computes, each of which reads the vertices need o x: inputs, or vertices of chains. *)
Variables (T O : finType) (step : T -> G) (need : O -> T -> G).
Record uses : Prop := Uses {
  us_live : forall x, live (step x) && (step x \notin input G);
  us_edge : forall o x, edge (need o x) (step x);
  us_word : forall o x, need o x \in input G \/ exists k j, j < len k /\ need o x = z k j }.
Hypothesis us : uses.

(* X words suffice for h steps at most *)
Definition can_once (X h : nat) : Prop := forall (D : {set G + K}) (S : {set T}), #|D| <= X ->
  (forall x, x \in S -> forall o, word_of len z (need o x) \in D) -> #|S| <= h.

(* Each chain has one birth: #|K| counts the first elements, and the operands. *)
Theorem one_shot_segment f t n hf ht :
  can_once f hf -> can_once (M + t) ht -> hf + n * ht < #|T| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof.
have [c ca] := canonical_exists ok ch => Hf Ht lt; apply: (events_cost ok (c := c)).
have /fin_all_exists[tm tmc] : forall x, exists i, computes s i (step x).
  by move=> x; have /andP[lx nx] := us_live us x; exact: (live_computed ok lx nx).
pose work a b := cnt predT tm a b.
have wcat a b : a <= b -> work 0 b <= work 0 a + work a b by move=> ab; rewrite /work (cnt_cat predT tm (leq0n a) ab).
have stretch a b X h : can_once X h -> #|avail s c (word_of len z) inr a b| <= X -> work a b <= h.
  move=> HX le; rewrite /work /cnt; apply: (HX _ _ le) => x; rewrite inE => ab o.
  have red := computes_edge ok (tmc x) (us_edge us o x).
  case: (us_word us o x) => [nI|[k [j [jl nE]]]]; first exact: (input_avail ok c _ inr ab red nI).
  case: (used_avail ok c (word_of len z) inr ab red) => // -[i ii ci]; rewrite nE in ci *.
  rewrite (word_chain ch jl); apply: (chain_avail ok ch ca (word := word_of len z) (key := inr) _ jl).
    by move=> ? ? ?; apply: word_chain.
  by rewrite -(once ci (c_computes ca jl)); move: ii ab; lia.
apply: (segment_lemma ok ch ca (word := word_of len z) (key := inr) (work := work) (hf := hf) (ht := ht)) => //.
- by move=> a b _; apply: stretch.
- by move=> a b _; apply: stretch.
- apply: leq_trans lt _; rewrite /work /cnt -cardsT; apply/subset_leq_card/subsetP => x _.
  by rewrite inE /=; apply: computes_size (tmc x).
Qed.
End OneShot.
