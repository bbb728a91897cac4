(* docs/theory.md section 5 for forward attention, dk = dv = d, for all keys and on a mask. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney CarriedOrMade TwoProductsMost Reduction PairTrees WorkAtPairs Attention TwoProducts Mask.
From redblue Require MaskedAttention.
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
have ch : @chains G (K2 (att_chain n dv) [finType of 'I_n * 'I_nk.+1]) (len2 (fun=> nk.+1) d) (z2 z zS).
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
have sw : score_work (@att_word n nk d dv) id d zS (fun i k => Q nk.+1 dv i k : G) (fun j k => Ky n dv j k : G) (fun k : 'I_d => k : nat).
  split=> //.
  - by move=> [i j] k _.
  - by move=> [i j] k; rewrite /zS /= eqxx -(inj_eq val_inj) /= insE ?eqxx.
  - by move=> [i j] k; rewrite /zS /= eqxx -(inj_eq val_inj) /= insE ?eqxx.
have := two_segment ok ch (@att_pairs n nk d dv d0) sw (n := q) (f := f) (t := t) (hf := hf) (ht := ht).
rewrite att_step_card att_chain_card card_prod !card_ord => /(_ Hf Ht lt).
by have := @att_stores n nk d dv; move: (cost s) (#|_|) => x y; clear; lia.
Qed.

Module Masked.
Import MaskedAttention.
Theorem masked_two game M n nk d dv mask (s : seq (move (@attention n nk d dv mask))) f t q hf ht :
  0 < d -> 0 < dv -> (forall i, exists j, mask i j) -> legal game M s ->
  two_most d f hf -> two_most d (M + t) ht -> hf + q * ht < #|pair mask| * dv + #|pair mask| * d ->
  f + q * t + 1 <= cost s + #|pair mask|.
Proof.
move=> d0 dv0 rows ok Hf Ht lt; pose G := attention d dv mask.
pose zS (p : pair mask) j : G := S dv p (insubd (Ordinal d0) j).
have insE j : j < d -> (insubd (Ordinal d0) j : 'I_d) = j :> nat by move=> jd; rewrite val_insubd jd.
have liveO i l : live (O d mask i l : G).
  by apply/existsP; exists (O d mask i l : G); rewrite masked_O_output ?connect0 /=.
have [zz [len0 zzr zzK zzn last_zz]] := in_rows rows; pose len i := size (keys mask i).
have liveL p : live (L d dv p : G).
  suff H i k a : a < len i -> k = (len i).-1 - a -> live (L d dv (zz i a) : G).
    by rewrite -(zzK p); apply: (H _ _ _ (place_lt p)).
  elim: k a => [|k IH] a al ka.
    have -> : a = (len i).-1 by move: al ka; clear; lia.
    by apply: (@live_edge G _ (O d mask i (Ordinal dv0))) => //=; rewrite last_zz zzr ?eqxx // ltn_predL; apply: len0.
  have a1 : a.+1 < len i by move: ka; clear; lia.
  by apply: (@live_edge G _ (L d dv (zz i a.+1))) => /=; [apply: zzn | apply: IH => //; move: ka; clear; lia].
have [z [ch0 pw]] := masked_pairs dv rows d0 (@row_at_most n nk mask).
have ch : @chains G (K2 (masked_chain n dv) (pair mask)) (len2 (@masked_len n nk dv mask) d) (z2 z zS).
  split=> //.
  - by case=> [x|p]; [exact: (chain_pos ch0) | exact: d0].
  - case=> [x|p] j jk; first exact: (chain_edge ch0).
    by rewrite /= !eqxx !insE //; move: jk; rewrite /=; lia.
  - case=> [x|p] l [x'|p'] l' /= la lb; first by move/(chain_inj ch0 la lb) => ->.
    + by move=> E; have := pw_chain pw la; rewrite E.
    + by move=> E; have := pw_chain pw lb; rewrite -E.
    by case=> ->.
  - case=> [x|p]; first exact: (chain_born ch0).
    by apply/negP; rewrite inE => /forallP/(_ (Q dv mask (row p) (insubd (Ordinal d0) 0))); rewrite /= !eqxx.
  case=> [x|p]; first exact: (chain_live ch0).
  apply: (@live_edge G _ (P d dv p)) => /=; first by rewrite !eqxx insE ?prednK ?eqxx.
  by apply: (@live_edge G _ (L d dv p)) => //=; rewrite !eqxx.
have sw : score_work (@masked_word n nk d dv mask) val d zS (fun i k => Q dv mask i k : G) (fun j k => Ky dv mask j k : G) (fun k : 'I_d => k : nat).
  split=> //.
  - exact: val_inj.
  - by move=> p k; rewrite /zS /= eqxx -(inj_eq val_inj) /= insE ?eqxx.
  - by move=> p k; rewrite /zS /= eqxx -(inj_eq val_inj) /= insE ?eqxx.
have := two_segment ok ch pw sw (n := q) (f := f) (t := t) (hf := hf) (ht := ht).
rewrite masked_step_card masked_chain_card !card_ord => /(_ Hf Ht lt).
by have := masked_stores d dv rows; move: (cost s) (#|_|) (#|pair mask|) => x y w; clear; lia.
Qed.
End Masked.
