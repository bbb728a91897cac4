/* Polyhedra and the normal form of a computation, against enumeration: emptiness, extremes, differences, counts on
   small random systems; domains, what is read, inputs, outputs and what is live against the graph of random
   computations. */
#include "base/mem.h"
#include "base/num.h"
#include "cdag/polyhedral/degree.h"
#include "cdag/polyhedral/reach.h"
#include "tests/support.h"
#include "tests/support_random_cdag.h"
#include <string.h>

/* ---- random systems in a box ---- */

enum { SIDE = 5, VARS = 3 };

static bool holds(const polyhedron *p, const int64_t *x)
{
  for (int i = 0; i < p->n; i++) {
    int64_t sum = p->row[i].form.base;
    for (int v = 0; v < p->vars; v++)
      sum += p->row[i].form.coef[v] * x[v];
    if (p->row[i].equal ? sum != 0 : sum < 0)
      return false;
  }
  return true;
}

static polyhedron *random_system(arena *a, support_random *r, int most)
{
  polyhedron *p = polyhedron_new(a, VARS);
  for (int v = 0; v < VARS; v++) {
    linear x = linear_variable(v), lo = linear_constant(0), hi = linear_constant(SIDE - 1);
    polyhedron_require(a, p, &lo, &x);
    polyhedron_require(a, p, &x, &hi);
  }
  for (int64_t i = support_between(r, 0, 4); i > 0; i--) {
    linear f = linear_constant(support_between(r, -4, 6));
    for (int v = 0; v < VARS; v++)
      f.coef[v] = support_between(r, -most, most);
    polyhedron_add(a, p, &f, support_between(r, 0, 4) == 0);
  }
  return p;
}

/* The points of the box around, a little larger, so that whatever strays is seen. */
static int64_t points(const polyhedron *p, const polyhedron *not, const linear *f, int64_t *least, int64_t *most)
{
  int64_t n = 0, x[VARS];
  for (x[0] = -1; x[0] <= SIDE; x[0]++)
    for (x[1] = -1; x[1] <= SIDE; x[1]++)
      for (x[2] = -1; x[2] <= SIDE; x[2]++)
        if (holds(p, x) && !(not && holds(not, x))) {
          int64_t at = f->base + f->coef[0] * x[0] + f->coef[1] * x[1] + f->coef[2] * x[2];
          *least = n == 0 || at < *least ? at : *least;
          *most = n == 0 || at > *most ? at : *most;
          n++;
        }
  return n;
}

static void check_count(const polyhedron *p, int64_t n, int coefficients, uint64_t seed)
{
  mpz_t count;
  mpz_init(count);
  bool known = polyhedron_count(p, count);
  ck_assert_msg(!known || mpz_cmp_si(count, n) == 0, "seed %lu: %lu points counted of %ld", (unsigned long)seed,
                mpz_get_ui(count), (long)n);
  bool equality = false;
  for (int i = 0; i < p->n; i++)
    equality = equality || p->row[i].equal;
  ck_assert_msg(known || coefficients > 1 || equality, "seed %lu: not counted", (unsigned long)seed);
  mpz_clear(count);
}

START_TEST(systems_against_enumeration)
{
  support_random r = { .s = (uint64_t)_i * 7919 + 1 };
  arena a = { 0 };
  int coefficients = _i % 2 ? 1 : 3;
  for (int round = 0; round < 40; round++) {
    polyhedron *p = random_system(&a, &r, coefficients), *q = random_system(&a, &r, coefficients);
    linear f = linear_constant(1);
    for (int v = 0; v < VARS; v++)
      f.coef[v] = support_between(&r, -2, 2);
    int64_t least = 0, most = 0, lo, hi, n = points(p, NULL, &f, &least, &most);
    ck_assert_msg(!polyhedron_empty(p) || n == 0, "seed %d: a point was proved away", _i);
    ck_assert_msg(n > 0 || coefficients > 1 || polyhedron_empty(p), "seed %d: an empty system with coefficients 1", _i);
    if (n > 0) {
      ck_assert(polyhedron_least(p, &f, &lo) && lo <= least && polyhedron_most(p, &f, &hi) && hi >= most);
      linear low = f, high = linear_constant(hi);
      low.base -= lo;
      linear_add(&high, &f, -1);
      ck_assert(polyhedron_implies(p, &low, false) || coefficients > 1);
      low.base -= least - lo + 1;
      ck_assert(!polyhedron_implies(p, &low, false));
    }
    check_count(p, n, coefficients, (uint64_t)_i);
    polyhedra rest = { 0 };
    ck_assert(polyhedron_minus(&a, p, q, VARS, &rest));
    int64_t left = points(p, q, &f, &least, &most), sum = 0;
    for (int i = 0; i < rest.n; i++)
      sum += points(rest.item[i], NULL, &f, &least, &most);
    ck_assert_msg(sum == left, "seed %d: %ld points of a difference of %ld", _i, (long)sum, (long)left);
    bool exact;
    polyhedron *shadow = polyhedron_project(&a, p, 2, &exact);
    int64_t x[VARS], flat = 0, true_flat = 0;
    for (x[0] = -1; x[0] <= SIDE; x[0]++)
      for (x[1] = -1; x[1] <= SIDE; x[1]++) {
        bool any = false;
        for (x[2] = 0; x[2] < SIDE; x[2]++)
          any = any || holds(p, x);
        x[2] = 0;
        ck_assert_msg(!any || holds(shadow, x), "seed %d: a shadow without its point", _i);
        true_flat += any;
        flat += holds(shadow, x);
      }
    ck_assert_msg(!exact || flat == true_flat, "seed %d: an exact shadow that is not", _i);
    polyhedron *tidy = polyhedron_tidy(&a, p);
    ck_assert(points(tidy, NULL, &f, &least, &most) == n);
  }
  arena_clear(&a);
}
END_TEST

