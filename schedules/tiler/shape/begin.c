/* begin.c -- what a chain reads at its first step, and of what kind a read is. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/shape/chain.h"
#include "schedules/tiler/shape/internal.h"
#include <string.h>

static bool begins_by_several(const tiler_statement *s)
{
  bool several = false;
  for (int i = 0; i < s->chains; i++)
    several = several || s->lo[s->chain[i]].n > 1;
  return several;
}

/* f with the first value of dimension c in its place, where one bound says it. */
static bool at_first(const tiler_statement *s, tiler_form f, int c, tiler_form *out)
{
  const tiler_bound *lo = &s->lo[c];
  int64_t times = f.coef[c];
  if (!lo->affine)
    return false;
  f.coef[c] = 0;
  tiler_form_add(&f, &lo->f[0], times);
  *out = f;
  return true;
}

/* An access that is outside of its array from the second step of a chain on: as it is at the first. */
static void begin_access(const tiler_shape *sh, const tiler_statement *s, tiler_access *a)
{
  const tiler_statement *to = &sh->s[a->array];
  int begun = 0;
  for (int i = 0; i < s->chains; i++) {
    int c = s->chain[i], found = -1;
    tiler_form first;
    for (int q = 0; q < a->rank; q++) {
      int64_t step = a->at[q].lo.coef[c];
      bool reads = a->at[q].kind != CDAG_AT || !a->at[q].affine || step != 0;
      if (reads && (found >= 0 || a->at[q].kind != CDAG_AT || !at_first(s, a->at[q].lo, c, &first)))
        return;
      found = reads ? q : found;
    }
    if (found < 0)
      continue;
    int64_t step = a->at[found].lo.coef[c];
    int64_t next = tiler_form_extreme(s, &first, step < 0) + step;
    if (step > 0 ? next >= to->most[found] : next < to->least[found]) {
      a->at[found].lo = first;
      begun++;
    }
  }
  a->first = begun > 0 && begun == s->chains;
}

/* `C[i,j] if k == i-w, C[i,j] if k == 0`, where k is in max(0,i-w)..n: one word at the first step, whichever of its
   bounds that is.  Conditions say so in many ways, so elements are asked. */
static bool begin_shared(const tiler_shape *sh, const tiler_statement *s, tiler_access *a)
{
  tiler_index said[CDAG_RANK];
  for (int q = 0; q < a->rank; q++) {
    said[q] = *tiler_said_index(a, q);
    for (int c = 0; c < s->chains; c++)
      if (said[q].kind != CDAG_AT || !said[q].affine || said[q].lo.coef[s->chain[c]])
        return false;
  }
  if (!s->chains || a->held < 0 || !tiler_begins_with(sh->g, s, a->array, said))
    return false;
  memcpy(a->at, said, sizeof said);
  a->widened = false;
  return a->first = a->shared = true;
}

/* An index of one variable with so large a coefficient that it is inside the array at one value only: the constant
   that it is there.  A box that is read then may hold a little more than what is. */
static void pin_index(const tiler_shape *sh, const tiler_statement *s, tiler_access *a, int q)
{
  const tiler_statement *to = &sh->s[a->array];
  tiler_form f = a->at[q].lo;
  int v = -1, many = 0;
  for (int r = 0; r < s->rank; r++)
    if (f.coef[r]) {
      v = r;
      many++;
    }
  if (many != 1 || s->value[v] || a->at[q].kind != CDAG_AT || !a->at[q].affine)
    return;
  int64_t c = f.coef[v], size = c < 0 ? -c : c;
  if (size < 2 || size < to->most[q] - to->least[q])
    return;
  int64_t at = c > 0 ? -num_floor_div(f.base - to->least[q], c) : num_floor_div(f.base - to->least[q], -c);
  int64_t value = f.base + c * at;
  if (at < s->least[v] || at >= s->most[v] || value < to->least[q] || value >= to->most[q])
    return;
  a->at[q].lo = (tiler_form){ .base = value };
}

static void set_kind(const tiler_shape *sh, const tiler_statement *s, tiler_access *a)
{
  const tiler_statement *to = &sh->s[a->array];
  a->kind = TILER_BLUE;
  if (!to->computed)
    return;
  int ends = 0, aligned = 0;
  for (int c = 0; c < to->chains; c++) {
    int q = to->chain[c];
    ends += tiler_reads_end(sh, s, a, q);
    aligned += a->at[q].kind == CDAG_AT && a->at[q].affine && tiler_form_plain(&a->at[q].lo, s->rank) >= 0;
  }
  a->kind = ends == to->chains ? TILER_END : to->chains == 1 && aligned == 1 ? TILER_ALIGNED : TILER_OTHER;
}

