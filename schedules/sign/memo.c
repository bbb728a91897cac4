/* schedules/sign/memo.c -- see schedules/sign/memo.h.

   A proof reads the polynomial, the blocks of the loops that are open, the iterations of those that run, what was said
   to be a condition, and what does not change while a formula is derived: the values that parameters can have.  All but
   the last, written out as words, is the question. */
#include "schedules/sign/memo.h"
#include "base/mem.h"
#include <string.h>

typedef struct {
  uint64_t hash;
  size_t from, words;          /* of the question, among all words */
  bool answer;
} entry;

struct formula_memo {
  uint64_t *word;              /* questions one after the other; the one being asked comes last */
  size_t words, room;
  entry *entry;
  size_t entries, entry_room;
  uint32_t *slot;              /* by hash: an entry, from 1; at most half full */
  size_t slots;                /* a power of two */
};

static void write(struct formula_memo *m, uint64_t word)
{
  m->word = mem_room(m->word, m->words, &m->room, sizeof *m->word);
  m->word[m->words++] = word;
}

static void write_poly(struct formula_memo *m, poly p)
{
  write(m, p.n);
  for (uint32_t i = 0; i < p.n; i++) {
    const poly_term *t = &p.term[i];
    write(m, (uint64_t)t->num);
    write(m, (uint64_t)t->den);
    write(m, (uint64_t)t->n);
    for (int k = 0; k < t->n; k++)
      write(m, (uint64_t)t->f[k].atom << 16 | (uint16_t)t->f[k].power);
  }
}

static void write_iterations(struct formula_memo *m, const iteration_kind *k, int loop)
{
  if (!k->open && !k->running)
    return;
  write(m, (uint64_t)loop << 5 | (uint64_t)(k->only << 4 | k->open << 3 | k->running << 2 | k->middle << 1 | k->late));
  if (k->running || k->only)
    write_poly(m, k->iterations);
  if (k->open) {
    write_poly(m, k->len);
    write_poly(m, k->after);
    write_poly(m, k->next);
  }
}

static entry write_question(struct formula_memo *m, const formula *f, poly e, bool granted)
{
  entry q = { .hash = 0x9e3779b97f4a7c15, .from = m->words };
  write_poly(m, e);
  for (int l = 0; l < f->s->loops; l++)
    write_iterations(m, &f->kind[l], l);
  if (granted)
    write(m, UINT64_MAX); /* no loop */
  for (size_t i = 0; i < f->granted.n && granted; i++)
    write_poly(m, f->granted.p[i]);
  q.words = m->words - q.from;
  for (size_t i = q.from; i < m->words; i++)
    q.hash = (q.hash ^ m->word[i] ^ q.hash >> 29) * 0xbf58476d1ce4e5b9;
  return q;
}

static uint32_t *look_up(const struct formula_memo *m, const entry *q)
{
  for (size_t i = q->hash >> 32;; i++) {
    uint32_t *at = &m->slot[i & (m->slots - 1)];
    const entry *e = *at ? &m->entry[*at - 1] : NULL;
    if (!e || (e->hash == q->hash && e->words == q->words &&
               !memcmp(m->word + e->from, m->word + q->from, q->words * sizeof *m->word)))
      return at;
  }
}

static void make_room(struct formula_memo *m)
{
  if (m->entries < m->slots / 2)
    return;
  m->slots = m->slots ? 2 * m->slots : 256;
  mem_free(m->slot);
  m->slot = MEM_NEW(uint32_t, m->slots);
  for (size_t i = 0; i < m->entries; i++)
    *look_up(m, &m->entry[i]) = (uint32_t)i + 1;
}

bool *formula_memo_at(formula *f, poly e, bool granted, bool *known)
{
  if (!f->memo)
    f->memo = MEM_NEW(struct formula_memo, 1);
  struct formula_memo *m = f->memo;
  make_room(m);
  entry q = write_question(m, f, e, granted);
  uint32_t *at = look_up(m, &q);
  *known = *at > 0;
  if (*known) {
    m->words = q.from;
    return &m->entry[*at - 1].answer;
  }
  m->entry = mem_room(m->entry, m->entries, &m->entry_room, sizeof *m->entry);
  m->entry[m->entries++] = q;
  *at = (uint32_t)m->entries;
  return &m->entry[m->entries - 1].answer;
}

void formula_memo_free(struct formula_memo *m)
{
  if (!m)
    return;
  mem_free(m->word);
  mem_free(m->entry);
  mem_free(m->slot);
  mem_free(m);
}
