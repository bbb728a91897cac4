/* verb_play.c -- the game by hand, line by line.  A line that is no command is a piece of the schedule language, played
   whole or not at all.  The one referee judges it: after a refusal, and for undo, the lines that stand are played
   again. */
#include "base/json.h"
#include "base/mem.h"
#include "base/output.h"
#include "cli/common.h"
#include "cli/digits.h"
#include "cli/line_editor.h"
#include "cli/optimum.h"
#include "report/contradiction.h"
#include "cli/play_hint.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PLAY_VERTICES = 1 << 16, LINE = 4096, SHOWN = 40 };

typedef struct {
  cdag *g;
  pebble_rules rules;
  pebble_game *game;
  char **line;                 /* the lines that stand, then those taken back */
  size_t lines, all, room;
  uint64_t refused;
  bool quiet;                  /* --json: no talk before the answer */
  bool asks;                   /* a reader sits at a terminal */
  bool unsaved;                /* lines stand that no file has */
  line_editor editor;
  bool asked;                  /* for what others can do: */
  bool has_optimum, has_bound;
  uint64_t optimum;
  cli_bound bound;
} table;

static void table_clear(table *t)
{
  line_editor_clear(&t->editor);
  if (t->asked && !t->has_optimum)
    cli_bound_clear(&t->bound);
  for (size_t i = 0; i < t->all; i++)
    mem_free(t->line[i]);
  mem_free(t->line);
  pebble_free(t->game);
  cdag_free(t->g);
}

/* ---- playing ---- */

typedef struct { pebble_game *game; uint64_t boxes; } play_context;

static bool play_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)at, (void)box, (void)slot;
  play_context *c = context;
  c->boxes++;
  return pebble_play(c->game, move);
}

/* Play one line.  OK does not mean legal: the verdict says that. */
static status play_line(table *t, const char *line, diag *d)
{
  schedule *s = NULL;
  play_context c = { t->game, 0 };
  status st = schedule_parse(&s, t->g, t->rules.m, "line", line, "", d);
  if (st == OK && s->params)
    st = diag_set(d, BAD_INPUT, "syntax", "a parameter is for schedules in files: here a line is a move");
  if (st == OK)
    st = schedule_each_move(s, play_move, &c, d);
  if (st == OK && c.boxes == 0)
    st = diag_set(d, BAD_INPUT, "syntax", "that is no move");
  schedule_free(s);
  return st;
}

/* A game with the lines that stand: each was legal once, so it is again. */
static status play_again(table *t, diag *d)
{
  pebble_free(t->game);
  t->game = NULL;
  status st = pebble_new(&t->game, t->g, PEBBLE_BY_ELEMENT, &t->rules, d);
  for (size_t i = 0; st == OK && i < t->lines; i++)
    st = play_line(t, t->line[i], d);
  return st;
}

static num_count moves_of(const table *t) { return pebble_verdict_of(t->game)->moves; }

/* Does the referee take this line now?  The position is the same afterwards. */
static status try_line(table *t, const char *line, bool *legal, diag *d)
{
  diag ignored = { 0 };
  *legal = play_line(t, line, &ignored) == OK && pebble_verdict_of(t->game)->legal;
  return play_again(t, d);
}

/* ---- telling ---- */

typedef struct { const table *t; text line; uint64_t n, all; } listing;

static void list_element(listing *l, const cdag_element *e, const char *before)
{
  l->all++;
  if (l->n == SHOWN)
    return;
  l->n++;
  text_add(&l->line, before);
  cdag_element_print(&l->line, l->t->g, e);
}

static void print_listing(listing *l, const char *what)
{
  printf("%-9s", what);
  if (l->all == 0)
    fputs(" none", stdout);
  fputs(text_str(&l->line), stdout);
  if (l->all > l->n)
    printf(" and %" PRIu64 " more", l->all - l->n);
  puts("");
  text_clear(&l->line);
}

