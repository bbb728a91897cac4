/* Words of rows at gates: claims that are found and claims changed by chance, against plays that keep rows, or blocks
   of columns, as a plain player plays them. */
#include "base/mem.h"
#include "bounds/check/gates/gates.h"
#include "bounds/checker.h"
#include "bounds/games.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include "tests/support_found.h"
#include "tests/support_one_shot.h"
#include <string.h>

enum { N = 22, WAYS = 5, U = 1, V = 2, Y = 4, Y_BEHIND = 8, U_BESIDE = 16, MOVED = 32, TWICE = 64, ALL = 128 };

/* TWICE: C is made in two steps of one array, v is read in the first and u in the second. */
static cdag *open_rows(int reads)
{
  text t = { 0 };
  char size[32];
  const char *last = reads & TWICE ? ",1" : "";
  text_printf(&t, "param n = 3\ninput B[n,n,1], u[n+1], v[n], y[n]\nC[i:n, j:n%s",
              reads & TWICE ? ", r:2] = C[i,j,r-1], B[i,j,0] if r == 0" : "] = B[i,j,0]");
  text_add(&t, reads & U ? reads & MOVED ? ", u[i+1]" : ", u[i]" : "");
  text_add(&t, (reads & U) && (reads & TWICE) ? " if r == 1" : "");
  text_add(&t, reads & V ? ", v[i]" : "");
  text_add(&t, (reads & V) && (reads & TWICE) ? " if r == 0" : "");
  text_printf(&t, "\nX[j:n, i:n] = X[j,i-1], C[i,j%s]", last);
  text_add(&t, reads & Y ? ", y[i]" : "");
  text_add(&t, reads & U_BESIDE ? ", u[i]" : "");
  text_printf(&t, "\nW[i:n, j:n] = W[i,j-1], C[i,j%s], X[j,n-1]", last);
  text_add(&t, reads & Y_BEHIND ? ", y[i]" : "");
  text_add(&t, "\noutput W[*,n-1]\n");
  snprintf(size, sizeof size, "n=%d", N);
  cdag *g = bound_text_open(text_str(&t), size);
  text_clear(&t);
  return g;
}

static int array_named(const cdag *g, const char *name)
{
  for (int a = 0; a < g->arrays; a++)
    if (strcmp(g->array[a].name, name) == 0)
      return a;
  ck_abort_msg("%s is not there", name);
}

typedef struct {
  uint32_t c[2][N][N], x[N][N], w[N][N], *order, n;
  int steps; /* of each element of C */
} places;

static void find_places(const cdag *g, const cdag_graph *e, places *p)
{
  int c = array_named(g, "C"), x = array_named(g, "X"), w = array_named(g, "W");
  p->order = MEM_NEW(uint32_t, e->n);
  p->steps = g->array[c].rank - 1;
  for (uint32_t v = 0; v < e->n; v++) {
    cdag_element at;
    cdag_at(g, v, &at);
    if (at.array == c)
      p->c[p->steps > 1 ? at.x[2] : 0][at.x[0]][at.x[1]] = v;
    else if (at.array == x || at.array == w)
      (at.array == x ? p->x : p->w)[at.x[0]][at.x[1]] = v;
  }
}

static void add_place(places *p, int i, int j)
{
  for (int k = 0; k < p->steps; k++)
    p->order[p->n++] = p->c[k][i][j];
  p->order[p->n++] = p->x[j][i];
}

/* The last rows go in blocks of columns and on behind each; the others before, and their ends at the end. */
static uint64_t play(const cdag_graph *e, uint64_t m, places *p, int block, int kept)
{
  p->n = 0;
  for (uint32_t v = 0; v < e->n; v++)
    if (cdag_graph_is_input(e, v))
      p->order[p->n++] = v;
  for (int i = 0; i < N - kept; i++)
    for (int j = 0; j < N; j++)
      add_place(p, i, j);
  for (int from = 0; from < N; from += block) {
    int to = from + block < N ? from + block : N;
    for (int i = N - kept; i < N; i++)
      for (int j = from; j < to; j++)
        add_place(p, i, j);
    for (int i = N - kept; i < N; i++)
      for (int j = from; j < to; j++)
        p->order[p->n++] = p->w[i][j];
  }
  for (int i = 0; i < N - kept; i++)
    for (int j = 0; j < N; j++)
      p->order[p->n++] = p->w[i][j];
  ck_assert_uint_eq(p->n, e->n);
  return support_one_shot_io(e, m, p->order);
}

