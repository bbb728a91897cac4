#include "schedules/tiler/sweeps/lanes.h"
#include "base/forest.h"
#include "base/mem.h"
#include "base/num.h"
#include <inttypes.h>
#include <string.h>

enum { LANES_MOST = 1 << 20, ELEMENTS_MOST = 1 << 23, OTHERS = 8, TERMS = 32 };

/* Another array that lanes read at their own lane, or a partner's: dimension `lane` of it, the others by the level. */
typedef struct {
  int array, lane;
  tiler_form at[CDAG_RANK];
  int64_t from, to;            /* levels at which it is read, as far as they were looked at */
} other_read;

typedef struct {
  const tiler_shape *s;
  const lanes_names *name;
  int array, level, lane;      /* dimensions */
  int64_t first, n;            /* lanes */
  int64_t lo, hi;              /* levels that are computed */
  int64_t stored;              /* the first level that others read or that has outputs */
  int others;
  other_read other[OTHERS];
  int of_term[TERMS];          /* of another array */
  uint32_t *up;                /* blocks of lanes: a forest */
  int64_t size, stride;        /* of all blocks */
  bool good;                   /* all reads are understood */
  text *out;
} lanes;

static const cdag_array *array_of(const lanes *l) { return &l->s->g->array[l->array]; }

/* ---- what is read ---- */

static bool names_lane(const lanes *l, const cdag_index *x)
{
  const cdag *g = l->s->g;
  return x->kind == CDAG_AT && expr_uses(x->lo, g->params + l->lane, g->params + l->lane + 1);
}

static bool same_place(const other_read *a, const other_read *b)
{
  return a->array == b->array && a->lane == b->lane && memcmp(a->at, b->at, sizeof a->at) == 0;
}

static bool add_other(lanes *l, const tiler_access *a)
{
  const cdag_term *t = &array_of(l)->term[a->term];
  other_read o = { .array = a->array, .lane = -1, .from = INT64_MAX, .to = INT64_MIN };
  int i = 0;
  for (int q = 0; q < a->rank; q++) {
    if (names_lane(l, &t->index[q]) && o.lane < 0)
      o.lane = q;
    else if (a->at[q].kind != CDAG_AT || !a->at[q].affine || a->at[q].lo.coef[l->lane])
      return false;
    else
      o.at[q] = a->at[q].lo;
  }
  while (i < l->others && !same_place(&l->other[i], &o))
    i++;
  if (o.lane < 0 || i == OTHERS || a->term >= TERMS)
    return false;
  l->other[i] = o;
  l->others += i == l->others;
  l->of_term[a->term] = i;
  return true;
}

/* Do others read the last level alone? */
static bool read_at_end(const lanes *l)
{
  const tiler_shape *s = l->s;
  for (int a = 0; a < s->g->arrays; a++)
    for (int i = 0; i < s->s[a].accesses; i++) {
      const tiler_access *x = &s->s[a].access[i];
      const tiler_index *at = &x->at[l->level];
      if (a != l->array && x->array == l->array &&
          (at->kind != CDAG_AT || !at->affine || !tiler_form_constant(&at->lo, s->s[a].rank) ||
           at->lo.base != l->hi - 1))
        return false;
    }
  return true;
}

static int64_t first_with_outputs(const lanes *l)
{
  int64_t x[CDAG_RANK] = { 0 };
  for (x[l->level] = l->lo; x[l->level] < l->hi - 1; x[l->level]++)
    for (x[l->lane] = l->first; x[l->lane] < l->first + l->n; x[l->lane]++)
      if (cdag_is_output(l->s->g, l->array, x))
        return x[l->level];
  return l->hi - 1;
}

static bool has_predecessors(const lanes *l, int64_t level, int64_t lane)
{
  int64_t x[CDAG_RANK] = { 0 };
  x[l->level] = level;
  x[l->lane] = lane;
  return !cdag_is_input(l->s->g, l->array, x);
}

/* Levels of inputs come first. */
static bool find_levels(lanes *l)
{
  const cdag_box *h = &array_of(l)->hull;
  l->first = h->lo[l->lane];
  l->n = h->hi[l->lane] - l->first;
  l->lo = h->lo[l->level];
  l->hi = h->hi[l->level];
  if (l->n < 1 || l->n > LANES_MOST || (l->hi - l->lo) * l->n > ELEMENTS_MOST)
    return false;
  while (l->lo < l->hi && !has_predecessors(l, l->lo, l->first))
    l->lo++;
  return l->lo < l->hi;
}

