/* schedules/any/internal.h -- what the files of schedules/any/ share.

   The game is played on a *program*: events over items.  An item is a vertex.  In the placing and the sliding game an
   event computes a vertex: it reads the predecessors and writes the vertex.  In the partial game an event aggregates
   one edge: it reads its beginning and writes its end, which must be there unless this is its first edge.  Only
   vertices that lead to an output have events.  An order of the events, and a rule what to evict, make a play
   (schedules/any/play.c). */
#ifndef REDBLUE_SCHEDULES_ANY_INTERNAL_H
#define REDBLUE_SCHEDULES_ANY_INTERNAL_H

#include "base/clock.h"
#include "base/crew.h"
#include "base/random.h"
#include "pebble/game.h"

#define ANY_NONE UINT32_MAX

/* Events are numbered in a legal order.  Local search may add events that compute a vertex again, and take them out. */
typedef struct {
  const cdag_graph *g;
  uint32_t items, events, length; /* length: events in play; without recomputation all of them */
  uint32_t room_events, room_reads;
  uint32_t m;               /* red pebbles; never more than items + 1 */
  bool sliding, partial, recompute;
  uint32_t *read_at, *read; /* events + 1; items an event reads */
  uint32_t *write;          /* the item it writes */
  uint8_t *active;          /* events: in play */
  uint32_t *writes;         /* items: events in play that write it (0: an input, or needed by no output) */
  uint32_t *event_of;       /* items: its first event, or ANY_NONE */
  uint8_t *store;           /* items: must be stored: a wanted output that is no input */
} any_program;

void any_program_init(any_program *p, const cdag_graph *g, const pebble_rules *rules);
void any_program_clear(any_program *p);
/* into was initialised by the same graph and rules. */
void any_program_copy(any_program *into, const any_program *p);
/* One more event that computes x, ANY_NONE if there is no room for it; and out of play again. */
uint32_t any_program_again(any_program *p, uint32_t x);
void any_program_forget(any_program *p, uint32_t event);
static inline uint32_t any_slot(const any_program *p, uint32_t event) { return p->read_at[event] + event; }

/* ---- orders to start from, of a program as it was initialised: each fills order[0..events-1] ---- */

void any_order_natural(const any_program *p, uint32_t *order);                       /* smallest vertex first */
/* seed 0: outputs and predecessors as they come; eager: whatever has all it reads computed comes at once */
void any_order_depth_first(const any_program *p, uint64_t seed, bool eager, uint32_t *order);
void any_order_greedy(const any_program *p, uint64_t seed, uint32_t *order);         /* by live set and recency */

/* By cones (schedules/any/cones.c): what weighs how much against what. */
typedef struct {
  int back, fresh;          /* words that have to come back, and inputs read for the first time */
  int live,
      crowded; /* words that become live less those that die, always, and beyond `room` eighths of the red pebbles */
  int there;                /* words that are there (what is preferred) */
  int room;
  uint32_t largest;         /* cone, in vertices */
  int depth;                /* how far from what was touched last cones may end, less one */
} any_taste;
/* After the deadline (of clock_seconds) whatever comes first is taken.  Returns the work it took. */
uint64_t any_order_cones(const any_program *p, uint64_t seed, const any_taste *taste, double deadline, uint32_t *order);
/* The same in three steps, of which the second may be another thread's. */
typedef struct any_cones any_cones;
any_cones *any_cones_new(const any_program *p, uint64_t seed, const any_taste *taste, double deadline, uint32_t *order);
void any_cones_grow(any_cones *w);
uint64_t any_cones_free(any_cones *w);
/* By words (any/words.c): at most `live` computed words are of use at a time, as far as that can be. */
void any_order_words(const any_program *p, uint32_t live, double deadline, uint32_t *order);

/* ---- playing an order ---- */

typedef struct any_record any_record; /* the moves, when they are wanted */
typedef struct any_queue any_queue;   /* of a large cache, by next use */

/* The position at a multiple of `spacing` in the order, from which a changed order is played on. */
typedef struct {
  uint64_t cost, hash;
  uint32_t size;
  uint32_t *item, *next;    /* cached items, and their next touches */
  uint8_t *blue;            /* items; of a lean play, cached items */
} any_checkpoint;

