/* table.c -- integer tables: listed, by a rule, generated, or read from a file.

   Generators
     monomial_parent(d,g), monomial_variable(d,g)   the monomials of degree <= g in d variables, shortest first, each its
         parent times its variable, whose number is not below the parent's; the constant is number 0 with entries -1
     nonzero_count(t)    of a table t[rows,columns]: how many entries of row I are not 0
     nonzero_column(t)   [rows,columns]: the column of the q-th of them, -1 beyond the last */
#include "cdag/cdag_internal.h"
#include "cdag/language/expr_run.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/patience.h"
#include <stdio.h>
#include <string.h>

enum { TABLE_ENTRIES = PATIENCE(1 << 24) };

typedef struct {
  cdag *g;
  const table_text *def;
  expr_table *t;
  int64_t entries;
  diag *d;
} filling;

static status bad_table(const filling *f, const char *kind, const char *sentence)
{
  return diag_at(f->d, BAD_INPUT, kind, f->g->priv->file, f->def->line, f->def->column, "table %s %s", f->t->name, sentence);
}

static status bad_entry(const filling *f, const expr *e, const char *why)
{
  return diag_at(f->d, BAD_INPUT, "value", f->g->priv->file, e->line, e->column, "an entry of table %s has no value: %s", f->t->name,
                 why ? why : "it reads a table outside its bounds");
}

static status find_extents(filling *f)
{
  expr_env env = { f->g->param_value, f->g->table };
  f->entries = 1;
  for (int r = 0; r < f->t->rank; r++) {
    const char *why = NULL;
    int64_t size;
    if (expr_eval(f->def->size[r], &env, &size, &why) != EXPR_OK)
      return bad_entry(f, f->def->size[r], why);
    if (size < 0)
      return bad_table(f, "cdag", "has a negative size");
    f->t->extent[r] = size;
    if (!num_mul(f->entries, size, &f->entries))
      f->entries = INT64_MAX;
  }
  for (int r = 0; r < f->t->rank; r++)
    if (f->t->extent[r] == 0)
      f->entries = 0;
  if (f->entries > TABLE_ENTRIES)
    return bad_table(f, "cdag", "has more than 2^24 entries");
  return OK;
}

/* ---- rows of many, which most often have 16 bits an entry ---- */

static void make_wide(filling *f)
{
  f->t->wide = MEM_NEW(int64_t, (size_t)f->entries);
  mem_fill_soon(f->t->wide, (size_t)f->entries * sizeof *f->t->wide);
}

static void make_narrow(filling *f)
{
  f->t->narrow = MEM_NEW(int16_t, (size_t)f->entries);
  mem_fill_soon(f->t->narrow, (size_t)f->entries * sizeof *f->t->narrow);
}

/* So far those before `at` are there. */
static void widen(filling *f, int64_t at)
{
  int16_t *narrow = f->t->narrow;
  f->t->narrow = NULL;
  make_wide(f);
  for (int64_t i = 0; i < at; i++)
    f->t->wide[i] = narrow[i];
  mem_free(narrow);
}

/* True: all had 16 bits. */
static bool put_narrow(int16_t *to, const int64_t *row, int64_t n)
{
  int64_t other = 0;
  for (int64_t i = 0; i < n; i++) {
    to[i] = (int16_t)row[i];
    other |= to[i] ^ row[i];
  }
  return other == 0;
}

/* A row, the entries from `at` on. */
static void put_row(filling *f, int64_t at, const int64_t *row, int64_t n)
{
  if (f->t->narrow && put_narrow(f->t->narrow + at, row, n))
    return;
  if (f->t->narrow)
    widen(f, at);
  memcpy(f->t->wide + at, row, (size_t)n * sizeof *row);
}

static char *spot(const filling *f, int64_t at) { return f->t->narrow ? (char *)(f->t->narrow + at) : (char *)(f->t->wide + at); }
static size_t bytes_of(const filling *f, int64_t n) { return (size_t)n * (f->t->narrow ? sizeof *f->t->narrow : sizeof *f->t->wide); }

/* -1 in n entries from `at` on. */
static void put_none(filling *f, int64_t at, int64_t n) { memset(spot(f, at), 0xff, bytes_of(f, n)); }

/* Those from `at` on, `period` of them, come again and again: n in all. */
static void put_again(filling *f, int64_t at, int64_t period, int64_t n)
{
  for (int64_t done = period, more; done < n; done += more) {
    more = num_min(done, n - done);
    memcpy(spot(f, at + done), spot(f, at), bytes_of(f, more));
  }
}

