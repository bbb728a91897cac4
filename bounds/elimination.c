/* elimination.c -- Cholesky's factorisation with recomputation (docs/theory.md, section 10).

   The word of i, j is the input it starts from, its partial sums and its finished value: a path.  Whoever does step (i,j,k) in a segment has a
   vertex of the words ij, ik and jk red or loaded, however often values are made again.  So the steps of a segment are triangles in a
   graph whose edges are its words. */
#include "bounds/elimination.h"
#include "bounds/segment_record.h"
#include "bounds/shape_internal.h"
#include <math.h>

/* ---- corners ----
   Where indices are affine in i, j, k and the bounds of what they name are affine too, a term that is there at the corners of a
   simplex is there in all of it. */

typedef struct { int n; int64_t x[4][3]; } corners;

/* c <= k < j < i < n */
static corners steps_between(int64_t c, int64_t n)
{
  return (corners){ 4, { { c + 2, c + 1, c }, { n - 1, c + 1, c }, { n - 1, n - 2, c }, { n - 1, n - 2, n - 3 } } };
}

/* c <= j < i < n, and k */
static corners keys_between(int64_t c, int64_t n, int64_t k)
{
  return (corners){ 3, { { c + 1, c, k }, { n - 1, c, k }, { n - 1, n - 2, k } } };
}

/* j = c < i < n, and k = c */
static corners first_keys(int64_t c, int64_t n) { return (corners){ 2, { { c + 1, c, c }, { n - 1, c, c } } }; }

static bool affine_bounds(const cdag *g, int array)
{
  affine form[CDAG_RANK], f;
  for (int r = 0; r < g->array[array].rank; r++) {
    form[r] = affine_slot(r);
    if (!affine_of_expr(g, g->array[array].lo[r], form, r, &f) || !affine_of_expr(g, g->array[array].hi[r], form, r, &f))
      return false;
  }
  return true;
}

static bool exist(const cdag *g, int array, const corners *c)
{
  bool all = affine_bounds(g, array);
  for (int i = 0; i < c->n && all; i++)
    all = cdag_exists(g, array, c->x[i]);
  return all;
}

/* The term's element, at every corner. */
static bool read_at(const cdag *g, const cdag_term *t, int vars, const corners *c)
{
  if (!affine_bounds(g, t->array))
    return false;
  for (int i = 0; i < c->n; i++) {
    int64_t x[CDAG_RANK];
    for (int r = 0; r < g->array[t->array].rank; r++) {
      if (t->index[r].kind != CDAG_AT || !t->index[r].affine)
        return false;
      x[r] = t->index[r].base;
      for (int v = 0; v < vars; v++)
        x[r] += t->index[r].coef[v] * c->x[i][v];
    }
    if (!cdag_exists(g, t->array, x))
      return false;
  }
  return true;
}

/* ---- terms ---- */

/* Is the element named by this term at [var[0] + base[0], ...]? */
static bool names(const cdag *g, const cdag_term *t, int array, const int *var, const int64_t *base)
{
  if (t->array != array)
    return false;
  for (int r = 0; r < g->array[array].rank; r++)
    if (t->index[r].kind != CDAG_AT || t->index[r].var != var[r] || t->index[r].base != base[r])
      return false;
  return true;
}

static bool reads(const cdag *g, int by, int array, const int *var, const int64_t *base, const corners *c)
{
  for (int t = 0; t < g->array[by].terms; t++)
    if (names(g, &g->array[by].term[t], array, var, base) && read_at(g, &g->array[by].term[t], g->array[by].rank, c))
      return true;
  return false;
}

/* An input that stands for i, j alone: index at[v], the first such, is loop v and a number. */
typedef struct { int array, at[2]; int64_t base[2]; } own_word;

static bool word_of(const cdag *g, const cdag_term *t, own_word *w)
{
  *w = (own_word){ t->array, { -1, -1 }, { 0, 0 } };
  for (int r = 0; r < g->array[t->array].rank; r++) {
    int v = t->index[r].var;
    if ((v != 0 && v != 1) || w->at[v] >= 0)
      continue;
    w->at[v] = r;
    w->base[v] = t->index[r].base;
  }
  return g->array[t->array].terms == 0 && w->at[0] >= 0 && w->at[1] >= 0;
}

static bool same_place(const own_word *a, const own_word *b)
{
  return a->array != b->array ||
         (a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->base[0] == b->base[0] && a->base[1] == b->base[1]);
}

/* Both arrays start from such a word, at these corners, and different i, j have different words. */
static bool own_inputs(const cdag *g, int a, const corners *at_a, int b, const corners *at_b)
{
  const cdag_array *x = &g->array[a], *y = &g->array[b];
  own_word one, other;
  for (int t = 0; t < x->terms; t++)
    for (int u = 0; u < y->terms; u++)
      if (word_of(g, &x->term[t], &one) && word_of(g, &y->term[u], &other) && same_place(&one, &other) &&
          read_at(g, &x->term[t], x->rank, at_a) && read_at(g, &y->term[u], y->rank, at_b))
        return true;
  return false;
}

/* ---- the shape ---- */

static bool finished_by(const cdag *g, const elimination_shape *s)
{
  static const int ijk[] = { 0, 1, 2 }, ijj[] = { 0, 1, 1 }, ik[] = { 0, 2 }, jk[] = { 1, 2 };
  static const int64_t here[] = { 0, 0, 0 }, before[] = { 0, 0, -1 };
  int64_t c = s->first, n = s->last;
  corners steps = steps_between(c, n), later = steps_between(c + 1, n), keys = keys_between(c, n, c), ends = keys_between(c + 1, n, c),
          begun = first_keys(c, n);
  return exist(g, s->update, &steps) && exist(g, s->finished, &keys) && reads(g, s->update, s->update, ijk, before, &later) &&
         reads(g, s->update, s->finished, ik, here, &steps) && reads(g, s->update, s->finished, jk, here, &steps) &&
         reads(g, s->finished, s->update, ijj, before, &ends) && own_inputs(g, s->update, &ends, s->finished, &begun);
}

