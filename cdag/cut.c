#include "cdag/cut.h"
#include "base/mem.h"
#include "base/num.h"
#include "cdag/cdag_internal.h"
#include <stdio.h>
#include <string.h>

/* ---- axes ---- */

typedef struct { int id[CDAG_AXIS_ARRAYS][CDAG_RANK]; } joined;

static void join(const cdag *g, joined *j, int from, int to)
{
  for (int a = 0; a < g->arrays; a++)
    for (int r = 0; r < g->array[a].rank; r++)
      if (j->id[a][r] == from)
        j->id[a][r] = to;
}

static void join_reads(const cdag *g, joined *j)
{
  for (int a = 0; a < g->arrays; a++)
    for (int r = 0; r < g->array[a].rank; r++)
      j->id[a][r] = a * CDAG_RANK + r;
  for (int a = 0; a < g->arrays; a++)
    for (int t = 0; t < g->array[a].terms; t++) {
      const cdag_term *term = &g->array[a].term[t];
      for (int q = 0; q < g->array[term->array].rank; q++)
        for (int r = 0; r < g->array[a].rank; r++)
          if (cdag_passes_on(g, term, q, r))
            join(g, j, j->id[a][r], j->id[term->array][q]);
    }
}

static bool is_constant_range(const cdag *g, int array, int r)
{
  const cdag_array *a = &g->array[array];
  int from = g->params, to = g->params + CDAG_RANK;
  return !expr_uses(a->lo[r], from, to) && !expr_uses(a->hi[r], from, to);
}

static bool has_one_rule(const cdag *g, int array) { return g->priv->piece[array].n == 0; }

/* Does any array read, at an axis's index, one that is cut and has several rules itself, or is its output told in a way
   that the parts do not have? */
static bool may_cut(const cdag *g, const cdag_axis *x)
{
  for (int a = 0; a < g->arrays; a++)
    for (int t = 0; t < g->array[a].terms; t++)
      if (x->index[g->array[a].term[t].array] >= 0 && !has_one_rule(g, a))
        return false;
  for (int i = 0; i < g->selections; i++) {
    const cdag_selection *s = &g->selection[i];
    int r = x->index[s->array];
    if (r >= 0 && (s->vars > 0 || (s->index[r].kind != CDAG_ALL && !s->index[r].affine)))
      return false;
  }
  return true;
}

static bool axis_of(const cdag *g, const joined *j, int id, cdag_axis *x)
{
  bool any = false;
  x->lo = INT64_MAX;
  x->hi = INT64_MIN;
  for (int a = 0; a < g->arrays; a++) {
    x->index[a] = -1;
    for (int r = 0; r < g->array[a].rank; r++) {
      if (j->id[a][r] != id)
        continue;
      if (x->index[a] >= 0 || !is_constant_range(g, a, r) || !has_one_rule(g, a))
        return false;
      x->index[a] = (int8_t)r;
      x->lo = num_min(x->lo, g->array[a].hull.lo[r]);
      x->hi = num_max(x->hi, g->array[a].hull.hi[r]);
      any = true;
    }
  }
  return any && may_cut(g, x);
}

int cdag_axes(const cdag *g, cdag_axis *out, int room)
{
  joined j;
  int n = 0;
  if (g->graph || g->copies || g->arrays > CDAG_AXIS_ARRAYS)
    return 0;
  join_reads(g, &j);
  for (int a = 0; a < g->arrays; a++)
    for (int r = 0; r < g->array[a].rank && n < room; r++)
      n += j.id[a][r] == a * CDAG_RANK + r && axis_of(g, &j, j.id[a][r], &out[n]);
  return n;
}

/* ---- the text with parts ---- */

typedef struct {
  const cdag *g;
  const cdag_axis *axis;
  int64_t at;
  char place[CDAG_NAME], (*name)[2][CDAG_NAME];
} cutter;

static bool is_used(const cdag *g, const char *word)
{
  bool used = cdag_reserved(word) || cdag_find_array(g, word) >= 0 || cdag_find_param(g, word) >= 0;
  for (int t = 0; t < g->tables; t++)
    used = used || strcmp(g->table[t].name, word) == 0;
  for (int a = 0; a < g->arrays; a++)
    for (int r = 0; r < g->array[a].rank; r++)
      used = used || strcmp(g->array[a].var[r], word) == 0;
  return used;
}

