/* What words allow, against sets of steps: of claims drawn at random on small computations, and of statements near to
   mirrored ones, each set of steps uses so many words and operands that no law of the claim lets fewer be done; sets
   become fuller, step by step.  Operands and ends that Theorem 4c speaks of are counted one by one. */
#include "base/mem.h"
#include "base/scoped.h"
#include "bounds/check/affine/stored.h"
#include "tests/support_claims.h"
#include "tests/support_near.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 6, LARGE = 900, CLAIMS = 30 };

static long derived, mirrored, counted, near, near_mirrored, many_read;

/* ---- sets of steps ---- */

enum { IDS = 600, STEPS = 700, CLIMB = 40, FAR = 9 };

/* An element of the normal form; as what it stands: for itself, or, being the first, for its word. */
typedef struct {
  int array;
  bool word;
  int64_t x[CDAG_RANK];
} source;

typedef struct {
  const affine_facts *f;
  int ids, steps;
  source id[IDS];
  int uses[STEPS], use[STEPS][CLAIM_ITEMS], read[STEPS][CLAIM_ITEMS]; /* the element of a word that is read, or -1 */
  bool in[IDS], operand[IDS];
} step_sets;

static bool lies_in(const polyhedron *p, const int64_t *x, int rank, bool *plain)
{
  bool good = true;
  for (int k = 0; k < p->n && good; k++) {
    int64_t v = p->row[k].form.base;
    for (int q = 0; q < POLYHEDRON_VARS; q++)
      if (q < rank)
        v += p->row[k].form.coef[q] * x[q];
      else
        *plain = *plain && p->row[k].form.coef[q] == 0;
    good = p->row[k].equal ? v == 0 : v >= 0;
  }
  return good;
}

static source at_index(const linear *index, int array, int rank, const int64_t *x)
{
  source e = { .array = array };
  for (int q = 0; q < rank; q++) {
    e.x[q] = index[q].base;
    for (int v = 0; v < CDAG_RANK; v++)
      e.x[q] += index[q].coef[v] * x[v];
  }
  return e;
}

/* The first element of its word. */
static source word_of(const step_sets *s, source e, bool *plain)
{
  const affine_facts *f = s->f;
  for (int far = 0, again = 1; again && far < 200; far++) {
    again = 0;
    for (int i = 0; i < f->words.n && !again; i++) {
      const access *a = f->form.access[f->words.own[i]];
      if (a->from == e.array && lies_in(a->where, e.x, f->form.array[a->from].rank, plain))
        again = 1, e = at_index(a->index, a->to, f->form.array[a->to].rank, e.x);
    }
  }
  e.word = true;
  return e;
}

static int number_of(step_sets *s, source e)
{
  int k = 0;
  while (k < s->ids && memcmp(&s->id[k], &e, sizeof e) != 0)
    k++;
  if (k == s->ids && k < IDS)
    s->id[s->ids++] = e;
  return k;
}

/* What the step uses by each of its needs; false: that is not known here. */
static bool add_step(step_sets *s, const claim_statement *of, const int64_t *x, int rank)
{
  bool plain = true;
  for (int i = 0; i < of->items; i++) {
    int found = -1, a_read = -1;
    bool operand = false;
    for (int w = 0; w < of->item[i].ways && found < 0; w++) {
      const access *a = of->item[i].way[w].access < 0 ? NULL : s->f->form.access[of->item[i].way[w].access];
      source e = { .array = of->array };
      memcpy(e.x, x, (size_t)rank * sizeof *x);
      if (a && !lies_in(a->where, x, rank, &plain))
        continue;
      for (int q = 0; a && q < s->f->form.array[a->to].rank; q++)
        plain = plain && linear_last(&a->index[q]) < rank;
      if (a)
        e = at_index(a->index, a->to, s->f->form.array[a->to].rank, x);
      operand = of->item[i].way[w].kind == ITEM_OPERAND;
      a_read = of->item[i].way[w].kind == ITEM_READ ? number_of(s, e) : -1;
      found = number_of(s, of->item[i].way[w].kind == ITEM_OPERAND ? e : word_of(s, e, &plain));
    }
    if (found < 0 || found >= IDS || a_read >= IDS || !plain)
      return false;
    s->use[s->steps][i] = found;
    s->operand[found] |= operand;
    s->read[s->steps][i] = a_read;
  }
  s->uses[s->steps++] = of->items;
  return true;
}

