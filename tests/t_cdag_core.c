/* The structure against brute force: domains and terms evaluated by the expressions as written, element by element. */
#include "base/mem.h"
#include "base/num.h"
#include "cdag/domain/summed.h"
#include "tests/support.h"
#include "tests/support_random_cdag.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the plain reading ---- */

typedef struct {
  const cdag *g;
  cdag_element *all;           /* by id */
  uint64_t n;
  size_t room;
  uint64_t first[64];
  uint64_t **pred;             /* ids, in the order of the rule, distinct */
  int *preds;
  bool *output;
} plain;

static bool value(const plain *p, const expr *e, const int64_t *x, int rank, int64_t *v)
{
  int64_t slot[256];
  memcpy(slot, p->g->param_value, (size_t)p->g->params * sizeof *slot);
  memcpy(slot + p->g->params, x, (size_t)rank * sizeof *slot);
  return expr_eval(e, &(expr_env){ slot, p->g->table }, v, NULL) == EXPR_OK;
}

static void enumerate(plain *p, int array, int r, int64_t *x)
{
  const cdag_array *a = &p->g->array[array];
  int64_t lo, hi;
  if (r == a->rank) {
    p->all = mem_room(p->all, p->n, &p->room, sizeof *p->all);
    cdag_element *e = &p->all[p->n++];
    e->array = array;
    memcpy(e->x, x, sizeof e->x);
    return;
  }
  if (!value(p, a->lo[r], x, r, &lo) || !value(p, a->hi[r], x, r, &hi))
    return;
  for (x[r] = lo; x[r] < hi; x[r]++)
    enumerate(p, array, r + 1, x);
}

static bool equal(const plain *p, const cdag_element *a, int array, const int64_t *x)
{
  return a->array == array && memcmp(a->x, x, (size_t)p->g->array[array].rank * sizeof *x) == 0;
}

static int64_t find(const plain *p, int array, const int64_t *x)
{
  for (uint64_t id = p->first[array]; id < p->n && p->all[id].array == array; id++)
    if (equal(p, &p->all[id], array, x))
      return (int64_t)id;
  return -1;
}

/* Does this list of indices, at x, name the element y? */
static bool names(const plain *p, const cdag_index *index, const int64_t *x, int rank, const cdag_element *y)
{
  for (int s = 0; s < p->g->array[y->array].rank; s++) {
    int64_t lo, hi;
    if (index[s].kind == CDAG_ALL)
      continue;
    if (!value(p, index[s].lo, x, rank, &lo))
      return false;
    hi = lo + 1;
    if (index[s].kind == CDAG_RANGE && !value(p, index[s].hi, x, rank, &hi))
      return false;
    if (y->x[s] < lo || y->x[s] >= hi)
      return false;
  }
  return true;
}

static void find_preds(plain *p, uint64_t id)
{
  const cdag_element *e = &p->all[id];
  const cdag_array *a = &p->g->array[e->array];
  p->pred[id] = MEM_NEW(uint64_t, p->n);
  bool *seen = MEM_NEW(bool, p->n);
  for (int t = 0; t < a->terms; t++)
    for (uint64_t y = p->first[a->term[t].array]; y < p->n && p->all[y].array == a->term[t].array; y++)
      if (!seen[y] && names(p, a->term[t].index, e->x, a->rank, &p->all[y])) {
        seen[y] = true;
        p->pred[id][p->preds[id]++] = y;
      }
  mem_free(seen);
}

static void select_outputs(plain *p, const cdag_selection *s, int v, int64_t *x)
{
  int64_t lo, hi;
  if (v == s->vars) {
    for (uint64_t id = 0; id < p->n; id++)
      if (p->all[id].array == s->array && names(p, s->index, x, s->vars, &p->all[id]))
        p->output[id] = true;
    return;
  }
  if (!value(p, s->var_lo[v], x, v, &lo) || !value(p, s->var_hi[v], x, v, &hi))
    return;
  for (x[v] = lo; x[v] < hi; x[v]++)
    select_outputs(p, s, v + 1, x);
}

static void read_plainly(plain *p, const cdag *g)
{
  int64_t x[CDAG_RANK] = { 0 };
  *p = (plain){ .g = g };
  for (int a = 0; a < g->arrays; a++) {
    p->first[a] = p->n;
    enumerate(p, a, 0, x);
  }
  p->pred = MEM_NEW(uint64_t *, p->n);
  p->preds = MEM_NEW(int, p->n);
  p->output = MEM_NEW(bool, p->n);
  for (uint64_t id = 0; id < p->n; id++) {
    find_preds(p, id);
    p->output[id] = g->array[p->all[id].array].declared_output;
  }
  for (int i = 0; i < g->selections; i++)
    select_outputs(p, &g->selection[i], 0, x);
}

