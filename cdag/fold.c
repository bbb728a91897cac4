#include "cdag/fold.h"
#include "base/mem.h"
#include "base/num.h"
#include "cdag/cdag_internal.h"
#include "cdag/polyhedral/normal.h"
#include "cdag/view.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A ring is much longer than its reads reach. */
enum { REACH = 4, SHORTEST = 16, ROUNDS = 2 };

/* An access for one value of each quotient: what is read at index[] by elements on `where`. */
typedef struct { int from, to; polyhedron *where; linear index[CDAG_RANK]; } ring_read;

typedef struct {
  const cdag *g;
  normal_form f;
  ring_read *read;
  size_t reads, room;
  bool (*folded)[CDAG_RANK];   /* by array and index */
  bool told;                   /* all could be said */
} folder;

static int64_t low_of(const folder *w, int array, int r) { return w->g->array[array].hull.lo[r]; }
static int64_t high_of(const folder *w, int array, int r) { return w->g->array[array].hull.hi[r]; }
static int64_t length_of(const folder *w, int array, int r) { return high_of(w, array, r) - low_of(w, array, r); }

static bool alike(const folder *w, int a, int q, int b, int r)
{
  return low_of(w, a, q) == low_of(w, b, r) && high_of(w, a, q) == high_of(w, b, r);
}

/* ---- reads, one for each way round ---- */

static void set_variable(linear *f, int v, int64_t value)
{
  f->base += f->coef[v] * value;
  f->coef[v] = 0;
}

/* A[t-1,0] if i == n-1 is A[t-1,i+1-n]: index q of what is read, which is a number, where one of the reader's, which no
   other index passes on, has one value nearly all the way round from it. */
static void say_way_round(folder *w, ring_read *x, int q)
{
  int rank = w->f.array[x->from].rank;
  for (int v = 0; v < rank; v++) {
    bool passed = !alike(w, x->from, v, x->to, q) || length_of(w, x->to, q) < SHORTEST;
    int64_t k = x->index[q].base, n = length_of(w, x->to, q), from = low_of(w, x->to, q);
    for (int p = 0; p < w->f.array[x->to].rank; p++)
      passed = passed || x->index[p].coef[v];
    for (int64_t by = n - REACH; by < n && !passed; by++)
      for (int side = -1; side <= 1; side += 2) {
        linear f = linear_variable(v);
        f.base = -(k - side * by);
        bool there = -f.base >= from && -f.base < from + n;
        if (there && polyhedron_implies(x->where, &f, true)) {
          x->index[q] = linear_variable(v);
          x->index[q].base = side * by;
          return;
        }
      }
  }
}

/* From variable v on the quotients have these values, or none yet. */
static void add_reads(folder *w, const access *a, const polyhedron *where, int v, const int64_t *value)
{
  int rank = w->f.array[a->from].rank;
  if (v < a->where->vars) {
    int64_t own[POLYHEDRON_VARS];
    memcpy(own, value, sizeof own);
    for (own[v] = -ROUNDS; own[v] <= ROUNDS; own[v]++) {
      polyhedron *p = polyhedron_copy(&w->f.memory, where);
      linear f = linear_variable(v);
      f.base = -own[v];
      polyhedron_add(&w->f.memory, p, &f, true);
      if (!polyhedron_empty(p))
        add_reads(w, a, p, v + 1, own);
    }
    return;
  }
  ring_read r = { a->from, a->to, polyhedron_copy(&w->f.memory, a->where), { { 0 } } };
  for (int q = 0; q < w->f.array[a->to].rank; q++) {
    r.index[q] = a->index[q];
    for (int x = rank; x < v; x++)
      set_variable(&r.index[q], x, value[x]);
  }
  for (int i = 0; i < r.where->n; i++)
    for (int x = rank; x < v; x++)
      set_variable(&r.where->row[i].form, x, value[x]);
  for (int q = 0; q < w->f.array[a->to].rank; q++)
    if (linear_is_constant(&r.index[q]))
      say_way_round(w, &r, q);
  w->read = mem_room(w->read, w->reads, &w->room, sizeof *w->read);
  w->read[w->reads++] = r;
}

