(* Certificates of `affine` in which words may be made (docs/theory-affine.md, section 4.2): of each maker a chain, from where its elements
   go back far enough, and the rows and columns these read.  Then few_made (theorems/Made.v) holds. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect ssrZ.
From redblue Require Import Boxes Game Trace Count Segment Rooted OwnWords Made Affine Words CompulsoryCertificate AffineForms AffineClaim.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Local Notation nat_ := N.to_nat.

Section Sound.
Variables (tx : text) (no : no_circle tx) (cl : claim) (m : maker).
Notation G := (computation no).
Notation label := (label cl).
Notation name := (name cl).
Notation word := (@word tx no cl).
Notation acc := (acc tx).
Notation a := (made_array tx m).
Notation back := (acc (before m)).
Notation g := (nat_ (tail cl)).
Hypotheses (rooted_here : forall u : G, all_rooted tx cl (name (ssval u)).1 -> rooted word (word u)) (mok : maker_ok tx cl m) (g0 : 0 < g).

Let vertex := @AffineClaim.vertex tx no.
Lemma plain_name (v : elem) : plain cl v.1 -> name v = ((label v.1 0).1, [seq value f (ints v.2) | f <- (label v.1 0).2]).
Proof.
case/andP=> /eqP; rewrite /AffineClaim.name /AffineClaim.kind_at /AffineClaim.label /AffineClaim.kind_; case: (kinds cl v.1) => [|k []] //= _ /nilP k0.
by rewrite k0.
Qed.
Lemma plain_here : [/\ plain cl a, plain cl (read (acc (row_read m))) & plain cl (read (acc (column_read m)))].
Proof. by case/and5P: mok => _ _ _ _ /and3P[_ _] /and4P[-> -> -> _]. Qed.
Definition previous (v : G) : G := odflt v [pick u : G | ((ssval u).1 == a) && reads_at back (ssval v) (ssval u) [::]].
Definition chain_at (u : G) (j : nat) : G := iter j previous u.
Lemma previous_of v : (ssval v).1 = a -> holds (where_ back) (ints (ssval v).2) ->
  [/\ (ssval (previous v)).1 = a, @edge G (previous v) v &
      forall f, value (subst f (index back)) (ints (ssval v).2) = value f (ints (ssval (previous v)).2)].
Proof.
case/and5P: mok => /and4P[/eqP ra sg _ _] _ _ _ _ va hw; have [_ vin _] := vertex v; rewrite va in vin.
have [p [px _ ra' _]] := single_reads sg vin hw; rewrite ra in px ra'.
rewrite /previous; case: pickP => [u /andP[/eqP ua rd]|/(_ (SeqSub (in_elements px)))]; last first.
  by rewrite /= eqxx /= [ssval v]surjective_pairing va ra'.
split=> [//||f]; last first.
  case/andP: rd => _ /all2_eqb; rewrite cats0 => E; by rewrite value_subst E.
have /and5P[kl _ /nilP kr _ _] := sg.
apply/(has_nthP no_access); exists (before m) => //; rewrite -/(acc (before m)) /= -{1}/a va eqxx ra ua eqxx kr /= rd.
by [].
Qed.

Lemma all_in f : f \in all_forms tx cl m -> same (extents tx a) (where_ back) (subst f (index back)) (add f (moves tx m f, [::])).
Proof. by case/and5P: mok => _ /allP H _ _ _; apply: H. Qed.
Lemma where_in f : f \in where_ back -> f \in all_forms tx cl m.
Proof. by rewrite mem_cat => ->. Qed.
Lemma rows_in f : f \in where_ (acc (row_read m)) ++ where_ (acc (column_read m)) -> f \in all_forms tx cl m.
Proof. by rewrite !mem_cat => /orP[] ->; rewrite !orbT. Qed.
Lemma row_in f : f \in row_forms tx cl m -> f \in all_forms tx cl m.
Proof. by rewrite !mem_cat => ->; rewrite !orbT. Qed.
Lemma column_in f : f \in column_forms tx cl m -> f \in all_forms tx cl m.
Proof. by rewrite !mem_cat => ->; rewrite !orbT. Qed.
Lemma label_in f : f \in (label a 0).2 -> f \in all_forms tx cl m.
Proof. by rewrite !mem_cat => ->; rewrite !orbT. Qed.

Lemma between (v c : Z) j n : (0 <= v)%Z -> (0 <= v + c * Z.of_nat n)%Z -> j <= n -> (0 <= v + c * Z.of_nat j)%Z.
Proof.
move=> v0 vn jn; have [c0|c0] := Z.le_gt_cases 0 c; first by move: v0 c0; clear; nia.
have : (c * Z.of_nat n <= c * Z.of_nat j)%Z by move: jn c0; clear; nia.
by move: vn; clear; lia.
Qed.

Section Chain.
Variables (u : G) (ok_u : may_make tx cl m (ssval u)).
Lemma far_holds (l : seq form) n j f : holds (l ++ [seq far tx m n f | f <- l]) (ints (ssval u).2) -> f \in l -> j <= nat_ n ->
  (0 <= value f (ints (ssval u).2) + moves tx m f * Z.of_nat j)%Z.
Proof.
rewrite holds_cat => /andP[/allP h1]; rewrite /holds all_map => /allP h2 fl jn.
apply: (between (n := nat_ n)) => //; first by apply/Z.leb_le; apply: h1.
have := h2 f fl; rewrite /= value_add /value /= N_nat_Z; clear; lia.
Qed.
Lemma tails : holds (where_ back ++ [seq far tx m (tail cl - 2)%num f | f <- where_ back]) (ints (ssval u).2) /\
  holds ((where_ (acc (row_read m)) ++ where_ (acc (column_read m))) ++
         [seq far tx m (tail cl - 1)%num f | f <- where_ (acc (row_read m)) ++ where_ (acc (column_read m))]) (ints (ssval u).2).
Proof. by case/andP: ok_u => _; rewrite /tail_forms holds_cat => /andP. Qed.
Lemma chain_goes j : j < g -> (ssval (chain_at u j)).1 = a /\
  forall f, f \in all_forms tx cl m -> value f (ints (ssval (chain_at u j)).2) = (value f (ints (ssval u).2) + moves tx m f * Z.of_nat j)%Z.
Proof.
have [t1 t2] := tails; elim: j => [|j IH] jg.
  by case/andP: ok_u => /eqP -> _; split=> // f _; rewrite /= Z.mul_0_r Z.add_0_r.
have [ja jv] := IH (ltnW jg); have jw : holds (where_ back) (ints (ssval (chain_at u j)).2).
  apply/allP => f fw; rewrite (jv f (where_in fw)); apply/Z.leb_le; apply: (far_holds t1 fw); move: jg; clear; lia.
have [pa _ pv] := previous_of ja jw; split=> // f fall; rewrite -pv.
have [_ vin _] := vertex (chain_at u j); rewrite ja in vin.
rewrite (same_ok (all_in fall) vin jw) value_add (jv f fall) /value /=; clear; lia.
Qed.
Lemma chain_edge_at j : j.+1 < g -> @edge G (chain_at u j.+1) (chain_at u j).
Proof.
move=> jg; have [ja jv] := chain_goes (ltnW jg); have [t1 _] := tails.
suff jw : holds (where_ back) (ints (ssval (chain_at u j)).2) by have [_ ed _] := previous_of ja jw.
apply/allP => f fw; rewrite (jv f (where_in fw)); apply/Z.leb_le; apply: (far_holds t1 fw); move: jg; clear; lia.
Qed.
Lemma chain_where j : j.+1 < g -> holds (where_ back) (ints (ssval (chain_at u j)).2).
Proof.
move=> jg; have [ja jv] := chain_goes (ltnW jg); have [t1 _] := tails; apply/allP => f fw; rewrite (jv f (where_in fw)); apply/Z.leb_le.
by apply: (far_holds t1 fw); move: jg; clear; lia.
Qed.
(* any form that grows by the same number from element to element *)
Lemma chain_value f j : same (extents tx a) (where_ back) (subst f (index back)) (add f (moves tx m f, [::])) -> j < g ->
  value f (ints (ssval (chain_at u j)).2) = (value f (ints (ssval u).2) + moves tx m f * Z.of_nat j)%Z.
Proof.
move=> sm; elim: j => [|j IH] jg; first by rewrite /= Z.mul_0_r Z.add_0_r.
have [ja jv] := chain_goes (ltnW jg); have jw := chain_where jg; have [_ _ pv] := previous_of ja jw.
rewrite [chain_at u j.+1]/= -pv; have [_ vin _] := vertex (chain_at u j); rewrite ja in vin.
rewrite (same_ok sm vin jw) value_add (IH (ltnW jg)) /value /=; clear; lia.
Qed.
Lemma chain_word j : j < g -> word (chain_at u j) = word u.
Proof.
move=> jg; have [ja jv] := chain_goes jg; have /andP[/eqP ua _] := ok_u; have [pa _ _] := plain_here; rewrite /AffineClaim.word !plain_name ?ja ?ua //; congr word_of; congr pair.
apply/eq_in_map => f fl; rewrite (jv f (label_in fl)).
by case/and5P: mok => _ _ /allP/(_ f fl)/andP[/Z.eqb_eq -> _] _ _; rewrite Z.mul_0_l Z.add_0_r.
Qed.
(* what it reads in row and column *)
Definition reads_as (k : nat) (x : G) : option G := word_of no cl ((label (read (acc k)) 0).1, [seq value f (ints (ssval x).2) | f <- read_forms tx cl k 0]).
Lemma read_word k x : plain cl (read (acc k)) -> single tx a (where_ (acc k)) k -> (ssval x).1 = a -> holds (where_ (acc k)) (ints (ssval x).2) ->
  all_rooted tx cl (label (read (acc k)) 0).1 -> exists v : G, [/\ @edge G v x, word v = reads_as k x & rooted word (reads_as k x)].
Proof.
move=> pk sg xa hw ar; have [_ vin _] := vertex x; rewrite xa in vin.
have [p [px rd ra val_]] := single_reads sg vin hw; exists (SeqSub (in_elements px) : G).
have E : word (SeqSub (in_elements px) : G) = reads_as k x.
  rewrite /AffineClaim.word plain_name // /reads_as /= /read_forms /moved -map_comp; congr word_of; congr pair; apply: eq_map => f /=; by rewrite val_.
split=> //; first by rewrite /edge /= /af_edge [ssval x]surjective_pairing xa.
by rewrite -E; apply: rooted_here; rewrite plain_name.
Qed.
Lemma holds_there k j : k = row_read m \/ k = column_read m -> j < g -> holds (where_ (acc k)) (ints (ssval (chain_at u j)).2).
Proof.
move=> kE jg; have [ja jv] := chain_goes jg; have [_ t2] := tails; apply/allP => f fw.
have fin : f \in where_ (acc (row_read m)) ++ where_ (acc (column_read m)) by case: kE fw => ->; rewrite mem_cat => ->; rewrite ?orbT.
rewrite (jv f (rows_in fin)); apply/Z.leb_le; apply: (far_holds t2 fin); move: jg; clear; lia.
Qed.
End Chain.

(* row and column tell the word, and each its place *)
Lemma told k (x y : G) : reads_as k x = reads_as k y -> (exists v : G, word v = reads_as k x) -> forall f, f \in read_forms tx cl k 0 ->
  value f (ints (ssval x).2) = value f (ints (ssval y).2).
Proof.
move=> E [v vE] f; have [w ww wE] := @word_of_name tx no cl v _ erefl.
have nE : name (ssval v) = ((label (read (acc k)) 0).1, [seq value f (ints (ssval x).2) | f <- read_forms tx cl k 0]).
  move: vE; rewrite [LHS]ww /reads_as /word_of /word_named; case: pickP => // z /same_nameP zE [wz]; by rewrite -wE wz zE.
case: (word_of_inj nE E) => {}E; move: E; elim: (read_forms tx cl k 0) => //= h l IH [hE /IH{}IH].
by rewrite inE => /orP[/eqP ->|/IH].
Qed.
Lemma place_told k u i j : may_make tx cl m (ssval u) -> has (fun f => ~~ (moves tx m f =? 0)%Z) (read_forms tx cl k 0) ->
  (forall f, f \in read_forms tx cl k 0 -> f \in all_forms tx cl m) -> i < g -> j < g ->
  (forall f, f \in read_forms tx cl k 0 -> value f (ints (ssval (chain_at u i)).2) = value f (ints (ssval (chain_at u j)).2)) -> i = j.
Proof.
move=> ok_u /hasP[f fl /negP nz] sub il jl /(_ f fl); have [_ iv] := chain_goes ok_u il; have [_ jv] := chain_goes ok_u jl.
rewrite (iv f (sub f fl)) (jv f (sub f fl)) => E; apply/Nat2Z.inj/(Z.mul_reg_l _ _ (moves tx m f)); last by move: E; clear; lia.
by move=> z; apply: nz; rewrite z.
Qed.

(* a row and a column tell the chain, and each the place on it *)
Lemma row_column_tell u u' i j i' j' : may_make tx cl m (ssval u) -> may_make tx cl m (ssval u') -> i < g -> j < g -> i' < g -> j' < g ->
  (forall f, f \in row_forms tx cl m -> value f (ints (ssval (chain_at u i)).2) = value f (ints (ssval (chain_at u' i')).2)) ->
  (forall f, f \in column_forms tx cl m -> value f (ints (ssval (chain_at u j)).2) = value f (ints (ssval (chain_at u' j')).2)) ->
  word u = word u'.
Proof.
move=> mf mf' il jl i'l j'l R C; case/and5P: mok => _ _ /allP tl _ _.
rewrite -(chain_word mf il) -(chain_word mf' i'l) /AffineClaim.word.
have [ia iv] := chain_goes mf il; have [ia' iv'] := chain_goes mf' i'l; have [pa _ _] := plain_here.
rewrite !plain_name ?ia ?ia' //; congr word_of; congr pair.
apply/eq_in_map => f fl; have /andP[/Z.eqb_eq m0] := tl f fl; rewrite has_cat.
have at_ (x : G) : (ssval x).1 = a -> forall h, same (extents tx a) [::] f h -> value f (ints (ssval x).2) = value h (ints (ssval x).2).
  by move=> xa h sm; have [_ xin _] := vertex x; rewrite xa in xin; apply: same_ok sm xin _.
have [ja jv] := chain_goes mf jl; have [ja' jv'] := chain_goes mf' j'l.
case/orP=> /hasP[h hl sm]; first by rewrite (at_ _ ia _ sm) (at_ _ ia' _ sm); apply: R.
have -> : value f (ints (ssval (chain_at u i)).2) = value f (ints (ssval (chain_at u j)).2).
  by rewrite (iv f (label_in fl)) (jv f (label_in fl)) m0.
have -> : value f (ints (ssval (chain_at u' i')).2) = value f (ints (ssval (chain_at u' j')).2).
  by rewrite (iv' f (label_in fl)) (jv' f (label_in fl)) m0.
by rewrite (at_ _ ja _ sm) (at_ _ ja' _ sm); apply: C.
Qed.

Definition of_component (c : nat) : {set option G} := [set w | if w is Some u then (name (ssval u)).1 == c else false].
Lemma reads_component k x (v : G) : word v = reads_as k x -> reads_as k x \in of_component (label (read (acc k)) 0).1.
Proof.
move=> vE; have [w ww wE] := @word_of_name tx no cl v _ erefl; rewrite inE -vE [word v]ww.
have : word_of no cl (name (ssval v)) = reads_as k x by [].
rewrite ww /reads_as /word_of /word_named; case: pickP => // z /same_nameP zE [->]; by have := congr1 fst zE => /= ->.
Qed.

Variables (game : rules) (M : nat) (s : seq (move G)) (ok : legal game M s).
Variables (K : finType) (c : K -> nat -> nat) (key : K -> option G) (p q : nat).
Theorem maker_few (Mw : {set option G}) :
  (forall w, w \in Mw -> w \notin avail s c word key p q /\
     exists v i, [/\ word v = w, may_make tx cl m (ssval v), p <= i < q & v \in red (pos (start G) s i)]) ->
  #|Mw| * g ^ 2 <= #|avail s c word key p q :&: of_component (row_of tx cl m)| * #|avail s c word key p q :&: of_component (column_of tx cl m)|.
Proof.
move=> H; case: (set_0Vmem Mw) => [->|[w0 w0M]]; first by rewrite cards0.
have [_ [v0 _]] := H w0 w0M.
have /fin_all_exists[first firstP] : forall w, exists v, w \in Mw ->
    [/\ word v = w, may_make tx cl m (ssval v) & exists2 i, p <= i < q & v \in red (pos (start G) s i)].
  move=> w; case: (boolP (w \in Mw)) => [wM|_]; last by exists v0.
  by have [_ [v [i [vw mv iq vR]]]] := H w wM; exists v => _; split=> //; exists i.
case/and5P: mok => /and4P[_ _ sr sc] _ _ /andP[mr mc] /and3P[rr rc _].
have row_ u j : may_make tx cl m (ssval u) -> j < g -> exists v : G, [/\ @edge G v (chain_at u j), word v = reads_as (row_read m) (chain_at u j) & rooted word (reads_as (row_read m) (chain_at u j))].
  by move=> mu jg; have [ja _] := chain_goes mu jg; have [_ pr _] := plain_here; apply: read_word => //; apply: holds_there => //; left.
have col_ u j : may_make tx cl m (ssval u) -> j < g -> exists v : G, [/\ @edge G v (chain_at u j), word v = reads_as (column_read m) (chain_at u j) & rooted word (reads_as (column_read m) (chain_at u j))].
  by move=> mu jg; have [ja _] := chain_goes mu jg; have [_ _ pc] := plain_here; apply: read_word => //; apply: holds_there => //; right.
pose z w j := chain_at (first w) j.
apply: (@few_made game M G s ok K c _ word key g Mw z (fun w j => reads_as (row_read m) (z w j)) (fun w j => reads_as (column_read m) (z w j))) => //.
- split=> [w j wM jg|w j wM jg|w j wM jg|w j wM jg|w w' i j i' j' wM w'M il jl i'l j'l RE CE].
  + by have [fw mf _] := firstP w wM; rewrite /z chain_word.
  + by have [_ mf _] := firstP w wM; apply: chain_edge_at.
  + by have [_ mf _] := firstP w wM; apply: row_.
  + by have [_ mf _] := firstP w wM; apply: col_.
  have [fw mf _] := firstP w wM; have [fw' mf' _] := firstP w' w'M.
  have [v [_ vE _]] := row_ _ _ mf il; have [v' [_ vE' _]] := col_ _ _ mf jl.
  have R := told RE (ex_intro _ v vE); have C := told CE (ex_intro _ v' vE').
  have ww' : w = w' by rewrite -fw -fw'; apply: row_column_tell mf mf' il jl i'l j'l R C.
  rewrite -ww' in R C; split=> //.
    by apply: (place_told mf mr) il i'l _ => [f|f fl]; [apply: row_in | apply: R].
  by apply: (place_told mf mc) jl j'l _ => [f|f fl]; [apply: column_in | apply: C].
- move=> w wM; have [nw _] := H w wM; have [_ _ fR] := firstP w wM; by split.
move=> w j wM jg; have [_ mf _] := firstP w wM.
have [v [_ vE _]] := row_ _ _ mf jg; have [v' [_ vE' _]] := col_ _ _ mf jg.
by rewrite (reads_component vE) (reads_component vE').
Qed.
End Sound.