static bool find_reads(lanes *l)
{
  const tiler_statement *s = &l->s->s[l->array];
  bool good = s->rank == 2 && array_of(l)->rectangular && find_levels(l);
  for (int i = 0; i < s->accesses && good; i++)
    good = add_other(l, &s->access[i]);
  l->stored = !good ? 0 : read_at_end(l) ? first_with_outputs(l) : l->lo;
  return good;
}

/* ---- blocks ---- */

typedef struct { lanes *l; int64_t level, lane; } reader;

static bool join(void *context, const cdag_element *e, int term)
{
  const reader *r = context;
  lanes *l = r->l;
  int q = l->lane;
  if (e->array != l->array) {
    other_read *o = &l->other[l->of_term[term]];
    o->from = num_min(o->from, r->level);
    o->to = num_max(o->to, r->level);
    q = o->lane;
  } else if (e->x[l->level] != r->level - 1)
    l->good = false;
  int64_t at = e->x[q] - l->first;
  if (at < 0 || at >= l->n)
    l->good = false;
  if (!l->good)
    return false;
  forest_unite(l->up, (uint32_t)at, (uint32_t)(r->lane - l->first));
  return true;
}

static bool add_level(lanes *l, int64_t level)
{
  int64_t x[CDAG_RANK] = { 0 };
  x[l->level] = level;
  for (int64_t i = 0; i < l->n && l->good; i++) {
    x[l->lane] = l->first + i;
    reader r = { l, level, x[l->lane] };
    cdag_each_predecessor(l->s->g, l->array, x, join, &r);
    l->good = l->good && has_predecessors(l, level, x[l->lane]);
  }
  return l->good;
}

/* Lanes b + j * stride for j < size, b = high * size * stride + low, low < stride: are these the blocks? */
static bool are_alike(lanes *l)
{
  int64_t size = 0, second = 0;
  for (int64_t i = 0; i < l->n; i++)
    if (forest_root(l->up, (uint32_t)i) == 0) {
      second = size == 1 ? i : second;
      size++;
    }
  l->size = size;
  l->stride = size > 1 ? second : 1;
  int64_t around = l->size * l->stride, roots = 0;
  for (int64_t i = 0; i < l->n; i++) {
    int64_t root = forest_root(l->up, (uint32_t)i);
    roots += root == i;
    if (root != i / around * around + i % l->stride)
      return false;
  }
  return roots * l->size == l->n;
}

/* Is that read at these levels? */
static bool is_read(const other_read *o, int64_t from, int64_t to) { return o->from < to && o->to >= from; }

/* Levels, and others like them, that are there while one is computed: it, the one before where there is one, and what
   is read at it. */
static int there_at(const lanes *l, int64_t level)
{
  int there = 1 + (level > array_of(l)->hull.lo[l->level]);
  for (int i = 0; i < l->others; i++)
    there += is_read(&l->other[i], level, level + 1);
  return there;
}

/* At the first level of the pass, the next, or where more begins to be read. */
static bool fits(const lanes *l, double m, int64_t from, int64_t to)
{
  int there = num_max(there_at(l, from), there_at(l, num_min(from + 1, to - 1)));
  for (int k = 0; k < l->others; k++)
    if (l->other[k].from > from && l->other[k].from < to)
      there = num_max(there, there_at(l, l->other[k].from));
  return (double)l->size * there <= m;
}

/* The levels of the next pass, from `from` on: up to the one that is returned, or `from` where there is none. */
static int64_t pass_end(lanes *l, int64_t from, double m)
{
  int64_t end = from, size = 0, stride = 0;
  forest_plant(l->up, (uint32_t)l->n);
  for (int64_t level = from; level < l->hi && add_level(l, level); level++) {
    bool alike = are_alike(l);
    if (!fits(l, m, from, level + 1))
      break;
    if (alike) {
      end = level + 1;
      size = l->size;
      stride = l->stride;
    }
  }
  l->size = size;
  l->stride = stride;
  return end;
}

/* ---- the text ---- */

static void print_lane(const lanes *l)
{
  if (l->stride == 1)
    text_add(l->out, l->name->block);
  else {
    text_printf(l->out, "%s*%" PRId64 " + %s*%" PRId64 " + %s", l->name->high, l->size * l->stride, l->name->lane,
                l->stride, l->name->low);
    if (l->first)
      text_printf(l->out, " + %" PRId64, l->first);
  }
}

static void print_shifted(text *out, const char *name, int64_t by)
{
  text_add(out, name);
  if (by)
    text_printf(out, " %c %" PRId64, by < 0 ? '-' : '+', by < 0 ? -by : by);
}

static void begin_line(const lanes *l, int depth, const char *verb, int array)
{
  text_printf(l->out, "%*s", 2 * depth, "");
  if (l->stride > 1)
    text_printf(l->out, "for %s in %" PRId64 " { ", l->name->lane, l->size);
  text_printf(l->out, "%s %s[", verb, l->s->g->array[array].name);
}

