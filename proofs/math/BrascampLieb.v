(* Inequalities of Hoelder, and of Brascamp and Lieb: points, and what projections and affine maps make of them. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

(* arithmetic and geometric mean, for numbers *)
Lemma agm_nat q (E : 'I_q -> nat) : q ^ q * \prod_i E i <= (\sum_i E i) ^ q.
Proof.
have := @leif_AGM_scaled int_numDomainType _ (mem 'I_q) (fun i => (E i)%:Z)%R.
rewrite cardE size_enum_ord => /(_ _) [|H _]; first by move=> i _; rewrite mulrn_wge0.
have e1 : (\sum_(i in mem 'I_q) (E i)%:Z)%R = ((\sum_i E i)%N%:R)%R :> int.
  by rewrite natr_sum; apply: eq_big => // i _; rewrite natz.
have e2 : (\prod_(i in mem 'I_q) ((E i)%:Z *+ q))%R = ((q ^ q * \prod_i E i)%N%:R)%R :> int.
  rewrite natrM natr_prod natrX -[X in (_ ^+ X)%R](card_ord q) -prodr_const -big_split /=.
  by apply: eq_big => // i _; rewrite mulrC mulr_natr natz.
by move: H; rewrite e1 e2 -natrX ler_nat.
Qed.

Lemma holder q (X : finType) (n : X -> nat) (a : 'I_q.+1 -> X -> nat) :
  (forall x, n x ^ q.+1 <= \prod_j a j x) ->
  (\sum_x n x) ^ q.+1 <= \prod_j \sum_x a j x.
Proof.
move=> H; pose FF := {ffun 'I_q.+1 -> X}.
have -> : (\sum_x n x) ^ q.+1 = \sum_(F : FF) \prod_j n (F j).
  by rewrite -(bigA_distr_bigA (fun (j : 'I_q.+1) x => n x)) /= prod_nat_const card_ord.
rewrite (bigA_distr_bigA (fun j x => a j x)) /=.
have sh k : \sum_(F : FF) \prod_j a j (F j) = \sum_(F : FF) \prod_j a j (F (j + k)%R).
  rewrite (reindex (fun F : FF => [ffun j => F (j + k)%R])) /=.
    by apply: eq_bigr => F _; apply: eq_bigr => j _; rewrite ffunE.
  exists (fun F : FF => [ffun j => F (j - k)%R]) => F _; apply/ffunP => j; rewrite !ffunE.
    by rewrite subrK.
  by rewrite addrK.
rewrite -(leq_pmul2l (ltn0Sn q)).
have -> : q.+1 * (\sum_(F : FF) \prod_j a j (F j)) = \sum_(F : FF) \sum_(k < q.+1) \prod_j a j (F (j + k)%R).
  rewrite exchange_big /= -{1}(card_ord q.+1) -sum_nat_const; apply: eq_bigr => k _; exact: sh.
rewrite big_distrr /=; apply: leq_sum => F _.
rewrite -(@leq_exp2r _ _ q.+1) //; apply: leq_trans (agm_nat _).
rewrite expnMn leq_mul2l; apply/orP; right.
have -> : \prod_(k < q.+1) \prod_j a j (F (j + k)%R) = \prod_i \prod_j a j (F i).
  rewrite exchange_big /= [RHS]exchange_big /=; apply: eq_bigr => j _.
  rewrite [RHS](reindex (fun k => (j + k)%R)) //=.
  exists (fun i => (i - j)%R) => i _; first by rewrite addrAC subrr add0r.
  by rewrite addrC subrK.
rewrite (big_morph (expn^~ q.+1) (fun x y => expnMn x y q.+1) (exp1n q.+1)).
by apply: leq_prod => i _; apply: H.
Qed.

(* the same with a constant, and with the functions indexed by a set of q + 1 *)
Lemma holder_set q (X J : finType) (S : {set J}) (n : X -> nat) (a : J -> X -> nat) C :
  #|S| = q.+1 -> (forall x, n x ^ q.+1 <= C * \prod_(j in S) a j x) ->
  (\sum_x n x) ^ q.+1 <= C * \prod_(j in S) \sum_x a j x.
Proof.
move=> cS H.
have [v en] : exists v : 'I_q.+1 -> J, forall F : J -> nat, \prod_(j in S) F j = \prod_i F (v i).
  by rewrite -cS; exists enum_val => F; rewrite big_enum_val.
rewrite en; pose b (i : 'I_q.+1) x := (if i == ord0 then C else 1) * a (v i) x.
apply: leq_trans (@holder q X n b _) _.
  move=> x; apply: leq_trans (H x) _; rewrite en /b big_split /= leq_mul2r; apply/orP; right.
  by rewrite (bigD1 ord0) //= big1 ?muln1 // => i /negbTE ->.
under eq_bigr => i _ do rewrite /b -big_distrr /=.
rewrite big_split /= leq_mul2r; apply/orP; right.
by rewrite (bigD1 ord0) //= big1 ?muln1 // => i /negbTE ->.
Qed.

(* docs/theory-affine.md section 3, Lemma 2, with exponents in integers.  Points F with coordinates c 0, ..., c (D-1), the last one first; items j.
   Item j has pivot i when, coordinates i + 1, ..., D - 1 given, it tells coordinate i.  If every coordinate is a pivot of q + 1 items
   then |F|^(q+1) <= prod_j |g_j F|. *)
Theorem pivots (T X Y J : finType) (c : nat -> T -> X) (g : J -> T -> Y) (has : J -> nat -> bool) q D :
  (forall i, i < D -> q < #|[set j | has j i]|) ->
  forall F : {set T},
  (forall j i, has j i -> i < D -> {in F &, forall p p',
     (forall i', i < i' -> i' < D -> c i' p = c i' p') -> g j p = g j p' -> c i p = c i p'}) ->
  {in F &, forall p p', (forall i, i < D -> c i p = c i p') -> p = p'} ->
  #|F| ^ q.+1 <= \prod_j #|g j @: F|.
Proof.
elim: D => [|D IH] cov F det inj.
  case: (set_0Vmem F) => [->|[p pF]]; first by rewrite cards0 exp0n.
  have -> : F = [set p].
    apply/setP=> p'; rewrite inE; apply/idP/eqP => [p'F|->//]; exact: inj.
  by rewrite cards1 exp1n big1 // => j _; rewrite imset_set1 cards1.
pose Fx x := [set p in F | c D p == x].
have -> : #|F| = \sum_x #|Fx x|.
  rewrite -sum1_card (partition_big (c D) predT) //=; apply: eq_bigr => x _.
  by rewrite -sum1_card; apply: eq_bigl => p; rewrite inE.
have [S SJ cS] : exists2 S : {set J}, S \subset [set j | has j D] & #|S| = q.+1.
  have := cov D (ltnSn D); move: [set j | _] => A qA.
  exists [set j in take q.+1 (enum A)].
    by apply/subsetP => j; rewrite inE => /mem_take; rewrite mem_enum.
  rewrite cardsE (card_uniqP _) ?take_uniq ?enum_uniq // size_take -cardE.
  by case: ltnP => //; lia.
rewrite [X in _ <= X](bigID (mem S)) /= mulnC.
apply: (@leq_trans ((\prod_(j | j \notin S) #|g j @: F|) * \prod_(j in S) \sum_x #|g j @: Fx x|)).
  apply: holder_set cS _ => x; apply: leq_trans (IH _ (Fx x) _ _) _.
  - by move=> i iD; apply: cov; lia.
  - move=> j i ji iD p p'; rewrite !inE => /andP[pF /eqP px] /andP[pF' /eqP px'] H; apply: (det j i) => // [|i' ii'].
      exact: ltnW.
    by rewrite ltnS leq_eqVlt => /orP[/eqP ->|/(H _ ii')//]; rewrite px px'.
  - move=> p p'; rewrite !inE => /andP[pF /eqP px] /andP[pF' /eqP px'] H; apply: inj => // i.
    by rewrite ltnS leq_eqVlt => /orP[/eqP->|/H//]; rewrite px px'.
  - rewrite [X in X <= _](bigID (mem S)) /= mulnC leq_mul2r; apply/orP; right; apply: leq_prod => j _.
    by apply/subset_leq_card/imsetS/subsetP => p; rewrite inE => /andP[].
rewrite leq_mul2l; apply/orP; right; apply: leq_prod => j jS.
have hj : has j D by move/subsetP: SJ => /(_ j jS); rewrite inE.
(* the images g j of the parts are disjoint *)
have -> : \sum_x #|g j @: Fx x| = #|\bigcup_x (g j @: Fx x)|.
  apply/esym/eqP; rewrite -sum1_card.
  suff -> : \sum_(y in \bigcup_x (g j @: Fx x)) 1 = \sum_x \sum_(y in g j @: Fx x) 1.
    by apply/eqP; apply: eq_bigr => x _; rewrite sum1_card.
  apply: partition_disjoint_bigcup => x x' xx'.
  rewrite -setI_eq0; apply/eqP/setP => y; rewrite !inE; apply/negP => /andP[/imsetP[p]].
  rewrite inE => /andP[pF /eqP px] -> /imsetP[p']; rewrite inE => /andP[pF' /eqP px'] E.
  move/eqP: xx'; rewrite -px -px'; apply; apply: (det j D) => // i' Di'; rewrite ltnS leqNgt Di' //.
apply/subset_leq_card/bigcupsP => x _; apply/imsetS/subsetP => p; by rewrite inE => /andP[].
Qed.

(* docs/theory-lp.md section 7: a grid of loops, item j telling the loops with has j i. *)
Theorem cover (T X Y J : finType) (c : nat -> T -> X) (g : J -> T -> Y) (has : J -> nat -> bool) q D :
  (forall j i p p', has j i -> g j p = g j p' -> c i p = c i p') ->
  (forall i, i < D -> q < #|[set j | has j i]|) ->
  forall F : {set T}, {in F &, forall p p', (forall i, i < D -> c i p = c i p') -> p = p'} ->
  #|F| ^ q.+1 <= \prod_j #|g j @: F|.
Proof. by move=> det cov F; apply: (pivots cov) => j i ji _ p p' _ _ _; apply: det. Qed.
