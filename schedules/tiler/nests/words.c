#include "schedules/tiler/nests/words.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/nests/place.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool tiler_name_taken(const cdag *g, const char *name)
{
  for (int t = 0; t < g->tables; t++)
    if (strcmp(g->table[t].name, name) == 0)
      return true;
  return cdag_reserved(name) || cdag_find_param(g, name) >= 0 || cdag_find_array(g, name) >= 0;
}

void tiler_fresh_name(const cdag *g, const char *name, char *out)
{
  snprintf(out, CDAG_NAME, "%s", name);
  for (int k = 1; tiler_name_taken(g, out); k++)
    snprintf(out, CDAG_NAME, "%s%d", name, k);
}

void tiler_print_title(const cdag *g, const char *name, text *out)
{
  const char *c = g->name;
  bool word = *c == '_' || isalpha((unsigned char)*c);
  for (; *c; c++)
    word = word && (*c == '_' || isalnum((unsigned char)*c));
  text_printf(out, "schedule %s", name);
  if (word && !cdag_reserved(g->name))
    text_printf(out, " for %s", g->name);
  text_char(out, '\n');
}

/* ---- sums of names ---- */

static tiler_words constant(int64_t v) { return (tiler_words){ .base = v, .least = v, .most = v }; }

static tiler_words named(const char *name, int64_t least, int64_t most)
{
  tiler_words w = { .least = least, .most = most, .n = 1 };
  w.atom[0].coef = 1;
  snprintf(w.atom[0].name, TILER_ATOM, "%s", name);
  return w;
}

void tiler_words_add(tiler_words *to, const tiler_words *w, int64_t times)
{
  to->base += times * w->base;
  to->least += times * (times > 0 ? w->least : w->most);
  to->most += times * (times > 0 ? w->most : w->least);
  for (int i = 0; i < w->n; i++) {
    int k = 0;
    while (k < to->n && strcmp(to->atom[k].name, w->atom[i].name) != 0)
      k++;
    if (k == to->n && to->n < TILER_ATOMS) {
      memcpy(to->atom[k].name, w->atom[i].name, TILER_ATOM);
      to->atom[to->n++].coef = 0;
    }
    to->atom[k].coef += times * w->atom[i].coef;
    if (to->atom[k].coef == 0)
      to->atom[k] = to->atom[--to->n];
  }
}

static tiler_words plus(tiler_words w, int64_t d)
{
  w.base += d;
  w.least += d;
  w.most += d;
  return w;
}

void tiler_words_add_name(tiler_words *to, const char *name, int64_t times)
{
  tiler_words one = named(name, 0, 0);
  if (times)
    tiler_words_add(to, &one, times);
}

static void print_atom(text *out, int64_t coef, const char *name, bool first)
{
  bool bare = !strpbrk(name, " +-*/%") || (strpbrk(name, "(") && !strpbrk(strpbrk(name, "("), " "));
  const char *sign = coef < 0 ? (first ? "-" : " - ") : first ? "" : " + ";
  int64_t c = coef < 0 ? -coef : coef;
  text_add(out, sign);
  if (c != 1)
    text_printf(out, "%" PRId64 "*", c);
  text_printf(out, bare || (c == 1 && coef > 0) ? "%s" : "(%s)", name);
}

void tiler_words_print(text *out, const tiler_words *w)
{
  bool first = true;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < w->n; i++)
      if ((w->atom[i].coef < 0) == pass) {
        print_atom(out, w->atom[i].coef, w->atom[i].name, first);
        first = false;
      }
  if (first)
    text_printf(out, "%" PRId64, w->base);
  else if (w->base)
    text_printf(out, " %c %" PRId64, w->base < 0 ? '-' : '+', w->base < 0 ? -w->base : w->base);
}

static bool same_words(const tiler_words *a, const tiler_words *b)
{
  tiler_words d = *a;
  tiler_words_add(&d, b, -1);
  return d.n == 0 && d.base == 0;
}

