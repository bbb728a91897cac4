/* What the tile engine says of domains and images of boxes, element by element; and what it records while it says so:
   boxes that go on by the same steps are treated alike for as long as nothing recorded changes (docs/tile-engine.md,
   "Fast-forward"). */
#include "base/mem.h"
#include "cdag/cdag.h"
#include "pebble/extrapolate/log.h"
#include "pebble/tile/rule.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  support_random r;
  text text;
  cdag *g;
  tile_rules all;
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }
#define ONE_OF(m, words) (words)[pick(m, 0, COUNT(words) - 1)]

/* ---- random computations ---- */

static const char *second_range(maker *m)
{
  static const char *const range[] = { "n",
                                       "0..i+1",
                                       "i..n",
                                       "n-i..n",
                                       "0..t[i]",
                                       "-i..2",
                                       "2*i..n+6",
                                       "0..2*i+1",
                                       "3-2*i..n",
                                       "i/2..n-1",
                                       "t[i]..n+1",
                                       "1..3",
                                       "i-1..i+2",
                                       "0..i*i-3",
                                       "u[i,2]..9",
                                       "max(0,i-2)..n",
                                       "u[i,i]..u[i,i]+3",
                                       "n-2*i..n-1",
                                       "0-i..n-i",
                                       "max(i-2,3-i)..min(2*i,n)+2",
                                       "max(i-2,2-i)..n",
                                       "0..min(i+1,n-i)" };
  return ONE_OF(m, range);
}

static const char *third_range(maker *m)
{
  static const char *const range[] = { "3", "0..j+1", "i..j+2", "0..i+j+1", "j-i..4", "t[j]..7", "0..u[i,j]",
                                       "i-j..i+2", "i*j..9",
                                       "0..n-i-j", "t[i]+j..9", "2*j..2*j+3", "0..4-t[j]",
                                       "0..min(i,j)", "max(i-j,j-2)..min(n,i+j+1)", "max(i,j,2)..n+1",
                                       "0..min(i,t[j])" };
  return ONE_OF(m, range);
}

static const char *index_of(maker *m, bool deep)
{
  static const char *const flat[] = { "i",           "j",
                                      "i+1",         "j-2",
                                      "i",           "j",
                                      "i+j",         "2*i",
                                      "2*j+1",       "3",
                                      "t[i]",        "u[i,j]",
                                      "t[i]+j",      "i*j",
                                      "i/2",         "j%3+i",
                                      "max(i,j)",    "5-i",
                                      "n-1-j",       "t[t[i]]",
                                      "i*n+j",       "t[i]*j",
                                      "t[j]*3-i",    "u[i,j]+i",
                                      "j+t[i+1]",    "0-j+9",
                                      "u[2*i,j-1]",  "t[i]-t[j]",
                                      "(i+j)*(i-j)", "t[i]*t[j]",
                                      "j+i/2",       "-t[i]+j",
                                      "t[i-2]",      "w[i,j,1]",
                                      "w[1,i,2]+j",  "t[w[i-2,j,1]]",
                                      "t[w[i,5,1]]", "i+min(i,4)+j",
                                      "j*t[i]+i",    "j*(t[i]+t[n-i])",
                                      "u[t[i],j]",   "t[i-2]+j" };
  static const char *const third[] = { "k",        "k-1", "k+t[i]", "i+k",      "2*k",
                                       "u[i,k]+j", "k*j", "t[k]+i", "k+u[i,j]", "3-k" };
  static const char *const compared[] = { "i-1+(i-1<j)", "j+(i<j)",    "j+(2*i>=j+3)", "min(i,j)+1", "i+(i==j)-(j>4)",
                                          "j-(i!=j)",    "max(i,j-2)", "i-(3<=j)",     "i-j<j",      "j-(j>i)" };
  if (deep && chance(m, 3))
    return ONE_OF(m, third);
  return chance(m, 4) ? ONE_OF(m, compared) : ONE_OF(m, flat);
}

static void put_index(maker *m, bool deep)
{
  static const char *const range[] = { "*",         "0..i+1",   "j..j+2", "i..t[i]", "1..3", "t[j]..9",
                                       "0..u[i,j]", "i-1..i+2", "i..j",   "j..i-1",  "4..i", "i..2*j-4" };
  text_add(&m->text, chance(m, 5) ? ONE_OF(m, range) : index_of(m, deep));
}

/* Affine comparisons, which the term keeps beside its indices; and others, which stay in one of them. */
static void put_condition(maker *m, bool deep)
{
  static const char *const two[] = { "i == 0", "j > 2", "i <= j", "i != 3", "2*i-j < 4", "i+j >= 5", "3 == 3",
                                     "i == j || j == 1", "t[i] > 2", "i*j < 9" };
  static const char *const more[] = { "k == 0", "k > i", "k+j <= 4", "k != j", "j-k >= 1" };
  text_printf(&m->text, " if %s", deep && chance(m, 2) ? ONE_OF(m, more) : ONE_OF(m, two));
  while (chance(m, 3))
    text_printf(&m->text, " && %s", deep && chance(m, 2) ? ONE_OF(m, more) : ONE_OF(m, two));
}

