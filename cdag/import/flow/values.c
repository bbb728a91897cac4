/* values.c -- copies and constants: neither is a vertex. */
#include "cdag/import/flow/flow.h"
#include "base/mem.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 16 };

static isl_union_set *instances(const flow *f, statement_kind kind)
{
  isl_union_set *all = isl_union_set_empty_ctx(f->ctx);
  for (int k = 0; k < f->n->statements; k++)
    if (f->s[k].kind == kind)
      all = isl_union_set_union(all, isl_union_set_from_set(isl_set_copy(f->s[k].domain)));
  return all;
}

int flow_target_of(isl_map *m, bool *input)
{
  const char *name = isl_map_get_tuple_name(m, OF_OUT);
  *input = name[0] == 'A';
  return atoi(name + 1);
}

/* Does an access of statement k read what is given, or what a live statement wrote? */
static bool reads_live(const flow *f, int k, const bool *live)
{
  bool some = false;
  for (int i = 0; i < f->n->statement[k].reads && !some; i++) {
    isl_map_list *list = isl_union_map_get_map_list(f->s[k].read[i]);
    for (int m = 0; m < isl_map_list_n_map(list) && !some; m++) {
      bool input;
      isl_map *map = isl_map_list_get_map(list, m);
      int of = flow_target_of(map, &input);
      some = !isl_map_is_empty(map) && (input || live[of]);
      isl_map_free(map);
    }
    isl_map_list_free(list);
  }
  return some;
}

/* A statement that no input ever reaches computes constants. */
static void find_constants(flow *f)
{
  bool *live = MEM_NEW(bool, (size_t)f->n->statements), changed = true;
  while (changed) {
    changed = false;
    for (int k = 0; k < f->n->statements; k++)
      if (!live[k] && f->s[k].kind != CONSTANT && reads_live(f, k, live))
        live[k] = changed = true;
  }
  for (int k = 0; k < f->n->statements; k++)
    if (!live[k])
      f->s[k].kind = CONSTANT;
  mem_free(live);
}

/* What all copies copy. */
static isl_union_map *copies(const flow *f)
{
  isl_union_map *all = isl_union_map_empty_ctx(f->ctx);
  for (int k = 0; k < f->n->statements; k++)
    if (f->s[k].kind == COPY)
      all = isl_union_map_union(all, isl_union_map_copy(f->s[k].read[0]));
  return all;
}

/* Range past copies and without constants.  False: copies of copies without end. */
static bool pass_copies(const flow *f, isl_union_map **m, isl_union_map *copied)
{
  isl_union_set *constants = instances(f, CONSTANT), *through = instances(f, COPY);
  bool done = false;
  for (int round = 0; round < ROUNDS && !done; round++) {
    *m = isl_union_map_subtract_range(*m, isl_union_set_copy(constants));
    isl_union_map *rest = isl_union_map_intersect_range(isl_union_map_copy(*m), isl_union_set_copy(through));
    done = isl_union_map_is_empty(rest);
    *m = isl_union_map_union(isl_union_map_subtract_range(*m, isl_union_set_copy(through)),
                             isl_union_map_apply_range(rest, isl_union_map_copy(copied)));
    *m = isl_union_map_coalesce(*m);
  }
  isl_union_set_free(constants);
  isl_union_set_free(through);
  return done;
}

/* A statement that copies what it wrote itself, again and again, stays a vertex. */
static bool make_vertices(flow *f)
{
  bool changed = false;
  isl_union_map *copied = copies(f);
  for (int k = 0; k < f->n->statements; k++)
    if (f->s[k].kind == COPY) {
      isl_union_map *m = isl_union_map_copy(f->s[k].read[0]);
      if (!pass_copies(f, &m, copied)) {
        f->s[k].kind = VALUE;
        changed = true;
      }
      isl_union_map_free(m);
      if (changed)
        break;
    }
  isl_union_map_free(copied);
  return changed;
}

void flow_forward_values(flow *f)
{
  find_constants(f);
  while (make_vertices(f))
    ;
  isl_union_map *copied = copies(f);
  bool some = !isl_union_map_is_empty(copied);
  for (int k = 0; k < f->n->statements && some; k++) {
    f->s[k].direct = MEM_NEW(isl_union_map *, (size_t)f->n->statement[k].reads + 1);
    for (int i = 0; i < f->n->statement[k].reads; i++)
      f->s[k].direct[i] = isl_union_map_copy(f->s[k].read[i]);
  }
  for (int k = 0; k < f->n->statements; k++)
    for (int i = 0; i < f->n->statement[k].reads && f->s[k].kind == VALUE; i++)
      pass_copies(f, &f->s[k].read[i], copied);
  isl_union_map *last = isl_union_set_identity(f->output);
  pass_copies(f, &last, copied);
  f->output = isl_union_map_range(last);
  isl_union_map_free(copied);
}

bool flow_drop_constants(flow *f)
{
  bool changed = true;
  for (int round = 0; round < ROUNDS && changed; round++) {
    changed = false;
    isl_union_set *there = instances(f, VALUE);
    for (int a = 0; a < f->n->arrays; a++) {
      char name[16];
      snprintf(name, sizeof name, "A%d", a);
      isl_set *all = isl_set_universe(
          isl_space_set_tuple_name(isl_space_set_alloc(f->ctx, 0, (unsigned)f->n->array[a].rank), OF_SET, name));
      there = isl_union_set_union(there, isl_union_set_from_set(all));
    }
    for (int k = 0; k < f->n->statements; k++) {
      if (f->s[k].kind != VALUE)
        continue;
      isl_union_set *reading = isl_union_set_empty_ctx(f->ctx);
      for (int i = 0; i < f->n->statement[k].reads; i++) {
        f->s[k].read[i] = isl_union_map_intersect_range(f->s[k].read[i], isl_union_set_copy(there));
        reading = isl_union_set_union(reading, isl_union_map_domain(isl_union_map_copy(f->s[k].read[i])));
      }
      isl_union_set *old = isl_union_set_from_set(isl_set_copy(f->s[k].domain)),
                    *new = isl_union_set_intersect(isl_union_set_copy(old), reading);
      if (!isl_union_set_is_equal(old, new)) {
        isl_union_set *kept = isl_union_set_coalesce(isl_union_set_copy(new));
        isl_space *space = isl_set_get_space(f->s[k].domain);
        isl_set_free(f->s[k].domain);
        f->s[k].domain = isl_union_set_extract_set(kept, space);
        isl_union_set_free(kept);
        changed = true;
      }
      isl_union_set_free(old);
      isl_union_set_free(new);
    }
    isl_union_set_free(there);
  }
  return !changed;
}
