(* Certificates of `affine`, for any affine text: groups of statements, each group a ledger of its own, with the powers of columns of words
   or with rows in pairs, and how each is cut; inputs of no ledger are loaded besides.  docs/theory-affine.md, sections 2 and 3.  Words that are
   read may be made by rows and columns of one group (section 4.2). *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes Game Trace Count Segment Ledgers Rooted Projective OneShot OwnWords Siblings Made Affine Words CompulsoryCertificate AffineForms AffineClaim AffineMade.
From redblue Require StatementCertificate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Local Notation nat_ := N.to_nat.

Record sibling := Sibling {
  of_array : nat; on_regions : seq (seq form * seq way); its_wants : seq (nat * seq form);  (* steps and needs: AffineClaim.v *)
  its_columns : seq nat; its_powers : exponents }.                            (* of each need the column and the power *)
Record group := Group {
  siblings : seq sibling; column_powers : seq N;    (* over the denominator, in each statement *)
  telling : seq (seq nat * N);                      (* columns of which, for any two statements, one tells them; with a part of their powers *)
  paired : option pairing }.
Record groups_claim := GroupsClaim {
  its_once : bool; its_owned : seq (nat * seq form); its_labels : seq (seq kind); its_counted : seq nat;
  its_makers : seq maker; its_tail : N; groups : seq group }.
Definition no_sibling := Sibling 0 [::] [::] [::] (Exponents [::] [::] 0 [::]).
Definition no_group := Group [::] [::] [::] None.

Section Check.
Variables (tx : text) (lives : seq (option region)) (cs : groups_claim).
Definition claim_of (s : sibling) : claim := Claim (its_once cs) (its_owned cs) (its_labels cs) (its_counted cs) (its_makers cs) (its_tail cs) (of_array s) (on_regions s) (its_wants s).
Definition group_at (l : nat) : group := nth no_group (groups cs) l.
Definition sibling_at (l i : nat) : sibling := nth no_sibling (siblings (group_at l)) i.
Definition forms_in (s : sibling) : seq (seq form) := [seq w.2 | w <- its_wants s].
Definition extents_of (s : sibling) : seq N := extents tx (of_array s).
Definition column_of (s : sibling) (t : nat) : nat := nth 0 (its_columns s) t.

(* Words of one component, no label of which is one number in the one and another in the other. *)
Definition constant (f : form) : bool := all (fun c => c =? 0)%Z f.2.
Definition may_meet (n n' : nat * seq form) : bool :=
  (n.1 == n'.1) && all (fun fg : form * form => ~~ [&& constant fg.1, constant fg.2 & ~~ (fg.1.1 =? fg.2.1)%Z]) (zip n.2 n'.2).
Definition meet_in (s s' : sibling) (P : nat -> nat -> bool) : bool :=
  all (fun t => all (fun t' => ~~ may_meet (nth (0, [::]) (its_wants s) t) (nth (0, [::]) (its_wants s') t') || P t t')
                    (iota 0 (size (its_wants s')))) (iota 0 (size (its_wants s))).
Definition tells_apart (s s' : sibling) (c : nat) : bool := meet_in s s' (fun t t' => (column_of s t != c) || (column_of s' t' != c)).
Definition any_two (g : group) (P : nat -> nat -> bool) : bool :=
  all (fun i => all (P i) (iota 0 (size (siblings g)))) (iota 0 (size (siblings g))).
Definition sumN := StatementCertificate.sumN.
Definition den_of (g : group) : N := e_den (its_powers (nth no_sibling (siblings g) 0)).
Definition told_of (g : group) : N := sumN [seq u.2 | u <- telling g].

Definition sibling_ok (g : group) (s : sibling) : bool :=
  [&& all (fun t => column_of s t < size (column_powers g)) (iota 0 (size (its_wants s))), (e_den (its_powers s) =? den_of g)%num,
      exponents_ok (extents_of s) (its_powers s) &
      all2 N.eqb [seq column_share (forms_in s) (its_columns s) (its_powers s) p | p <- iota 0 (size (column_powers g))] (column_powers g)].
Definition columns_ok (g : group) : bool :=
  [&& all (sibling_ok g) (siblings g), (0 <? den_of g)%num,
      any_two g (fun i j => let s := nth no_sibling (siblings g) i in let s' := nth no_sibling (siblings g) j in
        meet_in s s' (fun t t' => column_of s t == column_of s' t')),
      all (fun u : seq nat * N => any_two g (fun i j => (i == j) ||
        has (fun c => (c < size (column_powers g)) && tells_apart (nth no_sibling (siblings g) i) (nth no_sibling (siblings g) j) c) u.1)) (telling g) &
      all (fun p => sumN [seq if p \in u.1 then u.2 else 0%num | u <- telling g] <=? nth 0%num (column_powers g) p)%num
        (iota 0 (size (column_powers g))) && (told_of g <=? den_of g)%num].
Open Scope N_scope.
Definition missing_most (g : group) : N := foldr N.max 0 [seq missing (extents_of s) (forms_in s) (its_powers s) | s <- siblings g].
Definition powers_short (g : group) (X w : N) : bool :=
  let S := sumN (column_powers g) in
  X ^ S * (StatementCertificate.prodN [seq p ^ p | p <- column_powers g] * (missing_most g * N.of_nat (size (siblings g)) ^ (den_of g - told_of g))) <?
  S ^ S * w ^ den_of g.
(* Rows and columns of makers, and all words of the columns in which these stand: u of them make at most u^2 / (4 tail^2) words.  On each of
   sixteen parts of 0 .. X the square lies below its chord. *)
Definition base : claim := claim_of no_sibling.
Definition row_and_column (m : maker) : seq nat := [:: row_of tx base m; AffineClaim.column_of tx base m].
Definition made_of : seq nat := flatten [seq row_and_column m | m <- its_makers cs].
Definition of_need (s : sibling) (t : nat) : nat := (nth (0%nat, [::]) (its_wants s) t).1.
Definition in_block (g : group) (p : nat) : bool :=
  has (fun s => has (fun t => (column_of s t == p) && (of_need s t \in made_of)) (iota 0%nat (size (its_wants s)))) (siblings g).
Definition block_of (g : group) : seq nat :=
  flatten [seq [seq of_need s t | t <- iota 0%nat (size (its_wants s)) & in_block g (column_of s t)] | s <- siblings g].
Definition block_ok (g : group) : bool :=
  [&& uniq made_of, (0 <? its_tail cs)%num, all (fun c => c \in block_of g) made_of &
      all (fun s => all (fun t => (of_need s t \in block_of g) ==> in_block g (column_of s t)) (iota 0%nat (size (its_wants s)))) (siblings g)].
Definition per_made : N := 4 * its_tail cs ^ 2.
(* u words of the columns of the block make u^2 / per words. *)
Definition part_short (per : N) (blk : pred nat) (g : group) (X w low high : N) : bool :=
  let S := sumN (column_powers g) in
  (low + high <=? per) &&
  ((per * X - low * high) ^ S * (StatementCertificate.prodN [seq p ^ p | p <- column_powers g] *
     (missing_most g * N.of_nat (size (siblings g)) ^ (den_of g - told_of g))) <?
   S ^ S * (StatementCertificate.prodN [seq (if blk p then per - (low + high) else per) ^ nth 0 (column_powers g) p |
     p <- iota 0%nat (size (column_powers g))] * w ^ den_of g)).
Definition parts_short (per : N) (blk : pred nat) (g : group) (X w : N) : bool :=
  all (fun b => part_short per blk g X w (X * N.of_nat b / 16) ((X * N.of_nat b.+1 + 15) / 16)) (iota 0%nat 16%nat).
Definition made_short (g : group) : N -> N -> bool := parts_short per_made (in_block g) g.
(* X words suffice for h steps at most *)
Definition few (g : group) (X h : N) : bool :=
  match paired g with
  | Some p => [&& nilp (its_makers cs), (size (siblings g) == 1)%N & few_by_pairs tx (claim_of (nth no_sibling (siblings g) 0)) p X h]
  | None => columns_ok g && if nilp (its_makers cs) then powers_short g X (h + 1) else block_ok g && made_short g X (h + 1)
  end.
Definition steps_in (g : group) : N := sumN [seq steps_of tx (claim_of s) | s <- siblings g].

Definition components (g : group) : seq nat := flatten [seq map fst (its_wants s) | s <- siblings g].
Definition ledgers_apart : bool :=
  all (fun l => all (fun l' => (l == l') || ~~ has (fun c => c \in components (group_at l')) (components (group_at l)))
                    (iota 0%N (size (groups cs)))) (iota 0%N (size (groups cs))).
Definition in_no_ledger (a : nat) : bool :=
  all (fun g => all (fun k : kind => k.2.1 \notin components g) (kinds base a)) (groups cs).
End Check.

Open Scope N_scope.
(* Of each group: `first`, `length`, segments - 1, `most_first`, `most`; the value B *)
Definition cut_of (cuts : seq N) (l i : nat) : N := nth 0%num cuts (5 * l + i)%N.
Definition events_of (cuts : seq N) (l : nat) : N := cut_of cuts l 0%N + cut_of cuts l 2%N * cut_of cuts l 1%N + 1.
Definition cut_good (M : N) (tx : text) (cs : groups_claim) (cuts : seq N) (l : nat) : bool :=
  [&& few tx cs (group_at cs l) (cut_of cuts l 0%N) (cut_of cuts l 3%N),
      (cut_of cuts l 2%N =? 0) || few tx cs (group_at cs l) (M + cut_of cuts l 1%N) (cut_of cuts l 4%N) &
      cut_of cuts l 3%N + cut_of cuts l 2%N * cut_of cuts l 4%N <? steps_in tx cs (group_at cs l)].
Definition groups_ok (tx : text) (lives : seq (option region)) (cs : groups_claim) : bool :=
  (0%N < size (groups cs))%N && all (fun g => (0%N < size (siblings g))%N && all (fun s => claim_ok tx lives (claim_of cs s)) (siblings g)) (groups cs).
Definition groups_check (M : N) (tx : text) (e : ends) (cs : groups_claim) (cuts : seq N) (B : N) : bool :=
  [&& ends_ok tx e, groups_ok tx (leading e) cs, ledgers_apart cs, all (cut_good M tx cs cuts) (iota 0%N (size (groups cs))) &
      B + births_of tx (claim_of cs no_sibling) <=?
        sumN [seq events_of cuts l | l <- iota 0%N (size (groups cs))] + ends_in_of tx e (in_no_ledger cs) + ends_out_of tx e].
(* with recomputation; and when nothing is computed twice *)
Definition affine_check (M : N) (tx : text) (e : ends) (cs : groups_claim) (cuts : seq N) (B : N) : bool := ~~ its_once cs && groups_check M tx e cs cuts B.
Definition affine_once_check := groups_check.
Close Scope N_scope.

(* sums over the members of one group *)
Lemma sum_tag (I : finType) (k : I -> nat) (f : {i : I & 'I_(k i)} -> nat) l : \sum_(i | tag i == l) f i = \sum_(j < k l) f (Tagged (fun i => 'I_(k i)) j).
Proof.
have := sig_big_dep (pred1 l) (fun i (j : 'I_(k i)) => true) (fun i j => f (Tagged (fun i => 'I_(k i)) j)) (idx := 0) (op := addn_comoid) => /= E.
rewrite big_pred1_eq in E; rewrite E; apply: eq_big => [[i j]|[i j] _] //=; by rewrite andbT.
Qed.
Lemma sumN_nth (T : Type) (x0 : T) (F : T -> N) (l : seq T) : nat_ (sumN [seq F x | x <- l]) = \sum_(i < size l) nat_ (F (nth x0 l i)).
Proof.
elim: l => [|x l IH]; first by rewrite big_ord0.
by rewrite big_ord_recl /= -IH N2Nat.inj_add.
Qed.
Lemma max_nth (l : seq N) i : i < size l -> nat_ (nth 0%num l i) <= nat_ (foldr N.max 0%num l).
Proof. by elim: l i => [|x l IH] [|i] //= il; [|have := IH i il]; clear; lia. Qed.
Lemma all2_eqbN (a b : seq N) : all2 N.eqb a b -> a = b.
Proof. by elim: a b => [|x a IH] [|y b] //= /andP[/N.eqb_eq -> /IH ->]. Qed.
Lemma all_iota (P : pred nat) n i : all P (iota 0 n) -> i < n -> P i.
Proof. by move=> /allP H il; apply: H; rewrite mem_iota. Qed.

Lemma flatten_nth (T : Type) (x0 : T) (F : T -> seq nat) (l : seq T) c :
  reflect (exists2 i, i < size l & c \in F (nth x0 l i)) (c \in flatten [seq F x | x <- l]).
Proof.
apply: (iffP idP) => [|[i]]; elim: l => //= x l IH; rewrite mem_cat.
  by case/orP=> [cx|/IH[i il ci]]; [exists 0 | exists i.+1].
by case: i IH => [|i] IH il ci; rewrite ?ci //; apply/orP; right; elim: l i il ci {IH} => //= y l IH [|i] il ci; rewrite mem_cat ?ci // (IH i) ?orbT.
Qed.

Lemma four n g r k : n * g <= r * k -> n * (4 * g) <= (r + k) ^ 2.
Proof. by move=> one; rewrite mulnCA; apply: (leq_trans (leq_mul (leqnn 4) one)); exact: nat_AGM2. Qed.
Lemma sixteenth x u : u <= x -> exists2 b, b < 16 & x * b %/ 16 <= u <= (x * b.+1 + 15) %/ 16.
Proof.
move=> ux; case: (posnP x) => [x0|x0]; first by exists 0 => //; move: ux; rewrite x0 muln0 leqn0 => /eqP ->.
have lo := leq_trunc_div (16 * u) x; have hi := ltn_ceil (16 * u) x0; move: lo hi; move: (_ %/ x) => q lo hi.
have up k : 16 * u <= x * k -> u <= (x * k + 15) %/ 16 by move=> le; rewrite leq_divRL //; move: le; clear; lia.
have down k : x * k <= 16 * u -> x * k %/ 16 <= u by move=> le; rewrite -(mulKn u (isT : 0 < 16)); apply: leq_div2r.
have [q15|q15] := leqP q 15.
  by exists q => //; apply/andP; split; [apply: down; rewrite (mulnC x) | apply: up; rewrite (mulnC x) ltnW].
exists 15 => //; apply/andP; split; first by apply: down; apply: leq_trans lo; rewrite (mulnC x) leq_mul2r ltnW ?orbT.
by apply: up; rewrite (mulnC x) leq_mul2l ux orbT.
Qed.

Section Sound.
Variables (tx : text) (no : no_circle tx) (e : ends) (cs : groups_claim).
Notation G := (computation no).
Hypotheses (eok : ends_ok tx e) (gok : groups_ok tx (leading e) cs) (apart : ledgers_apart cs).
Notation L := 'I_(size (groups cs)).
Definition members (l : L) : nat := size (siblings (group_at cs l)).
Notation S := [finType of {l : L & 'I_(members l)}].
Definition at_member (i : S) : sibling := sibling_at cs (tag i) (tagged i).
Notation cl i := (claim_of cs (at_member i)).
Lemma good (i : S) : claim_ok tx (leading e) (cl i).
Proof.
case/andP: gok => _ /(all_nthP no_group)/(_ (tag i) (ltn_ord (tag i)))/andP[_ /(all_nthP no_sibling)]; apply; exact: ltn_ord (tagged i).
Qed.
Definition first_l : L. Proof. by case/andP: gok => h _; exists 0. Defined.
Definition first_member : S.
Proof.
have h : 0 < members first_l by case/andP: gok => _ /(all_nthP no_group)/(_ first_l (ltn_ord first_l))/andP[].
exact: (Tagged (fun l => 'I_(members l)) (Ordinal h)).
Defined.
Notation base := (base cs).
Notation name := (name base).
Notation word := (@word tx no base).
Notation own := (@own tx no base).
Notation born := (@born tx no base).

Lemma base_owns : owns own word born. Proof. exact (@own_owns tx no e (cl first_member) (good first_member)). Qed.
Lemma base_births : #|births own word born| <= nat_ (births_of tx base). Proof. exact (@births_card tx no e (cl first_member) (good first_member)). Qed.
Notation T i := (steps tx (cl i)).
Notation needN i := ('I_(size [seq w.2 | w <- wants (cl i)])).
Definition need_ (i : S) : needN i -> T i -> option G := @need tx no (cl i).
Notation made_ := (@may_be_made tx no base).
Lemma base_needs (i : S) : needs own word born made_ (its_once cs) (step no (good i)) (@need_ i).
Proof. exact (@step_needs tx no e (cl i) eok (good i)). Qed.

Lemma need_lt (i : S) (n : needN i) : n < size (its_wants (at_member i)).
Proof. by apply: leq_trans (ltn_ord n) _; rewrite size_map. Qed.
Definition said (i : S) (n : nat) : nat * seq form := nth (0, [::]) (its_wants (at_member i)) n.
Lemma need_name (i : S) (n : needN i) x : exists2 u : G, need_ n x = Some u &
  name (ssval u) = ((said i n).1, [seq value f (ints (ssval x)) | f <- (said i n).2]).
Proof.
have [v vE] := @wanted_named tx no e (cl i) (good i) n x.
have [u uw uE] := @word_of_name tx no (cl i) v _ vE; exists u; [exact: uw | exact: uE].
Qed.
Lemma value_constant f x : constant f -> value f x = f.1.
Proof.
rewrite /constant /value; case: f => b a /= z; have -> : dot a x = 0%Z; last by rewrite Z.add_0_r.
by elim: a x z => [|c a IH] [|v x] //= /andP[/Z.eqb_eq -> z]; rewrite IH.
Qed.
Lemma needs_meet i i' (n : needN i) (n' : needN i') x y : need_ n x = need_ n' y -> may_meet (said i n) (said i' n').
Proof.
have [u -> uE] := need_name n x; have [u' -> uE'] := need_name n' y; move=> [E]; rewrite -E uE in uE'.
case: uE' => cE; rewrite /may_meet cE eqxx /=; elim: (said i n).2 (said i' n').2 => [|f fs IH] [|g gs] //= [fg /IH ->]; rewrite andbT.
by apply/negP => /and3P[cf cg /negP[]]; apply/Z.eqb_eq; rewrite -(value_constant (ints (ssval x)) cf) fg (value_constant _ cg).
Qed.
Lemma meet_inP i i' P (n : needN i) (n' : needN i') x y : meet_in (at_member i) (at_member i') P -> need_ n x = need_ n' y -> P n n'.
Proof.
move=> H /needs_meet m; by have := all_iota (all_iota H (need_lt n)) (need_lt n'); rewrite -/(said i n) -/(said i' n') m.
Qed.

(* ---- ledgers ---- *)
Definition ledger (w : option G) : option L :=
  if w is Some u then [pick l : L | (name (ssval u)).1 \in components (group_at cs l)] else None.
Lemma ledger_of (l : L) c (w : option G) : c \in components (group_at cs l) -> w \in of_component no base c -> ledger w = Some l.
Proof.
rewrite inE /ledger; case: w => // u here /eqP ->; case: pickP => [l' there|/(_ l)]; last by rewrite here.
have := all_iota (all_iota apart (ltn_ord l)) (ltn_ord l') => /orP[/eqP E|/hasPn H]; last by have := H _ here; rewrite there.
by congr Some; apply/val_inj.
Qed.
Lemma need_component (i : S) (n : needN i) x c : (need_ n x \in of_component no base c) = ((said i n).1 == c).
Proof. by have [u -> uE] := need_name n x; rewrite inE uE. Qed.
Lemma said_in (i : S) (n : needN i) : (said i n).1 \in components (group_at cs (tag i)).
Proof.
have nl : n < size (its_wants (at_member i)) := need_lt n.
have : (said i n).1 \in map fst (its_wants (at_member i)) by rewrite -(nth_map _ 0 fst nl); apply: mem_nth; rewrite (size_map fst).
rewrite /components /at_member /sibling_at; move: (said i n).1 (ltn_ord (tagged i)); rewrite /members; move: (tagged i : nat) => k c.
elim: (siblings _) k => //= s l IH [|k] kl cin; rewrite mem_cat ?cin //; apply/orP; right; exact: IH kl cin.
Qed.
Lemma ledger_on (i : S) (n : needN i) x : ledger (need_ n x) = Some (tag i).
Proof. by apply: ledger_of (said_in n) _; rewrite need_component. Qed.
Lemma ledger_none (v : G) : in_no_ledger cs (ssval v).1 -> ledger (word v) = None.
Proof.
have [u uw uE] := @word_of_name tx no base v _ erefl; rewrite [word v]uw /ledger => /(all_nthP no_group) none.
rewrite uE; case: pickP => // l; have /(all_nthP no_kind)/(_ _ (kind_lt (good first_member) (ssval v))) := none l (ltn_ord l).
by move=> /negbTE no_; rewrite -/(kind_ base _ _) -/(label base _ _) in no_; rewrite -[(name _).1]/((label base (ssval v).1 (kind_at base (ssval v))).1) no_.
Qed.

(* ---- what X words allow ---- *)
Section Law.
Variable l : L.
Notation g := (group_at cs l).
Definition at_ (j : 'I_(members l)) : S := Tagged (fun l => 'I_(members l)) j.
Notation width := (size (column_powers g)).
(* words that are made of those there are *)
Definition block : {set option G} := [set w | if w is Some u then (name (ssval u)).1 \in block_of tx cs g else false].
Definition few_words (Dw Mw : {set option G}) : Prop :=
  if nilp (its_makers cs) then Mw = set0 else #|Mw| * nat_ (per_made cs) <= #|Dw :&: block| ^ 2.
Definition whole_law (X h : nat) : Prop := forall (Dw Mw : {set option G}) (F : forall j : 'I_(members l), {set T (at_ j)}), #|Dw| <= X -> few_words Dw Mw ->
  (forall j y n, y \in F j -> need_ (i := at_ j) n y \in Dw :|: Mw) -> \sum_j #|F j| <= h.

Section Columns.
Hypothesis ok : columns_ok tx g.
Lemma sibling_at_ok (j : 'I_(members l)) : sibling_ok tx g (at_member (at_ j)).
Proof. by case/and5P: ok => /(all_nthP no_sibling)/(_ j (ltn_ord j)). Qed.
Lemma in_width j (n : needN (at_ j)) : column_of (at_member (at_ j)) n < width.
Proof. case/and4P: (sibling_at_ok j) => H _ _ _; exact: all_iota H (need_lt n). Qed.
Lemma columns_same j j' (n : needN (at_ j)) (n' : needN (at_ j')) x y : need_ n x = need_ n' y ->
  column_of (at_member (at_ j)) n = column_of (at_member (at_ j')) n'.
Proof.
case/and5P: ok => _ _ H _ _ /(meet_inP (i := at_ j) (i' := at_ j') (all_iota (all_iota H (ltn_ord j)) (ltn_ord j'))) E; exact/eqP/E.
Qed.
Definition col j : needN (at_ j) -> 'I_width := column (@in_width j).
Lemma each j (F : {set T (at_ j)}) : #|F| ^ (nat_ (den_of g)).-1.+1 <=
  nat_ (missing_most tx g) * \prod_(p < width) #|used (@need_ (at_ j)) (@col j) F p| ^ nat_ (nth 0%num (column_powers g) p).
Proof.
have /and4P[_ /N.eqb_eq denE /andP[/N.ltb_lt d0 csP] /all2_eqbN shE] := sibling_at_ok j.
have den0 : 0 < nat_ (e_den (its_powers (at_member (at_ j)))) by move: d0; clear; lia.
have named t t' (x y : T (at_ j)) : @need_ (at_ j) t x = @need_ (at_ j) t' y ->
    nth 0 (its_columns (at_member (at_ j))) t = nth 0 (its_columns (at_member (at_ j))) t' /\
    (t = t' -> [seq value f (ints (ssval x)) | f <- nth [::] (forms_in (at_member (at_ j))) t] =
               [seq value f (ints (ssval y)) | f <- nth [::] (forms_in (at_member (at_ j))) t]).
  move=> E; split; first exact: columns_same E.
  move=> tt; rewrite -{}tt in E; rewrite /forms_in !(nth_map (0, [::])) ?need_lt //.
  by have := @need_tells tx no e (cl (at_ j)) (good (at_ j)) t t x y E => -[].
have := powers_count (need := @need_ (at_ j)) (pos := fun x : T (at_ j) => ssval x) val_inj (@step_inside tx (cl (at_ j))) (@in_width j) named csP F den0.
rewrite -denE prednK // mulnC => /leq_trans; apply; apply: leq_mul.
  apply: leq_trans (max_nth (i := j) _); last by rewrite size_map ltn_ord.
  by rewrite (nth_map no_sibling) ?ltn_ord.
apply/eq_leq/eq_bigr => p _; congr (_ ^ nat_ _); have := congr1 (fun s => nth 0%num s p) shE.
by rewrite (nth_map 0) ?size_iota // nth_iota // add0n.
Qed.
Notation U := [finType of 'I_(size (telling g))].
Definition unit_ (u : U) := nth ([::], 0%num) (telling g) u.
Definition cols (u : U) : {set 'I_width} := [set p : 'I_width | val p \in (unit_ u).1].
Definition m_ (u : U) := nat_ (unit_ u).2.
Definition P_ (p : 'I_width) := nat_ (nth 0%num (column_powers g) p).
Definition K_ := nat_ (missing_most tx g).
Notation den := (nat_ (den_of g)).
Lemma den1 : den.-1.+1 = den. Proof. by case/and5P: ok => _ /N.ltb_lt d0 _ _ _; rewrite prednK //; move: d0; clear; lia. Qed.
Lemma sum_m : \sum_u m_ u = nat_ (told_of g). Proof. by rewrite /told_of (sumN_nth ([::], 0%num)). Qed.
Lemma sib : siblings_ok (fun j => @need_ (at_ j)) col P_ cols m_ K_ den.-1.
Proof.
case/and5P: ok => _ _ _ tl /andP[fits /N.leb_le few_].
split=> [j F|j j' n n' x y E|u j j' jj|p|]; first exact: each.
- by apply/val_inj; apply: columns_same E.
- have := all_nthP ([::], 0%num) tl u (ltn_ord u) => /all_iota/(_ (ltn_ord j))/all_iota/(_ (ltn_ord j')).
  rewrite -val_eqE in jj; rewrite (negbTE jj) => /hasP[c cu /andP[cw ap]]; exists (Ordinal cw); first by rewrite inE.
  move=> n n' x y /(congr1 val) nc /(congr1 val) nc' E; have := meet_inP (i := at_ j) (i' := at_ j') ap E.
  have -> : column_of (at_member (at_ j)) n = c by exact: nc.
  have -> : column_of (at_member (at_ j')) n' = c by exact: nc'.
  by rewrite eqxx.
- have := all_iota fits (ltn_ord p) => /=; set a := sumN _ => /N.leb_le le; apply: (@leq_trans (nat_ a)); last first.
    by rewrite /P_; move: le; move: a (nth _ _ _) => x y; clear; lia.
  by rewrite /a (sumN_nth ([::], 0%num)) big_mkcond; apply: leq_sum => u _; rewrite inE; case: ifP.
by rewrite sum_m den1; move: few_; clear; lia.
Qed.
Lemma sum_P : \sum_p P_ p = nat_ (sumN (column_powers g)).
Proof. by have := sumN_nth 0%num id (column_powers g); rewrite map_id => ->. Qed.
Lemma prod_P : \prod_p P_ p ^ P_ p = nat_ (StatementCertificate.prodN [seq (p ^ p)%num | p <- column_powers g]).
Proof.
rewrite /P_; elim: (column_powers g) => [|p ps IH]; first by rewrite big_ord0.
by rewrite big_ord_recl /= IH N2Nat.inj_mul StatementCertificate.powN.
Qed.
Lemma shares : K_ * #|'I_(members l)| ^ (den - nat_ (told_of g)) =
  nat_ (missing_most tx g) * nat_ (N.of_nat (size (siblings g))) ^ nat_ (den_of g - told_of g).
Proof. by rewrite Nat2N.id N2Nat.inj_sub card_ord. Qed.
Lemma mulN a b : nat_ (a * b)%num = nat_ a * nat_ b. Proof. exact: N2Nat.inj_mul. Qed.
Lemma addN a b : nat_ (a + b)%num = nat_ a + nat_ b. Proof. exact: N2Nat.inj_add. Qed.
Lemma subN a b : nat_ (a - b)%num = nat_ a - nat_ b. Proof. exact: N2Nat.inj_sub. Qed.
Lemma divN a : nat_ (a / 16)%num = nat_ a %/ 16.
Proof.
have E := N.div_mod a 16 ltac:(done); have lt := N.mod_lt a 16 ltac:(done); apply/esym.
have -> : nat_ a = nat_ (a / 16)%num * 16 + nat_ (a mod 16)%num.
  by move: E; move: (a / 16)%num (a mod 16)%num => q r; clear; lia.
rewrite divnMDl // divn_small ?addn0 //; move: lt; move: (_ mod _)%num => r; clear; lia.
Qed.
Lemma ltN a b : (a <? b)%num -> nat_ a < nat_ b. Proof. by move=> /N.ltb_lt; clear; lia. Qed.
Lemma columns_law X h : nilp (its_makers cs) -> powers_short tx g X (h + 1)%num -> whole_law (nat_ X) (nat_ h).
Proof.
move=> none /ltN; rewrite !mulN !StatementCertificate.powN -prod_P -shares => short Dw Mw F le; rewrite /few_words none => -> inD.
apply: (siblings_most sib) le _ => [|j y n yF]; last by have := inD j y n yF; rewrite setU0.
rewrite sum_P den1 sum_m; have -> : (nat_ h).+1 = nat_ (h + 1)%num by clear; lia.
exact: short.
Qed.

(* the columns of a block, whichever it is *)
Lemma boxes_short per (blk : pred nat) X h : parts_short tx per blk g X (h + 1)%num -> forall u, u <= nat_ X ->
  exists low high, [/\ low <= u <= high, low + high <= nat_ per &
    box_short [finType of 'I_(members l)] P_ m_ K_ den.-1 [set p : 'I_width | blk p] (nat_ per) (nat_ X) (nat_ h) low high].
Proof.
move=> short u ux.
have [b b16 /andP[lo hi]] := sixteenth ux; have /andP[/N.leb_le kk /ltN {}short] := all_iota short b16.
exists (nat_ (X * N.of_nat b / 16)), (nat_ ((X * N.of_nat b.+1 + 15) / 16)); split.
- by rewrite !divN !addN !mulN !Nat2N.id lo.
- by move: kk; clear; lia.
rewrite /box_short sum_P den1 sum_m prod_P shares; move: short {kk}; rewrite !mulN !StatementCertificate.powN.
set lo_ := (X * _ / 16)%num; set hi_ := ((_ + 15) / 16)%num; rewrite (subN (per * X)) !mulN.
have -> : nat_ (StatementCertificate.prodN [seq ((if blk p then per - (lo_ + hi_) else per) ^ nth 0 (column_powers g) p)%num |
    p <- iota 0 width]) = \prod_p (if p \in [set p : 'I_width | blk p] then nat_ per - (nat_ lo_ + nat_ hi_) else nat_ per) ^ P_ p.
  have -> (Q : nat -> N) n : nat_ (StatementCertificate.prodN [seq Q p | p <- iota 0 n]) = \prod_(p < n) nat_ (Q p).
    rewrite -(big_mkord xpredT (fun p => nat_ (Q p))) /index_iota subn0; elim: (iota 0 n) => [|p ps IH]; first by rewrite big_nil.
    by rewrite big_cons -IH /= mulN.
  apply: eq_bigr => p _; rewrite StatementCertificate.powN inE; case: ifP => // _; by rewrite subN addN.
by have -> : (nat_ h).+1 = nat_ (h + 1)%num by clear; lia.
Qed.

(* ---- words that are made ---- *)
Hypothesis bok : block_ok tx cs g.
Definition B_ : {set 'I_width} := [set p : 'I_width | in_block tx cs g p].
Lemma need_of j (n : needN (at_ j)) x : exists2 u : G, need_ n x = Some u & (name (ssval u)).1 = of_need (at_member (at_ j)) n.
Proof. by have [u -> /(congr1 fst) uE] := need_name n x; exists u. Qed.
Lemma need_block j (n : needN (at_ j)) x : (need_ n x \in block) = (col n \in B_).
Proof.
have [u -> uE] := need_of n x; rewrite !inE uE; apply/idP/idP => [cb|bl].
  case/and4P: bok => _ _ _ /(all_nthP no_sibling)/(_ j (ltn_ord j))/all_iota/(_ (need_lt n)).
  by move=> /implyP H; apply: H.
apply/(flatten_nth no_sibling); exists j; first exact: ltn_ord.
have cE : (of_need (at_member (at_ j)) n) = of_need (nth no_sibling (siblings g) j) n by [].
rewrite cE; apply: map_f; rewrite mem_filter mem_iota add0n (need_lt n) !andbT; exact: bl.
Qed.
Lemma made_law X h : ~~ nilp (its_makers cs) -> made_short tx cs g X (h + 1)%num -> whole_law (nat_ X) (nat_ h).
Proof.
move=> some short Dw Mw F le; rewrite /few_words (negbTE some) => few_ inD.
exact: (@made_most _ _ _ _ _ _ _ P_ U cols m_ K_ den.-1 sib B_ block (nat_ (per_made cs)) (nat_ X) (nat_ h) need_block (boxes_short short) Dw Mw F le inD few_).
Qed.
End Columns.

Lemma few_law X h : few tx cs g X h -> whole_law (nat_ X) (nat_ h).
Proof.
rewrite /few; case: (paired g) => [p|/andP[ok]]; last first.
  by case: (boolP (nilp _)) => [none|some /andP[bok]]; [apply: columns_law | apply: made_law].
case/and3P=> none /eqP one pairs Dw Mw F le; rewrite /few_words none => -> inD; have H := @pairs_can tx no e (cl (at_ (cast_ord (esym one) ord0))) (good _) p X h.
have -> : \sum_j #|F j| = #|F (cast_ord (esym one) ord0)|.
  rewrite (big_pred1 (cast_ord (esym one) ord0)) // => j; apply/esym/eqP/val_inj => /=.
  by case: j => j jl /=; move: jl; rewrite /members one; case: j.
by apply: (H pairs Dw _ le) => y yF n; have := inD _ y n yF; rewrite setU0.
Qed.
Lemma few_block X h : few tx cs g X h -> nilp (its_makers cs) \/ block_ok tx cs g.
Proof.
by rewrite /few; case: (paired g) => [p /and3P[->]|/andP[_]]; [left | case: ifP => [|_ /andP[bok _]]; [left | right]].
Qed.

Lemma steps_whole : nat_ (steps_in tx cs g) <= \sum_(i : S | tag i == l) #|T i|.
Proof.
rewrite (sum_tag (fun i : S => #|T i|)) /steps_in (sumN_nth no_sibling); apply: leq_sum => j _.
exact: (@card_steps tx e (cl (at_ j)) (good (at_ j))).
Qed.
End Law.
Lemma whole_ledger l X h : whole_law l X h -> ledger_most need_ (fun i : S => tag i) few_words l X h.
Proof.
move=> H Dw Mw F le fw inD; rewrite (sum_tag (fun i : S => #|F i|)); by apply: (H Dw Mw (fun j => F (at_ j)) le fw) => j y n yF; apply: (inD (at_ j) y n (erefl _) yF).
Qed.

(* ---- what is made ---- *)
Lemma components_sum (A : {set option G}) (ks : seq nat) : uniq ks -> \sum_(k <- ks) #|A :&: of_component no base k| <=
  #|A :&: [set w : option G | if w is Some u then (name (ssval u)).1 \in ks else false]|.
Proof.
elim: ks => [|k ks IH] /=; first by rewrite big_nil.
case/andP=> kn /IH{}IH; rewrite big_cons; apply: (leq_trans (leq_add (leqnn _) IH)).
rewrite -cardsUI (_ : _ :&: _ :&: _ = set0) ?cards0 ?addn0; last first.
  apply/setP => -[u|]; rewrite !inE ?andbF //; apply/negP => /andP[/andP[_ /eqP ->] /andP[_]]; by rewrite (negbTE kn).
apply/subset_leq_card/subsetP => -[u|]; rewrite !inE ?andbF // => /orP[/andP[-> ->]|/andP[-> ->]] //; by rewrite orbT.
Qed.
Section Made.
Variables (game : rules) (M : nat) (s : seq (move G)) (ok : legal game M s).
Variable c : births own word born -> nat -> nat.
Notation there p q := (avail s c word (fun k => word (val k)) p q).
Lemma squares p q (Mw : {set option G}) (ms : seq maker) (v_ : option G -> G) : 0 < nat_ (its_tail cs) -> all (maker_ok tx base) ms ->
  (forall w, w \in Mw -> w \notin there p q /\ exists i, [/\ word (v_ w) = w, p <= i < q & v_ w \in red (pos (start G) s i)]) ->
  #|[set w in Mw | has (fun m => may_make tx base m (ssval (v_ w))) ms]| * nat_ (per_made cs) <=
  (\sum_(k <- flatten [seq row_and_column tx cs m | m <- ms]) #|there p q :&: of_component no base k|) ^ 2.
Proof.
move=> t0 + H; elim: ms => [_|m ms IH /andP[mok /IH{}IH]]; first by rewrite (_ : [set w in Mw | _] = set0) ?cards0 //; apply/setP => w; rewrite !inE andbF.
rewrite [flatten _]/= big_cons big_cons; pose r := #|there p q :&: of_component no base (row_of tx base m)|.
pose k := #|there p q :&: of_component no base (AffineClaim.column_of tx base m)|; rewrite -/r -/k; set rest := \sum_(_ <- _) _.
have one : #|[set w in Mw | may_make tx base m (ssval (v_ w))]| * nat_ (its_tail cs) ^ 2 <= r * k.
  apply: (@maker_few tx no base m _ mok t0 game M s ok _ c) => [u|w]; first exact: (rooted_word (good first_member)).
  rewrite inE => /andP[/H[nw [i [vw iq vR]]] mv]; split=> //; by exists (v_ w), i.
apply: (@leq_trans (((r + k) ^ 2) + rest ^ 2)); last by clear; nia.
apply: (@leq_trans ((#|[set w in Mw | may_make tx base m (ssval (v_ w))]| + #|[set w in Mw | has (fun m => may_make tx base m (ssval (v_ w))) ms]|) * nat_ (per_made cs))).
  rewrite leq_mul2r; apply/orP; right; apply: leq_trans (leq_card_setU _ _); apply/subset_leq_card/subsetP => w; by rewrite !inE /= => /andP[-> /orP[]->]; rewrite ?orbT.
rewrite mulnDl; apply: leq_add IH; rewrite /per_made N2Nat.inj_mul StatementCertificate.powN; exact: four one.
Qed.
Lemma made_few (l : L) p q (Mw : {set option G}) : nilp (its_makers cs) \/ block_ok tx cs (group_at cs l) ->
  (forall w, w \in Mw -> [/\ ledger w = Some l, w \notin there p q &
     exists v i, [/\ word v = w, made_ v, p <= i < q & v \in red (pos (start G) s i)]]) -> few_words l (in_ledger s ledger c l p q) Mw.
Proof.
move=> bl H; rewrite /few_words; case: (boolP (nilp _)) => [/nilP none|some].
  by apply/setP => w; rewrite inE; apply/negP => /H[_ _ [v [i [_]]]]; rewrite /may_be_made /= none.
case: bl => [none|/and4P[un /N.ltb_lt t0 allin _]]; first by rewrite none in some.
case: (set_0Vmem Mw) => [->|[w0 /H[_ _ [v0 _]]]]; first by rewrite cards0.
have /fin_all_exists[v_ vP] : forall w, exists v, w \in Mw -> exists i, [/\ word v = w, made_ v, p <= i < q & v \in red (pos (start G) s i)].
  move=> w; case: (boolP (w \in Mw)) => [wM|_]; last by exists v0.
  by have [_ _ [v [i vi]]] := H w wM; exists v => _; exists i.
have mk : all (maker_ok tx base) (its_makers cs) by case/and5P: (good first_member) => _ _ _ _ /and3P[].
have := @squares p q Mw (its_makers cs) v_ _ mk _; rewrite -/(made_of tx cs) => sq.
have -> : Mw = [set w in Mw | has (fun m => may_make tx base m (ssval (v_ w))) (its_makers cs)].
  apply/setP => w; rewrite inE; case: (boolP (w \in Mw)) => //= wM; have [i [_ mv _ _]] := vP w wM; exact: esym mv.
apply: leq_trans (sq _ _) _ => [|w wM|]; first by move: t0; clear; lia.
  by have [_ nw _] := H w wM; split=> //; have [i [vw _ iq vR]] := vP w wM; exists i.
rewrite leq_exp2r //; apply: leq_trans (components_sum _ un) _; apply/subset_leq_card/subsetP => -[u|]; rewrite in_setI => /andP[ua]; rewrite inE // => um.
have ub := allP allin _ um; rewrite in_setI; apply/andP; split; last by rewrite inE.
apply: (avail_in (z := @place _ own _ word born) (ledger := fun v : G => ledger (word v)) _ _ ua) => // v vE; rewrite vE; apply: (ledger_of (c := (name (ssval u)).1)); last by rewrite inE.
move: ub => /(flatten_nth no_sibling)[i il /mapP[t + ->]]; rewrite mem_filter mem_iota add0n => /andP[_ tl].
apply/(flatten_nth no_sibling); exists i => //.
by rewrite /of_need -(nth_map _ 0 fst) ?size_map //; apply: mem_nth; rewrite !size_map.
Qed.
End Made.
End Sound.

Theorem affine_sound game M tx e cs cuts B : groups_check M tx e cs cuts B ->
  forall (no : no_circle tx) (s : seq (move (computation no))), legal game (nat_ M) s -> (its_once cs -> one_shot s) -> (B <= N.of_nat (cost s))%num.
Proof.
case/and5P=> eok gok ap cuts_ok /N.leb_le le no s ok one.
have [_ outs] := ends_count no eok; have ins := ends_in_count no (in_no_ledger cs) eok; have bs := base_births no gok.
pose n := size (groups cs); pose S := [finType of {l : 'I_n & 'I_(@members cs l)}].
pose c i (l : 'I_n) := nat_ (cut_of cuts l i).
pose total (l : 'I_n) := \sum_(i : S | tag i == l) #|steps tx (claim_of cs (at_member i))|.
pose ht l := if c 2 l == 0 then total l else c 4 l.
have good_cut (l : 'I_n) : cut_good M tx cs cuts l by apply: all_iota cuts_ok (ltn_ord l).
have made c (l : 'I_n) p q Mw := made_few gok ap ok (c := c) (l := l) (p := p) (q := q) (Mw := Mw) (few_block (proj1 (andP (good_cut l)))).
have := @own_ledgers game (nat_ M) (computation no) s ok _ _ _ _ (base_owns no gok) _ (its_once cs) [finType of 'I_n] S _ _ _ _ (fun i : S => tag i)
  (@ledger tx no cs) one (fun i => base_needs no eok gok i) (fun i n x => ledger_on no gok ap n x) (@few_words tx no cs) made
  [set v in needed (computation no) | in_no_ledger cs (ssval v).1] (c 0) (c 1) (c 2) (c 3) ht.
set outputs := #|_ :\: _| in outs *; set begun := #|births _ _ _| in bs *; set inputs := #|[set _ in _ | _]| in ins *.
move=> /(_ _)/(_ _)/(_ _)/(_ _)/(_ _) H.
have {H} : \sum_(l < n) (c 0 l + c 2 l * c 1 l + 1) + inputs + outputs <= cost s + begun.
  apply: H => [|v|l|l|l].
  - by apply/subsetP => v; rewrite inE => /andP[].
  - by rewrite inE => /andP[_]; apply: (ledger_none gok).
  - have /and3P[fl _ _] := good_cut l; exact: (whole_ledger (few_law (no := no) gok fl)).
  - apply: whole_ledger; rewrite /ht; case: eqP => [_ Dw Mw F _ _ _|q0].
      rewrite /total (sum_tag (fun i : S => #|steps tx (claim_of cs (at_member i))|)); by apply: leq_sum => j _; apply: max_card.
    have -> : nat_ M + c 1 l = nat_ (M + cut_of cuts l 1%N) by rewrite /c; clear; lia.
    have /and3P[_ /orP[/N.eqb_eq z|fl] _] := good_cut l; last exact: (few_law (no := no) gok fl).
    by rewrite /c z in q0.
  have lt := steps_whole gok l; case/and3P: (good_cut l) => _ _ /N.ltb_lt small.
  rewrite /ht; case: eqP => [z|_]; last first.
    apply: leq_trans lt; rewrite /c; move: small; move: (cut_of _ _ _) (cut_of _ _ _) (cut_of _ _ _) (steps_in _ _ _) => i j k w; clear; lia.
  have z' : cut_of cuts l 2 = 0%num by move: z; rewrite /c; clear; lia.
  by rewrite /total z mul0n addn0; apply: leq_trans lt; move: small; rewrite z' N.mul_0_l N.add_0_r /c; move: (cut_of _ _ _) (steps_in _ _ _) => i w; clear; lia.
have -> : \sum_(l < n) (c 0 l + c 2 l * c 1 l + 1) = nat_ (sumN [seq events_of cuts l | l <- iota 0 n]).
  rewrite (sumN_nth 0) size_iota; apply: eq_bigr => l _; rewrite nth_iota // add0n /events_of /c; clear; lia.
by move: le outs ins bs; rewrite -/n; move: (sumN _) (ends_in_of _ _ _) (ends_out_of _ _) (births_of _ _) (cost s) => a i o b k; clear; lia.
Qed.

Theorem affine_certificate game M tx e cs cuts B : affine_check M tx e cs cuts B ->
  forall (no : no_circle tx) (s : seq (move (computation no))), legal game (nat_ M) s -> (B <= N.of_nat (cost s))%num.
Proof. by case/andP=> /negbTE twice ok no s legal_s; apply: (affine_sound ok legal_s); rewrite twice. Qed.
Theorem affine_once_certificate game M tx e cs cuts B : affine_once_check M tx e cs cuts B ->
  forall (no : no_circle tx) (s : seq (move (computation no))), legal game (nat_ M) s -> one_shot s -> (B <= N.of_nat (cost s))%num.
Proof. by move=> ok no s legal_s once_s; apply: (affine_sound ok legal_s). Qed.
