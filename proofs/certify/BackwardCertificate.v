(* The backward pass of attention: its bounds, closed and with the program's integers. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify.
From redblue Require Import Game Trace Count Segment Residency BackwardSegments Backward AttentionBackward.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* the gradient chains *)
Definition births n nk d := n * d + nk * (2 * d).
Lemma card_chains n' nk' d : #|K (Rw n') (Cl nk') d| = births n'.+1 nk'.+1 d.
Proof. by rewrite card_sum !card_prod card_bool !card_ord. Qed.
Lemma card_pairs n' nk' : #|E n' nk'| = n'.+1 * nk'.+1.
Proof. by rewrite card_prod !card_ord. Qed.

Section Bounds.
Variables (game : rules) (M n nk d : nat) (s : seq (move (attention_backward n d nk d))).
Hypothesis ok : legal game M s.
Notation L := (n_loads s 0 (size s) + births n nk d).
Notation S := (n_stores s 0 (size s)).

Theorem backward_14 f t q hf ht : L <= f + q * t -> most14 d f hf -> most14 d (M + t) ht ->
  14 * d ^ 2 * (n * nk) <= hf + q * ht + (M + d ^ 2) * S.
Proof.
move: s ok; case: n => [|n'] s' ok'; first by rewrite muln0.
move: s' ok'; case: nk => [|nk'] s' ok'; first by rewrite !muln0.
by rewrite -card_chains -card_pairs; apply: (backward14_any (b_ok n' nk' d) ok').
Qed.

Theorem backward_12 f t q hf ht : most12 d f hf -> most12 d (M + t) ht -> hf + q * ht < 12 * d ^ 2 * (n * nk) ->
  f + q * t + 1 <= L /\ f + q * t + 1 <= cost s.
Proof.
move: s ok; case: n => [|n'] s' ok'; first by rewrite muln0.
move: s' ok'; case: nk => [|nk'] s' ok'; first by rewrite !muln0.
rewrite -card_chains -card_pairs => Hf Ht W; split.
  exact: (backward12_any (b_ok n' nk' d) ok' Hf Ht W).
exact: (backward12_cost (b_ok n' nk' d) ok' Hf Ht W).
Qed.

Theorem backward_14_balance L12 T HT HM V : L12 <= L -> 0 < T -> 0 < L12 ->
  most14 d T HT -> most14 d (M + T) HM -> HM <= T * (M + d ^ 2) -> L12 < V ->
  T * HT + (L12 - 1) * HM + T * (M + d ^ 2) * (V - 1 - L12) < T * (14 * d ^ 2 * (n * nk)) ->
  V <= cost s + births n nk d.
Proof.
move: s ok; case: n => [|n'] s' ok'; first by rewrite mul0n !muln0.
move: s' ok'; case: nk => [|nk'] s' ok'; first by rewrite !muln0.
by rewrite -card_chains -card_pairs; apply: (backward14_balance (b_ok n' nk' d) ok').
Qed.

Theorem backward_14_first L12 F T HF HM V : L12 <= L -> 0 < T -> F <= L12 ->
  most14 d F HF -> most14 d (M + T) HM -> HM <= T * (M + d ^ 2) -> L12 < V ->
  T * HF + (L12 - F + (T - 1)) * HM + T * (M + d ^ 2) * (V - 1 - L12) < T * (14 * d ^ 2 * (n * nk)) ->
  V <= cost s + births n nk d.
Proof.
move: s ok; case: n => [|n'] s' ok'; first by rewrite mul0n !muln0.
move: s' ok'; case: nk => [|nk'] s' ok'; first by rewrite !muln0.
by rewrite -card_chains -card_pairs; apply: (backward14_first (b_ok n' nk' d) ok').
Qed.

Theorem backward_14_stores_first F T HF HM V : F <= L -> 0 < T ->
  most14 d F HF -> most14 d (M + T) HM -> T * (M + d ^ 2) <= HM ->
  T * HF + (V - 1 - births n nk d - F + (T - 1)) * HM + T * (M + d ^ 2) * births n nk d < T * (14 * d ^ 2 * (n * nk)) ->
  V <= cost s + births n nk d.
Proof.
move: s ok; case: n => [|n'] s' ok'; first by rewrite mul0n !muln0.
move: s' ok'; case: nk => [|nk'] s' ok'; first by rewrite !muln0.
rewrite -card_chains -card_pairs => l0; have bs := births_stores (b_ok n' nk' d) ok'.
exact: (backward14_stores_first (b_ok n' nk' d) ok' l0 bs).
Qed.

Theorem backward_14_stores T HT HM V : 0 < L -> 0 < T ->
  most14 d T HT -> most14 d (M + T) HM -> T * (M + d ^ 2) <= HM ->
  T * HT + (V - 2 - births n nk d) * HM + T * (M + d ^ 2) * births n nk d < T * (14 * d ^ 2 * (n * nk)) ->
  V <= cost s + births n nk d.
Proof.
move: s ok; case: n => [|n'] s' ok'; first by rewrite mul0n !muln0.
move: s' ok'; case: nk => [|nk'] s' ok'; first by rewrite !muln0.
rewrite -card_chains -card_pairs => l0; have bs := births_stores (b_ok n' nk' d) ok'.
exact: (backward14_stores (b_ok n' nk' d) ok' l0 bs).
Qed.

(* Q >= 12 n nk d^2 / M - M *)
Theorem backward_12_leading : 24 * d ^ 2 <= M -> 12 * (n * nk * d ^ 2) <= M * (cost s + M).
Proof.
move: s ok; case: n => [|n'] s' ok'; first by rewrite muln0.
move: s' ok'; case: nk => [|nk'] s' ok'; first by rewrite !muln0.
move=> dM; have := backward12_closed (b_ok n' nk' d) ok' dM; have := births_stores (b_ok n' nk' d) ok'.
rewrite card_chains card_pairs costE => bs le.
have -> : 12 * (n'.+1 * nk'.+1 * d ^ 2) = 12 * d ^ 2 * (n'.+1 * nk'.+1) by clear; lia.
apply: leq_trans le _; rewrite leq_mul2l; apply/orP; right; move: bs.
by move: (n_loads _ _ _) (n_stores _ _ _) => x y; clear; lia.
Qed.

(* Q >= (14 - 2 d^2 / (M + d^2)) n nk d^2 / M - (n d + 2 nk d) - M *)
Theorem backward_14_leading : 28 * d ^ 2 <= M ->
  (14 * M + 12 * d ^ 2) * (n * nk * d ^ 2) <= M * ((M + d ^ 2) * (cost s + births n nk d + M)).
Proof.
move: s ok; case: n => [|n'] s' ok'; first by rewrite muln0.
move: s' ok'; case: nk => [|nk'] s' ok'; first by rewrite !muln0.
move=> dM; have := backward14_leading (b_ok n' nk' d) ok' dM.
by rewrite card_chains card_pairs (mulnC (d ^ 2)).
Qed.

(* The same with 14 alone: 14 n nk d^2 <= M (Q + n d + 2 nk d + M + 2 n nk d^4 / M^2), the last one in whole words. *)
Theorem backward_14_closed : 28 * d ^ 2 <= M -> 0 < M ->
  14 * (n * nk * d ^ 2) <= M * (cost s + births n nk d + M + (2 * n * nk * d ^ 4) %/ M ^ 2 + 1).
Proof.
move=> dM M0; have le := backward_14_leading dM.
set W := n * nk * d ^ 2 in le *; set D := d ^ 2 in dM le *; set Q := cost s + births n nk d + M in le *.
have eW : 2 * n * nk * d ^ 4 = 2 * D * W.
  by rewrite /D /W (_ : d ^ 4 = d ^ 2 * d ^ 2) -?expnD //; clear; lia.
rewrite eW -(leq_pmul2l (_ : 0 < M * (M + D))); last by rewrite muln_gt0 M0 addn_gt0 M0.
have up := ltn_ceil (2 * D * W) (_ : 0 < M ^ 2); rewrite expn_gt0 M0 in up; have {up} := up isT.
set u := _ %/ _ => up.
have k1 := leq_mul (leqnn M) le.
have k2 : (M + D) * (2 * D * W) <= (M + D) * (u.+1 * M ^ 2) by rewrite leq_mul2l (ltnW up) orbT.
have e1 : M * (M + D) * (14 * W) = M * ((14 * M + 12 * D) * W) + M * (2 * D * W) by clear; lia.
have e2 : M * (M + D) * (M * (Q + u + 1)) = M * (M * ((M + D) * Q)) + (M + D) * (u.+1 * M ^ 2).
  by rewrite -mulnn; clear; lia.
rewrite e1 e2; apply: leq_add k1 _; apply: leq_trans k2; rewrite leq_mul2r leq_addr orbT //.
Qed.
End Bounds.

Open Scope N_scope.
Local Notation nat_ := N.to_nat.

(* h is enough for X words, weights of u at most a pair, v = 36 d^2 or 16 d^2: nothing carried, or all p tried *)
Definition chk (u v X h p : N) : bool :=
  let c := (X - p) * (X - p) / 4 in
  (c <=? h) && ((c + u * p <=? h) || (v * p * c <? (h - c + 1) * (h - c + 1))).
Definition all_below (n : N) (P : N -> bool) : bool :=
  (N.iter n (fun x => (x.1 + 1, x.2 && P x.1)) (0, true)).2.
Definition side (u v X h : N) : bool :=
  if (4 * u <=? X) && (X * X <? 4 * (h + 1)) then true else all_below (X + 1) (chk u v X h).

Lemma all_belowP n P : all_below n P -> forall p, p < n -> P p.
Proof.
rewrite /all_below; set F := (fun x : N * bool => _).
suff H : (N.iter n F (0, true)).1 = n /\ ((N.iter n F (0, true)).2 -> forall p, p < n -> P p) by case: H.
elim/N.peano_ind: n => [|n [IH1 IH2]]; first by split=> // _ p; lia.
rewrite N.iter_succ {1 2}/F /= IH1; split; first by lia.
move=> /andP[/IH2 H Pn] p pn; case: (N.eq_dec p n) => [->//|ne]; apply: H; lia.
Qed.

Lemma side_ok u v X h : side u v X h -> most (nat_ u) (nat_ v) (nat_ X) (nat_ h).
Proof.
rewrite /side; case: ifP => [/andP[/N.leb_le h1 /N.ltb_lt h2] _|_ /all_belowP H].
  by apply: most_free; [clear - h1; lia | rewrite -mulnn; clear - h2; nia].
move=> p R C w sum wu wv; have {H} := H (N.of_nat p) ltac:(clear - sum; lia).
rewrite /chk; set c := _ / 4; case/andP=> /N.leb_le ch H.
have rc4 : (4 * (R * C) <= (nat_ X - p) ^ 2)%nat.
  by apply: leq_trans (nat_AGM2 R C) _; rewrite leq_exp2r //; move: sum; clear; lia.
have rc : (R * C <= nat_ c)%nat.
  have : N.of_nat (R * C) <= c.
    apply: N.div_le_lower_bound => //; have -> : X - N.of_nat p = N.of_nat (nat_ X - p) by lia.
    by move: rc4; rewrite -mulnn; move: (nat_ X - p)%nat (R * C)%nat => y x; clear; lia.
  by clear; lia.
case/orP: H => [/N.leb_le H|/N.ltb_lt H].
  by move: H rc wu; move: (R * C)%nat => x; clear; nia.
have hw : (w ^ 2 < (nat_ h - nat_ c + 1) ^ 2)%nat.
  apply: leq_ltn_trans wv _; apply: (@leq_ltn_trans (nat_ v * p * nat_ c)); first by rewrite leq_mul2l rc orbT.
  by move: H ch; rewrite -mulnn; clear; nia.
by move: hw; rewrite ltn_exp2r //; move: rc ch; move: (R * C)%nat => x; clear; lia.
Qed.

Lemma most_trivial u v X : most u v X (X * X + u * X)%nat.
Proof.
move=> p R C w sum wu _; apply: leq_add; first by apply: leq_mul; move: sum; clear; lia.
by apply: leq_trans wu _; rewrite leq_mul2l; apply/orP; right; move: sum; clear; lia.
Qed.

(* The certificate. Of the loads (backward-12): first, length, segments - 1, most_first, most. *)
Definition b12_check (M n nk d f t q hf ht : N) : bool :=
  let d2 := d * d in
  [&& side (12 * d2) (16 * d2) f hf, if q =? 0 then true else side (12 * d2) (16 * d2) (M + t) ht &
      hf + q * ht <? 12 * d2 * (n * nk)].
(* Of both: length, most_first, most, events_and_stores V; the value B. *)
Definition b14_check (M n nk d f12 t12 q12 hf12 ht12 T HT HM V B : N) : bool :=
  let d2 := d * d in let L12 := f12 + q12 * t12 + 1 in
  b12_check M n nk d f12 t12 q12 hf12 ht12 && if B <=? L12 then true else
  [&& 0 <? T, side (14 * d2) (36 * d2) T HT,
      side (14 * d2) (36 * d2) (M + T) HM,
      if HM <=? T * (M + d2)
      then (L12 <? V) && (T * HT + (L12 - 1) * HM + T * (M + d2) * (V - 1 - L12) <? T * (14 * d2 * (n * nk)))
      else T * HT + (V - 2 - (n * d + nk * (2 * d))) * HM + T * (M + d2) * (n * d + nk * (2 * d)) <? T * (14 * d2 * (n * nk)) &
      B + n * d + nk * (2 * d) <=? V].

Section Certified.
Variables (game : rules) (M n nk d : N) (s : seq (move (attention_backward (nat_ n) (nat_ d) (nat_ nk) (nat_ d)))).
Hypothesis ok : legal game (nat_ M) s.
Let eD : nat_ (d * d) = (nat_ d ^ 2)%nat. Proof. by rewrite -mulnn; clear; lia. Qed.
Let eM x : nat_ (M + x) = (nat_ M + nat_ x)%nat. Proof. by clear; lia. Qed.
Let eu k : nat_ (k * (d * d)) = (nat_ k * nat_ d ^ 2)%nat. Proof. by rewrite -eD; clear; lia. Qed.

Lemma b12_certified f t q hf ht : b12_check M n nk d f t q hf ht ->
  (nat_ (f + q * t + 1) <= n_loads s 0 (size s) + births (nat_ n) (nat_ nk) (nat_ d))%nat /\
  f + q * t + 1 <= N.of_nat (cost s).
Proof.
case/and3P=> /side_ok sf st /N.ltb_lt W.
have eL : nat_ (f + q * t + 1) = (nat_ f + nat_ q * nat_ t + 1)%nat by clear; lia.
have W' x : (nat_ q * x = nat_ (q * ht))%nat -> (nat_ hf + nat_ q * x < 12 * nat_ d ^ 2 * (nat_ n * nat_ nk))%nat.
  move=> ->; have -> : (12 * nat_ d ^ 2 * (nat_ n * nat_ nk))%nat = nat_ (12 * (d * d) * (n * nk)).
    by rewrite -eD; clear; lia.
  by move: W; move: (q * ht) (12 * (d * d) * (n * nk)) => x1 x2; clear; lia.
rewrite !eu in sf st.
suff [h1 h2] : (nat_ f + nat_ q * nat_ t + 1 <= n_loads s 0 (size s) + births (nat_ n) (nat_ nk) (nat_ d))%nat /\
    (nat_ f + nat_ q * nat_ t + 1 <= cost s)%nat.
  by rewrite eL; split=> //; move: h2; move: (cost s) => c; rewrite -eL; clear; lia.
move: st; case: ifP => [/N.eqb_eq q0 _|_ /side_ok]; last first.
  rewrite !eu eM => st; apply: (backward_12 ok sf st); apply: W'; clear; lia.
apply: (backward_12 ok sf (@most_trivial _ _ _)); apply: W'; rewrite q0; clear; lia.
Qed.

Theorem b14_certified f12 t12 q12 hf12 ht12 T HT HM V B :
  b14_check M n nk d f12 t12 q12 hf12 ht12 T HT HM V B -> B <= N.of_nat (cost s).
Proof.
rewrite /b14_check; set L12 := _ + 1 => /andP[/b12_certified]; rewrite -/L12 => -[l12 c12].
case: ifP => [/N.leb_le le _|_]; first exact: N.le_trans le c12.
case/and5P=> /N.ltb_lt T0 /side_ok sT /side_ok sM chk14 /N.leb_le BV.
rewrite !eu in sT sM; rewrite eM in sM.
have L0 : (0 < nat_ L12)%nat by rewrite /L12; clear; lia.
have := @backward_14_balance game (nat_ M) (nat_ n) (nat_ nk) (nat_ d) s ok (nat_ L12) (nat_ T) (nat_ HT) (nat_ HM) (nat_ V) l12.
move=> H; have {H} : (nat_ V <= cost s + births (nat_ n) (nat_ nk) (nat_ d))%nat.
  have bE : births (nat_ n) (nat_ nk) (nat_ d) = nat_ (n * d + nk * (2 * d)) by rewrite /births; clear; lia.
  move: chk14; case: ifP => [/N.leb_le le /andP[/N.ltb_lt LV /N.ltb_lt W14]|/N.leb_gt le /N.ltb_lt W14]; last first.
    have l0 : (0 < n_loads s 0 (size s) + births (nat_ n) (nat_ nk) (nat_ d))%nat by apply: leq_trans l12.
    have T0' : (0 < nat_ T)%nat by clear - T0; lia.
    have eA : (nat_ T * (nat_ M + nat_ d ^ 2))%nat = nat_ (T * (M + d * d)) by rewrite -eD; clear; lia.
    apply: (backward_14_stores ok l0 T0' sT sM); rewrite eA.
      by move: le; move: (T * (M + d * d)) => x; clear; lia.
    rewrite bE; move: W14; move: (T * (M + d * d)) (n * d + nk * (2 * d)) => x y W14.
    have -> : (nat_ T * (14 * nat_ d ^ 2 * (nat_ n * nat_ nk)))%nat = nat_ (T * (14 * (d * d) * (n * nk))).
      by rewrite -eD; clear; lia.
    have -> : (nat_ T * nat_ HT + (nat_ V - 2 - nat_ y) * nat_ HM + nat_ x * nat_ y)%nat =
      nat_ (T * HT + (V - 2 - y) * HM + x * y) by clear; lia.
    by move: W14; move: (T * HT + _ + _) (T * (14 * _ * _)) => x1 x2; clear; lia.
  apply: H => //; rewrite -?eD.
  - by clear - T0; lia.
  - move: le; have -> : (nat_ T * (nat_ M + nat_ (d * d)))%nat = nat_ (T * (M + d * d)) by clear; lia.
    by move: (T * (M + d * d)) => x; clear; lia.
  - by clear - LV; lia.
  have -> : (nat_ T * (14 * nat_ (d * d) * (nat_ n * nat_ nk)))%nat = nat_ (T * (14 * (d * d) * (n * nk))) by clear; lia.
  have -> : (nat_ T * nat_ HT + (nat_ L12 - 1) * nat_ HM + nat_ T * (nat_ M + nat_ (d * d)) * (nat_ V - 1 - nat_ L12))%nat =
    nat_ (T * HT + (L12 - 1) * HM + T * (M + d * d) * (V - 1 - L12)) by clear; lia.
  by move: W14; move: (T * HT + _ + _) (T * (14 * _ * _)) => x1 x2; clear; lia.
rewrite /births; move: BV; move: (cost s) => c.
have -> : (nat_ n * nat_ d + nat_ nk * (2 * nat_ d))%nat = nat_ (n * d + nk * (2 * d)) by clear; lia.
by rewrite -N.add_assoc; move: (n * d + nk * (2 * d)) => x; clear; lia.
Qed.

(* with a first segment of F events, which there are: F <= L12 *)
Definition b14_first_check (f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  let d2 := d * d in let L12 := f12 + q12 * t12 + 1 in let b := n * d + nk * (2 * d) in
  b12_check M n nk d f12 t12 q12 hf12 ht12 &&
  [&& 0 <? T, side (14 * d2) (36 * d2) F HF, side (14 * d2) (36 * d2) (M + T) HM,
      if HM <=? T * (M + d2)
      then (L12 <? V) && (T * HF + (L12 - F + (T - 1)) * HM + T * (M + d2) * (V - 1 - L12) <? T * (14 * d2 * (n * nk)))
      else T * HF + (V - 1 - b - F + (T - 1)) * HM + T * (M + d2) * b <? T * (14 * d2 * (n * nk)) &
      (F <=? L12) && (B + n * d + nk * (2 * d) <=? V)].
Theorem b14_first_certified f12 t12 q12 hf12 ht12 F T HF HM V B :
  b14_first_check f12 t12 q12 hf12 ht12 F T HF HM V B -> B <= N.of_nat (cost s).
Proof.
rewrite /b14_first_check; set L12 := _ + 1 => /andP[/b12_certified]; rewrite -/L12 => -[l12 c12].
case/and5P=> /N.ltb_lt T0 /side_ok sT /side_ok sM chk /andP[/N.leb_le FL /N.leb_le BV].
rewrite !eu in sT sM; rewrite eM in sM.
have T0' : (0 < nat_ T)%nat by clear - T0; lia.
have FL' : (nat_ F <= nat_ L12)%nat by clear - FL; lia.
have eA : (nat_ T * (nat_ M + nat_ d ^ 2))%nat = nat_ (T * (M + d * d)) by rewrite -eD; clear; lia.
have eW : (nat_ T * (14 * nat_ d ^ 2 * (nat_ n * nat_ nk)))%nat = nat_ (T * (14 * (d * d) * (n * nk))) by rewrite -eD; clear; lia.
have bE : births (nat_ n) (nat_ nk) (nat_ d) = nat_ (n * d + nk * (2 * d)) by rewrite /births; clear; lia.
suff : (nat_ V <= cost s + births (nat_ n) (nat_ nk) (nat_ d))%nat.
  by rewrite bE; move: BV; rewrite -N.add_assoc; move: (cost s) (n * d + nk * (2 * d)) => c x; clear; lia.
move: chk; case: ifP => [/N.leb_le le /andP[/N.ltb_lt LV /N.ltb_lt W14]|/N.leb_gt le /N.ltb_lt W14].
  apply: (@backward_14_first game (nat_ M) (nat_ n) (nat_ nk) (nat_ d) s ok _ _ _ _ _ _ l12 T0' FL' sT sM); rewrite ?eA ?eW.
  - by move: le; move: (T * _) => x; clear; lia.
  - by clear - LV; lia.
  by move: W14; move: (T * (M + d * d)) (T * (14 * _ * _)) => x1 x2; clear; lia.
apply: (@backward_14_stores_first game (nat_ M) (nat_ n) (nat_ nk) (nat_ d) s ok _ _ _ _ _ (leq_trans FL' l12) T0' sT sM); rewrite ?eA ?eW ?bE.
  by move: le; move: (T * _) => x; clear; lia.
by move: W14; move: (T * (M + d * d)) (T * (14 * _ * _)) (n * d + nk * (2 * d)) => x1 x2 x3; clear; lia.
Qed.
End Certified.

(* What a certificate of backward-12 or backward-14 is asked, and the bound that follows. *)
Definition backward_12_check (M n nk d f t q hf ht B : N) : bool := b12_check M n nk d f t q hf ht && (B <=? f + q * t + 1).
Theorem backward_12_certificate game M n nk d f t q hf ht B : backward_12_check M n nk d f t q hf ht B ->
  forall s : seq (move (attention_backward (nat_ n) (nat_ d) (nat_ nk) (nat_ d))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
by case/andP=> chk /N.leb_le le s ok; apply: N.le_trans le _; have [] := b12_certified ok chk.
Qed.

(* of the loads (backward-12): `first`, `length`, segments - 1, `most_first`, `most`; of both: `first`, `length`, `most_first`, `most`,
   `events_and_stores`; the value.  A first segment as long as the others need not be full. *)
Definition backward_14_check (M n nk d f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  if F <=? f12 + q12 * t12 + 1 then (if B <=? f12 + q12 * t12 + 1 then backward_12_check M n nk d f12 t12 q12 hf12 ht12 B
    else b14_first_check M n nk d f12 t12 q12 hf12 ht12 F T HF HM V B)
  else (F =? T) && b14_check M n nk d f12 t12 q12 hf12 ht12 T HF HM V B.
Theorem backward_14_certificate game M n nk d f12 t12 q12 hf12 ht12 F T HF HM V B :
  backward_14_check M n nk d f12 t12 q12 hf12 ht12 F T HF HM V B ->
  forall s : seq (move (attention_backward (nat_ n) (nat_ d) (nat_ nk) (nat_ d))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
rewrite /backward_14_check; case: ifP => _; last by case/andP=> _ chk s ok; exact: (b14_certified ok chk).
by case: ifP => _ chk s ok; [exact: (backward_12_certificate chk ok) | exact: (b14_first_certified ok chk)].
Qed.

(* redblue bound attention-backward:n=16384,d=64 -M 256K: 14 with a first segment of M + T events *)
Theorem backward_16384_64 game :
  forall s : seq (move (attention_backward (nat_ 16384) (nat_ 64) (nat_ 16384) (nat_ 64))),
  legal game (nat_ 262144) s -> 55450831 <= N.of_nat (cost s).
Proof.
by apply: (@backward_14_certificate game 262144 16384 16384 64 524478 262143 191 68769293121 68719214592
  521644 259500 68028115684 68028115684 58596559); vm_compute.
Qed.
