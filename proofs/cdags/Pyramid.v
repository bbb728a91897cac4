(* A pyramid of height h: points (i, j), i, j <= h <= i + j, that read (i - 1, j) and (i, j - 1); its loads, with recomputation. *)
From mathcomp Require Import all_ssreflect zify.
From redblue Require Import Game Trace Count Crossings.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Cdag.
Variable h : nat.
Definition point : Type := 'I_h.+1 * 'I_h.+1.
Definition pyr := {p : point | h <= p.1 + p.2}.
Definition px (v : pyr) : nat := (sval v).1.
Definition py (v : pyr) : nat := (sval v).2.
Definition pyr_edge (u v : pyr) : bool := ((px u).+1 == px v) && (py u == py v) || (px u == px v) && ((py u).+1 == py v).
Definition pyr_is_output (v : pyr) : bool := (px v == h) && (py v == h).
Definition pyr_output : {set pyr} := [set v | pyr_is_output v].
Lemma pyr_acyclic : exists rank : pyr -> nat, forall u v, pyr_edge u v -> rank u < rank v.
Proof. by exists (fun v => px v + py v) => u v; rewrite /pyr_edge => /orP[] /andP[/eqP E1 /eqP E2]; lia. Qed.
Definition pyramid : cdag := @Cdag [finType of pyr] pyr_edge pyr_output pyr_acyclic.

