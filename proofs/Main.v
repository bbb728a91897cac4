(* The final statements, each with the file of its proof, and what they rest on.  game/Game.v says what a play is, a file of
   cdags/ what the computation is; nothing else is needed to read them.  `make proofs` compares what this file prints with
   "Closed under the global context": no axiom, nothing assumed. *)
From mathcomp Require Import all_ssreflect.
From redblue Require Import Game Playable Count Segment Rooted Residency BrascampLieb WeightedMeans.
From redblue Require Import Reduction Projective OwnWords Siblings Made OneShot Forks Stores Ledgers Crossings Pyramids WorkAtPairs TwoProducts ThreeWays Backward CarriedWork Features Covering.
From redblue Require Import Mask.
From redblue Require Pyramid Grid Atax.
From redblue Require Matmul Syrk Attention MaskedAttention AttentionTwoProducts AttentionBackward MaskedBackward.
From redblue Require Import Closed ProductCertificate AttentionCertificate TwoProductsCertificate ThreeWaysCertificate BackwardCertificate LowRankCertificate CoveringCertificate.
From redblue Require Import StatementCertificate EliminationCertificate PyramidCertificate GatesCertificate ForksCertificate WaitsCertificate CompulsoryCertificate AffineCertificate TailsCertificate BesidesCertificate ListedCertificate InputsBesides BesidesPairs FarTriangles Triangles Cholesky.
Local Open Scope nat_scope.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Main.
Variables (game : rules) (M : nat).          (* placing or sliding; a vertex may be computed any number of times *)

(* With room for all vertices every computation has a legal play: the statements below are not empty. *)
Theorem some_play (G : cdag) : #|G| <= M -> exists s : seq (move G), legal game M s.
Proof. exact: playable. Qed.

(* docs/theory.md 1: inputs that matter are loaded, outputs that are computed are stored. *)
Theorem compulsory (G : cdag) (s : seq (move G)) : legal game M s -> #|needed G| + #|output G :\: input G| <= cost s.
Proof. exact: compulsory_bound. Qed.

(* docs/theory.md 3: C = A B costs at least 2 m n k / sqrt(M) - M. *)
Theorem product m n k (s : seq (move (Matmul.matmul m n k))) :
  legal game M s -> 0 < M -> M ^ 3 < (m * n * k) ^ 2 -> 4 * (m * n * k) ^ 2 <= M * (cost s + M) ^ 2.
Proof. exact: matmul_leading. Qed.

(* of a tall and a flat matrix, M = a d^2: m n (1 + d^2 / M) - M^2 / d^2, *)
Theorem product_tall_skinny m n d a (s : seq (move (Matmul.matmul m n d))) :
  legal game M s -> 0 < d -> 0 < a -> M = a * d ^ 2 -> a ^ 2 * d ^ 3 < m * n * d -> a.+1 * (m * n) <= a * (cost s + a * M).
Proof. exact: tall_skinny_leading. Qed.

(* and the lower triangle of C = A A^T at least n (n - 1) k / sqrt(2 M) - M + n. *)
Theorem product_transposed n k (s : seq (move (Syrk.syrk n k))) :
  legal game M s -> 0 < M -> 8 * M ^ 3 < (n * n.-1 * k) ^ 2 -> (n * n.-1 * k) ^ 2 <= 2 * M * (cost s + M - n) ^ 2.
Proof. exact: syrk_leading. Qed.

