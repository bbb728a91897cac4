(* docs/theory.md section 4: work at pairs, one product, for any CDAG. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney CarriedOrMade Reduction PairTrees.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section PairWords.
Variables (Rw Cl Dk Vt K : finType).
(* words of rows, words of columns, words of the operand, chains, pairs, and all the rest *)
Definition pword : finType :=
  [finType of ((Rw * Dk + Cl * Dk) + (Vt + K)) + (Rw * Cl + unit)].
Definition wQ i k : pword := inl (inl (inl (i, k))).
Definition wK j k : pword := inl (inl (inr (j, k))).
Definition wV v : pword := inl (inr (inl v)).
Definition wZ x : pword := inl (inr (inr x)).
Definition wP e : pword := inr (inl e).
Definition wO : pword := inr (inr tt).

Lemma pword_split (A : {set pword}) (A1 : {set Rw * Dk}) (A2 : {set Cl * Dk}) (V : {set Vt}) (Z : {set K}) (P : {set Rw * Cl}) :
  (forall i k, (i, k) \in A1 -> wQ i k \in A) -> (forall j k, (j, k) \in A2 -> wK j k \in A) ->
  (forall v, v \in V -> wV v \in A) -> (forall x, x \in Z -> wZ x \in A) ->
  (forall e, e \in P -> wP e \in A) ->
  #|P| + (#|A1| + #|A2|) + #|V| + #|Z| <= #|A|.
Proof.
move=> hR hC hV hZ hP; rewrite !card_split.
set a1 := (X in _ <= X + _ + (_ + _) + (_ + _)); set a2 := (X in _ <= _ + X + (_ + _) + (_ + _)).
set a3 := (X in _ <= _ + _ + (X + _) + (_ + _)); set a4 := (X in _ <= _ + _ + (_ + X) + (_ + _)).
set a5 := (X in _ <= _ + _ + (_ + _) + (X + _)).
have l1 : #|A1| <= a1 by apply/subset_leq_card/subsetP => -[i k] /hR; rewrite !inE.
have l2 : #|A2| <= a2 by apply/subset_leq_card/subsetP => -[i k] /hC; rewrite !inE.
have l3 : #|V| <= a3 by apply/subset_leq_card/subsetP => v /hV; rewrite !inE.
have l4 : #|Z| <= a4 by apply/subset_leq_card/subsetP => v /hZ; rewrite !inE.
have l5 : #|P| <= a5 by apply/subset_leq_card/subsetP => v /hP; rewrite !inE.
by move: l1 l2 l3 l4 l5; clear; lia.
Qed.
(* of rows and of columns all words *)
Lemma pword_card (A : {set pword}) (R : {set Rw}) (C : {set Cl}) (V : {set Vt}) (Z : {set K}) (P : {set Rw * Cl}) :
  (forall i k, i \in R -> wQ i k \in A) -> (forall j k, j \in C -> wK j k \in A) ->
  (forall v, v \in V -> wV v \in A) -> (forall x, x \in Z -> wZ x \in A) ->
  (forall e, e \in P -> wP e \in A) ->
  #|P| + #|Dk| * (#|R| + #|C|) + #|V| + #|Z| <= #|A|.
Proof.
move=> hR hC hV hZ hP; have -> : #|Dk| * (#|R| + #|C|) = #|setX R [set: Dk]| + #|setX C [set: Dk]|.
  by rewrite !cardsX cardsT -mulnDl mulnC.
by apply: pword_split => // i k; rewrite in_setX in_setT andbT => /=; [apply: hR | apply: hC].
Qed.
End PairWords.

Section PairSegment.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Hypothesis ch : chains len z.
Variables (Rw Cl Dk Vt : finType) (word : G -> pword Rw Cl Dk Vt K).
Local Notation wQ := (@wQ Rw Cl Dk Vt K).
Local Notation wK := (@wK Rw Cl Dk Vt K).
Local Notation wV := (@wV Rw Cl Dk Vt K).
Local Notation wZ := (@wZ Rw Cl Dk Vt K).
Local Notation wP := (@wP Rw Cl Dk Vt K).

(* Steps x: vertex jj x of chain kk x reads root x, a value of the pair pr x, and the input V x. *)
Variables (T : finType) (kk : T -> K) (jj : T -> nat) (pr : T -> Rw * Cl) (vv : T -> Vt).
Variables (V root : T -> G) (tree : Rw * Cl -> pred G) (Q : Rw -> Dk -> G) (Ky : Cl -> Dk -> G).
(* a pair serves dv steps, a word of V serves rv, a chain rz; there are at most N pairs *)
Variables dv rv rz N : nat.
Record pair_work : Prop := PairWork {
  pw_step : forall x, jj x < len (kk x);
  pw_chain : forall k j, j < len k -> word (z k j) = wZ k;
  pw_V : forall x, V x \in input G /\ word (V x) = wV (vv x);
  pw_Q : forall i k, Q i k \in input G /\ word (Q i k) = wQ i k;
  pw_K : forall j k, Ky j k \in input G /\ word (Ky j k) = wK j k;
  pw_tree : forall e v, tree e v -> word v = wP e;
  pw_edgeV : forall x, edge (V x) (z (kk x) (jj x));
  pw_root : forall x, edge (root x) (z (kk x) (jj x));
  pw_row : forall x k, needs (tree (pr x)) (Q (pr x).1 k) (root x);
  pw_col : forall x k, needs (tree (pr x)) (Ky (pr x).2 k) (root x);
  pw_LW : forall x x' y y', pr x = pr x' -> pr y = pr y' -> vv x = vv y -> kk x' = kk y' ->
            x = y /\ x' = y';
  pw_dv : forall e, #|[set x | pr x == e]| <= dv;
  pw_rv : forall w, #|[set x | vv x == w]| <= rv;
  pw_rz : forall k, #|[set x | kk x == k]| <= rz;
  pw_N : #|pr @: [set: T]| <= N }.
Hypothesis pw : pair_work.

Local Notation most := (pairs_at_most #|Dk| dv rv rz N).
Theorem pair_segment f t n hf ht :
  most f hf -> most (M + t) ht -> hf + n * ht < #|T| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof.
have [c ca] := canonical_exists ok ch.
pose tm x := c (kk x) (jj x); pose work a b := cnt predT tm a b => Hf Ht lt.
have tmc x : computes s (tm x) (z (kk x) (jj x)) by exact: (c_computes ca (pw_step pw x)).
have stretch a b X h : most X h -> #|avail s c word wZ a b| <= X -> work a b <= h.
  move=> H le; rewrite /work /cnt; set S := [set x | _].
  have SP x : x \in S -> a <= tm x < b by rewrite inE.
  set D := avail s c word wZ a b in le.
  pose p := [set e | wP e \in D].
  pose R := [set i | [forall k, wQ i k \in D]]; pose C := [set j | [forall k, wK j k \in D]].
  have sub : pr @: S \subset p :|: setX R C.
    apply/subsetP => _ /imsetP[x xS ->]; have rd := computes_edge ok (tmc x) (pw_root pw x).
    apply/setUP; case: (boolP (wP (pr x) \in D)) => cD; [by left; rewrite inE | right].
    rewrite [X in X \in _]surjective_pairing; apply/setXP.
    split; rewrite inE; apply/forallP => k.
      have [qI <-] := pw_Q pw (pr x).1 k.
      by apply: (tree_avail ok (pw_tree pw (e := pr x)) qI (pw_row pw x k) (SP x xS) rd cD).
    have [kI <-] := pw_K pw (pr x).2 k.
    by apply: (tree_avail ok (pw_tree pw (e := pr x)) kI (pw_col pw x k) (SP x xS) rd cD).
  have sum : #|p| + #|Dk| * (#|R| + #|C|) + #|vv @: S| + #|kk @: S| <= X.
    apply: leq_trans le; apply: pword_card.
    - by move=> i k; rewrite inE => /forallP/(_ k).
    - by move=> i k; rewrite inE => /forallP/(_ k).
    - move=> _ /imsetP[x xS ->]; have [vI <-] := pw_V pw x.
      exact: (input_avail ok c word wZ (SP x xS) (computes_edge ok (tmc x) (pw_edgeV pw x)) vI).
    - move=> _ /imsetP[x xS ->].
      exact: (chain_avail ok ch ca (pw_chain pw) (pw_step pw x) (SP x xS)).
    - by move=> e; rewrite inE.
  apply: (H _ _ _ _ _ #|pr @: S| _ sum).
  - apply: leq_trans (subset_leq_card sub) _; apply: leq_trans (leq_card_setU _ _) _.
    by rewrite cardsX.
  - by apply: leq_trans (pw_N pw); apply/subset_leq_card/imsetS/subsetP.
  - by apply: loomis_whitney; apply: pw_LW pw.
  - by apply: fiber; apply: pw_dv pw.
  - by apply: fiber; apply: pw_rv pw.
  - by apply: fiber; apply: pw_rz pw.
apply: (segment_bound ok ch ca (word := word) (key := wZ) (work := work) (hf := hf) (ht := ht)).
- by move=> a b ab; rewrite /work (cnt_cat predT tm (leq0n a) ab).
- by move=> a b _; apply: stretch.
- by move=> a b _; apply: stretch.
- apply: leq_trans lt _; rewrite /work /cnt -cardsT; apply/subset_leq_card/subsetP => x _.
  by rewrite inE /=; apply: computes_size (tmc x).
Qed.
End PairSegment.
