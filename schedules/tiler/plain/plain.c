#include "schedules/tiler/plain/plain.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/circle.h"
#include "schedules/tiler/lanes.h"
#include "schedules/tiler/part.h"
#include "schedules/tiler/split.h"
#include "schedules/tiler/stay.h"
#include "schedules/tiler/words.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By array: how it is treated where it is computed and read. */
typedef struct {
  uint64_t served;             /* items (stay.h) that need no load, as they are on chip */
  uint64_t made;               /* of these, those that no load has brought */
  bool stays;                  /* computed, it is not dropped at once */
  const stay *pairs;           /* two elements at a time, in the places of those before them (stay.h) */
  bool unstored;               /* nor stored, but where the condition holds, if there is one */
  text store_if;
} treatment;

typedef struct {
  const tiler_shape *s;
  text *out;
  int depth;
  tiler_nest **alone;          /* by array: its boxes, with the loops' names for its variables */
  tiler_node *at;              /* by array: which of its variables have a loop */
  uint32_t *backward;          /* by array: which have one that runs backwards */
  text loops;                  /* " i j " : names in use */
  text *guard;                 /* by array: what must hold beside the loops' ranges, as factors */
  const normal_form *form;     /* circles go by tiles for m words; NULL: they do not */
  const tiler_nests *nests;    /* or NULL */
  treatment *treat;            /* by array */
  stay_variables *variables;   /* by array: the loops that statements share */
  int shared;                  /* so many there are around */
  char shared_name[ORDER_STATEMENTS][CDAG_NAME];
  double left;                 /* words for what stays; 0: nothing does */
  int bare;                    /* so many shared loops, the outermost, keep nothing */
  double m;
  int which;                   /* not the best plan: this many are better */
  double apart;                /* reads are cut, and arrays go in parts, if they move less than so much of the whole */
  text params;                 /* their lengths */
  int tiled;                   /* how many do */
  bool parts;                  /* some of them in parts */
} writer;

/* ---- lines ---- */

static void line(writer *w)
{
  for (int k = 0; k < w->depth; k++)
    text_add(w->out, "  ");
}

static void open_block(writer *w, const char *head)
{
  line(w);
  text_printf(w->out, "%s {\n", head);
  w->depth++;
}

static void close_block(writer *w)
{
  w->depth--;
  line(w);
  text_add(w->out, "}\n");
}

/* ---- names ---- */

static bool free_name(const writer *w, const char *name)
{
  char look[CDAG_NAME + 4];
  snprintf(look, sizeof look, " %s ", name);
  return !strstr(text_str(&w->loops), look) && !tiler_name_taken(w->s->g, name);
}

static void loop_name(writer *w, const char *wanted, char *out)
{
  snprintf(out, CDAG_NAME, "%s", wanted[0] ? wanted : "i");
  for (int k = 1; !free_name(w, out); k++)
    snprintf(out, CDAG_NAME, "%.40s%d", wanted[0] ? wanted : "i", k);
  text_printf(&w->loops, "%s ", out);
}

static void forget_name(writer *w, const char *name)
{
  w->loops.n -= strlen(name) + 1;
  w->loops.s[w->loops.n] = '\0';
}

/* Variable r of the statement has the value of that loop, less a shift. */
static void bind_variable(writer *w, int array, int r, const char *name, int64_t shift)
{
  char *to = w->alone[array]->cls[r].name;
  if (shift == 0)
    snprintf(to, CDAG_NAME, "%s", name);
  else
    snprintf(to, CDAG_NAME, "%.40s %c %" PRId64, name, shift > 0 ? '-' : '+', shift > 0 ? shift : -shift);
  w->at[array].single |= 1u << r;
}

/* ---- two terms that may name one element ---- */

/* Is it 0 nowhere in the statement's domain? */
static bool never_zero(const tiler_statement *s, const tiler_form *f)
{
  tiler_form minus = { .base = -f->base };
  for (int r = 0; r < CDAG_RANK; r++)
    minus.coef[r] = -f->coef[r];
  return tiler_form_most(s, f) < 0 || tiler_form_most(s, &minus) < 0;
}

/* Forms whose difference is not 0, so that the terms differ: 1 they always do, 0 never, -1 sometimes. */
static int differ(const tiler_statement *s, const tiler_access *a, const tiler_access *b, tiler_form *diff, int *n)
{
  bool unknown = false;
  *n = 0;
  for (int q = 0; q < a->rank; q++) {
    if (a->at[q].kind != CDAG_AT || b->at[q].kind != CDAG_AT)
      continue;
    if (!a->at[q].affine || !b->at[q].affine) {
      unknown = true;
      continue;
    }
    tiler_form f = a->at[q].lo;
    tiler_form_add(&f, &b->at[q].lo, -1);
    if (never_zero(s, &f))
      return 1;
    if (!tiler_form_constant(&f, s->rank))
      diff[(*n)++] = f;
  }
  return *n || unknown ? -1 : 0;
}

static void print_form(const writer *w, int array, const tiler_form *f, text *out)
{
  tiler_words v;
  tiler_value(w->alone[array], 0, f, &w->at[array], &v);
  tiler_words_print(out, &v);
}

static void print_expression(const writer *w, int array, const expr *e, text *out)
{
  tiler_print_expression(w->alone[array], 0, e, out);
}

static const cdag_term *term_of(const writer *w, int array, const tiler_access *a)
{
  return &w->s->g->array[array].term[a->term];
}

/* An end of index q as the description has it, without the condition that it may hold. */
static const expr *index_expression(const writer *w, int array, const tiler_access *a, int q, bool hi)
{
  const cdag_term *t = term_of(w, array, a);
  return hi ? t->index[q].hi : t->guarded == q + 1 ? t->index[q].lo->arg[0] : t->index[q].lo;
}

/* The value of index q of an access, or the one or the other end of its range. */
static void print_index(const writer *w, int array, const tiler_access *a, int q, bool hi, text *out)
{
  if (a->at[q].affine)
    print_form(w, array, hi ? &a->at[q].hi : &a->at[q].lo, out);
  else
    print_expression(w, array, index_expression(w, array, a, q, hi), out);
}

static void print_box(const writer *w, int array, const tiler_access *a, text *out)
{
  text_printf(out, "%s[", w->s->g->array[a->array].name);
  for (int q = 0; q < a->rank; q++) {
    text_add(out, q ? "," : "");
    if (a->at[q].kind == CDAG_ALL)
      text_char(out, '*');
    else
      print_index(w, array, a, q, false, out);
    if (a->at[q].kind == CDAG_RANGE) {
      text_add(out, "..");
      print_index(w, array, a, q, true, out);
    }
  }
  text_char(out, ']');
}

/* (value outside the range of b) for each index where a is a value and b a range; false when that cannot be said. */
static bool outside_ranges(const writer *w, int array, const tiler_access *a, const tiler_access *b, text *out)
{
  for (int q = 0; q < a->rank; q++) {
    if (a->at[q].kind == CDAG_AT && b->at[q].kind == CDAG_AT)
      continue;
    if (a->at[q].kind != CDAG_AT || b->at[q].kind == CDAG_ALL)
      return b->at[q].kind == CDAG_ALL;
    text_add(out, out->n ? " + (" : "(");
    print_index(w, array, a, q, false, out);
    text_add(out, " < ");
    print_index(w, array, b, q, false, out);
    text_add(out, ") + (");
    print_index(w, array, a, q, false, out);
    text_add(out, " >= ");
    print_index(w, array, b, q, true, out);
    text_char(out, ')');
  }
  return true;
}

