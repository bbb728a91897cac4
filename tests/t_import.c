/* Loop nests in C: a random nest, run here with every value numbered, has the graph that it is imported to. */
#include "base/mem.h"
#include "cdag/cdag.h"
#include "cdag/import/import.h"
#include "tests/support.h"
#include <stdlib.h>
#include <string.h>

enum { N = 5, WIDE = 3 * N, READS = 3, NESTS = 3, CELLS = WIDE * WIDE + WIDE + 1, MOST = 4000, WORDS = 16 };

/* ---- nests ---- */

typedef struct {
  int array, row, column;
} place; /* array 0: A[row][column], 1: B[row], 2: s; an index is of index_text */
typedef struct {
  place to;
  bool plus, copy, on_data;    /* on_data: under a condition on `data` */
  int reads, chosen;           /* read 1 is there where condition `chosen` holds */
  place from[READS], data;
} assignment;
typedef struct {
  int outer, inner, deep, when;
  bool before, after, otherwise;
  assignment first, middle, other, last;
} nest;

static const char *const index_text[] = { "i", "n-1-i", "0", "n-1", "j", "n-1-j", "(i + j) % 2",
                                          "j / 2", "i + j", "2*j + i", "l", "j + l", "n-1-l" };
enum { ABOVE = 3, INSIDE = 9, DEEP = 12 }; /* the last index that names i alone, i and j, all three */
static int64_t l; /* of the innermost loop */
static int64_t index_value(int which, int64_t i, int64_t j)
{
  const int64_t value[] = { i,     N - 1 - i, 0, N - 1, j, N - 1 - j, (i + j) % 2, j / 2, i + j, 2 * j + i, l,
                            j + l, N - 1 - l };
  return value[which];
}

static const char *const outer_text[] = { "for (int i = 0; i < n; i++)", "for (int i = 1; i <= n-2; i++)",
                                          "for (int i = n-1; i >= 0; i--)", "for (int i = 0; i < n; i += 2)",
                                          "for (int b = 0; b < n; b += 2)\n  for (int i = b; i < min(n, b + 2); i++)" };
static const char *const inner_text[] = { "for (int j = 0; j < n; j++)", "for (int j = 0; j <= i; j++)",
                                          "for (int j = n-1; j > i; j--)", "for (int j = i < 2 ? i : 2; j < n; j++)",
                                          "for (int j = n-1; j >= 0; j -= 3)",
                                          "for (int j = 0; i + j < n && j < 4; j++)" };
static const char *const deep_text[] = { "", "for (int l = 0; l < 3; l++) ", "for (int l = j; l < n; l++) ",
                                         "for (int l = i; l >= 0; l--) ", "for (int l = 0; l + j < i; l++) " };
static const char *const choice_text[] = { "", "i < j", "i == 2 || j == 1", "i + j <= n-1 && i != 3" };
static const char *const when_text[] = { "", "if (i < j) ", "if (i == 2 || j == 1) ", "if (i + j <= n-1 && i != 3) " };

static bool holds(int when, int64_t i, int64_t j)
{
  return when == 0 || (when == 1 ? i < j : when == 2 ? i == 2 || j == 1 : i + j <= N - 1 && i != 3);
}

static int pick(support_random *r, int lo, int hi) { return (int)support_between(r, lo, hi); }

static place some_place(support_random *r, int most)
{
  return (place){ pick(r, 0, 6) % 3, pick(r, 0, most), pick(r, 0, most) };
}

static assignment some_assignment(support_random *r, int most)
{
  bool inside = most > ABOVE;
  assignment a = { some_place(r, most), .plus = pick(r, 0, 2) == 0, .reads = pick(r, 0, READS) };
  for (int k = 0; k < a.reads; k++)
    a.from[k] = some_place(r, most);
  if (inside && a.plus && pick(r, 0, 1)) /* a sum over several loops at one place */
    a.to.row = pick(r, 8, 9);
  a.chosen = inside && pick(r, 0, 2) == 0 ? pick(r, 1, 3) : 0;
  a.on_data = pick(r, 0, 3) == 0;
  a.data = some_place(r, most);
  a.copy = !a.plus && !a.on_data && a.reads == 1 && a.to.array < a.from[0].array; /* so that copies have an end */
  return a;
}

