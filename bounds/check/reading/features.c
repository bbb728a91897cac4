/* Attention by features, read off its statements (docs/theory-lp.md, section 6), one loop for each of key, query,
   feature and slice: W(a,l) over keys j reads a feature FK(j,a), made from the whole row j of K or a monomial of it,
   and V(j,l); N(i,l) over a reads FQ(i,a), made from row i of Q, and the end of the chain W(a,l); U(a) over j, S(i)
   over a: the same without l and V, the normaliser. */
#include "bounds/check/reading/features.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/check/reading/monomials.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/reading/read.h"

/* One of the statements: W, N, U or S. */
typedef struct {
  const bound_statement *s;
  const bound_operand *feature, *other; /* other: V, or the end of a chain; NULL for U */
  const bound_leaf *row;                /* the words a feature needs, all of one token; NULL for monomials */
  checker_monomials of;
  int token, index, slice;              /* loops; slice -1: none */
} half;

static unsigned bit(int loop) { return loop < 0 ? 0 : 1u << loop; }
static int only_loop(unsigned loops) { return __builtin_popcount(loops) == 1 ? __builtin_ctz(loops) : -1; }

static bool is_a_half(const cdag *g, const bound_statement *s)
{
  return s->array < 64 && form_whole_box(g, s->array) && s->seed < 0;
}

/* The operand reads an array of monomials at loops of its own for token and index. */
static bool take_monomial(const cdag *g, half *h)
{
  form index[CDAG_RANK];
  if (!checker_monomials_shape(g, h->feature->array, &h->of) ||
      !form_indices(g, h->s->array, &g->array[h->s->array].term[h->feature->term], index))
    return false;
  h->token = only_loop(form_uses(&index[h->of.token]));
  h->index = only_loop(form_uses(&index[1 - h->of.token]));
  if (h->token < 0 || h->index < 0)
    return false;
  form token = form_loop(h->token), at = form_loop(h->index);
  const cdag_box *all = &g->array[h->s->array].hull, *there = &g->array[h->feature->array].hull;
  return form_same(&index[h->of.token], &token) && form_same(&index[1 - h->of.token], &at) &&
         there->lo[h->of.token] <= all->lo[h->token] && all->hi[h->token] <= there->hi[h->of.token];
}

/* Take the operand for the feature: the widest leaf of one token; the loops must be token, feature index and slice. */
static bool take_feature(const cdag *g, half *h, const bound_operand *f)
{
  unsigned all = (1u << h->s->rank) - 1, rest = all & ~f->loops;
  h->feature = f;
  h->row = NULL;
  for (int i = 0; i < f->leaves; i++)
    if (!f->leaf[i].given && only_loop(f->leaf[i].loops) >= 0 && (!h->row || f->leaf[i].width > h->row->width))
      h->row = &f->leaf[i];
  h->slice = only_loop(rest);
  if (!h->row) /* nor are words known of an input, or of what is not always there or told by a table */
    return (!rest || h->slice >= 0) && take_monomial(g, h);
  h->token = only_loop(h->row->loops);
  h->index = only_loop(f->loops & ~h->row->loops);
  return h->index >= 0 && (!rest || h->slice >= 0);
}

/* The chain runs over the tokens, from the first to the last. */
static bool runs_over_tokens(const cdag *g, const half *h)
{
  checker_chain c;
  checker_chain_read(g, h->s->array, &c);
  return h->s->chain == bit(h->token) && c.step[h->token] == -1;
}

/* W: over tokens, V tells token and slice; U: over tokens, nothing else. */
static bool sums_tokens(const cdag *g, half *h, bool slices)
{
  for (int f = 0; f < h->s->operands; f++) {
    if (!take_feature(g, h, &h->s->operand[f]) || !runs_over_tokens(g, h) || (h->slice >= 0) != slices)
      continue;
    h->other = NULL;
    if (!slices)
      return true;
    for (int o = 0; o < h->s->operands; o++)
      if (h->s->operand[o].input && h->s->operand[o].always && !h->s->operand[o].given &&
          h->s->operand[o].loops == (bit(h->token) | bit(h->slice))) {
        h->other = &h->s->operand[o];
        return true;
      }
  }
  return false;
}

/* Does the term name the last of w's chain, for every index and slice? */
static bool names_end(const cdag *g, const half *h, const bound_operand *o, const half *w)
{
  const cdag_array *a = &g->array[w->s->array];
  const cdag_term *t = &g->array[h->s->array].term[o->term];
  form index[CDAG_RANK];
  if (!form_indices(g, h->s->array, t, index))
    return false;
  for (int r = 0; r < a->rank; r++) {
    form want = r == w->token ? form_number(a->hull.hi[r] - 1) : form_loop(r == w->index ? h->index : h->slice);
    if (!form_same(&index[r], &want))
      return false;
  }
  return h->s->extent[h->index] == w->s->extent[w->index] &&
         (w->slice < 0 || h->s->extent[h->slice] == w->s->extent[w->slice]);
}

