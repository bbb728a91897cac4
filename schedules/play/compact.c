/* compact.c -- see compact.h. */
#include "schedules/play/compact.h"
#include "base/digest.h"
#include "base/mem.h"
#include "schedules/language/parse.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAGIC = 8, HEAD = 12, BLOCK = 1 << 16, LONGEST = 1 << 20, WORDS = PEBBLE_ERASE + 2 };
static const char magic[MAGIC + 1] = "\xb7rbm1\r\n\n";

/* ---- writing ---- */

typedef struct {
  int slide;                   /* array, or -1 */
  size_t next;                 /* of the same word and array, from 1; 0: none */
  int64_t x[2 * CDAG_RANK], step[2 * CDAG_RANK];
} told;

struct compact_writer {
  FILE *to;
  const cdag *g;
  text block;
  told *kind;
  size_t kinds, room;
  size_t *first;               /* by word and array: a kind, from 1 */
  int *array;                  /* by array: its number in the list, from 1; 0: none yet */
  int arrays;
  uint64_t moves, bytes;
};

static void put_number(text *t, uint64_t v)
{
  for (; v >= 128; v >>= 7)
    text_char(t, (char)(unsigned char)(v | 128));
  text_char(t, (char)v);
}

static void put_step(text *t, int64_t v) { put_number(t, (uint64_t)v << 1 ^ (uint64_t)(v >> 63)); }

static void put_fixed(compact_writer *w, uint64_t v, int bytes)
{
  for (int i = 0; i < bytes; i++, v >>= 8)
    fputc((int)(v & 255), w->to);
  w->bytes += (uint64_t)bytes;
}

static void put_array(compact_writer *w, int array)
{
  const cdag_array *a = &w->g->array[array];
  if (w->array[array] == 0) {
    w->array[array] = ++w->arrays;
    put_number(&w->block, (uint64_t)w->arrays - 1);
    put_number(&w->block, (uint64_t)a->rank);
    put_number(&w->block, strlen(a->name));
    text_add(&w->block, a->name);
  } else
    put_number(&w->block, (uint64_t)w->array[array] - 1);
}

compact_writer *compact_writer_new(FILE *to, const cdag *g)
{
  compact_writer *w = MEM_NEW(compact_writer, 1);
  w->to = to;
  w->g = g;
  w->first = MEM_NEW(size_t, (size_t)g->arrays * WORDS);
  w->array = MEM_NEW(int, (size_t)g->arrays);
  w->bytes = fwrite(magic, 1, MAGIC, to);
  return w;
}

static void put_block(compact_writer *w)
{
  put_fixed(w, w->block.n, 4);
  put_fixed(w, digest_bytes(DIGEST_BEGIN, text_str(&w->block), w->block.n), 8);
  w->bytes += fwrite(text_str(&w->block), 1, w->block.n, w->to);
  w->block.n = 0;
}

uint64_t compact_writer_end(compact_writer *w)
{
  if (!w)
    return 0;
  if (w->block.n > 0)
    put_block(w);
  put_fixed(w, 0, 4);
  put_fixed(w, w->moves, 8);
  uint64_t bytes = w->bytes;
  text_clear(&w->block);
  mem_free(w->kind);
  mem_free(w->first);
  mem_free(w->array);
  mem_free(w);
  return bytes;
}

/* The step's kind, described where it is new. */
static size_t kind_of(compact_writer *w, const schedule_step *step, bool *is_new)
{
  int word = step->slides ? WORDS - 1 : (int)step->kind, slide = step->slides ? step->slide.array : -1;
  size_t *at = &w->first[(size_t)step->element.array * WORDS + (size_t)word];
  while (*at && w->kind[*at - 1].slide != slide)
    at = &w->kind[*at - 1].next;
  *is_new = *at == 0;
  if (!*is_new)
    return *at - 1;
  *at = w->kinds + 1;
  w->kind = mem_room(w->kind, w->kinds, &w->room, sizeof *w->kind);
  w->kind[w->kinds] = (told){ .slide = slide };
  put_number(&w->block, 2 * (uint64_t)w->kinds + 1);
  put_number(&w->block, (uint64_t)word);
  put_array(w, step->element.array);
  if (step->slides)
    put_array(w, slide);
  return w->kinds++;
}

