/* support.h -- what every test program shares: running a suite, watching for leaks, seeds and rounds. */
#ifndef REDBLUE_TESTS_SUPPORT_H
#define REDBLUE_TESTS_SUPPORT_H
#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Check notes in a file every assertion that holds, to say after a crash which was the last: most of the time of tests
   that ask much.  Here none is noted (a debugger knows better). */
#undef ck_assert_msg
#define ck_assert_msg(expr, ...)                                                                                       \
  ((expr) ? (void)0 : _ck_assert_failed(__FILE__, __LINE__, "Assertion '" #expr "' failed", ##__VA_ARGS__))

/* bound_question's work where a test wants the argument of a bound, not its best moments. */
enum { SEARCH_WORK = 1 << 19 };

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* Run the suite (in one process each test unless CK_FORK=no) and exit status for main. */
int support_run(Suite *s);
/* A tcase whose teardown asserts that no block is left alive; time limit 120 s. */
TCase *support_case(Suite *s, const char *name);
/* How often a random property is tried: half of n, from ROUNDS=2 of the environment on n * ROUNDS.  _i is the seed.  An
   eighth of n * ROUNDS under sanitizers, with which programs are slow: what they watch for shows on any way through the
   library. */
int support_rounds(int n);
/* Is the k-th of many like cases to be asked?  About every fourth is, under sanitizers one of 24, some of any kind;
   with ROUNDS=24 all are. */
bool support_sampled(int k);
int support_sample(int n);       /* of n such cases, about how many are asked */
/* Under sanitizers, or as if (SANITIZED in the environment: a plain build shows soon whether tests pass so)?  Then what
   takes long in the tests' own code, or counts what others try, may be left to the plain run. */
bool support_sanitized(void);
/* Is the i-th of a list of costly cases left to the plain run?  Under sanitizers two of three are. */
bool support_left_out(int i);
/* A small generator: same seed, same numbers everywhere. */
typedef struct { uint64_t s; } support_random;
uint64_t support_next(support_random *r);
int64_t support_between(support_random *r, int64_t lo, int64_t hi); /* both included */
/* From now on support_between takes these bytes for its decisions, and the generator only when they are used up: a
   fuzzer that changes bytes then changes what is generated.  NULL: no bytes.  Borrowed. */
void support_tape(const uint8_t *bytes, size_t n);
#endif
