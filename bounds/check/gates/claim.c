/* Claims of gates: as JSON, and whether they name what there is. */
#include "bounds/check/gates/gates.h"
#include "bounds/checker.h"
#include <string.h>

static bool keys_good(const normal_form *f, const gate_family *k, int array, const gate_keys *keys)
{
  for (int r = 0; r < f->array[k->array].rank; r++)
    if (k->role[r] == GATE_KEY && keys->loop[r] >= f->array[array].rank)
      return false;
  return true;
}

linear gates_fixed(const gate_family *k, int r)
{
  linear at = linear_constant(k->at[r]);
  if (k->along[r])
    at.coef[(k->along[r] < 0 ? -k->along[r] : k->along[r]) - 1] = k->along[r] < 0 ? -1 : 1;
  return at;
}

/* Fixed indices alone go along with others, and these are keys. */
static bool along_good(const gate_family *k)
{
  bool good = true;
  for (int r = 0; r < CDAG_RANK && good; r++)
    good = k->along[r] == 0 ||
           (k->role[r] == GATE_AT && k->role[(k->along[r] < 0 ? -k->along[r] : k->along[r]) - 1] == GATE_KEY);
  return good;
}

static int keys_of(const gate_family *k)
{
  int n = 0;
  for (int r = 0; r < CDAG_RANK; r++)
    n += k->role[r] == GATE_KEY;
  return n;
}

gate_keys gates_keys_for(const gate_family *from, const gate_keys *k, const gate_family *to)
{
  gate_keys moved = *k;
  for (int r = 0, q = -1; r < CDAG_RANK; r++) {
    int same = from->time;
    if (to->role[r] != GATE_KEY)
      continue;
    if (r != to->time) {
      do
        q++;
      while (from->role[q] != GATE_KEY || q == from->time);
      same = q;
    }
    moved.loop[r] = k->loop[same];
    moved.offset[r] = k->offset[same];
  }
  return moved;
}

bool gates_same_keys(const gate_family *x, const gate_family *y)
{
  return keys_of(x) == keys_of(y) && (x->time < 0) == (y->time < 0) && x->back == y->back;
}

static bool cut_good(const gate_family *x, const gate_cut *cut, int rank)
{
  return cut->key < rank && (cut->key < 0 || x->role[cut->key] == GATE_KEY);
}

/* Families that alternate have the same keys, and the same lag. */
static bool alternate_well(const gates_claim *c)
{
  for (int k = 0; k < c->families; k++) {
    const gate_family *x = &c->family[k], *y = &c->family[k > 0 ? k - 1 : 0];
    if (x->alternates && (x == y || x->lag != y->lag || !gates_same_keys(x, y)))
      return false;
  }
  return true;
}

/* A fork stands alone at its gates, which are of no time. */
static bool fork_good(const normal_form *f, const gate_family *x)
{
  bool good = x->fork.paths == 0 ||
              (x->uses == 0 && x->waits == 0 && x->time < 0 && x->lag == 1 && !x->alternates && x->partner < 0);
  for (int k = 0; k < x->fork.paths && good; k++)
    for (int side = 0; side < 2; side++)
      for (int l = 0; l < x->fork.side[side][k].links; l++)
        good = good && x->fork.side[side][k].link[l] < f->accesses;
  return good;
}

/* A word is read by way of another element at gates of Theorems 13 and 14 alone, which speak of one word or path. */
static bool ways_good(const normal_form *f, const gates_claim *c)
{
  bool good = true;
  for (int k = 0; k < c->families; k++) {
    const gate_family *x = &c->family[k];
    bool may = x->partner < 0 && !x->chained && c->cells.least == 0 && c->stays.scale == 0;
    for (int i = 0; i < x->uses; i++)
      good = good && x->use[i].via <= f->accesses && (x->use[i].via == 0 || (may && x->use[i].access >= 0));
    for (int i = 0; i < x->rows; i++)
      good = good && x->row[i].via == 0;
  }
  return good;
}

/* Words of rows: read by an element that the end of what waits, one kind of paths, tells. */
static bool rows_good(const normal_form *f, const gate_family *x)
{
  bool good = x->rows == 0 || (x->chained && x->waits == 1 && x->wait[0].array < f->arrays);
  for (int i = 0; i < x->rows && good; i++) {
    good = x->row[i].array < f->arrays && x->row[i].access >= 0 && x->row[i].access < f->accesses;
    for (int q = 0; good && q < f->array[x->row[i].array].rank; q++)
      good = x->row[i].keys.loop[q] < f->array[x->wait[0].array].rank;
  }
  return good;
}

