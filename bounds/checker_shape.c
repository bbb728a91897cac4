#include "bounds/checker_shape.h"
#include "base/num.h"
#include <string.h>

static bool named_array(const bound_claim *c, const char *key, int *array, text *reason)
{
  const char *name = json_get_string(c->parameters, key);
  *array = name ? cdag_find_array(c->g, name) : -1;
  return *array >= 0 || bound_refuse(reason, "'%s' names no array", key);
}

/* The operand of the statement at the term a member gives, or -1. */
static int operand_at(const checker_statement *s, const json_value *term)
{
  mpz_t t;
  int found = -1;
  mpz_init(t);
  if (json_integer(term, t))
    for (int i = 0; i < s->s.operands; i++)
      if (mpz_cmp_si(t, s->s.operand[i].term) == 0)
        found = i;
  mpz_clear(t);
  return found;
}

static void sort_fibers(int64_t f[3])
{
  for (int i = 1; i < 3; i++)
    for (int k = i; k > 0 && f[k - 1] > f[k]; k--) {
      int64_t t = f[k];
      f[k] = f[k - 1];
      f[k - 1] = t;
    }
}

/* Settings of the loops a word does not know. */
static int64_t served(const bound_statement *s, unsigned known)
{
  int64_t n = 1;
  for (int r = 0; r < s->rank; r++)
    if (!(known >> r & 1) && !num_mul(n, s->extent[r], &n))
      return INT64_MAX / 8;
  return n;
}

bool checker_statement_read(const bound_claim *c, checker_statement *s, text *reason)
{
  int array;
  bound_live l;
  int64_t seed;
  if (c->g->graph || !named_array(c, "statement", &array, reason))
    return c->g->graph ? bound_refuse(reason, "a graph has no statements") : false;
  bound_live_find(c->g, &l);
  bool good = bound_statement_find(c->g, &l, array, &s->s) ||
              bound_refuse(reason, "the array is no reduction whose every element matters");
  s->outputs = l.outputs;
  s->steps = s->s.steps;
  s->chains = s->s.chains;
  s->seeded = s->s.seed >= 0;
  bound_live_clear(&l);
  if (good && json_get(c->parameters, "seed") && (!json_get_int(c->parameters, "seed", &seed) || seed != s->s.seed))
    return bound_refuse(reason, "the chains do not start as claimed");
  return good;
}

bool checker_product_shape(const bound_claim *c, const checker_statement *s, int64_t fiber[3], bool *shared, text *reason)
{
  const json_value *list = json_get(c->parameters, "operands"), *claim = json_get(c->parameters, "shared");
  bool pair = list && list->type == JSON_ARRAY && list->n == 2;
  int a = pair ? operand_at(s, &list->item[0]) : -1, b = pair ? operand_at(s, &list->item[1]) : -1;
  if (a < 0 || b < 0 || a == b)
    return bound_refuse(reason, "'operands' are not two operands of the statement");
  const bound_operand *x = &s->s.operand[a], *y = &s->s.operand[b];
  unsigned all = (1u << s->s.rank) - 1, keys = all & ~s->s.chain;
  if (!x->input || !y->input || !x->always || !y->always || x->given || y->given || x->term == s->s.seed || y->term == s->s.seed)
    return bound_refuse(reason, "the operands are not inputs read at every step");
  if (((x->loops & y->loops) | (x->loops & keys) | (y->loops & keys)) != all)
    return bound_refuse(reason, "a loop is known to fewer than two of the operands and the chain");
  fiber[0] = served(&s->s, x->loops);
  fiber[1] = served(&s->s, y->loops);
  fiber[2] = served(&s->s, keys);
  sort_fibers(fiber);
  *shared = bound_boxes_meet(x->array, &x->box, y->array, &y->box, c->g->array[x->array].rank);
  return (claim && claim->type == (*shared ? JSON_TRUE : JSON_FALSE)) || bound_refuse(reason, "'shared' is wrong");
}

bool checker_attention_shape(const bound_claim *c, const checker_statement *s, checker_pairs *k, text *reason)
{
  bound_live l;
  bound_attention a;
  bound_live_find(c->g, &l);
  bool good = bound_attention_find(c->g, &l, s->s.array, &a);
  bound_live_clear(&l);
  if (!good || operand_at(s, json_get(c->parameters, "pair")) != a.p || operand_at(s, json_get(c->parameters, "column")) != a.v)
    return bound_refuse(reason, "the statement does not read the value of a pair and a word of its column, as claimed");
  k->fiber[0] = served(&s->s, s->s.operand[a.p].loops);
  k->fiber[1] = served(&s->s, s->s.operand[a.v].loops);
  k->fiber[2] = served(&s->s, ((1u << s->s.rank) - 1) & ~s->s.chain);
  sort_fibers(k->fiber);
  k->dk = num_min(a.dk_row, a.dk_column);
  k->dv = a.dv;
  k->pairs = a.pairs;
  return true;
}

bool checker_scores_shape(const bound_claim *c, const checker_pairs *k, uint64_t *chains, uint64_t *steps, text *reason)
{
  int array;
  bound_live l;
  bound_statement s;
  if (!named_array(c, "scores", &array, reason))
    return false;
  bound_live_find(c->g, &l);
  bool good = bound_statement_find(c->g, &l, array, &s) && s.chains == k->pairs && s.seed < 0 &&
              s.steps == s.chains * (uint64_t)k->dk;
  bound_live_clear(&l);
  *chains = s.chains;
  *steps = s.steps;
  return good || bound_refuse(reason, "'scores' is not a chain of dk steps for each pair");
}
