(* A legal play seen as a sequence of positions; what red and blue pebbles go back to. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Count.
(* how many x with P x have their time in [a, b) *)
Definition cnt (T : finType) (P : pred T) (tm : T -> nat) (a b : nat) : nat :=
  #|[set x | P x && (a <= tm x < b)]|.

Lemma cnt_cat (T : finType) (P : pred T) (tm : T -> nat) a b c : a <= b -> b <= c ->
  cnt P tm a c = cnt P tm a b + cnt P tm b c.
Proof.
move=> ab bc; rewrite /cnt -cardsUI.
rewrite (_ : _ :&: _ = set0) ?cards0 ?addn0; last first.
  apply/setP=> x; rewrite !inE; case: (P x) => //=; lia.
congr #|pred_of_set _|; apply/setP=> x; rewrite !inE; case: (P x) => //=; lia.
Qed.

End Count.

Section Trace.
Variables (game : rules) (M : nat) (G : cdag).
Implicit Types (s : seq (move G)) (p : position G) (u v : G).

Definition mv s i : option (move G) := nth None (map Some s) i.

Fixpoint pos p s i : position G :=
  if i is i'.+1 then (if s is m :: s' then pos (after p m) s' i' else p) else p.

Definition step p (m : option (move G)) := if m is Some m then after p m else p.

Lemma posS p s i : pos p s i.+1 = step (pos p s i) (mv s i).
Proof.
elim: s p i => [|m s IH] p [|i] //=; rewrite ?nth_nil //; last by rewrite -IH.
by case: (s).
Qed.

Lemma legal_at p s i m : legal_from game M p s -> mv s i = Some m ->
  allowed game (pos p s i) m /\ #|red (pos p s i.+1)| <= M.