/* Are all quotients of that access between -ROUNDS and ROUNDS? */
static bool has_few_rounds(folder *w, const access *a)
{
  bool few = a->single && a->through == BY_ITSELF;
  for (int v = w->f.array[a->from].rank; v < a->where->vars && few; v++)
    for (int side = -1; side <= 1; side += 2) {
      polyhedron *p = polyhedron_copy(&w->f.memory, a->where);
      linear f = linear_constant(-ROUNDS - 1), x = linear_variable(v);
      linear_add(&f, &x, side);
      polyhedron_add(&w->f.memory, p, &f, false);
      few = few && polyhedron_empty(p);
    }
  return few;
}

static bool list_reads(folder *w)
{
  const int64_t none[POLYHEDRON_VARS] = { 0 };
  for (int i = 0; i < w->f.accesses; i++) {
    const access *a = w->f.access[i];
    if (!has_few_rounds(w, a))
      return false;
    add_reads(w, a, a->where, w->f.array[a->from].rank, none);
  }
  for (int a = 0; a < w->g->arrays; a++)
    if (!w->f.array[a].known || !w->f.array[a].whole)
      return false;
  return true;
}

/* ---- which indices go round ---- */

/* x[v] and a number: v; else -1. */
static int plain(const linear *f, int rank)
{
  int at = -1;
  for (int v = 0; v < rank; v++) {
    if (f->coef[v] && (at >= 0 || f->coef[v] != 1))
      return -1;
    at = f->coef[v] ? v : at;
  }
  return at;
}

/* Nearly all the way round. */
static bool goes_round(const folder *w, const ring_read *x, int q, int v)
{
  int64_t n = length_of(w, x->from, v), c = x->index[q].base;
  return n >= SHORTEST && alike(w, x->from, v, x->to, q) && (c < 0 ? -c : c) >= n - REACH && (c < 0 ? -c : c) < n;
}

static bool join(folder *w, const ring_read *x, bool *changed)
{
  int rank = w->f.array[x->from].rank;
  bool passed[CDAG_RANK] = { false }, good = true;
  for (int q = 0; q < w->f.array[x->to].rank; q++) {
    int v = plain(&x->index[q], rank);
    bool *to = &w->folded[x->to][q];
    if (v >= 0) {
      bool *from = &w->folded[x->from][v], any = *from || *to || goes_round(w, x, q, v);
      *changed = *changed || (any && !(*from && *to));
      *from = *to = any;
      good = good && (!any || alike(w, x->from, v, x->to, q)) && !(passed[v] && any);
      passed[v] = true;
    } else
      for (int u = 0; u < rank; u++)
        good = good && !*to && !(x->index[q].coef[u] && w->folded[x->from][u]);
  }
  return good;
}

static bool find_rings(folder *w)
{
  bool any = false, good = true;
  for (bool changed = true; changed && good;) {
    changed = false;
    for (size_t i = 0; i < w->reads; i++)
      good = join(w, &w->read[i], &changed) && good;
    any = any || changed;
  }
  return any && good;
}

static bool is_folded(const folder *w, int array)
{
  bool any = false;
  for (int r = 0; r < CDAG_RANK; r++)
    any = any || w->folded[array][r];
  return any;
}

/* Nobody who is not folded reads what is; and those are boxes with one rule. */
static bool are_boxes(const folder *w)
{
  for (size_t i = 0; i < w->reads; i++)
    if (is_folded(w, w->read[i].to) && !is_folded(w, w->read[i].from))
      return false;
  for (int a = 0; a < w->g->arrays; a++) {
    uint64_t volume = 1;
    for (int r = 0; r < w->g->array[a].rank; r++)
      volume *= (uint64_t)length_of(w, a, r);
    if (is_folded(w, a) && (w->g->priv->piece[a].n || w->f.array[a].domain.n != 1 || w->g->array[a].count != volume))
      return false;
  }
  return true;
}

/* ---- parts: a bit for each folded index, 1 for the upper half ---- */

static int parts_of(const cdag_view *v, int array)
{
  const folder *w = v->own;
  int n = 1;
  for (int r = 0; r < w->g->array[array].rank; r++)
    n *= w->folded[array][r] ? 2 : 1;
  return n;
}

static bool is_upper(const folder *w, int array, int part, int r)
{
  int bit = 0;
  for (int q = 0; q < r; q++)
    bit += w->folded[array][q];
  return w->folded[array][r] && (part >> bit & 1);
}

