/* big.h -- products of powers of whole numbers of any size: what a theorem allows is a root of one. */
#ifndef REDBLUE_BIG_H
#define REDBLUE_BIG_H

#include <gmp.h>
#include <stdint.h>

/* product times base to the power, which is not negative */
static inline void big_times_power(mpz_t product, const mpz_t base, int64_t power)
{
  mpz_t t;
  mpz_init(t);
  mpz_pow_ui(t, base, (unsigned long)power);
  mpz_mul(product, product, t);
  mpz_clear(t);
}
static inline void big_times_power64(mpz_t product, int64_t base, int64_t power)
{
  mpz_t b;
  mpz_init_set_si(b, base);
  big_times_power(product, b, power);
  mpz_clear(b);
}

#endif