static bool is_red(const table *t, const cdag_element *e) { return pebble_is_red(t->game, e->array, e->x); }
static bool is_blue(const table *t, const cdag_element *e) { return pebble_is_blue(t->game, e->array, e->x); }
static bool red_only(const table *t, const cdag_element *e) { return is_red(t, e) && !is_blue(t, e); }
static bool owed(const table *t, const cdag_element *e)
{
  return cdag_is_output(t->g, e->array, e->x) && !is_blue(t, e);
}

/* The vertices that fit, each after a space. */
static void tell(const table *t, const char *what, bool (*fits)(const table *, const cdag_element *))
{
  listing l = { .t = t };
  cdag_element e;
  for (uint64_t v = 0; v < t->g->vertices; v++) {
    cdag_at(t->g, v, &e);
    if (fits(t, &e))
      list_element(&l, &e, " ");
  }
  print_listing(&l, what);
}

static uint64_t reds(const table *t)
{
  uint64_t n = 0;
  cdag_element e;
  for (uint64_t v = 0; v < t->g->vertices; v++) {
    cdag_at(t->g, v, &e);
    n += is_red(t, &e);
  }
  return n;
}

static void tell_counters(const table *t)
{
  const pebble_verdict *v = pebble_verdict_of(t->game);
  if (!t->quiet)
    printf("loads %s  stores %s  red %" PRIu64 " of %" PRIu64 "  peak %" PRIu64 "\n", num_digits(v->loads).s,
           num_digits(v->stores).s, reds(t), t->rules.m, v->peak);
}

static status show(const table *t)
{
  tell(t, "red", is_red);
  tell(t, "blue", is_blue);
  tell(t, "owed", owed);
  tell_counters(t);
  return OK;
}

/* ---- the board, for those who sit at a terminal ---- */

enum { BOARD_VERTICES = 600, BOARD_WIDTH = 72 };

static char sign_of(const table *t, const cdag_element *e)
{
  bool red = is_red(t, e), blue = is_blue(t, e);
  return red && blue ? '@' : red ? '#' : blue ? 'o' : cdag_is_output(t->g, e->array, e->x) ? '_' : '.';
}

/* Does e stand at the left: another array, or another index before the last? */
static bool begins_row(const cdag *g, const cdag_element *e, const cdag_element *last)
{
  int rank = g->array[e->array].rank;
  return e->array != last->array || memcmp(e->x, last->x, (size_t)(rank - 1) * sizeof *e->x) != 0;
}

static void draw_board(const table *t)
{
  cdag_element e, last = { .array = -1 };
  int column = 0;
  if (t->g->vertices > BOARD_VERTICES) {
    tell(t, "red", is_red);
    return;
  }
  for (uint64_t v = 0; v < t->g->vertices; v++, last = e) {
    cdag_at(t->g, v, &e);
    if (begins_row(t->g, &e, &last) || column == BOARD_WIDTH)
      column = printf("%s%-8s ", v ? "\n" : "", e.array == last.array ? "" : t->g->array[e.array].name) - (v > 0);
    putchar(sign_of(t, &e));
    column++;
  }
  puts("");
}

/* What others can do: the optimum of a small computation, else the best bound; looked for once. */
static const cli_bound *find_known(table *t)
{
  diag d = { 0 };
  bool found = false;
  if (!t->asked) {
    t->asked = true;
    t->has_optimum = cli_optimum(t->g, &t->rules, &found, &t->optimum, &d) == OK && found;
    if (!t->has_optimum)
      t->has_bound = cli_best_bound(t->g, &t->rules, 0, &t->bound, &found, &d) == OK && found;
  }
  return t->has_bound ? &t->bound : NULL;
}

/* What is to be reached, and at what least cost. */
static void tell_goal(table *t)
{
  const cli_bound *b = find_known(t);
  if (t->has_optimum)
    printf("%" PRIu64 " are possible, and no fewer\n", t->optimum);
  else if (b)
    gmp_printf("at least %Zd are needed (%s)\n", b->value, b->name);
  else
    puts("how many are needed is not known");
}

