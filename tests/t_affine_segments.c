/* What the words of a segment allow, against segments: of a small computation some vertices are red, all that follows
   from them is computed, however often, and no law of a claim lets fewer steps be done than that does. */
#include "bounds/affine/find.h"
#include "bounds/check/affine/stored.h"
#include "bounds/checker.h"
#include "bounds/games.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include "tests/support_one_shot.h"
#include <stdlib.h>
#include <string.h>

/* Texts with claims that are found at the first setting, and said of small ones. */
static const struct { const char *what, *text, *found, *small; uint64_t m; int least, most;
} known[] = {
  { "one product's ends and its matrix in the next",
    "param n, m\ninput X[n,n], C[n,n]\nT[i:n,j:m,k:n] = T[i,j,k-1], C[i,k], X[k,j]\n"
    "Y[i:m,j:n,k:n] = Y[i,j,k-1], T[k,i,n-1], C[j,k]\noutput Y[*,*,n-1]\n",
    "n=512,m=512", "n=%d,m=4", 4096, 14, 16 },
  { "a product of what two made",
    "param n, m\ninput X[n,n], W[n,n], V[n,n], Z[n,n]\nG[i:m,j:n,k:n] = G[i,j,k-1], X[i,k], W[k,j]\n"
    "U[i:m,j:n,k:n] = U[i,j,k-1], X[i,k], V[k,j]\nA[i:m,j:n] = G[i,j,n-1], U[i,j,n-1]\n"
    "Y[i:m,j:m,k:n] = Y[i,j,k-1], A[i,k], Z[k,j]\noutput Y[*,*,n-1]\n",
    "n=600,m=600", "n=%d,m=4", 4096, 14, 16 },
  { "three products, one after the other",
    "param n, m\ninput X[n,n], A[n,n], B[n,n], C[n,n]\nE[i:m,j:n,k:n] = E[i,j,k-1], X[i,k], A[k,j]\n"
    "F[i:m,j:n,k:n] = F[i,j,k-1], E[i,k,n-1], B[k,j]\nG[i:m,j:m,k:n] = G[i,j,k-1], F[i,k,n-1], C[k,j]\n"
    "output G[*,*,n-1]\n",
    "n=600,m=600", "n=%d,m=3", 4096, 14, 16 },
  { "steps in time",
    "param n, m, t=4\ninput X[t,m,n], W[n,n], H0[m,n]\n"
    "Z[s:t,i:m,j:n,k:n] = Z[s,i,j,k-1], X[s,i,j] if k==0, W[j,k], H[s-1,i,k], H0[i,k] if s==0\n"
    "H[s:t,i:m,j:n] = Z[s,i,j,n-1]\noutput H[t-1,*,*]\n",
    "n=400,m=400", "n=%d,m=2", 4096, 13, 15 },
  { "the product of two products",
    "param n, m\ninput A[n,n], B[n,n], C[n,n], D[n,n]\nE[i:m,j:n,k:n] = E[i,j,k-1], A[i,k], B[k,j]\n"
    "F[i:n,j:m,k:n] = F[i,j,k-1], C[i,k], D[k,j]\nG[i:m,j:m,k:n] = G[i,j,k-1], E[i,k,n-1], F[k,j,n-1]\n"
    "output G[*,*,n-1]\n",
    "n=600,m=600", "n=%d,m=3", 4096, 14, 16 },
  { "triangles",
    "param n, m\ninput A[i:n,j:i+1]\nS[i:n,j:i+1,k:j+1] = A[i,j] if k==0, S[i,j,k-1], S[i,k-1,k-1], S[j,k-1,k-1]\n"
    "output S[i:n,j:i+1,j]\n",
    "n=400,m=1", "n=%d,m=1", 4000, 6, 14 },
  { "a triangular solve",
    "param n, m\ninput L[i:n,j:i+1], B[n,n]\n"
    "X[i:n,j:n,k:i+1] = X[i,j,k-1], B[i,j] if k==0, L[i,k], X[k,j,k] if k<i\noutput X[i:n,*,i]\n",
    "n=400,m=1", "n=%d,m=1", 4000, 5, 9 },
  { "lu with tails",
    "param n, m\ninput A[n,n,1]\nU[i:n,j:n,k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
    "output L[i:n,j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..n,j:i..n,i-1]\n",
    "n=900,m=1", "n=%d,m=1", 1000, 14, 17 },
};

enum { TRIES = 80, ARRAYS = 12 };
typedef struct {
  const cdag *g;
  const affine_facts *f;
  bool *red, *done;
  int64_t *own;                /* the own predecessor, or -1 */
} segment;

static bool holds(const polyhedron *p, const int64_t *x, int rank)
{
  bool good = !p->open;
  for (int k = 0; k < p->n && good; k++) {
    int64_t v = p->row[k].form.base;
    for (int r = 0; r < rank; r++)
      v += p->row[k].form.coef[r] * x[r];
    for (int r = rank; r < POLYHEDRON_VARS; r++)
      ck_assert_msg(p->row[k].form.coef[r] == 0, "a quotient");
    good = p->row[k].equal ? v == 0 : v >= 0;
  }
  return good;
}