static void end_line(const lanes *l) { text_add(l->out, l->stride > 1 ? "] }\n" : "]\n"); }

/* verb: for the block's lanes of a level. */
static void print_level(const lanes *l, int depth, const char *verb, const char *level, int64_t by)
{
  begin_line(l, depth, verb, l->array);
  for (int q = 0; q < 2; q++) {
    text_add(l->out, q ? ", " : "");
    if (q == l->lane)
      print_lane(l);
    else if (level[0])
      print_shifted(l->out, level, by);
    else
      text_printf(l->out, "%" PRId64, by);
  }
  end_line(l);
}

/* Of a pass over these levels. */
static void print_others(const lanes *l, int depth, const char *verb, int64_t from, int64_t to)
{
  for (int i = 0; i < l->others; i++) {
    const other_read *o = &l->other[i];
    bool some = o->from > from || o->to < to - 1;
    if (!is_read(o, from, to))
      continue;
    if (some)
      text_printf(l->out, "%*sif (%" PRId64 " <= %s) * (%s <= %" PRId64 ") {\n", 2 * depth, "", o->from, l->name->level,
                  l->name->level, o->to);
    begin_line(l, depth + some, verb, o->array);
    for (int q = 0; q < l->s->g->array[o->array].rank; q++) {
      int64_t times = o->at[q].coef[l->level];
      text times_level = { 0 };
      text_add(l->out, q ? ", " : "");
      if (times)
        text_printf(&times_level, times == 1 ? "%s" : "%s*%" PRId64, l->name->level, times);
      if (q == o->lane)
        print_lane(l);
      else if (times)
        print_shifted(l->out, text_str(&times_level), o->at[q].base);
      else
        text_printf(l->out, "%" PRId64, o->at[q].base);
      text_clear(&times_level);
    }
    end_line(l);
    if (some)
      text_printf(l->out, "%*s}\n", 2 * depth, "");
  }
}

static void print_pass(const lanes *l, int64_t from, int64_t to)
{
  int depth = l->stride == 1 ? 1 : 2;
  const char *level = l->name->level;
  if (l->stride == 1)
    text_printf(l->out, "for %s in %" PRId64 "..%" PRId64 " by %" PRId64 " {\n", l->name->block, l->first,
                l->first + l->n, l->size);
  else
    text_printf(l->out, "for %s in %" PRId64 " {\n  for %s in %" PRId64 " {\n", l->name->high,
                l->n / (l->size * l->stride), l->name->low, l->stride);
  print_level(l, depth, "load", "", from - 1);
  text_printf(l->out, "%*sfor %s in %" PRId64 "..%" PRId64 " {\n", 2 * depth, "", level, from, to);
  print_others(l, depth + 1, "load", from, to);
  print_level(l, depth + 1, "compute", level, 0);
  print_level(l, depth + 1, "drop", level, -1);
  print_others(l, depth + 1, "drop", from, to);
  bool some = l->stored > from && l->stored < to - 1;
  if (some)
    text_printf(l->out, "%*sif (%" PRId64 " <= %s) {\n", 2 * (depth + 1), "", l->stored, level);
  if (l->stored < to - 1)
    print_level(l, depth + 1 + some, "store", level, 0);
  if (some)
    text_printf(l->out, "%*s}\n", 2 * (depth + 1), "");
  text_printf(l->out, "%*s}\n", 2 * depth, "");
  if (l->stored >= to - 1)
    print_level(l, depth, "store", "", to - 1);
  print_level(l, depth, "drop", "", to - 1);
  while (depth-- > 0)
    text_printf(l->out, "%*s}\n", 2 * depth, "");
}

bool tiler_lanes(const tiler_shape *s, int array, int level, double m, const lanes_names *names, text *out)
{
  text body = { 0 };
  lanes l = { .s = s, .name = names, .array = array, .level = level, .lane = !level, .good = true, .out = &body };
  if (level > 1 || !find_reads(&l))
    return false;
  l.up = MEM_NEW(uint32_t, (size_t)l.n);
  text_printf(&body, "# lanes of %s in closed blocks, which go through several levels on chip\n", array_of(&l)->name);
  for (int64_t from = l.lo, to; from < l.hi && l.good; from = to) {
    to = pass_end(&l, from, m);
    l.good = l.good && to > from;
    if (l.good)
      print_pass(&l, from, to);
  }
  if (l.good)
    text_add(out, text_str(&body));
  mem_free(l.up);
  text_clear(&body);
  return l.good;
}