/* The indices told, and how many. */
static int indices_of(const cdag *g, const schedule_step *step, int64_t *x)
{
  int rank = g->array[step->element.array].rank, more = step->slides ? g->array[step->slide.array].rank : 0;
  memcpy(x, step->element.x, sizeof *x * (size_t)rank);
  memcpy(x + rank, step->slide.x, sizeof *x * (size_t)more);
  return rank + more;
}

void compact_add(compact_writer *w, const schedule_step *step)
{
  bool is_new, other;
  int64_t x[2 * CDAG_RANK], by[2 * CDAG_RANK];
  size_t number = kind_of(w, step, &is_new);
  told *k = &w->kind[number];
  int n = indices_of(w->g, step, x);
  for (int i = 0; i < n; i++)
    by[i] = (int64_t)((uint64_t)x[i] - (uint64_t)k->x[i]);
  other = is_new || memcmp(by, k->step, sizeof *by * (size_t)n) != 0;
  if (!is_new)
    put_number(&w->block, 2 * (uint64_t)number + other);
  for (int i = 0; i < n && other; i++)
    put_step(&w->block, by[i]);
  memcpy(k->x, x, sizeof *x * (size_t)n);
  memcpy(k->step, by, sizeof *by * (size_t)n);
  w->moves++;
  if (w->block.n >= BLOCK)
    put_block(w);
}

/* ---- reading ---- */

bool schedule_is_compact(const char *begins) { return strncmp(begins, magic, MAGIC) == 0; }

void compact_reader_init(compact_reader *c, schedule_reader *r, const cdag *g)
{
  *c = (compact_reader){ .r = r, .g = g, .offset = MAGIC };
  schedule_reader_bytes(r, MAGIC);
  r->at += MAGIC;
}

void compact_reader_clear(compact_reader *c)
{
  for (size_t k = 0; k < c->kinds; k++)
    mem_free(c->kind[k]);
  mem_free(c->kind);
  mem_free(c->array);
}

static status wrong(const compact_reader *c, const char *what, diag *d)
{
  return diag_at(d, BAD_INPUT, "format", c->r->name, 0, 0, "at byte %" PRIu64 ": %s",
                 c->offset + (uint64_t)(c->at - c->from), what);
}

/* The n bytes at r->at become the part that is read. */
static bool take(compact_reader *c, size_t n)
{
  c->offset += (uint64_t)(c->end - c->from);
  size_t there = schedule_reader_bytes(c->r, n);
  c->from = c->at = c->r->at;
  c->end = c->from + (there < n ? there : n);
  c->r->at = c->end;
  return there >= n;
}

static uint64_t fixed(const char *at, int bytes)
{
  uint64_t v = 0;
  while (bytes-- > 0)
    v = v << 8 | (unsigned char)at[bytes];
  return v;
}

static status cut_off(compact_reader *c, uint64_t block, diag *d)
{
  char says[100];
  if (ferror(c->r->in))
    return diag_at(d, IO_ERROR, "file", c->r->name, 0, 0, "cannot read: %s", strerror(errno));
  c->at = c->end;
  snprintf(says, sizeof says, "the list is cut off here, within what begins at byte %" PRIu64, block);
  return wrong(c, says, d);
}

static status finish(compact_reader *c, uint64_t moves, diag *d)
{
  if (moves != c->moves)
    return wrong(c, "the end does not say the number of moves before it: the list is damaged", d);
  return take(c, 1) ? wrong(c, "there is more behind the end of the list", d) : OK;
}

status compact_block(compact_reader *c, bool *more, diag *d)
{
  uint64_t begin = c->offset + (uint64_t)(c->end - c->from);
  if (!take(c, HEAD))
    return cut_off(c, begin, d);
  uint64_t length = fixed(c->at, 4), digest = fixed(c->at + 4, 8);
  *more = length > 0;
  if (!*more)
    return finish(c, digest, d);
  if (length > LONGEST)
    return wrong(c, "no block is as long as this one says: the list is damaged", d);
  if (!take(c, (size_t)length))
    return cut_off(c, begin, d);
  return digest_bytes(DIGEST_BEGIN, c->at, (size_t)length) == digest
             ? OK
             : wrong(c, "the block from here on is damaged: its digest differs", d);
}

