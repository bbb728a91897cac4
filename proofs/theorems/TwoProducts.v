(* docs/theory.md section 5: two products, steps of scores and of accumulators, for any CDAG with work at pairs. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney CarriedOrMade TwoProductsMost Reduction PairTrees WorkAtPairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Two.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (Rw Cl Dk Vt K : finType) (word : G -> pword Rw Cl Dk Vt K).
Local Notation wQ := (@wQ Rw Cl Dk Vt K).
Local Notation wK := (@wK Rw Cl Dk Vt K).
Local Notation wV := (@wV Rw Cl Dk Vt K).
Local Notation wZ := (@wZ Rw Cl Dk Vt K).
Local Notation wP := (@wP Rw Cl Dk Vt K).
(* accumulator chains and score chains, one for each of some pairs *)
Variables (E : finType) (pv : E -> Rw * Cl) (len : K -> nat) (z : K -> nat -> G) (dS : nat) (zS : E -> nat -> G).
Definition K2 : finType := [finType of K + E].
Definition len2 (k : K2) := match k with inl k => len k | inr _ => dS end.
Definition z2 (k : K2) := match k with inl k => z k | inr e => zS e end.
Definition key2 (k : K2) : pword Rw Cl Dk Vt K := match k with inl k => wZ k | inr e => wP (pv e) end.
Hypothesis ch : chains len2 z2.
Variables (T : finType) (kk : T -> K) (jj : T -> nat) (pr : T -> Rw * Cl) (vv : T -> Vt).
Variables (V root : T -> G) (tree : Rw * Cl -> pred G) (Q : Rw -> Dk -> G) (Ky : Cl -> Dk -> G) (dv rv rz N : nat).
Hypothesis pw : pair_work len z word kk jj pr vv V root tree Q Ky dv rv rz N.
Variable ix : Dk -> nat.
Record score_work : Prop := ScoreWork {
  sw_ix : forall k, ix k < dS;
  sw_pv : injective pv;
  sw_word : forall e j, j < dS -> word (zS e j) = wP (pv e);
  sw_edgeQ : forall e k, edge (Q (pv e).1 k) (zS e (ix k));
  sw_edgeK : forall e k, edge (Ky (pv e).2 k) (zS e (ix k)) }.
Hypothesis sw : score_work.

Theorem two_segment f t n hf ht :
  two_most #|Dk| f hf -> two_most #|Dk| (M + t) ht -> hf + n * ht < #|T| + #|E| * #|Dk| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s + (#|K| + #|E|).
Proof.
have [c ca] := canonical_exists ok ch.
pose TS := [finType of E * Dk].
pose tm x := c (inl (kk x)) (jj x); pose ts (x : TS) := c (inr x.1) (ix x.2).
pose work a b := cnt predT ts a b + cnt predT tm a b => Hf Ht lt.
have tmc x : computes s (tm x) (z (kk x) (jj x)) by exact: (c_computes ca (pw_step pw x : _ < len2 (inl _))).
have tsc x : computes s (ts x) (zS x.1 (ix x.2)) by exact: (c_computes ca (sw_ix sw x.2 : _ < len2 (inr x.1))).
have wch k j : j < len2 k -> word (z2 k j) = key2 k.
  by case: k => [k|e] /=; [apply: pw_chain pw _ _ | apply: sw_word sw _ _].
have stretch a b X h : two_most #|Dk| X h -> #|avail s c word key2 a b| <= X -> work a b <= h.
  move=> H le; rewrite /work /cnt; set SS := [set x | _]; set SZ := [set x | _].
  have SZP x : x \in SZ -> a <= tm x < b by rewrite inE.
  have SSP x : x \in SS -> a <= ts x < b by rewrite inE.
  set D := avail s c word key2 a b in le.
  pose p := [set e | wP e \in D].
  pose A1 := [set x : Rw * Dk | wQ x.1 x.2 \in D]; pose A2 := [set x : Cl * Dk | wK x.1 x.2 \in D].
  pose R := [set i | [forall k, wQ i k \in D]]; pose C := [set j | [forall k, wK j k \in D]].
  apply: (H #|p| #|A1| #|A2| #|R| #|C| #|vv @: SZ| #|kk @: SZ| #|pr @: SZ|).
  - apply: leq_trans le; apply: leq_trans (pword_split (A1 := A1) (A2 := A2) (V := vv @: SZ) (Z := kk @: SZ) (P := p) _ _ _ _ _).
    + by clear; lia.
    + by move=> i k; rewrite inE.
    + by move=> i k; rewrite inE.
    + move=> _ /imsetP[x xS ->]; have [vI <-] := pw_V pw x.
      exact: (input_avail ok c word key2 (SZP x xS) (computes_edge ok (tmc x) (pw_edgeV pw x)) vI).
    + by move=> _ /imsetP[x xS ->]; exact: (chain_avail ok ch ca wch (pw_step pw x : _ < len2 (inl _)) (SZP x xS)).
    by move=> e; rewrite inE.
  - rewrite -(cardsT Dk) -cardsX; apply/subset_leq_card/subsetP => -[i k] /setXP[iR _].
    by rewrite inE /=; move: iR; rewrite inE => /forallP/(_ k).
  - rewrite -(cardsT Dk) -cardsX; apply/subset_leq_card/subsetP => -[i k] /setXP[iR _].
    by rewrite inE /=; move: iR; rewrite inE => /forallP/(_ k).
  - rewrite -cardsX; apply: leq_trans (leq_card_setU _ _); apply/subset_leq_card/subsetP.
    move=> _ /imsetP[x xS ->]; have rd := computes_edge ok (tmc x) (pw_root pw x).
    apply/setUP; case: (boolP (wP (pr x) \in D)) => cD; [by left; rewrite inE | right].
    rewrite [X in X \in _]surjective_pairing; apply/setXP.
    split; rewrite inE; apply/forallP => k.
      have [qI <-] := pw_Q pw (pr x).1 k.
      by apply: (tree_avail ok (pw_tree pw (e := pr x)) qI (pw_row pw x k) (SZP x xS) rd cD).
    have [kI <-] := pw_K pw (pr x).2 k.
    by apply: (tree_avail ok (pw_tree pw (e := pr x)) kI (pw_col pw x k) (SZP x xS) rd cD).
  - have lw : #|SS| ^ 2 <= #|(fun x : TS => pv x.1) @: SS| *
        (#|(fun x : TS => ((pv x.1).1, x.2)) @: SS| * #|(fun x : TS => ((pv x.1).2, x.2)) @: SS|).
      apply: loomis_whitney => -[e1 k1] [e2 k2] [e3 k3] [e4 k4] /= /(sw_pv sw) -> /(sw_pv sw) -> [q ->] [r ->].
      suff -> : e2 = e4 by []. by apply: (sw_pv sw); rewrite [LHS]surjective_pairing q r -surjective_pairing.
    apply: leq_trans lw _; apply: leq_mul; last apply: leq_mul; apply/subset_leq_card/subsetP => _ /imsetP[x xS ->].
    + by rewrite inE; apply: (chain_avail ok ch ca wch (k := inr x.1) (sw_ix sw x.2) (SSP x xS)).
    + rewrite inE /=; have [qI <-] := pw_Q pw (pv x.1).1 x.2.
      exact: (input_avail ok c word key2 (SSP x xS) (computes_edge ok (tsc x) (sw_edgeQ sw x.1 x.2)) qI).
    rewrite inE /=; have [qI <-] := pw_K pw (pv x.1).2 x.2.
    exact: (input_avail ok c word key2 (SSP x xS) (computes_edge ok (tsc x) (sw_edgeK sw x.1 x.2)) qI).
  by apply: loomis_whitney; apply: pw_LW pw.
have <- : #|K2| = #|K| + #|E| by rewrite card_sum.
apply: (segment_bound ok ch ca (word := word) (key := key2) (work := work) (hf := hf) (ht := ht)).
- move=> a b ab; rewrite /work (cnt_cat predT ts (leq0n a) ab) (cnt_cat predT tm (leq0n a) ab).
  by move: (cnt _ _ _ _) (cnt _ _ _ _) => x y; clear; lia.
- by move=> a b _; apply: stretch.
- by move=> a b _; apply: stretch.
apply: leq_trans lt _; rewrite addnC /work /cnt; apply: leq_add.
  rewrite -card_prod -cardsT; apply/subset_leq_card/subsetP => x _.
  by rewrite inE /=; apply: computes_size (tsc x).
rewrite -cardsT; apply/subset_leq_card/subsetP => x _.
by rewrite inE /=; apply: computes_size (tmc x).
Qed.
End Two.
