#include "tests/support_formula.h"
#include "tests/support.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at;
  const schedule *s;
} reader;

static double sum(reader *r);

static void space(reader *r)
{
  while (*r->at == ' ')
    r->at++;
}

static double name_value(reader *r, const char *name, size_t n)
{
  if (n == 1 && *name == 'M')
    return (double)r->s->m;
  for (int i = 0; i < r->s->params; i++)
    if (strlen(r->s->param[i].name) == n && !memcmp(r->s->param[i].name, name, n))
      return (double)r->s->param[i].value;
  for (int i = 0; i < r->s->g->params; i++)
    if (strlen(r->s->g->param[i].name) == n && !memcmp(r->s->g->param[i].name, name, n))
      return (double)r->s->g->param[i].value;
  ck_abort_msg("unknown name in a formula: %.*s", (int)n, name);
  return 0;
}

/* ceil(p/q) or ceil(p, q) */
static double ceiling(reader *r)
{
  double p = sum(r), q = 1;
  if (*r->at == ',') {
    r->at++;
    q = sum(r);
  }
  ck_assert_int_eq(*r->at, ')');
  r->at++;
  return ceil(p / q);
}

static double bracket(reader *r)
{
  r->at++;
  double v = sum(r);
  if (*r->at == '>') { /* a comparison counts as 0 or 1 */
    r->at++;
    v = v > sum(r);
  }
  ck_assert_int_eq(*r->at, ')');
  r->at++;
  return v;
}

/* min(p,q) or max(p,q) */
static double extreme(reader *r, bool least)
{
  r->at++;
  double p = sum(r);
  ck_assert_int_eq(*r->at, ',');
  r->at++;
  double q = sum(r);
  ck_assert_int_eq(*r->at, ')');
  r->at++;
  return least == (p < q) ? p : q;
}

static double call(reader *r, const char *name, size_t n)
{
  if (n == 4 && !memcmp(name, "ceil", 4)) {
    r->at++;
    return ceiling(r);
  }
  if (n == 5 && !memcmp(name, "floor", 5))
    return floor(bracket(r));
  ck_assert_msg(n == 3 && (!memcmp(name, "min", 3) || !memcmp(name, "max", 3)), "unknown function in a formula: %s",
                name);
  return extreme(r, name[1] == 'i');
}

static double primary(reader *r)
{
  double v;
  if (*r->at == '(') {
    v = bracket(r);
  } else if (isdigit((unsigned char)*r->at)) {
    v = strtod(r->at, (char **)&r->at);
  } else {
    const char *from = r->at;
    while (isalnum((unsigned char)*r->at) || *r->at == '_')
      r->at++;
    ck_assert_msg(r->at > from, "a formula cannot be read at: %s", from);
    size_t n = (size_t)(r->at - from);
    v = *r->at == '(' ? call(r, from, n) : name_value(r, from, n);
  }
  return v;
}

static double power(reader *r)
{
  double v = primary(r);
  if (*r->at == '^') {
    r->at++;
    v = pow(v, *r->at == '(' ? bracket(r) : primary(r));
  }
  return v;
}

static double factor(reader *r)
{
  double v = power(r);
  while (*r->at == '/') { /* a fraction as a coefficient, the quotient inside ceil, 1/(2^s - 1) */
    r->at++;
    v /= power(r);
  }
  return v;
}

static double term(reader *r)
{
  double v = factor(r);
  for (space(r); *r->at && !strchr("+-,)>", *r->at); space(r)) {
    if (*r->at == '*') { /* between numbers: 3 * 2^l */
      r->at++;
      space(r);
    }
    v *= factor(r);
  }
  return v;
}

static double sum(reader *r)
{
  double v = 0;
  for (int sign = 1;; r->at++) {
    space(r);
    if (*r->at == '-') {
      sign = -1;
      r->at++;
      space(r);
    }
    v += sign * term(r);
    space(r);
    if (*r->at != '+' && *r->at != '-')
      return v;
    sign = *r->at == '-' ? -1 : 1;
  }
}