static void clear_plain(plain *p)
{
  for (uint64_t id = 0; id < p->n; id++)
    mem_free(p->pred[id]);
  mem_free(p->all);
  mem_free(p->pred);
  mem_free(p->preds);
  mem_free(p->output);
}

/* ---- element by element ---- */

typedef struct { const cdag *g; uint64_t id[4096]; int term[4096]; int n; } listing;

static bool note(void *context, const cdag_element *e, int term)
{
  listing *l = context;
  ck_assert_int_lt(l->n, COUNT(l->id));
  l->term[l->n] = term;
  l->id[l->n++] = cdag_id(l->g, e->array, e->x);
  return true;
}

static void check_elements(const plain *p)
{
  const cdag *g = p->g;
  ck_assert_uint_eq(g->vertices, p->n);
  for (uint64_t id = 0; id < p->n; id++) {
    const cdag_element *e = &p->all[id];
    cdag_element at;
    ck_assert(cdag_exists(g, e->array, e->x));
    ck_assert_uint_eq(cdag_id(g, e->array, e->x), id);
    cdag_at(g, id, &at);
    ck_assert(equal(p, &at, e->array, e->x));
    ck_assert_int_eq(cdag_is_output(g, e->array, e->x), p->output[id]);
    ck_assert_int_eq(cdag_is_input(g, e->array, e->x), p->preds[id] == 0);
  }
}

static void check_predecessors(const plain *p)
{
  for (uint64_t id = 0; id < p->n; id++) {
    listing l = { .g = p->g, .n = 0 };
    ck_assert(cdag_each_predecessor(p->g, p->all[id].array, p->all[id].x, note, &l));
    ck_assert_int_eq(l.n, p->preds[id]);
    for (int i = 0; i < l.n; i++) {
      ck_assert_uint_eq(l.id[i], p->pred[id][i]);
      const cdag_term *t = &p->g->array[p->all[id].array].term[l.term[i]];
      ck_assert(names(p, t->index, p->all[id].x, p->g->array[p->all[id].array].rank, &p->all[l.id[i]]));
    }
  }
}

static void check_successors(const plain *p)
{
  for (uint64_t y = 0; y < p->n; y++) {
    listing l = { .g = p->g, .n = 0 };
    int at = 0;
    ck_assert(cdag_each_successor(p->g, p->all[y].array, p->all[y].x, note, &l));
    for (uint64_t id = 0; id < p->n; id++)
      for (int i = 0; i < p->preds[id]; i++)
        if (p->pred[id][i] == y) {
          ck_assert_int_lt(at, l.n);
          ck_assert_uint_eq(l.id[at++], id);
        }
    ck_assert_int_eq(at, l.n);
  }
}

/* Points around the domain that are not in it. */
static void check_absence(const plain *p, support_random *r)
{
  for (int a = 0; a < p->g->arrays; a++)
    for (int round = 0; round < 30; round++) {
      int64_t x[CDAG_RANK] = { 0 };
      for (int d = 0; d < p->g->array[a].rank; d++)
        x[d] = support_between(r, p->g->array[a].hull.lo[d] - 2, p->g->array[a].hull.hi[d] + 2);
      ck_assert_int_eq(cdag_exists(p->g, a, x), find(p, a, x) >= 0);
    }
}

static void check_counts(const plain *p)
{
  cdag_counts c;
  uint64_t edges = 0, inputs = 0, outputs = 0, most = 0;
  for (uint64_t id = 0; id < p->n; id++) {
    edges += (uint64_t)p->preds[id];
    inputs += p->preds[id] == 0;
    outputs += p->output[id];
    most = (uint64_t)p->preds[id] > most ? (uint64_t)p->preds[id] : most;
  }
  text shown = { 0 };
  cdag_print(&shown, p->g);
  ck_assert_msg(cdag_count(p->g, &c, NULL) == OK, "%s", shown.s);
  ck_assert_uint_eq(c.vertices, p->n);
  ck_assert_msg(c.edges == edges, "%llu edges instead of %llu:\n%s", (unsigned long long)c.edges,
                (unsigned long long)edges, shown.s);
  text_clear(&shown);
  ck_assert_uint_eq(c.inputs, inputs);
  ck_assert_uint_eq(c.outputs, outputs);
  ck_assert_uint_eq(c.max_in_degree, most);
}

