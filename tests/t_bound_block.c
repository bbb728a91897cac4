/* Block-approximate attention, keys and features together (docs/theory-lp.md, section 9). */
#include "bounds/check/reading/block.h"
#include "bounds/segment/segment.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what a stretch can do with the words it has ---- */

enum { BLOCKS = 24, KEYS = 4, ROWS = 12, WIDTH = 4, MOST = 16 };

/* Blocks of `keys` keys and rank[b] features, r at most; row i sees key block near[i] exactly and the others by
   features. */
typedef struct {
  int blocks, keys, rows, d, dv, r, rank[BLOCKS], near[ROWS];
  bool q[ROWS], fq[ROWS][MOST], sum[ROWS][WIDTH]; /* q: all of a row's words */
  bool k[BLOCKS][KEYS], v[BLOCKS][KEYS][WIDTH], fk[BLOCKS][MOST][KEYS], w[BLOCKS][MOST][WIDTH];
  bool pair[ROWS][KEYS]; /* with the keys of the near block */
} stretch;

static int chosen(support_random *r, bool *flag, int n, int percent)
{
  int words = 0;
  for (int i = 0; i < n; i++)
    words += flag[i] = support_between(r, 1, 100) <= percent;
  return words;
}

/* How many of a hundred words of each class are there.  What is best is one class of each side, full: exact pairs that
   are made, far steps with rows and sums, with features of rows that are carried, with sums that are made anew, exact
   pairs that are carried. */
enum { Q, FQ, SUM, PAIR, K, V, FAR_K, FAR_V, FK, W, CLASSES };
static const int full[][CLASSES] = {
  [0] = { [Q] = 100, [SUM] = 100, [K] = 100, [V] = 100 },
  { [Q] = 100, [SUM] = 100, [W] = 100 },
  { [FQ] = 100, [SUM] = 100, [W] = 100 },
  { [Q] = 100, [SUM] = 100, [FAR_K] = 100, [FAR_V] = 100 },
  { [Q] = 100, [SUM] = 100, [FK] = 100, [FAR_V] = 100 },
  { [SUM] = 100, [PAIR] = 100, [V] = 100 },
  { [Q] = 100, [SUM] = 100, [K] = 100, [V] = 100, [W] = 100 },
};

static void draw_classes(support_random *r, int like, int noise, int *percent)
{
  for (int i = 0; i < CLASSES; i++)
    percent[i] = support_between(r, 0, 99) < noise ? (int)support_between(r, 0, 100) : full[like][i];
}

static int draw(support_random *r, stretch *s)
{
  /* Many far blocks of few features, all of them there, for many rows. */
  bool short_runs = support_between(r, 0, 4) == 0;
  int words = 0, percent[CLASSES], slices, same = short_runs || support_between(r, 0, 1);
  draw_classes(r, short_runs ? 2 : (int)support_between(r, 0, COUNT(full) - 1), short_runs ? 0 : 10, percent);
  s->blocks = short_runs ? BLOCKS : support_between(r, 0, 1) ? 4 : (int)support_between(r, 2, BLOCKS);
  s->keys = (int)support_between(r, 2, KEYS);
  s->rows = (int)support_between(r, short_runs ? ROWS / 2 : 1, ROWS);
  s->d = (int)support_between(r, 1, WIDTH);
  s->dv = support_between(r, 0, 1) ? s->d : (int)support_between(r, 1, WIDTH);
  slices = support_between(r, 0, 1) ? s->dv : (int)support_between(r, 1, (s->dv + 1) / 2);
  do
    s->r = (int)support_between(r, 1, MOST);
  while (s->dv * s->r > s->keys * (s->dv + (s->d < s->r ? s->d : s->r)));
  bool differ = short_runs || support_between(r, 0, 1);
  int few = s->r; /* features that rows have */
  if (short_runs || (differ && support_between(r, 0, 1)))
    few = (int)support_between(r, 1, s->r);
  for (int b = 0; b < s->blocks; b++) /* the near block, of which features are not used, may alone have more */
    s->rank[b] = !differ || b == 0 ? s->r : few < s->r ? few : (int)support_between(r, 0, s->r);
  for (int i = 0; i < s->rows; i++) {
    s->near[i] = same ? 0 : (int)support_between(r, 0, s->blocks - 1);
    words += s->d * chosen(r, &s->q[i], 1, percent[Q]) + chosen(r, s->fq[i], few, percent[FQ]);
    words += chosen(r, s->sum[i], slices, percent[SUM]) + chosen(r, s->pair[i], s->keys, percent[PAIR]);
  }
  for (int b = 0; b < s->blocks; b++) {
    bool far = same && b > 0;
    words += s->d * chosen(r, s->k[b], s->keys, percent[far ? FAR_K : K]);
    for (int j = 0; j < s->keys; j++)
      words += chosen(r, s->v[b][j], slices, percent[far ? FAR_V : V]);
    for (int f = 0; f < s->rank[b]; f++)
      words +=
          chosen(r, s->fk[b][f], s->keys, percent[FK]) + chosen(r, s->w[b][f], slices, percent[W] * (far || !same));
  }
  return words;
}

/* The sum of feature f of the block is there, or can be made anew. */
static bool usable(const stretch *s, int b, int f, int l)
{
  bool made = true;
  for (int j = 0; j < s->keys; j++)
    made = made && s->v[b][j][l] && (s->fk[b][f][j] || s->k[b][j]);
  return made || s->w[b][f][l];
}

