#include "cdag/parts.h"
#include "cdag/cdag_internal.h"
#include "base/mem.h"
#include <string.h>

/* ---- arrays that rules join ---- */

/* of[a]: the least array that is joined with a. */
static void join_arrays(const cdag *g, int *of)
{
  for (int a = 0; a < g->arrays; a++)
    of[a] = a;
  for (bool more = true; more;) {
    more = false;
    for (int a = 0; a < g->arrays; a++)
      for (int t = 0; t < g->array[a].terms; t++) {
        int b = g->array[a].term[t].array, least = of[a] < of[b] ? of[a] : of[b];
        more |= of[a] != of[b];
        of[a] = of[b] = least;
      }
  }
}

/* ---- the index that says which part ---- */

bool cdag_passes_on(const cdag *g, const cdag_term *t, int s, int r)
{
  const expr *e = t->guarded == s + 1 ? t->index[s].lo->arg[0] : t->index[s].lo;
  return t->index[s].kind == CDAG_AT && expr_is_slot(e, g->params + r);
}

bool cdag_passes(const cdag *g, int array, const cdag_term *t, int q, cdag_passed *p)
{
  const cdag_index x = cdag_plain_index(g, array, t, q);
  int n = 0, rank = g->array[array].rank;
  if (x.kind != CDAG_AT || !x.affine)
    return false;
  p->base = x.base;
  for (int r = 0; r < rank; r++)
    if (x.coef[r]) {
      n++;
      p->v = r;
      p->sign = x.coef[r];
    }
  return n == 1 && (p->sign == 1 || p->sign == -1);
}

/* From what is known of one of the two arrays to the other.  False when the term does not pass the index on. */
static bool pass_on(const cdag *g, int a, const cdag_term *t, int *index, bool *more)
{
  int b = t->array, rank = g->array[b].rank;
  if (index[a] >= 0 && index[b] < 0) {
    int s = 0;
    while (s < rank && !cdag_passes_on(g, t, s, index[a]))
      s++;
    if (s == rank)
      return false;
    index[b] = s;
    *more = true;
  }
  if (index[b] >= 0 && index[a] < 0) {
    for (int r = 0; r < g->array[a].rank && index[a] < 0; r++)
      if (cdag_passes_on(g, t, index[b], r))
        index[a] = r;
    *more = true;
  }
  return (index[a] < 0 && index[b] < 0) || (index[a] >= 0 && cdag_passes_on(g, t, index[b], index[a]));
}

static bool spread(const cdag *g, const bool *kept, int *index)
{
  for (bool more = true; more;) {
    more = false;
    for (int a = 0; a < g->arrays; a++)
      for (int t = 0; kept[a] && t < g->array[a].terms; t++)
        if (!pass_on(g, a, &g->array[a].term[t], index, &more))
          return false;
  }
  return true;
}

/* The range of the index, the same numbers for every array. */
static bool one_range(const cdag *g, const bool *kept, const int *index, int64_t *lo, int64_t *hi)
{
  bool first = true;
  for (int a = 0; a < g->arrays; a++) {
    if (!kept[a])
      continue;
    if (index[a] < 0 || g->priv->dom[a].lo[index[a]].var != -1 || g->priv->dom[a].hi[index[a]].var != -1)
      return false;
    int64_t from = g->priv->dom[a].lo[index[a]].base, to = g->priv->dom[a].hi[index[a]].base;
    if (!first && (from != *lo || to != *hi))
      return false;
    *lo = from;
    *hi = to;
    first = false;
  }
  return true;
}

static bool reads(const cdag *g, const expr *e, int r) { return e && expr_uses(e, g->params + r, g->params + r + 1); }

/* Does the rule of the array, or its domain, read variable r but where the index is passed on? */
static bool reads_beside(const cdag *g, int array, int r, const int *index)
{
  const cdag_array *a = &g->array[array];
  bool found = false;
  for (int q = 0; q < a->rank; q++)
    found |= q != r && (reads(g, a->lo[q], r) || reads(g, a->hi[q], r));
  for (int t = 0; t < a->terms; t++)
    found |= reads(g, cdag_term_condition(&a->term[t]), r);
  for (int t = 0; t < a->terms; t++)
    for (int q = 0; q < g->array[a->term[t].array].rank; q++)
      found |=
          q != index[a->term[t].array] && (reads(g, a->term[t].index[q].lo, r) || reads(g, a->term[t].index[q].hi, r));
  return found;
}

/* Does the selection take all parts or none, each by itself: `*`, or a variable over the whole range that nothing else
 * reads? */
static bool selects_alike(const cdag *g, const cdag_selection *s, int at, int64_t lo, int64_t hi)
{
  const cdag_index *x = &s->index[at];
  expr_env env = { g->param_value, g->table };
  int64_t from, to;
  if (x->kind == CDAG_ALL)
    return true;
  if (x->kind != CDAG_AT || x->lo->op != EXPR_SLOT || x->lo->slot < g->params)
    return false;
  int v = x->lo->slot - g->params;
  for (int r = 0; r < g->array[s->array].rank; r++)
    if (r != at && (reads(g, s->index[r].lo, v) || reads(g, s->index[r].hi, v)))
      return false;
  for (int q = 0; q < s->vars; q++)
    if (reads(g, s->var_lo[q], v) || reads(g, s->var_hi[q], v))
      return false;
  return !expr_uses(s->var_lo[v], g->params, g->params + CDAG_RANK) &&
         !expr_uses(s->var_hi[v], g->params, g->params + CDAG_RANK) &&
         expr_eval(s->var_lo[v], &env, &from, NULL) == EXPR_OK && expr_eval(s->var_hi[v], &env, &to, NULL) == EXPR_OK &&
         from <= lo && to >= hi;
}

