#include "schedules/tiler/nests/cost.h"
#include <math.h>
#include <string.h>

/* ---- polynomials ---- */

static bool alike(const tiler_amount *a, const tiler_amount *b)
{
  return a->blocks == b->blocks && a->iterations == b->iterations && a->windows == b->windows &&
         (a->windows == 0 || memcmp(a->window, b->window, sizeof a->window) == 0);
}

static bool add(tiler_polynomial *p, const tiler_amount *a, double sign)
{
  if (a->coef == 0)
    return true;
  for (int k = 0; k < p->n; k++)
    if (alike(&p->a[k], a)) {
      p->a[k].coef += sign * a->coef;
      if (p->a[k].coef == 0)
        p->a[k] = p->a[--p->n];
      return true;
    }
  if (p->n == TILER_TERMS)
    return false;
  p->a[p->n] = *a;
  p->a[p->n++].coef *= sign;
  return true;
}

static double value(const tiler_amount *a, const tiler_cost *c, const double *b, bool real)
{
  double v = a->coef;
  for (uint32_t s = a->blocks; s; s &= s - 1)
    v *= b[__builtin_ctz(s)];
  for (uint32_t s = a->iterations; s; s &= s - 1) {
    double q = c->extent[__builtin_ctz(s)] / b[__builtin_ctz(s)];
    v *= real ? q : ceil(q);
  }
  for (int k = 0; k < a->windows; k++) {
    double w = a->window[k].base;
    for (int i = 0; i < a->window[k].n; i++)
      w += a->window[k].w[i] * b[a->window[k].cls[i]];
    v *= w;
  }
  return v;
}

static double sum(const tiler_polynomial *p, const tiler_cost *c, const double *b, bool real)
{
  double s = 0;
  for (int k = 0; k < p->n; k++)
    s += value(&p->a[k], c, b, real);
  return s;
}

double tiler_cost_io(const tiler_cost *c, const double *b) { return sum(&c->io, c, b, false); }

double tiler_cost_peak(const tiler_cost *c, const double *b)
{
  double most = 0;
  for (int k = 0; k < c->peaks; k++)
    most = fmax(most, sum(&c->peak[k], c, b, true));
  return most;
}

static uint64_t mix(uint64_t h) { h ^= h >> 31; h *= 0x9e3779b97f4a7c15ull; return h ^ h >> 29; }

static uint64_t key_of(const tiler_polynomial *p)
{
  uint64_t h = 0;
  for (int k = 0; k < p->n; k++) {
    uint64_t bits;
    memcpy(&bits, &p->a[k].coef, sizeof bits);
    uint64_t one = mix(bits + mix(p->a[k].blocks + ((uint64_t)p->a[k].iterations << 32) + 77));
    for (int w = 0; w < p->a[k].windows; w++)
      for (int i = 0; i < p->a[k].window[w].n; i++)
        one = mix(one + (uint64_t)(int64_t)p->a[k].window[w].base + (uint64_t)p->a[k].window[w].cls[i] * 131 +
                  (uint64_t)p->a[k].window[w].w[i] + (uint64_t)(w + 1) * 997);
    h += one;
  }
  return mix(h);
}

/* ---- reading a tree ---- */

typedef struct { const tiler_tree *t; tiler_cost *c; tiler_polynomial live; bool good; } reader;

static bool same_polynomial(const tiler_polynomial *a, const tiler_polynomial *b)
{
  if (a->n != b->n)
    return false;
  for (int k = 0; k < a->n; k++) {
    bool found = false;
    for (int i = 0; i < b->n && !found; i++)
      found = alike(&a->a[k], &b->a[i]) && a->a[k].coef == b->a[i].coef;
    if (!found)
      return false;
  }
  return true;
}

static void note_peak(reader *r, bool one_more)
{
  static const tiler_amount one = { .coef = 1 };
  tiler_polynomial p;
  p.n = r->live.n;
  memcpy(p.a, r->live.a, (size_t)p.n * sizeof *p.a);
  r->good = r->good && (!one_more || add(&p, &one, 1));
  for (int k = 0; k < r->c->peaks; k++)
    if (same_polynomial(&r->c->peak[k], &p))
      return;
  if (r->c->peaks == TILER_PEAKS)
    r->good = false;
  else {
    tiler_polynomial *to = &r->c->peak[r->c->peaks++];
    to->n = p.n;
    memcpy(to->a, p.a, (size_t)p.n * sizeof *p.a);
  }
}

