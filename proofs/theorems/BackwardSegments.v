(* docs/theory-lp.md section 5: the backward pass of attention; words of a segment (ii), local pairs (iii), carried pairs (v). *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney PairTrees BackwardCharge Residency BackwardKinds RankSums BackwardMeetings.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma card_fib (X Y : finType) (A : {set X * Y}) : #|A| = \sum_x #|[set y | (x, y) \in A]|.
Proof.
rewrite -sum1_card big_mkcond /= (eq_bigr (fun u : X * Y => if (u.1, u.2) \in A then 1 else 0)); last by case.
rewrite -(pair_bigA _ (fun x y => if (x, y) \in A then 1 else 0)) /=; apply: eq_bigr => x _.
by rewrite -big_mkcond sum1_card; apply: eq_card => y; rewrite !inE.
Qed.

Lemma tri (m : nat) : (2 * (\sum_(k < m) k) <= m * m)%N.
Proof.
elim: m => [|m IH]; first by rewrite big_ord0.
by rewrite big_ord_recr /= mulnDr; apply: leq_trans (leq_add IH (leqnn _)) _; clear; lia.
Qed.

Lemma pair_ineq12 d v q k R C : q <= d -> v <= d -> k <= d ->
  (0 < q + k -> 2 * d + q <= R /\ 2 * d + (k + v) <= C) ->
  (0 < v -> d + v <= R /\ d + v <= C) ->
  4 * d * (q + (k + v)) <= R * C.
Proof.
move=> qd vd kd H1 H2; case: (posnP (q + k)) => [e|qk].
  have [-> ->] : q = 0 /\ k = 0 by lia.
  case: (posnP v) => [->|v0]; first by rewrite !addn0 muln0.
  have [r c] := H2 v0; apply: leq_trans (leq_mul r c); rewrite !add0n mulnn -mulnA; exact: nat_AGM2.
have [r c] := H1 qk; apply: leq_trans (leq_mul r c).
have e2 : 2 * d = k + v + (2 * d - (k + v)) by lia.
have : 0 <= (2 * d - q) * (2 * d - (k + v)) by [].
have e1 : 2 * d = q + (2 * d - q) by lia.
move: e1 e2; move: (2 * d - q) (2 * d - (k + v)) => x y e1 e2 _.
have -> : 4 * d * (q + (k + v)) = 2 * (2 * d) * (q + (k + v)) by lia.
move: e1 e2; move: (2 * d) (k + v) => D u e1 e2.
have : D * D = (q + x) * (u + y) by rewrite -e1 -e2.
have : D * q = (u + y) * q by rewrite -e2.
have : D * u = (q + x) * u by rewrite -e1.
clear; lia.
Qed.

Section Words.
Variables (Rw Cl E : finType) (d : nat).
Definition Sl2 : finType := [finType of bool * 'I_d].
Definition KX : finType := [finType of Rw * 'I_d].          (* chains of rows: dQ(i,l) *)
Definition KY : finType := [finType of Cl * Sl2].           (* of columns: dK(j,l), true, and dV(j,l), false *)
Definition K : finType := [finType of KX + KY].
Definition W3 : finType := [finType of (Rw * Sl2 + Cl * Sl2) + E].
Definition bword : finType := [finType of W3 + (K + unit)].
Definition wR i y : bword := inl (inl (inl (i, y))).        (* Q(i,l), true, and dO(i,l), false *)
Definition wL j y : bword := inl (inl (inr (j, y))).        (* V(j,l), true, and K(j,l), false *)
Definition wP e : bword := inl (inr e).                     (* the pair's tree *)
Definition wC k : bword := inr (inl k).                     (* a chain *)
Definition wO : bword := inr (inr tt).                      (* all the rest *)
End Words.

Section Back.
Variables (Rw Cl E : finType) (d : nat) (row : E -> Rw) (col : E -> Cl).
Variables (G : cdag).
Local Notation Sl2 := (Sl2 d). Local Notation KX := (KX Rw d). Local Notation KY := (KY Cl d).
Local Notation K := (K Rw Cl d). Local Notation W3 := (W3 Rw Cl E d). Local Notation bword := (bword Rw Cl E d).
Local Notation wR := (@wR Rw Cl E d). Local Notation wL := (@wL Rw Cl E d). Local Notation wP := (@wP Rw Cl E d).
Local Notation wC := (@wC Rw Cl E d).
Variables (len : K -> nat) (z : K -> nat -> G) (word : G -> bword) (rw : Rw -> Sl2 -> G) (cw : Cl -> Sl2 -> G)
  (rootS rootP : E -> G) (jX jY : E -> nat).
Definition tree e : pred G := fun v => word v == wP e.

(* What the theorem needs of a computation: pairs e in E of a row and a column; row chains inl (i,l), column
   chains inr (j,y); step (e,l) of chain inl (row e,l) reads K and dS, step (e,y) of chain inr (col e,y) reads
   a row word and dS or P. *)
Record backward : Prop := MkBackward {
  bw_pair : forall e e', row e = row e' -> col e = col e' -> e = e';
  bw_chains : out_chains len z;
  bw_stepX : forall e l, jX e < len (inl (row e, l));
  bw_stepY : forall e y, jY e < len (inr (col e, y));
  bw_word : forall k j, j < len k -> word (z k j) = wC k;
  bw_row : forall i y, rw i y \in input G /\ word (rw i y) = wR i y;
  bw_col : forall j y, cw j y \in input G /\ word (cw j y) = wL j y;
  bw_edgeX : forall e l, edge (cw (col e) (false, l)) (z (inl (row e, l)) (jX e));
  bw_valueX : forall e l, edge (rootS e) (z (inl (row e, l)) (jX e));
  bw_edgeY : forall e y, edge (rw (row e) y) (z (inr (col e, y)) (jY e));
  bw_valueY : forall e y, edge (if y.1 then rootS e else rootP e) (z (inr (col e, y)) (jY e));
  bw_S_row : forall e y, needs (tree e) (rw (row e) y) (rootS e);
  bw_S_col : forall e y, needs (tree e) (cw (col e) y) (rootS e);
  bw_P_row : forall e l, needs (tree e) (rw (row e) (true, l)) (rootP e);
  bw_P_col : forall e l, needs (tree e) (cw (col e) (false, l)) (rootP e) }.
Hypothesis bw : backward.

Variables (game : rules) (M : nat) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation Rd i := (red (pos (start G) s i)).
Variables (t b e : K -> nat -> nat).
Hypothesis rs : residency s len z t b e.

(* steps *)
Definition T : finType := [finType of E * 'I_d + E * Sl2].
Definition kk (x : T) : K := match x with inl u => inl (row u.1, u.2) | inr u => inr (col u.1, u.2) end.
Definition jj (x : T) : nat := match x with inl u => jX u.1 | inr u => jY u.1 end.
Definition tm x := t (kk x) (jj x).
Definition bg x := b (kk x) (jj x).
Definition en x := e (kk x) (jj x).

Lemma jj_len x : jj x < len (kk x).
Proof. by case: x => [[p l]|[p y]]; [apply: bw_stepX bw _ _ | apply: bw_stepY bw _ _]. Qed.
Lemma tm_comp x : computes s (tm x) (z (kk x) (jj x)). Proof. exact: (rs_comp rs (jj_len x)). Qed.
Lemma bg_tm x : bg x <= tm x. Proof. exact: (rs_begin rs (jj_len x)). Qed.
Lemma tm_en x : tm x < en x. Proof. exact: (rs_end rs (jj_len x)). Qed.
Lemma en_store x : exists2 v, stores s (en x) v & word v = wC (kk x).
Proof.
have [j jl st] := rs_store rs (jj_len x); exists (z (kk x) j) => //; exact: (bw_word bw jl).
Qed.
Lemma en_size x : en x < size s.
Proof. by have [v st _] := en_store x; apply: stores_size st. Qed.
Lemma chain_red x u : bg x < u <= en x -> exists2 v, v \in Rd u & word v = wC (kk x).
Proof.
move=> H; have [j jl r] := rs_red rs (jj_len x) H; exists (z (kk x) j) => //; exact: (bw_word bw jl).
Qed.
Lemma bg_event x : (bg x = t (kk x) 0 /\ exists2 v, computes s (bg x) v & word v = wC (kk x)) \/
  exists2 v, loads s (bg x) v & word v = wC (kk x).
Proof.
have l0 : 0 < len (kk x) by apply: leq_ltn_trans (jj_len x).
case: (rs_event rs (jj_len x)) => [E'|[j jl l]]; [left|right].
  by split=> //; exists (z (kk x) 0); [rewrite /bg E'; exact: (rs_comp rs l0) | exact: (bw_word bw l0)].
by exists (z (kk x) j) => //; exact: (bw_word bw jl).
Qed.
Lemma loads_computes i u v : loads s i u -> computes s i v -> False.
Proof. by rewrite /loads /computes; case: (mv s i) => [[]|]. Qed.
Lemma bg_fun x x' : bg x = bg x' -> kk x = kk x'.
Proof.
move=> E'; have := bg_event x; have := bg_event x'; rewrite -E'.
have wCi k k' : wC k = wC k' -> k = k' by case.
case=> [[_ [v c w]]|[v l w]] [[_ [v' c' w']]|[v' l' w']]; apply: wCi; rewrite -w -w'.
- by rewrite (computes_inj c c').
- by case: (loads_computes l' c).
- by case: (loads_computes l c').
- by rewrite (loads_fun l l').
Qed.
Lemma apart2 x x' : kk x = kk x' -> (en x = en x' /\ bg x = bg x') \/ en x < bg x' \/ en x' < bg x.
Proof.
move=> kE; have l1 := jj_len x; have l2 := jj_len x'; rewrite /en /bg -kE; rewrite -kE in l2.
case: (leqP (jj x) (jj x')) => [le|/ltnW le].
  by case: (rs_apart rs le l2) => [[-> ->]|]; [left|right; left].
by case: (rs_apart rs le l1) => [[-> ->]|]; [left|right; right].
Qed.

Definition I := 'I_(size s).+1.
Definition rso x : K * I := (kk x, inord (en x)).
Lemma rso_e x : (rso x).2 = en x :> nat. Proof. by rewrite inordK // ltnS ltnW // en_size. Qed.
Lemma rso_eq x x' : rso x = rso x' -> kk x = kk x' /\ en x = en x'.
Proof. by move=> E'; split; [case: E' | rewrite -!rso_e E']. Qed.
Lemma rso_bg x x' : rso x = rso x' -> bg x = bg x'.
Proof.
case/rso_eq=> kE eE; case: (apart2 kE) => [[]//|[lt|lt]].
  by have := bg_tm x'; have := tm_en x'; move: lt; rewrite eE; clear; lia.
by have := bg_tm x; have := tm_en x; move: lt; rewrite eE; clear; lia.
Qed.

(* the words of a segment *)
Definition Tok : finType := [finType of W3 + K * I].
Definition wav a c (w : W3) : bool := [exists v, (word v == inl w) &&
  ((v \in Rd a) || [exists i : 'I_(size s), (a <= i < c) && loads s i v])].
Definition TS a c : {set Tok} := [set u : Tok | match u with
  | inl w => wav a c w
  | inr x => [exists y, (a <= tm y < c) && (rso y == x)] end].
Definition cwY (k : KY) : G := cw k.1 k.2.
Definition rwX (k : KX) : G := rw k.1 (true, k.2).
Definition evs a c := events s t a c.

Lemma again_load (KZ : finType) (wZ : KZ -> G) a c i : i \in again s wZ a c ->
  exists k, [/\ a <= i < c, loads s i (wZ k) &
    (wZ k \in Rd a) || [exists i' : 'I_i, (a <= i') && loads s i' (wZ k)]].
Proof. by rewrite inE => /andP[ab /existsP[k /andP[l o]]]; exists k. Qed.

Lemma load_event a c i v : a <= i < c -> loads s i v -> exists2 o : 'I_(size s), val o = i &
  event t o && (a <= val o < c).
Proof.
move=> ab l; have [o oi at_] := loads_at l; exists o => //.
by rewrite /event at_ oi ab.
Qed.

Lemma count_tokens a c :
  #|TS a c| + #|again s cwY a c| + #|again s rwX a c| <= #|Rd a| + evs a c.
Proof.
pose I0 := [finType of 'I_(size s)].
pose A := [set u : Tok + (I0 + I0) | match u with
  | inl u => u \in TS a c | inr (inl i) => i \in again s cwY a c | inr (inr i) => i \in again s rwX a c end].
pose S := [set q : G + I0 | match q with inl v => v \in Rd a | inr i => event t i && (a <= val i < c) end].
have cA : #|A| = #|TS a c| + #|again s cwY a c| + #|again s rwX a c|.
  rewrite card_split (card_split [set y | inr y \in A]) addnA.
  by congr (_ + _ + _); apply: eq_card => u; rewrite !inE.
have cS : #|S| = #|Rd a| + evs a c.
  by rewrite card_split; congr (_ + _); apply: eq_card => u; rewrite !inE.
rewrite -cA -cS.
pose r (q : G + I0) (u : Tok + (I0 + I0)) : bool := match q, u with
  | inl v, inl (inl w) => word v == inl w
  | inl v, inl (inr x) => (word v == wC x.1) && [exists y, (rso y == x) && (bg y < a <= tm y)]
  | inr i, inl (inl w) => [exists v, [&& loads s i v, word v == inl w, v \notin Rd a &
       ~~ [exists i' : 'I_i, (a <= i') && loads s i' v]]]
  | inr i, inl (inr x) => [exists y, (rso y == x) && (bg y == i)]
  | inr i, inr (inl i') => (i == i') && (i \in again s cwY a c)
  | inr i, inr (inr i') => (i == i') && (i \in again s rwX a c)
  | _, _ => false end.
have wcol k : word (cwY k) = wL k.1 k.2 by have [] := bw_col bw k.1 k.2.
have wrow k : word (rwX k) = wR k.1 (true, k.2) by have [] := bw_row bw k.1 (true, k.2).
have bgl y i v : loads s i v -> bg y = i -> word v = wC (kk y).
  move=> l E'; case: (bg_event y) => [[_ [v' c' _]]|[v' l' <-]].
    by case: (@loads_computes i v v' l); rewrite -E'.
  by rewrite E' in l'; rewrite (loads_fun l l').
apply: (@card_rel _ _ _ _ r).
  case=> [v|i] [[w|x]|[i1|i1]] [[w'|x']|[i2|i2]] //=.
  - by move=> /eqP -> /eqP [->].
  - by move=> /eqP -> /andP[].
  - by move=> /andP[/eqP -> _].
  - move=> /andP[/eqP vw /existsP[y /andP[/eqP yx /andP[ba at1]]]].
    move=> /andP[/eqP vw' /existsP[y' /andP[/eqP yx' /andP[ba' at1']]]].
    rewrite -yx -yx' in vw vw' *; move: vw; rewrite vw' => -[kE]; congr (inl (inr _)).
    rewrite /rso -kE; case: (apart2 kE) => [[-> _]//|[lt|lt]].
      by have := tm_en y'; move: lt ba at1'; clear; lia.
    by have := tm_en y; move: lt ba' at1; clear; lia.
  - move=> /existsP[v /and4P[l /eqP vw _ _]] /existsP[v' /and4P[l' /eqP vw' _ _]].
    by move: vw'; rewrite (loads_fun l' l) vw => -[->].
  - by move=> /existsP[v /and4P[l /eqP vw _ _]] /existsP[y /andP[_ /eqP bi]]; move: (bgl _ _ _ l bi); rewrite vw.
  - move=> /existsP[v /and4P[l /eqP vw nR nl]] /andP[_ /again_load[k [_ l' o]]].
    by move: o; rewrite -(loads_fun l l') (negbTE nR) (negbTE nl).
  - move=> /existsP[v /and4P[l /eqP vw nR nl]] /andP[_ /again_load[k [_ l' o]]].
    by move: o; rewrite -(loads_fun l l') (negbTE nR) (negbTE nl).
  - by move=> /existsP[y /andP[_ /eqP bi]] /existsP[v /and4P[l /eqP vw _ _]]; move: (bgl _ _ _ l bi); rewrite vw.
  - move=> /existsP[y /andP[/eqP <- /eqP bi]] /existsP[y' /andP[/eqP <- /eqP bi']].
    have bb : bg y = bg y' by rewrite bi bi'.
    have kE := bg_fun bb; congr (inl (inr _)); rewrite /rso -kE.
    case: (apart2 kE) => [[-> _]//|[lt|lt]].
      by have := tm_en y; have := bg_tm y; move: lt bb; clear; lia.
    by have := tm_en y'; have := bg_tm y'; move: lt bb; clear; lia.
  - by move=> /existsP[y /andP[_ /eqP bi]] /andP[_ /again_load[k [_ l _]]]; move: (bgl _ _ _ l bi); rewrite wcol.
  - by move=> /existsP[y /andP[_ /eqP bi]] /andP[_ /again_load[k [_ l _]]]; move: (bgl _ _ _ l bi); rewrite wrow.
  - move=> /andP[_ /again_load[k [_ l' o]]] /existsP[v /and4P[l /eqP vw nR nl]].
    by move: o; rewrite -(loads_fun l l') (negbTE nR) (negbTE nl).
  - by move=> /andP[_ /again_load[k [_ l _]]] /existsP[y /andP[_ /eqP bi]]; move: (bgl _ _ _ l bi); rewrite wcol.
  - by move=> /andP[/eqP -> _] /andP[/eqP -> _].
  - move=> /andP[_ /again_load[k [_ l _]]] /andP[_ /again_load[k' [_ l' _]]].
    by have := wcol k; rewrite (loads_fun l l') wrow.
  - move=> /andP[_ /again_load[k [_ l' o]]] /existsP[v /and4P[l /eqP vw nR nl]].
    by move: o; rewrite -(loads_fun l l') (negbTE nR) (negbTE nl).
  - by move=> /andP[_ /again_load[k [_ l _]]] /existsP[y /andP[_ /eqP bi]]; move: (bgl _ _ _ l bi); rewrite wrow.
  - move=> /andP[_ /again_load[k [_ l _]]] /andP[_ /again_load[k' [_ l' _]]].
    by have := wrow k; rewrite (loads_fun l l') wcol.
  - by move=> /andP[/eqP -> _] /andP[/eqP -> _].
case=> [[w|x]|[i|i]].
- rewrite !inE => /existsP[v /andP[/eqP vw or]].
  case: (boolP (v \in Rd a)) => [vR|nR]; first by exists (inl v); rewrite ?inE //= vw.
  rewrite (negbTE nR) /= in or; case/existsP: or => i /andP[ab l].
  have ex : exists j, [&& a <= j, j < c & loads s j v].
    by exists i; move: ab l => /andP[-> ->] ->.
  case: (ex_minnP ex) => j /and3P[aj jc lj] mn.
  have [|o oi oe] := @load_event a c j v _ lj; first by rewrite aj.
  exists (inr o); rewrite ?inE //= ; apply/existsP; exists v; rewrite oi lj vw eqxx nR /=.
  apply/negP => /existsP[i' /andP[ai li]]; have := ltn_ord i'; have := mn i'.
  by rewrite ai li andbT /= => H i'j; have := H ltac:(lia); lia.
- rewrite !inE => /existsP[y /andP[/andP[at_ tc] /eqP yx]].
  case: (leqP a (bg y)) => ab.
    have bc : a <= bg y < c by rewrite ab; apply: leq_ltn_trans (bg_tm y) tc.
    have [o oi oe] : exists2 o : 'I_(size s), val o = bg y & event t o && (a <= val o < c).
      case: (bg_event y) => [[bE [v' c' _]]|[v l _]]; last exact: load_event l.
      exists (Ordinal (computes_size c')) => //=; rewrite bc andbT /event; apply/orP; right.
      by apply/existsP; exists (kk y); rewrite /= bE.
    by exists (inr o); rewrite ?inE //=; apply/existsP; exists y; rewrite yx oi !eqxx.
  have [|v vR vw] := @chain_red y a; first by rewrite ab; apply: leq_trans at_ (ltnW (tm_en y)).
  exists (inl v); rewrite ?inE //= vw -yx /= eqxx /=; apply/existsP; exists y.
  by rewrite eqxx ab.
- move=> iA; have iA' : i \in again s cwY a c by move: iA; rewrite inE.
  have [k [ab l _]] := again_load iA'; have [o oi oe] := load_event ab l.
  have -> : i = o by apply/val_inj.
  exists (inr o); rewrite ?inE //=; rewrite eqxx /= (_ : o = i) //; exact/val_inj.
- move=> iA; have iA' : i \in again s rwX a c by move: iA; rewrite inE.
  have [k [ab l _]] := again_load iA'; have [o oi oe] := load_event ab l.
  have -> : i = o by apply/val_inj.
  exists (inr o); rewrite ?inE //=; rewrite eqxx /= (_ : o = i) //; exact/val_inj.
Qed.

(* rows and columns *)
Definition own (u : Tok) : (Rw + Cl) + E := match u with
  | inl (inl (inl w)) => inl (inl w.1)
  | inl (inl (inr w)) => inl (inr w.1)
  | inl (inr p) => inr p
  | inr (inl k, _) => inl (inl k.1)
  | inr (inr k, _) => inl (inr k.1)
  end.
Definition Rn a c i := #|[set u in TS a c | own u == inl (inl i)]|.
Definition Cn a c j := #|[set u in TS a c | own u == inl (inr j)]|.
Definition Pc a c := [set p : E | wav a c (inr p)].
Definition TR a c := [set u in TS a c | if own u is inl (inl _) then true else false].
Definition TC a c := [set u in TS a c | if own u is inl (inr _) then true else false].

Lemma own_part (A : {set Tok}) : #|A| = \sum_o #|[set u in A | own u == o]|.
Proof.
rewrite -sum1_card (partition_big own predT) //=; apply: eq_bigr => o _.
by rewrite -sum1_card; apply: eq_bigl => u; rewrite [in RHS]inE.
Qed.

Lemma own_sum a c : \sum_i Rn a c i + \sum_j Cn a c j + #|Pc a c| <= #|TS a c|.
Proof.
rewrite [X in _ <= X]own_part !big_sumType /= leq_add2l -sum1_card big_mkcond /=.
apply: leq_sum => p _; case: ifP => // pP; rewrite card_gt0; apply/set0Pn; exists (inl (inr p)).
by rewrite inE eqxx andbT inE; move: pP; rewrite inE.
Qed.

Lemma TR_sum a c : #|TR a c| = \sum_i Rn a c i.
Proof.
rewrite own_part !big_sumType /= [X in _ + X]big1 ?addn0 => [|p _]; last first.
  by apply: eq_card0 => u; rewrite !inE; case: eqP => [->|]; rewrite ?andbF.
rewrite [X in _ + X]big1 ?addn0 => [|p _]; last first.
  by apply: eq_card0 => u; rewrite !inE; case: eqP => [->|]; rewrite ?andbF.
apply: eq_bigr => i _; apply: eq_card => u; rewrite !inE -andbA; congr (_ && _).
by case: eqP => [->|]; rewrite ?andbF.
Qed.

Lemma TC_sum a c : #|TC a c| = \sum_j Cn a c j.
Proof.
rewrite own_part !big_sumType /= [X in _ + X]big1 ?addn0 => [|p _]; last first.
  by apply: eq_card0 => u; rewrite !inE; case: eqP => [->|]; rewrite ?andbF.
rewrite [X in X + _]big1 ?add0n => [|p _]; last first.
  by apply: eq_card0 => u; rewrite !inE; case: eqP => [->|]; rewrite ?andbF.
apply: eq_bigr => i _; apply: eq_card => u; rewrite !inE -andbA; congr (_ && _).
by case: eqP => [->|]; rewrite ?andbF.
Qed.

Lemma input_wav a c i v w : a <= i <= c -> v \in input G -> v \in Rd i -> word v = inl w -> wav a c w.
Proof.
move=> /andP[ai ic] vI vi vw; apply/existsP; exists v; rewrite vw eqxx /=.
case: (red_back ok ai vi) => [->//|[j ji l]|[j _ /(computes_noninput ok)]]; last by rewrite vI.
apply/orP; right; apply/existsP; exists (Ordinal (loads_size l)); rewrite /= l andbT.
by move: ji ic; clear; lia.
Qed.

Lemma local_red a c p v i : p \notin Pc a c -> a <= i <= c -> v \in Rd i -> tree p v ->
  exists2 j, a <= j < i & computes s j v.
Proof.
rewrite inE => /existsPn np /andP[ai ic] vi /eqP tv; have := np v; rewrite tv eqxx negb_or => /andP[nR /existsPn nl].
case: (red_back ok ai vi) => [va|[j ji l]|//]; first by rewrite va in nR.
have := nl (Ordinal (loads_size l)); rewrite /= l andbT => /negP[].
by move: ji ic; clear; lia.
Qed.

Lemma local_times a c p u v i lo : p \notin Pc a c -> a <= lo -> lo <= i <= c -> v \in Rd i ->
  (forall x, tree p x -> x \notin Rd lo) -> needs (tree p) u v -> exists2 j, lo <= j < i & u \in Rd j.
Proof.
rewrite inE => /existsPn np alo /andP[li ic] vi nlo nd; apply: (tree_times ok li vi nd) => // x j tx ji.
have := np x; rewrite (eqP tx) eqxx negb_or => /andP[_ /existsPn nl]; apply/negP => l.
have := nl (Ordinal (loads_size l)); rewrite /= l andbT => /negP[].
by move: ji ic alo; clear; lia.
Qed.

Lemma local_start a c p x : p \notin Pc a c -> tree p x -> x \notin Rd a.
Proof.
by rewrite inE => /existsPn/(_ x) np tx; move: np; rewrite (eqP tx) eqxx negb_or => /andP[].
Qed.

Definition inseg a c x := a <= tm x < c.
Lemma redX p l : rootS p \in Rd (tm (inl (p, l))).
Proof. exact: (computes_edge ok (tm_comp (inl (p, l))) (bw_valueX bw p l)). Qed.
Lemma redY p y : (if y.1 then rootS p else rootP p) \in Rd (tm (inr (p, y))).
Proof. exact: (computes_edge ok (tm_comp (inr (p, y))) (bw_valueY bw p y)). Qed.

Lemma row_wav a c i p y : a <= i <= c -> rw p y \in Rd i -> wav a c (inl (inl (p, y))).
Proof. by move=> ai r; have [I1 w1] := bw_row bw p y; apply: input_wav ai I1 r w1. Qed.
Lemma col_wav a c i p y : a <= i <= c -> cw p y \in Rd i -> wav a c (inl (inr (p, y))).
Proof. by move=> ai r; have [I1 w1] := bw_col bw p y; apply: input_wav ai I1 r w1. Qed.

Lemma S_words a c p i : p \notin Pc a c -> a <= i <= c -> rootS p \in Rd i ->
  (forall y, wav a c (inl (inl (row p, y)))) /\ (forall y, wav a c (inl (inr (col p, y)))).
Proof.
move=> np ai r; have st x := @local_start a c p x np; have /andP[_ ic] := ai.
split=> y; [have [j ji rj] := local_times np (leqnn a) ai r st (bw_S_row bw p y) |
            have [j ji rj] := local_times np (leqnn a) ai r st (bw_S_col bw p y)].
  by apply: (@row_wav a c j) rj; move: ji ic; clear; lia.
by apply: (@col_wav a c j) rj; move: ji ic; clear; lia.
Qed.
Lemma P_words a c p i : p \notin Pc a c -> a <= i <= c -> rootP p \in Rd i ->
  (forall l, wav a c (inl (inl (row p, (true, l))))) /\ (forall l, wav a c (inl (inr (col p, (false, l))))).
Proof.
move=> np ai r; have st x := @local_start a c p x np; have /andP[_ ic] := ai.
split=> y; [have [j ji rj] := local_times np (leqnn a) ai r st (bw_P_row bw p y) |
            have [j ji rj] := local_times np (leqnn a) ai r st (bw_P_col bw p y)].
  by apply: (@row_wav a c j) rj; move: ji ic; clear; lia.
by apply: (@col_wav a c j) rj; move: ji ic; clear; lia.
Qed.

Lemma Rn_ge a c p (A : {set Sl2}) (B : {set 'I_d}) :
  (forall y, y \in A -> wav a c (inl (inl (row p, y)))) ->
  (forall l, l \in B -> inseg a c (inl (p, l))) -> #|A| + #|B| <= Rn a c (row p).
Proof.
move=> hA hB; rewrite /Rn card_split; apply: leq_add.
  rewrite -(card_imset (mem A) (f := fun y => inl (inl (row p, y)) : W3)); last by move=> y y' [].
  by apply/subset_leq_card/subsetP => _ /imsetP[y yA ->]; rewrite !inE hA //= eqxx.
rewrite -(card_imset (mem B) (f := fun l => rso (inl (p, l)))); last by move=> l l' [].
apply/subset_leq_card/subsetP => _ /imsetP[l lB ->]; rewrite !inE /= eqxx andbT.
by apply/existsP; exists (inl (p, l)); rewrite eqxx andbT; apply: hB.
Qed.
Lemma Cn_ge a c p (A : {set Sl2}) (B : {set Sl2}) :
  (forall y, y \in A -> wav a c (inl (inr (col p, y)))) ->
  (forall l, l \in B -> inseg a c (inr (p, l))) -> #|A| + #|B| <= Cn a c (col p).
Proof.
move=> hA hB; rewrite /Cn card_split; apply: leq_add.
  rewrite -(card_imset (mem A) (f := fun y => inl (inr (col p, y)) : W3)); last by move=> y y' [].
  by apply/subset_leq_card/subsetP => _ /imsetP[y yA ->]; rewrite !inE hA //= eqxx.
rewrite -(card_imset (mem B) (f := fun l => rso (inr (p, l)))); last by move=> l l' [].
apply/subset_leq_card/subsetP => _ /imsetP[l lB ->]; rewrite !inE /= eqxx andbT.
by apply/existsP; exists (inr (p, l)); rewrite eqxx andbT; apply: hB.
Qed.

Definition qs a c p := [set l : 'I_d | inseg a c (inl (p, l))].
Definition ys a c p := [set y : Sl2 | inseg a c (inr (p, y))].

Lemma card_Sl2 (A : {set Sl2}) : #|A| = #|[set l | (true, l) \in A]| + #|[set l | (false, l) \in A]|.
Proof. by rewrite card_fib big_bool. Qed.

(* (iii) *)
Lemma local_pair a c p : p \notin Pc a c -> let R := Rn a c (row p) in let C := Cn a c (col p) in
  6 * d * #|qs a c p| + 4 * d * #|ys a c p| <= R * C + #|qs a c p| * #|ys a c p| /\
  4 * d * (#|qs a c p| + #|ys a c p|) <= R * C.
Proof.
move=> np R C; set q := #|qs a c p|.
pose ks := [set l | (true, l) \in ys a c p]; pose vs := [set l | (false, l) \in ys a c p].
have yE : #|ys a c p| = #|ks| + #|vs| by exact: card_Sl2.
have qd : q <= d by rewrite -[X in _ <= X](card_ord d); apply: max_card.
have kd : #|ks| <= d by rewrite -[X in _ <= X](card_ord d); apply: max_card.
have vd : #|vs| <= d by rewrite -[X in _ <= X](card_ord d); apply: max_card.
have cT : #|[set: Sl2]| = 2 * d by rewrite cardsT card_prod card_bool card_ord.
have H1 : 0 < q + #|ks| -> 2 * d + q <= R /\ 2 * d + (#|ks| + #|vs|) <= C.
  move=> pos; have [i ai r] : exists2 i, a <= i <= c & rootS p \in Rd i.
    case: (posnP q) => [q0|].
      move: pos; rewrite q0 add0n => /card_gt0P[l]; rewrite !inE => /andP[h1 h2].
      by exists (tm (inr (p, (true, l)))); [rewrite h1 ltnW | exact: (redY p (true, l))].
    move/card_gt0P=> [l]; rewrite !inE => /andP[h1 h2].
    by exists (tm (inl (p, l))); [rewrite h1 ltnW | exact: redX].
  have [hr hc] := S_words np ai r; rewrite -cT -yE; split.
    by apply: Rn_ge => // l; rewrite inE.
  by apply: Cn_ge => // l; rewrite inE.
have H2 : 0 < #|vs| -> d + #|vs| <= R /\ d + #|vs| <= C.
  move=> /card_gt0P[l0]; rewrite !inE => h0.
  have [hr hc] : (forall l, wav a c (inl (inl (row p, (true, l))))) /\
                 (forall l, wav a c (inl (inr (col p, (false, l))))).
    apply: (@P_words a c p (tm (inr (p, (false, l0))))) => //; last exact: (redY p (false, l0)).
    by case/andP: h0 => h1 h2; rewrite h1 ltnW.
  split.
    have := @Rn_ge a c p [set y : Sl2 | y.1 || (y.2 \in vs)] set0; rewrite cards0 addn0 card_Sl2.
    rewrite (_ : #|[set l | _]| = d); last first.
      by rewrite -[RHS](card_ord d) -cardsT; apply: eq_card => l; rewrite !inE.
    rewrite (_ : [set l | (false, l) \in _] = vs); last by apply/setP => l; rewrite !inE.
    apply; last by move=> l; rewrite inE.
    move=> [[] l]; rewrite inE //= !inE => /andP[h1 h2].
    apply: (@row_wav a c (tm (inr (p, (false, l))))); first by rewrite h1 ltnW.
    exact: (computes_edge ok (tm_comp (inr (p, (false, l)))) (bw_edgeY bw p (false, l))).
  have := @Cn_ge a c p [set y : Sl2 | ~~ y.1] [set y in ys a c p | ~~ y.1]; rewrite !card_Sl2.
  rewrite (_ : #|[set l | (true, l) \in [set y | ~~ y.1]]| = 0); last by apply: eq_card0 => l; rewrite !inE.
  rewrite (_ : #|[set l | (true, l) \in [set y in ys a c p | ~~ y.1]]| = 0); last first.
    by apply: eq_card0 => l; rewrite !inE andbF.
  rewrite (_ : #|[set l | (false, l) \in [set y | ~~ y.1]]| = d); last first.
    by rewrite -[RHS](card_ord d) -cardsT; apply: eq_card => l; rewrite !inE.
  rewrite (_ : [set l | (false, l) \in [set y in ys a c p | ~~ y.1]] = vs); last first.
    by apply/setP => l; rewrite !inE andbT.
  rewrite !add0n; apply; last by move=> y; rewrite !inE => /andP[].
  by move=> [[] l]; rewrite inE //.
rewrite yE; split; last exact: pair_ineq12.
have := @pair_ineq d #|vs| q #|ks| R C qd vd kd; rewrite -addnA => /(_ H1 H2).
clear; lia.
Qed.

(* (v) *)
Definition SX a c := [set x : E * 'I_d | inseg a c (inl x) && (x.1 \in Pc a c)].
Definition SY a c := [set x : E * Sl2 | inseg a c (inr x) && (x.1 \in Pc a c)].

Lemma carried a c : (#|SX a c| + #|SY a c|) ^ 2 <= #|Pc a c| * (#|TR a c| * #|TC a c|).
Proof.
pose gX (x : E * 'I_d) : KX := (row x.1, x.2); pose hX (x : E * 'I_d) : Cl * Sl2 := (col x.1, (false, x.2)).
pose gY (x : E * Sl2) : KY := (col x.1, x.2); pose hY (x : E * Sl2) : Rw * Sl2 := (row x.1, x.2).
have lX : #|SX a c| ^ 2 <= #|fst @: SX a c| * (#|gX @: SX a c| * #|hX @: SX a c|).
  apply: loomis_whitney => -[p1 l1] [p2 l2] [p3 l3] [p4 l4] /= E1 E2 [r1 l13] [c1 l24].
  by rewrite -E1 -E2 in c1 *; rewrite l13 l24 (bw_pair bw r1 c1).
have lY : #|SY a c| ^ 2 <= #|fst @: SY a c| * (#|hY @: SY a c| * #|gY @: SY a c|).
  apply: loomis_whitney => -[p1 l1] [p2 l2] [p3 l3] [p4 l4] /= E1 E2 [r1 l13] [c1 l24].
  by rewrite -E1 -E2 in c1 *; rewrite l13 l24 (bw_pair bw r1 c1).
have fX : #|fst @: SX a c| <= #|Pc a c|.
  by apply/subset_leq_card/subsetP => _ /imsetP[x xS ->]; move: xS; rewrite inE => /andP[].
have fY : #|fst @: SY a c| <= #|Pc a c|.
  by apply/subset_leq_card/subsetP => _ /imsetP[x xS ->]; move: xS; rewrite inE => /andP[].
have le i : a <= i < c -> a <= i <= c by move=> /andP[-> /ltnW].
have rR : #|gX @: SX a c| + #|hY @: SY a c| <= #|TR a c|.
  rewrite addnC [X in _ <= X]card_split; apply: leq_add.
    rewrite -(card_imset (mem (hY @: SY a c)) (f := fun w => inl (inl w) : W3)); last by move=> y y' [].
    apply/subset_leq_card/subsetP => _ /imsetP[w /imsetP[[p y] xS ->] ->].
    rewrite !inE andbT; move: xS; rewrite inE => /andP[sg _].
    exact: (@row_wav a c _ _ _ (le _ sg) (computes_edge ok (tm_comp (inr (p, y))) (bw_edgeY bw p y))).
  apply: (@card_rel _ _ _ _ (fun (x : K * I) k => x.1 == inl k)).
    by move=> x k k' /eqP -> /eqP[].
  move=> _ /imsetP[[p l] xS ->]; exists (rso (inl (p, l))); last by [].
  rewrite !inE /= andbT; move: xS; rewrite inE => /andP[sg _].
  by apply/existsP; exists (inl (p, l)); rewrite eqxx andbT.
have rC : #|hX @: SX a c| + #|gY @: SY a c| <= #|TC a c|.
  rewrite [X in _ <= X]card_split; apply: leq_add.
    rewrite -(card_imset (mem (hX @: SX a c)) (f := fun w => inl (inr w) : W3)); last by move=> y y' [].
    apply/subset_leq_card/subsetP => _ /imsetP[w /imsetP[[p y] xS ->] ->].
    rewrite !inE andbT; move: xS; rewrite inE => /andP[sg _].
    exact: (@col_wav a c _ _ _ (le _ sg) (computes_edge ok (tm_comp (inl (p, y))) (bw_edgeX bw p y))).
  apply: (@card_rel _ _ _ _ (fun (x : K * I) k => x.1 == inr k)).
    by move=> x k k' /eqP -> /eqP[].
  move=> _ /imsetP[[p l] xS ->]; exists (rso (inr (p, l))); last by [].
  rewrite !inE /= andbT; move: xS; rewrite inE => /andP[sg _].
  by apply/existsP; exists (inr (p, l)); rewrite eqxx andbT.
have lX' := leq_trans lX (leq_mul fX (leqnn _)); have lY' := leq_trans lY (leq_mul fY (leqnn _)).
apply: leq_trans (cs2 lX' lY') _; rewrite leq_mul2l; apply/orP; right; exact: leq_mul rR rC.
Qed.

Definition nX a c := #|[set x : E * 'I_d | inseg a c (inl x)]|.
Definition nY a c := #|[set x : E * Sl2 | inseg a c (inr x)]|.
Definition Gs a c := [set g : E * ('I_d * Sl2) |
  [&& g.1 \notin Pc a c, inseg a c (inl (g.1, g.2.1)) & inseg a c (inr (g.1, g.2.2))]].

Lemma nX_sum a c : nX a c = \sum_p #|qs a c p|.
Proof. by rewrite /nX card_fib; apply: eq_bigr => p _; apply: eq_card => l; rewrite !inE. Qed.
Lemma nY_sum a c : nY a c = \sum_p #|ys a c p|.
Proof. by rewrite /nY card_fib; apply: eq_bigr => p _; apply: eq_card => l; rewrite !inE. Qed.
Lemma SX_sum a c : #|SX a c| = \sum_p if p \in Pc a c then #|qs a c p| else 0.
Proof.
rewrite card_fib; apply: eq_bigr => p _; case: ifP => pP.
  by apply: eq_card => l; rewrite inE [in RHS]inE inE /= pP andbT.
by apply: eq_card0 => l; rewrite inE inE /= pP andbF.
Qed.
Lemma SY_sum a c : #|SY a c| = \sum_p if p \in Pc a c then #|ys a c p| else 0.
Proof.
rewrite card_fib; apply: eq_bigr => p _; case: ifP => pP.
  by apply: eq_card => l; rewrite inE [in RHS]inE inE /= pP andbT.
by apply: eq_card0 => l; rewrite inE inE /= pP andbF.
Qed.
Lemma Gs_sum a c : #|Gs a c| = \sum_p if p \in Pc a c then 0 else #|qs a c p| * #|ys a c p|.
Proof.
rewrite card_fib; apply: eq_bigr => p _; case: ifP => pP.
  by apply: eq_card0 => l; rewrite inE inE /= pP.
rewrite -cardsX; apply: eq_card => -[l y].
by rewrite inE inE /= pP in_setX [in RHS]inE [in RHS]inE.
Qed.

Lemma sum_RC a c : \sum_p Rn a c (row p) * Cn a c (col p) <= #|TR a c| * #|TC a c|.
Proof.
rewrite TR_sum TC_sum big_distrlr /= pair_bigA /=.
have -> : \sum_p Rn a c (row p) * Cn a c (col p) = \sum_(p in [set: E]) Rn a c (row p) * Cn a c (col p).
  by apply: eq_bigl => p; rewrite inE.
rewrite -(big_imset (fun u => Rn a c u.1 * Cn a c u.2) (h := fun p => (row p, col p))) /=; last first.
  by move=> p p' _ _ [r1 c1]; apply: (bw_pair bw).
by rewrite [X in _ <= X](bigID (mem [set (row p, col p) | p in [set: E]])) /= leq_addr.
Qed.

Theorem segment14 a c : 6 * d * nX a c + 4 * d * nY a c <=
  #|TR a c| * #|TC a c| + (6 * d * #|SX a c| + 4 * d * #|SY a c|) + #|Gs a c|.
Proof.
rewrite nX_sum nY_sum SX_sum SY_sum Gs_sum.
apply: leq_trans (leq_add (leq_add (sum_RC a c) (leqnn _)) (leqnn _)).
rewrite !big_distrr -!big_split /=; apply: leq_sum => p _; case: ifP => pP.
  by rewrite addn0 leq_addl.
by have [H _] := local_pair (negbT pP); rewrite !muln0 !addn0.
Qed.

Theorem segment12 a c : 4 * d * (nX a c + nY a c) <=
  #|TR a c| * #|TC a c| + 4 * d * (#|SX a c| + #|SY a c|).
Proof.
rewrite nX_sum nY_sum SX_sum SY_sum.
apply: leq_trans (leq_add (sum_RC a c) (leqnn _)).
rewrite -!big_split !big_distrr -!big_split /=; apply: leq_sum => p _; case: ifP => pP.
  by rewrite leq_addl.
by have [_ H] := local_pair (negbT pP); rewrite !addn0 muln0 addn0.
Qed.

Lemma SX_d a c : #|SX a c| <= #|Pc a c| * d.
Proof.
rewrite SX_sum -big_mkcond /= -sum_nat_const; apply: leq_sum => p _.
by rewrite -[X in _ <= X](card_ord d); apply: max_card.
Qed.
Lemma SY_d a c : #|SY a c| <= #|Pc a c| * (2 * d).
Proof.
rewrite SY_sum -big_mkcond /= -sum_nat_const; apply: leq_sum => p _.
apply: leq_trans (max_card _) _; by rewrite card_prod card_bool card_ord.
Qed.

Definition most (u14 : nat) (v36 : nat) X h : Prop := forall p R C w, R + C + p <= X ->
  w <= u14 * p -> w ^ 2 <= v36 * p * (R * C) -> R * C + w <= h.

(* what a segment does, less the meetings that are not made up for by second loads *)
Lemma segment14_most a c X h : most (14 * d ^ 2) (36 * d ^ 2) X h -> #|Rd a| + evs a c <= X ->
  6 * d * nX a c + 4 * d * nY a c + #|TR a c| * #|again s cwY a c| + #|TC a c| * #|again s rwX a c|
   <= h + #|Gs a c|.
Proof.
move=> H le; apply: leq_trans (leq_add (leq_add (segment14 a c) (leqnn _)) (leqnn _)) _.
have ct := count_tokens a c; have os := own_sum a c; rewrite -TR_sum -TC_sum in os.
move: (carried a c) (SX_d a c) (SY_d a c); move: ct os.
set R := #|TR a c|; set C := #|TC a c|; set p := #|Pc a c|; set x := #|SX a c|; set y := #|SY a c|.
set r1 := #|again s cwY a c|; set r2 := #|again s rwX a c|; set X' := #|TS a c| => ct os h1 h2 h3.
have H' : (R + r2) * (C + r1) + (6 * d * x + 4 * d * y) <= h.
  apply: (H p).
  - by move: ct os le; clear; lia.
  - have := leq_mul (leqnn (6 * d)) h2; have := leq_mul (leqnn (4 * d)) h3.
    by rewrite -!mulnn; clear; lia.
  have s1 : 6 * d * x + 4 * d * y <= 6 * d * (x + y) by rewrite mulnDr leq_add2l !leq_mul.
  apply: (@leq_trans ((6 * d * (x + y)) ^ 2)); first by rewrite leq_exp2r.
  have -> : 36 * d ^ 2 * p * ((R + r2) * (C + r1)) = (6 * d) ^ 2 * (p * ((R + r2) * (C + r1))).
    by rewrite [in RHS]expnMn !mulnA.
  rewrite expnMn.
  rewrite leq_mul2l; apply/orP; right; apply: leq_trans h1 _.
  by rewrite leq_mul2l leq_mul ?leq_addr ?orbT.
apply: (@leq_trans ((R + r2) * (C + r1) + (6 * d * x + 4 * d * y) + #|Gs a c|)); last by rewrite leq_add2r.
by rewrite mulnDl !mulnDr; move: (6 * d * x) (4 * d * y) (#|Gs a c|); clear; lia.
Qed.

Lemma segment12_most a c X h : most (12 * d ^ 2) (16 * d ^ 2) X h -> #|Rd a| + evs a c <= X ->
  4 * d * (nX a c + nY a c) <= h.
Proof.
move=> H le; apply: leq_trans (segment12 a c) _.
have ct := count_tokens a c; have os := own_sum a c; rewrite -TR_sum -TC_sum in os.
move: (carried a c) (SX_d a c) (SY_d a c); move: ct os.
set R := #|TR a c|; set C := #|TC a c|; set p := #|Pc a c|; set x := #|SX a c|; set y := #|SY a c|.
set X' := #|TS a c| => ct os h1 h2 h3; apply: (H p).
- by move: ct os le; clear; lia.
- have := leq_mul (leqnn (4 * d)) h2; have := leq_mul (leqnn (4 * d)) h3.
  by rewrite -!mulnn mulnDr; clear; lia.
- have -> : 16 * d ^ 2 * p * (R * C) = (4 * d) ^ 2 * (p * (R * C)) by rewrite [in RHS]expnMn !mulnA.
  rewrite expnMn.
  rewrite leq_mul2l; apply/orP; right; exact: h1.
Qed.

(* cutting a play into segments *)
Section Cuts.
Variables f tt q : nat.
Hypothesis few : evs 0 (size s) <= f + q * tt.
Definition cut x := \max_(a < (size s).+1 | evs 0 a <= x) a.
Definition A i := if i is i'.+1 then cut (f + i' * tt) else 0.

Lemma evs_cat a c c' : a <= c -> c <= c' -> evs a c' = evs a c + evs c c'.
Proof. exact: cnt_cat. Qed.
Lemma evs_aa a : evs a a = 0.
Proof. by have := evs_cat (leqnn a) (leqnn a); clear; lia. Qed.
Lemma cut_le x : cut x <= size s.
Proof. by apply/bigmax_leqP => a _; rewrite -ltnS. Qed.
Lemma cut_ge x a : a <= size s -> evs 0 a <= x -> a <= cut x.
Proof. by move=> an le; apply: (@leq_bigmax_cond _ _ (fun a : 'I_(size s).+1 => val a) (Ordinal (an : a < (size s).+1))). Qed.
Lemma cut_evs x : evs 0 (cut x) <= x.
Proof.
rewrite /cut; have [|a /= aP E'] := @eq_bigmax_cond _ [pred a : 'I_(size s).+1 | evs 0 a <= x] val.
  by apply/card_gt0P; exists ord0; rewrite inE /= evs_aa.
by rewrite E'; exact: aP.
Qed.
Lemma cut_mono x y : x <= y -> cut x <= cut y.
Proof. by move=> xy; apply: cut_ge; [exact: cut_le | apply: leq_trans (cut_evs x) xy]. Qed.
Lemma cut_last x : evs 0 (size s) <= x -> cut x = size s.
Proof. by move=> le; apply/eqP; rewrite eqn_leq cut_le cut_ge. Qed.
Lemma cut_step x y : evs (cut x) (cut (x + y)) <= y.
Proof.
have mo := cut_mono (leq_addr y x); have := cut_evs (x + y).
rewrite (evs_cat (leq0n _) mo); case: (ltnP (cut x) (size s)) => [lt|ge].
  have nx : x < evs 0 (cut x).+1.
    by rewrite ltnNge; apply/negP => /(cut_ge lt); rewrite ltnn.
  move: nx; rewrite (evs_cat (leq0n _) (leqnSn (cut x))).
  have := events_one ok t (cut x); rewrite -/(evs _ _); clear; lia.
have -> : cut (x + y) = cut x.
  by apply/eqP; rewrite eqn_leq mo (leq_trans (cut_le _) ge).
by rewrite evs_aa.
Qed.
Lemma A_mono i j : i <= j -> A i <= A j.
Proof.
case: i => [|i] //; case: j => [|j] //; rewrite ltnS => ij; apply: cut_mono.
by rewrite leq_add2l leq_mul.
Qed.
Lemma A_last : A q.+1 = size s. Proof. exact: cut_last. Qed.
Lemma A_le i : i <= size s -> A i <= size s. Proof. by case: i => [|i] // _; apply: cut_le. Qed.
Lemma seg_uni i j u : A i <= u < A i.+1 -> A j <= u < A j.+1 -> i = j.
Proof.
move=> /andP[h1 h2] /andP[h3 h4]; apply/eqP; rewrite eqn_leq.
by apply/andP; split; rewrite leqNgt; apply/negP => /A_mono; move: h1 h2 h3 h4; clear; lia.
Qed.
Lemma seg_ex u : u < size s -> exists i : 'I_q.+1, A i <= u < A i.+1.
Proof.
move=> us; have ex : exists i, u < A i.+1 by exists q; rewrite A_last.
case: (ex_minnP ex) => i ui mn; have iq : i < q.+1 by rewrite ltnS; apply: mn; rewrite A_last.
exists (Ordinal iq); rewrite /= ui andbT; case: i ui mn iq => [|i] // ui mn _.
by rewrite leqNgt; apply/negP => /mn; rewrite ltnn.
Qed.
Definition sgi u := [pick i : 'I_q.+1 | A i <= u < A i.+1].
Definition lo u := if sgi u is Some i then A i else 0.
Definition hi u := if sgi u is Some i then A i.+1 else 0.
Lemma seg_lohi (i : 'I_q.+1) u : A i <= u < A i.+1 -> lo u = A i /\ hi u = A i.+1.
Proof.
rewrite /lo /hi /sgi => H; case: pickP => [j jH|/(_ i)]; last by rewrite H.
by rewrite (seg_uni jH H).
Qed.
Lemma lohi_seg u u' : lo u <= u' < hi u -> exists2 i : 'I_q.+1, A i <= u' < A i.+1 & lo u = A i /\ hi u = A i.+1.
Proof. by rewrite /lo /hi; case: (sgi u) => [i|] // H; exists i. Qed.
Lemma seg2 u u' : lo u <= u' < hi u -> lo u' = lo u /\ hi u' = hi u.
Proof. by case/lohi_seg=> i /seg_lohi[-> ->] [-> ->]. Qed.

(* the meetings *)
Definition Ga : finType := [finType of E * ('I_d * Sl2)].
Definition xX (g : Ga) : T := inl (g.1, g.2.1).
Definition xY (g : Ga) : T := inr (g.1, g.2.2).
Definition Gd : {set Ga} := [set g | [exists i : 'I_q.+1, g \in Gs (A i) (A i.+1)]].

Lemma GdP g : g \in Gd -> exists i : 'I_q.+1, [/\ g.1 \notin Pc (A i) (A i.+1), inseg (A i) (A i.+1) (xX g) & inseg (A i) (A i.+1) (xY g)].
Proof. by rewrite inE => /existsP[i]; rewrite inE => /and3P[]; exists i. Qed.
Lemma Gd_sum : \sum_(i < q.+1) #|Gs (A i) (A i.+1)| <= #|Gd|.
Proof.
have -> : \sum_(i < q.+1) #|Gs (A i) (A i.+1)| = #|[set u : 'I_q.+1 * Ga | u.2 \in Gs (A u.1) (A u.1.+1)]|.
  by rewrite card_fib; apply: eq_bigr => i _; apply: eq_card => g; rewrite !inE.
apply: (@card_rel _ _ _ _ (fun g (u : 'I_q.+1 * Ga) => (u.2 == g) && (u.2 \in Gs (A u.1) (A u.1.+1)))).
  move=> g [i u] [j v] /= /andP[/eqP -> h1] /andP[/eqP -> h2]; congr (_, _); apply/val_inj.
  move: h1 h2; rewrite [in X in X -> _]inE [in X in _ -> X -> _]inE => /and3P[_ h1 _] /and3P[_ h2 _].
  exact: seg_uni h1 h2.
move=> [i g]; rewrite inE /= => gG; exists g; last by rewrite eqxx.
by rewrite inE; apply/existsP; exists i.
Qed.

Lemma bg_en x x' : bg x != en x'.
Proof.
apply/eqP => E'; have [v st _] := en_store x'; rewrite -E' in st.
have sl u w : stores s (bg x) u -> loads s (bg x) w -> False.
  by rewrite /stores /loads; case: (mv s (bg x)) => [[]|].
have sc u w : stores s (bg x) u -> computes s (bg x) w -> False.
  by rewrite /stores /computes; case: (mv s (bg x)) => [[]|].
by case: (bg_event x) => [[_ [w c _]]|[w l _]]; [apply: sc st c | apply: sl st l].
Qed.
Lemma bg_lt x : bg x < en x. Proof. exact: leq_ltn_trans (bg_tm x) (tm_en x). Qed.
Lemma en_red x : exists2 v, v \in Rd (en x) & word v = wC (kk x).
Proof. by apply: chain_red; rewrite bg_lt leqnn. Qed.
Lemma apart3 x x' : kk x = kk x' -> en x = en x' -> bg x = bg x'.
Proof. by move=> kE eE; apply: rso_bg; rewrite /rso kE eE. Qed.

(* words as Charge.v has them, for each side *)
Definition wordX (v : G) : KX + KY + (KY + E) + unit := match word v with
  | inl (inl (inr w)) => inl (inr (inl w))
  | inl (inr p) => inl (inr (inr p))
  | inr (inl (inl k)) => inl (inl (inl k))
  | inr (inl (inr k)) => inl (inl (inr k))
  | _ => inr Datatypes.tt end.
Definition wordY (v : G) : KY + KX + (KX + E) + unit := match word v with
  | inl (inl (inl (i, (true, l)))) => inl (inr (inl (i, l)))
  | inl (inr p) => inl (inr (inr p))
  | inr (inl (inl k)) => inl (inl (inr k))
  | inr (inl (inr k)) => inl (inl (inl k))
  | _ => inr Datatypes.tt end.

Lemma wordX_tree v p : wordX v = inl (inr (inr p)) <-> tree p v.
Proof.
rewrite /wordX /tree; case: (word v) => [[[w|w]|p']|[[k|k]|u]]; split=> //; first by case=> ->.
by move/eqP=> [->].
Qed.
Lemma wordY_tree v p : wordY v = inl (inr (inr p)) <-> tree p v.
Proof.
rewrite /wordY /tree; case: (word v) => [[[[i [[] l]]|w]|p']|[[k|k]|u]]; split=> //; first by case=> ->.
by move/eqP=> [->].
Qed.

Definition ResX : {set KX * I} := [set x | [exists y : E * 'I_d, rso (inl y) == (inl x.1, x.2)]].
Definition ResY : {set KY * I} := [set x | [exists y : E * Sl2, rso (inr y) == (inr x.1, x.2)]].
Lemma res_stores : #|ResX| + #|ResY| <= n_stores s 0 (size s).
Proof.
pose AA := [set u : KX * I + KY * I | match u with inl x => x \in ResX | inr x => x \in ResY end].
have -> : #|ResX| + #|ResY| = #|AA|.
  by rewrite card_split; congr (_ + _); apply: eq_card => u; rewrite !inE.
pose ke (u : KX * I + KY * I) : K * I := match u with inl x => (inl x.1, x.2) | inr x => (inr x.1, x.2) end.
apply: (@card_rel _ _ _ _ (fun (i : 'I_(size s)) u => ((ke u).2 == i :> nat) && [exists v, stores s i v && (word v == wC (ke u).1)])).
  move=> i u u' /andP[/eqP e1 /existsP[v /andP[s1 /eqP w1]]] /andP[/eqP e2 /existsP[v' /andP[s2 /eqP w2]]].
  have {}e1 : (ke u).2 = (ke u').2 by apply/val_inj; rewrite /= e1 e2.
  rewrite (stores_fun s1 s2) w2 in w1; have {}w1 : (ke u').1 = (ke u).1 by case: w1.
  clear - e1 w1; move: e1 w1; case: u => [[a1 a2]|[a1 a2]]; case: u' => [[b1 b2]|[b1 b2]] //= -> [->] //.
have main y u : rso y = ke u -> exists2 i : 'I_(size s), i \in [set i | at_time (@is_store G) i && (0 <= val i < size s)] &
    ((ke u).2 == i :> nat) && [exists v, stores s i v && (word v == wC (ke u).1)].
  move=> <-; have [v st w] := en_store y; have [i ie at_] := stores_at st; exists i.
    by rewrite inE at_ /= ltn_ord.
  rewrite rso_e -ie eqxx /=; apply/existsP; exists v; rewrite /= in ie; by rewrite ie st w eqxx.
case=> x xA.
  have /existsP[y /eqP H] : [exists y : E * 'I_d, rso (inl y) == (inl x.1, x.2)] by move: xA; rewrite !inE.
  exact: (main (inl y) (inl x) H).
have /existsP[y /eqP H] : [exists y : E * Sl2, rso (inr y) == (inr x.1, x.2)] by move: xA; rewrite !inE.
exact: (main (inr y) (inr x) H).
Qed.

Definition FX := [set g in Gd | en (xX g) < en (xY g)].
Definition FY := [set g in Gd | en (xY g) < en (xX g)].
Lemma Gd_split : #|Gd| <= #|FX| + #|FY|.
Proof.
apply: leq_trans (leq_card_setU _ _); apply/subset_leq_card/subsetP => g gd; rewrite in_setU /FX /FY [in X in X || _]inE [in X in _ || X]inE gd /=.
case: ltngtP => // E'; have [v s1 w1] := en_store (xX g); have [v' s2 w2] := en_store (xY g).
by rewrite E' in s1; rewrite (stores_fun s1 s2) w2 in w1.
Qed.

Local Notation kx := (fun g : Ga => (row g.1, g.2.1) : KX).
Local Notation ky := (fun g : Ga => (col g.1, g.2.2) : KY).
Local Notation tX := (fun g : Ga => tm (xX g)).
Local Notation tY := (fun g : Ga => tm (xY g)).
Local Notation eX := (fun g : Ga => en (xX g)).
Local Notation eY := (fun g : Ga => en (xY g)).
Local Notation bX := (fun g : Ga => bg (xX g)).
Local Notation bY := (fun g : Ga => bg (xY g)).

Lemma Gd_same g : g \in Gd -> exists i : 'I_q.+1, [/\ g.1 \notin Pc (A i) (A i.+1),
  A i <= tX g < A i.+1, A i <= tY g < A i.+1, lo (tX g) = A i /\ hi (tX g) = A i.+1 &
  lo (tY g) = A i /\ hi (tY g) = A i.+1].
Proof. by case/GdP=> i [np h1 h2]; exists i; split=> //; apply: seg_lohi. Qed.

Lemma le_c a i c : a <= i < c -> a <= i <= c. Proof. by move=> /andP[-> /ltnW]. Qed.

Lemma Y_col_after p y a c u : p \notin Pc a c -> a <= u -> u <= tm (inr (p, y)) <= c ->
  (forall x, tree p x -> x \notin Rd u) -> exists2 j, u <= j < tm (inr (p, y)) & cw (col p) y \in Rd j.
Proof.
case: y => [[] y] np au ut nu; have r b := redY p (b, y).
  exact: (local_times np au ut (r true) nu (bw_S_col bw p (true, y))).
exact: (local_times np au ut (r false) nu (bw_P_col bw p y)).
Qed.
Lemma Y_row_after p l y a c u : p \notin Pc a c -> a <= u -> u <= tm (inr (p, y)) <= c ->
  (forall x, tree p x -> x \notin Rd u) -> exists2 j, u <= j < tm (inr (p, y)) & rw (row p) (true, l) \in Rd j.
Proof.
case: y => [[] y] np au ut nu; have r b := redY p (b, y).
  exact: (local_times np au ut (r true) nu (bw_S_row bw p (true, l))).
exact: (local_times np au ut (r false) nu (bw_P_row bw p l)).
Qed.

Lemma sideX : 2 * d * #|FX| <= \sum_(x in AX s kx eX Gd) 2 * d * (M + rho cwY kx tX eX lo hi Gd x) +
  #|BY s ky eY Gd| * (d * \sum_(k < 2 * d) k).
Proof.
rewrite -[X in _ <= _ + _ * (X * _)](card_ord d).
apply: (@side game M G s ok KX KY E Cl [finType of 'I_d] wordX cwY _ _ Ga kx ky (fun g => g.1) snd fst col
  (2 * d) _ _ _ _ tX tY eX eY bY lo hi Gd).
- by move=> k; rewrite /wordX /cwY; have [_ ->] := bw_col bw k.1 k.2; case: k.
- by move=> k; have [] := bw_col bw k.1 k.2.
- by [].
- by move=> [p [l y]] [p' [l' y']] /= [r1 ->] [c1 ->]; rewrite (bw_pair bw r1 c1).
- by move=> [p [l y]] [p' [l' y']] /= [_ ->] -> ->.
- move=> j; rewrite -[X in _ <= X](_ : #|[set: Sl2]| = _); last by rewrite cardsT card_prod card_bool card_ord.
  by apply: (@card_rel _ _ _ _ (fun y (k : KY) => k == (j, y))) => [y u v /eqP -> /eqP //|[j' y]];
     rewrite inE /= => /eqP ->; exists y; rewrite ?inE.
- by move=> g; apply: en_size.
- by move=> g; apply: en_size.
- by move=> g; apply: tm_en.
- by move=> g; apply: bg_tm.
- by move=> g; apply: bg_lt.
- by move=> g; apply: bg_en.
- by move=> g; have [v r w] := en_red (xX g); exists v => //; rewrite /wordX w.
- by move=> g u ub; have [v r w] := chain_red ub; exists v => //; rewrite /wordX w.
- by move=> g g' kE eE; apply: apart3 eE; rewrite /= ; congr inr.
- exact: seg2.
- by move=> g /Gd_same[i [_ h1 h2 [-> ->] _]].
- move=> [p [l y]] /Gd_same[i [/= np h1 h2 [-> _] _]].
  have [j ji r] := local_times np (leqnn _) (le_c h1) (redX p l) (fun x => @local_start _ _ p x np) (bw_S_col bw p y).
  by exists j => //; case/andP: ji => -> /ltnW.
move=> [p [l y]] u /Gd_same[i [/= np h1 h2 [-> _] _]] uY nt.
have nu x : tree p x -> x \notin Rd u.
  by move=> tx; apply: contra nt => xu; apply/imsetP; exists x => //; apply/esym/wordX_tree.
have [au ut] : A i <= u /\ u <= tm (xY (p, (l, y))) <= A i.+1.
  by case/andP: uY => -> ->; case/andP: h2 => _ /ltnW.
have [j ji r] := Y_col_after np au ut nu.
by exists j => //; case/andP: ji => -> /ltnW.
Qed.

Lemma sideY : d * #|FY| <= \sum_(x in AX s ky eY Gd) d * (M + rho rwX ky tY eY lo hi Gd x) +
  #|BY s kx eX Gd| * (2 * d * \sum_(k < d) k).
Proof.
have cT : 2 * d = #|Sl2| by rewrite card_prod card_bool card_ord.
rewrite [X in _ <= _ + _ * (X * _)]cT.
apply: (@side game M G s ok KY KX E Rw Sl2 wordY rwX _ _ Ga ky kx (fun g => g.1) snd fst row
  d _ _ _ _ tY tX eY eX bX lo hi Gd).
- by move=> k; rewrite /wordY /rwX; have [_ ->] := bw_row bw k.1 (true, k.2); case: k.
- by move=> k; have [] := bw_row bw k.1 (true, k.2).
- by [].
- by move=> [p [l y]] [p' [l' y']] /= [c1 ->] [r1 ->]; rewrite (bw_pair bw r1 c1).
- by move=> [p [l y]] [p' [l' y']] /= [_ ->] -> ->.
- move=> j; rewrite -[X in _ <= X](card_ord d) -cardsT.
  by apply: (@card_rel _ _ _ _ (fun y (k : KX) => k == (j, y))) => [y u v /eqP -> /eqP //|[j' y]];
     rewrite inE /= => /eqP ->; exists y; rewrite ?inE.
- by move=> g; apply: en_size.
- by move=> g; apply: en_size.
- by move=> g; apply: tm_en.
- by move=> g; apply: bg_tm.
- by move=> g; apply: bg_lt.
- by move=> g; apply: bg_en.
- by move=> g; have [v r w] := en_red (xY g); exists v => //; rewrite /wordY w.
- by move=> g u ub; have [v r w] := chain_red ub; exists v => //; rewrite /wordY w.
- by move=> g g' kE eE; apply: apart3 eE; rewrite /= ; congr inl.
- exact: seg2.
- by move=> g /Gd_same[i [_ h1 h2 _ [-> ->]]].
- move=> [p [l y]] /Gd_same[i [/= np h1 h2 _ [-> _]]].
  have [j ji r] := Y_row_after l np (leqnn _) (le_c h2) (fun x => @local_start _ _ p x np).
  by exists j => //; case/andP: ji => -> /ltnW.
move=> [p [l y]] u /Gd_same[i [/= np h1 h2 _ [-> _]]] uX nt.
have nu x : tree p x -> x \notin Rd u.
  by move=> tx; apply: contra nt => xu; apply/imsetP; exists x => //; apply/esym/wordY_tree.
have [au ut] : A i <= u /\ u <= tm (xX (p, (l, y))) <= A i.+1.
  by case/andP: uX => -> ->; case/andP: h1 => _ /ltnW.
have [j ji r] := local_times np au ut (redX p l) nu (bw_S_row bw p (true, l)).
by exists j => //; case/andP: ji => -> /ltnW.
Qed.

Lemma rho_sumX : \sum_(x in AX s kx eX Gd) rho cwY kx tX eX lo hi Gd x <=
  \sum_(i < q.+1) #|TR (A i) (A i.+1)| * #|again s cwY (A i) (A i.+1)|.
Proof.
pose act i (x : KX * I) := (inr (inl x.1, x.2) : Tok) \in TS (A i) (A i.+1).
apply: (@leq_trans (\sum_(x : KX * I) \sum_(i < q.+1) act i x * #|again s cwY (A i) (A i.+1)|)).
  rewrite big_mkcond /=; apply: leq_sum => x _; case: ifP => // _; rewrite /rho; case: ifP => // /existsP[g].
  move=> /andP[gd /andP[/eqP <- /lohi_seg[i ti [-> ->]]]]; rewrite (bigD1 i) //=.
  rewrite (_ : act i _ = true) ?mul1n ?leq_addr // /act inE; apply/existsP; exists (xX g).
  by rewrite ti /= eqxx.
rewrite exchange_big /=; apply: leq_sum => i _; rewrite -big_distrl /= leq_mul2r; apply/orP; right.
have -> : \sum_(x : KX * I) act i x = #|[set x | act i x]|.
  by rewrite -sum1_card [RHS]big_mkcond /=; apply: eq_bigr => x _; rewrite inE; case: (act i x).
rewrite -(card_imset (mem [set x | act i x]) (f := fun x : KX * I => inr (inl x.1, x.2) : Tok)); last first.
  by move=> [a1 a2] [b1 b2] [-> ->].
apply/subset_leq_card/subsetP => _ /imsetP[x xA ->]; rewrite [X in is_true X]inE /= andbT.
by move: xA; rewrite inE.
Qed.

Lemma rho_sumY : \sum_(x in AX s ky eY Gd) rho rwX ky tY eY lo hi Gd x <=
  \sum_(i < q.+1) #|TC (A i) (A i.+1)| * #|again s rwX (A i) (A i.+1)|.
Proof.
pose act i (x : KY * I) := (inr (inr x.1, x.2) : Tok) \in TS (A i) (A i.+1).
apply: (@leq_trans (\sum_(x : KY * I) \sum_(i < q.+1) act i x * #|again s rwX (A i) (A i.+1)|)).
  rewrite big_mkcond /=; apply: leq_sum => x _; case: ifP => // _; rewrite /rho; case: ifP => // /existsP[g].
  move=> /andP[gd /andP[/eqP <- /lohi_seg[i ti [-> ->]]]]; rewrite (bigD1 i) //=.
  rewrite (_ : act i _ = true) ?mul1n ?leq_addr // /act inE; apply/existsP; exists (xY g).
  by rewrite ti /= eqxx.
rewrite exchange_big /=; apply: leq_sum => i _; rewrite -big_distrl /= leq_mul2r; apply/orP; right.
have -> : \sum_(x : KY * I) act i x = #|[set x | act i x]|.
  by rewrite -sum1_card [RHS]big_mkcond /=; apply: eq_bigr => x _; rewrite inE; case: (act i x).
rewrite -(card_imset (mem [set x | act i x]) (f := fun x : KY * I => inr (inr x.1, x.2) : Tok)); last first.
  by move=> [a1 a2] [b1 b2] [-> ->].
apply/subset_leq_card/subsetP => _ /imsetP[x xA ->]; rewrite [X in is_true X]inE /= andbT.
by move: xA; rewrite inE.
Qed.

Lemma AX_ResX : #|AX s kx eX Gd| <= #|ResX|.
Proof.
apply/subset_leq_card/subsetP => _ /imsetP[g _ ->]; rewrite inE; apply/existsP; exists (g.1, g.2.1).
by rewrite /rso /al /= eqxx.
Qed.
Lemma AX_ResY : #|AX s ky eY Gd| <= #|ResY|.
Proof.
apply/subset_leq_card/subsetP => _ /imsetP[g _ ->]; rewrite inE; apply/existsP; exists (g.1, g.2.2).
by rewrite /rso /al /= eqxx.
Qed.

Lemma BY_ResX : #|BY s kx eX Gd| <= #|ResX|. Proof. exact AX_ResX. Qed.
Lemma BY_ResY : #|BY s ky eY Gd| <= #|ResY|. Proof. exact AX_ResY. Qed.

(* (iv) *)
Theorem meetings : 0 < d -> #|Gd| <= (M + d ^ 2) * n_stores s 0 (size s) +
  (\sum_(i < q.+1) #|TR (A i) (A i.+1)| * #|again s cwY (A i) (A i.+1)| +
   \sum_(i < q.+1) #|TC (A i) (A i.+1)| * #|again s rwX (A i) (A i.+1)|).
Proof.
move=> d0; set r1 := \sum_(i < q.+1) _; set r2 := \sum_(i < q.+1) _.
have fX : #|FX| <= #|ResX| * M + r1 + #|ResY| * d ^ 2.
  have d2 : 0 < 2 * d by rewrite muln_gt0.
  rewrite -(leq_pmul2l d2); apply: leq_trans sideX _; rewrite -big_distrr /= big_split /= sum_nat_const.
  rewrite [X in _ <= X]mulnDr; apply: leq_add.
    by rewrite leq_mul2l leq_add ?orbT ?rho_sumX // leq_mul2r AX_ResX orbT.
  apply: (@leq_trans (#|ResY| * (d * \sum_(k < 2 * d) k))); first by rewrite leq_mul2r BY_ResY orbT.
  rewrite [X in _ <= X]mulnCA leq_mul2l; apply/orP; right.
  have := tri (2 * d); set S := \sum_(k < _) _ => h; rewrite -(leq_pmul2l (isT : 0 < 2)) mulnCA.
  apply: leq_trans (leq_mul (leqnn d) h) _; rewrite -!mulnn; clear; lia.
have fY : #|FY| <= #|ResY| * M + r2 + #|ResX| * d ^ 2.
  rewrite -(leq_pmul2l d0); apply: leq_trans sideY _; rewrite -big_distrr /= big_split /= sum_nat_const.
  rewrite [X in _ <= X]mulnDr; apply: leq_add.
    by rewrite leq_mul2l leq_add ?orbT ?rho_sumY // leq_mul2r AX_ResY orbT.
  apply: (@leq_trans (#|ResX| * (2 * d * \sum_(k < d) k))); first by rewrite leq_mul2r BY_ResX orbT.
  rewrite [X in _ <= X]mulnCA leq_mul2l; apply/orP; right.
  have := tri d; set S := \sum_(k < _) _ => h; rewrite -mulnA mulnCA.
  by apply: leq_trans (leq_mul (leqnn d) h) _; rewrite -!mulnn.
apply: leq_trans Gd_split _; apply: leq_trans (leq_add fX fY) _.
apply: (@leq_trans ((M + d ^ 2) * (#|ResX| + #|ResY|) + (r1 + r2))); first by clear; lia.
by rewrite leq_add2r leq_mul2l res_stores orbT.
Qed.

Lemma all_X : #|E| * d <= \sum_(i < q.+1) nX (A i) (A i.+1).
Proof.
have -> : \sum_(i < q.+1) nX (A i) (A i.+1) =
    #|[set u : 'I_q.+1 * (E * 'I_d) | inseg (A u.1) (A u.1.+1) (inl u.2)]|.
  by rewrite card_fib; apply: eq_bigr => i _; apply: eq_card => x; rewrite !inE.
rewrite -[d in X in X <= _]card_ord -card_prod -cardsT.
apply: (@card_rel _ _ _ _ (fun (u : 'I_q.+1 * (E * 'I_d)) x => u.2 == x)) => [u x y /eqP <- /eqP //|x _].
have [i ti] := seg_ex (computes_size (tm_comp (inl x))).
by exists (i, x); rewrite ?inE /=.
Qed.
Lemma all_Y : #|E| * (2 * d) <= \sum_(i < q.+1) nY (A i) (A i.+1).
Proof.
have -> : \sum_(i < q.+1) nY (A i) (A i.+1) =
    #|[set u : 'I_q.+1 * (E * Sl2) | inseg (A u.1) (A u.1.+1) (inr u.2)]|.
  by rewrite card_fib; apply: eq_bigr => i _; apply: eq_card => x; rewrite !inE.
have -> : 2 * d = #|Sl2| by rewrite card_prod card_bool card_ord.
rewrite -card_prod -cardsT.
apply: (@card_rel _ _ _ _ (fun (u : 'I_q.+1 * (E * Sl2)) x => u.2 == x)) => [u x y /eqP <- /eqP //|x _].
have [i ti] := seg_ex (computes_size (tm_comp (inr x))).
by exists (i, x); rewrite ?inE /=.
Qed.

Lemma seg0 : #|Rd (A 0)| + evs (A 0) (A 1) <= f.
Proof. by have := cut_evs (f + 0 * tt); rewrite /= (R0 s) cards0 add0n mul0n addn0. Qed.
Lemma segS i : #|Rd (A i.+1)| + evs (A i.+1) (A i.+2) <= M + tt.
Proof.
apply: leq_add; first exact: (card_R ok).
have -> : A i.+2 = cut (f + i * tt + tt) by rewrite /= mulSn (addnC tt) addnA.
exact: cut_step.
Qed.

Definition hh hf ht i := if i is 0 then hf else ht : nat.
Lemma hh_sum hf ht : \sum_(i < q.+1) hh hf ht i = hf + q * ht.
Proof. by rewrite big_ord_recl /= sum_nat_const card_ord. Qed.

Theorem backward14_cut hf ht : most (14 * d ^ 2) (36 * d ^ 2) f hf -> most (14 * d ^ 2) (36 * d ^ 2) (M + tt) ht ->
  14 * d ^ 2 * #|E| <= hf + q * ht + (M + d ^ 2) * n_stores s 0 (size s).
Proof.
move=> Hf Ht; case: (posnP d) => [d0|d0].
  by have -> : 14 * d ^ 2 * #|E| = 0 by rewrite d0.
have seg (i : 'I_q.+1) : 6 * d * nX (A i) (A i.+1) + 4 * d * nY (A i) (A i.+1) +
    #|TR (A i) (A i.+1)| * #|again s cwY (A i) (A i.+1)| + #|TC (A i) (A i.+1)| * #|again s rwX (A i) (A i.+1)|
    <= hh hf ht i + #|Gs (A i) (A i.+1)|.
  case: i => [[|i] /= iq].
    exact: (segment14_most Hf seg0).
  exact: (segment14_most Ht (segS i)).
have := leq_sum (index_enum _) (P := predT) (fun i _ => seg i); rewrite !big_split /= hh_sum -!big_distrr /=.
have := meetings d0; have := Gd_sum; have := all_X; have := all_Y.
set r1 := \sum_(i < q.+1) #|TR _ _| * _; set r2 := \sum_(i < q.+1) #|TC _ _| * _.
set sX := \sum_(i < q.+1) nX _ _; set sY := \sum_(i < q.+1) nY _ _; set sG := \sum_(i < q.+1) #|Gs _ _|.
move=> hY hX hG hm hs; have h1 := leq_mul (leqnn (6 * d)) hX; have h2 := leq_mul (leqnn (4 * d)) hY.
have e1 : 14 * d ^ 2 * #|E| = 6 * d * (#|E| * d) + 4 * d * (#|E| * (2 * d)) by rewrite -!mulnn; clear; lia.
by rewrite e1; move: h1 h2 hG hm hs; clear; lia.
Qed.

Theorem backward12_cut hf ht : most (12 * d ^ 2) (16 * d ^ 2) f hf -> most (12 * d ^ 2) (16 * d ^ 2) (M + tt) ht ->
  12 * d ^ 2 * #|E| <= hf + q * ht.
Proof.
move=> Hf Ht.
have seg (i : 'I_q.+1) : 4 * d * (nX (A i) (A i.+1) + nY (A i) (A i.+1)) <= hh hf ht i.
  case: i => [[|i] /= iq].
    exact: (segment12_most Hf seg0).
  exact: (segment12_most Ht (segS i)).
have := leq_sum (index_enum _) (P := predT) (fun i _ => seg i); rewrite hh_sum -!big_distrr /= big_split /=.
have := all_X; have := all_Y; set sX := \sum_(i < q.+1) nX _ _; set sY := \sum_(i < q.+1) nY _ _.
move=> hY hX hs; have h1 := leq_mul (leqnn (4 * d)) hX; have h2 := leq_mul (leqnn (4 * d)) hY.
have e1 : 12 * d ^ 2 * #|E| = 4 * d * (#|E| * d) + 4 * d * (#|E| * (2 * d)) by rewrite -!mulnn; clear; lia.
by rewrite e1; move: h1 h2 hs; clear; lia.
Qed.
End Cuts.
End Back.
