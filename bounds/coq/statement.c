#include "base/scoped.h"
#include "bounds/coq/powers.h"
#include "bounds/coq/statement.h"
#include "base/big.h"
#include "base/num.h"
#include <inttypes.h>
#include <string.h>

enum { SETS = 16, OPERANDS = 8 };

/* ---- the computation ---- */

typedef struct {
  const cdag *g;
  int array, keys, sums; /* loops of the result come first, then those that are summed over */
  int operands, term[OPERANDS];
} statement;

static int64_t extent(const statement *s, int r) { return s->g->array[s->array].hull.hi[r]; }
static int loops(const statement *s) { return s->g->array[s->array].rank; }

static bool is_box(const cdag_array *a)
{
  for (int r = 0; r < a->rank; r++)
    if (a->hull.lo[r] != 0 || a->hull.hi[r] <= 0)
      return false;
  return a->rectangular;
}

/* The index that holds a term's condition is none. */
static bool is_form(const cdag_index *x) { return x->kind == CDAG_AT && x->affine; }

/* x[var] + base */
static bool is_loop(const cdag_index *x, int loops, int var, int64_t base)
{
  bool same = is_form(x) && x->base == base;
  for (int r = 0; r < loops; r++)
    same = same && x->coef[r] == (r == var);
  return same;
}

/* The step before: loop r goes back by one, those behind it go from their beginning to their end. */
static bool is_carry(const statement *s, const cdag_term *t, int r)
{
  bool carry = true;
  for (int k = 0; k < loops(s); k++)
    carry = carry && is_loop(&t->index[k], loops(s), k, k < r ? 0 : k == r ? -1 : extent(s, k) - 1);
  return carry;
}

/* The terms of the own array are the carries of its last loops, each once. */
static bool read_chain(statement *s)
{
  const cdag_array *a = &s->g->array[s->array];
  unsigned found = 0;
  for (int t = 0; t < a->terms; t++)
    if (a->term[t].array == s->array) {
      int r = a->rank - 1;
      while (r >= 0 && !is_carry(s, &a->term[t], r))
        r--;
      if (r < 0 || found >> r & 1)
        return false;
      found |= 1u << r;
      s->sums++;
    }
  s->keys = a->rank - s->sums;
  return s->sums > 0 && found == ((1u << a->rank) - 1) - ((1u << s->keys) - 1);
}

/* A form that is never negative and stays below n. */
static bool stays_inside(const statement *s, const cdag_index *x, int64_t n)
{
  int64_t most = x->base, more;
  bool inside = is_form(x) && x->base >= 0;
  for (int r = 0; inside && r < loops(s); r++)
    inside = x->coef[r] >= 0 && num_mul(x->coef[r], extent(s, r) - 1, &more) && num_add(most, more, &most);
  return inside && most < n;
}

static bool read_operand(statement *s, int t)
{
  const cdag_term *term = &s->g->array[s->array].term[t];
  const cdag_array *from = &s->g->array[term->array];
  bool good = s->operands < OPERANDS;
  for (int r = 0; good && r < from->rank; r++)
    good = stays_inside(s, &term->index[r], from->hull.hi[r]);
  if (good)
    s->term[s->operands++] = t;
  return good;
}

/* The last step of each sum is put out, and nothing else. */
static bool puts_out_ends(const statement *s)
{
  const cdag_selection *x = s->g->selection;
  bool ends = s->g->selections == 1 && x->array == s->array && x->vars == 0;
  for (int r = 0; ends && r < loops(s); r++)
    ends = r < s->keys ? x->index[r].kind == CDAG_ALL : is_loop(&x->index[r], 0, -1, extent(s, r) - 1);
  return ends;
}

static bool read_statement(const cdag *g, statement *s)
{
  *s = (statement){ .g = g, .array = -1 };
  for (int a = 0; a < g->arrays; a++) {
    const cdag_array *of = &g->array[a];
    if (!is_box(of) || of->declared_output || of->rules > 1 || of->copied || (of->terms && s->array >= 0))
      return false;
    s->array = of->terms ? a : s->array;
  }
  if (s->array < 0 || !read_chain(s))
    return false;
  for (int t = 0; t < g->array[s->array].terms; t++)
    if (g->array[s->array].term[t].array != s->array && !read_operand(s, t))
      return false;
  return s->operands > 0 && puts_out_ends(s);
}

/* ---- exponents ---- */

typedef struct {
  coq_order order;
  int64_t den, chain, operand[OPERANDS];
} exponents;

static exponents none_yet(const statement *s)
{
  exponents e = { .order.loops = loops(s) };
  for (int r = 0; r < loops(s); r++)
    e.order.size[r] = extent(s, r);
  return e;
}

static int operand_of_term(const statement *s, int64_t term)
{
  for (int o = 0; o < s->operands; o++)
    if (s->term[o] == term)
      return o;
  return -1;
}

static void shorten(const statement *s, exponents *e)
{
  int64_t by = num_gcd(e->den, e->chain);
  for (int o = 0; o < s->operands; o++)
    by = num_gcd(by, e->operand[o]);
  e->den /= by;
  e->chain /= by;
  for (int o = 0; o < s->operands; o++)
    e->operand[o] /= by;
}