bool bound_elimination_find(const cdag *g, int update, elimination_shape *s)
{
  const cdag_array *u = &g->array[update];
  if (u->rank != 3 || u->terms == 0 || u->count == 0)
    return false;
  *s = (elimination_shape){ .update = update, .first = u->hull.lo[2], .last = u->hull.hi[0] };
  if (s->last - s->first < 4 || s->last - s->first > 1 << 20)
    return false;
  for (s->finished = 0; s->finished < g->arrays; s->finished++)
    if (g->array[s->finished].rank == 2 && finished_by(g, s))
      return true;
  return false;
}

/* ---- triangles ---- */

/* x = r (r - 1) / 2 + s, 0 <= s < r: a clique on r corners, and one more corner with s edges. */
void bound_triangles_most(const mpz_t x, mpz_t most)
{
  mpz_t r, s;
  mpz_inits(r, s, NULL);
  mpz_mul_ui(r, x, 8);
  mpz_add_ui(r, r, 1);
  mpz_sqrt(r, r);
  mpz_add_ui(r, r, 1);
  mpz_fdiv_q_2exp(r, r, 1);
  mpz_bin_ui(s, r, 2);
  mpz_sub(s, x, s);
  mpz_bin_ui(most, r, 3);
  mpz_bin_ui(s, s, 2);
  mpz_add(most, most, s);
  mpz_clears(r, s, NULL);
}

static void triangles(const void *context, const mpz_t x, mpz_t most)
{
  (void)context;
  bound_triangles_most(x, most);
}

static double triangles_guess(const void *context, double x)
{
  (void)context;
  return sqrt(8 * x) * x / 6;
}

/* ---- the record ---- */

static void write_parameters(const cdag *g, const elimination_shape *s, const segment_problem *p, const segment_cut *c,
                             const segment_account *a, text *out)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "statement", g->array[s->update].name);
  json_put_string(&j, "finished", g->array[s->finished].name);
  json_put_int(&j, "from", s->first);
  json_put_int(&j, "to", s->last);
  segment_write(&j, p, c, a);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  json_clear(&j);
}

static void write_proof(const bound_question *q, const elimination_shape *s, const segment_problem *p, const segment_cut *c,
                        const segment_account *a, bound *b)
{
  const char *u = q->g->array[s->update].name, *f = q->g->array[s->finished].name;
  proof say = { &b->proof, &b->proof_latex };
  proof_say(&say, "For {%ld <= k < j < i < %ld} the step {%s(i,j,k)} reads the step before it and the finished values {%s(i,k)} and {%s(j,k)}; {%s(i,j)} is made "
                  "from the last step of {i, j}, and the first step from an input of {i, j} alone. Call the input, the steps and the finished value of {i, j} the "
                  "word {ij}: a path, and no vertex is in two words.",
            (long)s->first, (long)s->last, u, f, f, f);
  proof_paragraph(&say);
  proof_say(&say, "For each {i, j} fix one compute of its last step and follow its value back along the steps: these computes are counted, {W = %Zd} of them. "
                  "When the one of {(i,j,k)} is done in a segment, then {ij} has a vertex that is red when the segment begins or loaded in it: follow the value back, at "
                  "the latest to the input. So have {ik} and {jk}: a finished value that is used is red or loaded, or made in the segment from its last step, and so on "
                  "back to its input. With {X} such vertices there are at most {X} words; they are edges of a graph on the numbers {%ld} to {%ld}, and the steps are "
                  "triangles in it. By Kruskal and Katona {X = r (r - 1) / 2 + s} edges, {s < r}, make at most {r (r - 1) (r - 2) / 6 + s (s - 1) / 2} triangles.",
            p->work, (long)s->first, (long)s->last - 1);
  proof_paragraph(&say);
  segment_proof(&say, q, p, c, a, "steps");
}

static void add_record(const bound_question *q, const bound_live *l, const elimination_shape *s, bound_list *out)
{
  segment_problem p = { triangles, triangles_guess, NULL, { { 0 } }, (int64_t)q->m };
  segment_account account = { 0, l->outputs };
  segment_cut c;
  segment_cut_init(&c);
  mpz_init(p.work);
  mpz_bin_uiui(p.work, (unsigned long)(s->last - s->first), 3);
  if (segment_search(&p, &c)) {
    bound *b = bound_list_add(out, "elimination", BOUND_PROVED, BOUND_ANY, "docs/theory.md, section 10");
    segment_value(&c, &account, b->value);
    bound_loop_text(q->g, s->update, 0, s->last - s->first, &b->leading);
    text_add(&b->leading, "^3 / (3 sqrt(6 M))");
    write_parameters(q->g, s, &p, &c, &account, &b->parameters);
    if (q->want_proof)
      write_proof(q, s, &p, &c, &account, b);
  }
  mpz_clear(p.work);
  segment_cut_clear(&c);
}

status bound_apply_elimination(const bound_question *q, bound_list *out, diag *d)
{
  bound_live l;
  elimination_shape s;
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 8)
    return OK;
  bound_live_find(q->g, &l);
  for (int a = 0; a < q->g->arrays; a++)
    if (bound_elimination_find(q->g, a, &s) && l.whole[s.finished])
      add_record(q, &l, &s, out);
  bound_live_clear(&l);
  return OK;
}
