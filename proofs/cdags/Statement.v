(* One statement over a box of loops: a sum of products of inputs, each read at affine forms of the loops.  Contractions of tensors and
   convolutions are of this kind.  The computation is read off a text, and so is what Projective.v asks of it. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes Game Trace Count Segment Reduction Projective.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Notation nat_ := N.to_nat.

(* the number of a point in this order *)
Fixpoint rank_of (ds p : seq nat) : nat := if (ds, p) is (_ :: ds', x :: p') then x * many ds' + rank_of ds' p' else 0.
Fixpoint point_at (ds : seq nat) (j : nat) : seq nat :=
  if ds is _ :: ds' then j %/ many ds' :: point_at ds' (j %% many ds') else [::].

Record text := Text {
  keys : seq N; sums : seq N;                  (* extents of the loops of the result, then of those that are summed over *)
  arrays : seq (seq N);                        (* the sizes of the input arrays *)
  operands : seq (nat * seq (N * seq N)) }.    (* an array, and the form of each index: a constant, the loops' coefficients *)

Definition form_at (f : N * seq N) (x : seq nat) : nat :=
  nat_ f.1 + sumn [seq nat_ (nth 0%num f.2 l) * nth 0 x l | l <- iota 0 (size x)].

Section Statement.
Variable tx : text.
Let nk := size (keys tx).
Let ks := map nat_ (keys tx).
Let ss := map nat_ (sums tx).
Definition dims a := map nat_ (nth [::] (arrays tx) a).

(* (0, x): the partial sum at the setting x of the loops; (a + 1, x): element x of input array a *)
Definition elem : eqType := [eqType of nat * seq nat].
Definition elements : seq elem :=
  [seq (0, x) | x <- box (ks ++ ss)] ++
  flatten [seq [seq (a.+1, x) | x <- box (dims a)] | a <- iota 0 (size (arrays tx))].
Definition reads_at (x : seq nat) : seq elem := [seq (o.1.+1, [seq form_at f x | f <- o.2]) | o <- operands tx].
Definition turn (x : seq nat) : nat := rank_of ss (drop nk x).
Definition elem_edge (u v : elem) : bool :=
  (v.1 == 0) &&
  if u.1 == 0 then (take nk u.2 == take nk v.2) && ((turn u.2).+1 == turn v.2) else u \in reads_at v.2.

Definition elem_output (v : elem) : bool := (v.1 == 0) && ((turn v.2).+1 == many ss).

Definition st_vertex : finType := [finType of seq_sub elements].
Definition st_edge : rel st_vertex := fun u v => elem_edge (ssval u) (ssval v).
Definition st_output : {set st_vertex} := [set v | elem_output (ssval v)].
Lemma st_acyclic : exists rank : st_vertex -> nat, forall u v, st_edge u v -> rank u < rank v.
Proof.
exists (fun v => if (ssval v).1 == 0 then (turn (ssval v).2).+1 else 0) => u v /andP[-> /=].
by case: ifP => // _ /andP[_ /eqP ->].
Qed.
Definition computation : cdag := Cdag st_output st_acyclic.
End Statement.

Lemma rank_lt ds p : inside p ds -> rank_of ds p < many ds.
Proof.
rewrite /inside; elim: ds p => [|d ds IH] [|x p] //= /andP[xd /IH lt].
apply: (@leq_trans (x.+1 * many ds)); first by rewrite mulSn addnC ltn_add2r.
by rewrite leq_mul2r xd orbT.
Qed.
Lemma point_rank ds p : inside p ds -> point_at ds (rank_of ds p) = p.
Proof.
rewrite /inside; elim: ds p => [|d ds IH] [|x p] //= /andP[xd pd]; have lt := rank_lt pd.
have m0 : 0 < many ds by apply: leq_ltn_trans lt.
by rewrite divnMDl // divn_small // addn0 modnMDl modn_small // IH.
Qed.
Lemma rank_point ds j : j < many ds -> rank_of ds (point_at ds j) = j /\ inside (point_at ds j) ds.
Proof.
rewrite /inside; elim: ds j => [|d ds IH] j /=; first by rewrite ltnS leqn0 => /eqP ->.
move=> jd; have m0 : 0 < many ds by rewrite lt0n; apply/eqP => m0; move: jd; rewrite m0 muln0.
have [-> ->] := IH (j %% many ds) (ltn_pmod _ m0); by rewrite -divn_eq ltn_divLR ?jd.
Qed.

Lemma mem_elements tx a x : ((a, x) \in elements tx) =
  if a is b.+1 then (b < size (arrays tx)) && inside x (dims tx b) else inside x (map nat_ (keys tx) ++ map nat_ (sums tx)).
Proof.
rewrite /elements mem_cat -mem_box; case: a => [|a].
  rewrite (mem_map (f := fun x => (0, x))) => [|y y' [->] //]; case: (_ \in box _) => //=.
  by apply/negP => /flattenP[l /mapP[b _ ->]] /mapP[y _].
have -> : (a.+1, x) \in [seq (0, x0) | x0 <- box (map nat_ (keys tx) ++ map nat_ (sums tx))] = false by apply/negP => /mapP[].
rewrite -mem_box /=; apply/flattenP/andP => [[l /mapP[b]]|[al xb]].
  by rewrite mem_iota add0n => bl -> /mapP[y yb [-> ->]].
exists [seq (a.+1, x) | x <- box (dims tx a)]; last by rewrite (mem_map (f := fun x => (a.+1, x))) => // ? ? [].
by apply/mapP; exists a; rewrite // mem_iota add0n.
Qed.

(* the largest value of a form, from the extents of the loops *)
Definition form_most (f : N * seq N) (ls : seq nat) : nat :=
  nat_ f.1 + sumn [seq nat_ (nth 0%num f.2 l) * (nth 0 ls l).-1 | l <- iota 0 (size ls)].
Definition fits (tx : text) (o : nat * seq (N * seq N)) : bool :=
  (o.1 < size (arrays tx)) && all2 (fun f d => form_most f (map nat_ (keys tx) ++ map nat_ (sums tx)) < d) o.2 (dims tx o.1).
Lemma form_le f x ls : inside x ls -> form_at f x <= form_most f ls.
Proof.
move=> xl; rewrite /form_at /form_most leq_add2l (inside_size xl) !sumnE !big_map big_seq_cond [X in _ <= X]big_seq_cond.
apply: leq_sum => l; rewrite mem_iota add0n andbT => /= ll; have lt := inside_nth xl ll; rewrite leq_mul2l; apply/orP; right.
by move: lt; clear; case: (nth 0 ls l).
Qed.
Lemma fits_inside tx o x : fits tx o -> inside x (map nat_ (keys tx) ++ map nat_ (sums tx)) ->
  inside [seq form_at f x | f <- o.2] (dims tx o.1).
Proof.
case/andP=> _; rewrite /inside; elim: o.2 (dims tx o.1) => [|f fs IH] [|d ds] //= /andP[fd H] xl.
by rewrite (leq_ltn_trans (form_le f xl) fd) IH.
Qed.

Section Hypotheses.
Variable tx : text.
Notation G := (computation tx).
Notation nk := (size (keys tx)).
Notation ks := (map nat_ (keys tx)).
Notation ss := (map nat_ (sums tx)).
Notation no := (size (operands tx)).
Hypotheses (fit : all (fits tx) (operands tx)) (some : 0 < no).
Definition steps : finType := [finType of seq_sub (box (ks ++ ss))].
Definition results : finType := [finType of seq_sub (box ks)].
Variable x0 : steps.

Lemma step_in (x : steps) : inside (ssval x) (ks ++ ss). Proof. by rewrite -mem_box; apply: ssvalP. Qed.
Lemma result_in (k : results) : inside (ssval k) ks. Proof. by rewrite -mem_box; apply: ssvalP. Qed.
Lemma x0_in : ((0, ssval x0) : elem) \in elements tx. Proof. by rewrite mem_elements step_in. Qed.
Definition pt (a : nat) (x : seq nat) : G := insubd (SeqSub x0_in : G) ((a, x) : elem).
Lemma ptE a x : ((a, x) : elem) \in elements tx -> ssval (pt a x) = (a, x). Proof. exact: insubdK. Qed.
Lemma pt_inj (u v : G) : ssval u = ssval v -> u = v. Proof. exact: val_inj. Qed.

Lemma key_in (x : steps) : take nk (ssval x) \in box ks.
Proof. by rewrite mem_box; have := step_in x; rewrite inside_cat size_map => /andP[]. Qed.
Definition key_of (x : steps) : results := SeqSub (key_in x).
Definition turn_of (x : steps) : nat := turn tx (ssval x).
Lemma sum_in (x : steps) : inside (drop nk (ssval x)) ss.
Proof. by have := step_in x; rewrite inside_cat size_map => /andP[]. Qed.
Lemma turn_lt x : turn_of x < many ss. Proof. exact: rank_lt (sum_in x). Qed.

Definition st_z (k : results) (j : nat) : G := pt 0 (ssval k ++ point_at ss j).
Lemma size_result (k : results) : size (ssval k) = nk. Proof. by rewrite (inside_size (result_in k)) size_map. Qed.
Lemma z_in (k : results) j : j < many ss -> inside (ssval k ++ point_at ss j) (ks ++ ss).
Proof.
move=> jl; have [_ pin] := rank_point jl.
by rewrite inside_cat size_map take_size_cat ?drop_size_cat ?size_result ?result_in.
Qed.
Lemma zE (k : results) j : j < many ss -> ssval (st_z k j) = (0, ssval k ++ point_at ss j).
Proof. by move=> jl; apply: ptE; rewrite mem_elements z_in. Qed.
Lemma z_turn (k : results) j : j < many ss -> turn tx (ssval k ++ point_at ss j) = j.
Proof. by move=> jl; rewrite /turn drop_size_cat ?size_result //; have [] := rank_point jl. Qed.
Lemma z_key (k : results) j : take nk (ssval k ++ point_at ss j) = ssval k.
Proof. by rewrite take_size_cat ?size_result. Qed.
Lemma z_of (x : steps) : ssval (st_z (key_of x) (turn_of x)) = (0, ssval x).
Proof. by rewrite zE ?turn_lt //= /turn_of /turn point_rank ?sum_in // cat_take_drop. Qed.

Definition operand (o : 'I_no) := nth (0, [::]) (operands tx) o.
Definition st_op (o : 'I_no) (x : steps) : G := pt (operand o).1.+1 [seq form_at f (ssval x) | f <- (operand o).2].
Lemma operand_fits o : fits tx (operand o). Proof. exact: (allP fit) (mem_nth _ (ltn_ord o)). Qed.
Lemma opE o x : ssval (st_op o x) = ((operand o).1.+1, [seq form_at f (ssval x) | f <- (operand o).2]).
Proof. by apply: ptE; rewrite mem_elements; have fo := operand_fits o; case/andP: (fo) => -> _; rewrite fits_inside ?step_in. Qed.

Lemma op_edge o (x : steps) (v : G) : ssval v = (0, ssval x) -> @edge G (st_op o x) v.
Proof.
move=> vE; rewrite /= /st_edge /elem_edge opE vE /=; apply/mapP; exists (operand o) => //; exact: mem_nth.
Qed.
Lemma input_st (v : G) : (v \in input G) = ((ssval v).1 != 0).
Proof.
case: v => -[[|a] x] vin; rewrite inE /=; last by apply/forallP => u; rewrite /st_edge /elem_edge.
have xin : x \in box (ks ++ ss) by rewrite mem_box; move: vin; rewrite mem_elements.
by apply/negP => /forallP/(_ (st_op (Ordinal some) (SeqSub xin)))/negP; apply; apply: op_edge.
Qed.

Lemma z_out k : st_z k (many ss).-1 \in output G :\: input G.
Proof.
have m0 : 0 < many ss by apply: leq_ltn_trans (turn_lt x0).
have lt : (many ss).-1 < many ss by rewrite prednK.
by rewrite inE input_st zE //= inE /elem_output zE //= z_turn // prednK.
Qed.
Lemma st_chains : chains (fun _ : results => many ss) st_z.
Proof.
have m0 : 0 < many ss by apply: leq_ltn_trans (turn_lt x0).
split=> [//|k j jl|k j k' j' jl jl' E|k|k].
- by rewrite /= /st_edge /elem_edge !zE ?(ltnW jl) //= !z_key eqxx !z_turn ?(ltnW jl) ?eqxx.
- apply/val_inj => /=; move/(congr1 (fun v => (ssval v).2)): E; rewrite !zE //= => E; by rewrite -(z_key k j) E z_key.
- by rewrite input_st zE.
by rewrite /live; apply/existsP; exists (st_z k (many ss).-1); rewrite z_out connect0.
Qed.
Lemma st_reads : reads (fun _ : results => many ss) st_z key_of turn_of st_op.
Proof.
split=> [x|o x|o x]; first exact: turn_lt.
  by rewrite input_st opE.
by apply: op_edge; rewrite z_of.
Qed.
Lemma results_out : #|results| <= #|output G :\: input G|.
Proof.
rewrite -cardsT -(card_imset _ (f := fun k => st_z k (many ss).-1)).
  by apply/subset_leq_card/subsetP => _ /imsetP[k _ ->]; apply: z_out.
have m0 : 0 < many ss by apply: leq_ltn_trans (turn_lt x0).
by move=> k k' /(chain_inj st_chains) H; apply: H; rewrite /= prednK.
Qed.
Lemma card_steps : #|steps| = many (ks ++ ss).
Proof. by rewrite card_seq_sub ?box_uniq // size_box. Qed.
End Hypotheses.
