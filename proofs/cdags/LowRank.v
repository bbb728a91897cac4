(* Attention by dense features, cdag/families/attention-lowrank.cdag with g = 0, for all n, d, r, dv; its bound. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment LoomisWhitney Reduction PairTrees CarriedWork Features.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Cdag.
Variables n d r dv : nat.
Inductive low :=
  | Q of 'I_n & 'I_d | Ky of 'I_n & 'I_d | V of 'I_n & 'I_dv
  | FK of 'I_n & 'I_r | W of 'I_r & 'I_dv & 'I_n | U of 'I_r & 'I_n
  | FQ of 'I_n & 'I_r | N of 'I_n & 'I_dv & 'I_r | D of 'I_n & 'I_r | O of 'I_n & 'I_dv.

Definition low_edge (u v : low) : bool :=
  match u, v with
  | Ky j k,  FK j' a    => j == j'                                      (* FK[j,a] = K[j,0..d] *)
  | W a l j, W a' l' j' => [&& a == a', l == l' & j.+1 == j' :> nat]    (* W[a,l,j] = W[a,l,j-1], *)
  | FK j a,  W a' l j'  => (j == j') && (a == a')                       (*   FK[j,a], *)
  | V j l,   W a l' j'  => (j == j') && (l == l')                       (*   V[j,l] *)
  | U a j,   U a' j'    => (a == a') && (j.+1 == j' :> nat)             (* U[a,j] = U[a,j-1], *)
  | FK j a,  U a' j'    => (j == j') && (a == a')                       (*   FK[j,a] *)
  | Q i k,   FQ i' a    => i == i'                                      (* FQ[i,a] = Q[i,0..d] *)
  | N i l a, N i' l' a' => [&& i == i', l == l' & a.+1 == a' :> nat]    (* N[i,l,a] = N[i,l,a-1], *)
  | FQ i a,  N i' l a'  => (i == i') && (a == a')                       (*   FQ[i,a], *)
  | W a l j, N i l' a'  => [&& a == a', l == l' & j.+1 == n]            (*   W[a,l,n-1] *)
  | D i a,   D i' a'    => (i == i') && (a.+1 == a' :> nat)             (* D[i,a] = D[i,a-1], *)
  | FQ i a,  D i' a'    => (i == i') && (a == a')                       (*   FQ[i,a], *)
  | U a j,   D i a'     => (a == a') && (j.+1 == n)                     (*   U[a,n-1] *)
  | N i l a, O i' l'    => [&& i == i', l == l' & a.+1 == r]            (* O[i,l] = N[i,l,r-1], *)
  | D i a,   O i' l     => (i == i') && (a.+1 == r)                     (*   D[i,r-1] *)
  | _, _ => false
  end.

