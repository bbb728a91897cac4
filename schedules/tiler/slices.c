#include "schedules/tiler/slices.h"
#include "base/mem.h"
#include "schedules/language/parse.h"
#include "schedules/tiler/nests/words.h"
#include "schedules/tiler/within.h"
#include <stdio.h>
#include <limits.h>
#include <string.h>

bool tiler_slices_init(tiler_slices *s, const cdag *g)
{
  *s = (tiler_slices){ .given = g };
  while (s->n < TILER_UNITED && cdag_unite(tiler_slices_whole(s), &s->step[s->n]))
    s->n++;
  return s->n > 0;
}

void tiler_slices_clear(tiler_slices *s)
{
  for (int k = 0; k < s->n; k++)
    cdag_united_clear(&s->step[k]);
}

static const cdag *united(const tiler_slices *s) { return s->n ? s->step[s->n - 1].g : s->given; }

const cdag *tiler_slices_whole(const tiler_slices *s) { return s->cut ? s->cut->g : united(s); }

/* ---- one step back ---- */

typedef struct {
  const cdag *g, *from;        /* what is written is of g: the slices, or the arrays that were cut */
  const cdag_united *u;        /* how from was made of it; or */
  const cdag_cut *cut;         /* or */
  const cdag_respelled *r;
  tiler_walks *walks;
  respelled_clips clips;
  const schedule *s;           /* of from */
  const char *source, *at;     /* written up to there */
  text *out;
} writer;

static const char *whole_name(const writer *w) { return w->g->array[w->u->slice[0].array].name; }
static bool is_whole(const writer *w, const schedule_box *b)
{
  return w->u && strcmp(w->from->array[b->array].name, whole_name(w)) == 0;
}
/* The index along which its array was cut, or -1. */
static int cut_index(const writer *w, const schedule_box *b) { return w->cut ? w->cut->index[b->array] : -1; }
/* The array of g that has this name, or is cut in parts of which this is one. */
static int array_of(const writer *w, const schedule_box *b)
{
  return w->cut ? w->cut->of[b->array]
         : w->r ? w->r->of[b->array] : cdag_find_array(w->g, w->from->array[b->array].name);
}

/* ---- ranges ---- */

static bool is_value(const schedule_index *x) { return x->kind == CDAG_AT && x->loop < 0; }

static void print_index(const writer *w, const schedule_index *x, text *out)
{
  if (x->kind == CDAG_ALL)
    text_char(out, '*');
  else if (x->loop >= 0)
    text_add(out, w->s->loop[x->loop].name);
  else
    expr_print(out, x->lo);
  if (x->kind == CDAG_RANGE) {
    text_add(out, "..");
    expr_print(out, x->hi);
  }
}

static void and_also(text *condition) { text_add(condition, condition->n ? " * " : ""); }

static bool says_always(const expr *end, const char *value)
{
  text e = { 0 };
  if (end->op == EXPR_ADD && end->arg[1]->op == EXPR_CONST && end->arg[1]->value > 0)
    expr_print(&e, end->arg[0]);
  bool always = e.n && strcmp(text_str(&e), value) == 0; /* value < value + 1 */
  text_clear(&e);
  return always;
}

/* Is that value at least each lower end, or below each upper end? */
static void print_beside(const char *value, const expr *end, bool hi, text *condition)
{
  if (end->op == (hi ? EXPR_MIN : EXPR_MAX)) {
    for (int i = 0; i < end->nargs; i++)
      print_beside(value, end->arg[i], hi, condition);
    return;
  }
  if (hi && says_always(end, value))
    return;
  and_also(condition);
  text_printf(condition, hi ? "(%s < " : "(%s >= ", value);
  expr_print(condition, end);
  text_char(condition, ')');
}

/* Is that value in the range? */
static void print_inside(const writer *w, const char *value, const schedule_index *x, text *condition)
{
  text own = { 0 };
  if (x->kind == CDAG_RANGE) {
    print_beside(value, x->lo, false, condition);
    print_beside(value, x->hi, true, condition);
  } else if (x->kind == CDAG_AT && x->loop >= 0) {
    const char *name = w->s->loop[x->loop].name;
    and_also(condition);
    text_printf(condition, "(%s >= lo(%s)) * (%s < hi(%s))", value, name, value, name);
  } else if (is_value(x)) {
    expr_print(&own, x->lo);
    if (strcmp(text_str(&own), value) != 0) {
      and_also(condition);
      text_printf(condition, "(%s == %s)", text_str(&own), value);
    }
  }
  text_clear(&own);
}

static void print_end(const writer *w, const schedule_index *x, bool hi, text *out)
{
  if (x->loop >= 0 && x->kind == CDAG_AT)
    text_printf(out, "%s(%s)", hi ? "hi" : "lo", w->s->loop[x->loop].name);
  else
    expr_print(out, hi && x->kind == CDAG_RANGE ? x->hi : x->lo);
  if (hi && is_value(x))
    text_add(out, "+1");
}

