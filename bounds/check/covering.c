/* The covering and the backward bounds, re-derived.  The inequality behind the weights is tried for every number of
   steps of every kind at a pair, one by one; the segments' works by going through all numbers of carried pairs. */
#include "base/scoped.h"
#include "base/num.h"
#include "base/patience.h"
#include "bounds/check/reading/cover.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/pairs.h"
#include <string.h>

/* ---- the program as claimed ---- */

static bool is_text(const json_value *v, const char *key, const char *expected)
{
  const char *s = json_get_string(v, key);
  return s && strcmp(s, expected) == 0;
}

static bool is_number(const json_value *v, const char *key, int64_t expected)
{
  int64_t n;
  return json_get_int(v, key, &n) && n == expected;
}

static bool list_of(const json_value *p, const char *key, size_t n, const json_value **item)
{
  const json_value *list = json_get(p, key);
  *item = list ? list->item : NULL;
  return list && list->type == JSON_ARRAY && list->n == n;
}

/* The words as claimed: no wider than they are. */
static bool words_agree(const cdag *g, const json_value *item, checker_cover *k)
{
  for (int a = 0; a < k->words; a++) {
    const json_value *column = json_get(&item[a], "column");
    int64_t width;
    if (!is_text(&item[a], "array", g->array[k->word[a].array].name) || !json_get_int(&item[a], "width", &width) ||
        width < 0 || width > k->word[a].width || !column ||
        column->type != (k->word[a].column ? JSON_TRUE : JSON_FALSE))
      return false;
    k->word[a].width = width;
  }
  return true;
}

/* The words a kind needs whole, as claimed: their arrays' names in the order of the words. */
static bool whole_agrees(const cdag *g, const json_value *kind, const checker_cover *k, unsigned whole)
{
  const json_value *name;
  bool good = list_of(kind, "whole", (size_t)__builtin_popcount(whole), &name);
  for (int a = 0; a < k->words && good; a++)
    if (whole >> a & 1) {
      good = name->type == JSON_STRING && strcmp(name->text, g->array[k->word[a].array].name) == 0;
      name++;
    }
  return good;
}

static bool kinds_agree(const cdag *g, const json_value *item, const checker_cover *k, int64_t *weight)
{
  for (int w = 0; w < k->kinds; w++)
    if (!is_number(&item[w], "slices", k->kind[w].slices) || !is_number(&item[w], "steps", (int64_t)k->kind[w].steps) ||
        !is_text(&item[w], "operand", g->array[k->word[k->kind[w].operand].array].name) ||
        !whole_agrees(g, &item[w], k, k->kind[w].whole) || !json_get_int(&item[w], "weight", &weight[w]) ||
        weight[w] < 0 || weight[w] > INT64_MAX >> 16)
      return false;
  return true;
}

/* No fewer pairs than there may be. */
static bool pairs_agree(const json_value *p, checker_cover *k)
{
  int64_t pairs;
  if (!json_get_int(p, "pairs", &pairs) || pairs < 0 || (uint64_t)pairs < k->pairs)
    return false;
  k->pairs = (uint64_t)pairs;
  return true;
}

/* ---- the inequality ---- */

enum { POINTS = PATIENCE(1 << 27) };

/* Words of one side when slice[w] slices of each kind are done; an array that several kinds use counts for the first of
 * them. */
static int64_t side_words(const checker_cover *p, const int64_t *slice, bool column)
{
  int64_t words = 0;
  for (int a = 0; a < p->words; a++) {
    if (p->word[a].column != column)
      continue;
    int64_t single = 0;
    bool whole = false;
    for (int w = p->kinds; w-- > 0;)
      if (slice[w] > 0) {
        whole = whole || p->kind[w].whole >> a & 1;
        single = p->kind[w].operand == a || p->kind[w].chain == a ? slice[w] : single;
      }
    words += whole ? p->word[a].width : single;
  }
  return words;
}

static bool inequality_at(const checker_cover *p, const int64_t *slice, const int64_t *weight, int64_t scale)
{
  __int128 work = 0, room = (__int128)scale * side_words(p, slice, false) * side_words(p, slice, true);
  for (int w = 0; w < p->kinds; w++)
    work += (__int128)weight[w] * slice[w];
  return work <= room;
}

static bool inequality_everywhere(const checker_cover *p, const int64_t *weight, int64_t scale, text *reason)
{
  int64_t slice[CHECKER_KINDS] = { 0 }, points = 1;
  for (int w = 0; w < p->kinds; w++)
    if ((points *= p->kind[w].slices + 1) > POINTS) /* of 28 bits each */
      return bound_refuse(reason, "too many amounts of work at one pair to try them all");
  for (;;) {
    if (!inequality_at(p, slice, weight, scale))
      return bound_refuse(reason, "the weights exceed the words of row times column at some amount of work");
    int w = 0;
    while (w < p->kinds && slice[w] == p->kind[w].slices)
      slice[w++] = 0;
    if (w == p->kinds)
      return true;
    slice[w]++;
  }
}

