#include "schedules/tiler/sweeps/alternating.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/nests/words.h"
#include "schedules/tiler/sweeps/sweep.h"
#include <inttypes.h>

enum { AXES = 2, STAGES_MOST = 8, SOURCES_MOST = 8, PASSES_MOST = 1 << 20 };
enum { IS_LEVEL = -1, IS_NUMBER = -2 };

/* An array that a stage reads: what each of its indices is, an axis or one of the above, plus a number; and from which
   place to which, beside its reader's, it is read. */
typedef struct {
  int array, is[CDAG_RANK];
  int64_t base[CDAG_RANK], lo[AXES], hi[AXES];
  bool once;                   /* at the first level only */
} source;

/* One array of a level.  Its values go along one axis, upwards (1) or downwards. */
typedef struct {
  const tiler_statement *s;
  int is[CDAG_RANK], along, way;
  int64_t least[AXES], most[AXES];
  int sources;
  source source[SOURCES_MOST]; /* the first one: the stage before */
} stage;

typedef struct {
  const cdag *g;
  const tiler_shape *shape;
  int stages;
  stage stage[STAGES_MOST];    /* the first one reads the last one of the level before */
  int64_t first, levels;
  char step[CDAG_NAME], place[CDAG_NAME], around[CDAG_NAME], block[CDAG_NAME];
} sweeps;

/* Stages from number `from` on, those of all levels counted through; walked along an axis, upwards or downwards, in
   blocks of the other one; 0: whole lines. */
typedef struct {
  int64_t from;
  int n, axis, way;
  int64_t block;
} pass;

/* ---- what is it? ---- */

static int index_of(const stage *k, int axis)
{
  int r = 0;
  while (k->is[r] != axis)
    r++;
  return r;
}

/* Index q of what the access reads, in the loops of its reader: which of these it is, plus *base. */
static bool plain_index(const stage *k, const tiler_access *a, int q, int *is, int64_t *base)
{
  tiler_index i = *tiler_said_index(a, q);
  if (i.kind != CDAG_AT || !i.affine)
    return false;
  *base = i.lo.base;
  i.lo.base = 0;
  int r = tiler_form_plain(&i.lo, k->s->rank);
  *is = r >= 0 ? k->is[r] : IS_NUMBER;
  return r >= 0 || tiler_form_constant(&i.lo, k->s->rank);
}

/* The read as a source, its places its own. */
static bool read_source(const sweeps *w, const stage *k, const tiler_access *a, source *x)
{
  int level = index_of(k, IS_LEVEL);
  *x = (source){ .array = a->array };
  for (int q = 0; q < a->rank; q++) {
    if (!plain_index(k, a, q, &x->is[q], &x->base[q]))
      return false;
    if (x->is[q] >= 0) {
      x->lo[x->is[q]] = x->hi[x->is[q]] = x->base[q];
      x->base[q] = 0;
    }
    if (x->is[q] == IS_LEVEL && !w->shape->s[a->array].computed) { /* of the first level, or of all */
      const tiler_statement *of = &w->shape->s[a->array];
      x->once = x->once || of->most[q] - x->base[q] == w->first + 1;
      if (of->least[q] - x->base[q] > w->first ||
          (!x->once && of->most[q] - x->base[q] < w->first + w->levels))
        return false;
    }
  }
  if (a->from[level] > w->first || (a->to[level] < w->first + w->levels && a->to[level] != w->first + 1))
    return w->shape->s[a->array].computed;
  x->once = x->once || a->to[level] == w->first + 1;
  return true;
}

/* One read of an array in one way is one source, with all places at which it is read. */
static bool add_source(stage *k, const source *x)
{
  for (int i = 0; i < k->sources; i++) {
    source *y = &k->source[i];
    if (y->array != x->array)
      continue;
    for (int q = 0; q < CDAG_RANK; q++)
      if (y->is[q] != x->is[q] || y->base[q] != x->base[q] || y->once != x->once)
        return false;
    for (int a = 0; a < AXES; a++) {
      y->lo[a] = num_min(y->lo[a], x->lo[a]);
      y->hi[a] = num_max(y->hi[a], x->hi[a]);
    }
    return true;
  }
  if (k->sources == SOURCES_MOST)
    return false;
  k->source[k->sources++] = *x;
  return true;
}

