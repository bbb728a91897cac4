/* Claims on affine computations made by hand, one hypothesis of a theorem missing in each: mirrored siblings, operands
   that are stored, statements in one space.  A claim counts every read of its statements, in columns that are listed;
   words go along each array's own chain. */
#include "base/scoped.h"
#include "bounds/affine/find.h"
#include "bounds/check/affine/claim.h"
#include "bounds/check/affine/stored.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A read of the array itself, back by a number along one index. */
static bool steps_back(const affine_facts *f, const access *a)
{
  int rank = f->form.array[a->from].rank, differ = 0;
  for (int r = 0; r < rank && a->from == a->to; r++) {
    linear x = linear_variable(r);
    differ += !linear_add(&x, &a->index[r], -1) || !linear_is_constant(&x) ? 2 : x.base != 0;
  }
  return a->from == a->to && a->single && differ == 1;
}

static int array_named(const affine_facts *f, char name)
{
  int x = 0;
  while (x < f->form.arrays && f->form.g->array[x].name[0] != name)
    x++;
  ck_assert_int_lt(x, f->form.arrays);
  return x;
}

/* A word of `needs`: an array, then for each of its reads, in order, a column; `.`: it is left out, `+`: another way of
   the need before; a prime behind it: its power is 0.  Capitals R and O before a column say that it is a word or an
   operand; else computed elements are operands.  The own word comes first, or where `@` stands, in column 0; `-`: it
   does not count.  Behind `/` another group begins. */
static void add_statement(const affine_facts *f, const char *word, size_t n, claim_group *g)
{
  claim_statement *s = &g->statement[g->statements++];
  const char *p = word + 1, *end = word + n;
  s->array = array_named(f, *word);
  const claim_item own = { .ways = 1, .way = { { ITEM_OWN, -1 } }, .power = 1 };
  if (!memchr(word, '@', n) && *p != '-')
    s->item[s->items++] = own;
  p += *p == '-';
  for (int a = 0; a < f->form.accesses && p < end; a++) {
    const access *x = f->form.access[a];
    if (x->from != s->array || words_is_own(&f->words, a))
      continue;
    if (*p == '@')
      s->item[s->items++] = own, p++;
    bool word_read = *p == 'R' || (*p != 'O' && f->form.array[x->to].computed.n == 0);
    p += *p == 'R' || *p == 'O';
    claim_way way = { word_read ? ITEM_READ : ITEM_OPERAND, a };
    if (*p == '+') {
      claim_item *i = &s->item[s->items - 1];
      i->way[i->ways++] = way;
    } else if (isdigit((unsigned char)*p))
      s->item[s->items++] = (claim_item){ .ways = 1, .way = { way }, .column = *p - '0', .power = p[1] != '\'' };
    p += 1 + (p[1] == '\'');
  }
}

static bool derive(affine_facts *f, const char *needs, affine_claim *c, text *reason)
{
  *c = (affine_claim){ .reading = f->reading, .groups = 1 };
  c->group[0].den = 2;
  for (int a = 0; a < f->form.accesses; a++)
    if (steps_back(f, f->form.access[a]) && c->owns < WORDS_MOST)
      c->own[c->owns++] = a;
  if (!affine_words(f, c, reason))
    return false;
  for (const char *p = needs; *p; p += strcspn(p, " "), p += strspn(p, " "))
    if (*p == '/')
      c->group[c->groups++].den = 2;
    else
      add_statement(f, p, strcspn(p, " "), &c->group[c->groups - 1]);
  return affine_derive(f, c, reason);
}

/* ---- mirrored siblings ---- */

