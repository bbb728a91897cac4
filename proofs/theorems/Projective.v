(* docs/theory-lp.md section 7 and docs/theory-affine.md section 3: a statement whose steps need a chain and input operands, each told by
   some of its loops, for any CDAG; exponents s_t = (copies of item t) / (q + 1). *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment BrascampLieb WeightedMeans Reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma count_fibers (U P : finType) (A : {set U}) (f : U -> P) : \sum_p #|[set u in A | f u == p]| = #|A|.
Proof.
rewrite -[RHS]sum1_card (partition_big f predT) //=; apply: eq_bigr => p _.
by rewrite -sum1_card; apply: eq_bigl => u; rewrite inE.
Qed.

(* parts of a set that have no element in common *)
Lemma sum_disjoint (U P : finType) (A : P -> {set U}) (D : {set U}) :
  (forall p, A p \subset D) -> (forall p p' u, u \in A p -> u \in A p' -> p = p') -> \sum_p #|A p| <= #|D|.
Proof.
move=> sub one; case: (pickP P) => [p0 _|no]; last by rewrite big_pred0.
rewrite -(count_fibers D (fun u => odflt p0 [pick p | u \in A p])); apply: leq_sum => p _.
apply/subset_leq_card/subsetP => u up; rewrite inE (subsetP (sub p)) //=; case: pickP => [p' /one/(_ up) ->//|/(_ p)]; by rewrite up.
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

(* the words of a purse that some points need *)
Definition used (S : {set T}) (p : P) : {set W} := [set u | [exists t, (purse t == p) && (u \in need t @: S)]].

(* |F|^(q+1) <= prod_j |item j of F| prod extents *)
Lemma projective_count (S : {set T}) : #|S| ^ q.+1 <= \prod_p #|used S p| ^ share p * \prod_e extent e.
Proof.
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
have words : \prod_(j : J) #|need (item j) @: S| <= \prod_p #|used S p| ^ share p.
  rewrite (partition_big (fun j => purse (item j)) predT) //=; apply: leq_prod => p _.
  have le j : purse (item j) == p -> #|need (item j) @: S| <= #|used S p|.
    by move=> jp; apply/subset_leq_card/subsetP => w wj; rewrite inE; apply/existsP; exists (item j); rewrite jp.
  by move: #|used S p| le => k le; rewrite /share cardsE -prod_nat_const; apply: leq_prod.
have exts : \prod_(e : E) #|[set c (loop e) y | y in S]| <= \prod_e extent e.
  apply: leq_prod => e _; apply: leq_trans (st_extent st e); apply/subset_leq_card/subsetP => _ /imsetP[y _ ->].
  exact: imset_f.
apply: leq_trans main _; rewrite big_sumType /=; apply: leq_mul; [apply: leq_trans words | apply: leq_trans exts].
  by apply: leq_prod => j _; rewrite -(card_imset _ (@inl_inj W X)) -imset_comp.
by apply: leq_prod => e _; rewrite -(card_imset _ (@inr_inj W X)) -imset_comp.
Qed.

(* X words suffice for few points: those of the purses are X in all *)
Theorem projective_needs x h :
  x ^ #|J| * \prod_p share p ^ share p * \prod_e extent e < #|J| ^ #|J| * h.+1 ^ q.+1 -> needs_at_most x h.
Proof.
move=> small Dw S le inD; rewrite leqNgt; apply/negP => hS; move: small; rewrite ltnNge => /negP; apply.
have sum_used : \sum_p #|used S p| <= x.
  apply: leq_trans le; apply: (sum_disjoint (A := used S)) => [p|p p' u].
    by apply/subsetP => u; rewrite inE => /existsP[t /andP[_ /imsetP[y yS ->]]]; apply: inD.
  rewrite !inE => /existsP[t /andP[/eqP <- /imsetP[y _ ->]]] /existsP[t' /andP[/eqP <- /imsetP[y' _ E1]]]; exact: st_purse st _ _ _ _ E1.
have T0 : #|J| = \sum_p share p.
  by rewrite -cardsT -(count_fibers [set: J] (fun j => purse (item j))); apply: eq_bigr => p _; apply: eq_card => j; rewrite !inE.
apply: leq_trans (leq_mul (weighted T0 sum_used) (leqnn (\prod_e extent e))).
rewrite -mulnA leq_mul2l; apply/orP; right; apply: leq_trans (projective_count S); by rewrite leq_exp2r.
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
