#include "cdag/respell.h"
#include "base/mem.h"
#include "cdag/cdag_internal.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const cdag *g;
  int *node;                   /* of (array, index), with those that are reversed with it: the least of them */
  bool *against;               /* and whether it goes the other way */
  cdag_relabel *index;
  cdag_trims trims;
} speller;

static int at(int array, int r) { return array * CDAG_RANK + r; }

/* ---- expressions ---- */

static expr *plus(const expr *e, int64_t by)
{
  int64_t last = e->nargs == 2 && e->arg[1]->op == EXPR_CONST ? e->arg[1]->value : 0;
  if (by == 0)
    return expr_copy(e);
  if (e->op == EXPR_CONST)
    return expr_const(e->value + by);
  if (e->op == EXPR_ADD && last)
    return plus(e->arg[0], by + last);
  if (e->op == EXPR_SUB && last)
    return plus(e->arg[0], by - last);
  if (e->op == EXPR_SUB && e->arg[0]->op == EXPR_CONST && e->arg[0]->value + by != 0)
    return expr_binary(EXPR_SUB, expr_const(e->arg[0]->value + by), expr_copy(e->arg[1]));
  return expr_binary(by > 0 ? EXPR_ADD : EXPR_SUB, expr_copy(e), expr_const(llabs(by)));
}

/* sum - e */
static expr *minus(int64_t sum, const expr *e)
{
  int64_t last = e->nargs == 2 && e->arg[1]->op == EXPR_CONST ? e->arg[1]->value : 0;
  if (e->op == EXPR_CONST)
    return expr_const(sum - e->value);
  if (e->op == EXPR_ADD && last)
    return minus(sum - last, e->arg[0]);
  if (e->op == EXPR_SUB && last)
    return minus(sum + last, e->arg[0]);
  if (e->op == EXPR_SUB && e->arg[0]->op == EXPR_CONST)
    return plus(e->arg[1], sum - e->arg[0]->value);
  return expr_binary(EXPR_SUB, expr_const(sum), expr_copy(e));
}

/* The same for each of those whose greatest or least it is. */
static expr *moved(const expr *e, bool turned, int64_t by)
{
  if (!expr_is_extreme(e) || expr_is_truth(e))
    return turned ? minus(by, e) : plus(e, by);
  expr *own = expr_copy(e);
  if (turned)
    own->op = e->op == EXPR_MIN ? EXPR_MAX : EXPR_MIN;
  for (int i = 0; i < e->nargs; i++) {
    expr_free(own->arg[i]);
    own->arg[i] = moved(e->arg[i], turned, by);
  }
  return own;
}

expr *cdag_trim_end(const cdag_trim *t, const expr *const *value)
{
  expr *sum = expr_const(t->base);
  for (int v = 0; v < t->index; v++) {
    int64_t c = t->coef[v];
    if (c == 0)
      continue;
    expr *part = expr_copy(value[v]);
    if (llabs(c) != 1)
      part = expr_binary(EXPR_MUL, expr_const(llabs(c)), part);
    if (c > 0 && sum->op == EXPR_CONST) {
      expr *first = plus(part, sum->value);
      expr_free(sum);
      expr_free(part);
      sum = first;
    } else
      sum = expr_binary(c > 0 ? EXPR_ADD : EXPR_SUB, sum, part);
  }
  return sum;
}

expr *cdag_respelled_value(const cdag_relabel *m, const expr *e, int64_t end)
{
  return moved(e, m->turned, m->turned ? m->by + end : m->by);
}

/* The other way round: x' of x = e. */
static expr *respelled(const cdag_relabel *m, const expr *e, int64_t end)
{
  return moved(e, m->turned, m->turned ? m->by + end : -m->by);
}

/* e, with the numbers in a sum as one; e is taken. */
static expr *folded(expr *e)
{
  expr *own = NULL;
  int number = e->nargs == 2 && e->arg[1]->op == EXPR_CONST ? 1 : 0;
  if ((e->op != EXPR_ADD && e->op != EXPR_SUB) || e->nargs != 2 || e->arg[number]->op != EXPR_CONST)
    return e;
  int64_t by = e->arg[number]->value;
  const expr *other = e->arg[1 - number];
  own = e->op == EXPR_ADD ? plus(other, by) : number ? plus(other, -by) : minus(by, other);
  expr_free(e);
  return own;
}

