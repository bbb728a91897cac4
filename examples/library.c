/* library.c -- the library from C: a lower bound, a schedule played, and how far one is from the other.
   Installed: cc library.c $(pkg-config --cflags --libs redblue) */
#include "bounds/bound.h"
#include "schedules/schedule.h"
#include <gmp.h>
#include <stdio.h>

static int complain(const diag *d)
{
  fprintf(stderr, "%s\n", d->message);
  return 1;
}

int main(void)
{
  diag d = { 0 };
  cdag *g;
  schedule *s;
  bound_list bounds = { 0 };
  schedule_verdict v = { 0 };
  int best;
  uint64_t m = 64 * 1024;
  if (cdag_open(&g, "attention:n=4096,d=64", &d) != OK || schedule_open(&s, g, m, "attenio", &d) != OK)
    return complain(&d);
  bound_question q = { .g = g, .m = m };
  schedule_play_options o = { .rules = { .m = m }, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  if (bound_all(&q, &bounds, &best, &d) != OK || schedule_play(s, &o, &v, &d) != OK)
    return complain(&d);
  gmp_printf("%s: at least %Zd words move\n", bounds.item[best].name, bounds.item[best].value);
  printf("%s: %s, %llu words move\n", s->name, v.verdict.legal ? "legal" : "illegal",
         (unsigned long long)(v.verdict.loads + v.verdict.stores));
  schedule_verdict_clear(&v);
  bound_list_clear(&bounds);
  schedule_free(s);
  cdag_free(g);
  return 0;
}
