/* Statements: the steps at which all counted reads exist, what the reads are there, and when two never meet. */
#include "bounds/check/affine/claim.h"
#include "base/num.h"
#include "bounds/checker.h"
#include <string.h>

/* Forms that only know loops. */
static bool in_loops(const linear *l, int n, int rank)
{
  for (int i = 0; i < n; i++)
    for (int v = rank; v < POLYHEDRON_VARS; v++)
      if (l[i].coef[v])
        return false;
  return true;
}

/* Labels that quotients stand in are left out; what is left of them when these come times a common number is told but
   for its multiples. */
static void reduce_labels(way_facts *w, int rank)
{
  int kept = 0;
  for (int k = 0; k < w->forms; k++) {
    int64_t m = 0;
    for (int v = rank; v < POLYHEDRON_VARS; v++)
      m = num_gcd(m, w->form[k].coef[v] < 0 ? -w->form[k].coef[v] : w->form[k].coef[v]);
    if (m > 1) {
      w->rest[w->rests] = w->form[k];
      memset(&w->rest[w->rests].coef[rank], 0, (POLYHEDRON_VARS - (size_t)rank) * sizeof w->rest->coef[0]);
      w->modulus[w->rests++] = m;
    }
    w->reduced = w->reduced || m > 0;
    if (m == 0)
      w->form[kept++] = w->form[k];
  }
  w->forms = kept;
}

static bool way_of(affine_facts *f, const claim_statement *s, const claim_way *of, way_facts *w)
{
  const access *a = of->kind == ITEM_OWN ? NULL : f->form.access[of->access];
  w->to = a ? a->to : s->array;
  w->component = f->words.component[w->to];
  w->where = a ? a->where : NULL;
  w->indices = f->form.array[w->to].rank;
  w->index = ARENA_NEW(&f->scratch, linear, CDAG_RANK);
  w->form = w->index;
  w->forms = w->indices;
  for (int r = 0; r < w->indices; r++)
    w->index[r] = a ? a->index[r] : linear_variable(r);
  if (of->kind != ITEM_OPERAND) {
    w->form = ARENA_NEW(&f->scratch, linear, LABELS_MOST);
    w->forms = words_label_of(&f->words, w->to, w->index, w->form);
  }
  int rank = f->form.array[s->array].rank;
  bool told = (of->kind != ITEM_TAIL && of->kind != ITEM_MADE) || in_loops(w->index, w->indices, rank);
  if (told && of->kind == ITEM_READ && w->forms > 0)
    reduce_labels(w, rank);
  return told && w->forms >= 0 && (!w->reduced || w->forms + w->rests > 0) && in_loops(w->form, w->forms, rank);
}

/* ---- ways: what is a function of the word or vertex, whichever way it is ---- */

/* Can the ways be of one word, or one vertex? */
static bool same_source(const claim_item *item, const way_facts *way, int u, int v)
{
  if (item->way[u].kind != item->way[v].kind)
    return false;
  return item->way[u].kind == ITEM_OPERAND ? way[u].to == way[v].to : way[u].component == way[v].component;
}

/* Where the way is taken, f is its form number `pick` (-1: none) less a constant. */
static bool is_form(const way_facts *w, const linear *f, int pick, int64_t *shift)
{
  linear d = pick < 0 ? (linear){ 0 } : w->form[pick];
  int64_t most;
  if (!linear_add(&d, f, -1))
    return false;
  if (linear_is_constant(&d)) {
    *shift = d.base;
    return true;
  }
  return polyhedron_span(w->where, &d, shift, &most) && most == *shift;
}

/* Form n of the first way is a function of the word or vertex the other ways too, or of that and of the way: said in
   their picks at `common`. */
