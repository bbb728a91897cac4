#include "schedules/tiler/shape/shape.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/shape/chain.h"
#include <string.h>

int tiler_form_plain(const tiler_form *f, int rank)
{
  int found = -1;
  for (int r = 0; r < rank; r++)
    if (f->coef[r]) {
      if (found >= 0 || f->coef[r] != 1)
        return -1;
      found = r;
    }
  return f->base == 0 ? found : -1;
}

void tiler_form_add(tiler_form *f, const tiler_form *g, int64_t times)
{
  f->base += times * g->base;
  for (int r = 0; r < CDAG_RANK; r++)
    f->coef[r] += times * g->coef[r];
}

bool tiler_form_constant(const tiler_form *f, int rank)
{
  for (int r = 0; r < rank; r++)
    if (f->coef[r])
      return false;
  return true;
}

/* ---- domains ---- */

static bool is_number(const cdag *g, const expr *e, int rank, int64_t *out)
{
  expr_env env = { g->param_value, g->table };
  tiler_form f = { 0 };
  bool good = expr_affine(e, &env, g->params, rank, &f.base, f.coef) && tiler_form_constant(&f, rank);
  *out = f.base;
  return good;
}

/* e and a number more as the least (of) or the greatest of forms. */
static void bound_of(const cdag *g, const expr *e, int rank, expr_op of, int64_t more, tiler_bound *b)
{
  expr_env env = { g->param_value, g->table };
  int64_t number;
  if (!e) {
    b->f[b->n++] = (tiler_form){ 0 };
    return;
  }
  if (b->n == TILER_BOUNDS) {
    b->affine = false;
    return;
  }
  tiler_form *f = &b->f[b->n];
  *f = (tiler_form){ 0 };
  if (expr_affine(e, &env, g->params, rank, &f->base, f->coef)) {
    f->base += more;
    b->n++;
  } else if (e->op == of)
    for (int i = 0; i < e->nargs; i++)
      bound_of(g, e->arg[i], rank, of, more, b);
  else if ((e->op == EXPR_ADD || e->op == EXPR_SUB) && is_number(g, e->arg[1], rank, &number))
    bound_of(g, e->arg[0], rank, of, e->op == EXPR_ADD ? more + number : more - number, b);
  else
    b->affine = false;
}

static int64_t extreme(const tiler_statement *s, const tiler_form *f, bool most)
{
  int64_t sum = f->base;
  for (int r = 0; r < s->rank; r++)
    if (f->coef[r])
      sum += f->coef[r] * ((f->coef[r] > 0) == most ? s->most[r] - 1 : s->least[r]);
  return sum;
}

static void read_range(const cdag *g, tiler_statement *s, int r)
{
  const cdag_array *a = &g->array[s->array];
  tiler_bound *lo = &s->lo[r], *hi = &s->hi[r];
  *lo = *hi = (tiler_bound){ .affine = true };
  bound_of(g, a->lo[r], r, EXPR_MAX, 0, lo);
  bound_of(g, a->hi[r], r, EXPR_MIN, 0, hi);
  s->least[r] = a->hull.lo[r];
  s->most[r] = a->hull.hi[r];
  for (int i = 0; lo->affine && i < lo->n; i++)
    s->least[r] = i == 0 ? extreme(s, &lo->f[i], false) : num_max(s->least[r], extreme(s, &lo->f[i], false));
  for (int i = 0; hi->affine && i < hi->n; i++)
    s->most[r] = i == 0 ? extreme(s, &hi->f[i], true) : num_min(s->most[r], extreme(s, &hi->f[i], true));
  s->unit[r] = s->least[r] == 0 && s->most[r] <= 1;
}

bool tiler_bound_constant(const tiler_bound *b, int rank)
{
  return b->affine && b->n == 1 && tiler_form_constant(&b->f[0], rank);
}

static bool read_domain(const cdag *g, tiler_statement *s)
{
  bool affine = true;
  for (int r = 0; r < s->rank; r++) {
    read_range(g, s, r);
    affine = affine && s->lo[r].affine && s->hi[r].affine;
  }
  return affine;
}

/* ---- accesses ---- */

enum { BELOW = 1, ABOVE = 2 };
static unsigned forms_around(const cdag *g, const tiler_statement *s, const expr *e, tiler_form *lo, tiler_form *hi);

static unsigned swapped(unsigned sides) { return (sides & BELOW ? ABOVE : 0) | (sides & ABOVE ? BELOW : 0); }

/* to += times what lies between lo and hi. */
static unsigned add_around(const tiler_form *lo, const tiler_form *hi, unsigned sides, int64_t times, tiler_form *to_lo,
                           tiler_form *to_hi)
{
  tiler_form_add(to_lo, times < 0 ? hi : lo, times);
  tiler_form_add(to_hi, times < 0 ? lo : hi, times);
  return times < 0 ? swapped(sides) : sides;
}