/* The read of its own array: the place before, or behind, along one axis. */
static bool read_own(stage *k, const source *x)
{
  for (int r = 0; r < k->s->rank; r++)
    if (x->is[r] != k->is[r] || x->base[r] != 0)
      return false;
  for (int a = 0; a < AXES; a++)
    if (x->lo[a]) {
      if (k->along >= 0 || (x->lo[a] != 1 && x->lo[a] != -1))
        return false;
      k->along = a;
      k->way = (int)-x->lo[a];
    }
  return k->along >= 0;
}

/* All reads of a stage whose indices are known.  Of computed arrays it reads one beside its own, which becomes the
   first source. */
static bool read_stage(const sweeps *w, stage *k, int *before)
{
  source x;
  *before = -1;
  k->along = -1;
  for (int r = 0; r < k->s->rank; r++)
    if (k->is[r] >= 0) {
      k->least[k->is[r]] = k->s->least[r];
      k->most[k->is[r]] = k->s->most[r];
      if (!tiler_bound_constant(&k->s->lo[r], k->s->rank) || !tiler_bound_constant(&k->s->hi[r], k->s->rank))
        return false;
    }
  for (int computed = 1; computed >= 0; computed--)
    for (int i = 0; i < k->s->accesses; i++) {
      const tiler_access *a = &k->s->access[i];
      if (w->shape->s[a->array].computed != computed || a->array == k->s->array)
        continue;
      if ((computed && *before >= 0 && *before != a->array) || !read_source(w, k, a, &x) || !add_source(k, &x))
        return false;
      *before = computed ? a->array : *before;
    }
  for (int i = 0; i < k->s->selves; i++)
    if (!read_source(w, k, &k->s->self[i], &x) || !read_own(k, &x))
      return false;
  return *before >= 0 && k->along >= 0;
}

/* What the indices of the stage before are, as its reader says; *later: it is of the level before. */
static bool indices_before(const stage *k, int *is, int64_t *back)
{
  const source *x = &k->source[0];
  int seen[AXES] = { 0 }, levels = 0;
  for (int q = 0; q < CDAG_RANK; q++)
    is[q] = x->is[q];
  for (int q = 0; q < k->s->rank; q++) {
    if (x->is[q] == IS_NUMBER)
      return false;
    if (x->is[q] == IS_LEVEL) {
      levels++;
      *back = -x->base[q];
    } else
      seen[x->is[q]]++;
  }
  return levels == 1 && seen[0] == 1 && seen[1] == 1;
}

/* From one array, of which index 0 is the level, round the circle of who is read: the stages, the last one first. */
static bool find_circle(sweeps *w, const tiler_statement *last)
{
  stage found[STAGES_MOST];
  int is[CDAG_RANK] = { IS_LEVEL, 0, 1 }, n = 0, before = last->array, computed = 0;
  int64_t back = 0;
  for (int a = 0; a < w->g->arrays; a++)
    computed += w->shape->s[a].computed;
  w->first = last->least[0];
  w->levels = last->most[0] - last->least[0];
  do {
    stage *k = &found[n];
    if (n == STAGES_MOST || w->shape->s[before].rank != 1 + AXES)
      return false;
    *k = (stage){ .s = &w->shape->s[before] };
    for (int r = 0; r < k->s->rank; r++)
      k->is[r] = is[r];
    if (k->s->least[index_of(k, IS_LEVEL)] != w->first || k->s->most[index_of(k, IS_LEVEL)] != w->first + w->levels ||
        !read_stage(w, k, &before) || !indices_before(k, is, &back))
      return false;
    n++;
  } while (back == 0 && before != last->array);
  if (back != 1 || before != last->array || n != computed || is[0] != IS_LEVEL || is[1] != 0)
    return false;
  for (w->stages = 0; w->stages < n; w->stages++)
    w->stage[w->stages] = found[n - 1 - w->stages];
  return true;
}