bool gates_in_range(const normal_form *f, const gates_claim *c)
{
  for (int k = 0; k < c->families; k++) {
    const gate_family *x = &c->family[k];
    if (x->array >= f->arrays)
      return false;
    int rank = f->array[x->array].rank;
    for (int r = rank; r < CDAG_RANK; r++)
      if (x->role[r] == GATE_KEY)
        return false;
    if (x->chained > f->accesses || x->partner >= f->accesses || x->time >= rank ||
        (x->time >= 0 && x->role[x->time] != GATE_KEY) ||
        !along_good(x) || !cut_good(x, &x->cut, rank) || !cut_good(x, &x->twice, rank) || !fork_good(f, x) ||
        !rows_good(f, x))
      return false;
    for (int i = 0; i < x->uses; i++)
      if (x->use[i].array >= f->arrays || x->use[i].access >= f->accesses ||
          !keys_good(f, x, x->use[i].array, &x->use[i].keys))
        return false;
    for (int i = 0; i < x->waits; i++) {
      if (x->wait[i].array >= f->arrays || !keys_good(f, x, x->wait[i].array, &x->wait[i].keys))
        return false;
      for (int l = 0; l < x->wait[i].links; l++)
        if (x->wait[i].link[l] >= f->accesses)
          return false;
    }
  }
  const gate_stays *p = &c->stays;
  if (p->scale > 0 && (p->own >= f->accesses || p->read[0] >= f->accesses || p->read[1] >= f->accesses ||
                       c->families == 0 || c->family[0].partner < 0))
    return false;
  return alternate_well(c) && ways_good(f, c);
}

static void put_keys(const gate_keys *k, json *j)
{
  json_put_ints(j, "loops", k->loop, CDAG_RANK);
  json_put_int64s(j, "offsets", k->offset, CDAG_RANK);
}

