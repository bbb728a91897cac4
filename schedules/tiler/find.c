#include "schedules/tiler/find.h"
#include "base/clock.h"
#include "base/mem.h"
#include "cdag/delay.h"
#include "cdag/fold.h"
#include "cdag/stride.h"
#include "schedules/tiler/cut.h"
#include "schedules/tiler/judge.h"
#include "schedules/tiler/match.h"
#include "schedules/tiler/nests/division.h"
#include "schedules/tiler/nests/known.h"
#include "schedules/tiler/nests/peel.h"
#include "schedules/tiler/nests/search.h"
#include "schedules/tiler/nests/triangle.h"
#include "schedules/tiler/plain/plain.h"
#include "schedules/tiler/slices.h"
#include "schedules/tiler/sweeps/alternating.h"
#include "schedules/tiler/sweeps/dilate.h"
#include "schedules/tiler/sweeps/strips.h"
#include "schedules/tiler/sweeps/sweep.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is looked for ---- */

enum { UNPLAYED = 4 };

typedef struct {
  const cdag *g;               /* whose loops and boxes are looked for */
  const tiler_slices *slices;  /* it is the whole of these; NULL: it is what was given */
  tiler_walks *respelled;      /* and that is this, of what was given; or NULL */
  const tiler_shape *wide;     /* its shape with ranges around what is not affine, where something is */
  const pebble_rules *rules;
  double from, seconds, longest; /* of the processor: from then on, as many as options say */
  bool hasty;                  /* there is another spelling: this one takes long for a text that is known alone */
  schedule_found *out;
  schedule_found unplayed[UNPLAYED]; /* fit, and no end was seen; the one that moves least is the first */
  num_count promised;          /* what a text that is played later moves by the count; 0: none */
  char why[256];               /* the last that was refused */
  int refused;
  tiler_docket *judged;
  tiler_known *known;
} finder;

static bool is_promising(const finder *f) { return !f->hasty || f->unplayed[0].source.n > 0; }

static double end_of_time(const finder *f)
{
  return f->from + (f->out->origin == FOUND_NOTHING && is_promising(f) ? f->longest : f->seconds);
}

static bool is_late(void *context)
{
  const finder *f = context;
  return f->seconds > 0 && clock_processor() >= end_of_time(f);
}

static num_count io_of(const schedule_found *f)
{
  return f->origin == FOUND_NOTHING ? NUM_TOO_MANY : num_plus(f->loads, f->stores);
}

/* A text that moves less than what is known may take most of the time that is left, so that there is some for the next.
 */
static tiler_patience patience_for(const finder *f, uint64_t iterations)
{
  double now = clock_processor();
  num_count below = f->out->origin == FOUND_NOTHING ? 0 : io_of(f->out);
  if (f->promised && (!below || f->promised < below))
    below = f->promised;
  return (tiler_patience){ .iterations = iterations,
                           .until = f->seconds > 0 ? now + 0.7 * fmax(end_of_time(f) - now, 0.1) : 0,
                           .below = below };
}

/* To count a text and not to play it: many conditions may take it long. */
static tiler_patience patience_to_count(const finder *f)
{
  tiler_patience p = patience_for(f, 0);
  p.count_only = true;
  if (p.until > 0)
    p.until = clock_processor() + 0.1 * fmax(end_of_time(f) - clock_processor(), 0.1);
  return p;
}

/* On the text in the spelling given: as it is, then with more and more boxes cut to the rules that they are of. */
static void judge_respelled(const finder *f, text *source, const tiler_patience *p, tiler_verdict *v)
{
  SCOPED_TEXT respelled = { 0 };
  text_add(&respelled, text_str(source));
  bool all = f->respelled->r->trims.n || f->respelled->r->folded;
  respelled_clips first = all ? CLIPS_ALL : CLIPS_NONE;
  for (respelled_clips clips = first; clips <= CLIPS_ALL; clips++) {
    text cut = { 0 };
    text_add(&cut, text_str(&respelled));
    bool more = tiler_respelled_text(f->respelled, f->rules->m, clips, &cut);
    if (clips == first || (more && strcmp(text_str(&cut), text_str(source)) != 0)) {
      tiler_judge(f->respelled->r->given, f->rules, text_str(&cut), p, f->judged, v);
      text_clear(source);
      *source = cut;
    } else
      text_clear(&cut);
    if (v->legal || v->dear || v->long_winded)
      break;
  }
}

/* What a text in steps moves is soon known, and whether it is legal; under the names given quotients are asked for step
   by step, so there its count may take longer than it is given. */
