/* rows.c -- arrays of rows one after the other: a[i*n + j] is a[i][j]. */
#include "cdag/import/c/reader.h"
#include "base/num.h"
#include <stdlib.h>
#include <string.h>

enum { TERMS = 32, FACTORS = 8 };
/* by * of * factor[0] * ...: the factors are parameters, where rows have their lengths, and numbers else; of NULL: 1 */
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

/* A number, or one for the values that parameters have. */
static bool number_of(reader *r, const node *e, int64_t *value)
{
  *value = c_constant(e) ? c_constant_value(e) : 0;
  return c_constant(e) || (r->rows == C_ROWS_OF_NUMBERS && !c_has_loops(r, e) && c_fixed_value(r, e, value));
}

/* t, with e as a factor: numbers apart. */
static bool multiplied(reader *r, flat_term *t, const node *e)
{
  int64_t value;
  if (number_of(r, e, &value))
    return num_mul(t->by, value, &t->by);
  if (e->kind == N_BINARY && strcmp(e->text, "*") == 0)
    return multiplied(r, t, e->arg[0]) && multiplied(r, t, e->arg[1]);
  if (t->factors < FACTORS)
    t->factor[t->factors++] = e;
  return t->factors < FACTORS;
}

static bool add_terms(reader *r, const node *e, flat_term t, flat_sum *s)
{
  bool sum = e->kind == N_BINARY && (!strcmp(e->text, "+") || !strcmp(e->text, "-"));
  bool product = e->kind == N_BINARY && strcmp(e->text, "*") == 0;
  const alias *word = e->kind == N_NAME && !c_find_loop(r, e->text) ? c_find_alias(r, e->text) : NULL;
  bool opens = word && (r->rows == C_ROWS_OF_NUMBERS || !*word->value);
  if (opens && c_has_loops(r, e) && !c_rebound(r, word))
    return add_terms(r, word->of, t, s);
  if (sum || (e->kind == N_UNARY && strcmp(e->text, "-") == 0)) {
    if (sum && !add_terms(r, e->arg[0], t, s))
      return false;
    t.by = e->text[0] == '-' ? -t.by : t.by;
    return add_terms(r, e->arg[sum], t, s);
  }
  if (product && (!c_has_loops(r, e->arg[0]) || !c_has_loops(r, e->arg[1]))) {
    bool left = c_has_loops(r, e->arg[0]);
    return multiplied(r, &t, e->arg[left]) && add_terms(r, e->arg[!left], t, s);
  }
  int64_t value;
  bool number = number_of(r, e, &value);
  if (product || s->n == TERMS || (number && !multiplied(r, &t, e)))
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

bool c_is_flat(reader *r, const node *e, const c_array *x)
{
  flat_sum s = { 0 };
  bool some = false, one = x->rank == 1 || x->strides > 0;
  bool good = r->rows && one && add_terms(r, e, (flat_term){ .by = 1 }, &s);
  for (int i = 0; i < s.n; i++)
    some = some || ((s.term[i].factors > 0 || (r->rows == C_ROWS_OF_NUMBERS && llabs(s.term[i].by) > 1)) &&
                    s.term[i].of);
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
  r->no_rows = r->like != NULL || r->rows == C_ROWS_IN_WORDS;
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
      r->no_rows = r->like != NULL || r->rows == C_ROWS_IN_WORDS;
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

/* ---- rows whose lengths are numbers ---- */

/* The next longer row: the least |by| of a term with a loop that is more than `than`; 0: none. */
static int64_t next_stride(const flat_sum *s, int64_t than)
{
  int64_t next = 0;
  for (int i = 0; i < s->n; i++) {
    int64_t by = s->term[i].by < 0 ? -s->term[i].by : s->term[i].by;
    if (s->term[i].of && by > than && (!next || by < next))
      next = by;
  }
  return next;
}

static bool find_numbers(reader *r, const node *e, const flat_sum *s, c_array *x)
{
  token t = { .line = e->line, .column = e->column };
  int strides = 0;
  for (int64_t before = 1, next; (next = next_stride(s, before)) != 0; before = next) {
    t.value = next / before;
    if (next % before || strides == C_RANK - 1 || (strides < x->strides && x->stride[strides]->value != t.value))
      return no_rows(r, e);
    if (strides == x->strides)
      x->stride[x->strides++] = c_new_node(r, N_INTEGER, &t);
    strides++;
  }
  x->rank = x->strides + 1;
  return true;
}

/* The terms that count rows of this length, and what is left of the number beside them. */
static bool put_number(reader *r, const flat_sum *s, int64_t stride, int64_t *rest, text *out)
{
  bool good = true;
  text_printf(out, "(%lld", (long long)(*rest / stride));
  *rest %= stride;
  for (int i = 0; i < s->n && good; i++) {
    const flat_term *t = &s->term[i];
    if (!t->of || (t->by != stride && t->by != -stride))
      continue;
    text_add(out, t->by < 0 ? " - (" : " + (");
    good = c_affine(r, t->of, out);
    text_char(out, ')');
  }
  text_char(out, ')');
  return good;
}

static bool numbered_index(reader *r, const node *e, const flat_sum *s, c_array *x, char **place)
{
  int64_t stride[C_RANK] = { 1 }, rest = 0;
  bool good = find_numbers(r, e, s, x);
  for (int i = 0; i < s->n && good; i++)
    good = s->term[i].of || num_add(rest, s->term[i].by, &rest);
  for (int k = 0; k < x->strides && good; k++)
    good = num_mul(stride[k], x->stride[k]->value, &stride[k + 1]);
  for (int k = x->strides; k >= 0 && good; k--) {
    text here = { 0 }, wrong = { 0 };
    good = put_number(r, s, stride[k], &rest, &here);
    place[k] = c_nest_keep_text(r->n, &here);
    if (k == x->strides)
      continue;
    text_printf(&wrong, "(%s < 0 or %s >= %lld)", place[k], place[k], (long long)x->stride[k]->value);
    c_add_claim(r, e, &wrong, "this index may leave its row", true);
  }
  return good;
}

/* ---- an index ---- */

bool c_flat_index(reader *r, const node *e, c_array *x, text *out, int *rank)
{
  flat_sum s = { 0 };
  bool numbers = r->rows == C_ROWS_OF_NUMBERS;
  bool good = add_terms(r, e, (flat_term){ .by = 1 }, &s);
  char *place[C_RANK];
  int placed = 0;
  flat_term factors = { .by = 1 };
  good = good && (numbers ? numbered_index(r, e, &s, x, place) : find_strides(r, e, &s, x));
  for (int k = 0; k < x->rank && good && !numbers; k++) {
    SCOPED_TEXT length = { 0 };
    text here = { 0 }, wrong = { 0 };
    good = put_place(r, &s, &factors, &placed, &here);
    place[k] = c_nest_keep_text(r->n, &here);
    if (k == x->strides)
      break;
    good = good && c_affine(r, x->stride[k], &length);
    text_printf(&wrong, "(%s < 0 or %s >= %s)", place[k], place[k], text_str(&length));
    c_add_claim(r, e, &wrong, "this index may leave its row", true);
    good = good && multiplied(r, &factors, x->stride[k]);
  }
  if (good && !numbers && placed < s.n)
    good = no_rows(r, e);
  for (int k = x->rank - 1; k >= 0 && good; k--)
    text_printf(out, "%s%s", place[k], k ? "," : "");
  *rank = x->rank;
  return good;
}