#define T "T[i:5,j:3,k:i] = T[i,j,k-1], A[i,k], B[k,j]\n"
#define U "U[i:5,j:3,k:i+1..5] = U[i,j,k-1], A[k,i], B[k,j]\n"
static const struct {
  const char *what, *text, *needs;
  bool mirrored;
} siblings[] = {
  { "the lower half", T U, "T12 U12", true },
  { "columns in another order", T U, "T21 U21", true },
  { "the upper statement first", U T, "U12 T12", true },
  { "the centre last", "T[i:5,j:3,k:i] = T[i,j,k-1], B[k,j], A[i,k]\n" U, "T12 U21", true },
  { "columns of rows", T "U[k:5,j:3,i:k+1..5] = U[k,j,i-1], A[i,k], B[i,j]\n", "T12 U12", true },
  { "both by rows", T "U[i:5,j:3,k:i] = U[i,j,k-1], A[i,k], B[k,j]\n", "T12 U12", false },
  { "a whole matrix and its transpose",
    "T[i:5,j:3,k:5] = T[i,j,k-1], A[i,k], B[k,j]\n"
    "U[i:5,j:3,k:5] = U[i,j,k-1], A[k,i], B[k,j]\n",
    "T12 U12", false },
  { "one half, and the whole transposed", T "U[i:5,j:3,k:5] = U[i,j,k-1], A[k,i], B[k,j]\n", "T12 U12", false },
  { "the whole, and one half transposed", "T[i:5,j:3,k:5] = T[i,j,k-1], A[i,k], B[k,j]\n" U, "T12 U12", false },
  { "the diagonal in both",
    "T[i:5,j:3,k:i+1] = T[i,j,k-1], A[i,k], B[k,j]\n"
    "U[i:5,j:3,k:i..5] = U[i,j,k-1], A[k,i], B[k,j]\n",
    "T12 U12", true },
  { "the diagonal in the first", "T[i:5,j:3,k:i+1] = T[i,j,k-1], A[i,k], B[k,j]\n" U, "T12 U12", true },
  { "other words beside", T "U[i:5,j:3,k:i+1..5] = U[i,j,k-1], A[k,i], C[j]\n", "T12 U12", false },
  { "other words beside in the first", "T[i:5,j:3,k:i] = T[i,j,k-1], A[i,k], C[j]\n" U, "T12 U12", false },
  { "words beside of another place", T "U[i:5,j:3,k:i+1..5] = U[i,j,k-1], A[k,i], B[k-1,j]\n", "T12 U12", false },
  { "words beside at other columns", T "U[i:5,j:3,k:i+1..5] = U[i,j,k-1], A[k,i], B[k,j+1]\n", "T12 U12", true },
  { "sums along rows", T "U[i:5,j:3,k:i+1..5] = U[i-1,j,k], A[k,i], B[k,j]\n", "T12 U12", false },
  { "sums along rows in the first", "T[i:5,j:3,k:i] = T[i-1,j,k], A[i,k], B[k,j]\n" U, "T12 U12", false },
  { "sums across",
    "T[i:5,j:3,k:i] = T[i,j-1,k], A[i,k], B[k,j]\n"
    "U[i:5,j:3,k:i+1..5] = U[i,j-1,k], A[k,i], B[k,j]\n",
    "T12 U12", false },
  { "sums across in the first", "T[i:5,j:3,k:i] = T[i,j-1,k], A[i,k], B[k,j]\n" U, "T12 U12", false },
  { "sums across in the second", T "U[i:5,j:3,k:i+1..5] = U[i,j-1,k], A[k,i], B[k,j]\n", "T12 U12", false },
  { "a centre told but for multiples", T "U[i:5,j:3,k:i+1..5] = U[i,j,k-1], A[k,i%2], B[k,j]\n", "T12 U12", false },
  { "words beside told but for multiples",
    "T[i:5,j:3,k:i] = T[i,j,k-1], A[i,k], B[(k+j)%2,j]\n"
    "U[i:5,j:3,k:i+1..5] = U[i,j,k-1], A[k,i], B[(k+j)%2,j]\n",
    "T12 U12", false },
  { "words beside told but for multiples, some of them",
    "T[i:5,j:4,k:i] = T[i,j,k-1], A[i,k] if (k+j) % 3 == 0, B[(k+j)%2,j]\n"
    "U[i:5,j:4,k:i+1..5] = U[i,j,k-1], A[k,i] if (k+j) % 3 == 0, B[(k+j)%2,j]\n",
    "T12 U12", false },
  { "a step more for each, which its own word alone tells",
    T "U[i:5,j:3,k:i+1..5,l:2] = U[i,j,k-1,l], A[k,i], B[k,j]\n", "T12 U12", false },

  { "own words in the place of a centre", "T[i:5,j:i,k:1] = A[j], B[j]\nU[i:5,j:i,k:1] = A[i], B[i]\n", "T12 U12",
    false },
  { "own words in the place of words beside", "T[i:5,j:i,k:1] = A[i,j], B[i,i]\nU[i:5,j:i,k:1] = A[j,i], B[i,i]\n",
    "T12 U12", false },
  { "the centre first", T U, "T1@2 U1@2", true },
  { "words beside first in the first", "T[i:5,j:3,k:i] = T[i,j,k-1], B[k,j], A[i,k]\n" U, "T1@2 U2@1", true },
  { "words beside first", T U, "T2@1 U@21", true },
  { "more read than counted", "T[i:5,j:3,k:i] = T[i,j,k-1], A[i,k], B[k,j], C[j]\n" U, "T12. U12", true },
  { "a need more of no power", "T[i:5,j:3,k:i] = T[i,j,k-1], A[i,k], B[k,j], C[j]\n" U, "T123' U12", false },
  { "a need more of no power in the second", T "U[i:5,j:3,k:i+1..5] = U[i,j,k-1], A[k,i], B[k,j], C[j]\n", "T12 U123'",
    false },
};
#undef T
#undef U

