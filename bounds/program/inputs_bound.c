/* What a play of an interaction program moves, and the inputs that are none of its words (docs/theory-lp.md, section
   11): the best of the covering and backward bounds, with these loads besides. */
#include "base/scoped.h"
#include "base/json.h"
#include "bounds/bound.h"
#include "bounds/certificate.h"
#include "bounds/proof.h"
#include "bounds/recognise/shape_covering.h"
#include <inttypes.h>
#include <string.h>

static bool is_of_pairs(const bound *b)
{
  return strcmp(b->name, "covering") == 0 || strcmp(b->name, "backward-12") == 0 || strcmp(b->name, "backward-14") == 0;
}

/* Its index in the list, or -1. */
static int best_of_pairs(const bound_list *l)
{
  int best = -1;
  for (size_t i = 0; i < l->n; i++)
    if (is_of_pairs(&l->item[i]) && bound_has_certificate(&l->item[i]) &&
        (best < 0 || mpz_cmp(l->item[i].value, l->item[best].value) > 0))
      best = (int)i;
  return best;
}

static void write_parameters(const bound *of, uint64_t others, text *out)
{
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  json_put_uint(&j, "inputs", others);
  json_put_string(&j, "theorem", of->name);
  json_key(&j, "parameters");
  json_raw(&j, text_str(&of->parameters));
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

static void add_record(const bound_question *q, const bound_list *from, int best, uint64_t others, bound_list *out)
{
  bound *b = bound_list_add(out, "pairs-and-inputs", BOUND_PROVED, from->item[best].models,
                            "docs/theory-lp.md, section 11");
  const bound *of = &from->item[best]; /* a new record may move the old ones */
  mpz_add_ui(b->value, of->value, others);
  write_parameters(of, others, &b->parameters);
  if (q->want_proof) {
    proof say = { &b->proof, &b->proof_latex };
    text_add(&b->proof, text_str(&of->proof));
    text_add(&b->proof_latex, text_str(&of->proof_latex));
    proof_tell(&say, "program/inputs_bound/others", "others %lu, value %Zd", (unsigned long)others, b->value);
  }
}

/* The bounds stand in the list before this one, unless it alone was asked for. */
static status apply_inputs(const bound_question *q, bound_list *out, diag *d)
{
  bound_list own = { 0 };
  cover_shape shape;
  status st = OK;
  if (q->theorem) {
    st = bound_theorem_find("covering")->apply(q, &own, d);
    st = st == OK ? bound_theorem_find("backward")->apply(q, &own, d) : st;
  }
  const bound_list *from = q->theorem ? &own : out;
  int best = best_of_pairs(from);
  if (st == OK && best >= 0 && bound_cover_find(q->g, q->live, &shape) && shape.others > 0)
    add_record(q, from, best, shape.others, out);
  bound_list_clear(&own);
  return st;
}

BOUND_THEOREM(75, inputs) = {
  .name = "pairs-and-inputs",
  .summary = "work at pairs, and inputs that no pair's words are",
  .source = "docs/theory-lp.md, section 11",
  .apply = apply_inputs,
};
