(* docs/theory-affine.md sections 2 and 3: a choice of own predecessors, labels that do not change along it, steps that need words.  For any
   CDAG.  Words that begin with inputs have no births; those of `born` are followed back to where they begin.  When nothing is computed
   twice (section 4), what is read may be of such a word as well: computed operands are words of one vertex. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment Ledgers Rooted Projective OneShot.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section OwnWords.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation R i := (red (pos (start G) s i)).
(* its own predecessor of a vertex, the word's name, and whether births of the word are counted *)
Variables (own : G -> option G) (W : finType) (word : G -> W) (born : W -> bool).
Record owns : Prop := Owns {
  ow_edge : forall v u, own v = Some u -> edge u v;
  ow_word : forall v u, own v = Some u -> word u = word v;
  ow_one : forall v v' u, own v = Some u -> own v' = Some u -> born (word u) -> v = v' }.
Hypothesis ow : owns.

(* ---- words that begin with a computed element are chains ---- *)
Definition starts (k : G) : bool := [&& live k, k \notin input G, own k == None & born (word k)].
Definition births : finType := [finType of {k : G | starts k}].
Definition next (v : G) : option G := [pick v' | live v' && (own v' == Some v)].
Definition place (k : births) (j : nat) : G := iter j (fun v => odflt v (next v)) (val k).
Lemma nextP v v' : next v = Some v' -> live v' /\ own v' = Some v.
Proof. by rewrite /next; case: pickP => // w /andP[lw /eqP ow'] [<-]. Qed.

Lemma ends k : exists n, next (place k n) == None.
Proof.
have [rank up] := acyclic G; pose most := \max_(v : G) rank v.
have far n : (exists m, next (place k m) == None) \/ n <= rank (place k n).
  elim: n => [|n [H|IH]]; [by right | by left |].
  case E: (next (place k n)) => [v|]; last by left; exists n; rewrite E.
  have [_ o] := nextP E; have := up _ _ (ow_edge ow o).
  have -> : v = place k n.+1 by rewrite /= E.
  by right; apply: leq_ltn_trans IH _.
by case: (far most.+1) => // H; have := leq_bigmax (F := rank) (place k most.+1); rewrite -/most leqNgt H.
Qed.
Definition length (k : births) : nat := (ex_minn (ends k)).+1.
Lemma place_next k j : j.+1 < length k -> live (place k j.+1) /\ own (place k j.+1) = Some (place k j).
Proof.
rewrite /length; case: ex_minnP => m _ mn; rewrite ltnS => jm; rewrite /=.
case E: (next (place k j)) => [v|]; first by have [l o] := nextP E.
by have := mn j; rewrite E leqNgt jm => /(_ isT).
Qed.
Lemma place_word k j : j < length k -> word (place k j) = word (val k).
Proof. by elim: j => // j IH jl; have [_ o] := place_next jl; rewrite -(ow_word ow o) IH // ltnW. Qed.
Lemma place_live k j : j < length k -> live (place k j).
Proof. by case: j => [_|j /place_next[]//]; have /and4P[] := valP k. Qed.

Lemma place_tells k j k' j' : j < length k -> j' < length k' -> place k j = place k' j' -> k = k' /\ j = j'.
Proof.
elim: j j' => [|j IH] [|j'] jl jl' E.
- by split=> //; apply/val_inj.
- by have [_ o] := place_next jl'; have /and4P[_ _ /eqP o' _] := valP k; rewrite -E /= o' in o.
- by have [_ o] := place_next jl; have /and4P[_ _ /eqP o' _] := valP k'; rewrite E /= o' in o.
have [_ o] := place_next jl; have [_ o'] := place_next jl'.
by have [|||-> ->] := IH j'; rewrite ?(ltnW jl) ?(ltnW jl') //; rewrite E o' in o; case: o.
Qed.
Lemma own_chains : chains length place.
Proof.
split=> [//|k j jl|k j k' j' jl jl' /(place_tells jl jl')[]//|k|k].
- by have [_ o] := place_next jl; exact: (ow_edge ow o).
- by have /and4P[] := valP k.
- exact: place_live.
Qed.

(* a live computed vertex of such a word is in a chain, or its word begins with an input *)
Inductive rooted_at (v : G) : Prop :=
  | Root of v \in input G
  | Back u of own v = Some u & rooted_at u.
(* where its word begins with a computed element, that is a birth *)
Definition closed (v : G) : Prop := forall u, live u -> u \notin input G -> own u = None -> word u = word v -> born (word u).
Lemma own_back v : live v -> closed v ->
  rooted_at v \/ exists k j, [/\ j < length k, place k j = v & word v = word (val k)].
Proof.
have [rank up] := acyclic G; have [n le] : exists n, rank v <= n by exists (rank v).
elim: n v le => [|n IH] v le lv bv; (case: (boolP (v \in input G)) => vI; first by left; apply: Root).
all: case E: (own v) => [u|]; last by (right; have sv : starts v by rewrite /starts lv vI E eqxx bv); exists (exist _ v sv), 0; split.
  by have := up _ _ (ow_edge ow E); move: le; clear; lia.
have lu : live u.
  by case/existsP: lv => o /andP[oO vo]; apply/existsP; exists o; rewrite oO (connect_trans (connect1 (ow_edge ow E)) vo).
have wE := ow_word ow E.
have [||r|[k [j [jl ju wk]]]] := IH u _ lu; first by have := up _ _ (ow_edge ow E); move: le; clear; lia.
- by move=> u'; rewrite wE; apply: bv.
- by left; apply: Back E r.
have bu : born (word u) by rewrite wk; have /and4P[] := valP k.
right; exists k, j.+1; suff [jl' ->] : j.+1 < length k /\ place k j.+1 = v by rewrite -wE wk; split.
have nE : next u = Some v.
  rewrite /next; case: pickP => [v' /andP[_ /eqP o]|/(_ v)]; last by rewrite lv E eqxx.
  by rewrite (ow_one ow o E bu).
split; last by rewrite /= ju nE.
move: jl; rewrite /length; case: ex_minnP => m mN _; rewrite !ltnS leq_eqVlt => /orP[/eqP jm|//].
by rewrite -jm ju nE in mN.
Qed.

(* ---- steps ---- *)
Section Steps.
(* Steps x, each a vertex that every play computes, and needs: its own word, or that of a vertex it reads, which begins with an input, or
   which may be made from the start (theorems/Made.v), or any when nothing is computed twice. *)
Variables (made : pred G) (once : bool) (T N : finType) (step : T -> G) (need : N -> T -> W).
Record needs : Prop := Needs {
  nd_live : forall x, live (step x) && (step x \notin input G);
  nd_need : forall n x,
    need n x = word (step x) /\ closed (step x) \/
    exists u, [/\ edge u (step x), word u = need n x & [\/ rooted word (need n x), made u | once /\ closed u]] }.
Hypothesis nd : needs.
Hypothesis one : once -> one_shot s.

Section Work.
Variable c : births -> nat -> nat.
Hypothesis ca : canonical s length place c.
Let key (k : births) : W := word (val k).
Notation there := (avail s c word key).

Lemma step_time : exists tm : T -> nat, forall x, computes s (tm x) (step x) /\
  (forall k j, j < length k -> place k j = step x -> tm x = c k j).
Proof.
suff : forall x, exists i, computes s i (step x) /\ (forall k j, j < length k -> place k j = step x -> i = c k j) by move/fin_all_exists.
move=> x; have /andP[lx xI] := nd_live nd x.
case: (boolP [exists k : births, [exists j : 'I_(length k), place k j == step x]]) => [/existsP[k /existsP[j /eqP E]]|no].
  exists (c k j); split; first by rewrite -E; apply: c_computes (ltn_ord j).
  by move=> k' j' jl' E'; have [ke je] := place_tells (ltn_ord j) jl' (etrans E (esym E')); rewrite je ke.
have [i ci] := live_computed ok lx xI; exists i; split=> // k j jl E; case/negP: no.
by apply/existsP; exists k; apply/existsP; exists (Ordinal jl); rewrite /= E.
Qed.

Lemma rooted_read a b i v : rooted_at v -> a <= i < b -> v \in R i -> word v \in there a b.
Proof.
move=> r; elim: r i => [{}v vI i ab vR|{}v u o r IH i ab vR].
  exact: (input_avail ok c word key ab vR vI).
case: (used_avail ok c word key ab vR) => // -[j /andP[aj ji] cj].
rewrite -(ow_word ow o); apply: (IH j); last exact: (computes_edge ok cj (ow_edge ow o)).
by rewrite aj /=; case/andP: ab => _; apply: ltn_trans.
Qed.

Variable tm : T -> nat.
Hypothesis tmP : forall x, computes s (tm x) (step x) /\ (forall k j, j < length k -> place k j = step x -> tm x = c k j).
Lemma needs_there a b n x : a <= tm x < b -> need n x \in there a b \/ exists2 u, word u = need n x & made u /\ u \in R (tm x).
Proof.
move=> ab; have [cx ck] := tmP x; case: (nd_need nd n x) => [[-> nb]|[u [e <- [ro|mu|[oc nb]]]]]; first left.
- have /andP[lx xI] := nd_live nd x.
  case: (own_back lx nb) => [r|[k [j [jl E ->]]]].
    case: r cx xI => {nb} [vI|u o r] cx; first by rewrite vI.
    by move=> _; rewrite -(ow_word ow o); apply: rooted_read r ab _; apply: (computes_edge ok cx (ow_edge ow o)).
  have := chain_avail ok own_chains ca (word := word) (key := key) (k := k) (j := j) (a := a) (b := b) _ jl.
  by rewrite -(ck k j jl E); apply=> // k' j' jl'; apply: place_word.
- have red := computes_edge ok cx e; have /andP[ax xb] := ab; left.
  have [w <- [wa|[j /andP[aj jx] l]]] := rooted_back ok ro ax red erefl; first exact: red_avail.
  by apply: (loaded_avail c word key) l; rewrite aj (ltn_trans jx xb).
- by right; exists u => //; split=> //; apply: (computes_edge ok cx e).
have red := computes_edge ok cx e; left.
have lu : live u.
  by have /andP[/existsP[o /andP[oO xo]] _] := nd_live nd x; apply/existsP; exists o; rewrite oO (connect_trans (connect1 e) xo).
case: (own_back lu nb) => [r|[k [j [jl uE wk]]]]; first exact: rooted_read r ab red.
case: (used_avail ok c word key ab red) => // -[i /andP[ai ix] ci].
rewrite wk; have := chain_avail ok own_chains ca (word := word) (key := key) (k := k) (j := j) (a := a) (b := b) _ jl.
have cc : computes s (c k j) u by rewrite -uE; have [H _] := ca k; apply: H.
rewrite -(one oc ci cc) ai (ltn_trans ix (proj2 (andP ab))); apply=> // k' j' jl'; exact: place_word.
Qed.
End Work.

End Steps.

(* Statements of several ledgers, each of them cut at its own events; words of different ledgers are different, and inputs X are of none.  Words
   that are read and of which nothing is red or loaded in a segment are made there: `few l` says of which sets that may be so. *)
Section Ledger.
Variables (made : pred G) (once : bool) (I S : finType) (T N : S -> finType) (step : forall i, T i -> G) (need : forall i, N i -> T i -> W) (group : S -> I) (ledger : W -> option I).
Hypothesis one : once -> one_shot s.
Hypothesis nd : forall i, needs made once (@step i) (@need i).
Hypothesis on : forall i n x, ledger (@need i n x) = Some (group i).
Variable few : I -> {set W} -> {set W} -> Prop.
Definition in_ledger (c : births -> nat -> nat) (l : I) : nat -> nat -> {set W} :=
  avail_of s place c word (fun k => word (val k)) (fun v => ledger (word v)) (Some l).
Hypothesis made_few : forall c l a b (Mw : {set W}), (forall w, w \in Mw -> [/\ ledger w = Some l, w \notin avail s c word (fun k => word (val k)) a b &
    exists v i, [/\ word v = w, made v, a <= i < b & v \in R i]]) -> few l (in_ledger c l a b) Mw.
(* X words, and the needs of h steps of the ledger at most *)
Definition ledger_most l x h : Prop := forall (Dw Mw : {set W}) (F : forall i, {set T i}), #|Dw| <= x -> few l Dw Mw ->
  (forall i y n, group i = l -> y \in F i -> @need i n y \in Dw :|: Mw) -> \sum_(i | group i == l) #|F i| <= h.
Variables (X : {set G}) (f t q hf ht : I -> nat).

(* each ledger's events before the time e by which all steps are computed *)
Theorem own_events e : (forall i x j, computes s j (@step i x) -> j < e) ->
  (forall l, ledger_most l (f l) (hf l)) -> (forall l, ledger_most l (M + t l) (ht l)) ->
  (forall l, hf l + q l * ht l < \sum_(i | group i == l) #|T i|) ->
  exists2 c, canonical s length place c & forall l, f l + q l * t l + 1 <= events_of s c (fun v => ledger (word v)) (Some l) 0 e.
Proof.
move=> before Hf Ht lt; have [c ca] := canonical_exists ok own_chains; pose key (k : births) : W := word (val k).
have [tm tmP] := fin_all_exists (fun i => step_time (nd i) ca).
pose work l a b := \sum_(i | group i == l) cnt predT (tm i) a b.
have all_work l : \sum_(i | group i == l) #|T i| <= work l 0 e.
  apply: leq_sum => i _; rewrite /cnt -cardsT; apply/subset_leq_card/subsetP => x _.
  by rewrite inE /=; have [cx _] := tmP i x; apply: before cx.
have stretch l a b x h : ledger_most l x h -> #|in_ledger c l a b| <= x -> work l a b <= h.
  pose F i := [set y | predT y && (a <= tm i y < b)].
  pose Mw := [set w | [&& w \notin avail s c word key a b, ledger w == Some l & [exists i, [exists n, [exists y in F i, w == need n y]]]]].
  move=> H le; apply: (H _ Mw F le) => [|i y n gi yF].
    apply: made_few => w; rewrite inE => /and3P[no /eqP lw /existsP[i /existsP[n /existsP[y /andP[]]]]].
    rewrite inE /= => ab /eqP wE; split=> //; rewrite wE in no *; have [there|[u uE [mu uR]]] := needs_there (nd i) one ca (tmP i) n ab.
      by rewrite there in no.
    by exists u, (tm i y).
  have ab : a <= tm i y < b by move: yF; rewrite inE.
  rewrite in_setU; case: (boolP (need n y \in avail s c word key a b)) => [there|no].
    apply/orP; left; apply: (avail_in (ledger := fun v => ledger (word v))) there => // v vE; by rewrite vE on gi.
  apply/orP; right; rewrite inE no on gi eqxx /=; apply/existsP; exists i; apply/existsP; exists n; apply/existsP; exists y; by rewrite yF /=.
exists c => // l; apply: (ledger_events ok own_chains ca (word := word) (key := key) (work := work l) (hf := hf l) (ht := ht l)).
- move=> a b ab; rewrite /work -big_split; apply: leq_sum => i _; by rewrite (cnt_cat predT (tm i) (leq0n a) ab).
- by move=> a b _; apply: stretch.
- by move=> a b _; apply: stretch.
exact: leq_trans (lt l) (all_work l).
Qed.

Theorem own_ledgers :
  X \subset needed G -> (forall v, v \in X -> ledger (word v) = None) ->
  (forall l, ledger_most l (f l) (hf l)) -> (forall l, ledger_most l (M + t l) (ht l)) ->
  (forall l, hf l + q l * ht l < \sum_(i | group i == l) #|T i|) ->
  \sum_l (f l + q l * t l + 1) + #|X| + #|output G :\: input G| <= cost s + #|births|.
Proof.
move=> XN Xno Hf Ht lt; have [c ca few_] := own_events (fun i x j cj => computes_size cj) Hf Ht lt.
apply: (events_cost ok (c := c)).
apply: leq_trans (@events_of_sum _ s _ c _ (fun v => ledger (word v))).
rewrite [X in _ <= X](bigD1 None) //= addnC; apply: leq_add.
  by apply: (ledger_inputs ok) XN _ => v vX; apply: Xno.
have -> : \sum_(l | l != None) events_of s c (fun v => ledger (word v)) l 0 (size s) =
    \sum_l events_of s c (fun v => ledger (word v)) (Some l) 0 (size s).
  rewrite (reindex_omap (fun l : I => Some l) id) => [|[l|] //]; by apply: eq_bigl => l; rewrite eqxx.
by apply: leq_sum => l _; exact: few_.
Qed.
End Ledger.

(* Nothing is made: every word that is read begins with an input. *)
Theorem own_segment (T N : finType) (step : T -> G) (need : N -> T -> W) f t n hf ht : needs pred0 false step need ->
  needs_at_most need f hf -> needs_at_most need (M + t) ht -> hf + n * ht < #|T| ->
  f + n * t + 1 + #|output G :\: input G| <= cost s + #|births|.
Proof.
move=> nd Hf Ht lt.
have un (P : pred unit) (F : unit -> nat) : P tt -> \sum_(i | P i) F i = F tt by move=> h; rewrite (big_pred1 tt) // => -[].
pose none (_ : unit) (Dw Mw : {set W}) := Mw = set0.
have one x h : needs_at_most need x h -> ledger_most (fun=> need) (fun _ : unit => tt) none tt x h.
  move=> H Dw Mw F le M0 inD; rewrite un //; apply: (H _ _ le) => y yF n'; by have := inD tt y n' erefl yF; rewrite M0 setU0.
have no : false -> one_shot s by [].
have := @own_ledgers pred0 false [finType of unit] [finType of unit] (fun=> T) (fun=> N) (fun=> step) (fun=> need) (fun=> tt) (fun=> Some tt) no (fun=> nd) (fun _ _ _ => erefl)
  none _ set0 (fun=> f) (fun=> t) (fun=> n) (fun=> hf) (fun=> ht) (sub0set _).
rewrite cards0 addn0 un //; apply=> [c [] a b Mw H|v|[]|[]|[]]; [| by rewrite inE | exact: one Hf | exact: one Ht | by rewrite un].
by apply/setP => w; rewrite inE; apply/negP => /H[_ _ [v [i []]]].
Qed.
End OwnWords.
