(* The backward pass of attention on any mask, cdag/families/attention-causal-backward.cdag (j <= i), for all n, d, nk, dv; its bounds for
   dv = d, where every row and every column keeps a pair. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment PairTrees Residency BackwardSegments Backward Mask.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Cdag.
Variables (n d nk dv : nat) (mask : 'I_n -> 'I_nk -> bool).
Local Notation pair := (pair mask).
Inductive bwd :=
  | Q of 'I_n & 'I_d | Ky of 'I_nk & 'I_d | V of 'I_nk & 'I_dv | O of 'I_n & 'I_dv | dO of 'I_n & 'I_dv | Lse of 'I_n
  | S of pair & 'I_d | P of pair | D of 'I_n & 'I_dv | dP of pair & 'I_dv | dS of pair
  | dQ of pair & 'I_d | dK of pair & 'I_d | dV of pair & 'I_dv.

Definition bwd_edge (u v : bwd) : bool :=
  match u, v with
  | S p k, S p' k'    => (p == p') && (k.+1 == k' :> nat)           (* S[i,j,k] = S[i,j,k-1], *)
  | Q i k, S p' k'    => (i == row p') && (k == k')                 (*   Q[i,k], *)
  | Ky j k, S p' k'   => (j == col p') && (k == k')                 (*   K[j,k] *)
  | S p k, P p'       => (p == p') && (k.+1 == d)                   (* P[i,j] = S[i,j,d-1], *)
  | Lse i, P p'       => i == row p'                                (*   Lse[i] *)
  | D i l, D i' l'    => (i == i') && (l.+1 == l' :> nat)           (* D[i,l] = D[i,l-1], *)
  | dO i l, D i' l'   => (i == i') && (l == l')                     (*   dO[i,l], *)
  | O i l, D i' l'    => (i == i') && (l == l')                     (*   O[i,l] *)
  | dP p l, dP p' l'  => (p == p') && (l.+1 == l' :> nat)           (* dP[i,j,l] = dP[i,j,l-1], *)
  | dO i l, dP p' l'  => (i == row p') && (l == l')                 (*   dO[i,l], *)
  | V j l, dP p' l'   => (j == col p') && (l == l')                 (*   V[j,l] *)
  | P p, dS p'        => p == p'                                    (* dS[i,j] = P[i,j], *)
  | dP p l, dS p'     => (p == p') && (l.+1 == dv)                  (*   dP[i,j,dv-1], *)
  | D i l, dS p'      => (i == row p') && (l.+1 == dv)              (*   D[i,dv-1] *)
  | dQ p k, dQ p' k'  => next p p' && (k == k')                     (* dQ[i,k,j] = dQ[i,k,j-1], *)
  | dS p, dQ p' k'    => p == p'                                    (*   dS[i,j], *)
  | Ky j k, dQ p' k'  => (j == col p') && (k == k')                 (*   K[j,k] *)
  | dK p k, dK p' k'  => below p p' && (k == k')                    (* dK[j,k,i] = dK[j,k,i-1], *)
  | dS p, dK p' k'    => p == p'                                    (*   dS[i,j], *)
  | Q i k, dK p' k'   => (i == row p') && (k == k')                 (*   Q[i,k] *)
  | dV p l, dV p' l'  => below p p' && (l == l')                    (* dV[j,l,i] = dV[j,l,i-1], *)
  | P p, dV p' l'     => p == p'                                    (*   P[i,j], *)
  | dO i l, dV p' l'  => (i == row p') && (l == l')                 (*   dO[i,l] *)
  | _, _ => false
  end.

(* output dQ[i:n,*,i], dK[*,*,n-1], dV[*,*,n-1] *)
Definition bwd_is_output (v : bwd) : bool :=
  match v with dQ p _ => is_last p | dK p _ => is_lowest p | dV p _ => is_lowest p | _ => false end.