static void judge_strides(const finder *f, text *source, tiler_patience p, tiler_verdict *v)
{
  enum { SECONDS = 2 };
  tiler_verdict own;
  tiler_judge(f->g, f->rules, text_str(source), &p, f->judged, &own);
  if (!own.legal) {
    *v = own;
    return;
  }
  if (p.until > 0)
    p.until = fmin(p.until, clock_processor() + SECONDS);
  judge_respelled(f, source, &p, v);
  if (v->long_winded && !v->counted) {
    v->counted = v->fits = true;
    v->loads = own.loads;
    v->stores = own.stores;
    v->peak = own.peak;
  }
}

/* The referee's word, on the text under the names given. */
static void judge(const finder *f, text *source, const tiler_patience *p, tiler_verdict *v)
{
  if (f->slices)
    tiler_slices_text(f->slices, f->rules->m, source);
  if (f->respelled && f->respelled->r->strides && !f->slices)
    judge_strides(f, source, *p, v);
  else if (f->respelled)
    judge_respelled(f, source, p, v);
  else
    tiler_judge(f->slices ? f->slices->given : f->g, f->rules, text_str(source), p, f->judged, v);
}

static void keep(schedule_found *o, schedule_origin origin, const char *name, const text *source,
                 const tiler_verdict *v)
{
  o->origin = origin;
  snprintf(o->name, sizeof o->name, "%s", name);
  text_clear(&o->source);
  text_add(&o->source, text_str(source));
  o->loads = v->loads;
  o->stores = v->stores;
  o->peak = v->peak;
}

static void note_refused(finder *f, const text *source, const tiler_verdict *v)
{
  snprintf(f->why, sizeof f->why, "%s", v->why);
  text_clear(&f->out->refused);
  text_printf(&f->out->refused, "# %s\n%s", v->why, text_str(source));
}

/* In its place among those whose end was not seen. */
static void keep_unplayed(finder *f, schedule_origin origin, const char *name, const text *source,
                          const tiler_verdict *v)
{
  schedule_found *u = f->unplayed;
  num_count io = num_plus(v->loads, v->stores);
  int at = 0;
  for (; at < UNPLAYED && io_of(&u[at]) <= io; at++)
    if (io_of(&u[at]) == io && strcmp(text_str(&u[at].source), text_str(source)) == 0)
      return;
  if (at == UNPLAYED)
    return;
  schedule_found last = u[UNPLAYED - 1];
  memmove(&u[at + 1], &u[at], (size_t)(UNPLAYED - 1 - at) * sizeof *u);
  u[at] = last;
  keep(&u[at], origin, name, source, v);
}

static void take(finder *f, schedule_origin origin, const char *name, const text *source, const tiler_verdict *v)
{
  if (v->legal && num_plus(v->loads, v->stores) < io_of(f->out))
    keep(f->out, origin, name, source, v);
  else if (!v->legal && v->long_winded && v->counted && v->fits &&
           (!f->respelled || num_plus(v->loads, v->stores) < io_of(f->out) / 2)) /* a loop in place of a box may take it
                                                                                    long */
    keep_unplayed(f, origin, name, source, v);
  if (!v->legal && !v->dear)
    note_refused(f, source, v);
}

/* ---- from a division to a legal text ---- */

/* Are these candidates' text legal?  Where the peak is a little above what was expected, lengths are found again for
 * less memory. */
static bool attempt(const finder *f, const tiler_candidate *const *pick, int n, text *source, tiler_verdict *v)
{
  tiler_candidate own[2 * TILER_NESTS];
  const tiler_candidate *use[2 * TILER_NESTS];
  uint64_t most = f->rules->m;
  double m = (double)most;
  for (int i = 0; i < n; i++) {
    own[i] = *pick[i];
    use[i] = &own[i];
  }
  for (int round = 0; round < 4; round++) {
    text_clear(source);
    tiler_patience p = patience_for(f, 0);
    division_write(f->g, use, n, source);
    judge(f, source, &p, v);
    if (v->legal || !v->counted || v->dear || v->peak <= most)
      return v->legal;
    m -= (double)(v->peak - most);
    for (int i = 0; i < n; i++)
      if (own[i].b.peak > m && !tiler_candidate_fit(&own[i], m))
        return false;
  }
  return false;
}

/* The best cut of any of a nest's best trees. */
static bool peel_best(const finder *f, const tiler_solved *s, tiler_peeled *out)
{
  double least = s->best[0].b.io;
  bool any = false;
  for (int k = 0; k < s->n; k++) {
    tiler_peeled p;
    if (!tiler_peel(&s->best[k], (double)f->rules->m, &p))
      continue;
    double io = p.part[0].b.io + p.part[1].b.io;
    if (io < least) {
      if (any)
        tiler_peeled_clear(out);
      *out = p;
      least = io;
      any = true;
    } else
      tiler_peeled_clear(&p);
  }
  return any;
}

