(* docs/theory.md section 11: a pyramid over b vertices needs b pebbles (Cook 1974), however often values are made again; what is not red
   is loaded.  For any CDAG that has pyramids, in all places. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Crossings.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* Points (i, j), i, j < b <= i + j + 1; the base has i + j + 1 = b, from a point k = 2 (b - 1) - i - j steps lead to the top; m: marks. *)
Section Paths.
Variable b : nat.
Implicit Types (m : nat -> nat -> bool) (i j k : nat).
Definition inside i j := [&& i < b, j < b & b <= (i + j).+1].
Fixpoint reach (m : nat -> nat -> bool) k i j : bool :=
  ~~ m i j && (if k is k'.+1 then (i.+1 < b) && reach m k' i.+1 j || (j.+1 < b) && reach m k' i j.+1 else true).
Definition onward m k i j : bool :=
  if k is k'.+1 then (i.+1 < b) && reach m k' i.+1 j || (j.+1 < b) && reach m k' i j.+1 else true.
Lemma reachE m k i j : reach m k i j = ~~ m i j && onward m k i j. Proof. by case: k. Qed.
Definition closed m := forall i j, (i + j).+1 = b -> ~~ reach m b.-1 i j.
Definition waiting (m : nat -> nat -> bool) k i j (A : seq (nat * nat)) :=
  [/\ uniq A, size A = k & forall p, p \in A -> [/\ inside p.1 p.2, m p.1 p.2 & (i < p.1) || (j < p.2)]].

Lemma reach_turn m k i j : reach (fun x y => m y x) k j i = reach m k i j.
Proof. by elim: k i j => [|k IH] i j //=; rewrite (IH i.+1 j) (IH i j.+1) orbC. Qed.
Lemma onward_turn m k i j : onward (fun x y => m y x) k j i = onward m k i j.
Proof. by case: k => [|k] //=; rewrite (reach_turn m k i.+1 j) (reach_turn m k i j.+1) orbC. Qed.
Lemma inside_turn i j : inside j i = inside i j.
Proof. by rewrite /inside addnC andbCA. Qed.
Lemma closed_turn m : closed m -> closed (fun x y => m y x).
Proof. by move=> cl i j e; rewrite (reach_turn m); apply: cl; rewrite addnC. Qed.
Lemma waiting_turn m k i j A : waiting (fun x y => m y x) k j i A -> waiting m k i j (map (fun p => (p.2, p.1)) A).
Proof.
case=> u sz H; split; first by rewrite map_inj_uniq // => -[x y] [x' y'] [-> ->].
  by rewrite size_map.
by move=> p /mapP[q qA ->] /=; have [h1 h2 h3] := H q qA; rewrite inside_turn orbC.
Qed.

Lemma reach_free m k i j : (forall x y, m x y = false) -> inside i j -> (i + j + k).+2 = 2 * b -> reach m k i j.
Proof.
move=> no; elim: k i j => [|k IH] i j ins e /=; rewrite no //=.
move: ins => /and3P[ib jb bs]; case: (leqP i.+2 b) => lt /=.
  by rewrite IH //; [rewrite /inside lt jb; move: bs; clear; lia | move: e; clear; lia].
have lt' : j.+1 < b by move: e ib lt; clear; lia.
by rewrite lt' IH //; [rewrite /inside ib lt'; move: bs; clear; lia | move: e; clear; lia].
Qed.
Lemma reach_top m k i j : m b.-1 b.-1 -> i < b -> j < b -> (i + j + k).+2 = 2 * b -> reach m k i j = false.
Proof.
move=> top; elim: k i j => [|k IH] i j ib jb e /=.
  by have [-> ->] : i = b.-1 /\ j = b.-1 by [move: e ib jb; clear; lia]; rewrite top.
apply/negbTE; rewrite negb_and negb_or !negb_and; apply/orP; right; apply/andP; split.
  by case: (leqP i.+2 b) => //= lt; rewrite IH //; move: e; clear; lia.
