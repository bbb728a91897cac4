(* Points of a box with needs that forms name: what X words allow.  docs/theory-affine.md section 3: Lemma 2 with extents, mixed radix and
   splits, the powers of a certificate over one denominator. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes WeightedMeans Projective Affine.
From redblue Require StatementCertificate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.
Local Notation coordinate := StatementCertificate.coordinate.
Local Notation coordinates := StatementCertificate.coordinates.
Local Notation extent_of := StatementCertificate.extent_of.
Local Notation place := StatementCertificate.value.
Local Notation sumN := StatementCertificate.sumN.
Local Notation prodN := StatementCertificate.prodN.
Local Notation c0 := (0, (0%num, false)).

Canonical Zadd_law := Monoid.Law Z.add_assoc Z.add_0_l Z.add_0_r.
Canonical Zadd_comlaw := Monoid.ComLaw Z.add_comm.
Local Notation "\sumZ_ ( i <- r ) F" := (\big[Z.add/0%Z]_(i <- r) F%Z) (at level 41, F at level 41, i, r at level 50).

Lemma dot_sum a (x : seq nat) : dot a (ints x) = \sumZ_(l <- iota 0 (size x)) (nth 0 a l * Z.of_nat (nth 0%N x l)).
Proof.
elim: x a => [|v x IH] a; first by rewrite dot_nil big_nil.
case: a => [|c a]; first by rewrite big1 // => l _; rewrite nth_nil.
by rewrite [LHS]/= -/(ints x) IH /= big_cons (iotaDl 1) big_map.
Qed.
Lemma sumZ_mult (T : eqType) (r : seq T) (F : T -> Z) (x : T -> Z) g : (forall c, c \in r -> exists b, F c = g * b)%Z ->
  (exists k, \sumZ_(c <- r) (F c * x c) = g * k)%Z.
Proof.
elim: r => [|c r IH] H; first by exists 0%Z; rewrite big_nil Z.mul_0_r.
have [|k Ek] := IH; first by move=> d dr; apply: H; rewrite inE dr orbT.
have [b Eb] := H c (mem_head _ _); exists (b * x c + k)%Z; rewrite big_cons Ek Eb; clear; lia.
Qed.

Section Form.
Variables (ls splits : seq N) (cs : seq coordinate).
Hypothesis csP : perm_eq cs (coordinates splits (size ls)).

Definition coefficient (f : form) (c : coordinate) : Z := (nth 0 f.2 c.1 * (if c.2.2 then 1 else Z.of_N c.2.1))%Z.
Lemma form_coordinates f x : size x = size ls ->
  value f (ints x) = (f.1 + \sumZ_(c <- cs) (coefficient f c * Z.of_nat (place c x)))%Z.
Proof.
move=> xs; rewrite /value dot_sum xs (perm_big _ csP) /StatementCertificate.coordinates big_flatten big_map /=; congr Z.add.
apply: eq_bigr => l _; rewrite /StatementCertificate.parts; case: ifP => s1.
  by rewrite big_cons big_nil /coefficient /StatementCertificate.value /= divn1; clear; lia.
rewrite !big_cons big_nil /coefficient /StatementCertificate.value /=.
have := divn_eq (nth 0 x l) (nat_ (nth 0%num splits l)); move: (nth 0 x l) (nth 0 x l %/ _) (nth 0 x l %% _) => v d r ->; rewrite Z.add_0_r; clear; nia.
Qed.

(* The form tells coordinate i when those behind it in the list are known: those before it have coefficients that g divides. *)
Definition form_tells (i : nat) (f : form) : bool :=
  let g := foldr (fun c g => Z.gcd (coefficient f c) g) 0%Z (take i cs) in let a := coefficient f (nth c0 cs i) in
  (if g =? 0 then ~~ (a =? 0) else (Z.abs a =? 1) && (Z.of_N (extent_of ls (nth c0 cs i)) <=? g))%Z.

Lemma form_tellsP i f x y : form_tells i f -> i < size cs -> inside x (map nat_ ls) -> inside y (map nat_ ls) ->
  (forall i', i < i' -> i' < size cs -> place (nth c0 cs i') x = place (nth c0 cs i') y) ->
  value f (ints x) = value f (ints y) -> place (nth c0 cs i) x = place (nth c0 cs i) y.
Proof.
rewrite /form_tells; set g := foldr _ _ _; set a := coefficient f _ => tell ic xin yin later.
have xs : size x = size ls by rewrite (inside_size xin) size_map.
have ys : size y = size ls by rewrite (inside_size yin) size_map.
rewrite !form_coordinates //.
have cut z : (\sumZ_(c <- cs) (coefficient f c * Z.of_nat (place c z)) =
  \sumZ_(c <- take i cs) (coefficient f c * Z.of_nat (place c z)) +
  (a * Z.of_nat (place (nth c0 cs i) z) + \sumZ_(c <- drop i.+1 cs) (coefficient f c * Z.of_nat (place c z))))%Z.
  by rewrite -{1}(cat_take_drop i cs) big_cat /= (drop_nth c0 ic) big_cons.
rewrite !cut; have -> : \sumZ_(c <- drop i.+1 cs) (coefficient f c * Z.of_nat (place c x)) =
    \sumZ_(c <- drop i.+1 cs) (coefficient f c * Z.of_nat (place c y)).
  by apply: eq_big_seq => c /(nthP c0)[j]; rewrite size_drop nth_drop => jl <-; congr (_ * Z.of_nat _)%Z; apply: later; [clear; lia | rewrite -ltn_subRL].
have dv c : c \in take i cs -> exists b, coefficient f c = (g * b)%Z.
  rewrite /g; elim: (take i cs) => //= d r IH; rewrite inE => /orP[/eqP <-|/IH[b ->]].
    by have [b E] := Z.gcd_divide_l (coefficient f c) (foldr (fun c g => Z.gcd (coefficient f c) g) 0%Z r); exists b; rewrite Z.mul_comm -E.
  have [k E] := Z.gcd_divide_r (coefficient f d) (foldr (fun c g => Z.gcd (coefficient f c) g) 0%Z r).
  by exists (k * b)%Z; rewrite {1}E (Z.mul_comm k) Z.mul_assoc.
have [k1 ->] := sumZ_mult (fun c => Z.of_nat (place c x)) dv; have [k2 ->] := sumZ_mult (fun c => Z.of_nat (place c y)) dv.
have lx := StatementCertificate.value_lt csP (mem_nth c0 ic) xin; have ly := StatementCertificate.value_lt csP (mem_nth c0 ic) yin.
move: tell lx ly; move: (place _ x) (place _ y) (extent_of _ _) (\sumZ_(c <- _) _) => v w e r.
case: ifP => [/Z.eqb_eq -> /negbTE/Z.eqb_neq a0 _ _ E|_ /andP[/Z.eqb_eq a1 /Z.leb_le eg] lx ly E].
  have {}E : (a * Z.of_nat v = a * Z.of_nat w)%Z by move: E; clear; lia.
  by apply/Nat2Z.inj/(Z.mul_reg_l _ _ a).
have D : (a * (Z.of_nat v - Z.of_nat w) = g * (k2 - k1))%Z by move: E; clear; lia.
move: (k2 - k1)%Z D => k D; have : (Z.abs (a * (Z.of_nat v - Z.of_nat w)) < g)%Z by rewrite Z.abs_mul a1; move: eg lx ly; clear; lia.
rewrite D => small; have k0 : k = 0%Z by move: small; clear; nia.
by move: D; rewrite k0; move: a1; clear; nia.
Qed.
End Form.

(* ---- powers, over one denominator, of needs in columns; what is missing at a coordinate is that of its extent ---- *)
Record exponents := Exponents { e_splits : seq N; e_order : seq coordinate; e_den : N; e_powers : seq N }.
Section Powers.
Variables (ls : seq N) (forms : seq (seq form)) (columns : seq nat) (e : exponents).
Notation cs := (e_order e).
Notation den := (e_den e).
Notation n := (size forms).
Open Scope N_scope.
Definition power (t : nat) : N := nth 0 (e_powers e) t.
Definition tells (i t : nat) : bool := has (form_tells ls cs i) (nth [::] forms t).
Definition told (i : nat) : N := sumN [seq if tells i t then power t else 0 | t <- iota 0 n].
Definition column_share (p : nat) : N := sumN [seq if nth 0%nat columns t == p then power t else 0 | t <- iota 0 n].
Definition missing : N := prodN [seq extent_of ls (nth c0 cs i) ^ (den - told i) | i <- iota 0 (size cs)].
Definition exponents_ok : bool := (0 <? den) && perm_eq cs (coordinates (e_splits e) (size ls)).
Close Scope N_scope.

Variables (T W : finType) (need : 'I_n -> T -> W) (pos : T -> seq nat).
Hypotheses (inj : injective pos) (box_pos : forall x, inside (pos x) (map nat_ ls)).
Variable few : nat.
Hypothesis in_few : forall t : 'I_n, nth 0 columns t < few.
Hypothesis named : forall t t' x y, need t x = need t' y -> nth 0 columns t = nth 0 columns t' /\
  (t = t' -> [seq value f (ints (pos x)) | f <- nth [::] forms t] = [seq value f (ints (pos y)) | f <- nth [::] forms t]).

Let ex (t : 'I_n) : nat := nat_ (power t).
Let J : finType := [finType of {t : 'I_n & 'I_(ex t)}].
Let E : finType := [finType of {i : 'I_(size cs) & 'I_(nat_ (den - told i)%num)}].
Let big := sumn (map nat_ ls).
Let c (i : nat) (x : T) : 'I_big.+1 := inord (place (nth c0 cs i) (pos x)).
Definition column (t : 'I_n) : 'I_few := Ordinal (in_few t).

Hypothesis csP : perm_eq cs (coordinates (e_splits e) (size ls)).
Lemma c_val i x : i < size cs -> c i x = place (nth c0 cs i) (pos x) :> nat.
Proof.
move=> ic; apply: inordK; rewrite ltnS; have cin := mem_nth c0 ic; have [cl _] := StatementCertificate.coordinate_loop csP cin.
have := inside_nth (box_pos x) (l := (nth c0 cs i).1); rewrite size_map => /(_ cl) /ltnW le.
apply: (@leq_trans (nth 0 (pos x) (nth c0 cs i).1)); first by rewrite /StatementCertificate.value; case: ifP => _; rewrite ?leq_mod ?leq_div.
apply: leq_trans le _; have : nth 0 (map nat_ ls) (nth c0 cs i).1 \in map nat_ ls by rewrite mem_nth ?size_map.
by move: (nth _ _ _) => v; rewrite /big; elim: (map nat_ ls) => //= d r IH; rewrite inE => /orP[/eqP ->|/IH]; lia.
Qed.

Lemma powers_statement : 0 < nat_ den -> statement need (size cs) c column (fun j : J => tag j) (fun j i => tells i (tag j))
  (fun e : E => nat_of_ord (tag e)) (fun e : E => nat_ (extent_of ls (nth c0 cs (tag e)))) (nat_ den).-1.
Proof.
move=> den0; have size_pos (x : T) : size (pos x) = size ls by rewrite (inside_size (box_pos x)) size_map.
have same i (x y : T) : i < size cs -> c i x = c i y -> place (nth c0 cs i) (pos x) = place (nth c0 cs i) (pos y).
  by move=> ic E1; rewrite -!c_val // E1.
split=> [x y H|[t k] i x y tl ic later N1|i ic|e'|t t' x y N1].
- by apply/inj/(StatementCertificate.coordinates_tell csP); rewrite ?size_pos // => d /(nthP c0)[i ic <-]; exact: same (H i ic).
- case/(has_nthP (0%Z, [::])): tl => m fk ft; apply/val_inj => /=; rewrite !c_val //.
  apply: (form_tellsP csP ft ic (box_pos x) (box_pos y)) => [i' ii' i'c|]; first by apply: same (later i' ii' i'c).
  by have [_ /(_ erefl)/(congr1 (fun r => nth 0%Z r m))] := named N1; rewrite !(nth_map (0%Z, [::])).
- have -> : #|[set j : J | tells i (tag j)]| = nat_ (told i).
    apply: etrans (sum_copies ex (fun t : 'I_n => tells i t)) _; rewrite /told StatementCertificate.sumN_ord big_mkcond.
    by apply: eq_bigr => t _; case: ifP.
  have -> : #|[set e : E | tag e == i :> nat]| = nat_ (den - told i)%num.
    have := sum_copies (fun i : 'I_(size cs) => nat_ (den - told i)%num) (fun i' => i' == i :> nat) => ->.
    by rewrite (big_pred1 (Ordinal ic)).
  by move: den0; clear; lia.
- have sub : [set c (tag e') x | x in T] \subset
      [set (inord j : 'I_big.+1) | j : 'I_(nat_ (extent_of ls (nth c0 cs (tag e'))))].
    apply/subsetP => _ /imsetP[x _ ->]; have ic := ltn_ord (tag e').
    have lt := StatementCertificate.value_lt csP (mem_nth c0 ic) (box_pos x).
    by apply/imsetP; exists (Ordinal lt).
  by apply: leq_trans (subset_leq_card sub) _; apply: leq_trans (leq_imset_card _ _) _; rewrite card_ord.
by apply/val_inj; have [] := named N1.
Qed.
Lemma powers_share p : share column (fun j : J => tag j) p = nat_ (column_share p).
Proof.
apply: etrans (sum_copies ex (fun t => column t == p)) _; rewrite /column_share StatementCertificate.sumN_ord big_mkcond.
by apply: eq_bigr => t _; rewrite -val_eqE /=; case: ifP.
Qed.
Lemma powers_missing : nat_ missing = \prod_(e' : E) nat_ (extent_of ls (nth c0 cs (tag e'))).
Proof.
rewrite StatementCertificate.prodN_ord (prod_copies _ (fun i : 'I_(size cs) => nat_ (extent_of ls (nth c0 cs i)))).
by apply: eq_bigr => i _; rewrite StatementCertificate.powN.
Qed.
Lemma powers_count (S : {set T}) : 0 < nat_ den ->
  #|S| ^ nat_ den <= \prod_(p < few) #|used need column S p| ^ nat_ (column_share p) * nat_ missing.
Proof.
move=> den0; have := projective_count (powers_statement den0) S; rewrite prednK // powers_missing.
by under eq_bigr => p _ do rewrite powers_share.
Qed.
End Powers.
