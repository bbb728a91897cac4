/* time.c -- operations and words over rates.  A computed vertex of an array that reads itself (a chain of sums) is a
   multiply-add, any other a special function; a word moves at the machine's bandwidth. */
#include "report/time.h"
#include "base/embed.h"
#include "base/mem.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- machines ---- */

static double *field(report_machine *m, const char *name)
{
  const struct { const char *name; double *at; } fields[] = { { "multiply_adds", &m->multiply_adds }, { "special", &m->special },
    { "clock", &m->clock }, { "bandwidth", &m->bandwidth }, { "word", &m->word }, { "memory", &m->memory } };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strcmp(fields[i].name, name) == 0)
      return fields[i].at;
  return NULL;
}

static status machine_line(report_machine *m, const char *line, const char *file, int number, diag *d)
{
  char name[64], extra;
  double value;
  int n = sscanf(line, "%63s %lf %c", name, &value, &extra);
  if (n <= 0)
    return OK;
  double *at = field(m, name);
  if (!at)
    return diag_at(d, BAD_INPUT, "name", file, number, 1, "a machine has multiply_adds, special, clock, bandwidth, word and memory, not '%s'", name);
  if (n != 2 || !isfinite(value) || value <= 0 || value > 1e18)
    return diag_at(d, BAD_INPUT, "value", file, number, 1, "%s takes one positive number", name);
  if (*at > 0)
    return diag_at(d, BAD_INPUT, "name", file, number, 1, "%s is given twice", name);
  *at = value;
  return OK;
}

static status complete(report_machine *m, const char *file, diag *d)
{
  static const char *const names[] = { "multiply_adds", "special", "clock", "bandwidth", "word", "memory" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!(*field(m, names[i]) > 0))
      return diag_at(d, BAD_INPUT, "value", file, 1, 1, "the machine has no %s", names[i]);
  return OK;
}

static status parse_machine(report_machine *m, const char *source, const char *file, diag *d)
{
  char *copy = mem_text(source), *rest = copy;
  int number = 0;
  status st = OK;
  for (char *line = strsep(&rest, "\n"); line && st == OK; line = strsep(&rest, "\n")) {
    line[strcspn(line, "#")] = '\0';
    st = machine_line(m, line, file, ++number, d);
  }
  mem_free(copy);
  return st == OK ? complete(m, file, d) : st;
}

status report_machine_open(report_machine *m, const char *name, diag *d)
{
  char path[300];
  *m = (report_machine){ 0 };
  snprintf(m->name, sizeof m->name, "%s", name);
  snprintf(path, sizeof path, "report/machines/%.200s.machine", name);
  for (const embedded_file *e = embedded_files; e->path; e++)
    if (strcmp(e->path, path) == 0)
      return parse_machine(m, e->text, path, d);
  text source = { 0 };
  status st = text_read(&source, name, 1 << 16, d);
  if (st == OK)
    st = parse_machine(m, text_str(&source), name, d);
  text_clear(&source);
  return st;
}

/* ---- which words may hide ---- */

static void at_most(report_overlap *level, report_overlap new_level)
{
  if (*level < new_level)
    *level = new_level;
}

/* The level from which the words of each array may hide; the worst of its moves counts. */
static void levels_of(const schedule_node *node, int depth, bool *computed, report_overlap *level)
{
  if (node->kind == SCHEDULE_MOVE) {
    *computed |= node->move == PEBBLE_COMPUTE;
    for (int i = 0; i < node->boxes && (node->move == PEBBLE_LOAD || node->move == PEBBLE_STORE); i++)
      at_most(&level[node->box[i].array], depth < 2                                 ? REPORT_OVERLAP_ALL
                                          : *computed && node->move == PEBBLE_LOAD ? REPORT_OVERLAP_INSIDE
                                                                                   : REPORT_OVERLAP_TURNS);
    return;
  }
  bool fresh = false, loop = node->kind == SCHEDULE_FOR;
  for (int i = 0; i < node->children; i++)
    if (node->child[i])
      levels_of(node->child[i], depth + loop, loop ? &fresh : computed, level);
}

static void sum_words(const schedule *s, const schedule_counts *c, report_time *t)
{
  report_overlap *level = MEM_NEW(report_overlap, (size_t)s->g->arrays);
  bool computed = false;
  levels_of(s->body, 0, &computed, level);
  for (int a = 0; a < s->g->arrays; a++)
    for (int o = level[a]; o > REPORT_OVERLAP_NONE && o < REPORT_OVERLAPS; o++)
      t->words[o] += c->loads_by_array[a] + c->stores_by_array[a];
  mem_free(level);
}

/* ---- operations ---- */

static bool is_chain(const cdag *g, int array)
{
  for (int i = 0; i < g->array[array].terms; i++)
    if (g->array[array].term[i].array == array)
      return true;
  return false;
}

