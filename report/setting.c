#include "report/setting.h"
#include "report/time.h"
#include "base/mem.h"
#include "bounds/memory.h"
#include "report/contradiction.h"
#include "schedules/tiler/find.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

void report_value_init(report_value *v)
{
  *v = (report_value){ 0 };
  mpq_init(v->q);
}

void report_value_clear(report_value *v) { mpq_clear(v->q); }

static void set_word(report_value *v, const char *word)
{
  v->number = v->real = false;
  snprintf(v->word, sizeof v->word, "%s", word);
}

static void set_uint(report_value *v, num_count u)
{
  report_set_count(mpq_numref(v->q), u);
  mpz_set_ui(mpq_denref(v->q), 1);
  v->number = true;
  v->real = false;
}

static void set_big(report_value *v, const mpz_t z)
{
  mpq_set_z(v->q, z);
  v->number = true;
  v->real = false;
}

static void set_real(report_value *v, double r)
{
  if (!isfinite(r)) {
    set_word(v, "undefined");
    return;
  }
  v->number = v->real = true;
  v->r = r;
}

static double as_real(const report_value *v) { return v->real ? v->r : mpq_get_d(v->q); }

static void copy_value(report_value *to, const report_value *from)
{
  mpq_set(to->q, from->q);
  to->number = from->number;
  to->real = from->real;
  to->r = from->r;
  memcpy(to->word, from->word, sizeof to->word);
}

void report_value_print(text *out, const report_value *v)
{
  if (!v->number)
    text_add(out, v->word);
  else if (!v->real && mpz_cmp_ui(mpq_denref(v->q), 1) == 0) {
    SCOPED_MEM char *digits = mem_new(mpz_sizeinbase(mpq_numref(v->q), 10) + 2, 1);
    text_add(out, mpz_get_str(digits, 10, mpq_numref(v->q)));
  } else
    text_printf(out, "%.17g", as_real(v));
}

/* ---- the setting: what is known of one row, asked once ---- */

typedef struct {
  char *name;                  /* SCHED as written */
  bool tuned, fits, illegal;   /* fits: a play, as far as is known; illegal: it breaks a rule, but not for room */
  num_count io;
  uint64_t peak;
  schedule *s;                 /* with its parameters set; NULL when it does not fit */
  char word[64];               /* in the place of a number when it is no play */
} played_schedule;

struct report_setting {
  cdag *g;
  pebble_rules rules;
  bool bounded;
  bound_list bounds;
  int best;
  played_schedule *played;
  size_t n, room;
};

status report_setting_new(report_setting **out, const char *spec, const pebble_rules *rules, diag *d)
{
  report_setting *s = MEM_NEW(report_setting, 1);
  s->rules = *rules;
  status st = cdag_open(&s->g, spec, d);
  *out = s;
  return st;
}

void report_setting_free(report_setting *s)
{
  if (!s)
    return;
  for (size_t i = 0; i < s->n; i++) {
    schedule_free(s->played[i].s);
    mem_free(s->played[i].name);
  }
  mem_free(s->played);
  bound_list_clear(&s->bounds);
  cdag_free(s->g);
  mem_free(s);
}

static status need_memory(const report_setting *s, diag *d)
{
  return s->rules.m ? OK : diag_set(d, BAD_USAGE, "usage", "bounds and schedules need a memory: sweep M");
}

/* A play below the bound.  What was only counted is played first: a schedule that breaks a rule may move less than any
 * legal one. */
static status meet(const report_setting *s, const played_schedule *p, diag *d)
{
  const bound *b = s->bounded && s->best >= 0 ? &s->bounds.item[s->best] : NULL;
  if (!b || !(p->fits || p->illegal) || !report_is_below(p->io, b->value))
    return OK;
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules = s->rules,
                              .engine = s->g->graph ? PEBBLE_BY_ELEMENT : PEBBLE_BY_TILE,
                              .fast_forward = true };
  status st = schedule_play(p->s, &o, &v, d);
  if (st == OK && !v.verdict.legal)
    st = diag_set(d, BAD_INPUT, "value", "schedule %s breaks rule '%s': its count means nothing; see redblue verify",
                  p->name, pebble_rule_name(v.verdict.rule));
  else if (st == OK)
    st = report_not_below(p->name, p->io, b->value, b->name, d);
  schedule_verdict_clear(&v);
  return st;
}

