/* Linear programs through GLPK, and the exact side of LP duality: for min c.x, A x >= b, 0 <= x <= u, every y of the
   right signs gives c.x >= y.b - sum_j u_j max(0, (y.A - c)_j), where columns without an upper bound must have (y.A)_j
   <= c_j. */
#include "base/scoped.h"
#include "bounds/program/lp.h"
#include "base/mem.h"
#include <glpk.h>
#include <math.h>
#include <string.h>
#include "late_glpk.h"

/* ---- the problem ---- */

static mpq_t *fractions(int n)
{
  mpq_t *v = MEM_NEW(mpq_t, (size_t)n);
  for (int i = 0; i < n; i++)
    mpq_init(v[i]);
  return v;
}

static void fractions_free(mpq_t *v, int n)
{
  for (int i = 0; v && i < n; i++)
    mpq_clear(v[i]);
  mem_free(v);
}

void lp_init(lp_problem *p, int rows, int cols)
{
  *p = (lp_problem){ .rows = rows, .cols = cols, .row_room = rows + 8, .col_room = cols + 8 };
  p->sense = MEM_NEW(lp_sense, (size_t)p->row_room);
  p->b = fractions(p->row_room);
  p->c = fractions(p->col_room);
  p->upper = fractions(p->col_room);
  p->has_upper = MEM_NEW(bool, (size_t)p->col_room);
  p->a = fractions(p->row_room * p->col_room);
}

void lp_clear(lp_problem *p)
{
  fractions_free(p->b, p->row_room);
  fractions_free(p->c, p->col_room);
  fractions_free(p->upper, p->col_room);
  fractions_free(p->a, p->row_room * p->col_room);
  mem_free(p->sense);
  mem_free(p->has_upper);
  *p = (lp_problem){ 0 };
}

mpq_ptr lp_at(lp_problem *p, int row, int col) { return p->a[row * p->col_room + col]; }
static mpq_srcptr at(const lp_problem *p, int row, int col) { return p->a[row * p->col_room + col]; }
void lp_set(lp_problem *p, int row, int col, long value) { mpq_set_si(lp_at(p, row, col), value, 1); }

/* A copy with room for twice the rows and columns, swapped in. */
static void enlarge(lp_problem *p)
{
  lp_problem wide;
  lp_init(&wide, 2 * p->rows, 2 * p->cols);
  wide.rows = p->rows;
  wide.cols = p->cols;
  memcpy(wide.sense, p->sense, (size_t)p->rows * sizeof *p->sense);
  memcpy(wide.has_upper, p->has_upper, (size_t)p->cols * sizeof *p->has_upper);
  for (int i = 0; i < p->rows; i++)
    mpq_swap(wide.b[i], p->b[i]);
  for (int j = 0; j < p->cols; j++) {
    mpq_swap(wide.c[j], p->c[j]);
    mpq_swap(wide.upper[j], p->upper[j]);
    for (int i = 0; i < p->rows; i++)
      mpq_swap(lp_at(&wide, i, j), lp_at(p, i, j));
  }
  lp_clear(p);
  *p = wide;
}

int lp_add_row(lp_problem *p, lp_sense sense)
{
  if (p->rows == p->row_room)
    enlarge(p);
  p->sense[p->rows] = sense;
  return p->rows++;
}

int lp_add_col(lp_problem *p)
{
  if (p->cols == p->col_room)
    enlarge(p);
  return p->cols++;
}

/* ---- GLPK ---- */

/* GLPK ends an error with abort.  When the error is that memory ran out, that is said the way of the house first. */
static bool starved;

static int listen(void *unused, const char *words)
{
  (void)unused;
  starved |= strstr(words, "memory") != NULL;
  return 1; /* and print nothing */
}

static void at_error(void *unused)
{
  (void)unused;
  if (starved)
    mem_exhausted(0);
}

