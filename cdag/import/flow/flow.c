/* flow.c -- who wrote what is read: exact array dataflow by isl, and the text of the computation that follows.

   Every access is asked for its last writer (isl's union_flow).  A copy is the value it copies; what depends on
   constants alone is a constant; neither is a vertex.  So a statement is an array over its loops, each access a term in
   pieces. Only this file includes isl. */
#include "cdag/import/c/nest.h"
#include "cdag/import/import.h"
#include "cdag/cdag.h"
#include "base/mem.h"
#include "base/num.h"
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/space.h>
#include <isl/set.h>
#include <isl/map.h>
#include <isl/union_set.h>
#include <isl/union_map.h>
#include <isl/flow.h>
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/val.h>
#include <isl/local_space.h>
#include "late_isl.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 16, INPUT_PARTS = 24, LAST = 1 << 20, FAR = 40, MOST_OPERATIONS = 4000000 };
#define OF_PARAM isl_dim_param
#define OF_SET isl_dim_set
#define OF_IN isl_dim_in
#define OF_OUT isl_dim_out
#define OF_DIV isl_dim_div

typedef enum { VALUE, COPY, CONSTANT } statement_kind;

typedef struct {
  statement_kind kind;
  isl_set *domain;
  isl_union_map **read;        /* of each access: instance -> the instance that wrote it, or the element as given */
  int depth;
  char var[C_RANK][C_NAME];
  isl_map *without;            /* the loops written -> those that are left; NULL: all are */
} flow_statement;

/* An array of the text: a convex part of a statement's instances, or the elements of an array that are read as given.
 */
typedef struct {
  bool input;
  int of;
  isl_basic_set *domain;
  char name[C_NAME + 16];
} part;

typedef struct {
  const c_nest *n;
  const cdag *like;            /* or NULL: its parameters have values */
  isl_ctx *ctx;
  text head;                   /* "[p_n] -> { " */
  flow_statement *s;
  isl_union_map *writes, *schedule;
  isl_union_set *output;
  isl_set *context;
  part *part;
  char index[C_RANK][C_NAME];  /* names for the indices of inputs */
  int parts;
  size_t room;
  int places;
  int visible;                 /* a bound may read the indices before it: the first so many */
  bool fixed;                  /* for the parameters' values alone */
  bool no_rows;                /* an index leaves its row */
  bool bad;                    /* something cannot be said in the language */
  text *out;
} flow;

static isl_set *as_set(isl_basic_set *b) { return isl_set_from_basic_set(isl_basic_set_copy(b)); }

/* ---- from text ---- */

static char *description(flow *f, const char *format, const char *a, const char *b, const char *c)
{
  text t = { 0 };
  text_add(&t, text_str(&f->head));
  text_printf(&t, format, a, b, c);
  text_add(&t, " }");
  return t.s;
}

static isl_set *set_of(flow *f, const char *format, const char *a, const char *b)
{
  char *s = description(f, format, a, b, "");
  isl_set *set = isl_set_read_from_str(f->ctx, s);
  mem_free(s);
  return set;
}

static isl_map *map_of(flow *f, const char *format, const char *a, const char *b, const char *c)
{
  char *s = description(f, format, a, b, c);
  isl_map *map = isl_map_read_from_str(f->ctx, s);
  mem_free(s);
  return map;
}

/* S3[v_i,v_j] */
static char *instance(const c_nest *n, int k)
{
  text t = { 0 };
  text_printf(&t, "S%d[", k);
  for (int r = 0; r < n->statement[k].depth; r++)
    text_printf(&t, "%sv_%s", r ? "," : "", n->statement[k].var[r]);
  text_char(&t, ']');
  return t.s;
}

static char *element(const c_access *a)
{
  text t = { 0 };
  text_printf(&t, "A%d[%s]", a->array, a->index);
  return t.s;
}

static char *padded(const flow *f, const char *schedule, int places)
{
  text t = { 0 };
  text_add(&t, schedule);
  for (; places < f->places; places++)
    text_add(&t, ",0");
  return t.s;
}

typedef struct { int r; bool found; } equality_of;

static isl_stat note_equality(isl_constraint *c, void *user)
{
  equality_of *e = user;
  e->found |= isl_constraint_is_equality(c) > 0 && isl_constraint_involves_dims(c, OF_SET, (unsigned)e->r, 1) > 0;
  isl_constraint_free(c);
  return isl_stat_ok;
}

/* Is the loop's value an affine function of the others'?  Then it is an index like them: of S[i,i+1], say. */
static bool is_affine_of_others(const flow_statement *s, int r)
{
  isl_basic_set *hull = isl_set_affine_hull(isl_set_copy(s->domain));
  equality_of e = { .r = r };
  isl_basic_set_foreach_constraint(hull, note_equality, &e);
  isl_basic_set_free(hull);
  return e.found;
}

/* Statement k without loop r, where the others tell its value by a quotient. */
static bool drop_loop(flow_statement *s, int k, int r)
{
  char name[16];
  if (is_affine_of_others(s, r))
    return false;
  snprintf(name, sizeof name, "S%d", k);
  isl_map *without = isl_map_project_out(isl_set_identity(isl_set_copy(s->domain)), OF_OUT, (unsigned)r, 1);
  without = isl_map_set_tuple_name(without, OF_OUT, name);
  if (isl_map_is_injective(without) <= 0) {
    isl_map_free(without);
    return false;
  }
  s->domain = isl_set_coalesce(isl_set_apply(s->domain, isl_map_copy(without)));
  s->without = s->without ? isl_map_apply_range(s->without, without) : without;
  s->depth--;
  memmove(s->var[r], s->var[r + 1], (size_t)(s->depth - r) * sizeof *s->var);
  return true;
}

/* From the loops that are written to those that are left: a loop whose value the others tell is none of the
   computation's, as `ii` where i runs from ii to ii + 31. */
static isl_map *from_loops_left(const flow_statement *s, isl_map *map)
{
  return s->without ? isl_map_apply_domain(map, isl_map_copy(s->without)) : map;
}