static void put_rule(maker *m, char name, bool deep)
{
  text_printf(&m->text, "%c[i:%s, j:%s%s%s] = B[0]", name, chance(m, 4) ? "-2..n" : "n", second_range(m),
              deep ? ", k:" : "", deep ? third_range(m) : "");
  for (int64_t t = pick(m, 2, 5); t > 0; t--) {
    char to = chance(m, 3) ? 'B' : chance(m, 2) ? 'A' : 'D';
    text_printf(&m->text, ", %c[", to);
    put_index(m, deep);
    if (to != 'B') {
      text_add(&m->text, ", ");
      put_index(m, deep);
    }
    text_add(&m->text, "]");
    if (chance(m, 3))
      put_condition(m, deep);
  }
  text_add(&m->text, "\n");
}

static void put_computation(maker *m)
{
  static const char *const t[] = { "min(4, 14-I)", "I%5",         "(I*I*7)%9", "max(1, I-3)", "6",
                                   "I/3+1",        "(I > 4)*3+I", "2*I-3" };
  static const char *const u[] = { "I+J", "2*I+J%4", "min(I,J)",         "(I*7919+J*J*31)%7", "(I < 5)*(I+J)+1",
                                   "I-J", "3",       "(J > 3)*(2*J-I)+4" };
  text_printf(&m->text,
              "param n = %d\ntable w[I:4, J:6, K:3] = 2*I+J-K\ntable t[I:14] = %s\ntable u[I:12, J:11] = %s\n",
              (int)pick(m, 3, 9), ONE_OF(m, t), ONE_OF(m, u));
  text_printf(&m->text, "input A[i:n+2, j:%s], B[-3..20], D[n+4, -2..n]\n", second_range(m));
  put_rule(m, 'X', false);
  put_rule(m, 'Y', true);
  text_add(&m->text, "output X[*,*]\noutput Y[*,*,*]\n");
}

/* False when an array came out empty, or reads nothing. */
static bool maker_init(maker *m, uint64_t seed)
{
  diag d = { 0 };
  *m = (maker){ .r = { seed } };
  put_computation(m);
  if (cdag_parse(&m->g, "random", text_str(&m->text), "", &d) != OK)
    return false;
  tile_rules_init(&m->all, m->g);
  for (int a = 0; a < m->g->arrays; a++)
    if (cdag_box_empty(&m->g->array[a].hull, m->g->array[a].rank) || (a > 2 && !m->all.rule[a].terms))
      return false;
  return true;
}

static void maker_clear(maker *m)
{
  if (m->all.g)
    tile_rules_clear(&m->all);
  cdag_free(m->g);
  text_clear(&m->text);
}

/* A box that meets the hull or lies beside it, often narrow. */
static void random_box(maker *m, int array, cdag_box *b)
{
  const cdag_box *hull = &m->g->array[array].hull;
  for (int r = 0; r < m->g->array[array].rank; r++) {
    b->lo[r] = pick(m, hull->lo[r] - chance(m, 5), hull->hi[r] - 1);
    b->hi[r] = chance(m, 2) ? b->lo[r] + 1 : pick(m, b->lo[r] + 1, hull->hi[r] + chance(m, 4));
  }
}

/* ---- element by element ---- */

static bool next_in(const cdag_box *b, int rank, int64_t *x)
{
  for (int r = rank; r-- > 0; x[r] = b->lo[r])
    if (++x[r] < b->hi[r])
      return true;
  return false;
}

static uint64_t elements(const cdag *g, int array, const cdag_box *b)
{
  uint64_t n = 0;
  int64_t x[CDAG_RANK];
  memcpy(x, b->lo, sizeof x);
  if (cdag_box_empty(b, g->array[array].rank))
    return 0;
  do
    n += cdag_exists(g, array, x);
  while (next_in(b, g->array[array].rank, x));
  return n;
}

/* The indices of which the part of b in the hull has several values. */
static unsigned wide(const maker *m, int array, const cdag_box *b)
{
  unsigned w = 0;
  cdag_box part = *b;
  pebble_box_clip(&part, &m->g->array[array].hull, m->g->array[array].rank);
  for (int r = 0; r < m->g->array[array].rank; r++)
    w |= (unsigned)(part.hi[r] - part.lo[r] > 1) << r;
  return w;
}

/* Must b not be split?  Where all that bounds read has one value, or all is affine and the box lies inside, or the one
   side leaves nothing or cuts a row of it. */
