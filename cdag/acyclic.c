/* acyclic.c -- are the rules free of cycles?

   First without looking at elements (Feautrier's lexicographic ranking).  Each array gets a rank: one of its indices,
   up or down, or nothing, or else a sum or difference of two, plus a constant.  If no term ever has a greater rank than
   the element that reads it, terms whose rank is always smaller cannot lie on a cycle: they are put aside, and the rest
   is ranked again, each group of arrays that still read each other by itself.  Terms are put aside, too, if what they
   read reads nothing of the group, as a border.  When no terms are left that let arrays read each other, there is no
   cycle.  A chain is ranked by its index; factorisations, whose arrays read each other, by the step in which an element
   is made.

   When that fails, a small CDAG is searched element by element, so the answer is exact; a large one is refused. */
#include "cdag/domain/points.h"
#include "cdag/polyhedral/normal.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/patience.h"
#include <limits.h>
#include <string.h>

enum { STEPS = PATIENCE(1 << 22), FEW = 1 << 16, SEARCH = PATIENCE(1 << 20), OPTIONS = 2 * CDAG_RANK * CDAG_RANK + 1 };
#define NO_WEIGHT INT64_MAX /* not known to be bounded */
#define NOT_WEIGHED INT64_MIN

typedef struct {
  int reader, read;
  const bound_term *t;
  const access *piece;         /* of the term, when the pieces are ranked one by one */
  bool aside;
  int64_t *weight;             /* of the rank of what is read minus that of the reader; by options of read, reader */
} edge;

typedef struct {
  const cdag *g;
  int edges;
  edge *edge;
  int *first;                  /* array: its first edge; edges are sorted by reader */
  int *group;                  /* array: its strongly connected group, or -1 */
  int *option;                 /* array: 0 nothing; 2r+1: index r; 2r+2: minus index r; then those with two of them */
  bool twos;
  int64_t *offset;
  int64_t steps;               /* left */
  int *number, *low, *stack;   /* of Tarjan's algorithm */
  int numbered, stacked;
} ranking;

/* ---- weights ---- */

static bool next_point(const cdag_box *box, uint32_t vars, int rank, int64_t *x)
{
  for (int r = 0; r < rank; r++)
    if (vars >> r & 1) {
      if (++x[r] < box->hi[r])
        return true;
      x[r] = box->lo[r];
    }
  return false;
}

static bool few_points(const cdag_box *box, uint32_t vars, int rank)
{
  int64_t many = 1;
  for (int r = 0; r < rank; r++)
    if (vars >> r & 1 && (!num_mul(many, box->hi[r] - box->lo[r], &many) || many > FEW))
      return false;
  return true;
}

/* The greatest value of sign * f + sum coef v over the hull of the variables, point by point. */
static int64_t greatest_by_points(const cdag *g, const nest *n, const form *f, int sign, const int64_t *coef,
                                  uint32_t vars)
{
  int64_t x[CDAG_RANK], most = -FORM_LIMIT, value;
  memcpy(x, n->hull.lo, sizeof x);
  do {
    if (!form_at(f, x, n->rank, g->table, &value))
      continue;
    value *= sign;
    for (int r = 0; r < n->rank; r++)
      value += coef[r] * x[r];
    most = num_max(most, value);
  } while (next_point(&n->hull, vars, n->rank, x));
  return most;
}

/* The greatest value of sign * f + sum coef v over the nest, or an upper bound: what is not affine is tried point by
   point when those are few, else taken at its greatest. */
static int64_t greatest(const cdag *g, const nest *n, const form *f, int sign, const int64_t *coef)
{
  int64_t negative[CDAG_RANK], rest = 0;
  uint32_t vars = form_vars(f);
  for (int r = 0; r < CDAG_RANK; r++) {
    negative[r] = -sign * f->coef[r] - coef[r];
    vars |= coef[r] != 0 ? 1u << r : 0;
  }
  if (f->rest && few_points(&n->hull, vars, n->rank))
    return greatest_by_points(g, n, f, sign, coef, vars);
  if (f->rest)
    rest = sign > 0 ? f->rest_most : -f->rest_least;
  __int128 most = rest - nest_least(n, -sign * f->base, negative);
  return most < FORM_LIMIT && most > -FORM_LIMIT ? (int64_t)most : NO_WEIGHT;
}

