(* The covering bound of the backward pass, for all n, nk and widths d, dv. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment CarriedWork Reduction PairTrees Covering AttentionBackward.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* the words of a row and of a column that a, b, c slices of dQ, dK, dV need where dS or P is made *)
Definition rows d dv a b c := if a + b + c == 0 then 0 else d + 1 + a + (if a + b == 0 then c else dv).
Definition cols d dv a b c := if a + b + c == 0 then 0 else d + b + c + (if a + b == 0 then 0 else dv).

Section Instance.
Variables n' nk' d dv : nat.
Notation n := n'.+1. Notation nk := nk'.+1.
Notation G := (attention_backward n d nk dv).
Definition I : finType := [finType of 'I_n]. Definition J : finType := [finType of 'I_nk].
Definition E2 : finType := [finType of I * J].
(* rows: Q, Lse, dO, dQ; columns: K, V, dK, dV *)
Definition RW : finType := [finType of (I * 'I_d + I) + (I * 'I_dv + I * 'I_d)].
Definition CW : finType := [finType of (J * 'I_d + J * 'I_dv) + (J * 'I_d + J * 'I_dv)].
Definition rQ i k : RW := inl (inl (i, k)). Definition rL i : RW := inl (inr i).
Definition rO i l : RW := inr (inl (i, l)). Definition rD i k : RW := inr (inr (i, k)).
Definition cK j k : CW := inl (inl (j, k)). Definition cV j l : CW := inl (inr (j, l)).
Definition cDK j k : CW := inr (inl (j, k)). Definition cDV j l : CW := inr (inr (j, l)).
Definition of_row (w : RW) : I := match w with inl (inl y) => y.1 | inl (inr i) => i | inr (inl y) => y.1 | inr (inr y) => y.1 end.
Definition of_col (w : CW) : J := match w with inl (inl y) => y.1 | inl (inr y) => y.1 | inr (inl y) => y.1 | inr (inr y) => y.1 end.
Definition arr_row (w : RW) : 'I_4 := match w with inl (inl y) => inord 0 | inl (inr i) => inord 1 | inr (inl y) => inord 2 | inr (inr y) => inord 3 end.
Definition arr_col (w : CW) : 'I_4 := match w with inl (inl y) => inord 0 | inl (inr y) => inord 1 | inr (inl y) => inord 2 | inr (inr y) => inord 3 end.
(* steps of dQ, dK, dV; kinds 0, 1, 2 *)
Definition Sl3 : finType := [finType of 'I_d + 'I_d + 'I_dv].
Definition T : finType := [finType of E2 * Sl3].
Definition K3 : finType := [finType of I * 'I_d + J * 'I_d + J * 'I_dv].
Definition kind (x : T) : 'I_3 := match x.2 with inl (inl _) => inord 0 | inl (inr _) => inord 1 | inr _ => inord 2 end.
Definition kR (k : 'I_3) : 'I_4 := if k == inord 0 then inord 3 else if k == inord 1 then inord 0 else inord 2.
Definition kC (k : 'I_3) : 'I_4 := if k == inord 0 then inord 0 else if k == inord 1 then inord 2 else inord 3.
Definition rs (x : T) : RW := let i := x.1.1 in match x.2 with inl (inl k) => rD i k | inl (inr k) => rQ i k | inr l => rO i l end.
Definition cs (x : T) : CW := let j := x.1.2 in match x.2 with inl (inl k) => cK j k | inl (inr k) => cDK j k | inr l => cDV j l end.
Definition kk (x : T) : K3 := match x.2 with inl (inl k) => inl (inl (x.1.1, k)) | inl (inr k) => inl (inr (x.1.2, k)) | inr l => inr (x.1.2, l) end.
Definition jj (x : T) : nat := match x.2 with inl (inl _) => x.1.2 | _ => x.1.1 end.
Definition len (k : K3) : nat := if k is inl (inl _) then nk else n.
Definition z (k : K3) (t : nat) : G := match k with
  | inl (inl (i, k)) => dQ dv i k (inord t) | inl (inr (j, k)) => dK dv j k (inord t) | inr (j, l) => dV d j l (inord t) end.
Definition op (x : T) : G := match x.2 with inl (inl k) => Ky n dv x.1.2 k | inl (inr k) => Q nk dv x.1.1 k | inr l => dO d nk x.1.1 l end.
Definition root (x : T) : G := if x.2 is inl _ then dS d dv x.1.1 x.1.2 else P d dv x.1.1 x.1.2.
Definition word (v : G) : cword E2 RW CW := match v with
  | Q i k => cR _ _ (rQ i k) | Lse i => cR _ _ (rL i) | dO i l => cR _ _ (rO i l) | dQ i k _ => cR _ _ (rD i k)
  | Ky j k => cC _ _ (cK j k) | V j l => cC _ _ (cV j l) | dK j k _ => cC _ _ (cDK j k) | dV j l _ => cC _ _ (cDV j l)
  | S i j _ | P i j | dP i j _ | dS i j => cP _ _ (i, j)
  | O _ _ | D _ _ => cO _ _ _ end.
Definition key (k : K3) : cword E2 RW CW := match k with
  | inl (inl y) => cR _ _ (rD y.1 y.2) | inl (inr y) => cC _ _ (cDK y.1 y.2) | inr y => cC _ _ (cDV y.1 y.2) end.
Definition tree (e : E2) : pred G := fun v => match v with S i j _ | P i j | dP i j _ | dS i j => (i, j) == e | _ => false end.
Definition wR0 i : {set RW} := rL i |: [set rQ i k | k : 'I_d].
Definition wR1 i : {set RW} := wR0 i :|: [set rO i l | l : 'I_dv].
Definition wC0 j : {set CW} := [set cK j k | k : 'I_d].
Definition wC1 j : {set CW} := wC0 j :|: [set cV j l | l : 'I_dv].
Definition wR (x : T) := if x.2 is inl _ then wR1 x.1.1 else wR0 x.1.1.
Definition wC (x : T) := if x.2 is inl _ then wC1 x.1.2 else wC0 x.1.2.

Lemma src (v : G) : (forall u, ~~ edge u v) -> v \in input G. Proof. by move=> H; rewrite inE; apply/forallP. Qed.
Lemma nsrc (u v : G) : edge u v -> v \notin input G.
Proof. by move=> uv; rewrite inE; apply/negP => /forallP/(_ u); rewrite uv. Qed.

Lemma ends (k : K3) : z k (len k).-1 \in output G :\: input G.
Proof.
rewrite in_setD; case: k => [[[i k]|[j k]]|[j l]] /=.
- by apply/andP; split; [apply: (nsrc (u := dS d dv i (inord nk') : G)); rewrite /= !eqxx | rewrite inE /= inordK].
- by apply/andP; split; [apply: (nsrc (u := dS d dv (inord n') j : G)); rewrite /= !eqxx | rewrite inE /= inordK].
by apply/andP; split; [apply: (nsrc (u := P d dv (inord n') j : G)); rewrite /= !eqxx | rewrite inE /= inordK].
Qed.
Lemma ch : chains len z.
Proof.
split.
- by case=> [[]|].
- by case=> [[[i k]|[j k]]|[j l]] t /= tl; rewrite !eqxx /= !inordK //; apply: ltnW.
- by case=> [[[i k]|[j k]]|[j l]] t [[[i' k']|[j' k']]|[j' l']] t' _ _ //=; congruence.
- case=> [[[i k]|[j k]]|[j l]] /=.
  + by apply: (nsrc (u := dS d dv i ord0 : G)); rewrite /= !eqxx -(inj_eq val_inj) /= inordK.
  + by apply: (nsrc (u := dS d dv ord0 j : G)); rewrite /= !eqxx -(inj_eq val_inj) /= inordK.
  by apply: (nsrc (u := P d dv ord0 j : G)); rewrite /= !eqxx -(inj_eq val_inj) /= inordK.
by move=> k; apply/existsP; exists (z k (len k).-1); rewrite ends connect0.
Qed.

Section Weights.
Variables (sc uQ uK uV v : nat).
Hypotheses (d0 : 0 < d) (v0 : 0 < dv).
Hypothesis cov : forall a b c, a <= d -> b <= d -> c <= dv -> uQ * a + uK * b + uV * c <= sc * (rows d dv a b c * cols d dv a b c).
Hypothesis sides : maxn uQ (maxn uK uV) * maxn uQ (maxn uK uV) <= v.
Definition u (k : 'I_3) := if k == inord 0 then uQ else if k == inord 1 then uK else uV.
Lemma i1 : (inord 1 == inord 0 :> 'I_3) = false. Proof. by rewrite -(inj_eq val_inj) /= !inordK. Qed.
Lemma i2 : (inord 2 == inord 0 :> 'I_3) = false. Proof. by rewrite -(inj_eq val_inj) /= !inordK. Qed.
Lemma i3 : (inord 2 == inord 1 :> 'I_3) = false. Proof. by rewrite -(inj_eq val_inj) /= !inordK. Qed.
Lemma u_kind x : u (kind x) = match x.2 with inl (inl _) => uQ | inl (inr _) => uK | inr _ => uV end.
Proof. by rewrite /u /kind; case: x.2 => [[]|] _; rewrite ?eqxx ?i1 ?i2 ?i3. Qed.

Lemma sum_slices (F : Sl3 -> nat) (L : {set Sl3}) : \sum_(y in L) F y =
  \sum_(a | inl (inl a) \in L) F (inl (inl a)) + \sum_(b | inl (inr b) \in L) F (inl (inr b)) + \sum_(c | inr c \in L) F (inr c).
Proof. by rewrite big_mkcond !big_sumType /= -!big_mkcond. Qed.

Lemma sums : forall (kX : 'I_3 -> 'I_4), injective kX -> forall a, \sum_(k | kX k == a) u k <= maxn uQ (maxn uK uV).
Proof.
move=> kX inj a; case: (pickP (fun k => kX k == a)) => [k0 /eqP k0a|no]; last by rewrite big_pred0.
rewrite (bigD1 k0) ?k0a //= big_pred0 => [|k]; last by apply/andP => -[/eqP ka]; rewrite -k0a in ka; rewrite (inj _ _ ka) eqxx.
by rewrite addn0 /u; case: ifP => _; [|case: ifP => _]; rewrite !leq_max leqnn ?orbT.
Qed.
Lemma inj3 (f : 'I_3 -> 'I_4) : f (inord 0) <> f (inord 1) -> f (inord 0) <> f (inord 2) -> f (inord 1) <> f (inord 2) -> injective f.
Proof.
move=> h1 h2 h3; have all k : [\/ k = inord 0, k = inord 1 | k = inord 2 :> 'I_3].
  by case: k => -[|[|[|//]]] lt; [constructor 1|constructor 2|constructor 3]; apply/val_inj; rewrite /= inordK.
by move=> k k'; case: (all k) => ->; case: (all k') => -> // E; exfalso; first [by apply: h1 | by apply: h2 | by apply: h3].
Qed.

Definition sA (e : E2) (L : {set T}) := [set a | (e, inl (inl a)) \in L].
Definition sB (e : E2) (L : {set T}) := [set b | (e, inl (inr b)) \in L].
Definition sC (e : E2) (L : {set T}) := [set c | (e, inr c) \in L].
Lemma weight_at (e : E2) (L : {set T}) : (forall x, x \in L -> x.1 = e) ->
  \sum_(x in L) u (kind x) = uQ * #|sA e L| + uK * #|sB e L| + uV * #|sC e L|.
Proof.
move=> Le; have -> : \sum_(x in L) u (kind x) = \sum_(y in [set y | (e, y) \in L]) u (kind (e, y)).
  rewrite -(big_imset (fun x => u (kind x)) (h := fun y : Sl3 => (e, y) : T)) /=; last by move=> ? ? _ _ [].
  apply: eq_bigl => x; apply/idP/imsetP => [xL|[y + ->]]; last by rewrite inE.
  by exists x.2; [rewrite inE -(Le _ xL) -surjective_pairing | rewrite -(Le _ xL) -surjective_pairing].
by rewrite sum_slices !(mulnC _ #|_|) -!sum_nat_const; congr (_ + _ + _); apply: eq_big => y; rewrite ?inE //; rewrite u_kind.
Qed.
Lemma few (e : E2) (L : {set T}) : [/\ #|sA e L| <= d, #|sB e L| <= d & #|sC e L| <= dv].
Proof.
by split; [rewrite -[X in _ <= X](card_ord d) | rewrite -[X in _ <= X](card_ord d) | rewrite -[X in _ <= X](card_ord dv)]; apply: max_card.
Qed.

Lemma covered (e : E2) (L : {set T}) : (forall x, x \in L -> x.1 = e) ->
  \sum_(x in L) u (kind x) <= sc * (#|row_words rs wR L| * #|col_words cs wC L|).
Proof.
move=> Le; rewrite (weight_at Le); have [cA cB cC'] := few e L; set A := sA e L in cA *; set B := sB e L in cB *; set C := sC e L in cC' *.
apply: leq_trans (cov cA cB cC') _; rewrite leq_mul2l; apply/orP; right.
have inR x w : x \in L -> w \in rs x |: wR x -> w \in row_words rs wR L by move=> xL wx; apply/bigcupP; exists x.
have inC x w : x \in L -> w \in cs x |: wC x -> w \in col_words cs wC L by move=> xL wx; apply/bigcupP; exists x.
have card3 (X Y Z W : finType) (S : {set (X + Y) + (Z + W)}) : #|S| = #|[set x | inl (inl x) \in S]| + #|[set x | inl (inr x) \in S]| +
    (#|[set x | inr (inl x) \in S]| + #|[set x | inr (inr x) \in S]|).
  rewrite card_split (card_split [set x | inl x \in S]) (card_split [set x | inr x \in S]).
  by congr (_ + _ + (_ + _)); apply: eq_card => x; rewrite !inE.
have atleast (X Y : finType) (f : X -> Y) (S : {set X}) (S' : {set Y}) : injective f -> (forall x, x \in S -> f x \in S') -> #|S| <= #|S'|.
  by move=> fi H; rewrite -(card_imset _ fi); apply/subset_leq_card/subsetP => _ /imsetP[x xS ->]; apply: H.
have ca y : y \in A -> (e, inl (inl y)) \in L by rewrite inE.
have cb y : y \in B -> (e, inl (inr y)) \in L by rewrite inE.
have cc y : y \in C -> (e, inr y) \in L by rewrite inE.
have any : #|A| + #|B| + #|C| != 0 -> exists2 x, x \in L & x.1 = e.
  case: (set_0Vmem A) => [->|[y /ca]]; last by exists (e, inl (inl y)).
  case: (set_0Vmem B) => [->|[y /cb]]; last by exists (e, inl (inr y)).
  case: (set_0Vmem C) => [->|[y /cc]]; last by exists (e, inr y).
  by rewrite !cards0.
have big : #|A| + #|B| != 0 -> exists2 x, x \in L & x.1 = e /\ exists y, x.2 = inl y.
  case: (set_0Vmem A) => [->|[y /ca]]; last by exists (e, inl (inl y)) => //; split=> //; exists (inl y).
  case: (set_0Vmem B) => [->|[y /cb]]; last by exists (e, inl (inr y)) => //; split=> //; exists (inr y).
  by rewrite !cards0.
have w0R x : wR0 x.1.1 \subset wR x by rewrite /wR; case: x.2 => // _; apply: subsetUl.
have w0C x : wC0 x.1.2 \subset wC x by rewrite /wC; case: x.2 => // _; apply: subsetUl.
have full k : #|[set: 'I_k]| = k by rewrite cardsT card_ord.
apply: leq_mul; rewrite /rows /cols; case: ifP => // /negbT nz; have [x0 x0L x0e] := any nz.
  rewrite (card3 _ _ _ _ (row_words rs wR L)).
  have l1 : d <= #|[set x | inl (inl x) \in row_words rs wR L]|.
    rewrite -{1}(full d); apply: (atleast _ _ (fun k => (e.1, k))) => [? ? []//|k _]; rewrite inE; apply: (inR _ _ x0L).
    by apply/setU1P; right; apply: (subsetP (w0R x0)); rewrite x0e; apply/setU1P; right; apply: imset_f.
  have l2 : 1 <= #|[set x | inl (inr x) \in row_words rs wR L]|.
    apply/card_gt0P; exists e.1; rewrite inE; apply: (inR _ _ x0L).
    by apply/setU1P; right; apply: (subsetP (w0R x0)); rewrite x0e; apply/setU1P; left.
  have l3 : #|A| <= #|[set x | inr (inr x) \in row_words rs wR L]|.
    apply: (atleast _ _ (fun k => (e.1, k))) => [? ? []//|k /ca kL]; rewrite inE; apply: (inR _ _ kL); exact: setU11.
  have l4 : (if #|A| + #|B| == 0 then #|C| else dv) <= #|[set x | inr (inl x) \in row_words rs wR L]|.
    case: ifP => [_|/negbT /big[x1 x1L [x1e [y x1y]]]].
      apply: (atleast _ _ (fun k => (e.1, k))) => [? ? []//|k /cc kL]; rewrite inE; apply: (inR _ _ kL); exact: setU11.
    rewrite -{1}(full dv); apply: (atleast _ _ (fun k => (e.1, k))) => [? ? []//|k _]; rewrite inE; apply: (inR _ _ x1L).
    by apply/setU1P; right; rewrite /wR x1y x1e; apply/setUP; right; apply: imset_f.
  apply: leq_trans (leq_add (leq_add l1 l2) (leq_add l4 l3)).
  have h a b c e' : a + b + c + e' <= a + b + (e' + c) by clear; lia.
  exact: h.
rewrite (card3 _ _ _ _ (col_words cs wC L)).
have l1 : d <= #|[set x | inl (inl x) \in col_words cs wC L]|.
  rewrite -{1}(full d); apply: (atleast _ _ (fun k => (e.2, k))) => [? ? []//|k _]; rewrite inE; apply: (inC _ _ x0L).
  by apply/setU1P; right; apply: (subsetP (w0C x0)); rewrite x0e; apply: imset_f.
have l2 : (if #|A| + #|B| == 0 then 0 else dv) <= #|[set x | inl (inr x) \in col_words cs wC L]|.
  case: ifP => [//|/negbT /big[x1 x1L [x1e [y x1y]]]].
  rewrite -{1}(full dv); apply: (atleast _ _ (fun k => (e.2, k))) => [? ? []//|k _]; rewrite inE; apply: (inC _ _ x1L).
  by apply/setU1P; right; rewrite /wC x1y x1e; apply/setUP; right; apply: imset_f.
have l3 : #|B| <= #|[set x | inr (inl x) \in col_words cs wC L]|.
  apply: (atleast _ _ (fun k => (e.2, k))) => [? ? []//|k /cb kL]; rewrite inE; apply: (inC _ _ kL); exact: setU11.
have l4 : #|C| <= #|[set x | inr (inr x) \in col_words cs wC L]|.
  apply: (atleast _ _ (fun k => (e.2, k))) => [? ? []//|k /cc kL]; rewrite inE; apply: (inC _ _ kL); exact: setU11.
apply: leq_trans (leq_add (leq_add l1 l2) (leq_add l3 l4)).
have h a b c e' : a + b + c + e' <= a + e' + (b + c) by clear; lia.
exact: h.
Qed.

Lemma ok_backward : @interaction G I J E2 RW CW [finType of 'I_4] [finType of 'I_4] fst snd of_row of_col arr_row arr_col K3 len z word key
  [finType of 'I_3] T u kind fst rs cs kR kC kk jj op root tree wR wC sc (d * uQ + d * uK + dv * uV) v (n * nk).
Proof.
have tS i j k : tree (i, j) (S dv i j k : G) by rewrite /tree eqxx.
have tP i j : tree (i, j) (P d dv i j : G) by rewrite /tree eqxx.
have tdP i j k : tree (i, j) (dP d i j k : G) by rewrite /tree eqxx.
have tdS i j : tree (i, j) (dS d dv i j : G) by rewrite /tree eqxx.
have viaS i j (k : 'I_d) g : edge g (S dv i j k : G) -> needs (tree (i, j)) g (P d dv i j : G) by move=> gk; apply: (needs_P _ _ gk).
have viaP i j g : needs (tree (i, j)) g (P d dv i j : G) -> needs (tree (i, j)) g (dS d dv i j : G) by move=> h; apply: needs_dS1.
have lse i j : needs (tree (i, j)) (Lse d nk dv i : G) (P d dv i j : G) by apply: needs_leaf; rewrite //= eqxx.
split=> //.
- by move=> [i j] [i' j'] /= -> ->.
- by case=> [[[i k]|[j k]]|[j l]].
- by move=> e [] //= => [? ? ?|? ?|? ? ?|? ?] /eqP <-.
- by move=> [[i j] [[k|k]|l]]; apply: ltn_ord.
- by move=> [[i j] [[k|k]|l]]; (split; [apply: src; case | rewrite /= inord_val !eqxx]).
- by move=> [[i j] [[k|k]|l]]; [left | right | right].
- by move=> [[i j] [[k|k]|l]]; rewrite /= inord_val !eqxx.
- have row0 i j w : w \in wR0 i -> exists g, [/\ g \in input G, word g = cR _ _ w & needs (tree (i, j)) g (P d dv i j : G)].
    case/setU1P=> [->|/imsetP[k _ ->]]; first by exists (Lse d nk dv i : G); split=> //; apply: src; case.
    by exists (Q nk dv i k : G); split=> //; [apply: src; case | apply: (viaS i j k); rewrite /= !eqxx].
  move=> [[i j] [y|l]] w; rewrite /wR /=; last exact: row0.
  case/setUP=> [/(row0 i j)[g [g1 g2 g3]]|/imsetP[l _ ->]]; first by exists g; split=> //; apply: viaP.
  by exists (dO d nk i l : G); split=> //; [apply: src; case | apply: (@needs_dS2 _ _ _ _ _ _ _ _ l) => //=; rewrite !eqxx].
- have col0 i j w : w \in wC0 j -> exists g, [/\ g \in input G, word g = cC _ _ w & needs (tree (i, j)) g (P d dv i j : G)].
    case/imsetP=> k _ ->.
    by exists (Ky n dv j k : G); split=> //; [apply: src; case | apply: (viaS i j k); rewrite /= !eqxx].
  move=> [[i j] [y|l]] w; rewrite /wC /=; last exact: col0.
  case/setUP=> [/(col0 i j)[g [g1 g2 g3]]|/imsetP[l _ ->]]; first by exists g; split=> //; apply: viaP.
  by exists (V n d j l : G); split=> //; [apply: src; case | apply: (@needs_dS2 _ _ _ _ _ _ _ _ l) => //=; rewrite !eqxx].
- have row0 i w : w \in wR0 i -> of_row w = i by case/setU1P=> [->|/imsetP[k _ ->]].
  move=> [[i j] y] w /setU1P[->|]; first by case: y => [[]|].
  by rewrite /wR /=; case: y => _; [case/setUP => [/row0|/imsetP[l _ ->]] | move/row0].
- have col0 j w : w \in wC0 j -> of_col w = j by case/imsetP=> k _ ->.
  move=> [[i j] y] w /setU1P[->|]; first by case: y => [[]|].
  by rewrite /wC /=; case: y => _; [case/setUP => [/col0|/imsetP[l _ ->]] | move/col0].
- by move=> [[i j] [[k|k]|l]]; rewrite /kR /kind /= ?eqxx ?i1 ?i2 ?i3.
- by move=> [[i j] [[k|k]|l]]; rewrite /kC /kind /= ?eqxx ?i1 ?i2 ?i3.
- move=> [[i1' j1'] y1] [[i2' j2'] y2] [[i3' j3'] y3] [[i4 j4] y4]; rewrite /kind /=.
  have n10 : inord 1 <> inord 0 :> 'I_3 by move/eqP; rewrite i1.
  have n20 : inord 2 <> inord 0 :> 'I_3 by move/eqP; rewrite i2.
  have n21 : inord 2 <> inord 1 :> 'I_3 by move/eqP; rewrite i3.
  rewrite /rs /cs /rQ /rO /rD /cK /cDK /cDV /=.
  by case: y1 => [[?|?]|?]; case: y2 => [[?|?]|?] h1; try congruence; case: y3 => [[?|?]|?]; case: y4 => [[?|?]|?] h2; try congruence;
    move=> h3; try congruence; move=> h4 h5 h6 h7; split; congruence.
- exact: covered.
- move=> e; rewrite (eq_bigl (fun x => x \in [set x : T | x.1 == e])) => [|x]; last by rewrite inE.
  rewrite (@weight_at e); last by move=> x; rewrite inE => /eqP.
  have [cA cB cC'] := few e [set x : T | x.1 == e].
  by apply: leq_add; [apply: leq_add|]; rewrite mulnC leq_mul2r ?cA ?cB ?cC' orbT.
- exists (maxn uQ (maxn uK uV)), (maxn uQ (maxn uK uV)); split=> //; apply: sums; apply: inj3;
    by rewrite /kR /kC ?eqxx ?i1 ?i2 ?i3; move/(congr1 val); rewrite /= !inordK.
by rewrite card_prod !card_ord.
Qed.
End Weights.
End Instance.

Lemma all_weight n nk d dv uQ uK uV : \sum_x u uQ uK uV (@kind n nk d dv x) = n.+1 * nk.+1 * (d * uQ + d * uK + dv * uV).
Proof.
rewrite (partition_big (fun x : T n nk d dv => x.1) predT) //= (eq_bigr (fun=> d * uQ + d * uK + dv * uV)); last first.
  move=> e _; rewrite (eq_bigl (fun x => x \in [set x : T n nk d dv | x.1 == e])) => [|x]; last by rewrite inE.
  rewrite (@weight_at n nk d dv uQ uK uV e); last by move=> x; rewrite inE => /eqP.
  rewrite !(mulnC _ #|_|); congr (_ * _ + _ * _ + _ * _); rewrite -[RHS]card_ord; apply: eq_card => y; by rewrite !inE eqxx.
by rewrite sum_nat_const card_prod !card_ord.
Qed.
Lemma ends_stored n nk d dv : #|K3 n nk d dv| <= #|output (attention_backward n.+1 d nk.+1 dv) :\: input (attention_backward n.+1 d nk.+1 dv)|.
Proof.
rewrite -cardsT -(card_in_imset (D := mem [set: K3 n nk d dv]) (f := fun k => z k (len k).-1)).
  by apply/subset_leq_card/subsetP => _ /imsetP[k _ ->]; apply: ends.
move=> k k' _ _ /(chain_inj (@ch n nk d dv)); apply; by [case: k => [[]|] | case: k' => [[]|]].
Qed.

Theorem backward_covering game M n nk d dv sc uQ uK uV v (s : seq (move (attention_backward n d nk dv))) f t q hf ht :
  legal game M s -> 0 < d -> 0 < dv ->
  (forall a b c, a <= d -> b <= d -> c <= dv -> uQ * a + uK * b + uV * c <= sc * (rows d dv a b c * cols d dv a b c)) ->
  maxn uQ (maxn uK uV) * maxn uQ (maxn uK uV) <= v ->
  carried_most sc (d * uQ + d * uK + dv * uV) v 1 1 (n * nk) f hf ->
  q = 0 \/ carried_most sc (d * uQ + d * uK + dv * uV) v 1 1 (n * nk) (M + t) ht ->
  hf + q * ht < n * nk * (d * uQ + d * uK + dv * uV) -> f + q * t + 1 <= cost s.
Proof.
move=> ok d0 v0 cov sides; case: n s ok => [|n] s ok Hf Ht lt; first by rewrite !mul0n in lt.
case: nk s ok Hf Ht lt => [|nk] s ok Hf Ht lt; first by rewrite muln0 mul0n in lt.
have := covering_segment ok (@ch n nk d dv) (@ok_backward n nk d dv sc uQ uK uV v cov sides) Hf Ht.
rewrite all_weight => /(_ lt) le; by have := leq_trans (leq_add (leqnn (f + q * t + 1)) (@ends_stored n nk d dv)) le; rewrite leq_add2r.
Qed.
