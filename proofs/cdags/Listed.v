(* Masks as lists: how many rows are alike, one after the other, and the ranges of keys that these keep.  How many pairs such a mask keeps;
   that every row and every column keeps one.  Block masks, cdag/families/attention-sparse.cdag, and others. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Mask.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.

Definition range : Type := N * N.                   (* from, behind the last *)
Definition listing : Type := seq (N * seq range).   (* rows that are alike, ranges of keys *)
Open Scope N_scope.
Definition within (l : seq range) (j : N) : bool := has (fun r => (r.1 <=? j) && (j <? r.2)) l.
Fixpoint kept (l : listing) (i j : N) : bool :=
  if l is g :: l' then if i <? g.1 then within g.2 j else kept l' (i - g.1) j else false.
Definition listed (n nk : nat) (l : listing) (i : 'I_n) (j : 'I_nk) : bool := kept l (N.of_nat i) (N.of_nat j).

Definition sumN : seq N -> N := foldr N.add 0.
Fixpoint ascending (nk c : N) (l : seq range) : bool :=
  if l is r :: l' then [&& c <=? r.1, r.1 <? r.2, r.2 <=? nk & ascending nk r.2 l'] else true.
Definition rows_of (l : listing) : N := sumN [seq g.1 | g <- l].
Definition keys_of (l : seq range) : N := sumN [seq r.2 - r.1 | r <- l].
Definition pairs_of (l : listing) : N := sumN [seq g.1 * keys_of g.2 | g <- l].
Definition widest (l : listing) : N := foldr N.max 0 [seq keys_of g.2 | g <- l].   (* a row keeps so many at most *)
Definition listing_ok (n nk : N) (l : listing) : bool :=
  (rows_of l =? n) && all (fun g => [&& 0 <? g.1, ~~ nilp g.2 & ascending nk 0 g.2]) l.
(* columns before c are kept; so are those up to the furthest end of a range that begins at c or before *)
Definition furthest (rs : seq range) (c : N) : N := foldr (fun r m => if r.1 <=? c then N.max r.2 m else m) c rs.
Fixpoint covers (fuel : nat) (nk : N) (rs : seq range) (c : N) : bool :=
  if nk <=? c then true else if fuel is f.+1 then covers f nk rs (furthest rs c) else false.
Definition ranges_of (l : listing) : seq range := flatten [seq g.2 | g <- l].
Definition columns_ok (nk : N) (l : listing) : bool := covers (size (ranges_of l)).+1 nk (ranges_of l) 0.
Close Scope N_scope.

Lemma within_past nk c l j : ascending nk c l -> (j < c)%num -> within l j = false.
Proof.
elim: l c => //= r l IH c /and4P[/N.leb_le cr /N.ltb_lt rr _ asc] jc; rewrite (IH r.2) // ?orbF; last by clear - cr rr jc; lia.
by apply/negbTE; rewrite negb_and; apply/orP; left; apply/negP => /N.leb_le; clear - cr jc; lia.
Qed.
Lemma within_count nk c l : ascending nk c l -> (c <= nk)%num -> \sum_(nat_ c <= j < nat_ nk) within l (N.of_nat j) = nat_ (keys_of l).
Proof.
elim: l c => [|r l IH] c /= asc cn; first by rewrite big1.
case/and4P: asc => /N.leb_le cr /N.ltb_lt rr /N.leb_le rn asc.
rewrite (@big_cat_nat _ _ _ (nat_ r.1)) /=; [|by clear - cr; lia|by clear - rr rn; lia].
rewrite (@big_cat_nat _ _ _ (nat_ r.2) (nat_ r.1)) /=; [|by clear - rr; lia|by clear - rn; lia].
rewrite [X in X + _]big_nat big1 ?add0n => [|j /andP[_ jr]]; last first.
  rewrite (within_past asc) ?orbF; last by clear - jr rr; lia.
  by case: N.leb_spec0 => //=; move: jr; clear; lia.
rewrite [X in X + _]big_nat (eq_bigr (fun=> 1)) => [|j /andP[rj jr]]; last first.
  have -> : (r.1 <=? N.of_nat j)%num by apply/N.leb_le; clear - rj; lia.
  by have -> : (N.of_nat j <? r.2)%num by apply/N.ltb_lt; clear - jr; lia.
