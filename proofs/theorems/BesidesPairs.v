(* docs/theory-lp.md section 11: what is left of a computation without some inputs (InputsBesides.v) has the hypotheses of the backward pass
   and of work at pairs, when these inputs are no words, chains or trees of theirs. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment PairTrees Residency CarriedWork BackwardSegments Covering InputsBesides.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Left.
Variables (G H : cdag) (e : H -> G).
Hypothesis bs : besides e.
Notation others := (others e).

Lemma found (T : finType) (f : T -> G) : (forall x, f x \notin others) -> exists g : T -> H, forall x, e (g x) = f x.
Proof.
move=> no; apply: (fin_all_exists (P := fun x v => e v = f x)) => x.
by have := no x; rewrite inE negbK => /codomP[v ->]; exists v.
Qed.
Lemma needs_left (tree : pred G) u v : (forall x, tree x -> x \notin others) -> needs tree (e u) (e v) -> needs (fun x => tree (e x)) u v.
Proof.
move=> tB; move E: (e v) => w nd; elim: nd v E => {w} [w tw uw|x w tw xw nd IH] v E.
  by apply: needs_leaf; rewrite ?E // -(bs_edge bs) E.
have : x \notin others by case: nd => [y ty _|y z ty _ _]; apply: tB.
rewrite inE negbK => /codomP[x' xE]; rewrite xE in xw IH.
by apply: (needs_step (w := x')); [rewrite E | rewrite -(bs_edge bs) E | apply: IH].
Qed.

Section Chains.
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Lemma chain_left : (forall k, 0 < len k) -> (forall k j, j < len k -> z k j \notin input G) ->
  exists z' : K -> nat -> H, forall k j, j < len k -> e (z' k j) = z k j.
Proof.
move=> pos no; have keep k j : j < len k -> z k j \notin others by move=> jl; apply: contra (no k j jl); apply: others_input.
have [z0 z0E] := @found K (fun k => z k 0) (fun k => keep k 0 (pos k)).
exists (fun k j => odflt (z0 k) (back e (z k j))) => k j jl; have := keep k j jl.
by case: (backP e (z k j)) => [v <-|->].
Qed.
Lemma chains_left : chains len z -> exists z' : K -> nat -> H, (forall k j, j < len k -> e (z' k j) = z k j) /\ chains len z'.
Proof.
move=> ch; have [z' zE] := chain_left (chain_pos ch) (fun k j => chain_noninput ch (k := k) (j := j)).
exists z'; split=> //; split=> [k|k j jl|k j k' j' jl jl' E|k|k].
- exact: chain_pos ch k.
- by rewrite -(bs_edge bs) !zE ?(ltnW jl) //; exact: (chain_edge ch).
- by apply: (chain_inj ch jl jl'); rewrite -!zE ?E.
- by rewrite (left_input bs) zE ?(chain_pos ch) //; exact: (chain_born ch).
apply: (live_left bs); rewrite zE; first exact: (chain_live ch).
by rewrite prednK ?(chain_pos ch).
Qed.
Lemma out_chains_left : out_chains len z -> exists z' : K -> nat -> H, (forall k j, j < len k -> e (z' k j) = z k j) /\ out_chains len z'.
Proof.
move=> oc; have [z' zE] := chain_left (oc_pos oc) (fun k j => oc_noninput oc (k := k) (j := j)).
exists z'; split=> //; split=> [k|k j jl|k|k].
- exact: oc_pos oc k.
- by rewrite -(bs_edge bs) !zE ?(ltnW jl) //; exact: (oc_edge oc).
- by rewrite (left_input bs) zE ?(oc_pos oc) //; exact: (oc_born oc).
by rewrite (bs_output bs) zE ?prednK ?(oc_pos oc) //; exact: (oc_out oc).
Qed.
End Chains.

Section Backward.
Variables (Rw Cl E : finType) (d : nat) (row : E -> Rw) (col : E -> Cl).
Variables (len : K Rw Cl d -> nat) (z : K Rw Cl d -> nat -> G) (word : G -> bword Rw Cl E d) (rw : Rw -> Sl2 d -> G) (cw : Cl -> Sl2 d -> G)
  (rootS rootP : E -> G) (jX jY : E -> nat).
Hypothesis bw : backward row col len z word rw cw rootS rootP jX jY.
Hypothesis no_word : forall v, v \in others -> word v = wO Rw Cl E d.
Hypothesis roots : forall x, rootS x \notin others /\ rootP x \notin others.
Theorem backward_left : exists z' rw' cw' rootS' rootP',
  @backward Rw Cl E d row col H len z' (fun v => word (e v)) rw' cw' rootS' rootP' jX jY.
Proof.
have [z' [zE oc]] := out_chains_left (bw_chains bw).
have worded v : word v <> wO Rw Cl E d -> v \notin others by move=> w; apply/negP => /no_word.
have [rw' rwE] := @found [finType of Rw * Sl2 d] (fun x => rw x.1 x.2) ltac:(by move=> x; apply: worded; have [_ ->] := bw_row bw x.1 x.2).
have [cw' cwE] := @found [finType of Cl * Sl2 d] (fun x => cw x.1 x.2) ltac:(by move=> x; apply: worded; have [_ ->] := bw_col bw x.1 x.2).
have [rS rSE] := found (fun x => (roots x).1); have [rP rPE] := found (fun x => (roots x).2).
exists z', (fun i y => rw' (i, y)), (fun j y => cw' (j, y)), rS, rP.
have tB x v : tree word x v -> v \notin others by move/eqP=> vw; apply: worded; rewrite vw.
split=> //.
- exact: (bw_pair bw).
- exact: (bw_stepX bw).
- exact: (bw_stepY bw).
- by move=> k j jl; rewrite zE //; exact: (bw_word bw).
- by move=> i y; rewrite (left_input bs) rwE; exact: (bw_row bw).
- by move=> j y; rewrite (left_input bs) cwE; exact: (bw_col bw).
- by move=> x l; rewrite -(bs_edge bs) cwE zE ?(bw_stepX bw) //; exact: (bw_edgeX bw).
- by move=> x l; rewrite -(bs_edge bs) rSE zE ?(bw_stepX bw) //; exact: (bw_valueX bw).
- by move=> x y; rewrite -(bs_edge bs) rwE zE ?(bw_stepY bw) //; exact: (bw_edgeY bw).
- move=> x y; rewrite -(bs_edge bs) zE ?(bw_stepY bw) // (fun_if e) rSE rPE; exact: (bw_valueY bw).
- by move=> x y; apply: (needs_left (tree := tree word x)); [exact: tB | rewrite rwE rSE; exact: (bw_S_row bw)].
- by move=> x y; apply: (needs_left (tree := tree word x)); [exact: tB | rewrite cwE rSE; exact: (bw_S_col bw)].
- by move=> x l; apply: (needs_left (tree := tree word x)); [exact: tB | rewrite rwE rPE; exact: (bw_P_row bw)].
by move=> x l; apply: (needs_left (tree := tree word x)); [exact: tB | rewrite cwE rPE; exact: (bw_P_col bw)].
Qed.
End Backward.

Section Covering.
Variables (Rw Cl E RW CW AR AC : finType) (row : E -> Rw) (col : E -> Cl) (of_row : RW -> Rw) (of_col : CW -> Cl) (ar : RW -> AR) (ac : CW -> AC).
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G) (word : G -> cword E RW CW) (key : K -> cword E RW CW).
Hypothesis ch : chains len z.
Variables (Kd T : finType) (u : Kd -> nat) (kind : T -> Kd) (at_ : T -> E) (rs : T -> RW) (cs : T -> CW) (kR : Kd -> AR) (kC : Kd -> AC)
  (kk : T -> K) (jj : T -> nat) (op root : T -> G) (tree : E -> pred G) (wholeR : T -> {set RW}) (wholeC : T -> {set CW}) (sc each v np : nat).
Hypothesis ip : interaction row col of_row of_col ar ac len z word key u kind at_ rs cs kR kC kk jj op root tree wholeR wholeC sc each v np.
Hypothesis no_word : forall v, v \in others -> word v = cO E RW CW.
Hypothesis roots : forall x, root x \notin others.
Theorem covering_left game M (s : seq (move H)) f t q hf ht : legal game M s ->
  carried_most sc each v 1 1 np f hf -> q = 0 \/ carried_most sc each v 1 1 np (M + t) ht ->
  hf + q * ht < \sum_x u (kind x) -> f + q * t + 1 + #|output G :\: input G| <= cost s + #|K|.
Proof.
move=> ok Hf Ht lt; have [z' [zE ch']] := chains_left ch.
have worded x : word x <> cO E RW CW -> x \notin others by move=> w; apply/negP => /no_word.
have [op' opE] := @found T op ltac:(by move=> x; apply: worded; case: (ip_sides ip x) => -[->]).
have [root' rE] := found roots.
have tB x w : tree x w -> w \notin others by move/(ip_tree ip) => vw; apply: worded; rewrite vw.
have ip' : @interaction H Rw Cl E RW CW AR AC row col of_row of_col ar ac K len z' (fun x => word (e x)) key Kd T u kind at_ rs cs kR kC kk jj op' root'
    (fun x w => tree x (e w)) wholeR wholeC sc each v np.
  have source x (g : G) : g \in input G -> word g <> cO E RW CW -> needs (tree (at_ x)) g (root x) -> exists g', [/\ g' \in input H, e g' = g & needs (fun w => tree (at_ x) (e w)) g' (root' x)].
    move=> gI gw nd; have := worded _ gw; rewrite inE negbK => /codomP[g' gE]; exists g'; split=> //; first by rewrite (left_input bs) -gE.
    by apply: (needs_left (tree := tree (at_ x))) => [w|]; [exact: tB | rewrite rE -gE].
  split.
  - exact: (ip_pair ip).
  - by move=> k j jl; rewrite zE //; exact: (ip_word ip).
  - by move=> x w; exact: (ip_tree ip).
  - exact: (ip_step ip).
  - by move=> x; rewrite (left_input bs) -(bs_edge bs) opE zE ?(ip_step ip) //; exact: (ip_op ip).
  - by move=> x; rewrite opE; exact: (ip_sides ip).
  - by move=> x; rewrite -(bs_edge bs) rE zE ?(ip_step ip) //; exact: (ip_root ip).
  - move=> x w wx; have [g [gI gw nd]] := ip_row ip wx; have gO : word g <> cO E RW CW by rewrite gw.
    by have [g' [g1 g2 g3]] := source x g gI gO nd; exists g'; rewrite g2.
  - move=> x w wx; have [g [gI gw nd]] := ip_col ip wx; have gO : word g <> cO E RW CW by rewrite gw.
    by have [g' [g1 g2 g3]] := source x g gI gO nd; exists g'; rewrite g2.
  - exact: (ip_of_row ip).
  - exact: (ip_of_col ip).
  - exact: (ip_ar ip).
  - exact: (ip_ac ip).
  - exact: (ip_LW ip).
  - exact: (ip_covered ip).
  - exact: (ip_each ip).
  - exact: (ip_sums ip).
  exact: (ip_np ip).
apply: leq_trans (covering_segment ok ch' ip' Hf Ht lt); by rewrite leq_add2l; exact: outputs_left bs.
Qed.
End Covering.
End Left.
