(* Boxes of points, listed. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* points with coordinates below those of ds, in lexicographic order *)
Fixpoint box (ds : seq nat) : seq (seq nat) :=
  if ds is d :: ds' then [seq x :: p | x <- iota 0 d, p <- box ds'] else [:: [::]].
Definition inside (p ds : seq nat) : bool := all2 ltn p ds.
Fixpoint many (ds : seq nat) : nat := if ds is d :: ds' then d * many ds' else 1.

Lemma mem_box p ds : (p \in box ds) = inside p ds.
Proof.
elim: ds p => [|d ds IH] [|x p] //=.
  by apply/negP => /allpairsP[[y q] [_ _]].
rewrite /inside /= -/(inside p ds) -IH; apply/allpairsP/andP => [[[y q] /= [yd qd [-> ->]]]|[xd pd]].
  by move: yd; rewrite mem_iota /= add0n.
by exists (x, p); rewrite /= mem_iota add0n.
Qed.
Lemma box_uniq ds : uniq (box ds).
Proof.
elim: ds => //= d ds IH; apply: allpairs_uniq => //; first exact: iota_uniq.
by move=> [x p] [y q] _ _ /= [-> ->].
Qed.
Lemma size_box ds : size (box ds) = many ds.
Proof. by elim: ds => //= d ds IH; rewrite size_allpairs size_iota IH. Qed.

Lemma inside_size p ds : inside p ds -> size p = size ds.
Proof. by rewrite /inside all2E => /andP[/eqP]. Qed.
Lemma inside_cat p a b : inside p (a ++ b) = inside (take (size a) p) a && inside (drop (size a) p) b.
Proof.
rewrite /inside; elim: a p => [|d a IH] [|x p] //=.
by rewrite IH andbA.
Qed.
Lemma inside_nth p ds l : inside p ds -> l < size ds -> nth 0 p l < nth 0 ds l.
Proof.
rewrite /inside; elim: ds p l => [|d ds IH] [|x p] [|l] //= /andP[xd pd] lt //; exact: IH.
Qed.
