/* Values of bounds and indices where a box stands, and what comparisons come to on it. */
#include "pebble/tile/value.h"
#include <assert.h>
#include <string.h>

/* ---- values on a box ---- */

void tile_put_variables(const tile_rules *all, const tile_value *v, const cdag_box *b)
{
  for (unsigned m = v->vars; m; m &= m - 1)
    all->slot[all->g->params + __builtin_ctz(m)] = b->lo[__builtin_ctz(m)];
}

typedef struct { const tile_rules *all; const tile_value *v; } bent_value;

static bool bent_at(void *context, int64_t x, int64_t *out)
{
  const bent_value *b = context;
  b->all->slot[b->all->g->params + __builtin_ctz(b->v->vars)] = x;
  return expr_eval(b->v->e, &b->all->env, out, NULL) == EXPR_OK;
}

/* The same patch in every iteration; or of a family the next of its members, or one so many further on. */
static void note_kin(tile_log *log, cdag_kin kin)
{
  tile_log_equal(log, kin.family);
  if (kin.members < 2)
    return;
  tile_log_sign(log, kin.place + 1);
  tile_log_sign(log, kin.members - kin.place);
}

const cdag_patch *tile_note_table(const tile_rules *all, int table, const int64_t *at)
{
  const expr_table *t = &all->g->table[table];
  tile_table *known = &all->table[table];
  const cdag_patch *p = cdag_patch_at(&known->patches, t, at);
  bool again = p && known->epoch == all->log->epoch && !memcmp(known->at, at, (size_t)t->rank * sizeof *at);
  tile_log_code(all->log, again);
  if (!p || again)
    return p;
  known->epoch = all->log->epoch;
  memcpy(known->at, at, (size_t)t->rank * sizeof *at);
  note_kin(all->log, cdag_patch_kin(&known->patches, t, p));
  p = cdag_patch_at(&known->patches, t, at); /* the patches may have moved */
  for (int i = 0, r = 2 - t->rank; r < 2; i++, r++) {
    tile_log_sign(all->log, at[i] - p->from[r] + 1);
    tile_log_sign(all->log, p->to[r] - at[i]);
  }
  return p;
}

/* With what bends it held, is e affine where it stands?  The patches it reads are recorded.  False when a table has no
 * value there. */
static bool stays_affine(const tile_rules *all, const expr *e)
{
  int64_t at[2];
  bool patch = e->op == EXPR_TABLE && e->nargs <= 2;
  for (int i = 0; i < e->nargs; i++)
    if (!stays_affine(all, e->arg[i]) || (patch && expr_eval(e->arg[i], &all->env, &at[i], NULL) != EXPR_OK))
      return false;
  return !patch || tile_note_table(all, e->slot, at);
}

/* A table or another bend read at these values: they must be the very same in every iteration, or whole periods further
   on, or stay where v is affine. */
static void log_bent(const tile_rules *all, const tile_value *v, const cdag_box *b)
{
  enum { SHORT = 16 }; /* stretches of such quotients are too short to go on in */
  bent_value of = { all, v };
  int64_t x = v->stretches ? b->lo[__builtin_ctz(v->vars)] : 0, from, to;
  assert(!v->stretches || (x >= v->lo && x < v->hi));
  if (v->stretches && v->period[__builtin_ctz(v->vars)] && v->period[__builtin_ctz(v->vars)] <= SHORT) {
    tile_note_held(all, v, __builtin_ctz(v->vars), x);
    return;
  }
  if (v->stretches && cdag_stretch_of(v->stretches, bent_at, &of, x, v->lo, v->hi, &from, &to)) {
    tile_log_equal(all->log, from);
    tile_log_equal(all->log, to);
    tile_log_sign(all->log, x - from + 1);
    tile_log_sign(all->log, to - x);
    return;
  }
  tile_put_variables(all, v, b);
  unsigned constant = stays_affine(all, v->e) ? v->held : v->vars;
  for (unsigned m = constant; m; m &= m - 1)
    tile_note_held(all, v, __builtin_ctz(m), b->lo[__builtin_ctz(m)]);
}

/* Has the value been recorded where b is, since the last mark?  From now on it has. */
static bool recorded(const tile_rules *all, const tile_value *v, const cdag_box *b)
{
  tile_memo *m = v->memo;
  bool again = m->epoch == all->log->epoch;
  for (unsigned vars = v->vars; vars && again; vars &= vars - 1)
    again = m->at[__builtin_ctz(vars)] == b->lo[__builtin_ctz(vars)];
  tile_log_code(all->log, again);
  if (again)
    return true;
  m->epoch = all->log->epoch;
  for (unsigned vars = v->vars; vars; vars &= vars - 1)
    m->at[__builtin_ctz(vars)] = b->lo[__builtin_ctz(vars)];
  log_bent(all, v, b);
  return false;
}

