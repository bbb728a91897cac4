(* docs/theory.md section 2: chains, canonical computes, births, available words, the segment lemma. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* Cutting, as arithmetic: E counts events, work what is done, between two times. *)
Section Cutting.
Variables (E work : nat -> nat -> nat) (f t hf ht : nat).
Hypothesis E_cat : forall a b c, a <= b -> b <= c -> E a c = E a b + E b c.
Hypothesis E_one : forall a, E a a.+1 <= 1.
Hypothesis work_cat : forall a b, a <= b -> work 0 b <= work 0 a + work a b.
Hypothesis first : forall b, E 0 b <= f -> work 0 b <= hf.
Hypothesis other : forall a b, a < b -> E a a.+1 = 1 -> E a b <= t -> work a b <= ht.

Lemma cutting q b : E 0 b <= f + q * t -> work 0 b <= hf + q * ht.
Proof.
elim: q b => [|q IH] b; first by rewrite !mul0n !addn0; exact: first.
move=> le; have Eaa a : E a a = 0 by have := E_cat (leqnn a) (leqnn a); lia.
have [e0|big] := leqP (E 0 b) (f + q * t).
  by apply: leq_trans (IH b e0) _; rewrite mulSn; lia.
(* the last time with no more than f + q t events before it *)
have [a [ab ea one eb]] : exists a, [/\ a < b, E 0 a <= f + q * t, E a a.+1 = 1 & E a b <= t].
  have ex0 : exists a, (a <= b) && (E 0 a <= f + q * t) by exists 0; rewrite Eaa.
  have [|a /andP[ab ea] mx] := @ex_maxnP (fun a => (a <= b) && (E 0 a <= f + q * t)) b ex0.
    by move=> a /andP[].
  have {}ab : a < b by rewrite ltn_neqAle ab andbT; apply/eqP => E'; move: ea; rewrite E'; lia.
  exists a; have nx : ~~ ((a.+1 <= b) && (E 0 a.+1 <= f + q * t)).
    by apply/negP => /mx; lia.
  have := E_cat (leq0n a) (ltnW ab); have := E_cat (leq0n a) (leqnSn a); have := E_one a.
  by move: nx le; rewrite mulSn => nx le e1 e2 e3; split; [done | done | lia..].
rewrite mulSn; apply: leq_trans (work_cat (ltnW ab)) _.
by have := IH a ea; have := other ab one eb; lia.
Qed.
End Cutting.

Section Chains.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.

(* Disjoint chains, of live vertices: chain k is z k 0, z k 1, ..., z k (len k).-1. *)
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Record chains : Prop := Chains {
  chain_pos  : forall k, 0 < len k;
  chain_edge : forall k j, j.+1 < len k -> edge (z k j) (z k j.+1);
  chain_inj  : forall k j k' j', j < len k -> j' < len k' -> z k j = z k' j' -> k = k';
  chain_born : forall k, z k 0 \notin input G;
  chain_live : forall k, live (z k (len k).-1) }.
Hypothesis ch : chains.

(* c k j: the time of the canonical compute of z k j *)
Definition canonical (c : K -> nat -> nat) : Prop :=
  forall k, (forall j, j < len k -> computes s (c k j) (z k j)) /\
            (forall j, j.+1 < len k -> c k j < c k j.+1 /\
                forall i, c k j < i < c k j.+1 -> ~~ computes s i (z k j)).

Lemma chain_noninput k j : j < len k -> z k j \notin input G.
Proof.
case: j => [|j] jl; first exact: chain_born ch k.
by apply/negP; rewrite inE => /forallP/(_ (z k j)); rewrite (chain_edge ch jl).
Qed.

Lemma canonical_to k r e : r < len k -> computes s e (z k r) ->
  exists c : nat -> nat, [/\ c r = e, forall j, j <= r -> computes s (c j) (z k j) &
    forall j, j < r -> c j < c j.+1 /\ forall i, c j < i < c j.+1 -> ~~ computes s i (z k j)].
