/* time.c -- operations and words over rates.  A computed vertex of an array that reads itself (a chain of sums) is a
   multiply-add, any other a special function; a word moves at the machine's bandwidth. */
#include "report/time.h"
#include "base/mem.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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
  SCOPED_MEM report_overlap *level = MEM_NEW(report_overlap, (size_t)s->g->arrays);
  bool computed = false;
  levels_of(s->body, 0, &computed, level);
  for (int a = 0; a < s->g->arrays; a++)
    for (int o = level[a]; o > REPORT_OVERLAP_NONE && o < REPORT_OVERLAPS; o++)
      t->words[o] = num_plus(t->words[o], num_plus(c->loads_by_array[a], c->stores_by_array[a]));
}

/* ---- operations ---- */

static int operands(const cdag_array *a, int self)
{
  int n = 0;
  for (int i = 0; i < a->terms; i++)
    n += a->term[i].array != self;
  return n;
}

bool report_time_is_chain(const cdag *g, int array)
{
  return operands(&g->array[array], array) < g->array[array].terms;
}

/* Every vertex once; used where the iterations of a loop differ too much to be summed. */
static void vertices_once(const cdag *g, num_count *vertices)
{
  for (int a = 0; a < g->arrays; a++)
    vertices[a] = g->array[a].terms ? g->array[a].count : 0;
}

/* Chains of products on the array, sums of one operand and what is computed again besides at the full rate of its
 * units. */
static double multiply_add_cycles(const report_time *t, const report_machine *m, num_count on_array, double cycles)
{
  if (!(m->rows > 0) || !t->exact)
    return (double)t->multiply_adds / m->multiply_adds;
  return cycles + (double)(t->multiply_adds - on_array) / m->multiply_adds;
}

static num_count sum_operations(const cdag *g, const num_count *vertices, num_count computes, report_time *t)
{
  num_count once = 0, on_array = 0;
  for (int a = 0; a < g->arrays; a++) {
    *(report_time_is_chain(g, a) ? &t->multiply_adds : &t->special) += vertices[a];
    on_array += report_time_on_array(g, a) ? vertices[a] : 0;
    once += g->array[a].terms ? g->array[a].count : 0;
  }
  t->recomputed = computes > once ? computes - once : 0;
  if (!t->exact)
    t->multiply_adds += t->recomputed;
  return on_array;
}

static void count_operations(const schedule *s, num_count computes, const report_machine *m, report_time *t)
{
  SCOPED_MEM num_count *vertices = MEM_NEW(num_count, (size_t)s->g->arrays);
  double cycles = 0;
  t->exact = report_time_operations(s, computes, m->rows, m->columns, vertices, &cycles);
  if (!t->exact)
    vertices_once(s->g, vertices);
  num_count on_array = sum_operations(s->g, vertices, computes, t);
  t->array_filled = m->rows > 0 && t->exact && cycles > 0 ? (double)on_array / (cycles * m->multiply_adds) : 1;
  t->computing = t->multiplying = multiply_add_cycles(t, m, on_array, cycles) / m->clock;
  if (m->special > 0)
    t->computing += (double)t->special / m->special / m->clock;
}

static void fill_seconds(report_time *t, const report_machine *m)
{
  double word = m->word / m->bandwidth;
  t->moving = (double)t->io * word;
  for (int o = 0; o < REPORT_OVERLAPS; o++)
    t->seconds[o] = fmax(t->computing, (double)t->words[o] * word) + (double)(t->io - t->words[o]) * word;
}

static status has_rates(const report_machine *m, diag *d)
{
  const char *missing = !(m->multiply_adds > 0) ? "multiply_adds"
                        : !(m->clock > 0)       ? "clock"
                        : !(m->bandwidth > 0)   ? "bandwidth"
                                                : NULL;
  return missing ? diag_set(d, BAD_USAGE, "usage",
                            "machine %s gives no %s: it is good for --machine of other verbs, not for a time", m->name,
                            missing)
                 : OK;
}