/* Variable v of a rule, of which there are n from that slot on, as it is called now. */
static expr *renamed(const expr *e, int slot, int n, const cdag_relabel *m, const char (*var)[CDAG_NAME])
{
  int v = e->slot - slot;
  expr *own;
  if (e->op == EXPR_SLOT && v >= 0 && v < n && m[v].beside)
    return expr_binary(EXPR_SUB, expr_copy(e), expr_slot(slot + m[v].beside - 1, var[m[v].beside - 1]));
  if (e->op == EXPR_SLOT && v >= 0 && v < n && (m[v].turned || m[v].by))
    return moved(e, m[v].turned, m[v].by);
  own = expr_copy(e);
  for (int i = 0; i < e->nargs; i++) {
    expr_free(own->arg[i]);
    own->arg[i] = renamed(e->arg[i], slot, n, m, var);
  }
  return folded(own);
}

/* ---- which indices go together, and which way ---- */

static int root_of(const speller *s, int n, bool *against)
{
  for (*against = false; s->node[n] != n; n = s->node[n])
    *against ^= s->against[n];
  return n;
}

static void go_together(speller *s, int a, int b, bool against)
{
  bool x, y;
  int p = root_of(s, a, &x), q = root_of(s, b, &y);
  if (p == q) /* where two reads differ the first one has said it */
    return;
  s->node[p > q ? p : q] = p < q ? p : q;
  s->against[p > q ? p : q] = x ^ y ^ against;
}

typedef void each_passed(speller *s, int array, const cdag_term *t, int q, const cdag_passed *p);

static void each_read(speller *s, int kind, each_passed *visit)
{
  for (int a = 0; a < s->g->arrays; a++)
    for (int t = 0; t < s->g->array[a].terms; t++) {
      const cdag_term *term = &s->g->array[a].term[t];
      int of = term->array == a ? 0 : s->g->array[term->array].terms > 0 ? 1 : 2;
      for (int q = 0; q < s->g->array[term->array].rank && of == kind; q++) {
        cdag_passed p;
        if (cdag_passes(s->g, a, term, q, &p))
          visit(s, a, term, q, &p);
      }
    }
}

static int64_t extent(const speller *s, int array, int r)
{
  return s->g->array[array].hull.hi[r] - s->g->array[array].hull.lo[r];
}

/* Does the array read itself one step away along that index, and nowhere else? */
static bool is_chain(const speller *s, int array, int r)
{
  const cdag_array *a = &s->g->array[array];
  for (int t = 0; t < a->terms; t++) {
    bool chain = a->term[t].array == array;
    for (int q = 0; q < a->rank && chain; q++) {
      cdag_index x = cdag_plain_index(s->g, array, &a->term[t], q);
      chain = x.kind == CDAG_AT && x.var == q && (q == r ? x.base == 1 || x.base == -1 : x.base == 0);
    }
    if (chain)
      return true;
  }
  return false;
}

/* The end of a sum, `W[i,n-2-i]`, says nothing of which way it counts. */
static void join_read(speller *s, int array, const cdag_term *t, int q, const cdag_passed *p)
{
  if (extent(s, array, p->v) > 1 && extent(s, t->array, q) > 1 &&
      !(p->sign < 0 && t->array != array && is_chain(s, t->array, q)))
    go_together(s, at(array, p->v), at(t->array, q), p->sign < 0);
}

/* What a read of the same array says: its first index that is another one. */
static int64_t vote(const cdag *g, int array, const cdag_term *t, int *r)
{
  for (*r = 0; *r < g->array[array].rank; ++*r) {
    cdag_passed p;
    if (!cdag_passes(g, array, t, *r, &p) || p.v != *r || p.sign < 0)
      return 0;
    if (p.base)
      return p.base > 0 ? 1 : -1;
  }
  return 0;
}

/* An index with one value goes the way of those that read it, where they agree. */
static void note_way(speller *s, int array, const cdag_term *t, int q, const cdag_passed *p)
{
  if (extent(s, t->array, q) == 1)
    s->against[at(t->array, q)] = s->index[at(array, p->v)].turned != (p->sign < 0);
}

