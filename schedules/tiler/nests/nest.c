#include "schedules/tiler/nests/nest.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/nests/words.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- classes: dimensions united ---- */

typedef struct {
  int id[TILER_STATEMENTS][CDAG_RANK];
  int64_t scale[TILER_STATEMENTS][CDAG_RANK];
} partition;
typedef struct { int place, dim; } member;

static bool clashes(const tiler_nest *n, const partition *p)
{
  for (int x = 0; x < n->n; x++) {
    uint64_t seen[4] = { 0 };
    for (int r = 0; r < tiler_at(n, x)->rank; r++) {
      int id = p->id[x][r];
      if (seen[id / 64] >> (id % 64) & 1)
        return true;
      seen[id / 64] |= 1ull << (id % 64);
    }
  }
  return false;
}

static bool depends(const tiler_bound *b, int q)
{
  for (int i = 0; i < b->n; i++)
    if (b->f[i].coef[q])
      return true;
  return false;
}

/* May several values of the dimension go together as one?  No chain is walked so, and no range goes along with it. */
static bool may_scale(const tiler_nest *n, int x, int r)
{
  const tiler_statement *s = tiler_at(n, x);
  bool good = !s->value[r] && !tiler_is_chain(s, r) && tiler_bound_constant(&s->lo[r], s->rank) &&
              tiler_bound_constant(&s->hi[r], s->rank);
  for (int q = 0; q < s->rank && good; q++)
    good = !depends(&s->lo[q], r) && !depends(&s->hi[q], r);
  for (int i = 0; i < s->accesses && good; i++)
    for (int q = 0; q < s->access[i].rank && good; q++)
      good = !s->access[i].at[q].value;
  return good;
}

/* Where a set has dimensions of several scales: some dimension has scale 1, and all ranges are one.  What is left over
   at the end, too little for one more, may be left out where nobody else wants it. */
static bool well_scaled(const tiler_nest *n, const partition *p, int id)
{
  const tiler_statement *one = NULL;
  int dim = 0;
  bool scaled = false, good = true;
  for (int x = 0; x < n->n; x++)
    for (int r = 0; r < tiler_at(n, x)->rank; r++)
      if (p->id[x][r] == id && p->scale[x][r] > 1)
        scaled = true;
      else if (p->id[x][r] == id && !one) {
        one = tiler_at(n, x);
        dim = r;
      }
  for (int x = 0; x < n->n && one && scaled; x++)
    for (int r = 0; r < tiler_at(n, x)->rank; r++) {
      const tiler_statement *s = tiler_at(n, x);
      int64_t scale = p->scale[x][r], over = s->most[r] - one->most[dim] * scale;
      bool left_out = scale > 1 && over < scale && !(n->stored >> x & 1);
      if (p->id[x][r] == id)
        good = good && s->least[r] == one->least[dim] * scale && over >= 0 && (over == 0 || left_out) &&
               may_scale(n, x, r);
    }
  return !scaled || (good && one);
}

/* One class for both; dimension b has `times` values for each of a. */
static void unite(const tiler_nest *n, partition *p, member a, member b, int64_t times)
{
  partition old = *p;
  int to = p->id[a.place][a.dim], from = p->id[b.place][b.dim];
  int64_t wanted = times * p->scale[a.place][a.dim], is = p->scale[b.place][b.dim], common = num_gcd(wanted, is);
  if (to == from)
    return;
  for (int x = 0; x < n->n; x++)
    for (int r = 0; r < tiler_at(n, x)->rank; r++)
      if (p->id[x][r] == from) {
        p->id[x][r] = to;
        p->scale[x][r] *= wanted / common;
      } else if (p->id[x][r] == to)
        p->scale[x][r] *= is / common;
  if (clashes(n, p) || !well_scaled(n, p, to))
    *p = old;
}

