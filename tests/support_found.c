#include "tests/support_found.h"
#include <string.h>

bool support_plays(const cdag *g, const pebble_rules *rules, const char *source, pebble_engine engine,
                   pebble_verdict *v, text *why)
{
  schedule *s = NULL;
  schedule_play_options o = { .rules = *rules, .engine = engine };
  schedule_verdict played = { 0 };
  diag d = { 0 };
  bool good = schedule_parse(&s, g, rules->m, "found", source, "", &d) == OK && schedule_play(s, &o, &played, &d) == OK;
  if (!good)
    text_printf(why, "%s", d.message);
  else if (!played.verdict.legal)
    text_printf(why, "line %d: %s", played.line, pebble_rule_name(played.verdict.rule));
  *v = played.verdict;
  schedule_verdict_clear(&played);
  schedule_free(s);
  return good && v->legal;
}

void support_check_found(const cdag *g, const pebble_rules *rules, const schedule_found *f, const char *what)
{
  pebble_verdict one, two;
  text why = { 0 };
  const char *source = text_str(&f->source);
  ck_assert_msg(support_plays(g, rules, source, PEBBLE_BY_ELEMENT, &one, &why), "%s: by element, %s\n%s", what,
                text_str(&why), source);
  ck_assert_msg(support_plays(g, rules, source, PEBBLE_BY_TILE, &two, &why), "%s: by tile, %s\n%s", what,
                text_str(&why), source);
  ck_assert_msg(one.loads == two.loads && one.stores == two.stores && one.loads == f->loads &&
                    one.stores == f->stores && one.peak == f->peak,
                "%s", what);
  text_clear(&why);
}

void support_check_small(const cdag *g, const pebble_rules *rules, int seed, const char *source)
{
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  diag d = { 0 };
  ck_assert_msg(schedule_find(g, rules, &options, &f, &d) == OK, "seed %d: %s\n%s", seed, d.message, source);
  const char *refused = text_str(&f.refused);
  bool tall = strstr(refused, "rule memory") || strncmp(refused, "# \n", 3) == 0;
  ck_assert_msg(!strstr(refused, "schedule sweep") || tall, "seed %d, M = %d\n%s%s", seed, (int)rules->m, source,
                refused);
  support_check_found(g, rules, &f, source);
  schedule_found_clear(&f);
}

tiler_verdict support_play_made(const cdag *g, uint64_t m, support_maker *make, const void *context, int seed,
                                const char *source)
{
  tiler_shape s;
  tiler_verdict v = { 0 };
  pebble_rules rules = { .m = m };
  text found = { 0 };
  double promised = (double)m;
  tiler_docket judged = { 0 };
  tiler_shape_init(&s, g, false);
  for (int round = 0; round < 6 && !v.legal && (round == 0 || (v.counted && !v.fits)); round++) {
    tiler_patience p = { .until = 0 };
    text_clear(&found);
    ck_assert_msg(make(&s, promised, context, &found), "seed %d, M = %d: no text\n%s", seed, (int)m, source);
    tiler_judge(g, &rules, text_str(&found), &p, &judged, &v);
    promised -= (double)(v.peak - m) * (1 + round);
  }
  ck_assert_msg(v.legal, "seed %d, M = %d: %s\n%s%s", seed, (int)m, v.why, source, text_str(&found));
  text_clear(&found);
  tiler_docket_clear(&judged);
  tiler_shape_clear(&s);
  return v;
}

typedef struct { const cdag *of; uint64_t id[64]; int n; } readings;

static bool read_one(void *context, const cdag_element *e, int term)
{
  readings *l = context;
  (void)term;
  ck_assert_int_lt(l->n, (int)COUNT(l->id));
  l->id[l->n++] = cdag_id(l->of, e->array, e->x);
  return true;
}

void support_same_computation(const cdag *g, const cdag *other, support_id *id, const void *context, const char *source)
{
  ck_assert_uint_eq(g->vertices, other->vertices);
  for (uint64_t v = 0; v < g->vertices; v++) {
    cdag_element e, p;
    readings old = { .of = g }, new = { .of = other };
    cdag_at(g, v, &e);
    cdag_at(other, id(context, &e), &p);
    cdag_each_predecessor(g, e.array, e.x, read_one, &old);
    cdag_each_predecessor(other, p.array, p.x, read_one, &new);
    bool alike = old.n == new.n && cdag_is_output(g, e.array, e.x) == cdag_is_output(other, p.array, p.x);
    for (int i = 0; i < old.n && alike; i++) {
      cdag_element r;
      bool there = false;
      cdag_at(g, old.id[i], &r);
      uint64_t of = id(context, &r);
      for (int k = 0; k < new.n; k++)
        there = there || new.id[k] == of;
      alike = there;
    }
    text name = { 0 };
    cdag_element_print(&name, g, &e);
    ck_assert_msg(alike, "%s in\n%s", text_str(&name), source);
    text_clear(&name);
  }
}