static bool is_clear(const maker *m, int array, const cdag_box *b, uint64_t found)
{
  const tile_rule *rule = &m->all.rule[array];
  unsigned read = 0;
  bool affine = true;
  for (int r = 0; r < rule->rank; r++) {
    read |= rule->lo[r].vars | rule->hi[r].vars;
    affine = affine && rule->lo[r].affine && rule->hi[r].affine;
  }
  for (int i = 0; i < rule->sides; i++)
    read |= rule->side[i].v.vars;
  bool cut = rule->slanted && (!found || !(wide(m, array, b) & 1u << rule->at)); /* one side is seen through */
  return !(wide(m, array, b) & read) || (affine && found == pebble_box_volume(b, rule->rank)) || cut;
}

static void check_fit(const maker *m, int array, const cdag_box *asked)
{
  cdag_box b = *asked;
  int rank = m->g->array[array].rank;
  uint64_t found = elements(m->g, array, &b);
  tile_answer answer = tile_fit(&m->all, array, &b);
  if (answer == TILE_SPLIT)
    ck_assert_msg(!is_clear(m, array, asked, found), "array %d split in\n%s", array, text_str(&m->text));
  if (answer == TILE_EMPTY)
    ck_assert_msg(!found, "array %d is not empty in\n%s", array, text_str(&m->text));
  if (answer == TILE_BOX) {
    ck_assert_msg(pebble_box_volume(&b, rank) == found && elements(m->g, array, &b) == found,
                  "array %d: another box in\n%s", array, text_str(&m->text));
    ck_assert(pebble_box_inside(&b, asked, rank));
  }
}

/* Where the term leads from x: false when nowhere. */
static bool predecessors_at(const maker *m, const tile_term *t, const int64_t *x, int rank, cdag_box *to)
{
  int64_t slot[64], holds;
  expr_env env = { slot, m->g->table };
  memcpy(slot, m->g->param_value, (size_t)m->g->params * sizeof *slot);
  memcpy(slot + m->g->params, x, (size_t)rank * sizeof *slot);
  *to = m->g->array[t->array].hull;
  if (t->guard && (expr_eval(t->guard, &env, &holds, NULL) != EXPR_OK || !holds))
    return false;
  for (int q = 0; q < t->rank; q++) {
    if (t->kind[q] == CDAG_ALL)
      continue;
    if (expr_eval(t->lo[q].e, &env, &to->lo[q], NULL) != EXPR_OK)
      return false;
    to->hi[q] = to->lo[q] + 1;
    if (t->kind[q] == CDAG_RANGE && expr_eval(t->hi[q].e, &env, &to->hi[q], NULL) != EXPR_OK)
      return false;
  }
  return pebble_box_clip(to, &m->g->array[t->array].hull, t->rank) && elements(m->g, t->array, to) > 0;
}

enum { SIDE = 80 };          /* no array is larger */

static uint64_t mark_image(const maker *m, const tile_term *t, const cdag_box *to, uint8_t (*mark)[SIDE])
{
  const cdag_box *hull = &m->g->array[t->array].hull;
  uint64_t fresh = 0;
  int64_t x[CDAG_RANK];
  memcpy(x, to->lo, sizeof x);
  do {
    uint8_t *at = &mark[x[0] - hull->lo[0]][t->rank > 1 ? x[1] - hull->lo[1] : 0];
    if (cdag_exists(m->g, t->array, x) && !*at)
      fresh += *at = 1;
  } while (next_in(to, t->rank, x));
  return fresh;
}

static bool is_in(const int64_t *x, const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (x[r] < b->lo[r] || x[r] >= b->hi[r])
      return false;
  return true;
}

/* Are all bounds of the domain numbers, and not tables that happen to be the same everywhere? */
static bool has_numbers(const tile_rule *r)
{
  return r->rectangular && (r->hull_lo & r->hull_hi) == (1u << r->rank) - 1;
}

static void check_image(const maker *m, int array, const tile_term *t, const cdag_box *b)
{
  int rank = m->g->array[array].rank;
  uint64_t present = 0, reached = 0;
  uint8_t mark[SIDE][SIDE] = { 0 };
  cdag_box to;
  int64_t x[CDAG_RANK];
  tile_image out;
  tile_answer answer = tile_image_of(&m->all, array, t, b, &out);
  memcpy(x, b->lo, sizeof x);
  do {
    if (!predecessors_at(m, t, x, rank, &to))
      continue;
    present++;
    reached += mark_image(m, t, &to, mark);
    ck_assert_msg(answer == TILE_SPLIT || (answer == TILE_BOX && is_in(x, &out.part, rank)), "a reader is lost in\n%s",
                  text_str(&m->text));
    ck_assert(answer == TILE_SPLIT || pebble_box_inside(&to, &out.image, t->rank) ||
              !m->all.rule[t->array].rectangular);
  } while (next_in(b, rank, x));
  ck_assert_msg(answer != TILE_SPLIT || pebble_box_volume(b, rank) > 1 || !has_numbers(&m->all.rule[t->array]),
                "one element is split in\n%s", text_str(&m->text));
  if (answer == TILE_BOX)
    ck_assert_msg(present == pebble_box_volume(&out.part, rank) && reached == pebble_box_volume(&out.image, t->rank),
                  "another image in\n%s", text_str(&m->text));
}

