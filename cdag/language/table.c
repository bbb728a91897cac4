/* table.c -- integer tables: listed, by a rule, generated, or read from a file.

   Generators
     monomial_parent(d,g), monomial_variable(d,g)   the monomials of degree <= g in d variables, shortest first, each
   its parent times its variable, whose number is not below the parent's; the constant is number 0 with entries -1
     nonzero_count(t)    of a table t[rows,columns]: how many entries of row I are not 0
     nonzero_column(t)   [rows,most]: the column of the q-th of them, -1 beyond the last; `most` is enough
     With a second table u[rows,k] the columns in row I of u belong to row I, too (-1 is none).
     random_columns(n,seed)  [rows,k]: k different numbers below n, ascending, others in each row and for each seed
     largest(t)          [1]: the largest entry, 0 of none
     running_sum(t)      [n+1]: the sum of the first I entries of t[n];  repeated(t): number I, t[I] times, for each I
     listed_mask(t)      [rows,columns]: 1 where a row of t[rows,most] lists the column, else 0
     listed_start(t)     of a table t[rows,most] of columns: [columns+1]: where the rows that name J begin in a list
     listed_row(t,columns), listed_place(t,columns)   that list: a row, and at which place it names the column

   A table by a rule that has more than 2^24 entries is not stored: nonzero_count and nonzero_column go through its rows
   one by one, and nothing else may read it.  So a mask costs what it keeps. */
#include "cdag/cdag_internal.h"
#include "cdag/language/expr_run.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/patience.h"
#include "base/random.h"
#include <stdio.h>
#include <string.h>

enum { TABLE_ENTRIES = PATIENCE(1 << 24) };
static const int64_t RULE_ENTRIES = (int64_t)TABLE_ENTRIES << 10; /* of a rule that is not stored */

typedef struct {
  cdag *g;
  const table_text *def;
  expr_table *t;
  int64_t entries;
  diag *d;
} filling;

static status bad_table(const filling *f, const char *kind, const char *sentence)
{
  return diag_at(f->d, BAD_INPUT, kind, f->g->priv->file, f->def->line, f->def->column, "table %s %s", f->t->name,
                 sentence);
}