/* ---- numbers as the description has them ---- */

/* e without a constant summand, which is taken off. */
static const expr *without_constant(const expr *e, int64_t *c)
{
  while ((e->op == EXPR_ADD || e->op == EXPR_SUB) && e->arg[1]->op == EXPR_CONST) {
    *c += e->op == EXPR_ADD ? e->arg[1]->value : -e->arg[1]->value;
    e = e->arg[0];
  }
  return e;
}

static bool by_expression(const cdag *g, const expr *e, int64_t value, tiler_words *w)
{
  expr_env env = { g->param_value, g->table };
  int64_t v, offset = 0;
  if (!e || e->op == EXPR_CONST || expr_uses(e, g->params, g->params + CDAG_RANK) ||
      expr_eval(e, &env, &v, NULL) != EXPR_OK || value - v > 1 || v - value > 1)
    return false;
  text t = { 0 };
  const expr *bare = without_constant(e, &offset);
  expr_print(&t, bare);
  bool good = t.n < TILER_ATOM && bare->op != EXPR_CONST;
  if (good) {
    *w = named(text_str(&t), v - offset, v - offset);
    *w = plus(*w, value - v + offset);
  }
  text_clear(&t);
  return good;
}

static bool by_parameter(const cdag *g, const expr *e, int64_t value, tiler_words *w)
{
  for (int p = 0; e && p < g->params; p++) {
    int64_t d = value - g->param_value[p];
    if (expr_uses(e, p, p + 1) && d >= -1 && d <= 1 && g->param_value[p] > 2) {
      *w = plus(named(g->param[p].name, g->param_value[p], g->param_value[p]), d);
      return true;
    }
  }
  return false;
}

/* The value as the bound of dimension r of the array has it, when it is at most one away from it or from a parameter of
 * it. */
static tiler_words number_words(const cdag *g, int array, int r, int64_t value)
{
  tiler_words w;
  const cdag_array *a = &g->array[array];
  if (value == 0 || !(by_expression(g, a->hi[r], value, &w) || by_parameter(g, a->hi[r], value, &w) ||
                      by_parameter(g, a->lo[r], value, &w)))
    return constant(value);
  return w;
}

/* ---- ranges ---- */

typedef struct { tiler_words w[2 * TILER_STATEMENTS]; int n; } choice;

static bool in(uint32_t set, int c) { return set >> c & 1; }

/* Least or greatest value (inclusive) of a class in the loops around. */
static tiler_words end_of_loop(const tiler_nest *n, int c, const tiler_node *at, bool most)
{
  const tiler_class *k = &n->cls[c];
  char name[TILER_ATOM];
  if (in(at->single, c))
    return named(k->name, k->lo, k->lo + k->extent - 1);
  snprintf(name, sizeof name, "%s(%s)", most ? "hi" : "lo", k->block);
  tiler_words w = named(name, most ? k->lo + 1 : k->lo, k->lo + k->extent - !most);
  return most ? plus(w, -1) : w;
}

/* The same of dimension r of statement x. */
static tiler_words end_in_loop(const tiler_nest *n, int x, int r, const tiler_node *at, bool most)
{
  tiler_words w = end_of_loop(n, n->of[x][r], at, most), scaled = constant(0);
  int64_t scale = n->scale[x][r];
  tiler_words_add(&scaled, &w, scale);
  return plus(scaled, most ? scale - 1 : 0);
}

static tiler_words own_bound(const tiler_nest *n, int x, int r, bool most, const tiler_node *at);

/* Least or greatest value of a form of statement x there. */
static tiler_words form_bound(const tiler_nest *n, int x, const tiler_form *f, int skip, bool most,
                              const tiler_node *at, tiler_words base)
{
  const tiler_statement *s = tiler_at(n, x);
  tiler_words sum = base;
  for (int q = 0; q < s->rank; q++) {
    if (!f->coef[q] || q == skip)
      continue;
    bool up = (f->coef[q] > 0) == most;
    tiler_words v =
        in(at->single | at->blocked, n->of[x][q]) ? end_in_loop(n, x, q, at, up) : own_bound(n, x, q, up, at);
    tiler_words_add(&sum, &v, f->coef[q]);
  }
  return sum;
}