/* The greatest lower or the least upper end of ranges. */
static void print_common_end(const writer *w, const schedule_index *const *x, int n, bool hi, text *out)
{
  text ends = { 0 };
  for (int k = 0; k < n; k++) {
    text_add(&ends, k ? ", " : "");
    print_end(w, x[k], hi, &ends);
  }
  text_printf(out, n > 1 ? "%s(%s)" : "%s%s", n > 1 ? hi ? "min" : "max" : "", text_str(&ends));
  text_clear(&ends);
}

/* What variable v of a slice takes: what all indices of the whole that it stands at have in common.  One value, under a
   condition, or, where there is to be none, a range. */
static void print_variable(const writer *w, const cdag_slice *slice, const schedule_box *b, int v, text *out,
                           text *condition)
{
  const schedule_index *some[CDAG_RANK], *value = NULL;
  int n = 0;
  for (int q = 0; q < b->indices; q++) {
    const schedule_index *x = &b->index[q];
    if (slice->at[q] != v)
      continue;
    if (n && some[n - 1]->kind == CDAG_ALL)
      n--;
    if (n == 0 || x->kind != CDAG_ALL)
      some[n++] = x;
    value = !value && condition && is_value(x) ? x : value;
  }
  if (n == 0)
    text_printf(out, "%lld", (long long)slice->own[v]);
  else if (n == 1)
    print_index(w, some[0], out);
  else if (value) {
    text e = { 0 };
    expr_print(&e, value->lo);
    for (int k = 0; k < n; k++)
      if (some[k] != value)
        print_inside(w, text_str(&e), some[k], condition);
    text_add(out, text_str(&e));
    text_clear(&e);
  } else {
    print_common_end(w, some, n, false, out);
    text_add(out, "..");
    print_common_end(w, some, n, true, out);
  }
}

/* ---- boxes ---- */

/* Known to be another value, whatever the loops are at? */
static bool is_elsewhere(const writer *w, const schedule_index *x, int64_t value)
{
  expr_env env = { w->g->param_value, w->g->table };
  int64_t own;
  return is_value(x) && !expr_uses(x->lo, w->g->params, INT_MAX) && expr_eval(x->lo, &env, &own, NULL) == EXPR_OK &&
         own != value;
}

/* The slice's part of the box; the condition under which there is one, unless it is NULL.  False: there is none. */
static bool print_slice(const writer *w, const cdag_slice *slice, const schedule_box *b, text *out, text *condition)
{
  const cdag_array *a = &w->g->array[slice->array];
  text_add(out, a->name);
  for (int v = 0; v < a->rank && !b->whole; v++) {
    text_char(out, v ? ',' : '[');
    print_variable(w, slice, b, v, out, condition);
  }
  text_add(out, b->whole ? "" : "]");
  for (int q = 0; q < b->indices && condition; q++)
    if (slice->at[q] < 0) {
      text value = { 0 };
      if (is_elsewhere(w, &b->index[q], slice->value[q]))
        return false;
      text_printf(&value, "%lld", (long long)slice->value[q]);
      print_inside(w, text_str(&value), &b->index[q], condition);
      text_clear(&value);
    }
  return true;
}

/* May an index lie outside of the part, where its array has elements?  A loop's variable walks the part alone. */
static bool is_loose(const writer *w, const schedule_index *x)
{
  int loops = w->from->params + 1 + w->s->params;
  return x->loop < 0 && x->lo->op != EXPR_SLOT &&
         (expr_uses(x->lo, loops, INT_MAX) || (x->hi && expr_uses(x->hi, loops, INT_MAX)));
}

/* E, or E + 2, and so much more. */
static void print_sum(const expr *e, int64_t by, text *out)
{
  bool sum = (e->op == EXPR_ADD || e->op == EXPR_SUB) && e->arg[1]->op == EXPR_CONST;
  if (sum)
    by += e->op == EXPR_ADD ? e->arg[1]->value : -e->arg[1]->value;
  expr_print(out, sum ? e->arg[0] : e);
  if (by)
    text_printf(out, by < 0 ? " - %lld" : " + %lld", (long long)(by < 0 ? -by : by));
}

/* An index, and so much more. */
static void print_shifted_index(const writer *w, const schedule_index *x, int64_t by, text *out)
{
  if (x->kind == CDAG_ALL)
    text_char(out, '*');
  else if (x->kind == CDAG_AT && x->loop >= 0)
    text_printf(out, "lo(%s) + %lld..hi(%s) + %lld", w->s->loop[x->loop].name, (long long)by, w->s->loop[x->loop].name,
                (long long)by);
  else {
    print_sum(x->lo, by, out);
    text_add(out, x->kind == CDAG_RANGE ? ".." : "");
    if (x->kind == CDAG_RANGE)
      print_sum(x->hi, by, out);
  }
}