static void ask_about_a_box(maker *m, int array)
{
  const tile_rule *rule = &m->all.rule[array];
  cdag_box b;
  random_box(m, array, &b);
  check_fit(m, array, &b);
  if (rule->terms && tile_fit(&m->all, array, &b) == TILE_BOX)
    check_image(m, array, &rule->term[pick(m, 0, rule->terms - 1)], &b);
}

START_TEST(element_by_element)
{
  maker m;
  if (maker_init(&m, (uint64_t)_i))
    for (int k = 0; k < 120; k++)
      ask_about_a_box(&m, (int)pick(&m, 0, m.g->arrays - 1));
  maker_clear(&m);
}
END_TEST

/* ---- iteration by iteration ---- */

enum { QUESTIONS = 4, ITERATIONS = 9, MOST = 6 * CDAG_RANK };
typedef struct {
  int array, term[QUESTIONS];
  cdag_box at[QUESTIONS], step; /* at[k] in iteration 0, all going on by step */
} plan;
typedef struct {
  tile_answer fit, image;
  unsigned wide;               /* the indices of which the box has several values, as far as it was found out */
  int numbers, bases;          /* of the boxes; of the indices */
  int64_t number[MOST], base[CDAG_RANK], code[CDAG_RANK];
} outcome;

static void keep_box(outcome *o, const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++) {
    o->number[o->numbers++] = b->lo[r];
    o->number[o->numbers++] = b->hi[r];
  }
}

static void keep_image(outcome *o, const tile_image *out, int rank, int to_rank)
{
  keep_box(o, &out->part, rank);
  keep_box(o, &out->image, to_rank);
  for (int q = 0; q < to_rank; q++) {
    o->code[o->bases] = out->index[q].kind * CDAG_RANK + out->index[q].var;
    o->base[o->bases++] = out->index[q].base;
  }
}

static void ask(const maker *m, const plan *p, int iteration, int k, outcome *o)
{
  int rank = m->g->array[p->array].rank;
  const tile_term *t = &m->all.rule[p->array].term[p->term[k]];
  cdag_box b = p->at[k];
  tile_image out;
  *o = (outcome){ .fit = TILE_EMPTY, .image = TILE_EMPTY };
  for (int r = 0; r < rank; r++) {
    b.lo[r] += iteration * p->step.lo[r];
    b.hi[r] += iteration * p->step.hi[r];
  }
  if (m->all.log)
    tile_log_box(m->all.log, p->array, rank, &b);
  o->wide = wide(m, p->array, &b);
  if (pebble_box_empty(&b, rank) || (o->fit = tile_fit(&m->all, p->array, &b)) != TILE_BOX)
    return;
  keep_box(o, &b, rank);
  o->wide = wide(m, p->array, &b);
  if ((o->image = tile_image_of(&m->all, p->array, t, &b, &out)) == TILE_BOX)
    keep_image(o, &out, rank, t->rank);
}

static void ask_all(const maker *m, const plan *p, int iteration, outcome *o)
{
  for (int k = 0; k < QUESTIONS; k++)
    ask(m, p, iteration, k, &o[k]);
}

static void random_plan(maker *m, plan *p)
{
  p->array = cdag_find_array(m->g, chance(m, 2) ? "X" : "Y");
  const tile_rule *rule = &m->all.rule[p->array];
  for (int r = 0; r < rule->rank; r++) {
    p->step.lo[r] = p->step.hi[r] = chance(m, 2) ? 0 : pick(m, -2, 2);
    if (chance(m, 12))
      p->step.hi[r] = pick(m, -1, 1);
  }
  for (int k = 0; k < QUESTIONS; k++) {
    bool alike = k > 0 && !chance(m, 4);
    p->term[k] = (int)(alike ? p->term[k - 1] : pick(m, 0, rule->terms - 1));
    random_box(m, p->array, &p->at[k]);
    if (alike)
      p->at[k] = p->at[k - 1];
    for (int r = 0; alike && r < rule->rank; r++)
      p->at[k].lo[r] -= chance(m, 8), p->at[k].hi[r] += chance(m, 8);
  }
}

static int sign(int64_t v) { return (v > 0) - (v < 0); }

