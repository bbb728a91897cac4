/* statement.c -- a statement's own loops, and what stays on chip while they run. */
#include "schedules/tiler/circles/split.h"
#include "schedules/tiler/plain/writer.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- loops ---- */

void plain_own_range(const writer *w, int array, int r, text *lo, text *hi)
{
  const tiler_statement *s = &w->s->s[array];
  const cdag_array *a = &w->s->g->array[array];
  text from = { 0 }, to = { 0 };
  if (s->lo[r].affine && s->hi[r].affine) {
    tiler_range_ends(w->alone[array], r, 1, &w->at[array], lo, hi);
    return;
  }
  if (a->lo[r])
    plain_print_expression(w, array, a->lo[r], &from);
  plain_print_expression(w, array, a->hi[r], &to);
  text_add(lo, from.n ? text_str(&from) : "0");
  text_add(hi, text_str(&to));
  text_clear(&from);
  text_clear(&to);
}

static void open_own_loop(writer *w, int array, int r, char *name)
{
  text head = { 0 }, lo = { 0 }, hi = { 0 };
  plain_loop_name(w, w->s->g->array[array].var[r], name);
  text_printf(&head, "for %s in ", name);
  plain_own_range(w, array, r, &lo, &hi);
  if (strcmp(text_str(&lo), "0") != 0)
    text_printf(&head, "%s..", text_str(&lo));
  text_add(&head, text_str(&hi));
  text_clear(&lo);
  text_clear(&hi);
  plain_bind_variable(w, array, r, name, 0);
  plain_open_block(w, text_str(&head));
  text_clear(&head);
}

static void close_own_loop(writer *w, int array, int r, const char *name)
{
  plain_close_block(w);
  plain_forget_name(w, name);
  w->at[array].single &= ~(1u << r);
}

int plain_iteration_of(const writer *w, int array, const tiler_access *a)
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

bool plain_keeps_chain(const writer *w, int array)
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
          (y->access[i].kind != TILER_END || (y->array == array && plain_iteration_of(w, array, &y->access[i]) >= 0)))
        return false;
  }
  return true;
}

/* Do loops walk all of its own indices but a chain's before the chain's first, and the chain in its order? */
static bool walks_in_order(const writer *w, int array)
{
  const tiler_statement *s = &w->s->s[array];
  int shared = 0, outermost = 0;
  for (int c = 0; c < s->chains; c++) {
    int r = s->chain[c], loop = w->variables[array].of[r].loop;
    if (!tiler_bound_constant(&s->lo[r], s->rank) || !tiler_bound_constant(&s->hi[r], s->rank) ||
        (c > 0 && (r < s->chain[c - 1] || (loop > 0 && loop < shared))))
      return false;
    shared = loop > 0 ? loop : w->shared + 1;
    outermost = c ? outermost : loop;
  }
  for (int r = 0; r < s->rank && outermost > 0; r++) {
    int loop = w->variables[array].of[r].loop;
    if (!tiler_is_chain(s, r) && s->most[r] - s->least[r] > 1 && !(loop > 0 && loop < outermost))
      return false;
  }
  return outermost > 0;
}

bool plain_carries_chain(const writer *w, int array)
{
  const tiler_statement *s = &w->s->s[array];
  if (!s->chains || s->all_output || s->bare || s->started || w->backward[array] || !walks_in_order(w, array))
    return false;
  for (int k = 0; k < w->s->n; k++) {
    const tiler_statement *y = &w->s->s[w->s->order[k]];
    for (int i = 0; i < y->accesses; i++)
      if (y->access[i].array == array && (y->access[i].kind != TILER_END || y->array == array))
        return false;
  }
  return true;
}