/* The same nests, ragged ends apart where that is better. */
static void try_peeled(finder *f, const tiler_division *v, const tiler_candidate *const *pick)
{
  tiler_peeled *peeled = MEM_NEW(tiler_peeled, (size_t)v->nests);
  const tiler_candidate *use[2 * TILER_NESTS];
  text source = { 0 };
  tiler_verdict verdict;
  int used = 0;
  for (int i = 0; i < v->nests; i++) {
    bool cut = peel_best(f, v->nest[i], &peeled[i]);
    for (int k = 0; k < 1 + cut; k++)
      use[used++] = cut ? &peeled[i].part[k] : pick[i];
  }
  if (used > v->nests && attempt(f, use, used, &source, &verdict))
    take(f, FOUND_TILED, "", &source, &verdict);
  for (int i = 0; i < v->nests; i++)
    tiler_peeled_clear(&peeled[i]);
  mem_free(peeled);
  text_clear(&source);
}

/* The same nests, pairs of rows of nest i by triangular blocks where that is better.  False when the referee refused
   the text. */
static bool try_triangles_of(finder *f, const tiler_division *v, const tiler_candidate *const *pick, int i,
                             bool planes_too)
{
  double m = (double)f->rules->m;
  bool good = true;
  for (int round = 0; round < 4; round++) {
    const tiler_candidate *use[TILER_NESTS];
    tiler_triangle o;
    text source = { 0 };
    tiler_verdict verdict;
    if (!tiler_triangle_of(v->nest[i], m, planes_too, &o) ||
        v->io - v->nest[i]->best[0].b.io + o.io >= (double)io_of(f->out))
      break;
    for (int k = 0; k < v->nests; k++)
      use[k] = k == i ? &o.squares : pick[k];
    tiler_patience p = patience_for(f, 0);
    division_write_triangles(f->g, use, v->nests, i, &o, &source);
    judge(f, &source, &p, &verdict);
    take(f, FOUND_TILED, "", &source, &verdict);
    text_clear(&source);
    good = verdict.legal || verdict.dear;
    if (verdict.legal || !verdict.counted || verdict.dear || verdict.peak <= f->rules->m)
      break;
    m -= (double)(verdict.peak - f->rules->m);
  }
  return good;
}

static void try_triangles(finder *f, const tiler_division *v, const tiler_candidate *const *pick)
{
  for (int i = 0; i < v->nests; i++)
    if (!try_triangles_of(f, v, pick, i, true))
      try_triangles_of(f, v, pick, i, false);
}

/* The best of each nest; then another of one nest. */
static void try_division(finder *f, const tiler_division *v)
{
  const tiler_candidate *pick[TILER_NESTS];
  text source = { 0 };
  const double ENDS = 1.02;    /* ragged ends apart may save so much */
  bool good = false, less = ENDS * (double)io_of(f->out) > v->io; /* and what was found may be more than was expected */
  for (int other = -1; other < 2 * v->nests && less && !good; other++) {
    int at = other < 0 ? -1 : other % v->nests, which = other < 0 ? 0 : 1 + other / v->nests;
    if (at >= 0 && which >= v->nest[at]->n)
      continue;
    for (int i = 0; i < v->nests; i++)
      pick[i] = &v->nest[i]->best[i == at ? which : 0];
    tiler_verdict verdict;
    good = attempt(f, pick, v->nests, &source, &verdict);
    take(f, FOUND_TILED, "", &source, &verdict);
    if (good || verdict.dear)
      try_peeled(f, v, pick);
    if (!good && !verdict.dear)
      f->refused++;
    if (verdict.dear || verdict.long_winded)
      break;
  }
  for (int i = 0; i < v->nests && !good; i++)
    pick[i] = &v->nest[i]->best[0];
  try_triangles(f, v, pick);
  text_clear(&source);
}

static const tiler_search *run_search(finder *f, const tiler_shape *s, double m)
{
  tiler_search x = { .s = s, .m = m, .one_shot = f->rules->one_shot, .late = is_late, .context = f };
  const tiler_search *made = tiler_known_search(f->known, &x);
  f->out->searched += made->trees;
  return made;
}

static void search(finder *f, const tiler_shape *s)
{
  const tiler_search *x = run_search(f, s, (double)f->rules->m);
  for (int i = 0; i < x->best; i++)
    try_division(f, &x->division[i]);
  text_printf(&f->out->record,
              "%s%" PRIu64 " ways to cut into nests, %" PRIu64 " trees, %" PRIu64
              " of them different%s; %d texts refused by the referee",
              f->out->record.n ? "; " : "", x->divisions, x->trees, x->distinct, x->all ? "" : " (not all)",
              f->refused);
}

/* With ranges around what is read through tables, where something is. */
static void search_nests(finder *f, const tiler_shape *s)
{
  if (s->cyclic)
    return;
  if (s->affine) {
    tiler_shape joined;
    tiler_shape_init(&joined, f->g, false);
    tiler_shape_join(&joined);
    search(f, &joined);
    tiler_shape_clear(&joined);
  } else if (f->wide->affine && !f->wide->cyclic)
    search(f, f->wide);
}

