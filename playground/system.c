/* The rest of a C library: the ends of the program and clocks, which the page serves; processes, pipes, timers and
   signals are refused, as a system may refuse them. */
#ifdef __wasm__
#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the compiler calls them by name */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double page_seconds(void);     /* of the page: since 1970 */

int clock_gettime(clockid_t which, struct timespec *t)
{
  double now = page_seconds();
  (void)which;
  *t = (struct timespec){ .tv_sec = (time_t)now, .tv_nsec = (long)(1e9 * (now - (double)(time_t)now)) };
  return 0;
}

time_t time(time_t *to)
{
  time_t now = (time_t)page_seconds();
  if (to)
    *to = now;
  return now;
}

int gettimeofday(struct timeval *t, void *zone)
{
  double now = page_seconds();
  (void)zone;
  *t = (struct timeval){ .tv_sec = (time_t)now, .tv_usec = (suseconds_t)(1e6 * (now - (double)(time_t)now)) };
  return 0;
}

clock_t clock(void) { return (clock_t)(page_seconds() * CLOCKS_PER_SEC); }

void exit(int code)
{
  fflush(NULL);
  _Exit(code);
}

void __assert_fail(const char *what, const char *file, int line, const char *function)
{
  fprintf(stderr, "redblue: %s:%d: %s: %s does not hold\n", file, line, function, what);
  abort();
}

static int refuse(void)
{
  errno = ENOSYS;
  return -1;
}

int pipe(int ends[2]) { return (void)ends, refuse(); }
pid_t fork(void) { return refuse(); }
pid_t waitpid(pid_t child, int *how, int options) { return (void)child, (void)how, (void)options, refuse(); }
int setitimer(int which, const struct itimerval *now, struct itimerval *old)
{
  return (void)which, (void)now, (void)old, 0;
}

int poll(struct pollfd *p, nfds_t n, int milliseconds) { return (void)p, (void)n, (void)milliseconds, refuse(); }
int kill(pid_t process, int number) { return (void)process, (void)number, refuse(); }

int sigaction(int number, const struct sigaction *now, struct sigaction *old)
{
  (void)number, (void)now;
  if (old)
    *old = (struct sigaction){ .sa_handler = SIG_DFL };
  return 0;
}

/* ---- comparison of long double ----

   Debian's compiler runtime returns a long where the compiler expects an int, and the linker would put a trap in
   between. */

typedef union {
  long double value;
  struct { unsigned long low, high; } bits;
} wide;

static int no_number(wide a)
{
  unsigned long high = a.bits.high & ~(1ul << 63);
  return high > 0x7ffful << 48 || (high == 0x7ffful << 48 && a.bits.low != 0);
}

/* Ordered as the numbers are: sign and magnitude. */
static __int128 as_integer(wide a)
{
  __int128 p = (__int128)(a.bits.high & ~(1ul << 63)) << 64 | a.bits.low;
  return a.bits.high >> 63 ? -p : p;
}

static int order(long double x, long double y, int unordered)
{
  wide a = { x }, b = { y };
  if (no_number(a) || no_number(b))
    return unordered;
  __int128 p = as_integer(a), q = as_integer(b);
  return p < q ? -1 : p > q;
}

int __letf2(long double a, long double b) { return order(a, b, 1); }
int __lttf2(long double a, long double b) { return order(a, b, 1); }
int __eqtf2(long double a, long double b) { return order(a, b, 1); }
int __netf2(long double a, long double b) { return order(a, b, 1); }
int __getf2(long double a, long double b) { return order(a, b, -1); }
int __gttf2(long double a, long double b) { return order(a, b, -1); }
int __unordtf2(long double a, long double b) { return order(a, b, 2) == 2; }
#endif
