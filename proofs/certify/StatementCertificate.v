(* Certificates of projective and affine for one statement over a box that reads inputs: exponents of chains and operands, and how the work is
   cut.  docs/theory-lp.md section 7, docs/theory-affine.md section 3: Lemma 2 with extents, mixed radix and splits. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes Game Trace Count Segment WeightedMeans Reduction Projective Statement Cut.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Local Notation nat_ := N.to_nat.

Definition sumN := foldr N.add 0%num.
Definition prodN := foldr N.mul 1%num.
Lemma sumN_ord (F : nat -> N) n : nat_ (sumN [seq F i | i <- iota 0 n]) = \sum_(i < n) nat_ (F i).
Proof.
rewrite -(big_mkord xpredT (fun i => nat_ (F i))) /index_iota subn0; elim: (iota 0 n) => [|i r IH]; first by rewrite big_nil.
by rewrite big_cons -IH /=; clear; lia.
Qed.
Lemma prodN_ord (F : nat -> N) n : nat_ (prodN [seq F i | i <- iota 0 n]) = \prod_(i < n) nat_ (F i).
Proof.
rewrite -(big_mkord xpredT (fun i => nat_ (F i))) /index_iota subn0; elim: (iota 0 n) => [|i r IH]; first by rewrite big_nil.
by rewrite big_cons -IH /=; clear; lia.
Qed.
Lemma powN a b : nat_ (a ^ b)%num = nat_ a ^ nat_ b.
Proof. by rewrite N2Nat.inj_pow; elim: (nat_ b) => //= n ->; rewrite expnS. Qed.
Lemma sum_option (O : finType) (F : option O -> nat) : \sum_t F t = F None + \sum_o F (Some o).
Proof.
rewrite (bigD1 None) //=; congr (_ + _); rewrite (reindex_omap Some id) => [|[o|] //].
by apply: eq_bigl => o; rewrite eqxx.
Qed.

(* Coordinates: a loop, a number s, and whether the rest by s or the quotient is meant. *)
Definition coordinate : Type := nat * (N * bool).
Definition value (c : coordinate) (x : seq nat) : nat := if c.2.2 then nth 0 x c.1 %% nat_ c.2.1 else nth 0 x c.1 %/ nat_ c.2.1.
Definition coefficient (f : N * seq N) (c : coordinate) : N := (nth 0 f.2 c.1 * (if c.2.2 then 1 else c.2.1))%num.
Definition extent_of (ls : seq N) (c : coordinate) : N := if c.2.2 then c.2.1 else ((nth 0 ls c.1 - 1) / c.2.1 + 1)%num.
(* the coordinates of loop l, which is split by s *)
Definition parts (s : N) (l : nat) : seq coordinate := if (s <=? 1)%num then [:: (l, (1%num, false))] else [:: (l, (s, false)); (l, (s, true))].
Definition coordinates (splits : seq N) (n : nat) : seq coordinate := flatten [seq parts (nth 0%num splits l) l | l <- iota 0 n].

Lemma divN a b : (0 < b)%num -> nat_ (a / b)%num = nat_ a %/ nat_ b.
Proof.
move=> b0; have bn : b <> 0%num by clear - b0; lia.
have E := N.div_mod a b bn; have lt := N.mod_lt a b bn; move: E lt; move: (a / b)%num (a mod b)%num => k r E lt.
have -> : nat_ a = nat_ k * nat_ b + nat_ r by rewrite E; clear; lia.
by rewrite divnMDl ?divn_small ?addn0 //; clear - b0 lt; lia.
Qed.

Section Form.
Variables (ls splits : seq N) (cs : seq coordinate).
Hypothesis csP : perm_eq cs (coordinates splits (size ls)).
Notation c0 := (0, (0%num, false)).

Lemma form_coordinates f x : size x = size ls -> form_at f x = nat_ f.1 + \sum_(c <- cs) nat_ (coefficient f c) * value c x.
Proof.
move=> xs; rewrite /form_at xs sumnE big_map (perm_big _ csP) /coordinates big_flatten big_map /=; congr (_ + _).
apply: eq_bigr => l _; rewrite /parts; case: ifP => s1.
  by rewrite big_seq1 /coefficient /value /= divn1; congr (_ * _); clear; lia.
rewrite !big_cons big_nil addn0 /coefficient /value /=.
have -> : nat_ (nth 0 f.2 l * nth 0 splits l)%num = nat_ (nth 0%num f.2 l) * nat_ (nth 0%num splits l) by clear; lia.
have -> : nat_ (nth 0 f.2 l * 1)%num = nat_ (nth 0%num f.2 l) by clear; lia.
by rewrite -mulnA -mulnDr [nat_ (nth _ splits l) * _]mulnC -divn_eq.
Qed.

Lemma coordinate_loop c : c \in cs -> c.1 < size ls /\ 0 < nat_ c.2.1.
Proof.
rewrite (perm_mem csP) => /flattenP[r /mapP[l]]; rewrite mem_iota add0n /= => ll ->; rewrite /parts.
case: ifP => s1; rewrite !inE; first by move=> /eqP -> /=; split=> //; clear; lia.
by case/orP=> /eqP -> /=; split=> //; move: s1; clear; lia.
Qed.

Lemma value_lt c x : c \in cs -> inside x (map nat_ ls) -> value c x < nat_ (extent_of ls c).
Proof.
move=> cin xl; have [cl s0] := coordinate_loop cin.
have := inside_nth xl (l := c.1); rewrite size_map => /(_ cl); rewrite (nth_map 0%num) // /value /extent_of.
case: ifP => _ lt; first exact: ltn_pmod.
move: lt s0; move: (nth 0 x c.1) (nth _ ls _) c.2.1 => v e s lt s0.
have -> : nat_ ((e - 1) / s + 1)%num = nat_ (e - 1) %/ nat_ s + 1 by rewrite -divN; clear - s0; lia.
by rewrite addn1 ltnS leq_div2r //; move: lt; clear; lia.
Qed.

(* the same coordinates, the same point *)
Lemma coordinates_tell x y : size x = size ls -> size y = size ls -> (forall c, c \in cs -> value c x = value c y) -> x = y.
Proof.
move=> xs ys H; apply: (@eq_from_nth _ 0); first by rewrite xs ys.
rewrite xs => l ll; have inc c : c \in parts (nth 0%num splits l) l -> value c x = value c y.
  move=> cin; apply: H; rewrite (perm_mem csP); apply/flattenP; exists (parts (nth 0%num splits l) l) => //.
  by apply/mapP; exists l; rewrite // mem_iota.
move: inc; rewrite /parts; case: ifP => s1 inc.
  by have := inc (l, (1%num, false)) (mem_head _ _); rewrite /value /= !divn1.
have := inc (l, (nth 0%num splits l, false)) (mem_head _ _); have := inc (l, (nth 0%num splits l, true)).
rewrite inE mem_head orbT => /(_ isT); rewrite /value /= => e1 e2.
by rewrite (divn_eq (nth 0 x l) (nat_ (nth 0%num splits l))) e1 e2 -divn_eq.
Qed.

(* The form tells coordinate i when those behind it in the list are known: those before it have coefficients that g divides. *)
Definition form_tells (i : nat) (f : N * seq N) : bool :=
  let g := foldr (fun c g => N.gcd (coefficient f c) g) 0%num (take i cs) in let a := coefficient f (nth c0 cs i) in
  all (fun c => coefficient f c mod g =? 0)%num (take i cs) &&
  (if g =? 0 then ~~ (a =? 0) else (a =? 1) && (extent_of ls (nth c0 cs i) <=? g))%num.

Lemma form_tellsP i f x y : form_tells i f -> i < size cs -> inside x (map nat_ ls) -> inside y (map nat_ ls) ->
  (forall i', i < i' -> i' < size cs -> value (nth c0 cs i') x = value (nth c0 cs i') y) ->
  form_at f x = form_at f y -> value (nth c0 cs i) x = value (nth c0 cs i) y.
Proof.
rewrite /form_tells; set g := foldr _ _ _; set a := coefficient f _ => /andP[/allP dv tell] ic xin yin later.
have xs : size x = size ls by rewrite (inside_size xin) size_map.
have ys : size y = size ls by rewrite (inside_size yin) size_map.
rewrite !form_coordinates // => /addnI.
have cut z : \sum_(c <- cs) nat_ (coefficient f c) * value c z =
  \sum_(c <- take i cs) nat_ (coefficient f c) * value c z +
  (nat_ a * value (nth c0 cs i) z + \sum_(c <- drop i.+1 cs) nat_ (coefficient f c) * value c z).
  by rewrite -{1}(cat_take_drop i cs) big_cat /= (drop_nth c0 ic) big_cons.
rewrite !cut; have -> : \sum_(c <- drop i.+1 cs) nat_ (coefficient f c) * value c x = \sum_(c <- drop i.+1 cs) nat_ (coefficient f c) * value c y.
  apply: eq_big_seq => c /(nthP c0)[j]; rewrite size_drop nth_drop => jl <-; congr (_ * _); apply: later; [clear; lia | by rewrite -ltn_subRL].
rewrite !addnA => /addIn.
have mult z : exists k, \sum_(c <- take i cs) nat_ (coefficient f c) * value c z = nat_ g * k.
  elim: (take i cs) dv => [|c r IH] dvr; first by exists 0; rewrite big_nil muln0.
  have [|k Ek] := IH; first by move=> d dr; apply: dvr; rewrite inE dr orbT.
  have [b Eb] : exists b, nat_ (coefficient f c) = nat_ g * b.
    have /N.eqb_eq := dvr c (mem_head _ _); case: (N.eq_dec g 0) => [-> |g0].
      by move=> c00; exists 0; move: c00; clear; case: (coefficient f c).
    move=> m0; exists (nat_ (coefficient f c / g)%num); have := N.div_mod (coefficient f c) g g0; rewrite m0; clear; lia.
  by exists (b * value c z + k); rewrite big_cons Ek Eb mulnDr mulnA.
have [k1 ->] := mult x; have [k2 ->] := mult y.
have lx : value (nth c0 cs i) x < nat_ (extent_of ls (nth c0 cs i)) by apply: value_lt; rewrite ?mem_nth.
have ly : value (nth c0 cs i) y < nat_ (extent_of ls (nth c0 cs i)) by apply: value_lt; rewrite ?mem_nth.
move: tell lx ly; move: (value _ x) (value _ y) (extent_of _ _) => v w e.
case: ifP => [/N.eqb_eq -> /negbTE/N.eqb_neq a0 _ _|_ /andP[/N.eqb_eq -> /N.leb_le eg] lx ly].
  rewrite (_ : nat_ 0 = 0) // !mul0n !add0n => /eqP; rewrite eqn_pmul2l => [/eqP //|]; clear - a0; lia.
have vg : v < nat_ g by clear - lx eg; lia.
have wg : w < nat_ g by clear - ly eg; lia.
by rewrite !mul1n => /(congr1 (fun n => n %% nat_ g)); rewrite ![nat_ g * _]mulnC !modnMDl !modn_small.
Qed.
End Form.

(* Exponents over den: of the chain, of the operands; what is missing at a coordinate is that of its extent. *)
Section Exponents.
Variables (tx : text) (splits : seq N) (cs : seq coordinate) (den e0 : N) (es : seq N).
Notation ls := (keys tx ++ sums tx).
Notation no := (size (operands tx)).
Notation na := (size (arrays tx)).
Notation c0 := (0, (0%num, false)).
Open Scope N_scope.
Definition chain_tells (i : nat) : bool := ((nth c0 cs i).1 < size (keys tx))%nat.
Definition operand_tells (i o : nat) : bool := has (form_tells ls cs i) (nth (0%nat, [::]) (operands tx) o).2.
Definition told (i : nat) : N :=
  (if chain_tells i then e0 else 0) + sumN [seq if operand_tells i o then nth 0 es o else 0 | o <- iota 0 no].
Definition items : N := e0 + sumN [seq nth 0 es o | o <- iota 0 no].
Definition array_share (a : nat) : N := sumN [seq if (nth (0%nat, [::]) (operands tx) o).1 == a then nth 0 es o else 0 | o <- iota 0 no].
Definition shares : N := e0 ^ e0 * prodN [seq array_share a ^ array_share a | a <- iota 0 na].
Definition missing : N := prodN [seq extent_of ls (nth c0 cs i) ^ (den - told i) | i <- iota 0 (size cs)].
(* X words do not suffice for w steps *)
Definition short_of (X w : N) : bool := X ^ items * shares * missing <? items ^ items * w ^ den.
Definition exponents_ok : bool := (0 <? den) && perm_eq cs (coordinates splits (size ls)).
Close Scope N_scope.

Hypotheses (fit : all (fits tx) (operands tx)) (some : 0 < no) (x0 : steps tx) (good : exponents_ok).
Let csP : perm_eq cs (coordinates splits (size ls)). Proof. by case/andP: good. Qed.
Let ex (t : option 'I_no) : nat := nat_ (if t is Some o then nth 0%num es o else e0).
Let J : finType := [finType of {t : option 'I_no & 'I_(ex t)}].
Let E : finType := [finType of {i : 'I_(size cs) & 'I_(nat_ (den - told i)%num)}].
Let tells (j : J) (i : nat) : bool := if tag j is Some o then operand_tells i o else chain_tells i.
Let big := sumn (map nat_ ls).
Let c (i : nat) (x : steps tx) : 'I_big.+1 := inord (value (nth c0 cs i) (ssval x)).
Let purse (t : option 'I_no) : unit + 'I_na := if t is Some o then
  (if insub (nth (0, [::]) (operands tx) o).1 is Some a then inr a else inl tt) else inl tt.

Lemma step_inside (x : steps tx) : inside (ssval x) (map nat_ ls).
Proof. by have := step_in x; rewrite map_cat. Qed.
Lemma c_val i x : i < size cs -> c i x = value (nth c0 cs i) (ssval x) :> nat.
Proof.
move=> ic; apply: inordK; rewrite ltnS; have cin := mem_nth c0 ic; have [cl _] := coordinate_loop csP cin.
have := inside_nth (step_inside x) (l := (nth c0 cs i).1); rewrite size_map => /(_ cl) /ltnW le.
apply: (@leq_trans (nth 0 (ssval x) (nth c0 cs i).1)); first by rewrite /value; case: ifP => _; rewrite ?leq_mod ?leq_div.
apply: leq_trans le _; have : nth 0 (map nat_ ls) (nth c0 cs i).1 \in map nat_ ls by rewrite mem_nth ?size_map.
by move: (nth _ _ _) => v; rewrite /big; elim: (map nat_ ls) => //= d r IH; rewrite inE => /orP[/eqP ->|/IH]; lia.
Qed.

Let item_tells (t : option 'I_no) (i : nat) : bool := if t is Some o then operand_tells i o else chain_tells i.
Lemma told_nat i : nat_ (told i) = \sum_(t | item_tells t i) ex t.
Proof.
rewrite big_mkcond sum_option /= /told N2Nat.inj_add sumN_ord; congr (_ + _); first by case: ifP.
by apply: eq_bigr => o _; rewrite /ex; case: ifP.
Qed.
Lemma items_nat : nat_ items = #|J|.
Proof.
have -> : #|J| = \sum_t ex t by rewrite -(sum_copies ex (fun=> true)) cardsE.
by rewrite sum_option /items N2Nat.inj_add sumN_ord.
Qed.
Lemma purse_operand (o : 'I_no) (a : 'I_na) : (purse (Some o) == inr a) = ((nth (0, [::]) (operands tx) o).1 == a).
Proof.
rewrite /purse; have /andP[lt _] := operand_fits fit o; rewrite /operand in lt.
by rewrite insubT /=; apply/eqP/eqP => [[<-]//|E1]; congr inr; apply/val_inj.
Qed.
Lemma purse_operand_inl (o : 'I_no) : (purse (Some o) == inl tt) = false.
Proof. by rewrite /purse; have /andP[lt _] := operand_fits fit o; rewrite /operand in lt; rewrite insubT. Qed.
Lemma shares_nat : nat_ shares = \prod_p #|[set j : J | purse (tag j) == p]| ^ #|[set j : J | purse (tag j) == p]|.
Proof.
have sh p := sum_copies ex (fun t => purse t == p).
rewrite big_sumType /= (big_pred1 tt) => [|[] //]; rewrite /shares N2Nat.inj_mul powN prodN_ord; congr (_ * _).
  rewrite (_ : #|_| = nat_ e0) //; apply: etrans (sh (inl tt)) _.
  rewrite big_mkcond sum_option /= big1 ?addn0 // => o _; by rewrite purse_operand_inl.
apply: eq_bigr => a _; rewrite powN; suff -> : #|[set j : J | purse (tag j) == inr a]| = nat_ (array_share a) by [].
apply: etrans (sh (inr a)) _; rewrite big_mkcond sum_option /= add0n /array_share sumN_ord; apply: eq_bigr => o _.
by rewrite purse_operand; case: ifP.
Qed.
Lemma missing_nat : nat_ missing = \prod_(e : E) nat_ (extent_of ls (nth c0 cs (tag e))).
Proof.
rewrite prodN_ord (prod_copies _ (fun i : 'I_(size cs) => nat_ (extent_of ls (nth c0 cs i)))).
by apply: eq_bigr => i _; rewrite powN.
Qed.

Lemma st_statement : statement (need (@key_of tx) (st_op x0)) (size cs) c purse (fun j : J => tag j) tells
  (fun e : E => nat_of_ord (tag e)) (fun e : E => nat_ (extent_of ls (nth c0 cs (tag e)))) (nat_ den).-1.
Proof.
have den0 : 0 < nat_ den by case/andP: good => d0 _; move: d0; clear; lia.
have size_step (x : steps tx) : size (ssval x) = size ls by rewrite (inside_size (step_inside x)) size_map.
have same i (x y : steps tx) : i < size cs -> c i x = c i y -> value (nth c0 cs i) (ssval x) = value (nth c0 cs i) (ssval y).
  by move=> ic E1; rewrite -!c_val // E1.
split=> [x y H|[[o|] k] i x y tl ic later|i ic|e|t t' x y].
- apply/val_inj/(coordinates_tell csP); rewrite ?size_step // => d /(nthP c0)[i ic <-]; exact: same (H i ic).
- rewrite /need /= => -[E0]; have := congr1 (fun v : computation tx => ssval v) E0; rewrite /= !opE // => -[E1].
  case/hasP: tl => f fin ft; apply/val_inj => /=; rewrite !c_val //.
  apply: (form_tellsP csP ft ic (step_inside x) (step_inside y)) => [i' ii' i'c|]; first by apply: same (later i' ii' i'c).
  have [n nl <-] := nthP (0%num, [::]) fin.
  have := congr1 (fun r => nth 0 r n) E1; by rewrite !(nth_map (0%num, [::])).
- rewrite /need /= => -[E1]; apply/val_inj => /=; rewrite !c_val // /value.
  have E2 : nth 0 (ssval x) (nth c0 cs i).1 = nth 0 (ssval y) (nth c0 cs i).1.
    by rewrite -(nth_take 0 tl (ssval x)) -(nth_take 0 tl (ssval y)) E1.
  by rewrite E2.
- have -> : #|[set j | tells j i]| = nat_ (told i) by rewrite told_nat -(sum_copies ex (fun t => item_tells t i)).
  have -> : #|[set e : E | tag e == i :> nat]| = nat_ (den - told i)%num.
    have := sum_copies (fun i : 'I_(size cs) => nat_ (den - told i)%num) (fun i' => i' == i :> nat) => ->.
    by rewrite (big_pred1 (Ordinal ic)).
  by move: den0; clear; lia.
- have sub : [set c (tag e) x | x in steps tx] \subset
      [set (inord j : 'I_big.+1) | j : 'I_(nat_ (extent_of ls (nth c0 cs (tag e))))].
    apply/subsetP => _ /imsetP[x _ ->]; have ic := ltn_ord (tag e).
    have lt := value_lt csP (mem_nth c0 ic) (step_inside x).
    by apply/imsetP; exists (Ordinal lt).
  by apply: leq_trans (subset_leq_card sub) _; apply: leq_trans (leq_imset_card _ _) _; rewrite card_ord.
case: t t' => [o|] [o'|]; rewrite /need // => -[E0]; have := congr1 (fun v : computation tx => ssval v) E0; rewrite /= !opE // /operand => -[E1 _]; by rewrite E1.
Qed.

Lemma short_can X h : short_of X (h + 1)%num -> can (@key_of tx) (st_op x0) (nat_ X) (nat_ h).
Proof.
move=> /N.ltb_lt lt; have den0 : 0 < nat_ den by case/andP: good => d0 _; move: d0; clear; lia.
apply: (projective_can st_statement); rewrite /share -shares_nat -missing_nat -items_nat prednK //.
have -> : (nat_ h).+1 = nat_ (h + 1)%num by clear; lia.
have e1 : nat_ (X ^ items * shares * missing)%num = nat_ X ^ nat_ items * nat_ shares * nat_ missing by rewrite !N2Nat.inj_mul powN.
have e2 : nat_ (items ^ items * (h + 1) ^ den)%num = nat_ items ^ nat_ items * nat_ (h + 1)%num ^ nat_ den by rewrite N2Nat.inj_mul !powN.
by rewrite -e1 -e2; move: lt; clear; lia.
Qed.
End Exponents.

(* ---- the certificate ---- *)
Open Scope N_scope.
(* how loops are split, the coordinates in the order in which the last is told first, and exponents over den of chain and operands *)
Record exponents := Exponents { e_splits : seq N; e_order : seq coordinate; e_den : N; e_chain : N; e_operands : seq N }.
(* X words suffice for h steps at most: so say some of the exponents *)
Definition few (tx : text) (es : seq exponents) (X h : N) : bool :=
  has (fun e => exponents_ok tx (e_splits e) (e_order e) (e_den e) &&
                short_of tx (e_order e) (e_den e) (e_chain e) (e_operands e) X (h + 1)) es.

(* the forms stay inside the arrays *)
Definition form_mostN (ls : seq N) (f : N * seq N) : N := f.1 + sumN [seq nth 0 f.2 l * (nth 0 ls l - 1) | l <- iota 0 (size ls)].
Definition fitsN (tx : text) (o : nat * seq (N * seq N)) : bool :=
  (o.1 < size (arrays tx))%nat && all2 (fun f d => form_mostN (keys tx ++ sums tx) f <? d) o.2 (nth [::] (arrays tx) o.1).
Close Scope N_scope.
Lemma form_mostE ls f : nat_ (form_mostN ls f) = form_most f (map nat_ ls).
Proof.
rewrite /form_mostN /form_most N2Nat.inj_add sumN_ord size_map sumnE big_map.
rewrite -(big_mkord xpredT (fun i => nat_ (nth 0 f.2 i * (nth 0 ls i - 1))%num)) /index_iota subn0; congr (_ + _).
rewrite big_seq_cond [RHS]big_seq_cond; apply: eq_bigr => l; rewrite mem_iota add0n andbT /= => ll.
rewrite (nth_map 0%num) //; move: (nth _ f.2 _) (nth _ ls _) => a b; clear; lia.
Qed.
Lemma fitsE tx o : fitsN tx o -> fits tx o.
Proof.
rewrite /fitsN /fits => /andP[-> /=]; rewrite /dims; elim: o.2 (nth _ _ _) => [|f fs IH] [|d ds] //= /andP[lt /IH ->].
by rewrite andbT -map_cat -form_mostE; move: lt; clear; lia.
Qed.
Lemma many_prodN s : many (map nat_ s) = nat_ (prodN s).
Proof. by elim: s => //= d s ->; clear; lia. Qed.

Open Scope N_scope.
(* `first`, `length`, segments - 1, `most_first`, `most`; the value B *)
Definition statement_check (M : N) (tx : text) (es : seq exponents) (f t q hf ht B : N) : bool :=
  [&& all (fitsN tx) (operands tx), (0 < size (operands tx))%nat, few tx es f hf, (q =? 0) || few tx es (M + t) ht,
      hf + q * ht <? prodN (keys tx ++ sums tx) & B <=? f + q * t + 1].
Close Scope N_scope.
Lemma can_some (G : cdag) (K T O : finType) (kk : T -> K) (op : O -> T -> G) X : exists h, can kk op X h.
Proof. by exists #|T| => D S _ _; apply: max_card. Qed.

Theorem statement_certificate game M tx es f t q hf ht B : statement_check M tx es f t q hf ht B ->
  forall s : seq (move (computation tx)), legal game (nat_ M) s -> (B <= N.of_nat (cost s))%num.
Proof.
case/and5P=> [/allP fit some Hf Ht /andP[/N.ltb_lt lt /N.leb_le le]] s ok; apply: N.le_trans le _.
have {}fit : all (fits tx) (operands tx) by apply/allP => o /fit; apply: fitsE.
have card : #|steps tx| = nat_ (prodN (keys tx ++ sums tx)) by rewrite card_steps -map_cat many_prodN.
have ltW : nat_ hf + nat_ q * nat_ ht < #|steps tx| by rewrite card; move: lt; clear; lia.
have /card_gt0P[x0 _] : 0 < #|steps tx| by apply: leq_ltn_trans ltW.
have some_can X h : few tx es X h -> can (@key_of tx) (st_op x0) (nat_ X) (nat_ h).
  by rewrite /few; elim: (es) => //= e r IH /orP[/andP[good sh]|//]; exact: (short_can fit some good sh).
have : nat_ f + nat_ q * nat_ t + 1 <= cost s.
  apply: (one_segment (P := can (@key_of tx) (st_op x0)) (M := nat_ M) (hf := nat_ hf) (ht := nat_ ht)) ltW.
  - exact: can_some.
  - move=> f' t' q' hf' ht' Hf' Ht' lt'.
    have := steps_segment ok (st_chains fit some x0) (st_reads fit some x0) Hf' Ht' lt'.
    by have := results_out fit some x0; move: (#|results tx|) (#|output _ :\: _|) (cost s) (q' * t') => r o c x; clear; lia.
  - exact: some_can.
  case/orP: Ht => [/N.eqb_eq ->|/some_can]; [by left | rewrite (_ : nat_ (M + t) = nat_ M + nat_ t); [by right | clear; lia]].
clear; lia.
Qed.
