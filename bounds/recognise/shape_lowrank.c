/* The hypotheses of the low-rank bound (docs/theory-lp.md, section 6), one loop for each of key, query, feature and
   slice: W(a,l) over keys j   reads a feature FK(j,a), made from the whole row j of K, and V(j,l); N(i,l) over a reads
   FQ(i,a), made from the whole row i of Q, and the end of the chain W(a,l); U(a) over j, S(i) over a: the same without
   l and V, the normaliser. */
#include "base/mem.h"
#include "bounds/check/reading/read.h"
#include "bounds/recognise/shape_internal.h"
#include "bounds/recognise/shape_lowrank.h"

/* A statement with a computed operand of two loops, the feature, one of which alone says which row makes it. */
typedef struct {
  const bound_statement *s;
  const bound_operand *feature, *other; /* other: V, or the chain's end; NULL for U */
  const bound_leaf *row;
  int token, index, slice; /* loops; slice -1: none */
} half;

static int only_loop(unsigned loops) { return __builtin_popcount(loops) == 1 ? __builtin_ctz(loops) : -1; }

static bool plain(const bound_operand *o) { return o->always && !o->given; }

static const bound_leaf *row_leaf(const bound_operand *f)
{
  const bound_leaf *best = NULL;
  for (int i = 0; i < f->leaves; i++)
    if (!f->leaf[i].given && only_loop(f->leaf[i].loops) >= 0 && (!best || f->leaf[i].width > best->width))
      best = &f->leaf[i];
  return best;
}

/* Every loop of the statement has its part: token, feature index, slice. */
static bool name_loops(half *h)
{
  unsigned all = (1u << h->s->rank) - 1;
  h->token = only_loop(h->row->loops);
  h->index = only_loop(h->feature->loops & ~h->row->loops);
  unsigned rest = all & ~h->feature->loops;
  h->slice = only_loop(rest);
  return h->token >= 0 && h->index >= 0 && (!rest || h->slice >= 0);
}

static bool half_of(const cdag *g, const bound_statement *s, int feature, int other, half *h)
{
  *h = (half){ .s = s, .feature = &s->operand[feature], .other = other < 0 ? NULL : &s->operand[other] };
  if (!g->array[s->array].rectangular || s->seed >= 0 || h->feature->input || !plain(h->feature) ||
      (h->other && !plain(h->other)))
    return false;
  h->row = row_leaf(h->feature);
  return h->row && name_loops(h);
}

static unsigned bit(int loop) { return loop < 0 ? 0 : 1u << loop; }

/* Sums over keys: the chain is the token; V tells token and slice. */
static bool sums_keys(const cdag *g, const half *h)
{
  shape_chain c;
  shape_chain_find(g, h->s->array, &c);
  if (h->s->chain != bit(h->token) || c.direction[h->token] > 0) /* its end is the last key's */
    return false;
  if (!h->other)
    return h->slice < 0 && h->s->rank == 2;
  return h->slice >= 0 && h->other->input && h->other->loops == (bit(h->token) | bit(h->slice));
}

/* Does the term name the end of chain w for every feature index and slice? */
static bool names_end(const cdag *g, const half *h, const half *w)
{
  const cdag_array *a = &g->array[w->s->array];
  const cdag_term *t = &g->array[h->s->array].term[h->other->term];
  affine loop[CDAG_RANK], index[CDAG_RANK];
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = affine_slot(r);
  if (h->other->array != w->s->array || !shape_index_forms(g, t, a->rank, loop, h->s->rank, index))
    return false;
  for (int r = 0; r < a->rank; r++) {
    affine expected =
        r == w->token ? affine_const(a->hull.hi[r] - 1) : affine_slot(r == w->index ? h->index : h->slice);
    if (!affine_equal(&index[r], &expected))
      return false;
  }
  return h->s->extent[h->index] == w->s->extent[w->index] &&
         (w->slice < 0 || h->s->extent[h->slice] == w->s->extent[w->slice]);
}

/* Sums over features: the chain is the index; the other operand is the end of w's chain. */
static bool sums_features(const cdag *g, const half *h, const half *w)
{
  return h->other && h->s->chain == bit(h->index) && (h->slice < 0) == (w->slice < 0) &&
         h->other->loops == (bit(h->index) | bit(h->slice)) && names_end(g, h, w) &&
         !(h->feature->tree & w->feature->tree);
}

/* No chain is part of what makes a feature. */
static bool no_chain_in_trees(const half *w, const half *n)
{
  uint64_t chains =
      (w->s->array < 64 ? (uint64_t)1 << w->s->array : 0) | (n->s->array < 64 ? (uint64_t)1 << n->s->array : 0);
  return !((w->feature->tree | n->feature->tree) & chains);
}