static void find_owns(segment *s)
{
  for (uint64_t v = 0; v < s->g->vertices; v++) {
    cdag_element e;
    cdag_at(s->g, v, &e);
    s->own[v] = -1;
    for (int i = 0; i < s->f->words.n; i++) {
      const access *a = s->f->form.access[s->f->words.own[i]];
      int64_t y[CDAG_RANK] = { 0 };
      if (a->from != e.array || !holds(a->where, e.x, s->f->form.array[a->from].rank))
        continue;
      for (int r = 0; r < s->f->form.array[a->to].rank; r++) {
        y[r] = a->index[r].base;
        for (int q = 0; q < CDAG_RANK; q++)
          y[r] += a->index[r].coef[q] * e.x[q];
      }
      s->own[v] = (int64_t)cdag_id(s->g, a->to, y);
    }
  }
}

/* Of each array some box, or nothing. */
typedef struct {
  bool there;
  int64_t low[CDAG_RANK], high[CDAG_RANK];
} box;

static void choose_box(support_random *r, box *b)
{
  b->there = support_between(r, 0, 3) > 0;
  for (int q = 0; q < CDAG_RANK; q++) {
    b->low[q] = support_between(r, 0, 3) ? support_between(r, 0, 3) : 0;
    b->high[q] = support_between(r, 0, 1) ? 100 : b->low[q] + support_between(r, 0, 3);
  }
}

/* What is in the boxes; of a word one element after another only now and then. */
static int64_t make_red(segment *s, support_random *r, const box *b)
{
  int64_t n = 0;
  memset(s->red, 0, s->g->vertices * sizeof *s->red);
  for (uint64_t v = 0; v < s->g->vertices; v++) {
    cdag_element e;
    cdag_at(s->g, v, &e);
    bool in = b[e.array].there && (s->own[v] < 0 || !s->red[s->own[v]] || support_between(r, 0, 9) == 0);
    for (int q = 0; q < s->g->array[e.array].rank; q++)
      in = in && e.x[q] >= b[e.array].low[q] && e.x[q] <= b[e.array].high[q];
    s->red[v] = in;
    n += in;
  }
  return n;
}

static bool is_done(void *context, const cdag_element *e, int term)
{
  const segment *s = context;
  uint64_t v = cdag_id(s->g, e->array, e->x);
  (void)term;
  return s->red[v] || s->done[v];
}

static void compute_all(segment *s)
{
  bool more = true;
  memset(s->done, 0, s->g->vertices * sizeof *s->done);
  while (more) {
    more = false;
    for (uint64_t v = 0; v < s->g->vertices; v++) {
      cdag_element e;
      cdag_at(s->g, v, &e);
      if (s->done[v] || cdag_is_input(s->g, e.array, e.x) ||
          !cdag_each_predecessor(s->g, e.array, e.x, is_done, s))
        continue;
      s->done[v] = more = true;
    }
  }
}

/* Is an element before it on its word red, and all between computed?  *start: where else the word begins. */
static bool continues(const segment *s, int64_t v, int64_t *start)
{
  for (*start = v; s->own[*start] >= 0;) {
    *start = s->own[*start];
    if (s->red[*start])
      return true;
    if (!s->done[*start])
      return false;
  }
  return false;
}

/* The steps that are done; those whose words begin in the segment count with births, or not at all. */
static double check_segment(segment *s, const claim_group *c, int64_t red, bool with_births, int seed)
{
  bool *born = calloc(s->g->vertices, sizeof *born);
  int64_t steps = 0, births = 0;
  for (int k = 0; k < c->statements; k++) {
    const cdag_array *a = &s->g->array[c->statement[k].array];
    const polyhedra *p = &s->f->group[0].steps[k];
    for (uint64_t v = a->first; v < a->first + a->count; v++) {
      cdag_element e;
      bool counts = false;
      int64_t start;
      cdag_at(s->g, v, &e);
      for (int q = 0; q < p->n && s->done[v]; q++)
        counts = counts || holds(p->item[q], e.x, a->rank);
      if (!counts)
        continue;
      if (!continues(s, (int64_t)v, &start)) {
        if (!with_births)
          continue;
        births += !born[start];
        born[start] = true;
      }
      steps++;
    }
  }
  free(born);
  mpz_t x, most;
  mpz_init_set_si(x, red + births);
  mpz_init(most);
  group_most(&s->f->group[0], x, most);
  ck_assert_msg(mpz_cmp_si(most, steps) >= 0, "%s, seed %d: %ld steps by %ld words, and at most %.0f are said",
                s->g->name, seed, (long)steps, (long)(red + births), mpz_get_d(most));
  double share = mpz_cmp(most, s->f->group[0].work) < 0 ? (double)steps / (mpz_get_d(most) + 1) : 0;
  mpz_clears(x, most, NULL);
  return share;
}