static void choose(choice *c, const tiler_words *w, bool greatest);
static void print_choice(text *out, const choice *c, const char *function);

/* Several values of which the least (or greatest) counts, as one name. */
static tiler_words joined(const choice *c, bool least_counts)
{
  text t = { 0 };
  print_choice(&t, c, least_counts ? "min" : "max");
  int64_t least = c->w[0].least, greatest = c->w[0].most;
  for (int i = 1; i < c->n; i++) {
    least = least_counts ? num_min(least, c->w[i].least) : num_max(least, c->w[i].least);
    greatest = least_counts ? num_min(greatest, c->w[i].most) : num_max(greatest, c->w[i].most);
  }
  tiler_words w =
      named(t.n < TILER_ATOM ? text_str(&t) : "?", least, greatest); /* too long: the parser will refuse it */
  text_clear(&t);
  return w;
}

/* Least or greatest value (inclusive) of dimension r by its own bounds. */
static tiler_words own_bound(const tiler_nest *n, int x, int r, bool most, const tiler_node *at)
{
  const tiler_statement *s = tiler_at(n, x);
  const tiler_bound *b = most ? &s->hi[r] : &s->lo[r];
  choice c = { .n = 0 };
  for (int i = 0; i < b->n; i++) {
    tiler_words base = number_words(n->s->g, s->array, r, b->f[i].base),
                w = form_bound(n, x, &b->f[i], -1, most, at, base);
    choose(&c, &w, !most);
  }
  tiler_words w = c.n == 0 ? constant(most ? s->most[r] : s->least[r]) : c.n == 1 ? c.w[0] : joined(&c, most);
  return most ? plus(w, -1) : w;
}

/* What one bound f of a later dimension q, which a loop around has, says of r: false when nothing.  Inclusive. */
static bool bound_through(const tiler_nest *n, int x, int r, int q, const tiler_form *f, bool upper, bool most,
                          const tiler_node *at, tiler_words *out)
{
  const tiler_statement *s = tiler_at(n, x);
  int64_t c = f->coef[r];
  if ((c != 1 && c != -1) || (c > 0) == (upper == most))
    return false; /* w < v + R and w >= R - v bound v below; w >= v + R and w < R - v above */
  tiler_words rest = form_bound(n, x, f, r, upper, at, number_words(n->s->g, s->array, q, f->base));
  tiler_words w = end_of_loop(n, n->of[x][q], at, !upper);
  if (c > 0) { /* upper: v >= w - R + 1; lower: v <= w - R */
    *out = w;
    tiler_words_add(out, &rest, -1);
    *out = plus(*out, upper);
  } else { /* upper: v <= R - 1 - w; lower: v >= R - w */
    *out = rest;
    tiler_words_add(out, &w, -1);
    *out = plus(*out, -upper);
  }
  return true;
}

/* Keep what is not certainly outdone: of a greatest (or least) of several. */
static void choose(choice *c, const tiler_words *w, bool greatest)
{
  for (int i = 0; i < c->n; i++) {
    if (same_words(&c->w[i], w) || (greatest ? c->w[i].least >= w->most : c->w[i].most <= w->least))
      return;
    if (greatest ? w->least >= c->w[i].most : w->most <= c->w[i].least)
      c->w[i--] = c->w[--c->n];
  }
  if (c->n < 2 * TILER_STATEMENTS)
    c->w[c->n++] = *w;
}

static void print_choice(text *out, const choice *c, const char *function)
{
  if (c->n > 1)
    text_printf(out, "%s(", function);
  for (int i = 0; i < c->n; i++) {
    text_add(out, i ? ", " : "");
    tiler_words_print(out, &c->w[i]);
  }
  text_add(out, c->n > 1 ? ")" : "");
}