static status find_bounds(report_setting *s, diag *d)
{
  status st = need_memory(s, d);
  if (st != OK || s->bounded)
    return st;
  bound_question q = { .g = s->g, .m = s->rules.m, .one_shot = s->rules.one_shot, .variant = (int)s->rules.variant };
  s->bounded = true;
  st = bound_all(&q, &s->bounds, &s->best, d);
  for (size_t i = 0; i < s->n && st == OK; i++)
    st = meet(s, &s->played[i], d);
  return st;
}

static status count_or_play(const report_setting *s, played_schedule *p, diag *d)
{
  schedule_counts c = { 0 };
  schedule_verdict v = { 0 };
  status st = schedule_count(p->s, &s->rules, &c, d);
  if (st == OK && c.countable) {
    p->io = schedule_counts_io(&c);
    p->peak = c.peak;
    p->illegal = c.peak <= s->rules.m && !schedule_counts_end(s->g, &c);
    p->fits = c.peak <= s->rules.m && !p->illegal;
  } else if (st == OK) {
    schedule_play_options o = { .rules = s->rules,
                                .engine = s->g->graph ? PEBBLE_BY_ELEMENT : PEBBLE_BY_TILE,
                                .fast_forward = true };
    st = schedule_play(p->s, &o, &v, d);
    p->io = pebble_io(&v.verdict);
    p->peak = v.verdict.peak;
    p->fits = v.verdict.legal;
    p->illegal = !v.verdict.legal && v.verdict.rule != PEBBLE_MEMORY;
  }
  snprintf(p->word, sizeof p->word, p->illegal ? "illegal" : "overflow");
  schedule_counts_clear(&c);
  schedule_verdict_clear(&v);
  return st;
}

static status tune(const report_setting *s, played_schedule *p, diag *d)
{
  schedule_tuning t = { 0 };
  status st = schedule_tune(p->s, &s->rules, &t, d);
  p->io = t.io;
  p->peak = t.peak;
  p->fits = st == OK;
  snprintf(p->word, sizeof p->word, "overflow");
  schedule_tuning_clear(&t);
  return st == GAVE_UP ? OK : st;
}

/* A schedule opened for this row, counted or tuned; asked again it is only looked up. */
static status find_played(report_setting *s, const char *name, bool tuned, played_schedule **out, diag *d)
{
  for (size_t i = 0; i < s->n; i++)
    if (s->played[i].tuned == tuned && strcmp(s->played[i].name, name) == 0) {
      *out = &s->played[i];
      return OK;
    }
  status st = need_memory(s, d);
  if (st != OK)
    return st;
  s->played = mem_room(s->played, s->n, &s->room, sizeof *s->played);
  played_schedule *p = *out = &s->played[s->n++];
  *p = (played_schedule){ .name = mem_text(name), .tuned = tuned };
  st = schedule_open_or_find(&p->s, s->g, &s->rules, name, d);
  if (st == GAVE_UP || (st == BAD_INPUT && d->kind &&
                        strcmp(d->kind, "value") == 0)) { /* nothing is found, or M is too small for a default */
    snprintf(p->word, sizeof p->word, "overflow");
    return OK;
  }
  if (st != OK)
    return st;
  st = (tuned && !schedule_is_found(s->g, name)) || schedule_unset(p->s) >= 0 ? tune(s, p, d) : count_or_play(s, p, d);
  return st == OK ? meet(s, p, d) : st;
}

/* ---- what a name or a call means ---- */

