(* What certificates.sh asks of Coq rests on this: for each certificate whether its check says yes.  Of claims on affine texts that differ in
   numbers only the text's part is computed once. *)
From Coq Require Export ZArith NArith.
From mathcomp Require Export all_ssreflect.
From redblue Require Export ProductCertificate AttentionCertificate TwoProductsCertificate ThreeWaysCertificate BackwardCertificate LowRankCertificate CoveringCertificate StatementCertificate EliminationCertificate PyramidCertificate GatesCertificate ForksCertificate WaitsCertificate CompulsoryCertificate AffineCertificate TailsCertificate BesidesCertificate ListedCertificate.
From redblue Require Listed Statement Affine AffineForms AffineClaim AffineTails Walks.
Open Scope N_scope.

Section Parts.
Variables (M : N) (tx : Affine.text) (e : ends) (cs : groups_claim) (cuts : seq N) (B : N).
Definition affine_once_text := [&& ends_ok tx e, groups_ok tx (leading e) cs & ledgers_apart cs].
Definition affine_text := ~~ its_once cs && affine_once_text.
Definition affine_once_numbers :=
  all (cut_good M tx cs cuts) (iota 0%N (size (groups cs))) &&
  (B + AffineClaim.births_of tx (claim_of cs no_sibling) <=?
    sumN [seq events_of cuts l | l <- iota 0%N (size (groups cs))] + ends_in_of tx e (in_no_ledger cs) + ends_out_of tx e).
Definition affine_numbers := affine_once_numbers.
Lemma affine_once_parts : affine_once_check M tx e cs cuts B = affine_once_text && affine_once_numbers.
Proof. by rewrite /affine_once_check /groups_check /affine_once_text /affine_once_numbers -!andbA. Qed.
Lemma affine_parts : affine_check M tx e cs cuts B = affine_text && affine_numbers.
Proof. by rewrite /affine_check /affine_text -andbA -affine_once_parts. Qed.
End Parts.

Section TailsParts.
Variables (M : N) (tx : Affine.text) (e : ends) (claim : groups_claim * AffineTails.tailing) (cuts : seq N) (B : N).
Definition affine_tails_text := let cs := claim.1 in
  [&& ends_ok tx e, groups_ok tx (leading e) cs, ledgers_apart cs & AffineTails.tails_ok tx (leading e) cs claim.2].
Definition affine_tails_numbers := let cs := claim.1 in
  tails_cut M tx cs claim.2 cuts && (B <=? events_of cuts 0 + ends_in_of tx e (in_no_ledger cs) + ends_out_of tx e).
End TailsParts.
Lemma affine_tails_parts M tx e cs tl cuts B :
  affine_tails_check M tx e (cs, tl) cuts B = affine_tails_text tx e (cs, tl) && affine_tails_numbers M tx e (cs, tl) cuts B.
Proof. by rewrite /affine_tails_check /affine_tails_text /affine_tails_numbers -!andbA. Qed.

(* how many, and which are wrong *)
Definition wrong (right : bool) (l : seq (N * bool)) : N * seq N := (N.of_nat (size l), [seq p.1 | p <- l & p.2 != right]).
