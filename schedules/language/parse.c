/* parse.c -- the .sched language read into a tree (docs/schedule-language.md).

   program   = [ "schedule" NAME [ "for" FAMILY ] ] { "param" PARAM { [","] PARAM } } { statement }
   PARAM     = name [ "=" ( expr | "auto" ) ]
   statement = for | if | move
   for       = "for" name "in" RANGE [ "by" expr ] { "reversed" | "snake" } "{" { statement } "}"
   RANGE     = expr | expr ".." expr | range variable
   if        = "if" expr "{" ... "}" { "else" "if" expr "{" ... "}" } [ "else" "{" ... "}" ]
   move      = ( "load" | "store" | "compute" | "drop" | "erase" ) BOX { "," BOX } [ "dropping" DROP { "," DROP } ]
   BOX       = array "[" INDEX { "," INDEX } "]"      DROP = array | BOX
   INDEX     = "*" | range variable | expr | expr ".." expr

   A word is resolved where it stands, so that an error can point at it. */
#include "schedules/language/parse.h"
#include "base/mem.h"
#include "base/num.h"
#include <stdio.h>
#include <string.h>

static const char *const keywords[] = { "schedule", "for",      "param", "in",   "by",    "reversed",
                                        "snake",    "if",       "else",  "load", "store", "compute",
                                        "drop",     "dropping", "erase", "auto", "M" };
enum { KEYWORDS = sizeof keywords / sizeof *keywords };

static bool is_keyword(const char *word)
{
  for (int i = 0; i < KEYWORDS; i++)
    if (strcmp(word, keywords[i]) == 0)
      return true;
  return false;
}

static void clear_index(schedule_index *x)
{
  expr_free(x->lo);
  expr_free(x->hi);
}

/* ---- what names mean ---- */

static int find_param(const schedule *s, const char *name)
{
  for (int i = 0; i < s->params; i++)
    if (strcmp(s->param[i].name, name) == 0)
      return i;
  return -1;
}

static int find_table(void *context, const char *name)
{
  const cdag *g = ((schedule_parser *)context)->s->g;
  for (int i = 0; i < g->tables; i++)
    if (strcmp(g->table[i].name, name) == 0 && !g->table[i].unstored)
      return i;
  return -1;
}

static const expr_table *table_at(void *context, int index)
{
  return &((schedule_parser *)context)->s->g->table[index];
}

/* The loop of this name now open, or -1. */
static int find_loop(const schedule_parser *p, const char *name)
{
  for (int i = p->opens; i-- > 0;)
    if (strcmp(p->s->loop[p->open[i]].name, name) == 0)
      return p->open[i];
  return -1;
}

static expr *complain(schedule_parser *p, const lex_token *at, const char *format, const char *name)
{
  char message[256];
  snprintf(message, sizeof message, format, name, name, name, name);
  diag_at(p->d, BAD_INPUT, "name", p->in.file, at->line, at->column, "%s", message);
  return NULL;
}

static expr *unknown_name(schedule_parser *p, const char *name, const lex_token *at)
{
  const schedule *s = p->s;
  int room = s->g->params + s->params + p->opens + 1, n = 0;
  const char **names = MEM_NEW(const char *, (size_t)room);
  for (int i = 0; i < s->g->params; i++)
    names[n++] = s->g->param[i].name;
  for (int i = 0; i < s->params; i++)
    names[n++] = s->param[i].name;
  for (int i = 0; i < p->opens; i++)
    names[n++] = s->loop[p->open[i]].name;
  const char *near = diag_nearest(name, names, n);
  diag_at(p->d, BAD_INPUT, "name", p->in.file, at->line, at->column, "nothing is called '%s' here%s%s%s", name,
          near ? "; did you mean '" : "; a parameter is declared before the first move: param ", near ? near : name,
          near ? "'?" : " = 2");
  mem_free(names);
  return NULL;
}

