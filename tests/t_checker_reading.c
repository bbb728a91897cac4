/* What the checker reads in a computation, and what the prover reads, against the graph itself: random descriptions are
   written out and every statement, operand, leaf and count is compared with what the vertices say. */
#include "base/mem.h"
#include "bounds/check/reading/boxes.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/reading/read.h"
#include "bounds/recognise/shape.h"
#include "tests/support.h"
#include "tests/support_cases.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  cdag *g;
  cdag_graph e;
  bool *matters;               /* a computed output, or leads to one */
  uint8_t **above;             /* above[v][u]: v is made from u; by need */
  const char *what;
} world;

/* ---- the truth ---- */

static void mark(world *w, uint32_t v)
{
  if (w->matters[v])
    return;
  w->matters[v] = true;
  for (uint64_t e = w->e.pred_at[v]; e < w->e.pred_at[v + 1]; e++)
    mark(w, w->e.pred[e]);
}

static bool world_init(world *w, const char *source, const char *assign)
{
  diag d = { 0 };
  *w = (world){ .what = source };
  if (cdag_parse(&w->g, "random", source, assign, &d) != OK)
    return false;
  if (cdag_materialise(w->g, 2000, &w->e, &d) != OK)
    return false;
  w->matters = MEM_NEW(bool, w->e.n);
  w->above = MEM_NEW(uint8_t *, w->e.n);
  for (uint32_t v = 0; v < w->e.n; v++)
    if (w->e.output[v] && !cdag_graph_is_input(&w->e, v))
      mark(w, v);
  return true;
}

static void world_clear(world *w)
{
  for (uint32_t v = 0; w->above && v < w->e.n; v++)
    mem_free(w->above[v]);
  mem_free(w->above);
  mem_free(w->matters);
  cdag_graph_clear(&w->e);
  cdag_free(w->g);
}

static void collect(world *w, uint32_t v, uint8_t *seen)
{
  for (uint64_t e = w->e.pred_at[v]; e < w->e.pred_at[v + 1]; e++)
    if (!seen[w->e.pred[e]]) {
      seen[w->e.pred[e]] = 1;
      collect(w, w->e.pred[e], seen);
    }
}

static const uint8_t *above(world *w, uint64_t v)
{
  if (!w->above[v]) {
    w->above[v] = MEM_NEW(uint8_t, w->e.n);
    collect(w, (uint32_t)v, w->above[v]);
  }
  return w->above[v];
}

/* The element that a term of single indices names at x; false when there is none. */
static bool named(const world *w, int array, const int64_t *x, int term, cdag_element *e)
{
  const cdag_array *a = &w->g->array[array];
  const cdag_term *t = &a->term[term];
  int64_t slot[64];
  expr_env env = { slot, w->g->table };
  memcpy(slot, w->g->param_value, (size_t)w->g->params * sizeof *slot);
  memcpy(slot + w->g->params, x, (size_t)a->rank * sizeof *slot);
  e->array = t->array;
  for (int r = 0; r < w->g->array[t->array].rank; r++) {
    ck_assert_msg(t->index[r].kind == CDAG_AT, "%s: term %d of %s names many", w->what, term, a->name);
    if (expr_eval(t->index[r].lo, &env, &e->x[r], NULL) != EXPR_OK)
      return false;
  }
  return cdag_exists(w->g, e->array, e->x);
}

static bool agree(const int64_t *x, const int64_t *y, unsigned loops)
{
  for (int r = 0; r < CDAG_RANK; r++)
    if (loops >> r & 1 && x[r] != y[r])
      return false;
  return true;
}

static bool in_box(const cdag_box *b, const int64_t *x, int rank)
{
  for (int r = 0; r < rank; r++)
    if (x[r] < b->lo[r] || x[r] >= b->hi[r])
      return false;
  return true;
}

/* ---- a statement ---- */

static bool own_predecessor(const world *w, int array, const int64_t *x, cdag_element *e)
{
  const cdag_array *a = &w->g->array[array];
  int found = 0;
  for (int t = 0; t < a->terms; t++) {
    cdag_element here = { 0 };
    if (a->term[t].array == array && named(w, array, x, t, &here)) {
      *e = here;
      found++;
    }
  }
  ck_assert_msg(found <= 1, "%s: two predecessors in the chain", w->what);
  return found;
}

static void check_chains(const world *w, const bound_statement *s)
{
  const cdag_array *a = &w->g->array[s->array];
  uint64_t begins = 0;
  uint8_t *followed = MEM_NEW(uint8_t, a->count);
  for (uint64_t i = 0; i < a->count; i++) {
    cdag_element x, before;
    cdag_at(w->g, a->first + i, &x);
    if (!own_predecessor(w, s->array, x.x, &before)) {
      begins++;
      continue;
    }
    ck_assert_msg(agree(x.x, before.x, ((1u << s->rank) - 1) & ~s->chain), "%s: a link changes another loop", w->what);
    uint8_t *next = &followed[cdag_id(w->g, s->array, before.x) - a->first];
    ck_assert_msg(!*next, "%s: a chain forks", w->what);
    *next = 1;
  }
  ck_assert_msg(s->chains >= begins, "%s: %lu chains, not %lu", w->what, (unsigned long)begins,
                (unsigned long)s->chains);
  ck_assert_uint_eq(s->steps, a->count);
  mem_free(followed);
}