/* ---- arrays cut in two ---- */

/* What is found for the parts, under the names of what they are parts of. */
static void try_cut(finder *f, tiler_cut *c)
{
  const cdag *g = f->g;
  const tiler_slices *slices = f->slices;
  tiler_slices cut = { .given = g };
  if (slices)
    cut = *slices;
  cut.cut = &c->cut;
  f->g = c->cut.g;
  f->slices = &cut;
  try_division(f, &c->x.division[0]);
  f->g = g;
  f->slices = slices;
  text_printf(&f->out->record, "; arrays cut in two, %" PRIu64 " trees", c->x.trees);
}

/* Where more is moved than what goes in and out, and part of it is the same rows in several passes. */
static void search_cuts(finder *f, const tiler_shape *s)
{
  cdag_axis axis[TILER_AXES];
  cdag_counts least;
  diag d = { 0 };
  const double MORE = 1.05;
  double io = (double)io_of(f->out);
  if (s->cyclic || !s->affine || f->out->origin == FOUND_NOTHING || cdag_count(f->g, &least, &d) != OK ||
      io < MORE * (double)(least.inputs + least.outputs))
    return;
  int n = tiler_cut_axes(s, io, axis);
  for (int i = 0; i < n && !is_late(f); i++) {
    tiler_search x = { .m = (double)f->rules->m, .one_shot = f->rules->one_shot, .late = is_late, .context = f,
                       .below = io };
    tiler_cut *c = tiler_cut_best(f->g, &axis[i], &x);
    if (c) {
      f->out->searched += c->x.trees;
      try_cut(f, c);
    }
    tiler_cut_free(c);
  }
}

/* ---- the library, under whatever names ---- */

static void write_params(const schedule *s, text *out)
{
  for (int i = 0; i < s->params; i++)
    text_printf(out, "param %s = %" PRId64 "\n", s->param[i].name, s->param[i].value);
}

/* The schedule with its own parameters, then tuned: the better one, as a text for g, if it is better than what is
 * known. */
static void try_listed(finder *f, const tiler_match *m, const schedule_listing *l)
{
  schedule *s = NULL;
  schedule_tuning t = { 0 };
  diag d = { 0 };
  text params = { 0 }, source = { 0 };
  tiler_verdict v;
  bool good = schedule_parse(&s, m->family, f->rules->m, l->path, l->text, "", &d) == OK;
  if (good)
    s->until = patience_for(f, 0).until;
  if (good && (s->params == 0 || schedule_tune(s, f->rules, &t, &d) == OK) &&
      (s->params == 0 || t.io < io_of(f->out))) {
    tiler_patience p = patience_for(f, 0);
    write_params(s, &params);
    tiler_match_text(m, f->g, l->text, text_str(&params), &source);
    judge(f, &source, &p, &v);
    if (v.legal || strcmp(v.why, "line 0, rule memory") != 0)
      take(f, FOUND_LIBRARY, l->name, &source, &v);
  }
  schedule_tuning_clear(&t);
  schedule_free(s);
  text_clear(&params);
  text_clear(&source);
}

static void library(finder *f, const tiler_shape *s)
{
  const schedule_listing *list;
  const cdag_family *family;
  int n = schedule_library(&list), families = cdag_families(&family);
  for (int i = 0; i < families; i++) {
    tiler_match m;
    bool listed = false;
    for (int k = 0; k < n; k++)
      listed |= strcmp(list[k].family, family[i].name) == 0;
    if (!listed || !tiler_match_family(s, family[i].name, &m))
      continue;
    for (int k = 0; k < n && !is_late(f); k++)
      if (strcmp(list[k].family, family[i].name) == 0)
        try_listed(f, &m, &list[k]);
    text_printf(&f->out->record, "%sthe library's schedules for %s", f->out->record.n ? "; " : "", family[i].name);
    tiler_match_clear(&m);
    break;
  }
}

/* Element by element: legal wherever there is an affine order. */
static void plain(finder *f, const tiler_shape *s, bool count_only)
{
  text source = { 0 };
  tiler_verdict v;
  tiler_patience p = count_only ? patience_to_count(f) : patience_for(f, 0);
  if (tiler_plain(s, &source)) {
    judge(f, &source, &p, &v);
    take(f, FOUND_PLAIN, "", &source, &v);
  }
  text_clear(&source);
}

/* How many iterations a text of parts may have that repeat no others, so that its play takes some ten seconds. */
enum { PART_ITERATIONS = 1 << 23 };

/* A text for m words, but for the `which` best ones; false: there is none. */
typedef bool maker(finder *f, const tiler_shape *s, double m, int which, text *out, bool *parts);