/* rank of the element read, by option, minus rank of its reader, by option: at most this */
static int64_t weigh(const cdag *g, const edge *e, int read_option, int reader_option)
{
  const nest *n = &g->priv->dom[e->reader], *target = &g->priv->dom[e->read];
  int64_t coef[CDAG_RANK] = { 0 }, by_hull;
  form constant;
  if (reader_option)
    coef[(reader_option - 1) / 2] = reader_option % 2 ? -1 : 1;
  form_constant(&constant, 0);
  if (read_option == 0)
    return greatest(g, n, &constant, 1, coef);
  int s = (read_option - 1) / 2, sign = read_option % 2 ? 1 : -1;
  const bound_index *x = &e->t->index[s];
  form_constant(&constant, sign > 0 ? target->hull.hi[s] - 1 : target->hull.lo[s]);
  by_hull = greatest(g, n, &constant, sign, coef);
  if (x->kind == CDAG_ALL)
    return by_hull;
  bool upper = x->kind == CDAG_RANGE && sign > 0;
  int64_t w = greatest(g, n, upper ? &x->hi : &x->lo, sign, coef);
  return num_min(by_hull, w == NO_WEIGHT ? w : w - upper);
}

/* Of two indices each sum and difference, up and down. */
static int options_of(const ranking *k, int array)
{
  int rank = k->g->array[array].rank;
  return 2 * rank + 1 + (k->twos ? 2 * rank * (rank - 1) : 0);
}

static linear rank_form(int option, int rank, const linear *index)
{
  linear f = { 0 };
  int two = option - 2 * rank - 1;
  if (two >= 0) {
    int r = two / 2 / (rank - 1), s = two / 2 % (rank - 1);
    s += s >= r; /* of r < s the sum and the difference, of r > s minus these */
    linear_add(&f, &index[r < s ? r : s], r < s ? 1 : -1);
    linear_add(&f, &index[r < s ? s : r], (r < s) == (two % 2 > 0) ? 1 : -1);
  } else if (option)
    linear_add(&f, &index[(option - 1) / 2], option % 2 ? 1 : -1);
  return f;
}

/* The same on a polyhedron. */
static int64_t weigh_piece(const cdag *g, const access *a, int read_option, int reader_option)
{
  int64_t most;
  linear loop[CDAG_RANK], change = rank_form(read_option, g->array[a->to].rank, a->index);
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = linear_variable(r);
  linear from = rank_form(reader_option, g->array[a->from].rank, loop);
  return linear_add(&change, &from, -1) && polyhedron_most(a->where, &change, &most) ? most : NO_WEIGHT;
}

static int64_t weight_of(ranking *k, edge *e)
{
  int reader_options = options_of(k, e->reader), options = reader_options * options_of(k, e->read);
  if (!e->weight) {
    e->weight = MEM_NEW(int64_t, (size_t)options);
    for (int i = 0; i < options; i++)
      e->weight[i] = NOT_WEIGHED;
  }
  int64_t *w = &e->weight[k->option[e->read] * reader_options + k->option[e->reader]];
  if (*w == NOT_WEIGHED)
    *w = e->piece ? weigh_piece(k->g, e->piece, k->option[e->read], k->option[e->reader])
                  : weigh(k->g, e, k->option[e->read], k->option[e->reader]);
  return *w;
}

/* ---- groups of arrays that read each other: strongly connected components (Tarjan 1972) ---- */

static bool inside(const ranking *k, const edge *e, int group)
{
  return !e->aside && k->group[e->reader] == group && k->group[e->read] == group;
}

static void close_group(ranking *k, int root)
{
  int i;
  do {
    i = k->stack[--k->stacked];
    k->group[i] = root;
    k->low[i] = INT_MAX; /* no longer open */
  } while (i != root);
}

/* Depth: at most the number of arrays, which the parser caps.  Edges are sorted by reader. */
static void visit_array(ranking *k, int i)
{
  k->number[i] = k->low[i] = ++k->numbered;
  k->stack[k->stacked++] = i;
  for (int n = k->first[i]; n < k->first[i + 1]; n++) {
    const edge *e = &k->edge[n];
    if (e->aside)
      continue;
    if (!k->number[e->read])
      visit_array(k, e->read);
    if (k->low[e->read] < k->low[i])
      k->low[i] = k->low[e->read];
  }
  if (k->low[i] == k->number[i])
    close_group(k, i);
}

/* A group without terms inside is none: -1. */
static void find_groups(ranking *k)
{
  int n = k->g->arrays;
  SCOPED_MEM bool *cyclic = MEM_NEW(bool, (size_t)n);
  memset(k->number, 0, (size_t)n * sizeof *k->number);
  k->numbered = k->stacked = 0;
  for (int i = 0; i < n; i++)
    if (!k->number[i])
      visit_array(k, i);
  for (int e = 0; e < k->edges; e++)
    if (!k->edge[e].aside && k->group[k->edge[e].reader] == k->group[k->edge[e].read])
      cyclic[k->group[k->edge[e].reader]] = true;
  for (int i = 0; i < n; i++)
    if (!cyclic[k->group[i]])
      k->group[i] = -1;
}

/* ---- one ranking of a group ---- */