/* N, S: over feature indices, reading the ends of w's chains; features of other vertices than w's. */
static bool sums_features(const cdag *g, half *h, const half *w)
{
  for (int f = 0; f < h->s->operands; f++) {
    if (!take_feature(g, h, &h->s->operand[f]) || h->s->chain != bit(h->index) || (h->slice < 0) != (w->slice < 0) ||
        !h->row != !w->row || h->feature->array == w->feature->array || h->feature->tree & w->feature->tree)
      continue;
    for (int o = 0; o < h->s->operands; o++)
      if (h->s->operand[o].array == w->s->array && h->s->operand[o].always && !h->s->operand[o].given &&
          h->s->operand[o].loops == (bit(h->index) | bit(h->slice)) && names_end(g, h, &h->s->operand[o], w)) {
        h->other = &h->s->operand[o];
        return true;
      }
  }
  return false;
}

static bool leaves_apart(const cdag *g, const half *w, const half *n)
{
  const bound_leaf *k = w->row, *q = n->row;
  if (!k)
    return w->of.input != n->of.input && w->of.input != w->other->array && n->of.input != w->other->array;
  return !checker_boxes_meet(g, k->array, &k->box, q->array, &q->box) &&
         !checker_boxes_meet(g, k->array, &k->box, w->other->array, &w->other->box) &&
         !checker_boxes_meet(g, q->array, &q->box, w->other->array, &w->other->box);
}

/* The same features, named by token and index alone. */
static bool same_features(const cdag *g, const half *a, const half *b)
{
  if (!a->row) /* its loops are the array's own indices */
    return !b->row && a->feature->array == b->feature->array && a->s->extent[a->index] <= b->s->extent[b->index];
  const cdag_term *x = &g->array[a->s->array].term[a->feature->term];
  const cdag_term *y = &g->array[b->s->array].term[b->feature->term];
  form p[CDAG_RANK], q[CDAG_RANK];
  if (a->feature->array != b->feature->array || a->s->extent[a->token] != b->s->extent[b->token] ||
      a->s->extent[a->index] != b->s->extent[b->index])
    return false;
  /* unreachable: where an index is not linear no words are known */
  if (!form_indices(g, a->s->array, x, p) || !form_indices(g, b->s->array, y, q))
    return false;
  for (int r = 0; r < g->array[a->feature->array].rank; r++)
    if (p[r].c != q[r].c || p[r].k[a->token] != q[r].k[b->token] || p[r].k[a->index] != q[r].k[b->index])
      return false;
  return true;
}

static bool chains_in_trees(const half *h, int n)
{
  uint64_t chains = 0, trees = 0;
  for (int i = 0; i < n; i++) {
    chains |= (uint64_t)1 << h[i].s->array;
    trees |= h[i].feature->tree;
  }
  return (chains & trees) != 0;
}

/* Settings of the index for which there is no feature: 1, which is no vertex. */
static int64_t free_features(const cdag *g, const half *h)
{
  const cdag_box *all = &g->array[h->s->array].hull, *there = &g->array[h->feature->array].hull;
  int64_t lo = num_max(all->lo[h->index], there->lo[1 - h->of.token]);
  int64_t hi = num_min(all->hi[h->index], there->hi[1 - h->of.token]);
  return h->s->extent[h->index] - (lo < hi ? hi - lo : 0);
}

/* The steps of N or S whose features are in longer runs; a sum that leaves features out in between is not asked. */
static void count_longer(const cdag *g, const half *h, const int64_t *run, checker_features *f)
{
  const cdag_box *all = &g->array[h->s->array].hull, *there = &g->array[h->feature->array].hull;
  int at = 1 - h->of.token;
  checker_chain c;
  checker_chain_read(g, h->s->array, &c);
  if (c.step[h->index] != -1 && c.step[h->index] != 1)
    return;
  int64_t each = h->s->extent[h->token] * (h->slice < 0 ? 1 : h->s->extent[h->slice]);
  for (int64_t x = num_max(all->lo[h->index], there->lo[at]); x < num_min(all->hi[h->index], there->hi[at]); x++)
    for (int64_t l = 0; l < num_min(run[x - there->lo[at]], CHECKER_RUN_MOST + 1); l++)
      f->longer[l] += (uint64_t)each;
}

