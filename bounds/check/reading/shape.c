#include "base/scoped.h"
#include "bounds/check/reading/shape.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/check/cut.h"
#include "bounds/check/reading/form.h"
#include <string.h>

static bool named_array(const bound_claim *c, const char *key, int *array, text *reason)
{
  const char *name = json_get_string(c->parameters, key);
  *array = name ? cdag_find_array(c->g, name) : -1;
  return *array >= 0 || bound_refuse(reason, "'%s' names no array", key);
}

/* The operand at the term a member gives, or NULL. */
static const bound_operand *operand_at(const bound_statement *s, const json_value *term)
{
  const bound_operand *found = NULL;
  SCOPED_MPZ t;
  mpz_init(t);
  if (json_integer(term, t))
    for (int i = 0; i < s->operands; i++)
      if (mpz_cmp_si(t, s->operand[i].term) == 0)
        found = &s->operand[i];
  return found;
}

static unsigned all_loops(const bound_statement *s) { return (1u << s->rank) - 1; }
static unsigned key_loops(const bound_statement *s) { return all_loops(s) & ~s->chain; }

/* The array whose chains add up the statement's, where the parameters name one. */
static bool gathered(const bound_claim *c, const bool *live, bound_statement *s, text *reason)
{
  int sum;
  return !json_get(c->parameters, "sum") ||
         (named_array(c, "sum", &sum, reason) &&
          (checker_statement_gather(c->g, live, sum, s) ||
           bound_refuse(reason, "the chains are not seen to be partial sums of 'sum', with outputs of its own")));
}

static bool read_statement(const bound_claim *c, bool trees, checker_statement *s, text *reason)
{
  int array;
  int64_t seed;
  if (c->g->graph)
    return bound_refuse(reason, "a graph has no statements");
  if (!named_array(c, "statement", &array, reason))
    return false;
  bool *live = checker_live(c->g);
  bool good = (checker_statement_find(c->g, live, array, &s->s) ||
               bound_refuse(reason, "the array is no reduction whose every element is seen to matter")) &&
              (!trees || gathered(c, live, &s->s, reason));
  mem_free(live);
  s->outputs = checker_outputs(c->g);
  s->steps = s->s.steps;
  s->chains = s->s.chains;
  s->seeded = s->s.seed >= 0;
  if (good && json_get(c->parameters, "seed") && (!json_get_int(c->parameters, "seed", &seed) || seed != s->s.seed))
    return bound_refuse(reason, "the chains do not start as claimed");
  return good;
}

bool checker_statement_read(const bound_claim *c, checker_statement *s, text *reason)
{
  return read_statement(c, false, s, reason);
}

bool checker_trees_read(const bound_claim *c, checker_statement *s, text *reason)
{
  return read_statement(c, true, s, reason);
}

/* ---- fibers ---- */

/* Settings of the loops a word does not know; too many for a number: it serves no more than all steps. */
static int64_t served(const bound_statement *s, unsigned known)
{
  int64_t n = 1;
  for (int r = 0; r < s->rank; r++)
    if (!(known >> r & 1) && !num_mul(n, s->extent[r], &n))
      return (int64_t)s->steps;
  return n;
}

static void ascending(int64_t f[3])
{
  for (int i = 1; i < 3; i++)
    for (int k = i; k > 0 && f[k - 1] > f[k]; k--) {
      int64_t t = f[k];
      f[k] = f[k - 1];
      f[k - 1] = t;
    }
}

static void fibers(const bound_statement *s, unsigned a, unsigned b, int64_t fiber[3])
{
  fiber[0] = served(s, a);
  fiber[1] = served(s, b);
  fiber[2] = served(s, key_loops(s));
  ascending(fiber);
}

/* The claimed fibers, which must ascend and be no shorter than those read. */
static bool claimed_fibers(const bound_claim *c, const int64_t own[3], int64_t fiber[3], text *reason)
{
  const json_value *list = json_get(c->parameters, "fibers");
  bool good = list && list->type == JSON_ARRAY && list->n == 3;
  SCOPED_MPZ v;
  mpz_init(v);
  for (int i = 0; good && i < 3; i++) {
    good = json_integer(&list->item[i], v) && mpz_fits_slong_p(v) && mpz_cmp_si(v, own[i]) >= 0;
    fiber[i] = good ? mpz_get_si(v) : 0;
    good = good && (i == 0 || fiber[i - 1] <= fiber[i]);
  }
  return good || bound_refuse(reason, "a word can serve more steps than the fibers say: %ld, %ld, %ld", (long)own[0],
                              (long)own[1], (long)own[2]);
}