static expr *resolve_of_loop(schedule_parser *p, const char *name, const char *call, const lex_token *at)
{
  static const struct { const char *call; int slot;
  } calls[] = {
    { "lo", SCHEDULE_LO },     { "hi", SCHEDULE_HI },   { "first", SCHEDULE_FIRST },
    { "last", SCHEDULE_LAST }, { "len", SCHEDULE_LEN },
  };
  int loop = find_loop(p, name);
  if (loop < 0)
    return complain(p, at, "'%s' is no loop that is running here", name);
  for (int i = 0; i < (int)(sizeof calls / sizeof *calls); i++)
    if (strcmp(calls[i].call, call) == 0) {
      char written[CDAG_NAME + 8];
      snprintf(written, sizeof written, "%s(%s)", call, name);
      return expr_slot(p->s->loop[loop].slot + calls[i].slot, written);
    }
  return complain(p, at, "'%s' is no loop that is running here", name);
}

static expr *resolve(void *context, const char *name, const char *call, const lex_token *at, diag *d)
{
  schedule_parser *p = context;
  schedule *s = p->s;
  (void)d; /* p->d */
  if (call)
    return resolve_of_loop(p, name, call, at);
  if (strcmp(name, "M") == 0)
    return expr_slot(s->slot_m, name);
  int loop = find_loop(p, name);
  if (loop >= 0 && s->loop[loop].blocked)
    return complain(
        p, at,
        "'%s' is a range: it stands alone as an index or after 'in'; in arithmetic use lo(%s), hi(%s) or len(%s)",
        name);
  if (loop >= 0)
    return expr_slot(s->loop[loop].slot + SCHEDULE_LO, name);
  int i = find_param(s, name);
  if (i >= 0)
    return expr_slot(s->slot_param + i, name);
  i = cdag_find_param(s->g, name);
  if (i >= 0)
    return expr_slot(i, name);
  if (cdag_find_array(s->g, name) >= 0)
    return complain(p, at, "'%s' is an array, not a number", name);
  return unknown_name(p, name, at);
}

/* May this name be given to a parameter or loop here?  Consumes it. */
static status new_name(schedule_parser *p, const char *what, char *out)
{
  lex_token at = p->in.now;
  char *name;
  status st = lex_name(&p->in, &name, p->d);
  if (st != OK)
    return st;
  const char *trouble = is_keyword(name)                      ? "a reserved word"
                        : strlen(name) >= CDAG_NAME           ? "too long a name (63 characters at most)"
                        : find_param(p->s, name) >= 0         ? "already a parameter of this schedule"
                        : cdag_find_param(p->s->g, name) >= 0 ? "already a parameter of the computation"
                        : cdag_find_array(p->s->g, name) >= 0 ? "already an array of the computation"
                        : find_table(p, name) >= 0            ? "already a table of the computation"
                        : find_loop(p, name) >= 0             ? "already the variable of a loop around this one"
                                                              : NULL;
  if (trouble)
    st = diag_at(p->d, BAD_INPUT, "name", p->in.file, at.line, at.column, "'%s' cannot name a %s: it is %s", name, what,
                 trouble);
  else
    strcpy(out, name);
  mem_free(name);
  return st;
}

static expr *parse_expr(schedule_parser *p)
{
  expr_scope scope = { p, resolve, find_table, table_at };
  return expr_parse(&p->in, &scope, p->d);
}

static status expression(schedule_parser *p, expr **e)
{
  *e = parse_expr(p);
  return *e ? OK : BAD_INPUT;
}

/* ---- boxes ---- */

/* A range variable standing alone before one of the words in `ends` (or signs): its loop, consumed; otherwise -1. */
static int range_variable(schedule_parser *p, bool (*ends)(const lexer *))
{
  if (p->in.now.kind != LEX_NAME || p->in.now.length >= CDAG_NAME)
    return -1;
  char name[CDAG_NAME];
  snprintf(name, sizeof name, "%.*s", (int)p->in.now.length, p->in.now.start);
  int loop = find_loop(p, name);
  if (loop < 0 || !p->s->loop[loop].blocked)
    return -1;
  lexer ahead = p->in;
  lex_next(&ahead);
  if (!ends(&ahead))
    return -1;
  p->in = ahead;
  return loop;
}

static bool ends_index(const lexer *in) { return lex_is(in, ',') || lex_is(in, ']'); }

static bool ends_range(const lexer *in)
{
  return lex_is(in, '{') || lex_is_word(in, "by") || lex_is_word(in, "reversed") || lex_is_word(in, "snake");
}

