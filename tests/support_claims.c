#include "tests/support_claims.h"
#include "tests/support_near.h"
#include <string.h>

enum { LEAST = 6, MOST = 26, LARGE = 900 };

/* ---- texts ---- */

bool claims_chance(support_random *r, int percent) { return support_between(r, 1, 100) <= percent; }

const char *claims_pick(support_random *r, const char *const *of, int n) { return of[support_between(r, 0, n - 1)]; }

/* An index of a read: mostly a loop, now and then shifted, fixed, or turned round. */
static void put_index(support_random *r, int loops, int own, text *t)
{
  static const char name[] = "ijk";
  int v = claims_chance(r, 60) && own < loops ? own : (int)support_between(r, 0, loops - 1);
  switch (support_between(r, 0, 11)) {
  case 0: text_printf(t, "%c-1", name[v]); break;
  case 1: text_printf(t, "%c+1", name[v]); break;
  case 2: text_printf(t, "%d", (int)support_between(r, 0, 2)); break;
  case 3: text_printf(t, "%d-%c", (int)support_between(r, 1, 2), name[v]); break;
  case 4: text_printf(t, "%c-1+(%c-1<%c)", name[v], name[v], name[support_between(r, 0, loops - 1)]); break;
  default: text_printf(t, "%c", name[v]);
  }
}

static void put_read(support_random *r, char array, int rank, int loops, text *t)
{
  text_printf(t, "%c[", array);
  int turned = claims_chance(r, 35);
  for (int q = 0; q < rank; q++) {
    text_add(t, q ? "," : "");
    put_index(r, loops, turned ? rank - 1 - q : q, t);
  }
  text_add(t, "]");
  if (claims_chance(r, 10))
    text_printf(t, " if %s", claims_chance(r, 50) ? "i < j" : "j > 0");
}

/* Arrays S and T of up to three loops, each with a chain along a loop and reads of A, B, itself and each other. */
static void random_rules(support_random *r, bool large, text *t)
{
  static const char *const ranges[2][6] = { { "1", "2", "2", "3", "3", "4" }, { "3", "4", "4", "5", "5", "6" } };
  static const char *const uppers[2][8] = { { "2", "2", "3", "i", "i+1", "1..3", "i..3", "i+1..3" },
                                            { "4", "3", "5", "i", "i+1", "1..5", "i..5", "i+1..5" } };
  const char *const *range = ranges[large], *const *upper = uppers[large];
  int arrays = (int)support_between(r, 1, 2);
  int rank[2] = { (int)support_between(r, 2, 3), (int)support_between(r, 2, 3) };
  bool input[2] = { claims_chance(r, 30), claims_chance(r, 30) };
  int of_a = (int)support_between(r, 1, 2), of_b = (int)support_between(r, 1, 2);
  for (int x = 0; x < 2; x++) {
    text_printf(t, "input %c[%d", 'A' + x, large ? 6 : 3 - x);
    if ((x ? of_b : of_a) == 2)
      text_printf(t, ",%d", large ? 6 : (int)support_between(r, 2, 3));
    text_add(t, "]\n");
  }
  for (int x = 0; x < arrays; x++) {
    char name = (char)('S' + x);
    text_printf(t, "%s%c[i:%s, j:%s", input[x] ? "input " : "", name, claims_pick(r, range, 6),
                claims_pick(r, upper, 8));
    if (rank[x] == 3)
      text_printf(t, ", k:%s", claims_pick(r, upper, 8));
    text_printf(t, "] = ");
    int chain = (int)support_between(r, 0, 5) ? rank[x] - 1 : 0;
    if (claims_chance(r, 85)) {
      text_printf(t, "%c[", name);
      for (int q = 0; q < rank[x]; q++)
        text_printf(t, "%s%c%s", q ? "," : "", "ijk"[q], q == chain ? "-1" : "");
      text_add(t, "], ");
    }
    int reads = (int)support_between(r, 1, 3);
    for (int k = 0; k < reads; k++) {
      int of = (int)support_between(r, 0, 3);
      text_add(t, k ? ", " : "");
      if (of == 3 || (of == 2 && arrays == 1 && !input[0]))
        of = (int)support_between(r, 0, 1);
      if (of < 2)
        put_read(r, of ? 'B' : 'A', of ? of_b : of_a, rank[x], t);
      else {
        int y = arrays == 1 || claims_chance(r, 40) ? x : 1 - x;
        put_read(r, (char)('S' + y), rank[y], rank[x], t);
      }
    }
    text_add(t, "\n");
  }
  for (int x = arrays - 1; x >= 0; x--)
    if (x == arrays - 1 || claims_chance(r, 40))
      text_printf(t, "output %c[%s,*%s]\n", 'S' + x, claims_chance(r, 80) ? "*" : "1",
                  rank[x] == 2           ? ""
                  : claims_chance(r, 60) ? ",*"
                                         : ",1");
}