/* Each loop in two of three sets: of a, of b, of the chain.  Then H steps with p, v and z of these satisfy
   H^2 <= p v z (Loomis and Whitney; Finner 1992). */
static bool twice_known(const bound_statement *s, unsigned a, unsigned b)
{
  unsigned keys = key_loops(s);
  for (int r = 0; r < s->rank; r++)
    if ((a >> r & 1) + (b >> r & 1) + (keys >> r & 1) < 2)
      return false;
  return true;
}

/* ---- a matrix times its transpose ---- */

/* Is the bound loop p, shifted? */
static bool beside(const form *bound, int p)
{
  form f = form_loop(p);
  f.c = bound->c;
  return form_same(bound, &f);
}

/* lo <= loop q < hi: does that say that q never exceeds p, or never falls below it?  *meet: they may be equal. */
static bool one_order(const cdag *g, int array, int p, int q, bool *meet)
{
  form loop[CDAG_RANK], lo, hi;
  for (int r = 0; r < q; r++)
    loop[r] = form_loop(r);
  bool below = form_read(g, g->array[array].hi[q], loop, q, &hi) && beside(&hi, p) && hi.c <= 1;
  bool above = form_read(g, g->array[array].lo[q], loop, q, &lo) && beside(&lo, p) && lo.c >= 0;
  *meet = below ? hi.c == 1 : lo.c == 0;
  return below || above;
}

/* Is y the same element as x when loops p and q change places? */
static bool swapped(const cdag *g, const bound_statement *s, const bound_operand *x, const bound_operand *y, int p,
                    int q)
{
  form plain[CDAG_RANK], other[CDAG_RANK], a, b;
  const cdag_term *t = g->array[s->array].term;
  if (x->array != y->array)
    return false;
  for (int r = 0; r < s->rank; r++) {
    plain[r] = form_loop(r);
    other[r] = form_loop(r == p ? q : r == q ? p : r);
  }
  for (int r = 0; r < g->array[x->array].rank; r++)
    if (!form_read(g, t[x->term].index[r].lo, plain, s->rank, &a) ||
        !form_read(g, t[y->term].index[r].lo, other, s->rank, &b) || !form_same(&a, &b))
      return false;
  return true;
}

/* The rows are the operands' key loops, p the outer one. */
static bool transposed(const cdag *g, const bound_statement *s, const bound_operand *x, const bound_operand *y,
                       int64_t *diagonal)
{
  int row[2] = { -1, -1 };
  bool meet;
  for (int r = 0; r < s->rank; r++)
    if (key_loops(s) >> r & 1)
      row[row[0] >= 0] = r;
  if (s->rank != 3 || __builtin_popcount(key_loops(s)) != 2 || !swapped(g, s, x, y, row[0], row[1]) ||
      !one_order(g, s->array, row[0], row[1], &meet))
    return false;
  const cdag_box *hull = &g->array[s->array].hull; /* how many rows there are in all, not how many one of them meets */
  int64_t rows = num_min(hull->hi[row[0]] - hull->lo[row[0]], hull->hi[row[1]] - hull->lo[row[1]]);
  *diagonal = meet ? rows * s->extent[3 - row[0] - row[1]] : 0;
  return (uint64_t)*diagonal < s->steps;
}

static bool is_read_at_every_step(const bound_operand *o) { return o->input && o->always && !o->given; }

bool checker_product(const cdag *g, const bound_statement *s, const bound_operand *x, const bound_operand *y,
                     checker_operands *p, text *reason)
{
  if (!is_read_at_every_step(x) || !is_read_at_every_step(y)) /* a seed is not */
    return bound_refuse(reason, "the operands are not inputs read at every step");
  if (!twice_known(s, x->loops, y->loops))
    return bound_refuse(reason, "a loop is known to fewer than two of the operands and the chain");
  fibers(s, x->loops, y->loops, p->fiber);
  p->shared = checker_boxes_meet(g, x->array, &x->box, y->array, &y->box);
  if (!transposed(g, s, x, y, &p->diagonal))
    p->diagonal = -1;
  return true;
}

