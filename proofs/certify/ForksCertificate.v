(* Certificates of forks, for any affine text, when nothing is computed twice: docs/theory-affine.md, section 7, Theorem 14.  Of the elements
   of a gate all but the first to be computed wait for it: of each a path of reads begins before the first element, on one side of it or on
   the other.  One path for each element, computed throughout. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes Game Trace Count Segment Rooted OneShot Forks Affine Words CompulsoryCertificate Walks GatesCertificate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Local Notation nat_ := N.to_nat.

Record fork := Fork {
  f_array : nat; f_roles : seq (option form);  (* of each index the form of the keys, or any value *)
  f_kinds : seq N; f_held : seq form;          (* keys of the gates: in a box, where these hold *)
  f_keys : seq form; f_where : seq form;       (* of an element the keys; the elements that count *)
  f_first : seq form;                          (* at each of the keys there is this one *)
  f_sides : seq (seq nat * walk);              (* of each side the accesses of its paths; where they begin something is read *)
  f_serves : walk;                             (* from another element of the gate to where the path of a side begins *)
  f_backs : seq (nat * seq form);              (* of arrays on paths: the loops of the path's last element *)
  f_beside : bool }.

(* what accesses read one after another *)
Section Nodes.
Variables (tx : text) (ds : seq N).
Fixpoint path_nodes cs b (hs : seq form) (ks : seq nat) : option (seq (nat * seq form)) :=
  match ks with
  | [::] => Some [::]
  | k :: ks' => if reads_one tx ds cs b hs k [::] is Some (b', gs) then omap (cons (b', gs)) (path_nodes cs b' gs ks') else None
  end.
Definition not_put_out cs (n : nat * seq form) : bool :=
  all (fun o => (o.1 != n.1) || has (fun c => implies ds cs (less never (subst c n.2))) o.2) (outputs tx).
(* the last of a path for which something is so, of which it is not so of the end, and who reads it *)
Variable no : no_circle tx.
Notation G := (computation no).
Lemma not_put_out_ok cs n z (v : G) : not_put_out cs n -> inside z (map nat_ ds) -> holds cs (ints z) -> is_at v n.1 (at_point n.2 (ints z)) ->
  ~~ put_out tx (ssval v).
Proof.
move=> outs zin zc [vb vx]; apply/negP => /(has_nthP (0, [::]))[o ol /andP[/eqP oE oh]]; move: outs => /(all_nthP (0, [::]))/(_ o ol).
rewrite -vb oE eqxx /= => /(has_nthP never)[c cl im]; have := implies_ok im zin zc; move: oh => /(all_nthP never)/(_ c cl)/Z.leb_le.
by rewrite vx value_less value_never value_subst -/(at_point _ _); move: (value _ _) => h; clear; lia.
Qed.
Lemma crossing (P : pred G) cs b hs ks l z (u : G) : path_nodes cs b hs ks = Some l -> inside z (map nat_ ds) -> holds cs (ints z) ->
  is_at u b (at_point hs (ints z)) -> ~~ P u -> (forall w, is_at w (last (b, hs) l).1 (at_point (last (b, hs) l).2 (ints z)) -> P w) ->
  exists j v w, [/\ j < size l, is_at v (nth (0, [::]) l j).1 (at_point (nth (0, [::]) l j).2 (ints z)), P v & [/\ ~~ P w, @edge G v w & connect (@edge G) w u]].
Proof.
move=> + zin zc; elim: ks b hs l u => [|k ks IH] b hs l u /=.
  by case=> <- uat nP H; have := H u uat; rewrite (negPf nP).
case E: reads_one => [[b' gs]|] //; case N: path_nodes => [l'|] //= [<-] uat nP H.
have [v vat ed] := reads_one_ok E zin zc uat; case: (boolP (P v)) => Pv.
  by exists 0, v, u; split=> //; split=> //; exact: connect0.
have [|j [v' [w' [jl v'at Pv' [nPw e' co]]]]] := IH b' gs l' v N vat Pv; first by case: (l') H.
by exists j.+1, v', w'; split=> //; split=> //; exact: connect_trans co (connect1 ed).
Qed.
End Nodes.

Section Check.
Variables (tx : text) (lives : seq (option region)) (f : fork).
Notation ext := (extents tx).
Notation a := (f_array f).
Notation ds := (ext (f_array f)).
Notation r := (f_where f).
Notation nodes := (path_nodes tx ds).
Definition node_ok (n : nat * seq form) : bool :=
  [&& all (short (size ds)) n.2, all2 (same ds r) (composed (find_at [::] (f_backs f) n.1) n.2) (variables (size ds)),
      not_put_out tx ds r n & ~~ f_beside f || (n.1 != a)].
Definition side_ok (side : seq nat * walk) : bool :=
  if nodes r a (variables (size ds)) side.1 is Some l then
    [&& ~~ nilp l, all node_ok l & let n := last (a, [::]) l in reads_some tx ds r n.1 n.2 side.2]
  else false.
Definition is_start cs (box_ : seq N) b gs (side : seq nat * walk) : bool :=
  if nodes r a (variables (size ds)) side.1 is Some l then let n := last (a, [::]) l in (n.1 == b) && all2 (same box_ cs) gs n.2 else false.
Definition pair_box : seq N := ds ++ anys (f_roles f) ds.
Definition other : seq form := pattern (f_roles f) (f_keys f) (size ds).
(* what is known of an element, and of another of its gate *)
Definition known : seq form := r ++ (if pieces tx a is [:: q] then asked pair_box (composed q other) else [::]).
Definition fork_ok : bool :=
  [&& [&& there_alive tx lives a r,
          all (short (size ds)) r & all (short (size ds)) (f_keys f)],
      [&& within ds r (f_keys f) (f_kinds f), all (fun c => implies ds r (subst c (f_keys f))) (f_held f) &
          all2 (fun rl v => if rl is Some h then same ds r v (subst h (f_keys f)) else true) (f_roles f) (variables (size ds))],
      [&& within (f_kinds f) (f_held f) (f_first f) ds, all (fun c => implies (f_kinds f) (f_held f) (subst c (f_first f))) r &
          all2 (same (f_kinds f) (f_held f)) (composed (f_keys f) (f_first f)) (variables (size (f_kinds f)))],
      all side_ok (f_sides f) & goes tx pair_box known a other (f_serves f) (fun cs b gs => has (is_start cs pair_box b gs) (f_sides f))].
Open Scope N_scope.
Definition waiting : N := points ds r.
Definition gates_of_fork : N := points (f_kinds f) (f_held f).
Definition fork_value (M : N) : N := 2 * (waiting - (1 + (M - if f_beside f then 1 else 0)) * gates_of_fork).
End Check.
Definition gates_once_check (M : N) (tx : text) (e : ends) (f : fork) (B : N) : bool :=
  [&& ends_ok tx e, fork_ok tx (leading e) f & (B <=? ends_in tx e + fork_value tx f M + ends_out_of tx e)%num].

Section Sound.
Variables (tx : text) (no : no_circle tx) (e : ends) (f : fork).
Notation G := (computation no).
Notation ext := (extents tx).
Notation a := (f_array f).
Notation ds := (ext (f_array f)).
Notation r := (f_where f).
Hypotheses (eok : ends_ok tx e) (fok : fork_ok tx (leading e) f).

Lemma at_unique (u v : G) b x : is_at u b x -> is_at v b x -> u = v.
Proof.
case=> ub ux [vb vx]; apply/val_inj; rewrite /= [ssval u]surjective_pairing [ssval v]surjective_pairing ub vb; congr pair.
by apply: ints_inj; rewrite ux vx.
Qed.
Definition listed : seq (seq nat) := [seq x <- box (size_of tx a) | holds r (ints x)].
Lemma listed_in x : x \in listed -> inside x (size_of tx a) /\ holds r (ints x).
Proof. by rewrite mem_filter mem_box => /andP[h xin]. Qed.
Lemma listed_user x : x \in listed -> exists2 v : G, ssval v = (a, x) & live v.
Proof.
move=> /listed_in[xin xh]; have lw : lives_well tx (leading e) by case/and5P: eok.
by case/and5P: fok => /and3P[ta _ _] _ _ _ _; exact: there_aliveP lw ta xin xh.
Qed.
Definition key (x : seq nat) : seq nat := map Z.to_nat (at_point (f_keys f) (ints x)).
Lemma key_at x : x \in listed -> [/\ at_point (f_keys f) (ints x) = ints (key x), inside (key x) (map nat_ (f_kinds f)) & holds (f_held f) (ints (key x))].
Proof.
move=> /listed_in[xin xh]; case/and5P: fok => _ /and3P[wi al _] _ _ _; have [q + qin] := within_ok wi xin xh.
rewrite -/(at_point _ _) => E; have kE : key x = q by rewrite /key E to_nats.
by rewrite kE; split=> //; rewrite -E; exact: holds_at al xin xh.
Qed.
Definition in_gate_of (y : seq nat) (v : G) : bool := ((ssval v).1 == a) && told (f_roles f) (ints y) (ints (ssval v).2).
Lemma listed_gate x (v : G) : x \in listed -> ssval v = (a, x) -> in_gate_of (key x) v.
Proof.
move=> xl vE; have [xin xh] := listed_in xl; have [kE _ _] := key_at xl; rewrite /in_gate_of vE eqxx /=.
case/and5P: fok => _ /and3P[_ _ al] _ _ _; have xs : size x = size ds by rewrite (inside_size xin) size_map.
have sr : size (variables (size ds)) = size (f_roles f) by move: al; rewrite all2E => /andP[/eqP -> _].
rewrite /told size_map xs -sr size_map size_iota eqxx /= -{1}(at_variables xs) -kE.
elim: (f_roles f) (variables _) al {sr} => [|[h|] rs IH] [|g gs] //=; last exact: IH.
by case/andP=> E /IH ->; rewrite andbT; apply/Z.eqb_eq; rewrite (same_ok E xin xh) value_subst.
Qed.
(* from any element of its gate down to where a path of x begins *)
Lemma serves x (g : G) : x \in listed -> in_gate_of (key x) g -> exists side l (w : G), [/\ side_ok tx f side,
  path_nodes tx ds r a (variables (size ds)) side.1 = Some l, is_at w (last (a, [::]) l).1 (at_point (last (a, [::]) l).2 (ints x)) & connect (@edge G) w g].
Proof.
move=> xl /andP[/eqP ga tg]; have [xin xh] := listed_in xl; have xs : size x = size ds by rewrite (inside_size xin) size_map.
case/and5P: fok => /and3P[_ sr sk] _ _ sides sv; have [_ gin _] := vertex g; rewrite ga in gin.
have [kE _ _] := key_at xl; set z := x ++ anys (f_roles f) (ssval g).2.
have zin : inside z (map nat_ (pair_box tx f)).
  rewrite /z map_cat inside_cat size_map -xs take_size_cat // drop_size_cat // -/(size_of tx a) xin; exact: anys_inside.
have gat : is_at g a (at_point (other tx f) (ints z)).
  by rewrite /is_at ga /other -xs; split=> //; apply/esym; apply: pattern_at tg => y; rewrite (at_short _ sk xs).
have zh : holds (known tx f) (ints z).
  rewrite holds_cat (holds_short _ sr xs) xh /=; have [_ _ pc] := vertex g; rewrite ga in pc.
  case: (pieces tx a) pc => [|q [|q' l]] //; rewrite has_seq1 => hq; apply: holds_asked; rewrite holds_composed.
  by have [_ <-] := gat.
have [b [gs [cs [w [wb wx] [csz hs co]]]]] := goes_ok sv zin zh gat.
have [side st so] := has_all hs sides.
have so' := so; rewrite /side_ok in so'; rewrite /is_start in st.
case E: (path_nodes tx ds r a (variables (size ds)) side.1) so' st => [l|] // so' /andP[/eqP nb sm]; case/and3P: so' => l0 al _.
exists side, l, w; split=> //; split; first by rewrite nb.
rewrite wx (same_at sm zin csz).
have sn : all (short (size ds)) (last (a, [::]) l).2.
  by case: l al l0 {E sm nb} => //= n l /andP[n1 al] _; elim: l n n1 al => //= [n /and4P[] //|n' l IH n _ /andP[n1' al]]; apply: IH.
by rewrite (at_short _ sn xs).
Qed.

Section Play.
Variables (game : rules) (M : nat) (s : seq (move G)).
Hypotheses (ok : legal game M s) (once : one_shot s).
Definition keys_list : seq (seq nat) := [seq y <- box (map nat_ (f_kinds f)) | holds (f_held f) (ints y)].
Notation C := (seq_sub keys_list).
Lemma first_at (c : C) : exists2 x, x \in listed & key x = ssval c.
Proof.
have := ssvalP c; rewrite mem_filter mem_box => /andP[ch cin]; case/and5P: fok => _ _ /and3P[wi al sm] _ _.
have [x + xin] := within_ok wi cin ch; rewrite -/(at_point _ _) => xE; exists x.
  by rewrite mem_filter mem_box xin andbT -xE; exact: holds_at al cin ch.
have := same_at sm cin ch; rewrite at_composed xE at_variables; last by rewrite (inside_size cin) size_map.
by rewrite /key => ->; rewrite to_nats.
Qed.
Lemma made_below x (v : G) : x \in listed -> ssval v = (a, x) -> v \notin input G.
Proof.
move=> xl vE; have [side [l [w [so nE _ _]]]] := serves xl (listed_gate xl vE); have [xin xh] := listed_in xl.
have vat : is_at v a (at_point (variables (size ds)) (ints x)) by rewrite /is_at vE at_variables // (inside_size xin) size_map.
move: so; rewrite /side_ok nE => /and3P[l0 _ _]; case: (side.1) nE l0 => [|k ks] /=; first by case=> <-.
case E: reads_one => [[b' gs]|] // _ _; have [w' _ ed] := reads_one_ok E xin xh vat; exact: reader_noninput ed.
Qed.
Lemma gate_time (c : C) : exists g i, [/\ in_gate_of (ssval c) g, computes s i g & forall h j, in_gate_of (ssval c) h -> computes s j h -> i <= j].
Proof.
have [x xl kE] := first_at c; have [v vE lv] := listed_user xl.
have vA : v \in [set g | in_gate_of (ssval c) g] by rewrite inE -kE; exact: listed_gate xl vE.
have [g [i [gA ci mn]]] := first_computed ok (A := fun _ : C => [set g | in_gate_of (ssval c) g]) (c := c) vA lv (made_below xl vE).
exists g, i; split=> //; [by rewrite inE in gA | by move=> h j hA; apply: mn; rewrite inE].
Qed.
Definition gate_of (c : C) : nat * G -> Prop := fun p =>
  [/\ in_gate_of (ssval c) p.2, computes s p.1 p.2 & forall h j, in_gate_of (ssval c) h -> computes s j h -> p.1 <= j].
Lemma gates_exist : exists p : C -> nat * G, forall c, gate_of c (p c).
Proof.
have all_ c : exists t : 'I_(size s), exists g, gate_of c (t : nat, g).
  by have [g [i [gA ci mn]]] := gate_time c; exists (Ordinal (computes_size ci)), g.
have [t tP] := fin_all_exists all_; have [g gP] := fin_all_exists tP.
by exists (fun c => (t c : nat, g c)).
Qed.

Section Gates.
Variable p : C -> nat * G.
Hypothesis pP : forall c, gate_of c (p c).
(* v is on a path of x, and crosses *)
Definition crosses (c : C) (x : seq nat) (v : G) : Prop :=
  [/\ exists i w j, [/\ computes s i v, i < (p c).1.+1, edge v w, computes s j w & (p c).1.+1 <= j],
      ~~ put_out tx (ssval v), ~~ f_beside f || ((ssval v).1 != a) &
      at_point (find_at [::] (f_backs f) (ssval v).1) (ints (ssval v).2) = ints x].
Lemma waits_cross (c : C) x (z : G) : x \in listed -> key x = ssval c -> ssval z = (a, x) -> live z -> z != (p c).2 -> exists v, crosses c x v.
Proof.
move=> xl kE zE lz ne; have [gA ce mn] := pP c; have [xin xh] := listed_in xl.
have [i ci] := live_computed ok lz (made_below xl zE).
have late : (p c).1 < i.
  rewrite ltn_neqAle; apply/andP; split; last by apply: (mn z) ci; rewrite -kE; exact: listed_gate xl zE.
  by apply: contra ne => /eqP E; rewrite -E in ci; apply/eqP; exact: (computes_inj ci ce).
have zat : is_at z a (at_point (variables (size ds)) (ints x)) by rewrite /is_at zE at_variables // (inside_size xin) size_map.
have [side [l [w [so nE wat co]]]] := serves xl (g := (p c).2) (etrans (congr1 (in_gate_of^~ _) kE) gA).
move: so; rewrite /side_ok nE => /and3P[l0 al rs].
have wI : w \notin input G by apply: (reads_some_ok rs xin xh wat).
have Pw : computed_by s (p c).1 w := ancestor_by ok co ce wI.
have nz : ~~ computed_by s (p c).1 z.
  by apply/negP => /computed_byP[j jp cj]; have := once ci cj; move: late jp; clear; lia.
have lastE : last (a, variables (size ds)) l = last (a, [::]) l by case: (l) l0.
have [|j [v [w' [jl vat Pv [nPw ed cw]]]]] := crossing nE xin xh zat nz.
  by rewrite lastE => w' w'at; rewrite (at_unique w'at wat).
have nk : node_ok tx f (nth (0, [::]) l j) by move/(all_nthP (0, [::])): al; apply.
have [vb vx] := vat; case/and4P: nk => _ bk no_out bs.
have out_ := not_put_out_ok no_out xin xh vat; exists v; split; rewrite ?vb //.
  have /computed_byP[i' i'p ci'] := Pv; have w'I := reader_noninput ed.
  have [j' c'] : exists j', computes s j' w'.
    have [E|[q qi wR]] := computed_ancestor ok cw ci; first by exists i; rewrite E.
    by have [q' _ cq] := red_computed ok w'I wR; exists q'.
  exists i', w', j'; split=> //; rewrite ltnNge; apply/negP => le; case/negP: nPw; apply/computed_byP; by exists j'.
by rewrite vx; have := same_at bk xin xh; rewrite at_composed at_variables // (inside_size xin) size_map.
Qed.
Definition counts (c : C) (x : seq nat) : bool := (key x == ssval c) && ((a, x) != ssval (p c).2).
Lemma choice : exists pk : C * 'I_(size listed) -> option G, forall ci : C * 'I_(size listed), counts ci.1 (nth [::] listed ci.2) ->
  exists2 v, pk ci = Some v & crosses ci.1 (nth [::] listed ci.2) v.
Proof.
have one (ci : C * 'I_(size listed)) : exists o : option G, counts ci.1 (nth [::] listed ci.2) -> exists2 v, o = Some v & crosses ci.1 (nth [::] listed ci.2) v.
  case: (boolP (counts _ _)) => [/andP[/eqP kE ne]|_]; last by exists None.
  have xl : nth [::] listed (ci.2 : nat) \in listed by apply: mem_nth.
  have [z zE lz] := listed_user xl; have [|v vc] := waits_cross xl kE zE lz; last by exists (Some v) => _; exists v.
  by apply: contra ne => /eqP <-; rewrite zE.
exact: fin_all_exists one.
Qed.
Section Chosen.
Variable pk : C * 'I_(size listed) -> option G.
Hypothesis pkP : forall ci : C * 'I_(size listed), counts ci.1 (nth [::] listed ci.2) -> exists2 v, pk ci = Some v & crosses ci.1 (nth [::] listed ci.2) v.
Definition V (c : C) : {set G} := [set v | [exists i : 'I_(size listed), counts c (nth [::] listed i) && (pk (c, i) == Some v)]].
Lemma V_crosses c v : v \in V c -> exists i : 'I_(size listed), [/\ counts c (nth [::] listed i), pk (c, i) = Some v & crosses c (nth [::] listed i) v].
Proof.
rewrite inE => /existsP[i /andP[cn /eqP pE]]; have [v' pE' cr] := pkP (ci := (c, i)) cn.
move: pE'; rewrite pE => -[E]; exists i; split=> //; rewrite E; exact: cr.
Qed.
Lemma all_wait : waits s (fun c => (p c).1.+1) V (f_beside f).
Proof.
split.
- by move=> c v /V_crosses[i [_ _ [h _ _ _]]]; exact: h.
- move=> c v /V_crosses[i [_ _ [_ no_out _ _]]]; by rewrite inE.
- move=> c c' v /V_crosses[i [/andP[/eqP k1 _] _ [_ _ _ b1]]] /V_crosses[i' [/andP[/eqP k2 _] _ [_ _ _ b2]]].
  by apply/val_inj; rewrite /= -k1 -k2; congr key; apply: ints_inj; rewrite -b1 -b2.
move=> be c; have [gA ce _] := pP c; exists (p c).2.
  by rewrite posS; move: ce; rewrite /computes; case: (mv s _) => [[y|y|y|y y'|y|y]|] //= /eqP <-; rewrite !inE eqxx.
apply/negP => /V_crosses[i [_ _ [_ _ + _]]]; rewrite be /= => /eqP; apply; by case/andP: gA => /eqP.
Qed.
Lemma V_card c : count (fun x => key x == ssval c) listed <= #|V c| + 1.
Proof.
pose l := [seq x <- listed | counts c x]; have le : count (fun x => key x == ssval c) listed <= size l + 1.
  rewrite /l size_filter; have -> : count (fun x => key x == ssval c) listed =
      count (counts c) listed + count (fun x => (key x == ssval c) && ((a, x) == ssval (p c).2)) listed.
    rewrite -count_predUI [X in _ + X](_ : _ = 0) ?addn0; last first.
      by apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasPn => x _ /=; rewrite /counts; case: (key x == _); case: (_ == _).
    by apply: eq_count => x /=; rewrite /counts; case: (key x == _); case: (_ == _).
  rewrite leq_add2l; apply: leq_trans (_ : count (pred1 (ssval (p c).2).2) listed <= 1).
    by apply: sub_count => x /andP[_ /eqP E]; rewrite /= -E.
  by rewrite count_uniq_mem ?leq_b1 // filter_uniq ?box_uniq.
apply: leq_trans le _; rewrite leq_add2r.
have ul : uniq l by rewrite !filter_uniq ?box_uniq.
pose back (v : G) := find_at [::] (f_backs f) (ssval v).1.
rewrite -(size_map ints) cardE -(size_map (fun v : G => at_point (back v) (ints (ssval v).2))).
suff H : forall x, x \in l -> exists2 v, v \in V c & at_point (back v) (ints (ssval v).2) = ints x.
  have pick_ x : x \in l -> {v : G | (v \in V c) && (map Z.to_nat (at_point (back v) (ints (ssval v).2)) == x)}.
    move=> xl; case: (pickP (fun v : G => (v \in V c) && (map Z.to_nat (at_point (back v) (ints (ssval v).2)) == x))) => [v vP|no_]; first by exists v.
    by exfalso; have [v vV E] := H x xl; have := no_ v; rewrite vV E to_nats eqxx.
  rewrite !size_map; apply: (@leq_trans (size [seq map Z.to_nat (at_point (back v) (ints (ssval v).2)) | v <- enum (V c)])); last by rewrite size_map.
  apply: uniq_leq_size => // x xl; have [v /andP[vV /eqP vE]] := pick_ x xl; apply/mapP; exists v; rewrite ?mem_enum //.
move=> x; rewrite mem_filter => /andP[cn xl]; have il : seq.index x listed < size listed by rewrite index_mem.
have cn' : counts c (nth [::] listed (Ordinal il)) by rewrite /= nth_index.
have [v pE [_ _ _ bk]] := pkP (ci := (c, Ordinal il)) cn'; exists v; last by rewrite /back bk /= nth_index.
by rewrite inE; apply/existsP; exists (Ordinal il); rewrite cn' pE eqxx.
Qed.
Lemma wait_sum : waiting tx f = N.of_nat (size listed).
Proof. by apply/N2Nat.inj; rewrite Nat2N.id /waiting pointsE. Qed.
Lemma listed_split : size listed <= \sum_(c : C) count (fun x => key x == ssval c) listed.
Proof.
suff H l : all (mem listed) l -> size l <= \sum_(c : C) count (fun x => key x == ssval c) l by apply: H; apply/allP.
elim: l => //= x l IH /andP[xl /IH{}IH].
have kin : key x \in keys_list by have [_ kin kh] := key_at xl; rewrite mem_filter mem_box kin kh.
rewrite big_split /= -add1n leq_add //; rewrite (bigD1 (SeqSub kin)) //= eqxx; exact: leq_addr.
Qed.
End Chosen.
End Gates.

Lemma fork_bound : nat_ (fork_value tx f (N.of_nat M)) + #|needed G| + #|output G :\: input G| <= cost s.
Proof.
have [p pP] := gates_exist; have [pk pkP] := choice pP; have := forks_bound ok once (all_wait pP pkP).
set sum := \sum_c _; suff le : nat_ (fork_value tx f (N.of_nat M)) <= 2 * sum.
  by move: le; move: (nat_ _) sum #|needed G| #|_ :\: _| (cost s) => v w a' b c; clear; lia.
set m := M - f_beside f; have -> : nat_ (fork_value tx f (N.of_nat M)) = 2 * (size listed - (1 + m) * nat_ (gates_of_fork f)).
  rewrite /fork_value wait_sum N2Nat.inj_mul N2Nat.inj_sub N2Nat.inj_mul N2Nat.inj_add N2Nat.inj_sub !Nat2N.id /m; by case: (f_beside f).
rewrite leq_mul2l /=; apply: (@leq_trans (\sum_(c : C) (count (fun x => key x == ssval c) listed - (1 + m)))); last first.
  by apply: leq_sum => c _; have := V_card pkP c; rewrite /m; move: (count _ _) #|V _ _ c| (M - _) => x y z; clear; lia.
have kE : nat_ (gates_of_fork f) = #|[finType of C]|.
  by rewrite card_seq_sub ?filter_uniq ?box_uniq // /gates_of_fork pointsE.
rewrite kE leq_subLR; apply: leq_trans listed_split _; rewrite -[X in (1 + m) * X]sum1_card big_distrr /= -big_split /=.
by apply: leq_sum => c _; rewrite muln1 -leq_subLR.
Qed.
End Play.
End Sound.

Theorem gates_once_certificate game M tx e f B : gates_once_check M tx e f B ->
  forall (no : no_circle tx) (s : seq (move (computation no))), legal game (nat_ M) s -> one_shot s -> (B <= N.of_nat (cost s))%num.
Proof.
case/and3P=> eok fok /N.leb_le le no s ok once; apply: N.le_trans le _; have [i o] := ends_count no eok.
have := fork_bound eok fok ok once; rewrite N2Nat.id; move: i o.
move: #|needed _| #|_ :\: _| (cost s) (ends_in _ _) (ends_out_of _ _) (fork_value _ _ _) => p q c a b g; clear; lia.
Qed.
