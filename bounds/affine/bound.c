/* The bound on affine computations (docs/theory-affine.md): what the search finds, derived as the checker does. */
#include "base/scoped.h"
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
  affine_best best[2] = { 0 };
  unsigned there = bound_readings(q->g, READ_ENDS, f);
  for (int k = 0; k < 2; k++)
    mpz_init(best[k].value);
  for (int r = 0; r < READ_ENDS; r++)
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

static void say_walls(const proof *say, const stencil_claim *c, int64_t m, const mpz_t outputs)
{
  SCOPED_MPZ least, more, per, moved, worth;
  mpz_inits(least, more, per, moved, worth, NULL);
  stencil_at_walls(c, m, least, more, per);
  stencil_wall_words(c, moved);
  stencil_wall_worth(c, m, worth);
  proof_tell(say, "affine/bound/open-walls", "words %Zd, cube %ld, more %Zd, per %Zd, worth %Zd", moved,
             (long)c->cube, more, per, worth);
  if (c->reading != READ_ENDS)
    proof_tell(say, "affine/bound/stored-once", "outputs %Zd", outputs);
}

/* In a set's neighbourhood; how the least number beside it is known. */
static void say_sections(const proof *say, const stencil_claim *c, int64_t m, const mpz_t outputs)
{
  static const char *const beside[STENCIL_FIELD_AXES + 1] = { "", "4", "sqrt(56)", "9.3" };
  SCOPED_TEXT place = { 0 };
  SCOPED_MPZ most;
  bool twice = stencil_drops_twice(c);
  if (!c->open)
    text_printf(&place, " (columns in a corner; the box is cut in cubes of {%ld} a side)", (long)c->cube);
  if (c->corners)
    text_add(&place, ", those across corners as well");
  if (c->reach > 1)
    text_printf(&place, ", as far as {%ld} off", (long)c->reach);
  if (c->constants > 0)
    text_printf(&place, "; each column has {%d} inputs of its own, which are read of other arrays", c->constants);
  mpz_init(most);
  stencil_sections(c, m, most);
  if (c->reading == READ_ENDS)
    proof_tell(say, "affine/bound/sums", "place %s, least %Zd", text_str(&place), most);
  else if (c->fields)
    proof_tell(say, "affine/bound/fields", "count %s, d %ld, caps %d, least %Zd", beside[c->axes], (long)c->axes,
               2 * (c->axes + 1) + c->constants, most);
  else
    proof_tell(say, "affine/bound/sections", "steps %s, count %d, rest %s, place %s, least %Zd",
               twice ? "two levels" : "one level", 2 + c->constants, twice ? " + q(s_(h+1)) + ..." : "",
               text_str(&place), most);
  if (c->open)
    say_walls(say, c, m, outputs);
}

static void say_stencil(affine_facts *f, const stencil_claim *c, int64_t m, bound *b)
{
  SCOPED_TEXT reason = { 0 };
  mpz_t beside[STENCIL_BESIDE];
  mpz_inits(beside[0], beside[1], beside[2], NULL);
  stencil_holds(f, c, beside, &reason);
  proof say = { &b->proof, &b->proof_latex };
  long d = c->axes;
  affine_say_reading(&say, f);
  proof_tell(&say, "affine/bound/stencil", "bottom %ld, top %ld, d %ld, strides %s, length %ld", (long)c->bottom + 1,
             (long)c->top, d,
             c->stride > 1 ? " (Every other level is counted: between two is one element more of each column, through "
                             "which they are read.)"
                           : "",
             (long)c->length);
  if (c->sections)
    say_sections(&say, c, m, beside[2]);
  else if (stencil_star(c, m))
    proof_tell(&say, "affine/bound/star", "room %ld, d %ld, d_and_1 %ld", (long)c->room, d, d + 1);
  else if (c->room && c->tall)
    proof_tell(&say, "affine/bound/tall-columns", "room %ld, most %s, where %s", (long)c->room,
               c->once  ? d == 1 ? "K^2 / 4 + (K / 2 - r)^2" : "(K^(3/2) + (sqrt(K) - r)^3) / 3"
               : d == 1 ? "max((X - r)^2 / 6, X^2 / 12 + (X - 2 r)^2 / 16)"
                        : "max(f, X^(3/2) / 6 + y^3 / 3)",
               c->once  ? "K = floor((2 M + T) / 2)"
               : d == 1 ? "X = 2 M + T"
                        : "X = 2 M + T, f the largest x X - r x^2 - 4/3 x^3, and y^2 + r y = X / 2");
  else if (c->room)
    proof_tell(&say, "affine/bound/second-fullest", "room %ld, d %ld, sides %ld, most %s", (long)c->room, d,
               2 * (d + 1), c->once ? "K^((d+1)/d)" : "(d + 2)^(-1/d) (2 M + T)^((d+1)/d)");
  else if (c->once)
    proof_tell(&say, "affine/bound/once", "d %ld", d);
  else
    proof_tell(&say, "affine/bound/recompute", "d %ld", d);
  int64_t levels, slabs = stencil_slabs(c, m, &levels);
  if (slabs > 1)
    proof_tell(&say, "affine/bound/slabs", "slabs %ld, levels %ld", (long)slabs, (long)levels);
  else if (levels < (c->top - c->bottom) / c->stride)
    proof_say(&say, " Only the last {%ld} levels count.", (long)levels);
  if (mpz_sgn(beside[c->once]) > 0)
    proof_say(&say, " No line passes {%Zd} inputs that are loaded and outputs that are stored besides.",
              beside[c->once]);
  mpz_clears(beside[0], beside[1], beside[2], NULL);
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
  if (mpz_sgn(best[0].value) <= 0 && mpz_sgn(best[1].value) <= 0 && affine_facts_init(&f[READ_ENDS], q->g, READ_ENDS)) {
    there |= 1u << READ_ENDS; /* there is less to be had than where elements read their neighbours themselves */
    affine_find_stencil(&f[READ_ENDS], (int64_t)q->m, best);
  }
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
