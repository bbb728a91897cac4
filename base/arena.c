#include "base/arena.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { FIRST = 1 << 12, BLOCK = 1 << 16 }; /* blocks double: most arenas hold little */
struct arena_block {
  arena_block *before;
  size_t used, room;
  bool lent; /* not ours to free */
  max_align_t bytes[];
};

/* What so many take in a block. */
static size_t taken(size_t count, size_t size)
{
  if (size && count > SIZE_MAX / 2 / size)
    mem_exhausted(SIZE_MAX);
  return (count * size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

static void *take(arena *a, size_t count, size_t size)
{
  size_t want = taken(count, size);
  if (!a->last || a->last->room - a->last->used < want) {
    size_t room = !a->last ? FIRST : a->last->room < BLOCK ? 2 * a->last->room : BLOCK;
    room = want > room ? want : room;
    arena_block *b = mem_grow(NULL, 1, sizeof *b + room);
    *b = (arena_block){ .before = a->last, .room = room };
    a->last = b;
  }
  void *p = (char *)a->last->bytes + a->last->used;
  a->last->used += want;
  return p;
}

arena arena_within(void *block, size_t bytes)
{
  size_t before = -(uintptr_t)block % _Alignof(arena_block);
  arena_block *b = (void *)((char *)block + before);
  *b = (arena_block){ .room = bytes - before - sizeof *b, .lent = true };
  return (arena){ b };
}

void *arena_new(arena *a, size_t count, size_t size)
{
  void *p = take(a, count, size);
  memset(p, 0, count * size);
  return p;
}

void *arena_grow(arena *a, const void *old, size_t had, size_t count, size_t size)
{
  void *p = take(a, count, size);
  if (had)
    memcpy(p, old, had * size);
  return p;
}

void arena_trim(arena *a, const void *array, size_t had, size_t count, size_t size)
{
  size_t whole = taken(had, size);
  if (a->last && (const char *)array + whole == (const char *)a->last->bytes + a->last->used)
    a->last->used -= whole - taken(count, size);
}

void *arena_room(arena *a, void *array, int n, int *room, size_t size)
{
  if (n < *room)
    return array;
  *room = *room ? 2 * *room : 8;
  return arena_grow(a, array, (size_t)n, (size_t)*room, size);
}

arena_mark arena_now(const arena *a) { return (arena_mark){ a->last, a->last ? a->last->used : 0 }; }

void arena_back(arena *a, arena_mark then)
{
  while (a->last != then.last) {
    arena_block *before = a->last->before;
    if (!a->last->lent)
      mem_free(a->last);
    a->last = before;
  }
  if (a->last)
    a->last->used = then.used;
}

void arena_clear(arena *a) { arena_back(a, (arena_mark){ 0 }); }