void cdag_fresh_name(const cdag *g, const char *base, const char *more, char *out)
{
  snprintf(out, CDAG_NAME, "%.40s%s", base, more);
  for (int k = 1; is_used(g, out); k++)
    snprintf(out, CDAG_NAME, "%.40s%s%d", base, more, k);
}

/* Has this part values from lo on, before hi? */
static bool meets(const cutter *w, int part, int64_t lo, int64_t hi)
{
  return part ? hi > w->at : lo < w->at;
}

/* May term t of the array's part read that part of its own array? */
static bool may_read(const cutter *w, int array, int part, const cdag_term *t, int of)
{
  int q = w->axis->index[t->array], own = w->axis->index[array];
  const cdag_index *x = &t->index[q];
  if (x->kind != CDAG_AT || t->guarded == q + 1)
    return own < 0 || !cdag_passes_on(w->g, t, q, own) || of == part;
  if (x->var == -1)
    return meets(w, of, x->base, x->base + 1);
  if (x->var < 0 || x->var != own)
    return true;
  const cdag_box *hull = &w->g->array[array].hull;
  int64_t lo = part ? w->at : hull->lo[own], hi = part ? hull->hi[own] : w->at;
  return meets(w, of, lo + x->base, hi + x->base);
}

static void print_terms(const cutter *w, int array, int part, text *out)
{
  const char **name = MEM_NEW(const char *, (size_t)w->g->arrays);
  cdag_view view = { .name = name };
  const char *first = " = ";
  for (int i = 0; i < w->g->array[array].terms; i++) {
    const cdag_term *t = &w->g->array[array].term[i];
    bool parts = w->axis->index[t->array] >= 0;
    for (int of = 0; of < 1 + parts; of++) {
      if (parts && !may_read(w, array, part, t, of))
        continue;
      name[t->array] = parts ? w->name[t->array][of] : NULL;
      cdag_print_terms(out, w->g, array, t, 1, first, &view);
      first = ", ";
    }
  }
  mem_free(name);
}

static void print_range(const cutter *w, int array, int r, int part, text *out)
{
  const cdag_array *a = &w->g->array[array];
  bool cut = w->axis->index[array] == r;
  if (cut && part)
    text_printf(out, "%s", w->place);
  else
    expr_print(out, a->lo[r]);
  text_add(out, "..");
  if (cut && !part)
    text_add(out, w->place);
  else
    expr_print(out, a->hi[r]);
}

static void print_rule(const cutter *w, int array, int part, text *out)
{
  const cdag_array *a = &w->g->array[array];
  bool cut = w->axis->index[array] >= 0;
  text_printf(out, "%s%s%s[", a->declared_output ? "output " : "", a->declared_input ? "input " : "",
              cut ? w->name[array][part] : a->name);
  for (int r = 0; r < a->rank; r++) {
    text_printf(out, "%s%s%s", r ? ", " : "", a->var[r], a->var[r][0] ? ":" : "");
    print_range(w, array, r, part, out);
  }
  text_char(out, ']');
  print_terms(w, array, part, out);
  text_char(out, '\n');
}

static void print_selection(const cutter *w, const cdag_selection *s, int part, text *out)
{
  SCOPED_TEXT line = { 0 };
  text_printf(&line, "output %s[", w->name[s->array][part]);
  for (int r = 0; r < w->g->array[s->array].rank; r++) {
    const cdag_index *x = &s->index[r];
    bool cut = r == w->axis->index[s->array] && x->kind != CDAG_ALL;
    text_add(&line, r ? "," : "");
    int64_t lo = x->base, hi = x->kind == CDAG_RANGE ? x->hi_base : x->base + 1;
    if (cut && !meets(w, part, lo, hi))
      return;
    if (x->kind == CDAG_ALL)
      text_char(&line, '*');
    else if (cut && x->kind == CDAG_RANGE)
      text_printf(&line, "%lld..%lld", (long long)(part ? num_max(lo, w->at) : lo),
                  (long long)(part ? hi : num_min(hi, w->at)));
    else {
      expr_print(&line, x->lo);
      text_add(&line, x->kind == CDAG_RANGE ? ".." : "");
      if (x->kind == CDAG_RANGE)
        expr_print(&line, x->hi);
    }
  }
  text_printf(out, "%s]\n", text_str(&line));
}

