/* Sums over pieces of a graph, each with its exact optimum (docs/theory-graphs.md, section 6). */
#include "bounds/graph/pieces.h"
#include "base/clock.h"
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/proof.h"
#include "bounds/recognise/explicit.h"
#include "pebble/optimal.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* What all searches together may store: without time, when a test asks for little work, and for each second given; and
   with how little a search is not worth while. */
enum { LARGEST = 20000, SMALLEST = 12, SIZES = 4 };
static const double quick_bytes = 3e7, little_bytes = 2e6, bytes_per_second = 1e7, least_bytes = 1e5,
                    bytes_per_position = 45;

/* ---- the graph of a piece ---- */

typedef struct {
  const cdag_graph *g;
  const uint32_t *piece;
  uint32_t p, n, *name;               /* name: of each vertex that takes part, + 1 */
  uint32_t *from, *to;
  size_t m, from_room, to_room;
  uint64_t known;
} builder;

static void connect(builder *b, uint32_t from, uint32_t to)
{
  b->from = mem_room(b->from, b->m, &b->from_room, sizeof *b->from);
  b->to = mem_room(b->to, b->m, &b->to_room, sizeof *b->to);
  b->from[b->m] = from;
  b->to[b->m++] = to;
}

static bool reads_piece(const builder *b, uint32_t v)
{
  for (uint64_t e = b->g->pred_at[v]; e < b->g->pred_at[v + 1]; e++)
    if (b->piece[b->g->pred[e]] == b->p)
      return true;
  return false;
}

/* What v reads: words of the piece, and inputs that stand for the others. */
static void add_reads(builder *b, uint32_t v)
{
  for (uint64_t e = b->g->pred_at[v]; e < b->g->pred_at[v + 1]; e++) {
    uint32_t u = b->g->pred[e];
    if (b->piece[u] != b->p)
      b->known++;
    connect(b, b->piece[u] == b->p ? b->name[u] - 1 : b->n++, b->name[v] - 1);
  }
}

void bound_piece_graph(const cdag_graph *g, const uint32_t *piece, uint32_t p, cdag_graph *out, uint64_t *known)
{
  builder b = { .g = g, .piece = piece, .p = p, .name = MEM_NEW(uint32_t, g->n) };
  for (uint32_t v = 0; v < g->n; v++)
    if (piece[v] == p || reads_piece(&b, v))
      b.name[v] = ++b.n;
  for (uint32_t v = 0; v < g->n; v++)
    if (b.name[v])
      add_reads(&b, v);
  uint8_t *output = MEM_NEW(uint8_t, b.n);
  for (uint32_t v = 0; v < g->n; v++)
    if (b.name[v]) {
      bool guest = piece[v] != p;     /* it reads the piece */
      output[b.name[v] - 1] = guest || g->output[v];
      b.known += guest;
    }
  status st = cdag_graph_init(out, b.n, b.m, b.from, b.to, output, NULL);
  assert(st == OK);
  (void)st;
  *known = b.known;
  mem_free(b.name);
  mem_free(b.from);
  mem_free(b.to);
  mem_free(output);
}

/* ---- the sum ---- */

typedef struct {
  uint32_t *piece, pieces, proved;    /* proved: pieces whose optimum is known */
  uint64_t value, states;
} sum;

typedef struct {
  double bytes, until;                /* of each search; of the clock, 0: none */
} limits;

/* False when the time is over. */
static bool add_piece(const bound_question *q, const bound_explicit *e, uint32_t p, const limits *l, sum *s)
{
  cdag_graph g;
  uint64_t known;
  bound_piece_graph(&e->g, s->piece, p, &g, &known);
  pebble_rules rules = { (pebble_variant)q->variant, true, q->m };
  double left = l->until > 0 ? l->until - clock_seconds() : 0;
  pebble_optimal_limits each = { .seconds = l->until > 0 ? fmax(left, 0.001) : 0, .bytes = (uint64_t)l->bytes };
  pebble_optimum o = { 0 };
  diag d = { 0 };
  status st = pebble_optimal(&g, &rules, &each, &o, &d);
  if (st == OK || st == GAVE_UP) {
    s->value += o.lower - known;
    s->states += o.states;
    s->proved += o.proved;
  }
  pebble_optimum_clear(&o);
  cdag_graph_clear(&g);
  return (st == OK || st == GAVE_UP) && left >= 0;
}

static void keep_better(sum *best, sum *s)
{
  if (s->value > best->value) {
    sum t = *best;
    *best = *s;
    *s = t;
  }
  mem_free(s->piece);
}

/* Larger pieces prove more, as long as their searches come far enough: they have what smaller ones left.  They are left
   out where smaller ones prove much less than is known: M is large then beside what a search can hold. */
