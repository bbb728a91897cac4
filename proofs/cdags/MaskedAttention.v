(* Forward attention on any mask in which every row keeps a key: cdag/families/attention-causal.cdag
   (j <= i), attention-sparse.cdag (keys in ascending order), attention.cdag (all). *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney CarriedOrMade Reduction PairTrees WorkAtPairs Mask.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Cdag.
Variables (n nk d dv : nat) (mask : 'I_n -> 'I_nk -> bool).
Local Notation pair := (pair mask).
Inductive att :=
  | Q of 'I_n & 'I_d | Ky of 'I_nk & 'I_d | V of 'I_nk & 'I_dv
  | S of pair & 'I_d | P of pair | L of pair
  | Z of pair & 'I_dv | O of 'I_n & 'I_dv.

Definition att_edge (u v : att) : bool :=
  match u, v with
  | S p k, S p' k'  => (p == p') && (k.+1 == k' :> nat)                 (* S[i,j,k] = S[i,j,k-1], *)
  | Q i k, S p' k'  => (i == row p') && (k == k')                       (*   Q[i,k], *)
  | Ky j k, S p' k' => (j == col p') && (k == k')                       (*   K[j,k] *)
  | S p k, P p'     => (p == p') && (k.+1 == d)                         (* P[i,j] = S[i,j,d-1] *)
  | L p, L p'       => next p p'                                        (* L[i,j] = L[i,j-1], *)
  | P p, L p'       => p == p'                                          (*   P[i,j] *)
  | Z p l, Z p' l'  => next p p' && (l == l')                           (* Z[i,l,j] = Z[i,l,j-1], *)
  | P p, Z p' l     => p == p'                                          (*   P[i,j], *)
  | V j l, Z p' l'  => (j == col p') && (l == l')                       (*   V[j,l] *)
  | Z p l, O i l'   => [&& row p == i, is_last p & l == l']             (* O[i,l] = Z[i,l,last], *)
  | L p, O i l      => (row p == i) && is_last p                        (*   L[i,last] *)
  | _, _ => false
  end.

(* att is a finite type *)
Definition code : Type := 'I_n * 'I_d + 'I_nk * 'I_d + 'I_nk * 'I_dv + pair * 'I_d +
  pair + pair + pair * 'I_dv + 'I_n * 'I_dv.
Definition enc (v : att) : code :=
  match v with
  | O i l => inr (i, l)
  | Z p l => inl (inr (p, l))
  | L p => inl (inl (inr p))
  | P p => inl (inl (inl (inr p)))
  | S p k => inl (inl (inl (inl (inr (p, k)))))
  | V j l => inl (inl (inl (inl (inl (inr (j, l))))))
  | Ky j k => inl (inl (inl (inl (inl (inl (inr (j, k)))))))
  | Q i k => inl (inl (inl (inl (inl (inl (inl (i, k)))))))
  end.
Definition dec (w : code) : att :=
  match w with
  | inr (i, l) => O i l
  | inl (inr (p, l)) => Z p l
  | inl (inl (inr p)) => L p
  | inl (inl (inl (inr p))) => P p
  | inl (inl (inl (inl (inr (p, k))))) => S p k
  | inl (inl (inl (inl (inl (inr (j, l)))))) => V j l
  | inl (inl (inl (inl (inl (inl (inr (j, k))))))) => Ky j k
  | inl (inl (inl (inl (inl (inl (inl (i, k))))))) => Q i k
  end.
Lemma encK : cancel enc dec. Proof. by case. Qed.
Definition att_eqMixin := CanEqMixin encK.
Canonical att_eqType := Eval hnf in EqType att att_eqMixin.
Definition att_choiceMixin := CanChoiceMixin encK.
Canonical att_choiceType := Eval hnf in ChoiceType att att_choiceMixin.
Definition att_countMixin := CanCountMixin encK.
Canonical att_countType := Eval hnf in CountType att att_countMixin.
Definition att_finMixin := CanFinMixin encK.
Canonical att_finType := Eval hnf in FinType att att_finMixin.

Definition att_rank (v : att) : nat :=
  match v with
  | Q _ _ | Ky _ _ | V _ _ => 0
  | S _ k => k.+1
  | P _ => d.+1
  | L p => d + 2 + col p
  | Z p _ => d + 2 + col p
  | O _ _ => d + nk + 2
  end.
Lemma att_acyclic : exists rank : att -> nat, forall u v, att_edge u v -> rank u < rank v.
Proof.
exists att_rank => u v.
case: u => [i k|j k|j l|p k|p|p|p l|i l]; case: v => [i' k'|j' k'|j' l'|p' k'|p'|p'|p' l'|i' l'] //=.
- by move=> _; rewrite addn2.
- by case/andP=> _ /eqP; lia.
- by case/andP=> _ /eqP; lia.
- by move=> _; lia.
- by move=> _; lia.
- by case/and3P=> _ lt _; rewrite ltn_add2l.
- by move=> _; have := ltn_ord (col p); lia.
- by case/andP=> /and3P[_ lt _] _; rewrite ltn_add2l.
- by move=> _; have := ltn_ord (col p); lia.
Qed.
Definition att_is_output (v : att) : bool := if v is O _ _ then true else false.
Definition att_output : {set att} := [set v | att_is_output v].
Definition attention : cdag := @Cdag att_finType att_edge att_output att_acyclic.
End Cdag.

