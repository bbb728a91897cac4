(* The backward pass of attention, cdag/families/attention-backward.cdag, for all n, d, nk, dv; its bounds for dv = d. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment PairTrees Residency BackwardSegments Backward.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Cdag.
Variables n d nk dv : nat.
Inductive bwd :=
  | Q of 'I_n & 'I_d | Ky of 'I_nk & 'I_d | V of 'I_nk & 'I_dv | O of 'I_n & 'I_dv | dO of 'I_n & 'I_dv | Lse of 'I_n
  | S of 'I_n & 'I_nk & 'I_d | P of 'I_n & 'I_nk | D of 'I_n & 'I_dv | dP of 'I_n & 'I_nk & 'I_dv | dS of 'I_n & 'I_nk
  | dQ of 'I_n & 'I_d & 'I_nk | dK of 'I_nk & 'I_d & 'I_n | dV of 'I_nk & 'I_dv & 'I_n.

Definition bwd_edge (u v : bwd) : bool :=
  match u, v with
  | S i j k, S i' j' k'   => [&& i == i', j == j' & k.+1 == k' :> nat]   (* S[i,j,k] = S[i,j,k-1], *)
  | Q i k, S i' j' k'     => (i == i') && (k == k')                       (*   Q[i,k], *)
  | Ky j k, S i' j' k'    => (j == j') && (k == k')                       (*   K[j,k] *)
  | S i j k, P i' j'      => [&& i == i', j == j' & k.+1 == d]            (* P[i,j] = S[i,j,d-1], *)
  | Lse i, P i' j'        => i == i'                                      (*   Lse[i] *)
  | D i l, D i' l'        => (i == i') && (l.+1 == l' :> nat)             (* D[i,l] = D[i,l-1], *)
  | dO i l, D i' l'       => (i == i') && (l == l')                       (*   dO[i,l], *)
  | O i l, D i' l'        => (i == i') && (l == l')                       (*   O[i,l] *)
  | dP i j l, dP i' j' l' => [&& i == i', j == j' & l.+1 == l' :> nat]   (* dP[i,j,l] = dP[i,j,l-1], *)
  | dO i l, dP i' j' l'   => (i == i') && (l == l')                       (*   dO[i,l], *)
  | V j l, dP i' j' l'    => (j == j') && (l == l')                       (*   V[j,l] *)
  | P i j, dS i' j'       => (i == i') && (j == j')                       (* dS[i,j] = P[i,j], *)
  | dP i j l, dS i' j'    => [&& i == i', j == j' & l.+1 == dv]           (*   dP[i,j,dv-1], *)
  | D i l, dS i' j'       => (i == i') && (l.+1 == dv)                    (*   D[i,dv-1] *)
  | dQ i k j, dQ i' k' j' => [&& i == i', k == k' & j.+1 == j' :> nat]   (* dQ[i,k,j] = dQ[i,k,j-1], *)
  | dS i j, dQ i' k' j'   => (i == i') && (j == j')                       (*   dS[i,j], *)
  | Ky j k, dQ i' k' j'   => (j == j') && (k == k')                       (*   K[j,k] *)
  | dK j k i, dK j' k' i' => [&& j == j', k == k' & i.+1 == i' :> nat]   (* dK[j,k,i] = dK[j,k,i-1], *)
  | dS i j, dK j' k' i'   => (i == i') && (j == j')                       (*   dS[i,j], *)
  | Q i k, dK j' k' i'    => (i == i') && (k == k')                       (*   Q[i,k] *)
  | dV j l i, dV j' l' i' => [&& j == j', l == l' & i.+1 == i' :> nat]   (* dV[j,l,i] = dV[j,l,i-1], *)
  | P i j, dV j' l' i'    => (i == i') && (j == j')                       (*   P[i,j], *)
  | dO i l, dV j' l' i'   => (i == i') && (l == l')                       (*   dO[i,l] *)
  | _, _ => false
  end.

(* output dQ[*,*,nk-1], dK[*,*,n-1], dV[*,*,n-1] *)
Definition bwd_is_output (v : bwd) : bool :=
  match v with dQ _ _ j => j.+1 == nk | dK _ _ i => i.+1 == n | dV _ _ i => i.+1 == n | _ => false end.

(* bwd is a finite type *)
Definition code : Type :=
  ('I_n * 'I_d + 'I_nk * 'I_d + 'I_nk * 'I_dv + 'I_n * 'I_dv) + ('I_n * 'I_dv + 'I_n + 'I_n * 'I_nk * 'I_d + 'I_n * 'I_nk) +
  (('I_n * 'I_dv + 'I_n * 'I_nk * 'I_dv + 'I_n * 'I_nk) + ('I_n * 'I_d * 'I_nk + 'I_nk * 'I_d * 'I_n + 'I_nk * 'I_dv * 'I_n)).
Definition enc (v : bwd) : code :=
  match v with
  | Q i k => inl (inl (inl (inl (inl (i, k)))))
  | Ky j k => inl (inl (inl (inl (inr (j, k)))))
  | V j l => inl (inl (inl (inr (j, l))))
  | O i l => inl (inl (inr (i, l)))
  | dO i l => inl (inr (inl (inl (inl (i, l)))))
  | Lse i => inl (inr (inl (inl (inr i))))
  | S i j k => inl (inr (inl (inr (i, j, k))))
  | P i j => inl (inr (inr (i, j)))
  | D i l => inr (inl (inl (inl (i, l))))
  | dP i j l => inr (inl (inl (inr (i, j, l))))
  | dS i j => inr (inl (inr (i, j)))
  | dQ i k j => inr (inr (inl (inl (i, k, j))))
  | dK j k i => inr (inr (inl (inr (j, k, i))))
  | dV j l i => inr (inr (inr (j, l, i)))
  end.
Definition dec (w : code) : bwd :=
  match w with
  | inl (inl (inl (inl (inl (i, k))))) => Q i k
  | inl (inl (inl (inl (inr (j, k))))) => Ky j k
  | inl (inl (inl (inr (j, l)))) => V j l
  | inl (inl (inr (i, l))) => O i l
  | inl (inr (inl (inl (inl (i, l))))) => dO i l
  | inl (inr (inl (inl (inr i)))) => Lse i
  | inl (inr (inl (inr (i, j, k)))) => S i j k
  | inl (inr (inr (i, j))) => P i j
  | inr (inl (inl (inl (i, l)))) => D i l
  | inr (inl (inl (inr (i, j, l)))) => dP i j l
  | inr (inl (inr (i, j))) => dS i j
  | inr (inr (inl (inl (i, k, j)))) => dQ i k j
  | inr (inr (inl (inr (j, k, i)))) => dK j k i
  | inr (inr (inr (j, l, i))) => dV j l i
  end.
Lemma encK : cancel enc dec. Proof. by case. Qed.
Definition bwd_eqMixin := CanEqMixin encK.
Canonical bwd_eqType := Eval hnf in EqType bwd bwd_eqMixin.
Definition bwd_choiceMixin := CanChoiceMixin encK.
Canonical bwd_choiceType := Eval hnf in ChoiceType bwd bwd_choiceMixin.
Definition bwd_countMixin := CanCountMixin encK.
Canonical bwd_countType := Eval hnf in CountType bwd bwd_countMixin.
Definition bwd_finMixin := CanFinMixin encK.
Canonical bwd_finType := Eval hnf in FinType bwd bwd_finMixin.

Definition bwd_rank (v : bwd) : nat :=
  match v with
  | Q _ _ | Ky _ _ | V _ _ | O _ _ | dO _ _ | Lse _ => 0
  | S _ _ k => k.+1
  | P _ _ => d.+1
  | D _ l => l.+1
  | dP _ _ l => l.+1
  | dS _ _ => d + dv + 2
  | dQ _ _ j => d + dv + 3 + j
  | dK _ _ i | dV _ _ i => d + dv + 3 + i
  end.
Lemma bwd_acyclic : exists rank : bwd -> nat, forall u v, bwd_edge u v -> rank u < rank v.
Proof.
exists bwd_rank => u v.
by case: u => [i k|j k|j l|i l|i l|i|i j k|i j|i l|i j l|i j|i k j|j k i|j l i];
   case: v => [i' k'|j' k'|j' l'|i' l'|i' l'|i'|i' j' k'|i' j'|i' l'|i' j' l'|i' j'|i' k' j'|j' k' i'|j' l' i'] //=;
 rewrite -?(inj_eq val_inj) /=; clear; lia.
Qed.
Definition bwd_output : {set bwd} := [set v | bwd_is_output v].
Definition attention_backward : cdag := @Cdag bwd_finType bwd_edge bwd_output bwd_acyclic.
End Cdag.

Section Needs.
Variables n d nk dv : nat.
Notation G := (attention_backward n d nk dv).
Variables (tree : pred G) (u : G) (i : 'I_n) (j : 'I_nk).
Lemma needs_S (k k' : 'I_d) : (forall k, tree (S dv i j k)) -> edge u (S dv i j k : G) -> k <= k' -> needs tree u (S dv i j k' : G).
Proof.
move=> tS uk; case: k' => k' k'd /=; elim: k' k'd => [|k' IH] k'd.
  rewrite leqn0 => /eqP k0; apply: needs_leaf => //.
  by rewrite (_ : Ordinal k'd = k) //; apply/val_inj.
rewrite leq_eqVlt => /orP[/eqP E|le].
  by apply: needs_leaf => //; rewrite (_ : Ordinal k'd = k) //; apply/val_inj.
apply: (@needs_step G tree u (S dv i j (Ordinal (ltnW k'd)))) => //; last by apply: IH; lia.
by rewrite /= !eqxx.
Qed.
Lemma needs_dP (l l' : 'I_dv) : (forall l, tree (dP d i j l)) -> edge u (dP d i j l : G) -> l <= l' -> needs tree u (dP d i j l' : G).
Proof.
move=> tS uk; case: l' => k' k'd /=; elim: k' k'd => [|k' IH] k'd.
  rewrite leqn0 => /eqP k0; apply: needs_leaf => //.
  by rewrite (_ : Ordinal k'd = l) //; apply/val_inj.
rewrite leq_eqVlt => /orP[/eqP E|le].
  by apply: needs_leaf => //; rewrite (_ : Ordinal k'd = l) //; apply/val_inj.
apply: (@needs_step G tree u (dP d i j (Ordinal (ltnW k'd)))) => //; last by apply: IH; lia.
by rewrite /= !eqxx.
Qed.
Lemma needs_P (k : 'I_d) : (forall k, tree (S dv i j k)) -> tree (P d dv i j) -> edge u (S dv i j k : G) -> needs tree u (P d dv i j : G).
Proof.
move=> tS tP uk; have dd : d.-1 < d by have := ltn_ord k; lia.
apply: (@needs_step G tree u (S dv i j (Ordinal dd))) => //=; first by rewrite !eqxx /=; apply/eqP; lia.
by apply: needs_S uk _ => //=; have := ltn_ord k; lia.
Qed.
Lemma needs_dS1 : needs tree u (P d dv i j : G) -> tree (dS d dv i j) -> needs tree u (dS d dv i j : G).
Proof. by move=> nd td; apply: (@needs_step G tree u (P d dv i j)) => //=; rewrite !eqxx. Qed.
Lemma needs_dS2 (l : 'I_dv) : (forall l, tree (dP d i j l)) -> tree (dS d dv i j) -> edge u (dP d i j l : G) -> needs tree u (dS d dv i j : G).
Proof.
move=> tS tP uk; have dd : dv.-1 < dv by have := ltn_ord l; lia.
apply: (@needs_step G tree u (dP d i j (Ordinal dd))) => //=; first by rewrite !eqxx /=; apply/eqP; lia.
by apply: needs_dP uk _ => //=; have := ltn_ord l; lia.
Qed.
End Needs.

(* The hypotheses, dv = d. *)
Section Instance.
Variables n' nk' d : nat.
Notation n := n'.+1. Notation nk := nk'.+1.
Notation G := (attention_backward n d nk d).
Definition Rw : finType := [finType of 'I_n]. Definition Cl : finType := [finType of 'I_nk].
Definition E : finType := [finType of 'I_n * 'I_nk].
Definition b_len (k : K Rw Cl d) : nat := if k is inl _ then nk else n.
Definition b_z (k : K Rw Cl d) (t : nat) : G :=
  match k with
  | inl (i, k) => dQ d i k (inord t)
  | inr (j, (true, k)) => dK d j k (inord t)
  | inr (j, (false, l)) => dV d j l (inord t)
  end.
Definition b_word (v : G) : bword Rw Cl E d :=
  match v with
  | Q i k => wR _ _ i (true, k)
  | dO i l => wR _ _ i (false, l)
  | V j l => wL _ _ j (true, l)
  | Ky j k => wL _ _ j (false, k)
  | S i j _ | P i j | dP i j _ | dS i j => wP _ _ _ (i, j)
  | dQ i k _ => wC _ (inl (i, k))
  | dK j k _ => wC _ (inr (j, (true, k)))
  | dV j l _ => wC _ (inr (j, (false, l)))
  | O _ _ | Lse _ | D _ _ => wO _ _ _ _
  end.
Definition b_rw (i : 'I_n) (y : Sl2 d) : G := if y.1 then Q nk d i y.2 else dO d nk i y.2.
Definition b_cw (j : 'I_nk) (y : Sl2 d) : G := if y.1 then V n d j y.2 else Ky n d j y.2.

Lemma b_ok : @backward Rw Cl E d fst snd G b_len b_z b_word b_rw b_cw
  (fun e : E => dS d d e.1 e.2) (fun e : E => P d d e.1 e.2) (fun e : E => e.2) (fun e : E => e.1).
Proof.
have tS (i : 'I_n) (j : 'I_nk) k : tree (E := E) b_word (i, j) (S d i j k : G) by rewrite /tree eqxx.
have tP (i : 'I_n) (j : 'I_nk) : tree (E := E) b_word (i, j) (P d d i j : G) by rewrite /tree eqxx.
have tdP (i : 'I_n) (j : 'I_nk) k : tree (E := E) b_word (i, j) (dP d i j k : G) by rewrite /tree eqxx.
have tdS (i : 'I_n) (j : 'I_nk) : tree (E := E) b_word (i, j) (dS d d i j : G) by rewrite /tree eqxx.
have src (v : G) : (forall u, ~~ edge u v) -> v \in input G by move=> H; rewrite inE; apply/forallP.
have nsrc (u v : G) : edge u v -> v \notin input G.
  by move=> uv; rewrite inE; apply/negP => /forallP/(_ u); rewrite uv.
split.
- by move=> [i j] [i' j'] /= -> ->.
- split.
  + by case.
  + by case=> [[i k]|[j [[] k]]] t /= tl; rewrite !eqxx /= !inordK //; lia.
  + case=> [[i k]|[j [[] k]]] /=.
    * by apply: (nsrc (dS d d i ord0)); rewrite /= !eqxx -(inj_eq val_inj) /= inordK.
    * by apply: (nsrc (dS d d ord0 j)); rewrite /= !eqxx -(inj_eq val_inj) /= inordK.
    * by apply: (nsrc (P d d ord0 j)); rewrite /= !eqxx -(inj_eq val_inj) /= inordK.
  + by case=> [[i k]|[j [[] k]]]; rewrite /= inE /= inordK.
- by move=> [i j] l.
- by move=> [i j] l.
- by case=> [[i k]|[j [[] k]]] t.
- by move=> i [[] k]; split=> //; apply: src; case.
- by move=> j [[] k]; split=> //; apply: src; case.
- by move=> [i j] l; rewrite /= inord_val !eqxx.
- by move=> [i j] l; rewrite /= inord_val !eqxx.
- by move=> [i j] [[] l]; rewrite /= inord_val !eqxx.
- by move=> [i j] [[] l]; rewrite /= inord_val !eqxx.
- move=> [i j] [[] k]; rewrite /b_rw /=.
    by apply: needs_dS1 => //; apply: (@needs_P _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
  by apply: (@needs_dS2 _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
- move=> [i j] [[] k]; rewrite /b_cw /=.
    by apply: (@needs_dS2 _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
  by apply: needs_dS1 => //; apply: (@needs_P _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
- by move=> [i j] k; apply: (@needs_P _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
- by move=> [i j] k; apply: (@needs_P _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
Qed.
End Instance.
