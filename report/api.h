/* api.h -- the least set of calls for use from other languages (Python's ctypes, Julia's ccall, C++): strings and
   numbers in, one JSON object out, with the fields of the command line (docs/library.md).

   The names begin with redblue_ rather than with the room, for a caller who sees nothing of the house.

   Computation and schedule are given as on the command line -- a family with its parameters, a file, a schedule of the
   library -- or, when the string holds a line end, as a text in the language itself.  game is "" or NULL, or words of
   "placing", "sliding", "partial", "one-shot".  Parameters of a schedule that are `auto` are tuned.

   Every answer names what was asked: computation, schedule (null for a bound), M, version.
   Every call gives the exit code of the command line -- 0 yes or done, 1 no (illegal), 2 usage, 3 input, 4 gave up, 5
   two answers of the library exclude each other -- and sets *answer to a text that redblue_free releases: for 2 and
   more it is {"error": {"kind", "message", ...}}.  One call at a time. When memory runs out the process ends, unless
   mem_set_hook of base/mem.h said otherwise. */
#ifndef REDBLUE_REPORT_API_H
#define REDBLUE_REPORT_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every lower bound that applies: bounds[]{name, value, trust, holds, source}, best{name, value, trust}. */
int redblue_bound(const char *computation, uint64_t m, const char *game, char **answer);
/* Play and judge: legal, loads, stores, io, peak, computes, params{}, error{line, column, loops, element, rule,
 * missing}, lower_bound{}, ratio. */
int redblue_verify(const char *computation, const char *schedule, uint64_t m, const char *game, char **answer);
/* Count without playing: loads, stores, io, peak, computes, params{}, formula (null when there is none), formula_holds
   (null, or the conditions it holds under at other values of the parameters). */
int redblue_count(const char *computation, const char *schedule, uint64_t m, const char *game, char **answer);
void redblue_free(char *answer);
const char *redblue_version(void);

#ifdef __cplusplus
}
#endif
#endif
