/* lesson_tiles.c -- a large computation as grids of tiles.

   An array is cut, along each index, wherever a box seen or a position seen begins or ends: so a tile is never partly
   red or partly blue, and what is drawn is the position itself.  Where positions have too many corners (a triangle's
   edge) only the boxes cut, where these are too many only some of them, and the page stripes a tile that is red in
   part.  Of each loop the first and the last iterations are seen, as many as the limits below allow; counts are those
   of the tile engine, which plays all iterations or infers them. */
#include "base/mem.h"
#include "pebble/tile/look.h"
#include "report/lesson_internal.h"
#include "schedules/play/watch.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIGHTS = 600, TILES = 1500, BOXES = 8000, LAST_BOXES = 64000 }; /* rather a page of 2 MB than none */
enum { LEAP = 5, START = 6 };   /* after the kinds of moves */
static const int64_t exact = INT64_C(1) << 53; /* what a browser counts exactly */

typedef struct {
  int64_t *at;
  size_t n, room;
} cuts;

typedef enum { BY_POSITIONS, BY_BOXES, BY_SOME_BOXES } cutting;

typedef struct {
  const cdag *g;
  cuts *cut;                   /* CDAG_RANK for each array */
  cutting by;
} grid;

/* ---- where the arrays are cut ---- */

static void grid_init(grid *t, const cdag *g, cutting by)
{
  t->g = g;
  t->by = by;
  t->cut = MEM_NEW(cuts, (size_t)g->arrays * CDAG_RANK);
}

static void grid_clear(grid *t)
{
  for (int i = 0; t->cut && i < t->g->arrays * CDAG_RANK; i++)
    mem_free(t->cut[i].at);
  mem_free(t->cut);
  *t = (grid){ 0 };
}

static cuts *cuts_of(const grid *t, int array, int r) { return &t->cut[array * CDAG_RANK + r]; }

/* Keeps the list sorted; it is short. */
static void cut(cuts *c, int64_t at)
{
  size_t lo = 0, hi = c->n;
  while (lo < hi) {
    size_t middle = (lo + hi) / 2;
    if (c->at[middle] < at)
      lo = middle + 1;
    else
      hi = middle;
  }
  if (lo < c->n && c->at[lo] == at)
    return;
  c->at = mem_room(c->at, c->n, &c->room, sizeof *c->at);
  memmove(c->at + lo + 1, c->at + lo, (c->n - lo) * sizeof *c->at);
  c->at[lo] = at;
  c->n++;
}

static void cut_box(grid *t, int array, const cdag_box *b)
{
  const cdag_array *a = &t->g->array[array];
  cdag_box part = *b;
  if (!pebble_box_clip(&part, &a->hull, a->rank))
    return;
  for (int r = 0; r < a->rank; r++) {
    cut(cuts_of(t, array, r), part.lo[r]);
    cut(cuts_of(t, array, r), part.hi[r]);
  }
}

static void cut_hulls(grid *t)
{
  for (int a = 0; a < t->g->arrays; a++)
    cut_box(t, a, &t->g->array[a].hull);
}

static uint64_t tiles_of(const grid *t, int array)
{
  uint64_t n = 1;
  for (int r = 0; r < t->g->array[array].rank && n <= TILES; r++)
    n *= cuts_of(t, array, r)->n > 0 ? cuts_of(t, array, r)->n - 1 : 0;
  return n;
}

static uint64_t tiles(const grid *t)
{
  uint64_t n = 0;
  for (int a = 0; a < t->g->arrays && n <= TILES; a++)
    n += tiles_of(t, a);
  return n;
}

static bool fits(const grid *t) { return t->by == BY_SOME_BOXES || tiles(t) <= TILES; }

/* Of the places in c without which it is still a list of tiles, the one between the nearest neighbours goes. */
static void drop_cut(cuts *c)
{
  size_t least = 1;
  for (size_t i = 2; i + 1 < c->n; i++)
    if (c->at[i + 1] - c->at[i - 1] < c->at[least + 1] - c->at[least - 1])
      least = i;
  c->n--;
  memmove(c->at + least, c->at + least + 1, (c->n - least) * sizeof *c->at);
}

/* Until the tiles are few, the index that is cut most, of the array with most tiles, is cut at one place less. */
static void thin(grid *t)
{
  while (tiles(t) > TILES) {
    int array = 0;
    for (int a = 1; a < t->g->arrays; a++)
      if (tiles_of(t, a) > tiles_of(t, array))
        array = a;
    cuts *most = cuts_of(t, array, 0);
    for (int r = 1; r < t->g->array[array].rank; r++)
      if (cuts_of(t, array, r)->n > most->n)
        most = cuts_of(t, array, r);
    drop_cut(most);
  }
}