/* The end of a class for one statement: the tightest of its bounds there. */
static void statement_end(const tiler_nest *n, int x, int r, bool most, const tiler_node *at, choice *c)
{
  const tiler_statement *s = tiler_at(n, x);
  tiler_words w = own_bound(n, x, r, most, at), through;
  c->n = 0;
  choose(c, &w, !most);
  for (int q = r + 1; q < s->rank; q++)
    for (int upper = 0; upper < 2 && in(at->single | at->blocked, n->of[x][q]); upper++) {
      const tiler_bound *b = upper ? &s->hi[q] : &s->lo[q];
      for (int i = 0; i < b->n; i++)
        if (bound_through(n, x, r, q, &b->f[i], upper, most, at, &through))
          choose(c, &through, !most);
    }
}

static void print_end(const tiler_nest *n, int c, uint32_t who, bool most, const tiler_node *at, text *out)
{
  choice all = { .n = 0 };
  for (int x = 0; x < n->n; x++)
    for (int r = 0; in(who, x) && r < tiler_at(n, x)->rank; r++) {
      choice own;
      if (n->of[x][r] != c)
        continue;
      if (n->scale[x][r] > 1) /* all ranges are one */
        statement_end(n, n->cls[c].place, n->cls[c].dim, most, at, &own);
      else
        statement_end(n, x, r, most, at, &own);
      for (int i = 0; most && i < own.n; i++)
        own.w[i] = plus(own.w[i], 1);
      if (own.n > 1)
        own.w[0] = joined(&own, most);
      choose(&all, &own.w[0], most);
    }
  print_choice(out, &all, most ? "max" : "min");
}

void tiler_range(const tiler_nest *n, int c, uint32_t who, const tiler_node *at, text *out)
{
  text lo = { 0 };
  print_end(n, c, who, false, at, &lo);
  if (strcmp(text_str(&lo), "0") != 0)
    text_printf(out, "%s..", text_str(&lo));
  print_end(n, c, who, true, at, out);
  text_clear(&lo);
}

void tiler_range_ends(const tiler_nest *n, int c, uint32_t who, const tiler_node *at, text *lo, text *hi)
{
  print_end(n, c, who, false, at, lo);
  print_end(n, c, who, true, at, hi);
}

void tiler_value(const tiler_nest *n, int x, const tiler_form *f, const tiler_node *at, tiler_words *out)
{
  *out = form_bound(n, x, f, -1, false, at, constant(f->base));
}

/* ---- expressions ---- */

static void rename_variables(const tiler_nest *n, int x, expr *e)
{
  int r = e->slot - n->s->g->params;
  for (int i = 0; i < e->nargs; i++)
    rename_variables(n, x, e->arg[i]);
  if (e->op == EXPR_SLOT && r >= 0 && r < tiler_at(n, x)->rank) {
    const char *name = n->cls[n->of[x][r]].name;
    text t = { 0 };
    text_printf(&t, strchr(name, ' ') ? "(%s)" : "%s", name);
    mem_free(e->name);
    e->name = mem_text(text_str(&t));
    text_clear(&t);
  }
}

void tiler_print_expression(const tiler_nest *n, int x, const expr *e, text *out)
{
  expr *copy = expr_copy(e);
  rename_variables(n, x, copy);
  expr_print(out, copy);
  expr_free(copy);
}

/* ---- boxes ---- */

static void print_range(text *out, const tiler_words *lo, tiler_words hi)
{
  tiler_words_print(out, lo);
  text_add(out, "..");
  tiler_words_print(out, &hi);
}