START_TEST(large_counts)
{
  arena a = { 0 };
  polyhedron *p = polyhedron_new(&a, 3); /* 0 <= z < y < x < 100000 */
  linear x = linear_variable(0), y = linear_variable(1), z = linear_variable(2), zero = linear_constant(0),
         n = linear_constant(100000);
  linear after_z = z, after_y = y, after_x = x;
  after_z.base = after_y.base = after_x.base = 1;
  polyhedron_require(&a, p, &zero, &z);
  polyhedron_require(&a, p, &after_z, &y);
  polyhedron_require(&a, p, &after_y, &x);
  polyhedron_require(&a, p, &after_x, &n);
  mpz_t count, right;
  mpz_inits(count, right, NULL);
  mpz_bin_uiui(right, 100000, 3);
  ck_assert(polyhedron_count(p, count) && mpz_cmp(count, right) == 0);
  mpz_clears(count, right, NULL);
  arena_clear(&a);
}
END_TEST

/* ---- computations ---- */

static bool in_piece(const polyhedron *p, const int64_t *x, int rank)
{
  arena a = { 0 };
  polyhedron *q = polyhedron_copy(&a, p);
  for (int r = 0; r < rank; r++) {
    linear v = linear_variable(r), at = linear_constant(x[r]);
    polyhedron_same(&a, q, &v, &at);
  }
  bool in = !polyhedron_empty(q);
  arena_clear(&a);
  return in;
}

static int pieces_with(const polyhedra *l, const int64_t *x, int rank)
{
  int n = 0;
  for (int i = 0; i < l->n; i++)
    n += in_piece(l->item[i], x, rank);
  return n;
}

/* Does access a read element y at x? */
static bool reads(const access *a, const int64_t *x, int rank, const int64_t *y, int rank_to)
{
  arena memory = { 0 };
  polyhedron *q = polyhedron_copy(&memory, a->where);
  for (int r = 0; r < rank; r++) {
    linear v = linear_variable(r), at = linear_constant(x[r]);
    polyhedron_same(&memory, q, &v, &at);
  }
  for (int r = 0; r < rank_to; r++) {
    linear at = linear_constant(y[r]);
    polyhedron_same(&memory, q, &a->index[r], &at);
  }
  bool does = !polyhedron_empty(q);
  arena_clear(&memory);
  return does;
}

static void mark_live(const cdag_graph *e, uint32_t v, bool *live)
{
  if (live[v])
    return;
  live[v] = true;
  for (uint64_t i = e->pred_at[v]; i < e->pred_at[v + 1]; i++)
    mark_live(e, e->pred[i], live);
}

/* What leads to an output; to be freed. */
static bool *live_elements(const cdag_graph *e)
{
  bool *live = MEM_NEW(bool, e->n);
  for (uint32_t v = 0; v < e->n; v++)
    if (e->output[v])
      mark_live(e, v, live);
  return live;
}

/* Indices as the form has them: some are divided. */
static void divided(const array_form *form, int64_t *at)
{
  int64_t x[CDAG_RANK];
  memcpy(x, at, sizeof x);
  for (int r = 0; r < form->rank; r++) {
    const index_part *p = &form->part[r];
    int64_t whole = x[p->of ? p->of - 1 : r], by = p->of ? p->under : p->by ? p->by : 1, z = num_floor_div(whole, by);
    at[r] = p->of ? z - p->by * num_floor_div(z, p->by) : z;
  }
}

/* The element as the form has it: of the array that its own is a piece of, or of one that holds a part of its own. */
static void place_of(const normal_form *f, uint32_t v, cdag_element *e)
{
  int64_t x[CDAG_RANK];
  cdag_at(f->g, v, e);
  memcpy(x, e->x, sizeof x);
  for (int r = 0; r < f->g->array[e->array].rank; r++)
    e->x[r] += f->array[e->array].more[r] ? x[f->array[e->array].more[r] - 1] : 0;
  for (int y = f->g->arrays; y < f->arrays; y++) { /* a part in an array of its own */
    memcpy(x, e->x, sizeof x);
    divided(&f->array[y], x);
    if (f->array[y].text == e->array && pieces_with(&f->array[y].domain, x, f->array[y].rank)) {
      e->array = y;
      memcpy(e->x, x, sizeof x);
      return;
    }
  }
  for (const array_form *y = &f->array[e->array]; y->piece_of; y = &f->array[e->array]) {
    memcpy(x, e->x, sizeof x);
    e->array = y->piece_of - 1;
    for (int r = 0; r < f->array[e->array].rank; r++) {
      e->x[r] = y->place[r].base;
      for (int q = 0; q < y->rank; q++)
        e->x[r] += y->place[r].coef[q] * x[q];
    }
  }
  memcpy(x, e->x, sizeof x);
  divided(&f->array[e->array], e->x);
}