by case: (leqP j.+2 b) => //= lt; rewrite IH //; move: e; clear; lia.
Qed.

(* each column to the right of a path has a mark below it *)
Lemma column m k i j : closed m -> inside i j -> (i + j + k).+2 = 2 * b -> reach m k i j -> exists y, [/\ y < j.+1, inside i y & m i y].
Proof.
move=> cl /and3P[ib jb bs] e re; case: (boolP (has (fun y => inside i y && m i y) (iota 0 j.+1))) => [/hasP[y]|/hasPn no].
  by rewrite mem_iota => /andP[_ yj] /andP[h1 h2]; exists y.
have climb d : d <= j -> b <= (i + (j - d)).+1 -> reach m (k + d) i (j - d).
  elim: d => [|d IH] dj bd; first by rewrite addn0 subn0.
  rewrite addnS /=; apply/andP; split.
    apply/negP => mk; have := no (j - d.+1); rewrite mem_iota mk andbT /inside ib bd andbT /=.
    by move=> H; have /negP := H (leq_ltn_trans (leq_subr _ _) (ltnSn j)); apply; move: jb; clear; lia.
  apply/orP; right; have -> : (j - d.+1).+1 = j - d by move: dj; clear; lia.
  by rewrite IH ?andbT; [move: jb; clear; lia | exact: ltnW | move: bd; clear; lia].
have cj := climb ((i + j).+1 - b); have e1 : j - ((i + j).+1 - b) = b.-1 - i by move: ib bs; clear; lia.
have e2 : k + ((i + j).+1 - b) = b.-1 by move: e bs; clear; lia.
rewrite e1 e2 in cj; have base : (i + (b.-1 - i)).+1 = b by move: ib; clear; lia.
by have /negP[] := cl _ _ base; apply: cj; [move: ib jb; clear; lia | rewrite base].
Qed.

Lemma one_more m k i j A : closed m -> inside i j -> (i + j + k.+1).+2 = 2 * b -> i.+1 < b -> reach m k i.+1 j ->
  waiting m k i.+1 j A -> exists A', waiting m k.+1 i j A'.
Proof.
move=> cl /and3P[ib jb bs] e lt re [u sz H]; have ne : ~~ m i.+1 j by move: re; rewrite reachE => /andP[].
have [||y [yj ins my]] := @column m k i.+1 j cl _ _ re; first by rewrite /inside lt jb; move: bs; clear; lia.
  by move: e; clear; lia.
have {}yj : y < j by rewrite ltn_neqAle -ltnS yj andbT; apply: contra ne => /eqP <-.
exists ((i.+1, y) :: A); split=> [/=||p]; [|by rewrite /= sz|].
  by rewrite u andbT; apply/negP => /H[_ _ /=]; rewrite ltnn /= ltnNge (ltnW yj).
rewrite inE => /orP[/eqP -> /=|/H[h1 h2 h3]]; first by rewrite ltnSn.
by split=> //; case/orP: h3 => h; apply/orP; [left; exact: ltnW | right].
Qed.

Lemma waits m k i j : closed m -> inside i j -> (i + j + k).+2 = 2 * b -> onward m k i j -> exists A, waiting m k i j A.
Proof.
elim: k i j => [|k IH] i j cl ins e on; first by exists [::].
have /and3P[ib jb bs] := ins; case/orP: on => /andP[lt re].
  have [|||A wA] := IH i.+1 j cl; first by rewrite /inside lt jb; move: bs; clear; lia.
  - by move: e; clear; lia.
  - by move: re; rewrite reachE => /andP[].
  exact: one_more wA.
