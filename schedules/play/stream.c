/* stream.c -- lists of moves, played as they are read: any length, nothing held.

   A line that moves one element is read at once (play_plain_lines): nearly all lines of long lists are such.
   Another move whose indices are plain integers is taken by the quick scanner below.  Anything else is handed, one
   statement at a time, to the parser of the language: so a list may hold loops too, whose iterations are inferred as
   those of a program are. The window on the text always ends with a whole line (or the whole text), so no word is cut
   in two; a statement that reaches its end makes the window grow.  A list in the compact form is played as the lines it
   stands for. */
#include "schedules/play/stream.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/extrapolate/forward.h"
#include "schedules/language/parse.h"
#include "schedules/play/compact.h"
#include "schedules/play/reader.h"
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { BOXES = 32, STEPS = 1024, LETTERS = 256 };

/* ---- blanks and words ---- */

/* Over blanks, line ends and comments.  False: the window ends first and there may be more. */
static bool skip_blanks(schedule_reader *r)
{
  for (;;) {
    char c = *r->at;
    if (c == ' ' || c == '\t' || c == '\r')
      r->at++, r->column++;
    else if (c == '\n')
      r->at++, r->line++, r->column = 1;
    else if (c == '#') {
      const char *end = strchr(r->at, '\n');
      end = end ? end : r->at + strlen(r->at);
      r->column += (int)(end - r->at);
      r->at = end;
    } else if (c == '\0' && !schedule_reader_all(r))
      schedule_reader_more(r);
    else
      return c != '\0';
  }
}

static inline bool at_word(const char *at, const char *word)
{
  for (; *word; at++, word++)
    if (*at != *word)
      return false;
  return !isalnum((unsigned char)*at) && *at != '_';
}

/* The kind of move whose word stands here, or -1: the words begin with five different letters. */
static int move_at(const char *at)
{
  switch (*at) {
  case 'l': return at_word(at, "load") ? PEBBLE_LOAD : -1;
  case 's': return at_word(at, "store") ? PEBBLE_STORE : -1;
  case 'c': return at_word(at, "compute") ? PEBBLE_COMPUTE : -1;
  case 'd': return at_word(at, "drop") ? PEBBLE_DROP : -1;
  case 'e': return at_word(at, "erase") ? PEBBLE_ERASE : -1;
  default: return -1;
  }
}

/* ---- the quick scanner: moves with plain integers ---- */

typedef struct {
  const cdag *g;
  const char *at;
  int line, column;            /* of the statement, which stands on one line */
  const char *start;
  pebble_move move;
  struct { int array; cdag_box box; int column; } box[BOXES];
  int boxes;
  pebble_drop drop[BOXES];
} scanner;

static void blanks(scanner *s)
{
  while (*s->at == ' ' || *s->at == '\t')
    s->at++;
}

static bool sign(scanner *s, char c)
{
  blanks(s);
  if (*s->at != c)
    return false;
  s->at++;
  return true;
}

static bool number(scanner *s, int64_t *value)
{
  blanks(s);
  const char *from = s->at;
  int64_t v = 0;
  for (; *s->at >= '0' && *s->at <= '9' && s->at - from < 18; s->at++)
    v = v * 10 + (*s->at - '0');
  *value = v;
  return s->at > from && !isalnum((unsigned char)*s->at) && *s->at != '_';
}

static int array_here(scanner *s)
{
  blanks(s);
  const char *end = s->at;
  while (isalnum((unsigned char)*end) || *end == '_')
    end++;
  size_t n = (size_t)(end - s->at);
  for (int a = 0; a < s->g->arrays; a++)
    if (strncmp(s->g->array[a].name, s->at, n) == 0 && s->g->array[a].name[n] == '\0') {
      s->at = end;
      return a;
    }
  return -1;
}

static bool indices(scanner *s, int array, cdag_box *box)
{
  int rank = s->g->array[array].rank;
  for (int r = 0; r < rank; r++) {
    if (!sign(s, r ? ',' : '[') || !number(s, &box->lo[r]))
      return false;
    box->hi[r] = box->lo[r] + 1;
    if (*s->at == '.' && (s->at[1] != '.' || (s->at += 2, !number(s, &box->hi[r]))))
      return false;
  }
  return rank > 0 && sign(s, ']');
}