/* Offsets such that no term ranks above its reader: longest paths, or a cycle of positive weight and none. */
static bool find_offsets(ranking *k, int group)
{
  bool changed = true;
  for (int i = 0; i < k->g->arrays; i++)
    k->offset[i] = 0;
  for (int round = 0; changed && round <= k->g->arrays && k->steps > 0; round++) {
    changed = false;
    k->steps -= k->edges;
    for (int i = 0; i < k->edges; i++) {
      edge *e = &k->edge[i];
      if (!inside(k, e, group))
        continue;
      int64_t w = weight_of(k, e), wanted;
      if (w == NO_WEIGHT || !num_add(k->offset[e->read], w, &wanted) || wanted > FORM_LIMIT)
        return false;
      if (k->offset[e->reader] < wanted) {
        k->offset[e->reader] = wanted;
        changed = true;
      }
    }
  }
  return !changed;
}

static bool put_aside(ranking *k, int group)
{
  bool some = false;
  for (int i = 0; i < k->edges; i++) {
    edge *e = &k->edge[i];
    if (inside(k, e, group) && k->offset[e->read] + weight_of(k, e) < k->offset[e->reader]) {
      some = true;
      e->aside = true;
    }
  }
  return some;
}

/* The next choice of options for the arrays of the group; false after the last. */
static bool next_choice(ranking *k, int group)
{
  for (int i = 0; i < k->g->arrays; i++) {
    if (k->group[i] != group)
      continue;
    if (++k->option[i] < options_of(k, i))
      return true;
    k->option[i] = 0;
  }
  return false;
}

static bool rank_group(ranking *k, int group)
{
  for (int i = 0; i < k->g->arrays; i++)
    k->option[i] = 0;
  while (k->steps > 0) {
    if (find_offsets(k, group) && put_aside(k, group))
      return true;
    if (!next_choice(k, group))
      return false;
  }
  return false;
}

/* Long chains of arrays that read each other have too many choices: try the same index for all of them as well. */
static bool rank_group_alike(ranking *k, int group)
{
  for (int option = 0; option < OPTIONS; option++) {
    for (int i = 0; i < k->g->arrays; i++)
      k->option[i] = option < options_of(k, i) ? option : 0;
    if (find_offsets(k, group) && put_aside(k, group))
      return true;
  }
  return false;
}

/* Does what an access reads read on within the group? */
static bool reads_on(const ranking *k, const edge *e, int group)
{
  for (int n = k->first[e->read]; n < k->first[e->read + 1]; n++) {
    SCOPED_ARENA a = { 0 };
    if (!inside(k, &k->edge[n], group))
      continue;
    polyhedron *p = polyhedron_copy(&a, e->piece->where);
    polyhedron_include(&a, p, k->edge[n].piece->where, e->piece->index, k->g->array[e->read].rank);
    if (p->open || !polyhedron_empty(p))
      return true;
  }
  return false;
}

/* Accesses to elements that are read within the group and do not read there, as those of a border: they lie on no
   cycle. */
static bool put_ends_aside(ranking *k, int group)
{
  bool some = false;
  for (int i = 0; i < k->edges; i++) {
    edge *e = &k->edge[i];
    if (e->piece && inside(k, e, group) && !reads_on(k, e, group)) {
      some = true;
      e->aside = true;
    }
  }
  return some;
}

static bool rank_all(ranking *k)
{
  for (;;) {
    int group = -1;
    find_groups(k);
    for (int i = 0; i < k->g->arrays && group < 0; i++)
      group = k->group[i];
    if (group < 0)
      return true;
    if (!rank_group_alike(k, group) && !put_ends_aside(k, group) && !rank_group(k, group))
      return false;
  }
}

static void list_edges(ranking *k)
{
  const cdag *g = k->g;
  int n = 0;
  for (int i = 0; i < g->arrays; i++)
    k->edges += g->array[i].terms;
  k->edge = MEM_NEW(edge, (size_t)k->edges);
  for (int i = 0; i < g->arrays; i++) {
    k->first[i] = n;
    for (int t = 0; t < g->array[i].terms; t++)
      if (!g->array[i].term[t].never)
        k->edge[n++] = (edge){ .reader = i, .t = cdag_bound_term(g, i, t), .read = g->array[i].term[t].array };
  }
  k->first[g->arrays] = k->edges = n;
}

/* Accesses come in the order of their readers. */
static void list_pieces(ranking *k, const normal_form *relation)
{
  k->edge = MEM_NEW(edge, (size_t)relation->accesses + 1);
  for (int i = 0, n = 0; i < k->g->arrays; i++) {
    k->first[i] = n;
    for (; n < relation->accesses && relation->access[n]->from == i; n++)
      k->edge[n] = (edge){ .reader = i, .read = relation->access[n]->to, .piece = relation->access[n] };
  }
  k->first[k->g->arrays] = k->edges = relation->accesses;
}

