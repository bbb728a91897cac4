/* terms.c -- lines and names; what two terms of an element share, as conditions. */
#include "schedules/tiler/plain/writer.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- lines ---- */

void plain_line(writer *w)
{
  for (int k = 0; k < w->depth; k++)
    text_add(w->out, "  ");
}

void plain_open_block(writer *w, const char *head)
{
  plain_line(w);
  text_printf(w->out, "%s {\n", head);
  w->depth++;
}

void plain_close_block(writer *w)
{
  w->depth--;
  plain_line(w);
  text_add(w->out, "}\n");
}

/* ---- names ---- */

static bool free_name(const writer *w, const char *name)
{
  char look[CDAG_NAME + 4];
  snprintf(look, sizeof look, " %s ", name);
  return !strstr(text_str(&w->loops), look) && !tiler_name_taken(w->s->g, name);
}

void plain_loop_name(writer *w, const char *wanted, char *out)
{
  snprintf(out, CDAG_NAME, "%s", wanted[0] ? wanted : "i");
  for (int k = 1; !free_name(w, out); k++)
    snprintf(out, CDAG_NAME, "%.40s%d", wanted[0] ? wanted : "i", k);
  text_printf(&w->loops, "%s ", out);
}

void plain_forget_name(writer *w, const char *name)
{
  w->loops.n -= strlen(name) + 1;
  w->loops.s[w->loops.n] = '\0';
}

void plain_bind_variable(writer *w, int array, int r, const char *name, int64_t shift)
{
  char *to = w->alone[array]->cls[r].name;
  if (shift == 0)
    snprintf(to, CDAG_NAME, "%s", name);
  else
    snprintf(to, CDAG_NAME, "%.40s %c %" PRId64, name, shift > 0 ? '-' : '+', shift > 0 ? shift : -shift);
  w->at[array].single |= 1u << r;
}

/* ---- two terms that may name one element ---- */

/* Is it 0 nowhere in the statement's domain? */
static bool never_zero(const tiler_statement *s, const tiler_form *f)
{
  tiler_form minus = { .base = -f->base };
  for (int r = 0; r < CDAG_RANK; r++)
    minus.coef[r] = -f->coef[r];
  return tiler_form_most(s, f) < 0 || tiler_form_most(s, &minus) < 0;
}

/* Forms whose difference is not 0, so that the terms differ: 1 they always do, 0 never, -1 sometimes. */
static int differ(const tiler_statement *s, const tiler_access *a, const tiler_access *b, tiler_form *diff, int *n)
{
  bool unknown = false;
  *n = 0;
  for (int q = 0; q < a->rank; q++) {
    if (a->at[q].kind != CDAG_AT || b->at[q].kind != CDAG_AT)
      continue;
    if (!a->at[q].affine || !b->at[q].affine) {
      unknown = true;
      continue;
    }
    tiler_form f = a->at[q].lo;
    tiler_form_add(&f, &b->at[q].lo, -1);
    if (never_zero(s, &f))
      return 1;
    if (!tiler_form_constant(&f, s->rank))
      diff[(*n)++] = f;
  }
  return *n || unknown ? -1 : 0;
}

void plain_print_form(const writer *w, int array, const tiler_form *f, text *out)
{
  tiler_words v;
  tiler_value(w->alone[array], 0, f, &w->at[array], &v);
  tiler_words_print(out, &v);
}

void plain_print_expression(const writer *w, int array, const expr *e, text *out)
{
  tiler_print_expression(w->alone[array], 0, e, out);
}

const cdag_term *plain_term_of(const writer *w, int array, const tiler_access *a)
{
  return &w->s->g->array[array].term[a->term];
}

const expr *plain_index_expression(const writer *w, int array, const tiler_access *a, int q, bool hi)
{
  const cdag_term *t = plain_term_of(w, array, a);
  return hi ? t->index[q].hi : t->guarded == q + 1 ? t->index[q].lo->arg[0] : t->index[q].lo;
}