static void check_vertex(const normal_form *f, const cdag_graph *e, uint32_t v, const bool *live, int *found, int seed)
{
  cdag_element at;
  place_of(f, v, &at);
  const array_form *form = &f->array[at.array];
  if (!form->known)
    return;
  ck_assert_msg(pieces_with(&form->domain, at.x, form->rank) == 1, "seed %d: vertex %u", seed, v);
  int alive = pieces_with(&form->live, at.x, form->rank);
  ck_assert_msg(alive <= live[v], "seed %d: vertex %u is not live", seed, v);
  ck_assert_msg(!pieces_with(&form->outputs, at.x, form->rank) || e->output[v], "seed %d: vertex %u is no output", seed,
                v);
  ck_assert_msg(!pieces_with(&form->inputs, at.x, form->rank) || e->pred_at[v] == e->pred_at[v + 1],
                "seed %d: vertex %u is no input", seed, v);
  found[0] += live[v];
  found[1] += alive;
  for (uint32_t u = 0; u < e->n; u++) {
    cdag_element to;
    bool read = false, edge = false;
    place_of(f, u, &to);
    for (int i = 0; i < f->accesses && !read; i++)
      read = f->access[i]->from == at.array && f->access[i]->to == to.array &&
             reads(f->access[i], at.x, form->rank, to.x, f->array[to.array].rank);
    for (uint64_t i = e->pred_at[v]; i < e->pred_at[v + 1]; i++)
      edge = edge || e->pred[i] == u;
    ck_assert_msg(read == edge || (edge && !form->whole), "seed %d: vertex %u reads %u: %d, not %d", seed, v, u, edge,
                  read);
  }
}

/* Random computations have few flattened loops: these have. */
static const char *const flat[] = {
  "param n = 3\ninput A[n,n], B[n,n]\nC[f:n*n, k:n] = C[f,k-1], A[f/n,k], B[k,f%n]\noutput C[*,n-1]\n",
  "param n = 3\ninput A[n,n], B[n,n]\nC[f:n*n*2] = C[f-1] if f%2 > 0, A[f/(n*2),f%2], B[f%2,f/2%n]\nD[f:n*n] = "
  "C[f*2+1]\noutput D[*]\n",
  "param n = 4\ninput A[n,n]\nC[f:n*n-3] = C[f-1], C[f-n], C[f-n-1] if f%n > 0, A[(f+1)/n,f%n]\noutput C[f:n..n*n-3]\n",
  "param n = 3\ninput X[4*n]\nC[f:4*n] = X[f-f%2], X[f/2], X[(f+5)/3]\nE[i:n,j:4] = C[4*i+j], C[4*i+3-j], "
  "E[i,j-1]\noutput E[*,3]\n",
};

/* Every vertex, whose array and indices the form has changed. */
static void check_changed(const char *source, bool (*changed)(const normal_form *f), int found[2], int seed)
{
  cdag *g = NULL;
  cdag_graph e = { 0 };
  normal_form f;
  diag d = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "changed", source, "", &d), OK);
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
  bool *live = live_elements(&e);
  normal_form_init_split(&f, g);
  ck_assert(changed(&f));
  for (uint32_t v = 0; v < e.n; v++)
    check_vertex(&f, &e, v, live, found, seed);
  normal_form_clear(&f);
  mem_free(live);
  cdag_graph_clear(&e);
  cdag_free(g);
}

static bool is_divided(const normal_form *f)
{
  bool divided = false;
  for (int x = 0; x < f->arrays; x++)
    divided = divided || f->array[x].rank > f->g->array[x].rank;
  return divided;
}

START_TEST(flattened_against_their_graphs)
{
  int found[2] = { 0 };
  check_changed(flat[_i], is_divided, found, -1 - _i);
  ck_assert(found[0] == found[1] || _i >= 2); /* in a plain product nothing is missing */
}
END_TEST

/* Intervals by lengths and beginnings, with inputs between, splits counted from either end, or read by others. */
static const char *const by_lengths[] = {
  "param n = 6\ninput T[l:n, i:n-l]\nD[l:1..n, i:n-l, k:l] = D[l,i,k-1], T[l,i] if k == 0, D[k,i,k-1], "
  "D[l-k-1,i+k+1,l-k-2]\noutput D[l:1..n, i:n-l, l-1]\n",
  "param n = 6\ninput q[n]\nD[i:n, l:2..n-i, k:1..l] = D[i,l,k-1], D[i,l-k,1], D[i+l-k,k,1], q[i] if l-k < 2, "
  "q[i+l-k] if k < 2\nE[i:n-2] = D[i,n-i-1,1]\noutput E[*], D[0,n-1,*]\n",
};

static bool is_straightened(const normal_form *f)
{
  int indices = 0;
  for (int x = 0; x < f->arrays; x++)
    for (int r = 0; r < f->array[x].rank; r++)
      indices += f->array[x].more[r] > 0;
  return indices > 0;
}

START_TEST(lengths_against_their_graphs)
{
  int found[2] = { 0 };
  check_changed(by_lengths[_i], is_straightened, found, -1 - _i);
}
END_TEST

/* Windows side by side, which may overlap, leave something out or lack a corner, as ranges or listed; where they lie
   close nothing that is live is missed. */
START_TEST(windows_against_their_graphs)
{
  support_random r = { .s = (uint64_t)_i + 1 };
  int a = (int)support_between(&r, 1, 3), b = (int)support_between(&r, 1, 3), n = (int)support_between(&r, 1, 3);
  int width = a + (int)support_between(&r, a > 1 ? -1 : 0, 1), found[2] = { 0 };
  int height = b + (int)support_between(&r, b > 1 ? -1 : 0, 1);
  int without = support_between(&r, 0, 2) ? -1 : (int)support_between(&r, 0, width * height);
  bool ranges = support_between(&r, 0, 1) && without < 0, close = width == a && height == b && without < 0;
  text t = { 0 };
  cdag *g = NULL;
  cdag_graph e = { 0 };
  normal_form f;
  diag d = { 0 };
  text_printf(&t, "input A[%d,%d]\nC[i:%d, j:%d] = A[i,j]\noutput P[i:%d, j:%d] = ", n * a, n * b, n * a, n * b, n, n);
  if (ranges)
    text_printf(&t, "C[%d*i..%d*i+%d,%d*j..%d*j+%d]", a, a, width, b, b, height);
  for (int k = 0; k < width * height && !ranges; k++)
    text_printf(&t, k == without ? "" : "C[%d*i+%d,%d*j+%d], ", a, k / height, b, k % height);
  text_printf(&t, "%s\n", ranges ? "" : "A[0,0]");
  ck_assert_int_eq(cdag_parse(&g, "windows", t.s, "", &d), OK);
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
  bool *live = live_elements(&e);
  normal_form_init(&f, g);
  for (uint32_t v = 0; v < e.n; v++)
    check_vertex(&f, &e, v, live, found, _i);
  ck_assert_msg(found[0] == found[1] || !close, "seed %d: of %d live %d: %s", _i, found[0], found[1], t.s);
  normal_form_clear(&f);
  mem_free(live);
  cdag_graph_clear(&e);
  cdag_free(g);
  text_clear(&t);
}
END_TEST