static bool claimed_diagonal(const bound_claim *c, int64_t own, int64_t *diagonal, text *reason)
{
  *diagonal = json_get(c->parameters, "diagonal") ? own : -1;
  return !json_get(c->parameters, "diagonal") ||
         ((own >= 0 || bound_refuse(reason, "the operands are not the same rows, each pair in one order")) &&
          checker_equal(c->parameters, "diagonal", (uint64_t)own, reason));
}

bool checker_product_shape(const bound_claim *c, const checker_statement *s, checker_operands *p, text *reason)
{
  const json_value *list = json_get(c->parameters, "operands"), *claim = json_get(c->parameters, "shared");
  bool pair = list && list->type == JSON_ARRAY && list->n == 2;
  const bound_operand *x = pair ? operand_at(&s->s, &list->item[0]) : NULL,
                      *y = pair ? operand_at(&s->s, &list->item[1]) : NULL;
  checker_operands own;
  if (!x || !y || x == y)
    return bound_refuse(reason, "'operands' are not two operands of the statement");
  if (!checker_product(c->g, &s->s, x, y, &own, reason))
    return false;
  p->shared = own.shared;
  return ((claim && claim->type == (own.shared ? JSON_TRUE : JSON_FALSE)) ||
          bound_refuse(reason, "'shared' is wrong")) &&
         claimed_fibers(c, own.fiber, p->fiber, reason) && claimed_diagonal(c, own.diagonal, &p->diagonal, reason);
}

/* ---- attention ---- */

/* An operand placed by a table, told apart only where the loops `given` agree: these must be loops of the row, and each
   index must speak of the pair or of the slice, never of both. */
static bool keeps_apart(const cdag *g, const bound_statement *s, const bound_operand *o, unsigned pair)
{
  const cdag_term *t = &g->array[s->array].term[o->term];
  for (int r = 0; o->given && r < g->array[o->array].rank; r++) {
    unsigned loops = expr_slots(t->index[r].lo, g->params, s->rank);
    if (loops & pair && loops & ~pair)
      return false;
  }
  return (o->given & ~(pair & key_loops(s))) == 0;
}

/* Words of the leaves with the loops of leaf i that meet none of: leaves with other loops, those counted before, the
   column operand, the words the chains start from. */
static int64_t words_of_side(const cdag *g, const bound_operand *p, const bound_operand *v, int seed, int i)
{
  int64_t words = 0;
  for (int k = i; k < p->leaves; k++) {
    const bound_leaf *l = &p->leaf[k], *first = &p->leaf[i];
    bool counts = l->loops == first->loops && l->given == first->given && l->array != seed &&
                  !checker_boxes_meet(g, l->array, &l->box, v->array, &v->box);
    for (int m = 0; m < p->leaves; m++)
      if (m < k || p->leaf[m].loops != first->loops)
        counts = counts && !checker_boxes_meet(g, l->array, &l->box, p->leaf[m].array, &p->leaf[m].box);
    words += counts ? l->width : 0; /* different inputs, of which there are less than 2^63 */
  }
  return words;
}

bool checker_pair_sides(const cdag *g, const bound_statement *s, const bound_operand *p, const bound_operand *v,
                        checker_sides *sides, text *reason)
{
  int seed = s->seed < 0 ? -1 : g->array[s->array].term[s->seed].array;
  *sides = (checker_sides){ .words = { 0 } };
  if (!p || !v || !v->input || !v->always)
    return bound_refuse(reason, "'pair' and 'column' are not two operands, this an input read at every step");
  if (!twice_known(s, p->loops, v->loops) || !keeps_apart(g, s, v, p->loops))
    return bound_refuse(reason, "a loop is known to fewer than two of the pair, the column's word and the chain");
  fibers(s, p->loops, v->loops & ~v->given, sides->fiber); /* a word of V serves all settings of `given` */
  for (int r = 0; r < p->leaves; r++)
    for (int k = 0; k < p->leaves; k++) {
      const bound_leaf *row = &p->leaf[r], *column = &p->leaf[k];
      if ((row->loops | column->loops) != p->loops || row->loops == p->loops || column->loops == p->loops ||
          row->given || (column->given & ~row->loops))
        continue;
      int64_t of_row = words_of_side(g, p, v, seed, r), of_column = words_of_side(g, p, v, seed, k);
      if (num_min(of_row, of_column) <= num_min(sides->words[0], sides->words[1]))
        continue;
      sides->words[0] = of_row;
      sides->words[1] = of_column;
      sides->loops[0] = row->loops;
      sides->loops[1] = column->loops;
    }
  return true;
}

