/* lesson.c -- the data of the page as JSON, put into report/lesson/page.html. */
#include "report/lesson.h"
#include "base/embed.h"
#include "base/json.h"
#include "base/mem.h"
#include "schedules/elementary.h"
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
  json_key(j, "arrays");
  json_open(j, '[');
  for (int a = 0; a < g->arrays; a++) {
    struct { json *j; int rank; } c = { j, g->array[a].rank };
    json_open(j, '{');
    json_put_string(j, "name", g->array[a].name);
    json_put_uint(j, "first", g->array[a].first);
    json_key(j, "elements");
    json_open(j, '[');
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
  json_key(j, "preds");
  json_open(j, '[');
  for (uint64_t v = 0; v < g->vertices; v++) {
    cdag_at(g, v, &e);
    json_open(j, '[');
    cdag_each_predecessor(g, e.array, e.x, put_predecessor, &c);
    json_close(j, ']');
  }
  json_close(j, ']');
  json_key(j, "outputs");
  json_open(j, '[');
  for (uint64_t v = 0; v < g->vertices; v++) {
    cdag_at(g, v, &e);
    if (cdag_is_output(g, e.array, e.x))
      json_uint(j, v);
  }
  json_close(j, ']');
  if (g->graph && g->graph->name) {
    json_key(j, "labels");
    json_open(j, '[');
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
  json_int(c->j, step->slides ? (int64_t)cdag_id(c->g, step->slide.array, step->slide.x) : -1);
  json_int(c->j, step->line);
  json_close(c->j, ']');
  return true;
}

static status put_moves(json *j, const report_lesson *l, diag *d)
{
  move_context c = { j, l->g, 0 };
  status st = OK;
  json_key(j, "moves");
  json_open(j, '[');
  if (l->s)
    st = schedule_each_step(l->s, put_move, &c, d);
  json_close(j, ']');
  if (st == OK && c.moves > REPORT_LESSON_MOVES)
    return diag_set(d, GAVE_UP, "limit", "more than %d moves: a lesson wants a smaller computation", REPORT_LESSON_MOVES);
  return st;
}

/* ---- bounds ---- */

static const char *model_words(const bound *b)
{
  return b->models & BOUND_RECOMPUTE ? "recomputation allowed" : "one-shot";
}

/* The record's parameters hold what the proof view needs (T, h, chains, cut, ...), under the names the page reads. */
static void put_bound(json *j, const bound *b)
{
  json_open(j, '{');
  json_put_string(j, "name", b->name);
  json_put_big(j, "value", b->value);
  json_put_string(j, "trust", bound_trust_name(b->trust));
  json_put_string(j, "model", model_words(b));
  json_put_string(j, "leading", text_str(&b->leading));
  json_put_string(j, "proof", text_str(&b->proof));
  json_key(j, "parameters");
  json_raw(j, b->parameters.n ? text_str(&b->parameters) : "{}");
  json_close(j, '}');
}

static void put_bounds(json *j, const report_lesson *l)
{
  json_key(j, "bounds");
  json_open(j, '[');
  for (size_t i = 0; i < l->bounds->n; i++)
    put_bound(j, &l->bounds->item[i]);
  json_close(j, ']');
  json_key(j, "best");
  if (l->best < 0)
    json_string(j, NULL);
  else {
    json_open(j, '{');
    json_put_string(j, "name", l->bounds->item[l->best].name);
    json_put_big(j, "value", l->bounds->item[l->best].value);
    json_close(j, '}');
  }
  json_key(j, "optimum");
  if (l->has_optimum)
    json_uint(j, l->optimum);
  else
    json_string(j, NULL);
}

/* ---- the page ---- */

static status put_data(json *j, const report_lesson *l, diag *d)
{
  json_open(j, '{');
  json_put_string(j, "spec", l->spec);
  json_put_uint(j, "m", l->rules.m);
  json_put_bool(j, "explicit", l->g->graph != NULL);
  json_key(j, "rules");
  json_open(j, '{');
  json_put_string(j, "variant", l->rules.variant == PEBBLE_SLIDING ? "sliding" : "placing");
  json_put_bool(j, "one_shot", l->rules.one_shot);
  json_close(j, '}');
  json_put_string(j, "schedule_name", l->s ? l->s->name : "");
  json_put_string(j, "schedule_text", l->schedule_text ? l->schedule_text : "");
  put_arrays(j, l->g);
  put_vertices(j, l->g);
  put_bounds(j, l);
  status st = put_moves(j, l, d);
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

static const char *find_page(void)
{
  for (const embedded_file *f = embedded_files; f->path; f++)
    if (strcmp(f->path, "report/lesson/page.html") == 0)
      return f->text;
  return NULL;
}

status report_lesson_page(const report_lesson *l, text *out, diag *d)
{
  if (l->rules.variant == PEBBLE_PARTIAL)
    return diag_set(d, BAD_INPUT, "usage", "a lesson plays the placing and the sliding game, not partial computing");
  if (l->g->vertices > REPORT_LESSON_VERTICES)
    return diag_set(d, GAVE_UP, "limit", "%llu vertices are too many to watch (at most %d): give smaller parameters",
                    (unsigned long long)l->g->vertices, REPORT_LESSON_VERTICES);
  const char *page = find_page(), *mark = strstr(page, "@DATA@");
  json j = { 0 };
  status st = put_data(&j, l, d);
  if (st == OK) {
    text_add_n(out, page, (size_t)(mark - page));
    add_escaped(out, text_str(&j.out));
    text_add(out, mark + strlen("@DATA@"));
  }
  json_clear(&j);
  return st;
}