START_TEST(computations_against_their_graphs)
{
  int found[2] = { 0 };
  for (int k = 0; k < 4; k++) {
    support_random r = { .s = (uint64_t)_i * 4 + (uint64_t)k + 1 };
    cdag *g = support_random_cdag(&r, &(random_cdag_options){ .least = 1, .most = 40, .conditions = true }, NULL);
    cdag_graph e = { 0 };
    normal_form f;
    diag d = { 0 };
    ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
    bool *live = live_elements(&e);
    (k % 2 ? normal_form_init_split : normal_form_init)(&f, g);
    for (uint32_t v = 0; v < e.n; v++)
      check_vertex(&f, &e, v, live, found, _i * 4 + k);
    normal_form_clear(&f);
    mem_free(live);
    cdag_graph_clear(&e);
    cdag_free(g);
  }
}
END_TEST

/* Of these all ancestors in the same array are found: values that move from array to array between chains. */
static const char *const ordered[] = {
  "param n = 10\ninput A[n,i:n+1]\nP[i:n-1,j:i+1..n] = A[i,j], D[i,j-1,j-2], C[i,i+1] if j == i+2, A[i,i] if j == i+1\n"
  "Q[i:n-1,j:i+1..n] = P[i,j], C[i+1,i+2] if j == i+2, A[i+1,i+1] if j == i+1, D[i+1,j,j-1]\n"
  "R[i:n-2,j:i+2..n] = Q[i,j], A[i+1,i+1] if j == i+2, C[i+1,i+2] if j == i+3, D[i+1,j-1,j-2]\n"
  "C[i:n-1,j:i+1..i+2] = Q[i,i+1], A[i+1,i]\n"
  "D[i:n-2,j:i+2..n,k:i+1..j] = D[i,j,k-1], R[i,j] if k == i+1, C[i,i+1] if k == i+1, D[i,k,k-1], D[k+1,j,j-1], "
  "A[j,j] if k+1 == j, C[j-1,j] if k+2 == j\noutput D[*,n-1,n-2]\n",
  "param n = 4, t = 3\ninput X[n]\nL[s:t,j:n] = L[s,j-1], X[j], S[s-1,n-1]\nS[s:t,j:n] = S[s,j-1], X[j], L[s,n-1]\n"
  "output S[t-1,n-1]\n",
  "param n = 5\ninput A[n,n]\nB[i:n,j:n] = B[i-1,j], B[i,j-1], A[i,j]\noutput C[i:n] = C[i-1], B[n-1-i,n-1]\n",
};

START_TEST(ancestors_against_their_graphs)
{
  support_random r = { .s = (uint64_t)_i + 1 };
  cdag *g = NULL;
  cdag_graph e = { 0 };
  normal_form f;
  reach of;
  diag d = { 0 };
  bool all = _i < COUNT(ordered);
  if (all)
    ck_assert_int_eq(cdag_parse(&g, "ordered", ordered[_i], "", &d), OK);
  else
    g = support_random_cdag(&r, &(random_cdag_options){ .least = 1, .most = 40, .conditions = true }, NULL);
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
  normal_form_init(&f, g);
  reach_init(&of, &f, &f.memory);
  for (uint32_t v = 0; v < e.n; v++) {
    bool *above = MEM_NEW(bool, e.n);
    cdag_element x, y;
    mark_live(&e, v, above); /* and itself */
    place_of(&f, v, &x);
    for (uint32_t u = 0; u < e.n; u++) {
      place_of(&f, u, &y);
      bool found = reach_has(&of, x.array, x.x, y.array, y.x), is = above[u] && u != v;
      ck_assert_msg(found ? is : !is || !all || x.array != y.array,
                    "seed %d: is vertex %u an ancestor of %u? %d, not %d", _i, u, v, is, found);
    }
    mem_free(above);
  }
  normal_form_clear(&f);
  cdag_graph_clear(&e);
  cdag_free(g);
}
END_TEST

START_TEST(degrees_against_their_graphs)
{
  int found = 0;
  for (int k = 0; k < 20; k++) {
    support_random r = { .s = (uint64_t)_i * 20 + (uint64_t)k + 1 };
    cdag *g = support_random_cdag(&r, &(random_cdag_options){ .least = 1, .most = 40, .conditions = k % 2 }, NULL);
    cdag_counts want;
    diag d = { 0 };
    polyhedral_degrees sum = { 0 }, of;
    normal_form f;
    int x = 0;
    ck_assert_int_eq(cdag_count(g, &want, &d), OK);
    normal_form_ends(&f, g);
    for (int y = 0; y < g->arrays; y++) {
      uint64_t got, plain;
      if (!polyhedral_outputs_of(&f, y, &got) || !cdag_array_outputs(g, y, &plain))
        continue;
      ck_assert_msg(got == plain, "seed %d, %s: %lu outputs, not %lu", _i * 20 + k + 1, g->array[y].name,
                    (unsigned long)got, (unsigned long)plain);
    }
    for (; x < g->arrays && polyhedral_degrees_of(&f, x, &of); x++) {
      sum.edges += of.edges;
      sum.sources += of.sources;
      sum.most = of.most > sum.most ? of.most : sum.most;
    }
    if (x == g->arrays) {
      found++;
      ck_assert_msg(sum.edges == want.edges && sum.sources == want.inputs && sum.most == want.max_in_degree,
                    "seed %d: %lu %lu %lu, not %lu %lu %lu", _i * 20 + k + 1, (unsigned long)sum.edges,
                    (unsigned long)sum.sources, (unsigned long)sum.most, (unsigned long)want.edges,
                    (unsigned long)want.inputs, (unsigned long)want.max_in_degree);
    }
    normal_form_clear(&f);
    cdag_free(g);
  }
  ck_assert_int_gt(found, 5);
}
END_TEST