/* max(c, e) lies above e, and below e plus the most that c is above it; min is the other way round. */
static unsigned extreme_around(const cdag *g, const tiler_statement *s, const expr *e, tiler_form *lo, tiler_form *hi)
{
  int64_t number;
  bool most = e->op == EXPR_MAX;
  int first = is_number(g, e->arg[0], s->rank, &number) ? 1 : 0;
  unsigned sides = forms_around(g, s, e->arg[first], lo, hi);
  if (e->nargs != 2 || !is_number(g, e->arg[!first], s->rank, &number))
    return sides & (most ? BELOW : ABOVE);
  if (most && (sides & BELOW))
    hi->base += num_max(0, number - extreme(s, lo, false));
  if (!most && (sides & ABOVE))
    lo->base -= num_max(0, extreme(s, hi, true) - number);
  return sides == (BELOW | ABOVE) ? sides : sides & (most ? BELOW : ABOVE);
}

/* e / c and e % c by a number c: between numbers. */
static unsigned quotient_around(const cdag *g, const tiler_statement *s, const expr *e, tiler_form *lo, tiler_form *hi)
{
  tiler_form a, b;
  int64_t c;
  if (!is_number(g, e->arg[1], s->rank, &c) || c <= 0 || forms_around(g, s, e->arg[0], &a, &b) != (BELOW | ABOVE))
    return 0;
  int64_t least = extreme(s, &a, false), most = extreme(s, &b, true);
  bool whole = e->op == EXPR_MOD && num_floor_div(least, c) != num_floor_div(most, c);
  lo->base = e->op == EXPR_DIV ? num_floor_div(least, c) : whole ? 0 : least - c * num_floor_div(least, c);
  hi->base = e->op == EXPR_DIV ? num_floor_div(most, c) : whole ? c - 1 : most - c * num_floor_div(most, c);
  return BELOW | ABOVE;
}

/* Affine forms below and above e, and which of them there are: a table is between its least and its greatest entry. */
static unsigned forms_around(const cdag *g, const tiler_statement *s, const expr *e, tiler_form *lo, tiler_form *hi)
{
  expr_env env = { g->param_value, g->table };
  tiler_form a, b;
  int64_t number;
  unsigned sides = BELOW | ABOVE;
  *lo = *hi = (tiler_form){ 0 };
  if (expr_affine(e, &env, g->params, s->rank, &lo->base, lo->coef)) {
    *hi = *lo;
    return sides;
  }
  *lo = *hi = (tiler_form){ 0 };
  if (e->op == EXPR_TABLE && !g->table[e->slot].unstored) {
    int64_t entries = 1;
    for (int r = 0; r < g->table[e->slot].rank; r++)
      entries *= g->table[e->slot].extent[r];
    if (entries > 0)
      expr_table_span(&g->table[e->slot], entries, &lo->base, &hi->base);
    return entries > 0 ? sides : 0;
  }
  if (expr_is_extreme(e))
    return extreme_around(g, s, e, lo, hi);
  if (e->op == EXPR_DIV || e->op == EXPR_MOD)
    return quotient_around(g, s, e, lo, hi);
  if (e->op == EXPR_MUL) {
    int k = is_number(g, e->arg[0], s->rank, &number) ? 1 : 0;
    if (!is_number(g, e->arg[!k], s->rank, &number))
      return 0;
    sides = forms_around(g, s, e->arg[k], &a, &b);
    return add_around(&a, &b, sides, number, lo, hi);
  }
  if (e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_NEG)
    return 0;
  for (int i = 0; i < e->nargs; i++) {
    unsigned one = forms_around(g, s, e->arg[i], &a, &b);
    bool minus = e->op == EXPR_NEG || (e->op == EXPR_SUB && i == 1);
    sides &= add_around(&a, &b, one, minus ? -1 : 1, lo, hi);
  }
  return sides;
}

/* An index that is not affine as a range around it, the whole of the array at most. */
static void widen_index(const cdag *g, const cdag_index *i, const tiler_statement *s, bool guarded, tiler_index *out)
{
  tiler_form other;
  bool range = i->kind == CDAG_RANGE;
  *out = (tiler_index){ .kind = CDAG_RANGE, .affine = true };
  unsigned sides = forms_around(g, s, i->lo, &out->lo, &out->hi);
  if (range)
    sides = (sides & BELOW) | (forms_around(g, s, i->hi, &other, &out->hi) & ABOVE);
  if (sides != (BELOW | ABOVE))
    out->kind = CDAG_ALL;
  else if (!range) {
    out->hi.base++;
    out->value = guarded ? NULL : i->lo;
  }
}

static bool read_index(const cdag_index *i, tiler_index *out)
{
  out->kind = i->kind;
  out->affine = true;
  if (i->kind == CDAG_ALL)
    return true;
  out->lo.base = i->base;
  memcpy(out->lo.coef, i->coef, sizeof out->lo.coef);
  out->hi.base = i->hi_base;
  memcpy(out->hi.coef, i->hi_coef, sizeof out->hi.coef);
  return out->affine = i->affine;
}

/* Does it hold, whatever the element, that f >= 0 where the access names one?  An index is within its array's hull. */
static bool implied(const tiler_shape *sh, const tiler_statement *s, const tiler_access *a, const tiler_form *f)
{
  const tiler_statement *to = &sh->s[a->array];
  if (extreme(s, f, false) >= 0)
    return true;
  for (int q = 0; q < a->rank; q++)
    for (int side = 0; a->at[q].kind == CDAG_AT && a->at[q].affine && side < 2; side++) {
      tiler_form room = *f;
      tiler_form_add(&room, &a->at[q].lo, side ? 1 : -1);
      room.base += side ? 1 - to->most[q] : to->least[q];
      if (tiler_form_constant(&room, s->rank) && room.base >= 0)
        return true;
    }
  return false;
}

