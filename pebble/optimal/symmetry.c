/* pebble/optimal/symmetry.c -- automorphisms of a small graph, by colour refinement and individualisation.

   After McKay (1981), much simplified: a chain of fixed vertices; at each link, for every vertex that looks like the
   next one to be fixed, a search for an automorphism that takes the one to the other and moves as little else as
   possible. Whatever is returned was checked edge by edge; what is missed costs the caller time and nothing else. */
#include "base/mem.h"
#include "base/num.h"
#include "pebble/optimal/internal.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 4000 };           /* of all searches together */

typedef struct {
  const cdag_graph *g;
  uint64_t *next, *sorted;            /* scratch, n each */
  int nodes;
  uint16_t *image;                    /* n: the automorphism found */
} finder;

static uint64_t mix(uint64_t a, uint64_t b)
{
  uint64_t z = (a ^ (b + 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 29) * 0x94d049bb133111ebu;
  return z ^ z >> 32;
}

/* How many colours there are; sorted holds all, with repetitions. */
static uint32_t classes(const finder *f, const uint64_t *colour, uint64_t *sorted)
{
  uint32_t n = f->g->n, count = n > 0;
  memcpy(sorted, colour, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, num_by_size);
  for (uint32_t v = 1; v < n; v++)
    count += sorted[v] != sorted[v - 1];
  return count;
}

/* One round: a vertex is coloured by its colour and those of its neighbours. */
static void refine(const finder *f, uint64_t *colour)
{
  const cdag_graph *g = f->g;
  const cdag_rows *succ = cdag_graph_successors(g);
  for (uint32_t v = 0; v < g->n; v++) {
    uint64_t before = 0, after = 0;
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      before += mix(colour[g->pred[e]], 1);
    for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
      after += mix(colour[succ->to[e]], 2);
    f->next[v] = mix(mix(colour[v], before), after);
  }
  memcpy(colour, f->next, g->n * sizeof *colour);
}

/* Refine until nothing splits; b (or NULL) goes along.  The number of colours of a. */
static uint32_t settle(const finder *f, uint64_t *a, uint64_t *b)
{
  uint32_t count = 0;
  for (uint32_t now = classes(f, a, f->sorted); now > count;) {
    count = now;
    refine(f, a);
    if (b)
      refine(f, b);
    now = classes(f, a, f->sorted);
  }
  return count;
}

static bool same_colours(const finder *f, const uint64_t *a, const uint64_t *b)
{
  classes(f, a, f->sorted);
  classes(f, b, f->next);
  return memcmp(f->sorted, f->next, f->g->n * sizeof *a) == 0;
}

static bool has_edge(const cdag_graph *g, uint32_t u, uint32_t v)
{
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) /* unreachable: the end, see read_off */
    if (g->pred[e] == u)
      return true;
  return false;
}

/* Each vertex of a to the only vertex of b with its colour: is that an automorphism?  The colours of a are all
   different, b has the same, and both were settled by the same rounds: it is one, unless two different vertices were
   mixed into one colour of 64 bits.  So it is looked at. */
static bool read_off(finder *f, const uint64_t *a, const uint64_t *b)
{
  const cdag_graph *g = f->g;
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t w = 0;
    while (b[w] != a[v])
      w++;
    /* unreachable: two colours mixed into one */
    if (g->output[v] != g->output[w] || g->pred_at[v + 1] - g->pred_at[v] != g->pred_at[w + 1] - g->pred_at[w])
      return false;
    f->image[v] = (uint16_t)w;
  }
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      if (!has_edge(g, /* unreachable: two colours mixed into one */ f->image[g->pred[e]], f->image[v]))
        return false;
  return true;
}

/* The first vertex that shares its colour, or n. */
static uint32_t first_shared(const finder *f, const uint64_t *colour)
{
  uint32_t n = f->g->n;
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t w = v + 1; w < n; w++)
      if (colour[v] == colour[w])
        return v;
  return n;
}

