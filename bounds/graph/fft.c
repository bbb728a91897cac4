/* The FFT graph: what X words allow, exactly (docs/theory-graphs.md, section 3; Hong and Kung 1981, theorem 4.1, with
   its constant).

   A vertex is within reach of a set D when every path from the inputs to it meets D.  X words have at most X + 2 e(X)
   vertices within reach, themselves included, e(X) = sum of the binary digits of 0 .. X-1 (the most edges among X
   vertices of a hypercube). */
#include "bounds/bound.h"
#include "bounds/graph/fft.h"
#include "bounds/leading.h"
#include "bounds/proof.h"
#include "bounds/graph/spectral.h"
#include <math.h>

uint64_t bound_fft_edges(uint64_t x)
{
  uint64_t edges = 0, ones = 0;
  for (int k = 63; k >= 0; k--)
    if (x >> k & 1) { /* numbers that agree with x above bit k and have 0 there */
      edges += ones << k;
      edges += k > 0 ? (uint64_t)k << (k - 1) : 0;
      ones++;
    }
  return edges;
}

typedef struct {
  uint64_t m, lanes, work; /* work: lanes * levels vertices to compute */
  bool one_shot, partial;
  bool moves;              /* loads and stores are counted, and vertices may be computed again */
} problem;

/* Vertices that can be computed for the first time from x words red or loaded.  In the partial game a word may be a
   vertex begun before, and end in the segment. */
static uint64_t reach(const problem *p, uint64_t x)
{
  if (x >= p->lanes)
    return p->work;
  uint64_t most = 2 * bound_fft_edges(x) + (p->partial ? x : 0);
  return most < p->work ? most : p->work;
}

/* The same seen from the end: without recomputation all of them lead to outputs only through y words kept. */
static uint64_t reach_back(const problem *p, uint64_t y)
{
  if (y >= p->lanes)
    return p->work;
  uint64_t most = y + 2 * bound_fft_edges(y);
  return most < p->work ? most : p->work;
}

/* Words and the lanes of what they reach are x + M, the lanes kept by a word each: e(words) + e(lanes), and no more
 * lanes count than words. */
static uint64_t reach_in_few(const problem *p, uint64_t x)
{
  uint64_t both = x + p->m, most = bound_fft_edges(both) - (p->m < both / 2 ? p->m : both / 2);
  return most < p->work ? most : p->work;
}

/* A segment of t loads (one-shot: of t loads and stores) that begins with `red` words red. */
static uint64_t most_work(const problem *p, uint64_t red, uint64_t t)
{
  if (p->moves)
    return reach_in_few(p, red + t);
  if (!p->one_shot)
    return reach(p, red + t);
  uint64_t lo = 0, hi = t; /* the fewest loads with which the loads are no longer what limits */
  while (lo < hi) {
    uint64_t loads = lo + (hi - lo) / 2;
    if (reach(p, red + loads) >= reach_back(p, p->m + t - loads))
      hi = loads;
    else
      lo = loads + 1;
  }
  uint64_t with = reach_back(p, p->m + t - lo), limit = reach(p, red + lo);
  uint64_t most = limit < with ? limit : with, before = lo > 0 ? reach(p, red + lo - 1) : 0;
  return before > most ? before : most;
}

/* A load makes room first; a store need not. */
static uint64_t red_at_most(const problem *p)
{
  return p->one_shot || p->moves ? p->m : p->m - 1;
}

/* Moves of the kind counted, by segments of t of them; 0: no claim. */
static uint64_t by_segments(const problem *p, uint64_t t)
{
  uint64_t first = most_work(p, 0, t), later = most_work(p, red_at_most(p), t);
  if (p->work <= first || later == 0)
    return 0;
  return t * ((p->work - first - 1) / later + 1) + 1;
}

static uint64_t best_segments(const problem *p, uint64_t *best_t)
{
  uint64_t best = 0;
  *best_t = 0;
  for (uint64_t t = 1; t < 2 * p->lanes; t += 1 + t / 512) {
    uint64_t moves = by_segments(p, t);
    if (moves > best) {
      best = moves;
      *best_t = t;
    }
  }
  return best;
}