/* f == 0, said by index q: it lies outside of its array elsewhere. */
static bool pin(const tiler_shape *sh, const tiler_statement *s, tiler_access *a, int q, const tiler_form *f)
{
  enum { LARGE = 1 << 30 };
  const tiler_statement *to = &sh->s[a->array];
  tiler_index *i = &a->at[q];
  const tiler_form *hi = i->kind == CDAG_RANGE ? &i->hi : &i->lo;
  int64_t far = to->most[q] - to->least[q] + extreme(s, hi, true) - extreme(s, &i->lo, false) + 1;
  if (far > LARGE)
    return false;
  tiler_form_add(&i->lo, f, far);
  if (i->kind == CDAG_RANGE)
    tiler_form_add(&i->hi, f, far);
  return true;
}

/* A comparison as f >= 0, or f == 0 (equal). */
static bool comparison_form(const tiler_shape *sh, const tiler_statement *s, const expr *e, tiler_form *f, bool *equal)
{
  expr_env env = { sh->g->param_value, sh->g->table };
  tiler_form right = { 0 };
  *f = (tiler_form){ 0 };
  *equal = e->op == EXPR_EQ;
  if (!expr_is_comparison(e) || e->op == EXPR_NE ||
      !expr_affine(e->arg[0], &env, sh->g->params, s->rank, &f->base, f->coef) ||
      !expr_affine(e->arg[1], &env, sh->g->params, s->rank, &right.base, right.coef))
    return false;
  tiler_form_add(f, &right, -1);
  if (e->op == EXPR_LT || e->op == EXPR_LE) {
    tiler_form down = { 0 };
    tiler_form_add(&down, f, -1);
    *f = down;
  }
  f->base -= e->op == EXPR_LT || e->op == EXPR_GT;
  return true;
}

/* A condition of comparisons, as index q says it; false when it cannot.  What the existence of the element says
   already (`X[t-1,i] if t > 0`) needs no saying. */
static bool read_condition(const tiler_shape *sh, const tiler_statement *s, const expr *e, tiler_access *a, int q)
{
  tiler_form f;
  bool equal;
  if (e->op == EXPR_MIN && expr_is_truth(e))
    return read_condition(sh, s, e->arg[0], a, q) && read_condition(sh, s, e->arg[1], a, q);
  if (!comparison_form(sh, s, e, &f, &equal))
    return false;
  if (equal)
    return pin(sh, s, a, q, &f);
  return implied(sh, s, a, &f) || (extreme(s, &f, true) == 0 && pin(sh, s, a, q, &f));
}

/* What a condition says of single variables: f >= 0 is x >= -base/c, or x <= -base/c where c < 0. */
static void read_limits(const tiler_shape *sh, const tiler_statement *s, const expr *e, tiler_access *a)
{
  tiler_form f;
  bool equal;
  int v = -1, many = 0;
  if (e->op == EXPR_MIN && expr_is_truth(e)) {
    read_limits(sh, s, e->arg[0], a);
    read_limits(sh, s, e->arg[1], a);
    return;
  }
  if (!comparison_form(sh, s, e, &f, &equal))
    return;
  for (int r = 0; r < s->rank; r++)
    if (f.coef[r]) {
      v = r;
      many++;
    }
  if (many != 1)
    return;
  int64_t c = f.coef[v];
  if (c > 0 || equal)
    a->from[v] = num_max(a->from[v], c > 0 ? -num_floor_div(f.base, c) : -num_floor_div(-f.base, -c));
  if (c < 0 || equal)
    a->to[v] = num_min(a->to[v], 1 + (c < 0 ? num_floor_div(f.base, -c) : num_floor_div(-f.base, c)));
}

/* Alternative *k of a condition; NULL: it has fewer, and *k is so many less. */
static const expr *alternative(const expr *e, int *k)
{
  if (e->op == EXPR_MAX && expr_is_truth(e)) {
    const expr *first = alternative(e->arg[0], k);
    return first ? first : alternative(e->arg[1], k);
  }
  return (*k)-- == 0 ? e : NULL;
}

bool tiler_alternative(const tiler_shape *s, const tiler_statement *reader, const tiler_access *a, int k,
                       tiler_access *out)
{
  *out = *a;
  if (a->held < 0)
    return k == 0;
  const expr *e = alternative(cdag_term_condition(&s->g->array[reader->array].term[a->term]), &k);
  if (e)
    read_limits(s, reader, e, out);
  return e != NULL;
}

bool tiler_index_unguarded(const cdag *g, int rank, const cdag_term *t, int q, tiler_index *out)
{
  expr_env env = { g->param_value, g->table };
  const cdag_index *i = &t->index[q];
  *out = (tiler_index){ .kind = i->kind };
  out->affine = t->guarded == q + 1 && expr_affine(i->lo->arg[0], &env, g->params, rank, &out->lo.base, out->lo.coef) &&
                (i->kind != CDAG_RANGE || expr_affine(i->hi, &env, g->params, rank, &out->hi.base, out->hi.coef));
  return out->affine;
}

