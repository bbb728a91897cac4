/* time_parts.c -- fast memory in parts: what a schedule holds in each of a machine's buffers, and what is left.

   The schedule is watched (schedules/play/watch.h): in the first and the last iterations of every loop the words of
   each part are counted after each move; the iterations between are like those before them, shifted. */
#include "report/time.h"
#include "base/mem.h"
#include "pebble/tile/look.h"
#include "schedules/play/watch.h"

typedef struct {
  const cdag *g;
  const int *part; /* by array */
  int parts;
  uint64_t *held;
} counting;

static uint64_t red_words(const pebble_game *game, int array)
{
  const pebble_tiles *red = pebble_red_tiles(game, array);
  uint64_t words = 0;
  for (size_t i = 0; i < red->n; i++)
    words += pebble_box_volume(&red->box[i], red->rank);
  return words;
}

static bool count_parts(void *context, const schedule_sight *sight)
{
  counting *c = context;
  uint64_t now[REPORT_BUFFERS + 1] = { 0 };
  for (int a = 0; a < c->g->arrays; a++)
    now[c->part[a]] += red_words(sight->game, a);
  for (int i = 0; i < c->parts; i++)
    c->held[i] = now[i] > c->held[i] ? now[i] : c->held[i];
  return true;
}

static status watch_parts(const schedule *s, const pebble_rules *rules, const report_machine *m, report_time *t,
                          diag *d)
{
  enum { FIRST = 3, LAST = 2 };
  SCOPED_MEM int *part = MEM_NEW(int, (size_t)s->g->arrays);
  schedule_verdict v = { 0 };
  counting c = { s->g, part, t->parts, t->held };
  schedule_watching o = { .rules = *rules, .first = FIRST, .last = LAST, .visit = count_parts, .context = &c };
  for (int a = 0; a < s->g->arrays; a++)
    part[a] = report_machine_part(m, s->g->array[a].name);
  status st = schedule_watch(s, &o, &v, d);
  schedule_verdict_clear(&v);
  return st;
}

status report_time_parts(const schedule *s, const pebble_rules *rules, const report_machine *m, report_time *t, diag *d)
{
  status st = OK;
  uint64_t left = rules->m;
  t->parts = m->buffers + 1;
  t->held[m->buffers] = t->peak;
  if (m->buffers > 0 && t->fits) {
    t->held[m->buffers] = 0;
    st = watch_parts(s, rules, m, t, d);
  }
  for (int i = 0; i < t->parts; i++) {
    uint64_t words = i < m->buffers ? (uint64_t)m->buffer[i].words : left;
    left -= words < left ? words : left;
    t->fits = t->fits && t->held[i] <= words;
    t->room[i] = words > t->held[i] ? words - t->held[i] : 0;
  }
  return st;
}
