/* statements.c -- the statements of the nest as isl's sets and maps, and who wrote what they read. */
#include "cdag/import/flow/flow.h"
#include "base/mem.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST = 1 << 20 };

static char *description(flow *f, const char *format, const char *a, const char *b, const char *c)
{
  text t = { 0 };
  text_add(&t, text_str(&f->head));
  text_printf(&t, format, a, b, c);
  text_add(&t, " }");
  return t.s;
}

isl_set *flow_set_of(flow *f, const char *format, const char *a, const char *b)
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

typedef struct {
  int r;
  bool found;
} equality_of;

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

/* Is there an index that names this loop and no other? */
static bool names_alone(const char *index, const char *loop)
{
  bool own = false, other = false, good = false;
  int depth = 0;
  size_t n = strlen(loop);
  for (const char *at = index;; at++) {
    bool begins = strncmp(at, "v_", 2) == 0 && (at == index || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'));
    if (begins) {
      bool same = strncmp(at + 2, loop, n) == 0 && !(isalnum((unsigned char)at[2 + n]) || at[2 + n] == '_');
      own = own || same;
      other = other || !same;
    }
    depth += (*at == '(') - (*at == ')');
    if (!*at || (*at == ',' && depth == 0)) {
      good = good || (own && !other);
      own = other = false;
    }
    if (!*at)
      return good;
  }
}

static bool names_element(const c_statement *s, const char *loop)
{
  bool names = names_alone(s->write.index, loop);
  for (int i = 0; i < s->reads && !names; i++)
    names = names_alone(s->read[i].index, loop);
  return names;
}

/* Does a statement in this loop name an element by it alone?  Then it is one of the computation's, s[i] where j runs
   from 7 i to 7 i + 6, and not of the order in which it is done, as in t[i - ii]. */
static bool tells_elements(const c_nest *n, const c_statement *s, const char *loop)
{
  SCOPED_TEXT turn = { 0 };
  text_printf(&turn, "v_%s,", loop);
  const char *at = strstr(s->schedule, text_str(&turn));
  size_t inside = at ? (size_t)(at - s->schedule) + turn.n : strlen(s->schedule);
  bool tells = false;
  for (int k = 0; k < n->statements && !tells; k++)
    tells = strncmp(n->statement[k].schedule, s->schedule, inside) == 0 && names_element(&n->statement[k], loop);
  return tells;
}

/* Statement k without loop r, where the others tell its value by a quotient. */
static bool drop_loop(const c_nest *n, flow_statement *s, int k, int r)
{
  char name[16];
  if (tells_elements(n, &n->statement[k], s->var[r]) || is_affine_of_others(s, r))
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

/* ---- places that are summed up ---- */

static isl_stat take_place(isl_set *where, isl_multi_aff *place, void *user)
{
  isl_multi_aff **to = user;
  isl_multi_aff_free(*to);
  isl_set_free(where);
  *to = place;
  return isl_stat_ok;
}

/* How often loop r is counted in index q; false: there is a quotient. */
static bool times_of(isl_multi_aff *place, int q, int r, long *times)
{
  isl_aff *aff = isl_multi_aff_get_aff(place, q);
  isl_val *v = isl_aff_get_coefficient_val(aff, OF_IN, r);
  bool good = isl_aff_dim(aff, OF_DIV) == 0 && isl_val_is_int(v) == isl_bool_true;
  *times = good ? isl_val_get_num_si(v) : 0;
  isl_val_free(v);
  isl_aff_free(aff);
  return good;
}

static long divisor(long a, long b) { return b == 0 ? (a < 0 ? -a : a) : divisor(b, a % b); }

/* A loop that a place of a sum may stand for: where the others count `by` times in the index, its quotient and its rest
   stand for it, two indices.  -1: none. */
typedef struct { int loop; long by; } sum_place;

/* Where several loops stand in index q: the innermost one whose factor there is 1 or -1 and that stands in no other
   index, and what divides the factors of all the others. */
static sum_place loop_of_place(const c_statement *s, isl_multi_aff *place, int q)
{
  sum_place best = { -1, 0 };
  int many = 0;
  long times, other, by = 0;
  for (int r = 0; r < s->depth; r++) {
    bool alone = true;
    if (!times_of(place, q, r, &times))
      return (sum_place){ -1, 0 };
    many += times != 0;
    for (int p = 0; p < s->write.rank && alone; p++)
      alone = p == q || (times_of(place, p, r, &other) && other == 0);
    best.loop = (times == 1 || times == -1) && alone ? r : best.loop;
  }
  for (int r = 0; r < s->depth; r++)
    by = r != best.loop && times_of(place, q, r, &times) ? divisor(by, times) : by;
  best.by = by;
  best.loop = many > 1 ? best.loop : -1;
  return best;
}

/* Does index q take one value for several values of its loops?  Else nothing is summed along them. */
static bool meets_again(const flow *f, int k, isl_multi_aff *place, int q)
{
  isl_map *m = isl_map_intersect_domain(isl_map_from_aff(isl_multi_aff_get_aff(place, q)),
                                        isl_set_copy(f->s[k].domain));
  for (int r = f->n->statement[k].depth - 1; r >= 0; r--) {
    long times;
    if (times_of(place, q, r, &times) && times == 0)
      m = isl_map_project_out(m, OF_IN, (unsigned)r, 1);
  }
  bool again = isl_map_is_injective(m) == isl_bool_false;
  isl_map_free(m);
  return again;
}

/* For each index that a sum adds up at, y[i+k] += x[i] * w[k], the loop that the place may stand for. */
static void find_places(flow *f, int k, sum_place *of)
{
  const c_statement *s = &f->n->statement[k];
  isl_multi_aff *place = NULL;
  int depth = s->depth;
  for (int q = 0; q < s->write.rank; q++)
    of[q].loop = -1;
  if (s->copy || !reads_itself(s))
    return;
  char *here = instance(f->n, k), *target = element(&s->write);
  isl_pw_multi_aff *all = isl_pw_multi_aff_from_map(map_of(f, "%s -> %s%s", here, target, ""));
  if (isl_pw_multi_aff_n_piece(all) == 1)
    isl_pw_multi_aff_foreach_piece(all, take_place, &place);
  for (int q = 0; q < s->write.rank && place; q++) {
    of[q] = loop_of_place(s, place, q);
    if (of[q].loop >= 0 && (depth + (of[q].by > 1) > C_RANK || !meets_again(f, k, place, q)))
      of[q].loop = -1;
    depth += of[q].loop >= 0 && of[q].by > 1;
  }
  isl_pw_multi_aff_free(all);
  isl_multi_aff_free(place);
  mem_free(here);
  mem_free(target);
}

/* Index q of those that commas part. */
static void put_index(const char *index, int q, text *out)
{
  int depth = 0;
  for (const char *at = index; *at; at++) {
    depth += (*at == '(') - (*at == ')');
    if (*at == ',' && depth == 0)
      q--;
    else if (q == 0)
      text_char(out, *at);
  }
}

/* Statement k with a sum's places for loops, first, and with the loops along which it sums down counted from where they
   begin: a sum goes up. */
static void turn_sums(flow *f, int k)
{
  const c_statement *s = &f->n->statement[k];
  flow_statement *to = &f->s[k];
  SCOPED_TEXT form = { 0 };
  bool some = false, placed[C_RANK] = { false };
  sum_place of[C_RANK];
  int n = 0;
  find_places(f, k, of);
  text_printf(&form, "S%d[", k);
  for (int q = 0; q < s->write.rank; q++)
    for (int rest = 0; of[q].loop >= 0 && rest < 1 + (of[q].by > 1); rest++) {
      SCOPED_TEXT index = { 0 };
      put_index(s->write.index, q, &index);
      text_printf(&form, of[q].by < 2 ? "%s%s" : rest ? "%s(%s) mod %ld" : "%sfloor((%s)/%ld)", n ? "," : "",
                  text_str(&index), of[q].by);
      snprintf(to->var[n++], C_NAME, rest ? "%.60s_%d" : "%.60s", s->var[of[q].loop], rest);
      some = placed[of[q].loop] = true;
    }
  for (int r = 0; r < s->depth; r++) {
    bool down = !placed[r] && sums_down(f->n, s, r);
    some = some || down;
    if (placed[r])
      continue;
    text_printf(&form, down ? "%s%s - v_%s" : "%s%sv_%s", n ? "," : "", down ? s->top[r] : "", s->var[r]);
    memcpy(to->var[n++], s->var[r], C_NAME);
  }
  text_char(&form, ']');
  to->depth = n;
  if (some) {
    char *here = instance(f->n, k);
    to->without = map_of(f, "%s -> %s%s", here, text_str(&form), "");
    to->domain = isl_set_apply(to->domain, isl_map_copy(to->without));
    mem_free(here);
  }
}

void flow_read_statement(flow *f, int k)
{
  const c_statement *s = &f->n->statement[k];
  char *here = instance(f->n, k), *target = element(&s->write), *time = padded(f, s->schedule, s->places);
  f->s[k].kind = s->reads == 0 ? CONSTANT : s->copy ? COPY : VALUE;
  f->s[k].depth = s->depth;
  memcpy(f->s[k].var, s->var, sizeof s->var);
  f->s[k].domain = isl_set_intersect_params(
      flow_set_of(f, "%s : %s", here, s->depth || *s->domain ? *s->domain ? s->domain : "1 = 1" : "1 = 1"),
      isl_set_copy(f->context));
  turn_sums(f, k);
  for (int r = 0; r < f->s[k].depth; r++)
    r -= drop_loop(f->n, &f->s[k], k, r);
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

isl_map *flow_access_map(flow *f, int k, int i, bool when)
{
  const c_access *a = &f->n->statement[k].read[i];
  char *here = instance(f->n, k), *from = element(a);
  when = when && *a->when;
  isl_map *map = map_of(f, when ? "%s -> %s : %s" : "%s -> %s%s", here, from, when ? a->when : "");
  mem_free(here);
  mem_free(from);
  return from_loops_left(&f->s[k], map);
}

void flow_read_accesses(flow *f, int k)
{
  const c_statement *s = &f->n->statement[k];
  f->s[k].read = MEM_NEW(isl_union_map *, (size_t)s->reads + 1);
  for (int i = 0; i < s->reads; i++)
    f->s[k].read[i] =
        sources_of(f, isl_map_intersect_domain(flow_access_map(f, k, i, true), isl_set_copy(f->s[k].domain)));
}

isl_union_set *flow_last_values(flow *f, int a)
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
