#include "tests/support_pair.h"
#include "tests/support_trial.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const variants[] = { "placing", "sliding", "partial" };
static const char mark[] = "\n----\n";

void pair_print(text *out, const pair *p)
{
  text_printf(out, "rules %s %" PRIu64 "%s\n%s%s%s", variants[p->rules.variant], p->rules.m,
              p->rules.one_shot ? " one-shot" : "", text_str(&p->computation), mark + 1, text_str(&p->schedule));
}

void pair_write(const pair *p, const char *path)
{
  text t = { 0 };
  FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (!out)
    return;
  pair_print(&t, p);
  fwrite(t.s, 1, t.n, out);
  fflush(out);
  if (out != stdout)
    fclose(out);
  text_clear(&t);
}

bool pair_parse(pair *p, const char *bytes)
{
  char variant[16], shot[16] = "";
  const char *line = strchr(bytes, '\n'), *between = line ? strstr(line, mark) : NULL;
  if (!between || sscanf(bytes, "rules %15s %" SCNu64 "%15[^\n]", variant, &p->rules.m, shot) < 2)
    return false;
  int v = 0;
  while (v < 3 && strcmp(variant, variants[v]) != 0)
    v++;
  p->rules.variant = (pebble_variant)v;
  p->rules.one_shot = strstr(shot, "one-shot") != NULL;
  text_add_n(&p->computation, line + 1, (size_t)(between - line));
  text_add(&p->schedule, between + strlen(mark));
  return v < 3;
}

void pair_clear(pair *p)
{
  text_clear(&p->computation);
  text_clear(&p->schedule);
}

const char *pair_trial(const pair *p, text *why)
{
  cdag *g = NULL;
  diag d = { 0 };
  if (cdag_parse(&g, "pair", text_str(&p->computation), "", &d) != OK)
    return NULL;
  const char *wrong = trial_by(g, text_str(&p->schedule), &p->rules, why);
  cdag_free(g);
  return wrong;
}
