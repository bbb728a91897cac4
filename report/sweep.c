#include "report/sweep.h"
#include "base/mem.h"
#include "base/num.h"
#include "report/machine.h"
#include <ctype.h>
#include <gmp.h>
#include <stdio.h>
#include <string.h>

static status bad(diag *d, const char *setting)
{
  return diag_set(d, BAD_USAGE, "usage", "'%s' is no setting: write n=8K..128K*2, n=1..9+2, d=64,128 or M=96K",
                  setting);
}

static status add_value(report_variable *v, int64_t value, diag *d)
{
  if (v->n == REPORT_SWEEP_VALUES)
    return diag_set(d, BAD_USAGE, "usage", "%s takes more than %d values", v->name, REPORT_SWEEP_VALUES);
  size_t room = v->room;
  v->label = mem_room(v->label, v->n, &room, sizeof *v->label);
  v->value = mem_room(v->value, v->n, &v->room, sizeof *v->value);
  v->label[v->n] = NULL;
  v->value[v->n++] = value;
  return OK;
}

/* "1.5" as 15 / 10. */
static bool parse_factor(const char *s, int64_t *num, int64_t *den)
{
  char digits[32];
  size_t whole = strspn(s, "0123456789"), part = s[whole] == '.' ? strspn(s + whole + 1, "0123456789") : 0;
  *den = 1;
  if (whole == 0 || part == 0 || s[whole + 1 + part] || whole + part > 9)
    return num_parse(s, num);
  snprintf(digits, sizeof digits, "%.*s%s", (int)whole, s, s + whole + 1);
  for (size_t i = 0; i < part; i++)
    *den *= 10;
  return num_parse(digits, num);
}

/* The nearest whole numbers to lo, lo f, lo f^2 ... up to hi, each once. */
static status add_powers(report_variable *v, int64_t lo, int64_t hi, int64_t num, int64_t den, diag *d)
{
  mpz_t top, bottom, value;
  status st = OK;
  int64_t last = 0;
  mpz_init_set_si(top, lo);
  mpz_init_set_si(bottom, 1);
  mpz_init(value);
  for (;;) {
    mpz_mul_2exp(value, top, 1);
    mpz_add(value, value, bottom);
    mpz_fdiv_q_2exp(value, value, 1); /* top + bottom / 2, */
    mpz_fdiv_q(value, value, bottom); /* over bottom: rounded */
    if (st != OK || mpz_cmp_si(value, hi) > 0)
      break;
    if (mpz_get_si(value) > last)
      st = add_value(v, last = mpz_get_si(value), d);
    mpz_mul_si(top, top, num);
    mpz_mul_si(bottom, bottom, den);
  }
  mpz_clear(top);
  mpz_clear(bottom);
  mpz_clear(value);
  return st;
}

/* lo..hi, lo..hi*k, lo..hi+k; the step is 1 when none is said. */
static status add_range(report_variable *v, char *dots, const char *part, diag *d)
{
  int64_t lo, hi, step = 1, den = 1;
  *dots = '\0';
  char *factor = strpbrk(dots + 2, "*+"), sign = factor ? *factor : '+';
  if (factor)
    *factor = '\0';
  if (!num_parse(part, &lo) || !num_parse(dots + 2, &hi) || (factor && !parse_factor(factor + 1, &step, &den)) ||
      step < 1 || (sign == '*' ? step <= den || lo < 1 : den > 1))
    return diag_set(d, BAD_USAGE, "usage", "the range of %s is not like 8K..128K*2, 1K..4K*1.5 or 1..9+2", v->name);
  if (sign == '*')
    return add_powers(v, lo, hi, step, den, d);
  status st = OK;
  while (st == OK && lo <= hi) {
    st = add_value(v, lo, d);
    if (!num_add(lo, step, &lo))
      break;
  }
  return st;
}

/* M = h100-sm: what that machine has. */
static status add_machine(report_variable *v, const char *name, diag *d)
{
  report_machine m;
  status st = report_machine_open(&m, name, d);
  if (st == OK)
    st = add_value(v, (int64_t)m.memory, d);
  if (st == OK)
    v->label[v->n - 1] = mem_text(name);
  return st;
}

static status add_part(report_variable *v, char *part, diag *d)
{
  int64_t value;
  char *dots = strstr(part, "..");
  if (dots)
    return add_range(v, dots, part, d);
  if (!num_parse(part, &value) && strcmp(v->name, "M") == 0 && isalpha((unsigned char)*part))
    return add_machine(v, part, d);
  if (!num_parse(part, &value))
    return diag_set(d, BAD_USAGE, "usage", "'%s' is no value for %s", part, v->name);
  return add_value(v, value, d);
}

status report_sweep_add(report_sweep *s, const char *setting, diag *d)
{
  const char *equals = strchr(setting, '=');
  size_t length = equals ? (size_t)(equals - setting) : 0;
  if (length == 0 || length >= sizeof s->variable[0].name || !isalpha((unsigned char)setting[0]))
    return bad(d, setting);
  if (s->variables == REPORT_SWEEP_VARIABLES)
    return diag_set(d, BAD_USAGE, "usage", "a sweep has at most %d variables", REPORT_SWEEP_VARIABLES);
  report_variable *v = &s->variable[s->variables++];
  memcpy(v->name, setting, length);
  for (int i = 0; i + 1 < s->variables; i++)
    if (strcmp(s->variable[i].name, v->name) == 0)
      return diag_set(d, BAD_USAGE, "usage", "%s is swept twice", v->name);
  char *copy = mem_text(equals + 1), *rest = copy;
  status st = OK;
  for (char *part = strsep(&rest, ","); part && st == OK; part = strsep(&rest, ","))
    st = add_part(v, part, d);
  mem_free(copy);
  if (st == OK && v->n == 0)
    st = bad(d, setting);
  if (st == OK && report_sweep_rows(s) > REPORT_SWEEP_ROWS)
    st = diag_set(d, BAD_USAGE, "usage", "more than %d rows", REPORT_SWEEP_ROWS);
  return st;
}

status report_sweep_parse(report_sweep *s, const char *settings, diag *d)
{
  char *copy = mem_text(settings), *rest = copy;
  status st = OK;
  for (char *part = strsep(&rest, " \t\n"); part && st == OK; part = strsep(&rest, " \t\n"))
    if (*part)
      st = report_sweep_add(s, part, d);
  mem_free(copy);
  return st;
}

void report_sweep_clear(report_sweep *s)
{
  for (int i = 0; i < s->variables; i++) {
    for (size_t k = 0; k < s->variable[i].n; k++)
      mem_free(s->variable[i].label[k]);
    mem_free(s->variable[i].label);
    mem_free(s->variable[i].value);
  }
  *s = (report_sweep){ 0 };
}

size_t report_sweep_rows(const report_sweep *s)
{
  size_t rows = 1;
  for (int i = 0; i < s->variables; i++) {
    if (__builtin_mul_overflow(rows, s->variable[i].n, &rows))
      return SIZE_MAX;
  }
  return rows;
}

void report_sweep_row(const report_sweep *s, size_t k, int64_t *value)
{
  for (int i = s->variables - 1; i >= 0; i--) {
    value[i] = s->variable[i].value[k % s->variable[i].n];
    k /= s->variable[i].n;
  }
}

const char *report_sweep_machine(const report_sweep *s, size_t k)
{
  for (int i = s->variables - 1; i >= 0; i--) {
    if (strcmp(s->variable[i].name, "M") == 0)
      return s->variable[i].label[k % s->variable[i].n];
    k /= s->variable[i].n;
  }
  return NULL;
}
