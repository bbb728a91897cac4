/* schedules/tune/proof.c -- the best of all settings of one or two parameters, without counting them all
   (docs/counting.md, "The tuner").

   io     the I/O as a polynomial, derived with every decision the same for all values of the parameters.  A parameter
          that it reads through ceil(C/x) only, or grows with, has classes: of all values that give the same ceilings
   the smallest is as good as any.  Of another parameter every value is a class of its own. floor  polynomials that are
   no more than the peak, some of them only where others are not negative (schedules/tune/floor.c).  A setting whose
   floor exceeds M does not fit; nor does any larger one, if the floor grows and holds up to there. follow A single
   parameter may have others that follow it: their values are the same all over a class.

   Settings are counted in the order of their I/O.  The first class that fits and is legal is the best, if of every
   class before it no member fits: larger members are counted too, unless a floor of theirs exceeds M, or all from some
   value on exceed it with the same moves (schedules/tune/prefix.c).  Where that is not enough for it to end, only
   smallest members are: then the answer rests on the peak not falling when a block grows. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tune/floor.h"
#include "schedules/tune/follow.h"
#include "schedules/tune/prefix.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 2, CLASS_TESTS = 1 << 16, CLASS_ALL = 1 << 12, CANDIDATES = 1 << 22 };
enum { PREFIXES = 256 };         /* settings whose first moves are looked at */
enum { UNBOUNDED = 1 << 30 };    /* no parameter that follows is larger, or the setting is counted */

typedef struct { int64_t io; int64_t x[PARAMETERS]; } candidate;
enum { UNKNOWN = -1 };           /* its I/O: beyond what the formula was derived for */

typedef struct {
  tuner *t;
  formula f;
  followers follow;            /* of a single free parameter */
  int atom[PARAMETERS];        /* of the free parameters */
  bool single[PARAMETERS];     /* every value is a class */
  poly io;
  tune_floors floors;
  bool *grows;                 /* by floor: holds everywhere and grows with the parameters */
  bool *slides; /* by floor: grows with the last parameter, and where it holds for one value it does for all smaller
                   ones */
  int64_t *start[PARAMETERS];  /* the smallest value of each class, ascending */
  size_t starts[PARAMETERS], start_room[PARAMETERS];
  candidate *candidate;
  size_t candidates, candidate_room;
  int64_t bar; /* of a single parameter: from here on no setting fits, as all exceed M with the same moves */
  int prefixes;                /* tests of that */
  uint64_t tests;              /* of members that are not the smallest, and of those in vain */
  bool assumed;                /* that larger members of a class do not fit when the smallest does not */
  text reason;
} proof;

/* ---- the shape of the polynomials ---- */

static int which(const proof *p, int atom)
{
  for (int i = 0; i < p->t->n; i++)
    if (p->atom[i] == atom)
      return i;
  return -1;
}

/* ceil(C/x) with C a number? */
static bool is_ceiling(const proof *p, const poly_atom *a, int64_t *c, int *x)
{
  int atom;
  if (a->kind != ATOM_CEIL || !poly_constant(a->p, c) || !poly_is_atom(a->q, &atom))
    return false;
  *x = which(p, atom);
  return *x >= 0;
}

/* A parameter that follows, and is the same all over a class. */
static bool is_follower(const proof *p, int atom)
{
  const poly_atom *a = &p->f.world.atom[atom];
  for (int i = 0; a->kind == ATOM_SLOT && i < p->follow.n; i++)
    if (a->slot == p->t->s->slot_param + p->follow.param[i])
      return p->f.span[a->slot].least >= 0;
  return false;
}

/* ceil(C/x) of one that follows? */
static bool is_fixed_ceiling(const proof *p, const poly_atom *a)
{
  int64_t c;
  int atom;
  return a->kind == ATOM_CEIL && poly_constant(a->p, &c) && c >= 0 && poly_is_atom(a->q, &atom) &&
         is_follower(p, atom);
}

