(* Forward attention, cdag/families/attention.cdag, for all n, nk, d, dv; its bound. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney CarriedOrMade Reduction PairTrees WorkAtPairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Cdag.
Variables n nk d dv : nat.
Inductive att :=
  | Q of 'I_n & 'I_d | Ky of 'I_nk & 'I_d | V of 'I_nk & 'I_dv
  | S of 'I_n & 'I_nk & 'I_d | P of 'I_n & 'I_nk | L of 'I_n & 'I_nk
  | Z of 'I_n & 'I_dv & 'I_nk | O of 'I_n & 'I_dv.

Definition att_edge (u v : att) : bool :=
  match u, v with
  | S i j k, S i' j' k' => [&& i == i', j == j' & k.+1 == k' :> nat]   (* S[i,j,k] = S[i,j,k-1], *)
  | Q i k,   S i' j k'  => (i == i') && (k == k')                       (*   Q[i,k], *)
  | Ky j k,  S i j' k'  => (j == j') && (k == k')                       (*   K[j,k] *)
  | S i j k, P i' j'    => [&& i == i', j == j' & k.+1 == d]            (* P[i,j] = S[i,j,d-1] *)
  | L i j,   L i' j'    => (i == i') && (j.+1 == j' :> nat)             (* L[i,j] = L[i,j-1], *)
  | P i j,   L i' j'    => (i == i') && (j == j')                       (*   P[i,j] *)
  | Z i l j, Z i' l' j' => [&& i == i', l == l' & j.+1 == j' :> nat]   (* Z[i,l,j] = Z[i,l,j-1], *)
  | P i j,   Z i' l j'  => (i == i') && (j == j')                       (*   P[i,j], *)
  | V j l,   Z i l' j'  => (l == l') && (j == j')                       (*   V[j,l] *)
  | Z i l j, O i' l'    => [&& i == i', l == l' & j.+1 == nk]           (* O[i,l] = Z[i,l,nk-1], *)
  | L i j,   O i' l     => (i == i') && (j.+1 == nk)                    (*   L[i,nk-1] *)
  | _, _ => false
  end.

(* att is a finite type *)
Definition code : Type := 'I_n * 'I_d + 'I_nk * 'I_d + 'I_nk * 'I_dv + 'I_n * 'I_nk * 'I_d +
  'I_n * 'I_nk + 'I_n * 'I_nk + 'I_n * 'I_dv * 'I_nk + 'I_n * 'I_dv.
Definition enc (v : att) : code :=
  match v with
  | O i l => inr (i, l)
  | Z i l j => inl (inr (i, l, j))
  | L i j => inl (inl (inr (i, j)))
  | P i j => inl (inl (inl (inr (i, j))))
  | S i j k => inl (inl (inl (inl (inr (i, j, k)))))
  | V j l => inl (inl (inl (inl (inl (inr (j, l))))))
  | Ky j k => inl (inl (inl (inl (inl (inl (inr (j, k)))))))
  | Q i k => inl (inl (inl (inl (inl (inl (inl (i, k)))))))
  end.
Definition dec (w : code) : att :=
  match w with
  | inr (i, l) => O i l
  | inl (inr (i, l, j)) => Z i l j
  | inl (inl (inr (i, j))) => L i j
  | inl (inl (inl (inr (i, j)))) => P i j
  | inl (inl (inl (inl (inr (i, j, k))))) => S i j k
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
  | S _ _ k => k.+1
  | P _ _ => d.+1
  | L _ j => d + 2 + j
  | Z _ _ j => d + 2 + j
  | O _ _ => d + nk + 2
  end.
Lemma att_acyclic : exists rank : att -> nat, forall u v, att_edge u v -> rank u < rank v.
Proof.
exists att_rank => u v.
case: u => [i k|j k|j l|i j k|i j|i j|i l j|i l]; case: v => [i' k'|j' k'|j' l'|i' j' k'|i' j'|i' j'|i' l' j'|i' l'] //=;
 rewrite -?(inj_eq val_inj) /=; lia.
