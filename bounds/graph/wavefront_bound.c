/* The wavefront bound as a record: its certificate, checked before it is believed, and its argument in words. */
#include "base/json.h"
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/check/reading/graph.h"
#include "bounds/proof.h"
#include "bounds/graph/wavefront.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Up to LARGE vertices the bound is found without being given time; an array CDAG is written out no further. */
enum { SMALL = 2000, LARGE = 20000, LARGEST = 1 << 18, QUICK = 16000000 };
static const uint64_t work_per_second = 200000000;

static void put_number(text *t, const char *before, uint64_t v, uint64_t *sum)
{
  text_printf(t, "%s%llu", before, (unsigned long long)v);
  *sum = (uint64_t)(((unsigned __int128)*sum * 1000003 + v) % ((UINT64_C(1) << 61) - 1));
}

static void put_arcs(text *t, const bound_explicit *e, const bound_wave *w, bool backward, uint64_t *sum)
{
  const char *comma = "";
  for (size_t i = 0; i < w->n; i++)
    if (w->arc[i].backward == backward) {
      put_number(t, comma, e->id[w->arc[i].from], sum);
      put_number(t, ",", e->id[w->arc[i].to], sum);
      put_number(t, ",", w->arc[i].amount, sum);
      comma = ",";
    }
}

/* What bounds/check/wavefront.c reads. */
static void put_parameters(text *t, const bound_explicit *e, const bound_wave_list *waves)
{
  uint64_t sum = 0;
  text_printf(t, "{\"compulsory\":%llu,\"chain\":[", (unsigned long long)e->compulsory);
  for (uint32_t i = 0; i < waves->links; i++)
    put_number(t, i ? "," : "", e->id[waves->chain[i]], &sum);
  text_add(t, "],\"waves\":[");
  for (size_t i = 0; i < waves->n; i++) {
    const bound_wave *w = &waves->item[i];
    put_number(t, i ? ",{\"x\":" : "{\"x\":", e->id[w->x], &sum);
    put_number(t, ",\"after\":", w->after, &sum);
    put_number(t, ",\"interval\":", w->interval, &sum);
    put_number(t, ",\"flow\":", w->flow, &sum);
    put_number(t, ",\"red\":", w->red, &sum);
    text_add(t, ",\"along\":[");
    put_arcs(t, e, w, false, &sum);
    text_add(t, "],\"against\":[");
    put_arcs(t, e, w, true, &sum);
    text_add(t, "]}");
  }
  text_printf(t, "],\"sum\":%llu}", (unsigned long long)sum);
}

/* The checker shares nothing with the search; what it does not confirm is a bug here. */
static bool confirmed(const bound_question *q, const bound *b)
{
  json_value parameters = { 0 };
  text reason = { 0 };
  mpz_t value;
  mpz_init(value);
  bool valid = json_read(&parameters, text_str(&b->parameters), b->parameters.n, "certificate", NULL) == OK;
  bound_claim claim = { b->name, q->g, (int64_t)q->m, &parameters, b->models };
  valid = valid && bound_checker_find(b->name)->check(&claim, value, &reason) && mpz_cmp(value, b->value) == 0;
  json_value_clear(&parameters);
  text_clear(&reason);
  mpz_clear(value);
  return valid;
}

static void say_waves(const proof *say, const bound_question *q, const bound_explicit *e, const bound_wave_list *waves)
{
  enum { SHOWN = 12 };
  for (size_t i = 0; i < waves->n && i < SHOWN; i++) {
    const bound_wave *w = &waves->item[i];
    text name = { 0 };
    cdag_element x;
    cdag_at(q->g, e->id[w->x], &x);
    cdag_element_print(&name, q->g, &x);
    proof_tell(say, "graph/wavefront_bound/waves", "when %s, name %s, flow %lu, red %lu, surplus %lu",
               w->after ? "after" : "before", text_str(&name), (unsigned long)w->flow, (unsigned long)w->red,
               (unsigned long)(w->flow - w->red));
    text_clear(&name);
  }
  if (waves->n > SHOWN)
    proof_tell(say, "graph/wavefront_bound/more", "more %lu", (unsigned long)(waves->n - SHOWN));
  if (waves->n > 0)
    proof_paragraph(say);
}

