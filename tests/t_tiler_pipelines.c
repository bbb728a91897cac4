/* Pictures that are filtered once or several times: each array is made of windows of those before, given as ranges, as
   listed taps or as sums, and no array between is moved but for the sides of strips. */
#include "schedules/tiler/sweeps/sweep.h"
#include "tests/support_found.h"
#include <stdio.h>
#include <string.h>

enum { STAGES = 4, READS_EACH = 2, RANGES = 0, TAPS = 1, SUMS = 2, SPELLINGS = 3, RANK_MOST = 2 };
typedef struct {
  int from;                    /* stage, or -1: the input */
  int at[RANK_MOST], size[RANK_MOST];
} window;
typedef struct {
  int rank, stages, n[RANK_MOST], windows[STAGES];
  bool output[STAGES];
  window w[STAGES][READS_EACH];
  int more[1 + STAGES][RANK_MOST]; /* the input, then stages: so much larger than the last one */
} pipeline;

static const char *const size_name[] = { "h", "w" }, *const axis[] = { "y", "x" }, *const step[] = { "a", "b" };

/* Every stage reads the one before it, so all are live. */
static pipeline draw(support_random *r, int n, int m)
{
  pipeline p = { .rank = (int)support_between(r, 1, RANK_MOST), .stages = (int)support_between(r, 1, STAGES),
                 .n = { n, m } };
  for (int k = 0; k < p.stages; k++) {
    p.windows[k] = (int)support_between(r, 1, READS_EACH);
    p.output[k] = k == p.stages - 1 || support_between(r, 0, 3) == 0;
    for (int i = 0; i < p.windows[k]; i++) {
      window *w = &p.w[k][i];
      w->from = i == 0 ? k - 1 : (int)support_between(r, -1, k - 1);
      for (int q = 0; q < p.rank; q++) {
        w->at[q] = (int)support_between(r, 0, 2);
        w->size[q] = (int)support_between(r, 1, 3);
      }
    }
  }
  for (int k = p.stages - 1; k >= 0; k--)
    for (int i = 0; i < p.windows[k]; i++)
      for (int q = 0; q < p.rank; q++) {
        const window *w = &p.w[k][i];
        int need = p.more[k + 1][q] + w->at[q] + w->size[q] - 1, *has = &p.more[w->from + 1][q];
        *has = *has > need ? *has : need;
      }
  return p;
}

static void put_array(text *t, int stage)
{
  if (stage < 0)
    text_add(t, "I");
  else
    text_printf(t, "S%d", stage);
}

static void put_window(text *t, const pipeline *p, const window *w, int spelling)
{
  put_array(t, w->from);
  for (int q = 0; q < p->rank; q++) {
    text_printf(t, "%s%s+%d", q ? "," : "[", axis[q], w->at[q]);
    if (spelling == SUMS && w->size[q] > 1)
      text_printf(t, "+%s", step[q]);
    else if (spelling != SUMS)
      text_printf(t, "..%s+%d", axis[q], w->at[q] + w->size[q]);
  }
  text_add(t, "]");
}

static void put_taps(text *t, const pipeline *p, const window *w)
{
  for (int a = 0; a < w->size[0]; a++)
    for (int b = 0; b < (p->rank > 1 ? w->size[1] : 1); b++) {
      text_add(t, a + b ? ", " : "");
      put_array(t, w->from);
      text_printf(t, "[y+%d", w->at[0] + a);
      text_printf(t, p->rank > 1 ? ",x+%d]" : "]", w->at[1] + b);
    }
}