bool tiler_compose(const tiler_form *f, const tiler_access *a, tiler_form *out)
{
  *out = (tiler_form){ .base = f->base };
  for (int q = 0; q < a->rank; q++) {
    if (!f->coef[q])
      continue;
    if (a->at[q].kind != CDAG_AT || !a->at[q].affine)
      return false;
    tiler_form_add(out, &a->at[q].lo, f->coef[q]);
  }
  return true;
}

/* An index that is not affine is one below the least of all upper bounds of the array read, in some order: a sum's
   last step, min(n, i + w) - 1.  Then one of these forms stands for it. */
static bool read_least_end(const tiler_shape *sh, const tiler_statement *s, const cdag_index *i, tiler_access *a, int q)
{
  const tiler_bound *hi = &sh->s[a->array].hi[q];
  tiler_bound own = { .affine = true };
  tiler_form end;
  if (i->kind != CDAG_AT || !hi->affine)
    return false;
  bound_of(sh->g, i->lo, s->rank, EXPR_MIN, 1, &own);
  bool same = own.affine && own.n == hi->n;
  for (int k = 0; k < hi->n && same; k++) {
    bool found = false;
    for (int l = 0; l < own.n && tiler_compose(&hi->f[k], a, &end); l++)
      found |= memcmp(&end, &own.f[l], sizeof end) == 0;
    same = found;
  }
  if (!same)
    return false;
  a->at[q] = (tiler_index){ .kind = CDAG_AT, .affine = true, .lo = own.f[0] };
  a->at[q].lo.base--;
  return true;
}

static tiler_access new_access(const tiler_shape *sh, const tiler_statement *s, const cdag_term *t, int number)
{
  tiler_access a = { .array = t->array, .rank = sh->g->array[t->array].rank, .term = number, .held = -1 };
  for (int r = 0; r < s->rank; r++) {
    a.from[r] = s->least[r];
    a.to[r] = s->most[r];
  }
  return a;
}

/* True when it is affine. */
static bool read_access(const tiler_shape *sh, const tiler_statement *s, const cdag_term *t, int number,
                        tiler_access *out)
{
  bool affine = true;
  *out = new_access(sh, s, t, number);
  for (int q = 0; q < out->rank; q++)
    affine &= read_index(&t->index[q], &out->at[q]) || tiler_index_unguarded(sh->g, s->rank, t, q, &out->at[q]);
  int held = out->held = t->guarded - 1;
  if (held >= 0) {
    out->unheld = out->at[held];
    read_limits(sh, s, cdag_term_condition(t), out);
  }
  if (held >= 0 && !read_condition(sh, s, cdag_term_condition(t), out, held) && !sh->widened)
    return out->at[held].affine = false;
  for (int q = 0; q < out->rank && sh->widened; q++)
    if (!out->at[q].affine && !read_least_end(sh, s, &t->index[q], out, q)) {
      cdag_index i = t->index[q];
      i.lo = held == q ? i.lo->arg[0] : i.lo;
      widen_index(sh->g, &i, s, held == q, &out->at[q]);
      out->unheld = held == q ? out->at[q] : out->unheld;
      out->widened = true;
    }
  return affine || sh->widened;
}

bool tiler_reads_end(const tiler_shape *s, const tiler_statement *reader, const tiler_access *a, int q)
{
  const tiler_bound *hi = &s->s[a->array].hi[q];
  tiler_form end;
  (void)reader;
  for (int i = 0; hi->affine && i < hi->n; i++) {
    if (a->at[q].kind != CDAG_AT || !a->at[q].affine || !tiler_compose(&hi->f[i], a, &end))
      continue;
    end.base--;
    if (memcmp(&end, &a->at[q].lo, sizeof end) == 0)
      return true;
  }
  return false;
}

/* ---- chains ---- */

/* A self access x[m] - 1: the dimension m. */
static bool chain_step(const tiler_statement *s, const tiler_access *a, int *m)
{
  *m = -1;
  for (int q = 0; q < s->rank; q++) {
    tiler_form back = a->at[q].lo;
    back.base++;
    if (a->at[q].kind != CDAG_AT || !a->at[q].affine)
      return false;
    if (tiler_form_plain(&a->at[q].lo, s->rank) == q)
      continue;
    if (tiler_form_plain(&back, s->rank) != q || *m >= 0)
      return false;
    *m = q;
  }
  return *m >= 0;
}

/* A statement that reads itself otherwise too: where one read is a chain's step and all others are of chains' ends,
   those are reads like others. */
static void find_own_chain(const tiler_shape *sh, tiler_statement *s)
{
  int m = -1, steps = 0, own = -1, c;
  for (int i = 0; i < s->selves; i++)
    if (chain_step(s, &s->self[i], &c)) {
      steps++;
      own = i;
      m = c;
    }
  bool good = s->reads_itself && steps == 1;
  for (int i = 0; i < s->selves && good; i++)
    good = i == own || tiler_reads_end(sh, s, &s->self[i], m);
  if (!good)
    return;
  tiler_access step = s->self[own];
  for (int i = 0; i < s->selves; i++)
    if (i != own)
      s->access[s->accesses++] = s->self[i];
  s->self[0] = step;
  s->selves = s->chains = 1;
  s->chain[0] = m;
}