static void object(speller *s, int array, const cdag_term *t, int q, const cdag_passed *p)
{
  if (extent(s, t->array, q) == 1 && s->index[at(array, p->v)].turned == (p->sign < 0))
    s->against[at(t->array, q)] = false;
}

static void turn_single(speller *s)
{
  memset(s->against, 0, (size_t)s->g->arrays * CDAG_RANK * sizeof *s->against);
  for (int pass = 0; pass < 2; pass++)
    for (int kind = 0; kind < 3; kind++)
      each_read(s, kind, pass ? object : note_way);
  for (int a = 0; a < s->g->arrays; a++)
    for (int r = 0; r < s->g->array[a].rank; r++)
      if (s->against[at(a, r)])
        s->index[at(a, r)] = (cdag_relabel){ .turned = true, .by = 2 * s->g->array[a].hull.lo[r] };
}

/* Indices whose sums go down, and all that are read with them, count from the other end. */
static void reverse(speller *s)
{
  int nodes = s->g->arrays * CDAG_RANK;
  int64_t *votes = MEM_NEW(int64_t, (size_t)nodes + 1), *way = MEM_NEW(int64_t, (size_t)nodes + 1);
  for (int kind = 0; kind < 3; kind++)
    each_read(s, kind, join_read);
  for (int a = 0; a < s->g->arrays; a++) {
    const cdag_array *x = &s->g->array[a];
    for (int t = 0; t < x->terms; t++) {
      int r;
      bool against;
      int64_t for_reversing = x->term[t].array == a ? vote(s->g, a, &x->term[t], &r) : 0;
      if (for_reversing)
        votes[root_of(s, at(a, r), &against)] += against ? -for_reversing : for_reversing;
    }
    for (int r = 0; r < x->rank && x->terms && extent(s, a, r) > 1; r++) {
      bool against;
      way[root_of(s, at(a, r), &against)] += against ? 1 : -1;
    }
  }
  for (int a = 0; a < s->g->arrays; a++)
    for (int r = 0; r < s->g->array[a].rank; r++) {
      const cdag_box *h = &s->g->array[a].hull;
      bool against;
      int root = root_of(s, at(a, r), &against);
      bool up = votes[root] > 0 || (votes[root] == 0 && way[root] > 0);
      if (against != up && extent(s, a, r) > 1)
        s->index[at(a, r)] = (cdag_relabel){ .turned = true, .by = h->lo[r] + h->hi[r] - 1 };
    }
  mem_free(votes);
  mem_free(way);
}

/* ---- where they begin ---- */

/* The number that stands beside the variable where the term reads that index, as both are called now: index q of what
   is read is variable v and so much. */
static bool number_beside(const speller *s, int array, const cdag_term *t, int q, const cdag_passed *p, int64_t *beside)
{
  const cdag_relabel *x = &s->index[at(array, p->v)], *y = &s->index[at(t->array, q)];
  int64_t base = p->base + p->sign * x->by;
  *beside = y->turned ? y->by - base : base - y->by;
  return (p->sign < 0) == (x->turned != y->turned);
}

/* What an array reads of others at indices that are one of its variables, and a number: the numbers, of inputs or not,
   and which of its other variables stand beside. */
enum { READS_MOST = 64 };
typedef struct {
  int n;
  struct { int64_t beside; bool input; uint32_t others; } of[READS_MOST];
} beginnings;

static void note_beginnings(const speller *s, int array, int r, beginnings *b)
{
  const cdag_array *a = &s->g->array[array];
  for (int t = 0; t < a->terms; t++)
    for (int q = 0; q < s->g->array[a->term[t].array].rank && a->term[t].array != array && b->n < READS_MOST; q++) {
      const cdag_term *term = &a->term[t];
      cdag_passed p, o;
      int64_t beside;
      if (!cdag_passes(s->g, array, term, q, &p) || p.v != r || !number_beside(s, array, term, q, &p, &beside))
        continue;
      b->of[b->n].beside = beside;
      b->of[b->n].input = s->g->array[term->array].terms == 0;
      b->of[b->n].others = 0;
      for (int k = 0; k < s->g->array[term->array].rank; k++)
        if (cdag_passes(s->g, array, term, k, &o) && o.v != r)
          b->of[b->n].others |= 1u << o.v;
      b->n++;
    }
}

