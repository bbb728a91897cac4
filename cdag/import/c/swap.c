/* swap.c -- two pointers that change places in each iteration of a loop:

     t = p;  p = q;  q = t;

   The arrays that they point at are two sides of one, which has one index more, 0 or 1; in iteration s a pointer is at
   side (s + what it began with) % 2. */
#include "cdag/import/c/reader.h"
#include "base/mem.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  char first[C_NAME], second[C_NAME];
} swapped;

static bool at_sign(const c_lexer *in, const char *sign) { return strcmp(in->now.text, sign) == 0; }

/* Passes over a name, which is kept where there is room for one, or must be that one. */
static bool take_name(c_lexer *in, char *keep, const char *same)
{
  if (in->now.kind != T_NAME || (same && strcmp(in->now.text, same)))
    return false;
  if (keep)
    memcpy(keep, in->now.text, C_NAME);
  c_lex_next(in);
  return true;
}

static bool take_sign(c_lexer *in, const char *sign)
{
  bool is = at_sign(in, sign);
  if (is)
    c_lex_next(in);
  return is;
}

/* `t =`, `double *t =`, `double (*t)[n] =`: the name. */
static bool take_left(c_lexer *in, char *name)
{
  enum { LONGEST = 16 };
  int depth = 0;
  bool any = false;
  for (int k = 0; k < LONGEST && !at_sign(in, "="); k++) {
    if (in->now.kind == T_END || in->now.kind == T_PRAGMA || strchr(";{},", in->now.text[0]))
      return false;
    depth += at_sign(in, "[") - at_sign(in, "]");
    if (in->now.kind == T_NAME && depth == 0) {
      memcpy(name, in->now.text, C_NAME);
      any = true;
    }
    c_lex_next(in);
  }
  return any && take_sign(in, "=");
}

/* Are the statements there such a swap?  Then *in is behind them. */
static bool take_swap(c_lexer *in, swapped *s)
{
  c_lexer at = *in;
  char name[C_NAME];
  if (at.now.kind != T_NAME || !take_left(&at, name) || !take_name(&at, s->first, NULL) || !take_sign(&at, ";") ||
      !take_name(&at, NULL, s->first) || !take_sign(&at, "=") || !take_name(&at, s->second, NULL) ||
      !take_sign(&at, ";") || !take_name(&at, NULL, s->second) || !take_sign(&at, "=") || !take_name(&at, NULL, name) ||
      !at_sign(&at, ";"))
    return false;
  *in = at;
  return true;
}

/* Swaps from here on, up to the end of the block that begins here, or (all) of all that comes: of the name, or of any;
   those of blocks inside (not *plain) are counted too.  The last one is *last. */
static int swaps_ahead(const reader *r, const char *name, bool all, bool *plain, swapped *last)
{
  c_lexer in = r->in;
  int depth = 0, n = 0;
  bool begins = false;
  *plain = true;
  while (in.now.kind != T_END && (all ? c_lex_ahead(&in) < r->end : true)) {
    swapped s;
    if (begins && take_swap(&in, &s) && (!name || !strcmp(s.first, name) || !strcmp(s.second, name))) {
      *plain = *plain && depth == 1 && (n == 0 || (!strcmp(s.first, last->first) && !strcmp(s.second, last->second)));
      *last = s;
      n++;
    }
    depth += at_sign(&in, "{") - at_sign(&in, "}");
    begins = at_sign(&in, "{") || at_sign(&in, "}") || at_sign(&in, ";") || at_sign(&in, ")");
    if (!all && depth == 0)
      break;
    c_lex_next(&in);
  }
  return n;
}

int c_swaps_of(const reader *r, const char *name)
{
  bool plain;
  swapped last;
  return swaps_ahead(r, name, true, &plain, &last);
}

/* ---- sides ---- */

static node *number(reader *r, const token *t, int64_t value)
{
  token own = *t;
  own.value = value;
  return c_new_node(r, N_INTEGER, &own);
}

/* e % 2 */
static node *side_of(reader *r, node *e, const token *t)
{
  return e->kind == N_INTEGER ? number(r, t, e->value % 2) : c_binary(r, e, "%", number(r, t, 2));
}

