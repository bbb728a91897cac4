/* The spectrum of the FFT graph (docs/theory-graphs.md, section 2).

   In the Hadamard basis of the lanes the Laplacian falls apart into paths: the coupling of ranks t and t + 1 is a_t for
   the characters without bit b_t and 0 for the others, a_t = 1, or 1/2 for halved weights at t = 0.  So there is one
   path over all ranks, 2^(l-i) that begin at rank 0 and have i ranks, as many that end at rank l, and 2^(l-i-1) for
   each of l - i places inside. With a_t = 1 their eigenvalues are 2 - 2 cos of known angles; here they are found by
   bisection on Sturm's count, in integers, which also covers the halved weights and leaves nothing to trust. */
#include "bounds/graph/spectral.h"
#include "base/mem.h"
#include <assert.h>

/* ---- recognising the graph ---- */

static bool same_bit(const cdag_graph *g, uint32_t lanes, uint32_t rank, uint32_t *bit)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  *bit = 0;
  for (uint32_t j = 0; j < lanes; j++) {
    uint32_t v = rank * lanes + j, next = (rank + 1) * lanes;
    const uint32_t *s = &succ->to[succ->at[v]];
    if (succ->at[v + 1] - succ->at[v] != 2 || s[0] < next || s[1] >= next + lanes)
      return false;
    uint32_t a = s[0] - next, b = s[1] - next;
    if ((a != j && b != j) || (j > 0 && (a ^ b) != *bit))
      return false;
    *bit = a ^ b;
  }
  return (*bit & (*bit - 1)) == 0;
}

bool bound_spectral_has_fft_size(uint64_t vertices, int *l)
{
  int levels = 1;
  while (levels < 26 && ((uint64_t)levels + 1) << levels < vertices)
    levels++;
  *l = levels;
  return ((uint64_t)levels + 1) << levels == vertices;
}

bool bound_spectral_is_fft(const bound_explicit *e, int *l)
{
  const cdag_graph *g = &e->g;
  int levels;
  if (!bound_spectral_has_fft_size(g->n, &levels) || g->m != (uint64_t)levels << (levels + 1))
    return false;
  uint32_t seen = 0, bit;
  for (uint32_t rank = 0; rank < (uint32_t)levels; rank++) {
    if (!same_bit(g, 1u << levels, rank, &bit) || (seen & bit))
      return false;
    seen |= bit;
  }
  *l = levels;
  return true;
}

/* ---- one path ---- */

typedef struct {
  int l;            /* of the FFT: ranks 0 .. l */
  int first, ranks; /* ranks first .. first + ranks - 1 */
  bool halved;
} path;

/* Twice the coupling of ranks r and r + 1; 0 outside the graph. */
static int coupling(path p, int r) { return r < 0 || r >= p.l ? 0 : r == 0 && p.halved ? 1 : 2; }

/* How many eigenvalues of the path lie below value / 2^SPECTRAL_BITS: sign changes of the leading minors of 2 (T -
   value), scaled to integers.  -1 when a minor is zero. */
static int count_below(path p, int64_t value)
{
  mpz_t before, now, next;
  int changes = 0;
  mpz_init_set_ui(before, 0);
  mpz_init_set_ui(now, 1);
  mpz_init(next);
  for (int r = p.first; r < p.first + p.ranks && changes >= 0; r++) {
    int above = coupling(p, r), below = coupling(p, r - 1);
    mpz_mul_si(next, now, ((int64_t)(above + below) << SPECTRAL_BITS) - 2 * value);
    mpz_mul_2exp(before, before, 2 * SPECTRAL_BITS);
    mpz_submul_ui(next, before, (unsigned)(below * below));
    changes = mpz_sgn(next) == 0 ? -1 : changes + (mpz_sgn(next) != mpz_sgn(now));
    mpz_swap(before, now);
    mpz_swap(now, next);
  }
  mpz_clears(before, now, next, NULL);
  return changes;
}

/* The largest lower bound of the j-th eigenvalue (from 0), but for a unit. */
static int64_t eigenvalue_below(path p, int j)
{
  int64_t lo = 0, hi = INT64_C(5) << SPECTRAL_BITS; /* all lie in [0, 4] */
  while (hi - lo > 1) {
    int64_t middle = lo + (hi - lo) / 2;
    int below = count_below(p, middle);
    *(below >= 0 && below <= j ? &lo : &hi) = middle;
  }
  return lo;
}

/* ---- all of them ---- */

typedef struct {
  int64_t value;
  uint64_t times;
} group;

static void sort_groups(group *g, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    group x = g[i];
    size_t k = i;
    for (; k > 0 && g[k - 1].value > x.value; k--)
      g[k] = g[k - 1];
    g[k] = x;
  }
}

static size_t add_path(group *g, size_t n, path p, uint64_t times)
{
  for (int j = 0; j < p.ranks && times > 0; j++)
    g[n++] = (group){ eigenvalue_below(p, j), times };
  return n;
}

void bound_spectral_fft(int l, bool halved, bound_spectrum *s)
{
  size_t room = (size_t)(l + 1) * (size_t)(2 * l + 2), n = 0;
  group *g = MEM_NEW(group, room);
  uint64_t below = 0;
  n = add_path(g, n, (path){ l, 0, l + 1, halved }, 1);
  for (int i = 1; i <= l; i++) {
    n = add_path(g, n, (path){ l, 0, i, halved }, UINT64_C(1) << (l - i));
    n = add_path(g, n, (path){ l, l + 1 - i, i, halved }, UINT64_C(1) << (l - i));
    /* the coupling below the first of the inner ranks is cut, and only its weight on the diagonal stays: rank 1 differs
     */
    if (i < l)
      n = add_path(g, n, (path){ l, 1, i, halved }, UINT64_C(1) << (l - i - 1));
    if (i < l - 1)
      n = add_path(g, n, (path){ l, 2, i, halved }, (uint64_t)(l - i - 1) << (l - i - 1));
  }
  assert(n <= room);
  sort_groups(g, n);
  for (size_t i = 0; i < n; i++) {
    bound_spectrum_add(s, below, g[i].value);
    below += g[i].times;
  }
  assert(below == ((uint64_t)l + 1) << l);
  mem_free(g);
}