static int place_of(const tiler_nest *n, int array)
{
  for (int x = 0; x < n->n; x++)
    if (n->stmt[x] == array)
      return x;
  return -1;
}

/* The statement of the nest that computes what is read, or -1. */
static int producer_of(const tiler_nest *n, const tiler_access *a) { return a->earlier ? -1 : place_of(n, a->array); }

static int plain_index(const tiler_statement *reader, const tiler_access *a, int q)
{
  return a->at[q].kind == CDAG_AT && a->at[q].affine ? tiler_form_plain(&a->at[q].lo, reader->rank) : -1;
}

/* The variable v whose value says all of the index, and how many words there are to each: times*v is the least of them
   at most, times*v + times - 1 the greatest at least.  Or -1. */
static int held_index(const tiler_statement *reader, const tiler_access *a, int q, int64_t *times)
{
  const tiler_index *i = &a->at[q];
  int v = -1;
  if (i->kind == CDAG_ALL || !i->affine || i->value)
    return -1;
  const tiler_form *ends[] = { &i->lo, i->kind == CDAG_AT ? &i->lo : &i->hi };
  for (int r = 0; r < reader->rank; r++)
    if (i->lo.coef[r] && (v < 0 || i->lo.coef[r] > i->lo.coef[v]))
      v = r;
  *times = v < 0 ? 0 : i->lo.coef[v];
  int64_t least = ends[0]->base, most = ends[1]->base - (i->kind == CDAG_RANGE);
  for (int r = 0; r < reader->rank; r++)
    for (int end = 0; end < 2; end++) {
      int64_t c = ends[end]->coef[r], *sum = end ? &most : &least;
      if (r == v && c != *times)
        return -1;
      if (r != v)
        *sum += c * ((c > 0) == end ? reader->most[r] - 1 : reader->least[r]);
    }
  return *times > 0 && least >= 0 && most < *times ? v : -1;
}

/* Dimensions of one value, said by loops around, are one class. */
static void unite_fixed(const tiler_nest *n, partition *p)
{
  for (int x = 0; x < n->n; x++)
    for (int r = 0; r < tiler_at(n, x)->rank; r++)
      for (int y = 0; y < x && tiler_at(n, x)->value[r]; y++)
        for (int q = 0; q < tiler_at(n, y)->rank; q++)
          if (tiler_at(n, y)->value[q] && strcmp(tiler_at(n, x)->value[r], tiler_at(n, y)->value[q]) == 0)
            unite(n, p, (member){ y, q }, (member){ x, r }, 1);
}

/* Plain dimensions, chains, then windows. */
static void unite_reads(const tiler_nest *n, partition *p)
{
  enum { PLAIN, CHAINS, WINDOWS, KINDS };
  for (int kind = 0; kind < KINDS; kind++)
    for (int y = 0; y < n->n; y++) {
      const tiler_statement *s = tiler_at(n, y);
      for (int i = 0; i < s->accesses; i++) {
        int x = producer_of(n, &s->begun[i]);
        for (int q = 0; x >= 0 && q < s->begun[i].rank; q++) {
          int64_t times = 1;
          int v = kind == WINDOWS ? held_index(s, &s->begun[i], q, &times) : plain_index(s, &s->begun[i], q);
          if (v >= 0 && !s->value[v] && !tiler_at(n, x)->value[q] &&
              (kind == WINDOWS ? times > 1 : tiler_is_chain(tiler_at(n, x), q) == (kind == CHAINS)))
            unite(n, p, (member){ y, v }, (member){ x, q }, times);
        }
      }
    }
}