/* (a != b) where an index is not affine; the same expression is the same value. */
static void unlike_expressions(const writer *w, int array, const tiler_access *a, const tiler_access *b, text *out)
{
  for (int q = 0; q < a->rank; q++) {
    text x = { 0 }, y = { 0 };
    if (a->at[q].kind == CDAG_AT && b->at[q].kind == CDAG_AT && !(a->at[q].affine && b->at[q].affine)) {
      print_index(w, array, a, q, false, &x);
      print_index(w, array, b, q, false, &y);
      if (strcmp(text_str(&x), text_str(&y)) != 0)
        text_printf(out, "%s(%s != %s)", out->n ? " + " : "", text_str(&x), text_str(&y));
    }
    text_clear(&x);
    text_clear(&y);
  }
}

/* (COND) of `TERM if COND`, or (COND == 0) where it does not hold. */
static void print_condition(const writer *w, int array, const tiler_access *a, bool holds, text *out)
{
  const expr *e = cdag_term_condition(term_of(w, array, a));
  if (!e)
    return;
  text_add(out, holds ? "(" : "((");
  print_expression(w, array, e, out);
  text_add(out, holds ? ")" : ") == 0)");
}

/* When must term a be loaded although the terms before it are: a condition, empty for always; false: never. */
static bool when_new(const writer *w, int array, const tiler_access *const *t, int a, text *condition)
{
  const tiler_statement *s = &w->s->s[array];
  for (int b = 0; b < a; b++) {
    tiler_form diff[CDAG_RANK];
    int n, d = t[b]->array == t[a]->array ? differ(s, t[a], t[b], diff, &n) : 1;
    if (d == 1)
      continue;
    text one = { 0 };
    print_condition(w, array, t[b], false, &one);
    for (int k = 0; d && k < n; k++) {
      text_add(&one, one.n ? " + (" : "(");
      print_form(w, array, &diff[k], &one);
      text_add(&one, " != 0)");
    }
    unlike_expressions(w, array, t[a], t[b], &one);
    bool told = outside_ranges(w, array, t[a], t[b], &one);
    if (told && one.n == 0) {
      text_clear(&one);
      return false;
    }
    text_printf(condition, condition->n ? " * (%s)" : "(%s)", text_str(&one));
    text_clear(&one);
  }
  return true;
}

/* ---- one element ---- */

static void print_boxes(writer *w, int array, const char *verb, const tiler_access *const *t, int n)
{
  for (int a = 0; a < n; a++) {
    text condition = { 0 };
    print_condition(w, array, t[a], true, &condition);
    if (when_new(w, array, t, a, &condition)) {
      if (condition.n) {
        line(w);
        text_printf(w->out, "if %s { ", text_str(&condition));
      } else
        line(w);
      text_printf(w->out, "%s ", verb);
      print_box(w, array, t[a], w->out);
      text_add(w->out, condition.n ? " }\n" : "\n");
    }
    text_clear(&condition);
  }
}

static void print_own(writer *w, int array, const char *verb, tiler_part part, const char *more)
{
  line(w);
  text_printf(w->out, "%s ", verb);
  tiler_own_box(w->alone[array], 0, &w->at[array], part, w->out);
  text_printf(w->out, "%s\n", more);
}

/* One end of index q of the array read, at the indices of the access; of its hull where the array's own bound is not
 * told. */
static void print_end_there(const writer *w, int array, const tiler_access *a, int q, bool hi, text *out)
{
  const tiler_statement *to = &w->s->s[a->array];
  const cdag_box *hull = &w->s->g->array[a->array].hull;
  const tiler_bound *b = hi ? &to->hi[q] : &to->lo[q];
  tiler_form f;
  if (b->affine && b->n == 1 && !tiler_bound_constant(b, to->rank) && tiler_compose(&b->f[0], a, &f))
    print_form(w, array, &f, out);
  else
    text_printf(out, "%" PRId64, hi ? hull->hi[q] : hull->lo[q]);
}

static void compare(const text *a, const char *sign, const text *b, text *out)
{
  text_printf(out, "%s(%s %s %s)", out->n ? " * " : "", text_str(a), sign, text_str(b));
}

/* Is what the access names there?  A product of comparisons. */
static void print_there(const writer *w, int array, const tiler_access *a, text *out)
{
  for (int q = 0; q < a->rank; q++) {
    text lo = { 0 }, hi = { 0 }, from = { 0 }, to = { 0 };
    print_end_there(w, array, a, q, false, &lo);
    print_end_there(w, array, a, q, true, &hi);
    if (a->at[q].kind == CDAG_ALL)
      compare(&lo, "<", &hi, out);
    else {
      print_index(w, array, a, q, false, &from);
      if (a->at[q].kind == CDAG_RANGE) {
        print_index(w, array, a, q, true, &to);
        compare(&from, "<", &to, out);
        compare(&lo, "<", &to, out);
      } else
        compare(&lo, "<=", &from, out);
      compare(&from, "<", &hi, out);
    }
    text_clear(&lo);
    text_clear(&hi);
    text_clear(&from);
    text_clear(&to);
  }
}

/* Does an element with these indices have a predecessor?  A sum over its terms. */
static void print_has_predecessor(const writer *w, int array, text *out)
{
  const tiler_statement *s = &w->s->s[array];
  size_t empty = out->n;
  for (int i = 0; i < s->accesses + s->selves; i++) {
    text one = { 0 };
    print_there(w, array, i < s->accesses ? &s->access[i] : &s->self[i - s->accesses], &one);
    text_printf(out, "%s%s", out->n > empty ? " + " : "", text_str(&one));
    text_clear(&one);
  }
}

static int open_guard(writer *w, int array)
{
  text head = { 0 };
  if (w->s->s[array].bare) {
    text_add(&head, "if (");
    print_has_predecessor(w, array, &head);
    text_add(&head, ")");
  }
  if (w->guard[array].n)
    text_printf(&head, head.n ? " * %s" : "if %s", text_str(&w->guard[array]));
  int opened = head.n > 0;
  if (opened)
    open_block(w, text_str(&head));
  text_clear(&head);
  return opened;
}

/* Does it read its own array beside the chain?  `dropping` would drop that too. */
static bool reads_own_ends(const tiler_statement *s)
{
  for (int i = 0; i < s->accesses; i++)
    if (s->access[i].array == s->array)
      return true;
  return false;
}

static void print_stored(writer *w, int array, tiler_part part)
{
  const treatment *t = &w->treat[array];
  if (t->unstored && !t->store_if.n)
    return;
  text head = { 0 };
  text_printf(&head, "if %s", text_str(&t->store_if));
  if (t->unstored)
    open_block(w, text_str(&head));
  print_own(w, array, "store", part, "");
  if (t->unstored)
    close_block(w);
  text_clear(&head);
}

static void print_moves(writer *w, int array, bool kept, const tiler_access *const *t, int n)
{
  char more[CDAG_NAME + 16] = "";
  bool apart = kept && reads_own_ends(&w->s->s[array]);
  if (kept && !apart)
    snprintf(more, sizeof more, " dropping %s", w->s->g->array[array].name);
  print_boxes(w, array, "load", t, n);
  print_own(w, array, "compute", TILER_COMPUTED, more);
  if (!kept)
    print_stored(w, array, TILER_COMPUTED);
  print_boxes(w, array, "drop", t, n);
  if (apart) {
    tiler_access before = stay_item(w->s, array, w->s->s[array].accesses);
    line(w);
    text_add(w->out, "drop ");
    print_box(w, array, &before, w->out);
    text_char(w->out, '\n');
  }
  if (!kept && !w->treat[array].stays)
    print_own(w, array, "drop", TILER_COMPUTED, "");
}

/* ---- indices that hold comparisons ----
   P[s-1+(s-1<j),i,s-1] is one of two affine accesses; the element is printed for each. */

enum { COMPARISONS = 3 };
typedef struct { const expr *e[COMPARISONS]; int n; } comparisons;

