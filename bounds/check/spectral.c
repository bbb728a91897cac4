/* Certificates of the spectral bounds (docs/theory-graphs.md, section 2), in integers.

   Each step is checked by counting: for an FFT graph, the negative pivots of its paths in exact fractions; for any
   other, those of L D L^T in fixed point.  Edge weights are rounded down to units of 2^-SCALE, which only lowers
   eigenvalues (the difference is a Laplacian).  Every product and quotient is off by less than a unit, and a pivot is
   made odd, for it must not be 0: so the entries of A - L D L^T are at most (largest row sum of |L| |D|) + (longest row
   of L) + 3 units, and their row sums that times the most entries of a row: far below what a step leaves as room. */
#include "base/scoped.h"
#include "bounds/check/reading/graph.h"
#include "base/mem.h"
#include "base/num.h"
#include <string.h>

enum { PLACES = 40, SCALE = 96, ROOM = 46, NONE = -1 };

typedef struct {
  const bound_claim *claim;
  const cdag_graph *g;
  uint8_t *weight; /* of the graph's vertices: 0 for those left out */
  uint64_t compulsory, n, sinks;
  bool halved;
  int64_t runs;
  text *reason;
} checker;

/* ---- paths of the FFT ---- */

/* Twice the weight between ranks r and r + 1 in one path. */
static int joint(const checker *k, int64_t levels, int64_t r)
{
  return r < 0 || r >= levels ? 0 : r == 0 && k->halved ? 1 : 2;
}

/* Negative pivots of 2 (T - s), T the path over `ranks` ranks from `first`; -1 when a pivot is zero. */
static int path_count(const checker *k, int64_t levels, int64_t first, int64_t ranks, const mpq_t s)
{
  mpq_t pivot, term;
  int negative = 0;
  mpq_inits(pivot, term, NULL);
  for (int64_t r = first; r < first + ranks && negative >= 0; r++) {
    int below = joint(k, levels, r - 1);
    if (r > first) { /* what the pivot before takes off */
      mpq_set_si(term, below * below, 1);
      mpq_div(term, term, pivot);
    } else
      mpq_set_ui(term, 0, 1);
    mpq_set_si(pivot, below + joint(k, levels, r), 1);
    mpq_sub(pivot, pivot, term);
    mpq_sub(pivot, pivot, s);
    mpq_sub(pivot, pivot, s);
    negative = mpq_sgn(pivot) == 0 ? -1 : negative + (mpq_sgn(pivot) == -1);
  }
  mpq_clears(pivot, term, NULL);
  return negative;
}

/* Add `times` copies of the path's count; false when a pivot is zero. */
static bool add_path(const checker *k, int64_t levels, int64_t first, int64_t ranks, uint64_t times, const mpq_t s,
                     uint64_t *total)
{
  int count = path_count(k, levels, first, ranks, s);
  *total += (uint64_t)num_max(count, 0) * times;
  return count >= 0;
}

static bool fft_step(const checker *k, int64_t levels, uint64_t below, int64_t value)
{
  mpq_t s;
  uint64_t total = 0;
  mpq_init(s);
  mpq_set_si(s, value, 1);
  mpq_div_2exp(s, s, PLACES);
  bool regular = add_path(k, levels, 0, levels + 1, 1, s, &total);
  for (int64_t i = 1; i <= levels; i++) {
    uint64_t free_bits = UINT64_C(1) << (levels - i);
    regular &= add_path(k, levels, 0, i, free_bits, s, &total);
    regular &= add_path(k, levels, levels + 1 - i, i, free_bits, s, &total);
    for (int64_t first = 1; first <= levels - i; first++)
      regular &= add_path(k, levels, first, i, free_bits / 2, s, &total);
  }
  mpq_clear(s);
  return regular && total <= below;
}

/* ---- factors in fixed point ---- */

typedef struct {
  uint64_t n;
  uint32_t *row_of; /* of the graph's vertices; n: left out */
  uint32_t *vertex; /* n */
  uint64_t *start;  /* n+1: rows of A left of the diagonal */
  uint32_t *left;
  mpz_t *entry, *diagonal;
  int64_t *parent;
  uint64_t *column_at; /* n+1: of L */
  uint64_t *filled;
  uint32_t *l_row;
  mpz_t *l, *d, *y, *row_sum; /* row_sum: of |L| |D|, scaled */
  uint32_t *mark, *pattern, *stack;
  int64_t longest_row, most_entries;
} factors;

static mpz_t *integers(uint64_t n)
{
  mpz_t *v = MEM_NEW(mpz_t, n);
  for (uint64_t i = 0; i < n; i++)
    mpz_init(v[i]);
  return v;
}

static void integers_free(mpz_t *v, uint64_t n)
{
  for (uint64_t i = 0; v && i < n; i++)
    mpz_clear(v[i]);
  mem_free(v);
}