/* Readers of one input at the same dimension walk it together. */
static void unite_inputs(const tiler_nest *n, partition *p)
{
  for (int x = 0; x < n->n; x++)
    for (int i = 0; i < tiler_at(n, x)->accesses; i++) {
      const tiler_access *a = &tiler_at(n, x)->begun[i];
      if (producer_of(n, a) >= 0)
        continue;
      for (int y = x + 1; y < n->n; y++)
        for (int j = 0; j < tiler_at(n, y)->accesses; j++) {
          const tiler_access *b = &tiler_at(n, y)->begun[j];
          for (int q = 0; b->array == a->array && q < a->rank; q++) {
            int v = plain_index(tiler_at(n, x), a, q), w = plain_index(tiler_at(n, y), b, q);
            if (v >= 0 && w >= 0 && !tiler_at(n, x)->value[v] && !tiler_at(n, y)->value[w])
              unite(n, p, (member){ x, v }, (member){ y, w }, 1);
          }
        }
    }
}

/* ---- names ---- */

static bool taken(const tiler_nest *n, const char *name)
{
  if (tiler_name_taken(n->s->g, name))
    return true;
  for (int c = 0; c < n->classes; c++)
    if (strcmp(n->cls[c].name, name) == 0 || strcmp(n->cls[c].block, name) == 0)
      return true;
  return false;
}

static void name_block(tiler_nest *n, tiler_class *c)
{
  char word[CDAG_NAME];
  for (int extra = 0; extra < 8; extra++) {
    size_t k = 0;
    for (; c->name[k] && k < CDAG_NAME - 10; k++)
      word[k] = (char)toupper((unsigned char)c->name[k]);
    for (int e = 0; e < extra; e++)
      word[k++] = 'B';
    word[k] = '\0';
    if (strcmp(word, c->name) != 0 && !taken(n, word))
      break;
  }
  snprintf(c->block, sizeof c->block, "%s", word);
}

static void name_class(tiler_nest *n, tiler_class *c, int id)
{
  static const char spare[] = "ijklpqrsuvwxyzefgh";
  for (int x = 0; x < n->n && !c->name[0]; x++)
    for (int r = 0; r < tiler_at(n, x)->rank && !c->name[0]; r++) {
      const char *v = n->s->g->array[n->stmt[x]].var[r];
      if (n->of[x][r] == id && v[0] && !taken(n, v))
        snprintf(c->name, sizeof c->name, "%s", v);
    }
  for (int k = 0; !c->name[0]; k++) {
    char word[16];
    snprintf(word, sizeof word, k < 18 ? "%c" : "x%d", k < 18 ? spare[k] : k);
    if (!taken(n, word))
      snprintf(c->name, sizeof c->name, "%s", word);
  }
  name_block(n, c);
}

static bool add_classes(tiler_nest *n, const partition *p)
{
  int number[TILER_STATEMENTS * CDAG_RANK];
  memset(number, -1, sizeof number);
  for (int x = 0; x < n->n; x++) {
    const tiler_statement *s = tiler_at(n, x);
    for (int r = 0; r < s->rank; r++) {
      int *k = &number[p->id[x][r]];
      if (*k < 0) {
        if (n->classes == TILER_CLASSES)
          return false;
        *k = n->classes++;
        n->cls[*k] = (tiler_class){ .lo = s->least[r] / p->scale[x][r], .extent = 0, .place = x, .dim = r };
      }
      tiler_class *c = &n->cls[*k];
      int64_t scale = p->scale[x][r], end = num_max(c->lo + c->extent, s->most[r] / scale);
      c->lo = num_min(c->lo, s->least[r] / scale);
      c->extent = end - c->lo;
      if (scale == 1 && p->scale[c->place][c->dim] > 1) { /* whose bounds say the class's range */
        c->place = x;
        c->dim = r;
      }
      n->of[x][r] = *k;
      n->scale[x][r] = scale;
      if (s->value[r]) {
        n->fixed |= 1u << *k;
        snprintf(c->name, sizeof c->name, "%s", s->value[r]);
      } else
        n->has[x] |= 1u << *k;
    }
    for (int c = 0; c < s->chains; c++)
      n->chain[x] |= 1u << n->of[x][s->chain[c]];
  }
  for (int k = 0; k < n->classes; k++)
    if (!(n->fixed >> k & 1))
      name_class(n, &n->cls[k], k);
  return true;
}

