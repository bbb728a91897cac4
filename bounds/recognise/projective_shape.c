/* From a reduction statement to its ways (docs/theory-lp.md, section 7).

   Needs of a step: its chain (a word of it, or a counted birth), its input operands, and each computed operand of which
   a tree is known: either a word of the tree (carried) or all its leaves (local).  Operands of which nothing is known,
   that are not always there or whose place comes from a table are left out: fewer needs make a smaller bound, never a
   false one. */
#include "bounds/check/reading/read.h"
#include "bounds/recognise/projective_shape.h"
#include "base/num.h"
#include <string.h>

/* ---- objects ---- */

static bool meet(const proj_objects *o, const proj_object *a, const proj_object *b)
{
  if (a->input != b->input)
    return false;
  return a->input ? checker_boxes_meet(o->g, a->array, &a->box, b->array, &b->box)
                  : (a->arrays & b->arrays) != 0;
}

static int root(proj_objects *o, int i)
{
  while (o->object[i].parent != i)
    i = o->object[i].parent;
  return i;
}

static int add_object(proj_objects *o, proj_object object)
{
  if (o->n == PROJ_OBJECTS)
    return -1;
  object.parent = o->n;
  o->object[o->n] = object;
  for (int i = 0; i < o->n; i++)
    if (meet(o, &o->object[i], &object))
      o->object[root(o, i)].parent = root(o, o->n);
  return o->n++;
}

static int add_input(proj_objects *o, int array, const cdag_box *box)
{
  return add_object(o, (proj_object){ .input = true, .array = array, .box = *box });
}

/* ---- items ---- */

static proj_item simple(unsigned loops, int purse, int term, int array)
{
  return (proj_item){
    .loops = loops, .parts = 1, .part = { { purse, 1, 1, array, 0 } }, .power_den = 1, .factor = 1, .term = term
  };
}

/* A chain that starts from an input word has that word for a vertex. */
static int chain_purse(proj_objects *o, const bound_statement *s)
{
  if (s->array >= 64)
    return -1;
  int chain = add_object(o, (proj_object){ .arrays = (uint64_t)1 << s->array });
  for (int i = 0; i < s->operands && chain >= 0; i++)
    if (s->operand[i].term == s->seed) {
      int seed = add_input(o, s->operand[i].array, &s->operand[i].box);
      if (seed < 0)
        return -1;
      o->object[root(o, seed)].parent = root(o, chain);
    }
  return chain;
}

/* How much of the operand's loops a leaf would newly tell apart. */
static int gain(const bound_leaf *l, unsigned left, unsigned all)
{
  return l->given || l->loops & ~all ? 0 : __builtin_popcount(l->loops & left);
}

enum { SHARES = 8 };

/* Leaves with the same loops: making one setting needs the words of all.  Each takes a share of SHARES in proportion.
 */
static bool add_parts(proj_objects *o, const bound_operand *c, unsigned loops, proj_item *item)
{
  int64_t sum = 0, given_out = 0;
  int last = -1;
  for (int i = 0; i < c->leaves; i++)
    if (c->leaf[i].loops == loops && !c->leaf[i].given && !num_add(sum, c->leaf[i].width, &sum))
      return false;
  for (int i = 0; i < c->leaves; i++) {
    const bound_leaf *l = &c->leaf[i];
    if (l->loops != loops || l->given || item->parts == PROJ_PARTS)
      continue;
    int64_t share = (int64_t)((double)l->width / (double)sum * SHARES + .5);
    share = num_min(share, SHARES - given_out);
    int purse = add_input(o, l->array, &l->box);
    if (purse < 0)
      return false;
    given_out += share;
    last = item->parts;
    item->part[item->parts++] = (proj_part){ purse, l->width, share, l->array, loops };
  }
  if (last < 0)
    return false;
  item->part[last].power += SHARES - given_out;
  return true;
}

/* The settings of a local operand: a product over leaves that together tell its loops. */
static bool local_item(proj_objects *o, const bound_operand *c, proj_item *item)
{
  *item = (proj_item){ .loops = c->loops, .power_den = SHARES, .factor = 1, .term = c->term, .made = true };
  unsigned left = c->loops;
  while (left) {
    int best = -1;
    for (int i = 0; i < c->leaves; i++)
      if (gain(&c->leaf[i], left, c->loops) > (best < 0 ? 0 : gain(&c->leaf[best], left, c->loops)))
        best = i;
    if (best < 0 || !add_parts(o, c, c->leaf[best].loops, item))
      return false;
    left &= ~c->leaf[best].loops;
  }
  return true;
}

/* Where the leaves do not tell all loops: each group of leaves an item by itself. */
static bool leaf_items(proj_objects *o, const bound_operand *c, proj_item *item, int room, int *n)
{
  for (int i = 0; i < c->leaves; i++) {
    bool done = false;
    for (int k = 0; k < i; k++)
      done = done || c->leaf[k].loops == c->leaf[i].loops;
    if (done || !gain(&c->leaf[i], c->loops, c->loops))
      continue;
    if (*n == room)
      return false;
    item[*n] =
        (proj_item){ .loops = c->leaf[i].loops, .power_den = SHARES, .factor = 1, .term = c->term, .made = true };
    if (!add_parts(o, c, c->leaf[i].loops, &item[*n]))
      return false;
    (*n)++;
  }
  return *n > 0;
}

