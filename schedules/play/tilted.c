/* tilted.c -- see tilted.h. */
#include "schedules/play/tilted.h"
#include "base/mem.h"

enum { STEEPEST = 8 };

/* ---- reading the text ---- */

/* A sum of slots; the ends of the loop's single value, x and x + 1, apart.  False: it reads more of the loop. */
static bool read_line(const schedule *s, const int64_t *slot, const expr *e, int variable, tilted_line *l)
{
  schedule_form *f = &l->rest;
  int kept = 0;
  *f = schedule_form_of(s, slot, e);
  l->slope = 0;
  if (f->mode == FORM_GENERAL)
    return false;
  for (int i = 0; i < f->terms; i++) {
    int of_loop = f->slot[i] - variable;
    if (of_loop >= 0 && of_loop < SCHEDULE_LOOP_SLOTS) {
      if (of_loop != SCHEDULE_LO && of_loop != SCHEDULE_HI)
        return false;
      l->slope += f->coef[i];
      f->add += of_loop == SCHEDULE_HI ? f->coef[i] : 0;
    } else {
      f->slot[kept] = f->slot[i];
      f->coef[kept++] = f->coef[i];
    }
  }
  f->terms = kept;
  f->mode = FORM_LINEAR;
  return l->slope >= -STEEPEST && l->slope <= STEEPEST;
}

/* The arguments of greatest (or least) numbers, one in the other. */
static bool read_lines(const schedule *s, const int64_t *slot, const expr *e, expr_op op, int variable, tilted_line *l,
                       int *n)
{
  if (e->op == op) {
    for (int i = 0; i < e->nargs; i++)
      if (!read_lines(s, slot, e->arg[i], op, variable, l, n))
        return false;
    return true;
  }
  return *n < PEBBLE_LINES && read_line(s, slot, e, variable, &l[(*n)++]);
}

/* An index that the loop does not move. */
static bool read_still(const schedule *s, const int64_t *slot, const schedule_box *b, int i, int variable,
                       tilted_line *lo, tilted_line *hi)
{
  const schedule_index *x = &b->index[i];
  const cdag_box *hull = &s->g->array[b->array].hull;
  *lo = (tilted_line){ .rest = { .mode = FORM_LINEAR, .add = hull->lo[i] } };
  *hi = (tilted_line){ .rest = { .mode = FORM_LINEAR, .add = hull->hi[i] } };
  if (x->kind == CDAG_ALL)
    return true;
  if (x->loop >= 0) {
    lo->rest = (schedule_form){ .mode = FORM_LINEAR, .terms = 1, .coef = { 1 } };
    hi->rest = lo->rest;
    lo->rest.slot[0] = s->loop[x->loop].slot + SCHEDULE_LO;
    hi->rest.slot[0] = s->loop[x->loop].slot + SCHEDULE_HI;
    return true;
  }
  if (!read_line(s, slot, x->lo, variable, lo) || lo->slope)
    return false;
  *hi = *lo;
  hi->rest.add++;
  return x->kind == CDAG_AT || (read_line(s, slot, x->hi, variable, hi) && hi->slope == 0);
}

/* Does it move with the variable, both ends together? */
static bool uses(const expr *e, int variable) { return e && expr_uses(e, variable, variable + SCHEDULE_LOOP_SLOTS); }

static bool read_index(schedule_tilted *w, const schedule *s, const int64_t *slot, const schedule_box *b, int i,
                       int variable)
{
  const schedule_index *x = &b->index[i];
  bool moves = x->loop < 0 && (uses(x->lo, variable) || uses(x->hi, variable));
  if (!moves)
    return read_still(s, slot, b, i, variable, &w->lo[0][i], &w->hi[0][i]);
  if (x->kind == CDAG_AT && w->row < 0) {
    w->row = i;
    bool good = read_line(s, slot, x->lo, variable, &w->at);
    w->sign = (int)w->at.slope;
    return good && (w->sign == 1 || w->sign == -1);
  }
  if (x->kind != CDAG_RANGE || w->side >= 0)
    return false;
  w->side = i;
  return read_lines(s, slot, x->lo, EXPR_MAX, variable, w->low, &w->lows) &&
         read_lines(s, slot, x->hi, EXPR_MIN, variable, w->high, &w->highs);
}