/* How many are read there: at least two, an input among them, or rows that are multiplied, which stand beside different
   variables. */
static int worth(const beginnings *b, int64_t beside)
{
  int n = 0;
  bool counts = false;
  for (int i = 0; i < b->n; i++)
    for (int k = i; k < b->n && b->of[i].beside == beside; k++) {
      uint32_t x = b->of[i].others, y = b->of[k].others;
      n += k == i;
      counts = counts || b->of[i].input || (b->of[k].beside == beside && x && y && x != y);
    }
  return counts && n > 1 ? n : 0;
}

/* Is an element read by one of all the same indices? */
static bool is_passed_on(const speller *s, int array, int r)
{
  for (int a = 0; a < s->g->arrays; a++)
    for (int t = 0; t < s->g->array[a].terms; t++) {
      const cdag_term *term = &s->g->array[a].term[t];
      bool same = term->array == array && a != array && term->boxy;
      int64_t beside = 1;
      for (int q = 0; q < s->g->array[array].rank && same; q++) {
        cdag_passed p;
        same = cdag_passes(s->g, a, term, q, &p);
        if (same && q == r && !number_beside(s, a, term, q, &p, &beside))
          beside = 1;
      }
      if (same && beside == 0)
        return true;
    }
  return false;
}

/* Where nothing is read at the index itself, so that most is. */
static void shift(speller *s)
{
  for (int a = 0; a < s->g->arrays; a++)
    for (int r = 0; r < s->g->array[a].rank && s->g->array[a].terms; r++) {
      beginnings b = { 0 };
      int64_t by = 0;
      bool aligned = is_passed_on(s, a, r);
      note_beginnings(s, a, r, &b);
      for (int i = 0; i < b.n; i++)
        aligned = aligned || b.of[i].beside == 0;
      for (int i = 0; i < b.n && !aligned; i++)
        if (worth(&b, b.of[i].beside) > worth(&b, by))
          by = b.of[i].beside;
      cdag_relabel *x = &s->index[at(a, r)];
      x->by += x->turned ? by : -by; /* x' becomes x' + by */
    }
}

/* ---- distances ---- */

/* Is index r of the array, where it is read or put out, beside one value of index v? */
static bool is_told_beside(const speller *s, int array, int r, int v)
{
  for (int a = 0; a < s->g->arrays; a++)
    for (int t = 0; t < s->g->array[a].terms; t++) {
      const cdag_term *term = &s->g->array[a].term[t];
      if (term->array == array && term->index[r].kind != CDAG_ALL && term->index[v].kind != CDAG_AT)
        return false;
    }
  for (int i = 0; i < s->g->selections; i++)
    if (s->g->selection[i].array == array && s->g->selection[i].index[r].kind != CDAG_ALL)
      return false;
  return true;
}

/* The variable that stands beside r wherever something else is read, or -1. */
static int stands_beside(const speller *s, int array, int r)
{
  const cdag_array *a = &s->g->array[array];
  int found = -1;
  for (int t = 0; t < a->terms; t++)
    for (int q = 0; q < s->g->array[a->term[t].array].rank && a->term[t].array != array; q++) {
      cdag_index x = cdag_plain_index(s->g, array, &a->term[t], q);
      int others = 0, v = -1;
      for (int k = 0; k < a->rank; k++)
        if (k != r && x.coef[k]) {
          others++;
          v = x.coef[k] == 1 ? k : -1;
        }
      if (x.kind == CDAG_AT && x.affine && !x.coef[r])
        continue;
      if (x.kind != CDAG_AT || !x.affine || x.coef[r] != 1 || others != 1 || v < 0 || (found >= 0 && v != found))
        return -1;
      found = v;
    }
  return found;
}

/* A sum that goes by distances from another index goes by the indices they lead to. */
static void lengthen(speller *s)
{
  for (int a = 0; a < s->g->arrays; a++)
    for (int r = 0; r < s->g->array[a].rank && s->g->array[a].terms; r++) {
      cdag_relabel *x = &s->index[at(a, r)];
      int v = !x->turned && !x->by && is_chain(s, a, r) ? stands_beside(s, a, r) : -1;
      const cdag_relabel *y = &s->index[at(a, v < 0 ? r : v)];
      if (v >= 0 && v < r && !y->turned && !y->by && !y->beside && s->g->priv->piece[a].n == 0 &&
          is_told_beside(s, a, r, v))
        x->beside = v + 1;
    }
}