static bool selections_alike(const cdag *g, const bool *kept, const int *index, int64_t lo, int64_t hi)
{
  for (int i = 0; i < g->selections; i++)
    if (kept[g->selection[i].array] && !selects_alike(g, &g->selection[i], index[g->selection[i].array], lo, hi))
      return false;
  return true;
}

/* ---- the list ---- */

static cdag_part *add_part(const cdag *g, cdag_parts *p, size_t *room, const bool *kept, const int *index,
                           int64_t value)
{
  p->part = mem_room(p->part, (size_t)p->n, room, sizeof *p->part);
  cdag_part *q = &p->part[p->n++];
  *q = (cdag_part){ MEM_NEW(bool, (size_t)g->arrays), MEM_NEW(int, (size_t)g->arrays), value, false, 1 };
  memcpy(q->kept, kept, (size_t)g->arrays * sizeof *kept);
  memcpy(q->dropped, index, (size_t)g->arrays * sizeof *index);
  return q;
}

/* Parts by index r of the first of these arrays. */
static bool cut_at(const cdag *g, const bool *kept, int first, int r, int *index, cdag_parts *p, size_t *room)
{
  int64_t lo = 0, hi = 0;
  bool alike = true;
  for (int a = 0; a < g->arrays; a++)
    index[a] = a == first ? r : -1;
  if (!spread(g, kept, index) || !one_range(g, kept, index, &lo, &hi) || hi - lo < 2 ||
      !selections_alike(g, kept, index, lo, hi))
    return false;
  for (int a = 0; a < g->arrays; a++)
    alike &= !kept[a] || !reads_beside(g, a, index[a], index);
  if (!alike && hi - lo > CDAG_PARTS)
    return false;
  for (int64_t v = lo; v < (alike ? lo + 1 : hi); v++) {
    cdag_part *q = add_part(g, p, room, kept, index, v);
    q->alike = alike;
    q->copies = alike ? (uint64_t)(hi - lo) : 1;
  }
  return true;
}

static bool has_output(const cdag *g, const bool *kept)
{
  for (int a = 0; a < g->arrays; a++)
    if (kept[a] && cdag_has_output(g, a))
      return true;
  return false;
}

/* An index of an array that has no other cannot be left out; several rules for an array are not looked into. */
static bool can_do_without(const cdag *g, const bool *kept)
{
  for (int a = 0; a < g->arrays; a++)
    if (kept[a] && (g->array[a].rank < 2 || (g->priv->piece && g->priv->piece[a].n > 0)))
      return false;
  return !g->graph;
}

static void cut_arrays(const cdag *g, const bool *kept, int first, cdag_parts *p, size_t *room)
{
  SCOPED_MEM int *index = MEM_NEW(int, (size_t)g->arrays);
  bool cut = false;
  for (int r = 0; r < g->array[first].rank && !cut && can_do_without(g, kept); r++)
    cut = cut_at(g, kept, first, r, index, p, room);
  for (int a = 0; a < g->arrays; a++)
    index[a] = -1;
  if (!cut)
    add_part(g, p, room, kept, index, 0);
}

void cdag_parts_find(const cdag *g, cdag_parts *p)
{
  SCOPED_MEM int *of = MEM_NEW(int, (size_t)g->arrays);
  SCOPED_MEM bool *kept = MEM_NEW(bool, (size_t)g->arrays);
  size_t room = 0;
  *p = (cdag_parts){ .whole = true };
  join_arrays(g, of);
  for (int first = 0; first < g->arrays; first++) {
    if (of[first] != first)
      continue;
    for (int a = 0; a < g->arrays; a++)
      kept[a] = of[a] == first;
    if (has_output(g, kept) || g->graph)
      cut_arrays(g, kept, first, p, &room);
    else
      p->whole = false;
  }
}

void cdag_parts_clear(cdag_parts *p)
{
  for (int i = 0; i < p->n; i++) {
    mem_free(p->part[i].kept);
    mem_free(p->part[i].dropped);
  }
  mem_free(p->part);
  *p = (cdag_parts){ 0 };
}

status cdag_print_value(text *out, const cdag *g, const int *dropped, const bool *kept, int64_t value, diag *d)
{
  for (int a = 0; a < g->arrays; a++) {
    if (dropped[a] < 0 || (kept && !kept[a]))
      continue;
    const char *name = g->array[a].var[dropped[a]];
    bool before = name[0] == '\0';
    for (int b = 0; b < a; b++)
      before |= (!kept || kept[b]) && dropped[b] >= 0 && strcmp(name, g->array[b].var[dropped[b]]) == 0;
    if (!before && cdag_find_param(g, name) >= 0)
      return diag_set(d, BAD_INPUT, "name", "%s is a parameter already", name);
    if (!before)
      text_printf(out, "param %s = %lld\n", name, (long long)value);
  }
  return OK;
}

status cdag_part_open(cdag **out, const cdag *g, const cdag_part *part, diag *d)
{
  SCOPED_TEXT source = { 0 };
  cdag_view view = { .kept = part->kept, .dropped = part->dropped };
  *out = NULL;
  status st = part->alike ? OK : cdag_print_value(&source, g, part->dropped, part->kept, part->value, d);
  cdag_print_view(&source, g, &view);
  if (st == OK)
    st = cdag_parse(out, "part", text_str(&source), "", d);
  return st;
}