/* Most values of each loop while the loops before it keep theirs; the elements come in lexicographic order. */
static void check_extent(const world *w, const bound_statement *s)
{
  const cdag_array *a = &w->g->array[s->array];
  for (int r = 0; r < s->rank; r++) {
    int64_t values = 0;
    cdag_element x, before = { 0 };
    for (uint64_t i = 0; i < a->count; i++, before = x) {
      cdag_at(w->g, a->first + i, &x);
      bool same = i > 0 && agree(x.x, before.x, (1u << r) - 1);
      values = !same ? 1 : values + (x.x[r] != before.x[r]);
      ck_assert_msg(s->extent[r] >= values, "%s: loop %d of %s takes %ld values", w->what, r, a->name, (long)values);
    }
  }
}

static void check_seed(const world *w, const bound_statement *s)
{
  const cdag_array *a = &w->g->array[s->array];
  uint8_t *taken = MEM_NEW(uint8_t, w->e.n);
  for (uint64_t i = 0; i < a->count && s->seed >= 0; i++) {
    cdag_element x, before, e;
    cdag_at(w->g, a->first + i, &x);
    if (own_predecessor(w, s->array, x.x, &before))
      continue;
    ck_assert_msg(named(w, s->array, x.x, s->seed, &e), "%s: a chain of %s starts from no word", w->what, a->name);
    uint64_t v = cdag_id(w->g, e.array, e.x);
    ck_assert_msg(cdag_is_input(w->g, e.array, e.x) && !taken[v], "%s: a chain of %s starts from a word of another's",
                  w->what, a->name);
    taken[v] = 1;
  }
  mem_free(taken);
}

/* The vertices that an operand, certain at every step, is at the steps. */
static void check_operand(const world *w, const bound_statement *s, const bound_operand *o, uint64_t *vertex)
{
  const cdag_array *a = &w->g->array[s->array];
  uint64_t different = 0;
  uint8_t *met = MEM_NEW(uint8_t, w->e.n);
  for (uint64_t i = 0; i < a->count; i++) {
    cdag_element x, e;
    cdag_at(w->g, a->first + i, &x);
    ck_assert_msg(named(w, s->array, x.x, o->term, &e), "%s: term %d of %s is not read everywhere", w->what, o->term,
                  a->name);
    ck_assert(e.array == o->array && in_box(&o->box, e.x, w->g->array[o->array].rank));
    ck_assert(!o->input || cdag_is_input(w->g, e.array, e.x));
    vertex[i] = cdag_id(w->g, e.array, e.x);
    different += !met[vertex[i]];
    met[vertex[i]] = 1;
    for (uint64_t k = 0; k < i; k++) {
      cdag_element y;
      cdag_at(w->g, a->first + k, &y);
      if (agree(x.x, y.x, o->given) && !agree(x.x, y.x, o->loops))
        ck_assert_msg(vertex[i] != vertex[k], "%s: term %d of %s is one word for two settings", w->what, o->term,
                      a->name);
    }
  }
  ck_assert_msg(o->words >= different, "%s: %lu words of term %d", w->what, (unsigned long)different, o->term);
  mem_free(met);
}

/* Words of the leaf's array and box, from which everything the operand is at this setting of the leaf's loops is made:
   as many as it says; and over the settings that agree in `given`, as many for each. */
static void check_leaf(world *w, const bound_statement *s, const bound_operand *o, const bound_leaf *l,
                       const uint64_t *vertex)
{
  const cdag_array *a = &w->g->array[s->array], *words = &w->g->array[l->array];
  uint8_t *all = MEM_NEW(uint8_t, words->count), *done = MEM_NEW(uint8_t, a->count);
  uint8_t *here = MEM_NEW(uint8_t, words->count);
  cdag_element x, y, e, first;
  for (uint64_t f = 0; f < a->count; f++) { /* a class of settings with the same `given` */
    int64_t settings = 0, together = 0;
    if (done[f])
      continue;
    memset(all, 0, words->count);
    cdag_at(w->g, a->first + f, &first);
    for (uint64_t i = f; i < a->count; i++) {
      cdag_at(w->g, a->first + i, &x);
      if (done[i] || !agree(x.x, first.x, l->given))
        continue;
      int64_t n = 0;
      memset(here, 1, words->count);
      for (uint64_t k = i; k < a->count; k++) {
        cdag_at(w->g, a->first + k, &y);
        if (!agree(x.x, y.x, l->loops | l->given))
          continue;
        done[k] = 1;
        for (uint64_t u = 0; u < words->count; u++)
          here[u] &= above(w, vertex[k])[words->first + u];
      }
      for (uint64_t u = 0; u < words->count; u++) {
        cdag_at(w->g, words->first + u, &e);
        if (!here[u] || !in_box(&l->box, e.x, words->rank))
          continue;
        n++;
        all[u] = 1;
      }
      ck_assert_msg(n >= l->width, "%s: term %d of %s needs %ld words of %s, not %ld", w->what, o->term, a->name,
                    (long)n, words->name, (long)l->width);
      settings++;
    }
    for (uint64_t u = 0; u < words->count; u++)
      together += all[u];
    ck_assert_msg(together >= settings * l->width, "%s: %ld settings of term %d of %s share words of %s", w->what,
                  (long)settings, o->term, a->name, words->name);
  }
  mem_free(all);
  mem_free(done);
  mem_free(here);
}

