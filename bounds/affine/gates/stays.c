/* stays.c -- hourglasses, and what stays between columns. */
#include "bounds/affine/gates/search.h"
#include "bounds/segment/segment.h"
#include <math.h>

static void glass_most(const void *width, const mpz_t x, mpz_t most)
{
  hourglass_most(*(const int64_t *)width, x, most);
}

static double glass_guess(const void *width, double x)
{
  double m = (double)*(const int64_t *)width;
  return 2 * x + x * x / (2 * m);
}

enum { STEPS_TRIED = 400 };

/* The most steps have a jump at every multiple of the width: segments that end just below one may be better than those
 * of the search. */
static void cut_below_jumps(gate_search *s, gates_claim *c)
{
  gate_family *of = &c->family[0], best = *of;
  int64_t width = s->g->set[0].width, least = s->m / width + 1;
  mpz_t x, most, value, largest;
  text reason = { 0 };
  mpz_inits(x, most, value, largest, NULL);
  gates_value(s->g, c, s->m, largest, &reason);
  for (int64_t q = least; q < least + STEPS_TRIED; q++) {
    of->length = q * width - 1 - s->m;
    of->first = 0;
    mpz_set_si(x, q * width - 1);
    hourglass_most(width, x, most);
    mpz_sub_ui(x, s->g->set[0].steps, 1);
    mpz_fdiv_q(x, x, most);
    if (of->length < 1 || !mpz_fits_slong_p(x))
      continue;
    of->segments = mpz_get_si(x) + 1;
    if (gates_value(s->g, c, s->m, value, &reason) && mpz_cmp(value, largest) > 0) {
      mpz_set(largest, value);
      best = *of;
    }
  }
  *of = best;
  mpz_clears(x, most, value, largest, NULL);
  text_clear(&reason);
}

/* ---- stays ---- */

enum { PRICE_SCALE = 1000000000, PRICE_ROUNDS = 60, STAYS_TRIED = 32 };

/* The least of (x h^2 + y h + z) / (n h + 2 w) for h in 0..last: over the reals it falls down to one place and grows
 * behind it, so that it is least beside that. */
static int64_t least_quotient(int64_t x, int64_t y, int64_t z, int64_t n, int64_t w, int64_t last)
{
  double zero = 2 * (double)w / (double)n, /* of the divisor, at -h */
      at = sqrt(((double)z - (double)y * zero) / (double)x + zero * zero) - zero;
  int64_t least = INT64_MAX, first = at < 1 ? 0 : at < (double)last ? (int64_t)at - 1 : last;
  for (int64_t h = first; h <= last && h < first + 4; h++)
    if (n * h + 2 * w > 0 && (x * h * h + y * h + z) / (n * h + 2 * w) < least)
      least = (x * h * h + y * h + z) / (n * h + 2 * w);
  return least;
}

/* The most that a step may be worth when a red word costs so much, as gates_stays_hold asks; 0: that is too much. */
static int64_t step_price(gate_stays *p)
{
  double root = 2 * sqrt((double)p->scale / (double)p->word) + 3; /* further out nothing binds */
  int64_t last = root < STAYS_MOST ? (int64_t)root : STAYS_MOST, one = 4 * p->scale, least = INT64_MAX;
  for (int64_t w = 0; w <= last; w++) {
    int64_t side = p->word * (w * w + 2 * w);
    least = num_min(least, ((1 + p->stores) * one + side) / (4 + 2 * w));
    least = num_min(least, least_quotient(4 * p->word, 2 * p->word * w, one + side, 4, w, last));
    least = num_min(least, least_quotient(4 * p->word, -4 * p->word, one + side, 2, w, last));
  }
  p->step = least;
  return least <= one && least / p->word < STAYS_MOST ? least : 0;
}

/* What it comes to, but for outputs; it is concave in the price of a word, or nearly. */
static double price_worth(gates_claim *c, int64_t word, const double count[3])
{
  c->stays.word = word;
  return (double)step_price(&c->stays) * count[0] - (double)word * count[1] -
         (double)gates_stays_shared(&c->stays) / 4 * count[2];
}

