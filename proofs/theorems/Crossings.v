(* docs/theory.md section 12: every computed vertex reads the one before it in its row and the one before it in its column.  How many vertices
   a load can serve, for any such CDAG, with recomputation. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* column x and row y of a vertex; left: the one before it in its row, down: in its column *)
Record crossing (G : cdag) (x y : G -> nat) (left down : G -> G) : Prop := Crossing {
  cr_inj : forall u v, x u = x v -> y u = y v -> u = v;
  cr_left : forall v, v \notin input G -> [/\ edge (left v) v, y (left v) = y v & x (left v) < x v];
  cr_down : forall v, v \notin input G -> [/\ edge (down v) v, x (down v) = x v & y (down v) < y v] }.

Section Loads.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation R i := (red (pos (start G) s i)).
Definition computing i := [exists v, computes s i v].
Definition no_compute a b := forall i, a < i < b -> ~~ computing i.

(* A line: follow a red vertex back to a load of one of its line; until then the line has a red vertex, its bearer. *)
Section Back.
Variables (line at_ : G -> nat) (prev : G -> G).
Hypothesis prevP : forall v, v \notin input G -> [/\ edge (prev v) v, line (prev v) = line v & at_ (prev v) < at_ v].
Definition bearer (v : G) l u i := exists b, [/\ b \in R i, line b = line v, at_ b <= at_ v & no_compute l i -> b = u].
Lemma bearers t v : v \in R t -> exists l u, [/\ l < t, loads s l u, line u = line v /\ at_ u <= at_ v,
  no_compute l t -> u = v & forall i, l < i <= t -> bearer v l u i].
Proof.
elim: t v => [|t IH] v vt1; first by move: vt1; rewrite (R0 s) inE.
have less l : no_compute l t.+1 -> no_compute l t by move=> nc i /andP[li it]; apply: nc; rewrite li ltnW.
case/R_step/or3P: (vt1) => [vt|lv|cv].
- have [l [u [lt lu [eu au] nu H]]] := IH v vt; exists l, u; split=> //; first exact: ltnW.
    by move=> /less; apply: nu.
  move=> i /andP[li]; rewrite leq_eqVlt ltnS => /orP[/eqP ->|it]; last by apply: H; rewrite li.
  by exists v; split=> // /less nc; apply/esym/nu.
- exists t, v; split=> // i /andP[ti it]; have -> : i = t.+1 by lia.
  by exists v.
have [e ln al] := prevP (computes_noninput ok cv); have vt := computes_edge ok cv e.
have [l [u [lt lu [eu au] nu H]]] := IH _ vt.
have no : no_compute l t.+1 -> False.
  by move=> /(_ t); rewrite lt ltnSn => /(_ isT)/negP; apply; apply/existsP; exists v.
exists l, u; split=> [||||i].
- exact: ltnW.
- by [].
- by rewrite eu ln; split=> //; apply: leq_trans au (ltnW al).
- by move/no.
move=> /andP[li]; rewrite leq_eqVlt ltnS => /orP[/eqP ->|it]; first by exists v; split=> // /no.
have [|b [bR bl ba nb]] := H i; first by rewrite li.
by exists b; split=> //; [rewrite bl | apply: leq_trans ba (ltnW al)].
Qed.
End Back.

Variables (x y : G -> nat) (left down : G -> G).
Hypothesis cr : crossing x y left down.

(* k: the later load is that of its row *)
Definition X (k : bool) := if k then x else y.
Definition Y (k : bool) := if k then y else x.
Record serves v c k l u e w : Prop := Serves {
  sv_e : e < l; sv_l : l < c; sv_u : loads s l u; sv_w : loads s e w; sv_c : computes s c v;
  sv_Yu : Y k u = Y k v; sv_Xu : X k u < X k v; sv_Xw : X k w = X k v; sv_Yw : Y k w < Y k v;
  sv_on : forall i, l < i <= c -> no_compute l i -> u \in R i;
  sv_other : forall i, e < i <= c -> exists b, [/\ b \in R i, X k b = X k v & Y k b < Y k v] }.

Lemma served v c : computes s c v -> exists k l u e w, serves v c k l u e w.
Proof.
move=> cc; have vI := computes_noninput ok cc.
have [e1 l1 a1] := cr_left cr vI; have [e2 l2 a2] := cr_down cr vI.
have [lr [ur [r1 r2 [r3 r4] r5 r6]]] := bearers (cr_left cr) (computes_edge ok cc e1).
have [lc [uc [c1 c2 [c3 c4] c5 c6]]] := bearers (cr_down cr) (computes_edge ok cc e2).
have x1 : x ur < x v by apply: leq_ltn_trans r4 a1.
have y1 : y uc < y v by apply: leq_ltn_trans c4 a2.
have rb i : lr < i <= c -> exists b, [/\ b \in R i, y b = y v, x b < x v & no_compute lr i -> b = ur].
  by move=> /r6[b [bR bl ba nb]]; exists b; split=> //; [rewrite bl | apply: leq_ltn_trans ba a1].