static void check_statement(world *w, const bound_statement *s)
{
  uint64_t *vertex = MEM_NEW(uint64_t, s->steps);
  check_chains(w, s);
  check_extent(w, s);
  check_seed(w, s);
  for (int i = 0; i < s->operands; i++) {
    const bound_operand *o = &s->operand[i];
    if (!o->always)
      continue;
    check_operand(w, s, o, vertex);
    for (int k = 0; k < o->leaves && !o->given; k++)
      check_leaf(w, s, o, &o->leaf[k], vertex);
  }
  mem_free(vertex);
}

/* ---- all of it ---- */

static void check_live(const world *w, const bool *live, uint64_t said_inputs, uint64_t said_outputs)
{
  uint64_t inputs = 0, outputs = 0;
  for (uint32_t v = 0; v < w->e.n; v++) {
    cdag_element x;
    cdag_at(w->g, v, &x);
    bool input = cdag_graph_is_input(&w->e, v);
    ck_assert_msg(!live[x.array] || input || w->matters[v], "%s: an element of %s leads nowhere", w->what,
                  w->g->array[x.array].name);
    inputs += input && w->matters[v];
    outputs += !input && w->e.output[v];
  }
  ck_assert_msg(said_inputs <= inputs, "%s: %lu inputs matter", w->what, (unsigned long)inputs);
  ck_assert_msg(said_outputs <= outputs, "%s: %lu outputs", w->what, (unsigned long)outputs);
}

/* Chains of the array whose ends are stored, or finished by an output of another array that finishes no other. */
static void check_ends(const world *w, int array)
{
  const cdag_rows *succ = cdag_graph_successors(&w->e);
  uint64_t taken = 0;
  checker_chain c;
  cdag_element x, before;
  const cdag_array *a = &w->g->array[array];
  if (!checker_ends_stored(w->g, array, &taken))
    return;
  checker_chain_read(w->g, array, &c);
  uint8_t *inner = MEM_NEW(uint8_t, a->count);
  for (uint64_t i = 0; i < a->count; i++) {
    cdag_at(w->g, a->first + i, &x);
    if (c.loops && c.self == 1 && own_predecessor(w, array, x.x, &before))
      inner[cdag_id(w->g, array, before.x) - a->first] = 1;
  }
  for (uint64_t i = 0; i < a->count && c.self == 1; i++) {
    bool stored = inner[i] || w->e.output[a->first + i];
    for (uint64_t e = succ->at[a->first + i]; e < succ->at[a->first + i + 1]; e++)
      stored = stored || w->e.output[succ->to[e]];
    ck_assert_msg(stored, "%s: an end of %s is not stored", w->what, a->name);
  }
  mem_free(inner);
}

/* In which loops does an array that is a box end in outputs, every one of them?  As bits. */
static unsigned last_stored(const cdag *g, int array)
{
  unsigned loops = 0;
  for (int r = 0; form_whole_box(g, array) && r < g->array[array].rank; r++)
    loops |= (unsigned)checker_last_stored(g, array, r) << r;
  return loops;
}

static void check_last(const world *w, int array)
{
  const cdag_array *a = &w->g->array[array];
  unsigned stored = last_stored(w->g, array);
  for (uint64_t i = 0; i < a->count; i++) {
    cdag_element x;
    cdag_at(w->g, a->first + i, &x);
    for (int r = 0; r < a->rank; r++)
      ck_assert_msg(!(stored >> r & 1) || x.x[r] < a->hull.hi[r] - 1 || cdag_is_output(w->g, array, x.x),
                    "%s: the last level of %s, loop %d, is not stored", w->what, a->name, r);
  }
}

static int check_description(const char *source, const char *assign)
{
  world w;
  int found = 0;
  if (world_init(&w, source, assign)) {
    bool *live = checker_live(w.g);
    bound_live l;
    bound_live_find(w.g, &l);
    check_live(&w, live, checker_inputs(w.g, live), checker_outputs(w.g));
    check_live(&w, l.whole, l.inputs, l.outputs);
    for (int a = 0; a < w.g->arrays; a++) {
      bound_statement s;
      if (w.g->array[a].terms > 0 && w.g->array[a].count > 0)
        check_ends(&w, a), check_last(&w, a);
      if (bound_statement_find(w.g, &l, a, &s))
        check_statement(&w, &s);
      if (!checker_statement_find(w.g, live, a, &s))
        continue;
      check_statement(&w, &s);
      found++;
    }
    mem_free(live);
    bound_live_clear(&l);
  }
  world_clear(&w);
  return found;
}

/* ---- random descriptions ---- */

static const char *const domains[] = { "i:n, j:m",          "i:n, j:i+1",  "i:n, j:i..n", "i:n, j:max(0,i-1)..i+1",
                                       "i:n, j:w[i]",       "i:2..n, j:m", "i:n, j:m-i",  "i:n, j:w[i]..w[i]+2",
                                       "i:n, j:(i+1)*(i+1)" };
static const char *const links[] = { "X[i,j,k-1]",
                                     "X[i,j,k+1]",
                                     "X[i,j-1,k]",
                                     "X[i-1,j,k]",
                                     "X[i,j,k-1], X[i,j-1,k]",
                                     "X[i,j,k-2]",
                                     "X[i,j-1,k+1]",
                                     "X[i,j-1,k+q-1], X[i,j,k-1]",
                                     "X[i,j-1,k+1], X[i,j,k-1]",
                                     "X[j,i,k-1]",
                                     "X[i,*,k-1]",
                                     "X[i,j-1,k-1+q], X[i,j,k+1]",
                                     "X[i,j,k-1], X[i,j,k+1]",
                                     "X[w[i],j,k-1]",
                                     "X[i-1,j-1,k-1]",
                                     "X[i,j,k]",
                                     "X[i-1,0,k]",
                                     "X[i,j+1,k-q+1], X[i,j,k-1]" };