/* Every vertex once; what the schedule computes more often is charged as multiply-adds. */
static void sum_operations(const schedule *s, const schedule_counts *c, report_time *t)
{
  for (int a = 0; a < s->g->arrays; a++)
    if (s->g->array[a].terms && is_chain(s->g, a))
      t->multiply_adds += s->g->array[a].count;
    else if (s->g->array[a].terms)
      t->special += s->g->array[a].count;
  uint64_t once = t->multiply_adds + t->special;
  t->recomputed = c->computes > once ? c->computes - once : 0;
  t->multiply_adds += t->recomputed;
}

static void fill_seconds(report_time *t, const report_machine *m)
{
  double word = m->word / m->bandwidth;
  t->computing = ((double)t->multiply_adds / m->multiply_adds + (double)t->special / m->special) / m->clock;
  t->moving = (double)t->io * word;
  for (int o = 0; o < REPORT_OVERLAPS; o++)
    t->seconds[o] = fmax(t->computing, (double)t->words[o] * word) + (double)(t->io - t->words[o]) * word;
}

status report_time_of(const schedule *s, const pebble_rules *rules, const report_machine *m, report_time *t, diag *d)
{
  schedule_counts c = { 0 };
  *t = (report_time){ 0 };
  if (s->g->graph)
    return diag_set(d, BAD_USAGE, "usage", "the vertices of a graph do not say which are multiply-adds: time is for families and .cdag files");
  status st = schedule_count(s, rules, &c, d);
  if (st == OK && !c.countable)
    st = diag_set(d, GAVE_UP, "limit", "the schedule cannot be counted: %s", c.reason);
  if (st == OK) {
    t->io = c.loads + c.stores;
    t->peak = c.peak;
    t->fits = c.peak <= rules->m;
    sum_words(s, &c, t);
    sum_operations(s, &c, t);
    fill_seconds(t, m);
  }
  schedule_counts_clear(&c);
  return st;
}

/* ---- what is shown ---- */

static const char *const overlap_names[] = { "none", "inside a turn", "next inner turn", "everything" };

static const char *assumption(int i)
{
  static const char *const all[] = {
    "a vertex of an array that reads itself is one multiply-add, any other one special function",
    "all units are busy all the time; multiply-adds and special functions take turns",
    "words move at full bandwidth; latency, bank conflicts and the shape of the array of units are left out",
    "what may overlap is summed over the whole schedule, not turn by turn; room for two buffers is not asked",
    "what is computed again is charged as multiply-adds", NULL };
  return all[i];
}

static const char *bound_by(const report_time *t) { return t->computing >= t->moving ? "compute" : "memory"; }

void report_time_print(const report_time *t, const report_machine *m, text *out)
{
  text_printf(out, "machine     %s (a model, not a measurement)\n", m->name);
  text_printf(out, "operations  %llu multiply-adds, %llu special functions", (unsigned long long)t->multiply_adds, (unsigned long long)t->special);
  if (t->recomputed)
    text_printf(out, "; %llu of them again", (unsigned long long)t->recomputed);
  text_printf(out, "\nI/O         %llu words of %g bytes\n", (unsigned long long)t->io, m->word);
  if (!t->fits)
    text_printf(out, "memory      the schedule needs %llu words, more than M: it cannot run there\n", (unsigned long long)t->peak);
  text_printf(out, "computing   %.4g s\nmoving      %.4g s\nbound by    %s\n", t->computing, t->moving, bound_by(t));
  for (int o = 0; o < REPORT_OVERLAPS; o++)
    text_printf(out, "overlap     %-16s %.4g s, units busy %.1f %%\n", overlap_names[o], t->seconds[o], 100 * t->computing / t->seconds[o]);
  for (int i = 0; assumption(i); i++)
    text_printf(out, "assumed     %s\n", assumption(i));
}

void report_time_json(const report_time *t, const report_machine *m, json *j)
{
  json_open(j, '{');
  json_put_string(j, "machine", m->name);
  json_put_string(j, "trust", "model");
  json_put_uint(j, "multiply_adds", t->multiply_adds);
  json_put_uint(j, "special", t->special);
  json_put_uint(j, "recomputed", t->recomputed);
  json_put_uint(j, "io", t->io);
  json_put_uint(j, "peak", t->peak);
  json_put_bool(j, "fits", t->fits);
  json_put_real(j, "computing_seconds", t->computing);
  json_put_real(j, "moving_seconds", t->moving);
  json_put_string(j, "bound_by", bound_by(t));
  json_put_real(j, "operations_per_byte", t->io ? (double)(t->multiply_adds + t->special) / ((double)t->io * m->word) : 0);
  json_put_real(j, "ridge_operations_per_byte", m->multiply_adds * m->clock / m->bandwidth);
  json_key(j, "overlap");
  json_open(j, '[');
  for (int o = 0; o < REPORT_OVERLAPS; o++) {
    json_open(j, '{');
    json_put_string(j, "level", overlap_names[o]);
    json_put_uint(j, "hidden_words", t->words[o]);
    json_put_real(j, "seconds", t->seconds[o]);
    json_put_real(j, "busy", t->computing / t->seconds[o]);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_key(j, "assumptions");
  json_open(j, '[');
  for (int i = 0; assumption(i); i++)
    json_string(j, assumption(i));
  json_close(j, ']');
  json_close(j, '}');
}
