/* support_damage.h -- texts made wrong: pieces of real ones cut, doubled, exchanged and mixed with words of the
 * language. */
#ifndef REDBLUE_TESTS_SUPPORT_DAMAGE_H
#define REDBLUE_TESTS_SUPPORT_DAMAGE_H
#include "base/text.h"
#include "tests/support.h"
/* words: ended by NULL.  Works on t in place; times: how many injuries. */
void support_damage(support_random *r, text *t, const char *const *words, int times);
#endif
