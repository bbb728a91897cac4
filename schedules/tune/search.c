/* schedules/tune/search.c -- searches that need no theory: all settings, or one parameter at a time. */
#include "schedules/tune/follow.h"
#include "schedules/tune/order.h"
#include <inttypes.h>
#include <string.h>

/* Those of t->value. */
static void tune_listed(tuner *t)
{
  tune_order order = { .last = true };
  bool set[TUNE_MOST] = { true };
  t->exact = true;
  if (follow_search(t)) {
    text_printf(t->record,
                "the I/O never grows with the length of blocks: of the %zu settings that play different moves, %" PRIu64
                " counts left out those that could not be better",
                t->values, t->searched);
    return;
  }
  for (size_t i = 0; i < t->values; i++) {
    int64_t value[TUNE_MOST] = { t->value[i] };
    if (!tune_barred(t, value))
      tune_order_add(&order, t, set, value);
  }
  tune_order_try(&order, t);
  text_printf(t->record,
              "all %zu settings that play different moves were counted, but those that a bound on the peak leaves out",
              t->values);
}

void tune_all(tuner *t)
{
  if (t->value) {
    tune_listed(t);
    return;
  }
  tune_order order = { .last = true };
  int64_t value[TUNE_MOST];
  bool set[TUNE_MOST];
  for (int i = 0; i < TUNE_MOST; i++) {
    value[i] = 1;
    set[i] = true;
  }
  tune_order_expect(&order, t);
  for (int i = 0; i < t->n;) {
    if (tune_barred(t, value))
      t->searched++;
    else
      tune_order_add(&order, t, set, value);
    for (i = 0; i < t->n && ++value[i] > t->most[i]; i++)
      value[i] = 1;
  }
  if (t->n == 0)
    tune_order_add(&order, t, set, value);
  tune_order_try(&order, t);
  t->exact = true;
  text_printf(t->record, "all %" PRIu64 " settings were counted%s", t->searched,
              t->bars ? ", but those that a bound on the peak leaves out" : "");
}

/* ---- one parameter at a time ---- */

enum { ROUNDS = 4, LINE_MOST = 96, CORNER = 2048, SHORTER = 4, MISSES = 4 };

/* Values worth trying for a parameter up to `most`: all small ones, then ever wider apart. */
static int64_t next_value(int64_t v, int64_t most)
{
  int64_t step = most <= LINE_MOST ? 1 : v / 16;
  return v == most ? most + 1 : v + (step > 1 ? step : 1) > most ? most : v + (step > 1 ? step : 1);
}

/* The best so far, with another value of parameter i. */
static void consider_value(tuner *t, tune_order *o, int i, int64_t v)
{
  bool set[TUNE_MOST];
  int64_t value[TUNE_MOST];
  memcpy(set, t->set, sizeof set);
  memcpy(value, t->best, sizeof value);
  set[i] = true;
  value[i] = v;
  tune_order_add(o, t, set, value);
}

static bool try_value(tuner *t, int i, int64_t v)
{
  tune_order one = { 0 };
  consider_value(t, &one, i, v);
  return tune_order_try(&one, t);
}

/* From the best value of this parameter, steps that shrink while they do not help. */
static bool walk(tuner *t, int i)
{
  bool better = false;
  for (int64_t step = t->best[i] / 16 + 1; step > 0;) {
    int64_t v = t->best[i];
    if ((v + step <= t->most[i] && try_value(t, i, v + step)) || (v > step && try_value(t, i, v - step)))
      better = true;
    else
      step /= 2;
  }
  return better;
}

/* Of the best so far. */
static int64_t value_of(tuner *t, int i)
{
  return tune_put(t, t->set, t->best) ? t->s->param[t->param[i]].value : 1;
}

/* Longer blocks move less, as a rule, until they do not fit. */
static bool lengthen(tuner *t, int i)
{
  bool better = false;
  int64_t best = value_of(t, i);
  int misses = 0;
  for (int64_t v = 1; v <= t->most[i] && misses < MISSES; v = next_value(v, t->most[i]))
    if (v > best) {
      better |= try_value(t, i, v);
      misses = t->counts.peak > t->rules.m ? misses + 1 : 0;
    }
  return better;
}

/* Short blocks seldom move less than longer ones, and counting them takes the longest: none far below the best. */
static bool improve(tuner *t, int i)
{
  bool cuts = t->found && tune_cuts(t->s, t->s->slot_param + t->param[i]), better = cuts && lengthen(t, i);
  int64_t most = cuts ? value_of(t, i) : t->most[i], least = cuts ? most / SHORTER : 1;
  tune_order order = { 0 };
  for (int64_t v = 1; v <= most; v = next_value(v, t->most[i]))
    if (v >= least)
      consider_value(t, &order, i, v);
  better |= tune_order_try(&order, t);
  return (t->found && t->set[i] && walk(t, i)) || better;
}

/* Three parameters or more often only help together: the first runs along its line, each time with every small value of
   the others. */
static void corner(tuner *t)
{
  int64_t value[TUNE_MOST], small = 1, line = 0;
  bool set[TUNE_MOST];
  for (int64_t v = 1; v <= t->most[0]; v = next_value(v, t->most[0]))
    line++;
  for (int64_t settings = line; settings <= CORNER; small++) {
    settings = line;
    for (int i = 1; i < t->n; i++)
      settings *= small + 1;
  }
  small -= small > 1;
  memset(set, true, sizeof set);
  for (int64_t v = 1; v <= t->most[0]; v = next_value(v, t->most[0])) {
    for (int i = 0; i < TUNE_MOST; i++)
      value[i] = i ? 1 : v;
    for (int i = 1; i < t->n;) {
      tune_try(t, set, value);
      for (i = 1; i < t->n && ++value[i] > (small < t->most[i] ? small : t->most[i]); i++)
        value[i] = 1;
    }
  }
}

void tune_by_iterations(tuner *t)
{
  bool better = true, none[TUNE_MOST] = { 0 };
  int64_t zero[TUNE_MOST] = { 0 };
  for (int i = 0; i < t->n; i++)
    if (!t->s->param[t->param[i]].fallback) {
      t->set[i] = true; /* nothing to follow */
      t->best[i] = 1;
    }
  memcpy(none, t->set, sizeof none);
  memcpy(zero, t->best, sizeof zero);
  tune_try(t, none, zero);
  if (t->n >= 3)
    corner(t);
  for (int round = 0; round < (t->n > 1 ? ROUNDS : 1) && better; round++) {
    better = false;
    for (int i = 0; i < t->n; i++)
      better |= improve(t, i);
  }
  text_printf(t->record,
              "one parameter was varied at a time, the others held: %" PRIu64
              " settings were counted; a better one elsewhere "
              "is not excluded",
              t->searched);
}
