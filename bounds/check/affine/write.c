/* A claim as JSON, and back. */
#include "bounds/check/affine/claim.h"
#include "bounds/checker.h"
#include <string.h>

static const char *const kinds[] = { "own", "read", "operand", "tail", "made" };

static void write_way(const claim_way *w, json *j)
{
  json_put_string(j, "is", kinds[w->kind]);
  json_put_int(j, "access", w->access);
}

/* Of a space of n dimensions, and n loops. */
static void write_place(const claim_statement *s, int n, json *j)
{
  int64_t flat[CDAG_RANK * (CDAG_RANK + 1)];
  int k = 0;
  for (int r = 0; r < n; r++)
    for (int v = 0; v <= n; v++)
      flat[k++] = s->place[r][v < n ? v : CDAG_RANK];
  if (n > 0)
    json_put_int64s(j, "place", flat, k);
}

static void write_statement(const claim_statement *s, int together, json *j)
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
    if (s->item[i].views)
      json_put_bool(j, "views", true);
    json_put_int(j, "column", s->item[i].column);
    json_put_int(j, "power", s->item[i].power);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_put_int64s(j, "split", s->split, CDAG_RANK);
  json_put_ints(j, "order", s->order, s->loops);
  write_place(s, together, j);
  json_close(j, '}');
}

static const char *const readings[READINGS] = { NULL, "merged", "windows", "fused", "ends" };

void affine_put_words(affine_reading reading, const int *own, int owns, json *j)
{
  if (readings[reading])
    json_put_bool(j, readings[reading], true);
  json_put_ints(j, "own", own, owns);
}

bool affine_get_words(const json_value *v, affine_reading *reading, int *own, int *owns)
{
  int said = 0;
  bool good = true;
  *reading = READ_AS_IT_IS;
  for (affine_reading r = READ_MERGED; r < READINGS; r++) {
    const json_value *is = json_get(v, readings[r]);
    good = good && (!is || is->type == JSON_TRUE);
    said += is != NULL;
    *reading = is ? r : *reading;
  }
  *owns = json_get_ints(v, "own", WORDS_MOST, 0, 1 << 20, own);
  return *owns >= 0 && good && said <= 1;
}

void affine_claim_write(const affine_claim *c, json *j)
{
  affine_put_words(c->reading, c->own, c->owns, j);
  json_key(j, "groups");
  json_open(j, '[');
  for (int g = 0; g < c->groups; g++) {
    const claim_group *of = &c->group[g];
    json_open(j, '{');
    json_key(j, "statements");
    json_open(j, '[');
    for (int s = 0; s < of->statements; s++)
      write_statement(&of->statement[s], of->together, j);
    json_close(j, ']');
    json_put_int(j, "den", of->den);
    json_put_int(j, "pairs", of->pairs);
    if (of->together)
      json_put_int(j, "together", of->together);
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

static bool read_way(const json_value *v, claim_way *w)
{
  const char *is = json_get_string(v, "is");
  for (int k = 0; is && k < (int)(sizeof kinds / sizeof *kinds); k++)
    if (strcmp(is, kinds[k]) == 0) {
      w->kind = (item_kind)k;
      return json_get_int_in(v, "access", k ? 0 : -1, k ? 1 << 20 : -1, &w->access);
    }
  return false;
}

static bool read_item(const json_value *v, claim_item *i)
{
  int more = 0;
  const json_value *other = json_get(v, "or") ? json_get_items(v, "or", CLAIM_WAYS - 1, &more) : NULL;
  bool good = more >= 0 && read_way(v, &i->way[0]);
  for (int w = 0; w < more && good; w++)
    good = read_way(&other[w], &i->way[w + 1]);
  i->ways = more + 1;
  i->views = json_get(v, "views") != NULL;
  good = good && (!i->views || json_get(v, "views")->type == JSON_TRUE);
  return good && json_get_int_in(v, "column", 0, CLAIM_COLUMNS - 1, &i->column) &&
         json_get_int64_in(v, "power", 0, 64, &i->power);
}

static bool read_place(const json_value *v, int n, claim_statement *s)
{
  int64_t flat[CDAG_RANK * (CDAG_RANK + 1)];
  if (n == 0)
    return true;
  if (json_get_int64s(v, "place", CDAG_RANK * (CDAG_RANK + 1), -(1 << 20), 1 << 20, flat) != n * (n + 1))
    return false;
  for (int r = 0; r < n; r++)
    for (int k = 0; k <= n; k++)
      s->place[r][k < n ? k : CDAG_RANK] = flat[r * (n + 1) + k];
  return true;
}

static bool read_statement(const json_value *v, int together, claim_statement *s)
{
  const json_value *needs = json_get_items(v, "needs", CLAIM_ITEMS, &s->items);
  if (s->items < 0 || !json_get_int_in(v, "array", 0, 1 << 20, &s->array) ||
      json_get_int64s(v, "split", CDAG_RANK, 0, 1 << 20, s->split) != CDAG_RANK || !read_place(v, together, s))
    return false;
  s->loops = json_get_ints(v, "order", CLAIM_LOOPS, 0, CLAIM_LOOPS - 1, s->order);
  if (s->loops < 0)
    return false;
  for (int i = 0; i < s->items; i++)
    if (!read_item(&needs[i], &s->item[i]))
      return false;
  return true;
}

static bool read_group(const json_value *v, claim_group *g)
{
  const json_value *list = json_get_items(v, "statements", CLAIM_STATEMENTS, &g->statements);
  if (g->statements < 1 || !json_get_int64_in(v, "den", 1, 64, &g->den) ||
      !json_get_int_in(v, "pairs", 0, (CLAIM_ITEMS - 1) / 2, &g->pairs) ||
      (json_get(v, "together") && !json_get_int_in(v, "together", 1, CDAG_RANK, &g->together)) ||
      (json_get(v, "tail") && !json_get_int64_in(v, "tail", 2, INT32_MAX, &g->tail)) ||
      !json_get_int64_in(v, "segments", 1, INT64_MAX, &g->segments) ||
      !json_get_int64_in(v, "first", 0, INT64_MAX, &g->first) ||
      !json_get_int64_in(v, "length", 0, INT64_MAX, &g->length))
    return false;
  for (int s = 0; s < g->statements; s++)
    if (!read_statement(&list[s], g->together, &g->statement[s]))
      return false;
  return true;
}

bool affine_claim_read(const json_value *v, affine_claim *c, text *reason)
{
  memset(c, 0, sizeof *c);
  bool good = affine_get_words(v, &c->reading, c->own, &c->owns);
  const json_value *list = json_get_items(v, "groups", CLAIM_GROUPS, &c->groups);
  for (int g = 0; g < c->groups && good; g++)
    good = read_group(&list[g], &c->group[g]);
  return (good && c->groups >= 0) || bound_refuse(reason, "the claim is not written as one");
}
