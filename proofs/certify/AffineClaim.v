(* What certificates of `affine` say of one statement of any affine text: own predecessors, labels, steps and their needs, rows in pairs.
   docs/theory-affine.md, sections 2 and 3.  Which words begin with an input, how many do not, and how many steps there are is computed. *)
From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect zify_ssreflect ssrZ.
From redblue Require Import Boxes OrderedPairs Game Trace Count Segment Rooted Projective OwnWords Affine Words CompulsoryCertificate AffineForms.
From redblue Require StatementCertificate.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Local Notation nat_ := N.to_nat.

(* Rows in pairs, one after another of other arrays, and what they are rows of: needs by their numbers.  Of the first pair a form of the one
   is larger than that of the other, and is a form of the centre. *)
Record pairing := Pairing { rows : seq (nat * nat); centre : nat; order_at : nat; order_of : nat }.
(* A chain of an array, and what each of its elements reads besides: a word of a row and one of a column (section 4.2). *)
Record maker := Maker { before : nat; row_read : nat; column_read : nat }.
(* Elements of one array that stand on words of one kind: where they are, where no kind before it is; the component of the words, and forms of
   an element that tell them. *)
Definition kind : Type := seq form * (nat * seq form).
(* How a need is met: by what an access reads, or by the step's own word (None), and of which kind that is there. *)
Definition way : Type := option nat * nat.
Record claim := Claim {
  once : bool;                             (* nothing is computed twice *)
  owned : seq (nat * seq form);            (* accesses that read own predecessors; the reader's loops, in the indices of what is read *)
  labels : seq (seq kind);                 (* of each array; the last kind is everywhere *)
  counted : seq nat;                       (* components in which words that begin with a computed element are counted as births *)
  makers : seq maker; tail : N;            (* words that are read may be made, so many elements of them at least *)
  stated : nat;
  regions : seq (seq form * seq way);      (* steps: of an array the elements in one of these, and of each need the way *)
  wants : seq (nat * seq form) }.          (* needs of a step: the component of the word, and forms that tell it *)

Definition never : form := ((-1)%Z, [::]).
(* where cs hold and not all of d *)
Fixpoint beyond (cs d : seq form) : seq (seq form) := if d is f :: d' then (less never f :: cs) :: beyond (f :: cs) d' else [::].
(* where cs hold, but none of the lists of ws does whole *)
Fixpoint rest (ds : seq N) (cs : seq form) (ws : seq (seq form)) : seq (seq form) :=
  if ws is d :: ws' then
    if implies ds (d ++ cs) never then rest ds cs ws' else flatten [seq rest ds c ws' | c <- [seq c <- beyond cs d | ~~ implies ds c never]]
  else [:: cs].

Section Claim.
Variables (tx : text) (lives : seq (option region)) (cl : claim).
Notation ext := (extents tx).
Notation at_ := (stated cl).
Definition acc (k : nat) : access := nth no_access (accesses tx) k.
Definition no_kind : kind := ([::], (0, [::])).
Definition kinds (a : nat) : seq kind := nth [:: no_kind] (labels cl) a.
Definition kind_ (a q : nat) : kind := nth no_kind (kinds a) q.
Definition kind_at (v : elem) : nat := find (fun k : kind => holds k.1 (ints v.2)) (kinds v.1).
Definition label (a q : nat) : nat * seq form := (kind_ a q).2.
Definition name (v : elem) : nat * seq Z := let l := label v.1 (kind_at v) in (l.1, [seq value f (ints v.2) | f <- l.2]).
Definition places : seq (seq form) := [seq r.1 | r <- regions cl].
Definition moved (k : nat) (l : seq form) : seq form := [seq subst f (index (acc k)) | f <- l].
Definition read_forms (k q : nat) : seq form := moved k (label (read (acc k)) q).2.
(* where those of kind q are not *)
Definition before_kind (a q : nat) : seq (seq form) := [seq k.1 | k <- take q (kinds a)].
(* where cs hold in array b, the element of array a with these indices is of kind q *)
Definition of_kind (b : nat) (cs : seq form) (a : nat) (hs : seq form) (q : nat) : bool :=
  [&& q < size (kinds a), all (fun f => implies (ext b) cs (subst f hs)) (kind_ a q).1 &
      all (fun d => implies (ext b) ([seq subst f hs | f <- d] ++ cs) never) (before_kind a q)].

(* where cs hold in array a the access does, reads one element, and that is there *)
Definition single (a : nat) (cs : seq form) (k : nat) : bool :=
  [&& k < size (accesses tx), reader (acc k) == a, nilp (runs (acc k)), all (implies (ext a) cs) (where_ (acc k)) &
      exists_there tx a cs (read (acc k)) (index (acc k))].
Definition owned_ok (o : nat * seq form) : bool := single (reader (acc o.1)) (where_ (acc o.1)) o.1.
(* no element is the own predecessor of two *)
Definition back_ok (o : nat * seq form) : bool := let k := acc o.1 in
  all2 (same (ext (reader k)) (where_ k)) [seq subst h (index k) | h <- o.2] (variables (size (ext (reader k)))).
Definition conditions (o : nat * seq form) : seq form := let k := acc o.1 in
  flatten [seq let f := subst (nth never (index k) r) o.2 in [:: less f (variable r); less (variable r) f] | r <- iota 0 (size (index k))] ++
  [seq subst f o.2 | f <- where_ k] ++ o.2 ++ [seq less ((Z.of_N p.2 - 1)%Z, [::]) p.1 | p <- zip o.2 (ext (reader k))].
Definition apart (o o' : nat * seq form) : bool := let b := read (acc o.1) in
  (b != read (acc o'.1)) || implies (ext b) [seq f <- conditions o ++ conditions o' | ~~ implies (ext b) [::] f] never.
Definition counts (a : nat) : bool := has (fun q => (label a q).1 \in counted cl) (iota 0 (size (kinds a))).
Fixpoint all_apart (os : seq (nat * seq form)) : bool :=
  if os is o :: os' then (~~ counts (read (acc o.1)) || back_ok o && all (apart o) os') && all_apart os' else true.

(* Elements of a kind that begin words, and are no inputs: those without a predecessor of their own, and those whose predecessor is on another
   word. *)
Definition linked (a q k q' : nat) : bool :=
  ((label (read (acc k)) q').1 == (label a q).1) &&
  all2 (same (ext a) (moved k (kind_ (read (acc k)) q').1 ++ (kind_ a q).1 ++ where_ (acc k))) (read_forms k q') (label a q).2.
Definition changes (a q k : nat) : seq (seq form) := let b := read (acc k) in
  flatten [seq if linked a q k q' then [::] else
    rest (ext a) (moved k (kind_ b q').1 ++ (kind_ a q).1 ++ where_ (acc k)) (before_kind a q ++ map (moved k) (before_kind b q')) | q' <- iota 0 (size (kinds b))].
Definition starts_of (a q : nat) : seq (seq form) := let os := [seq o <- owned cl | reader (acc o.1) == a] in
  [seq r <- flatten [seq rest (ext a) ((kind_ a q).1 ++ p) (before_kind a q ++ [seq where_ (acc o.1) | o <- os]) | p <- pieces tx a] ++
            flatten [seq changes a q o.1 | o <- os] | ~~ is_source tx (a, r) && ~~ implies (ext a) r never].
Definition all_kinds : seq (nat * nat) := flatten [seq [seq (a, q) | q <- iota 0 (size (kinds a))] | a <- iota 0 (size (arrays tx))].
Definition all_rooted (c : nat) : bool := all (fun k : nat * nat => ((label k.1 k.2).1 != c) || nilp (starts_of k.1 k.2)) all_kinds.
Definition births_of : N :=
  sumN [seq if (label k.1 k.2).1 \in counted cl then sumN [seq points (ext k.1) r | r <- starts_of k.1 k.2] else 0%num | k <- all_kinds].

(* ---- words that are made ---- *)
Definition made_array (m : maker) : nat := reader (acc (before m)).
Definition moves (m : maker) (f : form) : Z := ((subst f (index (acc (before m)))).1 - f.1)%Z.
Definition row_of (m : maker) : nat := (label (read (acc (row_read m))) 0).1.
Definition column_of (m : maker) : nat := (label (read (acc (column_read m))) 0).1.
Definition row_forms (m : maker) : seq form := read_forms (row_read m) 0.
Definition column_forms (m : maker) : seq form := read_forms (column_read m) 0.
(* all its elements are of one kind *)
Definition plain (a : nat) : bool := (size (kinds a) == 1) && nilp (kind_ a 0).1.
Definition all_forms (m : maker) : seq form :=
  where_ (acc (before m)) ++ where_ (acc (row_read m)) ++ where_ (acc (column_read m)) ++ row_forms m ++ column_forms m ++ (label (made_array m) 0).2.
Definition maker_ok (m : maker) : bool := let a := made_array m in
  [&& [&& read (acc (before m)) == a, single a (where_ (acc (before m))) (before m), single a (where_ (acc (row_read m))) (row_read m) &
          single a (where_ (acc (column_read m))) (column_read m)],
      all (fun f => same (ext a) (where_ (acc (before m))) (subst f (index (acc (before m)))) (add f (moves m f, [::]))) (all_forms m),
      all (fun f => (moves m f =? 0)%Z && has (same (ext a) [::] f) (row_forms m ++ column_forms m)) (label a 0).2,
      has (fun f => ~~ (moves m f =? 0)%Z) (row_forms m) && has (fun f => ~~ (moves m f =? 0)%Z) (column_forms m) &
      [&& all_rooted (row_of m), all_rooted (column_of m) & all plain [:: a; read (acc (row_read m)); read (acc (column_read m))]]].
Definition far (m : maker) (t : N) (f : form) : form := add f ((moves m f * Z.of_N t)%Z, [::]).
(* where so many elements of the chain go back *)
Definition tail_forms (m : maker) : seq form :=
  (let l := where_ (acc (before m)) in l ++ [seq far m (tail cl - 2) f | f <- l]) ++
  (let l := where_ (acc (row_read m)) ++ where_ (acc (column_read m)) in l ++ [seq far m (tail cl - 1) f | f <- l]).
Definition may_make (m : maker) (v : elem) : bool := (v.1 == made_array m) && holds (tail_forms m) (ints v.2).
Definition made_by (r : seq form) (k : nat) (m : maker) : bool :=
  (read (acc k) == made_array m) && all (fun f => implies (ext at_) r (subst f (index (acc k)))) (tail_forms m).

Definition named (r : seq form) (w n : nat * seq form) : bool := (w.1 == n.1) && all2 (same (ext at_) r) w.2 n.2.
Definition want_ok (r : seq form) (wy : (nat * seq form) * way) : bool := let w := wy.1 in let q := wy.2.2 in
  if wy.2.1 is Some k then
    [&& single at_ r k, of_kind at_ r (read (acc k)) (index (acc k)) q, named r w ((label (read (acc k)) q).1, read_forms k q) &
        if once cl && (w.1 \in counted cl) then true else if has (made_by r k) (makers cl) then true else all_rooted w.1]
  else [&& of_kind at_ r at_ (variables (size (ext at_))) q, named r w (label at_ q) & if w.1 \in counted cl then true else all_rooted w.1].
Definition region_ok (ry : seq form * seq way) : bool := let r := ry.1 in
  [&& has (fun p => all (implies (ext at_) r) p) (pieces tx at_), if nth None lives at_ is Some q then all (implies (ext at_) r) q.1 else false,
      has (fun y : way => isSome y.1) ry.2, size ry.2 == size (wants cl) & all (want_ok r) (zip (wants cl) ry.2)].
Fixpoint disjoint_regions (rs : seq (seq form)) : bool :=
  if rs is r :: rs' then all (fun r' => implies (ext at_) (r ++ r') never) rs' && disjoint_regions rs' else true.
Definition kinds_ok (ks : seq kind) : bool := (0 < size ks) && nilp (last no_kind ks).1.
Definition claim_ok : bool :=
  [&& at_ < size (arrays tx), all owned_ok (owned cl), all_apart (owned cl), all region_ok (regions cl), disjoint_regions places &
      all maker_ok (makers cl) && all kinds_ok (labels cl)].
Definition steps_of : N := sumN [seq points (ext at_) r | r <- places].

Definition comp_of (t : nat) : nat := (nth (0, [::]) (wants cl) t).1.
Definition forms_of (t : nat) : seq form := (nth (0, [::]) (wants cl) t).2.
Definition form_of (t i : nat) : form := nth (0%Z, [::]) (forms_of t) i.
Definition alike (f g : form) : bool := all (fun r => same (ext at_) r f g) places.
Definition loop_told (l : nat) (fs : seq form) : bool := (nth 0%num (ext at_) l <=? 1)%num || has (alike (variable l)) fs.
(* words of the one pair tell those of the other, in the same place *)
Definition row_told (ab cd : nat * nat) : bool := (size (forms_of ab.1) == size (forms_of ab.2)) &&
  all (fun i => has (fun j => alike (form_of ab.1 i) (form_of cd.1 j) && alike (form_of ab.2 i) (form_of cd.2 j))
                    (iota 0 (minn (size (forms_of cd.1)) (size (forms_of cd.2))))) (iota 0 (size (forms_of ab.1))).
Definition pairs_ok (p : pairing) : bool := let c := centre p in
  if rows p is ab :: more then
    [&& all (fun t => t < size (wants cl)) (c :: flatten [seq [:: cd.1; cd.2] | cd <- rows p]),
        uniq (rcons [seq comp_of cd.1 | cd <- rows p] (comp_of c)) && all (fun cd => comp_of cd.2 == comp_of cd.1) (rows p),
        [&& order_of p < size (forms_of c), order_at p < size (forms_of ab.1), order_at p < size (forms_of ab.2) &
            alike (form_of ab.1 (order_at p)) (form_of c (order_of p))],
        all (fun r => implies (ext at_) r (less (less (form_of ab.1 (order_at p)) (1%Z, [::])) (form_of ab.2 (order_at p)))) places &
        [&& all (fun i => has (alike (form_of c i)) (forms_of ab.1) || has (alike (form_of c i)) (forms_of ab.2)) (iota 0 (size (forms_of c))),
            all (fun l => loop_told l (forms_of ab.1 ++ forms_of c) && loop_told l (forms_of ab.2 ++ forms_of c)) (iota 0 (size (ext at_))) &
            all (row_told ab) more]]
  else false.
(* X words suffice for h steps at most: so say pairs of rows *)
Definition few_by_pairs (p : pairing) (X h : N) : bool :=
  pairs_ok p && (X ^ 3 * 2 <? 27 * (N.of_nat (size (rows p)) * (h + 1)) ^ 2)%num.
End Claim.
Arguments name cl v : simpl never.

Lemma value_never x : value never x = (-1)%Z. Proof. by []. Qed.
Lemma beyondP cs d x : holds cs x -> ~~ holds d x -> has (fun c => holds c x) (beyond cs d).
Proof.
elim: d cs => //= f d IH cs hc; rewrite negb_and => /orP[nf|nd].
  by rewrite value_less value_never hc andbT; apply/orP; left; move: nf; move: (value f x) => v; clear; lia.
case: (boolP (0 <=? value f x)%Z) => f0; first by rewrite IH ?orbT //= f0.
by rewrite value_less value_never hc andbT; apply/orP; left; move: f0; move: (value f x) => v; clear; lia.
Qed.
Lemma restP ds cs ws x : inside x (map nat_ ds) -> holds cs (ints x) -> all (fun d => ~~ holds d (ints x)) ws ->
  has (fun c => holds c (ints x)) (rest ds cs ws).
Proof.
move=> xd; elim: ws cs => [|d ws IH] cs hc /=; first by rewrite hc.
case/andP=> nd nws; case: ifP => _; first exact: IH.
have := beyondP hc nd; elim: (beyond cs d) => //= c l IHl /orP[hx|/IHl h]; case: ifP => emp //=.
- by rewrite has_cat IH.
- by have := implies_ok (negbFE emp) xd hx; rewrite value_never; clear; lia.
by rewrite has_cat h orbT.
Qed.
Lemma holds_cat a b x : holds (a ++ b) x = holds a x && holds b x. Proof. exact: all_cat. Qed.
Lemma holds_filter (P : pred form) cs x : holds cs x -> holds (filter P cs) x.
Proof. by elim: cs => //= f cs IH /andP[fx /IH h]; case: ifP => //= _; rewrite fx. Qed.
Lemma has_kept (T : Type) (P Q : pred T) (l : seq T) : has P l -> (forall r, P r -> Q r) -> has P [seq r <- l | Q r].
Proof. by move=> + H; elim: l => //= r l IH /orP[Pr|/IH h]; [rewrite (H r Pr) /= Pr | case: ifP => //= _; rewrite h orbT]. Qed.
Lemma ints_inj : injective ints. Proof. exact: inj_map Nat2Z.inj. Qed.
Lemma listed_here (ds : seq nat) (l : seq (seq form)) x : x \in box ds -> has (fun r => holds r (ints x)) l ->
  x \in flatten [seq [seq y <- box ds | holds r (ints y)] | r <- l].
Proof. by move=> xd; elim: l => //= r l IH /orP[h|/IH h]; rewrite mem_cat ?h ?orbT // mem_filter h xd. Qed.
Lemma all_nth_apart tx cl os i : all_apart tx cl os -> i < size os -> counts cl (read (acc tx (nth (0, [::]) os i).1)) ->
  back_ok tx (nth (0, [::]) os i) /\ forall j, i < j < size os -> apart tx (nth (0, [::]) os i) (nth (0, [::]) os j).
Proof.
elim: os i => //= o os IH [|i] /andP[H Hs] il /= c.
  by move: H; rewrite c /= => /andP[-> /all_nthP H]; split=> // -[|j] //=; apply: H.
by have [|b H'] := IH i Hs _ c; [| split=> // -[|j] //=; apply: H'].
Qed.
Lemma regions_size tx cl (l : seq (seq form)) : disjoint_regions tx cl l ->
  nat_ (sumN [seq points (extents tx (stated cl)) r | r <- l]) <=
  size [seq x <- box (size_of tx (stated cl)) | has (fun r => holds r (ints x)) l].
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

Section Sound.
Variables (tx : text) (no : no_circle tx) (e : ends) (cl : claim).
Notation G := (computation no).
Notation ext := (extents tx).
Notation at_ := (stated cl).
Notation label := (label cl).
Notation name := (name cl).
Notation kind_at := (kind_at cl).
Hypotheses (eok : ends_ok tx e) (cok : claim_ok tx (leading e) cl).

Lemma vertex (v : G) : [/\ (ssval v).1 < size (arrays tx), inside (ssval v).2 (size_of tx (ssval v).1) &
  has (fun p => holds p (ints (ssval v).2)) (pieces tx (ssval v).1)].
Proof. by have /and3P[] := exists_val v. Qed.

Lemma kinds_good a : kinds_ok (kinds cl a).
Proof.
rewrite /kinds; case: (ltnP a (size (labels cl))) => al; last by rewrite nth_default.
by case/and5P: cok => _ _ _ _ /and3P[_ _ /all_nthP H]; apply: H.
Qed.
Lemma kind_lt (v : elem) : kind_at v < size (kinds cl v.1).
Proof.
rewrite -has_find; have /andP[] := kinds_good v.1; case: (kinds cl v.1) => // k ks _ /nilP l0.
by apply/hasP; exists (last k ks); [exact: mem_last | move: l0 => /= ->].
Qed.
Lemma kindP (v : elem) : holds (kind_ cl v.1 (kind_at v)).1 (ints v.2) /\ all (fun d => ~~ holds d (ints v.2)) (before_kind cl v.1 (kind_at v)).
Proof.
split.
  have := @nth_find _ no_kind (fun k : kind => holds k.1 (ints v.2)) (kinds cl v.1); rewrite has_find; apply; exact: kind_lt.
apply/(all_nthP [::]) => i; rewrite size_map => il; have := il; rewrite size_takel ?(ltnW (kind_lt v)) // => lt.
by rewrite (nth_map no_kind) // nth_take // (before_find no_kind lt).
Qed.
Lemma of_kindP b cs a hs q x p : of_kind tx cl b cs a hs q -> inside x (size_of tx b) -> holds cs (ints x) ->
  [seq value h (ints x) | h <- hs] = ints p -> kind_at (a, p) = q.
Proof.
case/and3P=> ql here before xb xs E; rewrite /AffineClaim.kind_at /=; set P := fun k : kind => holds k.1 (ints p).
have Pq : P (kind_ cl a q) by rewrite /P -E; apply: holds_subst here xb xs.
have hP : has P (kinds cl a) by apply/(has_nthP no_kind); exists q.
case: (ltngtP (find P (kinds cl a)) q) => // lt; last by have := before_find no_kind lt; rewrite -/(kind_ cl a q) Pq.
have := nth_find no_kind hP; set i := find _ _ in lt *; rewrite -/(kind_ cl a i) => Pi.
have il : i < size (before_kind cl a q) by rewrite size_map size_takel // ltnW.
have im := all_nthP [::] before i il; rewrite /before_kind (nth_map no_kind) ?nth_take // in im; last by move: il; rewrite size_map.
have hh : holds ([seq subst f hs | f <- (kind_ cl a i).1] ++ cs) (ints x).
  rewrite holds_cat xs andbT /holds all_map; apply: sub_all (_ : holds (kind_ cl a i).1 (ints p)); last exact: Pi.
  by move=> f /=; rewrite value_subst E.
by have := implies_ok im xb hh; rewrite value_never; clear; lia.
Qed.

(* what an access reads alone *)
Lemma single_reads a cs k x : single tx a cs k -> inside x (size_of tx a) -> holds cs (ints x) ->
  exists p, [/\ exists_ tx (read (acc tx k), p), reads tx (a, x) (read (acc tx k), p), reads_at (acc tx k) (a, x) (read (acc tx k), p) [::] &
    forall f, value (subst f (index (acc tx k))) (ints x) = value f (ints p)].
Proof.
case/and5P=> kl /eqP ka /nilP kr wk /and3P[bl wi pc] xa xs.
have [p E pk] := within_ok wi xa xs; exists p.
have subs f : value (subst f (index (acc tx k))) (ints x) = value f (ints p) by rewrite value_subst E.
have ra : reads_at (acc tx k) (a, x) (read (acc tx k), p) [::].
  by rewrite /reads_at /= cats0 (holds_all wk xa xs) E all2_refl.
split=> //; last first.
  by apply/(has_nthP no_access); exists k => //; rewrite /= -/(acc tx k) ka !eqxx kr /= ra.
rewrite /exists_ /= bl pk /=; elim: (pieces tx _) pc => //= q ps IH /orP[H|/IH ->]; last by rewrite orbT.
by rewrite -E (holds_subst H xa xs).
Qed.

Definition own_reads (v u : elem) (o : nat * seq form) : bool :=
  [&& reader (acc tx o.1) == v.1, read (acc tx o.1) == u.1 & reads_at (acc tx o.1) v u [::]].
Definition own (v : G) : option G :=
  [pick u : G | has (own_reads (ssval v) (ssval u)) (owned cl) && same_name (name (ssval u)) (name (ssval v))].
Lemma owned_all i : i < size (owned cl) -> owned_ok tx (nth (0, [::]) (owned cl) i).
Proof. by case/and5P: cok => _ /all_nthP/(_ i) H _ _ _; apply: H. Qed.
Lemma ownP v u : own v = Some u -> exists i, [/\ i < size (owned cl), own_reads (ssval v) (ssval u) (nth (0, [::]) (owned cl) i) &
  let k := acc tx (nth (0, [::]) (owned cl) i).1 in holds (where_ k) (ints (ssval v).2)].
Proof.
rewrite /own; case: pickP => // w /andP[/(has_nthP (0, [::]))[i il r] _] [<-]; exists i; split=> //.
by case/and3P: r => _ _ /andP[]; rewrite cats0.
Qed.
Lemma own_edge v u : own v = Some u -> @edge G u v.
Proof.
case/ownP=> i [il /and3P[/eqP rv /eqP ru ra] hw]; have /and5P[kl _ /nilP kr _ _] := owned_all il.
apply/(has_nthP no_access); exists (nth (0, [::]) (owned cl) i).1 => //.
by rewrite /= -/(acc tx (nth (0, [::]) (owned cl) i).1) rv ru !eqxx kr /= ra.
Qed.
Lemma own_name v u : own v = Some u -> name (ssval u) = name (ssval v).
Proof. by rewrite /own; case: pickP => // w /andP[_ /same_nameP E] [<-]. Qed.

Definition word_of (n : nat * seq Z) : option G := word_named (fun u : G => name (ssval u)) n.
Definition word (v : G) : option G := word_of (name (ssval v)).
Definition born (w : option G) : bool := if w is Some u then (name (ssval u)).1 \in counted cl else false.
Lemma word_of_name (v : G) n : name (ssval v) = n -> exists2 u, word_of n = Some u & name (ssval u) = n.
Proof. exact: (word_named_name (name_of := fun u : G => name (ssval u))). Qed.
Lemma word_of_inj (v : G) n n' : name (ssval v) = n -> word_of n = word_of n' -> n = n'.
Proof. exact: (word_named_inj (name_of := fun u : G => name (ssval u))). Qed.
Lemma word_inj (u v : G) : word u = word v -> name (ssval u) = name (ssval v).
Proof. exact: word_of_inj. Qed.
Lemma born_word (v : G) : born (word v) = ((name (ssval v)).1 \in counted cl).
Proof. by have [u uw uE] := @word_of_name v _ erefl; rewrite /born /word uw uE. Qed.
Lemma counted_here (v : G) : born (word v) -> counts cl (ssval v).1.
Proof. by rewrite born_word => c; apply/hasP; exists (kind_at (ssval v)); rewrite // mem_iota add0n kind_lt. Qed.

Lemma back_value (v u : G) o : own_reads (ssval v) (ssval u) o -> back_ok tx o -> [seq value h (ints (ssval u).2) | h <- o.2] = ints (ssval v).2.
Proof.
case/and3P=> /eqP rv /eqP ru /andP[hw /all2_eqb E] bk; rewrite cats0 in E hw; have [_ vin _] := vertex v.
rewrite /back_ok rv in bk; have := same_all bk vin hw; have n : size (ext (ssval v).1) = size (ssval v).2 by rewrite (inside_size vin) size_map.
rewrite n value_variables => /all2_eqb <-; rewrite -map_comp; by apply: eq_map => h /=; rewrite value_subst E.
Qed.
Lemma conditions_hold (v u : G) o : own_reads (ssval v) (ssval u) o -> back_ok tx o -> holds (conditions tx o) (ints (ssval u).2).
Proof.
move=> r bk; have bv := back_value r bk; case/and3P: r => /eqP rv _ /andP[hw /all2_eqb E]; rewrite cats0 in hw E; have [_ vin _] := vertex v.
rewrite /conditions !holds_cat; apply/and4P; split.
- set idx := index _ in E *; have : all (fun i => i < size idx) (iota 0 (size idx)) by apply/allP => i; rewrite mem_iota.
  elim: (iota _ _) => //= i l IH /andP[il /IH ->]; have := congr1 (fun l => nth 0%Z l i) E.
  by rewrite (nth_map never) // !value_less value_subst bv value_variable => ->; rewrite Z.sub_diag.
- by elim: (where_ _) hw => //= f fs IH /andP[f0 /IH ->]; rewrite value_subst bv f0.
- by elim: o.2 (ssval v).2 bv => //= h hs IH [|y ys] //= [-> /IH ->]; rewrite andbT; clear; lia.
clear E; rewrite rv; move: vin bv; rewrite /size_of; move: (ssval v).2 (ext _) => ys ds; rewrite /inside.
elim: o.2 ys ds => [|h hs IH] [|y ys] [|d ds] //= /andP[yd ys_] [hE E]; rewrite (IH ys) // andbT value_less hE {1}/value /=.
by move: yd; clear; lia.
Qed.
Lemma own_once v v' u : own v = Some u -> own v' = Some u -> born (word u) -> v = v'.
Proof.
move=> /ownP[i [il ri _]] /ownP[j [jl rj _]] /counted_here c.
have ap : all_apart tx cl (owned cl) by case/and5P: cok.
have ui : read (acc tx (nth (0, [::]) (owned cl) i).1) = (ssval u).1 by case/and3P: ri => _ /eqP.
have uj : read (acc tx (nth (0, [::]) (owned cl) j).1) = (ssval u).1 by case/and3P: rj => _ /eqP.
have [bi ai] := all_nth_apart (i := i) ap il (etrans (congr1 (counts cl) ui) c).
have [bj aj] := all_nth_apart (i := j) ap jl (etrans (congr1 (counts cl) uj) c).
have [_ uin _] := vertex u.
have clash o o' (w w' : G) : own_reads (ssval w) (ssval u) o -> own_reads (ssval w') (ssval u) o' -> back_ok tx o -> back_ok tx o' -> ~~ apart tx o o'.
  move=> r r' b b'; apply/negP; rewrite /apart; case/and3P: (r) => _ /eqP -> _; case/and3P: (r') => _ /eqP -> _; rewrite eqxx /= => im.
  have h1 := conditions_hold r b; have h2 := conditions_hold r' b'.
  have hh : holds (conditions tx o ++ conditions tx o') (ints (ssval u).2) by rewrite holds_cat; apply/andP.
  by have := implies_ok im uin (holds_filter _ hh); rewrite value_never; clear; lia.
case: (ltngtP i j) => ij.
- by have /negP := clash _ _ _ _ ri rj bi bj; case; apply: ai; rewrite ij.
- by have /negP := clash _ _ _ _ rj ri bj bi; case; apply: aj; rewrite ij.
rewrite -ij in rj; apply/val_inj => /=; have := back_value ri bi; rewrite (back_value rj bi) => /ints_inj E.
by case/and3P: ri rj => /eqP rv _ _ /and3P[/eqP rv' _ _]; rewrite [ssval v]surjective_pairing [ssval v']surjective_pairing -rv -rv' E.
Qed.

Lemma own_owns : owns own word born.
Proof. by split=> [v u|v u /own_name E|v v' u]; [apply: own_edge | rewrite /word E | apply: own_once]. Qed.

Lemma starts_here (v : G) : v \notin input G -> own v = None ->
  has (fun r => holds r (ints (ssval v).2)) (starts_of tx cl (ssval v).1 (kind_at (ssval v))).
Proof.
move=> vI o; have [_ vin pc] := vertex v; have [hk nk] := kindP (ssval v); set q := kind_at _ in hk nk *.
set a := (ssval v).1 in vin pc hk nk *; set x := (ssval v).2 in vin pc hk nk *.
rewrite /starts_of; set os := [seq o <- owned cl | reader (acc tx o.1) == a].
apply: has_kept => [|r hr]; last first.
  apply/andP; split; last by apply/negP => im; have := implies_ok im vin hr; rewrite value_never; clear; lia.
  apply: contra vI => src; apply: (source_input src (x := x)) => //; by rewrite /a /x -surjective_pairing.
have oall : all (owned_ok tx) (owned cl) by case/and5P: cok.
rewrite has_cat; apply/orP; case: (boolP (has (fun o => holds (where_ (acc tx o.1)) (ints x)) os)) => [/hasP[w wo hw]|none]; [right | left].
  move: wo; rewrite /os mem_filter => /andP[/eqP wa win]; have sg := allP oall w win; rewrite /owned_ok wa in sg.
  have [p [px _ ra val_]] := single_reads sg vin hw; pose u : G := SeqSub (in_elements px).
  have xE : [seq value f (ints x) | f <- index (acc tx w.1)] = ints p.
    by case/andP: ra => _ /all2_eqb; rewrite cats0.
  have nn : name (ssval u) <> name (ssval v).
    move=> E; move: o; rewrite /own; case: pickP => // /(_ u); rewrite (introT (same_nameP _ _) E) andbT => /hasP; case.
    by exists w => //; rewrite /own_reads wa !eqxx /= [ssval v]surjective_pairing.
  have [hu nu] := kindP (ssval u); set q' := kind_at _ in hu nu; rewrite /= in hu nu.
  have moved_holds l : holds (moved tx w.1 l) (ints x) = holds l (ints p).
    by rewrite /holds all_map; apply: eq_all => f /=; rewrite val_.
  apply/hasP; rewrite /=; set R := changes tx cl a q w.1.
  suff : has (fun r => holds r (ints x)) R.
    by case/hasP=> r rR hr; exists r => //; apply/flattenP; exists R => //; apply/mapP; exists w; rewrite // /os mem_filter wa eqxx.
  rewrite /R /changes; set F := fun q' => if linked _ _ _ _ _ _ then _ else _.
  suff : has (fun r => holds r (ints x)) (F q').
    case/hasP=> r rF hr; apply/hasP; exists r => //; apply/flattenP; exists (F q') => //; apply: map_f.
    by rewrite mem_iota add0n; apply: (kind_lt (ssval u)).
  have hh : holds (moved tx w.1 (kind_ cl (read (acc tx w.1)) q').1 ++ (kind_ cl a q).1 ++ where_ (acc tx w.1)) (ints x).
    by rewrite !holds_cat moved_holds hu hk hw.
  rewrite /F; case: ifP => [/andP[/eqP cE sm]|_].
    case: nn; rewrite /AffineClaim.name -/q -/q' /= -/a cE; congr pair; have := same_all sm vin hh => /all2_eqb <-.
    by rewrite /read_forms /moved -map_comp; apply: eq_map => f /=; rewrite val_.
  apply: (restP vin hh); rewrite all_cat nk all_map; apply: sub_all nu => d /=; by rewrite moved_holds.
have {}none : all (fun d => ~~ holds d (ints x)) [seq where_ (acc tx w.1) | w <- os].
  by rewrite all_map; move: none; rewrite -all_predC; apply: sub_all.
elim: (pieces tx a) pc => //= p ps IH /orP[hp|/IH h]; rewrite has_cat ?h ?orbT //.
by rewrite (restP vin) ?holds_cat ?hk // all_cat nk.
Qed.
Lemma kind_in (v : G) : ((ssval v).1, kind_at (ssval v)) \in all_kinds tx cl.
Proof.
have [al _ _] := vertex v; apply/flattenP; exists [seq ((ssval v).1, q) | q <- iota 0 (size (kinds cl (ssval v).1))].
  by apply/mapP; exists (ssval v).1; rewrite // mem_iota add0n.
by apply: map_f; rewrite mem_iota add0n kind_lt.
Qed.
Lemma all_rooted_own c (v : G) : all_rooted tx cl c -> (name (ssval v)).1 = c -> v \notin input G -> own v <> None.
Proof.
move=> /allP/(_ _ (kind_in v)) ro vc vI o; have := starts_here vI o; move: ro.
by rewrite -[(label _ _).1]/((name (ssval v)).1) vc eqxx /= => /nilP ->.
Qed.
Lemma births_card : #|births own word born| <= nat_ (births_of tx cl).
Proof.
pose F (k : nat * nat) := if (label k.1 k.2).1 \in counted cl
  then flatten [seq [seq x <- box (size_of tx k.1) | holds r (ints x)] | r <- starts_of tx cl k.1 k.2] else [::].
rewrite /births_of (listed_size fst (F := F)) => [|k]; last first.
  rewrite /F; case: ifP => // _; elim: (starts_of _ _ _ _) => //= r l IH; by rewrite N2Nat.inj_add IH size_cat pointsE.
rewrite card_sig cardE -(size_map (fun v : G => ssval v)); apply: uniq_leq_size.
  by rewrite map_inj_uniq ?enum_uniq //; apply: val_inj.
move=> _ /mapP[v + ->]; rewrite mem_enum => /and4P[_ vI /eqP o]; rewrite born_word => c; have [al vin _] := vertex v.
apply/flattenP; exists [seq ((ssval v).1, x) | x <- F ((ssval v).1, kind_at (ssval v))].
  by apply/mapP; exists ((ssval v).1, kind_at (ssval v)); rewrite // kind_in.
rewrite {1}[ssval v]surjective_pairing map_f // /F [(_, _).1]/= [(_, _).2]/= c; apply: listed_here; [by rewrite mem_box | exact: starts_here].
Qed.

(* ---- steps ---- *)
Definition may_be_made (u : G) : bool := has (fun m => may_make tx cl m (ssval u)) (makers cl).
Definition points_list : seq (seq nat) := [seq x <- box (size_of tx at_) | has (fun r => holds r (ints x)) (places cl)].
Definition steps : finType := [finType of seq_sub points_list].
Lemma step_inside (x : steps) : inside (ssval x) (size_of tx at_).
Proof. by have := ssvalP x; rewrite mem_filter mem_box => /andP[]. Qed.
Lemma step_region (x : steps) : exists2 r, region_ok tx (leading e) cl r & holds r.1 (ints (ssval x)).
Proof.
have := ssvalP x; rewrite mem_filter => /andP[+ _]; have : all (region_ok tx (leading e) cl) (regions cl) by case/and5P: cok.
by rewrite /places; elim: (regions cl) => //= r l IH /andP[ok /IH{}IH] /orP[h|/IH//]; exists r.
Qed.
Lemma step_exists (x : steps) : exists_ tx (at_, ssval x).
Proof.
have [r /and5P[pc _ _ _ _] hr] := step_region x; rewrite /exists_ /= step_inside; case/andP: cok => -> _ /=.
by elim: (pieces tx _) pc => //= p ps IH /orP[/holds_all H|/IH ->]; rewrite ?orbT // H // step_inside.
Qed.
Definition step (x : steps) : G := SeqSub (in_elements (step_exists x)).
Notation forms := [seq w.2 | w <- wants cl].
Definition wanted (n : 'I_(size forms)) (x : steps) : nat * seq Z :=
  ((nth (0, [::]) (wants cl) n).1, [seq value f (ints (ssval x)) | f <- (nth (0, [::]) (wants cl) n).2]).
Lemma want_lt (n : 'I_(size forms)) : n < size (wants cl). Proof. by apply: leq_trans (ltn_ord n) _; rewrite size_map. Qed.
Definition way_at (r : seq form * seq way) (n : nat) : way := nth (None, 0) r.2 n.
Lemma want_here r (n : 'I_(size forms)) : region_ok tx (leading e) cl r -> want_ok tx cl r.1 (nth (0, [::]) (wants cl) n, way_at r n).
Proof.
case/and5P=> _ _ _ /eqP sz /(all_nthP ((0, [::]), (None, 0)))/(_ n); rewrite size_zip sz minnn nth_zip //; apply; exact: want_lt.
Qed.
Lemma word_named_name r w l (x : steps) (v : elem) : named tx cl r w (l.1, l.2) -> holds r (ints (ssval x)) ->
  name v = (l.1, [seq value f (ints (ssval x)) | f <- l.2]) -> (w.1, [seq value f (ints (ssval x)) | f <- w.2]) = name v.
Proof.
by case/andP=> /eqP -> sm hr ->; congr pair; apply/all2_eqb/(same_all sm (step_inside x) hr).
Qed.
Lemma wanted_read r (n : 'I_(size forms)) k x : region_ok tx (leading e) cl r -> holds r.1 (ints (ssval x)) -> (way_at r n).1 = Some k ->
  exists u : G, [/\ @edge G u (step x), name (ssval u) = wanted n x,
    [|| once cl && ((name (ssval u)).1 \in counted cl), all_rooted tx cl (name (ssval u)).1 | may_be_made u] &
    (ssval u).1 = read (acc tx k) /\ forall f, value (subst f (index (acc tx k))) (ints (ssval x)) = value f (ints (ssval u).2)].
Proof.
move=> ro hr nk; have := want_here n ro; rewrite /want_ok nk /= => /and4P[sg ok nm ar].
have [p [px rd ra val_]] := single_reads sg (step_inside x) hr; exists (SeqSub (in_elements px) : G).
have pE : [seq value f (ints (ssval x)) | f <- index (acc tx k)] = ints p by case/andP: ra => _ /all2_eqb; rewrite cats0.
have kE : kind_at (read (acc tx k), p) = (way_at r n).2 := of_kindP ok (step_inside x) hr pE.
have nE : wanted n x = name (read (acc tx k), p).
  apply: (word_named_name (l := ((label (read (acc tx k)) (way_at r n).2).1, read_forms tx cl k (way_at r n).2))) nm hr _.
  rewrite /AffineClaim.name kE /= /read_forms /moved -map_comp; congr pair; apply: eq_map => f /=; by rewrite val_.
have cE : (name (read (acc tx k), p)).1 = (nth (0, [::]) (wants cl) n).1 by rewrite -nE.
suff H : [|| once cl && ((nth (0, [::]) (wants cl) n).1 \in counted cl), all_rooted tx cl (nth (0, [::]) (wants cl) n).1 |
    may_be_made (SeqSub (in_elements px) : G)] by split=> //; rewrite -cE in H.
move: ar; case: ifP => [oc _|_]; first by apply/or3P; apply: Or31.
case: ifP => [+ _|_ ar]; last by apply/or3P; apply: Or32.
move=> H; apply/or3P; apply: Or33; rewrite /may_be_made /=; elim: (makers cl) H => //= m ms IH /orP[|/IH ->]; last by rewrite orbT.
case/andP=> mr al; rewrite /may_make /= mr /=; apply/orP; left; elim: (tail_forms _ _ _) al => //= f fs IHf /andP[im /IHf ->].
by rewrite -val_ andbT; apply/Z.leb_le; apply: implies_ok im (step_inside x) hr.
Qed.
Lemma wanted_own r (n : 'I_(size forms)) x : region_ok tx (leading e) cl r -> holds r.1 (ints (ssval x)) -> (way_at r n).1 = None ->
  wanted n x = name (ssval (step x)) /\ ((nth (0, [::]) (wants cl) n).1 \in counted cl) || all_rooted tx cl (nth (0, [::]) (wants cl) n).1.
Proof.
move=> ro hr nk; have := want_here n ro; rewrite /want_ok nk /= => /and3P[ok nm cr]; split=> //.
have kE : kind_at (at_, ssval x) = (way_at r n).2.
  apply: of_kindP ok (step_inside x) hr _; by rewrite -(size_map nat_) -(inside_size (step_inside x)) value_variables.
apply: (word_named_name (l := label at_ (way_at r n).2)) nm hr _ => /=; by rewrite /AffineClaim.name /= kE.
Qed.
Lemma wanted_named (n : 'I_(size forms)) x : exists v : G, name (ssval v) = wanted n x.
Proof.
have [r ro hr] := step_region x; case nk: (way_at r n).1 => [k|].
  by have [u [_ uE _ _]] := wanted_read ro hr nk; exists u.
by exists (step x); have [-> _] := wanted_own ro hr nk.
Qed.
Definition need (n : 'I_(size forms)) (x : steps) : option G := word_of (wanted n x).
Lemma need_tells n n' x y : need n x = need n' y -> wanted n x = wanted n' y.
Proof. by have [v vE] := wanted_named n x; apply: (word_of_inj vE). Qed.

Lemma lives_good : lives_well tx (leading e). Proof. by case/and5P: eok. Qed.
Lemma rooted_word (u : G) : all_rooted tx cl (name (ssval u)).1 -> rooted (word : G -> option G) (word u).
Proof.
move=> ar v vI vw; have lE : (name (ssval v)).1 = (name (ssval u)).1 by rewrite (word_inj vw).
case o: (own v) => [u'|]; last by have := all_rooted_own ar lE vI o.
by exists u'; [exact: own_edge | rewrite -vw /word (own_name o)].
Qed.
Lemma closed_word (v : G) : ((name (ssval v)).1 \in counted cl) || all_rooted tx cl (name (ssval v)).1 -> closed own word born v.
Proof.
move=> cr u _ uI o uw; have E : (name (ssval u)).1 = (name (ssval v)).1 by rewrite (word_inj uw).
by case/orP: cr => [c|ar]; [rewrite born_word E | have := all_rooted_own ar E uI o].
Qed.
Lemma step_needs : needs own word born may_be_made (once cl) step need.
Proof.
split=> [x|n x]; have [r ro hr] := step_region x; have /and5P[_ lr so _ _] := ro.
  rewrite (region_live lives_good) /=; last first.
    rewrite /in_region /=; case: (nth None _ _) lr => [q|] // /holds_all H; apply: H => //; exact: step_inside.
  have /eqP sz : size r.2 == size (wants cl) by case/and5P: ro.
  case/(has_nthP (None, 0)): so => i il si; have il' : i < size forms by rewrite size_map -sz.
  case nk: (way_at r (Ordinal il')).1 => [k|]; last by rewrite -[nth _ _ i]/(way_at r (Ordinal il')) nk in si.
  have [u [ed _ _ _]] := wanted_read (n := Ordinal il') ro hr nk.
  by rewrite inE; apply/negP => /forallP/(_ u); rewrite ed.
case nk: (way_at r n).1 => [k|]; [right | left].
  have [u [ed uE ar _]] := wanted_read ro hr nk; exists u; rewrite /need -uE; split=> //.
  case/or3P: ar => [/andP[oc c]|/rooted_word ar|m]; [apply: Or33; split=> // | exact: Or31 | exact: Or32].
  by apply: closed_word; rewrite c.
have [E cr] := wanted_own ro hr nk; split; first by rewrite /need E.
by apply: closed_word; rewrite -E.
Qed.
(* ---- pairs of rows ---- *)
Notation forms_of := (forms_of cl).
Notation form_of := (form_of cl).
Notation comp_of := (comp_of cl).
Definition need_at (t : nat) (x : steps) : option G := word_of (comp_of t, [seq value f (ints (ssval x)) | f <- forms_of t]).
Lemma need_atE t x (lt : t < size forms) : need (Ordinal lt) x = need_at t x.
Proof. by []. Qed.
Lemma in_regions (P : pred (seq form)) (x : steps) : all P (places cl) -> exists2 r, P r & holds r (ints (ssval x)).
Proof.
have := ssvalP x; rewrite mem_filter => /andP[+ _].
by elim: (places cl) => //= r l IH /orP[h|/IH{}IH] /andP[Pr Pl]; [exists r | apply: IH].
Qed.
Lemma alikeE f g (x : steps) : alike tx cl f g -> value f (ints (ssval x)) = value g (ints (ssval x)).
Proof. by move=> /(in_regions x)[r sm hr]; apply: same_ok sm _ hr; apply: step_inside. Qed.
Lemma need_at_tells t t' x y : t < size (wants cl) -> need_at t x = need_at t' y -> comp_of t = comp_of t' /\
  forall i, i < size (forms_of t) -> i < size (forms_of t') -> value (form_of t i) (ints (ssval x)) = value (form_of t' i) (ints (ssval y)).
Proof.
move=> tl; have lt : t < size forms by rewrite size_map.
have [v vE] := wanted_named (Ordinal lt) x.
case/(word_of_inj vE) => Ec E; split; [exact: Ec | move=> i il il'].
have {}E : [seq value f (ints (ssval x)) | f <- forms_of t] = [seq value f (ints (ssval y)) | f <- forms_of t'] by exact: E.
by have := congr1 (fun l => nth 0%Z l i) E; rewrite !(nth_map (0%Z, [::])).
Qed.
Lemma need_at_comp t x : t < size (wants cl) -> exists2 u, need_at t x = Some u & (name (ssval u)).1 = comp_of t.
Proof.
move=> tl; have lt : t < size forms by rewrite size_map.
have [v vE] := wanted_named (Ordinal lt) x.
by have [u uw uE] := word_of_name vE; exists u => //; have := congr1 fst uE.
Qed.

Section Pairs.
Variables (p : pairing) (ab : nat * nat) (more : seq (nat * nat)).
Hypotheses (pE : rows p = ab :: more) (ok : pairs_ok tx cl p).
Notation c := (centre p).
Lemma pairs_all : [/\ c < size (wants cl), forall cd, cd \in rows p -> cd.1 < size (wants cl) /\ cd.2 < size (wants cl),
  uniq (rcons [seq comp_of cd.1 | cd <- rows p] (comp_of c)) & forall cd, cd \in rows p -> comp_of cd.2 = comp_of cd.1].
Proof.
move: (ok); rewrite /pairs_ok pE => /and5P[/allP al /andP[un /allP co] _ _ _]; split=> [|cd cin||cd cin]; [by apply: al; rewrite mem_head | | exact: un | exact/eqP/co].
have cdin : [:: cd.1; cd.2] \in [seq [:: cd.1; cd.2] | cd <- ab :: more] by apply/mapP; exists cd.
by split; apply: al; rewrite inE; apply/orP; right; apply/flattenP; exists [:: cd.1; cd.2]; rewrite // !inE eqxx ?orbT.
Qed.
Lemma ab_in : ab \in rows p. Proof. by rewrite pE mem_head. Qed.
Lemma centre_told x x' y y' : need_at c x = need_at c x' -> need_at c y = need_at c y' -> need_at ab.1 x = need_at ab.1 y ->
  need_at ab.2 x' = need_at ab.2 y' -> forall i, i < size (forms_of c) -> value (form_of c i) (ints (ssval x)) = value (form_of c i) (ints (ssval y)).
Proof.
have [c_ wl _ _] := pairs_all; have [a_ b_] := wl _ ab_in.
move: (ok); rewrite /pairs_ok pE => /and5P[_ _ _ _ /and3P[/allP ct _ _]].
move=> /(need_at_tells c_)[_ Ex] /(need_at_tells c_)[_ Ey] /(need_at_tells a_)[_ Ea] /(need_at_tells b_)[_ Eb] i il.
have := ct i; rewrite mem_iota add0n => /(_ il)/orP[] /(has_nthP (0%Z, [::]))[j jl al].
  by rewrite !(alikeE _ al); exact: Ea.
by rewrite (Ex i) // (Ey i) // !(alikeE _ al); exact: Eb.
Qed.
Lemma loops_told t (x y : steps) : all (fun l => loop_told tx cl l (forms_of t ++ forms_of c)) (iota 0 (size (ext at_))) ->
  (forall i, i < size (forms_of t) -> value (form_of t i) (ints (ssval x)) = value (form_of t i) (ints (ssval y))) ->
  (forall i, i < size (forms_of c) -> value (form_of c i) (ints (ssval x)) = value (form_of c i) (ints (ssval y))) -> x = y.
Proof.
move=> /allP tl Et Ec; apply/val_inj/(@eq_from_nth _ 0) => /=; have xi := step_inside x; have yi := step_inside y.
  by rewrite (inside_size xi) (inside_size yi).
rewrite (inside_size xi) size_map => l ll; have := tl l; rewrite mem_iota add0n => /(_ ll)/orP[one|].
  have := inside_nth xi (l := l); have := inside_nth yi (l := l); rewrite size_map => /(_ ll) + /(_ ll).
  by rewrite (nth_map 0%num) //; move: one; move: (nth _ _ l) (nth _ (ssval x) l) (nth _ (ssval y) l) => d v w; clear; lia.
rewrite has_cat => h; suff : value (variable l) (ints (ssval x)) = value (variable l) (ints (ssval y)).
  by rewrite !value_variable !(nth_map 0) ?(inside_size xi) ?(inside_size yi) ?size_map // => /Nat2Z.inj.
by case/orP: h => /(has_nthP (0%Z, [::]))[j jl al]; rewrite !(alikeE _ al); [apply: Et | apply: Ec].
Qed.
Lemma pairs_tell x x' y y' : need_at c x = need_at c x' -> need_at c y = need_at c y' -> need_at ab.1 x = need_at ab.1 y ->
  need_at ab.2 x' = need_at ab.2 y' -> x = y /\ x' = y'.
Proof.
move=> Ex Ey Ea Eb; have ct := centre_told Ex Ey Ea Eb.
have [c_ wl _ _] := pairs_all; have [a_ b_] := wl _ ab_in.
have ct' i : i < size (forms_of c) -> value (form_of c i) (ints (ssval x')) = value (form_of c i) (ints (ssval y')).
  move=> il; have [_ h] := need_at_tells c_ Ex; have [_ h'] := need_at_tells c_ Ey; by rewrite -h // -h' // ct.
move: (ok); rewrite /pairs_ok pE => /and5P[_ _ _ _ /and3P[_ lt _]].
have [_ Fa] := need_at_tells a_ Ea; have [_ Fb] := need_at_tells b_ Eb.
split; [apply: (loops_told (t := ab.1)) ct | apply: (loops_told (t := ab.2)) ct'].
- by apply: sub_all lt => l /andP[].
- by move=> i il; apply: Fa.
- by apply: sub_all lt => l /andP[].
by move=> i il; apply: Fb.
Qed.
Lemma pairs_ordered x x' y y' : need_at c x = need_at c x' -> need_at c y = need_at c y' -> need_at ab.1 x = need_at ab.2 y' ->
  need_at ab.2 x' = need_at ab.1 y -> False.
Proof.
have [c_ wl _ _] := pairs_all; have [a_ b_] := wl _ ab_in.
move: (ok); rewrite /pairs_ok pE => /and5P[_ _ /and4P[ol al bl ac] or _].
move=> /(need_at_tells c_)[_ /(_ _ ol ol) Ex] /(need_at_tells c_)[_ /(_ _ ol ol) Ey].
move=> /(need_at_tells a_)[_ /(_ _ al bl) Ea] /(need_at_tells b_)[_ /(_ _ bl al) Eb].
have more_ (z : steps) : (value (form_of ab.2 (order_at p)) (ints (ssval z)) < value (form_of ab.1 (order_at p)) (ints (ssval z)))%Z.
  have [r im hr] := in_regions z or; have := implies_ok im (step_inside z) hr; rewrite !value_less /value /=; clear; lia.
have := more_ y'; rewrite -Ea (alikeE x ac) Ex -(alikeE x' ac) => lt; apply: (Z.lt_irrefl (value (form_of ab.1 (order_at p)) (ints (ssval y')))).
apply: Z.lt_trans lt; have := more_ x'; by rewrite Eb (alikeE y ac) Ey -(alikeE y' ac).
Qed.

(* the words of a pair at steps S *)
Definition row_words (S : {set steps}) (cd : nat * nat) : {set option G} := (need_at cd.1 @: S) :|: (need_at cd.2 @: S).
Lemma more_words S cd : cd \in more -> #|row_words S ab| <= #|row_words S cd|.
Proof.
move=> cin; have [c_ wl _ comp] := pairs_all; have [a_ b_] := wl _ ab_in.
have cin' : cd \in rows p by rewrite pE inE cin orbT.
have [a2_ b2_] := wl _ cin'; move: (ok); rewrite /pairs_ok pE => /and5P[_ _ _ _ /and3P[_ _ /allP/(_ _ cin)/andP[/eqP sz /allP rt]]].
pose pick_ (w : option G) : option G := if [pick x in S | need_at cd.1 x == w] is Some x then need_at ab.1 x
  else if [pick x in S | need_at cd.2 x == w] is Some x then need_at ab.2 x else None.
have same_row t t' x y : (t, t') \in [:: (ab.1, cd.1); (ab.2, cd.2)] -> forall u u', (u, u') \in [:: (ab.1, cd.1); (ab.2, cd.2)] ->
    need_at t' x = need_at u' y -> need_at t x = need_at u y.
  move=> ti u u' ui E.
  have t'l : t' < size (wants cl) by move: ti; rewrite !inE => /orP[] /eqP[_ ->].
  have [_ F] := need_at_tells t'l E; rewrite /need_at; congr word_of.
  have cE : comp_of t = comp_of ab.1 by move: ti; rewrite !inE => /orP[] /eqP[-> _] //; apply: comp ab_in.
  have cE' : comp_of u = comp_of ab.1 by move: ui; rewrite !inE => /orP[] /eqP[-> _] //; apply: comp ab_in.
  have sE : size (forms_of t) = size (forms_of ab.1) by move: ti; rewrite !inE => /orP[] /eqP[-> _].
  have sE' : size (forms_of u) = size (forms_of ab.1) by move: ui; rewrite !inE => /orP[] /eqP[-> _].
  rewrite cE cE'; congr pair; apply: (@eq_from_nth _ 0%Z); rewrite !size_map sE ?sE' // => i il.
  rewrite !(nth_map (0%Z, [::])) ?sE ?sE' //; have := rt i; rewrite mem_iota add0n => /(_ il)/hasP[j].
  rewrite mem_iota add0n leq_min => /and3P[_ j1 j2] /andP[l1 l2].
  have vt : value (form_of t i) (ints (ssval x)) = value (form_of t' j) (ints (ssval x)).
    by move: ti; rewrite !inE => /orP[] /eqP[-> ->]; apply: alikeE.
  have vu : value (form_of u i) (ints (ssval y)) = value (form_of u' j) (ints (ssval y)).
    by move: ui; rewrite !inE => /orP[] /eqP[-> ->]; apply: alikeE.
  rewrite -/(form_of t i) -/(form_of u i) vt vu; apply: F.
    by move: ti; rewrite !inE => /orP[] /eqP[_ ->].
  by move: ui; rewrite !inE => /orP[] /eqP[_ ->].
have i1 : (ab.1, cd.1) \in [:: (ab.1, cd.1); (ab.2, cd.2)] by rewrite mem_head.
have i2 : (ab.2, cd.2) \in [:: (ab.1, cd.1); (ab.2, cd.2)] by rewrite !inE eqxx orbT.
suff sub : row_words S ab \subset pick_ @: row_words S cd by apply: leq_trans (subset_leq_card sub) (leq_imset_card _ _).
apply/subsetP => w /setUP[] /imsetP[x xS ->]; apply/imsetP.
  exists (need_at cd.1 x); first by rewrite inE imset_f.
  rewrite /pick_; case: pickP => [y /andP[_ /eqP E]|/(_ x)]; last by rewrite xS eqxx.
  exact: (same_row _ _ _ _ i1 _ _ i1 (esym E)).
exists (need_at cd.2 x); first by rewrite inE orbC imset_f.
rewrite /pick_; case: pickP => [y /andP[_ /eqP E]|_]; first exact: (same_row _ _ _ _ i2 _ _ i1 (esym E)).
case: pickP => [y /andP[_ /eqP E]|/(_ x)]; last by rewrite xS eqxx.
exact: (same_row _ _ _ _ i2 _ _ i2 (esym E)).
Qed.
Lemma pairs_words (Dw : {set option G}) (S : {set steps}) : (forall y, y \in S -> forall n, need n y \in Dw) ->
  size (rows p) * #|row_words S ab| + #|need_at c @: S| <= #|Dw|.
Proof.
move=> inD; have [c_ wl un comp] := pairs_all.
have here t x : t < size (wants cl) -> x \in S -> need_at t x \in Dw.
  by move=> tl xS; have lt : t < size forms by [rewrite size_map]; rewrite -(need_atE x lt); apply: inD.
pose comps := rcons [seq comp_of cd.1 | cd <- rows p] (comp_of c); have cs : size comps = (size (rows p)).+1 by rewrite size_rcons size_map.
pose kind (w : option G) : nat := if w is Some u then (name (ssval u)).1 else 0.
have kindE t x : t < size (wants cl) -> kind (need_at t x) = comp_of t.
  by move=> tl; have [u -> E] := need_at_comp x tl.
pose P (w : option G) : 'I_(size (rows p)).+1 := inord (seq.index (kind w) comps).
have P_row i (il : i < size (rows p)) w : w \in row_words S (nth ab (rows p) i) -> (w \in Dw) && (P w == inord i).
  have nin := mem_nth ab il; have [a_ b_] := wl _ nin.
  have iE : seq.index (comp_of (nth ab (rows p) i).1) comps = i.
    rewrite -(nth_map _ 0 (fun cd => comp_of cd.1)) // -[nth 0 _ i](_ : nth 0 comps i = _) ?index_uniq ?cs ?leqW //.
    by rewrite nth_rcons size_map il.
  by case/setUP=> /imsetP[x xS ->]; rewrite here //= /P kindE // ?comp // iE.
have P_centre w : w \in need_at c @: S -> (w \in Dw) && (P w == ord_max).
  case/imsetP=> x xS ->; rewrite here //= /P kindE //.
  have cE : nth 0 comps (size (rows p)) = comp_of c by rewrite nth_rcons size_map ltnn eqxx.
  have -> : seq.index (comp_of c) comps = size (rows p) by rewrite -cE index_uniq ?cs.
  by apply/eqP/val_inj; rewrite /= inordK.
rewrite -(count_fibers Dw P) big_ord_recr /=; apply: leq_add; last first.
  by apply/subset_leq_card/subsetP => w wc; rewrite inE P_centre.
apply: (@leq_trans (\sum_(i < size (rows p)) #|row_words S ab|)); first by rewrite sum_nat_const card_ord.
apply: leq_sum => i _.
have le : #|row_words S ab| <= #|row_words S (nth ab (rows p) i)|.
  case: i => -[|i] il; rewrite /= pE //=; apply: more_words; apply: mem_nth; by rewrite pE in il.
apply: leq_trans le _; apply/subset_leq_card/subsetP => w wi; rewrite inE; have /andP[-> /eqP ->] := P_row i (ltn_ord i) w wi.
by apply/eqP/val_inj; rewrite /= inordK // ltnS ltnW.
Qed.
Lemma pairs_at_most X h : X ^ 3 * 2 < 27 * (size (rows p) * h.+1) ^ 2 -> needs_at_most need X h.
Proof.
move=> small Dw S le inD; have sum := leq_trans (pairs_words inD) le.
have two := @ordered_pairs _ _ _ (need_at c) (need_at ab.1) (need_at ab.2) S (row_words S ab) pairs_tell pairs_ordered.
have {}two : 2 * #|S| ^ 2 <= #|need_at c @: S| * #|row_words S ab| ^ 2.
  by apply: two => x xS; rewrite !inE !imset_f ?orbT.
have q0 : 0 < size (rows p) by rewrite pE.
have q1 : (size (rows p) * h.+1).-1.+1 = size (rows p) * h.+1 by rewrite prednK // muln_gt0 q0.
have H : 2 * (size (rows p) * #|S|) ^ 2 <= #|need_at c @: S| * (size (rows p) * #|row_words S ab|) ^ 2.
  by rewrite !expnMn mulnCA [X in _ <= X]mulnCA leq_mul2l two orbT.
have := ordered_at_most (h := (size (rows p) * h.+1).-1) _ sum H; rewrite q1 => /(_ small).
by rewrite -ltnS q1 ltn_pmul2l // ltnS.
Qed.
End Pairs.

Lemma pairs_can p X h : few_by_pairs tx cl p X h -> needs_at_most need (nat_ X) (nat_ h).
Proof.
case/andP=> good /N.ltb_lt lt; case E: (rows p) => [|ab more]; first by rewrite /pairs_ok E in good.
apply: (pairs_at_most E good); move: lt; move: (size _) => q lt.
have e1 : nat_ (X ^ 3 * 2)%num = nat_ X ^ 3 * 2 by rewrite N2Nat.inj_mul StatementCertificate.powN.
have e2 : nat_ (27 * (N.of_nat q * (h + 1)) ^ 2)%num = 27 * (q * (nat_ h).+1) ^ 2.
  have -> : (nat_ h).+1 = nat_ (h + 1)%num by clear; lia.
  by rewrite N2Nat.inj_mul StatementCertificate.powN N2Nat.inj_mul Nat2N.id.
by rewrite -e1 -e2; move: lt; clear; lia.
Qed.
Lemma card_steps : nat_ (steps_of tx cl) <= #|steps|.
Proof.
rewrite card_seq_sub ?filter_uniq ?box_uniq //; apply: regions_size; by case/and5P: cok => _ _ _ _ /andP[].
Qed.
End Sound.