/* Parameters in which a term is not constant on classes, nor grows inside them. */
static void note_singles(proof *p, const poly_term *t)
{
  for (int k = 0; k < t->n; k++) {
    int64_t c;
    int x, atom = t->f[k].atom;
    const poly_atom *a = &p->f.world.atom[atom];
    if (which(p, atom) >= 0 ? t->num > 0 : is_ceiling(p, a, &c, &x) || is_follower(p, atom) || is_fixed_ceiling(p, a))
      continue;
    poly_term factor = { .num = 1, .den = 1, .n = 1, .f = { { (int16_t)atom, 1 } } };
    for (int i = 0; i < p->t->n; i++)
      p->single[i] |= p->follow.n > 0 || poly_uses(&p->f.world, (poly){ &factor, 1, 1 }, p->atom[i]);
  }
}

static void find_singles(proof *p)
{
  for (uint32_t i = 0; i < p->io.n; i++)
    note_singles(p, &p->io.term[i]);
}

static bool good_floor(const proof *p, poly q);

/* A factor that grows with the parameters while those that follow stay: one of them, or the lesser of two such. */
static bool grows(const proof *p, int atom)
{
  const poly_atom *a = &p->f.world.atom[atom];
  return which(p, atom) >= 0 || is_follower(p, atom) ||
         (a->kind == ATOM_MIN && good_floor(p, a->p) && good_floor(p, a->q));
}

static bool good_floor(const proof *p, poly q)
{
  for (uint32_t i = 0; i < q.n; i++)
    for (int k = 0; k < q.term[i].n; k++)
      if (q.term[i].num < 0 || !grows(p, q.term[i].f[k].atom))
        return false;
  return true;
}

/* ---- deriving both ---- */

/* A parameter takes these values: a name, or a number where there is but one. */
static void name_values(proof *p, int param, span values)
{
  const schedule *s = p->t->s;
  int slot = s->slot_param + param;
  p->f.number[slot] = values.least == values.most;
  p->f.slot[slot] = values.least;
  p->f.span[slot] = values;
}

/* Free parameters are names with all their values; so are those that follow a single one. */
static bool name_parameters(proof *p)
{
  const schedule *s = p->t->s;
  formula *f = &p->f;
  span values[TUNE_MOST];
  if (!follow_find(&p->follow, p->t))
    return false;
  for (int i = 0; i < s->slot_param + s->params; i++)
    f->number[i] = true;
  for (int i = 0; i < p->t->n; i++) {
    name_values(p, p->t->param[i], (span){ 1, p->t->most[i] });
    f->number[s->slot_param + p->t->param[i]] = false;
    p->atom[i] = poly_slot(&f->world, s->slot_param + p->t->param[i], s->param[p->t->param[i]].name);
  }
  follow_spans(&p->follow, UNBOUNDED, values);
  bool settled = true;
  for (int i = 0; i < p->follow.n; i++) {
    name_values(p, p->follow.param[i], values[i]);
    settled &= values[i].least == values[i].most;
  }
  return settled || p->t->n == 1;
}

/* No negative value, and the same for all values of parameter i. */
static bool is_held(const proof *p, int atom, int i)
{
  const poly_atom *a = &p->f.world.atom[atom];
  int64_t c;
  int x;
  if (a->kind == ATOM_CEIL)
    return is_fixed_ceiling(p, a) || (is_ceiling(p, a, &c, &x) && x != i && c >= 0);
  return (which(p, atom) >= 0 && which(p, atom) != i) || is_follower(p, atom);
}

/* Does q never fall (sign 1) or never rise (sign -1) as parameter i grows and nothing else does? */
static bool is_monotone(const proof *p, poly q, int i, int sign)
{
  for (uint32_t k = 0; k < q.n; k++) {
    poly_term *t = &q.term[k];
    if (!poly_uses(&p->f.world, (poly){ t, 1, 1 }, p->atom[i]))
      continue;
    for (int m = 0; m < t->n; m++)
      if ((t->num > 0) != (sign > 0) || (t->f[m].atom != p->atom[i] && !is_held(p, t->f[m].atom, i)))
        return false;
  }
  return true;
}