/* Of outputs there is the last level of the last stage alone. */
static bool find_sweeps(sweeps *w)
{
  const tiler_statement *last = NULL;
  for (int a = 0; a < w->g->arrays; a++)
    if (w->shape->s[a].computed && cdag_has_output(w->g, a)) {
      if (last)
        return false;
      last = &w->shape->s[a];
    }
  return last && last->rank == 1 + AXES && tiler_output_levels(w->g, last->array, 0, last->most[0]) == 1 &&
         find_circle(w, last) && w->stages >= 2;
}

/* ---- passes ---- */

static const stage *stage_at(const sweeps *w, int64_t number) { return &w->stage[number % w->stages]; }

static int64_t ahead_of(const source *x, const pass *p)
{
  return num_max(0, p->way > 0 ? x->hi[p->axis] : -x->lo[p->axis]);
}

static int64_t back_of(const source *x, const pass *p)
{
  return num_max(0, p->way > 0 ? -x->lo[p->axis] : x->hi[p->axis]);
}

/* Does the stage of that number read its source c?  Of the first level the first stage has no stage before it. */
static bool is_read(const sweeps *w, int64_t number, int c)
{
  return c == 0 ? number > 0 : !stage_at(w, number)->source[c].once || number < w->stages;
}

/* Does stage i drop its own line before, which its next reader would drop too soon, or nobody? */
static bool drops_own(const sweeps *w, const pass *p, int i)
{
  const source *x = &stage_at(w, p->from + i + 1)->source[0];
  return stage_at(w, p->from + i)->along == p->axis && (i + 1 == p->n || ahead_of(x, p) + back_of(x, p) == 0);
}

/* Does stage i of the pass drop what it reads as source c? */
static bool drops(const sweeps *w, const pass *p, int i, int c)
{
  return is_read(w, p->from + i, c) && (c > 0 || i == 0 || !drops_own(w, p, i - 1));
}

/* Lines on chip, and words besides: what waits between an array and its reader, the line that is made, and the line
   before of a stage whose values go along the walk, where no reader keeps it. */
static int64_t lines_of(const sweeps *w, const pass *p, int64_t *words)
{
  int64_t lines = 1;
  *words = 4;
  for (int i = 0; i < p->n; i++) {
    const stage *k = stage_at(w, p->from + i);
    int64_t parts = 0; /* inputs of the first level are parts of what stands for the level before */
    for (int c = 0; c < k->sources; c++) {
      const source *x = &k->source[c];
      int64_t its = ahead_of(x, p) + back_of(x, p);
      if (!is_read(w, p->from + i, c))
        continue;
      if (c == 0 || x->once)
        parts = num_max(parts, its);
      else
        lines += its + 1;
      *words += x->hi[!p->axis] - x->lo[!p->axis] + 1;
    }
    lines += parts + drops_own(w, p, i);
  }
  return lines;
}

/* May so many stages be one pass?  What goes along the walk goes its way; where lines are cut, what goes along them
   goes one way, and what is not loaded is read at its reader's own place of the line. */
static bool may_be(const sweeps *w, const pass *p, int *way)
{
  *way = 0;
  for (int i = 0; i < p->n; i++) {
    const stage *k = stage_at(w, p->from + i);
    if (k->along == p->axis ? k->way != p->way : p->block && *way && *way != k->way)
      return false;
    if (k->along != p->axis)
      *way = k->way;
    for (int c = 0; c < k->sources && p->block && i > 0; c++)
      if (k->source[c].lo[!p->axis] || k->source[c].hi[!p->axis])
        return false;
  }
  return true;
}

