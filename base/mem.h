/* mem.h -- the one family of allocators.

   Sizes are count x size with an overflow check.  Running out of memory calls a
   replaceable hook, which must not return (the default prints a sentence and
   exits with 4), so that algorithms carry no allocation branches.  Live blocks
   are counted: tests end at the number they began with. */
#ifndef REDBLUE_MEM_H
#define REDBLUE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *mem_new(size_t count, size_t size);               /* zeroed; never NULL, even for 0 */
/* A hint: all of these bytes will be written soon.  Changes speed only. */
void mem_fill_soon(void *block, size_t bytes);
void *mem_grow(void *old, size_t count, size_t size);   /* realloc; the new part is not zeroed */
void mem_free(void *block);                             /* NULL is fine */
void mem_free_at(void *pointer); /* what the pointer there points to */
#define SCOPED_MEM __attribute__((cleanup(mem_free_at))) /* before a pointer: freed where its block ends */
char *mem_text(const char *text);                       /* a copy */
char *mem_text_n(const char *text, size_t n);

#define MEM_NEW(type, count) ((type *)mem_new((count), sizeof(type)))

/* Room for one more element in a growing array: doubles *room when count has reached it. */
void *mem_room(void *array, size_t count, size_t *room, size_t size);

/* Have GMP allocate here: within the limit, and out of memory through the hook, where GMP itself would abort.  Its
   blocks are not among the live ones.  Global to the process, so it is the program that asks, before any number exists;
   not the library. */
void mem_serve_gmp(void);

/* f(context), which may run out of memory: then false, what f took is lost and not counted any more, and what f was
   writing is half written.  For what is better done, and can be done without. */
bool mem_attempt(void (*f)(void *context), void *context);

/* Pages that are given back stay for what comes next: a search takes and frees the same few thousands of times.  Global
   too. */
void mem_keep_pages(void);
/* Another allocator has none left: call the hook. */
void mem_exhausted(size_t bytes) __attribute__((noreturn));

uint64_t mem_live(void);                                /* blocks not yet freed */
void mem_set_hook(void (*out_of_memory)(size_t bytes)); /* NULL restores the default */
void mem_limit(uint64_t bytes);                         /* refuse beyond this many live bytes; 0: no limit */

#endif
