/* The largest part: maximise sum r_v over words d and computed vertices r,

     r_v <= d_p + r_p  for each predecessor p of v (inputs have no r),   r_v + d_v <= 1,   sum d <= X,   0 <= d, r <= 1.

   The relaxation alone hardly ever beats the compulsory moves (docs/theory-graphs.md, section 4: spread the words
   evenly over the inputs), so the words are branched on: best first, every bound a dual solution that was checked
   exactly. */
#include "bounds/graph/partition.h"
#include "base/clock.h"
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/program/lp.h"
#include "bounds/proof.h"
#include <math.h>
#include <string.h>

enum { FREE = -1, DENOMINATOR = 1 << 16, LARGEST_LP = 60000 };

typedef struct {
  int8_t *fixed;   /* n: FREE, 0 or 1 for d */
  uint64_t most;   /* certified */
  uint32_t branch; /* a d that is far from 0 and 1; n when there is none */
} node;

typedef struct {
  const cdag_graph *g;
  uint64_t words, computed; /* computed: vertices that are no inputs */
  int *column;              /* n: of r_v; d_v is column v */
  size_t n, room;
  node *open;
  double until;             /* of clock_seconds: no node is branched on later */
} tree;

static void set_entry(lp_problem *p, int row, int column, long value)
{
  if (column >= 0)
    lp_set(p, row, column, value);
}

static void fill(lp_problem *p, const tree *t, const int8_t *fixed)
{
  const cdag_graph *g = t->g;
  int row = 0;
  for (int j = 0; j < p->cols; j++) {
    p->has_upper[j] = true;
    mpq_set_ui(p->upper[j], j >= (int)g->n || fixed[j] != 0, 1);
    mpq_set_si(p->c[j], -(j >= (int)g->n), 1);
  }
  for (uint32_t v = 0; v < g->n; v++) {
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++, row++) {
      set_entry(p, row, (int)g->pred[e], 1);
      set_entry(p, row, t->column[g->pred[e]], 1);
      set_entry(p, row, t->column[v], -1);
    }
    set_entry(p, row, (int)v, -1); /* -d_v - r_v >= -1 */
    set_entry(p, row, t->column[v], -1);
    mpq_set_si(p->b[row++], -1, 1);
  }
  for (uint32_t v = 0; v < g->n; v++)
    set_entry(p, row, (int)v, -1);
  mpq_set_si(p->b[row++], -(long)t->words, 1);
  for (uint32_t v = 0; v < g->n; v++)
    if (fixed[v] == 1) {
      set_entry(p, row, (int)v, 1);
      mpq_set_si(p->b[row++], 1, 1);
    }
}

/* floor(-least) where no feasible point of p costs less than `least`, by an exactly checked dual. */
static uint64_t certified_most(const tree *t, const lp_problem *p, const lp_answer *a)
{
  uint64_t most = t->computed;
  mpq_t *y = MEM_NEW(mpq_t, (size_t)p->rows), least;
  mpz_t whole;
  mpq_init(least);
  mpz_init(whole);
  for (int i = 0; i < p->rows; i++)
    mpq_init(y[i]);
  if (lp_dual_certify(p, a->dual_estimate, DENOMINATOR, y, least)) {
    mpq_neg(least, least);
    mpz_fdiv_q(whole, mpq_numref(least), mpq_denref(least));
    if (mpz_cmp_ui(whole, most) < 0)
      most = mpz_get_ui(whole);
  }
  for (int i = 0; i < p->rows; i++)
    mpq_clear(y[i]);
  mpz_clear(whole);
  mpq_clear(least);
  mem_free(y);
  return most;
}

static uint32_t most_undecided(const tree *t, const node *x, const double *value)
{
  uint32_t best = t->g->n;
  double far = 1e-6;
  for (uint32_t v = 0; v < t->g->n; v++) {
    double distance = fmin(value[v], 1 - value[v]);
    if (x->fixed[v] == FREE && distance > far) {
      far = distance;
      best = v;
    }
  }
  return best;
}

/* Bound the node; it keeps what it has when GLPK fails. */
static void relax(const tree *t, node *x)
{
  lp_problem p;
  lp_answer a = { 0 };
  diag d;
  int ones = 0;
  for (uint32_t v = 0; v < t->g->n; v++)
    ones += x->fixed[v] == 1;
  lp_init(&p, (int)(t->g->m + t->g->n) + 1 + ones, (int)(t->g->n + t->computed));
  fill(&p, t, x->fixed);
  x->branch = t->g->n;
  if (lp_solve(&p, &a, &d) == OK && a.verdict == LP_OPTIMAL) {
    uint64_t most = certified_most(t, &p, &a);
    x->most = most < x->most ? most : x->most;
    x->branch = most_undecided(t, x, a.x_estimate);
  }
  lp_answer_clear(&a);
  lp_clear(&p);
}

static void add_node(tree *t, const int8_t *fixed, uint64_t most)
{
  t->open = mem_room(t->open, t->n, &t->room, sizeof *t->open);
  node *x = &t->open[t->n++];
  *x = (node){ .fixed = MEM_NEW(int8_t, t->g->n), .most = most };
  memcpy(x->fixed, fixed, t->g->n);
}

static size_t first_node(const tree *t)
{
  size_t best = 0;
  for (size_t i = 1; i < t->n; i++)
    if (t->open[i].most > t->open[best].most)
      best = i;
  return best;
}

static uint64_t count_ones(const tree *t, const int8_t *fixed)
{
  uint64_t ones = 0;
  for (uint32_t v = 0; v < t->g->n; v++)
    ones += fixed[v] == 1;
  return ones;
}

