/* Forks: paths that wait at a gate for the gate's own elements, on one side of its first element or on the other. */
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"

/* Pairs (z, first element) for which a side serves. */
typedef struct {
  polyhedra of[2];
} sides;

/* Pairs of `all` in which all paths of this side begin with ancestors of the first element; pieces may overlap. */
static void served_by(gating *s, const path *of, int paths, const polyhedra *all, polyhedra *served)
{
  *served = *all;
  for (int k = 0; k < paths; k++) {
    polyhedra below = { 0 }, both = { 0 };
    gating_below(s, s->family, of[k].array[of[k].links - 1], of[k].at[of[k].links - 1], s->rank, &below);
    for (int i = 0; i < served->n; i++)
      for (int j = 0; j < below.n; j++) {
        polyhedron *p = polyhedron_copy(s->memory, served->item[i]);
        polyhedron_meet(s->memory, p, below.item[j], 2 * s->rank);
        if (!p->open && !polyhedron_empty(p))
          polyhedra_add(s->memory, &both, p);
      }
    *served = both;
  }
}

/* The first side where it serves, else the second: z stays when one does, whatever other element of its gate is first.
 */
static bool find_sides(gating *s, path of[2][FORK_PATHS], const gate_keys *own, polyhedra *z, sides *serves)
{
  int pair = 2 * s->rank, paths = s->of->fork.paths;
  polyhedra pairs = { 0 }, same = { 0 }, others = { 0 }, second = { 0 }, bad = { 0 };
  polyhedron *itself = polyhedron_new(s->memory, pair);
  for (int r = 0; r < s->rank; r++) {
    linear x = linear_variable(r), e = linear_variable(s->rank + r);
    polyhedron_same(s->memory, itself, &x, &e);
  }
  polyhedra_add(s->memory, &same, itself);
  gating_pairs(s, z, s->rank, s->family, own, 0, &pairs);
  if (!polyhedra_minus(s->memory, &pairs, &same, pair, &others))
    return false;
  served_by(s, of[0], paths, &others, &serves->of[0]);
  if (!polyhedra_minus(s->memory, &others, &serves->of[0], pair, &serves->of[1]))
    return false;
  served_by(s, of[1], paths, &serves->of[1], &second);
  return polyhedra_minus(s->memory, &serves->of[1], &second, pair, &bad) && gating_drop_under(s, z, &bad, s->rank);
}

/* Two paths, of sides that serve these pairs, a link of each. */
typedef struct {
  const path *of[2];
  const polyhedra *serves[2];
  int link[2];
} meeting;

static bool is_one_link(const meeting *m) { return m->of[0] == m->of[1] && m->link[0] == m->link[1]; }

/* Points z, first element, z', its first element, in which these pieces serve and the links are one element. */
static polyhedron *met(gating *s, arena *memory, const meeting *m, int piece, int other)
{
  int rank = s->rank;
  polyhedron *p = polyhedron_new(memory, 4 * rank);
  linear x[2][2 * CDAG_RANK];
  for (int k = 0; k < 2; k++) {
    linear_variables(x[k], 2 * rank, 2 * rank * k);
    polyhedron_include(memory, p, m->serves[k]->item[k ? other : piece], x[k], 2 * rank);
  }
  for (int q = 0; q < s->f->form.array[m->of[0]->array[m->link[0]]].rank; q++) {
    linear at;
    if (linear_substitute(&m->of[1]->at[m->link[1]][q], x[1], rank, 0, &at))
      polyhedron_same(memory, p, &m->of[0]->at[m->link[0]][q], &at);
  }
  return p;
}

/* Variable a before variable b. */
static void require_before(arena *memory, polyhedron *p, int a, int b)
{
  linear before = linear_variable(a), after = linear_variable(b);
  before.base++;
  polyhedron_require(memory, p, &before, &after);
}

/* Of one gate, with one first element: never one element.  Of one link, for z before z' only. */
static bool apart_at_gate(gating *s, const meeting *m, int piece, int other)
{
  for (int r = 0; r < (is_one_link(m) ? s->rank : 1); r++) {
    SCOPED_ARENA memory = { 0 };
    polyhedron *p = met(s, &memory, m, piece, other);
    for (int q = 0; q < s->rank; q++) {
      linear e = linear_variable(s->rank + q), too = linear_variable(3 * s->rank + q);
      polyhedron_same(&memory, p, &e, &too);
    }
    if (is_one_link(m))
      require_before(&memory, p, r, 2 * s->rank + r);
    if (!polyhedron_empty(p))
      return false;
  }
  return true;
}

