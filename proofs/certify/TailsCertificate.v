(* Certificates of `affine` with tails (docs/theory-affine.md, section 4.1): what words allow when few are made (AffineTails.v), and the cut. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect ssrZ.
From redblue Require Import Boxes Game Trace Count Segment Ledgers Rooted OwnWords Siblings Made Affine Words CompulsoryCertificate AffineForms AffineClaim AffineCertificate AffineTails.
From redblue Require StatementCertificate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Local Notation nat_ := N.to_nat.

Open Scope N_scope.
Definition tails_cut (M : N) (tx : text) (cs : groups_claim) (tl : tailing) (cuts : seq N) : bool := let g := group_at cs 0 in
  [&& tails_few tx cs tl g (cut_of cuts 0 0) (cut_of cuts 0 3), (cut_of cuts 0 2 =? 0) || tails_few tx cs tl g (M + cut_of cuts 0 1) (cut_of cuts 0 4) &
      cut_of cuts 0 3 + cut_of cuts 0 2 * cut_of cuts 0 4 <? steps_in tx cs g].
Definition affine_tails_check (M : N) (tx : text) (e : ends) (claim : groups_claim * tailing) (cuts : seq N) (B : N) : bool := let cs := claim.1 in let tl := claim.2 in
  [&& ends_ok tx e, groups_ok tx (leading e) cs, ledgers_apart cs, tails_ok tx (leading e) cs tl && tails_cut M tx cs tl cuts &
      B <=? events_of cuts 0 + ends_in_of tx e (in_no_ledger cs) + ends_out_of tx e].
Close Scope N_scope.

Section Sound.
Variables (tx : text) (no : no_circle tx) (e : ends) (cs : groups_claim) (tl : tailing).
Notation G := (computation no).
Hypotheses (eok : ends_ok tx e) (gok : groups_ok tx (leading e) cs) (tok : tails_ok tx (leading e) cs tl).
Notation cut := (base cs).
Notation cname := (name cut).
Notation cword := (@word tx no cut).
Variables (game : rules) (M : nat) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation R i := (red (pos (start G) s i)).
Notation there := (there cs tl s).
Notation got := (got cs tl s).

Lemma one_group : size (groups cs) = 1. Proof. by case: (ok_parts tok). Qed.
Lemma group_lt : 0 < size (groups cs). Proof. by rewrite one_group. Qed.
Definition l0 : 'I_(size (groups cs)) := Ordinal group_lt.
Notation gr := (group_at cs 0).
Lemma columns_good : columns_ok tx (group_at cs l0). Proof. by case: (ok_parts tok). Qed.
Notation member j := (@at_ cs l0 j).
Notation cl j := (claim_of cs (at_member (member j))).
Notation T j := (steps tx (cl j)).
Notation needN j := ('I_(size [seq w.2 | w <- wants (cl j)])).
Notation need j := (@need_ tx no cs (member j)).
Notation step j := (step no (good gok (member j))).

Lemma needs_block j (n : needN j) x : (need j n x \in block no cs tl) = (col columns_good n \in [set p : 'I_(size (column_powers (group_at cs l0))) | in_a_tail tl gr p]).
Proof.
have [u uE nE] := need_of no gok n x; rewrite !inE uE nE; apply/idP/idP => [tn|].
  apply/(has_nthP no_sibling); exists j; first exact: ltn_ord.
  by apply/hasP; exists (val n); [rewrite mem_iota add0n (need_lt n) | rewrite /= eqxx].
case: (ok_tails tok) => _ _ /(all_nthP no_sibling)/(_ j (ltn_ord j))/all_iota/(_ (need_lt n))/implyP H _; exact: H.
Qed.

Lemma step_at j (x : T j) : exists r, [/\ region_ok tx (leading e) (cl j) r, holds r.1 (ints (ssval x)) &
  all (way_ok tx cs tl (at_member (member j)) r.1) (zip (its_wants (at_member (member j))) r.2)].
Proof.
have wy : all (fun ry : seq form * seq way => all (way_ok tx cs tl (at_member (member j)) ry.1) (zip (its_wants (at_member (member j))) ry.2)) (on_regions (at_member (member j))).
  by case: (ok_tails tok) => _ /(all_nthP no_sibling)/(_ j (ltn_ord j)).
have ry : all (region_ok tx (leading e) (cl j)) (on_regions (at_member (member j))) by case/and5P: (good gok (member j)).
have hx : has (fun r => holds r (ints (ssval x))) [seq r.1 | r <- on_regions (at_member (member j))].
  by have := ssvalP x; rewrite mem_filter => /andP[].
move: wy ry hx; elim: (on_regions _) => //= r l IH /andP[w wl] /andP[ro rl] /orP[h|h]; [by exists r | exact: IH].
Qed.
(* a step uses what is there, or what is made *)
Lemma step_uses a b t j (x : T j) n : a <= t < b -> computes s t (step j x) -> need j n x \in there a b :|: got a b.
Proof.
move=> tb ct; have [r [ro hr ws]] := step_at x.
have wk : way_ok tx cs tl (at_member (member j)) r.1 (nth (0, [::]) (its_wants (at_member (member j))) n, way_at r n).
  have /eqP sz : size r.2 == size (its_wants (at_member (member j))) by case/and5P: ro.
  by have := all_nthP ((0, [::]), (None, 0)) ws n; rewrite size_zip sz minnn nth_zip //; apply; exact: need_lt n.
case nk: (way_at r n).1 => [k|].
  have [u [ed uE _ [ua val_]]] := wanted_read no (good gok (member j)) ro hr nk; move: wk; rewrite /way_ok [_.2]/= nk => /(has_nthP no_head)[i il /and3P[/eqP ha _ al]].
  have eu : ended tl u.
    apply/(has_nthP no_head); exists i => //; apply/andP; split; first by rewrite ua ha.
    apply/allP => f fin; rewrite -val_; apply/Z.leb_le; exact: (implies_ok (allP al f fin) (step_inside x) hr).
  rewrite /need_ /AffineClaim.need -uE; exact: (read_in cs eu tb (computes_size ct) (computes_edge ok ct ed)).
have [E _] := wanted_own no (good gok (member j)) ro hr nk; rewrite /need_ /AffineClaim.need E in_setU; apply/orP; left.
have cE : (cname (ssval (step j x))).1 = body tl.
  have bE : (nth (0, [::]) (its_wants (at_member (member j))) n).1 = body tl by move: wk; rewrite /way_ok [_.2]/= nk => /eqP.
  exact: etrans (esym (congr1 fst E)) bE.
have xI := computes_noninput ok ct; have := all_rooted_own (good gok (member j)) (body_rooted tok) cE xI.
case o: (own _ _) => [u|] // _.
have oN : cname (ssval u) = cname (ssval (step j x)) := own_name o.
have oE : @edge G u (step j x) := own_edge (good gok (member j)) o.
have uw : cword u = cword (step j x) by rewrite /word oN.
have ro_ : rooted (cword : G -> option G) (cword u).
  by have ar : all_rooted tx cut (cname (ssval u)).1 by [rewrite oN cE (body_rooted tok)]; exact: (@rooted_word tx no e (cl j) (good gok (member j)) u ar).
have inD : cword u \in avail s (@AffineTails.c) cword (@key tx no) a b := rooted_there ok _ _ ro_ tb (computes_edge ok ct oE).
have lu : ledger cs tl u by rewrite /ledger oN cE inE eqxx.
by have := in_there lu inD; rewrite uw.
Qed.

Lemma few_steps X h a b (tm : forall j, T j -> nat) : (forall j x, computes s (tm j x) (step j x)) -> tails_few tx cs tl gr X h ->
  #|there a b| <= nat_ X -> \sum_j #|[set x : T j | a <= tm j x < b]| <= nat_ h.
Proof.
move=> tmP short le; apply: (tails_most (sib no gok columns_good) needs_block (boxes_short columns_good short) (Dw := there a b) (Mw := got a b) le).
- by move=> j x n; rewrite inE => tb; apply: step_uses tb (tmP j x).
- exact: (made_block tok s a b).
- by apply: leq_trans le; apply: (made_room gok tok ok a b).
exact: (made_few gok tok ok a b).
Qed.
Lemma step_times : exists tm : forall j, T j -> nat, forall j x, computes s (tm j x) (step j x).
Proof.
have one j : exists f : T j -> nat, forall x, computes s (f x) (step j x).
  suff /fin_all_exists[f H] : forall x : T j, exists t, computes s t (step j x) by exists f.
  by move=> x; have /andP[lx xI] := nd_live (base_needs no eok gok (member j)) x; have [t ct] := live_computed ok lx xI; exists t.
by have [tm H] := fin_all_exists one; exists tm.
Qed.
Lemma no_ledger (v : G) : in_no_ledger cs (ssval v).1 -> ledger cs tl v = false.
Proof.
move=> /(all_nthP no_group)/(_ 0 group_lt)/(all_nthP no_kind)/(_ _ (kind_lt (good gok (first_member gok)) (ssval v))) no_; apply/negP => lv.
case/and5P: tok => _ _ _ _ /and5P[_ _ _ _ /andP[/allP/(_ _ lv) inc _]]; by rewrite inc in no_.
Qed.
End Sound.

Theorem affine_tails_certificate game M tx e claim cuts B : affine_tails_check M tx e claim cuts B ->
  forall (no : no_circle tx) (s : seq (move (computation no))), legal game (nat_ M) s -> (B <= N.of_nat (cost s))%num.
Proof.
case: claim => cs tl; rewrite /affine_tails_check [_.1]/= [_.2]/=; case/and5P=> eok gok _ /andP[tok /and3P[ff ft /N.ltb_lt small]] /N.leb_le le no s ok.
have [_ outs] := ends_count no eok; have ins := ends_in_count no (in_no_ledger cs) eok.
have [tm tmP] := step_times eok gok tok ok.
pose work a b := \sum_j cnt predT (tm j) a b.
pose total := \sum_(j < members (l0 tok)) #|steps tx (claim_of cs (at_member (at_ j)))|.
have all_work : total <= work 0 (size s).
  apply: leq_sum => j _; rewrite /cnt -cardsT; apply/subset_leq_card/subsetP => x _; by rewrite inE /=; apply: computes_size (tmP j x).
have all_steps : nat_ (steps_in tx cs (group_at cs 0)) <= total.
  by have := steps_whole gok (l0 tok); rewrite (sum_tag (fun i => #|steps tx (claim_of cs (at_member i))|)).
pose c i := nat_ (cut_of cuts 0 i); pose ht := if c 2 == 0 then work 0 (size s) else c 4.
have stretch X h a b : tails_few tx cs tl (group_at cs 0) X h -> #|there cs tl s a b| <= nat_ X -> work a b <= nat_ h.
  by move=> short lX; exact: (few_steps ok tmP short lX).
have e_true : c 0 + c 2 * c 1 + 1 <= Ledgers.events_of s (@AffineTails.c) (ledger cs tl) true 0 (size s).
  apply: (ledger_events ok (no_chains no) (no_canonical s) (word := @word tx no (base cs)) (key := @key tx no) (work := work) (hf := c 3) (ht := ht)).
  - move=> a b ab; rewrite /work -big_split; apply: leq_sum => j _; by rewrite (cnt_cat predT (tm j) (leq0n a) ab).
  - by move=> a b _; apply: stretch.
  - move=> a b ab; rewrite /ht; case: eqP => [_ _|q0 lX].
      apply: leq_sum => j _; apply: subset_leq_card; apply/subsetP => x; rewrite !inE /= => _; exact: computes_size (tmP j x).
    case/orP: ft => [z|ft]; first by case: q0; rewrite /c (proj1 (N.eqb_eq _ _) z).
    by apply: (stretch _ _ _ _ ft); have -> : nat_ (M + cut_of cuts 0 1) = nat_ M + c 1 by rewrite /c; clear; lia.
  rewrite /ht; case: eqP => [z|_]; last first.
    apply: leq_trans all_work; apply: leq_trans all_steps.
    by rewrite /c; move: small; move: (cut_of _ _ _) (cut_of _ _ _) (cut_of _ _ _) (steps_in _ _ _) => i j k w; clear; lia.
  have z' : cut_of cuts 0 2 = 0%num by move: z; rewrite /c; clear; lia.
  rewrite z mul0n addn0; apply: leq_trans all_work; apply: leq_trans all_steps.
  by move: small; rewrite z' N.mul_0_l N.add_0_r /c; move: (cut_of _ _ _) (steps_in _ _ _) => i w; clear; lia.
have e_false : #|[set v in needed (computation no) | in_no_ledger cs (ssval v).1]| <= Ledgers.events_of s (@AffineTails.c) (ledger cs tl) false 0 (size s).
  apply: (ledger_inputs ok); first by apply/subsetP => v; rewrite inE => /andP[].
  move=> v; rewrite inE => /andP[_ nv]; exact: (no_ledger gok tok nv).
have ev := events_cost ok (c := @AffineTails.c) (leq_trans _ (@events_of_sum _ s _ (@AffineTails.c) _ (ledger cs tl))).
have {ev} : (c 0 + c 2 * c 1 + 1) + #|[set v in needed (computation no) | in_no_ledger cs (ssval v).1]| + #|output (computation no) :\: input (computation no)| <= cost s + #|void_finType|.
  by apply: ev; rewrite big_bool; apply: leq_add.
rewrite card_void addn0; move: le ins outs; rewrite /AffineCertificate.events_of /c.
by move: (cut_of _ _ _) (cut_of _ _ _) (cut_of _ _ _) (ends_in_of _ _ _) (ends_out_of _ _) (cost s) #|_| #|_| => i j k a b w x y; clear; lia.
Qed.