static maker swept, circled;
/* For how many words the next text is made. */
typedef struct {
  double m, fits, tall; /* the most, and the least, for which a text was found to fit, or not to (0: none) */
  int round;
} aim;

static void aim_lower(aim *a, double over, bool again)
{
  a->tall = a->m;
  a->m = again && a->fits > 0 ? (a->fits + a->m) / 2 : a->m - over * (1 + a->round);
}

/* What is expected may be twice what there is: then the next length that fits is between. */
static void aim_higher(aim *a, double by)
{
  a->fits = a->m;
  a->m = a->tall > 0 && a->m * by >= a->tall ? (a->m + a->tall) / 2 : a->m * by;
}

/* Texts of `make` for m words; for less where one comes out a little too tall, for more where it leaves much room: a
   sweep that does was kept short so that it is judged soon.  False: no other plan will do. */
static bool try_maker(finder *f, const tiler_shape *s, maker *make, int which)
{
  enum { ROUNDS = 9 };
  double most = (double)f->rules->m, room = make == swept ? most : make == circled ? most / 32 : most / 8;
  bool more = true, done = false, tall = false;
  text last = { 0 };
  tiler_verdict v = { 0 };
  for (aim a = { .m = most }; a.round < ROUNDS && more; a.round++) {
    text source = { 0 };
    bool parts = false, made = make(f, s, a.m, which, &source, &parts);
    bool again = made && last.n && strcmp(text_str(&source), text_str(&last)) == 0;
    if (!again) {
      tiler_patience p = patience_for(f, parts ? PART_ITERATIONS : 0);
      v = (tiler_verdict){ 0 };
      if (made) {
        judge(f, &source, &p, &v);
        take(f, FOUND_TILED, "", &source, &v);
      }
      tall = v.counted && !v.fits && !v.legal && !v.dear && !v.long_winded;
      more = tall || (v.legal && v.peak && (double)v.peak + room < most);
      done = done || v.legal || v.dear || v.long_winded;
    } else
      more = tall || (v.legal && a.tall > 0); /* the same text again: for another m there may be another one */
    text_clear(&last);
    last = source;
    if (tall)
      aim_lower(&a, (double)v.peak - most, again);
    else if (more)
      aim_higher(&a, most / (double)v.peak);
  }
  text_clear(&last);
  return !done;
}

enum { PIPELINE = SWEEP_WAYS, ALTERNATING }; /* behind the ways to sweep in time */
enum { LENGTHY_SECONDS = 10 }; /* with less no lengthy text is begun */
static bool swept(finder *f, const tiler_shape *s, double m, int which, text *out, bool *parts)
{
  *parts = false;
  if (which == ALTERNATING)
    return tiler_alternating(s, m, out);
  if (which == PIPELINE)
    return tiler_pipeline(s, m, out) || (!s->affine && tiler_pipeline(f->wide, m, out));
  sweep_way way = (sweep_way)which;
  bool tilted = way == SWEEP_TILTED || way == SWEEP_LENGTHY;
  if (tilted && f->respelled && f->respelled->r->folded)
    return false; /* a row that is cut is a range, judged by itself */
  if (way == SWEEP_LENGTHY && f->seconds > 0 && f->seconds < LENGTHY_SECONDS)
    return false;
  return tiler_sweep(s, m, way, out) || (way == SWEEP_HURRIED && tiler_dilate(s, m, out)) ||
         (!s->affine && !tilted && tiler_sweep(f->wide, m, way, out)); /* max(i-1, 0) is i - 1 or i */
}

/* Strips of rows; then of columns. */
static bool stripped(finder *f, const tiler_shape *s, double m, int which, text *out, bool *parts)
{
  *parts = false;
  return tiler_strips(s, m, which > 0, f->out->origin == FOUND_NOTHING ? INFINITY : (double)io_of(f->out), out);
}

/* The best nests of some of the statements. */
static bool print_part(void *context, const tiler_shape *part, double m, text *names, text *params, text *out)
{
  finder *f = context;
  const tiler_candidate *pick[TILER_NESTS];
  const tiler_division *best = run_search(f, part, m)->division;
  for (int i = 0; i < best->nests; i++)
    pick[i] = &best->nest[i]->best[0];
  if (best->nests)
    division_write_nests(f->g, pick, best->nests, names, params, out);
  return best->nests > 0;
}

/* Ways to let words stay, then nests inside the loops that circles share. */
static const struct { bool nests; tiler_stay_plan plan; } stay_plan[] = {
  { false, { ORDER_APART, 0 } },   { false, { ORDER_TOGETHER, 0 } },
  { false, { ORDER_APART, 1 } },   { false, { ORDER_TOGETHER, 1 } },
  { true, { ORDER_LAGGED, 0 } },   { false, { ORDER_LAGGED, 0 } },
  { true, { ORDER_APART, ORDER_STATEMENTS } },
};
enum { STAYS_TRIED = sizeof stay_plan / sizeof *stay_plan, NESTS_APART = STAYS_TRIED - 1 };
static bool staying(finder *f, const tiler_shape *s, double m, int which, text *out, bool *parts)
{
  tiler_nests nests = { print_part, f };
  *parts = false;
  return tiler_staying(s, m, &stay_plan[which].plan, stay_plan[which].nests ? &nests : NULL, out);
}

