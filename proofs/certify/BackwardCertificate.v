(* The backward pass of attention: its bounds, closed and with the program's integers. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment Residency BackwardSegments Backward Mask AttentionBackward AttentionCertificate CarriedWork Carried.
From redblue Require MaskedBackward.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Open Scope nat_scope.
(* the gradient chains *)
Definition births n nk d := n * d + nk * (2 * d).
Lemma card_chains n nk d : #|K [finType of 'I_n] [finType of 'I_nk] d| = births n nk d.
Proof. by rewrite card_sum !card_prod card_bool !card_ord. Qed.
Lemma card_pairs n' nk' : #|E n' nk'| = n'.+1 * nk'.+1.
Proof. by rewrite card_prod !card_ord. Qed.

(* Q >= 12 n nk d^2 / M - M *)
Theorem backward_12_leading game M n nk d (s : seq (move (attention_backward n d nk d))) : legal game M s ->
  24 * d ^ 2 <= M -> 12 * (n * nk * d ^ 2) <= M * (cost s + M).
Proof.
move: s; case: n => [|n'] s ok; first by rewrite muln0.
move: s ok; case: nk => [|nk'] s ok; first by rewrite !muln0.
by move=> dM; have := backward12_leading (b_ok n' nk' d) ok dM; rewrite card_pairs (mulnC (d ^ 2)).
Qed.

(* Q >= (14 - 2 d^2 / (M + d^2)) n nk d^2 / M - (n d + 2 nk d) - M *)
Theorem backward_14_leading game M n nk d (s : seq (move (attention_backward n d nk d))) : legal game M s ->
  28 * d ^ 2 <= M -> (14 * M + 12 * d ^ 2) * (n * nk * d ^ 2) <= M * ((M + d ^ 2) * (cost s + births n nk d + M)).
Proof.
move: s; case: n => [|n'] s ok; first by rewrite muln0.
move: s ok; case: nk => [|nk'] s ok; first by rewrite !muln0.
by move=> dM; have := backward14_leading (b_ok n' nk' d) ok dM; rewrite card_chains card_pairs (mulnC (d ^ 2)).
Qed.

(* On a mask in which every row and every column keeps a pair: the number of pairs in place of n nk. *)
Theorem masked_backward_12_leading game M n nk d mask (s : seq (move (@MaskedBackward.attention_backward n d nk d mask))) :
  legal game M s -> (forall i, exists j, mask i j) -> (forall j, exists i, mask i j) ->
  24 * d ^ 2 <= M -> 12 * (#|pair mask| * d ^ 2) <= M * (cost s + M).
Proof.
move=> ok rows cols dM; have [len [z [jX [jY bw]]]] := MaskedBackward.b_ok d rows cols.
by have := backward12_leading bw ok dM; rewrite (mulnC (d ^ 2)).
Qed.
Theorem masked_backward_14_leading game M n nk d mask (s : seq (move (@MaskedBackward.attention_backward n d nk d mask))) :
  legal game M s -> (forall i, exists j, mask i j) -> (forall j, exists i, mask i j) -> 28 * d ^ 2 <= M ->
  (14 * M + 12 * d ^ 2) * (#|pair mask| * d ^ 2) <= M * ((M + d ^ 2) * (cost s + births n nk d + M)).
Proof.
move=> ok rows cols dM; have [len [z [jX [jY bw]]]] := MaskedBackward.b_ok d rows cols.
by have := backward14_leading bw ok dM; rewrite card_chains (mulnC (d ^ 2)).
Qed.

Open Scope N_scope.
Local Notation nat_ := N.to_nat.

(* h is enough for X words, weights of u at most a pair, v = 36 d^2 or 16 d^2 *)
Definition side (u v X h : N) : bool := carried_holds 1 u v 1 1 X h X.

Lemma side_ok u v X h : side u v X h -> most (nat_ u) (nat_ v) (nat_ X) (nat_ h).
Proof.
move=> /carried_ok H p R C w sum wu wv; rewrite -[(R * C)%nat]mul1n; apply: (H p) => //; rewrite ?mul1n //.
by move: sum; clear; lia.
Qed.

Lemma most_trivial u v X : most u v X (X * X + u * X)%nat.
Proof.
move=> p R C w sum wu _; apply: leq_add; first by apply: leq_mul; move: sum; clear; lia.
by apply: leq_trans wu _; rewrite leq_mul2l; apply/orP; right; move: sum; clear; lia.
Qed.

(* The certificate. Of the loads (backward-12): first, length, segments - 1, most_first, most. *)
Definition b12_check (M np d f t q hf ht : N) : bool :=
  let d2 := d * d in
  [&& side (12 * d2) (16 * d2) f hf, if q =? 0 then true else side (12 * d2) (16 * d2) (M + t) ht &
      hf + q * ht <? 12 * d2 * np].
(* Of both: length, most_first, most, events_and_stores V; the value B. *)
Definition b14_check (M b np d f12 t12 q12 hf12 ht12 T HT HM V B : N) : bool :=
  let d2 := d * d in let L12 := f12 + q12 * t12 + 1 in
  b12_check M np d f12 t12 q12 hf12 ht12 && if B <=? L12 then true else
  [&& 0 <? T, side (14 * d2) (36 * d2) T HT,
      side (14 * d2) (36 * d2) (M + T) HM,
      if HM <=? T * (M + d2)
      then (L12 <? V) && (T * HT + (L12 - 1) * HM + T * (M + d2) * (V - 1 - L12) <? T * (14 * d2 * np))
      else T * HT + (V - 2 - b) * HM + T * (M + d2) * b <? T * (14 * d2 * np) &
      B + b <=? V].

Section Certified.
(* any backward pass of np pairs and b gradient chains *)
Variables (M b np d : N) (Rw Cl E : finType) (row : E -> Rw) (col : E -> Cl) (G : cdag).
Variables (len : K Rw Cl (nat_ d) -> nat) (z : K Rw Cl (nat_ d) -> nat -> G) (word : G -> bword Rw Cl E (nat_ d))
  (rw : Rw -> Sl2 (nat_ d) -> G) (cw : Cl -> Sl2 (nat_ d) -> G) (rootS rootP : E -> G) (jX jY : E -> nat).
Hypothesis bw : backward row col len z word rw cw rootS rootP jX jY.
Hypotheses (cE : #|E| = nat_ np) (cK : #|K Rw Cl (nat_ d)| = nat_ b).
Variables (game : rules) (s : seq (move G)).
Hypothesis ok : legal game (nat_ M) s.
Let eD : nat_ (d * d) = (nat_ d ^ 2)%nat. Proof. by rewrite -mulnn; clear; lia. Qed.
Let eM x : nat_ (M + x) = (nat_ M + nat_ x)%nat. Proof. by clear; lia. Qed.
Let eu k : nat_ (k * (d * d)) = (nat_ k * nat_ d ^ 2)%nat. Proof. by rewrite -eD; clear; lia. Qed.

Lemma b12_certified f t q hf ht : b12_check M np d f t q hf ht ->
  (nat_ (f + q * t + 1) <= n_loads s 0 (size s) + nat_ b)%nat /\
  f + q * t + 1 <= N.of_nat (cost s).
Proof.
case/and3P=> /side_ok sf st /N.ltb_lt W.
have eL : nat_ (f + q * t + 1) = (nat_ f + nat_ q * nat_ t + 1)%nat by clear; lia.
have W' x : (nat_ q * x = nat_ (q * ht))%nat -> (nat_ hf + nat_ q * x < 12 * nat_ d ^ 2 * nat_ np)%nat.
  move=> ->; have -> : (12 * nat_ d ^ 2 * nat_ np)%nat = nat_ (12 * (d * d) * np).
    by rewrite -eD; clear; lia.
  by move: W; move: (q * ht) (12 * (d * d) * np) => x1 x2; clear; lia.
rewrite !eu in sf st.
suff [h1 h2] : (nat_ f + nat_ q * nat_ t + 1 <= n_loads s 0 (size s) + nat_ b)%nat /\
    (nat_ f + nat_ q * nat_ t + 1 <= cost s)%nat.
  by rewrite eL; split=> //; move: h2; move: (cost s) => c; rewrite -eL; clear; lia.
move: st; case: ifP => [/N.eqb_eq q0 _|_ /side_ok]; last first.
  by rewrite !eu eM -cK => st; split; [apply: (backward12_any bw ok sf st) | apply: (backward12_cost bw ok sf st)]; rewrite cE; apply: W'; clear; lia.
have tr := @most_trivial; rewrite -cK; split; [apply: (backward12_any bw ok sf (tr _ _ _)) | apply: (backward12_cost bw ok sf (tr _ _ _))];
  by rewrite cE; apply: W'; rewrite q0; clear; lia.
Qed.

Theorem b14_certified f12 t12 q12 hf12 ht12 T HT HM V B :
  b14_check M b np d f12 t12 q12 hf12 ht12 T HT HM V B -> B <= N.of_nat (cost s).
Proof.
rewrite /b14_check; set L12 := _ + 1 => /andP[/b12_certified]; rewrite -/L12 => -[l12 c12].
case: ifP => [/N.leb_le le _|_]; first exact: N.le_trans le c12.
case/and5P=> /N.ltb_lt T0 /side_ok sT /side_ok sM chk14 /N.leb_le BV.
rewrite !eu in sT sM; rewrite eM in sM.
have L0 : (0 < nat_ L12)%nat by rewrite /L12; clear; lia.
have bs := births_stores bw ok; rewrite cK in bs.
have : (nat_ V <= cost s + nat_ b)%nat.
  move: chk14; case: ifP => [/N.leb_le le /andP[/N.ltb_lt LV /N.ltb_lt W14]|/N.leb_gt le /N.ltb_lt W14]; last first.
    have l0 : (0 < n_loads s 0 (size s) + nat_ b)%nat by apply: leq_trans l12.
    rewrite -cK in bs l0 *.
    have T0' : (0 < nat_ T)%nat by clear - T0; lia.
    have eA : (nat_ T * (nat_ M + nat_ d ^ 2))%nat = nat_ (T * (M + d * d)) by rewrite -eD; clear; lia.
    apply: (backward14_stores bw ok l0 bs T0' sT sM); rewrite eA ?cE ?cK.
      by move: le; move: (T * (M + d * d)) => x; clear; lia.
    move: W14; move: (T * (M + d * d)) => x W14.
    have -> : (nat_ T * (14 * nat_ d ^ 2 * nat_ np))%nat = nat_ (T * (14 * (d * d) * np)).
      by rewrite -eD; clear; lia.
    have -> : (nat_ T * nat_ HT + (nat_ V - 2 - nat_ b) * nat_ HM + nat_ x * nat_ b)%nat =
      nat_ (T * HT + (V - 2 - b) * HM + x * b) by clear; lia.
    by move: W14; move: (T * HT + _ + _) (T * (14 * _ * _)) => x1 x2; clear; lia.
  rewrite -cK in l12 *; apply: (backward14_balance bw ok l12 _ L0 sT sM) => //; rewrite ?cE -?eD.
  - by clear - T0; lia.
  - move: le; have -> : (nat_ T * (nat_ M + nat_ (d * d)))%nat = nat_ (T * (M + d * d)) by clear; lia.
    by move: (T * (M + d * d)) => x; clear; lia.
  - by clear - LV; lia.
  have -> : (nat_ T * (14 * nat_ (d * d) * nat_ np))%nat = nat_ (T * (14 * (d * d) * np)) by clear; lia.
  have -> : (nat_ T * nat_ HT + (nat_ L12 - 1) * nat_ HM + nat_ T * (nat_ M + nat_ (d * d)) * (nat_ V - 1 - nat_ L12))%nat =
    nat_ (T * HT + (L12 - 1) * HM + T * (M + d * d) * (V - 1 - L12)) by clear; lia.
  by move: W14; move: (T * HT + _ + _) (T * (14 * _ * _)) => x1 x2; clear; lia.
by move: BV; move: (cost s) => c; clear; lia.
Qed.

(* with a first segment of F events, which there are: F <= L12 *)
Definition b14_first_check (f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  let d2 := d * d in let L12 := f12 + q12 * t12 + 1 in
  b12_check M np d f12 t12 q12 hf12 ht12 &&
  [&& 0 <? T, side (14 * d2) (36 * d2) F HF, side (14 * d2) (36 * d2) (M + T) HM,
      if HM <=? T * (M + d2)
      then (L12 <? V) && (T * HF + (L12 - F + (T - 1)) * HM + T * (M + d2) * (V - 1 - L12) <? T * (14 * d2 * np))
      else T * HF + (V - 1 - b - F + (T - 1)) * HM + T * (M + d2) * b <? T * (14 * d2 * np) &
      (F <=? L12) && (B + b <=? V)].
Theorem b14_first_certified f12 t12 q12 hf12 ht12 F T HF HM V B :
  b14_first_check f12 t12 q12 hf12 ht12 F T HF HM V B -> B <= N.of_nat (cost s).
Proof.
rewrite /b14_first_check; set L12 := _ + 1 => /andP[/b12_certified]; rewrite -/L12 => -[l12 c12].
case/and5P=> /N.ltb_lt T0 /side_ok sT /side_ok sM chk /andP[/N.leb_le FL /N.leb_le BV].
rewrite !eu in sT sM; rewrite eM in sM.
have T0' : (0 < nat_ T)%nat by clear - T0; lia.
have FL' : (nat_ F <= nat_ L12)%nat by clear - FL; lia.
have eA : (nat_ T * (nat_ M + nat_ d ^ 2))%nat = nat_ (T * (M + d * d)) by rewrite -eD; clear; lia.
have eW : (nat_ T * (14 * nat_ d ^ 2 * nat_ np))%nat = nat_ (T * (14 * (d * d) * np)) by rewrite -eD; clear; lia.
have bs := births_stores bw ok.
suff : (nat_ V <= cost s + nat_ b)%nat by move: BV; move: (cost s) => c; clear; lia.
rewrite -cK in l12 *.
move: chk; case: ifP => [/N.leb_le le /andP[/N.ltb_lt LV /N.ltb_lt W14]|/N.leb_gt le /N.ltb_lt W14].
  apply: (backward14_first bw ok l12 T0' FL' sT sM); rewrite ?cE ?eA ?eW.
  - by move: le; move: (T * _) => x; clear; lia.
  - by clear - LV; lia.
  by move: W14; move: (T * (M + d * d)) (T * (14 * _ * _)) => x1 x2; clear; lia.
apply: (backward14_stores_first bw ok (leq_trans FL' l12) bs T0' sT sM); rewrite ?cE ?eA ?eW ?cK.
  by move: le; move: (T * _) => x; clear; lia.
by move: W14; move: (T * (M + d * d)) (T * (14 * _ * _)) => x1 x2; clear; lia.
Qed.
End Certified.

(* What a certificate of backward-12 or backward-14 is asked, and the bound that follows. *)
Definition b12_all (M np d f t q hf ht B : N) : bool := b12_check M np d f t q hf ht && (B <=? f + q * t + 1).
(* of the loads (backward-12): `first`, `length`, segments - 1, `most_first`, `most`; of both: `first`, `length`, `most_first`, `most`,
   `events_and_stores`; the value.  A first segment as long as the others need not be full. *)
Definition b14_all (M b np d f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  if F <=? f12 + q12 * t12 + 1 then (if B <=? f12 + q12 * t12 + 1 then b12_all M np d f12 t12 q12 hf12 ht12 B
    else b14_first_check M b np d f12 t12 q12 hf12 ht12 F T HF HM V B)
  else (F =? T) && b14_check M b np d f12 t12 q12 hf12 ht12 T HF HM V B.

Section All.
Variables (M b np d : N) (Rw Cl E : finType) (row : E -> Rw) (col : E -> Cl) (G : cdag).
Variables (len : K Rw Cl (nat_ d) -> nat) (z : K Rw Cl (nat_ d) -> nat -> G) (word : G -> bword Rw Cl E (nat_ d))
  (rw : Rw -> Sl2 (nat_ d) -> G) (cw : Cl -> Sl2 (nat_ d) -> G) (rootS rootP : E -> G) (jX jY : E -> nat).
Hypothesis bw : backward row col len z word rw cw rootS rootP jX jY.
Hypotheses (cE : #|E| = nat_ np) (cK : #|K Rw Cl (nat_ d)| = nat_ b).
Variables (game : rules) (s : seq (move G)).
Hypothesis ok : legal game (nat_ M) s.
Lemma b12_all_ok f t q hf ht B : b12_all M np d f t q hf ht B -> B <= N.of_nat (cost s).
Proof. by case/andP=> chk /N.leb_le le; apply: N.le_trans le _; have [] := b12_certified bw cE cK ok chk. Qed.
Lemma b14_all_ok f12 t12 q12 hf12 ht12 F T HF HM V B :
  b14_all M b np d f12 t12 q12 hf12 ht12 F T HF HM V B -> B <= N.of_nat (cost s).
Proof.
rewrite /b14_all; case: ifP => _; last by case/andP=> _; apply: (b14_certified bw cE cK ok).
by case: ifP => _; [apply: b12_all_ok | apply: (b14_first_certified bw cE cK ok)].
Qed.
End All.

Lemma b12_no_pairs M d f t q hf ht : b12_check M 0 d f t q hf ht = false.
Proof. by rewrite /b12_check N.mul_0_r; case: N.ltb_spec0 => [/N.nlt_0_r|_] //; rewrite !andbF. Qed.
Lemma b14_no_pairs M b d f12 t12 q12 hf12 ht12 F T HF HM V B : b14_all M b 0 d f12 t12 q12 hf12 ht12 F T HF HM V B = false.
Proof. by rewrite /b14_all /b12_all /b14_first_check /b14_check !b12_no_pairs /= andbF; case: ifP => _ //; case: ifP. Qed.

Definition backward_12_check (M n nk d f t q hf ht B : N) : bool := b12_all M (n * nk) d f t q hf ht B.
Theorem backward_12_certificate game M n nk d f t q hf ht B : backward_12_check M n nk d f t q hf ht B ->
  forall s : seq (move (attention_backward (nat_ n) (nat_ d) (nat_ nk) (nat_ d))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
rewrite /backward_12_check => chk s ok; have cP : (nat_ n * nat_ nk)%nat = nat_ (n * nk) by clear; lia.
move: chk; have := cP; move: (n * nk) => np {cP}.
have no : np = 0 -> b12_all M np d f t q hf ht B -> B <= N.of_nat (cost s) by move=> ->; rewrite /b12_all b12_no_pairs.
move: s ok no; case: (nat_ n) => [|n'] s ok no cP; first by apply: no; clear - cP; lia.
move: s ok no cP; case: (nat_ nk) => [|nk'] s ok no cP; first by apply: no; clear - cP; lia.
by apply: (b12_all_ok (b := N.of_nat (births n'.+1 nk'.+1 (nat_ d))) (b_ok n' nk' (nat_ d)) _ _ ok); rewrite ?card_chains ?card_pairs ?Nnat.Nat2N.id.
Qed.

Definition backward_14_check (M n nk d f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  b14_all M (n * d + nk * (2 * d)) (n * nk) d f12 t12 q12 hf12 ht12 F T HF HM V B.
Theorem backward_14_certificate game M n nk d f12 t12 q12 hf12 ht12 F T HF HM V B :
  backward_14_check M n nk d f12 t12 q12 hf12 ht12 F T HF HM V B ->
  forall s : seq (move (attention_backward (nat_ n) (nat_ d) (nat_ nk) (nat_ d))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
rewrite /backward_14_check => chk s ok; have cP : (nat_ n * nat_ nk)%nat = nat_ (n * nk) by clear; lia.
have cB : births (nat_ n) (nat_ nk) (nat_ d) = nat_ (n * d + nk * (2 * d)) by rewrite /births; clear; lia.
move: chk; have := cP; have := cB; move: (n * nk) (n * d + nk * (2 * d)) => np b {cP cB}.
have no : np = 0 -> b14_all M b np d f12 t12 q12 hf12 ht12 F T HF HM V B -> B <= N.of_nat (cost s) by move=> ->; rewrite b14_no_pairs.
move: s ok no; case: (nat_ n) => [|n'] s ok no cB cP; first by apply: no; clear - cP; lia.
move: s ok no cB cP; case: (nat_ nk) => [|nk'] s ok no cB cP; first by apply: no; clear - cP; lia.
by apply: (b14_all_ok (b_ok n' nk' (nat_ d)) _ _ ok); rewrite ?card_chains ?card_pairs.
Qed.

(* A mask of np pairs in which every row and every column keeps one. *)
Theorem masked_backward_12_certificate game M n nk d np f t q hf ht B : b12_all M np d f t q hf ht B ->
  forall mask : 'I_(nat_ n) -> 'I_(nat_ nk) -> bool,
  (forall i, exists j, mask i j) -> (forall j, exists i, mask i j) -> #|pair mask| = nat_ np ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) mask)), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
move=> chk mask rows cols card s ok; have [len [z [jX [jY bw]]]] := MaskedBackward.b_ok (nat_ d) rows cols.
by apply: (b12_all_ok (b := N.of_nat (births (nat_ n) (nat_ nk) (nat_ d))) bw card _ ok chk); rewrite card_chains Nnat.Nat2N.id.
Qed.
Theorem masked_backward_14_certificate game M n nk d np f12 t12 q12 hf12 ht12 F T HF HM V B :
  b14_all M (n * d + nk * (2 * d)) np d f12 t12 q12 hf12 ht12 F T HF HM V B ->
  forall mask : 'I_(nat_ n) -> 'I_(nat_ nk) -> bool,
  (forall i, exists j, mask i j) -> (forall j, exists i, mask i j) -> #|pair mask| = nat_ np ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) mask)), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
move=> chk mask rows cols card s ok; have [len [z [jX [jY bw]]]] := MaskedBackward.b_ok (nat_ d) rows cols.
by apply: (b14_all_ok bw card _ ok chk); rewrite card_chains /births; clear; lia.
Qed.

Definition causal_backward_12_check (M n d f t q hf ht B : N) : bool := b12_all M (n * (n + 1) / 2) d f t q hf ht B.
Theorem causal_backward_12_certificate game M n d f t q hf ht B : causal_backward_12_check M n d f t q hf ht B ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) (@causal (nat_ n)))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof. by move=> chk s; apply: (masked_backward_12_certificate (n := n) (nk := n) chk); [move=> i; exists i; apply: leqnn..| exact: causal_pairs]. Qed.
Definition causal_backward_14_check (M n d f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  b14_all M (n * d + n * (2 * d)) (n * (n + 1) / 2) d f12 t12 q12 hf12 ht12 F T HF HM V B.
Theorem causal_backward_14_certificate game M n d f12 t12 q12 hf12 ht12 F T HF HM V B :
  causal_backward_14_check M n d f12 t12 q12 hf12 ht12 F T HF HM V B ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) (@causal (nat_ n)))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof. by move=> chk s; apply: (masked_backward_14_certificate (n := n) (nk := n) chk); [move=> i; exists i; apply: leqnn..| exact: causal_pairs]. Qed.

(* redblue bound attention-backward:n=16384,d=64 -M 256K: 14 with a first segment of M + T events *)
Theorem backward_16384_64 game :
  forall s : seq (move (attention_backward (nat_ 16384) (nat_ 64) (nat_ 16384) (nat_ 64))),
  legal game (nat_ 262144) s -> 55450831 <= N.of_nat (cost s).
Proof.
by apply: (@backward_14_certificate game 262144 16384 16384 64 524478 262143 191 68769293121 68719214592
  521644 259500 68028115684 68028115684 58596559); vm_compute.
Qed.
