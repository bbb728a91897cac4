/* draw.c -- where vertices stand, and what they look like.

   Arrays stand in columns, each to the right of what it reads; inside an array the last two indices run down and to the
   right, a third one along the diagonal of a cell, further pairs from block to block.  The vertices of a graph stand by
   the longest path that leads to them. */
#include "report/draw.h"
#include "base/mem.h"
#include "schedules/play/elementary.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELL 22.0              /* points from one vertex to the next */
#define RADIUS 6.0
#define DIAGONAL 0.62          /* of a cell: from one vertex to the next along a cell's diagonal */
#define BLOCK 0.7              /* of a cell: between blocks */
#define LAYER 3.0              /* cells from one layer of a graph to the next */
#define PANEL 2.2              /* of a cell: between arrays */
enum { SMALL_EDGES = 600, NUMBERED = 150 };

static const scene_colour black = { 30, 30, 30 }, white = { 255, 255, 255 }, grey = { 205, 208, 212 },
                          pale = { 225, 228, 232 }, edge_ink = { 150, 155, 163 }, red = { 205, 45, 40 },
                          blue = { 25, 100, 190 };
static const scene_colour segments[] = { { 0, 114, 178 },  { 230, 159, 0 }, { 0, 158, 115 },  { 204, 121, 167 },
                                         { 86, 180, 233 }, { 213, 94, 0 },  { 240, 228, 66 }, { 110, 80, 40 } };

typedef struct { double x, y; } point;

typedef struct {
  const report_drawing *w;
  cdag_graph e;
  point *at;                   /* of each vertex */
  double width, height;        /* in cells */
  point *name_at;              /* of each array */
  uint8_t *red, *blue;         /* pebbles */
  int64_t *computed;           /* the first computation: its number, or its segment; -1: none */
  int64_t moves, loads, stores, reds, computes;
} drawing;

/* ---- inside an array ---- */

typedef struct { point step[CDAG_RANK]; double width, height; } panel;

/* How far each index moves a vertex, from the last index to the first. */
static void panel_of(const cdag_array *a, panel *p)
{
  int r = a->rank - 1;
  *p = (panel){ .width = 1, .height = 1 };
  int64_t n[CDAG_RANK];
  for (int q = 0; q <= r; q++)
    n[q] = a->hull.hi[q] > a->hull.lo[q] ? a->hull.hi[q] - a->hull.lo[q] : 1;
  if (a->rank >= 3 && a->rank % 2 == 1) {
    p->step[r] = (point){ DIAGONAL, DIAGONAL };
    p->width = p->height = 1 + DIAGONAL * (double)(n[r] - 1);
    r--;
  }
  for (bool inner = true; r >= 0; inner = false) {
    double gap = inner && a->rank <= 3 ? (p->width > 1 ? BLOCK / 2 : 0) : inner ? 0 : BLOCK;
    p->step[r].x = p->width + gap;
    p->width += (double)(n[r] - 1) * p->step[r].x;
    if (--r < 0)
      break;
    p->step[r].y = p->height + gap;
    p->height += (double)(n[r] - 1) * p->step[r].y;
    r--;
  }
}

/* ---- arrays beside each other ---- */

/* An array's column: behind those before it in the text that it reads; an input's, before its first reader. */
static void find_columns(const cdag *g, int *column)
{
  for (int a = 0; a < g->arrays; a++) {
    column[a] = 0;
    for (int t = 0; t < g->array[a].terms; t++) {
      int b = g->array[a].term[t].array;
      if (b < a && column[b] >= column[a] && g->array[a].term[t].never == false)
        column[a] = column[b] + 1;
    }
  }
  for (int b = 0; b < g->arrays; b++) {
    int first = -1;
    for (int a = b + 1; a < g->arrays && g->array[b].terms == 0; a++)
      for (int t = 0; t < g->array[a].terms; t++)
        if (g->array[a].term[t].array == b && (first < 0 || column[a] < first))
          first = column[a];
    if (first > 0)
      column[b] = first - 1;
  }
}

static void place_array(drawing *v, int a, const panel *p, point corner)
{
  const cdag *g = v->w->g;
  cdag_element e;
  for (uint64_t id = g->array[a].first; id < g->array[a].first + g->array[a].count; id++) {
    cdag_at(g, id, &e);
    point at = { corner.x + 0.5, corner.y + 0.5 };
    for (int r = 0; r < g->array[a].rank; r++) {
      at.x += p->step[r].x * (double)(e.x[r] - g->array[a].hull.lo[r]);
      at.y += p->step[r].y * (double)(e.x[r] - g->array[a].hull.lo[r]);
    }
    v->at[id] = at;
  }
  v->name_at[a] = (point){ corner.x + p->width / 2, corner.y - 0.35 };
}