static bool scan_box(scanner *s, int *array, cdag_box *box)
{
  *array = array_here(s);
  return *array >= 0 && indices(s, *array, box);
}

static bool scan_boxes(scanner *s)
{
  do {
    if (s->boxes == BOXES)
      return false;
    blanks(s);
    s->box[s->boxes].column = s->column + (int)(s->at - s->start);
    if (!scan_box(s, &s->box[s->boxes].array, &s->box[s->boxes].box))
      return false;
    s->boxes++;
  } while (sign(s, ','));
  return true;
}

static bool may_drop(const scanner *s, int array)
{
  for (int i = 0; i < s->boxes; i++)
    if (schedule_may_drop(s->g, s->box[i].array, array))
      return true;
  return false;
}

static bool scan_drops(scanner *s)
{
  blanks(s);
  if (!at_word(s->at, "dropping"))
    return true;
  if (s->move.kind != PEBBLE_COMPUTE)
    return false;
  s->at += strlen("dropping");
  do {
    pebble_drop *d = &s->drop[s->move.drops];
    if (s->move.drops == BOXES || !scan_box(s, &d->array, &d->box) || !may_drop(s, d->array))
      return false; /* the parser says why */
    d->whole = false;
    s->move.drops++;
  } while (sign(s, ','));
  return true;
}

/* The statement at r->at, whose word is kind, if it is plain: in *s, with r behind it.  Otherwise r stays. */
static bool scan(schedule_reader *r, const cdag *g, pebble_kind kind, scanner *s)
{
  s->g = g;
  s->start = s->at = r->at;
  s->line = r->line;
  s->column = r->column;
  s->boxes = 0;
  s->move = (pebble_move){ .kind = kind, .drop = s->drop };
  s->at += strlen(pebble_kind_name(kind));
  if (!scan_boxes(s) || !scan_drops(s))
    return false;
  blanks(s);
  if (*s->at == '\r')
    s->at++;
  if (*s->at != '\n' || s->at[1] == '\0') /* the statement may go on in what is not yet read */
    return false;
  const char *next = s->at + 1;
  next += strspn(next, " \t\r\n");
  if (*next == ',' || *next == '#' || *next == '\0' || at_word(next, "dropping"))
    return false;
  r->column += (int)(s->at - r->at);
  r->at = s->at;
  return true;
}

/* ---- playing ---- */

typedef struct {
  schedule_reader *r;
  const cdag *g;
  const schedule_play_options *o;
  schedule_verdict *v;
  pebble_game *game;
  bool playing;                /* false after an illegal move: the rest is only read */
  bool counting;               /* the counter's game: nothing is judged */
  schedule_visit_move tell;    /* NULL: moves are played; else there is no game, they are told */
  void *context;
  bool failed;                 /* v holds the verdict; playing on may only find smallest_memory */
  schedule_forward *forward;   /* of the statement now played, or NULL: every iteration is */
  int line, column;            /* of the box now played */
  pebble_step *step;           /* explicit graphs: moves read and not yet played */
  struct { int line, column; } *place;
  size_t steps;
  struct spelling *spelling;   /* by array */
  int first[LETTERS];          /* the first array whose name begins so, or -1 */
  int64_t margin;              /* bytes: nothing that is compared is longer */
} streaming;

static void place(streaming *p)
{
  p->v->line = p->line;
  p->v->column = p->column;
}

/* Before the verdict is read. */
static void end_forward(streaming *p)
{
  if (p->forward)
    p->v->inferred = num_plus(p->v->inferred, schedule_forward_finish(p->forward));
  schedule_forward_free(p->forward);
  p->forward = NULL;
}

/* The move just played broke a rule.  By memory: go on with the limit lifted, to learn how much would do. */
static bool broke(streaming *p, const pebble_move *move)
{
  bool able = false;
  p->playing = false;
  if (p->failed)
    return false;
  p->failed = true;
  end_forward(p);
  schedule_verdict_fill(p->v, p->game);
  place(p);
  if (p->v->verdict.rule == PEBBLE_MEMORY && p->o->want_smallest)
    p->playing = pebble_resume(p->game, move, &able);
  return p->playing;
}

