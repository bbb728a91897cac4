/* Reductions over two input operands (docs/theory.md, section 3): matrix product and whatever has its shape.

   A step reads one word of A, one of B and one chain, and each loop is told by two of the three.  So H steps on a, b
   words and t chains have H^2 <= a b t (Loomis and Whitney), and a word or chain serves at most as many steps as the
   loops it does not know have settings. */
#include "base/num.h"
#include "bounds/segment/record.h"
#include "bounds/recognise/affine.h"
#include <math.h>
#include <string.h>

typedef struct {
  int64_t fiber[3];
  bool twice;                  /* the operands may share words */
  bool symmetric;              /* they are A[p,l] and A[q,l], each pair p, q in one order */
  uint64_t diagonal;           /* then steps with p = q, at most: they are not counted */
} product;

static void product_most(const void *context, const mpz_t x, mpz_t most)
{
  const product *p = context;
  if (p->symmetric)
    segment_symmetric(x, most);
  else if (p->twice)
    segment_twice(x, most);
  else
    segment_three(p->fiber, x, most);
}

static double product_guess(const void *context, double x)
{
  const product *p = context;
  return p->symmetric ? segment_symmetric_guess(x)
         : p->twice   ? segment_twice_guess(x)
                      : segment_three_guess(p->fiber, x);
}

/* ---- a matrix times its transpose ---- */

/* An end of loop q that is loop p plus a number. */
static bool follows(const cdag *g, const expr *end, int p, int q, int64_t *shift)
{
  affine form[CDAG_RANK], f;
  for (int r = 0; r < q; r++)
    form[r] = affine_slot(r);
  if (!affine_of_expr(g, end, form, q, &f) || affine_slots(&f) != 1u << p || f.coef[p] != 1)
    return false;
  *shift = f.base;
  return true;
}

/* Is q <= p at every step, or q >= p?  *equal: they may be equal. */
static bool in_one_order(const cdag *g, const bound_statement *s, int p, int q, bool *equal)
{
  const cdag_array *a = &g->array[s->array];
  int64_t shift;
  if (follows(g, a->hi[q], p, q, &shift) && shift <= 1) {
    *equal = shift == 1;
    return true;
  }
  bool above = follows(g, a->lo[q], p, q, &shift) && shift >= 0;
  *equal = above && shift == 0;
  return above;
}

/* Is one operand the other with loops p and q exchanged? */
static bool exchanged(const cdag *g, const bound_statement *s, const bound_operand *x, const bound_operand *y, int p,
                      int q)
{
  const cdag_term *t = &g->array[s->array].term[x->term], *u = &g->array[s->array].term[y->term];
  if (x->array != y->array)
    return false;
  for (int r = 0; r < g->array[x->array].rank; r++) {
    const cdag_index *i = &t->index[r], *k = &u->index[r];
    if (!i->affine || !k->affine || i->base != k->base)
      return false;
    for (int v = 0; v < s->rank; v++)
      if (i->coef[v] != k->coef[v == p ? q : v == q ? p : v])
        return false;
  }
  return true;
}

static void find_symmetry(const cdag *g, const bound_statement *s, const bound_operand *x, const bound_operand *y,
                          product *p)
{
  unsigned one = x->loops & ~s->chain, other = y->loops & ~s->chain;
  bool equal;
  p->symmetric = false;
  if (!p->twice || s->rank != 3 || __builtin_popcount(one) != 1 || __builtin_popcount(other) != 1 || one == other)
    return;
  int a = __builtin_ctz(one), b = __builtin_ctz(other), first = a < b ? a : b, second = a < b ? b : a;
  if (!exchanged(g, s, x, y, a, b) || !in_one_order(g, s, first, second, &equal))
    return;
  /* in a band a row meets few others, but each meets itself: so all values of the loops count; rank 3: the chain's loop
   * is 3 - a - b */
  const cdag_box *hull = &g->array[s->array].hull;
  int64_t rows = num_min(hull->hi[a] - hull->lo[a], hull->hi[b] - hull->lo[b]);
  p->diagonal = equal ? (uint64_t)(rows * s->extent[3 - a - b]) : 0;
  p->symmetric = p->diagonal < s->steps;
}

static bool product_of(const cdag *g, const bound_statement *s, int a, int b, product *p)
{
  const bound_operand *x = &s->operand[a], *y = &s->operand[b];
  unsigned all = (1u << s->rank) - 1, keys = all & ~s->chain;
  if (!x->input || !y->input || !x->always || !y->always || x->given || y->given || x->term == s->seed ||
      y->term == s->seed || ((x->loops & y->loops) | (x->loops & keys) | (y->loops & keys)) != all)
    return false;
  p->twice = bound_boxes_meet(x->array, &x->box, y->array, &y->box, g->array[x->array].rank);
  p->fiber[0] = segment_fiber(s, x->loops);
  p->fiber[1] = segment_fiber(s, y->loops);
  p->fiber[2] = segment_fiber(s, keys);
  segment_sort(p->fiber);
  find_symmetry(g, s, x, y, p);
  return true;
}

/* 2 m n k / sqrt(M), or m n k (1/p + p/M) when the shortest side is limited. */
static void leading(const bound_question *q, const bound_statement *s, const product *p, const segment_cut *c,
                    text *out)
{
  double m = (double)q->m, x = m + (double)c->length, side = (double)p->fiber[0];
  text work = { 0 };
  segment_work_text(q->g, s, &work);
  if (p->symmetric)
    text_printf(out, "sqrt(2) %s / sqrt(M)", text_str(&work));
  else if (p->twice)
    text_printf(out, "%s / sqrt(M)", text_str(&work));
  else if (x <= 3 * side * side)
    text_printf(out, "2 %s / sqrt(M)", text_str(&work));
  else if (c->n > 1)
    text_printf(out, "%s (1 / %ld + %ld / M)", text_str(&work), (long)p->fiber[0], (long)p->fiber[0]);
  text_clear(&work);
}