/* ---- the view ---- */

static int rules_of(const cdag_view *v, int array)
{
  const speller *s = v->own;
  int n = s->g->priv->piece[array].n;
  return n ? n : 1;
}

static const rule_piece *rule_of(const speller *s, int array, int rule)
{
  return s->g->priv->piece[array].n ? &s->g->priv->piece[array].of[rule] : NULL;
}

static void name_rule(const cdag_view *v, int array, int rule, text *out)
{
  const speller *s = v->own;
  text_add(out, s->g->array[array].name);
  if (rules_of(v, array) > 1)
    text_printf(out, "__%d", rule);
}

/* The variables of a selection are what the indices are where they first stand. */
static void labels_of(const speller *s, const cdag_selection *x, cdag_relabel *label)
{
  int next = 0;
  for (int r = 0; r < s->g->array[x->array].rank && next < x->vars; r++)
    if (x->index[r].kind == CDAG_AT && expr_is_slot(x->index[r].lo, s->g->params + next))
      label[next++] = s->index[at(x->array, r)];
}

/* Index v of what stands there, as the names given have it. */
static expr *value_beside(const speller *s, const cdag_spot *where, int v)
{
  if (where->term)
    return expr_copy(cdag_plain_index(s->g, where->reader, where->term, v).lo);
  return expr_slot(s->g->params + v, s->g->array[where->array].var[v]);
}

/* What the trim says of its index, as the names given have it. */
static expr *end_of(const speller *s, const cdag_trim *t)
{
  const expr *value[CDAG_RANK] = { NULL };
  expr *slot[CDAG_RANK];
  for (int v = 0; v < t->index; v++)
    value[v] = slot[v] = expr_slot(s->g->params + v, s->g->array[t->array].var[v]);
  expr *end = cdag_trim_end(t, value);
  for (int v = 0; v < t->index; v++)
    expr_free(slot[v]);
  return end;
}

static void trim(const speller *s, const cdag_spot *where, expr **lo, expr **hi)
{
  for (size_t i = 0; i < s->trims.n; i++) {
    const cdag_trim *t = &s->trims.of[i];
    expr **own = t->hi ? hi : lo;
    if (t->array == where->array && t->index == where->index)
      *own = expr_binary(t->hi ? EXPR_MIN : EXPR_MAX, *own, end_of(s, t));
  }
}

static void say(const cdag_view *v, const cdag_spot *where, expr **lo, expr **hi)
{
  const speller *s = v->own;
  const cdag_selection *x = where->selection;
  cdag_relabel none = { 0 }, *label = &s->index[at(x ? 0 : where->reader, 0)], own[CDAG_RANK] = { { 0 } };
  const cdag_relabel *m = where->array < 0 ? &none : &s->index[at(where->array, where->index)];
  int n = x ? x->vars : s->g->array[where->reader].rank;
  if (x)
    labels_of(s, x, label = own);
  expr **end[] = { lo, hi };
  if (where->head)
    trim(s, where, lo, hi);
  bool range = *hi != NULL;
  for (int k = 0; k < 1 + range; k++) {
    expr *old = m->beside ? expr_binary(EXPR_ADD, *end[k], value_beside(s, where, m->beside - 1)) : *end[k],
         *here = renamed(old, s->g->params, n, label, x ? x->var : s->g->array[where->reader].var);
    *end[k] = respelled(m, here, range);
    expr_free(old);
    expr_free(here);
  }
  if (range && m->turned) {
    expr *first = *lo;
    *lo = *hi;
    *hi = first;
  }
}

/* ---- all of it ---- */

static bool is_new(const cdag_view *v)
{
  const speller *s = v->own;
  bool any = s->trims.n > 0;
  for (int a = 0; a < s->g->arrays; a++) {
    any = any || rules_of(v, a) > 1;
    for (int r = 0; r < s->g->array[a].rank; r++)
      any = any || s->index[at(a, r)].turned || s->index[at(a, r)].by || s->index[at(a, r)].beside;
  }
  return any;
}