static const char *const reads[] = { "A[i,j]",           "A[j,i]",      "A[i+j,0]",    "B[i,j,0]",
                                     "B[i,0,k]",         "B[j,i,k]",    "B[j,*,0]",    "A[w[i],j]",
                                     "A[i,j-1]",         "U[i,j]",      "U[j,i]",      "B[i,0..2,j]",
                                     "A[2*i+j,0]",       "A[-i+n,j]",   "A[i*2,j]",    "A[i*j,0]",
                                     "A[w[i],w[j]]",     "A[w[i]+j,k]", "A[u[i]+k,j]", "A[i-k+q,j]",
                                     "B[u[j],i,k]",      "V[i,j]",      "V[j,k]",      "A[i,j+n*m*q-n*m*q]",
                                     "A[(i+j)-j,j*2-j]", "A[i%2,j]",    "T[i,j,k]",    "T[j,i,0]",
                                     "A[u[i]+0*k,j]",    "C[i]",        "C[k]",        "A[u[i],u[j]]",
                                     "U[w[i],j]",        "V[u[i],k]",   "B[i,i,k]",    "W[i,k]" };
static const char *const inner[] = { "A[i,0], B[0,j,0]",
                                     "A[i,*], A[j,0]",
                                     "U[i,j-1], A[i,j]",
                                     "U[i,j+1], A[i,j], B[i,0,0]",
                                     "A[i,0..m], B[j,0..2,1]",
                                     "A[i,j], C[i]",
                                     "C[i], C[j]",
                                     "A[u[i],j]",
                                     "A[w[i],0], B[j,*,*]",
                                     "A[i,0], A[i,*]",
                                     "C[i+j]",
                                     "A[i,u[j]], B[u[i],j,0]",
                                     "A[i,i..n], C[j]",
                                     "A[i,*], T[i,j,0]",
                                     "U[i-1,j-1], A[i,j]",
                                     "B[i,j,1..1]" };
static const char *const second[] = { "U[i,*]",   "U[i,0]",    "U[i,j]",     "A[i,j]",    "B[i,j,0]",
                                      "U[j,i]",   "C[i+j]",    "U[i,*]",     "U[u[i],*]", "V[i,j-1]",
                                      "B[i,j,*]", "U[i,w[j]]", "T[i,j,q-1]", "T[j,i,*]" };
static const char *const ends[] = { "output O[i:n, j:m] = X[i,j,q-1]\n",
                                    "output X[*,*,q-1]\n",
                                    "output O[i:n, j:n+m] = X[i,j,q-1], A[0,0]\n",
                                    "output X[*,m-1,*]\n",
                                    "output O[i:n] = X[i,0,q-1]\n",
                                    "output X[*,*,0]\n",
                                    "output X[a:n,*,q-1]\n",
                                    "output X[a:n,a,*]\n",
                                    "output X[0..n,*,q-1]\n",
                                    "output X[a:n,b:m,q-1]\n",
                                    "output X[a:n,b:m,0]\n",
                                    "output X[a:n,*,*]\noutput X[0,0,0]\n",
                                    "output X[a:1..n,0..m,c:q]\n",
                                    "output X[a:n,2*a,q-1]\noutput X[*,*,q-1]\n",
                                    "output X[a:n,m-1-a,*]\noutput X[*,*,0..q]\n",
                                    "output X[a:n,b:a+1,q-1]\noutput X[*,*,0..q]\n",
                                    "output X[a:n,b:m,q-1+a-a]\n",
                                    "output X[a:n,*,w[a]-1]\noutput X[*,0..a,0]\n",
                                    "output X[a:n,0..a+1,q-1]\noutput X[0,0,0]\n",
                                    "output X[a:n,w[a]..m,q-1]\noutput X[0,0,0]\n",
                                    "output X[a:n,b:w[a],q-1]\noutput X[0,0,0]\n",
                                    "output X[a:1..n,b:m,q-1]\noutput X[a:n,*,0]\n",
                                    "output X[a:0,*,q-1]\noutput X[0,0,0]\n",
                                    "output X[a:w[0],*,q-1]\noutput X[0,*,0]\n",
                                    "output X[0..n-1,*,*]\noutput O[i:n, j:m] = X[i,j,q-1], X[i,j,0]\n",
                                    "output O[i:n] = X[i,*,q-1]\n",
                                    "output O[i:n] = X[i,0..m,q-1]\n",
                                    "output O[j:m, i:n] = X[i,j,q-1], X[i,j,q-1]\n",
                                    "output O[z:1] = X[*,*,*]\n",
                                    "output O[j:m, i:n, z:2] = X[i,j,q-1-z]\n",
                                    "output X[a:n,b:m,c:q]\n",
                                    "output X[w[0],*,q-1]\noutput X[*,*,0..q]\n",
                                    "O[i:n, j:m] = X[i,j,q-1]\noutput R[i:n] = O[i,*]\n",
                                    "O[i:n, j:m] = O[i,j-1], X[i,j,0]\noutput O[*,m-1]\n",
                                    "input O[i:n] = X[i,0,0]\noutput O[*]\noutput X[*,*,q-1]\n" };