/* What the pointer, or the array, of that name points at: the first element of a whole array. */
static node *whole_array(reader *r, const char *name, const token *t)
{
  token own = *t;
  snprintf(own.text, C_NAME, "%s", name);
  node *place = c_pointed_at(r, c_new_node(r, N_NAME, &own));
  bool first = place && place->n == 1 && place->arg[0]->kind == N_INTEGER && place->arg[0]->value == 0;
  return first ? place : NULL;
}

/* Both become sides of one: 0 is that of the first one declared. */
static bool are_twins(reader *r, int a, int b)
{
  c_array *x = &r->n->array[a < b ? a : b], *y = &r->n->array[a < b ? b : a];
  int lead = a < b ? a : b;
  if (x->rank < y->rank && x->rank == 1) { /* the rows of one are known already */
    x->rank = y->rank;
    x->strides = y->strides;
    memcpy(x->stride, y->stride, sizeof x->stride);
  }
  if (a == b || (x->rank != y->rank && y->rank > 1) || x->rank == C_RANK || x->integer != y->integer)
    return false;
  if (x->twin || y->twin)
    return x->twin == lead + 1 && y->twin == lead + 1;
  x->twin = y->twin = lead + 1;
  y->side = 1;
  return true;
}

static void point(reader *r, const char *name, const node *place, node *side)
{
  node *of = c_keep(r->n, MEM_NEW(node, 1));
  *of = *place;
  of->side = side;
  c_add_alias(r, name, of, NULL);
}

/* So many iterations and swaps after they were at their places. */
static void point_both(reader *r, const c_swap *s, node *times, const token *t)
{
  for (int k = 0; k < 2; k++)
    point(r, s->name[k], s->place[k], side_of(r, c_binary(r, times, "+", s->begins[k]), t));
}

void c_swaps_begin(reader *r)
{
  bool plain;
  swapped both;
  const loop *l = &r->loop[r->loops - 1];
  token t = r->in.now;
  int n = r->loops == 1 && c_at(r, "{") ? swaps_ahead(r, NULL, false, &plain, &both) : 0;
  r->swap.each = 0;
  if (n == 0 || !plain || (l->by != 1 && l->by != -1))
    return;
  c_swap *s = &r->swap;
  memcpy(s->name[0], both.first, C_NAME);
  memcpy(s->name[1], both.second, C_NAME);
  for (int k = 0; k < 2; k++) {
    s->place[k] = whole_array(r, s->name[k], &t);
    if (!s->place[k])
      return;
  }
  int a = c_find_array(r->n, s->place[0]->text), b = c_find_array(r->n, s->place[1]->text);
  if (a < 0 || b < 0 || !are_twins(r, a, b))
    return;
  for (int k = 0; k < 2; k++)
    s->begins[k] = s->place[k]->side ? s->place[k]->side : number(r, &t, r->n->array[k ? b : a].side);
  s->each = n;
  s->done = 0;
  token name = t;
  memcpy(name.text, l->name, C_NAME);
  node *v = c_new_node(r, N_NAME, &name);
  node *iteration = l->by > 0 ? c_binary(r, v, "-", l->from) : c_binary(r, l->from, "-", v);
  s->before = c_binary(r, number(r, &t, n), "*", iteration);
  s->all = l->length ? c_binary(r, number(r, &t, n), "*", l->length) : NULL;
  point_both(r, s, s->before, &t);
}

bool c_swap_read(reader *r)
{
  swapped both;
  c_lexer at = r->in;
  c_swap *s = &r->swap;
  token t = r->in.now;
  if (!take_swap(&at, &both) || !whole_array(r, both.first, &t))
    return false;
  if (!s->each || r->loops != 1 || strcmp(both.first, s->name[0]) || strcmp(both.second, s->name[1]))
    return c_refuse(r, t.line, t.column, "'%s' and '%s' are read where each iteration of an outermost loop swaps them",
                    both.first, both.second);
  r->in = at;
  c_expect(r, ";");
  s->done++;
  point_both(r, s, c_binary(r, s->before, "+", number(r, &t, s->done)), &t);
  return true;
}

void c_swaps_end(reader *r)
{
  c_swap *s = &r->swap;
  token t = r->in.now;
  if (s->each && s->all && r->loops == 0)
    point_both(r, s, s->all, &t);
  s->each = 0;
}
