/* cdag.h -- a computation: a handful of arrays with affine rules (docs/cdag-language.md).

   One description serves every reader: the predecessors of an element (element engine), the image of a box
   (tile engine), loops and projections of a statement (LP bounds), the grids of a lesson, the text of a paper.
   A graph from outside is one array "v" of rank 1 with an explicit adjacency.

   Numbering (stable, documented in docs/cdag-language.md): arrays in the order of their declaration; inside an
   array the elements of its domain in lexicographic order of their indices.  A vertex id is the position in that order.
 */
#ifndef REDBLUE_CDAG_H
#define REDBLUE_CDAG_H

#include "base/diag.h"
#include "base/text.h"
#include "cdag/language/expr.h"
#include "cdag/graph/graph.h"
#include <stdbool.h>
#include <stdint.h>

enum { CDAG_RANK = 8, CDAG_NAME = 64, CDAG_COPIES = 4 };

/* A box of indices: lo[r] <= x[r] < hi[r].  Empty when some lo >= hi. */
typedef struct {
  int64_t lo[CDAG_RANK], hi[CDAG_RANK];
} cdag_box;
/* Have they an element in common, if none is empty? */
static inline bool cdag_box_meets(const cdag_box *a, const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (a->lo[r] >= b->hi[r] || b->lo[r] >= a->hi[r])
      return false;
  return true;
}

/* One index of a term: a value, a range or everything there is. */
typedef enum { CDAG_AT, CDAG_RANGE, CDAG_ALL } cdag_index_kind;
typedef struct {
  cdag_index_kind kind;
  expr *lo, *hi;               /* AT: lo;  RANGE: lo..hi;  slots: parameters, then the rule's variables */
  bool affine;                 /* lo (and hi) are affine in the variables */
  int64_t base, coef[CDAG_RANK];        /* value of lo = base + sum coef[r] * x[r] */
  int64_t hi_base, hi_coef[CDAG_RANK];  /* RANGE: the same of hi */
  int var;                     /* AT: >= 0: the value is x[var] + base; -1: it is base, a constant; -2: anything else */
} cdag_index;

typedef struct {
  int array;                   /* whose elements it reads */
  cdag_index index[CDAG_RANK]; /* rank of that array */
  /* shift: every index is x[perm] + base with coefficient 1 or a constant, each variable used at most once; then the
     image of a box is a box, and the term is injective on the variables it uses. */
  bool boxy;
  bool injective;              /* boxy and uses every variable: distinct elements read distinct predecessors */
  bool never;                  /* known to be present on no element at all */
  int guarded; /* `TERM if COND`: 1 + the index that holds the condition, see cdag_term_condition; else 0 */
  bool own_condition,
      joined; /* of several rules for one array: COND was written; the rule's place is part of the condition */
  expr *guard;                 /* while parsing: COND */
  bool end_of_sum;             /* it names the end of a sum by that sum's own indices */
  int passed_on;               /* of what a sum without steps begins with: through so many sums */
  int line, column;
} cdag_term;

typedef struct {
  char name[CDAG_NAME];
  int rank;
  char var[CDAG_RANK][CDAG_NAME]; /* names of the rule's variables ("" when the declaration gave none) */
  expr *lo[CDAG_RANK], *hi[CDAG_RANK]; /* bounds; slots: parameters, then variables 0..r-1 of this array */
  bool rectangular;            /* bounds do not depend on variables */
  cdag_box hull;               /* the smallest box known to hold the domain; the domain itself when rectangular */
  bool declared_input;         /* the word `input` stood before it */
  bool declared_output;        /* `output` stood before the rule: all its elements are outputs */
  int sums;                    /* the last so many indices count the steps of a `sum` */
  int first_terms;             /* those before `sum`, of the first step alone: behind the `sums` ones that go on */
  int rules;                   /* how many it was put together from */
  uint32_t copied;             /* bit i: in a collection, it has index copy[i] before its own */
  int terms;
  cdag_term *term;
  uint64_t count;              /* elements */
  uint64_t first;              /* id of its first element */
  int line, column;
} cdag_array;