static void write_parameters(const cdag *g, const bound_statement *s, int a, int b, const product *p,
                             const segment_problem *problem, const segment_cut *c, const segment_account *account,
                             text *out)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "statement", g->array[s->array].name);
  json_key(&j, "operands");
  json_open(&j, '[');
  json_int(&j, s->operand[a].term);
  json_int(&j, s->operand[b].term);
  json_close(&j, ']');
  json_put_int(&j, "seed", s->seed);
  json_put_bool(&j, "shared", p->twice);
  if (p->symmetric)
    json_put_uint(&j, "diagonal", p->diagonal);
  segment_write_fibers(&j, p->fiber);
  segment_write(&j, problem, c, account);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  json_clear(&j);
}

/* What the words of the two operands allow. */
static void say_words(const proof *say, const product *p)
{
  if (p->symmetric)
    proof_say(say,
              " Here both operands are words of the same rows, each pair of rows meets in one order only, and steps of "
              "a row with itself (at most {%lu}) are not "
              "counted. With {r} words in a slice and {t} chains the slice does {min(t, r^2 / 2) <= r sqrt(t / 2)} "
              "steps, so {a} words do {H <= a sqrt(t / 2)}; with "
              "{a + t <= X} that is at most {sqrt(2) (X/3)^(3/2)}.",
              (unsigned long)p->diagonal);
  else if (p->twice)
    proof_say(say, " The operands may share words: with {X} words, {max(a, b) + t <= X}, so {H <= 2 (X/3)^(3/2)}.");
  else
    proof_say(say,
              " A word of one kind serves at most {p = %ld} steps, of the others at most {q = %ld} and {%ld}. With {a "
              "+ b + t <= X} the "
              "most is {(X/3)^(3/2)} up to {X = 3 p^2}, then {p (sqrt(p^2 + X) - p)^2} up to {X = q^2 + 2 p q}, then "
              "{(X - p q) p q "
              "/ (p + q)}.",
              (long)p->fiber[0], (long)p->fiber[1], (long)p->fiber[2]);
}

static void write_proof(const bound_question *q, const bound_statement *s, int a, int b, const product *p,
                        const segment_problem *problem, const segment_cut *c, const segment_account *account,
                        bound *record)
{
  const cdag *g = q->g;
  proof say = { &record->proof, &record->proof_latex };
  proof_say(
      &say,
      "Each element of %s is a step of a chain of multiply-adds: it reads the step before it, a word of %s and a word "
      "of "
      "%s. There are {W = %Zd} steps in {%lu} chains, and every play computes each of them. For each chain fix one "
      "compute of its last element and follow its value back along the chain: these computes, one for each step, are "
      "the ones counted, so computing anything again gains nothing.",
      g->array[s->array].name, g->array[s->operand[a].array].name, g->array[s->operand[b].array].name, problem->work,
      (unsigned long)s->chains);
  proof_paragraph(&say);
  proof_say(&say, "In a stretch of play let {a} and {b} words of the operands and {t} chains be available. Each loop "
                  "is known to two "
                  "of the three, so by Loomis and Whitney the stretch does {H <= sqrt(a b t)} steps.");
  say_words(&say, p);
  proof_paragraph(&say);
  segment_proof(&say, q, problem, c, account, "steps");
}

static void add_record(const bound_question *q, const bound_live *l, const bound_statement *s, int a, int b,
                       const product *p, bound_list *out)
{
  segment_problem problem = { product_most, product_guess, p, { { 0 } }, (int64_t)q->m - (s->seed >= 0) };
  segment_account account = { s->seed >= 0 ? 0 : s->chains, l->outputs };
  segment_cut c;
  segment_cut_init(&c);
  mpz_init_set_ui(problem.work, s->steps - (p->symmetric ? p->diagonal : 0));
  if (segment_search(&problem, &c)) {
    bound *r = bound_list_add(out, "product-segment", BOUND_PROVED, BOUND_ANY, "docs/theory.md, section 3");
    segment_value(&c, &account, r->value);
    leading(q, s, p, &c, &r->leading);
    write_parameters(q->g, s, a, b, p, &problem, &c, &account, &r->parameters);
    if (q->want_proof)
      write_proof(q, s, a, b, p, &problem, &c, &account, r);
  }
  mpz_clear(problem.work);
  segment_cut_clear(&c);
}

static void apply_statement(const bound_question *q, const bound_live *l, const bound_statement *s, bound_list *out)
{
  product p;
  for (int a = 0; a < s->operands; a++)
    for (int b = a + 1; b < s->operands; b++)
      if (product_of(q->g, s, a, b, &p)) {
        add_record(q, l, s, a, b, &p, out);
        return;
      }
}

static status apply_product(const bound_question *q, bound_list *out, diag *d)
{
  bound_live own;
  bound_statement s;
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 8)
    return OK;
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  for (int a = 0; a < q->g->arrays; a++)
    if (bound_statement_find(q->g, l, a, &s))
      apply_statement(q, l, &s, out);
  bound_live_clear(&own);
  return OK;
}

BOUND_THEOREM(20, product) = {
  .name = "product-segment",
  .summary = "segments of a reduction over two operands, such as a matrix product",
  .source = "docs/theory.md, section 3",
  .apply = apply_product,
};
