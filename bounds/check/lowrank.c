/* The low-rank bound, re-derived: its statements and sizes from the computation by the checker's own reader, reruns and
   segments from the words alone.  docs/theory-lp.md, section 6. */
#include "base/mem.h"
#include "base/num.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/pairs.h"
#include "bounds/check/reading/read.h"

enum {
  WIDTH_MOST = 1 << 28
}; /* products of two widths fit; and so do four times the keys, of which there are rows in four arrays */

/* ---- one of the statements: W, N, U or S ---- */

typedef struct {
  bound_statement s;
  const bound_operand *feature, *other; /* other: V, or the end of a chain; NULL for U */
  const bound_leaf *row;                /* the words a feature needs, all of one token */
  int token, index, slice;              /* loops; slice -1: none */
} half;

static unsigned bit(int loop) { return loop < 0 ? 0 : 1u << loop; }
static int only_loop(unsigned loops) { return __builtin_popcount(loops) == 1 ? __builtin_ctz(loops) : -1; }

static bool read_statement(const bound_claim *c, const bool *live, const char *key, half *h)
{
  const char *name = json_get_string(c->parameters, key);
  int array = name && *name ? cdag_find_array(c->g, name) : -1;
  return array >= 0 && array < 64 && form_whole_box(c->g, array) && checker_statement_find(c->g, live, array, &h->s) &&
         h->s.seed < 0;
}

/* Take the operand for the feature: the widest leaf of one token; the loops must be token, feature index and slice. */
static bool take_feature(half *h, const bound_operand *f)
{
  unsigned all = (1u << h->s.rank) - 1, rest = all & ~f->loops;
  h->feature = f;
  h->row = NULL;
  for (int i = 0; i < f->leaves; i++)
    if (!f->leaf[i].given && only_loop(f->leaf[i].loops) >= 0 && (!h->row || f->leaf[i].width > h->row->width))
      h->row = &f->leaf[i];
  if (!h->row) /* nor are words known of an input, or of what is not always there or told by a table */
    return false;
  h->token = only_loop(h->row->loops);
  h->index = only_loop(f->loops & ~h->row->loops);
  h->slice = only_loop(rest);
  return h->index >= 0 && (!rest || h->slice >= 0);
}

/* The chain runs over the tokens, from the first to the last. */
static bool runs_over_tokens(const cdag *g, const half *h)
{
  checker_chain c;
  checker_chain_read(g, h->s.array, &c);
  return h->s.chain == bit(h->token) && c.step[h->token] == -1;
}

/* W: over tokens, V tells token and slice; U: over tokens, nothing else. */
static bool sums_tokens(const cdag *g, half *h, bool slices)
{
  for (int f = 0; f < h->s.operands; f++) {
    if (!take_feature(h, &h->s.operand[f]) || !runs_over_tokens(g, h) || (h->slice >= 0) != slices)
      continue;
    h->other = NULL;
    if (!slices)
      return true;
    for (int o = 0; o < h->s.operands; o++)
      if (h->s.operand[o].input && h->s.operand[o].always && !h->s.operand[o].given &&
          h->s.operand[o].loops == (bit(h->token) | bit(h->slice))) {
        h->other = &h->s.operand[o];
        return true;
      }
  }
  return false;
}

/* Does the term name the last of w's chain, for every index and slice? */
static bool names_end(const cdag *g, const half *h, const bound_operand *o, const half *w)
{
  const cdag_array *a = &g->array[w->s.array];
  const cdag_term *t = &g->array[h->s.array].term[o->term];
  form loop[CDAG_RANK], f;
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = form_loop(r);
  for (int r = 0; r < a->rank; r++) {
    form want = r == w->token ? form_number(a->hull.hi[r] - 1) : form_loop(r == w->index ? h->index : h->slice);
    if (!form_read(g, t->index[r].lo, loop, h->s.rank, &f) || !form_same(&f, &want))
      return false;
  }
  return h->s.extent[h->index] == w->s.extent[w->index] &&
         (w->slice < 0 || h->s.extent[h->slice] == w->s.extent[w->slice]);
}

/* N, S: over feature indices, reading the ends of w's chains; features of other vertices than w's. */
static bool sums_features(const cdag *g, half *h, const half *w)
{
  for (int f = 0; f < h->s.operands; f++) {
    if (!take_feature(h, &h->s.operand[f]) || h->s.chain != bit(h->index) || (h->slice < 0) != (w->slice < 0) ||
        h->feature->tree & w->feature->tree)
      continue;
    for (int o = 0; o < h->s.operands; o++)
      if (h->s.operand[o].array == w->s.array && h->s.operand[o].always && !h->s.operand[o].given &&
          h->s.operand[o].loops == (bit(h->index) | bit(h->slice)) && names_end(g, h, &h->s.operand[o], w)) {
        h->other = &h->s.operand[o];
        return true;
      }
  }
  return false;
}

/* ---- together ---- */

static bool leaves_apart(const cdag *g, const half *w, const half *n)
{
  const bound_leaf *k = w->row, *q = n->row;
  return !checker_boxes_meet(g, k->array, &k->box, q->array, &q->box) &&
         !checker_boxes_meet(g, k->array, &k->box, w->other->array, &w->other->box) &&
         !checker_boxes_meet(g, q->array, &q->box, w->other->array, &w->other->box);
}

