(* docs/theory-affine.md section 7, Stores: what ledgers count are loads, and what waits at gates is stored as well; and when all that the
   ledgers count comes before the gates, its loads are other loads.  For any CDAG, when nothing is computed twice. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment PairTrees Ledgers Rooted OneShot OwnWords Forks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Stores.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypotheses (ok : legal game M s) (once : one_shot s).
(* ledgers, of some vertices; X: inputs that matter of none *)
Variables (K : finType) (c : K -> nat -> nat) (I : finType) (ledger : G -> option I) (X : {set G}).
Hypotheses (matter : X \subset needed G) (X_none : forall v, v \in X -> ledger v = None).
Notation events l e := (events_of s c ledger (Some l) 0 e).
(* gates at times t, and what waits there *)
Variables (C : finType) (t : C -> nat) (V : C -> {set G}) (beside : bool).
Hypothesis wa : waits s t V beside.
Notation wait := (\sum_c (#|V c| - (M - beside))).

Definition early (e : nat) : {set 'I_(size s)} := [set i : 'I_(size s) | (i < e) && [exists v, loads s i v && (ledger v != None)]].
Lemma early_events e : \sum_l events l e <= #|early e| + #|K|.
Proof.
pose U := early e :|: [set i | is_birth c i].
apply: (@leq_trans #|U|); last first.
  apply: leq_trans (leq_card_setU _ _) _; rewrite leq_add2l -cardsT; apply: (@card_rel _ _ _ _ (fun k (i : 'I_(size s)) => c k 0 == i)).
    by move=> k u v /eqP E /eqP E'; apply/val_inj; rewrite /= -E -E'.
  by move=> i; rewrite inE => /existsP[k ki]; exists k.
pose S (l : I) := [set i : 'I_(size s) | event_of c ledger (Some l) i && (0 <= val i < e)].
have sub l i : i \in S l -> i \in U.
  rewrite inE => /andP[/andP[/orP[ld|b] to] /= ie]; rewrite !inE ?b ?orbT //; apply/orP; left; rewrite ie /=.
  move: ld to; rewrite /at_time /touched; case E: (mv s i) => [[v|v|v|x v|v|v]|] //= _ /eqP[lv].
  by apply/existsP; exists v; rewrite /loads E eqxx lv.
have E l : events l e = \sum_(i in U) (i \in S l : nat).
  rewrite /events_of /cnt -/(S l) -sum1_card big_mkcond [RHS]big_mkcond; apply: eq_bigr => i _.
  by case: (boolP (i \in S l)) => il; [rewrite (sub l i il) | case: ifP].
rewrite (eq_bigr _ (fun l _ => E l)) exchange_big -sum1_card /=; apply: leq_sum => i _.
case: (pickP (fun l => i \in S l)) => [l il|none]; last by rewrite big1 // => l _; rewrite none.
rewrite (bigD1 l) //= il big1 // => l' ne; apply/eqP; rewrite eqb0; apply: contra ne; move: il.
by rewrite !inE /event_of => /andP[/andP[_ /eqP ->] _] /andP[/andP[_ /eqP[->]] _].
Qed.
(* loads of ledgers before e, of X, and behind e of some computed vertices *)
Lemma three_loads e (L : {set G}) : (forall v, v \in L -> v \notin input G /\ exists2 i, e <= i & loads s i v) ->
  #|early e| + #|X| + #|L| <= n_loads s 0 (size s).
Proof.
move=> late; pose U := [finType of 'I_(size s) + (G + G)].
pose P (u : U) := match u with inl i => i \in early e | inr (inl v) => v \in X | inr (inr v) => v \in L end.
have -> : #|early e| + #|X| + #|L| = #|[set u | P u]|.
  rewrite card_split (card_split [set y | inr y \in _]) addnA; congr (_ + _ + _); apply: eq_card => u; by rewrite [in RHS]inE [in RHS]inE ?[in RHS]inE.
pose r (i : 'I_(size s)) (u : U) := P u && match u with inl j => j == i | inr (inl v) => loads s i v | inr (inr v) => (e <= i) && loads s i v end.
apply: (@card_rel _ _ _ _ r) => [i|u].
  have no v j : j \in early e -> j == i -> loads s i v -> v \in X -> False.
    rewrite inE => /andP[_ /existsP[w /andP[lw nw]]] /eqP ji lv /X_none vN; rewrite ji in lw; by rewrite (loads_fun lw lv) vN eqxx in nw.
  have no' j : j \in early e -> j == i -> e <= i -> False by rewrite inE => /andP[je _] /eqP <-; rewrite leqNgt je.
  have no2 v w : v \in X -> loads s i v -> w \in L -> loads s i w -> False.
    by move=> vX lv wL lw; have [wI _] := late w wL; have := subsetP matter _ vX; rewrite (loads_fun lv lw) inE (negPf wI).
  rewrite /r => -[j|[v|v]] [j'|[w|w]] /andP[p1 q1] /andP[p2 q2]; rewrite /P in p1 p2.
  - by rewrite (eqP q1) (eqP q2).
  - by case: (no w j).
  - by case/andP: q2 => ei _; case: (no' j).
  - by case: (no v j').
  - by rewrite (loads_fun q1 q2).
  - by case/andP: q2 => _ lw; case: (no2 v w).
  - by case/andP: q1 => ei _; case: (no' j').
  - by case/andP: q1 => _ lv; case: (no2 w v).
  by case/andP: q1 => _ q1; case/andP: q2 => _ q2; rewrite (loads_fun q1 q2).
have at_load i v : loads s i v -> exists2 j : 'I_(size s), val j = i & at_time (@is_load G) j.
  by move=> l; have [j ji al] := loads_at l; exists j.
have count_ (i : 'I_(size s)) : at_time (@is_load G) i -> i \in [set x | at_time (@is_load G) x && (0 <= val x < size s)].
  by move=> al; rewrite inE al /= ltn_ord.
rewrite inE; case: u => [i|[v|v]] Pu.
- exists i; last by rewrite /r Pu eqxx.
  have : i \in early e by exact: Pu.
  rewrite /early inE => /andP[_ /existsP[v /andP[l _]]]; have [j ji al] := at_load _ _ l; apply: count_.
  by rewrite (_ : i = j) //; apply/val_inj.
- have vX : v \in X by exact: Pu.
  have := subsetP matter _ vX; rewrite inE => /andP[vI /existsP[w /andP[vw lw]]].
  have wI : w \notin input G by apply/negP; rewrite inE => /forallP/(_ v); rewrite vw.
  have [i ci] := live_computed ok lw wI; have [j _ l] := input_loaded ok vI (computes_edge ok ci vw).
  have [j' jE al] := at_load _ _ l; exists j'; [exact: count_ | by rewrite /r Pu jE].
have [_ [i ei l]] := late v Pu; have [j jE al] := at_load _ _ l; exists j; [exact: count_ | by rewrite /r Pu jE ei].
Qed.
Lemma stored_besides : #|output G :\: input G| + wait <= n_stores s 0 (size s).
Proof.
have sum : wait <= #|all_lost s t V| by apply: leq_trans (lost_sum wa); apply: leq_sum => k _; exact: (lost_many ok wa).
apply: leq_trans (leq_add (leqnn _) sum) _.
have -> : #|output G :\: input G| + #|all_lost s t V| = #|(output G :\: input G) :|: all_lost s t V|.
  rewrite cardsU (_ : _ :&: _ = set0) ?cards0 ?subn0 //; apply/setP => v; rewrite in_setI in_set0; apply/negP => /andP[/setDP[vO _] /(all_lost_made ok wa)[_]].
  by rewrite vO.
apply: (@stored_card _ s) => v /setUP[/setDP[vO vI]|/bigcupP[k _ vl]]; last by case: (lost_moves ok once wa vl).
by have /subsetP/(_ v vO)/(blue_stored ok vI)[i _ ?] := output_B ok; exists i.
Qed.

(* n l: events of each ledger *)
Theorem ledgers_stores (n : I -> nat) : (forall l, n l <= events l (size s)) ->
  \sum_l n l + #|X| + #|output G :\: input G| + wait <= cost s + #|K|.
Proof.
move=> few; have loads_ := @three_loads (size s) set0 ltac:(by move=> v; rewrite inE); rewrite cards0 addn0 in loads_.
have := leq_trans (leq_sum _ (P := predT) (fun l _ => few l)) (early_events (size s)); rewrite costE.
by move: loads_ stored_besides; move: (\sum_l n l) (wait) (n_loads _ _ _) (n_stores _ _ _) #|early _| #|_ :\: _| => a b p q x y; clear; lia.
Qed.
(* before the time e all gates come behind: the loads of what waits are others *)
Theorem ledgers_behind (n : I -> nat) e : (forall l, n l <= events l e) -> (forall k, e <= t k) ->
  \sum_l n l + #|X| + #|output G :\: input G| + 2 * wait <= cost s + #|K|.
Proof.
move=> few behind; have late v : v \in all_lost s t V -> v \notin input G /\ exists2 i, e <= i & loads s i v.
  move=> vl; have [vI _] := all_lost_made ok wa vl; split=> //; case/bigcupP: vl => k _ vk.
  by have [[i ti l] _] := lost_moves ok once wa vk; exists i; rewrite // (leq_trans (behind k)).
have loads_ := three_loads late.
have sum : wait <= #|all_lost s t V| by apply: leq_trans (lost_sum wa); apply: leq_sum => k _; exact: (lost_many ok wa).
have := leq_trans (leq_sum _ (P := predT) (fun l _ => few l)) (early_events e); rewrite costE.
by move: loads_ sum stored_besides; move: (\sum_l n l) (wait) (n_loads _ _ _) (n_stores _ _ _) #|early _| #|all_lost _ _ _| #|_ :\: _| => a b p q x y w; clear; lia.
Qed.
End Stores.

(* The same of statements that need words (OwnWords.v). *)
Section Own.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypotheses (ok : legal game M s) (once : one_shot s).
Variables (own : G -> option G) (W : finType) (word : G -> W) (born : W -> bool).
Hypothesis ow : owns own word born.
Variables (made : pred G) (I S : finType) (T N : S -> finType) (step : forall i, T i -> G) (need : forall i, N i -> T i -> W) (group : S -> I) (ledger : W -> option I).
Hypotheses (nd : forall i, needs own word born made true (@step i) (@need i)) (on : forall i n x, ledger (@need i n x) = Some (group i)).
Variable few : I -> {set W} -> {set W} -> Prop.
Notation begun := (births own word born).
Hypothesis made_few : forall (c : begun -> nat -> nat) l a b (Mw : {set W}),
  (forall w, w \in Mw -> [/\ ledger w = Some l, w \notin avail s c word (fun k => word (val k)) a b &
     exists v i, [/\ word v = w, made v, a <= i < b & v \in red (pos (start G) s i)]]) -> few l (in_ledger s ledger c l a b) Mw.
Variables (X : {set G}) (f t q hf ht : I -> nat).
Hypotheses (matter : X \subset needed G) (X_none : forall v, v \in X -> ledger (word v) = None).
Hypotheses (Hf : forall l, ledger_most need group few l (f l) (hf l)) (Ht : forall l, ledger_most need group few l (M + t l) (ht l)).
Hypothesis lt : forall l, hf l + q l * ht l < \sum_(i | group i == l) #|T i|.
Variables (C : finType) (at_ : C -> nat) (V : C -> {set G}) (beside : bool).
Hypothesis wa : waits s at_ V beside.

Theorem own_stores : \sum_l (f l + q l * t l + 1) + #|X| + #|output G :\: input G| + (\sum_c (#|V c| - (M - beside))) <= cost s + #|begun|.
Proof.
have [c _ n] := own_events ok ow (fun _ => once) nd on made_few (fun i x j cj => computes_size cj) Hf Ht lt.
exact: (ledgers_stores ok once matter X_none wa n).
Qed.
(* all steps are computed before the gates *)
Theorem own_behind : (forall k i x j, computes s j (@step i x) -> j < at_ k) ->
  \sum_l (f l + q l * t l + 1) + #|X| + #|output G :\: input G| + 2 * (\sum_c (#|V c| - (M - beside))) <= cost s + #|begun|.
Proof.
move=> before; pose P (j : 'I_(size s)) := [exists i, [exists x, computes s j (@step i x)]]; pose e := \max_(j | P j) j.+1.
have by_e i x j : computes s j (@step i x) -> j < e.
  move=> cj; have Pj : P (Ordinal (computes_size cj)) by apply/existsP; exists i; apply/existsP; exists x.
  exact: (@leq_bigmax_cond _ _ (fun j : 'I_(size s) => j.+1) _ Pj).
have least k : e <= at_ k by apply/bigmax_leqP => j /existsP[i /existsP[x cj]]; exact: before cj.
have [c _ n] := own_events ok ow (fun _ => once) nd on made_few by_e Hf Ht lt.
exact: (ledgers_behind ok once matter X_none wa n least).
Qed.
End Own.
