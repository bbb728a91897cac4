/* pebble/extrapolate/amounts.c -- see pebble/extrapolate/amounts.h.

   Let an iteration outside leave out T iterations of a loop, in the t-th of which an amount is x + t d, where d is the
   same in all iterations outside.  The sum over t of a product of such amounts is, expanded, a sum of products of T
   and, for every factor, of x or (if d is not 0) of one T more. Whether T changes from iteration to iteration outside
   is the same for all factors: so the product with every x, and the one with T for every x that has a d, are of the
   highest degree that any of them has. */
#include "pebble/extrapolate/amounts.h"

enum { FACTORS = 16 };           /* loops around loops; of more than that nothing is left out */

/* ---- two iterations ---- */

static bool same_nets(const tile_amount *x, size_t a, size_t b, size_t c)
{
  if (c - b != b - a) /* unreachable: they are written, or not, by decisions that are among the equal numbers */
    return false;
  for (size_t i = a, k = b; i < b; i++, k++)
    if (x[i].net != x[k].net)
      return false;
  return true;
}

/* They are: which factors a product has, and that there are two, follows from the steps of amounts, which are among the
 * equal numbers. */
static bool same_products(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  if (c->products - b->products != b->products - a->products) /* unreachable: see above */
    return false;
  for (size_t i = a->products, k = b->products; i < b->products;
       i += (size_t)l->product[i] + 1, k += (size_t)l->product[k] + 1)
    if (l->product[i] != l->product[k]) /* unreachable: see above */
      return false;
  return true;
}

bool tile_amounts_alike(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  if (!same_nets(l->reach, a->reaches, b->reaches, c->reaches))
    return false;
  /* unreachable: what an element gains is told by the statement and the shape, which are among the equal numbers;
   * products: see there */
  return same_nets(l->volume, a->volumes, b->volumes, c->volumes) && same_products(l, a, b, c);
}

static bool on_a_line(int64_t x, int64_t y, int64_t z) { return (__int128)y - x == (__int128)z - y; }

/* Factors are among these.  So are volumes then: each is affine in the iteration, or lies at the far end of iterations
 * left out, whose number is one of these. */
bool tile_amounts_steady(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c,
                         const pebble_mark *d)
{
  const tile_amount *x = l->reach;
  for (size_t i = a->reaches, j = b->reaches, k = c->reaches; k < d->reaches; i++, j++, k++)
    if (!on_a_line(x[i].value, x[j].value, x[k].value))
      return false;
  return true;
}

/* ---- how it goes on ---- */

static int factors_changed(const int64_t *before, const int64_t *now, int64_t n)
{
  int changed = 0;
  for (int64_t i = 0; i < n; i++)
    changed += before[i] != now[i];
  return changed;
}

static bool any_changed(const tile_amount *x, size_t a, size_t b, size_t c)
{
  for (size_t i = b, k = a; i < c; i++, k++)
    if (x[i].value != x[k].value)
      return true;
  return false;
}

int tile_amounts_degree(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  int degree = any_changed(l->reach, a->reaches, b->reaches, c->reaches) ||
               any_changed(l->volume, a->volumes, b->volumes, c->volumes);
  for (size_t i = b->products, k = a->products; i < c->products;
       i += (size_t)l->product[i] + 1, k += (size_t)l->product[k] + 1) {
    int changed = factors_changed(l->product + k + 1, l->product + i + 1, l->product[i]);
    degree = changed > degree ? changed : degree;
  }
  return degree;
}

enum { FAR_BITS = 62 };          /* no memory is as large */

static uint64_t plus(uint64_t gain, __int128 more)
{
  __int128 sum = gain + more, far = (__int128)1 << FAR_BITS;
  return (uint64_t)(sum < far ? sum : far);
}

/* All that they gain more than the iteration before; what they gain less counts too, if it is to. */
static uint64_t more_of(const tile_amount *x, size_t a, size_t b, size_t c, bool less)
{
  uint64_t gain = 0;
  for (size_t i = b, k = a; i < c; i++, k++) {
    __int128 more = ((__int128)x[i].value - x[k].value) * x[i].net;
    gain = plus(gain, more > 0 ? more : less ? -more : 0);
  }
  return gain;
}