/* The graph with its merged copies contracted: who read one reads what it is a copy of.  How many. */
static int contract(const normal_form *f, cdag_graph *e, bool *gone, int seed)
{
  uint32_t *as = MEM_NEW(uint32_t, e->n);
  int merged = 0;
  for (uint32_t v = 0; v < e->n; v++) {
    cdag_element at;
    place_of(f, v, &at);
    const array_form *form = &f->array[at.array];
    as[v] = v;
    gone[v] = form->known && !pieces_with(&form->domain, at.x, form->rank);
    ck_assert_msg(!gone[v] || e->pred_at[v + 1] == e->pred_at[v] + 1, "seed %d: vertex %u is no copy", seed, v);
    merged += gone[v];
  }
  for (uint32_t v = 0; v < e->n; v++)
    while (gone[as[v]])
      as[v] = e->pred[e->pred_at[as[v]]];
  for (uint32_t v = 0; v < e->n; v++)
    if (gone[v] && e->output[v]) {
      e->output[as[v]] = true;
      e->output[v] = false;
    }
  for (uint64_t i = 0; i < e->pred_at[e->n]; i++)
    e->pred[i] = as[e->pred[i]];
  mem_free(as);
  return merged;
}

static const char *const copies[] = {
  "param n = 4\ninput A[i:n,k:i+1], B[n,2]\nZ[i:n,j:2,k:n] = Z[i,j,k-1], B[k,j]\n"
  "S[i:n,j:2,k:n] = S[i,j,k-1], A[i,k] if k <= i, A[k,i] if k > i, Z[i,j,k]\noutput S[*,*,n-1]\n",
  "param n = 4, t = 3\ninput A[s:t+1,i:n] = B[s,i]\nB[s:1..t+1,i:1..n-1] = A[s-1,i-1..i+2]\noutput A[t,*]\n",
  "param n = 4, t = 3\ninput Z[n]\nB[s:t,i:n] = A[s-1,i-1..i+2], Z[i]\nA[s:t,i:n] = B[s,i]\noutput A[t-1,*]\n",
  "param n = 5\ninput A[s:0..1,i:n,j:n]\nA[s:1..n,i:n,j:n] = A[s-1,i,j], L[i,s-1] if i >= s && j >= s, A[s-1,s-1,j] if "
  "i >= s && j >= s\noutput L[i:n,j:i] = A[j,i,j], A[j,j,j]\noutput A[n-1,*,*]\n",
  "param n = 6, t = 4\ninput A[s:0..1,i:n]\nA[s:1..t+1,i:0..1] = A[s-1,i]\nA[s:1..t+1,i:1..n-1] = A[s-1,i-1..i+2]\n"
  "A[s:1..t+1,i:n-1..n] = A[s-1,i]\noutput A[t,*]\n",
  "param n = 2\ninput X[5,5], W[9]\nL[p:n*n,q:9] = X[p/n+q/3,p%n+q%3]\nO[f:2,p:n*n,q:9] = O[f,p,q-1], L[p,q], W[q]\n"
  "output O[*,*,8]\n",
  "param n = 6\ninput X[n]\nA[i:n] = X[n-1-i]\nB[i:n] = A[i] if i%2, X[i] if i%2==0\nC[i:n] = C[i-1], "
  "B[i]\noutput C[*]\noutput B[*]\n",
  /* one half of a symmetric matrix, read both ways round: no copies, but two arrays */
  "param n = 5\ninput A[i:n,k:i+1], B[n,3], Z[n,3]\n"
  "output C[i:n,j:3] = Z[i,j], sum k:n { A[i,k] if k <= i, A[k,i] if k > i, B[k,j] }\n",
  "param n = 5\ninput A[i:n,k:i+1], x[n]\n"
  "Y[i:n,k:n] = Y[i,k-1] if k > 0, A[i,k] if k < i, A[k,i] if k >= i, x[k]\noutput Y[*,n-1]\n",
};

