#include "schedules/tiler/shape/part.h"
#include "base/mem.h"
#include <string.h>

static void want_stored(tiler_shape *part, const tiler_access *a)
{
  tiler_statement *s = &part->s[a->array];
  s->output = true;
  s->all_output |= s->chains > 0 && a->kind != TILER_END;
}

/* The statement's reads sorted anew: of itself are only those in the same iteration. */
static void enter_loops(tiler_shape *part, int array, const tiler_around *around)
{
  tiler_statement *s = &part->s[array], old = *s;
  size_t items = (size_t)(old.accesses + old.selves);
  s->access = MEM_NEW(tiler_access, items + 1);
  s->self = MEM_NEW(tiler_access, items + 1);
  s->accesses = s->selves = 0;
  memcpy(s->value, around->value, sizeof s->value);
  s->stays = around->stays;
  s->unstored = around->unstored;
  s->output |= s->stays; /* it is computed for those who read it on chip */
  for (int i = 0; i < old.accesses + old.selves; i++) {
    tiler_access a = i < old.accesses ? old.access[i] : old.self[i - old.accesses];
    a.earlier = around->earlier >> i & 1;
    if ((around->held >> i & 1) && (i < old.accesses || a.earlier))
      continue;
    if (i < old.accesses || a.earlier)
      s->access[s->accesses++] = a;
    else
      s->self[s->selves++] = a;
  }
}

void tiler_part_init(tiler_shape *part, const tiler_shape *whole, const int *array, int n, const tiler_around *around)
{
  *part = *whole;
  part->n = n;
  part->affine = true;
  part->cyclic = false;
  part->s = MEM_NEW(tiler_statement, (size_t)whole->g->arrays + 1);
  memcpy(part->s, whole->s, (size_t)whole->g->arrays * sizeof *part->s);
  part->entered = around != NULL;
  bool *inside = MEM_NEW(bool, (size_t)whole->g->arrays + 1);
  for (int k = 0; k < n; k++)
    inside[part->order[k] = array[k]] = true;
  for (int k = 0; around && k < n; k++)
    enter_loops(part, array[k], &around[k]);
  for (int k = 0; around && k < n; k++)
    tiler_shape_settle(part, array[k]);
  for (int a = 0; a < whole->g->arrays; a++)
    for (int i = 0; i < part->s[a].accesses; i++)
      if (!inside[a] || part->s[a].access[i].earlier)
        want_stored(part, &part->s[a].access[i]);
  mem_free(inside);
}

void tiler_part_clear(tiler_shape *part)
{
  for (int k = 0; part->entered && k < part->n; k++) {
    tiler_statement *s = &part->s[part->order[k]];
    mem_free(s->access);
    mem_free(s->begun);
    mem_free(s->self);
  }
  mem_free(part->s);
}
