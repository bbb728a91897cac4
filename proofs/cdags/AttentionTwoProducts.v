(* docs/theory.md section 5 for forward attention, dk = dv = d. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney CarriedOrMade TwoProductsMost Reduction PairTrees WorkAtPairs Attention TwoProducts.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma live_edge (G : cdag) (v w : G) : edge v w -> live w -> live v.
Proof.
move=> e /existsP[o /andP[oO cw]]; apply/existsP; exists o; rewrite oO /=.
exact: connect_trans (connect1 e) cw.
Qed.

Theorem attention_two game M n nk d dv (s : seq (move (attention n nk d dv))) f t q hf ht :
  0 < d -> 0 < dv -> legal game M s ->
  two_most d f hf -> two_most d (M + t) ht -> hf + q * ht < n * nk * dv + n * nk * d ->
  f + q * t + 1 <= cost s + n * nk.
Proof.
move=> d0 dv0; case: nk s => [|nk] s ok Hf Ht lt; first by rewrite !muln0 in lt.
pose G := attention n nk.+1 d dv; pose z := @att_z n nk d dv.
pose zS (e : 'I_n * 'I_nk.+1) j : G := S dv e.1 e.2 (insubd (Ordinal d0) j).
have insE j : j < d -> (insubd (Ordinal d0) j : 'I_d) = j :> nat by move=> jd; rewrite val_insubd jd.
have liveO i l : live (O nk.+1 d i l : G).
  by apply/existsP; exists (O nk.+1 d i l : G); rewrite att_O_output /= connect0.
have liveL i (j : 'I_nk.+1) : live (L d dv i j : G).
  have [k kj] : exists k, k = nk - j by exists (nk - j).
  elim: k j kj => [|k IH] j kj.
    apply: (@live_edge G _ (O nk.+1 d i (Ordinal dv0))) => //=; rewrite eqxx /=; apply/eqP.
    by have := ltn_ord j; move: kj; clear; lia.
  have j1 : j.+1 < nk.+1 by move: kj; clear; lia.
  apply: (@live_edge G _ (L d dv i (Ordinal j1))) => /=; first by rewrite !eqxx.
  by apply: IH => /=; move: kj; clear; lia.
have ch : @chains G (K2 [finType of 'I_n] [finType of 'I_nk.+1] (att_chain n dv)) (len2 (fun=> nk.+1) d) (z2 z zS).
  split=> //.
  - by case.
  - case=> [x|e] j jk; first exact: (chain_edge (@att_chains n nk d dv)).
    by rewrite /= !eqxx !insE //; move: jk; rewrite /=; lia.
  - by case=> [[i j]|[i j]] l [[i' j']|[i' j']] l' _ _ //= [-> ->].
  - case=> [[i j]|[i j]]; first exact: att_Z_computed.
    by apply/negP; rewrite inE => /forallP/(_ (Q nk.+1 dv i (insubd (Ordinal d0) 0))); rewrite /= !eqxx.
  case=> [x|[i j]]; first exact: (chain_live (@att_chains n nk d dv)).
  apply: (@live_edge G _ (P d dv i j)) => /=; first by rewrite !eqxx insE ?prednK ?eqxx.
  by apply: (@live_edge G _ (L d dv i j)) => //=; rewrite !eqxx.
have sw : score_work (@att_word n nk d dv) d zS (fun i k => Q nk.+1 dv i k : G) (fun j k => Ky n dv j k : G) (fun k : 'I_d => k : nat).
  split=> //.
  - by move=> [i j] k _.
  - by move=> [i j] k; rewrite /zS /= eqxx -(inj_eq val_inj) /= insE ?eqxx.
  - by move=> [i j] k; rewrite /zS /= eqxx -(inj_eq val_inj) /= insE ?eqxx.
have := two_segment ok ch (@att_pairs n nk d dv d0) sw (n := q) (f := f) (t := t) (hf := hf) (ht := ht).
rewrite att_step_card att_chain_card !card_ord => /(_ Hf Ht lt).
by have := @att_stores n nk d dv; move: (cost s) (#|_|) => x y; clear; lia.
Qed.