static bool common_form(const claim_item *item, way_facts *way, int n, int common)
{
  for (int v = 0; v < item->ways; v++) {
    int like = 0, pick = n;
    int64_t shift = 0;
    while (like < v && (item->views || !same_source(item, way, like, v)))
      like++;
    if (like < v) {
      if (!is_form(&way[v], &way[0].form[n], way[like].pick[common], &shift) || shift != way[like].shift[common])
        return false;
      pick = way[like].pick[common];
    } else if (v > 0) {
      for (pick = way[v].forms - 1; pick >= 0 && !is_form(&way[v], &way[0].form[n], pick, &shift); pick--)
        ;
      if (pick < 0 && !is_form(&way[v], &way[0].form[n], pick, &shift))
        return false;
    }
    way[v].pick[common] = pick;
    way[v].shift[common] = shift;
  }
  return true;
}

static bool ways_differ(affine_facts *f, const claim_item *item, const way_facts *way, int rank)
{
  for (int v = 0; v < item->ways; v++)
    for (int u = 0; u < v; u++) {
      polyhedron *both = polyhedron_copy(&f->scratch, way[u].where);
      polyhedron_meet(&f->scratch, both, way[v].where, rank);
      if (!polyhedron_empty(both) || (item->way[u].kind != item->way[v].kind && way[u].to == way[v].to))
        return false;
    }
  return true;
}

static bool item_ways(affine_facts *f, const claim_statement *s, int i, statement_facts *t, text *reason)
{
  const claim_item *item = &s->item[i];
  t->way[i] = ARENA_NEW(&f->scratch, way_facts, (size_t)item->ways);
  for (int w = 0; w < item->ways; w++) {
    const claim_way *way = &item->way[w];
    const access *a = way->kind == ITEM_OWN ? NULL : f->form.access[way->access];
    if ((a && (a->from != s->array || !a->single)) || (!a && item->ways > 1))
      return bound_refuse(reason, "access %d is not one of the statement's", way->access);
    if (!way_of(f, s, way, &t->way[i][w]) || (t->way[i][w].reduced && item->ways > 1))
      return bound_refuse(reason, "what access %d reads is not told by the loops", way->access);
    if ((way->kind == ITEM_READ || way->kind == ITEM_TAIL) && f->words.unrooted[t->way[i][w].component])
      return bound_refuse(reason, "the words that access %d reads may begin with a computed element", way->access);
  }
  for (int w = 0; w < item->ways; w++)
    if (item->views && (item->ways == 1 || item->way[w].kind != ITEM_READ))
      return bound_refuse(reason, "only words that are read in several ways have views");
  if (!ways_differ(f, item, t->way[i], t->rank))
    return bound_refuse(reason, "two ways of a need may be taken at once");
  t->form[i] = ARENA_NEW(&f->scratch, linear, CDAG_RANK);
  for (int k = 0; k < t->way[i][0].forms; k++)
    if (common_form(item, t->way[i], k, t->forms[i]))
      t->form[i][t->forms[i]++] = t->way[i][0].form[k];
  return true;
}

/* ---- steps ---- */

/* The part of p at which the way is taken; an operand is computed, so steps that read an input there do not count. */
static bool add_taken(affine_facts *f, const way_facts *w, item_kind kind, int rank, const polyhedron *p,
                      polyhedra *steps)
{
  const array_form *to = &f->form.array[w->to];
  polyhedra computed = { 0 };
  bool some = kind == ITEM_OPERAND && normal_form_text(&f->form, w->to)->declared_input;
  if (some && !polyhedra_disjoint(&f->scratch, &to->computed, to->rank, &computed))
    return false;
  for (int j = 0; j < (some ? computed.n : 1); j++) {
    polyhedron *q = polyhedron_copy(&f->scratch, p);
    if (w->where)
      polyhedron_meet(&f->scratch, q, w->where, rank);
    if (some)
      polyhedron_include(&f->scratch, q, computed.item[j], w->index, to->rank);
    if (q->open)
      return false;
    if (!polyhedron_empty(q))
      polyhedra_add(&f->scratch, steps, polyhedron_tidy(&f->scratch, q));
  }
  return true;
}

