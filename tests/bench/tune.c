/* tune.c -- processor time to tune every schedule of the library at n = 131072, or what is large for its family. */
#include "schedules/schedule.h"
#include "tests/bench/bench.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENT = 9 };            /* seconds for one row */

static const struct { const char *family, *spec; } sizes[] = {
  { "attention", "attention:n=131072,d=64" },
  { "attention-causal", "attention-causal:n=131072,d=64" },
  { "attention-online", "attention-online:n=131072,d=64,b=16" },
  { "attention-backward", "attention-backward:n=131072,d=64" },
  { "attention-lowrank", "attention-lowrank:n=131072,d=64,r=1024" },
  { "attention-sparse", "attention-sparse:n=131072,d=64,b=128,w=2" },
  { "attention-sparse", "attention-sparse:n=131072,d=64,b=64,w=1,s=8" },
  { "mlp", "mlp:m=131072,k=1024,h=4096,n=1024" },
  { "grid", "grid:r=131072,c=131072" },
  { "matvec", "matvec:m=131072,n=131072" },
  { "matmul", "matmul:m=131072,n=131072,k=64" },
  { "stencil", "stencil:w=131072,t=131072" },
  { "stencil2d", "stencil2d:w=131072,t=131072" },
  { "cholesky", "cholesky:n=131072" },
  { "syrk", "syrk:n=131072,k=128" },
  { "fft", "fft:l=17" },
};
static const uint64_t memory[] = { 4096, 16384, 262144 };

static void tune(const cdag *g, const schedule_listing *l, uint64_t m)
{
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t = { 0 };
  pebble_rules rules = { .m = m };
  double start = now();
  if (schedule_parse(&s, g, m, l->path, l->text, "", &d) != OK) {
    printf("%-20s %-18s M=%-7" PRIu64 " %s\n", l->family, l->name, m, d.message);
    return;
  }
  status st = schedule_tune(s, &rules, &t, &d);
  printf("%-20s %-18s M=%-7" PRIu64 " %7.3f s  %" PRIu64 " settings%s\n", l->family, l->name, m, now() - start,
         t.searched,
         st != OK  ? ", none fits"
         : t.exact ? ", exact"
                   : "");
  schedule_tuning_clear(&t);
  schedule_free(s);
}

/* In a process of its own: what takes too long is cut, and said. */
static void row(const cdag *g, const schedule_listing *l, uint64_t m)
{
  int how = 0;
  pid_t child = fork();
  if (child == 0) {
    setrlimit(RLIMIT_CPU, &(struct rlimit){ PATIENT, PATIENT });
    tune(g, l, m);
    _exit(0);
  }
  if (child > 0 && waitpid(child, &how, 0) == child && WIFSIGNALED(how))
    printf("%-20s %-18s M=%-7" PRIu64 "  more than %d s\n", l->family, l->name, m, PATIENT);
}

int main(void)
{
  const schedule_listing *list;
  int n = schedule_library(&list);
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    cdag *g = NULL;
    diag d = { 0 };
    if (cdag_open(&g, sizes[k].spec, &d) != OK)
      return 1;
    for (int i = 0; i < n; i++)
      for (size_t m = 0; !strcmp(list[i].family, sizes[k].family) && m < sizeof memory / sizeof *memory; m++)
        row(g, &list[i], memory[m]);
    cdag_free(g);
  }
  return 0;
}