/* Arrays that are pieces of others, so many. */
static const struct { const char *text; int pieces; } pieces[] = {
  { "param n = 4\ninput A[n,n]\n"
    "S[i:2..n,j:1..i,k:j] = S[i,j,k-1], A[i,j] if k == 0, L[i,k], U[k,j,k-1], A[0,j] if k == 0\n"
    "output L[i:1..n,j:i] = S[i,j,j-1], A[i,0] if j == 0, U[j,j,j-1], A[0,0] if j == 0\n"
    "U[i:1..n,j:i..n,k:i] = U[i,j,k-1], A[i,j] if k == 0, L[i,k], U[k,j,k-1], A[0,j] if k == 0\n"
    "output U[i:1..n,j:i..n,i-1]\n", 1 },
  /* the diagonal has a loop less */
  { "param n = 5\ninput A[n,n]\nS[i:2..n,j:1..i,k:j] = S[i,j,k-1], A[i,j] if k == 0, L[i,k], L[j,k]\n"
    "output L[i:1..n,j:i] = S[i,j,j-1], A[i,0] if j == 0, D[j]\nT[i:1..n,k:i] = T[i,k-1], A[i,i] if k == 0, L[i,k]\n"
    "output D[i:n] = A[0,0] if i == 0, T[i,i-1]\n", 1 },
  { "param n = 3\ninput A[n,2*n], B[2*n,n]\nC[i:n,j:n,k:n] = C[i,j,k-1], A[i,k], B[k,j]\n"
    "output D[i:n,j:n,k:n..2*n] = D[i,j,k-1], C[i,j,n-1] if k == n, A[i,k], B[k,j]\n", 1 },
  { "param n = 3\ninput A[n,n], B[n,n]\noutput C[i:n,k:n] = C[i,k-1], A[i,k], B[k,0]\n"
    "output D[p:n,q:n] = D[p,q-1], B[q,1], A[p,q]\noutput E[i:n,k:n] = E[i,k-1], A[i,k], B[k,2]\n", 0 },
  /* the same places */
  { "param n = 3\ninput A[n,n], B[n,n]\noutput C[i:n,j:n,k:n] = C[i,j,k-1], A[i,k], B[k,j]\n"
    "output D[i:n,j:n,k:n] = D[i,j,k-1], A[i,k], B[k,j]\n", 0 },
  /* one reads what the other would not */
  { "param n = 4\ninput A[n,n]\noutput S[i:n,k:i] = S[i,k-1], A[i,k]\noutput T[i:n,k:i..n] = T[i,k-1], A[k,i]\n", 0 },
  { "param n = 4\ninput A[n]\noutput S[i:n,k:i] = S[i,k-1], A[k]\noutput T[i:n,k:i..n] = T[i,k-1], A[n-1-k]\n", 0 },
  /* three, one after the other */
  { "param n = 6\ninput A[n], X[n]\nS[i:n,k:2] = S[i,k-1], X[i] if k == 0, A[k]\n"
    "T[i:n,k:2..4] = T[i,k-1], S[i,1] if k == 2, A[k]\noutput U[i:n,k:4..n] = U[i,k-1], T[i,3] if k == 4, A[k]\n", 2 },
};

START_TEST(pieces_against_their_graphs)
{
  cdag *g = NULL;
  cdag_graph e = { 0 };
  normal_form f;
  diag d = { 0 };
  int found[2] = { 0 }, laid = 0;
  ck_assert_msg(cdag_parse(&g, "pieces", pieces[_i].text, "", &d) == OK, "%s", d.message);
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
  bool *live = live_elements(&e);
  normal_form_init_split(&f, g);
  for (int x = 0; x < f.arrays; x++)
    laid += f.array[x].piece_of > 0;
  ck_assert_msg(laid == pieces[_i].pieces, "%d pieces of %s", laid, pieces[_i].text);
  for (uint32_t v = 0; v < e.n; v++)
    check_vertex(&f, &e, v, live, found, _i);
  ck_assert_int_eq(found[0], found[1]);
  normal_form_clear(&f);
  mem_free(live);
  cdag_graph_clear(&e);
  cdag_free(g);
}
END_TEST

/* Elements that read windows, and how many indices of theirs are places. */
static const struct { const char *text; int sides; } tapped[] = {
  { "param n = 4\ninput X[n+2], W[3]\nO[i:n] = X[i..i+3], W[0..3]\noutput P[i:n] = O[i], O[i-1]\n", 1 },
  { "param n = 2\ninput X[n+1,n+1], W[n,2,2]\n"
    "O[f:n,y:n,x:n] = O[f-1,y,x], X[y,x..x+2], X[y+1,x..x+2], W[f,*,*], W[0,0,0] if f == 1\noutput O[n-1,*,*]\n", 2 },
  { "param n = 3\ninput A[n,n], B[n,n], S[n,n]\nC[i:n,j:n] = A[i,*], B[*,j], S[i,j]\noutput C[*,*]\n", 1 },
  { "param n = 3\ninput X[n,n], Y[n,n]\nC[i:n,j:n] = X[i-1..i+2,j..j+2], Y[i,j], Y[i,j+1], Y[i-1,j], Y[i-1,j+1], "
    "Y[i+1,j], Y[i+1,j+1]\noutput C[*,*]\n", 2 },
  { "param n = 4\ninput X[n], Y[n]\nC[i:n] = X[i..i+3], Y[i], Y[i+1]\noutput C[*]\n", 0 },
  { "param n = 4\ninput X[n+9], Y[n+9]\nC[i:n] = X[2*i], X[2*i+2], Y[i], Y[i+2]\nD[i:n] = C[i..i+2], "
    "Y[i..i+2]\noutput D[*]\n", 2 },
};

