(* A matrix times its transpose, cdag/families/syrk.cdag, for all n, k; its bound. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney OrderedPairs Reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* The lower triangle of C = A A^T: C[i,j,l] = C[i,j,l-1], A[i,l], A[j,l], j <= i. *)
Section Syrk.
Variables n k : nat.
Definition tri : finType := [finType of {e : 'I_n * 'I_n | e.2 <= e.1}].
Definition below : finType := [finType of {e : 'I_n * 'I_n | e.2 < e.1}].
Definition sy_vertex : finType := [finType of 'I_n * 'I_k + tri * 'I_k].
Definition syA i l : sy_vertex := inl (i, l).
Definition syC (e : tri) l : sy_vertex := inr (e, l).
Definition sy_edge : rel sy_vertex := fun u v =>
  match u, v with
  | inr (e, l), inr (e', l') => (e == e') && (l.+1 == l' :> nat)
  | inl (i, l), inr (e', l') => ((i == (val e').1) || (i == (val e').2)) && (l == l')
  | _, _ => false
  end.
Definition sy_is_output (v : sy_vertex) : bool := if v is inr (e, l) then l.+1 == k else false.
Definition sy_output : {set sy_vertex} := [set v | sy_is_output v].
Lemma sy_acyclic : exists rank : sy_vertex -> nat, forall u v, sy_edge u v -> rank u < rank v.
Proof.
exists (fun v : sy_vertex => if v is inr (e, l) then (nat_of_ord l).+1 else 0).
by move=> [[i l]|[e l]] [[i' l']|[e' l']] //= /andP[_ /eqP <-].
Qed.
Definition syrk : cdag := Cdag sy_output sy_acyclic.
End Syrk.

Lemma card_below n : 2 * #|below n| = n * n.-1.
Proof.
have -> : #|below n| = \sum_(i < n) i.
  rewrite card_sig -sum1_card.
  transitivity (\sum_(i < n) \sum_(j < n | j < i) 1); first by rewrite pair_big_dep /=; apply: eq_bigl.
  apply: eq_bigr => i _.
  rewrite sum1_card -[RHS](card_ord i) -[RHS]cardsT -(card_imset _ (f := fun j : 'I_i => widen_ord (ltnW (ltn_ord i)) j)).
    apply: eq_card => j; apply/idP/imsetP => [ji|[l _ ->]]; last exact: (ltn_ord l).
    by exists (Ordinal (ji : j < i)) => //; apply/val_inj.
  by move=> j l /(congr1 val) /= jl; apply/val_inj.
by elim: n => [|n IH]; rewrite ?big_ord0 ?big_ord_recr //= mulnDr IH; case: (n); lia.
Qed.

Theorem syrk_bound game M n k (s : seq (move (syrk n k))) f t q hf ht :
  legal game M s -> f ^ 3 * 2 < 27 * hf.+1 ^ 2 -> (M + t) ^ 3 * 2 < 27 * ht.+1 ^ 2 ->
  2 * (hf + q * ht) < n * n.-1 * k ->
  f + q * t + 1 + n <= cost s.
Proof.
case: k s => [|k] s ok Hf Ht lt; first by rewrite muln0 in lt.
pose G := syrk n k.+1; pose K := below n.
pose up (e : K) : tri n := exist (fun e : 'I_n * 'I_n => e.2 <= e.1) (val e) (ltnW (valP e)).
pose z (e : K) l : G := syC (up e) (inord l).
have upI : injective up by move=> e e' /(congr1 val) /= /val_inj.
have nI e l : (syC e l : G) \notin input G.
  by rewrite inE; apply/negP => /forallP/(_ (syA (val e).1 l)); rewrite /= !eqxx.
have aI i l : (syA i l : G) \in input G by rewrite inE; apply/forallP => -[[]|[]].
have out e : (syC e ord_max : G) \in output G :\: input G by rewrite in_setD nI inE /= eqxx.
have ch : @chains G K (fun=> k.+1) z.
  split=> //.
  - by move=> x j jk; rewrite /= !eqxx /= !inordK //; lia.
  - by move=> e l e' l' _ _ [E _]; apply/val_inj.
  - by move=> e; apply: nI.
  - move=> e; rewrite /live; apply/existsP; exists (z e k).
    by rewrite /z (_ : inord k = ord_max) ?out ?connect0 //; apply/val_inj; rewrite /= inordK.
pose T := [finType of K * 'I_k.+1].
pose A (x : T) : G := syA (val x.1).1 x.2; pose B (x : T) : G := syA (val x.1).2 x.2.
have rd : reads (fun=> k.+1) z (fun x : T => x.1) (fun x => x.2 : nat) (two_operands A B).
  split=> // [[] x|[] [e l]]; rewrite ?aI //= inord_val !eqxx ?orbT //.
have cn X h : X ^ 3 * 2 < 27 * h.+1 ^ 2 -> can (fun x : T => x.1) (two_operands A B) X h.
  move=> Xh D S le inD; pose I := [set v : G | inl v \in D].
  apply: (ordered_at_most (a := #|I|) (t := #|fst @: S|) Xh); last first.
    apply: (@ordered_pairs _ _ _ fst A B S I).
    - by move=> [e l] [e' l'] [u m] [u' m'] /= -> -> [E1 ->] [E2 ->]; suff -> : e' = u' by []; apply/val_inj; rewrite [LHS]surjective_pairing E1 E2 -surjective_pairing.
    - by move=> [e l] [e' l'] [u m] [u' m'] /= -> -> [E1 _] [E2 _]; have := valP e'; have := valP u'; rewrite /= E1 E2; lia.
    - by move=> x xS; have [_ op] := inD x xS; rewrite !inE; have := op true; have := op false => /= -> ->.
  apply: leq_trans le; apply: words_at_most => [v|e /imsetP[x xS ->]]; first by rewrite inE.
  by have [] := inD x xS.
have cT : 2 * #|T| = n * n.-1 * k.+1 by rewrite card_prod card_ord mulnA card_below.
have lt' : hf + q * ht < #|T| by move: lt; rewrite -cT; clear; lia.
have := steps_segment ok ch rd (cn _ _ Hf) (cn _ _ Ht) lt'.
have le2 : #|tri n| <= #|output G :\: input G|.
  rewrite -cardsT -(card_imset _ (f := fun e => syC e ord_max : G)); last by move=> e e' [].
  by apply/subset_leq_card/subsetP => _ /imsetP[e _ ->].
have le3 : n + #|K| <= #|tri n|.
  pose diag (i : 'I_n) : tri n := exist (fun e : 'I_n * 'I_n => e.2 <= e.1) (i, i) (leqnn i).
  have dI : injective diag by move=> i j [].
  have -> : #|K| = #|up @: [set: K]| by rewrite card_imset // cardsT.
  rewrite -[n in n + _]card_ord -cardsT -(card_imset _ dI) -cardsU_disj; first by rewrite -?cardsT; apply/subset_leq_card/subsetT.
  move=> e /imsetP[i _ ->] /imsetP[b _ /(congr1 val)] /= E; by have : (sval b).2 < (sval b).1 := valP b; rewrite -E ltnn.
by move: le2 le3; move: (cost s) (#|output G :\: _|) (#|tri n|) (#|K|) => c o x y; clear; lia.
Qed.