static void enter_glpk(void)
{
  starved = false;
  if (glp_init_env() == 2) /* it has no memory for its own beginning; any later call would abort */
    mem_exhausted(0);
  glp_error_hook(at_error, NULL);
  glp_term_hook(listen, NULL);
  glp_term_out(GLP_OFF);
}

static void build_rows(const lp_problem *p, glp_prob *lp)
{
  static const int kind[] = { [LP_GE] = GLP_LO, [LP_LE] = GLP_UP, [LP_EQ] = GLP_FX };
  for (int i = 0; i < p->rows; i++) {
    double b = mpq_get_d(p->b[i]);
    glp_set_row_bnds(lp, i + 1, kind[p->sense[i]], b, b);
  }
}

static void build_columns(const lp_problem *p, glp_prob *lp)
{
  SCOPED_MEM int *row = MEM_NEW(int, (size_t)p->rows + 1);
  SCOPED_MEM double *value = MEM_NEW(double, (size_t)p->rows + 1);
  for (int j = 0; j < p->cols; j++) {
    int n = 0;
    for (int i = 0; i < p->rows; i++)
      if (mpq_sgn(at(p, i, j))) {
        row[++n] = i + 1;
        value[n] = mpq_get_d(at(p, i, j));
      }
    glp_set_mat_col(lp, j + 1, n, row, value);
    glp_set_obj_coef(lp, j + 1, mpq_get_d(p->c[j]));
    double u = p->has_upper[j] ? mpq_get_d(p->upper[j]) : 0;
    glp_set_col_bnds(lp, j + 1, !p->has_upper[j] ? GLP_LO : u > 0 ? GLP_DB : GLP_FX, 0, u);
  }
}

static glp_prob *build(const lp_problem *p)
{
  glp_prob *lp = glp_create_prob();
  glp_set_obj_dir(lp, GLP_MIN);
  if (p->rows)
    glp_add_rows(lp, p->rows);
  if (p->cols)
    glp_add_cols(lp, p->cols);
  build_rows(p, lp);
  build_columns(p, lp);
  return lp;
}

static status read_answer(const lp_problem *p, glp_prob *lp, lp_answer *out, diag *d)
{
  switch (glp_get_status(lp)) {
  case GLP_OPT: out->verdict = LP_OPTIMAL; break;
  case GLP_NOFEAS: out->verdict = LP_INFEASIBLE; return OK;
  case GLP_UNBND: out->verdict = LP_UNBOUNDED; return OK;
  default: return diag_set(d, SOLVER, "solver", "GLPK ended without a verdict on a linear program of %d rows", p->rows);
  }
  out->value_estimate = glp_get_obj_val(lp);
  out->x_estimate = MEM_NEW(double, (size_t)p->cols);
  out->dual_estimate = MEM_NEW(double, (size_t)p->rows);
  for (int j = 0; j < p->cols; j++)
    out->x_estimate[j] = glp_get_col_prim(lp, j + 1);
  for (int i = 0; i < p->rows; i++)
    out->dual_estimate[i] = glp_get_row_dual(lp, i + 1);
  return OK;
}

status lp_solve(const lp_problem *p, lp_answer *out, diag *d)
{
  *out = (lp_answer){ 0 };
  enter_glpk();
  glp_prob *lp = build(p);
  glp_smcp how;
  glp_init_smcp(&how);
  how.msg_lev = GLP_MSG_OFF;
  how.tm_lim = 60000;
  int failed = glp_simplex(lp, &how);
  status st =
      failed ? diag_set(d, SOLVER, "solver", "GLPK's simplex failed (code %d)", failed) : read_answer(p, lp, out, d);
  glp_delete_prob(lp);
  return st;
}

void lp_answer_clear(lp_answer *a)
{
  mem_free(a->x_estimate);
  mem_free(a->dual_estimate);
  *a = (lp_answer){ 0 };
}

/* ---- exact ---- */

