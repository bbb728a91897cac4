(* docs/theory-affine.md section 3, siblings: several statements that use words of the same columns.  What tells them apart, one column or
   several together, makes them add up to no more than one statement. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import BrascampLieb WeightedMeans Projective.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* m u times the product of the columns cols u is taken out of the columns' powers P *)
Lemma siblings (I C U : finType) (n : I -> nat) (a : C -> I -> nat) (A P : C -> nat) (cols : U -> {set C}) (m : U -> nat) K q :
  (forall i, n i ^ q.+1 <= K * \prod_c a c i ^ P c) ->
  (forall i c, a c i <= A c) ->
  (forall u, \sum_i \prod_(c in cols u) a c i <= \prod_(c in cols u) A c) ->
  (forall c, \sum_(u | c \in cols u) m u <= P c) -> \sum_u m u <= q.+1 ->
  (\sum_i n i) ^ q.+1 <= K * #|I| ^ (q.+1 - \sum_u m u) * \prod_c A c ^ P c.
Proof.
move=> each le tells fits few; pose b u i := \prod_(c in cols u) a c i; pose B u := \prod_(c in cols u) A c.
pose left c := P c - \sum_(u | c \in cols u) m u.
have out (F : C -> nat) : \prod_c F c ^ P c = \prod_c F c ^ left c * \prod_u (\prod_(c in cols u) F c) ^ m u.
  have -> : \prod_u (\prod_(c in cols u) F c) ^ m u = \prod_c F c ^ (\sum_(u | c \in cols u) m u).
    under [RHS]eq_bigr => c _ do rewrite expn_sum big_mkcond.
    rewrite exchange_big /=; apply: eq_bigr => u _; rewrite (big_morph (expn^~ (m u)) (fun x y => expnMn x y (m u)) (exp1n (m u))).
    by rewrite big_mkcond.
  by rewrite -big_split /=; apply: eq_bigr => c _; rewrite -expnD subnK.
pose J : finType := [finType of {u : U & 'I_(m u)} + 'I_(q.+1 - \sum_u m u)].
pose f (j : J) i := match j with inl u => b (tag u) i | inr _ => 1 end.
have cJ : #|[set: J]| = q.+1.
  rewrite cardsT card_sum card_ord; have -> : #|[finType of {u : U & 'I_(m u)}]| = \sum_u m u; last by rewrite subnKC.
  by rewrite -[RHS](sum_copies m (fun=> true)) cardsE.
have split (F : J -> nat) : \prod_(j in [set: J]) F j = \prod_(u : {u : U & 'I_(m u)}) F (inl u) * \prod_e F (inr e).
  by rewrite (eq_bigl xpredT) => [|j]; [rewrite big_sumType | rewrite inE].
have -> : K * #|I| ^ (q.+1 - \sum_u m u) * \prod_c A c ^ P c =
    K * \prod_c A c ^ left c * (\prod_u (\prod_(c in cols u) A c) ^ m u * #|I| ^ (q.+1 - \sum_u m u)).
  by rewrite out; move: (\prod_c _) (\prod_u _) (#|I| ^ _) => x y z; clear; lia.
have := @holder_set q I J [set: J] n f (K * \prod_c A c ^ left c) cJ; rewrite !split /= => H.
apply: leq_trans (H _) _ => [i|].
  rewrite split /= (big1 (I := ordinal _)) // muln1 (prod_copies m (fun u => b u i)); apply: leq_trans (each i) _.
  rewrite out mulnA leq_mul2r leq_mul2l; apply/orP; right; apply/orP; right.
  by apply: leq_prod => c _; case: (left c) => // k; rewrite leq_exp2r.
apply: leq_mul => //; apply: leq_mul; last by rewrite prod_nat_const card_ord sum1_card.
rewrite (prod_copies m (fun u => \sum_i b u i)); apply: leq_prod => u _; case: (m u) => // k; rewrite leq_exp2r //; exact: tells.
Qed.

(* Statements of which any two have different words in one of the columns D: their rectangles of words are disjoint. *)
Lemma rectangles (I C W : finType) (D : {set C}) (w : C -> I -> {set W}) (V : C -> {set W}) :
  (forall i c, w c i \subset V c) ->
  (forall i i', i != i' -> exists2 c, c \in D & [disjoint w c i & w c i']) ->
  \sum_i \prod_(c in D) #|w c i| <= \prod_(c in D) #|V c|.
Proof.
move=> sub dis; pose F (u : C -> {set W}) (c : C) : {set option W} := if c \in D then Some @: u c else [set None].
have card (u : C -> {set W}) : \prod_(c in D) #|u c| = #|[set f : {ffun C -> option W} | f \in family (F u)]|.
  rewrite cardsE card_family foldrE big_map big_enum /= [LHS]big_mkcond /=; apply: eq_bigr => c _; rewrite /F; case: ifP => _; last by rewrite cards1.
  by rewrite card_imset //; apply: Some_inj.
rewrite card (eq_bigr _ (fun i _ => card (w^~ i))).
pose X i := [set f : {ffun C -> option W} | f \in family (F (w^~ i))].
rewrite -[X in X <= _]/(\sum_i #|X i|).
have -> : \sum_i #|X i| = #|\bigcup_i X i|.
  apply/esym/eqP; rewrite -sum1_card; suff -> : \sum_(y in \bigcup_i X i) 1 = \sum_i \sum_(y in X i) 1.
    by apply/eqP; apply: eq_bigr => i _; rewrite sum1_card.
  apply: partition_disjoint_bigcup => i i' /dis[c cD wd]; rewrite -setI_eq0; apply/eqP/setP => f; rewrite !inE; apply/negP.
  case/andP=> /familyP/(_ c) + /familyP/(_ c); rewrite /F cD => /imsetP[x xi ->] /imsetP[y yi [E]].
  by move/pred0P: wd => /(_ x); rewrite /= xi E yi.
apply/subset_leq_card/bigcupsP => i _; apply/subsetP => f; rewrite !inE => /familyP H; apply/familyP => c; have := H c.
rewrite /F; case: ifP => // _ /imsetP[x xi ->]; apply: imset_f; exact: (subsetP (sub i c)).
Qed.

(* Statements of points that need words, in columns; what is said of each of them, and what the columns say of all. *)
Section Most.
Variables (I W : finType) (T : I -> finType) (few : nat) (N : I -> finType).
Variables (need : forall i, N i -> T i -> W) (column : forall i, N i -> 'I_few).
Variables (P : 'I_few -> nat) (U : finType) (cols : U -> {set 'I_few}) (m : U -> nat) (K q : nat).
Notation words i F p := (used (@need i) (@column i) F p).
Record siblings_ok : Prop := SiblingsOk {
  si_each : forall i (F : {set T i}), #|F| ^ q.+1 <= K * \prod_p #|words i F p| ^ P p;
  si_column : forall i i' n n' x y, @need i n x = @need i' n' y -> column n = column n';
  si_tells : forall u i i', i != i' -> exists2 p, p \in cols u &
    forall n n' x y, column n = p -> column n' = p -> @need i n x <> @need i' n' y;
  si_fits : forall p, \sum_(u | p \in cols u) m u <= P p;
  si_few : \sum_u m u <= q.+1 }.
Hypothesis ok : siblings_ok.

Lemma siblings_count (F : forall i, {set T i}) :
  (\sum_i #|F i|) ^ q.+1 <= K * #|I| ^ (q.+1 - \sum_u m u) * \prod_p #|\bigcup_i words i (F i) p| ^ P p.
Proof.
have wordP i p w : w \in words i (F i) p -> exists n y, [/\ column n = p, y \in F i & w = @need i n y].
  by rewrite inE => /existsP[n /andP[/eqP np /imsetP[y yF ->]]]; exists n, y.
have sub i p : words i (F i) p \subset \bigcup_i words i (F i) p by apply/subsetP => w wi; apply/bigcupP; exists i.
apply: (@siblings I [finType of 'I_few] U (fun i => #|F i|) (fun p i => #|words i (F i) p|) _ P cols m K q
  (fun i => si_each ok (F i)) (fun i p => subset_leq_card (sub i p)) _ (si_fits ok) (si_few ok)) => u.
apply: rectangles => [//|i i' /(si_tells ok u)[p pu no]]; exists p => //; apply/pred0P => w /=.
by apply/negP => /andP[/wordP[n [y [np _ ->]]] /wordP[n' [y' [np' _ E]]]]; apply: no np np' E.
Qed.

Lemma siblings_most x h : let S := \sum_p P p in
  x ^ S * (\prod_p P p ^ P p * (K * #|I| ^ (q.+1 - \sum_u m u))) < S ^ S * h.+1 ^ q.+1 ->
  forall (Dw : {set W}) (F : forall i, {set T i}), #|Dw| <= x ->
    (forall i y n, y \in F i -> @need i n y \in Dw) -> \sum_i #|F i| <= h.
Proof.
move=> S small Dw F le inD; rewrite leqNgt; apply/negP => hS; move: small; rewrite ltnNge => /negP; apply.
pose V p := \bigcup_i words i (F i) p.
have VP p w : w \in V p -> exists i (n : N i) y, [/\ column n = p, y \in F i & w = need n y].
  by case/bigcupP=> i _; rewrite inE => /existsP[n /andP[/eqP np /imsetP[y yF ->]]]; exists i, n, y.
have sum_V : \sum_p #|V p| <= x.
  apply: leq_trans le; apply: sum_disjoint => [p|p p' w /VP[i [n [y [<- _ ->]]]] /VP[i' [n' [y' [<- _ E]]]]].
    by apply/subsetP => w /VP[i [n [y [_ yF ->]]]]; apply: inD.
  exact: si_column ok _ _ _ _ _ _ E.
rewrite [X in _ <= X]mulnA; apply: leq_trans (leq_mul (weighted (a := fun p => #|V p|) (erefl S) sum_V) (leqnn (K * #|I| ^ (q.+1 - \sum_u m u)))).
rewrite -mulnA leq_mul2l; apply/orP; right; rewrite [X in _ <= X]mulnC.
by apply: leq_trans (siblings_count F); rewrite leq_exp2r.
Qed.
End Most.
