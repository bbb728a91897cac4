/* parts.c -- the arrays of the text: convex parts of statements, and of the inputs that are read. */
#include "cdag/import/flow/flow.h"
#include "base/mem.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_PARTS = 24 };

bool flow_taken(const flow *f, const char *name)
{
  bool is = cdag_reserved(name);
  for (int i = 0; i < f->n->params; i++)
    is = is || strcmp(f->n->param[i].name, name) == 0;
  for (int i = 0; i < f->parts; i++)
    is = is || strcmp(f->part[i].name, name) == 0;
  for (int k = 0; k < f->n->statements; k++)
    for (int r = 0; r < f->s[k].depth; r++)
      is = is || strcmp(f->s[k].var[r], name) == 0;
  return is;
}

static void add_part(flow *f, bool input, int of, isl_basic_set *domain)
{
  const char *array = f->n->array[input ? of : f->n->statement[of].write.array].name;
  f->part = mem_room(f->part, (size_t)f->parts, &f->room, sizeof *f->part);
  part p = { input, of, domain, "" };
  snprintf(p.name, sizeof p.name, "%s%s", array, input ? "" : "_1");
  for (int k = 1 + !input; flow_taken(f, p.name); k++)
    snprintf(p.name, sizeof p.name, "%s_%d", array, k);
  f->part[f->parts++] = p;
}

typedef struct {
  flow *f;
  bool input;
  int of;
} adding;

static isl_stat add_one_part(isl_basic_set *b, void *user)
{
  adding *a = user;
  add_part(a->f, a->input, a->of, b);
  return isl_stat_ok;
}

void flow_make_statement_parts(flow *f)
{
  for (int k = 0; k < f->n->statements; k++)
    if (f->s[k].kind == VALUE && !isl_set_is_empty(f->s[k].domain)) {
      f->s[k].domain = isl_set_make_disjoint(isl_set_coalesce(isl_set_compute_divs(f->s[k].domain)));
      isl_set_foreach_basic_set(f->s[k].domain, add_one_part, &(adding){ f, false, k });
    }
}

static bool has_strides(isl_set *s)
{
  bool some = false;
  isl_basic_set_list *list = isl_set_get_basic_set_list(s);
  for (int i = 0; i < isl_basic_set_list_n_basic_set(list); i++) {
    isl_basic_set *b = isl_basic_set_list_get_basic_set(list, i);
    some = some || isl_basic_set_dim(b, OF_DIV) > 0;
    isl_basic_set_free(b);
  }
  isl_basic_set_list_free(list);
  return some;
}

static isl_basic_set *without(isl_basic_set *b, isl_constraint_list *l, int left_out)
{
  isl_basic_set *rest = isl_basic_set_universe(isl_basic_set_get_space(b));
  for (int i = 0; i < isl_constraint_list_n_constraint(l); i++)
    if (i != left_out)
      rest = isl_basic_set_add_constraint(rest, isl_constraint_list_get_constraint(l, i));
  return rest;
}

isl_basic_set *flow_relaxed(isl_basic_set *b, isl_set *whole, isl_set *known)
{
  bool again = isl_basic_set_dim(b, OF_DIV) == 0;
  while (again) {
    isl_constraint_list *l = isl_basic_set_get_constraint_list(b);
    again = false;
    for (int i = 0; i < isl_constraint_list_n_constraint(l) && !again; i++) {
      isl_basic_set *rest = without(b, l, i);
      isl_set *there = isl_set_intersect(flow_as_set(rest), isl_set_copy(known));
      again = isl_set_is_subset(there, whole);
      isl_set_free(there);
      isl_basic_set_free(again ? b : rest);
      b = again ? rest : b;
    }
    isl_constraint_list_free(l);
  }
  return b;
}

/* What is read of an array as given: all of it; what a piece of an access reads again and again; what one reads
   once. */
typedef struct {
  isl_set *all, *again, *once, *whole, *known;
} reading;

static void join(isl_set **to, isl_set *more) { *to = *to ? isl_set_union(*to, more) : more; }

