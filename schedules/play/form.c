/* form.c -- see form.h. */
#include "schedules/play/form.h"
#include "base/num.h"

#define LINEAR_COEF (INT64_C(1) << 18) /* so that no sum can overflow */

bool schedule_form_fixed(const schedule *s, const int64_t *slot, const expr *e, int64_t *value)
{
  expr_env env = { slot, s->g->table };
  int first_loop = s->slot_param + s->params;
  return !expr_uses(e, first_loop, s->slots) && expr_eval(e, &env, value, NULL) == EXPR_OK;
}

static bool small(int64_t v, int64_t limit) { return v >= -limit && v <= limit; }

/* `times` the value of a slot more. */
static bool add_slot(schedule_form *f, int slot, int64_t times)
{
  int i = 0;
  while (i < f->terms && f->slot[i] != slot)
    i++;
  if (i == FORM_TERMS)
    return false;
  f->coef[i] = i < f->terms ? f->coef[i] : 0;
  f->slot[i] = slot;
  f->terms += i == f->terms;
  return num_add(f->coef[i], times, &f->coef[i]) && small(f->coef[i], LINEAR_COEF);
}

/* `times` the value of e more.  Depth: an expression's. */
static bool add_expr(const schedule *s, const int64_t *slot, const expr *e, int64_t times, schedule_form *f)
{
  int64_t value;
  if (schedule_form_fixed(s, slot, e, &value))
    return num_mul(value, times, &value) && num_add(f->add, value, &f->add);
  switch (e->op) {
  case EXPR_SLOT: return add_slot(f, e->slot, times);
  case EXPR_NEG: return add_expr(s, slot, e->arg[0], -times, f);
  case EXPR_ADD:
  case EXPR_SUB:
    return add_expr(s, slot, e->arg[0], times, f) &&
           add_expr(s, slot, e->arg[1], e->op == EXPR_ADD ? times : -times, f);
  case EXPR_MUL:
    for (int i = 0; i < 2; i++)
      if (schedule_form_fixed(s, slot, e->arg[i], &value))
        return num_mul(value, times, &value) && small(value, LINEAR_COEF) && add_expr(s, slot, e->arg[1 - i], value, f);
    return false;
  default: return false;
  }
}

static bool linear(const schedule *s, const int64_t *slot, const expr *e, schedule_form *f)
{
  int terms = 0;
  f->terms = 0;
  f->add = 0;
  if (!add_expr(s, slot, e, 1, f) || !small(f->add, FORM_VALUE))
    return false;
  for (int i = 0; i < f->terms; i++) {
    f->slot[terms] = f->slot[i];
    f->coef[terms] = f->coef[i];
    terms += f->coef[i] != 0;
  }
  f->terms = terms;
  return true;
}

schedule_form schedule_form_of(const schedule *s, const int64_t *slot, const expr *e)
{
  schedule_form f = { .mode = FORM_GENERAL, .e = e };
  if (!e)
    return f;
  if (schedule_form_fixed(s, slot, e, &f.add)) {
    f.mode = FORM_FIXED;
    return f;
  }
  if (!linear(s, slot, e, &f))
    return f;
  f.mode = f.terms == 1 && f.coef[0] == 1 ? FORM_SHIFTED : FORM_LINEAR;
  return f;
}

bool schedule_form_sum(const schedule_form *f, const int64_t *slot, int64_t *value)
{
  int64_t sum = f->add;
  for (int i = 0; i < f->terms; i++) {
    if (!small(slot[f->slot[i]], FORM_VALUE))
      return false;
    sum += f->coef[i] * slot[f->slot[i]];
  }
  *value = sum;
  return true;
}
