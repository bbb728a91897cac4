(* Certificates of lowrank, attention by dense features: the program's integers, checked by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Reduction CarriedWork Features Cut Carried.
From redblue Require LowRank.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

(* X words do h at most: Features.features_most *)
Definition lowrank_holds (keys d dv wn X h : N) : bool :=
  let c := if X <? keys then 0 else X / keys + 1 in let o := keys - X / d in
  [&& 0 <? o, c <=? o, wn * X <=? h &
      carried_holds 1 ((dv + 1) * (d + 1)) ((d + 1) * (d + 1)) (o - c) o X (h - wn * X) X].

Lemma divN a b : 0 < b -> (nat_ a %/ nat_ b = nat_ (a / b))%nat.
Proof.
move=> b0; have b1 : b <> 0 by clear - b0; lia.
have lt := N.mod_lt a b b1; have {1}-> : (nat_ a = nat_ (a / b) * nat_ b + nat_ (a mod b))%nat.
  by rewrite {1}(N.div_mod a b b1); move: (a / b) (a mod b) => x y; clear; lia.
by rewrite divnMDl ?divn_small ?addn0 //; move: (a mod b) lt b0 => x; clear; lia.
Qed.

Lemma lowrank_holds_ok keys d dv wn X h : 0 < d -> lowrank_holds keys d dv wn X h ->
  features_most (nat_ keys) (nat_ d) (nat_ dv) (nat_ wn) (nat_ X) (nat_ h).
Proof.
move=> d0; rewrite /lowrank_holds; set c := if _ then _ else _; set o := _ - _ => /and4P[o0 co hX /carried_ok H].
have eo : own_features (nat_ keys) (nat_ d) (nat_ X) = nat_ o by rewrite /own_features /o divN //; move: (X / d) => x; clear; lia.
have ec : rerun_chains (nat_ keys) (nat_ X) = nat_ c.
  rewrite /rerun_chains /c (_ : (nat_ X < nat_ keys)%nat = (X <? keys)); last by clear; lia.
  by case: ifP => // /N.ltb_ge le; have [->|k0] := N.eq_0_gt_0_cases keys; [case: (X) | rewrite divN //; move: (X / keys) => x; clear; lia].
exists (nat_ (h - wn * X)); rewrite eo ec; split; try by move: o0 co hX; clear; lia.
have e1 : ((nat_ dv).+1 * (nat_ d).+1)%nat = nat_ ((dv + 1) * (d + 1)) by clear; lia.
have e2 : ((nat_ d).+1 ^ 2)%nat = nat_ ((d + 1) * (d + 1)) by rewrite -mulnn; clear; lia.
by rewrite e1 e2 (_ : (nat_ o - nat_ c)%nat = nat_ (o - c)) //; clear; lia.
Qed.

(* `first`, `length`, segments - 1, `most_first`, `most`; the value B.  weighed: the normaliser's first sums are given weight d. *)
Definition lowrank_check (M n d r dv weighed f t q hf ht B : N) : bool :=
  let wn := if weighed =? 0 then 0 else d in
  let W := n * r * (dv * (d + 1) + wn) + n * r * ((dv + 1) * (d + 1)) in
  [&& (0 <? d) && (0 <? dv), lowrank_holds n d dv wn f hf, if q =? 0 then true else lowrank_holds n d dv wn (M + t) ht,
      hf + q * ht <? W & B + (r + n) * (dv + 1) <=? f + q * t + 1 + n * dv].

Theorem lowrank_certificate game M n d r dv weighed f t q hf ht B : lowrank_check M n d r dv weighed f t q hf ht B ->
  forall s : seq (move (LowRank.lowrank (nat_ n) (nat_ d) (nat_ r) (nat_ dv))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
rewrite /lowrank_check; set wn := if _ then _ else _; case/and5P=> /andP[/N.ltb_lt d0 /N.ltb_lt v0] /(lowrank_holds_ok d0) Hf st /N.ltb_lt lt /N.leb_le le s ok.
have wd : (nat_ wn <= nat_ d)%nat by rewrite /wn; case: ifP; clear; lia.
have d0' : (0 < nat_ d)%nat by clear - d0; lia.
have v0' : (0 < nat_ dv)%nat by clear - v0; lia.
have eW : nat_ (n * r * (dv * (d + 1) + wn) + n * r * ((dv + 1) * (d + 1))) =
  (nat_ n * nat_ r * (nat_ dv * (nat_ d).+1 + nat_ wn) + nat_ n * nat_ r * ((nat_ dv).+1 * (nat_ d).+1))%nat by clear; lia.
suff : (nat_ f + nat_ q * nat_ t + 1 + nat_ n * nat_ dv <= cost s + (nat_ r + nat_ n) * (nat_ dv).+1)%nat.
  move: le; have -> : ((nat_ r + nat_ n) * (nat_ dv).+1)%nat = nat_ ((r + n) * (dv + 1)) by clear; lia.
  have -> : (nat_ f + nat_ q * nat_ t + 1 + nat_ n * nat_ dv)%nat = nat_ (f + q * t + 1 + n * dv) by clear; lia.
  by move: (f + q * t + 1 + n * dv) ((r + n) * (dv + 1)) (cost s) => a b c; clear; lia.
apply: (LowRank.lowrank_segment (q := nat_ q) (ht := nat_ ht) ok d0' v0' wd Hf).
  case: ifP st => [/N.eqb_eq q0 _|_ /(lowrank_holds_ok d0)]; first by left; clear - q0; lia.
  by right; rewrite (_ : nat_ M + nat_ t = nat_ (M + t))%nat //; clear; lia.
by rewrite -eW; move: lt; move: (_ + n * r * _) => b; clear; lia.
Qed.