/* alone: with a third loop at times, which takes the importer long. */
static nest some_nest(support_random *r, bool alone)
{
  int deep = alone && pick(r, 0, 1) ? pick(r, 1, 4) : 0;
  return (nest){ pick(r, 0, 4),
                 pick(r, 0, 5),
                 deep,
                 pick(r, 0, 3),
                 pick(r, 0, 1),
                 pick(r, 0, 1),
                 pick(r, 0, 1),
                 some_assignment(r, ABOVE),
                 some_assignment(r, deep ? DEEP : INSIDE),
                 some_assignment(r, INSIDE),
                 some_assignment(r, ABOVE) };
}

static void put_place(text *t, place p)
{
  if (p.array == 0)
    text_printf(t, "A[%s][%s]", index_text[p.row], index_text[p.column]);
  else if (p.array == 1)
    text_printf(t, "B[%s]", index_text[p.row]);
  else
    text_add(t, "s");
}

static void put_assignment(text *t, const assignment *a)
{
  text_add(t, "{ ");
  if (a->on_data) {
    text_add(t, "if (");
    put_place(t, a->data);
    text_add(t, " > 1.5) ");
  }
  put_place(t, a->to);
  text_add(t, a->plus ? " += " : " = ");
  text_add(t, a->copy ? "" : "0.5");
  for (int k = 0; k < a->reads; k++) {
    bool choice = k == 1 && a->chosen;
    text_add(t, a->copy ? "" : k % 2 ? " * " : " + ");
    if (choice)
      text_printf(t, "(%s ? ", choice_text[a->chosen]);
    put_place(t, a->from[k]);
    text_add(t, choice ? " : 2.0)" : "");
  }
  text_add(t, "; }\n");
}

static void put_nest(text *t, const nest *n)
{
  text_printf(t, "  %s {\n", outer_text[n->outer]);
  if (n->before)
    put_assignment(t, &n->first);
  text_printf(t, "    %s %s%s", inner_text[n->inner], when_text[n->when], deep_text[n->deep]);
  put_assignment(t, &n->middle);
  if (n->when && n->otherwise) {
    text_add(t, "    else ");
    put_assignment(t, &n->other);
  }
  if (n->after)
    put_assignment(t, &n->last);
  text_add(t, "  }\n");
}

/* ---- running ---- */

enum { UNKNOWN = -2, CONSTANT = -1, MOST_READ = READS + 2 };

typedef struct {
  int n;
  int32_t cell[CELLS];
  bool input[MOST], output[MOST];
  int degree[MOST];
  int32_t pred[MOST][MOST_READ];
} run;

static int32_t *cell(run *r, place p, int64_t i, int64_t j)
{
  int64_t a = index_value(p.row, i, j), b = index_value(p.column, i, j);
  return &r->cell[p.array == 0 ? a * WIDE + b : p.array == 1 ? WIDE * WIDE + a : WIDE * WIDE + WIDE];
}

static int32_t vertex(run *r, bool input, const int32_t *pred, int degree)
{
  ck_assert_int_lt(r->n, MOST);
  r->input[r->n] = input;
  r->degree[r->n] = degree;
  for (int k = 0; k < degree; k++)
    r->pred[r->n][k] = pred[k];
  return r->n++;
}

/* The value, which becomes one of `pred` unless it is a constant or there. */
static void read_value(run *r, place p, int64_t i, int64_t j, int32_t *pred, int *degree)
{
  int32_t *c = cell(r, p, i, j);
  if (*c == UNKNOWN)
    *c = vertex(r, true, NULL, 0);
  for (int k = 0; k < *degree; k++)
    if (pred[k] == *c)
      return;
  if (*c != CONSTANT)
    pred[(*degree)++] = *c;
}