static bool find_steps(step_sets *s, const claim_group *c, const group_facts *g)
{
  for (int k = 0; k < c->statements; k++) {
    int rank = s->f->form.array[c->statement[k].array].rank;
    int64_t x[CDAG_RANK] = { 0 }, points = 1;
    for (int q = 0; q < rank; q++)
      points *= FAR;
    for (int64_t p = 0; p < points; p++) {
      int64_t rest = p;
      for (int q = 0; q < rank; q++, rest /= FAR)
        x[q] = rest % FAR;
      bool in = false, plain = true;
      for (int i = 0; i < g->steps[k].n && !in; i++)
        in = lies_in(g->steps[k].item[i], x, rank, &plain);
      if (!plain || (in && (s->steps == STEPS || !add_step(s, &c->statement[k], x, rank))))
        return false;
    }
  }
  return mpz_cmp_si(g->work, s->steps) == 0;
}

/* As many vertices as there are where steps with all they use in the set use each element, and of each word one; and
   how many steps these are.  Who only reads an element that is used itself needs no other one of its word. */
static int vertices_for(const step_sets *s, int *steps)
{
  bool used[IDS] = { 0 }, done[STEPS];
  int n = 0;
  *steps = 0;
  for (int pass = 0; pass < 2; pass++) /* elements, then words */
    for (int k = 0; k < s->steps; k++) {
      done[k] = pass ? done[k] : true;
      for (int i = 0; i < s->uses[k] && pass == 0; i++)
        done[k] = done[k] && s->in[s->use[k][i]];
      *steps += pass == 0 && done[k];
      for (int i = 0; i < s->uses[k] && done[k]; i++) {
        int id = s->use[k][i];
        if (s->id[id].word == pass)
          used[id] = used[id] || !pass || s->read[k][i] < 0 || !used[s->read[k][i]];
      }
    }
  for (int i = 0; i < s->ids; i++)
    n += used[i];
  return n;
}

/* Sets that become fuller: no law lets so many vertices do fewer steps. */
static void climb(support_random *r, step_sets *s, const group_facts *g, int seed, const text *t, const char *claim)
{
  double best = -1;
  SCOPED_MPZ x, most;
  mpz_inits(x, most, NULL);
  for (int k = 0; k < CLIMB && s->steps > 0; k++) {
    bool before[IDS];
    int steps, share = (int)support_between(r, 20, 100);
    memcpy(before, s->in, sizeof before);
    if (k < CLIMB / 4)
      for (int i = 0; i < s->ids; i++)
        s->in[i] = k == 0 || claims_chance(r, share);
    else if (claims_chance(r, 40))
      s->in[support_between(r, 0, s->ids - 1)] = false;
    else {
      int step = (int)support_between(r, 0, s->steps - 1);
      for (int i = 0; i < s->uses[step]; i++)
        s->in[s->use[step][i]] = true;
    }
    int n = vertices_for(s, &steps);
    mpz_set_si(x, n);
    group_most(g, x, most);
    ck_assert_msg(mpz_cmp_si(most, steps) >= 0, "seed %d: %d steps by %d vertices, and %ld are said to be most\n%s%s",
                  seed, steps, n, mpz_get_si(most), text_str(t), claim);
    double now = steps / (mpz_get_d(most) + 1);
    if (now >= best)
      best = now;
    else
      memcpy(s->in, before, sizeof before);
  }
  *(g->mirrored ? &near_mirrored : &near) += best > .75;
}

