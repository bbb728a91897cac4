/* The bound on affine computations (docs/theory-affine.md): what the search finds, derived as the checker does. */
#include "bounds/affine/find.h"
#include "bounds/affine/say.h"
#include "base/json.h"
#include "bounds/bound.h"
#include "bounds/proof.h"

static void write_parameters(const affine_claim *c, text *out)
{
  json j = { 0 };
  json_open(&j, '{');
  affine_claim_write(c, &j);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  json_clear(&j);
}

static void add_affine(const bound_question *q, affine_facts *f, const affine_best *best, bool once, bound_list *out)
{
  bound *b = bound_list_add(out, once ? "affine-one-shot" : "affine", BOUND_PROVED,
                            once ? BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING : BOUND_ANY, "docs/theory-affine.md");
  mpz_set(b->value, best->value);
  write_parameters(&best->claim, &b->parameters);
  text reason = { 0 };
  if (affine_derive(f, &best->claim, &reason)) {
    affine_say_leading(f, &best->claim, (int64_t)q->m, &b->leading);
    if (q->want_proof)
      affine_say_proof(f, &best->claim, (int64_t)q->m, b);
  }
  text_clear(&reason);
}

static status apply_affine(const bound_question *q, bound_list *out, diag *d)
{
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 4)
    return OK;
  affine_facts f[READINGS];
  affine_best best[2];
  unsigned there = bound_readings(q->g, READINGS, f);
  for (int k = 0; k < 2; k++)
    mpz_init(best[k].value);
  for (int r = 0; r < READINGS; r++)
    if (there >> r & 1)
      affine_find(&f[r], (int64_t)q->m, AFFINE_ALL, best);
  for (int k = 0; k < 2; k++)
    if (mpz_sgn(best[k].value) > 0 && (k == 0 || mpz_cmp(best[1].value, best[0].value) > 0))
      add_affine(q, &f[best[k].claim.reading], &best[k], k, out);
  for (int k = 0; k < 2; k++)
    mpz_clear(best[k].value);
  bound_readings_clear(f, there);
  return OK;
}

