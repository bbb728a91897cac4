/* Counting and tuning may take long for a schedule without a formula, so each schedule is looked at in a process of its
   own, which the clock ends.  It says what it found line by line: I/O, parameters as JSON, parameters as text, whether
   the referee saw it to its end; the last line holds, and an empty one takes back what was said. */
#include "cli/bound_schedules.h"
#include "base/json.h"
#include "base/mem.h"
#include "schedules/any.h"
#include "schedules/tiler/find.h"
#include <inttypes.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds of a processor, without --limit-time; LONGEST is looked for a schedule while none was played to its end: such
   a search ends itself before, and is ended at LAST. */
enum { TUNING = 2, FINDING = 5, LONGEST = 15, LAST = 18 };
enum { FAR = 2, LESS = 4 }; /* what moves FAR times the words of another has so many times less */

/* ---- in the child ---- */

static void say(FILE *out, const schedule *s, num_count io, bool played)
{
  SCOPED_JSON j = { 0 };
  SCOPED_TEXT shown = { 0 };
  schedule_put_setting(s, &j);
  for (int i = 0; i < s->params; i++)
    text_printf(&shown, "%s%s=%" PRId64, i ? ", " : "", s->param[i].name, s->param[i].value);
  fprintf(out, "%s\t%s\t%s\t%s\n", num_digits(io).s, text_str(&j.out), text_str(&shown), played ? "played" : "");
  fflush(out);
}

/* As it stands. */
static num_count count(FILE *out, const schedule *s, const pebble_rules *rules)
{
  schedule_counts c = { 0 };
  diag d = { 0 };
  num_count io = NUM_TOO_MANY;
  if (schedule_count(s, rules, &c, &d) == OK && c.countable && c.peak <= rules->m && schedule_counts_end(s->g, &c)) {
    io = schedule_counts_io(&c);
    say(out, s, io, false);
  }
  schedule_counts_clear(&c);
  return io;
}

/* What tuning finds was played. */
static num_count tune(FILE *out, schedule *s, const pebble_rules *rules)
{
  schedule_tuning t = { 0 };
  diag d = { 0 };
  num_count io = NUM_TOO_MANY;
  if (schedule_tune(s, rules, &t, &d) == OK && t.peak <= rules->m) {
    io = t.io;
    say(out, s, io, true);
  }
  schedule_tuning_clear(&t);
  return io;
}

static bool is_legal(const schedule *s, const pebble_rules *rules)
{
  bool element = s->g->graph || rules->variant == PEBBLE_PARTIAL;
  schedule_play_options o = { .rules = *rules,
                              .engine = element ? PEBBLE_BY_ELEMENT : PEBBLE_BY_TILE,
                              .fast_forward = true };
  schedule_verdict v = { 0 };
  diag d = { 0 };
  bool legal = schedule_play(s, &o, &v, &d) == OK && v.verdict.legal;
  schedule_verdict_clear(&v);
  return legal;
}

/* Of a processor; or, when there is a deadline, of the clock.  The signal ends the process. */
static void stop_after(double seconds, bool deadline)
{
  struct itimerval t = { { 0, 0 }, { (time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6) + 1 } };
  signal(SIGALRM, SIG_DFL);
  setitimer(deadline ? ITIMER_REAL : ITIMER_PROF, &t, NULL);
}

/* The settings of the text itself, counted, stand where they move less than what tuning finds and are legal.  u->io:
   what schedules looked at before move; seconds: of a processor, or 0. */
static void look(FILE *out, const cdag *g, const pebble_rules *rules, const cli_upper *u, double seconds)
{
  schedule *own = NULL, *tuned = NULL;
  diag d = { 0 };
  num_count known = NUM_TOO_MANY, best = NUM_TOO_MANY;
  if (schedule_open(&own, g, rules->m, u->name, &d) == OK && schedule_open(&tuned, g, rules->m, u->name, &d) == OK) {
    if (schedule_unset(own) < 0)
      known = count(out, own, rules);
    if (seconds > 0 && u->io > 0 && num_known(known) && known / FAR > u->io)
      stop_after(seconds / LESS, false);
    if (own->params > 0)
      best = tune(out, tuned, rules);
    if (known < best && is_legal(own, rules))
      say(out, own, known, true);
    else if (known < best && best == NUM_TOO_MANY)
      fputs("\n", out);
  }
  schedule_free(own);
  schedule_free(tuned);
}

/* Less than what the library's schedules move, which were looked at before (0: there are none).  It keeps some of the
 * time for what it says at the end. */
static void find(FILE *out, const cdag *g, const pebble_rules *rules, double seconds, double longest, num_count known)
{
  schedule_find_options o = { .seconds = 0.9 * seconds, .longest = 0.9 * longest, .known = known };
  schedule_found f = { 0 };
  schedule *s = NULL;
  diag d = { 0 };
  if (schedule_find(g, rules, &o, &f, &d) == OK &&
      schedule_parse(&s, g, rules->m, "found.sched", text_str(&f.source), "", &d) == OK)
    say(out, s, num_plus(f.loads, f.stores), f.played);
  schedule_found_clear(&f);
  schedule_free(s);
}

static void look_or_find(FILE *out, const cdag *g, const pebble_rules *rules, const cli_upper *u, double seconds,
                         double longest, bool timed)
{
  if (schedule_is_found(g, u->name))
    find(out, g, rules, seconds, longest, u->io);
  else
    look(out, g, rules, u, timed ? seconds : 0);
}

/* ---- in the parent ---- */

