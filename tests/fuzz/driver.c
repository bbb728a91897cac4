/* driver.c -- main of a fuzz target where libFuzzer is not: under AFL++ (the file named, or standard input), and with
   gcc alone.

     NAME [FILE...]                                      try each; without a file, standard input
     NAME -max_total_time=S -runs=N -seed=K CORPUS WORDS OUT  change files of the corpus for S seconds or N times, the
   input now tried being kept in OUT: after a crash it is the offending one */
#include "base/mem.h"
#include "base/text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support_damage.h"
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEEDS = 1000, WORDS = 500, LONGEST = 4000 };

typedef struct {
  text seed[SEEDS];
  int seeds;
  char *word[WORDS + 1];       /* ended by NULL */
  int words;
  double seconds;
  long runs;
  uint64_t random;
} plan;

static int try_file(const char *path)
{
  text t = { 0 };
  diag d = { 0 };
  if (text_read(&t, path, 0, &d) != OK) {
    fprintf(stderr, "%s\n", d.message);
    return 1;
  }
  LLVMFuzzerTestOneInput((const uint8_t *)text_str(&t), t.n);
  text_clear(&t);
  return 0;
}

static void read_corpus(plan *p, const char *folder)
{
  DIR *dir = opendir(folder);
  char path[4096];
  diag d;
  for (struct dirent *e; dir && (e = readdir(dir)) && p->seeds < SEEDS;)
    if (e->d_name[0] != '.') {
      snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
      p->seeds += text_read(&p->seed[p->seeds], path, 0, &d) == OK;
    }
  if (dir)
    closedir(dir);
  p->seeds += p->seeds == 0;
}

/* A dictionary as of libFuzzer and AFL++: a word in quotes on each line, with \" \\ and \xHH in it. */
static void read_words(plan *p, const char *path)
{
  char line[256], *end;
  FILE *in = fopen(path, "r");
  while (in && p->words < WORDS && fgets(line, sizeof line, in)) {
    char *from = strchr(line, '"');
    if (!from || line[0] == '#')
      continue;
    text word = { 0 };
    for (char *at = from + 1; *at && *at != '"'; at++)
      if (*at != '\\')
        text_char(&word, *at);
      else if (*++at == 'x')
        text_char(&word, (char)strtol((char[]){ at[1], at[2], 0 }, &end, 16)), at += 2;
      else
        text_char(&word, *at);
    p->word[p->words++] = mem_text(text_str(&word));
    text_clear(&word);
  }
  if (in)
    fclose(in);
  if (p->words == 0)
    p->word[p->words++] = mem_text(" ");
}

static void keep(const char *path, const text *t)
{
  FILE *out = path ? fopen(path, "w") : NULL;
  if (out) {
    fwrite(text_str(t), 1, t->n, out);
    fclose(out);
  }
}

static void mutate(plan *p, const char *out)
{
  support_random r = { p->random };
  time_t start = time(NULL);
  long done = 0;
  for (; (p->runs == 0 || done < p->runs) && difftime(time(NULL), start) < p->seconds; done++) {
    text t = { 0 };
    const text *seed = &p->seed[support_between(&r, 0, p->seeds - 1)];
    text_add_n(&t, text_str(seed), seed->n);
    support_damage(&r, &t, (const char *const *)p->word, (int)support_between(&r, 0, 8));
    if (t.n > LONGEST)
      t.n = LONGEST;
    keep(out, &t);
    LLVMFuzzerTestOneInput((const uint8_t *)text_str(&t), t.n);
    text_clear(&t);
  }
  printf("Done %ld runs\n", done);
}

static void plan_clear(plan *p)
{
  for (int i = 0; i < SEEDS; i++)
    text_clear(&p->seed[i]);
  for (int i = 0; i < p->words; i++)
    mem_free(p->word[i]);
}

int main(int argc, char **argv)
{
  static plan p = { .seconds = 1e9, .random = 1 };
  const char *file[3] = { 0 };
  int files = 0, bad = 0, flags = 0;
  for (int i = 1; i < argc; i++)
    if (sscanf(argv[i], "-max_total_time=%lf", &p.seconds) == 1 || sscanf(argv[i], "-runs=%ld", &p.runs) == 1 ||
        sscanf(argv[i], "-seed=%" SCNu64, &p.random) == 1)
      flags++;
    else if (argv[i][0] != '-' && files < 3)
      file[files++] = argv[i];
  if (!flags) {
    for (int i = 1; i < argc; i++)
      bad |= try_file(argv[i]);
    return argc == 1 ? try_file("-") : bad;
  }
  read_corpus(&p, file[0] ? file[0] : ".");
  read_words(&p, file[1] ? file[1] : "/dev/null");
  mutate(&p, file[2]);
  plan_clear(&p);
  return 0;
}