static bool gather(comparisons *c, const expr *e)
{
  bool good = true;
  if (expr_is_comparison(e)) {
    for (int i = 0; i < c->n; i++)
      if (expr_equal(c->e[i], e))
        return true;
    good = c->n < COMPARISONS;
    if (good)
      c->e[c->n++] = e;
    return good;
  }
  for (int i = 0; i < e->nargs; i++)
    good = gather(c, e->arg[i]) && good;
  return good;
}

/* e with each comparison's value, a bit each, in its place. */
static void decide(expr *e, const comparisons *c, int values)
{
  for (int i = 0; i < e->nargs; i++)
    for (int k = 0; k <= c->n; k++) {
      if (k == c->n)
        decide(e->arg[i], c, values);
      else if (expr_equal(e->arg[i], c->e[k])) {
        expr_free(e->arg[i]);
        e->arg[i] = expr_const(values >> k & 1);
        break;
      }
    }
}

static bool decide_index(const writer *w, int array, const tiler_access *a, int q, const comparisons *c, int values,
                         tiler_form *f)
{
  const cdag *g = w->s->g;
  expr_env env = { g->param_value, g->table };
  *f = (tiler_form){ 0 };
  expr *e = expr_copy(index_expression(w, array, a, q, false));
  decide(e, c, values);
  bool good = expr_affine(e, &env, g->params, w->s->s[array].rank, &f->base, f->coef);
  expr_free(e);
  return good;
}

/* The comparisons in its indices; none where there are other reasons why one is not affine. */
static comparisons comparisons_in(const writer *w, int array, const tiler_access *const *t, int n)
{
  comparisons c = { .n = 0 };
  bool good = true;
  for (int i = 0; i < n; i++)
    for (int q = 0; q < t[i]->rank; q++) {
      if (t[i]->at[q].affine)
        continue;
      tiler_form f = { 0 };
      good = good && t[i]->at[q].kind == CDAG_AT && gather(&c, index_expression(w, array, t[i], q, false)) &&
             decide_index(w, array, t[i], q, &c, 0, &f);
    }
  return good ? c : (comparisons){ .n = 0 };
}

static void print_comparison(const writer *w, int array, const expr *e, bool holds, text *out)
{
  static const expr_op other[] = { [EXPR_EQ] = EXPR_NE, [EXPR_NE] = EXPR_EQ, [EXPR_LT] = EXPR_GE,
                                   [EXPR_GE] = EXPR_LT, [EXPR_LE] = EXPR_GT, [EXPR_GT] = EXPR_LE };
  expr *copy = expr_copy(e);
  if (!holds)
    copy->op = other[copy->op];
  text_add(out, out->n ? " * (" : "(");
  print_expression(w, array, copy, out);
  text_char(out, ')');
  expr_free(copy);
}

static void print_case(writer *w, int array, bool kept, const tiler_access *const *t, int n, const comparisons *c,
                       int values)
{
  tiler_access *own = MEM_NEW(tiler_access, (size_t)n + 1);
  const tiler_access **use = MEM_NEW(const tiler_access *, (size_t)n + 1);
  text head = { 0 }, condition = { 0 };
  for (int i = 0; i < n; i++) {
    own[i] = *t[i];
    use[i] = &own[i];
    for (int q = 0; q < own[i].rank; q++)
      own[i].at[q].affine = own[i].at[q].affine || decide_index(w, array, t[i], q, c, values, &own[i].at[q].lo);
  }
  for (int k = 0; k < c->n; k++)
    print_comparison(w, array, c->e[k], values >> k & 1, &condition);
  text_printf(&head, "if %s", text_str(&condition));
  open_block(w, text_str(&head));
  print_moves(w, array, kept, use, n);
  close_block(w);
  text_clear(&head);
  text_clear(&condition);
  mem_free(own);
  mem_free(use);
}

static bool is_served(const writer *w, int array, int item)
{
  return item < STAY_READS && (w->treat[array].served >> item & 1);
}

/* An index of few values, as many for each element: how many; 0: it is no such range. */
static int64_t short_range(const tiler_statement *s, const tiler_index *i)
{
  enum { SHORT = 16 };
  tiler_form length = i->hi;
  if (i->kind != CDAG_RANGE || !i->affine)
    return 0;
  tiler_form_add(&length, &i->lo, -1);
  return tiler_form_constant(&length, s->rank) && length.base <= SHORT ? length.base : 0;
}

typedef struct { tiler_access *item; int n; size_t room; } access_list;

/* Its words one by one, where another term reads of the array: no condition says what two ranges share. */
static void add_split(const tiler_statement *s, access_list *l, const tiler_access *a, bool split)
{
  tiler_access one = *a;
  for (int q = 0; q < a->rank && split; q++) {
    int64_t length = short_range(s, &a->at[q]);
    one.at[q].kind = CDAG_AT;
    for (int64_t k = 0; k < length; k++, one.at[q].lo.base++)
      add_split(s, l, &one, true);
    if (length)
      return;
    one = *a;
  }
  l->item = mem_room(l->item, (size_t)l->n, &l->room, sizeof *a);
  l->item[l->n++] = *a;
}

/* What an element reads, but for what is on chip anyway. */
static void list_terms(const writer *w, int array, int items, access_list *l)
{
  const tiler_statement *s = &w->s->s[array];
  for (int i = 0; i < items; i++) {
    tiler_access a = stay_item(w->s, array, i);
    bool shared = false;
    for (int k = 0; k < items; k++)
      shared = shared || (k != i && stay_item(w->s, array, k).array == a.array && !is_served(w, array, k));
    if (!is_served(w, array, i))
      add_split(s, l, &a, shared);
  }
}

/* kept: along its chains the element before it is on chip, and takes the place. */
static void print_element(writer *w, int array, bool kept)
{
  const tiler_statement *s = &w->s->s[array];
  access_list l = { .n = 0 };
  int guarded = open_guard(w, array);
  list_terms(w, array, kept ? s->accesses : stay_items(s), &l);
  int n = l.n;
  const tiler_access **t = MEM_NEW(const tiler_access *, (size_t)n + 1);
  for (int i = 0; i < n; i++)
    t[i] = &l.item[i];
  comparisons c = comparisons_in(w, array, t, n);
  if (c.n == 0)
    print_moves(w, array, kept, t, n);
  for (int values = 0; c.n && values < 1 << c.n; values++)
    print_case(w, array, kept, t, n, &c, values);
  if (guarded)
    close_block(w);
  mem_free(t);
  mem_free(l.item);
}

/* ---- loops ---- */

/* The ends of a variable's range, as the description has them where they are not affine. */
static void own_range(const writer *w, int array, int r, text *lo, text *hi)
{
  const tiler_statement *s = &w->s->s[array];
  const cdag_array *a = &w->s->g->array[array];
  text from = { 0 }, to = { 0 };
  if (s->lo[r].affine && s->hi[r].affine) {
    tiler_range_ends(w->alone[array], r, 1, &w->at[array], lo, hi);
    return;
  }
  if (a->lo[r])
    print_expression(w, array, a->lo[r], &from);
  print_expression(w, array, a->hi[r], &to);
  text_add(lo, from.n ? text_str(&from) : "0");
  text_add(hi, text_str(&to));
  text_clear(&from);
  text_clear(&to);
}

static void open_own_loop(writer *w, int array, int r, char *name)
{
  text head = { 0 }, lo = { 0 }, hi = { 0 };
  loop_name(w, w->s->g->array[array].var[r], name);
  text_printf(&head, "for %s in ", name);
  own_range(w, array, r, &lo, &hi);
  if (strcmp(text_str(&lo), "0") != 0)
    text_printf(&head, "%s..", text_str(&lo));
  text_add(&head, text_str(&hi));
  text_clear(&lo);
  text_clear(&hi);
  bind_variable(w, array, r, name, 0);
  open_block(w, text_str(&head));
  text_clear(&head);
}

