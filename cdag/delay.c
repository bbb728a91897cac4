#include "cdag/delay.h"
#include "base/mem.h"
#include "base/num.h"
#include "cdag/cdag_internal.h"
#include "cdag/polyhedral/normal.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const cdag *g;
  normal_form f;
  int array, index;            /* what is delayed, and along which index */
  bool cut;                    /* x[index] == x[beside] + by is an array of its own */
  int beside;
  int64_t by;
  polyhedron *part[2];         /* of the array: the rest, and the diagonal (or NULL) */
  char name[2][CDAG_NAME];
  bool told;                   /* all could be said */
} delayer;

/* ---- which array ---- */

/* x[q], but for one index that is 1 less: that one; else -1. */
static int step_back(const access *a, int rank)
{
  int at = -1;
  for (int q = 0; q < rank; q++) {
    linear x = linear_variable(q), before = x;
    before.base = -1;
    if (linear_equal(&a->index[q], &x))
      continue;
    if (at >= 0 || !linear_equal(&a->index[q], &before))
      return -1;
    at = q;
  }
  return at;
}

/* The one index along which an array reads itself, a step before; -1: it reads itself in another way, or not. */
static int sum_index(const normal_form *f, int array)
{
  int at = -1;
  for (int i = 0; i < f->accesses; i++) {
    const access *a = f->access[i];
    if (a->from != array || a->to != array)
      continue;
    int q = step_back(a, f->array[array].rank);
    if (q < 0 || (at >= 0 && at != q))
      return -1;
    at = q;
  }
  return at;
}

/* Does that array read the last step of a sum over what it left itself the iteration before? */
static bool waits_for_sum(const delayer *w)
{
  const normal_form *f = &w->f;
  for (int i = 0; i < f->accesses; i++) {
    const access *end = f->access[i];
    int sum = end->to == w->array ? -1 : sum_index(f, end->to);
    if (end->from != w->array || sum < 0 || !linear_is_constant(&end->index[sum]))
      continue;
    for (int k = 0; k < f->accesses; k++) {
      const access *a = f->access[k];
      for (int q = 0; q < f->array[w->array].rank && a->from == end->to && a->to == w->array; q++)
        if (q != w->index && a->index[q].coef[sum])
          return true;
    }
  }
  return false;
}

/* ---- the diagonal ---- */

static linear diagonal(const delayer *w, const linear *at, const linear *beside)
{
  linear f = linear_constant(-w->by);
  linear_add(&f, at, 1);
  linear_add(&f, beside, -1);
  return f;
}

/* Two indices of a read that differ by a constant. */
static bool reads_diagonal(const delayer *w, const access *a, int *beside, int64_t *by)
{
  for (int q = 0; q < w->f.array[w->array].rank; q++) {
    linear f = a->index[w->index];
    linear_add(&f, &a->index[q], -1);
    if (q == w->index || !linear_is_constant(&f) || linear_is_constant(&a->index[q]))
      continue;
    *beside = q;
    *by = f.base;
    return true;
  }
  return false;
}

static bool find_diagonal(delayer *w)
{
  const normal_form *f = &w->f;
  for (int i = 0; i < f->accesses; i++) {
    const access *a = f->access[i];
    int q;
    int64_t by;
    if (a->to != w->array || a->from == w->array || !reads_diagonal(w, a, &q, &by))
      continue;
    if (w->cut && (q != w->beside || by != w->by))
      return false;
    w->cut = true;
    w->beside = q;
    w->by = by;
  }
  return true;
}

/* Points of p on the diagonal, or on one side of it. */
static polyhedron *beside_diagonal(delayer *w, const polyhedron *p, int side)
{
  linear x = linear_variable(w->index), y = linear_variable(w->beside), d = diagonal(w, &x, &y);
  linear f = linear_constant(side ? -1 : 0);
  linear_add(&f, &d, side < 0 ? -1 : 1);
  polyhedron *cut = polyhedron_copy(&w->f.memory, p);
  polyhedron_add(&w->f.memory, cut, &f, side == 0);
  return cut;
}

static bool find_parts(delayer *w)
{
  const array_form *a = &w->f.array[w->array];
  if (!a->known || !a->whole || a->domain.n != 1 || a->domain.item[0]->vars != a->rank)
    return false;
  w->part[0] = a->domain.item[0];
  if (!w->cut)
    return true;
  polyhedron *low = beside_diagonal(w, w->part[0], -1), *high = beside_diagonal(w, w->part[0], 1);
  bool nothing_low = polyhedron_empty(low), nothing_high = polyhedron_empty(high);
  w->part[1] = beside_diagonal(w, w->part[0], 0);
  w->part[0] = nothing_low ? high : low;
  return nothing_low != nothing_high && !polyhedron_empty(w->part[1]);
}

/* Which part does that read, always?  -1: now one, now the other. */
static int part_read(delayer *w, const access *a)
{
  if (!w->cut)
    return 0;
  linear d = diagonal(w, &a->index[w->index], &a->index[w->beside]);
  polyhedron *on = polyhedron_copy(&w->f.memory, a->where);
  polyhedron_add(&w->f.memory, on, &d, true);
  return polyhedron_empty(on) ? 0 : polyhedron_implies(a->where, &d, true) ? 1 : -1;
}

