/* pebble/tile/rule.h -- what boxes need to know of an array: its domain, and the image of a box under each term of its
   rule.

   A question about a box is answered exactly, or with TILE_SPLIT: "not a box; ask again for its halves".  A box of
   one element is never split.  Private to the tile engine. */
#ifndef REDBLUE_TILE_RULE_H
#define REDBLUE_TILE_RULE_H

#include "cdag/domain/patch.h"
#include "cdag/domain/stretch.h"
#include "pebble/extrapolate/log.h"
#include "pebble/tile/tiles.h"

typedef enum { TILE_BOX, TILE_EMPTY, TILE_SPLIT } tile_answer;

/* What was read last since the last mark of an iteration that is recorded (pebble/extrapolate/log.h): read again there,
 * it is not recorded again. */
typedef struct { const expr *e; uint64_t epoch; int64_t at[CDAG_RANK], value; bool some; } tile_memo;
typedef struct { tile_memo **of; size_t n, room; } tile_memos;
typedef struct {
  cdag_patches patches;
  uint64_t epoch;
  int64_t at[2];
  int64_t rise_from, rise_to;  /* of one index: where it does not fall, as asked last */
} tile_table;

typedef struct { int64_t base, coef[CDAG_RANK]; } tile_form;
/* What is affine once its comparisons, least and greatest numbers are decided: read once, as every box asks. */
typedef struct tile_choice {
  expr_op op;
  bool affine;                 /* as it stands: `form`, and no parts */
  tile_form form;
  struct tile_choice *part[2]; /* NULL: of another kind */
} tile_choice;

/* A bound of the domain or an index of a term, as a function of the variables of the rule. */
typedef struct {
  bool affine;
  unsigned vars;               /* the variables it reads, a bit each */
  unsigned bent;               /* while these keep their values it is affine in the others */
  unsigned held;               /* the same where every table stays inside one patch */
  int64_t base, coef[CDAG_RANK];
  const expr *e;               /* evaluated when not affine */
  tile_choice *choice;         /* the index of a term that is not affine */
  tile_memo *memo;             /* not affine; that of all bounds and indices that read the same */
  cdag_stretches *stretches;   /* of one variable, which is held: where it is affine */
  int64_t lo, hi;              /* what that variable can be */
  int64_t period[CDAG_RANK];   /* not affine: of each variable, after which it goes on by a fixed step; 0: no such */
} tile_value;

/* One index of a term on a given box: FIXED at base, SHIFT x[var] + base, FREE base..end. */
typedef enum { TILE_FIXED, TILE_SHIFT, TILE_FREE } tile_index_kind;
typedef struct {
  tile_index_kind kind;
  int var;
  int64_t base, end;
} tile_index;

typedef struct {
  int array, rank;             /* of the predecessor */
  bool simple;                 /* index[] holds on every box */
  bool straight;               /* apart from its guard: index[] holds, no variable stands twice, a rectangular array */
  bool steady;                 /* simple, and no variable stands in two indices: the image of a box is a box */
  const expr *guard;           /* there where these affine comparisons hold, or NULL; no index has them then */
  tile_choice *holds;          /* the guard */
  bool plain;                  /* steady, and the predecessor's array is rectangular */
  int idle;                    /* plain: variables that no index reads */
  int idle_var[CDAG_RANK];
  tile_index index[CDAG_RANK];
  cdag_index_kind kind[CDAG_RANK];
  tile_value lo[CDAG_RANK], hi[CDAG_RANK];
} tile_term;

/* One more bound of index `at`, affine: hi is the least of several, or lo the greatest. */
typedef struct { int at; bool lower; tile_value v; } tile_bound;

typedef struct {
  int rank;
  bool rectangular;
  cdag_box hull;
  bool slanted; /* all bounds are those of the hull but one: x[at] < x[along] + by (upper) or x[at] >= x[along] + by */
  bool upper;
  int along, at;
  int64_t by;
  tile_value lo[CDAG_RANK], hi[CDAG_RANK];
  int sides;                   /* beside lo and hi */
  tile_bound *side;
  unsigned hull_lo, hull_hi;   /* the indices whose bounds are numbers */
  bool folded;                 /* some term is simple but not steady */
  int terms;                   /* distinct ones */
  tile_term *term;
  bool rigid;                  /* the places that terms read, relative to the box and to each other, never change but
                                  by clipping: all are plain, own-array ones keep every index in its place, and no other
                                  array is read twice */
} tile_rule;

typedef struct {
  const cdag *g;
  tile_rule *rule;             /* g->arrays */
  int64_t *slot;               /* parameters, then room for the variables of a rule */
  expr_env env;
  tile_log *log;               /* NULL unless an iteration is recorded */
  tile_table *table;           /* by table of the CDAG */
  tile_memos *memo;            /* all of them */
} tile_rules;

void tile_rules_init(tile_rules *all, const cdag *g);
void tile_rules_clear(tile_rules *all);

/* A table is read at these indices in an iteration that is recorded: later iterations must stay inside the patch. NULL,
   and nothing is recorded, when they are in none. */
const cdag_patch *tile_note_table(const tile_rules *all, int table, const int64_t *at);

/* Shrink b to its part inside the domain of an array. */
tile_answer tile_fit(const tile_rules *all, int array, cdag_box *b);
/* Has b no elements, as one bound of the domain says by itself?  b may shrink. */
bool tile_is_void(const tile_rules *all, int array, cdag_box *b);
/* The part of b inside the hull, number by number: a box just written in single numbers is slow to copy in larger
 * pieces. */
static inline bool tile_clip(const tile_rules *all, int array, const cdag_box *b, cdag_box *out)
{
  const tile_rule *rule = &all->rule[array];
  bool some = true;
  for (int r = 0; r < rule->rank; r++) {
    out->lo[r] = b->lo[r] > rule->hull.lo[r] ? b->lo[r] : rule->hull.lo[r];
    out->hi[r] = b->hi[r] < rule->hull.hi[r] ? b->hi[r] : rule->hull.hi[r];
    some &= out->lo[r] < out->hi[r];
  }
  return some;
}

/* The part of b (a box of the domain of `array`) where the term is present, its image, and the indices on this box. */
typedef struct {
  cdag_box part, image;
  const tile_index *index;     /* the term's own, or resolved */
  bool around;                 /* the image lies in it, and may be less */
  tile_index resolved[CDAG_RANK];
} tile_image;
/* out stays where it is while it is used. */
tile_answer tile_image_of(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, tile_image *out);
/* Does the term's guard hold on b?  1: everywhere; 0: nowhere; -1: that is not known, or on a part. */
int tile_guard_on(const tile_rules *all, int array, const tile_term *t, const cdag_box *b);
/* The same where the image is no box: a box around it, of elements. */
tile_answer tile_image_around(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, tile_image *out);

#endif
