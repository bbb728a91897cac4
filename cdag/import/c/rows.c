/* rows.c -- arrays of rows one after the other: a[i*n + j] is a[i][j]. */
#include "cdag/import/c/reader.h"
#include "base/num.h"
#include <string.h>

enum { TERMS = 32, FACTORS = 8 };
/* by * of * factor[0] * ...: the factors are parameters; of NULL: 1 */
typedef struct {
  int64_t by;
  const node *of;
  int factors;
  const node *factor[FACTORS];
} flat_term;
typedef struct {
  int n;
  flat_term term[TERMS];
} flat_sum;

bool c_has_loops(const reader *r, const node *e)
{
  const alias *a = e->kind == N_NAME && !c_find_loop(r, e->text) ? c_find_alias(r, e->text) : NULL;
  bool some = (e->kind == N_NAME && c_find_loop(r, e->text)) || (a && c_has_loops(r, a->of));
  for (int i = 0; i < e->n; i++)
    some = some || c_has_loops(r, e->arg[i]);
  return some;
}

/* t, with e as a factor: numbers apart. */
static bool multiplied(flat_term *t, const node *e)
{
  if (c_constant(e))
    return num_mul(t->by, c_constant_value(e), &t->by);
  if (e->kind == N_BINARY && strcmp(e->text, "*") == 0)
    return multiplied(t, e->arg[0]) && multiplied(t, e->arg[1]);
  if (t->factors < FACTORS)
    t->factor[t->factors++] = e;
  return t->factors < FACTORS;
}

static bool add_terms(const reader *r, const node *e, flat_term t, flat_sum *s)
{
  bool sum = e->kind == N_BINARY && (!strcmp(e->text, "+") || !strcmp(e->text, "-"));
  bool product = e->kind == N_BINARY && strcmp(e->text, "*") == 0;
  if (sum || (e->kind == N_UNARY && strcmp(e->text, "-") == 0)) {
    if (sum && !add_terms(r, e->arg[0], t, s))
      return false;
    t.by = e->text[0] == '-' ? -t.by : t.by;
    return add_terms(r, e->arg[sum], t, s);
  }
  if (product && (!c_has_loops(r, e->arg[0]) || !c_has_loops(r, e->arg[1]))) {
    bool left = c_has_loops(r, e->arg[0]);
    return multiplied(&t, e->arg[left]) && add_terms(r, e->arg[!left], t, s);
  }
  bool number = c_constant(e);
  if (product || s->n == TERMS || (number && !multiplied(&t, e)))
    return false;
  t.of = number ? NULL : e;
  s->term[s->n++] = t;
  return true;
}

/* Are all of a's factors among b's?  Those of b that are left, in `rest`. */
static bool divides(const flat_term *a, const flat_term *b, flat_term *rest)
{
  *rest = *b;
  for (int i = 0; i < a->factors; i++) {
    int k = 0;
    while (k < rest->factors && !c_same(a->factor[i], rest->factor[k]))
      k++;
    if (k == rest->factors)
      return false;
    rest->factor[k] = rest->factor[--rest->factors];
  }
  return true;
}

bool c_is_flat(const reader *r, const node *e, const c_array *x)
{
  flat_sum s = { 0 };
  bool some = false, one = x->rank == 1 || x->strides > 0;
  bool good = r->rows && one && add_terms(r, e, (flat_term){ .by = 1 }, &s);
  for (int i = 0; i < s.n; i++)
    some = some || (s.term[i].factors > 0 && s.term[i].of);
  return good && (some || x->strides > 0);
}

/* The factors of one term as one expression. */
static node *product_of(reader *r, const flat_term *t, const node *at_node)
{
  token at_token = { .line = at_node->line, .column = at_node->column };
  node *e = c_new_node(r, N_INTEGER, &at_token);
  e->value = 1;
  for (int i = 0; i < t->factors; i++) {
    node *whole = c_new_node(r, N_BINARY, &at_token);
    snprintf(whole->text, C_NAME, "*");
    whole->n = 2;
    whole->arg[0] = e;
    whole->arg[1] = (node *)t->factor[i];
    e = i ? whole : whole->arg[1];
  }
  return e;
}

/* Another reading, of the values that parameters have, may still do. */
static bool no_rows(reader *r, const node *e)
{
  r->no_rows = r->like != NULL;
  return c_refuse(r, e->line, e->column, "this index is not that of rows one after the other");
}

/* How long rows are, rows of rows, ...: the distinct products of factors of the sum, shortest first, each a multiple of
   the one before.  Their quotients go to x->stride. */
static bool find_strides(reader *r, const node *e, const flat_sum *s, c_array *x)
{
  flat_term before = { .by = 1 };
  int strides = 0;
  for (;;) {
    const flat_term *nearest = NULL;
    for (int i = 0; i < s->n; i++)
      if (s->term[i].factors > before.factors && (!nearest || s->term[i].factors < nearest->factors))
        nearest = &s->term[i];
    flat_term rest;
    if (!nearest)
      break;
    if (strides == C_RANK - 1 || !divides(&before, nearest, &rest))
      return no_rows(r, e);
    node *by = product_of(r, &rest, e);
    if (strides == x->strides)
      x->stride[x->strides++] = by;
    else if (!c_same(x->stride[strides], by)) {
      r->no_rows = r->like != NULL;
      return c_refuse(r, e->line, e->column, "rows of %s have another length elsewhere", x->name);
    }
    strides++;
    before = *nearest;
  }
  x->rank = x->strides + 1;
  return true;
}

/* The sum of the terms with these factors, as isl's text. */
static bool put_place(reader *r, const flat_sum *s, const flat_term *factors, int *placed, text *out)
{
  flat_term rest;
  bool good = true;
  text_add(out, "(0");
  for (int i = 0; i < s->n && good; i++) {
    const flat_term *t = &s->term[i];
    if (t->factors != factors->factors || !divides(factors, t, &rest))
      continue;
    ++*placed;
    text_printf(out, " + %lld*", (long long)t->by);
    if (t->of) {
      text_char(out, '(');
      good = c_affine(r, t->of, out);
      text_char(out, ')');
    } else
      text_add(out, "1");
  }
  text_char(out, ')');
  return good;
}

bool c_flat_index(reader *r, const node *e, c_array *x, text *out, int *rank)
{
  flat_sum s = { 0 };
  bool good = add_terms(r, e, (flat_term){ .by = 1 }, &s) && find_strides(r, e, &s, x);
  char *place[C_RANK];
  int placed = 0;
  flat_term factors = { .by = 1 };
  for (int k = 0; k < x->rank && good; k++) {
    SCOPED_TEXT length = { 0 };
    text here = { 0 }, wrong = { 0 };
    good = put_place(r, &s, &factors, &placed, &here);
    place[k] = c_nest_keep_text(r->n, &here);
    if (k == x->strides)
      break;
    good = good && c_affine(r, x->stride[k], &length);
    text_printf(&wrong, "(%s < 0 or %s >= %s)", place[k], place[k], text_str(&length));
    c_add_claim(r, e, &wrong, "this index may leave its row", true);
    good = good && multiplied(&factors, x->stride[k]);
  }
  if (good && placed < s.n)
    good = no_rows(r, e);
  for (int k = x->rank - 1; k >= 0 && good; k--)
    text_printf(out, "%s%s", place[k], k ? "," : "");
  *rank = x->rank;
  return good;
}