/* The same features, named by token and index alone. */
static bool same_features(const cdag *g, const half *a, const half *b)
{
  const cdag_term *x = &g->array[a->s.array].term[a->feature->term], *y = &g->array[b->s.array].term[b->feature->term];
  form loop[CDAG_RANK], p, q;
  if (a->feature->array != b->feature->array || a->s.extent[a->token] != b->s.extent[b->token] ||
      a->s.extent[a->index] != b->s.extent[b->index])
    return false;
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = form_loop(r);
  for (int r = 0; r < g->array[a->feature->array].rank; r++) {
    /* unreachable: where an index is not linear no words are known */
    if (!form_read(g, x->index[r].lo, loop, a->s.rank, &p) || !form_read(g, y->index[r].lo, loop, b->s.rank, &q))
      return false;
    if (p.c != q.c || p.k[a->token] != q.k[b->token] || p.k[a->index] != q.k[b->index])
      return false;
  }
  return true;
}

static bool chains_in_trees(const half *h, int n)
{
  uint64_t chains = 0, trees = 0;
  for (int i = 0; i < n; i++) {
    chains |= (uint64_t)1 << h[i].s.array;
    trees |= h[i].feature->tree;
  }
  return (chains & trees) != 0;
}

typedef struct {
  int64_t keys, queries, features, d, dv;
  uint64_t births, outputs;
  bool normaliser, weighed;
} sizes;

/* W and N, and with a normaliser U and S. */
static bool read_shape(const bound_claim *c, bool normaliser, sizes *s)
{
  static const char *const names[] = { "W", "N", "U", "S" };
  int n = normaliser ? 4 : 2;
  half h[4];
  bool *live = checker_live(c->g), good = true;
  for (int i = 0; i < n && good; i++)
    good = read_statement(c, live, names[i], &h[i]);
  mem_free(live);
  good = good && sums_tokens(c->g, &h[0], true) && sums_features(c->g, &h[1], &h[0]) &&
         leaves_apart(c->g, &h[0], &h[1]);
  if (good && normaliser)
    good = sums_tokens(c->g, &h[2], false) && same_features(c->g, &h[2], &h[0]) && sums_features(c->g, &h[3], &h[2]) &&
           same_features(c->g, &h[3], &h[1]);
  if (!good || chains_in_trees(h, n))
    return false;
  *s = (sizes){ .keys = h[0].s.extent[h[0].token],
                .queries = h[1].s.extent[h[1].token],
                .features = h[0].s.extent[h[0].index],
                .d = num_min(h[0].row->width, h[1].row->width),
                .dv = h[0].s.extent[h[0].slice],
                .normaliser = normaliser,
                .outputs = checker_outputs(c->g) };
  for (int i = 0; i < n; i++)
    s->births += h[i].s.chains;
  return true;
}

/* ---- the bound ---- */

/* Chains that X words allow to be made anew: for each feature, keys - X/d carried features of its own; X/keys slices
 * and the normaliser. */
static bool lowrank_can(const void *context, const mpz_t work, const mpz_t x)
{
  const sizes *s = context;
  int64_t words = mpz_fits_slong_p(x) ? mpz_get_si(x) : INT64_MAX;
  int64_t own = s->keys - words / s->d, chains = words < s->keys ? 0 : words / s->keys + 1;
  if (2 * chains > own)
    return true; /* nothing is proved for so many words */
  checker_carried k = { .scale = 1,
                        .each = (s->dv + s->normaliser) * (s->d + 1),
                        .sides = s->d + 1,
                        .keep_num = own - chains,
                        .keep_den = own,
                        .plus = s->weighed ? s->d : 0,
                        .pairs = INT64_MAX / 4 };
  return checker_carried_can(&k, work, x);
}

static void total(const sizes *s, mpz_t work)
{
  mpz_t t;
  mpz_init_set_si(t, s->queries);
  mpz_mul_si(t, t, s->dv + s->normaliser);
  mpz_mul_si(t, t, s->d + 1);
  mpz_set_si(work, s->keys);
  mpz_mul_si(work, work, s->dv * (s->d + 1) + (s->weighed ? s->d : 0));
  mpz_add(work, work, t);
  mpz_mul_si(work, work, s->features);
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
  if (c->g->graph || !read_shape(c, normaliser, s))
    return bound_refuse(reason, "the computation has not the shape of attention by features");
  s->weighed = weighed;
  if (!agrees(c, "keys", s->keys, reason) || !agrees(c, "queries", s->queries, reason) ||
      !agrees(c, "features", s->features, reason) || !agrees(c, "d", s->d, reason) || !agrees(c, "dv", s->dv, reason))
    return false;
  if (s->d > WIDTH_MOST || s->dv > WIDTH_MOST)
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
  bool good = checker_equal(c->parameters, "births", s.births, reason) &&
              checker_equal(c->parameters, "stores", s.outputs, reason) &&
              checker_cut_read(&cut, c->parameters, reason) &&
              (mpz_cmp(cut.work, work) == 0 || bound_refuse(reason, "'work' is not the weight of all steps")) &&
              checker_cut_holds(&cut, c->m, lowrank_can, &s, reason);
  checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  mpz_clear(work);
  return good;
}

BOUND_CHECKER(lowrank) = { "lowrank", BOUND_ANY, check_lowrank };
