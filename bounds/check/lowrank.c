/* The bounds on attention by features, re-derived: statements and sizes from the computation by the checker's own
   reader, reruns and segments from the words alone.  docs/theory-lp.md, section 6. */
#include "base/mem.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/pairs.h"
#include "bounds/check/reading/features.h"
#include "bounds/check/reading/read.h"

enum {
  WIDTH_MOST = 1 << 28
}; /* products of two widths fit; and so do four times the keys, of which there are rows in four arrays */

typedef struct {
  checker_features of;
  uint64_t outputs;
  bool normaliser, weighed;
} sizes;

/* W and N, and with a normaliser U and S. */
static bool read_shape(const bound_claim *c, bool normaliser, checker_features *f)
{
  static const char *const names[] = { "W", "N", "U", "S" };
  int n = normaliser ? 4 : 2;
  bound_statement *read = MEM_NEW(bound_statement, 4);
  const bound_statement *statement[4] = { NULL };
  bool *live = checker_live(c->g), good = true;
  for (int i = 0; i < n && good; i++) {
    const char *name = json_get_string(c->parameters, names[i]);
    int array = name && *name ? cdag_find_array(c->g, name) : -1;
    good = array >= 0 && checker_statement_find(c->g, live, array, &read[i]);
    statement[i] = &read[i];
  }
  mem_free(live);
  good = good && checker_features_read(c->g, statement, f);
  mem_free(read);
  return good;
}

/* ---- the bound ---- */

/* Chains that X words allow to be made anew: for each feature, keys - X/d carried features of its own; X/keys slices
 * and the normaliser. */
static bool lowrank_can(const void *context, const mpz_t work, const mpz_t x)
{
  const sizes *s = context;
  int64_t words = mpz_fits_slong_p(x) ? mpz_get_si(x) : INT64_MAX;
  int64_t own = s->of.keys - words / s->of.d, chains = words < s->of.keys ? 0 : words / s->of.keys + 1;
  if (2 * chains > own)
    return true; /* nothing is proved for so many words */
  checker_carried k = { .scale = 1,
                        .each = (s->of.dv + s->normaliser) * (s->of.d + 1),
                        .sides = s->of.d + 1,
                        .keep_num = own - chains,
                        .keep_den = own,
                        .plus = s->weighed ? s->of.d : 0,
                        .pairs = INT64_MAX / 4 };
  return checker_carried_can(&k, work, x);
}

static void total(const sizes *s, mpz_t work)
{
  mpz_t t;
  mpz_init_set_si(t, s->of.queries);
  mpz_mul_si(t, t, s->of.dv + s->normaliser);
  mpz_mul_si(t, t, s->of.d + 1);
  mpz_set_si(work, s->of.keys);
  mpz_mul_si(work, work, s->of.dv * (s->of.d + 1) + (s->weighed ? s->of.d : 0));
  mpz_add(work, work, t);
  mpz_mul_si(work, work, s->of.features);
  mpz_clear(t);
}

static bool agrees(const bound_claim *c, const char *key, int64_t expected, text *reason)
{
  return checker_equal(c->parameters, key, (uint64_t)expected, reason);
}

static bool flag(const bound_claim *c, const char *key, bool *value, text *reason)
{
  const json_value *v = json_get(c->parameters, key);
  *value = v && v->type == JSON_TRUE;
  return (v && (v->type == JSON_TRUE || v->type == JSON_FALSE)) || bound_refuse(reason, "'%s' is missing", key);
}

static bool read_sizes(const bound_claim *c, sizes *s, text *reason)
{
  bool normaliser, weighed;
  if (!flag(c, "normaliser", &normaliser, reason) || !flag(c, "weigh_normaliser", &weighed, reason))
    return false;
  if (c->g->graph || !read_shape(c, normaliser, &s->of) || s->of.degree > 0)
    return bound_refuse(reason, "the computation has not the shape of attention by dense features");
  s->normaliser = normaliser;
  s->outputs = checker_outputs(c->g);
  s->weighed = weighed;
  if (!agrees(c, "keys", s->of.keys, reason) || !agrees(c, "queries", s->of.queries, reason) ||
      !agrees(c, "features", s->of.features, reason) || !agrees(c, "d", s->of.d, reason) ||
      !agrees(c, "dv", s->of.dv, reason))
    return false;
  if (s->of.d > WIDTH_MOST || s->of.dv > WIDTH_MOST)
    return bound_refuse(reason, "there are too many words in a row");
  return normaliser || !weighed || bound_refuse(reason, "there is no such normaliser");
}

static bool check_lowrank(const bound_claim *c, mpz_t value, text *reason)
{
  sizes s;
  checker_cut cut;
  mpz_t work;
  if (!read_sizes(c, &s, reason))
    return false;
  mpz_init(work);
  checker_cut_init(&cut);
  total(&s, work);
  bool good = checker_equal(c->parameters, "births", s.of.births, reason) &&
              checker_equal(c->parameters, "stores", s.outputs, reason) &&
              checker_cut_weighs(&cut, c->parameters, work, c->m, lowrank_can, &s, reason);
  checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  mpz_clear(work);
  return good;
}

BOUND_CHECKER(lowrank) = { "lowrank", BOUND_ANY, check_lowrank };

/* ---- what few words of a token give ---- */

static bool features_can(const void *context, const mpz_t work, const mpz_t x)
{
  checker_features_where where;
  mpz_t most;
  mpz_init(most);
  checker_features_most(context, x, most, &where);
  bool can = mpz_cmp(work, most) <= 0;
  mpz_clear(most);
  return can;
}

/* How steps are weighed: by the length of runs of monomials, or all alike. */
static bool read_weights(const bound_claim *c, checker_features *f, text *reason)
{
  enum { WEIGHT_MOST = 1 << 20 };
  const json_value *p = c->parameters;
  checker_features_weights *w = &f->weigh;
  if (!json_get_int64_in(p, "high", 1, CHECKER_RUN_MOST, &w->high) ||
      !json_get_int64_in(p, "low", 0, w->high, &w->low) ||
      !json_get_int64_in(p, "key", 1, WEIGHT_MOST, &w->key) ||
      !json_get_int64_in(p, "query", 1, WEIGHT_MOST / CHECKER_RUN_MOST, &w->query))
    return bound_refuse(reason, "'high', 'low', 'key' or 'query' is missing or out of range");
  return f->degree > 0 || (w->high == 1 && w->low == 1 && w->key == 1 && w->query == 1) ||
         bound_refuse(reason, "steps are weighed where features are no monomials");
}

static bool check_features(const bound_claim *c, mpz_t value, text *reason)
{
  checker_features f;
  checker_cut cut;
  mpz_t work;
  const char *u = json_get_string(c->parameters, "U");
  if (c->g->graph || !read_shape(c, u && *u, &f))
    return bound_refuse(reason, "the computation has not the shape of attention by features");
  if (!read_weights(c, &f, reason))
    return false;
  mpz_init(work);
  checker_features_work(&f, work);
  checker_cut_init(&cut);
  bool good = checker_equal(c->parameters, "births", f.births, reason) &&
              checker_equal(c->parameters, "stores", checker_outputs(c->g), reason) &&
              checker_cut_weighs(&cut, c->parameters, work, c->m, features_can, &f, reason);
  checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  mpz_clear(work);
  return good;
}

BOUND_CHECKER(features) = { "features", BOUND_ANY, check_features };