/* A name that the reader of the computation knows. */
static void say_vertex(const proof *say, const bound_question *q, uint32_t v, const char *before)
{
  text name = { 0 };
  cdag_element x;
  cdag_at(q->g, v, &x);
  cdag_element_print(&name, q->g, &x);
  proof_say(say, "%s%s", before, text_str(&name));
  text_clear(&name);
}

static void say_chain(const proof *say, const bound_question *q, const bound_explicit *e, const bound_wave_list *waves)
{
  enum { SHOWN = 20 };
  if (waves->links == 0)
    return;
  proof_tell(say, "graph/wavefront_bound/chain", "");
  for (uint32_t i = 0; i < waves->links && i < SHOWN; i++)
    say_vertex(say, q, e->id[waves->chain[i]], i ? ", " : " ");
  proof_tell(say, "graph/wavefront_bound/intervals", "more %s, intervals %lu", waves->links > SHOWN ? " and so on" : "",
             (unsigned long)waves->links + 1);
}

static void put_dominator_proof(bound *b, const bound_question *q, const bound_explicit *e,
                                const bound_wave_list *waves, uint64_t gain)
{
  proof say = { &b->proof, &b->proof_latex };
  proof_tell(&say, "graph/wavefront_bound/dominator", "compulsory %lu", (unsigned long)e->compulsory);
  say_chain(&say, q, e, waves);
  proof_tell(&say, "graph/wavefront_bound/flow", "flows %s",
             waves->n ? " In each interval the flows below send at most 1 through a vertex, so what they prove adds up."
                      : " Here no flow exceeds what the red vertices can carry.");
  say_waves(&say, q, e, waves);
  proof_say(&say, "Together {Q >= %lu + %lu = %lu}, with or without recomputation.", (unsigned long)e->compulsory,
            (unsigned long)gain, (unsigned long)(e->compulsory + gain));
  proof_paragraph(&say);
}

static void put_proof(bound *b, const bound_question *q, const bound_explicit *e, const bound_wave_list *waves,
                      uint64_t gain)
{
  proof say = { &b->proof, &b->proof_latex };
  proof_tell(&say, "graph/wavefront_bound/once", "compulsory %lu, flows %s", (unsigned long)e->compulsory,
             waves->n && waves->links
                ? " In each interval the flows below send no more through a vertex than its weight, and over all "
                  "intervals no "
                  "more than its weight beyond 1 for each: a word is stored once. So what they prove adds up."
            : waves->n
                ? " The flows below together send no more through a vertex than its weight, so what they prove adds up."
                : " Here no flow exceeds what the red vertices can carry.");
  say_chain(&say, q, e, waves);
  say_waves(&say, q, e, waves);
  proof_say(&say, "Together {Q >= %lu + %lu = %lu} in any play without recomputation.", (unsigned long)e->compulsory,
            (unsigned long)gain, (unsigned long)(e->compulsory + gain));
  proof_paragraph(&say);
}

/* How much is looked for: a play in which nothing is computed twice, or any. */
typedef struct {
  const char *name, *sliding_name, *source;
  unsigned models;
  bool recompute;
} theorem;

static void add_record(const bound_question *q, const theorem *t, const bound_explicit *e, const bound_wave_list *waves,
                       uint64_t gain, bound_list *out)
{
  bool sliding = q->variant == 1;
  bound *b = bound_list_add(out, sliding ? t->sliding_name : t->name, BOUND_CERTIFIED,
                            t->models | BOUND_PLACING | (sliding ? BOUND_SLIDING : 0), t->source);
  mpz_set_ui(b->value, e->compulsory + gain);
  text_add(&b->leading, "inputs + outputs + sum of (flow - red)");
  put_parameters(&b->parameters, e, waves);
  if (q->want_proof && t->recompute)
    put_dominator_proof(b, q, e, waves, gain);
  else if (q->want_proof)
    put_proof(b, q, e, waves, gain);
  if (!confirmed(q, b)) {
    assert(!"the checker refuses a wavefront certificate");
    b->trust = BOUND_NUMERIC;
  }
}

