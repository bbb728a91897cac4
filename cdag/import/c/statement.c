/* statement.c -- statements, and integers that stand for affine forms. */
#include "cdag/import/c/reader.h"
#include "base/mem.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- integers that stand for affine forms ---- */

const char *c_text_at(const reader *r) { return r->in.inside ? r->in.after[0] : r->in.at; }

int c_assignments(const char *s, const char *end, const char *name)
{
  int n = 0;
  const char *begin = s;
  while ((s = c_lex_find(s, end, name)) != NULL) {
    const char *before = s, *after = s + strlen(name);
    while (before > begin && strchr(" \t\r\n", before[-1]))
      before--;
    bool word = before > begin && (isalnum((unsigned char)before[-1]) || strchr("_,*", before[-1]));
    bool stepped = before > begin + 1 && before[-1] == before[-2] && strchr("+-", before[-1]);
    after += strspn(after, " \t\r\n");
    bool plain = after[0] == '=' && after[1] != '=', by = strchr("+-*/%|&", *after) && *after && after[1] == '=';
    bool steps = strchr("+-", *after) && *after && after[1] == *after;
    n += (!word && plain) || by || steps || stepped;
    s += strlen(name);
  }
  return n;
}

void c_add_alias(reader *r, const char *name, node *of, text *value)
{
  alias a = { .of = of, .loops = r->loops };
  snprintf(a.name, C_NAME, "%s", name);
  a.value = value ? c_nest_keep_text(r->n, value) : NULL;
  r->alias = mem_grow(r->alias, (size_t)r->aliases + 1, sizeof *r->alias);
  r->alias[r->aliases++] = a;
}

void c_add_affine_alias(reader *r, const char *name, node *of)
{
  text value = { 0 };
  bool later = r->rows == C_ROWS_IN_WORDS && c_is_flat(r, of, &(c_array){ .rank = 1 });
  if (!later) /* or each index that it stands in says what it is there */
    c_affine(r, of, &value);
  c_add_alias(r, name, of, &value);
}

static void statement(reader *r);

void c_placed_statement(reader *r, int k)
{
  char place[16];
  snprintf(place, sizeof place, "%d", k);
  if (c_push_place(r, place)) {
    statement(r);
    r->places--;
  }
}

static void block(reader *r, bool of_loop)
{
  int conditions = r->conditions, aliases = r->aliases, arrays = r->n->arrays;
  const char *end = r->end;
  r->end = c_text_at(r);
  for (int depth = 1; *r->end && depth > 0; r->end++)
    depth += *r->end == '{' ? 1 : *r->end == '}' ? -1 : 0;
  if (c_at(r, "}"))
    r->end = c_text_at(r);
  for (int k = 0; r->st == OK && !c_at(r, "}"); k++) {
    if (r->in.now.kind == T_END)
      c_refuse(r, r->in.now.line, r->in.now.column, "expected '}', found %s", c_found(r));
    else
      c_placed_statement(r, k);
    if (r->skipped)
      c_leave_out(r, of_loop);
  }
  r->conditions = conditions;
  r->aliases = aliases;
  for (; arrays < r->n->arrays; arrays++)
    r->n->array[arrays].hidden = true;
  r->end = end;
  c_expect(r, "}");
}

/* An integer that is assigned once in all, and affine, is none of the data. */
static bool is_alias(reader *r, const node *left, const node *right)
{
  int a = left->kind == N_NAME ? c_find_array(r->n, left->text) : -1;
  return a >= 0 && r->n->array[a].integer && r->loops > 0 && r->guards == 0 && c_integral(r, right) &&
         c_assignments(r->body, r->end, left->text) == 1;
}

/* a = b = e: from right to left. */
static void assign(reader *r, node *left, const char *sign)
{
  node *right = c_expression(r);
  token t = r->in.now;
  if (r->st == OK && c_accept(r, "=")) {
    bool room = c_push_place(r, "0");
    if (room && (right->kind == N_NAME || right->kind == N_INDEX))
      assign(r, right, "=");
    else if (room)
      c_refuse(r, t.line, t.column, "this is no assignment to data");
    if (r->st == OK) {
      r->places--;
      c_push_place(r, "1");
      c_assignment(r, left, sign, right);
    }
    r->places -= room;
  } else if (r->st == OK && strcmp(sign, "=") == 0 && is_alias(r, left, right))
    c_add_affine_alias(r, left->text, right);
  else if (r->st == OK)
    c_assignment(r, left, sign, right);
}

