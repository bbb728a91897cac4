(* The integers of a segment certificate, in binary: what X words can do, and how the work is cut; computed by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import ThreeOperands CarriedOrMade.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.

(* A theorem about segments, P X h saying that X words do h steps at most; with q = 0 the others do not matter. *)
Lemma one_segment (P : nat -> nat -> Prop) M W Q f t q hf ht :
  (forall X, exists h, P X h) ->
  (forall f t q hf ht, P f hf -> P (M + t) ht -> hf + q * ht < W -> f + q * t + 1 <= Q) ->
  P f hf -> q = 0 \/ P (M + t) ht -> hf + q * ht < W -> f + q * t + 1 <= Q.
Proof.
move=> some bound Hf; case=> [->|Ht]; last exact: bound.
have [h Hh] := some (M + t); rewrite mul0n addn0 => lt; apply: (bound f t 0 hf h) => //.
by rewrite mul0n addn0.
Qed.

Open Scope N_scope.
(* can X w: might X words do w steps? f: most of the first segment's words, t: of the others' events, q others *)
Definition cut (can : N -> N -> bool) (M W f t q hf ht : N) : bool :=
  [&& ~~ can f (hf + 1), (q =? 0) || ~~ can (M + t) (ht + 1) & hf + q * ht <? W].

Lemma cut_ok (can : N -> N -> bool) (P : nat -> nat -> Prop) (M W f t q hf ht : N) Q :
  (forall X, exists h, P X h) -> (forall X h, ~~ can X (h + 1) -> P (nat_ X) (nat_ h)) ->
  (forall f t q hf ht, P f hf -> P (nat_ M + t)%nat ht -> (hf + q * ht < nat_ W)%nat -> (f + q * t + 1 <= Q)%nat) ->
  cut can M W f t q hf ht -> f + q * t + 1 <= N.of_nat Q.
Proof.
move=> some ok bound /and3P[/ok Hf Ht /N.ltb_lt lt].
have : (nat_ f + nat_ q * nat_ t + 1 <= Q)%nat.
  apply: (one_segment some bound Hf (ht := nat_ ht)); last by clear - lt; lia.
  case/orP: Ht => [/N.eqb_eq ->|/ok]; [by left | rewrite (_ : nat_ (M + t) = nat_ M + nat_ t)%nat; [by right | lia]].
clear; lia.
Qed.

(* ThreeOperands.three_suffice of the two smallest of three fibers *)
Definition three2 (p q X W : N) : bool :=
  if W <=? p * p * p then 27 * (W * W) <=? X * X * X
  else if W <=? p * (q * q) then (W <=? p * X) && (4 * W * (p * p * p) <=? (p * X - W) * (p * X - W))
  else W * (p + q) + p * q * (p * q) <=? p * q * X.
Definition three (p q r X W : N) : bool :=
  if r <? p then (if p <=? q then three2 r p X W else if r <=? q then three2 r q X W else three2 q r X W)
  else if r <? q then three2 p r X W
  else if p <=? q then three2 p q X W else three2 q p X W.

Lemma leqN a b : (nat_ a <= nat_ b)%nat = (a <=? b). Proof. lia. Qed.
Lemma cubeN (a : nat) : (a ^ 3 = a * a * a)%nat. Proof. by rewrite !expnS expn0 muln1 mulnA. Qed.

Lemma three2E p q X W : three_suffice (nat_ p) (nat_ q) (nat_ X) (nat_ W) = three2 p q X W.
Proof.
rewrite /three_suffice /three2 !cubeN -!mulnn -!leqN.
have e1 : nat_ (p * p * p) = (nat_ p * nat_ p * nat_ p)%nat by clear; lia.
have e2 : nat_ (p * (q * q)) = (nat_ p * (nat_ q * nat_ q))%nat by clear; lia.
have e3 : nat_ (27 * (W * W)) = (27 * (nat_ W * nat_ W))%nat by clear; lia.
have e4 : nat_ (X * X * X) = (nat_ X * nat_ X * nat_ X)%nat by clear; lia.
have e5 : nat_ (p * X) = (nat_ p * nat_ X)%nat by clear; lia.
have e6 : nat_ (4 * W * (p * p * p)) = (4 * nat_ W * nat_ (p * p * p))%nat by clear; lia.
have e7 : nat_ ((p * X - W) * (p * X - W)) = ((nat_ (p * X) - nat_ W) * (nat_ (p * X) - nat_ W))%nat by clear; lia.
have e8 : nat_ (W * (p + q) + p * q * (p * q)) = (nat_ W * (nat_ p + nat_ q) + nat_ p * nat_ q * (nat_ p * nat_ q))%nat by clear; lia.
have e9 : nat_ (p * q * X) = (nat_ p * nat_ q * nat_ X)%nat by clear; lia.
by rewrite e6 e7 e8 e9 e1 e2 e3 e4 e5.
Qed.

Lemma three2_ok p q r X h : p <= q -> ~~ three2 p q X (h + 1) -> at_most (nat_ p) (nat_ q) r (nat_ X) (nat_ h).
Proof.
move=> pq no; apply: at_most_three; first by clear - pq; lia.
by rewrite (_ : (nat_ h).+1 = nat_ (h + 1)) ?three2E //; clear; lia.
Qed.

Lemma three_ok p q r X h : ~~ three p q r X (h + 1) -> at_most (nat_ p) (nat_ q) (nat_ r) (nat_ X) (nat_ h).
Proof.
rewrite /three; case: (N.ltb_spec r p) => rp.
  case: (N.leb_spec p q) => pq; first by move/(three2_ok (N.lt_le_incl _ _ rp))/at_most_turn.
  case: (N.leb_spec r q) => rq; first by move/(three2_ok rq)/at_most_turn/at_most_swap.
  by move/(three2_ok (N.lt_le_incl _ _ rq))/at_most_turn/at_most_turn.
case: (N.ltb_spec r q) => rq; first by move/(three2_ok rp)/at_most_turn/at_most_turn/at_most_swap.
case: (N.leb_spec p q) => pq; first by move/(three2_ok pq).
by move/(three2_ok (N.lt_le_incl _ _ pq))/at_most_swap.
Qed.

Lemma at_most_some p q r X : exists h, at_most p q r X h.
Proof.
exists (p * X)%nat => a b c H sum _ le _ _; apply: leq_trans le _; rewrite leq_mul2l; apply/orP; right.
by move: sum; clear; lia.
Qed.

(* CarriedOrMade.made_suffice *)
Definition made (dk dv np X W : N) : bool :=
  if dv <? dk then 4 * ((dk + dv) * (dk + dv)) * W <=? dv * (X * X)
  else if X * X <=? 16 * (dk * dk) * np then 16 * dk * W <=? X * X
  else 2 * (W + dk * np) * (2 * (W + dk * np)) <=? np * (X * X).
Definition pairs (dk dv rv rz np X W : N) : bool := three dv rv rz X W || made dk dv np X W.

Lemma madeE dk dv np X W : made_suffice (nat_ dk) (nat_ dv) (nat_ np) (nat_ X) (nat_ W) = made dk dv np X W.
Proof.
rewrite /made_suffice /made -!mulnn -!leqN.
have -> : (nat_ dv < nat_ dk)%nat = (dv <? dk) by clear; lia.
have e1 : nat_ (4 * ((dk + dv) * (dk + dv)) * W) = (4 * ((nat_ dk + nat_ dv) * (nat_ dk + nat_ dv)) * nat_ W)%nat by clear; lia.
have e2 : nat_ (dv * (X * X)) = (nat_ dv * (nat_ X * nat_ X))%nat by clear; lia.
have e3 : nat_ (X * X) = (nat_ X * nat_ X)%nat by clear; lia.
have e4 : nat_ (16 * (dk * dk) * np) = (16 * (nat_ dk * nat_ dk) * nat_ np)%nat by clear; lia.
have e5 : nat_ (16 * dk * W) = (16 * nat_ dk * nat_ W)%nat by clear; lia.
have e6 : nat_ (2 * (W + dk * np) * (2 * (W + dk * np))) =
  (2 * (nat_ W + nat_ dk * nat_ np) * (2 * (nat_ W + nat_ dk * nat_ np)))%nat by clear; lia.
have e7 : nat_ (np * (X * X)) = (nat_ np * (nat_ X * nat_ X))%nat by clear; lia.
by rewrite e1 e2 e3 e4 e5 e6 e7.
Qed.

Lemma pairs_ok dk dv rv rz np X h : ~~ pairs dk dv rv rz np X (h + 1) ->
  pairs_at_most (nat_ dk) (nat_ dv) (nat_ rv) (nat_ rz) (nat_ np) (nat_ X) (nat_ h).
Proof.
rewrite negb_or => /andP[/three_ok car no]; apply: pairs_regimes car _.
by rewrite (_ : (nat_ h).+1 = nat_ (h + 1)) ?madeE //; clear; lia.
Qed.

Lemma pairs_some dk dv rv rz np X : exists h, pairs_at_most dk dv rv rz np X h.
Proof.
exists (rv * X)%nat => p R C v z E H sum _ _ _ _ le _; apply: leq_trans le _; rewrite leq_mul2l; apply/orP; right.
by move: sum; clear; lia.
Qed.