static void edge_weight(const checker *k, uint32_t u, mpz_t w)
{
  const cdag_rows *succ = cdag_graph_successors(k->g);
  uint64_t degree = 0;
  for (uint64_t e = succ->at[u]; e < succ->at[u + 1]; e++)
    degree += k->weight[succ->to[e]] != 0;
  mpz_set_ui(w, 1);
  mpz_mul_2exp(w, w, SCALE);
  mpz_fdiv_q_ui(w, w, degree * (k->halved && k->weight[u] == 1 ? 2 : 1));
}

/* Entries of row i left of the diagonal; the weights of the edges at its vertex make the diagonal. */
static void add_row(const checker *k, factors *f, uint32_t i)
{
  const cdag_graph *g = k->g;
  uint32_t v = f->vertex[i];
  uint64_t at = f->start[i];
  SCOPED_MPZ w;
  mpz_init(w);
  for (int up = 0; up < 2; up++) {
    cdag_rows rows = up ? *cdag_graph_successors(g) : (cdag_rows){ g->pred_at, g->pred };
    for (uint64_t e = rows.at[v]; e < rows.at[v + 1]; e++) {
      uint32_t u = rows.to[e];
      if (!k->weight[u])
        continue;
      edge_weight(k, up ? v : u, w);
      mpz_add(f->diagonal[i], f->diagonal[i], w);
      if (f->row_of[u] < i) {
        mpz_neg(f->entry[at], w);
        f->left[at++] = f->row_of[u];
      }
    }
  }
  f->start[i + 1] = at;
}

static void find_tree(factors *f)
{
  for (uint32_t i = 0; i < f->n; i++) {
    int64_t length = 0;
    f->parent[i] = NONE;
    f->mark[i] = i;
    for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++)
      for (int64_t j = f->left[e]; f->mark[j] != i; j = f->parent[j], length++) {
        f->parent[j] = f->parent[j] == NONE ? (int64_t)i : f->parent[j];
        f->mark[j] = i;
        f->column_at[j + 1]++;
      }
    f->longest_row = num_max(f->longest_row, length);
    f->filled[i] = (uint64_t)length;
  }
  for (uint32_t j = 0; j < f->n; j++) {
    f->most_entries = num_max(f->most_entries, (int64_t)(f->filled[j] + f->column_at[j + 1]) + 1);
    f->column_at[j + 1] += f->column_at[j];
  }
}

static uint32_t row_pattern(factors *f, uint32_t i)
{
  uint64_t top = f->n;
  f->mark[i] = i;
  for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
    uint64_t length = 0;
    for (int64_t j = f->left[e]; f->mark[j] != i; j = f->parent[j]) {
      f->stack[length++] = (uint32_t)j;
      f->mark[j] = i;
    }
    while (length > 0)
      f->pattern[--top] = f->stack[--length];
  }
  return (uint32_t)top;
}

/* Row i of L and d_i. */
static void factor_row(factors *f, uint32_t i, const mpz_t shift, mpz_t t)
{
  mpz_sub(f->d[i], f->diagonal[i], shift);
  mpz_set_ui(f->row_sum[i], 0);
  for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++)
    mpz_set(f->y[f->left[e]], f->entry[e]);
  for (uint64_t p = row_pattern(f, i); p < f->n; p++) {
    uint32_t j = f->pattern[p];
    uint64_t end = f->column_at[j] + f->filled[j]++;
    for (uint64_t e = f->column_at[j]; e < end; e++) {
      mpz_mul(t, f->l[e], f->y[j]);
      mpz_fdiv_q_2exp(t, t, SCALE);
      mpz_sub(f->y[f->l_row[e]], f->y[f->l_row[e]], t);
    }
    f->l_row[end] = i;
    mpz_mul_2exp(t, f->y[j], SCALE);
    mpz_fdiv_q(f->l[end], t, f->d[j]);
    mpz_mul(t, f->l[end], f->y[j]);
    mpz_fdiv_q_2exp(t, t, SCALE);
    mpz_sub(f->d[i], f->d[i], t);
    mpz_mul(t, f->l[end], f->d[j]);
    mpz_abs(t, t);
    mpz_cdiv_q_2exp(t, t, SCALE);
    mpz_add(f->row_sum[i], f->row_sum[i], t);
    mpz_set_ui(f->y[j], 0);
  }
  mpz_setbit(f->d[i], 0);
  mpz_abs(t, f->d[i]);
  mpz_add(f->row_sum[i], f->row_sum[i], t);
}

