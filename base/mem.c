#include "base/mem.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t live_blocks, live_bytes, limit_bytes;
static int64_t fail_countdown = -1;

static void report_and_exit(size_t bytes)
{
  fprintf(stderr, "redblue: out of memory (%zu more bytes were asked for)\n", bytes);
  exit(4);
}
static void (*hook)(size_t) = report_and_exit;

void mem_set_hook(void (*out_of_memory)(size_t)) { hook = out_of_memory ? out_of_memory : report_and_exit; }
void mem_fail_after(int64_t allocations) { fail_countdown = allocations; }
void mem_limit(uint64_t bytes) { limit_bytes = bytes; }
uint64_t mem_live(void) { return live_blocks; }

_Noreturn static void out_of_memory(size_t bytes)
{
  hook(bytes);
  abort(); /* a hook must not return */
}

static size_t checked_size(size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
    out_of_memory(SIZE_MAX);
  if (fail_countdown >= 0 && fail_countdown-- == 0)
    out_of_memory(bytes);
  if (limit_bytes && (bytes > limit_bytes || live_bytes > limit_bytes - bytes))
    out_of_memory(bytes);
  return bytes ? bytes : 1;
}

void *mem_new(size_t count, size_t size)
{
  size_t bytes = checked_size(count, size);
  void *block = calloc(1, bytes);
  if (!block)
    out_of_memory(bytes);
  live_blocks++;
  live_bytes += malloc_usable_size(block);
  return block;
}

void *mem_grow(void *old, size_t count, size_t size)
{
  if (!old)
    return mem_new(count, size);
  size_t bytes = checked_size(count, size), before = malloc_usable_size(old);
  void *block = realloc(old, bytes);
  if (!block)
    out_of_memory(bytes);
  live_bytes += malloc_usable_size(block) - before;
  return block;
}

void mem_free(void *block)
{
  if (!block)
    return;
  live_blocks--;
  live_bytes -= malloc_usable_size(block);
  free(block);
}

char *mem_text_n(const char *text, size_t n)
{
  char *copy = mem_new(n + 1, 1);
  memcpy(copy, text, n);
  return copy;
}

char *mem_text(const char *text) { return mem_text_n(text, strlen(text)); }

void *mem_room(void *array, size_t count, size_t *room, size_t size)
{
  if (count < *room)
    return array;
  *room = *room ? 2 * *room : 8;
  return mem_grow(array, *room, size);
}