typedef struct {
  const any_program *p;
  uint32_t dirty_weight;    /* of 256: how much sooner a next use must be for an unsaved item to stay */
  bool recompute;           /* p->recompute, unless switched off */
  bool lean;                /* no recomputation: `blue` holds of cached items only */
  uint32_t *order, *place;  /* events in order, and where each stands */
  /* touches: event e has the slots any_slot(e)..: its reads, then its write.  use[use_at[x]..] are the places of x's
     touches, ascending, ended by ANY_NONE; touch[slot] is the index of a touch in use.  after[i]: the place for which
     the item is kept after touch i: that of touch i + 1, or ANY_NONE if there is none or if the item is computed again
     there; after[use_at[x] - 1] is the same before the first touch */
  uint32_t *use_at, *use, *after, *touch;
  /* the position */
  uint64_t cost, hash;
  uint32_t size, *item, *key,
      *where; /* cached items, place of their next touch; where an item is cached, or ANY_NONE */
  uint8_t *heavy, *blue;              /* by cache entry: evicting costs a store as well; by item */
  uint64_t *code;                     /* random words for the hash */
  uint32_t *cursor;                   /* items: scratch of relink, ANY_NONE outside it */
  /* recomputing a lost item */
  uint32_t *plan, planned, *held, *held_key, holding;
  uint8_t *plan_load;
  uint32_t from, to;                  /* trials permute events there, and meet the order again by `to` */
  /* checkpoints of the current order; a trial began at trial_from and met the order again at trial_to */
  uint32_t spacing, checkpoints;
  any_checkpoint *check;
  uint32_t trial_from, trial_to;
  /* what was missed where: by event, an item loaded again; and the log of a trial */
  uint32_t *missed, *log_event, *log_item, logged;
  uint64_t total;           /* cost of the current order */
  uint64_t work;            /* what playing has taken so far, the same on every machine */
  any_record *record;
  any_queue *queue;
} any_sim;

enum { ANY_PLAN = 8, ANY_HELD = 64 }; /* what recomputing one item may involve: items brought in, and held */

void any_sim_init(any_sim *s, const any_program *p);   /* p outlives s */
void any_sim_clear(any_sim *s);
void any_play_event(any_sim *s, uint32_t t);           /* the event at place t of the order */
bool any_computed_again(any_sim *s, uint32_t t,
                        uint32_t x); /* x, not cached, is there without a load of its own; or false */
/* Take an order of the events in play, play it from the beginning; returns the I/O.  Nothing here allocates. */
uint64_t any_sim_set(any_sim *s, const uint32_t *order);
/* order[a..b] was permuted: play it from the checkpoint before a.  The cost of the whole, or UINT64_MAX as soon as it
   is unlikely to come down to the limit.  Then either keep or undo. */
uint64_t any_sim_try(any_sim *s, uint32_t a, uint32_t b, uint64_t limit);
void any_sim_keep(any_sim *s, uint64_t cost);
/* Back to the order that was kept; before holds the events of a..b. */
void any_sim_undo(any_sim *s, uint32_t a, uint32_t b, const uint32_t *before);
/* Play the current order and write down the moves. */
void any_sim_record(any_sim *s, pebble_trace *out);

/* ---- a large cache (schedules/any/queue.c) ---- */

any_queue *any_queue_new(uint32_t m);
void any_queue_free(any_queue *q);
void any_queue_rebuild(any_sim *s);               /* from what is cached */
void any_queue_push(any_sim *s, uint32_t x);      /* x is cached, or its key or weight changed */
uint32_t any_queue_best(any_sim *s, uint32_t t);  /* the item to evict, not needed at t */

/* ---- writing moves down (schedules/any/trace.c) ---- */

any_record *any_record_new(const any_program *p);
void any_record_load(any_record *r, uint32_t x);
void any_record_save(any_record *r, uint32_t x);      /* before it left: the store is put there afterwards */
void any_record_drop(any_record *r, uint32_t x);
void any_record_store(any_record *r, uint32_t x);
void any_record_compute(any_record *r, uint32_t event, uint32_t x, uint32_t slide);
void any_record_finish(any_record *r, pebble_trace *out); /* and free */

/* ---- weaving (schedules/any/weave.c) ---- */

enum { ANY_BLOCKS = 32, ANY_STRETCH = 1 << 18 }; /* of a weave, at most */

typedef struct {
  const any_program *p;
  uint32_t *before;         /* the stretch as it was */
  uint32_t *writer, *need_at, *need, *end, *stack; /* scratch */
  size_t room;
  uint8_t *done;
} any_weaver;

void any_weaver_init(any_weaver *w, const any_program *p);
void any_weaver_clear(any_weaver *w);
/* Blocks s->order[a + start[b]..a + start[b + 1] - 1]: fills order[0..start[blocks] - 1] with them side by side. */
void any_weave(any_weaver *w, const any_sim *s, uint32_t a, const uint32_t *start, uint32_t blocks, uint32_t *order);
/* Weave s's order, which was set, wherever that saves: by what saves most each time, or most for its length.  Ends
   early where it will hardly come near `best`.  Returns the I/O. */
uint64_t any_weave_sweeps(any_sim *s, bool whole, uint64_t best, uint64_t work, double deadline);

/* ---- local search ---- */

enum { ANY_SHARED = 2000 }; /* events, from which on two share a search */

typedef struct {
  uint64_t work;            /* of playing, at most: by each of those who search */
  double deadline;          /* clock_seconds() at which to stop; 0: never */
  uint64_t target;          /* stop when reached */
  double hot, cold;         /* temperatures */
  crew *crew;               /* or NULL: then one does what both would do */
  uint64_t evaluations;     /* out */
  bool hurried;             /* out: the clock had its say */
} any_budget;
/* Improve s's order and, where recomputation is allowed, p, which is s's program: s ends with the best found, played.
 */
void any_search(any_sim *s, any_program *p, random_source *random, any_budget *budget);

#endif