/* The steps of `from` at which item i is met as well: false when they have too many quotients. */
static bool meet_item(affine_facts *f, const statement_facts *t, int i, const polyhedra *from, polyhedra *next)
{
  for (int k = 0; k < from->n; k++)
    for (int w = 0; w < t->s->item[i].ways; w++)
      if (!add_taken(f, &t->way[i][w], t->s->item[i].way[w].kind, t->rank, from->item[k], next))
        return false;
  return true;
}

static steps_key key_of(const claim_statement *s)
{
  steps_key key = { .array = s->array };
  for (int i = 0; i < s->items; i++) {
    const claim_item *item = &s->item[i];
    if (item->way[0].kind == ITEM_OWN)
      continue;
    int n = key.needs++;
    key.need[n].ways = item->ways;
    for (int w = 0; w < item->ways; w++) {
      key.need[n].access[w] = item->way[w].access;
      key.need[n].operand |= (unsigned)(item->way[w].kind == ITEM_OPERAND) << w;
    }
  }
  return key;
}

/* The steps that are asked for again and again, by the search and by what derives its claims. */
static known_steps *look_up(affine_facts *f, const claim_statement *s)
{
  steps_key key = key_of(s);
  for (int i = 0; i < f->steps; i++)
    if (memcmp(&f->known_steps[i].key, &key, sizeof key) == 0)
      return &f->known_steps[i];
  f->known_steps = arena_room(&f->memory, f->known_steps, f->steps, &f->steps_room, sizeof *f->known_steps);
  known_steps *fresh = &f->known_steps[f->steps++];
  *fresh = (known_steps){ 0 };
  fresh->key = key;
  return fresh;
}

static bool steps_of(affine_facts *f, const statement_facts *t, known_steps *known)
{
  polyhedra now = f->form.array[t->s->array].live;
  bool joined = false;
  for (int i = 0; i < t->s->items; i++) {
    polyhedra next = { 0 };
    joined = joined || t->s->item[i].ways > 1;
    if (!meet_item(f, t, i, &now, &next))
      return false;
    now = next;
  }
  if (joined)
    polyhedra_join(&f->scratch, &now);
  for (int k = 0; k < now.n; k++)
    polyhedra_add(&f->memory, &known->steps, polyhedron_copy(&f->memory, now.item[k]));
  return true;
}

bool statement_facts_of(affine_facts *f, const claim_statement *s, statement_facts *t, text *reason)
{
  int reads = 0;
  *t = (statement_facts){ .s = s, .rank = f->form.array[s->array].rank };
  for (int i = 0; i < s->items; i++) {
    if (!item_ways(f, s, i, t, reason))
      return false;
    reads += s->item[i].way[0].kind != ITEM_OWN;
  }
  if (reads == 0)
    return bound_refuse(reason, "a statement counts no read");
  known_steps *known = look_up(f, s);
  if (!known->known)
    known->good = steps_of(f, t, known);
  known->known = true;
  t->steps = known->steps;
  if (!known->good)
    return bound_refuse(reason, "the steps have too many quotients");
  return t->steps.n > 0 || bound_refuse(reason, "there are no such steps");
}

bool steps_count(const statement_facts *t, mpz_t work) { return polyhedra_count(&t->steps, work); }

/* ---- when two needs are never the same ---- */

/* Item i of a and k of b, one way each. */
typedef struct {
  const statement_facts *a, *b;
  const way_facts *x, *y;
  const claim_way *of_x, *of_y;
  bool several_x, several_y;
  bool one_column;
} comparison;

