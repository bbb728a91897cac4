(* Loads and stores of a play counted by the times at which they are made; the compulsory bound. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* Every element of A has one in S of its own. *)
Lemma card_rel (T U : finType) (A : {set T}) (S : {set U}) (r : U -> T -> bool) :
  (forall i u v, r i u -> r i v -> u = v) ->
  (forall v, v \in A -> exists2 i, i \in S & r i v) -> #|A| <= #|S|.
Proof.
move=> fn ex; pose f i := [pick v | r i v].
rewrite -(card_imset (mem A) (@Some_inj _)).
apply: leq_trans (subset_leq_card _) (leq_imset_card f (mem S)).
apply/subsetP=> _ /imsetP[v vA ->]; have [i iS iv] := ex v vA.
apply/imsetP; exists i => //; rewrite /f; case: pickP => [w iw|/(_ v)]; last by rewrite iv.
by rewrite (fn _ _ _ iv iw).
Qed.

Section Cost.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.

Definition at_time (P : pred (move G)) (i : 'I_(size s)) : bool :=
  if mv s i is Some m then P m else false.
Definition n_loads := cnt (at_time (@is_load G)) val.
Definition n_stores := cnt (at_time (@is_store G)) val.

Lemma count_at P : count P s = cnt (at_time P) val 0 (size s).
Proof.
rewrite /cnt -sum1dep_card (_ : count P s = count (fun m => if m is Some m then P m else false) (map Some s)).
  rewrite -sum1_count (big_nth None) size_map big_mkord; apply: eq_bigl => i.
  by rewrite leq0n ltn_ord !andbT /at_time /mv.
by rewrite count_map; apply: eq_count.
Qed.

Lemma costE : cost s = n_loads 0 (size s) + n_stores 0 (size s).
Proof. by rewrite /cost !count_at. Qed.

Lemma loads_fun i u v : loads s i u -> loads s i v -> u = v.
Proof. by rewrite /loads; case: (mv s i) => [[w|w|w|x w|w|w]|] //= /eqP<- /eqP<-. Qed.
Lemma stores_fun i u v : stores s i u -> stores s i v -> u = v.
Proof. by rewrite /stores; case: (mv s i) => [[w|w|w|x w|w|w]|] //= /eqP<- /eqP<-. Qed.

Lemma loads_at i v : loads s i v -> {j : 'I_(size s) | val j = i & at_time (@is_load G) j}.
Proof.
move=> l; exists (Ordinal (loads_size l)) => //; move: l.
by rewrite /loads /at_time /=; case: (mv s i) => [[]|].
Qed.
Lemma stores_at i v : stores s i v -> {j : 'I_(size s) | val j = i & at_time (@is_store G) j}.
Proof.
move=> l; exists (Ordinal (stores_size l)) => //; move: l.
by rewrite /stores /at_time /=; case: (mv s i) => [[]|].
Qed.

Lemma loaded_card (A : {set G}) : (forall v, v \in A -> exists i, loads s i v) ->
  #|A| <= n_loads 0 (size s).
Proof.
move=> H; apply: (@card_rel _ _ _ _ (fun (i : 'I_(size s)) v => loads s i v)).
  by move=> i; apply: loads_fun.
move=> v /H[i l]; have [j ji jl] := loads_at l; exists j; last by rewrite -ji in l.
by rewrite inE jl /= ltn_ord.
Qed.

Lemma stored_card (A : {set G}) : (forall v, v \in A -> exists i, stores s i v) ->
  #|A| <= n_stores 0 (size s).
Proof.
move=> H; apply: (@card_rel _ _ _ _ (fun (i : 'I_(size s)) v => stores s i v)).
  by move=> i; apply: stores_fun.
move=> v /H[i l]; have [j ji jl] := stores_at l; exists j; last by rewrite -ji in l.
by rewrite inE jl /= ltn_ord.
Qed.

Lemma output_stores : #|output G :\: input G| <= n_stores 0 (size s).
Proof.
apply: stored_card => v; rewrite inE => /andP[vI vO].
have /subsetP/(_ v vO)/(blue_stored ok vI)[i _ ?] := output_B ok; by exists i.
Qed.

(* inputs with a path of length at least one to an output that is no input *)
Definition needed : {set G} := [set v in input G | [exists w, edge v w && live w]].

Lemma needed_loads : #|needed| <= n_loads 0 (size s).
Proof.
apply: loaded_card => v; rewrite inE => /andP[vI /existsP[w /andP[e lw]]].
have wI : w \notin input G by apply/negP; rewrite inE => /forallP/(_ v); rewrite e.
have [i c] := live_computed ok lw wI.
have [j _ l] := input_loaded ok vI (computes_edge ok c e); by exists j.
Qed.

Theorem compulsory_bound : #|needed| + #|output G :\: input G| <= cost s.
Proof. rewrite costE; exact: leq_add needed_loads output_stores. Qed.
End Cost.
