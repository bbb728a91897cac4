/* circles.c -- statements that read one another in a circle, by tiles. */
#include "base/mem.h"
#include "schedules/tiler/circles/circle.h"
#include "schedules/tiler/circles/split.h"
#include "schedules/tiler/plain/writer.h"
#include "schedules/tiler/sweeps/lanes.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void cut_text(text *t, size_t n)
{
  t->n = n;
  if (t->s)
    t->s[n] = '\0';
}

static void print_note(const cdag *g, const circle *c, text *out)
{
  text_add(out, c->tiles ? "# by tiles of" : "# all that is needed again stays on chip, step by step:");
  for (int p = 0; p < c->n; p++)
    text_printf(out, "%s %s", p ? "," : "", g->array[c->member[p]].name);
  text_add(out, c->tiles ? ", which stay on chip; what they read of other tiles comes by, step by step\n" : "\n");
}

/* Prints the circle; false when a box cannot be said: then nothing was written. */
static bool print_tiles(writer *w, circle *c, text *out)
{
  circle_names names;
  text body = { 0 };
  size_t before = w->loops.n;
  plain_loop_name(w, "a", names.length);
  if (c->hold)
    plain_loop_name(w, "h", names.hold);
  size_t after = w->loops.n;
  plain_loop_name(w, c->tiles > 1 ? "I" : "J", names.tile[0]);
  plain_loop_name(w, "J", names.tile[1]);
  plain_loop_name(w, "k", names.step);
  plain_loop_name(w, "z", names.walk);
  print_note(c->f->g, c, &body);
  bool good = circle_print(c, &names, &body);
  if (good) {
    if (c->tiles)
      text_printf(&w->params, "param %s = %" PRId64 "\n", names.length, c->length);
    if (c->hold)
      text_printf(&w->params, "param %s = %" PRId64 "\n", names.hold, c->hold);
    w->streamed += c->hold > 0;
    text_add(out, text_str(&body));
    w->tiled++;
  }
  cut_text(&w->loops, good ? after : before);
  text_clear(&body);
  return good;
}

/* Does one of the latter arrays read one of the former? */
static bool hands_over(const normal_form *f, const int *from, int n, const int *to, int m)
{
  for (int i = 0; i < f->accesses; i++) {
    bool reads = false, read = false;
    for (int k = 0; k < n; k++)
      read = read || f->access[i]->to == from[k];
    for (int k = 0; k < m; k++)
      reads = reads || f->access[i]->from == to[k];
    if (reads && read)
      return true;
  }
  return false;
}

/* An array in parts before, at and after a pivot, a circle of tiles for each group of them. */
typedef struct {
  tiler_split s;
  circle *c; /* by group */
  int made;
  double io; /* expected; INFINITY: there are no such tiles */
} circle_parts;

/* The parts of that group, and of another one (or -1). */
static int list_parts(const tiler_split *s, int g, int h, int *part)
{
  int parts = 0;
  for (int k = 0; k < s->n; k++)
    if (s->group[k] == g || s->group[k] == h)
      part[parts++] = s->part[k];
  return parts;
}

/* A circle of tiles for each group, if all have one. */
static void plan_groups(const writer *w, circle_parts *p)
{
  double io = 0;
  p->c = MEM_NEW(circle, (size_t)p->s.groups + 1);
  for (; p->made < p->s.groups; p->made++) {
    int part[SPLIT_PARTS], parts = list_parts(&p->s, p->made, -1, part);
    if (!circle_init(&p->c[p->made], &p->s.form, part, parts, w->m, false, w->which)) {
      circle_clear(&p->c[p->made]);
      return;
    }
    io += p->c[p->made].io;
  }
  p->io = io;
}

static void clear_groups(circle_parts *p)
{
  for (int g = 0; g < p->made; g++)
    circle_clear(&p->c[g]);
  mem_free(p->c);
}

static void plan_parts(const writer *w, const int *array, int n, circle_parts *p)
{
  circle all;
  *p = (circle_parts){ .io = INFINITY };
  if (!tiler_split_init(&p->s, w->form, array, n))
    return;
  plan_groups(w, p);
  if (!circle_whole(&all, &p->s.form, p->s.part, p->s.n, w->m) || all.io >= p->io || w->which > 0) {
    circle_clear(&all);
    return;
  }
  clear_groups(p);
  memset(p->s.group, 0, sizeof p->s.group);
  p->c = MEM_NEW(circle, 1);
  p->c[0] = all;
  p->io = all.io;
  p->s.groups = p->made = 1;
}