static status parse_index(schedule_parser *p, schedule_index *x)
{
  *x = (schedule_index){ .kind = CDAG_ALL, .loop = -1 };
  if (lex_accept(&p->in, '*'))
    return OK;
  x->kind = CDAG_AT;
  x->loop = range_variable(p, ends_index);
  if (x->loop >= 0)
    return OK;
  status st = expression(p, &x->lo);
  if (st == OK && lex_accept(&p->in, LEX2('.', '.'))) {
    x->kind = CDAG_RANGE;
    st = expression(p, &x->hi);
  }
  return st;
}

static status wrong_indices(schedule_parser *p, const schedule_box *b, int copied, int found)
{
  cdag_array one = p->s->g->array[b->array];
  const cdag_array *a = &one;
  one.rank -= copied;
  found -= copied;
  return diag_at(p->d, BAD_INPUT, "index", p->in.file, b->line, b->column, "%s has %d %s, not %d", a->name, a->rank,
                 a->rank == 1 ? "index" : "indices", found);
}

/* The indices that say which copy, of a schedule written for one: the loops over the copies, which stand outermost. */
static int copy_indices(const schedule_parser *p, schedule_box *b)
{
  int n = 0;
  for (int i = 0; i < p->copies; i++)
    if (p->s->g->array[b->array].copied >> i & 1) {
      const schedule_loop *l = &p->s->loop[p->open[i]];
      b->index[n++] = (schedule_index){ .kind = CDAG_AT, .loop = -1, .lo = expr_slot(l->slot + SCHEDULE_LO, l->name) };
    }
  return n;
}

static status parse_indices(schedule_parser *p, schedule_box *b)
{
  int rank = p->s->g->array[b->array].rank, n = copy_indices(p, b), copied = n;
  b->indices = n;
  status st = lex_expect(&p->in, '[', p->d);
  if (st == OK && rank == 0)
    return lex_expect(&p->in, ']', p->d);
  while (st == OK) {
    schedule_index spare, *x = n < rank ? &b->index[n] : &spare;
    st = parse_index(p, x);
    n++;
    if (x == &spare)
      clear_index(x);
    else
      b->indices = n;
    if (!lex_accept(&p->in, ','))
      break;
  }
  if (st == OK)
    st = lex_expect(&p->in, ']', p->d);
  return st == OK && n != rank ? wrong_indices(p, b, copied, n) : st;
}

static status unknown_array(schedule_parser *p, const char *name, const lex_token *at)
{
  const cdag *g = p->s->g;
  const char **names = MEM_NEW(const char *, (size_t)g->arrays + 1);
  for (int i = 0; i < g->arrays; i++)
    names[i] = g->array[i].name;
  const char *near = diag_nearest(name, names, g->arrays);
  SCOPED_TEXT list = { 0 };
  for (int i = 0; i < g->arrays && i < 32; i++)
    text_printf(&list, "%s%s", i ? ", " : "", names[i]);
  status st = diag_at(p->d, BAD_INPUT, "name", p->in.file, at->line, at->column, "%s has no array '%s'%s%s%s", g->name,
                      name, near ? "; did you mean '" : "; it has ", near ? near : text_str(&list), near ? "'?" : "");
  mem_free(names);
  return st;
}

static status parse_box(schedule_parser *p, schedule_box *b, bool may_be_whole)
{
  lex_token at = p->in.now;
  char *name;
  *b = (schedule_box){ .line = at.line, .column = at.column };
  status st = lex_name(&p->in, &name, p->d);
  if (st != OK)
    return st;
  b->array = cdag_find_array(p->s->g, name);
  b->number = p->s->boxes++;
  b->whole = may_be_whole && !lex_is(&p->in, '[');
  if (b->array < 0)
    st = unknown_array(p, name, &at);
  else if (!b->whole)
    st = parse_indices(p, b);
  mem_free(name);
  return st;
}

/* BOX { "," BOX } */
static status parse_boxes(schedule_parser *p, schedule_box **box, int *boxes, bool may_be_whole)
{
  size_t room = 0;
  status st;
  do {
    *box = mem_room(*box, (size_t)*boxes, &room, sizeof **box);
    st = parse_box(p, &(*box)[*boxes], may_be_whole);
    ++*boxes; /* counted even when bad: so it is freed */
  } while (st == OK && lex_accept(&p->in, ','));
  return st;
}