/* ---- the segments ---- */

/* The least s with s^2 >= (largest sum of weights on a row array)(largest on a column array). */
static int64_t sides_of(const checker_cover *p, const int64_t *weight)
{
  int64_t sum[CHECKER_WORDS] = { 0 }, most[2] = { 0 };
  for (int w = 0; w < p->kinds; w++) {
    sum[p->kind[w].operand] += weight[w];
    sum[p->kind[w].chain] += weight[w];
  }
  for (int a = 0; a < p->words; a++)
    if (sum[a] > most[p->word[a].column])
      most[p->word[a].column] = sum[a];
  SCOPED_MPZ t;
  mpz_init_set_si(t, most[0]);
  mpz_mul_si(t, t, most[1]);
  bool exact = mpz_perfect_square_p(t);
  mpz_sqrt(t, t);
  return mpz_get_si(t) + !exact;
}

static bool finish(const bound_claim *c, const json_value *p, const mpz_t work, uint64_t births, uint64_t stores,
                   const checker_carried *carried, mpz_t events, mpz_t value, text *reason)
{
  checker_cut cut;
  checker_cut_init(&cut);
  bool good = checker_equal(p, "births", births, reason) && checker_equal(p, "stores", stores, reason) &&
              checker_cut_weighs(&cut, p, work, c->m, checker_carried_can, carried, reason);
  if (good) {
    checker_cut_value(&cut, value);
    mpz_set(events, cut.events);
  }
  checker_cut_clear(&cut);
  return good;
}

static bool check_program(const bound_claim *c, const checker_cover *p, const int64_t *weight, int64_t scale,
                          mpz_t value, text *reason)
{
  checker_carried carried = {
    .scale = scale, .sides = sides_of(p, weight), .keep_num = 1, .keep_den = 1, .pairs = p->pairs
  };
  mpz_t work, events;
  bool good = true;
  mpz_inits(work, events, NULL);
  for (int w = 0; w < p->kinds; w++) {
    mpz_set_si(events, weight[w]);
    mpz_addmul_ui(work, events, p->kind[w].steps);
    int64_t all;
    if (good && (!num_mul(weight[w], p->kind[w].slices, &all) || !num_add(carried.each, all, &carried.each)))
      good = bound_refuse(reason, "the weights are too large");
  }
  good = good && checker_equal(c->parameters, "sides", (uint64_t)carried.sides, reason) &&
              finish(c, c->parameters, work, p->births, p->outputs, &carried, events, value, reason);
  mpz_clears(work, events, NULL);
  return good;
}

static bool check_covering(const bound_claim *c, mpz_t value, text *reason)
{
  checker_cover k;
  const json_value *words;
  int64_t weight[CHECKER_KINDS], scale;
  if (!checker_cover_read(c, &k, reason))
    return false;
  if (!list_of(c->parameters, "words", (size_t)k.words, &words) || !words_agree(c->g, words, &k) ||
      !kinds_agree(c->g, json_get(c->parameters, "kinds")->item, &k, weight))
    return bound_refuse(reason, "the kinds of work or their words are not those of the computation");
  if (!pairs_agree(c->parameters, &k))
    return bound_refuse(reason, "there may be more than 'pairs' pairs");
  if (!json_get_int(c->parameters, "scale", &scale) || scale < 1 || scale > 1 << 21)
    return bound_refuse(reason, "'scale' is missing or out of range");
  return inequality_everywhere(&k, weight, scale, reason) && check_program(c, &k, weight, scale, value, reason);
}

/* ---- the backward pass ----
   For v, q and k steps of dV, dQ and dK at a pair that is not carried, words of the row and of the column are at least
   R = 2d + q and C = 2d + k + v (d + v each without dQ and dK), so that 4d (v + q + k) <= R C and 4d v + 6d q + 4d k <=
   R C + q (k + v)  (docs/theory-lp.md, section 4; t_backward tries all of it for small d). */

typedef struct {
  int64_t d, pairs;
  uint64_t births, outputs;
} backward;

/* A bit: the kind whose steps the member names; 0: none. */
static unsigned named_kind(const bound_claim *c, const char *key, const checker_cover *k)
{
  for (int w = 0; w < k->kinds; w++)
    if (is_text(c->parameters, key, c->g->array[k->kind[w].array].name))
      return 1u << w;
  return 0;
}