static bool names_loop(const char *index, const char *loop)
{
  size_t n = strlen(loop);
  for (const char *at = index; (at = strstr(at, "v_")) != NULL; at += 2)
    if (strncmp(at + 2, loop, n) == 0 && !strchr("_0123456789", at[2 + n] ? at[2 + n] : ' ') && !isalpha(at[2 + n]))
      return true;
  return false;
}

static bool reads_itself(const c_statement *s)
{
  for (int i = 0; i < s->reads; i++)
    if (s->read[i].array == s->write.array && strcmp(s->read[i].index, s->write.index) == 0)
      return true;
  return false;
}

/* Does statement s add up in one place along loop r, which counts down?  Not where each turn of it begins anew. */
static bool sums_down(const c_nest *n, const c_statement *s, int r)
{
  if (!s->top[r] || s->copy || names_loop(s->write.index, s->var[r]) || !reads_itself(s))
    return false;
  SCOPED_TEXT turn = { 0 };
  text_printf(&turn, "-v_%s,", s->var[r]);
  const char *at = strstr(s->schedule, text_str(&turn));
  size_t inside = at ? (size_t)(at - s->schedule) + turn.n : 0;
  for (int k = 0; k < n->statements && at; k++) {
    const c_statement *other = &n->statement[k];
    if (other->write.array == s->write.array && !reads_itself(other) &&
        strncmp(other->schedule, s->schedule, inside) == 0)
      return false;
  }
  return at != NULL;
}

/* Statement k with the loops along which it sums down counted from where they begin: a sum goes up. */
static void turn_sums(flow *f, int k)
{
  const c_statement *s = &f->n->statement[k];
  text to = { 0 };
  bool some = false;
  text_printf(&to, "S%d[", k);
  for (int r = 0; r < s->depth; r++) {
    bool down = sums_down(f->n, s, r);
    some = some || down;
    text_printf(&to, down ? "%s%s - v_%s" : "%s%sv_%s", r ? "," : "", down ? s->top[r] : "", s->var[r]);
  }
  text_char(&to, ']');
  if (some) {
    char *here = instance(f->n, k);
    f->s[k].without = map_of(f, "%s -> %s%s", here, text_str(&to), "");
    f->s[k].domain = isl_set_apply(f->s[k].domain, isl_map_copy(f->s[k].without));
    mem_free(here);
  }
  text_clear(&to);
}

static void read_statement(flow *f, int k)
{
  const c_statement *s = &f->n->statement[k];
  char *here = instance(f->n, k), *target = element(&s->write), *time = padded(f, s->schedule, s->places);
  f->s[k].kind = s->reads == 0 ? CONSTANT : s->copy ? COPY : VALUE;
  f->s[k].depth = s->depth;
  memcpy(f->s[k].var, s->var, sizeof s->var);
  f->s[k].domain = isl_set_intersect_params(
      set_of(f, "%s : %s", here, s->depth || *s->domain ? *s->domain ? s->domain : "1 = 1" : "1 = 1"),
      isl_set_copy(f->context));
  turn_sums(f, k);
  for (int r = 0; r < f->s[k].depth; r++)
    r -= drop_loop(&f->s[k], k, r);
  isl_map *write = isl_map_intersect_domain(from_loops_left(&f->s[k], map_of(f, "%s -> %s%s", here, target, "")),
                                            isl_set_copy(f->s[k].domain));
  isl_map *when = isl_map_intersect_domain(from_loops_left(&f->s[k], map_of(f, "%s -> [%s]%s", here, time, "")),
                                           isl_set_copy(f->s[k].domain));
  f->writes = isl_union_map_union(f->writes, isl_union_map_from_map(write));
  f->schedule = isl_union_map_union(f->schedule, isl_union_map_from_map(when));
  mem_free(here);
  mem_free(target);
  mem_free(time);
}

/* instance -> who wrote what this access reads there, or the element itself where nobody did */
static isl_union_map *sources_of(flow *f, isl_map *access)
{
  isl_union_access_info *info = isl_union_access_info_from_sink(isl_union_map_from_map(access));
  info = isl_union_access_info_set_must_source(info, isl_union_map_copy(f->writes));
  info = isl_union_access_info_set_schedule_map(info, isl_union_map_copy(f->schedule));
  isl_union_flow *result = isl_union_access_info_compute_flow(info);
  isl_union_map *written = isl_union_map_reverse(isl_union_flow_get_must_dependence(result));
  isl_union_map *given = isl_union_flow_get_must_no_source(result);
  isl_union_flow_free(result);
  return isl_union_map_union(written, given);
}

/* instance -> element, whatever the instance or (`when`) where the access is made */
static isl_map *access_map(flow *f, int k, int i, bool when)
{
  const c_access *a = &f->n->statement[k].read[i];
  char *here = instance(f->n, k), *from = element(a);
  when = when && *a->when;
  isl_map *map = map_of(f, when ? "%s -> %s : %s" : "%s -> %s%s", here, from, when ? a->when : "");
  mem_free(here);
  mem_free(from);
  return from_loops_left(&f->s[k], map);
}

static void read_accesses(flow *f, int k)
{
  const c_statement *s = &f->n->statement[k];
  f->s[k].read = MEM_NEW(isl_union_map *, (size_t)s->reads + 1);
  for (int i = 0; i < s->reads; i++)
    f->s[k].read[i] = sources_of(f, isl_map_intersect_domain(access_map(f, k, i, true), isl_set_copy(f->s[k].domain)));
}