/* Are they numbers? */
static bool is_range(const speller *s, const rule_piece *p, int r, int64_t *lo, int64_t *hi)
{
  expr_env env = { s->g->param_value, s->g->table };
  return !expr_uses(p->lo[r], s->g->params, INT_MAX) && !expr_uses(p->hi[r], s->g->params, INT_MAX) &&
         expr_eval(p->lo[r], &env, lo, NULL) == EXPR_OK && expr_eval(p->hi[r], &env, hi, NULL) == EXPR_OK;
}

static bool are_apart(const speller *s, const rule_piece *p, const rule_piece *q, int r)
{
  int64_t lo, hi, least, most;
  return is_range(s, p, r, &lo, &hi) && is_range(s, q, r, &least, &most) && (hi <= least || most <= lo);
}

/* Indices in which the rule's range is not that of another: one by which they are apart will do.  And those in which it
   is not all of the array's. */
static uint32_t parts_of(const speller *s, int array, int rule)
{
  uint32_t part = 0;
  int rank = s->g->array[array].rank;
  for (int k = 0; k < s->g->priv->piece[array].n; k++) {
    const rule_piece *p = rule_of(s, array, rule), *q = rule_of(s, array, k);
    uint32_t differ = 0, apart = 0;
    for (int r = 0; r < rank && k != rule; r++) {
      differ |= (uint32_t)(!expr_equal(p->lo[r], q->lo[r]) || !expr_equal(p->hi[r], q->hi[r])) << r;
      apart |= (uint32_t)are_apart(s, p, q, r) << r;
    }
    if (!(apart & part))
      part |= apart & -apart ? apart & -apart : differ;
  }
  for (size_t i = 0; i < s->trims.n; i++)
    if (s->trims.of[i].array == array)
      part |= 1u << s->trims.of[i].index;
  return part;
}

static void note_arrays(const speller *s, const int *rule, cdag_respelled *out)
{
  size_t n = (size_t)out->g->arrays;
  out->part = MEM_NEW(uint32_t, n);
  out->index = mem_new(n, sizeof *out->index);
  for (size_t b = 0; b < n; b++) {
    out->part[b] = parts_of(s, out->of[b], rule[b]);
    memcpy(out->index[b], &s->index[at(out->of[b], 0)], sizeof *out->index);
  }
}

static void open_view(const speller *s, const cdag_view *view, cdag_respelled *out, int **rule)
{
  if (is_new(view))
    out->g = cdag_view_open(s->g, view, &out->of, rule);
}

bool cdag_respell(const cdag *g, cdag_respelled *out)
{
  *out = (cdag_respelled){ .given = g };
  if (g->graph || g->copies)
    return false;
  size_t nodes = (size_t)g->arrays * CDAG_RANK + 1;
  speller s = { g, MEM_NEW(int, nodes), MEM_NEW(bool, nodes), MEM_NEW(cdag_relabel, nodes), { 0 } };
  cdag_view view = { .own = &s, .rules_apart = true, .parts = rules_of, .name = name_rule, .say = say };
  int *rule = NULL;
  for (size_t n = 0; n < nodes; n++)
    s.node[n] = (int)n;
  reverse(&s);
  turn_single(&s);
  shift(&s);
  lengthen(&s);
  cdag_trims_find(g, &s.trims);
  view.fewer = s.trims.n > 0;
  open_view(&s, &view, out, &rule);
  if (view.fewer && out->g && out->g->vertices > g->vertices / 10 * 9) { /* a last step or a border is no matter */
    cdag_trims_clear(&s.trims);
    view.fewer = false;
    cdag_free(out->g);
    mem_free(out->of);
    mem_free(rule);
    out->g = NULL;
    out->of = rule = NULL;
    open_view(&s, &view, out, &rule);
  }
  if (out->g)
    note_arrays(&s, rule, out);
  if (out->g)
    out->trims = s.trims;
  else
    cdag_trims_clear(&s.trims);
  mem_free(rule);
  mem_free(s.node);
  mem_free(s.against);
  mem_free(s.index);
  return out->g != NULL;
}

void cdag_respelled_clear(cdag_respelled *r)
{
  cdag_free(r->g);
  mem_free(r->of);
  mem_free(r->part);
  mem_free(r->index);
  cdag_trims_clear(&r->trims);
  *r = (cdag_respelled){ 0 };
}