static bool play_one(streaming *p, const pebble_move *move)
{
  if (p->tell)
    return p->playing = p->tell(p->context, move, p->line);
  return pebble_play(p->game, move) || broke(p, move);
}

/* ---- explicit graphs: moves are gathered and played together ---- */

static void play_step_as_box(streaming *p, const pebble_step *s)
{
  pebble_drop drop = { .box = { .lo = { s->slide }, .hi = { (int64_t)s->slide + 1 } } };
  pebble_move move = { .kind = s->kind, .box = { .lo = { s->vertex }, .hi = { (int64_t)s->vertex + 1 } },
                       .drops = s->slide != PEBBLE_NO_SLIDE, .drop = &drop };
  broke(p, &move);
}

static void play_steps(streaming *p)
{
  size_t i = 0, n = p->steps;
  p->steps = 0;
  while (p->playing && i < n) {
    i += pebble_play_steps(p->game, p->step + i, n - i);
    if (i == n)
      return;
    p->line = p->place[i].line;
    p->column = p->place[i].column;
    play_step_as_box(p, &p->step[i++]);
  }
}

/* A move of single vertices with at most one dropped: onto the heap of steps. */
static bool take_steps(streaming *p, const scanner *s)
{
  uint32_t slide = PEBBLE_NO_SLIDE;
  int64_t n = p->g->graph ? p->g->graph->n : 0;
  if (!p->step || s->move.drops > 1)
    return false;
  for (int i = 0; i < s->boxes; i++)
    if (s->box[i].box.hi[0] - s->box[i].box.lo[0] != 1)
      return false;
  if (s->move.drops == 1) {
    if (s->drop[0].box.hi[0] - s->drop[0].box.lo[0] != 1)
      return false;
    if (s->drop[0].box.lo[0] < n)
      slide = (uint32_t)s->drop[0].box.lo[0];
  }
  for (int i = 0; i < s->boxes; i++) {
    if (s->box[i].box.lo[0] >= n) /* outside: no move */
      continue;
    p->place[p->steps].line = s->line;
    p->place[p->steps].column = s->box[i].column;
    p->step[p->steps++] = (pebble_step){ s->move.kind, (uint32_t)s->box[i].box.lo[0], slide };
    if (p->steps == STEPS)
      play_steps(p);
  }
  return true;
}

static void play_scanned(streaming *p, scanner *s)
{
  if (!p->playing || take_steps(p, s))
    return;
  play_steps(p);
  p->line = s->line;
  for (int i = 0; i < s->boxes && p->playing; i++) {
    s->move.array = s->box[i].array;
    s->move.box = s->box[i].box;
    p->column = s->box[i].column;
    play_one(p, &s->move);
  }
}

/* ---- lines that move one element ---- */

/* An array's name, and the next array whose name has the same first letter, or -1. */
typedef struct spelling {
  const char *name;
  size_t length;
  int rank, next;
} spelling;

static void spell(streaming *p)
{
  p->spelling = mem_new((size_t)p->g->arrays, sizeof *p->spelling);
  for (int c = 0; c < LETTERS; c++)
    p->first[c] = -1;
  p->margin = 32;
  for (int i = 0; i < p->g->arrays; i++) {
    const cdag_array *a = &p->g->array[i];
    int *first = &p->first[(unsigned char)a->name[0]];
    p->spelling[i] = (spelling){ a->name, strlen(a->name), a->rank, *first };
    *first = i;
    p->margin = num_max(p->margin, 32 + (int64_t)strlen(a->name));
  }
}

static inline bool named(const spelling *s, const char *at)
{
  size_t n = 1;
  while (n < s->length && at[n] == s->name[n])
    n++;
  return n == s->length && at[n] == '[';
}

/* Behind the number at `at`; NULL when there is none of at most 18 digits. */
static inline const char *plain_number(const char *at, int64_t *value)
{
  const char *from = at;
  int64_t v = 0;
  for (; (unsigned char)(*at - '0') < 10 && at - from < 18; at++)
    v = v * 10 + (*at - '0');
  *value = v;
  return at > from ? at : NULL;
}