static bool floor_slides(const proof *p, const tune_floor *floor)
{
  int last = p->t->n - 1;
  bool slides = is_monotone(p, floor->p, last, 1);
  for (size_t i = 0; i < floor->where.n && slides; i++)
    slides = is_monotone(p, floor->where.p[i], last, -1);
  return slides;
}

static void derive_floors(proof *p)
{
  tune_floors_derive(&p->floors, &p->f);
  p->grows = MEM_NEW(bool, p->floors.n);
  p->slides = MEM_NEW(bool, p->floors.n);
  for (size_t i = 0; i < p->floors.n; i++) {
    p->grows[i] = p->floors.floor[i].where.n == 0 && good_floor(p, p->floors.floor[i].p);
    p->slides[i] = floor_slides(p, &p->floors.floor[i]);
  }
}

/* Every parameter has a value while the formula is made. */
static bool begin(proof *p)
{
  bool set[TUNE_MOST] = { true, true };
  int64_t ones[TUNE_MOST] = { 1, 1 };
  if (!tune_put(p->t, set, ones))
    return false;
  formula_init(&p->f, p->t->s, &p->reason);
  return name_parameters(p);
}

static bool derive(proof *p)
{
  formula *f = &p->f;
  bool ok = begin(p) && formula_add(f, p->t->s->body, &p->io) && !f->world.failed;
  if (ok) {
    find_singles(p);
    derive_floors(p);
  }
  return ok;
}

/* ---- classes ---- */

/* Atoms that only decisions read do not divide into classes. */
static bool in_io(const proof *p, int atom)
{
  for (size_t i = 0; i < p->io.n; i++)
    for (int k = 0; k < p->io.term[i].n; k++)
      if (p->io.term[i].f[k].atom == atom)
        return true;
  return false;
}

static int64_t next_start(const proof *p, int x, int64_t v)
{
  int64_t next = INT64_MAX;
  if (p->single[x])
    return v + 1;
  for (int i = 0; i < p->f.world.n; i++) {
    int64_t c;
    int of;
    if (!is_ceiling(p, &p->f.world.atom[i], &c, &of) || of != x || c <= v || !in_io(p, i))
      continue;
    int64_t iterations = (c - 1) / v + 1, at = (c - 1) / (iterations - 1) + 1; /* least value with fewer iterations */
    next = at < next ? at : next;
  }
  return next;
}

/* The slots of a setting.  False: it is none. */
static bool put_values(proof *p, const int64_t *x)
{
  for (int i = 0; i < p->t->n; i++)
    p->f.slot[p->t->s->slot_param + p->t->param[i]] = x[i];
  return follow_values(&p->follow, p->f.slot);
}

/* Was all derived for values such as those that follow have now? */
static bool foreseen(const proof *p)
{
  for (int i = 0; i < p->follow.n; i++) {
    int slot = p->t->s->slot_param + p->follow.param[i];
    if (p->f.slot[slot] < p->f.span[slot].least || p->f.slot[slot] > p->f.span[slot].most)
      return false;
  }
  return true;
}

static void add_start(proof *p, int x, int64_t v)
{
  p->start[x] = mem_room(p->start[x], p->starts[x], &p->start_room[x], sizeof *p->start[x]);
  p->start[x][p->starts[x]++] = v;
}

/* From v to end those that follow are the same.  Where the formula says nothing, every value is a class. */
static void find_starts(proof *p, int x, int64_t v, int64_t end)
{
  int64_t at[PARAMETERS] = { v, 1 };
  bool known = p->follow.n == 0 || (put_values(p, at) && foreseen(p));
  for (; v <= end; v = known ? next_start(p, x, v) : v + 1)
    add_start(p, x, v);
}