Proof.
elim: s p i => [|m' s IH] p [|i] //=; rewrite ?nth_nil //.
  by case/and3P=> al le _ [<-]; case: s {IH}.
by case/and3P=> al le ok /(IH _ _ ok).
Qed.

Lemma legal_end p s : legal_from game M p s -> output G \subset blue (pos p s (size s)).
Proof. by elim: s p => [|m s IH] p //= /and3P[_ _ /IH]. Qed.

Lemma mv_size s i m : mv s i = Some m -> i < size s.
Proof.
rewrite ltnNge /mv; case: leqP => // le; first by rewrite nth_default ?size_map.
Qed.

Definition loads s i v := if mv s i is Some (Load w) then w == v else false.
Definition stores s i v := if mv s i is Some (Store w) then w == v else false.
Definition computes s i v :=
  match mv s i with Some (Compute w) | Some (Slide _ w) => w == v | _ => false end.

Variables (s : seq (move G)) (ok : legal game M s).
Let R i := red (pos (start G) s i).
Let B i := blue (pos (start G) s i).

Lemma R0 : R 0 = set0. Proof. by rewrite /R; case: s. Qed.
Lemma B0 : B 0 = input G. Proof. by rewrite /B; case: s. Qed.

Lemma R_step i v : v \in R i.+1 -> [|| v \in R i, loads s i v | computes s i v].
Proof.
rewrite /R posS /loads /computes.
case: (mv s i) => [[w|w|w|u w|w|w]|] /=; rewrite ?inE ?orbF //; try by case/orP=> [/eqP->|->]; rewrite ?eqxx ?orbT.
  by case/orP=> [/eqP->|/andP[_ ->]]; rewrite ?eqxx ?orbT.
by case/andP=> _ ->.
Qed.

Lemma B_step i v : v \in B i.+1 -> (v \in B i) || stores s i v.
Proof.
rewrite /B posS /stores.
case: (mv s i) => [[w|w|w|u w|w|w]|] /=; rewrite ?inE ?orbF //.
- by case/orP=> [/eqP->|->]; rewrite ?eqxx ?orbT.
- by case/andP=> _ ->.
Qed.

Lemma computes_ready i v : computes s i v -> ready (pos (start G) s i) v.
Proof.
rewrite /computes; case E: (mv s i) => [[w|w|w|u w|w|w]|] //= /eqP<-.
  by have [] := legal_at ok E.
by have [/and3P[]] := legal_at ok E.
Qed.

Lemma computes_edge i u v : computes s i v -> edge u v -> u \in R i.
Proof. by move/computes_ready/and3P=> [_ _ /forallP/(_ u)/implyP]. Qed.

Lemma computes_noninput i v : computes s i v -> v \notin input G.
Proof. by move/computes_ready/and3P=> []. Qed.

Lemma computes_inj i u v : computes s i u -> computes s i v -> u = v.
Proof. by rewrite /computes; case: (mv s i) => [[w|w|w|x w|w|w]|] //= /eqP<- /eqP<-. Qed.

Lemma computes_size i v : computes s i v -> i < size s.
Proof. by rewrite /computes; case E: (mv s i) => [m|] //; move: (mv_size E). Qed.

Lemma loads_size i v : loads s i v -> i < size s.
Proof. by rewrite /loads; case E: (mv s i) => [m|] //; move: (mv_size E). Qed.

Lemma stores_size i v : stores s i v -> i < size s.
Proof. by rewrite /stores; case E: (mv s i) => [m|] //; move: (mv_size E). Qed.

Lemma loads_blue i v : loads s i v -> v \in B i.
Proof.
rewrite /loads; case E: (mv s i) => [[w|w|w|u w|w|w]|] //= /eqP<-.
by have [/andP[]] := legal_at ok E.
Qed.

Lemma stores_red i v : stores s i v -> v \in R i.
Proof.
rewrite /stores; case E: (mv s i) => [[w|w|w|u w|w|w]|] //= /eqP<-.
by have [/andP[]] := legal_at ok E.
Qed.

Lemma card_R i : #|R i| <= M.
Proof.
elim: i => [|i IH]; first by rewrite R0 cards0.
rewrite /R; case E: (mv s i) => [m|]; first by have [] := legal_at ok E.
by rewrite posS E.
Qed.

Lemma output_B : output G \subset B (size s).
Proof. exact: legal_end. Qed.

(* Follow a red pebble back to time a: it was there, or came by a load, or was computed. *)
Lemma red_back a i v : a <= i -> v \in R i ->
  [\/ v \in R a, exists2 j, a <= j < i & loads s j v | exists2 j, a <= j < i & computes s j v].
Proof.
elim: i => [|i IH]; first by rewrite leqn0 => /eqP->; constructor 1.
rewrite leq_eqVlt => /orP[/eqP->|]; first by constructor 1.
rewrite ltnS => ai /R_step/or3P[vi|vi|vi].
- case: (IH ai vi) => [|[j ji]|[j ji]] H; [by constructor 1|constructor 2|constructor 3];
  exists j => //; lia.
- by constructor 2; exists i => //; lia.
- by constructor 3; exists i => //; lia.
Qed.

(* A blue pebble on no input was stored. *)
Lemma blue_stored i v : v \notin input G -> v \in B i -> exists2 j, j < i & stores s j v.
Proof.
move=> vI; elim: i => [|i IH]; first by rewrite B0 (negbTE vI).
by case/B_step/orP=> [/IH[j ji ?]|?]; [exists j => //; lia | exists i].
Qed.

(* Whatever is red and no input was computed before. *)
Lemma red_computed i v : v \notin input G -> v \in R i -> exists2 j, j < i & computes s j v.
Proof.
move=> vI; elim/ltn_ind: i => i IH vi.
case: (red_back (leq0n i) vi) => [|[j /= ji l]|//]; first by rewrite R0 inE.
have [k kj /stores_red vk] := blue_stored vI (loads_blue l).
have [|c ck ?] := IH k _ vk; first lia.
by exists c => //; lia.
Qed.

(* An input that is red was loaded. *)
Lemma input_loaded i v : v \in input G -> v \in R i -> exists2 j, j < i & loads s j v.
Proof.
move=> vI vi; case: (red_back (leq0n i) vi) => [|//|[j _ /computes_noninput]].
  by rewrite R0 inE.
by rewrite vI.
Qed.

(* live: an output that is no input can be reached *)
Definition live v := [exists o in output G :\: input G, connect (@edge G) v o].

Lemma output_computed o : o \in output G -> o \notin input G -> exists i, computes s i o.
Proof.
move=> oO oI; have /subsetP/(_ o oO) := output_B.
case/(blue_stored oI)=> j _ /stores_red /(red_computed oI)[i _ ?]; by exists i.
Qed.

Lemma live_red v : live v -> exists i, computes s i v || (v \in R i).
Proof.
case/existsP=> o /andP[]; rewrite inE => /andP[oI oO] /connectP[p].
elim: p v => [|w p IH] v /=.
  by move=> _ <-; have [i ci] := output_computed oO oI; exists i; rewrite ci.
case/andP=> e pa la; have [i] := IH w pa la.
have wI : w \notin input G by apply/negP; rewrite inE => /forallP/(_ v); rewrite e.
case/orP=> [c|/(red_computed wI)[j _ c]].
  by exists i; rewrite (computes_edge c e) orbT.
by exists j; rewrite (computes_edge c e) orbT.
Qed.

Lemma live_computed v : live v -> v \notin input G -> exists i, computes s i v.
Proof.
move=> lv vI; have [i /orP[c|/(red_computed vI)[j _ c]]] := live_red lv.
  by exists i.
by exists j.
Qed.

(* the last compute of v before time t *)
Lemma last_compute v i t : i < t -> computes s i v ->
  exists c, [/\ c < t, computes s c v & forall j, c < j < t -> ~~ computes s j v].
Proof.
elim: t => // t IH; rewrite ltnS => it ci.
case ct: (computes s t v); first by exists t; split => // j; lia.
have [|c [cT cc H]] := IH _ ci.
  by rewrite ltn_neqAle it andbT; apply/eqP => E; rewrite -E ci in ct.
exists c; split => // [|j /andP[cj jt]]; first lia.
by move: jt; rewrite ltnS leq_eqVlt => /orP[/eqP->|jt]; rewrite ?ct // H ?cj.
Qed.

End Trace.
