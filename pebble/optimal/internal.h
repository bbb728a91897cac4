/* pebble/optimal/internal.h -- what the files of the exact solver share: a game as a search sees it, and the search.

   A position is a key of a few words; how they are read is the game's business.  Positions live in one arena (chunks of
   fixed size, never moved), are named by 32-bit numbers and found through an open-addressed index. */
#ifndef REDBLUE_OPTIMAL_INTERNAL_H
#define REDBLUE_OPTIMAL_INTERNAL_H

#include "base/clock.h"
#include "pebble/optimal.h"

enum { OPTIMAL_KEY = 24 };            /* most words of a key */
#define OPTIMAL_NONE UINT32_MAX

/* A successor of the position being expanded; cost: I/O of the moves that lead there. */
typedef void (*optimal_emit)(void *context, const uint64_t *key, uint32_t cost);
#define OPTIMAL_HOPELESS UINT32_MAX

typedef struct {
  double deadline;                    /* of clock_seconds() */
  double next_word;                   /* when to speak */
  const pebble_optimal_limits *limits;
  uint64_t lower, upper;              /* of the other parts of the graph, for progress */
} optimal_watch;

typedef struct {
  uint32_t lower, upper;              /* of this game */
  bool gave_up, full;                 /* full: for lack of memory */
  uint64_t states;
  pebble_trace trace;                 /* of cost upper */
  pebble_optimal_list *list;          /* not NULL: filled in by a search that proves there is nothing below upper */
} optimal_result;

typedef struct optimal_game optimal_game;
struct optimal_game {
  size_t size;                        /* of what begins with this; a copy expands on its own and is not freed */
  int words;                          /* of a key */
  int group;      /* positions whose keys agree in the first `group` words are compared by surplus */
  uint32_t spare; /* set before expand: successors with more than this above the bound are not wanted */
  bool stop;                          /* set while expand runs: leave off, no more successors are wanted */
  bool lists;     /* what is proved is to be listed: surplus compares only what the checker of lists compares */
  pebble_trace *record;               /* not NULL: expand leaves the moves to each successor here when it emits */
  void (*start)(optimal_game *game, uint64_t *key);
  void (*expand)(optimal_game *game, const uint64_t *key, optimal_emit emit, void *context);
  /* I/O still unavoidable, 0 exactly at the goal; OPTIMAL_HOPELESS: no optimal pebbling comes this way. */
  uint32_t (*bound)(const optimal_game *game, const uint64_t *key);
  /* I/O that turns position a into one that can do all that b can; the two agree in the first `group` words. */
  uint32_t (*surplus)(const optimal_game *game, const uint64_t *a, const uint64_t *b);
  /* Replace key by one that a symmetry of the graph turns it into, the same for most keys so related; NULL: no
     symmetry. name (or NULL) is composed with that symmetry: name[v] becomes what v was turned into. */
  void (*canonical)(const optimal_game *game, uint64_t *key, uint16_t *name);
  uint32_t vertices;
  uint32_t (*depth)(const optimal_game *game,
                    const uint64_t *key); /* grows with every move of the game; for the beam */
  uint32_t depths;
  /* So much work more, so that r->lower is more and bound says more in a search below r->upper; the bytes it keeps.
     NULL: cannot. */
  uint64_t (*learn)(optimal_game *game, optimal_result *r, uint64_t work, uint64_t bytes, optimal_watch *watch);
  /* The core and the symmetries it made use of. */
  void (*explain)(const optimal_game *game, pebble_optimal_list *list);
  void (*free)(optimal_game *game);
};

/* The game of g under rules; g connected, with an edge, and rules->m enough.  NULL: more vertices or edges than the
 * keys hold. */
optimal_game *optimal_new(const cdag_graph *g, const pebble_rules *rules);

/* Its readings: vertices computed whole (placing, sliding) or edge by edge (partial), by the words of a set. */
optimal_game *optimal_whole_1(const cdag_graph *g, const pebble_rules *rules);
optimal_game *optimal_whole_1_popcount(const cdag_graph *g, const pebble_rules *rules);
optimal_game *optimal_whole_2(const cdag_graph *g, const pebble_rules *rules);
optimal_game *optimal_whole_8(const cdag_graph *g, const pebble_rules *rules);
optimal_game *optimal_partial_1(const cdag_graph *g, const pebble_rules *rules);
optimal_game *optimal_partial_4(const cdag_graph *g, const pebble_rules *rules);

/* Automorphisms of g, at most `most`, n numbers each (*perm, to be freed): their number.  g->n < 2^16. */
int optimal_symmetries(const cdag_graph *g, int most, uint16_t **perm);

/* ---- positions ---- */

typedef struct {
  int words, group;                   /* of a key, and of its part that is hashed; a node is one word longer */
  uint64_t bytes, limit;              /* what the store holds and may hold */
  uint64_t **chunk, **slab;           /* where so many positions begin, and the blocks that hold them */
  size_t chunks, chunk_room, slabs, slab_room;
  uint32_t n;
  uint64_t *slot;                     /* hash tag << 32 | number + 1 */
  uint64_t slots;                     /* power of two */
} optimal_store;

typedef struct {
  uint32_t parent;
  uint16_t cost;                      /* g; the top bit: expanded */
  uint16_t bound;                     /* h */
} optimal_node;
enum { OPTIMAL_EXPANDED = 1 << 15, OPTIMAL_COST = OPTIMAL_EXPANDED - 1 };

void optimal_store_init(optimal_store *s, const optimal_game *game, uint64_t limit);
void optimal_store_clear(optimal_store *s);
uint64_t optimal_hash(const uint64_t *key, int words);
const uint64_t *optimal_key(const optimal_store *s, uint32_t i);
optimal_node *optimal_node_of(const optimal_store *s, uint32_t i);
/* Bring what optimal_find will look at closer, first its slot, then its key: a search waits for memory most of the
 * time. */
void optimal_expect_slot(const optimal_store *s, const uint64_t *key);
void optimal_expect_key(const optimal_store *s, const uint64_t *key);
/* The number of key, or OPTIMAL_NONE.  *dominated: some position met is at least as good as this one at this cost. */
uint32_t optimal_find(const optimal_store *s, const optimal_game *game, const uint64_t *key, uint32_t cost,
                      bool *dominated);
/* Add a key not found; OPTIMAL_NONE when the limit forbids. */
uint32_t optimal_add(optimal_store *s, const uint64_t *key);

/* ---- searches ---- */

/* A*: the least cost below r->upper, or a proof that there is none.  r->lower and r->upper hold what is known. */
void optimal_astar(optimal_game *game, uint64_t bytes, optimal_watch *watch, optimal_result *r);
/* The same, in so many bytes, however many positions there are: depth first, up to one cost after another, and what was
   met is forgotten where there is no room (deepen.c). */
void optimal_deepen(optimal_game *game, uint64_t bytes, optimal_watch *watch, optimal_result *r);
/* Beam search: a good pebbling below r->upper if it meets one. */
void optimal_beam(optimal_game *game, uint32_t width, uint64_t bytes, optimal_watch *watch, optimal_result *r);

/* The moves of cheapest ways from each of these positions to the next. */
void optimal_write(optimal_game *game, const uint64_t *const *key, size_t count, pebble_trace *trace);
/* True when the time is over.  Speaks about once a second. */
bool optimal_is_over(optimal_watch *watch, const optimal_result *r, uint64_t states);

/* A legal pebbling of any graph, quickly: depth-first order, the red pebble used farthest ahead goes first. */
void optimal_greedy(const cdag_graph *g, const pebble_rules *rules, pebble_trace *trace);

#endif
