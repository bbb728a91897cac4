(* docs/theory-affine.md, section 4.2: a word that is read in a segment, but of which nothing is red when it begins or loaded in it, is made:
   all its last elements are computed in the segment, and read rows and columns of other words there.  So few words are made.  For any CDAG. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count Segment Rooted WeightedMeans Projective Siblings.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Made.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation R i := (red (pos (start G) s i)).
Variables (K : finType) (c : K -> nat -> nat) (W : finType) (word : G -> W) (key : K -> W).
Notation there a b := (avail s c word key a b).

Lemma rooted_there a b i v : rooted word (word v) -> a <= i < b -> v \in R i -> word v \in there a b.
Proof.
move=> ro /andP[ai ib] vi; have [u <- [ua|[j /andP[aj ji] l]]] := rooted_back ok ro ai vi erefl; first exact: red_avail.
by apply: (loaded_avail c word key) l; rewrite aj (ltn_trans ji ib).
Qed.

(* the last elements of a word, the very last first; each reads the one behind it in this order *)
Lemma chain_made a b i (z : nat -> G) g : (forall j, j < g -> word (z j) = word (z 0)) -> (forall j, j.+1 < g -> edge (z j.+1) (z j)) ->
  word (z 0) \notin there a b -> a <= i < b -> z 0 \in R i -> forall j, j < g -> exists2 t, a <= t < b & computes s t (z j).
Proof.
move=> same next no ab zR; have back t v : word v = word (z 0) -> a <= t < b -> v \in R t -> exists2 t', a <= t' < b & computes s t' v.
  move=> vw tb vR; case: (used_avail ok c word key tb vR) => [|[t' /andP[at' t't] ct]]; first by rewrite vw (negbTE no).
  by exists t' => //; rewrite at' (ltn_trans t't) //; case/andP: tb.
elim=> [|j IH] jg; first exact: back ab zR.
have [t tb ct] := IH (ltnW jg); apply: back tb _; first exact: same.
exact: (computes_edge ok ct (next _ jg)).
Qed.

(* Words that may be made: of each its last g elements, which read words of a row and of a column; these tell the word and the place. *)
Variables (g : nat) (made : {set W}) (z : W -> nat -> G) (row col : W -> nat -> W).
Record makers : Prop := Makers {
  mk_word : forall w j, w \in made -> j < g -> word (z w j) = w;
  mk_edge : forall w j, w \in made -> j.+1 < g -> edge (z w j.+1) (z w j);
  mk_row : forall w j, w \in made -> j < g -> exists u, [/\ edge u (z w j), word u = row w j & rooted word (row w j)];
  mk_col : forall w j, w \in made -> j < g -> exists u, [/\ edge u (z w j), word u = col w j & rooted word (col w j)];
  mk_tell : forall w w' i j i' j', w \in made -> w' \in made -> i < g -> j < g -> i' < g -> j' < g ->
    row w i = row w' i' -> col w j = col w' j' -> [/\ w = w', i = i' & j = j'] }.
Hypothesis mk : makers.

Theorem few_made (rows cols : {set W}) a b : 0 < g ->
  (forall w, w \in made -> w \notin there a b /\ exists2 i, a <= i < b & z w 0 \in R i) ->
  (forall w j, w \in made -> j < g -> (row w j \in rows) && (col w j \in cols)) ->
  #|made| * g ^ 2 <= #|there a b :&: rows| * #|there a b :&: cols|.
Proof.
move=> g0 H inRC; have read w j : w \in made -> j < g -> exists2 t, a <= t < b & computes s t (z w j).
  move=> wm jg; have [no [i ib zR]] := H w wm; have w0 := mk_word mk wm g0.
  apply: (chain_made (i := i)) jg => // [k kg|k kg|]; [by rewrite (mk_word mk) | exact: mk_edge | by rewrite w0].
have here w j : w \in made -> j < g -> (row w j \in there a b) && (col w j \in there a b).
  move=> wm jg; have [t tb ct] := read w j wm jg.
  have [u [e <- ro]] := mk_row mk wm jg; have [u' [e' <- ro']] := mk_col mk wm jg.
  by rewrite (rooted_there ro tb (computes_edge ok ct e)) (rooted_there ro' tb (computes_edge ok ct e')).
pose A := [set p : W * ('I_g * 'I_g) | p.1 \in made].
have -> : #|made| * g ^ 2 = #|A|.
  rewrite (_ : A = setX made setT); first by rewrite cardsX cardsT card_prod !card_ord mulnn.
  by apply/setP => -[w p]; rewrite !inE andbT.
pose f (p : W * ('I_g * 'I_g)) := (row p.1 p.2.1, col p.1 p.2.2).
rewrite -cardsX -(card_in_imset (f := f)); last first.
  move=> [w [i j]] [w' [i' j']]; rewrite !inE /= => wm wm' [E1 E2].
  have [-> ei ej] := mk_tell mk wm wm' (ltn_ord i) (ltn_ord j) (ltn_ord i') (ltn_ord j') E1 E2.
  by congr (_, (_, _)); apply: val_inj.
apply/subset_leq_card/subsetP => _ /imsetP[[w [i j]] + ->]; rewrite inE /= => wm; rewrite in_setX /= !in_setI.
have /andP[-> _] := here w i wm (ltn_ord i); have /andP[_ ->] := here w j wm (ltn_ord j).
by have /andP[-> _] := inRC w i wm (ltn_ord i); have /andP[_ ->] := inRC w j wm (ltn_ord j).
Qed.
End Made.

(* What words allow when few of them are made: of those in the columns B, of which there are u among the X, u u / k make all the others that
   have no vertex.  On low .. high the square lies below its chord. *)
Section Most.
Variables (I W : finType) (T : I -> finType) (few : nat) (N : I -> finType).
Variables (need : forall i, N i -> T i -> W) (column : forall i, N i -> 'I_few).
Variables (P : 'I_few -> nat) (U : finType) (cols : U -> {set 'I_few}) (m : U -> nat) (K q : nat).
Hypothesis ok : siblings_ok need column P cols m K q.
Variables (B : {set 'I_few}) (block : {set W}) (k x h : nat).
Hypothesis in_block : forall i (n : N i) y, (need n y \in block) = (column n \in B).
Definition box_short (low high : nat) : Prop := let S := \sum_p P p in
  (k * x - low * high) ^ S * (\prod_p P p ^ P p * (K * #|I| ^ (q.+1 - \sum_u m u))) <
  S ^ S * (\prod_p (if p \in B then k - (low + high) else k) ^ P p * h.+1 ^ q.+1).
Hypothesis boxes : forall u, u <= x -> exists low high, [/\ low <= u <= high, low + high <= k & box_short low high].

Lemma below_chord low high u vB vO mB mO : low <= u -> u <= high -> low + high <= k -> u <= x -> vB <= u + mB -> vO <= x - u + mO ->
  (mB + mO) * k <= u * u ->
  (k - (low + high)) * vB + k * vO <= k * x - low * high.
Proof.
move=> lu uh lk ux sB sO few_.
have [d kE] : exists d, k = d + (low + high) by exists (k - (low + high)); rewrite subnK.
have e1 : (k - (low + high)) * vB <= d * u + k * mB.
  rewrite kE addnK; apply: (@leq_trans (d * (u + mB))); first by rewrite leq_mul2l sB orbT.
  by rewrite mulnDr leq_add2l leq_mul2r leq_addr orbT.
have e2 : k * vO <= k * (x - u + mO) by rewrite leq_mul2l sO orbT.
have e3 : u * u + low * high <= (low + high) * u.
  have [a ua] : exists a, u = low + a by exists (u - low); rewrite subnKC.
  have [b hb] : exists b, high = u + b by exists (high - u); rewrite subnKC.
  rewrite hb ua !mulnDl !mulnDr (mulnC a low) (mulnC b low) (mulnC b a).
  by move: (low * low) (low * a) (a * a) (low * b) (a * b); clear; lia.
have e4 : k * (x - u + mO) + k * u = k * x + k * mO.
  by rewrite -!mulnDr; congr (_ * _); move: ux; clear; lia.
have e5 : k * u = d * u + (low + high) * u by rewrite kE mulnDl.
rewrite mulnC mulnDr in few_.
by move: e1 e2 e3 e4 e5 few_; move: (_ * vB) (k * vO) (d * u) (k * (_ + mO)) (u * u) (low * high) ((low + high) * u) (k * u) (k * x) (k * mO) (k * mB) => ? ? ? ? ? ? ? ? ? ? ?; clear; lia.
Qed.
(* What the words of the block and the others cost together bounds the steps. *)
Lemma chord_most low high (A : {set W}) (F : forall i, {set T i}) : low + high <= k -> box_short low high ->
  (forall i y (n : N i), y \in F i -> need n y \in A) ->
  (forall vB vO, vB <= #|A :&: block| -> vO <= #|A :\: block| -> (k - (low + high)) * vB + k * vO <= k * x - low * high) ->
  \sum_i #|F i| <= h.
Proof.
move=> lk short inD few_.
rewrite leqNgt; apply/negP => hS; move: short; rewrite /box_short; set S := \sum_p P p; rewrite ltnNge => /negP; apply.
pose V p := \bigcup_i used (@need i) (@column i) (F i) p.
have VP p w : w \in V p -> exists i (n : N i) y, [/\ column n = p, y \in F i & w = need n y].
  by case/bigcupP=> i _; rewrite inE => /existsP[n /andP[/eqP np /imsetP[y yF ->]]]; exists i, n, y.
pose wt p := if p \in B then k - (low + high) else k.
have sum_V : \sum_p wt p * #|V p| <= k * x - low * high.
  have dis p p' w : w \in V p -> w \in V p' -> p = p'.
    by move=> /VP[i [n [y [<- _ ->]]]] /VP[i' [n' [y' [<- _ E]]]]; apply: si_column ok _ _ _ _ _ _ E.
  have sum_in (Q : pred 'I_few) (D : {set W}) : (forall p w, Q p -> w \in V p -> w \in D) -> \sum_(p | Q p) #|V p| <= #|D|.
    move=> inDQ; rewrite big_mkcond /=; apply: leq_trans (sum_disjoint (A := fun p => if Q p then V p else set0) (D := D) _ _).
    - by apply: leq_sum => p _; case: (Q p); rewrite ?cards0.
    - by move=> p; case Qp: (Q p); [apply/subsetP => w; apply: inDQ | apply: sub0set].
    by move=> p p' w; case: (Q p); case: (Q p'); rewrite ?inE //; apply: dis.
  have sum_B : \sum_(p in B) #|V p| <= #|A :&: block|.
    by apply: (sum_in (mem B)) => p w pB /VP[i [n [y [np yF ->]]]]; rewrite inE (inD i y n yF) in_block np.
  have sum_O : \sum_(p | p \notin B) #|V p| <= #|A :\: block|.
    by apply: (sum_in (fun p => p \notin B)) => p w pB /VP[i [n [y [np yF ->]]]]; rewrite inE (inD i y n yF) in_block np pB.
  rewrite (bigID (mem B)) /= (eq_bigr (fun p => (k - (low + high)) * #|V p|)) => [|p pB]; last by rewrite /wt pB.
  rewrite [X in _ + X](eq_bigr (fun p => k * #|V p|)) => [|p pB]; last by rewrite /wt (negbTE pB).
  by rewrite -!big_distrr /=; apply: few_.
have main := siblings_count ok F.
have wm := weighted (erefl S) sum_V.
have -> : (k * x - low * high) ^ S * (\prod_p P p ^ P p * (K * #|I| ^ (q.+1 - \sum_u m u))) =
  (k * x - low * high) ^ S * \prod_p P p ^ P p * (K * #|I| ^ (q.+1 - \sum_u0 m u0)) by rewrite mulnA.
apply: leq_trans (leq_mul wm (leqnn _)); rewrite -mulnA leq_mul2l; apply/orP; right.
have -> : \prod_p (wt p * #|V p|) ^ P p = \prod_p wt p ^ P p * \prod_p #|V p| ^ P p.
  by rewrite -big_split; apply: eq_bigr => p _; rewrite expnMn.
rewrite -mulnA leq_mul2l; apply/orP; right; rewrite [X in _ <= X]mulnC; apply: leq_trans main; by rewrite leq_exp2r.
Qed.
Theorem made_most (Dw Mw : {set W}) (F : forall i, {set T i}) : #|Dw| <= x ->
  (forall i y (n : N i), y \in F i -> need n y \in Dw :|: Mw) ->
  #|Mw| * k <= #|Dw :&: block| ^ 2 -> \sum_i #|F i| <= h.
Proof.
move=> le inD few_; pose u := #|Dw :&: block|.
have ux : u <= x by apply: leq_trans le; apply/subset_leq_card/subsetIl.
have [low [high [/andP[lu uh] lk short]]] := boxes ux; apply: (chord_most lk short inD) => vB vO sB sO.
have {}sB : vB <= u + #|Mw :&: block| by apply: leq_trans sB _; rewrite setIUl leq_card_setU.
have {}sO : vO <= x - u + #|Mw :\: block|.
  apply: leq_trans sO _; rewrite setDUl; apply: leq_trans (leq_card_setU _ _) _; rewrite leq_add2r cardsD -/u; exact: leq_sub2r.
by move: few_; rewrite -/u -mulnn -(cardsID block Mw); exact: below_chord lu uh lk ux sB sO.
Qed.
(* The words of the block that have no vertex are few for all words of the block, with a vertex or without (section 4.1). *)
Theorem tails_most (Dw Mw : {set W}) (F : forall i, {set T i}) : #|Dw| <= x ->
  (forall i y (n : N i), y \in F i -> need n y \in Dw :|: Mw) -> Mw \subset block ->
  #|Dw :&: block| + #|Mw| <= x -> #|Mw| * k <= (#|Dw :&: block| + #|Mw|) ^ 2 -> \sum_i #|F i| <= h.
Proof.
move=> le inD sub sx few_; pose u := #|Dw :&: block|; rewrite -/u in sx few_.
have [low [high [/andP[lu uh] lk short]]] := boxes sx; apply: (chord_most lk short inD) => vB vO sB sO.
have {}sB : vB <= u + #|Mw| by apply: leq_trans sB _; rewrite setIUl; apply: leq_trans (leq_card_setU _ _) _; rewrite leq_add2l subset_leq_card ?subsetIl.
have {}sO : vO <= x - (u + #|Mw|) + #|Mw|.
  have -> : x - (u + #|Mw|) + #|Mw| = x - u by move: sx; clear; lia.
  apply: leq_trans sO _; rewrite setDUl (_ : Mw :\: block = set0) ?setU0; last by apply/eqP; rewrite setD_eq0.
  by rewrite cardsD -/u; exact: leq_sub2r.
by apply: (below_chord (mB := 0) (mO := #|Mw|) lu uh lk sx) => //; rewrite addn0.
Qed.
End Most.