static void make_description(int seed, char source[2400], char assign[64])
{
  support_random r = { (uint64_t)seed };
#define PICK(list) list[support_between(&r, 0, COUNT(list) - 1)]
#define MOSTLY(list, n)                                                                                                \
  list[support_between(&r, 0, support_between(&r, 0, 2) ? (n)-1 : COUNT(list) - 1)] /* one of the first n */
  snprintf(source, 2400,
           "param n m q\ntable w[i:n+m+q+9] = 1 + i %% 2\ntable u[i:n+m+q+9] = 2*i + i %% 2\ninput A[3*(n+m),n+m], "
           "B[n+m,n+m,n+m+q], C[3*(n+m+q)]\n"
           "U[i:n+m, j:n+m] = %s, C[0]\nT[i:n, j:m, k:q] = T[i,j,k-1], A[i,k], C[j]\nV[i:n+m, j:n+m+q] = %s, %s, "
           "C[0]\nW[i:n+m, j:n+m+q] = V[i,j]\n"
           "X[%s, k:q] = %s, %s, %s, %s\n%s",
           PICK(inner), PICK(second), PICK(second), MOSTLY(domains, 6), MOSTLY(links, 5), PICK(reads), PICK(reads),
           PICK(reads), MOSTLY(ends, 2));
#undef PICK
#undef MOSTLY
  snprintf(assign, 64, "n=%d,m=%d,q=%d", (int)support_between(&r, 1, 3), (int)support_between(&r, 1, 3),
           (int)support_between(&r, 1, 3));
}

START_TEST(random_descriptions)
{
  char source[2400], assign[64];
  make_description(_i, source, assign);
  check_description(source, assign);
}
END_TEST

/* ---- windows, and sums over several loops ---- */

/* A sum over three loops, perhaps with a slip, the ends of which are read by windows that may overlap, leave something
   out or reach beyond. */
START_TEST(random_windows)
{
  support_random r = { (uint64_t)_i };
  text source = { 0 };
  int n = (int)support_between(&r, 1, 7), a = (int)support_between(&r, 1, 3), b = (int)support_between(&r, 1, 3);
  bool slip = support_between(&r, 0, 3) == 0;
  int64_t stride = support_between(&r, -3, 3), first = support_between(&r, 0, n), width = support_between(&r, 1, 3);
  text_printf(&source,
              "input A[%d,%d]\nX[i:%d, j:2, a:%d, b:%d, c:2] = X[i,j,a,b,c-1], X[i,j,a,b-1,c+1], X[i,j,a-1,b+%d,c+1], "
              "A[i,%s]\n",
              n, a * b + 2, n, a, b, b - 1 - slip, support_between(&r, 0, 1) ? "a+b" : "0");
  text_printf(&source,
              "output Y[i:%d, j:2] = X[%ld*i+%ld..%ld*i+%ld,j,%d,%d,1], A[0,0]\n", (int)support_between(&r, 1, 4),
              (long)stride, (long)first, (long)stride, (long)(first + width), a - 1, b - 1);
  check_description(text_str(&source), "");
  text_clear(&source);
}
END_TEST

/* ---- parts ---- */

/* Chains whose ends two or three arrays name in parts, and inputs that are read in parts; the parts may overlap, leave
   something out or reach beyond. */
START_TEST(random_parts)
{
  static const char *const wide[] = { "i+1", "n", "i..n", "1..i+1", "max(0,i-1)..i+1" };
  static const char *const to[] = { "i", "i+1", "n", "2", "n-1" };
  static const char *const last[] = { "q-1", "q-1", "0", "q" }, *const rows[] = { "j", "j-1", "j+1", "0" };
  support_random r = { (uint64_t)_i };
  text source = { 0 };
  bool ragged = support_between(&r, 0, 1);
#define PICK(list) list[support_between(&r, 0, COUNT(list) - 1)]
  text_printf(&source, "param n, q\ninput A[n,n+2]\nX[i:n, j:%s, k:%s] = X[i,j,k-1], A[i,j]\n", PICK(wide),
              ragged ? support_between(&r, 0, 1) ? "j" : "j+1" : "q");
  text_printf(&source, "output L[i:n, j:%d..%s] = X[i,j,%s], A[i,j+%d], A[0,0]\n", (int)support_between(&r, 0, 1),
              PICK(to), ragged ? PICK(rows) : PICK(last), (int)support_between(&r, 0, 2));
  text_printf(&source, "output D[i:%d..n] = X[i,i,%s], A[i,i], A[0,0]\n", (int)support_between(&r, 0, 1),
              ragged ? support_between(&r, 0, 1) ? "i" : "i-1" : PICK(last));
  if (support_between(&r, 0, 1))
    text_printf(&source, "output F[i:n, z:%d] = X[i,%s,%s], A[i,n-1+z], A[0,0]\n", (int)support_between(&r, 1, 2),
                support_between(&r, 0, 1) ? "0" : "n-1-i", PICK(last));
#undef PICK
  char assign[32];
  snprintf(assign, sizeof assign, "n=%d,q=%d", (int)support_between(&r, 1, 6), (int)support_between(&r, 1, 3));
  check_description(text_str(&source), assign);
  text_clear(&source);
}
END_TEST

/* ---- through tables ---- */