/* Can they only meet through words of one component, or elements of one array? */
static bool unrelated(const comparison *c)
{
  bool vertex = c->of_x->kind == ITEM_OPERAND, other = c->of_y->kind == ITEM_OPERAND;
  if (vertex && other)
    return c->x->to != c->y->to;
  bool tail = c->of_x->kind == ITEM_TAIL || c->of_y->kind == ITEM_TAIL;
  if (c->a == c->b && tail && c->of_x->kind != ITEM_READ && c->of_y->kind != ITEM_READ)
    return true; /* tails.c looks at these */
  bool made = c->of_x->kind == ITEM_MADE || c->of_y->kind == ITEM_MADE;
  if (made && !c->one_column && (c->of_x->kind == ITEM_OWN || c->of_y->kind == ITEM_OWN))
    return true; /* relay.c looks at these */
  /* operands are the ends of their words, and steps' own words are met before their ends; a read may be of an end */
  if (vertex != other)
    return (vertex ? c->of_y : c->of_x)->kind == ITEM_OWN || c->x->to != c->y->to;
  return c->x->component != c->y->component;
}

/* Steps of a in p and of b in q at which they are the same; false when there are none.  A word is compared with an
   operand as the element that is read. */
static bool meeting(arena *memory, const comparison *c, const polyhedron *p, const polyhedron *q, polyhedron **both)
{
  int shift;
  bool elements = c->of_x->kind == ITEM_OPERAND || c->of_y->kind == ITEM_OPERAND;
  const linear *x = elements ? c->x->index : c->x->form, *y = elements ? c->y->index : c->y->form;
  linear loop[CDAG_RANK];
  *both = polyhedron_beside(memory, p, q, &shift);
  for (int r = 0; r < (elements ? c->x->indices : c->x->forms); r++) {
    linear moved;
    if (linear_substitute(&y[r], NULL, 0, shift, &moved))
      polyhedron_same(memory, *both, &x[r], &moved);
  }
  for (int r = 0; r < c->b->rank; r++)
    loop[r] = linear_variable(shift + r);
  if (c->several_x)
    polyhedron_meet(memory, *both, c->x->where, c->a->rank);
  if (c->several_y)
    polyhedron_include(memory, *both, c->y->where, loop, c->b->rank);
  bool told = !elements || (in_loops(x, c->x->indices, c->a->rank) && in_loops(y, c->y->indices, c->b->rank));
  return !told || !polyhedron_empty(*both);
}

/* All ways of item i of a and k of b, one after another; false at the end. */
static bool next_comparison(const statement_facts *a, int i, const statement_facts *b, int k, int *at, comparison *c)
{
  const claim_item *x = &a->s->item[i], *y = &b->s->item[k];
  int u = *at / y->ways, v = *at % y->ways;
  if (u >= x->ways)
    return false;
  ++*at;
  *c = (comparison){ a, b, &a->way[i][u], &b->way[k][v], &x->way[u], &y->way[v], x->ways > 1, y->ways > 1,
                      x->column == y->column };
  return true;
}

bool items_apart(const statement_facts *a, int i, const statement_facts *b, int k)
{
  comparison c;
  for (int at = 0; next_comparison(a, i, b, k, &at, &c);)
    for (int p = 0; p < a->steps.n && !unrelated(&c); p++)
      for (int q = 0; q < b->steps.n; q++) {
        SCOPED_ARENA memory = { 0 };
        polyhedron *both;
        bool meet = meeting(&memory, &c, a->steps.item[p], b->steps.item[q], &both);
        if (meet)
          return false;
      }
  return true;
}

/* Only a thin part may go: what the equalities of the projection say. */
static bool add_thin(affine_facts *f, const polyhedron *both, int rank, polyhedra *away)
{
  bool exact;
  polyhedron *z = polyhedron_project(&f->scratch, both, rank, &exact), *thin = polyhedron_new(&f->scratch, rank);
  for (int r = 0; r < z->n; r++)
    if (z->row[r].equal)
      polyhedron_add(&f->scratch, thin, &z->row[r].form, true);
  polyhedra_add(&f->scratch, away, thin);
  return !z->open && thin->n > 0;
}

bool steps_part(affine_facts *f, statement_facts *t, const polyhedra *away)
{
  polyhedra rest = { 0 };
  if (!polyhedra_minus(&f->scratch, &t->steps, away, t->rank, &rest) || rest.n == 0)
    return false;
  t->steps = rest;
  return true;
}

