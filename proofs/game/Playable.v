(* The game is not empty: with room for all vertices every computation has a legal play.  What is legal without sliding is so with it. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Theorem playable game M (G : cdag) : #|G| <= M -> exists s : seq (move G), legal game M s.
Proof.
move=> GM; suff H : forall k (p : position G), #|~: red p| + #|~: blue p| <= k ->
    input G \subset blue p -> exists s, legal_from game M p s.
  by apply: (H _ (start G) (leqnn _)).
have mem (A : {set G}) : #|A| <= M by apply: leq_trans (max_card _) GM.
have less (A : {set G}) v : v \notin A -> #|~: (v |: A)| < #|~: A|.
  move=> vA; apply/proper_card/properP; split.
    by apply/subsetP => x; rewrite !inE negb_or => /andP[].
  by exists v; rewrite !inE ?eqxx ?vA.
elim=> [|k IH] p le ib.
  exists [::]; have /eqP : #|~: blue p| = 0 by lia.
  rewrite cards_eq0 => /eqP E; apply/subsetP => v _.
  have : v \notin ~: blue p by rewrite E inE.
  by rewrite inE negbK.
have go m : allowed game p m -> #|~: red (after p m)| + #|~: blue (after p m)| <= k ->
    input G \subset blue (after p m) -> exists s, legal_from game M p s.
  by move=> al le' ib'; have [s ss] := IH _ le' ib'; exists (m :: s); rewrite /= al mem ss.
case: (boolP [exists v, (v \in input G) && (v \notin red p)]) => [/existsP[v /andP[vI vR]]|nI].
  apply: (go (Load v)); rewrite //= ?vR ?(subsetP ib) //.
  by have := less _ _ vR; lia.
case: (boolP (red p == setT)) => [/eqP full|nf].
  case: (boolP (output G \subset blue p)) => [ob|/subsetPn[v vO vB]]; first by exists [::].
  apply: (go (Store v)); rewrite /= ?full ?inE //.
    by have := less _ _ vB; rewrite -full; lia.
  by apply: subset_trans ib _; apply: subsetUr.
have [v0 v0R] : exists v, v \notin red p.
  by apply/existsP; rewrite -negb_forall; apply: contra nf => /forallP H; apply/eqP/setP => v; rewrite H inE.
have [rank rk] := acyclic G.
have [v vR mn] := @arg_minnP _ v0 (fun v => v \notin red p) rank v0R.
apply: (go (Compute v)) => //=; last by have := less _ _ vR; lia.
apply/and3P; split=> //.
  by apply: contra nI => vI; apply/existsP; exists v; rewrite vI.
apply/forallP => u; apply/implyP => uv; apply/negPn/negP => /mn; rewrite leqNgt => /negP; apply; exact: rk.
Qed.

Lemma legal_sliding game M (G : cdag) (s : seq (move G)) : legal game M s -> legal sliding M s.
Proof.
rewrite /legal; elim: s (start G) => [|m s IH] p //= /and3P[al le /IH ok]; rewrite le ok !andbT.
by case: m al {le ok} => //= u v /and3P[_ -> ->].
Qed.