/* The word whose array the member names; -1: none. */
static int named_word(const bound_claim *c, const char *key, const checker_cover *k)
{
  for (int a = 0; a < k->words; a++)
    if (is_text(c->parameters, key, c->g->array[k->word[a].array].name))
      return a;
  return -1;
}

/* dV needs Q and K whole and reads dO; dQ and dK need Q, dO, K and V whole.  dQ reads one of its column's whole arrays,
   dK one of its row's other than dO.  Chains: dQ the row's, dK and dV the column's. */
static bool roles_hold(const bound_claim *c, const checker_cover *k, int64_t d)
{
  unsigned dq = named_kind(c, "dQ", k), dk = named_kind(c, "dK", k), dv = named_kind(c, "dV", k);
  int word[4] = { named_word(c, "Q", k), named_word(c, "dO", k), named_word(c, "K", k), named_word(c, "V", k) };
  if (k->kinds != 3 || (dq | dk | dv) != 7)
    return false;
  const checker_kind *q = &k->kind[__builtin_ctz(dq)], *b = &k->kind[__builtin_ctz(dk)],
                     *v = &k->kind[__builtin_ctz(dv)];
  bool column = k->word[v->chain].column;
  unsigned small = v->whole & q->whole & b->whole, large = q->whole & b->whole;
  if (k->word[b->chain].column != column || k->word[q->chain].column == column)
    return false;
  for (int i = 0; i < 4; i++)
    if (word[i] < 0 || k->word[word[i]].width < d || k->word[word[i]].column != (i < 2 ? !column : column) ||
        !(large >> word[i] & 1))
      return false;
  return (small >> word[0] & 1) && (small >> word[2] & 1) && v->operand == word[1] && word[0] != word[1] &&
         word[2] != word[3] && b->operand != word[1] && (q->whole >> q->operand & 1) && (b->whole >> b->operand & 1);
}

/* Each kind has d steps at every pair, none more.  So d is below 2^28, as slices are, and d pairs below 2^60, as steps
 * are. */
static bool steps_hold(const checker_cover *k, int64_t d)
{
  for (int w = 0; w < k->kinds; w++)
    if (k->kind[w].slices != d || k->kind[w].steps != (unsigned __int128)k->pairs * (uint64_t)d)
      return false;
  return true;
}

static bool ends_stored(const bound_claim *c, const checker_cover *k)
{
  uint64_t taken = 0;
  for (int w = 0; w < k->kinds; w++)
    if (!checker_ends_stored(c->g, k->kind[w].array, &taken))
      return false;
  return true;
}

static bool read_backward(const bound_claim *c, backward *b, text *reason)
{
  checker_cover k;
  if (!checker_cover_read(c, &k, reason))
    return false;
  if (!json_get_int(c->parameters, "d", &b->d) || !json_get_int(c->parameters, "pairs", &b->pairs) ||
      (uint64_t)b->pairs != k.pairs)
    return bound_refuse(reason, "'d' or 'pairs' is not what the computation has");
  if (k.seeded || !roles_hold(c, &k, b->d) || !steps_hold(&k, b->d) || !ends_stored(c, &k))
    return bound_refuse(reason, "the computation has not the shape of the backward pass");
  b->births = k.births;
  b->outputs = k.outputs;
  return b->outputs <= INT64_MAX / 4 || bound_refuse(reason, "too many outputs");
}

static bool check_loads(const bound_claim *c, const json_value *p, const backward *b, mpz_t events, mpz_t value,
                        text *reason)
{
  int64_t d = b->d;
  checker_carried carried = {
    .scale = 1, .each = 12 * d * d, .sides = 4 * d, .keep_num = 1, .keep_den = 1, .pairs = (uint64_t)b->pairs
  };
  SCOPED_MPZ work;
  mpz_init_set_si(work, b->pairs);
  mpz_mul_si(work, work, 12 * d * d);
  return finish(c, p, work, b->births, b->outputs, &carried, events, value, reason);
}

static bool check_backward_12(const bound_claim *c, mpz_t value, text *reason)
{
  backward b;
  SCOPED_MPZ events;
  mpz_init(events);
  return read_backward(c, &b, reason) && check_loads(c, c->parameters, &b, events, value, reason);
}

/* H as claimed is enough: one unit more is impossible. */
static bool is_enough(const checker_carried *carried, const json_value *p, const char *key, const mpz_t x, mpz_t h,
                      text *reason)
{
  if (!json_get_big(p, key, h) || mpz_sgn(h) < 0)
    return bound_refuse(reason, "'%s' is missing", key);
  SCOPED_MPZ more;
  mpz_init(more);
  mpz_add_ui(more, h, 1);
  bool can = checker_carried_can(carried, more, x), less = !checker_carried_can(carried, h, x);
  return (!can && !less) || bound_refuse(reason, "'%s' is not the most work its words allow", key);
}

