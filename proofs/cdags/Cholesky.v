(* Cholesky's factorisation, cdag/families/cholesky.cdag, for all n; docs/theory.md section 10: its bound, with recomputation. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment Rooted FarTriangles SquareRoot.
From redblue Require Syrk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* U[i,j,k] = U[i,j,k-1], A[i,j] (k = 0), L[i,k], L[j,k], k < j <= i;  D[j] = U[j,j,j-1], A[j,j] (j = 0);
   L[i,j] = U[i,j,j-1], A[i,j] (j = 0), D[j], j < i. *)
Section Cholesky.
Variable n : nat.
Definition updates : finType := [finType of {e : 'I_n * 'I_n * 'I_n | e.2 < e.1.2 <= e.1.1}].
Definition ch_vertex : finType := [finType of Syrk.tri n + updates + 'I_n + Syrk.below n].
Definition chA (e : Syrk.tri n) : ch_vertex := inl (inl (inl e)).
Definition chU (e : updates) : ch_vertex := inl (inl (inr e)).
Definition chD (j : 'I_n) : ch_vertex := inl (inr j).
Definition chL (e : Syrk.below n) : ch_vertex := inr e.
Definition ch_edge : rel ch_vertex := fun u v =>
  match u, v with
  | inl (inl (inr e)), inl (inl (inr e')) => ((val e).1 == (val e').1) && ((val e).2.+1 == (val e').2)
  | inl (inl (inl e)), inl (inl (inr e')) => (val e == (val e').1) && ((val e').2 == 0 :> nat)
  | inr e, inl (inl (inr e')) => (((val e).1 == (val e').1.1) || ((val e).1 == (val e').1.2)) && ((val e).2 == (val e').2)
  | inl (inl (inr e)), inl (inr j) => ((val e).1 == (j, j)) && ((val e).2.+1 == j)
  | inl (inl (inl e)), inl (inr j) => (val e == (j, j)) && (j == 0 :> nat)
  | inl (inl (inr e)), inr e' => ((val e).1 == val e') && ((val e).2.+1 == (val e').2)
  | inl (inl (inl e)), inr e' => (val e == val e') && ((val e').2 == 0 :> nat)
  | inl (inr j), inr e' => j == (val e').2
  | _, _ => false
  end.
Definition ch_is_output (v : ch_vertex) : bool := match v with inl (inr _) | inr _ => true | _ => false end.
Definition ch_output : {set ch_vertex} := [set v | ch_is_output v].
Lemma ch_acyclic : exists rank : ch_vertex -> nat, forall u v, ch_edge u v -> rank u < rank v.
Proof.
exists (fun v : ch_vertex => match v with inl (inl (inl _)) => 0 | inl (inl (inr e)) => 4 * (val e).2.+1
  | inl (inr j) => 4 * j + 2 | inr e => 4 * (val e).2 + 3 end).
move=> [[[e|e]|j]|e] [[[e'|e']|j']|e'] //=.
all: try by case/andP=> _ /eqP; clear; lia.
  by move=> /eqP ->; clear; lia.
by case/andP=> _ /eqP ->; clear; lia.
Qed.
Definition cholesky : cdag := Cdag ch_output ch_acyclic.
End Cholesky.

Section Words.
Variable n : nat.
Notation G := (cholesky n).
Implicit Types i j k : 'I_n.

Lemma tri_of (i j : 'I_n) : j <= i -> exists e : Syrk.tri n, val e = (i, j).
Proof. by move=> ji; exists (exist (fun e : 'I_n * 'I_n => e.2 <= e.1) (i, j) ji). Qed.
Lemma update_of (i j k : 'I_n) : k < j <= i -> exists e : updates n, val e = (i, j, k).
Proof. by move=> h; exists (exist (fun e : 'I_n * 'I_n * 'I_n => e.2 < e.1.2 <= e.1.1) (i, j, k) h). Qed.
Lemma below_of (i j : 'I_n) : j < i -> exists e : Syrk.below n, val e = (i, j).
Proof. by move=> ji; exists (exist (fun e : 'I_n * 'I_n => e.2 < e.1) (i, j) ji). Qed.

(* the vertices with these indices; is v one of them? *)
Definition isA i j (v : G) : bool := if v is inl (inl (inl e)) then val e == (i, j) else false.
Definition isU i j (m : nat) (v : G) : bool := if v is inl (inl (inr e)) then ((val e).1 == (i, j)) && ((val e).2 == m :> nat) else false.
Definition isL i j (v : G) : bool := if v is inr e then val e == (i, j) else false.

Lemma exA i j : j <= i -> exists v, isA i j v.
Proof. by case/tri_of=> e E; exists (chA e); rewrite /= E. Qed.
Lemma exU i j (m : nat) : m < j -> j <= i -> exists v, isU i j m v.
Proof.
move=> mj ji; have mn : m < n by apply: ltn_trans mj (ltn_ord j).
have [|e E] := @update_of i j (Ordinal mn); first by rewrite /= mj.
by exists (chU e); rewrite /isU /= E /= !eqxx.
Qed.
Lemma exL i j : j < i -> exists v, isL i j v.
Proof. by case/below_of=> e E; exists (chL e); rewrite /= E. Qed.
Lemma uniqA i j v v' : isA i j v -> isA i j v' -> v = v'.
Proof.
case: v v' => [[[e|e]|d]|e] [[[e'|e']|d']|e'] //= /eqP E /eqP E'; congr (inl (inl (inl _))); apply/val_inj; exact: etrans E (esym E').
Qed.
Lemma triple_eq (x y : 'I_n * 'I_n * 'I_n) : x.1 = y.1 -> x.2 = y.2 :> nat -> x = y.
Proof. by case: x y => [a b] [a' b'] /= -> /val_inj ->. Qed.
Lemma uniqU i j m v v' : isU i j m v -> isU i j m v' -> v = v'.
Proof.
case: v v' => [[[e|e]|d]|e] [[[e'|e']|d']|e'] //= /andP[/eqP E1 /eqP E2] /andP[/eqP E3 /eqP E4]; congr (inl (inl (inr _))).
apply/val_inj; apply: triple_eq; [exact: etrans E1 (esym E3) | exact: etrans E2 (esym E4)].
Qed.
Lemma uniqL i j v v' : isL i j v -> isL i j v' -> v = v'.
Proof. case: v v' => [[[e|e]|d]|e] [[[e'|e']|d']|e'] //= /eqP E /eqP E'; congr (inr _); apply/val_inj; exact: etrans E (esym E'). Qed.

Lemma edgeUU i j m u v : isU i j m u -> isU i j m.+1 v -> edge u v.
Proof.
case: u v => [[[e|e]|d]|e] [[[e'|e']|d']|e'] //= /andP[/eqP E1 /eqP E2] /andP[/eqP E3 /eqP E4].
by rewrite E1 E3 E2 E4 !eqxx.
Qed.
Lemma edgeAU i j u v : isA i j u -> isU i j 0 v -> edge u v.
Proof. case: u v => [[[e|e]|d]|e] [[[e'|e']|d']|e'] //= /eqP E1 /andP[/eqP E3 /eqP E4]; by rewrite E1 E3 E4 !eqxx. Qed.
Lemma edgeUL i j m u v : isU i j m u -> m.+1 = j -> isL i j v -> edge u v.
Proof.
case: u v => [[[e|e]|d]|e] [[[e'|e']|d']|e'] //= /andP[/eqP E1 /eqP E2] E5 /eqP E3.
by rewrite E1 E3 E2 /= E5 !eqxx.
Qed.
Lemma edgeAL i j u v : isA i j u -> j = 0 :> nat -> isL i j v -> edge u v.
Proof. case: u v => [[[e|e]|d]|e] [[[e'|e']|d']|e'] //= /eqP E1 E5 /eqP E3; by rewrite E1 E3 /= E5 !eqxx. Qed.
Lemma edgeLU i j k x (m : nat) u v : isL x k u -> isU i j m v -> k = m :> nat -> x = i \/ x = j -> edge u v.
Proof.
case: u v => [[[e|e]|d]|e] [[[e'|e']|d']|e'] //= /eqP E1 /andP[/eqP E3 /eqP E4] km xij.
rewrite E1 E3 /=; apply/andP; split; first by case: xij => ->; rewrite eqxx ?orbT.
by apply/eqP/val_inj; rewrite /= km E4.
Qed.
Lemma noninput (v : G) : (v \in input G) = if v is inl (inl (inl _)) then true else false.
Proof.
have no (u w : G) : edge u w -> (w \in input G) = false by move=> e; rewrite inE; apply/negP => /forallP/(_ u); rewrite e.
case: v => [[[e|e]|j]|e].
- by rewrite inE; apply/forallP => -[[[e'|e']|d']|e'].
- case E: (val e) => [[i j] k]; have lt : k < j <= i by have := valP e; rewrite /= E.
  have [|u uL] := @exL i k; first by move: lt; clear; lia.
  apply: (no u); apply: (edgeLU (i := i) (j := j) (m := k) uL) => //; last by left.
  by rewrite /isU E /= !eqxx.
- case: (posnP j) => j0; last first.
    have [u uU] : exists u, isU j j j.-1 u by apply: exU; [move: j0; clear; lia | exact: leqnn].
    apply: (no u); move: uU; case: u => [[[e|e]|d]|e] //= /andP[/eqP -> /eqP ->].
    by rewrite eqxx prednK ?eqxx.
  have [u uA] := @exA j j (leqnn _); apply: (no u); move: uA; case: u => [[[e|e]|d]|e] //= /eqP ->.
  by rewrite eqxx j0.
case E: (val e) => [i j]; apply: (no (chD j)); by rewrite /= E.
Qed.
End Words.

Section Segments.
Variables (game : rules) (M n : nat) (s : seq (move (cholesky n))).
Hypothesis ok : legal game M s.
Notation G := (cholesky n).
Notation R i := (red (pos (start G) s i)).
Variable g : nat.

(* the word ij: the input, the partial sums, the finished value; its last g + 1 sums and the value are late *)
Definition word_of (v : G) : option ('I_n * 'I_n) :=
  match v with inl (inl (inl e)) => Some (val e) | inl (inl (inr e)) => Some (val e).1 | inl (inr _) => None | inr e => Some (val e) end.
Definition late (v : G) : bool :=
  match v with inl (inl (inl e)) => (val e).2 <= g | inl (inl (inr e)) => (val e).1.2 <= (val e).2 + g.+1 | _ => true end.
Definition split_word (v : G) : option ('I_n * 'I_n * bool) := if word_of v is Some p then Some (p, late v) else None.

Lemma before (v : G) p : v \notin input G -> word_of v = Some p ->
  exists u, [/\ edge u v, word_of u = Some p & late u -> late v].
Proof.
rewrite noninput; case: v => [[[e|e]|j]|e] //= _ [<-]; last first.
  case E: (val e) => [i j]; have ji : j < i by have := valP e; rewrite /= E.
  have vL : isL i j (inr e) by rewrite /= E.
  case: (posnP j) => j0.
    have [u uA] := exA (ltnW ji); exists u; split=> //; first exact: edgeAL uA j0 vL.
    by move: uA; case: u => [[[f|f]|d]|f] //= /eqP ->.
  have [u uU] : exists u, isU i j j.-1 u by apply: exU; [move: j0; clear; lia | exact: ltnW].
  exists u; split=> //; first by apply: (edgeUL uU) vL; rewrite prednK.
  by move: uU; case: u => [[[f|f]|d]|f] //= /andP[/eqP -> _].
case E: (val e) => [[i j] k]; have kji : k < j <= i by have := valP e; rewrite /= E.
have vU : isU i j k (inl (inl (inr e))) by rewrite /isU E /= !eqxx.
case: (posnP k) => k0.
  have [|u uA] := @exA _ i j; first by move: kji; clear; lia.
  exists u; split=> //; first by apply: edgeAU uA _; move: vU; rewrite k0.
    by move: uA; case: u => [[[f|f]|d]|f] //= /eqP ->.
  by move: uA; case: u => [[[f|f]|d]|f] //= /eqP ->; rewrite k0 /=; clear; lia.
have [u uU] : exists u, isU i j k.-1 u by apply: exU; move: kji; clear; lia.
exists u; split=> //; first by apply: edgeUU uU _; rewrite prednK.
  by move: uU; case: u => [[[f|f]|d]|f] //= /andP[/eqP -> _].
by move: uU; case: u => [[[f|f]|d]|f] //= /andP[/eqP -> /eqP ->] /=; move: k0; clear; lia.
Qed.
Lemma word_rooted p : rooted word_of (Some p).
Proof. by move=> v vI vp; have [u [e up _]] := before vI vp; exists u. Qed.
Lemma early_rooted p : rooted split_word (Some (p, false)).
Proof.
move=> v vI; rewrite /split_word; case vp: (word_of v) => [p'|] // -[pp lv].
have [u [e up ul]] := before vI vp; exists u => //; rewrite up pp; congr (Some (_, _)).
by apply/negbTE/negP => /ul; rewrite lv.
Qed.

Lemma live_before (u v : G) : edge u v -> live v -> @live G u.
Proof.
move=> e /existsP[o /andP[oO c]]; apply/existsP; exists o; rewrite oO; exact: connect_trans (connect1 e) c.
Qed.
Lemma live_update (i j : 'I_n) m (v : G) : m < j -> j < i -> isU i j m v -> live v.
Proof.
move: {2}(j - m) (leqnn (j - m)) => d; elim: d m v => [|d IH] m v; first by clear; lia.
move=> jd mj ji vU; case: (ltngtP m.+1 j) => mj'; last 1 first.
- have [w wL] := exL ji; apply: (live_before (edgeUL vU mj' wL)); apply/existsP; exists w; rewrite connect0 andbT in_setD noninput inE.
  by move: wL; case: w => [[[f|f]|e]|f].
- have [w wU] : exists w, isU i j m.+1 w by apply: exU => //; exact: ltnW.
  by apply: (live_before (edgeUU vU wU)); apply: IH wU => //; move: jd; clear; lia.
by move: mj mj'; clear; lia.
Qed.

(* counted steps: k and j are more than g apart *)
Definition counted : finType := [finType of {x : 'I_n * 'I_n * 'I_n | x.2 + g < x.1.2 < x.1.1}].
Lemma step_times : exists tm : counted -> nat, forall x : counted, exists2 v, isU (val x).1.1 (val x).1.2 (val x).2 v & computes s (tm x) v.
Proof.
apply: (fin_all_exists (P := fun (x : counted) i => exists2 v, isU (val x).1.1 (val x).1.2 (val x).2 v & computes s i v)) => x.
have /andP[kj ji] := valP x; have kj' : (val x).2 < (val x).1.2 by apply: leq_ltn_trans kj; apply: leq_addr.
have [v vU] := exU kj' (ltnW ji); have vI : v \notin input G by rewrite noninput; move: vU; case: v => [[[e|e]|d]|e].
by have [i ci] := live_computed ok (live_update kj' ji vU) vI; exists i, v.
Qed.
Variable tm : counted -> nat.
Hypothesis tmP : forall x : counted, exists2 v, isU (val x).1.1 (val x).1.2 (val x).2 v & computes s (tm x) v.
Definition work a b := cnt predT tm a b.
(* the finished value of p is there at some time from a to b *)
Definition there a b (p : 'I_n * 'I_n) : bool :=
  (p.2 < p.1) && [exists i : 'I_(size s), (a <= i < b) && [exists v, isL p.1 p.2 v && (v \in R i)]].
Lemma thereP a b i v p q : a <= i < b -> i < size s -> isL p q v -> v \in R i -> there a b (p, q).
Proof.
move=> ab il vL vR; rewrite /there /=; apply/andP; split.
  by move: vL; case: v vR => [[[e|e]|d]|e] //= _ /eqP E; have := valP e; rewrite /= E.
by apply/existsP; exists (Ordinal il); rewrite /= ab /=; apply/existsP; exists v; rewrite vL.
Qed.
Lemma used_there a b i (x y k : 'I_n) m v : isU x y m v -> k = m :> nat -> k < y -> y <= x -> computes s i v -> a <= i < b ->
  there a b (x, k) /\ (k < y -> there a b (y, k)).
Proof.
move=> vU km ky yx ci ab; split=> [|_].
  have [u uL] := exL (leq_trans ky yx); apply: (thereP ab (computes_size ci) uL).
  by apply: (computes_edge ok ci); apply: (edgeLU uL vU km); left.
have [u uL] := exL ky; apply: (thereP ab (computes_size ci) uL).
by apply: (computes_edge ok ci); apply: (edgeLU uL vU km); right.
Qed.

(* A finished value that is there, and whose word has no late vertex red at a or loaded: all its late vertices are computed. *)
Lemma made_late a b p q (r : nat) : there a b (p, q) -> Some (p, q, true) \notin red_or_loaded s split_word a b ->
  q <= r + g.+1 -> r < q -> exists2 v, isU p q r v & exists2 i, a <= i < b & computes s i v.
Proof.
case/andP=> /= qp /existsP[i /andP[ab /existsP[v /andP[vL vR]]]] no.
have comp u j : late u -> word_of u = Some (p, q) -> a <= j < b -> u \in R j -> exists2 j', a <= j' < b & computes s j' u.
  move=> lu wu jb uR; case: (red_or_computed ok split_word jb uR) => [|[j' /andP[aj jj] c]].
    by rewrite /split_word wu lu (negbTE no).
  by exists j' => //; rewrite aj (ltn_trans jj); case/andP: jb.
have vl : late v by move: vL; case: (v) => [[[e|e]|d]|e].
have vw : word_of v = Some (p, q) by move: vL; case: (v) => [[[e|e]|d]|e] //= /eqP ->.
have [j jb cj] := comp v i vl vw ab vR.
have U_word m u : isU p q m u -> word_of u = Some (p, q) by case: u => [[[e|e]|d]|e] //= /andP[/eqP -> _].
have U_late m u : isU p q m u -> q <= m + g.+1 -> late u by case: u => [[[e|e]|d]|e] //= /andP[/eqP -> /eqP ->].
move: {2}(q - r.+1) (erefl (q - r.+1)) => d; elim: d r => [|d IH] r dq qr rq.
  have [u uU] := exU rq (ltnW qp); exists u => //.
  by apply: (comp u j) jb _; [exact: U_late uU qr | exact: U_word uU | apply: (computes_edge ok cj); apply: (edgeUL uU) vL; move: dq rq; clear; lia].
have [|||w wU [k kb ck]] := IH r.+1; [move: dq; clear; lia | move: qr; clear; lia | move: dq; clear; lia | ].
have [u uU] := exU rq (ltnW qp); exists u => //.
by apply: (comp u k) kb _; [exact: U_late uU qr | exact: U_word uU | apply: (computes_edge ok ck); exact: edgeUU uU wU].
Qed.

Lemma far_work a b X : #|red_or_loaded s split_word a b| <= X -> 9 * X <= g.+1 ^ 2 -> 27 * work a b ^ 2 <= 2 * X ^ 3.
Proof.
move=> le far; set D := red_or_loaded s split_word a b in le.
pose Op := [set p | there a b p]; pose Aw := [set p | Some (p, true) \in D]; pose Tw := [set p | Some (p, false) \in D].
pose S := [set val x | x : counted & a <= tm x < b].
have -> : work a b = #|S|.
  by rewrite /S card_imset; [apply: eq_card => x; rewrite !inE | exact: val_inj].
apply: (far_triangles (G := g.+1) (Op := Op) (Tw := Tw) (Aw := Aw)) => //.
- move=> i j k /imsetP[x]; rewrite inE => xab xE; have [v vU cv] := tmP x; rewrite -xE /= in vU.
  have /andP[kj ji] := valP x; rewrite -xE /= in kj ji.
  have kj' : k < j by move: kj; clear; lia.
  have [h1 h2] := used_there vU erefl kj' (ltnW ji) cv xab; split=> //; rewrite inE //; last exact: h2.
  have early m u : isU i j m u -> m + g.+1 < j -> split_word u = Some (i, j, false).
    rewrite /split_word; case: u => [[[e|e]|d]|e] //= /andP[/eqP -> /eqP ->] lt; by rewrite /= leqNgt lt.
  case: (posnP k) => k0.
    have [u uA] := exA (ltnW ji); have uR := computes_edge ok cv (edgeAU uA _); rewrite k0 in vU.
    apply: (rooted_in ok (@early_rooted (i, j)) xab (uR vU)).
    rewrite /split_word; move: uA; case: (u) => [[[e|e]|d]|e] //= /eqP -> /=; by rewrite leqNgt (leq_ltn_trans _ kj) ?leq_addl.
  have [u uU] : exists u, isU i j k.-1 u by apply: exU; [move: kj' k0; clear; lia | exact: ltnW].
  apply: (rooted_in ok (@early_rooted (i, j)) xab (computes_edge ok cv (edgeUU uU _))); first by rewrite prednK.
  by apply: (early _ _ uU); move: kj k0; clear; lia.
- by move=> i k; rewrite inE => /andP[].
- apply: leq_trans le; rewrite -(card_imset (mem Aw) (f := fun p => Some (p, true))); last by move=> p q [].
  rewrite -(card_imset (mem Tw) (f := fun p => Some (p, false))); last by move=> p q [].
  rewrite -cardsUI (_ : _ :&: _ = set0) ?cards0 ?addn0; last first.
    by apply/setP => w; rewrite !inE; apply/negP => /andP[/imsetP[p _ ->] /imsetP[q _]].
  by apply/subset_leq_card/subsetP => w; rewrite in_setU => /orP[] /imsetP[p]; rewrite inE => pD ->.
- apply/subsetP => -[p q]; rewrite in_set => /andP[_ /existsP[i /andP[ab /existsP[v /andP[vL vR]]]]].
  have vw : word_of v = Some (p, q) by move: vL; case: (v) => [[[e|e]|d]|e] //= /eqP ->.
  have := rooted_in ok (@word_rooted (p, q)) ab vR vw; rewrite /red_or_loaded /avail.
  case/setUP=> [/imsetP[u uD uw]|/imsetP[[]]//].
  have uS : split_word u \in D by rewrite /D /red_or_loaded /avail in_setU imset_f.
  by move: uS; rewrite /split_word -uw; case: (late u) => uS; apply/setUP; [left | right]; rewrite in_set.
move=> i k iO nA; have {}iO : there a b (i, k) by move: iO; rewrite in_set.
have {}nA : Some (i, k, true) \notin D by apply: contra nA => H; rewrite in_set.
have /andP[/= ki _] := iO.
have made r := made_late (r := r) iO nA.
have Gk : g.+1 <= k.
  rewrite leqNgt; apply/negP => kg; case: (posnP k) => [k0|k0].
    move: iO => /andP[_ /existsP[t /andP[tab /existsP[v /andP[vL vR]]]]].
    have wv : split_word v = Some (i, k, true) by rewrite /split_word; move: vL; case: (v) => [[[e|e]|d]|e] //= /eqP ->.
    case: (red_or_computed ok split_word tab vR) => [|[j /andP[aj jt] c]]; first by rewrite wv (negbTE nA).
    have [u uA] := exA (ltnW ki); have uR := computes_edge ok c (edgeAL uA k0 vL).
    have jb : a <= j < b by rewrite aj (ltn_trans jt); case/andP: tab.
    case: (red_or_computed ok split_word jb uR) => [|[j' _ c']].
      rewrite /split_word; move: uA; case: (u) => [[[e|e]|d]|e] //= /eqP -> /=; by rewrite -ltnS kg (negbTE nA).
    by have := computes_noninput ok c'; rewrite noninput; move: uA; case: (u) => [[[e|e]|d]|e].
  have [||v vU [j jb c]] := made 0; [move: kg; clear; lia | by [] | ].
  have [u uA] := exA (ltnW ki); have uR := computes_edge ok c (edgeAU uA vU).
  case: (red_or_computed ok split_word jb uR) => [|[j' _ c']].
    rewrite /split_word; move: uA; case: (u) => [[[e|e]|d]|e] //= /eqP -> /=; by rewrite -ltnS kg (negbTE nA).
  by have := computes_noninput ok c'; rewrite noninput; move: uA; case: (u) => [[[e|e]|d]|e].
split=> // k' kk' k'k; have [||v vU [j jb c]] := made k'; [by [] | by [] | ].
by have [h1 h2] := used_there vU erefl k'k (ltnW ki) c jb; split; rewrite in_set ?h1 ?h2.
Qed.
(* The three words of a step: triangles in a graph of words. *)
Definition near X h := forall (E : {set 'I_n * 'I_n}) (S : {set 'I_n * 'I_n * 'I_n}), #|E| <= X ->
  (forall i j k, (i, j, k) \in S -> k < j < i /\ [/\ (i, j) \in E, (i, k) \in E & (j, k) \in E]) -> #|S| <= h.
Lemma near_work a b X h : near X h -> #|red_or_loaded s split_word a b| <= X -> work a b <= h.
Proof.
move=> nr le; set D := red_or_loaded s split_word a b in le.
pose E := [set p | (Some (p, true) \in D) || (Some (p, false) \in D)]; pose S := [set val x | x : counted & a <= tm x < b].
have -> : work a b = #|S| by rewrite /S card_imset; [apply: eq_card => x; rewrite !inE | exact: val_inj].
have word_in p i v : a <= i < b -> v \in R i -> word_of v = Some p -> p \in E.
  move=> ab vR vw; have /setUP[/imsetP[u uD uw]|/imsetP[[]]//] := rooted_in ok (@word_rooted p) ab vR vw.
  have : split_word u \in D by rewrite /D /red_or_loaded /avail in_setU imset_f.
  rewrite /split_word -uw => uS; suff : (Some (p, true) \in D) || (Some (p, false) \in D) by rewrite [p \in E]in_set.
  by move: uS; case: (late u) => ->; rewrite ?orbT.
apply: (nr E S) => [|i j k /imsetP[x]].
  apply: leq_trans le; apply: (@card_rel _ _ _ _ (fun (w : option ('I_n * 'I_n * bool)) p => (w == Some (p, true)) || (w == Some (p, false)))).
    by move=> w p q /orP[] /eqP -> /orP[] /eqP[].
  move=> p pE; have {pE} : (Some (p, true) \in D) || (Some (p, false) \in D) by move: pE; rewrite [p \in E]in_set.
  by case/orP=> pD; [exists (Some (p, true)) | exists (Some (p, false))]; rewrite ?eqxx ?orbT.
rewrite in_set => xab xE; have [v vU cv] := tmP x; rewrite -xE /= in vU.
have /andP[kj ji] := valP x; rewrite -xE /= in kj ji; have kj' : k < j by apply: leq_ltn_trans kj; apply: leq_addr.
have wL p q u : isL p q u -> word_of u = Some (p, q) by case: u => [[[e|e]|d]|e] //= /eqP ->.
split; first by rewrite kj'.
have [u uL] := exL (ltn_trans kj' ji); have [w wL'] := exL kj'; split.
- case: (posnP k) => k0.
    have [y yA] := exA (ltnW ji); rewrite k0 in vU; apply: (word_in _ _ _ xab (computes_edge ok cv (edgeAU yA vU))).
    by move: yA; case: (y) => [[[e|e]|d]|e] //= /eqP ->.
  have [y yU] : exists y, isU i j k.-1 y by apply: exU; [move: kj' k0; clear; lia | exact: ltnW].
  apply: (word_in _ _ _ xab (computes_edge ok cv (edgeUU yU _))); first by rewrite prednK.
  by move: yU; case: (y) => [[[e|e]|d]|e] //= /andP[/eqP -> _].
- by apply: (word_in _ _ _ xab (computes_edge ok cv (edgeLU uL vU erefl (or_introl erefl)))); exact: wL uL.
by apply: (word_in _ _ _ xab (computes_edge ok cv (edgeLU wL' vU erefl (or_intror erefl)))); exact: wL wL'.
Qed.
End Segments.

Lemma card_counted n g : 6 * #|counted n g| = (n - g) * (n - g).-1 * (n - g).-2.
Proof.
have -> : #|counted n g| = \sum_(i < n) \sum_(j < i) (j - g).
  rewrite card_sig -sum1_card; transitivity (\sum_(i < n) \sum_(j < n | j < i) \sum_(k < n | k < j - g) 1).
    rewrite pair_big_dep /= pair_big_dep /=; apply: eq_bigl => -[[i j] k] /=; by rewrite unfold_in /= ltn_subRL addnC andbC.
  apply: eq_bigr => i _; rewrite [RHS](big_ord_widen n (fun j => j - g)) ?(ltnW (ltn_ord i)) //; apply: eq_bigr => j _.
  rewrite -(big_ord_widen n (fun=> 1)) ?sum1_card ?card_ord //; apply: leq_trans (leq_subr _ _) (ltnW (ltn_ord j)).
have two i : 2 * (\sum_(j < i) (j - g)) = (i - g) * (i - g).-1.
  elim: i => [|i IH]; first by rewrite big_ord0 sub0n.
  rewrite big_ord_recr /= mulnDr IH; case: (leqP i g) => ig.
    have -> : i - g = 0 by move: ig; clear; lia.
    by have [->|->] : i.+1 - g = 0 \/ i.+1 - g = 1 by move: ig; clear; lia.
  by rewrite subSn ?(ltnW ig) //; move: (i - g) (ig); clear => x; case: x => [|x] _; nia.
elim: n => [|n IH]; first by rewrite big_ord0 sub0n.
rewrite big_ord_recr /= mulnDr IH; have := two n; move: (\sum_(j < n) _) => x; case: (leqP n g) => ng.
  have -> : n - g = 0 by move: ng; clear; lia.
  move=> x0; have {x0} -> : x = 0 by move: x0; clear; lia.
  by have [->|->] : n.+1 - g = 0 \/ n.+1 - g = 1 by move: ng; clear; lia.
by rewrite subSn ?(ltnW ng) //; move: (n - g) (ng); clear => y; case: y => [|[|y]] _ /=; nia.
Qed.

Lemma card_outputs n : n * n.+1 <= 2 * #|output (cholesky n) :\: input (cholesky n)|.
Proof.
have dis : [set chD j | j : 'I_n] :&: [set chL e | e : Syrk.below n] = set0.
  by apply/setP => v; rewrite in_setI in_set0; apply/negP => /andP[/imsetP[j _ ->] /imsetP[e _]].
have sub : [set chD j | j : 'I_n] :|: [set chL e | e : Syrk.below n] \subset output (cholesky n) :\: input (cholesky n).
  by apply/subsetP => v /setUP[] /imsetP[j _ ->]; rewrite in_setD noninput inE.
have le : n + #|Syrk.below n| <= #|output (cholesky n) :\: input (cholesky n)|.
  have cu := cardsUI [set chD j | j : 'I_n] [set chL e | e : Syrk.below n]; rewrite dis cards0 addn0 in cu.
  apply: leq_trans (subset_leq_card sub); rewrite cu card_imset; last by move=> x y [].
  by rewrite card_imset ?card_ord // => x y [].
have := Syrk.card_below n; move: le; move: (#|_ :\: _|) (#|Syrk.below n|) => o c; clear.
by case: n => [|k] /=; nia.
Qed.

(* X words do h of the steps at most whose k and j are more than g apart *)
Definition eliminates n g X h : Prop := 9 * X <= g.+1 ^ 2 /\ X ^ 3 * 2 < 27 * h.+1 ^ 2 \/ near n X h.
Theorem cholesky_bound game M n g (s : seq (move (cholesky n))) f t q hf ht :
  legal game M s -> eliminates n g f hf -> eliminates n g (M + t) ht -> hf + q * ht < #|counted n g| ->
  2 * (f + q * t + 1) + n * n.+1 <= 2 * cost s.
Proof.
move=> ok Hf Ht lt; have [tm tmP] := step_times ok g.
have fits a b X h : eliminates n g X h -> #|red_or_loaded s (split_word g) a b| <= X -> work tm a b <= h.
  case=> [[far few] le|nr le]; last by apply: (near_work ok tmP nr le).
  rewrite leqNgt; apply/negP => hw; move: few; rewrite ltnNge => /negP; apply.
  apply: (@leq_trans (27 * work tm a b ^ 2)); first by rewrite leq_mul2l leq_exp2r //= hw.
  by rewrite [X ^ 3 * 2]mulnC; apply: (far_work ok tmP le far).
have := loads_segment ok (word := split_word g) (work := work tm) (f := f) (t := t) (q := q) (hf := hf) (ht := ht).
move=> /(_ _ _ _ _) H; have {}H : f + q * t + 1 + #|output (cholesky n) :\: input (cholesky n)| <= cost s.
  apply: H => [a b ab|a b|a b|]; [by rewrite /work (cnt_cat predT tm (leq0n a) ab) | exact: fits | exact: fits |].
  apply: leq_trans lt _; rewrite /work /cnt -cardsT; apply/subset_leq_card/subsetP => x _; rewrite inE /=.
  by have [v _ /computes_size] := tmP x.
by have := card_outputs n; move: H; move: (q * t) (cost s) (#|_ :\: _|) (n * n.+1) => x y z u; clear; lia.
Qed.

(* The leading term n^3 / (3 sqrt(2 M)), all steps being counted that are more than g apart, g about 3 sqrt(3 M). *)
Theorem cholesky_leading game M n g (s : seq (move (cholesky n))) : legal game M s -> 0 < M -> 27 * M <= g.+1 ^ 2 ->
  72 * M ^ 3 < ((n - g) * (n - g).-1 * (n - g).-2) ^ 2 ->
  2 * ((n - g) * (n - g).-1 * (n - g).-2) ^ 2 <= 9 * M * (2 * (cost s + M) - n * n.+1) ^ 2.
Proof.
move=> ok M0 far; rewrite -card_counted; set W := #|_| => big.
have [h hlo hup] := square_root (2 * M ^ 3).
have hW : h < W.
  rewrite -(ltn_exp2r _ _ (isT : 0 < 2)); apply: leq_ltn_trans hlo _.
  by move: big; rewrite expnMn -[72]/(36 * 2) -mulnA ltn_mul2l.
have h0 : 0 < h.
  rewrite lt0n; apply/eqP => h0; move: hup; rewrite h0 exp1n ltnS leqn0 muln_eq0 expn_eq0 /=; by rewrite (gtn_eqF M0).
have [q qlo qup] : exists2 q, h + q * h < W & W <= (q + 2) * h.
  have q1 : 0 < (W - 1) %/ h by rewrite divn_gt0 //; move: hW; clear; lia.
  exists ((W - 1) %/ h).-1.
    by have := leq_trunc_div (W - 1) h; rewrite -{1}(prednK q1) mulSn; move: hW; clear; lia.
  by have := ltn_ceil (W - 1) h0; rewrite -{1}(prednK q1) !mulSn mulnDl; clear; lia.
have el : eliminates n g (M + 2 * M) h.
  left; have -> : M + 2 * M = 3 * M by clear; lia.
  split; first by apply: leq_trans far; clear; lia.
  by have -> : (3 * M) ^ 3 * 2 = 27 * (2 * M ^ 3) by [rewrite !expnS expn0; clear; lia]; rewrite ltn_mul2l hup.
have le := cholesky_bound ok el el qlo.
have {}le : 2 * ((q + 2) * (2 * M)) <= 2 * (cost s + M) - n * n.+1 by move: le; move: (n * n.+1) => x; clear; lia.
apply: (@leq_trans (9 * M * (2 * ((q + 2) * (2 * M))) ^ 2)); last by rewrite leq_mul2l leq_exp2r // le orbT.
apply: (@leq_trans (2 * (6 * ((q + 2) * h)) ^ 2)); first by rewrite leq_mul2l leq_exp2r // leq_mul2l qup.
rewrite !expnMn; apply: (@leq_trans (2 * (6 ^ 2 * ((q + 2) ^ 2 * (2 * M ^ 3))))); first by rewrite !leq_mul2l hlo !orbT.
by rewrite !expnS expn0; clear; lia.
Qed.
