(* docs/theory-lp.md section 11: inputs besides.  A play of a computation, its moves of some inputs B left out, is a play of what is left
   when B is taken away, with no more pebbles; and B is loaded besides.  So any bound of what is left may be used.  For any CDAG. *)
From mathcomp Require Import all_ssreflect zify_ssreflect.
From redblue Require Import Game Trace Count.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* H is G without some inputs that matter; what is computed still reads something. *)
Section Besides.
Variables (G H : cdag) (e : H -> G).
Definition others : {set G} := [set v | v \notin codom e].
Record besides : Prop := Besides {
  bs_inj : injective e;
  bs_edge : forall u v, edge (e u) (e v) = edge u v;
  bs_output : forall v, (v \in output H) = (e v \in output G);
  bs_needed : others \subset needed G;
  bs_kept : forall v : G, v \notin input G -> exists2 u : G, edge u v & u \notin others }.
Hypothesis bs : besides.
Implicit Types (p : position G) (m : move G) (A : {set G}).

Lemma not_other v : e v \notin others. Proof. by rewrite inE negbK codom_f. Qed.
Lemma others_input (v : G) : v \in others -> v \in input G.
Proof. by move/(subsetP (bs_needed bs)); rewrite inE => /andP[]. Qed.
Lemma left_input v : (v \in input H) = (e v \in input G).
Proof.
apply/idP/idP => [vI|]; last by rewrite !inE => /forallP K; apply/forallP => u; rewrite -(bs_edge bs); apply: K.
apply/negPn/negP => /(bs_kept bs)[u uv]; rewrite inE negbK => /codomP[u' uE].
by move: vI; rewrite inE => /forallP/(_ u'); rewrite -(bs_edge bs) -uE uv.
Qed.
Definition back (v : G) : option H := [pick u | e u == v].
Variant back_spec (v : G) : option H -> Type :=
  | Kept u of e u = v : back_spec v (Some u)
  | Other of v \in others : back_spec v None.
Lemma backP v : back_spec v (back v).
Proof.
rewrite /back; case: pickP => [u /eqP uE|no]; [by constructor | constructor]; rewrite inE.
by apply/negP => /codomP[u uE]; have := no u; rewrite uE eqxx.
Qed.

(* ---- the play without them ---- *)
Definition left A : {set H} := e @^-1: A.
Definition left_position p : position H := Position (left (red p)) (left (blue p)).
Definition left_move m : option (move H) :=
  match m with
  | Load v    => omap (@Load H) (back v)
  | Store v   => omap (@Store H) (back v)
  | Compute v => omap (@Compute H) (back v)
  | Slide u v => if back u is Some u' then omap (Slide u') (back v) else omap (@Compute H) (back v)
  | Drop v    => omap (@Drop H) (back v)
  | Erase v   => omap (@Erase H) (back v)
  end.
Definition left_play (s : seq (move G)) : seq (move H) := pmap left_move s.

Lemma left_card A : #|left A| <= #|A|.
Proof.
rewrite -(card_imset (mem (left A)) (bs_inj bs)); apply/subset_leq_card/subsetP => _ /imsetP[v vA ->].
by move: vA; rewrite inE.
Qed.
Lemma left_add v A : left (e v |: A) = v |: left A.
Proof. by apply/setP => u; rewrite !inE (inj_eq (bs_inj bs)). Qed.
Lemma left_take v A : left (A :\ e v) = left A :\ v.
Proof. by apply/setP => u; rewrite !inE (inj_eq (bs_inj bs)). Qed.
Lemma other_add v A : v \in others -> left (v |: A) = left A.
Proof. by move=> vB; apply/setP => u; rewrite !inE; case: eqP => // uv; have := not_other u; rewrite uv vB. Qed.
Lemma other_take v A : v \in others -> left (A :\ v) = left A.
Proof. by move=> vB; apply/setP => u; rewrite !inE; case: eqP => // uv; have := not_other u; rewrite uv vB. Qed.
Lemma left_ready p v : ready p (e v) -> ready (left_position p) v.
Proof.
case/and3P=> vI vR /forallP rd; apply/and3P; split; [by rewrite left_input | by rewrite inE |].
by apply/forallP => u; apply/implyP => uv; rewrite inE; apply: (implyP (rd (e u))); rewrite (bs_edge bs).
Qed.
Lemma left_step game M p m : allowed game p m -> #|red (after p m)| <= M ->
  if left_move m is Some m' then [/\ allowed game (left_position p) m', #|red (after (left_position p) m')| <= M & after (left_position p) m' = left_position (after p m)]
  else left_position (after p m) = left_position p.
Proof.
move=> al le; have small := leq_trans (left_card (red (after p m))) le.
suff : if left_move m is Some m' then allowed game (left_position p) m' /\ after (left_position p) m' = left_position (after p m)
    else left_position (after p m) = left_position p.
  by case: (left_move m) => // m' [h E]; split=> //; rewrite E.
have noB v : ready p v -> v \in others -> False by move=> /and3P[vI _ _] /others_input; apply/negP.
case: m al {le small} => [v|v|v|u v|v|v] /= al.
- case: (backP v) al => [{}v <-|vB] al /=; last by rewrite /left_position /= other_add.
  by rewrite !inE al /left_position /= left_add.
- case: (backP v) al => [{}v <-|vB] al /=; last by rewrite /left_position /= other_add.
  by rewrite !inE al /left_position /= left_add.
- case: (backP v) al => [{}v <-|vB] al /=; last by case: (noB v al vB).
  by rewrite left_ready // /left_position /= left_add.
- case/and3P: al => gm uv rd; case: (backP v) uv rd => [{}v <-|vB] uv rd; last by case: (noB v rd vB).
  case: (backP u) uv => [{}u <-|uB] uv /=.
    by rewrite gm -(bs_edge bs) uv left_ready // /left_position /= left_add left_take.
  by rewrite left_ready // /left_position /= left_add other_take.
- case: (backP v) al => [{}v <-|vB] al /=; last by rewrite /left_position /= other_take.
  by rewrite !inE al /left_position /= left_take.
case: (backP v) al => [{}v <-|vB] al /=; last by rewrite /left_position /= other_take.
by rewrite !inE al /left_position /= left_take.
Qed.
Lemma left_legal game M (s : seq (move G)) : legal game M s -> legal game M (left_play s).
Proof.
rewrite /legal; have -> : start H = left_position (start G).
  by rewrite /left_position /start /=; congr Position; apply/setP => v; rewrite [RHS]inE; [rewrite !inE | exact: left_input].
elim: s (start G) => [|m s IH] p /=.
  by move/subsetP=> ob; apply/subsetP => v; rewrite (bs_output bs) inE; apply: ob.
case/and3P=> al le /IH{IH}; have := left_step al le; rewrite /left_play /=.
by case: (left_move m) => [m' [al' le' E]|->] //=; rewrite al' le' E.
Qed.

Definition loads_other m : bool := if m is Load v then v \in others else false.
Lemma left_cost (s : seq (move G)) : cost (left_play s) + count loads_other s <= cost s.
Proof.
rewrite /cost; elim: s => //= m s; rewrite /left_play /=; move: (pmap _ s) => s'.
case: m => [v|v|v|u v|v|v] /=; case: (backP v) => [x xE|vB] /=; [rewrite -?xE ?(negPf (not_other x)) | rewrite ?vB | | | | | | | | | |].
all: try by clear; lia.
all: by case: (backP u) => [u' _|_] /=; clear; lia.
Qed.
Lemma others_loaded game M (s : seq (move G)) : legal game M s -> #|others| <= count loads_other s.
Proof.
move=> ok; rewrite count_at /cnt; apply: (@card_rel _ _ _ _ (fun (i : 'I_(size s)) v => loads s i v)).
  by move=> i; apply: loads_fun.
move=> v vB; have := subsetP (bs_needed bs) _ vB; rewrite inE => /andP[vI /existsP[w /andP[vw lw]]].
have wI : w \notin input G by apply/negP; rewrite inE => /forallP/(_ v); rewrite vw.
have [i c] := live_computed ok lw wI; have [j _ l] := input_loaded ok vI (computes_edge ok c vw).
exists (Ordinal (loads_size l)) => //; rewrite inE /= (loads_size l) andbT; move: l; rewrite /loads /at_time /=.
by case: (mv s j) => [[x|x|x|x y|x|x]|] //= /eqP ->.
Qed.

Theorem inputs_besides game M (s : seq (move G)) : legal game M s ->
  exists2 s' : seq (move H), legal game M s' & cost s' + #|others| <= cost s.
Proof.
move=> ok; exists (left_play s); first exact: left_legal.
by apply: leq_trans (left_cost s); rewrite leq_add2l; exact: others_loaded ok.
Qed.

(* ---- paths ---- *)
Lemma connect_left u v : connect (@edge G) (e u) (e v) -> connect (@edge H) u v.
Proof.
case/connectP=> p; elim: p u => [|w p IH] u /=; first by move=> _ /(bs_inj bs) ->; exact: connect0.
case/andP=> uw pp E; have wI : w \notin input G by apply/negP; rewrite inE => /forallP/(_ (e u)); rewrite uw.
have : w \notin others by apply: contra wI; apply: others_input.
rewrite inE negbK => /codomP[w' wE]; rewrite wE in uw pp E.
by apply: connect_trans (IH w' pp E); apply: connect1; rewrite -(bs_edge bs).
Qed.
Lemma computed_left (v : G) : v \notin input G -> exists2 v', e v' = v & v' \notin input H.
Proof.
move=> vI; have : v \notin others by apply: contra vI; apply: others_input.
by rewrite inE negbK => /codomP[v' vE]; exists v'; rewrite // left_input -vE.
Qed.
Lemma live_left v : live (e v) -> live v.
Proof.
case/existsP=> o /andP[]; rewrite inE => /andP[oI oO] vo; have [o' oE oI'] := computed_left oI.
apply/existsP; exists o'; rewrite inE oI' (bs_output bs) oE oO /=; apply: connect_left; by rewrite oE.
Qed.
Lemma outputs_left : #|output G :\: input G| <= #|output H :\: input H|.
Proof.
rewrite -(card_imset (mem (output H :\: input H)) (bs_inj bs)); apply/subset_leq_card/subsetP => v; rewrite inE => /andP[vI vO].
by have [v' vE vI'] := computed_left vI; apply/imsetP; exists v' => //; rewrite inE vI' (bs_output bs) vE.
Qed.
End Besides.

(* A computation without some of its vertices; and with inputs besides, which some vertices read. *)
Section Without.
Variables (G : cdag) (B : {set G}).
Definition left_edge : rel {v : G | v \notin B} := fun u v => edge (val u) (val v).
Lemma left_acyclic : exists rank : {v : G | v \notin B} -> nat, forall u v, left_edge u v -> rank u < rank v.
Proof. by have [rank up] := acyclic G; exists (fun v => rank (val v)) => u v; apply: up. Qed.
Definition without : cdag := @Cdag [finType of {v : G | v \notin B}] left_edge [set v | val v \in output G] left_acyclic.
Lemma others_without : others (fun v : without => val v) = B.
Proof.
apply/setP => v; rewrite inE; apply/idP/idP => [|vB]; last by apply/negP => /codomP[u uE]; have := valP u; rewrite -uE vB.
by apply: contraR => vB; apply/codomP; exists (exist _ v vB : without).
Qed.
Lemma without_besides : B \subset needed G -> (forall v : G, v \notin input G -> exists2 u : G, edge u v & u \notin B) -> besides (fun v : without => val v).
Proof. by move=> BN kept; split; rewrite ?others_without //; [exact: val_inj | move=> v; rewrite inE]. Qed.
End Without.
Section With.
Variables (G : cdag) (X : finType) (read_by : X -> pred G).
Definition with_edge (u v : G + X) : bool :=
  match u, v with inl u, inl v => edge u v | inr x, inl v => read_by x v | _, inr _ => false end.
Lemma with_acyclic : exists rank : G + X -> nat, forall u v, with_edge u v -> rank u < rank v.
Proof. by have [rank up] := acyclic G; exists (fun v => if v is inl v then (rank v).+1 else 0) => -[u|x] [v|y] //= /up. Qed.
Definition with_inputs : cdag := @Cdag [finType of G + X] with_edge [set v | if v is inl v then v \in output G else false] with_acyclic.
Lemma others_with : #|others (fun v : G => inl v : with_inputs)| = #|X|.
Proof.
rewrite -cardsT -(card_imset [set: X] (f := fun x => inr x : with_inputs)); last by move=> x y [].
apply: eq_card => -[v|x]; rewrite inE.
  by rewrite codom_f; apply/esym/negP => /imsetP[].
rewrite imset_f //; apply/codomP => -[]//.
Qed.
Lemma with_besides : (forall v, v \in input G -> forall x, ~~ read_by x v) -> (forall x, exists2 v, read_by x v & live v) ->
  besides (fun v : G => inl v : with_inputs).
Proof.
move=> no reads; have same v : (inl v \in input with_inputs) = (v \in input G).
  apply/idP/idP; rewrite !inE => /forallP H; apply/forallP; first by move=> u; exact: (H (inl u)).
  by case=> [u|x] /=; [exact: H | apply: no; rewrite inE; apply/forallP].
split=> [u v []//|//|v||].
- by rewrite [RHS]inE.
- apply/subsetP => -[v|x]; first by rewrite inE codom_f.
  move=> _; have [v xv lv] := reads x; rewrite inE; apply/andP; split; first by rewrite inE; apply/forallP => -[].
  apply/existsP; exists (inl v); rewrite /= xv /=; case/existsP: lv => o /andP[]; rewrite inE => /andP[oI oO] vo.
  apply/existsP; exists (inl o); rewrite inE same oI inE oO /=.
  case/connectP: vo => p; elim: p v {xv} => [|w p IH] v /=; first by move=> _ ->; exact: connect0.
  by case/andP=> vw pp E; apply: connect_trans (IH w pp E); exact: connect1.
case=> [v|x]; last by rewrite inE => /negP[]; apply/forallP => -[].
rewrite same inE => /forallPn[u]; rewrite negbK => uv; exists (inl u) => //; by rewrite inE codom_f.
Qed.
End With.