/* Its pairs of paths, a side each. */
static void put_fork(const gate_fork *k, json *j)
{
  json_key(j, "fork");
  json_open(j, '[');
  for (int i = 0; i < k->paths; i++) {
    json_open(j, '{');
    json_put_ints(j, "first", k->side[0][i].link, k->side[0][i].links);
    json_put_ints(j, "second", k->side[1][i].link, k->side[1][i].links);
    json_put_bool(j, "inputs", k->input[i]);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_uses(const char *name, const gate_use *use, int n, json *j)
{
  json_key(j, name);
  json_open(j, '[');
  for (int i = 0; i < n; i++) {
    json_open(j, '{');
    json_put_int(j, "array", use[i].array);
    json_put_int(j, "access", use[i].access);
    if (use[i].via)
      json_put_int(j, "via", use[i].via);
    put_keys(&use[i].keys, j);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_family(const gate_family *k, json *j)
{
  int role[CDAG_RANK];
  for (int r = 0; r < CDAG_RANK; r++)
    role[r] = (int)k->role[r];
  json_open(j, '{');
  json_put_int(j, "array", k->array);
  json_put_ints(j, "roles", role, CDAG_RANK);
  json_put_int64s(j, "at", k->at, CDAG_RANK);
  for (int r = 0; r < CDAG_RANK; r++)
    if (k->along[r]) {
      json_put_ints(j, "along", k->along, CDAG_RANK);
      break;
    }
  json_put_int(j, "time", k->time);
  json_put_int(j, "lag", k->lag);
  if (k->phase)
    json_put_int(j, "phase", k->phase);
  if (k->alternates)
    json_put_bool(j, "alternates", true);
  if (k->back)
    json_put_bool(j, "back", true);
  put_uses("uses", k->use, k->uses, j);
  json_key(j, "waits");
  json_open(j, '[');
  for (int i = 0; i < k->waits; i++) {
    json_open(j, '{');
    json_put_int(j, "array", k->wait[i].array);
    json_put_ints(j, "links", k->wait[i].link, k->wait[i].links);
    put_keys(&k->wait[i].keys, j);
    json_close(j, '}');
  }
  json_close(j, ']');
  if (k->fork.paths)
    put_fork(&k->fork, j);
  if (k->chained)
    json_put_int(j, "chained", k->chained);
  if (k->rows)
    put_uses("rows", k->row, k->rows, j);
  json_put_int(j, "partner", k->partner);
  json_put_int64s(j, "segments", (const int64_t[]){ k->segments, k->first, k->length }, 3);
  json_put_int(j, "cut", k->cut.key);
  json_put_int(j, "from", k->cut.lo);
  json_put_int(j, "to", k->cut.hi);
  if (gates_waits(k))
    json_put_int64s(j, "twice", (const int64_t[]){ k->twice.key, k->twice.lo, k->twice.hi }, 3);
  json_close(j, '}');
}

void gates_claim_write(const gates_claim *c, json *j)
{
  affine_put_words(c->reading, c->own, c->owns, j);
  json_key(j, "gates");
  json_open(j, '[');
  for (int k = 0; k < c->families; k++)
    put_family(&c->family[k], j);
  json_close(j, ']');
  if (c->cells.least > 0) {
    json_put_int64s(j, "from", c->cells.lo, 3);
    json_put_int64s(j, "to", c->cells.hi, 3);
    json_put_int(j, "least", c->cells.least);
    json_put_int(j, "cap", c->cells.cap);
    if (c->cells.chained)
      json_put_bool(j, "chained", true);
    if (c->cells.once)
      json_put_bool(j, "once", true);
  }
  const gate_stays *p = &c->stays;
  if (p->scale > 0) {
    json_put_int64s(j, "prices", (const int64_t[]){ p->step, p->word, p->scale }, 3);
    json_put_ints(j, "reads", (const int[]){ p->own, p->read[0], p->read[1] }, 3);
    json_put_int(j, "stores", p->stores);
  }
}

enum { FAR = 1 << 30, MANY = 1 << 20 };

/* `least` -1: a loop may be none. */
static bool get_keys(const json_value *v, int least, gate_keys *k)
{
  return json_get_ints(v, "loops", CDAG_RANK, least, CDAG_RANK - 1, k->loop) == CDAG_RANK &&
         json_get_int64s(v, "offsets", CDAG_RANK, -FAR, FAR, k->offset) == CDAG_RANK;
}

static bool get_wait(const json_value *v, gate_wait *w)
{
  w->links = json_get_ints(v, "links", GATE_LINKS, 0, MANY, w->link);
  return w->links >= 1 && json_get_int_in(v, "array", 0, MANY, &w->array) && get_keys(v, 0, &w->keys);
}

static bool get_fork(const json_value *v, gate_fork *k)
{
  const json_value *list = json_get(v, "fork") ? json_get_items(v, "fork", FORK_PATHS, &k->paths) : NULL;
  bool good = k->paths >= 0;
  for (int i = 0; i < k->paths && good; i++) {
    const json_value *inputs = json_get(&list[i], "inputs");
    k->input[i] = inputs && inputs->type == JSON_TRUE;
    for (int side = 0; side < 2; side++) {
      fork_path *p = &k->side[side][i];
      p->links = json_get_ints(&list[i], side ? "second" : "first", GATE_LINKS, 0, MANY, p->link);
      good = good && p->links >= 1;
    }
  }
  return good;
}

/* Without `twice`, what waits counts twice wherever it counts. */
static bool get_cuts(const json_value *v, gate_family *k)
{
  int64_t twice[3];
  bool good = json_get_int_in(v, "cut", -1, CDAG_RANK - 1, &k->cut.key) && json_get_int(v, "from", &k->cut.lo) &&
              json_get_int(v, "to", &k->cut.hi) && k->cut.lo > -FAR && k->cut.hi < FAR;
  k->twice = k->cut;
  if (good && json_get(v, "twice")) {
    good = json_get_int64s(v, "twice", 3, -FAR, FAR, twice) == 3 && twice[0] >= -1 && twice[0] < CDAG_RANK;
    k->twice = (gate_cut){ good ? (int)twice[0] : -1, twice[1], twice[2] };
  }
  return good;
}

static bool get_uses(const json_value *v, const char *name, int most, int least, gate_use *use, int *n)
{
  const json_value *list = json_get_items(v, name, most, n);
  bool good = *n >= 0;
  for (int i = 0; i < *n && good; i++)
    good = json_get_int_in(&list[i], "array", 0, MANY, &use[i].array) &&
           json_get_int_in(&list[i], "access", -1, MANY, &use[i].access) &&
           (!json_get(&list[i], "via") || json_get_int_in(&list[i], "via", 0, MANY, &use[i].via)) &&
           get_keys(&list[i], least, &use[i].keys);
  return good;
}

static bool get_family(const json_value *v, gate_family *k)
{
  int role[CDAG_RANK];
  const json_value *alternates = json_get(v, "alternates"), *back = json_get(v, "back");
  const json_value *wait = json_get_items(v, "waits", GATE_WAITS, &k->waits);
  k->lag = 1;
  bool good = k->waits >= 0 && get_uses(v, "uses", GATE_USES, 0, k->use, &k->uses) &&
              (!json_get(v, "rows") || get_uses(v, "rows", GATE_ROWS, -1, k->row, &k->rows)) &&
              json_get_int_in(v, "array", 0, MANY, &k->array) &&
              json_get_ints(v, "roles", CDAG_RANK, 0, 2, role) == CDAG_RANK &&
              json_get_int64s(v, "at", CDAG_RANK, -FAR, FAR, k->at) == CDAG_RANK &&
              (!json_get(v, "along") ||
               json_get_ints(v, "along", CDAG_RANK, -CDAG_RANK, CDAG_RANK, k->along) == CDAG_RANK) &&
              json_get_int_in(v, "time", -1, CDAG_RANK - 1, &k->time) &&
              (!json_get(v, "lag") || json_get_int_in(v, "lag", 1, GATE_LAG, &k->lag)) &&
              (!json_get(v, "phase") || json_get_int_in(v, "phase", 0, 2 * GATE_LAG, &k->phase)) &&
              (!json_get(v, "chained") || json_get_int_in(v, "chained", 0, MANY, &k->chained)) &&
              (k->lag == 1 || k->time >= 0) && get_cuts(v, k);
  int64_t cut[3];
  k->alternates = alternates && alternates->type == JSON_TRUE;
  k->back = back && back->type == JSON_TRUE;
  good = good && json_get_int_in(v, "partner", -1, MANY, &k->partner) &&
         json_get_int64s(v, "segments", 3, 0, INT64_MAX / 4, cut) == 3;
  for (int i = 0; i < 3 && good; i++)
    *(i == 0 ? &k->segments : i == 1 ? &k->first : &k->length) = cut[i];
  for (int r = 0; r < CDAG_RANK && good; r++)
    k->role[r] = (gate_role)role[r];
  for (int i = 0; i < k->waits && good; i++)
    good = get_wait(&wait[i], &k->wait[i]);
  return good && get_fork(v, &k->fork);
}

static bool get_stays(const json_value *v, gate_stays *p)
{
  int64_t prices[3];
  int reads[3];
  if (json_get_int64s(v, "prices", 3, 1, INT64_MAX / 4, prices) != 3 ||
      json_get_ints(v, "reads", 3, 0, MANY, reads) != 3 || !json_get_int_in(v, "stores", 0, 1, &p->stores))
    return false;
  p->step = prices[0];
  p->word = prices[1];
  p->scale = prices[2];
  p->own = reads[0];
  p->read[0] = reads[1];
  p->read[1] = reads[2];
  return true;
}

bool gates_claim_read(const json_value *v, gates_claim *c, text *reason)
{
  memset(c, 0, sizeof *c);
  bool good = affine_get_words(v, &c->reading, c->own, &c->owns);
  const json_value *list = json_get_items(v, "gates", GATE_FAMILIES, &c->families);
  good = good && c->families >= 1;
  for (int k = 0; k < c->families && good; k++)
    good = get_family(&list[k], &c->family[k]);
  if (good && json_get(v, "least"))
    good = json_get_int(v, "least", &c->cells.least) && json_get_int(v, "cap", &c->cells.cap) && c->cells.least > 0 &&
           c->cells.cap >= c->cells.least && c->cells.cap < FAR &&
           json_get_int64s(v, "from", 3, -FAR, FAR, c->cells.lo) == 3 &&
           json_get_int64s(v, "to", 3, -FAR, FAR, c->cells.hi) == 3;
  const json_value *once = json_get(v, "once");
  c->cells.once = c->cells.least > 0 && once && once->type == JSON_TRUE;
  const json_value *chained = json_get(v, "chained");
  c->cells.chained = c->cells.least > 0 && chained && chained->type == JSON_TRUE;
  c->cells.ordered = c->cells.least > 0 && c->families > 1;
  good = good && (!json_get(v, "prices") || get_stays(v, &c->stays));
  return good || bound_refuse(reason, "the claim is not written as one");
}