static bool fits(const sweeps *w, pass *p, double m)
{
  int way;
  int64_t words, lines = lines_of(w, p, &words), length = 0;
  for (int i = 0; i < p->n; i++) {
    const stage *k = stage_at(w, p->from + i);
    length = num_max(length, k->most[!p->axis] - k->least[!p->axis] + 2);
  }
  if (!may_be(w, p, &way))
    return false;
  if (p->block) {
    words += 2 * p->n;
    int64_t most = (int64_t)((m - (double)words) / (double)lines);
    if (most < 1)
      return false;
    int64_t blocks = (length - 3 + most) / most;
    p->block = (length - 3 + blocks) / blocks;
    return true;
  }
  return (double)lines * (double)length + (double)words <= m;
}

/* The most stages from there on; whole lines rather than blocks. */
static bool longest(const sweeps *w, int64_t from, double m, pass *best)
{
  best->n = 0;
  for (int way = 0; way < 4 * AXES; way++) {
    pass p = { from, 1, way / 2 % AXES, way % 2 ? -1 : 1, way / (2 * AXES) };
    for (; p.n <= 2 * w->stages && from + p.n <= w->stages * w->levels; p.n++) {
      pass q = p;
      if (!fits(w, &q, m))
        break;
      if (q.n > best->n)
        *best = q;
    }
  }
  return best->n > 0;
}

/* ---- text ---- */

typedef struct {
  const sweeps *w;
  const pass *p;
  int64_t levels;              /* how many one iteration of the loop around goes through; 0: there is none */
  int64_t lag[3 * STAGES_MOST]; /* of each stage behind the walk */
  int64_t from, to;            /* the walk's first place, and behind its last one; downwards both less than zero */
  text *out;
} printer;

static void put_sum(text *out, const char *name, int64_t more)
{
  if (name[0])
    text_printf(out, more ? "%s %c %" PRId64 : "%s", name, more < 0 ? '-' : '+', more < 0 ? -more : more);
  else
    text_printf(out, "%" PRId64, more);
}

/* Of the line, a before its first place and b behind its last one. */
static void put_line(const printer *o, const stage *k, int64_t a, int64_t b, text *line)
{
  int axis = !o->p->axis;
  char lo[CDAG_NAME + 8] = "", hi[CDAG_NAME + 8] = "";
  if (o->p->block) {
    snprintf(lo, sizeof lo, "lo(%s)", o->w->block);
    snprintf(hi, sizeof hi, "hi(%s)", o->w->block);
  }
  put_sum(line, lo, (o->p->block ? 0 : k->least[axis]) + a);
  text_add(line, "..");
  put_sum(line, hi, (o->p->block ? 0 : k->most[axis]) + b);
}

/* The array, of that level, on the line `at` beyond the walk, at these places of it. */
static void put_box(const printer *o, const char *verb, int array, const int *is, const int64_t *base, int64_t level,
                    int64_t at, const char *line)
{
  const sweeps *w = o->w;
  text_printf(o->out, "%s %s[", verb, w->g->array[array].name);
  for (int q = 0; q < w->g->array[array].rank; q++) {
    text_add(o->out, q ? "," : "");
    if (is[q] == IS_LEVEL) {
      char before[CDAG_NAME + 32] = "";
      if (o->levels)
        snprintf(before, sizeof before, o->levels == 1 ? "%s" : "%s * %" PRId64, w->around, o->levels);
      put_sum(o->out, before, level + base[q]);
    } else if (is[q] == IS_NUMBER)
      put_sum(o->out, "", base[q]);
    else if (is[q] == o->p->axis)
      put_sum(o->out, w->step, at + base[q]);
    else
      text_add(o->out, line);
  }
  text_add(o->out, "]\n");
}

static int64_t level_of(const printer *o, int i) { return o->w->first + (o->p->from + i) / o->w->stages; }

