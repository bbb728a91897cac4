/* degree.c -- how many predecessors the elements of an array have: their sum, how many have none, the most.

   Terms that are on every element are set apart.  For every set of the others, points.c counts the elements on which at
   least those are present; inclusion and exclusion turns that into "exactly those".  When that does not apply (ranges
   that depend on the element, many conditional terms, several pairs of terms that may coincide) or takes many steps,
   the normal form counts where there are many elements; else, or where it does not, every element is looked at, up to a
   limit.  Beyond it points.c may take its time. */
#include "cdag/domain/points.h"
#include "cdag/polyhedral/degree.h"
#include "base/mem.h"
#include "base/patience.h"
#include <string.h>

enum { ENUMERATE = PATIENCE(1 << 22), MANY = PATIENCE(1 << 18), CONDITIONAL = 8 };
static const uint64_t BUDGET = PATIENCE((uint64_t)1 << 25), QUICK = PATIENCE((uint64_t)1 << 20);

/* ---- by looking at every element ---- */

typedef struct {
  const cdag *g;
  int array;
  bool clashes;                /* terms may name the same element: list them, else count boxes */
  array_degrees deg;
  uint64_t here, steps;
} looking;

static bool count_one(void *context, const cdag_element *e, int term)
{
  looking *l = context;
  (void)e, (void)term;
  l->here++;
  return --l->steps > 0;
}

static void count_boxes(looking *l, const int64_t *x)
{
  const cdag_array *a = &l->g->array[l->array];
  for (int t = 0; t < a->terms; t++) {
    const bound_term *b = cdag_bound_term(l->g, l->array, t);
    cdag_box box;
    if (!a->term[t].never && bound_term_box(l->g, b, x, a->rank, &box))
      l->here += nest_box_count(&l->g->priv->dom[b->array], &box);
  }
}

static bool look_at(looking *l, const int64_t *x)
{
  l->here = 0;
  if (l->clashes) {
    if (!cdag_each_predecessor(l->g, l->array, x, count_one, l))
      return false;
  } else
    count_boxes(l, x);
  l->deg.sources += l->here == 0;
  if (l->here > l->deg.max_in_degree)
    l->deg.max_in_degree = l->here;
  return !__builtin_add_overflow(l->deg.edges, l->here, &l->deg.edges);
}

static bool look_at_run(void *context, const int64_t *x, int64_t hi_last)
{
  looking *l = context;
  int last = l->g->array[l->array].rank - 1;
  int64_t y[CDAG_RANK];
  memcpy(y, x, sizeof y);
  for (; y[last] < hi_last; y[last]++)
    if (!look_at(l, y))
      return false;
  return true;
}

static bool has_clashes(const cdag *g, int array)
{
  for (int t = 0; t < g->array[array].terms; t++)
    for (int word = 0; word < 4; word++)
      if (cdag_bound_term(g, array, t)->clashes[word])
        return true;
  return false;
}

static array_degrees look(const cdag *g, int array)
{
  looking l = {
    .g = g, .array = array, .steps = 16 * (uint64_t)ENUMERATE, .clashes = g->graph || has_clashes(g, array)
  };
  bool known = (g->graph || g->array[array].count <= ENUMERATE) &&
               nest_each_run(&g->priv->dom[array], &g->priv->dom[array].hull, look_at_run, &l);
  if (!known)
    return (array_degrees){ .known = false };
  l.deg.known = l.deg.sources_known = true;
  return l.deg;
}

/* ---- by counting ---- */

typedef struct {
  const cdag *g;
  int array;
  const nest *n;
  const cdag_array *a;
  const bound_term *term;
  uint64_t always;             /* predecessors by terms that are on every element */
  int conditional;
  int of[CONDITIONAL];         /* the other terms */
  uint64_t size[CONDITIONAL];  /* how many predecessors each gives where it is present */
  uint64_t elements[CONDITIONAL]; /* on how many that is */
  int twin[2];                 /* the one pair that may coincide, or -1 */
  uint64_t budget;
  points *p;
} profile;