/* `output C[*,*,k-1]` on a line of its own. */
typedef struct {
  int array;
  cdag_index
      index[CDAG_RANK]; /* slots: parameters, then loop variables of the selection (`dQ[i:n,*,i]`): AT of variable */
  int vars;
  char var[CDAG_RANK][CDAG_NAME];
  expr *var_lo[CDAG_RANK], *var_hi[CDAG_RANK];
  bool of_rule;                /* made from `output` before one of several rules */
  int line, column;
} cdag_selection;

typedef struct cdag_param {
  char name[CDAG_NAME];
  expr *fallback;              /* default, or NULL */
  int64_t value;
} cdag_param;

typedef struct cdag {
  char name[CDAG_NAME]; /* family, or file name without folder and ending; of a collection with its words: attention x32
                         */
  char family[CDAG_NAME];      /* the same without these words */
  int copies;                  /* `SPEC x8 x4`: so many levels of copies, outermost first */
  char copy[CDAG_COPIES]
           [CDAG_NAME]; /* their variables, each the first index of the arrays it copies, after those before it */
  int params;
  cdag_param *param;           /* slots 0 .. params-1 of every expression */
  int tables;
  expr_table *table;
  int arrays;
  cdag_array *array;
  int selections;
  cdag_selection *selection;
  const int64_t *param_value;  /* values of the slots 0 .. params-1 */
  cdag_graph *graph;           /* not NULL: explicit; then one array "v", no terms */
  uint64_t vertices;
  struct cdag_private *priv;   /* row counts of triangular domains, the source text, ... */
} cdag;

typedef struct {
  int array;
  int64_t x[CDAG_RANK];
} cdag_element;

/* ---- opening ---- */

/* SPEC of the command line: FAMILY:name=value,... or FILE.cdag:name=value,... or a graph file; behind it (or the name)
   ` x32` for copies of it, ` x4/K,V` for copies that share inputs.  BAD_USAGE (kind "parameter") for unknown family or
   parameter or one without value, with a suggestion; BAD_INPUT for bad text. */
status cdag_open(cdag **g, const char *spec, diag *d);
/* From text: name is how messages call it; assign is "n=3,d=2" or "". */
status cdag_parse(cdag **g, const char *name, const char *source, const char *assign, diag *d);
status cdag_from_graph(cdag **g, cdag_graph *graph, const char *name); /* takes the graph */
void cdag_free(cdag *g);
void cdag_print(text *out, const cdag *g);       /* as .cdag text, parameters kept; parse gives the same CDAG */
/* The same for the same text and parameters, or graph; comments, spaces and the name do not count.  FNV-1a: no proof
 * against forgers. */
uint64_t cdag_digest(const cdag *g);
const char *cdag_check(const cdag *g);           /* NULL or a broken invariant */
bool cdag_param_given(const cdag *g, int param);  /* does its value come from the assignment, not from a default? */
bool cdag_table_reads(const cdag *g, int param); /* does a table depend on this parameter, in its size or its values? */
bool cdag_reserved(const char *word);            /* a keyword of either language, or M */

/* The condition of `TERM if COND`, or NULL.  Its index reads a table of one entry, 0, at (COND == 0): outside of it, so
   that the term is absent, where COND is 0. */
const expr *cdag_term_condition(const cdag_term *t);
/* Index q of a term of that array's rule where its condition holds: without the table. */
cdag_index cdag_plain_index(const cdag *g, int array, const cdag_term *t, int q);
/* Terms that are absent on every element, a line each: file, line, column and a sentence.  None when a parameter is
   below 5, since tiny sizes leave many a term in vain, and none of a text that was made from a loop nest. */
void cdag_warnings(const cdag *g, text *out);