static void set_io(report_value *v, const played_schedule *p)
{
  if (p->fits)
    set_uint(v, p->io);
  else
    set_word(v, p->word);
}

static status least_schedule(report_setting *s, played_schedule **best, diag *d)
{
  const schedule_listing *list;
  int n = schedule_library(&list), chosen = -1;
  num_count least = 0;
  status st = OK;
  *best = NULL;
  for (int i = 0; i < n && st == OK; i++) {
    played_schedule *p;
    if (strcmp(list[i].family, s->g->family) != 0)
      continue;
    st = find_played(s, list[i].name, true, &p, d);
    if (st == OK && p->fits && (chosen < 0 || p->io < least)) {
      chosen = i;
      least = p->io;
    }
  }
  if (st != OK || chosen >= 0 || s->g->graph || s->rules.variant == PEBBLE_PARTIAL)
    return st == OK && chosen >= 0 ? find_played(s, list[chosen].name, true, best, d) : st;
  st = find_played(s, "found", true, best, d);
  if (st == OK && !(*best)->fits)
    *best = NULL;
  return st;
}

static status best_schedule(report_setting *s, bool name, report_value *v, diag *d)
{
  played_schedule *p;
  status st = least_schedule(s, &p, d);
  if (st != OK || !p)
    set_word(v, "none");
  else if (name)
    set_word(v, p->name);
  else
    set_io(v, p);
  return st;
}

static status best_bound(report_setting *s, const char *what, report_value *v, diag *d)
{
  status st = find_bounds(s, d);
  if (st != OK)
    return st;
  if (s->best < 0)
    set_word(v, "none");
  else if (strcmp(what, "theorem") == 0)
    set_word(v, s->bounds.item[s->best].name);
  else if (strcmp(what, "leading") == 0)
    set_word(v, s->bounds.item[s->best].leading.n ? s->bounds.item[s->best].leading.s : "none");
  else if (strcmp(what, "trust") == 0)
    set_word(v, bound_trust_name(s->bounds.item[s->best].trust));
  else
    set_big(v, s->bounds.item[s->best].value);
  return OK;
}

/* The best that is proved or certified when nothing is computed twice. */
static void one_shot_bound(const report_setting *s, report_value *v)
{
  bound_question q = { .g = s->g, .m = s->rules.m, .one_shot = true, .variant = (int)s->rules.variant };
  const bound *best = NULL;
  for (size_t i = 0; i < s->bounds.n; i++) {
    const bound *b = &s->bounds.item[i];
    if (b->trust <= BOUND_CERTIFIED && bound_holds_in(b, &q) && (!best || mpz_cmp(b->value, best->value) > 0))
      best = b;
  }
  if (best)
    set_big(v, best->value);
}

static status named_bound(report_setting *s, const char *name, report_value *v, diag *d)
{
  status st = find_bounds(s, d);
  set_word(v, "none");
  if (st == OK && strcmp(name, "one-shot") == 0) {
    one_shot_bound(s, v);
    return OK;
  }
  for (size_t i = 0; st == OK && i < s->bounds.n; i++)
    if (strcmp(s->bounds.item[i].name, name) == 0) {
      set_big(v, s->bounds.item[i].value);
      return OK;
    }
  if (bound_theorem_find(name))
    return st;
  int n = 0;
  const char *names[256];
  for (; n < 256 && bound_theorems[n]; n++)
    names[n] = bound_theorems[n]->name;
  const char *near = diag_nearest(name, names, n);
  return near ? diag_set(d, BAD_USAGE, "usage", "no bound is called '%s'; did you mean '%s'?", name, near) : st;
}

