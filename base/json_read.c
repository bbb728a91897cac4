/* A recursive-descent reader of JSON; depth is capped, so input cannot exhaust the stack. */
#include "base/json_read.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64 };

typedef struct {
  const char *name, *start, *at, *end;
  diag *d;
} reader;

static status fail(const reader *r, const char *what)
{
  int line = 1, column = 1;
  for (const char *c = r->start; c < r->at; c++)
    *c == '\n' ? (line++, column = 1) : column++;
  return diag_at(r->d, BAD_INPUT, "format", r->name, line, column, "not JSON: %s", what);
}

static void skip_space(reader *r)
{
  while (r->at < r->end && *r->at && strchr(" \t\r\n", *r->at))
    r->at++;
}

static bool accept(reader *r, char c)
{
  skip_space(r);
  bool found = r->at < r->end && *r->at == c;
  r->at += found;
  return found;
}

static bool digit(const reader *r) { return r->at < r->end && *r->at >= '0' && *r->at <= '9'; }

static bool digits(reader *r)
{
  const char *from = r->at;
  while (digit(r))
    r->at++;
  return r->at > from;
}

static status read_number(reader *r, json_value *v)
{
  const char *from = r->at;
  r->at += *r->at == '-';
  bool zero = r->at < r->end && *r->at == '0';
  const char *whole = r->at;
  if (!digits(r))
    return fail(r, "a number without digits");
  if (zero && r->at > whole + 1)
    return fail(r, "a number with a leading zero");
  if (r->at < r->end && *r->at == '.' && (r->at++, !digits(r)))
    return fail(r, "a point without digits after it");
  if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
    r->at++;
    r->at += r->at < r->end && (*r->at == '+' || *r->at == '-');
    if (!digits(r))
      return fail(r, "an exponent without digits");
  }
  v->type = JSON_NUMBER;
  v->text = mem_text_n(from, (size_t)(r->at - from));
  return OK;
}

static void add_utf8(text *t, unsigned c)
{
  if (c < 0x80)
    text_char(t, (char)c);
  else if (c < 0x800)
    text_char(t, (char)(0xc0 | c >> 6)), text_char(t, (char)(0x80 | (c & 0x3f)));
  else if (c < 0x10000)
    text_char(t, (char)(0xe0 | c >> 12)), text_char(t, (char)(0x80 | (c >> 6 & 0x3f))),
        text_char(t, (char)(0x80 | (c & 0x3f)));
  else
    text_char(t, (char)(0xf0 | c >> 18)), text_char(t, (char)(0x80 | (c >> 12 & 0x3f))),
        text_char(t, (char)(0x80 | (c >> 6 & 0x3f))), text_char(t, (char)(0x80 | (c & 0x3f)));
}

/* The four hexadecimal digits after \u. */
static bool read_unit(reader *r, unsigned *c)
{
  *c = 0;
  for (int i = 0; i < 4; i++, r->at++) {
    if (r->at == r->end || !*r->at)
      return false;
    const char *hex = "0123456789abcdef", *found = strchr(hex, *r->at | (*r->at >= 'A' && *r->at <= 'F' ? 0x20 : 0));
    if (!found)
      return false;
    *c = *c << 4 | (unsigned)(found - hex);
  }
  return true;
}

static status read_escape(reader *r, text *t)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (r->at == r->end)
    return fail(r, "a string without end");
  char c = *r->at++;
  const char *simple = c ? strchr(from, c) : NULL;
  if (simple) {
    text_char(t, to[simple - from]);
    return OK;
  }
  unsigned unit, low = 0;
  if (c != 'u' || !read_unit(r, &unit) || unit == 0)
    return fail(r, "an unknown escape");
  if (unit >= 0xd800 && unit < 0xe000) {
    bool pair = unit < 0xdc00 && r->end - r->at > 6 && r->at[0] == '\\' && r->at[1] == 'u' &&
                (r->at += 2, read_unit(r, &low)) && low >= 0xdc00 && low < 0xe000;
    if (!pair)
      return fail(r, "half a surrogate pair");
    unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
  }
  add_utf8(t, unit);
  return OK;
}

static status read_string(reader *r, char **s)
{
  SCOPED_TEXT t = { 0 };
  status st = OK;
  for (;;) {
    if (r->at == r->end || (unsigned char)*r->at < 0x20) {
      st = fail(r, r->at == r->end ? "a string without end" : "a control character in a string");
      break;
    }
    char c = *r->at++;
    if (c == '"')
      break;
    if (c != '\\')
      text_char(&t, c);
    else if ((st = read_escape(r, &t)) != OK)
      break;
  }
  if (st == OK)
    *s = mem_text(text_str(&t));
  return st;
}

static status read_value(reader *r, json_value *v, int depth);

static json_value *new_item(json_value *v, size_t *room, size_t *key_room)
{
  v->item = mem_room(v->item, v->n, room, sizeof *v->item);
  if (v->type == JSON_OBJECT) {
    v->key = mem_room(v->key, v->n, key_room, sizeof *v->key);
    v->key[v->n] = NULL;
  }
  v->item[v->n] = (json_value){ 0 };
  return &v->item[v->n++];
}

static status read_key(reader *r, json_value *v, char **key)
{
  if (!accept(r, '"'))
    return fail(r, "expected a key in quotes");
  status st = read_string(r, key);
  if (st != OK)
    return st;
  for (size_t i = 0; i + 1 < v->n; i++)
    if (strcmp(v->key[i], *key) == 0)
      return fail(r, "a key given twice");
  return accept(r, ':') ? OK : fail(r, "expected ':'");
}