/* Where the log of an iteration begins, and what it says there or in a later iteration. */
typedef struct { size_t orders, signs, equals; uint64_t irregular; } place;
static place place_of(tile_log *l)
{
  tile_log_part(l);
  return (place){ l->orders, l->signs, l->equals, l->irregular };
}

static bool like(const tile_log *l, const place *a, const place *b, const place *c)
{
  bool same = c->irregular == a->irregular && b->orders - a->orders == c->orders - b->orders &&
              b->signs - a->signs == c->signs - b->signs && b->equals - a->equals == c->equals - b->equals;
  for (size_t i = a->orders; same && i < b->orders; i++)
    same = l->order[i].group == l->order[i + b->orders - a->orders].group &&
           l->order[i].side == l->order[i + b->orders - a->orders].side;
  return same && !memcmp(l->equal + a->equals, l->equal + b->equals, (b->equals - a->equals) * sizeof *l->equal);
}

static int64_t go_on(int64_t a, int64_t b, int iteration) { return a + iteration * (b - a); }

/* Do the bounds of one group, the hull's among them, stand to each other in this iteration as in the first two? */
static bool in_order(const maker *m, const tile_logged *l, const place *a, const place *b, int iteration)
{
  size_t n = b->orders - a->orders;
  for (size_t i = 0; i < n; i++) {
    const tile_logged *x = &l[a->orders + i], *y = &l[b->orders + i];
    const cdag_box *hull = &m->g->array[x->group / CDAG_RANK].hull;
    for (size_t k = 0; k < n + 2; k++) {
      int64_t first = k == n  ? hull->lo[x->group % CDAG_RANK]
                      : k > n ? hull->hi[x->group % CDAG_RANK]
                              : l[a->orders + k].value;
      int64_t second = k < n ? l[b->orders + k].value : first;
      if (k < n && l[a->orders + k].group != x->group)
        continue;
      int s = sign(x->value - first);
      if (s != sign(y->value - second) ||
          s != sign(go_on(x->value, y->value, iteration) - go_on(first, second, iteration)))
        return false;
    }
  }
  return true;
}

static bool foretold(const maker *m, const tile_log *l, const place *a, const place *b, int iteration)
{
  for (size_t i = 0; i < b->signs - a->signs; i++) {
    int64_t x = l->sign[a->signs + i], y = l->sign[b->signs + i];
    if (sign(x) != sign(y) || sign(x) != sign(go_on(x, y, iteration)))
      return false;
  }
  return in_order(m, l->order, a, b, iteration);
}

/* Halves are always right, also of a box that has got narrow in the meantime and need not be split; nor is an index of
 * such a box what it was. */
static void compare(const plan *p, const outcome *a, const outcome *b, const outcome *now, int iteration,
                    const char *what)
{
  if (a->fit == TILE_SPLIT)
    return;
  bool split = a->image == TILE_SPLIT, same = a->fit == now->fit && (split || a->image == now->image) &&
                                              (split || a->wide != now->wide ||
                                               (a->bases == now->bases && !memcmp(a->code, now->code, sizeof a->code)));
  for (int i = 0; same && i < a->numbers; i++)
    same = now->number[i] == go_on(a->number[i], b->number[i], iteration);
  for (int i = 0; same && a->wide == now->wide && i < a->bases; i++)
    same = now->base[i] == go_on(a->base[i], b->base[i], iteration);
  ck_assert_msg(same, "array %d, iteration %d is not like the first two in\n%s", p->array, iteration, what);
}

static void go_through(maker *m, const plan *p, tile_log *l, uint64_t *told)
{
  outcome first[QUESTIONS], second[QUESTIONS], now;
  m->all.log = l;
  l->orders = l->signs = l->equals = 0;
  place a = place_of(l);
  ask_all(m, p, 0, first);
  place b = place_of(l);
  ask_all(m, p, 1, second);
  place c = place_of(l);
  m->all.log = NULL;
  for (int iteration = 2; iteration < ITERATIONS && like(l, &a, &b, &c) && foretold(m, l, &a, &b, iteration);
       iteration++, ++*told)
    for (int k = 0; k < QUESTIONS; k++) {
      ask(m, p, iteration, k, &now);
      compare(p, &first[k], &second[k], &now, iteration, text_str(&m->text));
    }
}

static void log_init(tile_log *l, const cdag *g)
{
  *l = (tile_log){ .epoch = 1, .codes = 1 };
  l->recent = MEM_NEW(tile_recent, (size_t)g->arrays * CDAG_RANK * TILE_SIDES);
}

static void log_clear(tile_log *l)
{
  mem_free(l->order);
  mem_free(l->sign);
  mem_free(l->equal);
  mem_free(l->recent);
}

