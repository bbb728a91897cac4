(* docs/theory.md section 6 for forward attention, dk and dv any, for all keys and on a mask. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment ThreeWaysMost Reduction PairTrees WorkAtPairs Attention ThreeWays Mask.
From redblue Require MaskedAttention.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Theorem attention_three game M n nk d dv (s : seq (move (attention n nk d dv))) wn rest f t q hf ht :
  0 < d -> legal game M s ->
  ways_most d dv wn rest M f hf -> ways_most d dv wn rest M (M + t) ht -> hf + q * ht < n * nk * dv * (d * (wn + rest)) ->
  f + q * t + 1 <= cost s + n * dv.
Proof.
move=> d0; case: nk s => [|nk] s ok Hf Ht lt; first by rewrite muln0 in lt.
pose G := attention n nk.+1 d dv; pose K (j : nat) : 'I_d := insubd (Ordinal d0) j.
have inK j : j < d -> K j = j :> nat by move=> jd; rewrite val_insubd jd.
pose run (x : att_step n nk dv) j : G := if j < d then S dv x.1.1 x.1.2 (K j) else P d dv x.1.1 x.1.2.
have rn : runs (@att_word n nk d dv) (fun x : att_step n nk dv => x.1) (fun x => P d dv x.1.1 x.1.2 : G)
    (fun i k => Q nk.+1 dv i k : G) (fun j k => Ky n dv j k : G) d run (fun k : 'I_d => k : nat).
  split.
  - move=> [[i j] l] k _; rewrite /run inE; case: ifP => kd; apply/negP => /forallP.
      by move=> /(_ (Q nk.+1 dv i (K k))); rewrite /= !eqxx.
    move=> /(_ (S dv i j (K d.-1))); rewrite /= !eqxx inK ?prednK ?eqxx //; clear - d0; lia.
  - move=> [[i j] l] k kd; rewrite /run kd; case: ifP => k1; rewrite /= !eqxx inK //= ?inK //.
    by rewrite eqn_leq kd leqNgt k1.
  - by move=> x; rewrite /run ltnn.
  - by move=> [[i j] l] k _; rewrite /run; case: ifP.
  - by move=> k; exact: ltnW.
  - by move=> [[i j] l] k; rewrite /run ltn_ord /= eqxx -(inj_eq val_inj) /= inK ?eqxx.
  by move=> [[i j] l] k; rewrite /run ltn_ord /= eqxx -(inj_eq val_inj) /= inK ?eqxx.
have := three_segment ok (@att_chains n nk d dv) (@att_pairs n nk d dv d0) rn (wn := wn) (rest := rest) (f := f) (t := t) (n := q) (hf := hf) (ht := ht).
by rewrite att_step_card att_chain_card card_ord; apply.
Qed.

Module Masked.
Import MaskedAttention.
Theorem masked_three game M n nk d dv mask (s : seq (move (@attention n nk d dv mask))) wn rest f t q hf ht :
  0 < d -> (forall i, exists j, mask i j) -> legal game M s ->
  ways_most d dv wn rest M f hf -> ways_most d dv wn rest M (M + t) ht -> hf + q * ht < #|pair mask| * dv * (d * (wn + rest)) ->
  f + q * t + 1 <= cost s + n * dv.
Proof.
move=> d0 rows ok Hf Ht lt; pose G := attention d dv mask; pose K (j : nat) : 'I_d := insubd (Ordinal d0) j.
have inK j : j < d -> K j = j :> nat by move=> jd; rewrite val_insubd jd.
pose run (x : masked_step dv mask) j : G := if j < d then S dv x.1 (K j) else P d dv x.1.
have rn : runs (@masked_word n nk d dv mask) (fun x : masked_step dv mask => val x.1) (fun x => P d dv x.1 : G)
    (fun i k => Q dv mask i k : G) (fun j k => Ky dv mask j k : G) d run (fun k : 'I_d => k : nat).
  split.
  - move=> [p l] k _; rewrite /run inE; case: ifP => kd; apply/negP => /forallP.
      by move=> /(_ (Q dv mask (row p) (K k))); rewrite /= !eqxx.
    move=> /(_ (S dv p (K d.-1))); rewrite /= !eqxx inK ?prednK ?eqxx //; clear - d0; lia.
  - move=> [p l] k kd; rewrite /run kd; case: ifP => k1; rewrite /= !eqxx inK //= ?inK //.
    by rewrite eqn_leq kd leqNgt k1.
  - by move=> x; rewrite /run ltnn.
  - by move=> [p l] k _; rewrite /run; case: ifP.
  - by move=> k; exact: ltnW.
  - by move=> [p l] k; rewrite /run ltn_ord /= eqxx -(inj_eq val_inj) /= inK ?eqxx.
  by move=> [p l] k; rewrite /run ltn_ord /= eqxx -(inj_eq val_inj) /= inK ?eqxx.
have [z [ch pw]] := masked_pairs dv rows d0 (@row_at_most n nk mask).
have := three_segment ok ch pw rn (wn := wn) (rest := rest) (f := f) (t := t) (n := q) (hf := hf) (ht := ht).
by rewrite masked_step_card masked_chain_card card_ord; apply.
Qed.
End Masked.
