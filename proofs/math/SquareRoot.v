(* The whole part of a square root. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma square_root x : exists2 h, h ^ 2 <= x & x < h.+1 ^ 2.
Proof.
have ex0 : exists h, h ^ 2 <= x by exists 0.
have bd h : h ^ 2 <= x -> h <= x.
  by move=> le; apply: leq_trans le; case: h => // h; rewrite -mulnn leq_pmulr.
case: (@ex_maxnP (fun h => h ^ 2 <= x) x ex0 bd) => h hlo mx; exists h => //.
by rewrite ltnNge; apply/negP => /mx; rewrite ltnn.
Qed.