START_TEST(segments)
{
  support_random r = { (uint64_t)_i + 1 };
  int which = _i % COUNT(known);
  affine_facts f;
  text reason = { 0 }, small = { 0 };
  cdag *g = bound_text_open(known[which].text, known[which].found);
  affine_best best[2] = { 0 };
  mpz_inits(best[0].value, best[1].value, NULL);
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  affine_find(&f, (int64_t)known[which].m, AFFINE_ALL, best);
  affine_facts_clear(&f);
  cdag_free(g);
  affine_claim c = best[0].claim;
  ck_assert_msg(c.groups == 1, "%s: no claim", known[which].what);
  text_printf(&small, known[which].small, (int)support_between(&r, known[which].least, known[which].most));
  g = bound_text_open(known[which].text, text_str(&small));
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  if (c.group[0].tail)
    c.group[0].tail = support_between(&r, 5, 8);
  ck_assert_msg(affine_derive(&f, &c, &reason), "%s: %s", known[which].what, text_str(&reason));
  segment s = { g, &f, calloc(g->vertices, sizeof(bool)), calloc(g->vertices, sizeof(bool)),
                calloc(g->vertices, sizeof(int64_t)) };
  double best_share = 0;
  box now[ARRAYS] = { 0 };
  ck_assert(g->arrays <= ARRAYS);
  find_owns(&s);
  for (int k = 0; k < TRIES; k++) { /* uphill */
    box next[ARRAYS];
    double share = 0;
    memcpy(next, now, sizeof now);
    for (int x = 0; x < g->arrays; x++)
      if (k < TRIES / 8 || support_between(&r, 0, g->arrays) == 0)
        choose_box(&r, &next[x]);
    int64_t red = make_red(&s, &r, next);
    compute_all(&s);
    for (int births = 0; births < 2; births++) {
      double is = check_segment(&s, &c.group[0], red, births, _i);
      share = is > share ? is : share;
    }
    if (share >= best_share) {
      best_share = share;
      memcpy(now, next, sizeof now);
    }
  }
  free(s.red);
  free(s.done);
  free(s.own);
  affine_facts_clear(&f);
  cdag_free(g);
  mpz_clears(best[0].value, best[1].value, NULL);
  text_clear(&small);
  text_clear(&reason);
}
END_TEST

/* ---- runs of operands ---- */

/* Closures: an element's own predecessor and it may both be operands of one need, whose value i and j are. */
static const char *const closures[] = {
  "param n\ninput P[s:n+1,i:n,j:n] = P[s-1,i,j], P[s-1+(s-1<j),i,s-1], P[s-1+(s-1<i),s-1,j]\noutput P[n,*,*]\n",
  "param n\ninput P[s:n+1,i:n,j:n] = P[s-1,i,j], P[s-1+(s-1>j),i,s-1], P[s-1+(s-1<i),s-1,j]\noutput P[n,*,*]\n",
  "param n\ninput P[s:n+1,i:n,j:n] = P[s-1,i,j], P[s-1,i,s-1], P[s-1+(s-1<i),s-1,j]\noutput P[n,*,*]\n",
  "param n\ninput P[s:n+1,i:n,j:n] = P[s-1,i,j], P[s-1,i,s-1], P[s-1,s-1,j]\noutput P[n,*,*]\n",
};

typedef struct {
  segment s;
  const claim_group *c;
  unsigned *need;              /* of each vertex, the needs it is an operand of */
  bool *event, *now;           /* its compute is one; it is computed in the segment */
  int64_t *order, read;
} runs;

/* The element that v reads by way w of the item; -1: v goes another way. */
static int64_t element_by(const runs *r, int64_t v, int item, int w)
{
  const claim_way *way = &r->c->statement[0].item[item].way[w];
  cdag_element e;
  cdag_at(r->s.g, (uint64_t)v, &e);
  if (way->kind == ITEM_OWN)
    return v;
  const access *a = r->s.f->form.access[way->access];
  int64_t y[CDAG_RANK] = { 0 };
  if (!holds(a->where, e.x, 3))
    return -1;
  for (int q = 0; q < 3; q++) {
    y[q] = a->index[q].base;
    for (int k = 0; k < 3; k++)
      y[q] += a->index[q].coef[k] * e.x[k];
  }
  return (int64_t)cdag_id(r->s.g, a->to, y);
}

static bool is_computed(const runs *r, int64_t v)
{
  cdag_element e;
  cdag_at(r->s.g, (uint64_t)v, &e);
  return !cdag_is_input(r->s.g, e.array, e.x);
}

static bool counts(const runs *r, int64_t v)
{
  const polyhedra *steps = &r->s.f->group[0].steps[0];
  bool step = false;
  cdag_element e;
  cdag_at(r->s.g, (uint64_t)v, &e);
  for (int k = 0; k < steps->n; k++)
    step = step || holds(steps->item[k], e.x, 3);
  return step;
}

/* First elements of runs and of what follows runs on words: by their definition, vertex by vertex.  How many?  The
   checker may take more for operands, of steps that it leaves out later. */