/* Groups g and h as one circle, if that is expected to move less. */
static bool join_groups(const writer *w, circle_parts *p, int g, int h)
{
  int part[SPLIT_PARTS], parts = list_parts(&p->s, g, h, part), group[SPLIT_PARTS];
  circle both = { .n = 0 }, *old = p->c;
  double io = p->c[g].io + p->c[h].io;
  memcpy(group, p->s.group, sizeof group);
  bool good = hands_over(&p->s.form, p->c[g].member, p->c[g].n, p->c[h].member, p->c[h].n) &&
              circle_join(&both, &p->s.form, part, parts, w->m) && both.io < io && tiler_split_join(&p->s, g, h);
  if (!good) {
    circle_clear(&both);
    return false;
  }
  circle_clear(&old[g]);
  circle_clear(&old[h]);
  old[g] = both;
  p->c = MEM_NEW(circle, (size_t)p->s.groups + 1);
  for (int k = 0; k < p->s.n; k++)
    p->c[p->s.group[k]] = old[group[k] == h ? g : group[k]];
  p->made = p->s.groups;
  p->io += both.io - io;
  mem_free(old);
  return true;
}

static bool join_any_groups(const writer *w, circle_parts *p)
{
  for (int h = 1; h < p->made && isfinite(p->io); h++)
    for (int g = 0; g < h; g++)
      if (join_groups(w, p, g, h))
        return true;
  return false;
}

static void clear_parts(circle_parts *p)
{
  clear_groups(p);
  tiler_split_clear(&p->s);
}

/* All of them or nothing. */
static bool print_parts(writer *w, circle_parts *p)
{
  text body = { 0 };
  size_t loops = w->loops.n, params = w->params.n;
  int tiled = w->tiled;
  bool good = isfinite(p->io);
  for (int g = 0; g < p->made && good; g++)
    good = print_tiles(w, &p->c[g], &body);
  if (good) {
    text_add(w->out, text_str(&body));
    w->parts = true;
  } else {
    cut_text(&w->loops, loops);
    cut_text(&w->params, params);
    w->tiled = tiled;
  }
  text_clear(&body);
  return good;
}

/* Where some axes go downwards, with indices counted from their other end, if that moves less. */
static bool print_mirrored(writer *w, const int *array, int n, double most)
{
  mirror_turns *turned = MEM_NEW(mirror_turns, (size_t)w->form->arrays + 1);
  bool good = false;
  if (circle_descends(w->form, array, n, turned)) {
    tiler_mirror m;
    circle c;
    tiler_mirror_init(&m, w->form, turned);
    good = circle_init(&c, &m.form, array, n, w->m, false, w->which);
    c.turned = turned;
    good = good && c.io < most && print_tiles(w, &c, w->out);
    circle_clear(&c);
    tiler_mirror_clear(&m);
  }
  mem_free(turned);
  return good;
}

/* Whole, with reads cut in two or not, or in parts: where these are expected to move that much less, or where it
   cannot be said otherwise. */
static bool print_members(writer *w, const int *array, int n)
{
  circle whole[2];
  circle_parts parts;
  double least = INFINITY;
  for (int cut = 0; cut < 2; cut++)
    if (!circle_init(&whole[cut], w->form, array, n, w->m, cut, w->which))
      whole[cut].io = INFINITY;
    else
      least = fmin(least, whole[cut].io);
  int first = whole[1].io < w->apart * whole[0].io;
  plan_parts(w, array, n, &parts);
  bool good = print_mirrored(w, array, n, fmin(least, parts.io));
  good = good || (parts.io < (isfinite(least) ? w->apart * least : INFINITY) && print_parts(w, &parts));
  for (int k = 0; k < 2 && !good; k++)
    good = isfinite(whole[k ^ first].io) && print_tiles(w, &whole[k ^ first], w->out);
  good = good || print_parts(w, &parts);
  for (int cut = 0; cut < 2; cut++)
    circle_clear(&whole[cut]);
  clear_parts(&parts);
  return good;
}

/* One statement, level by level, whatever the lanes are that it reads. */
static bool print_levels(writer *w, const order_node *n)
{
  lanes_names names;
  size_t before = w->loops.n;
  if (n->members != 1)
    return false;
  plain_loop_name(w, "B", names.block);
  plain_loop_name(w, "h", names.high);
  plain_loop_name(w, "o", names.low);
  plain_loop_name(w, "j", names.lane);
  plain_loop_name(w, "s", names.level);
  bool good = tiler_lanes(w->s, n->member[0].array, n->member[0].dim, w->m, &names, w->out);
  cut_text(&w->loops, before);
  w->tiled += good;
  return good;
}