Definition code : Type := 'I_n * 'I_d + 'I_n * 'I_d + 'I_n * 'I_dv + ('I_n * 'I_r + 'I_r * 'I_dv * 'I_n + 'I_r * 'I_n) +
  ('I_n * 'I_r + 'I_n * 'I_dv * 'I_r + 'I_n * 'I_r + 'I_n * 'I_dv).
Definition enc (v : low) : code :=
  match v with
  | Q i k => inl (inl (inl (inl (i, k)))) | Ky j k => inl (inl (inl (inr (j, k)))) | V j l => inl (inl (inr (j, l)))
  | FK j a => inl (inr (inl (inl (j, a)))) | W a l j => inl (inr (inl (inr (a, l, j)))) | U a j => inl (inr (inr (a, j)))
  | FQ i a => inr (inl (inl (inl (i, a)))) | N i l a => inr (inl (inl (inr (i, l, a)))) | D i a => inr (inl (inr (i, a)))
  | O i l => inr (inr (i, l))
  end.
Definition dec (w : code) : low :=
  match w with
  | inl (inl (inl (inl (i, k)))) => Q i k | inl (inl (inl (inr (j, k)))) => Ky j k | inl (inl (inr (j, l))) => V j l
  | inl (inr (inl (inl (j, a)))) => FK j a | inl (inr (inl (inr (a, l, j)))) => W a l j | inl (inr (inr (a, j))) => U a j
  | inr (inl (inl (inl (i, a)))) => FQ i a | inr (inl (inl (inr (i, l, a)))) => N i l a | inr (inl (inr (i, a))) => D i a
  | inr (inr (i, l)) => O i l
  end.
Lemma encK : cancel enc dec. Proof. by case. Qed.
Definition low_eqMixin := CanEqMixin encK.
Canonical low_eqType := Eval hnf in EqType low low_eqMixin.
Definition low_choiceMixin := CanChoiceMixin encK.
Canonical low_choiceType := Eval hnf in ChoiceType low low_choiceMixin.
Definition low_countMixin := CanCountMixin encK.
Canonical low_countType := Eval hnf in CountType low low_countMixin.
Definition low_finMixin := CanFinMixin encK.
Canonical low_finType := Eval hnf in FinType low low_finMixin.

Definition low_rank (v : low) : nat :=
  match v with
  | Q _ _ | Ky _ _ | V _ _ => 0
  | FK _ _ | FQ _ _ => 1
  | W _ _ j => 2 + j
  | U _ j => 2 + j
  | N _ _ a => 2 + n + a
  | D _ a => 2 + n + a
  | O _ _ => 2 + n + r
  end.
Lemma low_acyclic : exists rank : low -> nat, forall u v, low_edge u v -> rank u < rank v.
Proof.
exists low_rank => u v.
case: u => [i k|j k|j l|j a|a l j|a j|i a|i l a|i a|i l]; case: v => [i' k'|j' k'|j' l'|j' a'|a' l' j'|a' j'|i' a'|i' l' a'|i' a'|i' l'] //=;
 rewrite -?(inj_eq val_inj) /=; lia.
Qed.
Definition low_is_output (v : low) : bool := if v is O _ _ then true else false.
Definition low_output : {set low} := [set v | low_is_output v].
Definition lowrank : cdag := @Cdag low_finType low_edge low_output low_acyclic.
End Cdag.

Theorem lowrank_segment game M n d r dv wn (s : seq (move (lowrank n d r dv))) f t q hf ht :
  legal game M s -> 0 < d -> 0 < dv -> wn <= d ->
  features_most n d dv wn f hf -> q = 0 \/ features_most n d dv wn (M + t) ht ->
  hf + q * ht < n * r * (dv * d.+1 + wn) + n * r * (dv.+1 * d.+1) ->
  f + q * t + 1 + n * dv <= cost s + (r + n) * dv.+1.
Proof.
case: n s => [|n] s ok d0 v0 wd Hf Ht lt; first by rewrite !mul0n in lt.
case: r s ok lt => [|r] s ok lt; first by rewrite !muln0 !mul0n in lt.
pose G := lowrank n.+1 d r.+1 dv; pose l0 := Ordinal v0.
pose Kt := [finType of 'I_n.+1]; pose A := [finType of 'I_r.+1]; pose Dv := [finType of 'I_dv].
pose K := Features.FK Kt A Dv.
pose len (k : K) := match k with inl _ => n.+1 | inr _ => r.+1 end.
pose z (k : K) (j : nat) : G := match k with
  | inl (a, Some l) => W d a l (inord j : 'I_n.+1) | inl (a, None) => U d dv a (inord j : 'I_n.+1)
  | inr (i, Some l) => N d i l (inord j : 'I_r.+1) | inr (i, None) => D d dv i (inord j : 'I_r.+1) end.
have inI u v : edge u v -> v \notin input G by move=> e; apply/negP; rewrite inE => /forallP/(_ u); rewrite e.
have oI i l : (O d r.+1 i l : G) \notin input G.
  by apply: (inI (D d dv i ord_max : G)); rewrite /= !eqxx.
have outO i l : (O d r.+1 i l : G) \in output G :\: input G by rewrite in_setD oI inE.
have liveD i a : @live G (D d dv i a : G).
  have : connect (@edge G) (D d dv i a : G) (O d r.+1 i l0).
    move: {2}(r - a) (erefl (r - a)) => k; elim: k a => [|k IH] a E.
      apply: connect1; rewrite /= eqxx /=; have := ltn_ord a; move: E; lia.
    have al : a.+1 < r.+1 by lia.
    apply: connect_trans (connect1 _) (IH (Ordinal al) _); [by rewrite /= !eqxx | by rewrite /=; lia].
  by move=> c; apply/existsP; exists (O d r.+1 i l0 : G); rewrite outO.
have liveN i l a : @live G (N d i l a : G).
  have : connect (@edge G) (N d i l a : G) (O d r.+1 i l).
    move: {2}(r - a) (erefl (r - a)) => k; elim: k a => [|k IH] a E.
      apply: connect1; rewrite /= !eqxx /=; have := ltn_ord a; move: E; lia.
    have al : a.+1 < r.+1 by lia.
    apply: connect_trans (connect1 _) (IH (Ordinal al) _); [by rewrite /= !eqxx | by rewrite /=; lia].
  by move=> c; apply/existsP; exists (O d r.+1 i l : G); rewrite outO.
have live1 u v : edge u v -> @live G v -> @live G u.
  move=> e /existsP[o /andP[oO c]]; apply/existsP; exists o; rewrite oO; exact: connect_trans (connect1 e) c.
have ch : chains len z.
  split.
  - by case.
  - by move=> [[a [l|]]|[i [l|]]] j jl; rewrite /z /= !eqxx /= !inordK //; apply: ltnW.
  - by move=> [[a [l|]]|[i [l|]]] j [[a' [l'|]]|[i' [l'|]]] j' _ _ //=; congruence.
  - move=> [[a [l|]]|[i [l|]]].
    + by apply: (inI (V d r.+1 (inord 0) l : G)); rewrite /= !eqxx.
    + by apply: (inI (FK d dv (inord 0) a : G)); rewrite /= !eqxx.
    + by apply: (inI (FQ d dv i (inord 0) : G)); rewrite /= !eqxx.
    by apply: (inI (FQ d dv i (inord 0) : G)); rewrite /= !eqxx.
  - move=> [[a [l|]]|[i [l|]]] /=.
    + by apply: (live1 _ (N d ord0 l a : G)) => //=; rewrite !eqxx inordK // eqxx.
    + by apply: (live1 _ (D d dv ord0 a : G)) => //=; rewrite !eqxx inordK // eqxx.
    + exact: liveN.
    exact: liveD.
pose Sl := Features.Sl Dv; pose Tok := Features.Tok Kt Kt; pose Dk := [finType of 'I_d].
pose word (v : G) : fword Tok Dk A Sl := match v with
  | Q i k => wR _ _ (inr i) k | Ky j k => wR _ _ (inl j) k | V j l => wS _ _ (inl j) (Some l)
  | FK j a => wT _ _ (inl j) a | FQ i a => wT _ _ (inr i) a
  | W a l _ => wC _ _ a (Some l) | U a _ => wC _ _ a None
  | N i l _ => wS _ _ (inr i) (Some l) | D i _ => wS _ _ (inr i) None
  | O _ _ => wO _ _ _ _ end.
pose root (t : Tok) (a : A) : G := match t with inl j => FK d dv j a | inr i => FQ d dv i a end.
pose row (t : Tok) (k : Dk) : G := match t with inl j => Ky r.+1 dv j k | inr i => Q r.+1 dv i k end.
have ft : @features G Kt Kt Dk A Dv len z word (fun t a => pred1 (root t a)) root row (fun j l => V d r.+1 j l) (fun j => j) (fun a => a).
  split.
  - by move=> [[a [l|]]|[i [l|]]] j _.
  - by move=> [j|i] k; split=> //; rewrite inE; apply/forallP => -[].
  - by move=> j l; split=> //; rewrite inE; apply/forallP => -[].
  - by move=> [j|i] a v /eqP ->.
  - by move=> j a l; apply: ltn_ord.
  - by move=> i a l; apply: ltn_ord.
  - by move=> j a [l|]; rewrite /= inord_val !eqxx.
  - by move=> i a [l|]; rewrite /= inord_val !eqxx.
  - by move=> j a l; rewrite /= inord_val !eqxx.
  - by move=> i a [l|]; rewrite /= !inord_val !eqxx inordK // eqxx.
  - by move=> [j|i] a k; apply: needs_leaf; rewrite /= ?eqxx.
have := features_segment ok ch ft (wn := wn) _ _ (f := f) (t := t) (q := q) (hf := hf) (ht := ht).
rewrite !card_ord => /(_ d0 wd Hf Ht lt) le1.
have le2 : n.+1 * dv <= #|output G :\: input G|.
  apply: (@leq_trans #|[set: 'I_n.+1 * 'I_dv]|); first by rewrite cardsT card_prod !card_ord.
  apply: (@card_rel _ _ _ _ (fun (v : G) (x : 'I_n.+1 * 'I_dv) => v == O d r.+1 x.1 x.2)).
    by move=> v [i j] [i' j'] /= /eqP -> /eqP [-> ->].
  by move=> [i l] _; exists (O d r.+1 i l).
by have := leq_trans (leq_add (leqnn (f + q * t + 1)) le2) le1.
Qed.
