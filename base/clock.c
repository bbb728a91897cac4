#include "base/clock.h"
#include <signal.h>
#include <time.h>

static volatile sig_atomic_t interrupted; /* a handler has no argument of its own to write to */
static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
enum { SIGNALS = sizeof signals / sizeof *signals };

static void on_signal(int number) { (void)number, interrupted = 1; }
bool clock_interrupted(void) { return interrupted; }

double clock_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return interrupted ? CLOCK_OVER : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_processor(void)
{
  return interrupted ? CLOCK_OVER : (double)clock() / (double)CLOCKS_PER_SEC;
}

static struct sigaction before[SIGNALS];

void clock_catch(void)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
  interrupted = 0;
  for (int i = 0; i < SIGNALS; i++) {
    sigaction(signals[i], NULL, &before[i]);
    if (signals[i] != SIGHUP || before[i].sa_handler != SIG_IGN)
      sigaction(signals[i], &action, NULL);
  }
}

void clock_release(void)
{
  for (int i = 0; i < SIGNALS; i++)
    sigaction(signals[i], &before[i], NULL);
}
