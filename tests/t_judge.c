/* The plain referee against plays worked out by hand, and against a second one written on bit masks. */
#include "base/random.h"
#include "pebble/game.h"
#include "tests/support.h"
#include <stdlib.h>
#include <string.h>

/* "L0 L1 C2<0 S2 D2 E1": load, load, compute 2 sliding from 0, store, drop, erase. */
static void read_trace(pebble_trace *t, const char *s)
{
  static const char letters[] = "LSCDE";
  for (; *s; s++)
    if (strchr(letters, *s)) {
      pebble_kind kind = (pebble_kind)(strchr(letters, *s) - letters);
      char *end;
      uint32_t v = (uint32_t)strtoul(s + 1, &end, 10);
      if (*end == '<')
        pebble_trace_slide(t, v, (uint32_t)strtoul(end + 1, &end, 10));
      else
        pebble_trace_add(t, kind, v);
      s = end - 1;
    }
}

#define P PEBBLE_PLACING
#define S PEBBLE_SLIDING
#define A PEBBLE_PARTIAL

/* tree h=1: leaves 0 1, root 2.  h=2: leaves 0-3, 4 = 0+1, 5 = 2+3, 6 = 4+5.  pyramid h=2: 0 1 2, 3 = 0+1, 4 = 1+2,
   5 = 3+4.  fft l=1: 2 = 0+1, 3 = 1+0.  fft l=2: ranks 0-3, 4-7, 8-11; 4 = 0+1, 5 = 1+0, 6 = 2+3, 7 = 3+2, 8 = 4+6, ...
 */