/* How many elements a present term names, when that is the same everywhere; 0: not. */
static uint64_t constant_size(const cdag *g, const bound_term *t)
{
  const nest *target = &g->priv->dom[t->array];
  uint64_t size = 1;
  for (int s = 0; s < t->rank; s++) {
    const bound_index *x = &t->index[s];
    int64_t lo = target->hull.lo[s], hi = target->hull.hi[s];
    if (x->kind == CDAG_AT)
      continue;
    if (!nest_stands_alone(target, s))
      return 0;
    if (x->kind == CDAG_RANGE) {
      if (x->lo.var != -1 || x->hi.var != -1)
        return 0;
      lo = x->lo.base > lo ? x->lo.base : lo;
      hi = x->hi.base < hi ? x->hi.base : hi;
    }
    size *= (uint64_t)(hi - lo);
  }
  return size;
}

/* At most one pair of terms may coincide, and both name one element at most. */
static bool find_twin(profile *f)
{
  f->twin[0] = -1;
  for (int t = 0; t < f->a->terms; t++)
    for (int s = 0; s < t; s++)
      if (f->term[t].clashes[s / 64] >> s % 64 & 1) {
        if (f->twin[0] >= 0 || !f->term[s].single || !f->term[t].single)
          return false;
        f->twin[0] = s;
        f->twin[1] = t;
      }
  return true;
}

/* On how many elements is every term of the set (bits of `of`) present, and the twins too, naming the same, if `same`?
 */
static bool at_least(profile *f, unsigned set, bool same, uint64_t *count)
{
  points_init(f->p, f->g, f->n);
  bool good = true;
  for (int k = 0; k < f->conditional && good; k++)
    if (set >> k & 1)
      good = points_require(f->p, &f->term[f->of[k]]);
  if (same && good)
    good = points_require_same(f->p, &f->term[f->twin[0]], &f->term[f->twin[1]]);
  return good && points_count(f->p, &f->budget, count);
}

static bool sort_terms(profile *f)
{
  for (int t = 0; t < f->a->terms; t++) {
    uint64_t count, size;
    if (f->a->term[t].never)
      continue;
    if (f->conditional == CONDITIONAL || (size = constant_size(f->g, &f->term[t])) == 0)
      return false;
    f->of[f->conditional] = t;
    f->size[f->conditional++] = size;
    if (!at_least(f, 1u << (f->conditional - 1), false, &count))
      return false;
    f->elements[f->conditional - 1] = count;
    if (count == f->n->count)
      f->always += size;
    if (count == f->n->count || count == 0)
      f->conditional--;
    if (count == 0 && (t == f->twin[0] || t == f->twin[1]))
      f->twin[0] = -1; /* one of them is nowhere */
  }
  return true;
}

/* Sum over supersets with signs: from "at least" to "exactly". */
static void exactly(uint64_t *count, int n)
{
  for (int k = 0; k < n; k++)
    for (unsigned set = 0; set < 1u << n; set++)
      if (!(set >> k & 1))
        count[set] -= count[set | 1u << k];
}

static bool count_sets(profile *f, bool same, uint64_t *count)
{
  for (unsigned set = 0; set < 1u << f->conditional; set++) {
    bool known = !same && __builtin_popcount(set) == 1;
    if (known)
      count[set] = f->elements[__builtin_ctz(set)];
    else if (!at_least(f, set, same, &count[set]))
      return false;
  }
  exactly(count, f->conditional);
  return true;
}

/* Do both twins belong to this set, or to the terms that are always there? */
static bool has_twins(const profile *f, unsigned set)
{
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < f->conditional; k++)
      if (f->of[k] == f->twin[side] && !(set >> k & 1))
        return false;
  return f->twin[0] >= 0;
}

static void add_set(const profile *f, unsigned set, uint64_t all, uint64_t same, array_degrees *deg)
{
  uint64_t degree = f->always, twins = has_twins(f, set) ? same : 0;
  for (int k = 0; k < f->conditional; k++)
    degree += set >> k & 1 ? f->size[k] : 0;
  deg->edges += all * degree - twins;
  if (degree == 0)
    deg->sources += all;
  degree -= all == twins && twins > 0;
  if (all > 0 && degree > deg->max_in_degree)
    deg->max_in_degree = degree;
}