static bool match(finder *f, const uint64_t *a0, uint32_t v, const uint64_t *b0, uint32_t w);

/* a and b are settled and look alike: extend v -> v if that is possible, else v -> any other of its colour. */
static bool extend(finder *f, const uint64_t *a, const uint64_t *b)
{
  uint32_t n = f->g->n, v = first_shared(f, a);
  if (v == n)
    return read_off(f, a, b);
  if (b[v] == a[v] && match(f, a, v, b, v))
    return true;
  for (uint32_t w = 0; w < n; w++)
    if (w != v && b[w] == a[v] && match(f, a, v, b, w))
      return true;
  return false;
}

/* An automorphism that respects the colours and takes v to w?  Recursion is at most n deep: every call splits a colour.
 */
static bool match(finder *f, const uint64_t *a0, uint32_t v, const uint64_t *b0, uint32_t w)
{
  uint32_t n = f->g->n;
  if (++f->nodes > MOST_NODES)
    return false;
  uint64_t *a = MEM_NEW(uint64_t, n), *b = MEM_NEW(uint64_t, n);
  memcpy(a, a0, n * sizeof *a);
  memcpy(b, b0, n * sizeof *b);
  a[v] = mix(a[v], 3);
  b[w] = mix(b[w], 3);
  settle(f, a, b);
  bool found = same_colours(f, a, b) && extend(f, a, b);
  mem_free(a);
  mem_free(b);
  return found;
}

/* ---- the chain ---- */

typedef struct {
  uint16_t *perm;             /* count * n */
  int count, most;
} list;

static void keep(list *l, const finder *f)
{
  memcpy(l->perm + (size_t)l->count++ * f->g->n, f->image, f->g->n * sizeof *f->image);
}

/* Mark what the generators from `first` on reach from where orbit[] is already marked. */
static void close_orbit(const list *l, int first, uint32_t n, uint8_t *orbit)
{
  for (bool more = true; more;) {
    more = false;
    for (int i = first; i < l->count; i++)
      for (uint32_t v = 0; v < n; v++)
        if (orbit[v] && !orbit[l->perm[(size_t)i * n + v]]) {
          orbit[l->perm[(size_t)i * n + v]] = 1;
          more = true;
        }
  }
}

/* Automorphisms that fix what is fixed and take v to each vertex it can go to. */
static void link(finder *f, const uint64_t *colour, uint32_t v, list *l)
{
  uint32_t n = f->g->n;
  SCOPED_MEM uint8_t *orbit = MEM_NEW(uint8_t, n);
  int first = l->count;
  orbit[v] = 1;
  for (uint32_t w = 0; w < n && l->count < l->most; w++)
    if (colour[w] == colour[v] && !orbit[w] && match(f, colour, v, colour, w)) {
      keep(l, f);
      close_orbit(l, first, n, orbit);
    }
}

static void start_colours(const cdag_graph *g, uint64_t *colour)
{
  for (uint32_t v = 0; v < g->n; v++)
    colour[v] = mix(g->output[v], cdag_graph_is_input(g, v));
}

int optimal_symmetries(const cdag_graph *g, int most, uint16_t **perm)
{
  uint32_t n = g->n;
  finder f = { .g = g, .next = MEM_NEW(uint64_t, n), .sorted = MEM_NEW(uint64_t, n), .image = MEM_NEW(uint16_t, n) };
  list l = { MEM_NEW(uint16_t, (size_t)most * n), 0, most };
  SCOPED_MEM uint64_t *colour = MEM_NEW(uint64_t, n);
  start_colours(g, colour);
  while (settle(&f, colour, NULL) < n && l.count < most && f.nodes < MOST_NODES) {
    uint32_t v = first_shared(&f, colour);
    link(&f, colour, v, &l);
    colour[v] = mix(colour[v], 4);
  }
  mem_free(f.next);
  mem_free(f.sorted);
  mem_free(f.image);
  *perm = l.perm;
  return l.count;
}