void c_simple_assignment(reader *r)
{
  token t = r->in.now;
  if (c_counter_steps(r))
    return;
  node *left = c_unary(r);
  token sign = r->in.now;
  bool steps = left->kind == N_UNARY && (left->text[0] == left->text[1]);
  left = steps ? left->arg[0] : left;
  if (r->st == OK && left->kind != N_NAME && left->kind != N_INDEX)
    c_refuse(r, t.line, t.column, "this is no assignment to data");
  else if (r->st == OK && left->kind == N_NAME && c_is_integer_name(r, left->text))
    c_refuse(r, t.line, t.column, "'%s' steers loops or indices and cannot be assigned in the nest", left->text);
  else if (steps)
    c_assignment(r, left, "+=", c_new_node(r, N_INTEGER, &t));
  else if (c_accept(r, "=") || c_accept(r, "+=") || c_accept(r, "-=") || c_accept(r, "*=") || c_accept(r, "/="))
    assign(r, left, sign.text);
  else
    c_refuse(r, sign.line, sign.column, "expected an assignment, found %s", c_found(r));
}

/* a = 1, b = 2;  Each after the first has a place of its own: 0 and 1 are those of parts of one assignment. */
static void simple_statement(reader *r)
{
  c_simple_assignment(r);
  for (int k = 2; r->st == OK && c_accept(r, ","); k++) {
    char place[16];
    snprintf(place, sizeof place, "%d", k);
    if (c_push_place(r, place)) {
      c_simple_assignment(r);
      r->places--;
    }
  }
  c_expect(r, ";");
}

/* return e;  The result is an output. */
static void result(reader *r)
{
  token t = r->in.now;
  if (r->loops > 0 || r->conditions > 0)
    c_refuse(r, t.line, t.column, "'return' is read at the end alone");
  node *e = r->st == OK ? c_expression(r) : NULL;
  snprintf(t.text, C_NAME, "result");
  for (int i = 1; c_find_array(r->n, t.text) >= 0 || c_is_integer_name(r, t.text); i++)
    snprintf(t.text, C_NAME, "result_%d", i);
  if (e && r->st == OK && !c_integral(r, e)) {
    int a = c_add_array(r, t.text, t.line, t.column);
    r->n->array[a].returned = true;
    t.kind = T_NAME;
    c_assignment(r, c_new_node(r, N_NAME, &t), "=", e);
  }
  c_expect(r, ";");
}

static void statement(reader *r)
{
  if (++r->depth > DEPTH)
    c_refuse(r, r->in.now.line, r->in.now.column, "this is nested too deeply");
  static const char *const control[] = { "while", "do", "switch", "goto", "break", "continue", NULL };
  for (int i = 0; control[i]; i++)
    if (c_at(r, control[i]))
      c_refuse(r, r->in.now.line, r->in.now.column, "'%s' is not read: control is 'for' and 'if' alone", control[i]);
  while (r->in.now.kind == T_PRAGMA && !r->whole && !strstr(r->in.now.text, "scop"))
    c_next(r);
  bool of_loop = r->loop_body;
  r->loop_body = false;
  if (r->st == OK && c_swap_read(r)) {
    r->depth--;
    return;
  }
  if (r->st == OK && c_accept(r, "{"))
    block(r, of_loop);
  else if (r->st == OK && c_accept(r, "for"))
    c_for_loop(r);
  else if (r->st == OK && c_accept(r, "if"))
    c_if_statement(r);
  else if (r->st == OK && c_accept(r, "return"))
    result(r);
  else if (r->st == OK && c_is_some_type(r))
    c_declaration(r);
  else if (r->st == OK && !c_accept(r, ";") && !c_passed_over(r))
    simple_statement(r);
  r->depth--;
}
