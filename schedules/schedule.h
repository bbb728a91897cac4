/* schedule.h -- a schedule is a program over boxes (docs/schedule-language.md).  One text, four readings: the
   interpreter hands its box moves to an engine; the counter sums them; the tuner minimises the sum; the printer writes
   it back. */
#ifndef REDBLUE_SCHEDULE_H
#define REDBLUE_SCHEDULE_H

#include "base/json.h"
#include "cdag/cdag.h"
#include "pebble/game.h"

/* ---- the tree ----
   Slots of every expression of a schedule bound to a CDAG, in this order:
     0 .. g->params-1           the CDAG's parameters
     g->params                  M
     then                       the schedule's own parameters
     then                       SCHEDULE_LOOP_SLOTS slots for each loop: lo, hi, first, last, len
   A loop's slots have a value only while it runs. */

typedef enum { SCHEDULE_BLOCK, SCHEDULE_FOR, SCHEDULE_IF, SCHEDULE_MOVE } schedule_kind;

typedef struct {
  cdag_index_kind kind;        /* AT expr, RANGE lo..hi, ALL */
  int loop; /* >= 0: AT of a range variable standing alone: the whole range of that loop (lo, hi unused) */
  expr *lo, *hi;
} schedule_index;

typedef struct {
  int array;
  bool whole;                  /* `dropping Y`: no index list */
  int indices;
  schedule_index index[CDAG_RANK];
  int number;                  /* 0 .. schedule.boxes-1 in the order of the text */
  int line, column;
} schedule_box;

typedef struct schedule_node {
  schedule_kind kind;
  int line, column;
  /* BLOCK: children in order.  FOR: child[0] is the body.  IF: child[0] then, child[1] else (may be missing). */
  int children;
  struct schedule_node **child;
  /* FOR */
  int loop;                    /* index into schedule.loop */
  /* IF */
  expr *condition;
  /* MOVE: one node per keyword; several boxes are played in the order written */
  pebble_kind move;
  int boxes;
  schedule_box *box;
  int drops;
  schedule_box *drop;          /* compute ... dropping */
} schedule_node;

typedef struct {
  char name[CDAG_NAME];
  bool blocked;                /* `by`: binds successive ranges; otherwise single values */
  expr *lo, *hi;               /* range; NULL when over_loop >= 0; lo may be NULL for 0 */
  int over_loop;               /* a range variable that this loop subdivides, or -1 */
  expr *by;
  bool reversed, snake;
  int slot;                    /* first of SCHEDULE_LOOP_SLOTS slots */
  int parent;                  /* enclosing loop or -1 */
  int line, column;
} schedule_loop;
enum { SCHEDULE_LO, SCHEDULE_HI, SCHEDULE_FIRST, SCHEDULE_LAST, SCHEDULE_LEN, SCHEDULE_LOOP_SLOTS };
/* A single loop variable j is its SCHEDULE_LO slot (hi = lo + 1, len = 1). */

typedef struct {
  char name[CDAG_NAME];
  expr *fallback;              /* default, or NULL */
  bool given;                  /* on the command line, or by schedule_set: the default is not asked */
  bool automatic;              /* `auto`, on the command line or as its default: the tuner chooses */
  bool known; /* value holds; false: automatic or without default and not yet set, or a default that needs such a one */
  int64_t value;
  int line, column;
} schedule_param;

typedef struct schedule {
  char name[CDAG_NAME], family[CDAG_NAME]; /* `schedule NAME for FAMILY`; empty when not said */
  char file[256];              /* for diagnostics */
  const cdag *g;               /* borrowed */
  uint64_t m;
  int params;
  schedule_param *param;
  int loops;
  schedule_loop *loop;
  schedule_node *body;         /* BLOCK */
  int boxes;                   /* boxes in the text, those after `dropping` included */
  int slots;                   /* size of the environment */
  int slot_m, slot_param;      /* g->params and g->params + 1 */
  text comment;                /* the comment lines that open the text, for listings */
  text source;                 /* the text as it was read: its lines are those of the places */
  uint64_t most_iterations;    /* playing and counting give up after so many that nothing repeats; 0: they go on */
  double until;                /* and when the process has used so many seconds (clock_processor); 0: they go on */
} schedule;

/* Parse a text for CDAG g and memory m; assign is "a=3,b=auto" or "" (BAD_USAGE, kind "parameter" for unknown ones).
   Values: given, else default; a parameter given as `auto` or without default is left to schedule_set (tuner).
   A default that has no value (a division by zero) is BAD_INPUT kind "value". */
status schedule_parse(schedule **s, const cdag *g, uint64_t m, const char *file, const char *source, const char *assign,
                      diag *d);
/* A file, or NAME of the library for this CDAG's family, or FAMILY.NAME; optionally with :a=3,b=auto after it.
   "-" reads stdin.  BAD_USAGE with a suggestion for an unknown name. */
status schedule_open(schedule **s, const cdag *g, uint64_t m, const char *spec, diag *d);
/* The parts of such a spec: does it end in :a=3,...?  A copy of what stands before, and where the assignments stand.
   Is that a file (or "-") rather than a schedule of the library? */
bool schedule_spec_assigns(const char *spec);
char *schedule_spec_name(const char *spec, const char **assign);
bool schedule_is_file(const cdag *g, const char *name);
void schedule_free(schedule *s);
void schedule_print(text *out, const schedule *s);
/* The first parameter that is still `auto` or has neither value nor default, or -1: then the schedule can be played. */
int schedule_unset(const schedule *s);
/* Its parameters with their values, an object; of NULL an empty one. */
void schedule_put_setting(const schedule *s, json *j);
status schedule_set(schedule *s, int param, int64_t value);  /* and evaluates the defaults again */
/* Fill the slots that hold before any loop runs: the CDAG's parameters, M, the schedule's parameters (slot: s->slots
 * entries). */