static bound_fft_cut best_cut(const problem *p)
{
  bound_fft_cut cut = { .moves = p->one_shot || p->moves };
  cut.value = best_segments(p, &cut.t);
  if (cut.value == 0)
    return cut;
  cut.first = most_work(p, 0, cut.t);
  cut.later = most_work(p, red_at_most(p), cut.t);
  cut.value += cut.moves ? 0 : p->lanes; /* each output is stored besides */
  return cut;
}

bound_fft_cut bound_fft_segments(int levels, uint64_t m, bool one_shot, bool partial)
{
  uint64_t lanes = UINT64_C(1) << levels;
  problem p = { m, lanes, lanes * (uint64_t)levels, one_shot, partial, false };
  bound_fft_cut cut = best_cut(&p), other = { 0 };
  p.moves = !one_shot && !partial && m <= lanes;
  if (p.moves)
    other = best_cut(&p);
  return other.value > cut.value ? other : cut;
}

/* ---- Hong and Kung's form ---- */

/* log2(x) rounded up, times 2^24: squaring in fixed point, each product rounded up. */
static uint64_t log2_up(uint64_t x)
{
  enum { PLACES = 24 };
  int whole = 63 - __builtin_clzll(x);
  /* y in [1, 2], 2^-62 units */
  unsigned __int128 y = whole <= 62 ? (unsigned __int128)x << (62 - whole) : (unsigned __int128)(x >> 1) + 1;
  uint64_t log = (uint64_t)whole;
  for (int i = 0; i < PLACES; i++) {
    y = (y * y + (((unsigned __int128)1 << 62) - 1)) >> 62;
    bool two = y >= (unsigned __int128)2 << 62;
    log = 2 * log + two;
    y = two ? (y + 1) >> 1 : y;
  }
  return log + 1;
}

uint64_t bound_fft_hong_kung(int levels, uint64_t m)
{
  mpz_t q, d;
  if (m >> levels)
    return 0; /* all lanes fit: the formula is negative */
  mpz_init_set_ui(q, (uint64_t)levels + 1);
  mpz_init_set_ui(d, log2_up(4 * m));
  mpz_mul_2exp(q, q, (unsigned)levels + 24 - 1);
  mpz_cdiv_q(q, q, d);
  uint64_t whole = mpz_get_ui(q);
  mpz_clears(q, d, NULL);
  return whole > m ? whole - m : 0;
}

/* ---- the records ---- */

static void add_hong_kung(const bound_question *q, int levels, bound_list *out)
{
  bound *b = bound_list_add(out, "fft-hong-kung", BOUND_PROVED, BOUND_ANY,
                            "Hong and Kung 1981; docs/theory-graphs.md, section 3");
  mpz_set_ui(b->value, bound_fft_hong_kung(levels, q->m));
  text_add(&b->leading, "n (log2 n + 1) / (2 log2(4 M)) - M");
  bound_leading_keep_near(b, ldexp(levels + 1, levels - 1) / log2(4 * (double)q->m) - (double)q->m);
}

static void say_lemma(const proof *say)
{
  proof_tell(say, "graph/fft/lemma", "");
}

static void say_moves(const proof *say, bool one_shot)
{
  if (one_shot) {
    proof_tell(say, "graph/fft/one-shot", "");
    return;
  }
  proof_tell(say, "graph/fft/recompute", "");
}

