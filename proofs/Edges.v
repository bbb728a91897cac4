(* The edges and outputs of the computations of cdags/, written out for small sizes: edges.sh compares them with what
   `redblue cdag --format edges` says of the family.  Vertices are numbered as there: array after array, the last index first. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect.
From redblue Require Matmul MatmulAdd Attention MaskedAttention AttentionBackward MaskedBackward Listed AttentionCertificate Syrk LowRank Pyramid Grid Atax Boxes Statement Affine Cholesky InputsBesides BesidesAttention.
From redblue Require Import Mask.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* all numbers below n, in order; enum would not compute *)
Definition ord_at n i : seq 'I_n := (if i < n as b return i < n = b -> seq 'I_n then fun lt => [:: Ordinal lt] else fun=> [::]) erefl.
Definition ords n : seq 'I_n := flatten [seq ord_at n i | i <- iota 0 n].
Lemma ords_all n (P : pred 'I_n) : all P (ords n) = [forall i, P i].
Proof.
apply/allP/forallP => H i; last by move=> _; apply: H.
apply: H; apply/flattenP; exists [:: i]; last by rewrite inE.
apply/mapP; exists (val i); first by rewrite mem_iota add0n ltn_ord.
rewrite /ord_at; move: (erefl _); case: {2 3}(_ < _) / (ltnP i n) => [lt e|]; last by rewrite leqNgt ltn_ord.
by congr [:: _]; apply/val_inj.
Qed.

Definition box1 (A : Type) n (f : 'I_n -> A) := [seq f i | i <- ords n].
Definition box2 (A : Type) n m (f : 'I_n -> 'I_m -> A) := flatten (box1 (fun i => box1 (f i))).
Definition box3 (A : Type) n m k (f : 'I_n -> 'I_m -> 'I_k -> A) := flatten (box1 (fun i => box2 (f i))).

(* vertices; (u, v) for each edge; outputs *)
Definition listing (A : Type) (edge : A -> A -> bool) (out : A -> bool) (vs : seq A) :=
  let numbered := zip [seq N.of_nat i | i <- iota 0 (size vs)] vs in
  (N.of_nat (size vs), flatten [seq [seq (u.1, v.1) | u <- numbered & edge u.2 v.2] | v <- numbered], [seq v.1 | v <- numbered & out v.2]).

Definition matmul m n k := listing (@Matmul.mm_edge m n k) (@Matmul.mm_is_output m n k)
  (box2 (@Matmul.mmA m n k) ++ box2 (@Matmul.mmB m n k) ++ box3 (@Matmul.mmC m n k)).

Definition matmul_add m n k := listing (@MatmulAdd.ma_edge m n k) (@MatmulAdd.ma_is_output m n k)
  (box2 (@MatmulAdd.maA m n k) ++ box2 (@MatmulAdd.maB m n k) ++ box2 (@MatmulAdd.maC0 m n k) ++ box3 (@MatmulAdd.maC m n k)).

Module Forward.
Import Attention.
Definition listed n d nk dv := listing (@att_edge n nk d dv) (@att_is_output n nk d dv)
  (box2 (@Q n nk d dv) ++ box2 (@Ky n nk d dv) ++ box2 (@V n nk d dv) ++ box3 (@S n nk d dv) ++ box2 (@P n nk d dv) ++
   box2 (@L n nk d dv) ++ box3 (@Z n nk d dv) ++ box2 (@O n nk d dv)).
End Forward.
Definition attention := Forward.listed.
(* with a number for each pair, which stand behind V *)
Module Bias.
Import Attention.
Definition edge n d nk dv (u v : att n nk d dv + 'I_n * 'I_nk) : bool := InputsBesides.with_edge (G := attention n nk d dv) (@BesidesAttention.Bias.read_by n nk d dv) u v.
Definition listed n d nk dv := listing (@edge n d nk dv) (fun v => if v is inl v then att_is_output v else false)
  ([seq inl v | v <- box2 (@Q n nk d dv) ++ box2 (@Ky n nk d dv) ++ box2 (@V n nk d dv)] ++ [seq inr x | x <- box2 (fun (i : 'I_n) (j : 'I_nk) => (i, j))] ++
   [seq inl v | v <- box3 (@S n nk d dv) ++ box2 (@P n nk d dv) ++ box2 (@L n nk d dv) ++ box3 (@Z n nk d dv) ++ box2 (@O n nk d dv)]).
End Bias.
Definition attention_bias := Bias.listed.

Module Backward.
Import AttentionBackward.
Definition listed n d nk dv := listing (@bwd_edge n d nk dv) (@bwd_is_output n d nk dv)
  (box2 (@Q n d nk dv) ++ box2 (@Ky n d nk dv) ++ box2 (@V n d nk dv) ++ box2 (@O n d nk dv) ++ box2 (@dO n d nk dv) ++
   box1 (@Lse n d nk dv) ++ box3 (@S n d nk dv) ++ box2 (@P n d nk dv) ++ box2 (@D n d nk dv) ++ box3 (@dP n d nk dv) ++
   box2 (@dS n d nk dv) ++ box3 (@dQ n d nk dv) ++ box3 (@dK n d nk dv) ++ box3 (@dV n d nk dv)).
End Backward.
Definition attention_backward := Backward.listed.

(* the pairs of a mask, with tests that compute *)
Section Pairs.
Variables (n nk : nat) (mask : 'I_n -> 'I_nk -> bool).
Definition pair_at i j : seq (pair mask) :=
  (if mask i j as b return mask i j = b -> seq (pair mask)
   then fun e => [:: exist (fun p : 'I_n * 'I_nk => is_true (mask p.1 p.2)) (i, j) e] else fun=> [::]) erefl.
Definition row_pairs i := flatten [seq pair_at i j | j <- ords nk].
(* edges that compute *)
Definition next_c (p q : pair mask) : bool :=
  [&& row p == row q, col p < col q & all (fun j : 'I_nk => (col p < j < col q) ==> ~~ mask (row p) j) (ords nk)].
Definition last_c (p : pair mask) : bool := all (fun j : 'I_nk => (col p < j) ==> ~~ mask (row p) j) (ords nk).
Definition below_c (p q : pair mask) : bool :=
  [&& col p == col q, row p < row q & all (fun i : 'I_n => (row p < i < row q) ==> ~~ mask i (col p)) (ords n)].
Definition lowest_c (p : pair mask) : bool := all (fun i : 'I_n => (row p < i) ==> ~~ mask i (col p)) (ords n).
Definition col_pairs j := flatten [seq pair_at i j | i <- ords n].
End Pairs.

Module Masked.
Import MaskedAttention.
Section Masked.
Variables (n nk d dv : nat) (mask : 'I_n -> 'I_nk -> bool).
Local Notation row_pairs := (row_pairs mask).
Definition edge_c (u v : att d dv mask) : bool :=
  match u, v with
  | L p, L p' => next_c p p'
  | Z p l, Z p' l' => next_c p p' && (l == l')
  | Z p l, O i l' => [&& row p == i, last_c p & l == l']
  | L p, O i l => (row p == i) && last_c p
  | _, _ => att_edge u v
  end.
Lemma edge_cE u v : edge_c u v = att_edge u v.
Proof. by case: u v => [i k|j k|j l|p k|p|p|p l|i l] [i' k'|j' k'|j' l'|p' k'|p'|p'|p' l'|i' l'] //=; rewrite /next_c /last_c ?ords_all. Qed.
Definition listed := listing edge_c (@att_is_output n nk d dv mask)
  (box2 (@Q n nk d dv mask) ++ box2 (@Ky n nk d dv mask) ++ box2 (@V n nk d dv mask) ++
   flatten (box1 (fun i => flatten [seq box1 (S dv p) | p <- row_pairs i])) ++
   flatten (box1 (fun i => [seq P d dv p | p <- row_pairs i])) ++ flatten (box1 (fun i => [seq L d dv p | p <- row_pairs i])) ++
   flatten (box2 (fun i (l : 'I_dv) => [seq Z d p l | p <- row_pairs i])) ++ box2 (@O n nk d dv mask)).
End Masked.
End Masked.
Definition attention_causal n d dv := @Masked.listed n n d dv (@AttentionCertificate.causal n).
Definition attention_listed n nk d dv l := @Masked.listed n nk d dv (@Listed.listed n nk l).

Module MaskedBack.
Import MaskedBackward.
Section MaskedBack.
Variables (n nk d dv : nat) (mask : 'I_n -> 'I_nk -> bool).
Local Notation row_pairs := (row_pairs mask). Local Notation col_pairs := (col_pairs mask).
Definition edge_c (u v : bwd d dv mask) : bool :=
  match u, v with
  | dQ p k, dQ p' k' => next_c p p' && (k == k')
  | dK p k, dK p' k' | dV p k, dV p' k' => below_c p p' && (k == k')
  | _, _ => bwd_edge u v
  end.
Definition output_c (v : bwd d dv mask) : bool :=
  match v with dQ p _ => last_c p | dK p _ => lowest_c p | dV p _ => lowest_c p | _ => false end.
Lemma edge_cE u v : edge_c u v = bwd_edge u v.
Proof.
by case: u => [i k|j k|j l|i l|i l|i|p k|p|i l|p l|p|p k|p k|p l];
  case: v => [i' k'|j' k'|j' l'|i' l'|i' l'|i'|p' k'|p'|i' l'|p' l'|p'|p' k'|p' k'|p' l'] //=; rewrite /next_c /below_c ords_all.
Qed.
Lemma output_cE v : output_c v = bwd_is_output v.
Proof. by case: v => // p k; rewrite /= /last_c /lowest_c ords_all. Qed.
Definition by_rows (A : Type) (f : pair mask -> seq A) := flatten (box1 (fun i => flatten [seq f p | p <- row_pairs i])).
Definition listed := listing edge_c output_c
  (box2 (@Q n d nk dv mask) ++ box2 (@Ky n d nk dv mask) ++ box2 (@V n d nk dv mask) ++ box2 (@O n d nk dv mask) ++
   box2 (@dO n d nk dv mask) ++ box1 (@Lse n d nk dv mask) ++ by_rows (fun p => box1 (S dv p)) ++ by_rows (fun p => [:: P d dv p]) ++
   box2 (@D n d nk dv mask) ++ by_rows (fun p => box1 (dP d p)) ++ by_rows (fun p => [:: dS d dv p]) ++
   flatten (box2 (fun i (k : 'I_d) => [seq dQ dv p k | p <- row_pairs i])) ++
   flatten (box2 (fun j (k : 'I_d) => [seq dK dv p k | p <- col_pairs j])) ++
   flatten (box2 (fun j (l : 'I_dv) => [seq dV d p l | p <- col_pairs j]))).
End MaskedBack.
End MaskedBack.
Definition attention_causal_backward n d dv := @MaskedBack.listed n n d dv (@AttentionCertificate.causal n).
Definition attention_listed_backward n nk d dv l := @MaskedBack.listed n nk d dv (@Listed.listed n nk l).

Definition tri_at n (i j : 'I_n) : seq (Syrk.tri n) :=
  (if j <= i as b return (j <= i) = b -> seq (Syrk.tri n)
   then fun e => [:: exist (fun e : 'I_n * 'I_n => is_true (e.2 <= e.1)) (i, j) e] else fun=> [::]) erefl.
Definition syrk n k := listing (@Syrk.sy_edge n k) (@Syrk.sy_is_output n k)
  (box2 (@Syrk.syA n k) ++ flatten (box2 (fun i j : 'I_n => flatten [seq box1 (@Syrk.syC n k e) | e <- tri_at i j]))).

Module Features.
Import LowRank.
Definition listed n d r dv := listing (@low_edge n d r dv) (@low_is_output n d r dv)
  (box2 (@Q n d r dv) ++ box2 (@Ky n d r dv) ++ box2 (@V n d r dv) ++ box2 (@FK n d r dv) ++ box3 (@W n d r dv) ++
   box2 (@U n d r dv) ++ box2 (@FQ n d r dv) ++ box3 (@N n d r dv) ++ box2 (@D n d r dv) ++ box2 (@O n d r dv)).
End Features.
Definition attention_lowrank := Features.listed.

Definition atax m n := listing (@Atax.atax_edge m n) (@Atax.atax_is_output m n)
  (box2 (@Atax.vA m n) ++ box1 (@Atax.vX m n) ++ box2 (@Atax.vT m n) ++ box2 (@Atax.vY m n)).
Definition grid r c := listing (@Grid.grid_edge r c) (@Grid.is_output r c) (box2 (fun (i : 'I_r) (j : 'I_c) => (i, j))).

Definition pyr_at h (i j : 'I_h.+1) : seq (Pyramid.pyr h) :=
  (if h <= i + j as b return (h <= i + j) = b -> seq (Pyramid.pyr h)
   then fun e => [:: exist (fun p : 'I_h.+1 * 'I_h.+1 => is_true (h <= p.1 + p.2)) (i, j) e] else fun=> [::]) erefl.
Definition pyramid h := listing (@Pyramid.pyr_edge h) (@Pyramid.pyr_is_output h)
  (flatten [seq flatten (box1 (fun i : 'I_h.+1 => flatten (box1 (fun j : 'I_h.+1 => if i + j == sum then pyr_at i j else [::])))) | sum <- iota h h.+1]).

Module Elimination.
Import Cholesky.
Definition below_at n (i j : 'I_n) : seq (Syrk.below n) :=
  (if j < i as b return (j < i) = b -> seq (Syrk.below n)
   then fun e => [:: exist (fun e : 'I_n * 'I_n => is_true (e.2 < e.1)) (i, j) e] else fun=> [::]) erefl.
Definition update_at n (i j k : 'I_n) : seq (updates n) :=
  (if k < j <= i as b return (k < j <= i) = b -> seq (updates n)
   then fun e => [:: exist (fun e : 'I_n * 'I_n * 'I_n => is_true (e.2 < e.1.2 <= e.1.1)) (i, j, k) e] else fun=> [::]) erefl.
Definition listed n := listing (@ch_edge n) (@ch_is_output n)
  ([seq chA e | e <- flatten (box2 (fun i j : 'I_n => tri_at i j))] ++
   [seq chU e | e <- flatten (box3 (fun i j k : 'I_n => update_at i j k))] ++
   box1 (@chD n) ++ [seq chL e | e <- flatten (box2 (fun i j : 'I_n => below_at i j))]).
End Elimination.
Definition cholesky := Elimination.listed.

(* the inputs come first in a text *)
Definition statement tx := listing (Statement.elem_edge tx) (Statement.elem_output tx)
  (rot (size (Boxes.box [seq N.to_nat d | d <- Statement.keys tx ++ Statement.sums tx])) (Statement.elements tx)).

(* of any affine text *)
Definition affine tx := listing (fun u v => Affine.reads tx v u) (Affine.put_out tx) (Affine.elements tx).
