/* support_program.h -- random schedule texts for a computation of arrays: whole boxes in random nests of loops, mostly
   legal when memory is ample, with mistakes now and then. */
#ifndef REDBLUE_TESTS_SUPPORT_PROGRAM_H
#define REDBLUE_TESTS_SUPPORT_PROGRAM_H
#include "cdag/cdag.h"
#include "tests/support.h"
void support_random_program(text *out, const cdag *g, uint64_t seed);
#endif
