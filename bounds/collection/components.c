/* Parts that share nothing: a play of all is a play of each, with all of M, so the least traffic of all is the sum. */
#include "base/scoped.h"
#include "base/json.h"
#include "bounds/bound.h"
#include "bounds/certificate.h"
#include "bounds/proof.h"
#include "cdag/parts.h"

typedef struct {
  const bound_question *q;
  mpz_t sum;
  unsigned models;
  json parameters;
  bool certified;              /* every part's bound is */
  text plain, latex;           /* what is said of the parts */
} summing;

static void add_bound(summing *s, const cdag_part *part, const bound *b)
{
  proof say = { &s->plain, &s->latex };
  SCOPED_MPZ all;
  mpz_init(all);
  mpz_mul_ui(all, b->value, part->copies);
  mpz_add(s->sum, s->sum, all);
  s->models &= b->models;
  s->certified &= bound_has_certificate(b);
  bound_certificate_part(b, &s->parameters);
  if (!s->q->want_proof)
    return;
  proof_say(&say, "%llu %s: each moves at least {%Zd} words, by the theorem %s.", (unsigned long long)part->copies,
            part->copies == 1 ? "part" : "parts that are alike", b->value, b->name);
  proof_paragraph(&say);
  text_add(&s->plain, text_str(&b->proof));
  text_add(&s->latex, text_str(&b->proof_latex));
}

/* The best bound of one part. */
static bool add_part(summing *s, const cdag_part *part, int parts)
{
  diag d = { 0 };
  cdag *g;
  bound_list list = { 0 };
  int best = -1;
  if (cdag_part_open(&g, s->q->g, part, &d) != OK)
    return false;
  bound_question q = *s->q;
  q.g = g;
  q.live = NULL;
  q.theorem = NULL; /* only this one was asked for, but of a part any will do */
  q.seconds = s->q->seconds / parts;
  bool found = bound_all(&q, &list, &best, &d) == OK && best >= 0;
  if (found)
    add_bound(s, part, &list.item[best]);
  bound_list_clear(&list);
  cdag_free(g);
  return found;
}

static void put_bound(summing *s, const cdag_parts *p, bound_list *out)
{
  bound *b = bound_list_add(out, "components", BOUND_PROVED, s->models, "docs/theory-collections.md, section 1");
  mpz_set(b->value, s->sum);
  if (s->certified)
    text_add(&b->parameters, text_str(&s->parameters.out));
  if (!s->q->want_proof)
    return;
  proof say = { &b->proof, &b->proof_latex };
  uint64_t parts = 0;
  for (int i = 0; i < p->n; i++)
    parts += p->part[i].copies;
  proof_tell(&say, "collection/components/bound", "parts %llu", (unsigned long long)parts);
  text_add(&b->proof, text_str(&s->plain));
  text_add(&b->proof_latex, text_str(&s->latex));
}

static status apply_components(const bound_question *q, bound_list *out, diag *d)
{
  cdag_parts p;
  (void)d;
  if (q->g->graph)
    return OK;
  cdag_parts_find(q->g, &p);
  if (cdag_parts_several(&p)) {
    summing s = { .q = q, .models = ~0u, .certified = true };
    mpz_init(s.sum);
    json_open(&s.parameters, '{');
    json_key(&s.parameters, "parts");
    json_open(&s.parameters, '[');
    bool all = true;
    for (int i = 0; i < p.n && all; i++)
      all = add_part(&s, &p.part[i], p.n);
    json_close(&s.parameters, ']');
    json_close(&s.parameters, '}');
    if (all)
      put_bound(&s, &p, out);
    mpz_clear(s.sum);
    json_clear(&s.parameters);
    text_clear(&s.plain);
    text_clear(&s.latex);
  }
  cdag_parts_clear(&p);
  return OK;
}

BOUND_THEOREM(145, components) = {
  .name = "components",
  .summary = "parts that share nothing: the sum of their bounds",
  .source = "docs/theory-collections.md, section 1",
  .apply = apply_components,
};
