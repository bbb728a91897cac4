/* count.c -- integers that go along with loops: in  for j for k b[idx++] = ...  idx is j*n + k. */
#include "cdag/import/c/reader.h"
#include "base/mem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static alias *find_counter(const reader *r, const char *name)
{
  for (int i = r->aliases - 1; i >= 0; i--)
    if (strcmp(r->alias[i].name, name) == 0)
      return r->alias[i].count ? &r->alias[i] : NULL;
  return NULL;
}

/* Does s..end name an element by the name? */
static bool names_elements(const char *s, const char *end, const char *name)
{
  for (const char *at = s; (at = c_lex_find(at, end, name)) != NULL; at += strlen(name)) {
    int depth = 0;
    for (const char *c = s; c < at; c++)
      depth += *c == '[' ? 1 : *c == ']' ? -1 : 0;
    if (depth > 0)
      return true;
  }
  return false;
}

/* Up to where a value that is given here may hold: the next statement, in no loop or branch of its own, that gives
   another. */
static const char *end_of_value(const reader *r, const char *name)
{
  const char *s = c_text_at(r);
  for (const char *at = s; (at = c_lex_find(at, r->end, name)) != NULL; at += strlen(name)) {
    const char *after = at + strlen(name), *before = at;
    after += strspn(after, " \t\r\n");
    while (before > s && strchr(" \t\r\n", before[-1]))
      before--;
    int depth = 0;
    for (const char *c = s; c < at; c++)
      depth += *c == '{' ? 1 : *c == '}' ? -1 : 0;
    if (depth == 0 && after[0] == '=' && after[1] != '=' && before > s && strchr(";}", before[-1]))
      return at;
  }
  return r->end;
}

/* One step, and elements that are named by it. */
static bool is_counter(const reader *r, const char *name)
{
  const char *end = end_of_value(r, name);
  return c_assignments(c_text_at(r), end, name) == 1 && names_elements(c_text_at(r), end, name);
}

bool c_counter_begins(reader *r, const token *name)
{
  text none = { 0 };
  if (r->global || !c_at(r, "=") || r->guards > 0 || !is_counter(r, name->text))
    return false;
  c_next(r);
  node *from = c_expression(r);
  if (r->st != OK || !c_integral(r, from))
    return r->st == OK && c_refuse(r, name->line, name->column, "'%s' counts on from what is data", name->text);
  c_add_alias(r, name->text, from, &none);
  alias *a = &r->alias[r->aliases - 1];
  a->value = NULL;
  a->count = c_keep(r->n, MEM_NEW(counter, 1));
  *a->count = (counter){ .loops = r->loops, .conditions = r->conditions };
  return true;
}

/* The loops at hand are those of the step. */
static bool take_loops(reader *r, alias *a, const token *t)
{
  counter *c = a->count;
  bool plain = r->guards == 0 && r->whens == 0 && r->conditions - c->conditions == r->loops - c->loops;
  c->inside = r->loops - c->loops;
  memcpy(c->of, r->loop + c->loops, (size_t)c->inside * sizeof *c->of);
  for (int i = 0; i < c->inside && plain; i++)
    plain = c->of[i].by == 1 || c->of[i].by == -1;
  c->ragged = false;
  for (int i = 1; i < c->inside; i++)
    c->ragged = c->ragged || !c->of[i].length || c_has_loops(r, c->of[i].length);
  for (int i = 1; i < c->inside && plain && !c->ragged; i++) {
    text wrong = { 0 };
    text_char(&wrong, '(');
    c_affine(r, c->of[i].length, &wrong);
    text_add(&wrong, ") < 0");
    c_add_claim(r, c->of[i].length, &wrong, "this loop may end before it begins, and an index counts its iterations",
                false);
  }
  return plain || c_refuse(r, t->line, t->column,
                           "'%s' is read where it counts iterations of loops that are all of one length", a->name);
}

/* So many of the step's loops are still at hand. */
static int loops_left(const reader *r, const counter *c)
{
  int n = 0;
  while (n < c->inside && c->loops + n < r->loops && r->loop[c->loops + n].id == c->of[n].id)
    n++;
  return n;
}