static void try_sets(support_random *r, const affine_facts *f, const affine_claim *c, int seed, const text *t,
                     const char *claim)
{
  step_sets *s = MEM_NEW(step_sets, 1);
  for (int g = 0; g < c->groups; g++) {
    bool good = c->group[g].tail == 0;
    for (int k = 0; k < c->group[g].statements; k++)
      for (int i = 0; i < c->group[g].statement[k].items; i++) {
        const claim_item *item = &c->group[g].statement[k].item[i];
        for (int w = 0; w < item->ways; w++)
          good = good && (item->way[w].kind <= ITEM_READ || (item->way[w].kind == ITEM_OPERAND && item->ways == 1));
      }
    memset(s, 0, sizeof *s);
    s->f = f;
    if (good && find_steps(s, &c->group[g], &f->group[g])) {
      derived++;
      mirrored += f->group[g].mirrored;
      climb(r, s, &f->group[g], seed, t, claim);
    }
  }
  mem_free(s);
}
/* ---- operands that are stored, counted one by one ---- */

static bool in_some(const polyhedra *l, const source *e, int rank, bool *plain)
{
  bool in = false;
  for (int i = 0; i < l->n && !in; i++)
    in = lies_in(l->item[i], e->x, rank, plain);
  return in;
}

/* The own predecessor; false: there is none. */
static bool before_on_word(const affine_facts *f, const source *e, source *before, bool *plain)
{
  for (int i = 0; i < f->words.n; i++) {
    const access *a = f->form.access[f->words.own[i]];
    if (a->from != e->array || !lies_in(a->where, e->x, f->form.array[a->from].rank, plain))
      continue;
    *before = at_index(a->index, a->to, f->form.array[a->to].rank, e->x);
    return true;
  }
  return false;
}

/* Elements of the own words' arrays in FAR boxes. */
static int elements_of(const affine_facts *f, int component, source *e, int most)
{
  int n = 0;
  for (int x = 0; x < f->form.arrays; x++) {
    int rank = f->form.array[x].rank;
    int64_t points = 1;
    bool plain = true;
    if (f->words.component[x] != component)
      continue;
    for (int q = 0; q < rank; q++)
      points *= FAR;
    for (int64_t p = 0; p < points; p++) {
      source of = { .array = x };
      int64_t rest = p;
      for (int q = 0; q < rank; q++, rest /= FAR)
        of.x[q] = rest % FAR;
      if (in_some(&f->form.array[x].domain, &of, rank, &plain) && n++ < most)
        e[n - 1] = of;
    }
    if (!plain || n > most)
      return -1;
  }
  return n;
}

static int reads_of(const step_sets *s, int id, const claim_statement *of)
{
  int most = 0;
  for (int i = 0; i < of->items; i++) {
    int reads = 0;
    for (int k = 0; k < s->steps; k++)
      reads += s->use[k][i] == id;
    most = reads > most ? reads : most;
  }
  return most;
}

static bool same_source_as(const source *a, const source *b)
{
  return a->array == b->array && memcmp(a->x, b->x, sizeof a->x) == 0;
}

/* Ends are no fewer than the operands that follow no operand, and the elements that nothing follows. */
static int ends_of(const step_sets *s, const source *e, int n)
{
  const affine_facts *f = s->f;
  int ends = 0;
  bool plain = true;
  for (int i = 0; i < s->ids; i++) { /* operands */
    source before;
    bool inner = false;
    if (!s->operand[i])
      continue;
    if (before_on_word(f, &s->id[i], &before, &plain))
      for (int k = 0; k < s->ids; k++)
        inner = inner || (s->operand[k] && same_source_as(&s->id[k], &before));
    ends += !inner;
  }
  for (int i = 0; i < n; i++) {
    const array_form *x = &f->form.array[e[i].array];
    bool goes_on = in_some(&x->inputs, &e[i], x->rank, &plain) || in_some(&x->outputs, &e[i], x->rank, &plain);
    for (int k = 0; k < s->ids && !goes_on; k++)
      goes_on = s->operand[k] && same_source_as(&s->id[k], &e[i]);
    for (int k = 0; k < n && !goes_on; k++) {
      source before;
      const array_form *y = &f->form.array[e[k].array];
      goes_on = before_on_word(f, &e[k], &before, &plain) && same_source_as(&before, &e[i]) &&
                in_some(&y->live, &e[k], y->rank, &plain);
    }
    ends += !goes_on;
  }
  return plain ? ends : 0;
}