/* The box of a part that is delayed, or (above) of a diagonal, which has an index less. */
static void print_later_box(const writer *w, const schedule_box *b, text *out)
{
  const cdag_cut *c = w->cut;
  int at = c->index[b->array], gone = c->above[b->array] ? at : INT_MAX;
  for (int q = 0; q < b->indices + (gone < INT_MAX); q++) {
    text_add(out, q ? "," : "[");
    if (q == gone)
      print_shifted_index(w, &b->index[c->beside - (c->beside > gone)], c->by, out);
    else if (q == at)
      print_shifted_index(w, &b->index[q], -c->later, out);
    else
      print_index(w, &b->index[q - (q > gone)], out);
  }
  text_char(out, ']');
}

/* An index of a part as one of its array's: what lies outside of the part falls away as well. */
static void print_cut_index(const writer *w, int part, const schedule_index *x, text *out)
{
  const cdag_array *a = &w->from->array[part];
  int q = w->cut->index[part];
  bool all = x->kind == CDAG_ALL, loose = !all && is_loose(w, x);
  if (!all && !loose) {
    print_index(w, x, out);
    return;
  }
  text_add(out, loose && w->cut->above[part] ? "max(" : "");
  expr_print(out, all ? a->lo[q] : x->lo);
  if (loose && w->cut->above[part])
    text_printf(out, ", %s)", w->cut->place);
  text_add(out, "..");
  text_add(out, loose && !w->cut->above[part] ? "min(" : "");
  expr_print(out, all ? a->hi[q] : x->kind == CDAG_RANGE ? x->hi : x->lo);
  text_add(out, !all && x->kind == CDAG_AT ? "+1" : "");
  if (loose && !w->cut->above[part])
    text_printf(out, ", %s)", w->cut->place);
}

static void print_box(const writer *w, const schedule_box *b, text *out)
{
  text_add(out, w->g->array[array_of(w, b)].name);
  if (cut_index(w, b) >= 0 && w->cut->later && !b->whole) {
    print_later_box(w, b, out);
    return;
  }
  for (int q = 0; q < b->indices && !b->whole; q++) {
    text_char(out, q ? ',' : '[');
    if (q == cut_index(w, b))
      print_cut_index(w, b->array, &b->index[q], out);
    else
      print_index(w, &b->index[q], out);
  }
  text_add(out, b->whole ? "" : "]");
}

/* Does that drop name the other part of the same array? */
static bool is_sibling(const writer *w, const schedule_box *b, const schedule_box *drop)
{
  return drop->whole && drop->array != b->array && array_of(w, drop) == array_of(w, b);
}

/* Of a part no more may go than that part: all of its array only where the other is not read, or goes too.  False: it
   has been named with the other. */
static bool print_dropped_part(const writer *w, const schedule_node *n, const schedule_box *computed, int drop,
                               text *out)
{
  const schedule_box *b = &n->drop[drop];
  const cdag_array *a = &w->from->array[b->array];
  bool alone = false, other = false;
  for (int x = 0; x < w->from->arrays; x++)
    alone = alone ||
            (x != b->array && w->cut->of[x] == array_of(w, b) && schedule_may_drop(w->from, computed->array, x));
  for (int i = 0; i < n->drops; i++) {
    bool sibling = is_sibling(w, b, &n->drop[i]);
    if (sibling && i < drop)
      return false;
    other = other || sibling;
  }
  schedule_box part = *b;
  part.whole = !alone || other;
  part.indices = a->rank;
  for (int q = 0; q < a->rank; q++)
    part.index[q] = (schedule_index){ .kind = CDAG_ALL, .loop = -1 };
  print_box(w, &part, out);
  return true;
}

/* What a computed array drops: no more than its predecessors, so a step too many does no harm. */
static void print_drops(const writer *w, const schedule_node *n, const schedule_box *computed, int as, text *out)
{
  const char *between = " dropping ";
  for (int i = 0; i < n->drops; i++) {
    const schedule_box *b = &n->drop[i];
    bool whole = is_whole(w, b), part = cut_index(w, b) >= 0 && b->whole;
    for (int k = 0; k < (whole ? w->u->slices : 1); k++) {
      int array = whole ? w->u->slice[k].array : array_of(w, b);
      SCOPED_TEXT box = { 0 };
      if (!schedule_may_drop(w->g, as, array) || (part && !print_dropped_part(w, n, computed, i, &box)))
        continue;
      if (whole)
        print_slice(w, &w->u->slice[k], b, &box, NULL);
      else if (!part)
        print_box(w, b, &box);
      text_printf(out, "%s%s", between, text_str(&box));
      between = ", ";
    }
  }
}

/* ---- respelled boxes ---- */

typedef struct { expr *lo, *hi; } respelled_ends; /* hi NULL: one value; both: everything */

/* An end of the array's own range where its other indices are those of the box; NULL: it is not told. */
static expr *range_end(const writer *w, const schedule_box *b, const expr *e)
{
  int v = e->op == EXPR_SLOT ? e->slot - w->from->params : -1;
  if (v >= 0)
    return v < b->indices && is_value(&b->index[v]) ? expr_copy(b->index[v].lo) : NULL;
  expr *own = expr_copy(e);
  for (int i = 0; i < e->nargs && own; i++) {
    expr_free(own->arg[i]);
    own->arg[i] = range_end(w, b, e->arg[i]);
    if (!own->arg[i]) {
      expr_free(own);
      return NULL;
    }
  }
  return own;
}