(* bwd is a finite type *)
Definition code : Type :=
  ('I_n * 'I_d + 'I_nk * 'I_d + 'I_nk * 'I_dv + 'I_n * 'I_dv) + ('I_n * 'I_dv + 'I_n + pair * 'I_d + pair) +
  (('I_n * 'I_dv + pair * 'I_dv + pair) + (pair * 'I_d + pair * 'I_d + pair * 'I_dv)).
Definition enc (v : bwd) : code :=
  match v with
  | Q i k => inl (inl (inl (inl (inl (i, k)))))
  | Ky j k => inl (inl (inl (inl (inr (j, k)))))
  | V j l => inl (inl (inl (inr (j, l))))
  | O i l => inl (inl (inr (i, l)))
  | dO i l => inl (inr (inl (inl (inl (i, l)))))
  | Lse i => inl (inr (inl (inl (inr i))))
  | S p k => inl (inr (inl (inr (p, k))))
  | P p => inl (inr (inr p))
  | D i l => inr (inl (inl (inl (i, l))))
  | dP p l => inr (inl (inl (inr (p, l))))
  | dS p => inr (inl (inr p))
  | dQ p k => inr (inr (inl (inl (p, k))))
  | dK p k => inr (inr (inl (inr (p, k))))
  | dV p l => inr (inr (inr (p, l)))
  end.
Definition dec (w : code) : bwd :=
  match w with
  | inl (inl (inl (inl (inl (i, k))))) => Q i k
  | inl (inl (inl (inl (inr (j, k))))) => Ky j k
  | inl (inl (inl (inr (j, l)))) => V j l
  | inl (inl (inr (i, l))) => O i l
  | inl (inr (inl (inl (inl (i, l))))) => dO i l
  | inl (inr (inl (inl (inr i)))) => Lse i
  | inl (inr (inl (inr (p, k)))) => S p k
  | inl (inr (inr p)) => P p
  | inr (inl (inl (inl (i, l)))) => D i l
  | inr (inl (inl (inr (p, l)))) => dP p l
  | inr (inl (inr p)) => dS p
  | inr (inr (inl (inl (p, k)))) => dQ p k
  | inr (inr (inl (inr (p, k)))) => dK p k
  | inr (inr (inr (p, l))) => dV p l
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
  | S _ k => k.+1
  | P _ => d.+1
  | D _ l => l.+1
  | dP _ l => l.+1
  | dS _ => d + dv + 2
  | dQ p _ => d + dv + 3 + col p
  | dK p _ | dV p _ => d + dv + 3 + row p
  end.