static const struct {
  const char *graph;
  pebble_variant variant;
  bool one_shot;
  uint64_t m;
  const char *moves;
  const char *rule; /* NULL: legal */
  uint64_t loads, stores, computes, peak;
  uint32_t element;
  int missing;      /* or -1 */
} play[] = {
  { "t1", P, 0, 3, "L0 L1 C2 S2", NULL, 2, 1, 1, 3, 0, -1 },
  { "t1", P, 0, 2, "L0 L1 C2 S2", "memory", 2, 0, 0, 2, 2, -1 },
  { "t1", S, 0, 2, "L0 L1 C2<1 S2", NULL, 2, 1, 1, 2, 0, -1 },
  { "t1", S, 0, 2, "L0 L1 C2 S2", "memory", 2, 0, 0, 2, 2, -1 },
  { "t1", P, 0, 2, "L0 L1 C2<1 S2", "memory", 2, 0, 0, 2, 2, -1 },
  { "t1", P, 0, 3, "L0 L1 C2<1 L1", "output", 3, 0, 1, 3, 2, -1 }, /* dropping made room for 1 again */
  { "t1", P, 0, 3, "L0 L1 C2", "output", 2, 0, 1, 3, 2, -1 },
  { "t1", P, 0, 3, "L0 C2", "predecessor", 1, 0, 0, 1, 2, 1 },
  { "t1", P, 0, 3, "C2", "predecessor", 0, 0, 0, 0, 2, 0 },
  { "t1", P, 0, 3, "L0 L0", "already red", 1, 0, 0, 1, 0, -1 },
  { "t1", P, 0, 3, "L2", "not blue", 0, 0, 0, 0, 2, -1 },
  { "t1", P, 0, 0, "L0", "memory", 0, 0, 0, 0, 0, -1 },
  { "t1", P, 0, 3, "S0", "not red", 0, 0, 0, 0, 0, -1 },
  { "t1", P, 0, 3, "L0 S0", "already blue", 1, 0, 0, 1, 0, -1 },
  { "t1", P, 0, 3, "L0 E0 S0 D0 D0", "not red", 1, 1, 0, 1, 0, -1 },
  { "t1", P, 0, 3, "E1 E1", "not blue", 0, 0, 0, 0, 1, -1 },
  { "t1", P, 0, 3, "E0 C0", "input", 0, 0, 0, 0, 0, -1 },
  { "t1", P, 0, 3, "L0 C0", "input", 1, 0, 0, 1, 0, -1 },
  { "t1", P, 0, 4, "L0 L1 C2 C2", "already red", 2, 0, 1, 3, 2, -1 },
  { "t1", P, 0, 3, "L0 L1 C2 D2 C2 S2", NULL, 2, 1, 2, 3, 0, -1 },
  { "t1", P, 1, 3, "L0 L1 C2 D2 C2 S2", "recompute", 2, 0, 1, 3, 2, -1 },
  { "t1", P, 1, 4, "L0 L1 C2 C2", "already red", 2, 0, 1, 3, 2, -1 },     /* before recompute */
  { "t1", P, 1, 3, "L0 L1 C2 D2 D0 C2", "recompute", 2, 0, 1, 3, 2, -1 }, /* before predecessor */
  /* tree of height 2 at M = 3: one partial result is stored and loaded back: 4 loads + 1 + 1 + 1 */
  { "t2", P, 1, 3, "L0 L1 C4 S4 D0 D1 D4 L2 L3 C5 D2 D3 L4 C6 S6", NULL, 5, 2, 3, 3, 0, -1 },
  { "t2", P, 1, 4, "L0 L1 C4 D0 D1 L2 L3 C5 D2 D3 C6 S6", NULL, 4, 1, 3, 4, 0, -1 },
  { "t2", S, 1, 3, "L0 L1 C4<0 D1 L2 L3 C5<2 D3 C6<4 S6", NULL, 4, 1, 3, 3, 0, -1 },
  { "p2", P, 1, 4, "L0 L1 C3 D0 L2 C4 D1 D2 C5 S5", NULL, 3, 1, 3, 4, 0, -1 },
  { "p2", P, 1, 3, "L0 L1 C3 D0 L2 C4", "memory", 3, 0, 1, 3, 4, -1 },
  { "p2", S, 1, 3, "L0 L1 C3<0 L2 C4<1 C5<3 S5", NULL, 3, 1, 3, 3, 0, -1 },
  { "f1", P, 1, 4, "L0 L1 C2 C3 S2 S3", NULL, 2, 2, 2, 4, 0, -1 },
  { "f1", P, 1, 3, "L0 L1 C2 S2 D2 C3 S3", NULL, 2, 2, 2, 3, 0, -1 },
  { "f1", P, 1, 3, "L0 L1 C2 S2 D2 C3", "output", 2, 1, 2, 3, 3, -1 },
  { "f2", P, 1, 6, "L0 L1 L2 L3 C4 C5 D0 D1 C6 C7 D2 D3 C8 C10 D4 D6 C9 C11 S8 S9 S10 S11", NULL, 4, 4, 8, 6, 0, -1 },
  { "f2", P, 1, 5, "L0 L1 L2 L3 C4 C5", "memory", 4, 0, 1, 5, 5, -1 },
  /* sliding: eight at M = 5 already (placing: nine) */
  { "f2", S, 1, 5, "L0 L1 C4 C5<0 D1 L2 L3 C6 C7<2 D3 C8 C10<4 D6 C9 C11<5 D7 S8 S9 S10 S11", NULL, 4, 4, 8, 5, 0, -1 },
  /* partial: root of a tree aggregates one leaf at a time and needs two pebbles only */
  { "t1", A, 0, 2, "L0 C2 D0 L1 C2 S2", NULL, 2, 1, 2, 2, 0, -1 },
  { "t1", A, 0, 2, "L0 C2 D0 L1 C2 C2", "already red", 2, 0, 2, 2, 2, -1 },
  { "t1", A, 0, 2, "L0 C2 C2", "predecessor", 1, 0, 1, 2, 2, 1 },
  { "t1", A, 0, 1, "L0 C2", "memory", 1, 0, 0, 1, 2, -1 },
  { "t1", A, 0, 2, "L0 C2 D2 C2", "recompute", 1, 0, 1, 2, 2, -1 },
  { "t1", A, 0, 2, "L0 C2 S2 S2", "already blue", 1, 1, 1, 2, 2, -1 },
  { "t1", A, 0, 2, "L0 C2 S2", "output", 1, 1, 1, 2, 2, -1 }, /* blue, but incomplete */
  { "t1", A, 0, 2, "L0 C2 S2 D2 D0 L1 L2 C2 S2", NULL, 3, 2, 2, 2, 0, -1 },
  { "t1", A, 0, 2, "L0 C2 S2 D0 L1 C2", "output", 2, 1, 2, 2, 2, -1 }, /* the blue copy went stale */
  { "t1", A, 0, 3, "L0 L1 C2 S2 D2 C2", "recompute", 2, 1, 1, 3, 2, -1 },
  { "t1", A, 0, 3, "C0", "input", 0, 0, 0, 0, 0, -1 },
  { "t1", A, 0, 3, "L0 C0", "input", 1, 0, 0, 1, 0, -1 }, /* before already red */
  { "t2", A, 0, 4, "L0 L2 C4<2 D2", "output", 2, 0, 1, 3, 6,
    -1 }, /* 2 is no predecessor of 4: dropping it drops nothing */
  { "t2", A, 0, 4, "L0 C4<1 L1", "output", 2, 0, 1, 3, 6, -1 },         /* 1 is one, but not red */
  { "t2", A, 0, 4, "L0 C4 L2 C5 C6", "predecessor", 2, 0, 2, 4, 6, 4 }, /* incomplete ones are not read */
  { "t2", A, 0, 3, "L0 C4<0 L1 C4<1 C6 D4 L2 C5<2 L3 C5<3 C6 S6", NULL, 4, 1, 6, 3, 0, -1 },
};

static void make(cdag_graph *g, const char *name)
{
  int64_t size = name[1] - '0';
  status st = name[0] == 't'   ? cdag_graph_tree(g, size, NULL)
              : name[0] == 'p' ? cdag_graph_pyramid(g, size, NULL)
                               : cdag_graph_fft(g, size, NULL);
  ck_assert_int_eq(st, OK);
}

