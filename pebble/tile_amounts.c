/* tile_amounts.c -- see tile_amounts.h.

   Let a turn outside leave out T turns of a loop, in the t-th of which an amount is x + t d, where d is the same in all turns outside.  The sum over t of
   a product of such amounts is, expanded, a sum of products of T and, for every factor, of x or (if d is not 0) of one T more.
   Whether T changes from turn to turn outside is the same for all factors: so the product with every x, and the one with T for every x that has a
   d, are of the highest degree that any of them has. */
#include "pebble/tile_amounts.h"

enum { FACTORS = 16 };           /* loops around loops; of more than that nothing is left out */

/* ---- two turns ---- */

static bool same_reaches(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  if (c->reaches - b->reaches != b->reaches - a->reaches)
    return false;
  for (size_t i = a->reaches, k = b->reaches; i < b->reaches; i++, k++)
    if (l->reach[i].net != l->reach[k].net)
      return false;
  return true;
}

static bool same_volumes(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  if (c->volumes - b->volumes != b->volumes - a->volumes)
    return false;
  for (size_t i = a->volumes, k = b->volumes; i < b->volumes; i++, k++)
    if (l->volume[i].net != l->volume[k].net)
      return false;
  return true;
}

static bool same_products(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  if (c->products - b->products != b->products - a->products)
    return false;
  for (size_t i = a->products, k = b->products; i < b->products; i += (size_t)l->product[i] + 1, k += (size_t)l->product[k] + 1)
    if (l->product[i] != l->product[k])
      return false;
  return true;
}

bool tile_amounts_alike(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  return same_reaches(l, a, b, c) && same_volumes(l, a, b, c) && same_products(l, a, b, c);
}

static bool on_a_line(int64_t x, int64_t y, int64_t z) { return (__int128)y - x == (__int128)z - y; }

bool tile_amounts_steady(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c, const pebble_mark *d)
{
  size_t reaches = d->reaches - c->reaches, volumes = d->volumes - c->volumes;
  for (size_t i = 0; i < reaches; i++)
    if (!on_a_line(l->reach[a->reaches + i].turns, l->reach[b->reaches + i].turns, l->reach[c->reaches + i].turns))
      return false;
  for (size_t i = 0; i < volumes; i++)
    if (!on_a_line(l->volume[a->volumes + i].elements, l->volume[b->volumes + i].elements, l->volume[c->volumes + i].elements))
      return false;
  return true; /* factors are among these */
}

/* ---- how it goes on ---- */

static int factors_changed(const int64_t *before, const int64_t *now, int64_t n)
{
  int changed = 0;
  for (int64_t i = 0; i < n; i++)
    changed += before[i] != now[i];
  return changed;
}

int tile_amounts_degree(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  int degree = 0;
  for (size_t i = b->reaches, k = a->reaches; i < c->reaches && !degree; i++, k++)
    degree = l->reach[i].turns != l->reach[k].turns;
  for (size_t i = b->volumes, k = a->volumes; i < c->volumes && !degree; i++, k++)
    degree = l->volume[i].elements != l->volume[k].elements;
  for (size_t i = b->products, k = a->products; i < c->products; i += (size_t)l->product[i] + 1, k += (size_t)l->product[k] + 1) {
    int changed = factors_changed(l->product + k + 1, l->product + i + 1, l->product[i]);
    degree = changed > degree ? changed : degree;
  }
  return degree;
}

static uint64_t plus(uint64_t gain, __int128 more)
{
  return more > INT32_MAX || gain > INT32_MAX ? UINT64_MAX / 2 : gain + (uint64_t)more;
}

uint64_t tile_amounts_gain(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  uint64_t gain = 0;
  for (size_t i = b->reaches, k = a->reaches; i < c->reaches; i++, k++) {
    __int128 more = ((__int128)l->reach[i].turns - l->reach[k].turns) * l->reach[i].net;
    gain = plus(gain, more > 0 ? more : 0);
  }
  for (size_t i = b->volumes, k = a->volumes; i < c->volumes; i++, k++) {
    __int128 more = ((__int128)l->volume[i].elements - l->volume[k].elements) * l->volume[i].net;
    gain = plus(gain, more < 0 ? -more : more);
  }
  return gain;
}

uint64_t tile_amounts_keep(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c, uint64_t most)
{
  for (size_t i = b->reaches, k = a->reaches; i < c->reaches && most; i++, k++) {
    int64_t now = l->reach[i].turns, less;
    if (__builtin_sub_overflow(l->reach[k].turns, now, &less) || !tile_tame(now, less))
      return 0;
    if (less > 0 && (uint64_t)(now / less) < most)
      most = now > 0 ? (uint64_t)(now / less) : 0;
  }
  return most;
}

/* ---- the sum over a jump ---- */

static void multiply(tile_log *l, int64_t turns, const int64_t *before, const int64_t *now, int64_t n)
{
  int moving = factors_changed(before, now, n);
  tile_log_product(l, n + 1);
  tile_log_product(l, turns);
  for (int64_t i = 0; i < n; i++)
    tile_log_product(l, now[i]);
  if (!moving)
    return;
  tile_log_product(l, n + 1);
  tile_log_product(l, turns);
  for (int64_t i = 0; i < n; i++)
    tile_log_product(l, now[i] == before[i] ? now[i] : turns);
}

/* The log may move while it is written. */
static void multiply_product(tile_log *l, int64_t turns, size_t before, size_t now)
{
  int64_t n = l->product[now], was[FACTORS], is[FACTORS];
  if (n >= FACTORS) {
    l->irregular++;
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    was[i] = l->product[before + 1 + (size_t)i];
    is[i] = l->product[now + 1 + (size_t)i];
  }
  multiply(l, turns, was, is, n);
}

/* The last of the turns left out: what lies between it and the first is between these two. */
static int64_t far_end(tile_log *l, int64_t before, int64_t now, int64_t turns)
{
  __int128 far = now + (__int128)turns * ((__int128)now - before);
  if (far != (int64_t)far)
    l->irregular++;
  return (int64_t)far;
}

static void sum_reach(tile_log *l, tile_reach before, tile_reach now, int64_t turns)
{
  tile_log_equal(l, now.turns - before.turns);
  multiply(l, turns, &before.turns, &now.turns, 1);
  if (now.turns != before.turns)
    tile_log_reach(l, far_end(l, before.turns, now.turns, turns), now.net);
}

static void sum_volume(tile_log *l, tile_volume before, tile_volume now, int64_t turns)
{
  tile_log_equal(l, now.elements - before.elements);
  multiply(l, turns, &before.elements, &now.elements, 1);
  if (now.elements != before.elements)
    tile_log_volume(l, far_end(l, before.elements, now.elements, turns), now.net);
}

void tile_amounts_sum(tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c, int64_t turns)
{
  for (size_t i = b->products, k = a->products, end = c->products; i < end; i += (size_t)l->product[i] + 1, k += (size_t)l->product[k] + 1)
    multiply_product(l, turns, k, i);
  for (size_t i = b->reaches, k = a->reaches, end = c->reaches; i < end; i++, k++)
    sum_reach(l, l->reach[k], l->reach[i], turns);
  for (size_t i = b->volumes, k = a->volumes, end = c->volumes; i < end; i++, k++)
    sum_volume(l, l->volume[k], l->volume[i], turns);
}