static void close_own_loop(writer *w, int array, int r, const char *name)
{
  close_block(w);
  forget_name(w, name);
  w->at[array].single &= ~(1u << r);
}

/* Is what the access reads computed in an earlier iteration of the loops around, always (-1), or in the same (0)?
   1: it is not known.  No read goes ahead in a loop, so one in which it goes back is enough. */
static int iteration_of(const writer *w, int array, const tiler_access *a)
{
  const stay_variables *mine = &w->variables[array], *theirs = &w->variables[a->array];
  bool known = true;
  for (int loop = 1; loop <= w->shared; loop++) {
    int r = 0, q = 0;
    while (r < CDAG_RANK && mine->of[r].loop != loop)
      r++;
    while (q < CDAG_RANK && theirs->of[q].loop != loop)
      q++;
    if (r == CDAG_RANK || q == CDAG_RANK || a->at[q].kind != CDAG_AT || !tiler_said_index(a, q)->affine) {
      known = false;
      continue;
    }
    int way = w->backward[array] >> r & 1 ? -1 : 1;
    tiler_form ahead = { .base = way * (mine->of[r].off - theirs->of[q].off) };
    tiler_form_add(&ahead, &tiler_said_index(a, q)->lo, way);
    ahead.coef[r] -= way;
    if (tiler_form_most(&w->s->s[array], &ahead) < 0)
      return -1;
    known = known && ahead.base == 0 && tiler_form_constant(&ahead, CDAG_RANK);
  }
  return known ? 0 : 1;
}

/* Do all readers want the last steps of its chains only, and has no loop been laid over the chains? */
static bool keeps_chain(const writer *w, int array)
{
  const tiler_statement *s = &w->s->s[array];
  if (!s->chains || s->all_output || s->bare)
    return false;
  for (int c = 0; c < s->chains; c++)
    if ((w->at[array].single >> s->chain[c] & 1) || !s->hi[s->chain[c]].affine || !s->lo[s->chain[c]].affine)
      return false;
  for (int k = 0; k < w->s->n; k++) {
    const tiler_statement *y = &w->s->s[w->s->order[k]];
    for (int i = 0; i < y->accesses; i++)
      if (y->access[i].array == array &&
          (y->access[i].kind != TILER_END || (y->array == array && iteration_of(w, array, &y->access[i]) >= 0)))
        return false;
  }
  return true;
}

static void print_statement(writer *w, int array);

static void print_chain(writer *w, int array, int c)
{
  const tiler_statement *s = &w->s->s[array];
  char name[CDAG_NAME];
  if (c == s->chains) {
    print_element(w, array, true);
    return;
  }
  open_own_loop(w, array, s->chain[c], name);
  print_chain(w, array, c + 1);
  close_own_loop(w, array, s->chain[c], name);
}

static void print_kept(writer *w, int array)
{
  const tiler_statement *s = &w->s->s[array];
  if (s->started)
    print_own(w, array, "load", TILER_FIRST, "");
  print_chain(w, array, 0);
  int guarded = w->guard[array].n > 0;
  if (guarded)
    open_guard(w, array);
  print_stored(w, array, TILER_ENDS);
  if (!w->treat[array].stays)
    print_own(w, array, "drop", TILER_ENDS, "");
  if (guarded)
    close_block(w);
}

/* ---- what stays while a statement's loops run ---- */

static bool is_free(const writer *w, int array, int r) { return !(w->at[array].single >> r & 1); }

/* Does the variable's range depend on no loop that is still to come? */
static bool has_fixed_range(const writer *w, int array, int r)
{
  const tiler_statement *s = &w->s->s[array];
  bool fixed = s->lo[r].affine && s->hi[r].affine;
  for (int v = 0; v < s->rank && fixed; v++)
    for (int k = 0; k < TILER_BOUNDS && is_free(w, array, v); k++)
      fixed = fixed && !(k < s->lo[r].n && s->lo[r].f[k].coef[v]) && !(k < s->hi[r].n && s->hi[r].f[k].coef[v]);
  return fixed;
}

/* The free variable that alone stands in the index, or -1: none does; -2: the index is another. */
static int free_variable(const writer *w, int array, const tiler_index *x)
{
  int found = -1, many = 0;
  if (x->kind != CDAG_AT || !x->affine)
    return -2;
  for (int v = 0; v < w->s->s[array].rank; v++)
    if (x->lo.coef[v]) {
      many++;
      found = is_free(w, array, v) ? v : found;
    }
  return found < 0 ? -1 : many == 1 && x->lo.coef[found] == 1 && has_fixed_range(w, array, found) ? found : -2;
}

/* Words of access i for all loops to come, if some of these come by them again; else 0. */
static double held_words(const writer *w, int array, int i)
{
  const tiler_statement *s = &w->s->s[array];
  const tiler_access *a = &s->access[i];
  double words = 1;
  unsigned named = 0, all = 0;
  for (int j = 0; j < s->accesses; j++)
    if (j != i && s->access[j].array == a->array)
      return 0;
  if (i >= 64 || a->first || w->guard[array].n || term_of(w, array, a)->guarded ||
      (a->array == array && iteration_of(w, array, a) >= 0))
    return 0;
  for (int q = 0; q < a->rank; q++) {
    int v = free_variable(w, array, &a->at[q]);
    if (v == -2)
      return 0;
    named |= v >= 0 ? 1u << v : 0;
    words *= v >= 0 ? (double)(s->most[v] - s->least[v]) : 1;
  }
  for (int v = 0; v < s->rank; v++)
    all |= is_free(w, array, v) && s->most[v] - s->least[v] > 1 ? 1u << v : 0;
  return all & ~named ? words : 0;
}

static void shift_by(int64_t by, text *out)
{
  if (by)
    text_printf(out, " %c %" PRId64, by > 0 ? '+' : '-', by > 0 ? by : -by);
}

static bool is_number(const char *t, int64_t *value)
{
  char *rest;
  *value = strtoll(t, &rest, 10);
  return *t && !*rest;
}

/* An end of a range is a base and a number: "h + 2" is "h" and 2, "2" is "" and 2.  The base's length. */
static int split_end(const char *end, int64_t *number)
{
  const char *last = strrchr(end, ' ');
  if (is_number(end, number))
    return 0;
  if (last && last - end > 2 && (last[-1] == '+' || last[-1] == '-') && last[-2] == ' ' &&
      is_number(last + 1, number)) {
    *number = last[-1] == '+' ? *number : -*number;
    return (int)(last - 2 - end);
  }
  *number = 0;
  return (int)strlen(end);
}

static void add_sum(const char *base, int length, int64_t number, text *out)
{
  if (length == 0) {
    text_printf(out, "%" PRId64, number);
    return;
  }
  text_printf(out, "%.*s", length, base);
  shift_by(number, out);
}

/* So much later: 2 for 0 and 2, h for h + 2 and -2. */
static void add_end(const char *end, int64_t by, text *out)
{
  int64_t number;
  int length = split_end(end, &number);
  add_sum(end, length, number + by, out);
}

static void print_held(writer *w, int array, int i, const char *verb)
{
  const tiler_access *a = &w->s->s[array].access[i];
  line(w);
  text_printf(w->out, "%s %s[", verb, w->s->g->array[a->array].name);
  for (int q = 0; q < a->rank; q++) {
    int v = free_variable(w, array, &a->at[q]);
    int64_t by = a->at[q].lo.base;
    text lo = { 0 }, hi = { 0 };
    text_add(w->out, q ? "," : "");
    if (v < 0)
      print_form(w, array, &a->at[q].lo, w->out);
    else {
      own_range(w, array, v, &lo, &hi);
      text_add(w->out, lo.n ? text_str(&lo) : "0");
      shift_by(by, w->out);
      text_printf(w->out, "..%s", text_str(&hi));
      shift_by(by, w->out);
    }
    text_clear(&lo);
    text_clear(&hi);
  }
  text_add(w->out, "]\n");
}