static int64_t find_events(runs *r)
{
  int64_t n = (int64_t)r->s.g->vertices, sum = 0;
  for (int64_t v = 0; v < n; v++)
    for (int i = 0; i < r->c->statement[0].items && counts(r, v); i++)
      for (int w = 0; w < r->c->statement[0].item[i].ways; w++) {
        int64_t u = element_by(r, v, i, w);
        if (u >= 0 && r->c->statement[0].item[i].way[w].kind == ITEM_OPERAND)
          r->need[u] |= 1u << i;
      }
  for (int64_t v = 0; v < n; v++) {
    int64_t u = r->s.own[v];
    bool along = u >= 0 && r->need[u], inner = along && r->need[u] == r->need[v];
    for (int i = 0; i < r->c->statement[0].items && inner; i++) /* of one need, which may be met in two ways */
      inner = !(r->need[v] >> i & 1) || (r->need[v] == 1u << i && r->c->statement[0].item[i].ways > 1);
    r->event[v] = is_computed(r, v) && ((r->need[v] && !inner) || (!r->need[v] && along));
    sum += r->event[v];
  }
  return sum;
}

/* What v needs of the item is this; of its own word, where that begins. */
static int64_t value_of(const runs *r, int64_t v, int item)
{
  const claim_item *it = &r->c->statement[0].item[item];
  int64_t u = -1;
  for (int w = 0; w < it->ways && u < 0 && counts(r, v); w++)
    u = element_by(r, v, item, w);
  if (u >= 0 && it->way[0].kind == ITEM_OWN) {
    while (r->s.own[u] >= 0 && !r->need[r->s.own[u]])
      u = r->s.own[u];
    return u;
  }
  while (u >= 0 && !r->event[u] && r->s.own[u] >= 0)
    u = r->s.own[u];
  return u;
}

static bool is_there(void *context, const cdag_element *e, int term)
{
  runs *r = context;
  uint64_t v = cdag_id(r->s.g, e->array, e->x);
  (void)term;
  r->read += !r->now[v] && !r->s.red[v];
  r->s.red[v] = true;
  return true;
}

/* Vertices in tiles of the last two indices, in turn; what each needs comes before it. */
static void put_vertex(runs *r, int64_t v, int64_t *n);
static bool put_needed(void *context, const cdag_element *e, int term)
{
  runs *r = context;
  (void)term;
  put_vertex(r, (int64_t)cdag_id(r->s.g, e->array, e->x), &r->read);
  return true;
}

static void put_vertex(runs *r, int64_t v, int64_t *n)
{
  cdag_element e;
  if (r->s.done[v] || !is_computed(r, v))
    return;
  r->s.done[v] = true;
  cdag_at(r->s.g, (uint64_t)v, &e);
  cdag_each_predecessor(r->s.g, e.array, e.x, put_needed, r);
  r->order[(*n)++] = v;
}

static int64_t make_order(runs *r, support_random *random)
{
  int64_t most = (int64_t)r->s.g->vertices, side = support_between(random, 1, 6), other = support_between(random, 1, 6),
          deep = support_between(random, 1, 12);
  r->read = 0;
  memset(r->s.done, 0, (size_t)most * sizeof *r->s.done);
  for (int64_t tile = 0; tile < 12 * 12 * 12; tile++)
    for (int64_t v = 0; v < most; v++) {
      cdag_element e;
      cdag_at(r->s.g, (uint64_t)v, &e);
      if (e.x[1] / side == tile / 12 % 12 && e.x[2] / other == tile % 12 && e.x[0] / deep == tile / 144)
        put_vertex(r, v, &r->read);
    }
  return r->read;
}

/* Computes from, to of the order: needs that are met, each in its column, are no more than what is red and events. */
static void check_needs(runs *r, int64_t from, int64_t to, int seed)
{
  int64_t n = (int64_t)r->s.g->vertices, events = 0, values = 0;
  bool *seen = calloc((size_t)n, sizeof *seen);
  memset(r->s.red, 0, (size_t)n * sizeof *r->s.red);
  memset(r->now, 0, (size_t)n * sizeof *r->now);
  r->read = 0;
  for (int64_t k = from; k < to; k++) {
    cdag_element e;
    cdag_at(r->s.g, (uint64_t)r->order[k], &e);
    r->now[r->order[k]] = true;
    events += r->event[r->order[k]];
    cdag_each_predecessor(r->s.g, e.array, e.x, is_there, r);
  }
  for (int i = 0; i < r->c->statement[0].items; i++) {
    memset(seen, 0, (size_t)n * sizeof *seen);
    for (int64_t k = from; k < to; k++) {
      int64_t u = value_of(r, r->order[k], i);
      values += u >= 0 && !seen[u];
      if (u >= 0)
        seen[u] = true;
    }
  }
  free(seen);
  ck_assert_msg(values <= r->read + events, "%s, seed %d: %ld needs, %ld red and %ld events", r->s.g->name, seed,
                (long)values, (long)r->read, (long)events);
}

/* The claim for closures on many vertices, and one of a few vertices that it is said of. */
static cdag *open_closure(support_random *random, int which, int most, affine_claim *c)
{
  affine_facts f;
  char size[16];
  cdag *g = bound_text_open(closures[which], "n=400");
  affine_best best[2] = { 0 };
  mpz_inits(best[0].value, best[1].value, NULL);
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  affine_find(&f, 256, AFFINE_ALL, best);
  affine_facts_clear(&f);
  cdag_free(g);
  *c = best[1].claim;
  mpz_clears(best[0].value, best[1].value, NULL);
  snprintf(size, sizeof size, "n=%d", (int)support_between(random, 6, most));
  return bound_text_open(closures[which], size);
}

