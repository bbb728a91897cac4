(* Certificates of paths that wait, for any affine text, when nothing is computed twice: docs/theory-affine.md, section 7, Theorem 14 and
   Turns.  Each path begins before its gate and ends behind it; two that share an element are of gates whose moments differ, and not by a
   multiple of the lag, so that the gates of one rest count together. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Boxes Game Trace Count Segment Rooted OneShot Forks Affine Words CompulsoryCertificate Walks ForksCertificate GatesCertificate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Local Notation nat_ := N.to_nat.

Record wait := Wait {
  w_gate : family;                (* the gate, which has no uses *)
  w_end : use;                    (* the last elements of paths, in one part: `up` leads to the gate, `begun` from it to the path's first *)
  w_path : seq nat;               (* the accesses along a path, from its end *)
  w_begins : walk;                (* its first element reads something *)
  w_backs : seq (seq form) }.     (* of each element of a path, but for the last, the last one's loops *)
Record waits_claim := WaitsClaim { wc_lag : nat; wc_beside : bool; wc_waits : seq wait }.
Definition no_wait := Wait no_family no_use [::] Nowhere [::].

Section Check.
Variables (tx : text) (lives : seq (option region)) (wc : waits_claim).
Notation ext := (extents tx).
Section One.
Variable w : wait.
Definition end_at : nat := u_array (w_end w).
Definition the_part : part := nth no_part (u_parts (w_end w)) 0.
Notation a := end_at.
Notation ds := (ext end_at).
Notation r := (p_where the_part).
Notation f := (w_gate w).
Notation vs := (variables (size (ext end_at))).
Definition its_nodes : option (seq (nat * seq form)) := path_nodes tx ds r a vs (w_path w).
Definition node_ok (n : nat * seq form) (back : seq form) : bool :=
  [&& all2 (same ds r) (composed back n.2) vs, not_put_out tx ds r n & n.1 != g_array f].
Definition path_ok : bool := if its_nodes is Some l then
    [&& ~~ nilp l, all2 node_ok l (w_backs w), all (short (size ds)) (last (a, [::]) l).2 & reads_some tx ds r (last (a, [::]) l).1 (last (a, [::]) l).2 (w_begins w)]
  else false.
Definition is_first (b : nat) gs cs : bool := if its_nodes is Some l then let n := last (a, [::]) l in
  (n.1 == b) && all2 (same (gates_box tx a f) cs) gs n.2 else false.
Definition wait_ok : bool :=
  [&& [&& there_alive tx lives a r,
          all (short (size ds)) r & all (short (size ds)) (rcons (u_kind (w_end w)) (u_time (w_end w)))],
      within ds r (keys_at (w_end w) 0) (key_box f) && all (fun c => implies ds r (subst c (keys_at (w_end w) 0))) (g_held f),
      path_ok && made_ok tx f,
      goes tx ds r a vs (p_up the_part) (fun cs b gs => (b == g_array f) && in_gate ds cs f (keys_at (w_end w) 0) gs) &
      goes tx (gates_box tx a f) (known_now tx (w_end w) the_part f) (g_array f) (gate_at tx (w_end w) f 0) (p_begun the_part)
        (fun cs b gs => is_first b gs cs) && (~~ wc_beside wc || (a != g_array f))].
Definition node_of (n : nat) : nat := (nth (0, [::]) (odflt [::] its_nodes) n).1.
Definition turn_of (n : nat) : form := subst (u_time (w_end w)) (nth [::] (w_backs w) n).
End One.
(* elements of two places are different, or their gates do not count together *)
Definition differs (q b b' : nat) (t t' : form) : bool :=
  (b != b') || let d := less t t' in all (fun c => c =? 0)%Z d.2 && ~~ (d.1 mod Z.of_nat q =? 0)%Z.
Definition waiting_at (j : nat) : wait := nth no_wait (wc_waits wc) j.
Definition apart : bool := let js := iota 0 (size (wc_waits wc)) in let places j := iota 0 (size (w_path (waiting_at j))) in
  all (fun j => all (fun j' => all (fun n => all (fun n' => ((j == j') && (n == n')) ||
    differs (wc_lag wc) (node_of (waiting_at j) n) (node_of (waiting_at j') n') (turn_of (waiting_at j) n) (turn_of (waiting_at j') n'))
    (places j')) (places j)) js) js.
Definition waits_ok : bool := [&& 0 < wc_lag wc, all wait_ok (wc_waits wc) & apart].
Open Scope N_scope.
Definition waiting (w : wait) : N := points (ext (end_at w)) (p_where (the_part w)).
Definition waits_sum (M : N) : N :=
  sumN [seq waiting w - (M - if wc_beside wc then 1 else 0) * gates_in (w_gate w) | w <- wc_waits wc].
Definition waits_value (M : N) : N := share_of (2 * waits_sum M) (wc_lag wc).
End Check.
Definition waits_once_check (M : N) (tx : text) (e : ends) (wc : waits_claim) (B : N) : bool :=
  [&& ends_ok tx e, waits_ok tx (leading e) wc & (B <=? ends_in tx e + waits_value tx wc M + ends_out_of tx e)%num].

Section Sound.
Variables (tx : text) (no : no_circle tx) (e : ends) (wc : waits_claim).
Notation G := (computation no).
Notation ext := (extents tx).
Hypotheses (eok : ends_ok tx e) (wok : waits_ok tx (leading e) wc).
Notation wait_ok := (wait_ok tx (leading e) wc).

Section One.
Variable w : wait.
Hypothesis ok1 : wait_ok w.
Notation a := (end_at w).
Notation ds := (ext (end_at w)).
Notation u := (w_end w).
Notation p := (the_part w).
Notation r := (p_where (the_part w)).
Notation f := (w_gate w).
Definition paths : seq (seq nat) := [seq x <- box (size_of tx a) | holds r (ints x)].
Lemma paths_in x : x \in paths -> inside x (size_of tx a) /\ holds r (ints x).
Proof. by rewrite mem_filter mem_box => /andP[h xin]. Qed.
Lemma path_end x : x \in paths -> exists2 v : G, ssval v = (a, x) & live v.
Proof.
move=> /paths_in[xin xh]; have lw : lives_well tx (leading e) by case/and5P: eok.
by case/and5P: ok1 => /and3P[ta _ _] _ _ _ _; exact: there_aliveP lw ta xin xh.
Qed.
Section Path.
Variable x : seq nat.
Hypothesis xl : x \in paths.
Lemma x_in : inside x (size_of tx a). Proof. by have [] := paths_in xl. Qed.
Lemma x_holds : holds r (ints x). Proof. by have [] := paths_in xl. Qed.
Lemma x_size : size x = size ds. Proof. by rewrite (inside_size x_in) size_map. Qed.
Lemma keys_now : at_point (keys_at u 0) (ints x) = ints (key u 0 x) /\ inside (key u 0 x) (map nat_ (key_box f)).
Proof.
case/and5P: ok1 => _ /andP[wi _] _ _ _; have [q + qin] := within_ok wi x_in x_holds.
rewrite -/(at_point _ _) /keys_at at_rcons value_later Z.add_0_r /key addn0; case/lastP: q qin => [|q t] qin.
  by move=> E; have := congr1 size E; rewrite size_rcons.
rewrite ints_rcons => /rcons_inj[E Et]; have -> : kind u x = q by rewrite /kind E to_nats.
by have -> : time u x = t; rewrite ?E ?Et ?ints_rcons // /time Et Nat2Z.id.
Qed.
Lemma turn_at : value (u_time u) (ints x) = Z.of_nat (time u x).
Proof. by have [+ _] := keys_now; rewrite /keys_at at_rcons value_later Z.add_0_r /key ints_rcons addn0 => /rcons_inj[]. Qed.
Lemma keys_held : holds (g_held f) (ints (key u 0 x)).
Proof. by have [<- _] := keys_now; case/and5P: ok1 => _ /andP[_ al] _ _ _; exact: holds_at al x_in x_holds. Qed.
Lemma keys_cat y : at_point (keys_at u 0) (ints (x ++ y)) = ints (key u 0 x).
Proof.
have [E _] := keys_now; move: E; rewrite /keys_at !at_rcons !value_later !Z.add_0_r /key !ints_rcons addn0 => /rcons_inj[E Et].
case/and5P: ok1 => /and3P[_ _ sh] _ _ _ _; move: sh; rewrite all_rcons => /andP[st sk].
rewrite (at_short y sk x_size) E; congr rcons; have := at_short y (fs := [:: u_time u]) _ x_size.
by rewrite /= st => /(_ isT)[->].
Qed.
Lemma end_is (v : G) : ssval v = (a, x) -> is_at v a (at_point (variables (size ds)) (ints x)).
Proof. by move=> vE; rewrite /is_at vE at_variables // x_size. Qed.
Lemma gate_behind (v : G) : ssval v = (a, x) -> exists2 g : G, is_gate f (key u 0 x) g & connect (@edge G) g v.
Proof.
move=> vE; case/and5P: ok1 => _ _ _ up _.
have [b [gs [cs [g [gb gx] [csx /andP[/eqP bE /and3P[/eqP sg al wh]] co]]]]] := goes_ok up x_in x_holds (end_is vE).
exists g => //; rewrite /is_gate gb bE eqxx gx /=; apply/andP; split; last exact: holds_at wh x_in csx.
have [kE _] := keys_now; rewrite /told size_map sg eqxx /= -kE.
elim: (g_roles f) gs al {sg gx wh} => [|[h|] rs IH] [|g' gs] //=; last exact: IH.
by case/andP=> E /IH ->; rewrite andbT; apply/Z.eqb_eq; rewrite (same_ok E x_in csx) value_subst.
Qed.
Lemma gate_computed g : is_gate f (key u 0 x) g -> (g : G) \notin input G.
Proof. by have [_ kin] := keys_now; case/and5P: ok1 => _ _ /andP[_ mok] _ _; apply: (gate_made mok kin keys_held). Qed.
Lemma nodes_there : exists l, [/\ its_nodes tx w = Some l, 0 < size l, all2 (node_ok tx w) l (w_backs w) &
  all (short (size ds)) (last (a, [::]) l).2 /\ reads_some tx ds r (last (a, [::]) l).1 (last (a, [::]) l).2 (w_begins w)].
Proof.
case/and5P: ok1 => _ _ /andP[+ _] _ _; rewrite /path_ok; case: its_nodes => [l|] // /and4P[l0 bk sh rs]; exists l.
by split=> //; case: (l) l0.
Qed.
Lemma first_before (g : G) : is_gate f (key u 0 x) g -> exists l (y : G), [/\ its_nodes tx w = Some l,
  is_at y (last (a, [::]) l).1 (at_point (last (a, [::]) l).2 (ints x)), connect (@edge G) y g & y \notin input G].
Proof.
case/and3P=> /eqP ga tg gw; case/and5P: ok1 => /and3P[_ sr _] _ _ _ /andP[dn _].
have [l [lE _ _ [sl rs]]] := nodes_there; have [_ gin _] := vertex g; rewrite ga in gin.
set z := x ++ anys (g_roles f) (ssval g).2.
have zin : inside z (map nat_ (gates_box tx a f)).
  by rewrite /z map_cat inside_cat size_map -x_size take_size_cat // drop_size_cat // -/(size_of tx a) x_in; exact: anys_inside.
have E : at_point (gate_at tx u f 0) (ints z) = ints (ssval g).2.
  by rewrite /gate_at -/a -x_size; apply: pattern_at tg => y; exact: keys_cat.
have zh : holds (known_now tx u p f) (ints z).
  rewrite holds_cat (holds_short _ sr x_size) x_holds; apply: holds_asked; by rewrite holds_composed E gw.
have [|b [gs [cs [y [yb yx] [csx fi co]]]]] := goes_ok dn zin zh (u := g); first by split; rewrite ?ga.
move: fi; rewrite /is_first lE => /andP[/eqP nb sm]; exists l, y.
have yat : is_at y (last (a, [::]) l).1 (at_point (last (a, [::]) l).2 (ints x)).
  by split; [rewrite yb | rewrite yx (same_at sm zin csx) (at_short _ sl x_size)].
by split=> //; exact: reads_some_ok rs x_in x_holds yat.
Qed.
End Path.

Section Play.
Variables (game : rules) (M : nat) (s : seq (move G)).
Hypotheses (ok : legal game M s).
(* the first element of its gate to be computed, and when *)
Definition gate_time (k : seq nat) (t : nat * G) : Prop :=
  [/\ is_gate f k t.2, computes s t.1 t.2 & forall h j, is_gate f k h -> computes s j h -> t.1 <= j].
Lemma gate_first x : x \in paths -> exists t, gate_time (key u 0 x) t.
Proof.
move=> xl; have [v vE /existsP[o /andP[oO vo]]] := path_end xl; have [g gx gv] := gate_behind xl vE.
have lg : live g by apply/existsP; exists o; rewrite oO (connect_trans gv vo).
have gA : g \in [set g | is_gate f (key u 0 x) g] by rewrite inE.
have [g' [i [+ ci mn]]] := first_computed ok (A := fun _ : unit => [set g | is_gate f (key u 0 x) g]) (c := tt) gA lg (gate_computed xl gx).
by rewrite inE => g'x; exists (i, g'); split=> // h j hx; apply: mn; rewrite inE.
Qed.
Definition cut_at (t : nat * G) : nat := t.1 + wc_beside wc.
(* v is element n of the path of x, and crosses *)
Definition crosses (t : nat * G) (x : seq nat) (nv : nat * G) : Prop := let v := nv.2 in
  [/\ exists i z j, [/\ computes s i v, i < cut_at t, edge v z, computes s j z & cut_at t <= j],
      ~~ put_out tx (ssval v), (ssval v).1 != g_array f,
      nv.1 < size (w_path w) /\ (ssval v).1 = node_of tx w nv.1 & at_point (nth [::] (w_backs w) nv.1) (ints (ssval v).2) = ints x].
Lemma nodes_size cs b hs ks l : path_nodes tx ds cs b hs ks = Some l -> size l = size ks.
Proof. by elim: ks b hs l => [|k ks IH] b hs l /=; [case=> <- | case: reads_one => [[b' gs]|] //; case E: path_nodes => [l'|] //= [<-] /=; rewrite (IH _ _ _ E)]. Qed.
Lemma path_crosses x t : x \in paths -> gate_time (key u 0 x) t -> exists nv, crosses t x nv.
Proof.
move=> xl [gA ce mn]; have [z zE lz] := path_end xl; have [g gx gz] := gate_behind xl zE; have gI := gate_computed xl gx.
have [l [y [lE yat yg yI]]] := first_before xl gA; have [l2 [lE2 l0 nk _]] := nodes_there.
have {lE2} El : l2 = l by move: lE2; rewrite lE => -[]. subst l2.
have bs : wc_beside wc -> a != g_array f by case/and5P: ok1 => _ _ _ _ /andP[_]; case: wc_beside.
have ga (v : G) k : is_gate f k v -> (ssval v).1 = g_array f by case/and3P=> /eqP.
pose P (v : G) := [exists i : 'I_(size s), (i < cut_at t) && computes s i v].
have before v i : computes s i v -> ~~ P v -> cut_at t <= i.
  by move=> ci; rewrite leqNgt; apply: contra => lt; apply/existsP; exists (Ordinal (computes_size ci)); rewrite lt.
have sz := nodes_size lE; have nkP n : n < size l -> node_ok tx w (nth (0, [::]) l n) (nth [::] (w_backs w) n).
  move=> nl; move: nk; rewrite all2E => /andP[/eqP sb al]; move/(all_nthP ((0, [::]), [::])): al => /(_ n).
  by rewrite size_zip -sb minnn nth_zip //; apply.
have zP : ~~ P z.
  apply/existsP => -[i /andP[it ci]]; have [gE|[j ji gR]] := computed_ancestor ok gz ci.
    rewrite gE in gx; have le := mn _ _ gx ci; move: it; rewrite /cut_at; case be: (wc_beside wc); last by rewrite addn0 ltnNge le.
    by have := bs be; rewrite -(ga _ _ gx) zE eqxx.
  have [j' j'j cj] := red_computed ok gI gR; have le := mn _ _ gx cj; move: it; rewrite /cut_at; move: le j'j ji; case: (wc_beside wc); clear; lia.
have yP : P y.
  have [yE|[j ji yR]] := computed_ancestor ok yg ce.
    have := nkP (size l).-1; rewrite prednK // => /(_ (leqnn _))/and3P[_ _]; have := ga _ _ gA; rewrite -yE; have [-> _] := yat.
    by rewrite (last_nth (a, [::])) -(prednK l0) /= => E; rewrite (set_nth_default (a, [::])) ?prednK // -E eqxx.
  have [j' j'j cj] := red_computed ok yI yR; apply/existsP; exists (Ordinal (computes_size cj)); rewrite /= cj andbT /cut_at.
  by apply: leq_trans (leq_addr _ _); apply: leq_trans ji.
have lastE : last (a, variables (size ds)) l = last (a, [::]) l by case: (l) l0.
have [|n [v [z' [nl vat Pv [nPz ed co]]]]] := crossing lE (x_in xl) (x_holds xl) (end_is xl zE) zP.
  by rewrite lastE => v vat; rewrite (at_unique vat yat).
have [vb vx] := vat; have /and3P[bk outs nog] := nkP n nl.
exists (n, v); split; rewrite /= ?vb //.
- case/existsP: Pv => i /andP[it ci]; exists i, z'.
  have zI : z \notin input G by have := reader_noninput; case/connectP: gz => q; case/lastP: q => [|q q'] /=; [move=> _ zg; rewrite zg|rewrite last_rcons rcons_path => /andP[_ ed'] -> _; exact: reader_noninput ed'].
  have [iz cz] := live_computed ok lz zI; have z'I := reader_noninput ed.
  have [j c'] : exists j, computes s j z'.
    by have [->|[q qi zR]] := computed_ancestor ok co cz; [exists iz | have [q' _ cq] := red_computed ok z'I zR; exists q'].
  by exists j; split=> //; apply: before c' nPz.
- exact: not_put_out_ok outs (x_in xl) (x_holds xl) vat.
- by rewrite -sz /node_of lE.
by rewrite vx; have := same_at bk (x_in xl) (x_holds xl); rewrite at_composed at_variables ?x_size // => ->.
Qed.
End Play.
End One.

(* ---- all paths, by gates ---- *)
Notation at_ := (waiting_at wc).
Notation many := (size (wc_waits wc)).
Definition end_key (i : elem) : elem := (i.1, key (w_end (at_ i.1)) 0 i.2).
Definition items : seq elem := flatten [seq [seq (j, x) | x <- paths (at_ j)] | j <- iota 0 many].
Definition gates_list : seq elem := undup [seq end_key i | i <- items].
Notation I := (seq_sub items).
Notation C := (seq_sub gates_list).
Lemma item_in (i : elem) : i \in items -> [/\ i.1 < many, i.2 \in paths (at_ i.1) & wait_ok (at_ i.1)].
Proof.
case/flattenP=> _ /mapP[j + ->] /mapP[x xl ->]; rewrite mem_iota => /andP[_ jl]; split=> //.
by case/and3P: wok => _ /(all_nthP no_wait) H _; apply: H.
Qed.
Lemma items_uniq : uniq items.
Proof.
apply: (@CompulsoryCertificate.listed_uniq _ id) => [|j]; first by rewrite map_id iota_uniq.
exact: filter_uniq (box_uniq _).
Qed.
Lemma gate_item (c : C) : exists2 i, i \in items & end_key i = ssval c.
Proof. by have := ssvalP c; rewrite mem_undup => /mapP[i il E]; exists i. Qed.

Section Play.
Variables (game : rules) (M : nat) (s : seq (move G)).
Hypotheses (ok : legal game M s) (once : one_shot s).
Section Chosen.
Variables (t : C -> nat * G) (pk : I -> nat * G).
Hypothesis tP : forall c, gate_time (at_ (ssval c).1) s (ssval c).2 (t c).
Definition its_gate (i : I) : C := SeqSub (etrans (mem_undup _ _) (map_f end_key (ssvalP i))).
Hypothesis pkP : forall i, crosses (at_ (ssval i).1) s (t (its_gate i)) (ssval i).2 (pk i).
Definition moment_of (k : seq nat) : nat := last 0 k.
Lemma moment_key u x : moment_of (key u 0 x) = time u x. Proof. by rewrite /moment_of /key last_rcons addn0. Qed.
(* two paths of one rest have no element in common *)
Lemma dot_zeros (d : seq Z) x : all (fun c => c =? 0)%Z d -> dot d x = 0%Z.
Proof. by elim: d x => //= c d IH [|v x] // /andP[/Z.eqb_eq -> /IH ->]. Qed.
Lemma differs_values q b t1 t2 x v w : differs q b b t1 t2 -> value t1 x = Z.of_nat v -> value t2 x = Z.of_nat w -> v = w %[mod q] -> False.
Proof.
rewrite /differs eqxx => /orP[//|/andP[zero /negP no0]] E1 E2 mE; apply: no0; apply/Z.eqb_eq.
have <- : value (less t1 t2) x = (less t1 t2).1 by rewrite {1}/value dot_zeros // Z.add_0_r.
rewrite value_less E1 E2 (divn_eq v q) (divn_eq w q) mE; move: (v %/ q) (w %/ q) (w %% q) => m n k.
have -> : (Z.of_nat (m * q + k) - Z.of_nat (n * q + k))%Z = ((Z.of_nat m - Z.of_nat n) * Z.of_nat q)%Z.
  by rewrite !Nat2Z.inj_add !Nat2Z.inj_mul; move: (Z.of_nat _) (Z.of_nat _) (Z.of_nat _) (Z.of_nat _) => *; ring.
exact: Z_mod_mult.
Qed.
Lemma turn_found (i : I) : value (turn_of (at_ (ssval i).1) (pk i).1) (ints (ssval (pk i).2).2) = Z.of_nat (moment_of (end_key (ssval i)).2).
Proof.
have [_ _ _ _ bk] := pkP i; have [_ xl ok1] := item_in (ssvalP i).
by rewrite /turn_of value_subst -/(at_point _ _) bk (turn_at ok1 xl) moment_key.
Qed.
Lemma same_item (i i' : I) : (pk i).2 = (pk i').2 -> moment_of (end_key (ssval i)).2 = moment_of (end_key (ssval i')).2 %[mod wc_lag wc] -> i = i'.
Proof.
move=> vE mE; have t1 := turn_found i; have t2 := turn_found i'; rewrite vE in t1.
have [_ _ _ [nl nb] bk] := pkP i; have [_ _ _ [nl' nb'] bk'] := pkP i'.
have [jl _ _] := item_in (ssvalP i); have [jl' _ _] := item_in (ssvalP i').
have io k : k < many -> k \in iota 0 many by rewrite mem_iota.
case/and3P: wok => q0 _ /allP/(_ _ (io _ jl))/allP/(_ _ (io _ jl'))/allP/(_ (pk i).1); rewrite mem_iota => /(_ nl)/allP/(_ (pk i').1).
rewrite mem_iota => /(_ nl')/orP[/andP[/eqP jE /eqP nE]|].
  apply/val_inj => /=; rewrite [ssval i]surjective_pairing [ssval i']surjective_pairing -jE; congr pair.
  by apply: ints_inj; rewrite -bk -bk' vE -nE jE.
by rewrite -nb -nb' vE => /differs_values H; case: (H _ _ _ t1 t2 mE).
Qed.
Section Rest.
Variable rest : nat.
Definition counts (c : C) : bool := moment_of (ssval c).2 %% wc_lag wc == rest.
Definition V (c : C) : {set G} := [set (pk i).2 | i in [set i : I | counts c && (its_gate i == c)]].
Lemma V_in c v : v \in V c -> exists i : I, [/\ counts c, its_gate i = c & v = (pk i).2].
Proof. by case/imsetP=> i; rewrite inE => /andP[cc /eqP ic] ->; exists i. Qed.
Lemma all_wait : waits s (fun c => cut_at (t c)) V (wc_beside wc).
Proof.
split.
- by move=> c v /V_in[i [_ <- ->]]; have [h _ _ _ _] := pkP i.
- move=> c v /V_in[i [_ _ ->]]; have [_ no_out _ _ _] := pkP i; by rewrite inE.
- move=> c c' v /V_in[i [cc ic ->]] /V_in[i' [cc' ic' vE]]; rewrite -ic -ic'; congr its_gate; apply: same_item => //.
  by move: cc cc'; rewrite /counts -ic -ic' /= => /eqP-> /eqP->.
move=> be c; have [gA ce _] := tP c; exists (t c).2.
  by rewrite /cut_at be addn1 posS; move: ce; rewrite /computes; case: (mv s _) => [[y|y|y|y y'|y|y]|] //= /eqP <-; rewrite !inE eqxx.
apply/negP => /V_in[i [_ ic vE]]; have [_ _ nog _ _] := pkP i; move: nog; rewrite -vE; have jE : (ssval i).1 = (ssval c).1 by rewrite -ic.
by case/and3P: gA => /eqP ->; rewrite jE eqxx.
Qed.
Lemma V_many c : counts c -> count (fun i => end_key i == ssval c) items <= #|V c|.
Proof.
move=> cc; rewrite card_in_imset => [|i i']; last first.
  rewrite !inE => /andP[_ /eqP ic] /andP[_ /eqP ic'] vE; apply: same_item => //.
  have E : end_key (ssval i) = end_key (ssval i') by rewrite -[LHS]/(ssval (its_gate i)) -[RHS]/(ssval (its_gate i')) ic ic'.
  by rewrite E.
rewrite -size_filter cardE -(size_map (fun i : I => ssval i)); apply: uniq_leq_size.
  exact: filter_uniq items_uniq.
move=> i; rewrite mem_filter => /andP[/eqP ic il]; apply/mapP; exists (SeqSub il) => //.
by rewrite mem_enum inE cc; apply/eqP/val_inj.
Qed.
End Rest.
(* one rest has its share *)
Definition m_ : nat := M - wc_beside wc.
Definition share (rest : nat) : nat := \sum_(c : C) (#|V rest c| - m_).
Lemma gates_few j : j < many -> size [seq k <- gates_list | k.1 == j] <= nat_ (gates_in (w_gate (at_ j))).
Proof.
move=> jl; rewrite /gates_in pointsE -(size_map snd); apply: uniq_leq_size.
  rewrite map_inj_in_uniq ?filter_uniq ?undup_uniq // => k k'; rewrite !mem_filter => /andP[/eqP k1 _] /andP[/eqP k2 _] E.
  by rewrite [k]surjective_pairing [k']surjective_pairing k1 k2 E.
move=> _ /mapP[k + ->]; rewrite mem_filter mem_undup => /andP[/eqP kj /mapP[i il kE]]; have [_ xl ok1] := item_in il.
rewrite -kj kE /= mem_filter mem_box; have [_ ->] := keys_now ok1 xl; by rewrite (keys_held ok1 xl).
Qed.
Lemma share_all : nat_ (waits_sum tx wc (N.of_nat M)) <= \sum_(q < wc_lag wc) share q.
Proof.
rewrite /share exchange_big /=; have q0 : 0 < wc_lag wc by case/and3P: wok.
pose per (c : elem) := count (fun i => end_key i == c) items - m_.
apply: (@leq_trans (\sum_(c : C) per (ssval c))); last first.
  apply: leq_sum => c _; pose q := Ordinal (ltn_pmod (moment_of (ssval c).2) q0); rewrite (bigD1 q) //=.
  apply: leq_trans (leq_addr _ _); apply: leq_sub2r; apply: V_many; exact: eqxx.
apply: (@leq_trans (\sum_(c <- gates_list) per c)); last first.
  have := @sum_listed _ _ per (fun c : C => ssval c) gates_list (enum [finType of C]) (undup_uniq _); rewrite big_enum; apply=> c cl.
  by apply/mapP; exists (SeqSub cl); rewrite ?mem_enum.
have -> : \sum_(c <- gates_list) per c = \sum_(j < many) \sum_(c <- gates_list | c.1 == j) per c.
  rewrite (exchange_big_dep xpredT) //= big_seq [RHS]big_seq; apply: eq_bigr => c; rewrite mem_undup => /mapP[i /item_in[jl _ _] ->].
  by rewrite (big_pred1 (Ordinal jl)) // => j; rewrite /= eq_sym.
rewrite /waits_sum (sumN_at no_wait); apply: leq_sum => -[j jl] _ /=.
have -> : nat_ (waiting tx (at_ j) - (N.of_nat M - (if wc_beside wc then 1 else 0)) * gates_in (w_gate (at_ j)))%num =
    nat_ (waiting tx (at_ j)) - m_ * nat_ (gates_in (w_gate (at_ j))).
  by rewrite N2Nat.inj_sub N2Nat.inj_mul N2Nat.inj_sub Nat2N.id /m_; case: (wc_beside wc).
rewrite leq_subLR /waiting pointsE -/(size_of _ _) -/(paths _) -big_filter; set l := [seq c <- gates_list | c.1 == j].
apply: (@leq_trans (m_ * size l + \sum_(c <- l) per c)); last by rewrite leq_add2r leq_mul2l gates_few ?orbT.
rewrite -(sum1_size l) big_distrr /= -big_split /=; apply: (@leq_trans (\sum_(c <- l) count (fun i => end_key i == c) items)); last first.
  by apply: leq_sum => c _; rewrite muln1 -leq_subLR.
apply: (@leq_trans (count (fun i => i.1 == j) items)).
  rewrite -size_filter -(size_map (fun x => (j, x))); apply: uniq_leq_size; first by rewrite map_inj_uniq ?filter_uniq ?box_uniq // => x y [].
  move=> i /mapP[x xl ->]; rewrite mem_filter eqxx; apply/flattenP; exists [seq (j, y) | y <- paths (at_ j)]; last exact: map_f.
  by apply/mapP; exists j; rewrite ?mem_iota.
suff H its : all (mem items) its -> count (fun i => i.1 == j) its <= \sum_(c <- l) count (fun i => end_key i == c) its by apply: H; apply/allP.
elim: its => //= i its IH /andP[il /IH{}IH].
rewrite big_split /=; apply: leq_add IH; case: eqP => // ij.
have kl : end_key i \in l by rewrite mem_filter /= ij eqxx mem_undup map_f.
by rewrite (big_rem _ kl) /= eqxx.
Qed.
End Chosen.
Lemma waits_bound : nat_ (waits_value tx wc (N.of_nat M)) + #|needed G| + #|output G :\: input G| <= cost s.
Proof.
have [t tP] : exists t : C -> nat * G, forall c, gate_time (at_ (ssval c).1) s (ssval c).2 (t c).
  have H (c : C) : exists t : 'I_(size s) * G, gate_time (at_ (ssval c).1) s (ssval c).2 (t.1 : nat, t.2).
    have [i il <-] := gate_item c; have [_ xl ok1] := item_in il; have [[k g] gt] := gate_first ok1 ok xl.
    by have [_ /computes_size ks _] := gt; exists (Ordinal ks, g).
  by have [f fP] := fin_all_exists H; exists (fun c => ((f c).1 : nat, (f c).2)).
have [pk pkP] : exists pk : I -> nat * G, forall i, crosses (at_ (ssval i).1) s (t (its_gate i)) (ssval i).2 (pk i).
  have H (i : I) : exists nv : 'I_(size (w_path (at_ (ssval i).1))) * G, crosses (at_ (ssval i).1) s (t (its_gate i)) (ssval i).2 (nv.1 : nat, nv.2).
    have [_ xl ok1] := item_in (ssvalP i); have [[n v] cr] := path_crosses ok1 ok xl (tP (its_gate i)).
    by have [_ _ _ [nl _] _] := cr; exists (Ordinal nl, v).
  by have [f fP] := fin_all_exists H; exists (fun i => ((f i).1 : nat, (f i).2)).
have q0 : 0 < wc_lag wc by case/and3P: wok.
have all_ : nat_ (2 * waits_sum tx wc (N.of_nat M)) <= \sum_(q < wc_lag wc) 2 * share pk q.
  by rewrite -big_distrr N2Nat.inj_mul; exact: (leq_mul (leqnn 2) (share_all pkP)).
have [q _ qs] := best_share (F := fun q => 2 * share pk q) q0 all_; have := forks_bound ok once (all_wait tP pkP q); rewrite -/(share pk q).
by rewrite /waits_value; move: qs; move: (nat_ _) (share _ _) #|needed G| #|_ :\: _| (cost s) => a b c d f; clear; lia.
Qed.
End Play.
End Sound.

Theorem waits_once_certificate game M tx e wc B : waits_once_check M tx e wc B ->
  forall (no : no_circle tx) (s : seq (move (computation no))), legal game (nat_ M) s -> one_shot s -> (B <= N.of_nat (cost s))%num.
Proof.
case/and3P=> eok wok /N.leb_le le no s ok once; apply: N.le_trans le _; have [i o] := ends_count no eok.
have := waits_bound eok wok ok once; rewrite N2Nat.id; move: i o.
move: #|needed _| #|_ :\: _| (cost s) (ends_in _ _) (ends_out_of _ _) (waits_value _ _ _) => p q c a b g; clear; lia.
Qed.
