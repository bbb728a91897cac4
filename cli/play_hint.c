/* play_hint.c -- store what is owed; else compute the vertex that lacks least, loading its predecessors and making room
 * for them. */
#include "cli/play_hint.h"
#include "base/mem.h"

typedef struct {
  const cdag *g;
  const pebble_game *game;
  uint8_t *todo;               /* by vertex: neither red nor blue, and on the way to an owed output */
  uint32_t *needed;            /* how many of those to do read it */
  uint64_t *stack;
  size_t stacked;
  uint64_t reds;
} view;

static bool is_red(const view *w, const cdag_element *e) { return pebble_is_red(w->game, e->array, e->x); }
static bool is_blue(const view *w, const cdag_element *e) { return pebble_is_blue(w->game, e->array, e->x); }
static bool is_owed(const view *w, const cdag_element *e)
{
  return cdag_is_output(w->g, e->array, e->x) && !is_blue(w, e);
}

static void want(view *w, const cdag_element *e)
{
  uint64_t v = cdag_id(w->g, e->array, e->x);
  if (w->todo[v] || is_red(w, e) || is_blue(w, e))
    return;
  w->todo[v] = 1;
  w->stack[w->stacked++] = v;
}

static bool want_predecessor(void *context, const cdag_element *e, int term)
{
  view *w = context;
  (void)term;
  w->needed[cdag_id(w->g, e->array, e->x)]++;
  want(w, e);
  return true;
}

static void look(view *w)
{
  cdag_element e;
  for (uint64_t v = 0; v < w->g->vertices; v++) {
    cdag_at(w->g, v, &e);
    w->reds += is_red(w, &e);
    if (is_owed(w, &e))
      want(w, &e);
  }
  while (w->stacked > 0) {
    cdag_at(w->g, w->stack[--w->stacked], &e);
    cdag_each_predecessor(w->g, e.array, e.x, want_predecessor, w);
  }
}

static bool say(const view *w, text *line, const char *move, const cdag_element *e)
{
  text_add(line, move);
  cdag_element_print(line, w->g, e);
  return true;
}

/* ---- the vertex to compute next ---- */

typedef struct { const view *w; bool able, gives; uint64_t lacking; cdag_element first, given; } feet;

static bool look_at_foot(void *context, const cdag_element *e, int term)
{
  feet *f = context;
  (void)term;
  if (is_red(f->w, e)) {
    if (!f->gives && !is_owed(f->w, e) && (is_blue(f->w, e) || f->w->needed[cdag_id(f->w->g, e->array, e->x)] == 1)) {
      f->gives = true; /* its pebble: nobody else wants the value, or it can be loaded */
      f->given = *e;
    }
    return true;
  }
  if (f->lacking++ == 0)
    f->first = *e;
  f->able = is_blue(f->w, e);
  return f->able;
}

static feet feet_of(const view *w, const cdag_element *e)
{
  feet f = { .w = w, .able = true };
  cdag_each_predecessor(w->g, e->array, e->x, look_at_foot, &f);
  return f;
}

static bool find_target(const view *w, cdag_element *target, feet *best)
{
  bool found = false;
  cdag_element e;
  for (uint64_t v = 0; v < w->g->vertices; v++) {
    if (!w->todo[v])
      continue;
    cdag_at(w->g, v, &e);
    feet f = feet_of(w, &e);
    if (f.able && (!found || f.lacking < best->lacking)) {
      *best = f;
      *target = e;
      found = true;
    }
  }
  return found;
}

/* ---- room ---- */

typedef struct { const cdag *g; const cdag_element *kept; bool same; } keeping;

static bool is_kept(void *context, const cdag_element *e, int term)
{
  keeping *k = context;
  (void)term;
  k->same = cdag_id(k->g, e->array, e->x) == cdag_id(k->g, k->kept->array, k->kept->x);
  return !k->same;
}

static bool feeds(const view *w, const cdag_element *e, const cdag_element *target)
{
  keeping k = { w->g, e, false };
  cdag_each_predecessor(w->g, target->array, target->x, is_kept, &k);
  return k.same;
}

/* Of the red vertices that target does not need: one that nothing needs, else one that is blue too, else one to be
 * stored. */
static bool make_room(const view *w, const cdag_element *target, text *line)
{
  cdag_element e, blue = { 0 }, other = { 0 };
  bool has_blue = false, has_other = false;
  for (uint64_t v = 0; v < w->g->vertices; v++) {
    cdag_at(w->g, v, &e);
    if (!is_red(w, &e) || feeds(w, &e, target))
      continue;
    if (!w->needed[v])
      return say(w, line, "drop ", &e);
    if (is_blue(w, &e) && !has_blue) {
      has_blue = true;
      blue = e;
    } else if (!has_other) {
      has_other = true;
      other = e;
    }
  }
  if (has_blue)
    return say(w, line, "drop ", &blue);
  return has_other && say(w, line, "store ", &other);
}

static bool advance(const view *w, const pebble_rules *rules, text *line)
{
  cdag_element target;
  feet f;
  if (!find_target(w, &target, &f))
    return false;
  if (w->reds < rules->m)
    return f.lacking ? say(w, line, "load ", &f.first) : say(w, line, "compute ", &target);
  if (f.lacking == 0 && rules->variant == PEBBLE_SLIDING && f.gives) {
    say(w, line, "compute ", &target);
    return say(w, line, " dropping ", &f.given);
  }
  return make_room(w, &target, line);
}

bool cli_play_hint(const cdag *g, const pebble_game *game, const pebble_rules *rules, text *line)
{
  view w = { .g = g, .game = game };
  cdag_element e;
  bool found = false;
  w.todo = MEM_NEW(uint8_t, g->vertices);
  w.needed = MEM_NEW(uint32_t, g->vertices);
  w.stack = MEM_NEW(uint64_t, g->vertices);
  look(&w);
  for (uint64_t v = 0; v < g->vertices && !found; v++) {
    cdag_at(g, v, &e);
    found = is_red(&w, &e) && is_owed(&w, &e) && say(&w, line, "store ", &e);
  }
  found = found || advance(&w, rules, line);
  mem_free(w.todo);
  mem_free(w.needed);
  mem_free(w.stack);
  return found;
}
