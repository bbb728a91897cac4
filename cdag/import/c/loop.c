/* loop.c -- loops: their headers, and what the variable is in the body. */
#include "cdag/import/c/reader.h"
#include <stdio.h>
#include <string.h>

/* A variable that the header of a `for` sets: it begins at `from` and grows `by` so much in each iteration, perhaps by
   nothing. */
typedef struct {
  char name[C_NAME];
  int line, column;
  node *from;
  int64_t by;
} variable;

enum { VARIABLES = 8 };
typedef struct {
  int n;
  variable of[VARIABLES], *main; /* the one that the condition compares with `end` */
  node *end;
} header;

static variable *find_variable(reader *r, header *h)
{
  token t = r->in.now;
  for (int i = 0; i < h->n; i++)
    if (t.kind == T_NAME && strcmp(h->of[i].name, t.text) == 0)
      return &h->of[i];
  c_refuse(r, t.line, t.column, "expected '%s', found %s", h->of[0].name, c_found(r));
  return NULL;
}

/* i++, i += 2, i = i - 1 ... */
static bool increment(reader *r, header *all)
{
  token t = r->in.now;
  bool before = c_accept(r, "++") || c_accept(r, "--");
  variable *h = find_variable(r, all);
  if (!h)
    return false;
  c_next(r);
  if (before) {
    h->by = t.text[0] == '+' ? 1 : -1;
    return true;
  }
  t = r->in.now;
  if (c_accept(r, "++") || c_accept(r, "--")) {
    h->by = t.text[0] == '+' ? 1 : -1;
    return true;
  }
  bool long_way = c_accept(r, "=");
  if (long_way && !c_expect(r, h->name))
    return false;
  char sign = r->in.now.text[0];
  bool known = long_way ? c_accept(r, "+") || c_accept(r, "-") : c_accept(r, "+=") || c_accept(r, "-=");
  node *e = known ? c_expression(r) : NULL;
  int64_t by = 1;
  if (r->st == OK && (!known || !c_fixed_value(r, e, &by) || by < 1))
    return c_refuse(r, t.line, t.column,
                    "a loop's step is a positive number, added or taken away; a parameter is one once it has a value");
  h->by = sign == '-' ? -by : by;
  return r->st == OK;
}

/* How much e grows when the variable does by one; false: it is not said. */
static bool growth(const node *e, const char *name, int64_t *by)
{
  int64_t a = 0, b = 0;
  *by = e->kind == N_NAME && strcmp(e->text, name) == 0;
  for (int i = 0; i < e->n; i++)
    if (!growth(e->arg[i], name, i ? &b : &a))
      return false;
  char sign = e->text[0];
  if (a == 0 && b == 0)
    return true;
  if (e->kind == N_UNARY && sign != '!')
    *by = sign == '-' ? -a : a;
  else if (e->kind == N_BINARY && (!strcmp(e->text, "+") || !strcmp(e->text, "-")))
    *by = sign == '-' ? a - b : a + b;
  else if (e->kind == N_BINARY && sign == '*' && (c_constant(e->arg[0]) || c_constant(e->arg[1])))
    *by = c_constant(e->arg[0]) ? c_constant_value(e->arg[0]) * b : a * c_constant_value(e->arg[1]);
  else
    return false;
  return true;
}

/* A loop goes on while all its comparisons hold: each is one that more iterations end, or says nothing of the
   variable. */
static bool ends_loop(reader *r, const variable *h, node *e, bool *ended)
{
  int64_t a, b;
  if (e->kind == N_BINARY && strcmp(e->text, "&&") == 0)
    return ends_loop(r, h, e->arg[0], ended) && ends_loop(r, h, e->arg[1], ended);
  if (e->kind == N_BINARY && strcmp(e->text, "!=") == 0) /* or it would run away */
    snprintf(e->text, C_NAME, h->by > 0 ? "<" : ">");
  if (e->kind != N_BINARY || c_level(e->text) != L_ORDER)
    return c_refuse(r, e->line, e->column, "a loop ends by < <= > or >=, not %s", e->text);
  if (!growth(e->arg[0], h->name, &a) || !growth(e->arg[1], h->name, &b))
    return c_refuse(r, e->line, e->column, "this is not affine in %s", h->name);
  int64_t apart = e->text[0] == '<' ? a - b : b - a;
  if (apart && (apart > 0) != (h->by > 0))
    return c_refuse(r, h->line, h->column, "the loop over %s runs away from its end", h->name);
  *ended |= apart != 0;
  return true;
}