Qed.
Definition att_is_output (v : att) : bool := if v is O _ _ then true else false.
Definition att_output : {set att} := [set v | att_is_output v].
Definition attention : cdag := @Cdag att_finType att_edge att_output att_acyclic.
End Cdag.

Lemma needs_S n nk d dv (i : 'I_n) (j : 'I_nk) (k k' : 'I_d) (tree : pred (attention n nk d dv)) u :
  (forall k, tree (S dv i j k)) -> edge u (S dv i j k : attention n nk d dv) -> k <= k' ->
  needs tree u (S dv i j k' : attention n nk d dv).
Proof.
move=> tS uk; case: k' => k' k'd /=.
elim: k' k'd => [|k' IH] k'd.
  rewrite leqn0 => /eqP k0; apply: needs_leaf => //.
  by rewrite (_ : Ordinal k'd = k) //; apply/val_inj.
rewrite leq_eqVlt => /orP[/eqP E|le].
  by apply: needs_leaf => //; rewrite (_ : Ordinal k'd = k) //; apply/val_inj.
apply: (@needs_step (attention n nk d dv) tree u (S dv i j (Ordinal (ltnW k'd)))) => //; last by apply: IH; lia.
by rewrite /= !eqxx.
Qed.

(* Work at its pairs: steps of the accumulators Z, and the tree of each pair. *)
Section Pairs.
Variables n nk d dv : nat.
Notation G := (attention n nk.+1 d dv).
Definition att_chain : finType := [finType of 'I_n * 'I_dv].
Definition att_step : finType := [finType of 'I_n * 'I_nk.+1 * 'I_dv].
Definition att_z (x : att_chain) j : G := Z d x.1 x.2 (inord j).
Definition att_words : finType := pword [finType of 'I_n] [finType of 'I_nk.+1] [finType of 'I_d] [finType of 'I_nk.+1 * 'I_dv] att_chain.
Definition att_word (v : G) : att_words :=
  match v with
  | Q i k => wQ _ _ _ i k
  | Ky j k => wK _ _ _ j k
  | V j l => wV _ _ _ _ (j, l)
  | S i j k => wP _ _ _ (i, j)
  | P i j => wP _ _ _ (i, j)
  | L i j => wO _ _ _ _ _
  | Z i l j => wZ _ _ _ _ (i, l)
  | O i l => wO _ _ _ _ _
  end.
Definition att_tree (e : 'I_n * 'I_nk.+1) : pred G := fun v : G =>
  match v with S i j _ => (i, j) == e | P i j => (i, j) == e | _ => false end.

Lemma att_Z_computed i l j : (Z d i l j : G) \notin input G.
Proof. by apply/negP; rewrite inE => /forallP/(_ (V n d j l)); rewrite /= !eqxx. Qed.
Lemma att_O_output i l : (O nk.+1 d i l : G) \in output G :\: input G.
Proof.
rewrite in_setD !inE /= andbT; apply/negP=> /forallP/(_ (att_z (i, l) nk)); by rewrite /= !eqxx inordK // eqxx.
Qed.
Lemma att_chains : @chains G att_chain (fun=> nk.+1) att_z.
Proof.
split=> //.
- by move=> x j jk; rewrite /= !eqxx /= !inordK //; lia.
- by move=> [i j] l [i' j'] l' _ _ [-> ->].
- by move=> [i j]; apply: att_Z_computed.
move=> [i l]; apply/existsP; exists (O nk.+1 d i l : G); rewrite att_O_output /=.
by apply: connect1; rewrite /= !eqxx inordK // eqxx.
Qed.
Hypothesis d0 : 0 < d.
Lemma att_pairs : pair_work (K := att_chain) (fun=> nk.+1) att_z att_word (fun x : att_step => (x.1.1, x.2)) (fun x => x.1.2 : nat)
   (fun x => x.1) (fun x => (x.1.2, x.2)) (fun x => V n d x.1.2 x.2 : G) (fun x => P d dv x.1.1 x.1.2 : G) att_tree
   (fun i k => Q nk.+1 dv i k : G) (fun j k => Ky n dv j k : G) dv n nk.+1 (n * nk.+1).
Proof.
split=> //.
- by move=> [i l] j _.
- move=> x; split => //; by rewrite inE; apply/forallP => -[].
- move=> i k; split => //; by rewrite inE; apply/forallP => -[].
- move=> i k; split => //; by rewrite inE; apply/forallP => -[].
- by move=> e [] //= => [i j k|i j] /eqP <-.
- by move=> [[i j] l]; rewrite /= !eqxx inord_val eqxx.
- by move=> [[i j] l]; rewrite /= !eqxx inord_val eqxx.
- move=> [[i j] l] k; have dd : d.-1 < d by lia.
  apply: (@needs_step G _ _ (S dv i j (Ordinal dd))); rewrite /= ?eqxx //=; first by apply/eqP; lia.
  apply: (needs_S (k := k)) => //=; rewrite ?eqxx //; have := ltn_ord k; lia.
- move=> [[i j] l] k; have dd : d.-1 < d by lia.
  apply: (@needs_step G _ _ (S dv i j (Ordinal dd))); rewrite /= ?eqxx //=; first by apply/eqP; lia.
  apply: (needs_S (k := k)) => //=; rewrite ?eqxx //; have := ltn_ord k; lia.
- by move=> [[i j] l] [[i1 j1] l1] [[i2 j2] l2] [[i3 j3] l3] /= [<- <-] [<- <-] [-> ->] [-> ->].
- by apply: (@fiber_at_most _ _ _ _ (fun x : att_step => x.2)) => -[ij l] [ij' l'] /= -> ->.
- by apply: (@fiber_at_most _ _ _ _ (fun x : att_step => x.1.1)) => -[[i j] l] [[i' j'] l'] /= [-> ->] ->.
- by apply: (@fiber_at_most _ _ _ _ (fun x : att_step => x.1.2)) => -[[i j] l] [[i' j'] l'] /= [-> ->] ->.
by apply: leq_trans (max_card _) _; rewrite card_prod !card_ord.
Qed.
Lemma att_stores : n * dv <= #|output G :\: input G|.
Proof.
apply: (@leq_trans #|[set: att_chain]|); first by rewrite cardsT card_prod !card_ord.
apply: (@card_rel _ _ _ _ (fun (v : G) (x : att_chain) => v == O nk.+1 d x.1 x.2)).
  by move=> v [i j] [i' j'] /= /eqP -> /eqP [-> ->].
by move=> [i l] _; exists (O nk.+1 d i l) => //; apply: att_O_output.
Qed.
Lemma att_chain_card : #|att_chain| = n * dv. Proof. by rewrite card_prod !card_ord. Qed.
Lemma att_step_card : #|att_step| = n * nk.+1 * dv. Proof. by rewrite !card_prod !card_ord. Qed.
End Pairs.

Theorem attention_segment game M n nk d dv (s : seq (move (attention n nk d dv))) f t q hf ht :
  0 < d -> legal game M s ->
  pairs_at_most d dv n nk (n * nk) f hf -> pairs_at_most d dv n nk (n * nk) (M + t) ht -> hf + q * ht < n * nk * dv ->
  f + q * t + 1 <= cost s.
Proof.
move=> d0; case: nk s => [|nk] s ok Hf Ht lt; first by rewrite muln0 in lt.
have := pair_segment ok (@att_chains n nk d dv) (@att_pairs n nk d dv d0) (n := q) (f := f) (t := t) (hf := hf) (ht := ht).
rewrite att_step_card att_chain_card card_ord => /(_ Hf Ht lt) le1.
by have := leq_trans (leq_add (leqnn (f + q * t + 1)) (@att_stores n nk d dv)) le1; rewrite leq_add2r.
Qed.