static void place_arrays(drawing *v)
{
  const cdag *g = v->w->g;
  int *column = MEM_NEW(int, g->arrays), last = 0;
  SCOPED_MEM panel *p = MEM_NEW(panel, g->arrays);
  find_columns(g, column);
  for (int a = 0; a < g->arrays; a++) {
    panel_of(&g->array[a], &p[a]);
    last = column[a] > last ? column[a] : last;
  }
  for (int pass = 0; pass < 2; pass++) { /* the height first, for the middle of each column */
    double x = 0;
    for (int c = 0; c <= last; c++) {
      double wide = 0, high = 0, y;
      for (int a = 0; a < g->arrays; a++)
        if (column[a] == c && g->array[a].count > 0)
          wide = fmax(wide, p[a].width), high += p[a].height + PANEL;
      v->height = fmax(v->height, high);
      y = (v->height - high) / 2 + PANEL / 2;
      for (int a = 0; a < g->arrays && pass; a++)
        if (column[a] == c && g->array[a].count > 0) {
          place_array(v, a, &p[a], (point){ x + (wide - p[a].width) / 2, y });
          y += p[a].height + PANEL;
        }
      x += wide + PANEL;
    }
    v->width = x - PANEL;
  }
  mem_free(column);
}

/* ---- a graph's vertices ---- */

/* The longest path to each vertex; returns the greatest. */
static uint32_t find_depths(const cdag_graph *e, uint32_t *depth)
{
  uint32_t deepest = 0, *order = MEM_NEW(uint32_t, e->n);
  cdag_graph_topological(e, order);
  for (uint32_t i = 0; i < e->n; i++) {
    uint32_t x = order[i];
    for (uint32_t k = e->pred_at[x]; k < e->pred_at[x + 1]; k++)
      depth[x] = depth[e->pred[k]] >= depth[x] ? depth[e->pred[k]] + 1 : depth[x];
    deepest = depth[x] > deepest ? depth[x] : deepest;
  }
  mem_free(order);
  return deepest;
}

/* The middle of what a vertex reads. */
static double middle_of(const drawing *v, uint32_t x)
{
  double sum = 0;
  uint32_t reads = v->e.pred_at[x + 1] - v->e.pred_at[x];
  for (uint32_t k = v->e.pred_at[x]; k < v->e.pred_at[x + 1]; k++)
    sum += v->at[v->e.pred[k]].y;
  return reads ? sum / reads : (double)x;
}

/* A layer, in the order of the numbers or of the middles of what its vertices read. */
static void place_layer(drawing *v, const uint32_t *depth, uint32_t c, bool by_middle, uint32_t *order, double *middle)
{
  uint32_t m = 0;
  for (uint32_t x = 0; x < v->e.n; x++) {
    uint32_t i = m;
    if (depth[x] != c)
      continue;
    middle[x] = by_middle ? middle_of(v, x) : (double)x;
    for (m++; i > 0 && middle[order[i - 1]] > middle[x]; i--)
      order[i] = order[i - 1];
    order[i] = x;
  }
  for (uint32_t i = 0; i < m; i++)
    v->at[order[i]] = (point){ 0.5 + LAYER * c, ((double)i + 0.5) * v->height / m };
}

static double length_of_edges(const drawing *v)
{
  double sum = 0;
  for (uint32_t x = 0; x < v->e.n; x++)
    for (uint32_t k = v->e.pred_at[x]; k < v->e.pred_at[x + 1]; k++)
      sum += fabs(v->at[v->e.pred[k]].y - v->at[x].y);
  return sum;
}

/* Layers by the longest path; the order in which edges are shorter. */
static void place_graph(drawing *v)
{
  uint32_t n = v->e.n, *depth = MEM_NEW(uint32_t, n), deepest = find_depths(&v->e, depth),
           *row = MEM_NEW(uint32_t, deepest + 1), *order = MEM_NEW(uint32_t, n);
  double *middle = MEM_NEW(double, n), length[2];
  for (uint32_t x = 0; x < n; x++)
    row[depth[x]]++;
  for (uint32_t c = 0; c <= deepest; c++)
    v->height = fmax(v->height, row[c]);
  for (int pass = 0; pass < 3; pass++) {
    for (uint32_t c = 0; c <= deepest; c++)
      place_layer(v, depth, c, pass < 2 ? pass : length[1] < length[0], order, middle);
    if (pass < 2)
      length[pass] = length_of_edges(v);
  }
  v->width = LAYER * deepest + 1;
  mem_free(middle), mem_free(order), mem_free(row), mem_free(depth);
}