/* v is not affine. */
static bool bent_value_at(const tile_rules *all, const tile_value *v, const cdag_box *b, int64_t *out)
{
  if (all->log && recorded(all, v, b)) {
    *out = v->memo->value;
    return v->memo->some;
  }
  tile_put_variables(all, v, b);
  bool some = expr_eval(v->e, &all->env, out, NULL) == EXPR_OK;
  if (all->log) {
    v->memo->some = some;
    v->memo->value = some ? *out : 0;
  }
  return some;
}

bool tile_value_at(const tile_rules *all, const tile_value *v, const cdag_box *b, int64_t *out)
{
  if (v->affine)
    *out = tile_affine_at(v, b);
  return v->affine || bent_value_at(all, v, b, out);
}

void tile_value_span(const tile_value *v, const cdag_box *b, int64_t *least, int64_t *most)
{
  *least = *most = v->base;
  for (unsigned m = v->vars; m; m &= m - 1) {
    int r = __builtin_ctz(m);
    int64_t p = v->coef[r] * b->lo[r], q = v->coef[r] * (b->hi[r] - 1);
    *least += num_min(p, q);
    *most += num_max(p, q);
  }
}

/* ---- comparisons settled by a box ---- */

tile_value tile_form_value(const tile_form *f, unsigned vars)
{
  tile_value v = { .affine = true, .vars = vars, .base = f->base };
  memcpy(v.coef, f->coef, sizeof v.coef);
  return v;
}

bool tile_add_form(tile_form *a, const tile_form *b, int64_t times)
{
  int64_t more;
  bool good = num_mul(b->base, times, &more) && num_add(a->base, more, &a->base);
  for (int r = 0; r < CDAG_RANK && good; r++)
    good = num_mul(b->coef[r], times, &more) && num_add(a->coef[r], more, &a->coef[r]);
  return good;
}

bool tile_form_span(const tile_form *f, const cdag_box *b, int rank, int64_t *least, int64_t *most)
{
  __int128 lo = f->base, hi = f->base;
  for (int r = 0; r < rank; r++) {
    __int128 p = (__int128)f->coef[r] * b->lo[r], q = (__int128)f->coef[r] * (b->hi[r] - 1);
    lo += p < q ? p : q;
    hi += p < q ? q : p;
  }
  *least = (int64_t)lo;
  *most = (int64_t)hi;
  return lo > -TILE_FAR && hi < TILE_FAR;
}

/* Is `x OP 0` true (1) or false (0) for all x from least to most?  -1: neither. */
static int outcome(expr_op op, int64_t least, int64_t most)
{
  switch (op) {
  case EXPR_EQ: return least == 0 && most == 0 ? 1 : least > 0 || most < 0 ? 0 : -1;
  case EXPR_LT: return most < 0 ? 1 : least >= 0 ? 0 : -1;
  case EXPR_LE: return most <= 0 ? 1 : least > 0 ? 0 : -1;
  case EXPR_NE: case EXPR_GE: case EXPR_GT: break;
  default: return -1;
  }
  int no = outcome(op == EXPR_NE ? EXPR_EQ : op == EXPR_GE ? EXPR_LT : EXPR_LE, least, most);
  return no < 0 ? no : !no;
}

bool tile_settle(const tile_rules *all, const tile_choice *c, const cdag_box *b, int rank, tile_form *out)
{
  tile_form part[2];
  int64_t least, most;
  if (c->affine) {
    *out = c->form;
    return true;
  }
  for (int i = 0; i < 2; i++)
    if (!c->part[i] || !tile_settle(all, c->part[i], b, rank, &part[i]))
      return false;
  *out = part[0];
  if (c->op == EXPR_ADD)
    return tile_add_form(out, &part[1], 1);
  if (!tile_add_form(out, &part[1], -1) || c->op == EXPR_SUB)
    return c->op == EXPR_SUB;
  if (!tile_form_span(out, b, rank, &least, &most))
    return false;
  if (all->log) {
    tile_log_sign(all->log, least);
    tile_log_sign(all->log, most);
  }
  bool chosen = c->op == EXPR_MIN || c->op == EXPR_MAX;
  int is = outcome(chosen ? EXPR_LE : c->op, least, most);
  if (chosen && is >= 0)
    *out = part[is == (c->op == EXPR_MAX)];
  else
    *out = (tile_form){ .base = is };
  return is >= 0;
}

const tile_value *tile_on_box(const tile_rules *all, const tile_value *v, const cdag_box *b, int rank,
                                tile_value *own)
{
  if (v->affine || !((all->log && !v->stretches) || tile_wide(b, v->vars)))
    return v;
  int64_t least, most;
  tile_form f;
  bool good = tile_settle(all, v->choice, b, rank, &f) && tile_form_span(&f, b, rank, &least, &most);
  tile_note(all, good);
  if (!good)
    return v;
  unsigned vars = 0;
  for (int r = 0; r < rank; r++)
    vars |= (unsigned)(f.coef[r] != 0) << r;
  *own = tile_form_value(&f, vars);
  return own;
}
