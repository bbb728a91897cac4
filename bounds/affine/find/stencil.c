/* stencil.c -- claims of stencils: lengths, cubes, sections. */
#include "bounds/affine/find/search.h"
#include "base/num.h"
#include <math.h>
#include <string.h>

enum { MARGIN = 2, LENGTHS = 160 };

/* The best length of a segment: multiples of M / 16. */
static void find_length(stencil_claim *c, int64_t m, mpz_t best)
{
  mpz_t value;
  int64_t length = 0;
  mpz_init(value);
  mpz_set_ui(best, 0);
  for (int i = 1; i <= LENGTHS; i++) {
    c->length = num_max(1, m / 16 * i + m % 16 * i / 16);
    stencil_count(c, m, value);
    if (mpz_cmp(value, best) > 0) {
      mpz_set(best, value);
      length = c->length;
    }
  }
  c->length = length;
  mpz_clear(value);
}

static int64_t narrowest_side(const stencil_claim *c)
{
  int64_t w = INT64_MAX;
  for (int a = 0; a < c->axes; a++)
    w = num_min(w, c->hi[a] - c->lo[a] + 1);
  return w;
}

/* Cubes of columns: the box's sides are cut in equal parts, and what is left over does not count. */
static void best_sections(const stencil_claim *c, int64_t m, mpz_t value, stencil_claim *best)
{
  enum { PARTS = 12 };
  mpz_t at;
  mpz_init(at);
  mpz_set_ui(value, 0);
  for (int i = 0; i < c->axes * PARTS; i++) {
    stencil_claim k = *c;
    int axis = i / PARTS;
    k.cube = (c->hi[axis] - c->lo[axis] + 1) / (i % PARTS + 1);
    for (int a = 0; a < c->axes && k.cube > 1; a++)
      k.hi[a] -= (k.hi[a] - k.lo[a] + 1) % k.cube;
    if (k.cube < 2 || narrowest_side(&k) < 2)
      continue;
    find_length(&k, m, at);
    if (mpz_cmp(at, value) > 0) {
      mpz_set(value, at);
      *best = k;
    }
  }
  mpz_clear(at);
}

/* Sets of columns of one height, as k says; what holds is found out where it would be worth more. */
static void try_section(affine_facts *f, int64_t m, stencil_claim *k, stencil_best *best)
{
  stencil_claim found;
  SCOPED_TEXT reason = { 0 };
  mpz_t value, beside[STENCIL_BESIDE];
  mpz_inits(value, beside[0], beside[1], beside[2], NULL);
  if (k->reading != READ_ENDS)
    stencil_find_constants(f, k);
  best_sections(k, m, value, &found);
  if (mpz_sgn(value) > 0 && stencil_holds(f, &found, beside, &reason)) {
    stencil_total(&found, m, beside, value);
    if (mpz_cmp(value, best->value) > 0) {
      mpz_set(best->value, value);
      best->claim = found;
    }
  }
  mpz_clears(value, beside[0], beside[1], beside[2], NULL);
}

/* With the neighbours along axes, with all, with those between; and with those further off. */
static void try_sections(affine_facts *f, int64_t m, const stencil_claim *c, stencil_best *best)
{
  enum { OPEN = 1, CORNERS = 2, FIELDS = 4 };
  static const int kinds[] = { 0, OPEN, CORNERS, CORNERS | OPEN, FIELDS | OPEN };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && c->stride == 1; i++) {
    int kind = kinds[i];
    stencil_claim k = *c;
    k.once = k.sections = true;
    k.open = kind & OPEN;
    k.corners = kind & CORNERS;
    k.fields = kind & FIELDS;
    if (k.reading == READ_ENDS && (!k.open || k.fields))
      continue;
    if ((k.corners && (c->axes < 2 || (c->axes > 2 && !k.open))) ||
        (k.fields && (c->axes > STENCIL_FIELD_AXES || !stencil_drops_twice(c))))
      continue;
    do
      try_section(f, m, &k, best);
    while (k.open && !k.fields && ++k.reach <= STENCIL_REACH && stencil_reaches(f, &k));
  }
}

static void try_stencil(affine_facts *f, int64_t m, stencil_claim *c, stencil_best best[2])
{
  text reason = { 0 };
  mpz_t value, beside[STENCIL_BESIDE];
  mpz_inits(value, beside[0], beside[1], beside[2], NULL);
  bool stencil_is = stencil_holds(f, c, beside, &reason);
  if (stencil_is)
    for (int once = 0; once < 2; once++) {
      int64_t levels = (c->top - c->bottom) / c->stride, side = narrowest_side(c);
      const int64_t root = num_isqrt(m),
                    rooms[] = { 0,         levels + 1, side / 4, side / 6, side / 8, side / 12,    side / 16,
                                side / 24, side / 32,  root / 2, root,     2 * root, 3 * root / 2, 3 * root,
                                4 * root,  m / 2,      m + 1,    2 * m,    3 * m };
      for (size_t i = 0; i < 2 * (sizeof rooms / sizeof *rooms); i++) {
        stencil_claim k = *c;
        k.once = once;
        k.tall = i % 2;
        k.room = rooms[i / 2];
        if ((i > 0 && (k.room < 2 || 2 * k.room >= side)) || (k.tall && k.axes > STENCIL_TALL_AXES))
          continue;
        find_length(&k, m, value);
        if (mpz_sgn(value) > 0)
          mpz_add(value, value, beside[once]);
        if (mpz_cmp(value, best[once].value) > 0) {
          mpz_set(best[once].value, value);
          best[once].claim = k;
        }
      }
    }
  mpz_clears(value, beside[0], beside[1], beside[2], NULL);
  text_clear(&reason);
  if (stencil_is)
    try_sections(f, m, c, &best[1]);
}

/* Columns of a component are tried once; those that count one array only, where two take turns. */
static bool has_columns(const affine_facts *f, int x, int stride)
{
  int computed = 0;
  for (int y = 0; y < f->form.arrays; y++)
    computed += f->words.component[y] == f->words.component[x] && f->form.array[y].computed.n > 0;
  return stride == 1 ? f->words.component[x] == x : f->form.array[x].computed.n > 0 && computed == 2;
}

void affine_find_stencil(affine_facts *f, int64_t m, stencil_best best[2])
{
  search *s = ARENA_NEW(&f->memory, search, 1);
  affine_claim like;
  text reason = { 0 };
  tried_words *t = ARENA_NEW(&f->memory, tried_words, 1);
  s->f = f;
  for (int k = 0; k < FIND_ORDERS + NEAR; k++) {
    if (k < FIND_ORDERS)
      find_choose_words(s, &find_orders[k]);
    else if (!find_choose_near(s, k - FIND_ORDERS))
      continue;
    find_begin(s, &like);
    if (!find_is_new(t, s) || !affine_words(f, &like, &reason))
      continue;
    for (int x = 0; x < f->form.arrays; x++)
      for (int stride = 1; stride <= 2; stride++)
        for (int margin = 0; has_columns(f, x, stride) && margin <= MARGIN; margin++) {
          stencil_claim c = { .owns = s->owns, .reading = f->reading };
          memcpy(c.own, s->own, sizeof s->own);
          arena_clear(&f->scratch);
          if (stencil_guess(f, x, stride, margin, &c))
            try_stencil(f, m, &c, best);
        }
  }
  text_clear(&reason);
}
