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
pose G := attention n nk.+1 d dv; pose K := [finType of 'I_n * 'I_dv].
pose z (x : K) j : G := Z d x.1 x.2 (inord j).
have nI i l j : (Z d i l j : G) \notin input G.
  by apply/negP; rewrite inE => /forallP/(_ (V n d j l)); rewrite /= !eqxx.
pose zS (e : 'I_n * 'I_nk.+1) j : G := S dv e.1 e.2 (insubd (Ordinal d0) j).
have insE j : j < d -> (insubd (Ordinal d0) j : 'I_d) = j :> nat by move=> jd; rewrite val_insubd jd.
have liveO i l : live (O nk.+1 d i l : G).
  apply/existsP; exists (O nk.+1 d i l : G); rewrite in_setD !inE /= connect0 andbT.
  by rewrite andbT; apply/negP=> /forallP/(_ (z (i, l) nk)); rewrite /= !eqxx inordK // eqxx.
have liveL i (j : 'I_nk.+1) : live (L d dv i j : G).
  have [k kj] : exists k, k = nk - j by exists (nk - j).
  elim: k j kj => [|k IH] j kj.
    apply: (@live_edge G _ (O nk.+1 d i (Ordinal dv0))) => //=; rewrite eqxx /=; apply/eqP.
    by have := ltn_ord j; move: kj; clear; lia.
  have j1 : j.+1 < nk.+1 by move: kj; clear; lia.
  apply: (@live_edge G _ (L d dv i (Ordinal j1))) => /=; first by rewrite !eqxx.
  by apply: IH => /=; move: kj; clear; lia.
have ch : @chains G (K2 [finType of 'I_n] [finType of 'I_nk.+1] K) (len2 (fun=> nk.+1) d) (z2 z zS).
  split=> //.
  - by case.
  - case=> [x|e] j jk; first by rewrite /= !eqxx /= !inordK //; move: jk; rewrite /=; lia.
    by rewrite /= !eqxx !insE //; move: jk; rewrite /=; lia.
  - by case=> [[i j]|[i j]] l [[i' j']|[i' j']] l' _ _ //= [-> ->].
  - case=> [[i j]|[i j]]; first exact: nI.
    by apply/negP; rewrite inE => /forallP/(_ (Q nk.+1 dv i (insubd (Ordinal d0) 0))); rewrite /= !eqxx.
  - case=> [[i l]|[i j]] /=.
      by apply: (@live_edge G _ (O nk.+1 d i l)) => //=; rewrite !eqxx inordK // eqxx.
    apply: (@live_edge G _ (P d dv i j)) => /=; first by rewrite !eqxx insE ?prednK ?eqxx.
    by apply: (@live_edge G _ (L d dv i j)) => //=; rewrite !eqxx.
pose T := [finType of 'I_n * 'I_nk.+1 * 'I_dv].
pose W := pword [finType of 'I_n] [finType of 'I_nk.+1] [finType of 'I_d]
  [finType of 'I_nk.+1 * 'I_dv] K.
pose word (v : G) : W :=
  match v with
  | Q i k => wQ _ _ _ i k
  | Ky j k => wK _ _ _ j k
  | V j l => wV _ _ _ _ (j, l)
  | S i j k => wP _ _ _ (i, j)
  | P i j => wP _ _ _ (i, j)
  | L i j => wO _ _ _ _ _
  | Z i l j => wZ _ _ _ _ (i, l)
  | O i l => wO _ _ _ _ _
  end.
pose tree (e : 'I_n * 'I_nk.+1) : pred G := fun v : G =>
  match v with S i j _ => (i, j) == e | P i j => (i, j) == e | _ => false end.
have pw : pair_work (K := K) (fun=> nk.+1) z word (fun x : T => (x.1.1, x.2)) (fun x : T => x.1.2 : nat)
   (fun x : T => x.1) (fun x : T => (x.1.2, x.2)) (fun x => V n d x.1.2 x.2 : G)
   (fun x : T => P d dv x.1.1 x.1.2 : G) tree (fun i k => Q nk.+1 dv i k : G) (fun j k => Ky n dv j k : G) dv n nk.+1 (n * nk.+1).
  split=> //.
  - by move=> [i l] j _.
  - move=> x; split => //; by rewrite inE; apply/forallP => -[].
  - move=> i k; split => //; by rewrite inE; apply/forallP => -[].
  - move=> i k; split => //; by rewrite inE; apply/forallP => -[].
  - by move=> e [] //= => [i j k|i j] /eqP <-.
  - by move=> [[i j] l]; rewrite /= !eqxx inord_val eqxx.
  - by move=> [[i j] l]; rewrite /= !eqxx inord_val eqxx.
  - move=> [[i j] l] k; have dd : d.-1 < d by lia.
    apply: (@needs_step G _ _ (S dv i j (Ordinal dd))); rewrite /= ?eqxx //=; first by apply/eqP; lia.
    apply: (needs_S (k := k)) => //=; rewrite ?eqxx //; have := ltn_ord k; lia.
  - move=> [[i j] l] k; have dd : d.-1 < d by lia.
    apply: (@needs_step G _ _ (S dv i j (Ordinal dd))); rewrite /= ?eqxx //=; first by apply/eqP; lia.
    apply: (needs_S (k := k)) => //=; rewrite ?eqxx //; have := ltn_ord k; lia.
  - by move=> [[i j] l] [[i1 j1] l1] [[i2 j2] l2] [[i3 j3] l3] /= [<- <-] [<- <-] [-> ->] [-> ->].
  - by apply: (@fiber_at_most _ _ _ _ (fun x : T => x.2)) => -[ij l] [ij' l'] /= -> ->.
  - by apply: (@fiber_at_most _ _ _ _ (fun x : T => x.1.1)) => -[[i j] l] [[i' j'] l'] /= [-> ->] ->.
  - by apply: (@fiber_at_most _ _ _ _ (fun x : T => x.1.2)) => -[[i j] l] [[i' j'] l'] /= [-> ->] ->.
  - by apply: leq_trans (max_card _) _; rewrite card_prod !card_ord.

have sw : score_work word d zS (fun i k => Q nk.+1 dv i k : G) (fun j k => Ky n dv j k : G) (fun k : 'I_d => k : nat).
  split=> //.
  - by move=> [i j] k _.
  - by move=> [i j] k; rewrite /zS /= eqxx -(inj_eq val_inj) /= insE ?eqxx.
  - by move=> [i j] k; rewrite /zS /= eqxx -(inj_eq val_inj) /= insE ?eqxx.
have cK : #|K| = n * dv by rewrite card_prod !card_ord.
have cT : #|T| = n * nk.+1 * dv by rewrite !card_prod !card_ord.
have := two_segment ok ch pw sw (n := q) (f := f) (t := t) (hf := hf) (ht := ht).
rewrite cT cK !card_ord => /(_ Hf Ht lt) le1; have le2 : n * dv <= #|output G :\: input G|.
  apply: (@leq_trans #|[set: K]|); first by rewrite cardsT card_prod !card_ord.
  apply: (@card_rel _ _ _ _ (fun (v : G) (x : K) => v == O nk.+1 d x.1 x.2)).
    by move=> v [i j] [i' j'] /= /eqP -> /eqP [-> ->].
  move=> [i l] _; exists (O nk.+1 d i l) => //; rewrite in_setD !inE /= andbT.
  by apply/negP=> /forallP/(_ (z (i, l) nk)); rewrite /= !eqxx inordK // eqxx.
by move: le1 le2; move: (cost s) (#|_|) => x y; clear; lia.
Qed.