/* Inputs and ends of chains that are named by tables of random numbers, some of them outside of what exists. */
START_TEST(random_tables)
{
  static const char *const rows[] = { "c[I,z]*b+j", "c[I,z]",        "c[I,z]+j*2",  "c[I,z]-j",      "c[I,z]+j*b+I",
                                      "j*b+I",      "c[I,z]..h[I]+3", "c[I,z]+j..5", "c[I,j]",        "*",
                                      "z+j",        "c[z,I]..5",      "h[I]*z+j",    "j..c[I,z]",     "c[I,z]*2-2*j" };
  static const char *const columns[] = { "e", "*", "0", "e+j", "c[I,z]", "0..2", "e..2", "1-e", "h[I]-1" };
  static const char *const last[] = { "1", "1", "k0", "0", "e" };
  static const char *const wide[] = { "h[I]", "h[z]", "b", "z+1", "h[c[I,z]]" };
  support_random r = { (uint64_t)_i };
  text source = { 0 };
  char what[64];
#define PICK(list) list[support_between(&r, 0, COUNT(list) - 1)]
  text_printf(&source, "param b, k0\ntable c[4,4] = ");
  for (int i = 0; i < 16; i++)
    text_printf(&source, "%s%d", i ? ", " : "", (int)support_between(&r, -(i % 5 == 0), 6));
  text_printf(&source, "\ntable h[4] = %d, %d, %d, %d\ninput A[7,2], K[7,3], V[i:7, j:%s]\n",
              (int)support_between(&r, 1, 3), (int)support_between(&r, 1, 3), (int)support_between(&r, 0, 3),
              (int)support_between(&r, 1, 3), support_between(&r, 0, 2) ? "3" : "i+1");
  text_printf(&source, "X[i:7, k:2] = X[i,k%s1], A[i,k]\n", support_between(&r, 0, 1) ? "-" : "+");
  for (int y = 0; y < 3; y++) {
    const char *read = PICK(rows), *column = PICK(columns);
    text_printf(&source, "%sY%d[I:4, z:%s, j:%s, e:%d] = K[%s,%s], V[%s,%s]%s, X[%s,%s], A[0,0]\n",
                support_between(&r, 0, 3) ? "output " : "", y, support_between(&r, 0, 2) ? "3" : "h[I]", PICK(wide),
                (int)support_between(&r, 1, 3), read, column, support_between(&r, 0, 1) ? read : PICK(rows),
                PICK(columns), support_between(&r, 0, 3) ? "" : " if z != I", PICK(rows), PICK(last));
  }
  text_printf(&source, "output O[i:2] = A[i,0]\n");
#undef PICK
  snprintf(what, sizeof what, "b=%d,k0=%d # seed %d", (int)support_between(&r, 1, 3), (int)support_between(&r, 0, 1),
           _i);
  text_printf(&source, "# %s\n", what);
  *strchr(what, ' ') = '\0';
  check_description(text_str(&source), what);
  text_clear(&source);
}
END_TEST

/* Of a block mask every word that is read is counted, and no other. */
START_TEST(random_masks)
{
  static const char *const families[] = { "attention-sparse", "attention-sparse-backward" };
  support_random r = { (uint64_t)_i };
  const cdag_family *list;
  int n = cdag_families(&list), b = (int)support_between(&r, 1, 3);
  const char *name = families[support_between(&r, 0, 1)];
  char assign[160];
  world w;
  snprintf(assign, sizeof assign, "n=%d,d=%d,b=%d,w=%d,top=%d,p=%d,seed=%d,global=%d", (int)support_between(&r, b, 7),
           (int)support_between(&r, 1, 2), b, (int)support_between(&r, -1, 1), (int)support_between(&r, 1, 2),
           (int)support_between(&r, 0, 1) * 20, (int)support_between(&r, 1, 1000), (int)support_between(&r, 0, 5) == 0);
  while (n-- > 0 && strcmp(list[n].name, name) != 0)
    ;
  ck_assert(n >= 0);
  if (world_init(&w, list[n].source, assign)) {
    bool *live = checker_live_counted(w.g);
    uint64_t inputs = 0;
    for (uint32_t v = 0; v < w.e.n; v++)
      inputs += cdag_graph_is_input(&w.e, v) && w.matters[v];
    ck_assert_msg(checker_inputs(w.g, live) == inputs, "seed %d, %s:%s: %lu inputs are counted, %lu matter", _i, name,
                  assign, (unsigned long)checker_inputs(w.g, live), (unsigned long)inputs);
    mem_free(live);
  }
  world_clear(&w);
}
END_TEST

/* ---- unions of boxes ---- */

enum { SIDE = 6 };

START_TEST(random_unions)
{
  support_random r = { (uint64_t)_i };
  checker_boxes u = { .rank = (int)support_between(&r, 0, 3) };
  bool in[SIDE * SIDE * SIDE] = { false };
  uint64_t points = 0;
  for (int64_t n = support_between(&r, 0, 9); n > 0; n--) {
    cdag_box b = { { 0 }, { 1, 1, 1 } };
    for (int k = 0; k < u.rank; k++) {
      b.lo[k] = support_between(&r, 0, SIDE - 1);
      b.hi[k] = support_between(&r, b.lo[k] + (support_between(&r, 0, 9) > 0), SIDE);
    }
    ck_assert(checker_boxes_add(&u, &b));
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
      in[i] = in[i] || in_box(&b, (int64_t[]){ i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE }, 3);
  }
  for (int i = 0; i < SIDE * SIDE * SIDE; i++)
    points += in[i];
  ck_assert_msg(checker_boxes_count(&u) == points, "seed %d: %lu points are counted, there are %lu", _i,
                (unsigned long)checker_boxes_count(&u), (unsigned long)points);
  checker_boxes_clear(&u);
}
END_TEST