/* Words that are counted for different things must be different. */
static bool apart(const cdag *g, const half *w, const half *n)
{
  const bound_leaf *k = w->row, *q = n->row;
  const bound_operand *v = w->other;
  return !checker_boxes_meet(g, k->array, &k->box, q->array, &q->box) &&
         !checker_boxes_meet(g, k->array, &k->box, v->array, &v->box) &&
         !checker_boxes_meet(g, q->array, &q->box, v->array, &v->box);
}

/* ---- search ---- */

enum { MOST = 12, HALVES = 48 };

static int find_halves(const cdag *g, const bound_statement *s, int statements, half *h)
{
  int n = 0;
  for (int i = 0; i < statements; i++)
    for (int f = 0; f < s[i].operands; f++)
      for (int o = -1; o < s[i].operands && n < HALVES; o++)
        n += o != f && half_of(g, &s[i], f, o, &h[n]);
  return n;
}

static bool same_feature(const half *a, const half *b)
{
  return a->feature->array == b->feature->array && a->row->array == b->row->array &&
         a->s->extent[a->token] == b->s->extent[b->token] && a->s->extent[a->index] == b->s->extent[b->index];
}

/* Features told apart by the same indices, or a carried one would count twice: both name it by (token, index) alone. */
static bool same_place(const cdag *g, const half *a, const half *b)
{
  const cdag_term *x = &g->array[a->s->array].term[a->feature->term],
                  *y = &g->array[b->s->array].term[b->feature->term];
  affine loop[CDAG_RANK], p[CDAG_RANK], q[CDAG_RANK];
  int rank = g->array[a->feature->array].rank;
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = affine_slot(r);
  if (!shape_index_forms(g, x, rank, loop, a->s->rank, p) || !shape_index_forms(g, y, rank, loop, b->s->rank, q))
    return false;
  for (int r = 0; r < rank; r++)
    if (p[r].base != q[r].base || p[r].coef[a->token] != q[r].coef[b->token] ||
        p[r].coef[a->index] != q[r].coef[b->index])
      return false;
  return true;
}

static void add_normaliser(const cdag *g, const half *h, int halves, const half *w, const half *n, lowrank_shape *l)
{
  for (int u = 0; u < halves; u++)
    for (int s = 0; s < halves && !l->of.normaliser; s++)
      if (!h[u].other && sums_keys(g, &h[u]) && same_feature(&h[u], w) && same_place(g, &h[u], w) &&
          sums_features(g, &h[s], &h[u]) && same_feature(&h[s], n) && same_place(g, &h[s], n) &&
          no_chain_in_trees(&h[u], &h[s])) {
        l->of.normaliser = true;
        l->u = h[u].s->array;
        l->s = h[s].s->array;
        l->of.births += (int64_t)(h[u].s->chains + h[s].s->chains);
      }
}

static void fill(const half *w, const half *n, lowrank_shape *l)
{
  int64_t dk = w->row->width, dq = n->row->width;
  *l = (lowrank_shape){ .w = w->s->array,
                        .n = n->s->array,
                        .u = -1,
                        .s = -1,
                        .key_feature = w->feature->array,
                        .query_feature = n->feature->array,
                        .k = w->row->array,
                        .q = n->row->array,
                        .v = w->other->array,
                        .query_loop = n->token,
                        .feature_loop = n->index,
                        .slice_loop = n->slice };
  l->of = (lowrank_case){ .keys = w->s->extent[w->token],
                          .queries = n->s->extent[n->token],
                          .features = w->s->extent[w->index],
                          .d = dk < dq ? dk : dq,
                          .dv = w->s->extent[w->slice],
                          .births = (int64_t)(w->s->chains + n->s->chains) };
}

static bool find_pair(const cdag *g, const half *h, int halves, lowrank_shape *l)
{
  for (int w = 0; w < halves; w++)
    for (int n = 0; n < halves; n++)
      if (h[w].other && sums_keys(g, &h[w]) && h[n].s != h[w].s && sums_features(g, &h[n], &h[w]) &&
          apart(g, &h[w], &h[n]) && no_chain_in_trees(&h[w], &h[n])) {
        fill(&h[w], &h[n], l);
        add_normaliser(g, h, halves, &h[w], &h[n], l);
        return true;
      }
  return false;
}

bool bound_lowrank_find(const cdag *g, const bound_live *known, lowrank_shape *l)
{
  if (g->graph)
    return false;
  bound_live own;
  const bound_live *live = bound_live_of(g, known, &own);
  bound_statement *s = MEM_NEW(bound_statement, MOST);
  half *h = MEM_NEW(half, HALVES);
  int n = 0;
  for (int a = 0; a < g->arrays && n < MOST; a++)
    n += bound_statement_find(g, live, a, &s[n]);
  bool found = find_pair(g, h, find_halves(g, s, n, h), l);
  if (found)
    l->of.outputs = (int64_t)live->outputs;
  bound_live_clear(&own);
  mem_free(h);
  mem_free(s);
  return found;
}