/* ---- statements ---- */

static int move_kind(const lexer *in)
{
  for (int k = PEBBLE_LOAD; k <= PEBBLE_ERASE; k++)
    if (lex_is_word(in, pebble_kind_name((pebble_kind)k)))
      return k;
  return -1;
}

static schedule_node *new_node(schedule_parser *p, schedule_kind kind)
{
  schedule_node *n = MEM_NEW(schedule_node, 1);
  n->kind = kind;
  n->line = p->in.now.line;
  n->column = p->in.now.column;
  return n;
}

static void add_child(schedule_node *n, schedule_node *child, size_t *room)
{
  n->child = mem_room(n->child, (size_t)n->children, room, sizeof *n->child);
  n->child[n->children++] = child;
}

bool schedule_may_drop(const cdag *g, int computed, int dropped)
{
  const cdag_array *a = &g->array[computed];
  for (int t = 0; t < a->terms; t++)
    if (a->term[t].array == dropped)
      return true;
  return g->graph || a->terms == 0; /* that an input has no rule is the referee's to say */
}

/* `dropping Y` where no element computed here reads Y would do nothing: most likely another array is meant. */
static status check_drop(schedule_parser *p, const schedule_node *n, const schedule_box *drop)
{
  const cdag *g = p->s->g;
  for (int i = 0; i < n->boxes; i++)
    if (schedule_may_drop(g, n->box[i].array, drop->array))
      return OK;
  const cdag_array *a = &g->array[n->box[0].array];
  SCOPED_TEXT reads = { 0 };
  for (int i = 0; i < g->arrays; i++)
    if (schedule_may_drop(g, n->box[0].array, i))
      text_printf(&reads, "%s%s", reads.n ? ", " : "", g->array[i].name);
  return diag_at(p->d, BAD_INPUT, "name", p->in.file, drop->line, drop->column,
                 "the rule of %s reads no array %s, so there is nothing to drop; it reads %s", a->name,
                 g->array[drop->array].name, text_str(&reads));
}

static status parse_move(schedule_parser *p, schedule_node *n)
{
  n->move = (pebble_kind)move_kind(&p->in);
  lex_next(&p->in);
  status st = parse_boxes(p, &n->box, &n->boxes, false);
  if (st != OK || !lex_is_word(&p->in, "dropping"))
    return st;
  if (n->move != PEBBLE_COMPUTE)
    return lex_error(&p->in, p->d, "syntax", "'dropping' belongs to compute, not to %s", pebble_kind_name(n->move));
  lex_next(&p->in);
  st = parse_boxes(p, &n->drop, &n->drops, true);
  for (int i = 0; st == OK && i < n->drops; i++)
    st = check_drop(p, n, &n->drop[i]);
  return st;
}

static status parse_statements(schedule_parser *p, schedule_node *block);

static status parse_braces(schedule_parser *p, schedule_node *n, size_t *room)
{
  schedule_node *block = new_node(p, SCHEDULE_BLOCK);
  add_child(n, block, room);
  if (p->depth >= SCHEDULE_DEPTH)
    return lex_error(&p->in, p->d, "syntax", "blocks are nested more than %d deep", SCHEDULE_DEPTH);
  status st = lex_expect(&p->in, '{', p->d);
  p->depth++;
  if (st == OK)
    st = parse_statements(p, block);
  p->depth--;
  return st == OK ? lex_expect(&p->in, '}', p->d) : st;
}

static status parse_range(schedule_parser *p, int loop)
{
  expr *lo = NULL, *hi = NULL;
  int over = range_variable(p, ends_range);
  status st = over >= 0 ? OK : expression(p, &hi);
  if (st == OK && over < 0 && lex_accept(&p->in, LEX2('.', '.'))) {
    lo = hi;
    hi = NULL;
    st = expression(p, &hi);
  }
  schedule_loop *l = &p->s->loop[loop];
  l->over_loop = over;
  l->lo = lo;
  l->hi = hi;
  return st;
}