/* Lines of slow memory that exist and that stage k does not read are neither loaded nor dropped: "if (...) { ". */
static bool put_guard(const printer *o, const stage *k, const source *x, int64_t at)
{
  int axis = o->p->axis, q = 0;
  const tiler_statement *of = &o->w->shape->s[x->array];
  int64_t from = k->least[axis] + x->lo[axis], to = k->most[axis] + x->hi[axis];
  while (q < of->rank && x->is[q] != axis)
    q++;
  if (q == of->rank || (of->least[q] >= from && of->most[q] <= to))
    return false;
  text_add(o->out, "if (");
  put_sum(o->out, o->w->step, at);
  text_printf(o->out, " >= %" PRId64 " && ", from);
  put_sum(o->out, o->w->step, at);
  text_printf(o->out, " < %" PRId64 ") { ", to);
  return true;
}

/* A box of what stage i reads as source c. */
static void put_source(const printer *o, const char *verb, int i, int c, int64_t at, const char *line)
{
  const stage *k = stage_at(o->w, o->p->from + i);
  const source *x = &k->source[c];
  bool guarded = (c > 0 || i == 0) && put_guard(o, k, x, at);
  put_box(o, verb, x->array, x->is, x->base, level_of(o, i), at, line);
  if (guarded) {
    o->out->n--;
    text_add(o->out, " }\n");
  }
}

/* Is the line gone through upwards? */
static bool is_up(const printer *o, const stage *k) { return k->along == o->p->axis || k->way > 0; }

static void put_stage_box(const printer *o, const char *verb, int i, int64_t at, const char *line)
{
  static const int64_t zero[CDAG_RANK] = { 0 };
  const stage *k = stage_at(o->w, o->p->from + i);
  put_box(o, verb, k->s->array, k->is, zero, level_of(o, i), at, line);
}

/* Drop what is left of a source's line behind when the elements of the stage's line have each dropped one. */
static void put_left(const printer *o, int i, int c, int64_t at)
{
  int axis = !o->p->axis;
  const stage *k = stage_at(o->w, o->p->from + i);
  const source *x = &k->source[c];
  const stage *of = stage_at(o->w, o->p->from + i + o->w->stages - 1);
  int64_t off = is_up(o, k) ? x->lo[axis] : x->hi[axis];
  for (int end = 0; end < 2; end++) {
    /* of a loaded line what was loaded, of one that was made all of it */
    int64_t from = end ? off : x->lo[axis], to = end ? x->hi[axis] : off;
    if (c == 0 && i > 0) {
      from = end ? off : of->least[axis] - k->least[axis];
      to = end ? of->most[axis] - k->most[axis] : off;
    }
    if (from >= to)
      continue;
    text line = { 0 };
    char name[CDAG_NAME + 8] = "";
    if (o->p->block)
      snprintf(name, sizeof name, end ? "hi(%s)" : "lo(%s)", o->w->block);
    int64_t base = o->p->block ? 0 : end ? k->most[axis] : k->least[axis];
    put_sum(&line, name, base + from);
    text_add(&line, "..");
    put_sum(&line, name, base + to);
    text_add(o->out, "    ");
    put_source(o, "drop", i, c, at, text_str(&line));
    text_clear(&line);
  }
}

/* What stage i loads for its line: of slow memory, and, where lines are cut, its own place before the block. */
static void put_loads(const printer *o, int i)
{
  const stage *k = stage_at(o->w, o->p->from + i);
  int axis = !o->p->axis;
  int64_t at = -o->p->way * o->lag[i];
  for (int c = i > 0; c < k->sources; c++) {
    const source *x = &k->source[c];
    text line = { 0 };
    if (!is_read(o->w, o->p->from + i, c))
      continue;
    put_line(o, k, x->lo[axis], x->hi[axis], &line);
    text_add(o->out, "    ");
    put_source(o, "load", i, c, at + o->p->way * ahead_of(x, o->p), text_str(&line));
    text_clear(&line);
  }
}