static node *new_binary(reader *r, const variable *at, const char *sign, node *a, node *b)
{
  token t = { .line = at->line, .column = at->column };
  node *e = c_new_node(r, N_BINARY, &t);
  snprintf(e->text, C_NAME, "%s", sign);
  e->n = 2;
  e->arg[0] = a;
  e->arg[1] = b;
  return e;
}

static node *new_integer(reader *r, const variable *at, int64_t value)
{
  token t = { .line = at->line, .column = at->column, .value = value };
  return c_new_node(r, N_INTEGER, &t);
}

/* for (i = n; i-- > 0;) */
static bool ends_in_passing(reader *r, header *h)
{
  node *e = h->end;
  bool is = r->st == OK && c_at(r, ")") && e->kind == N_BINARY && strcmp(e->text, ">") == 0;
  node *by = is ? e->arg[0] : NULL;
  variable *v = &h->of[0];
  if (!by || by->kind != N_UNARY || strcmp(by->text, "--") || strcmp(by->arg[0]->text, v->name))
    return false;
  v->from = new_binary(r, v, "-", v->from, new_integer(r, v, 1));
  snprintf(e->text, C_NAME, ">=");
  e->arg[0] = by->arg[0];
  v->by = -1;
  return true;
}

/* i = 0 of the header: a variable, or an assignment to data, which is one of the nest. */
static bool begins(reader *r, header *h, int k)
{
  token t = r->in.now;
  int a = t.kind == T_NAME ? c_find_array(r->n, t.text) : -1;
  char place[16];
  if (t.kind != T_NAME || h->n == VARIABLES)
    return c_refuse(r, t.line, t.column, "expected the variable of the loop, found %s", c_found(r));
  if (a >= 0 && !r->n->array[a].integer) {
    snprintf(place, sizeof place, "%d", k);
    if (c_push_place(r, place)) {
      c_simple_assignment(r);
      r->places--;
    }
    return r->st == OK;
  }
  variable *v = &h->of[h->n++];
  *v = (variable){ .line = t.line, .column = t.column };
  memcpy(v->name, t.text, C_NAME);
  c_next(r);
  if (!c_expect(r, "="))
    return false;
  v->from = c_expression(r);
  return r->st == OK;
}

/* The variable that each iteration changes and that the end speaks of. */
static bool choose_main(reader *r, header *h)
{
  variable *first = &h->of[0];
  bool ended = false;
  for (int i = 0; i < h->n && !h->main; i++) {
    int64_t by = 0;
    if (h->of[i].by && (h->n == 1 || !growth(h->end, h->of[i].name, &by) || by))
      h->main = &h->of[i];
  }
  for (int i = 0; i < h->n && !h->main; i++)
    h->main = h->of[i].by ? &h->of[i] : NULL;
  if (!h->main)
    return c_refuse(r, first->line, first->column, "nothing ends the loop over %s", first->name);
  return ends_loop(r, h->main, h->end, &ended) &&
         (ended || c_refuse(r, h->main->line, h->main->column, "nothing ends the loop over %s", h->main->name));
}

/* *before: so many assignments stand before the loop. */
static bool read_header(reader *r, header *h, int *before)
{
  if (!c_expect(r, "("))
    return false;
  while (c_is_some_type(r))
    c_next(r);
  do {
    if (!begins(r, h, *before))
      return false;
  } while (++*before && c_accept(r, ","));
  if (h->n == 0)
    return c_refuse(r, r->in.now.line, r->in.now.column, "expected the variable of the loop, found %s", c_found(r));
  if (!c_expect(r, ";"))
    return false;
  h->end = c_expression(r);
  if (!c_expect(r, ";"))
    return false;
  if (!ends_in_passing(r, h))
    do {
      if (!increment(r, h))
        return false;
    } while (c_accept(r, ","));
  *before -= h->n;
  return c_expect(r, ")") && choose_main(r, h);
}

static char *affine_text(reader *r, const node *e)
{
  text t = { 0 };
  c_affine(r, e, &t);
  return c_nest_keep_text(r->n, &t);
}