/* Behind the element at `at`, written without blanks; NULL when something else stands there. */
static inline const char *plain_element(const streaming *p, const char *at, int *array, cdag_box *box)
{
  int a = p->first[(unsigned char)*at];
  while (a >= 0 && !named(&p->spelling[a], at))
    a = p->spelling[a].next;
  if (a < 0)
    return NULL;
  *array = a;
  at += p->spelling[a].length;
  for (int r = 0; r < p->spelling[a].rank; r++) {
    if (*at != (r ? ',' : '['))
      return NULL;
    at = plain_number(at + 1, &box->lo[r]);
    if (!at)
      return NULL;
    box->hi[r] = box->lo[r] + 1;
  }
  return *at == ']' ? at + 1 : NULL;
}

/* The kind of move whose word stands here with one blank behind it, or -1. */
static inline int plain_word(const char *at)
{
  switch (*at) {
  case 'l': return memcmp(at, "load ", 5) == 0 ? PEBBLE_LOAD : -1;
  case 's': return memcmp(at, "store ", 6) == 0 ? PEBBLE_STORE : -1;
  case 'c': return memcmp(at, "compute ", 8) == 0 ? PEBBLE_COMPUTE : -1;
  case 'd': return memcmp(at, "drop ", 5) == 0 ? PEBBLE_DROP : -1;
  case 'e': return memcmp(at, "erase ", 6) == 0 ? PEBBLE_ERASE : -1;
  default: return -1;
  }
}

/* Does what begins a line here surely not belong to the statement before it? */
static inline bool begins_statement(const char *at)
{
  return *at >= 'a' && *at <= 'z' && memcmp(at, "dropping", 8) != 0;
}

/* An explicit graph: onto the heap of steps. */
static void add_step(streaming *p, const pebble_move *move)
{
  uint64_t n = p->g->graph->n, v = (uint64_t)move->box.lo[0];
  if (v >= n)
    return;
  p->place[p->steps].line = p->line;
  p->place[p->steps].column = p->column;
  bool slides = move->drops && (uint64_t)move->drop->box.lo[0] < n;
  p->step[p->steps++] =
      (pebble_step){ move->kind, (uint32_t)v, slides ? (uint32_t)move->drop->box.lo[0] : PEBBLE_NO_SLIDE };
  if (p->steps == STEPS)
    play_steps(p);
}

/* The lines from r->at on that say KIND ELEMENT, or compute ELEMENT dropping ELEMENT, and surely end there, as the next
   line begins another move.  What else there is, and the end of the window, is left. */
static void play_plain_lines(streaming *p)
{
  static const int word[] = { sizeof "load", sizeof "store", sizeof "compute", sizeof "drop", sizeof "erase" };
  schedule_reader *r = p->r;
  const char *end = r->window + r->size;
  pebble_drop drop = { 0 };
  pebble_move move = { .drop = &drop };
  while (p->playing && r->column == 1 && end - r->at > p->margin) {
    int kind = plain_word(r->at);
    if (kind < 0)
      return;
    const char *at = plain_element(p, r->at + word[kind], &move.array, &move.box);
    move.kind = (pebble_kind)kind;
    move.drops = at && kind == PEBBLE_COMPUTE && end - at > p->margin && memcmp(at, " dropping ", 10) == 0;
    if (move.drops)
      at = plain_element(p, at + 10, &drop.array, &drop.box);
    if (!at || *at != '\n' || end - at < 16 || !begins_statement(at + 1))
      return;
    if (move.drops && !schedule_may_drop(p->g, move.array, drop.array)) /* the parser says why */
      return;
    p->line = r->line++;
    p->column = word[kind] + 1;
    r->at = at + 1;
    if (p->step)
      add_step(p, &move);
    else
      play_one(p, &move);
  }
}

/* ---- statements the scanner leaves to the parser ---- */

typedef struct { streaming *p; schedule_run *run; } statement;

static bool play_parsed(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  statement *s = context;
  bool before = s->p->failed;
  (void)slot;
  s->p->line = at->box[box].line;
  s->p->column = at->box[box].column;
  bool on = play_one(s->p, move);
  if (s->p->failed && !before)
    schedule_run_loops(s->run, &s->p->v->loops);
  return on;
}