/* "reversed" and "snake", each at most once. */
static status parse_direction(schedule_parser *p, schedule_loop *l)
{
  for (;;) {
    bool *flag = lex_is_word(&p->in, "reversed") ? &l->reversed : lex_is_word(&p->in, "snake") ? &l->snake : NULL;
    if (!flag)
      return OK;
    if (*flag)
      return lex_error(&p->in, p->d, "syntax", "'%s' is said twice", flag == &l->snake ? "snake" : "reversed");
    *flag = true;
    lex_next(&p->in);
  }
}

static int new_loop(schedule_parser *p)
{
  schedule *s = p->s;
  s->loop = mem_room(s->loop, (size_t)s->loops, &p->loop_room, sizeof *s->loop);
  s->loop[s->loops] = (schedule_loop){ .over_loop = -1,
                                       .parent = p->opens ? p->open[p->opens - 1] : -1,
                                       .slot = s->slots,
                                       .line = p->in.now.line,
                                       .column = p->in.now.column };
  s->slots += SCHEDULE_LOOP_SLOTS;
  return s->loops++;
}

static status parse_for_head(schedule_parser *p, int loop)
{
  status st = new_name(p, "loop", p->s->loop[loop].name);
  if (st == OK && !lex_accept_word(&p->in, "in"))
    st = lex_unexpected(&p->in, "'in'", p->d);
  if (st == OK)
    st = parse_range(p, loop);
  if (st == OK && lex_accept_word(&p->in, "by")) {
    p->s->loop[loop].blocked = true;
    st = expression(p, &p->s->loop[loop].by);
  }
  return st == OK ? parse_direction(p, &p->s->loop[loop]) : st;
}

static status parse_for(schedule_parser *p, schedule_node *n)
{
  size_t room = 0;
  lex_next(&p->in);
  n->loop = new_loop(p);
  status st = parse_for_head(p, n->loop);
  if (st != OK)
    return st;
  if (p->opens >= SCHEDULE_DEPTH)
    return lex_error(&p->in, p->d, "syntax", "blocks are nested more than %d deep", SCHEDULE_DEPTH);
  p->open[p->opens++] = n->loop;
  st = parse_braces(p, n, &room);
  p->opens--;
  return st;
}

static status parse_if(schedule_parser *p, schedule_node *n)
{
  size_t room = 0;
  lex_next(&p->in);
  status st = expression(p, &n->condition);
  if (st == OK)
    st = parse_braces(p, n, &room);
  if (st != OK || !lex_accept_word(&p->in, "else"))
    return st;
  if (!lex_is_word(&p->in, "if"))
    return parse_braces(p, n, &room);
  if (p->depth >= SCHEDULE_DEPTH)
    return lex_error(&p->in, p->d, "syntax", "more than %d of 'else if'", SCHEDULE_DEPTH);
  schedule_node *other = new_node(p, SCHEDULE_IF);
  add_child(n, other, &room);
  p->depth++;
  st = parse_if(p, other);
  p->depth--;
  return st;
}

/* What stands here that begins a statement? */
static int statement_kind(const lexer *in)
{
  return lex_is_word(in, "for")  ? SCHEDULE_FOR
         : lex_is_word(in, "if") ? SCHEDULE_IF
         : move_kind(in) >= 0    ? SCHEDULE_MOVE
                                 : -1;
}

/* A word misspelt: laod, stroe. */
static void suggest_word(schedule_parser *p)
{
  static const char *const words[] = { "load", "store", "compute", "drop", "erase", "for", "if", "param", "schedule" };
  char word[32] = "";
  if (!p->d || p->in.now.kind != LEX_NAME || p->in.now.length >= sizeof word)
    return;
  memcpy(word, p->in.now.start, p->in.now.length);
  const char *near = diag_nearest(word, words, 9);
  size_t n = strlen(p->d->message);
  if (cdag_find_array(p->s->g, word) >= 0)
    snprintf(p->d->message + n, sizeof p->d->message - n, "; is a comma missing between two boxes?");
  else if (near)
    snprintf(p->d->message + n, sizeof p->d->message - n, "; did you mean '%s'?", near);
}