static void leave_out(tiler_statement *s, int i)
{
  s->accesses--;
  memmove(&s->begun[i], &s->begun[i + 1], (size_t)(s->accesses - i) * sizeof *s->begun);
  memmove(&s->access[i], &s->access[i + 1], (size_t)(s->accesses - i) * sizeof *s->access);
}

/* What a sum begins with is what another read names at its first step: `m = S[0]`, then m and S[0], S[1], ... */
static bool is_read_anyway(const tiler_statement *s, int i)
{
  const tiler_access *a = &s->begun[i];
  bool found = false;
  for (int k = 0; k < s->accesses && a->first && !found; k++) {
    const tiler_access *b = &s->begun[k];
    found = k != i && b->array == a->array && !b->first && b->held < 0 && !b->widened && !begins_by_several(s);
    for (int q = 0; q < a->rank && found; q++) {
      tiler_form f = b->at[q].lo;
      for (int c = 0; c < s->chains && found; c++)
        found = b->at[q].kind == CDAG_AT && at_first(s, f, s->chain[c], &f);
      found = found && memcmp(&f, &a->at[q].lo, sizeof f) == 0;
    }
  }
  return found;
}

/* Do both read the same, but for index q: a the element before the one that b reads at the first step? */
static bool is_one_before(const tiler_statement *s, const tiler_access *a, const tiler_access *b, int q)
{
  int c = s->chain[0];
  if (a->array != b->array || b->kind == TILER_OTHER || b->held >= 0)
    return false;
  for (int r = 0; r < a->rank; r++) {
    if (a->at[r].kind != CDAG_AT || b->at[r].kind != CDAG_AT || !a->at[r].affine || !b->at[r].affine)
      return false;
    if (r != q && memcmp(&a->at[r].lo, &b->at[r].lo, sizeof a->at[r].lo) != 0)
      return false;
  }
  return tiler_form_constant(&a->at[q].lo, s->rank) && a->at[q].lo.base == s->least[c] - 1 &&
         tiler_form_plain(&b->at[q].lo, s->rank) == c;
}

/* A sum that begins with the first of what it sums (`m = S[0]`, then m and S[1], ...) has no step for it.  It is given
   one, at which there is nothing to compute: then the first step's block holds both that are read. */
static void join_first(tiler_statement *s)
{
  int c = s->chain[0];
  if (s->chains != 1 || s->joined || !s->lo[c].affine || s->lo[c].n != 1)
    return;
  for (int i = 0; i < s->accesses; i++)
    for (int k = 0; k < s->accesses && s->begun[i].first && !s->joined; k++)
      for (int q = 0; q < s->begun[i].rank && !s->joined; q++)
        if (k != i && is_one_before(s, &s->begun[i], &s->begun[k], q)) {
          s->joined = true;
          leave_out(s, i);
        }
  s->lo[c].f[0].base -= s->joined;
  s->least[c] -= s->joined;
}

void tiler_begin_accesses(tiler_shape *sh, tiler_statement *s)
{
  s->begun = MEM_NEW(tiler_access, (size_t)s->accesses + 1);
  for (int i = 0; i < s->accesses; i++) {
    tiler_access *a = &s->begun[i];
    *a = s->access[i];
    if (!begins_by_several(s))
      begin_access(sh, s, a);
    tiler_access shared = s->access[i];
    if (!a->first && begin_shared(sh, s, &shared))
      *a = shared;
    for (int q = 0; q < a->rank && sh->g->array[a->array].count; q++)
      pin_index(sh, s, a, q);
    set_kind(sh, s, a);
    s->access[i].kind = a->kind;
  }
  for (int i = s->accesses - 1; i >= 0; i--)
    if (is_read_anyway(s, i))
      leave_out(s, i);
}

void tiler_shape_join(tiler_shape *sh)
{
  for (int a = 0; a < sh->g->arrays; a++)
    if (sh->s[a].computed && sh->s[a].begun)
      join_first(&sh->s[a]);
}

void tiler_shape_settle(tiler_shape *sh, int array)
{
  tiler_statement *s = &sh->s[array];
  tiler_find_chains(sh->g, s);
  tiler_begin_accesses(sh, s);
}
