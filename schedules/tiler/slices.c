#include "schedules/tiler/slices.h"
#include "base/mem.h"
#include "schedules/language/parse.h"
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

const cdag *tiler_slices_whole(const tiler_slices *s) { return s->n ? s->step[s->n - 1].g : s->given; }

/* ---- one step back ---- */

typedef struct {
  const cdag *g;               /* of the slices */
  const cdag_united *u;
  const schedule *s;           /* of the whole */
  const char *source, *at;     /* written up to there */
  text *out;
} writer;

static const char *whole_name(const writer *w) { return w->g->array[w->u->slice[0].array].name; }
static bool is_whole(const writer *w, const schedule_box *b)
{
  return strcmp(w->u->g->array[b->array].name, whole_name(w)) == 0;
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

static void print_box(const writer *w, const schedule_box *b, text *out)
{
  text_add(out, w->u->g->array[b->array].name);
  for (int q = 0; q < b->indices && !b->whole; q++) {
    text_char(out, q ? ',' : '[');
    print_index(w, &b->index[q], out);
  }
  text_add(out, b->whole ? "" : "]");
}

/* What a computed array drops: no more than its predecessors, so a step too many does no harm. */
static void print_drops(const writer *w, const schedule_node *n, int computed, text *out)
{
  const char *between = " dropping ";
  for (int i = 0; i < n->drops; i++) {
    const schedule_box *b = &n->drop[i];
    bool whole = is_whole(w, b);
    for (int k = 0; k < (whole ? w->u->slices : 1); k++) {
      int array = whole ? w->u->slice[k].array : cdag_find_array(w->g, w->u->g->array[b->array].name);
      if (!schedule_may_drop(w->g, computed, array))
        continue;
      text_add(out, between);
      between = ", ";
      if (whole)
        print_slice(w, &w->u->slice[k], b, out, NULL);
      else
        print_box(w, b, out);
    }
  }
}

/* ---- moves ---- */

static void print_part(const writer *w, const schedule_node *n, const schedule_box *b, const cdag_slice *slice,
                       const char *between, text *out)
{
  text box = { 0 }, condition = { 0 };
  int array = slice ? slice->array : cdag_find_array(w->g, w->u->g->array[b->array].name);
  bool there = !slice || print_slice(w, slice, b, &box, &condition);
  if (!slice)
    print_box(w, b, &box);
  if (n->move == PEBBLE_COMPUTE)
    print_drops(w, n, array, &box);
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
  for (int i = 0; i < n->boxes; i++)
    for (int k = is_whole(w, &n->box[i]) ? w->u->slices - 1 : 0; k >= 0; k--)
      print_part(w, n, &n->box[i], is_whole(w, &n->box[i]) ? &w->u->slice[k] : NULL, between, out);
}

static bool speaks_of_whole(const writer *w, const schedule_node *n)
{
  bool any = false;
  for (int i = 0; i < n->boxes; i++)
    any = any || is_whole(w, &n->box[i]);
  for (int i = 0; i < n->drops; i++)
    any = any || is_whole(w, &n->drop[i]);
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

static void write_move(writer *w, const schedule_node *n)
{
  text moved = { 0 }, between = { 0 };
  const char *from = place_of(w, n->line, n->column);
  find_between(w, from, &between);
  print_move(w, n, text_str(&between), &moved);
  text_add_n(w->out, w->at, (size_t)(from - w->at));
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

static bool step_back(const cdag *given, const cdag_united *u, uint64_t m, text *source)
{
  schedule *s = NULL;
  diag d = { 0 };
  text out = { 0 };
  if (schedule_parse(&s, u->g, m, "found.sched", text_str(source), "", &d) != OK)
    return false;
  writer w = { .g = given, .u = u, .s = s, .source = text_str(source), .at = text_str(source), .out = &out };
  write_node(&w, s->body);
  text_add(&out, w.at);
  schedule_free(s);
  text_clear(source);
  *source = out;
  return true;
}

bool tiler_slices_text(const tiler_slices *s, uint64_t m, text *source)
{
  bool good = true;
  for (int k = s->n - 1; k >= 0 && good; k--)
    good = step_back(k ? s->step[k - 1].g : s->given, &s->step[k], m, source);
  return good;
}