static status read_items(reader *r, json_value *v, char closing, int depth)
{
  size_t room = 0, key_room = 0;
  if (depth > DEPTH)
    return fail(r, "nested too deeply");
  if (accept(r, closing))
    return OK;
  do {
    json_value *item = new_item(v, &room, &key_room);
    status st = v->type == JSON_OBJECT ? read_key(r, v, &v->key[v->n - 1]) : OK;
    if (st == OK)
      st = read_value(r, item, depth);
    if (st != OK)
      return st;
  } while (accept(r, ','));
  return accept(r, closing) ? OK : fail(r, closing == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
}

static status read_word(reader *r, json_value *v)
{
  static const struct { const char *word; json_type type; } words[] = {
    { "null", JSON_NULL }, { "false", JSON_FALSE }, { "true", JSON_TRUE }
  };
  for (int i = 0; i < 3; i++) {
    size_t n = strlen(words[i].word);
    if ((size_t)(r->end - r->at) >= n && memcmp(r->at, words[i].word, n) == 0) {
      v->type = words[i].type;
      r->at += n;
      return OK;
    }
  }
  return fail(r, "expected a value");
}

static status read_value(reader *r, json_value *v, int depth)
{
  if (accept(r, '{')) {
    v->type = JSON_OBJECT;
    return read_items(r, v, '}', depth + 1);
  }
  if (accept(r, '[')) {
    v->type = JSON_ARRAY;
    return read_items(r, v, ']', depth + 1);
  }
  if (accept(r, '"')) {
    v->type = JSON_STRING;
    return read_string(r, &v->text);
  }
  return r->at < r->end && (*r->at == '-' || digit(r)) ? read_number(r, v) : read_word(r, v);
}

status json_read(json_value *v, const char *bytes, size_t n, const char *name, diag *d)
{
  reader r = { name, bytes, bytes, bytes + n, d };
  *v = (json_value){ 0 };
  status st = read_value(&r, v, 0);
  skip_space(&r);
  if (st == OK && r.at < r.end)
    st = fail(&r, "something after the value");
  if (st != OK)
    json_value_clear(v);
  return st;
}

void json_value_clear(json_value *v)
{
  for (size_t i = 0; i < v->n; i++) {
    json_value_clear(&v->item[i]);
    if (v->key)
      mem_free(v->key[i]);
  }
  mem_free(v->item);
  mem_free(v->key);
  mem_free(v->text);
  *v = (json_value){ 0 };
}

const json_value *json_get(const json_value *v, const char *key)
{
  if (v && v->type == JSON_OBJECT)
    for (size_t i = 0; i < v->n; i++)
      if (strcmp(v->key[i], key) == 0)
        return &v->item[i];
  return NULL;
}

bool json_integer(const json_value *v, mpz_t r)
{
  if (!v || v->type != JSON_NUMBER || v->text[strspn(v->text, "-0123456789")])
    return false;
  return mpz_set_str(r, v->text, 10) == 0;
}

bool json_get_big(const json_value *v, const char *key, mpz_t r) { return json_integer(json_get(v, key), r); }

bool json_integer64(const json_value *v, int64_t *r)
{
  if (!v || v->type != JSON_NUMBER || v->text[strspn(v->text, "-0123456789")])
    return false;
  errno = 0;
  long long value = strtoll(v->text, NULL, 10);
  if (errno == ERANGE)
    return false;
  *r = value;
  return true;
}

bool json_get_int(const json_value *v, const char *key, int64_t *r) { return json_integer64(json_get(v, key), r); }

bool json_get_int64_in(const json_value *v, const char *key, int64_t lo, int64_t hi, int64_t *r)
{
  return json_get_int(v, key, r) && *r >= lo && *r <= hi;
}

bool json_get_int_in(const json_value *v, const char *key, int lo, int hi, int *r)
{
  int64_t x = 0;
  bool good = json_get_int64_in(v, key, lo, hi, &x);
  *r = good ? (int)x : 0;
  return good;
}

const json_value *json_get_items(const json_value *v, const char *key, int most, int *n)
{
  const json_value *list = json_get(v, key);
  *n = list && list->type == JSON_ARRAY && list->n <= (size_t)most ? (int)list->n : -1;
  return *n >= 0 ? list->item : NULL;
}

int json_get_int64s(const json_value *v, const char *key, int most, int64_t lo, int64_t hi, int64_t *to)
{
  int n;
  const json_value *item = json_get_items(v, key, most, &n);
  for (int i = 0; i < n; i++)
    if (!json_integer64(&item[i], &to[i]) || to[i] < lo || to[i] > hi)
      return -1;
  return n;
}

int json_get_ints(const json_value *v, const char *key, int most, int lo, int hi, int *to)
{
  int n;
  const json_value *item = json_get_items(v, key, most, &n);
  for (int i = 0; i < n; i++) {
    int64_t x;
    if (!json_integer64(&item[i], &x) || x < lo || x > hi)
      return -1;
    to[i] = (int)x;
  }
  return n;
}

const char *json_get_string(const json_value *v, const char *key)
{
  const json_value *m = json_get(v, key);
  return m && m->type == JSON_STRING ? m->text : NULL;
}

static uint64_t digest(uint64_t h, const json_value *v, const char *skip)
{
  char type[2] = { (char)('a' + v->type), 0 };
  h = digest_text(h, type);
  if (v->text)
    h = digest_text(h, v->text);
  for (size_t i = 0; i < v->n; i++) {
    if (skip && v->key && strcmp(v->key[i], skip) == 0)
      continue;
    if (v->key)
      h = digest_text(h, v->key[i]);
    h = digest(h, &v->item[i], NULL);
  }
  return digest_text(h, "z");
}

uint64_t json_digest(const json_value *v, const char *skip) { return digest(DIGEST_BEGIN, v, skip); }
