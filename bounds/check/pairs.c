/* Is there a p with  scale Y(p)^2 / 4 + min(each p, sides/2 sqrt(p) Y(p)) >= work?  The prover finds the p that is
   best; here all are gone through: from p on, up to which q is it impossible because even q's carried work with p's
   words is too little?  For q >= p, Y(q) <= Y(p), so f(q) <= scale Y(p)^2 / 4 + min(each q, sides/2 sqrt(q) Y(p)), and
   the right side reaches `work` only at the q where each q, or sides/2 sqrt(q) Y(p), makes up what is missing. */
#include "base/scoped.h"
#include "bounds/check/pairs.h"
#include "base/patience.h"

enum { ITERATIONS = PATIENCE(1 << 14) };

typedef struct {
  const checker_carried *k;
  mpz_t words, missing, y, q, t;
} scan;

/* Over 4 keep_den^2: what carried work must make up for at p. */
static void find_missing(scan *s, const mpz_t work, const mpz_t p)
{
  mpz_mul_si(s->y, s->words, s->k->keep_den);
  mpz_mul_si(s->t, p, s->k->keep_num);
  mpz_sub(s->y, s->y, s->t);
  if (mpz_sgn(s->y) < 0)
    mpz_set_ui(s->y, 0);
  mpz_mul(s->t, s->y, s->y);
  mpz_mul_si(s->t, s->t, s->k->scale);
  mpz_mul_si(s->missing, work, 4 * s->k->keep_den);
  mpz_mul_si(s->missing, s->missing, s->k->keep_den);
  mpz_sub(s->missing, s->missing, s->t);
}

/* q = the first with rate q >= missing (none: q < 0) */
static void reach(mpz_t q, const mpz_t missing, const mpz_t rate)
{
  if (mpz_sgn(rate) <= 0) /* unreachable: below 0; a product of natural numbers */
    mpz_set_si(q, -1);
  else
    mpz_cdiv_q(q, missing, rate);
}

/* The first q at which both each q and sides/2 sqrt(q) Y(p) reach what is missing; negative: never. */
static void first_possible(scan *s)
{
  SCOPED_MPZ other;
  mpz_init(other);
  mpz_set_si(s->t, s->k->each);
  mpz_mul_si(s->t, s->t, 4 * s->k->keep_den);
  mpz_mul_si(s->t, s->t, s->k->keep_den);
  reach(s->q, s->missing, s->t);
  /* sides/2 sqrt(q) y / keep_den over 4 keep_den^2 is 2 keep_den sides sqrt(q) y: square both sides */
  mpz_mul_si(s->t, s->y, 2 * s->k->keep_den);
  mpz_mul_si(s->t, s->t, s->k->sides);
  mpz_mul(s->t, s->t, s->t);
  mpz_mul(s->missing, s->missing, s->missing);
  reach(other, s->missing, s->t);
  if (mpz_sgn(s->q) >= 0 && (mpz_sgn(other) < 0 || mpz_cmp(other, s->q) > 0))
    mpz_set(s->q, other);
}

static bool scan_all(scan *s, const mpz_t work)
{
  mpz_t p, last;
  bool can = true;
  mpz_init(p);
  mpz_init_set_ui(last, s->k->pairs);
  if (mpz_cmp(s->words, last) < 0)
    mpz_set(last, s->words);
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    find_missing(s, work, p);
    if (mpz_sgn(s->missing) <= 0)
      break;
    first_possible(s);
    if (mpz_sgn(s->q) >= 0 && mpz_cmp(s->q, p) <= 0)
      break;
    if (mpz_sgn(s->q) < 0 || mpz_cmp(s->q, last) > 0) {
      can = false;
      break;
    }
    mpz_set(p, s->q);
  }
  mpz_clears(p, last, NULL);
  return can;
}

bool checker_carried_can(const void *carried, const mpz_t work, const mpz_t x)
{
  scan s = { .k = carried };
  mpz_t rest;
  mpz_init(rest);
  mpz_init_set(s.words, x);
  mpz_inits(s.missing, s.y, s.q, s.t, NULL);
  mpz_mul_si(rest, x, s.k->plus);
  mpz_sub(rest, work, rest);
  bool can = mpz_sgn(rest) <= 0 || scan_all(&s, rest);
  mpz_clears(rest, s.words, s.missing, s.y, s.q, s.t, NULL);
  return can;
}
