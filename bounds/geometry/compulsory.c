/* The compulsory traffic (docs/theory.md, section 1): an input with a path of length >= 1 to an output that is no input
   is loaded at least once; an output that is no input is stored at least once. */
#include "base/json.h"
#include "base/mem.h"
#include "bounds/bound.h"
#include "cdag/polyhedral/ends.h"
#include "bounds/proof.h"
#include "bounds/recognise/shape.h"

/* Up to SMALL vertices the CDAG is written out and marked; up to MARKED where its description does not tell all.  A
   checker marks no more than MARKED vertices along EDGES edges. */
enum { SMALL = 1 << 18, MARKED = 1 << 22, EDGES = 1 << 26 };

/* The same count with the outputs of the description: a sink that is not named `output` is none there. */
static uint64_t count_live(const cdag *g, const cdag_graph *e)
{
  SCOPED_MEM uint8_t *live = MEM_NEW(uint8_t, e->n);
  uint64_t moves = 0;
  for (uint32_t v = 0; v < e->n; v++) {
    cdag_element x;
    cdag_at(g, v, &x);
    moves += live[v] = !cdag_graph_is_input(e, v) && cdag_is_output(g, x.array, x.x);
  }
  cdag_graph_mark_leading(e, NULL, live);
  for (uint32_t v = 0; v < e->n; v++)
    moves += cdag_graph_is_input(e, v) && live[v];
  return moves;
}

/* May there be more than this?  Not when all inputs matter. */
static bool may_be_more(const cdag *g, uint64_t moves)
{
  cdag_counts c;
  diag ignored = { 0 };
  return cdag_count(g, &c, &ignored) != OK || moves < c.inputs + c.outputs;
}

/* From the description: whole arrays of inputs that matter, and the outputs; where those are not all there is, sets. */
static uint64_t count_described(const bound_question *q, text *parameters)
{
  bound_live own;
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  SCOPED_JSON j = { 0 };
  uint64_t inputs = l->inputs, outputs = l->outputs;
  if (may_be_more(q->g, inputs + outputs))
    cdag_ends(q->g, &inputs, &outputs);
  json_open(&j, '{');
  json_put_uint(&j, "inputs", inputs);
  json_put_uint(&j, "outputs", outputs);
  json_close(&j, '}');
  text_add(parameters, text_str(&j.out));
  bound_live_clear(&own);
  return inputs + outputs;
}

/* Marks vertex by vertex; false when that is too much work.  Whether a checker would do it, too, goes to *checked. */
static bool mark(const cdag *g, uint64_t *moves, bool *checked)
{
  cdag_graph e = { 0 };
  bool done = cdag_materialise(g, MARKED, &e, NULL) == OK;
  if (done)
    *moves = count_live(g, &e);
  *checked = e.m <= EDGES;
  cdag_graph_clear(&e);
  return done;
}

static void say_why(bound *b)
{
  proof say = { &b->proof, &b->proof_latex };
  proof_tell(&say, "geometry/compulsory/why", "value %Zd", b->value);
}

/* As many as can be shown, and what a certificate of it needs; a graph too large for the checker has none. */
static uint64_t count(const bound_question *q, text *parameters)
{
  const cdag *g = q->g;
  uint64_t marked = 0, moves = 0;
  if (g->graph) {
    text_add(parameters, g->vertices <= MARKED && g->graph->m <= EDGES ? "{}" : "");
    return cdag_graph_compulsory(g->graph);
  }
  if (g->vertices > SMALL)
    moves = count_described(q, parameters);
  if (g->vertices > SMALL && (g->vertices > MARKED || !may_be_more(g, moves)))
    return moves;
  bool checked;
  if (mark(g, &marked, &checked)) {
    text_clear(parameters);
    text_add(parameters, checked ? "{}" : "");
    return marked;
  }
  return parameters->n > 0 ? moves : count_described(q, parameters);
}

static status apply_compulsory(const bound_question *q, bound_list *out, diag *d)
{
  (void)d;
  SCOPED_TEXT parameters = { 0 };
  uint64_t moves = count(q, &parameters);
  bound *b = bound_list_add(out, "compulsory", BOUND_PROVED, BOUND_ANY | BOUND_PARTIAL, "docs/theory.md, section 1");
  mpz_set_ui(b->value, moves);
  text_add(&b->leading, "inputs + outputs");
  text_add(&b->parameters, text_str(&parameters));
  if (q->want_proof)
    say_why(b);
  return OK;
}

BOUND_THEOREM(10, compulsory) = {
  .name = "compulsory",
  .summary = "every input that matters is loaded, every computed output stored",
  .source = "docs/theory.md, section 1",
  .apply = apply_compulsory,
};