/* With rows that stay in part, where tiles are larger then and less of others is expected to come; or nothing. */
static bool print_streamed(writer *w, const int *array, int n)
{
  circle c, whole;
  if (!w->streams)
    return false;
  bool some = circle_init(&whole, w->form, array, n, w->m, false, 0);
  bool good = circle_stream(&c, w->form, array, n, w->m) && !(some && whole.io <= c.io) && print_tiles(w, &c, w->out);
  circle_clear(&whole);
  circle_clear(&c);
  return good;
}

bool plain_print_circle(writer *w, const order_node *n)
{
  int array[ORDER_STATEMENTS];
  for (int k = 0; k < n->members; k++)
    array[k] = n->member[k].array;
  return print_streamed(w, array, n->members) || print_members(w, array, n->members) || print_levels(w, n);
}

/* The arrays of a node, behind so many others: how many there are then. */
static int list_members(const order_node *n, int *array, int many)
{
  if (n->leaf && many < ORDER_STATEMENTS)
    array[many++] = n->array;
  for (int k = 0; !n->leaf && k < n->members && many < ORDER_STATEMENTS; k++)
    array[many++] = n->member[k].array;
  return many;
}

/* As parts that are joined where that is expected to move less, and less than so much altogether. */
static bool print_joined_parts(writer *w, const int *array, int n, double most)
{
  circle_parts parts;
  plan_parts(w, array, n, &parts);
  bool any = n > 1 && parts.made == 1 && parts.c[0].tiles == 0;
  while (join_any_groups(w, &parts))
    any = true;
  bool good = any && parts.io < most && print_parts(w, &parts);
  clear_parts(&parts);
  return good;
}

/* The kids of the node from the first one on, each of which reads one before it: how many. */
static int print_joined_kids(writer *w, const order_node *n, int first, double most)
{
  int array[ORDER_STATEMENTS], many = list_members(n->kid[first], array, 0), kids = 1;
  for (; first + kids < n->kids; kids++) {
    int all = list_members(n->kid[first + kids], array, many);
    if (!hands_over(w->form, array, many, array + many, all - many))
      break;
    many = all;
  }
  for (; kids > 0; kids--) {
    many = 0;
    for (int k = 0; k < kids; k++)
      many = list_members(n->kid[first + k], array, many);
    if (print_joined_parts(w, array, many, most))
      return kids;
  }
  return 0;
}

int plain_print_joined(writer *w, const order_node *n, int first)
{
  int array[ORDER_STATEMENTS], many, kids = 1;
  circle best;
  if (!w->joins || !w->form || w->depth > 0)
    return 0;
  many = list_members(n->kid[first], array, 0);
  bool good = circle_join(&best, w->form, array, many, w->m);
  while (good && first + kids < n->kids) {
    circle more = { .n = 0 }, alone = { .n = 0 };
    int all = list_members(n->kid[first + kids], array, many);
    bool joins = hands_over(w->form, array, many, array + many, all - many) &&
                 circle_join(&alone, w->form, array + many, all - many, w->m) &&
                 circle_join(&more, w->form, array, all, w->m) && more.io < best.io + alone.io;
    circle_clear(&alone);
    circle_clear(joins ? &best : &more);
    if (!joins)
      break;
    best = more;
    many = all;
    kids++;
  }
  good = good && kids > 1;
  int parts = print_joined_kids(w, n, first, good ? best.io : INFINITY);
  if (parts)
    kids = parts;
  good = parts || (good && print_tiles(w, &best, w->out));
  circle_clear(&best);
  w->joined += good;
  return good ? kids : 0;
}

bool plain_is_own_chain(const writer *w, const order_node *n)
{
  const tiler_statement *s = &w->s->s[n->member[0].array];
  if (!plain_keeps_chain(w, s->array))
    return false;
  for (int c = 0; c < s->chains; c++) {
    if (n->leaf || n->members != 1 || n->kids != 1 || n->reversed || n->member[0].array != s->array ||
        n->member[0].dim != s->chain[c])
      return false;
    n = n->kid[0];
  }
  return n->leaf;
}

bool plain_print_sum(writer *w, int array)
{
  order_node one = { .members = 1 };
  one.member[0].array = array;
  const tiler_statement *s = &w->s->s[array];
  return w->form && w->depth == 0 && (s->chains > 0 || s->reads_itself) && plain_print_circle(w, &one);
}