int64_t tiler_band_width(const tiler_statement *s, int r, int q)
{
  int64_t least = 0;
  for (int i = 0; i < s->lo[r].n; i++)
    for (int k = 0; k < s->hi[r].n; k++) {
      tiler_form low = s->lo[r].f[i], high = s->hi[r].f[k];
      int64_t width = high.base - low.base;
      low.base = high.base = 0;
      if (tiler_form_plain(&low, s->rank) == q && tiler_form_plain(&high, s->rank) == q && width > 0 &&
          (!least || width < least))
        least = width;
    }
  return least;
}

/* The widest band of two classes in any statement; none where one of them has no band. */
static void find_bands(tiler_nest *n, bool (*none)[TILER_CLASSES])
{
  for (int x = 0; x < n->n; x++)
    for (int r = 0; r < tiler_at(n, x)->rank; r++)
      for (int q = 0; q < r; q++) {
        int c = n->of[x][q], d = n->of[x][r];
        int64_t width = tiler_band_width(tiler_at(n, x), r, q);
        none[c][d] |= width == 0;
        n->band[c][d] = n->band[d][c] = num_max(width, n->band[c][d]);
      }
  for (int c = 0; c < n->classes; c++)
    for (int d = 0; d < n->classes; d++)
      if (none[c][d] || none[d][c])
        n->band[c][d] = 0;
}

static void find_slants(tiler_nest *n)
{
  bool none[TILER_CLASSES][TILER_CLASSES] = { { false } };
  find_bands(n, none);
  for (int x = 0; x < n->n; x++) {
    const tiler_statement *s = tiler_at(n, x);
    for (int r = 0; r < s->rank; r++)
      for (int q = 0; q < r; q++)
        if (depends(&s->lo[r], q) || depends(&s->hi[r], q)) {
          n->slanted[n->of[x][r]] |= 1u << n->of[x][q];
          n->slanted[n->of[x][q]] |= 1u << n->of[x][r];
        }
  }
}

/* ---- reads ---- */

/* The least value of the form at values of the classes, or the greatest; there are as many as this comes to. */
static int64_t in_classes(const tiler_nest *n, int x, const tiler_form *f, bool most, tiler_sum *out)
{
  int64_t values = 1;
  *out = (tiler_sum){ .base = f->base };
  for (int k = 0; k < n->classes; k++)
    for (int r = 0; r < tiler_at(n, x)->rank; r++)
      if (n->of[x][r] == k && f->coef[r]) {
        int64_t more = f->coef[r] * (n->scale[x][r] - 1);
        out->cls[out->n] = k;
        out->coef[out->n++] = f->coef[r] * n->scale[x][r];
        out->base += (more > 0) == most ? more : 0;
        values += more > 0 ? more : -more;
      }
  return values;
}

/* But for those whose value loops around say. */
static uint32_t classes_of(const tiler_nest *n, const tiler_sum *s)
{
  uint32_t set = 0;
  for (int k = 0; k < s->n; k++)
    set |= 1u << s->cls[k];
  return set & ~n->fixed;
}

static bool same_sum(const tiler_sum *a, const tiler_sum *b)
{
  if (a->n != b->n || a->base != b->base)
    return false;
  for (int k = 0; k < a->n; k++)
    if (a->cls[k] != b->cls[k] || a->coef[k] != b->coef[k])
      return false;
  return true;
}

bool tiler_same_index(const tiler_group *a, const tiler_group *b, int q)
{
  if ((a->value[q] || b->value[q]) &&
      (a->first != b->first || !a->value[q] || !b->value[q] || !expr_equal(a->value[q], b->value[q])))
    return false;
  return a->kind[q] == b->kind[q] &&
         (a->kind[q] == CDAG_ALL ||
          (same_sum(&a->lo[q], &b->lo[q]) && (a->kind[q] == CDAG_AT || same_sum(&a->hi[q], &b->hi[q]))));
}