static void find_all_starts(proof *p, int x)
{
  for (int64_t v = 1, end; v <= p->t->most[x]; v = end + 1) {
    bool dead = false;
    end = p->follow.n && p->t->n == 1 ? follow_end(&p->follow, v, &dead) : p->t->most[x];
    if (!dead)
      find_starts(p, x, v, end);
  }
}

typedef enum { MAY_FIT, NONE_FITS, NO_LARGER_FITS } fit; /* NO_LARGER: nor any larger one of the class */

static bool holds(const proof *p, const tune_floor *floor)
{
  expr_env env = { p->f.slot, p->t->s->g->table };
  int64_t v;
  bool all = true;
  for (size_t i = 0; i < floor->where.n && all; i++)
    all = poly_value(&p->f.world, floor->where.p[i], &env, &v) && v >= 0;
  return all;
}

/* Does the floor hold here, and exceed M? */
static bool is_above(const proof *p, const tune_floor *floor)
{
  expr_env env = { p->f.slot, p->t->s->g->table };
  int64_t v;
  return poly_value(&p->f.world, floor->p, &env, &v) && v > 0 && (uint64_t)v > p->t->rules.m && holds(p, floor);
}

static fit below(proof *p, const int64_t *x)
{
  fit best = MAY_FIT;
  if (p->t->n == 1 && x[0] >= p->bar)
    return NO_LARGER_FITS;
  if (!put_values(p, x))
    return NONE_FITS;
  for (size_t i = 0; i < p->floors.n && foreseen(p); i++) {
    if ((best == NONE_FITS && !p->grows[i]) || !is_above(p, &p->floors.floor[i]))
      continue;
    if (p->grows[i])
      return NO_LARGER_FITS;
    best = NONE_FITS;
  }
  return best;
}

static bool holds_at(proof *p, const tune_floor *floor, const int64_t *x)
{
  return put_values(p, x) && holds(p, floor);
}

/* A floor that exceeds M at x and slides: how far up to `end` does it hold? */
static int64_t slide(proof *p, const tune_floor *floor, const int64_t *x, int64_t end)
{
  int64_t at[PARAMETERS] = { x[0], x[1] }, *v = &at[p->t->n - 1], good = *v;
  *v = end;
  if (holds_at(p, floor, at))
    return end;
  for (int64_t bad = end; bad - good > 1;) {
    *v = good + (bad - good) / 2;
    if (holds_at(p, floor, at))
      good = *v;
    else
      bad = *v;
  }
  return good;
}

/* x does not fit: the last value of the last parameter, up to `end`, such that from x to it none does. */
static int64_t barred(proof *p, const int64_t *x, int64_t end)
{
  int64_t most = x[p->t->n - 1];
  for (size_t i = 0; i < p->floors.n && most < end && foreseen(p); i++)
    if (p->slides[i] && put_values(p, x) && is_above(p, &p->floors.floor[i])) {
      int64_t to = slide(p, &p->floors.floor[i], x, end);
      most = to > most ? to : most;
    }
  return most;
}

static bool add_candidate(proof *p, const int64_t *x)
{
  expr_env env = { p->f.slot, p->t->s->g->table };
  candidate c = { UNKNOWN, { x[0], p->t->n > 1 ? x[1] : 1 } };
  if (put_values(p, x) && foreseen(p) && (!poly_value(&p->f.world, p->io, &env, &c.io) || c.io < 0))
    return false;
  p->candidate = mem_room(p->candidate, p->candidates, &p->candidate_room, sizeof *p->candidate);
  p->candidate[p->candidates++] = c;
  return true;
}

