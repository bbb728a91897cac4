(* docs/theory-affine.md, Lemma 1: disjoint sets of vertices have ledgers of their own, and what each of them says is added up.  For any
   CDAG. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Ledgers.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Hypothesis ch : chains len z.
Variables (c : K -> nat -> nat).
Hypothesis ca : canonical s len z c.
Variables (W : finType) (word : G -> W) (key : K -> W).

(* each vertex is in one ledger; a birth is counted in that of the chain's first vertex *)
Variables (I : finType) (ledger : G -> I).
Definition touched (a : nat) : option I :=
  match mv s a with Some (Load v) | Some (Compute v) | Some (Slide _ v) => Some (ledger v) | _ => None end.
Definition event_of l : pred 'I_(size s) := fun i => event c i && (touched i == Some l).
Definition events_of l := cnt (event_of l) val.

Definition avail_of l (a b : nat) : {set W} :=
  word @: ([set v in red (pos (start G) s a) | ledger v == l] :|:
           [set v | (ledger v == l) && [exists i : 'I_(size s), (a <= i < b) && loads s i v]])
  :|: [set key k | k in [set k | (ledger (z k 0) == l) && (a <= c k 0 < b)]].

Lemma touched_load i v : loads s i v -> touched i = Some (ledger v).
Proof. by rewrite /loads /touched; case: (mv s i) => [[]|] // w /eqP ->. Qed.
Lemma touched_compute i v : computes s i v -> touched i = Some (ledger v).
Proof. by rewrite /computes /touched; case: (mv s i) => [[w|w|w|u w|w|w]|] // /eqP ->. Qed.

Lemma avail_of_card l a b : #|avail_of l a b| <= #|red (pos (start G) s a)| + events_of l a b.
Proof.
rewrite /avail_of imsetU -setUA cardsU; apply: leq_trans (leq_subr _ _) _; apply: leq_add.
  by apply: leq_trans (leq_imset_card _ _) _; apply/subset_leq_card/subsetP => v; rewrite inE => /andP[].
apply: (@card_rel _ _ _ _ (fun i : 'I_(size s) => brings s c word key i)); first by move=> i w w'; apply: (brings_one ch ca).
move=> w; rewrite inE => /orP[/imsetP[v]|/imsetP[k]].
  rewrite inE => /andP[vl /existsP[i /andP[iab ld]]] ->; exists i.
    rewrite inE iab andbT /event_of (touched_load ld) (eqP vl) eqxx andbT /event; apply/orP; left.
    by move: ld; rewrite /loads /at_time; case: (mv s i) => [[]|].
  by apply/orP; left; apply/existsP; exists v; rewrite ld eqxx.
rewrite inE => /andP[kl ck] ->; have cc := c_computes ca (chain_pos ch k); have cs := computes_size cc.
exists (Ordinal cs); last by apply/orP; right; apply/existsP; exists k; rewrite !eqxx.
rewrite inE /= ck andbT /event_of /= (touched_compute cc) (eqP kl) eqxx andbT.
by rewrite /event; apply/orP; right; apply/existsP; exists k.
Qed.

Lemma events_of_one l a : events_of l a a.+1 <= 1.
Proof.
rewrite /events_of /cnt; case: (set_0Vmem [set x | event_of l x && (a <= val x < a.+1)]) => [->|[x]]; first by rewrite cards0.
rewrite inE => /andP[_ xa]; rewrite -(cards1 x); apply/subset_leq_card/subsetP => y.
by rewrite !inE => /andP[_ ya]; apply/eqP/val_inj; move: xa ya => /=; lia.
Qed.

Lemma events_of_sum : \sum_l events_of l 0 (size s) <= events s c 0 (size s).
Proof.
pose A := [set x : 'I_(size s) | event c x && (0 <= val x < size s)].
pose on (l : I) := [set x in A | touched x == Some l].
have E l : events_of l 0 (size s) = #|on l|.
  by apply: eq_card => x; rewrite !inE andbAC.
rewrite (eq_bigr (fun l => #|on l|)) => [|l _]; last exact: E.
have -> : events s c 0 (size s) = #|A| by [].
apply: (@leq_trans (\sum_(o : option I) #|[set x in A | touched x == o]|)).
  have -> : \sum_l #|on l| = \sum_(o in [set Some l | l in I]) #|[set x in A | touched x == o]|.
    by rewrite big_imset //= => l l' _ _ [].
  by rewrite [X in _ <= X](bigID (mem [set Some l | l in I])) leq_addr.
rewrite -[X in _ <= X]sum1_card (partition_big (fun x : 'I_(size s) => touched x) predT) //=.
by apply: leq_sum => o _; rewrite sum1dep_card; apply/eq_leq/eq_card => x; rewrite !inE.
Qed.

(* Each ledger is cut at its own events into segments of its own lengths, for work of its own; the stores of outputs are added once. *)
Lemma ledger_events l (work : nat -> nat -> nat) f t q hf ht e :
  (forall a b, a <= b -> work 0 b <= work 0 a + work a b) ->
  (forall a b, a <= b -> #|avail_of l a b| <= f -> work a b <= hf) ->
  (forall a b, a <= b -> #|avail_of l a b| <= M + t -> work a b <= ht) ->
  hf + q * ht < work 0 e -> f + q * t + 1 <= events_of l 0 e.
Proof.
move=> wcat wf wt; apply: contraTT; rewrite addn1 -leqNgt -ltnNge ltnS => le.
apply: (@cutting (events_of l) work f t hf ht) le => //.
- by move=> a b d; apply: cnt_cat.
- exact: events_of_one.
- move=> b le; apply: wf => //; apply: leq_trans (avail_of_card l 0 b) _.
  by rewrite (R0 s) cards0.
move=> a b ab _ le; apply: wt; first exact: ltnW.
by apply: leq_trans (avail_of_card l a b) _; apply: leq_add (card_R ok a) le.
Qed.

(* A ledger of inputs: each that matters is loaded. *)
Lemma ledger_inputs l (X : {set G}) : X \subset needed G -> (forall v, v \in X -> ledger v = l) -> #|X| <= events_of l 0 (size s).
Proof.
move=> /subsetP matter on; apply: (@card_rel _ _ _ _ (fun (i : 'I_(size s)) v => loads s i v)); first by move=> i u v; apply: loads_fun.
move=> v vX; have := matter v vX; rewrite inE => /andP[vI /existsP[w /andP[e lw]]].
have wI : w \notin input G by apply/negP; rewrite inE => /forallP/(_ v); rewrite e.
have [i ci] := live_computed ok lw wI; have [j _ ld] := input_loaded ok vI (computes_edge ok ci e).
have js := loads_size ld; exists (Ordinal js) => //; rewrite inE leq0n js andbT /event_of (touched_load ld) on // eqxx andbT /event.
by apply/orP; left; move: ld; rewrite /loads /at_time /=; case: (mv s j) => [[]|].
Qed.

Lemma avail_in l a b w : (forall k, key k = word (z k 0)) -> (forall v, word v = w -> ledger v = l) ->
  w \in avail s c word key a b -> w \in avail_of l a b.
Proof.
move=> keyE on; rewrite /avail /avail_of !in_setU => /orP[/imsetP[v]|/imsetP[k]].
  rewrite in_setU => vab wE; apply/orP; left; apply/imsetP; exists v => //; rewrite in_setU !inE (on v (esym wE)) eqxx /= andbT.
  by move: vab; rewrite inE.
rewrite inE => ck wE; apply/orP; right; apply/imsetP; exists k => //; by rewrite inE ck andbT on // -keyE.
Qed.

Variables (work : I -> nat -> nat -> nat) (f t q hf ht : I -> nat).
Theorem ledgers_segment :
  (forall l a b, a <= b -> work l 0 b <= work l 0 a + work l a b) ->
  (forall l a b, a <= b -> #|avail_of l a b| <= f l -> work l a b <= hf l) ->
  (forall l a b, a <= b -> #|avail_of l a b| <= M + t l -> work l a b <= ht l) ->
  (forall l, hf l + q l * ht l < work l 0 (size s)) ->
  \sum_l (f l + q l * t l + 1) + #|output G :\: input G| <= cost s + #|K|.
Proof.
move=> wcat wf wt lt; apply: (events_cost ok (c := c)).
by apply: leq_trans events_of_sum; apply: leq_sum => l _; apply: (ledger_events (wcat l) (wf l) (wt l)).
Qed.
End Ledgers.