static void check_graph(const plain *p)
{
  cdag_graph e = { 0 };
  diag d = { 0 };
  ck_assert_msg(cdag_materialise(p->g, 0, &e, &d) == OK, "%s", d.message);
  ck_assert_uint_eq(e.n, p->n);
  for (uint32_t v = 0; v < e.n; v++) {
    ck_assert_uint_eq(e.pred_at[v + 1] - e.pred_at[v], (uint64_t)p->preds[v]);
    for (int i = 0; i < p->preds[v]; i++)
      ck_assert_uint_eq(e.pred[e.pred_at[v] + (uint64_t)i], p->pred[v][i]);
    ck_assert_int_eq(e.output[v], p->output[v]);
  }
  cdag_graph_clear(&e);
}

/* ---- boxes ---- */

static bool inside(const cdag_box *b, const int64_t *x, int rank)
{
  for (int r = 0; r < rank; r++)
    if (x[r] < b->lo[r] || x[r] >= b->hi[r])
      return false;
  return true;
}

static cdag_box random_box(const cdag *g, int a, support_random *r)
{
  cdag_box b = { { 0 }, { 0 } };
  for (int d = 0; d < g->array[a].rank; d++) {
    b.lo[d] = support_between(r, g->array[a].hull.lo[d] - 1, g->array[a].hull.hi[d]);
    b.hi[d] = b.lo[d] + support_between(r, 0, 3);
  }
  return b;
}

typedef struct { const plain *p; int array; uint64_t at; const cdag_box *b; } running;

static bool note_run(void *context, const int64_t *x, int64_t hi)
{
  running *run = context;
  int last = run->p->g->array[run->array].rank - 1;
  int64_t y[CDAG_RANK];
  memcpy(y, x, sizeof y);
  ck_assert_int_lt(y[last], hi);
  for (; y[last] < hi; y[last]++) {
    while (!inside(run->b, run->p->all[run->at].x, last + 1))
      run->at++;
    ck_assert(equal(run->p, &run->p->all[run->at++], run->array, y));
  }
  return true;
}

static void check_boxes(const plain *p, support_random *r)
{
  for (int a = 0; a < p->g->arrays; a++)
    for (int round = 0; round < 10; round++) {
      cdag_box b = random_box(p->g, a, r);
      uint64_t count = 0, last = p->first[a];
      for (uint64_t id = p->first[a]; id < p->n && p->all[id].array == a; id++)
        if (inside(&b, p->all[id].x, p->g->array[a].rank)) {
          count++;
          last = id + 1;
        }
      ck_assert_uint_eq(cdag_box_count(p->g, a, &b), count);
      running run = { p, a, p->first[a], &b };
      ck_assert(cdag_each_run(p->g, a, &b, note_run, &run));
      ck_assert_uint_eq(run.at, last);
    }
}

/* ---- printing ---- */

static void check_print(const cdag *g)
{
  text once = { 0 }, twice = { 0 };
  cdag *again = NULL;
  diag d = { 0 };
  cdag_graph a = { 0 }, b = { 0 };
  cdag_print(&once, g);
  ck_assert_msg(cdag_parse(&again, g->name, once.s, "", &d) == OK, "%d:%d %s\n%s", d.line, d.column, d.message, once.s);
  cdag_print(&twice, again);
  ck_assert_str_eq(once.s, twice.s);
  ck_assert_int_eq(cdag_materialise(g, 0, &a, NULL), OK);
  ck_assert_int_eq(cdag_materialise(again, 0, &b, NULL), OK);
  ck_assert_uint_eq(a.n, b.n);
  ck_assert_uint_eq(a.m, b.m);
  ck_assert_mem_eq(a.pred, b.pred, a.m * sizeof *a.pred);
  ck_assert_mem_eq(a.output, b.output, a.n);
  cdag_graph_clear(&a), cdag_graph_clear(&b);
  cdag_free(again);
  text_clear(&once), text_clear(&twice);
}

static void check_all(const cdag *g, support_random *r)
{
  plain p;
  ck_assert_ptr_null(cdag_check(g));
  read_plainly(&p, g);
  check_elements(&p);
  check_predecessors(&p);
  check_successors(&p);
  check_absence(&p, r);
  check_counts(&p);
  check_graph(&p);
  check_boxes(&p, r);
  check_print(g);
  clear_plain(&p);
}

START_TEST(random_texts)
{
  support_random r = { (uint64_t)_i };
  text source = { 0 };
  cdag *g = support_random_cdag(&r, &(random_cdag_options){ .conditions = _i % 2 }, &source);
  if (getenv("SHOW"))
    puts(source.s);
  check_all(g, &r);
  cdag_free(g);
  text_clear(&source);
}
END_TEST

