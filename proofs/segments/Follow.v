(* docs/theory-lp.md section 5 (i): values followed back through loads and stores; residencies. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Follow.
Variables (game : rules) (M : nat) (G : cdag) (s : seq (move G)).
Hypothesis ok : legal game M s.
Let R i := red (pos (start G) s i).
Let B i := blue (pos (start G) s i).

(* The times of the computes that made the values of the red and of the blue pebble on v at time i. *)
Fixpoint origin (i : nat) (v : G) : nat * nat :=
  if i is i'.+1 then
    let (r, b) := origin i' v in
    match mv s i' with
    | Some (Load w) => if w == v then (b, b) else (r, b)
    | Some (Store w) => if w == v then (r, r) else (r, b)
    | Some (Compute w) | Some (Slide _ w) => if w == v then (i', b) else (r, b)
    | _ => (r, b)
    end
  else (0, 0).
Definition ro i v := (origin i v).1.
Definition bo i v := (origin i v).2.

(* the value computed at time c is on v at time i, red or blue *)
Definition redc c i v := (v \in R i) && (ro i v == c).
Definition bluec c i v := (v \in B i) && (bo i v == c).

Lemma redc_step c i v : redc c i.+1 v ->
  [\/ redc c i v, loads s i v /\ bluec c i v | computes s i v /\ c = i].
Proof.
have lg m : mv s i = Some m -> allowed game (pos (start G) s i) m by case/(legal_at ok).
rewrite /redc /bluec /ro /bo /R /B posS /loads /computes /=.
case: (origin i v) => r b; case E: (mv s i) => [[w|w|w|u w|w|w]|] /=; rewrite ?inE.
- case: (eqVneq w v) => [E'|nw]; last by constructor 1.
  by move: (lg _ E); rewrite /= E' => /andP[-> _] /= ->; constructor 2.
- by case: (eqVneq w v) => _; constructor 1.
- case: (eqVneq w v) => [E'|nw]; last by constructor 1.
  by move=> /= /eqP <-; constructor 3.
- case: (eqVneq w v) => [E'|nw]; last first.
    by move=> /= /andP[/andP[_ ->] ->]; constructor 1.
  by move=> /= /eqP <-; constructor 3.
- by move=> /andP[/andP[_ ->] ->]; constructor 1.
- by move=> ->; constructor 1.
- by move=> ->; constructor 1.
Qed.

Lemma bluec_step c i v : bluec c i.+1 v -> bluec c i v \/ stores s i v /\ redc c i v.
Proof.
have lg m : mv s i = Some m -> allowed game (pos (start G) s i) m by case/(legal_at ok).
rewrite /redc /bluec /ro /bo /R /B posS /stores /=.
case: (origin i v) => r b; case E: (mv s i) => [[w|w|w|u w|w|w]|] /=; rewrite ?inE.
- by case: (eqVneq w v) => _; left.
- case: (eqVneq w v) => [E'|nw]; last by left.
  by move: (lg _ E); rewrite /= E' => /andP[-> _] /= ->; right.
- by case: (eqVneq w v) => _; left.
- by case: (eqVneq w v) => _; left.
- by left.
- by move=> /andP[/andP[_ ->] ->]; left.
- by left.
Qed.

Lemma computed_redc c v : computes s c v -> redc c c.+1 v.
Proof.
rewrite /redc /ro /R posS /computes /=.
by case: (origin c v) => r b; case: (mv s c) => [[w|w|w|u w|w|w]|] //= /eqP ->;
  rewrite !inE !eqxx.
Qed.

Lemma origin_computed i v : v \notin input G ->
  (v \in R i -> ro i v < i /\ computes s (ro i v) v) /\
  (v \in B i -> bo i v < i /\ computes s (bo i v) v).
Proof.
move=> vI; elim: i => [|i [IHr IHb]].
  by rewrite /R /B (R0 s) (B0 s) inE (negbTE vI).
have rc c : redc c i v -> c < i /\ computes s c v by case/andP=> /IHr h /eqP <-.
have bc c : bluec c i v -> c < i /\ computes s c v by case/andP=> /IHb h /eqP <-.
split=> vi.
  have : redc (ro i.+1 v) i.+1 v by rewrite /redc vi eqxx.
  by case/redc_step => [/rc[]|[_ /bc[]]|[cc ->]] // l cc; split => //; apply: leqW.
have : bluec (bo i.+1 v) i.+1 v by rewrite /bluec vi eqxx.
by case/bluec_step => [/bc[]|[_ /rc[]]] l cc; split => //; apply: leqW.
Qed.

(* A value computed at c and still there at i was there, red or blue, at every time between. *)
Lemma survive c i v : redc c i v || bluec c i v -> forall t, c < t <= i -> redc c t v || bluec c t v.
Proof.
elim: i => [|i IH]; first by move=> _ t; clear; lia.
move=> H t /andP[ct]; rewrite leq_eqVlt ltnS => /orP[/eqP->//|ti].
apply: IH; last by rewrite ct.
case/orP: H => [/redc_step[->//|[_ ->]|[_ E]]|/bluec_step[->|[_ ->]]]; rewrite ?orbT //.
by move: ct ti; rewrite E; clear; lia.
Qed.

(* Without a load it was red all the time. *)
Lemma no_load c i v t : redc c i v -> c < t <= i -> (forall j, t <= j < i -> ~~ loads s j v) ->
  redc c t v.
Proof.
elim: i => [|i IH] rd /andP[ct]; first by move: ct; clear; lia.
rewrite leq_eqVlt ltnS => /orP[/eqP->//|ti] nl.
apply: IH; last by move=> j ji; apply: nl; move: ji; clear; lia.
  case/redc_step: rd => [//|[l _]|[_ E]]; last by move: ct ti; rewrite E; clear; lia.
  by have := nl i; rewrite l ti ltnSn => /(_ isT).
by rewrite ct.
Qed.

(* A blue pebble with the value of the compute at c was stored after c. *)
Lemma blue_store c m v : computes s c v -> v \notin input G -> bluec c m v -> c < m ->
  exists2 t, c < t < m & stores s t v.
Proof.
move=> cc vI; elim: m => [|m IH] bl; first by [].
rewrite ltnS leq_eqVlt => /orP[/eqP E|cm].
  case/bluec_step: bl => [/andP[/(proj2 (origin_computed m vI))[l _] /eqP E']|[st /andP[_ _]]].
    by move: l; rewrite E' E ltnn.
  by move: cc st; rewrite E /computes /stores; case: (mv s m) => [[]|].
case/bluec_step: bl => [/IH[//|t tm st]|[st _]]; first by exists t => //; move: tm; clear; lia.
by exists m => //; rewrite cm ltnSn.
Qed.
End Follow.