static void take_line(const char *line, cli_upper *u)
{
  const char *end;
  num_count io;
  u->fits = u->fits && line[0] != '\0';
  if (!num_read_count(line, &end, &io))
    return;
  const char *params = *end == '\t' ? end + 1 : NULL, *shown = params ? strchr(params, '\t') : NULL,
             *played = shown ? strchr(shown + 1, '\t') : NULL;
  if (!played)
    return;
  text_clear(&u->params);
  text_clear(&u->shown);
  u->fits = true;
  u->io = io;
  u->played = played[1] != '\0';
  text_add_n(&u->params, params, (size_t)(shown - params));
  text_add_n(&u->shown, shown + 1, (size_t)(played - shown - 1));
}

static void listen_to(FILE *in, cli_upper *u)
{
  char line[4096];
  while (fgets(line, sizeof line, in)) {
    size_t n = strlen(line);
    if (n > 0 && line[n - 1] == '\n') { /* a line cut short by the clock does not count */
      line[n - 1] = '\0';
      take_line(line, u);
    }
  }
}

/* Where a program has no processes, as in a page: here, and without a deadline. */
static void ask_here(const cdag *g, const pebble_rules *rules, double seconds, cli_upper *u)
{
  char *said = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&said, &n);
  if (!out)
    return;
  look_or_find(out, g, rules, u, seconds, seconds, false);
  fclose(out);
  FILE *in = n > 0 ? fmemopen(said, n, "r") : NULL;
  if (in) {
    listen_to(in, u);
    fclose(in);
  }
  free(said); /* the stream's own */
}

/* What u names.  False: the deadline ended it. */
static bool ask(const cdag *g, const pebble_rules *rules, double seconds, bool deadline, cli_upper *u)
{
  int ends[2], how = 0;
  if (pipe(ends) != 0) {
    if (errno == ENOSYS)
      ask_here(g, rules, seconds, u);
    return true;
  }
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    FILE *out = fdopen(ends[1], "w");
    close(ends[0]);
    bool search = schedule_is_found(g, u->name) && !deadline;
    double longest = search ? LONGEST : seconds;
    stop_after(search ? LAST : seconds, deadline);
    if (out)
      look_or_find(out, g, rules, u, seconds, longest, !deadline);
    _exit(0);
  }
  close(ends[1]);
  FILE *in = fdopen(ends[0], "r");
  if (in && child > 0)
    listen_to(in, u);
  in ? fclose(in) : close(ends[0]);
  if (child > 0)
    waitpid(child, &how, 0);
  return !(deadline && WIFSIGNALED(how));
}

/* ---- any graph ---- */

/* Nothing of the library is for this computation, or nothing fits: a quick search, if it is small enough. */
static void search(const cdag *g, const pebble_rules *rules, cli_uppers *u)
{
  enum { SMALL = 5000 };
  cdag_graph graph = { 0 };
  pebble_trace moves = { 0 };
  schedule_any_info info;
  diag d = { 0 };
  if (g->vertices > SMALL || cdag_materialise(g, SMALL, &graph, &d) != OK)
    return;
  if (schedule_any_quick(&graph, rules, &moves, &info, &d) == OK && info.legal) {
    u->item = mem_room(u->item, u->n, &u->room, sizeof *u->item);
    u->item[u->n] = (cli_upper){ .name = "search", .fits = true, .played = true, .io = info.io };
    text_add(&u->item[u->n].params, "{}");
    text_add(&u->item[u->n++].shown, "see redblue schedule");
  }
  pebble_trace_clear(&moves);
  cdag_graph_clear(&graph);
}

/* The words of the best so far, or 0. */
static num_count known(const cli_uppers *u)
{
  const cli_upper *best = cli_uppers_best(u);
  return best ? best->io : 0;
}

/* What `redblue tune` finds, where it is better than the library's. */
static void add_found(const cdag *g, const pebble_rules *rules, double seconds, bool deadline, cli_uppers *u)
{
  if (g->graph || rules->variant == PEBBLE_PARTIAL)
    return;
  u->item = mem_room(u->item, u->n, &u->room, sizeof *u->item);
  cli_upper *found = &u->item[u->n];
  *found = (cli_upper){ .name = "found", .io = known(u) };
  u->stopped |= !ask(g, rules, seconds, deadline, found);
  u->n += found->fits;
}

static void collect(const cdag *g, cli_uppers *u)
{
  const schedule_listing *list;
  int n = schedule_library(&list);
  for (int i = 0; i < n; i++)
    if (strcmp(list[i].family, g->family) == 0) {
      u->item = mem_room(u->item, u->n, &u->room, sizeof *u->item);
      u->item[u->n++] = (cli_upper){ .name = list[i].name };
    }
}

void cli_uppers_find(const cdag *g, const pebble_rules *rules, cli_uppers *u)
{
  bool deadline = isfinite(cli_seconds_left());
  *u = (cli_uppers){ 0 };
  collect(g, u);
  for (size_t i = 0; i < u->n; i++) {
    double share = cli_seconds_left() / (double)(u->n - i + 1);
    u->item[i].io = known(u);
    u->stopped |= !ask(g, rules, deadline ? share : TUNING, deadline, &u->item[i]);
  }
  add_found(g, rules, deadline ? cli_seconds_left() : FINDING, deadline, u);
  if (!cli_uppers_best(u) && !u->stopped)
    search(g, rules, u);
}

void cli_uppers_clear(cli_uppers *u)
{
  for (size_t i = 0; i < u->n; i++) {
    text_clear(&u->item[i].params);
    text_clear(&u->item[i].shown);
  }
  mem_free(u->item);
  *u = (cli_uppers){ 0 };
}

const cli_upper *cli_uppers_best(const cli_uppers *u)
{
  const cli_upper *best = NULL;
  for (size_t i = 0; i < u->n; i++)
    if (u->item[i].fits && (!best || u->item[i].io < best->io))
      best = &u->item[i];
  return best;
}