/* ---- families ---- */

static const char *const specs[] = {
  "matmul:m=%1,n=%2,k=%3",
  "matmul:m=%1,n=%2,k=%3,acc=1",
  "attention:n=%1,d=%2",
  "attention:n=%1,d=%2,nk=%3,dv=%1",
  "attention-causal:n=%1,d=%2",
  "attention-online:n=%1,d=%2,b=%3",
  "attention-online:n=%1,d=1,nk=5,b=%3",
  "attention-sparse:n=5,d=%1,b=%2,w=%3",
  "attention-sparse:n=5,d=1,b=%1,w=0,s=%3",
  "attention-sparse:n=5,d=1,b=1,w=0,p=40,seed=%3",
  "attention-backward:n=%1,d=%2",
  "attention-lowrank:n=%1,d=%2,r=%3",
  "attention-lowrank:n=%1,d=%2,g=%3",
  "mlp:m=%1,k=%2,h=%3,n=%1",
  "chain:n=%1",
  "grid:r=%1,c=%2",
  "stencil:w=%1,t=%2",
  "stencil:w=4,t=%2",
  "stencil2d:w=%1,t=%3,h=%2",
  "dot:k=%1",
  "matvec:m=%1,n=%2",
  "cholesky:n=%1",
  "cholesky:n=5",
  "syrk:n=%1,k=%2",
};

static void fill_spec(char *out, const char *spec, const int64_t *value)
{
  for (; *spec; spec++)
    if (*spec == '%')
      out += sprintf(out, "%lld", (long long)value[*++spec - '1']);
    else
      *out++ = *spec;
  *out = '\0';
}

START_TEST(families)
{
  for (int which = 0; which < 27; which++) {
    int64_t value[] = { 1 + which % 3, 1 + which / 3 % 3, 1 + which / 9 };
    char spec[200];
    cdag *g = NULL;
    diag d = { 0 };
    support_random r = { (uint64_t)which };
    fill_spec(spec, specs[_i], value);
    ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
    check_all(g, &r);
    cdag_free(g);
  }
}
END_TEST

/* Outputs on the diagonal of an array too large to look at. */
START_TEST(outputs_of_triangles)
{
  static const char triangle[] = "param n = 3000\ninput x[n]\nA[i:n, k:3, j:i+1] = x[i], x[j]\noutput A[i:n,*,i]\n";
  cdag *g = NULL;
  diag d = { 0 };
  cdag_counts count;
  ck_assert_int_eq(cdag_parse(&g, "triangles.cdag", triangle, "", &d), OK);
  ck_assert_msg(cdag_count(g, &count, &d) == OK, "%s", d.message);
  ck_assert_uint_eq(count.outputs, 9000);
  cdag_free(g);
  static const char below[] = "param n = 3000\ninput x[n]\nU[i:n, j:n, k:min(i,j)] = U[i,j,k-1], x[i]\n"
                              "output U[i:1..n, j:i..n, i-1]\n";
  ck_assert_int_eq(cdag_parse(&g, "below.cdag", below, "", &d), OK);
  ck_assert_msg(cdag_count(g, &count, &d) == OK, "%s", d.message);
  ck_assert_uint_eq(count.outputs, 3000 * 2999 / 2);
  cdag_free(g);
}
END_TEST

/* ---- running sums as polynomials on pieces ---- */

/* A bound of a loop: loops before it, with min and max. */
static void put_bound(support_random *r, int loops, bool high, text *t)
{
  static const char *const loop[] = { "i", "j", "k" };
  int64_t kind = loops ? support_between(r, 0, 4) : 0, shift = support_between(r, -1, 2) + 2 * high;
  const char *a = loops ? loop[support_between(r, 0, loops - 1)] : "", *b = loops ? loop[loops - 1] : "";
  switch (kind) {
  case 0: text_printf(t, "%lld", (long long)support_between(r, 0, 3) + 5 * high); break;
  case 1: text_printf(t, "%s + %lld", a, (long long)shift); break;
  case 2: text_printf(t, "min(%s, %s + %lld)", a, b, (long long)shift); break;
  case 3: text_printf(t, "max(%s, 6 - %s)", a, b); break;
  default: text_printf(t, "7 - min(%s, %lld)", b, (long long)shift + 3); break;
  }
}

