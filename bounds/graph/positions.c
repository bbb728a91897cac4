/* The certificate of an optimum: what the search kept, written down for bounds/check/positions.c. */
#include "bounds/graph/positions.h"
#include "base/json.h"
#include "base/mem.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- positions ---- */

typedef struct {
  const uint64_t *key;
  int words;                    /* of each of its sets */
  uint32_t cost;
} line;

/* Set by set, the highest word first. */
static int by_key(const void *a, const void *b)
{
  const line *x = a, *y = b;
  for (int i = 0; i < 3; i++)
    for (int w = (i + 1) * x->words; w-- > i * x->words;)
      if (x->key[w] != y->key[w])
        return x->key[w] < y->key[w] ? -1 : 1;
  return 0;
}

/* How a set differs from that before, in hexadecimal. */
static void put_set(text *t, const uint64_t *set, const uint64_t *before, int words)
{
  static const char digits[] = "0123456789abcdef";
  bool some = false;
  for (int i = 16 * words; i-- > 0;) {
    uint64_t digit = (set[i / 16] ^ before[i / 16]) >> i % 16 * 4 & 15;
    some = some || digit;
    if (some)
      text_char(t, digits[digit]);
  }
}

/* In the order of their sets, so that little differs from one to the next. */
static void put_positions(json *j, const pebble_optimal_list *l)
{
  SCOPED_TEXT t = { 0 };
  SCOPED_MEM line *lines = MEM_NEW(line, l->positions);
  SCOPED_MEM uint64_t *none = MEM_NEW(uint64_t, 3 * (size_t)l->words);
  const uint64_t *before = none;
  for (size_t i = 0; i < l->positions; i++)
    lines[i] = (line){ l->key + i * 3 * (size_t)l->words, l->words, l->cost[i] };
  qsort(lines, l->positions, sizeof *lines, by_key);
  for (size_t i = 0; i < l->positions; before = lines[i++].key) {
    for (int set = 0; set < 3; set++) {
      put_set(&t, lines[i].key + set * l->words, before + set * l->words, l->words);
      text_char(&t, set < 2 ? ',' : ':');
    }
    text_printf(&t, "%" PRIu32 ";", lines[i].cost);
  }
  json_put_string(j, "positions", text_str(&t));
}

/* ---- parts ---- */

static void put_numbers(json *j, const char *key, const uint32_t *v, size_t n)
{
  json_put_open(j, key, '[');
  for (size_t i = 0; i < n; i++)
    json_uint(j, v[i]);
  json_close(j, ']');
}

static void put_part(json *j, const pebble_optimal_list *l)
{
  json_open(j, '{');
  json_put_uint(j, "least", l->least);
  put_numbers(j, "vertices", l->vertex, l->n);
  if (l->turns) {
    json_put_open(j, "symmetries", '[');
    for (size_t i = 0; i < (size_t)l->turns * l->n; i++)
      json_uint(j, l->turn[i]);
    json_close(j, ']');
  }
  if (l->cores) {
    json_put_open(j, "core", '{');
    put_numbers(j, "vertices", l->core, l->cores);
    json_put_uint(j, "limit", l->limit);
    json_close(j, '}');
  }
  put_positions(j, l);
  json_close(j, '}');
}

void bound_positions(const bound_question *q, const pebble_optimum *o, bound *b)
{
  bool partial = q->variant == PEBBLE_PARTIAL;
  unsigned models = partial || q->one_shot ? BOUND_ONE_SHOT : BOUND_RECOMPUTE | BOUND_ONE_SHOT;
  models |= partial ? BOUND_PARTIAL : q->variant == PEBBLE_SLIDING ? BOUND_SLIDING | BOUND_PLACING : BOUND_PLACING;
  SCOPED_JSON j = { 0 };
  bound_init(b, "positions", BOUND_PROVED, models, "docs/optimal.md");
  mpz_set_ui(b->value, o->lower);
  json_open(&j, '{');
  json_put_open(&j, "parts", '[');
  for (uint32_t p = 0; p < o->parts; p++)
    put_part(&j, &o->list[p]);
  json_close(&j, ']');
  json_close(&j, '}');
  text_add(&b->parameters, text_str(&j.out));
}