static bool is_ranked(const cdag *g, const normal_form *relation, bool twos)
{
  size_t n = (size_t)g->arrays;
  int *work = MEM_NEW(int, 6 * n + 1);
  ranking k = { .g = g, .twos = twos, .steps = STEPS, .group = work, .option = work + n, .number = work + 2 * n,
                .low = work + 3 * n, .stack = work + 4 * n, .first = work + 5 * n, .offset = MEM_NEW(int64_t, n) };
  if (relation)
    list_pieces(&k, relation);
  else
    list_edges(&k);
  bool ranked = rank_all(&k);
  for (int e = 0; e < k.edges; e++)
    mem_free(k.edge[e].weight);
  mem_free(k.edge);
  mem_free(work);
  mem_free(k.offset);
  return ranked;
}

static bool is_ranked_by_pieces(const cdag *g)
{
  normal_form f;
  normal_form_relation(&f, g);
  bool ranked = true;
  for (int i = 0; i < g->arrays && ranked; i++)
    ranked = f.array[i].whole;
  ranked = ranked && (is_ranked(g, &f, false) || is_ranked(g, &f, true));
  normal_form_clear(&f);
  return ranked;
}

/* ---- element by element ---- */

typedef struct {
  const cdag *g;
  uint32_t *open;              /* predecessors not yet done */
  uint32_t *ready;
  uint32_t readies;
  uint32_t here, stuck;
} search;

static bool count_open(void *context, const cdag_element *e, int term)
{
  search *s = context;
  (void)e, (void)term;
  s->open[s->here]++;
  return true;
}

static bool close_one(void *context, const cdag_element *e, int term)
{
  search *s = context;
  (void)term;
  uint32_t v = (uint32_t)cdag_id(s->g, e->array, e->x);
  if (--s->open[v] == 0)
    s->ready[s->readies++] = v;
  return true;
}

static bool find_stuck(void *context, const cdag_element *e, int term)
{
  search *s = context;
  (void)term;
  s->stuck = (uint32_t)cdag_id(s->g, e->array, e->x);
  return s->open[s->stuck] == 0;
}

/* A vertex that waits for ever has a predecessor that does: back along those, into a cycle. */
static status report_cycle(search *s, diag *d)
{
  cdag_element e;
  SCOPED_TEXT names = { 0 };
  uint32_t n = (uint32_t)s->g->vertices;
  for (s->stuck = 0; s->open[s->stuck] == 0;)
    s->stuck++;
  for (uint32_t i = 0; i < n; i++) {
    cdag_at(s->g, s->stuck, &e);
    cdag_each_predecessor(s->g, e.array, e.x, find_stuck, s);
  }
  uint32_t first = s->stuck;
  const cdag_array *a = NULL;
  for (int shown = 0; shown < 5 && (shown == 0 || s->stuck != first); shown++) {
    cdag_at(s->g, s->stuck, &e);
    a = a ? a : &s->g->array[e.array];
    cdag_element_print(&names, s->g, &e);
    text_add(&names, " needs ");
    cdag_each_predecessor(s->g, e.array, e.x, find_stuck, s);
  }
  cdag_at(s->g, s->stuck, &e);
  cdag_element_print(&names, s->g, &e);
  return diag_at(d, BAD_INPUT, "cdag", s->g->priv->file, a->line, a->column, "there is a cycle: %s%s", names.s,
                 s->stuck == first ? "" : " ...");
}

static status search_elements(const cdag *g, diag *d)
{
  search s = { .g = g, .open = MEM_NEW(uint32_t, g->vertices), .ready = MEM_NEW(uint32_t, g->vertices) };
  cdag_element e;
  for (; s.here < g->vertices; s.here++) {
    cdag_at(g, s.here, &e);
    cdag_each_predecessor(g, e.array, e.x, count_open, &s);
    if (s.open[s.here] == 0)
      s.ready[s.readies++] = s.here;
  }
  for (uint32_t i = 0; i < s.readies; i++) {
    cdag_at(g, s.ready[i], &e);
    cdag_each_successor(g, e.array, e.x, close_one, &s);
  }
  status st = s.readies < g->vertices ? report_cycle(&s, d) : OK;
  mem_free(s.open);
  mem_free(s.ready);
  return st;
}

status cdag_check_acyclic(const cdag *g, diag *d)
{
  if (is_ranked(g, NULL, false) || is_ranked_by_pieces(g))
    return OK;
  if (g->vertices <= SEARCH)
    return search_elements(g, d);
  return diag_at(d, GAVE_UP, "limit", g->priv->file, 0, 0,
                 "%s has rules that read each other in a way that is not seen to be free of cycles, and too many "
                 "elements to look at each",
                 g->name);
}