static node *integer_node(reader *r, const token *t, int64_t value)
{
  token number = *t;
  number.value = value;
  return c_new_node(r, N_INTEGER, &number);
}

/* The number of the iteration of loop l. */
static node *iteration_of(reader *r, const loop *l, const token *t)
{
  token name = *t;
  memcpy(name.text, l->name, C_NAME);
  node *v = c_new_node(r, N_NAME, &name);
  return l->by > 0 ? c_binary(r, v, "-", l->from) : c_binary(r, l->from, "-", v);
}

/* How many steps came before: iterations of the loops at hand, and, `behind` the step, those of loops that have ended.
 */
static node *steps_before(reader *r, const counter *c, bool behind, const token *t)
{
  int left = loops_left(r, c);
  node *sum = integer_node(r, t, 0);
  for (int i = 0; i < left; i++) {
    node *one = iteration_of(r, &c->of[i], t);
    for (int k = i + 1; k < c->inside; k++)
      one = c_binary(r, one, "*", c->of[k].length);
    sum = c_binary(r, sum, "+", one);
  }
  node *rest = integer_node(r, t, 1);
  for (int k = left; k < c->inside && behind; k++) {
    if (!c->of[k].length)
      c_refuse(r, t->line, t->column, "how often the loop over %s goes on is not said", c->of[k].name);
    else
      rest = c_binary(r, rest, "*", c->of[k].length);
  }
  return behind ? c_binary(r, sum, "+", rest) : sum;
}

static const char ragged[] = "an index that counts"; /* no name in C */

/* All iterations of the step's loops, in which an element is named before the step. */
static node *iterations(reader *r, const alias *a, bool behind, const token *t)
{
  const counter *c = a->count;
  token name = *t;
  snprintf(name.text, C_NAME, "%s", ragged);
  node *all = c_new_node(r, N_CALL, &name);
  if (behind || loops_left(r, c) != c->inside || !c_at(r, "]"))
    c_refuse(r, t->line, t->column, "'%s' is read where it counts iterations of loops that are all of one length",
             a->name);
  for (int i = 0; i < c->inside; i++)
    all->arg[all->n++] = iteration_of(r, &c->of[i], t);
  return all;
}

bool c_is_ragged(const node *index) { return index->kind == N_CALL && strcmp(index->text, ragged) == 0; }

bool c_ragged_index(reader *r, const node *e, c_array *x, text *out)
{
  const node *index = e->arg[0];
  int named = 0;
  bool good = true;
  for (const char *at = r->body; (at = c_lex_find(at, r->end, x->name)) != NULL; at += strlen(x->name))
    named++;
  if (named != 1 || x->rank != 1)
    return c_refuse(r, e->line, e->column,
                    "%s is named by a counter of loops of several lengths, which is read where nothing else names it",
                    x->name);
  for (int i = 0; i < index->n && good; i++) {
    text_add(out, i ? "," : "");
    good = c_affine(r, index->arg[i], out);
  }
  x->rank = index->n;
  x->extent[0] = NULL;
  return good;
}

static node *value_of(reader *r, alias *a, bool behind, const token *t)
{
  if (a->count->ragged)
    return iterations(r, a, behind, t);
  node *steps = steps_before(r, a->count, behind, t);
  return c_binary(r, a->of, "+", c_binary(r, integer_node(r, t, a->count->by), "*", steps));
}

/* The step is read: it is where it was taken to be, or no access was before it. */
static void take_step(reader *r, alias *a, int64_t by, const token *t)
{
  counter *c = a->count;
  int taken = c->inside;
  if (c->by && (c->by != by || taken != r->loops - c->loops || loops_left(r, c) != taken))
    c_refuse(r, t->line, t->column, "'%s' is read by accesses in the loop of its step and behind it alone", a->name);
  c->by = by;
  c->read = true;
  if (r->st == OK)
    take_loops(r, a, t);
}

