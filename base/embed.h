/* embed.h -- the texts the build put inside the library: families, schedules, machines, the lesson page, proofs. */
#ifndef REDBLUE_EMBED_H
#define REDBLUE_EMBED_H
#include <stddef.h>
typedef struct {
  const char *path;  /* as in the source tree: "cdag/families/matmul.cdag" */
  const char *text;
  size_t size;
} embedded_file;
extern const embedded_file embedded_files[]; /* ended by path NULL */
#endif