(* docs/theory.md 10: Cholesky's factorisation: Q >= (n - g)^3 / (3 sqrt(2 M)) - M + n^2 / 2, nearly, for any g >= 3 sqrt(3 M). *)
Theorem cholesky_factorisation n g (s : seq (move (cholesky n))) : legal game M s -> 0 < M -> 27 * M <= g.+1 ^ 2 ->
  72 * M ^ 3 < ((n - g) * (n - g).-1 * (n - g).-2) ^ 2 ->
  2 * ((n - g) * (n - g).-1 * (n - g).-2) ^ 2 <= 9 * M * (2 * (cost s + M) - n * n.+1) ^ 2.
Proof. exact: cholesky_leading. Qed.

(* docs/theory.md 4: exact attention, forward, costs at least 4 n nk d^2 / M. *)
Theorem attention_forward n nk d (s : seq (move (Attention.attention n nk d d))) :
  legal game M s -> 0 < d -> 4 * d ^ 2 <= M -> M ^ 2 < 4 * d * (n * nk * d) -> 4 * d * (n * nk * d) <= M * cost s.
Proof. exact: attention_leading. Qed.

(* With values of dv words, keys of d: 4 n nk d dv / M - M. *)
Theorem attention_widths n nk d dv (s : seq (move (Attention.attention n nk d dv))) :
  legal game M s -> 8 * (d * dv) <= M -> 4 * (n * nk * (d * dv)) <= M * (cost s + M).
Proof. exact: widths_leading. Qed.

(* The same for any mask (causal, windows, blocks) in which every row keeps a key: 4 |pairs| d^2 / M. *)
Theorem attention_masked n nk d mask (s : seq (move (@MaskedAttention.attention n nk d d mask))) :
  legal game M s -> (forall i, exists j, mask i j) ->
  0 < d -> 4 * d ^ 2 <= M -> M ^ 2 < 4 * d * (#|pair mask| * d) ->
  4 * d * (#|pair mask| * d) <= M * cost s.
Proof. exact: masked_leading. Qed.

(* docs/theory-lp.md 4: its backward pass costs at least 12 n nk d^2 / M - M, *)
Theorem attention_backward_12 n nk d (s : seq (move (AttentionBackward.attention_backward n d nk d))) :
  legal game M s -> 24 * d ^ 2 <= M -> 12 * (n * nk * d ^ 2) <= M * (cost s + M).
Proof. by move=> ok; apply: backward_12_leading ok. Qed.

(* docs/theory-lp.md 5: and at least (14 - 2 d^2 / (M + d^2)) n nk d^2 / M - (n d + 2 nk d) - M. *)
Theorem attention_backward_14 n nk d (s : seq (move (AttentionBackward.attention_backward n d nk d))) :
  legal game M s -> 28 * d ^ 2 <= M ->
  (14 * M + 12 * d ^ 2) * (n * nk * d ^ 2) <= M * ((M + d ^ 2) * (cost s + (n * d + nk * (2 * d)) + M)).
Proof. by move=> ok; apply: backward_14_leading ok. Qed.

(* The same on any mask in which every row and every column keeps a pair: |pairs| in place of n nk. *)
Theorem masked_backward_12 n nk d mask (s : seq (move (@MaskedBackward.attention_backward n d nk d mask))) :
  legal game M s -> (forall i, exists j, mask i j) -> (forall j, exists i, mask i j) -> 24 * d ^ 2 <= M ->
  12 * (#|pair mask| * d ^ 2) <= M * (cost s + M).
Proof. exact: masked_backward_12_leading. Qed.
Theorem masked_backward_14 n nk d mask (s : seq (move (@MaskedBackward.attention_backward n d nk d mask))) :
  legal game M s -> (forall i, exists j, mask i j) -> (forall j, exists i, mask i j) -> 28 * d ^ 2 <= M ->
  (14 * M + 12 * d ^ 2) * (#|pair mask| * d ^ 2) <= M * ((M + d ^ 2) * (cost s + (n * d + nk * (2 * d)) + M)).
Proof. exact: masked_backward_14_leading. Qed.

(* docs/theory.md 12: a pyramid of height h wants h (h + 1) / (2 w) + (w + 1) / 2 loads, w = M - 2 (sliding: M - 1). *)
Theorem pyramid_loads h (s : seq (move (Pyramid.pyramid h))) : legal game M s -> room game M <= h ->
  h * h.+1 + room game M * (room game M).+1 <= 2 * (n_loads s 0 (size s) * room game M).
Proof. exact: Pyramid.pyramid_loads. Qed.

(* Its loads and stores:  Q >= h (h + 1) / (2 w) + (h + 1 - 2 w) (h + 2 - 2 w) / (4 w + 2)  and more; 3 h^2 / (4 M) to leading order. *)
Theorem pyramid_all h w (s : seq (move (Pyramid.pyramid h))) : legal game M s -> room game M = w -> 0 < w -> 2 * w <= h ->
  (2 * w).+1 * (h * h.+1 + w * w.+1) + w * ((h.+1 - 2 * w) * (h.+2 - 2 * w)) + 2 * w * (2 * w).+1 <= 2 * w * (2 * w).+1 * cost s.
Proof. exact: Pyramid.pyramid_moves. Qed.

(* A grid of r by c points:  Q >= (r + 1 - 2 M) (c + 1 - 2 M) / (M + 1/2); r c / M to leading order. *)
Theorem grid r c (s : seq (move (Grid.grid r c))) : legal game M s -> 0 < M ->
  2 * ((r.+1 - 2 * M) * (c.+1 - 2 * M)) <= (2 * M).+1 * cost s.
Proof. exact: Grid.grid_moves. Qed.

(* y = A^T (A x), A of m by n: all but M - 1 words of a row are loaded twice. *)
Theorem matrix_twice m n (s : seq (move (Atax.atax m n))) : legal game M s -> 0 < m -> 0 < n ->
  m * n + n + m * (n - M.-1) + n <= cost s.
Proof. exact: Atax.atax_bound. Qed.
End Main.

(* All of them in one, so that Coq looks for axioms once: assumptions.sh names them. *)
Definition proved := (
  @some_play,
  @compulsory,
  @product,
  @product_tall_skinny,
  @product_transposed,
  @cholesky_factorisation,
  @attention_forward,
  @attention_widths,
  @attention_masked,
  @attention_backward_12,
  @attention_backward_14,
  @masked_backward_12,
  @masked_backward_14,
  @pyramid_loads,
  @pyramid_all,
  @grid,
  @matrix_twice,
  (* for any CDAG with the hypotheses of a Record *)
  @segment_bound,
  @segment_lemma_before,
  @segment_lemma_after,
  @steps_segment,
  @steps_segment_after,
  @residencies,
  @product_segment,
  @projective_segment,
  @projective_needs,
  @own_segment,
  @own_ledgers,
  @siblings_most,
  @few_made,
  @made_most,
  @tails_most,
  @one_shot_segment,
  @ledgers_segment,
  @computed_by_loads,
  @pyramid_needs,
  @pyramids_loaded,
  @seeded_segment,
  @pair_segment,
  @two_segment,
  @three_segment,
  @backward12_any,
  @backward14_any,
  @features_segment,
  @covering_segment,
  @inputs_besides,
  @backward_left,
  @covering_left,
  @gates_bound,
  @gates_words,
  @forks_bound,
  @ledgers_stores,
  @ledgers_behind,
  @own_stores,
  @own_behind,
  @loads_segment,
  @cholesky_bound,
  (* inequalities *)
  @pivots,
  @far_triangles,
  @triangles,
  @cover,
  @weighted,
  @siblings,
  (* a computation, a certificate's integers: its number *)
  @matmul_certificate,
  @matmul_add_certificate,
  @syrk_certificate,
  @attention_certificate,
  @masked_certificate,
  @causal_certificate,
  @listed_certificate,
  @backward_12_certificate,
  @backward_14_certificate,
  @masked_backward_12_certificate,
  @masked_backward_14_certificate,
  @listed_backward_12_certificate,
  @listed_backward_14_certificate,
  @causal_backward_12_certificate,
  @causal_backward_14_certificate,
  @two_products_certificate,
  @causal_two_products_certificate,
  @listed_two_products_certificate,
  @three_ways_certificate,
  @causal_three_ways_certificate,
  @listed_three_ways_certificate,
  @lowrank_certificate,
  @covering_attention_certificate,
  @covering_backward_certificate,
  @besides_backward_12_certificate,
  @besides_backward_14_certificate,
  @besides_causal_backward_12_certificate,
  @besides_causal_backward_14_certificate,
  @besides_listed_backward_12_certificate,
  @besides_listed_backward_14_certificate,
  @besides_covering_backward_certificate,
  @besides_covering_attention_certificate,
  @statement_certificate,
  @compulsory_certificate,
  @affine_certificate,
  @affine_once_certificate,
  @affine_tails_certificate,
  @cholesky_certificate,
  @gates_certificate,
  @gates_once_certificate,
  @waits_once_certificate,
  @pyramids_everywhere_certificate,
  @pyramids_side_by_side_certificate,
  @crossings_certificate,
  @crossings_sliding_certificate,
  @AttentionTwoProducts.attention_two,
  (* numbers *)
  @attention_4096_64,
  @backward_16384_64).
Print Assumptions proved.