/* The kinds that the newest theorems speak of, with what may be left out or changed. */
static void known_rules(support_random *r, bool large, text *t)
{
  int n = (int)support_between(r, large ? 4 : 2, large ? 6 : 3), m = (int)support_between(r, 1, large ? 4 : 3);
  static const char *const beside[] = { "k,j", "k,j",   "k,j", "k,j", "k,j",      "k,j",
                                        "i,j", "k+1,j", "k,0", "j,k", "(k+1)%2,j" },
                           *const from[] = { "i+1", "i+1", "i+1", "i", "0", "i+2" }, *const centre[] = { "A[k,i]",
                                                                                                         "A[k,i]",
                                                                                                         "A[k,i]",
                                                                                                         "A[i,k]",
                                                                                                         "A[k,i+1]",
                                                                                                         "A[%d-k,%d-i]",
                                                                                                         "A[k,j]" };
  switch (large && claims_chance(r, 40) ? 0 : support_between(r, 0, 5)) {
  case 0: /* a matrix read as rows and as columns, or nearly so */
    text_printf(t, "input A[%d,%d]\ninput B[%d,%d]\n", n, n, n, m);
    text_printf(t, "T[i:%d,j:%d,k:%s] = T[i,j,k-1], A[i,k], B[%s]\n", n, m, claims_chance(r, 80) ? "i" : "i+1",
                CLAIMS_ONE_OF(r, beside));
    text_printf(t, "U[i:%d,j:%d,k:%s..%d] = U[i,j,k-1], ", n, m, CLAIMS_ONE_OF(r, from), n);
    text_printf(t, CLAIMS_ONE_OF(r, centre), n - 1, n - 1);
    text_printf(t, ", B[%s]\noutput T[*,*,*]\noutput U[*,*,*]\n", CLAIMS_ONE_OF(r, beside));
    break;
  case 1: /* closures, the pivot shifted or not, read by all or some */
    text_printf(t, "input P[s:%d,i:%d,j:%d] = P[s-1,i,j], P[s-1%s,i,%s], P[s-1%s,%s,j]%s\noutput P[%s,*,*]\n",
                (int)support_between(r, 2, 3), n, n, claims_chance(r, 60) ? "+(s-1<j)" : "",
                claims_chance(r, 80) ? "s-1" : "s", claims_chance(r, 60) ? "+(s-1<i)" : "",
                claims_chance(r, 80) ? "s-1" : "0", claims_chance(r, 30) ? " if i > 0" : "",
                claims_chance(r, 70) ? "1" : "*");
    break;
  case 2: /* a factorisation, in one array or two */
    text_printf(t, "input A[%d,%d,1]\nU[i:%d,j:%d,k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n",
                n, n, n, n);
    text_printf(t, "output L[i:%d,j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..%d,j:i..%d,i-1]\n",
                n, n, n);
    break;
  case 3: /* sums that are read at once by all, classes one after another */
    text_printf(t, "input X[%d,%d]\nL[i:%d,j:%d] = L[i,j-1], X[i,j]%s\noutput Y[i:%d,j:%d] = X[%s], L[i,%s]\n", n, n, n,
                n, claims_chance(r, 40) ? ", L[i-1,1]" : "", n, n, claims_chance(r, 70) ? "i,j" : "j,i",
                claims_chance(r, 60) ? "1" : "i");
    break;
  case 4: /* two statements a step on one word, which begins with an input or not */
    text_printf(t, "input A[%d,%d]\ninput B[%d,%d]\ninput Z[%d,%d]\n", n, m, m, n, n, n);
    if (claims_chance(r, 40)) {
      text_printf(t, "C[i:%d,j:%d,k:%d,s:2] = C[i,j,k,s-1], C[i,j,k-1,1] if s == 0, A[i,k] if s == 0, B[k,j]%s%s\n", n,
                  n, m, claims_chance(r, 60) ? " if s == 1" : "", claims_chance(r, 30) ? ", Z[i,j] if k == 0" : "");
      text_printf(t, "output C[*,*,*,%s]\n", claims_chance(r, 70) ? "1" : "*");
      break;
    }
    text_printf(t, "C[i:%d,j:%d,k:%d] = D[i,j,k-1], A[%s]%s%s\n", n, n, m, claims_chance(r, 70) ? "i,k" : "0,k",
                claims_chance(r, 50) ? ", Z[i,j] if k == 0" : "", claims_chance(r, 30) ? ", B[k,i]" : "");
    text_printf(t, "D[i:%d,j:%d,k:%d] = C[i,j,k], B[k,j]%s\noutput D[*,*,%s]\n", n, n, m,
                claims_chance(r, 30) ? ", A[j,k]" : "", claims_chance(r, 70) ? "*" : "0");
    break;
  default: /* products, sums of the one read by the other */
    text_printf(t, "input A[%d,2]\ninput B[2,%d]\nS[i:%d,j:%d,k:2] = S[i,j,k-1], A[i,k], B[k,j]\n", n, m, n, m);
    text_printf(t, "output T[i:%d,j:2,k:%d] = T[i,j,k-1], S[%s,1], A[%s]\n%s", n, m,
                claims_chance(r, 80) ? "i,k" : "k,i", claims_chance(r, 50) ? "k,j" : "i,j",
                claims_chance(r, 40) ? "output S[*,*,1]\n" : "");
  }
}