void lp_fraction_near(double v, long max_den, mpq_t out)
{
  bool negative = v < 0;
  double rest = fabs(v);
  if (!(rest < 1e15)) {
    mpq_set_d(out, isfinite(v) ? v : 0);
    return;
  }
  long p0 = 1, q0 = 0, p1 = (long)rest, q1 = 1;
  rest -= (double)p1;
  while (rest > 1e-9) {
    double iteration = 1 / rest;
    long a = iteration < 1e9 ? (long)iteration : 1000000000;
    long p2, q2;
    if (__builtin_mul_overflow(a, q1, &q2) || __builtin_add_overflow(q2, q0, &q2) || q2 > max_den ||
        __builtin_mul_overflow(a, p1, &p2) || __builtin_add_overflow(p2, p0, &p2))
      break;
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    rest = iteration - (double)a;
  }
  mpq_set_si(out, negative ? -p1 : p1, (unsigned long)q1);
  mpq_canonicalize(out);
}

/* out += x * y */
static void add_product(mpq_t out, mpq_srcptr x, mpq_srcptr y)
{
  SCOPED_MPQ t;
  mpq_init(t);
  mpq_mul(t, x, y);
  mpq_add(out, out, t);
}

/* (y.A)_j - c_j */
static void excess(const lp_problem *p, const mpq_t *y, int col, mpq_t out)
{
  mpq_neg(out, p->c[col]);
  for (int i = 0; i < p->rows; i++)
    if (mpq_sgn(at(p, i, col)) && mpq_sgn(y[i]))
      add_product(out, at(p, i, col), y[i]);
}

static bool sign_fits(lp_sense s, mpq_srcptr y)
{
  return s == LP_EQ || (s == LP_GE ? mpq_sgn(y) >= 0 : mpq_sgn(y) <= 0);
}

bool lp_dual_feasible(const lp_problem *p, const mpq_t *y, mpq_t value)
{
  bool good = true;
  SCOPED_MPQ over;
  mpq_init(over);
  mpq_set_ui(value, 0, 1);
  for (int i = 0; i < p->rows && good; i++) {
    good = sign_fits(p->sense[i], y[i]);
    add_product(value, y[i], p->b[i]);
  }
  for (int j = 0; j < p->cols && good; j++) {
    excess(p, y, j, over);
    if (mpq_sgn(over) <= 0)
      continue;
    good = p->has_upper[j];
    mpq_neg(over, over);
    add_product(value, over, p->upper[j]);
  }
  return good;
}

/* The largest factor in (0, 1] by which every (y.A)_j falls to c_j at most; 0 when there is none. */
static void shrink_factor(const lp_problem *p, const mpq_t *y, mpq_t factor)
{
  SCOPED_MPQ t;
  mpq_init(t);
  mpq_set_ui(factor, 1, 1);
  for (int j = 0; j < p->cols; j++) {
    excess(p, y, j, t);
    if (p->has_upper[j] || mpq_sgn(t) <= 0)
      continue;
    if (mpq_sgn(p->c[j]) <= 0) {
      mpq_set_ui(factor, 0, 1);
      break;
    }
    mpq_add(t, t, p->c[j]);
    mpq_div(t, p->c[j], t);
    if (mpq_cmp(t, factor) < 0)
      mpq_set(factor, t);
  }
}

bool lp_dual_certify(const lp_problem *p, const double *dual_estimate, long max_den, mpq_t *y, mpq_t value)
{
  for (int i = 0; i < p->rows; i++) {
    lp_fraction_near(dual_estimate[i], max_den, y[i]);
    if (!sign_fits(p->sense[i], y[i]))
      mpq_set_ui(y[i], 0, 1);
  }
  SCOPED_MPQ factor;
  mpq_init(factor);
  shrink_factor(p, (const mpq_t *)y, factor);
  for (int i = 0; i < p->rows; i++)
    mpq_mul(y[i], y[i], factor);
  return mpq_sgn(factor) > 0 && lp_dual_feasible(p, (const mpq_t *)y, value);
}