START_TEST(mirrored_siblings)
{
  affine_facts f;
  affine_claim c;
  text reason = { 0 };
  char source[400];
  const char *of = siblings[_i].text;
  snprintf(source, sizeof source, "input A[%s]\ninput B[%s]\ninput C[3]\n%soutput T[*,*,*]\noutput U[*,*,*%s]\n",
           strstr(of, "A[j]") ? "5" : "5,5", strstr(of, "B[j]") ? "5" : "9,9", of, strstr(of, "l:") ? ",*" : "");
  cdag *g = bound_text_open(source, "");
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  bool derived = derive(&f, siblings[_i].needs, &c, &reason);
  ck_assert_msg(derived, "%s: %s", siblings[_i].what, text_str(&reason));
  ck_assert_msg(f.group[0].mirrored == siblings[_i].mirrored, "%s: %s mirrored", siblings[_i].what,
                siblings[_i].mirrored ? "not" : "is");
  affine_facts_clear(&f);
  cdag_free(g);
  text_clear(&reason);
}
END_TEST

/* ---- one space ---- */

#define HALVES "S[i:4,j:4,k:2] = S[i,j,k-1], A[i,2*k], B[2*k,j]\nT[i:4,j:4,k:2] = T[i,j,k-1], A[i,2*k+1], B[2*k+1,j]\n"
#define ROWS "S[i:2,j:4,k:3] = S[i,j,k-1], A[i,k], B[k,j]\nT[i:2,j:4,k:3] = T[i,j,k-1], C[i,k], B[k,j]\n"
#define OPERANDS(one, other, sums)                                                                                     \
  "input P[i:4,k:4] = P[i,k-1], A[i,k] if k > 0\nS[i:2,j:4,k:3] = S[i,j,k-1], " one ", B[k,j]\n"                       \
  "T[i:2,j:4," sums "] = T[i,j,k-1], " other ", C[k,j]\n"
