/* The interaction program of a computation (docs/theory-lp.md, section 3): which statements, by which of their terms,
   to take as kinds of work at the pairs of which array.  Whether they are is for the reader to say
   (bounds/check/reading/cover.h), of the rules under their own names and, on a mask, under new ones. */
#include "bounds/recognise/shape_covering.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/check/reading/cover.h"
#include <string.h>

enum { MOST = 12 };

/* What is looked at: a description, its rules perhaps under other names. */
typedef struct {
  const cdag *g;
  const cdag_relisted *names;
  checker_work *work[MOST];
  int n;
} candidates;

static void add_candidates(candidates *c, const bound_statement *s)
{
  for (int v = 0; v < s->operands; v++)
    for (int o = 0; o < s->operands && c->n < MOST; o++) {
      int value = s->operand[v].term, operand = s->operand[o].term;
      if (c->names)
        value = cdag_relisted_old(c->g, c->names, s->array, value);
      if (c->names)
        operand = cdag_relisted_old(c->g, c->names, s->array, operand);
      c->work[c->n] = v == o ? NULL : checker_work_read(c->g, c->names, s, value, operand);
      c->n += c->work[c->n] != NULL;
    }
}

static void find_candidates(candidates *c, const bound_live *live)
{
  bound_statement listed, s;
  int statements = 0;
  for (int a = 0; a < c->g->arrays && statements < MOST; a++)
    if (bound_statement_find(c->g, live, a, &listed) && checker_cover_statement(c->names, &listed, &s)) {
      add_candidates(c, &s);
      statements++;
    }
}

/* As many kinds of the anchor's as fit together, in turn: their number. */
static int fit(const candidates *c, int anchor, checker_cover *cover)
{
  checker_work *chosen[CHECKER_KINDS];
  checker_cover with;
  int n = 0;
  for (int i = 0; i < c->n && n < CHECKER_KINDS; i++) {
    chosen[n] = c->work[i];
    if (checker_cover_build(c->g, c->names, chosen, n + 1, anchor, &with)) {
      *cover = with;
      n++;
    }
  }
  return n > 0 && cover->apart ? n : 0;
}

static void program_of(const cdag *g, const bound_live *live, int anchor, const checker_cover *k, cover_shape *c)
{
  *c = (cover_shape){ .anchor = anchor,
                      .others = checker_cover_others(g, live->whole, k),
                      .seeded = k->seeded };
  cover_program *p = &c->p;
  p->arrays = k->words;
  p->kinds = k->kinds;
  p->pairs = (int64_t)k->pairs;
  p->births = k->births;
  for (int i = 0; i < k->words; i++) {
    p->array[i] = (cover_array){ .column = k->word[i].column, .width = k->word[i].width };
    memcpy(p->array[i].name, g->array[k->word[i].array].name, sizeof p->array[i].name - 1);
    c->array[i] = k->word[i].array;
  }
  for (int i = 0; i < k->kinds; i++) {
    const checker_kind *from = &k->kind[i];
    p->kind[i] = (cover_kind){ .width = from->slices,
                               .steps = from->steps,
                               .operand = from->operand,
                               .chain = from->chain,
                               .whole = from->whole,
                               .value_term = from->value_term,
                               .operand_term = from->operand_term };
    memcpy(p->kind[i].name, g->array[from->array].name, sizeof p->kind[i].name - 1);
    c->statement[i] = from->array;
  }
}

/* The anchor with the most kinds, if there are more than `most`. */
static int best_anchor(const cdag *g, const cdag_relisted *names, const bound_live *live, int most, cover_shape *best)
{
  candidates c = { .g = g, .names = names };
  find_candidates(&c, live);
  for (int anchor = 0; anchor < g->arrays; anchor++) {
    checker_cover cover = { .kinds = 0 };
    int here = fit(&c, anchor, &cover);
    if (here > most) {
      most = here;
      program_of(g, live, anchor, &cover, best);
    }
  }
  for (int i = 0; i < c.n; i++)
    mem_free(c.work[i]);
  return most;
}

bool bound_cover_find(const cdag *g, const bound_live *known, cover_shape *c)
{
  if (g->graph)
    return false;
  bound_live own;
  const bound_live *live = bound_live_of(g, known, &own);
  int most = best_anchor(g, NULL, live, 0, c);
  cdag_relisted names;
  cdag_relist(g, &names);
  if (names.g)
    most = best_anchor(g, &names, live, most, c);
  cdag_relisted_clear(&names);
  c->p.outputs = most ? live->outputs : 0;
  bound_live_clear(&own);
  return most > 0;
}