/* The range of index r beside the box's other indices, or the hull's. */
static void range_of(const writer *w, const schedule_box *b, int r, respelled_ends *x)
{
  const cdag_array *a = &w->from->array[b->array];
  x->lo = range_end(w, b, a->lo[r]);
  x->hi = range_end(w, b, a->hi[r]);
  x->lo = x->lo ? x->lo : expr_const(a->hull.lo[r]);
  x->hi = x->hi ? x->hi : expr_const(a->hull.hi[r]);
}

static expr *loop_end(const writer *w, const schedule_index *x, bool hi)
{
  SCOPED_TEXT name = { 0 };
  text_printf(&name, "%s(%s)", hi ? "hi" : "lo", w->s->loop[x->loop].name);
  return expr_slot(0, text_str(&name));
}

static void ends_clear(respelled_ends *e)
{
  expr_free(e->lo);
  expr_free(e->hi);
}

/* Values, whatever the loops are at, that are some of its own? */
static bool is_known_within(const writer *w, const respelled_ends *own, const respelled_ends *x)
{
  expr_env env = { w->g->param_value, w->g->table };
  const expr *e[] = { own->lo, own->hi, x->lo, x->hi ? x->hi : x->lo };
  int64_t v[4];
  for (int i = 0; i < 4; i++)
    if (expr_uses(e[i], w->g->params, INT_MAX) || expr_eval(e[i], &env, &v[i], NULL) != EXPR_OK)
      return false;
  return v[0] <= v[2] && v[3] + !x->hi <= v[1];
}

/* Indices that the respelled array does not have fall away there; of the array given they may be another rule's. */
static void clip(const writer *w, const schedule_box *b, int r, respelled_ends *x)
{
  respelled_ends own;
  range_of(w, b, r, &own);
  if (is_known_within(w, &own, x)) {
    ends_clear(&own);
    return;
  }
  expr *hi = x->hi ? x->hi : expr_binary(EXPR_ADD, expr_copy(x->lo), expr_const(1));
  x->lo = expr_binary(EXPR_MAX, own.lo, x->lo);
  x->hi = expr_binary(EXPR_MIN, own.hi, hi);
}

static bool is_loose(const writer *w, const schedule_index *x);

/* Is its range cut since some lead to no output? */
static bool is_trimmed(const writer *w, const schedule_box *b, int r)
{
  bool any = false;
  for (size_t i = 0; i < w->r->trims.n; i++)
    any = any || (w->r->trims.of[i].array == w->r->of[b->array] && w->r->trims.of[i].index == r);
  return any;
}

/* Index r in the spelling given; walked: as a range, if it is no value. */
static respelled_ends ends_of(const writer *w, const schedule_box *b, int r, bool walked)
{
  const schedule_index *x = &b->index[r];
  const cdag_relabel *m = &w->r->index[b->array][r];
  bool part = w->r->part[b->array] >> r & 1, block = x->kind == CDAG_AT && x->loop >= 0;
  respelled_ends e = { 0 };
  if (x->kind == CDAG_ALL && !part && !walked)
    return e;
  if (x->kind == CDAG_ALL)
    range_of(w, b, r, &e);
  else {
    e.lo = block ? loop_end(w, x, false) : expr_copy(x->lo);
    e.hi = block ? loop_end(w, x, true) : x->hi ? expr_copy(x->hi) : NULL;
    if (part && !is_trimmed(w, b, r) && (w->clips == CLIPS_ALL || (w->clips == CLIPS_LOOSE && is_loose(w, x))))
      clip(w, b, r, &e);
  }
  expr *lo = cdag_respelled_value(m, m->turned && e.hi ? e.hi : e.lo, e.hi != NULL),
       *hi = e.hi ? cdag_respelled_value(m, m->turned ? e.lo : e.hi, 1) : NULL;
  expr_free(e.lo);
  expr_free(e.hi);
  return (respelled_ends){ lo, hi };
}

static void print_ends(const respelled_ends *e, text *out)
{
  if (!e->lo)
    text_char(out, '*');
  else
    expr_print(out, e->lo);
  if (e->hi) {
    text_add(out, "..");
    expr_print(out, e->hi);
  }
}

/* A loop's name that nothing has. */
static void name_step(const writer *w, int n, char *name)
{
  bool taken = true;
  for (int k = n; taken; k++) {
    snprintf(name, CDAG_NAME, k ? "step%d" : "step", k);
    taken = tiler_name_taken(w->g, name);
    for (int i = 0; i < w->s->loops; i++)
      taken = taken || strcmp(w->s->loop[i].name, name) == 0;
  }
}

/* Of the wide ones, those that loops walk.  A distance is told beside one value of what it is a distance from. */
static uint32_t walked_of(const writer *w, const schedule_box *b, const respelled_ends *ends, bool computes)
{
  uint32_t wide = 0, said = 0;
  for (int r = 0; r < b->indices; r++) {
    wide |= (uint32_t)(!ends[r].lo || ends[r].hi) << r;
    said |= (uint32_t)(ends[r].lo != NULL) << r;
  }
  uint32_t beside = tiler_beside(w->r, b->array, said) & wide;
  return computes ? tiler_walked(w->walks, b->array, wide, beside) : beside;
}