static bool get_number(compact_reader *c, uint64_t *v)
{
  *v = 0;
  for (int shift = 0; shift < 64 && c->at < c->end; shift += 7) {
    unsigned char b = (unsigned char)*c->at++;
    *v |= (uint64_t)(b & 127) << shift;
    if (b < 128)
      return shift < 63 || b < 2;
  }
  return false;
}

static bool get_step(compact_reader *c, int64_t *v)
{
  uint64_t z;
  bool there = get_number(c, &z);
  *v = there ? (int64_t)(z >> 1 ^ -(z & 1)) : 0;
  return there;
}

static status new_array(compact_reader *c, int *array, diag *d)
{
  char name[CDAG_NAME], says[CDAG_NAME + 100];
  uint64_t rank, length;
  if (!get_number(c, &rank) || !get_number(c, &length) || length > (uint64_t)(c->end - c->at))
    return wrong(c, "the description of an array ends too early", d);
  snprintf(name, sizeof name, "%.*s", (int)(length < CDAG_NAME ? length : CDAG_NAME), c->at);
  *array = cdag_find_array(c->g, name);
  snprintf(says, sizeof says, "%s has no array '%s' with %" PRIu64 " indices", c->g->name, name, rank);
  if (*array < 0 || (uint64_t)c->g->array[*array].rank != rank)
    return wrong(c, says, d);
  c->at += length;
  c->array = mem_room(c->array, c->arrays, &c->array_room, sizeof *c->array);
  c->array[c->arrays++] = *array;
  return OK;
}

static status get_array(compact_reader *c, int *array, diag *d)
{
  uint64_t number;
  if (!get_number(c, &number) || number > c->arrays)
    return wrong(c, "an array is named that the list has not described", d);
  if (number == c->arrays)
    return new_array(c, array, d);
  *array = c->array[number];
  return OK;
}

static status new_kind(compact_reader *c, diag *d)
{
  uint64_t word;
  int array, slide = -1;
  if (!get_number(c, &word) || word >= WORDS)
    return wrong(c, "there is no such move", d);
  bool drops = word == WORDS - 1;
  status st = get_array(c, &array, d);
  if (st == OK && drops)
    st = get_array(c, &slide, d);
  if (st == OK && drops && !schedule_may_drop(c->g, array, slide))
    st = wrong(c, "a compute drops what its rule does not read", d);
  if (st != OK)
    return st;
  compact_kind *k = MEM_NEW(compact_kind, 1);
  k->move = (pebble_move){ .kind = drops ? PEBBLE_COMPUTE : (pebble_kind)word, .array = array, .drops = drops };
  k->move.drop = &k->drop;
  k->drop.array = drops ? slide : 0;
  k->rank = c->g->array[array].rank;
  k->drop_rank = drops ? c->g->array[slide].rank : 0;
  k->column = (int)strlen(pebble_kind_name(k->move.kind)) + 2;
  c->kind = mem_room(c->kind, c->kinds, &c->kind_room, sizeof *c->kind);
  c->kind[c->kinds++] = k;
  return OK;
}

const compact_kind *compact_other(compact_reader *c, status *st, diag *d)
{
  uint64_t code;
  bool there = true;
  if (c->at == c->end)
    return NULL;
  *st = !get_number(c, &code) || code / 2 > c->kinds ? wrong(c, "a move is of a kind that is not described", d) : OK;
  if (*st == OK && code / 2 == c->kinds)
    *st = new_kind(c, d);
  if (*st != OK)
    return NULL;
  compact_kind *k = c->kind[code / 2];
  for (int i = 0; i < k->rank + k->drop_rank && code % 2; i++)
    there = get_step(c, &k->step[i]) && there;
  c->moves++;
  if (!there)
    *st = wrong(c, "the step of a move ends too early", d);
  return !there ? NULL : compact_advance_all(k) ? k : compact_too_large(c, st, d);
}

const compact_kind *compact_too_large(const compact_reader *c, status *st, diag *d)
{
  *st = wrong(c, "the move before has an index beyond 64 bits", d);
  return NULL;
}
