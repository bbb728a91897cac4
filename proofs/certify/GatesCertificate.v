(* Certificates of gates, for any affine text: docs/theory-affine.md, section 7, Theorem 13.  A family's gates are elements of one array,
   some indices of which its keys tell: the class, then the time.  What uses words reads them behind its gate and before the next one. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes Game Trace Count Segment Rooted Affine Words CompulsoryCertificate Walks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Local Notation nat_ := N.to_nat.

(* Where elements of an array use words: their own (None), or those that an access reads, at these values of what runs there; an element of
   the gate is before them, they are before the next gate, and an element of their word, and so its input, before this one. *)
Record part := Part { p_where : seq form; p_want : option (nat * seq form); p_up : walk; p_next : walk; p_begun : walk }.
(* Forms of the array's loops: the class and the time of the gate; forms of the word's labels: the class; and of class, time and labels:
   the loops. *)
Record use := Use { u_array : nat; u_kind : seq form; u_time : form; u_class : seq form; u_back : seq form; u_parts : seq part }.
Record family := Family {
  g_array : nat; g_roles : seq (option form);  (* of each index the form of the keys, or any value *)
  g_where : seq form; g_made : walk;           (* elements where these hold; each reads something *)
  g_kinds : seq N; g_times : N; g_held : seq form;  (* keys of the gates: in a box, where these hold *)
  g_first : nat * nat * seq form;              (* at each of them there is an element of this use and part *)
  g_uses : seq use }.
(* Families that alternate, of the same classes: at each time their gates come one after the other, and what uses words behind the last one's
   comes before the first one's so many times later.  Their times may be moved, so that it is so. *)
Record ring := Ring { r_lag : nat; r_families : seq family }.
Record gates_claim := GatesClaim {
  g_labels : seq (nat * seq form);             (* of each array: its component, and forms of an element that tell its word *)
  g_starts : seq (nat * (seq form * walk));    (* by arrays: an input's indices as forms of its labels, and where what is no input finds
                                                  a predecessor of its word *)
  g_beside : bool;                             (* no gate is on a word that counts, nor counts itself *)
  g_rings : seq ring }.
Definition no_part := Part [::] None Nowhere Nowhere Nowhere.
Definition no_use := Use 0 [::] (0%Z, [::]) [::] [::] [::].
Definition no_family := Family 0 [::] [::] Nowhere [::] 0 [::] (0, 0, [::]) [::].
Definition no_ring := Ring 0 [::].
Definition member (r : ring) (j : nat) : family := nth no_family (r_families r) j.
Definition next_of (r : ring) (j : nat) : nat * nat := if j.+1 < size (r_families r) then (j.+1, 0) else (0, r_lag r).
Definition ring_uses (r : ring) : seq use := flatten [seq g_uses f | f <- r_families r].

(* forms of a gate's indices: of the keys, and of further variables *)
Fixpoint pattern (rs : seq (option form)) (ks : seq form) (n : nat) : seq form :=
  match rs with [::] => [::] | Some f :: rs' => subst f ks :: pattern rs' ks n | None :: rs' => variable n :: pattern rs' ks n.+1 end.
Fixpoint anys (T : Type) (rs : seq (option form)) (l : seq T) : seq T :=
  match rs, l with None :: rs', x :: l' => x :: anys rs' l' | Some _ :: rs', _ :: l' => anys rs' l' | _, _ => [::] end.
Definition told (rs : seq (option form)) (ks g : seq Z) : bool :=
  (size g == size rs) && all2 (fun r v => if r is Some f then v =? value f ks else true)%Z rs g.
Definition find_at (T : Type) (d : T) (l : seq (nat * T)) (b : nat) : T := head d [seq x.2 | x <- l & x.1 == b].
(* of so many parts one is no less than this *)
Definition share_of (V : N) (q : nat) : N := ((V + N.of_nat q - 1) / N.of_nat q)%num.
Definition later (d : Z) (f : form) : form := add f (d, [::]).
Definition asked ds (cs : seq form) : seq form := [seq c <- cs | ~~ implies ds [::] c].

Section Check.
Variables (tx : text) (lives : seq (option region)) (gc : gates_claim).
Notation ext := (extents tx).
Definition label (b : nat) : nat * seq form := nth (0, [::]) (g_labels gc) b.
Definition name (v : elem) : nat * seq Z := ((label v.1).1, at_point (label v.1).2 (ints v.2)).
Definition here_ (b : nat) : seq form := variables (size (ext b)).
Definition said (u : use) (p : part) : nat * seq form :=
  if p_want p is Some (k, ys) then
    if reads_one tx (ext (u_array u)) (p_where p) (u_array u) (here_ (u_array u)) k ys is Some (b, gs) then ((label b).1, composed (label b).2 gs) else (0, [::])
  else label (u_array u).
Definition want_found (u : use) (p : part) : bool :=
  if p_want p is Some (k, ys) then isSome (reads_one tx (ext (u_array u)) (p_where p) (u_array u) (here_ (u_array u)) k ys) else true.
Definition comp (u : use) : nat := (said u (nth no_part (u_parts u) 0)).1.
Definition key_box (f : family) : seq N := rcons (g_kinds f) (g_times f).
Definition keys_at (u : use) (d : Z) : seq form := rcons (u_kind u) (later d (u_time u)).
Definition gates_box (a : nat) (f : family) : seq N := ext a ++ anys (g_roles f) (ext (g_array f)).
Definition gate_at (u : use) (f : family) (d : Z) : seq form := pattern (g_roles f) (keys_at u d) (size (ext (u_array u))).

Definition in_gate ds cs (f : family) (ks gs : seq form) : bool :=
  [&& size gs == size (g_roles f), all2 (fun r g => if r is Some h then same ds cs g (subst h ks) else true) (g_roles f) gs &
      all (fun c => implies ds cs (subst c gs)) (g_where f)].
Definition is_array ds cs (b' b : nat) gs hs : bool := (b' == b) && all2 (same ds cs) gs hs.
Definition back_of (b : nat) : seq form := (find_at ([::], Nowhere) (g_starts gc) b).1.
Definition start_of (b : nat) : walk := (find_at ([::], Nowhere) (g_starts gc) b).2.
(* Each element reads one of its word, or is an input that its labels tell. *)
Fixpoint has_told (w : walk) : bool := match w with Path p => nilp p | Either _ w1 w2 => has_told w1 || has_told w2 | Nowhere => false end.
Fixpoint begins (b : nat) cs (w : walk) : bool :=
  match w with
  | Path [::] => is_source tx (b, cs) && all2 (same (ext b) cs) (composed (back_of b) (label b).2) (here_ b)
  | Path (Once k ys :: _) => if reads_one tx (ext b) cs b (here_ b) k ys is Some (b', gs)
      then ((label b').1 == (label b).1) && all2 (same (ext b) cs) (composed (label b').2 gs) (label b).2 else false
  | Path _ => false
  | Either f yes no => begins b (f :: cs) yes && begins b (less never f :: cs) no
  | Nowhere => implies (ext b) cs never
  end.
Definition starts_ok (b : nat) : bool := all (fun p => begins b p (start_of b)) (pieces tx b).

Definition known_now (u : use) (p : part) (f : family) : seq form :=
  p_where p ++ asked (gates_box (u_array u) f) (composed (g_where f) (gate_at u f 0)).
Definition in_time (f : family) (d : Z) (t : form) : form := less ((Z.of_N (g_times f) - 1 - d)%Z, [::]) t.
Definition known_next (u : use) (p : part) (f : family) (d : Z) : seq form :=
  p_where p ++ asked (gates_box (u_array u) f) (in_time f d (u_time u) :: composed (g_held f) (keys_at u d) ++ composed (g_where f) (gate_at u f d)).
Definition away (u : use) (p : part) (f : family) : bool := let ds := ext (u_array u) in let r := p_where p in
  [|| u_array u != g_array f, has (fun c => implies ds r (less never c)) (g_where f) |
      has (fun t : option form * form => if t.1 is Some h then let d := less t.2 (subst h (keys_at u 0)) in
             implies ds r (one_less d) || implies ds r (one_less (scale (-1) d)) else false) (zip (g_roles f) (variables (size ds)))].
Definition short n (f : form) : bool := size f.2 <= n.
(* words of one component have one class, whichever use of the ring names it *)
Definition class_in (us : seq use) (c : nat) : seq form := u_class (nth no_use us (find (fun u => comp u == c) us)).
(* nf: the family whose gate is next, d times later *)
Section InRing.
Variables (us : seq use) (nf : family) (d : nat).
Definition part_ok (f : family) (u : use) (p : part) : bool := let a := u_array u in let ds := ext a in let r := p_where p in
  [&& [&& there_alive tx lives a r,
          want_found u p, all (short (size ds)) r & all (short (size ds)) (said u p).2],
      [&& (said u p).1 == comp u, within ds r (keys_at u 0) (key_box f) & all (fun c => implies ds r (subst c (keys_at u 0))) (g_held f)],
      all2 (same ds r) (composed (class_in us (comp u)) (said u p).2) (u_kind u) &&
        all2 (same ds r) (composed (u_back u) (keys_at u 0 ++ (said u p).2)) (variables (size ds)),
      goes tx ds r a (variables (size ds)) (p_up p) (fun cs b gs => (b == g_array f) && in_gate ds cs f (keys_at u 0) gs) &
      [&& goes tx (gates_box a nf) (known_next u p nf (Z.of_nat d)) (g_array nf) (gate_at u nf (Z.of_nat d)) (p_next p)
            (fun cs b gs => is_array (gates_box a nf) cs b a gs (variables (size ds))),
          goes tx (gates_box a f) (known_now u p f) (g_array f) (gate_at u f 0) (p_begun p)
            (fun cs b gs => ((label b).1 == comp u) && all2 (same (gates_box a f) cs) (composed (label b).2 gs) (said u p).2) &
          ~~ g_beside gc || away u p f]].
Fixpoint disjoint ds (rs : seq (seq form)) : bool :=
  if rs is r :: rs' then all (fun r' => implies ds (r ++ r') never) rs' && disjoint ds rs' else true.
Definition use_ok (f : family) (u : use) : bool :=
  [&& all (short (size (ext (u_array u)))) (rcons (u_kind u) (u_time u)), all (part_ok f u) (u_parts u),
      disjoint (ext (u_array u)) [seq p_where p | p <- u_parts u] &
      all (fun b => ((label b).1 != comp u) || starts_ok b) (iota 0 (size (arrays tx))) &&
      (size [seq b <- iota 0 (size (arrays tx)) | ((label b).1 == comp u) && has_told (start_of b)] <= 1) &&
      (~~ g_beside gc || ((label (g_array f)).1 != comp u))].
End InRing.
Definition first_ok (f : family) : bool :=
  let u := nth no_use (g_uses f) (g_first f).1.1 in let p := nth no_part (u_parts u) (g_first f).1.2 in let hs := (g_first f).2 in
  [&& (g_first f).1.1 < size (g_uses f), (g_first f).1.2 < size (u_parts u), within (key_box f) (g_held f) hs (ext (u_array u)),
      all (fun c => implies (key_box f) (g_held f) (subst c hs)) (p_where p) &
      all2 (same (key_box f) (g_held f)) (composed (keys_at u 0) hs) (variables (size (key_box f)))].
Definition made_ok (f : family) : bool := let ds := key_box f ++ anys (g_roles f) (ext (g_array f)) in
  let gs := pattern (g_roles f) (variables (size (key_box f))) (size (key_box f)) in
  all (short (size (key_box f))) (g_held f) && reads_some tx ds (g_held f ++ asked ds (composed (g_where f) gs)) (g_array f) gs (g_made f).
Definition family_ok (r : ring) (j : nat) : bool := let f := member r j in let n := next_of r j in
  [&& all (use_ok (ring_uses r) (member r n.1) n.2 f) (g_uses f), uniq [seq comp u | u <- g_uses f], first_ok f & made_ok f].
(* behind a gate that counts the next one counts, as long as there is time *)
Definition follows (r : ring) (j : nat) : bool := let f := member r j in let (j', d) := next_of r j in let nf := member r j' in
  let t := size (g_kinds f) in let later_ := rcons (variables t) (later (Z.of_nat d) (variable t)) in
  (g_times nf <=? g_times f + N.of_nat d)%num &&
  all (fun c => implies (key_box f) (in_time nf (Z.of_nat d) (variable t) :: g_held f) (subst c later_)) (g_held nf).
Definition ring_ok (r : ring) : bool := let js := iota 0 (size (r_families r)) in
  [&& 0 < size (r_families r), 0 < r_lag r, all (fun f => g_kinds f == g_kinds (member r 0)) (r_families r), all (family_ok r) js &
      (size (r_families r) == 1) || all (follows r) js].
Definition components (r : ring) : seq nat := undup [seq comp u | u <- ring_uses r].
Definition gates_ok : bool := all ring_ok (g_rings gc) && uniq (flatten [seq components r | r <- g_rings gc]).

Open Scope N_scope.
Definition used_by (u : use) : N := sumN [seq points (ext (u_array u)) (p_where p) | p <- u_parts u].
Definition used_in (f : family) : N := sumN [seq used_by u | u <- g_uses f].
Definition gates_in (f : family) : N := points (key_box f) (g_held f).
Definition ring_sum (M : N) (r : ring) : N := sumN [seq used_in f - (M - if g_beside gc then 1 else 0) * gates_in f | f <- r_families r].
Definition ring_value (M : N) (r : ring) : N := share_of (ring_sum M r) (r_lag r).
Definition gates_value (M : N) : N := sumN [seq ring_value M r | r <- g_rings gc].
End Check.
Definition gates_check (M : N) (tx : text) (e : ends) (gc : gates_claim) (B : N) : bool :=
  [&& ends_ok tx e, gates_ok tx (leading e) gc & (B <=? ends_in tx e + gates_value tx gc M + ends_out_of tx e)%num].

(* ---- patterns ---- *)
Lemma pattern_at rs ks kv (x g : seq nat) : (forall y, at_point ks (ints (x ++ y)) = kv) -> told rs kv (ints g) ->
  at_point (pattern rs ks (size x)) (ints (x ++ anys rs g)) = ints g.
Proof.
move=> H /andP[_]; elim: rs x g H => [|[f|] rs IH] x [|v g] //= H.
  case/andP=> /Z.eqb_eq vE /(IH _ _ H) E; rewrite /at_point /= -/(at_point _ _) E; congr cons.
  by rewrite value_subst -/(at_point ks _) H.
move=> /= tg; rewrite /at_point /= -/(at_point _ _); congr cons.
  by rewrite value_variable [ints _]map_cat nth_cat size_map ltnn subnn.
have := IH (rcons x v) g; rewrite size_rcons cat_rcons; apply=> // y; by rewrite cat_rcons.
Qed.
Lemma anys_inside rs (g : seq nat) (ds : seq N) : inside g (map nat_ ds) -> inside (anys rs g) (map nat_ (anys rs ds)).
Proof.
rewrite /inside; elim: rs g ds => [|[f|] rs IH] [|v g] [|d ds] //= /andP[vd /IH h] //.
by rewrite /= vd.
Qed.
Lemma value_later d f x : value (later d f) x = (value f x + d)%Z.
Proof. rewrite /later value_add /value /=; clear; lia. Qed.
Lemma at_rcons hs h x : at_point (rcons hs h) x = rcons (at_point hs x) (value h x).
Proof. exact: map_rcons. Qed.
Lemma at_cat hs gs x : at_point (hs ++ gs) x = at_point hs x ++ at_point gs x.
Proof. exact: map_cat. Qed.
Lemma same_at ds cs gs hs x : all2 (same ds cs) gs hs -> inside x (map nat_ ds) -> holds cs (ints x) -> at_point gs (ints x) = at_point hs (ints x).
Proof. by move=> H xin xc; apply: all2_eqb (same_all H xin xc). Qed.
Lemma holds_asked ds cs x : holds cs x -> holds (asked ds cs) x.
Proof. by rewrite /asked; elim: cs => //= f cs IH /andP[fx /IH h]; case: ifP => //= _; rewrite fx. Qed.
Lemma disjoint_count ds (l : seq (seq form)) : disjoint ds l ->
  nat_ (sumN [seq points ds r | r <- l]) <= size [seq x <- box (map nat_ ds) | has (fun r => holds r (ints x)) l].
Proof.
elim: l => //= r l IH /andP[dis /IH le]; rewrite N2Nat.inj_add pointsE !size_filter.
rewrite size_filter in le; set b := box _ in le *; pose P x := holds r (ints x); pose Q x := has (fun r => holds r (ints x)) l.
apply: (@leq_trans (count P b + count Q b)); first by rewrite leq_add2l.
rewrite -count_predUI -[X in _ + X <= _]/(count (predI P Q) b); have -> : count (predI P Q) b = 0; last by rewrite addn0.
apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasPn => x; rewrite mem_box => xb; apply/negP => /andP[hr].
rewrite /Q; elim: l dis {IH le Q} => //= r' l IH /andP[d /IH{}IH] /orP[h|//].
have hh : holds (r ++ r') (ints x) by rewrite holds_cat -[holds r _]/(P x) hr h.
by have := implies_ok d xb hh; rewrite value_never; clear; lia.
Qed.
Lemma holds_composed cs hs x : holds (composed cs hs) x = holds cs (at_point hs x).
Proof. by rewrite /holds /composed all_map; apply: eq_all => f /=; rewrite value_subst. Qed.
(* ---- the plays ---- *)
Lemma at_short n fs (x y : seq nat) : all (short n) fs -> size x = n -> at_point fs (ints (x ++ y)) = at_point fs (ints x).
Proof.
move=> sh sx; rewrite /at_point [ints (_ ++ _)]map_cat; elim: fs sh => //= f fs IH /andP[sf /IH ->].
by rewrite value_cat // size_map sx.
Qed.
Lemma holds_short n fs (x y : seq nat) : all (short n) fs -> size x = n -> holds fs (ints (x ++ y)) = holds fs (ints x).
Proof.
move=> sh sx; rewrite [ints (_ ++ _)]map_cat; elim: fs sh => //= f fs IH /andP[sf /IH ->].
by rewrite value_cat // size_map sx.
Qed.
Lemma variables_short n : all (short n) (variables n).
Proof.
rewrite all_map; apply/allP => r; rewrite mem_iota add0n /= /short /variable /= => rn; by rewrite size_ncons addn1.
Qed.
Lemma at_variables_cat n (x y : seq nat) : size x = n -> at_point (variables n) (ints (x ++ y)) = ints x.
Proof. by move=> sx; rewrite (at_short y (variables_short n) sx) at_variables. Qed.
Lemma to_nats p : map Z.to_nat (ints p) = p.
Proof. by rewrite -map_comp map_id_in // => x _ /=; rewrite Nat2Z.id. Qed.
Lemma ints_rcons p t : ints (rcons p t) = rcons (ints p) (Z.of_nat t).
Proof. exact: map_rcons. Qed.

Lemma has_all (T : Type) (P Q : pred T) l : has P l -> all Q l -> exists2 x, P x & Q x.
Proof. by elim: l => //= x l IH /orP[Px|/IH{}IH] /andP[Qx Ql]; [exists x | apply: IH]. Qed.

Lemma source_end (G : cdag) (u v : G) : v \in input G -> connect (@edge G) u v -> u = v.
Proof.
move=> vI /connectP[q]; case/lastP: q => [|q w] /=; first by move=> _ ->.
rewrite last_rcons rcons_path => /andP[_ e] vE; rewrite -vE in e; by move: vI; rewrite inE => /forallP/(_ (last u q)); rewrite e.
Qed.

Lemma best_share V q (F : nat -> nat) : 0 < q -> nat_ V <= \sum_(c < q) F c -> exists2 c, c < q & nat_ (share_of V q) <= F c.
Proof.
move=> l0 le; case: (boolP [exists c : 'I_q, nat_ (share_of V q) <= F c]) => [/existsP[c cv]|]; first by exists c.
rewrite negb_exists => /forallP less; exfalso; have {le} : nat_ V <= q * (nat_ (share_of V q)).-1.
  apply: leq_trans le _; rewrite -[X in X * _]card_ord -sum_nat_const; apply: leq_sum => c _.
  by have := less c; rewrite -ltnNge; move: (nat_ _) (F _) => a b; clear; lia.
have v0 : 0 < nat_ (share_of V q) by have := less (Ordinal l0); rewrite -ltnNge; apply: leq_ltn_trans.
rewrite /share_of in v0 *; have qN : (N.of_nat q <> 0)%num by move: l0; clear; lia.
have := N.mul_div_le (V + N.of_nat q - 1) (N.of_nat q) qN; move: v0; move: (_ / _)%num l0 => v; clear => l0 v0 le le'.
have {le}: q * nat_ v <= nat_ V + q - 1.
  have : nat_ (N.of_nat q * v) <= nat_ (V + N.of_nat q - 1) by move: (_ * _)%num (_ - _)%num le => a b; clear; lia.
  by rewrite N2Nat.inj_mul N2Nat.inj_sub N2Nat.inj_add Nat2N.id.
by move: v0 le' l0; case: (nat_ v) => // w _; rewrite mulnS /=; move: (q * w) (nat_ V) => a b; clear; lia.
Qed.

Section Sound.
Variables (tx : text) (no : no_circle tx) (e : ends) (gc : gates_claim).
Notation G := (computation no).
Hypotheses (eok : ends_ok tx e) (gok : gates_ok tx (leading e) gc).
Notation ext := (extents tx).
Notation label := (label gc).
Notation name := (name gc).
Definition word_of (n : nat * seq Z) : option G := word_named (fun u : G => name (ssval u)) n.
Definition word (v : G) : option G := word_of (name (ssval v)).
Lemma word_of_name (v : G) n : name (ssval v) = n -> exists2 u, word_of n = Some u & name (ssval u) = n.
Proof. exact: (word_named_name (name_of := fun u : G => name (ssval u))). Qed.
Lemma word_of_inj (v : G) n n' : name (ssval v) = n -> word_of n = word_of n' -> n = n'.
Proof. exact: (word_named_inj (name_of := fun u : G => name (ssval u))). Qed.
Lemma here_at (v : G) : is_at v (ssval v).1 (at_point (here_ tx (ssval v).1) (ints (ssval v).2)).
Proof. by have [_ vin _] := vertex v; rewrite /is_at at_variables // (inside_size vin) size_map. Qed.
(* where a word begins *)
Lemma begins_ok b cs w (v : G) : begins tx gc b cs w -> (ssval v).1 = b -> holds cs (ints (ssval v).2) ->
  (exists2 u : G, @edge G u v & name (ssval u) = name (ssval v)) \/
  [/\ has_told w, v \in input G & at_point (back_of gc b) (name (ssval v)).2 = ints (ssval v).2].
Proof.
move=> + vb; have [_ vin _] := vertex v; have hv := here_at v; rewrite vb in vin hv.
elim: w cs => [[|[k ys|k m] p]|f yes IHy no_ IHn|] cs //=.
- case/andP=> src al vc; right; split=> //.
    by apply: (source_input src (x := (ssval v).2)) => //; rewrite [LHS]surjective_pairing vb.
  by have := same_at al vin vc; rewrite at_composed /GatesCertificate.name vb => ->; rewrite at_variables // (inside_size vin) size_map.
- case E: reads_one => [[b' gs]|] // /andP[/eqP cE al] vc; left.
  have [u [ub ux] ed] := reads_one_ok E vin vc hv; exists u => //; rewrite /GatesCertificate.name ub vb cE ux; congr pair.
  by have := same_at al vin vc; rewrite at_composed.
- case/andP=> Hy Hn /(cases_hold f)[vc|vc]; [have [|[a c d]] := IHy _ Hy vc | have [|[a c d]] := IHn _ Hn vc]; try by left.
    by right; rewrite a.
  by right; rewrite a orbT.
by move=> im vc; apply: nowhere im vin vc.
Qed.
Lemma starts_found (v : G) : starts_ok tx gc (ssval v).1 -> (exists2 u : G, @edge G u v & name (ssval u) = name (ssval v)) \/
  [/\ has_told (start_of gc (ssval v).1), v \in input G & at_point (back_of gc (ssval v).1) (name (ssval v)).2 = ints (ssval v).2].
Proof. by have [_ _ pc] := vertex v => /(has_all pc)[q hq bq]; apply: begins_ok bq erefl hq. Qed.
Lemma same_vertex (u v : G) a (x : seq nat) : is_at u a (ints x) -> ssval v = (a, x) -> u = v.
Proof. by case=> ua /ints_inj ux vE; apply/val_inj; rewrite /= vE [ssval u]surjective_pairing ua ux. Qed.

(* a gate's elements *)
Definition is_gate (f : family) (y : seq nat) (g : G) : bool :=
  [&& (ssval g).1 == g_array f, told (g_roles f) (ints y) (ints (ssval g).2) & holds (g_where f) (ints (ssval g).2)].
Lemma gate_made f y g : made_ok tx f -> inside y (map nat_ (key_box f)) -> holds (g_held f) (ints y) -> is_gate f y g -> g \notin input G.
Proof.
case/andP=> sh H yin yh /and3P[/eqP ga tg gw]; have [_ gin _] := vertex g; rewrite ga in gin.
have sy : size y = size (key_box f) by rewrite (inside_size yin) size_map.
have E := pattern_at (rs := g_roles f) (fun y' => at_variables_cat y' sy) tg; rewrite sy in E.
have zin : inside (y ++ anys (g_roles f) (ssval g).2) (map nat_ (key_box f ++ anys (g_roles f) (ext (g_array f)))).
  rewrite map_cat inside_cat size_map -sy take_size_cat // drop_size_cat // yin; exact: anys_inside.
apply: (reads_some_ok H zin); last by split; rewrite ?ga.
  rewrite holds_cat (holds_short _ sh sy) yh; apply: holds_asked; by rewrite holds_composed E.
Qed.

Section Use.
Variables (us : seq use) (f nf : family) (d : nat) (u : use).
Hypotheses (mok : made_ok tx f) (uok : use_ok tx (leading e) gc us nf d f u).
Notation a := (u_array u).
Notation ds := (ext (u_array u)).
Definition listed : seq (seq nat) := [seq x <- box (size_of tx a) | has (fun r => holds r (ints x)) [seq p_where p | p <- u_parts u]].
Definition part_of (x : seq nat) : part := nth no_part (u_parts u) (find (fun p => holds (p_where p) (ints x)) (u_parts u)).
Lemma listed_part x : x \in listed -> [/\ inside x (size_of tx a), holds (p_where (part_of x)) (ints x) & part_ok tx (leading e) gc us nf d f u (part_of x)].
Proof.
rewrite mem_filter mem_box has_map => /andP[h xin]; split=> //; first exact: (nth_find no_part h).
by case/and4P: uok => _ /(all_nthP no_part) H _ _; apply: H; rewrite -has_find.
Qed.
Definition kind (x : seq nat) : seq nat := map Z.to_nat (at_point (u_kind u) (ints x)).
Definition time (x : seq nat) : nat := Z.to_nat (value (u_time u) (ints x)).
Definition key (d : nat) (x : seq nat) : seq nat := rcons (kind x) (time x + d).
Definition called (x : seq nat) : nat * seq Z := ((said tx gc u (part_of x)).1, at_point (said tx gc u (part_of x)).2 (ints x)).

Section Element.
Variables (x : seq nat).
Hypothesis xl : x \in listed.
Notation p := (part_of x).
Lemma x_in : inside x (size_of tx a). Proof. by case: (listed_part xl). Qed.
Lemma x_holds : holds (p_where p) (ints x). Proof. by case: (listed_part xl). Qed.
Lemma x_ok : part_ok tx (leading e) gc us nf d f u p. Proof. by case: (listed_part xl). Qed.
Lemma x_size : size x = size ds. Proof. by rewrite (inside_size x_in) size_map. Qed.
Lemma keys_now : at_point (keys_at u 0) (ints x) = ints (key 0 x) /\ inside (key 0 x) (map nat_ (key_box f)).
Proof.
case/and5P: x_ok => _ /and3P[_ wi _] _ _ _; have [q + qin] := within_ok wi x_in x_holds.
rewrite -/(at_point _ _) /keys_at at_rcons value_later Z.add_0_r /key addn0; case/lastP: q qin => [|q t] qin.
  by move=> E; have := congr1 size E; rewrite size_rcons.
rewrite ints_rcons => /rcons_inj[E Et]; have -> : kind x = q by rewrite /kind E to_nats.
by have -> : time x = t; rewrite ?E ?Et ?ints_rcons // /time Et Nat2Z.id.
Qed.
Lemma keys_cat k y : at_point (keys_at u (Z.of_nat k)) (ints (x ++ y)) = ints (key k x).
Proof.
have [E _] := keys_now; move: E; rewrite /keys_at !at_rcons !value_later Z.add_0_r /key !ints_rcons addn0 => /rcons_inj[E Et].
case/and4P: uok => sh _ _ _; move: sh; rewrite all_rcons => /andP[st sk].
rewrite (at_short y sk x_size) E; congr rcons; have := at_short y (fs := [:: u_time u]) _ x_size.
by rewrite /= st => /(_ isT)[->]; rewrite Et Nat2Z.inj_add.
Qed.
Lemma key_held : holds (g_held f) (ints (key 0 x)).
Proof.
have [E _] := keys_now; rewrite -E; case/and5P: x_ok => _ /and3P[_ _ al] _ _ _; exact: holds_at al x_in x_holds.
Qed.
Lemma kind_class : at_point (class_in tx gc us (comp tx gc u)) (called x).2 = ints (kind x).
Proof.
case/and5P: x_ok => _ _ /andP[H _] _ _; have := same_at H x_in x_holds; rewrite at_composed => ->.
by have [+ _] := keys_now; rewrite /keys_at at_rcons /key ints_rcons => /rcons_inj[].
Qed.
Lemma back_told : at_point (u_back u) (ints (key 0 x) ++ (called x).2) = ints x.
Proof.
case/and5P: x_ok => _ _ /andP[_ H] _ _; have := same_at H x_in x_holds; rewrite at_composed at_cat.
have [-> _] := keys_now; by rewrite at_variables ?x_size.
Qed.
Lemma called_comp : (called x).1 = comp tx gc u. Proof. by case/and5P: x_ok => _ /and3P[/eqP]. Qed.

Lemma user : exists2 v : G, ssval v = (a, x) & live v.
Proof.
have lw : lives_well tx (leading e) by case/and5P: eok.
by case/and5P: x_ok => /and4P[ta _ _ _] _ _ _ _; exact: there_aliveP lw ta x_in x_holds.
Qed.
Section Vertex.
Variable v : G.
Hypothesis vE : ssval v = (a, x).
Lemma v_at y : is_at v a (at_point (variables (size ds)) (ints (x ++ y))).
Proof. by rewrite /is_at vE at_variables_cat ?x_size. Qed.

Lemma gate_before : exists2 g : G, is_gate f (key 0 x) g & connect (@edge G) g v.
Proof.
case/and5P: x_ok => _ _ _ up _; have := v_at [::]; rewrite cats0 => at_.
have [b [gs [cs [g [gb gx] [csx /andP[/eqP bE /and3P[/eqP sg al wh]] co]]]]] := goes_ok up x_in x_holds at_.
exists g => //; rewrite /is_gate gb bE eqxx gx /=; apply/andP; split; last exact: holds_at wh x_in csx.
have [kE _] := keys_now; rewrite /told size_map sg eqxx /= -kE.
elim: (g_roles f) gs al {sg gx wh} => [|[h|] rs IH] [|g' gs] //=; last exact: IH.
by case/andP=> E /IH ->; rewrite andbT; apply/Z.eqb_eq; rewrite (same_ok E x_in csx) value_subst.
Qed.
Lemma gates_in_box (f' : family) (g : G) : (ssval g).1 = g_array f' ->
  inside (x ++ anys (g_roles f') (ssval g).2) (map nat_ (gates_box tx a f')).
Proof.
move=> ga; have [_ gin _] := vertex g; rewrite ga in gin.
rewrite map_cat inside_cat size_map -x_size take_size_cat // drop_size_cat // -/(size_of tx a) x_in; exact: anys_inside.
Qed.
Lemma gate_at_ok (f' : family) k (g : G) : told (g_roles f') (ints (key k x)) (ints (ssval g).2) ->
  at_point (gate_at tx u f' (Z.of_nat k)) (ints (x ++ anys (g_roles f') (ssval g).2)) = ints (ssval g).2.
Proof. by move=> tg; rewrite /gate_at -x_size; apply: pattern_at tg => y; apply: keys_cat. Qed.
Lemma gate_next (g : G) : is_gate nf (key d x) g -> time x + d < nat_ (g_times nf) -> holds (g_held nf) (ints (key d x)) -> connect (@edge G) v g.
Proof.
case/and3P=> /eqP ga tg gw lt kh; case/and5P: x_ok => /and4P[_ _ sr _] _ _ _ /and3P[nx _ _].
have zin := gates_in_box ga; set z := x ++ _ in zin.
have E : at_point (gate_at tx u nf (Z.of_nat d)) (ints z) = ints (ssval g).2 := gate_at_ok tg.
have k0 : at_point (keys_at u 0) (ints z) = ints (key 0 x) := keys_cat 0 _.
have k1 : at_point (keys_at u (Z.of_nat d)) (ints z) = ints (key d x) := keys_cat d _.
have zh : holds (known_next tx u p nf (Z.of_nat d)) (ints z).
  rewrite holds_cat (holds_short _ sr x_size) x_holds; apply: holds_asked.
  rewrite /holds /= -/(holds _ _) holds_cat !holds_composed E gw k1 kh !andbT /in_time value_less; apply/Z.leb_le.
  have -> : value (u_time u) (ints z) = Z.of_nat (time x).
    by move: k0; rewrite /keys_at at_rcons value_later Z.add_0_r /key ints_rcons addn0 => /rcons_inj[_].
  by rewrite /value /=; move: lt; clear; lia.
have [|b [gs [cs [w [wb wx] [csx /andP[/eqP bE al] co]]]]] := goes_ok nx zin zh (u := g); first by split; rewrite ?ga.
suff <- : w = v by [].
apply: (same_vertex _ vE); split; first by rewrite wb.
by rewrite wx (same_at al zin csx) at_variables_cat ?x_size.
Qed.
Lemma comp_starts (w : G) : (label (ssval w).1).1 = comp tx gc u -> starts_ok tx gc (ssval w).1.
Proof.
move=> lb; have [wl _ _] := vertex w; case/and4P: uok => _ _ _ /andP[/andP[/allP H _] _].
by have := H (ssval w).1; rewrite mem_iota lb eqxx; apply.
Qed.
(* a word's elements come behind its input, of which there is one *)
Lemma input_behind (w : G) : (name (ssval w)).1 = comp tx gc u ->
  exists i : G, [/\ i \in input G, name (ssval i) = name (ssval w) & connect (@edge G) i w].
Proof.
have [rank up] := no; have [n le] : exists n, rank w <= n by exists (rank w).
elim: n w le => [|n IH] w le wc; case: (starts_found (comp_starts wc)) => [[w' ed wE]|[_ wI _]]; try by exists w; split.
  by have := up _ _ ed; move: le; clear; lia.
have le' : rank w' <= n by have := up _ _ ed; move: le; clear; lia.
have wc' : (name (ssval w')).1 = comp tx gc u by rewrite wE.
have [i [iI iE iw]] := IH w' le' wc'.
by exists i; split=> //; [rewrite iE wE | exact: connect_trans iw (connect1 ed)].
Qed.
Lemma input_once (i j : G) : i \in input G -> j \in input G -> name (ssval i) = name (ssval j) -> (name (ssval i)).1 = comp tx gc u -> i = j.
Proof.
move=> iI jI E ic; have jc : (name (ssval j)).1 = comp tx gc u by rewrite -E.
have told_at (w : G) : w \in input G -> (name (ssval w)).1 = comp tx gc u ->
    (ssval w).1 \in [seq b <- iota 0 (size (arrays tx)) | ((label b).1 == comp tx gc u) && has_told (start_of gc b)] /\
    at_point (back_of gc (ssval w).1) (name (ssval w)).2 = ints (ssval w).2.
  move=> wI wc; have [wl _ _] := vertex w; case: (starts_found (comp_starts wc)) => [[w' ed _]|[ht _ bk]].
    by have := reader_noninput ed; rewrite wI.
  by split=> //; rewrite mem_filter mem_iota wl ht; move: wc => /= ->; rewrite eqxx.
have [ii bi] := told_at i iI ic; have [ji bj] := told_at j jI jc.
have ab : (ssval i).1 = (ssval j).1.
  case/and4P: uok => _ _ _ /andP[/andP[_ one] _]; move: one ii ji; case: [seq _ <- _ | _] => [|b [|b' l]] //= _.
  by rewrite !inE => /eqP -> /eqP ->.
apply/val_inj => /=; rewrite [ssval i]surjective_pairing [ssval j]surjective_pairing -ab; congr pair.
by apply: ints_inj; rewrite -bi -bj -ab E.
Qed.
Lemma input_before (i g : G) : i \in input G -> name (ssval i) = called x -> is_gate f (key 0 x) g -> connect (@edge G) i g.
Proof.
move=> iI iN /and3P[/eqP ga tg gw]; case/and5P: x_ok => /and4P[_ _ sr sl] _ _ _ /and3P[_ bg _].
have zin := gates_in_box ga; set z := x ++ _ in zin.
have E : at_point (gate_at tx u f 0) (ints z) = ints (ssval g).2 := gate_at_ok (k := 0) tg.
have zh : holds (known_now tx u p f) (ints z).
  rewrite holds_cat (holds_short _ sr x_size) x_holds; apply: holds_asked; by rewrite holds_composed E gw.
have [|b [gs [cs [w [wb wx] [csx /andP[/eqP bE al] co]]]]] := goes_ok bg zin zh (u := g); first by split; rewrite ?ga.
have wN : name (ssval w) = called x.
  rewrite /GatesCertificate.name wb bE wx -(called_comp) /called; congr pair.
  by have := same_at al zin csx; rewrite at_composed (at_short _ sl x_size).
have [|i' [iI' iE iw]] := input_behind (w := w); first by rewrite wN called_comp.
have -> : i = i'; last exact: connect_trans iw co.
by apply: input_once => //; rewrite iN ?iE ?wN // called_comp.
Qed.
Lemma rooted_called (w : G) : name (ssval w) = called x -> rooted (word : G -> option G) (word_of (called x)).
Proof.
move=> wN v' vI vw; have vN : name (ssval v') = called x by apply: (word_of_inj erefl); exact: vw.
have lb : (label (ssval v').1).1 = comp tx gc u by rewrite -called_comp -vN.
have st := comp_starts lb.
case: (starts_found st) => [[w' ed wE]|[_ iI _]]; last by rewrite iI in vI.
by exists w' => //; rewrite /word wE vN.
Qed.
Lemma used_word : exists w : G, [/\ @edge G w v, name (ssval w) = called x & rooted (word : G -> option G) (word_of (called x))].
Proof.
case/and5P: x_ok => /and4P[_ wf _ _] _ _ _ _; have vN0 : (called x).2 = at_point (said tx gc u p).2 (ints x) by [].
have vat : is_at v a (at_point (here_ tx a) (ints x)) by have := v_at [::]; rewrite cats0.
case pw: (p_want p) => [[k ys]|].
  move: wf; rewrite /want_found pw; case E: reads_one => [[b gs]|] // _.
  have [w [wb wx] ed] := reads_one_ok E x_in x_holds vat.
  have wN : name (ssval w) = called x by rewrite /called /said pw E /GatesCertificate.name wb wx at_composed.
  by exists w; split=> //; exact: rooted_called wN.
have vN : name (ssval v) = called x by rewrite /called /said pw /GatesCertificate.name vE.
have ro := rooted_called vN; have [g gx gv] := gate_before; have [||w ed wE] := ro v; last first.
- by exists w; split=> //; apply: (word_of_inj erefl).
- by rewrite /word vN.
apply/negP => vI; have gE := source_end vI gv; rewrite gE in gx; have [_ kin] := keys_now.
by have := gate_made mok kin key_held gx; rewrite vI.
Qed.
Lemma not_in_gate : g_beside gc -> ~~ is_gate f (key 0 x) v.
Proof.
move=> be; case/and5P: x_ok => _ _ _ _ /and3P[_ _]; rewrite be /= => aw; apply/negP => /and3P[/eqP va /andP[_ tg] gw].
rewrite vE /= in va tg gw; move: aw; rewrite /away (introT eqP va) /= => /orP[].
  move=> hs; move: gw; elim: (g_where f) hs => //= h hs IH /orP[im|/IH{}IH] /andP[/Z.leb_le h0 //].
  by have := implies_ok im x_in x_holds; rewrite value_less value_never; move: h0; clear; lia.
move: tg; rewrite -{1}(at_variables x_size); elim: (g_roles f) (variables _) => [|r rs IH] [|t ts] //= /andP[E /IH{}IH] /orP[|//].
case: r E => [h|] //= /Z.eqb_eq E; have [kE _] := keys_now; rewrite -kE -value_subst in E.
have one z : value (1%Z, [::]) z = 1%Z by [].
by case/orP=> im; have := implies_ok im x_in x_holds; rewrite /one_less value_less one ?value_scale value_less E; move: (value _ _) => b; clear; lia.
Qed.
Lemma off_word (g : G) y : g_beside gc -> is_gate f y g -> word g <> word_of (called x).
Proof.
move=> be /and3P[/eqP ga _ _] /(word_of_inj erefl) nE; case/and4P: uok => _ _ _ /andP[_]; rewrite be /= => /eqP; apply.
by rewrite -ga -called_comp -nE.
Qed.
End Vertex.
End Element.
Lemma listed_inj x y : x \in listed -> y \in listed -> key 0 x = key 0 y -> called x = called y -> x = y.
Proof. by move=> xl yl kE nE; apply: ints_inj; rewrite -(back_told xl) -(back_told yl) kE nE. Qed.
Lemma listed_uniq : uniq listed. Proof. exact: filter_uniq (box_uniq _). Qed.
Lemma listed_count : nat_ (used_by tx u) <= size listed.
Proof.
have -> : used_by tx u = sumN [seq points ds r | r <- [seq p_where p | p <- u_parts u]] by rewrite /used_by -map_comp.
by apply: disjoint_count; case/and4P: uok.
Qed.
End Use.

(* ---- rings, classes, and gates in their order: p, that of a family at a moment ---- *)
Notation rings := (g_rings gc).
Definition ring_at (r : nat) : ring := nth no_ring rings r.
Definition fam (r j : nat) : family := member (ring_at r) j.
Definition many (r : nat) : nat := size (r_families (ring_at r)).
Definition use_at (r j i : nat) : use := nth no_use (g_uses (fam r j)) i.
Definition next_at (r j : nat) : nat * nat := next_of (ring_at r) j.
Definition kinds_of (r : nat) : seq (seq nat) := box (map nat_ (g_kinds (fam r 0))).
Definition class_list : seq elem := flatten [seq [seq (r, y) | y <- kinds_of r] | r <- iota 0 (size rings)].
Notation D := (seq_sub class_list).
Notation C := (option D).
Definition has_comp (c : nat) (r : ring) : bool := has (fun u => comp tx gc u == c) (ring_uses r).
Definition class_name (n : nat * seq Z) : C :=
  let r := find (has_comp n.1) rings in insub (r, map Z.to_nat (at_point (class_in tx gc (ring_uses (ring_at r)) n.1) n.2)).
Definition class (w : option G) : C := if w is Some v then class_name (name (ssval v)) else None.
Definition here (r j : nat) (y : seq nat) (z : elem) : bool := (z.2 \in listed (use_at r j z.1)) && (key (use_at r j z.1) 0 z.2 == y).
Definition used_list (r j : nat) : seq elem := flatten [seq [seq (i, x) | x <- listed (use_at r j i)] | i <- iota 0 (size (g_uses (fam r j)))].
Definition word_at (r j : nat) (z : elem) : option G := word_of (called (use_at r j z.1) z.2).
Definition S_at (r j : nat) (y : seq nat) : {set option G} := [set w | has (fun z => here r j y z && (word_at r j z == w)) (used_list r j)].
Definition moment (r c p : nat) : nat := p %/ many r * r_lag (ring_at r) + c.
Definition held_at (r c : nat) (y : seq nat) (p : nat) : bool := let f := fam r (p %% many r) in
  holds (g_held f) (ints (rcons y (moment r c p))) && (moment r c p < nat_ (g_times f)).
Definition last_of (r : nat) : nat := many r * sumn [seq nat_ (g_times f) | f <- r_families (ring_at r)].
Definition gates_at (r c : nat) (y : seq nat) : seq nat := [seq p <- iota 0 (last_of r) | held_at r c y p].

Lemma ring_good r : r < size rings -> ring_ok tx (leading e) gc (ring_at r).
Proof. by case/andP: gok => /(all_nthP no_ring) H _; apply: H. Qed.
Lemma many_some r : r < size rings -> 0 < many r. Proof. by case/ring_good/and5P. Qed.
Lemma lag_some r : r < size rings -> 0 < r_lag (ring_at r). Proof. by case/ring_good/and5P. Qed.
Lemma mod_many r p : r < size rings -> p %% many r < many r. Proof. by move=> rl; rewrite ltn_mod many_some. Qed.
Lemma fam_ok r j : r < size rings -> j < many r -> family_ok tx (leading e) gc (ring_at r) j.
Proof. by move=> rl jl; case/and5P: (ring_good rl) => _ _ _ /allP H _; apply: H; rewrite mem_iota. Qed.
Lemma fam_kinds r j : r < size rings -> j < many r -> g_kinds (fam r j) = g_kinds (fam r 0).
Proof. by move=> rl jl; case/and5P: (ring_good rl) => _ _ /(all_nthP no_family) H _ _; apply/eqP; apply: (H j). Qed.
Lemma fam_made r j : r < size rings -> j < many r -> made_ok tx (fam r j). Proof. by move=> rl /(fam_ok rl)/and4P[]. Qed.
Lemma fam_use r j i : r < size rings -> j < many r -> i < size (g_uses (fam r j)) ->
  use_ok tx (leading e) gc (ring_uses (ring_at r)) (fam r (next_at r j).1) (next_at r j).2 (fam r j) (use_at r j i).
Proof. by move=> rl /(fam_ok rl)/and4P[/(all_nthP no_use) H _ _ _]; apply: H. Qed.
Lemma used_in_list r j z : z \in used_list r j -> z.1 < size (g_uses (fam r j)) /\ z.2 \in listed (use_at r j z.1).
Proof. by case/flattenP=> _ /mapP[i + ->] /mapP[x xl ->] /=; rewrite mem_iota add0n. Qed.

Lemma inside_rcons y t (ds : seq N) d : inside (rcons y t) (map nat_ (rcons ds d)) = inside y (map nat_ ds) && (t < nat_ d).
Proof.
rewrite /inside; elim: y ds => [|v y IH] [|d' ds] //=; rewrite ?andbT ?IH ?andbA //.
  by case: ds => [|? ?]; rewrite /= ?andbF.
by case: y {IH}; rewrite /= ?andbF.
Qed.
Lemma held_early r c y p : r < size rings -> held_at r c y p -> p < last_of r.
Proof.
move=> rl /andP[_]; have jl := mod_many p rl; have l0 := lag_some rl => lt.
have le : nat_ (g_times (fam r (p %% many r))) <= sumn [seq nat_ (g_times f) | f <- r_families (ring_at r)].
  move: jl; rewrite /fam /member /many; elim: (r_families _) (_ %% _) => //= f l IH [|j] jl; first exact: leq_addr.
  by apply: leq_trans (IH j jl) (leq_addl _ _).
rewrite /last_of mulnC -ltn_divLR ?many_some //; apply: leq_trans le; apply: leq_ltn_trans lt; rewrite /moment.
by apply: leq_trans (leq_addr _ _); rewrite leq_pmulr.
Qed.
Lemma times_in r c y p : r < size rings -> (p \in gates_at r c y) = held_at r c y p.
Proof. by move=> rl; rewrite mem_filter mem_iota andb_idr // => /(held_early rl). Qed.
Lemma next_p r c p : r < size rings -> (p.+1 %% many r, moment r c p.+1) = ((next_at r (p %% many r)).1, moment r c p + (next_at r (p %% many r)).2).
Proof.
move=> rl; have n0 := many_some rl; rewrite /moment modnS divnS // /next_at /next_of -/(many r).
have -> : (many r %| p.+1) = ~~ ((p %% many r).+1 < many r).
  have lt := mod_many p rl; rewrite {1}(divn_eq p (many r)) -addnS dvdn_addr ?dvdn_mull //.
  apply/idP/idP => [/dvdnP[k E]|]; last by rewrite -leqNgt => le; have -> : (p %% many r).+1 = many r by apply/eqP; rewrite eqn_leq lt le.
  by rewrite -leqNgt E; case: k E => // k _; rewrite mulSn leq_addr.
by case: (ltnP _.+1 _) => _ /=; rewrite ?add0n ?addn0 // mulnDl mul1n -addnA addnC.
Qed.

(* times of a class follow one another, as what forms say of them they say of all between *)
Lemma value_rcons f (y : seq nat) t : value f (ints (rcons y t)) = (value f (ints (rcons y 0%N)) + nth 0%Z f.2 (size y) * Z.of_nat t)%Z.
Proof.
rewrite /value; case: f => b a /=; suff -> : dot a (ints (rcons y t)) = (dot a (ints (rcons y 0%N)) + nth 0%Z a (size y) * Z.of_nat t)%Z by clear; lia.
elim: y a => [|v y IH] [|c a] //=; rewrite ?dot_nil /=; [clear; lia | rewrite IH; clear; lia].
Qed.
Lemma kind_size r y : y \in kinds_of r -> size y = size (g_kinds (fam r 0)).
Proof. by rewrite mem_box => /inside_size; rewrite size_map. Qed.
(* between two gates of a class that count, all count: of one family as forms say of all between what they say of these; *)
Lemma between_one r c y p1 p p2 : many r = 1 -> p1 < p < p2 -> held_at r c y p1 -> held_at r c y p2 -> held_at r c y p.
Proof.
move=> one /andP[lt1 lt2]; rewrite /held_at /moment one !modn1 !divn1 => /andP[h1 _] /andP[h2 l2].
have -> : p * r_lag (ring_at r) + c < nat_ (g_times (fam r 0)).
  by apply: leq_ltn_trans l2; rewrite leq_add2r leq_mul2r (ltnW lt2) orbT.
rewrite andbT; elim: (g_held _) h1 h2 => //= f fs IH /andP[/Z.leb_le f1 h1] /andP[/Z.leb_le f2 h2]; rewrite IH // andbT; apply/Z.leb_le.
have m1 : p1 * r_lag (ring_at r) + c <= p * r_lag (ring_at r) + c by rewrite leq_add2r leq_mul2r (ltnW lt1) orbT.
have m2 : p * r_lag (ring_at r) + c <= p2 * r_lag (ring_at r) + c by rewrite leq_add2r leq_mul2r (ltnW lt2) orbT.
move: f1 f2 m1 m2; move: (p1 * _ + _) (p * _ + _) (p2 * _ + _) => t1 t t2.
rewrite !(value_rcons _ _ t1) !(value_rcons _ _ t2) !(value_rcons _ _ t); move: (value _ _) (nth _ _ _) => v k f1 f2 m1 m2.
have a1 : (Z.of_nat t1 <= Z.of_nat t)%Z by move: m1; clear; lia.
have a2 : (Z.of_nat t <= Z.of_nat t2)%Z by move: m2; clear; lia.
move: f1 f2 a1 a2; move: (Z.of_nat t1) (Z.of_nat t) (Z.of_nat t2) => a b d; clear; case: (Z.le_gt_cases 0 k) => k0; nia.
Qed.
(* of several as each is followed. *)
Lemma follow_at r p : r < size rings -> 1 < many r -> follows (ring_at r) (p %% many r).
Proof.
move=> rl two; case/and5P: (ring_good rl) => _ _ _ _ /orP[/eqP one|/allP H]; first by rewrite /many one in two.
by apply: H; rewrite mem_iota mod_many.
Qed.
Lemma time_before r c p : r < size rings -> 1 < many r -> moment r c p.+1 < nat_ (g_times (fam r (p.+1 %% many r))) ->
  moment r c p < nat_ (g_times (fam r (p %% many r))).
Proof.
move=> rl two; have := follow_at p rl two; rewrite /follows; have [-> ->] := next_p c p rl; rewrite /next_at.
case: (next_of _ _) => j' d /andP[/N.leb_le + _]; rewrite -!/(fam r _) /=; move: (g_times _) (g_times _) (moment _ _ _) => a b m; clear; lia.
Qed.
Lemma held_next r c y p : r < size rings -> 1 < many r -> y \in kinds_of r -> held_at r c y p ->
  moment r c p.+1 < nat_ (g_times (fam r (p.+1 %% many r))) -> held_at r c y p.+1.
Proof.
move=> rl two yk /andP[h lt] lt'; rewrite /held_at lt' andbT; move: lt'; have := follow_at p rl two; rewrite /follows; have [-> ->] := next_p c p rl.
rewrite /next_at; case: (next_of _ _) => j' d /andP[_ al]; rewrite /= => lt'; rewrite -!/(fam r _) in al; set f := fam r _ in al h lt *.
have jl := mod_many p rl; have yin : inside (rcons y (moment r c p)) (map nat_ (key_box f)).
  by rewrite inside_rcons lt andbT /f fam_kinds //; move: yk; rewrite mem_box.
have ys : size y = size (g_kinds f) by rewrite /f fam_kinds // (kind_size yk).
have var : value (variable (size (g_kinds f))) (ints (rcons y (moment r c p))) = Z.of_nat (moment r c p).
  by rewrite value_variable ints_rcons nth_rcons size_map ys ltnn eqxx.
have : holds (g_held (fam r j')) (at_point (rcons (variables (size (g_kinds f))) (later (Z.of_nat d) (variable (size (g_kinds f))))) (ints (rcons y (moment r c p)))).
  apply: holds_at al yin _; rewrite /holds /= -/(holds _ _) h andbT /in_time value_less var; apply/Z.leb_le.
  by rewrite /value /=; move: lt'; clear; lia.
rewrite at_rcons value_later var -Nat2Z.inj_add; suff -> : at_point (variables (size (g_kinds f))) (ints (rcons y (moment r c p))) = ints y by rewrite -ints_rcons.
by rewrite -cats1; exact: at_variables_cat.
Qed.
Lemma held_between r c y p1 p p2 : r < size rings -> y \in kinds_of r -> p1 < p < p2 -> held_at r c y p1 -> held_at r c y p2 -> held_at r c y p.
Proof.
move=> rl yk lt h1 h2; case: (ltnP 1 (many r)) => [two|le1]; last first.
  by apply: (@between_one r c y p1 p p2) => //; apply/eqP; rewrite eqn_leq le1 many_some.
case/andP: lt => lt1 lt2.
have early q : q <= p2 -> moment r c q < nat_ (g_times (fam r (q %% many r))).
  move=> le; rewrite -(subKn le); elim: (p2 - q) => [|k IH]; first by rewrite subn0; case/andP: h2.
  case: (ltnP k p2) => kp; last by have -> : p2 - k.+1 = p2 - k by move: kp; clear; lia.
  by apply: time_before => //; rewrite subnSK.
have up k : p1 + k <= p2 -> held_at r c y (p1 + k).
  elim: k => [|k IH]; first by rewrite addn0.
  rewrite addnS => lt; apply: held_next => //; [by apply: IH; apply: ltnW | exact: early].
by rewrite -(subnKC (ltnW lt1)); apply: up; rewrite subnKC ltnW.
Qed.
Lemma key_to_nat u x : key u 0 x = map Z.to_nat (at_point (keys_at u 0) (ints x)).
Proof. by rewrite /keys_at at_rcons value_later Z.add_0_r map_rcons /key addn0. Qed.

Section Rest.
(* of each ring the gates whose moments have one rest by its lag *)
Variable rest : nat -> nat.
Definition gates_of (d : D) : seq nat := gates_at (ssval d).1 (rest (ssval d).1) (ssval d).2.
Definition n_of (c : C) : nat := if c is Some d then size (gates_of d) else 0.
Definition spot (d : D) (k : nat) : nat := nth 0 (gates_of d) k.
Definition turn (d : D) (k : nat) : nat := spot d k %% many (ssval d).1.
Definition key_of (d : D) (k : nat) : seq nat := rcons (ssval d).2 (moment (ssval d).1 (rest (ssval d).1) (spot d k)).
Definition A_of (c : C) (k : nat) : {set G} := if c is Some d then [set g | is_gate (fam (ssval d).1 (turn d k)) (key_of d k) g] else set0.
Definition S_of (c : C) (k : nat) : {set option G} := if c is Some d then S_at (ssval d).1 (turn d k) (key_of d k) else set0.

Lemma D_in (d : D) : (ssval d).1 < size rings /\ (ssval d).2 \in kinds_of (ssval d).1.
Proof. by have /flattenP[_ /mapP[q + ->] /mapP[y + dE]] := ssvalP d; rewrite mem_iota add0n => /andP[_ ql] yin; rewrite [ssval d]dE. Qed.
Lemma D_turn d k : turn d k < many (ssval d).1. Proof. by have [rl _] := D_in d; exact: mod_many. Qed.
Lemma key_in d k : k < size (gates_of d) ->
  inside (key_of d k) (map nat_ (key_box (fam (ssval d).1 (turn d k)))) /\ holds (g_held (fam (ssval d).1 (turn d k))) (ints (key_of d k)).
Proof.
move=> kn; have [rl din] := D_in d; have := mem_nth 0 kn; rewrite times_in // => /andP[h lt].
by split=> //; rewrite inside_rcons lt andbT fam_kinds ?D_turn //; move: din; rewrite mem_box.
Qed.
Lemma spot_next d k : k.+1 < size (gates_of d) -> spot d k.+1 = (spot d k).+1.
Proof.
move=> kn; have [rl din] := D_in d; rewrite /spot; set l := gates_of d in kn *.
have so : sorted ltn l by apply: (sorted_filter ltn_trans); exact: iota_ltn_sorted.
have lt : nth 0 l k < nth 0 l k.+1 by apply: (sorted_ltn_nth ltn_trans 0 so); rewrite ?inE // ltnW.
apply/eqP; rewrite eqn_leq lt andbT leqNgt; apply/negP => lt2.
have tl : (nth 0 l k).+1 \in l.
  rewrite times_in //; apply: (held_between (p1 := nth 0 l k) (p2 := nth 0 l k.+1) rl din); first by rewrite ltnSn lt2.
    by rewrite -times_in // mem_nth // ltnW.
  by rewrite -times_in // mem_nth.
have jl : seq.index (nth 0 l k).+1 l < size l by rewrite index_mem.
have jE := nth_index 0 tl; set j := seq.index _ l in jl jE.
have kj : k < j by rewrite ltnNge; apply/negP => le; have := sorted_leq_nth leq_trans leqnn 0 (sub_sorted ltnW so) j k jl (ltnW kn) le; rewrite jE ltnn.
by have := sorted_leq_nth leq_trans leqnn 0 (sub_sorted ltnW so) k.+1 j kn jl kj; rewrite jE leqNgt lt2.
Qed.
Lemma key_next u d k x : key u 0 x = key_of d k -> k.+1 < size (gates_of d) -> let n := next_at (ssval d).1 (turn d k) in
  [/\ turn d k.+1 = n.1, key_of d k.+1 = key u n.2 x, time u x + n.2 < nat_ (g_times (fam (ssval d).1 n.1)) &
      holds (g_held (fam (ssval d).1 n.1)) (ints (key u n.2 x))].
Proof.
move=> /rcons_inj[kE tE] kn n; have [rl _] := D_in d; have [mE tN] := next_p (rest (ssval d).1) (spot d k) rl.
have jE : turn d k.+1 = n.1 by rewrite /turn spot_next.
have E : key_of d k.+1 = key u n.2 x by rewrite /key_of spot_next // tN -kE -tE addn0 /key.
have := mem_nth 0 kn; rewrite times_in // -/(spot d k.+1) => /andP[]; rewrite -/(turn d k.+1) -/(key_of d k.+1) jE E => h.
by rewrite spot_next // tN -tE addn0 => lt; split.
Qed.
(* at each gate there is an element that uses a word *)
Lemma first_here d k : k < size (gates_of d) -> exists2 z, z \in used_list (ssval d).1 (turn d k) & here (ssval d).1 (turn d k) (key_of d k) z.
Proof.
move=> kn; have [rl _] := D_in d; have jl := D_turn d k; have [kin kh] := key_in kn; move: rl jl kin kh; set r := (ssval d).1; set j := turn d k => rl jl kin kh.
have /and4P[_ _ /and5P[il pl wi al sm] _] := fam_ok rl jl; rewrite -/(fam r j) in il pl wi al sm; set i := (g_first (fam r j)).1.1 in il pl wi al sm.
have [x + xin] := within_ok wi kin kh; rewrite -/(at_point _ _) => xE.
have xl : x \in listed (use_at r j i).
  rewrite mem_filter mem_box xin andbT has_map; apply/(has_nthP no_part); exists (g_first (fam r j)).1.2 => //=.
  by rewrite -xE; apply: holds_at al kin kh.
have kE : key (use_at r j i) 0 x = key_of d k.
  have := same_at sm kin kh; rewrite at_composed xE at_variables; last by rewrite (inside_size kin) size_map.
  by rewrite key_to_nat => ->; rewrite to_nats.
exists (i, x); last by rewrite /here xl kE eqxx.
by apply/flattenP; exists [seq (i, y) | y <- listed (use_at r j i)]; [apply/mapP; exists i; rewrite // mem_iota | apply: map_f].
Qed.
Lemma find_only (T : Type) (x0 : T) (P : pred T) (l : seq T) r : r < size l -> P (nth x0 l r) -> (forall j, j < r -> ~~ P (nth x0 l j)) -> find P l = r.
Proof.
move=> rl Pr H; apply/eqP; rewrite eqn_leq; apply/andP; split.
  by rewrite leqNgt; apply/negP => lt; have := before_find x0 lt; rewrite Pr.
rewrite leqNgt; apply/negP => lt; have := H _ lt; rewrite nth_find //; apply/(has_nthP x0); by exists r.
Qed.
Lemma uniq_part (T : Type) (x0 : T) (F : T -> seq nat) (l : seq T) i j c : uniq (flatten [seq F x | x <- l]) -> i < j -> j < size l ->
  c \in F (nth x0 l i) -> c \in F (nth x0 l j) -> False.
Proof.
elim: l i j => //= x l IH [|i] [|j] //=; rewrite cat_uniq => /and3P[_ /hasPn no_ un] ij jl ci cj; last exact: (IH i j un ij jl ci cj).
have cf : c \in flatten [seq F x | x <- l].
  by apply/flattenP; exists (F (nth x0 l j)) => //; apply/(nthP [::]); exists j; rewrite ?size_map // (nth_map x0).
by have := no_ c cf; rewrite /= ci.
Qed.
Lemma ring_use r j i : j < many r -> i < size (g_uses (fam r j)) -> has_comp (comp tx gc (use_at r j i)) (ring_at r).
Proof.
rewrite /use_at /fam /member /many /has_comp /ring_uses; elim: (r_families _) j => //= f l IH [|j] jl il; rewrite has_cat; apply/orP.
  by left; apply/(has_nthP no_use); exists i.
by right; apply: IH.
Qed.
Lemma class_called r j z : r < size rings -> j < many r -> z \in used_list r j -> class (word_at r j z) = insub (r, kind (use_at r j z.1) z.2).
Proof.
move=> rl jl /used_in_list[il xl]; have uok := fam_use rl jl il; have mok := fam_made rl jl.
have [v vE _] := user uok xl; have [w [_ wE _]] := used_word mok uok xl vE.
have [w' + w'E] := word_of_name wE; rewrite /word_at => -> /=; rewrite w'E /class_name; have cE := called_comp uok xl; set n := called _ _ in cE *.
have used : has_comp n.1 (ring_at r) by rewrite cE; exact: ring_use.
have comps i : (n.1 \in components tx gc (ring_at i)) = has_comp n.1 (ring_at i).
  by rewrite mem_undup -has_pred1 has_map.
have rE : find (has_comp n.1) rings = r.
  apply: (find_only (x0 := no_ring)) => // i ir; apply/negP => ci; case/andP: gok => _ un.
  by apply: (uniq_part (x0 := no_ring) (c := n.1) un ir rl); rewrite comps.
by rewrite rE cE (kind_class uok xl) to_nats.
Qed.
Lemma S_user d k w : k < size (gates_of d) -> w \in S_of (Some d) k -> let r := (ssval d).1 in let j := turn d k in exists z (v : G),
  [/\ z \in used_list r j, w = word_at r j z, key (use_at r j z.1) 0 z.2 = key_of d k, ssval v = (u_array (use_at r j z.1), z.2) & live v].
Proof.
move=> kn; rewrite inE => /hasP[z zl /andP[/andP[xl /eqP kE] /eqP wE]] r j.
have [il _] := used_in_list zl; have [rl _] := D_in d; have [v vE lv] := user (fam_use rl (D_turn d k) il) xl.
by exists z, v.
Qed.
Lemma all_gates : gates (word : G -> option G) (needed G) class (g_beside gc) n_of A_of S_of.
Proof.
split=> [[d|] k g|[d|] k|[d|] k g|[d|] k w|be [d|] k g|[d|] k i g] //.
- move=> kn; rewrite inE; have [kin kh] := key_in kn; have [rl _] := D_in d; exact: gate_made (fam_made rl (D_turn d k)) kin kh.
- move=> kn; have [z zl /andP[xl /eqP kE]] := first_here kn; have [rl _] := D_in d; have [il _] := used_in_list zl; have jl := D_turn d k.
  have [v vE lv] := user (fam_use rl jl il) xl; have [g gx gv] := gate_before (fam_use rl jl il) xl vE.
  exists g; first by rewrite inE -kE.
  by case/existsP: lv => o /andP[oO vo]; apply/existsP; exists o; rewrite oO (connect_trans gv vo).
- move=> kn; rewrite inE => gx; have [z zl /andP[xl /eqP kE]] := first_here (ltnW kn); have [rl _] := D_in d; have [il _] := used_in_list zl.
  have jl := D_turn d k; have [v vE lv] := user (fam_use rl jl il) xl; have [g' gx' gv] := gate_before (fam_use rl jl il) xl vE.
  have [jE E lt kh] := key_next kE kn; rewrite jE E in gx; exists g'; first by rewrite inE -kE.
  exact: connect_trans gv (gate_next (fam_use rl jl il) xl vE gx lt kh).
- move=> kn /(S_user kn)[z [v [zl -> kE vE lv]]]; have [rl _] := D_in d; have [il xl] := used_in_list zl; have jl := D_turn d k; have uok := fam_use rl jl il.
  have mok := fam_made rl jl; have [x [xv xE ro]] := used_word mok uok xl vE; split=> //.
    by rewrite class_called //; have [-> _] := rcons_inj kE; rewrite -surjective_pairing; exact: (valK d).
  exists x, v; split=> //; first by rewrite /word_at /word xE.
    split; first by move=> be; rewrite inE -kE; exact (not_in_gate uok xl vE be).
    by have [g gx gv] := gate_before uok xl vE; exists g; rewrite // inE -kE.
  move=> /= kn' g; rewrite inE => gx; have [jE E lt kh] := key_next kE kn'; rewrite jE E in gx; exact (gate_next uok xl vE gx lt kh).
- move=> kn; rewrite inE => gx; apply/negP => /(S_user kn)[z [v [zl wE _ _ _]]]; have [rl _] := D_in d; have [il xl] := used_in_list zl.
  exact: (off_word (fam_use rl (D_turn d k) il) xl be gx wE).
move=> kn iN /(S_user kn)[z [v [zl wE kE vE _]]]; rewrite inE -kE => gx; have [rl _] := D_in d; have [il xl] := used_in_list zl.
have iI : i \in input G by move: iN; rewrite inE => /andP[].
exact (input_before (fam_use rl (D_turn d k) il) xl iI (word_of_inj erefl wE) gx).
Qed.
End Rest.

(* ---- how many words at how many gates ---- *)
Lemma used_list_uniq r j : uniq (used_list r j).
Proof. by apply: (@CompulsoryCertificate.listed_uniq _ id) => [|i]; [rewrite map_id iota_uniq | exact: listed_uniq]. Qed.
Lemma sumN_at (T : Type) (x0 : T) (F : T -> N) (l : seq T) : nat_ (sumN [seq F x | x <- l]) = \sum_(i < size l) nat_ (F (nth x0 l i)).
Proof.
elim: l => [|x l IH]; first by rewrite big_ord0.
by rewrite big_ord_recl /= -IH N2Nat.inj_add.
Qed.
(* keys of a family's gates that count *)
Definition keys_list (r j : nat) : seq (seq nat) := [seq y <- box (map nat_ (key_box (fam r j))) | holds (g_held (fam r j)) (ints y)].
Lemma used_list_size r j : r < size rings -> j < many r -> nat_ (used_in tx (fam r j)) <= size (used_list r j).
Proof.
move=> rl jl; rewrite /used_in (sumN_at no_use) /used_list size_flatten /shape -map_comp sumnE big_map.
rewrite -(big_mkord xpredT (fun i => nat_ (used_by tx (use_at r j i)))) /index_iota subn0 big_seq [X in _ <= X]big_seq.
apply: leq_sum => i; rewrite mem_iota => /andP[_ il]; rewrite /= size_map; exact: listed_count (fam_use rl jl il).
Qed.
Lemma at_gate r j y : r < size rings -> j < many r -> count (here r j y) (used_list r j) <= #|S_at r j y|.
Proof.
move=> rl jl; rewrite -size_filter -(size_map (word_at r j)) cardE; apply: uniq_leq_size; last first.
  move=> w /mapP[z]; rewrite mem_filter => /andP[zh zl] ->; rewrite mem_enum inE; apply/hasP; exists z => //; by rewrite zh /=.
rewrite map_inj_in_uniq ?filter_uniq ?used_list_uniq // => z z'; rewrite !mem_filter => /andP[/andP[_ /eqP kE] zl] /andP[/andP[_ /eqP kE'] zl'] wE.
have [il xl] := used_in_list zl; have [il' xl'] := used_in_list zl'; have uok := fam_use rl jl il; have uok' := fam_use rl jl il'.
have [v vE _] := user uok xl; have [w [_ wN _]] := used_word (fam_made rl jl) uok xl vE.
have nE := word_of_inj wN wE; have cE : comp tx gc (use_at r j z.1) = comp tx gc (use_at r j z'.1).
  by rewrite -(called_comp uok xl) -(called_comp uok' xl') nE.
have iE : z.1 = z'.1.
  have /and4P[_ un _ _] := fam_ok rl jl; apply/eqP; rewrite -(nth_uniq 0 (s := [seq comp tx gc u | u <- g_uses (fam r j)])) ?size_map //.
  by rewrite !(nth_map no_use) //; apply/eqP.
rewrite [z]surjective_pairing [z']surjective_pairing -iE; congr pair; rewrite -iE in xl' nE kE'.
by apply: (listed_inj uok xl xl') nE; rewrite kE kE'.
Qed.
Lemma words_at_gates r j : r < size rings -> j < many r -> nat_ (used_in tx (fam r j)) <= \sum_(y <- keys_list r j) #|S_at r j y|.
Proof.
move=> rl jl; apply: leq_trans (used_list_size rl jl) _.
apply: (@leq_trans (\sum_(y <- keys_list r j) count (here r j y) (used_list r j))); last by apply: leq_sum => y _; exact: at_gate.
have : all (fun z => (z.1 < size (g_uses (fam r j))) && (z.2 \in listed (use_at r j z.1))) (used_list r j).
  by apply/allP => z /used_in_list[-> ->].
elim: (used_list r j) => //= z l IH /andP[/andP[il xl] /IH{}IH].
have kin : key (use_at r j z.1) 0 z.2 \in keys_list r j.
  by have uok := fam_use rl jl il; rewrite mem_filter mem_box (key_held uok xl); have [_ ->] := keys_now uok xl.
rewrite big_split /= -add1n; apply: leq_add IH.
by rewrite (big_rem _ kin) /= /here xl eqxx.
Qed.
Lemma keys_many r j : size (keys_list r j) = nat_ (gates_in (fam r j)). Proof. by rewrite /gates_in pointsE. Qed.
Lemma sum_listed (A B : eqType) (F : B -> nat) (h : A -> B) (l : seq B) (l' : seq A) : uniq l -> {subset l <= map h l'} ->
  \sum_(x <- l) F x <= \sum_(x <- l') F (h x).
Proof.
move=> u sub; rewrite -(big_map h xpredT F); elim: l (map h l') u sub => [|x l IH] l2 /=; first by rewrite big_nil.
case/andP=> xl u sub; have x2 : x \in l2 by apply: sub; rewrite inE eqxx.
rewrite big_cons (big_rem _ x2) /= leq_add2l; apply: IH => // y yl; have yx : y != x by apply: contraNneq xl => <-.
have := sub y; rewrite inE yl orbT => /(_ isT) y2; move: (perm_mem (perm_to_rem x2) y); by rewrite inE (negPf yx) y2 /= => <-.
Qed.

(* What the gates of a ring cost whose moments have this rest; one rest has its share of all. *)
Section Share.
Variables (m r : nat).
Hypothesis rl : r < size rings.
Definition cost_at (j : nat) (y : seq nat) : nat := #|S_at r j y| - m.
Definition share (c : nat) : nat := \sum_(y <- kinds_of r) \sum_(p <- gates_at r c y) cost_at (p %% many r) (rcons y (moment r c p)).
Lemma share_all : \sum_(j < many r) \sum_(y <- keys_list r j) cost_at j y <= \sum_(c < r_lag (ring_at r)) share c.
Proof.
pose spots := [seq (j, y) | j <- iota 0 (many r), y <- keys_list r j].
pose all_ := [seq (c, z) | c <- iota 0 (r_lag (ring_at r)), z <- [seq (y, p) | y <- kinds_of r, p <- gates_at r c y]].
have ordE (F : nat -> nat) k : \sum_(i < k) F i = \sum_(i <- iota 0 k) F i by rewrite -(big_mkord xpredT F) /index_iota subn0.
rewrite !(ordE (fun j => \sum_(y <- keys_list r j) cost_at j y)) !(ordE share).
have -> : \sum_(j <- iota 0 (many r)) \sum_(y <- keys_list r j) cost_at j y = \sum_(x <- spots) cost_at x.1 x.2 by rewrite big_allpairs_dep.
pose h (x : nat * (seq nat * nat)) := (x.2.2 %% many r, rcons x.2.1 (moment r x.1 x.2.2)).
have -> : \sum_(c <- iota 0 (r_lag (ring_at r))) share c = \sum_(x <- all_) cost_at (h x).1 (h x).2.
  by rewrite big_allpairs_dep; apply: eq_bigr => c _; rewrite big_allpairs_dep.
apply: (@sum_listed _ _ (fun x => cost_at x.1 x.2) h spots all_).
  apply: allpairs_uniq_dep => [|j _|[j y] [j' y'] _ _ /= [-> ->]] //; [exact: iota_uniq | exact: filter_uniq (box_uniq _)].
move=> _ /allpairsPdep[j [y [+ + ->]]]; rewrite mem_iota add0n mem_filter mem_box /= => jl /andP[yh yin].
case/lastP: y yin yh => [|y t]; first by move=> /inside_size; rewrite size_map size_rcons.
rewrite inside_rcons fam_kinds // => /andP[yk lt] yh; have l0 := lag_some rl; set q := r_lag (ring_at r) in l0.
pose p := t %/ q * many r + j; have pj : p %% many r = j by rewrite /p modnMDl modn_small.
have mE : moment r (t %% q) p = t by rewrite /moment /p divnMDl ?many_some // (divn_small jl) addn0 -divn_eq.
apply/mapP; exists (t %% q, (y, p)); last by rewrite /h /= pj mE.
apply/allpairsPdep; exists (t %% q), (y, p); split=> //; first by rewrite mem_iota ltn_mod.
by apply/allpairsPdep; exists y, p; split; rewrite ?mem_box // times_in // /held_at pj mE yh.
Qed.
Lemma ring_all M : m = nat_ M - g_beside gc -> nat_ (ring_sum tx gc M (ring_at r)) <= \sum_(j < many r) \sum_(y <- keys_list r j) cost_at j y.
Proof.
move=> mE; rewrite /ring_sum (sumN_at no_family); apply: leq_sum => -[j jl] _ /=; have w := words_at_gates rl jl.
rewrite -/(member (ring_at r) j) -/(fam r j).
have -> : nat_ (used_in tx (fam r j) - (M - (if g_beside gc then 1 else 0)) * gates_in (fam r j))%num =
    nat_ (used_in tx (fam r j)) - m * nat_ (gates_in (fam r j)).
  by rewrite N2Nat.inj_sub N2Nat.inj_mul N2Nat.inj_sub mE; case: (g_beside gc).
rewrite leq_subLR; apply: leq_trans w _; rewrite -keys_many; rewrite -sum1_size big_distrr /= -big_split /=.
by apply: leq_sum => y _; rewrite muln1 -leq_subLR.
Qed.
Lemma some_rest M : m = nat_ M - g_beside gc -> exists2 c, c < r_lag (ring_at r) & nat_ (ring_value tx gc M (ring_at r)) <= share c.
Proof. by move=> mE; exact: best_share (lag_some rl) (leq_trans (ring_all mE) share_all). Qed.
End Share.
Lemma gates_sum M : exists rest, nat_ (gates_value tx gc M) <= \sum_c \sum_(k < n_of rest c) (#|S_of rest c k| - (nat_ M - g_beside gc)).
Proof.
set m := nat_ M - _.
have [rest restP] : exists rest : nat -> nat, forall r, r < size rings -> nat_ (ring_value tx gc M (ring_at r)) <= share m r (rest r).
  have H (r : 'I_(size rings)) : exists c : nat, nat_ (ring_value tx gc M (ring_at r)) <= share m r c.
    by have [c _ cv] := some_rest (ltn_ord r) (erefl m); exists c.
  have [f fP] := fin_all_exists H; exists (fun r => if insub r is Some i then f i else 0) => r rl.
  by case: insubP => [i _ <-|]; [exact: fP | rewrite rl].
exists rest; pose F d := \sum_(k < size (gates_of rest d)) (#|S_of rest (Some d) k| - m).
have all_ : \sum_d F d <= \sum_c \sum_(k < n_of rest c) (#|S_of rest c k| - m).
  rewrite [X in _ <= X](bigID (mem [set Some d | d : D])) /= big_imset /=; last by move=> d d' _ _ [].
  by apply: leq_trans (leq_addr _ _); rewrite [X in _ <= X](eq_bigl predT) // => d; rewrite inE.
apply: leq_trans all_; rewrite /gates_value (sumN_at no_ring).
pose H (x : elem) := \sum_(p <- gates_at x.1 (rest x.1) x.2) cost_at m x.1 (p %% many x.1) (rcons x.2 (moment x.1 (rest x.1) p)).
have FE d : F d = H (ssval d).
  rewrite /F /H (big_nth 0) big_mkord; apply: eq_bigr => k _; by [].
rewrite (eq_bigr _ (fun d _ => FE d)); apply: (@leq_trans (\sum_(x <- class_list) H x)).
  rewrite /class_list big_flatten big_map -[X in iota 0 X]subn0 -/(index_iota _ _) big_mkord.
  apply: leq_sum => r _; rewrite big_map; exact: restP.
have uc : uniq class_list.
  by apply: (@CompulsoryCertificate.listed_uniq _ id) => [|r]; [rewrite map_id iota_uniq | exact: box_uniq].
have := @sum_listed _ _ H (fun d : D => ssval d) class_list (enum [finType of D]) uc; rewrite big_enum; apply=> x xl.
by apply/mapP; exists (SeqSub xl); rewrite ?mem_enum.
Qed.
End Sound.

Theorem gates_certificate game M tx e gc B : gates_check M tx e gc B ->
  forall (no : no_circle tx) (s : seq (move (computation no))), legal game (nat_ M) s -> (B <= N.of_nat (cost s))%num.
Proof.
case/and3P=> eok gok /N.leb_le le no s ok; apply: N.le_trans le _; have [i o] := ends_count no eok.
have [rest sum] := gates_sum no eok gok M; have := gates_words ok (subxx _) (all_gates no eok gok rest); move: i o sum.
move: #|needed _| #|_ :\: _| (\sum_c _) (cost s) (ends_in _ _) (ends_out_of _ _) (gates_value _ _ _) => p q r c a b g; clear; lia.
Qed.