static void runs_init(runs *r, const cdag *g, const affine_facts *f, const affine_claim *c)
{
  size_t n = g->vertices;
  *r = (runs){ { g, f, calloc(n, sizeof(bool)), calloc(n, sizeof(bool)), calloc(n, sizeof(int64_t)) }, &c->group[0],
               calloc(n, sizeof(unsigned)), calloc(n, sizeof(bool)), calloc(n, sizeof(bool)),
               calloc(n, sizeof(int64_t)), 0 };
  find_owns(&r->s);
}

static void runs_clear(runs *r)
{
  void *const blocks[] = { r->s.red, r->s.done, r->s.own, r->need, r->event, r->now, r->order };
  for (size_t k = 0; k < COUNT(blocks); k++)
    free(blocks[k]);
}

START_TEST(runs_of_operands)
{
  support_random random = { (uint64_t)_i + 1 };
  affine_facts f;
  affine_claim c;
  text reason = { 0 };
  runs r;
  cdag *g = open_closure(&random, _i % COUNT(closures), 9, &c);
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  ck_assert_msg(affine_derive(&f, &c, &reason), "%s", text_str(&reason));
  ck_assert(f.operands && c.groups == 1 && c.group[0].statements == 1);
  runs_init(&r, g, &f, &c);
  int64_t events = find_events(&r);
  ck_assert_msg(mpz_cmp_si(f.group[0].births, events) >= 0, "%s: %ld events, and %.0f are said", g->name, (long)events,
                mpz_get_d(f.group[0].births));
  for (int k = 0; k < TRIES; k++) {
    int64_t all = make_order(&r, &random), from = support_between(&random, 0, (int)all - 1);
    check_needs(&r, from, support_between(&random, (int)from, (int)all), _i);
  }
  runs_clear(&r);
  affine_facts_clear(&f);
  cdag_free(g);
  text_clear(&reason);
}
END_TEST

/* ---- stores of operands: segments of plays ---- */

/* A play by tiles, with the prices of Theorem 4c: its segments do no more than is said, and it moves no less. */
typedef struct {
  runs *r;
  const stored_claim *c;
  int64_t m;
  const pebble_trace *trace;
  const bool *stored;          /* vertices, at some time of the play */
  int64_t *degree;             /* steps by a value */
  bool *red;
} stays;

static bool is_output(const runs *r, int64_t v)
{
  cdag_element e;
  cdag_at(r->s.g, (uint64_t)v, &e);
  return cdag_is_output(r->s.g, e.array, e.x);
}

static int64_t price_of(const stays *x, const pebble_step *move)
{
  const runs *r = x->r;
  int64_t v = move->vertex, ends = 0;
  switch (move->kind) {
  case PEBBLE_LOAD: return x->c->starts;
  case PEBBLE_STORE: return r->need[v] ? 0 : x->c->ends;
  case PEBBLE_COMPUTE:
    ends = r->need[v] && r->s.own[v] >= 0 && !r->need[r->s.own[v]] ? x->c->ends : 0;
    return ends + (r->event[v] ? x->c->starts : 0);
  default: return 0;
  }
}

/* The moves from .. to - 1; then the sum of what operands that are kept cost is what it is. */
static void check_stays(stays *x, size_t from, size_t to, int seed)
{
  runs *r = x->r;
  int64_t n = (int64_t)r->s.g->vertices, prices = 0, steps = 0, kept = 0, more = 0, a = x->c->ends, b = x->c->starts,
          d = x->c->degree;
  for (int i = 0; i < 3; i++) {
    memset(x->degree, 0, (size_t)n * sizeof *x->degree);
    for (size_t k = from; k < to; k++) {
      int64_t v = x->trace->step[k].vertex;
      int64_t u = x->trace->step[k].kind == PEBBLE_COMPUTE && counts(r, v) ? value_of(r, v, i) : -1;
      steps += u >= 0 && i == 0;
      if (u >= 0 && r->c->statement[0].item[i].way[0].kind != ITEM_OWN)
        x->degree[u]++;
    }
    for (int64_t v = 0; v < n; v++)
      more += x->degree[v] ? (x->degree[v] - d) * (x->degree[v] - d) : 0;
  }
  for (size_t k = from; k < to; k++) {
    const pebble_step *move = &x->trace->step[k];
    prices += price_of(x, move);
    if (move->kind == PEBBLE_LOAD || move->kind == PEBBLE_COMPUTE)
      x->red[move->vertex] = true;
    else if (move->kind == PEBBLE_DROP)
      x->red[move->vertex] = false;
  }
  for (int64_t v = 0; v < n; v++)
    kept += x->red[v] && r->need[v] && is_computed(r, v) && !is_output(r, v) && !x->stored[v];
  int64_t h = (a + b) * (x->m + d * d) + prices,
          used = 16 * d * b * (a + b) * steps + a * (2 * h - a * x->m) * kept + 4 * b * (a + b) * more;
  ck_assert_msg(used <= h * h, "%s, seed %d: %ld steps, %ld kept, %ld in squares, prices %ld, M %ld, d %ld",
                r->s.g->name, seed, (long)steps, (long)kept, (long)more, (long)prices, (long)x->m, (long)d);
}

