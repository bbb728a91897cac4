(* Certificates of `pairs-and-inputs`: those of the backward pass and of covering, and I inputs besides (docs/theory-lp.md, section 11). *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment CarriedWork Residency BackwardSegments Mask Covering InputsBesides BesidesPairs BesidesAttention.
From redblue Require Import AttentionCertificate BackwardCertificate CoveringCertificate.
From redblue Require Attention AttentionBackward MaskedBackward BackwardCovering.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Open Scope N_scope.

(* I inputs of those there are, and what is left costs B less I *)
Definition with_inputs_check (all I B : N) (check : N -> bool) : bool := (I <=? all) && check (B - I).
Lemma with_inputs_ok (G H : cdag) (e : H -> G) all I B check game M (s : seq (move G)) : besides e -> legal game M s ->
  with_inputs_check all I B check -> (nat_ all <= #|others e|)%nat ->
  (forall s' : seq (move H), legal game M s' -> check (B - I) -> B - I <= N.of_nat (cost s')) -> B <= N.of_nat (cost s).
Proof.
move=> bs ok /andP[/N.leb_le Ia chk] many bound; have [s' ok' le] := inputs_besides bs ok; have := bound s' ok' chk.
by move: many le Ia; move: (cost s) (cost s') #|_| => c c' o; clear; lia.
Qed.

(* ---- the backward pass ---- *)
Section Backward.
Variables (M b np d : N) (Rw Cl E : finType) (row : E -> Rw) (col : E -> Cl) (G H : cdag) (e : H -> G).
Variables (len : K Rw Cl (nat_ d) -> nat) (z : K Rw Cl (nat_ d) -> nat -> G) (word : G -> bword Rw Cl E (nat_ d))
  (rw : Rw -> Sl2 (nat_ d) -> G) (cw : Cl -> Sl2 (nat_ d) -> G) (rootS rootP : E -> G) (jX jY : E -> nat).
Hypotheses (bs : besides e) (bw : backward row col len z word rw cw rootS rootP jX jY).
Hypotheses (no_word : forall v, v \in others e -> word v = wO Rw Cl E (nat_ d)) (roots : forall x, rootS x \notin others e /\ rootP x \notin others e).
Hypotheses (cE : #|E| = nat_ np) (cK : #|K Rw Cl (nat_ d)| = nat_ b).
Variables (game : rules) (s : seq (move G)) (all I B : N).
Hypotheses (ok : legal game (nat_ M) s) (many : (nat_ all <= #|others e|)%nat).
Lemma b12_besides f t q hf ht : with_inputs_check all I B (b12_all M np d f t q hf ht) -> B <= N.of_nat (cost s).
Proof.
have [z' [rw' [cw' [rS [rP bw']]]]] := backward_left bs bw no_word roots.
by move=> chk; apply: (with_inputs_ok bs ok chk many) => s' ok'; exact: (b12_all_ok bw' cE cK ok').
Qed.
Lemma b14_besides f12 t12 q12 hf12 ht12 F T HF HM V :
  with_inputs_check all I B (b14_all M b np d f12 t12 q12 hf12 ht12 F T HF HM V) -> B <= N.of_nat (cost s).
Proof.
have [z' [rw' [cw' [rS [rP bw']]]]] := backward_left bs bw no_word roots.
by move=> chk; apply: (with_inputs_ok bs ok chk many) => s' ok'; exact: (b14_all_ok bw' cE cK ok').
Qed.
End Backward.

Definition besides_backward_12_check (M n nk d I f t q hf ht B : N) : bool :=
  (0 <? d) && with_inputs_check (n * d) I B (b12_all M (n * nk) d f t q hf ht).
Theorem besides_backward_12_certificate game M n nk d I f t q hf ht B : besides_backward_12_check M n nk d I f t q hf ht B ->
  forall s : seq (move (AttentionBackward.attention_backward (nat_ n) (nat_ d) (nat_ nk) (nat_ d))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/andP=> /N.ltb_lt d0 chk s ok; have cP : (nat_ n * nat_ nk)%nat = nat_ (n * nk) by clear; lia.
have cO : (nat_ n * nat_ d)%nat = nat_ (n * d) by clear; lia.
have d0' : (0 < nat_ d)%nat by clear - d0; lia.
move: chk; have := cP; have := cO; move: (n * nk) (n * d) => np no {cP cO}.
have none : np = 0 -> with_inputs_check no I B (b12_all M np d f t q hf ht) -> B <= N.of_nat (cost s).
  by move=> ->; rewrite /with_inputs_check /b12_all b12_no_pairs andbF.
move: s ok none; case: (nat_ n) => [|n'] s ok none cO cP; first by apply: none; clear - cP; lia.
move: s ok none cP; case: (nat_ nk) => [|nk'] s ok none cP; first by apply: none; clear - cP; lia.
apply: (b12_besides (b := N.of_nat (births n'.+1 nk'.+1 (nat_ d))) (Full.Os_besides n' nk' (nat_ d) d0') (AttentionBackward.b_ok n' nk' (nat_ d)) _ _ _ _ ok);
  rewrite ?card_chains ?card_pairs ?Nnat.Nat2N.id ?others_without //; last by rewrite Full.Os_card cO.
- by move=> v; rewrite inE; case: v.
by move=> x; rewrite !inE.
Qed.
Definition besides_backward_14_check (M n nk d I f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  (0 <? d) && with_inputs_check (n * d) I B (b14_all M (n * d + nk * (2 * d)) (n * nk) d f12 t12 q12 hf12 ht12 F T HF HM V).
Theorem besides_backward_14_certificate game M n nk d I f12 t12 q12 hf12 ht12 F T HF HM V B :
  besides_backward_14_check M n nk d I f12 t12 q12 hf12 ht12 F T HF HM V B ->
  forall s : seq (move (AttentionBackward.attention_backward (nat_ n) (nat_ d) (nat_ nk) (nat_ d))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/andP=> /N.ltb_lt d0 chk s ok; have cP : (nat_ n * nat_ nk)%nat = nat_ (n * nk) by clear; lia.
have cB : births (nat_ n) (nat_ nk) (nat_ d) = nat_ (n * d + nk * (2 * d)) by rewrite /births; clear; lia.
have cO : (nat_ n * nat_ d)%nat = nat_ (n * d) by clear; lia.
have d0' : (0 < nat_ d)%nat by clear - d0; lia.
move: chk; have := cP; have := cB; move: (n * nk) (n * d + nk * (2 * d)) => np b {cP cB}; have := cO; move: (n * d) => no {cO}.
have none : np = 0 -> with_inputs_check no I B (b14_all M b np d f12 t12 q12 hf12 ht12 F T HF HM V) -> B <= N.of_nat (cost s).
  by move=> ->; rewrite /with_inputs_check b14_no_pairs andbF.
move: s ok none; case: (nat_ n) => [|n'] s ok none cO cB cP; first by apply: none; clear - cP; lia.
move: s ok none cB cP; case: (nat_ nk) => [|nk'] s ok none cB cP; first by apply: none; clear - cP; lia.
apply: (b14_besides (Full.Os_besides n' nk' (nat_ d) d0') (AttentionBackward.b_ok n' nk' (nat_ d)) _ _ _ _ ok);
  rewrite ?card_chains ?card_pairs ?others_without //; last by rewrite Full.Os_card cO.
- by move=> v; rewrite inE; case: v.
by move=> x; rewrite !inE.
Qed.

(* A mask of np pairs in which every row and every column keeps one. *)
Definition besides_masked_12_check (M n d np I f t q hf ht B : N) : bool := with_inputs_check (n * d) I B (b12_all M np d f t q hf ht).
Theorem besides_masked_backward_12_certificate game M n nk d np I f t q hf ht B : besides_masked_12_check M n d np I f t q hf ht B ->
  forall mask : 'I_(nat_ n) -> 'I_(nat_ nk) -> bool,
  (forall i, exists j, mask i j) -> (forall j, exists i, mask i j) -> #|pair mask| = nat_ np ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) mask)), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
move=> chk mask rows cols card s ok; have [len [z [jX [jY bw]]]] := MaskedBackward.b_ok (nat_ d) rows cols.
apply: (b12_besides (b := N.of_nat (births (nat_ n) (nat_ nk) (nat_ d))) (Masked.Os_besides (nat_ d) rows cols) bw _ _ card _ ok _ chk);
  rewrite ?card_chains ?Nnat.Nat2N.id ?others_without ?Masked.Os_card //.
- by move=> v; rewrite inE; case: v.
- by move=> x; rewrite !inE.
by clear; lia.
Qed.
Definition besides_masked_14_check (M n nk d np I f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  with_inputs_check (n * d) I B (b14_all M (n * d + nk * (2 * d)) np d f12 t12 q12 hf12 ht12 F T HF HM V).
Theorem besides_masked_backward_14_certificate game M n nk d np I f12 t12 q12 hf12 ht12 F T HF HM V B :
  besides_masked_14_check M n nk d np I f12 t12 q12 hf12 ht12 F T HF HM V B ->
  forall mask : 'I_(nat_ n) -> 'I_(nat_ nk) -> bool,
  (forall i, exists j, mask i j) -> (forall j, exists i, mask i j) -> #|pair mask| = nat_ np ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) mask)), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
move=> chk mask rows cols card s ok; have [len [z [jX [jY bw]]]] := MaskedBackward.b_ok (nat_ d) rows cols.
apply: (b14_besides (Masked.Os_besides (nat_ d) rows cols) bw _ _ card _ ok _ chk);
  rewrite ?card_chains ?others_without ?Masked.Os_card //.
- by move=> v; rewrite inE; case: v.
- by move=> x; rewrite !inE.
- by rewrite /births; clear; lia.
by clear; lia.
Qed.

Definition besides_causal_backward_12_check (M n d I f t q hf ht B : N) : bool :=
  besides_masked_12_check M n d (n * (n + 1) / 2) I f t q hf ht B.
Theorem besides_causal_backward_12_certificate game M n d I f t q hf ht B : besides_causal_backward_12_check M n d I f t q hf ht B ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) (@causal (nat_ n)))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof. by move=> chk s; apply: (besides_masked_backward_12_certificate (nk := n) chk); [move=> i; exists i; apply: leqnn..| exact: causal_pairs]. Qed.
Definition besides_causal_backward_14_check (M n d I f12 t12 q12 hf12 ht12 F T HF HM V B : N) : bool :=
  besides_masked_14_check M n n d (n * (n + 1) / 2) I f12 t12 q12 hf12 ht12 F T HF HM V B.
Theorem besides_causal_backward_14_certificate game M n d I f12 t12 q12 hf12 ht12 F T HF HM V B :
  besides_causal_backward_14_check M n d I f12 t12 q12 hf12 ht12 F T HF HM V B ->
  forall s : seq (move (MaskedBackward.attention_backward (nat_ d) (nat_ d) (@causal (nat_ n)))), legal game (nat_ M) s ->
  B <= N.of_nat (cost s).
Proof. by move=> chk s; apply: (besides_masked_backward_14_certificate (nk := n) chk); [move=> i; exists i; apply: leqnn..| exact: causal_pairs]. Qed.

(* ---- covering ---- *)
Definition besides_covering_attention_check (M n nk d dv I sc U f t q hf ht B : N) : bool :=
  (0 <? dv) && with_inputs_check (n * nk) I B (covering_attention_check M n nk d dv sc U f t q hf ht).
(* attention with a number for each pair *)
Theorem besides_covering_attention_certificate game M n nk d dv I sc U f t q hf ht B :
  besides_covering_attention_check M n nk d dv I sc U f t q hf ht B ->
  forall s : seq (move (Bias.attention_bias (nat_ n) (nat_ nk) (nat_ d) (nat_ dv))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
case/andP=> /N.ltb_lt v0 chk s ok.
have d0 : (0 < nat_ d)%nat by move: chk => /andP[_ /andP[/N.ltb_lt d0 _]]; clear - d0; lia.
have v0' : (0 < nat_ dv)%nat by clear - v0; lia.
apply: (with_inputs_ok (Bias.bias_besides (nat_ n) (nat_ nk) d0 v0') ok chk); first by rewrite Bias.bias_card; clear; lia.
by move=> s' ok' chk'; exact: (covering_attention_certificate chk' ok').
Qed.

Definition besides_covering_backward_check (M n nk d dv I sc uQ uK uV sides f t q hf ht B : N) : bool :=
  with_inputs_check (n * dv) I B (covering_backward_check M n nk d dv sc uQ uK uV sides f t q hf ht).
Theorem besides_covering_backward_certificate game M n nk d dv I sc uQ uK uV sides f t q hf ht B :
  besides_covering_backward_check M n nk d dv I sc uQ uK uV sides f t q hf ht B ->
  forall s : seq (move (AttentionBackward.attention_backward (nat_ n) (nat_ d) (nat_ nk) (nat_ dv))), legal game (nat_ M) s -> B <= N.of_nat (cost s).
Proof.
move=> chk s ok; have [_ holds] := andP chk; have bound := covering_backward_holds holds.
have [d0 [n0 nk0]] : (0 < nat_ d)%nat /\ (0 < nat_ n)%nat /\ (0 < nat_ nk)%nat.
  case/and4P: holds => /andP[/N.ltb_lt d0 _] _ _ /and4P[_ _ /N.ltb_lt lt _].
  have n0 : n <> 0 by move=> E; move: lt; rewrite E !N.mul_0_l; clear; lia.
  have nk0 : nk <> 0 by move=> E; move: lt; rewrite E N.mul_0_r N.mul_0_l; clear; lia.
  by clear - d0 n0 nk0; lia.
have cO : (nat_ n * nat_ dv)%nat = nat_ (n * dv) by clear; lia.
move: s ok cO bound; case: (nat_ n) n0 => // n' _; case: (nat_ nk) nk0 => // nk' _ s ok cO bound.
have bs := Full.Os_besides n' nk' (nat_ dv) d0.
apply: (with_inputs_ok bs ok chk); first by rewrite others_without Full.Os_card cO.
move=> s' ok' _; apply: bound => f' t' q' hf' ht' d0' v0 cov sd Hf Ht.
have := @covering_left _ _ _ bs _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (@BackwardCovering.ch n' nk' (nat_ d) (nat_ dv)) _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
  (@BackwardCovering.ok_backward n' nk' (nat_ d) (nat_ dv) _ _ _ _ _ cov sd) _ _ _ _ _ _ _ _ _ _ ok' Hf Ht.
rewrite BackwardCovering.all_weight => le lt; have := leq_trans (leq_add (leqnn _) (@BackwardCovering.ends_stored n' nk' (nat_ d) (nat_ dv))) (le _ _ lt).
by rewrite leq_add2r; apply=> [v|x]; rewrite others_without inE; [case: v | rewrite /BackwardCovering.root; case: x.2].
Qed.
