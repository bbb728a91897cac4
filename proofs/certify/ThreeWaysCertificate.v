(* A certificate of attention-three-way: the program's integers, checked by vm_compute.  Cells of values of a words of rows and columns and b
   of others are cut in two until the work at each one's upper corner is small enough. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game ThreeWaysMost Mask AttentionCertificate AttentionThreeWays.
From redblue Require Attention MaskedAttention.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

Section Cells.
Variables dk dv M wn rest X most : N.

(* No more work than `most` with a, b and p words? *)
Definition below (a b p : N) : bool :=
  let u := p + M in
  let z1 := N.min (a * b / (4 * dk)) (a * a * dv / (4 * (dk * dk))) in
  let z2 := N.min (N.sqrt ((a * a + 4 * (dk * dk) * p) * (b * b)) / (4 * dk)) (z1 + p * dv) in
  let hs := N.min (N.sqrt (u * (a * a)) / 2) (u * dk) in
  wn * dk * z1 + rest * dk * z2 + wn * dv * hs <=? most.

(* At all a from a0 to a1 and b from b0 to b1? *)
Fixpoint cell (depth : nat) (a0 a1 b0 b1 : N) : bool :=
  if X <? a0 + b0 then true else if below a1 b1 (X - (a0 + b0)) then true else
  if depth is k.+1 then
    let a := (a0 + a1) / 2 in let b := (b0 + b1) / 2 in
    if b1 - b0 <? a1 - a0 then (if cell k a0 a b0 b1 then cell k (a + 1) a1 b0 b1 else false)
    else (if cell k a0 a1 b0 b then cell k a0 a1 (b + 1) b1 else false)
  else false.
Definition cells : bool := cell (2 * N.size_nat X + 2) 0 X 0 X.

Hypothesis dk0 : 0 < dk.
Lemma below_ok a b p A B P u Z1 Z2 HS : below A B P -> a <= A -> b <= B -> p <= P -> u <= P + M ->
  4 * dk * Z1 <= a * b -> 4 * (dk * dk) * Z1 <= a * a * dv ->
  4 * dk * Z2 * (4 * dk * Z2) <= (a * a + 4 * (dk * dk) * p) * (b * b) -> Z2 <= Z1 + p * dv ->
  2 * HS * (2 * HS) <= u * (a * a) -> HS <= u * dk -> wn * dk * Z1 + rest * dk * Z2 + wn * dv * HS <= most.
Proof.
rewrite /below; set z1 := N.min _ (_ / (4 * (dk * dk))); set z2 := N.min _ (z1 + _); set hs := N.min _ (_ * dk).
move=> /N.leb_le ok aA bB pP uP h1 h2 h3 h4 h5 h6; have aa := N.mul_le_mono _ _ _ _ aA aA; have bb := N.mul_le_mono _ _ _ _ bB bB.
have l1 : Z1 <= z1.
  apply: N.min_glb; apply: N.div_le_lower_bound; try by clear - dk0; nia.
    by apply: N.le_trans h1 _; apply: N.mul_le_mono.
  by apply: N.le_trans h2 _; apply: N.mul_le_mono_r.
have l2 : Z2 <= z2.
  apply: N.min_glb; last by apply: N.le_trans h4 _; apply: N.add_le_mono l1 _; apply: N.mul_le_mono_r.
  apply: N.div_le_lower_bound; first by clear - dk0; lia.
  apply/N.sqrt_le_square; apply: N.le_trans h3 _; apply: N.mul_le_mono bb.
  by apply: N.add_le_mono aa _; apply: N.mul_le_mono_l.
have l3 : HS <= hs.
  apply: N.min_glb; last by apply: N.le_trans h6 _; apply: N.mul_le_mono_r.
  apply: N.div_le_lower_bound => //; apply/N.sqrt_le_square; apply: N.le_trans h5 _; exact: N.mul_le_mono.
apply: N.le_trans ok; apply: N.add_le_mono; first apply: N.add_le_mono; exact: N.mul_le_mono_l.
Qed.

Lemma cell_ok k a0 a1 b0 b1 : cell k a0 a1 b0 b1 -> forall a b p u Z1 Z2 HS, a0 <= a <= a1 -> b0 <= b <= b1 ->
  a + b + p <= X -> a + b + u <= X + M ->
  4 * dk * Z1 <= a * b -> 4 * (dk * dk) * Z1 <= a * a * dv ->
  4 * dk * Z2 * (4 * dk * Z2) <= (a * a + 4 * (dk * dk) * p) * (b * b) -> Z2 <= Z1 + p * dv ->
  2 * HS * (2 * HS) <= u * (a * a) -> HS <= u * dk -> wn * dk * Z1 + rest * dk * Z2 + wn * dv * HS <= most.
Proof.
elim: k a0 a1 b0 b1 => [|k IH] a0 a1 b0 b1 /=; case: N.ltb_spec => lt.
- by move=> _ a b p u Z1 Z2 HS [h1 _] [h2 _] h3; clear - lt h1 h2 h3; lia.
- case bl: below => // _ a b p u Z1 Z2 HS [a0a aa1] [b0b bb1] sum few.
  by apply: below_ok bl aa1 bb1 _ _; clear - sum few a0a b0b; lia.
- by move=> _ a b p u Z1 Z2 HS [h1 _] [h2 _] h3; clear - lt h1 h2 h3; lia.
case bl: below.
  move=> _ a b p u Z1 Z2 HS [a0a aa1] [b0b bb1] sum few; by apply: below_ok bl aa1 bb1 _ _; clear - sum few a0a b0b; lia.
set am := (a0 + a1) / 2; set bm := (b0 + b1) / 2.
case: N.ltb_spec => _; case one: cell => // two a b p u Z1 Z2 HS ab bb.
  case: (N.leb_spec a am) => le; [apply: (IH _ _ _ _ one) | apply: (IH _ _ _ _ two)] => //; clear - ab le; lia.
case: (N.leb_spec b bm) => le; [apply: (IH _ _ _ _ one) | apply: (IH _ _ _ _ two)] => //; clear - bb le; lia.
Qed.

Lemma cells_ok : cells -> ways_most (nat_ dk) (nat_ dv) (nat_ wn) (nat_ rest) (nat_ M) (nat_ X) (nat_ most).
Proof.
move/cell_ok => H a b p u Z1 Z2 HS; rewrite -!mulnn => sum few h1 h2 h3 h4 h5 h6.
have := H (N.of_nat a) (N.of_nat b) (N.of_nat p) (N.of_nat u) (N.of_nat Z1) (N.of_nat Z2) (N.of_nat HS).
have la : (a <= nat_ X)%nat by move: sum; clear; lia.
have lb : (b <= nat_ X)%nat by move: sum; clear; lia.
move=> /(_ ltac:(clear - la; lia) ltac:(clear - lb; lia) ltac:(clear - sum; lia) ltac:(clear - few; lia) ltac:(clear - h1; lia)
  ltac:(clear - h2; lia) ltac:(clear - h3; lia) ltac:(clear - h4; lia) ltac:(clear - h5; lia) ltac:(clear - h6; lia)).
clear; lia.
Qed.
End Cells.

(* np pairs; the share of a step's weight that its run bears, wn over wd; `first`, `length`, segments - 1; the value B and the births. All
   segments may do a like part of the work, and the first has no more words than the others. *)
Definition three_ways_pairs (M np d dv wn wd f t q B births : N) : bool :=
  let W := np * dv * (d * wd) in
  [&& 0 <? d, wn <=? wd, 0 <? W, f <=? M + t, cells d dv M wn (wd - wn) (M + t) ((W - 1) / (q + 1)) & B + births <=? f + q * t + 1].
Lemma three_ways_pairs_ok M np d dv wn wd f t q B births Q : three_ways_pairs M np d dv wn wd f t q B births ->
  (forall wn rest f t q hf ht, 0 < nat_ d -> ways_most (nat_ d) (nat_ dv) wn rest (nat_ M) f hf ->
    ways_most (nat_ d) (nat_ dv) wn rest (nat_ M) (nat_ M + t) ht -> hf + q * ht < nat_ np * nat_ dv * (nat_ d * (wn + rest)) ->
    f + q * t + 1 <= Q + nat_ births)%nat -> B <= N.of_nat Q.
Proof.
case/and5P=> /N.ltb_lt d0 /N.leb_le share /N.ltb_lt W0 /N.leb_le fX /andP[/(cells_ok d0) most /N.leb_le le] bound.
set W := np * dv * (d * wd) in W0 most; set h := (W - 1) / (q + 1) in most.
have lt : (q + 1) * h < W by have := N.mul_div_le (W - 1) (q + 1) ltac:(clear; lia); rewrite -/h; clear - W0; lia.
have mostM : ways_most (nat_ d) (nat_ dv) (nat_ wn) (nat_ (wd - wn)) (nat_ M) (nat_ M + nat_ t) (nat_ h).
  by have -> : (nat_ M + nat_ t = nat_ (M + t))%nat by clear; lia.
have mostf : ways_most (nat_ d) (nat_ dv) (nat_ wn) (nat_ (wd - wn)) (nat_ M) (nat_ f) (nat_ h).
  by move=> a b p u Z1 Z2 HS s1 s2; apply: mostM; clear - s1 s2 fX; lia.
have d0' : (0 < nat_ d)%nat by clear - d0; lia.
have := bound _ _ _ _ (nat_ q) _ _ d0' mostf mostM.
have -> : (nat_ np * nat_ dv * (nat_ d * (nat_ wn + nat_ (wd - wn))) = nat_ W)%nat.
  by rewrite /W; have -> : (nat_ wn + nat_ (wd - wn) = nat_ wd)%nat by [clear - share; lia]; clear; lia.
move=> /(_ ltac:(clear - lt; lia)); move: le; clear; lia.
Qed.

Definition three_ways_check (M n nk d dv wn wd f t q B : N) : bool := three_ways_pairs M (n * nk) d dv wn wd f t q B (n * dv).
Theorem three_ways_certificate game M n nk d dv wn wd f t q B : three_ways_check M n nk d dv wn wd f t q B ->
  forall s : seq (move (Attention.attention (nat_ n) (nat_ nk) (nat_ d) (nat_ dv))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
move=> holds s ok; apply: (three_ways_pairs_ok holds) => wn' rest f' t' q' hf ht d0 Hf Ht.
rewrite (_ : nat_ (n * nk) = nat_ n * nat_ nk)%nat; last by clear; lia.
rewrite (_ : nat_ (n * dv) = nat_ n * nat_ dv)%nat; last by clear; lia.
exact: attention_three ok Hf Ht.
Qed.

(* on a mask with np pairs in which every row keeps a key *)
Lemma masked_three_ways game M n nk d dv np wn wd f t q B : three_ways_pairs M np d dv wn wd f t q B (n * dv) ->
  forall mask : 'I_(nat_ n) -> 'I_(nat_ nk) -> bool, (forall i, exists j, mask i j) -> #|pair mask| = nat_ np ->
  forall s : seq (move (@MaskedAttention.attention (nat_ n) (nat_ nk) (nat_ d) (nat_ dv) mask)), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
move=> holds mask rows card s ok; apply: (three_ways_pairs_ok holds) => wn' rest f' t' q' hf ht d0 Hf Ht; rewrite -card.
rewrite (_ : nat_ (n * dv) = nat_ n * nat_ dv)%nat; last by clear; lia.
exact: Masked.masked_three rows ok Hf Ht.
Qed.

Definition causal_three_ways_check (M n d dv wn wd f t q B : N) : bool := three_ways_pairs M (n * (n + 1) / 2) d dv wn wd f t q B (n * dv).
Theorem causal_three_ways_certificate game M n d dv wn wd f t q B : causal_three_ways_check M n d dv wn wd f t q B ->
  forall s : seq (move (MaskedAttention.attention (nat_ d) (nat_ dv) (@causal (nat_ n)))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof. by move=> holds; apply: (masked_three_ways holds); [move=> i; exists i; apply: leqnn | exact: causal_pairs]. Qed.