/* Is loads + births + stores >= sum for all that obey
     events >= floor, stores >= fewest, length (need - charge stores) <= later (events - unasked)?
   With sum - 1 in all: events from floor on, stores the rest; more stores help the last line only while charge length
   >= later, so trying the ends of what is possible is enough: the line is linear in stores. */
static bool sum_impossible(const mpz_t sum, const mpz_t floor_events, int64_t fewest, const mpz_t need, int64_t charge,
                           int64_t length, const mpz_t later, int64_t unasked)
{
  bool impossible = true;
  SCOPED_MPZ stores, events, left, right;
  mpz_inits(stores, events, left, right, NULL);
  for (int end = 0; end < 2 && impossible; end++) {
    if (end)
      mpz_sub(stores, sum, floor_events), mpz_set(events, floor_events);
    else
      mpz_set_si(stores, fewest), mpz_sub(events, sum, stores);
    if (mpz_cmp_si(stores, fewest) < 0 || mpz_cmp(events, floor_events) < 0)
      continue;
    mpz_mul_si(left, stores, charge);
    mpz_sub(left, need, left);
    mpz_mul_si(left, left, length);
    mpz_sub_ui(right, events, (unsigned long)unasked);
    mpz_mul(right, right, later);
    impossible = mpz_cmp(left, right) > 0;
  }
  return impossible;
}

/* The events of the first segment, which begins with nothing red: no fewer than the others', and no more than there
 * are. */
static bool read_first(const bound_claim *c, const mpz_t floor_events, int64_t length, int64_t *first, text *reason)
{
  *first = length; /* when it is not said */
  if (!json_get(c->parameters, "first"))
    return true;
  return (json_get_int(c->parameters, "first", first) && *first >= length &&
          (*first == length || mpz_cmp_si(floor_events, *first) >= 0)) ||
         bound_refuse(reason, "'first' must be 'length', or more but no more than there are loads and births");
}

static bool check_balance(const bound_claim *c, const backward *b, const mpz_t floor_events, const mpz_t claimed,
                          text *reason)
{
  int64_t d = b->d, length, start = 1;
  checker_carried carried = {
    .scale = 1, .each = 14 * d * d, .sides = 6 * d, .keep_num = 1, .keep_den = 1, .pairs = (uint64_t)b->pairs
  };
  mpz_t x, first, later, need;
  mpz_inits(x, first, later, NULL);
  mpz_init_set_si(need, b->pairs);
  mpz_mul_si(need, need, 14 * d * d);
  bool good = json_get_int(c->parameters, "length", &length) && length >= 1 && length < INT64_MAX / 4;
  good = good || bound_refuse(reason, "'length' is missing or below 1");
  good = good && read_first(c, floor_events, length, &start, reason);
  mpz_set_si(x, start);
  good = good && is_enough(&carried, c->parameters, "most_first", x, first, reason);
  mpz_set_si(x, good ? length : 1);
  mpz_add_ui(x, x, (unsigned long)c->m);
  good = good && is_enough(&carried, c->parameters, "most", x, later, reason);
  mpz_sub(need, need, first);
  mpz_set(x, claimed); /* the sum one below what is claimed must be impossible */
  mpz_sub_ui(x, x, 1);
  good = good &&
         (sum_impossible(x, floor_events, (int64_t)b->outputs, need, c->m + d * d, length, later, start - length + 1) ||
          bound_refuse(reason, "loads, births and stores could be fewer"));
  mpz_clears(x, first, later, need, NULL);
  return good;
}

static bool check_backward_14(const bound_claim *c, mpz_t value, text *reason)
{
  backward b;
  const json_value *loads = json_get(c->parameters, "loads");
  SCOPED_MPZ floor_events, sum;
  mpz_inits(floor_events, sum, NULL);
  bool good = read_backward(c, &b, reason) && check_loads(c, loads, &b, floor_events, value, reason) &&
              (json_get_big(c->parameters, "events_and_stores", sum) ||
               bound_refuse(reason, "'events_and_stores' is missing")) &&
              check_balance(c, &b, floor_events, sum, reason);
  mpz_sub_ui(value, sum, good ? (unsigned long)b.births : 0);
  return good;
}

BOUND_CHECKER(covering) = { "covering", BOUND_ANY, check_covering };
BOUND_CHECKER(backward_12) = { "backward-12", BOUND_ANY, check_backward_12 };
BOUND_CHECKER(backward_14) = { "backward-14", BOUND_ANY, check_backward_14 };