/* ---- the play ---- */

/* A segment begins with a load or store; what is computed before the first belongs to the first segment. */
static int64_t segment_now(const drawing *v)
{
  int64_t io = v->loads + v->stores;
  return io > 0 ? (io - 1) / v->w->segment : 0;
}

static bool take_step(void *context, const schedule_step *step)
{
  drawing *v = context;
  uint64_t x = cdag_id(v->w->g, step->element.array, step->element.x);
  if (v->w->at >= 0 && v->moves == v->w->at)
    return false;
  v->moves++;
  if (step->slides)
    v->red[cdag_id(v->w->g, step->slide.array, step->slide.x)] = 0, v->reds--;
  switch (step->kind) {
  case PEBBLE_LOAD: v->loads++, v->reds += !v->red[x], v->red[x] = 1; break;
  case PEBBLE_STORE: v->stores++, v->blue[x] = 1; break;
  case PEBBLE_DROP: v->reds -= v->red[x], v->red[x] = 0; break;
  case PEBBLE_ERASE: v->blue[x] = 0; break;
  case PEBBLE_COMPUTE:
    v->reds += !v->red[x], v->red[x] = 1;
    if (v->computed[x] < 0)
      v->computed[x] = v->w->segment > 0 ? segment_now(v) : v->computes;
    v->computes++;
    break;
  }
  return true;
}

static status play(drawing *v, diag *d)
{
  const report_drawing *w = v->w;
  schedule_play_options o = { .rules = w->rules, .engine = PEBBLE_BY_ELEMENT };
  schedule_verdict judged = { 0 };
  status st = schedule_play(w->s, &o, &judged, d);
  if (st == OK && !judged.verdict.legal)
    st = diag_set(d, BAD_INPUT, "illegal", "the schedule breaks a rule (%s); redblue verify says where",
                  pebble_rule_name(judged.verdict.rule));
  schedule_verdict_clear(&judged);
  for (uint32_t x = 0; x < v->e.n; x++)
    v->blue[x] = cdag_graph_is_input(&v->e, x);
  if (st == OK)
    st = schedule_each_step(w->s, &w->rules, take_step, v, d);
  if (st == OK && w->at > v->moves)
    st =
        diag_set(d, BAD_USAGE, "usage", "the schedule has %lld moves, not %lld", (long long)v->moves, (long long)w->at);
  return st;
}

/* ---- marks ---- */

static point on_paper(const drawing *v, uint32_t x) { return (point){ CELL * v->at[x].x, CELL * v->at[x].y }; }

/* An edge along a row of its array, or past a layer of a graph, would run through those between: it is bent. */
static double bend_of(const drawing *v, point from, point to)
{
  double dx = fabs(to.x - from.x), dy = fabs(to.y - from.y), far = hypot(dx, dy);
  double next = v->w->g->graph ? LAYER * CELL : CELL;
  bool along = (dx < 0.01 && dy > 1.1 * CELL) || (dy < 0.01 && dx > 1.1 * next);
  return along ? fmin(0.25 * far, 1.2 * CELL) : 0;
}

/* A line from a vertex to where another begins. */
static void draw_line(const drawing *v, uint32_t from, uint32_t to, scene_mark m, scene *s)
{
  point here = on_paper(v, from), there = on_paper(v, to);
  double px, py;
  m.kind = SCENE_LINE, m.x = here.x, m.y = here.y, m.to_x = there.x, m.to_y = there.y;
  m.bend = bend_of(v, here, there);
  scene_pull(&m, &px, &py);
  double far = hypot(there.x - px, there.y - py);
  if (far > RADIUS)
    m.to_x -= RADIUS * (there.x - px) / far, m.to_y -= RADIUS * (there.y - py) / far;
  scene_add(s, &m);
}