/* Is the shape known: does an earlier theorem say more than the compulsory traffic, in the games of this one? */
static bool shape_known(const bound_question *q, const theorem *t, const bound_list *out)
{
  const mpz_t *compulsory = NULL;
  for (size_t i = 0; i < out->n && !q->g->graph; i++) {
    const bound *b = &out->item[i];
    if (strcmp(b->name, "compulsory") == 0)
      compulsory = &b->value;
    else if (compulsory && b->trust == BOUND_PROVED && (b->models & t->models) == t->models &&
             mpz_cmp(b->value, *compulsory) > 0)
      return true;
  }
  return false;
}

/* Arcs to look at when no time is given: about a second's worth for the largest graphs, if the bound holds in this
 * game. */
static uint64_t quick_work(const bound_question *q, const theorem *t, bool known, uint32_t n)
{
  bool holds = q->one_shot || t->recompute;
  uint64_t work = n < SMALL || !holds ? QUICK : n < LARGE ? (uint64_t)QUICK / SMALL * n : 10 * QUICK;
  return q->work ? q->work : known ? work / 4 : work;
}

static status apply(const bound_question *q, const theorem *t, bound_list *out, diag *d)
{
  /* less time where the bound cannot be the best one */
  double seconds = (q->one_shot != t->recompute ? 0.6 : 0.3) * fmin(q->seconds, 1e6);
  bool known = seconds <= 0 && shape_known(q, t, out);
  uint64_t most = seconds > 0 && q->g->graph ? LARGEST : LARGE;
  bound_explicit e;
  if (q->variant == 2 || !bound_explicit_fits(q->g, most))
    return OK; /* partially computed vertices are not covered by the argument */
  status st = bound_explicit_init(&e, q->g, most, d);
  bool sliding = q->variant == 1;
  if (st == OK && e.g.n > 0 && q->m >= bound_explicit_least_memory(&e, !sliding)) {
    bound_wave_list waves = { 0 };
    uint64_t gain, work = seconds > 0 ? (uint64_t)(seconds * (double)work_per_second) : quick_work(q, t, known, e.g.n);
    bound_wavefront_limits limits = { q->m, sliding, t->recompute, work, seconds };
    bound_wavefront_search(&e, &limits, &waves, &gain);
    add_record(q, t, &e, &waves, gain, out);
    bound_wave_list_clear(&waves);
  }
  bound_explicit_clear(&e);
  return st;
}

static status apply_wavefront(const bound_question *q, bound_list *out, diag *d)
{
  static const theorem once = { "wavefront", "wavefront-sliding",
                                "Elango et al. 2014 (arXiv 1404.4767); docs/theory-graphs.md, section 1",
                                BOUND_ONE_SHOT, false };
  return apply(q, &once, out, d);
}

static status apply_dominators(const bound_question *q, bound_list *out, diag *d)
{
  static const theorem any = { "dominators", "dominators-sliding", "docs/theory-graphs.md, section 5",
                               BOUND_ONE_SHOT | BOUND_RECOMPUTE, true };
  return apply(q, &any, out, d);
}

BOUND_THEOREM(160, wavefront) = {
  .name = "wavefront",
  .summary = "words still needed when a vertex is computed, by flows; no recomputation",
  .source = "Elango et al. 2014 (arXiv 1404.4767); docs/theory-graphs.md, section 1",
  .apply = apply_wavefront,
};
BOUND_THEOREM(165, dominators) = {
  .name = "dominators",
  .summary = "words that must be in memory again when a vertex is computed, by disjoint paths from the inputs",
  .source = "docs/theory-graphs.md, section 5",
  .apply = apply_dominators,
};