/* Of a table without entries rows may be of any length. */
static int64_t *new_row(const expr_table *t)
{
  int64_t n = t->extent[t->rank - 1];
  for (int r = 0; r < t->rank; r++)
    n = t->extent[r] == 0 ? 0 : n;
  return MEM_NEW(int64_t, (size_t)n);
}

static status fill_list(filling *f)
{
  expr_env env = { f->g->param_value, f->g->table };
  make_wide(f);
  if (f->def->values != f->entries)
    return diag_at(f->d, BAD_INPUT, "cdag", f->g->priv->file, f->def->line, f->def->column, "table %s has %lld entries, and %d are listed",
                   f->t->name, (long long)f->entries, f->def->values);
  for (int i = 0; i < f->def->values; i++) {
    const char *why = NULL;
    if (expr_eval(f->def->value[i], &env, &f->t->wide[i], &why) != EXPR_OK)
      return bad_entry(f, f->def->value[i], why);
  }
  return OK;
}

/* That of the index that runs along a row. */
static int last_slot(const filling *f) { return f->g->params + f->t->rank - 1; }

/* One row, entry by entry: says which has no value. */
static status fill_row(filling *f, int64_t *slot, int last, int64_t *row)
{
  expr_env env = { slot, f->g->table };
  int64_t n = f->t->extent[f->t->rank - 1];
  for (slot[last] = 0; slot[last] < n; slot[last]++) {
    const char *why = NULL;
    if (expr_eval(f->def->value[0], &env, &row[slot[last]], &why) != EXPR_OK)
      return bad_entry(f, f->def->value[0], why);
  }
  return OK;
}

/* ---- rows that repeat themselves ----
   A rule may read the last index x only in comparisons with what does not read it, x < c, and as x % m.  Between the c's an entry of the row is the
   one m entries before it, then: of a mask with stripes a few entries are evaluated, and the others copied. */

enum { BREAKS = 16, PERIOD_MOST = 256 };
typedef struct { int64_t period, at[BREAKS]; int n; } repetition;

static bool is_index(const expr *e, int slot) { return e->op == EXPR_SLOT && e->slot == slot; }
static bool reads(const expr *e, int slot) { return expr_uses(e, slot, slot + 1); }

/* The row may be another from x = v on. */
static bool add_break(repetition *p, int64_t v, int64_t n)
{
  int k = p->n;
  if (v < 1 || v >= n || p->n == BREAKS)
    return p->n < BREAKS;
  p->n++;
  for (; k > 0 && p->at[k - 1] > v; k--)
    p->at[k] = p->at[k - 1];
  p->at[k] = v;
  return true;
}

/* x and v are compared, x first or last: is it another answer from x = v on, from x = v + 1 on? */
static bool add_breaks(repetition *p, expr_op op, bool first, int64_t v, int64_t n)
{
  bool less = op == EXPR_LT || op == EXPR_GE, more = op == EXPR_GT || op == EXPR_LE, equal = !less && !more;
  bool at = equal || (first ? less : more), after = equal || (first ? more : less);
  return (!at || add_break(p, v, n)) && (!after || v >= n || add_break(p, v + 1, n));
}

static bool add_period(repetition *p, int64_t m)
{
  if (m < 1 || m > PERIOD_MOST)
    return false;
  p->period = p->period / num_gcd(p->period, m) * m;
  return p->period <= PERIOD_MOST;
}

/* False: x is read in another way, or there is no value.  Depth: an expression's. */
static bool find_repetition(const expr *e, const expr_env *env, int slot, int64_t n, repetition *p)
{
  int64_t v;
  if (!reads(e, slot))
    return true;
  for (int i = 0; i < 2 && e->nargs == 2; i++)
    if (is_index(e->arg[i], slot) && !reads(e->arg[1 - i], slot) && (expr_is_comparison(e) || (e->op == EXPR_MOD && i == 0)))
      return expr_eval(e->arg[1 - i], env, &v, NULL) == EXPR_OK && (e->op == EXPR_MOD ? add_period(p, v) : add_breaks(p, e->op, i == 0, v, n));
  bool all = e->op != EXPR_SLOT;
  for (int i = 0; i < e->nargs; i++)
    all = all && find_repetition(e->arg[i], env, slot, n, p);
  return all;
}

