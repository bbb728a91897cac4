(* Certificates of elimination, Cholesky's factorisation: the program's integers, checked by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Triangles Cholesky Cut.
From redblue Require ProductCertificate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

Definition choose_two (r : N) : N := r * (r - 1) / 2.
Definition choose_three (r : N) : N := r * (r - 1) * (r - 2) / 6.
Lemma choose_twoE r : N.of_nat 'C(nat_ r, 2) = choose_two r.
Proof. apply/N.div_unique_exact => //; have := choose2 (nat_ r); move: 'C(_, _) => c; clear; lia. Qed.
Lemma choose_threeE r : N.of_nat 'C(nat_ r, 3) = choose_three r.
Proof.
apply/N.div_unique_exact => //; have := bin_ffact (nat_ r) 3; rewrite !ffactnS ffactn0 muln1 (_ : 3`! = 6)%nat //.
by move: 'C(_, _) => c; clear; lia.
Qed.

(* X words might do w steps that are more than g apart: those of a matrix times its transpose where 9 X <= (g + 1)^2, else triangles of
   X = r (r - 1) / 2 + s edges *)
Definition near_words (X w : N) : bool :=
  let r := (N.sqrt (8 * X + 1) + 1) / 2 in let e := choose_two r in
  if (e <=? X) && (X <=? e + r) then w <=? choose_three r + choose_two (X - e) else true.
Definition eliminated (g X w : N) : bool := if 9 * X <=? (g + 1) * (g + 1) then ProductCertificate.ordered X w else near_words X w.
Lemma near_words_ok n X h : ~~ near_words X (h + 1) -> near n (nat_ X) (nat_ h).
Proof.
rewrite /near_words; set r := (_ / 2); case: ifP => // /andP[/N.leb_le lo /N.leb_le hi] /negbTE/N.leb_gt few E S le H.
have e2 := choose_twoE r; have e3 := choose_threeE r; have e4 := choose_twoE (X - choose_two r).
have sr : (nat_ (X - choose_two r) <= nat_ r)%nat by move: hi; clear; lia.
have room : (#|E| <= 'C(nat_ r, 2) + nat_ (X - choose_two r))%nat by move: le lo e2; clear; lia.
by have := triangles H sr room; move: few e3 e4; clear; lia.
Qed.
Definition cholesky_check (M n g f t q hf ht B : N) : bool :=
  cut (eliminated g) M ((n - g) * (n - g - 1) * (n - g - 2) / 6) f t q hf ht && (B <=? f + q * t + 1 + n * (n + 1) / 2).

Theorem cholesky_certificate game M n g f t q hf ht B : cholesky_check M n g f t q hf ht B ->
  forall s : seq (move (cholesky (nat_ n))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/andP=> holds /N.leb_le le s ok; apply: N.le_trans le _.
have cW : (nat_ ((n - g) * (n - g - 1) * (n - g - 2) / 6) = #|counted (nat_ n) (nat_ g)|)%nat.
  have := card_counted (nat_ n) (nat_ g); move: (#|_|) => c cE.
  suff -> : (n - g) * (n - g - 1) * (n - g - 2) / 6 = N.of_nat c by clear; lia.
  apply/esym/N.div_unique_exact => //; move: cE; clear; lia.
pose o := (nat_ n * (nat_ n).+1)./2.
have oE : (2 * o = nat_ n * (nat_ n).+1)%nat by have := odd_double_half (nat_ n * (nat_ n).+1); rewrite oddM oddS andbN add0n -mul2n.
have -> : n * (n + 1) / 2 = N.of_nat o by apply/esym/N.div_unique_exact => //; move: oE; clear; lia.
suff : f + q * t + 1 <= N.of_nat (cost s - o) /\ (o <= cost s)%nat by move: (q * t) (cost s) => x y [h1 h2]; clear - h1 h2; lia.
have bound f' t' q' hf' ht' : eliminates (nat_ n) (nat_ g) f' hf' -> eliminates (nat_ n) (nat_ g) (nat_ M + t')%nat ht' ->
    (hf' + q' * ht' < #|counted (nat_ n) (nat_ g)|)%nat -> (f' + q' * t' + 1 + o <= cost s)%nat.
  by move=> Hf Ht lt; have := cholesky_bound ok Hf Ht lt; rewrite -oE; move: (q' * t')%nat (cost s) => x y; clear; lia.
have some X : exists h, eliminates (nat_ n) (nat_ g) X h.
  by exists #|{: 'I_(nat_ n) * 'I_(nat_ n) * 'I_(nat_ n)}|; right=> E S _ _; apply: max_card.
split.
  apply: (cut_ok (P := eliminates (nat_ n) (nat_ g))) holds => [//|X h|f' t' q' hf' ht' Hf Ht lt].
    rewrite /eliminated; case: (N.leb_spec (9 * X) ((g + 1) * (g + 1))) => [far few|_ /near_words_ok]; last by right. left; rewrite -!mulnn; split.
      by move: far; clear; lia.
    by move: few; rewrite /ProductCertificate.ordered => /negbTE/N.leb_gt; rewrite !expnS expn0; clear; lia.
  have := bound _ _ _ _ _ Hf Ht; rewrite -cW => /(_ _ lt); move: (q' * t')%nat (cost s) => x y; clear; lia.
have [h0 Ht] := some (nat_ M + 0)%nat.
have W0 : (0 < #|counted (nat_ n) (nat_ g)|)%nat by rewrite -cW; case/and3P: holds => _ _ /N.ltb_lt; move: (_ / 6) => x; clear; lia.
have zero : eliminates (nat_ n) (nat_ g) 0 0.
  right=> E S; rewrite leqn0 cards_eq0 => /eqP -> H; rewrite leqn0 cards_eq0; apply/eqP/setP => -[[i j] k]; rewrite in_set0.
  by apply/negP => /H[_ []]; rewrite in_set0.
by have := bound _ _ 0%nat _ _ zero Ht; rewrite mul0n !addn0 => /(_ W0); clear; lia.
Qed.