void tiler_group_of(const tiler_nest *n, int x, const tiler_access *a, tiler_group *out)
{
  *out = (tiler_group){ .array = a->array, .rank = a->rank, .readers = 1u << x, .first = x, .access = a };
  for (int q = 0; q < a->rank; q++) {
    out->kind[q] = a->at[q].kind;
    if (a->at[q].kind == CDAG_ALL)
      continue;
    int64_t values = in_classes(n, x, &a->at[q].lo, false, &out->lo[q]);
    out->rel |= classes_of(n, &out->lo[q]);
    if (a->at[q].kind == CDAG_RANGE) {
      in_classes(n, x, &a->at[q].hi, true, &out->hi[q]);
      out->rel |= classes_of(n, &out->hi[q]);
    } else if (values > 1) { /* one for each value of a dimension with a scale */
      out->kind[q] = CDAG_RANGE;
      out->hi[q] = out->lo[q];
      out->hi[q].base += values;
    }
    out->value[q] = a->at[q].value;
    for (int r = 0; out->value[q] && r < tiler_at(n, x)->rank; r++)
      if (expr_slots(out->value[q], n->s->g->params, tiler_at(n, x)->rank) >> r & 1)
        out->vars[q] |= 1u << n->of[x][r] & ~n->fixed;
    out->rel |= out->vars[q];
  }
}

static bool same_group(const tiler_group *a, const tiler_group *b)
{
  if (a->array != b->array)
    return false;
  for (int q = 0; q < a->rank; q++)
    if (!tiler_same_index(a, b, q))
      return false;
  return true;
}

/* Is the range of each class it reads the same for both statements? */
static bool same_ranges(const tiler_nest *n, uint32_t rel, int x, int y)
{
  const tiler_statement *s = tiler_at(n, x), *t = tiler_at(n, y);
  for (int r = 0; r < s->rank; r++)
    for (int q = 0; q < t->rank; q++)
      if (n->of[x][r] == n->of[y][q] && (rel >> n->of[x][r] & 1) &&
          (s->least[r] != t->least[q] || s->most[r] != t->most[q]) && n->scale[x][r] == n->scale[y][q])
        return false;
  return true;
}

/* Others have stored of their arrays what is read here (part.h). */
static bool is_scheduled(const tiler_shape *s, int array)
{
  for (int k = 0; k < s->n; k++)
    if (s->order[k] == array)
      return true;
  return false;
}

static bool add_group(tiler_nest *n, int x, const tiler_access *a)
{
  tiler_group made;
  if (a->kind != TILER_BLUE && a->kind != TILER_END && is_scheduled(n->s, a->array))
    return false; /* of a stored chain its last steps are all there is */
  tiler_group_of(n, x, a, &made);
  for (int k = 0; k < n->groups; k++)
    if (same_group(&n->group[k], &made)) {
      if (!same_ranges(n, made.rel, n->group[k].first, x))
        return false;
      n->group[k].readers |= 1u << x;
      return true;
    }
  if (n->groups == TILER_GROUPS)
    return false;
  n->group = mem_grow(n->group, (size_t)n->groups + 1, sizeof *n->group);
  n->group[n->groups++] = made;
  return true;
}

/* Does each sum have a first value of its own?  A bias that many sums begin with stays for the next. */
static bool begins_one_sum(const tiler_nest *n, int x, const tiler_access *a)
{
  const tiler_statement *s = tiler_at(n, x);
  for (int r = 0; r < s->rank; r++) {
    bool told = tiler_is_chain(s, r) || s->value[r] || s->most[r] - s->least[r] <= 1;
    for (int q = 0; q < a->rank && !told; q++)
      told = a->at[q].lo.coef[r] != 0;
    if (!told)
      return false;
  }
  return true;
}