START_TEST(plays_by_hand)
{
  cdag_graph g;
  pebble_trace t = { 0 };
  pebble_rules rules = { play[_i].variant, play[_i].one_shot, play[_i].m };
  make(&g, play[_i].graph);
  read_trace(&t, play[_i].moves);
  pebble_verdict v = pebble_judge(&g, &rules, &t);
  ck_assert_msg(v.legal == !play[_i].rule, "%s: rule %s", play[_i].moves, v.legal ? "none" : pebble_rule_name(v.rule));
  if (!v.legal) {
    ck_assert_str_eq(pebble_rule_name(v.rule), play[_i].rule);
    ck_assert_int_eq(v.element.x[0], play[_i].element);
    ck_assert_int_eq(v.has_missing, play[_i].missing >= 0);
    if (v.has_missing)
      ck_assert_int_eq(v.missing.x[0], play[_i].missing);
  }
  ck_assert_uint_eq(v.loads, play[_i].loads);
  ck_assert_uint_eq(v.stores, play[_i].stores);
  ck_assert_uint_eq(v.computes, play[_i].computes);
  ck_assert_uint_eq(v.peak, play[_i].peak);
  ck_assert_uint_eq(v.needed, v.rule == PEBBLE_MEMORY ? rules.m + 1 : 0);
  pebble_trace_clear(&t);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- a second referee, on masks, for placing and sliding ---- */

typedef struct { uint32_t red, blue, done; } masks;

static bool legal(const uint32_t *pred, const pebble_rules *r, masks *p, pebble_step s)
{
  uint32_t x = 1u << s.vertex;
  int reds = __builtin_popcount(p->red);
  switch (s.kind) {
  case PEBBLE_LOAD:
    if ((p->red & x) || !(p->blue & x) || reds >= (int)r->m)
      return false;
    p->red |= x;
    return true;
  case PEBBLE_STORE:
    if (!(p->red & ~p->blue & x))
      return false;
    p->blue |= x;
    return true;
  case PEBBLE_DROP:
    p->red ^= x;
    return !(p->red & x);
  case PEBBLE_ERASE:
    p->blue ^= x;
    return !(p->blue & x);
  case PEBBLE_COMPUTE: {
    uint32_t gone = s.slide < 32 ? pred[s.vertex] & 1u << s.slide : 0;
    bool slides = r->variant == PEBBLE_SLIDING && gone;
    if (!pred[s.vertex] || (p->red & x) || (pred[s.vertex] & ~p->red) || (r->one_shot && (p->done & x)))
      return false;
    if (reds + !slides > (int)r->m)
      return false;
    p->red = (p->red | x) & ~gone;
    p->done |= x;
    return true;
  }
  }
  return false;
}

START_TEST(random_plays_agree_with_masks)
{
  enum { N = 9, STEPS = 400 };
  random_source r = { (uint64_t)_i };
  pebble_rules rules = { _i % 2 ? PEBBLE_SLIDING : PEBBLE_PLACING, _i / 2 % 2, 3 + (uint64_t)_i % 3 };
  cdag_graph g;
  uint32_t pred[N] = { 0 };
  masks p = { 0 };
  pebble_trace t = { 0 };
  ck_assert_int_eq(cdag_graph_random(&g, N, _i, 2, 0, NULL), OK);
  for (uint32_t v = 0; v < N; v++) {
    for (uint64_t e = g.pred_at[v]; e < g.pred_at[v + 1]; e++)
      pred[v] |= 1u << g.pred[e];
    p.blue |= pred[v] ? 0 : 1u << v;
  }
  /* mostly legal moves, so that plays go far; each prefix is judged with one random move after it */
  for (int i = 0; i < STEPS; i++) {
    pebble_step s = { (pebble_kind)random_below(&r, 5), (uint32_t)random_below(&r, N), PEBBLE_NO_SLIDE };
    if (s.kind == PEBBLE_COMPUTE && random_below(&r, 2))
      s.slide = (uint32_t)random_below(&r, N);
    masks after = p;
    bool good = legal(pred, &rules, &after, s);
    pebble_trace_add(&t, s.kind, s.vertex);
    t.step[t.n - 1].slide = s.slide;
    pebble_verdict v = pebble_judge(&g, &rules, &t);
    ck_assert_int_eq(v.moves == t.n, good);
    if (good)
      p = after;
    else
      t.n--;
    uint32_t outputs = 0;
    for (uint32_t u = 0; u < N; u++)
      outputs |= (uint32_t)g.output[u] << u;
    if (good)
      ck_assert_int_eq(v.legal, !(outputs & ~p.blue));
  }
  pebble_trace_clear(&t);
  cdag_graph_clear(&g);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("judge");
  TCase *c = support_case(suite, "judge");
  tcase_add_loop_test(c, plays_by_hand, 0, COUNT(play));
  tcase_add_loop_test(c, random_plays_agree_with_masks, 0, support_rounds(100));
  return support_run(suite);
}