/* The checker finds no fewer ends, and no more operands that so many steps read. */
static void try_counts(support_random *r, affine_facts *f, const affine_claim *c, int seed, const text *t,
                       const char *claim)
{
  enum { ELEMENTS = 500 };
  step_sets *s = MEM_NEW(step_sets, 1);
  source *e = MEM_NEW(source, ELEMENTS);
  stored_facts is;
  text reason = { 0 };
  int64_t degree = support_between(r, 1, 3);
  const claim_statement *of = &c->group[0].statement[0];
  stored_facts_init(&is);
  s->f = f;
  if (stored_derive(f, c, degree, &is, &reason) && find_steps(s, &c->group[0], &f->group[0])) {
    int n = elements_of(f, f->words.component[of->array], e, ELEMENTS);
    bool plain = true;
    counted++;
    int ends = n < 0 ? 0 : ends_of(s, e, n);
    ck_assert_msg(mpz_cmp_si(is.ends, ends) >= 0, "seed %d: %ld ends, and %d are there\n%s%s", seed,
                  mpz_get_si(is.ends), ends, text_str(t), claim);
    for (int k = 0; k < is.steps; k++) {
      int many = 0;
      for (int i = 0; i < s->ids; i++) {
        const array_form *x = &f->form.array[s->id[i].array];
        many += s->operand[i] && !in_some(&x->outputs, &s->id[i], x->rank, &plain) &&
                reads_of(s, i, of) >= stored_reads(degree, k);
      }
      ck_assert_msg(!plain || mpz_cmp_si(is.many[k], many) <= 0,
                    "seed %d: %ld operands are said to be read by %ld steps, and %d are\n%s%s", seed,
                    mpz_get_si(is.many[k]), (long)stored_reads(degree, k), many, text_str(t), claim);
      many_read += many;
    }
  }
  stored_facts_clear(&is);
  text_clear(&reason);
  mem_free(e);
  mem_free(s);
}
/* ---- claims ---- */

START_TEST(sets_of_steps)
{
  support_random r = { (uint64_t)_i + 1 };
  text t = { 0 }, reason = { 0 };
  affine_facts f;
  cdag *g = claims_text(&r, true, &t);
  if (g && affine_facts_init(&f, g, READ_AS_IT_IS)) {
    for (int k = 0; k < CLAIMS && f.form.accesses > 0; k++) {
      affine_claim c;
      json j = { 0 };
      claims_affine(&r, &f, &c);
      json_open(&j, '{');
      affine_claim_write(&c, &j);
      json_close(&j, '}');
      if (affine_derive(&f, &c, &reason)) {
        try_sets(&r, &f, &c, _i, &t, text_str(&j.out));
        if (c.groups == 1 && c.group[0].statements == 1 && c.group[0].statement[0].items == 3)
          try_counts(&r, &f, &c, _i, &t, text_str(&j.out));
      }
      json_clear(&j);
      text_clear(&reason);
    }
    affine_facts_clear(&f);
  }
  cdag_free(g);
  text_clear(&t);
}
END_TEST

