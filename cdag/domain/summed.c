/* summed.c -- running sums as polynomials on pieces.

   The elements that S_r(y) counts are the integer points of polyhedra over the nest's variables and y; those from r on
   are summed (cdag/polyhedral/count.c), the others and y stay.  min, max and conditions in the bounds cut the points in
   pieces.  A polynomial is kept as integers over one denominator for the whole sum, and evaluated modulo 2^128: the sum
   is below 2^63 and the denominator small, so what is left is the sum itself. */
#include "base/scoped.h"
#include "cdag/domain/summed.h"
#include "cdag/polyhedral/polynomial.h"
#include "cdag/polyhedral/read.h"
#include "base/mem.h"
#include <string.h>

enum { DENOMINATOR_MOST = 1 << 24, PIECES_MOST = 64 };

typedef struct {
  const nest *n;
  arena memory;
  int r, y;                    /* variables of the polyhedra: those of the nest, then y */
} summing;

/* ---- the points ---- */

/* The bound's values on parts of `where`. */
static bool read_bound(summing *s, const form *f, const polyhedron *where, choices *out)
{
  affine_reader reader = { 0, NULL, s->n->table, &s->memory };
  linear affine = linear_constant(f->base);
  expr *none = expr_const(0);
  memcpy(affine.coef, f->coef, sizeof f->coef);
  affine_read(&reader, f->rest ? f->rest : none, where, out);
  expr_free(none);
  bool good = !out->unread;
  for (int i = 0; i < out->n; i++)
    good = good && linear_add(&out->item[i].value, &affine, 1);
  return good;
}

/* Each of l cut to lo_q <= the variable `at` <= hi_q - under. */
static bool cut_to_range(summing *s, polyhedra *l, int q, int at, int64_t under)
{
  linear x = linear_variable(at);
  polyhedra parts = { 0 };
  for (int i = 0; i < l->n; i++) {
    choices low = { 0 };
    if (!read_bound(s, &s->n->lo[q], l->item[i], &low))
      return false;
    for (int a = 0; a < low.n; a++) {
      choices high = { 0 };
      polyhedron *from = polyhedron_copy(&s->memory, low.item[a].where);
      polyhedron_require(&s->memory, from, &low.item[a].value, &x);
      if (!read_bound(s, &s->n->hi[q], from, &high))
        return false;
      for (int b = 0; b < high.n; b++) {
        polyhedron *part = polyhedron_copy(&s->memory, high.item[b].where);
        high.item[b].value.base -= under;
        polyhedron_require(&s->memory, part, &x, &high.item[b].value);
        if (!polyhedron_empty(part))
          polyhedra_add(&s->memory, &parts, part);
      }
    }
  }
  *l = parts;
  return parts.n <= PIECES_MOST;
}

/* The settings of the kept variables: the prefix in the nest, as far as its bounds read kept variables alone, and
   lo <= y <= hi. */
static bool make_settings(summing *s, uint32_t kept, polyhedra *l)
{
  bool good = true;
  polyhedra_add(&s->memory, l, polyhedron_new(&s->memory, s->n->rank + 1));
  for (int q = 0; q < s->r; q++)
    if ((kept >> q & 1) && !(s->n->bound_vars[q] & ~kept))
      good = good && cut_to_range(s, l, q, q, 1);
  return good && cut_to_range(s, l, s->r, s->y, 0);
}

/* The points with x_r < y above them. */
static bool points_above(summing *s, const polyhedra *settings, polyhedra *l)
{
  linear x = linear_variable(s->r), last = linear_variable(s->y);
  bool good = true;
  last.base = -1;
  for (int i = 0; i < settings->n; i++) {
    polyhedra_add(&s->memory, l, polyhedron_copy(&s->memory, settings->item[i]));
    polyhedron_require(&s->memory, l->item[i], &x, &last);
  }
  for (int q = s->r; q < s->n->rank; q++)
    good = good && cut_to_range(s, l, q, q, 1);
  return good;
}

/* ---- pieces in plain numbers ---- */

static bool common_denominator(const point_counts *l, mpz_t d)
{
  mpz_set_ui(d, 1);
  for (int i = 0; i < l->n; i++)
    for (size_t k = 0; k < l->item[i].count->n; k++)
      mpz_lcm(d, d, mpq_denref(l->item[i].count->term[k].c));
  return mpz_cmp_ui(d, DENOMINATOR_MOST) <= 0;
}

/* The variables of the nest, then y, as summed_at reads them; nothing else may be left. */
static bool settings_only(const uint8_t *power, const linear *f, uint32_t kept, int y)
{
  for (int v = 0; v < POLYHEDRON_VARS; v++)
    if ((power ? power[v] != 0 : f->coef[v] != 0) && v != y && !(v < y && (kept >> v & 1)))
      return false;
  return true;
}

static bool always(const polyhedra *settings, const constraint *c)
{
  for (int i = 0; i < settings->n; i++)
    if (!polyhedron_implies(settings->item[i], &c->form, c->equal))
      return false;
  return true;
}