Proof.
elim: r e => [|r IH] e rl ce.
  by exists (fun=> e); split => // j; case: j.
have [|i ie ci] := red_computed ok _ (computes_edge ok ce (chain_edge ch rl)).
  by apply: chain_noninput; lia.
have [e' [e'e ce' H]] := last_compute ok ie ci.
have [|c [cr c1 c2]] := IH e' _ ce'; first lia.
exists (fun j => if j <= r then c j else e); split; [by rewrite ltnn | |].
- by move=> j; case: (leqP j r) => [jr _|rj jr]; [apply: c1 | have -> : j = r.+1 by lia].
- move=> j; rewrite ltnS => jr; rewrite jr; case: (leqP j.+1 r) => [|rj]; first exact: c2.
  have -> : j = r by lia.
  by rewrite cr.
Qed.

Lemma canonical_exists : exists c, canonical c.
Proof.
suff /fin_all_exists[c H] : forall k, exists c : nat -> nat,
  (forall j, j < len k -> computes s (c j) (z k j)) /\
  (forall j, j.+1 < len k -> c j < c j.+1 /\
     forall i, c j < i < c j.+1 -> ~~ computes s i (z k j)) by exists c.
move=> k; have l1 : (len k).-1 < len k by have := chain_pos ch k; lia.
have [e ce] := live_computed ok (chain_live ch k) (chain_noninput l1).
have [c [_ c1 c2]] := canonical_to l1 ce.
by exists c; split=> j jl; [apply: c1; lia | apply: c2; lia].
Qed.

Variables (c : K -> nat -> nat).
Hypothesis ca : canonical c.

Lemma c_computes k j : j < len k -> computes s (c k j) (z k j).
Proof. by have [H _] := ca k; apply: H. Qed.

(* Events: loads and births. *)
Definition is_birth (i : 'I_(size s)) : bool := [exists k, c k 0 == i].
Definition event (i : 'I_(size s)) : bool := at_time (@is_load G) i || is_birth i.
Definition events := cnt event val.

Lemma events_one a : events a a.+1 <= 1.
Proof.
rewrite /events /cnt; case: (set_0Vmem [set x | event x && (a <= val x < a.+1)]) => [->|[x]].
  by rewrite cards0.
rewrite inE => /andP[_ xa]; rewrite -(cards1 x); apply/subset_leq_card/subsetP => y.
by rewrite !inE => /andP[_ ya]; apply/eqP/val_inj; move: xa ya => /=; lia.
Qed.

Lemma events_loads : events 0 (size s) <= n_loads s 0 (size s) + #|K|.
Proof.
pose Bi := [set i : 'I_(size s) | is_birth i].
apply: (@leq_trans (#|[set x | at_time (@is_load G) x && (0 <= val x < size s)] :|: Bi|)).
  apply/subset_leq_card/subsetP => x; rewrite !inE => /andP[/orP[->|->] ->] //; by rewrite orbT.
rewrite cardsU; apply: leq_trans (leq_subr _ _) _; rewrite leq_add2l.
rewrite -cardsT; apply: (@card_rel _ _ _ _ (fun k (i : 'I_(size s)) => c k 0 == i)).
  by move=> k u v /eqP E /eqP E'; apply/val_inj; rewrite /= -E -E'.
by move=> i; rewrite inE => /existsP[k ki]; exists k.
Qed.

(* Every vertex belongs to one word; a chain is one word. *)
Variables (W : finType) (word : G -> W) (key : K -> W).
Hypothesis word_chain : forall k j, j < len k -> word (z k j) = key k.

(* What a move brings: the word of the vertex that it loads, or of the chain that is born. *)
Definition brings (i : nat) (w : W) : bool :=
  [exists v, loads s i v && (word v == w)] || [exists k, (c k 0 == i) && (key k == w)].

Lemma brings_one i w w' : brings i w -> brings i w' -> w = w'.
Proof.
have lc v k : loads s i v -> c k 0 = i -> False.
  move=> l E; have := c_computes (chain_pos ch k); rewrite E; move: l.
  by rewrite /loads /computes; case: (mv s i) => [[]|].
case/orP=> [/existsP[v /andP[lv /eqP<-]]|/existsP[k /andP[/eqP ck /eqP<-]]];
case/orP=> [/existsP[u /andP[lu /eqP<-]]|/existsP[k' /andP[/eqP ck' /eqP<-]]].
- by rewrite (loads_fun lv lu).
- by case: (lc _ _ lv ck').
- by case: (lc _ _ lu ck).
have h1 := c_computes (chain_pos ch k); have h2 := c_computes (chain_pos ch k').
rewrite ck in h1; rewrite ck' in h2.
by rewrite (chain_inj ch (chain_pos ch k) (chain_pos ch k') (computes_inj h1 h2)).
Qed.

(* The words available in the times from a to b: those of vertices red at a or loaded, or born. *)
Definition avail (a b : nat) : {set W} :=
  word @: (red (pos (start G) s a) :|: [set v | [exists i : 'I_(size s), (a <= i < b) && loads s i v]])
  :|: [set key k | k in [set k | a <= c k 0 < b]].

Lemma avail_card a b : #|avail a b| <= #|red (pos (start G) s a)| + events a b.
Proof.
rewrite /avail imsetU -setUA cardsU; apply: leq_trans (leq_subr _ _) _.
apply: leq_add; first exact: leq_imset_card.
apply: (@card_rel _ _ _ _ (fun i : 'I_(size s) => brings i)); first by move=> i w w'; apply: brings_one.
move=> w; rewrite inE => /orP[/imsetP[v]|/imsetP[k]].
  rewrite inE => /existsP[i /andP[iab l]] ->; exists i.
    rewrite inE iab andbT /event; apply/orP; left.
    by move: l; rewrite /loads /at_time; case: (mv s i) => [[]|].
  by apply/orP; left; apply/existsP; exists v; rewrite l eqxx.
rewrite inE => ck ->; have cs := computes_size (c_computes (chain_pos ch k)).
exists (Ordinal cs); last by apply/orP; right; apply/existsP; exists k; rewrite !eqxx.
by rewrite inE /= ck andbT /event; apply/orP; right; apply/existsP; exists k.
Qed.

Lemma red_avail a b v : v \in red (pos (start G) s a) -> word v \in avail a b.
Proof. by move=> va; rewrite /avail inE imset_f ?inE ?va. Qed.

Lemma loaded_avail a b i v : a <= i < b -> loads s i v -> word v \in avail a b.
Proof.
move=> iab l; rewrite /avail inE imset_f // !inE; apply/orP; right.
by apply/existsP; exists (Ordinal (loads_size l)); rewrite /= iab.
Qed.

(* A value that is red in the segment: its word is available, or it was computed in the segment. *)
Lemma used_avail a b i v : a <= i < b -> v \in red (pos (start G) s i) ->
  word v \in avail a b \/ exists2 j, a <= j < i & computes s j v.
Proof.
case/andP=> ai ib vi; case: (red_back ok ai vi) => [va|[j ji l]|H].
- by left; apply: red_avail.
- by left; apply: (@loaded_avail a b j) l; lia.
- by right.
Qed.

Lemma input_avail a b i v : a <= i < b -> v \in red (pos (start G) s i) -> v \in input G ->
  word v \in avail a b.
Proof.
move=> ab vi vI; case: (used_avail ab vi) => // -[j _ /(computes_noninput ok)]; by rewrite vI.
Qed.

(* A chain with a canonical step in the segment is available. *)
Lemma chain_avail a b k j : j < len k -> a <= c k j < b -> key k \in avail a b.
Proof.
elim: j => [|j IH] jl; first by move=> ck; rewrite /avail inE orbC imset_f ?inE.
have [_ /(_ j jl)[cc H]] := ca k => /andP[ac cb].
case: (leqP a (c k j)) => [aj|ja]; first by apply: IH; lia.
have rd := computes_edge ok (c_computes jl) (chain_edge ch jl).
have ab : a <= c k j.+1 < b by rewrite ac.
have jl' : j < len k by lia.
case: (used_avail ab rd) => [|[i ii ci]]; first by rewrite word_chain.
have /negP[] : ~~ computes s i (z k j) by apply: H; lia.
by [].
Qed.

(* A segment begins with an event.  Before a load, or a compute that takes no predecessor's pebble, a pebble was free. *)
Lemma event_room a : events a a.+1 = 1 -> game = placing \/ #|K| = 0 -> #|red (pos (start G) s a)| <= M.-1.
Proof.
rewrite /events /cnt => one kind; have /card_gt0P[x] : 0 < #|[set x | event x && (a <= val x < a.+1)]| by rewrite one.
rewrite inE => /andP[ev]; rewrite ltnS -eqn_leq => /eqP xa.
have free v : v \notin red (pos (start G) s a) -> #|v |: red (pos (start G) s a)| <= M -> #|red (pos (start G) s a)| <= M.-1.
  by rewrite cardsU1 => -> le; rewrite -ltnS; apply: leq_trans le (leqSpred M).
have at_a m : mv s a = Some m -> allowed game (pos (start G) s a) m /\ #|red (after (pos (start G) s a) m)| <= M.
  by move=> ma; have [] := legal_at ok ma; rewrite posS ma.
case/orP: ev => [|/existsP[k /eqP ck]].
  rewrite /at_time -xa; case ma: (mv s a) => [[v|v|v|u v|v|v]|] // _.
  by have [/andP[_ /free] ] := at_a _ ma.
have := c_computes (chain_pos ch k); rewrite ck -xa /computes; case ma: (mv s a) => [[v|v|v|u v|v|v]|] // _.
  by have [/and3P[_ /free]] := at_a _ ma.
case: kind => [pl|K0]; first by have [] := at_a _ ma; rewrite /= pl.
by have := fintype0 k K0.
Qed.

(* The segment lemma. *)
Theorem segment_cut (work : nat -> nat -> nat) f t hf ht q :
  (forall a b, a <= b -> work 0 b <= work 0 a + work a b) ->
  (forall a b, a <= b -> #|avail a b| <= f -> work a b <= hf) ->
  (forall a b, a < b -> events a a.+1 = 1 -> events a b <= t -> work a b <= ht) ->
  hf + q * ht < work 0 (size s) ->
  f + q * t + 1 <= events 0 (size s).
Proof.
move=> wcat wf wt; apply: contraTT; rewrite addn1 -leqNgt -ltnNge ltnS => le.
apply: (@cutting events work f t hf ht) le => //.
- by move=> a b d; apply: cnt_cat.
- exact: events_one.
- move=> b le; apply: wf => //; apply: leq_trans (avail_card 0 b) _.
  by rewrite (R0 s) cards0.
Qed.

Theorem segment_lemma (work : nat -> nat -> nat) f t hf ht q :
  (forall a b, a <= b -> work 0 b <= work 0 a + work a b) ->
  (forall a b, a <= b -> #|avail a b| <= f -> work a b <= hf) ->
  (forall a b, a <= b -> #|avail a b| <= M + t -> work a b <= ht) ->
  hf + q * ht < work 0 (size s) ->
  f + q * t + 1 <= events 0 (size s).
Proof.
move=> wcat wf wt; apply: segment_cut => // a b ab _ le; apply: wt; first exact: ltnW.
by apply: leq_trans (avail_card a b) _; apply: leq_add (card_R ok a) le.
Qed.

(* One word less: when placing, and in both games when loads are the only events. *)
Theorem segment_lemma_before (work : nat -> nat -> nat) f t hf ht q : game = placing \/ #|K| = 0 ->
  (forall a b, a <= b -> work 0 b <= work 0 a + work a b) ->
  (forall a b, a <= b -> #|avail a b| <= f -> work a b <= hf) ->
  (forall a b, a <= b -> #|avail a b| <= M.-1 + t -> work a b <= ht) ->
  hf + q * ht < work 0 (size s) ->
  f + q * t + 1 <= events 0 (size s).
Proof.
move=> kind wcat wf wt; apply: segment_cut => // a b ab one le; apply: wt; first exact: ltnW.
by apply: leq_trans (avail_card a b) _; apply: leq_add (event_room one kind) le.
Qed.

(* In both games one word less, and w more work, where a move does at most w: its first event is not in the segment, but its step is. *)
Theorem segment_lemma_after (work : nat -> nat -> nat) f t hf ht q w :
  (forall a b d, a <= b -> b <= d -> work a d <= work a b + work b d) ->
  (forall a, work a a.+1 <= w) ->
  (forall a b, a <= b -> #|avail a b| <= f -> work a b <= hf) ->
  (forall a b, a <= b -> #|avail a b| <= M + t.-1 -> work a b + w <= ht) ->
  hf + q * ht < work 0 (size s) ->
  f + q * t + 1 <= events 0 (size s).
Proof.
move=> wcat w1 wf wt; apply: segment_cut => //; first by move=> a b ab; apply: wcat.
move=> a b ab one le; apply: leq_trans (wcat a a.+1 b (leqnSn a) ab) _; rewrite addnC.
apply: leq_trans (wt a.+1 b ab _); first by rewrite leq_add2l.
apply: leq_trans (avail_card a.+1 b) _; apply: leq_add (card_R ok _) _.
have : events a b = events a a.+1 + events a.+1 b by apply: cnt_cat.
by rewrite one; move: le; clear; lia.
Qed.

Theorem segment_bound (work : nat -> nat -> nat) f t hf ht q :
  (forall a b, a <= b -> work 0 b <= work 0 a + work a b) ->
  (forall a b, a <= b -> #|avail a b| <= f -> work a b <= hf) ->
  (forall a b, a <= b -> #|avail a b| <= M + t -> work a b <= ht) ->
  hf + q * ht < work 0 (size s) ->
  f + q * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof.
move=> wcat wf wt lt; have := segment_lemma wcat wf wt lt.
have := events_loads; have := output_stores ok; rewrite costE; lia.
Qed.

(* Work that is the weights of steps, each done at one time; the second inequality is asked only when there are segments of its kind. *)
Lemma weighted_bound (T : finType) (tm u : T -> nat) f t hf ht q :
  (forall a b, #|avail a b| <= f -> \sum_(x | a <= tm x < b) u x <= hf) ->
  q = 0 \/ (forall a b, #|avail a b| <= M + t -> \sum_(x | a <= tm x < b) u x <= ht) ->
  (forall x, tm x < size s) -> hf + q * ht < \sum_x u x ->
  f + q * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof.
move=> Hf Ht small lt; pose work a b := \sum_(x | a <= tm x < b) u x.
have [h2 H2 lt2] : exists2 h2, (forall a b, #|avail a b| <= M + t -> work a b <= h2) & hf + q * h2 = hf + q * ht.
  case: Ht => [->|Ht]; last by exists ht.
  exists (\sum_x u x) => [a b _|]; last by rewrite !mul0n.
  by rewrite /work [X in _ <= X](bigID (fun x => a <= tm x < b)) leq_addr.
apply: (segment_bound (work := work) (hf := hf) (ht := h2)); rewrite ?lt2.
- move=> a b ab; rewrite /work !(big_mkcond (fun x => _ <= tm x < _)) -big_split /=; apply: leq_sum => x _.
  by case: ifP; case: ifP; case: ifP => //; move: ab; clear; lia.
- by move=> a b _; apply: Hf.
- by move=> a b _; apply: H2.
by apply: leq_trans lt _; rewrite /work [X in _ <= X](eq_bigl xpredT) // => x; rewrite leq0n small.
Qed.

Lemma events_cost n : n <= events 0 (size s) -> n + #|output G :\: input G| <= cost s + #|K|.
Proof. by have := events_loads; have := output_stores ok; rewrite costE; lia. Qed.
End Chains.
