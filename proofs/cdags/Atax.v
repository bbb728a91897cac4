(* y = A^T (A x): a row of A is read for T[i] = A[i,.] x and again when T[i] is known.  Theorem 13 of docs/theory-affine.md, the gate of row i
   being the end of T[i]. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment Rooted.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Cdag.
Variables m n : nat.
Definition atax_vertex : Type := ('I_m * 'I_n) + 'I_n + ('I_m * 'I_n) + ('I_n * 'I_m).
Definition vA i j : atax_vertex := inl (inl (inl (i, j))).
Definition vX j : atax_vertex := inl (inl (inr j)).
Definition vT i j : atax_vertex := inl (inr (i, j)).
Definition vY j i : atax_vertex := inr (j, i).
Definition atax_edge (u v : atax_vertex) : bool :=
  match v with
  | inl (inr (i, j)) =>        (* T[i,j] = T[i,j-1], A[i,j], x[j] *)
      match u with
      | inl (inr (i', j')) => (i' == i) && (j'.+1 == j)
      | inl (inl (inl (i', j'))) => (i' == i) && (j' == j)
      | inl (inl (inr j')) => j' == j
      | inr _ => false
      end
  | inr (j, i) =>              (* Y[j,i] = Y[j,i-1], A[i,j], T[i,n-1] *)
      match u with
      | inr (j', i') => (j' == j) && (i'.+1 == i)
      | inl (inl (inl (i', j'))) => (i' == i) && (j' == j)
      | inl (inr (i', j')) => (i' == i) && (j'.+1 == n)
      | inl (inl (inr _)) => false
      end
  | _ => false
  end.
Definition atax_is_output (v : atax_vertex) : bool := if v is inr (_, i) then i.+1 == m else false.
Definition atax_output : {set atax_vertex} := [set v | atax_is_output v].
Lemma atax_acyclic : exists rank : atax_vertex -> nat, forall u v, atax_edge u v -> rank u < rank v.
Proof.
exists (fun v : atax_vertex => match v with inl (inl _) => 0 | inl (inr e) => (e.2 : nat).+1 | inr e => n + (e.2 : nat).+1 end).
case=> [[[[i j]|j]|[i j]]|[j i]] [[[[i' j']|j']|[i' j']]|[j' i']] //=.
- by rewrite addnS.
- by case/andP=> _ /eqP; move: (nat_of_ord j) (nat_of_ord j') => x y; clear; lia.
- by have := ltn_ord j; move: (nat_of_ord j) (nat_of_ord i') => x y; clear; lia.
by case/andP=> _ /eqP; move: (nat_of_ord i) (nat_of_ord i') => x y; clear; lia.
Qed.
Definition atax : cdag := @Cdag [finType of atax_vertex] atax_edge atax_output atax_acyclic.

Lemma atax_input (v : atax) : (v \in input atax) = (if v is inl (inl _) then true else false).
Proof.
rewrite inE; apply/forallP/idP => [no|]; last by case: v => [[[[i j]|j]|[i j]]|[j i]] // _ u; exact: isT.
case: v no => [[e|[i j]]|[j i]] // no; [have := no (vX j) | have := no (vA i j)]; by rewrite /= !eqxx.
Qed.

Lemma T_chain (i : 'I_m) (j j' : 'I_n) : j <= j' -> connect (@edge atax) (vT i j) (vT i j').
Proof.
move: {2}(j' - j) (erefl (j' - j)) => d; elim: d j => [|d IH] j e le.
  by have -> : j = j' by [apply/val_inj => /=; move: e le; clear; lia]; exact: connect0.
have lt : j.+1 < n by apply: leq_ltn_trans (ltn_ord j'); move: e; clear; lia.
apply: connect_trans (connect1 (_ : @edge atax (vT i j) (vT i (Ordinal lt)))) _; first by rewrite /= !eqxx.
by apply: IH => /=; move: e; clear; lia.
Qed.
Lemma Y_live j i : live (vY j i : atax).
Proof.
have m0 : 0 < m by apply: leq_ltn_trans (ltn_ord i).
have lt : m.-1 < m by rewrite prednK.
apply/existsP; exists (vY j (Ordinal lt) : atax); rewrite in_setD atax_input inE /= prednK // eqxx /=.
move: {2}(m.-1 - i) (erefl (m.-1 - i)) => d; elim: d i => [|d IH] i e.
  by have -> : i = Ordinal lt by [apply/val_inj => /=; have := ltn_ord i; move: e; clear; lia]; exact: connect0.
have lt' : i.+1 < m by move: e; clear; lia.
apply: connect_trans (connect1 (_ : @edge atax (vY j i) (vY j (Ordinal lt')))) _; first by rewrite /= !eqxx.
by apply: IH => /=; move: e; clear; lia.
Qed.
Lemma live_before (u v : atax) : connect (@edge atax) u v -> live v -> live u.
Proof. by move=> c /existsP[o /andP[oO vo]]; apply/existsP; exists o; rewrite oO (connect_trans c vo). Qed.

Section Bound.
Variables (game : rules) (M : nat) (s : seq (move atax)).
Hypothesis ok : legal game M s.
Let word (v : atax) : option ('I_m * 'I_n) := if v is inl (inl (inl e)) then Some e else None.
Let class (w : option ('I_m * 'I_n)) : option 'I_m := omap fst w.
Let count (c : option 'I_m) : nat := if c is Some _ then 1 else 0.
Hypotheses (m0 : 0 < m) (n0 : 0 < n).
Let last : 'I_n := Ordinal (etrans (ltn_predL n) n0 : n.-1 < n).
Let gate (c : option 'I_m) (k : nat) : {set atax} := if c is Some i then [set (vT i last : atax)] else set0.
Let words (c : option 'I_m) (k : nat) : {set option ('I_m * 'I_n)} := if c is Some i then [set Some (i, j) | j : 'I_n] else set0.

Lemma edge_last i j : @edge atax (vT i last) (vY j i).
Proof. by rewrite /= eqxx /= prednK. Qed.

Lemma atax_gates : gates word (needed atax) class true count gate words.
Proof.
have wordsP c k w : k < count c -> w \in words c k -> exists i j, c = Some i /\ w = Some (i, j).
  by case: c => // i _ /imsetP[j _ ->]; exists i, j.
split=> [c k g|c k|c k g|c k w kc|_ c k g|c k v g kc].
- by case: c => // i _; rewrite inE => /eqP ->; rewrite atax_input.
- case: c => // i _; exists (vT i last); first by rewrite inE.
  exact: live_before (connect1 (edge_last i last)) (Y_live _ _).
- by case: c.
- move=> /(wordsP _ _ _ kc)[i [j [cE wE]]]; rewrite {}cE {}wE in kc *; split=> //.
    by move=> v; rewrite atax_input; case: v => [[[e|e]|e]|e].
  exists (vA i j), (vY j i); split=> //; [by rewrite /= !eqxx | exact: Y_live |].
  split=> [_|]; first by rewrite inE.
  by exists (vT i last); [rewrite inE | exact: connect1 (edge_last i j)].
- case: c => // i _; rewrite inE => /eqP ->; by apply/imsetP => -[].
move=> _ /(wordsP _ _ _ kc)[i [j [-> wE]]]; rewrite inE => /eqP ->.
case: v wE => [[[e|e]|e]|e] // [->]; apply: connect_trans (connect1 (_ : @edge atax (vA i j) (vT i j))) _; first by rewrite /= !eqxx.
by apply: T_chain => /=; rewrite -ltnS prednK.
Qed.

Theorem atax_bound : m * n + n + m * (n - M.-1) + n <= cost s.
Proof.
have := gates_words ok (subxx _) atax_gates; apply: leq_trans.
have inputs : m * n + n <= #|needed atax|.
  pose i0 : 'I_m := Ordinal m0.
  have sub : [set (vA e.1 e.2 : atax) | e : 'I_m * 'I_n] :|: [set (vX j : atax) | j : 'I_n] \subset needed atax.
    have lT i j : live (vT i j : atax).
      apply: live_before (live_before (connect1 (edge_last i j)) (Y_live j i)); apply: T_chain => /=; by rewrite -ltnS prednK.
    apply/subsetP => v /setUP[/imsetP[[i j] _ ->]|/imsetP[j _ ->]]; rewrite inE atax_input /=; apply/existsP.
      by exists (vT i j); rewrite /= !eqxx lT.
    by exists (vT i0 j); rewrite /= !eqxx lT.
  apply: leq_trans (subset_leq_card sub); rewrite cardsU (_ : _ :&: _ = set0) ?cards0 ?subn0.
    by rewrite !card_imset ?card_prod ?card_ord // => [j j' []|[i j] [i' j'] [-> ->]].
  by apply/setP => v; rewrite !inE; apply/negP => /andP[/imsetP[e _ ->] /imsetP[]].
have outputs : n <= #|output atax :\: input atax|.
  have lt : m.-1 < m by rewrite prednK.
  have <- : #|[set (vY j (Ordinal lt) : atax) | j : 'I_n]| = n by rewrite card_imset ?card_ord // => j j' [].
  by apply/subset_leq_card/subsetP => _ /imsetP[j _ ->]; rewrite in_setD atax_input inE /= prednK.
apply: leq_add outputs; apply: leq_add inputs _.
apply: (@leq_trans (\sum_(i < m) (n - M.-1))); first by rewrite sum_nat_const card_ord.
rewrite [X in _ <= X](bigID (mem [set Some i | i : 'I_m])) /= big_imset /=; last by move=> i i' _ _ [].
apply: leq_trans (leq_addr _ _); rewrite [X in _ <= X](eq_bigl predT) => [|i]; last by rewrite inE.
by apply: leq_sum => i _; rewrite big_ord_recl big_ord0 addn0 subn1 card_imset ?card_ord // => j j' [].
Qed.
End Bound.
End Cdag.