/* What the chain of vertex v reads, but the links, is what v reads; each link is one. */
static void check_chain(const normal_form *f, const cdag_graph *e, uint32_t v, bool *last)
{
  cdag_element at, to;
  place_of(f, v, &at);
  const array_form *form = &f->array[at.array];
  int first = form->rank - form->chain, places = 0;
  bool *read = MEM_NEW(bool, e->n);
  int64_t x[CDAG_RANK] = { 0 }, before[CDAG_RANK];
  memcpy(x, at.x, (size_t)first * sizeof *x);
  memset(&x[first], 0, (size_t)(CDAG_RANK - first) * sizeof *x);
  while (pieces_with(&form->domain, x, form->rank) == 1) {
    for (uint32_t u = 0; u < e->n; u++) {
      int64_t y[CDAG_RANK] = { 0 };
      place_of(f, u, &to);
      const array_form *other = &f->array[to.array];
      memcpy(y, to.x, sizeof y);
      for (int r = other->rank - other->chain; r < other->rank; r++) { /* the last of the chain */
        linear side = linear_variable(r);
        int64_t lo;
        ck_assert(polyhedra_span(&other->domain, &side, &lo, &y[r]));
      }
      for (int i = 0; i < f->accesses && u != v; i++)
        read[u] = read[u] || (f->access[i]->from == at.array && f->access[i]->to == to.array &&
                              reads(f->access[i], x, form->rank, y, other->rank));
    }
    int links = 0;
    for (int i = 0; i < f->accesses && places > 0; i++)
      links += f->access[i]->from == at.array && f->access[i]->to == at.array &&
               reads(f->access[i], x, form->rank, before, form->rank);
    ck_assert_msg(places == 0 || links == 1, "vertex %u, place %d: %d links", v, places, links);
    memcpy(before, x, sizeof x);
    places++;
    int r = form->rank - 1; /* the next place */
    for (x[r]++; r > first && pieces_with(&form->domain, x, form->rank) == 0; x[r]++)
      x[r--] = 0;
  }
  *last = pieces_with(&form->outputs, before, form->rank) == 1;
  for (uint32_t u = 0; u < e->n; u++) {
    bool edge = false;
    for (uint64_t i = e->pred_at[v]; i < e->pred_at[v + 1]; i++)
      edge = edge || e->pred[i] == u;
    ck_assert_msg(read[u] == edge, "vertex %u reads %u: %d, not %d", v, u, edge, read[u]);
  }
  mem_free(read);
}

START_TEST(windows_as_chains)
{
  cdag *g = NULL;
  cdag_graph e = { 0 };
  normal_form f;
  diag d = { 0 };
  int sides = 0;
  ck_assert_msg(cdag_parse(&g, "tapped", tapped[_i].text, "", &d) == OK, "%s", d.message);
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
  bool some = normal_form_init_tapped(&f, g);
  for (int x = 0; x < f.arrays; x++)
    sides += f.array[x].chain;
  ck_assert_msg(sides == tapped[_i].sides && some == (sides > 0), "%d sides of %s", sides, tapped[_i].text);
  for (uint32_t v = 0; v < e.n && some; v++) {
    cdag_element at;
    bool put_out;
    place_of(&f, v, &at);
    if (f.array[at.array].chain == 0)
      continue;
    check_chain(&f, &e, v, &put_out);
    ck_assert_msg(put_out == e.output[v], "vertex %u is put out: %d", v, e.output[v]);
  }
  normal_form_clear(&f);
  cdag_graph_clear(&e);
  cdag_free(g);
}
END_TEST

/* Elements that one other reads: how many arrays are made of such, and how many steps each may spare. */
static const struct { const char *text; int parts, steps; } fused[] = {
  { "param n = 3\ninput A[n,n], B[n,n]\nP[i:n,j:n,k:n] = A[i,k], B[k,j]\nC[i:n,j:n,k:n] = C[i,j,k-1], P[i,j,k]\n"
    "output C[*,*,n-1]\n", 1, 1 },
  { "param n = 3\ninput A[n,n], B[n,n]\nQ[i:n,j:n,k:n] = B[k,j]\nP[k:n,i:n,j:n] = A[i,k], Q[i,j,k]\n"
    "output C[i:n,j:n] = P[*,i,j], A[i,j]\n", 2, 2 },
  { "param n = 3\ninput A[n,n]\nP[i:n,k:n] = A[i,k], A[i,k-1]\n"
    "output C[i:n,k:n] = C[i,k-1], P[i,k], P[i,k-1] if k == 2\n", 0, 0 },
  { "param n = 3\ninput A[n,n]\nP[i:n,k:n] = A[i,k]\noutput C[i:n,k:n] = C[i,k-1], P[i,k]\n"
    "output D[i:n] = P[i,0]\n", 0, 0 },
  { "param n = 3\ninput A[n,n]\noutput P[i:n,k:n] = A[i,k]\noutput C[i:n,k:n] = C[i,k-1], P[i,k]\n", 0, 0 },
  { "param n = 3\ninput A[n,n]\nP[i:n,k:n] = P[i,k-1], A[i,k]\noutput C[i:n] = P[i,n-1]\n", 0, 0 },
  { "param n = 3\ninput A[n]\nP[i:n] = A[i], A[n-1-i]\noutput C[i:n,k:n] = P[i]\n", 0, 0 },
  { "param n = 4\ninput A[2*n]\nP[i:2*n] = A[i], A[i-1] if i > 1\noutput C[i:n] = P[2*i], P[2*i+1], A[i]\n", 1, 1 },
};

/* v reads u, itself or by a part of it. */
static bool reads_by_parts(const normal_form *f, const cdag_graph *e, uint32_t v, uint32_t u)
{
  for (uint64_t i = e->pred_at[v]; i < e->pred_at[v + 1]; i++) {
    cdag_element at;
    place_of(f, e->pred[i], &at);
    bool part = f->array[at.array].domain.n == 0;
    if (part ? reads_by_parts(f, e, e->pred[i], u) : e->pred[i] == u)
      return true;
  }
  return false;
}

