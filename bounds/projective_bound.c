/* The projective bounds of a CDAG: of its best statement, and of several statements together (docs/theory-lp.md, section 7). */
#include "base/json.h"
#include "base/mem.h"
#include "bounds/bounds_internal.h"
#include "bounds/projective_shape.h"
#include <inttypes.h>
#include <math.h>

enum { MOST_STATEMENTS = 16 };

typedef struct {
  const bound_question *q;
  uint64_t stores;
  int n;
  bound_statement s[MOST_STATEMENTS];
} found;

static found *find_statements(const bound_question *q)
{
  found *f = mem_new(1, sizeof *f);
  bound_live live;
  bound_live_find(q->g, &live);
  f->q = q;
  f->stores = live.outputs;
  for (int a = 0; a < q->g->arrays && f->n < MOST_STATEMENTS; a++)
    f->n += bound_statement_find(q->g, &live, a, &f->s[f->n]);
  bound_live_clear(&live);
  return f;
}

static uint64_t births_of(const bound_statement *s) { return s->seed >= 0 ? 0 : s->chains; }

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

static void write_integers(json *j, const char *key, const int64_t *v, int n)
{
  json_key(j, key);
  json_open(j, '[');
  for (int i = 0; i < n; i++)
    json_int(j, v[i]);
  json_close(j, ']');
}

/* The exponents that give the least at so many words. */
static const proj_exponents *best_exponents(const proj_statement *p, int way, int64_t words)
{
  const proj_exponents *best = NULL;
  mpz_t least, one;
  mpz_inits(least, one, NULL);
  for (int k = 0; k < p->known[way]; k++) {
    bound_proj_steps(&p->way[way], &p->exponents[way][k], words, one);
    if (!best || mpz_cmp(one, least) < 0) {
      mpz_set(least, one);
      best = &p->exponents[way][k];
    }
  }
  mpz_clears(least, one, NULL);
  return best;
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
    write_integers(j, "needs", e->item, w->items);
    write_integers(j, "loops", e->loop, w->loops);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
}

static void write_statement(json *j, const cdag *g, const bound_statement *s, const proj_statement *p)
{
  json_put_string(j, "statement", g->array[s->array].name);
  json_put_uint(j, "work", s->steps);
  json_put_uint(j, "births", births_of(s));
  json_put_bool(j, "best_way_alone", p->best_way_alone);
  json_key(j, "ways");
  json_open(j, '[');
  for (int w = 0; w < p->ways; w++)
    write_way(j, g, p, w);
  json_close(j, ']');
}

static void write_cut(json *j, const bound_cut *c, uint64_t stores)
{
  json_put_int(j, "length", c->t);
  json_put_big(j, "most_first", c->first);
  json_put_big(j, "most", c->later);
  json_put_big(j, "events", c->events);
  json_put_uint(j, "stores", stores);
}

/* ---- the leading order ---- */

static int widest_way(const proj_statement *p, int64_t words)
{
  int best = 0;
  mpz_t most, one;
  mpz_inits(most, one, NULL);
  for (int w = 0; w < p->ways; w++) {
    bound_proj_steps(&p->way[w], best_exponents(p, w, words), words, one);
    if (mpz_cmp(one, most) > 0) {
      mpz_set(most, one);
      best = w;
    }
  }
  mpz_clears(most, one, NULL);
  return best;
}

/* h(X) = c X^s gives work (s-1)^(s-1) / (c s^s) / M^(s-1) at t = M / (s-1). */
static void write_leading(const proj_statement *p, int64_t words, uint64_t work, text *out)
{
  int w = widest_way(p, words);
  const proj_exponents *e = best_exponents(p, w, words);
  double s = 0;
  for (int t = 0; t < p->way[w].items; t++)
    for (int k = 0; k < p->way[w].item[t].parts; k++)
      s += (double)(e->item[t] * p->way[w].item[t].part[k].power) / (double)(e->den * p->way[w].item[t].power_den);
  if (s < 1.001)
    return;
  mpz_t h;
  mpz_init(h);
  bound_proj_steps(&p->way[w], e, words, h);
  double c = mpz_get_d(h) / pow((double)words, s);
  text_printf(out, "%.4g * %" PRIu64 " steps / M^%.4g", pow(s - 1, s - 1) / (c * pow(s, s)), work, s - 1);
  mpz_clear(h);
}

/* ---- one statement ---- */

typedef struct {
  int which;                 /* index of the statement */
  proj_statement p;
  bound_cut c;
  mpz_t value;
} candidate;

static status try_statement(const found *f, int i, candidate *one, diag *d)
{
  proj_objects *o = mem_new(1, sizeof *o);
  proj_statement *p = &one->p;
  mpz_t steps;
  status st = OK;
  o->g = f->q->g;
  one->which = i;
  mpz_init_set_ui(steps, f->s[i].steps);
  mpz_set_ui(one->c.events, 0);
  if (bound_proj_of_statement(o, &f->s[i], p) && bound_proj_number(o, &p, 1))
    st = bound_proj_events(p, steps, (int64_t)f->q->m, &one->c, d);
  mpz_sub_ui(one->value, one->c.events, births_of(&f->s[i]));
  mpz_add_ui(one->value, one->value, f->stores);
  mpz_clear(steps);
  mem_free(o);
  return st;
}

static void record_statement(const found *f, const candidate *best, bound_list *out)
{
  json j = { 0 };
  const bound_statement *s = &f->s[best->which];
  bound *b = bound_list_add(out, "projective", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 7");
  mpz_set(b->value, best->value);
  json_open(&j, '{');
  write_statement(&j, f->q->g, s, &best->p);
  write_cut(&j, &best->c, f->stores);
  json_close(&j, '}');
  text_add(&b->parameters, text_str(&j.out));
  json_clear(&j);
  write_leading(&best->p, (int64_t)f->q->m + best->c.t, s->steps, &b->leading);
}

static candidate *candidate_new(void)
{
  candidate *c = mem_new(1, sizeof *c);
  bound_cut_init(&c->c);
  mpz_init(c->value);
  return c;
}

static void candidate_free(candidate *c)
{
  bound_cut_clear(&c->c);
  mpz_clear(c->value);
  mem_free(c);
}

static status best_statement(const found *f, bound_list *out, diag *d)
{
  candidate *best = candidate_new(), *one = candidate_new();
  status st = OK;
  bool any = false;
  for (int i = 0; i < f->n && st == OK; i++) {
    st = try_statement(f, i, one, d);
    if (st == OK && mpz_sgn(one->c.events) > 0 && (!any || mpz_cmp(one->value, best->value) > 0)) {
      candidate *t = best;
      best = one, one = t;
      any = true;
    }
  }
  if (st == OK && any)
    record_statement(f, best, out);
  candidate_free(best);
  candidate_free(one);
  return st;
}

status bound_apply_projective(const bound_question *q, bound_list *out, diag *d)
{
  if (q->g->graph || q->m > INT64_MAX / 4096)
    return OK;
  found *f = find_statements(q);
  status st = best_statement(f, out, d);
  mem_free(f);
  return st;
}