/* Circles by tiles, and between them nests; the last plans are without nests. */
static const int circle_plan[] = { 0, 1, 2, TILER_APART, TILER_WHOLE, TILER_JOINED, TILER_STREAMED };
enum { CIRCLES_TRIED = sizeof circle_plan / sizeof *circle_plan, CIRCLES_RANKED = 3 };
static bool circled(finder *f, const tiler_shape *s, double m, int which, text *out, bool *parts)
{
  tiler_nests nests = { print_part, f };
  return tiler_circles(s, m, circle_plan[which % CIRCLES_TRIED], which < CIRCLES_TRIED ? &nests : NULL, out, parts);
}

/* What they move by the count, and the least of that; 0 where nothing was counted. */
static num_count count_staying(finder *f, const tiler_shape *s, int first, num_count *io)
{
  num_count least = 0;
  for (int which = first; which < STAYS_TRIED; which++) {
    text source = { 0 };
    tiler_verdict v = { 0 };
    tiler_patience p = patience_to_count(f);
    bool parts;
    if (staying(f, s, (double)f->rules->m, which, &source, &parts))
      judge(f, &source, &p, &v);
    io[which] = v.counted && v.fits ? num_plus(v.loads, v.stores) : NUM_TOO_MANY;
    if (io[which] != NUM_TOO_MANY && (!least || io[which] < least))
      least = io[which];
    text_clear(&source);
  }
  return least;
}

/* What moves least by the count is played first: the others are not played then. */
static void try_staying(finder *f, const tiler_shape *s, int first, const num_count *io)
{
  bool tried[STAYS_TRIED] = { false };
  for (int k = first; k < STAYS_TRIED && !is_late(f); k++) {
    int best = -1;
    for (int which = first; which < STAYS_TRIED; which++)
      if (!tried[which] && (best < 0 || io[which] < io[best]))
        best = which;
    tried[best] = true;
    try_maker(f, s, staying, best);
  }
}

/* With nests between them, or without: a sum by itself is a circle too. */
static void try_circles(finder *f, const tiler_shape *s, bool nests)
{
  int first = nests ? 0 : CIRCLES_TRIED;
  for (int k = 0; k < CIRCLES_RANKED && !is_late(f); k++)
    if (!try_maker(f, s, circled, first + k))
      break;
  for (int k = CIRCLES_RANKED; k < CIRCLES_TRIED && !is_late(f); k++)
    try_maker(f, s, circled, first + k);
}

/* Both ways, until no more than `enough` is moved. */
static void try_all_circles(finder *f, const tiler_shape *s, num_count enough)
{
  for (int nests = 1; nests >= 0 && io_of(f->out) > enough; nests--)
    try_circles(f, s, nests);
}

/* Do statements read one another in a circle, or one itself in another way than a sum does? */
static bool has_levels(const tiler_shape *s)
{
  bool any = s->cyclic || s->stepped;
  for (int a = 0; a < s->g->arrays; a++)
    any = any || s->s[a].reads_itself;
  return any;
}

/* The shapes that are no nests: their own plans, then the plain order where nothing else is legal. */
static void make(finder *f, const tiler_shape *s)
{
  /* what was found may be of another spelling */
  bool more = f->out->origin == FOUND_NOTHING || has_levels(s) || f->respelled;
  int first = more ? 0 : 1;
  for (int which = 0; which < SWEEP_WAYS && (more || f->out->origin == FOUND_LIBRARY); which++)
    try_maker(f, s, swept, which); /* blocks that are soon judged, then the best ones */
  for (int which = PIPELINE; which <= ALTERNATING && !f->slices; which++)
    try_maker(f, s, swept, which);
  if (f->out->origin == FOUND_NOTHING && f->seconds > 0 && !f->slices)
    plain(f, s, true); /* so that there is something to say when time is over */
  bool stays = f->out->origin != FOUND_LIBRARY && !f->slices; /* else it is said as well for what was given */
  num_count io[STAYS_TRIED], promised = stays ? count_staying(f, s, first, io) : 0;
  f->promised = promised; /* tiles that move no less are not played, unless what stays proves illegal */
  if (more)
    try_all_circles(f, s, 0);
  for (int which = 0; which < 2 && more && !f->slices; which++)
    try_maker(f, s, stripped, which);
  f->promised = 0;
  if (!stays)
    return;
  try_staying(f, s, first, io);
  if (more && promised)
    try_all_circles(f, s, promised);
  if (f->out->origin == FOUND_NOTHING)
    plain(f, s, false);
}