/* Without parameters that follow, classes are in one order. */
static bool collect(proof *p)
{
  int64_t x[PARAMETERS] = { 1, 1 };
  size_t seconds = p->t->n > 1 ? p->starts[1] : 1;
  for (size_t i = 0; i < p->starts[0]; i++)
    for (size_t k = 0; k < seconds; k++) {
      x[0] = p->start[0][i];
      x[1] = p->t->n > 1 ? p->start[1][k] : 1;
      bool none = below(p, x) == NO_LARGER_FITS;
      if (none && k == 0 && p->follow.n == 0)
        return true;
      if (none)
        break;
      if (p->candidates == CANDIDATES || !add_candidate(p, x))
        return false;
    }
  return true;
}

static int by_io(const void *a, const void *b)
{
  const candidate *p = a, *q = b;
  if (p->io != q->io)
    return p->io < q->io ? -1 : 1;
  for (int i = 0; i < PARAMETERS; i++)
    if (p->x[i] != q->x[i])
      return p->x[i] < q->x[i] ? -1 : 1;
  return 0;
}

/* ---- counting them, best first ---- */

static bool attempt(proof *p, const int64_t *x)
{
  bool set[TUNE_MOST] = { true, true };
  int64_t value[TUNE_MOST] = { x[0], x[1] };
  return tune_try(p->t, set, value);
}

/* The last value of the class of parameter i that begins at v. */
static int64_t class_end(proof *p, int i, int64_t v)
{
  if (i >= p->t->n)
    return v;
  bool dead;
  int64_t next = next_start(p, i, v),
          end = p->follow.n && p->t->n == 1 && next > v + 1 ? follow_end(&p->follow, v, &dead) : p->t->most[i];
  return num_min(next - 1, end);
}

/* No setting from x on, up to `end` of the last parameter, fits?  The smallest of the class has been tried. */
static bool line_fails(proof *p, const candidate *c, int64_t *x, int64_t end)
{
  int64_t *v = &x[p->t->n - 1];
  for (; *v <= end; ++*v) {
    fit may = below(p, x);
    if (may == NO_LARGER_FITS)
      return true;
    if (may == NONE_FITS)
      *v = barred(p, x, end);
    if (may == NONE_FITS || (x[0] == c->x[0] && x[1] == c->x[1]))
      continue;
    p->assumed |= p->tests++ >= CLASS_ALL;
    if (p->assumed)
      return true;
    if (attempt(p, x))
      return false;
  }
  return true;
}

static bool begin_alike(proof *p, int64_t v) { return p->prefixes++ < PREFIXES && tune_prefix_bars(p->t, v); }

/* Of the members of a class of a single parameter, the first from which on no setting fits, all exceeding M with the
 * same moves. */
static void set_bar(proof *p, int64_t from, int64_t end)
{
  int64_t bad = from - 1, good = from, second[PARAMETERS] = { from + 1, 1 };
  if (from == end || below(p, second) == NO_LARGER_FITS)
    return;
  for (int64_t step = 1; !begin_alike(p, good); step *= 2) {
    if (good == end)
      return;
    bad = good;
    good = num_min(good + step, end);
  }
  while (good - bad > 1) {
    int64_t half = bad + (good - bad) / 2;
    if (begin_alike(p, half))
      good = half;
    else
      bad = half;
  }
  p->bar = num_min(p->bar, good);
}

/* A class of a single parameter has more members than will be counted, and no floor says anything of the last? */
static bool too_many(proof *p, int64_t from, int64_t end)
{
  int64_t last[PARAMETERS] = { end, 1 };
  return (uint64_t)(end - from) + p->tests > CLASS_ALL && below(p, last) == MAY_FIT;
}

/* No member of the class but the smallest fits either?  One that does becomes the best.  After CLASS_ALL of them that
 * is taken for true. */