static void hold(reader *r, const tiler_amount *a, double sign) { r->good = add(&r->live, a, sign) && r->good; }

/* Does the statement's leaf put its elements in the place of what it drops?  A sum's first step takes the place of what
   that step reads. */
static bool in_place(const tiler_tree *t, const tiler_kid *k, const tiler_op *grow)
{
  if (!k->leaf || k->what != grow->what)
    return false;
  for (int i = k->after; i >= 0; i = t->op[i].next)
    if (t->op[i].kind == OP_SHRINK && t->op[i].what != k->what && (t->drops[k->what] >> t->op[i].what & 1) &&
        alike(&t->op[i].size, &grow->size) && t->op[i].size.coef >= grow->size.coef)
      return true;
  return false;
}

static void read_node(reader *r, int node);

static void read_kid(reader *r, const tiler_kid *k)
{
  const tiler_tree *t = r->t;
  const tiler_op *late = NULL;
  for (int i = k->before; i >= 0; i = t->op[i].next)
    if (t->op[i].kind == OP_GROW) {
      if (in_place(t, k, &t->op[i]))
        late = &t->op[i];
      else
        hold(r, &t->op[i].size, 1);
    }
  for (int i = k->before; i >= 0; i = t->op[i].next) {
    r->good = add(&r->c->io, &t->op[i].moved, 1) && r->good;
    if (t->op[i].kind == OP_LOAD || (t->op[i].kind == OP_INIT && t->op[i].size.coef > 0))
      hold(r, &t->op[i].size, 1);
  }
  if (k->leaf)
    note_peak(r, late || tiler_at(t->n, k->what)->chains);
  else
    read_node(r, k->what);
  if (late)
    hold(r, &late->size, 1);
  for (int i = k->after; i >= 0; i = t->op[i].next) {
    r->good = add(&r->c->io, &t->op[i].moved, 1) && r->good;
    if (t->op[i].kind == OP_DROP || t->op[i].kind == OP_SHRINK)
      hold(r, &t->op[i].size, -1);
  }
}

static void read_node(reader *r, int node)
{
  for (int i = 0; i < r->t->node[node].kids && r->good; i++)
    read_kid(r, &r->t->node[node].kid[i]);
}

bool tiler_cost_of(tiler_cost *c, const tiler_tree *t)
{
  reader r = { .t = t, .c = c, .good = true };
  uint32_t blocked = 0;
  c->lengths = c->peaks = c->io.n = 0;
  for (int k = 0; k < t->n->classes; k++)
    c->extent[k] = (double)t->n->cls[k].extent;
  read_node(&r, 0);
  for (int k = 1; k < t->nodes; k++)
    blocked |= t->node[k].blocked;
  for (int k = 0; k < t->n->classes; k++)
    if (blocked >> k & 1)
      c->cls[c->lengths++] = k;
  c->key = key_of(&c->io);
  for (int k = 0; k < c->peaks; k++)
    c->key += key_of(&c->peak[k]);
  return r.good;
}

/* ---- block lengths ---- */

/* Each peak is linear in the length. */
double tiler_cost_largest(const tiler_cost *c, double *b, int k, double m)
{
  double most = c->extent[k], old = b[k];
  for (int i = 0; i < c->peaks; i++) {
    b[k] = 1;
    double at1 = sum(&c->peak[i], c, b, true);
    b[k] = 2;
    double slope = sum(&c->peak[i], c, b, true) - at1;
    if (at1 > m)
      most = 0;
    else if (slope > 0)
      most = fmin(most, 1 + floor((m - at1) / slope));
  }
  b[k] = old;
  return most;
}

static void ones(const tiler_cost *c, double *b)
{
  for (int k = 0; k < c->lengths; k++)
    b[c->cls[k]] = 1;
}

/* Does what it comes to never rise with a length?  Each length of a window is of blocks that are counted too, once. */
static bool falls(const tiler_amount *a)
{
  uint32_t left = a->iterations;
  for (int k = 0; k < a->windows; k++)
    for (int i = 0; i < a->window[k].n; i++) {
      uint32_t bit = 1u << a->window[k].cls[i];
      if (!(left & bit) || a->window[k].base < 0)
        return false;
      left &= ~bit;
    }
  return true;
}