/* What a read of all elements after the nest would find. */
static isl_union_set *last_values(flow *f, int a)
{
  const c_array *x = &f->n->array[a];
  SCOPED_TEXT index = { 0 }, inside = { 0 }, time = { 0 };
  for (int r = 0; r < x->rank; r++) {
    text_printf(&index, "%sx%d", r ? "," : "", r);
    if (x->extent[r])
      text_printf(&inside, "%s0 <= x%d < %s", inside.n ? " and " : "", r, x->extent[r]);
  }
  if (inside.n == 0)
    text_add(&inside, "1 = 1");
  text_printf(&time, "%d", LAST);
  char *when = padded(f, time.s, 1);
  SCOPED_TEXT name = { 0 };
  text_printf(&name, "A%d[%s]", a, text_str(&index));
  isl_map *access = isl_map_intersect_params(map_of(f, "F[%s] -> %s : %s", text_str(&index), name.s, text_str(&inside)),
                                             isl_set_copy(f->context));
  isl_union_map *before = isl_union_map_copy(f->schedule);
  f->schedule = isl_union_map_union(f->schedule,
                                    isl_union_map_from_map(map_of(f, "F[%s] -> [%s]%s", text_str(&index), when, "")));
  isl_union_map *sources = sources_of(f, access);
  isl_union_map_free(f->schedule);
  f->schedule = before;
  mem_free(when);
  return isl_union_map_range(sources);
}

/* ---- copies and constants ---- */

static isl_union_set *instances(const flow *f, statement_kind kind)
{
  isl_union_set *all = isl_union_set_empty_ctx(f->ctx);
  for (int k = 0; k < f->n->statements; k++)
    if (f->s[k].kind == kind)
      all = isl_union_set_union(all, isl_union_set_from_set(isl_set_copy(f->s[k].domain)));
  return all;
}

/* The statement or array that a map leads to. */
static int target_of(isl_map *m, bool *input)
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
      int of = target_of(map, &input);
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

static void forward_values(flow *f)
{
  find_constants(f);
  while (make_vertices(f))
    ;
  isl_union_map *copied = copies(f);
  for (int k = 0; k < f->n->statements; k++)
    for (int i = 0; i < f->n->statement[k].reads && f->s[k].kind == VALUE; i++)
      pass_copies(f, &f->s[k].read[i], copied);
  isl_union_map *last = isl_union_set_identity(f->output);
  pass_copies(f, &last, copied);
  f->output = isl_union_map_range(last);
  isl_union_map_free(copied);
}

/* Instances that read nothing but constants are constants: out with them, and with what reads only them.  False: there
 * is no end to it. */
static bool drop_constants(flow *f)
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

/* ---- names ---- */

static bool taken(const flow *f, const char *name)
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
  for (int k = 1 + !input; taken(f, p.name); k++)
    snprintf(p.name, sizeof p.name, "%s_%d", array, k);
  f->part[f->parts++] = p;
}

typedef struct { flow *f; bool input; int of; } adding;

static isl_stat add_one_part(isl_basic_set *b, void *user)
{
  adding *a = user;
  add_part(a->f, a->input, a->of, b);
  return isl_stat_ok;
}

static void make_statement_parts(flow *f)
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

/* b without constraint `left_out` of its list. */
static isl_basic_set *without(isl_basic_set *b, isl_constraint_list *l, int left_out)
{
  isl_basic_set *rest = isl_basic_set_universe(isl_basic_set_get_space(b));
  for (int i = 0; i < isl_constraint_list_n_constraint(l); i++)
    if (i != left_out)
      rest = isl_basic_set_add_constraint(rest, isl_constraint_list_get_constraint(l, i));
  return rest;
}