/* ---- text ---- */

static void print_form(const delayer *w, int array, const linear *f, text *out)
{
  const char *name[CDAG_RANK];
  for (int r = 0; r < w->g->array[array].rank; r++)
    name[r] = w->g->array[array].var[r];
  linear_print(f, name, w->g->array[array].rank, out);
}

/* A number as the array's own end has it. */
static void print_end(const delayer *w, int r, bool hi, const linear *end, text *out)
{
  const cdag_array *a = &w->g->array[w->array];
  const expr *own = hi ? a->hi[r] : a->lo[r];
  expr_env env = { w->g->param_value, w->g->table };
  int64_t value;
  if (!linear_is_constant(end) || expr_uses(own, w->g->params, INT_MAX) ||
      expr_eval(own, &env, &value, NULL) != EXPR_OK || own->op == EXPR_CONST ||
      value + (r == w->index) != end->base)
    print_form(w, w->array, end, out);
  else {
    expr_print(out, own);
    text_add(out, r == w->index ? " + 1" : "");
  }
}

/* Of those constraints each is said by its last variable: the ends of that one, which were the array's where none
   says more. */
static void print_range(delayer *w, const polyhedron *p, int r, text *out)
{
  const cdag_array *a = &w->g->array[w->array];
  for (int hi = 0; hi < 2; hi++) {
    SCOPED_TEXT ends = { 0 };
    linear end;
    int n = 0;
    for (int i = 0; i < p->n; i++)
      if (constraint_end(&p->row[i], r, hi, &end, &w->told)) {
        text_add(&ends, n++ ? ", " : "");
        print_end(w, r, hi, &end, &ends);
      }
    const expr *own = hi ? a->hi[r] : a->lo[r];
    w->told = w->told && (n > 0 || !expr_uses(own, w->g->params + w->index, w->g->params + w->index + 1));
    if (n == 0)
      expr_print(&ends, own);
    text_printf(out, n > 1 ? "%s%s(%s)" : "%s%s%s", hi ? ".." : "", n < 2 ? "" : hi ? "min" : "max",
                text_str(&ends));
  }
}

/* A form in the array's indices in those of a part. */
static void in_new_terms(const delayer *w, int part, linear *f)
{
  int64_t c = f->coef[w->index];
  f->base += part ? c * w->by : -c;
  if (part) {
    f->coef[w->index] = 0;
    f->coef[w->beside] += c;
  }
}

/* form >= 0, or form == 0, with the number on the other side. */
static void print_constraint(delayer *w, int array, const constraint *r, text *out)
{
  linear f = r->form, none = linear_constant(0);
  int64_t base = f.base;
  f.base = 0;
  bool minus = f.coef[num_max(linear_last(&f), 0)] < 0;
  if (minus && !linear_add(&none, &f, -1))
    w->told = false;
  print_form(w, array, minus ? &none : &f, out);
  text_printf(out, " %s %" PRId64, r->equal ? "==" : minus ? "<=" : ">=", minus ? base : -base);
}

/* What is said of a read beside the reader's place and the domain that is read. */
static void print_condition(delayer *w, const access *a, const polyhedron *on, int reader, text *out)
{
  const array_form *to = &w->f.array[a->to];
  const char *between = " if ";
  polyhedron *there = polyhedron_copy(&w->f.memory, on);
  w->told = w->told && to->domain.n == 1;
  for (int i = 0; i < to->domain.n; i++)
    polyhedron_include(&w->f.memory, there, to->domain.item[i], a->index, to->rank);
  for (int i = 0; i < a->where->n; i++) {
    constraint r = a->where->row[i];
    if (polyhedron_implies(there, &r.form, r.equal))
      continue;
    if (reader >= 0)
      in_new_terms(w, reader, &r.form);
    text_add(out, between);
    between = " && ";
    print_constraint(w, a->from, &r, out);
  }
}

/* A read by elements on p of an array, or (reader >= 0) of that part of the one that is delayed. */
static void print_access(delayer *w, const access *a, const polyhedron *p, int reader, text *out)
{
  const array_form *to = &w->f.array[a->to];
  int part = a->to == w->array ? part_read(w, a) : 0;
  if (!a->single || a->through != BY_ITSELF || a->where->vars != w->f.array[a->from].rank || part < 0) {
    w->told = false;
    return;
  }
  const char *between = "[";
  text_add(out, a->to == w->array ? w->name[part] : w->g->array[a->to].name);
  for (int q = 0; q < to->rank; q++) {
    linear f = a->index[q];
    if (a->to == w->array && q == w->index && part)
      continue;
    if (reader >= 0)
      in_new_terms(w, reader, &f);
    f.base += a->to == w->array && q == w->index;
    text_add(out, between);
    between = ",";
    print_form(w, a->from, &f, out);
  }
  text_char(out, ']');
  print_condition(w, a, p, reader, out);
}