static void best_prices(gate_search *s, gates_claim *c)
{
  const gate_sets *t = &s->g->set[0];
  mpz_t n;
  mpz_init(n);
  double count[3] = { mpz_get_d(t->steps) };
  count[1] = polyhedra_count(&t->gates, n) ? mpz_get_d(n) * (double)(s->m - t->beside) : 0;
  count[2] = polyhedra_count(&t->words, n) ? mpz_get_d(n) : 0;
  int64_t lo = PRICE_SCALE / ((int64_t)STAYS_MOST * STAYS_MOST / 4), hi = 4 * (int64_t)PRICE_SCALE;
  for (int i = 0; i < PRICE_ROUNDS && hi - lo > 2; i++) {
    int64_t third = (hi - lo) / 3;
    if (price_worth(c, lo + third, count) < price_worth(c, hi - third, count))
      lo += third;
    else
      hi -= third;
  }
  price_worth(c, lo, count);
  mpz_clear(n);
}

/* The use at hand, its partner, and an element that reads both before the gate. */
static void try_stays(gate_search *s, gates_claim *c)
{
  text reason = { 0 };
  c->stays.scale = PRICE_SCALE;
  if (++s->stays <= STAYS_TRIED && gates_derive(s->g, c, &reason))
    for (c->stays.stores = 0; c->stays.stores < 2; c->stays.stores++) {
      mpz_t value;
      mpz_init(value);
      best_prices(s, c);
      if (gates_value(s->g, c, s->m, value, &reason))
        gates_keep_best(s, c, value);
      mpz_clear(value);
    }
  text_clear(&reason);
}

/* Two reads of one element: of what the access `own` reads, which it does not continue, and of what `partner` does. */
static bool reads_likely(const gate_search *s, const access *own, const access *partner, const int read[2])
{
  const access *a = s->g->f->form.access[read[0]], *b = s->g->f->form.access[read[1]];
  return a != b && a->from == b->from && a->to == own->to && b->to == partner->to && a->single && b->single &&
         !words_is_own(&s->g->f->words, read[0]) && s->g->f->form.array[own->to].computed.n > 0;
}

static void find_stays(gate_search *s, const gates_claim *like, int array)
{
  const normal_form *f = &s->g->f->form;
  gates_claim c = *like;
  for (int i = 0; i < s->words.owns; i++)
    for (int n = 0; n < f->accesses * f->accesses; n++) {
      c.stays = (gate_stays){ .own = s->words.own[i], .read = { n / f->accesses, n % f->accesses } };
      if (f->access[c.stays.own]->from == array &&
          reads_likely(s, f->access[c.stays.own], f->access[c.family[0].partner], c.stays.read))
        try_stays(s, &c);
    }
}

void gates_try_hourglass(key_search *k)
{
  gate_search *s = k->t->s;
  const normal_form *f = &s->g->f->form;
  for (int i = 0; i < f->accesses; i++) {
    gates_claim c = k->t->claim;
    gate_family *of = &c.family[0];
    text reason = { 0 };
    if (f->access[i]->from != k->use->use.array || !f->access[i]->single || words_is_own(&s->g->f->words, i) ||
        s->g->f->words.component[f->access[i]->to] != k->use->component)
      continue;
    of->use[of->uses] = k->use->use;
    of->use[of->uses++].keys = k->keys;
    of->partner = i;
    find_stays(s, &c, k->use->use.array);
    segment_problem p = { .most = glass_most, .guess = glass_guess, .context = &s->g->set[0].width, .m = s->m };
    segment_cut best;
    mpz_t value;
    mpz_init(value);
    segment_cut_init(&best);
    if (++s->derived <= DERIVED_MOST && gates_derive(s->g, &c, &reason)) {
      mpz_init_set(p.work, s->g->set[0].steps);
      if (segment_search(&p, &best)) {
        of->segments = best.n;
        of->first = best.first;
        of->length = best.length;
      } else
        of->segments = 1;
      cut_below_jumps(s, &c);
      if (gates_value(s->g, &c, s->m, value, &reason))
        gates_keep_best(s, &c, value);
      mpz_clear(p.work);
    }
    segment_cut_clear(&best);
    mpz_clear(value);
    text_clear(&reason);
  }
}