/* Those that do not hold at all settings anyway. */
static bool put_conditions(const summing *s, const polyhedron *p, const polyhedra *settings, uint32_t kept,
                           nest_piece *out)
{
  out->condition = MEM_NEW(nest_condition, (size_t)p->n);
  for (int i = 0; i < p->n; i++) {
    const linear *f = &p->row[i].form;
    if (always(settings, &p->row[i]))
      continue;
    if (!settings_only(NULL, f, kept, s->y))
      return false;
    nest_condition *c = &out->condition[out->conditions++];
    *c = (nest_condition){ .base = f->base, .last = f->coef[s->y], .equal = p->row[i].equal };
    memcpy(c->coef, f->coef, (size_t)s->y * sizeof *c->coef);
  }
  return true;
}

static bool put_terms(const summing *s, const polynomial *p, const mpz_t denominator, uint32_t kept, nest_piece *out)
{
  mpz_t c;
  bool good = true;
  mpz_init(c);
  out->term = MEM_NEW(nest_monomial, p->n);
  for (size_t k = 0; k < p->n && good; k++) {
    nest_monomial *t = &out->term[out->terms++];
    mpz_divexact(c, denominator, mpq_denref(p->term[k].c));
    mpz_mul(c, c, mpq_numref(p->term[k].c));
    good = mpz_fits_slong_p(c) && settings_only(p->term[k].power, NULL, kept, s->y);
    t->c = mpz_get_si(c);
    t->last = p->term[k].power[s->y];
    memcpy(t->power, p->term[k].power, (size_t)s->y * sizeof *t->power);
  }
  mpz_clear(c);
  return good;
}

static bool put_pieces(summing *s, const point_counts *l, const polyhedra *settings, uint32_t kept, nest_pieces *out)
{
  SCOPED_MPZ d;
  mpz_init(d);
  bool good = l->n <= PIECES_MOST && common_denominator(l, d);
  out->denominator = good ? mpz_get_si(d) : 1;
  out->of = MEM_NEW(nest_piece, (size_t)l->n);
  for (int i = 0; i < l->n && good; i++) {
    nest_piece *p = &out->of[out->n++];
    good = put_conditions(s, l->item[i].where, settings, kept, p) && put_terms(s, l->item[i].count, d, kept, p);
  }
  return good;
}

static bool sum_up(summing *s, nest_pieces *out)
{
  uint32_t kept = (s->n->weight_vars[s->r + 1] | s->n->bound_vars[s->r]) & ((1u << s->r) - 1);
  uint64_t stay = kept | (uint64_t)1 << s->y;
  polyhedra settings = { 0 }, l = { 0 };
  point_counts counts = { 0 };
  if (!make_settings(s, kept, &settings) || !points_above(s, &settings, &l))
    return false;
  bool good = true;
  for (int i = 0; i < l.n; i++)
    good = good && polyhedron_count_above(&s->memory, l.item[i], stay, &counts);
  good = good && put_pieces(s, &counts, &settings, kept, out);
  point_counts_clear(&counts);
  return good;
}

bool summed_make(nest *n, int r)
{
  summing s = { .n = n, .r = r, .y = n->rank };
  nest_pieces *p = MEM_NEW(nest_pieces, 1);
  bool good = sum_up(&s, p);
  arena_clear(&s.memory);
  if (good) {
    n->sum[r].pieces = p;
    n->sum[r].kind = SUM_PIECES;
  } else
    summed_clear(p);
  return good;
}

void summed_clear(nest_pieces *p)
{
  for (int i = 0; p && i < p->n; i++) {
    mem_free(p->of[i].condition);
    mem_free(p->of[i].term);
  }
  if (p)
    mem_free(p->of);
  mem_free(p);
}

/* ---- evaluation ---- */

static bool holds(const nest_piece *p, int r, const int64_t *x, int64_t y)
{
  for (int i = 0; i < p->conditions; i++) {
    const nest_condition *c = &p->condition[i];
    __int128 value = c->base + (__int128)c->last * y;
    for (int q = 0; q < r; q++)
      value += c->coef[q] ? (__int128)c->coef[q] * x[q] : 0; /* others may not be set */
    if (c->equal ? value != 0 : value < 0)
      return false;
  }
  return true;
}

static unsigned __int128 to_power(int64_t x, int power)
{
  unsigned __int128 value = 1, factor = (unsigned __int128)(__int128)x;
  for (; power > 0; power--)
    value *= factor;
  return value;
}

static unsigned __int128 value_of(const nest_piece *p, int r, const int64_t *x, int64_t y)
{
  unsigned __int128 sum = 0;
  for (int k = 0; k < p->terms; k++) {
    const nest_monomial *t = &p->term[k];
    unsigned __int128 value = (unsigned __int128)(__int128)t->c * to_power(y, t->last);
    for (int q = 0; q < r; q++)
      if (t->power[q])
        value *= to_power(x[q], t->power[q]);
    sum += value;
  }
  return sum;
}

uint64_t summed_at(const nest_pieces *p, int r, const int64_t *x, int64_t y)
{
  unsigned __int128 sum = 0;
  for (int i = 0; i < p->n; i++)
    if (holds(&p->of[i], r, x, y))
      sum += value_of(&p->of[i], r, x, y);
  return (uint64_t)((__int128)sum / p->denominator);
}