static void draw_edges(const drawing *v, scene *s)
{
  bool few = v->e.m <= SMALL_EDGES;
  const report_wave *wave = v->w->wave;
  for (uint32_t x = 0; x < v->e.n; x++)
    for (uint32_t k = v->e.pred_at[x]; k < v->e.pred_at[x + 1]; k++)
      draw_line(v, v->e.pred[k], x, (scene_mark){ .arrow = few, .width = few ? 0.7 : 0.35, .ink = edge_ink }, s);
  for (size_t i = 0; wave && i < wave->arcs; i++) {
    const report_arc *a = &wave->arc[i];
    draw_line(v, a->backward ? a->to : a->from, a->backward ? a->from : a->to,
              (scene_mark){ .arrow = true, .width = 1.8, .ink = a->backward ? blue : black }, s);
  }
}

/* From light to dark, as the play goes on. */
static scene_colour shade(double share)
{
  return (scene_colour){ (int)lround(235 - 200 * share), (int)lround(240 - 150 * share),
                         (int)lround(250 - 90 * share) };
}

static scene_colour inside(const drawing *v, uint32_t x)
{
  const report_drawing *w = v->w;
  for (size_t i = 0; w->wave && i < w->wave->cuts; i++)
    if (w->wave->cut[i] == x)
      return segments[1];
  if (w->wave && w->wave->x == x)
    return red;
  if (!w->s)
    return cdag_graph_is_input(&v->e, x) ? pale : white;
  if (w->at >= 0)
    return v->red[x] ? red : v->computed[x] >= 0 ? grey : white;
  if (v->computed[x] < 0)
    return pale;
  return w->segment > 0 ? segments[(size_t)v->computed[x] % (sizeof segments / sizeof *segments)]
                        : shade((double)v->computed[x] / (double)(v->computes > 1 ? v->computes - 1 : 1));
}

static void draw_vertex(const drawing *v, uint32_t x, scene *s)
{
  const report_drawing *w = v->w;
  point at = on_paper(v, x);
  bool input = cdag_graph_is_input(&v->e, x), holds_blue = w->at >= 0 && w->s && v->blue[x];
  scene_mark m = { .kind = input ? SCENE_SQUARE : SCENE_DISC,
                   .x = at.x,
                   .y = at.y,
                   .size = input ? 0.88 * RADIUS : RADIUS,
                   .width = 0.8,
                   .ink = black,
                   .fill = white };
  if (v->e.output[x] && !input) { /* an output: a second rim */
    scene_mark outer = m;
    outer.size += 2.2;
    scene_add(s, &outer);
  }
  if (holds_blue)
    m.ink = blue, m.width = 2.6;
  m.fill = inside(v, x);
  scene_add(s, &m);
  if (w->s && w->at < 0 && v->computed[x] >= 0 && v->e.n <= NUMBERED) {
    char number[24];
    double dark = w->segment > 0 ? 0.4 : (double)v->computed[x] / (double)(v->computes > 1 ? v->computes - 1 : 1);
    snprintf(number, sizeof number, "%lld", (long long)v->computed[x] + 1);
    scene_words(s, at.x, at.y, 0.5, strlen(number) > 2 ? 5 : 6.5, dark > 0.45 ? white : black, number);
  }
}

static void draw_names(const drawing *v, scene *s)
{
  const cdag *g = v->w->g;
  if (!g->graph)
    for (int a = 0; a < g->arrays; a++) {
      SCOPED_TEXT name = { 0 };
      text_add(&name, g->array[a].name);
      for (int r = 0; r < g->array[a].rank; r++)
        if (g->array[a].var[r][0])
          text_printf(&name, "%s%s%s", r ? "," : "[", g->array[a].var[r], r == g->array[a].rank - 1 ? "]" : "");
      if (g->array[a].count > 0)
        scene_words(s, CELL * v->name_at[a].x, CELL * v->name_at[a].y, 0.5, 9.5, black, text_str(&name));
    }
  else
    for (uint32_t x = 0; x < v->e.n && v->e.name && v->e.n <= NUMBERED; x++)
      scene_words(s, on_paper(v, x).x, on_paper(v, x).y + RADIUS + 5, 0.5, 6, black, v->e.name[x]);
}

static void describe_wave(const report_wave *wave, uint64_t m, text *out)
{
  text_printf(out, "just %s the red vertex is computed: a flow of %lld to what comes later",
              wave->after ? "after" : "before", (long long)wave->flow);
  if (wave->cuts > 0)
    text_add(out, ", the weight of the orange cut");
  text_printf(out, "; %llu red pebbles carry %lld of it; the bound is %lld + %lld moves", (unsigned long long)m,
              (long long)wave->red, (long long)wave->compulsory, (long long)wave->gain);
}

