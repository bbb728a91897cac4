(* Certificates of attention on a mask that is given as a list (cdags/Listed.v): block masks, cdag/families/attention-sparse.cdag. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Mask Listed AttentionCertificate TwoProductsCertificate ThreeWaysCertificate BackwardCertificate BesidesCertificate.
From redblue Require MaskedAttention MaskedBackward.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

(* `first`, `length`, segments - 1, `most_first`, `most`; the value B *)
Definition listed_check (M n nk d dv : N) (l : listing) (f t q hf ht B : N) : bool :=
  listing_ok n nk l && masked_narrow_check M n (widest l) d dv (pairs_of l) f t q hf ht B.
Theorem listed_certificate game M n nk d dv l f t q hf ht B : listed_check M n nk d dv l f t q hf ht B ->
  forall s : seq (move (MaskedAttention.attention (nat_ d) (nat_ dv) (@listed (nat_ n) (nat_ nk) l))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
case/andP=> lok chk s.
by apply: (masked_narrow_certificate chk); [exact: listed_rows lok | exact: listed_narrow lok | exact: listed_pairs lok].
Qed.

Definition listed_two_products_check (M n nk d : N) (l : listing) (f t q hf ht B : N) : bool :=
  listing_ok n nk l && two_products_pairs M (pairs_of l) d f t q hf ht B.
Theorem listed_two_products_certificate game M n nk d l f t q hf ht B : listed_two_products_check M n nk d l f t q hf ht B ->
  forall s : seq (move (MaskedAttention.attention (nat_ d) (nat_ d) (@listed (nat_ n) (nat_ nk) l))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof. by case/andP=> lok holds; apply: (masked_two_products holds); [exact: listed_rows lok | exact: listed_pairs lok]. Qed.
Definition listed_three_ways_check (M n nk d dv : N) (l : listing) (wn wd f t q B : N) : bool :=
  listing_ok n nk l && three_ways_pairs M (pairs_of l) d dv wn wd f t q B (n * dv).
Theorem listed_three_ways_certificate game M n nk d dv l wn wd f t q B : listed_three_ways_check M n nk d dv l wn wd f t q B ->
  forall s : seq (move (MaskedAttention.attention (nat_ d) (nat_ dv) (@listed (nat_ n) (nat_ nk) l))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof. by case/andP=> lok holds; apply: (masked_three_ways holds); [exact: listed_rows lok | exact: listed_pairs lok]. Qed.

(* every column keeps a row, too *)
Definition both_ok (n nk : N) (l : listing) : bool := listing_ok n nk l && columns_ok nk l.

Definition listed_backward_12_check (M n nk d : N) (l : listing) (f t q hf ht B : N) : bool :=
  both_ok n nk l && b12_all M (pairs_of l) d f t q hf ht B.
Theorem listed_backward_12_certificate game M n nk d l f t q hf ht B : listed_backward_12_check M n nk d l f t q hf ht B ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) (@listed (nat_ n) (nat_ nk) l))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
case/andP=> /andP[lok cok] chk s.
by apply: (masked_backward_12_certificate chk); [exact: listed_rows lok | exact: listed_columns lok cok | exact: listed_pairs lok].
Qed.
Definition listed_backward_14_check (M n nk d : N) (l : listing) (f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  both_ok n nk l && b14_all M (n * d + nk * (2 * d)) (pairs_of l) d f12 t12 q12 hf12 ht12 F T HF HM V B.
Theorem listed_backward_14_certificate game M n nk d l f12 t12 q12 hf12 ht12 F T HF HM V B :
  listed_backward_14_check M n nk d l f12 t12 q12 hf12 ht12 F T HF HM V B ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) (@listed (nat_ n) (nat_ nk) l))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
case/andP=> /andP[lok cok] chk s.
by apply: (masked_backward_14_certificate chk); [exact: listed_rows lok | exact: listed_columns lok cok | exact: listed_pairs lok].
Qed.

(* and I inputs besides *)
Definition besides_listed_backward_12_check (M n nk d : N) (l : listing) (I f t q hf ht B : N) : bool :=
  both_ok n nk l && besides_masked_12_check M n d (pairs_of l) I f t q hf ht B.
Theorem besides_listed_backward_12_certificate game M n nk d l I f t q hf ht B :
  besides_listed_backward_12_check M n nk d l I f t q hf ht B ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) (@listed (nat_ n) (nat_ nk) l))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
case/andP=> /andP[lok cok] chk s.
by apply: (besides_masked_backward_12_certificate chk); [exact: listed_rows lok | exact: listed_columns lok cok | exact: listed_pairs lok].
Qed.
Definition besides_listed_backward_14_check (M n nk d : N) (l : listing) (I f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  both_ok n nk l && besides_masked_14_check M n nk d (pairs_of l) I f12 t12 q12 hf12 ht12 F T HF HM V B.
Theorem besides_listed_backward_14_certificate game M n nk d l I f12 t12 q12 hf12 ht12 F T HF HM V B :
  besides_listed_backward_14_check M n nk d l I f12 t12 q12 hf12 ht12 F T HF HM V B ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) (@listed (nat_ n) (nat_ nk) l))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof.
case/andP=> /andP[lok cok] chk s.
by apply: (besides_masked_backward_14_certificate chk); [exact: listed_rows lok | exact: listed_columns lok cok | exact: listed_pairs lok].
Qed.