/* Too much work makes the count less; the same boxes over and over are no work. */
START_TEST(unions_give_up)
{
  checker_boxes line = { .rank = 1 }, plane = { .rank = 2 }, same = { .rank = 1 };
  uint64_t added = 0;
  for (int64_t i = 0; i < 1 << 18; i++) {
    ck_assert(checker_boxes_add(&same, &(cdag_box){ { i % 7 }, { i % 7 + 2 } }));
    added += checker_boxes_add(&line, &(cdag_box){ { 2 * i }, { 2 * i + 1 } });
    if (i < 1 << 12)
      ck_assert(checker_boxes_add(&plane, &(cdag_box){ { i, i }, { i + 1, i + 1 } }));
  }
  ck_assert_uint_eq(checker_boxes_count(&same), 8);
  ck_assert(added < 1 << 18 && checker_boxes_count(&line) >= added && checker_boxes_count(&line) <= 1 << 18);
  ck_assert_uint_eq(checker_boxes_count(&plane), 0);
  checker_boxes_clear(&line);
  checker_boxes_clear(&plane);
  checker_boxes_clear(&same);
}
END_TEST

/* ---- how much is read ---- */

/* What is read is true, says the test above; that not much less of it is read than there is to read, say these totals
 * over 4000 random descriptions. */
typedef struct { uint64_t live, statements, operands, words, leaves; } amounts;
enum { DESCRIPTIONS = 4000, LIVE = 1940, STATEMENTS = 590, OPERANDS = 1240, WORDS = 5080, LEAVES = 590 };

static void add_statement(const bound_statement *s, amounts *n)
{
  n->statements++;
  for (int i = 0; i < s->operands; i++)
    if (s->operand[i].always) {
      n->operands++;
      n->words += s->operand[i].words;
      n->leaves += (uint64_t)s->operand[i].leaves;
    }
}

static void add_description(const cdag *g, amounts *n)
{
  bool *live = checker_live_counted(g);
  for (int a = 0; a < g->arrays; a++) {
    bound_statement s;
    n->live += live[a];
    if (checker_statement_find(g, live, a, &s))
      add_statement(&s, n);
  }
  mem_free(live);
}

START_TEST(how_much_is_read)
{
  amounts n = { 0 };
  for (int seed = 0; seed < DESCRIPTIONS; seed++) {
    char source[2400], assign[64];
    cdag *g = NULL;
    diag d = { 0 };
    make_description(seed, source, assign);
    if (cdag_parse(&g, "random", source, assign, &d) == OK)
      add_description(g, &n);
    cdag_free(g);
  }
  ck_assert_msg(
      n.live >= LIVE && n.statements >= STATEMENTS && n.operands >= OPERANDS && n.words >= WORDS && n.leaves >= LEAVES,
      "read: %lu live arrays, %lu statements, %lu operands of %lu words, %lu leaves", (unsigned long)n.live,
      (unsigned long)n.statements, (unsigned long)n.operands, (unsigned long)n.words, (unsigned long)n.leaves);
}
END_TEST

static const struct { const char *why, *source, *assign; int statements;
} known[] = {
  { "a word that begins many chains, named by a table beside a loop that tells nothing",
    "param n m q\ntable u[i:n+m+q+9] = 2*i + i % 2\ninput A[3*(n+m),n+m], B[n+m,n+m,n+m+q]\n"
    "X[i:n, j:m, k:q] = X[i-1,j,k], A[u[i]+0*k,j], A[u[i],u[j]], B[u[j],i,k]\noutput X[a:n,*,*]\n",
    "n=3,m=2,q=3", 1 },
  { "a product", "param n\ninput A[n,n], B[n,n]\nC[i:n, j:n, k:n] = C[i,j,k-1], A[i,k], B[k,j]\noutput C[*,*,n-1]\n",
    "n=3", 1 },
  { "ends that no reader reaches",
    "param n\ninput A[n,4], B[n,2]\nV[i:n, j:4] = V[i,j-1], A[i,j]\nX[j:n, k:2] = X[j,k-1], V[j,k], B[j,k]\noutput "
    "X[*,1]\n",
    "n=3", 1 },
  { "ranges of a table that interleave",
    "table t[I:2, J:2] = I + 2*J*(1-I) + 8*I*J\ninput V[20]\nX[I:2, J:2, j:4] = X[I,J,j-1], X[I,J-1,j+3], "
    "V[t[I,J]+j]\noutput X[*,1,3]\n",
    "", 1 },
  { "ranges of a table that do not",
    "table t[I:2, J:2] = 4*J + 8*I\ninput V[20]\nX[I:2, J:2, j:4] = X[I,J,j-1], X[I,J-1,j+3], V[t[I,J]+j]\noutput "
    "X[*,1,3]\n",
    "", 1 },
  { "more ranges than there are places",
    "param n\ninput A[n,2], B[2,2], D[n]\nU[i:n] = A[i,*], B[*,*], B[0,*], B[*,1], A[i,0..2], B[0..2,0..2], B[1,*], "
    "B[*,0], A[i,*], B[*,*]\nX[i:n, k:3] = X[i,k-1], U[i], D[i]\noutput X[*,2]\n",
    "n=3", 1 },
  { "a statement under its own operand",
    "param n\ninput A[n,n]\nU[i:n, k:n] = X[i,k-1], A[i,k]\nX[i:n, k:n] = X[i,k-1], U[i,k]\noutput X[*,n-1]\n", "n=3",
    1 },
  { "a window that slides",
    "param n\ninput A[n,n], B[n,n]\nX[i:n, j:max(0,i-1)..i+1, k:2] = X[i,j,k-1], A[j,k], B[i,j]\noutput X[*,*,1]\n",
    "n=4", 1 },
};

