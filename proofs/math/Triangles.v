(* How many triangles X edges make (Kruskal 1963, Katona 1968): r (r - 1) / 2 + s edges, s <= r, at most
   r (r - 1) (r - 2) / 6 + s (s - 1) / 2.  By taking away one vertex, the highest: with its d edges go d (d - 1) / 2 triangles at most, and no
   more than there are edges left. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma choose2 n : 2 * 'C(n, 2) = n * n.-1.
Proof. by rewrite bin2 mul2n; have := odd_double_half (n * n.-1); case: n => [|n] //; rewrite oddM /= andNb. Qed.

Lemma choose2D a b : 'C(a + b, 2) = 'C(a, 2) + 'C(b, 2) + a * b.
Proof.
elim: a => [|a IH]; first by rewrite bin0n mul0n addn0.
by rewrite addSn !binS !bin1 IH mulSn; move: (a * b) => x; clear; lia. Qed.

(* the numbers: t triangles of e edges, and a vertex with d more *)
Lemma one_vertex (d e t r s : nat) :
  (forall r s, s <= r -> e <= 'C(r, 2) + s -> t <= 'C(r, 3) + 'C(s, 2)) ->
  s <= r -> e + d <= 'C(r, 2) + s -> t + minn 'C(d, 2) e <= 'C(r, 3) + 'C(s, 2).
Proof.
move=> IH sr le; have [m1 m2] := (geq_minl 'C(d, 2) e, geq_minr 'C(d, 2) e); move: (minn _ _) m1 m2 => m m1 m2.
case: (leqP d s) => ds.
  have := IH r (s - d) (leq_trans (leq_subr _ _) sr); have := choose2D d (s - d); rewrite subnKC // => ->.
  move: (d * _) => y; move: le m1 ds; clear; lia.
case: r IH sr le => [|r] IH sr le; first by have := IH 0 0 isT; rewrite !bin0n; move: sr le m2; clear; rewrite !bin0n; lia.
rewrite binS; rewrite binS bin1 in le; case: (leqP d r) => dr.
  have [u [v [E1 E2]]] : exists u v, d = s + u /\ r = s + u + v by exists (d - s), (r - d); move: ds dr; clear; lia.
  have H : t <= 'C(r, 3) + 'C(s + v, 2) by apply: IH; move: le E1 E2; clear; lia.
  have := choose2D s v; have := choose2D s u; have := choose2D (s + u) v; rewrite mulnDl -E2 -E1.
  by move: (s * u) (s * v) (u * v) H m1 => x y z; clear; lia.
case: s sr le ds => [|s] sr le ds; first by have := IH r 0 isT; rewrite !bin0n /=; move: le m2 dr; clear; lia.
by have := IH r s sr; rewrite [in X in _ -> X]binS bin1; move: le m2 dr; clear; lia.
Qed.

Section Triangles.
Variables (n : nat) (E : {set 'I_n * 'I_n}) (S : {set 'I_n * 'I_n * 'I_n}).
Hypothesis edges : forall i j k, (i, j, k) \in S -> k < j < i /\ [/\ (i, j) \in E, (i, k) \in E & (j, k) \in E].

Let below (p : nat) := [set e in E | (e.1 < p) && (e.2 < e.1)].
Let into (p : nat) := [set x in S | x.1.1 < p].

Lemma pairs_below (R : {set 'I_n}) : #|[set x : 'I_n * 'I_n | [&& x.1 \in R, x.2 \in R & x.2 < x.1]]| <= 'C(#|R|, 2).
Proof.
set P := [set x | _]; pose Q := [set (x.2, x.1) | x in P]; pose D := [set (x, x) | x in R].
have cQ : #|Q| = #|P| by rewrite card_imset // => -[x y] [x' y'] [-> ->].
have cD : #|D| = #|R| by rewrite card_imset // => x y [].
have QP x y : ((x, y) \in Q) = ((y, x) \in P).
  by apply/imsetP/idP => [[[u v] h [-> ->]] //|h]; exists (y, x).
have DP x y : ((x, y) \in D) = (x == y) && (x \in R).
  by apply/imsetP/andP => [[u h [-> ->]]|[/eqP -> h]]; [rewrite eqxx | exists y].
have d1 : P :&: Q = set0.
  apply/setP => -[x y]; rewrite in_setI QP !inE /=; apply/negP => /andP[/and3P[_ _ a] /and3P[_ _ b]]; move: a b; clear; lia.
have d2 : (P :|: Q) :&: D = set0.
  apply/setP => -[x y]; rewrite in_setI in_setU QP DP !inE /=; apply/negP => /andP[H /andP[/eqP E' _]].
  by move: H; rewrite E' ltnn !andbF.
have sub : P :|: Q :|: D \subset setX R R.
  by apply/subsetP => -[x y]; rewrite !in_setU QP DP !inE /= => /orP[/orP[]/and3P[-> -> _]|/andP[/eqP <- ->]].
have := subset_leq_card sub; rewrite cardsX; have := cardsUI (P :|: Q) D; rewrite d2 cards0 addn0 => ->.
have := cardsUI P Q; rewrite d1 cards0 addn0 cQ cD => -> le; have := choose2 #|R|; move: le; clear; case: #|R| => [|k] /=; nia.
Qed.

Lemma card_into p r s : p <= n -> s <= r -> #|below p| <= 'C(r, 2) + s -> #|into p| <= 'C(r, 3) + 'C(s, 2).
Proof.
elim: p r s => [|p IH] r s pn sr.
  by rewrite (_ : into 0 = set0) ?cards0 //; apply/setP => x; rewrite !inE andbF.
pose i : 'I_n := Ordinal pn; pose R := [set j : 'I_n | ((i, j) \in E) && (j < p)]; pose N := [set x in S | x.1.1 == i].
have split_S : #|into p.+1| <= #|into p| + #|N|.
  apply: leq_trans (leq_card_setU _ _); apply/subset_leq_card/subsetP => x; rewrite !inE => /andP[-> /=].
  by rewrite ltnS leq_eqVlt orbC -(inj_eq val_inj).
have split_E : #|below p| + #|R| <= #|below p.+1|.
  have <- : #|[set (i, j) | j in R]| = #|R| by rewrite card_imset // => j k [].
  rewrite -cardsUI (_ : _ :&: _ = set0) ?cards0 ?addn0.
    apply/subset_leq_card/subsetP => x; rewrite in_setU => /orP[|/imsetP[j]].
      by rewrite !inE => /and3P[-> lt ->]; rewrite (leq_trans lt (leqnSn p)).
    by rewrite !inE => /andP[ij jp] -> /=; rewrite ij ltnSn jp.
  apply/setP => x; rewrite !inE; apply/negP => /andP[/and3P[_ lt _] /imsetP[j _ xE]]; by move: lt; rewrite xE /= ltnn.
have top x : x \in N -> [/\ x = (i, x.1.2, x.2), x.1.2 \in R, x.2 \in R & (x.1.2, x.2) \in below p].
  case: x => -[i' j] k; rewrite inE /= => /andP[xS /eqP E']; rewrite E' in xS *.
  have [/andP[kj ji] [e1 e2 e3]] := edges xS; rewrite /= in ji.
  by rewrite !inE /= e1 e2 e3 ji kj (ltn_trans kj ji).
have inj : {in N &, injective (fun x : 'I_n * 'I_n * 'I_n => (x.1.2, x.2))}.
  by move=> x y /top[-> _ _ _] /top[-> _ _ _] /= [-> ->].
have few : #|N| <= minn 'C(#|R|, 2) #|below p|.
  rewrite leq_min -(card_in_imset inj); apply/andP; split.
    apply: leq_trans (pairs_below R); apply/subset_leq_card/subsetP => _ /imsetP[x /top[_ xR yR b] ->].
    by rewrite inE /= xR yR /=; move: b; rewrite inE => /and3P[].
  by apply/subset_leq_card/subsetP => _ /imsetP[x /top[_ _ _ b] ->].
move=> le; apply: leq_trans split_S _; apply: leq_trans (leq_add (leqnn _) few) _.
by apply: one_vertex sr (leq_trans split_E le) => r' s'; apply: IH; apply: ltnW.
Qed.

Theorem triangles r s : s <= r -> #|E| <= 'C(r, 2) + s -> #|S| <= 'C(r, 3) + 'C(s, 2).
Proof.
move=> sr le; have := card_into (leqnn n) sr; rewrite (_ : into n = S); last by apply/setP => x; rewrite inE ltn_ord andbT.
by apply; apply: leq_trans le; apply/subset_leq_card/subsetP => e; rewrite inE => /andP[].
Qed.
End Triangles.