/* ---- what would be seen ---- */

typedef struct { uint64_t first, last; cutting by; } viewing;
typedef struct { grid *t; uint64_t moves; } preview;

static bool preview_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)at, (void)box, (void)slot;
  preview *p = context;
  cut_box(p->t, move->array, &move->box);
  return ++p->moves <= SIGHTS;
}

/* Are the boxes few when this many iterations of each loop are seen?  A guess: positions may cut more. */
static status is_few(const report_lesson *l, const viewing *how, bool *few, diag *d)
{
  grid t = { 0 };
  preview p = { &t, 0 };
  grid_init(&t, l->g, how->by);
  cut_hulls(&t);
  status st = schedule_watch_moves(l->s, how->first, how->last, preview_move, &p, d);
  *few = p.moves <= SIGHTS && fits(&t);
  grid_clear(&t);
  return st;
}

/* ---- what is seen ---- */

typedef struct {
  json j;                      /* the sights so far */
  const cdag *g;
  grid t;
  pebble_tiles *red, *blue;    /* by array: as last written */
  num_count loads, stores, computes;
  num_count *loads_by, *stores_by;
  size_t sights, boxes;
} seeing;

static void seeing_init(seeing *s, const cdag *g, cutting by)
{
  size_t n = (size_t)g->arrays;
  *s = (seeing){ .g = g };
  grid_init(&s->t, g, by);
  cut_hulls(&s->t);
  s->red = MEM_NEW(pebble_tiles, n);
  s->blue = MEM_NEW(pebble_tiles, n);
  s->loads_by = MEM_NEW(num_count, n);
  s->stores_by = MEM_NEW(num_count, n);
  for (size_t a = 0; a < n; a++) {
    pebble_tiles_init(&s->red[a], g->array[a].rank);
    pebble_tiles_init(&s->blue[a], g->array[a].rank);
  }
}

static void seeing_clear(seeing *s)
{
  for (int a = 0; s->g && a < s->g->arrays; a++) {
    pebble_tiles_clear(&s->red[a]);
    pebble_tiles_clear(&s->blue[a]);
  }
  mem_free(s->red);
  mem_free(s->blue);
  mem_free(s->loads_by);
  mem_free(s->stores_by);
  grid_clear(&s->t);
  json_clear(&s->j);
  *s = (seeing){ 0 };
}

static void put_box(json *j, const cdag_box *b, int rank)
{
  json_open(j, '[');
  for (int r = 0; r < rank; r++) {
    json_int(j, b->lo[r]);
    json_int(j, b->hi[r]);
  }
  json_close(j, ']');
}

static bool alike(const pebble_tiles *a, const pebble_tiles *b)
{
  bool same = a->n == b->n;
  for (size_t i = 0; same && i < a->n; i++)
    same = pebble_box_equal(&a->box[i], &b->box[i], a->rank);
  return same;
}

/* [colour, array, boxes], when the list changed. */
static void put_change(seeing *s, int colour, int array, const pebble_tiles *now, pebble_tiles *then)
{
  if (alike(now, then))
    return;
  json_open(&s->j, '[');
  json_int(&s->j, colour);
  json_int(&s->j, array);
  json_open(&s->j, '[');
  for (size_t i = 0; i < now->n; i++) {
    put_box(&s->j, &now->box[i], now->rank);
    if (s->t.by == BY_POSITIONS)
      cut_box(&s->t, array, &now->box[i]);
  }
  json_close(&s->j, ']');
  json_close(&s->j, ']');
  s->boxes += now->n;
  pebble_tiles_copy(then, now);
}

static void put_position(seeing *s, const pebble_game *game)
{
  json_open(&s->j, '[');
  for (int a = 0; a < s->g->arrays; a++) {
    put_change(s, 0, a, pebble_red_tiles(game, a), &s->red[a]);
    put_change(s, 1, a, pebble_blue_tiles(game, a), &s->blue[a]);
  }
  json_close(&s->j, ']');
}

static num_count grown(num_count now, num_count *then)
{
  num_count by = now - *then;
  *then = now;
  return by;
}