/* What a loop leaves for its next iteration, computed in that one, by nests inside the loops that circles share. */
static void search_delayed(finder *f, const tiler_shape *s)
{
  cdag_cut later;
  const cdag *g = f->g;
  for (int which = 0; s->cyclic && !f->slices && !is_late(f) && cdag_delay(g, which, &later); which++) {
    tiler_slices slices = { .given = g, .cut = &later };
    tiler_shape own;
    f->g = later.g;
    f->slices = &slices;
    tiler_shape_init(&own, f->g, false);
    try_maker(f, &own, staying, NESTS_APART);
    tiler_shape_clear(&own);
    f->g = g;
    f->slices = NULL;
    cdag_cut_clear(&later);
  }
}

/* What moves less than all that was played to its end, least first, is given the time that is left.  Where nothing was
 * played to its end the first is taken that was not refused; and where it moves FAR times less than what was: a plain
 * order is soon played, and less time would have left it the first. */
static void settle(finder *f)
{
  enum { FAR = 2 };
  schedule_found *o = f->out, *first = NULL;
  for (int k = 0; k < UNPLAYED && io_of(&f->unplayed[k]) < io_of(o); k++) {
    schedule_found *u = &f->unplayed[k];
    tiler_patience p = { .until = f->from + f->longest };
    tiler_verdict v = { .long_winded = true };
    if (f->seconds > 0) /* else it has had all the time there is */
      tiler_judge(f->g, f->rules, text_str(&u->source), &p, f->judged, &v);
    if (v.legal)
      keep(o, u->origin, u->name, &u->source, &v);
    else if (v.long_winded && !first)
      first = u;
  }
  o->played = o->origin != FOUND_NOTHING;
  if (first && (!o->played || io_of(first) < io_of(o) / FAR)) {
    if (o->played)
      text_printf(&o->record, "%sa text of %s words was played to its end", o->record.n ? "; " : "",
                  num_digits(io_of(o)).s);
    o->played = false;
    tiler_verdict v = { .loads = first->loads, .stores = first->stores, .peak = first->peak };
    keep(o, first->origin, first->name, &first->source, &v);
  } else if (first && io_of(first) < io_of(o))
    text_printf(&o->record, "%sa text of %s words was not played to its end, as time was over",
                o->record.n ? "; " : "", num_digits(io_of(first)).s);
  for (int k = 0; k < UNPLAYED; k++)
    schedule_found_clear(&f->unplayed[k]);
}

/* All that is tried for the computation f->g. */
static void find_for(finder *f, bool library_too)
{
  tiler_shape s, wide = { 0 };
  tiler_shape_init(&s, f->g, false);
  if (!s.affine)
    tiler_shape_init(&wide, f->g, true);
  f->wide = &wide;
  if (library_too)
    library(f, &s);
  /* there are few such plans: each is a tile of one array, and what is cut to a part takes long to count */
  if (f->slices || (f->respelled && f->respelled->r->trims.n))
    try_circles(f, &s, false);
  search_nests(f, &s);
  make(f, &s);
  search_delayed(f, &s);
  search_cuts(f, &s);
  tiler_shape_clear(&s);
  tiler_shape_clear(&wide);
}

/* First for the whole of its slices, if it has such, in half of the time. */
static void find_in(finder *f, const cdag *g, bool library_too)
{
  tiler_slices slices;
  if (tiler_slices_init(&slices, g)) {
    double seconds = f->seconds, longest = f->longest;
    f->g = tiler_slices_whole(&slices);
    f->slices = &slices;
    f->seconds /= 2;
    f->longest /= 2;
    find_for(f, library_too);
    f->seconds = seconds;
    f->longest = longest;
    f->slices = NULL;
  }
  f->g = g;
  find_for(f, library_too);
  tiler_known_clear(f->known); /* they are of computations that end here */
  *f->known = (tiler_known){ 0 };
  tiler_slices_clear(&slices);
}

/* Not where rules were put apart, and those are slices of what was given. */
static bool is_news(const cdag_respelled *r)
{
  tiler_slices slices = { 0 };
  bool apart = r->g->arrays > r->given->arrays, turned = false;
  for (int a = 0; a < r->g->arrays; a++)
    for (int q = 0; q < r->g->array[a].rank; q++)
      turned = turned || r->index[a][q].turned;
  bool news = !apart || turned || !tiler_slices_init(&slices, r->g) ||
              tiler_slices_whole(&slices)->arrays > r->given->arrays;
  tiler_slices_clear(&slices);
  return news;
}