static void search(const bound_question *q, const bound_explicit *e, uint64_t known, sum *best)
{
  static const uint32_t sizes[SIZES] = { 18, 26, 36, 50 };
  double bytes = (q->work ? little_bytes : quick_bytes) + bytes_per_second * fmin(q->seconds, 1000);
  limits l = { 0, q->seconds > 0 ? clock_seconds() + 0.3 * fmin(q->seconds, 1e6) : 0 };
  for (int i = 0; i < SIZES && (i == 0 || sizes[i - 1] < e->g.n); i++) {
    if (i > 0 && best->value < e->compulsory + (known - e->compulsory) / 4)
      break;
    if (bytes / (SIZES - i) * sizes[i] < least_bytes * e->g.n) /* there are n / size pieces or more */
      break;
    sum s = { .piece = MEM_NEW(uint32_t, e->g.n) };
    s.pieces = bound_pieces_cut(&e->g, sizes[i], s.piece);
    l.bytes = bytes / (SIZES - i) / s.pieces;
    bool in_time = l.bytes >= least_bytes;
    for (uint32_t p = 0; p < s.pieces && in_time; p++)
      in_time = add_piece(q, e, p, &l, &s);
    if (!in_time)
      s.value = 0;
    bytes -= bytes_per_position * (double)s.states;
    keep_better(best, &s);
  }
}

/* ---- the record ---- */

static void put_proof(bound *b, const bound_explicit *e, const sum *s)
{
  proof say = { &b->proof, &b->proof_latex };
  proof_say(&say,
            "Nothing is computed twice. Cut the {%lu} vertices that matter into {%lu} pieces with few edges between "
            "them. For each piece take the graph of its vertices and of all that reads one of them; every other word "
            "that one of these reads becomes an input of its own. A play of the whole gives a play of this graph: "
            "keep the moves on the vertices of the piece and the computations of their readers, load the other words "
            "just before they are read and drop them just after, store readers from outside the piece at once and drop "
            "them. It needs no more memory, because the words read are in memory at that moment of the whole play too.",
            (unsigned long)e->g.n, (unsigned long)s->pieces);
  proof_paragraph(&say);
  proof_say(&say,
            "Beyond the moves on vertices of the piece it has one load for each input that was added and one store for "
            "each reader from outside. So the moves on the piece are at least the optimum of its graph less these. "
            "Every load and store of the whole play is of a vertex of one piece: the pieces add up. The optima "
            "are those of a search that tries plays in order of their cost: {%lu} positions; of {%lu} pieces the "
            "optimum is known, of the others what the search proved before it was stopped.",
            (unsigned long)s->states, (unsigned long)s->proved);
  proof_paragraph(&say);
  proof_say(&say, "Together {Q >= %lu} in any play without recomputation.", (unsigned long)s->value);
  proof_paragraph(&say);
}

static void add_record(const bound_question *q, const bound_explicit *e, const sum *s, bound_list *out)
{
  unsigned models = BOUND_ONE_SHOT | BOUND_PLACING | (q->variant == PEBBLE_SLIDING ? BOUND_SLIDING : 0);
  bound *b = bound_list_add(out, "pieces", BOUND_PROVED, models, "docs/theory-graphs.md, section 6");
  mpz_set_ui(b->value, s->value);
  text_add(&b->leading, "sum of the optima of disjoint pieces");
  if (q->want_proof)
    put_proof(b, e, s);
}

/* What the theorems before this one prove in the game that is asked, at least the compulsory moves. */
static uint64_t known_so_far(const bound_question *q, const bound_explicit *e, const bound_list *list)
{
  uint64_t known = e->compulsory;
  for (size_t i = 0; i < list->n; i++) {
    const bound *b = &list->item[i];
    if (b->trust <= BOUND_CERTIFIED && bound_holds_in(b, q) && mpz_cmp_ui(b->value, known) > 0 &&
        mpz_fits_ulong_p(b->value))
      known = mpz_get_ui(b->value);
  }
  return known;
}

static status apply(const bound_question *q, bound_list *out, diag *d)
{
  bound_explicit e;
  if (q->no_search || !q->one_shot || q->variant == PEBBLE_PARTIAL || !bound_explicit_fits(q->g, LARGEST))
    return OK;
  status st = bound_explicit_init(&e, q->g, LARGEST, d);
  if (st == OK && e.g.n >= SMALLEST && q->m >= bound_explicit_least_memory(&e, q->variant == PEBBLE_PLACING)) {
    sum best = { 0 };
    search(q, &e, known_so_far(q, &e, out), &best);
    if (best.value > e.compulsory)
      add_record(q, &e, &best, out);
    mem_free(best.piece);
  }
  bound_explicit_clear(&e);
  return st;
}

BOUND_THEOREM(167, pieces) = {
  .name = "pieces",
  .summary = "sums over disjoint pieces of a graph, each with its exact optimum; no recomputation",
  .source = "Jain and Zaharia 2020 (arXiv 1909.09791), second method; docs/theory-graphs.md, section 6",
  .apply = apply,
};