/* Other variables of the header go along: from where they begin, a step for each iteration. */
static void follow(reader *r, const header *h, node *main)
{
  const variable *m = h->main;
  for (int i = 0; i < h->n && r->st == OK; i++) {
    const variable *v = &h->of[i];
    if (v == m)
      continue;
    text value = { 0 };
    c_affine(r, v->from, &value);
    if (v->by && (m->by == 1 || m->by == -1)) {
      text_printf(&value, " + %lld*(v_%s - (", (long long)(v->by / m->by), m->name);
      c_affine(r, m->from, &value);
      text_add(&value, "))");
    } else if (v->by)
      text_printf(&value, " + %lld*v_%s", (long long)v->by, m->name);
    c_add_alias(r, v->name, v->by ? new_binary(r, v, "+", v->from, main) : v->from, &value);
  }
}

/* How many iterations there are: of for (i = a; i < b; i++) b - a; NULL: it is not said. */
static node *length_of(reader *r, const variable *v, const node *end)
{
  int64_t grows = 0;
  if (end->kind != N_BINARY || c_level(end->text) != L_ORDER || (v->by != 1 && v->by != -1))
    return NULL;
  bool first = end->arg[0]->kind == N_NAME && strcmp(end->arg[0]->text, v->name) == 0;
  const node *self = end->arg[!first], *last = end->arg[first];
  if (self->kind != N_NAME || strcmp(self->text, v->name) || !growth(last, v->name, &grows) || grows)
    return NULL;
  node *n = v->by > 0 ? c_binary(r, (node *)last, "-", v->from) : c_binary(r, v->from, "-", (node *)last);
  return end->text[1] ? c_binary(r, n, "+", new_integer(r, v, 1)) : n;
}

/* A step of 1 or -1 keeps the variable; another counts the iterations. */
static void enter_loop(reader *r, const header *all)
{
  const variable *h = all->main;
  text value = { 0 }, inside = { 0 }, place = { 0 };
  bool unit = h->by == 1 || h->by == -1;
  token t = { .line = h->line, .column = h->column };
  node *name = c_new_node(r, N_NAME, &t);
  memcpy(name->text, h->name, C_NAME);
  if (!unit) {
    text_add(&value, "(");
    c_affine(r, h->from, &value);
    text_printf(&value, ") + %lld*", (long long)h->by);
  }
  text_printf(&value, "v_%s", h->name);
  loop l = { .top = h->by == -1 && !c_has_loops(r, h->from) ? affine_text(r, h->from) : NULL };
  l.id = ++r->loops_read;
  l.by = h->by;
  l.from = h->from;
  l.length = length_of(r, h, all->end);
  memcpy(l.name, h->name, C_NAME);
  l.value = c_nest_keep_text(r->n, &value);
  r->loop[r->loops++] = l;
  follow(r, all, name);
  if (unit)
    c_comparison(r, name, h->by > 0 ? ">=" : "<=", h->from, &inside);
  else
    text_printf(&inside, "v_%s >= 0", h->name);
  text_add(&inside, " and ");
  c_condition(r, all->end, &inside);
  text_printf(&place, "%sv_%s", unit && h->by < 0 ? "-" : "", h->name);
  c_push_condition(r, c_nest_keep_text(r->n, &inside), h->line, h->column);
  r->place[r->places++] = c_nest_keep_text(r->n, &place);
}

void c_for_loop(reader *r)
{
  header h = { .n = 0 };
  int before = 0, aliases = r->aliases, places = r->places;
  if (!read_header(r, &h, &before))
    return;
  const variable *v = h.main;
  for (int i = 0; i < r->loops; i++)
    if (strcmp(r->loop[i].name, v->name) == 0)
      c_refuse(r, v->line, v->column, "'%s' is the variable of a loop around this one already", v->name);
  if (r->loops == LOOPS)
    c_refuse(r, v->line, v->column, "there are more than %d loops inside each other", LOOPS);
  char place[16];
  snprintf(place, sizeof place, "%d", before + h.n);
  if (before > 0)
    c_push_place(r, place);
  if (r->places >= 2 * LEVELS - 2)
    c_refuse(r, v->line, v->column, "this is nested too deeply");
  if (r->st != OK)
    return;
  enter_loop(r, &h);
  if (r->loops == 1)
    c_swaps_begin(r);
  r->loop_body = true;
  c_placed_statement(r, 0);
  r->places = places;
  r->aliases = aliases;
  r->loops--;
  r->conditions--;
  if (r->loops == 0)
    c_swaps_end(r);
}