static status bad_entry(const filling *f, const expr *e, const char *why)
{
  return diag_at(f->d, BAD_INPUT, "value", f->g->priv->file, e->line, e->column,
                 "an entry of table %s has no value: %s", f->t->name,
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
  bool by_rule = f->def->kind == TABLE_RULE && f->t->rank == 2;
  f->t->unstored = by_rule && f->entries > TABLE_ENTRIES && f->entries <= RULE_ENTRIES;
  if (f->entries > TABLE_ENTRIES && !f->t->unstored)
    return bad_table(f, "cdag", f->def->kind == TABLE_RULE ? "has too many entries" : "has more than 2^24 entries");
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

static char *spot(const filling *f, int64_t at)
{
  return f->t->narrow ? (char *)(f->t->narrow + at) : (char *)(f->t->wide + at);
}
static size_t bytes_of(const filling *f, int64_t n)
{
  return (size_t)n * (f->t->narrow ? sizeof *f->t->narrow : sizeof *f->t->wide);
}

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
    return diag_at(f->d, BAD_INPUT, "cdag", f->g->priv->file, f->def->line, f->def->column,
                   "table %s has %lld entries, and %d are listed", f->t->name, (long long)f->entries, f->def->values);
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
   A rule may read the last index x only in comparisons with what does not read it, x < c, and as x % m.  Between the
   c's an entry of the row is the one m entries before it, then: of a mask with stripes a few entries are evaluated, and
   the others copied. */

enum { BREAKS = 16, PERIOD_MOST = 256 };
typedef struct { int64_t period, at[BREAKS]; int n; } repetition;

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
    if (expr_is_slot(e->arg[i], slot) && !reads(e->arg[1 - i], slot) &&
        (expr_is_comparison(e) || (e->op == EXPR_MOD && i == 0)))
      return expr_eval(e->arg[1 - i], env, &v, NULL) == EXPR_OK &&
             (e->op == EXPR_MOD ? add_period(p, v) : add_breaks(p, e->op, i == 0, v, n));
  bool all = e->op != EXPR_SLOT;
  for (int i = 0; i < e->nargs; i++)
    all = all && find_repetition(e->arg[i], env, slot, n, p);
  return all;
}

/* Entries [from, to) of the row that begins at `at`, between two breaks; row: room for a period of them. */
static bool fill_between(filling *f, const expr *rule, const expr_env *env, int64_t period, int64_t at, int64_t from,
                         int64_t to, int64_t *row)
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

/* What is needed to fill row after row; the entries of a row are put at `at`. */
typedef struct {
  filling *f;
  int64_t *slot, *row;
  expr *rule;
  expr_env env;
  expr_kept kept;
} rows;

static void rows_begin(rows *w, filling *f)
{
  int params = f->g->params, last = last_slot(f);
  *w = (rows){ .f = f, .row = new_row(f->t), .kept = { .from = params, .to = last } };
  w->slot = MEM_NEW(int64_t, (size_t)params + CDAG_RANK);
  memcpy(w->slot, f->g->param_value, (size_t)params * sizeof *w->slot);
  w->env = (expr_env){ w->slot, f->g->table };
  w->rule = expr_with(f->def->value[0], &w->env, params);
}

static void rows_end(rows *w)
{
  expr_free(w->rule);
  expr_kept_clear(&w->kept);
  mem_free(w->slot);
  mem_free(w->row);
}

static status rows_put(rows *w, int64_t at)
{
  filling *f = w->f;
  int last = last_slot(f);
  int64_t n = f->t->extent[f->t->rank - 1];
  if (fill_repeating(f, w->rule, &w->env, at, w->row))
    return OK;
  status st = expr_run(w->rule, &w->env, last, 0, n, &w->kept, w->row) ? OK : fill_row(f, w->slot, last, w->row);
  put_row(f, at, w->row, n);
  return st;
}

static status fill_rule(filling *f)
{
  rows w;
  int64_t n = f->t->extent[f->t->rank - 1], *x;
  status st = OK;
  make_narrow(f);
  rows_begin(&w, f);
  x = w.slot + f->g->params;
  for (int64_t i = 0; i < f->entries && st == OK; i += n) {
    st = rows_put(&w, i);
    for (int r = f->t->rank - 2; r >= 0 && ++x[r] == f->t->extent[r]; r--)
      x[r] = 0;
  }
  rows_end(&w);
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
                   "table %s has %lld entries, and there are %lld monomials", f->t->name, (long long)f->entries,
                   (long long)n);
  SCOPED_MEM int64_t *other = MEM_NEW(int64_t, (size_t)n);
  make_wide(f);
  monomials(argument[0], n, parents ? f->t->wide : other, parents ? other : f->t->wide);
  return OK;
}

/* Argument k as an earlier table of that rank (0: any); NULL when it is none. */
static const expr_table *argument_table(const filling *f, int k, int rank)
{
  for (const expr_table *t = f->g->table; t < f->t; t++)
    if (strcmp(t->name, f->def->argument_table[k]) == 0)
      return rank == 0 || t->rank == rank ? t : NULL;
  return NULL;
}