bool steps_part_thin(affine_facts *f, statement_facts *t, const polyhedron *both)
{
  polyhedra away = { 0 };
  return add_thin(f, both, t->rank, &away) && steps_part(f, t, &away);
}

bool items_part(affine_facts *f, statement_facts *a, int i, const statement_facts *b, int k)
{
  comparison c;
  polyhedra away = { 0 };
  for (int at = 0; next_comparison(a, i, b, k, &at, &c);)
    for (int p = 0; p < a->steps.n && !unrelated(&c); p++)
      for (int q = 0; q < b->steps.n; q++) {
        polyhedron *both;
        if (meeting(&f->scratch, &c, a->steps.item[p], b->steps.item[q], &both) && !add_thin(f, both, a->rank, &away))
          return false;
      }
  return steps_part(f, a, &away);
}

/* ---- coordinates ---- */

/* The loops that equalities common to all steps determine, as forms in the others. */
static void determined(const statement_facts *t, int rank, linear *value, bool *gone)
{
  for (int r = 0; r < rank; r++)
    value[r] = linear_variable(r), gone[r] = false;
  const polyhedron *first = t->steps.item[0];
  for (int i = 0; i < first->n; i++) {
    linear f = first->row[i].form, g;
    bool all = first->row[i].equal && in_loops(&f, 1, rank);
    for (int p = 1; p < t->steps.n && all; p++)
      all = polyhedron_implies(t->steps.item[p], &f, true);
    if (!all || !linear_substitute(&f, value, rank, 0, &g))
      continue;
    int r = rank - 1;
    while (r >= 0 && g.coef[r] != 1 && g.coef[r] != -1)
      r--;
    if (r < 0)
      continue;
    int64_t sign = -g.coef[r];
    linear of = { 0 };
    g.coef[r] = 0;
    if (!linear_add(&of, &g, sign))
      continue;
    gone[r] = true;
    for (int q = 0; q < rank; q++) { /* forms so far may name r */
      int64_t c = value[q].coef[r];
      value[q].coef[r] = 0;
      linear_add(&value[q], &of, q == r ? 1 : c);
    }
    value[r] = of;
  }
}

static bool add_coordinate(coordinates *c, int name, int64_t extent)
{
  if (c->n == CLAIM_LOOPS)
    return false;
  c->name[c->n] = name;
  c->extent[c->n++] = extent;
  return true;
}

/* A form whose coordinate p has coefficient 1 and fewer values than what divides the others knows p, and the others'
 * sum. */
static bool refine(coordinates *c, int item)
{
  for (int k = 0; k < c->rows[item]; k++)
    for (int p = 0; p < c->n && c->modulus[item][k] == 0; p++) {
      linear *f = &c->row[item][k];
      int64_t g = 0, one = f->coef[p];
      for (int q = 0; q < c->n; q++)
        if (q != p)
          g = num_gcd(g, f->coef[q] < 0 ? -f->coef[q] : f->coef[q]);
      if ((one != 1 && one != -1) || g < 2 || g < c->extent[p] || c->rows[item] == CLAIM_LOOPS)
        continue;
      f->coef[p] = 0;
      for (int q = 0; q < c->n; q++)
        f->coef[q] /= g;
      c->row[item][c->rows[item]++] = linear_variable(p);
      return true;
    }
  return false;
}