Lemma px_le v : px v <= h. Proof. by rewrite -ltnS /px. Qed.
Lemma py_le v : py v <= h. Proof. by rewrite -ltnS /py. Qed.
Lemma pyr_sum v : h <= px v + py v. Proof. exact: (svalP v). Qed.
Lemma pyr_inj u v : px u = px v -> py u = py v -> u = v.
Proof.
case: u v => [[a b] p] [[a' b'] p']; rewrite /px /py /= => h1 h2; apply/val_inj => /=.
by congr (_, _); apply/val_inj.
Qed.
(* the point at (i, j), where there is one *)
Definition pt (v : pyr) (i j : nat) : pyr := insubd v (inord i, inord j).
Lemma ptE v i j : i <= h -> j <= h -> h <= i + j -> px (pt v i j) = i /\ py (pt v i j) = j.
Proof. by move=> ih jh s; rewrite /px /py /pt val_insubd /= !inordK // s /= !inordK. Qed.

Lemma pyr_input (v : pyramid) : (v \in input pyramid) = (px v + py v == h).
Proof.
have hx := px_le v; have hy := py_le v; have hs := pyr_sum v.
rewrite inE; apply/forallP/idP => [no|/eqP E u]; last first.
  by apply/negP => /orP[] /andP[/eqP E1 /eqP E2]; have := pyr_sum u; lia.
apply/negPn/negP => ne; have [|||E1 E2] := @ptE v (px v).-1 (py v); try lia.
by have /negP := no (pt v (px v).-1 (py v)); apply; apply/orP; left; rewrite E1 E2 eqxx andbT; apply/eqP; lia.
Qed.

Lemma pyr_crossing : crossing (G := pyramid) px py (fun v => pt v (px v).-1 (py v)) (fun v => pt v (px v) (py v).-1).
Proof.
split=> [|v|v]; first exact: pyr_inj; rewrite pyr_input => ne; have hx := px_le v; have hy := py_le v; have hs := pyr_sum v.
  have [|||E1 E2] := @ptE v (px v).-1 (py v); try lia.
  by split; [apply/orP; left; rewrite E1 E2 eqxx andbT; apply/eqP; lia | exact: E2 | rewrite E1; lia].
have [|||E1 E2] := @ptE v (px v) (py v).-1; try lia.
by split; [apply/orP; right; rewrite E1 E2 eqxx /=; apply/eqP; lia | exact: E1 | rewrite E2; lia].
Qed.

Lemma pyr_live (v : pyramid) : 0 < h -> live v.
Proof.
move=> h0; have [|||T1 T2] := @ptE v h h; try lia.
apply/existsP; exists (pt v h h : pyramid); rewrite in_setD pyr_input inE /= /pyr_is_output T1 T2 !eqxx andbT.
apply/andP; split; first by apply/eqP; lia.
move: {2}(h + h - (px v + py v)) (erefl (h + h - (px v + py v))) T1 T2 => k; elim: k v => [|k IH] v E T1 T2.
  have -> : pt v h h = v by apply: pyr_inj; have := px_le v; have := py_le v; lia.
  exact: connect0.
have hx := px_le v; have hy := py_le v; have hs := pyr_sum v.
have up (w : pyramid) : edge v w -> px w + py w = (px v + py v).+1 -> connect (@edge pyramid) v (pt v h h).
  move=> e s; have [|||T3 T4] := @ptE w h h; try lia.
  have -> : pt v h h = pt w h h by apply: pyr_inj; rewrite ?T1 ?T2 ?T3 ?T4.
  by apply: connect_trans (connect1 e) _; apply: IH => //; lia.
case: (leqP h (px v)) => lt.
  have [|||E1 E2] := @ptE v (px v) (py v).+1; try lia.
  by apply: (up (pt v (px v) (py v).+1)); [apply/orP; right; rewrite E1 E2 !eqxx | lia].
have [|||E1 E2] := @ptE v (px v).+1 (py v); try lia.
by apply: (up (pt v (px v).+1 (py v))); [apply/orP; left; rewrite E1 E2 !eqxx | lia].
Qed.

Lemma pyr_made : h * h.+1 <= 2 * #|~: input pyramid|.
Proof.
pose o : pyr := exist (fun p : point => h <= p.1 + p.2) (ord_max, ord_max) (leq_addr h h).
have rows n : n <= h.+1 -> n * n.-1 <= 2 * #|[set v in ~: input pyramid | px v < n]|.
  elim: n => [|n IH] nh; first by [].
  have row : n <= #|[set v in ~: input pyramid | px v == n]|.
    rewrite -[X in X <= _](card_ord n) -cardsT.
    rewrite -(card_in_imset (D := mem [set: 'I_n]) (f := fun k : 'I_n => pt o n (h - k))) => [|k k' _ _ E].
      apply/subset_leq_card/subsetP => _ /imsetP[k _ ->]; have kn := ltn_ord k.
      have [|||E1 E2] := @ptE o n (h - k); try lia.
      by rewrite in_set in_setC pyr_input E1 E2 eqxx andbT; apply/eqP; lia.
    have kn := ltn_ord k; have kn' := ltn_ord k'; apply/val_inj => /=.
    have [|||_ E1] := @ptE o n (h - k); try lia.
    have [|||_ E2] := @ptE o n (h - k'); try lia.
    by move: E1; rewrite E E2; lia.
  have un : #|[set v in ~: input pyramid | px v < n]| + #|[set v in ~: input pyramid | px v == n]| <= #|[set v in ~: input pyramid | px v < n.+1]|.
    rewrite -cardsUI (_ : _ :&: _ = set0) ?cards0 ?addn0.
      apply/subset_leq_card/subsetP => v; rewrite !in_set -!andb_orr => /andP[-> /=]; by case/orP=> [|/eqP]; lia.
    apply/setP => v; rewrite !in_set; case: (px v =P n) => [->|]; by rewrite ?ltnn ?andbF.
  apply: leq_trans (leq_mul (leqnn 2) un); rewrite mulnDr.
  apply: leq_trans (leq_add (IH (ltnW nh)) (leq_mul (leqnn 2) row)).
  by clear; case: n => // n; rewrite -!pred_Sn (mulnC n.+1 n) -mulnDl addn2.
have := rows h.+1 (leqnn _); rewrite mulnC /= => le; apply: leq_trans le _.
by rewrite leq_mul2l /=; apply/subset_leq_card/subsetP => v; rewrite in_set => /andP[].
Qed.
End Cdag.

Lemma gauss n : 2 * (\sum_(k < n) k) + n = n * n.
Proof.
elim: n => [|n IH]; first by rewrite big_ord0.
have -> : \sum_(k < n.+1) k = \sum_(k < n) k + n by rewrite big_ord_recr.
by move: IH; move: (\sum_(k < n) k) => x; clear; nia.
Qed.
Lemma served_closed n w : w <= n -> 2 * served_by_loads n w + w * w.+1 = 2 * (n * w).
Proof.
rewrite /served_by_loads => wn; rewrite -(subnKC wn); move: (n - w) => k {wn n}.
elim: k => [|k IH].
  rewrite addn0 (eq_bigr (fun k : 'I_w => k : nat)) => [|k _]; last by apply/minn_idPl/ltnW.
  by have := gauss w; move: (\sum_(i < _) _) => x; clear; nia.
have -> : \sum_(i < w + k.+1) minn i w = \sum_(i < w + k) minn i w + w by rewrite addnS big_ord_recr /= (minn_idPr (leq_addr k w)).
by move: IH; move: (\sum_(i < _) _) => x; clear; nia.
Qed.

(* With w = M - 2 (sliding: M - 1):  loads >= h (h + 1) / (2 w) + (w + 1) / 2. *)
Theorem pyramid_loads game M h (s : seq (move (pyramid h))) :
  legal game M s -> room game M <= h -> h * h.+1 + room game M * (room game M).+1 <= 2 * (n_loads s 0 (size s) * room game M).
Proof.
move=> ok wh; set w := room game M in wh *; case: (posnP h) => [h0|h0].
  have w0 : w = 0 by move: wh; rewrite h0 leqn0 => /eqP.
  by rewrite w0 (_ : h * h.+1 = 0) // h0.
have le := computed_by_loads ok (pyr_crossing h); rewrite -/w in le; set L := n_loads _ _ _ in le *.
have all : #|~: input (pyramid h)| <= served_by_loads L w.
  apply: leq_trans le; apply/subset_leq_card/subsetP => v; rewrite inE => vI; rewrite inE.
  have [i ci] := live_computed ok (pyr_live v h0) vI; apply/existsP; exists (Ordinal (computes_size ci)); exact: ci.
have made := pyr_made h; case: (leqP w L) => wL.
  by have := served_closed wL; move: made all; clear; lia.
have few : served_by_loads L w <= \sum_(k < L) k by apply: leq_sum => k _; apply: geq_minl.
by move: (gauss L) wh wL few all made; clear; nia.
Qed.