/* A sum goes over the first window, and is written last; what else is read is read as it is spelled otherwise. */
static void put_stage(text *t, const pipeline *p, int k, int spelling)
{
  bool wide = false;
  text_add(t, p->output[k] ? "output " : "");
  put_array(t, k);
  for (int q = 0; q < p->rank; q++) {
    text_printf(t, "%s%s:%s+%d", q ? ", " : "[", axis[q], size_name[q], p->more[k + 1][q]);
    wide = wide || p->w[k][0].size[q] > 1;
  }
  text_add(t, "] = ");
  for (int i = p->windows[k] - 1; i >= 0; i--) {
    const window *w = &p->w[k][i];
    text_add(t, i < p->windows[k] - 1 ? ", " : "");
    if (spelling == SUMS && i == 0 && wide) {
      const char *comma = "";
      text_add(t, "sum ");
      for (int q = 0; q < p->rank; q++)
        if (w->size[q] > 1) {
          text_printf(t, "%s%s:%d", comma, step[q], w->size[q]);
          comma = ", ";
        }
      text_add(t, " { ");
      put_window(t, p, w, SUMS);
      text_add(t, " }");
    } else if (spelling == TAPS)
      put_taps(t, p, w);
    else
      put_window(t, p, w, RANGES);
  }
  text_char(t, '\n');
}

static void put_text(text *t, const pipeline *p, int spelling)
{
  text_printf(t, "param h = %d, w = %d\ninput I", p->n[0], p->n[1]);
  for (int q = 0; q < p->rank; q++)
    text_printf(t, "%s%s+%d", q ? ", " : "[", size_name[q], p->more[0][q]);
  text_add(t, "]\n");
  for (int k = 0; k < p->stages; k++)
    put_stage(t, p, k, spelling);
}

static cdag *open_text(const text *source, int seed)
{
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "pipeline", text_str(source), "", &d) == OK, "seed %d: line %d: %s\n%s", seed, d.line,
                d.message, text_str(source));
  return g;
}

/* In small ones borders are most of what there is: no sweep is refused but for its height. */
START_TEST(small_pipelines)
{
  support_random r = { (uint64_t)_i };
  pipeline p = draw(&r, (int)support_between(&r, 1, 9), (int)support_between(&r, 1, 12));
  text source = { 0 };
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 20, 90) };
  put_text(&source, &p, (int)support_between(&r, 0, SPELLINGS - 1));
  cdag *g = open_text(&source, _i);
  support_check_small(g, &rules, _i, text_str(&source));
  text_clear(&source);
  cdag_free(g);
}
END_TEST

static bool make_pipeline(const tiler_shape *s, double promised, const void *context, text *out)
{
  (void)context;
  return tiler_pipeline(s, promised, out);
}

static bool looks_around(const pipeline *p)
{
  for (int k = 0; k < p->stages; k++)
    for (int q = 0; q < p->rank; q++)
      if ((k ? p->w[k][0].at[q] : 0) + p->w[k][0].size[q] > 1)
        return true;
  return false;
}

/* Rows of 300 words do not fit, strips of 40 do: little more than inputs and outputs is moved, in each spelling. */
START_TEST(pipelines_in_three_spellings)
{
  enum { MEMORY = 1200 };
  support_random r = { (uint64_t)_i };
  pipeline p = draw(&r, 200, 300);
  while (!looks_around(&p))
    p = draw(&r, 200, 300);
  for (int spelling = 0; spelling < SPELLINGS; spelling++) {
    text source = { 0 };
    put_text(&source, &p, spelling);
    cdag *g = open_text(&source, _i);
    cdag_counts count;
    ck_assert_int_eq(cdag_count(g, &count, NULL), OK);
    tiler_verdict v = support_play_made(g, MEMORY, make_pipeline, NULL, _i, text_str(&source));
    num_count io = num_plus(v.loads, v.stores);
    double least = (double)count.inputs + (double)count.outputs;
    ck_assert_msg((double)io <= 1.35 * least, "seed %d: %s words where %.0f are least\n%s", _i, num_digits(io).s, least,
                  text_str(&source));
    text_clear(&source);
    cdag_free(g);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler_pipelines");
  TCase *t = support_case(s, "pipelines");
  tcase_add_loop_test(t, small_pipelines, 0, support_rounds(16));
  tcase_add_loop_test(t, pipelines_in_three_spellings, 0, support_rounds(8));
  return support_run(s);
}