/* Does another statement read this one at the ends of its inner chains, at every step of the outermost? */
static bool is_read_within(const tiler_shape *sh, const tiler_statement *s)
{
  bool within = false;
  for (int y = 0; y < sh->g->arrays; y++)
    for (int i = 0; i < sh->s[y].accesses && y != s->array; i++) {
      const tiler_access *a = &sh->s[y].access[i];
      if (a->array != s->array || tiler_reads_end(sh, &sh->s[y], a, s->chain[0]))
        continue;
      within = true;
      for (int c = 1; c < s->chains; c++)
        if (!tiler_reads_end(sh, &sh->s[y], a, s->chain[c]))
          return false;
    }
  return within;
}

/* v[t,i,j], summed over t and j, whose sums up to each t are read: what its first step at j reads is a read like
   others. */
static void leave_outer_chains(const tiler_shape *sh, tiler_statement *s)
{
  while (s->chains > 1 && is_read_within(sh, s)) {
    int c = s->chain[0], kept = 0;
    for (int i = 0; i < s->selves; i++) {
      tiler_form back = tiler_said_index(&s->self[i], c)->lo;
      back.base++;
      if (tiler_form_plain(&back, s->rank) == c)
        s->access[s->accesses++] = s->self[i];
      else
        s->self[kept++] = s->self[i];
    }
    s->selves = kept;
    s->chains--;
    memmove(s->chain, s->chain + 1, (size_t)s->chains * sizeof *s->chain);
  }
}

/* Is that access absent wherever dimension c is at its least? */
static bool absent_at_first(const tiler_shape *sh, const tiler_statement *s, const tiler_access *a, int c)
{
  if (a->from[c] > s->least[c])
    return true;
  for (int q = 0; q < a->rank; q++) {
    tiler_form f = a->at[q].lo;
    if (a->at[q].kind != CDAG_AT || !a->at[q].affine || f.coef[c] == 0)
      continue;
    int64_t v = f.base + f.coef[c] * s->least[c];
    f.coef[c] = 0;
    if (tiler_form_constant(&f, s->rank) && (v < sh->s[a->array].least[q] || v >= sh->s[a->array].most[q]))
      return true;
  }
  return false;
}

static bool bare_at_first(const tiler_shape *sh, const tiler_statement *s, int c)
{
  for (int i = 0; i < s->accesses; i++)
    if (!absent_at_first(sh, s, &s->access[i], c))
      return false;
  for (int i = 0; i < s->selves; i++)
    if (!absent_at_first(sh, s, &s->self[i], c))
      return false;
  return tiler_bound_constant(&s->lo[c], s->rank);
}

static bool never_there(const tiler_shape *sh, const tiler_statement *s, const tiler_access *a)
{
  const tiler_statement *to = &sh->s[a->array];
  if (sh->g->array[a->array].count == 0)
    return true;
  for (int q = 0; q < a->rank; q++)
    if (a->at[q].kind == CDAG_AT && a->at[q].affine &&
        (extreme(s, &a->at[q].lo, false) >= to->most[q] || extreme(s, &a->at[q].lo, true) < to->least[q]))
      return true;
  return false;
}

/* a becomes the greatest (up) or the least of both: false where they differ by more than a number. */
static bool stretch(tiler_form *a, const tiler_form *b, int rank, bool up)
{
  tiler_form apart = *b;
  tiler_form_add(&apart, a, -1);
  if (!tiler_form_constant(&apart, rank))
    return false;
  if (up == (apart.base > 0))
    *a = *b;
  return true;
}

/* The range around two indices of one array's dimension. */
static bool around_both(const tiler_index *a, const tiler_index *b, int rank, tiler_index *out)
{
  tiler_form a_end = a->hi, b_end = b->hi;
  if (a->kind == CDAG_ALL || b->kind == CDAG_ALL)
    return a->kind == b->kind;
  if (a->kind == CDAG_AT)
    a_end = a->lo, a_end.base++;
  if (b->kind == CDAG_AT)
    b_end = b->lo, b_end.base++;
  *out = (tiler_index){ .kind = CDAG_RANGE, .affine = true, .lo = a->lo, .hi = a_end };
  if (!stretch(&out->lo, &b->lo, rank, false) || !stretch(&out->hi, &b_end, rank, true))
    return false;
  bool same = a->kind == CDAG_AT && b->kind == CDAG_AT && memcmp(&a->lo, &b->lo, sizeof a->lo) == 0;
  if (same || (a->value && b->value && expr_equal(a->value, b->value)))
    *out = *a;
  return true;
}

/* Reads through tables of one array get one box, as theirs may meet. */
static void join_widened(tiler_statement *s)
{
  for (int i = 0; i < s->accesses; i++)
    for (int k = 0; k < s->accesses; k++) {
      tiler_access *a = &s->access[i], *b = &s->access[k];
      tiler_index both[CDAG_RANK];
      bool good = i != k && a->array == b->array && (a->widened || b->widened);
      for (int q = 0; q < a->rank && good; q++) {
        both[q] = a->at[q];
        good = around_both(&a->at[q], &b->at[q], s->rank, &both[q]);
      }
      for (int q = 0; q < a->rank && good; q++)
        a->at[q] = b->at[q] = both[q];
      if (good)
        a->widened = b->widened = true;
    }
}

static bool same_pair(const expr *a, const expr *b)
{
  return a->nargs == 2 && b->nargs == 2 &&
         ((expr_equal(a->arg[0], b->arg[0]) && expr_equal(a->arg[1], b->arg[1])) ||
          (expr_equal(a->arg[0], b->arg[1]) && expr_equal(a->arg[1], b->arg[0])));
}

