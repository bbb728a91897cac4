#include "base/mem.h"
#include <gmp.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef __has_feature /* clang's; gcc defines __SANITIZE_ADDRESS__ */
#define __has_feature(what) 0
#endif
#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
#define LEAKS_SOUGHT
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_disable() ((void)0)
#define __lsan_enable() ((void)0)
#endif

static uint64_t live_blocks, live_bytes, limit_bytes;

static void report_and_exit(size_t bytes)
{
  fprintf(stderr, "redblue: out of memory (%zu more bytes were asked for)\n", bytes);
  exit(4);
}
static void (*hook)(size_t) = report_and_exit;

void mem_set_hook(void (*out_of_memory)(size_t)) { hook = out_of_memory ? out_of_memory : report_and_exit; }
void mem_limit(uint64_t bytes) { limit_bytes = bytes; }
uint64_t mem_live(void) { return live_blocks; }

void mem_exhausted(size_t bytes)
{
  hook(bytes);
  abort(); /* a hook must not return */
}

static jmp_buf before_attempt;
static void give_up(size_t bytes) { (void)bytes, longjmp(before_attempt, 1); }

bool mem_attempt(void (*f)(void *context), void *context)
{
  void (*outer)(size_t) = hook;
  uint64_t bytes = live_bytes, blocks = live_blocks;
  volatile bool done = false; /* setjmp returns twice */
  hook = give_up;
  __lsan_disable(); /* what is lost is meant to be; a suppression needs stacks, and they end at frames of a library */
  if (setjmp(before_attempt) == 0) {
    f(context);
    done = true;
  } else {
    live_bytes = bytes;
    live_blocks = blocks;
  }
  __lsan_enable();
  hook = outer;
  return done;
}

static size_t checked_size(size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
    mem_exhausted(SIZE_MAX);
  if (limit_bytes && (bytes > limit_bytes || live_bytes > limit_bytes - bytes))
    mem_exhausted(bytes);
  return bytes ? bytes : 1;
}

/* A block counted in bytes only. */
static void *take(size_t count, size_t size, bool zeroed)
{
  size_t bytes = checked_size(count, size);
  void *block = zeroed ? calloc(1, bytes) : malloc(bytes);
  if (!block)
    mem_exhausted(bytes);
  live_bytes += malloc_usable_size(block);
  return block;
}

static void *new_block(size_t count, size_t size, bool zeroed)
{
  void *block = take(count, size, zeroed);
  live_blocks++;
  return block;
}

void *mem_new(size_t count, size_t size) { return new_block(count, size, true); }

void mem_fill_soon(void *block, size_t bytes)
{
  const uintptr_t page = (uintptr_t)1 << 21;
  uintptr_t from = ((uintptr_t)block + page - 1) & ~(page - 1), to = ((uintptr_t)block + bytes) & ~(page - 1);
  if (from < to)
    madvise((void *)from, to - from, MADV_HUGEPAGE);
}

static void *resize(void *old, size_t count, size_t size)
{
  size_t bytes = checked_size(count, size), before = malloc_usable_size(old);
  void *block = realloc(old, bytes);
  if (!block)
    mem_exhausted(bytes);
  live_bytes += malloc_usable_size(block) - before;
  return block;
}

void *mem_grow(void *old, size_t count, size_t size)
{
  return old ? resize(old, count, size) : new_block(count, size, false);
}

static void give_back(void *block)
{
  live_bytes -= malloc_usable_size(block);
  free(block);
}

void mem_free(void *block)
{
  if (!block)
    return;
  live_blocks--;
  give_back(block);
}

void mem_free_at(void *pointer)
{
  void *p;
  memcpy(&p, pointer, sizeof p);
  mem_free(p);
}

/* GMP's numbers are mostly of one limb, made and freed by the million: their blocks wait in a list for the next.  Where
   a sanitizer looks for leaks there is no list. */
#ifdef LEAKS_SOUGHT
enum { SMALL = 0 };
#else
enum { SMALL = 16 };
#endif
static struct spare {
  struct spare *next;
} *spare;

static size_t gmp_size(size_t bytes) { return bytes > SMALL ? bytes : SMALL; }

static void *gmp_new(size_t bytes)
{
  struct spare *block = spare;
  if (bytes > SMALL || !block)
    return take(gmp_size(bytes), 1, false);
  spare = block->next;
  return block;
}

static void *gmp_grow(void *old, size_t before, size_t bytes)
{
  return before <= SMALL && bytes <= SMALL ? old : resize(old, gmp_size(bytes), 1);
}

static void gmp_free(void *block, size_t bytes)
{
  if (bytes > SMALL) {
    give_back(block);
    return;
  }
  struct spare *last = block;
  last->next = spare;
  spare = last;
}
void mem_serve_gmp(void) { mp_set_memory_functions(gmp_new, gmp_grow, gmp_free); }

void mem_keep_pages(void)
{
#ifdef M_TRIM_THRESHOLD
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  mallopt(M_TOP_PAD, 1 << 20);
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
#endif
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