status report_time_of(const schedule *s, const pebble_rules *rules, const report_machine *m, report_time *t, diag *d)
{
  schedule_counts c = { 0 };
  *t = (report_time){ 0 };
  if (s->g->graph)
    return diag_set(d, BAD_USAGE, "usage",
                    "the vertices of a graph do not say which are multiply-adds: time is for families and .cdag files");
  status st = has_rates(m, d);
  if (st == OK)
    st = schedule_count(s, rules, &c, d);
  if (st == OK && !c.countable)
    st = diag_set(d, GAVE_UP, "limit", "the schedule cannot be counted: %s", c.reason);
  if (st == OK) {
    t->io = schedule_counts_io(&c);
    t->peak = c.peak;
    t->fits = c.peak <= rules->m;
    sum_words(s, &c, t);
    count_operations(s, c.computes, m, t);
    fill_seconds(t, m);
    st = report_time_parts(s, rules, m, t, d);
    if (!t->fits || !t->exact || !report_time_queues(s, m, t, &t->seconds[REPORT_OVERLAP_QUEUES]))
      t->seconds[REPORT_OVERLAP_QUEUES] = 0;
  }
  schedule_counts_clear(&c);
  return st;
}

/* ---- what is shown ---- */

const char *report_overlap_word(report_overlap o)
{
  static const char *const words[] = { "none", "inside", "next", "everything", "queues" };
  return words[o];
}

static const char *const overlap_names[] = { "none", "inside an iteration", "next inner iteration", "everything",
                                            "turn by turn" };

static bool by_turns(const report_time *t) { return t->seconds[REPORT_OVERLAP_QUEUES] > 0; }

enum { ASSUMPTIONS = 8 };
static const char *assumption(const report_time *t, const report_machine *m, int i)
{
  switch (i) {
  case 0: return "a vertex of an array that reads itself is one multiply-add, any other one special function";
  case 1:
    return m->special > 0 ? "multiply-adds and special functions take turns; special units are busy whenever there is "
                            "work for them"
                          : "the machine gives no rate of special functions: they cost nothing";
  case 2:
    return !(m->rows > 0) ? "multiply-add units are busy whenever there is work for them"
           : t->exact ? "the array of units covers two indices of one compute move at a time, the two that fit best; "
                        "sums of one operand fill it"
                      : "the array of units is taken as full: the computations of this schedule change from iteration "
                        "to iteration";
  case 3: return "words move at full bandwidth; latency and bank conflicts are left out";
  case 4:
    return "what may overlap is summed over the whole schedule, not iteration by iteration; room for two buffers is "
           "not asked (but turn by turn it is)";
  case 5:
    return by_turns(t) ? "turn by turn: multiply-adds, special functions and transfers are queues in the order of the "
                         "schedule; what moves out of its turn needs room"
                       : NULL;
  case 6: return t->exact ? NULL : "what is computed again is charged as multiply-adds";
  default: return NULL;
  }
}

static const char *bound_by(const report_time *t) { return t->computing >= t->moving ? "compute" : "memory"; }

static double per_byte(const report_time *t, const report_machine *m, num_count operations)
{
  return t->io ? (double)operations / ((double)t->io * m->word) : 0;
}

static double ridge(const report_machine *m) { return m->multiply_adds * m->clock / m->bandwidth; }

/* Share of the multiply-adds that the units could have done in that time. */
static double of_peak(const report_time *t, const report_machine *m, int overlap)
{
  return t->seconds[overlap] > 0 ? (double)t->multiply_adds / (m->multiply_adds * m->clock * t->seconds[overlap]) : 0;
}

static double busy(const report_time *t, int overlap)
{
  double computing = overlap == REPORT_OVERLAP_QUEUES ? t->multiplying : t->computing; /* the others hide under it */
  return t->seconds[overlap] > 0 ? computing / t->seconds[overlap] : 0;
}

static int levels(const report_time *t) { return REPORT_OVERLAPS + by_turns(t); }