/* To a need, by the term it reads; -1: the chain. */
static bool add_power(const statement *s, int64_t term, int64_t power, exponents *e)
{
  int o = operand_of_term(s, term);
  if ((o < 0 && term != -1) || power < 0 || power > COQ_FINEST)
    return false;
  *(o < 0 ? &e->chain : &e->operand[o]) += power;
  return true;
}

/* One set of a projective way: its exponents are in the order of the needs. */
static bool read_projective_set(const statement *s, const json_value *needs, const json_value *v, exponents *e)
{
  int64_t power[OPERANDS + 1], term;
  *e = none_yet(s);
  if (!json_get_int64_in(v, "den", 1, COQ_FINEST, &e->den) || needs->n > OPERANDS + 1 ||
      json_get_int64s(v, "needs", OPERANDS + 1, 0, COQ_FINEST, power) != (int)needs->n)
    return false;
  for (size_t i = 0; i < needs->n; i++) {
    const json_value *made = json_get(&needs->item[i], "made");
    if (!made || made->type != JSON_FALSE || !json_get_int(&needs->item[i], "term", &term) ||
        !add_power(s, term, power[i], e))
      return false;
  }
  for (int r = 0; r < loops(s); r++)
    coq_order_add(&e->order, r);
  shorten(s, e);
  return true;
}

static int read_projective(const statement *s, const json_value *v, exponents *e)
{
  int ways, sets, needs;
  const json_value *way = json_get_items(v, "ways", 1, &ways);
  const json_value *set = way ? json_get_items(way, "exponents", SETS, &sets) : NULL;
  if (!set || !json_get_items(way, "needs", OPERANDS + 1, &needs))
    return 0;
  for (int i = 0; i < sets; i++)
    if (!read_projective_set(s, json_get(way, "needs"), &set[i], &e[i]))
      return 0;
  return sets;
}

/* The one statement of the one group of a claim; its accesses are the terms. */
static int read_affine(const statement *s, const json_value *group, exponents *e)
{
  int statements, needs, order[COQ_COORDINATES];
  int64_t term, power;
  const json_value *v = json_get_items(group, "statements", 1, &statements);
  const json_value *need = v ? json_get_items(v, "needs", OPERANDS + 1, &needs) : NULL;
  *e = none_yet(s);
  int named = need ? json_get_ints(v, "order", COQ_COORDINATES, 0, COQ_COORDINATES - 1, order) : -1;
  if (named < 0 || !json_get_int64_in(group, "den", 1, COQ_FINEST, &e->den) ||
      json_get_int64s(v, "split", CDAG_RANK, 0, INT64_MAX, e->order.split) != CDAG_RANK)
    return 0;
  for (int i = 0; i < needs; i++)
    if (!json_get_int(&need[i], "access", &term) || !json_get_int(&need[i], "power", &power) ||
        !add_power(s, term, power, e))
      return 0;
  coq_order_claimed(&e->order, order, named);
  shorten(s, e);
  return 1;
}

/* ---- the check: proofs/certify/StatementCertificate.v says what follows from exponents ---- */

static const cdag_term *operand_term(const statement *s, int o) { return &s->g->array[s->array].term[s->term[o]]; }

static bool operand_tells(const statement *s, const exponents *e, int o, int i)
{
  const cdag_term *t = operand_term(s, o);
  for (int r = 0; r < s->g->array[t->array].rank; r++)
    if (coq_order_told(&e->order, t->index[r].coef, i))
      return true;
  return false;
}

static int64_t missing_at(const statement *s, const exponents *e, int i)
{
  int64_t told = e->order.at[i].loop < s->keys ? e->chain : 0;
  for (int o = 0; o < s->operands; o++)
    told += operand_tells(s, e, o, i) ? e->operand[o] : 0;
  return told < e->den ? e->den - told : 0;
}

static int64_t share_of(const statement *s, const exponents *e, int array)
{
  int64_t share = 0;
  for (int o = 0; o < s->operands; o++)
    share += operand_term(s, o)->array == array ? e->operand[o] : 0;
  return share;
}

/* The most steps that x words allow: X^items shares missing / items^items, and its root. */
static void most_of(const statement *s, const exponents *e, const mpz_t x, mpz_t most)
{
  int64_t items = e->chain;
  SCOPED_MPZ under;
  mpz_init_set_ui(under, 1);
  mpz_set_ui(most, 1);
  big_times_power64(most, e->chain, e->chain);
  for (int o = 0; o < s->operands; o++)
    items += e->operand[o];
  for (int a = 0; a < s->g->arrays; a++)
    big_times_power64(most, share_of(s, e, a), share_of(s, e, a));
  for (int i = 0; i < e->order.n; i++)
    big_times_power64(most, coq_order_extent(&e->order, i), missing_at(s, e, i));
  big_times_power(most, x, items);
  big_times_power64(under, items, items);
  mpz_fdiv_q(most, most, under);
  mpz_root(most, most, (unsigned long)e->den);
}