cdag *claims_text(support_random *r, bool large, text *t)
{
  for (int tries = 0; tries < 30; tries++) {
    text_clear(t);
    if (claims_chance(r, 50))
      random_rules(r, large, t);
    else
      known_rules(r, large, t);
    cdag *g = near_read(t, "", LEAST, large ? LARGE : MOST);
    if (g)
      return g;
  }
  return NULL;
}

/* ---- affine claims ---- */

void claims_words(support_random *r, affine_facts *f, affine_claim *c)
{
  int n = f->form.accesses;
  text reason = { 0 };
  for (int tries = 0; n && tries < 2 * n && c->owns < 4; tries++) {
    int a = (int)support_between(r, 0, n - 1);
    bool same = f->form.access[a]->from == f->form.access[a]->to;
    if (!claims_chance(r, same ? 80 : 25))
      continue;
    c->own[c->owns++] = a;
    if (!affine_words(f, c, &reason))
      c->owns--;
    for (int i = 0; i + 1 < c->owns; i++)
      if (c->own[i] == a && c->own[c->owns - 1] == a) {
        c->owns--;
        break;
      }
  }
  text_clear(&reason);
}

static void random_statement(support_random *r, const affine_facts *f, int array, claim_statement *s)
{
  s->array = array;
  if (claims_chance(r, 92))
    s->item[s->items++] = (claim_item){ .ways = 1, .way = { { ITEM_OWN, -1 } }, .column = 0, .power = 1 };
  for (int a = 0; a < f->form.accesses && s->items < 4; a++) {
    const access *x = f->form.access[a];
    bool own = f->words.f && words_is_own(&f->words, a);
    if (x->from != array || !claims_chance(r, own ? 5 : 80))
      continue;
    bool unrooted = f->words.f && f->words.unrooted[f->words.component[x->to]];
    bool operand = f->form.array[x->to].computed.n && claims_chance(r, unrooted ? 95 : 45);
    claim_way way = { operand ? ITEM_OPERAND : ITEM_READ, a };
    if (claims_chance(r, 4))
      way.kind = claims_chance(r, 50) ? ITEM_TAIL : ITEM_MADE;
    claim_item *last = s->items ? &s->item[s->items - 1] : NULL;
    int before = last ? last->way[last->ways - 1].access : -1;
    if (before >= 0 && last->ways < 3 && claims_chance(r, f->form.access[before]->term == x->term ? 85 : 4))
      last->way[last->ways++] = way;
    else
      s->item[s->items] = (claim_item){ .ways = 1,
                                        .way = { way },
                                        .power = 1,
                                        .column = claims_chance(r, 15) ? s->items / 2 : s->items },
      s->items++;
  }
  for (int i = 0; i < s->items; i++)
    if (claims_chance(r, 5))
      s->item[i].power = support_between(r, 0, 2);
  for (int k = 0; k < f->form.array[array].rank && claims_chance(r, 60); k++)
    s->order[s->loops++] = (int)support_between(r, 0, f->form.array[array].rank - 1);
  for (int k = 0; k < s->loops; k++)
    for (int l = 0; l < k; l++)
      if (s->order[k] == s->order[l])
        s->loops = k;
  if (claims_chance(r, 4))
    s->split[support_between(r, 0, 2)] = 2;
}

