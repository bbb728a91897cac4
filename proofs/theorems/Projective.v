(* docs/theory-lp.md section 7 and docs/theory-affine.md section 3: a statement whose steps need a chain and input operands, each told by
   some of its loops, for any CDAG; exponents s_t = (copies of item t) / (q + 1). *)
From mathcomp Require Import all_ssreflect zify.
From redblue Require Import Game Trace Count Segment BrascampLieb WeightedMeans Reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma count_fibers (U P : finType) (A : {set U}) (f : U -> P) : \sum_p #|[set u in A | f u == p]| = #|A|.
Proof.
rewrite -[RHS]sum1_card (partition_big f predT) //=; apply: eq_bigr => p _.
by rewrite -sum1_card; apply: eq_bigl => u; rewrite inE.
Qed.

Lemma inl_inj (A B : Type) : injective (@inl A B). Proof. by move=> ? ? []. Qed.
Lemma inr_inj (A B : Type) : injective (@inr A B). Proof. by move=> ? ? []. Qed.

(* Points that have needs, words; the words of the needs of some points are not few. *)
Section Law.
Variables (T N W X P : finType) (need : N -> T -> W) (D : nat) (c : nat -> T -> X) (purse : N -> P).
(* loops c 0, ..., c (D-1); needs are in purses, no word in two of them; copies of needs, and of extents: the values of one loop *)
Variables (J E : finType) (item : J -> N) (tells : J -> nat -> bool) (loop : E -> nat) (extent : E -> nat) (q : nat).
Record statement : Prop := Statement {
  st_loops : forall x y, (forall i, i < D -> c i x = c i y) -> x = y;
  st_tells : forall j i x y, tells j i -> i < D ->
    (forall i', i < i' -> i' < D -> c i' x = c i' y) -> need (item j) x = need (item j) y -> c i x = c i y;
  st_cover : forall i, i < D -> q < #|[set j | tells j i]| + #|[set e | loop e == i]|;
  st_extent : forall e, #|[set c (loop e) x | x in T]| <= extent e;
  st_purse : forall t t' x y, need t x = need t' y -> purse t = purse t' }.
Hypothesis st : statement.
Definition share p := #|[set j | purse (item j) == p]|.
(* X words, and the needs of h points at most *)
Definition needs_at_most (x h : nat) : Prop := forall (Dw : {set W}) (S : {set T}), #|Dw| <= x ->
  (forall y, y \in S -> forall n, need n y \in Dw) -> #|S| <= h.

(* |F|^(q+1) <= prod extents prod_j |item j of F|, and words of the purses are X in all *)
Theorem projective_needs x h :
  x ^ #|J| * \prod_p share p ^ share p * \prod_e extent e < #|J| ^ #|J| * h.+1 ^ q.+1 -> needs_at_most x h.
Proof.
move=> small Dw S le inD; rewrite leqNgt; apply/negP => hS; move: small; rewrite ltnNge => /negP; apply.
pose g (j : J + E) (y : T) : W + X := match j with inl j => inl (need (item j) y) | inr e => inr (c (loop e) y) end.
pose has (j : J + E) i := match j with inl j => tells j i | inr e => loop e == i end.
have cov i : i < D -> q < #|[set j | has j i]|.
  move=> iD; apply: leq_trans (st_cover st iD) _; rewrite -(card_imset _ (@inl_inj J E)) -(card_imset _ (@inr_inj J E)).
  rewrite -cardsU_disj; last by move=> w /imsetP[? _ ->] /imsetP[? _].
  by apply/subset_leq_card/subsetP => w /setUP[] /imsetP[y]; rewrite inE => H ->; rewrite inE.
have main : #|S| ^ q.+1 <= \prod_j #|g j @: S|.
  apply: (pivots (c := c) (D := D) cov) => [[j|e] i hi iD y y' _ _ H|y y' _ _]; last exact: st_loops st _ _.
    by move=> [E1]; apply: (st_tells st (j := j)).
  by move: hi => /= /eqP <- [].
pose used := \bigcup_(j : J) (need (item j) @: S).
pose of_purse p u := [exists j, [exists y, [&& y \in S, need (item j) y == u & purse (item j) == p]]].
have WD : used \subset Dw.
  by apply/bigcupsP => j _; apply/subsetP => _ /imsetP[y yS ->]; apply: inD.
pose a p := #|[set u in used | of_purse p u]|.
have sum_a : \sum_p a p <= x.
  apply: leq_trans le; apply: leq_trans (subset_leq_card WD).
  case: (pickP P) => [p0 _|no]; last by rewrite big_pred0.
  pose f u := odflt p0 [pick p | of_purse p u]; rewrite -(count_fibers used f); apply: leq_sum => p _.
  apply/subset_leq_card/subsetP => u; rewrite !inE => /andP[-> pu] /=; rewrite /f.
  case: pickP => [p' /existsP[j' /existsP[y' /and3P[_ /eqP nu' /eqP <-]]]|/(_ p)]; last by rewrite pu.
  have /existsP[j /existsP[y /and3P[_ /eqP nu /eqP <-]]] := pu.
  by apply/eqP/(st_purse st (x := y') (y := y)); rewrite nu nu'.
have T0 : #|J| = \sum_p share p.
  by rewrite -cardsT -(count_fibers [set: J] (fun j => purse (item j))); apply: eq_bigr => p _; apply: eq_card => j; rewrite !inE.
have wm := weighted T0 sum_a.
have words : \prod_(j : J) #|need (item j) @: S| <= \prod_p a p ^ share p.
  rewrite (partition_big (fun j => purse (item j)) predT) //=; apply: leq_prod => p _.
  rewrite /share cardsE -prod_nat_const; apply: leq_prod => j /eqP jp.
  apply/subset_leq_card/subsetP => _ /imsetP[y yS ->]; rewrite !inE; apply/andP; split.
    by apply/bigcupP; exists j => //; apply: imset_f.
  by apply/existsP; exists j; apply/existsP; exists y; rewrite yS jp !eqxx.
have exts : \prod_(e : E) #|[set c (loop e) y | y in S]| <= \prod_e extent e.
  apply: leq_prod => e _; apply: leq_trans (st_extent st e); apply/subset_leq_card/subsetP => _ /imsetP[y _ ->].
  exact: imset_f.
have split : \prod_j #|g j @: S| = \prod_(j : J) #|need (item j) @: S| * \prod_(e : E) #|[set c (loop e) y | y in S]|.
  rewrite big_sumType /=; congr (_ * _); apply: eq_bigr => j _.
    by rewrite -(card_imset _ (@inl_inj W X)) -imset_comp.
  by rewrite -(card_imset _ (@inr_inj W X)) -imset_comp.
apply: leq_trans (leq_mul wm exts).
rewrite -mulnA leq_mul2l; apply/orP; right; apply: leq_trans (leq_mul words (leqnn _)).
by rewrite -split; apply: leq_trans main; rewrite leq_exp2r.
Qed.

End Law.

Section Statement.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Hypothesis ch : chains len z.
Variables (T O : finType) (kk : T -> K) (jj : T -> nat) (op : O -> T -> G).
Hypothesis rd : reads len z kk jj op.

(* the chain (None) and the operands *)
Definition need (t : option O) (x : T) : G + K := if t is Some o then inl (op o x) else inr (kk x).
Variables (X P : finType) (D : nat) (c : nat -> T -> X) (purse : option O -> P).
Variables (J E : finType) (item : J -> option O) (tells : J -> nat -> bool) (loop : E -> nat) (extent : E -> nat) (q : nat).
Hypothesis st : statement need D c purse item tells loop extent q.

Lemma projective_can x h :
  x ^ #|J| * \prod_p share purse item p ^ share purse item p * \prod_e extent e < #|J| ^ #|J| * h.+1 ^ q.+1 -> can kk op x h.
Proof.
by move=> small Dw S le inD; apply: (projective_needs st small le) => y yS [o|]; have [h1 h2] := inD y yS; [apply: h2 | apply: h1].
Qed.

(* f: the first segment's events, t: those of the others, n others *)
Theorem projective_segment f t n hf ht :
  f ^ #|J| * \prod_p share purse item p ^ share purse item p * \prod_e extent e < #|J| ^ #|J| * hf.+1 ^ q.+1 ->
  (M + t) ^ #|J| * \prod_p share purse item p ^ share purse item p * \prod_e extent e < #|J| ^ #|J| * ht.+1 ^ q.+1 ->
  hf + n * ht < #|T| -> f + n * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof. by move=> /projective_can Hf /projective_can Ht lt; exact: (steps_segment ok ch rd Hf Ht lt). Qed.
End Statement.