/* Entries [from, to) of the row that begins at `at`, between two breaks; row: room for a period of them. */
static bool fill_between(filling *f, const expr *rule, const expr_env *env, int64_t period, int64_t at, int64_t from, int64_t to, int64_t *row)
{
  int64_t n = to - from, some = num_min(period, n);
  if (some < 1)
    return true;
  if (!expr_run(rule, env, last_slot(f), from, some, NULL, row))
    return false;
  put_row(f, at + from, row, some);
  put_again(f, at + from, some, n);
  return true;
}

/* False: not all of the row is there. */
static bool fill_repeating(filling *f, const expr *rule, const expr_env *env, int64_t at, int64_t *row)
{
  repetition p = { .period = 1 };
  int64_t from = 0, n = f->t->extent[f->t->rank - 1];
  bool ok = find_repetition(rule, env, last_slot(f), n, &p) && p.period * (p.n + 1) < n / 2;
  for (int i = 0; ok && i <= p.n; i++) {
    int64_t to = i < p.n ? p.at[i] : n;
    ok = fill_between(f, rule, env, p.period, at, from, to, row);
    from = to;
  }
  return ok;
}

static status fill_rule(filling *f)
{
  int params = f->g->params, last = last_slot(f);
  int64_t *slot = MEM_NEW(int64_t, (size_t)params + CDAG_RANK), *x = slot + params, n = f->t->extent[f->t->rank - 1];
  int64_t *row = new_row(f->t);
  expr_env env = { slot, f->g->table };
  expr_kept kept = { .from = params, .to = last };
  status st = OK;
  memcpy(slot, f->g->param_value, (size_t)params * sizeof *slot);
  make_narrow(f);
  expr *rule = expr_with(f->def->value[0], &env, params);
  for (int64_t i = 0; i < f->entries && st == OK; i += n) {
    if (!fill_repeating(f, rule, &env, i, row)) {
      st = expr_run(rule, &env, last, 0, n, &kept, row) ? OK : fill_row(f, slot, last, row);
      put_row(f, i, row, n);
    }
    for (int r = f->t->rank - 2; r >= 0 && ++x[r] == f->t->extent[r]; r--)
      x[r] = 0;
  }
  expr_free(rule);
  expr_kept_clear(&kept);
  mem_free(slot);
  mem_free(row);
  return st;
}

/* ---- generators ---- */

/* Monomial number i: parent[i] and variable[i]; d variables, degree <= g, n = binomial(d+g, g) of them. */
static void monomials(int64_t d, int64_t n, int64_t *parent, int64_t *variable)
{
  int64_t filled = 1;
  if (n > 0)
    parent[0] = variable[0] = -1;
  for (int64_t i = 0; i < filled && filled < n; i++)
    for (int64_t v = num_max(variable[i], 0); v < d && filled < n; v++, filled++) {
      parent[filled] = i;
      variable[filled] = v;
    }
}

static status fill_monomials(filling *f, const int64_t *argument, bool parents)
{
  int64_t n;
  if (argument[0] < 0 || argument[1] < 0 || !num_binomial(argument[0] + argument[1], argument[1], &n))
    return bad_table(f, "cdag", "asks for a negative number of monomials, or too many");
  if (f->t->rank != 1 || f->entries != n)
    return diag_at(f->d, BAD_INPUT, "cdag", f->g->priv->file, f->def->line, f->def->column,
                   "table %s has %lld entries, and there are %lld monomials", f->t->name, (long long)f->entries, (long long)n);
  int64_t *other = MEM_NEW(int64_t, (size_t)n);
  make_wide(f);
  monomials(argument[0], n, parents ? f->t->wide : other, parents ? other : f->t->wide);
  mem_free(other);
  return OK;
}

static const expr_table *argument_table(const filling *f)
{
  for (const expr_table *t = f->g->table; t < f->t; t++)
    if (strcmp(t->name, f->def->argument_table) == 0)
      return t;
  return NULL;
}

/* The first entry of the row, from c on, that is not 0: zeros of 16 bits are passed over four at a time. */
static int64_t next_nonzero(const expr_table *t, int64_t at, int64_t c, int64_t n)
{
  uint64_t four;
  while (t->narrow && c + 4 <= n && (memcpy(&four, t->narrow + at + c, sizeof four), four == 0))
    c += 4;
  while (c < n && expr_entry(t, at + c) == 0)
    c++;
  return c;
}

/* How many entries of the row are not 0, and their columns. */
static int64_t nonzero_of(const expr_table *t, int64_t at, int64_t n, int64_t *column)
{
  int64_t found = 0;
  for (int64_t c = next_nonzero(t, at, 0, n); c < n; c = next_nonzero(t, at, c + 1, n))
    column[found++] = c;
  return found;
}

