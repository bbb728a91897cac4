(* docs/theory-affine.md: rooted words (section 2), of which a vertex that is red was red before, or its word was
   loaded; and what gates say of them (section 7, Theorem 13). *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Rooted.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation R i := (red (pos (start G) s i)).
(* the word of a vertex; in a rooted word every element but an input has its own predecessor in the word *)
Variables (W : finType) (word : G -> W).
Definition rooted (w : W) : Prop := forall v, v \notin input G -> word v = w -> exists2 u, edge u v & word u = w.

(* Lemma 0 *)
Lemma rooted_back w a i v : rooted w -> a <= i -> v \in R i -> word v = w ->
  exists2 u, word u = w & u \in R a \/ exists2 j, a <= j < i & loads s j u.
Proof.
move=> ro; elim/ltn_ind: i v => i IH v ai vi vw.
case: (red_back ok ai vi) => [va|[j ji l]|[j /andP[aj ji] c]].
- by exists v => //; left.
- by exists v => //; right; exists j.
have [u e uw] := ro _ (computes_noninput ok c) vw.
have [x xw H] := IH j ji u aj (computes_edge ok c e) uw.
exists x => //; case: H => [|[k /andP[ak kj] l]]; [by left | right].
by exists k => //; rewrite ak (ltn_trans kj ji).
Qed.

(* Of the words read in [a, b) all but those that are red at a are loaded there: what one gate costs. *)
Theorem gap_loads (S : {set W}) a b :
  (forall w, w \in S -> rooted w /\ exists i v, [/\ a <= i <= b, v \in R i & word v = w]) ->
  #|S| <= #|S :&: (word @: R a)| + #|[set w in S | [exists j : 'I_(size s), (a <= j < b) && [exists u, loads s j u && (word u == w)]]]|.
Proof.
move=> H; set L := [set w in S | _].
have sub : S \subset (S :&: (word @: R a)) :|: L.
  apply/subsetP => w wS; have [ro [i [v [/andP[ai ib] vi vw]]]] := H w wS.
  have [u uw [ua|[j /andP[aj ji] l]]] := rooted_back ro ai vi vw; rewrite !inE.
    by rewrite wS -uw imset_f.
  apply/orP; right; rewrite wS; apply/existsP; exists (Ordinal (loads_size l)) => /=.
  rewrite aj (leq_trans ji ib) /=; by apply/existsP; exists u; rewrite l uw eqxx.
by apply: leq_trans (subset_leq_card sub) _; rewrite cardsU leq_subr.
Qed.

(* First loads of inputs that matter are counted by themselves; X: those of which that is asked. *)
Variables (X : {set G}).
Hypothesis matter : X \subset needed G.
Definition first_load (i : 'I_(size s)) : bool := [exists v, [&& v \in X, loads s i v & [forall j : 'I_i, ~~ loads s j v]]].
Lemma first_loads : #|X| <= #|[set i | first_load i]|.
Proof.
apply: (@card_rel _ _ _ _ (fun (i : 'I_(size s)) v => loads s i v)); first by move=> i u v; apply: loads_fun.
move=> v vX; have /subsetP/(_ v vX) := matter; rewrite inE => /andP[vI /existsP[w /andP[e lw]]].
have wI : w \notin input G by apply/negP; rewrite inE => /forallP/(_ v); rewrite e.
have [i c] := live_computed ok lw wI; have [j _ l] := input_loaded ok vI (computes_edge ok c e).
have ex0 : exists j, loads s j v by exists j.
case: (ex_minnP ex0) => k lk mn; exists (Ordinal (loads_size lk)) => //; rewrite inE; apply/existsP; exists v.
by rewrite vX lk /=; apply/forallP => h; apply/negP => /mn; rewrite leqNgt (ltn_ord h).
Qed.

(* Loads in [a, b) of words of one class that are no such first loads. *)
Variables (C : finType) (class : W -> C).
Definition loads_of (c : C) (i : 'I_(size s)) : bool := [exists u, loads s i u && (class (word u) == c)] && ~~ first_load i.

Lemma window_loads (S : {set W}) c a b m : #|S :&: (word @: R a)| <= m ->
  (forall w, w \in S -> [/\ rooted w, class w = c & exists i v, [/\ a <= i <= b, v \in R i & word v = w]]) ->
  (forall v, v \in X -> word v \in S -> exists2 j, j < a & loads s j v) ->
  #|S| - m <= cnt (loads_of c) val a b.
Proof.
move=> few H before; rewrite leq_subLR.
apply: leq_trans (@gap_loads S a b _) _; first by move=> w /H[].
apply: leq_add few _.
apply: (@card_rel _ _ _ _ (fun (i : 'I_(size s)) w => [exists u, loads s i u && (word u == w)])).
  move=> i w w' /existsP[u /andP[l /eqP<-]] /existsP[u' /andP[l' /eqP<-]].
  by rewrite (loads_fun l l').
move=> w; rewrite inE => /andP[wS /existsP[j /andP[ab e]]]; exists j => //.
rewrite inE ab andbT; have [_ <- _] := H w wS.
case/existsP: e => u /andP[l /eqP uw]; apply/andP; split; first by apply/existsP; exists u; rewrite l uw eqxx.
apply/negP => /existsP[v /and3P[vX lv /forallP no]]; rewrite -(loads_fun l lv) in vX no.
have [|j' j'a l'] := before u vX; first by rewrite uw.
have lt : j' < j by case/andP: ab => aj _; apply: leq_trans j'a aj.
by have := no (Ordinal lt); rewrite l'.
Qed.

(* Gates of each class at times t c 0 <= t c 1 <= ...; what is red between two of them is kept or loaded again. *)
Theorem gates_bound m (n : C -> nat) (t : C -> nat -> nat) (S : C -> nat -> {set W}) :
  (forall c k, k < n c -> t c k <= t c k.+1) ->
  (forall c k, k < n c -> #|S c k :&: (word @: R (t c k))| <= m) ->
  (forall c k w, k < n c -> w \in S c k ->
     [/\ rooted w, class w = c & exists i v, [/\ t c k <= i <= t c k.+1, v \in R i & word v = w]]) ->
  (forall c k v, k < n c -> v \in X -> word v \in S c k -> exists2 j, j < t c k & loads s j v) ->
  #|X| + \sum_c \sum_(k < n c) (#|S c k| - m) + #|output G :\: input G| <= cost s.
Proof.
move=> mono few H before; rewrite (costE s) leq_add ?(output_stores ok) //.
have one c : \sum_(k < n c) (#|S c k| - m) <= cnt (loads_of c) val 0 (size s).
  have part l : l <= n c -> \sum_(k < l) (#|S c k| - m) <= cnt (loads_of c) val (t c 0) (t c l) /\ t c 0 <= t c l.
    elim: l => [|l IH] mn; first by rewrite big_ord0.
    have [le t0] := IH (ltnW mn); split; last exact: leq_trans t0 (mono _ _ mn).
    rewrite big_ord_recr /= (cnt_cat _ _ t0 (mono _ _ mn)) leq_add //.
    by apply: (window_loads (few c l mn)) => [w|v]; [apply: H | apply: before].
  have [le _] := part (n c) (leqnn _); apply: leq_trans le _.
  apply: subset_leq_card; apply/subsetP => i; rewrite !inE => /andP[-> _] /=; exact: ltn_ord.
have sums (P : pred 'I_(size s)) : cnt P val 0 (size s) = \sum_i (P i : nat).
  rewrite /cnt -sum1dep_card big_mkcond; apply: eq_bigr => i _.
  by rewrite leq0n ltn_ord !andbT; case: (P i).
rewrite /n_loads sums.
have firsts : #|X| <= \sum_i (first_load i : nat).
  by apply: leq_trans first_loads _; rewrite -sum1dep_card big_mkcond; apply/leq_sum => i _; case: first_load.
apply: (@leq_trans (\sum_i (first_load i : nat) + \sum_c cnt (loads_of c) val 0 (size s))).
  by apply: leq_add firsts _; apply: leq_sum => c _; apply: one.
rewrite (eq_bigr _ (fun c _ => sums (loads_of c))) exchange_big -big_split /=; apply: leq_sum => i _.
have [l|nl] := boolP (at_time (@is_load G) i); last first.
  have no u : loads s i u = false by apply/negbTE; apply: contra nl; rewrite /loads /at_time; case: (mv s i) => [[]|].
  rewrite big1 => [|c _]; first by rewrite addn0 leqn0 eqb0; apply/existsP => -[v]; rewrite no andbF.
  by apply/eqP; rewrite eqb0 negb_and; apply/orP; left; apply/existsP => -[u]; rewrite no.
case first: (first_load i); first by rewrite big1 // => c _; rewrite /loads_of first andbF.
have [u lu] : exists u, loads s i u.
  by move: l; rewrite /at_time /loads; case: (mv s i) => [[w|w|w|x w|w|w]|] //= _; exists w.
rewrite add0n (bigD1 (class (word u))) //= big1 => [|c /negPf cu]; first by rewrite addn0 leq_b1.
apply/eqP; rewrite eqb0 negb_and; apply/orP; left; apply/negP => /existsP[v /andP[lv /eqP cv]].
by rewrite -(loads_fun lu lv) in cv; rewrite cv eqxx in cu.
Qed.

(* Theorem 13: what a graph must have.  A c k: the gate of class c and time k; a word counts at it when a vertex b continues or reads it.
   apart: no vertex of a gate is on a word that counts there, and no b is in its gate. *)
Record gates (apart : bool) (n : C -> nat) (A : C -> nat -> {set G}) (S : C -> nat -> {set W}) : Prop := Gates {
  ga_made : forall c k g, k < n c -> g \in A c k -> g \notin input G;
  ga_live : forall c k, k < n c -> exists2 g, g \in A c k & live g;
  ga_order : forall c k g, k.+1 < n c -> g \in A c k.+1 -> exists2 g', g' \in A c k & connect (@edge G) g' g;
  ga_word : forall c k w, k < n c -> w \in S c k -> [/\ rooted w, class w = c & exists x b, [/\ edge x b, word x = w, live b,
    (apart -> b \notin A c k) /\ (exists2 g, g \in A c k & connect (@edge G) g b) &
    k.+1 < n c -> forall g, g \in A c k.+1 -> connect (@edge G) b g]];
  ga_apart : apart -> forall c k g, k < n c -> g \in A c k -> word g \notin S c k;
  ga_input : forall c k v g, k < n c -> v \in X -> word v \in S c k -> g \in A c k -> connect (@edge G) v g }.

Lemma red_ancestor u v i : connect (@edge G) u v -> v \in R i -> exists2 j, j <= i & u \in R j.
Proof.
case/connectP=> p; elim/last_ind: p v i => [|p x IH] v i /=; first by move=> _ -> vR; exists i.
rewrite rcons_path last_rcons => /andP[pp e] -> xR.
have xI : x \notin input G by apply/negP; rewrite inE => /forallP/(_ (last u p)); rewrite e.
have [j ji c] := red_computed ok xI xR; have [j' j'j uR] := IH _ j pp erefl (computes_edge ok c e).
by exists j' => //; apply: leq_trans j'j (ltnW ji).
Qed.
Lemma computed_ancestor u v i : connect (@edge G) u v -> computes s i v -> u = v \/ exists2 j, j <= i & u \in R j.
Proof.
case/connectP=> p; elim/last_ind: p => [|p x _] /=; first by move=> _ ->; left.
rewrite rcons_path last_rcons => /andP[pp e] -> c; right.
by apply: red_ancestor (computes_edge ok c e); apply/connectP; exists p.
Qed.

Theorem gates_words apart n A S : gates apart n A S ->
  #|X| + \sum_c \sum_(k < n c) (#|S c k| - (M - apart)) + #|output G :\: input G| <= cost s.
Proof.
move=> ga; pose at_gate c k (i : nat) := [exists g, (g \in A c k) && computes s i g].
(* the first compute at each gate; behind the last of a class the play's end *)
pose t c k := if k < n c then find (at_gate c k) (iota 0 (size s)) else size s.
have tP c k : k < n c -> at_gate c k (t c k) /\ forall i, at_gate c k i -> t c k <= i.
  move=> kn; have [g gA lg] := ga_live ga kn; have [i ci] := live_computed ok lg (ga_made ga kn gA).
  have ai : at_gate c k i by apply/existsP; exists g; rewrite gA.
  have has_ : has (at_gate c k) (iota 0 (size s)) by apply/hasP; exists i; rewrite // mem_iota (computes_size ci).
  have fs := has_; rewrite has_find size_iota in fs; have := nth_find 0 has_; rewrite nth_iota // add0n /t kn => af; split=> // j aj.
  rewrite leqNgt; apply/negP => lt; have := before_find 0 lt; rewrite nth_iota ?(ltn_trans lt) // add0n.
  by rewrite aj.
have tend c k : n c <= k -> t c k = size s by rewrite /t ltnNge => ->.
have gate c k : k < n c -> exists2 g, g \in A c k & computes s (t c k) g.
  by move=> /tP[/existsP[g /andP[gA cg]] _]; exists g.
have least c k g i : k < n c -> g \in A c k -> computes s i g -> t c k <= i.
  by move=> /tP[_ mn] gA cg; apply: mn; apply/existsP; exists g; rewrite gA.
(* an ancestor that is no input is computed before *)
have made u v i : connect (@edge G) u v -> computes s i v -> u \notin input G -> exists2 j, j <= i & computes s j u.
  move=> co cv uI; have [->|[j ji uR]] := computed_ancestor co cv; first by exists i.
  by have [j' j'j c'] := red_computed ok uI uR; exists j' => //; apply: leq_trans (ltnW j'j) ji.
(* with the gate's vertex among the red ones, when that is on no word *)
pose t' c k := if k < n c then t c k + apart else size s.
have tE c k : k < n c -> t' c k = t c k + apart by rewrite /t' => ->.
have tend' c k : n c <= k -> t' c k = size s by rewrite /t' ltnNge => ->.
have fits c k : k < n c -> t c k < size s by move=> kn; have [g _ /computes_size] := gate c k kn.
apply: (gates_bound (t := t') (m := M - apart)) => [c k kn|c k kn|c k w kn wS|c k v kn vX vS]; rewrite (tE _ _ kn).
- case: (ltnP k.+1 (n c)) => lt; last first.
    by rewrite (tend' _ _ lt); apply: leq_trans (fits _ _ kn); rewrite -addn1 leq_add2l leq_b1.
  rewrite (tE _ _ lt) leq_add2r; have [g gA cg] := gate c k.+1 lt; have [g' gA' co] := ga_order ga lt gA.
  by have [j ji cj] := made _ _ _ co cg (ga_made ga kn gA'); apply: leq_trans (least _ _ _ _ kn gA' cj) ji.
- have [g gA cg] := gate c k kn; case ap: apart ga => ga; last first.
    by rewrite addn0 subn0; apply: leq_trans (card_R ok (t c k)); apply: leq_trans (subset_leq_card (subsetIr _ _)) (leq_imset_card _ _).
  have gR : g \in R (t c k).+1.
    by rewrite posS; move: cg; rewrite /computes; case: (mv s (t c k)) => [[y|y|y|y y'|y|y]|] //= /eqP <-; rewrite !inE eqxx.
  rewrite addn1; apply: (@leq_trans #|R (t c k).+1 :\ g|).
    apply: leq_trans (leq_imset_card word _); apply/subset_leq_card/subsetP => w; rewrite in_setI => /andP[wS /imsetP[u uR wE]].
    rewrite wE imset_f // in_setD1 uR andbT; apply/eqP => ug; have := ga_apart ga isT kn gA; by rewrite -ug -wE wS.
  by have := cardsD1 g (R (t c k).+1); have := card_R ok (t c k).+1; rewrite gR; clear; lia.
- have [ro wc [x [b [e xw lb [bA [g gA gb]] next]]]] := ga_word ga kn wS; split=> //.
  have bI : b \notin input G by apply/negP; rewrite inE => /forallP/(_ x); rewrite e.
  have [i ci le] : exists2 i, computes s i b & i <= t' c k.+1.
    case: (ltnP k.+1 (n c)) => lt.
      have [h hA ch] := gate c k.+1 lt; have [i ih ci] := made _ _ _ (next lt h hA) ch bI; exists i => //.
      by rewrite (tE _ _ lt); apply: leq_trans ih (leq_addr _ _).
    by rewrite (tend' _ _ lt); have [i ci] := live_computed ok lb bI; exists i; rewrite // ltnW ?(computes_size ci).
  exists i, x; split=> //; last by apply: (computes_edge ok ci).
  rewrite le andbT; have [j ji cj] := made _ _ _ gb ci (ga_made ga kn gA); have tj := least _ _ _ _ kn gA cj.
  case ap: apart bA => bA; last by rewrite addn0 (leq_trans tj).
  rewrite addn1; apply: leq_ltn_trans tj _; rewrite ltn_neqAle ji andbT; apply/eqP => E.
  by rewrite E in cj; have := bA isT; rewrite (computes_inj ci cj) gA.
have [g gA cg] := gate c k kn; have co := ga_input ga kn vX vS gA.
have vI : v \in input G by have /subsetP/(_ v vX) := matter; rewrite inE => /andP[].
have [E|[j ji vR]] := computed_ancestor co cg; first by have := ga_made ga kn gA; rewrite -E vI.
by have [j' j'j l] := input_loaded ok vI vR; exists j' => //; apply: leq_trans (leq_trans j'j ji) (leq_addr _ _).
Qed.
End Rooted.

(* Segments cut at loads alone: the words are those of what is red when a segment begins or loaded in it. *)
Section Loads.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (W : finType) (word : G -> W).
Let c0 (k : void) : nat -> nat := of_void (nat -> nat) k.
Let key0 (k : void) : W := of_void W k.
Definition red_or_loaded (a b : nat) : {set W} := avail s c0 word key0 a b.

Lemma red_or_computed a b i v : a <= i < b -> v \in red (pos (start G) s i) ->
  word v \in red_or_loaded a b \/ exists2 j, a <= j < i & computes s j v.
Proof. exact: (used_avail ok). Qed.
Lemma rooted_in a b i v w : rooted word w -> a <= i < b -> v \in red (pos (start G) s i) -> word v = w -> w \in red_or_loaded a b.
Proof.
move=> ro /andP[ai ib] vi vw; have [u <- [ua|[j /andP[aj ji] l]]] := rooted_back ok ro ai vi vw; first exact: red_avail.
by apply: (loaded_avail (s := s) c0 word key0 (a := a) (b := b)) l; rewrite aj (ltn_trans ji ib).
Qed.

Theorem loads_segment (work : nat -> nat -> nat) f t q hf ht :
  (forall a b, a <= b -> work 0 b <= work 0 a + work a b) ->
  (forall a b, #|red_or_loaded a b| <= f -> work a b <= hf) ->
  (forall a b, #|red_or_loaded a b| <= M + t -> work a b <= ht) ->
  hf + q * ht < work 0 (size s) -> f + q * t + 1 + #|output G :\: input G| <= cost s.
Proof.
move=> wcat Hf Ht lt; pose len0 (k : void) : nat := of_void nat k; pose z0 (k : void) : nat -> G := of_void (nat -> G) k.
have ch0 : chains len0 z0 by split; case.
have ca0 : canonical s len0 z0 c0 by case.
have := @events_cost _ _ _ _ ok _ c0 (f + q * t + 1); rewrite card_void addn0; apply.
by apply: (@segment_lemma _ _ _ _ ok _ len0 z0 ch0 c0 ca0 _ word key0 work f t hf ht q) => // a b _; [apply: Hf | apply: Ht].
Qed.
End Loads.