/* A box after `dropping`: one index may be the row, and so many more. */
static bool read_drop(schedule_tilted *w, const schedule *s, const int64_t *slot, int d, int variable)
{
  const schedule_box *b = &w->move->drop[d];
  w->drop_row[d] = -1;
  for (int i = 0; i < b->indices && !b->whole; i++) {
    tilted_line *lo = &w->lo[1 + d][i], *hi = &w->hi[1 + d][i];
    const schedule_index *x = &b->index[i];
    if (x->loop >= 0 || !(uses(x->lo, variable) || uses(x->hi, variable))) {
      if (!read_still(s, slot, b, i, variable, lo, hi))
        return false;
      continue;
    }
    if (x->kind != CDAG_AT || w->drop_row[d] >= 0 || !read_line(s, slot, x->lo, variable, lo) || lo->slope != w->sign)
      return false;
    w->drop_row[d] = i;
    *hi = *lo;
  }
  return true;
}

static bool read_loop(schedule_tilted *w, const schedule *s, const int64_t *slot, const schedule_node *n)
{
  const schedule_loop *l = &s->loop[n->loop];
  const schedule_node *body = n->child[0];
  *w = (schedule_tilted){ .row = -1, .side = -1 };
  if (l->blocked || l->over_loop >= 0 || body->children != 1 || body->child[0]->kind != SCHEDULE_MOVE)
    return false;
  w->move = body->child[0];
  if (w->move->boxes != 1 || w->move->drops > PEBBLE_ROW_DROPS)
    return false;
  const schedule_box *b = &w->move->box[0];
  int variable = l->slot;
  for (int i = 0; i < b->indices; i++)
    if (!read_index(w, s, slot, b, i, variable))
      return false;
  bool still = w->side < 0;    /* a box, which goes the other way round, and drops what it drops in each row */
  if (w->row < 0 || (still && w->move->move != PEBBLE_COMPUTE))
    return false;
  for (int d = 0; d < w->move->drops; d++)
    if (!read_drop(w, s, slot, d, variable) || (still && w->drop_row[d] >= 0))
      return false;
  return true;
}

/* Depth: SCHEDULE_DEPTH. */
static void find(schedule_tilted **w, const schedule *s, const int64_t *slot, const schedule_node *n)
{
  schedule_tilted one;
  if (n->kind == SCHEDULE_FOR && read_loop(&one, s, slot, n)) {
    w[n->loop] = MEM_NEW(schedule_tilted, 1);
    *w[n->loop] = one;
  }
  for (int i = 0; i < n->children; i++)
    find(w, s, slot, n->child[i]);
}

schedule_tilted **schedule_tilted_new(const schedule *s, const int64_t *slot)
{
  schedule_tilted **w = MEM_NEW(schedule_tilted *, (size_t)s->loops);
  find(w, s, slot, s->body);
  return w;
}

void schedule_tilted_free(schedule_tilted **w, const schedule *s)
{
  for (int l = 0; w && l < s->loops; l++)
    mem_free(w[l]);
  mem_free(w);
}

/* ---- rows ---- */

/* sign x - at is the variable in row x. */
static bool line_of(const tilted_line *l, const int64_t *slot, int sign, int64_t at, pebble_line *out)
{
  int64_t rest;
  if (!schedule_form_sum(&l->rest, slot, &rest) || rest > FORM_VALUE || rest < -FORM_VALUE)
    return false;
  out->slope = sign * l->slope;
  out->base = rest - out->slope * at;
  return true;
}

static bool still_box(const schedule_tilted *w, const int64_t *slot, int of, int indices, cdag_box *box)
{
  pebble_line lo, hi;
  for (int i = 0; i < indices; i++) {
    if (!line_of(&w->lo[of][i], slot, 0, 0, &lo) || !line_of(&w->hi[of][i], slot, 0, 0, &hi))
      return false;
    box->lo[i] = lo.base;
    box->hi[i] = hi.base;
  }
  return true;
}

static bool find_drops(const schedule_tilted *w, const int64_t *slot, int64_t at, pebble_drop *drop, pebble_rows *rows)
{
  for (int d = 0; d < w->move->drops; d++) {
    const schedule_box *b = &w->move->drop[d];
    drop[d].array = b->array;
    drop[d].whole = b->whole;
    rows->drop_row[d] = w->drop_row[d];
    if (b->whole)
      continue;
    if (!still_box(w, slot, 1 + d, b->indices, &drop[d].box))
      return false;
    if (w->drop_row[d] >= 0)
      drop[d].box.lo[w->drop_row[d]] -= at; /* of row x it is x and this */
  }
  return true;
}