static void print_chain(writer *w, int array, int c)
{
  const tiler_statement *s = &w->s->s[array];
  char name[CDAG_NAME];
  if (c == s->chains) {
    plain_print_element(w, array, true);
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
    plain_print_own(w, array, "load", TILER_FIRST, "");
  print_chain(w, array, 0);
  int guarded = w->guard[array].n > 0;
  if (guarded)
    plain_open_guard(w, array);
  plain_print_stored(w, array, TILER_ENDS);
  if (!w->treat[array].stays)
    plain_print_own(w, array, "drop", TILER_ENDS, "");
  if (guarded)
    plain_close_block(w);
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
  if (i >= 64 || a->first || w->guard[array].n || plain_term_of(w, array, a)->guarded ||
      (a->array == array && plain_iteration_of(w, array, a) >= 0))
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

void plain_shift_by(int64_t by, text *out)
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

int plain_split_end(const char *end, int64_t *number)
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

void plain_add_sum(const char *base, int length, int64_t number, text *out)
{
  if (length == 0) {
    text_printf(out, "%" PRId64, number);
    return;
  }
  text_printf(out, "%.*s", length, base);
  plain_shift_by(number, out);
}

void plain_add_end(const char *end, int64_t by, text *out)
{
  int64_t number;
  int length = plain_split_end(end, &number);
  plain_add_sum(end, length, number + by, out);
}

static void print_held(writer *w, int array, int i, const char *verb)
{
  const tiler_access *a = &w->s->s[array].access[i];
  plain_line(w);
  text_printf(w->out, "%s %s[", verb, w->s->g->array[a->array].name);
  for (int q = 0; q < a->rank; q++) {
    int v = free_variable(w, array, &a->at[q]);
    int64_t by = a->at[q].lo.base;
    text lo = { 0 }, hi = { 0 };
    text_add(w->out, q ? "," : "");
    if (v < 0)
      plain_print_form(w, array, &a->at[q].lo, w->out);
    else {
      plain_own_range(w, array, v, &lo, &hi);
      text_add(w->out, lo.n ? text_str(&lo) : "0");
      plain_shift_by(by, w->out);
      text_printf(w->out, "..%s", text_str(&hi));
      plain_shift_by(by, w->out);
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
      double words = plain_is_served(w, array, i) ? 0 : held_words(w, array, i);
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

/* A move of the element of the slice before: the new one has its place. */
static void move_before(writer *w, int array, const stay *s, const char *verb)
{
  const char *loop = w->shared_name[w->shared];
  int64_t own = w->variables[array].of[s->dim].off;
  plain_bind_variable(w, array, s->dim, loop, -s->first);
  plain_print_own(w, array, verb, TILER_COMPUTED, "");
  plain_bind_variable(w, array, s->dim, loop, -own);
}

/* It comes, and goes from slow memory where nobody else wants it. */
static void fetch_before(writer *w, int array, const stay *s)
{
  text head = { 0 };
  bool asked = w->part_wanted.n > 0;
  move_before(w, array, s, "load");
  if (!w->treat[array].unstored)
    return;
  text_printf(&head, "if (%s) == 0", text_str(&w->part_wanted));
  if (asked)
    plain_open_block(w, text_str(&head));
  move_before(w, array, s, "erase");
  if (asked)
    plain_close_block(w);
  text_clear(&head);
}

/* The pair is not on chip before: it comes. */
static void load_pair(writer *w, int array, const stay *s, const char *name, const char *image)
{
  text head = { 0 };
  text_printf(&head, "if %s >= %" PRId64, name, plain_part_begin(w, s));
  plain_open_block(w, text_str(&head));
  plain_bind_variable(w, array, s->across, name, 0);
  fetch_before(w, array, s);
  text_clear(&head);
  text_printf(&head, "if %s < %s", name, image);
  plain_open_block(w, text_str(&head));
  plain_bind_variable(w, array, s->across, image, 0);
  fetch_before(w, array, s);
  plain_close_block(w);
  plain_close_block(w);
  text_clear(&head);
}

/* The element at hand, whose pair has the index `name`.  In the next iteration its mirror image lies `grows` further
   on: if it does not stay then, it is stored and goes. */
static void print_of_pair(writer *w, int array, const stay *s, const char *name, const char *own)
{
  treatment *t = &w->treat[array];
  text before = t->store_if, leaves = { 0 }, head = { 0 };
  if (!s->part) {
    plain_print_statement(w, array);
    return;
  }
  t->store_if = (text){ 0 };
  text_printf(&leaves, "(%s >= %" PRId64 ")", own, plain_part_begin(w, s));
  if (own != name)
    text_printf(&leaves, " * (%s >= %" PRId64 ")", name, plain_part_begin(w, s) - s->grows);
  text_printf(&t->store_if, before.n ? "%s + %s" : "%s", text_str(&leaves), text_str(&before));
  plain_print_statement(w, array);
  text_printf(&head, "if %s", text_str(&leaves));
  plain_open_block(w, text_str(&head));
  plain_print_own(w, array, "drop", TILER_COMPUTED, "");
  plain_close_block(w);
  text_clear(&t->store_if);
  t->store_if = before;
  text_clear(&leaves);
  text_clear(&head);
}

/* The k-th from the row's end: where its mirror image would be, the next row has a new element. */
static void print_beyond(writer *w, int array, const stay *s, const char *hi, int64_t k)
{
  SCOPED_TEXT own = { 0 };
  SCOPED_TEXT name = { 0 };
  text_printf(&own, "(%s - %" PRId64 ")", hi, k);
  text_printf(&name, "%" PRId64, w->s->s[array].lo[s->across].f[0].base - 1 - s->beyond + k);
  plain_bind_variable(w, array, s->across, text_str(&own), 0);
  print_of_pair(w, array, s, text_str(&name), text_str(&own));
}

/* Each with its mirror image, up to the middle. */
static void print_pairs(writer *w, int array, const stay *s)
{
  text head = { 0 }, lo = { 0 }, hi = { 0 }, image = { 0 };
  char name[CDAG_NAME];
  plain_own_range(w, array, s->across, &lo, &hi);
  plain_loop_name(w, w->s->g->array[array].var[s->across], name);
  bool from_zero = strcmp(text_str(&lo), "0") == 0;
  for (int64_t k = s->beyond; k > 0; k--)
    print_beyond(w, array, s, text_str(&hi), k);
  if (s->beyond)
    text_printf(&hi, " - %" PRId64, s->beyond);
  text_printf(&head, "for %s in ", name);
  if (!from_zero)
    text_printf(&head, "%s..(%s + ", text_str(&lo), text_str(&lo));
  text_printf(&head, from_zero ? "(%s + 1) / 2" : "%s + 1) / 2", text_str(&hi));
  plain_bind_variable(w, array, s->across, name, 0);
  text_char(&image, '(');
  plain_print_form(w, array, &s->mirror, &image);
  text_char(&image, ')');
  plain_open_block(w, text_str(&head));
  if (s->part)
    load_pair(w, array, s, name, text_str(&image));
  plain_bind_variable(w, array, s->across, name, 0);
  print_of_pair(w, array, s, name, name);
  text_clear(&head);
  text_printf(&head, "if %s < %s", name, text_str(&image));
  plain_open_block(w, text_str(&head));
  plain_bind_variable(w, array, s->across, text_str(&image), 0);
  print_of_pair(w, array, s, name, text_str(&image));
  move_before(w, array, s, "drop");
  plain_close_block(w);
  plain_bind_variable(w, array, s->across, name, 0);
  move_before(w, array, s, "drop");
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
  bool keep = plain_keeps_chain(w, array);
  for (int r = 0; r < s->rank; r++)
    if (!(w->at[array].single >> r & 1) && !(keep && tiler_is_chain(s, r))) {
      if (w->treat[array].pairs && w->treat[array].pairs->across == r) {
        print_pairs(w, array, w->treat[array].pairs);
        return;
      }
      open_own_loop(w, array, r, name);
      plain_print_statement(w, array);
      close_own_loop(w, array, r, name);
      return;
    }
  if (keep)
    print_kept(w, array);
  else
    plain_print_element(w, array, plain_carries_chain(w, array));
}

void plain_print_statement(writer *w, int array)
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