static void open_board(table *t)
{
  printf("%" PRIu64 " vertices, M = %" PRIu64 ", %s%s; `help` lists the words, `hint` helps\n",
         t->g->vertices, t->rules.m, cli_variant_name(t->rules.variant), t->rules.one_shot ? ", one-shot" : "");
  fputs("goal: every output blue; each load and each store costs 1; ", stdout);
  tell_goal(t);
  puts("board: o blue, # red, @ both, _ an output still owed, . nothing");
  draw_board(t);
}

/* ---- what can be done ---- */

typedef struct { const table *t; bool all_red; cdag_element first; int n; } feet;

static bool look_at_foot(void *context, const cdag_element *e, int term)
{
  (void)term;
  feet *f = context;
  if (f->n++ == 0)
    f->first = *e;
  f->all_red = is_red(f->t, e);
  return f->all_red;
}

/* Ask the referee whether e can be computed, sliding from its first predecessor when fast memory is full. */
static status list_compute(table *t, listing *l, const cdag_element *e, bool full, diag *d)
{
  feet f = { .t = t, .all_red = true };
  if (is_red(t, e))
    return OK;
  cdag_each_predecessor(t->g, e->array, e->x, look_at_foot, &f);
  if (f.n == 0 || !f.all_red)
    return OK;
  SCOPED_TEXT line = { 0 };
  bool legal;
  text_add(&line, "compute ");
  cdag_element_print(&line, t->g, e);
  if (full && t->rules.variant == PEBBLE_SLIDING) {
    text_add(&line, " dropping ");
    cdag_element_print(&line, t->g, &f.first);
  }
  status st = try_line(t, text_str(&line), &legal, d);
  if (st == OK && legal) {
    l->all++;
    if (l->n < SHOWN)
      text_printf(&l->line, "%s%s", l->n++ ? "; " : " ", text_str(&line) + strlen("compute "));
  }
  return st;
}

static bool can_load(const table *t, const cdag_element *e) { return is_blue(t, e) && !is_red(t, e); }
static bool nothing(const table *t, const cdag_element *e) { (void)t, (void)e; return false; }

static status list_moves(table *t, diag *d)
{
  bool full = reds(t) == t->rules.m;
  listing l = { .t = t };
  cdag_element e;
  status st = OK;
  if (t->rules.variant == PEBBLE_PARTIAL) {
    puts("the moves of the partial game are not listed");
    return OK;
  }
  for (uint64_t v = 0; st == OK && v < t->g->vertices; v++) {
    cdag_at(t->g, v, &e);
    st = list_compute(t, &l, &e, full, d);
  }
  print_listing(&l, "compute");
  tell(t, "load", full ? nothing : can_load);
  tell(t, "store", red_only);
  tell(t, "drop", is_red);
  tell(t, "erase", is_blue);
  return st;
}

/* ---- lines ---- */

static void tell_refusal(const table *t)
{
  const pebble_verdict *v = pebble_verdict_of(t->game);
  SCOPED_TEXT s = { 0 };
  text_printf(&s, "refused: rule '%s' broken at ", pebble_rule_name(v->rule));
  cdag_element_print(&s, t->g, &v->element);
  if (v->has_missing) {
    text_add(&s, "; not red: ");
    cdag_element_print(&s, t->g, &v->missing);
  }
  if (v->rule == PEBBLE_MEMORY)
    text_printf(&s, "; %" PRIu64 " pebbles needed, M = %" PRIu64, v->needed, t->rules.m);
  if (!t->quiet)
    puts(text_str(&s));
}

/* The line stands; what was taken back before it is gone. */
static void keep_line(table *t, const char *line)
{
  while (t->all > t->lines)
    mem_free(t->line[--t->all]);
  t->line = mem_room(t->line, t->lines, &t->room, sizeof *t->line);
  t->line[t->lines++] = mem_text(line);
  t->all = t->lines;
}