static isl_stat add_piece(isl_basic_set *b, void *user)
{
  reading *r = user;
  isl_set *largest = isl_set_from_basic_set(flow_relaxed(b, r->whole, r->known));
  isl_map *piece = isl_set_unwrap(isl_set_intersect(largest, isl_set_copy(r->known)));
  bool once = isl_map_is_injective(piece) == isl_bool_true;
  join(once ? &r->once : &r->again, isl_map_range(piece));
  return isl_stat_ok;
}

/* An access of statement k. */
static void add_reading(const flow *f, int k, reading *r, isl_map *map)
{
  isl_set *range = isl_map_range(isl_map_copy(map)), *any = isl_set_universe(isl_set_get_space(range));
  join(&r->all, range);
  r->known = isl_map_wrap(isl_map_from_domain_and_range(isl_set_copy(f->s[k].domain), any));
  r->known = isl_set_intersect_params(r->known, isl_set_copy(f->context));
  r->whole = isl_map_wrap(map);
  isl_set_foreach_basic_set(r->whole, add_piece, r);
  isl_set_free(r->whole);
  isl_set_free(r->known);
}

/* A stencil reads its border at every step and the inside at the first one: these are arrays of their own, the inside
   first.  False: nothing is read both ways, or all is read again and again. */
static bool add_inside_and_border(flow *f, int a, const reading *r)
{
  if (!r->again || !r->once || has_strides(r->all) || isl_set_is_disjoint(r->again, r->once))
    return false;
  isl_set *border = isl_set_intersect(isl_set_copy(r->again), isl_set_copy(r->all));
  border = isl_set_make_disjoint(isl_set_coalesce(border));
  isl_set *inside = isl_set_coalesce(isl_set_subtract(isl_set_copy(r->all), isl_set_copy(border)));
  inside = isl_set_make_disjoint(inside);
  bool good = !isl_set_is_empty(inside) && isl_set_n_basic_set(inside) + isl_set_n_basic_set(border) <= INPUT_PARTS;
  if (good) {
    isl_set_foreach_basic_set(inside, add_one_part, &(adding){ f, true, a });
    isl_set_foreach_basic_set(border, add_one_part, &(adding){ f, true, a });
  }
  isl_set_free(inside);
  isl_set_free(border);
  return good;
}

/* One array when they are convex, else one for each convex part, unless there are too many: then some that nobody reads
 * are inputs too. */
static void add_inputs(flow *f, int a, isl_set *read)
{
  if (has_strides(read)) /* strides: what lies between is an input nobody reads */
    read = isl_set_coalesce(isl_set_remove_divs(read));
  isl_basic_set *hull = isl_set_polyhedral_hull(isl_set_copy(read));
  isl_set *whole = flow_as_set(hull);
  isl_set *parts = isl_set_make_disjoint(isl_set_copy(read));
  bool empty = isl_set_is_empty(read), one = isl_set_is_equal(read, whole) || isl_set_n_basic_set(parts) > INPUT_PARTS;
  if (!empty && one)
    add_part(f, true, a, isl_basic_set_copy(hull));
  else if (!empty)
    isl_set_foreach_basic_set(parts, add_one_part, &(adding){ f, true, a });
  isl_basic_set_free(hull);
  isl_set_free(whole);
  isl_set_free(parts);
  isl_set_free(read);
}

void flow_make_input_parts(flow *f)
{
  for (int a = 0; a < f->n->arrays; a++) {
    reading r = { 0 };
    for (int k = 0; k < f->n->statements; k++)
      for (int i = 0; i < f->n->statement[k].reads && f->s[k].kind == VALUE; i++) {
        isl_map_list *list = isl_union_map_get_map_list(f->s[k].read[i]);
        for (int m = 0; m < isl_map_list_n_map(list); m++) {
          bool input;
          isl_map *map = isl_map_list_get_map(list, m);
          if (flow_target_of(map, &input) == a && input)
            add_reading(f, k, &r, isl_map_coalesce(isl_map_compute_divs(map)));
          else
            isl_map_free(map);
        }
        isl_map_list_free(list);
      }
    if (r.all) {
      r.all = isl_set_coalesce(isl_set_compute_divs(r.all));
      if (!add_inside_and_border(f, a, &r))
        add_inputs(f, a, isl_set_copy(r.all));
    }
    isl_set_free(r.all);
    isl_set_free(r.again);
    isl_set_free(r.once);
  }
}