rewrite -big_nat sum_nat_const_nat muln1 big_nat (eq_bigr (fun j => within l (N.of_nat j) : nat)) => [|j /andP[rj _]]; last first.
  by have -> : (N.of_nat j <? r.2)%num = false; [apply/negbTE/negP => /N.ltb_lt; clear - rj; lia | rewrite andbF].
by rewrite -big_nat IH // /keys_of /=; move: (sumN _) => k; clear; lia.
Qed.

Section Listed.
Variables (n nk : N) (l : listing).
Hypothesis lok : listing_ok n nk l.
Notation mask := (@listed (nat_ n) (nat_ nk) l).

Lemma rows_n : rows_of l = n. Proof. by case/andP: lok => /N.eqb_eq. Qed.

Lemma kept_count (l' : listing) : all (fun g => [&& (0 <? g.1)%num, ~~ nilp g.2 & ascending nk 0 g.2]) l' ->
  \sum_(i < nat_ (rows_of l')) \sum_(j < nat_ nk) kept l' (N.of_nat i) (N.of_nat j) = nat_ (pairs_of l').
Proof.
elim: l' => [|g l' IH] /=; first by rewrite big_ord0.
case/andP=> /and3P[_ _ asc] /IH{IH}; rewrite /rows_of /pairs_of /= => IH.
have -> : nat_ (g.1 + sumN [seq x.1 | x <- l']) = nat_ g.1 + nat_ (sumN [seq x.1 | x <- l']) by clear; lia.
rewrite big_split_ord /= N2Nat.inj_add; congr (_ + _); last first.
  rewrite -IH; apply: eq_bigr => i _; apply: eq_bigr => j _; congr (nat_of_bool _).
  have -> : (N.of_nat (nat_ g.1 + i) <? g.1)%num = false by apply/negbTE/negP => /N.ltb_lt; clear; lia.
  by congr kept; clear; lia.
have -> : nat_ (g.1 * keys_of g.2) = \sum_(i < nat_ g.1) nat_ (keys_of g.2) by rewrite sum_nat_const card_ord; clear; lia.
apply: eq_bigr => i _; rewrite -(within_count asc) ?big_mkord; last by clear; lia.
apply: eq_bigr => j _; have -> // : (N.of_nat i <? g.1)%num by apply/N.ltb_lt; have := ltn_ord i; clear; lia.
Qed.

Lemma listed_pairs : #|pair mask| = nat_ (pairs_of l).
Proof.
case/andP: (lok) => _ /kept_count; rewrite rows_n => <-.
rewrite card_sig -sum1_card.
transitivity (\sum_(i < nat_ n) \sum_(j < nat_ nk | mask i j) 1); first by rewrite pair_big_dep /=; apply: eq_bigl.
by apply: eq_bigr => i _; rewrite big_mkcond; apply: eq_bigr => j _; rewrite /listed; case: kept.
Qed.

(* a group's ranges are its rows' *)
Lemma group_row (l' : listing) g : all (fun g => [&& (0 <? g.1)%num, ~~ nilp g.2 & ascending nk 0 g.2]) l' -> g \in l' ->
  exists2 i, (i < rows_of l')%num & forall j, within g.2 j -> kept l' i j.
Proof.
elim: l' => //= g' l' IH /andP[/and3P[/N.ltb_lt g0 _ _] good]; rewrite inE => /orP[/eqP -> | /(IH good)[i il H]].
  by exists 0%num => [|j]; [rewrite /rows_of /=; clear - g0; lia | have -> : (0 <? g'.1)%num by apply/N.ltb_lt].
exists (g'.1 + i)%num => [|j /H k]; first by rewrite /rows_of /=; move: il; rewrite /rows_of; clear; lia.
have -> : (g'.1 + i <? g'.1)%num = false by apply/negbTE/negP => /N.ltb_lt; clear; lia.
by have -> : (g'.1 + i - g'.1)%num = i by clear; lia.
Qed.
Lemma row_some (l' : listing) i : all (fun g => [&& (0 <? g.1)%num, ~~ nilp g.2 & ascending nk 0 g.2]) l' -> (i < rows_of l')%num ->
  exists2 j, (j < nk)%num & kept l' i j.
Proof.
elim: l' i => [|g l' IH] i; first by rewrite /rows_of /=; clear; lia.
move=> /= /andP[/and3P[_ some asc] good] il; case: N.ltb_spec0 => ig; last by apply: IH => //; move: il ig; rewrite /rows_of /=; clear; lia.
move: some asc; case: (g.2) => //= r rs _ /and4P[_ /N.ltb_lt rr /N.leb_le rn _]; exists r.1; first by clear - rr rn; lia.
by rewrite N.leb_refl (proj2 (N.ltb_lt _ _) rr).
Qed.
Lemma listed_rows i : exists j, mask i j.
Proof.
have il : (N.of_nat i < rows_of l)%num by rewrite rows_n; have := ltn_ord i; clear; lia.
case/andP: (lok) => _ good; have [j jn k] := row_some good il.
have jn' : nat_ j < nat_ nk by clear - jn; lia.
by exists (Ordinal jn'); rewrite /listed /= Nnat.N2Nat.id.
Qed.

Lemma row_count (l' : listing) i : all (fun g => [&& (0 <? g.1)%num, ~~ nilp g.2 & ascending nk 0 g.2]) l' ->
  \sum_(j < nat_ nk) kept l' i (N.of_nat j) <= nat_ (widest l').
Proof.
elim: l' i => [|g l' IH] i /=; first by rewrite big1.
case/andP=> /and3P[_ _ asc] good; case: N.ltb_spec0 => ig; last first.
  by apply: leq_trans (IH _ good) _; rewrite /widest /=; move: (keys_of _) (foldr _ _ _) => a b; clear; lia.
have E : \sum_(j < nat_ nk) within g.2 (N.of_nat j) = nat_ (keys_of g.2) by rewrite -(within_count asc) ?big_mkord //; clear; lia.
by rewrite E /widest /=; move: (keys_of _) (foldr _ _ _) => a b; clear; lia.
Qed.
Lemma listed_narrow i : #|[set p : pair mask | row p == i]| <= nat_ (widest l).
Proof.
case/andP: (lok) => _ good; apply: (leq_trans _ (row_count (N.of_nat i) good)).
have -> : \sum_(j < nat_ nk) kept l (N.of_nat i) (N.of_nat j) = #|[set j | mask i j]|.
  by rewrite -sum1_card [RHS]big_mkcond; apply: eq_bigr => j _; rewrite inE /listed; case: kept.
rewrite -(card_in_imset (f := @col _ _ mask)) => [|p p']; last by rewrite !inE => /eqP <- /eqP/esym rr cc; exact: pair_eq rr cc.
apply/subset_leq_card/subsetP => j /imsetP[p pi jE]; move: pi; rewrite jE !inE => /eqP <-; exact: (valP p).
Qed.

Lemma furthest_kept rs c j : (j < furthest rs c)%num -> ~ (j < c)%num -> within rs j.
Proof.
elim: rs => [|r rs IH] //=; case: N.leb_spec0 => rc jf jc; last by rewrite (IH jf jc) orbT.
case: (N.ltb_spec0 j r.2) => jr; last by rewrite IH ?orbT //; move: jf jr; clear; lia.
by have -> : (r.1 <=? j)%num by apply/N.leb_le; clear - rc jc; lia.
Qed.
Lemma covers_all fuel rs c : covers fuel nk rs c -> (forall j, (j < c)%num -> within rs j) -> forall j, (j < nk)%num -> within rs j.
Proof.
elim: fuel c => [|f IH] c /=; case: N.leb_spec0 => // nc.
- by move=> _ H j jn; apply: H; clear - jn nc; lia.
- by move=> _ H j jn; apply: H; clear - jn nc; lia.
move=> cv H; apply: (IH _ cv) => j jf; case: (N.ltb_spec0 j c) => [/H //|jc]; exact: furthest_kept jf jc.
Qed.
Lemma listed_columns : columns_ok nk l -> forall j, exists i, mask i j.
Proof.
move=> cv j; have jn : (N.of_nat j < nk)%num by have := ltn_ord j; clear; lia.
have /hasP[r] : within (ranges_of l) (N.of_nat j) by apply: (covers_all cv) jn => k; clear; lia.
case/flattenP=> rs /mapP[g gl ->] rg rj; case/andP: (lok) => _ good; have [i il H] := group_row good gl.
have il' : nat_ i < nat_ n by move: il; rewrite rows_n; clear; lia.
by exists (Ordinal il'); rewrite /listed /= Nnat.N2Nat.id; apply: H; apply/hasP; exists r.
Qed.
End Listed.