/* In the place of so much traffic the least M that the bounds allow it. */
static status memory_needed(report_setting *s, report_value *v, diag *d)
{
  bound_question q = { .g = s->g, .one_shot = s->rules.one_shot, .variant = (int)s->rules.variant };
  bound_memory needed = { 0 };
  if (!v->number)
    return OK;
  if (v->real)
    mpq_set_d(v->q, v->r);
  mpz_fdiv_q(mpq_numref(v->q), mpq_numref(v->q), mpq_denref(v->q));
  status st = bound_memory_needed(&q, mpq_numref(v->q), &needed, d);
  if (needed.words > 0)
    set_uint(v, needed.words);
  else
    set_word(v, "none");
  return st;
}

static void divide(report_value *v, const report_value *by);

static status quotient(report_setting *s, report_value *v, diag *d)
{
  report_value b;
  report_value_init(&b);
  status st = v->number ? best_bound(s, "bound", &b, d) : OK;
  if (st == OK && v->number)
    divide(v, &b);
  report_value_clear(&b);
  return st;
}

static status schedule_parameter(report_setting *s, char *argument, report_value *v, diag *d)
{
  char *comma = strrchr(argument, ',');
  if (!comma)
    return diag_set(d, BAD_USAGE, "usage", "param wants a schedule and a name: param(attenio, a)");
  *comma++ = '\0';
  while (*comma == ' ')
    comma++;
  played_schedule *p;
  status st = find_played(s, argument, true, &p, d);
  if (st != OK)
    return st;
  set_word(v, p->word);
  for (int i = 0; p->fits && i < p->s->params; i++)
    if (strcmp(p->s->param[i].name, comma) == 0) {
      mpq_set_si(v->q, p->s->param[i].value, 1);
      v->number = true;
      return OK;
    }
  return p->fits ? diag_set(d, BAD_USAGE, "usage", "%s has no parameter %s", argument, comma) : OK;
}

static status schedule_value(report_setting *s, const char *what, const char *sched, report_value *v, diag *d)
{
  played_schedule *p;
  status st = find_played(s, sched, strcmp(what, "io") != 0, &p, d);
  if (st != OK)
    return st;
  set_io(v, p);
  if (strcmp(what, "peak") == 0 && p->fits)
    set_uint(v, p->peak);
  if (strcmp(what, "ratio") == 0)
    return quotient(s, v, d);
  if (strcmp(what, "formula") == 0 && p->fits) {
    SCOPED_TEXT io = { 0 }, reason = { 0 };
    set_word(v, schedule_formula(p->s, &io, NULL, &reason) ? text_str(&io) : "none");
  }
  return OK;
}

/* ---- time ---- */

/* What stands behind the schedule in time(attenio, none, a100-sm): words without '='. */
typedef struct { char *schedule, *overlap, *machine; } time_words;

static char *last_word(char *argument)
{
  char *comma = strrchr(argument, ',');
  if (!comma || strchr(comma, '='))
    return NULL;
  *comma = '\0';
  return text_trim(comma + 1);
}

static int overlap_named(const char *name)
{
  for (int o = 0; o <= REPORT_OVERLAP_QUEUES; o++)
    if (strcmp(name, report_overlap_word((report_overlap)o)) == 0)
      return o;
  return -1;
}

static time_words split_words(char *argument)
{
  time_words w = { .schedule = argument };
  for (char *word; (word = last_word(argument));)
    *(overlap_named(word) >= 0 ? &w.overlap : &w.machine) = word;
  return w;
}

/* word: the one in a time's place where the schedule cannot be played; else NULL. */
static status time_of(report_setting *s, const char *sched, const char *machine, report_time *t, const char **word,
                      diag *d)
{
  played_schedule *p = NULL;
  report_machine m;
  status st = report_machine_open(&m, machine, d);
  if (st == OK)
    st = find_played(s, sched, false, &p, d);
  *word = st == OK && !p->fits ? p->word : NULL;
  return st == OK && !*word ? report_time_of(p->s, &s->rules, &m, t, d) : st;
}

static void set_seconds(report_value *v, double seconds)
{
  if (seconds > 0)
    set_real(v, seconds);
  else /* turn by turn, of iterations that differ */
    set_word(v, "unknown");
}