static void no_value(streaming *p, const schedule_run *run)
{
  p->playing = false;
  if (p->failed)
    return;
  p->failed = true;
  end_forward(p);
  if (p->game)
    schedule_verdict_fill(p->v, p->game);
  schedule_verdict_value(p->v, run);
  schedule_run_loops(run, &p->v->loops);
}

static uint64_t skip_iterations(void *context, schedule_run *run)
{
  streaming *p = ((statement *)context)->p;
  return p->forward ? schedule_forward_iteration(p->forward, run) : 0;
}

static status play_tree(streaming *p, const schedule *s, diag *d)
{
  schedule_run run;
  statement here = { p, &run };
  play_steps(p);
  if (!p->playing)
    return OK;
  schedule_run_init(&run, s, play_parsed, &here);
  run.skip = skip_iterations;
  if (s->loops && p->o->fast_forward && p->o->engine == PEBBLE_BY_TILE && !p->failed)
    p->forward = schedule_forward_new(s, p->game);
  schedule_flow flow = schedule_run_node(&run, s->body);
  if (flow == SCHEDULE_BAD)
    no_value(p, &run);
  status st = schedule_run_ends(&run, flow, d);
  end_forward(p);
  schedule_run_clear(&run);
  return st;
}

/* One statement, or the title when it comes first; *again: the window was too short, and has grown. */
static status parse_here(streaming *p, bool title, bool *again, diag *d)
{
  schedule_reader *r = p->r;
  schedule_parser q;
  size_t room = 0;
  *again = false;
  schedule_parser_init(&q, p->g, p->o->rules.m, r->name, "", d);
  q.in.at = q.in.text = r->at;
  q.in.line = r->line;
  q.in.column = r->column;
  lex_next(&q.in);
  status st = title ? schedule_parse_head(&q) : schedule_parse_statement(&q, q.s->body, &room);
  if (q.in.now.kind == LEX_END && !schedule_reader_all(r))
    *again = schedule_reader_more(r);
  else if (st == OK) {
    r->at = q.in.now.start;
    r->line = q.in.now.line;
    r->column = q.in.now.column;
    st = play_tree(p, q.s, d);
  }
  schedule_free(q.s);
  return *again ? OK : st;
}

static status parse_whole(streaming *p, bool title, diag *d)
{
  bool again = true;
  status st = OK;
  while (st == OK && again)
    st = parse_here(p, title, &again, d);
  return st;
}

/* ---- the list ---- */

static status next_statement(streaming *p, diag *d)
{
  scanner s;
  int kind = move_at(p->r->at);
  if (kind >= 0 && scan(p->r, p->g, (pebble_kind)kind, &s)) {
    play_scanned(p, &s);
    return OK;
  }
  return parse_whole(p, false, d);
}

static void finish(streaming *p)
{
  if (p->playing && !p->counting)
    pebble_end(p->game);
  bool legal = p->playing && pebble_verdict_of(p->game)->legal;
  if (p->failed) {
    p->v->has_smallest = legal;
    p->v->smallest_memory = legal ? pebble_verdict_of(p->game)->peak : 0;
  } else
    schedule_verdict_fill(p->v, p->game);
}

/* In the compact form: the lines it stands for. */
static status play_compact(streaming *p, diag *d)
{
  compact_reader c;
  const compact_kind *k;
  bool more = true;
  status st = OK;
  compact_reader_init(&c, p->r, p->g);
  while (st == OK && (st = compact_block(&c, &more, d)) == OK && more)
    while ((k = compact_next(&c, &st, d))) {
      if (!p->playing)
        continue;
      p->line = (int)num_min((int64_t)c.moves, INT_MAX);
      p->column = k->column;
      if (p->step)
        add_step(p, &k->move);
      else
        play_one(p, &k->move);
    }
  play_steps(p);
  compact_reader_clear(&c);
  return st;
}