static void put_proof(bound *b, const bound_question *q, int levels, const bound_fft_cut *cut, bool one_shot)
{
  proof say = { &b->proof, &b->proof_latex };
  unsigned long lanes = 1ul << levels;
  if (!q->want_proof)
    return;
  say_lemma(&say);
  proof_tell(&say, "graph/fft/cut", "event %s, t %lu, red %lu, first_time %s",
             cut->moves ? "load or a store" : "load", (unsigned long)cut->t, (unsigned long)(q->m - !cut->moves),
             cut->moves ? "" : " for the first time");
  if (cut->moves)
    say_moves(&say, one_shot);
  proof_paragraph(&say);
  proof_tell(&say, "graph/fft/sum", "first %lu, most %lu, later %lu, t %lu, events %s, value %lu",
             (unsigned long)cut->first, lanes * (unsigned long)levels, (unsigned long)cut->later, (unsigned long)cut->t,
             cut->moves ? "moves" : "loads, and the outputs are stored besides", (unsigned long)cut->value);
}

static const char *segment_theorem(bool one_shot, bool partial)
{
  return one_shot ? "fft-segments-one-shot" : partial ? "fft-segments-partial" : "fft-segments";
}

static void put_parameters(int levels, const bound_fft_cut *cut, const char *counted, text *out)
{
  text_printf(out, "{\"levels\":%d,\"T\":%llu,\"first\":%llu,\"later\":%llu", levels, (unsigned long long)cut->t,
              (unsigned long long)cut->first, (unsigned long long)cut->later);
  if (counted)
    text_printf(out, ",\"counted\":\"%s\"", counted);
  text_add(out, "}");
}

static void add_segments(const bound_question *q, int levels, bool one_shot, bool as_written, bound_list *out)
{
  bool partial = q->variant == 2;
  bound_fft_cut cut = bound_fft_segments(levels, q->m, one_shot, partial);
  unsigned games = partial    ? BOUND_PARTIAL | BOUND_ONE_SHOT
                   : one_shot ? BOUND_PLACING | BOUND_SLIDING | BOUND_ONE_SHOT
                              : BOUND_ANY;
  if (cut.value == 0)
    return;
  bound *b =
      bound_list_add(out, segment_theorem(one_shot, partial), BOUND_PROVED, games, "docs/theory-graphs.md, section 3");
  mpz_set_ui(b->value, cut.value);
  double turns = ldexp(levels, levels) / log2((double)q->m); /* n log2 n / log2 M */
  text_add(&b->leading, cut.moves ? "2 n log2 n / log2 M" : "n log2 n / log2 M + n");
  bound_leading_keep_near(b, cut.moves ? 2 * turns : turns + ldexp(1, levels));
  if (as_written)
    put_parameters(levels, &cut, one_shot || partial ? NULL : cut.moves ? "moves" : "loads", &b->parameters);
  put_proof(b, q, levels, &cut, one_shot);
}

/* Are the live vertices all there are, in their own order?  Only then the checker sees what is seen here. */
static bool is_as_written(const bound_explicit *e, const cdag *g)
{
  bool same = e->g.n == g->vertices;
  for (uint32_t v = 0; same && v < e->g.n; v++)
    same = e->id[v] == v;
  return same;
}

static status apply_fft(const bound_question *q, bound_list *out, diag *d)
{
  enum { SMALL = 2000, LARGEST = 1 << 22 };
  bound_explicit e;
  int levels;
  if (!bound_explicit_fits(q->g, q->g->graph ? LARGEST : SMALL) || q->m < 2)
    return OK;
  if (q->g->vertices > SMALL && !bound_spectral_has_fft_size(q->g->vertices, &levels))
    return OK; /* a large graph is not written out just to see that it is none */
  status st = bound_explicit_init(&e, q->g, LARGEST, d);
  if (st == OK && bound_spectral_is_fft(&e, &levels)) {
    bool as_written = is_as_written(&e, q->g);
    add_hong_kung(q, levels, out);
    add_segments(q, levels, false, as_written, out);
    if (q->variant != 2)
      add_segments(q, levels, true, as_written, out);
  }
  bound_explicit_clear(&e);
  return st;
}

BOUND_THEOREM(190, fft) = {
  .name = "fft-segments",
  .summary = "the FFT graph: what X words allow, exactly; and Hong and Kung's form",
  .source = "Hong and Kung 1981; docs/theory-graphs.md, section 3",
  .apply = apply_fft,
};