uint64_t tile_amounts_gain(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  return plus(more_of(l->reach, a->reaches, b->reaches, c->reaches, false),
              more_of(l->volume, a->volumes, b->volumes, c->volumes, true));
}

uint64_t tile_amounts_swing(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  return plus(more_of(l->reach, a->reaches, b->reaches, c->reaches, true),
              more_of(l->volume, a->volumes, b->volumes, c->volumes, true));
}

uint64_t tile_amounts_keep(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c,
                           uint64_t most)
{
  for (size_t i = b->reaches, k = a->reaches; i < c->reaches && most; i++, k++) {
    int64_t now = l->reach[i].value;
    __int128 less = (__int128)l->reach[k].value - now;
    if (!tile_tame(now, less))
      return 0;
    if (less > 0 && now >= 0 && (uint64_t)(now / less) < most) /* a range of no iterations may have fewer still */
      most = (uint64_t)(now / less);
  }
  return most;
}

static uint64_t longest_step(const tile_amount *x, size_t a, size_t b, size_t c)
{
  uint64_t most = 0;
  for (size_t i = b, k = a; i < c; i++, k++) {
    uint64_t step = x[i].value < x[k].value ? (uint64_t)x[k].value - (uint64_t)x[i].value
                                            : (uint64_t)x[i].value - (uint64_t)x[k].value;
    most = step > most ? step : most;
  }
  return most;
}

uint64_t tile_amounts_step(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  uint64_t reach = longest_step(l->reach, a->reaches, b->reaches, c->reaches),
           volume = longest_step(l->volume, a->volumes, b->volumes, c->volumes);
  return reach > volume ? reach : volume;
}

/* ---- the sum over a jump ---- */

static void multiply(tile_log *l, int64_t iterations, const int64_t *before, const int64_t *now, int64_t n)
{
  int moving = factors_changed(before, now, n);
  tile_log_product(l, n + 1);
  tile_log_product(l, iterations);
  for (int64_t i = 0; i < n; i++)
    tile_log_product(l, now[i]);
  if (!moving)
    return;
  tile_log_product(l, n + 1);
  tile_log_product(l, iterations);
  for (int64_t i = 0; i < n; i++)
    tile_log_product(l, now[i] == before[i] ? now[i] : iterations);
}

/* The log may move while it is written. */
static void multiply_product(tile_log *l, int64_t iterations, size_t before, size_t now)
{
  int64_t n = l->product[now], was[FACTORS], is[FACTORS];
  if (n >= FACTORS) { /* unreachable: of 16 loops in each other, three iterations of each were played first */
    l->irregular++;
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    was[i] = l->product[before + 1 + (size_t)i];
    is[i] = l->product[now + 1 + (size_t)i];
  }
  multiply(l, iterations, was, is, n);
}

typedef void write_amount(tile_log *l, int64_t value, int64_t net);

static void sum_amount(tile_log *l, tile_amount before, tile_amount now, int64_t iterations, write_amount *put)
{
  tile_log_equal(l, now.value - before.value);
  multiply(l, iterations, &before.value, &now.value, 1);
  if (now.value !=
      before.value) /* the last of the iterations left out: what lies between it and the first is between these two */
    put(l, now.value + iterations * (now.value - before.value), now.net);
}

void tile_amounts_sum(tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c, int64_t iterations)
{
  for (size_t i = b->products, k = a->products, end = c->products; i < end;
       i += (size_t)l->product[i] + 1, k += (size_t)l->product[k] + 1)
    multiply_product(l, iterations, k, i);
  for (size_t i = b->reaches, k = a->reaches, end = c->reaches; i < end; i++, k++)
    sum_amount(l, l->reach[k], l->reach[i], iterations, tile_log_reach);
  for (size_t i = b->volumes, k = a->volumes, end = c->volumes; i < end; i++, k++)
    sum_amount(l, l->volume[k], l->volume[i], iterations, tile_log_volume);
}