bool schedule_tilted_rows(const schedule_tilted *w, const int64_t *slot, int64_t lo, int64_t hi,
                          bool backwards, pebble_move *move, pebble_drop *drop, pebble_rows *rows)
{
  const schedule_box *b = &w->move->box[0];
  pebble_line row;
  *rows = (pebble_rows){
    .row = w->row, .side = w->side, .down = backwards != (w->sign < 0), .lows = w->lows, .highs = w->highs
  };
  if (lo < -FORM_VALUE || hi > FORM_VALUE || !line_of(&w->at, slot, 0, 0, &row))
    return false;
  int64_t at = row.base;
  move->kind = w->move->move;
  move->array = b->array;
  move->drops = w->move->drops;
  if (!still_box(w, slot, 0, b->indices, &move->box) || !find_drops(w, slot, at, drop, rows))
    return false;
  move->box.lo[w->row] = w->sign > 0 ? lo + at : at - hi + 1;
  move->box.hi[w->row] = w->sign > 0 ? hi + at : at - lo + 1;
  for (int i = 0; i < w->lows; i++)
    if (!line_of(&w->low[i], slot, w->sign, at, &rows->low[i]))
      return false;
  for (int i = 0; i < w->highs; i++)
    if (!line_of(&w->high[i], slot, w->sign, at, &rows->high[i]))
      return false;
  return true;
}

/* ---- hints ---- */

static bool leans(const schedule_tilted *w)
{
  bool any = false;
  for (int i = 0; i < w->lows; i++)
    any |= w->low[i].slope != 0;
  for (int i = 0; i < w->highs; i++)
    any |= w->high[i].slope != 0;
  return any;
}

static int64_t coefficient(const schedule_form *f, int slot)
{
  for (int i = 0; i < f->terms; i++)
    if (f->slot[i] == slot)
      return f->coef[i];
  return 0;
}

/* How far all ends of the rows move with a slot, where each moves as far; else 0. */
static int64_t ends_move(const schedule_tilted *w, int slot)
{
  int64_t by = coefficient(&w->low[0].rest, slot);
  for (int i = 0; i < w->lows; i++)
    by = coefficient(&w->low[i].rest, slot) == by ? by : 0;
  for (int i = 0; i < w->highs; i++)
    by = coefficient(&w->high[i].rest, slot) == by ? by : 0;
  return pebble_is_slope(by) ? by : 0;
}

/* A single value that moves with a loop outside, and the row with it: -1 where there is none. */
static int find_along(const schedule_tilted *w, int *slope, int *aside)
{
  const schedule_box *b = &w->move->box[0];
  for (int i = 0; i < b->indices; i++) {
    const schedule_form *f = &w->lo[0][i].rest;
    if (i == w->row || i == w->side || b->index[i].kind != CDAG_AT || b->index[i].loop >= 0)
      continue;
    for (int k = 0; k < f->terms; k++) {
      int64_t by = coefficient(&w->at.rest, f->slot[k]);
      if ((f->coef[k] == 1 || f->coef[k] == -1) && by && pebble_is_slope(by)) {
        *slope = (int)(-by * f->coef[k]);
        *aside = (int)(-ends_move(w, f->slot[k]) * f->coef[k]);
        return i;
      }
    }
  }
  return -1;
}

/* Of what is dropped with a compute, and of what it is read beside, there are moves of its own. */
void schedule_lay_tilted(schedule_tilted *const *w, const schedule *s, pebble_game *game)
{
  bool *told = MEM_NEW(bool, (size_t)s->g->arrays);
  for (int l = 0; l < s->loops; l++) {
    int slope = 0, aside = 0, array = w[l] ? w[l]->move->box[0].array : -1;
    if (array < 0 || told[array] || !leans(w[l]))
      continue;
    told[array] = true;
    int along = find_along(w[l], &slope, &aside);
    pebble_lay_tilted(game, array, w[l]->row, w[l]->side, along, slope, aside);
  }
  mem_free(told);
}