/* A loop over the index, and its variable in its place. */
static void open_walk(const writer *w, respelled_ends *e, bool turned, int *depth, text *loops)
{
  char name[CDAG_NAME];
  name_step(w, *depth, name);
  text_printf(loops, "for %s in ", name);
  print_ends(e, loops);
  text_add(loops, turned ? " reversed { " : " { ");
  ends_clear(e);
  *e = (respelled_ends){ .lo = expr_slot(0, name) };
  ++*depth;
}

static expr *times_plus(int64_t times, const expr *e, expr *more)
{
  expr *own = e->op == EXPR_CONST ? expr_const(times * e->value)
                                  : expr_binary(EXPR_MUL, expr_const(times), expr_copy(e));
  return more ? expr_binary(EXPR_ADD, own, more) : own;
}

/* Index e counts in steps of so many: of all values of a step, or of those that the index behind it has, *rest. */
static void lengthen(respelled_ends *e, int64_t times, const respelled_ends *rest)
{
  if (!e->lo)
    return;
  bool some = rest && rest->lo, one = some && !rest->hi;
  expr *past = e->hi ? times_plus(times, e->hi, NULL) : some && rest->hi ? times_plus(times, e->lo, expr_copy(rest->hi))
               : times_plus(times, e->lo, expr_const(times));
  expr *first = times_plus(times, e->lo, some ? expr_copy(rest->lo) : NULL);
  if (one) {
    expr_free(past);
    past = NULL;
  }
  ends_clear(e);
  *e = (respelled_ends){ first, past };
}

/* Of steps of a sum that are one the last is left. */
static void take_last(respelled_ends *e, int64_t times)
{
  expr *last = !e->lo ? expr_const(times - 1)
               : e->lo->op == EXPR_CONST ? expr_const(times * e->lo->value + times - 1)
                                       : times_plus(times, e->lo, expr_const(times - 1));
  ends_clear(e);
  *e = (respelled_ends){ .lo = last };
}

/* Steps beside some of their values only are walked one by one. */
static uint32_t walked_steps(const writer *w, const schedule_box *b, const respelled_ends *ends)
{
  uint32_t walked = 0;
  for (int r = 0; r + 1 < b->indices; r++)
    if (w->r->index[b->array][r].apart && (!ends[r].lo || ends[r].hi) && ends[r + 1].lo)
      walked |= 1u << r;
  return walked;
}

static void take_off(respelled_ends *e, const respelled_ends *value)
{
  e->lo = e->lo ? expr_binary(EXPR_SUB, e->lo, expr_copy(value->lo)) : NULL;
  e->hi = e->hi ? expr_binary(EXPR_SUB, e->hi, expr_copy(value->lo)) : NULL;
}

/* ---- what leads to no output is none of it ---- */

/* The next trim of the box's array from the i-th on; NULL: there are no more. */
static const cdag_trim *next_trim(const writer *w, const schedule_box *b, size_t *i)
{
  while (*i < w->r->trims.n) {
    const cdag_trim *t = &w->r->trims.of[(*i)++];
    if (t->array == w->r->of[b->array])
      return t;
  }
  return NULL;
}

static expr *plus_number(const expr *e, int64_t by)
{
  return cdag_respelled_value(&(cdag_relabel){ .by = by }, e, 0);
}

/* The last, or (lo) the first, value of a range. */
static expr *outmost(const respelled_ends *e, bool lo)
{
  return lo || !e->hi ? expr_copy(e->lo) : plus_number(e->hi, -1);
}

/* The corner of the box at which the trim says least; its indices that have more than one value. */
static uint32_t corner_of(const cdag_trim *t, const respelled_ends *ends, expr **corner)
{
  uint32_t wide = 0;
  for (int v = 0; v < t->index; v++) {
    corner[v] = !t->coef[v] ? NULL
                : ends[v].lo ? outmost(&ends[v], (t->coef[v] > 0) == t->hi) : expr_const(0);
    wide |= (uint32_t)(t->coef[v] && (!ends[v].lo || ends[v].hi)) << v;
  }
  return wide;
}

/* Does the trim cut nothing off?  Where that is not known, the condition for it. */
static bool cuts_nothing(const writer *w, const cdag_trim *t, const respelled_ends *own, const expr *end, text *inside)
{
  if (!own->lo) {
    text_add(inside, inside->n ? " * 0" : "0");
    return false;
  }
  expr *last = t->hi ? outmost(own, false) : expr_copy(own->lo);
  const expr *less = t->hi ? last : end, *more = t->hi ? end : last;
  expr *next = t->hi ? plus_number(less, 1) : expr_copy(less);
  bool nothing = tiler_at_most(w->s, next, more);
  if (!nothing) {
    text_add(inside, inside->n ? " * (" : "(");
    expr_print(inside, next);
    text_add(inside, " <= ");
    expr_print(inside, more);
    text_char(inside, ')');
  }
  expr_free(last);
  expr_free(next);
  return nothing;
}