/* Does the sum of edges fit 63 bits, whatever it is? */
static bool edges_fit(const profile *f)
{
  unsigned __int128 most = f->always;
  for (int k = 0; k < f->conditional; k++)
    most += f->size[k];
  return most * f->n->count < (unsigned __int128)1 << 63;
}

static bool count_profile(profile *f, array_degrees *deg)
{
  uint64_t all[1 << CONDITIONAL], same[1 << CONDITIONAL];
  if (!find_twin(f) || !sort_terms(f) || !edges_fit(f) || !count_sets(f, false, all))
    return false;
  memset(same, 0, sizeof same);
  if (f->twin[0] >= 0 && !count_sets(f, true, same))
    return false;
  for (unsigned set = 0; set < 1u << f->conditional; set++)
    add_set(f, set, all[set], same[set], deg);
  deg->known = deg->sources_known = true;
  return true;
}

static bool some_term_is_everywhere(profile *f)
{
  uint64_t count;
  for (int t = 0; t < f->a->terms; t++) {
    points_init(f->p, f->g, f->n);
    f->budget = BUDGET;
    if (!f->a->term[t].never && points_require(f->p, &f->term[t]) && points_count(f->p, &f->budget, &count) &&
        count == f->n->count)
      return true;
  }
  return false;
}

static profile profile_of(const cdag *g, int array, uint64_t budget)
{
  return (profile){ .g = g, .array = array, .n = &g->priv->dom[array], .a = &g->array[array],
                    .term = g->priv->term[array], .budget = budget, .p = MEM_NEW(points, 1) };
}

static bool by_counting(const cdag *g, int array, uint64_t budget, array_degrees *deg)
{
  const cdag_array *a = &g->array[array];
  *deg = (array_degrees){ .known = false };
  if (g->graph)
    return false;
  if (a->terms == 0) {
    *deg = (array_degrees){ .known = true, .sources_known = true, .sources = a->count };
    return true;
  }
  profile f = profile_of(g, array, budget);
  bool good = count_profile(&f, deg);
  mem_free(f.p);
  return good;
}

static bool by_normal_form(const cdag *g, int array, array_degrees *deg)
{
  normal_form f;
  polyhedral_degrees d;
  normal_form_relation(&f, g);
  bool good = polyhedral_degrees_of(&f, array, &d);
  normal_form_clear(&f);
  if (good)
    *deg = (array_degrees){ .known = true, .sources_known = true, .edges = d.edges, .sources = d.sources,
                            .max_in_degree = d.most };
  return good;
}

static array_degrees by_looking(const cdag *g, int array)
{
  array_degrees deg;
  if (!g->graph && g->array[array].count > MANY && by_normal_form(g, array, &deg))
    return deg;
  deg = look(g, array);
  if (g->graph || deg.sources_known || by_counting(g, array, BUDGET, &deg))
    return deg;
  profile f = profile_of(g, array, BUDGET);
  deg.sources_known = some_term_is_everywhere(&f); /* then there are none */
  mem_free(f.p);
  return deg;
}

static array_degrees *known_degrees(const cdag *g, int array)
{
  if (!g->priv->degrees)
    g->priv->degrees = MEM_NEW(array_degrees, (size_t)g->arrays);
  return &g->priv->degrees[array];
}

bool cdag_degrees_by_counting(const cdag *g, int array)
{
  array_degrees *deg = known_degrees(g, array);
  if (!deg->counted) {
    deg->found = by_counting(g, array, QUICK, deg);
    deg->counted = true;
  }
  return deg->found;
}

array_degrees cdag_array_degrees(const cdag *g, int array)
{
  array_degrees *deg = known_degrees(g, array);
  if (!cdag_degrees_by_counting(g, array)) {
    *deg = by_looking(g, array);
    deg->counted = deg->found = true;
  }
  return *deg;
}