/* The place before the block, or behind it; with `more`, the last one in it. */
static void put_edge(const printer *o, const char *verb, int i, bool inside)
{
  const stage *k = stage_at(o->w, o->p->from + i);
  char name[CDAG_NAME + 8];
  text line = { 0 };
  bool low = inside != (k->way > 0);
  snprintf(name, sizeof name, low ? "lo(%s)" : "hi(%s)", o->w->block);
  put_sum(&line, name, inside == low ? 0 : -1);
  put_stage_box(o, verb, i, -o->p->way * o->lag[i], text_str(&line));
  text_clear(&line);
}

/* The line of stage i, place by place, each of which drops what nothing reads any more. */
static void put_stage(const printer *o, int i)
{
  const pass *p = o->p;
  const stage *k = stage_at(o->w, p->from + i);
  bool up = is_up(o, k), last = i + 1 == p->n, along = k->along != p->axis, cut = along && p->block;
  int axis = !p->axis;
  int64_t at = -p->way * o->lag[i];
  text line = { 0 }, place = { 0 };
  put_loads(o, i);
  if (cut) {
    text_add(o->out, "    ");
    put_edge(o, "load", i, false);
  }
  put_line(o, k, 0, 0, &line);
  text_printf(o->out, "    for %s in %s%s {\n      ", o->w->place, text_str(&line), up ? "" : " reversed");
  put_stage_box(o, "compute", i, at, o->w->place);
  for (int c = 0; c < k->sources; c++) {
    const source *x = &k->source[c];
    if (!drops(o->w, p, i, c))
      continue;
    place.n = 0;
    put_sum(&place, o->w->place, up ? x->lo[axis] : x->hi[axis]);
    text_add(o->out, "      ");
    put_source(o, "drop", i, c, at - p->way * back_of(x, p), text_str(&place));
  }
  if (drops_own(o->w, p, i)) {
    text_add(o->out, "      ");
    put_stage_box(o, "drop", i, at - p->way, o->w->place);
  }
  if (last) {
    text_add(o->out, "      ");
    put_stage_box(o, "store", i, at, o->w->place);
  }
  if (last && along) {
    place.n = 0;
    put_sum(&place, o->w->place, up ? -1 : 1);
    text_add(o->out, "      ");
    put_stage_box(o, "drop", i, at, text_str(&place));
  }
  text_add(o->out, "    }\n");
  for (int c = 0; c < k->sources; c++)
    if (drops(o->w, p, i, c))
      put_left(o, i, c, at - p->way * back_of(&k->source[c], p));
  if (cut && !last) {
    text_add(o->out, "    ");
    put_edge(o, "drop", i, false);
    text_printf(o->out, "    if (last(%s) == 0) { ", o->w->block);
    put_edge(o, "store", i, true);
    o->out->n--;
    text_add(o->out, " }\n");
  }
  if (last && along) { /* its last place */
    place.n = 0;
    if (p->block) {
      text_add(o->out, "    ");
      put_edge(o, "drop", i, true);
    } else {
      put_sum(&place, "", up ? k->most[axis] - 1 : k->least[axis]);
      text_add(o->out, "    ");
      put_stage_box(o, "drop", i, at, text_str(&place));
    }
  }
  text_clear(&place);
  text_clear(&line);
}

/* How far each stage is behind the walk, and from where to where that goes until all that stays has gone. */
static void find_walk(printer *o)
{
  const pass *p = o->p;
  int64_t lag = 0;
  o->from = INT64_MAX;
  o->to = INT64_MIN;
  for (int i = 0; i < p->n; i++) {
    const stage *k = stage_at(o->w, p->from + i);
    int64_t ahead = 0, first = p->way > 0 ? k->least[p->axis] : 1 - k->most[p->axis],
            behind = p->way > 0 ? k->most[p->axis] : 1 - k->least[p->axis];
    for (int c = 0; c < k->sources; c++)
      if (is_read(o->w, p->from + i, c) && (i == 0 || c == 0))
        ahead = num_max(ahead, ahead_of(&k->source[c], p));
    o->lag[i] = lag += ahead;
    o->from = num_min(o->from, first + lag);
    o->to = num_max(o->to, behind + lag + 1);
    for (int c = 0; c < k->sources; c++) {
      const source *x = &k->source[c];
      o->from = num_min(o->from, first + lag - ahead_of(x, p) - back_of(x, p));
      o->to = num_max(o->to, behind + lag + ahead_of(x, p) + back_of(x, p));
    }
  }
}

