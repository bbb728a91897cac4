(* CarriedWork.carried_most by computation: the numbers p of carried values are gone through in stretches, each as long as it can be. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import CarriedWork.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

Section Scan.
Variables sc u v kn kd X h last : N.
Let k4 := 4 * (kd * kd).
Definition y2 lo := (kd * X - kn * lo) * (kd * X - kn * lo).
Definition missing lo := k4 * (h + 1) - sc * y2 lo.
Definition stretch lo hi : bool := let y := y2 lo in let m := k4 * (h + 1) - sc * y in
  (sc * y <? k4 * (h + 1)) && ((k4 * (u * hi) <? m) || (k4 * (v * hi * y) <? m * m)).
(* the last with a b < m *)
Definition reach m b := if b =? 0 then last else (m - 1) / b.
Fixpoint scan (fuel : nat) lo : bool :=
  let m := missing lo in
  let hi := N.max lo (N.min last (N.max (reach m (k4 * u)) (reach (m * m) (k4 * (v * y2 lo))))) in
  if stretch lo hi then if last <=? hi then true else if fuel is S fuel then scan fuel (hi + 1) else false else false.
Definition carried_holds : bool := scan (nat_ 20000) 0.

Lemma stretchE lo hi : stretch lo hi = stretch_holds (nat_ sc) (nat_ u) (nat_ v) (nat_ kn) (nat_ kd) (nat_ X) (nat_ h) (nat_ lo) (nat_ hi).
Proof.
rewrite /stretch /stretch_holds -/(missing lo).
have e1 : (nat_ kd * nat_ X - nat_ kn * nat_ lo = nat_ (kd * X - kn * lo))%nat by clear; lia.
have e2 : ((nat_ kd * nat_ X - nat_ kn * nat_ lo) ^ 2 = nat_ (y2 lo))%nat by rewrite e1 -mulnn /y2; clear; lia.
have e3 : (4 * nat_ kd ^ 2 = nat_ k4)%nat by rewrite -mulnn /k4; clear; lia.
have e4 : ((nat_ h).+1 = nat_ (h + 1))%nat by clear; lia.
rewrite e2 e3 e4 /missing -/k4; move: (y2 lo) (h + 1) => y g; rewrite -mulnn.
have -> : (nat_ sc * nat_ y < nat_ k4 * nat_ g)%nat = (sc * y <? k4 * g) by clear; lia.
have -> : (nat_ k4 * nat_ g - nat_ sc * nat_ y = nat_ (k4 * g - sc * y))%nat by clear; lia.
move: (k4 * g - sc * y) => m.
have -> : (nat_ k4 * (nat_ u * nat_ hi) < nat_ m)%nat = (k4 * (u * hi) <? m) by clear; lia.
by have -> : (nat_ k4 * (nat_ v * nat_ hi * nat_ y) < nat_ m * nat_ m)%nat = (k4 * (v * hi * y) <? m * m) by clear; lia.
Qed.

Lemma scan_ok fuel lo p R C w : scan fuel lo -> (p <= nat_ last)%nat -> (nat_ lo <= p)%nat ->
  (nat_ kd * (R + C) + nat_ kn * p <= nat_ kd * nat_ X)%nat ->
  (w <= nat_ u * p)%nat -> (w ^ 2 <= nat_ v * p * (R * C))%nat -> (nat_ sc * (R * C) + w <= nat_ h)%nat.
Proof.
move=> H pl lp; suff [l [hi [st le]]] : exists l hi, stretch l hi /\ (nat_ l <= p <= nat_ hi)%nat.
  by rewrite stretchE in st; exact: stretch_ok st le.
elim: fuel lo H lp => [|fuel IH] lo /=;
  set hi := N.max _ _; case: ifP => // st; case: ifP => [/N.leb_le le|_ //].
- by move=> _ lp; exists lo, hi; rewrite lp; split=> //; move: pl le; clear; lia.
- by move=> _ lp; exists lo, hi; rewrite lp; split=> //; move: pl le; clear; lia.
move=> sc' lp; case: (leqP p (nat_ hi)) => [ph|hp]; first by exists lo, hi; rewrite lp ph.
by apply: (IH _ sc'); move: hp; clear; lia.
Qed.
Strategy 1000 [scan].      (* so that nothing runs through 20000 stretches when this is checked *)
Lemma carried_ok : carried_holds -> carried_most (nat_ sc) (nat_ u) (nat_ v) (nat_ kn) (nat_ kd) (nat_ last) (nat_ X) (nat_ h).
Proof. by move=> H p R C w pl; apply: (scan_ok H pl). Qed.
End Scan.

(* some work is always enough: so much *)
Lemma carried_some sc u v kn kd np X : (0 < kd -> exists h, carried_most sc u v kn kd np X h)%nat.
Proof.
move=> kd0; exists (sc * (X * X) + u * np)%nat => p R C w pn sum wu _; apply: leq_add; last by apply: leq_trans wu _; rewrite leq_mul2l pn orbT.
have le : (R + C <= X)%nat.
  by rewrite -(leq_pmul2l kd0); apply: leq_trans sum; apply: leq_addr.
rewrite leq_mul2l; apply/orP; right; apply: leq_mul; move: le; clear; lia.
Qed.