static void print_index(const tiler_nest *n, const tiler_group *g, int q, const tiler_node *at, text *out)
{
  const tiler_sum *s = &g->lo[q];
  const tiler_index *i = &g->access->at[q];
  const cdag *cg = n->s->g;
  bool single = true, around = false;
  for (int k = 0; k < s->n; k++) {
    single = single && in(at->single, s->cls[k]);
    around = around || in(at->single | at->blocked, s->cls[k]);
  }
  if (g->value[q] && !(g->vars[q] & ~at->single))
    tiler_print_expression(n, g->first, g->value[q], out);
  else if (tiler_index_whole(n, g, q, at) || (n->s->s[g->array].unit[q] && !around))
    text_char(out, '*');
  else if (g->kind[q] == CDAG_AT && s->n == 1 && s->coef[0] == 1 && s->base == 0 &&
           in(at->blocked & ~at->single, s->cls[0]))
    text_add(out, n->cls[s->cls[0]].block);
  else {
    tiler_words lo = form_bound(n, g->first, &i->lo, -1, false, at, number_words(cg, g->array, q, i->lo.base));
    if (g->kind[q] == CDAG_AT && single)
      tiler_words_print(out, &lo);
    else if (i->kind == CDAG_AT)
      print_range(out, &lo,
                  plus(form_bound(n, g->first, &i->lo, -1, true, at, number_words(cg, g->array, q, i->lo.base)), 1));
    else
      print_range(out, &lo, form_bound(n, g->first, &i->hi, -1, true, at, number_words(cg, g->array, q, i->hi.base)));
  }
}

void tiler_box(const tiler_nest *n, const tiler_group *g, const tiler_node *at, text *out)
{
  text_printf(out, "%s[", n->s->g->array[g->array].name);
  for (int q = 0; q < g->rank; q++) {
    text_add(out, q ? "," : "");
    print_index(n, g, q, at, out);
  }
  text_char(out, ']');
}

void tiler_box_without(const tiler_nest *n, const tiler_group *g, const tiler_node *at, int q, int cls, text *out)
{
  const tiler_form *f = &g->access->at[q].lo;
  const char *value = n->cls[cls].name;
  tiler_words lo = form_bound(n, g->first, f, -1, false, at, number_words(n->s->g, g->array, q, f->base)),
              hi = plus(form_bound(n, g->first, f, -1, true, at, number_words(n->s->g, g->array, q, f->base)), 1);
  for (int behind = 0; behind < 2; behind++) {
    text_printf(out, "%s%s[", behind ? ", " : "", n->s->g->array[g->array].name);
    for (int r = 0; r < g->rank; r++) {
      text_add(out, r ? "," : "");
      if (r != q) {
        print_index(n, g, r, at, out);
        continue;
      }
      text_add(out, behind ? "max(" : "");
      tiler_words_print(out, &lo);
      text_printf(out, behind ? ", %s + 1).." : "..min(%s, ", value);
      tiler_words_print(out, &hi);
      text_add(out, behind ? "" : ")");
    }
    text_char(out, ']');
  }
}

void tiler_box_cut(const tiler_nest *n, const tiler_group *g, const tiler_node *at, int cls, text *out)
{
  tiler_node free = *at;
  const char *block = in(at->blocked, cls) ? n->cls[cls].block : NULL;
  text lo = { 0 }, hi = { 0 };
  free.blocked &= ~(1u << cls);
  tiler_range_ends(n, cls, 1u << g->first, &free, &lo, &hi);
  text_printf(out, "%s[", n->s->g->array[g->array].name);
  for (int q = 0; q < g->rank; q++) {
    text_add(out, q ? "," : "");
    if (g->lo[q].n != 1 || g->lo[q].cls[0] != cls)
      print_index(n, g, q, at, out);
    else if (block && strcmp(text_str(&lo), "0") == 0)
      text_printf(out, "lo(%s)..min(hi(%s), %s)", block, block, text_str(&hi));
    else if (block)
      text_printf(out, "max(lo(%s), %s)..min(hi(%s), %s)", block, text_str(&lo), block, text_str(&hi));
    else
      text_printf(out, "%s..%s", text_str(&lo), text_str(&hi));
  }
  text_char(out, ']');
  text_clear(&lo);
  text_clear(&hi);
}