/* By their definition: operands that are no outputs, and that so many steps read by one need. */
static int64_t read_by_many(const runs *r, int64_t reads)
{
  int64_t n = (int64_t)r->s.g->vertices, found = 0, *by = calloc((size_t)n, sizeof *by);
  bool *often = calloc((size_t)n, sizeof *often);
  for (int i = 0; i < 3; i++) {
    memset(by, 0, (size_t)n * sizeof *by);
    for (int64_t v = 0; v < n; v++)
      for (int w = 0; w < r->c->statement[0].item[i].ways && counts(r, v); w++) {
        int64_t u = element_by(r, v, i, w);
        if (u >= 0 && r->c->statement[0].item[i].way[w].kind == ITEM_OPERAND)
          often[u] = ++by[u] >= reads || often[u];
      }
  }
  for (int64_t v = 0; v < n; v++)
    found += often[v] && is_computed(r, v) && !is_output(r, v);
  free(by);
  free(often);
  return found;
}

static void check_counts(const runs *r, const stored_facts *s, int64_t degree, int seed)
{
  int64_t ends = 0;
  bool whole = true; /* no step is missing between those that read one element */
  for (int64_t v = 0; v < (int64_t)r->s.g->vertices; v++)
    ends += is_computed(r, v) && r->need[v] && r->s.own[v] >= 0 && !r->need[r->s.own[v]];
  ck_assert_msg(mpz_cmp_si(s->ends, ends) >= 0, "%s, seed %d: %ld ends", r->s.g->name, seed, (long)ends);
  for (int i = 0; i < 3; i++)
    whole = whole && (r->c->statement[0].item[i].way[0].kind == ITEM_OWN || r->c->statement[0].item[i].ways > 1);
  for (int i = 0; i < s->steps; i++) {
    int64_t many = read_by_many(r, stored_reads(degree, i));
    int more = mpz_cmp_si(s->many[i], many);
    ck_assert_msg(more == 0 || (more < 0 && !whole), "%s, seed %d: %ld operands are read %ld times, and %.0f are said",
                  r->s.g->name, seed, (long)many, (long)stored_reads(degree, i), mpz_get_d(s->many[i]));
  }
}

static void check_play(runs *r, const cdag_graph *graph, const stored_facts *s, support_random *random, int64_t degree,
                       int seed)
{
  size_t n = r->s.g->vertices;
  uint32_t *order = calloc(n, sizeof *order), k = 0;
  int64_t all = make_order(r, random), m = support_between(random, 5, 60);
  int64_t a = support_between(random, 1, 12);
  stored_claim c = { a, support_between(random, (int)a, 12), degree, 0 };
  c.length = support_between(random, 1, 3) * (c.ends + c.starts) * m;
  pebble_trace trace;
  for (size_t v = 0; v < n; v++)
    if (!is_computed(r, (int64_t)v))
      order[k++] = (uint32_t)v;
  for (int64_t i = 0; i < all; i++)
    order[k++] = (uint32_t)r->order[i];
  ck_assert_uint_eq(k, n);
  uint64_t io = support_one_shot_trace(graph, (uint64_t)m, order, &trace);
  mpz_t value;
  mpz_init(value);
  if (stored_value(s, &c, m, value, NULL))
    ck_assert_msg(mpz_cmp_ui(value, io) <= 0, "%s, seed %d: a play with M = %ld moves %ld, and %.0f are said",
                  r->s.g->name, seed, (long)m, (long)io, mpz_get_d(value));
  mpz_clear(value);
  bool *stored = calloc(n, sizeof *stored);
  for (size_t i = 0; i < trace.n; i++)
    stored[trace.step[i].vertex] |= trace.step[i].kind == PEBBLE_STORE;
  stays x = { r, &c, m, &trace, stored, calloc(n, sizeof(int64_t)), calloc(n, sizeof(bool)) };
  for (size_t from = 0, to; from < trace.n; from = to) {
    int64_t prices = 0, most = support_between(random, 1, (int)c.length);
    for (to = from; to < trace.n && prices < most; to++)
      prices += price_of(&x, &trace.step[to]);
    check_stays(&x, from, to, seed);
  }
  pebble_trace_clear(&trace);
  void *const blocks[] = { order, stored, x.degree, x.red };
  for (size_t i = 0; i < COUNT(blocks); i++)
    free(blocks[i]);
}

START_TEST(stores_of_operands)
{
  support_random random = { (uint64_t)_i + 1 };
  affine_facts f;
  affine_claim c;
  stored_facts s;
  text reason = { 0 };
  cdag_graph graph = { 0 };
  diag d = { 0 };
  runs r;
  cdag *g = open_closure(&random, _i % COUNT(closures), 12, &c);
  int64_t degree = support_between(&random, 1, 5);
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  stored_facts_init(&s);
  ck_assert_msg(stored_derive(&f, &c, degree, &s, &reason), "%s", text_str(&reason));
  runs_init(&r, g, &f, &c);
  find_events(&r);
  check_counts(&r, &s, degree, _i);
  ck_assert_int_eq(cdag_materialise(g, 1 << 16, &graph, &d), OK);
  for (int k = 0; k < TRIES / 4; k++)
    check_play(&r, &graph, &s, &random, degree, _i);
  cdag_graph_clear(&graph);
  runs_clear(&r);
  stored_facts_clear(&s);
  affine_facts_clear(&f);
  cdag_free(g);
  text_clear(&reason);
}
END_TEST

