#include "schedules/tiler/nests/known.h"
#include "base/digest.h"
#include "base/mem.h"

struct tiler_known_search {
  uint64_t key;
  double m;
  bool made;                   /* here: not one made before, for another shape that is equal */
  tiler_search *x;
};

/* All that the search reads of a statement.  What differs where nothing does costs a search, no more. */
static uint64_t mix_statement(uint64_t key, const tiler_statement *s)
{
  tiler_statement own = *s;
  own.access = own.begun = own.self = NULL;
  for (int r = 0; r < s->rank; r++)
    if (s->value[r]) {
      key = digest_text(key, s->value[r]);
      own.value[r] = NULL;
      own.unit[r] = !own.unit[r];
    }
  key = digest_bytes(key, &own, sizeof own);
  key = digest_bytes(key, s->access, (size_t)s->accesses * sizeof *s->access);
  key = digest_bytes(key, s->begun, s->begun ? (size_t)s->accesses * sizeof *s->begun : 0);
  return digest_bytes(key, s->self, (size_t)s->selves * sizeof *s->self);
}

static uint64_t key_of(const tiler_shape *s)
{
  uint64_t key = digest_bytes(DIGEST_BEGIN, &s->g, sizeof s->g);
  key = digest_bytes(key, s->order, (size_t)s->n * sizeof *s->order);
  for (int a = 0; a < s->g->arrays; a++)
    key = mix_statement(key, &s->s[a]);
  return key;
}

static tiler_search *add(tiler_known *k, uint64_t key, bool made, const tiler_search *x)
{
  k->search = mem_room(k->search, (size_t)k->n, &k->room, sizeof *k->search);
  struct tiler_known_search *o = &k->search[k->n++];
  *o = (struct tiler_known_search){ .key = key, .m = x->m, .made = made, .x = MEM_NEW(tiler_search, 1) };
  *o->x = *x;
  return o->x;
}

const tiler_search *tiler_known_search(tiler_known *k, const tiler_search *x)
{
  uint64_t key = key_of(x->s);
  for (int i = 0; i < k->n; i++) {
    const struct tiler_known_search *o = &k->search[i];
    if (!o->made || o->key != key || o->m != x->m)
      continue;
    const tiler_search *before = o->x;
    tiler_search *again = add(k, key, false, x);
    if (before->best && !tiler_search_again(&before->division[0], again))
      again->division[0].nests = 0;
    return again;
  }
  tiler_search *fresh = add(k, key, true, x);
  tiler_search_run(fresh);
  return fresh;
}

void tiler_known_clear(tiler_known *k)
{
  for (int i = 0; i < k->n; i++) {
    tiler_search_clear(k->search[i].x);
    mem_free(k->search[i].x);
  }
  mem_free(k->search);
}
