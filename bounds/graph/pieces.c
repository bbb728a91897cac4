/* Sums over pieces of a graph, each with its least excess (docs/theory-graphs.md, section 6). */
#include "bounds/graph/pieces.h"
#include "base/clock.h"
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/check/graph/excess.h"
#include "bounds/proof.h"
#include "pebble/game.h"
#include <math.h>
#include <string.h>

/* Positions that all searches together may look at: without time, when a test asks for little work, and for each second
   given; and how few of them for a piece are not worth while. */
enum { LARGEST = 20000, SIZES = 4, QUICK = 800000, LITTLE = 40000, PER_SECOND = 200000, LEAST = 2000 };

/* What is found of one division into pieces. */
typedef struct {
  uint32_t *piece, pieces, known;     /* known: pieces of which the least excess is known, and not only a bound */
  uint32_t *excess;                   /* of each piece, at least */
  uint64_t value, positions;
} sum;

typedef struct {
  const bound_question *q;
  const bound_explicit *e;
  uint8_t *weight;                    /* n: 1 for inputs and outputs, 2 for others */
  uint32_t *number, *first, *vertex;  /* n zeros; n + 1: where the vertices of a piece begin, piece by piece */
  double until;                       /* of the clock; 0: none */
  excess_piece piece;
} searcher;

/* ---- one piece ---- */

/* How much excess every way has, as far as so many positions tell.  A low limit spares the search what lies above: it
   grows by little where a search costs much. */
static uint32_t least_excess(const searcher *k, uint64_t *positions, bool *known)
{
  uint32_t least = 0, step = 4;
  excess_answer a = EXCESS_LIMIT;
  while (a == EXCESS_LIMIT) {
    uint64_t before = *positions;
    uint32_t now;
    a = excess_least(&k->piece, k->q->m, k->q->variant == PEBBLE_SLIDING, least + step, positions, &now);
    least = now > least ? now : least;
    step = before - *positions < *positions / 16 ? 4 : 1;
  }
  *known = a == EXCESS_KNOWN;
  return least;
}

/* ---- the sum ---- */

static void sum_clear(sum *s)
{
  mem_free(s->piece);
  mem_free(s->excess);
}

static void keep_better(sum *best, sum *s)
{
  if (s->value > best->value) {
    sum t = *best;
    *best = *s;
    *s = t;
  }
  sum_clear(s);
}

static void list_pieces(searcher *k, const sum *s)
{
  memset(k->first, 0, (k->e->g.n + 1) * sizeof *k->first);
  for (uint32_t v = 0; v < k->e->g.n; v++)
    k->first[s->piece[v] + 1]++;
  for (uint32_t p = 0; p < s->pieces; p++)
    k->first[p + 1] += k->first[p];
  for (uint32_t v = 0; v < k->e->g.n; v++)
    k->vertex[k->first[s->piece[v]]++] = v;
  for (uint32_t p = s->pieces; p > 0; p--)
    k->first[p] = k->first[p - 1];
  k->first[0] = 0;
}

/* Each piece may look at its share of the positions, and at what those before it left. */
static void add_pieces(searcher *k, uint64_t positions, sum *s)
{
  s->value = k->e->compulsory;
  list_pieces(k, s);
  for (uint32_t p = 0; p < s->pieces && (k->until <= 0 || clock_seconds() < k->until); p++) {
    uint64_t share = positions / (s->pieces - p), left = share;
    bool known;
    if (!excess_piece_init(&k->piece, &k->e->g, k->weight, k->vertex + k->first[p], k->first[p + 1] - k->first[p],
                           k->number))
      continue;
    s->excess[p] = least_excess(k, &left, &known);
    s->value += s->excess[p];
    s->known += known;
    s->positions += share - left;
    positions -= share - left;
  }
}

/* Larger pieces prove more, as long as their searches come far enough: they have what smaller ones left.  They are left
   out where smaller ones prove much less than is known: M is large then beside what a search can hold. */
static void try_sizes(searcher *k, uint64_t known, sum *best)
{
  static const uint32_t sizes[SIZES] = { 18, 26, 36, 50 };
  const bound_explicit *e = k->e;
  uint64_t left = (k->q->work ? LITTLE : QUICK) + (uint64_t)(PER_SECOND * fmin(k->q->seconds, 1000)), n = 1;
  while (n < SIZES && sizes[n - 1] < e->g.n)
    n++;
  for (uint64_t i = 0; i < n; i++) {
    if (i > 0 && best->value < e->compulsory + (known - e->compulsory) / 4)
      break;
    if (left / (n - i) * sizes[i] < (uint64_t)LEAST * e->g.n) /* there are n / size pieces or more */
      break;
    sum s = { .piece = MEM_NEW(uint32_t, e->g.n) };
    s.pieces = bound_pieces_cut(&e->g, sizes[i], s.piece);
    s.excess = MEM_NEW(uint32_t, s.pieces);
    add_pieces(k, left / (n - i), &s);
    left -= s.positions;
    keep_better(best, &s);
  }
}

static void search(const bound_question *q, const bound_explicit *e, uint64_t known, sum *best)
{
  searcher k = { .q = q, .e = e, .until = q->seconds > 0 ? clock_seconds() + 0.3 * fmin(q->seconds, 1e6) : 0 };
  k.weight = bound_explicit_weights(e);
  k.number = MEM_NEW(uint32_t, e->g.n);
  k.vertex = MEM_NEW(uint32_t, e->g.n);
  k.first = MEM_NEW(uint32_t, e->g.n + 1);
  try_sizes(&k, known, best);
  mem_free(k.weight);
  mem_free(k.number);
  mem_free(k.vertex);
  mem_free(k.first);
}

/* ---- the record ---- */

static void put_proof(bound *b, const bound_explicit *e, const sum *s)
{
  proof say = { &b->proof, &b->proof_latex };
  proof_tell(&say, "graph/pieces/proof",
             "compulsory %lu, vertices %lu, pieces %lu, positions %lu, known %lu, value %lu",
             (unsigned long)e->compulsory, (unsigned long)e->g.n, (unsigned long)s->pieces, (unsigned long)s->positions,
             (unsigned long)s->known, (unsigned long)s->value);
}

static void add_record(const bound_question *q, const bound_explicit *e, const sum *s, bound_list *out)
{
  bool sliding = q->variant == PEBBLE_SLIDING;
  bound *b = bound_list_add(out, sliding ? "pieces-sliding" : "pieces", BOUND_PROVED,
                            BOUND_ONE_SHOT | BOUND_PLACING | (sliding ? BOUND_SLIDING : 0),
                            "docs/theory-graphs.md, section 6");
  mpz_set_ui(b->value, s->value);
  text_add(&b->leading, "inputs + outputs + excess of disjoint pieces");
  bound_pieces_parameters(&b->parameters, e, s->pieces, s->piece, s->excess);
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
  if (st == OK && e.g.n > 0 && q->m >= bound_explicit_least_memory(&e, q->variant == PEBBLE_PLACING)) {
    sum best = { 0 };
    search(q, &e, known_so_far(q, &e, out), &best);
    if (best.value > e.compulsory)
      add_record(q, &e, &best, out);
    sum_clear(&best);
  }
  bound_explicit_clear(&e);
  return st;
}

BOUND_THEOREM(167, pieces) = {
  .name = "pieces",
  .summary = "sums over disjoint pieces of a graph, each with what it moves at least; no recomputation",
  .source = "Jain and Zaharia 2020 (arXiv 1909.09791), second method; docs/theory-graphs.md, section 6",
  .apply = apply,
};