/* time(SCHED, OVERLAP, MACHINE): seconds of the model; the machine is the row's where none is said. */
static status schedule_time(report_setting *s, char *argument, const char *rows_machine, report_value *v, diag *d)
{
  time_words w = split_words(argument);
  report_time t;
  const char *word;
  const char *machine = w.machine ? w.machine : rows_machine;
  if (!machine)
    return diag_set(d, BAD_USAGE, "usage", "time(%s) on which machine? sweep M = attenio, or say time(%s, attenio)",
                    w.schedule, w.schedule);
  status st = time_of(s, w.schedule, machine, &t, &word, d);
  if (word)
    set_word(v, word);
  else if (st == OK)
    set_seconds(v, t.seconds[w.overlap ? overlap_named(w.overlap) : REPORT_OVERLAP_ALL]);
  return st;
}

/* Multiply-adds for each word moved: no machine is asked, as rates do not matter. */
static status schedule_intensity(report_setting *s, const char *sched, report_value *v, diag *d)
{
  report_time t;
  const char *word;
  status st = time_of(s, sched, "attenio", &t, &word, d);
  if (word)
    set_word(v, word);
  if (st != OK || word)
    return st;
  report_value io;
  report_value_init(&io);
  set_uint(v, t.multiply_adds);
  set_uint(&io, t.io);
  divide(v, &io);
  report_value_clear(&io);
  return OK;
}

/* ---- the expression ---- */

typedef struct {
  report_setting *s;
  const char *at, *whole;
  const report_names *names;
  diag *d;
  int depth;
} reader;

static void skip(reader *r)
{
  while (isspace((unsigned char)*r->at))
    r->at++;
}

static bool accept(reader *r, char c)
{
  skip(r);
  if (*r->at != c)
    return false;
  r->at++;
  return true;
}

static status wrong(reader *r, const char *sentence)
{
  return diag_set(r->d, BAD_USAGE, "usage", "column '%s': %s at '%.20s'", r->whole, sentence, r->at);
}

static status sum(reader *r, report_value *v);

static bool both_numbers(report_value *v, const report_value *w)
{
  if (v->number && !w->number)
    set_word(v, w->word);
  return v->number;
}

static void divide(report_value *v, const report_value *by)
{
  if (!both_numbers(v, by))
    return;
  if (as_real(by) == 0)
    set_word(v, "undefined");
  else if (v->real || by->real)
    set_real(v, as_real(v) / as_real(by));
  else
    mpq_div(v->q, v->q, by->q);
}

static void combine(report_value *v, char sign, const report_value *w)
{
  if (sign == '/') {
    divide(v, w);
    return;
  }
  if (!both_numbers(v, w))
    return;
  if (v->real || w->real) {
    double a = as_real(v), b = as_real(w);
    set_real(v, sign == '+' ? a + b : sign == '-' ? a - b : a * b);
  } else if (sign == '+')
    mpq_add(v->q, v->q, w->q);
  else if (sign == '-')
    mpq_sub(v->q, v->q, w->q);
  else
    mpq_mul(v->q, v->q, w->q);
}

static void power(report_value *v, const report_value *w)
{
  if (!both_numbers(v, w))
    return;
  double e = as_real(w);
  if (v->real || w->real || e != floor(e) || e < 0 || e > 4096) {
    set_real(v, pow(as_real(v), e));
    return;
  }
  mpz_pow_ui(mpq_numref(v->q), mpq_numref(v->q), (unsigned long)e);
  mpz_pow_ui(mpq_denref(v->q), mpq_denref(v->q), (unsigned long)e);
}

/* floor and ceil stay exact on fractions. */
static void round_to(report_value *v, bool up)
{
  if (v->real)
    set_real(v, up ? ceil(v->r) : floor(v->r));
  else {
    (up ? mpz_cdiv_q : mpz_fdiv_q)(mpq_numref(v->q), mpq_numref(v->q), mpq_denref(v->q));
    mpz_set_ui(mpq_denref(v->q), 1);
  }
}

