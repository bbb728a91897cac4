(* Certificates of covering: the program's integers, checked by vm_compute.  The inequality behind the weights is tried at every number of
   slices of every kind. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game CarriedWork Cut Carried.
From redblue Require Attention AttentionCovering AttentionBackward BackwardCovering.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

(* P at all numbers up to n *)
Definition up_to (n : N) (P : N -> bool) : bool := (N.iter (n + 1) (fun x => (x.1 + 1, x.2 && P x.1)) (0, true)).2.
Lemma up_toP n P : up_to n P -> forall p, p <= n -> P p.
Proof.
rewrite /up_to; set F := (fun x : N * bool => _) => H p pn; move: H.
suff K m : (N.iter m F (0, true)).1 = m /\ ((N.iter m F (0, true)).2 -> forall p, p < m -> P p).
  by move=> H; apply: (K (n + 1)).2 => //; clear - pn; lia.
elim/N.peano_ind: m => [|m [IH1 IH2]]; first by split=> // _ ?; clear; lia.
rewrite N.iter_succ {1 2}/F /= IH1; split; first by clear; lia.
move=> /andP[/IH2 H Pm] x xm; case: (N.eq_dec x m) => [->//|ne]; apply: H; clear - xm ne; lia.
Qed.

(* `first`, `length`, segments - 1, `most_first`, `most`: what carried values allow, and the value B *)
Section Cut.
Variables sc each v np M W f t q hf ht B : N.
Definition covering_cut : bool :=
  [&& carried_holds sc each v 1 1 f hf np, if q =? 0 then true else carried_holds sc each v 1 1 (M + t) ht np,
      hf + q * ht <? W & B <=? f + q * t + 1].
Lemma covering_cut_ok Q : covering_cut ->
  (forall f t q hf ht, carried_most (nat_ sc) (nat_ each) (nat_ v) 1 1 (nat_ np) f hf ->
     (q = 0 \/ carried_most (nat_ sc) (nat_ each) (nat_ v) 1 1 (nat_ np) (nat_ M + t) ht)%nat ->
     (hf + q * ht < nat_ W)%nat -> (f + q * t + 1 <= Q)%nat) -> B <= N.of_nat Q.
Proof.
case/and4P=> /carried_ok Hf Ht /N.ltb_lt lt /N.leb_le le bound; apply: N.le_trans le _.
suff : (nat_ f + nat_ q * nat_ t + 1 <= Q)%nat by clear; lia.
apply: (bound _ _ _ _ (nat_ ht) Hf); last by move: lt; clear; lia.
case: ifP Ht => [/N.eqb_eq q0 _|_ /carried_ok]; first by left; clear - q0; lia.
by rewrite (_ : nat_ (M + t) = nat_ M + nat_ t)%nat; [right | clear; lia].
Qed.
End Cut.

(* U: the weight of a step, over `scale` *)
Definition covering_attention_check (M n nk d dv sc U f t q hf ht B : N) : bool :=
  [&& 0 <? d, up_to dv (fun x => (x =? 0) || (U * x <=? sc * ((d + x) * (d + x)))) &
      covering_cut sc (dv * U) (U * U) (n * nk) M (n * nk * dv * U) f t q hf ht B].
Theorem covering_attention_certificate game M n nk d dv sc U f t q hf ht B : covering_attention_check M n nk d dv sc U f t q hf ht B ->
  forall s : seq (move (Attention.attention (nat_ n) (nat_ nk) (nat_ d) (nat_ dv))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/and3P=> /N.ltb_lt d0 /up_toP cov holds s ok; apply: (covering_cut_ok holds) => f' t' q' hf' ht'.
have -> : nat_ (dv * U) = (nat_ dv * nat_ U)%nat by clear; lia.
have -> : nat_ (U * U) = (nat_ U * nat_ U)%nat by clear; lia.
have -> : nat_ (n * nk) = (nat_ n * nat_ nk)%nat by clear; lia.
have -> : nat_ (n * nk * dv * U) = (nat_ n * nat_ nk * nat_ dv * nat_ U)%nat by clear; lia.
move=> Hf Ht; apply: (AttentionCovering.attention_covering ok _ _ Hf Ht); first by clear - d0; lia.
move=> x xd x0; have := cov (N.of_nat x) ltac:(clear - xd; lia); have -> : (N.of_nat x =? 0) = false by clear - x0; lia.
by clear; lia.
Qed.

(* the backward pass, any widths: the weights of dQ, dK and dV *)
Definition covering_backward_check (M n nk d dv sc uQ uK uV sides f t q hf ht B : N) : bool :=
  [&& (0 <? d) && (0 <? dv),
      up_to d (fun a => up_to d (fun b => up_to dv (fun c => (uQ * a + uK * b + uV * c <=?
        sc * ((if a + b + c =? 0 then 0 else d + 1 + a + (if a + b =? 0 then c else dv)) *
              (if a + b + c =? 0 then 0 else d + b + c + (if a + b =? 0 then 0 else dv))))))),
      (N.max uQ (N.max uK uV) * N.max uQ (N.max uK uV) <=? sides * sides) &
      covering_cut sc (d * uQ + d * uK + dv * uV) (sides * sides) (n * nk) M (n * nk * (d * uQ + d * uK + dv * uV)) f t q hf ht B].
Lemma covering_backward_holds M n nk d dv sc uQ uK uV sides f t q hf ht B Q : covering_backward_check M n nk d dv sc uQ uK uV sides f t q hf ht B ->
  (forall f t q hf ht, 0 < nat_ d -> 0 < nat_ dv ->
    (forall a b c, a <= nat_ d -> b <= nat_ d -> c <= nat_ dv -> nat_ uQ * a + nat_ uK * b + nat_ uV * c <=
       nat_ sc * (BackwardCovering.rows (nat_ d) (nat_ dv) a b c * BackwardCovering.cols (nat_ d) (nat_ dv) a b c)) ->
    maxn (nat_ uQ) (maxn (nat_ uK) (nat_ uV)) * maxn (nat_ uQ) (maxn (nat_ uK) (nat_ uV)) <= nat_ (sides * sides) ->
    carried_most (nat_ sc) (nat_ d * nat_ uQ + nat_ d * nat_ uK + nat_ dv * nat_ uV) (nat_ (sides * sides)) 1 1 (nat_ n * nat_ nk) f hf ->
    q = 0 \/ carried_most (nat_ sc) (nat_ d * nat_ uQ + nat_ d * nat_ uK + nat_ dv * nat_ uV) (nat_ (sides * sides)) 1 1 (nat_ n * nat_ nk) (nat_ M + t) ht ->
    hf + q * ht < nat_ n * nat_ nk * (nat_ d * nat_ uQ + nat_ d * nat_ uK + nat_ dv * nat_ uV) -> f + q * t + 1 <= Q)%nat -> B <= N.of_nat Q.
Proof.
case/and4P=> /andP[/N.ltb_lt d0 /N.ltb_lt v0] /up_toP cov /N.leb_le sd holds bound; apply: (covering_cut_ok holds) => f' t' q' hf' ht'.
have -> : nat_ (d * uQ + d * uK + dv * uV) = (nat_ d * nat_ uQ + nat_ d * nat_ uK + nat_ dv * nat_ uV)%nat by clear; lia.
have -> : nat_ (n * nk) = (nat_ n * nat_ nk)%nat by clear; lia.
have -> : nat_ (n * nk * (d * uQ + d * uK + dv * uV)) = (nat_ n * nat_ nk * (nat_ d * nat_ uQ + nat_ d * nat_ uK + nat_ dv * nat_ uV))%nat by clear; lia.
apply: bound; try by clear - d0 v0; lia.
- move=> a b c ad bd cd.
  have h1 := cov (N.of_nat a) ltac:(clear - ad; lia); have h2 := up_toP h1 (p := N.of_nat b) ltac:(clear - bd; lia).
  have /N.leb_le := up_toP h2 (p := N.of_nat c) ltac:(clear - cd; lia).
  rewrite /BackwardCovering.rows /BackwardCovering.cols.
  have -> : (N.of_nat a + N.of_nat b + N.of_nat c =? 0) = (a + b + c == 0)%nat by clear; lia.
  have -> : (N.of_nat a + N.of_nat b =? 0) = (a + b == 0)%nat by clear; lia.
  by case: (a + b + c == 0)%nat; case: (a + b == 0)%nat; clear; lia.
by move: sd; clear; lia.
Qed.
Theorem covering_backward_certificate game M n nk d dv sc uQ uK uV sides f t q hf ht B :
  covering_backward_check M n nk d dv sc uQ uK uV sides f t q hf ht B ->
  forall s : seq (move (AttentionBackward.attention_backward (nat_ n) (nat_ d) (nat_ nk) (nat_ dv))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
move=> holds s ok; apply: (covering_backward_holds holds) => f' t' q' hf' ht' d0 v0 cov sd Hf Ht.
exact: (BackwardCovering.backward_covering ok d0 v0 cov sd Hf Ht).
Qed.