/* [array, loads, stores] of the arrays that moved. */
static void put_traffic(seeing *s, const pebble_game *game)
{
  const num_count *loads = pebble_loads_by_array(game), *stores = pebble_stores_by_array(game);
  json_open(&s->j, '[');
  for (int a = 0; a < s->g->arrays; a++) {
    num_count in = grown(loads[a], &s->loads_by[a]), out = grown(stores[a], &s->stores_by[a]);
    if (in || out) {
      json_open(&s->j, '[');
      json_int(&s->j, a);
      json_uint(&s->j, in);
      json_uint(&s->j, out);
      json_close(&s->j, ']');
    }
  }
  json_close(&s->j, ']');
}

static void put_what(seeing *s, const schedule_sight *sight)
{
  json *j = &s->j;
  if (!sight->move) {
    json_int(j, sight->at ? LEAP : START);
    json_int(j, sight->at ? sight->at->loop : 0);
    json_int(j, sight->at ? sight->at->line : 0);
    json_open(j, '[');
    json_uint(j, sight->from);
    json_uint(j, sight->to);
    json_uint(j, sight->inferred);
    json_close(j, ']');
    return;
  }
  json_int(j, sight->move->kind);
  json_int(j, sight->move->array);
  json_int(j, sight->at->box[sight->box].line);
  cdag_box b = sight->move->box;
  pebble_box_clip(&b, &s->g->array[sight->move->array].hull, s->g->array[sight->move->array].rank);
  put_box(j, &b, s->g->array[sight->move->array].rank);
  cut_box(&s->t, sight->move->array, &b);
}

/* [kind, array or loop, line, box or iterations, loops, computes, red, peak, traffic, changes of position] */
static bool see(void *context, const schedule_sight *sight)
{
  seeing *s = context;
  json_open(&s->j, '[');
  put_what(s, sight);
  json_string(&s->j, sight->loops);
  json_uint(&s->j, grown(pebble_verdict_of(sight->game)->computes, &s->computes));
  json_uint(&s->j, pebble_red_count(sight->game));
  json_uint(&s->j, sight->peak);
  put_traffic(s, sight->game);
  put_position(s, sight->game);
  json_close(&s->j, ']');
  s->sights++;
  return s->boxes <= (s->t.by == BY_SOME_BOXES ? LAST_BOXES : BOXES) && fits(&s->t);
}

/* ---- arrays and verdict ---- */

typedef struct telling {
  json *j;
  const grid *t;
  int array;
  void (*tell)(const struct telling *k, const cdag_box *tile);
} telling;

/* Of every tile, in lexicographic order. */
static void tell_tiles(const telling *k, cdag_box *b, int r)
{
  if (r == k->t->g->array[k->array].rank) {
    k->tell(k, b);
    return;
  }
  const cuts *c = cuts_of(k->t, k->array, r);
  for (size_t i = 0; i + 1 < c->n; i++) {
    b->lo[r] = c->at[i];
    b->hi[r] = c->at[i + 1];
    tell_tiles(k, b, r + 1);
  }
}

static void put_list(json *j, const char *key, const grid *t, int array,
                     void (*tell)(const telling *k, const cdag_box *tile))
{
  telling k = { j, t, array, tell };
  cdag_box b = { .lo = { 0 } };
  json_put_open(j, key, '[');
  tell_tiles(&k, &b, 0);
  json_close(j, ']');
}

/* A domain that is no box leaves some tiles empty, some smaller. */
static void tell_size(const telling *k, const cdag_box *tile)
{
  json_uint(k->j, cdag_box_count(k->t->g, k->array, tile));
}

/* A tile is drawn as output when its first and last elements are. */
static void tell_output(const telling *k, const cdag_box *tile)
{
  const cdag *g = k->t->g;
  int64_t last[CDAG_RANK];
  for (int r = 0; r < g->array[k->array].rank; r++)
    last[r] = tile->hi[r] - 1;
  bool ends = cdag_exists(g, k->array, tile->lo) && cdag_exists(g, k->array, last);
  json_int(k->j, ends && cdag_is_output(g, k->array, tile->lo) && cdag_is_output(g, k->array, last));
}

static void put_cuts(json *j, const grid *t, int array)
{
  json_put_open(j, "cuts", '[');
  for (int r = 0; r < t->g->array[array].rank; r++) {
    const cuts *c = cuts_of(t, array, r);
    json_open(j, '[');
    for (size_t i = 0; i < c->n; i++)
      json_int(j, c->at[i]);
    json_close(j, ']');
  }
  json_close(j, ']');
}

