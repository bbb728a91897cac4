/* If at most first + (n - 1) length events were enough, the play would fall into a segment of at most `first` events
   that begins with nothing red and n - 1 others of at most `length` that begin with at most M red: all the work would
   be at most most_first + (n - 1) most. When that is less than the work, there is at least one event more. */
#include "base/scoped.h"
#include "bounds/check/cut.h"

void checker_cut_init(checker_cut *c)
{
  mpz_inits(c->work, c->n, c->first, c->length, c->most_first, c->most, c->events, c->births, c->stores, NULL);
}

void checker_cut_clear(checker_cut *c)
{
  mpz_clears(c->work, c->n, c->first, c->length, c->most_first, c->most, c->events, c->births, c->stores, NULL);
}

static bool read_one(const json_value *p, const char *key, mpz_t v, text *reason)
{
  return (json_get_big(p, key, v) && mpz_sgn(v) >= 0) ||
         bound_refuse(reason, "'%s' is missing or no natural number", key);
}

bool checker_cut_read(checker_cut *c, const json_value *p, text *reason)
{
  return read_one(p, "work", c->work, reason) && read_one(p, "segments", c->n, reason) &&
         read_one(p, "first", c->first, reason) && read_one(p, "length", c->length, reason) &&
         read_one(p, "most_first", c->most_first, reason) && read_one(p, "most", c->most, reason) &&
         read_one(p, "events", c->events, reason) && read_one(p, "births", c->births, reason) &&
         read_one(p, "stores", c->stores, reason);
}

/* `most` work is possible with x words and one unit more is not. */
static bool is_most(const char *which, const mpz_t most, const mpz_t x, checker_feasible can, const void *context,
                    text *reason)
{
  SCOPED_MPZ more;
  mpz_init(more);
  mpz_add_ui(more, most, 1);
  bool too_little = can(context, more, x), too_much = !can(context, most, x);
  return !(too_little || too_much) || bound_refuse(reason, "'%s' is not the most work its words allow: %s", which,
                                                   too_little ? "more is possible" : "it is too much");
}

/* first + (n - 1) length + 1 = events, and most_first + (n - 1) most < work. */
static bool sums_hold(const checker_cut *c, text *reason)
{
  SCOPED_MPZ others, sum;
  mpz_inits(others, sum, NULL);
  mpz_sub_ui(others, c->n, 1);
  mpz_mul(sum, others, c->length);
  mpz_add(sum, sum, c->first);
  mpz_add_ui(sum, sum, 1);
  bool good =
      mpz_cmp(sum, c->events) == 0 || bound_refuse(reason, "the events are not first + (segments - 1) length + 1");
  mpz_mul(sum, others, c->most);
  mpz_add(sum, sum, c->most_first);
  good = good && (mpz_cmp(sum, c->work) < 0 || bound_refuse(reason, "the segments could do all the work"));
  return good;
}

bool checker_cut_holds(const checker_cut *c, int64_t m, checker_feasible can, const void *context, text *reason)
{
  mpz_t x;
  if (mpz_sgn(c->n) <= 0) /* unreachable: below 0, which is no natural number */
    return bound_refuse(reason, "there must be a segment");
  bool one = mpz_cmp_ui(c->n, 1) == 0;
  /* unreachable: below 0 */
  if (one != (mpz_sgn(c->length) == 0) || (one && mpz_sgn(c->most) != 0))
    return bound_refuse(reason, "other segments have a length, and work, exactly when there are any");
  mpz_init_set_si(x, m);
  mpz_add(x, x, c->length);
  bool good = is_most("most_first", c->most_first, c->first, can, context, reason) &&
              (one || is_most("most", c->most, x, can, context, reason)) && sums_hold(c, reason);
  mpz_clear(x);
  return good;
}

bool checker_cut_weighs(checker_cut *c, const json_value *parameters, const mpz_t work, int64_t m,
                        checker_feasible can, const void *context, text *reason)
{
  return checker_cut_read(c, parameters, reason) &&
         (mpz_cmp(c->work, work) == 0 || bound_refuse(reason, "'work' is not the weight of all steps")) &&
         checker_cut_holds(c, m, can, context, reason);
}

/* 27 work^2 <= times x^3 */
bool checker_within_cube(const mpz_t work, const mpz_t x, unsigned long times)
{
  SCOPED_MPZ left, right;
  mpz_inits(left, right, NULL);
  mpz_mul(left, work, work);
  mpz_mul_ui(left, left, 27);
  mpz_pow_ui(right, x, 3);
  mpz_mul_ui(right, right, times);
  return mpz_cmp(left, right) <= 0;
}

void checker_cut_value(const checker_cut *c, mpz_t value)
{
  mpz_sub(value, c->events, c->births);
  mpz_add(value, value, c->stores);
}

bool checker_equal(const json_value *p, const char *key, uint64_t expected, text *reason)
{
  SCOPED_MPZ v;
  mpz_init(v);
  bool good = json_get_big(p, key, v) && mpz_cmp_ui(v, expected) == 0;
  return good || bound_refuse(reason, "'%s' is not what the computation has: %lu", key, (unsigned long)expected);
}

bool checker_at_most(const json_value *p, const char *key, uint64_t most, text *reason)
{
  SCOPED_MPZ sum;
  mpz_init(sum);
  return checker_add_at_most(p, key, most, sum, reason);
}

bool checker_add_at_most(const json_value *p, const char *key, uint64_t most, mpz_t sum, text *reason)
{
  SCOPED_MPZ v;
  mpz_init(v);
  bool good = json_get_big(p, key, v) && mpz_sgn(v) >= 0 && mpz_cmp_ui(v, most) <= 0;
  if (good)
    mpz_add(sum, sum, v);
  return good || bound_refuse(reason, "'%s' is more than the computation has: %lu", key, (unsigned long)most);
}
