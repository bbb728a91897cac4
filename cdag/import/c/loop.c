/* loop.c -- loops: their headers, and what the variable is in the body. */
#include "cdag/import/c/reader.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  char name[C_NAME];
  int line, column;
  node *from, *end;
  int64_t by;
} header;

/* i++, i += 2, i = i - 1 ... */
static bool increment(reader *r, header *h)
{
  token t = r->in.now;
  if (c_accept(r, "++") || c_accept(r, "--")) {
    h->by = t.text[0] == '+' ? 1 : -1;
    return c_expect(r, h->name);
  }
  if (!c_expect(r, h->name))
    return false;
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
  if (r->st == OK && (!known || e->kind != N_INTEGER || e->value < 1))
    return c_refuse(r, t.line, t.column, "a loop's step is a positive number, added or taken away");
  h->by = known && r->st == OK ? (sign == '+' ? e->value : -e->value) : 1;
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
static bool ends_loop(reader *r, const header *h, node *e, bool *ended)
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

/* for (i = n; i-- > 0;) */
static bool ends_in_passing(reader *r, header *h)
{
  node *e = h->end;
  bool is = r->st == OK && c_at(r, ")") && e->kind == N_BINARY && strcmp(e->text, ">") == 0;
  node *by = is ? e->arg[0] : NULL;
  if (!by || by->kind != N_UNARY || strcmp(by->text, "--") || strcmp(by->arg[0]->text, h->name))
    return false;
  token t = { .line = e->line, .column = e->column };
  node *one = c_new_node(r, N_INTEGER, &t), *less = c_new_node(r, N_BINARY, &t);
  one->value = 1;
  less->text[0] = '-';
  less->n = 2;
  less->arg[0] = h->from;
  less->arg[1] = one;
  h->from = less;
  snprintf(e->text, C_NAME, ">=");
  e->arg[0] = by->arg[0];
  h->by = -1;
  return true;
}

static bool read_header(reader *r, header *h)
{
  bool ended = false;
  if (!c_expect(r, "("))
    return false;
  while (c_is_some_type(r))
    c_next(r);
  h->line = r->in.now.line;
  h->column = r->in.now.column;
  snprintf(h->name, C_NAME, "%s", r->in.now.text);
  if (r->in.now.kind != T_NAME)
    return c_refuse(r, h->line, h->column, "expected the variable of the loop, found %s", c_found(r));
  c_next(r);
  if (!c_expect(r, "="))
    return false;
  h->from = c_expression(r);
  if (!c_expect(r, ";"))
    return false;
  h->end = c_expression(r);
  if (!c_expect(r, ";") || !(ends_in_passing(r, h) || increment(r, h)) || !c_expect(r, ")") ||
      !ends_loop(r, h, h->end, &ended))
    return false;
  return ended || c_refuse(r, h->line, h->column, "nothing ends the loop over %s", h->name);
}

static char *affine_text(reader *r, const node *e)
{
  text t = { 0 };
  c_affine(r, e, &t);
  return c_nest_keep_text(r->n, &t);
}

/* A step of 1 or -1 keeps the variable; another counts the iterations. */
static void enter_loop(reader *r, const header *h)
{
  text value = { 0 }, inside = { 0 }, place = { 0 };
  bool unit = h->by == 1 || h->by == -1;
  node variable = { .kind = N_NAME, .line = h->line, .column = h->column };
  memcpy(variable.text, h->name, C_NAME);
  if (!unit) {
    text_add(&value, "(");
    c_affine(r, h->from, &value);
    text_printf(&value, ") + %lld*", (long long)h->by);
  }
  text_printf(&value, "v_%s", h->name);
  loop l = { .top = h->by == -1 && !c_has_loops(r, h->from) ? affine_text(r, h->from) : NULL };
  memcpy(l.name, h->name, C_NAME);
  l.value = c_nest_keep_text(r->n, &value);
  r->loop[r->loops++] = l;
  if (unit)
    c_comparison(r, &variable, h->by > 0 ? ">=" : "<=", h->from, &inside);
  else
    text_printf(&inside, "v_%s >= 0", h->name);
  text_add(&inside, " and ");
  c_condition(r, h->end, &inside);
  text_printf(&place, "%sv_%s", unit && h->by < 0 ? "-" : "", h->name);
  c_push_condition(r, c_nest_keep_text(r->n, &inside), h->line, h->column);
  r->place[r->places++] = c_nest_keep_text(r->n, &place);
}

void c_for_loop(reader *r)
{
  header h = { .by = 1 };
  if (!read_header(r, &h))
    return;
  for (int i = 0; i < r->loops; i++)
    if (strcmp(r->loop[i].name, h.name) == 0)
      c_refuse(r, h.line, h.column, "'%s' is the variable of a loop around this one already", h.name);
  if (r->loops == LOOPS)
    c_refuse(r, h.line, h.column, "there are more than %d loops inside each other", LOOPS);
  if (r->places >= 2 * LEVELS - 2)
    c_refuse(r, h.line, h.column, "this is nested too deeply");
  if (r->st != OK)
    return;
  enter_loop(r, &h);
  r->loop_body = true;
  c_placed_statement(r, 0);
  r->places--;
  r->loops--;
  r->conditions--;
}
