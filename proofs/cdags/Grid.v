(* A grid of r by c points that read the points before them in their row and in their column; pyramids in it, in all places and side by side
   (docs/theory.md section 11). *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Pyramids.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Cdag.
Variables r c : nat.
Definition point : Type := 'I_r * 'I_c.
Definition gx (v : point) : nat := v.1.
Definition gy (v : point) : nat := v.2.
Definition grid_edge (u v : point) : bool := ((gx u).+1 == gx v) && (gy u == gy v) || (gx u == gx v) && ((gy u).+1 == gy v).
Definition is_output (v : point) : bool := ((gx v).+1 == r) && ((gy v).+1 == c).
Definition grid_output : {set point} := [set v | is_output v].
Lemma grid_acyclic : exists rank : point -> nat, forall u v, grid_edge u v -> rank u < rank v.
Proof. by exists (fun v => gx v + gy v) => u v; rewrite /grid_edge => /orP[] /andP[/eqP E1 /eqP E2]; lia. Qed.
Definition grid : cdag := @Cdag [finType of point] grid_edge grid_output grid_acyclic.

Lemma gx_lt v : gx v < r. Proof. exact: ltn_ord. Qed.
Lemma gy_lt v : gy v < c. Proof. exact: ltn_ord. Qed.
Lemma point_inj u v : gx u = gx v -> gy u = gy v -> u = v.
Proof. by case: u v => [x y] [x' y']; rewrite /gx /gy /= => E1 E2; congr (_, _); apply/val_inj. Qed.
(* the point at (x, y), where there is one *)
Definition at_ (v : point) (x y : nat) : point := (insubd v.1 x, insubd v.2 y).
Lemma at_E v x y : x < r -> y < c -> gx (at_ v x y) = x /\ gy (at_ v x y) = y.
Proof. by move=> xr yc; rewrite /gx /gy /at_ /= !val_insubd xr yc. Qed.

Lemma grid_noninput (v : point) : 0 < gx v + gy v -> (v : grid) \notin input grid.
Proof.
move=> pos; have [hx hy] := (gx_lt v, gy_lt v); rewrite inE; apply/negP => /forallP no.
have {}no (u : point) : grid_edge u v -> False by apply/negP/no.
case: (posnP (gx v)) => x0.
  have [||E1 E2] := @at_E v (gx v) (gy v).-1 => //; first by move: hy; clear; lia.
  apply: (no (at_ v (gx v) (gy v).-1)); apply/orP; right; rewrite E1 E2 eqxx /=; apply/eqP; move: pos x0; clear; lia.
have [||E1 E2] := @at_E v (gx v).-1 (gy v) => //; first by move: hx; clear; lia.
by apply: (no (at_ v (gx v).-1 (gy v))); apply/orP; left; rewrite E1 E2 eqxx andbT prednK.
Qed.

Lemma grid_live (v : point) : 1 < r + c -> 1 < r * c -> live (v : grid).
Proof.
move=> _ big; have [r0 c0] : 0 < r /\ 0 < c by have := gx_lt v; have := gy_lt v; clear; lia.
have [||T1 T2] := @at_E v r.-1 c.-1; rewrite ?prednK //.
apply/existsP; exists (at_ v r.-1 c.-1 : grid); apply/andP; split.
  rewrite in_setD grid_noninput ?T1 ?T2; first by rewrite inE /= /is_output T1 T2 !prednK // !eqxx.
  by move: big r0 c0; clear; case: r => [|[|x]]; case: c => [|[|y]] //=; lia.
move: {2}(r + c - (gx v + gy v)) (erefl (r + c - (gx v + gy v))) T1 T2 => k; elim: k v => [|k IH] v E T1 T2.
  by have := gx_lt v; have := gy_lt v; move: E; clear; lia.
have hx := gx_lt v; have hy := gy_lt v.
have up (w : point) : grid_edge v w -> gx w + gy w = (gx v + gy v).+1 -> connect (@edge grid) v (at_ v r.-1 c.-1).
  move=> e s; have [||T3 T4] := @at_E w r.-1 c.-1; rewrite ?prednK //.
  have -> : at_ v r.-1 c.-1 = at_ w r.-1 c.-1 by apply: point_inj; rewrite ?T1 ?T2 ?T3 ?T4.
  by apply: connect_trans (connect1 (e : @edge grid v w)) _; apply: IH => //; move: E s; clear; lia.
case: (ltnP (gx v).+1 r) => lt.
  have [||E1 E2] := @at_E v (gx v).+1 (gy v) => //.
  by apply: (up (at_ v (gx v).+1 (gy v))); [apply/orP; left; rewrite E1 E2 !eqxx | rewrite E1 E2].
case: (ltnP (gy v).+1 c) => lt'.
  have [||E1 E2] := @at_E v (gx v) (gy v).+1 => //.
  by apply: (up (at_ v (gx v) (gy v).+1)); [apply/orP; right; rewrite E1 E2 !eqxx | rewrite E1 E2 addnS].
have -> : at_ v r.-1 c.-1 = v by apply: point_inj; rewrite ?T1 ?T2; move: hx hy lt lt'; clear; lia.
exact: connect0.
Qed.

(* A pyramid whose square has its corner at (p, q). *)
Definition corner (v : point) (p q i j : nat) : grid := at_ v (p + i) (q + j).
Lemma pyramid_at v b p q : 1 < b -> p + b <= r -> q + b <= c -> pyramid_in b (corner v p q).
Proof.
move=> b1 pr qc; have E i j : inside b i j -> gx (corner v p q i j) = p + i /\ gy (corner v p q i j) = q + j.
  by case/and3P=> ib jb _; apply: at_E; [move: ib pr | move: jb qc]; clear; lia.
have big : 1 < r * c by move: b1 pr qc; clear; case: r => [|[|x]]; case: c => [|[|y]] //=; lia.
split=> [i j i' j' h h' e|i j h lt|i j h lt|i j h|].
- have [h1 h2] := E _ _ h; have [h3 h4] := E _ _ h'; rewrite e in h1 h2; move: h1 h2; rewrite h3 h4; clear; lia.
- have [h1 h2] := E _ _ h; have [|h3 h4] := E i.+1 j; first by move: h => /and3P[_ jb bs]; rewrite /inside lt jb; move: bs; clear; lia.
  by apply/orP; left; rewrite h1 h2 h3 h4 -addnS !eqxx.
- have [h1 h2] := E _ _ h; have [|h3 h4] := E i j.+1; first by move: h => /and3P[ib _ bs]; rewrite /inside lt ib; move: bs; clear; lia.
  by apply/orP; right; rewrite h1 h2 h3 h4 -addnS !eqxx.
- have [h1 h2] := E _ _ h; apply: grid_noninput; rewrite h1 h2; move: h b1 => /and3P[_ _]; clear; lia.
by apply: grid_live => //; move: b1 pr qc; clear; lia.
Qed.
Lemma below_topP v b p q u : p + b <= r -> q + b <= c -> u \in below_top b (corner v p q) ->
  exists2 x : 'I_b * 'I_b, b <= (x.1 + x.2).+1 < b + b.-1 & gx u = p + x.1 /\ gy u = q + x.2.
Proof.
move=> pr qc; rewrite inE => /existsP[x /and3P[bs top /eqP <-]]; have h1 := ltn_ord x.1; have h2 := ltn_ord x.2.
exists x; first by rewrite bs; move: (nat_of_ord x.1) (nat_of_ord x.2) top h1 => i j; clear; lia.
by move: (nat_of_ord x.1) (nat_of_ord x.2) h1 h2 => i j h1 h2; apply: at_E; [move: pr h1 | move: qc h2]; clear; lia.
Qed.

Section Bound.
Variables (game : rules) (M : nat) (s : seq (move grid)).
Hypothesis ok : legal game M s.
(* squares with their corners in these places, no point in more than `most` of the pyramids *)
Variables (I : finType) (cx cy : I -> nat) (b most : nat).
Hypothesis b1 : 1 < b.
Hypothesis fit : forall l, cx l + b <= r /\ cy l + b <= c.
Hypothesis few : forall v u, #|[set l | u \in below_top b (corner v (cx l) (cy l))]| <= most.

Theorem grid_pyramids : exists2 L, #|I| * (b - M) <= most * L & 2 * L <= cost s.
Proof.
case: (pickP (@predT I)) => [l0 _|no]; last by exists 0; rewrite // (eq_card0 no).
have [f1 f2] := fit l0; have [r0 c0] : 0 < r /\ 0 < c by move: b1 f1 f2; clear; lia.
pose v : point := (Ordinal r0, Ordinal c0); pose pt l := corner v (cx l) (cy l).
have py l : pyramid_in b (pt l) by have [h1 h2] := fit l; exact: pyramid_at.
have need l : b - M <= #|loaded s :&: below_top b (pt l)|.
  have [t [i [j [_ _ _ le]]]] := pyramid_needs ok b1 (py l).
  have := card_R ok t.+1; have := subset_leq_card (subsetIl (red (pos (start grid) s t.+1)) (below_top b (pt l))).
  by move: le; clear; lia.
exists #|loaded s :&: \bigcup_l below_top b (pt l)|; first exact: pyramids_loaded py need (few v).
have [|u|h1 h2] := @loaded_moves game M grid s ok (loaded s :&: \bigcup_l below_top b (pt l)); first exact: subsetIl.
  rewrite in_setI => /andP[_ /bigcupP[l _ ul]]; have [g1 g2] := fit l; have [x lt [E1 E2]] := below_topP g1 g2 ul.
  by apply: grid_noninput; rewrite E1 E2; move: lt b1; clear; lia.
by rewrite (costE s); move: h1 h2; clear; lia.
Qed.
End Bound.

(* In all places: a point is in at most b (b + 1) / 2 of them. *)
Theorem grid_everywhere game M (s : seq (move grid)) b : legal game M s -> 1 < b ->
  exists2 L, 2 * ((r - b.-1) * (c - b.-1) * (b - M)) <= b * b.+1 * L & 2 * L <= cost s.
Proof.
move=> ok b1; pose T := [set p : 'I_b * 'I_b | b <= (p.1 + p.2).+1].
have [||L h1 h2] := @grid_pyramids game M s ok [finType of 'I_(r - b.-1) * 'I_(c - b.-1)] (fun l => l.1) (fun l => l.2) b #|T| b1.
- by move=> [l1 l2] /=; have := ltn_ord l1; have := ltn_ord l2; move: (nat_of_ord l1) (nat_of_ord l2) b1 => i j; clear; lia.
- move=> v u; apply: (@card_rel _ _ _ _ (fun (p : 'I_b * 'I_b) (l : 'I_(r - b.-1) * 'I_(c - b.-1)) =>
      (gx u == l.1 + p.1) && (gy u == l.2 + p.2))).
    move=> p [l1 l2] [k1 k2] /= /andP[/eqP -> /eqP ->] /andP[/eqP E1 /eqP E2].
    by congr (_, _); apply/val_inj => /=; [move: E1 => /addIn | move: E2 => /addIn].
  move=> [l1 l2]; rewrite inE /= => ul; have i1 := ltn_ord l1; have i2 := ltn_ord l2; have [||x /andP[bs _] [E1 E2]] := below_topP _ _ ul.
  + by move: (nat_of_ord l1) i1 b1 => i; clear; lia.
  + by move: (nat_of_ord l2) i2 b1 => i; clear; lia.
  by exists x; [rewrite inE | rewrite E1 E2 !eqxx].
- exists L => //; move: h1; rewrite card_prod !card_ord; have := card_pyramid b; rewrite -/T.
  by move: (#|T|) (_ * (c - _) * _) (b * _) => t x y <-; clear; rewrite -mulnA leq_mul2l.
Qed.

(* Side by side: corners at multiples (a h, d h) of half a square, a - d leaving the rest f by 3. *)
Lemma apart h a d a' d' i j i' j' : 0 < h -> h * a + i = h * a' + i' -> h * d + j = h * d' + j' ->
  i < 2 * h -> j < 2 * h -> i' < 2 * h -> j' < 2 * h -> 2 * h <= (i + j).+1 -> 2 * h <= (i' + j').+1 ->
  (a + d') %% 3 = (a' + d) %% 3 -> a = a' /\ d = d'.
Proof.
move=> h0 e1 e2 i2 j2 i2' j2' s1 s2 m.
have near u u' x x' : h * u + x = h * u' + x' -> x < 2 * h -> u' <= u.+1.
  move=> e lt; rewrite leqNgt; apply/negP => far; have := leq_mul (leqnn h) far.
  by rewrite !mulnS; move: (h * u) (h * u') e lt => y z; clear; lia.
have n1 := near _ _ _ _ e1 i2; have n2 := near _ _ _ _ e2 j2.
have n3 := near _ _ _ _ (esym e1) i2'; have n4 := near _ _ _ _ (esym e2) j2'.
have [[E1 E2]|[[E1 E2]|[E1 E2]]] : a = a' /\ d = d' \/ a' = a.+1 /\ d' = d.+1 \/ a = a'.+1 /\ d = d'.+1.
- by move: m n1 n2 n3 n4; clear; lia.
- by [].
- by move: e1 e2; rewrite E1 E2 !mulnS; move: i2 j2 s2; clear; lia.
by move: e1 e2; rewrite E1 E2 !mulnS; move: i2' j2' s1; clear; lia.
Qed.

Definition third n k := (n + 2 - k) %/ 3.                 (* of 0 .. n - 1 those that leave the rest k *)
Definition side_by_side h f := \sum_(k < 3) third (r %/ h - 1) ((k + f) %% 3) * third (c %/ h - 1) k.
Theorem grid_side_by_side game M (s : seq (move grid)) h f : legal game M s -> 0 < h ->
  exists2 L, side_by_side h f * (2 * h - M) <= L & 2 * L <= cost s.
Proof.
move=> ok h0; have h1 : 1 < 2 * h by move: h0; clear; lia.
pose na k := third (r %/ h - 1) ((k + f) %% 3); pose nd k := third (c %/ h - 1) k.
pose I := [finType of {k : 'I_3 & prod_finType (ordinal_finType (na k)) (ordinal_finType (nd k))}].
pose a (l : I) := 3 * (tagged l).1 + (tag l + f) %% 3; pose d (l : I) := 3 * (tagged l).2 + tag l.
have fits n k x : x < third (n %/ h - 1) k -> h * (3 * x + k) + 2 * h <= n.
  rewrite /third => lt; have le : 3 * x + k + 2 <= n %/ h by move: (n %/ h) lt => y; clear; lia.
  by have := leq_mul (leqnn h) le; have := leq_trunc_div n h; move: (n %/ h) => y; clear; lia.
have [|v u|L e1 e2] := @grid_pyramids game M s ok I (fun l => h * a l) (fun l => h * d l) (2 * h) 1 h1.
- by move=> [k [x y]]; split; apply: fits; exact: ltn_ord.
- have mem l0 : l0 \in [set l | u \in below_top (2 * h) (corner v (h * a l) (h * d l))] ->
      u \in below_top (2 * h) (corner v (h * a l0) (h * d l0)) by rewrite !in_set.
  apply/card_le1_eqP => l l' /mem ul /mem ul'.
  have fa (l0 : I) : h * a l0 + 2 * h <= r by case: l0 => k [x y]; apply: fits; exact: ltn_ord.
  have fd (l0 : I) : h * d l0 + 2 * h <= c by case: l0 => k [x y]; apply: fits; exact: ltn_ord.
  have [[i j] /andP[/= s1 _] [X1 Y1]] := below_topP (fa l) (fd l) ul.
  have [[i' j'] /andP[/= s2 _] [X2 Y2]] := below_topP (fa l') (fd l') ul'.
  rewrite X1 in X2; rewrite Y1 in Y2.
  have [] := apart h0 X2 Y2 (ltn_ord i) (ltn_ord j) (ltn_ord i') (ltn_ord j') s1 s2.
    by case: l l' {ul ul' X1 X2 Y1 Y2} => [k [x y]] [k' [x' y']]; rewrite /a /d /=; clear; lia.
  case: l l' {ul ul' X1 X2 Y1 Y2} => [k [x y]] [k' [x' y']]; rewrite /a /d /= => Ea Ed.
  have Ek : k = k' by apply/val_inj; have := ltn_ord k; have := ltn_ord k'; move: Ed; rewrite /=; clear; lia.
  subst k'; have -> : x = x' by apply/val_inj => /=; move: Ea; clear; lia.
  by have -> : y = y' by apply/val_inj => /=; move: Ed; clear; lia.
exists L => //; move: e1; rewrite mul1n; congr (_ * _ <= _); rewrite card_tagged /side_by_side.
by rewrite sumnE big_map big_enum; apply: eq_bigr => k _; rewrite card_prod !card_ord.
Qed.
End Cdag.

(* The leading term r c / M, pyramids of base 2 M. *)
Theorem grid_moves r c game M (s : seq (move (grid r c))) : legal game M s -> 0 < M ->
  2 * ((r.+1 - 2 * M) * (c.+1 - 2 * M)) <= (2 * M).+1 * cost s.
Proof.
move=> ok M0; have b1 : 1 < 2 * M by move: M0; clear; lia.
have [L] := grid_everywhere ok b1; have -> : 2 * M - M = M by clear; lia.
have -> : r - (2 * M).-1 = r.+1 - 2 * M by move: M0; clear; lia.
have -> : c - (2 * M).-1 = c.+1 - 2 * M by move: M0; clear; lia.
move: (_ * (c.+1 - _)) (cost s) => P Q few two; have {}few : P * M <= (2 * M).+1 * L * M by move: few; clear; nia.
rewrite leq_mul2r in few; have {}few : P <= (2 * M).+1 * L by case/orP: few => // /eqP E; rewrite E in M0.
by have := leq_mul (leqnn (2 * M).+1) two; move: few; clear; nia.
Qed.
