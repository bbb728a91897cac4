/* fuzz.h -- what the fuzz targets beside this file share.

   A target is a file tests/fuzz/NAME.c that defines LLVMFuzzerTestOneInput: libFuzzer drives it where clang is
   installed, the plain main of driver.c (files, standard input, or its own mutations) where not, and under AFL++.
   Beside it: corpus/NAME/, a few small files to begin from, and words/NAME.dict, the words of the format.  An input may
   be refused or read; it may not crash, hang, leak, or contradict what is said of the format.  Then fuzz_fault ends the
   program, and the input is kept by whoever drives. */
#ifndef REDBLUE_TESTS_FUZZ_H
#define REDBLUE_TESTS_FUZZ_H
#include "base/diag.h"
#include "cdag/graph/graph.h"
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Say what is wrong and abort. */
_Noreturn void fuzz_fault(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* At the end of an input: nothing it made is still alive (beyond what was there at the first call). */
void fuzz_no_leak(void);
/* A refusal must have a kind and a sentence. */
void fuzz_refused(status st, const diag *d);
/* The bytes as a text without zero bytes, to be freed; NULL when they hold one. */
char *fuzz_text(const uint8_t *data, size_t size);

typedef status (*fuzz_reader)(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d);
/* A graph format: what is read is sound, and each format it can be written in reads back as the same graph. */
void fuzz_graph(fuzz_reader read, const uint8_t *data, size_t size);
#endif
