#include "cdag/given.h"
#include "base/mem.h"
#include "base/scoped.h"
#include "cdag/view.h"
#include <inttypes.h>
#include <string.h>

typedef struct {
  bool given, gone, kept;
  int own;                     /* given: the array that it was made of, */
  cdag_box image;              /* of which elements */
} fate;
typedef struct {
  const cdag *g;
  fate *of;
  uint64_t stored;             /* outputs among what is given */
} relief;

/* Is each index of what is read a variable of its own, shifted, a number, or everything, where one variable that is
   left runs over just that?  Then distinct elements have distinct ones of these, all of them in `image`. */
static bool image_of(const cdag *g, int array, const cdag_term *t, cdag_box *image)
{
  const cdag_array *a = &g->array[array], *to = &g->array[t->array];
  unsigned used = 0;
  bool good = !t->guarded && !t->never && to->rectangular;
  for (int q = 0; q < to->rank && good; q++) {
    const cdag_index *x = &t->index[q];
    good = x->kind == CDAG_ALL || (x->kind == CDAG_AT && x->var >= -1 && !(x->var >= 0 && (used >> x->var & 1)));
    if (!good || x->kind == CDAG_ALL)
      continue;
    image->lo[q] = (x->var < 0 ? 0 : a->hull.lo[x->var]) + x->base;
    image->hi[q] = (x->var < 0 ? 1 : a->hull.hi[x->var]) + x->base;
    used |= x->var < 0 ? 0 : 1u << x->var;
    good = image->lo[q] >= to->hull.lo[q] && image->hi[q] <= to->hull.hi[q];
  }
  for (int q = 0, v = 0; q < to->rank && good; q++) {
    if (t->index[q].kind != CDAG_ALL)
      continue;
    while (v < a->rank && (used >> v & 1))
      v++;
    good = v < a->rank && a->hull.lo[v] == to->hull.lo[q] && a->hull.hi[v] == to->hull.hi[q];
    used |= 1u << v;
    image->lo[q] = to->hull.lo[q];
    image->hi[q] = to->hull.hi[q];
  }
  return good && used == (1u << a->rank) - 1;
}

/* Is no element of the image another array's own? */
static bool is_apart(const relief *k, int own, const cdag_box *image)
{
  bool apart = true;
  for (int b = 0; b < k->g->arrays; b++)
    apart = apart && !(k->of[b].given && k->of[b].own == own &&
                       cdag_box_meets(&k->of[b].image, image, k->g->array[own].rank));
  return apart;
}

/* An array of inputs; or one that is given, and read by this one alone.  Who reads it beside loses that read: where
   elements without predecessors are inputs (others are refused as text), one that has no more would be one. */
static bool is_free(const relief *k, int own, int reader)
{
  bool given = k->of[own].given && !k->of[own].gone, good = k->g->array[own].terms == 0 || given;
  for (int a = 0; a < k->g->arrays && good; a++)
    for (int t = 0; t < k->g->array[a].terms && a != reader; t++)
      good = good && (k->g->array[a].term[t].array != own || !(given || k->g->array[a].declared_input));
  return good;
}

/* A sum could be, too, but there is little left then. */
static bool may_be_given(const cdag *g, int array)
{
  const cdag_array *a = &g->array[array];
  bool good = a->terms > 0 && a->rectangular && a->rules <= 1 && !a->declared_input;
  for (int t = 0; t < a->terms; t++)
    good = good && a->term[t].array != array;
  return good;
}

static bool give(relief *k, int array)
{
  const cdag_array *a = &k->g->array[array];
  fate *f = &k->of[array];
  uint64_t outputs = 0;
  if (cdag_has_output(k->g, array) && !cdag_array_outputs(k->g, array, &outputs))
    return false;
  for (int t = 0; t < a->terms && !f->given; t++) {
    f->own = a->term[t].array;
    f->given = is_free(k, f->own, array) && image_of(k->g, array, &a->term[t], &f->image) &&
               is_apart(k, f->own, &f->image);
  }
  if (f->given) {
    k->of[f->own].gone = true;
    k->stored += outputs;
  }
  return f->given;
}

/* Every array that the rules which are left read, from the outputs on. */
static void keep(relief *k, int array)
{
  const cdag_array *a = &k->g->array[array];
  if (k->of[array].kept || k->of[array].gone)
    return;
  k->of[array].kept = true;
  for (int t = 0; t < a->terms && !k->of[array].given; t++)
    keep(k, a->term[t].array);
}

static bool still_reads(const cdag_view *v, int array, int part, const cdag_term *t, int of)
{
  const relief *k = v->own;
  (void)array, (void)part, (void)of;
  return !k->of[t->array].gone;
}

static bool as_input(const cdag_view *v, int array, int part, text *out)
{
  const relief *k = v->own;
  const cdag_array *a = &k->g->array[array];
  (void)part;
  if (!k->of[array].given)
    return false;
  text_printf(out, "input %s", a->name);
  for (int r = 0; r < a->rank; r++)
    text_printf(out, "%s%" PRId64 "..%" PRId64, r ? ", " : "[", a->hull.lo[r], a->hull.hi[r]);
  text_add(out, "]\n");
  return true;
}

static bool still_puts_out(const cdag_view *v, const cdag_selection *s, int part)
{
  const relief *k = v->own;
  (void)part;
  return !k->of[s->array].given;
}

static cdag *open(relief *k)
{
  SCOPED_MEM bool *kept = MEM_NEW(bool, (size_t)k->g->arrays + 1);
  SCOPED_TEXT source = { 0 };
  cdag *out;
  diag d = { 0 };
  for (int a = 0; a < k->g->arrays; a++)
    if (cdag_has_output(k->g, a) && !k->of[a].given)
      keep(k, a);
  for (int a = 0; a < k->g->arrays; a++)
    kept[a] = k->of[a].kept;
  cdag_view view = { .kept = kept, .own = k, .reads = still_reads, .puts_out = still_puts_out,
                     .rule = as_input };
  cdag_print_view(&source, k->g, &view);
  return cdag_parse(&out, k->g->name, text_str(&source), "", &d) == OK ? out : NULL;
}

cdag *cdag_given_open(const cdag *g, uint64_t *stored)
{
  if (g->graph)
    return NULL;
  SCOPED_MEM fate *of = MEM_NEW(fate, (size_t)g->arrays + 1);
  relief k = { g, of, 0 };
  bool any = false, more = true;
  while (more) {
    more = false;
    for (int a = 0; a < g->arrays; a++)
      more = more || (!of[a].given && may_be_given(g, a) && give(&k, a));
    any = any || more;
  }
  *stored = k.stored;
  return any ? open(&k) : NULL;
}
