(* The covering bound of forward attention, for all n, nk, d, dv: weight U a step where U x <= sc (d + x)^2 for all x slices of a pair. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment CarriedWork Reduction PairTrees Covering Attention.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Theorem attention_covering game M n nk d dv sc U (s : seq (move (attention n nk d dv))) f t q hf ht :
  legal game M s -> 0 < d -> (forall x, x <= dv -> 0 < x -> U * x <= sc * ((d + x) * (d + x))) ->
  carried_most sc (dv * U) (U * U) 1 1 (n * nk) f hf -> q = 0 \/ carried_most sc (dv * U) (U * U) 1 1 (n * nk) (M + t) ht ->
  hf + q * ht < n * nk * dv * U -> f + q * t + 1 <= cost s.
Proof.
move=> ok d0 cov; case: nk s ok => [|nk] s ok Hf Ht lt; first by rewrite muln0 in lt.
pose G := attention n nk.+1 d dv; pose K := [finType of 'I_n * 'I_dv].
pose z (x : K) j : G := Z d x.1 x.2 (inord j : 'I_nk.+1).
have nI i l j : (Z d i l j : G) \notin input G by apply/negP; rewrite inE => /forallP/(_ (V n d j l)); rewrite /= !eqxx.
have oI i l : (O nk.+1 d i l : G) \notin input G.
  by apply/negP; rewrite inE => /forallP/(_ (z (i, l) nk)); rewrite /= !eqxx inordK // eqxx.
have ch : @chains G K (fun=> nk.+1) z.
  split=> //.
  - by move=> x j jk; rewrite /= !eqxx /= !inordK //; lia.
  - by move=> [i j] l [i' j'] l' _ _ [-> ->].
  - by move=> [i j]; apply: nI.
  - move=> [i l]; apply/existsP; exists (O nk.+1 d i l : G); rewrite in_setD oI inE /=.
    by apply: connect1; rewrite /= !eqxx inordK // eqxx.
pose I := [finType of 'I_n]; pose J := [finType of 'I_nk.+1]; pose E := [finType of I * J].
pose RW := [finType of I * 'I_d + I * 'I_dv]; pose CW := [finType of J * 'I_d + J * 'I_dv]; pose T := [finType of E * 'I_dv].
pose word (v : G) : cword E RW CW := match v with
  | Q i k => cR E CW (inl (i, k)) | Ky j k => cC E RW (inl (j, k)) | V j l => cC E RW (inr (j, l)) | Z i l _ => cR E CW (inr (i, l))
  | S i j _ | P i j => cP RW CW (i, j) | _ => cO _ _ _ end.
pose tree (e : E) : pred G := fun v => match v with S i j _ | P i j => (i, j) == e | _ => false end.
pose wR (x : T) : {set RW} := [set inl (x.1.1, k) | k : 'I_d]; pose wC (x : T) : {set CW} := [set inl (x.1.2, k) | k : 'I_d].
pose of_row (w : RW) : I := match w with inl y => y.1 | inr y => y.1 end.
pose of_col (w : CW) : J := match w with inl y => y.1 | inr y => y.1 end.
pose isr (A B : Type) (w : A + B) := if w is inr _ then true else false.
have need (i : I) (j : J) (k : 'I_d) u : edge u (S dv i j k : G) -> needs (tree (i, j)) u (P d dv i j : G).
  move=> uS; have dd : d.-1 < d by clear - d0; lia.
  apply: (@needs_step G _ _ (S dv i j (Ordinal dd))); rewrite /= ?eqxx //=; first by apply/eqP; clear - d0; lia.
  apply: (needs_S (k := k)) => //=; rewrite ?eqxx //; have := ltn_ord k; clear; lia.
have ip : @interaction G I J E RW CW bool_finType bool_finType fst snd of_row of_col (@isr _ _) (@isr _ _) K (fun=> nk.+1) z word (fun x => cR E CW (inr x))
    unit_finType T (fun=> U) (fun=> tt) fst (fun x => inr (x.1.1, x.2)) (fun x => inr (x.1.2, x.2)) (fun=> true) (fun=> true)
    (fun x => (x.1.1, x.2)) (fun x => x.1.2) (fun x => V n d x.1.2 x.2) (fun x => P d dv x.1.1 x.1.2) tree wR wC sc (dv * U) (U * U) (n * nk.+1).
  split=> //.
  - by move=> [i j] [i' j'] /= -> ->.
  - by move=> [i l] j _.
  - by move=> e [] //= => [i' j' k|i' j'] /eqP <-.
  - by move=> x; split; [rewrite inE; apply/forallP => -[] | rewrite /= inord_val !eqxx].
  - by move=> x; left.
  - by move=> x; rewrite /= inord_val !eqxx.
  - move=> [[i j] l] w /imsetP[k _ ->]; exists (Q nk.+1 dv i k : G); split=> //; first by rewrite inE; apply/forallP => -[].
    by apply: (need i j k); rewrite /= !eqxx.
  - move=> [[i j] l] w /imsetP[k _ ->]; exists (Ky n dv j k : G); split=> //; first by rewrite inE; apply/forallP => -[].
    by apply: (need i j k); rewrite /= !eqxx.
  - by move=> x w /setU1P[->|/imsetP[k _ ->]].
  - by move=> x w /setU1P[->|/imsetP[k _ ->]].
  - by move=> [[i1 j1] l1] [[i2 j2] l2] [[i3 j3] l3] [[i4 j4] l4] _ _ _ /= [-> ->] [-> ->] [-> ->] [-> ->].
  - move=> e L Le; rewrite sum_nat_const.
    case: (set_0Vmem L) => [->|[x0 x0L]]; first by rewrite cards0.
    have inj : {in L &, injective (fun x : T => x.2)}.
      by move=> [e1 l1] [e2 l2] /Le /= -> /Le /= -> /= ->.
    have words (N : finType) (g : E -> N) :
        d + #|L| <= #|\bigcup_(x in L) ((inr (g x.1, x.2) : [finType of N * 'I_d + N * 'I_dv]) |: [set inl (g x.1, k) | k : 'I_d])|.
      pose W := [finType of N * 'I_d + N * 'I_dv].
      rewrite -{1}(card_ord d) -(cardsT [finType of 'I_d]) -(card_in_imset inj).
      rewrite -(card_imset _ (f := fun k : 'I_d => inl (g e, k) : W)) => [|? ? [->]//].
      rewrite -(card_imset (_ @: L) (f := fun l : 'I_dv => inr (g e, l) : W)) => [|? ? [->]//].
      rewrite -cardsU_disj; last by move=> w /imsetP[? _ ->] /imsetP[? _].
      apply/subset_leq_card/subsetP => w /setUP[] /imsetP[y]; last move=> /imsetP[x xL ->] ->.
        by move=> _ ->; apply/bigcupP; exists x0 => //; rewrite -(Le _ x0L); apply/setU1P; right; apply: imset_f.
      by apply/bigcupP; exists x => //; rewrite -(Le _ xL); apply/setU1P; left.
    have rows := words _ fst; have cols := words _ snd.
    have Ld : #|L| <= dv by rewrite -(card_in_imset inj) -[X in _ <= X](card_ord dv); apply: max_card.
    have L0 : 0 < #|L| by apply/card_gt0P; exists x0.
    by rewrite mulnC; apply: leq_trans (cov _ Ld L0) _; rewrite leq_mul2l leq_mul ?orbT.
  - move=> e; rewrite sum_nat_cond_const leq_mul2r; apply/orP; right.
    by apply: (@fiber_at_most _ _ _ (fun x : T => x.1) (fun x : T => x.2)) => -[e1 l1] [e2 l2] /= -> ->.
  - exists U, U; split=> //; move=> a; apply: leq_trans (_ : _ <= \sum_(k : unit) U) _; try by rewrite sum_nat_const card_unit mul1n.
      by rewrite [X in _ <= X](bigID (fun=> true == a)) leq_addr.
    by rewrite [X in _ <= X](bigID (fun=> true == a)) leq_addr.
  - by rewrite card_prod !card_ord.
have le2 : n * dv <= #|output G :\: input G|.
  apply: (@leq_trans #|[set: K]|); first by rewrite cardsT card_prod !card_ord.
  apply: (@card_rel _ _ _ _ (fun (v : G) (x : K) => v == O nk.+1 d x.1 x.2)).
    by move=> v [i j] [i' j'] /= /eqP -> /eqP [-> ->].
  by move=> [i l] _; exists (O nk.+1 d i l : G); rewrite // in_setD oI inE.
have := covering_segment ok ch ip Hf Ht; rewrite sum_nat_const !card_prod !card_ord => /(_ lt) le1.
by have := leq_trans (leq_add (leqnn (f + q * t + 1)) le2) le1; rewrite leq_add2r.
Qed.
