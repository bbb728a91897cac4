/* The low-rank bound, re-derived: sizes from the computation, reruns and segments from the words alone. */
#include "bounds/checker_cut.h"
#include "bounds/checker_internal.h"
#include "bounds/checker_pairs.h"
#include "bounds/shape_lowrank.h"

typedef struct {
  lowrank_case of;
  bool weighed;
} sizes;

/* Chains that X words allow to be made anew: for each feature, keys - X/d carried features of its own; X/keys slices
 * and the normaliser. */
static bool lowrank_can(const void *context, const mpz_t work, const mpz_t x)
{
  const sizes *s = context;
  int64_t words = mpz_fits_slong_p(x) ? mpz_get_si(x) : INT64_MAX;
  int64_t own = s->of.keys - words / s->of.d, chains = words < s->of.keys ? 0 : words / s->of.keys + 1;
  if (chains > 0 && (own < 1 || 2 * chains > own))
    return true; /* nothing is proved for so many words */
  checker_carried k = { .scale = 1,
                        .each = (s->of.dv + s->of.normaliser) * (s->of.d + 1),
                        .sides = s->of.d + 1,
                        .keep_num = 1,
                        .keep_den = 1,
                        .plus = s->weighed ? s->of.d : 0,
                        .pairs = INT64_MAX / 4 };
  if (chains > 0) {
    k.keep_num = own - chains;
    k.keep_den = own;
  }
  return checker_carried_can(&k, work, x);
}

static void total(const sizes *s, mpz_t work)
{
  mpz_t t;
  mpz_init_set_si(t, s->of.queries);
  mpz_mul_si(t, t, s->of.dv + s->of.normaliser);
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
  lowrank_shape l;
  bool normaliser;
  if (c->g->graph || !bound_lowrank_find(c->g, &l))
    return bound_refuse(reason, "the computation has not the shape of attention by features");
  s->of = l.of;
  if (!flag(c, "normaliser", &normaliser, reason) || !flag(c, "weigh_normaliser", &s->weighed, reason) ||
      !agrees(c, "keys", l.of.keys, reason) || !agrees(c, "queries", l.of.queries, reason) ||
      !agrees(c, "features", l.of.features, reason) || !agrees(c, "d", l.of.d, reason) ||
      !agrees(c, "dv", l.of.dv, reason))
    return false;
  return (normaliser == l.of.normaliser && (normaliser || !s->weighed)) ||
         bound_refuse(reason, "there is no such normaliser");
}

bool checker_lowrank(const bound_claim *c, mpz_t value, text *reason)
{
  sizes s;
  checker_cut cut;
  mpz_t work;
  if (!read_sizes(c, &s, reason))
    return false;
  mpz_init(work);
  checker_cut_init(&cut);
  total(&s, work);
  bool good = agrees(c, "births", s.of.births, reason) && agrees(c, "stores", s.of.outputs, reason) &&
              checker_cut_read(&cut, c->parameters, reason) &&
              (mpz_cmp(cut.work, work) == 0 || bound_refuse(reason, "'work' is not the weight of all steps")) &&
              checker_cut_holds(&cut, c->m, lowrank_can, &s, reason);
  if (good)
    checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  mpz_clear(work);
  return good;
}