static void print_operations(const report_time *t, const report_machine *m, text *out)
{
  text_printf(out, "machine     %s (a model, not a measurement)\n", m->name);
  text_printf(out, "operations  %llu multiply-adds, %llu special functions", (unsigned long long)t->multiply_adds,
              (unsigned long long)t->special);
  if (t->recomputed)
    text_printf(out, "; %llu of them again", (unsigned long long)t->recomputed);
  if (m->rows > 0 && t->exact)
    text_printf(out, "\narray       %g x %g units, %.1f %% of them filled", m->rows, m->columns, 100 * t->array_filled);
  text_printf(out, "\nI/O         %llu words of %g bytes\n", (unsigned long long)t->io, m->word);
  if (!t->fits)
    text_printf(out, "memory      the schedule needs %llu words, more than %s: it cannot run there\n",
                (unsigned long long)t->peak, m->buffers ? "M or than a buffer has" : "M");
}

static const char *part_name(const report_time *t, const report_machine *m, int part)
{
  return part < m->buffers ? m->buffer[part].name : t->parts > 1 ? "the rest" : "memory";
}

static void print_parts(const report_time *t, const report_machine *m, text *out)
{
  for (int i = 0; i < t->parts; i++)
    text_printf(out, "%s%s: %llu words held, room for %llu more", i ? "; " : "room        ", part_name(t, m, i),
                (unsigned long long)t->held[i], (unsigned long long)t->room[i]);
  text_char(out, '\n');
}

void report_time_print(const report_time *t, const report_machine *m, text *out)
{
  print_operations(t, m, out);
  text_printf(out, "computing   %.4g s\nmoving      %.4g s\nbound by    %s\n", t->computing, t->moving, bound_by(t));
  text_printf(out, "roofline    %.4g multiply-adds a byte; the ridge is at %.4g\n", per_byte(t, m, t->multiply_adds),
              ridge(m));
  for (int o = 0; o < levels(t); o++)
    text_printf(out, "overlap     %-16s %.4g s, %s %.1f %% of it, %.1f %% of the peak\n", overlap_names[o],
                t->seconds[o], o < REPORT_OVERLAPS ? "computing" : "multiply-adds", 100 * busy(t, o),
                100 * of_peak(t, m, o));
  print_parts(t, m, out);
  for (int i = 0; i < ASSUMPTIONS; i++)
    if (assumption(t, m, i))
      text_printf(out, "assumed     %s\n", assumption(t, m, i));
}

static void json_overlaps(const report_time *t, const report_machine *m, json *j)
{
  json_put_open(j, "overlap", '[');
  for (int o = 0; o < levels(t); o++) {
    json_open(j, '{');
    json_put_string(j, "level", overlap_names[o]);
    if (o < REPORT_OVERLAPS)
      json_put_uint(j, "hidden_words", t->words[o]);
    json_put_real(j, "seconds", t->seconds[o]);
    json_put_real(j, "busy", busy(t, o));
    json_put_real(j, "of_peak", of_peak(t, m, o));
    json_close(j, '}');
  }
  json_close(j, ']');
}

void report_time_json(const report_time *t, const report_machine *m, json *j)
{
  json_put_string(j, "machine", m->name);
  json_put_uint(j, "multiply_adds", t->multiply_adds);
  json_put_uint(j, "special", t->special);
  json_put_uint(j, "recomputed", t->recomputed);
  json_put_real(j, "array_filled", t->array_filled);
  json_put_uint(j, "io", t->io);
  json_put_uint(j, "peak", t->peak);
  json_put_bool(j, "fits", t->fits);
  json_put_real(j, "computing_seconds", t->computing);
  json_put_real(j, "moving_seconds", t->moving);
  json_put_string(j, "bound_by", bound_by(t));
  json_put_real(j, "operations_per_byte", per_byte(t, m, t->multiply_adds + t->special));
  json_put_real(j, "multiply_adds_per_byte", per_byte(t, m, t->multiply_adds));
  json_put_real(j, "ridge_operations_per_byte", ridge(m));
  json_overlaps(t, m, j);
  json_put_open(j, "memory_parts", '[');
  for (int i = 0; i < t->parts; i++) {
    json_open(j, '{');
    json_put_string(j, "name", part_name(t, m, i));
    json_put_uint(j, "held", t->held[i]);
    json_put_uint(j, "room", t->room[i]);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_put_open(j, "assumptions", '[');
  for (int i = 0; i < ASSUMPTIONS; i++)
    if (assumption(t, m, i))
      json_string(j, assumption(t, m, i));
  json_close(j, ']');
}