/* There at the first step of the statement's chain only: an index with a chain variable into a dimension of one
 * element. */
static bool is_initial(const tiler_nest *n, int x, const tiler_access *a)
{
  const tiler_statement *s = tiler_at(n, x), *to = &n->s->s[a->array];
  if (a->first)
    return begins_one_sum(n, x, a);
  for (int q = 0; q < a->rank; q++)
    for (int r = 0; r < s->rank && to->unit[q] && a->at[q].kind == CDAG_AT; r++)
      if (a->at[q].lo.coef[r] && !s->value[r])
        return true;
  return false;
}

/* The value that a sum begins with, once. */
static bool add_initial(tiler_nest *n, int x, const tiler_access *a)
{
  if (n->inits == TILER_STATEMENTS || !tiler_at(n, x)->chains)
    return false;
  tiler_group made;
  tiler_group_of(n, x, a, &made);
  for (int i = 0; i < n->inits && a->shared; i++)
    if (n->init[i].first == x && n->init[i].access->shared && same_group(&n->init[i], &made))
      return true;
  n->init = mem_grow(n->init, (size_t)n->inits + 1, sizeof *n->init);
  n->init[n->inits++] = made;
  return true;
}

/* Is index q of what `from` computes read at `to`'s own value? */
static bool is_aligned(const tiler_nest *n, int from, int to, const tiler_access *a, int q)
{
  int64_t times;
  int v = held_index(tiler_at(n, to), a, q, &times);
  return v >= 0 && n->of[to][v] == n->of[from][q] && n->scale[from][q] == times * n->scale[to][v];
}

/* m[i,j-1], the value of a chain before the reader's own step: what a running maximum was.  All else is its own. */
static bool is_behind(const tiler_nest *n, int from, int to, const tiler_access *a)
{
  const tiler_statement *s = tiler_at(n, from);
  for (int q = 0; q < a->rank; q++) {
    tiler_access next = *a;
    next.at[q].lo.base++;
    if (!is_aligned(n, from, to, tiler_is_chain(s, q) && a->at[q].kind == CDAG_AT ? &next : a, q))
      return false;
  }
  return s->chains == 1 && !s->started && !s->joined && !a->earlier;
}

static bool add_edge(tiler_nest *n, int from, int to, const tiler_access *a)
{
  bool behind = a->kind == TILER_OTHER && is_behind(n, from, to, a);
  if (n->edges == TILER_EDGES || (a->kind == TILER_OTHER && !behind) || (a->in_step && !behind))
    return false;
  n->edge = mem_grow(n->edge, (size_t)n->edges + 1, sizeof *n->edge);
  tiler_edge *e = &n->edge[n->edges++];
  *e = (tiler_edge){ .from = from, .to = to, .access = a, .behind = behind };
  tiler_group_of(n, to, a, &e->box);
  for (int q = 0; q < a->rank; q++)
    if (behind || is_aligned(n, from, to, a, q))
      e->aligned |= 1u << n->of[from][q];
  return true;
}

static bool add_reads(tiler_nest *n)
{
  for (int x = 0; x < n->n; x++)
    for (int i = 0; i < tiler_at(n, x)->accesses; i++) {
      const tiler_access *a = &tiler_at(n, x)->begun[i];
      int from = producer_of(n, a);
      if (from >= 0) {
        if (!add_edge(n, from, x, a))
          return false;
      } else if (is_initial(n, x, a)) {
        if (!add_initial(n, x, a))
          return false;
      } else if (!add_group(n, x, a))
        return false;
    }
  return true;
}

/* A form of statement x by classes. */
typedef struct { int64_t base, coef[TILER_CLASSES]; } class_form;
static class_form by_class(const tiler_nest *n, int x, const tiler_form *f)
{
  class_form own = { .base = f->base };
  for (int r = 0; r < tiler_at(n, x)->rank; r++)
    own.coef[n->of[x][r]] += f->coef[r];
  return own;
}