/* Put both settings of the node's branching vertex in its place. */
static void split(tree *t, size_t i)
{
  node x = t->open[i];
  t->open[i] = t->open[--t->n];
  for (int8_t value = 0; value < 2; value++) {
    x.fixed[x.branch] = value;
    if (count_ones(t, x.fixed) > t->words)
      continue;
    add_node(t, x.fixed, x.most);
    relax(t, &t->open[t->n - 1]);
  }
  mem_free(x.fixed);
}

static uint64_t explore(tree *t, unsigned nodes, bool *exact)
{
  int8_t *fixed = MEM_NEW(int8_t, t->g->n);
  memset(fixed, FREE, t->g->n);
  add_node(t, fixed, t->computed);
  mem_free(fixed);
  relax(t, &t->open[0]);
  for (unsigned i = 1; i < nodes && clock_seconds() < t->until; i += 2) {
    size_t first = first_node(t);
    if (t->open[first].branch == t->g->n)
      break;
    split(t, first);
  }
  size_t first = first_node(t);
  uint64_t most = t->open[first].most;
  *exact = t->open[first].branch == t->g->n;
  for (size_t i = 0; i < t->n; i++)
    mem_free(t->open[i].fixed);
  mem_free(t->open);
  return most;
}

static uint64_t reach(const cdag_graph *g, uint64_t words, unsigned nodes, double until, bool *exact)
{
  tree t = { .g = g, .words = words, .until = until, .column = MEM_NEW(int, g->n) };
  for (uint32_t v = 0; v < g->n; v++)
    t.column[v] = cdag_graph_is_input(g, v) ? -1 : (int)(g->n + t.computed++);
  bool all = words >= g->n - t.computed; /* the inputs reach everything */
  *exact = true;
  uint64_t most = all ? t.computed : words == 0 ? 0 : explore(&t, nodes, exact);
  mem_free(t.column);
  return most;
}

uint64_t bound_partition_reach(const cdag_graph *g, uint64_t words, unsigned nodes, bool *exact)
{
  return reach(g, words, nodes, CLOCK_NEVER, exact);
}

/* ---- the bound ---- */

typedef struct {
  uint64_t t, first, later, value;
} segments;

/* Segments of t loads, each beginning with one: a load finds at most M - 1 words red. */
static segments with_segments_of(const bound_explicit *e, uint64_t m, uint64_t t, unsigned nodes, double until)
{
  bool exact;
  uint64_t computed = 0, outputs = 0;
  for (uint32_t v = 0; v < e->g.n; v++) {
    computed += !cdag_graph_is_input(&e->g, v);
    outputs += e->g.output[v];
  }
  segments s = { .t = t, .later = reach(&e->g, m - 1 + t, nodes, until, &exact) };
  s.first = s.later == computed ? computed : reach(&e->g, t, nodes, until, &exact);
  if (computed > s.first && s.later > 0)
    s.value = t * ((computed - s.first - 1) / s.later + 1) + 1 + outputs;
  return s;
}

static void put_proof(bound *b, const bound_question *q, const segments *s)
{
  proof say = { &b->proof, &b->proof_latex };
  proof_tell(&say, "graph/partition/proof", "t %lu, reached %lu, later %lu, first %lu, value %lu", (unsigned long)s->t,
             (unsigned long)(q->m - 1 + s->t), (unsigned long)s->later, (unsigned long)s->first,
             (unsigned long)s->value);
}

static void add_record(const bound_question *q, const segments *s, bound_list *out)
{
  bound *b = bound_list_add(out, "s-partition", BOUND_CERTIFIED, BOUND_ANY,
                            "Hong and Kung 1981 (theorem 3.1, corrected); docs/theory-graphs.md, section 4");
  mpz_set_ui(b->value, s->value);
  text_add(&b->leading, "T ceil((V - h(T)) / h(M - 1 + T)) + 1 + outputs");
  text_printf(&b->parameters, "{\"T\":%llu,\"first\":%llu,\"later\":%llu}", (unsigned long long)s->t,
              (unsigned long long)s->first, (unsigned long long)s->later);
  if (q->want_proof)
    put_proof(b, q, s);
}

static status apply_partition(const bound_question *q, bound_list *out, diag *d)
{
  enum { SMALL = 120 };
  bound_explicit e;
  if (q->variant == 2 || !bound_explicit_fits(q->g, SMALL))
    return OK;
  status st = bound_explicit_init(&e, q->g, SMALL, d);
  uint64_t size = (e.g.m + e.g.n) * 2 * e.g.n;
  if (st == OK && e.g.n > 0 && size <= LARGEST_LP && q->m >= bound_explicit_least_memory(&e, q->variant == 0)) {
    unsigned nodes = 1 + (unsigned)fmin(1000, 4e6 * q->seconds / (double)size);
    double until = q->seconds > 0 ? clock_seconds() + q->seconds : CLOCK_NEVER;
    segments best = { 0 };
    for (uint64_t t = q->m; t <= 4 * q->m && (t == q->m || clock_seconds() < until); t += q->m) {
      segments s = with_segments_of(&e, q->m, t, nodes, until);
      if (s.value > best.value)
        best = s;
    }
    if (best.value > 0)
      add_record(q, &best, out);
  }
  bound_explicit_clear(&e);
  return st;
}

BOUND_THEOREM(180, partition) = {
  .name = "s-partition",
  .summary = "how many vertices X words have within reach, by linear programming; small graphs",
  .source = "Hong and Kung 1981 (theorem 3.1, corrected); docs/theory-graphs.md, section 4",
  .apply = apply_partition,
  .slow = true,
};