/* Two statements of three needs: near to a matrix that one reads by rows and one by columns. */
static void mirrored_text(support_random *r, text *t)
{
  static const char
      *const beside[] = { "k+1,j", "k,j+1", "j,k", "i,j", "k,0", "(k+1)%3,j", "k,j+k", "k,k+j", "k,j+2" },
             *const low[] = { "i+1", "3", "5", "max(0,i-1)" }, *const high[] = { "i..5", "i+2..5", "5", "i", "1..5" },
             *const rows[] = { "i,k+1", "k,i", "i,j", "i,(k+i)%2" }, *const own[] = { "i-1,j,k", "i,j-1,k" },
             *const columns[] = { "k,i+1", "k+1,i", "i,k", "4-k,4-i", "k,j", "k,(k+i)%2" };
  const char *both = claims_chance(r, 70) ? "k,j" : CLAIMS_ONE_OF(r, beside);
  text_add(t, "input A[7,7]\ninput B[9,9]\n");
  text_printf(t, "T[i:5,j:3,k:%s] = T[%s], ", claims_chance(r, 75) ? "i" : CLAIMS_ONE_OF(r, low),
              claims_chance(r, 90) ? "i,j,k-1" : CLAIMS_ONE_OF(r, own));
  text_printf(t, "A[%s], B[%s]\n", claims_chance(r, 75) ? "i,k" : CLAIMS_ONE_OF(r, rows), both);
  text_printf(t, "U[i:5,j:3,k:%s] = U[%s], ", claims_chance(r, 75) ? "i+1..5" : CLAIMS_ONE_OF(r, high),
              claims_chance(r, 90) ? "i,j,k-1" : CLAIMS_ONE_OF(r, own));
  text_printf(t, "A[%s], B[%s]\noutput T[*,*,*]\noutput U[*,*,*]\n",
              claims_chance(r, 75) ? "k,i" : CLAIMS_ONE_OF(r, columns),
              claims_chance(r, 80) ? both : CLAIMS_ONE_OF(r, beside));
}

START_TEST(mirrored_siblings)
{
  support_random r = { (uint64_t)_i + 1 };
  text t = { 0 }, reason = { 0 };
  affine_facts f;
  mirrored_text(&r, &t);
  cdag *g = near_read(&t, "", LEAST, LARGE);
  if (g && affine_facts_init(&f, g, READ_AS_IT_IS)) {
    affine_claim c = { .groups = 1, .group[0] = { .statements = 2, .den = 2 } };
    for (int a = 0; a < f.form.accesses; a++)
      if (f.form.access[a]->from == f.form.access[a]->to)
        c.own[c.owns++] = a;
    for (int s = 0; s < 2; s++) {
      claim_statement *of = &c.group[0].statement[s];
      of->array = f.form.arrays - 2 + s;
      of->item[of->items++] = (claim_item){ .ways = 1, .way = { { ITEM_OWN, -1 } }, .power = 1 };
      for (int a = 0; a < f.form.accesses; a++)
        if (f.form.access[a]->from == of->array && f.form.access[a]->to < of->array - s && of->items < 3)
          of->item[of->items] = (claim_item){ .ways = 1, .way = { { ITEM_READ, a } }, .column = of->items, .power = 1 },
          of->items++;
    }
    if (affine_derive(&f, &c, &reason))
      try_sets(&r, &f, &c, _i, &t, "mirrored");
    affine_facts_clear(&f);
  }
  cdag_free(g);
  text_clear(&reason);
  text_clear(&t);
}
END_TEST
static void say(void)
{
  printf("%ld laws against sets, of mirrored siblings %ld; near what is allowed: %ld and %ld\n", derived, mirrored,
         near, near_mirrored);
  printf("%ld claims of stores, operands that many read: %ld\n", counted, many_read);
}

static int number_in(const char *variable, int otherwise)
{
  const char *digits = getenv(variable);
  return digits ? atoi(digits) : otherwise;
}

int main(void)
{
  Suite *s = suite_create("forged_sets");
  TCase *c = support_case(s, "mirrored");
  int first = number_in("FORGED_FROM", 0), many = number_in("FORGED_MANY", 0);
  tcase_set_timeout(c, 0);
  tcase_add_loop_test(c, mirrored_siblings, first, first + (many ? many : support_rounds(100)));
  c = support_case(s, "sets");
  tcase_set_timeout(c, 0);
  tcase_add_loop_test(c, sets_of_steps, first, first + (many ? many : support_rounds(40)));
  if (getenv("FORGED_SAY"))
    atexit(say);
  return support_run(s);
}