bool coordinates_of(const statement_facts *t, coordinates *c)
{
  int rank = t->rank;
  linear value[CDAG_RANK], place[CDAG_RANK] = { 0 };
  bool gone[CDAG_RANK];
  const claim_statement *s = t->s;
  c->n = 0; /* of the forms, 40 KB, only those that there are are written */
  memset(c->rows, 0, sizeof c->rows);
  memset(c->modulus, 0, sizeof c->modulus);
  determined(t, rank, value, gone);
  for (int r = 0; r < rank; r++) {
    int64_t lo = 0, hi = 0, by = s->split[r];
    if (gone[r])
      continue;
    linear loop = linear_variable(r);
    if (t->steps.n > 0 && (!polyhedra_span(&t->steps, &loop, &lo, &hi) || hi < lo))
      return false;
    place[r].coef[c->n] = by > 1 ? by : 1;
    if (!add_coordinate(c, r, by > 1 ? num_floor_div(hi, by) - num_floor_div(lo, by) + 1 : hi - lo + 1))
      return false;
    if (by > 1) {
      place[r].coef[c->n] = 1;
      if (!add_coordinate(c, CDAG_RANK + r, by))
        return false;
    }
  }
  for (int i = 0; i < s->items; i++) {
    for (int k = 0; k < t->forms[i]; k++) {
      linear f;
      if (!linear_substitute(&t->form[i][k], value, rank, 0, &f) || !linear_substitute(&f, place, rank, 0, &f))
        return false;
      f.base = 0;
      c->row[i][c->rows[i]++] = f;
    }
    for (int k = 0; t->way[i] && k < t->way[i][0].rests && c->rows[i] < CLAIM_LOOPS; k++) {
      linear f;
      if (!linear_substitute(&t->way[i][0].rest[k], value, rank, 0, &f) || !linear_substitute(&f, place, rank, 0, &f))
        return false;
      c->modulus[i][c->rows[i]] = t->way[i][0].modulus[k];
      c->row[i][c->rows[i]++] = f;
    }
    while (refine(c, i))
      ;
  }
  return true;
}

int integer_rank(__int128 *m, int stride, int rows, int n, uint32_t *columns)
{
  int done = 0;
  *columns = 0;
  for (int q = 0; q < n && done < rows; q++) {
    int k = done;
    while (k < rows && m[k * stride + q] == 0)
      k++;
    if (k == rows)
      continue;
    for (int v = 0; v < n; v++) {
      __int128 x = m[k * stride + v];
      m[k * stride + v] = m[done * stride + v];
      m[done * stride + v] = x;
    }
    const __int128 *pivot = &m[done * stride];
    for (int i = done + 1; i < rows; i++) {
      __int128 *row = &m[i * stride], x = row[q];
      for (int v = 0; v < n && x; v++) {
        row[v] = row[v] * pivot[q] - pivot[v] * x;
        if (row[v] > ((__int128)1 << 62) || row[v] < -((__int128)1 << 62))
          return -1;
      }
    }
    *columns |= (uint32_t)1 << q;
    done++;
  }
  return done;
}

/* A form that is known but for multiples of m tells its last coordinate, when that takes at most m values in a row. */
static uint32_t rest_pivot(const coordinates *c, int item, int k, const int *at)
{
  int64_t m = c->modulus[item][k];
  for (int q = 0; q < c->n; q++) {
    int64_t x = c->row[item][k].coef[at[q]] % m;
    if (x != 0)
      return num_gcd(x < 0 ? -x : x, m) == 1 && c->extent[at[q]] <= m ? (uint32_t)1 << at[q] : 0;
  }
  return 0;
}

uint32_t coordinates_pivots(const coordinates *c, int item, const int *place)
{
  __int128 m[CLAIM_LOOPS][CLAIM_LOOPS];
  int rows = 0, n = c->n, at[CLAIM_LOOPS];
  uint32_t columns, pivots = 0;
  for (int p = 0; p < n; p++)
    at[n - 1 - place[p]] = p; /* the last comes first */
  for (int k = 0; k < c->rows[item]; k++) {
    for (int q = 0; q < n; q++)
      m[rows][q] = c->row[item][k].coef[at[q]];
    rows += c->modulus[item][k] == 0;
  }
  integer_rank(&m[0][0], CLAIM_LOOPS, rows, n, &columns); /* entries that grow too large: fewer pivots, which is safe */
  for (int q = 0; q < n; q++)
    if (columns >> q & 1)
      pivots |= (uint32_t)1 << at[q];
  for (int k = 0; k < c->rows[item]; k++)
    if (c->modulus[item][k] > 0)
      pivots |= rest_pivot(c, item, k, at);
  return pivots;
}