static void put_array(json *j, const grid *t, int array)
{
  const cdag_array *a = &t->g->array[array];
  json_open(j, '{');
  json_put_string(j, "name", a->name);
  json_put_uint(j, "count", a->count);
  put_cuts(j, t, array);
  if (!a->rectangular)
    put_list(j, "sizes", t, array, tell_size);
  if (cdag_has_output(t->g, array))
    put_list(j, "outputs", t, array, tell_output);
  json_close(j, '}');
}

static void put_message(json *j, const cdag *g, const schedule_verdict *v)
{
  SCOPED_TEXT said = { 0 };
  if (v->verdict.rule == PEBBLE_VALUE)
    text_printf(&said, "line %d: %s", v->line, v->why);
  else if (!v->verdict.legal) {
    text_printf(&said, "rule '%s' broken at ", pebble_rule_name(v->verdict.rule));
    cdag_element_print(&said, g, &v->verdict.element);
    if (v->line)
      text_printf(&said, ", line %d", v->line);
    if (v->loops.n)
      text_printf(&said, " (%s)", text_str(&v->loops));
  }
  json_put_string(j, "message", text_str(&said));
}

static void put_verdict(json *j, const cdag *g, const schedule_verdict *v, const viewing *how)
{
  json_put_open(j, "verdict", '{');
  json_put_bool(j, "legal", v->verdict.legal);
  json_put_uint(j, "loads", v->verdict.loads);
  json_put_uint(j, "stores", v->verdict.stores);
  json_put_uint(j, "computes", v->verdict.computes);
  json_put_uint(j, "peak", v->verdict.peak);
  json_put_uint(j, "inferred", v->inferred);
  json_put_uint(j, "first", how->first);
  json_put_uint(j, "last", how->last);
  json_put_bool(j, "coarse", how->by != BY_POSITIONS);
  put_message(j, g, v);
  json_close(j, '}');
}

static void put_loops(json *j, const schedule *s)
{
  json_put_open(j, "loops", '[');
  for (int i = 0; i < s->loops; i++)
    json_string(j, s->loop[i].name);
  json_close(j, ']');
}

static void put_all(json *j, const report_lesson *l, const seeing *s, const schedule_verdict *v, const viewing *how)
{
  json_put_open(j, "arrays", '[');
  for (int a = 0; a < l->g->arrays; a++)
    put_array(j, &s->t, a);
  json_close(j, ']');
  put_loops(j, l->s);
  put_verdict(j, l->g, v, how);
  json_key(j, "sights");
  json_raw(j, text_str(&s->j.out));
}

static status watch(json *j, const report_lesson *l, const viewing *how, diag *d)
{
  seeing s;
  schedule_verdict v = { 0 };
  seeing_init(&s, l->g, how->by);
  schedule_watching o = { .rules = l->rules, .first = how->first, .last = how->last, .visit = see, .context = &s };
  json_open(&s.j, '[');
  status st = schedule_watch(l->s, &o, &v, d);
  json_close(&s.j, ']');
  if (st == OK && v.verdict.computes >= (uint64_t)exact)
    st = diag_set(d, BAD_INPUT, "limit",
                  "the numbers are larger than a browser counts exactly: give smaller parameters");
  if (st == OK) {
    thin(&s.t);
    put_all(j, l, &s, &v, how);
  }
  schedule_verdict_clear(&v);
  seeing_clear(&s);
  return st;
}

/* ---- the question ---- */

status report_lesson_tiles(json *j, const report_lesson *l, diag *d)
{
  static const struct {
    uint64_t first, last;
  } iterations[] = { { SIGHTS, 1 }, { 64, 8 }, { 24, 4 }, { 12, 3 }, { 8, 2 },
                     { 6, 2 },      { 4, 2 },  { 3, 1 },  { 2, 1 },  { 1, 1 } };
  enum { MOST = sizeof iterations / sizeof *iterations, FEW = 6 }; /* a grid of some boxes shows few iterations */
  for (cutting by = BY_POSITIONS; by <= BY_SOME_BOXES; by++)
    for (size_t i = by == BY_SOME_BOXES ? FEW : 0; i < MOST; i++) {
      viewing how = { iterations[i].first, iterations[i].last, by };
      bool few;
      status st = is_few(l, &how, &few, d);
      if (st == OK && few)
        st = watch(j, l, &how, d);
      if (st != GAVE_UP && (st != OK || few))
        return st;
    }
  return diag_set(d, GAVE_UP, "limit",
                  "the first and the last iterations show too much for a page: give smaller parameters");
}