/* The game after a line: it stands, or everything is as before it. */
static status take_line(table *t, const char *line, diag *d)
{
  diag why = { 0 };
  num_count before = moves_of(t);
  status st = play_line(t, line, &why);
  bool legal = pebble_verdict_of(t->game)->legal;
  if (st == OK && legal && moves_of(t) > before) {
    keep_line(t, line);
    t->unsaved = true;
    if (t->asks)
      draw_board(t);
    tell_counters(t);
    return OK;
  }
  t->refused++;
  if (st == OK && !legal)
    tell_refusal(t);
  else if (!t->quiet)
    printf("refused: %s\n", st == OK ? "the box is empty: nothing moves" : why.message);
  return play_again(t, d);
}

/* So many lines stand now. */
static status go_to(table *t, size_t lines, diag *d)
{
  t->lines = lines;
  status st = play_again(t, d);
  if (t->asks)
    draw_board(t);
  tell_counters(t);
  return st;
}

static status undo(table *t, diag *d)
{
  if (t->lines > 0)
    return go_to(t, t->lines - 1, d);
  if (!t->quiet)
    puts("nothing to undo");
  return OK;
}

static status redo(table *t, diag *d)
{
  if (t->lines < t->all)
    return go_to(t, t->lines + 1, d);
  if (!t->quiet)
    puts("nothing to do again");
  return OK;
}

static status hint(table *t, diag *d)
{
  SCOPED_TEXT line = { 0 };
  bool legal = true;
  status st = OK;
  if (t->rules.variant == PEBBLE_PARTIAL)
    puts("there are no hints for the partial game");
  else if (!cli_play_hint(t->g, t->game, &t->rules, &line))
    puts("no hint: every output is blue, or M is too small for any vertex");
  else {
    st = try_line(t, text_str(&line), &legal, d);
    if (legal)
      printf("try: %s\n", text_str(&line));
    else
      puts("no hint: a value that is needed was lost, and nothing is computed twice; undo");
  }
  return st;
}

static status help(void)
{
  puts("load X[..], store X[..], compute X[..] [dropping Y[..]], drop X[..], erase X[..]; undo, redo, show, moves, "
       "hint, save FILE, quit");
  return OK;
}

static status write_moves(const table *t, const char *path, diag *d);

/* A file that cannot be written ends no game. */
static status save(table *t, const char *path)
{
  diag d = { 0 };
  status st = write_moves(t, path, &d);
  t->unsaved = t->unsaved && st != OK;
  if (!t->quiet)
    puts(st == OK ? "saved" : d.message);
  return OK;
}

static status obey(table *t, const char *line, bool *quit, diag *d)
{
  if (strcmp(line, "quit") == 0)
    *quit = true;
  else if (strcmp(line, "undo") == 0)
    return undo(t, d);
  else if (strcmp(line, "redo") == 0)
    return redo(t, d);
  else if (strcmp(line, "show") == 0)
    return t->quiet ? OK : show(t);
  else if (strcmp(line, "moves") == 0)
    return t->quiet ? OK : list_moves(t, d);
  else if (strcmp(line, "hint") == 0)
    return t->quiet ? OK : hint(t, d);
  else if (strncmp(line, "save ", 5) == 0)
    return save(t, line + 5 + strspn(line + 5, " \t"));
  else if (strcmp(line, "help") == 0)
    return t->quiet ? OK : help();
  else if (line[0] && line[0] != '#')
    return take_line(t, line, d);
  return OK;
}

/* One line without the blanks around it; false at the end of the input.  What is too long, or holds a zero byte, is
 * refused. */
static bool read_line(char *buffer, char **line, bool *whole)
{
  size_t n = 0;
  int c = getchar();
  if (c == EOF)
    return false;
  for (*whole = true; c != EOF && c != '\n'; c = getchar())
    if (c && n + 2 < LINE)
      buffer[n++] = (char)c;
    else
      *whole = false;
  buffer[n] = '\0';
  while (n > 0 && strchr(" \t\r\n", buffer[n - 1]))
    buffer[--n] = '\0';
  *line = buffer + strspn(buffer, " \t");
  return true;
}