/* What the colours mean, and the numbers of that moment. */
static void describe(const drawing *v, text *out)
{
  const report_drawing *w = v->w;
  if (w->wave)
    describe_wave(w->wave, w->rules.m, out);
  else if (!w->s)
    text_printf(out, "%lu vertices, %lu edges; squares are inputs, double rims outputs", (unsigned long)v->e.n,
                (unsigned long)v->e.m);
  else if (w->at >= 0)
    text_printf(out, "after move %lld: %lld of %llu red, loads %lld, stores %lld; a blue rim is a blue pebble",
                (long long)w->at, (long long)v->reds, (unsigned long long)w->rules.m, (long long)v->loads,
                (long long)v->stores);
  else if (w->segment > 0)
    text_printf(out, "loads %lld, stores %lld; the segment of %lld of them in which each vertex is computed first",
                (long long)v->loads, (long long)v->stores, (long long)w->segment);
  else
    text_printf(out, "loads %lld, stores %lld; vertices in the order of their first computation, from light to dark",
                (long long)v->loads, (long long)v->stores);
}

enum { MARGIN = 12, TITLE = 18, NOTE = 22 };
#define LETTER 4.7             /* the width of a letter of the note, about */

static void fit(const drawing *v, scene *s)
{
  double top = MARGIN + (v->w->title[0] ? TITLE : 0), wide = CELL * v->width, scale = 1;
  if (v->w->width > 0)
    scale = (v->w->width - 2 * MARGIN) / wide;
  for (size_t i = 0; i < s->n; i++) {
    scene_mark *m = &s->mark[i];
    m->x = MARGIN + scale * m->x, m->to_x = MARGIN + scale * m->to_x;
    m->y = top + scale * m->y, m->to_y = top + scale * m->to_y;
    m->bend *= scale, m->size *= scale, m->width *= scale;
  }
  s->width = 2 * MARGIN + scale * wide;
  s->height = top + scale * CELL * v->height + NOTE;
}

static void draw_all(const drawing *v, scene *s)
{
  SCOPED_TEXT note = { 0 };
  draw_edges(v, s);
  for (uint32_t x = 0; x < v->e.n; x++)
    draw_vertex(v, x, s);
  draw_names(v, s);
  fit(v, s);
  describe(v, &note);
  double least = LETTER * (double)note.n + 2 * MARGIN; /* room for the note */
  if (v->w->width <= 0 && s->width < least) {
    for (size_t i = 0; i < s->n; i++)
      s->mark[i].x += (least - s->width) / 2, s->mark[i].to_x += (least - s->width) / 2;
    s->width = least;
  }
  double size = fmin(8.5, 8.5 * (s->width - 2 * MARGIN) / (LETTER * (double)note.n));
  if (v->w->title[0])
    scene_words(s, MARGIN, MARGIN + 2, 0, 11, black, v->w->title);
  scene_words(s, MARGIN, s->height - NOTE / 2.0, 0, size, black, text_str(&note));
}

status report_draw(const report_drawing *w, scene *s, report_drawn *n, diag *d)
{
  drawing v = { .w = w };
  if (w->g->vertices > REPORT_DRAW_VERTICES)
    return diag_set(d, GAVE_UP, "limit",
                    "a drawing shows at most %d vertices, and here are %llu: give smaller parameters",
                    REPORT_DRAW_VERTICES, (unsigned long long)w->g->vertices);
  status st = cdag_materialise(w->g, REPORT_DRAW_VERTICES, &v.e, d);
  if (st != OK)
    return st;
  if (v.e.m > REPORT_DRAW_EDGES)
    st = diag_set(d, GAVE_UP, "limit", "a drawing shows at most %d edges: give smaller parameters", REPORT_DRAW_EDGES);
  v.at = MEM_NEW(point, v.e.n);
  v.name_at = MEM_NEW(point, (size_t)w->g->arrays);
  v.red = MEM_NEW(uint8_t, v.e.n);
  v.blue = MEM_NEW(uint8_t, v.e.n);
  v.computed = MEM_NEW(int64_t, v.e.n);
  memset(v.computed, 0xff, v.e.n * sizeof *v.computed);
  if (st == OK && w->s)
    st = play(&v, d);
  if (st == OK) {
    (w->g->graph ? place_graph : place_arrays)(&v);
    draw_all(&v, s);
    *n = (report_drawn){ v.e.n, v.e.m, v.moves, v.loads, v.stores, v.reds };
  }
  mem_free(v.computed), mem_free(v.blue), mem_free(v.red), mem_free(v.name_at), mem_free(v.at);
  cdag_graph_clear(&v.e);
  return st;
}