/* Pieces of `whole` need not be disjoint: of b's conditions those are kept that keep what is known of it inside. */
static isl_basic_set *relaxed(isl_basic_set *b, isl_set *whole, isl_set *known)
{
  bool again = isl_basic_set_dim(b, OF_DIV) == 0;
  while (again) {
    isl_constraint_list *l = isl_basic_set_get_constraint_list(b);
    again = false;
    for (int i = 0; i < isl_constraint_list_n_constraint(l) && !again; i++) {
      isl_basic_set *rest = without(b, l, i);
      isl_set *there = isl_set_intersect(as_set(rest), isl_set_copy(known));
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
typedef struct { isl_set *all, *again, *once, *whole, *known; } reading;

static void join(isl_set **to, isl_set *more) { *to = *to ? isl_set_union(*to, more) : more; }

static isl_stat add_piece(isl_basic_set *b, void *user)
{
  reading *r = user;
  isl_set *largest = isl_set_from_basic_set(relaxed(b, r->whole, r->known));
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
  bool good = !isl_set_is_empty(inside) &&
              isl_set_n_basic_set(inside) + isl_set_n_basic_set(border) <= INPUT_PARTS;
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
  isl_set *whole = as_set(hull);
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

/* The elements of each array that are read as given. */
static void make_input_parts(flow *f)
{
  for (int a = 0; a < f->n->arrays; a++) {
    reading r = { 0 };
    for (int k = 0; k < f->n->statements; k++)
      for (int i = 0; i < f->n->statement[k].reads && f->s[k].kind == VALUE; i++) {
        isl_map_list *list = isl_union_map_get_map_list(f->s[k].read[i]);
        for (int m = 0; m < isl_map_list_n_map(list); m++) {
          bool input;
          isl_map *map = isl_map_list_get_map(list, m);
          if (target_of(map, &input) == a && input)
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

/* ---- affine forms as text ---- */

static const char *name_of(const flow *f, const part *p, int r)
{
  return p->input ? f->index[r] : f->s[p->of].var[r];
}

/* x0, x1, ... unless data or parameters are called so. */
static void name_indices(flow *f)
{
  static const char *const prefixes[] = { "x", "e", "d", "index_", "index_of_input_", NULL };
  bool used = true;
  for (int i = 0; prefixes[i] && used; i++) {
    used = false;
    for (int r = 0; r < C_RANK; r++) {
      snprintf(f->index[r], C_NAME, "%s%d", prefixes[i], r);
      used = used || taken(f, f->index[r]);
      for (int a = 0; a < f->n->arrays; a++)
        used = used || strcmp(f->n->array[a].name, f->index[r]) == 0;
    }
  }
}

static long number(flow *f, isl_val *v)
{
  f->bad = f->bad || !isl_val_is_int(v);
  long value = f->bad ? 0 : isl_val_get_num_si(v);
  isl_val_free(v);
  return value;
}

static void put_scaled(text *t, long c, const char *what)
{
  if (c == 0)
    return;
  if (c == 1)
    text_printf(t, "%s%s", t->n ? "+" : "", what);
  else if (c == -1)
    text_printf(t, "-%s", what);
  else
    text_printf(t, "%s%ld*%s", c > 0 && t->n ? "+" : "", c, what);
}

static void put_aff(flow *f, const part *p, isl_aff *aff, int sign, text *t);

static void put_division(flow *f, const part *p, isl_aff *aff, int q, long c, text *t)
{
  isl_aff *div = isl_aff_get_div(aff, q);
  isl_val *d = div ? isl_aff_get_denominator_val(div) : NULL;
  SCOPED_TEXT inner = { 0 }, whole = { 0 };
  if (!div) {
    f->bad = true;
    return;
  }
  isl_aff *numerator = isl_aff_scale_val(div, isl_val_copy(d));
  put_aff(f, p, numerator, 1, &inner);
  text_printf(&whole, "((%s)/%ld)", text_str(&inner), number(f, d));
  put_scaled(t, c, whole.s);
  isl_aff_free(numerator);
}

/* A parameter of a reserved name gets a line behind it, which cdag_assign knows of. */
static const char *said(const c_param *p, char *name)
{
  snprintf(name, C_NAME + 1, "%s%s", p->name, cdag_reserved(p->name) ? "_" : "");
  return name;
}

/* What of sign * aff is above zero by itself (sign 0: all of it), appended. */
static void put_terms(flow *f, const part *p, isl_aff *aff, int sign, bool split, text *t)
{
  int dims = isl_aff_dim(aff, OF_IN), params = isl_aff_dim(aff, OF_PARAM), divs = isl_aff_dim(aff, OF_DIV);
  for (int i = 0; i < params; i++) {
    long c = sign * number(f, isl_aff_get_coefficient_val(aff, OF_PARAM, i));
    char name[C_NAME + 1];
    put_scaled(t, split && c < 0 ? 0 : c, said(&f->n->param[i], name));
  }
  for (int i = 0; i < dims; i++) {
    long c = sign * number(f, isl_aff_get_coefficient_val(aff, OF_IN, i));
    f->bad = f->bad || (c != 0 && i >= f->visible);
    put_scaled(t, split && c < 0 ? 0 : c, name_of(f, p, i));
  }
  for (int i = 0; i < divs; i++) {
    long c = sign * number(f, isl_aff_get_coefficient_val(aff, OF_DIV, i));
    if (c != 0 && !(split && c < 0))
      put_division(f, p, aff, i, c, t);
  }
  long c = sign * number(f, isl_aff_get_constant_val(aff));
  if (c != 0 && !(split && c < 0))
    text_printf(t, "%s%ld", c > 0 && t->n ? "+" : "", c);
  if (t->n == 0)
    text_add(t, "0");
}

static void put_aff(flow *f, const part *p, isl_aff *aff, int sign, text *t) { put_terms(f, p, aff, sign, false, t); }

/* ---- conditions ---- */

typedef struct { flow *f; const part *p; text *t; int index; text *lo, *hi; int los, his; } writing;

static isl_stat put_comparison(isl_constraint *c, void *user)
{
  writing *w = user;
  SCOPED_TEXT more = { 0 }, less = { 0 };
  isl_aff *aff = isl_constraint_get_aff(c);
  put_terms(w->f, w->p, aff, 1, true, &more);
  put_terms(w->f, w->p, aff, -1, true, &less);
  bool swap = true;
  for (int i = 0; i < isl_aff_dim(aff, OF_IN); i++)
    swap = swap && number(w->f, isl_aff_get_coefficient_val(aff, OF_IN, i)) <= 0;
  const char *sign = isl_constraint_is_equality(c) ? "==" : swap ? "<=" : ">=";
  text_printf(w->t, "%s%s %s %s", w->t->n ? " && " : "", text_str(swap ? &less : &more), sign,
              text_str(swap ? &more : &less));
  isl_aff_free(aff);
  isl_constraint_free(c);
  return isl_stat_ok;
}

/* ---- domains ---- */

/* One constraint on index w->index: a bound from below or above; one that does not read it: a condition. */
static isl_stat put_bound(isl_constraint *c, void *user)
{
  writing *w = user;
  long k = number(w->f, isl_constraint_get_coefficient_val(c, OF_SET, w->index));
  bool equal = isl_constraint_is_equality(c);
  if (k == 0)
    return put_comparison(c, user);
  isl_aff *aff = isl_constraint_get_aff(c);
  aff = isl_aff_set_coefficient_si(aff, OF_IN, w->index, 0);
  if (k < 0 && equal) { /* as one of a positive coefficient */
    aff = isl_aff_neg(aff);
    k = -k;
  }
  SCOPED_TEXT rest = { 0 };
  put_aff(w->f, w->p, aff, k > 0 ? -1 : 1, &rest); /* k x >= -aff, or -k x <= aff */
  long by = k > 0 ? k : -k;
  if (k > 0 || equal) {
    text_add(w->lo, w->los++ ? "," : "");
    text_printf(w->lo, by == 1 ? "%s" : "ceil(%s,%ld)", text_str(&rest), by);
  }
  if (k < 0 || equal) {
    text_add(w->hi, w->his++ ? "," : "");
    text_printf(w->hi, by == 1 ? "%s+1" : "(%s)/%ld+1", text_str(&rest), by);
  }
  isl_aff_free(aff);
  isl_constraint_free(c);
  return isl_stat_ok;
}

/* "n-1+1" is said as "n". */
static void tidy(text *t)
{
  static const struct {
    const char *end, *short_end;
  } ends[] = { { "-1+1", "" }, { "-2+1", "-1" }, { "-3+1", "-2" }, { "0+1", "1" } };
  for (int i = 0; i < 4; i++) {
    size_t n = strlen(ends[i].end);
    bool alone = i < 3 || t->n == n;
    if (t->n >= n && alone && strcmp(t->s + t->n - n, ends[i].end) == 0) {
      t->n -= n;
      t->s[t->n] = '\0';
      text_add(t, t->n || *ends[i].short_end ? ends[i].short_end : "0");
      return;
    }
  }
}

static void put_limits(text *out, const char *word, text *list, int n)
{
  text_printf(out, n > 1 ? "%s(%s)" : "%.0s%s", word, text_str(list));
}

/* Is there nothing of it for some parameters? */
static bool may_be_empty(const flow *f, isl_set *whole)
{
  isl_set *some = isl_set_params(isl_set_copy(whole));
  bool empty = isl_set_is_subset(f->context, some) == 0;
  isl_set_free(some);
  return empty;
}

static void put_range(flow *f, const part *p, isl_set *whole, int r, int rank, text *out)
{
  isl_set *below = isl_set_eliminate(isl_set_copy(whole), OF_SET, (unsigned)r + 1, (unsigned)(rank - r - 1));
  isl_set *before = r > 0 ? isl_set_eliminate(isl_set_copy(whole), OF_SET, (unsigned)r, (unsigned)(rank - r))
                          : isl_set_universe(isl_set_get_space(whole)); /* conditions on parameters alone are kept */
  before = isl_set_intersect_params(before, isl_set_copy(f->context));
  isl_set *here = isl_set_coalesce(isl_set_gist(below, before));
  SCOPED_TEXT when = { 0 }, lo = { 0 }, hi = { 0 };
  writing w = { .f = f, .p = p, .t = &when, .index = r, .lo = &lo, .hi = &hi };
  isl_basic_set *b = isl_set_n_basic_set(here) == 1 ? isl_set_simple_hull(here) : (isl_set_free(here), NULL);
  f->visible = r;
  if (b)
    isl_basic_set_foreach_constraint(b, put_bound, &w);
  f->visible = C_RANK;
  f->bad = f->bad || !b || !w.los || !w.his;
  if (w.his == 1)
    tidy(&hi);
  put_limits(out, "max", &lo, w.los);
  text_add(out, "..");
  if (r == 0 && !when.n && w.los == 1 && w.his == 1 && may_be_empty(f, whole)) /* no range ends before it begins */
    text_printf(out, "max(%s,%s)", text_str(&lo), text_str(&hi));
  else if (when.n) { /* nothing where it does not hold */
    SCOPED_TEXT low = { 0 };
    put_limits(&low, "max", &lo, w.los);
    text_printf(out, "min(%s,%s+%lld*(%s))", text_str(&hi), text_str(&low), 1LL << FAR, when.s);
  } else
    put_limits(out, "min", &hi, w.his);
  isl_basic_set_free(b);
}

/* What is outside of all loops has one index, 0, where its condition holds. */
static void put_once(flow *f, const part *p, isl_set *whole, text *out)
{
  SCOPED_TEXT when = { 0 };
  writing w = { .f = f, .p = p, .t = &when };
  isl_basic_set *b = isl_set_simple_hull(isl_set_gist_params(isl_set_copy(whole), isl_set_copy(f->context)));
  isl_basic_set_foreach_constraint(b, put_comparison, &w);
  text_printf(out, when.n ? "z:0..(%s)" : "z:1%s", text_str(&when));
  isl_basic_set_free(b);
}

/* [i:0..n, j:0..i] */
static void put_domain(flow *f, const part *p, isl_basic_set *domain, text *out)
{
  int rank = isl_basic_set_dim(domain, OF_SET);
  isl_set *whole = as_set(domain);
  text_char(out, '[');
  for (int r = 0; r < rank; r++) {
    text_printf(out, "%s%s:", r ? ", " : "", name_of(f, p, r));
    put_range(f, p, whole, r, rank, out);
  }
  if (rank == 0)
    put_once(f, p, whole, out);
  text_char(out, ']');
  isl_set_free(whole);
}

/* ---- terms ---- */

typedef struct {
  flow *f;
  const part *p, *target;
  text *out, terms;
  isl_set *known;
  bool sum;                    /* what p reads of itself is said already */
} term_writing;

/* A term that is there already is not said again: the vertices read are a set. */
static void put_once_only(term_writing *w, const text *term)
{
  SCOPED_TEXT line = { 0 };
  text_printf(&line, "\n%s\n", text_str(term));
  if (!strstr(text_str(&w->terms), text_str(&line))) {
    text_printf(w->out, "%s%s", w->terms.n ? ", " : " = ", text_str(term));
    text_add(&w->terms, text_str(&line));
  }
}

static void put_term(term_writing *w, isl_multi_aff *value, isl_basic_set *when)
{
  SCOPED_TEXT condition = { 0 }, term = { 0 };
  writing c = { .f = w->f, .p = w->p, .t = &condition };
  text_printf(&term, "%s[", w->target->name);
  int rank = isl_multi_aff_dim(value, OF_OUT);
  for (int r = 0; r < rank; r++) {
    SCOPED_TEXT index = { 0 };
    isl_aff *aff = isl_multi_aff_get_aff(value, r);
    put_aff(w->f, w->p, aff, 1, &index);
    text_printf(&term, "%s%s", r ? "," : "", text_str(&index));
    isl_aff_free(aff);
  }
  text_add(&term, rank ? "]" : "0]");
  isl_basic_set_foreach_constraint(when, put_comparison, &c);
  if (condition.n)
    text_printf(&term, " if %s", condition.s);
  put_once_only(w, &term);
}

typedef struct { term_writing *w; isl_multi_aff *value; isl_set *where; } one_piece;

static isl_stat put_part_of_piece(isl_basic_set *b, void *user)
{
  one_piece *o = user;
  b = relaxed(b, o->where, o->w->known);
  put_term(o->w, o->value, b);
  isl_basic_set_free(b);
  return isl_stat_ok;
}

/* value on `where`: said without what the domains say by themselves. */
static isl_stat put_piece(isl_set *where, isl_multi_aff *value, void *user)
{
  term_writing *w = user;
  isl_set *target = as_set(w->target->domain);
  isl_set *known =
      isl_set_intersect(isl_set_copy(w->known), isl_set_preimage_multi_aff(target, isl_multi_aff_copy(value)));
  where = isl_set_coalesce(isl_set_compute_divs(isl_set_gist(where, isl_set_copy(known))));
  isl_set *whole = isl_set_intersect(isl_set_copy(where), isl_set_copy(known)), *readers = w->known;
  w->known = known; /* where the term is there at all */
  isl_set_foreach_basic_set(where, put_part_of_piece, &(one_piece){ w, value, whole });
  w->known = readers;
  isl_set_free(known);
  isl_set_free(whole);
  isl_set_free(where);
  isl_multi_aff_free(value);
  return isl_stat_ok;
}

static isl_stat put_everywhere(isl_set *where, isl_multi_aff *value, void *user)
{
  isl_basic_set *always = isl_basic_set_universe(isl_set_get_space(where));
  put_term(user, value, always);
  isl_basic_set_free(always);
  isl_set_free(where);
  isl_multi_aff_free(value);
  return isl_stat_ok;
}

/* Where the access names something of the target it reads that: then it is said as in C, without a condition. */
static bool put_as_written(term_writing *w, isl_map *here, isl_map *access)
{
  isl_map *own = isl_map_intersect_domain(isl_map_copy(access), isl_set_copy(w->known));
  bool same = isl_map_has_equal_space(own, here) == isl_bool_true;
  if (same) {
    own = isl_map_intersect_range(own, as_set(w->target->domain));
    same = isl_map_is_equal(own, here) == isl_bool_true;
  }
  isl_map_free(own);
  if (same) {
    isl_pw_multi_aff *value = isl_pw_multi_aff_from_map(isl_map_copy(access));
    same = isl_pw_multi_aff_n_piece(value) == 1; /* several where a loop is left out */
    if (same)
      isl_pw_multi_aff_foreach_piece(value, put_everywhere, w);
    isl_pw_multi_aff_free(value);
  }
  return same;
}

/* What one access reads of one array or statement. */
static void put_access(term_writing *w, isl_map *map, isl_map *access)
{
  flow *f = w->f;
  bool input;
  int of = target_of(map, &input);
  for (int i = 0; i < f->parts; i++) {
    if (f->part[i].input != input || f->part[i].of != of || (w->sum && &f->part[i] == w->p))
      continue;
    isl_map *here = isl_map_intersect_domain(isl_map_copy(map), isl_set_copy(w->known));
    here = isl_map_intersect_range(here, as_set(f->part[i].domain));
    w->target = &f->part[i];
    if (!isl_map_is_empty(here) && !(input && put_as_written(w, here, access))) {
      isl_pw_multi_aff *value = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(isl_map_copy(here)));
      isl_pw_multi_aff_foreach_piece(value, put_piece, w);
      isl_pw_multi_aff_free(value);
    }
    isl_map_free(here);
  }
}

/* ---- sums over several loops ---- */

/* What its elements read of the part itself. */
static isl_map *own_reads(const flow *f, const part *p)
{
  isl_set *all = as_set(p->domain);
  isl_space *space = isl_space_map_from_set(isl_set_get_space(all));
  isl_map *own = isl_map_empty(isl_space_copy(space));
  for (int i = 0; i < f->n->statement[p->of].reads; i++)
    own = isl_map_union(own, isl_union_map_extract_map(f->s[p->of].read[i], isl_space_copy(space)));
  isl_space_free(space);
  own = isl_map_intersect_domain(own, isl_set_copy(all));
  return isl_map_intersect_params(isl_map_intersect_range(own, all), isl_set_copy(f->context));
}

typedef struct { uint32_t loops; int rank; bool mixed; } loop_bounds;

/* Does a bound of one of the loops depend on another? */
static isl_stat note_mixed(isl_constraint *c, void *user)
{
  loop_bounds *b = user;
  int many = 0;
  for (int r = 0; r < b->rank; r++)
    many += (b->loops >> r & 1) && isl_constraint_involves_dims(c, OF_SET, (unsigned)r, 1) > 0;
  b->mixed |= many > 1;
  isl_constraint_free(c);
  return isl_stat_ok;
}

/* The loops along which the part is summed, where there are several: what an element reads of the part is the element
   before it in the order of these loops.  0: it is not so. */
static uint32_t summed_loops(const flow *f, const part *p)
{
  int rank = isl_basic_set_dim(p->domain, OF_SET);
  loop_bounds b = { .rank = rank };
  isl_map *own = own_reads(f, p);
  isl_set *all = isl_set_intersect_params(as_set(p->domain),
                                          isl_set_copy(f->context));
  isl_map *before = isl_set_lex_gt_set(isl_set_copy(all), all);
  for (int r = 0; r < rank; r++) {
    isl_map *same = isl_map_equate(isl_map_copy(own), OF_IN, r, OF_OUT, r);
    if (isl_map_is_equal(own, same) > 0)
      before = isl_map_equate(before, OF_IN, r, OF_OUT, r);
    else
      b.loops |= 1u << r;
    isl_map_free(same);
  }
  isl_basic_set_foreach_constraint(p->domain, note_mixed, &b);
  bool sum = __builtin_popcount(b.loops) > 1 && !b.mixed;
  before = isl_map_lexmax(before);
  sum = sum && isl_map_is_equal(own, before) > 0;
  isl_map_free(own);
  isl_map_free(before);
  return sum ? b.loops : 0;
}

/* The last index of loop r, read at the first one only: hi - 1 + (k - lo) is inside nowhere else. */
static void put_wrapped(term_writing *w, int r, text *out)
{
  int rank = isl_basic_set_dim(w->p->domain, OF_SET);
  SCOPED_TEXT range = { 0 };
  isl_set *whole = as_set(w->p->domain);
  put_range(w->f, w->p, whole, r, rank, &range);
  isl_set_free(whole);
  const char *name = name_of(w->f, w->p, r), *dots = strstr(text_str(&range), "..");
  int lo = (int)(dots - text_str(&range));
  size_t hi = strlen(dots + 2);
  bool one_more = hi > 2 && strcmp(dots + hi, "+1") == 0;
  text_printf(out, "%.*s%s+", (int)hi - (one_more ? 2 : 0), dots + 2, one_more ? "" : "-1");
  if (lo == 1 && *text_str(&range) == '0')
    text_add(out, name);
  else
    text_printf(out, "(%s-(%.*s))", name, lo, text_str(&range));
}

static void put_sum(term_writing *w, uint32_t loops)
{
  int rank = isl_basic_set_dim(w->p->domain, OF_SET);
  for (int m = rank - 1; m >= 0; m--) {
    SCOPED_TEXT term = { 0 };
    if (!(loops >> m & 1))
      continue;
    text_printf(&term, "%s[", w->p->name);
    for (int r = 0; r < rank; r++) {
      text_add(&term, r ? "," : "");
      if (r > m && (loops >> r & 1))
        put_wrapped(w, r, &term);
      else
        text_printf(&term, "%s%s", name_of(w->f, w->p, r), r == m ? "-1" : "");
    }
    text_char(&term, ']');
    put_once_only(w, &term);
  }
}

static void put_terms_of(flow *f, const part *p, text *out)
{
  isl_set *known =
      isl_set_intersect_params(as_set(p->domain), isl_set_copy(f->context));
  term_writing w = { .f = f, .p = p, .out = out, .known = known };
  uint32_t loops = summed_loops(f, p);
  w.sum = loops != 0;
  put_sum(&w, loops);
  for (int i = 0; i < f->n->statement[p->of].reads; i++) {
    isl_map_list *list = isl_union_map_get_map_list(f->s[p->of].read[i]);
    isl_map *access = access_map(f, p->of, i, false);
    for (int m = 0; m < isl_map_list_n_map(list); m++) {
      isl_map *map = isl_map_list_get_map(list, m);
      put_access(&w, map, access);
      isl_map_free(map);
    }
    isl_map_list_free(list);
    isl_map_free(access);
  }
  text_clear(&w.terms);
  isl_set_free(known);
}

/* ---- the text ---- */

/* Index r has one value in b, an expression of the parameters: it, as text; and slice is cut there. */
static bool one_value(term_writing *w, isl_basic_set *b, int r, int rank, isl_set **slice, text *out)
{
  isl_constraint *c;
  bool found = isl_basic_set_has_defining_equality(b, OF_SET, r, &c) == isl_bool_true;
  if (!found)
    return false;
  isl_aff *value = isl_constraint_get_bound(c, OF_SET, r);
  found = !isl_aff_involves_dims(value, OF_IN, 0, (unsigned)rank);
  if (found) {
    put_aff(w->f, w->p, value, 1, out);
    *slice = isl_set_add_constraint(*slice, isl_constraint_copy(c));
  }
  isl_aff_free(value);
  isl_constraint_free(c);
  return found;
}

/* C[*,n-1]: all of the array where some indices have one value; false where b is something else. */
static bool put_slice(term_writing *w, isl_basic_set *b)
{
  int rank = isl_basic_set_dim(b, OF_SET);
  isl_set *slice = as_set(w->p->domain);
  isl_set *own = as_set(b);
  SCOPED_TEXT indices = { 0 };
  for (int r = 0; r < rank; r++) {
    SCOPED_TEXT value = { 0 };
    bool one = one_value(w, b, r, rank, &slice, &value);
    text_printf(&indices, "%s%s", r ? "," : "", one ? text_str(&value) : "*");
  }
  own = isl_set_intersect_params(own, isl_set_copy(w->f->context));
  slice = isl_set_intersect_params(slice, isl_set_copy(w->f->context));
  bool is = rank > 0 && isl_set_is_equal(slice, own) == isl_bool_true;
  if (is)
    text_printf(w->out, "[%s]", text_str(&indices));
  isl_set_free(slice);
  isl_set_free(own);
  return is;
}

static isl_stat put_selection(isl_basic_set *b, void *user)
{
  term_writing *w = user;
  text_printf(w->out, "output %s", w->p->name);
  if (!put_slice(w, b))
    put_domain(w->f, w->p, b, w->out);
  text_char(w->out, '\n');
  isl_basic_set_free(b);
  return isl_stat_ok;
}

static void put_statement(flow *f, const part *p, text *selections)
{
  isl_set *all = as_set(p->domain);
  isl_set *out = isl_set_intersect(isl_union_set_extract_set(f->output, isl_set_get_space(all)), isl_set_copy(all));
  bool whole = isl_set_is_subset(all, out);
  text_printf(f->out, "# line %d\n%s%s", f->n->statement[p->of].line, whole ? "output " : "", p->name);
  put_domain(f, p, p->domain, f->out);
  put_terms_of(f, p, f->out);
  text_char(f->out, '\n');
  if (!whole) {
    out = isl_set_make_disjoint(
        isl_set_coalesce(isl_set_compute_divs(isl_set_gist_params(out, isl_set_copy(f->context)))));
    isl_set_foreach_basic_set(out, put_selection, &(term_writing){ .f = f, .p = p, .out = selections });
  }
  isl_set_free(all);
  isl_set_free(out);
}

static void put_param(const c_param *p, text *out)
{
  char name[C_NAME + 1];
  text_printf(out, "param %s", said(p, name));
  text_printf(out, p->given || p->fixed ? " = %lld\n" : "%.0lld\n", (long long)p->value);
}

static void put_all(flow *f)
{
  SCOPED_TEXT selections = { 0 };
  for (int i = 0; i < f->n->params; i++) {
    const c_param *p = &f->n->param[i];
    put_param(p, f->out);
    if (p->fixed || f->fixed)
      text_add(f->out, "# for this value alone\n");
  }
  for (int i = 0; i < f->parts; i++)
    if (f->part[i].input) {
      text_printf(f->out, "input %s", f->part[i].name);
      put_domain(f, &f->part[i], f->part[i].domain, f->out);
      text_char(f->out, '\n');
    }
  for (int i = 0; i < f->parts; i++)
    if (!f->part[i].input)
      put_statement(f, &f->part[i], &selections);
  text_add(f->out, text_str(&selections));
}

/* ---- all together ---- */

/* The parameter's number in `like`, or -1. */
static int find_like(const cdag *like, const c_param *p)
{
  char name[C_NAME + 1];
  return like ? cdag_find_param(like, said(p, name)) : -1;
}

/* Of parameter i: the text need not hold below that. */
static int64_t least_of(const flow *f, int i)
{
  int known = find_like(f->like, &f->n->param[i]);
  return known < 0 ? 1 : num_max(1, num_min(f->like->param[known].value, IMPORT_NEAR));
}

static void begin(flow *f, const c_nest *n)
{
  SCOPED_TEXT context = { 0 };
  text_char(&f->head, '[');
  for (int i = 0; i < n->params; i++) {
    text_printf(&f->head, "%sp_%s", i ? "," : "", n->param[i].name);
    text_printf(&context, "%sp_%s >= %lld", i ? " and " : "", n->param[i].name, (long long)least_of(f, i));
  }
  text_add(&f->head, "] -> { ");
  f->context = isl_set_params(set_of(f, "[] : %s%s", n->params ? text_str(&context) : "1 = 1", ""));
  for (int k = 0; k < n->statements; k++)
    f->places = n->statement[k].places > f->places ? n->statement[k].places : f->places;
  f->writes = isl_union_map_empty_ctx(f->ctx);
  f->schedule = isl_union_map_empty_ctx(f->ctx);
  f->output = isl_union_set_empty_ctx(f->ctx);
  f->visible = C_RANK;
  f->s = MEM_NEW(flow_statement, (size_t)n->statements);
}

static void end(flow *f)
{
  for (int k = 0; k < f->n->statements; k++) {
    for (int i = 0; f->s[k].read && i < f->n->statement[k].reads; i++)
      isl_union_map_free(f->s[k].read[i]);
    mem_free(f->s[k].read);
    isl_set_free(f->s[k].domain);
    isl_map_free(f->s[k].without);
  }
  for (int i = 0; i < f->parts; i++)
    isl_basic_set_free(f->part[i].domain);
  isl_union_map_free(f->writes);
  isl_union_map_free(f->schedule);
  isl_union_set_free(f->output);
  isl_set_free(f->context);
  text_clear(&f->head);
  mem_free(f->s);
  mem_free(f->part);
  isl_ctx_free(f->ctx);
}

/* Is it known that `wrong` holds nowhere, for parameters in the context? */
static bool claim_holds(flow *f, const c_claim *c, isl_set *context)
{
  SCOPED_TEXT where = { 0 };
  text_printf(&where, "[%s] : %s%s%s", c->vars, c->domain, *c->domain ? " and " : "", c->wrong);
  isl_set *set = isl_set_intersect_params(set_of(f, "%s%s", text_str(&where), ""), isl_set_copy(context));
  isl_bool never = isl_set_is_empty(set);
  isl_set_free(set);
  return never == isl_bool_true;
}

/* The parameters' values and no others; NULL: they have none. */
static isl_set *these_values(flow *f)
{
  SCOPED_TEXT values = { 0 };
  for (int i = 0; i < f->n->params && f->like; i++) {
    int known = find_like(f->like, &f->n->param[i]);
    if (known < 0 && !f->n->param[i].given)
      return NULL;
    text_printf(&values, "%sp_%s = %lld", i ? " and " : "", f->n->param[i].name,
                (long long)(known < 0 ? f->n->param[i].value : f->like->param[known].value));
  }
  return values.n ? isl_set_params(set_of(f, "[] : %s%s", text_str(&values), "")) : NULL;
}

/* A claim that does not hold, or NULL.  What holds for the parameters' values alone makes a text for these. */
static const c_claim *wrong_claim(flow *f)
{
  const c_claim *wrong = NULL;
  isl_set *values = these_values(f);
  for (int i = 0; i < f->n->claims && !wrong; i++) {
    const c_claim *c = &f->n->claim[i];
    bool holds = claim_holds(f, c, f->context);
    if (!holds && values && claim_holds(f, c, values))
      f->fixed = holds = true;
    wrong = holds ? NULL : c;
  }
  isl_set_free(values);
  return wrong;
}

static status analyse(flow *f, const char *file, diag *d)
{
  const c_nest *n = f->n;
  const c_claim *c = wrong_claim(f);
  f->no_rows = c && c->rows;
  if (c)
    return diag_at(d, BAD_INPUT, "import", file, c->line, c->column, "%s", c->message);
  for (int k = 0; k < n->statements; k++)
    read_statement(f, k);
  for (int k = 0; k < n->statements; k++)
    read_accesses(f, k);
  for (int a = 0; a < n->arrays; a++)
    if (n->array[a].output)
      f->output = isl_union_set_union(f->output, last_values(f, a));
  forward_values(f);
  if (!drop_constants(f))
    return diag_at(d, BAD_INPUT, "import", file, n->statement[0].line, n->statement[0].column,
                   "values that depend on constants alone feed each other without end here; give them an input");
  name_indices(f);
  make_input_parts(f);
  make_statement_parts(f);
  put_all(f);
  return !f->bad && isl_ctx_last_error(f->ctx) == isl_error_none
             ? OK
             : diag_at(d, GAVE_UP, "limit", file, n->statement[0].line, n->statement[0].column,
                       "the flow of values in this nest cannot be said by ranges and affine conditions");
}

static status import_as(const char *file, const char *source, const cdag *like, bool *rows, text *out, diag *d)
{
  c_nest n;
  status st = c_nest_read(&n, file, source, like, *rows, d);
  if (st != OK)
    return st;
  flow f = { .n = &n, .like = like, .ctx = isl_ctx_alloc(), .out = out };
  isl_options_set_on_error(f.ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(f.ctx, MOST_OPERATIONS); /* some seconds; then isl gives up */
  begin(&f, &n);
  st = analyse(&f, file, d);
  *rows = !f.no_rows;
  end(&f);
  c_nest_clear(&n);
  return st;
}

status cdag_import_c(const char *file, const char *source, const cdag *like, text *out, diag *d)
{
  bool rows = true;
  status st = import_as(file, source, like, &rows, out, d);
  return rows ? st : import_as(file, source, like, &rows, out, d);
}