static void one_argument(const char *f, report_value *v)
{
  if (!v->number)
    return;
  if (strcmp(f, "sqrt") == 0)
    set_real(v, sqrt(as_real(v)));
  else if (strcmp(f, "log2") == 0)
    set_real(v, log2(as_real(v)));
  else if (strcmp(f, "abs") == 0) {
    mpq_abs(v->q, v->q);
    v->r = fabs(v->r);
  } else
    round_to(v, strcmp(f, "ceil") == 0);
}

static status function(reader *r, const char *f, report_value *v)
{
  status st = sum(r, v);
  bool extreme = strcmp(f, "min") == 0 || strcmp(f, "max") == 0;
  while (st == OK && extreme && accept(r, ',')) {
    report_value w;
    report_value_init(&w);
    st = sum(r, &w);
    if (st == OK && w.number && (!v->number || (as_real(&w) < as_real(v)) == (strcmp(f, "min") == 0)))
      copy_value(v, &w); /* of a number and a word: the number */
    report_value_clear(&w);
  }
  if (st == OK && strcmp(f, "memory") == 0)
    st = memory_needed(r->s, v, r->d);
  else if (st == OK && !extreme)
    one_argument(f, v);
  return st == OK && !accept(r, ')') ? wrong(r, "expected ')'") : st;
}

/* What stands between the brackets, as it is: a schedule or a theorem. */
static status raw_argument(reader *r, text *out)
{
  int depth = 1;
  skip(r);
  for (; *r->at && depth; r->at++) {
    depth += (*r->at == '(') - (*r->at == ')');
    if (depth)
      text_char(out, *r->at);
  }
  return depth ? wrong(r, "expected ')'") : OK;
}

static bool one_of(const char *word, const char *const *words)
{
  for (; *words; words++)
    if (strcmp(word, *words) == 0)
      return true;
  return false;
}

static const report_value *find_name(const reader *r, const char *name)
{
  for (int i = r->names->n - 1; i >= 0; i--)
    if (strcmp(r->names->name[i], name) == 0)
      return &r->names->value[i];
  return NULL;
}

/* The machine whose memory M is in this row, or NULL. */
static const char *machine_of(const reader *r)
{
  const report_value *v = find_name(r, "machine");
  return v && !v->number && strcmp(v->word, "none") != 0 ? v->word : NULL;
}

/* The name of a word stands for the word: tuned(sched), where a case says sched=attenio. */
static void put_word(const reader *r, text *argument)
{
  const report_value *v = argument->n ? find_name(r, argument->s) : NULL;
  if (!v || v->number)
    return;
  text_clear(argument);
  text_add(argument, v->word);
}

/* value(lead), where a case says lead="4*n^2/M": what that comes to. */
static status value_of(reader *r, const char *name, report_value *v)
{
  const report_value *word = find_name(r, name);
  if (!word)
    return diag_set(r->d, BAD_USAGE, "usage", "column '%s': value() wants a name that a case gives, not '%s'", r->whole,
                    name);
  if (word->number) {
    copy_value(v, word);
    return OK;
  }
  reader inner = {
    .s = r->s, .at = word->word, .whole = word->word, .names = r->names, .d = r->d, .depth = r->depth + 20
  };
  status st = sum(&inner, v);
  skip(&inner);
  return st == OK && *inner.at ? wrong(&inner, "nothing more was expected") : st;
}

static const char *const of_numbers[] = { "sqrt", "log2", "abs", "ceil", "floor", "min", "max", "memory", NULL };
static const char *const of_schedules[] = { "io", "tuned", "peak", "formula", "ratio", NULL };
static const char *const of_others[] = { "bound", "param", "value", "time", "intensity", NULL };