static bool usable(const bound_operand *c) { return c->always && !c->given && (c->input || c->leaves > 0); }

enum { CHOICES = 3, LOCAL = 2 };

typedef struct {
  proj_item carried, local[LOCAL];
  int locals;
  bool whole; /* local[0] tells all the operand's loops */
} choice;

static bool choice_of(proj_objects *o, const bound_operand *p, choice *c)
{
  *c = (choice){ .locals = 1 };
  c->whole = local_item(o, p, &c->local[0]);
  if (!c->whole) {
    c->locals = 0;
    if (!leaf_items(o, p, c->local, LOCAL, &c->locals))
      return false;
  }
  int purse = add_object(o, (proj_object){ .arrays = p->tree });
  c->carried = simple(p->loops, purse, p->term, p->array);
  return purse >= 0;
}

/* Everything but computed operands goes into way 0; those into choice. */
static bool collect(proj_objects *o, const bound_statement *s, proj_way *base, choice *c, int *choices)
{
  int chain = chain_purse(o, s);
  if (chain < 0)
    return false;
  base->item[base->items++] = simple(((1u << s->rank) - 1) & ~s->chain, chain, -1, s->array);
  for (int i = 0; i < s->operands; i++) {
    const bound_operand *p = &s->operand[i];
    if (!usable(p) || p->term == s->seed || p->loops == 0)
      continue;
    if (p->input) {
      int purse = add_input(o, p->array, &p->box);
      if (purse < 0 || base->items == PROJ_ITEMS - CHOICES * LOCAL)
        return false;
      base->item[base->items++] = simple(p->loops, purse, p->term, p->array);
    } else if (*choices < CHOICES)
      *choices += choice_of(o, p, &c[*choices]);
  }
  return true;
}

bool bound_proj_of_statement(proj_objects *o, const bound_statement *s, proj_statement *p)
{
  choice c[CHOICES];
  int choices = 0;
  proj_way base = { .loops = s->rank };
  memset(p, 0, sizeof *p);
  memcpy(base.extent, s->extent, sizeof base.extent);
  if (!collect(o, s, &base, c, &choices))
    return false;
  p->ways = 1 << choices;
  p->plain = base.items;
  p->whole = true;
  for (int k = 0; k < choices; k++)
    p->whole = p->whole && c[k].whole;
  for (int w = 0; w < p->ways; w++) {
    proj_way *way = &p->way[w];
    *way = base;
    for (int k = 0; k < choices; k++)
      for (int t = 0; t < (w >> k & 1 ? c[k].locals : 1); t++)
        way->item[way->items++] = w >> k & 1 ? c[k].local[t] : c[k].carried;
  }
  return true;
}

/* ---- purses ---- */

static int number_of(int *seen, int *n, int id)
{
  for (int i = 0; i < *n; i++)
    if (seen[i] == id)
      return i;
  if (*n == PROJ_PURSES)
    return -1;
  seen[*n] = id;
  return (*n)++;
}

static bool number_items(proj_objects *o, proj_statement *p, int *seen, int *n)
{
  for (int w = 0; w < p->ways; w++)
    for (int t = 0; t < p->way[w].items; t++)
      for (int k = 0; k < p->way[w].item[t].parts; k++) {
        proj_part *part = &p->way[w].item[t].part[k];
        part->purse = number_of(seen, n, root(o, part->purse));
        if (part->purse < 0)
          return false;
      }
  return true;
}

static unsigned purses_of(const proj_item *item)
{
  unsigned purses = 0;
  for (int k = 0; k < item->parts; k++)
    purses |= 1u << item->part[k].purse;
  return purses;
}

static bool returns_grow(const proj_item *item)
{
  int64_t sum = 0;
  for (int k = 0; k < item->parts; k++)
    sum += item->part[k].power;
  return sum >= item->power_den;
}

/* A mixture of carried and local values never beats the better of the two alone when both cost words of their own and
   the local ones are made at a falling price: then p + l(E - p) is concave in p.  Way 0 carries all operands, the last
   way makes all. */
static bool ways_separate(const proj_statement *p)
{
  const proj_way *carry = &p->way[0], *make = &p->way[p->ways - 1];
  int plain = p->plain;
  unsigned taken = 0;
  for (int t = 0; t < carry->items; t++) {
    unsigned carried = purses_of(&carry->item[t]), local = t < plain ? 0 : purses_of(&make->item[t]);
    if (t >= plain && ((carried | local) & taken || carried & local || !returns_grow(&make->item[t])))
      return false;
    taken |= carried | local;
  }
  return true;
}

bool bound_proj_number(proj_objects *o, proj_statement **p, int n)
{
  int seen[PROJ_PURSES], purses = 0;
  for (int i = 0; i < n; i++)
    if (!number_items(o, p[i], seen, &purses))
      return false;
  for (int i = 0; i < n; i++)
    p[i]->best_way_alone = p[i]->whole && ways_separate(p[i]);
  return true;
}
