/* A claim as JSON, and back. */
#include "bounds/check/affine/claim.h"
#include "bounds/checker.h"
#include <string.h>

static const char *const kinds[] = { "own", "read", "operand", "tail" };

static void write_list(json *j, const char *key, const int *n, int count)
{
  json_key(j, key);
  json_open(j, '[');
  for (int i = 0; i < count; i++)
    json_int(j, n[i]);
  json_close(j, ']');
}

static void write_way(const claim_way *w, json *j)
{
  json_put_string(j, "is", kinds[w->kind]);
  json_put_int(j, "access", w->access);
}

static void write_statement(const claim_statement *s, json *j)
{
  json_open(j, '{');
  json_put_int(j, "array", s->array);
  json_key(j, "needs");
  json_open(j, '[');
  for (int i = 0; i < s->items; i++) {
    json_open(j, '{');
    write_way(&s->item[i].way[0], j);
    if (s->item[i].ways > 1) {
      json_key(j, "or");
      json_open(j, '[');
      for (int w = 1; w < s->item[i].ways; w++) {
        json_open(j, '{');
        write_way(&s->item[i].way[w], j);
        json_close(j, '}');
      }
      json_close(j, ']');
    }
    json_put_int(j, "column", s->item[i].column);
    json_put_int(j, "power", s->item[i].power);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_key(j, "split");
  json_open(j, '[');
  for (int r = 0; r < CDAG_RANK; r++)
    json_int(j, s->split[r]);
  json_close(j, ']');
  write_list(j, "order", s->order, s->loops);
  json_close(j, '}');
}

void affine_claim_write(const affine_claim *c, json *j)
{
  write_list(j, "own", c->own, c->owns);
  json_key(j, "groups");
  json_open(j, '[');
  for (int g = 0; g < c->groups; g++) {
    const claim_group *of = &c->group[g];
    json_open(j, '{');
    json_key(j, "statements");
    json_open(j, '[');
    for (int s = 0; s < of->statements; s++)
      write_statement(&of->statement[s], j);
    json_close(j, ']');
    json_put_int(j, "den", of->den);
    json_put_int(j, "pairs", of->pairs);
    if (of->tail)
      json_put_int(j, "tail", of->tail);
    json_put_int(j, "segments", of->segments);
    json_put_int(j, "first", of->first);
    json_put_int(j, "length", of->length);
    json_close(j, '}');
  }
  json_close(j, ']');
}

/* ---- reading ---- */

static bool integer_in(const json_value *v, const char *key, int64_t lo, int64_t hi, int64_t *n)
{
  return json_get_int(v, key, n) && *n >= lo && *n <= hi;
}

static bool small(const json_value *v, const char *key, int64_t lo, int64_t hi, int *n)
{
  int64_t x = 0;
  bool good = integer_in(v, key, lo, hi, &x);
  *n = (int)x;
  return good;
}

static const json_value *list_of(const json_value *v, const char *key, size_t most, int *n)
{
  const json_value *list = json_get(v, key);
  *n = list && list->type == JSON_ARRAY && list->n <= most ? (int)list->n : -1;
  return *n >= 0 ? list->item : NULL;
}

static bool read_list(const json_value *v, const char *key, int most, int lo, int hi, int *to, int *n)
{
  const json_value *item = list_of(v, key, (size_t)most, n);
  for (int i = 0; i < *n; i++) {
    int64_t x;
    if (!json_integer64(&item[i], &x) || x < lo || x > hi)
      return false;
    to[i] = (int)x;
  }
  return *n >= 0;
}

static bool read_way(const json_value *v, claim_way *w)
{
  const char *is = json_get_string(v, "is");
  for (int k = 0; is && k < (int)(sizeof kinds / sizeof *kinds); k++)
    if (strcmp(is, kinds[k]) == 0) {
      w->kind = (item_kind)k;
      return small(v, "access", k ? 0 : -1, k ? 1 << 20 : -1, &w->access);
    }
  return false;
}

static bool read_item(const json_value *v, claim_item *i)
{
  int more = 0;
  const json_value *other = json_get(v, "or") ? list_of(v, "or", CLAIM_WAYS - 1, &more) : NULL;
  bool good = more >= 0 && read_way(v, &i->way[0]);
  for (int w = 0; w < more && good; w++)
    good = read_way(&other[w], &i->way[w + 1]);
  i->ways = more + 1;
  return good && small(v, "column", 0, CLAIM_COLUMNS - 1, &i->column) && integer_in(v, "power", 0, 64, &i->power);
}

static bool read_statement(const json_value *v, claim_statement *s)
{
  const json_value *needs = list_of(v, "needs", CLAIM_ITEMS, &s->items);
  int split[CDAG_RANK], n;
  if (s->items < 0 || !small(v, "array", 0, 1 << 20, &s->array) || !read_list(v, "split", CDAG_RANK, 0, 1 << 20, split, &n) || n != CDAG_RANK ||
      !read_list(v, "order", CLAIM_LOOPS, 0, CLAIM_LOOPS - 1, s->order, &s->loops))
    return false;
  for (int r = 0; r < CDAG_RANK; r++)
    s->split[r] = split[r];
  for (int i = 0; i < s->items; i++)
    if (!read_item(&needs[i], &s->item[i]))
      return false;
  return true;
}

static bool read_group(const json_value *v, claim_group *g)
{
  const json_value *list = list_of(v, "statements", CLAIM_STATEMENTS, &g->statements);
  if (g->statements < 1 || !integer_in(v, "den", 1, 64, &g->den) || !small(v, "pairs", 0, (CLAIM_ITEMS - 1) / 2, &g->pairs) ||
      (json_get(v, "tail") && !integer_in(v, "tail", 2, INT32_MAX, &g->tail)) ||
      !integer_in(v, "segments", 1, INT64_MAX, &g->segments) || !integer_in(v, "first", 0, INT64_MAX, &g->first) ||
      !integer_in(v, "length", 0, INT64_MAX, &g->length))
    return false;
  for (int s = 0; s < g->statements; s++)
    if (!read_statement(&list[s], &g->statement[s]))
      return false;
  return true;
}

bool affine_claim_read(const json_value *v, affine_claim *c, text *reason)
{
  memset(c, 0, sizeof *c);
  bool good = read_list(v, "own", WORDS_MOST, 0, 1 << 20, c->own, &c->owns);
  const json_value *list = list_of(v, "groups", CLAIM_GROUPS, &c->groups);
  for (int g = 0; g < c->groups && good; g++)
    good = read_group(&list[g], &c->group[g]);
  return (good && c->groups >= 0) || bound_refuse(reason, "the claim is not written as one");
}