/* How many features of keys and of queries a few words give: the most of them. */
static bool read_monomials(const cdag *g, const half *h, int n, checker_features *f)
{
  int64_t keys, queries;
  const cdag_box *there = &g->array[h[1].of.array].hull;
  int at = 1 - h[1].of.token;
  SCOPED_MEM int64_t *run = MEM_NEW(int64_t, (size_t)num_max(1, there->hi[at] - there->lo[at]));
  if (!checker_monomials_degree(g, &h[0].of, &keys, NULL) || !checker_monomials_degree(g, &h[1].of, &queries, run))
    return false;
  for (int i = 1; i < n; i += 2)
    count_longer(g, &h[i], run, f);
  f->degree = num_max(keys, queries);
  for (int i = 0; i < n; i++)
    f->free = num_max(f->free, free_features(g, &h[i]));
  return true;
}

bool checker_features_read(const cdag *g, const bound_statement *const statement[4], checker_features *f)
{
  half h[4] = { { .s = NULL } };
  int n = statement[2] ? 4 : 2;
  for (int i = 0; i < n; i++) {
    h[i].s = statement[i];
    if (!is_a_half(g, statement[i]))
      return false;
  }
  bool good = sums_tokens(g, &h[0], true) && sums_features(g, &h[1], &h[0]) && leaves_apart(g, &h[0], &h[1]);
  if (good && n == 4)
    good = sums_tokens(g, &h[2], false) && same_features(g, &h[2], &h[0]) && sums_features(g, &h[3], &h[2]) &&
           same_features(g, &h[3], &h[1]);
  if (!good || chains_in_trees(h, n))
    return false;
  *f = (checker_features){ .keys = h[0].s->extent[h[0].token],
                           .queries = h[1].s->extent[h[1].token],
                           .features = h[0].s->extent[h[0].index],
                           .d = h[0].row ? num_min(h[0].row->width, h[1].row->width) : 0,
                           .dv = h[0].s->extent[h[0].slice],
                           .key_feature = h[0].feature->array,
                           .query_feature = h[1].feature->array,
                           .k = h[0].row ? h[0].row->array : h[0].of.input,
                           .q = h[1].row ? h[1].row->array : h[1].of.input,
                           .v = h[0].other->array,
                           .query_loop = h[1].token,
                           .feature_loop = h[1].index,
                           .slice_loop = h[1].slice,
                           .normaliser = n == 4 };
  for (int i = 0; i < n; i++) {
    f->births += h[i].s->chains;
    f->steps += i == 2 ? 0 : h[i].s->steps;
  }
  f->key_steps = h[0].s->steps;
  f->weigh = (checker_features_weights){ 1, 1, 1, 1 };
  return h[0].row || read_monomials(g, h, n, f);
}

/* ---- what words allow ---- */

/* Of x variables and c features that are there: products of variables, and of a feature with some: at most binomial(x +
   degree, degree) + c binomial(x + degree - 1, degree - 1), no more than x + c variables give. */
int64_t checker_features_had(const checker_features *f, int64_t words)
{
  unsigned __int128 n = 1;
  if (f->degree == 0)
    return words >= f->d ? f->features : num_min(words, f->features);
  for (int64_t i = 1; i <= f->degree && n < (unsigned __int128)1 << 62; i++)
    n = n * (unsigned __int128)(words + i) / (unsigned __int128)i; /* binomial(words + i, i) */
  n += (unsigned __int128)f->free - 1;
  return n < (unsigned __int128)f->features ? (int64_t)n : f->features;
}

/* Some key has no more than its share of the words: q for features, the rest of V. */
int64_t checker_features_reruns(const checker_features *f, int64_t x)
{
  int64_t share = x / f->keys, most = 0;
  for (int64_t q = 0; q <= share; q++) {
    int64_t had = checker_features_had(f, q);
    most = num_max(most, had * (num_min(share - q, f->dv) + f->normaliser));
    if (had == f->features)
      break;
  }
  return most;
}

void checker_features_work(const checker_features *f, mpz_t work)
{
  mpz_set_ui(work, f->steps - f->key_steps);
  mpz_mul_ui(work, work, (unsigned long)f->weigh.low);
  for (int64_t l = f->weigh.low; l < f->weigh.high; l++)
    mpz_add_ui(work, work, f->longer[l]);
  mpz_mul_ui(work, work, (unsigned long)f->weigh.query);
  mpz_t keys;
  mpz_init_set_ui(keys, f->key_steps);
  mpz_addmul_ui(work, keys, (unsigned long)f->weigh.key);
  mpz_clear(keys);
}

/* Rows of one kind: a step weighs `each`, some q of each other word's `each + more`; `again` ends of chains need no
   word. */