static void print_array(const cutter *w, int array, text *out)
{
  bool cut = w->axis->index[array] >= 0;
  for (int part = 0; part < 1 + cut; part++) {
    print_rule(w, array, part, out);
    for (int i = 0; cut && i < w->g->selections; i++)
      if (w->g->selection[i].array == array && !w->g->selection[i].of_rule)
        print_selection(w, &w->g->selection[i], part, out);
  }
}

/* Does a rule read what is cut?  Then it is written anew. */
static bool is_concerned(const cutter *w, int array)
{
  bool reads = w->axis->index[array] >= 0;
  for (int t = 0; t < w->g->array[array].terms; t++)
    reads = reads || w->axis->index[w->g->array[array].term[t].array] >= 0;
  return reads;
}

static void print_whole(const cutter *w, text *out)
{
  const cdag *g = w->g;
  const char **in_place = MEM_NEW(const char *, (size_t)g->arrays);
  text *of = MEM_NEW(text, (size_t)g->arrays);
  for (int a = 0; a < g->arrays; a++)
    if (is_concerned(w, a)) {
      print_array(w, a, &of[a]);
      for (int i = 0; w->axis->index[a] < 0 && i < g->selections; i++)
        if (g->selection[i].array == a && !g->selection[i].of_rule)
          cdag_print_selection(&of[a], g, &g->selection[i]);
      in_place[a] = text_str(&of[a]);
    }
  text_printf(out, "param %s = %lld\n", w->place, (long long)w->at);
  cdag_print_view(out, g, &(cdag_view){ .in_place = in_place });
  for (int a = 0; a < g->arrays; a++)
    text_clear(&of[a]);
  mem_free(of);
  mem_free(in_place);
}

static void note_parts(const cutter *w, cdag_cut *c)
{
  c->arrays = c->g->arrays;
  c->of = MEM_NEW(int, (size_t)c->arrays);
  c->index = MEM_NEW(int, (size_t)c->arrays);
  c->above = MEM_NEW(bool, (size_t)c->arrays);
  for (int b = 0; b < c->arrays; b++) {
    c->index[b] = -1;
    c->of[b] = cdag_find_array(w->g, c->g->array[b].name);
    for (int a = 0; a < w->g->arrays && c->of[b] < 0; a++)
      for (int part = 0; part < 2 && w->axis->index[a] >= 0; part++)
        if (strcmp(w->name[a][part], c->g->array[b].name) == 0) {
          c->of[b] = a;
          c->index[b] = w->axis->index[a];
          c->above[b] = part;
        }
  }
}

bool cdag_cut_at(const cdag *g, const cdag_axis *axis, int64_t at, cdag_cut *out)
{
  cdag_axis reached = *axis;
  cutter w = { .g = g, .axis = &reached, .at = at };
  SCOPED_TEXT source = { 0 };
  diag d = { 0 };
  bool any = false;
  *out = (cdag_cut){ .given = g };
  for (int a = 0; a < g->arrays; a++) {
    int r = axis->index[a];
    if (r >= 0 && (g->array[a].hull.lo[r] >= at || g->array[a].hull.hi[r] <= at))
      reached.index[a] = -1;
    any = any || reached.index[a] >= 0;
  }
  if (!any)
    return false;
  w.name = mem_new((size_t)g->arrays, sizeof *w.name);
  cdag_fresh_name(g, "cut", "", w.place);
  for (int a = 0; a < g->arrays; a++) {
    cdag_fresh_name(g, g->array[a].name, "_below", w.name[a][0]);
    cdag_fresh_name(g, g->array[a].name, "_above", w.name[a][1]);
  }
  print_whole(&w, &source);
  bool good = cdag_parse_unchecked(&out->g, g->name, text_str(&source), "", &d) == OK &&
              out->g->vertices == g->vertices;
  if (good) {
    snprintf(out->place, sizeof out->place, "%s", w.place);
    note_parts(&w, out);
  } else
    cdag_cut_clear(out);
  mem_free(w.name);
  return good;
}

void cdag_cut_clear(cdag_cut *c)
{
  cdag_free(c->g);
  mem_free(c->of);
  mem_free(c->index);
  mem_free(c->above);
  *c = (cdag_cut){ 0 };
}