static bool print_part(const cdag_view *v, int array, int part, text *out)
{
  delayer *w = v->own;
  if (array != w->array)
    return false;
  const cdag_array *a = &w->g->array[array];
  polyhedron *p = polyhedron_copy(&w->f.memory, w->part[part]);
  const char *between = " = ";
  for (int i = 0; i < p->n; i++)
    in_new_terms(w, part, &p->row[i].form);
  p = polyhedron_tidy(&w->f.memory, p);
  text_printf(out, "%s%s", a->declared_output ? "output " : "", w->name[part]);
  for (int r = 0, n = 0; r < a->rank; r++)
    if (!part || r != w->index) {
      text_printf(out, "%s%s:", n++ ? ", " : "[", a->var[r]);
      print_range(w, p, r, out);
    }
  text_char(out, ']');
  for (int i = 0; i < w->f.accesses; i++) {
    const access *x = w->f.access[i];
    if (x->from != array)
      continue;
    polyhedron *met = polyhedron_copy(&w->f.memory, x->where);
    polyhedron_meet(&w->f.memory, met, w->part[part], a->rank);
    if (polyhedron_empty(met))
      continue;
    text_add(out, between);
    between = ", ";
    print_access(w, x, w->part[part], part, out);
  }
  text_char(out, '\n');
  return true;
}

/* ---- the view ---- */

static int parts_of(const cdag_view *v, int array)
{
  const delayer *w = v->own;
  return array == w->array && w->cut ? 2 : 1;
}

static void name_part(const cdag_view *v, int array, int part, text *out)
{
  const delayer *w = v->own;
  text_add(out, array == w->array ? w->name[part] : w->g->array[array].name);
}

/* Once each: which part it is the access says. */
static bool reads_once(const cdag_view *v, int array, int part, const cdag_term *t, int of)
{
  (void)v, (void)array, (void)part, (void)t;
  return of == 0;
}

static bool print_read(const cdag_view *v, int array, const cdag_term *t, text *out)
{
  delayer *w = v->own;
  const array_form *own = &w->f.array[array];
  const char *between = "";
  if (t->array != w->array)
    return false;
  w->told = w->told && own->whole && own->domain.n == 1 && own->domain.item[0]->vars == own->rank &&
            w->g->priv->piece[array].n == 0;
  for (int i = 0; i < w->f.accesses && w->told; i++)
    if (w->f.access[i]->from == array && &w->g->array[array].term[w->f.access[i]->term] == t) {
      text_add(out, between);
      between = ", ";
      print_access(w, w->f.access[i], own->domain.item[0], -1, out);
    }
  return true;
}

/* Where the diagonal is an array of its own nothing of it is put out. */
static bool puts_out(const cdag_view *v, const cdag_selection *x, int part)
{
  delayer *w = v->own;
  w->told = w->told && (x->array != w->array || (!w->cut && x->vars == 0));
  return part == 0;
}

static void say(const cdag_view *v, const cdag_spot *at, expr **lo, expr **hi)
{
  const delayer *w = v->own;
  if (!at->selection || at->array != w->array || at->index != w->index)
    return;
  *lo = expr_binary(EXPR_ADD, *lo, expr_const(1));
  *hi = *hi ? expr_binary(EXPR_ADD, *hi, expr_const(1)) : NULL;
}

/* ---- the computation ---- */

static void note_parts(const delayer *w, const int *part, cdag_cut *c)
{
  c->arrays = c->g->arrays;
  c->index = MEM_NEW(int, (size_t)c->arrays);
  c->above = MEM_NEW(bool, (size_t)c->arrays);
  c->later = 1;
  c->beside = w->beside;
  c->by = w->by;
  for (int b = 0; b < c->arrays; b++) {
    c->index[b] = c->of[b] == w->array ? w->index : -1;
    c->above[b] = part[b];
  }
}

static bool open_delayed(delayer *w, cdag_cut *out)
{
  cdag_view view = { .own = w, .parts = parts_of, .name = name_part, .reads = reads_once, .puts_out = puts_out,
                     .say = say, .rule = print_part, .term = print_read };
  int *part = NULL;
  *out = (cdag_cut){ .given = w->g };
  w->told = w->g->priv->piece[w->array].n == 0;
  cdag_fresh_name(w->g, w->g->array[w->array].name, "_late", w->name[0]);
  cdag_fresh_name(w->g, w->g->array[w->array].name, "_last", w->name[1]);
  out->g = cdag_view_open(w->g, &view, &out->of, &part);
  if (out->g)
    note_parts(w, part, out);
  mem_free(part);
  if (!w->told)
    cdag_cut_clear(out);
  return out->g != NULL;
}

bool cdag_delay(const cdag *g, int which, cdag_cut *out)
{
  delayer w = { .g = g };
  bool found = false;
  if (g->graph || g->copies)
    return false;
  normal_form_relation(&w.f, g);
  for (int a = 0; a < g->arrays && !found; a++) {
    w.array = a;
    w.cut = false;
    w.index = g->array[a].declared_input ? -1 : sum_index(&w.f, a);
    found = w.index >= 0 && waits_for_sum(&w) && find_diagonal(&w) && find_parts(&w) && which-- == 0 &&
            open_delayed(&w, out);
  }
  normal_form_clear(&w.f);
  return found;
}
