/* shrink FILE -- make a pair of computation and schedule small while the readings of the schedule still disagree, or
   still crash; the small pair goes to stdout.  Each trial runs in a process of its own, for ten seconds at most. */
#include "tests/support_pair.h"
#include "tests/support_shrink.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Status of a trial: 0 nothing is wrong; as the first failure was, otherwise. */
static int outcome(const char *bytes)
{
  int st = 0;
  pid_t child = fork();
  if (child == 0) {
    pair p = { 0 };
    text why = { 0 };
    alarm(10);
    if (!freopen("/dev/null", "w", stderr))
      _exit(0);
    _exit(pair_parse(&p, bytes) && pair_trial(&p, &why) ? 77 : 0);
  }
  waitpid(child, &st, 0);
  return st;
}

static bool fails_the_same(void *context, const char *bytes) { return outcome(bytes) == *(int *)context; }

int main(int argc, char **argv)
{
  text t = { 0 };
  diag d = { 0 };
  if (argc != 2 || text_read(&t, argv[1], 0, &d) != OK) {
    fprintf(stderr, "usage: shrink FILE\n%s\n", d.message);
    return 2;
  }
  int first = outcome(text_str(&t));
  if (first == 0)
    fprintf(stderr, "shrink: nothing is wrong with %s\n", argv[1]);
  else
    support_shrink(&t, fails_the_same, &first);
  fputs(text_str(&t), stdout);
  text_clear(&t);
  return first == 0;
}