/* Is the row sum of |A - s - L D L^T|, in units, less than 2^(SCALE - ROOM - 1)? */
static bool is_accurate(const factors *f, mpz_t t)
{
  mpz_set_ui(t, 0);
  for (uint64_t i = 0; i < f->n; i++)
    if (mpz_cmp(f->row_sum[i], t) > 0)
      mpz_set(t, f->row_sum[i]);
  mpz_cdiv_q_2exp(t, t, SCALE);
  mpz_add_ui(t, t, (uint64_t)f->longest_row + 3);
  mpz_mul_si(t, t, f->most_entries);
  return mpz_sizeinbase(t, 2) <= SCALE - ROOM - 1;
}

static bool counted_step(factors *f, uint64_t below, int64_t value)
{
  uint64_t negative = 0;
  SCOPED_MPZ shift, t;
  mpz_inits(shift, t, NULL);
  mpz_set_si(shift, value);
  mpz_mul_2exp(shift, shift, ROOM - PLACES);
  mpz_add_ui(shift, shift, 1); /* room for the error */
  mpz_mul_2exp(shift, shift, SCALE - ROOM);
  memset(f->filled, 0, f->n * sizeof *f->filled);
  memset(f->mark, 0xff, f->n * sizeof *f->mark);
  for (uint32_t i = 0; i < f->n; i++) {
    factor_row(f, i, shift, t);
    negative += mpz_sgn(f->d[i]) == -1;
  }
  return is_accurate(f, t) && negative <= below;
}

static void factors_clear(factors *f)
{
  uint64_t edges = f->start ? f->start[f->n] : 0, filled = f->column_at ? f->column_at[f->n] : 0;
  integers_free(f->entry, edges);
  integers_free(f->l, filled);
  integers_free(f->diagonal, f->n), integers_free(f->d, f->n), integers_free(f->y, f->n),
      integers_free(f->row_sum, f->n);
  void *const blocks[] = { f->row_of, f->vertex, f->start, f->left,    f->parent, f->column_at,
                           f->filled, f->l_row,  f->mark,  f->pattern, f->stack };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
}

/* The order must name every vertex that matters once. */
static bool read_order(const checker *k, factors *f, const json_value *order)
{
  if (!order || order->type != JSON_ARRAY || order->n != k->n)
    return bound_refuse(k->reason, "'order' does not name the %llu vertices that matter", (unsigned long long)k->n);
  bool good = true;
  for (uint32_t x = 0; x < k->g->n; x++)
    f->row_of[x] = (uint32_t)k->n;
  for (uint64_t i = 0; i < k->n && good; i++) {
    int64_t x;
    good = json_integer64(&order->item[i], &x) && x >= 0 && x <= (int64_t)k->g->n - 1 && k->weight[x] &&
           f->row_of[x] == k->n;
    if (good)
      f->row_of[x] = (uint32_t)i, f->vertex[i] = (uint32_t)x;
  }
  return good || bound_refuse(k->reason, "'order' names a vertex twice, or one that does not matter");
}

static bool prepare(const checker *k, factors *f)
{
  uint64_t n = k->n;
  *f = (factors){ .n = n, .row_of = MEM_NEW(uint32_t, k->g->n), .vertex = MEM_NEW(uint32_t, n) };
  f->start = MEM_NEW(uint64_t, n + 1), f->column_at = MEM_NEW(uint64_t, n + 1);
  f->diagonal = integers(n), f->d = integers(n), f->y = integers(n), f->row_sum = integers(n);
  if (!read_order(k, f, json_get(k->claim->parameters, "order")))
    return false;
  f->left = MEM_NEW(uint32_t, k->g->m), f->parent = MEM_NEW(int64_t, n), f->filled = MEM_NEW(uint64_t, n);
  f->mark = MEM_NEW(uint32_t, n), f->pattern = MEM_NEW(uint32_t, n), f->stack = MEM_NEW(uint32_t, n);
  mpz_t *entry = integers(k->g->m);
  f->entry = entry;
  for (uint32_t i = 0; i < n; i++)
    add_row(k, f, i);
  for (uint64_t e = f->start[n]; e < k->g->m; e++)
    mpz_clear(entry[e]); /* edges to vertices that do not matter */
  find_tree(f);
  f->l_row = MEM_NEW(uint32_t, f->column_at[n]), f->l = integers(f->column_at[n]);
  return true;
}

/* ---- steps and the sum ---- */

static bool read_step(const json_value *steps, size_t i, int64_t *below, int64_t *value)
{
  return json_integer64(&steps->item[i], below) && json_integer64(&steps->item[i + 1], value);
}

