/* assign.c -- assignments: what is written, what is read, and where. */
#include "cdag/import/c/reader.h"
#include "base/mem.h"
#include <stdio.h>
#include <string.h>

/* ---- data ---- */

int c_find_array(const c_nest *n, const char *name)
{
  for (int i = n->arrays - 1; i >= 0; i--)
    if (!n->array[i].hidden && strcmp(n->array[i].name, name) == 0)
      return i;
  return -1;
}

int c_add_array(reader *r, const char *name, int line, int column)
{
  c_nest *n = r->n;
  if (c_find_pointer(r, name))
    c_refuse(r, line, column, "'%s' is a pointer around this block already", name);
  n->array = mem_grow(n->array, (size_t)n->arrays + 1, sizeof *n->array);
  n->array[n->arrays] = (c_array){ .outside = r->global, .line = line, .column = column };
  snprintf(n->array[n->arrays].name, C_NAME, "%s", name);
  return n->arrays++;
}

static bool access_of(reader *r, const node *e, c_access *a)
{
  text index = { 0 };
  a->array = c_find_array(r->n, e->text);
  bool good = a->array >= 0 || c_refuse(r, e->line, e->column, "'%s' is not declared as data here", e->text);
  int own = a->array; /* of twins the first one says how long rows are */
  if (good && r->n->array[own].twin)
    a->array = r->n->array[own].twin - 1;
  bool counts = good && e->n == 1 && c_is_ragged(e->arg[0]);
  if (counts) {
    good = c_ragged_index(r, e, &r->n->array[a->array], &index);
    a->rank = r->n->array[a->array].rank;
  }
  bool flat = good && !counts && e->n == 1 && c_is_flat(r, e->arg[0], &r->n->array[a->array]);
  int rank = good ? flat ? 1 : r->n->array[a->array].rank : 0;
  if (good && !counts && rank != e->n)
    good = c_refuse(r, e->line, e->column, "%s has %d indices, not %d", e->text, rank, e->n);
  if (flat)
    good = good && c_flat_index(r, e->arg[0], &r->n->array[a->array], &index, &a->rank);
  for (int i = 0; i < e->n && good && !flat && !counts; i++) {
    text_add(&index, i ? "," : "");
    good = c_affine(r, e->arg[i], &index);
    a->rank = e->n;
  }
  a->index = c_nest_keep_text(r->n, &index);
  a->array = own;
  text side = { 0 };
  if (e->side && good)
    good = c_affine(r, e->side, &side);
  a->side = e->side ? c_nest_keep_text(r->n, &side) : NULL;
  a->when = c_joined(r, r->when, r->whens, " and ");
  return good;
}

/* Is a one of the reads already?  Then that is one where either is. */
static bool joined_read(reader *r, const c_access *a, c_statement *s)
{
  for (int i = 0; i < s->reads; i++) {
    c_access *b = &s->read[i];
    if (a->array != b->array || strcmp(a->index, b->index))
      continue;
    text when = { 0 };
    if (*a->when && *b->when)
      text_printf(&when, "((%s) or (%s))", a->when, b->when);
    b->when = c_nest_keep_text(r->n, &when);
    return true;
  }
  return false;
}

static bool reads_of(reader *r, const node *e, c_statement *s);

/* What e reads where `c` holds, or does not: a[i-1] of `i > 0 ? a[i-1] : 0`. */
static bool reads_when(reader *r, const node *c, bool holds, const node *e, c_statement *s)
{
  char *when = c_condition_text(r, c, holds);
  if (r->st != OK || !c_push_condition(r, when, e->line, e->column))
    return false;
  r->when[r->whens++] = when;
  bool good = reads_of(r, e, s);
  r->whens--;
  r->conditions--;
  return good;
}

