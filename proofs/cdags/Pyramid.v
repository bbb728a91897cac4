(* A pyramid of height h: points (i, j), i, j <= h <= i + j, that read (i - 1, j) and (i, j - 1); its loads and its stores, with recomputation. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Crossings Pyramids.
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

(* A pyramid over b vertices of a row that are no inputs; (p, q) is the corner of its square. *)
Section Inner.
Variables (h b : nat) (v : pyramid h) (p q : nat).
Hypothesis b1 : 1 < b.
Hypothesis fit : [/\ p + b <= h.+1, q + b <= h.+1 & h + 2 <= p + q + b].
Definition inner (i j : nat) : pyramid h := pt v (p + i) (q + j).
Lemma innerE i j : inside b i j -> px (inner i j) = p + i /\ py (inner i j) = q + j.
Proof.
have [f1 f2 f3] := fit; case/and3P=> ib jb s; apply: ptE; [move: f1 ib | move: f2 jb | move: f3 s]; clear; lia.
Qed.
Lemma inner_pyramid : pyramid_in b inner.
Proof.
have [f1 f2 f3] := fit; have E := innerE; split=> [i j i' j' H H' e|i j H lt|i j H lt|i j H|].
- have [h1 h2] := E _ _ H; have [h3 h4] := E _ _ H'; rewrite e in h1 h2; move: h1 h2; rewrite h3 h4; clear; lia.
- have [h1 h2] := E _ _ H; have [|h3 h4] := E i.+1 j; first by move: H => /and3P[_ jb bs]; rewrite /inside lt jb; move: bs; clear; lia.
  by apply/orP; left; rewrite h1 h2 h3 h4 -addnS !eqxx.
- have [h1 h2] := E _ _ H; have [|h3 h4] := E i j.+1; first by move: H => /and3P[ib _ bs]; rewrite /inside lt ib; move: bs; clear; lia.
  by apply/orP; right; rewrite h1 h2 h3 h4 -addnS !eqxx.
- have [h1 h2] := E _ _ H; rewrite pyr_input h1 h2; move: H f3 => /and3P[_ _]; clear; lia.
by apply: pyr_live; move: f1 b1; clear; lia.
Qed.
Lemma innerP u : u \in below_top b inner -> exists2 x : 'I_b * 'I_b, b <= (x.1 + x.2).+1 < b + b.-1 & px u = p + x.1 /\ py u = q + x.2.
Proof.
rewrite inE => /existsP[x /and3P[bs top /eqP <-]]; have h1 := ltn_ord x.1; have h2 := ltn_ord x.2.
exists x; first by rewrite bs; move: (nat_of_ord x.1) (nat_of_ord x.2) top h1 => i j; clear; lia.
by apply: innerE; rewrite /inside h1 h2.
Qed.
End Inner.

Theorem pyramid_stores game M h b (s : seq (move (pyramid h))) : legal game M s -> 1 < b -> b <= h ->
  (h.+1 - b) * (h.+2 - b) * (b - room game M) <= b * b.+1 * (n_stores s 0 (size s)).-1 /\ 0 < n_stores s 0 (size s).
Proof.
move=> ok b1 bh; set m := h.+1 - b; have mE : m + b = h.+1 by rewrite /m; move: bh; clear; lia.
pose o : pyramid h := exist (fun p : point h => h <= p.1 + p.2) (ord_max, ord_max) (leq_addr h h).
pose T := [set p : 'I_b * 'I_b | b <= (p.1 + p.2).+1].
pose I := [finType of {l : 'I_m * 'I_m | m <= (l.1 + l.2).+1}].
pose c1 (l : I) : nat := (sval l).1.+1; pose c2 (l : I) : nat := (sval l).2.+1; pose at_ l := inner o (c1 l) (c2 l).
have fit l : [/\ c1 l + b <= h.+1, c2 l + b <= h.+1 & h + 2 <= c1 l + c2 l + b].
  case: l => -[x y] /= le; have := ltn_ord x; have := ltn_ord y; rewrite /c1 /c2 /=; move: mE le.
  by move: (nat_of_ord x) (nat_of_ord y) => i j; clear; split; lia.
have pys l : pyramid_in b (at_ l) by exact: inner_pyramid (fit l).
have need l : b - room game M <= #|loaded s :&: below_top b (at_ l)|.
  have [t [i [j [ins e ct le]]]] := pyramid_needs ok b1 (pys l); rewrite leq_subLR; apply: leq_trans le _; rewrite leq_add2r.
  have [f1 f2 f3] := fit l; have [E1 E2] := innerE o (fit l) ins; set v := at_ l i j in ct.
  have [n1 [n2 [n3 n4]]] : px v <= h /\ py v <= h /\ h < px v + py v /\ 0 < px v /\ 0 < py v.
    by rewrite E1 E2; move: ins f1 f2 f3 e => /and3P[]; clear; split; lia.
  have [|||L1 L2] := @ptE h v (px v).-1 (py v); try by move: n1 n2 n3 n4; clear; lia.
  have [|||D1 D2] := @ptE h v (px v) (py v).-1; try by move: n1 n2 n3 n4; clear; lia.
  have out (u : pyramid h) : px u + py u < px v + py v -> u \notin below_top b (at_ l).
    move=> lt; apply/negP => /(innerP (fit l))[x /andP[bs _] [X1 X2]]; move: lt; rewrite X1 X2 E1 E2; move: e bs; clear; lia.
  apply: (room_left ok ct (u := pt v (px v).-1 (py v)) (u' := pt v (px v) (py v).-1)).
  - by apply/orP; left; rewrite L1 L2 eqxx andbT prednK //; case: n4.
  - by apply/orP; right; rewrite D1 D2 eqxx /= prednK //; case: n4.
  - by apply/eqP => E; move: L1; rewrite E D1; case: n4; clear; lia.
  - by apply: out; rewrite L1 L2; case: n4; clear; lia.
  - by apply: out; rewrite D1 D2; case: n4; clear; lia.
have few u : #|[set l | u \in below_top b (at_ l)]| <= #|T|.
  apply: (@card_rel _ _ _ _ (fun (x : 'I_b * 'I_b) (l : I) => (px u == c1 l + x.1) && (py u == c2 l + x.2))).
    move=> x l l' /andP[/eqP -> /eqP ->] /andP[/eqP/addIn E1 /eqP/addIn E2]; apply/val_inj.
    by case: l l' E1 E2 => -[x1 x2] lx [[y1 y2] ly]; rewrite /c1 /c2 /= => -[E1] [E2]; congr (_, _); apply/val_inj.
  move=> l; have mem : l \in [set l | u \in below_top b (at_ l)] -> u \in below_top b (at_ l) by rewrite !in_set.
  by move/mem => /(innerP (fit l))[x /andP[bs _] [-> ->]]; exists x; rewrite ?inE // !eqxx.
set A := loaded s :&: \bigcup_l below_top b (at_ l).
have le := pyramids_loaded pys need few; rewrite -/A in le.
have inA u : u \in A -> px u + py u < h + h /\ u \notin input (pyramid h).
  rewrite in_setI => /andP[_ /bigcupP[l _ /(innerP (fit l))[x /andP[bs bt] [X1 X2]]]]; have [f1 f2 f3] := fit l.
  by rewrite pyr_input X1 X2; move: bs bt f1 f2 f3 b1; clear; split; lia.
have [||_ st] := @loaded_moves game M _ s ok A; [exact: subsetIl | by move=> u /inA[] |].
have oE : px o = h /\ py o = h by [].
have out : 0 < #|(output (pyramid h) :\: input (pyramid h)) :\: A|.
  apply/card_gt0P; exists o; rewrite !in_setD; apply/and3P; split.
  - by apply/negP => /inA[]; case: oE => -> ->; rewrite ltnn.
  - by rewrite pyr_input; case: oE => -> ->; move: bh b1; clear; lia.
  by rewrite inE /= /pyr_is_output; case: oE => -> ->; rewrite eqxx.
have cI : 2 * #|I| = m * m.+1 by rewrite -(card_pyramid m) card_sig; congr (2 * _); apply: eq_card => x; rewrite inE.
have cT := card_pyramid b; rewrite -/T in cT; have -> : h.+2 - b = m.+1 by move: mE; clear; lia.
rewrite -cI -cT; split; last by move: st out; clear; lia.
rewrite -!mulnA leq_mul2l /=; apply: leq_trans le _; rewrite leq_mul2l; apply/orP; right; move: st out; clear; lia.
Qed.

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

Lemma served_few n w : n <= w -> 2 * served_by_loads n w = n * n.-1.
Proof.
move=> nw; have -> : served_by_loads n w = \sum_(k < n) k.
  by apply: eq_bigr => k _; apply/minn_idPl; apply: leq_trans (ltnW (ltn_ord k)) nw.
by have := gauss n; move: (\sum_(k < n) k) => x; clear; case: n => [|n] /=; nia.
Qed.
Lemma served_mono w n n' : n <= n' -> served_by_loads n w <= served_by_loads n' w.
Proof. by move=> /subnKC <-; elim: (n' - n) => [|k IH]; rewrite ?addn0 // addnS /served_by_loads big_ord_recr /= (leq_trans IH) ?leq_addr. Qed.

Section Pyramid.
Variables (game : rules) (M h : nat) (s : seq (move (pyramid h))).
Hypothesis ok : legal game M s.
Hypothesis h0 : 0 < h.
Theorem pyramid_served : h * h.+1 <= 2 * served_by_loads (n_loads s 0 (size s)) (room game M).
Proof.
apply: leq_trans (pyr_made h) _; rewrite leq_mul2l /=; apply: leq_trans (computed_by_loads ok (pyr_crossing h)).
apply/subset_leq_card/subsetP => v; rewrite inE => vI; rewrite inE.
have [i ci] := live_computed ok (pyr_live v h0) vI; apply/existsP; exists (Ordinal (computes_size ci)); exact: ci.
Qed.
Lemma pyramid_output : 0 < n_stores s 0 (size s).
Proof.
apply: leq_trans (output_stores ok); apply/card_gt0P.
pose o : pyramid h := exist (fun p : point h => h <= p.1 + p.2) (ord_max, ord_max) (leq_addr h h); have [X Y] : px o = h /\ py o = h by [].
exists o; rewrite in_setD pyr_input inE /= /pyr_is_output X Y !eqxx andbT; move: h0; clear; lia.
Qed.
End Pyramid.

(* With w = M - 2 (sliding: M - 1):  loads >= h (h + 1) / (2 w) + (w + 1) / 2. *)
Theorem pyramid_loads game M h (s : seq (move (pyramid h))) :
  legal game M s -> room game M <= h -> h * h.+1 + room game M * (room game M).+1 <= 2 * (n_loads s 0 (size s) * room game M).
Proof.
move=> ok wh; set w := room game M in wh *; case: (posnP h) => [h0|h0].
  have w0 : w = 0 by move: wh; rewrite h0 leqn0 => /eqP.
  by rewrite w0 (_ : h * h.+1 = 0) // h0.
have := pyramid_served ok h0; rewrite -/w; set L := n_loads _ _ _ => all.
case: (leqP w L) => wL.
  by have := served_closed wL; move: all; clear; lia.
have few : served_by_loads L w <= \sum_(k < L) k by apply: leq_sum => k _; apply: geq_minl.
by move: (gauss L) wh wL few all; clear; nia.
Qed.

(* Loads and stores, pyramids of base 2 w inside:  Q >= h (h + 1) / (2 w) + (h + 1 - 2 w) (h + 2 - 2 w) / (4 w + 2), and some more. *)
Theorem pyramid_moves game M h w (s : seq (move (pyramid h))) : legal game M s -> room game M = w -> 0 < w -> 2 * w <= h ->
  (2 * w).+1 * (h * h.+1 + w * w.+1) + w * ((h.+1 - 2 * w) * (h.+2 - 2 * w)) + 2 * w * (2 * w).+1 <= 2 * w * (2 * w).+1 * cost s.
Proof.
move=> ok wE w0 wh; rewrite (costE s); have wh' : w <= h by move: wh; clear; lia.
have := @pyramid_loads game M h s ok; rewrite wE => /(_ wh') ld; have b1 : 1 < 2 * w by move: w0; clear; lia.
have [] := pyramid_stores ok b1 wh; rewrite wE; have -> : 2 * w - w = w by clear; lia.
move: ld; move: (n_loads _ _ _) (n_stores _ _ _) (h * h.+1 + w * w.+1) (_ * (h.+2 - _)) => L S A P ld st pos.
have l1 := leq_mul (leqnn (2 * w).+1) ld; case: S st pos => // S st _; rewrite /= in st.
by move: l1 st; move: (2 * w).+1 => x; clear; lia.
Qed.