/* A[max(i,k), min(i,k)], a symmetric matrix of which one triangle is given, is A[i,k] or A[k,i]: both are listed. */
static bool read_both_ways(const tiler_shape *sh, const tiler_statement *s, const cdag_term *t, int number,
                           tiler_access *a, tiler_access *b)
{
  expr_env env = { sh->g->param_value, sh->g->table };
  int most = -1, least = -1;
  for (int q = 0; q < sh->g->array[t->array].rank && !t->guarded; q++) {
    const expr *e = t->index[q].kind == CDAG_AT ? t->index[q].lo : NULL;
    most = e && e->op == EXPR_MAX ? q : most;
    least = e && e->op == EXPR_MIN ? q : least;
  }
  if (most < 0 || least < 0 || !same_pair(t->index[most].lo, t->index[least].lo))
    return false;
  tiler_form f[2] = { { 0 }, { 0 } };
  for (int i = 0; i < 2; i++) {
    const expr *e = t->index[most].lo->arg[i];
    if (!expr_affine(e, &env, sh->g->params, s->rank, &f[i].base, f[i].coef))
      return false;
  }
  *a = new_access(sh, s, t, number);
  for (int q = 0; q < a->rank; q++)
    if (q != most && q != least && !read_index(&t->index[q], &a->at[q]))
      return false;
  a->at[most] = a->at[least] = (tiler_index){ .kind = CDAG_AT, .affine = true };
  *b = *a;
  a->at[most].lo = b->at[least].lo = f[0];
  a->at[least].lo = b->at[most].lo = f[1];
  return true;
}

static bool read_rule(tiler_shape *sh, tiler_statement *s)
{
  const cdag_array *a = &sh->g->array[s->array];
  bool good = true;
  s->access = MEM_NEW(tiler_access, 2 * (size_t)a->terms + 1);
  s->self = MEM_NEW(tiler_access, (size_t)a->terms + 1);
  for (int t = 0; t < a->terms; t++) {
    tiler_access x, y;
    if (sh->widened && a->term[t].array != s->array && read_both_ways(sh, s, &a->term[t], t, &x, &y)) {
      s->access[s->accesses++] = x;
      s->access[s->accesses++] = y;
      continue;
    }
    good &= read_access(sh, s, &a->term[t], t, &x);
    if (a->term[t].never || never_there(sh, s, &x))
      continue;
    if (x.array == s->array)
      s->self[s->selves++] = x;
    else
      s->access[s->accesses++] = x;
  }
  join_widened(s);
  tiler_find_chains(sh->g, s);
  find_own_chain(sh, s);
  if (a->declared_input && s->accesses + s->selves == 0)
    s->computed = false;
  return good;
}

/* ---- reads at the first step of a chain ---- */

static bool begins_by_several(const tiler_statement *s)
{
  bool several = false;
  for (int i = 0; i < s->chains; i++)
    several = several || s->lo[s->chain[i]].n > 1;
  return several;
}

/* f with the first value of dimension c in its place, where one bound says it. */
static bool at_first(const tiler_statement *s, tiler_form f, int c, tiler_form *out)
{
  const tiler_bound *lo = &s->lo[c];
  int64_t times = f.coef[c];
  if (!lo->affine)
    return false;
  f.coef[c] = 0;
  tiler_form_add(&f, &lo->f[0], times);
  *out = f;
  return true;
}

/* An access that is outside of its array from the second step of a chain on: as it is at the first. */
static void begin_access(const tiler_shape *sh, const tiler_statement *s, tiler_access *a)
{
  const tiler_statement *to = &sh->s[a->array];
  int begun = 0;
  for (int i = 0; i < s->chains; i++) {
    int c = s->chain[i], found = -1;
    tiler_form first;
    for (int q = 0; q < a->rank; q++) {
      int64_t step = a->at[q].lo.coef[c];
      bool reads = a->at[q].kind != CDAG_AT || !a->at[q].affine || step != 0;
      if (reads && (found >= 0 || a->at[q].kind != CDAG_AT || !at_first(s, a->at[q].lo, c, &first)))
        return;
      found = reads ? q : found;
    }
    if (found < 0)
      continue;
    int64_t step = a->at[found].lo.coef[c];
    int64_t next = extreme(s, &first, step < 0) + step;
    if (step > 0 ? next >= to->most[found] : next < to->least[found]) {
      a->at[found].lo = first;
      begun++;
    }
  }
  a->first = begun > 0 && begun == s->chains;
}

/* `C[i,j] if k == i-w, C[i,j] if k == 0`, where k is in max(0,i-w)..n: one word at the first step, whichever of its
   bounds that is.  Conditions say so in many ways, so elements are asked. */
static bool begin_shared(const tiler_shape *sh, const tiler_statement *s, tiler_access *a)
{
  tiler_index said[CDAG_RANK];
  for (int q = 0; q < a->rank; q++) {
    said[q] = *tiler_said_index(a, q);
    for (int c = 0; c < s->chains; c++)
      if (said[q].kind != CDAG_AT || !said[q].affine || said[q].lo.coef[s->chain[c]])
        return false;
  }
  if (!s->chains || a->held < 0 || !tiler_begins_with(sh->g, s, a->array, said))
    return false;
  memcpy(a->at, said, sizeof said);
  a->widened = false;
  return a->first = a->shared = true;
}

