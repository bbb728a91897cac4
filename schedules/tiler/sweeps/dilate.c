#include "schedules/tiler/sweeps/dilate.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/nests/words.h"
#include "schedules/tiler/sweeps/sweep.h"
#include <inttypes.h>

enum { LEVELS_MOST = 1 << 12 };
typedef struct { int64_t ahead, back, gcd; } reach; /* of a level: how far what it reads lies, and in steps of what */

typedef struct {
  const cdag *g;
  const tiler_statement *s;
  int64_t first, last;         /* levels that are computed */
  reach *level;                /* from the first on */
  char step[CDAG_NAME], part[CDAG_NAME];
} dilated;

/* ---- is it one? ---- */

typedef struct { const dilated *w; const int64_t *x; reach *r; bool any, good; } probe;

static bool note_read(void *context, const cdag_element *e, int term)
{
  (void)term;
  probe *p = context;
  int64_t by = e->x[1] - p->x[1];
  p->any = true;
  p->good = p->good && e->array == p->w->s->array && e->x[0] == p->x[0] - 1;
  p->r->ahead = num_max(p->r->ahead, by);
  p->r->back = num_max(p->r->back, -by);
  p->r->gcd = by ? num_gcd(p->r->gcd, by < 0 ? -by : by) : p->r->gcd;
  return p->good;
}

/* What a level reads is seen at its ends, where nothing lies outside on one side, and in its middle.  (That others read
   as they do is for the referee to say.)  False: another array, or another level.  *any: something is read at all. */
static bool read_level(const dilated *w, int64_t t, reach *r, bool *any)
{
  int64_t lo = w->s->least[1], hi = w->s->most[1] - 1, at[] = { lo, lo + (hi - lo) / 2, hi };
  int with = 0;
  *r = (reach){ 0 };
  for (int i = 0; i < 3; i++) {
    int64_t x[CDAG_RANK] = { t, at[i] };
    probe p = { w, x, r, false, true };
    cdag_each_predecessor(w->g, w->s->array, x, note_read, &p);
    if (!p.good)
      return false;
    with += p.any;
  }
  *any = with > 0;
  return with == 0 || with == 3;
}

static bool only_statement(const tiler_shape *s, dilated *w)
{
  for (int a = 0; a < s->g->arrays; a++) {
    if (!s->s[a].computed)
      continue;
    if (w->s)
      return false;
    w->s = &s->s[a];
  }
  return w->s && w->s->rank == 2 && s->g->array[w->s->array].rectangular && w->s->most[0] > w->s->least[0] &&
         w->s->most[0] - w->s->least[0] <= LEVELS_MOST && w->s->most[1] > w->s->least[1] &&
         tiler_output_levels(s->g, w->s->array, 0, w->s->most[0]) <= 1;
}

static bool read_levels(dilated *w)
{
  w->last = w->s->most[0] - 1;
  w->first = w->last + 1;
  for (int64_t t = w->s->least[0]; t <= w->last; t++) {
    reach r;
    bool any;
    if (!read_level(w, t, &r, &any) || (!any && w->first < t))
      return false;
    w->first = any ? num_min(w->first, t) : w->first;
    if (any)
      w->level[t - w->first] = r;
  }
  return w->first <= w->last;
}

/* ---- blocks of levels ---- */

/* Levels from..to: the distance of elements that read one another, and the words that stay for each of them. */
static double stay_of(const dilated *w, int64_t from, int64_t to, int64_t *gcd)
{
  double sum = 0;
  *gcd = 0;
  for (int64_t t = from; t <= to; t++) {
    const reach *r = &w->level[t - w->first];
    *gcd = r->gcd ? num_gcd(*gcd, r->gcd) : *gcd;
    sum += (double)(r->ahead + r->back);
  }
  if (*gcd == 0) /* each element is alone */
    *gcd = w->s->most[1] - w->s->least[1];
  return sum / (double)*gcd;
}

static void print_level(const dilated *w, const char *verb, int64_t t, int64_t by, text *out)
{
  text_printf(out, "    %s %s[%" PRId64 ",", verb, w->g->array[w->s->array].name, t);
  for (int end = 0; end < 2; end++) {
    text_printf(out, "%slo(%s) + %s(%s)", end ? ".." : "", w->step, end ? "hi" : "lo", w->part);
    if (by)
      text_printf(out, by < 0 ? " - %" PRId64 : " + %" PRId64, by < 0 ? -by : by);
  }
  text_add(out, "]\n");
}

/* Steps go on behind the end until all that stays has gone. */
static void print_block(const dilated *w, int64_t from, int64_t to, double m, text *out)
{
  int64_t g, lag = 0, over = 0;
  double stay = stay_of(w, from, to, &g);
  int64_t c = (int64_t)num_max(1, num_min(g, (int64_t)(m / (stay + 2))));
  text body = { 0 };
  print_level(w, "load", from - 1, 0, &body);
  for (int64_t t = from; t <= to; t++) {
    const reach *r = &w->level[t - w->first];
    lag += r->ahead;
    over = num_max(over, lag + r->back);
    print_level(w, "compute", t, -lag, &body);
    print_level(w, "drop", t - 1, -lag - r->back, &body);
  }
  print_level(w, "store", to, -lag, &body);
  print_level(w, "drop", to, -lag, &body);
  text_printf(out, "for %s in 0..%" PRId64 " by %" PRId64 " {\n", w->part, g, c);
  text_printf(out, "  for %s in %" PRId64 "..%" PRId64 " by %" PRId64 " {\n%s  }\n}\n", w->step, w->s->least[1],
              w->s->most[1] + over, g, text_str(&body));
  text_clear(&body);
}

bool tiler_dilate(const tiler_shape *s, double m, text *out)
{
  dilated w = { .g = s->g };
  if (!only_statement(s, &w))
    return false;
  w.level = MEM_NEW(reach, (size_t)(w.s->most[0] - w.s->least[0]));
  bool good = read_levels(&w);
  if (good) {
    tiler_fresh_name(s->g, "X", w.step);
    tiler_fresh_name(s->g, "R", w.part);
    text_add(out, "# Blocks of levels; elements that read one another are walked once, level behind level.\n");
    tiler_print_title(s->g, "classes", out);
  }
  for (int64_t from = w.first, to, g; good && from <= w.last; from = to + 1) {
    for (to = from; to < w.last && stay_of(&w, from, to + 1, &g) + 2 <= m; to++)
      ;
    good = stay_of(&w, from, to, &g) + 2 <= m;
    print_block(&w, from, to, m, out);
  }
  mem_free(w.level);
  return good;
}