have cb i : lc < i <= c -> exists b, [/\ b \in R i, x b = x v, y b < y v & no_compute lc i -> b = uc].
  by move=> /c6[b [bR bl ba nb]]; exists b; split=> //; [rewrite bl | apply: leq_ltn_trans ba a2].
case: (ltngtP lc lr) => [lt|lt|E].
- exists true, lr, ur, lc, uc; split=> //=; rewrite ?r3 ?c3 //.
    by move=> i /rb[b [bR _ _ nb]] nc; rewrite -(nb nc).
  by move=> i /cb[b [bR bx by_ _]]; exists b.
- exists false, lc, uc, lr, ur; split=> //=; rewrite ?r3 ?c3 //.
    by move=> i /cb[b [bR _ _ nb]] nc; rewrite -(nb nc).
  by move=> i /rb[b [bR bx by_ _]]; exists b.
by move: x1; rewrite -E in r2; rewrite (loads_fun r2 c2) c3 l2 ltnn.
Qed.

Definition room := if game is sliding then M.-1 else M.-2.
Definition computed : {set G} := [set v | [exists i : 'I_(size s), computes s i v]].
Definition served_by_loads n w := \sum_(k < n) minn k w.

Theorem computed_by_loads : #|computed| <= served_by_loads (n_loads s 0 (size s)) room.
Proof.
have /fin_all_exists[d dP] : forall v, exists d : nat * bool * (nat * G) * (nat * G),
    v \in computed -> serves v d.1.1.1 d.1.1.2 d.1.2.1 d.1.2.2 d.2.1 d.2.2.
  move=> v; case: (boolP (v \in computed)) => [|_]; last by exists (0, true, (0, v), (0, v)).
  by rewrite inE => /existsP[i /served[k [l [u [e [w sv]]]]]]; exists (nat_of_ord i, k, (l, u), (e, w)).
pose c v := (d v).1.1.1; pose k v := (d v).1.1.2; pose l v := (d v).1.2.1; pose u v := (d v).1.2.2.
pose e v := (d v).2.1; pose w v := (d v).2.2.
have {}dP v : v \in computed -> serves v (c v) (k v) (l v) (u v) (e v) (w v) by exact: dP.
pose S t := [set v in computed | l v == t].
have SP t v : v \in S t -> serves v (c v) (k v) t (u v) (e v) (w v) by rewrite inE => /andP[/dP sv /eqP <-].
have mixed t v v' b : v \in S t -> v' \in S t -> k v -> ~~ k v' -> X (k v) b = X (k v) v -> Y (k v') b < Y (k v') v' -> False.
  move=> /SP s1 /SP s2 k1 k2; have E := loads_fun (sv_u s1) (sv_u s2).
  have := sv_Xu s1; have := sv_Yu s2; rewrite k1 (negbTE k2) -E /= => -> lt -> lt'.
  by move: (ltn_trans lt' lt); rewrite ltnn.
have same t v v' b : v \in S t -> v' \in S t -> X (k v) b = X (k v) v -> Y (k v) b < Y (k v) v ->
    X (k v') b = X (k v') v' -> Y (k v') b < Y (k v') v' -> v = v'.
  move=> vS vS' h1 h2 h3 h4; have s1 := SP _ _ vS; have s2 := SP _ _ vS'; have E := loads_fun (sv_u s1) (sv_u s2).
  case kE: (k v); case kE': (k v').
  - move: h1 h3 (sv_Yu s1) (sv_Yu s2); rewrite kE kE' E /= => -> h3 y1 y2; apply: (cr_inj cr) => //; exact: etrans (esym y1) y2.
  - by case: (mixed t v v' b vS vS') => //; rewrite ?kE ?kE'.
  - by case: (mixed t v' v b vS' vS) => //; rewrite ?kE ?kE'.
  move: h1 h3 (sv_Yu s1) (sv_Yu s2); rewrite kE kE' E /= => -> h3 y1 y2; apply: (cr_inj cr) => //; exact: etrans (esym y1) y2.
have few t : #|S t| <= n_loads s 0 t.
  rewrite /n_loads /cnt; apply: (@card_rel _ _ _ _ (fun (i : 'I_(size s)) v => (v \in S t) && (e v == i))).
    move=> i v v' /andP[vS /eqP ev] /andP[vS' /eqP ev']; have s1 := SP _ _ vS; have s2 := SP _ _ vS'.
    have E : w v = w v' by apply: (loads_fun (sv_w s1)); rewrite ev -ev'; apply: sv_w s2.
    by apply: (same t v v' (w v)); rewrite ?(sv_Xw s1) ?(sv_Yw s1) // E ?(sv_Xw s2) ?(sv_Yw s2).
  move=> v vS; have sv := SP _ _ vS; have [j ji jl] := loads_at (sv_w sv).
  exists j; last by rewrite vS ji eqxx.
  by rewrite inE jl /= ji (sv_e sv).
have fit t : #|S t| <= room.
  case: (set_0Vmem (S t)) => [->|[v0 v0S]]; first by rewrite cards0.
  have s0 := SP _ _ v0S; have lu := sv_u s0.
  have near (B : {set G}) i : t < i -> (forall v, v \in S t -> i <= c v) -> R i :\ u v0 \subset B -> #|S t| <= #|B|.
    move=> ti ic sub; apply: (@card_rel _ _ _ _ (fun b v => [&& v \in S t, X (k v) b == X (k v) v & Y (k v) b < Y (k v) v])).
      move=> b v v' /and3P[vS /eqP h1 h2] /and3P[vS' /eqP h3 h4]; exact: (same t v v' b).
    move=> v vS; have sv := SP _ _ vS; have [|b [bR bX bY]] := sv_other sv (i := i).
      by rewrite (ic _ vS) andbT; apply: ltn_trans (sv_e sv) ti.
    exists b; last by rewrite vS bX bY eqxx.
    apply: (subsetP sub); rewrite in_setD1 bR andbT; apply/eqP => bu.
    by have := sv_Xu sv; rewrite -bX bu (loads_fun (sv_u sv) lu) ltnn.
  have [tau ex mn] : exists2 i, t < i & computing i && [forall j : 'I_i, (t < j) ==> ~~ computing j].
    have ex0 : exists i, (t < i) && computing i by exists (c v0); rewrite (sv_l s0); apply/existsP; exists v0; apply: sv_c s0.
    case: (ex_minnP ex0) => i /andP[ti ci] mi; exists i => //; rewrite ci /=; apply/forallP => j; apply/implyP => tj.
    by apply/negP => cj; have := mi j; rewrite tj cj leqNgt ltn_ord => /(_ isT).
  case/andP: mn => ci /forallP nc.
  have ic v : v \in S t -> tau <= c v.
    move=> vS; have sv := SP _ _ vS; rewrite leqNgt; apply/negP => lt.
    have := nc (Ordinal lt); rewrite /= (sv_l sv) => /negP; apply; apply/existsP; exists v; apply: sv_c sv.
  have uR : u v0 \in R tau.
    apply: (sv_on s0); first by rewrite ex ic.
    by move=> i /andP[ti it]; have := nc (Ordinal it); rewrite /= ti.
  have le := near (R tau :\ u v0) tau ex ic (subxx _); have := cardsD1 (u v0) (R tau); rewrite uR add1n => cR.
  apply: leq_trans le _; rewrite /room; case/existsP: ci => v; rewrite /computes.
  have := card_R ok tau; rewrite cR => cM; case gE: game => [] //; last by move: cM; clear; lia.
  case mE: (mv s tau) => [[b|b|b|a b|b|b]|] // _; have [al] := legal_at ok mE; last by move: al; rewrite /= gE.
  rewrite posS mE /= cardsU1; have /and3P[_ -> _] := al; rewrite cR; clear; lia.
have all_t t : t <= size s -> #|[set v in computed | l v < t]| <= served_by_loads (n_loads s 0 t) room.
  elim: t => [|t IH] ts; first by rewrite (_ : [set v in computed | l v < 0] = set0) ?cards0 //; apply/setP => v; rewrite !inE ltn0 andbF.
  have -> : [set v in computed | l v < t.+1] = [set v in computed | l v < t] :|: S t.
    by apply/setP => v; rewrite !in_setU !inE ltnS leq_eqVlt andb_orr orbC.
  apply: leq_trans (leq_card_setU _ _) _; have cat := cnt_cat (at_time (@is_load G)) val (leq0n t) (leqnSn t).
  rewrite /n_loads cat -/(n_loads s 0 t); have {IH} := IH (ltnW ts).
  case: (set_0Vmem (S t)) => [->|[v vS]].
    rewrite cards0 addn0 => le; apply: leq_trans le _; rewrite /served_by_loads.
    by rewrite -(big_mkord xpredT (fun i => minn i room)) -(big_mkord xpredT (fun i => minn i room)) (big_cat_nat _ _ _ (leq0n _) (leq_addr (cnt (at_time (@is_load G)) val t t.+1) _)) leq_addr.
  have one : 0 < cnt (at_time (s := s) (@is_load G)) val t t.+1.
    have [j ji jl] := loads_at (sv_u (SP _ _ vS)); apply/card_gt0P; exists j; by rewrite inE jl ji /= leqnn ltnSn.
  move=> le; apply: (@leq_trans (served_by_loads (n_loads s 0 t).+1 room)).
    rewrite /served_by_loads big_ord_recr /=; apply: leq_add => //; rewrite leq_min few fit //.
  rewrite /served_by_loads -(big_mkord xpredT (fun i => minn i room)) -[X in _ <= X](big_mkord xpredT (fun i => minn i room)).
  have le1 : (n_loads s 0 t).+1 <= n_loads s 0 t + cnt (at_time (s := s) (@is_load G)) val t t.+1 by rewrite -addn1 leq_add2l.
  by rewrite [X in _ <= X](big_cat_nat _ _ _ (leq0n _) le1) leq_addr.
apply: leq_trans (all_t _ (leqnn _)); apply/subset_leq_card/subsetP => v vC; rewrite inE vC /=.
by have sv := dP _ vC; apply: ltn_trans (sv_l sv) (computes_size (sv_c sv)).
Qed.
End Loads.