START_TEST(parts_against_their_graphs)
{
  support_random r = { .s = (uint64_t)_i + 1 };
  cdag *g = NULL;
  cdag_graph e = { 0 };
  normal_form f;
  diag d = { 0 };
  int parts = 0;
  if (_i < COUNT(fused))
    ck_assert_msg(cdag_parse(&g, "fused", fused[_i].text, "", &d) == OK, "%s", d.message);
  else
    g = support_random_cdag(&r, &(random_cdag_options){ .least = 1, .most = 40, .conditions = true }, NULL);
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
  normal_form_ends(&f, g);
  int before = 0;
  for (int x = 0; x < f.arrays; x++)
    before += f.array[x].domain.n > 0;
  normal_form_fuse(&f);
  for (int x = 0; x < f.arrays; x++)
    parts += f.array[x].domain.n > 0;
  parts = before - parts;
  ck_assert_msg(_i >= COUNT(fused) || parts == fused[_i].parts, "%d parts in %s", parts, fused[_i].text);
  for (uint32_t v = 0; v < e.n && parts > 0; v++)
    for (uint32_t u = 0; u < e.n; u++) {
      cdag_element x, y;
      place_of(&f, v, &x);
      place_of(&f, u, &y);
      bool read = false, known = f.array[x.array].whole;
      if (!f.array[x.array].domain.n || !f.array[y.array].domain.n)
        continue;
      for (int i = 0; i < f.accesses && !read; i++)
        read = f.access[i]->from == x.array && f.access[i]->to == y.array &&
               reads(f.access[i], x.x, f.array[x.array].rank, y.x, f.array[y.array].rank);
      ck_assert_msg(read == reads_by_parts(&f, &e, v, u) || (!read && !known), "seed %d: does %u read %u?", _i, v,
                    u);
    }
  normal_form_clear(&f);
  if (_i < COUNT(fused) && parts > 0) {
    ck_assert(normal_form_init_fused(&f, g));
    ck_assert_int_eq(f.part_steps, fused[_i].steps);
    normal_form_clear(&f);
  }
  cdag_graph_clear(&e);
  cdag_free(g);
}
END_TEST

/* Texts with copies, and random ones. */
START_TEST(copies_against_their_graphs)
{
  support_random r = { .s = (uint64_t)_i + 1 };
  cdag *g = NULL;
  cdag_graph e = { 0 };
  normal_form f;
  diag d = { 0 };
  int found[2] = { 0 };
  if (_i < COUNT(copies))
    ck_assert_int_eq(cdag_parse(&g, "copies", copies[_i], "", &d), OK);
  else
    g = support_random_cdag(&r, &(random_cdag_options){ .least = 1, .most = 40, .conditions = true }, NULL);
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
  bool *live = MEM_NEW(bool, e.n), *gone = MEM_NEW(bool, e.n), some = normal_form_init_merged(&f, g);
  int merged = contract(&f, &e, gone, _i);
  bool laid = false, parted = f.arrays > g->arrays;
  for (int x = 0; x < f.arrays; x++)
    laid = laid || f.array[x].piece_of;
  ck_assert_msg(some == (merged > 0 || laid || parted) && (some || _i >= COUNT(copies)), "seed %d: %d copies", _i,
                merged);
  for (uint32_t v = 0; v < e.n; v++)
    if (e.output[v])
      mark_live(&e, v, live);
  for (uint32_t v = 0; v < e.n; v++)
    if (!gone[v])
      check_vertex(&f, &e, v, live, found, _i);
  normal_form_clear(&f);
  mem_free(live);
  mem_free(gone);
  cdag_graph_clear(&e);
  cdag_free(g);
}
END_TEST

/* A factorisation over the whole square in each step: of what is kept all is live, and the bound is that of the
   triangle. */
START_TEST(only_what_is_live_is_kept)
{
  cdag *g = NULL;
  normal_form f;
  diag d = { 0 };
  const char *square = "param n = 40\ninput B[n,n]\nA[s:n,i:n,j:n] = B[i,j] if s == 0, A[s-1,i,j], L[i,s-1] if i >= s "
                       "&& j >= s, A[s-1,s-1,j] if i >= s && j >= s\noutput L[i:n,j:i] = A[j,i,j], A[j,j,j]\n"
                       "output A[i:n,i,j:i..n]\n";
  ck_assert_int_eq(cdag_parse(&g, "square", square, "", &d), OK);
  normal_form_init_split(&f, g);
  normal_form_keep_live(&f);
  mpz_t kept;
  mpz_init(kept);
  ck_assert(polyhedra_count(&f.array[1].domain, kept));
  ck_assert_uint_eq(mpz_get_ui(kept), 22140); /* 1 + 4 + ... + 1600 */
  ck_assert(polyhedra_count(&f.array[1].live, kept));
  ck_assert_uint_eq(mpz_get_ui(kept), 22140);
  for (int i = 0; i < f.accesses; i++)
    if (f.access[i]->from == 1)
      ck_assert(polyhedra_cover(&f.array[1].live, f.access[i]->where, 3));
  mpz_clear(kept);
  normal_form_clear(&f);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("polyhedral");
  TCase *t = support_case(s, "polyhedra");
  tcase_add_loop_test(t, systems_against_enumeration, 0, support_rounds(30));
  tcase_add_test(t, large_counts);
  tcase_add_loop_test(t, flattened_against_their_graphs, 0, COUNT(flat));
  tcase_add_loop_test(t, lengths_against_their_graphs, 0, COUNT(by_lengths));
  tcase_add_loop_test(t, pieces_against_their_graphs, 0, COUNT(pieces));
  tcase_add_loop_test(t, windows_as_chains, 0, COUNT(tapped));
  tcase_add_loop_test(t, parts_against_their_graphs, 0, COUNT(fused) + support_rounds(8));
  tcase_add_test(t, only_what_is_live_is_kept);
  tcase_add_loop_test(t, copies_against_their_graphs, 0, COUNT(copies) + support_rounds(12));
  tcase_add_loop_test(t, ancestors_against_their_graphs, 0, COUNT(ordered) + support_rounds(8));
  tcase_add_loop_test(t, degrees_against_their_graphs, 0, support_rounds(8));
  tcase_add_loop_test(t, windows_against_their_graphs, 0, support_rounds(120));
  tcase_add_loop_test(t, computations_against_their_graphs, 0, support_rounds(20));
  return support_run(s);
}