typedef unsigned __int128 area;
typedef struct { int64_t x, again, had, q, each, more; } rows;

/* What rows of q and v words do, times (q + v), that can use u ends, u - again of which are words. */
static area they_do(const rows *r, int64_t v, int64_t u)
{
  return (area)(r->x + r->again - u) *
         ((area)r->each * (area)num_min(r->had * v, u) + (area)r->more * (area)num_min(num_min(r->q, r->had) * v, u));
}

/* The most over u: a concave function, linear up to q v, from there to had v and beyond, times one that falls. */
static area at_width(const rows *r, int64_t v, int64_t *c)
{
  int64_t all = r->x + r->again, few = num_min(r->q, r->had) * v, many = r->had * v, at[4] = { few, many };
  int64_t middle = r->each > 0 ? (int64_t)(((__int128)all * r->each - (__int128)r->more * few) / (2 * r->each)) : 0;
  area best = 0;
  at[2] = num_min(all / 2, few);
  at[3] = num_max(few, num_min(middle, many));
  for (int i = 0; i < 5; i++) {
    int64_t u = num_min(all, num_max(r->again, i < 4 ? at[i] : num_min(at[3] + 1, many)));
    area a = they_do(r, v, u);
    if (a > best || i == 0) {
      best = a;
      *c = u - r->again;
    }
  }
  return best;
}

/* Does a row with v + 1 other words do more for its words than one with v? */
static bool still_grows(const rows *r, int64_t v)
{
  int64_t c;
  return at_width(r, v + 1, &c) * (area)(r->q + v) > at_width(r, v, &c) * (area)(r->q + v + 1);
}

/* The v from which on it does not, where all steps weigh the same: over the words of the row the steps are concave in v
   as long as had v is what limits them, and fall when it is not. */
static int64_t best_width(const rows *r, int64_t most)
{
  int64_t lo = 1, hi = most;
  while (lo < hi) {
    int64_t mid = lo + (hi - lo) / 2;
    if (still_grows(r, mid))
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

enum { WIDEST = 1 << 20 };
static const int64_t WORDS_MOST = (int64_t)1 << 40;

/* The best of all. */
typedef struct {
  area a, words;
  checker_features_where where;
} best;

static void try_widths(const rows *r, int64_t widest, best *b)
{
  int64_t all = r->x + r->again, c;
  int64_t v = r->more > 0 ? 1 : best_width(r, widest), last = r->more > 0 ? widest : v;
  area most = (area)all * (area)all / 4 * (area)(r->each + r->more);
  for (; v <= last && most * b->words >= b->a * (area)(r->q + v); v++) {
    area a = at_width(r, v, &c);
    if (a * b->words > b->a * (area)(r->q + v))
      *b = (best){ a, (area)(r->q + v), { r->q, v, c } };
  }
}

/* With q words a sum takes at most q steps with features in longer runs. */
static void try_rows(const checker_features *f, int64_t words, int64_t again, int64_t q, best *b)
{
  const checker_features_weights *w = &f->weigh;
  int64_t had = checker_features_had(f, q), each = w->query * num_min(num_max(q, w->low), w->high);
  rows keys = { words, 0, had, q, w->key, 0 }, queries = { words, again, had, q, each, w->query * w->high - each };
  if (had == 0)
    return;
  try_widths(&queries, f->dv + f->normaliser, b);
  if (w->key > each)
    try_widths(&keys, f->dv + f->normaliser, b);
}

void checker_features_most(const checker_features *f, const mpz_t x, mpz_t most, checker_features_where *where)
{
  best b = { 0, 1, { 0, 0, 0 } };
  *where = b.where;
  checker_features_work(f, most);
  if (mpz_cmp_si(x, WORDS_MOST) > 0 || f->keys < 1 || f->dv > WIDEST || f->d > WIDEST ||
      f->features > (f->degree > 0 ? WIDEST : INT32_MAX)) /* with weights of 2^20 all products fit in an area */
    return;
  int64_t words = mpz_get_si(x), again = checker_features_reruns(f, words);
  for (int64_t q = 0, had = -1; had < f->features || q <= f->weigh.high; q++) {
    had = checker_features_had(f, q);
    try_rows(f, words, again, q, &b);
  }
  *where = b.where;
  mpz_t h;
  mpz_init_set_ui(h, (unsigned long)(b.a / b.words >> 64));
  mpz_mul_2exp(h, h, 64);
  mpz_add_ui(h, h, (unsigned long)(b.a / b.words));
  if (mpz_cmp(h, most) < 0)
    mpz_set(most, h);
  mpz_clear(h);
}