/* Products of inputs and of what others made, one after another by tiles, are a play. */
enum { TILE = 9, PRODUCTS = 4 };
static void add_operand(support_random *r, text *t, const bool *head, int products, const char *row, const char *column)
{
  int which = (int)support_between(r, -2, products - 1);
  bool turned = support_between(r, 0, 2) == 0;
  if (which < 0)
    text_printf(t, ", %s[", which == -1 ? "A" : "B");
  else
    text_printf(t, ", %c%d[", head[which] ? 'H' : 'P', which);
  text_printf(t, "%s,%s%s]", turned ? column : row, turned ? row : column, which >= 0 && !head[which] ? ",n-1" : "");
}

/* With one number larger the claim is refused, or as true. */
static void check_altered(const bound *b, const bound_question *ask, support_random *r, double play)
{
  for (int k = 0; k < 10; k++) {
    text changed = { 0 }, reason = { 0 };
    json_value v;
    diag d = { 0 };
    mpz_t value;
    if (!bound_claim_alter(text_str(&b->parameters), (int)support_between(r, 0, 150), &changed))
      continue;
    mpz_init(value);
    ck_assert_int_eq(json_read(&v, text_str(&changed), changed.n, "claim", &d), OK);
    bound_claim c = { b->name, ask->g, (int64_t)ask->m, &v, 0 };
    if (bound_checker_find(b->name)->check(&c, value, &reason))
      ck_assert_msg(mpz_cmp_d(value, play) <= 0, "%.0f, a play moves %.0f: %s", mpz_get_d(value), play,
                    text_str(&changed));
    mpz_clear(value);
    json_value_clear(&v);
    text_clear(&changed);
    text_clear(&reason);
  }
}

START_TEST(products)
{
  support_random r = { (uint64_t)_i + 11 };
  text t = { 0 };
  bool head[PRODUCTS] = { 0 };
  int q = (int)support_between(&r, 2, PRODUCTS);
  text_add(&t, "param n=180\ninput A[n,n], B[n,n]\n");
  for (int p = 0; p < q; p++) {
    text_printf(&t, "P%d[i:n,j:n,k:n] = P%d[i,j,k-1]", p, p);
    add_operand(&r, &t, head, p, "i", "k");
    add_operand(&r, &t, head, p, "k", "j");
    head[p] = support_between(&r, 0, 2) == 0;
    if (head[p]) {
      text_printf(&t, "\nH%d[i:n,j:n] = P%d[i,j,n-1]", p, p);
      add_operand(&r, &t, head, p, "i", "j");
    }
    text_add(&t, "\n");
  }
  for (int p = 0; p < q; p++)
    text_printf(&t, "%s %c%d[*,*%s]", p ? "," : "output", head[p] ? 'H' : 'P', p, head[p] ? "" : ",n-1");
  text_add(&t, "\n");
  cdag *g = bound_text_open(text_str(&t), "");
  bound_question ask = { .g = g, .m = TILE * TILE + 2 * TILE + 1 };
  bound_list list = { 0 };
  diag d = { 0 };
  double n = 180, play = q * (2 * n * n * n / TILE + n * n) + q * 3 * n * n;
  ck_assert_int_eq(bound_theorem_find("affine")->apply(&ask, &list, &d), OK);
  for (size_t i = 0; i < list.n; i++)
    if (bound_holds_in(&list.item[i], &ask)) {
      ck_assert_msg(mpz_cmp_d(list.item[i].value, play) <= 0, "seed %d: %s says %.0f, a play moves %.0f: %s", _i,
                    list.item[i].name, mpz_get_d(list.item[i].value), play, text_str(&t));
      check_altered(&list.item[i], &ask, &r, play);
    }
  bound_list_clear(&list);
  text_clear(&t);
  cdag_free(g);
}
END_TEST