static status misplaced(schedule_parser *p)
{
  if (lex_is_word(&p->in, "param"))
    return lex_error(&p->in, p->d, "syntax", "'param' comes before the first move and the first loop");
  if (lex_is_word(&p->in, "schedule"))
    return lex_error(&p->in, p->d, "syntax", "the line 'schedule NAME for FAMILY' comes first, and once");
  if (lex_is_word(&p->in, "else"))
    return lex_error(&p->in, p->d, "syntax", "there is no 'if' before this 'else'");
  if (lex_is_word(&p->in, "dropping"))
    return lex_error(&p->in, p->d, "syntax", "'dropping' follows the boxes of a compute");
  status st = lex_unexpected(&p->in, p->depth ? "a move, 'for', 'if' or '}'" : "a move, 'for' or 'if'", p->d);
  suggest_word(p);
  return st;
}

status schedule_parse_statement(schedule_parser *p, schedule_node *block, size_t *room)
{
  int kind = statement_kind(&p->in);
  if (kind < 0)
    return misplaced(p);
  schedule_node *n = new_node(p, (schedule_kind)kind);
  add_child(block, n, room);
  return kind == SCHEDULE_FOR ? parse_for(p, n) : kind == SCHEDULE_IF ? parse_if(p, n) : parse_move(p, n);
}

/* Up to the end or an unmatched '}'. */
static status parse_statements(schedule_parser *p, schedule_node *block)
{
  size_t room = 0;
  status st = OK;
  while (st == OK && p->in.now.kind != LEX_END && !(p->depth && lex_is(&p->in, '}')))
    st = schedule_parse_statement(p, block, &room);
  return st;
}

/* ---- the head ---- */

/* The comment lines that open the text, without their '#'. */
static void take_comment(text *out, const char *at)
{
  for (; *at == '#' || *at == '\n' || *at == '\r'; at += *at == '\n' || *at == '\r') {
    if (*at != '#')
      continue;
    at += 1 + (at[1] == ' ');
    size_t n = strcspn(at, "\r\n");
    text_add_n(out, at, n);
    text_char(out, '\n');
    at += n;
    if (!*at)
      return;
  }
}

static status take_title(schedule_parser *p, char *out)
{
  lex_token at = p->in.now;
  char *name;
  status st = lex_name_hyphen(&p->in, &name, p->d);
  if (st == OK && strlen(name) >= CDAG_NAME)
    st = diag_at(p->d, BAD_INPUT, "name", p->in.file, at.line, at.column, "this name is longer than 63 characters");
  if (st == OK)
    strcpy(out, name);
  mem_free(name);
  return st;
}

/* `for` belongs to the title only on the line of the word `schedule`: the one place where a line end matters. */
static status parse_title(schedule_parser *p)
{
  int line = p->in.now.line;
  if (!lex_accept_word(&p->in, "schedule"))
    return OK;
  status st = take_title(p, p->s->name);
  if (st == OK && p->in.now.line == line && lex_accept_word(&p->in, "for"))
    st = take_title(p, p->s->family);
  return st;
}

static status parse_param(schedule_parser *p)
{
  schedule *s = p->s;
  lex_token at = p->in.now;
  char name[CDAG_NAME];
  status st = new_name(p, "parameter", name);
  if (st != OK)
    return st;
  schedule_param *q;
  expr *fallback = NULL;
  bool automatic = false;
  if (lex_accept(&p->in, '=')) {
    automatic = lex_accept_word(&p->in, "auto");
    st = automatic ? OK : expression(p, &fallback); /* the name itself is not yet visible */
  }
  s->param = mem_room(s->param, (size_t)s->params, &p->param_room, sizeof *s->param);
  q = &s->param[s->params++];
  *q = (schedule_param){ .fallback = fallback, .automatic = automatic, .line = at.line, .column = at.column };
  strcpy(q->name, name);
  s->slots++;
  return st;
}

static bool more_params(schedule_parser *p)
{
  return lex_accept(&p->in, ',') ||
         (p->in.now.kind == LEX_NAME && statement_kind(&p->in) < 0 && !lex_is_word(&p->in, "param"));
}

static status parse_params(schedule_parser *p)
{
  status st = OK;
  while (st == OK && lex_accept_word(&p->in, "param"))
    do
      st = parse_param(p);
    while (st == OK && more_params(p));
  return st;
}