double tiler_cost_floor(const tiler_cost *c, double m)
{
  double b[TILER_CLASSES], most[TILER_LOOPS];
  ones(c, b);
  if (tiler_cost_peak(c, b) > m)
    return INFINITY;
  for (int k = 0; k < c->lengths; k++)
    most[k] = tiler_cost_largest(c, b, c->cls[k], m);
  for (int k = 0; k < c->lengths; k++)
    b[c->cls[k]] = most[k];
  for (int k = 0; k < c->io.n; k++)
    if (!falls(&c->io.a[k]))
      return 0;
  return sum(&c->io, c, b, true);
}

static void consider(const tiler_cost *c, const double *b, double m, tiler_lengths *best)
{
  double io = tiler_cost_io(c, b), peak;
  if (io > best->io || (peak = tiler_cost_peak(c, b)) > m || (io == best->io && peak >= best->peak))
    return;
  best->io = io;
  best->peak = peak;
  for (int k = 0; k < c->lengths; k++)
    best->b[k] = (int64_t)b[c->cls[k]];
}

/* Lengths worth trying for one class: those that cut it into 1, 2, 3 ... blocks, then ever wider apart. */
static int grid(double extent, double from, double to, double factor, double *out, int room)
{
  int n = 0;
  double last = -1;
  for (double x = fmin(extent, to); x >= from && n < room;) {
    double q = ceil(extent / x), v = ceil(extent / q);
    if (v < from)
      break;
    if (v != last)
      out[n++] = last = v;
    x = fmin(v - 1, q < 12 ? ceil(extent / (q + 1)) : floor(v / factor));
    if (x < 1)
      break;
  }
  if (n < room && last > 1 && from <= 1)
    out[n++] = 1;
  return n;
}

/* Those from k on, each with the last as large as fits. */
static void descend(const tiler_cost *c, int k, double factor, double m, double *b, tiler_lengths *best)
{
  double x[256];
  int cls = c->cls[k], n;
  if (k == c->lengths - 1) {
    double most = tiler_cost_largest(c, b, cls, m);
    if (most < 1)
      return;
    b[cls] = most;
    consider(c, b, m, best);
    b[cls] = ceil(c->extent[cls] / ceil(c->extent[cls] / most)); /* as many blocks, of even length */
    consider(c, b, m, best);
    b[cls] = 1;
    return;
  }
  n = grid(c->extent[cls], 1, tiler_cost_largest(c, b, cls, m), factor, x, 256);
  for (int i = 0; i < n; i++) {
    b[cls] = x[i];
    descend(c, k + 1, factor, m, b, best);
  }
  b[cls] = 1;
}

/* Round the best: one length steps, another takes what room there is. */
static bool refine(const tiler_cost *c, double m, double *b, tiler_lengths *best)
{
  double before = best->io, from[TILER_LOOPS];
  for (int k = 0; k < c->lengths; k++)
    from[k] = (double)best->b[k];
  for (int k = 0; k < c->lengths; k++)
    for (int j = 0; j < c->lengths; j++) {
      double lo = fmax(1, floor(from[k] * 0.8)), hi = fmin(c->extent[c->cls[k]], ceil(from[k] * 1.25) + 2),
             step = fmax(1, floor((hi - lo) / 60));
      for (double x = lo; k != j && x <= hi; x += step) {
        for (int i = 0; i < c->lengths; i++)
          b[c->cls[i]] = from[i];
        b[c->cls[k]] = x;
        b[c->cls[j]] = 1;
        double most = tiler_cost_largest(c, b, c->cls[j], m);
        if (most < 1)
          continue;
        b[c->cls[j]] = most;
        consider(c, b, m, best);
        b[c->cls[j]] = ceil(c->extent[c->cls[j]] / ceil(c->extent[c->cls[j]] / most));
        consider(c, b, m, best);
      }
    }
  return best->io < before;
}

bool tiler_cost_solve(const tiler_cost *c, double m, tiler_lengths *out)
{
  double b[TILER_CLASSES];
  *out = (tiler_lengths){ .io = INFINITY, .peak = INFINITY };
  ones(c, b);
  if (tiler_cost_peak(c, b) > m)
    return false;
  if (c->lengths == 0)
    consider(c, b, m, out);
  else
    descend(c, 0, c->lengths > 3 ? 1.9 : c->lengths > 2 ? 1.4 : 1.12, m, b, out);
  for (int round = 0; c->lengths > 1 && round < 4 && refine(c, m, b, out); round++)
    ;
  return isfinite(out->io);
}
