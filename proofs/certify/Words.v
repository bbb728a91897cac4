(* Words of an affine text, called by their names: a component, and numbers. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma all2_eqb (a b : seq Z) : all2 Z.eqb a b -> a = b.
Proof. by elim: a b => [|x a IH] [|y b] //= /andP[/Z.eqb_eq -> /IH ->]. Qed.
Lemma all2_refl (a : seq Z) : all2 Z.eqb a a.
Proof. by elim: a => //= x a ->; rewrite Z.eqb_refl. Qed.
Definition same_name (a b : nat * seq Z) : bool := (a.1 == b.1) && all2 Z.eqb a.2 b.2.
Lemma same_nameP a b : reflect (a = b) (same_name a b).
Proof.
apply: (iffP idP) => [/andP[/eqP E /all2_eqb E']|->]; last by rewrite /same_name eqxx all2_refl.
by case: a b E E' => [? ?] [? ?] /= -> ->.
Qed.

(* the word of a name: a vertex that has it, if there is one *)
Section Named.
Variables (G : finType) (name_of : G -> nat * seq Z).
Definition word_named (n : nat * seq Z) : option G := [pick u : G | same_name (name_of u) n].
Lemma word_named_name (v : G) n : name_of v = n -> exists2 u, word_named n = Some u & name_of u = n.
Proof. by move=> E; rewrite /word_named; case: pickP => [u /same_nameP uE|/(_ v)/same_nameP/(_ E)//]; exists u. Qed.
Lemma word_named_inj (v : G) n n' : name_of v = n -> word_named n = word_named n' -> n = n'.
Proof. by move=> /word_named_name[u -> uE] /esym; rewrite /word_named; case: pickP => // w /same_nameP wE [E]; rewrite -wE -uE E. Qed.
End Named.