/* ---- a reader at a terminal ---- */

static const char *const words[] = { "load", "store", "compute", "drop",  "erase", "dropping", "undo",
                                     "redo", "show",  "moves",   "hint",  "save",  "help",     "quit" };
enum { WORDS = sizeof words / sizeof *words };

/* The words and the names of the arrays, for Tab; ended by NULL. */
static const char **words_of(const table *t)
{
  const char **list = MEM_NEW(const char *, WORDS + (size_t)t->g->arrays + 1);
  memcpy(list, words, sizeof words);
  for (int a = 0; a < t->g->arrays; a++)
    list[WORDS + (size_t)a] = t->g->array[a].name;
  return list;
}

/* Ctrl-C twice ends the game; what no file has is shown, so that nothing is lost. */
static void give_moves(const table *t)
{
  if (!t->unsaved)
    return;
  puts("your moves, in no file yet:");
  for (size_t i = 0; i < t->lines; i++)
    puts(t->line[i]);
}

static status play_at_terminal(table *t, diag *d)
{
  char buffer[LINE];
  bool quit = false, warned = false;
  status st = OK;
  const char **list = words_of(t);
  t->editor.prompt = "> ";
  t->editor.word = list;
  open_board(t);
  while (st == OK && !quit) {
    line_end end = line_editor_read(&t->editor, buffer, sizeof buffer);
    if (end == LINE_END || (end == LINE_INTERRUPTED && warned))
      break;
    warned = end == LINE_INTERRUPTED;
    if (warned)
      puts("nothing is lost: `save FILE` keeps the game, `quit` ends it, and so does another Ctrl-C");
    else
      st = obey(t, text_trim(buffer), &quit, d);
  }
  if (warned)
    give_moves(t);
  mem_free(list);
  return st;
}

static status play_lines(table *t, diag *d)
{
  char buffer[LINE], *line;
  bool quit = false, whole;
  status st = OK;
  while (st == OK && !quit && read_line(buffer, &line, &whole)) {
    if (whole)
      st = obey(t, line, &quit, d);
    else {
      t->refused++;
      fprintf(stderr, "redblue: a line is at most %d characters, none of them a zero byte\n", LINE - 2);
    }
    fflush(stdout);
  }
  return st;
}

static status play(table *t, diag *d)
{
  t->asks = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !t->quiet;
  return t->asks ? play_at_terminal(t, d) : play_lines(t, d);
}

/* ---- the verb ---- */

static status write_moves(const table *t, const char *path, diag *d)
{
  output o;
  status st = output_open(&o, path, d);
  if (st != OK)
    return st;
  fprintf(o.to, "# played by hand, M = %" PRIu64 ", %s%s\n", t->rules.m, cli_variant_name(t->rules.variant),
          t->rules.one_shot ? ", one-shot" : "");
  for (size_t i = 0; i < t->lines; i++)
    fprintf(o.to, "%s\n", t->line[i]);
  return output_close(&o, d);
}

static void print_json(const cli_args *a, const table *t, bool done)
{
  const pebble_verdict *v = pebble_verdict_of(t->game);
  json j = { 0 };
  json_open(&j, '{');
  json_put_bool(&j, "done", done);
  json_put_uint(&j, "loads", v->loads);
  json_put_uint(&j, "stores", v->stores);
  json_put_uint(&j, "io", pebble_io(v));
  json_put_uint(&j, "peak", v->peak);
  json_put_uint(&j, "computes", v->computes);
  json_put_uint(&j, "refused", t->refused);
  json_put_uint(&j, "memory", t->rules.m);
  cli_json_asked(&j, a, &t->rules.m);
  cli_json_end(&j, "played");
}

