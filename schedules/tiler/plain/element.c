/* element.c -- one element: its operands are loaded, it is computed, and what is not kept goes. */
#include "base/mem.h"
#include "schedules/tiler/circles/split.h"
#include "schedules/tiler/plain/writer.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_boxes(writer *w, int array, const char *verb, const tiler_access *const *t, int n)
{
  for (int a = 0; a < n; a++) {
    text condition = { 0 };
    plain_print_condition(w, array, t[a], true, &condition);
    if (plain_when_new(w, array, t, a, &condition)) {
      plain_beyond_part(w, array, t[a], &condition);
      if (condition.n) {
        plain_line(w);
        text_printf(w->out, "if %s { ", text_str(&condition));
      } else
        plain_line(w);
      text_printf(w->out, "%s ", verb);
      plain_print_box(w, array, t[a], w->out);
      text_add(w->out, condition.n ? " }\n" : "\n");
    }
    text_clear(&condition);
  }
}

void plain_print_own(writer *w, int array, const char *verb, tiler_part part, const char *more)
{
  plain_line(w);
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
    plain_print_form(w, array, &f, out);
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
      plain_print_index(w, array, a, q, false, &from);
      if (a->at[q].kind == CDAG_RANGE) {
        plain_print_index(w, array, a, q, true, &to);
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

int plain_open_guard(writer *w, int array)
{
  text head = { 0 };
  if (w->s->s[array].bare) {
    text_add(&head, "if (");
    print_has_predecessor(w, array, &head);
    text_add(&head, ")");
  }
  if (w->guard[array].n)
    text_add(&head, head.n ? " * " : "if ");
  plain_print_guard(&w->guard[array], &head);
  int opened = head.n > 0;
  if (opened)
    plain_open_block(w, text_str(&head));
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

void plain_print_stored(writer *w, int array, tiler_part part)
{
  const treatment *t = &w->treat[array];
  if (t->unstored && !t->store_if.n)
    return;
  text head = { 0 };
  text_printf(&head, "if %s", text_str(&t->store_if));
  if (t->unstored)
    plain_open_block(w, text_str(&head));
  plain_print_own(w, array, "store", part, "");
  if (t->unstored)
    plain_close_block(w);
  text_clear(&head);
}

static void print_moves(writer *w, int array, bool kept, const tiler_access *const *t, int n)
{
  char more[CDAG_NAME + 16] = "";
  bool apart = kept && reads_own_ends(&w->s->s[array]);
  if (kept && !apart)
    snprintf(more, sizeof more, " dropping %s", w->s->g->array[array].name);
  print_boxes(w, array, "load", t, n);
  plain_print_own(w, array, "compute", TILER_COMPUTED, more);
  if (!kept)
    plain_print_stored(w, array, TILER_COMPUTED);
  print_boxes(w, array, "drop", t, n);
  if (apart) {
    tiler_access before = stay_item(w->s, array, w->s->s[array].accesses);
    plain_line(w);
    text_add(w->out, "drop ");
    plain_print_box(w, array, &before, w->out);
    text_char(w->out, '\n');
  }
  if (!kept && !w->treat[array].stays)
    plain_print_own(w, array, "drop", TILER_COMPUTED, "");
}

/* ---- indices that hold comparisons ----
   P[s-1+(s-1<j),i,s-1] is one of two affine accesses; the element is printed for each. */

enum { COMPARISONS = 3 };
typedef struct {
  const expr *e[COMPARISONS];
  int n;
} comparisons;

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
  expr *e = expr_copy(plain_index_expression(w, array, a, q, false));
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
      good = good && t[i]->at[q].kind == CDAG_AT && gather(&c, plain_index_expression(w, array, t[i], q, false)) &&
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
  plain_print_expression(w, array, copy, out);
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
  plain_open_block(w, text_str(&head));
  print_moves(w, array, kept, use, n);
  plain_close_block(w);
  text_clear(&head);
  text_clear(&condition);
  mem_free(own);
  mem_free(use);
}

bool plain_is_served(const writer *w, int array, int item)
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

typedef struct {
  tiler_access *item;
  int n;
  size_t room;
} access_list;

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
      shared = shared || (k != i && stay_item(w->s, array, k).array == a.array && !plain_is_served(w, array, k));
    if (!plain_is_served(w, array, i))
      add_split(s, l, &a, shared);
  }
}

/* The last step of a chain that loops around walk is stored, and goes. */
static void print_end_of_chain(writer *w, int array)
{
  const tiler_statement *s = &w->s->s[array];
  text head = { 0 };
  for (int c = 0; c < s->chains; c++)
    text_printf(&head, "%s(%s == %" PRId64 ")", c ? " * " : "if ", w->alone[array]->cls[s->chain[c]].name,
                s->most[s->chain[c]] - 1);
  plain_open_block(w, text_str(&head));
  plain_print_stored(w, array, TILER_COMPUTED);
  if (!w->treat[array].stays)
    plain_print_own(w, array, "drop", TILER_COMPUTED, "");
  plain_close_block(w);
  text_clear(&head);
}

void plain_print_element(writer *w, int array, bool kept)
{
  const tiler_statement *s = &w->s->s[array];
  access_list l = { .n = 0 };
  int guarded = plain_open_guard(w, array);
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
  if (kept && plain_carries_chain(w, array))
    print_end_of_chain(w, array);
  if (guarded)
    plain_close_block(w);
  mem_free(t);
  mem_free(l.item);
}