/* What the loops to come read again and again, the shortest first, as long as there is room: which items. */
static uint64_t hold_more(writer *w, int array)
{
  enum { ROOM = 16 };
  const tiler_statement *s = &w->s->s[array];
  uint64_t held = 0;
  for (bool more = true; more;) {
    int pick = -1;
    double least = w->left - ROOM;
    for (int i = 0; i < s->accesses && i < STAY_READS; i++) {
      double words = is_served(w, array, i) ? 0 : held_words(w, array, i);
      if (words > 0 && words <= least) {
        least = words;
        pick = i;
      }
    }
    more = pick >= 0;
    if (more) {
      held |= UINT64_C(1) << pick;
      w->treat[array].served |= UINT64_C(1) << pick;
      w->left -= least;
    }
  }
  return held;
}

static void move_held(writer *w, int array, uint64_t which, const char *verb)
{
  for (int i = 0; i < w->s->s[array].accesses && i < STAY_READS; i++)
    if (which >> i & 1)
      print_held(w, array, i, verb);
}

/* The element of the slice before goes: the new one has its place. */
static void drop_before(writer *w, int array, const stay *s)
{
  const char *loop = w->shared_name[w->shared];
  int64_t own = w->variables[array].of[s->dim].off;
  bind_variable(w, array, s->dim, loop, -s->first);
  print_own(w, array, "drop", TILER_COMPUTED, "");
  bind_variable(w, array, s->dim, loop, -own);
}

/* Each with its mirror image, up to the middle. */
static void print_pairs(writer *w, int array, const stay *s)
{
  text head = { 0 }, lo = { 0 }, hi = { 0 }, image = { 0 };
  char name[CDAG_NAME];
  own_range(w, array, s->across, &lo, &hi);
  loop_name(w, w->s->g->array[array].var[s->across], name);
  bool from_zero = strcmp(text_str(&lo), "0") == 0;
  text_printf(&head, "for %s in ", name);
  if (!from_zero)
    text_printf(&head, "%s..(%s + ", text_str(&lo), text_str(&lo));
  text_printf(&head, from_zero ? "(%s + 1) / 2" : "%s + 1) / 2", text_str(&hi));
  bind_variable(w, array, s->across, name, 0);
  text_char(&image, '(');
  print_form(w, array, &s->mirror, &image);
  text_char(&image, ')');
  open_block(w, text_str(&head));
  print_statement(w, array);
  text_clear(&head);
  text_printf(&head, "if %s < %s", name, text_str(&image));
  open_block(w, text_str(&head));
  bind_variable(w, array, s->across, text_str(&image), 0);
  print_statement(w, array);
  drop_before(w, array, s);
  close_block(w);
  bind_variable(w, array, s->across, name, 0);
  drop_before(w, array, s);
  close_own_loop(w, array, s->across, name);
  text_clear(&head);
  text_clear(&lo);
  text_clear(&hi);
  text_clear(&image);
}

static void print_iterations(writer *w, int array)
{
  const tiler_statement *s = &w->s->s[array];
  char name[CDAG_NAME];
  bool keep = keeps_chain(w, array);
  for (int r = 0; r < s->rank; r++)
    if (!(w->at[array].single >> r & 1) && !(keep && tiler_is_chain(s, r))) {
      if (w->treat[array].pairs && w->treat[array].pairs->across == r) {
        print_pairs(w, array, w->treat[array].pairs);
        return;
      }
      open_own_loop(w, array, r, name);
      print_statement(w, array);
      close_own_loop(w, array, r, name);
      return;
    }
  if (keep)
    print_kept(w, array);
  else
    print_element(w, array, false);
}

/* A statement's loops that are still to come, and around each what it reads again and again. */
static void print_statement(writer *w, int array)
{
  uint64_t before = w->treat[array].served;
  double left = w->left;
  uint64_t held = hold_more(w, array);
  move_held(w, array, held, "load");
  print_iterations(w, array);
  move_held(w, array, held, "drop");
  w->tiled += held != 0;
  w->treat[array].served = before;
  w->left = left;
}

/* ---- loops that statements share ---- */

typedef struct { text lo, hi; } ends;

/* The least (or greatest) of the members' ends: one for each base. */
static void print_shared_end(const order_node *n, const ends *own, bool hi, text *out)
{
  text list = { 0 };
  int bases = 0;
  for (int k = 0; k < n->members; k++) {
    const char *end = text_str(hi ? &own[k].hi : &own[k].lo);
    int64_t best, number;
    int length = split_end(end, &best);
    bool again = false;
    for (int i = 0; i < n->members; i++) {
      const char *other = text_str(hi ? &own[i].hi : &own[i].lo);
      if (split_end(other, &number) != length || strncmp(other, end, (size_t)length) != 0)
        continue;
      again |= i < k;
      best = hi ? num_max(best, number) : num_min(best, number);
    }
    if (again)
      continue;
    text_add(&list, bases++ ? ", " : "");
    add_sum(end, length, best, &list);
  }
  text_printf(out, bases > 1 ? "%s(%s)" : "%s%s", bases < 2 ? "" : hi ? "max" : "min", text_str(&list));
  text_clear(&list);
}

/* The union of what the members walk. */
static void shared_range(const writer *w, const order_node *n, ends *own, text *out)
{
  for (int k = 0; k < n->members; k++) {
    text lo = { 0 }, hi = { 0 };
    own_range(w, n->member[k].array, n->member[k].dim, &lo, &hi);
    add_end(text_str(&lo), n->member[k].shift, &own[k].lo);
    add_end(text_str(&hi), n->member[k].shift, &own[k].hi);
    text_clear(&lo);
    text_clear(&hi);
  }
  text lo = { 0 };
  print_shared_end(n, own, false, &lo);
  if (strcmp(text_str(&lo), "0") != 0)
    text_printf(out, "%s..", text_str(&lo));
  print_shared_end(n, own, true, out);
  text_clear(&lo);
}

/* ---- what stays while statements share a loop ---- */

/* Where an element is wanted from slow memory: the indices that are constants, of those that have a loop; false: it may
 * be any element. */
static bool print_wanted(const writer *w, int array, const bool *constant, const int64_t *value, text *out)
{
  size_t before = out->n;
  for (int r = 0; r < w->s->s[array].rank; r++)
    if (constant[r] && !tiler_is_chain(&w->s->s[array], r) && w->at[array].single >> r & 1)
      text_printf(out, "%s(%s == %" PRId64 ")", out->n > before ? " * " : "", w->alone[array]->cls[r].name, value[r]);
  return out->n > before;
}

static bool wanted_by_reads(const writer *w, int array, int reader, text *out)
{
  for (int i = 0; i < stay_items(&w->s->s[reader]); i++) {
    tiler_access a = stay_item(w->s, reader, i);
    bool constant[CDAG_RANK];
    int64_t value[CDAG_RANK];
    if (a.array != array || (i < STAY_READS && w->treat[reader].made >> i & 1))
      continue;
    for (int r = 0; r < a.rank; r++) {
      constant[r] = a.at[r].kind == CDAG_AT && a.at[r].affine && tiler_form_constant(&a.at[r].lo, CDAG_RANK);
      value[r] = a.at[r].lo.base;
    }
    text_add(out, out->n ? " + " : "");
    if (!print_wanted(w, array, constant, value, out))
      return false;
  }
  return true;
}