static status fill_nonzero(filling *f, bool columns)
{
  const expr_table *t = argument_table(f);
  if (!t || t->rank != 2 || f->t->rank != 1 + columns || f->t->extent[0] != t->extent[0] || (columns && f->t->extent[1] != t->extent[1]))
    return bad_table(f, "cdag", columns ? "needs the extents of a table of two indices, its argument"
                                        : "needs one index, the rows of a table of two indices, its argument");
  int64_t n = t->extent[1], *row = new_row(t);
  make_narrow(f);
  for (int64_t r = 0; r < t->extent[0]; r++) {
    int64_t found = nonzero_of(t, r * n, n, row);
    put_row(f, columns ? r * n : r, columns ? row : &found, columns ? found : 1);
    if (columns)
      put_none(f, r * n + found, n - found);
  }
  mem_free(row);
  return OK;
}

static const char *const generators[] = { "monomial_parent", "monomial_variable", "nonzero_count", "nonzero_column" };
enum { GENERATORS = sizeof generators / sizeof *generators };

static int find_generator(const char *name)
{
  for (int i = 0; i < GENERATORS; i++)
    if (strcmp(generators[i], name) == 0)
      return i;
  return -1;
}

bool cdag_is_generator(const char *name) { return find_generator(name) >= 0; }

static status fill_generated(filling *f)
{
  expr_env env = { f->g->param_value, f->g->table };
  int64_t argument[2] = { 0 };
  int which = find_generator(f->def->generator), wanted = which < 2 ? 2 : 0;
  if (f->def->values != wanted || (which < 2) != !f->def->argument_table[0])
    return diag_at(f->d, BAD_INPUT, "index", f->g->priv->file, f->def->line, f->def->column, "%s needs %s", f->def->generator,
                   which < 2 ? "two arguments: the number of variables and the degree" : "one argument: an earlier table");
  for (int i = 0; i < wanted; i++) {
    const char *why = NULL;
    if (expr_eval(f->def->value[i], &env, &argument[i], &why) != EXPR_OK)
      return bad_entry(f, f->def->value[i], why);
  }
  return which < 2 ? fill_monomials(f, argument, which == 0) : fill_nonzero(f, which == 3);
}

/* ---- from a file: integers separated by blanks, commas or line ends; '#' starts a comment ---- */

static status fill_from_file(filling *f, const char *path)
{
  text source = { 0 };
  lexer in;
  int64_t n = 0;
  make_wide(f);
  status st = text_read_plain(&source, path, 0, f->d);
  lex_init(&in, path, text_str(&source), false);
  for (; st == OK && in.now.kind != LEX_END; lex_accept(&in, ',')) {
    bool minus = lex_accept(&in, '-');
    if (in.now.kind != LEX_NUMBER)
      st = lex_error(&in, f->d, "syntax", "a file of a table holds integers only"); /* what else stands in it is not shown */
    else if (n == f->entries)
      st = lex_error(&in, f->d, "cdag", "table %s has %lld entries, and the file has more", f->t->name, (long long)n);
    else
      f->t->wide[n++] = minus ? -in.now.number : in.now.number;
    lex_next(&in);
  }
  if (st == OK && n != f->entries)
    st = lex_error(&in, f->d, "cdag", "table %s has %lld entries, and the file %lld", f->t->name, (long long)f->entries, (long long)n);
  text_clear(&source);
  return st;
}

static status fill(filling *f, const char *path)
{
  status st = find_extents(f);
  if (st != OK)
    return st;
  if (path)
    return fill_from_file(f, path);
  switch (f->def->kind) {
  case TABLE_LIST: return fill_list(f);
  case TABLE_RULE: return fill_rule(f);
  default: return fill_generated(f);
  }
}

status cdag_fill_tables(cdag *g, diag *d)
{
  status st = OK;
  for (int i = 0; i < g->tables && st == OK; i++) {
    filling f = { .g = g, .def = &g->priv->table[i], .t = &g->table[i], .d = d };
    st = fill(&f, g->priv->table_file[i]);
  }
  return st;
}

bool cdag_table_reads(const cdag *g, int param)
{
  for (int i = 0; i < g->tables; i++) {
    const table_text *def = &g->priv->table[i];
    for (int r = 0; r < g->table[i].rank; r++)
      if (expr_uses(def->size[r], param, param + 1))
        return true;
    for (int k = 0; k < def->values; k++)
      if (expr_uses(def->value[k], param, param + 1))
        return true;
  }
  return false;
}