static uint64_t least_moves(const cdag_graph *e, uint64_t m, places *p)
{
  uint64_t least = UINT64_MAX;
  for (int block = 1; block <= WAYS; block++)
    for (int kept = 0; kept <= N; kept += 1 + kept / 8) {
      uint64_t io = play(e, m, p, block, kept);
      least = io < least ? io : least;
    }
  return least;
}

/* As many rows as fit stay from column to column, with their words. */
static uint64_t keeping_rows(const cdag *g, uint64_t m, int reads)
{
  pebble_rules rules = { .m = m, .one_shot = true };
  pebble_verdict v;
  text t = { 0 }, kept = { 0 }, row = { 0 }, why = { 0 };
  const char *last = reads & TWICE ? ",1" : "";
  const char *make = reads & TWICE ? "    load B[i,j,0]\n    compute C[i,j,0]\n    drop B[i,j,0]\n"
                                     "    compute C[i,j,1] dropping C\n"
                                   : "    load B[i,j,0]\n    compute C[i,j]\n    drop B[i,j,0]\n";
  int read = 0;
  for (int k = 0; k < 3; k++) {
    static const int by[] = { U | U_BESIDE, V, Y | Y_BEHIND };
    if ((reads & by[k]) == 0)
      continue;
    text_printf(&kept, "%s%c[s..n]", read ? ", " : "", "uvy"[k]);
    text_printf(&row, "%s%c[i]", read++ ? ", " : "", "uvy"[k]);
  }
  text_printf(&t, "param r = %d, s = n - r\n", (int)(m - 4 - (uint64_t)read) / (read + 2));
  text_add(&t, "for i in s {\n");
  if (read)
    text_printf(&t, "  load %s\n", text_str(&row));
  text_printf(&t, "  for j in n {\n%s    compute X[j,i] dropping X\n    store C[i,j%s]\n    drop C[i,j%s]\n  }\n", make,
              last, last);
  if (read)
    text_printf(&t, "  drop %s\n", text_str(&row));
  text_add(&t, "}\nstore X[*,s - 1]\ndrop X[*,s - 1]\n");
  if (read)
    text_printf(&t, "load %s\n", text_str(&kept));
  text_printf(&t,
              "for j in n {\n  load X[j,s - 1]\n  for i in s..n {\n%s"
              "    compute X[j,i] dropping X\n  }\n  for i in s..n {\n"
              "    compute W[i,j] dropping C, W\n    if (j == n - 1) {\n      store W[i,j]\n      drop W[i,j]\n    }\n"
              "  }\n  store X[j,n-1]\n  drop X[j,n-1]\n}\n",
              make);
  if (read)
    text_printf(&t, "drop %s\n", text_str(&kept));
  text_printf(&t,
              "load X[*,n-1]\nfor i in s {\n%s  for j in n {\n    load C[i,j%s]\n    compute W[i,j] dropping C, W\n"
              "  }\n  store W[i,n-1]\n  drop W[i,n-1]%s\n}\n",
              reads & Y_BEHIND ? "  load y[i]\n" : "", last, reads & Y_BEHIND ? ", y[i]" : "");
  ck_assert_msg(support_plays(g, &rules, text_str(&t), PEBBLE_BY_ELEMENT, &v, &why) && v.legal, "%s\n%s",
                text_str(&why), text_str(&t));
  text_clear(&t);
  text_clear(&kept);
  text_clear(&row);
  text_clear(&why);
  return v.loads + v.stores;
}

static long value_of(const cdag *g, const gates_claim *c, uint64_t m)
{
  affine_facts f;
  gates_facts facts;
  text reason = { 0 };
  mpz_t value;
  long worth = 0;
  mpz_init(value);
  affine_facts_init(&f, g, c->reading);
  gates_facts_init(&facts, &f);
  if (gates_derive(&facts, c, &reason) && gates_value(&facts, c, (int64_t)m, value, &reason))
    worth = mpz_get_si(value);
  gates_facts_clear(&facts);
  affine_facts_clear(&f);
  mpz_clear(value);
  text_clear(&reason);
  return worth;
}