static void many_iterations(uint64_t seed, int plans, uint64_t *told)
{
  maker m;
  tile_log l;
  plan p;
  if (maker_init(&m, seed)) {
    log_init(&l, m.g);
    for (int k = 0; k < plans; k++) {
      random_plan(&m, &p);
      go_through(&m, &p, &l, told);
    }
    log_clear(&l);
  }
  maker_clear(&m);
}

START_TEST(iteration_by_iteration)
{
  uint64_t told = 0;
  many_iterations((uint64_t)_i, 100, &told);
}
END_TEST

/* Worth something only if iterations are foretold. */
START_TEST(foretells)
{
  uint64_t told = 0;
  for (uint64_t seed = 0; seed < 20; seed++)
    many_iterations(seed, 100, &told);
  ck_assert_uint_gt(told, 500);
}
END_TEST

/* ---- far from zero ---- */

/* What is written as far away as can be, and farther: absent, or there. */
static const char *const far_texts[] = {
  "table big[I:4] = 2305843009213693950 - I\ninput B[-3..20]\nX[i:4, j:3] = B[0], B[big[i] + i * 700000000000000000], "
  "B[j + 2305843009213693940], B[i/2 * 2305843009213693940 + j]\n"
  "Y[i:2, j:2, k:3] = B[0], B[k - 2305843009213693940], B[i * 1048577 + j], B[j - i * 1048577], B[k * 1048576], B[3 - "
  "i * 1048576 - k], B[big[k]+j], B[i * 1048577 - k * 1048576]\n",
  "input B[2305843009213693930..2305843009213693951]\nX[i:4, j:3] = B[i + 2305843009213693932], B[2305843009213693945 "
  "- j]\n"
  "Y[i:2, j:2, k:3] = B[2305843009213693930 + i], B[2305843009213693930 + j + k], B[2305843009213693930 + j * k]\n",
};

START_TEST(far_away)
{
  diag d = { 0 };
  maker m = { .r = { (uint64_t)_i } };
  text_printf(&m.text, "%soutput X[*,*]\noutput Y[*,*,*]\n", far_texts[_i % COUNT(far_texts)]);
  ck_assert_msg(cdag_parse(&m.g, "far", text_str(&m.text), "", &d) == OK, "%s", d.message);
  tile_rules_init(&m.all, m.g);
  for (int k = 0; k < 300; k++)
    ask_about_a_box(&m, 1 + k % 2);
  maker_clear(&m);
}
END_TEST

/* ---- what is read off a rule ---- */

#define SOURCES                                                                                                        \
  "param n = 6\ntable t[I:14] = 2*I+1\ntable u[I:12, J:12] = 3*I-J\ninput A[i:-30..60, j:-30..60], B[-90..200], "      \
  "C[200], T[i:9, j:i+1]\noutput "

/* Of each distinct term: plain, steady, folded or none of them; whether the rule is rigid, whether a term is folded;
 * its slanted side. */
static const struct { const char *rule, *found; } readings[] = {
  { "X[i:n, j:n] = B[0], B[i*j]", "p-" },
  { "X[i:n, j:n] = B[i], B[j]", "pp" },
  { "X[i:n, j:n] = B[i*j], B[i]", "-p" },
  { "X[i:n, j:n] = B[i*j], B[j/2], B[i*j]", "--" },
  { "X[i:n, j:n] = B[i], C[i]", "pp rigid" },
  { "X[i:n, j:n] = A[i,*], A[i,j]", "pp" },
  { "X[i:n, j:n] = B[i], B[i+1], B[i]", "pp" },
  { "X[i:n, j:n] = B[i..i+2], B[i..i+3], B[0..j]", "---" },
  { "X[i:n, j:n] = B[1..3], B[1..4], B[1..3]", "pp" },
  { "X[i:n, j:n] = B[3], A[2,4], C[i]", "ppp rigid" },
  { "X[i:n, j:n] = A[i,i], A[j,i], A[i+j,2]", "fp- folded" },
  { "X[i:n, j:n] = T[i,j], T[i,0], T[i,i], A[i,i+1]", "ssff folded" },
  { "X[i:n, j:n] = B[2*i], B[n-1-i], B[5-j]", "---" },
  { "X[i:n, j:n] = B[i], X[i,j-1]", "pp rigid" },
  { "X[i:n, j:n] = B[i], X[i-1,j-2]", "pp rigid" },
  { "X[i:n, j:n] = B[i], X[i-1,0]", "pp" },
  { "X[i:n, j:n] = B[i], X[i-1,*]", "pp" },
  { "X[i:n, j:n] = B[i], X[j-3,i]", "pp" },
  { "X[i:n, j:n] = B[i], X[i-1,i]", "pf folded" },
  { "X[i:n, j:n] = B[i], B[i+500]", "p rigid" },
  { "X[i:n, j:n] = B[t[i]], C[t[3]]", "-p" },
  { "X[i:n, j:n] = B[i], C[t[99]]", "p rigid" },
  { "X[i:n, j:0..i+1] = B[i]", "p rigid x1<x0+1" },
  { "X[i:n, j:i-2..n] = B[i]", "p rigid x1>=x0-2" },
  { "X[i:n, j:i..n] = B[i]", "p rigid x1>=x0+0" },
  { "X[i:n, j:4, k:j..n] = B[i]", "p rigid x2>=x1+0" },
  { "X[i:n, j:0..2*i+1] = B[i]", "p rigid" },
  { "X[i:n, j:i..i+3] = B[i]", "p rigid" },
  { "X[i:n, j:n, k:0..i+j+1] = B[i]", "p rigid" },
  { "X[i:n, j:0..i+1, k:0..j+1] = B[i]", "p rigid" },
  { "X[i:n, j:i/2..i+1] = B[i]", "p rigid" },
  { "X[i:n, j:0..max(i,1)] = B[i]", "p rigid" },
  { "X[i:n, j:0..n-i] = B[i]", "p rigid" },
};