have [|||A wA] := IH i j.+1 cl; first by rewrite /inside ib lt; move: bs; clear; lia.
- by move: e; clear; lia.
- by move: re; rewrite reachE => /andP[].
have [|||||A' wA'] := @one_more (fun x y => m y x) k j i (map (fun p => (p.2, p.1)) A) (closed_turn cl).
- by rewrite inside_turn.
- by rewrite (addnC j).
- by [].
- by rewrite (reach_turn m).
- exact: (@waiting_turn (fun x y => m y x) k j.+1 i A).
by exists (map (fun p => (p.2, p.1)) A'); apply: waiting_turn.
Qed.
End Paths.

(* b vertices beside each other and what lies above them, up to one that matters; none is an input *)
Record pyramid_in (G : cdag) b (pt : nat -> nat -> G) : Prop := PyramidIn {
  py_inj : forall i j i' j', inside b i j -> inside b i' j' -> pt i j = pt i' j' -> i = i' /\ j = j';
  py_right : forall i j, inside b i j -> i.+1 < b -> edge (pt i j) (pt i.+1 j);
  py_up : forall i j, inside b i j -> j.+1 < b -> edge (pt i j) (pt i j.+1);
  py_made : forall i j, inside b i j -> pt i j \notin input G;
  py_live : live (pt b.-1 b.-1) }.

(* its vertices without the top *)
Definition below_top (G : cdag) b (pt : nat -> nat -> G) : {set G} :=
  [set v | [exists p : 'I_b * 'I_b, [&& b <= (p.1 + p.2).+1, (p.1 + p.2).+2 < 2 * b & pt p.1 p.2 == v]]].

Section Pebbles.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation R i := (red (pos (start G) s i)).
Definition loaded : {set G} := [set v | [exists i : 'I_(size s), loads s i v]].

Section One.
Variables (b : nat) (pt : nat -> nat -> G).
Hypothesis b1 : 1 < b.
Hypothesis py : pyramid_in b pt.
Notation P := (below_top b pt).

(* red, or computed before and loaded at some time *)
Definition mark t i j : bool := (pt i j \in R t) || [exists t' : 'I_t, computes s t' (pt i j)] && (pt i j \in loaded).

Lemma mark_new t i j : inside b i j -> mark t.+1 i j -> ~~ mark t i j -> computes s t (pt i j).
Proof.
move=> ins mk no; have nI := py_made py ins; case/orP: mk => [/R_step/or3P[vt|l|] //|/andP[/existsP[t' c] lv]].
- by move: no; rewrite /mark vt.
- have [a at_ st] := blue_stored ok nI (loads_blue ok l); have [a' aa c] := red_computed ok nI (stores_red ok st).
  move: no; rewrite /mark negb_or negb_and => /andP[_ /orP[/existsP|/negP]]; case.
    by exists (Ordinal (ltn_trans aa at_)).
  by rewrite inE; apply/existsP; exists (Ordinal (loads_size l)).
have := ltn_ord t'; rewrite ltnS leq_eqVlt => /orP[/eqP <- //|lt].
move: no; rewrite /mark lv andbT negb_or => /andP[_ /existsP[]]; by exists (Ordinal lt).
Qed.

Lemma onward_kept t k i j : inside b i j -> (i + j + k).+2 = 2 * b -> reach b (mark t) k i j -> onward b (mark t.+1) k i j.
Proof.
elim: k i j => [|k IH] i j ins e //; rewrite reachE => /andP[no /=]; have /and3P[ib jb bs] := ins.
have next i' j' : inside b i' j' -> edge (pt i j) (pt i' j') -> reach b (mark t) k i' j' -> (i' + j' + k).+2 = 2 * b -> reach b (mark t.+1) k i' j'.
  move=> ins' ed re e'; rewrite reachE (IH _ _ ins' e' re) andbT; apply: contra no => mk.
  have no' : ~~ mark t i' j' by move: re; rewrite reachE => /andP[].
  by rewrite /mark (computes_edge ok (mark_new ins' mk no') ed).
case/orP=> /andP[lt re]; apply/orP; [left | right]; rewrite lt /=; apply: next => //.
- by rewrite /inside lt jb; move: bs; clear; lia.
- exact: py_right py _ _ ins lt.
- by move: e; clear; lia.
- by rewrite /inside ib lt; move: bs; clear; lia.
- exact: py_up py _ _ ins lt.
by move: e; clear; lia.
Qed.

Lemma computes_red t v : computes s t v -> v \in R t.+1.
Proof. by rewrite posS /computes; case: (mv s t) => [[w|w|w|u w|w|w]|] //= /eqP <-; rewrite !inE eqxx. Qed.

Let top_inside : inside b b.-1 b.-1. Proof. by rewrite /inside; move: b1; clear; lia. Qed.

Theorem pyramid_needs : exists t i j, [/\ inside b i j, (i + j).+1 = b, computes s t (pt i j) & b <= #|R t.+1 :&: P| + #|loaded :&: P|].
Proof.
have [T cT first] : exists2 T, computes s T (pt b.-1 b.-1) & forall t, computes s t (pt b.-1 b.-1) -> T <= t.
  have ex0 := live_computed ok (py_live py) (py_made py top_inside).
  by case: (ex_minnP ex0) => T cT mn; exists T.
pose open t := has (fun i => reach b (mark t) b.-1 i (b.-1 - i)) (iota 0 b).
have at_base i : i < b -> inside b i (b.-1 - i) /\ (i + (b.-1 - i)).+1 = b by rewrite /inside; clear; split; lia.
have open0 : open 0.
  apply/hasP; exists 0; first by rewrite mem_iota; move: b1; clear; lia.
  have [ins e] := at_base 0 (ltnW b1); apply: reach_free => // [x y|]; last by move: e b1; clear; lia.
  by rewrite /mark (R0 s) inE /=; apply/negbTE; rewrite negb_and; apply/orP; left; apply/existsP; case; case.
have closedT : ~~ open T.+1.
  apply/hasPn => i; rewrite mem_iota => /andP[_ ib]; have [/and3P[h1 h2 _] e] := at_base i ib.
  by rewrite reach_top //; [rewrite /mark (computes_red cT) | move: e b1; clear; lia].
have [t [op cl tT]] : exists t, [/\ open t, ~~ open t.+1 & t <= T].
  have ex0 : exists t, ~~ open t by exists T.+1.
  case: (ex_minnP ex0) => [[|t] no mn]; first by rewrite open0 in no.
  exists t; split=> //; last by have := mn _ closedT.
  by apply/negPn/negP => /mn; rewrite ltnn.
have /hasP[i] := op; rewrite mem_iota add0n => /andP[_ ib] re; have [ins e] := at_base i ib; set j := b.-1 - i in re ins e.
have shut : closed b (mark t.+1).
  move=> i' j' e'; have i'b : i' < b by move: e'; clear; lia.
  have /hasPn/(_ i') := cl; rewrite mem_iota i'b (_ : b.-1 - i' = j') ?leq0n; last by move: e'; clear; lia.
  by apply.
have es : (i + j + b.-1).+2 = 2 * b by move: e b1; clear; lia.
have on := onward_kept ins es re; have [A [uA sA HA]] := waits shut ins es on.
have mv : mark t.+1 i j by have := shut i j e; rewrite reachE on andbT negbK.
have cv : computes s t (pt i j) by apply: mark_new => //; move: re; rewrite reachE => /andP[].
exists t, i, j; split=> //.
have ntop : ~~ mark t.+1 b.-1 b.-1.
  have late t' : computes s t' (pt b.-1 b.-1) -> t' < t.+1 -> False.
    move=> c lt; have le := first _ c; have E : t' = t by move: lt le tT; clear; lia.
    rewrite E in c; have [Ei Ej] := py_inj py ins top_inside (computes_inj cv c).
    by move: e; rewrite Ei Ej; move: b1; clear; lia.
  apply/negP => /orP[/(red_computed ok (py_made py top_inside))[t' lt c]|/andP[/existsP[t' c] _]]; first exact: late c lt.
  exact: late c (ltn_ord t').
pose L := [seq pt p.1 p.2 | p <- (i, j) :: A].
have good p : p \in (i, j) :: A -> inside b p.1 p.2 /\ mark t.+1 p.1 p.2.
  by rewrite inE => /orP[/eqP -> //|/HA[]].
have uL : uniq L.
  rewrite map_inj_in_uniq /=; first by rewrite uA andbT; apply/negP => /HA[_ _]; rewrite /= !ltnn.
  by move=> [x y] [x' y'] /good[/= h1 _] /good[/= h2 _] E; have [-> ->] := py_inj py h1 h2 E.
have cL : #|[set v in L]| = b.
  by rewrite cardsE; move/card_uniqP: uL => ->; rewrite /= size_map sA prednK // ltnW.
have topmost (x y : nat) : x < b -> y < b -> 2 * b <= (x + y).+2 -> x = b.-1 /\ y = b.-1 by clear; lia.
rewrite -{1}cL; apply: leq_trans (leq_card_setU _ _); apply/subset_leq_card/subsetP => v; rewrite inE => /mapP[p /good[ins' mk] ->].
have pP : pt p.1 p.2 \in P.
  have /and3P[h1 h2 h3] := ins'; rewrite inE; apply/existsP; exists (Ordinal h1, Ordinal h2); rewrite /= eqxx h3 andbT /=.
  apply: contraNT ntop; rewrite -leqNgt => h4; have [E1 E2] := topmost _ _ h1 h2 h4.
  by move: mk; rewrite E1 E2.
by rewrite in_setU !in_setI pP !andbT; case/orP: mk => [->|/andP[_ ->]] //; rewrite orbT.
Qed.

(* red when a vertex of the base is computed that reads two outside *)
Lemma room_left t v u u' : computes s t v -> edge u v -> edge u' v -> u != u' -> u \notin P -> u' \notin P -> #|R t.+1 :&: P| <= room game M.
Proof.
move=> c e e' ne uP uP'; have uR := computes_edge ok c e; have uR' := computes_edge ok c e'; move: c; rewrite /computes /room.
have cut (A : {set G}) : u \in A -> u' \in A -> #|A :&: P| + 2 <= #|A|.
  move=> uA uA'; rewrite -(cardsID P A) leq_add2l; have <- : #|[set u; u']| = 2 by rewrite cards2 ne.
  by apply/subset_leq_card/subsetP => x; rewrite in_set2 in_setD => /orP[] /eqP ->; rewrite ?uP ?uP' ?uA ?uA'.
have cut1 (A : {set G}) x : x \in A -> x \notin P -> #|A :&: P| + 1 <= #|A|.
  move=> xA xP; rewrite -(cardsID P A) leq_add2l; have <- : #|[set x]| = 1 by rewrite cards1.
  by apply/subset_leq_card/subsetP => y; rewrite in_set1 in_setD => /eqP ->; rewrite xP xA.
have := card_R ok t.+1; rewrite posS; case E: (mv s t) => [[w|w|w|x w|w|w]|] //= le _.
  have := cut (w |: R t); rewrite !in_setU1 uR uR' !orbT => /(_ isT isT); move: le; case: game; clear; lia.
have [al _] := legal_at ok E; have -> : game = sliding by move: al => /=; case: game.
have [xu|xu] := eqVneq x u.
  have := cut1 (w |: R t :\ x) u'; rewrite in_setU1 in_setD1 uR' xu (eq_sym u' u) ne !orbT => /(_ isT uP'); move: le; rewrite xu; clear; lia.
have := cut1 (w |: R t :\ x) u; rewrite in_setU1 in_setD1 uR (eq_sym u x) xu !orbT => /(_ isT uP); move: le; clear; lia.
Qed.
End One.

(* In many places, no vertex in more than `most` of them. *)
Theorem pyramids_loaded (I : finType) b (pt : I -> nat -> nat -> G) need most : (forall l, pyramid_in b (pt l)) ->
  (forall l, need <= #|loaded :&: below_top b (pt l)|) -> (forall v, #|[set l | v \in below_top b (pt l)]| <= most) ->
  #|I| * need <= most * #|loaded :&: \bigcup_l below_top b (pt l)|.
Proof.
move=> py Hn Hm; set L := loaded :&: _.
have -> : #|I| * need = \sum_(l : I) need by rewrite sum_nat_const.
have -> : most * #|L| = \sum_(v in L) most by rewrite sum_nat_const mulnC.
apply: (@leq_trans (\sum_l \sum_(v in L | v \in below_top b (pt l)) 1)).
  apply: leq_sum => l _; apply: leq_trans (Hn l) _; rewrite sum1dep_card; apply/subset_leq_card/subsetP => v.
  by rewrite in_set !in_setI => /andP[-> vl]; rewrite vl andbT /=; apply/bigcupP; exists l.
rewrite (exchange_big_dep (mem L)) /=; last by move=> l v _ /andP[].
apply: leq_sum => v vL; apply: leq_trans (Hm v); rewrite sum1dep_card; apply/subset_leq_card/subsetP => l.
by rewrite !inE => /andP[_].
Qed.

(* What is loaded and no input was stored. *)
Lemma loaded_moves (A : {set G}) : A \subset loaded -> (forall v, v \in A -> v \notin input G) ->
  #|A| <= n_loads s 0 (size s) /\ #|A| + #|(output G :\: input G) :\: A| <= n_stores s 0 (size s).
Proof.
move=> /subsetP sub nI; have ld v : v \in A -> exists i, loads s i v.
  by move/sub; rewrite inE => /existsP[i l]; exists i.
split; first exact: loaded_card.
rewrite -cardsUI (_ : A :&: _ = set0) ?cards0 ?addn0; last by apply/setP => v; rewrite !inE; case: (v \in A).
apply: stored_card => v; rewrite in_setU => /orP[vA|].
  by have [i l] := ld v vA; have [j _ st] := blue_stored ok (nI v vA) (loads_blue ok l); exists j.
rewrite !inE => /and3P[_ vI vO]; have := output_B ok => /subsetP/(_ v vO) /(blue_stored ok).
by rewrite inE vI => /(_ isT)[j _ st]; exists j.
Qed.
End Pebbles.

(* Points of a square of b by b with i + j >= b - 1. *)
Lemma card_pyramid b : 2 * #|[set p : 'I_b * 'I_b | b <= (p.1 + p.2).+1]| = b * b.+1.
Proof.
set T := [set p | _]; pose f (p : 'I_b * 'I_b) := (rev_ord p.1, rev_ord p.2).
have fK : involutive f by move=> [x y]; rewrite /f /= !rev_ordK.
have cT : #|f @: T| = #|T| by rewrite card_imset //; exact: inv_inj fK.
have inT p : (p \in f @: T) = (p.1 + p.2 < b).
  rewrite -{1}(fK p) (mem_imset _ _ (inv_inj fK)) inE /f /=; have := ltn_ord p.1; have := ltn_ord p.2.
  move: (nat_of_ord p.1) (nat_of_ord p.2) => x y xb yb; clear - xb yb; apply/idP/idP; lia.
have all : T :|: f @: T = setT by apply/setP => p; rewrite in_setU inT in_setT inE; case: (leqP b (p.1 + p.2).+1) => //= lt; exact: ltnW.
have cI : #|T :&: f @: T| = b.
  have -> : T :&: f @: T = [set (i, rev_ord i) | i : 'I_b].
    apply/setP => -[x y]; rewrite in_setI inT inE /=; apply/idP/imsetP => [H|[i _ [-> ->]]].
      exists x => //; congr (_, _); apply/val_inj => /=; have := ltn_ord x; have := ltn_ord y.
      by case/andP: H; move: (nat_of_ord x) (nat_of_ord y) => u v; clear; lia.
    by rewrite /=; have := ltn_ord i; move: (nat_of_ord i) => u lt; apply/andP; clear - lt; lia.
  by rewrite card_imset ?card_ord // => x y [].
by have := cardsUI T (f @: T); rewrite all cI cardsT card_prod card_ord cT mulnS; clear; lia.
Qed.
