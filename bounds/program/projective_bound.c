/* The projective bound of the best statement of a CDAG (docs/theory-lp.md, section 7). */
#include "base/scoped.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/bound.h"
#include "bounds/leading.h"
#include "bounds/program/projective_bound.h"
#include <inttypes.h>
#include <math.h>

/* The statements of the computation that is asked about, as this bound takes them; to be freed. */
static projective_statements *find_statements(const bound_question *q)
{
  projective_statements *f = mem_new(1, sizeof *f);
  bound_live own;
  const bound_live *live = bound_live_of(q->g, q->live, &own);
  f->q = q;
  f->stores = live->outputs;
  for (int a = 0; a < q->g->arrays && f->n < PROJECTIVE_STATEMENTS; a++)
    f->n += bound_statement_find(q->g, live, a, &f->s[f->n]);
  bound_live_clear(&own);
  return f;
}

uint64_t projective_births(const bound_statement *s) { return s->seed >= 0 ? 0 : s->chains; }

/* ---- writing ---- */

static void write_item(json *j, const cdag *g, const proj_item *item)
{
  json_open(j, '{');
  json_put_int(j, "term", item->term);
  json_put_bool(j, "made", item->made);
  json_put_int(j, "loops", item->loops);
  if (item->made) {
    json_key(j, "of");
    json_open(j, '[');
    for (int k = 0; k < item->parts; k++) {
      json_open(j, '{');
      json_put_string(j, "array", g->array[item->part[k].array].name);
      json_put_int(j, "loops", item->part[k].loops);
      json_put_int(j, "words", item->part[k].words);
      json_put_int(j, "power", item->part[k].power);
      json_close(j, '}');
    }
    json_close(j, ']');
    json_put_int(j, "power_den", item->power_den);
    json_put_int(j, "factor", item->factor);
  }
  json_close(j, '}');
}

