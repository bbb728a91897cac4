(* docs/theory-affine.md section 7, Theorem 14, when nothing is computed twice: what is computed before a time and read by what is computed
   behind it is red at that time, or stored and loaded again.  For any CDAG. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment Rooted OneShot.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Open Scope nat_scope.

Section Forks.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypotheses (ok : legal game M s) (once : one_shot s).
Notation R i := (red (pos (start G) s i)).
(* Gates c at times t c; what waits at each. *)
Variables (C : finType) (t : C -> nat) (V : C -> {set G}) (beside : bool).
Record waits : Prop := Waits {
  wa_read : forall c v, v \in V c -> exists i w j, [/\ computes s i v, i < t c, edge v w, computes s j w & t c <= j];
  wa_output : forall c v, v \in V c -> v \notin output G;
  wa_once : forall c c' v, v \in V c -> v \in V c' -> c = c';
  wa_beside : beside -> forall c, exists2 g, g \in R (t c) & g \notin V c }.
Hypothesis wa : waits.
Definition lost (c : C) : {set G} := V c :\: R (t c).

Lemma lost_moves c v : v \in lost c -> (exists2 i, t c <= i & loads s i v) /\ exists i, stores s i v.
Proof.
case/setDP=> vV vR; have [i [w [j [ci it e cj tj]]]] := wa_read wa vV.
case: (red_back ok tj (computes_edge ok cj e)) => [|[k /andP[tk _] l]|[k /andP[tk _] ck]]; first by rewrite (negPf vR).
  split; first by exists k.
  by have [k' _ st] := blue_stored ok (computes_noninput ok ci) (loads_blue ok l); exists k'.
by have := once ci ck; move: it tk; clear; lia.
Qed.
Lemma lost_many c : #|V c| - (M - beside) <= #|lost c|.
Proof.
rewrite leq_subLR -(cardsID (R (t c)) (V c)) leq_add2r.
case: beside (wa_beside wa) => [/(_ isT c)[g gR gV]|_]; last by rewrite subn0; apply: leq_trans (card_R ok (t c)); apply: subset_leq_card (subsetIr _ _).
rewrite subn1 -ltnS; have M0 : #|R (t c)| <= M := card_R ok (t c); have := cardsD1 g (R (t c)); rewrite gR => E.
have sub : V c :&: R (t c) \subset R (t c) :\ g.
  by apply/subsetP => v /setIP[vV vR]; rewrite !inE vR andbT; apply: contraNneq gV => <-.
have := subset_leq_card sub; move: E M0; move: #|_ :&: _| #|_ :\ _| #|R _| => a b r; clear; lia.
Qed.
Definition all_lost : {set G} := \bigcup_c lost c.
Lemma lost_sum : \sum_c #|lost c| <= #|all_lost|.
Proof.
rewrite -sum1_card; have E c : #|lost c| = \sum_(v in all_lost) (v \in lost c : nat).
  rewrite -sum1_card big_mkcond [RHS]big_mkcond; apply: eq_bigr => v _; case: (boolP (v \in lost c)) => vl; last by case: ifP.
  by rewrite (_ : v \in all_lost) //; apply/bigcupP; exists c.
rewrite (eq_bigr _ (fun c _ => E c)) exchange_big /=; apply: leq_sum => v /bigcupP[c _ vc].
rewrite (bigD1 c) //= vc big1 // => c' ne; apply/eqP; rewrite eqb0; apply: contra ne => vc'.
by apply/eqP; apply: (wa_once wa (v := v)); [have /setDP[] := vc' | have /setDP[] := vc].
Qed.
Lemma all_lost_made v : v \in all_lost -> v \notin input G /\ v \notin output G.
Proof.
case/bigcupP=> c _ /setDP[vV _]; split; last exact: (wa_output wa vV).
by have [i [w [j [ci _ _ _ _]]]] := wa_read wa vV; exact: (computes_noninput ok ci).
Qed.
Theorem forks_bound : #|needed G| + 2 * (\sum_c (#|V c| - (M - beside))) + #|output G :\: input G| <= cost s.
Proof.
have sum : \sum_c (#|V c| - (M - beside)) <= #|all_lost| by apply: leq_trans lost_sum; apply: leq_sum => c _; exact: lost_many.
have loads_ : #|needed G| + #|all_lost| <= n_loads s 0 (size s).
  have -> : #|needed G| + #|all_lost| = #|needed G :|: all_lost|.
    rewrite cardsU (_ : _ :&: _ = set0) ?cards0 ?subn0 //; apply/setP => v; rewrite !inE; apply/negP => /andP[/andP[vI _] /all_lost_made[]].
    by rewrite inE vI.
  apply: loaded_card => v /setUP[|/bigcupP[c _ vl]]; last by case: (lost_moves vl) => -[i _ l] _; exists i.
  rewrite inE => /andP[vI /existsP[w /andP[e lw]]].
  have wI : w \notin input G by apply/negP; rewrite inE => /forallP/(_ v); rewrite e.
  have [i c] := live_computed ok lw wI; have [j _ l] := input_loaded ok vI (computes_edge ok c e); by exists j.
have stores_ : #|output G :\: input G| + #|all_lost| <= n_stores s 0 (size s).
  have -> : #|output G :\: input G| + #|all_lost| = #|(output G :\: input G) :|: all_lost|.
    rewrite cardsU (_ : _ :&: _ = set0) ?cards0 ?subn0 //; apply/setP => v; rewrite in_setI in_set0; apply/negP => /andP[/setDP[vO _] /all_lost_made[_]].
    by rewrite vO.
  apply: stored_card => v /setUP[/setDP[vO vI]|/bigcupP[c _ vl]]; last by case: (lost_moves vl).
  by have /subsetP/(_ v vO)/(blue_stored ok vI)[i _ ?] := output_B ok; exists i.
rewrite costE; move: sum loads_ stores_; move: (\sum_c _) #|_| (n_loads _ _ _) (n_stores _ _ _) => a b; move: #|needed G| #|_ :\: _| => c d e f; clear; lia.
Qed.

(* The first element of a gate to be computed, and what is computed by then. *)
Variable A : C -> {set G}.
Definition computed_by (i : nat) (v : G) : bool := [exists j : 'I_(size s), (j <= i) && computes s j v].
Lemma computed_byP i v : reflect (exists2 j, j <= i & computes s j v) (computed_by i v).
Proof.
apply: (iffP existsP) => [[j /andP[ji c]]|[j ji c]]; first by exists j.
by exists (Ordinal (computes_size c)); rewrite ji.
Qed.
Lemma ancestor_by u v i : connect (@edge G) u v -> computes s i v -> u \notin input G -> computed_by i u.
Proof.
move=> co cv uI; apply/computed_byP; have [->|[j ji uR]] := computed_ancestor ok co cv; first by exists i.
by have [j' j'j c'] := red_computed ok uI uR; exists j' => //; apply: leq_trans (ltnW j'j) ji.
Qed.
Lemma first_computed c g : g \in A c -> live g -> g \notin input G ->
  exists e i, [/\ e \in A c, computes s i e & forall h j, h \in A c -> computes s j h -> i <= j].
Proof.
move=> gA lg gI; have [i ci] := live_computed ok lg gI.
have ex : exists i, [exists h, (h \in A c) && computes s i h] by exists i; apply/existsP; exists g; rewrite gA.
case: (ex_minnP ex) => k /existsP[e /andP[eA ce]] mn; exists e, k; split=> // h j hA ch.
by apply: mn; apply/existsP; exists h; rewrite hA.
Qed.
End Forks.