static cdag *open_rule(const char *rule, tile_rules *all)
{
  text source = { 0 };
  diag d = { 0 };
  cdag *g = NULL;
  text_printf(&source, SOURCES "%s\n", rule);
  ck_assert_msg(cdag_parse(&g, "rule", text_str(&source), "", &d) == OK, "%s in %s", d.message, rule);
  text_clear(&source);
  tile_rules_init(all, g);
  return g;
}

static void print_reading(text *out, const tile_rule *r)
{
  for (int i = 0; i < r->terms; i++)
    text_add(out, r->term[i].plain ? "p" : r->term[i].steady ? "s" : r->term[i].simple ? "f" : "-");
  text_printf(out, "%s%s", r->rigid ? " rigid" : "", r->folded ? " folded" : "");
  if (r->slanted)
    text_printf(out, " x%d%sx%d%+d", r->at, r->upper ? "<" : ">=", r->along, (int)r->by);
}

START_TEST(read_off)
{
  tile_rules all;
  text found = { 0 };
  cdag *g = open_rule(readings[_i].rule, &all);
  print_reading(&found, &all.rule[cdag_find_array(g, "X")]);
  ck_assert_msg(!strcmp(text_str(&found), readings[_i].found), "%s: %s instead of %s", readings[_i].rule,
                text_str(&found), readings[_i].found);
  text_clear(&found);
  tile_rules_clear(&all);
  cdag_free(g);
}
END_TEST

/* With i held, j goes through: a box.  With i going on, a step of the table for each: foretold. */
static const char *const smooth[] = {
  "t[i]+j",     "i*n+j",         "t[i]*2+j",        "j-t[i]",       "-t[i]+j",
  "t[i]-(0-j)", "min(i, 20)",    "20-max(i, 1)",    "j+t[t[2]]",    "u[i,3]+j",
  "u[2,i]*4+j", "t[t[2]-4]*i+j", "(t[i]+j)-u[i,i]", "j-(0-u[i,4])", "u[i,4]*t[1]+j"
};

START_TEST(smooth_terms)
{
  tile_rules all;
  tile_log l;
  tile_image out;
  char rule[80];
  uint64_t told = 0;
  snprintf(rule, sizeof rule, "X[i:12, j:9] = B[%s]", smooth[_i]);
  cdag *g = open_rule(rule, &all);
  int array = cdag_find_array(g, "X");
  plan p = { .array = array, .step = { { 1 }, { 1 } } };
  for (int k = 0; k < QUESTIONS; k++)
    p.at[k] = (cdag_box){ { 1, 2 + k / 2 }, { 2, 5 } };
  ck_assert_msg(tile_image_of(&all, array, &all.rule[array].term[0], &p.at[0], &out) == TILE_BOX, "%s is split",
                smooth[_i]);
  log_init(&l, g);
  go_through(&(maker){ .g = g, .all = all }, &p, &l, &told);
  ck_assert_msg(told == ITERATIONS - 2, "%s: %d iterations foretold", smooth[_i], (int)told);
  log_clear(&l);
  tile_rules_clear(&all);
  cdag_free(g);
}
END_TEST

/* The entries 0 5 8 9 8 5 bound j: rows up to the fourth, and it, are seen at once, for the table does not fall there.
 */
static const struct { cdag_box box; tile_answer answer;
} rising[] = {
  { { { 1, 0 }, { 4, 5 } }, TILE_BOX },    { { { 1, 9 }, { 4, 12 } }, TILE_EMPTY },
  { { { 1, 0 }, { 4, 6 } }, TILE_SPLIT },  { { { 1, 8 }, { 4, 12 } }, TILE_SPLIT },
  { { { 0, 9 }, { 4, 12 } }, TILE_EMPTY }, { { { 1, 0 }, { 5, 5 } }, TILE_SPLIT },
  { { { 3, 0 }, { 6, 5 } }, TILE_SPLIT },
};

