(* Certificates of `pyramids`, a grid, and of `crossings`, a pyramid: the program's integers, checked by vm_compute. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Playable Trace Count Crossings Grid Pyramid.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

Lemma div_mod_nat x h : 0 < h -> nat_ (x / h) = (nat_ x %/ nat_ h)%nat /\ nat_ (x mod h) = (nat_ x %% nat_ h)%nat.
Proof.
move=> h0; have hz : h <> 0 by move: h0; clear; lia.
have := N.div_mod x h hz; have := N.mod_lt x h hz; move: (x / h) (x mod h) => y z lt ->.
have -> : nat_ (h * y + z) = (nat_ y * nat_ h + nat_ z)%nat by clear; lia.
have small : (nat_ z < nat_ h)%nat by move: lt; clear; lia.
by rewrite divnMDl ?modnMDl ?modn_small // ?divn_small ?addn0 //; move: h0; clear; lia.
Qed.

(* in all places, the share of each *)
Definition pyramids_everywhere_check (M r c b B : N) : bool :=
  let e := b * (b + 1) in (1 <? b) && (B <=? 2 * ((2 * ((r - (b - 1)) * (c - (b - 1)) * (b - M)) + (e - 1)) / e)).
Theorem pyramids_everywhere_certificate game M r c b B : pyramids_everywhere_check M r c b B ->
  forall s : seq (move (grid (nat_ r) (nat_ c))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/andP=> /N.ltb_lt b1 /N.leb_le le s ok; apply: N.le_trans le _.
have b1' : (1 < nat_ b)%nat by move: b1; clear; lia.
have [L few le] := grid_everywhere ok b1'; set x := 2 * (_ * _) in (few) *.
have {}few : x <= b * (b + 1) * N.of_nat L.
  have -> : x = N.of_nat (2 * ((nat_ r - (nat_ b).-1) * (nat_ c - (nat_ b).-1) * (nat_ b - nat_ M))).
    rewrite /x; have -> : r - (b - 1) = N.of_nat (nat_ r - (nat_ b).-1) by clear; lia.
    have -> : c - (b - 1) = N.of_nat (nat_ c - (nat_ b).-1) by clear; lia.
    by have -> : b - M = N.of_nat (nat_ b - nat_ M) by [clear; lia]; clear; lia.
  have -> : b * (b + 1) * N.of_nat L = N.of_nat (nat_ b * (nat_ b).+1 * L) by clear; lia.
  by move: few; clear; lia.
suff : (x + (b * (b + 1) - 1)) / (b * (b + 1)) <= N.of_nat L by move: (_ / _) le; clear; lia.
have e0 : 0 < b * (b + 1) by move: b1; clear; nia.
move: (b * (b + 1)) few e0 => e few e0; rewrite -N.lt_succ_r; apply: N.div_lt_upper_bound; first by move: e0; clear; lia.
by rewrite N.mul_succ_r; move: (e * _) few e0 => y; clear; lia.
Qed.

(* side by side *)
Definition thirdN (n k : N) : N := (n + 2 - k) / 3.
Definition side_by_sideN (r c h f : N) : N :=
  let a := r / h - 1 in let d := c / h - 1 in
  thirdN a (f mod 3) * thirdN d 0 + thirdN a ((1 + f) mod 3) * thirdN d 1 + thirdN a ((2 + f) mod 3) * thirdN d 2.
Definition pyramids_side_by_side_check (M r c h f B : N) : bool := (0 <? h) && (B <=? 2 * (side_by_sideN r c h f * (2 * h - M))).
Lemma thirdE n k : nat_ (thirdN n k) = third (nat_ n) (nat_ k).
Proof. by rewrite /thirdN /third; have [-> _] := @div_mod_nat (n + 2 - k) 3 erefl; congr (_ %/ _)%nat; clear; lia. Qed.
Theorem pyramids_side_by_side_certificate game M r c h f B : pyramids_side_by_side_check M r c h f B ->
  forall s : seq (move (grid (nat_ r) (nat_ c))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/andP=> /N.ltb_lt h0 /N.leb_le le s ok; apply: N.le_trans le _.
have h0' : (0 < nat_ h)%nat by move: h0; clear; lia.
have [L few le] := grid_side_by_side (nat_ f) ok h0'.
have dE x : nat_ (x / h) = (nat_ x %/ nat_ h)%nat by have [] := div_mod_nat x h0.
have E : nat_ (side_by_sideN r c h f) = side_by_side (nat_ r) (nat_ c) (nat_ h) (nat_ f).
  have m k : nat_ ((k + f) mod 3) = ((nat_ k + nat_ f) %% 3)%nat.
    by have [_ ->] := @div_mod_nat (k + f) 3 erefl; congr (_ %% _)%nat; clear; lia.
  have m0 : nat_ (f mod 3) = ((0 + nat_ f) %% 3)%nat by have [_ ->] := @div_mod_nat f 3 erefl.
  by rewrite /side_by_sideN !N2Nat.inj_add !N2Nat.inj_mul !thirdE !N2Nat.inj_sub !dE m0 !m /side_by_side !big_ord_recr big_ord0.
have : (nat_ (side_by_sideN r c h f) * (2 * nat_ h - nat_ M) <= L)%nat by rewrite E.
have -> : (2 * nat_ h - nat_ M = nat_ (2 * h - M))%nat by clear; lia.
by move: le; clear; lia.
Qed.

(* of a pyramid: loads and stores *)
Definition roomN (game : rules) (M : N) : N := if game is sliding then M - 1 else M - 2.
Definition twice_served (n w : N) : N := if n <=? w then n * (n - 1) else 2 * (n * w) - w * (w + 1).
Definition served_check (game : rules) (M h loads b stores B : N) : bool :=
  let w := roomN game M in
  [&& 0 <? h, (loads =? 0) || (twice_served (loads - 1) w <? h * (h + 1)),
      (stores =? 0) || [&& 1 <? b, b <=? h & (stores - 1) * (b * (b + 1)) <? (h + 1 - b) * (h + 2 - b) * (b - w)] &
      B <=? loads + stores + 1].
Lemma served_enough game M h loads b stores B : served_check game M h loads b stores B ->
  forall s : seq (move (pyramid (nat_ h))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/and4P=> /N.ltb_lt h0 ld st /N.leb_le le s ok; apply: N.le_trans le _; set w := roomN game M in ld st.
have wE : room game (nat_ M) = nat_ w by rewrite /room /w /roomN; case: game {ok w ld st} s => s; clear; lia.
have h0' : (0 < nat_ h)%nat by move: h0; clear; lia.
have l1 : (nat_ loads <= n_loads s 0 (size s))%nat.
  have := pyramid_served ok h0'; rewrite wE => all; case/orP: ld => [/N.eqb_eq ->|/N.ltb_lt few]; first by [].
  rewrite leqNgt; apply/negP => lt; have mono := served_mono (nat_ w) (_ : n_loads s 0 (size s) <= (nat_ loads).-1)%nat.
  have {}mono : (served_by_loads (n_loads s 0 (size s)) (nat_ w) <= served_by_loads (nat_ loads).-1 (nat_ w))%nat.
    by apply: mono; move: lt; clear; lia.
  have E : (2 * served_by_loads (nat_ loads).-1 (nat_ w) = nat_ (twice_served (loads - 1) w))%nat.
    have -> : ((nat_ loads).-1 = nat_ (loads - 1))%nat by clear; lia.
    rewrite /twice_served; case: (N.leb_spec (loads - 1) w) => lw.
      rewrite served_few; last by move: lw; clear; lia.
      by move: (loads - 1) => x; clear; lia.
    have H := @served_closed (nat_ (loads - 1)) (nat_ w); set v := served_by_loads _ _ in H *.
    have {}H : (2 * v + nat_ w * (nat_ w).+1 = 2 * (nat_ (loads - 1) * nat_ w))%nat by apply: H; move: lw; clear; lia.
    by move: H; clear; lia.
  have : (nat_ (twice_served (loads - 1) w) < nat_ h * (nat_ h).+1)%nat by move: few; clear; lia.
  by move: all mono; rewrite -E; clear; lia.
have s1 : (nat_ stores + 1 <= n_stores s 0 (size s))%nat.
  case/orP: st => [/N.eqb_eq ->|/and3P[/N.ltb_lt b1 /N.leb_le bh /N.ltb_lt want]].
    by have := pyramid_output ok h0'; move: (n_stores _ _ _) => n; clear; lia.
  have [||few pos] := @pyramid_stores game (nat_ M) (nat_ h) (nat_ b) s ok; try by move: b1 bh; clear; lia.
  rewrite wE in few; set n := (n_stores s 0 (size s)) in few pos *.
  have lt : (stores - 1) * (b * (b + 1)) < b * (b + 1) * N.of_nat n.-1.
    apply: N.lt_le_trans want _.
    have -> : h + 1 - b = N.of_nat ((nat_ h).+1 - nat_ b) by clear; lia.
    have -> : h + 2 - b = N.of_nat ((nat_ h).+2 - nat_ b) by clear; lia.
    have -> : b - w = N.of_nat (nat_ b - nat_ w) by clear; lia.
    have -> : b * (b + 1) = N.of_nat (nat_ b * (nat_ b).+1) by clear; lia.
    by move: few; clear; lia.
  have e0 : 0 < b * (b + 1) by move: b1; clear; nia.
  have : stores - 1 < N.of_nat n.-1 by apply: (proj2 (N.mul_lt_mono_pos_l (b * (b + 1)) _ _ e0)); rewrite N.mul_comm.
  by move: pos; clear; lia.
by rewrite (costE s); move: l1 s1; clear; lia.
Qed.

Definition crossings_check := served_check placing.
Theorem crossings_certificate M h loads b stores B : crossings_check M h loads b stores B ->
  forall s : seq (move (pyramid (nat_ h))), legal placing (nat_ M) s -> B <= N.of_nat (cost s).
Proof. exact: served_enough. Qed.
(* a play that never slides is a sliding play *)
Definition crossings_sliding_check := served_check sliding.
Theorem crossings_sliding_certificate game M h loads b stores B : crossings_sliding_check M h loads b stores B ->
  forall s : seq (move (pyramid (nat_ h))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof. by move=> holds s /legal_sliding ok; apply: served_enough holds s ok. Qed.