/* The places of two statements of three loops: rows of three coefficients and a number. */
static const struct {
  const char *what, *text, *needs;
  int64_t place[2][12];
  bool holds;
} spaces[] = {
  { "a sum unrolled",
    HALVES,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 1 } },
    true },
  { "a sum unrolled, at one place",
    HALVES,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "a sum unrolled, the halves far apart",
    HALVES,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2 } },
    true },
  { "rows beside others",
    ROWS,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    true },
  { "rows among others",
    ROWS,
    "S12 T12",
    { { 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 2, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0 } },
    true },
  { "rows that meet",
    ROWS,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "rows in places of columns",
    ROWS,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 0, 1, 0, 2, 1, 0, 0, 0, 0, 0, 1, 0 } },
    false },
  { "steps of one row at one place",
    ROWS,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0 } },
    false },
  { "columns shifted",
    ROWS,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 1, 0, 0, 1, 0 } },
    false },
  { "sums shifted",
    ROWS,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 1 } },
    false },
  { "the same rows elsewhere",
    "S[i:2,j:4,k:3] = S[i,j,k-1], A[i,k], B[k,j]\nT[i:2,j:4,k:3] = T[i,j,k-1], A[i,k], B[j,k]\n",
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "a column for another",
    ROWS,
    "S12 T13",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "columns in turn",
    ROWS,
    "S12 T21",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "a power for another",
    ROWS,
    "S12' T1'2",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "loops in another order",
    "S[i:2,j:4,k:3] = S[i,j,k-1], A[i,k], B[k,j]\nT[k:3,i:2,j:4] = T[k-1,i,j], C[i,k], B[k,j]\n",
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 0, 1, 0, 2, 0, 0, 1, 0, 1, 0, 0, 0 } },
    true },
  { "no place along a loop",
    ROWS,
    "S12 T12",
    { { 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "a place along two loops",
    ROWS,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 1, 0, 0, 0, 1, 0 } },
    false },
  { "a first place along two loops",
    ROWS,
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 1, 0, 0, 0, 1, 0 } },
    false },
  { "a first place elsewhere",
    ROWS,
    "S12 T12",
    { { 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "places far apart",
    ROWS,
    "S12 T12",
    { { 64, 0, 0, 0, 0, 63, 0, 0, 0, 0, 61, 0 }, { 64, 0, 0, 128, 0, 63, 0, 0, 0, 0, 61, 0 } },
    true },
  { "places too far apart",
    ROWS,
    "S12 T12",
    { { 65, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 65, 0, 0, 130, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "rows of operands beside others",
    OPERANDS("P[i,k]", "P[i+2,k]", "k:3"),
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    true },
  { "the same operands elsewhere",
    OPERANDS("P[i,k]", "P[i,k]", "k:3"),
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "words here, their ends as operands elsewhere",
    OPERANDS("P[i,k]", "P[i,3]", "k:1"),
    "SR12 TO12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "words here, the ends of others as operands",
    OPERANDS("P[i,k]", "P[i+2,3]", "k:1"),
    "SR12 TO12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    true },
  { "other words, columns in turn",
    "input D[9,9]\nS[i:2,j:4,k:3] = S[i,j,k-1], A[i,k], B[k,j]\nT[i:2,j:4,k:3] = T[i,j,k-1], C[i,k], D[k,j]\n",
    "S12 T21",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    false },
  { "other words",
    "input D[9,9]\nS[i:2,j:4,k:3] = S[i,j,k-1], A[i,k], B[k,j]\nT[i:2,j:4,k:3] = T[i,j,k-1], C[i,k], D[k,j]\n",
    "S12 T12",
    { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0 } },
    true },
};

START_TEST(one_space)
{
  affine_facts f;
  affine_claim c;
  text reason = { 0 };
  char source[400];
  snprintf(source, sizeof source, "input A[9,9]\ninput B[9,9]\ninput C[9,9]\n%soutput S[*,*,*]\noutput T[*,*,*]\n",
           spaces[_i].text);
  cdag *g = bound_text_open(source, "");
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  derive(&f, spaces[_i].needs, &c, &reason);
  text_clear(&reason);
  c.group[0].together = 3;
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 12; k++)
      c.group[0].statement[s].place[k / 4][k % 4 < 3 ? k % 4 : CDAG_RANK] = spaces[_i].place[s][k];
  bool good = affine_derive(&f, &c, &reason);
  ck_assert_msg(good == spaces[_i].holds, "%s: %s", spaces[_i].what, good ? "holds" : text_str(&reason));
  affine_facts_clear(&f);
  cdag_free(g);
  text_clear(&reason);
}
END_TEST

/* ---- operands that are stored ---- */

#define CLOSURE "input P[s:5,i:4,j:4] = P[s-1,i,j], P[s-1,i,s-1], P[s-1,s-1,j]\n"
#define SHIFTED "input P[s:5,i:4,j:4] = P[s-1,i,j], P[s-1+(s-1<j),i,s-1], P[s-1+(s-1<i),s-1,j]\n"
#define TRIANGLE "input A[5,5]\nX[i:5,j:5,k:i+1] = X[i,j,k-1], A[i,j] if k==0, L[i,k], X[k,j,k] if k<i\n"
/* How many ends, and how many operands, no outputs, are read so often by a degree of 1: 2, 3, 4, 5 times, .... */
static const struct {
  const char *what, *text, *needs, *refused;
  int64_t ends, many[6];
} closures[] = {
  { "a closure", CLOSURE "output P[4,*,*]\n", "P12", NULL, 21, { 17, 11, 7 } },
  { "a closure of which all is put out", CLOSURE "output P[*,*,*]\n", "P12", NULL, 21, { 0 } },
  { "a closure, a row of it put out in between",
    CLOSURE "output P[4,*,*]\noutput P[2,1,*]\n",
    "P12",
    NULL,
    21,
    { 16, 11, 7 } },
  { "a closure that ends with a row", CLOSURE "output P[4,3,*]\n", "P12", NULL, 51, { 4, 2, 1 } },
  { "a closure in place", SHIFTED "output P[4,*,*]\n", "P1+2+", NULL, 18, { 12, 4 } },
  { "a closure in place, one way of each", SHIFTED "output P[4,*,*]\n", "P1.2.", NULL, 12, { 10, 6 } },
  { "a closure whose first rows are computed",
    "input Z[4,4]\nP[s:5,i:4,j:4] = P[s-1,i,j], Z[i,j] if s==0, P[s-1,i,s-1], "
    "P[s-1,s-1,j]\noutput P[4,*,*]\n",
    "P.12",
    NULL,
    28,
    { 24, 14, 9 } },
  { "operands of another array",
    "input A[4,3]\ninput C[4]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,k:3] = T[i,j,k-1], S[j,k], C[k]\noutput T[*,*,*]\n",
    "T12",
    "do not tell",
    0,
    { 0 } },
  { "operands of another array, some put out",
    "input A[4,3]\ninput C[3,3]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,k:3] = T[i,j,k-1], S[j,k], C[i,k]\noutput T[*,*,2]\noutput S[1,*]\n",
    "T12",
    NULL,
    12,
    { 9, 9 } },
  { "some of the sums lead nowhere",
    "input A[4,3]\ninput C[3,3]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,k:3] = T[i,j,k-1], S[j,k], C[i,k]\noutput T[*,2,1]\n",
    "T12",
    NULL,
    2,
    { 2, 2 } },
  { "two arrays of one kind of words",
    "input A[4,3]\ninput C[3,3]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,k:3] = T[i,j,k-1], S[j,k], C[i,k]\noutput T[*,*,1]\nU[i:3,j:4] = T[i,j,2]\noutput U[*,*]\n",
    "T12",
    NULL,
    24,
    { 12, 12 } },
  { "sums that every other row reads",
    "input A[4,3]\ninput C[5,3]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:5,j:4,k:3] = T[i,j,k-1], S[j,k] if i % 2 == 0, C[i,k]\noutput T[*,*,2]\n",
    "T12",
    NULL,
    12,
    { 12, 12 } },
  { "sums read at every other diagonal",
    "input A[4,3]\ninput C[5,3]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:5,j:4,k:3] = T[i,j,k-1], S[j,k] if (i+j) % 2 == 0, C[i,k]\noutput T[*,*,2]\n",
    "T12",
    NULL,
    12,
    { 0 } },
  { "sums in steps of two and three",
    "input A[8]\ninput C[3,2]\nS[i:8] = A[i]\n"
    "T[i:3,j:3,k:2] = T[i,j,k-1], S[2*j+3*k], C[i,k]\noutput T[*,*,1]\n",
    "T12",
    NULL,
    8,
    { 0 } },
  { "two statements",
    "input A[4,3]\ninput C[3,3]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,k:3] = T[i,j,k-1], S[j,k], C[i,k]\n"
    "U[i:3,j:4,k:3] = U[i,j,k-1], S[j,k], C[i,k]\noutput T[*,*,*]\noutput U[*,*,*]\n",
    "T12 U12",
    "not one statement",
    0,
    { 0 } },
  { "two groups",
    "input A[4,3]\ninput C[3,3]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,k:3] = T[i,j,k-1], S[j,k], C[i,k]\n"
    "input D[3,3]\ninput E[4,3]\n"
    "U[i:3,j:4,k:3] = U[i,j,k-1], D[i,k], E[j,k]\noutput T[*,*,*]\noutput U[*,*,*]\n",
    "T12 / U12",
    "not one statement",
    0,
    { 0 } },
  { "a need more",
    "input A[4,3]\ninput C[3,3]\ninput D[3,4]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,k:3] = T[i,j,k-1], S[j,k], C[i,k], D[i,j]\noutput T[*,*,*]\n",
    "T123",
    "not one statement",
    0,
    { 0 } },
  { "two needs in one column",
    "input A[4,3]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,k:3] = T[i,j,k-1], S[j,k], S[i,k]\noutput T[*,*,*]\n",
    "T11",
    "two needs in one column",
    0,
    { 0 } },
  { "no own word",
    "input A[4,3]\ninput C[3,3]\ninput D[3,4]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,k:3] = T[i,j,k-1], S[j,k], C[i,k], D[i,j]\noutput T[*,*,*]\n",
    "T-123",
    "do not tell",
    0,
    { 0 } },
  { "steps that words do not tell",
    "input A[4,3]\ninput C[3,3]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,l:2,k:3] = T[i,j,l,k-1], S[j,k], C[i,k]\noutput T[*,*,*,*]\n",
    "T12",
    "do not tell",
    0,
    { 0 } },
  { "steps that one read does not tell",
    "input A[4,3]\ninput C[3]\nS[i:4,k:3] = S[i,k-1], A[i,k]\n"
    "T[i:3,j:4,k:3] = T[i,j,k-1], S[j,k], C[i]\noutput T[*,*,*]\n",
    "T12",
    "do not tell",
    0,
    { 0 } },
};

START_TEST(stored_operands)
{
  affine_facts f;
  affine_claim c;
  stored_facts s;
  text reason = { 0 };
  cdag *g = bound_text_open(closures[_i].text, "");
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  stored_facts_init(&s);
  derive(&f, closures[_i].needs, &c, &reason);
  text_clear(&reason);
  bool good = stored_derive(&f, &c, 1, &s, &reason);
  if (closures[_i].refused)
    ck_assert_msg(!good && strstr(text_str(&reason), closures[_i].refused), "%s: %s", closures[_i].what,
                  text_str(&reason));
  else {
    ck_assert_msg(good, "%s: %s", closures[_i].what, text_str(&reason));
    ck_assert_msg(mpz_cmp_si(s.ends, closures[_i].ends) == 0, "%s: %ld ends", closures[_i].what, mpz_get_si(s.ends));
    for (int i = 0; i < COUNT(closures->many); i++) {
      int64_t many = 4 * i < s.steps ? mpz_get_si(s.many[4 * i]) : 0;
      ck_assert_msg(many == closures[_i].many[i], "%s: %ld are read %ld times", closures[_i].what, (long)many,
                    (long)stored_reads(1, 4 * i));
    }
    ck_assert_int_eq(stored_reads(2, 0), stored_reads(1, 4));
    ck_assert(stored_derive(&f, &c, 2, &s, &reason));
    ck_assert_msg(mpz_cmp_si(s.many[0], closures[_i].many[1]) == 0, "%s: %ld are read 3 times", closures[_i].what,
                  mpz_get_si(s.many[0]));
  }
  stored_facts_clear(&s);
  affine_facts_clear(&f);
  cdag_free(g);
  text_clear(&reason);
}
END_TEST

/* Three needs, two of which may be made again: they are no operands. */
START_TEST(made_needs)
{
  cdag *g = bound_text_open("param n\ninput A[n,n,1]\n"
                            "U[i:n,j:n,k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
                            "output L[i:n,j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\n"
                            "output U[i:1..n,j:i..n,i-1]\n",
                            "n=900");
  affine_facts f;
  stored_facts s;
  affine_best best[2] = { 0 };
  text reason = { 0 };
  mpz_inits(best[0].value, best[1].value, NULL);
  stored_facts_init(&s);
  ck_assert(affine_facts_init(&f, g, READ_AS_IT_IS));
  affine_find(&f, 1000, AFFINE_ALL, best);
  const claim_group *c = &best[0].claim.group[0];
  ck_assert(best[0].claim.groups == 1 && c->statements == 1 && c->statement[0].items == 3 && c->tail > 0);
  ck_assert(!stored_derive(&f, &best[0].claim, 1, &s, &reason));
  ck_assert_str_eq(text_str(&reason), "a need is made again");
  stored_facts_clear(&s);
  affine_facts_clear(&f);
  mpz_clears(best[0].value, best[1].value, NULL);
  text_clear(&reason);
  cdag_free(g);
}
END_TEST

/* The theorem's sum in numbers that doubles hold. */
static double by_the_theorem(const stored_facts *s, const stored_claim *c, double m)
{
  double a = (double)c->ends, b = (double)c->starts, d = (double)c->degree, t = (double)c->length;
  double h = (a + b) * (m + d * d) + t + a + b - 1, kept = 0;
  for (int i = 0; i < s->steps; i++) {
    double r = (double)stored_reads(c->degree, i), least = b * h * h;
    for (double k = 1; k <= r; k++) {
      double more = r > k * d ? r - k * d : 0;
      least = fmin(least, t * (a * (2 * h - a * m) * (k - 1) + 4 * b * (a + b) * floor(more * more / k)));
    }
    double here = mpz_get_d(s->many[i]), more_often = i + 1 < s->steps ? mpz_get_d(s->many[i + 1]) : 0;
    kept += least * (here - more_often);
  }
  double moved = m * b - t - mpz_get_d(s->births) * b - mpz_get_d(s->ends) * a + mpz_get_d(s->outputs) * (b - a) +
                 mpz_get_d(s->inputs) * b;
  double work = 16 * d * b * (a + b) * mpz_get_d(s->work);
  return work > h * h ? ceil(((work * t + kept) / (h * h) + moved) / b - 1e-9) : NAN;
}

START_TEST(stored_values)
{
  support_random r = { (uint64_t)_i + 1 };
  stored_facts s;
  stored_claim c = { .starts = support_between(&r, 1, 5), .degree = support_between(&r, 1, 4) };
  text reason = { 0 };
  mpz_t value;
  int64_t m = support_between(&r, 3, 12), left = support_between(&r, 0, 60);
  mpz_init(value);
  stored_facts_init(&s);
  c.ends = support_between(&r, 0, c.starts);
  c.length = support_between(&r, 1, 4 * m * c.starts);
  mpz_set_si(s.work, support_between(&r, 1, 900));
  mpz_set_si(s.births, support_between(&r, 0, 9));
  mpz_set_si(s.ends, support_between(&r, 0, 9));
  mpz_set_si(s.outputs, support_between(&r, 0, 9));
  mpz_set_si(s.inputs, support_between(&r, 0, 9));
  for (s.steps = 0; s.steps < STORED_STEPS && left > 0; left -= support_between(&r, 0, 9))
    mpz_set_si(s.many[s.steps++], left);
  double exact = by_the_theorem(&s, &c, (double)m);
  bool holds = stored_value(&s, &c, m, value, &reason);
  ck_assert_msg(holds == !isnan(exact), "seed %d: %s", _i, text_str(&reason));
  ck_assert_msg(!holds || mpz_get_d(value) == exact, "seed %d: %ld, and %.0f by the theorem", _i, mpz_get_si(value),
                exact);
  mpz_clear(value);
  stored_facts_clear(&s);
  text_clear(&reason);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("claims_affine");
  TCase *c = support_case(s, "mirrored");
  tcase_add_loop_test(c, mirrored_siblings, 0, COUNT(siblings));
  c = support_case(s, "space");
  tcase_add_loop_test(c, one_space, 0, COUNT(spaces));
  c = support_case(s, "stored");
  tcase_add_loop_test(c, stored_operands, 0, COUNT(closures));
  tcase_add_test(c, made_needs);
  tcase_add_loop_test(c, stored_values, 0, support_rounds(300));
  return support_run(s);
}