/* S_r(y) - S_r(lo) of the table against the pieces, below every prefix. */
static int64_t check_sum(const nest *table, const nest *made, int r, const char *source)
{
  int64_t x[CDAG_RANK] = { 0 }, checked = 0;
  cdag_box all = table->hull;
  for (int q = 0; q < r; q++)
    x[q] = all.lo[q];
  for (;;) {
    int64_t lo, hi;
    bool inside = true;
    for (int q = 0; q < r && inside; q++) {
      nest_range(table, q, x, &lo, &hi);
      inside = x[q] >= lo && x[q] < hi;
    }
    nest_range(table, r, x, &lo, &hi);
    uint64_t sum = 0;
    for (int64_t y = lo; y <= hi && inside; y++) {
      uint64_t got = summed_at(made->sum[r].pieces, r, x, y) - summed_at(made->sum[r].pieces, r, x, lo);
      ck_assert_msg(got == sum, "%s: sum %d at %lld: %llu, not %llu", source, r, (long long)y, (unsigned long long)got,
                    (unsigned long long)sum);
      x[r] = y;
      sum += y < hi ? nest_weight(table, r + 1, x) : 0;
      checked++;
    }
    int q = r - 1;
    while (q >= 0 && ++x[q] >= all.hi[q]) {
      x[q] = all.lo[q];
      q--;
    }
    if (q < 0)
      return checked;
  }
}

START_TEST(sums_on_pieces)
{
  support_random r = { (uint64_t)_i };
  int64_t checked = 0;
  for (int round = 0; round < 20; round++) {
    text source = { 0 };
    cdag *g = NULL;
    diag d = { 0 };
    text_add(&source, "input A[i:");
    for (int loops = 0; loops < 4; loops++) {
      put_bound(&r, loops, false, &source);
      text_add(&source, "..");
      put_bound(&r, loops, true, &source);
      text_printf(&source, loops < 3 ? ", %c:" : "], c[1]\noutput B[z:1] = c[0]\n", "jkl"[loops < 3 ? loops : 0]);
    }
    if (cdag_parse(&g, "nest.cdag", source.s, "", &d) == OK) {
      const nest *n = &g->priv->dom[0];
      for (int q = 0; q < n->rank && n->count > 0 && !n->rectangular; q++) {
        nest copy = *n;
        if (n->sum[q].kind == SUM_LINEAR)
          continue;
        ck_assert_msg(summed_make(&copy, q), "%s: sum %d is not found", source.s, q);
        checked += check_sum(n, &copy, q, source.s);
        summed_clear(copy.sum[q].pieces);
      }
      cdag_free(g);
    }
    text_clear(&source);
  }
  ck_assert_int_gt(checked, 100);
}
END_TEST

/* Numbering elements of arrays whose bounds have a min, larger than any table. */
START_TEST(large_nests)
{
  static const char *const rule[] = { "[i:n, j:n, k:min(i,j)]", "[i:n, j:i+1..n, k:i+1..j]",
                                      "[i:n, j:n, k:max(i,j)..min(n,i+j)]",
                                      "[i:n, j:max(0,i-9)..min(n,i+j0), k:j..n]" };
  text source = { 0 };
  cdag *g = NULL;
  diag d = { 0 };
  support_random r = { (uint64_t)_i };
  text_printf(&source, "param n = 20000, j0 = 10\ninput A%s, c[1]\noutput B[z:1] = c[0]\n", rule[_i]);
  ck_assert_msg(cdag_parse(&g, "large.cdag", source.s, "", &d) == OK, "%s", d.message);
  for (int k = 0; k < 200; k++) {
    uint64_t id = support_next(&r) % (g->array[0].count - 1);
    cdag_element e, next;
    cdag_at(g, id, &e);
    cdag_at(g, id + 1, &next);
    ck_assert_uint_eq(cdag_id(g, 0, e.x), id);
    ck_assert_uint_eq(cdag_id(g, 0, next.x), id + 1);
    ck_assert(nest_has(&g->priv->dom[0], e.x) && nest_has(&g->priv->dom[0], next.x));
    ck_assert(e.x[0] != next.x[0] || e.x[1] != next.x[1] || e.x[2] + 1 == next.x[2]);
  }
  cdag_free(g);
  text_clear(&source);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("cdag");
  TCase *c = support_case(s, "core");
  tcase_add_test(c, outputs_of_triangles);
  tcase_add_loop_test(c, sums_on_pieces, 0, support_rounds(20));
  tcase_add_loop_test(c, large_nests, 0, 4);
  tcase_add_loop_test(c, families, 0, COUNT(specs));
  tcase_add_loop_test(c, random_texts, 0, support_rounds(300));
  return support_run(s);
}