Lemma bwd_acyclic : exists rank : bwd -> nat, forall u v, bwd_edge u v -> rank u < rank v.
Proof.
exists bwd_rank => u v.
case: u => [i k|j k|j l|i l|i l|i|p k|p|i l|p l|p|p k|p k|p l];
   case: v => [i' k'|j' k'|j' l'|i' l'|i' l'|i'|p' k'|p'|i' l'|p' l'|p'|p' k'|p' k'|p' l'] //=.
all: try by [].
all: try by case/andP=> _ /eqP; clear; lia.
all: try by case/andP=> /and3P[_ lt _] _; rewrite ltn_add2l.
all: by move=> _; clear; lia.
Qed.
Definition bwd_output : {set bwd} := [set v | bwd_is_output v].
Definition attention_backward : cdag := @Cdag bwd_finType bwd_edge bwd_output bwd_acyclic.
End Cdag.

Section Needs.
Variables (n d nk dv : nat) (mask : 'I_n -> 'I_nk -> bool).
Notation G := (attention_backward d dv mask).
Variables (tree : pred G) (u : G) (p : pair mask).
Lemma needs_S (k k' : 'I_d) : (forall k, tree (S dv p k)) -> edge u (S dv p k : G) -> k <= k' -> needs tree u (S dv p k' : G).
Proof.
move=> tS uk; case: k' => k' k'd /=; elim: k' k'd => [|k' IH] k'd.
  rewrite leqn0 => /eqP k0; apply: needs_leaf => //.
  by rewrite (_ : Ordinal k'd = k) //; apply/val_inj.
rewrite leq_eqVlt => /orP[/eqP E|le].
  by apply: needs_leaf => //; rewrite (_ : Ordinal k'd = k) //; apply/val_inj.
apply: (@needs_step G tree u (S dv p (Ordinal (ltnW k'd)))) => //; last by apply: IH; lia.
by rewrite /= !eqxx.
Qed.
Lemma needs_dP (l l' : 'I_dv) : (forall l, tree (dP d p l)) -> edge u (dP d p l : G) -> l <= l' -> needs tree u (dP d p l' : G).
Proof.
move=> tS uk; case: l' => k' k'd /=; elim: k' k'd => [|k' IH] k'd.
  rewrite leqn0 => /eqP k0; apply: needs_leaf => //.
  by rewrite (_ : Ordinal k'd = l) //; apply/val_inj.
rewrite leq_eqVlt => /orP[/eqP E|le].
  by apply: needs_leaf => //; rewrite (_ : Ordinal k'd = l) //; apply/val_inj.
apply: (@needs_step G tree u (dP d p (Ordinal (ltnW k'd)))) => //; last by apply: IH; lia.
by rewrite /= !eqxx.
Qed.
Lemma needs_P (k : 'I_d) : (forall k, tree (S dv p k)) -> tree (P d dv p) -> edge u (S dv p k : G) -> needs tree u (P d dv p : G).
Proof.
move=> tS tP uk; have dd : d.-1 < d by have := ltn_ord k; lia.
apply: (@needs_step G tree u (S dv p (Ordinal dd))) => //=; first by rewrite !eqxx /=; apply/eqP; lia.
by apply: needs_S uk _ => //=; have := ltn_ord k; lia.
Qed.
Lemma needs_dS1 : needs tree u (P d dv p : G) -> tree (dS d dv p) -> needs tree u (dS d dv p : G).
Proof. by move=> nd td; apply: (@needs_step G tree u (P d dv p)) => //=; rewrite !eqxx. Qed.
Lemma needs_dS2 (l : 'I_dv) : (forall l, tree (dP d p l)) -> tree (dS d dv p) -> edge u (dP d p l : G) -> needs tree u (dS d dv p : G).
Proof.
move=> tS tP uk; have dd : dv.-1 < dv by have := ltn_ord l; lia.
apply: (@needs_step G tree u (dP d p (Ordinal dd))) => //=; first by rewrite !eqxx /=; apply/eqP; lia.
by apply: needs_dP uk _ => //=; have := ltn_ord l; lia.
Qed.
End Needs.

(* The hypotheses, dv = d. *)
Section Instance.
Variables (n nk d : nat) (mask : 'I_n -> 'I_nk -> bool).
Notation G := (attention_backward d d mask).
Notation E := (pair mask).
Definition b_word (v : G) : bword [finType of 'I_n] [finType of 'I_nk] E d :=
  match v with
  | Q i k => wR _ _ i (true, k)
  | dO i l => wR _ _ i (false, l)
  | V j l => wL _ _ j (true, l)
  | Ky j k => wL _ _ j (false, k)
  | S p _ | P p | dP p _ | dS p => wP _ _ _ p
  | dQ p k => wC _ (inl (row p, k))
  | dK p k => wC _ (inr (col p, (true, k)))
  | dV p l => wC _ (inr (col p, (false, l)))
  | O _ _ | Lse _ | D _ _ => wO _ _ _ _
  end.
Definition b_rw (i : 'I_n) (y : Sl2 d) : G := if y.1 then Q d mask i y.2 else dO d mask i y.2.
Definition b_cw (j : 'I_nk) (y : Sl2 d) : G := if y.1 then V d mask j y.2 else Ky d mask j y.2.

Lemma b_ok : (forall i, exists j, mask i j) -> (forall j, exists i, mask i j) -> exists (len : K _ _ d -> nat) z jX jY,
  @backward [finType of 'I_n] [finType of 'I_nk] E d (@row _ _ mask) (@col _ _ mask) G len z b_word b_rw b_cw (dS d d (mask := mask)) (P d d (mask := mask)) jX jY.
Proof.
move=> /in_rows[zr [lr0 zrr zrK zrn zrl]] /in_columns[zc [lc0 zcc zcK zcn zcl]].
pose len (k : K [finType of 'I_n] [finType of 'I_nk] d) :=
  match k with inl (i, _) => size (keys mask i) | inr (j, _) => size (keys (turned mask) j) end.
pose z (k : K [finType of 'I_n] [finType of 'I_nk] d) (t : nat) : G :=
  match k with
  | inl (i, k) => dQ d (zr i t) k
  | inr (j, (true, k)) => dK d (zc j t) k
  | inr (j, (false, l)) => dV d (zc j t) l
  end.
exists len, z, (@place _ _ mask), (fun p => place (back p)).
have tS (p : E) k : tree b_word p (S d p k : G) by rewrite /tree eqxx.
have tP (p : E) : tree b_word p (P d d p : G) by rewrite /tree eqxx.
have tdP (p : E) k : tree b_word p (dP d p k : G) by rewrite /tree eqxx.
have tdS (p : E) : tree b_word p (dS d d p : G) by rewrite /tree eqxx.
have src (v : G) : (forall u, ~~ edge u v) -> v \in input G by move=> H; rewrite inE; apply/forallP.
have nsrc (u v : G) : edge u v -> v \notin input G.
  by move=> uv; rewrite inE; apply/negP => /forallP/(_ u); rewrite uv.
have zcK1 p : zc (col p) (place (back p)) = p by have [] := zcK p.
split.
- by move=> p q; apply: pair_eq.
- split.
  + by case=> [[i k]|[j y]]; [apply: lr0 | apply: lc0].
  + by case=> [[i k]|[j [[] k]]] t /= tl; rewrite eqxx andbT; [apply: zrn | apply: zcn | apply: zcn].
  + case=> [[i k]|[j [[] k]]] /=.
    * by apply: (nsrc (dS d d (zr i 0))); rewrite /= eqxx.
    * by apply: (nsrc (dS d d (zc j 0))); rewrite /= eqxx.
    * by apply: (nsrc (P d d (zc j 0))); rewrite /= eqxx.
  + by case=> [[i k]|[j [[] k]]]; rewrite /= inE /=; [apply: zrl | apply: zcl | apply: zcl].
- by move=> p l; apply: place_lt.
- by move=> p l; have [] := zcK p.
- by case=> [[i k]|[j [[] k]]] t /= tl; rewrite ?zrr ?zcc.
- by move=> i [[] k]; split=> //; apply: src; case.
- by move=> j [[] k]; split=> //; apply: src; case.
- by move=> p l; rewrite /= zrK !eqxx.
- by move=> p l; rewrite /= zrK eqxx.
- by move=> p [[] l]; rewrite /= zcK1 !eqxx.
- by move=> p [[] l]; rewrite /= zcK1 eqxx.
- move=> p [[] k]; rewrite /b_rw /=.
    by apply: needs_dS1 => //; apply: (@needs_P _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
  by apply: (@needs_dS2 _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
- move=> p [[] k]; rewrite /b_cw /=.
    by apply: (@needs_dS2 _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
  by apply: needs_dS1 => //; apply: (@needs_P _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
- by move=> p k; apply: (@needs_P _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
- by move=> p k; apply: (@needs_P _ _ _ _ _ _ _ _ k) => //=; rewrite !eqxx.
Qed.
End Instance.