bool checker_attention_shape(const bound_claim *c, const checker_statement *s, checker_pairs *k, text *reason)
{
  const bound_operand *p = operand_at(&s->s, json_get(c->parameters, "pair")),
                      *v = operand_at(&s->s, json_get(c->parameters, "column"));
  int64_t pairs;
  checker_sides own;
  if (!checker_pair_sides(c->g, &s->s, p, v, &own, reason))
    return false;
  if (!json_get_int(c->parameters, "dk", &k->dk) || k->dk < 1 || k->dk > num_min(own.words[0], own.words[1]))
    return bound_refuse(reason, "a pair's value does not need 'dk' words of its row and of its column");
  if (!json_get_int(c->parameters, "dv", &k->dv) || k->dv < served(&s->s, p->loops))
    return bound_refuse(reason, "a pair takes part in more than 'dv' steps");
  if (!json_get_int(c->parameters, "pairs", &pairs) || pairs < 0 || (uint64_t)pairs < p->words)
    return bound_refuse(reason, "there may be more than 'pairs' pairs");
  k->pairs = (uint64_t)pairs;
  return !json_get(c->parameters, "fibers") || claimed_fibers(c, own.fiber, k->fiber, reason);
}

/* ---- scores ---- */

static bool has_leaf(const bound_operand *p, int array, int64_t width)
{
  bool has = false;
  for (int i = 0; i < p->leaves; i++)
    has = has || (p->leaf[i].array == array && p->leaf[i].width == width);
  return has;
}

/* Of the words of y only those within one setting of the loops x tells need differ: steps at p pairs with a and b words
   are then at most sqrt(p a b) in each such setting, and together. */
static bool told_within(const cdag *g, const bool *live, const bound_statement *s, const bound_operand *x, int y)
{
  bound_statement within;
  checker_statement_within(g, live, s->array, x->loops, &within); /* the same operands in the same order */
  return within.operand[y].always && keeps_apart(g, s, &within.operand[y], key_loops(s));
}

static bool two_operands(const cdag *g, const bool *live, const bound_statement *s, const bound_operand *pair,
                         const bound_operand *v, int64_t dk)
{
  for (int a = 0; a < s->operands; a++)
    for (int b = 0; b < s->operands; b++) {
      const bound_operand *x = &s->operand[a], *y = &s->operand[b];
      if (a != b && x->array != y->array && x->input && y->input && x->always && !x->given &&
          twice_known(s, x->loops, y->loops) && told_within(g, live, s, x, b) && has_leaf(pair, x->array, dk) &&
          has_leaf(pair, y->array, dk) && x->array != v->array && y->array != v->array)
        return true;
    }
  return false;
}

bool checker_are_scores(const cdag *g, const bool *live, const bound_statement *scores, const bound_operand *p,
                        const bound_operand *v, uint64_t pairs, int64_t dk)
{
  return scores->array < 64 && p->tree & ~p->partial & (uint64_t)1 << scores->array && scores->seed < 0 &&
         scores->chains == pairs && scores->extent[__builtin_ctz(scores->chain)] == dk &&
         scores->steps == scores->chains * (uint64_t)dk && two_operands(g, live, scores, p, v, dk);
}

bool checker_scores_shape(const bound_claim *c, const checker_statement *s, const checker_pairs *k, uint64_t *chains,
                          uint64_t *steps, text *reason)
{
  int array;
  bound_statement scores;
  const bound_operand *p = operand_at(&s->s, json_get(c->parameters, "pair")),
                      *v = operand_at(&s->s, json_get(c->parameters, "column"));
  if (!named_array(c, "scores", &array, reason))
    return false;
  bool *live = checker_live(c->g);
  bool good = checker_statement_find(c->g, live, array, &scores) &&
              checker_are_scores(c->g, live, &scores, p, v, k->pairs, k->dk);
  mem_free(live);
  *chains = scores.chains;
  *steps = scores.steps;
  return good || bound_refuse(reason, "'scores' is not a chain of dk steps for each pair");
}