double formula_text_value(const char *formula, const schedule *s)
{
  reader r = { .at = formula, .s = s };
  double v = sum(&r);
  ck_assert_int_eq(*r.at, '\0');
  return v;
}

/* The end of the condition that begins there: at a comma outside brackets. */
static const char *condition_end(const char *at)
{
  int open = 0;
  for (; *at && (*at != ',' || open); at++)
    open += *at == '(' ? 1 : *at == ')' ? -1 : 0;
  return at;
}

/* Its sign of comparison, outside brackets. */
static char *comparison_in(char *at)
{
  int open = 0;
  for (; *at && (open || !strchr("<>=!", *at)); at++)
    open += *at == '(' ? 1 : *at == ')' ? -1 : 0;
  return at;
}

static bool compared(const char *op, double a, double b)
{
  static const char *const ops[] = { "<", "<=", ">", ">=", "=", "==", "!=" };
  const bool is[] = { a < b, a <= b, a > b, a >= b, a == b, a == b, a != b };
  for (int i = 0; i < COUNT(ops); i++)
    if (!strcmp(op, ops[i]))
      return is[i];
  ck_abort_msg("no comparison: %s", op);
  return false;
}

/* a OP b, or a alone: not 0. */
static bool is_true(char *condition, const schedule *s)
{
  char *at = comparison_in(condition), op[3] = "";
  double b = 0;
  if (!*at)
    return formula_text_value(condition, s) != 0;
  size_t n = strspn(at, "<>=!");
  memcpy(op, at, n < 2 ? n : 2);
  *at = '\0';
  b = formula_text_value(at + n, s);
  return compared(op, formula_text_value(condition, s), b);
}

static bool condition_covers(char *condition, const schedule *s)
{
  static const char *const as_it_is[] = { "the table ", "loop ", "every vertex " }, *const of_loops[] = {
    "lo(", "hi(", "len(", "first(", "last(", "%"
  };
  for (int i = 0; i < COUNT(as_it_is); i++)
    if (!strncmp(condition, as_it_is[i], strlen(as_it_is[i])))
      return true;
  for (int i = 0; i < COUNT(of_loops); i++)
    if (strstr(condition, of_loops[i]))
      return false;
  if (strncmp(condition, "not (", 5))
    return is_true(condition, s);
  condition[strlen(condition) - 1] = '\0';
  return !is_true(condition + 5, s);
}

bool formula_covers(const text *holds, const schedule *s)
{
  text one = { 0 };
  bool good = true;
  for (const char *at = text_str(holds), *end; *at && good; at = *end ? end + 2 : end) {
    end = condition_end(at);
    text_clear(&one);
    text_printf(&one, "%.*s", (int)(end - at), at);
    good = condition_covers(one.s, s);
  }
  text_clear(&one);
  return good;
}

bool formula_counted_io(const schedule *s, uint64_t *io)
{
  schedule_counts c = { 0 };
  diag d = { 0 };
  pebble_rules rules = { .m = s->m };
  bool ok = schedule_count(s, &rules, &c, &d) == OK && c.countable;
  *io = c.loads + c.stores;
  schedule_counts_clear(&c);
  return ok;
}

void formula_say_setting(text *out, const schedule *s)
{
  for (int i = 0; i < s->g->params; i++)
    text_printf(out, "%s%s = %ld", i ? ", " : "", s->g->param[i].name, (long)s->g->param_value[i]);
  for (int i = 0; i < s->params; i++)
    text_printf(out, ", %s = %ld", s->param[i].name, (long)s->param[i].value);
}

bool formula_gives_count(const text *io, const schedule *s, const char *told)
{
  uint64_t count;
  text at = { 0 };
  if (!formula_counted_io(s, &count))
    return false;
  double v = formula_text_value(text_str(io), s);
  formula_say_setting(&at, s);
  ck_assert_msg(fabs(v - (double)count) < 1e-3, "%s is %g, counted %ld at %s; %s", text_str(io), v, (long)count,
                text_str(&at), told);
  text_clear(&at);
  return true;
}
