/* pebble/optimal/paths.h -- vertex-disjoint paths in a small DAG, by augmenting paths (Ford and Fulkerson, Menger).

   Every vertex is split: a path enters its in side and leaves its out side.  Included with WORDS defined. */
#include "pebble/optimal/bits.h"

typedef struct {
  const bits *succ;
  bits inside;                    /* paths stay on these vertices, */
  bits from, to;                  /* begin in one of these and end in one of those */
  bits used;                      /* vertices on paths; of `to` only the last ones of paths */
  int16_t before[64 * WORDS];     /* on a path: the vertex before, or PATHS_START */
  bits seen_in;                   /* in sides reached by the search */
  int16_t into[64 * WORDS]; /* how an in side was reached: forwards from this vertex, START, or its own out side */
  int16_t out_of[64 * WORDS];     /* how an out side was reached: from the in side of this vertex */
} paths;

enum { PATHS_START = -1, PATHS_OWN = -2 };

/* The search has reached the out side of v, where a path may end: make it one path more. */
static inline void paths_reroute(paths *p, int v)
{
  while (v >= 0) {
    int w = p->out_of[v];
    if (w == v)
      p->used = bits_with(p->used, v);
    for (; p->into[w] == PATHS_OWN; w = p->out_of[w])
      p->used = bits_without(p->used, w);       /* its two halves were joined to others */
    v = p->before[w] = p->into[w];
  }
}

/* Once only for each v: an out side is reached from the in side of v, or of the one vertex that follows it on a path.
 */
static inline void paths_see_out(paths *p, bits *todo, int v, int16_t by)
{
  if (v < 0)
    return;
  p->out_of[v] = by;
  *todo = bits_with(*todo, v);
}

static inline void paths_see_in(paths *p, bits *todo, bits set, int16_t by)
{
  set = bits_less(set, p->seen_in);
  p->seen_in = bits_or(p->seen_in, set);
  *todo = bits_or(*todo, set);
  for (int v; bits_take(&set, &v);)
    p->into[v] = by;
}

/* One path more, if there can be one.  The out side of the end of a path is not reached: nothing follows it. */
static inline bool paths_add(paths *p)
{
  bits ins = { { 0 } }, outs = { { 0 } };
  int v;
  p->seen_in = ins;
  paths_see_in(p, &ins, bits_less(p->from, p->used), PATHS_START);
  for (;;)
    if (bits_take(&ins, &v)) {
      bool on = bits_has(p->used, v);
      paths_see_out(p, &outs, on ? p->before[v] : v, (int16_t)v);
    } else if (bits_take(&outs, &v)) {
      if (bits_has(p->to, v)) {
        paths_reroute(p, v);
        return true;
      }
      if (bits_has(p->used, v))
        paths_see_in(p, &ins, bits_one(v), PATHS_OWN);
      paths_see_in(p, &ins, bits_and(p->succ[v], p->inside), (int16_t)v);
    } else
      return false;
}
