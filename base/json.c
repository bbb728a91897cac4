#include "base/json.h"
#include "base/mem.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void before_value(json *j)
{
  if (!j->after_key && j->some[j->depth])
    text_add(&j->out, ", ");
  j->some[j->depth] = true;
  j->after_key = false;
}

void json_open(json *j, char bracket)
{
  before_value(j);
  text_char(&j->out, bracket);
  assert(j->depth < 63);
  j->some[++j->depth] = false;
}

void json_close(json *j, char bracket)
{
  assert(j->depth > 0);
  j->depth--;
  text_char(&j->out, bracket);
}

static void quote(text *out, const char *s)
{
  text_char(out, '"');
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      text_char(out, '\\'), text_char(out, *s);
    else if (c < 0x20 || c == 0x7f)
      text_printf(out, "\\u%04x", c);
    else
      text_char(out, *s);
  }
  text_char(out, '"');
}

void json_key(json *j, const char *key)
{
  before_value(j);
  quote(&j->out, key);
  text_add(&j->out, ": ");
  j->after_key = true;
}

void json_string(json *j, const char *s)
{
  before_value(j);
  if (s)
    quote(&j->out, s);
  else
    text_add(&j->out, "null");
}

void json_raw(json *j, const char *s)
{
  before_value(j);
  text_add(&j->out, s);
}

void json_int(json *j, int64_t v)
{
  before_value(j);
  text_printf(&j->out, "%" PRId64, v);
}

void json_uint(json *j, num_count v) { json_raw(j, num_known(v) ? num_digits(v).s : "null"); }

void json_big(json *j, const mpz_t v)
{
  SCOPED_MEM char *digits = mem_new(mpz_sizeinbase(v, 10) + 2, 1);
  mpz_get_str(digits, 10, v);
  json_raw(j, digits);
}

/* The host may have set a locale, whose decimal point is of one byte or several. */
static void put_point(char *digits)
{
  size_t whole = strspn(digits, "-0123456789"), other = strcspn(digits + whole, "0123456789e");
  if (other == 0)
    return;
  digits[whole] = '.';
  memmove(digits + whole + 1, digits + whole + other, strlen(digits + whole + other) + 1);
}

void json_real(json *j, double v)
{
  char digits[40] = "null";
  bool finite = isfinite(v);
  for (int precision = 6; finite && precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, v);
    if (strtod(digits, NULL) == v)
      break;
  }
  if (finite)
    put_point(digits);
  json_raw(j, digits);
}

void json_bool(json *j, bool v) { json_raw(j, v ? "true" : "false"); }

void json_clear(json *j)
{
  text_clear(&j->out);
  *j = (json){ 0 };
}

void json_put_open(json *j, const char *key, char bracket) { json_key(j, key), json_open(j, bracket); }
void json_put_string(json *j, const char *key, const char *s) { json_key(j, key), json_string(j, s); }
void json_put_int(json *j, const char *key, int64_t v) { json_key(j, key), json_int(j, v); }
void json_put_uint(json *j, const char *key, num_count v) { json_key(j, key), json_uint(j, v); }
void json_put_bool(json *j, const char *key, bool v) { json_key(j, key), json_bool(j, v); }
void json_put_real(json *j, const char *key, double v) { json_key(j, key), json_real(j, v); }
void json_put_big(json *j, const char *key, const mpz_t v) { json_key(j, key), json_big(j, v); }

static void put_list(json *j, const char *key, const int *narrow, const int64_t *wide, int n)
{
  json_put_open(j, key, '[');
  for (int i = 0; i < n; i++)
    json_int(j, narrow ? narrow[i] : wide[i]);
  json_close(j, ']');
}

void json_put_ints(json *j, const char *key, const int *v, int n) { put_list(j, key, v, NULL, n); }
void json_put_int64s(json *j, const char *key, const int64_t *v, int n) { put_list(j, key, NULL, v, n); }

void json_put_error(json *j, const diag *d)
{
  json_put_open(j, "error", '{');
  json_put_string(j, "kind", d->kind ? d->kind : "error");
  json_put_string(j, "message", d->message);
  if (d->file[0])
    json_put_string(j, "file", d->file);
  if (d->line) {
    json_put_int(j, "line", d->line);
    json_put_int(j, "column", d->column);
  }
  json_close(j, '}');
}