/* A claim that is true of the first text is refused of others, which have as many reads in the same places. */
enum { MISSES = 4 };
static const struct { const char *text, *miss[MISSES]; } near[] = {
  { "param n, t=4\ninput X[t,n,n], W[n,n], H0[n,n]\n"
    "Z[s:t,i:n,j:n,k:n] = Z[s,i,j,k-1], X[s,i,j] if k==0, W[j,k], H[s-1,i,k], H0[i,k] if s==0\n"
    "H[s:t,i:n,j:n] = Z[s,i,j,n-1]\noutput H[t-1,*,*]\n",
    { /* the chain reads one word of W */
      "param n, t=4\ninput X[t,n,n], W[n,n], H0[n,n]\n"
      "Z[s:t,i:n,j:n,k:n] = Z[s,i,j,k-1], X[s,i,j] if k==0, W[j,i], H[s-1,i,k], H0[i,k] if s==0\n"
      "H[s:t,i:n,j:n] = Z[s,i,j,n-1]\noutput H[t-1,*,*]\n",
      /* row and column do not tell the chain */
      "param n, t=4\ninput X[t,n,n], W[n,n], H0[n,n]\n"
      "Z[s:t,i:n,j:n,k:n] = Z[s,i,j,k-1], X[s,i,j] if k==0, W[i,k], H[s-1,i,k], H0[i,k] if s==0\n"
      "H[s:t,i:n,j:n] = Z[s,i,j,n-1]\noutput H[t-1,*,*]\n",
      /* what is read stands near the beginning of its chain */
      "param n, t=4\ninput X[t,n,n], W[n,n], H0[n,n]\n"
      "Z[s:t,i:n,j:n,k:n] = Z[s,i,j,k-1], X[s,i,j] if k==0, W[j,k], H[s-1,i,k], H0[i,k] if s==0\n"
      "H[s:t,i:n,j:n] = Z[s,i,j,n-1-i]\noutput H[t-1,*,*]\n",
      NULL } },
  { "param n, t=4\ninput A[t,n,n], B[t,n,n], C[n,n]\n"
    "F[s:t,i:n,j:n,k:n] = F[s,i,j,k-1], E[s,i,k,n-1], C[k,j]\noutput F[*,*,*,n-1]\n"
    "E[s:t,i:n,j:n,k:n] = E[s,i,j,k-1], A[s,i,k], B[s,k,j]\n",
    { /* a word goes on after its tail */
      "param n, t=4\ninput A[t,n,n], B[t,n,n], C[n,n]\n"
      "F[s:t,i:n,j:n,k:n] = F[s,i,j,k-1], E[s,i,k,n-1], C[k,j]\noutput F[*,*,*,n-1]\n"
      "E[s:t,i:n,j:n,k:n] = E[s,i,j,k-1], A[s,i,k], B[s,k,j], E[s-1,i,j,n-1] if k==0\n",
      NULL } },
  { "param n\ninput X[n,n], A[n,n], B[n,n]\nE[i:n,j:n,k:n] = E[i,j,k-1], X[i,k], A[k,j]\n"
    "F[i:n,j:n,k:n] = F[i,j,k-1], E[i,k,n-1], B[k,j]\noutput F[*,*,n-1]\n",
    { /* ends and the elements before them are read */
      "param n\ninput X[n,n], A[n,n], B[n,n]\nE[i:n,j:n,k:n] = E[i,j,k-1], X[i,k], A[k,j]\n"
      "F[i:n,j:n,k:n] = F[i,j,k-1], E[i,k,j], B[k,j]\noutput F[*,*,n-1]\n",
      /* the chain is read at its own steps alone: no rows are read below the diagonal */
      "param n\ninput X[n,n], A[n,n], B[n,n]\nE[i:n,j:n,k:n] = E[i,j,k-1], X[i,k] if k < i, A[k,j]\n"
      "F[i:n,j:n,k:n] = F[i,j,k-1], E[i,k,n-1], B[k,j]\noutput F[*,*,n-1]\n",
      NULL } },
};

/* With what else an array reads of itself as own predecessors. */
static bool derives(const char *source, const char *assign, affine_claim c)
{
  cdag *g = bound_text_open(source, assign);
  affine_facts f;
  text reason = { 0 };
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  for (int i = 0; i < f.form.accesses; i++) {
    bool own = f.form.access[i]->from != f.form.access[i]->to;
    for (int k = 0; k < c.owns; k++)
      own = own || c.own[k] == i;
    if (!own)
      c.own[c.owns++] = i;
  }
  bool good = affine_derive(&f, &c, &reason);
  affine_facts_clear(&f);
  text_clear(&reason);
  cdag_free(g);
  return good;
}

START_TEST(near_misses)
{
  cdag *g = bound_text_open(near[_i].text, "n=400");
  affine_facts f;
  affine_best best[2] = { 0 };
  mpz_inits(best[0].value, best[1].value, NULL);
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  affine_find(&f, 64, AFFINE_ALL, best);
  const affine_claim *c = &best[0].claim;
  ck_assert(c->groups == 1 && c->group[0].tail > 0 && derives(near[_i].text, "n=400", *c));
  for (int k = 0; k < MISSES && near[_i].miss[k]; k++)
    ck_assert_msg(!derives(near[_i].miss[k], "n=400", *c), "%s", near[_i].miss[k]);
  affine_claim pairs = *c;
  pairs.group[0].pairs = 1;
  ck_assert(!derives(near[_i].text, "n=400", pairs));
  mpz_clears(best[0].value, best[1].value, NULL);
  affine_facts_clear(&f);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("segments");
  TCase *t = support_case(s, "runs");
  tcase_add_loop_test(t, runs_of_operands, 0, support_rounds(2 * COUNT(closures)));
  t = support_case(s, "stored");
  tcase_add_loop_test(t, stores_of_operands, 0, support_rounds(4 * COUNT(closures)));
  t = support_case(s, "segments");
  tcase_add_loop_test(t, segments, 0, support_rounds(2 * COUNT(known)));
  tcase_add_loop_test(t, products, 0, support_rounds(4));
  tcase_add_loop_test(t, near_misses, 0, COUNT(near));
  return support_run(s);
}
