/* The spectral bound as records: as published, and with every boundary counted once (docs/theory-graphs.md, section 2).
 */
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/graph/graph_tools.h"
#include "bounds/proof.h"
#include "bounds/graph/spectral.h"
#include <math.h>

/* Up to SMALL vertices without being given time; an array CDAG is written out up to LARGE. */
enum { SMALL = 2000, LARGE = 20000, LARGEST = 1 << 22 };
static const uint64_t quick_work = 6000000, work_per_second = 300000000;

typedef struct {
  const bound_question *q;
  const bound_explicit *e;
  uint64_t words; /* red at a boundary, at most: a word is about to become red */
  bound_spectrum plain, halved;
  int levels;  /* of an FFT graph */
  bool proved; /* the spectrum is known in closed form; otherwise certified by counting */
} finding;

static uint64_t count_sinks(const cdag_graph *g)
{
  uint64_t sinks = 0;
  for (uint32_t v = 0; v < g->n; v++)
    sinks += cdag_graph_is_sink(g, v);
  return sinks;
}

static bool find_spectra(finding *f)
{
  const bound_question *q = f->q;
  double seconds = 0.15 * fmin(q->seconds, 1e6);
  uint64_t work = seconds > 0 ? (uint64_t)(seconds * (double)work_per_second) : quick_work;
  f->proved = bound_spectral_is_fft(f->e, &f->levels) && f->e->compulsory == UINT64_C(2) << f->levels;
  if (f->proved) {
    bound_spectral_fft(f->levels, false, &f->plain);
    bound_spectral_fft(f->levels, true, &f->halved);
    return true;
  }
  if (seconds == 0 && f->e->g.n > SMALL)
    return false;
  return bound_spectral_count(&f->e->g, false, f->words, work, &f->plain) &&
         bound_spectral_count(&f->e->g, true, f->words, work, &f->halved);
}

static void put_order(const finding *f, text *t)
{
  bound_matrix a;
  uint32_t *order = MEM_NEW(uint32_t, f->e->g.n);
  bound_spectral_matrix(&f->e->g, false, &a);
  bound_tools_order(a.n, a.at, a.column, order);
  text_add(t, "],\"order\":[");
  for (uint32_t i = 0; i < a.n; i++)
    text_printf(t, i ? ",%lu" : "%lu", (unsigned long)f->e->id[order[i]]);
  text_add(t, "]}");
  mem_free(order);
  bound_matrix_clear(&a);
}

/* What bounds/check/spectral.c reads. */
static void put_parameters(const finding *f, text *t, uint64_t runs, bool halved)
{
  const bound_spectrum *s = halved ? &f->halved : &f->plain;
  const char *comma = "";
  text_printf(t, "{\"runs\":%llu,\"halved\":%d,\"steps\":[", (unsigned long long)runs, halved);
  for (size_t i = 0; i < s->n && s->step[i].below < runs; i++, comma = ",")
    text_printf(t, "%s%llu,%lld", comma, (unsigned long long)s->step[i].below, (long long)s->step[i].value);
  if (f->proved)
    text_printf(t, "],\"levels\":%d}", f->levels);
  else if (runs == 0)
    text_add(t, "]}");
  else
    put_order(f, t);
}

static bound *add_record(const finding *f, const char *name, unsigned models, uint64_t value, uint64_t runs,
                         bool halved, bound_list *out)
{
  bound *b = bound_list_add(out, name, f->proved ? BOUND_PROVED : BOUND_CERTIFIED, models,
                            "Jain and Zaharia 2020 (arXiv 1909.09791); docs/theory-graphs.md, section 2");
  mpz_set_ui(b->value, value);
  put_parameters(f, &b->parameters, runs, halved);
  return b;
}

typedef struct {
  uint64_t base, cut, runs, boundaries, words;
  const char *base_is;
} claim;