static int bound_needs(const tiler_nest *n, int x, const tiler_node *at, bool hi)
{
  const tiler_statement *s = tiler_at(n, x);
  for (int c = 0; c < s->chains; c++) {
    const tiler_bound *b = hi ? &s->hi[s->chain[c]] : &s->lo[s->chain[c]];
    for (int q = 0; q < s->rank; q++)
      for (int i = 0; i < b->n; i++)
        if (b->f[i].coef[q] && !in(at->single, n->of[x][q]))
          return n->of[x][q];
  }
  return -1;
}

int tiler_end_needs(const tiler_nest *n, int x, const tiler_node *at) { return bound_needs(n, x, at, true); }
int tiler_start_needs(const tiler_nest *n, int x, const tiler_node *at) { return bound_needs(n, x, at, false); }

/* Of a block of steps the last one that this sum has, where other indices say how many it has: a step it does not have
   in a block behind its end. */
static bool print_own_last(const tiler_nest *n, int x, int r, const tiler_node *at, text *out)
{
  const tiler_statement *s = tiler_at(n, x);
  const char *block = n->cls[n->of[x][r]].block;
  bool varies = false;
  for (int i = 0; i < s->hi[r].n; i++)
    for (int q = 0; q < s->rank; q++)
      varies = varies || s->hi[r].f[i].coef[q];
  if (!varies || in(at->single, n->of[x][r]) || tiler_end_needs(n, x, at) >= 0)
    return false;
  tiler_words end = plus(own_bound(n, x, r, true, at), 1);
  text_printf(out, "max(lo(%s), min(hi(%s), ", block, block);
  tiler_words_print(out, &end);
  text_add(out, ") - 1)");
  return true;
}

static void print_chain_index(const tiler_nest *n, int x, int r, const tiler_node *at, tiler_part part, text *out)
{
  const tiler_statement *s = tiler_at(n, x);
  int c = n->of[x][r];
  if (part == TILER_AFTER && print_own_last(n, x, r, at, out))
    return;
  tiler_words w = part == TILER_ENDS ? own_bound(n, x, r, true, at) : end_of_loop(n, c, at, part == TILER_AFTER);
  if (part == TILER_FIRST)
    w = number_words(n->s->g, s->array, r, s->least[r] - 1);
  tiler_words_print(out, &(tiler_words[]){ part == TILER_BEFORE ? plus(w, -1) : w }[0]);
}

void tiler_step_before(const tiler_nest *n, int x, const tiler_node *at, text *out)
{
  const tiler_statement *s = tiler_at(n, x);
  text_printf(out, "%s[", n->s->g->array[s->array].name);
  for (int r = 0; r < s->rank; r++) {
    text_add(out, r ? "," : "");
    if (tiler_is_chain(s, r))
      print_chain_index(n, x, r, at, TILER_BEFORE, out);
    else
      text_char(out, '*');
  }
  text_char(out, ']');
}

void tiler_own_box(const tiler_nest *n, int x, const tiler_node *at, tiler_part part, text *out)
{
  const tiler_statement *s = tiler_at(n, x);
  text_printf(out, "%s[", n->s->g->array[s->array].name);
  for (int r = 0; r < s->rank; r++) {
    int c = n->of[x][r];
    text_add(out, r ? "," : "");
    if (part != TILER_COMPUTED && tiler_is_chain(s, r))
      print_chain_index(n, x, r, at, part, out);
    else if (in(at->single | at->blocked, c) && n->scale[x][r] > 1) {
      tiler_words lo = end_in_loop(n, x, r, at, false);
      print_range(out, &lo, plus(end_in_loop(n, x, r, at, true), 1));
    } else if (in(at->single, c))
      text_add(out, n->cls[c].name);
    else if (in(at->blocked, c))
      text_add(out, n->cls[c].block);
    else if (s->started && tiler_is_chain(s, r)) {
      tiler_words lo = own_bound(n, x, r, false, at);
      print_range(out, &lo, plus(own_bound(n, x, r, true, at), 1));
    } else
      text_char(out, '*');
  }
  text_char(out, ']');
}
