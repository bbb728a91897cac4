/* What is made of an input of its own is given: a play is one of the computation in which these elements are inputs
   (docs/theory-collections.md, section 3). */
#include "base/scoped.h"
#include "base/json.h"
#include "bounds/bound.h"
#include "bounds/certificate.h"
#include "bounds/proof.h"
#include "bounds/recognise/shape.h"
#include "cdag/given.h"
#include "cdag/parts.h"

/* Do parts that share nothing answer for themselves? */
static bool falls_apart(const cdag *g)
{
  cdag_parts p;
  cdag_parts_find(g, &p);
  bool apart = cdag_parts_several(&p);
  cdag_parts_clear(&p);
  return apart;
}

/* Inputs that matter beyond as many as are left. */
static uint64_t inputs_besides(const bound_question *q, const cdag *left)
{
  bound_live own;
  cdag_counts c;
  diag d = { 0 };
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  uint64_t more = cdag_count(left, &c, &d) == OK && l->inputs > c.inputs ? l->inputs - c.inputs : 0;
  bound_live_clear(&own);
  return more;
}

static void put_bound(const bound_question *q, const cdag *left, uint64_t stored, const bound *of, bound_list *out)
{
  uint64_t besides = inputs_besides(q, left);
  bound *b =
      bound_list_add(out, "given", BOUND_PROVED, of->models & BOUND_ANY, "docs/theory-collections.md, section 3");
  mpz_add_ui(b->value, of->value, besides);
  mpz_add_ui(b->value, b->value, stored);
  if (bound_has_certificate(of)) {
    SCOPED_JSON j = { 0 };
    json_open(&j, '{');
    json_put_uint(&j, "besides", besides);
    json_put_uint(&j, "stored", stored);
    json_key(&j, "left");
    bound_certificate_part(of, &j);
    json_close(&j, '}');
    text_add(&b->parameters, text_str(&j.out));
  }
  if (!q->want_proof)
    return;
  proof say = { &b->proof, &b->proof_latex };
  proof_tell(&say, "collection/given/bound", "left %lu, besides %lu, stored %lu, theorem %s",
             (unsigned long)left->vertices, (unsigned long)besides, (unsigned long)stored, of->name);
  text_add(&b->proof, text_str(&of->proof));
  text_add(&b->proof_latex, text_str(&of->proof_latex));
}

static status apply_given(const bound_question *q, bound_list *out, diag *d)
{
  (void)d;
  uint64_t stored;
  cdag *g = q->g->graph || falls_apart(q->g) ? NULL : cdag_given_open(q->g, &stored);
  if (!g)
    return OK;
  diag own = { 0 };
  bound_list list = { 0 };
  int best = -1;
  bound_question of_left = *q;
  of_left.g = g;
  of_left.live = NULL;
  of_left.theorem = NULL; /* only this one was asked for, but of what is left any will do */
  of_left.seconds = q->seconds / 2;
  if (bound_all(&of_left, &list, &best, &own) == OK && best >= 0)
    put_bound(q, g, stored, &list.item[best], out);
  bound_list_clear(&list);
  cdag_free(g);
  return OK;
}

BOUND_THEOREM(147, given) = {
  .name = "given",
  .summary = "what is made of an input of its own is given: the bound of what is left",
  .source = "docs/theory-collections.md, section 3",
  .apply = apply_given,
};