void plain_print_index(const writer *w, int array, const tiler_access *a, int q, bool hi, text *out)
{
  if (a->at[q].affine)
    plain_print_form(w, array, hi ? &a->at[q].hi : &a->at[q].lo, out);
  else
    plain_print_expression(w, array, plain_index_expression(w, array, a, q, hi), out);
}

void plain_print_box(const writer *w, int array, const tiler_access *a, text *out)
{
  text_printf(out, "%s[", w->s->g->array[a->array].name);
  for (int q = 0; q < a->rank; q++) {
    text_add(out, q ? "," : "");
    if (a->at[q].kind == CDAG_ALL)
      text_char(out, '*');
    else
      plain_print_index(w, array, a, q, false, out);
    if (a->at[q].kind == CDAG_RANGE) {
      text_add(out, "..");
      plain_print_index(w, array, a, q, true, out);
    }
  }
  text_char(out, ']');
}

/* (value outside the range of b) for each index where a is a value and b a range; false when that cannot be said. */
static bool outside_ranges(const writer *w, int array, const tiler_access *a, const tiler_access *b, text *out)
{
  for (int q = 0; q < a->rank; q++) {
    if (a->at[q].kind == CDAG_AT && b->at[q].kind == CDAG_AT)
      continue;
    if (a->at[q].kind != CDAG_AT || b->at[q].kind == CDAG_ALL)
      return b->at[q].kind == CDAG_ALL;
    text_add(out, out->n ? " + (" : "(");
    plain_print_index(w, array, a, q, false, out);
    text_add(out, " < ");
    plain_print_index(w, array, b, q, false, out);
    text_add(out, ") + (");
    plain_print_index(w, array, a, q, false, out);
    text_add(out, " >= ");
    plain_print_index(w, array, b, q, true, out);
    text_char(out, ')');
  }
  return true;
}

/* (a != b) where an index is not affine; the same expression is the same value. */
static void unlike_expressions(const writer *w, int array, const tiler_access *a, const tiler_access *b, text *out)
{
  for (int q = 0; q < a->rank; q++) {
    text x = { 0 }, y = { 0 };
    if (a->at[q].kind == CDAG_AT && b->at[q].kind == CDAG_AT && !(a->at[q].affine && b->at[q].affine)) {
      plain_print_index(w, array, a, q, false, &x);
      plain_print_index(w, array, b, q, false, &y);
      if (strcmp(text_str(&x), text_str(&y)) != 0)
        text_printf(out, "%s(%s != %s)", out->n ? " + " : "", text_str(&x), text_str(&y));
    }
    text_clear(&x);
    text_clear(&y);
  }
}

void plain_print_condition(const writer *w, int array, const tiler_access *a, bool holds, text *out)
{
  const expr *e = cdag_term_condition(plain_term_of(w, array, a));
  if (!e)
    return;
  text_add(out, holds ? "(" : "((");
  plain_print_expression(w, array, e, out);
  text_add(out, holds ? ")" : ") == 0)");
}

bool plain_when_new(const writer *w, int array, const tiler_access *const *t, int a, text *condition)
{
  const tiler_statement *s = &w->s->s[array];
  for (int b = 0; b < a; b++) {
    tiler_form diff[CDAG_RANK];
    int n, d = t[b]->array == t[a]->array ? differ(s, t[a], t[b], diff, &n) : 1;
    if (d == 1)
      continue;
    text one = { 0 };
    plain_print_condition(w, array, t[b], false, &one);
    for (int k = 0; d && k < n; k++) {
      text_add(&one, one.n ? " + (" : "(");
      plain_print_form(w, array, &diff[k], &one);
      text_add(&one, " != 0)");
    }
    unlike_expressions(w, array, t[a], t[b], &one);
    bool told = outside_ranges(w, array, t[a], t[b], &one);
    if (told && one.n == 0) {
      text_clear(&one);
      return false;
    }
    text_printf(condition, condition->n ? " * (%s)" : "(%s)", text_str(&one));
    text_clear(&one);
  }
  return true;
}