static void put_pass(printer *o)
{
  const pass *p = o->p;
  int way, axis = !p->axis;
  find_walk(o);
  may_be(o->w, p, &way);
  if (p->block) {
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int i = 0; i < p->n; i++) {
      least = num_min(least, stage_at(o->w, p->from + i)->least[axis]);
      most = num_max(most, stage_at(o->w, p->from + i)->most[axis]);
    }
    text_printf(o->out, "for %s in %" PRId64 "..%" PRId64 " by %" PRId64 "%s {\n", o->w->block, least, most, p->block,
                way < 0 ? " reversed" : "");
  }
  int64_t from = p->way > 0 ? o->from : 1 - o->to, to = p->way > 0 ? o->to : 1 - o->from;
  text_printf(o->out, "  for %s in %" PRId64 "..%" PRId64 "%s {\n", o->w->step, from, to,
              p->way > 0 ? "" : " reversed");
  for (int i = 0; i < p->n; i++)
    put_stage(o, i);
  text_add(o->out, p->block ? "  }\n}\n" : "  }\n");
}

/* ---- all of them ---- */

static bool same_pass(const sweeps *w, const pass *a, const pass *b)
{
  return a->n == b->n && a->axis == b->axis && a->way == b->way && a->block == b->block &&
         (b->from - a->from) % w->stages == 0;
}

/* From pass `at` on, the fewest passes after which the same ones begin, and how often they come. */
static int64_t repeats(const sweeps *w, const pass *p, int64_t passes, int64_t at, int64_t *many)
{
  *many = 1;
  for (int64_t n = 1; n <= 2 * w->stages && p[at].from >= w->stages; n++) {
    int64_t same = 0;
    while (at + same + n < passes && same_pass(w, &p[at + same], &p[at + same + n]))
      same++;
    if (same < n)
      continue;
    *many = 1 + same / n;
    return n;
  }
  return 1;
}

static void put_passes(const sweeps *w, const pass *p, int64_t passes, text *out)
{
  for (int64_t at = 0, many; at < passes;) {
    int64_t n = repeats(w, p, passes, at, &many);
    printer o = { .w = w, .out = out };
    if (many > 1) {
      o.levels = (p[at + n].from - p[at].from) / w->stages;
      text_printf(out, "for %s in %" PRId64 " {\n", w->around, many);
    }
    for (int64_t k = 0; k < n; k++) {
      o.p = &p[at + k];
      put_pass(&o);
    }
    text_add(out, many > 1 ? "}\n" : "");
    at += n * many;
  }
}

bool tiler_alternating(const tiler_shape *s, double m, text *out)
{
  sweeps *w = MEM_NEW(sweeps, 1);
  pass *p = NULL;
  int64_t n = 0, at = 0;
  w->g = s->g;
  w->shape = s;
  bool good = find_sweeps(w) && w->stages * w->levels <= PASSES_MOST;
  if (good)
    p = MEM_NEW(pass, (size_t)(w->stages * w->levels));
  for (; good && at < w->stages * w->levels; at += p[n++].n)
    good = longest(w, at, m, &p[n]);
  if (good) {
    tiler_fresh_name(w->g, "X", w->step);
    tiler_fresh_name(w->g, "Y", w->place);
    tiler_fresh_name(w->g, "T", w->around);
    tiler_fresh_name(w->g, "J", w->block);
    text_add(out, "# Passes there and back, each of as many sweeps as go its way.\n");
    tiler_print_title(w->g, "passes", out);
    put_passes(w, p, n, out);
  }
  mem_free(p);
  mem_free(w);
  return good;
}
