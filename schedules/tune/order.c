/* schedules/tune/order.c -- see schedules/tune/order.h. */
#include "schedules/tune/order.h"
#include "base/mem.h"
#include "schedules/count/words.h"
#include <stdlib.h>
#include <string.h>

/* Of what is not found beforehand, none: it is looked at before all others. */
static num_count words_of(tuner *t, num_count least)
{
  num_count words;
  if (t->counter)
    return schedule_counter_io(t->counter, least);
  return schedule_words(t->s, &words) ? words : 0;
}

void tune_order_expect(tune_order *o, tuner *t)
{
  const bool none[TUNE_MOST] = { false };
  const int64_t any[TUNE_MOST] = { 0 };
  num_count io = tune_put(t, none, any) ? words_of(t, NUM_TOO_MANY) : NUM_TOO_MANY;
  o->most = num_known(io) ? io + 1 : 0;
}

void tune_order_add(tune_order *o, tuner *t, const bool *set, const int64_t *value)
{
  t->searched++;
  num_count least = tune_best_io(t);
  bool may_be_late = o->most && o->most < least;
  if (!tune_put(t, set, value))
    return;
  num_count io = words_of(t, may_be_late ? o->most : least);
  if (io >= least && !may_be_late)
    return;
  o->item = mem_room(o->item, o->n, &o->room, sizeof *o->item);
  tune_candidate *c = &o->item[o->n];
  c->io = io;
  c->at = o->n++;
  memcpy(c->set, set, sizeof c->set);
  memcpy(c->value, value, sizeof c->value);
}

/* Those that were late, and may be better than the best so far. */
static void count_late(tune_order *o, tuner *t)
{
  size_t kept = 0;
  for (size_t i = 0; i < o->n; i++) {
    tune_candidate *c = &o->item[i];
    if (!num_known(c->io) && tune_put(t, c->set, c->value) && (c->io = words_of(t, tune_best_io(t))) < tune_best_io(t))
      o->item[kept++] = *c;
  }
  o->n = kept;
}

static int by_io(const void *a, const void *b)
{
  const tune_candidate *p = a, *q = b;
  return p->io != q->io ? (p->io < q->io ? -1 : 1) : p->at < q->at ? -1 : 1;
}

static bool try(const tune_order *o, tuner *t, const tune_candidate *c)
{
  return o->last ? tune_may_fit(t, c->set, c->value) && tune_play(t, c->set, c->value) : tune_try(t, c->set, c->value);
}

static bool try_in_order(tune_order *o, tuner *t)
{
  bool found = false;
  if (o->n > 1)
    qsort(o->item, o->n, sizeof *o->item, by_io);
  for (size_t i = 0; i < o->n && o->item[i].io < tune_best_io(t); i++)
    found |= try(o, t, &o->item[i]);
  return found;
}

bool tune_order_try(tune_order *o, tuner *t)
{
  uint64_t searched = t->searched; /* they were counted among them already */
  bool found = try_in_order(o, t);
  if (!found && o->most) {
    count_late(o, t);
    found = try_in_order(o, t);
  }
  t->searched = searched;
  mem_free(o->item);
  *o = (tune_order){ 0 };
  return found;
}