/* What the step will be, from the text. */
static int64_t step_ahead(const reader *r, const char *name)
{
  const char *s = c_text_at(r);
  for (const char *at = s; (at = c_lex_find(at, r->end, name)) != NULL; at += strlen(name)) {
    const char *after = at + strlen(name), *before = at;
    after += strspn(after, " \t\r\n");
    while (before > s && strchr(" \t\r\n", before[-1]))
      before--;
    if (!strncmp(after, "++", 2) || !strncmp(before - 2, "++", 2))
      return 1;
    if (!strncmp(after, "--", 2) || !strncmp(before - 2, "--", 2))
      return -1;
    if (*after && strchr("+-", *after) && after[1] == '=') {
      char *end;
      long by = strtol(after + 2, &end, 0);
      return *after == '-' ? -by : by;
    }
  }
  return 0;
}

/* idx = e; of a counter, or of an integer that becomes one; the `=` comes next. */
static bool begins_again(reader *r, const token *name, bool counts)
{
  c_lexer at = r->in;
  c_next(r);
  if (c_counter_begins(r, name))
    return true;
  if (counts && r->st == OK)
    c_refuse(r, name->line, name->column, "'%s' counts iterations; what it gets here is not read", name->text);
  if (r->st == OK)
    r->in = at;
  return r->st != OK;
}

/* ++x; */
static void steps_at_once(reader *r)
{
  token sign = r->in.now;
  c_next(r);
  token name = r->in.now;
  alias *of = name.kind == T_NAME ? find_counter(r, name.text) : NULL;
  if (of) {
    c_next(r);
    take_step(r, of, sign.text[0] == '+' ? 1 : -1, &name);
  } else {
    node *left = c_unary(r);
    if (r->st == OK && (!c_is_data(r, left) || c_is_integer_name(r, left->text)))
      c_refuse(r, name.line, name.column, "this is no assignment to data");
    else if (r->st == OK)
      c_assignment(r, left, sign.text[0] == '+' ? "+=" : "-=", integer_node(r, &name, 1));
  }
}

/* idx++; idx += 2; */
static void steps(reader *r, alias *of)
{
  token name = r->in.now;
  c_next(r);
  token sign = r->in.now;
  int64_t by = 1;
  if (!c_accept(r, "++") && !c_accept(r, "--")) {
    node *e = c_accept(r, "+=") || c_accept(r, "-=") ? c_expression(r) : NULL;
    if (r->st == OK && (!e || !c_fixed_value(r, e, &by)))
      c_refuse(r, sign.line, sign.column, "'%s' counts iterations: a number is added to it", name.text);
  }
  take_step(r, of, sign.text[0] == '-' ? -by : by, &name);
}

bool c_counter_steps(reader *r)
{
  token t = r->in.now;
  const char *ahead = c_lex_ahead(&r->in);
  int a = t.kind == T_NAME ? c_find_array(r->n, t.text) : -1;
  alias *of = t.kind == T_NAME ? find_counter(r, t.text) : NULL;
  bool scalar = a >= 0 && r->n->array[a].integer && r->n->array[a].rank == 0;
  if ((of || scalar) && ahead[0] == '=' && ahead[1] != '=')
    return begins_again(r, &t, of != NULL);
  bool before = c_at(r, "++") || c_at(r, "--");
  if (before)
    steps_at_once(r);
  else if (of)
    steps(r, of);
  return before || of;
}

node *c_counted(reader *r, node *e)
{
  alias *a = e->kind == N_NAME && r->st == OK ? find_counter(r, e->text) : NULL;
  token t = { .line = e->line, .column = e->column };
  if (!a)
    return e;
  counter *c = a->count;
  token sign = r->in.now;
  if (c_at(r, "++") || c_at(r, "--")) {
    c_next(r);
    take_step(r, a, sign.text[0] == '+' ? 1 : -1, &t);
    return r->st == OK ? value_of(r, a, false, &t) : e;
  }
  if (!c->read) { /* taken to be in the loop of the step */
    int64_t by = step_ahead(r, a->name);
    if (!c->by && by)
      take_step(r, a, by, &t);
    c->read = false;
    if (!by || loops_left(r, c) != c->inside || c->loops + c->inside != r->loops)
      c_refuse(r, t.line, t.column, "'%s' is read by accesses in the loop of its step and behind it alone", a->name);
  }
  return r->st == OK ? value_of(r, a, c->read, &t) : e;
}