static bool find_claim(const cdag *g, uint64_t m, gates_claim *c)
{
  bound_list list = { 0 };
  bound_question q = { .g = g, .m = m, .one_shot = true };
  diag d = { 0 };
  json_value v;
  text reason = { 0 };
  ck_assert_int_eq(bound_theorem_find("gates")->apply(&q, &list, &d), OK);
  const bound *b = bound_named(&list, "gates-one-shot");
  if (!b)
    return false;
  ck_assert_int_eq(json_read(&v, text_str(&b->parameters), b->parameters.n, "claim", &d), OK);
  ck_assert_msg(gates_claim_read(&v, c, &reason), "%s", text_str(&reason));
  ck_assert_int_eq(value_of(g, c, m), mpz_get_si(b->value));
  json_value_clear(&v);
  bound_list_clear(&list);
  return true;
}

/* How many words of rows the text has: those that C and X read before a column's sum is done. */
static int words_of(int reads)
{
  int u = (reads & (U | U_BESIDE)) != 0;
  return u + !!(reads & V) + !!(reads & Y);
}

/* The claim that is found is below what is enough, and not far; and so is each that is like it and holds. */
static void check(const cdag *g, uint64_t m, int reads, uint64_t least, const gates_claim *c, support_random *r,
                  int seed)
{
  enum { CHANGES = 40 };
  int held = 0;
  const gate_family *of = &c->family[0];
  ck_assert_msg(c->families == 1 && of->chained > 0 && of->rows == words_of(reads), "seed %d: %d words of rows", seed,
                of->rows);
  long value = value_of(g, c, m);
  ck_assert_msg((uint64_t)value <= least && (reads & (MOVED | Y_BEHIND) || 10 * (uint64_t)value > 7 * least),
                "seed %d: %ld, and %lu are enough", seed, value, (unsigned long)least);
  for (int change = 0; change < CHANGES; change++) {
    gates_claim x = *c;
    gate_family *to = &x.family[0];
    to->rows = (int)support_between(r, 1, 3);
    for (int k = 0; k < to->rows; k++) {
      gate_use *u = &to->row[k];
      if (k >= of->rows || support_between(r, 0, 1)) {
        u->array = array_named(g, (const char *[]){ "C", "X", "W" }[support_between(r, 0, 2)]);
        u->access = (int)support_between(r, 0, 12);
        u->keys.loop[0] = (int)support_between(r, 0, 1);
        u->keys.loop[1] = (int)support_between(r, 0, 4) ? !u->keys.loop[0] : u->keys.loop[0];
        u->keys.loop[2] = (int)support_between(r, -1, 1);
        u->keys.offset[2] = (int)support_between(r, 0, 1);
        u->keys.offset[0] = support_between(r, 0, 3) ? 0 : (int)support_between(r, -1, 1);
        u->keys.offset[1] = support_between(r, 0, 3) ? 0 : (int)support_between(r, -1, 1);
      }
    }
    value = value_of(g, &x, m);
    held += value > 0;
    ck_assert_msg(value <= (long)least, "seed %d, change %d: %ld, and %lu are enough", seed, change, value,
                  (unsigned long)least);
  }
  ck_assert(held > 0 || words_of(reads) == 0);
}

START_TEST(found_and_changed)
{
  support_random r = { (uint64_t)_i + 1 };
  int reads = _i * 37 % ALL;
  uint64_t m = (uint64_t)support_between(&r, N + 8, 3 * N);
  cdag *g = open_rows(reads);
  cdag_graph e = { 0 };
  diag d = { 0 };
  static places p;
  gates_claim c;
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
  find_places(g, &e, &p);
  uint64_t least = least_moves(&e, m, &p), kept = reads & MOVED ? UINT64_MAX : keeping_rows(g, m, reads);
  least = kept < least ? kept : least;
  if (find_claim(g, m, &c)) /* else as many rows stay as there are */
    check(g, m, reads, least, &c, &r, _i);
  mem_free(p.order);
  cdag_graph_clear(&e);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("gate_rows");
  TCase *t = support_case(s, "gate_rows");
  tcase_add_loop_test(t, found_and_changed, 0, support_rounds(16));
  return support_run(s);
}