/* A number that limits.h, stdint.h, float.h or math.h names: INT_MAX, FLT_EPSILON, INFINITY, M_PI. */
static bool is_header_number(const char *name)
{
  static const char *const whole[] = { "INFINITY", "NAN", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL" };
  static const char *const last[] = { "_MAX", "_MIN", "_EPSILON" };
  size_t n = strlen(name);
  if (strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") < n)
    return false;
  for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
    if (strcmp(name, whole[k]) == 0)
      return true;
  for (size_t k = 0; k < sizeof last / sizeof *last; k++)
    if (n > strlen(last[k]) && strcmp(name + n - strlen(last[k]), last[k]) == 0)
      return true;
  return strncmp(name, "M_", 2) == 0;
}

/* All data that e reads. */
static bool reads_of(reader *r, const node *e, c_statement *s)
{
  bool good = true;
  if (e->kind == N_NAME && c_find_array(r->n, e->text) < 0 && is_header_number(e->text))
    return true;
  if (e->kind == N_INDEX || (e->kind == N_NAME && !c_is_integer_name(r, e->text))) {
    c_access a = { .rank = 0 };
    good = access_of(r, e, &a);
    if (good && joined_read(r, &a, s))
      return true;
    s->read = mem_grow(s->read, (size_t)s->reads + 1, sizeof *s->read);
    s->read[s->reads] = a;
    s->reads += good;
    return good;
  }
  if (e->kind == N_UNARY && e->text[0] == '&')
    return c_refuse(r, e->line, e->column, "where a pointer is handed on, what is written there is not known");
  bool choice = e->kind == N_CHOICE && c_integral(r, e->arg[0]);
  int l = e->kind == N_BINARY ? c_level(e->text) : -1;
  if (choice)
    return reads_when(r, e->arg[0], true, e->arg[1], s) && reads_when(r, e->arg[0], false, e->arg[2], s);
  if ((l == L_AND || l == L_OR) && c_integral(r, e->arg[0]))
    return c_integral(r, e->arg[1]) || reads_when(r, e->arg[0], l == L_AND, e->arg[1], s);
  for (int i = 0; i < e->n && good; i++)
    good = reads_of(r, e->arg[i], s);
  return good;
}

/* ---- statements ---- */

/* Under conditions on data an element is written all the same: it may keep its value. */
static bool reads_of_assignment(reader *r, const node *left, const char *sign, const node *right, c_statement *s)
{
  bool keeps = r->guards > 0 || strcmp(sign, "=") != 0;
  bool good = (!keeps || reads_of(r, left, s)) && reads_of(r, right, s);
  for (int i = 0; i < r->guards && good; i++)
    good = reads_of(r, r->guard[i], s);
  return good;
}

bool c_is_data(const reader *r, const node *e)
{
  return e->kind == N_INDEX || (e->kind == N_NAME && !c_is_integer_name(r, e->text));
}

bool c_push_place(reader *r, const char *place)
{
  text t = { 0 };
  if (r->places >= 2 * LEVELS - 2)
    return c_refuse(r, r->in.now.line, r->in.now.column, "this is nested too deeply");
  text_add(&t, place);
  r->place[r->places++] = c_nest_keep_text(r->n, &t);
  return true;
}

/* The loops and conditions around it, and its place in them. */
static c_statement statement_here(reader *r, int line, int column)
{
  c_statement s = { .depth = r->loops, .line = line, .column = column, .places = r->places };
  for (int i = 0; i < r->loops; i++)
    memcpy(s.var[i], r->loop[i].name, C_NAME), s.top[i] = r->loop[i].top;
  s.domain = c_joined(r, r->condition, r->conditions, " and ");
  s.schedule = c_joined(r, r->place, r->places, ",");
  return s;
}

static void add_statement(c_nest *n, c_statement s)
{
  n->array[s.write.array].written = true;
  n->statement = mem_grow(n->statement, (size_t)n->statements + 1, sizeof *n->statement);
  n->statement[n->statements++] = s;
}

/* x = c ? a : b, one of them a copy: as with an `if`. */
static void assign_choice(reader *r, const node *left, const node *right)
{
  for (int k = 0; k < 2 && r->st == OK; k++) {
    char *when = c_condition_text(r, right->arg[0], k == 0);
    if (c_same(left, right->arg[1 + k]) || r->st != OK || !c_push_condition(r, when, left->line, left->column))
      continue;
    if (c_push_place(r, k ? "1" : "0")) {
      c_assignment(r, left, "=", right->arg[1 + k]);
      r->places--;
    }
    r->conditions--;
  }
}

void c_assignment(reader *r, const node *left, const char *sign, const node *right)
{
  bool plain = strcmp(sign, "=") == 0;
  if (plain && right->kind == N_CHOICE && r->guards == 0 && c_integral(r, right->arg[0]) &&
      (c_is_data(r, right->arg[1]) || c_is_data(r, right->arg[2]))) {
    assign_choice(r, left, right);
    return;
  }
  c_statement s = statement_here(r, left->line, left->column);
  if (!access_of(r, left, &s.write) || !reads_of_assignment(r, left, sign, right, &s)) {
    mem_free(s.read);
    return;
  }
  s.copy = plain && r->guards == 0 && c_is_data(r, right);
  add_statement(r->n, s);
}

void c_fill(reader *r, int a, const token *t)
{
  if (!c_push_place(r, "0"))
    return;
  c_statement s = statement_here(r, t->line, t->column);
  r->places--;
  s.write = (c_access){ .array = a, .all = true, .index = "", .when = "" };
  add_statement(r->n, s);
}
