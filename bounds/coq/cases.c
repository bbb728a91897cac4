#include "bounds/coq/cases.h"

enum { DEEP = 10, TRIES_MOST = 400 };

/* ---- unknowns ---- */

static bool put_in(linear *f, int v, const linear *value)
{
  int64_t c = f->coef[v];
  f->coef[v] = 0;
  return linear_add(f, value, c);
}

bool coq_tell(coq_unknowns *u, int v, const linear *value)
{
  bool good = true;
  u->value[v] = *value;
  u->told[v] = true;
  for (int w = 0; w < u->n; w++)
    good = good && (!u->told[w] || put_in(&u->value[w], v, value));
  for (int i = 0; i < u->equations; i++)
    good = good && put_in(&u->equation[i], v, value);
  for (int i = 0; i < u->limits; i++)
    good = good && put_in(&u->limit[i], v, value);
  return good;
}

/* f == 0 (or f >= 0, at its limit) as a value of v, which has coefficient 1 or -1 there. */
static bool solved_for(const linear *f, int v, linear *value)
{
  linear rest = *f;
  int64_t c = f->coef[v];
  *value = (linear){ 0 };
  rest.coef[v] = 0;
  return (c == 1 || c == -1) && linear_add(value, &rest, -c);
}

bool coq_solve(coq_unknowns *u)
{
  for (int i = 0; i < u->equations; i++)
    for (int v = 0; v < u->n; v++) {
      linear value;
      if (u->told[v] || !solved_for(&u->equation[i], v, &value))
        continue;
      if (!coq_tell(u, v, &value))
        return false;
      i = -1;
      break;
    }
  return true;
}

void coq_try_limits(coq_trial *t, const coq_unknowns *u)
{
  int v = 0;
  if (++t->tries > TRIES_MOST)
    return;
  while (v < u->n && u->told[v])
    v++;
  if (v == u->n) {
    t->found(t->to, u);
    return;
  }
  for (int i = 0; i < u->limits; i++) {
    coq_unknowns next = *u;
    linear value;
    bool good = solved_for(&u->limit[i], v, &value);
    for (int w = 0; w < u->n; w++)
      good = good && value.coef[w] == 0;
    if (good && coq_tell(&next, v, &value))
      coq_try_limits(t, &next);
  }
}

bool coq_add_limits(coq_unknowns *u, const coq_box *b, const coq_forms *where)
{
  if (u->limits + where->n + 2 * b->n > (int)(sizeof u->limit / sizeof *u->limit))
    return false;
  for (int v = 0; v < b->n; v++) {
    linear last = linear_constant(b->size[v] - 1);
    last.coef[v] = -1;
    u->limit[u->limits++] = linear_variable(v);
    u->limit[u->limits++] = last;
  }
  for (int i = 0; i < where->n; i++)
    u->limit[u->limits++] = where->item[i];
  return true;
}

/* ---- cases ---- */

/* The first of what is asked that does not follow; -1: all does. */
static int open_question(const coq_cases *s, const coq_forms *known, const coq_forms *asked)
{
  for (int i = 0; i < asked->n; i++)
    if (!coq_implies(s->box, known, &asked->item[i]))
      return i;
  return -1;
}

bool coq_case_possible(const coq_cases *s, const coq_forms *known, const coq_forms *asked)
{
  for (int i = 0; i < asked->n; i++)
    if (coq_excludes(s->box, known, &asked->item[i]))
      return false;
  return true;
}

static bool put_leaf(coq_cases *s, const coq_forms *known, text *out)
{
  if (coq_implies(s->box, known, &coq_never)) {
    text_add(out, s->never);
    return true;
  }
  for (int i = 0; i < s->cases; i++)
    if (open_question(s, known, &s->item[i].asked) < 0) {
      text_add(out, text_str(&s->item[i].leaf));
      return true;
    }
  return s->otherwise && s->otherwise(s->with, known, out);
}

static bool put_cases(coq_cases *s, const coq_forms *known, int deep, text *out)
{
  if (++s->tries > TRIES_MOST)
    return false;
  if (put_leaf(s, known, out))
    return true;
  for (int i = 0; i < s->cases && deep > 0; i++) {
    if (!coq_case_possible(s, known, &s->item[i].asked))
      continue;
    const linear *f = &s->item[i].asked.item[open_question(s, known, &s->item[i].asked)];
    coq_forms yes = coq_forms_with(s->memory, known, f, true), no = coq_forms_with(s->memory, known, f, false);
    size_t before = out->n;
    text_printf(out, "(%s ", s->split);
    coq_put_form(f, s->box->n, out);
    text_add(out, "%Z ");
    bool good = put_cases(s, &yes, deep - 1, out);
    text_char(out, ' ');
    if (good && put_cases(s, &no, deep - 1, out)) {
      text_char(out, ')');
      return true;
    }
    out->n = before;
  }
  return false;
}

bool coq_cases_put(coq_cases *s, const coq_forms *known, text *out)
{
  s->tries = 0;
  return put_cases(s, known, DEEP, out);
}
