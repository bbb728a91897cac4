(* Masks: the pairs of a row and a column that are kept, in order along rows and columns. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Pairs.
Variables (n nk : nat) (mask : 'I_n -> 'I_nk -> bool).
Definition pair : finType := [finType of {p : 'I_n * 'I_nk | mask p.1 p.2}].
Definition row (p : pair) := (val p).1.
Definition col (p : pair) := (val p).2.
(* q is the pair after p in its row *)
Definition next (p q : pair) : bool :=
  [&& row p == row q, col p < col q & [forall j : 'I_nk, (col p < j < col q) ==> ~~ mask (row p) j]].
Definition is_last (p : pair) : bool := [forall j : 'I_nk, (col p < j) ==> ~~ mask (row p) j].
(* q is the pair after p in its column *)
Definition below (p q : pair) : bool :=
  [&& col p == col q, row p < row q & [forall i : 'I_n, (row p < i < row q) ==> ~~ mask i (col p)]].
Definition is_lowest (p : pair) : bool := [forall i : 'I_n, (row p < i) ==> ~~ mask i (col p)].

Lemma pair_eq (p q : pair) : row p = row q -> col p = col q -> p = q.
Proof. by rewrite /row /col => r c; apply/val_inj; rewrite [LHS]surjective_pairing r c -surjective_pairing. Qed.

Definition keys i := [seq j <- enum 'I_nk | mask i j].
Lemma mem_keys i j : (j \in keys i) = mask i j.
Proof. by rewrite mem_filter mem_enum andbT. Qed.
Lemma keys_sorted i : sorted (fun a b : 'I_nk => a < b) (keys i).
Proof.
apply: sorted_filter; first by move=> a b c; apply: ltn_trans.
have := iota_ltn_sorted 0 nk; by rewrite -val_enum_ord sorted_map.
Qed.
Lemma keys_lt i j0 a b : a < size (keys i) -> b < size (keys i) ->
  (nth j0 (keys i) a < nth j0 (keys i) b) = (a < b).
Proof.
have tr : transitive (fun a b : 'I_nk => a < b) by move=> x y z; apply: ltn_trans.
move=> la lb; case: (ltngtP a b) => [ab|ba|->]; last by rewrite ltnn.
  by apply: (sorted_ltn_nth tr j0 (keys_sorted i)).
apply/negbTE; rewrite -leqNgt; apply: ltnW; by apply: (sorted_ltn_nth tr j0 (keys_sorted i)).
Qed.
Definition place (p : pair) := index (col p) (keys (row p)).
Lemma place_lt p : place p < size (keys (row p)).
Proof. by rewrite index_mem mem_keys; apply: (valP p). Qed.

(* the pairs of a row, one after the other *)
Lemma in_rows : (forall i, exists j, mask i j) -> exists zz : 'I_n -> nat -> pair,
  [/\ forall i, 0 < size (keys i), forall i a, a < size (keys i) -> row (zz i a) = i, forall p, zz (row p) (place p) = p,
      forall i a, a.+1 < size (keys i) -> next (zz i a) (zz i a.+1) & forall i, is_last (zz i (size (keys i)).-1)].
Proof.
move=> rows; have /fin_all_exists[p0 rp0] : forall i, exists p : pair, row p = i.
  move=> i; have [j ij] := rows i.
  by exists (exist (fun p => mask p.1 p.2) (i, j) ij).
pose len i := size (keys i).
pose zz i t : pair := insubd (p0 i) (i, nth (col (p0 i)) (keys i) t); exists zz.
have zzE i a : a < len i -> val (zz i a) = (i, nth (col (p0 i)) (keys i) a).
  by move=> al; rewrite /zz val_insubd /= -mem_keys mem_nth.
have zzr i a : a < len i -> row (zz i a) = i by move=> /zzE; rewrite /row => ->.
have zzc i a : a < len i -> col (zz i a) = nth (col (p0 i)) (keys i) a by move=> /zzE; rewrite /col => ->.
have colm (p : pair) : col p \in keys (row p) by rewrite mem_keys; apply: (valP p).
have len0 i : 0 < len i.
  by have := colm (p0 i); rewrite rp0 /len; case: (keys i).
split=> // [p|i a al|i].
- apply/val_inj; rewrite zzE ?place_lt // nth_index ?colm //.
  by rewrite /row /col; case: (val p).
- have al' := ltnW al; rewrite /next !zzr // eqxx /= !zzc // keys_lt // ltnSn /=; apply/forallP => j; apply/implyP => /andP[j1 j2].
  rewrite -mem_keys; apply/negP => jk; move: j1 j2.
  rewrite -{1 2}(nth_index (col (p0 i)) jk) !keys_lt ?index_mem //; lia.
- have ll : (len i).-1 < len i by have := len0 i; lia.
  apply/forallP => j; apply/implyP; rewrite zzc // zzr // => lt'; rewrite -mem_keys; apply/negP => jk.
  have ix : index j (keys i) < len i by rewrite index_mem.
  move: lt'; rewrite -{1}(nth_index (col (p0 i)) jk) keys_lt //.
  by move: ix; rewrite -/(len i); case: (len i) => [|k]; rewrite ?ltn0 //= ltnS leqNgt => /negbTE ->.
Qed.
End Pairs.

(* and of a column: a row of the mask turned *)
Section Turned.
Variables (n nk : nat) (mask : 'I_n -> 'I_nk -> bool).
Definition turned (j : 'I_nk) (i : 'I_n) := mask i j.
Definition turn (p : pair turned) : pair mask := exist (fun p => mask p.1 p.2) (col p, row p) (valP p).
Definition back (p : pair mask) : pair turned := exist (fun p => turned p.1 p.2) (col p, row p) (valP p).
Lemma in_columns : (forall j, exists i, mask i j) -> exists zz : 'I_nk -> nat -> pair mask,
  [/\ forall j, 0 < size (keys turned j), forall j a, a < size (keys turned j) -> col (zz j a) = j,
      forall p, zz (col p) (place (back p)) = p /\ place (back p) < size (keys turned (col p)),
      forall j a, a.+1 < size (keys turned j) -> below (zz j a) (zz j a.+1) & forall j, is_lowest (zz j (size (keys turned j)).-1)].
Proof.
case/(@in_rows _ _ turned) => zz [len0 zr zK zn zl]; exists (fun j a => turn (zz j a)); split=> //.
by move=> p; split; [have := zK (back p) => -> ; apply: pair_eq | exact: (place_lt (back p))].
Qed.
End Turned.