static void put_proof(const finding *f, bound *b, const claim *c)
{
  proof say = { &b->proof, &b->proof_latex };
  if (!f->q->want_proof)
    return;
  proof_tell(&say, "graph/spectral_bound/proof",
             "n %lu, runs %lu, how %s, eigenvalues %lu, boundaries %lu, words %lu, base %lu, base_is %s, value %lu",
             (unsigned long)f->e->g.n, (unsigned long)(c->runs ? c->runs : 1),
             f->proved ? "The eigenvalues are those of paths, found in integers"
                       : "The eigenvalues are counted by factorisations whose rounding errors are bounded",
             (unsigned long)(c->cut + 2 * c->boundaries * c->words), (unsigned long)c->boundaries,
             (unsigned long)c->words, (unsigned long)c->base, c->base_is, (unsigned long)(c->base + c->cut));
}

/* As Jain and Zaharia have it: M words red before and after each of k runs. */
static void add_published(const finding *f, bound_list *out)
{
  uint64_t k, sinks = count_sinks(&f->e->g), cut = bound_spectrum_best(&f->plain, f->e->g.n, f->q->m, 0, &k);
  bound *b = add_record(f, "spectral", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, sinks + cut, k, false, out);
  text_add(&b->leading, "sinks + sum w_i lambda_i - 2 k M");
  put_proof(f, b, &(claim){ sinks, cut, k, k, f->q->m, "the sinks" });
}

/* k runs have k - 1 boundaries; and inputs and outputs may be charged for what exceeds their compulsory move. */
static void add_sharper(const finding *f, bound_list *out)
{
  uint64_t k, k2, n = f->e->g.n, sinks = count_sinks(&f->e->g);
  uint64_t cut = bound_spectrum_best(&f->plain, n, f->words, 1, &k),
           cut2 = bound_spectrum_best(&f->halved, n, f->words, 1, &k2);
  bool halved = f->e->compulsory + cut2 >= sinks + cut;
  uint64_t base = halved ? f->e->compulsory : sinks;
  if (halved)
    k = k2, cut = cut2;
  bool sliding = f->q->variant == 1;
  unsigned models = BOUND_ONE_SHOT | BOUND_PLACING | (sliding ? BOUND_SLIDING : 0);
  bound *b = add_record(f, sliding ? "spectral-boundaries-sliding" : "spectral-boundaries", models, base + cut, k,
                        halved, out);
  text_add(&b->leading,
           halved ? "inputs + outputs + sum w_i lambda_i - 2 (k-1) M" : "sinks + sum w_i lambda_i - 2 (k-1) M");
  put_proof(f, b,
            &(claim){ base, cut, k, k > 0 ? k - 1 : 0, f->words, halved ? "the inputs and the outputs" : "the sinks" });
}

static status apply_spectral(const bound_question *q, bound_list *out, diag *d)
{
  uint64_t most = q->g->graph ? LARGEST : q->seconds > 0 ? LARGE : SMALL;
  bound_explicit e;
  int levels;
  if (q->variant == 2 || !bound_explicit_fits(q->g, most))
    return OK;
  if (q->seconds == 0 && q->g->vertices > SMALL && !bound_spectral_has_fft_size(q->g->vertices, &levels))
    return OK; /* nothing would come of it without time */
  status st = bound_explicit_init(&e, q->g, most, d);
  bool sliding = q->variant == 1;
  if (st == OK && e.g.n > 0 && q->m >= bound_explicit_least_memory(&e, !sliding)) {
    finding f = { .q = q, .e = &e, .words = q->m - !sliding };
    if (find_spectra(&f)) {
      add_published(&f, out);
      add_sharper(&f, out);
    }
    bound_spectrum_clear(&f.plain);
    bound_spectrum_clear(&f.halved);
  }
  bound_explicit_clear(&e);
  return st;
}

BOUND_THEOREM(170, spectral) = {
  .name = "spectral",
  .summary = "words that cross between runs of the order of computation, by eigenvalues; no recomputation",
  .source = "Jain and Zaharia 2020 (arXiv 1909.09791); docs/theory-graphs.md, section 2",
  .apply = apply_spectral,
};