static status no_such_function(reader *r, const char *f)
{
  const char *names[32], *const *const lists[] = { of_numbers, of_schedules, of_others };
  int n = 0;
  for (int i = 0; i < 3; i++)
    for (const char *const *word = lists[i]; *word; word++)
      names[n++] = *word;
  const char *near = diag_nearest(f, names, n);
  return diag_set(r->d, BAD_USAGE, "usage", "column '%s': there is no function %s%s%s%s", r->whole, f,
                  near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static status call(reader *r, const char *f, report_value *v)
{
  if (one_of(f, of_numbers))
    return function(r, f, v);
  if (!one_of(f, of_schedules) && !one_of(f, of_others))
    return no_such_function(r, f);
  SCOPED_TEXT argument = { 0 };
  status st = raw_argument(r, &argument);
  if (st == OK && argument.n == 0)
    st = wrong(r, "nothing between the brackets");
  if (st == OK && strcmp(f, "value") == 0)
    st = value_of(r, argument.s, v);
  else if (st == OK)
    put_word(r, &argument);
  if (st == OK && strcmp(f, "time") == 0)
    st = schedule_time(r->s, argument.s, machine_of(r), v, r->d);
  else if (st == OK && strcmp(f, "intensity") == 0)
    st = schedule_intensity(r->s, argument.s, v, r->d);
  else if (st == OK && strcmp(f, "bound") == 0)
    st = named_bound(r->s, argument.s, v, r->d);
  else if (st == OK && strcmp(f, "param") == 0)
    st = schedule_parameter(r->s, argument.s, v, r->d);
  else if (st == OK && one_of(f, of_schedules))
    st = schedule_value(r->s, f, argument.s, v, r->d);
  return st;
}

/* What an expression could have named, for a suggestion. */
static status no_such_name(reader *r, const char *name)
{
  static const char *const fixed[] = { "bound", "theorem", "trust", "best", "best_name", "gap", "leading" };
  const char *names[128];
  int n = 0;
  for (; n < 7; n++)
    names[n] = fixed[n];
  for (int i = 0; i < r->names->n && n < 112; i++)
    names[n++] = r->names->name[i];
  for (int i = 0; i < r->s->g->params && n < 128; i++)
    names[n++] = r->s->g->param[i].name;
  const char *near = diag_nearest(name, names, n);
  return diag_set(r->d, BAD_USAGE, "usage", "column '%s': nothing is called %s%s%s%s", r->whole, name,
                  near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static status plain_name(reader *r, const char *name, report_value *v)
{
  const report_value *known = find_name(r, name);
  if (known) {
    copy_value(v, known);
    return OK;
  }
  if (strcmp(name, "bound") == 0 || strcmp(name, "theorem") == 0 || strcmp(name, "trust") == 0 ||
      strcmp(name, "leading") == 0)
    return best_bound(r->s, name, v, r->d);
  if (strcmp(name, "best") == 0 || strcmp(name, "best_name") == 0)
    return best_schedule(r->s, name[4] != '\0', v, r->d);
  if (strcmp(name, "gap") == 0) {
    status st = best_schedule(r->s, false, v, r->d);
    return st == OK ? quotient(r->s, v, r->d) : st;
  }
  for (int i = 0; i < r->s->g->params; i++)
    if (strcmp(r->s->g->param[i].name, name) == 0) {
      mpq_set_si(v->q, r->s->g->param[i].value, 1);
      v->number = true;
      return OK;
    }
  return no_such_name(r, name);
}

/* 64K, 8M: as everywhere powers of 1024. */
static unsigned unit_bits(reader *r)
{
  static const char units[] = "KMG";
  const char *unit = *r->at ? strchr(units, *r->at) : NULL;
  if (!unit || isalnum((unsigned char)r->at[1]) || r->at[1] == '_')
    return 0;
  r->at++;
  return 10 * (unsigned)(unit - units + 1);
}

static status number(reader *r, report_value *v)
{
  char digits[64];
  size_t n = 0;
  bool point = false;
  for (; (isdigit((unsigned char)*r->at) || (*r->at == '.' && !point)) && n + 1 < sizeof digits; r->at++) {
    point = point || *r->at == '.';
    digits[n++] = *r->at;
  }
  digits[n] = '\0';
  if (point)
    set_real(v, strtod(digits, NULL));
  else {
    mpz_set_str(mpq_numref(v->q), digits, 10);
    mpz_mul_2exp(mpq_numref(v->q), mpq_numref(v->q), unit_bits(r));
    mpz_set_ui(mpq_denref(v->q), 1);
    v->number = true;
  }
  return OK;
}

static status atom(reader *r, report_value *v)
{
  skip(r);
  if (++r->depth > 200)
    return wrong(r, "too deep");
  status st;
  if (accept(r, '(')) {
    st = sum(r, v);
    if (st == OK && !accept(r, ')'))
      st = wrong(r, "expected ')'");
  } else if (accept(r, '-')) {
    report_value zero;
    report_value_init(&zero);
    set_uint(&zero, 0);
    st = atom(r, v);
    if (st == OK && v->number) {
      combine(&zero, '-', v);
      copy_value(v, &zero);
    }
    report_value_clear(&zero);
  } else if (isdigit((unsigned char)*r->at))
    st = number(r, v);
  else if (isalpha((unsigned char)*r->at) || *r->at == '_') {
    char name[64];
    size_t n = 0;
    for (; (isalnum((unsigned char)*r->at) || *r->at == '_') && n + 1 < sizeof name; r->at++)
      name[n++] = *r->at;
    name[n] = '\0';
    st = *r->at == '(' ? (r->at++, call(r, name, v)) : plain_name(r, name, v);
  } else
    st = wrong(r, "expected a number, a name or '('");
  r->depth--;
  return st;
}

static status factor(reader *r, report_value *v)
{
  status st = atom(r, v);
  if (st == OK && accept(r, '^')) {
    report_value w;
    report_value_init(&w);
    st = atom(r, &w);
    if (st == OK)
      power(v, &w);
    report_value_clear(&w);
  }
  return st;
}

/* One level of left-associative operators. */
static status level(reader *r, report_value *v, const char *signs, status (*below)(reader *, report_value *))
{
  status st = below(r, v);
  for (skip(r); st == OK && *r->at && strchr(signs, *r->at); skip(r)) {
    char sign = *r->at++;
    report_value w;
    report_value_init(&w);
    st = below(r, &w);
    if (st == OK)
      combine(v, sign, &w);
    report_value_clear(&w);
  }
  return st;
}

static status product(reader *r, report_value *v) { return level(r, v, "*/", factor); }
static status sum(reader *r, report_value *v) { return level(r, v, "+-", product); }

status report_evaluate(report_setting *s, const char *expression, const report_names *names, report_value *v, diag *d)
{
  reader r = { .s = s, .at = expression, .whole = expression, .names = names, .d = d };
  status st = sum(&r, v);
  skip(&r);
  return st == OK && *r.at ? wrong(&r, "nothing more was expected") : st;
}

const char *report_trust_of(const char *expression)
{
  static const struct {
    const char *begins, *trust;
  } words[] = { { "tuned(", "counted" },   { "io(", "counted" },  { "peak(", "counted" }, { "param(", "counted" },
                { "formula(", "counted" }, { "bound(", "named" }, { "time(", "model" },   { "intensity(", "counted" },
                { "memory(", "proved" } };
  const char *end = strchr(expression, ')');
  if (strcmp(expression, "bound") == 0 || strcmp(expression, "theorem") == 0 || strcmp(expression, "trust") == 0)
    return "proved";
  if (strncmp(expression, "best", 4) == 0 && !expression[strspn(expression, "abcdefghijklmnopqrstuvwxyz_")])
    return "counted";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp(expression, words[i].begins, strlen(words[i].begins)) == 0 && end && end[1] == '\0')
      return words[i].trust;
  return "derived";
}