Lemma needs_S n nk d dv mask (p : pair mask) (k k' : 'I_d) (tree : pred (@attention n nk d dv mask)) u :
  (forall k, tree (S dv p k)) -> edge u (S dv p k : attention d dv mask) -> k <= k' ->
  needs tree u (S dv p k' : attention d dv mask).
Proof.
move=> tS uk; case: k' => k' k'd /=.
elim: k' k'd => [|k' IH] k'd.
  rewrite leqn0 => /eqP k0; apply: needs_leaf => //.
  by rewrite (_ : Ordinal k'd = k) //; apply/val_inj.
rewrite leq_eqVlt => /orP[/eqP E|le].
  by apply: needs_leaf => //; rewrite (_ : Ordinal k'd = k) //; apply/val_inj.
apply: (@needs_step (attention d dv mask) tree u (S dv p (Ordinal (ltnW k'd)))) => //; last by apply: IH; lia.
by rewrite /= !eqxx.
Qed.

(* Work at its pairs: steps of the accumulators Z, and the tree of each pair.  A row keeps w keys at most. *)
Section Pairs.
Variables (n nk d dv w : nat) (mask : 'I_n -> 'I_nk -> bool).
Notation G := (attention d dv mask).
Definition masked_chain : finType := [finType of 'I_n * 'I_dv].
Definition masked_step : finType := [finType of pair mask * 'I_dv].
Definition masked_len (x : masked_chain) : nat := size (keys mask x.1).
Definition masked_words : finType := pword [finType of 'I_n] [finType of 'I_nk] [finType of 'I_d] [finType of 'I_nk * 'I_dv] masked_chain.
Definition masked_word (v : G) : masked_words :=
  match v with
  | Q i k => wQ _ _ _ i k
  | Ky j k => wK _ _ _ j k
  | V j l => wV _ _ _ _ (j, l)
  | S p k => wP _ _ _ (val p)
  | P p => wP _ _ _ (val p)
  | L p => wO _ _ _ _ _
  | Z p l => wZ _ _ _ _ (row p, l)
  | O i l => wO _ _ _ _ _
  end.
Definition masked_tree (e : 'I_n * 'I_nk) : pred G := fun v : G =>
  match v with S p _ => val p == e | P p => val p == e | _ => false end.
Hypothesis rows : forall i, exists j, mask i j.

Lemma masked_O_output i l : (O d mask i l : G) \in output G :\: input G.
Proof.
have [zz [len0 zzr zzK zzn last_zz]] := in_rows rows; rewrite in_setD !inE /= andbT; apply/negP => /forallP.
move=> /(_ (Z d (zz i (size (keys mask i)).-1) l)); rewrite /= last_zz zzr ?eqxx //.
by rewrite ltn_predL; apply: len0.
Qed.
Lemma masked_stores : n * dv <= #|output G :\: input G|.
Proof.
apply: (@leq_trans #|[set: masked_chain]|); first by rewrite cardsT card_prod !card_ord.
apply: (@card_rel _ _ _ _ (fun (v : G) (x : masked_chain) => v == O d mask x.1 x.2)).
  by move=> v [i j] [i' j'] /= /eqP -> /eqP [-> ->].
by move=> [i l] _; exists (O d mask i l) => //; apply: masked_O_output.
Qed.
Lemma masked_chain_card : #|masked_chain| = n * dv. Proof. by rewrite card_prod !card_ord. Qed.
Lemma masked_step_card : #|masked_step| = #|pair mask| * dv. Proof. by rewrite card_prod card_ord. Qed.

Hypotheses (d0 : 0 < d) (narrow : forall i, #|[set p : pair mask | row p == i]| <= w).
Lemma masked_pairs : exists z, @chains G masked_chain masked_len z /\ pair_work masked_len z masked_word
   (fun x : masked_step => (row x.1, x.2)) (fun x => place x.1) (fun x => val x.1) (fun x => (col x.1, x.2)) (fun x => V d mask (col x.1) x.2 : G)
   (fun x => P d dv x.1 : G) masked_tree (fun i k => Q dv mask i k : G) (fun j k => Ky dv mask j k : G) dv n w #|pair mask|.
Proof.
have [zz [len0 zzr zzK zzn last_zz]] := in_rows rows.
exists (fun (x : masked_chain) a => Z d (zz x.1 a) x.2); split; split=> //.
- by move=> x; apply: len0.
- by move=> [i l] a al /=; rewrite eqxx andbT; apply: zzn.
- move=> [i l] a [i' l'] a' al al' [E ->]; congr (_, _).
  by rewrite -(zzr i a al) -(zzr i' a' al') E.
- by move=> [i l]; apply/negP; rewrite inE => /forallP/(_ (V d mask (col (zz i 0)) l)); rewrite /= !eqxx.
- move=> [i l]; rewrite /live; apply/existsP; exists (O d mask i l : G).
  rewrite masked_O_output /=; apply: connect1; rewrite /= last_zz zzr ?eqxx //.
  by rewrite ltn_predL; apply: len0.
- by move=> [p l]; apply: place_lt.
- by move=> [i l] a al; rewrite /= zzr.
- move=> x; split => //; by rewrite inE; apply/forallP => -[].
- move=> i k; split => //; by rewrite inE; apply/forallP => -[].
- move=> i k; split => //; by rewrite inE; apply/forallP => -[].
- by move=> e [] //= => [p k|p] /eqP <-.
- by move=> [p l]; rewrite /= zzK !eqxx.
- by move=> [p l]; rewrite /= zzK !eqxx.
- move=> [p l] k; have dd : d.-1 < d by lia.
  apply: (@needs_step G _ _ (S dv p (Ordinal dd))); rewrite /= ?eqxx //=; first by apply/eqP; lia.
  apply: (needs_S (k := k)) => //=; rewrite ?eqxx //; have := ltn_ord k; lia.
- move=> [p l] k; have dd : d.-1 < d by lia.
  apply: (@needs_step G _ _ (S dv p (Ordinal dd))); rewrite /= ?eqxx //=; first by apply/eqP; lia.
  apply: (needs_S (k := k)) => //=; rewrite ?eqxx //; have := ltn_ord k; lia.
- move=> [p l] [p1 l1] [p2 l2] [p3 l3] /= /val_inj E1 /val_inj E2 [c1 ->] [r1 ->].
  rewrite -E1 -E2 in r1 *; suff -> : p = p2 by [].
  by apply/val_inj; move: c1 r1; rewrite /row /col; case: (val p) (val p2) => [a b] [a' b'] /= -> ->.
- by apply: (@fiber_at_most _ _ _ _ (fun x : masked_step => x.2)) => -[p l] [p' l'] /= /val_inj -> ->.
- apply: (@fiber_at_most _ _ _ _ (fun x : masked_step => row x.1)) => -[p l] [p' l'] /= [cc ->] rr.
  by congr (_, _); apply/val_inj; move: cc rr; rewrite /row /col; case: (val p) (val p') => [a b] [a' b'] /= -> ->.
- move=> [i l]; apply: leq_trans (narrow i).
  apply: (@card_rel _ _ _ _ (fun (p : pair mask) (x : masked_step) => x == (p, l))).
    by move=> p x y /eqP -> /eqP ->.
  by move=> [p l'] /=; rewrite inE /= => /eqP[<- ->]; exists p; rewrite ?inE.
apply: (@leq_trans #|[set val p | p in [set: pair mask]]|).
  by apply/subset_leq_card/subsetP => _ /imsetP[x _ ->]; apply/imsetP; exists x.1.
by apply: leq_trans (leq_imset_card _ _) _; rewrite cardsT.
Qed.
End Pairs.

Theorem masked_narrow_segment game M n nk d dv mask (s : seq (move (@attention n nk d dv mask))) w f t q hf ht :
  0 < d -> (forall i, exists j, mask i j) -> (forall i, #|[set p : pair mask | row p == i]| <= w) -> legal game M s ->
  pairs_at_most d dv n w #|pair mask| f hf -> pairs_at_most d dv n w #|pair mask| (M + t) ht -> hf + q * ht < #|pair mask| * dv ->
  f + q * t + 1 <= cost s.
Proof.
move=> d0 rows narrow ok Hf Ht lt; have [z [ch pw]] := masked_pairs dv rows d0 narrow.
have := pair_segment ok ch pw (n := q) (f := f) (t := t) (hf := hf) (ht := ht).
rewrite masked_step_card masked_chain_card card_ord => /(_ Hf Ht lt) le1.
by have := leq_trans (leq_add (leqnn (f + q * t + 1)) (masked_stores d dv rows)) le1; rewrite leq_add2r.
Qed.

Lemma row_at_most n nk (mask : 'I_n -> 'I_nk -> bool) i : #|[set p : pair mask | row p == i]| <= nk.
Proof. apply: (@fiber_at_most _ _ _ _ (fun p : pair mask => col p)) => p p' /= rr cc; exact: pair_eq rr cc. Qed.
Theorem masked_segment game M n nk d dv mask (s : seq (move (@attention n nk d dv mask))) f t q hf ht :
  0 < d -> (forall i, exists j, mask i j) -> legal game M s ->
  pairs_at_most d dv n nk #|pair mask| f hf -> pairs_at_most d dv n nk #|pair mask| (M + t) ht -> hf + q * ht < #|pair mask| * dv ->
  f + q * t + 1 <= cost s.
Proof.
by move=> d0 rows; apply: masked_narrow_segment => // i; apply: row_at_most.
Qed.