static bool check_steps(const checker *k, const json_value *steps)
{
  int64_t levels, below = 0, value = 0, last_below = 0, last_value = 0; /* the eigenvalue 0 is below every value */
  bool fft = json_get_int(k->claim->parameters, "levels", &levels), good = true;
  factors f = { 0 };
  if (steps->n == 0)
    return true;
  if (fft ? !checker_is_fft(k->g, levels) || !checker_last_rank_is_output(k->claim->g, k->g, levels) ||
                k->compulsory != UINT64_C(2) << levels
          : !prepare(k, &f)) {
    factors_clear(&f);
    return fft ? bound_refuse(k->reason, "this is not an FFT graph of that many levels") : false;
  }
  for (size_t i = 0; i < steps->n && good; i += 2) {
    good = read_step(steps, i, &below, &value) && below > last_below && value > last_value && below < k->runs;
    good = good && (fft ? fft_step(k, levels, (uint64_t)below, value) : counted_step(&f, (uint64_t)below, value));
    last_below = below;
    last_value = value;
  }
  factors_clear(&f);
  return good || bound_refuse(k->reason, "a step does not hold, or is not one");
}

/* What the first `count` eigenvalues sum to at least, in 2^-PLACES. */
static void add_first(const json_value *steps, int64_t count, uint64_t times, mpz_t sum)
{
  SCOPED_MPZ part;
  mpz_init(part);
  int64_t next = INT64_MAX, below, value;
  for (size_t i = steps->n; i > 0; i -= 2, next = below) {
    read_step(steps, i - 2, &below, &value);
    mpz_set_si(part, value);
    mpz_mul_si(part, part, num_max(num_min(next, count) - below, 0));
    mpz_mul_ui(part, part, times);
    mpz_add(sum, sum, part);
  }
}

static void derive(const checker *k, const json_value *steps, mpz_t value)
{
  const char *theorem = k->claim->theorem;
  bool published = strcmp(theorem, "spectral") == 0, sliding = strcmp(theorem, "spectral-boundaries-sliding") == 0;
  uint64_t runs = (uint64_t)k->runs, words = (uint64_t)k->claim->m - !(published || sliding);
  SCOPED_MPZ cut, saved;
  mpz_inits(cut, saved, NULL);
  if (runs > 0) {
    add_first(steps, k->runs, k->n / runs, cut);
    add_first(steps, (int64_t)(k->n % runs), 1, cut);
    mpz_cdiv_q_2exp(cut, cut, PLACES);
    mpz_set_ui(saved, 2 * (published ? runs : runs - 1));
    mpz_submul_ui(cut, saved, words);
  }
  if (mpz_sgn(cut) == -1)
    mpz_set_ui(cut, 0);
  mpz_add_ui(value, cut, k->halved ? k->compulsory : k->sinks);
}

static bool check_all(checker *k, mpz_t value)
{
  const json_value *p = k->claim->parameters, *steps = json_get(p, "steps");
  int64_t halved;
  if (!json_get_int(p, "runs", &k->runs) || k->runs < 0 || (uint64_t)k->runs > k->n ||
      !json_get_int(p, "halved", &halved) || halved < 0 || halved > 1)
    return bound_refuse(k->reason, "'runs' or 'halved' is missing or out of range");
  k->halved = halved;
  if (k->halved && strcmp(k->claim->theorem, "spectral") == 0)
    return bound_refuse(k->reason, "halved weights are not in the published theorem");
  if (!steps || steps->type != JSON_ARRAY || steps->n % 2)
    return bound_refuse(k->reason, "'steps' is not a list of pairs");
  if (!check_steps(k, steps))
    return false;
  derive(k, steps, value);
  return true;
}

static bool check_spectral(const bound_claim *c, mpz_t value, text *reason)
{
  cdag_graph made = { 0 };
  checker k = { .claim = c, .reason = reason };
  diag d;
  if (checker_graph_of(c->g, &made, &k.g, &d) != OK)
    return bound_refuse(reason, "%s", d.message);
  k.weight = MEM_NEW(uint8_t, k.g->n);
  k.compulsory = checker_weigh(c->g, k.g, k.weight);
  const cdag_rows *succ = cdag_graph_successors(k.g);
  for (uint32_t v = 0; v < k.g->n; v++) {
    k.n += k.weight[v] > 0;
    bool last = k.weight[v] == 1;
    for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
      last = last && !k.weight[succ->to[e]];
    k.sinks += last;
  }
  bool valid = check_all(&k, value);
  mem_free(k.weight);
  cdag_graph_clear(&made);
  return valid;
}

/* "spectral", "spectral-boundaries", "spectral-boundaries-sliding": {"runs": k, "halved": 0 or 1, "steps": [below,
   value, ...], and "levels": l for an FFT graph or "order": [the vertices that matter, in an order of elimination]}.  A
   step says that at most `below` eigenvalues of the Laplacian are smaller than value / 2^40. */
BOUND_CHECKER(spectral) = { "spectral", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, check_spectral };
BOUND_CHECKER(spectral_boundaries) = { "spectral-boundaries", BOUND_ONE_SHOT | BOUND_PLACING, check_spectral };
BOUND_CHECKER(spectral_boundaries_sliding) = { "spectral-boundaries-sliding",
                                               BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, check_spectral };