static void most_of_sets(const statement *s, const exponents *e, int sets, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ one;
  mpz_init(one);
  for (int i = 0; i < sets; i++) {
    most_of(s, &e[i], x, one);
    if (i == 0 || mpz_cmp(one, most) < 0)
      mpz_set(most, one);
  }
}

typedef struct {
  mpz_t first, length, others, most_first, most;
} segments;

static bool read_cut(const json_value *v, segments *c)
{
  bool good = json_get_big(v, "first", c->first) && json_get_big(v, "length", c->length) &&
              json_get_big(v, "segments", c->others);
  mpz_sub_ui(c->others, c->others, 1);
  return good && mpz_sgn(c->first) >= 0 && mpz_sgn(c->length) >= 0 && mpz_sgn(c->others) >= 0;
}

/* The segments do not do all steps, and have as many events as the value says. */
static bool check(const bound_question *q, const bound *b, const statement *s, const exponents *e, int sets,
                  segments *c)
{
  SCOPED_MPZ x, steps;
  mpz_inits(x, steps, NULL);
  mpz_add_ui(x, c->length, q->m);
  most_of_sets(s, e, sets, c->first, c->most_first);
  if (mpz_sgn(c->others) > 0)
    most_of_sets(s, e, sets, x, c->most);
  mpz_set_ui(steps, 1);
  for (int r = 0; r < loops(s); r++)
    mpz_mul_ui(steps, steps, (unsigned long)extent(s, r));
  mpz_sub(steps, steps, c->most_first);
  mpz_submul(steps, c->others, c->most);
  mpz_add_ui(x, c->first, 1);
  mpz_addmul(x, c->others, c->length);
  return mpz_sgn(steps) > 0 && mpz_cmp(b->value, x) <= 0;
}

/* ---- writing ---- */

static int input_number(const statement *s, int array) { return array - (array > s->array); }

static void put_arrays(const statement *s, text *out)
{
  const char *between = "";
  text_add(out, "[:: ");
  for (int a = 0; a < s->g->arrays; a++)
    if (a != s->array) {
      text_add(out, between);
      coq_put_numbers(s->g->array[a].hull.hi, s->g->array[a].rank, out);
      between = "; ";
    }
  text_add(out, "]");
}

static void put_operand(const statement *s, const cdag_term *t, text *out)
{
  text_printf(out, "(%d%%nat, [::", input_number(s, t->array));
  for (int r = 0; r < s->g->array[t->array].rank; r++) {
    text_printf(out, "%s (%" PRId64 ", ", r ? ";" : "", t->index[r].base);
    coq_put_numbers(t->index[r].coef, loops(s), out);
    text_add(out, ")");
  }
  text_add(out, "])");
}

static void put_statement(const statement *s, text *out)
{
  const int64_t *of = s->g->array[s->array].hull.hi;
  text_add(out, "Text ");
  coq_put_numbers(of, s->keys, out);
  text_add(out, " ");
  coq_put_numbers(of + s->keys, s->sums, out);
  text_add(out, " ");
  put_arrays(s, out);
  text_add(out, " [:: ");
  for (int o = 0; o < s->operands; o++) {
    text_add(out, o ? "; " : "");
    put_operand(s, operand_term(s, o), out);
  }
  text_add(out, "]");
}

static void put_set(const statement *s, const exponents *e, text *out)
{
  text_add(out, "Exponents ");
  coq_order_put(&e->order, out);
  text_printf(out, " %" PRId64 " %" PRId64 " ", e->den, e->chain);
  coq_put_numbers(e->operand, s->operands, out);
}

static void put_sets(const statement *s, const exponents *e, int sets, text *out)
{
  text_add(out, "[:: ");
  for (int i = 0; i < sets; i++) {
    text_add(out, i ? "; " : "");
    put_set(s, &e[i], out);
  }
  text_add(out, "]");
}

static void put_cut(segments *c, text *out)
{
  mpz_t *all[] = { &c->first, &c->length, &c->others, &c->most_first, &c->most };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    text_add(out, i ? " " : "");
    coq_put_big(out, *all[i]);
  }
}

bool coq_statement_proves(const bound_question *q, const bound *b, const json_value *v, text *told)
{
  statement s;
  exponents e[SETS];
  segments c;
  int groups, sets;
  bool affine = strcmp(b->name, "affine") == 0;
  const json_value *of = affine ? json_get_items(v, "groups", 1, &groups) : v;
  if (!of || !read_statement(q->g, &s))
    return false;
  sets = affine ? read_affine(&s, of, e) : read_projective(&s, of, e);
  mpz_inits(c.first, c.length, c.others, c.most_first, c.most, NULL);
  bool proves = sets > 0 && read_cut(of, &c) && check(q, b, &s, e, sets, &c);
  if (proves && told) {
    put_statement(&s, &told[COQ_TEXT]);
    put_sets(&s, e, sets, &told[COQ_CLAIM]);
    put_cut(&c, &told[COQ_CUTS]);
  }
  mpz_clears(c.first, c.length, c.others, c.most_first, c.most, NULL);
  return proves;
}