/* Is all of the box there?  The condition for it, or nothing where that is known, or where it may be cut to what is
   there; the indices that are to be walked, so that it may. */
static uint32_t beyond_trims(const writer *w, const schedule_box *b, const respelled_ends *ends, text *inside)
{
  const cdag_trim *t;
  uint32_t walked = 0;
  for (size_t i = 0; (t = next_trim(w, b, &i));) {
    expr *corner[CDAG_RANK] = { NULL };
    uint32_t wide = corner_of(t, ends, corner);
    expr *end = cdag_trim_end(t, (const expr *const *)corner);
    if (wide && !cuts_nothing(w, t, &ends[t->index], end, inside))
      walked |= wide;
    expr_free(end);
    for (int v = 0; v < t->index; v++)
      expr_free(corner[v]);
  }
  return walked;
}

/* Index r cut to what is there, where the indices that say it have one value. */
static void cut_to_trims(const writer *w, const schedule_box *b, int r, respelled_ends *ends)
{
  const cdag_trim *t;
  for (size_t i = 0; (t = next_trim(w, b, &i));) {
    const expr *value[CDAG_RANK] = { NULL };
    bool told = t->index == r && ends[r].lo;
    for (int v = 0; v < t->index; v++) {
      value[v] = ends[v].lo;
      told = told && (!t->coef[v] || (ends[v].lo && !ends[v].hi));
    }
    if (!told)
      continue;
    expr *end = cdag_trim_end(t, value), *own = t->hi ? outmost(&ends[r], false) : ends[r].lo,
         *next = plus_number(own, t->hi);
    bool nothing = t->hi ? tiler_at_most(w->s, next, end) : tiler_at_most(w->s, end, next);
    expr_free(next);
    if (t->hi)
      expr_free(own);
    if (nothing) {
      expr_free(end);
      continue;
    }
    if (!ends[r].hi)
      ends[r].hi = expr_binary(EXPR_ADD, expr_copy(ends[r].lo), expr_const(1));
    expr **cut = t->hi ? &ends[r].hi : &ends[r].lo;
    *cut = expr_binary(t->hi ? EXPR_MIN : EXPR_MAX, *cut, end);
  }
}

/* loops: those that walk indices in which a box would go the wrong way, or beside which others are told.  Where there
   are none to be written (NULL) all of the array is said: what an element that is computed drops is what it reads. */
static void print_respelled(const writer *w, const schedule_box *b, bool computes, text *inside, text *loops,
                            int *depth, text *out)
{
  const cdag_relabel *m = w->r->index[b->array];
  respelled_ends ends[CDAG_RANK];
  int n = b->whole ? 0 : b->indices;
  for (int r = 0; r < n; r++)
    ends[r] = ends_of(w, b, r, false);
  uint32_t walked = n ? walked_of(w, b, ends, computes) | walked_steps(w, b, ends) : 0;
  if (inside && n)
    walked |= beyond_trims(w, b, ends, inside);
  bool whole = n == 0 || (walked && !loops);
  text_add(out, w->g->array[w->r->of[b->array]].name);
  for (int r = 0; r < n && !whole; r++) {
    text_char(out, r ? ',' : '[');
    if (walked >> r & 1) {
      ends_clear(&ends[r]);
      ends[r] = ends_of(w, b, r, true);
      open_walk(w, &ends[r], m[r].turned, depth, loops);
    }
    if (m[r].beside && ends[r].lo)
      take_off(&ends[r], &ends[m[r].beside - 1]);
    if (inside)
      cut_to_trims(w, b, r, ends);
    bool one = !ends[r].hi && (ends[r].lo || w->from->array[b->array].hull.hi[r] == 1);
    if (m[r].times && (m[r].apart || computes || !one))
      lengthen(&ends[r], m[r].times, m[r].apart ? &ends[r + 1] : NULL);
    if (m[r].times && !m[r].apart && computes && ends[r].lo && loops) /* at one step a quotient is one value */
      open_walk(w, &ends[r], false, depth, loops);
    else if (m[r].times && !m[r].apart && !computes && one)
      take_last(&ends[r], m[r].times);
    print_ends(&ends[r], out);
    r += m[r].apart;
  }
  for (int r = 0; r < n; r++)
    ends_clear(&ends[r]);
  text_add(out, whole ? "" : "]");
}

/* Does all go that is read of any rule of the array?  Then the array says it once; before: an earlier drop has. */
static bool goes_whole(const writer *w, const schedule_node *n, const schedule_box *computed, int drop, bool *before)
{
  int of = w->r->of[n->drop[drop].array];
  bool whole = true;
  *before = false;
  for (int x = 0; x < w->from->arrays && whole; x++) {
    bool gone = w->r->of[x] != of || !schedule_may_drop(w->from, computed->array, x);
    for (int i = 0; i < n->drops; i++)
      if (n->drop[i].array == x && n->drop[i].whole && w->r->of[x] == of) {
        gone = true;
        *before = *before || i < drop;
      }
    whole = whole && gone;
  }
  return whole;
}