static bool class_fails(proof *p, const candidate *c)
{
  int64_t x[PARAMETERS] = { c->x[0], c->x[1] },
          end[PARAMETERS] = { class_end(p, 0, c->x[0]), class_end(p, 1, c->x[1]) };
  if (p->t->n == 1) {
    set_bar(p, x[0], end[0]);
    p->assumed |= too_many(p, x[0], end[0]);
    return p->assumed || line_fails(p, c, x, end[0]);
  }
  for (; x[0] <= end[0] && !p->assumed; x[0]++) {
    x[1] = c->x[1];
    if (!line_fails(p, c, x, end[1]))
      return false;
  }
  return true;
}

static bool better_known(const proof *p, const candidate *c)
{
  return p->t->found && c->io != UNKNOWN && p->t->io <= (num_count)c->io;
}

/* Those of unknown I/O come first, and all of them are counted. */
static bool decide(proof *p)
{
  if (p->candidates)
    qsort(p->candidate, p->candidates, sizeof *p->candidate, by_io);
  for (size_t i = 0; i < p->candidates && !better_known(p, &p->candidate[i]); i++) {
    const candidate *c = &p->candidate[i];
    bool fits = below(p, c->x) == MAY_FIT && attempt(p, c->x);
    if (!fits && ++p->tests > CLASS_TESTS)
      return false;
    if (c->io != UNKNOWN && (fits || !class_fails(p, c)))
      return p->t->io == (num_count)c->io; /* else the formula is wrong: let another way decide */
  }
  return p->tests <= CLASS_TESTS;
}

/* ---- the whole ---- */

static void proof_clear(proof *p)
{
  tune_floors_clear(&p->floors);
  mem_free(p->grows);
  mem_free(p->slides);
  for (int i = 0; i < PARAMETERS; i++)
    mem_free(p->start[i]);
  mem_free(p->candidate);
  text_clear(&p->reason);
  follow_clear(&p->follow);
  if (p->f.s)
    formula_clear(&p->f);
}

static void write_record(proof *p)
{
  text_add(p->t->record, "I/O = ");
  poly_print(&p->f.world, p->io, p->t->record);
  text_printf(p->t->record, " for every setting; %zu distinct I/O values remain after a bound on the peak; settings "
              "were tried in increasing I/O, and number %" PRIu64 " fitted", p->candidates, p->t->searched);
  if (p->bar < INT64_MAX)
    text_printf(p->t->record, "; with %s = %" PRId64 " and more all begin with the same moves, which exceed M",
                p->t->s->param[p->t->param[0]].name, p->bar);
  if (p->assumed)
    text_add(
        p->t->record,
        "; where the smallest member of a class that moves fewer words did not fit, not every larger one was counted: "
        "that none fits rests on the peak not falling when a block grows");
}

bool tune_by_formula(tuner *t)
{
  if (t->n < 1 || t->n > PARAMETERS || !t->counter)
    return false;
  proof p = { .t = t, .bar = INT64_MAX };
  uint64_t searched = t->searched;
  bool ok = derive(&p);
  for (int i = 0; ok && i < t->n; i++)
    find_all_starts(&p, i);
  ok = ok && collect(&p) && decide(&p);
  if (ok) {
    t->exact = !p.assumed;
    write_record(&p);
  } else {
    t->found = false;
    t->searched = searched;
  }
  proof_clear(&p);
  return ok;
}

/* ---- the floors alone ---- */

struct tune_bars { proof p; };

void tune_set_bars(tuner *t)
{
  if (t->n < 1 || t->n > PARAMETERS || !t->counter)
    return;
  t->bars = MEM_NEW(struct tune_bars, 1);
  t->bars->p.t = t;
  t->bars->p.bar = INT64_MAX;
  if (begin(&t->bars->p))
    derive_floors(&t->bars->p);
}

void tune_clear_bars(tuner *t)
{
  if (t->bars)
    proof_clear(&t->bars->p);
  mem_free(t->bars);
}

bool tune_barred(tuner *t, const int64_t *value)
{
  int64_t x[PARAMETERS] = { value[0], value[1] };
  return t->bars && t->bars->p.floors.n > 0 && below(&t->bars->p, x) != MAY_FIT;
}