static void execute(run *r, const assignment *a, int64_t i, int64_t j)
{
  int32_t pred[MOST_READ];
  int degree = 0;
  if (a->plus || a->on_data)
    read_value(r, a->to, i, j, pred, &degree);
  if (a->on_data)
    read_value(r, a->data, i, j, pred, &degree);
  for (int k = 0; k < a->reads; k++)
    if (k != 1 || holds(a->chosen, i, j))
      read_value(r, a->from[k], i, j, pred, &degree);
  *cell(r, a->to, i, j) = degree == 0 ? CONSTANT : a->copy ? pred[0] : vertex(r, false, pred, degree);
}

static void run_deep(run *r, const nest *n, int64_t i, int64_t j)
{
  switch (n->deep) {
  case 0: execute(r, &n->middle, i, j); break;
  case 1: for (l = 0; l < 3; l++) execute(r, &n->middle, i, j); break;
  case 2: for (l = j; l < N; l++) execute(r, &n->middle, i, j); break;
  case 3: for (l = i; l >= 0; l--) execute(r, &n->middle, i, j); break;
  default: for (l = 0; l + j < i; l++) execute(r, &n->middle, i, j);
  }
}

static void run_inner(run *r, const nest *n, int64_t i, int64_t j)
{
  if (holds(n->when, i, j))
    run_deep(r, n, i, j);
  else if (n->otherwise)
    execute(r, &n->other, i, j);
}

static void run_turn(run *r, const nest *n, int64_t i)
{
  if (n->before)
    execute(r, &n->first, i, 0);
  switch (n->inner) {
  case 0: for (int64_t j = 0; j < N; j++) run_inner(r, n, i, j); break;
  case 1: for (int64_t j = 0; j <= i; j++) run_inner(r, n, i, j); break;
  case 2: for (int64_t j = N - 1; j > i; j--) run_inner(r, n, i, j); break;
  case 3: for (int64_t j = i < 2 ? i : 2; j < N; j++) run_inner(r, n, i, j); break;
  case 4: for (int64_t j = N - 1; j >= 0; j -= 3) run_inner(r, n, i, j); break;
  default: for (int64_t j = 0; i + j < N && j < 4; j++) run_inner(r, n, i, j);
  }
  if (n->after)
    execute(r, &n->last, i, 0);
}

static void run_nest(run *r, const nest *n)
{
  switch (n->outer) {
  case 0: case 4: for (int64_t i = 0; i < N; i++) run_turn(r, n, i); break; /* 4: in blocks of two */
  case 1: for (int64_t i = 1; i <= N - 2; i++) run_turn(r, n, i); break;
  case 2: for (int64_t i = N - 1; i >= 0; i--) run_turn(r, n, i); break;
  default: for (int64_t i = 0; i < N; i += 2) run_turn(r, n, i);
  }
}

/* ---- comparing: colours refined until they tell vertices apart ---- */

typedef struct { uint32_t n; uint64_t m; const uint32_t *at, *pred; const uint8_t *output; } view;

static uint64_t mix(uint64_t x)
{
  x ^= x >> 31;
  x *= UINT64_C(0x9e3779b97f4a7c15);
  return x ^ x >> 29;
}

/* A sum over the vertices, but for inputs that nobody reads. */
static uint64_t colour(const view *v)
{
  uint64_t *old = MEM_NEW(uint64_t, v->n), *new = MEM_NEW(uint64_t, v->n), sum = 0;
  bool *read = MEM_NEW(bool, v->n);
  for (uint64_t k = 0; k < v->m; k++)
    read[v->pred[k]] = true;
  for (uint32_t x = 0; x < v->n; x++)
    old[x] = mix(v->at[x + 1] - v->at[x] + 100 * (v->at[x + 1] > v->at[x] && v->output[x]));
  for (int round = 0; round < WORDS; round++) {
    memset(new, 0, v->n * sizeof *new);
    for (uint32_t x = 0; x < v->n; x++)
      for (uint64_t k = v->at[x]; k < v->at[x + 1]; k++) {
        new[x] += mix(3 * old[v->pred[k]]);
        new[v->pred[k]] += mix(5 * old[x]);
      }
    for (uint32_t x = 0; x < v->n; x++)
      old[x] = mix(old[x] + 7 * new[x]);
  }
  for (uint32_t x = 0; x < v->n; x++)
    sum += v->at[x + 1] > v->at[x] || read[x] ? mix(old[x]) : 0;
  mem_free(old);
  mem_free(new);
  mem_free(read);
  return sum;
}