static status play_list(streaming *p, diag *d)
{
  schedule_reader *r = p->r;
  if (r->at == r->window && r->size == 0)
    schedule_reader_more(r);
  if (schedule_is_compact(r->window))
    return play_compact(p, d);
  if (strncmp(r->at, "\xef\xbb\xbf", 3) == 0)
    r->at += 3;
  status st = skip_blanks(r) && at_word(r->at, "schedule") ? parse_whole(p, true, d) : OK;
  while (st == OK && skip_blanks(r)) {
    play_plain_lines(p);
    st = next_statement(p, d);
  }
  play_steps(p);
  if (st == OK)
    st = schedule_reader_failed(r, d);
  return st;
}

status schedule_stream(schedule_reader *r, const cdag *g, const schedule_play_options *o, pebble_game *game,
                       bool counting, schedule_verdict *v, diag *d)
{
  streaming p = { .r = r, .g = g, .o = o, .v = v, .game = game, .playing = true, .counting = counting };
  schedule_verdict_init(v, g);
  if (pebble_takes_steps(game)) {
    p.step = MEM_NEW(pebble_step, STEPS);
    p.place = mem_new(STEPS, sizeof *p.place);
  }
  spell(&p);
  status st = play_list(&p, d);
  if (st == OK) {
    finish(&p);
    st = schedule_counts_known(pebble_io(&v->verdict), v->verdict.computes, d);
  }
  mem_free(p.step);
  mem_free(p.place);
  mem_free(p.spelling);
  return st;
}

status schedule_tell_list(schedule_reader *r, const cdag *g, uint64_t m, schedule_visit_move visit, void *context,
                          diag *d)
{
  schedule_verdict v;
  schedule_play_options o = { .rules.m = m, .engine = PEBBLE_BY_ELEMENT };
  streaming p = { .r = r, .g = g, .o = &o, .v = &v, .tell = visit, .context = context, .playing = true };
  schedule_verdict_init(&v, g);
  spell(&p);
  status st = play_list(&p, d);
  if (st == OK && p.failed)
    st = diag_at(d, BAD_INPUT, "value", r->name, v.line, v.column, "%s", v.why);
  mem_free(p.spelling);
  schedule_verdict_clear(&v);
  return st;
}

status schedule_play_list(schedule_reader *r, const cdag *g, const schedule_play_options *o, schedule_verdict *v,
                          diag *d)
{
  pebble_game *game = NULL;
  *v = (schedule_verdict){ 0 };
  status st = pebble_new(&game, g, o->engine, &o->rules, d);
  if (st == OK)
    st = schedule_stream(r, g, o, game, false, v, d);
  pebble_free(game);
  return st;
}

status schedule_play_stream(FILE *in, const char *name, const cdag *g, const schedule_play_options *o,
                            schedule_verdict *v, diag *d)
{
  schedule_reader *r = schedule_reader_of(in, name);
  status st = schedule_play_list(r, g, o, v, d);
  schedule_reader_free(r);
  return st;
}

/* ---- list or program ---- */

static const char *over_blanks(const char *at)
{
  for (;;) {
    at += strspn(at, " \t\r\n");
    if (*at != '#')
      return at;
    at += strcspn(at, "\n");
  }
}

/* The first word behind the title line, if there is one. */
static const char *first_statement(const char *at)
{
  if (strncmp(at, "\xef\xbb\xbf", 3) == 0)
    at += 3;
  at = over_blanks(at);
  return at_word(at, "schedule") ? over_blanks(at + strcspn(at, "\n#")) : at;
}

bool schedule_reader_is_list(schedule_reader *r)
{
  if (r->size == 0)
    schedule_reader_more(r);
  if (schedule_is_compact(r->window))
    return true;
  while (!*first_statement(r->window) && schedule_reader_more(r))
    ;
  return move_at(first_statement(r->window)) >= 0;
}

status schedule_reader_text(schedule_reader *r, text *out, diag *d)
{
  while (schedule_reader_more(r))
    ;
  status st = schedule_reader_failed(r, d);
  if (st == OK && !r->ended)
    st = diag_at(d, GAVE_UP, "limit", r->name, 0, 0, "the text is longer than a gigabyte and is no list of moves");
  if (st == OK)
    text_add_n(out, r->window, r->size);
  return st;
}
