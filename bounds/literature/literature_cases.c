/* Which of the literature's kernels a CDAG is: products, symmetric updates and attention by their statements; FFT and
   Cholesky, whose published bounds speak of one algorithm, by the family's name. */
#include "bounds/check/reading/read.h"
#include "bounds/literature/literature.h"
#include "bounds/recognise/shape_backward.h"
#include <math.h>
#include <string.h>

static double settings(const bound_statement *s, unsigned loops)
{
  double n = 1;
  for (int r = 0; r < s->rank; r++)
    n *= loops >> r & 1 ? (double)s->extent[r] : 1;
  return n;
}

static bool words_meet(const cdag *g, const bound_operand *a, const bound_operand *b)
{
  return checker_boxes_meet(g, a->array, &a->box, b->array, &b->box);
}

/* The input operands of every step, told by their indices alone. */
static int inputs_of(const bound_statement *s, const bound_operand **input)
{
  int n = 0;
  for (int i = 0; i < s->operands; i++)
    if (s->operand[i].input && s->operand[i].always && !s->operand[i].given && s->operand[i].term != s->seed)
      input[n++] = &s->operand[i];
  return n;
}

/* Two operands that share exactly the chain's loops and tell all loops together: rows, columns, inner. */
static bool product_sizes(const bound_statement *s, const bound_operand *a, const bound_operand *b, literature_case *c)
{
  unsigned all = (1u << s->rank) - 1, one = 0; /* loops of one value tell nothing apart */
  for (int r = 0; r < s->rank; r++)
    one |= (unsigned)(s->extent[r] == 1) << r;
  if (((a->loops & b->loops) | one) != (s->chain | one) || (a->loops | b->loops | one) != all)
    return false;
  c->m = settings(s, a->loops & ~s->chain);
  c->n = settings(s, b->loops & ~s->chain);
  c->k = settings(s, s->chain);
  return true;
}

static int product_cases(const cdag *g, const bound_statement *s, literature_case *out)
{
  const bound_operand *input[BOUND_OPERANDS];
  int n = inputs_of(s, input), others = 0;
  literature_case c = *out;
  for (int i = 0; i < s->operands; i++)
    others += s->operand[i].term != s->seed && g->array[s->operand[i].array].count > 0;
  if (others != n)
    return 0;
  if (n == 2 && product_sizes(s, input[0], input[1], &c)) {
    c.kernel = words_meet(g, input[0], input[1]) ? LIT_SYRK : LIT_MATMUL;
    if (c.kernel == LIT_SYRK) /* j < i takes one value less */
      c.n = c.m = fmax(c.m, c.n);
    *out = c;
    if (c.kernel != LIT_MATMUL || c.m != c.n)
      return 1;
    out[1] = c;
    out[1].kernel = LIT_TALL;
    return 2;
  }
  if (n == 4 && product_sizes(s, input[0], input[1], &c) && product_sizes(s, input[2], input[3], &c) &&
      ((words_meet(g, input[0], input[3]) && words_meet(g, input[1], input[2])) ||
       (words_meet(g, input[0], input[2]) && words_meet(g, input[1], input[3])))) {
    c.kernel = LIT_SYR2K;
    c.n = c.m = fmax(c.m, c.n);
    *out = c;
    return 1;
  }
  return 0;
}

/* The published bounds speak of a product alone: nothing else is computed. */
static bool alone(const cdag *g)
{
  int computed = 0;
  for (int a = 0; a < g->arrays; a++)
    computed += g->array[a].terms > 0;
  return computed == 1;
}

static int attention_cases(const cdag *g, const bound_live *l, int array, literature_case *out)
{
  bound_attention a;
  if (strncmp(g->name, "attention", 9) || !bound_attention_find(g, l, array, &a))
    return 0;
  out->kernel = LIT_ATTENTION;
  out->n = settings(&a.z, a.sides.loops[0]);
  out->m = settings(&a.z, a.sides.loops[1]);
  out->d = (double)a.sides.words[0];
  out->dv = (double)a.dv;
  out->pairs = (double)a.z.steps / out->dv;
  return a.sides.words[0] == a.sides.words[1];
}

static double parameter(const cdag *g, const char *name)
{
  for (int p = 0; p < g->params; p++)
    if (!strcmp(g->param[p].name, name))
      return (double)g->param[p].value;
  return 0;
}

static int named_cases(const cdag *g, literature_case *out)
{
  if (!strcmp(g->name, "fft") && g->graph) {
    double ranks = 1, lanes = 2; /* (l + 1) 2^l vertices */
    while ((ranks + 1) * lanes < (double)g->vertices)
      ranks++, lanes *= 2;
    out->kernel = LIT_FFT;
    out->n = lanes;
    return (ranks + 1) * lanes == (double)g->vertices;
  }
  if (!strcmp(g->name, "strassen") && g->graph) {
    double computed = 1, side = 1; /* those of seven halves and 18 sums or differences of quarters */
    while (2 * side * side + computed < (double)g->vertices)
      computed = 7 * computed + 18 * side * side, side *= 2;
    out->kernel = LIT_STRASSEN;
    out->n = side;
    return 2 * side * side + computed == (double)g->vertices;
  }
  if (!strcmp(g->name, "cholesky")) {
    out->kernel = LIT_CHOLESKY;
    out->n = parameter(g, "n");
    return out->n > 0;
  }
  if (!strcmp(g->name, "attention-gradient")) {
    out->kernel = LIT_GRADIENT;
    out->n = parameter(g, "n");
    out->d = parameter(g, "d");
    return out->d > 0;
  }
  if (!strcmp(g->name, "matmul") && parameter(g, "k") == 1) { /* no chain, so no statement */
    out->kernel = LIT_MATMUL;
    out->m = parameter(g, "m");
    out->n = parameter(g, "n");
    out->k = 1;
    return 1;
  }
  return 0;
}

static int backward_case_of(const cdag *g, const bound_live *l, literature_case *out)
{
  backward_shape b;
  if (!bound_backward_find(g, l, &b))
    return 0;
  out->kernel = LIT_BACKWARD;
  out->pairs = (double)b.of.pairs;
  out->n = out->m = sqrt(out->pairs);
  out->d = out->dv = (double)b.of.d;
  return 1;
}

/* One kernel a CDAG: the backward pass also has statements shaped like the forward one. */
static int shaped_cases(const cdag *g, const bound_live *known, literature_case *out)
{
  bound_live own;
  const bound_live *l = bound_live_of(g, known, &own);
  bound_statement s;
  int n = backward_case_of(g, l, out);
  for (int a = 0; a < g->arrays && !n; a++) {
    n = attention_cases(g, l, a, out);
    if (!n && alone(g) && bound_statement_find(g, l, a, &s))
      n = product_cases(g, &s, out);
  }
  bound_live_clear(&own);
  return n;
}

int literature_cases(const cdag *g, const bound_live *known, uint64_t memory, literature_case *out)
{
  for (int i = 0; i < LIT_CASES; i++)
    out[i] = (literature_case){ .memory = (double)memory };
  if (g->copies > 0) /* what is published is of one */
    return 0;
  int n = named_cases(g, out);
  return g->graph || n ? n : shaped_cases(g, known, out);
}