static void compare(table *t)
{
  diag d = { 0 };
  const cli_bound *b = find_known(t);
  if (t->has_optimum)
    printf("the optimum is %" PRIu64 "\n", t->optimum);
  else if (b && report_not_below("this play", pebble_io(pebble_verdict_of(t->game)), b->value, b->name, &d) != OK)
    cli_say(&d);
  else if (b)
    gmp_printf("no pebbling costs less than %Zd (%s)\n", b->value, b->name);
}

/* Did the game end well?  The referee says it. */
static bool finish(const cli_args *a, table *t)
{
  bool done = pebble_end(t->game);
  const pebble_verdict *v = pebble_verdict_of(t->game);
  if (t->quiet) {
    print_json(a, t, done);
    return done;
  }
  if (done) {
    printf("done: every output is blue, I/O %s, peak %" PRIu64 "\n",
           cli_traffic(false, pebble_io(v), v->loads, v->stores).s, v->peak);
    compare(t);
  } else {
    SCOPED_TEXT name = { 0 };
    cdag_element_print(&name, t->g, &v->element);
    printf("not done: %s is an output and not blue\n", text_str(&name));
  }
  return done;
}

static status begin(const cli_args *a, table *t, diag *d)
{
  t->quiet = a->json;
  if (strcmp(a->argument[0], "-") == 0)
    return diag_set(d, BAD_USAGE, "usage", "standard input brings the moves: the computation comes from a file");
  status st = cli_rules(a, &t->rules, d);
  if (st == OK)
    st = cdag_open(&t->g, a->argument[0], d);
  if (st == OK && t->g->vertices > PLAY_VERTICES)
    st = diag_set(d, GAVE_UP, "limit", "%" PRIu64 " vertices are too many to play by hand (at most %d)", t->g->vertices,
                  PLAY_VERTICES);
  return st == OK ? play_again(t, d) : st;
}

static cli_exit run(const cli_args *a)
{
  table t = { 0 };
  diag d = { 0 };
  bool done = false;
  status st = begin(a, &t, &d);
  if (st == OK)
    st = play(&t, &d);
  if (st == OK && a->value[CLI_MOVES])
    st = write_moves(&t, a->value[CLI_MOVES], &d);
  if (st == OK)
    done = finish(a, &t);
  table_clear(&t);
  return st != OK ? cli_fail(a, st, &d) : done ? EXIT_YES : EXIT_NO;
}

static const cli_option_id options[] = { CLI_M, CLI_MEMORY, CLI_WORD, CLI_RULES, CLI_ONE_SHOT, CLI_MOVES, CLI_OPTIONS };

const cli_verb cli_verb_play = {
  .name = "play",
  .arguments = "SPEC",
  .least = 1,
  .most = 1,
  .summary = "play the game by hand, in a terminal or through a pipe",
  .description = "Reads moves from standard input, one a line, as in the schedule language: load Q[0,1], compute v[5] "
                 "dropping v[3], store, drop,\n"
                 "erase; boxes and loops too. Each is answered with the counters, or refused with the rule it breaks; "
                 "a refused line changes\n"
                 "nothing.\n\n"
                 "In a terminal lines are edited with arrows, history and Tab, the board is drawn after each move,\n"
                 "and Ctrl-C loses nothing. undo takes back the last line, redo plays it again, show prints the\n"
                 "pebbles (owed: outputs that are not blue yet), moves what is legal now, hint a move towards the end\n"
                 "(a legal one, not the cheapest), save FILE writes the lines that stand as a schedule for verify,\n"
                 "help the words, quit ends. At the end it says whether every output is blue: exit code 0 if so, 1 if\n"
                 "not; then it prints the optimal cost, or the best bound if the optimum is unknown. --moves saves\n"
                 "the lines at the end.",
  .examples = "$ redblue play grid:r=3,c=3 -M 3\n$ redblue play matmul:m=1,n=1,k=2 -M 4 --moves mine.sched < moves.txt",
  .options = options,
  .run = run,
};