static bool wanted_by_outputs(const writer *w, int array, text *out)
{
  const cdag *g = w->s->g;
  expr_env env = { g->param_value, g->table };
  if (g->array[array].declared_output || (w->s->s[array].output && g->selections == 0))
    return false;
  for (int i = 0; i < g->selections; i++) {
    const cdag_selection *s = &g->selection[i];
    bool constant[CDAG_RANK];
    int64_t value[CDAG_RANK];
    if (s->array != array)
      continue;
    for (int r = 0; r < g->array[array].rank; r++) {
      tiler_form f = { 0 };
      constant[r] = s->index[r].kind == CDAG_AT && !s->of_rule &&
                    expr_affine(s->index[r].lo, &env, g->params, s->vars, &f.base, f.coef) &&
                    tiler_form_constant(&f, s->vars);
      value[r] = f.base;
    }
    text_add(out, out->n ? " + " : "");
    if (!print_wanted(w, array, constant, value, out))
      return false;
  }
  return true;
}

/* What stays is stored only where others want it. */
static void want_stored(writer *w, int array)
{
  treatment *t = &w->treat[array];
  text_clear(&t->store_if);
  t->unstored = wanted_by_outputs(w, array, &t->store_if);
  for (int k = 0; k < w->s->n && t->unstored; k++)
    t->unstored = wanted_by_reads(w, array, w->s->order[k], &t->store_if);
}

/* The slice at the value of the loop and `off` more, or all of it. */
static void print_slice(writer *w, const stay *s, int64_t off, const char *verb)
{
  const char *loop = w->shared_name[w->shared];
  if (s->made) {
    bind_variable(w, s->array, s->dim, loop, -off);
    print_own(w, s->array, verb, keeps_chain(w, s->array) ? TILER_ENDS : TILER_COMPUTED, "");
    bind_variable(w, s->array, s->dim, loop, -w->variables[s->array].of[s->dim].off);
    return;
  }
  line(w);
  text_printf(w->out, "%s %s[", verb, w->s->g->array[s->array].name);
  for (int r = 0; r < w->s->s[s->array].rank; r++) {
    stay_at at = r == s->dim ? (stay_at){ w->shared, off } : s->at[r];
    text_add(w->out, r ? "," : "");
    if (at.loop < 0 || (at.loop == w->shared && r != s->dim))
      text_char(w->out, '*');
    else if (at.loop == STAY_CONSTANT)
      text_printf(w->out, "%" PRId64, at.off);
    else {
      text_add(w->out, w->shared_name[at.loop]);
      shift_by(at.off, w->out);
    }
  }
  text_add(w->out, "]\n");
}

/* The slices at first .. last - 1 of one end of the loop, in a loop of their own. */
static void print_slices(writer *w, const stay *s, const char *end, const char *verb)
{
  text head = { 0 };
  if (s->dim < 0 && !s->made)
    print_slice(w, s, 0, verb);
  if (s->dim < 0 || s->first == s->last)
    return;
  text_printf(&head, "for %s in ", w->shared_name[w->shared]);
  add_end(end, s->first, &head);
  text_add(&head, "..");
  add_end(end, s->last, &head);
  open_block(w, text_str(&head));
  print_slice(w, s, 0, verb);
  close_block(w);
  text_clear(&head);
}

typedef struct { stay s[STAY_MOST]; int n; bool reversed; double left; text lo, hi; } stays;

/* All that the loop made, and that stayed. */
static void drop_made(writer *w, const stay *s, const stays *l)
{
  text head = { 0 };
  text_printf(&head, "for %s in %s..%s", w->shared_name[w->shared], text_str(&l->lo), text_str(&l->hi));
  open_block(w, text_str(&head));
  print_own(w, s->array, "drop", keeps_chain(w, s->array) ? TILER_ENDS : TILER_COMPUTED, "");
  close_block(w);
  text_clear(&head);
}

static void begin_stays(writer *w, const order_node *n, stays *l)
{
  uint64_t *served = MEM_NEW(uint64_t, (size_t)w->s->g->arrays + 1);
  bool *chained = MEM_NEW(bool, (size_t)w->s->g->arrays + 1);
  for (int a = 0; a < w->s->g->arrays; a++) {
    served[a] = w->treat[a].served;
    chained[a] = w->alone[a] && keeps_chain(w, a);
  }
  stay_question q = { w->s, n, w->shared, w->variables, served, chained, .inputs = w->form != NULL };
  enum { ROOM = 16 };
  l->n = w->left > ROOM && w->shared > w->bare ? stay_find(&q, w->left - ROOM, l->s) : 0;
  l->reversed = n->reversed;
  l->left = w->left;
  for (int i = 0; i < l->n; i++) {
    const stay *s = &l->s[i];
    w->left -= s->words;
    for (int k = 0; k < s->reads; k++) {
      treatment *t = &w->treat[s->read[k].array];
      t->served |= UINT64_C(1) << s->read[k].item;
      t->made |= s->made ? UINT64_C(1) << s->read[k].item : 0;
    }
  }
  for (int i = 0; i < l->n; i++) {
    if (!l->s[i].made)
      print_slices(w, &l->s[i], text_str(l->reversed ? &l->hi : &l->lo), "load");
    else {
      w->treat[l->s[i].array].stays = true;
      w->treat[l->s[i].array].pairs = l->s[i].mirrored ? &l->s[i] : NULL;
      want_stored(w, l->s[i].array);
    }
  }
  w->tiled += l->n;
  mem_free(served);
  mem_free(chained);
}

/* In each iteration, what enters and what leaves. */
static void print_stays(writer *w, const stays *l, bool enter)
{
  for (int i = 0; i < l->n; i++) {
    const stay *s = &l->s[i];
    if (s->dim >= 0 && !(enter && s->made) && !s->mirrored)
      print_slice(w, s, enter == l->reversed ? s->first : s->last, enter ? "load" : "drop");
  }
}

static void end_stays(writer *w, stays *l)
{
  for (int i = 0; i < l->n; i++) {
    const stay *s = &l->s[i];
    print_slices(w, s, text_str(l->reversed ? &l->lo : &l->hi), "drop");
    if (s->made && s->dim < 0)
      drop_made(w, s, l);
    for (int k = 0; k < s->reads; k++) {
      w->treat[s->read[k].array].served &= ~(UINT64_C(1) << s->read[k].item);
      w->treat[s->read[k].array].made &= ~(UINT64_C(1) << s->read[k].item);
    }
    if (s->made) {
      w->treat[s->array].stays = w->treat[s->array].unstored = false;
      w->treat[s->array].pairs = NULL;
    }
  }
  w->left = l->left;
  text_clear(&l->lo);
  text_clear(&l->hi);
}

static bool print_tree(writer *w, const order_node *n);

static void bind_members(writer *w, const order_node *n, const ends *own, const stays *whole, size_t *length)
{
  const char *name = w->shared_name[w->shared];
  for (int k = 0; k < n->members; k++) {
    int a = n->member[k].array;
    length[k] = w->guard[a].n;
    if (strcmp(text_str(&own[k].lo), text_str(&whole->lo)) != 0 ||
        strcmp(text_str(&own[k].hi), text_str(&whole->hi)) != 0)
      text_printf(&w->guard[a], "%s(%s >= %s) * (%s < %s)", w->guard[a].n ? " * " : "", name, text_str(&own[k].lo),
                  name, text_str(&own[k].hi));
    bind_variable(w, a, n->member[k].dim, name, n->member[k].shift);
    w->variables[a].of[n->member[k].dim] = (stay_at){ w->shared, -n->member[k].shift };
    w->backward[a] |= (uint32_t)n->reversed << n->member[k].dim;
  }
}

static void free_members(writer *w, const order_node *n, const size_t *length)
{
  for (int k = 0; k < n->members; k++) {
    int a = n->member[k].array;
    w->at[a].single &= ~(1u << n->member[k].dim);
    w->variables[a].of[n->member[k].dim].loop = STAY_NOWHERE;
    w->backward[a] &= ~(1u << n->member[k].dim);
    w->guard[a].n = length[k];
    if (w->guard[a].s)
      w->guard[a].s[length[k]] = '\0';
  }
}