/* In that part of the time, or, where nothing was found, of all that is left. */
static void find_for_given(finder *f, const cdag *g, bool library_too, int part)
{
  double from = f->from, seconds = f->seconds, longest = f->longest;
  f->from = clock_processor();
  f->longest = fmax(from + longest - f->from, 0.1);
  f->seconds = fmin(seconds / part, f->longest);
  f->hasty = true;
  find_in(f, g, library_too);
  f->hasty = false;
  f->from = from;
  f->seconds = seconds;
  f->longest = longest;
}

static void find_for_respelled(finder *f, const cdag_respelled *r, bool library_too)
{
  double from = f->from, seconds = f->seconds, longest = f->longest;
  tiler_walks walks = { .r = r };
  f->from = clock_processor();
  f->longest = fmax(from + longest - f->from, 0.1);
  f->seconds = fmin(f->out->origin == FOUND_NOTHING ? seconds : fmax(seconds / 2, from + seconds - f->from),
                    f->longest);
  f->respelled = &walks;
  find_in(f, r->g, library_too);
  tiler_walks_clear(&walks);
  f->respelled = NULL;
  f->from = from;
  f->seconds = seconds;
  f->longest = longest;
}

/* Nothing was found: where an element reads more than fits, there is nothing. */
static status none_found(const finder *f, diag *d)
{
  cdag_counts c;
  diag ignored = { 0 };
  uint64_t room = f->rules->m - (f->rules->m > 0 && f->rules->variant == PEBBLE_PLACING);
  if (cdag_count(f->g, &c, &ignored) == OK && c.max_in_degree > room)
    return diag_set(d, GAVE_UP, "limit", "there is no legal schedule: an element reads %" PRIu64 " others, and %" PRIu64
                    " fit beside it", c.max_in_degree, room);
  return diag_set(d, GAVE_UP, "limit", "no legal schedule was found%s%s", f->why[0] ? ": " : "", f->why);
}

status schedule_find(const cdag *g, const pebble_rules *rules, const schedule_find_options *o, schedule_found *out,
                     diag *d)
{
  tiler_docket judged = { 0 };
  tiler_known known = { 0 };
  finder f = { .g = g, .rules = rules, .out = out, .judged = &judged, .known = &known };
  cdag_respelled respelled;
  *out = (schedule_found){ 0 };
  if (rules->variant == PEBBLE_PARTIAL || g->graph)
    return diag_set(d, BAD_USAGE, "usage", "a schedule is found for %s; give one",
                    g->graph ? "rules, not for a graph (redblue schedule is)" : "the placing and the sliding game");
  f.seconds = fmax(o->seconds, 0);
  f.longest = fmax(o->seconds, o->longest);
  f.from = clock_processor();
  if (o->known) {
    out->origin = FOUND_LIBRARY;
    out->loads = o->known;
  }
  bool library_too = !o->known && !o->no_library;
  if (cdag_fold(g, &respelled)) /* what else is found for rings moves every word at every level */
    find_for_respelled(&f, &respelled, library_too);
  cdag_respelled_clear(&respelled);
  if (cdag_stride(g, &respelled)) /* else a quotient is a range, and what it reads comes for each step */
    find_for_respelled(&f, &respelled, library_too);
  cdag_respelled_clear(&respelled);
  if (cdag_respell(g, &respelled) && is_news(&respelled)) {
    bool less = respelled.trims.n > 0; /* a text for the other spelling need not compute what leads to no output */
    if (!less)
      find_for_given(&f, g, library_too, 2);
    find_for_respelled(&f, &respelled, library_too);
    if (less)
      find_for_given(&f, g, library_too, 4);
  } else
    find_in(&f, g, library_too);
  f.g = g;
  cdag_respelled_clear(&respelled);
  settle(&f);
  tiler_docket_clear(&judged);
  tiler_known_clear(&known);
  return out->source.n ? OK : none_found(&f, d);
}

bool schedule_is_found(const cdag *g, const char *spec)
{
  const char *assign;
  char *name = schedule_spec_name(spec, &assign);
  bool is = strcmp(name, "found") == 0 && !schedule_is_file(g, name);
  mem_free(name);
  return is;
}

status schedule_open_or_find(schedule **s, const cdag *g, const pebble_rules *rules, const char *spec, diag *d)
{
  if (!schedule_is_found(g, spec))
    return schedule_open(s, g, rules->m, spec, d);
  schedule_find_options o = { .seconds = SCHEDULE_FIND_SECONDS };
  schedule_found f;
  const char *assign;
  char *name = schedule_spec_name(spec, &assign);
  *s = NULL;
  status st = schedule_find(g, rules, &o, &f, d);
  if (st == OK)
    st = schedule_parse(s, g, rules->m, "found.sched", text_str(&f.source), assign, d);
  schedule_found_clear(&f);
  mem_free(name);
  return st;
}

void schedule_found_clear(schedule_found *f)
{
  text_clear(&f->source);
  text_clear(&f->record);
  text_clear(&f->refused);
}
