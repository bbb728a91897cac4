(* Certificates of gates, for any affine text: docs/theory-affine.md, section 7, Theorem 13.  A family's gates are elements of one array,
   some indices of which its keys tell: the class, then the time.  What uses words reads them behind its gate and before the next one. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes Game Trace Count Segment Rooted Affine CompulsoryCertificate Walks.
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
Record gates_claim := GatesClaim {
  g_labels : seq (nat * seq form);             (* of each array: its component, and forms of an element that tell its word *)
  g_starts : seq (nat * (seq form * walk));    (* by arrays: an input's indices as forms of its labels, and where what is no input finds
                                                  a predecessor of its word *)
  g_beside : bool;                             (* no gate is on a word that counts, nor counts itself *)
  g_families : seq family }.
Definition no_part := Part [::] None Nowhere Nowhere Nowhere.
Definition no_use := Use 0 [::] (0%Z, [::]) [::] [::] [::].
Definition no_family := Family 0 [::] [::] Nowhere [::] 0 [::] (0, 0, [::]) [::].

(* forms of a gate's indices: of the keys, and of further variables *)
Fixpoint pattern (rs : seq (option form)) (ks : seq form) (n : nat) : seq form :=
  match rs with [::] => [::] | Some f :: rs' => subst f ks :: pattern rs' ks n | None :: rs' => variable n :: pattern rs' ks n.+1 end.
Fixpoint anys (T : Type) (rs : seq (option form)) (l : seq T) : seq T :=
  match rs, l with None :: rs', x :: l' => x :: anys rs' l' | Some _ :: rs', _ :: l' => anys rs' l' | _, _ => [::] end.
Definition told (rs : seq (option form)) (ks g : seq Z) : bool :=
  (size g == size rs) && all2 (fun r v => if r is Some f then v =? value f ks else true)%Z rs g.
Definition find_at (T : Type) (d : T) (l : seq (nat * T)) (b : nat) : T := head d [seq x.2 | x <- l & x.1 == b].
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
Definition known_next (u : use) (p : part) (f : family) : seq form :=
  p_where p ++ asked (gates_box (u_array u) f) (less ((Z.of_N (g_times f) - 2)%Z, [::]) (u_time u) :: composed (g_held f) (keys_at u 1) ++
    composed (g_where f) (gate_at u f 1)).
Definition away (u : use) (p : part) (f : family) : bool := let ds := ext (u_array u) in let r := p_where p in
  [|| u_array u != g_array f, has (fun c => implies ds r (less never c)) (g_where f) |
      has (fun t : option form * form => if t.1 is Some h then let d := less t.2 (subst h (keys_at u 0)) in
             implies ds r (one_less d) || implies ds r (one_less (scale (-1) d)) else false) (zip (g_roles f) (variables (size ds)))].
Definition short n (f : form) : bool := size f.2 <= n.
Definition part_ok (f : family) (u : use) (p : part) : bool := let a := u_array u in let ds := ext a in let r := p_where p in
  [&& [&& has (fun q => all (implies ds r) q) (pieces tx a), if nth None lives a is Some q then all (implies ds r) q.1 else false,
          want_found u p, all (short (size ds)) r & all (short (size ds)) (said u p).2],
      [&& (said u p).1 == comp u, within ds r (keys_at u 0) (key_box f) & all (fun c => implies ds r (subst c (keys_at u 0))) (g_held f)],
      all2 (same ds r) (composed (u_class u) (said u p).2) (u_kind u) &&
        all2 (same ds r) (composed (u_back u) (keys_at u 0 ++ (said u p).2)) (variables (size ds)),
      goes tx ds r a (variables (size ds)) (p_up p) (fun cs b gs => (b == g_array f) && in_gate ds cs f (keys_at u 0) gs) &
      [&& goes tx (gates_box a f) (known_next u p f) (g_array f) (gate_at u f 1) (p_next p)
            (fun cs b gs => is_array (gates_box a f) cs b a gs (variables (size ds))),
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
Definition first_ok (f : family) : bool :=
  let u := nth no_use (g_uses f) (g_first f).1.1 in let p := nth no_part (u_parts u) (g_first f).1.2 in let hs := (g_first f).2 in
  [&& (g_first f).1.1 < size (g_uses f), (g_first f).1.2 < size (u_parts u), within (key_box f) (g_held f) hs (ext (u_array u)),
      all (fun c => implies (key_box f) (g_held f) (subst c hs)) (p_where p) &
      all2 (same (key_box f) (g_held f)) (composed (keys_at u 0) hs) (variables (size (key_box f)))].
Definition made_ok (f : family) : bool := let ds := key_box f ++ anys (g_roles f) (ext (g_array f)) in
  let gs := pattern (g_roles f) (variables (size (key_box f))) (size (key_box f)) in
  all (short (size (key_box f))) (g_held f) && reads_some tx ds (g_held f ++ asked ds (composed (g_where f) gs)) (g_array f) gs (g_made f).
Definition family_ok (f : family) : bool := [&& all (use_ok f) (g_uses f), uniq [seq comp u | u <- g_uses f], first_ok f & made_ok f].
Definition components : seq nat := flatten [seq [seq comp u | u <- g_uses f] | f <- g_families gc].
Definition gates_ok : bool := all family_ok (g_families gc) && uniq components.

Open Scope N_scope.
Definition used_by (u : use) : N := sumN [seq points (ext (u_array u)) (p_where p) | p <- u_parts u].
Definition used_in (f : family) : N := sumN [seq used_by u | u <- g_uses f].
Definition gates_in (f : family) : N := points (key_box f) (g_held f).
Definition gates_value (M : N) : N :=
  sumN [seq used_in f - (M - if g_beside gc then 1 else 0) * gates_in f | f <- g_families gc].
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

Section Sound.
Variables (tx : text) (no : no_circle tx) (e : ends) (gc : gates_claim).
Notation G := (computation no).
Hypotheses (eok : ends_ok tx e) (gok : gates_ok tx (leading e) gc).
Notation ext := (extents tx).
Notation label := (label gc).
Notation name := (name gc).
Definition same_name (a b : nat * seq Z) : bool := (a.1 == b.1) && all2 Z.eqb a.2 b.2.
Lemma same_nameP a b : reflect (a = b) (same_name a b).
Proof.
apply: (iffP idP) => [/andP[/eqP E /all2_eqb E']|->]; last by rewrite /same_name eqxx all2_refl.
by case: a b E E' => [? ?] [? ?] /= -> ->.
Qed.
Definition word_of (n : nat * seq Z) : option G := [pick u : G | same_name (name (ssval u)) n].
Definition word (v : G) : option G := word_of (name (ssval v)).
Lemma word_of_name (v : G) n : name (ssval v) = n -> exists2 u, word_of n = Some u & name (ssval u) = n.
Proof.
move=> E; rewrite /word_of; case: pickP => [u /same_nameP uE|/(_ v)/same_nameP/(_ E)//]; by exists u.
Qed.
Lemma word_of_inj (v : G) n n' : name (ssval v) = n -> word_of n = word_of n' -> n = n'.
Proof.
move=> /word_of_name[u -> uE] /esym; rewrite /word_of; case: pickP => // w /same_nameP wE [E]; by rewrite -wE -uE E.
Qed.
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
Variables (f : family) (u : use).
Hypotheses (mok : made_ok tx f) (uok : use_ok tx (leading e) gc f u).
Notation a := (u_array u).
Notation ds := (ext (u_array u)).
Definition listed : seq (seq nat) := [seq x <- box (size_of tx a) | has (fun r => holds r (ints x)) [seq p_where p | p <- u_parts u]].
Definition part_of (x : seq nat) : part := nth no_part (u_parts u) (find (fun p => holds (p_where p) (ints x)) (u_parts u)).
Lemma listed_part x : x \in listed -> [/\ inside x (size_of tx a), holds (p_where (part_of x)) (ints x) & part_ok tx (leading e) gc f u (part_of x)].
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
Lemma x_ok : part_ok tx (leading e) gc f u p. Proof. by case: (listed_part xl). Qed.
Lemma x_size : size x = size ds. Proof. by rewrite (inside_size x_in) size_map. Qed.
Lemma keys_now : at_point (keys_at u 0) (ints x) = ints (key 0 x) /\ inside (key 0 x) (map nat_ (key_box f)).
Proof.
case/and5P: x_ok => _ /and3P[_ wi _] _ _ _; have [q + qin] := within_ok wi x_in x_holds.
rewrite -/(at_point _ _) /keys_at at_rcons value_later Z.add_0_r /key addn0; case/lastP: q qin => [|q t] qin.
  by move=> E; have := congr1 size E; rewrite size_rcons.
rewrite ints_rcons => /rcons_inj[E Et]; have -> : kind x = q by rewrite /kind E to_nats.
by have -> : time x = t; rewrite ?E ?Et ?ints_rcons // /time Et Nat2Z.id.
Qed.
Lemma keys_cat d y : at_point (keys_at u (Z.of_nat d)) (ints (x ++ y)) = ints (key d x).
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
Lemma kind_class : at_point (u_class u) (called x).2 = ints (kind x).
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
case/and5P: x_ok => /and5P[pc lr _ _ _] _ _ _ _; have lw : lives_well tx (leading e) by case/and5P: eok.
have ex : exists_ tx (a, x).
  rewrite /exists_ /= x_in; have -> : a < size (arrays tx).
    by rewrite ltnNge; apply/negP => le; move: pc; rewrite /pieces nth_default.
  elim: (pieces tx _) pc => //= q ps IH /orP[/holds_all H|/IH ->]; rewrite ?orbT // H //; [exact: x_in | exact: x_holds].
exists (SeqSub (in_elements ex) : G) => //; apply: (region_live lw); rewrite /in_region /=.
case: (nth None _ _) lr => [q|] // /holds_all H; apply: H; [exact: x_in | exact: x_holds].
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
Lemma gates_in_box (g : G) : (ssval g).1 = g_array f ->
  inside (x ++ anys (g_roles f) (ssval g).2) (map nat_ (gates_box tx a f)).
Proof.
move=> ga; have [_ gin _] := vertex g; rewrite ga in gin.
rewrite map_cat inside_cat size_map -x_size take_size_cat // drop_size_cat // -/(size_of tx a) x_in; exact: anys_inside.
Qed.
Lemma gate_at_ok d (g : G) : told (g_roles f) (ints (key d x)) (ints (ssval g).2) ->
  at_point (gate_at tx u f (Z.of_nat d)) (ints (x ++ anys (g_roles f) (ssval g).2)) = ints (ssval g).2.
Proof. by move=> tg; rewrite /gate_at -x_size; apply: pattern_at tg => y; apply: keys_cat. Qed.
Lemma gate_next (g : G) : is_gate f (key 1 x) g -> (time x).+1 < nat_ (g_times f) -> holds (g_held f) (ints (key 1 x)) -> connect (@edge G) v g.
Proof.
case/and3P=> /eqP ga tg gw lt kh; case/and5P: x_ok => /and5P[_ _ _ sr _] _ _ _ /and3P[nx _ _].
have zin := gates_in_box ga; set z := x ++ _ in zin.
have E : at_point (gate_at tx u f 1) (ints z) = ints (ssval g).2 := gate_at_ok tg.
have k0 : at_point (keys_at u 0) (ints z) = ints (key 0 x) := keys_cat 0 _.
have k1 : at_point (keys_at u 1) (ints z) = ints (key 1 x) := keys_cat 1 _.
have zh : holds (known_next tx u p f) (ints z).
  rewrite holds_cat (holds_short _ sr x_size) x_holds; apply: holds_asked.
  rewrite /holds /= -/(holds _ _) holds_cat !holds_composed E gw k1 kh !andbT value_less; apply/Z.leb_le.
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
move=> iI iN /and3P[/eqP ga tg gw]; case/and5P: x_ok => /and5P[_ _ _ sr sl] _ _ _ /and3P[_ bg _].
have zin := gates_in_box ga; set z := x ++ _ in zin.
have E : at_point (gate_at tx u f 0) (ints z) = ints (ssval g).2 := gate_at_ok (d := 0) tg.
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
case/and5P: x_ok => /and5P[_ _ wf _ _] _ _ _ _; have vN0 : (called x).2 = at_point (said tx gc u p).2 (ints x) by [].
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

(* ---- families, classes, times ---- *)
Notation families := (g_families gc).
Definition fam (q : nat) : family := nth no_family families q.
Definition use_at (q i : nat) : use := nth no_use (g_uses (fam q)) i.
Definition class_list : seq elem := flatten [seq [seq (q, y) | y <- box (map nat_ (g_kinds (fam q)))] | q <- iota 0 (size families)].
Notation D := (seq_sub class_list).
Notation C := (option D).
Definition uses_of (c : nat) (f : family) : bool := has (fun u => comp tx gc u == c) (g_uses f).
Definition class_name (n : nat * seq Z) : C :=
  let us := g_uses (nth no_family families (find (uses_of n.1) families)) in
  insub (find (uses_of n.1) families, map Z.to_nat (at_point (u_class (nth no_use us (find (fun u => comp tx gc u == n.1) us))) n.2)).
Definition class (w : option G) : C := if w is Some v then class_name (name (ssval v)) else None.
Definition times (q : nat) (y : seq nat) : seq nat :=
  [seq t <- iota 0 (nat_ (g_times (fam q))) | holds (g_held (fam q)) (ints (rcons y t))].
Definition gates_of (d : D) : seq nat := times (ssval d).1 (ssval d).2.
Definition key_of (d : D) (k : nat) : seq nat := rcons (ssval d).2 (nth 0 (gates_of d) k).
Definition n_of (c : C) : nat := if c is Some d then size (gates_of d) else 0.
Definition A_of (c : C) (k : nat) : {set G} := if c is Some d then [set g | is_gate (fam (ssval d).1) (key_of d k) g] else set0.
Definition here (q : nat) (y : seq nat) (z : elem) : bool := (z.2 \in listed (use_at q z.1)) && (key (use_at q z.1) 0 z.2 == y).
Definition used_list (q : nat) : seq elem := flatten [seq [seq (i, x) | x <- listed (use_at q i)] | i <- iota 0 (size (g_uses (fam q)))].
Definition word_at (q : nat) (z : elem) : option G := word_of (called (use_at q z.1) z.2).
Definition S_of (c : C) (k : nat) : {set option G} :=
  if c is Some d then [set w | has (fun z => here (ssval d).1 (key_of d k) z && (word_at (ssval d).1 z == w)) (used_list (ssval d).1)] else set0.

Lemma D_in (d : D) : (ssval d).1 < size families /\ inside (ssval d).2 (map nat_ (g_kinds (fam (ssval d).1))).
Proof.
have /flattenP[_ /mapP[q + ->] /mapP[y + dE]] := ssvalP d; rewrite mem_iota add0n => /andP[_ ql]; rewrite mem_box => yin.
by rewrite [ssval d]dE.
Qed.
Lemma fam_ok q : q < size families -> family_ok tx (leading e) gc (fam q).
Proof. by case/andP: gok => /(all_nthP no_family) H _; apply: H. Qed.
Lemma fam_made q : q < size families -> made_ok tx (fam q). Proof. by case/fam_ok/and4P. Qed.
Lemma fam_use q i : q < size families -> i < size (g_uses (fam q)) -> use_ok tx (leading e) gc (fam q) (use_at q i).
Proof. by move=> /fam_ok/and4P[/(all_nthP no_use) H _ _ _]; apply: H. Qed.
Lemma used_in_list q z : z \in used_list q -> z.1 < size (g_uses (fam q)) /\ z.2 \in listed (use_at q z.1).
Proof. by case/flattenP=> _ /mapP[i + ->] /mapP[x xl ->] /=; rewrite mem_iota add0n. Qed.

Lemma inside_rcons y t (ds : seq N) d : inside (rcons y t) (map nat_ (rcons ds d)) = inside y (map nat_ ds) && (t < nat_ d).
Proof.
rewrite /inside; elim: y ds => [|v y IH] [|d' ds] //=; rewrite ?andbT ?IH ?andbA //.
  by case: ds => [|? ?]; rewrite /= ?andbF.
by case: y {IH}; rewrite /= ?andbF.
Qed.
Lemma times_in q y t : (t \in times q y) = holds (g_held (fam q)) (ints (rcons y t)) && (t < nat_ (g_times (fam q))).
Proof. by rewrite mem_filter mem_iota. Qed.
Lemma key_in d k : k < size (gates_of d) ->
  inside (key_of d k) (map nat_ (key_box (fam (ssval d).1))) /\ holds (g_held (fam (ssval d).1)) (ints (key_of d k)).
Proof.
move=> kn; have := mem_nth 0 kn; rewrite times_in => /andP[h lt]; have [_ din] := D_in d.
by split=> //; rewrite inside_rcons din.
Qed.
(* times of a class follow one another, as what forms say of them they say of all between *)
Lemma value_rcons f (y : seq nat) t : value f (ints (rcons y t)) = (value f (ints (rcons y 0%N)) + nth 0%Z f.2 (size y) * Z.of_nat t)%Z.
Proof.
rewrite /value; case: f => b a /=; suff -> : dot a (ints (rcons y t)) = (dot a (ints (rcons y 0%N)) + nth 0%Z a (size y) * Z.of_nat t)%Z by clear; lia.
elim: y a => [|v y IH] [|c a] //=; rewrite ?dot_nil /=; [clear; lia | rewrite IH; clear; lia].
Qed.
Lemma times_between q y t1 t t2 : t1 < t < t2 -> t1 \in times q y -> t2 \in times q y -> t \in times q y.
Proof.
case/andP=> lt1 lt2; rewrite !times_in => /andP[h1 _] /andP[h2 l2]; rewrite (ltn_trans lt2 l2) andbT.
elim: (g_held _) h1 h2 => //= f fs IH /andP[/Z.leb_le f1 h1] /andP[/Z.leb_le f2 h2]; rewrite IH // andbT; apply/Z.leb_le.
move: f1 f2; rewrite !(value_rcons _ _ t1) !(value_rcons _ _ t2) !(value_rcons _ _ t); move: (value _ _) (nth _ _ _) => v c f1 f2.
have a1 : (Z.of_nat t1 <= Z.of_nat t)%Z by move: lt1; clear; lia.
have a2 : (Z.of_nat t <= Z.of_nat t2)%Z by move: lt2; clear; lia.
move: f1 f2 a1 a2; move: (Z.of_nat t1) (Z.of_nat t) (Z.of_nat t2) => p r s; clear; case: (Z.le_gt_cases 0 c) => c0; nia.
Qed.
Lemma times_next d k : k.+1 < size (gates_of d) -> nth 0 (gates_of d) k.+1 = (nth 0 (gates_of d) k).+1.
Proof.
move=> kn; set l := gates_of d in kn *; have so : sorted ltn l by apply: (sorted_filter ltn_trans); exact: iota_ltn_sorted.
have lt : nth 0 l k < nth 0 l k.+1 by apply: (sorted_ltn_nth ltn_trans 0 so); rewrite ?inE // ltnW.
apply/eqP; rewrite eqn_leq lt andbT leqNgt; apply/negP => lt2.
have tl : (nth 0 l k).+1 \in l by apply: (@times_between _ _ (nth 0 l k) _ (nth 0 l k.+1)); rewrite ?ltnSn ?mem_nth // ltnW.
have jl : seq.index (nth 0 l k).+1 l < size l by rewrite index_mem.
have jE := nth_index 0 tl; set j := seq.index _ l in jl jE.
have kj : k < j by rewrite ltnNge; apply/negP => le; have := sorted_leq_nth leq_trans leqnn 0 (sub_sorted ltnW so) j k jl (ltnW kn) le; rewrite jE ltnn.
by have := sorted_leq_nth leq_trans leqnn 0 (sub_sorted ltnW so) k.+1 j kn jl kj; rewrite jE leqNgt lt2.
Qed.
Lemma key_next u d k x : key u 0 x = key_of d k -> k.+1 < size (gates_of d) ->
  [/\ key_of d k.+1 = key u 1 x, (time u x).+1 < nat_ (g_times (fam (ssval d).1)) & holds (g_held (fam (ssval d).1)) (ints (key u 1 x))].
Proof.
move=> /rcons_inj[kE tE] kn; have E : key_of d k.+1 = key u 1 x by rewrite /key_of times_next // -kE -tE /key addn0 addn1.
have := mem_nth 0 kn; rewrite times_in -/(key_of d k.+1) => /andP[h lt]; split; rewrite -?E //.
by move: lt; rewrite times_next // -tE addn0.
Qed.

Lemma key_to_nat u x : key u 0 x = map Z.to_nat (at_point (keys_at u 0) (ints x)).
Proof. by rewrite /keys_at at_rcons value_later Z.add_0_r map_rcons /key addn0. Qed.
(* at each gate there is an element that uses a word *)
Lemma first_here d k : k < size (gates_of d) -> exists2 z, z \in used_list (ssval d).1 & here (ssval d).1 (key_of d k) z.
Proof.
move=> kn; have [ql _] := D_in d; have [kin kh] := key_in kn; set q := (ssval d).1 in ql kin kh *.
have /and4P[_ _ /and5P[il jl wi al sm] _] := fam_ok ql; set i := (g_first (fam q)).1.1 in il jl wi al sm.
have [x + xin] := within_ok wi kin kh; rewrite -/(at_point _ _) => xE.
have xl : x \in listed (use_at q i).
  rewrite mem_filter mem_box xin andbT has_map; apply/(has_nthP no_part); exists (g_first (fam q)).1.2 => //=.
  by rewrite -xE; apply: holds_at al kin kh.
have kE : key (use_at q i) 0 x = key_of d k.
  have := same_at sm kin kh; rewrite at_composed xE at_variables; last by rewrite (inside_size kin) size_map.
  by rewrite key_to_nat => ->; rewrite to_nats.
exists (i, x); last by rewrite /here xl kE eqxx.
by apply/flattenP; exists [seq (i, y) | y <- listed (use_at q i)]; [apply/mapP; exists i; rewrite // mem_iota | apply: map_f].
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
Lemma class_called q z : q < size families -> z \in used_list q -> class (word_at q z) = insub (q, kind (use_at q z.1) z.2).
Proof.
move=> ql /used_in_list[il xl]; have uok := fam_use ql il; have mok := fam_made ql.
have [v vE _] := user uok xl; have [w [_ wE _]] := used_word mok uok xl vE.
have [w' + w'E] := word_of_name wE; rewrite /word_at => -> /=; rewrite w'E /class_name; have cE := called_comp uok xl; set n := called _ _ in cE *.
have qE : find (uses_of n.1) families = q.
  apply: (find_only (x0 := no_family)) => // [|j jq]; first by apply/(has_nthP no_use); exists z.1; rewrite // -cE.
  apply/negP => /(has_nthP no_use)[i' i'l /eqP ci]; case/andP: gok => _ un.
  apply: (uniq_part (x0 := no_family) (c := n.1) un jq ql); apply/(nthP 0).
    by exists i'; rewrite ?size_map // (nth_map no_use).
  by exists z.1; rewrite ?size_map // (nth_map no_use) // -cE.
have iE : find (fun u => comp tx gc u == n.1) (g_uses (fam q)) = z.1.
  have /and4P[_ un _ _] := fam_ok ql.
  apply: (find_only (x0 := no_use)) => // [|j jz]; first by rewrite -cE.
  apply/negP => /eqP ci; have := nth_uniq 0 (i := j) (j := z.1) _ _ un; rewrite !size_map => /(_ (ltn_trans jz il) il).
  by rewrite !(nth_map no_use) ?(ltn_trans jz il) // ci cE eqxx => /esym/eqP E; rewrite E ltnn in jz.
by rewrite qE -/(fam q) iE -/(use_at q z.1) (kind_class uok xl) to_nats.
Qed.
Lemma S_user d k w : k < size (gates_of d) -> w \in S_of (Some d) k -> let q := (ssval d).1 in exists z (v : G), [/\ z \in used_list q, w = word_at q z,
  key (use_at q z.1) 0 z.2 = key_of d k, ssval v = (u_array (use_at q z.1), z.2) & live v].
Proof.
move=> kn; rewrite inE => /hasP[z zl /andP[/andP[xl /eqP kE] /eqP wE]] q.
have [il _] := used_in_list zl; have [ql _] := D_in d; have [v vE lv] := user (fam_use ql il) xl.
by exists z, v.
Qed.
Lemma all_gates : gates (word : G -> option G) (needed G) class (g_beside gc) n_of A_of S_of.
Proof.
split=> [[d|] k g|[d|] k|[d|] k g|[d|] k w|be [d|] k g|[d|] k i g] //.
- move=> kn; rewrite inE; have [kin kh] := key_in kn; have [ql _] := D_in d; exact: gate_made (fam_made ql) kin kh.
- move=> kn; have [z zl /andP[xl /eqP kE]] := first_here kn; have [ql _] := D_in d; have [il _] := used_in_list zl.
  have [v vE lv] := user (fam_use ql il) xl; have [g gx gv] := gate_before (fam_use ql il) xl vE.
  exists g; first by rewrite inE -kE.
  by case/existsP: lv => o /andP[oO vo]; apply/existsP; exists o; rewrite oO (connect_trans gv vo).
- move=> kn; rewrite inE => gx; have [z zl /andP[xl /eqP kE]] := first_here (ltnW kn); have [ql _] := D_in d; have [il _] := used_in_list zl.
  have [v vE lv] := user (fam_use ql il) xl; have [g' gx' gv] := gate_before (fam_use ql il) xl vE.
  have [E lt kh] := key_next kE kn; rewrite E in gx; exists g'; first by rewrite inE -kE.
  exact: connect_trans gv (gate_next (fam_use ql il) xl vE gx lt kh).
- move=> kn /(S_user kn)[z [v [zl -> kE vE lv]]]; have [ql _] := D_in d; have [il xl] := used_in_list zl; have uok := fam_use ql il.
  have mok := fam_made ql; have [x [xv xE ro]] := used_word mok uok xl vE; split=> //.
    by rewrite class_called //; have [-> _] := rcons_inj kE; rewrite -surjective_pairing; exact: (valK d).
  exists x, v; split=> //; first by rewrite /word_at /word xE.
    split; first by move=> be; rewrite inE -kE; exact (not_in_gate uok xl vE be).
    by have [g gx gv] := gate_before uok xl vE; exists g; rewrite // inE -kE.
  move=> /= kn' g; rewrite inE => gx; have [E lt kh] := key_next kE kn'; rewrite E in gx; exact (gate_next uok xl vE gx lt kh).
- move=> kn; rewrite inE => gx; apply/negP => /(S_user kn)[z [v [zl wE _ _ _]]]; have [ql _] := D_in d; have [il xl] := used_in_list zl.
  exact: (off_word (fam_use ql il) xl be gx wE).
move=> kn iN /(S_user kn)[z [v [zl wE kE vE _]]]; rewrite inE -kE => gx; have [ql _] := D_in d; have [il xl] := used_in_list zl.
have iI : i \in input G by move: iN; rewrite inE => /andP[].
exact (input_before (fam_use ql il) xl iI (word_of_inj erefl wE) gx).
Qed.

(* ---- how many words at how many gates ---- *)
Definition in_class (q : nat) (d : D) : bool := (ssval d).1 == q.
Lemma used_list_uniq q : uniq (used_list q).
Proof. by apply: (@CompulsoryCertificate.listed_uniq _ id) => [|i]; [rewrite map_id iota_uniq | exact: listed_uniq]. Qed.
Lemma sumN_at (T : Type) (x0 : T) (F : T -> N) (l : seq T) : nat_ (sumN [seq F x | x <- l]) = \sum_(i < size l) nat_ (F (nth x0 l i)).
Proof.
elim: l => [|x l IH]; first by rewrite big_ord0.
by rewrite big_ord_recl /= -IH N2Nat.inj_add.
Qed.
Lemma used_list_size q : q < size families -> nat_ (used_in tx (fam q)) <= size (used_list q).
Proof.
move=> ql; rewrite /used_in (sumN_at no_use) /used_list size_flatten /shape -map_comp sumnE big_map.
rewrite -(big_mkord xpredT (fun i => nat_ (used_by tx (use_at q i)))) /index_iota subn0 big_seq [X in _ <= X]big_seq.
apply: leq_sum => i; rewrite mem_iota => /andP[_ il]; rewrite /= size_map; exact: listed_count (fam_use ql il).
Qed.
Lemma at_gate d k : k < size (gates_of d) -> count (here (ssval d).1 (key_of d k)) (used_list (ssval d).1) <= #|S_of (Some d) k|.
Proof.
move=> kn; have [ql _] := D_in d; set q := (ssval d).1 in ql *.
rewrite -size_filter -(size_map (word_at q)) cardE; apply: uniq_leq_size; last first.
  move=> w /mapP[z]; rewrite mem_filter => /andP[zh zl] ->; rewrite mem_enum inE; apply/hasP; exists z => //; by rewrite zh /=.
rewrite map_inj_in_uniq ?filter_uniq ?used_list_uniq // => z z'; rewrite !mem_filter => /andP[/andP[_ /eqP kE] zl] /andP[/andP[_ /eqP kE'] zl'] wE.
have [il xl] := used_in_list zl; have [il' xl'] := used_in_list zl'; have uok := fam_use ql il; have uok' := fam_use ql il'.
have [v vE _] := user uok xl; have [w [_ wN _]] := used_word (fam_made ql) uok xl vE.
have nE := word_of_inj wN wE; have cE : comp tx gc (use_at q z.1) = comp tx gc (use_at q z'.1).
  by rewrite -(called_comp uok xl) -(called_comp uok' xl') nE.
have iE : z.1 = z'.1.
  have /and4P[_ un _ _] := fam_ok ql; apply/eqP; rewrite -(nth_uniq 0 (s := [seq comp tx gc u | u <- g_uses (fam q)])) ?size_map //.
  by rewrite !(nth_map no_use) //; apply/eqP.
rewrite [z]surjective_pairing [z']surjective_pairing -iE; congr pair; rewrite -iE in xl' nE kE'.
by apply: (listed_inj uok xl xl') nE; rewrite kE kE'.
Qed.
Lemma words_at_gates q : q < size families -> nat_ (used_in tx (fam q)) <= \sum_(d | in_class q d) \sum_(k < size (gates_of d)) #|S_of (Some d) k|.
Proof.
move=> ql; apply: leq_trans (used_list_size ql) _.
apply: (@leq_trans (\sum_(d | in_class q d) \sum_(k < size (gates_of d)) count (here q (key_of d k)) (used_list q))); last first.
  by apply: leq_sum => d /eqP <-; apply: leq_sum => k _; apply: at_gate.
have : all (fun z => (z.1 < size (g_uses (fam q))) && (z.2 \in listed (use_at q z.1))) (used_list q).
  by apply/allP => z /used_in_list[-> ->].
elim: (used_list q) => //= z l IH /andP[/andP[il xl] /IH{}IH].
have kin : (q, kind (use_at q z.1) z.2) \in class_list.
  have [_ /=] := keys_now (fam_use ql il) xl; rewrite inside_rcons => /andP[yin _].
  by apply/flattenP; exists [seq (q, y) | y <- box (map nat_ (g_kinds (fam q)))]; [apply/mapP; exists q; rewrite // mem_iota | apply: map_f; rewrite mem_box].
pose d : D := SeqSub kin; have tin : time (use_at q z.1) z.2 \in gates_of d.
  have [_] := keys_now (fam_use ql il) xl; have := key_held (fam_use ql il) xl; rewrite /key addn0 inside_rcons => h /andP[_ lt].
  by rewrite times_in /= h lt.
have kl : seq.index (time (use_at q z.1) z.2) (gates_of d) < size (gates_of d) by rewrite index_mem.
have one : 1 <= \sum_(d | in_class q d) \sum_(k < size (gates_of d)) (here q (key_of d k) z : nat).
  rewrite (bigD1 d) ?/in_class ?eqxx //= (bigD1 (Ordinal kl)) //= /here xl /key_of /key addn0 nth_index // eqxx.
  by rewrite -addnA leq_addr.
have := leq_add one IH; rewrite add1n => H; apply: leq_trans H _; rewrite -big_split /=; apply: leq_sum => d' _.
by rewrite -big_split /=; apply: leq_sum => k _.
Qed.
Lemma gates_few q : q < size families -> \sum_(d | in_class q d) size (gates_of d) <= nat_ (gates_in (fam q)).
Proof.
move=> ql; rewrite /gates_in pointsE.
have -> : \sum_(d | in_class q d) size (gates_of d) =
    size [seq rcons (ssval d).2 t | d <- [seq d <- enum [finType of D] | in_class q d], t <- gates_of d].
  by rewrite size_allpairs_dep sumnE big_map big_filter big_enum_cond.
apply: uniq_leq_size; last first.
  move=> _ /allpairsPdep[d [t [+ tin ->]]]; rewrite mem_filter => /andP[/eqP dq _]; move: tin; rewrite times_in dq => /andP[h lt].
  by have [_ din] := D_in d; rewrite mem_filter h mem_box inside_rcons lt andbT -dq.
apply: allpairs_uniq_dep; first by rewrite filter_uniq ?enum_uniq.
  by move=> d _; rewrite filter_uniq ?iota_uniq.
move=> [d t] [d' t'] /allpairsPdep[d1 [t1 [+ _ E1]]] /allpairsPdep[d2 [t2 [+ _ E2]]] /=.
case: E1 => dE tE; case: E2 => dE' tE'; rewrite !mem_filter -dE -dE' => /andP[/eqP q1 _] /andP[/eqP q2 _] /rcons_inj[yE ->].
have -> // : d = d'; apply: val_inj; rewrite /= [ssval d]surjective_pairing [ssval d']surjective_pairing q1 q2; congr pair; exact: yE.
Qed.
Lemma gates_sum M : nat_ (gates_value tx gc M) <= \sum_c \sum_(k < n_of c) (#|S_of c k| - (nat_ M - g_beside gc)).
Proof.
set m := nat_ M - _; pose F d := \sum_(k < size (gates_of d)) (#|S_of (Some d) k| - m).
have all_ : \sum_d F d <= \sum_c \sum_(k < n_of c) (#|S_of c k| - m).
  rewrite [X in _ <= X](bigID (mem [set Some d | d : D])) /= big_imset /=; last by move=> d d' _ _ [].
  by apply: leq_trans (leq_addr _ _); rewrite [X in _ <= X](eq_bigl predT) // => d; rewrite inE.
apply: leq_trans all_; rewrite /gates_value (sumN_at no_family).
apply: (@leq_trans (\sum_(q < size families) \sum_(d | in_class q d) F d)); last first.
  rewrite (eq_bigr (fun q : 'I_(size families) => \sum_d (in_class q d) * F d)) => [|q _]; last first.
    by rewrite big_mkcond /=; apply: eq_bigr => d _; case: in_class; rewrite ?mul1n.
  rewrite exchange_big /=; apply: leq_sum => d _; rewrite -big_distrl /= -[X in _ <= X]mul1n leq_mul2r; apply/orP; right.
  have [dl _] := D_in d; rewrite (bigD1 (Ordinal dl)) //= big1 ?addn0 ?leq_b1 // => q ne.
  by apply/eqP; rewrite eqb0; apply: contra ne => /eqP E; apply/eqP/val_inj.
apply: leq_sum => q _; have ql := ltn_ord q; have w := words_at_gates ql; have g := gates_few ql; rewrite -/(fam q).
have -> : nat_ (used_in tx (fam q) - (M - (if g_beside gc then 1 else 0)) * gates_in (fam q))%num =
    nat_ (used_in tx (fam q)) - m * nat_ (gates_in (fam q)).
  rewrite N2Nat.inj_sub N2Nat.inj_mul N2Nat.inj_sub /m; by case: (g_beside gc).
rewrite leq_subLR; apply: leq_trans w _; apply: (@leq_trans (m * (\sum_(d | in_class q d) size (gates_of d)) + \sum_(d | in_class q d) F d)).
  rewrite big_distrr /= -big_split /=; apply: leq_sum => d _; rewrite /F -[X in m * X]card_ord -sum1_card big_distrr /= -big_split /=.
  by apply: leq_sum => k _; rewrite muln1 -leq_subLR.
by rewrite leq_add2r leq_mul2l g orbT.
Qed.
End Sound.

Theorem gates_certificate game M tx e gc B : gates_check M tx e gc B ->
  forall (no : no_circle tx) (s : seq (move (computation no))), legal game (nat_ M) s -> (B <= N.of_nat (cost s))%num.
Proof.
case/and3P=> eok gok /N.leb_le le no s ok; apply: N.le_trans le _; have [i o] := ends_count no eok.
have := gates_words ok (subxx _) (all_gates no eok gok); have := gates_sum no eok gok M; move: i o.
move: #|needed _| #|_ :\: _| (\sum_c _) (cost s) (ends_in _ _) (ends_out_of _ _) (gates_value _ _ _) => p q r c a b g; clear; lia.
Qed.