static void random_group(support_random *r, const affine_facts *f, claim_group *g)
{
  int wanted = claims_chance(r, 55) ? 1 : claims_chance(r, 80) ? 2 : 3, last = -1;
  for (int k = 0; k < wanted; k++) {
    int array = f->form.access[support_between(r, 0, f->form.accesses - 1)]->from;
    for (int tries = 0; tries < 4 && array == last; tries++) /* mostly another one */
      array = f->form.access[support_between(r, 0, f->form.accesses - 1)]->from;
    random_statement(r, f, last = array, &g->statement[g->statements++]);
  }
  g->den = 2;
  if (claims_chance(r, 20)) {
    g->together = f->form.array[g->statement[0].array].rank;
    for (int k = 0; k < g->statements; k++)
      for (int q = 0; q < g->together; q++) {
        g->statement[k].place[q][q] = claims_chance(r, 8) ? 2 : 1;
        g->statement[k].place[q][CDAG_RANK] = k && claims_chance(r, 25) ? support_between(r, -2, 3) : 0;
      }
  } else if (wanted == 1 && claims_chance(r, 20)) {
    claim_statement *s = &g->statement[0];
    g->pairs = s->items > 4 ? 2 : 1;
    for (int k = 1; k < s->items; k++)
      s->item[k].column = k / 2 * 2 == k ? k : k - 1;
    if (claims_chance(r, 50) && s->items > 1) {
      claim_item own = s->item[0]; /* the centre comes last */
      for (int k = 0; k + 1 < s->items; k++)
        s->item[k] = s->item[k + 1], s->item[k].column = k / 2;
      s->item[s->items - 1] = own;
      s->item[s->items - 1].column = claims_chance(r, 30) ? 0 : 7;
    }
  } else if (wanted > 1) /* columns in another order */
    for (int k = 1; k < g->statements; k++)
      for (int i = 1; i < g->statement[k].items && claims_chance(r, 30); i++) {
        int b = (int)support_between(r, 1, g->statement[k].items - 1), column = g->statement[k].item[i].column;
        g->statement[k].item[i].column = g->statement[k].item[b].column;
        g->statement[k].item[b].column = column;
      }
  if (claims_chance(r, 4))
    g->tail = 2;
}
void claims_affine(support_random *r, affine_facts *f, affine_claim *c)
{
  *c = (affine_claim){ .reading = f->reading };
  claims_words(r, f, c);
  for (int wanted = claims_chance(r, 80) ? 1 : 2; c->groups < wanted; c->groups++)
    random_group(r, f, &c->group[c->groups]);
}