/* An index of one variable with so large a coefficient that it is inside the array at one value only: the constant
   that it is there.  A box that is read then may hold a little more than what is. */
static void pin_index(const tiler_shape *sh, const tiler_statement *s, tiler_access *a, int q)
{
  const tiler_statement *to = &sh->s[a->array];
  tiler_form f = a->at[q].lo;
  int v = -1, many = 0;
  for (int r = 0; r < s->rank; r++)
    if (f.coef[r]) {
      v = r;
      many++;
    }
  if (many != 1 || s->value[v] || a->at[q].kind != CDAG_AT || !a->at[q].affine)
    return;
  int64_t c = f.coef[v], size = c < 0 ? -c : c;
  if (size < 2 || size < to->most[q] - to->least[q])
    return;
  int64_t at = c > 0 ? -num_floor_div(f.base - to->least[q], c) : num_floor_div(f.base - to->least[q], -c);
  int64_t value = f.base + c * at;
  if (at < s->least[v] || at >= s->most[v] || value < to->least[q] || value >= to->most[q])
    return;
  a->at[q].lo = (tiler_form){ .base = value };
}

/* ---- what kind of read, which outputs ---- */

static void set_kind(const tiler_shape *sh, const tiler_statement *s, tiler_access *a)
{
  const tiler_statement *to = &sh->s[a->array];
  a->kind = TILER_BLUE;
  if (!to->computed)
    return;
  int ends = 0, aligned = 0;
  for (int c = 0; c < to->chains; c++) {
    int q = to->chain[c];
    ends += tiler_reads_end(sh, s, a, q);
    aligned += a->at[q].kind == CDAG_AT && a->at[q].affine && tiler_form_plain(&a->at[q].lo, s->rank) >= 0;
  }
  a->kind = ends == to->chains ? TILER_END : to->chains == 1 && aligned == 1 ? TILER_ALIGNED : TILER_OTHER;
}

bool tiler_selected_range(const cdag *g, const cdag_selection *x, int q, int64_t *lo, int64_t *hi)
{
  const cdag_index *i = &x->index[q];
  *lo = 0;
  *hi = 1;
  if (i->kind != CDAG_AT || i->var < -1)
    return false;
  if (i->var >= 0 && (!is_number(g, x->var_lo[i->var], x->vars, lo) || !is_number(g, x->var_hi[i->var], x->vars, hi)))
    return false;
  *lo += i->base;
  *hi += i->base;
  return true;
}

/* Is this selection the last step of each chain?  Where the end depends on other indices the referee will say. */
static bool selects_ends(const cdag *g, const tiler_statement *s, const cdag_selection *x)
{
  for (int c = 0; c < s->chains; c++) {
    int q = s->chain[c];
    int64_t lo, hi;
    if (x->index[q].kind != CDAG_AT ||
        (tiler_bound_constant(&s->hi[q], s->rank) &&
         (!tiler_selected_range(g, x, q, &lo, &hi) || hi != lo + 1 || hi != s->most[q])))
      return false;
  }
  return true;
}

static void read_outputs(tiler_shape *sh, tiler_statement *s)
{
  s->output = cdag_has_output(sh->g, s->array);
  s->all_output = sh->g->array[s->array].declared_output && s->chains > 0;
  for (int i = 0; i < sh->g->selections; i++)
    if (sh->g->selection[i].array == s->array && s->chains > 0 && !selects_ends(sh->g, s, &sh->g->selection[i]))
      s->all_output = true;
}

static void visit(tiler_shape *sh, int array, uint8_t *state)
{
  tiler_statement *s = &sh->s[array];
  if (!s->computed || state[array] == 2)
    return;
  if (state[array] == 1) {
    sh->cyclic = true;
    return;
  }
  state[array] = 1;
  for (int i = 0; i < s->accesses; i++)
    if (s->access[i].array != array)
      visit(sh, s->access[i].array, state);
  state[array] = 2;
  if (sh->n < (int)(sizeof sh->order / sizeof *sh->order))
    sh->order[sh->n++] = array;
}

/* `input X[...] = ...`: elements without predecessors are inputs.  Where they are the first ones of a dimension, it
 * begins one later. */
static void leave_inputs_out(tiler_shape *sh, tiler_statement *s)
{
  if (!sh->g->array[s->array].declared_input || !s->computed)
    return;
  for (int c = 0; c < s->rank; c++)
    if (bare_at_first(sh, s, c)) {
      s->started = s->chains == 1 && s->chain[0] == c;
      s->bare = !s->started && s->chains > 0;
      s->lo[c].f[0].base++;
      s->least[c]++;
      return;
    }
  s->bare = true;
}

static void leave_out(tiler_statement *s, int i)
{
  s->accesses--;
  memmove(&s->begun[i], &s->begun[i + 1], (size_t)(s->accesses - i) * sizeof *s->begun);
  memmove(&s->access[i], &s->access[i + 1], (size_t)(s->accesses - i) * sizeof *s->access);
}