static void write_way(json *j, const cdag *g, const proj_statement *p, int way)
{
  const proj_way *w = &p->way[way];
  json_open(j, '{');
  json_key(j, "needs");
  json_open(j, '[');
  for (int t = 0; t < w->items; t++)
    write_item(j, g, &w->item[t]);
  json_close(j, ']');
  json_key(j, "exponents");
  json_open(j, '[');
  for (int k = 0; k < p->known[way]; k++) {
    const proj_exponents *e = &p->exponents[way][k];
    json_open(j, '{');
    json_put_int(j, "den", e->den);
    json_put_int64s(j, "needs", e->item, w->items);
    json_put_int64s(j, "loops", e->loop, w->loops);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
}

void projective_write_statement(json *j, const cdag *g, const bound_statement *s, const proj_statement *p)
{
  json_put_string(j, "statement", g->array[s->array].name);
  json_put_bool(j, "best_way_alone", p->best_way_alone);
  json_key(j, "ways");
  json_open(j, '[');
  for (int w = 0; w < p->ways; w++)
    write_way(j, g, p, w);
  json_close(j, ']');
}

/* ---- which exponents rule ---- */

static void steps_at(const proj_term *t, int64_t words, mpz_t steps)
{
  SCOPED_MPZ x;
  mpz_init_set_si(x, words);
  bound_proj_steps(t->way, t->exponents, x, steps);
}

static double degree(const proj_term *t)
{
  double s = 0;
  for (int i = 0; i < t->way->items; i++)
    for (int k = 0; k < t->way->item[i].parts; k++)
      s += (double)(t->exponents->item[i] * t->way->item[i].part[k].power) /
           (double)(t->exponents->den * t->way->item[i].power_den);
  return s;
}

/* h(X) = c X^s gives work (s-1)^(s-1) / (c s^s) / M^(s-1) at length M / (s-1). */
static void write_leading(const cdag *g, const bound_statement *s, const proj_statement *p, int64_t words, text *out)
{
  proj_term term[PROJ_WAYS], *t = &term[bound_proj_widest(p, (double)words, term)];
  double k = degree(t);
  SCOPED_MPZ h;
  mpz_init(h);
  if (k > 1.001 && t->exponents->den <= 8) {
    steps_at(t, words, h);
    double c = mpz_get_d(h) / pow((double)words, k);
    SCOPED_TEXT work = { 0 };
    segment_work_text(g, s, &work);
    bound_leading_term(pow(k - 1, k - 1) / (c * pow(k, k)), text_str(&work), k - 1, out);
  }
}

/* ---- the argument ---- */

static void say_number(text *t, int64_t num, int64_t den)
{
  int64_t a = num_gcd(num, den);
  if (den / a == 1)
    text_printf(t, "%" PRId64, num / a);
  else
    text_printf(t, "%" PRId64 "/%" PRId64, num / a, den / a);
}

static void name_item(const cdag *g, const proj_item *item, text *t)
{
  if (item->term < 0)
    text_add(t, "chains");
  else if (item->made)
    text_add(t, "values made");
  else
    text_printf(t, "%s", g->array[item->part[0].array].name);
}

/* What made items stand for. */
static const char *carried_name(const cdag *g, const proj_statement *p, int term)
{
  for (int t = 0; t < p->way[0].items; t++)
    if (p->way[0].item[t].term == term)
      return g->array[p->way[0].item[t].part[0].array].name;
  return "";
}

void projective_say_needs(const proof *say, const cdag *g, const proj_statement *p)
{
  const proj_way *make = &p->way[p->ways - 1];
  proof_say(say, "A step needs its chain: one of its words, or its birth");
  for (int t = 1; t < make->items; t++) {
    const proj_item *item = &make->item[t];
    if (!item->made) {
      proof_say(say, "; a word of %s", g->array[item->part[0].array].name);
      continue;
    }
    proof_tell(say, "program/projective_bound/carried", "carried %s", carried_name(g, p, item->term));
    for (int k = 0; k < item->parts; k++)
      proof_say(say, "%s {%ld} words of %s", k ? " and" : "", (long)item->part[k].words,
                g->array[item->part[k].array].name);
  }
  proof_tell(say, "program/projective_bound/others", "");
}

void projective_say_way(const proof *say, const cdag *g, const proj_term *term, const char *which, int64_t words)
{
  const proj_way *w = term->way;
  const proj_exponents *e = term->exponents;
  SCOPED_TEXT t = { 0 };
  mpz_t h;
  bool first = true;
  mpz_init(h);
  steps_at(term, words, h);
  for (int i = 0; i < w->items; i++) {
    if (!e->item[i])
      continue;
    text_add(&t, first ? "" : ", ");
    name_item(g, &w->item[i], &t);
    text_char(&t, ' ');
    say_number(&t, e->item[i], e->den);
    first = false;
  }
  for (int i = 0; i < w->loops; i++)
    if (e->loop[i]) {
      text_printf(&t, "%sa loop of %" PRId64 " values ", first ? "" : ", ", w->extent[i]);
      say_number(&t, e->loop[i], e->den);
      first = false;
    }
  proof_tell(say, "program/projective_bound/way", "which %s, list %s, words %ld, h %Zd", which, text_str(&t),
             (long)words, h);
  mpz_clear(h);
}

/* The other side of the exponents' linear program, for whoever wants to tile the loops.  Its numbers are logarithms: of
   fewer than two words there is nothing to say. */
static void say_tile(const proof *say, const cdag *g, const bound_statement *s, const proj_term *widest, int64_t words)
{
  double loop[PROJ_LOOPS];
  diag d;
  if (words < 2 || bound_proj_tile_estimate(widest->way, words, loop, &d) != OK)
    return;
  proof_say(say, "The same linear program has a tile on its other side: about");
  for (int r = 0; r < s->rank; r++)
    proof_say(say, "%s %s = {%.4g}", r ? "," : "", g->array[s->array].var[r], loop[r]);
  proof_say(say, ".");
  proof_paragraph(say);
}

static void write_proof(const bound_question *q, const bound_statement *s, const proj_statement *p,
                        const segment_problem *problem, const segment_cut *c, const segment_account *account,
                        bound *record)
{
  proof say = { &record->proof, &record->proof_latex };
  proj_term term[PROJ_WAYS];
  int64_t words = c->n > 1 ? (int64_t)q->m + c->length : c->first;
  proof_tell(&say, "program/projective_bound/steps", "sum %s, work %Zd, chains %lu", q->g->array[s->array].name,
             problem->work, (unsigned long)s->chains);
  projective_say_needs(&say, q->g, p);
  int widest = bound_proj_widest(p, (double)words, term);
  for (int w = 0; w < p->ways; w++)
    projective_say_way(&say, q->g, &term[w],
                       p->ways == 1 ? "Here"
                       : w == 0     ? "With every value carried,"
                                    : "With values made,",
                       words);
  if (p->ways > 1 && p->settled)
    proof_tell(&say, "program/projective_bound/settled", "");
  else if (p->ways > 1 && p->best_way_alone)
    proof_tell(&say, "program/projective_bound/mixture", "");
  else if (p->ways > 1)
    proof_tell(&say, "program/projective_bound/each-way", "");
  proof_paragraph(&say);
  say_tile(&say, q->g, s, &term[widest], words);
  segment_proof(&say, q, problem, c, account, "steps");
}

/* ---- one statement ---- */

typedef struct {
  int which; /* index of the statement */
  proj_statement p;
  double promise; /* estimate of events - births */
} candidate;

static segment_account account_of(const projective_statements *f, int i)
{
  return (segment_account){ .births = projective_births(&f->s[i]), .stores = f->stores };
}

static status try_statement(const projective_statements *f, int i, candidate *one, diag *d)
{
  SCOPED_MEM proj_objects *o = mem_new(1, sizeof *o);
  proj_statement *p = &one->p;
  double rate = 0;
  mpz_t steps;
  status st = OK;
  o->g = f->q->g;
  one->which = i;
  one->promise = -INFINITY;
  mpz_init_set_ui(steps, f->s[i].steps);
  if (bound_proj_of_statement(o, &f->s[i], p) && bound_proj_number(o, &p, 1)) {
    st = bound_proj_learn(p, (int64_t)f->q->m, steps, &rate, d);
    one->promise = rate * (double)f->s[i].steps - (double)projective_births(&f->s[i]);
  }
  mpz_clear(steps);
  return st;
}

static void write_parameters(const projective_statements *f, const candidate *best, const segment_problem *problem,
                             const segment_cut *c, const segment_account *account, text *out)
{
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  projective_write_statement(&j, f->q->g, &f->s[best->which], &best->p);
  segment_write(&j, problem, c, account);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

static status record_statement(const projective_statements *f, candidate *best, bound_list *out, diag *d)
{
  const bound_statement *s = &f->s[best->which];
  segment_account account = account_of(f, best->which);
  segment_problem problem = { bound_proj_work, bound_proj_guess, &best->p, { { 0 } }, (int64_t)f->q->m };
  segment_cut c;
  segment_cut_init(&c);
  mpz_init_set_ui(problem.work, s->steps);
  status st = bound_proj_events(&best->p, problem.work, (int64_t)f->q->m, &c, d);
  if (st == OK && c.n > 0) {
    bound *b = bound_list_add(out, "projective", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 7");
    segment_value(&c, &account, b->value);
    write_parameters(f, best, &problem, &c, &account, &b->parameters);
    write_leading(f->q->g, s, &best->p, (int64_t)f->q->m + c.length, &b->leading);
    if (f->q->want_proof)
      write_proof(f->q, s, &best->p, &problem, &c, &account, b);
  }
  mpz_clear(problem.work);
  segment_cut_clear(&c);
  return st;
}

static status best_statement(const projective_statements *f, bound_list *out, diag *d)
{
  candidate *best = MEM_NEW(candidate, 1), *one = MEM_NEW(candidate, 1);
  status st = OK;
  best->promise = -INFINITY;
  for (int i = 0; i < f->n && st == OK; i++) {
    st = try_statement(f, i, one, d);
    if (one->promise > best->promise) {
      candidate *t = best;
      best = one, one = t;
    }
  }
  if (st == OK && best->promise > -INFINITY)
    st = record_statement(f, best, out, d);
  mem_free(best);
  mem_free(one);
  return st;
}

static status apply_projective(const bound_question *q, bound_list *out, diag *d)
{
  if (q->g->graph || q->m == 0 || q->m > INT64_MAX / 4096) /* no word at all: nothing to weigh against */
    return OK;
  projective_statements *f = find_statements(q);
  status st = best_statement(f, out, d);
  if (st == OK && f->n > 1)
    st = projective_add_sum(f, out, d);
  mem_free(f);
  return st;
}

BOUND_THEOREM(90, projective) = {
  .name = "projective",
  .summary = "any reduction statement: exponents of its projections",
  .source = "docs/theory-lp.md, section 7",
  .apply = apply_projective,
};