/* Families: the embedded texts. */
typedef struct { const char *name, *summary, *source, *parameters; } cdag_family;
int cdag_families(const cdag_family **list);
/* Is g, its parameters included, the text of that family?  Names of files and of families do not matter. */
bool cdag_is_family(const cdag *g, const char *family);
/* The same, but for tables that g may give as numbers: { the family's line up to its value, g's line }; NULL ends. */
bool cdag_is_family_but(const cdag *g, const char *family, const char *const (*given)[2]);
bool cdag_is_text(const cdag *g, const char *source); /* the same text with the same parameters, which is not named */
status cdag_family_known(const char *name, diag *d); /* or BAD_USAGE, kind "parameter", with the nearest name */

/* ---- elements ---- */

int cdag_find_param(const cdag *g, const char *name);                       /* or -1 */
int cdag_find_array(const cdag *g, const char *name);                       /* or -1 */
bool cdag_exists(const cdag *g, int array, const int64_t *x);
uint64_t cdag_id(const cdag *g, int array, const int64_t *x);               /* x must exist */
void cdag_at(const cdag *g, uint64_t id, cdag_element *e);
void cdag_element_print(text *out, const cdag *g, const cdag_element *e);   /* C[0,0,1] */
bool cdag_is_input(const cdag *g, int array, const int64_t *x);             /* has no predecessor */
/* A box that has all elements of the array without a predecessor: of several rules those under `input` have them. */
void cdag_sources_hull(const cdag *g, int array, cdag_box *b);
bool cdag_is_output(const cdag *g, int array, const int64_t *x);
bool cdag_has_output(const cdag *g, int array);                             /* by its rule or by a selection */

/* The distinct predecessors of an element in the order of its rule; a term with `*` or a range gives many, in
   lexicographic order.  visit returns false to stop early.  Returns false if stopped.  An explicit graph has no terms:
   term is 0. */
typedef bool (*cdag_visit)(void *context, const cdag_element *e, int term);
bool cdag_each_predecessor(const cdag *g, int array, const int64_t *x, cdag_visit visit, void *context);
/* Distinct successors, ascending by id; by inverting the terms, no enumeration of the graph. */
bool cdag_each_successor(const cdag *g, int array, const int64_t *x, cdag_visit visit, void *context);

/* Bounds of dimension r of the domain at a prefix x[0..r-1]. */
void cdag_range(const cdag *g, int array, int r, const int64_t *x, int64_t *lo, int64_t *hi);

/* Does index r of an array begin with *lo whatever the other indices are, and no other index's range depend on it? */
bool cdag_free_index(const cdag *g, int array, int r, int64_t *lo);

/* ---- boxes ---- */

bool cdag_box_empty(const cdag_box *b, int rank);
uint64_t cdag_box_count(const cdag *g, int array, const cdag_box *b);  /* elements of the domain inside b */
/* The domain elements of the box in lexicographic order, run by run: maximal [lo,hi) of the last index. */
typedef bool (*cdag_visit_run)(void *context, const int64_t *x, int64_t hi_last);
bool cdag_each_run(const cdag *g, int array, const cdag_box *b, cdag_visit_run visit, void *context);

/* ---- counts, without enumerating where the domain is rectangular or triangular ---- */
typedef struct {
  uint64_t vertices, edges, inputs, outputs, max_in_degree;
} cdag_counts;
status cdag_count(const cdag *g, cdag_counts *c,
                  diag *d); /* GAVE_UP when a rule is so irregular that more than 2^22 elements would be looked at */

/* Elements of the array that are outputs; false: its selections are too irregular and it is too large. */
bool cdag_array_outputs(const cdag *g, int array, uint64_t *outputs);

/* The explicit graph, vertex ids as documented; GAVE_UP with a sentence beyond max_vertices (0: 2^26) or 2^28 edges. */
status cdag_materialise(const cdag *g, uint64_t max_vertices, cdag_graph *out, diag *d);
/* Give the vertices of that graph the names of their elements, C[0,0,1]; GAVE_UP beyond 2^22 vertices. */
status cdag_name_vertices(const cdag *g, cdag_graph *out, diag *d);

#endif