/* Is it a box of inputs beside one of what is computed from them, both of one array?  That one begins with the inputs,
   as a rule, and where no two boxes of an array go, steps are alike.  Where it does not begin with them the text is
   refused, and boxes are cut and said. */
static bool goes_with_versions(const writer *w, const schedule_node *n, const schedule_box *computed, int drop)
{
  const schedule_box *b = &n->drop[drop];
  bool inputs = w->clips == CLIPS_NONE && !b->whole && !w->from->array[b->array].terms, goes = false;
  for (int i = 0; i < n->drops && inputs; i++) {
    const schedule_box *x = &n->drop[i];
    goes = goes || (!x->whole && x->array != b->array && w->r->of[x->array] == w->r->of[b->array] &&
                    schedule_may_drop(w->from, computed->array, x->array));
  }
  return goes;
}

static void print_respelled_drops(const writer *w, const schedule_node *n, const schedule_box *computed, text *out)
{
  const char *between = " dropping ";
  int as = w->r->of[computed->array];
  for (int i = 0; i < n->drops; i++) {
    schedule_box b = n->drop[i];
    bool before = false, whole = b.whole && goes_whole(w, n, computed, i, &before);
    if (!schedule_may_drop(w->from, computed->array, b.array) || !schedule_may_drop(w->g, as, w->r->of[b.array]) ||
        (whole && before) || goes_with_versions(w, n, computed, i))
      continue;
    if (b.whole && !whole) { /* of other rules nothing may go */
      b.whole = false;
      b.indices = w->from->array[b.array].rank;
      for (int q = 0; q < b.indices; q++)
        b.index[q] = (schedule_index){ .kind = CDAG_ALL, .loop = -1 };
    }
    text_add(out, between);
    print_respelled(w, &b, false, NULL, NULL, NULL, out);
    between = ", ";
  }
}

/* One box, in the loops that walk it.  False: it is `VERB BOX`, without the verb where it goes with the one before. */
static bool print_one(const writer *w, const schedule_node *n, int i, text *inside, bool verb, text *out)
{
  SCOPED_TEXT loops = { 0 };
  SCOPED_TEXT box = { 0 };
  int depth = 0;
  print_respelled(w, &n->box[i], n->move == PEBBLE_COMPUTE, inside, &loops, &depth, &box);
  if (n->move == PEBBLE_COMPUTE)
    print_respelled_drops(w, n, &n->box[i], &box);
  verb = verb || loops.n > 0;
  text_printf(out, "%s%s%s%s", text_str(&loops), verb ? pebble_kind_name(n->move) : "", verb ? " " : "",
              text_str(&box));
  for (; depth > 0; depth--)
    text_add(out, " }");
  return loops.n > 0;
}

static void print_respelled_move(const writer *w, const schedule_node *n, const char *between, text *out)
{
  bool looped = false;
  for (int i = 0; i < n->boxes; i++) {
    SCOPED_TEXT inside = { 0 };
    SCOPED_TEXT one = { 0 };
    SCOPED_TEXT whole = { 0 };
    bool apart = n->move == PEBBLE_COMPUTE || i == 0 || looped, trims = w->clips == CLIPS_ALL && w->r->trims.n;
    looped = print_one(w, n, i, trims ? &inside : NULL, apart, &one);
    if (inside.n)
      print_one(w, n, i, NULL, true, &whole);
    text_add(out, i == 0 ? "" : apart || looped ? between : ", ");
    text_printf(out, inside.n ? "if %s { %s } else { %s }" : "%s%s%s", text_str(&inside), text_str(&whole),
                text_str(&one));
  }
}

/* ---- moves ---- */

static void print_part(const writer *w, const schedule_node *n, const schedule_box *b, const cdag_slice *slice,
                       const char *between, text *out)
{
  text box = { 0 }, condition = { 0 };
  int array = slice ? slice->array : array_of(w, b);
  bool there = !slice || print_slice(w, slice, b, &box, &condition);
  if (!slice)
    print_box(w, b, &box);
  if (n->move == PEBBLE_COMPUTE)
    print_drops(w, n, b, array, &box);
  if (there) {
    text_add(out, out->n ? between : "");
    text_printf(out, condition.n ? "if %s { %s %s }" : "%s%s %s", text_str(&condition), pebble_kind_name(n->move),
                text_str(&box));
  }
  text_clear(&box);
  text_clear(&condition);
}

/* A slice that sums begin with comes before the others. */
static void print_move(const writer *w, const schedule_node *n, const char *between, text *out)
{
  if (w->r) {
    print_respelled_move(w, n, between, out);
    return;
  }
  for (int i = 0; i < n->boxes && w->cut && n->move != PEBBLE_COMPUTE; i++) {
    text_printf(out, "%s", i ? ", " : pebble_kind_name(n->move));
    text_add(out, i ? "" : " ");
    print_box(w, &n->box[i], out);
  }
  if (out->n)
    return;
  for (int i = 0; i < n->boxes; i++)
    for (int k = is_whole(w, &n->box[i]) ? w->u->slices - 1 : 0; k >= 0; k--)
      print_part(w, n, &n->box[i], is_whole(w, &n->box[i]) ? &w->u->slice[k] : NULL, between, out);
}