void schedule_parser_init(schedule_parser *p, const cdag *g, uint64_t m, const char *file, const char *source, diag *d)
{
  *p = (schedule_parser){ .d = d, .s = MEM_NEW(schedule, 1) };
  schedule *s = p->s;
  snprintf(s->file, sizeof s->file, "%s", file);
  s->g = g;
  s->m = m;
  s->slot_m = g->params;
  s->slot_param = s->slots = g->params + 1;
  lex_init(&p->in, s->file, source, false);
  take_comment(&s->comment, source);
  s->body = new_node(p, SCHEDULE_BLOCK);
}

status schedule_parse_head(schedule_parser *p)
{
  status st = parse_title(p);
  return st == OK ? parse_params(p) : st;
}

/* A schedule for one copy is played copy by copy: its statements stand inside a loop for each level. */
static schedule_node *open_copies(schedule_parser *p)
{
  schedule *s = p->s;
  schedule_node *block = s->body;
  if (s->g->copies == 0 || strcmp(s->family, s->g->family) != 0)
    return block;
  for (int i = 0; i < s->g->copies; i++) {
    size_t children = 0, bodies = 0;
    schedule_node *n = new_node(p, SCHEDULE_FOR), *inside = new_node(p, SCHEDULE_BLOCK);
    add_child(block, n, &children);
    add_child(n, inside, &bodies);
    n->loop = new_loop(p);
    snprintf(s->loop[n->loop].name, CDAG_NAME, "%s", s->g->copy[i]);
    s->loop[n->loop].hi = expr_slot(i, s->g->param[i].name);
    p->open[p->opens++] = n->loop;
    block = inside;
  }
  p->copies = s->g->copies;
  s->family[0] = '\0'; /* what is printed has the loops in it */
  return block;
}

/* A text may be for any computation that has its names.  Where one is missing, what it was written for says why. */
static void add_family(const schedule *s, diag *d)
{
  size_t n = strlen(d->message);
  bool missing = !strcmp(d->kind, "name") || !strcmp(d->kind, "index");
  if (missing && s->family[0] && strcmp(s->family, s->g->family))
    snprintf(d->message + n, sizeof d->message - n, " (this schedule is for %s, not for %s)", s->family, s->g->name);
}

status schedule_parse(schedule **out, const cdag *g, uint64_t m, const char *file, const char *source,
                      const char *assign, diag *d)
{
  schedule_parser p;
  schedule_parser_init(&p, g, m, file, source, d);
  *out = NULL;
  status st = schedule_parse_head(&p);
  if (st == OK)
    st = parse_statements(&p, open_copies(&p));
  if (st == OK)
    st = schedule_assign(p.s, assign, d);
  if (st == OK) {
    text_add(&p.s->source, source);
    *out = p.s;
  } else {
    if (st == BAD_INPUT)
      add_family(p.s, d);
    schedule_free(p.s);
  }
  return st;
}

/* ---- the tree's end ---- */

static void clear_boxes(schedule_box *box, int boxes)
{
  for (int i = 0; i < boxes; i++)
    for (int r = 0; r < box[i].indices; r++)
      clear_index(&box[i].index[r]);
  mem_free(box);
}

/* Depth is at most SCHEDULE_DEPTH blocks. */
static void free_node(schedule_node *n)
{
  if (!n)
    return;
  for (int i = 0; i < n->children; i++)
    free_node(n->child[i]);
  mem_free(n->child);
  expr_free(n->condition);
  clear_boxes(n->box, n->boxes);
  clear_boxes(n->drop, n->drops);
  mem_free(n);
}

void schedule_free(schedule *s)
{
  if (!s)
    return;
  for (int i = 0; i < s->params; i++)
    expr_free(s->param[i].fallback);
  for (int i = 0; i < s->loops; i++) {
    expr_free(s->loop[i].lo);
    expr_free(s->loop[i].hi);
    expr_free(s->loop[i].by);
  }
  mem_free(s->param);
  mem_free(s->loop);
  free_node(s->body);
  text_clear(&s->comment);
  text_clear(&s->source);
  mem_free(s);
}