static bool print_shared(writer *w, const order_node *n)
{
  text range = { 0 }, head = { 0 };
  ends *own = MEM_NEW(ends, (size_t)n->members + 1);
  size_t *length = MEM_NEW(size_t, (size_t)n->members + 1);
  stays *l = MEM_NEW(stays, 1);
  shared_range(w, n, own, &range);
  char *name = w->shared_name[++w->shared];
  print_shared_end(n, own, false, &l->lo);
  print_shared_end(n, own, true, &l->hi);
  loop_name(w, w->s->g->array[n->member[0].array].var[n->member[0].dim], name);
  text_printf(&head, "for %s in %s%s", name, text_str(&range), n->reversed ? " reversed" : "");
  bind_members(w, n, own, l, length);
  begin_stays(w, n, l);
  open_block(w, text_str(&head));
  print_stays(w, l, true);
  bool good = print_tree(w, n);
  print_stays(w, l, false);
  close_block(w);
  end_stays(w, l);
  free_members(w, n, length);
  for (int k = 0; k < n->members; k++) {
    text_clear(&own[k].lo);
    text_clear(&own[k].hi);
  }
  forget_name(w, name);
  w->shared--;
  mem_free(l);
  mem_free(own);
  mem_free(length);
  text_clear(&range);
  text_clear(&head);
  return good;
}

/* ---- circles by tiles ---- */

static void cut_text(text *t, size_t n)
{
  t->n = n;
  if (t->s)
    t->s[n] = '\0';
}

static void print_note(const cdag *g, const circle *c, text *out)
{
  text_add(out, "# by tiles of");
  for (int p = 0; p < c->n; p++)
    text_printf(out, "%s %s", p ? "," : "", g->array[c->member[p]].name);
  text_add(out, ", which stay on chip; what they read of other tiles comes by, step by step\n");
}

/* Prints the circle; false when a box cannot be said: then nothing was written. */
static bool print_tiles(writer *w, circle *c, text *out)
{
  circle_names names;
  text body = { 0 };
  size_t before = w->loops.n;
  loop_name(w, "a", names.length);
  size_t after = w->loops.n;
  loop_name(w, c->tiles > 1 ? "I" : "J", names.tile[0]);
  loop_name(w, "J", names.tile[1]);
  loop_name(w, "k", names.step);
  print_note(c->f->g, c, &body);
  bool good = circle_print(c, &names, &body);
  if (good) {
    text_printf(&w->params, "param %s = %" PRId64 "\n", names.length, c->length);
    text_add(out, text_str(&body));
    w->tiled++;
  }
  cut_text(&w->loops, good ? after : before);
  text_clear(&body);
  return good;
}

/* An array in parts before, at and after a pivot, a circle of tiles for each group of them. */
typedef struct {
  tiler_split s;
  circle *c;                   /* by group */
  int made;
  double io;                   /* expected; INFINITY: there are no such tiles */
} circle_parts;

static void plan_parts(const writer *w, const int *array, int n, circle_parts *p)
{
  *p = (circle_parts){ .io = INFINITY };
  if (!tiler_split_init(&p->s, w->form, array, n))
    return;
  p->c = MEM_NEW(circle, (size_t)p->s.groups + 1);
  double io = 0;
  for (; p->made < p->s.groups; p->made++) {
    int part[SPLIT_PARTS], parts = 0;
    for (int k = 0; k < p->s.n; k++)
      if (p->s.group[k] == p->made)
        part[parts++] = p->s.part[k];
    if (!circle_init(&p->c[p->made], &p->s.form, part, parts, w->m, false, w->which)) {
      circle_clear(&p->c[p->made]);
      return;
    }
    io += p->c[p->made].io;
  }
  p->io = io;
}

static void clear_parts(circle_parts *p)
{
  for (int g = 0; g < p->made; g++)
    circle_clear(&p->c[g]);
  mem_free(p->c);
  tiler_split_clear(&p->s);
}

/* All of them or nothing. */
static bool print_parts(writer *w, circle_parts *p)
{
  text body = { 0 };
  size_t loops = w->loops.n, params = w->params.n;
  int tiled = w->tiled;
  bool good = isfinite(p->io);
  for (int g = 0; g < p->made && good; g++)
    good = print_tiles(w, &p->c[g], &body);
  if (good) {
    text_add(w->out, text_str(&body));
    w->parts = true;
  } else {
    cut_text(&w->loops, loops);
    cut_text(&w->params, params);
    w->tiled = tiled;
  }
  text_clear(&body);
  return good;
}

/* Where some axes go downwards, with indices counted from their other end, if that moves less. */
static bool print_mirrored(writer *w, const int *array, int n, double most)
{
  mirror_turns *turned = MEM_NEW(mirror_turns, (size_t)w->form->arrays + 1);
  bool good = false;
  if (circle_descends(w->form, array, n, turned)) {
    tiler_mirror m;
    circle c;
    tiler_mirror_init(&m, w->form, turned);
    good = circle_init(&c, &m.form, array, n, w->m, false, w->which);
    c.turned = turned;
    good = good && c.io < most && print_tiles(w, &c, w->out);
    circle_clear(&c);
    tiler_mirror_clear(&m);
  }
  mem_free(turned);
  return good;
}

/* Whole, with reads cut in two or not, or in parts: where these are expected to move that much less, or where it
   cannot be said otherwise. */
static bool print_members(writer *w, const int *array, int n)
{
  circle whole[2];
  circle_parts parts;
  double least = INFINITY;
  for (int cut = 0; cut < 2; cut++)
    if (!circle_init(&whole[cut], w->form, array, n, w->m, cut, w->which))
      whole[cut].io = INFINITY;
    else
      least = fmin(least, whole[cut].io);
  int first = whole[1].io < w->apart * whole[0].io;
  plan_parts(w, array, n, &parts);
  bool good = print_mirrored(w, array, n, fmin(least, parts.io));
  good = good || (parts.io < (isfinite(least) ? w->apart * least : INFINITY) && print_parts(w, &parts));
  for (int k = 0; k < 2 && !good; k++)
    good = isfinite(whole[k ^ first].io) && print_tiles(w, &whole[k ^ first], w->out);
  good = good || print_parts(w, &parts);
  for (int cut = 0; cut < 2; cut++)
    circle_clear(&whole[cut]);
  clear_parts(&parts);
  return good;
}

/* One statement, level by level, whatever the lanes are that it reads. */
static bool print_levels(writer *w, const order_node *n)
{
  lanes_names names;
  size_t before = w->loops.n;
  if (n->members != 1)
    return false;
  loop_name(w, "B", names.block);
  loop_name(w, "h", names.high);
  loop_name(w, "o", names.low);
  loop_name(w, "j", names.lane);
  loop_name(w, "s", names.level);
  bool good = tiler_lanes(w->s, n->member[0].array, n->member[0].dim, w->m, &names, w->out);
  cut_text(&w->loops, before);
  w->tiled += good;
  return good;
}

static bool print_circle(writer *w, const order_node *n)
{
  int array[ORDER_STATEMENTS];
  for (int k = 0; k < n->members; k++)
    array[k] = n->member[k].array;
  return print_members(w, array, n->members) || print_levels(w, n);
}

/* Loops that keep nothing in order but their one statement's chain, which the statement's own loops walk. */
static bool is_own_chain(const writer *w, const order_node *n)
{
  const tiler_statement *s = &w->s->s[n->member[0].array];
  if (!keeps_chain(w, s->array))
    return false;
  for (int c = 0; c < s->chains; c++) {
    if (n->leaf || n->members != 1 || n->kids != 1 || n->reversed || n->member[0].array != s->array ||
        n->member[0].dim != s->chain[c])
      return false;
    n = n->kid[0];
  }
  return n->leaf;
}

