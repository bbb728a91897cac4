/* lesson.c -- the data of the page as JSON, put into report/lesson/page.html together with its style and its programs.
 */
#include "base/embed.h"
#include "base/mem.h"
#include "bounds/recognise/shape_covering.h"
#include "report/lesson_internal.h"
#include "schedules/play/elementary.h"
#include <stdlib.h>
#include <string.h>

/* ---- vertices ---- */

static bool put_element(void *context, const int64_t *x, int64_t hi)
{
  struct { json *j; int rank; } *c = context;
  int64_t last = x[c->rank - 1];
  for (int64_t v = last; v < hi; v++) {
    json_open(c->j, '[');
    for (int r = 0; r < c->rank; r++)
      json_int(c->j, r == c->rank - 1 ? v : x[r]);
    json_close(c->j, ']');
  }
  return true;
}

static void put_arrays(json *j, const cdag *g)
{
  json_put_open(j, "arrays", '[');
  for (int a = 0; a < g->arrays; a++) {
    struct { json *j; int rank; } c = { j, g->array[a].rank };
    json_open(j, '{');
    json_put_string(j, "name", g->array[a].name);
    json_put_uint(j, "first", g->array[a].first);
    json_put_open(j, "elements", '[');
    cdag_each_run(g, a, &g->array[a].hull, put_element, &c);
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
}

static bool put_predecessor(void *context, const cdag_element *e, int term)
{
  (void)term;
  struct { json *j; const cdag *g; } *c = context;
  json_uint(c->j, cdag_id(c->g, e->array, e->x));
  return true;
}

static void put_vertices(json *j, const cdag *g)
{
  struct { json *j; const cdag *g; } c = { j, g };
  cdag_element e;
  json_put_open(j, "preds", '[');
  for (uint64_t v = 0; v < g->vertices; v++) {
    cdag_at(g, v, &e);
    json_open(j, '[');
    cdag_each_predecessor(g, e.array, e.x, put_predecessor, &c);
    json_close(j, ']');
  }
  json_close(j, ']');
  json_put_open(j, "outputs", '[');
  for (uint64_t v = 0; v < g->vertices; v++) {
    cdag_at(g, v, &e);
    if (cdag_is_output(g, e.array, e.x))
      json_uint(j, v);
  }
  json_close(j, ']');
  if (g->graph && g->graph->name) {
    json_put_open(j, "labels", '[');
    for (uint32_t v = 0; v < g->graph->n; v++)
      json_string(j, g->graph->name[v]);
    json_close(j, ']');
  }
}

/* ---- moves ---- */

typedef struct {
  json *j;
  const cdag *g;
  size_t moves;
} move_context;

static bool put_move(void *context, const schedule_step *step)
{
  move_context *c = context;
  if (++c->moves > REPORT_LESSON_MOVES)
    return false;
  json_open(c->j, '[');
  json_int(c->j, step->kind);
  json_uint(c->j, cdag_id(c->g, step->element.array, step->element.x));
  json_int(c->j, step->slides         ? (int64_t)cdag_id(c->g, step->slide.array, step->slide.x)
                 : step->with_compute ? -2
                                      : -1);
  json_int(c->j, step->line);
  json_close(c->j, ']');
  return true;
}

/* *moves: those of the page so far.  Not OK, kind "limit", when there are too many. */
static status put_moves(json *j, const report_lesson *l, size_t *moves, diag *d)
{
  move_context c = { j, l->g, *moves };
  status st = OK;
  json_put_open(j, "moves", '[');
  if (l->s)
    st = schedule_each_step(l->s, &l->rules, put_move, &c, d);
  json_close(j, ']');
  *moves = c.moves;
  if (st == OK && c.moves > REPORT_LESSON_MOVES)
    return diag_set(d, GAVE_UP, "limit", "more than %d moves: a lesson wants a smaller computation",
                    REPORT_LESSON_MOVES);
  return st;
}

/* ---- bounds ---- */

static const char *model_words(const bound *b)
{
  return b->models & BOUND_RECOMPUTE ? "recomputation allowed" : "one-shot";
}

/* A browser reads numbers of up to 15 digits exactly: longer ones become strings. */
static void put_exact(json *j, const char *source)
{
  SCOPED_TEXT out = { 0 };
  bool quoted = false;
  while (*source) {
    size_t digits = strspn(source, "-0123456789");
    if (!quoted && digits > 15)
      text_printf(&out, "\"%.*s\"", (int)digits, source);
    else if (digits)
      text_add_n(&out, source, digits);
    else {
      quoted ^= *source == '"';
      if (*source == '\\')
        text_char(&out, *source++);
      text_char(&out, *source++);
    }
    source += digits;
  }
  json_raw(j, text_str(&out));
}

static void put_value(json *j, const bound *b)
{
  char *digits = mpz_get_str(NULL, 10, b->value);
  json_key(j, "value");
  put_exact(j, digits);
  free(digits);
}

/* The covering bound's other side: the passes of the linear program, for those who want to see both. */
static status put_plan(json *j, const report_lesson *l, diag *d)
{
  cover_shape shape = { 0 };
  cover_answer answer = { 0 };
  if (!bound_cover_find(l->g, NULL, &shape))
    return OK;
  status st = bound_cover_solve(&shape.p, false, &answer, d);
  if (st != OK)
    return st;
  json_put_open(j, "plan", '[');
  for (int i = 0; i < answer.passes; i++) {
    json_open(j, '{');
    json_put_int(j, "cost", answer.pass[i].cost);
    json_put_real(j, "times", answer.pass[i].times_estimate);
    json_put_open(j, "slice", '[');
    for (int w = 0; w < shape.p.kinds; w++)
      json_int(j, answer.pass[i].slice[w]);
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
  return OK;
}

/* The record's parameters hold what the proof view needs (T, h, chains, cut, ...), under the names the page reads. */
static status put_bound(json *j, const report_lesson *l, const bound *b, diag *d)
{
  status st = OK;
  json_open(j, '{');
  json_put_string(j, "name", b->name);
  put_value(j, b);
  json_put_string(j, "trust", bound_trust_name(b->trust));
  json_put_string(j, "model", model_words(b));
  json_put_bool(j, "holds", bound_holds_in(b, &(bound_question) {
    .g = l->g, .m = l->rules.m, .one_shot = l->rules.one_shot, .variant = (int)l->rules.variant }));
  json_put_string(j, "leading", text_str(&b->leading));
  json_put_string(j, "proof", text_str(&b->proof));
  json_key(j, "parameters");
  put_exact(j, b->parameters.n ? text_str(&b->parameters) : "{}");
  if (strcmp(b->name, "covering") == 0)
    st = put_plan(j, l, d);
  json_close(j, '}');
  return st;
}

static status put_bounds(json *j, const report_lesson *l, diag *d)
{
  status st = OK;
  json_put_open(j, "bounds", '[');
  for (size_t i = 0; i < l->bounds->n && st == OK; i++)
    st = put_bound(j, l, &l->bounds->item[i], d);
  json_close(j, ']');
  return st;
}

static void put_best(json *j, const report_lesson *l)
{
  json_key(j, "best");
  if (l->best < 0)
    json_string(j, NULL);
  else {
    json_open(j, '{');
    json_put_int(j, "index", l->best);
    json_put_string(j, "name", l->bounds->item[l->best].name);
    put_value(j, &l->bounds->item[l->best]);
    json_close(j, '}');
  }
  json_key(j, "optimum");
  if (l->has_optimum)
    json_uint(j, l->optimum);
  else
    json_string(j, NULL);
}

/* ---- the page ---- */

static const char *variant_word(pebble_variant v)
{
  return v == PEBBLE_SLIDING ? "sliding" : v == PEBBLE_PARTIAL ? "partial" : "placing";
}

/* What the family's text says of itself, or nothing. */
static const char *summary_of(const char *spec)
{
  const cdag_family *family;
  size_t n = strcspn(spec, ":");
  for (int i = 0, families = cdag_families(&family); i < families; i++)
    if (strlen(family[i].name) == n && strncmp(family[i].name, spec, n) == 0)
      return family[i].summary;
  return "";
}

/* The computation in its own language; a graph is drawn, not printed. */
static void put_rules_of(json *j, const cdag *g)
{
  SCOPED_TEXT out = { 0 };
  if (!g->graph)
    cdag_print(&out, g);
  json_put_string(j, "computation", text_str(&out));
}

static void put_question(json *j, const report_lesson *l)
{
  json_put_string(j, "spec", l->spec);
  json_put_string(j, "version", REDBLUE_VERSION);
  json_put_string(j, "summary", summary_of(l->spec));
  put_rules_of(j, l->g);
  json_put_bool(j, "explicit", l->g->graph != NULL);
  json_put_open(j, "rules", '{');
  json_put_string(j, "variant", variant_word(l->rules.variant));
  json_put_bool(j, "one_shot", l->rules.one_shot);
  json_close(j, '}');
  json_put_uint(j, "vertices", l->g->vertices);
  json_put_string(j, "schedule_name", l->s ? l->s->name : "");
  json_put_string(j, "schedule_text", l->schedule_text ? l->schedule_text : "");
}

/* What depends on M. */
static status put_run(json *j, const report_lesson *l, diag *d)
{
  json_put_uint(j, "m", l->rules.m);
  json_key(j, "schedule_params");
  schedule_put_setting(l->s, j);
  put_best(j, l);
  return put_bounds(j, l, d);
}

static status put_runs(json *j, const report_lesson *l, size_t *moves, diag *d)
{
  status st = OK;
  json_put_open(j, "runs", '[');
  for (size_t i = 0; i < l->runs && st == OK; i++) {
    json_open(j, '{');
    st = put_run(j, &l->run[i], d);
    if (st == OK)
      st = put_moves(j, &l->run[i], moves, d);
    json_close(j, '}');
  }
  json_close(j, ']');
  return st;
}

static status put_data(json *j, const report_lesson *l, bool by_tiles, diag *d)
{
  size_t moves = 0;
  json_open(j, '{');
  put_question(j, l);
  status st = put_run(j, l, d);
  if (st == OK && by_tiles)
    st = report_lesson_tiles(j, l, d);
  else if (st == OK) {
    put_arrays(j, l->g);
    put_vertices(j, l->g);
    st = put_moves(j, l, &moves, d);
    if (st == OK)
      st = put_runs(j, l, &moves, d);
  }
  json_close(j, '}');
  return st;
}

/* JSON inside a script element: no text of the data may end the element, so '<' and '>' and '&' are escaped. */
static void add_escaped(text *out, const char *s)
{
  for (; *s; s++)
    if (*s == '<' || *s == '>' || *s == '&')
      text_printf(out, "\\u%04x", (unsigned char)*s);
    else
      text_char(out, *s);
}

static const char *part(const char *path)
{
  for (const embedded_file *f = embedded_files; f->path; f++)
    if (strcmp(f->path, path) == 0)
      return f->text;
  return "";
}

/* The programs, in the order they build on each other. */
static void add_programs(text *out)
{
  static const char *const path[] = { "report/lesson/referee.js", "report/lesson/board.js", "report/lesson/graph.js",
                                      "report/lesson/watch.js",   "report/lesson/tiles.js", "report/lesson/hand.js",
                                      "report/lesson/hint.js",    "report/lesson/works.js", "report/lesson/proof.js",
                                      "report/lesson/chart.js",   "report/lesson/guide.js", "report/lesson/start.js" };
  for (size_t i = 0; i < sizeof path / sizeof *path; i++)
    text_add(out, part(path[i]));
}

/* page.html with its three marks @STYLE@, @DATA@ and @PROGRAM@, each alone in its element, replaced in this order. */
static void add_page(text *out, const char *data)
{
  const char *page = part("report/lesson/page.html");
  const char *style = strstr(page, "@STYLE@"), *facts = strstr(page, "@DATA@"), *program = strstr(page, "@PROGRAM@");
  text_add_n(out, page, (size_t)(style - page));
  text_add(out, part("report/lesson/style.css"));
  style += strlen("@STYLE@");
  text_add_n(out, style, (size_t)(facts - style));
  add_escaped(out, data);
  facts += strlen("@DATA@");
  text_add_n(out, facts, (size_t)(program - facts));
  add_programs(out);
  text_add(out, program + strlen("@PROGRAM@"));
}

static status too_many(const report_lesson *l, diag *d)
{
  return diag_set(d, GAVE_UP, "limit", "%llu vertices are too many to watch one by one (at most %d): %s",
                  (unsigned long long)l->g->vertices, REPORT_LESSON_VERTICES,
                  l->g->graph ? "a lesson wants a smaller graph"
                  : l->s      ? "and the partial game is not played by tiles: give smaller parameters"
                              : "give smaller parameters, or a schedule, which is then shown by tiles");
}

status report_lesson_page(const report_lesson *l, text *out, diag *d)
{
  json j = { 0 };
  status st = GAVE_UP;
  bool tiles_can = l->s && !l->g->graph && l->rules.variant != PEBBLE_PARTIAL,
       large = l->g->vertices > REPORT_LESSON_VERTICES;
  if ((large || l->by_tiles) && l->runs)
    return diag_set(d, BAD_USAGE, "usage", "several values of M want a computation shown element by element");
  if ((large || l->by_tiles) && !tiles_can)
    return large
               ? too_many(l, d)
               : diag_set(d, BAD_USAGE, "usage", "tiles want arrays, a schedule, and the placing or the sliding game");
  if (!large && !l->by_tiles)
    st = put_data(&j, l, false, d);
  if (st == GAVE_UP && tiles_can && !l->runs) {
    json_clear(&j);
    st = put_data(&j, l, true, d);
  }
  if (st == OK)
    add_page(out, text_str(&j.out));
  json_clear(&j);
  return st;
}
