/* arena.h -- memory that is given back all at once: what a derivation makes lives and dies with its arena. */
#ifndef REDBLUE_ARENA_H
#define REDBLUE_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;
typedef struct {
  arena_block *last;
} arena;

void *arena_new(arena *a, size_t count, size_t size);                         /* zeroed */
void *arena_grow(arena *a, const void *old, size_t had, size_t count, size_t size); /* a longer copy */
/* Of an array of `had` elements only the first `count` are needed: the rest is given back if nothing was made since. */
void arena_trim(arena *a, const void *array, size_t had, size_t count, size_t size);
/* The array itself, or a longer copy, so that there is room for one more than n. */
void *arena_room(arena *a, void *array, int n, int *room, size_t size);
void arena_clear(arena *a);
/* An arena that begins in a block of the caller's, for what mostly fits: such a one is made and cleared for nothing. */
arena arena_within(void *block, size_t bytes);
#define SCOPED_ARENA __attribute__((cleanup(arena_clear))) arena /* cleared where its block ends */
/* What was made since then is given back. */
typedef struct { arena_block *last; size_t used; } arena_mark;
arena_mark arena_now(const arena *a);
void arena_back(arena *a, arena_mark then);

#define ARENA_NEW(arena, type, count) ((type *)arena_new((arena), (count), sizeof(type)))

#endif