static bool speaks_of_whole(const writer *w, const schedule_node *n)
{
  bool any = w->r != NULL;
  for (int i = 0; i < n->boxes; i++)
    any = any || is_whole(w, &n->box[i]) || cut_index(w, &n->box[i]) >= 0;
  for (int i = 0; i < n->drops; i++)
    any = any || is_whole(w, &n->drop[i]) || cut_index(w, &n->drop[i]) >= 0;
  return any;
}

static const char *place_of(const writer *w, int line, int column)
{
  const char *s = w->source;
  for (int k = 1; k < line; k++)
    s = strchr(s, '\n') + 1;
  return s + column - 1;
}

/* Behind a box's last bracket. */
static const char *end_of(const writer *w, const schedule_box *b)
{
  const char *s = place_of(w, b->line, b->column);
  s += strcspn(s, b->whole ? " ,\n}#" : "[");
  for (int depth = 0; !b->whole; s++) {
    depth += (*s == '[') - (*s == ']');
    if (depth == 0)
      return s + 1;
  }
  return s;
}

/* The line's indent where the move is alone on its line, else one space. */
static void find_between(const writer *w, const char *from, text *between)
{
  const char *line = from;
  while (line > w->source && line[-1] != '\n')
    line--;
  bool alone = strspn(line, " ") >= (size_t)(from - line);
  text_add(between, alone ? "\n" : " ");
  if (alone)
    text_add_n(between, line, (size_t)(from - line));
}

/* What stands between moves; in comments, where names of arrays stand, that of a part is its array's, said once. */
static void write_between(writer *w, const char *to)
{
  static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  int last = -1;
  while (w->at < to) {
    size_t n = strspn(w->at, letters), comma = strncmp(w->at, ", ", 2) == 0 ? 2 : 0;
    char *word = mem_text_n(w->at + comma, n || comma ? strspn(w->at + comma, letters) : 1);
    const int *of = w->cut ? w->cut->of : w->r ? w->r->of : NULL;
    int part = of && (n || comma) ? cdag_find_array(w->from, word) : -1, array = part < 0 ? -1 : of[part];
    if (!(comma && array >= 0 && array == last))
      text_printf(w->out, "%s%s", comma ? ", " : "", array >= 0 ? w->g->array[array].name : word);
    w->at += comma + strlen(word);
    last = array;
    mem_free(word);
  }
}

static void write_move(writer *w, const schedule_node *n)
{
  text moved = { 0 }, between = { 0 };
  const char *from = place_of(w, n->line, n->column);
  find_between(w, from, &between);
  print_move(w, n, text_str(&between), &moved);
  write_between(w, from);
  text_add(w->out, text_str(&moved));
  w->at = end_of(w, n->drops ? &n->drop[n->drops - 1] : &n->box[n->boxes - 1]);
  text_clear(&moved);
  text_clear(&between);
}

static void write_node(writer *w, const schedule_node *n)
{
  for (int i = 0; i < n->children; i++)
    write_node(w, n->child[i]);
  if (n->kind == SCHEDULE_MOVE && speaks_of_whole(w, n))
    write_move(w, n);
}

/* The place where arrays were cut is a parameter of the schedule, in the line behind the title. */
static void write_place(writer *w)
{
  const char *title = strchr(w->source, '\n') + 1;
  write_between(w, title);
  text_printf(w->out, "param %s = %lld\n", w->cut->place,
              (long long)w->from->param_value[cdag_find_param(w->from, w->cut->place)]);
}

static bool step_back(writer *w, uint64_t m, text *source)
{
  schedule *s = NULL;
  diag d = { 0 };
  text out = { 0 };
  if (schedule_parse(&s, w->from, m, "found.sched", text_str(source), "", &d) != OK)
    return false;
  w->s = s;
  w->source = w->at = text_str(source);
  w->out = &out;
  if (w->cut && !w->cut->later)
    write_place(w);
  write_node(w, s->body);
  write_between(w, w->source + strlen(w->source));
  schedule_free(s);
  text_clear(source);
  *source = out;
  return true;
}

bool tiler_slices_text(const tiler_slices *s, uint64_t m, text *source)
{
  bool good = !s->cut || step_back(&(writer){ .g = united(s), .from = s->cut->g, .cut = s->cut }, m, source);
  for (int k = s->n - 1; k >= 0 && good; k--)
    good = step_back(&(writer){ .g = k ? s->step[k - 1].g : s->given, .from = s->step[k].g, .u = &s->step[k] }, m,
                     source);
  return good;
}

bool tiler_respelled_text(tiler_walks *walks, uint64_t m, respelled_clips clips, text *source)
{
  const cdag_respelled *r = walks->r;
  return step_back(&(writer){ .g = r->given, .from = r->g, .r = r, .walks = walks, .clips = clips }, m, source);
}