/* Does one end of y's dimension r leave out no value that x has along its dimension q? */
static bool end_covers(const tiler_nest *n, int x, int q, int y, int r, bool hi)
{
  const tiler_statement *s = tiler_at(n, x), *t = tiler_at(n, y);
  const tiler_bound *a = hi ? &s->hi[q] : &s->lo[q], *b = hi ? &t->hi[r] : &t->lo[r];
  bool all = true;
  for (int i = 0; i < b->n; i++) {
    class_form f = by_class(n, y, &b->f[i]);
    int64_t least = f.base, most = f.base;
    for (int c = 0; c < n->classes; c++) {
      int64_t first = f.coef[c] * n->cls[c].lo, last = first + f.coef[c] * (n->cls[c].extent - 1);
      least += first < last ? first : last;
      most += first < last ? last : first;
    }
    bool far = hi ? least >= s->most[q] : most <= s->least[q];
    for (int k = 0; k < a->n && !far; k++) {
      class_form own = by_class(n, x, &a->f[k]);
      far = memcmp(own.coef, f.coef, sizeof f.coef) == 0 && (hi ? own.base <= f.base : own.base >= f.base);
    }
    all = all && far;
  }
  return all;
}

/* Does y read all of x?  Where it has one side of a diagonal (`j:i+1`) and x both, what is behind would stay. */
static bool reads_all(const tiler_nest *n, int x, int y)
{
  const tiler_statement *s = tiler_at(n, x), *t = tiler_at(n, y);
  for (int q = 0; q < s->rank; q++)
    for (int r = 0; r < t->rank && !tiler_is_chain(s, q); r++)
      if (n->of[x][q] == n->of[y][r] && n->scale[x][q] == 1 && n->scale[y][r] == 1 &&
          !(end_covers(n, x, q, y, r, false) && end_covers(n, x, q, y, r, true)))
        return false;
  return true;
}

void tiler_nest_alone(tiler_nest *n, const tiler_shape *s, int array)
{
  partition p;
  memset(n, 0, sizeof *n);
  n->s = s;
  n->stmt[n->n++] = array;
  for (int r = 0; r < s->s[array].rank; r++) {
    p.id[0][r] = r;
    p.scale[0][r] = 1;
  }
  add_classes(n, &p);
  find_slants(n);
}

static bool read_nest(tiler_nest *n, const tiler_shape *s, const int *array, int count, bool along_inputs)
{
  partition p;
  int id = 0;
  if (count > TILER_STATEMENTS)
    return false;
  for (int x = 0; x < count; x++) {
    n->stmt[n->n++] = array[x];
    const tiler_statement *t = &s->s[array[x]];
    if (t->reads_itself || t->bare || (t->all_output && t->chains))
      return false;
    for (int r = 0; r < t->rank; r++) {
      p.id[x][r] = id++;
      p.scale[x][r] = 1;
    }
  }
  unite_fixed(n, &p);
  unite_reads(n, &p);
  if (along_inputs)
    unite_inputs(n, &p);
  if (!add_classes(n, &p))
    return false;
  find_slants(n);
  if (!add_reads(n))
    return false;
  for (int i = 0; i < n->edges; i++)
    n->edge[i].all = reads_all(n, n->edge[i].from, n->edge[i].to);
  return true;
}

tiler_nest *tiler_nest_new(const tiler_shape *s, const int *array, int count, uint32_t stored, bool along_inputs)
{
  tiler_nest *n = MEM_NEW(tiler_nest, 1);
  n->s = s;
  n->stored = stored;
  if (read_nest(n, s, array, count, along_inputs))
    return n;
  tiler_nest_free(n);
  return NULL;
}

void tiler_nest_free(tiler_nest *n)
{
  if (!n)
    return;
  mem_free(n->group);
  mem_free(n->init);
  mem_free(n->edge);
  mem_free(n);
}