START_TEST(known_descriptions)
{
  int found = check_description(known[_i].source, known[_i].assign);
  ck_assert_msg(found == known[_i].statements, "%s: %d statements", known[_i].why, found);
}
END_TEST

/* ---- read in full ---- */

/* Statements, as tests/cases/reading.txt says. */
static test_cases full;

static void put_loops(text *t, unsigned loops)
{
  for (int r = 0; r < CDAG_RANK; r++)
    if (loops >> r & 1)
      text_printf(t, "%d", r);
}

static void put_box(text *t, const cdag_box *box, int rank)
{
  for (int r = 0; r < rank; r++)
    text_printf(t, "%s%ld..%ld", r ? "," : "[", (long)box->lo[r], (long)box->hi[r]);
  text_printf(t, "]");
}

static void put_operand(text *t, const cdag *g, const bound_operand *o)
{
  text_printf(t, "; %s", g->array[o->array].name);
  put_box(t, &o->box, g->array[o->array].rank);
  text_printf(t, " ");
  put_loops(t, o->loops);
  text_printf(t, "/");
  put_loops(t, o->given);
  text_printf(t, " %lu%s", (unsigned long)o->words, o->always ? "" : " sometimes");
  for (int i = 0; i < o->leaves; i++) {
    const bound_leaf *l = &o->leaf[i];
    text_printf(t, ", %s", g->array[l->array].name);
    put_box(t, &l->box, g->array[l->array].rank);
    text_printf(t, "%ldx", (long)l->width);
    put_loops(t, l->loops);
    text_printf(t, "/");
    put_loops(t, l->given);
  }
  for (int a = 0; a < g->arrays && a < 64 && o->leaves > 0; a++)
    if (o->tree >> a & 1)
      text_printf(t, " %s%s", g->array[a].name, o->partial >> a & 1 ? "*" : "");
}

START_TEST(read_in_full)
{
  cdag *g = NULL;
  diag d = { 0 };
  text read = { 0 };
  bound_statement s;
  const test_case *of = &full.item[_i];
  check_description(of->text, of->setting);
  ck_assert_msg(cdag_parse(&g, "full", of->text, of->setting, &d) == OK, "%s:%d: %s", full.path, of->line, d.message);
  bool *live = checker_live_counted(g);
  if (checker_statement_find(g, live, cdag_find_array(g, of->ask), &s)) {
    text_printf(&read, "%lu chains%s", (unsigned long)s.chains, s.seed >= 0 ? " seeded" : "");
    for (int i = 0; i < s.operands; i++)
      put_operand(&read, g, &s.operand[i]);
  }
  ck_assert_msg(!strcmp(text_str(&read), of->answer), "%s:%d: %s:\n%s", full.path, of->line, of->reason,
                text_str(&read));
  mem_free(live);
  text_clear(&read);
  cdag_free(g);
}
END_TEST

/* What matters of a description, as tests/cases/live.txt says. */
static test_cases counted;

START_TEST(counted_in_full)
{
  cdag *g = NULL;
  diag d = { 0 };
  text read = { 0 };
  const test_case *of = &counted.item[_i];
  check_description(of->text, of->setting);
  ck_assert_msg(cdag_parse(&g, "counted", of->text, of->setting, &d) == OK, "%s:%d: %s", counted.path, of->line,
                d.message);
  uint64_t taken = 0;
  bool *live = checker_live_counted(g);
  for (int a = 0; a < g->arrays; a++) {
    uint64_t before = taken;
    ck_assert(g->array[a].terms > 0 || !live[a]);
    if (g->array[a].terms > 0)
      text_printf(&read, "%s%s%s, ", live[a] ? "" : "not ", g->array[a].name,
                  checker_ends_stored(g, a, &taken) ? taken > before ? " finished" : " stored" : "");
  }
  text_printf(&read, "inputs %lu, outputs %lu", (unsigned long)checker_inputs(g, live),
              (unsigned long)checker_outputs(g));
  ck_assert_msg(!strcmp(read.s, of->answer), "%s:%d: %s:\n%s", counted.path, of->line, of->reason, read.s);
  mem_free(live);
  text_clear(&read);
  cdag_free(g);
}
END_TEST

int main(void)
{
  full = cases_read("reading");
  counted = cases_read("live");
  Suite *s = suite_create("checker_reading");
  TCase *c = support_case(s, "reading");
  tcase_add_loop_test(c, random_descriptions, 0, support_rounds(4000));
  tcase_add_loop_test(c, random_windows, 0, support_rounds(600));
  tcase_add_loop_test(c, random_parts, 0, support_rounds(600));
  tcase_add_loop_test(c, random_tables, 0, support_rounds(600));
  tcase_add_loop_test(c, random_masks, 0, support_rounds(300));
  tcase_add_loop_test(c, random_unions, 0, support_rounds(600));
  tcase_add_test(c, unions_give_up);
  tcase_add_test(c, how_much_is_read);
  tcase_add_loop_test(c, known_descriptions, 0, COUNT(known));
  TCase *f = support_case(s, "full");
  tcase_add_loop_test(f, read_in_full, 0, full.n);
  tcase_add_loop_test(f, counted_in_full, 0, counted.n);
  return support_run(s);
}