/* A statement that reads itself is a circle too. */
static bool print_sum(writer *w, int array)
{
  order_node one = { .members = 1 };
  one.member[0].array = array;
  const tiler_statement *s = &w->s->s[array];
  return w->form && w->depth == 0 && (s->chains > 0 || s->reads_itself) && print_circle(w, &one);
}

/* ---- nests between circles ---- */

/* The statement that the node is, or -1. */
static int lone_statement(const writer *w, const order_node *n)
{
  return n->leaf ? n->array : is_own_chain(w, n) ? n->member[0].array : -1;
}

/* What the loops around say of a statement, beside others that are printed with it; false: not all is known. */
static bool look_around(const writer *w, int array, const bool *beside, tiler_around *out)
{
  const tiler_statement *s = &w->s->s[array];
  *out = (tiler_around){ .earlier = 0 };
  for (int r = 0; r < s->rank; r++)
    out->value[r] = w->at[array].single >> r & 1 ? w->alone[array]->cls[r].name : NULL;
  const treatment *t = &w->treat[array];
  if (s->accesses + s->selves > TILER_READS || t->store_if.n || t->pairs)
    return false;
  out->held = t->served;
  out->stays = t->stays;
  out->unstored = t->unstored;
  for (int i = 0; i < s->accesses + s->selves; i++) {
    const tiler_access *a = i < s->accesses ? &s->access[i] : &s->self[i - s->accesses];
    int when = beside[a->array] ? iteration_of(w, array, a) : 0;
    if (when > 0)
      return false;
    out->earlier |= (uint64_t)(when < 0) << i;
  }
  return true;
}

/* Lines of text, as deep as this place is. */
static void add_indented(writer *w, const text *body)
{
  for (const char *s = text_str(body); *s;) {
    const char *end = strchr(s, '\n');
    line(w);
    text_printf(w->out, "%.*s\n", (int)(end - s), s);
    s = end + 1;
  }
}

static bool print_nests(writer *w, const int *array, int n)
{
  tiler_around *around = MEM_NEW(tiler_around, (size_t)n + 1);
  bool *beside = MEM_NEW(bool, (size_t)w->s->g->arrays + 1), good = true;
  for (int k = 0; k < n; k++)
    beside[array[k]] = true;
  for (int k = 0; k < n && good; k++)
    good = strcmp(text_str(&w->guard[array[k]]), text_str(&w->guard[array[0]])) == 0 &&
           look_around(w, array[k], beside, &around[k]);
  if (good) {
    tiler_shape part;
    text body = { 0 };
    tiler_part_init(&part, w->s, array, n, w->shared ? around : NULL);
    good = w->nests->print(w->nests->context, &part, w->left, &w->loops, &w->params, &body);
    tiler_part_clear(&part);
    int guarded = good && w->guard[array[0]].n > 0;
    if (guarded)
      open_guard(w, array[0]);
    add_indented(w, &body);
    if (guarded)
      close_block(w);
    text_clear(&body);
  }
  w->tiled += good;
  mem_free(around);
  mem_free(beside);
  return good;
}

/* Those from the i-th kid on that no circle parts, together, or else each alone.  How many kids were printed. */
static int print_lone(writer *w, const order_node *n, int i)
{
  int array[ORDER_STATEMENTS], many = 0;
  while (w->nests && (w->depth == 0 || !w->form) && i + many < n->kids && many < ORDER_STATEMENTS) {
    int a = lone_statement(w, n->kid[i + many]);
    if (a < 0 || !w->s->s[a].affine || (w->shared == 0 && w->s->s[a].reads_itself))
      break;
    array[many++] = a;
  }
  if (many > 1 && print_nests(w, array, many))
    return many;
  if (many == 0)
    array[0] = lone_statement(w, n->kid[i]);
  else if (print_nests(w, array, 1))
    return 1;
  if (!print_sum(w, array[0]))
    print_statement(w, array[0]);
  return 1;
}

static bool print_tree(writer *w, const order_node *n)
{
  bool good = true;
  for (int i = 0; i < n->kids && good; i++) {
    if (lone_statement(w, n->kid[i]) >= 0) {
      i += print_lone(w, n, i) - 1;
    } else if (!w->form || w->depth > 0 || !print_circle(w, n->kid[i]))
      good = n->kid[i]->kids > 0 && print_shared(w, n->kid[i]);
  }
  return good;
}

static bool print_all(const tiler_shape *s, const normal_form *form, const tiler_nests *nests, double m, int which,
                      const tiler_stay_plan *plan, int *tiled, bool *parts, text *out)
{
  order_node *order = tiler_order(s, form != NULL, plan->fusion);
  if (!order)
    return false;
  size_t arrays = (size_t)s->g->arrays;
  text body = { 0 };
  writer w = { .s = s, .out = &body, .form = form, .nests = nests, .m = m, .which = which < 0 ? 0 : which,
               .bare = plan->bare,
               .alone = MEM_NEW(tiler_nest *, arrays + 1), .at = MEM_NEW(tiler_node, arrays + 1),
               .guard = MEM_NEW(text, arrays + 1), .treat = MEM_NEW(treatment, arrays + 1),
               .left = form && !nests ? 0 : m, .apart = which == TILER_APART ? 1 : which == TILER_WHOLE ? 0 : 0.9,
               .backward = MEM_NEW(uint32_t, arrays + 1),
               .variables = MEM_NEW(stay_variables, arrays + 1) };
  text_char(&w.loops, ' ');
  for (int k = 0; k < s->n; k++) {
    w.alone[s->order[k]] = MEM_NEW(tiler_nest, 1);
    tiler_nest_alone(w.alone[s->order[k]], s, s->order[k]);
    w.at[s->order[k]].cls = -1;
    for (int r = 0; r < CDAG_RANK; r++)
      w.variables[s->order[k]].of[r].loop = STAY_NOWHERE;
  }
  bool good = print_tree(&w, order);
  *tiled = w.tiled;
  *parts = w.parts;
  if (!w.tiled)
    text_add(out, "# Element by element, in an order that every read allows.\n");
  tiler_print_title(s->g, w.tiled ? "found" : "plain", out);
  text_add(out, text_str(&w.params));
  text_add(out, text_str(&body));
  text_clear(&body);
  text_clear(&w.params);
  for (size_t a = 0; a < arrays; a++) {
    mem_free(w.alone[a]);
    text_clear(&w.guard[a]);
    text_clear(&w.treat[a].store_if);
  }
  mem_free(w.treat);
  mem_free(w.variables);
  mem_free(w.alone);
  mem_free(w.at);
  mem_free(w.guard);
  mem_free(w.backward);
  text_clear(&w.loops);
  tiler_order_free(order);
  return good;
}

bool tiler_plain(const tiler_shape *s, text *out)
{
  int tiled;
  bool parts;
  tiler_stay_plan plan = { 0 };
  return print_all(s, NULL, NULL, 0, 0, &plan, &tiled, &parts, out);
}

bool tiler_staying(const tiler_shape *s, double m, const tiler_stay_plan *plan, const tiler_nests *nests, text *out)
{
  int tiled;
  bool parts;
  return print_all(s, NULL, nests, m, 0, plan, &tiled, &parts, out) && tiled > 0;
}

bool tiler_circles(const tiler_shape *s, double m, int which, const tiler_nests *nests, text *out, bool *parts)
{
  normal_form f;
  int tiled = 0;
  normal_form_init(&f, s->g);
  tiler_stay_plan plan = { 0 };
  bool good = print_all(s, &f, nests, m, which, &plan, &tiled, parts, out) && tiled > 0;
  normal_form_clear(&f);
  return good;
}