static int exact_steps(const stretch *s, int i)
{
  int steps = 0;
  for (int j = 0; j < s->keys; j++)
    for (int l = 0; l < s->dv && (s->pair[i][j] || (s->q[i] && s->k[s->near[i]][j])); l++)
      steps += s->sum[i][l] && s->v[s->near[i]][j][l];
  return steps;
}

/* A sum over features does consecutive steps: the longest run. */
static int far_steps(const stretch *s, int i)
{
  int steps = 0;
  for (int l = 0; l < s->dv; l++) {
    int run = 0, longest = 0;
    for (int e = 0; e < s->blocks * s->r && s->sum[i][l]; e++) {
      if (e / s->r == s->near[i] || e % s->r >= s->rank[e / s->r])
        continue;
      run = usable(s, e / s->r, e % s->r, l) && (s->q[i] || s->fq[i][e % s->r]) ? run + 1 : 0;
      longest = run > longest ? run : longest;
    }
    steps += longest;
  }
  return steps;
}

START_TEST(no_words_do_more)
{
  support_random r = { (uint64_t)_i };
  stretch *s = calloc(1, sizeof *s);
  double x = draw(&r, s);
  char spec[160], path[] = "/tmp/rank-XXXXXX";
  diag d = { 0 };
  cdag *g = NULL;
  checker_block b;
  FILE *f = fdopen(mkstemp(path), "w");
  for (int k = 0; k < s->blocks; k++)
    fprintf(f, "%d ", s->rank[k]);
  fclose(f);
  snprintf(spec, sizeof spec, "attention-block:n=%d,d=%d,dv=%d,b=%d,w=0,rank=@%s", s->blocks * s->keys, s->d, s->dv,
           s->keys, path);
  ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
  unlink(path);
  ck_assert_msg(checker_block_read(g, &b), "%s", spec);
  double most = fmax(x * x / 4, (double)b.weight_exact * segment_three_guess(b.fiber, x)) + (double)b.alone * x;
  long work = 0;
  for (int i = 0; i < s->rows; i++)
    work += b.weight_exact * exact_steps(s, i) + b.weight_far * far_steps(s, i);
  ck_assert_msg((double)work <= most * (1 + 1e-9), "seed %d: %s: %.0f words do %ld, more than %.1f", _i, spec, x, work,
                most);
  cdag_free(g);
  free(s);
}
END_TEST

/* ---- the computation ---- */

static const struct {
  const char *what, *from, *to;
  bool same;
} texts[] = {
  { "as it is", "", "", true },
  { "another exact block", "param top = 0", "param top = 1", true },
  { "ranks that differ", "param spread = 0", "param spread = 1", true },
  { "ranks as numbers", "table rank[J:nb] = r+(J*7919+seed*3571)%65521%(spread+1)",
    "table rank[nb] = 5, 0, 2, 5, 3, 4, 5, 1", true },
  { "ranks that are others' too", "table rank[J:nb] = r+(J*7919+seed*3571)%65521%(spread+1)",
    "table rank[J:nb] = r+(J*7919+seed*3571)%65521%(spread+1)+J%2", false },
  { "one block of more features than its keys pay for", "table rank[J:nb] = r+(J*7919+seed*3571)%65521%(spread+1)",
    "table rank[nb] = 5, 5, 5, 5, 50, 5, 5, 5", false },
  { "more features than the keys of a block pay for", "param r = 5", "param r = 50", false },
  { "a last block of one key", "param n = 64", "param n = 57", false },
  { "features of one word of the row", "FQ[I:nb, i:rows[I], a:ranks[0]] = Q[I*b+i,*]",
    "FQ[I:nb, i:rows[I], a:ranks[0]] = Q[I*b+i,0]", false },
  { "features of all rows", "FK[f:first[nb], j:rows[blk[f]]] = K[blk[f]*b+j,*]",
    "FK[f:first[nb], j:rows[blk[f]]] = K[j,*]", false },
  { "keys and features of the same block", "away[I:nb, f:first[nb]] = 1-exact[I,blk[f]]",
    "away[I:nb, f:first[nb]] = exact[I,blk[f]]+1-exact[I,blk[f]]", false },
};

START_TEST(only_of_this_text)
{
  static const char *const number[] = { "\"work\": ", "\"births\": ", "\"stores\": ", "\"most\": ", "\"length\": " };
  enum { M = 60 };
  cdag *g = bound_family_changed("attention-block:n=64,d=4,b=8,r=5", "", ""),
       *other = bound_family_changed("attention-block:n=64,d=4,b=8,r=5", texts[_i].from, texts[_i].to);
  text claim = bound_claim_of("block-approximate", g, M);
  checker_block b;
  ck_assert_msg(checker_block_read(other, &b) == texts[_i].same, "%s", texts[_i].what);
  ck_assert_msg(bound_claim_holds("block-approximate", other, M, text_str(&claim)) == (_i == 0), "%s", texts[_i].what);
  if (texts[_i].same)
    bound_own_certificate_stands("block-approximate", other, M, texts[_i].what, number, COUNT(number));
  text_clear(&claim);
  cdag_free(other);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_block");
  TCase *c = support_case(s, "block");
  tcase_add_loop_test(c, no_words_do_more, 0, support_rounds(300));
  tcase_add_loop_test(c, only_of_this_text, 0, COUNT(texts));
  return support_run(s);
}