static void say_stencil(const affine_facts *f, const stencil_claim *c, int64_t m, bound *b)
{
  proof say = { &b->proof, &b->proof_latex };
  long d = c->axes;
  affine_say_reading(&say, f);
  proof_say(&say,
            "The computation is cut into columns, disjoint paths from inputs; on level {%ld} and above, up to {%ld}, "
            "each element of a box of columns reads the one below it in its "
            "column, and its neighbours along each of {%ld} axes, both ways. The last level is put out.%s",
            (long)c->bottom + 1, (long)c->top, d,
            c->stride > 1 ? " (Every other level is counted: between two is one element more of each column, through "
                            "which they are read.)"
                          : "");
  proof_paragraph(&say);
  proof_say(&say,
            "Cut the play into segments of {T = %ld} loads and stores. Every line of a set of disjoint lines into what "
            "a segment computes brings a word that is red at its beginning or is loaded, and "
            "every one that leads out takes one that is red at its end or is stored. ",
            (long)c->length);
  if (stencil_star(c, m))
    proof_say(&say,
              "Count the columns that have {%ld} columns on all sides. What a segment computes is left by no path that "
              "comes back, and lines enter each of its rows from both sides and leave it on both: a row with {N} "
              "elements in its fullest column and {L} lines has at most {L/2 - N + 3 - h} columns of {h} elements or "
              "more. So at most {%ld/%ld (X/4)^((%ld+1)/%ld) (1 - 2^(-%ld))^(-1/%ld)} elements and a small multiple of "
              "{X = 2 M + T} more are computed in a segment (docs/theory-affine.md, section 6, Theorem 12).",
              (long)c->room, d, d + 1, d, d, d + 1, d);
  else if (c->room && c->tall)
    proof_say(&say,
              "Count the columns that have {r = %ld} columns on all sides. Two columns of a row with {h} elements each "
              "have lines that come from both sides, {2 h} for {h <= r} and {h + r + 1} above, so a segment computes "
              "at most {%s} elements and a small multiple of the words more, {%s} (docs/theory-affine.md, section 6, "
              "Theorem 10b).",
              (long)c->room,
              c->once  ? d == 1 ? "K^2 / 4 + (K / 2 - r)^2" : "(K^(3/2) + (sqrt(K) - r)^3) / 3"
              : d == 1 ? "max((X - r)^2 / 6, X^2 / 12 + (X - 2 r)^2 / 16)"
                       : "max(f, X^(3/2) / 6 + y^3 / 3)",
              c->once  ? "K = floor((2 M + T) / 2)"
              : d == 1 ? "X = 2 M + T"
                       : "X = 2 M + T, f the largest x X - r x^2 - 4/3 x^3, and y^2 + r y = X / 2");
  else if (c->room)
    proof_say(
        &say,
        "Count the columns that have {%ld} columns on all sides. Two full columns of a row have lines that come from "
        "both sides, so a row has twice as many lines as its second fullest column has elements; with Loomis and "
        "Whitney's inequality and Hoelder's, a segment computes at most {%ld/%ld} {%s} elements, and a small multiple "
        "of the words more (docs/theory-affine.md, section 6).",
        (long)c->room, d, 2 * (d + 1), c->once ? "K^((d+1)/d)" : "(d + 2)^(-1/d) (2 M + T)^((d+1)/d)");
  else if (c->once)
    proof_say(&say,
              "One of the two kinds has at most {K = floor((2 M + T) / 2)} lines. In each row of columns there are as "
              "many lines as the fullest column has elements; so, with Loomis and Whitney's inequality and "
              "Hoelder's, a segment computes at most {K^((%ld + 1)/%ld)} elements.",
              d, d);
  else
    proof_say(&say,
              "The lines into the elements computed first, and the columns they are in, are together at most {2 M + "
              "T}. In each row of columns there are as many lines as the fullest column has elements; so, with Loomis "
              "and Whitney's inequality and Hoelder's, a segment computes at most {%ld ((2 M + T)/(%ld + 1))^((%ld + "
              "1)/%ld)} elements.",
              d, d, d, d);
  int64_t levels, slabs = stencil_slabs(c, m, &levels);
  if (slabs > 1)
    proof_say(&say,
              " Only {%ld} slabs of {%ld} levels count. They are so far apart that what is above one has all columns "
              "up to its top among its ancestors: so they cost one after the other. The last elements of the columns "
              "of all but the last slab count as events, and are taken off.",
              (long)slabs, (long)levels);
  else if (levels < (c->top - c->bottom) / c->stride)
    proof_say(&say, " Only the last {%ld} levels count.", (long)levels);
  mpz_t beside;
  mpz_init(beside);
  stencil_count(c, m, beside);
  mpz_sub(beside, b->value, beside);
  if (mpz_sgn(beside) > 0)
    proof_say(&say, " No line passes {%Zd} inputs that are loaded and outputs that are stored besides.", beside);
  mpz_clear(beside);
  proof_say(&say, " So {Q >= %Zd}. (M = {%ld})", b->value, (long)m);
  proof_paragraph(&say);
}

static status apply_stencil(const bound_question *q, bound_list *out, diag *d)
{
  (void)d;
  if (q->g->graph || q->m > INT32_MAX)
    return OK;
  affine_facts f[READINGS];
  stencil_best best[2];
  unsigned there = bound_readings(q->g, READ_TAPPED, f);
  for (int k = 0; k < 2; k++)
    mpz_init(best[k].value);
  for (int r = 0; r < READINGS; r++)
    if (there >> r & 1)
      affine_find_stencil(&f[r], (int64_t)q->m, best);
  for (int k = 0; k < 2; k++) {
    if (mpz_sgn(best[k].value) <= 0)
      continue;
    bound *b = bound_list_add(out, k ? "columns-one-shot" : "columns", BOUND_PROVED,
                              k ? BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING : BOUND_ANY,
                              "docs/theory-affine.md, section 6");
    json j = { 0 };
    mpz_set(b->value, best[k].value);
    json_open(&j, '{');
    stencil_claim_write(&best[k].claim, &j);
    json_close(&j, '}');
    text_add(&b->parameters, text_str(&j.out));
    json_clear(&j);
    if (q->want_proof)
      say_stencil(&f[best[k].claim.reading], &best[k].claim, (int64_t)q->m, b);
  }
  for (int k = 0; k < 2; k++)
    mpz_clear(best[k].value);
  bound_readings_clear(f, there);
  return OK;
}

BOUND_THEOREM(97, columns) = {
  .name = "columns",
  .summary = "stencils of any dimension, several arrays, in place: disjoint lines through a box of columns",
  .source = "docs/theory-affine.md, section 6",
  .apply = apply_stencil,
};

BOUND_THEOREM(95, affine) = {
  .name = "affine",
  .summary = "any affine computation: which words its steps use, and how many steps X words allow",
  .source = "docs/theory-affine.md",
  .apply = apply_affine,
};