/* Nor at two gates, which differ in a key. */
static bool apart_between_gates(gating *s, const meeting *m, int piece, int other)
{
  for (int r = 0; r < s->rank; r++)
    for (int way = 0; way < (is_one_link(m) ? 1 : 2) && s->of->role[r] == GATE_KEY; way++) {
      SCOPED_ARENA memory = { 0 };
      polyhedron *p = met(s, &memory, m, piece, other);
      require_before(&memory, p, way ? 2 * s->rank + r : r, way ? r : 2 * s->rank + r);
      if (!polyhedron_empty(p))
        return false;
    }
  return true;
}

static bool links_apart(gating *s, const meeting *m)
{
  for (int a = 0; a < m->serves[0]->n; a++)
    for (int b = 0; b < m->serves[1]->n; b++)
      if (!apart_at_gate(s, m, a, b) || !apart_between_gates(s, m, a, b))
        return bound_refuse(s->reason, "two paths of a fork may meet");
  return true;
}

static bool paths_apart(gating *s, path of[2][FORK_PATHS], const sides *serves)
{
  int paths = s->of->fork.paths;
  for (int a = 0; a < 2 * paths; a++)
    for (int b = a; b < 2 * paths; b++) {
      meeting m = { .of = { &of[a % 2][a / 2], &of[b % 2][b / 2] },
                    .serves = { &serves->of[a % 2], &serves->of[b % 2] } };
      for (int i = 0; i < m.of[0]->links; i++)
        for (int k = a == b ? i : 0; k < m.of[1]->links; k++) {
          m.link[0] = i;
          m.link[1] = k;
          if (m.of[0]->array[i] == m.of[1]->array[k] && !links_apart(s, &m))
            return false;
        }
    }
  return true;
}

/* What waits is one of the gate's elements, and none is the first one, so that is on none of the paths if they have no
   elements of its array. */
static bool is_beside(const gating *s, path of[2][FORK_PATHS])
{
  for (int a = 0; a < 2 * s->of->fork.paths; a++)
    for (int i = 0; i < of[a % 2][a / 2].links; i++)
      if (of[a % 2][a / 2].array[i] == s->of->array)
        return false;
  return true;
}

bool gating_fork(gating *s, path of[2][FORK_PATHS])
{
  const gate_fork *k = &s->of->fork;
  polyhedra z = s->f->form.array[s->of->array].live;
  sides serves = { 0 };
  gate_keys own = { 0 };
  linear x[CDAG_RANK];
  z.room = z.n;
  for (int r = 0; r < s->rank; r++)
    own.loop[r] = r;
  if (!gating_keep_in(s, &z, &s->sets->gate, s->rank))
    return bound_refuse(s->reason, "the elements of the gate are not found");
  for (int a = 0; a < 2 * k->paths; a++) {
    const fork_path *p = &k->side[a % 2][a / 2];
    if (!gating_trace(s, s->of->array, p->link, p->links, k->input[a / 2], &z, &of[a % 2][a / 2]) ||
        !gating_no_outputs(s, &of[a % 2][a / 2], s->rank, &z))
      return bound_refuse(s->reason, "the paths of a fork are not found");
  }
  for (int a = 0; a < 2 * k->paths; a++)
    of[a % 2][a / 2].z = z, of[a % 2][a / 2].lag = 1; /* families are held apart for all of them */
  if (!find_sides(s, of, &own, &z, &serves))
    return bound_refuse(s->reason, "what waits on either side is not found");
  if (!paths_apart(s, of, &serves))
    return false;
  s->sets->beside = is_beside(s, of);
  s->sets->user[0] = z;
  linear_variables(x, s->rank, 0);
  for (int i = 0; i < k->paths; i++) {
    if (!gating_add_set(s, k->input[i] ? GATE_FROM_INPUTS : GATE_WAITING, &z, &own, x, s->rank))
      return false;
    s->sets->lost++;
    s->sets->lost_waiting += !k->input[i];
  }
  return true;
}
