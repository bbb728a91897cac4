(* How many points of a box in the plane satisfy inequalities that ask for the second variable in steps of one.  For a value y of the first one
   that is the least of some affine functions of y; where one of them is the least at both ends of an interval it is the least inside. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

Definition line : Type := Z * Z.
Definition at_ (f : line) (y : Z) : Z := f.1 + f.2 * y.
Definition least_of (f : line) (fs : seq line) (y : Z) : Z := foldr (fun g m => Z.min (at_ g y) m) (at_ f y) fs.
Definition height (f : line) (fs : seq line) (y : Z) : Z := Z.max 0 (least_of f fs y).
(* F lo + F (lo + 1) + ..., n of them *)
Fixpoint sum (n : nat) (F : Z -> Z) (lo : Z) : Z := if n is m.+1 then F lo + sum m F (lo + 1) else 0.
(* the lowest at lo, and of equal ones at last *)
Definition lowest (lo last : Z) (f : line) (fs : seq line) : line :=
  foldl (fun g h => if (at_ h lo <? at_ g lo) || (at_ h lo =? at_ g lo) && (at_ h last <? at_ g last) then h else g) f fs.
(* the sum of the heights at lo .. lo + len - 1, when it is seen at the ends *)
Definition whole (f : line) (fs : seq line) (lo len : Z) : option Z :=
  let last := lo + len - 1 in
  if len <=? 0 then Some 0
  else if has (fun g => (at_ g lo <=? 0) && (at_ g last <=? 0)) (f :: fs) then Some 0
  else let g := lowest lo last f fs in
    if [&& 0 <=? at_ g lo, 0 <=? at_ g last & all (fun h => (at_ g lo <=? at_ h lo) && (at_ g last <=? at_ h last)) (f :: fs)]
    then Some (len * (at_ g lo + at_ g last) / 2) else None.
Fixpoint sum_heights (k : nat) (f : line) (fs : seq line) (lo len : Z) : Z :=
  if whole f fs lo len is Some v then v
  else if k is k'.+1 then let half := len / 2 in sum_heights k' f fs lo half + sum_heights k' f fs (lo + half) (len - half)
  else sum (Z.to_nat len) (height f fs) lo.

Lemma sum_ext n F H lo : (forall i, (i < n)%N -> F (lo + Z.of_nat i) = H (lo + Z.of_nat i)) -> sum n F lo = sum n H lo.
Proof.
elim: n lo => //= n IH lo E; have := E 0%N isT; rewrite Z.add_0_r => ->; congr Z.add; apply: IH => i il.
have := E i.+1 il; by rewrite (_ : lo + Z.of_nat i.+1 = lo + 1 + Z.of_nat i); last by clear; lia.
Qed.
Lemma sumS n F lo : sum n.+1 F lo = F lo + sum n F (lo + 1). Proof. by []. Qed.
Lemma sum_cat n m F lo : sum (n + m) F lo = sum n F lo + sum m F (lo + Z.of_nat n).
Proof.
elim: n lo => [|n IH] lo; first by rewrite /= Z.add_0_r.
by rewrite addSn !sumS IH (_ : lo + 1 + Z.of_nat n = lo + Z.of_nat n.+1) ?Z.add_assoc //; clear; lia.
Qed.
Lemma sum_line n g lo : 2 * sum n (at_ g) lo = Z.of_nat n * (at_ g lo + at_ g (lo + Z.of_nat n - 1)).
Proof.
elim: n lo => [|n IH] lo; first by [].
rewrite sumS Z.mul_add_distr_l IH /at_ Nat2Z.inj_succ; move: g.1 g.2 (Z.of_nat n) => b a m; clear; nia.
Qed.
Lemma sum_zero n F lo : (forall i, (i < n)%N -> F (lo + Z.of_nat i) = 0) -> sum n F lo = 0.
Proof. by move=> E; rewrite (sum_ext (H := fun=> 0) E); elim: n lo {E} => //= n IH lo; rewrite IH. Qed.

Lemma le_least c f fs y : (c <=? least_of f fs y) = all (fun g => c <=? at_ g y) (f :: fs).
Proof.
rewrite /least_of /=; elim: fs => [|g fs IH] /=; first by rewrite andbT.
by rewrite andbCA -IH; move: (foldr _ _ _) => m; clear; lia.
Qed.
Lemma equal_by a b : (forall c, (c <=? a) = (c <=? b)) -> a = b.
Proof. by move=> E; have := E a; have := E b; rewrite !Z.leb_refl; clear; lia. Qed.
Lemma between_ends f lo last y : 0 <= at_ f lo -> 0 <= at_ f last -> lo <= y <= last -> 0 <= at_ f y.
Proof.
rewrite /at_; move: f.1 f.2 => b a h1 h2 [l1 l2]; case: (Z.leb_spec 0 a) => a0.
  have : 0 <= a * (y - lo) by apply: Z.mul_nonneg_nonneg => //; move: l1; clear; lia.
  by move: h1; clear; lia.
have : 0 <= - a * (last - y) by apply: Z.mul_nonneg_nonneg; move: l2 a0; clear; lia.
by move: h2; clear; lia.
Qed.
Lemma below g h lo last y : at_ g lo <= at_ h lo -> at_ g last <= at_ h last -> lo <= y <= last -> at_ g y <= at_ h y.
Proof.
move=> l1 l2 yb; have := @between_ends (h.1 - g.1, h.2 - g.2) lo last y; rewrite /at_ /= in l1 l2 *.
move: g.1 g.2 h.1 h.2 l1 l2 => b a e c l1 l2 H; have {H} := H _ _ yb; move: l1 l2; clear; lia.
Qed.
Lemma lowest_in (Q : pred line) lo last f fs : Q (lowest lo last f fs) -> has Q (f :: fs).
Proof.
rewrite /lowest; elim: fs f => [|h fs IH] f /=; first by rewrite orbF.
by move/IH => /=; case: ifP => _ /orP[->|->]; rewrite ?orbT.
Qed.

Lemma least_le f fs y c : has (fun g => at_ g y <=? c) (f :: fs) -> least_of f fs y <= c.
Proof.
move=> H; case: (Z.le_gt_cases (least_of f fs y) c) => // lt; exfalso; have := le_least (c + 1) f fs y.
rewrite (_ : (c + 1 <=? _) = true) => [/esym al|]; last by move: lt; clear; lia.
elim: (f :: fs) H al => //= g l IH /orP[gc /andP[cg _]|h /andP[_ /(IH h)]//]; by move: gc cg; clear; lia.
Qed.
Lemma wholeE f fs lo len v : whole f fs lo len = Some v -> v = sum (Z.to_nat len) (height f fs) lo.
Proof.
rewrite /whole; set last := lo + len - 1; case: Z.leb_spec => l0.
  by move=> [<-]; rewrite (_ : Z.to_nat len = 0%N) //; move: l0; clear; lia.
have inside i : (i < Z.to_nat len)%N -> lo <= lo + Z.of_nat i <= last by rewrite /last; clear; lia.
case: ifP => [low [<-]|_].
  apply/esym/sum_zero => i /inside; move: (lo + Z.of_nat i) => y yb; rewrite /height Z.max_l //; apply: least_le.
  apply: sub_has low => g /andP[/Z.leb_le g1 /Z.leb_le g2]; apply/Z.leb_le.
  by have := @below g (0, 0) lo last y g1 g2 yb.
set g := lowest _ _ _ _; case: ifP => // /and3P[/Z.leb_le g1 /Z.leb_le g2 al] [<-].
have gE y : lo <= y <= last -> height f fs y = at_ g y.
  move=> yb; have hs := @lowest_in (fun h => at_ h y <=? at_ g y) _ _ _ _ (Z.leb_refl (at_ g y)).
  have up := least_le hs; have gy := between_ends g1 g2 yb.
  have := le_least (at_ g y) f fs y; rewrite (_ : all _ (f :: fs)) => [/Z.leb_le lo_|]; first by rewrite /height; move: up gy lo_; clear; lia.
  by apply: sub_all al => h /andP[/Z.leb_le h1 /Z.leb_le h2]; apply/Z.leb_le; apply: below yb.
rewrite (sum_ext (H := at_ g)) => [|i /inside /gE //]; have := sum_line (Z.to_nat len) g lo.
rewrite Z2Nat.id; last by move: l0; clear; lia.
by rewrite -/last => <-; rewrite Z.mul_comm Z.div_mul.
Qed.
Lemma sum_heightsE k f fs lo len : sum_heights k f fs lo len = sum (Z.to_nat len) (height f fs) lo.
Proof.
elim: k lo len => [|k IH] lo len /=; case E: whole => [v|] //; try exact: wholeE E.
rewrite !IH; have l0 : 0 < len by move: E; rewrite /whole; case: Z.leb_spec.
have h1 : 0 <= len / 2 by apply: Z.div_pos => //; move: l0; clear; lia.
have h2 : len / 2 <= len by apply: Z.div_le_upper_bound => //; move: l0; clear; lia.
have := sum_cat (Z.to_nat (len / 2)) (Z.to_nat (len - len / 2)) (height f fs) lo; rewrite Z2Nat.id // => <-.
by congr (sum _ _ _); move: h1 h2 l0; move: (len / 2) => h; clear; lia.
Qed.

(* ---- points ---- *)
Section Plane.
Variable d : Z.              (* the second variable runs below *)
Hypothesis d0 : 0 <= d.
(* b + a y + c x >= 0, as lower and upper ends of x, or as a number that is d or more where it holds, else 0 or less *)
Definition ineq : Type := Z * (Z * Z).
Fixpoint pieces (lo hi cond : seq line) (cs : seq ineq) : seq line :=
  if cs is (b, (a, c)) :: cs' then
    if c =? 1 then pieces ((- b, - a) :: lo) hi cond cs'
    else if c =? -1 then pieces lo ((b + 1, a) :: hi) cond cs'
    else pieces lo hi ((d * (b + 1), d * a) :: cond) cs'
  else cond ++ [seq (u.1 - l.1, u.2 - l.2) | u <- (d, 0) :: hi, l <- (0, 0) :: lo].
(* x from lo on, below hi *)
Fixpoint ends (y lo hi : Z) (cs : seq ineq) : Z :=
  if cs is (b, (a, c)) :: cs' then
    if c =? 1 then ends y (Z.max lo (- (b + a * y))) hi cs' else if c =? -1 then ends y lo (Z.min hi (b + a * y + 1)) cs'
    else if 0 <=? b + a * y then ends y lo hi cs' else 0
  else Z.max 0 (hi - lo).
Definition low_end (lo : seq line) (y : Z) : Z := foldr (fun l m => Z.max (at_ l y) m) 0 lo.
Definition high_end (hi : seq line) (y : Z) : Z := foldr (fun u m => Z.min (at_ u y) m) d hi.
Lemma low_le c lo y : (low_end lo y <=? c) = all (fun l => at_ l y <=? c) ((0, 0) :: lo).
Proof.
rewrite /low_end /=; elim: lo => [|l lo IH] /=; first by rewrite andbT.
by rewrite andbCA -IH; move: (foldr _ _ _) => m; clear; lia.
Qed.
Lemma le_high c hi y : (c <=? high_end hi y) = all (fun u => c <=? at_ u y) ((d, 0) :: hi).
Proof.
rewrite /high_end /=; elim: hi => [|u hi IH] /=; first by rewrite /at_ /= Z.add_0_r andbT.
by rewrite andbCA -IH; move: (foldr _ _ _) => m; clear; lia.
Qed.
Lemma pairs_least c lo hi y : all (fun g => c <=? at_ g y) [seq (u.1 - l.1, u.2 - l.2) | u <- (d, 0) :: hi, l <- (0, 0) :: lo] =
  (c <=? high_end hi y - low_end lo y).
Proof.
have -> : (c <=? high_end hi y - low_end lo y) = (c + low_end lo y <=? high_end hi y) by clear; lia.
have L e := low_le e lo y; rewrite le_high; move: (_ :: hi) => us; move: ((0, 0) :: lo) L => ls L.
elim: us => //= u us IH; rewrite all_cat {}IH; congr andb.
have -> : (c + low_end lo y <=? at_ u y) = (low_end lo y <=? at_ u y - c) by clear; lia.
by rewrite L all_map; apply: eq_all => l /=; rewrite /at_ /= Z.mul_sub_distr_r; clear; lia.
Qed.
Lemma piecesE lo hi cond cs y : all (fun g => (d <=? at_ g y) || (at_ g y <=? 0)) cond ->
  height (d, 0) (pieces lo hi cond cs) y = if all (fun g => 0 <? at_ g y) cond && (0 <? d) then ends y (low_end lo y) (high_end hi y) cs else 0.
Proof.
elim: cs lo hi cond => [|[b [a c]] cs IH] lo hi cond ok.
  rewrite [pieces _ _ _ _]/= [ends _ _ _ _]/= -[_ :: _]/[seq (u.1 - l.1, u.2 - l.2) | u <- (d, 0) :: hi, l <- (0, 0) :: lo].
  rewrite /height; set m := high_end hi y - low_end lo y.
  have md : m <= d.
    have := le_high (d + 1) hi y; have := low_le (-1) lo y; rewrite /= /at_ /= Z.add_0_r.
    rewrite (_ : (d + 1 <=? d) = false) ?(_ : (0 <=? -1) = false) //=; last by clear; lia.
    by rewrite /m; clear; lia.
  have E e : (e <=? least_of (d, 0) (cond ++ [seq (u.1 - l.1, u.2 - l.2) | u <- (d, 0) :: hi, l <- (0, 0) :: lo]) y) =
      [&& e <=? d, all (fun g => e <=? at_ g y) cond & e <=? m].
    by rewrite le_least /= all_cat -pairs_least /at_ /= Z.add_0_r.
  move: E; set L := least_of _ _ _ => E; have [al|no] := boolP (all _ cond).
    case: Z.ltb_spec => dp /=.
      congr (Z.max 0 _); apply: equal_by => e; rewrite E.
      case: (Z.leb_spec e m) => em; rewrite ?andbF // andbT (_ : (e <=? d) = true); last by move: md em; clear; lia.
      move: ok al em md; elim: cond {E L} => //= g cond IHc /andP[gd /IHc{}IHc] /andP[g0 /IHc{}IHc] em md; rewrite (IHc em md) andbT.
      by move: gd g0 em md; clear; lia.
    by have := E 1; rewrite (_ : (1 <=? d) = false) /=; move: dp; clear; lia.
  have := E 1; rewrite (_ : all (fun g => 1 <=? at_ g y) cond = false) ?andbF /=; first by clear; lia.
  by apply: contraNF no; apply: sub_all => g; clear; lia.
rewrite [pieces _ _ _ _]/= [ends _ _ _ _]/=; case: Z.eqb_spec => c1; last case: Z.eqb_spec => c2.
- rewrite IH // [low_end (_ :: _) _]/= Z.max_comm /at_ /=; congr (if _ then ends _ (Z.max _ _) _ _ else _); clear; lia.
- rewrite IH // [high_end (_ :: _) _]/= Z.min_comm /at_ /=; congr (if _ then ends _ _ (Z.min _ _) _ else _); clear; lia.
rewrite IH /=; last first.
  by rewrite ok andbT /at_ /=; case: (Z.leb_spec 0 (b + a * y)) => s0; apply/orP; [left | right]; apply/Z.leb_le; move: s0 d0; clear; nia.
rewrite {1}/at_ /= Z.mul_add_distr_l; case: (Z.leb_spec 0 (b + a * y)) => s0.
  case: Z.ltb_spec => dp; rewrite ?andbF // ?andbT.
  rewrite (_ : (0 <? d) = false) ?andbF //; move: s0 dp d0; clear; nia.
have : 0 <= d * - (b + 1 + a * y) by apply: Z.mul_nonneg_nonneg => //; move: s0; clear; lia.
rewrite Z.mul_opp_r !Z.mul_add_distr_l Z.mul_assoc => le; suff -> : (0 <? d * b + d * 1 + d * a * y) = false by case: ifP.
by move: le; move: (d * b) (d * 1) (d * a * y) => ? ? ?; clear; lia.
Qed.
End Plane.

(* of a box d by e *)
Definition plane_sum (k : nat) (d e : Z) (cs : seq ineq) : Z := sum_heights k (e, 0) (pieces e [::] [::] [::] cs) 0 d.
Lemma plane_sumE k d e cs : 0 < e -> plane_sum k d e cs = sum (Z.to_nat d) (fun y => ends y 0 e cs) 0.
Proof.
move=> e0; rewrite /plane_sum sum_heightsE; apply: sum_ext => i _; move: (0 + _) => y.
have e1 : 0 <= e by move: e0; clear; lia.
by have := @piecesE e e1 [::] [::] [::] cs y isT; rewrite /= => ->; rewrite (_ : (0 <? e) = true) //; move: e0; clear; lia.
Qed.
