/* tune_order.c -- see tune_order.h. */
#include "schedules/tune_order.h"
#include "base/mem.h"
#include "schedules/words.h"
#include <stdlib.h>
#include <string.h>

/* Of what is not found beforehand, none: it is looked at before all others. */
static uint64_t words_of(tuner *t, uint64_t least)
{
  uint64_t words;
  if (t->counter)
    return schedule_counter_io(t->counter, least);
  return schedule_words(t->s, &words) ? words : 0;
}

void tune_order_add(tune_order *o, tuner *t, const bool *set, const int64_t *value)
{
  t->searched++;
  uint64_t least = t->found ? t->io : UINT64_MAX, io = tune_put(t, set, value) ? words_of(t, least) : UINT64_MAX;
  if (io >= least)
    return;
  o->item = mem_room(o->item, o->n, &o->room, sizeof *o->item);
  tune_candidate *c = &o->item[o->n];
  c->io = io;
  c->at = o->n++;
  memcpy(c->set, set, sizeof c->set);
  memcpy(c->value, value, sizeof c->value);
}

static int by_io(const void *a, const void *b)
{
  const tune_candidate *p = a, *q = b;
  return p->io != q->io ? (p->io < q->io ? -1 : 1) : p->at < q->at ? -1 : 1;
}

bool tune_order_try(tune_order *o, tuner *t)
{
  uint64_t searched = t->searched; /* they were counted among them already */
  bool found = false;
  if (o->n > 1)
    qsort(o->item, o->n, sizeof *o->item, by_io);
  for (size_t i = 0; i < o->n && !(found && o->item[i].io >= t->io); i++)
    found |= tune_try(t, o->item[i].set, o->item[i].value);
  t->searched = searched;
  mem_free(o->item);
  *o = (tune_order){ 0 };
  return found;
}
