(* Inputs besides of attention's texts: the words of O in the backward pass, from which D is made, on any mask; a number for each pair. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment PairTrees Residency BackwardSegments InputsBesides Mask.
From redblue Require Attention AttentionBackward BackwardCovering MaskedBackward.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Live.
Variable G : cdag.
Lemma edge_live (u v : G) : edge u v -> live v -> live u.
Proof. by move=> uv /existsP[o /andP[oO vo]]; apply/existsP; exists o; rewrite oO (connect_trans (connect1 uv) vo). Qed.
Lemma back_live (z : nat -> G) n : (forall j, j.+1 < n -> edge (z j) (z j.+1)) -> live (z n.-1) -> forall j, j < n -> live (z j).
Proof.
move=> ed lv j jn; have -> : j = n.-1 - (n.-1 - j) by move: jn; clear; lia.
elim: (n.-1 - j) => [|i IH]; first by rewrite subn0.
case: (ltnP i n.-1) => ii; last by rewrite (_ : n.-1 - i.+1 = n.-1 - i) //; move: ii; clear; lia.
by apply: edge_live IH; rewrite (_ : n.-1 - i = (n.-1 - i.+1).+1); [apply: ed|]; move: ii jn; clear; lia.
Qed.
Lemma edge_noninput (u v : G) : edge u v -> v \notin input G.
Proof. by move=> uv; rewrite inE; apply/negP => /forallP/(_ u); rewrite uv. Qed.
Lemma noninput_edge (v : G) : v \notin input G -> exists u, edge u v.
Proof. by rewrite inE => /forallPn[u]; rewrite negbK; exists u. Qed.
End Live.

Module Full.
Import AttentionBackward.
Section Full.
Variables n' nk' d dv : nat.
Notation n := n'.+1. Notation nk := nk'.+1.
Notation G := (attention_backward n d nk dv).
Definition Os : {set G} := [set v : G | if v is O _ _ then true else false].
Lemma Os_card : #|Os| = n * dv.
Proof.
rewrite -[RHS](_ : #|[set: 'I_n * 'I_dv]| = _); last by rewrite cardsT card_prod !card_ord.
rewrite -(card_imset [set: 'I_n * 'I_dv] (f := fun x => O d nk x.1 x.2 : G)) => [|[i l] [i' l'] [-> ->]//].
apply: eq_card => v; rewrite inE; apply/idP/imsetP => [|[x _ ->]//].
by case: v => // i l _; exists (i, l).
Qed.
Lemma dS_live (i : 'I_n) (j : 'I_nk) : 0 < d -> live (dS d dv i j : G).
Proof.
move=> d0; have ch := @BackwardCovering.ch n' nk' d dv; pose k : BackwardCovering.K3 n' nk' d dv := inl (inl (i, Ordinal d0)).
apply: (edge_live (v := BackwardCovering.z k j)); first by rewrite /= inord_val !eqxx.
apply: (back_live (n := nk) (z := BackwardCovering.z k)) => // [t tl|]; first exact: (chain_edge ch (k := k)).
exact: (chain_live ch k).
Qed.
Lemma D_live (i : 'I_n) (l : 'I_dv) : 0 < d -> live (D d nk i l : G).
Proof.
move=> d0; move: {2}(dv - l) (leqnn (dv - l)) => m; elim: m l => [|m IH] l le; first by have := ltn_ord l; move: le; clear; lia.
case: (ltnP l.+1 dv) => lt; last first.
  by apply: edge_live (dS_live i ord0 d0); rewrite /= eqxx eqn_leq lt (ltn_ord l).
by apply: (edge_live (v := D d nk i (Ordinal lt) : G)); [rewrite /= !eqxx | apply: IH; move: le => /=; clear; lia].
Qed.
Lemma Os_besides : 0 < d -> besides (fun v : without Os => val v).
Proof.
move=> d0; apply: without_besides => [|v /noninput_edge[u uv]].
  apply/subsetP => v; rewrite !inE; case: v => // i l _; apply/andP; split; first by apply/forallP; case.
  by apply/existsP; exists (D d nk i l : G); rewrite D_live // /= !eqxx.
case uO: (u \in Os); last by exists u => //; rewrite uO.
move: uO uv; rewrite inE; case: u => // i l _; case: v => // i' l' /andP[/eqP <- /eqP <-].
by exists (dO d nk i l : G); rewrite /= ?eqxx // inE.
Qed.
End Full.
End Full.

Module Masked.
Import MaskedBackward.
Section Masked.
Variables (n nk d : nat) (mask : 'I_n -> 'I_nk -> bool).
Notation G := (attention_backward d d mask).
Hypotheses (rows : forall i, exists j, mask i j) (columns : forall j, exists i, mask i j).
Definition Os : {set G} := [set v : G | if v is O _ _ then true else false].
Lemma Os_card : #|Os| = n * d.
Proof.
rewrite -[RHS](_ : #|[set: 'I_n * 'I_d]| = _); last by rewrite cardsT card_prod !card_ord.
rewrite -(card_imset [set: 'I_n * 'I_d] (f := fun x => O d mask x.1 x.2 : G)) => [|[i l] [i' l'] [-> ->]//].
apply: eq_card => v; rewrite inE; apply/idP/imsetP => [|[x _ ->]//].
by case: v => // i l _; exists (i, l).
Qed.
Lemma dS_live (p : pair mask) : 0 < d -> live (dS d d p : G).
Proof.
move=> d0; have [len [z [jX [jY bw]]]] := b_ok d rows columns; have oc := bw_chains bw.
pose k : K [finType of 'I_n] [finType of 'I_nk] d := inl (row p, Ordinal d0).
apply: (edge_live (v := z k (jX p))); first exact: (bw_valueX bw p (Ordinal d0)).
apply: (back_live (n := len k) (z := z k)) => [j jl||]; [exact: (oc_edge oc) | | exact: (bw_stepX bw p (Ordinal d0))].
apply/existsP; exists (z k (len k).-1); rewrite connect0 andbT inE (oc_out oc) andbT.
by apply: (oc_noninput oc); rewrite prednK ?(oc_pos oc).
Qed.
Lemma D_live (i : 'I_n) (l : 'I_d) : live (D d mask i l : G).
Proof.
have d0 : 0 < d by apply: leq_ltn_trans (ltn_ord l).
move: {2}(d - l) (leqnn (d - l)) => m; elim: m l => [|m IH] l le; first by have := ltn_ord l; move: le; clear; lia.
case: (ltnP l.+1 d) => lt; last first.
  have [j ij] := rows i; pose p : pair mask := exist (fun e : 'I_n * 'I_nk => is_true (mask e.1 e.2)) (i, j) ij.
  by apply: edge_live (dS_live p d0); rewrite /= /row /= eqxx eqn_leq lt (ltn_ord l).
by apply: (edge_live (v := D d mask i (Ordinal lt) : G)); [rewrite /= !eqxx | apply: IH; move: le => /=; clear; lia].
Qed.
Lemma Os_besides : besides (fun v : without Os => val v).
Proof.
apply: without_besides => [|v /noninput_edge[u uv]].
  apply/subsetP => v; rewrite !inE; case: v => // i l _; apply/andP; split; first by apply/forallP; case.
  by apply/existsP; exists (D d mask i l : G); rewrite D_live /= !eqxx.
case uO: (u \in Os); last by exists u => //; rewrite uO.
move: uO uv; rewrite inE; case: u => // i l _; case: v => // i' l' /andP[/eqP <- /eqP <-].
by exists (dO d mask i l : G); rewrite /= ?eqxx // inE.
Qed.
End Masked.
End Masked.

(* P[i,j] = S[i,j,d-1], B[i,j] *)
Module Bias.
Import Attention.
Section Bias.
Variables n nk d dv : nat.
Definition read_by (x : 'I_n * 'I_nk) : pred (attention n nk d dv) := fun v => if v is P i j then (i, j) == x else false.
Definition attention_bias : cdag := with_inputs read_by.
Lemma P_live (i : 'I_n) (j : 'I_nk) : 0 < dv -> live (P d dv i j : attention n nk d dv).
Proof.
move=> v0; pose l := Ordinal v0; apply: (edge_live (v := Z d i l j : attention n nk d dv)); first by rewrite /= !eqxx.
move: {2}(nk - j) (leqnn (nk - j)) => m; elim: m j => [|m IH] j le; first by have := ltn_ord j; move: le; clear; lia.
case: (ltnP j.+1 nk) => lt; last first.
  have e : edge (Z d i l j : attention n nk d dv) (O nk d i l) by rewrite /= !eqxx eqn_leq lt (ltn_ord j).
  by apply: (edge_live e); apply/existsP; exists (O nk d i l : attention n nk d dv); rewrite connect0 andbT inE (edge_noninput e) inE.
by apply: (edge_live (v := Z d i l (Ordinal lt) : attention n nk d dv)); [rewrite /= !eqxx | apply: IH; move: le => /=; clear; lia].
Qed.
Lemma bias_besides : 0 < d -> 0 < dv -> besides (fun v : attention n nk d dv => inl v : attention_bias).
Proof.
move=> d0 v0; apply: with_besides => [v vI [i j]|[i j]]; last first.
  by exists (P d dv i j : attention n nk d dv); [rewrite /read_by eqxx | exact: P_live].
rewrite /read_by; case: v vI => // i' j' vI; apply/negP => _; have dd : d.-1 < d by rewrite prednK.
have : edge (S dv i' j' (Ordinal dd) : attention n nk d dv) (P d dv i' j') by rewrite /= !eqxx /= prednK ?eqxx.
by move/edge_noninput; rewrite vI.
Qed.
Lemma bias_card : #|others (fun v : attention n nk d dv => inl v : attention_bias)| = n * nk.
Proof. by rewrite others_with card_prod !card_ord. Qed.
End Bias.
End Bias.
