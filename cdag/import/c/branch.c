/* branch.c -- conditions around statements: on loop variables, and on data. */
#include "cdag/import/c/reader.h"
#include <stdio.h>
#include <string.h>

/* if (e) continue;  What follows in the loop's body is where e does not hold. */
static bool skips(reader *r, const node *e)
{
  const char *ahead = c_lex_ahead(&r->in);
  bool braces = c_at(r, "{") && strncmp(ahead, "continue", 8) == 0;
  if (!braces && !c_at(r, "continue"))
    return false;
  if (!c_integral(r, e))
    return c_refuse(r, e->line, e->column, "a condition that leaves iterations out is affine");
  if (braces)
    c_next(r);
  c_next(r);
  c_expect(r, ";");
  if (braces)
    c_expect(r, "}");
  r->skipped = c_condition_text(r, e, false);
  return true;
}

typedef struct {
  node *left, *right;
  char sign[4];
} one_assignment;

/* Where the statement at s ends, or its list of assignments goes on. */
static const char *end_of_assignment(const char *s)
{
  while (*s && !strchr(";,{}", *s))
    s = strchr("([", *s) ? c_lex_behind(s) : s + 1;
  return s;
}

/* Is what comes an assignment, in brackets or not? */
static bool is_one_assignment(const reader *r)
{
  static const char *const control[] = { "for", "if", "while", "continue", "break", NULL };
  bool braces = c_at(r, "{");
  const char *s = braces ? c_lex_ahead(&r->in) : r->in.now.rest, *end = s + strcspn(s, ";{}=");
  for (int i = 0; control[i]; i++)
    if (c_lex_find(s, end, control[i]) == s)
      return false;
  bool is = r->in.inside == 0 && *end == '=';
  end = end_of_assignment(end);
  c_lexer behind = { .at = *end ? end + 1 : end };
  return is && *end == ';' && (!braces || *c_lex_ahead(&behind) == '}');
}

static void read_one_assignment(reader *r, one_assignment *a)
{
  bool braces = c_accept(r, "{");
  a->left = c_unary(r);
  snprintf(a->sign, sizeof a->sign, "%.3s", r->in.now.text);
  if (r->st == OK && !c_is_data(r, a->left))
    c_refuse(r, r->in.now.line, r->in.now.column, "this is no assignment to data");
  if (r->st == OK &&
      !(c_accept(r, "=") || c_accept(r, "+=") || c_accept(r, "-=") || c_accept(r, "*=") || c_accept(r, "/=")))
    c_refuse(r, r->in.now.line, r->in.now.column, "expected an assignment, found %s", c_found(r));
  a->right = c_expression(r);
  c_expect(r, ";");
  if (braces)
    c_expect(r, "}");
}

/* Statement k, or the assignment a, under a condition on data. */
static void statement_under(reader *r, node *guard, const one_assignment *a, int k)
{
  if (r->guards == LEVELS) {
    c_refuse(r, guard->line, guard->column, "this is nested too deeply");
    return;
  }
  r->guard[r->guards++] = guard;
  if (!a)
    c_placed_statement(r, k);
  else if (r->st == OK && c_push_place(r, k == 1 ? "1" : "2")) {
    c_assignment(r, a->left, a->sign, a->right);
    r->places--;
  }
  r->guards--;
}

/* A word that holds what e says, for several assignments read it and some may change what e reads. */
static node *held(reader *r, const node *e)
{
  char name[C_NAME];
  token t = { .kind = T_NAME, .line = e->line, .column = e->column };
  snprintf(name, sizeof name, "if_%d", r->n->arrays);
  memcpy(t.text, name, C_NAME);
  bool before = r->global;
  r->global = false;
  int a = c_add_array(r, name, e->line, e->column);
  r->global = before;
  r->n->array[a].rank = 0;
  node *word = c_new_node(r, N_NAME, &t);
  int guards = r->guards;
  if (c_push_place(r, "0")) {
    r->guards = 0;
    c_assignment(r, word, "=", e);
    r->guards = guards;
    r->places--;
  }
  return word;
}

/* if (c) x = a; else x = b; */
static void assign_either(reader *r, node *e, const one_assignment *a, const one_assignment *b)
{
  token t = { .line = e->line, .column = e->column };
  node *choice = c_new_node(r, N_CHOICE, &t);
  choice->n = 3;
  choice->arg[0] = e;
  choice->arg[1] = a->right;
  choice->arg[2] = b->right;
  c_assignment(r, a->left, "=", choice);
}

/* An `if` on data: what it assigns reads the condition, and the old value. */
static void if_data(reader *r, node *e)
{
  one_assignment first, second;
  bool one = is_one_assignment(r), other, two;
  if (one)
    read_one_assignment(r, &first);
  other = one && c_accept(r, "else");
  two = other && is_one_assignment(r);
  if (two)
    read_one_assignment(r, &second);
  if (r->st != OK)
    return;
  if (two && c_same(first.left, second.left) && !strcmp(first.sign, "=") && !strcmp(second.sign, "=")) {
    assign_either(r, e, &first, &second);
    return;
  }
  node *guard = one && !other ? e : held(r, e);
  statement_under(r, guard, one ? &first : NULL, 1);
  if (other || (!one && c_accept(r, "else")))
    statement_under(r, guard, two ? &second : NULL, 2);
}

void c_if_statement(reader *r)
{
  int line = r->in.now.line, column = r->in.now.column;
  c_expect(r, "(");
  node *e = c_expression(r);
  c_expect(r, ")");
  if (r->st != OK || skips(r, e) || r->st != OK)
    return;
  if (!c_integral(r, e)) {
    if_data(r, e);
    return;
  }
  char *when[2] = { c_condition_text(r, e, true), c_condition_text(r, e, false) };
  for (int k = 0; k < 2 && r->st == OK; k++) {
    if (k == 1 && !c_accept(r, "else"))
      break;
    int aliases = r->aliases;
    if (c_push_condition(r, when[k], line, column))
      c_placed_statement(r, k);
    r->aliases = aliases;
    r->conditions--;
  }
}

void c_leave_out(reader *r, bool of_loop)
{
  if (!of_loop)
    c_refuse(r, r->in.now.line, r->in.now.column, "'continue' is read in the body of its loop alone");
  else
    c_push_condition(r, r->skipped, r->in.now.line, r->in.now.column);
  r->skipped = NULL;
}