static uint64_t colour_of_run(const run *r)
{
  uint32_t *at = MEM_NEW(uint32_t, (size_t)r->n + 1);
  uint32_t *pred = MEM_NEW(uint32_t, (size_t)r->n * MOST_READ + 1);
  uint8_t *output = MEM_NEW(uint8_t, (size_t)r->n + 1);
  for (int x = 0; x < r->n; x++) {
    at[x + 1] = at[x] + (uint32_t)r->degree[x];
    output[x] = r->output[x];
    for (int k = 0; k < r->degree[x]; k++)
      pred[at[x] + (uint32_t)k] = (uint32_t)r->pred[x][k];
  }
  uint64_t c = colour(&(view){ (uint32_t)r->n, at[r->n], at, pred, output });
  mem_free(at);
  mem_free(pred);
  mem_free(output);
  return c;
}

static void check_graph(const cdag *g, const run *trace, const char *source, const char *language)
{
  cdag_graph e = { 0 };
  ck_assert_int_eq(cdag_materialise(g, 0, &e, NULL), OK);
  ck_assert_msg(colour(&(view){ e.n, e.m, e.pred_at, e.pred, e.output }) == colour_of_run(trace),
                "%.1500s\n%.2000s", source, language);
  cdag_graph_clear(&e);
}

START_TEST(random_nests)
{
  support_random r = { (uint64_t)_i };
  text source = { 0 }, language = { 0 };
  diag d = { 0 };
  cdag *g = NULL;
  run *trace = MEM_NEW(run, 1);
  int n = pick(&r, 1, NESTS), computed = 0;
  for (int c = 0; c < CELLS; c++)
    trace->cell[c] = c < CELLS - 1 ? UNKNOWN : CONSTANT;
  text_add(&source, "void f(int n, double A[3*n][3*n], double B[3*n])\n{\n  double s = 0.0;\n");
  for (int k = 0; k < n; k++) {
    nest one = some_nest(&r, n == 1);
    put_nest(&source, &one);
    run_nest(trace, &one);
  }
  text_add(&source, "}\n");
  for (int c = 0; c < CELLS - 1; c++)
    if (trace->cell[c] >= 0 && !trace->input[trace->cell[c]])
      trace->output[trace->cell[c]] = true, computed++;
  status st = cdag_import_c("random.c", source.s, NULL, &language, &d);
  if (st == GAVE_UP || strstr(d.message, "constants alone")) /* said, not guessed */
    computed = 0;
  else
    ck_assert_msg(st == OK, "%s\n%.3000s", d.message, source.s);
  if (computed > 0) {
    char assign[16];
    snprintf(assign, sizeof assign, "n=%d", N);
    ck_assert_msg(cdag_parse(&g, "random.cdag", language.s, assign, &d) == OK, "%d:%d: %s\n%.1500s\n%.2000s",
                  d.line, d.column, d.message, source.s, language.s);
    check_graph(g, trace, source.s, language.s);
    text_clear(&language);
    cdag *any = g; /* the text as it is said once n has its value */
    st = cdag_import_c("random.c", source.s, any, &language, &d);
    ck_assert(st == OK || st == GAVE_UP);
    if (st == OK) {
      ck_assert_msg(cdag_parse(&g, "random.cdag", language.s, assign, &d) == OK, "%s", d.message);
      check_graph(g, trace, source.s, language.s);
      cdag_free(g);
    }
    cdag_free(any);
  }
  mem_free(trace);
  text_clear(&source);
  text_clear(&language);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("import");
  TCase *c = support_case(s, "core");
  tcase_add_loop_test(c, random_nests, 0, support_rounds(14));
  return support_run(s);
}