START_TEST(tables_that_rise)
{
  tile_rules all;
  cdag *g = open_rule("Y[i:n] = B[i]\ntable up[i:6] = i * (6 - i)\nX[i:6, j:up[i]] = B[i]", &all);
  for (size_t k = 0; k < COUNT(rising); k++) {
    cdag_box box = rising[k].box;
    ck_assert_msg(tile_fit(&all, cdag_find_array(g, "X"), &box) == rising[k].answer, "box %zu", k);
  }
  tile_rules_clear(&all);
  cdag_free(g);
}
END_TEST

/* Level pieces and sloping ones by turns, of which number 5 and number 43 begin with a fall.  Rows from one level piece
   to the next, these of one family from end to end, are foretold while no fall is among them: a sloping piece between
   two level ones is seen by none. */
START_TEST(tables_that_fall_far_on)
{
  static const struct { int64_t first, step; } way[] = { { 113, 8 }, { 73, -8 } };
  tile_rules all;
  tile_log l;
  uint64_t told = 0;
  cdag *g = open_rule("Y[i:n] = B[i]\ntable up[i:192] = i/8*20 + i%8/4*(10 + i%4 - 12*max(0, 1 - max(i/4 - 43, 43 - "
                      "i/4), 1 - max(i/4 - 5, 5 - i/4)))\n"
                      "X[i:192, j:up[i]] = B[0]",
                      &all);
  plan p = { .array = cdag_find_array(g, "X"), .step = { { way[_i].step }, { way[_i].step } } };
  for (int k = 0; k < QUESTIONS; k++)
    p.at[k] = (cdag_box){ { way[_i].first, 0 }, { way[_i].first + 10, 3 } };
  log_init(&l, g);
  go_through(&(maker){ .g = g, .all = all }, &p, &l, &told);
  ck_assert_uint_eq(told, 5);
  log_clear(&l);
  tile_rules_clear(&all);
  cdag_free(g);
}
END_TEST

/* ---- the log by itself ---- */

/* A list that is full takes nothing more, and the log is marked: nothing is foretold from it. */
START_TEST(a_full_log_says_so)
{
  size_t written = 0;
  for (int list = 0; list < 6; list++) {
    tile_log l = { .codes = 1 };
    l.orders = l.signs = l.equals = l.reaches = l.volumes = l.products = TILE_LOG_MOST;
    switch (list) {
    case 0: tile_log_order(&l, 0, TILE_LOW, 1); break;
    case 1: tile_log_sign(&l, 1); break;
    case 2: tile_log_equal(&l, 1); break;
    case 3: tile_log_reach(&l, 1, 1); break;
    case 4: tile_log_volume(&l, 1, 1); break;
    default: tile_log_product(&l, 1);
    }
    ck_assert(l.full && !l.order && !l.sign && !l.equal && !l.reach && !l.volume && !l.product);
    ck_assert(l.orders + l.signs + l.equals + l.reaches + l.volumes + l.products == 6 * (size_t)TILE_LOG_MOST);
    written += l.written;
  }
  ck_assert_uint_eq(written, 6);
}
END_TEST

START_TEST(tame_numbers)
{
  const int64_t v = TILE_VALUE_MOST, s = TILE_STEP_MOST;
  ck_assert(tile_tame(v - 1, s) && tile_tame(1 - v, -s) && tile_tame(INT64_MIN, 0) && tile_tame(INT64_MAX, 0));
  ck_assert(!tile_tame(v, 1) && !tile_tame(-v, 1) && !tile_tame(0, s + 1) && !tile_tame(0, -s - 1));
  ck_assert((__int128)v + TILE_REACH_MOST < INT64_MAX && TILE_REACH_MOST / s > 0);
  ck_assert(!tile_tame(0, (__int128)1 << 64) && !tile_tame(0, -((__int128)1 << 64)));
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_rule");
  TCase *c = support_case(s, "boxes");
  tcase_add_loop_test(c, element_by_element, 0, support_rounds(150));
  tcase_add_loop_test(c, iteration_by_iteration, 20, 20 + support_rounds(150));
  tcase_add_test(c, foretells);
  tcase_add_loop_test(c, read_off, 0, COUNT(readings));
  tcase_add_loop_test(c, smooth_terms, 0, COUNT(smooth));
  tcase_add_loop_test(c, far_away, 0, support_rounds(12));
  tcase_add_test(c, tables_that_rise);
  tcase_add_loop_test(c, tables_that_fall_far_on, 0, 2);
  tcase_add_test(c, a_full_log_says_so);
  tcase_add_test(c, tame_numbers);
  return support_run(s);
}
