/* tree.h -- one way to run a nest: its loops, what stands in which, what is loaded, kept, stored and dropped where.

   A *plan* names the loops over classes, outermost first: some go by blocks, then some by single values.  The tree
   follows: at each depth the statements with that class go into the loop, the others stand before or after it; those
   that only a deeper loop takes go in with them and are computed again each time, or, where `beside` says so, stand
   before or after it too.  docs/tiling.md proves that what tree_build accepts is a legal order. */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_TREE_H
#define REDBLUE_SCHEDULES_TILER_NESTS_TREE_H

#include "schedules/tiler/nests/nest.h"

enum { TILER_LOOPS = 6, TILER_NODES = 48, TILER_KIDS = 26, TILER_OPS = 192, TILER_DEPTH = 12 };

/* A number of words: coef * the lengths of the blocks in `blocks` * the sums (1 + w (length - 1) ...) of windows; and
 * how often: ceil(extent / length) over `iterations`. */
typedef struct {
  double coef;
  uint32_t blocks, iterations;
  int windows;
  struct { int n; double base; int cls[3]; double w[3]; } window[2];
} tiler_amount;

typedef struct {
  int loops;
  struct { int cls; bool block; } loop[TILER_LOOPS];
  uint32_t beside;  /* depths at which statements without the class stay out: handed over red, not computed again */
  uint32_t spilled; /* places: stored chains that keep no partial sum across iterations of their chain's loop */
  bool spill_deep;             /* at the innermost place there is */
  uint8_t home[TILER_GROUPS];  /* by group: which of its candidates, from the innermost */
  uint8_t single[TILER_STATEMENTS]; /* by place: which way its leaf is taken by single values; 0: as a box */
} tiler_plan;

typedef enum {
  OP_LOAD,
  OP_DROP,
  OP_STORE,
  OP_DROP_END,
  OP_INIT,
  OP_START,
  OP_PARTIAL_IN,
  OP_PARTIAL_OUT,
  OP_GROW,
  OP_SHRINK
} tiler_op_kind;
typedef struct {
  tiler_op_kind kind;
  int what;                    /* a group, an initial value or a place */
  int next;                    /* in the list of the kid */
  tiler_amount size, moved;    /* moved: words of I/O over the whole nest; coef 0: none */
} tiler_op;

typedef struct { bool leaf; int what; int before, after; } tiler_kid; /* a place or a node; lists of ops */
typedef struct {
  int parent, depth, cls;      /* cls -1: the root */
  bool block;
  uint32_t blocked, single;    /* classes of loops from here up; a class may be both, then the value counts */
  int kids;
  tiler_kid kid[TILER_KIDS];
} tiler_node;

/* Where the iterations of an inner loop lie beside the block of an outer one on the diagonal. */
typedef enum { SIDE_NONE, SIDE_BELOW, SIDE_ABOVE, SIDE_BOTH } tiler_side;

typedef struct {
  const tiler_nest *n;
  const tiler_plan *plan;
  int nodes, ops;
  tiler_node node[TILER_NODES];
  tiler_op op[TILER_OPS];
  int leaf[TILER_STATEMENTS];  /* the node it stands in */
  int order[TILER_STATEMENTS], ordered, rank[TILER_STATEMENTS];
  int8_t home[TILER_GROUPS][TILER_STATEMENTS]; /* node, of a group for a reader */
  int choices[TILER_GROUPS];   /* how many candidates */
  int ways[TILER_STATEMENTS];  /* how many ways to take its leaf */
  int place[TILER_STATEMENTS]; /* node under which the statement's elements live */
  int last[TILER_STATEMENTS];  /* the reader computed last, or -1 */
  bool spill[TILER_STATEMENTS];
  uint32_t drops[TILER_STATEMENTS];     /* places dropped as it is computed, itself for a chain */
  uint32_t drops_init[TILER_STATEMENTS];
  uint32_t drops_behind[TILER_STATEMENTS]; /* places of chains whose step before it drops */
  /* A loop over a class that meets the blocks of an outer one (blocks I, and j <= i, j >= i, or j over the same
     range) is split at the diagonal when two reads of one array meet there: A[I,l] and A[J,l].  In the part on the
     diagonal the outer box serves both. */
  struct {
    int outer;
    tiler_side side;
    uint64_t spared, trimmed;
  } diagonal[TILER_CLASSES];   /* by the inner class; outer -1: none; groups not loaded there, or without one word */
  int trim[TILER_GROUPS];      /* of such a group: the index that leaves out the inner class's value */
  const char *why;             /* not NULL: why there is no such tree */
} tiler_tree;

/* False, with why, when the plan leads to no legal order. */
bool tiler_tree_build(tiler_tree *t, const tiler_nest *n, const tiler_plan *plan);
/* Which depths may have statements beside the loop that only a deeper one takes? */
uint32_t tiler_may_stand_beside(const tiler_nest *n, const tiler_plan *plan);

/* ---- shared with place.c, cost.c, text.c ---- */
static inline bool tiler_above(const tiler_tree *t, int a,
                               int b) /* is a on the way from the root to b (b itself too)? */
{
  while (b >= 0 && t->node[b].depth > t->node[a].depth)
    b = t->node[b].parent;
  return a == b;
}
int tiler_kid_with(const tiler_tree *t, int node, int place); /* the kid of that node in which the statement stands */
bool tiler_place(tiler_tree *t);                              /* place.c: the ops; false: not in the space */

#endif