void schedule_fixed_slots(const schedule *s, int64_t *slot);

/* The library: embedded texts. */
typedef struct {
  const char *name, *family;   /* from the line `schedule NAME for FAMILY` */
  const char *summary;         /* the first comment line */
  const char *source;          /* what follows "source:" in a comment line, or "" */
  const char *path, *text;     /* schedules/library/FAMILY.NAME.sched and what stands in it */
} schedule_listing;
int schedule_library(const schedule_listing **list); /* in order of family, then name; lives as long as the program */

/* ---- playing ---- */

typedef struct {
  pebble_verdict verdict;
  /* where, when not legal */
  int line, column;
  text loops;                  /* "I=0..4, j=7" */
  num_count inferred;          /* loop iterations that fast-forward did not play */
  int arrays;
  num_count *loads_by_array, *stores_by_array; /* `arrays` entries each */
  char why[256];               /* rule VALUE: a sentence */
  bool has_smallest;           /* illegal by memory only: the smallest M for which the same moves are legal */
  uint64_t smallest_memory;
} schedule_verdict;

typedef struct {
  pebble_rules rules;
  pebble_engine engine;
  bool fast_forward;           /* tile engine only */
  bool want_smallest;          /* after a failure by memory, look for smallest_memory: plays once more */
  void (*progress)(void *context, double share);  /* or NULL */
  void *progress_context;
} schedule_play_options;

/* Play the whole schedule.  OK also when it is illegal: that is in the verdict. */
status schedule_play(const schedule *s, const schedule_play_options *o, schedule_verdict *v, diag *d);
void schedule_verdict_clear(schedule_verdict *v);

/* Box moves one by one, in order (empty ones too); visit returns false to stop.  The move is at->box[box].  Bad values
   while playing: BAD_INPUT kind "value", with place.  Every parameter must have its value (schedule_unset is -1). */
typedef bool (*schedule_visit)(void *context, const pebble_move *move, const schedule_node *at, int box,
                               const int64_t *slot);
status schedule_each_move(const schedule *s, schedule_visit visit, void *context, diag *d);

/* ---- lists of moves ----
   A text that begins with a move (after comments and the line `schedule NAME`) is played as it is read, statement by
   statement, at any length; loops may follow, parameters may not.  Its text is read to the end even when a move breaks
   a rule: bad text is BAD_INPUT whatever came before. */
typedef struct schedule_reader schedule_reader;
status schedule_reader_new(schedule_reader **r, const char *path, diag *d);  /* "-" is stdin */
schedule_reader *schedule_reader_of(FILE *in, const char *name);             /* in stays the caller's */
void schedule_reader_free(schedule_reader *r);
bool schedule_reader_is_list(schedule_reader *r);                            /* looks ahead; nothing is lost */
status schedule_reader_text(schedule_reader *r, text *out, diag *d);         /* all of it, when it is no list */
status schedule_play_list(schedule_reader *r, const cdag *g, const schedule_play_options *o, schedule_verdict *v,
                          diag *d);
/* The same from an open file. */
status schedule_play_stream(FILE *in, const char *name, const cdag *g, const schedule_play_options *o,
                            schedule_verdict *v, diag *d);

/* ---- counting ---- */

typedef struct {
  bool countable;              /* false: see reason, then play */
  char reason[256];
  num_count loads, stores, computes;
  uint64_t peak;
  int arrays;
  num_count *loads_by_array, *stores_by_array; /* `arrays` entries; owned */
} schedule_counts;
num_count schedule_counts_io(const schedule_counts *c);
/* Whether so many words of each array are stored as are outputs of it.  A text that stores fewer is not legal, and so
   much is known of one that was only counted. */
bool schedule_counts_end(const cdag *g, const schedule_counts *c);
/* GAVE_UP with a sentence when they are no counts any more: so end playing and counting, and no number is shown. */
status schedule_counts_known(num_count io, num_count computes, diag *d);
/* The numbers a legal play gives, whether or not this one is legal. */
status schedule_count(const schedule *s, const pebble_rules *rules, schedule_counts *c, diag *d);
void schedule_counts_clear(schedule_counts *c);
/* I/O as a formula in the parameters, e.g. 2 n d + 2 n d ceil(n/a), which gives the count at the values they have.
   holds (may be NULL): what else must stay true of the parameters for it to hold at other values ("s <= dv"), or empty.
   False, with a reason, when there is none. */
bool schedule_formula(const schedule *s, text *io, text *holds, text *reason);

/* Of a list of moves, statement by statement: what is held is a statement, not the list.  v is made too.  countable is
   false, with the reason, when such a list has to be played, and then nothing was read; or when a value is missing:
   that is v's rule. */
status schedule_count_list(schedule_reader *r, const cdag *g, const pebble_rules *rules, schedule_counts *c,
                           schedule_verdict *v, diag *d);

/* ---- tuning ---- */

typedef struct {
  num_count io;
  uint64_t peak, searched;     /* searched: settings counted */
  bool exact;                  /* proved best over all settings of the free parameters */
  bool none;                   /* proved that no setting of them is legal with this M */
  text record;                 /* what was searched and why the rest cannot win */
} schedule_tuning;
/* Choose every parameter that is `auto` (or, when none is, every parameter not given) to minimise the count subject to
   peak <= M; sets them in s.  GAVE_UP when nothing fits, or nothing among what was looked at: see none. */
status schedule_tune(schedule *s, const pebble_rules *rules, schedule_tuning *t, diag *d);
void schedule_tuning_clear(schedule_tuning *t);

#endif
