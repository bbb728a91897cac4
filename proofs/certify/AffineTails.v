(* Certificates of `affine` in which words that are read have tails (docs/theory-affine.md, section 4.1): a step reads words that others may
   continue, lu.  One statement of one group.  Words are cut into tails, each with those of its need, and what is before them; what is read
   and has nothing red or loaded in its tail is made, by rows and columns of what is read. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect ssrZ.
From redblue Require Import Boxes Game Trace Count Segment Ledgers Rooted OwnWords Siblings Made Affine Words CompulsoryCertificate AffineForms AffineClaim AffineMade AffineCertificate.
From redblue Require StatementCertificate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Local Notation nat_ := N.to_nat.

(* Elements of an array that are read: where, of which kind, and by what access each reads the element before on its word, a chain's. *)
Record head := Head { head_array : nat; head_where : seq form; head_kind : nat; head_first : nat }.
Record tailing := Tailing {
  uncut : seq (seq kind);             (* of each array: words before they are cut *)
  body : nat; row_part : nat; column_part : nat;   (* components of the cut words: what is before tails; tails of rows and of columns *)
  heads : seq head; chain : maker;    (* what is read; who makes it: the words cut are those of the groups, the tail one element less *)
  short_row : form; short_column : form;  (* of labels: where it is not negative the word is all tail *)
  side : form }.                      (* of labels: not negative for rows, negative for columns *)

Definition negative (f : form) : form := less never f.

Section Check.
Variables (tx : text) (lives : seq (option region)) (cs : groups_claim) (tl : tailing).
Notation ext := (extents tx).
Notation cut := (base cs).
Notation m := (chain tl).
Definition made_at : nat := made_array tx m.
Definition whole_words : claim := Claim false (its_owned cs) (uncut tl) [::] [:: m] (its_tail cs) made_at [::] [::].
Definition parts : seq nat := [:: body tl; row_part tl; column_part tl].
Definition in_tails (c : nat) : bool := (c == row_part tl) || (c == column_part tl).
Definition one_word : nat := (label whole_words made_at 0).1.

(* Of each array and kind: cut words of these components are of the words with their labels. *)
Definition kind_good (a q : nat) : bool := let l := label cut a q in
  [&& (l.1 \in parts) == ((label whole_words a 0).1 == one_word),
      (l.1 \in parts) ==> all2 (same (ext a) [::]) l.2 (label whole_words a 0).2,
      (l.1 == row_part tl) ==> implies (ext a) (kind_ cut a q).1 (subst (side tl) l.2),
      (l.1 == column_part tl) ==> implies (ext a) (kind_ cut a q).1 (negative (subst (side tl) l.2)) &
      [&& (l.1 == row_part tl) ==> all (fun r => implies (ext a) r (negative (subst (short_row tl) l.2))) (starts_of tx cut a q) &
          (l.1 == column_part tl) ==> all (fun r => implies (ext a) r (negative (subst (short_column tl) l.2))) (starts_of tx cut a q)]].
Definition words_good : bool :=
  [&& uniq parts, all_rooted tx whole_words one_word, all_rooted tx cut (body tl) &
      all (fun a => plain whole_words a && all (kind_good a) (iota 0 (size (kinds cut a)))) (iota 0 (size (arrays tx)))].

(* ---- what is read ---- *)
Definition head_label (h : head) : nat * seq form := label cut (head_array h) (head_kind h).
Definition head_long (h : head) : seq form :=
  negative (subst (if (head_label h).1 == row_part tl then short_row tl else short_column tl) (head_label h).2) :: head_where h.
(* the form is not negative on the chain of a head *)
Definition along (h : head) (f : form) : bool := let hs := index (acc tx (head_first h)) in
  [&& same (ext made_at) (where_ (acc tx (before m))) (subst f (index (acc tx (before m)))) (add f (moves tx m f, [::])),
      implies (ext (head_array h)) (head_long h) (subst f hs) &
      implies (ext (head_array h)) (head_long h) (subst (far tx m (its_tail cs - 1)%num f) hs)].
Definition of_kind_along (h : head) (q : nat) : bool :=
  [&& (label cut made_at q).1 == (head_label h).1, all (along h) (kind_ cut made_at q).1 &
      all (fun d : seq form => has (fun f => along h (negative f)) d) (before_kind cut made_at q)].
Definition read_along (h : head) (k part : nat) : bool :=
  has (fun h' => [&& head_array h' == read (acc tx k), (head_label h').1 == part & all (fun f => along h (subst f (index (acc tx k)))) (head_where h')]) (heads tl).
Definition head_chained (h : head) : bool := let a := head_array h in let k := head_first h in
  [&& single tx a (head_long h) k, read (acc tx k) == made_at,
      all (fun f => implies (ext a) (head_long h) (subst f (index (acc tx k)))) (tail_forms tx whole_words m),
      all2 (same (ext a) (head_long h)) (moved tx k (label whole_words made_at 0).2) (label whole_words a 0).2 &
      [&& has (of_kind_along h) (iota 0 (size (kinds cut made_at))), read_along h (row_read m) (row_part tl) & read_along h (column_read m) (column_part tl)]].
Definition head_ok (h : head) : bool := let a := head_array h in
  [&& in_tails (head_label h).1, of_kind tx cut a (head_where h) a (variables (size (ext a))) (head_kind h) &
      if implies (ext a) (head_long h) never then true else head_chained h].

(* ---- steps ---- *)
Definition way_ok (s : sibling) (r : seq form) (wy : (nat * seq form) * way) : bool :=
  if wy.2.1 is Some k then
    has (fun h => [&& head_array h == read (acc tx k), (head_label h).1 == wy.1.1 &
      all (fun f => implies (ext (of_array s)) r (subst f (index (acc tx k)))) (head_where h)]) (heads tl)
  else wy.1.1 == body tl.
Definition ways_ok (s : sibling) : bool := all (fun ry : seq form * seq way => all (way_ok s ry.1) (zip (its_wants s) ry.2)) (on_regions s).
Definition in_a_tail (g : group) (p : nat) : bool :=
  has (fun s => has (fun t => (column_of s t == p) && in_tails (of_need s t)) (iota 0 (size (its_wants s)))) (siblings g).
Definition tails_apart (g : group) : bool :=
  all (fun s => all (fun t => in_a_tail g (column_of s t) ==> in_tails (of_need s t)) (iota 0 (size (its_wants s)))) (siblings g).
Definition tails_few (g : group) (X h : N) : bool := parts_short tx (per_made cs) (in_a_tail g) g X (h + 1)%num.
Definition tails_ok : bool := let g := group_at cs 0 in
  [&& size (groups cs) == 1, columns_ok tx g, claim_ok tx lives whole_words, words_good &
      [&& all head_ok (heads tl), all ways_ok (siblings g), tails_apart g, (0 <? its_tail cs)%num &
          all (fun c => c \in components g) parts && all (fun c => c \in parts) (components g)]].
End Check.

Section Sound.
Variables (tx : text) (no : no_circle tx) (e : ends) (cs : groups_claim) (tl : tailing).
Notation G := (computation no).
Hypotheses (eok : ends_ok tx e) (gok : groups_ok tx (leading e) cs) (apart : ledgers_apart cs) (tok : tails_ok tx (leading e) cs tl).
Notation ext := (extents tx).
Notation cut := (base cs).
Notation whole := (whole_words tx cs tl).
Notation m := (chain tl).
Notation am := (made_at tx tl).
Notation cname := (name cut).
Notation wname := (name whole).
Notation cword := (@word tx no cut).
Notation wword := (@word tx no whole).
Notation g := (nat_ (its_tail cs)).
Let vertex := @AffineClaim.vertex tx no.

Lemma ok_parts : [/\ size (groups cs) = 1, columns_ok tx (group_at cs 0), claim_ok tx (leading e) whole & words_good tx cs tl].
Proof. by case/and5P: tok => /eqP. Qed.
Lemma ok_tails : [/\ all (head_ok tx cs tl) (heads tl), all (ways_ok tx cs tl) (siblings (group_at cs 0)), tails_apart tl (group_at cs 0) & 0 < g].
Proof. by case/and5P: tok => _ _ _ _ /and5P[-> -> -> /N.ltb_lt g0 _]; split=> //; move: g0; clear; lia. Qed.
Lemma whole_ok : claim_ok tx (leading e) whole. Proof. by case: ok_parts. Qed.
Lemma mk_ok : maker_ok tx whole m. Proof. by case/and5P: whole_ok => _ _ _ _ /and3P[_ /andP[]]. Qed.
Lemma g0 : 0 < g. Proof. by case: ok_tails. Qed.
Lemma uniq_parts : uniq (parts tl). Proof. by case: ok_parts => _ _ _ /and4P[]. Qed.
Lemma whole_rooted : all_rooted tx whole (one_word tx cs tl). Proof. by case: ok_parts => _ _ _ /and4P[]. Qed.
Lemma body_rooted : all_rooted tx cut (body tl). Proof. by case: ok_parts => _ _ _ /and4P[]. Qed.
Lemma array_good (v : G) : plain whole (ssval v).1 /\ kind_good tx cs tl (ssval v).1 (kind_at cut (ssval v)).
Proof.
have [al _ _] := vertex v; case: ok_parts => _ _ _ /and4P[_ _ _ H]; have /andP[-> K] := all_iota H al; split=> //.
by apply: all_iota K _; apply: (@kind_lt tx e (claim_of cs (at_member (first_member gok))) (good gok (first_member gok)) (ssval v)).
Qed.
Lemma wname_plain (v : G) : wname (ssval v) = ((label whole (ssval v).1 0).1, [seq value f (ints (ssval v).2) | f <- (label whole (ssval v).1 0).2]).
Proof. by apply: plain_name; have [] := array_good v. Qed.
Lemma cut_kind (v : G) : holds (kind_ cut (ssval v).1 (kind_at cut (ssval v))).1 (ints (ssval v).2).
Proof. by have [] := @kindP tx e (claim_of cs (at_member (first_member gok))) (good gok (first_member gok)) (ssval v). Qed.

(* cut words are parts of words *)
Lemma part_of (v : G) : ((cname (ssval v)).1 \in parts tl) = ((wname (ssval v)).1 == one_word tx cs tl).
Proof. by have [_ /and5P[/eqP K _ _ _ _]] := array_good v; rewrite wname_plain /= -K. Qed.
Lemma part_labels (v : G) : (cname (ssval v)).1 \in parts tl -> (cname (ssval v)).2 = (wname (ssval v)).2.
Proof.
have [_ /and5P[_ /implyP K _ _ _]] := array_good v => /K sm; rewrite wname_plain /=.
by have [_ vin _] := vertex v; apply/all2_eqb/(same_all sm vin).
Qed.
Lemma part_whole (u v : G) : (cname (ssval u)).1 \in parts tl -> (cname (ssval v)).1 \in parts tl ->
  (cname (ssval u)).2 = (cname (ssval v)).2 -> wname (ssval u) = wname (ssval v).
Proof.
move=> pu pv E; have c : (wname (ssval u)).1 = (wname (ssval v)).1 by move: pu pv; rewrite !part_of => /eqP -> /eqP ->.
by rewrite [LHS]surjective_pairing [RHS]surjective_pairing -(part_labels pu) -(part_labels pv) E c.
Qed.
Lemma whole_part (u v : G) : wname (ssval u) = wname (ssval v) -> (cname (ssval v)).1 \in parts tl ->
  (cname (ssval u)).1 \in parts tl /\ (cname (ssval u)).2 = (cname (ssval v)).2.
Proof.
move=> E pv; have pu : (cname (ssval u)).1 \in parts tl by rewrite part_of E -part_of.
by split=> //; rewrite (part_labels pu) (part_labels pv) E.
Qed.
Lemma tail_part c : in_tails tl c -> c \in parts tl.
Proof. by rewrite /in_tails !inE => /orP[] /eqP ->; rewrite eqxx ?orbT. Qed.
Lemma parts_differ : [/\ body tl != row_part tl, body tl != column_part tl & row_part tl != column_part tl].
Proof. by have := uniq_parts; rewrite /parts /= !inE negb_or andbT => /andP[/andP[-> ->] ->]. Qed.
Lemma value_negative f x : value (negative f) x = (-1 - value f x)%Z.
Proof. by rewrite value_less value_never. Qed.
Lemma label_value (f : form) (v : G) : value (subst f (label cut (ssval v).1 (kind_at cut (ssval v))).2) (ints (ssval v).2) = value f (cname (ssval v)).2.
Proof. by rewrite value_subst. Qed.
(* rows and columns are other words *)
Lemma sides (u v : G) : in_tails tl (cname (ssval u)).1 -> in_tails tl (cname (ssval v)).1 -> (cname (ssval u)).2 = (cname (ssval v)).2 ->
  cname (ssval u) = cname (ssval v).
Proof.
move=> pu pv E; rewrite [cname (ssval u)]surjective_pairing [cname (ssval v)]surjective_pairing E; congr pair.
have row (w : G) : (cname (ssval w)).1 = row_part tl -> (0 <= value (side tl) (cname (ssval w)).2)%Z.
  move=> pw; have [_ /and5P[_ _ /implyP K _ _]] := array_good w; have [_ win _] := vertex w.
  by rewrite -label_value; apply: implies_ok (K _) win (cut_kind w); apply/eqP.
have column (w : G) : (cname (ssval w)).1 = column_part tl -> (value (side tl) (cname (ssval w)).2 < 0)%Z.
  move=> pw; have [_ /and5P[_ _ _ /implyP K _]] := array_good w; have [_ win _] := vertex w.
  have : (0 <= value (negative (subst (side tl) (label cut (ssval w).1 (kind_at cut (ssval w))).2)) (ints (ssval w).2))%Z.
    by apply: implies_ok (K _) win (cut_kind w); apply/eqP.
  by rewrite value_negative label_value; clear; lia.
case/orP: pu => /eqP pu; case/orP: pv => /eqP pv; rewrite ?pu ?pv //.
  by have := row u pu; have := column v pv; rewrite E => c r; move: c r; clear; lia.
by have := row v pv; have := column u pu; rewrite E => c r; move: c r; clear; lia.
Qed.
Lemma value_number (c : Z) x : value (c, [::]) x = c. Proof. exact: Z.add_0_r. Qed.
(* a word that is all tail *)
Definition short_of (c : nat) : form := if c == row_part tl then short_row tl else short_column tl.
Lemma short_rooted (v : G) : in_tails tl (cname (ssval v)).1 -> (0 <= value (short_of (cname (ssval v)).1) (cname (ssval v)).2)%Z ->
  rooted (cword : G -> option G) (cword v).
Proof.
move=> pv sv u uI uw; have uE := word_inj uw.
case o: (@own tx no cut u) => [u'|].
  exists u'; first exact: (@own_edge tx no e (claim_of cs (at_member (first_member gok))) (good gok (first_member gok)) u u' o).
  by rewrite -uw /word (own_name o).
have /hasP[r rin hr] := @starts_here tx no e (claim_of cs (at_member (first_member gok))) (good gok (first_member gok)) u uI o.
have [_ uin _] := vertex u; have [_ /and5P[_ _ _ _ /andP[/implyP K1 /implyP K2]]] := array_good u.
have [lr _ _] := parts_differ; rewrite -uE /short_of in pv sv.
have : (0 <= -1 - value (short_of (cname (ssval u)).1) (cname (ssval u)).2)%Z; last by rewrite /short_of; move: sv; clear; lia.
have use f : all (fun r => implies (ext (ssval u).1) r (negative (subst f (label cut (ssval u).1 (kind_at cut (ssval u))).2))) (starts_of tx cut (ssval u).1 (kind_at cut (ssval u))) ->
    (0 <= -1 - value f (cname (ssval u)).2)%Z.
  by move=> /allP/(_ r rin) im; have := implies_ok im uin hr; rewrite value_negative label_value.
rewrite /short_of; case: ifP => [p|np]; first exact: use (K1 p).
by apply: use (K2 _); move: pv; rewrite /in_tails np.
Qed.

(* ---- what is read ---- *)
Definition no_head := Head 0 [::] 0 0.
Definition at_head (h : head) (v : G) : bool := ((ssval v).1 == head_array h) && holds (head_where h) (ints (ssval v).2).
Definition ended (v : G) : bool := has (fun h => at_head h v) (heads tl).
Definition reads_row (k : nat) (x v : G) : Prop := wname (ssval v) = ((label whole (read (acc tx k)) 0).1, [seq value f (ints (ssval x).2) | f <- read_forms tx whole k 0]).
Notation chain_at := (@chain_at tx no m).
Notation may_make := (may_make tx whole m).

Lemma kind_found (v : elem) q : q < size (kinds cut v.1) -> holds (kind_ cut v.1 q).1 (ints v.2) ->
  (forall d, d \in before_kind cut v.1 q -> ~~ holds d (ints v.2)) -> kind_at cut v = q.
Proof.
move=> ql Pq none; rewrite /kind_at; set P := fun k : kind => holds k.1 (ints v.2).
have hP : has P (kinds cut v.1) by apply/(has_nthP no_kind); exists q.
case: (ltngtP (find P (kinds cut v.1)) q) => // lt; last by have := before_find no_kind lt; rewrite /P -/(kind_ cut v.1 q) Pq.
have /none/negP[] : (nth no_kind (kinds cut v.1) (find P (kinds cut v.1))).1 \in before_kind cut v.1 q; last exact: (nth_find no_kind hP).
by apply/mapP; exists (nth no_kind (kinds cut v.1) (find P (kinds cut v.1))); rewrite // -(nth_take _ lt) mem_nth // size_takel // ltnW.
Qed.

Section Head.
Variables (h : head) (v : G).
Hypotheses (hok : head_ok tx cs tl h) (vh : at_head h v).
Lemma head_in : inside (ssval v).2 (size_of tx (head_array h)).
Proof. by case/andP: vh => /eqP <- _; have [] := vertex v. Qed.
Lemma head_kindE : kind_at cut (ssval v) = head_kind h.
Proof.
case/and3P: hok => _ ok _; case/andP: vh => /eqP va hw; rewrite [ssval v]surjective_pairing va.
by apply: (of_kindP ok head_in hw); rewrite -(size_map nat_) -(inside_size head_in) value_variables.
Qed.
Lemma head_name : cname (ssval v) = ((head_label cs h).1, [seq value f (ints (ssval v).2) | f <- (head_label cs h).2]).
Proof. by case/andP: vh => /eqP va _; rewrite /name head_kindE /head_label va. Qed.
Lemma head_part : in_tails tl (cname (ssval v)).1. Proof. by rewrite head_name; case/and3P: hok. Qed.
Lemma head_short : rooted (cword : G -> option G) (cword v) \/ holds (head_long cs tl h) (ints (ssval v).2).
Proof.
case: (Z.le_gt_cases 0 (value (short_of (cname (ssval v)).1) (cname (ssval v)).2)) => sh; [left | right].
  exact: short_rooted head_part sh.
case/andP: vh => _ hw; rewrite /head_long /= hw andbT value_negative value_subst; apply/Z.leb_le; move: sh; rewrite head_name /short_of [fst _]/= [snd _]/=.
move: (value _ _) => z; clear; lia.
Qed.

Hypothesis long : holds (head_long cs tl h) (ints (ssval v).2).
Lemma chained : head_chained tx cs tl h.
Proof.
case/and3P: hok => _ _; case: ifP => // im _; have := implies_ok im head_in long; rewrite value_never; clear; lia.
Qed.
Lemma head_next : exists y : G, [/\ @edge G y v, may_make (ssval y), wname (ssval y) = wname (ssval v) &
  forall f, value (subst f (index (acc tx (head_first h)))) (ints (ssval v).2) = value f (ints (ssval y).2)].
Proof.
case/and5P: chained => sg /eqP ra tf lb _; have [p [px rd _ val_]] := single_reads sg head_in long.
rewrite ra in px rd; exists (SeqSub (in_elements px) : G); case/andP: vh => /eqP va _; split=> //.
- by rewrite /edge /= /af_edge [ssval v]surjective_pairing va.
- rewrite /AffineClaim.may_make /= eqxx /=; apply/allP => f fin; rewrite -val_; apply/Z.leb_le.
  by apply: implies_ok (allP tf f fin) head_in long.
rewrite !wname_plain /= va; congr pair; last first.
  rewrite -(all2_eqb (same_all lb head_in long)) /moved -map_comp; apply: eq_map => f /=; by rewrite val_.
have pv := tail_part head_part; rewrite part_of wname_plain /= va in pv; by rewrite (eqP pv).
Qed.

Variable y : G.
Hypotheses (my : may_make (ssval y)) (yv : wname (ssval y) = wname (ssval v))
  (val_ : forall f, value (subst f (index (acc tx (head_first h)))) (ints (ssval v).2) = value f (ints (ssval y).2)).
Lemma along_holds f j : along tx cs tl h f -> j < g -> (0 <= value f (ints (ssval (chain_at y j)).2))%Z.
Proof.
case/and3P=> sm i0 i1 jg; rewrite (chain_value mk_ok my sm jg).
apply: (between (n := nat_ (its_tail cs - 1))); [| | by move: jg; clear; lia].
  by rewrite -val_; apply: implies_ok i0 head_in long.
by have := implies_ok i1 head_in long; rewrite val_ value_add value_number N_nat_Z.
Qed.
Lemma chain_part j : j < g -> cname (ssval (chain_at y j)) = cname (ssval v).
Proof.
move=> jg; have [ja _] := chain_goes mk_ok my jg.
case/and5P: chained => _ _ _ _ /and3P[/hasP[q]]; rewrite mem_iota add0n => /= ql /and3P[/eqP pE here /allP before] _ _.
have kE : kind_at cut (ssval (chain_at y j)) = q.
  apply: kind_found; rewrite ?ja //.
    by apply/allP => f fin; apply/Z.leb_le; apply: along_holds (allP here f fin) jg.
  move=> d /before/hasP[f fd al]; apply/negP => /allP/(_ f fd)/Z.leb_le f0.
  have := along_holds al jg; rewrite value_negative => n; have {}f0 : (0 <= value f (ints (ssval (chain_at y j)).2))%Z := f0.
  by move: f0 n; move: (value f _) => z; clear; lia.
have p1 : (cname (ssval (chain_at y j))).1 = (cname (ssval v)).1 by rewrite head_name /name kE ja /= pE.
rewrite [LHS]surjective_pairing [RHS]surjective_pairing p1; congr pair.
have pv := tail_part head_part; rewrite !part_labels ?p1 // -yv; congr snd.
exact: (word_inj (chain_word mk_ok my jg)).
Qed.
End Head.
Lemma chain_reads h v y k part j : head_ok tx cs tl h -> at_head h v -> holds (head_long cs tl h) (ints (ssval v).2) -> may_make (ssval y) ->
  (forall f, value (subst f (index (acc tx (head_first h)))) (ints (ssval v).2) = value f (ints (ssval y).2)) -> k = row_read m \/ k = column_read m -> read_along tx cs tl h k part -> j < g ->
  exists r : G, [/\ @edge G r (chain_at y j), ended r, (cname (ssval r)).1 = part & reads_row k (chain_at y j) r].
Proof.
move=> hok vh long my val_ kE /(has_nthP no_head)[i il /and3P[/eqP ha /eqP hp al]] jg; have [ja _] := chain_goes mk_ok my jg.
have hw : holds (where_ (acc tx k)) (ints (ssval (chain_at y j)).2) := holds_there mk_ok my kE jg; have [_ vin _] := vertex (chain_at y j); rewrite ja in vin.
have sg : single tx am (where_ (acc tx k)) k by case/and5P: mk_ok => /and4P[_ _ sr sc] _ _ _ _; case: kE => ->.
have [p [px rd _ vp]] := single_reads sg vin hw; pose r : G := SeqSub (in_elements px).
have rh : at_head (nth no_head (heads tl) i) r.
  rewrite /at_head /= ha eqxx /=; apply/allP => f fin; rewrite -vp; apply/Z.leb_le; exact: (along_holds vh long my val_ (allP al f fin) jg).
have rok : head_ok tx cs tl (nth no_head (heads tl) i) by case: ok_tails => /(all_nthP no_head)/(_ i il).
have rp : (cname (ssval r)).1 = part by rewrite (head_name rok rh) hp.
exists r; split=> //.
- by rewrite /edge /= /af_edge [ssval (chain_at y j)]surjective_pairing ja.
- by apply/(has_nthP no_head); exists i.
rewrite /reads_row wname_plain /= /read_forms /moved -map_comp; congr pair; apply: eq_map => f /=; by rewrite vp.
Qed.

(* ---- a play ---- *)
Section Play.
Variables (game : rules) (M : nat) (s : seq (move G)).
Hypothesis ok : legal game M s.
Notation R i := (red (pos (start G) s i)).
(* words that begin with a computed element are not counted: there is no chain *)
Definition len (k : void) : nat := match k with end.
Definition z (k : void) (j : nat) : G := match k with end.
Definition c (k : void) (j : nat) : nat := match k with end.
Definition key (k : void) : option G := match k with end.
Lemma no_chains : chains len z. Proof. by split=> -[]. Qed.
Lemma no_canonical : canonical s len z c. Proof. by case. Qed.
Definition ledger (v : G) : bool := (cname (ssval v)).1 \in parts tl.
Definition there (a b : nat) : {set option G} := avail_of s z c cword key ledger true a b.
Notation all_there a b := (avail s c cword key a b).
Lemma in_there (v : G) a b : ledger v -> cword v \in all_there a b -> cword v \in there a b.
Proof. by move=> lv; apply: avail_in => [[]|u /word_inj uE] //; rewrite /ledger uE. Qed.
Definition block : {set option G} := [set w | if w is Some u then in_tails tl (cname (ssval u)).1 else false].
Lemma in_block (v : G) : (cword v \in block) = in_tails tl (cname (ssval v)).1.
Proof. by have [u uw uE] := @word_of_name tx no cut v _ erefl; rewrite inE /word uw uE. Qed.
Lemma of_comp (v : G) p : (cword v \in of_component no cut p) = ((cname (ssval v)).1 == p).
Proof. by have [u uw uE] := @word_of_name tx no cut v _ erefl; rewrite inE /word uw uE. Qed.
Lemma endedP v : ended v -> exists2 h, head_ok tx cs tl h & at_head h v.
Proof. by case/(has_nthP no_head)=> i il vh; exists (nth no_head (heads tl) i) => //; case: ok_tails => /(all_nthP no_head)/(_ i il). Qed.
Lemma ended_part v : ended v -> in_tails tl (cname (ssval v)).1.
Proof. by case/endedP=> h hok /(head_part hok). Qed.

(* words that are read and have nothing in their tail *)
Definition got (a b : nat) : {set option G} :=
  [set w | [exists v : G, [&& ended v, cword v == w & [exists t : 'I_(size s), (a <= t < b) && (v \in R t)]]]] :\: there a b.
Lemma gotP a b w : w \in got a b -> w \notin there a b /\ exists v, [/\ ended v, cword v = w & exists2 t, a <= t < b & v \in R t].
Proof.
rewrite !inE => /andP[no_ /existsP[v /and3P[ev /eqP vw /existsP[t /andP[tb vR]]]]]; split=> //.
by exists v; split=> //; exists t.
Qed.
Lemma read_in a b v t : ended v -> a <= t < b -> t < size s -> v \in R t -> cword v \in there a b :|: got a b.
Proof.
move=> ev tb ts vR; rewrite in_setU; case: (boolP (cword v \in there a b)) => // no_; rewrite /got in_setD no_ inE /=.
by apply/existsP; exists v; rewrite ev eqxx /=; apply/existsP; exists (Ordinal ts); rewrite tb vR.
Qed.

Lemma made_chain a b v t : ended v -> a <= t < b -> v \in R t -> cword v \notin there a b ->
  exists y : G, [/\ may_make (ssval y), wname (ssval y) = wname (ssval v), (forall j, j < g -> exists2 t', a <= t' < b & computes s t' (chain_at y j)) &
    forall k part j, (k = row_read m /\ part = row_part tl) \/ (k = column_read m /\ part = column_part tl) -> j < g ->
      exists r : G, [/\ @edge G r (chain_at y j), ended r, (cname (ssval r)).1 = part & reads_row k (chain_at y j) r]].
Proof.
move=> ev tb vR no_; have [h hok vh] := endedP ev; have pv := head_part hok vh.
have no' : cword v \notin all_there a b by apply: contra no_; apply: in_there; exact: tail_part pv.
have long : holds (head_long cs tl h) (ints (ssval v).2).
  case: (head_short hok vh) => // ro; case/negP: no'; exact: (rooted_there ok c key ro tb vR).
have [y [ey my yv val_]] := head_next hok vh long; have cp := chain_part hok vh long my yv val_.
exists y; split=> // [j jg|k part j kp jg].
  pose zz i := if i is i'.+1 then chain_at y i' else v.
  suff : exists2 t', a <= t' < b & computes s t' (zz j.+1) by [].
  have no0 : cword (zz 0) \notin all_there a b by [].
  have v0 : zz 0 \in R t by [].
  have jg' : j.+1 < g.+1 by [].
  apply: (@chain_made game M G s ok _ c _ cword key a b t zz g.+1 _ _ no0 tb v0 j.+1 jg') => -[|i] //= il.
    by rewrite /AffineClaim.word (cp i il).
  exact: (chain_edge_at mk_ok my il).
case/and5P: (chained hok vh long) => _ _ _ _ /and3P[_ rr rc].
by case: kp => -[-> ->]; [apply: (chain_reads hok vh long my val_ (or_introl erefl) rr jg) | apply: (chain_reads hok vh long my val_ (or_intror erefl) rc jg)].
Qed.

Section Few.
Variables (a b : nat).
Notation D := (there a b).
Notation Mw := (got a b).
Lemma made_block : Mw \subset block.
Proof. by apply/subsetP => w /gotP[_ [v [ev <- _]]]; rewrite in_block ended_part. Qed.
Lemma same_tail (v v' : G) : ended v -> ended v' -> wname (ssval v) = wname (ssval v') -> cword v = cword v'.
Proof.
move=> ev ev' E; have [_ l] := whole_part E (tail_part (ended_part ev')).
by rewrite /AffineClaim.word (sides (ended_part ev) (ended_part ev') l).
Qed.
Lemma made_room : #|D :&: block| + #|Mw| <= #|D|.
Proof.
rewrite -[X in _ <= X](cardsID block D) leq_add2l.
have /fin_all_exists[u uP] : forall w, exists u : option G, w \in Mw -> exists u' v : G, [/\ u = cword u', u \in D :\: block, cword v = w, ended v & wname (ssval u') = wname (ssval v)].
  move=> w; case: (boolP (w \in Mw)) => [/gotP[no_ [v [ev vw [t tb vR]]]]|_]; last by exists None.
  have pv := tail_part (ended_part ev); have ro : rooted (wword : G -> option G) (wword v).
    by apply: (@rooted_word tx no e whole whole_ok v); move: pv; rewrite part_of => /eqP ->; exact: whole_rooted.
  have /andP[ta tb'] := tb; have [u uw H] := rooted_back ok ro ta vR erefl.
  have E : wname (ssval u) = wname (ssval v) := word_inj uw; have [pu lu] := whole_part E pv.
  have uD : cword u \in D.
    apply: in_there => //; case: H => [|[j /andP[aj jt] l]]; first exact: red_avail.
    by apply: (loaded_avail c cword key) l; rewrite aj (ltn_trans jt tb').
  exists (cword u) => _; exists u, v; split=> //; rewrite in_setD uD andbT in_block; apply/negP => tu.
  by case/negP: no_; rewrite -vw /AffineClaim.word -(sides tu (ended_part ev) lu).
rewrite -(card_in_imset (f := u) (D := mem Mw)); last first.
  move=> w w' /uP[x [v [-> _ <- ev E]]] /uP[x' [v' [-> _ <- ev' E']]] /word_inj xx; apply: same_tail => //; rewrite -E -E'.
  have px : (cname (ssval x)).1 \in parts tl by have [] := whole_part E (tail_part (ended_part ev)).
  by apply: part_whole => //; rewrite -xx.
by apply/subset_leq_card/subsetP => _ /imsetP[w wM ->]; have [x [v [_ uD _ _ _]]] := uP w wM.
Qed.
Lemma made_rows : #|Mw| * g ^ 2 <= #|(D :|: Mw) :&: of_component no cut (row_part tl)| * #|(D :|: Mw) :&: of_component no cut (column_part tl)|.
Proof.
case: (set_0Vmem Mw) => [->|[w0 w0M]]; first by rewrite cards0.
have [_ [v0 _]] := gotP w0M.
have /fin_all_exists[y yP] : forall w, exists y : G, w \in Mw -> exists v, [/\ ended v, cword v = w, may_make (ssval y) & wname (ssval y) = wname (ssval v)] /\
    ((forall j, j < g -> exists2 t', a <= t' < b & computes s t' (chain_at y j)) /\
    forall k part j, (k = row_read m /\ part = row_part tl) \/ (k = column_read m /\ part = column_part tl) -> j < g ->
      exists r : G, [/\ @edge G r (chain_at y j), ended r, (cname (ssval r)).1 = part & reads_row k (chain_at y j) r]).
  move=> w; case: (boolP (w \in Mw)) => [/gotP[no_ [v [ev vw [t tb vR]]]]|_]; last by exists v0.
  by rewrite -vw in no_; have [y [my yv cy ry]] := made_chain ev tb vR no_; exists y => _; exists v.
have read k part : (k = row_read m /\ part = row_part tl) \/ (k = column_read m /\ part = column_part tl) ->
    exists r : option G * 'I_g -> G, forall p, p.1 \in Mw -> [/\ ended (r p), (cname (ssval (r p))).1 = part, reads_row k (chain_at (y p.1) p.2) (r p) &
      cword (r p) \in (D :|: Mw) :&: of_component no cut part].
  move=> kp; suff /fin_all_exists[r rP] : forall p : option G * 'I_g, exists r : G, p.1 \in Mw ->
      [/\ ended r, (cname (ssval r)).1 = part, reads_row k (chain_at (y p.1) p.2) r & cword r \in (D :|: Mw) :&: of_component no cut part] by exists r.
  move=> [w j]; case: (boolP (w \in Mw)) => [wM|_]; last by exists v0.
  have [v [_ [cy ry]]] := yP w wM; have [r [er en rp rr]] := ry k part j kp (ltn_ord j); have [t' tb ct] := cy j (ltn_ord j).
  exists r => _; split=> //; rewrite in_setI of_comp rp eqxx andbT; apply: (read_in en tb); first exact: computes_size ct.
  exact: (computes_edge ok ct er).
have [r rP] := read _ _ (or_introl (conj erefl erefl)); have [q qP] := read _ _ (or_intror (conj erefl erefl)).
have -> : #|Mw| * g ^ 2 = #|setX Mw [set: 'I_g * 'I_g]| by rewrite cardsX cardsT card_prod !card_ord mulnn.
rewrite -cardsX -(card_in_imset (f := fun p : option G * ('I_g * 'I_g) => (cword (r (p.1, p.2.1)), cword (q (p.1, p.2.2)))) (D := mem (setX Mw [set: 'I_g * 'I_g]))); last first.
  move=> [w [i j]] [w' [i' j']] /setXP[/= wM _] /setXP[/= w'M _] [/word_inj RE /word_inj QE].
  have [er _ rr _] := rP (w, i) wM; have [er' _ rr' _] := rP (w', i') w'M.
  have [eq _ qq _] := qP (w, j) wM; have [eq' _ qq' _] := qP (w', j') w'M.
  have same_read k x x' u u' : reads_row k x u -> reads_row k x' u' -> ended u -> ended u' -> cname (ssval u) = cname (ssval u') ->
      forall f, f \in read_forms tx whole k 0 -> value f (ints (ssval x).2) = value f (ints (ssval x').2).
    move=> ru ru' eu eu' E; have := part_whole (tail_part (ended_part eu)) (tail_part (ended_part eu')) (congr1 snd E).
    rewrite ru ru' => -[]; elim: (read_forms tx whole k 0) => //= h l IH [hE /IH{}IH] f; by rewrite inE => /orP[/eqP ->|/IH].
  have Rf := same_read _ _ _ _ _ rr rr' er er' RE; have Qf := same_read _ _ _ _ _ qq qq' eq eq' QE.
  have [v [[ev vw my yv] _]] := yP w wM; have [v' [[ev' vw' my' yv'] _]] := yP w' w'M.
  have E := row_column_tell mk_ok my my' (ltn_ord i) (ltn_ord j) (ltn_ord i') (ltn_ord j') Rf Qf.
  have ww : w = w' by rewrite -vw -vw'; apply: same_tail => //; rewrite -yv -yv'; exact: word_inj E.
  rewrite -{}ww in Rf Qf *; case/and5P: mk_ok => _ _ _ /andP[mr mc] _; congr (_, (_, _)); apply: val_inj.
    by apply: (place_told mk_ok my mr) Rf => // f; apply: row_in.
  by apply: (place_told mk_ok my mc) Qf => // f; apply: column_in.
apply/subset_leq_card/subsetP => _ /imsetP[[w [i j]] /setXP[/= wM _] ->]; rewrite in_setX /=.
by have [_ _ _ ->] := rP (w, i) wM; have [_ _ _ ->] := qP (w, j) wM.
Qed.
Lemma made_few : #|Mw| * nat_ (per_made cs) <= (#|D :&: block| + #|Mw|) ^ 2.
Proof.
rewrite /per_made N2Nat.inj_mul StatementCertificate.powN; apply: leq_trans (four made_rows) _; rewrite leq_exp2r //.
rewrite -cardsUI (_ : _ :&: _ :&: _ = set0) ?cards0 ?addn0; last first.
  have [_ _ rc] := parts_differ; apply/setP => -[u|]; rewrite !inE ?andbF //; apply/negP => /andP[/andP[_ /eqP ->] /andP[_]]; by rewrite (negbTE rc).
apply: leq_trans (leq_card_setU _ _); apply/subset_leq_card/subsetP => w; rewrite -setIUr => /setIP[/setUP[wD|wM] w_]; rewrite in_setU; last by rewrite wM orbT.
by rewrite in_setI wD; move: w_; rewrite !inE; case: w {wD} => // u; rewrite /in_tails => ->.
Qed.
End Few.
End Play.
End Sound.