/* The values of a folded index there, as given; counted from the other end they are `sum` less. */
static int64_t half_of(const folder *w, int array, int r, bool upper, int64_t *past)
{
  int64_t lo = low_of(w, array, r), middle = lo + (length_of(w, array, r) + 1) / 2;
  *past = upper ? high_of(w, array, r) : middle;
  return upper ? middle : lo;
}

static int64_t sum_of(const folder *w, int array, int r) { return low_of(w, array, r) + high_of(w, array, r) - 1; }

static void name_part(const cdag_view *v, int array, int part, text *out)
{
  const folder *w = v->own;
  char name[CDAG_NAME], more[2 + CDAG_RANK] = "_";
  int n = 1;
  if (!is_folded(w, array)) {
    text_add(out, w->g->array[array].name);
    return;
  }
  for (int r = 0; r < w->g->array[array].rank; r++)
    if (w->folded[array][r])
      more[n++] = is_upper(w, array, part, r) ? 'u' : 'l';
  cdag_fresh_name(w->g, w->g->array[array].name, more, name);
  text_add(out, name);
}

/* ---- the text ---- */

static void print_form(const folder *w, int array, const linear *f, text *out)
{
  const char *name[CDAG_RANK];
  for (int r = 0; r < w->g->array[array].rank; r++)
    name[r] = w->g->array[array].var[r];
  linear_print(f, name, w->g->array[array].rank, out);
}

/* What is said of a read by elements of that part, beside that both are there. */
static void print_conditions(folder *w, const ring_read *x, int part, const char *between, text *out)
{
  polyhedron *there = polyhedron_copy(&w->f.memory, w->f.array[x->from].domain.item[0]);
  if (w->f.array[x->to].domain.n == 1)
    polyhedron_include(&w->f.memory, there, w->f.array[x->to].domain.item[0], x->index, w->f.array[x->to].rank);
  for (int i = 0; i < x->where->n; i++) {
    constraint r = x->where->row[i];
    if (polyhedron_implies(there, &r.form, r.equal))
      continue;
    for (int v = 0; v < w->f.array[x->from].rank; v++)
      if (is_upper(w, x->from, part, v)) {
        r.form.base += r.form.coef[v] * sum_of(w, x->from, v);
        r.form.coef[v] = -r.form.coef[v];
      }
    text_add(out, between);
    between = " && ";
    print_form(w, x->from, &r.form, out);
    text_add(out, r.equal ? " == 0" : " >= 0");
  }
}

/* What that part reads of part `of` at places of its own that differ by a number: all of them (the indices before q are
   said), or one by one, where the halves meet. */
static void print_places(folder *w, const ring_read *x, int part, int of, int q, const text *said, const text *asked,
                         const char **between, text *out)
{
  int rank = w->f.array[x->from].rank;
  if (q == w->f.array[x->to].rank) {
    text_add(out, *between);
    *between = ", ";
    name_part(&(cdag_view){ .own = w }, x->to, of, out);
    text_printf(out, "[%s]", text_str(said));
    if (asked->n)
      text_printf(out, " if %s", text_str(asked));
    print_conditions(w, x, part, asked->n ? " && " : " if ", out);
    return;
  }
  int v = plain(&x->index[q], rank);
  bool ring = w->folded[x->to][q], up = ring && is_upper(w, x->from, part, v), on = ring && is_upper(w, x->to, of, q);
  int64_t c = x->index[q].base, from, past, first, end;
  if (!ring || up == on) {
    SCOPED_TEXT more = { 0 };
    linear f = x->index[q];
    f.base = ring && up ? -c : c;
    text_printf(&more, "%s%s", text_str(said), q ? "," : "");
    print_form(w, x->from, &f, &more);
    if (ring) { /* is any of it there? */
      from = half_of(w, x->from, v, up, &past);
      first = half_of(w, x->to, q, on, &end);
    }
    if (!ring || num_max(from, first - c) < num_min(past, end - c))
      print_places(w, x, part, of, q + 1, &more, asked, between, out);
    return;
  }
  from = half_of(w, x->from, v, up, &past);
  first = half_of(w, x->to, q, on, &end);
  from = num_max(from, first - c);
  past = num_min(past, end - c);
  w->told = w->told && past - from <= REACH;
  for (int64_t i = from; i < past && w->told; i++) {
    SCOPED_TEXT more = { 0 };
    SCOPED_TEXT where = { 0 };
    int64_t own = up ? sum_of(w, x->from, v) - i : i, far = on ? sum_of(w, x->to, q) - (i + c) : i + c;
    linear f = linear_variable(v);
    f.base = far - own;
    text_printf(&more, "%s%s", text_str(said), q ? "," : "");
    print_form(w, x->from, &f, &more);
    text_printf(&where, "%s%s%s == %" PRId64, text_str(asked), asked->n ? " && " : "",
                w->g->array[x->from].var[v], own);
    print_places(w, x, part, of, q + 1, &more, &where, between, out);
  }
}