/* What a sum begins with is what another read names at its first step: `m = S[0]`, then m and S[0], S[1], ... */
static bool is_read_anyway(const tiler_statement *s, int i)
{
  const tiler_access *a = &s->begun[i];
  bool found = false;
  for (int k = 0; k < s->accesses && a->first && !found; k++) {
    const tiler_access *b = &s->begun[k];
    found = k != i && b->array == a->array && !b->first && b->held < 0 && !b->widened && !begins_by_several(s);
    for (int q = 0; q < a->rank && found; q++) {
      tiler_form f = b->at[q].lo;
      for (int c = 0; c < s->chains && found; c++)
        found = b->at[q].kind == CDAG_AT && at_first(s, f, s->chain[c], &f);
      found = found && memcmp(&f, &a->at[q].lo, sizeof f) == 0;
    }
  }
  return found;
}

/* Do both read the same, but for index q: a the element before the one that b reads at the first step? */
static bool is_one_before(const tiler_statement *s, const tiler_access *a, const tiler_access *b, int q)
{
  int c = s->chain[0];
  if (a->array != b->array || b->kind == TILER_OTHER || b->held >= 0)
    return false;
  for (int r = 0; r < a->rank; r++) {
    if (a->at[r].kind != CDAG_AT || b->at[r].kind != CDAG_AT || !a->at[r].affine || !b->at[r].affine)
      return false;
    if (r != q && memcmp(&a->at[r].lo, &b->at[r].lo, sizeof a->at[r].lo) != 0)
      return false;
  }
  return tiler_form_constant(&a->at[q].lo, s->rank) && a->at[q].lo.base == s->least[c] - 1 &&
         tiler_form_plain(&b->at[q].lo, s->rank) == c;
}

/* A sum that begins with the first of what it sums (`m = S[0]`, then m and S[1], ...) has no step for it.  It is given
   one, at which there is nothing to compute: then the first step's block holds both that are read. */
static void join_first(tiler_statement *s)
{
  int c = s->chain[0];
  if (s->chains != 1 || s->joined || !s->lo[c].affine || s->lo[c].n != 1)
    return;
  for (int i = 0; i < s->accesses; i++)
    for (int k = 0; k < s->accesses && s->begun[i].first && !s->joined; k++)
      for (int q = 0; q < s->begun[i].rank && !s->joined; q++)
        if (k != i && is_one_before(s, &s->begun[i], &s->begun[k], q)) {
          s->joined = true;
          leave_out(s, i);
        }
  s->lo[c].f[0].base -= s->joined;
  s->least[c] -= s->joined;
}

static void begin_accesses(tiler_shape *sh, tiler_statement *s)
{
  s->begun = MEM_NEW(tiler_access, (size_t)s->accesses + 1);
  for (int i = 0; i < s->accesses; i++) {
    tiler_access *a = &s->begun[i];
    *a = s->access[i];
    if (!begins_by_several(s))
      begin_access(sh, s, a);
    tiler_access shared = s->access[i];
    if (!a->first && begin_shared(sh, s, &shared))
      *a = shared;
    for (int q = 0; q < a->rank && sh->g->array[a->array].count; q++)
      pin_index(sh, s, a, q);
    set_kind(sh, s, a);
    s->access[i].kind = a->kind;
  }
  for (int i = s->accesses - 1; i >= 0; i--)
    if (is_read_anyway(s, i))
      leave_out(s, i);
}

void tiler_shape_join(tiler_shape *sh)
{
  for (int a = 0; a < sh->g->arrays; a++)
    if (sh->s[a].computed && sh->s[a].begun)
      join_first(&sh->s[a]);
}

void tiler_shape_settle(tiler_shape *sh, int array)
{
  tiler_statement *s = &sh->s[array];
  tiler_find_chains(sh->g, s);
  begin_accesses(sh, s);
}

void tiler_shape_init(tiler_shape *sh, const cdag *g, bool widened)
{
  *sh = (tiler_shape){ .g = g, .widened = widened, .affine = !g->graph };
  sh->s = MEM_NEW(tiler_statement, (size_t)g->arrays + 1);
  if (g->graph)
    return;
  for (int a = 0; a < g->arrays; a++) {
    sh->s[a] = (tiler_statement){ .array = a, .rank = g->array[a].rank, .computed = g->array[a].terms > 0 };
    sh->s[a].affine = read_domain(g, &sh->s[a]);
  }
  for (int a = 0; a < g->arrays; a++) {
    sh->s[a].affine &= read_rule(sh, &sh->s[a]);
    sh->affine &= sh->s[a].affine;
  }
  for (int a = 0; a < g->arrays; a++)
    tiler_join_ends(sh, &sh->s[a]);
  for (int a = 0; a < g->arrays; a++)
    leave_outer_chains(sh, &sh->s[a]);
  for (int a = 0; a < g->arrays; a++)
    leave_inputs_out(sh, &sh->s[a]);
  uint8_t *state = MEM_NEW(uint8_t, (size_t)g->arrays + 1);
  for (int a = 0; a < g->arrays; a++) {
    begin_accesses(sh, &sh->s[a]);
    read_outputs(sh, &sh->s[a]);
    visit(sh, a, state);
  }
  mem_free(state);
}

void tiler_shape_clear(tiler_shape *sh)
{
  for (int a = 0; sh->s && a < sh->g->arrays; a++) {
    mem_free(sh->s[a].access);
    mem_free(sh->s[a].begun);
    mem_free(sh->s[a].self);
  }
  mem_free(sh->s);
  *sh = (tiler_shape){ 0 };
}
