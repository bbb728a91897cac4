(* docs/theory.md section 6: three ways of counting a step, for any CDAG with work at pairs.  A share of a step's weight lies on the run that
   made the value it reads; events are loads, births of accumulators and stores. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment Follow LoomisWhitney ThreeWaysMost Reduction PairTrees WorkAtPairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Run.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation Rd i := (red (pos (start G) s i)).
(* r 0, ..., r l, each read by the next; the last is red at time tau.  back i: when the value of r (l - i) was made that leads there. *)
Variables (l : nat) (r : nat -> G) (tau : nat).
Hypotheses (rI : forall j, j <= l -> r j \notin input G) (rE : forall j, j < l -> edge (r j) (r j.+1)) (rl : r l \in Rd tau).
Fixpoint back i := if i is i'.+1 then ro s (back i') (r (l - i')) else tau.
Definition made j := back (l.+1 - j).

Lemma made_last : made l.+1 = tau. Proof. by rewrite /made subnn. Qed.
Lemma made_ok j : j <= l -> [/\ computes s (made j) (r j), made j < made j.+1 & redc s (made j) (made j.+1) (r j)].
Proof.
move=> jl; have [k kj] : exists k, k = l - j by exists (l - j).
have E i : i <= l -> made i = ro s (made i.+1) (r i).
  by move=> il; rewrite /made (subSn il) subSS /= subKn.
elim: k j jl kj => [|k IH] j jl kj.
  have jE : j = l by move: jl kj; clear; lia.
  have rd : r j \in Rd (made j.+1) by rewrite jE made_last.
  have [H _] := origin_computed ok (made j.+1) (rI jl); have [lt cp] := H rd.
  by rewrite (E j jl) {1 2}/made; split=> //; rewrite /redc rd eqxx.
have j1 : j < l by move: kj; clear; lia.
have [cj _ _] := IH j.+1 j1 ltac:(move: kj; clear; lia).
have rd := computes_edge ok cj (rE j1); have [H _] := origin_computed ok (made j.+1) (rI jl); have [lt cp] := H rd.
by rewrite (E j jl); split=> //; rewrite /redc rd eqxx.
Qed.
Lemma made_le i j : i <= j -> j <= l.+1 -> made i <= made j.
Proof.
elim: j => [|j IH]; first by rewrite leqn0 => /eqP ->.
rewrite leq_eqVlt ltnS => /orP[/eqP -> //|ij jl]; have [_ lt _] := made_ok (j := j) jl.
exact: leq_trans (IH ij (ltnW jl)) (ltnW lt).
Qed.

Lemma crossing j e : j <= l -> made j < e <= tau -> exists2 i, j <= i <= l & made i < e <= made i.+1.
Proof.
move=> jl /andP[je et]; have ex : exists i, (i <= l) && (made i < e) by exists j; rewrite jl.
have bd i : (i <= l) && (made i < e) -> i <= l by case/andP.
case: (ex_maxnP ex bd) => i /andP[il ie] mx; exists i; first by rewrite il andbT; apply: mx; rewrite jl.
rewrite ie /=; move: il; rewrite leq_eqVlt => /orP[/eqP E|lt]; first by rewrite E made_last.
by rewrite leqNgt; apply/negP => m; have := mx i.+1; rewrite lt m ltnn => /(_ isT).
Qed.

(* Made before a, and read behind it: red at a, or loaded since. *)
Lemma made_in (K : finType) (c : K -> nat -> nat) (W : finType) (word : G -> W) key a b j : j <= l -> a <= tau < b -> made j < a ->
  exists2 i, i <= l & word (r i) \in avail s c word key a b.
Proof.
move=> jl /andP[at_ tb] ja; have [|i /andP[_ il] /andP[ia ai]] := @crossing j a jl; first by rewrite ja.
exists i => //; have [_ _ rc] := made_ok il.
have ib : made i.+1 < b by apply: leq_ltn_trans tb; rewrite -made_last; apply: made_le.
case: (boolP [exists t : 'I_(made i.+1), (a <= t) && loads s t (r i)]) => [/existsP[t /andP[ta lt]]|no].
  by apply: (loaded_avail c word key _ lt); rewrite ta; apply: ltn_trans ib.
apply: red_avail; have /andP[] // : redc s (made i) a (r i); apply: (no_load ok rc); first by rewrite ia.
move=> t /andP[ta tm]; apply: contra no => lt; by apply/existsP; exists (Ordinal tm); rewrite ta.
Qed.

(* Made before b, and read behind it: red at b, or stored since it was made. *)
Definition kept a b : {set G} := Rd b :|: [set v | [exists t : 'I_(size s), (a <= t < b) && stores s t v]].
Lemma made_out a b j : j <= l -> a <= made j < b -> b <= tau -> exists2 i, i <= l & r i \in kept a b.
Proof.
move=> jl /andP[aj jb] bt; have [|i /andP[ji il] /andP[ib bi]] := @crossing j b jl; first by rewrite jb.
exists i => //; have [cp _ rc] := made_ok il; rewrite !inE.
have /orP[/andP[-> _]//|bb] : redc s (made i) b (r i) || bluec s (made i) b (r i).
  by apply: (survive ok (i := made i.+1)); rewrite ?rc ?ib.
have [t /andP[t1 t2] st] := blue_store ok cp (rI il) bb ib.
apply/orP; right; apply/existsP; exists (Ordinal (stores_size st)); rewrite /= t2 st !andbT.
by apply: leq_trans aj (leq_trans (made_le ji (leqW il)) (ltnW t1)).
Qed.
End Run.

Lemma kept_card (game : rules) M (G : cdag) (s : seq (move G)) : legal game M s -> forall a b, #|kept s a b| <= M + n_stores s a b.
Proof.
move=> ok a b; apply: leq_trans (leq_card_setU _ _) _; apply: leq_add; first exact: card_R ok b.
apply: (@card_rel _ _ _ _ (fun (i : 'I_(size s)) v => stores s i v)) => [i|v]; first exact: stores_fun.
rewrite inE => /existsP[i /andP[ib st]]; exists i => //; rewrite inE ib andbT.
by move: st; rewrite /stores /at_time; case: (mv s i) => [[]|].
Qed.

(* a move is an event or a store, not both *)
Lemma events_stores_one (game : rules) M (G : cdag) (s : seq (move G)) (ok : legal game M s) (K : finType) len (z : K -> nat -> G) (ch : chains len z) c :
  canonical s len z c -> forall a, events s c a a.+1 + n_stores s a a.+1 <= 1.
Proof.
move=> ca a; have one (P : pred 'I_(size s)) : cnt P val a a.+1 <= 1.
  rewrite /cnt; case: (set_0Vmem [set x | P x && (a <= val x < a.+1)]) => [->|[x]]; first by rewrite cards0.
  rewrite inE => /andP[_ xa]; rewrite -(cards1 x); apply/subset_leq_card/subsetP => y.
  by rewrite !inE => /andP[_ ya]; apply/eqP/val_inj; move: xa ya => /=; lia.
case: (posnP (n_stores s a a.+1)) => [->|]; first by rewrite addn0; apply: one.
move=> st; suff -> : events s c a a.+1 = 0 by apply: one.
case/card_gt0P: st => i; rewrite inE ltnS -eqn_leq => /andP[si /eqP ia].
apply/eqP; rewrite cards_eq0; apply/eqP/setP => j; rewrite !inE ltnS -eqn_leq; apply/negP => /andP[ev /eqP ja].
have {ja} E : j = i by apply/val_inj; rewrite -ja.
move: ev si; rewrite {}E /event /at_time /=; case m: (mv s i) => [[v|v|v|u v|v|v]|] //= /existsP[k /eqP ck] _.
by have := c_computes ca (chain_pos ch k); rewrite ck /computes m.
Qed.

Section Three.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Variables (K : finType) (len : K -> nat) (z : K -> nat -> G).
Hypothesis ch : chains len z.
Variables (Rw Cl Dk Vt : finType) (word : G -> pword Rw Cl Dk Vt K).
Local Notation wQ := (@wQ Rw Cl Dk Vt K).
Local Notation wK := (@wK Rw Cl Dk Vt K).
Local Notation wV := (@wV Rw Cl Dk Vt K).
Local Notation wZ := (@wZ Rw Cl Dk Vt K).
Local Notation wP := (@wP Rw Cl Dk Vt K).
Variables (T : finType) (kk : T -> K) (jj : T -> nat) (pr : T -> Rw * Cl) (vv : T -> Vt).
Variables (V root : T -> G) (tree : Rw * Cl -> pred G) (Q : Rw -> Dk -> G) (Ky : Cl -> Dk -> G) (dv rv rz N : nat).
Hypothesis pw : pair_work len z word kk jj pr vv V root tree Q Ky dv rv rz N.
(* the run of its pair's tree that a step reads the end of: one vertex of it for each word of the row and of the column *)
Variables (l : nat) (run : T -> nat -> G) (ix : Dk -> nat).
Record runs : Prop := Runs {
  rn_input : forall x j, j <= l -> run x j \notin input G;
  rn_edge : forall x j, j < l -> edge (run x j) (run x j.+1);
  rn_root : forall x, run x l = root x;
  rn_word : forall x j, j <= l -> word (run x j) = wP (pr x);
  rn_ix : forall k, ix k <= l;
  rn_edgeQ : forall x k, edge (Q (pr x).1 k) (run x (ix k));
  rn_edgeK : forall x k, edge (Ky (pr x).2 k) (run x (ix k)) }.
Hypothesis rn : runs.

Theorem three_segment wn rest f t n hf ht :
  ways_most #|Dk| dv wn rest M f hf -> ways_most #|Dk| dv wn rest M (M + t) ht -> hf + n * ht < #|T| * (#|Dk| * (wn + rest)) ->
  f + n * t + 1 <= cost s + #|K|.
Proof.
have [c ca] := canonical_exists ok ch; pose tm x := c (kk x) (jj x) => Hf Ht lt.
have tmc x : computes s (tm x) (z (kk x) (jj x)) by exact: (c_computes ca (pw_step pw x)).
have rootR x : run x l \in red (pos (start G) s (tm x)) by by rewrite (rn_root rn); exact: (computes_edge ok (tmc x) (pw_root pw x)).
pose te (y : T * Dk) := made s l (run y.1) (tm y.1) (ix y.2).
have tec y : computes s (te y) (run y.1 (ix y.2)).
  by have [] := made_ok ok (rn_input rn y.1) (rn_edge rn y.1) (rootR y.1) (rn_ix rn y.2).
pose work a b := rest * #|Dk| * cnt predT tm a b + wn * cnt predT te a b.
pose E a b := events s c a b + n_stores s a b.
have stretch a b X h : ways_most #|Dk| dv wn rest M X h -> #|avail s c word wZ a b| + n_stores s a b <= X -> work a b <= h.
  move=> H le; set D := avail s c word wZ a b in le.
  pose F := [set x | a <= tm x < b]; pose Y := [set y | a <= te y < b].
  have FP x : x \in F -> a <= tm x < b by rewrite inE.
  have YP y : y \in Y -> a <= te y < b by rewrite inE.
  pose p := [set e | wP e \in D]; pose p' := [set e | wP e \in word @: kept s a b].
  pose F1 := [set x in F | pr x \notin p]; pose Y2 := [set y in Y | y.1 \notin F1].
  pose A1 := [set x : Rw * Dk | wQ x.1 x.2 \in D]; pose A2 := [set x : Cl * Dk | wK x.1 x.2 \in D].
  pose R := [set i | [forall k, wQ i k \in D]]; pose C := [set j | [forall k, wK j k \in D]].
  pose sv (y : T * Dk) := (pr y.1, y.2); pose HS := sv @: Y2.
  (* pairs that are made *)
  have made1 x : x \in F1 -> (pr x).1 \in R /\ (pr x).2 \in C.
    rewrite inE inE => /andP[xF cD]; rewrite inE in cD; have rd := computes_edge ok (tmc x) (pw_root pw x).
    split; rewrite inE; apply/forallP => k.
      have [qI <-] := pw_Q pw (pr x).1 k.
      by apply: (tree_avail ok (pw_tree pw (e := pr x)) qI (pw_row pw x k) xF rd cD).
    have [kI <-] := pw_K pw (pr x).2 k.
    by apply: (tree_avail ok (pw_tree pw (e := pr x)) kI (pw_col pw x k) xF rd cD).
  (* other shares are of pairs carried in or out *)
  have carried y : y \in Y2 -> pr y.1 \in p :|: p'.
    rewrite inE => /andP[yY nF]; have /andP[ya yb] := YP y yY; rewrite inE.
    have ri := rn_ix rn y.2; have ro_ := rn_input rn y.1; have re_ := rn_edge rn y.1.
    case: (leqP b (tm y.1)) => tb.
      have [i il ki] := made_out ok ro_ re_ (rootR y.1) ri (YP y yY) tb.
      by apply/orP; right; rewrite inE -(rn_word rn y.1 il); apply: imset_f.
    apply/orP; left; apply: contraR nF => np; rewrite inE np andbT inE tb andbT; apply: leq_trans ya _.
    rewrite -[tm _](made_last s l (run y.1)); apply: (made_le ok ro_ re_ (rootR y.1)) => //; exact: leqW.
  have cnt1 : cnt predT tm a b = #|F| by apply: eq_card => x; rewrite !inE.
  have cnt2 : cnt predT te a b = #|Y| by apply: eq_card => y; rewrite !inE.
  have split : #|Y| <= #|F1| * #|Dk| + dv * #|HS|.
    apply: (@leq_trans (#|setX F1 [set: Dk]| + #|Y2|)).
      apply: leq_trans (leq_card_setU _ _); apply/subset_leq_card/subsetP => -[x k] yY.
      rewrite !inE /= andbT; case: (boolP (x \in F1)) => [|nF]; first by rewrite !inE => ->.
      by move: nF yY; rewrite !inE => -> ->; rewrite orbT.
    rewrite cardsX cardsT leq_add2l; apply: fiber => -[e k].
    apply: leq_trans (pw_dv pw e); rewrite -(card_in_imset (f := fst)).
      by apply/subset_leq_card/subsetP => _ /imsetP[[x k'] + ->]; rewrite !inE /sv /= xpair_eqE => /andP[].
    by move=> [x1 k1] [x2 k2]; rewrite !inE /sv !xpair_eqE /= => /andP[_ /eqP ->] /andP[_ /eqP ->] ->.
  have aQ y : y \in Y -> ((pr y.1).1, y.2) \in A1 /\ ((pr y.1).2, y.2) \in A2.
    move=> yY; split; rewrite inE /=.
      have [qI <-] := pw_Q pw (pr y.1).1 y.2.
      exact: (input_avail ok c word wZ (YP y yY) (computes_edge ok (tec y) (rn_edgeQ rn y.1 y.2)) qI).
    have [qI <-] := pw_K pw (pr y.1).2 y.2.
    exact: (input_avail ok c word wZ (YP y yY) (computes_edge ok (tec y) (rn_edgeK rn y.1 y.2)) qI).
  have dvs (S : {set T}) : #|S| <= dv * #|pr @: S| by apply: fiber; apply: pw_dv pw.
  have lw (S : {set T}) : S \subset F -> #|S| ^ 2 <= #|pr @: S| * (#|vv @: F| * #|kk @: F|).
    move=> sF; apply: leq_trans (loomis_whitney (f := pr) (g := vv) (e := kk) S _) _; first exact: (pw_LW pw).
    by rewrite leq_mul2l; apply/orP; right; apply: leq_mul; apply/subset_leq_card/imsetS.
  have F1F : F1 \subset F by apply/subsetP => x; rewrite inE => /andP[].
  have prF : #|pr @: F| <= #|p| + #|pr @: F1|.
    apply: leq_trans (leq_card_setU _ _); apply/subset_leq_card/subsetP => _ /imsetP[x xF ->].
    by rewrite in_setU; case: (boolP (pr x \in p)) => //= np; apply: imset_f; rewrite inE xF.
  have : wn * #|Dk| * #|F1| + rest * #|Dk| * #|F| + wn * dv * #|HS| <= h.
    apply: (ways_counted H (a1 := #|A1|) (a2 := #|A2|) (v := #|vv @: F|) (y := #|kk @: F|) (p := #|p|) (p' := #|p'|)
      (st := n_stores s a b) (R := #|R|) (C := #|C|) (E := #|pr @: F1|)).
    - apply: leq_trans le; rewrite leq_add2r; apply: leq_trans (pword_split (A1 := A1) (A2 := A2) (V := vv @: F) (Z := kk @: F) (P := p) _ _ _ _ _).
      + by clear; lia.
      + by move=> i k; rewrite inE.
      + by move=> i k; rewrite inE.
      + move=> _ /imsetP[x xF ->]; have [vI <-] := pw_V pw x.
        exact: (input_avail ok c word wZ (FP x xF) (computes_edge ok (tmc x) (pw_edgeV pw x)) vI).
      + by move=> _ /imsetP[x xF ->]; exact: (chain_avail ok ch ca (pw_chain pw) (pw_step pw x) (FP x xF)).
      by move=> e; rewrite inE.
    - apply: leq_trans (kept_card ok a b); apply: leq_trans (leq_imset_card word _); rewrite -(card_imset p' (f := wP)) => [|? ? []//].
      by apply/subset_leq_card/subsetP => _ /imsetP[e eP ->]; move: eP; rewrite inE.
    - rewrite -(cardsT Dk) -cardsX; apply/subset_leq_card/subsetP => -[i k] /setXP[iR _].
      by rewrite inE /=; move: iR; rewrite inE => /forallP/(_ k).
    - rewrite -(cardsT Dk) -cardsX; apply/subset_leq_card/subsetP => -[i k] /setXP[iR _].
      by rewrite inE /=; move: iR; rewrite inE => /forallP/(_ k).
    - rewrite -cardsX; apply/subset_leq_card/subsetP => _ /imsetP[x /made1[rR rC] ->].
      by rewrite [X in X \in _]surjective_pairing in_setX rR.
    - exact: lw.
    - exact: dvs.
    - apply: leq_trans (lw F (subxx _)) _; by rewrite leq_mul2r prF orbT.
    - have -> : #|F| = #|F1| + #|F :\: F1| by rewrite cardsD (setIidPr F1F) subnKC // subset_leq_card.
      rewrite leq_add2l mulnC; apply: leq_trans (dvs _) _; rewrite leq_mul2l; apply/orP; right.
      apply/subset_leq_card/subsetP => _ /imsetP[x + ->]; rewrite in_setD inE => /andP[+ xF].
      by rewrite xF /= negbK.
    - have : #|HS| ^ 2 <= #|fst @: HS| * (#|(fun x : Rw * Cl * Dk => (x.1.1, x.2)) @: HS| * #|(fun x : Rw * Cl * Dk => (x.1.2, x.2)) @: HS|).
        by apply: loomis_whitney => -[[i1 j1] k1] [[i2 j2] k2] [[i3 j3] k3] [[i4 j4] k4] /= [-> ->] [-> ->] [-> ->] [-> ->].
      move=> lwS; apply: leq_trans lwS _; apply: leq_mul; last apply: leq_mul.
      + apply: leq_trans (leq_card_setU p p'); apply/subset_leq_card/subsetP => _ /imsetP[_ /imsetP[y yY ->] ->]; exact: carried.
      + apply/subset_leq_card/subsetP => _ /imsetP[_ /imsetP[y yY ->] ->]; apply: (aQ y _).1; by move: yY; rewrite inE => /andP[].
      apply/subset_leq_card/subsetP => _ /imsetP[_ /imsetP[y yY ->] ->]; apply: (aQ y _).2; by move: yY; rewrite inE => /andP[].
    apply: (@leq_trans #|setX (p :|: p') [set: Dk]|).
      by apply/subset_leq_card/subsetP => _ /imsetP[y yY ->]; rewrite in_setX in_setT andbT; apply: carried.
    by rewrite cardsX cardsT leq_mul2r leq_card_setU orbT.
  rewrite /work cnt1 cnt2; have := leq_mul (leqnn wn) split; clear; lia.
have cat a b d : a <= b -> b <= d -> E a d = E a b + E b d.
  by move=> ab bd; rewrite /E /events /n_stores (cnt_cat _ _ ab bd) (cnt_cat (at_time (@is_store G)) _ ab bd) addnACA.
suff : f + n * t + 1 <= E 0 (size s).
  by rewrite /E costE; have := events_loads s c; move: (n_loads _ _ _) (n_stores _ _ _) (events _ _ _ _) => x y w; clear; lia.
move: lt; apply: contraTT; rewrite addn1 -leqNgt -ltnNge ltnS => few.
apply: leq_trans (_ : _ <= work 0 (size s)) _.
  have -> : #|T| * (#|Dk| * (wn + rest)) = rest * #|Dk| * #|T| + wn * #|[finType of T * Dk]| by rewrite card_prod; clear; lia.
  rewrite /work /cnt; apply: leq_add; rewrite leq_mul2l; apply/orP; right; rewrite -cardsT; apply/subset_leq_card/subsetP => x _; rewrite inE /=.
    exact: computes_size (tmc x).
  exact: computes_size (tec x).
apply: (@cutting E work f t hf ht) few => //.
- by move=> a; apply: (events_stores_one ok ch ca).
- move=> a b ab; rewrite /work (cnt_cat predT tm (leq0n a) ab) (cnt_cat predT te (leq0n a) ab); clear; lia.
- move=> b le; apply: (stretch _ _ f) => //; apply: leq_trans le; rewrite leq_add2r.
  by apply: leq_trans (avail_card ch ca word wZ 0 b) _; rewrite (R0 s) cards0.
move=> a b _ _ le; apply: (stretch _ _ (M + t)) => //; apply: leq_trans (leq_add (avail_card ch ca word wZ a b) (leqnn _)) _.
by rewrite -addnA; apply: leq_add (card_R ok a) le.
Qed.
End Three.
