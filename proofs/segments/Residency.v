(* docs/theory-lp.md section 5 (i): the residencies of one chain. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Follow.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Residencies.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation R i := (red (pos (start G) s i)).

(* A chain z 0, ..., z r and its canonical computes: step j + 1 reads the value computed at c j, and
   the blue pebble on z r at the end of the play has the value computed at c r. *)
Variables (r : nat) (z : nat -> G) (c : nat -> nat).
Hypothesis zI : forall j, j <= r -> z j \notin input G.
Hypothesis cc : forall j, j <= r -> computes s (c j) (z j).
Hypothesis cS : forall j, j < r -> c j < c j.+1.
Hypothesis cv : forall j, j < r -> redc s (c j) (c j.+1) (z j).
Hypothesis c_end : c r < size s /\ bluec s (c r) (size s) (z r).

(* the value of step j stays red until step j + 1 reads it *)
Definition stays j := [forall t : 'I_(size s).+1, (c j < t <= c j.+1) ==> (z j \in R t)].
(* the first store of z j after its compute; the last load of z j before it is read *)
Definition fs j := (c j).+1 + find (fun t => stores s t (z j)) (iota (c j).+1 (size s)).
Definition ll j := \max_(t < c j.+1 | loads s t (z j)) t.

Fixpoint e_ k j := if k is k'.+1 then if stays j then e_ k' j.+1 else fs j else fs j.
Definition e j := e_ (r - j) j.                       (* when the residency of step j ends *)
Fixpoint b j := if j is j'.+1 then if stays j' then b j' else ll j' else c 0.  (* and begins *)

Lemma find_iota (P : pred nat) a n t : a <= t < a + n -> P t ->
  [/\ P (a + find P (iota a n)), a <= a + find P (iota a n) <= t
    & forall u, a <= u < a + find P (iota a n) -> ~~ P u].
Proof.
move=> /andP[at_ tn] Pt; have hp : has P (iota a n).
  by apply/hasP; exists t => //; rewrite mem_iota at_.
have fn : find P (iota a n) < n by rewrite -[X in _ < X](size_iota a n) -has_find.
have nP u : a <= u < a + find P (iota a n) -> ~~ P u.
  move=> /andP[au uf]; have uf' : u - a < find P (iota a n) by lia.
  have := before_find 0 uf'; rewrite nth_iota; last by apply: ltn_trans fn.
  by rewrite subnKC // => ->.
split=> //; first by have := nth_find 0 hp; rewrite nth_iota.
rewrite leq_addr /= leqNgt; apply/negP => lt.
by have := nP t; rewrite at_ lt Pt => /(_ isT).
Qed.

(* If the value survives until u, and is not red at some time m, c j < m <= u, it was stored before m.
   At all times until the first store it is red. *)
Lemma store_first j m u : j <= r -> c j < m <= u -> u <= size s ->
  (forall t, c j < t <= u -> redc s (c j) t (z j) || bluec s (c j) t (z j)) ->
  bluec s (c j) m (z j) ->
  [/\ stores s (fs j) (z j), c j < fs j < m & forall t, c j < t <= fs j -> z j \in R t].
Proof.
move=> jr /andP[cm mu] us sv bm.
have [t /andP[ct tm] st] := blue_store ok (cc jr) (zI jr) bm cm.
have [|st' /andP[f1 f2] nst] := @find_iota (fun t => stores s t (z j)) (c j).+1 (size s) t _ st.
  by rewrite ct; move: tm mu us; clear; lia.
split=> //; first by rewrite f1 /=; apply: leq_ltn_trans f2 tm.
move=> v /andP[cv' vf]; have vu : v <= u by move: vf f2 tm mu; rewrite /fs; clear; lia.
have := sv v; rewrite cv' vu => /(_ isT)/orP[/andP[]//|bv].
have [w /andP[cw wv] sw] := blue_store ok (cc jr) (zI jr) bv cv'.
by have := nst w; rewrite cw (leq_trans wv vf) sw => /(_ isT).
Qed.

(* A value that does not stay red was stored, lost and loaded, in this order. *)
Lemma broken j : j < r -> ~~ stays j ->
  [/\ stores s (fs j) (z j), loads s (ll j) (z j), [&& c j < fs j, fs j < ll j & ll j < c j.+1],
      forall t, c j < t <= fs j -> z j \in R t & forall t, ll j < t <= c j.+1 -> z j \in R t].
Proof.
move=> jr; have jr' := ltnW jr; have sv := survive ok _ (i := c j.+1) (v := z j) (c := c j).
have {}sv : forall t, c j < t <= c j.+1 -> redc s (c j) t (z j) || bluec s (c j) t (z j).
  by apply: sv; rewrite cv.
have cs : c j.+1 <= size s by apply/ltnW/(computes_size (cc jr)).
case/forallPn => m; rewrite negb_imply => /andP[/andP[cm mu] nm].
have bm : bluec s (c j) m (z j).
  by have := sv m; rewrite cm mu => /(_ isT)/orP[/andP[rm _]|//]; rewrite rm in nm.
have [|st fm rd] := store_first jr' _ cs sv bm; first by rewrite cm mu.
(* a load in [m, c j.+1) *)
have [l ml ld] : exists2 l, m <= l < c j.+1 & loads s l (z j).
  have [|nl] := boolP [exists l : 'I_(c j.+1), (m <= l) && loads s l (z j)].
    by case/existsP=> l /andP[ml ld]; exists l; rewrite // ml ltn_ord.
  have nl' l : m <= l < c j.+1 -> ~~ loads s l (z j).
    move=> /andP[ml lc]; apply: contra nl => ld.
    by apply/existsP; exists (Ordinal lc); rewrite ml.
  have cmu : c j < m <= c j.+1 by rewrite cm.
  by have /andP[rm _] := no_load ok (cv jr) cmu nl'; rewrite rm in nm.
have [lc ml'] : l < c j.+1 /\ m <= l by case/andP: ml.
have ll_ge t : t < c j.+1 -> loads s t (z j) -> t <= ll j.
  by move=> tc lt; apply: (@leq_bigmax_cond _ _ (fun t : 'I_(c j.+1) => val t) (Ordinal tc)).
have ld' : loads s (ll j) (z j) /\ ll j < c j.+1.
  rewrite /ll; have [|i li E] := @eq_bigmax_cond _ [pred t : 'I_(c j.+1) | loads s t (z j)] val.
    by apply/card_gt0P; exists (Ordinal lc).
  by rewrite /= in E; rewrite E; split; [exact: li | exact: ltn_ord].
case: ld' => ld1 ld2; have lel := ll_ge _ lc ld; split=> //.
- case/andP: fm => -> fm; rewrite ld2 andbT; apply: leq_trans fm _; exact: leq_trans ml' lel.
- move=> t /andP[lt tc]; have ct : c j < t <= c j.+1.
    by rewrite tc andbT; case/andP: fm => a b'; move: a b' ml' lel lt; clear; lia.
  have nl l' : t <= l' < c j.+1 -> ~~ loads s l' (z j).
    by move=> /andP[tl l'c]; apply/negP => /(ll_ge _ l'c); move: lt tl; clear; lia.
  by have /andP[] := no_load ok (cv jr) ct nl.
Qed.

Lemma last_store : [/\ stores s (fs r) (z r), c r < fs r & forall t, c r < t <= fs r -> z r \in R t].
Proof.
have [cs bl] := c_end; have [] := @store_first r (size s) (size s) (leqnn r) _ _ _ bl => //.
- by rewrite cs leqnn.
- by apply: (survive ok (i := size s)); rewrite bl orbT.
- by move=> st /andP[-> _] rd.
Qed.

Lemma fs_ok j : j <= r -> (j < r -> ~~ stays j) ->
  [/\ stores s (fs j) (z j), c j < fs j & forall t, c j < t <= fs j -> z j \in R t].
Proof.
rewrite leq_eqVlt => /orP[/eqP-> _|jr /(_ jr)]; first exact: last_store.
by case/(broken jr) => st _ /and3P[cf _ _] rd _.
Qed.

Lemma stays_red j t : j < r -> stays j -> c j < t <= c j.+1 -> z j \in R t.
Proof.
move=> jr /forallP st tc; have tl : t < (size s).+1.
  by have := computes_size (cc jr); case/andP: tc => _; clear; lia.
by have := st (Ordinal tl); rewrite /= tc.
Qed.

Lemma eE j : j < r -> e j = if stays j then e j.+1 else fs j.
Proof. by move=> jr; rewrite /e (_ : r - j = (r - j.+1).+1) //; move: jr; clear; lia. Qed.

(* a residency ends at a store of its chain, and until then the chain is red *)
Lemma e_ok j : j <= r -> [/\ c j < e j, exists2 j', j <= j' <= r & stores s (e j) (z j')
   & forall t, c j < t <= e j -> exists2 j', j' <= r & z j' \in R t].
Proof.
move=> jr; have [k kr] : exists k, k = r - j by exists (r - j).
elim: k j kr jr => [|k IH] j kr jr.
  have -> : j = r by move: kr jr; clear; lia.
  have := last_store; rewrite /e subnn /= => -[st cf rd]; split=> //; first by exists r; rewrite ?leqnn.
  by move=> t /rd ?; exists r.
have {}jr : j < r by move: kr; clear; lia.
rewrite (eE jr); case: ifP => [st|/negbT nst].
  have [||ce [j' jj' st'] rd] := IH j.+1; [by move: kr; clear; lia|by []|].
  split; first exact: ltn_trans (cS jr) ce.
    by exists j' => //; move: jj'; clear; lia.
  move=> t /andP[ct te]; case: (leqP t (c j.+1)) => tc; last by apply: rd; rewrite tc.
  by exists j; [exact: ltnW | apply: stays_red => //; rewrite ct].
have [|st cf rd] := fs_ok (ltnW jr); first by [].
split=> //; first by exists j; rewrite // leqnn ltnW.
by move=> t /rd ?; exists j => //; apply: ltnW.
Qed.

(* it begins at the chain's birth or a load of its chain, and is red from then on *)
Lemma b_ok j : j <= r -> [/\ b j <= c j, b j = c 0 \/ (exists2 j', j' < j & loads s (b j) (z j'))
   & forall t, b j < t <= c j -> exists2 j', j' <= r & z j' \in R t].
Proof.
elim: j => [|j IH] jr /=; first by split; [|left|move=> t; clear; lia].
have [bc or rd] := IH (ltnW jr); case: ifP => [st|/negbT nst].
  split; first by apply: leq_trans bc (ltnW (cS jr)).
    by case: or => [->|[j' jj' l]]; [left|right; exists j' => //; apply: ltnW].
  move=> t /andP[bt tc]; case: (leqP t (c j)) => ct; first by apply: rd; rewrite bt.
  by exists j; [exact: ltnW | apply: stays_red => //; rewrite ct].
have [st ld /and3P[cf fl lc] _ rd2] := broken jr nst.
split; [exact: ltnW | by right; exists j | by move=> t /rd2 ?; exists j => //; apply: ltnW].
Qed.

(* the residencies of a chain follow one another *)
Lemma apart j j' : j <= j' -> j' <= r -> (e j = e j' /\ b j = b j') \/ e j < b j'.
Proof.
elim: j' => [|j' IH]; first by rewrite leqn0 => /eqP->; left.
rewrite leq_eqVlt => /orP[/eqP-> _|]; first by left.
rewrite ltnS => jj' jr; have := IH jj' (ltnW jr); have eS := eE jr.
rewrite [b j'.+1]/=; case: ifP eS => [st ->//|/negbT nst eS].
have [_ _ /and3P[cf fl lc] _ _] := broken jr nst; have [bc _ _] := b_ok (ltnW jr).
by case=> [[-> _]|lt]; right; rewrite ?eS //; move: lt bc cf fl; clear; lia.
Qed.
End Residencies.

Section Canon.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation Rd i := (red (pos (start G) s i)).

(* Chain k is z k 0, ..., z k (len k).-1, and its end is an output. *)
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Record out_chains : Prop := OutChains {
  oc_pos  : forall k, 0 < len k;
  oc_edge : forall k j, j.+1 < len k -> edge (z k j) (z k j.+1);
  oc_born : forall k, z k 0 \notin input G;
  oc_out  : forall k, z k (len k).-1 \in output G }.
Hypothesis oc : out_chains.

(* t: the canonical computes, by values; b, e: begin and end of the residency of a step *)
Record residency (t b e : K -> nat -> nat) : Prop := Residency {
  rs_comp : forall k j, j < len k -> computes s (t k j) (z k j);
  rs_begin : forall k j, j < len k -> b k j <= t k j;
  rs_end : forall k j, j < len k -> t k j < e k j;
  rs_store : forall k j, j < len k -> exists2 j', j' < len k & stores s (e k j) (z k j');
  rs_red : forall k j u, j < len k -> b k j < u <= e k j -> exists2 j', j' < len k & z k j' \in Rd u;
  rs_event : forall k j, j < len k ->
     b k j = t k 0 \/ exists2 j', j' < len k & loads s (b k j) (z k j');
  rs_apart : forall k j j', j <= j' -> j' < len k -> (e k j = e k j' /\ b k j = b k j') \/ e k j < b k j' }.

Fixpoint back k i := if i is i'.+1 then ro s (back k i') (z k ((len k).-1 - i'.+1))
  else bo s (size s) (z k (len k).-1).
Definition canon k j := back k ((len k).-1 - j).

Lemma oc_noninput k j : j < len k -> z k j \notin input G.
Proof.
case: j => [|j] jl; first exact: oc_born oc k.
by apply/negP; rewrite inE => /forallP/(_ (z k j)); rewrite (oc_edge oc jl).
Qed.

Lemma back_ok k i : i < len k -> computes s (back k i) (z k ((len k).-1 - i)).
Proof.
elim: i => [|i IH] il.
  rewrite subn0 /=; have nI := oc_noninput (k := k) (j := (len k).-1) ltac:(lia).
  have [_ H] := origin_computed ok (size s) nI.
  by have [] := H (subsetP (output_B ok) _ (oc_out oc k)).
have cc := IH (ltnW il); rewrite /=; set j := (len k).-1 - i.+1.
have ej : (len k).-1 - i = j.+1 by rewrite /j; lia.
rewrite ej in cc; have jl : j.+1 < len k by rewrite /j; lia.
have [H _] := origin_computed ok (back k i) (oc_noninput (ltnW jl)).
by have [] := H (computes_edge ok cc (oc_edge oc jl)).
Qed.

Lemma canon_ok k j : j < len k -> computes s (canon k j) (z k j).
Proof.
by move=> jl; have := @back_ok k ((len k).-1 - j) ltac:(lia); rewrite /canon subKn //; lia.
Qed.

Lemma canon_step k j : j.+1 < len k -> canon k j < canon k j.+1 /\ redc s (canon k j) (canon k j.+1) (z k j).
Proof.
move=> jl; have rd := computes_edge ok (canon_ok jl) (oc_edge oc jl).
have [H _] := origin_computed ok (canon k j.+1) (oc_noninput (ltnW jl)).
have [lt _] := H rd; have E : canon k j = ro s (canon k j.+1) (z k j).
  rewrite /canon; have -> : (len k).-1 - j = ((len k).-1 - j.+1).+1 by lia.
  by rewrite /= (_ : (len k).-1 - ((len k).-1 - j.+1).+1 = j) //; lia.
by rewrite {1}E lt; split => //; rewrite /redc rd E eqxx.
Qed.

Theorem residencies : exists t b e, residency t b e.
Proof.
exists canon, (fun k => b s (z k) (canon k)), (fun k => e s (len k).-1 (z k) (canon k)).
have l1 k : (len k).-1 < len k by have := oc_pos oc k; lia.
have lj k j : j <= (len k).-1 -> j < len k by have := oc_pos oc k; lia.
have zI k j : j <= (len k).-1 -> z k j \notin input G by move=> jl; apply: oc_noninput; apply: lj.
have cc k j : j <= (len k).-1 -> computes s (canon k j) (z k j) by move=> jl; apply: canon_ok; apply: lj.
have cS k j : j < (len k).-1 -> canon k j < canon k j.+1.
  by move=> jl; have [] := @canon_step k j ltac:(lia).
have cv k j : j < (len k).-1 -> redc s (canon k j) (canon k j.+1) (z k j).
  by move=> jl; have [] := @canon_step k j ltac:(lia).
have ce k : canon k (len k).-1 < size s /\ bluec s (canon k (len k).-1) (size s) (z k (len k).-1).
  split; first by apply: computes_size (cc k _ (leqnn _)).
  have oB := subsetP (output_B ok) _ (oc_out oc k).
  by rewrite /bluec oB /canon subnn eqxx.
have be k j : j < len k -> j <= (len k).-1 by lia.
split.
- by move=> k j /be/(cc k).
- by move=> k j /be jl; have [] := b_ok ok (zI k) (cc k) (cS k) (cv k) (ce k) jl.
- by move=> k j /be jl; have [] := e_ok ok (zI k) (cc k) (cS k) (cv k) (ce k) jl.
- move=> k j /be jl; have [_ [j' /andP[_ j'l] st] _] := e_ok ok (zI k) (cc k) (cS k) (cv k) (ce k) jl.
  by exists j' => //; apply: lj.
- move=> k j u /be jl /andP[bu ue].
  have [_ _ rb] := b_ok ok (zI k) (cc k) (cS k) (cv k) (ce k) jl.
  have [_ _ re] := e_ok ok (zI k) (cc k) (cS k) (cv k) (ce k) jl.
  case: (leqP u (canon k j)) => uc.
    by have [|j' j'l ?] := rb u; [rewrite bu | exists j' => //; apply: lj].
  by have [|j' j'l ?] := re u; [rewrite uc | exists j' => //; apply: lj].
- move=> k j /be jl; have [_ or _] := b_ok ok (zI k) (cc k) (cS k) (cv k) (ce k) jl.
  case: or => [->|[j' jj' l]]; [by left | right; exists j' => //; apply: lj].
  by apply: ltnW; apply: leq_trans jl.
- by move=> k j j' jj' /be jl; exact: (apart ok (zI k) (cc k) (cS k) (cv k) (ce k) jj' jl).
Qed.
End Canon.
