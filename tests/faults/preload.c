/* preload.c -- the machine misbehaving, for tests/t_faults.sh: loaded before the program with LD_PRELOAD, steered by
   the environment.

     FAULT_ALLOC=k     the k-th allocation (from 0, counted from the start of main, whoever asks) and all after it fail;
   with FAULT_ONCE set, only the k-th FAULT_COUNT=FILE  write how many allocations there were to FILE at the end
     FAULT_READ=n      no read() gives more than n bytes (files opened by stdio do not come by it)
     FAULT_CLOCK=s     every other look at a clock is s seconds off
     FAULT_RENAME=n    signal n comes when a file that was written is about to take its name */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static long asked, failing = -1, longest_read, jump;
static int counting, once;

static long number(const char *name, long otherwise)
{
  const char *value = getenv(name);
  return value ? atol(value) : otherwise;
}

__attribute__((constructor)) static void begin(void)
{
  failing = number("FAULT_ALLOC", -1);
  longest_read = number("FAULT_READ", 0);
  jump = number("FAULT_CLOCK", 0);
  once = getenv("FAULT_ONCE") != NULL;
  counting = 1;
}

__attribute__((destructor)) static void end(void)
{
  char digits[32];
  const char *path = getenv("FAULT_COUNT");
  counting = 0;
  int n = snprintf(digits, sizeof digits, "%ld\n", asked),
      to = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
  if (to >= 0 && write(to, digits, (size_t)n) == n)
    close(to);
}

/* Is this the one? */
static int fails(void)
{
  if (!counting)
    return 0;
  long k = asked++;
  if (failing < 0 || k < failing || (once && k > failing))
    return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t n) { return fails() ? NULL : __libc_realloc(old, n); }

ssize_t read(int from, void *to, size_t n)
{
  return syscall(SYS_read, from, to, longest_read && n > (size_t)longest_read ? (size_t)longest_read : n);
}

int rename(const char *from, const char *to)
{
  long signal = number("FAULT_RENAME", 0);
  if (signal)
    raise((int)signal);
  return (int)syscall(SYS_rename, from, to);
}

static long late(void)
{
  static int looks;
  return looks++ % 2 ? jump : 0;
}

int clock_gettime(clockid_t which, struct timespec *t)
{
  int st = (int)syscall(SYS_clock_gettime, which, t);
  t->tv_sec += late();
  return st;
}

time_t time(time_t *out)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  if (out)
    *out = t.tv_sec;
  return t.tv_sec;
}