static bool print_part(const cdag_view *view, int array, int part, text *out)
{
  folder *w = view->own;
  const cdag_array *a = &w->g->array[array];
  const char *between = " = ";
  if (!is_folded(w, array))
    return false;
  text_printf(out, "%s%s", a->declared_output ? "output " : "", a->declared_input ? "input " : "");
  name_part(view, array, part, out);
  for (int r = 0; r < a->rank; r++) {
    text_printf(out, "%s%s%s", r ? ", " : "[", a->var[r], a->var[r][0] ? ":" : "");
    int64_t lo = low_of(w, array, r), hi = high_of(w, array, r);
    if (w->folded[array][r])
      lo = half_of(w, array, r, is_upper(w, array, part, r), &hi);
    if (is_upper(w, array, part, r)) {
      int64_t sum = sum_of(w, array, r), least = sum - hi + 1;
      hi = sum - lo + 1;
      lo = least;
    }
    text_printf(out, "%" PRId64 "..%" PRId64, lo, hi);
  }
  text_char(out, ']');
  for (size_t i = 0; i < w->reads; i++)
    for (int of = 0; w->read[i].from == array && of < parts_of(view, w->read[i].to); of++)
      print_places(w, &w->read[i], part, of, 0, &(text){ 0 }, &(text){ 0 }, &between, out);
  text_char(out, '\n');
  return true;
}

/* Of what is folded whole rings are put out. */
static bool puts_out(const cdag_view *v, const cdag_selection *s, int part)
{
  folder *w = v->own;
  (void)part;
  for (int r = 0; r < w->g->array[s->array].rank; r++)
    w->told = w->told && (!w->folded[s->array][r] || s->index[r].kind == CDAG_ALL);
  w->told = w->told && (s->vars == 0 || !is_folded(w, s->array));
  return true;
}

/* ---- the computation ---- */

static void note_parts(const folder *w, const int *part, cdag_respelled *out)
{
  size_t n = (size_t)out->g->arrays;
  out->folded = true;
  out->part = MEM_NEW(uint32_t, n);
  out->index = mem_new(n, sizeof *out->index);
  for (size_t b = 0; b < n; b++)
    for (int r = 0; r < out->g->array[b].rank; r++) {
      int a = out->of[b];
      out->part[b] |= (uint32_t)w->folded[a][r] << r;
      if (is_upper(w, a, part[b], r))
        out->index[b][r] = (cdag_relabel){ .turned = true, .by = sum_of(w, a, r) };
    }
}

bool cdag_fold(const cdag *g, cdag_respelled *out)
{
  folder w = { .g = g, .told = true };
  int *part = NULL;
  *out = (cdag_respelled){ .given = g };
  if (g->graph || g->copies)
    return false;
  normal_form_relation(&w.f, g);
  w.folded = mem_new((size_t)g->arrays + 1, sizeof *w.folded);
  if (list_reads(&w) && find_rings(&w) && are_boxes(&w)) {
    cdag_view view = { .own = &w, .parts = parts_of, .name = name_part, .puts_out = puts_out, .rule = print_part };
    out->g = cdag_view_open(g, &view, &out->of, &part);
    if (out->g)
      note_parts(&w, part, out);
  }
  if (!w.told)
    cdag_respelled_clear(out);
  mem_free(part);
  mem_free(w.folded);
  mem_free(w.read);
  normal_form_clear(&w.f);
  return out->g != NULL;
}
