/* Attention by dense features, read off its statements (docs/theory-lp.md, section 6), one loop for each of key,
   query, feature and slice: W(a,l) over keys j reads a feature FK(j,a), made from the whole row j of K, and V(j,l);
   N(i,l) over a reads FQ(i,a), made from the whole row i of Q, and the end of the chain W(a,l); U(a) over j, S(i) over
   a: the same without l and V, the normaliser. */
#include "bounds/check/reading/features.h"
#include "base/num.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/reading/read.h"

/* One of the statements: W, N, U or S. */
typedef struct {
  const bound_statement *s;
  const bound_operand *feature, *other; /* other: V, or the end of a chain; NULL for U */
  const bound_leaf *row;                /* the words a feature needs, all of one token */
  int token, index, slice;              /* loops; slice -1: none */
} half;

static unsigned bit(int loop) { return loop < 0 ? 0 : 1u << loop; }
static int only_loop(unsigned loops) { return __builtin_popcount(loops) == 1 ? __builtin_ctz(loops) : -1; }

static bool is_a_half(const cdag *g, const bound_statement *s)
{
  return s->array < 64 && form_whole_box(g, s->array) && s->seed < 0;
}

/* Take the operand for the feature: the widest leaf of one token; the loops must be token, feature index and slice. */
static bool take_feature(half *h, const bound_operand *f)
{
  unsigned all = (1u << h->s->rank) - 1, rest = all & ~f->loops;
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
  checker_chain_read(g, h->s->array, &c);
  return h->s->chain == bit(h->token) && c.step[h->token] == -1;
}

/* W: over tokens, V tells token and slice; U: over tokens, nothing else. */
static bool sums_tokens(const cdag *g, half *h, bool slices)
{
  for (int f = 0; f < h->s->operands; f++) {
    if (!take_feature(h, &h->s->operand[f]) || !runs_over_tokens(g, h) || (h->slice >= 0) != slices)
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
    if (!take_feature(h, &h->s->operand[f]) || h->s->chain != bit(h->index) || (h->slice < 0) != (w->slice < 0) ||
        h->feature->tree & w->feature->tree)
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
  return !checker_boxes_meet(g, k->array, &k->box, q->array, &q->box) &&
         !checker_boxes_meet(g, k->array, &k->box, w->other->array, &w->other->box) &&
         !checker_boxes_meet(g, q->array, &q->box, w->other->array, &w->other->box);
}

/* The same features, named by token and index alone. */
static bool same_features(const cdag *g, const half *a, const half *b)
{
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
                           .d = num_min(h[0].row->width, h[1].row->width),
                           .dv = h[0].s->extent[h[0].slice],
                           .key_feature = h[0].feature->array,
                           .query_feature = h[1].feature->array,
                           .k = h[0].row->array,
                           .q = h[1].row->array,
                           .v = h[0].other->array,
                           .query_loop = h[1].token,
                           .feature_loop = h[1].index,
                           .slice_loop = h[1].slice };
  for (int i = 0; i < n; i++)
    f->births += h[i].s->chains;
  return true;
}