/* The same; a table that is not stored is none. */
static const expr_table *stored_argument(const filling *f, int k, int rank)
{
  const expr_table *t = argument_table(f, k, rank);
  return t && !t->unstored ? t : NULL;
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

/* A row's columns: those that are not 0 in a row of t, and those that a row of `more` names. */
typedef struct {
  const expr_table *t, *more;      /* more: may be NULL */
  bool unstored;                   /* the rows of t are made one by one, in a table of one row */
  expr_table one;
  filling by_rule;
  rows w;
} listing;

/* Their numbers, ascending; -1: row r of `more` names what is no column. */
static int64_t merge(const listing *l, int64_t r, int64_t at, int64_t *column)
{
  int64_t n = l->t->extent[1], found = 0, k = l->more ? l->more->extent[1] : 0;
  const expr_table *t = l->unstored ? &l->one : l->t;
  for (int64_t c = next_nonzero(t, at, 0, n); c < n; c = next_nonzero(t, at, c + 1, n))
    column[found++] = c;
  for (int64_t x = 0; x < k; x++) {
    int64_t c = expr_entry(l->more, r * k + x), i = found;
    if (c >= n)
      return -1;
    while (i > 0 && column[i - 1] > c)
      i--;
    if (c < 0 || (i > 0 && column[i - 1] == c))
      continue;
    memmove(column + i + 1, column + i, (size_t)(found++ - i) * sizeof *column);
    column[i] = c;
  }
  return found;
}

static void listing_begin(listing *l, const filling *f, const expr_table *t, const expr_table *more)
{
  *l = (listing){ .t = t, .more = more, .unstored = t->unstored };
  if (!l->unstored)
    return;
  l->one = *l->t;
  l->by_rule = (filling){ .g = f->g, .def = &f->g->priv->table[t - f->g->table], .t = &l->one, .d = f->d };
  l->by_rule.entries = l->t->extent[1];
  make_narrow(&l->by_rule);
  rows_begin(&l->w, &l->by_rule);
}

static void listing_end(listing *l)
{
  if (!l->unstored)
    return;
  rows_end(&l->w);
  mem_free(l->one.wide);
  mem_free(l->one.narrow);
}

static status listing_row(listing *l, int64_t r, int64_t *column, int64_t *found)
{
  status st = OK;
  if (l->unstored) {
    l->w.slot[l->by_rule.g->params] = r;
    st = rows_put(&l->w, 0);
  }
  *found = st == OK ? merge(l, r, l->unstored ? 0 : r * l->t->extent[1], column) : 0;
  return st;
}

static status put_listed(filling *f, int64_t r, const int64_t *column, int64_t found, bool columns)
{
  int64_t n = columns ? f->t->extent[1] : 1;
  if (found < 0)
    return bad_table(f, "cdag", "is told of a column beyond the last");
  if (columns && found > n)
    return bad_table(f, "cdag", "has not as many columns as a row keeps");
  put_row(f, r * n, columns ? column : &found, columns ? found : 1);
  if (columns)
    put_none(f, r * n + found, n - found);
  return OK;
}

static status fill_nonzero(filling *f, const int64_t *argument, bool columns)
{
  const expr_table *t = argument_table(f, 0, 2), *more = stored_argument(f, 1, 2);
  (void)argument;
  if (!t || f->t->rank != 1 + columns || f->t->extent[0] != t->extent[0])
    return bad_table(f, "cdag", columns ? "needs the rows of a table of two indices, its argument, and a second index"
                                        : "needs one index, the rows of a table of two indices, its argument");
  if (f->def->argument_table[1][0] && (!more || more->extent[0] != t->extent[0]))
    return bad_table(f, "cdag", "needs a second table with as many rows as the first, and at most 2^24 entries");
  int64_t *row = MEM_NEW(int64_t, (size_t)num_max(1, t->extent[0] ? t->extent[1] : 0)), found;
  listing l;
  status st = OK;
  make_narrow(f);
  listing_begin(&l, f, t, more);
  for (int64_t r = 0; r < t->extent[0] && st == OK; r++) {
    st = listing_row(&l, r, row, &found);
    if (st == OK)
      st = put_listed(f, r, row, found, columns);
  }
  listing_end(&l);
  mem_free(row);
  return st;
}

/* ---- k of n at random ---- */

/* Floyd's choice of k numbers below n (Bentley and Floyd 1987), kept in ascending order. */
static void choose(int64_t n, int64_t k, random_source *r, int64_t *chosen)
{
  for (int64_t i = 0; i < k; i++) {
    int64_t top = n - k + i, c = (int64_t)(random_next(r) % (uint64_t)(top + 1)), at = 0;
    while (at < i && chosen[at] < c)
      at++;
    bool there = at < i && chosen[at] == c;
    at = there ? i : at; /* the newcomer `top` is above all others */
    memmove(chosen + at + 1, chosen + at, (size_t)(i - at) * sizeof *chosen);
    chosen[at] = there ? top : c;
  }
}

static status fill_random(filling *f, const int64_t *argument, bool unused)
{
  (void)unused;
  int64_t k = f->t->rank == 2 ? f->t->extent[1] : -1;
  if (k < 0 || k > argument[0])
    return bad_table(f, "cdag", "needs two indices, and no more of the second than there are columns to choose from");
  SCOPED_MEM int64_t *row = MEM_NEW(int64_t, (size_t)num_max(1, f->entries ? k : 0));
  make_narrow(f);
  for (int64_t i = 0; i < f->entries; i += k) {
    random_source r = { ((uint64_t)argument[1] << 32) ^ (uint64_t)(i / k) };
    random_next(&r);
    choose(argument[0], k, &r, row);
    put_row(f, i, row, k);
  }
  return OK;
}

static status fill_largest(filling *f, const int64_t *argument, bool unused)
{
  const expr_table *t = stored_argument(f, 0, 0);
  int64_t n = 1, least, most = 0;
  (void)argument;
  (void)unused;
  if (!t || f->entries != 1)
    return bad_table(f, "cdag", "needs one entry, and as its argument a table that is stored");
  for (int r = 0; r < t->rank; r++)
    n *= t->extent[r];
  if (n > 0)
    expr_table_span(t, n, &least, &most);
  make_wide(f);
  f->t->wide[0] = most;
  return OK;
}

/* ---- lists of lists ---- */

/* The argument, a table of one index and no negative entry. */
static const expr_table *lengths_of(const filling *f)
{
  const expr_table *t = stored_argument(f, 0, 1);
  bool good = t && f->t->rank == 1;
  for (int64_t i = 0; good && i < t->extent[0]; i++)
    good = expr_entry(t, i) >= 0 && expr_entry(t, i) <= TABLE_ENTRIES;
  return good ? t : NULL;
}

static status fill_sums(filling *f, const int64_t *argument, bool repeat)
{
  const expr_table *t = lengths_of(f);
  int64_t at = 0;
  (void)argument;
  if (!t || (!repeat && f->entries != t->extent[0] + 1))
    return bad_table(f, "cdag", "needs one index, and as its argument a table of one index without negative entries");
  make_wide(f);
  for (int64_t i = 0; i < t->extent[0] && (!repeat || at <= f->entries); i++) {
    int64_t from = at;
    at += expr_entry(t, i);
    for (int64_t k = from; repeat && k < at && k < f->entries; k++)
      f->t->wide[k] = i;
    if (!repeat)
      f->t->wide[i] = from;
  }
  if (!repeat)
    f->t->wide[f->entries - 1] = at;
  return repeat && at != f->entries ? bad_table(f, "cdag", "has not as many entries as its argument says") : OK;
}

/* ---- from lists of columns to lists of rows ---- */

/* Counted first, then laid out: at[c] is where the next row of column c goes. */
static status count_columns(const filling *f, const expr_table *t, int64_t columns, int64_t *at)
{
  for (int64_t e = 0; e < t->extent[0] * t->extent[1]; e++) {
    int64_t c = expr_entry(t, e);
    if (c >= columns)
      return bad_table(f, "cdag", "is told of a column beyond the last");
    if (c >= 0)
      at[c + 1]++;
  }
  for (int64_t c = 0; c < columns; c++)
    at[c + 1] += at[c];
  return OK;
}

static const expr_table *list_of(const filling *f)
{
  return f->t->rank == 1 ? stored_argument(f, 0, 2) : NULL;
}

static status fill_listed_start(filling *f, const int64_t *argument, bool unused)
{
  const expr_table *t = list_of(f);
  (void)argument;
  (void)unused;
  if (!t || f->entries < 1)
    return bad_table(f, "cdag", "needs one index, columns + 1, and as its argument a table of two indices");
  make_wide(f);
  for (int64_t i = 0; i < f->entries; i++)
    f->t->wide[i] = 0;
  return count_columns(f, t, f->entries - 1, f->t->wide);
}

/* As a mask: does row I list column J? */
static status fill_listed_mask(filling *f, const int64_t *argument, bool unused)
{
  const expr_table *t = stored_argument(f, 0, 2);
  (void)argument;
  (void)unused;
  if (!t || f->t->rank != 2 || f->t->extent[0] != t->extent[0])
    return bad_table(f, "cdag", "needs two indices, and as its argument a table of two indices with as many rows");
  make_wide(f);
  for (int64_t i = 0; i < f->entries; i++)
    f->t->wide[i] = 0;
  for (int64_t e = 0; e < t->extent[0] * t->extent[1]; e++)
    if (expr_entry(t, e) >= f->t->extent[1])
      return bad_table(f, "cdag", "is told of a column beyond the last");
    else if (expr_entry(t, e) >= 0)
      f->t->wide[e / t->extent[1] * f->t->extent[1] + expr_entry(t, e)] = 1;
  return OK;
}

static status fill_listed(filling *f, const int64_t *argument, bool places)
{
  const expr_table *t = list_of(f);
  int64_t columns = argument[0], height = t ? t->extent[0] : 0, wide = t ? t->extent[1] : 0;
  if (!t || columns < 0 || columns > TABLE_ENTRIES)
    return bad_table(f, "cdag", "needs one index, and a table of two indices and its columns as arguments");
  /* One place on: at[c + 1] is where column c goes on. */
  SCOPED_MEM int64_t *at = MEM_NEW(int64_t, (size_t)columns + 2);
  status st = count_columns(f, t, columns, at + 1);
  if (st == OK && at[columns + 1] != f->entries)
    st = bad_table(f, "cdag", "has not as many entries as its argument lists");
  make_wide(f);
  for (int64_t e = 0; e < height * wide && st == OK; e++)
    if (expr_entry(t, e) >= 0)
      f->t->wide[at[expr_entry(t, e) + 1]++] = places ? e % wide : e / wide;
  return st;
}

/* ---- the generators ---- */

typedef struct {
  const char *name;
  int numbers, tables, more;       /* arguments: numbers, tables, tables that may follow */
  bool flag;
  status (*fill)(filling *f, const int64_t *argument, bool flag);
  const char *wants;
} generator;

static const char two_numbers[] = "two arguments: the number of variables and the degree";
static const char a_table[] = "one argument: an earlier table";
static const char table_and_columns[] = "two arguments: an earlier table and the number of columns";
static const char tables_too[] = "one argument or two: earlier tables";
static const generator generators[] = {
  { "monomial_parent", 2, 0, 0, true, fill_monomials, two_numbers },
  { "monomial_variable", 2, 0, 0, false, fill_monomials, two_numbers },
  { "nonzero_count", 0, 1, 1, false, fill_nonzero, tables_too },
  { "nonzero_column", 0, 1, 1, true, fill_nonzero, tables_too },
  { "random_columns", 2, 0, 0, false, fill_random, "two arguments: how many columns there are, and the seed" },
  { "largest", 0, 1, 0, false, fill_largest, a_table },
  { "running_sum", 0, 1, 0, false, fill_sums, a_table },
  { "repeated", 0, 1, 0, true, fill_sums, a_table },
  { "listed_mask", 0, 1, 0, false, fill_listed_mask, a_table },
  { "listed_start", 0, 1, 0, false, fill_listed_start, a_table },
  { "listed_row", 1, 1, 0, false, fill_listed, table_and_columns },
  { "listed_place", 1, 1, 0, true, fill_listed, table_and_columns },
};

static const generator *find_generator(const char *name)
{
  for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
    if (strcmp(generators[i].name, name) == 0)
      return &generators[i];
  return NULL;
}

bool cdag_is_generator(const char *name) { return find_generator(name) != NULL; }

static status fill_generated(filling *f)
{
  expr_env env = { f->g->param_value, f->g->table };
  const generator *how = find_generator(f->def->generator);
  int64_t argument[2] = { 0 };
  int given = 0;
  while (given < TABLE_ARGUMENTS && f->def->argument_table[given][0])
    given++;
  if (f->def->values != how->numbers || given < how->tables || given > how->tables + how->more)
    return diag_at(f->d, BAD_INPUT, "index", f->g->priv->file, f->def->line, f->def->column, "%s needs %s", how->name,
                   how->wants);
  for (int i = 0; i < how->numbers; i++) {
    const char *why = NULL;
    if (expr_eval(f->def->value[i], &env, &argument[i], &why) != EXPR_OK)
      return bad_entry(f, f->def->value[i], why);
  }
  return how->fill(f, argument, how->flag);
}

/* ---- from a file: integers separated by blanks, commas or line ends; '#' starts a comment ---- */

static status fill_from_file(filling *f, const char *path)
{
  SCOPED_TEXT source = { 0 };
  lexer in;
  int64_t n = 0;
  make_wide(f);
  status st = text_read_plain(&source, path, 0, f->d);
  lex_init(&in, path, text_str(&source), false);
  for (; st == OK && in.now.kind != LEX_END; lex_accept(&in, ',')) {
    bool minus = lex_accept(&in, '-');
    if (in.now.kind != LEX_NUMBER)
      st = lex_error(&in, f->d, "syntax",
                     "a file of a table holds integers only"); /* what else stands in it is not shown */
    else if (n == f->entries)
      st = lex_error(&in, f->d, "cdag", "table %s has %lld entries, and the file has more", f->t->name, (long long)n);
    else
      f->t->wide[n++] = minus ? -in.now.number : in.now.number;
    lex_next(&in);
  }
  if (st == OK && n != f->entries)
    st = lex_error(&in, f->d, "cdag", "table %s has %lld entries, and the file %lld", f->t->name, (long long)f->entries,
                   (long long)n);
  return st;
}

static status fill(filling *f, const char *path)
{
  status st = find_extents(f);
  if (st != OK)
    return st;
  if (path && f->t->unstored)
    return bad_table(f, "cdag", "has more than 2^24 entries");
  if (path)
    return fill_from_file(f, path);
  switch (f->def->kind) {
  case TABLE_LIST: return fill_list(f);
  case TABLE_RULE: return f->t->unstored ? OK : fill_rule(f);
  default: return fill_generated(f);
  }
}

/* What a table that is not stored may not be read by. */
static status is_read(const cdag *g, const expr *e, diag *d)
{
  status st = OK;
  if (e && e->op == EXPR_TABLE && g->table[e->slot].unstored)
    return diag_at(d, BAD_INPUT, "cdag", g->priv->file, e->line, e->column,
                   "table %s has more than 2^24 entries: only generators may read it", e->name);
  for (int i = 0; e && i < e->nargs && st == OK; i++)
    st = is_read(g, e->arg[i], d);
  return st;
}

static status read_by_indices(const cdag *g, const cdag_index *x, int rank, diag *d)
{
  status st = OK;
  for (int r = 0; r < rank && st == OK; r++)
    if ((st = is_read(g, x[r].lo, d)) == OK)
      st = is_read(g, x[r].hi, d);
  return st;
}

static status read_by_array(const cdag *g, const cdag_array *a, diag *d)
{
  status st = OK;
  for (int r = 0; r < a->rank && st == OK; r++)
    if ((st = is_read(g, a->lo[r], d)) == OK)
      st = is_read(g, a->hi[r], d);
  for (int t = 0; t < a->terms && st == OK; t++)
    st = read_by_indices(g, a->term[t].index, g->array[a->term[t].array].rank, d);
  return st;
}

static status read_by_rules(const cdag *g, diag *d)
{
  status st = OK;
  for (int i = 0; i < g->arrays && st == OK; i++)
    st = read_by_array(g, &g->array[i], d);
  for (int s = 0; s < g->selections && st == OK; s++)
    st = read_by_indices(g, g->selection[s].index, g->array[g->selection[s].array].rank, d);
  return st;
}

status cdag_fill_tables(cdag *g, diag *d)
{
  status st = OK;
  for (int i = 0; i < g->tables && st == OK; i++) {
    filling f = { .g = g, .def = &g->priv->table[i], .t = &g->table[i], .d = d };
    st = fill(&f, g->priv->table_file[i]);
  }
  return st == OK ? read_by_rules(g, d) : st;
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
