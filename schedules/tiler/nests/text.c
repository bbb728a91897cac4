#include "schedules/tiler/nests/text.h"
#include "base/mem.h"
#include "schedules/tiler/nests/words.h"
#include <inttypes.h>
#include <string.h>

typedef struct {
  const tiler_tree *t;
  const char (*length)[CDAG_NAME];
  text *out;
  int depth;
  uint64_t spared;             /* groups that are not loaded in this part */
  uint64_t trimmed;            /* and those of which one word is loaded already */
  int value;                   /* the class that names it */
  const char *verb;            /* of the line that is open, or NULL */
  const tiler_bundles *rest;   /* only pairs of rows that no triangular block has, or NULL */
  const tiler_bundles *pairs;  /* whose pairs go with those the other way round, or NULL */
  tiler_tree *other;           /* with the names of rows and of rows before them the other way round */
  bool meets;                  /* a bundle's pairs with itself are among them */
  bool both;                   /* in a part that has pairs of one order only: the others go with them */
} printer;

static void indent(printer *p)
{
  for (int k = 0; k < p->depth; k++)
    text_add(p->out, "  ");
}

static void end_line(printer *p)
{
  if (p->verb)
    text_char(p->out, '\n');
  p->verb = NULL;
}

/* One more box for that verb: on the same line as the last. */
static void begin_box(printer *p, const char *verb)
{
  if (p->verb && strcmp(p->verb, verb) == 0) {
    text_add(p->out, ", ");
    return;
  }
  end_line(p);
  indent(p);
  text_printf(p->out, "%s ", verb);
  p->verb = verb;
}

static void open_loop(printer *p, const char *name, const char *range, const char *by)
{
  end_line(p);
  indent(p);
  text_printf(p->out, "for %s in %s%s%s {\n", name, range, by ? " by " : "", by ? by : "");
  p->depth++;
}

static void close_loop(printer *p)
{
  end_line(p);
  p->depth--;
  indent(p);
  text_add(p->out, "}\n");
}

/* A loop over the values of a class, in its block where it has one. */
static void open_values(printer *p, int c, uint32_t who, tiler_node *at)
{
  text range = { 0 };
  if (at->blocked >> c & 1)
    text_add(&range, p->t->n->cls[c].block);
  else
    tiler_range(p->t->n, c, who, at, &range);
  open_loop(p, p->t->n->cls[c].name, text_str(&range), NULL);
  at->single |= 1u << c;
  text_clear(&range);
}

/* Ends of chains that depend on an index: no box names them, so they go one by one. */
static void print_ends(printer *p, const char *verb, int x, tiler_node at)
{
  int needs = tiler_end_needs(p->t->n, x, &at);
  if (needs < 0) {
    begin_box(p, verb);
    tiler_own_box(p->t->n, x, &at, TILER_ENDS, p->out);
    return;
  }
  open_values(p, needs, 1u << x, &at);
  print_ends(p, verb, x, at);
  close_loop(p);
}

static void print_own(printer *p, const char *verb, int x, const tiler_node *at, tiler_part part)
{
  begin_box(p, verb);
  tiler_own_box(p->t->n, x, at, part, p->out);
}

/* The class of a block that two indices of the box name, or -1. */
static int named_twice(const tiler_group *g, const tiler_node *at)
{
  uint32_t seen = 0;
  for (int q = 0; q < g->rank; q++) {
    uint32_t here = 0;
    for (int k = 0; g->kind[q] == CDAG_AT && k < g->lo[q].n; k++)
      here |= 1u << g->lo[q].cls[k];
    uint32_t twice = seen & here & ~at->single;
    if (twice)
      return __builtin_ctz(twice);
    seen |= here;
  }
  return -1;
}

/* Classes c and d of a box of which the readers have one side of a diagonal, where the array has both: what nobody
   reads would stay.  Not in the parts of a loop that is split there which do not meet it. */
static bool is_cut_by_readers(const printer *p, const tiler_group *g, const tiler_node *at, int *c, int *d)
{
  const tiler_nest *n = p->t->n;
  uint32_t plain = 0;
  if (!n->s->g->array[g->array].rectangular)
    return false;
  for (int q = 0; q < g->rank; q++)
    if (g->kind[q] == CDAG_AT && g->lo[q].n == 1 && g->lo[q].coef[0] == 1 && g->lo[q].base == 0)
      plain |= 1u << g->lo[q].cls[0];
  plain &= ~n->chain[g->first];
  for (*c = 0; *c < n->classes; ++*c)
    for (*d = 0; *d < n->classes; ++*d) {
      bool split = p->t->diagonal[*d].outer == *c || p->t->diagonal[*c].outer == *d;
      if ((plain >> *c & plain >> *d & 1) && (n->slanted[*c] >> *d & 1) && !(at->single >> *d & 1) &&
          !n->band[*c][*d] && (!split || p->meets || p->spared || p->trimmed))
        return true;
    }
  return false;
}

/* T[k,J,k - 1] over a block of k is no box: its elements come one by one. */
static void print_diagonal(printer *p, const tiler_group *g, tiler_node at)
{
  const tiler_nest *n = p->t->n;
  int c = named_twice(g, &at), row, column;
  bool cut = c < 0 && is_cut_by_readers(p, g, &at, &row, &column);
  if (cut && !(at.single >> row & 1))
    c = row;
  if (c < 0) {
    begin_box(p, "load");
    if (cut)
      tiler_box_cut(n, g, &at, column, p->out);
    else
      tiler_box(n, g, &at, p->out);
    return;
  }
  open_values(p, c, g->readers, &at);
  print_diagonal(p, g, at);
  close_loop(p);
}

/* A condition that became part of an index: over a block of steps its box would hold what no step reads. */
static bool is_pinned(const tiler_statement *s, const tiler_access *a)
{
  int c = s->chain[0], many = 0;
  for (int q = 0; q < a->rank; q++) {
    const tiler_form *f = &a->at[q].lo;
    for (int r = 0; r < s->rank; r++)
      many += f->coef[c] != 0 && f->coef[r] != 0 && (r != c || f->coef[c] != 1);
  }
  return many > 0;
}

/* What is there at the first step of a chain comes with the block that has this step, where the chain goes by blocks.
 */
static void print_init(printer *p, int i, const tiler_node *at)
{
  const tiler_nest *n = p->t->n;
  const tiler_group *g = &n->init[i];
  const tiler_statement *s = tiler_at(n, g->first);
  const tiler_access *whole = &s->access[g->access - s->begun];
  int first = s->chain[0], cls = n->of[g->first][first];
  tiler_group through;
  if (g->access->first && (at->blocked >> cls & 1) && tiler_start_needs(n, g->first, at) < 0 && s->lo[first].n == 1 &&
      is_pinned(s, whole)) {
    text start = { 0 };
    tiler_words w;
    tiler_value(n, g->first, &s->lo[first].f[0], at, &w);
    tiler_words_print(&start, &w);
    const char *block = n->cls[cls].block, *at_start = text_str(&start);
    end_line(p);
    indent(p);
    text_printf(p->out, "if (lo(%s) <= %s) * (%s < hi(%s)) { load ", block, at_start, at_start, block);
    tiler_box(n, g, at, p->out);
    text_add(p->out, " }\n");
    text_clear(&start);
    return;
  }
  tiler_group_of(n, g->first, whole, &through);
  print_diagonal(p, n->chain[g->first] & (at->blocked | at->single) ? &through : g, *at);
}

static void print_one(printer *p, const tiler_op *o, const tiler_node *at)
{
  const tiler_nest *n = p->t->n;
  switch (o->kind) {
  case OP_LOAD: case OP_DROP:
    if (p->spared >> o->what & 1)
      break;
    begin_box(p, o->kind == OP_LOAD ? "load" : "drop");
    if (p->trimmed >> o->what & 1)
      tiler_box_without(n, &n->group[o->what], at, p->t->trim[o->what], p->value, p->out);
    else
      tiler_box(n, &n->group[o->what], at, p->out);
    break;
  case OP_INIT: print_init(p, o->what, at); break;
  case OP_START: print_own(p, "load", o->what, at, TILER_FIRST); break;
  case OP_PARTIAL_IN: print_own(p, "load", o->what, at, TILER_BEFORE); break;
  case OP_PARTIAL_OUT:
    print_own(p, "store", o->what, at, TILER_AFTER);
    print_own(p, "drop", o->what, at, TILER_AFTER);
    break;
  case OP_STORE: print_ends(p, "store", o->what, *at); break;
  case OP_DROP_END: print_ends(p, "drop", o->what, *at); break;
  case OP_GROW: case OP_SHRINK: break;
  }
}

/* ---- pairs the other way round ---- */

static void mirror_init(printer *p, const tiler_bundles *b)
{
  if (!b->mirror)
    return;
  tiler_nest *n = MEM_NEW(tiler_nest, 1);
  p->other = MEM_NEW(tiler_tree, 1);
  *n = *p->t->n;
  *p->other = *p->t;
  p->other->n = n;
  n->cls[b->rows] = p->t->n->cls[b->before];
  n->cls[b->before] = p->t->n->cls[b->rows];
  p->pairs = b;
}

static void mirror_clear(printer *p)
{
  if (p->other)
    mem_free((void *)p->other->n);
  mem_free(p->other);
}

static bool is_of_pair(const printer *p, uint32_t classes)
{
  return p->both && classes >> p->pairs->rows & 1 && classes >> p->pairs->before & 1;
}

static uint32_t turned(uint32_t set, int a, int b)
{
  uint32_t differ = (set >> a ^ set >> b) & 1;
  return set ^ (differ << a | differ << b);
}

/* Names and places the other way round; a second time: as before. */
static tiler_node turn(printer *p, const tiler_tree **kept, const tiler_node *at)
{
  tiler_node there = *at;
  *kept = p->t;
  p->t = p->other;
  there.blocked = turned(at->blocked, p->pairs->rows, p->pairs->before);
  there.single = turned(at->single, p->pairs->rows, p->pairs->before);
  return there;
}

static void print_op(printer *p, const tiler_op *o, const tiler_node *at)
{
  const tiler_nest *n = p->t->n;
  bool group = o->kind == OP_LOAD || o->kind == OP_DROP;
  print_one(p, o, at);
  if (is_of_pair(p, group ? n->group[o->what].rel : o->kind == OP_INIT ? n->init[o->what].rel : n->has[o->what])) {
    const tiler_tree *kept;
    tiler_node there = turn(p, &kept, at);
    print_one(p, o, &there);
    p->t = kept;
  }
}

/* Stores before drops, and each on one line. */
static void print_ops(printer *p, int first, const tiler_node *at)
{
  static const tiler_op_kind order[][2] = {
    { OP_LOAD, OP_PARTIAL_IN }, { OP_INIT, OP_START }, { OP_STORE, OP_PARTIAL_OUT }, { OP_DROP, OP_DROP_END }
  };
  for (int k = 0; k < 4; k++)
    for (int i = first; i >= 0; i = p->t->op[i].next)
      if (p->t->op[i].kind == order[k][0] || p->t->op[i].kind == order[k][1])
        print_op(p, &p->t->op[i], at);
}

static void print_compute(printer *p, int x, const tiler_node *at)
{
  const tiler_nest *n = p->t->n;
  const char *before = " dropping ";
  end_line(p);
  indent(p);
  text_add(p->out, "compute ");
  tiler_own_box(n, x, at, TILER_COMPUTED, p->out);
  for (int y = 0; y < n->n; y++)
    if (p->t->drops[x] >> y & 1) {
      text_printf(p->out, "%s%s", before, n->s->g->array[n->stmt[y]].name);
      before = ", ";
    }
  for (int i = 0; i < n->inits; i++)
    if (p->t->drops_init[x] >> i & 1) {
      text_printf(p->out, "%s%s", before, n->s->g->array[n->init[i].array].name);
      before = ", ";
    }
  for (int y = 0; y < n->n; y++)
    if (p->t->drops_behind[x] >> y & 1) {
      text_add(p->out, before);
      tiler_step_before(n, y, at, p->out);
      before = ", ";
    }
  text_char(p->out, '\n');
}

static void print_leaf(printer *p, int x, const tiler_node *at)
{
  print_compute(p, x, at);
  if (is_of_pair(p, p->t->n->has[x])) {
    const tiler_tree *kept;
    tiler_node there = turn(p, &kept, at);
    print_compute(p, x, &there);
    p->t = kept;
  }
}

static uint32_t statements_under(const tiler_tree *t, int node)
{
  uint32_t set = 0;
  for (int x = 0; x < t->n->n; x++)
    if (tiler_above(t, node, t->leaf[x]) && (t->n->has[x] >> t->node[node].cls & 1))
      set |= 1u << x;
  return set;
}

static void print_node(printer *p, int node);

static void print_turns(printer *p, int node, const char *range)
{
  const tiler_node *k = &p->t->node[node];
  const tiler_class *c = &p->t->n->cls[k->cls];
  open_loop(p, k->block ? c->block : c->name, range, k->block ? p->length[k->cls] : NULL);
  print_node(p, node);
  close_loop(p);
}

static void print_part(printer *p, int node, const char *lo, const char *hi, bool diagonal)
{
  int inner = p->t->node[node].cls;
  uint64_t spared = diagonal ? p->t->diagonal[inner].spared : 0;
  text range = { 0 };
  if (strcmp(lo, "0") != 0)
    text_printf(&range, "%s..", lo);
  text_add(&range, hi);
  p->spared |= spared;
  p->trimmed = diagonal ? p->t->diagonal[inner].trimmed : 0;
  p->value = inner;
  print_turns(p, node, text_str(&range));
  p->spared &= ~spared;
  p->trimmed = 0;
  text_clear(&range);
}

/* All bundles of a plane are one group. */
static const char *groups_of(const tiler_bundles *b) { return b->plane ? "1" : b->groups; }

/* Rows before a row of group u come from the group on; before those left over, all. */
static void add_group_start(const printer *p, text *lo)
{
  const tiler_bundles *b = p->rest;
  text start = { 0 };
  if (strcmp(text_str(lo), "0") != 0)
    text_printf(&start, "%s + ", text_str(lo));
  text_printf(&start, "(%s < %s)*%s*%s*%s", b->u, groups_of(b), b->bundle, b->cycle, b->u);
  text_clear(lo);
  text_add(lo, text_str(&start));
  text_clear(&start);
}

/* Before the diagonal, on it, and behind it. */
static void print_split(printer *p, int node)
{
  const tiler_tree *t = p->t;
  int inner = t->node[node].cls;
  const tiler_class *outer = &t->n->cls[t->diagonal[inner].outer];
  text lo = { 0 }, hi = { 0 }, from = { 0 }, to = { 0 };
  tiler_range_ends(t->n, inner, statements_under(t, node), &t->node[t->node[node].parent], &lo, &hi);
  if (p->rest && inner == p->rest->before)
    add_group_start(p, &lo);
  text_printf(&from, "lo(%s)", outer->block);
  text_printf(&to, "hi(%s)", outer->block);
  tiler_side side = t->diagonal[inner].side;
  bool ends_there = strcmp(text_str(&hi), text_str(&to)) == 0; /* with the block: the block is the range */
  p->both = p->pairs && inner == p->pairs->before;
  if (side != SIDE_ABOVE)
    print_part(p, node, text_str(&lo), text_str(&from), false);
  bool done = p->both;
  p->both = false;
  if (side == SIDE_BOTH || (side == SIDE_BELOW && ends_there))
    print_part(p, node, "0", outer->block, true);
  else
    print_part(p, node, text_str(side == SIDE_BELOW ? &from : &lo), text_str(side == SIDE_BELOW ? &hi : &to), true);
  if (side != SIDE_BELOW && !done)
    print_part(p, node, text_str(&to), text_str(&hi), false);
  text_clear(&lo);
  text_clear(&hi);
  text_clear(&from);
  text_clear(&to);
}

static void cut_range(const printer *p, int node, text *out)
{
  const tiler_class *c = &p->t->n->cls[p->t->node[node].cls];
  text lo = { 0 }, hi = { 0 };
  tiler_range_ends(p->t->n, p->t->node[node].cls, statements_under(p->t, node), &p->t->node[0], &lo, &hi);
  if (c->cut == 2)
    text_printf(out, "%" PRId64 "..%s", c->cut_at, text_str(&hi));
  else
    text_printf(out, "%s..%" PRId64, text_str(&lo), c->cut_at);
  text_clear(&lo);
  text_clear(&hi);
}

/* The rows of group u; of the one after the last, those left over. */
static void group_range(const printer *p, int node, text *out)
{
  const tiler_bundles *b = p->rest;
  text first = { 0 }, most = { 0 }, lo = { 0 }, hi = { 0 };
  uint32_t who = statements_under(p->t, node);
  tiler_range_ends(p->t->n, b->before, who, &p->t->node[node], &first, &most);
  tiler_range_ends(p->t->n, b->rows, who, &p->t->node[0], &lo, &hi);
  const char *base = strcmp(text_str(&first), "0") == 0 ? "" : text_str(&first), *plus = *base ? " + " : "";
  bool sum = strchr(text_str(&hi), ' ');
  text_printf(out, "%s%s%s*%s*%s..min(%s%s%s*%s*(%s + 1) + (%s == %s)*%s%s%s, %s)", base, plus, b->bundle, b->cycle,
              b->u, base, plus, b->bundle, b->cycle, b->u, b->u, groups_of(b), sum ? "(" : "", text_str(&hi),
              sum ? ")" : "", text_str(&hi));
  text_clear(&first);
  text_clear(&most);
  text_clear(&lo);
  text_clear(&hi);
}

/* Is a class split at the diagonal of a block of that one, or its own loop at another's? */
static bool is_split(const tiler_tree *t, int cls)
{
  bool split = t->diagonal[cls].outer >= 0;
  for (int c = 0; c < t->n->classes; c++)
    split = split || t->diagonal[c].outer == cls;
  return split;
}

/* Has a value been chosen, since the block of this node's class was, of a class that makes a band with it, or a side
   that blocks are not split at? */
static bool band_cuts(const tiler_tree *t, int node)
{
  int cls = t->node[node].cls;
  for (int k = t->node[node].parent; t->node[k].cls != cls; k = t->node[k].parent)
    if (!t->node[k].block && (t->n->band[cls][t->node[k].cls] ||
                              ((t->n->slanted[cls] >> t->node[k].cls & 1) && !is_split(t, cls))))
      return true;
  return false;
}

/* The part of its block that is in the band. */
static void band_range(const printer *p, int node, text *out)
{
  const tiler_node *k = &p->t->node[node];
  const char *block = p->t->n->cls[k->cls].block;
  text lo = { 0 }, hi = { 0 };
  tiler_range_ends(p->t->n, k->cls, statements_under(p->t, node), &p->t->node[k->parent], &lo, &hi);
  text_printf(out, "max(lo(%s), %s)..min(hi(%s), %s)", block, text_str(&lo), block, text_str(&hi));
  text_clear(&lo);
  text_clear(&hi);
}

static void print_loop(printer *p, int node)
{
  const tiler_node *k = &p->t->node[node], *up = &p->t->node[k->parent];
  text range = { 0 };
  int outer = p->t->diagonal[k->cls].outer;
  bool inside = (up->blocked | up->single) >> k->cls & 1;
  if (outer >= 0 && !inside && (up->blocked >> outer & 1)) {
    print_split(p, node);
    return;
  }
  const tiler_class *c = &p->t->n->cls[k->cls];
  if ((up->blocked >> k->cls & 1) && band_cuts(p->t, node))
    band_range(p, node, &range);
  else if (up->blocked >> k->cls & 1)
    text_add(&range, c->block);
  else if (p->rest && k->cls == p->rest->rows)
    group_range(p, node, &range);
  else if (c->cut)
    cut_range(p, node, &range);
  else
    tiler_range(p->t->n, k->cls, statements_under(p->t, node), up, &range);
  print_turns(p, node, text_str(&range));
  text_clear(&range);
}

static void print_node(printer *p, int node)
{
  const tiler_node *k = &p->t->node[node];
  for (int i = 0; i < k->kids; i++) {
    print_ops(p, k->kid[i].before, k);
    if (k->kid[i].leaf)
      print_leaf(p, k->kid[i].what, k);
    else
      print_loop(p, k->kid[i].what);
    print_ops(p, k->kid[i].after, k);
  }
}

/* ---- the comment ---- */

static void list(text *to, const char *what, const text *names)
{
  if (names->n)
    text_printf(to, "%s%s: %s", to->n ? "; " : "", what, text_str(names));
}

static void add_name(text *to, const char *name)
{
  char look[CDAG_NAME + 4];
  snprintf(look, sizeof look, " %s,", name);
  text padded = { 0 };
  text_printf(&padded, " %s,", text_str(to));
  if (!strstr(text_str(&padded), look))
    text_printf(to, "%s%s", to->n ? ", " : "", name);
  text_clear(&padded);
}

static void print_comment(printer *p)
{
  const tiler_tree *t = p->t;
  const cdag *g = t->n->s->g;
  text stays = { 0 }, comes = { 0 }, made = { 0 }, all = { 0 };
  for (int k = 0; k < t->nodes; k++)
    for (int i = 0; i < t->node[k].kids; i++)
      for (int o = t->node[k].kid[i].before; o >= 0; o = t->op[o].next)
        if (t->op[o].kind == OP_LOAD)
          add_name(t->node[k].single & ~t->n->fixed ? &comes : &stays, g->array[t->n->group[t->op[o].what].array].name);
  for (int x = 0; x < t->n->n; x++) {
    const char *name = g->array[t->n->stmt[x]].name;
    if (!(t->n->stored >> x & 1))
      add_name(&made, name);
    else if (!(t->node[t->place[x]].single & ~t->n->fixed) && !t->spill[x])
      add_name(&stays, name);
    else
      add_name(&comes, name);
  }
  list(&all, "stay on chip", &stays);
  list(&all, "come and go", &comes);
  list(&all, "made and dropped on chip", &made);
  text_printf(p->out, "# %s\n", text_str(&all));
  text_clear(&stays);
  text_clear(&comes);
  text_clear(&made);
  text_clear(&all);
}

void tiler_print(const tiler_tree *t, const char length[][CDAG_NAME], text *out)
{
  printer p = { .t = t, .length = length, .out = out };
  print_comment(&p);
  print_node(&p, 0);
  end_line(&p);
}

/* ---- triangular blocks ---- */

/* first: the first row; many: how many there are. */
typedef struct { const tiler_bundles *b; const char *first, *many; } places;

/* Block (x, y) has of group u the bundle (x u + y) mod cycle; of a plane block y bundle y + digit u, modulo all. */
static void put_place(const tiler_bundles *b, const char *group, text *out)
{
  if (b->first_digits)
    text_printf(out, "(((%s < %d)*%s + (%s >= %d)*%s) / pow(%s,%s %% %d) + %s) %% %s", group, b->first_digits,
                b->digits, group, b->first_digits, b->more, b->cycle, group, b->first_digits, b->y, b->cycle);
  else if (b->plane)
    text_printf(out, "(%s / pow(%s,%s) + %s) %% %s", b->digits, b->cycle, group, b->y, b->cycle);
  else
    text_printf(out, "%s*%s + (%s*%s + %s) %% %s", b->cycle, group, b->x, group, b->y, b->cycle);
}

/* The rows of a bundle. */
static void open_bundle(printer *p, const places *w, int cls, const text *place)
{
  const tiler_bundles *b = w->b;
  const char *base = strcmp(w->first, "0") == 0 ? "" : w->first, *plus = *base ? " + " : "";
  text range = { 0 };
  for (int end = 0; end < 2; end++) {
    text_printf(&range, "%s%s%s", end ? ".." : "", base, plus);
    if (b->even)
      text_printf(&range, "%s*(%s%s) / %s", w->many, text_str(place), end ? " + 1" : "", b->cycle);
    else
      text_printf(&range, "%s*(%s%s)", b->bundle, text_str(place), end ? " + 1" : "");
  }
  open_loop(p, p->t->n->cls[cls].block, text_str(&range), b->bundle);
  text_clear(&range);
}

static void open_rows(printer *p, const places *w)
{
  text place = { 0 };
  put_place(w->b, w->b->u, &place);
  open_loop(p, w->b->u, w->b->groups, NULL);
  open_bundle(p, w, w->b->rows, &place);
  text_clear(&place);
}

/* Inside a bundle's loop the bundles before it. */
static void open_rows_before(printer *p, const places *w)
{
  text place = { 0 };
  put_place(w->b, w->b->v, &place);
  open_loop(p, w->b->v, w->b->u, NULL);
  open_bundle(p, w, w->b->before, &place);
  text_clear(&place);
}

/* Of a plane, inside the loop over u: two bundles, the later one first; and the first one with itself. */
static void open_two(printer *p, const places *w)
{
  text u = { 0 }, v = { 0 }, before = { 0 };
  put_place(w->b, w->b->u, &u);
  put_place(w->b, w->b->v, &v);
  text_printf(&before, "max(%s, 1)", w->b->u);
  open_loop(p, w->b->v, text_str(&before), NULL);
  for (int least = 0; least < 2; least++) {
    text place = { 0 };
    text_printf(&place, "%s(%s, %s)", least ? "min" : "max", text_str(&u), text_str(&v));
    open_bundle(p, w, least ? w->b->before : w->b->rows, &place);
    text_clear(&place);
  }
  text_clear(&u);
  text_clear(&v);
  text_clear(&before);
}

static void close_both(printer *p)
{
  close_loop(p);
  close_loop(p);
}

static bool says_something(const tiler_tree *t, int op)
{
  while (op >= 0 && (t->op[op].kind == OP_GROW || t->op[op].kind == OP_SHRINK))
    op = t->op[op].next;
  return op >= 0;
}

/* Kids from..to - 1 of a node, and what is done before kid `to` and after kid `from - 1`, for each pair of bundles. */
static void print_pairs(printer *p, const places *w, int node, int from, int to)
{
  const tiler_node *k = &p->t->node[node];
  if (from == to && !(from > 0 && says_something(p->t, k->kid[from - 1].after)) &&
      !(to < k->kids && says_something(p->t, k->kid[to].before)))
    return;
  if (w->b->plane) {
    open_loop(p, w->b->u, w->b->groups, NULL);
    open_two(p, w);
  } else {
    open_rows(p, w);
    open_rows_before(p, w);
  }
  if (from > 0)
    print_ops(p, k->kid[from - 1].after, k);
  for (int i = from; i < to; i++) {
    print_ops(p, k->kid[i].before, k);
    print_leaf(p, k->kid[i].what, k);
    print_ops(p, k->kid[i].after, k);
  }
  if (to < k->kids)
    print_ops(p, k->kid[to].before, k);
  close_both(p);
  close_both(p);
}

static void print_kids_ops(printer *p, const tiler_node *k, bool before, uint64_t spared)
{
  p->spared = spared;
  for (int i = 0; i < k->kids; i++)
    print_ops(p, before ? k->kid[i].before : k->kid[i].after, k);
  p->spared = 0;
}

/* What all rows share, then the words of each row once, whichever side they serve. */
static void print_step(printer *p, const places *w, int node)
{
  const tiler_node *k = &p->t->node[node];
  uint64_t of_rows = 0, shared = p->t->diagonal[w->b->before].spared;
  for (int g = 0; g < p->t->n->groups; g++)
    if (p->t->n->group[g].rel & (1u << w->b->rows | 1u << w->b->before))
      of_rows |= 1ull << g;
    else
      shared |= 1ull << g;
  print_kids_ops(p, k, true, of_rows);
  open_rows(p, w);
  print_kids_ops(p, k, true, shared);
  if (w->b->plane) {
    close_loop(p);
    open_two(p, w);
  } else
    open_rows_before(p, w);
  for (int i = 0; i < k->kids; i++)
    print_leaf(p, k->kid[i].what, k);
  close_both(p);
  close_both(p);
  open_rows(p, w);
  print_kids_ops(p, k, false, shared);
  close_both(p);
  print_kids_ops(p, k, false, of_rows);
}

void tiler_print_triangles(const tiler_tree *t, const tiler_bundles *b, text *out)
{
  printer p = { .t = t, .out = out };
  int rows = t->node[0].kid[0].what, before = t->node[rows].kid[0].what, step = 0;
  text first = { 0 }, end = { 0 }, unused = { 0 }, range = { 0 }, many = { 0 };
  while (t->node[before].kid[step].leaf)
    step++;
  int steps = t->node[before].kid[step].what;
  uint32_t who = statements_under(t, before);
  tiler_range_ends(t->n, b->before, who, &t->node[rows], &first, &unused);
  text_clear(&unused);
  tiler_range_ends(t->n, b->rows, who, &t->node[0], &unused, &end);
  bool from_0 = strcmp(text_str(&first), "0") == 0;
  text_printf(&many, from_0 ? strchr(text_str(&end), ' ') ? "(%s)" : "%s" : "(%s - (%s))", text_str(&end),
              text_str(&first));
  places w = { b, text_str(&first), text_str(&many) };
  mirror_init(&p, b);
  p.both = b->mirror;
  p.meets = b->plane;
  if (b->plane)
    text_printf(out, "# triangular blocks of a plane: %s bundles of %s rows, all their pairs on chip, and of one its "
                "own\n", b->groups, b->bundle);
  else
    text_printf(out, "# triangular blocks: a bundle of %s rows out of each of %s groups, all their pairs on chip\n",
                b->bundle, b->groups);
  if (!b->plane)
    open_loop(&p, b->x, b->cycle, NULL);
  open_loop(&p, b->y, b->cycle, NULL);
  print_pairs(&p, &w, before, 0, step);
  tiler_range(t->n, t->node[steps].cls, statements_under(t, steps), &t->node[before], &range);
  open_loop(&p, t->n->cls[t->node[steps].cls].name, text_str(&range), NULL);
  print_step(&p, &w, steps);
  close_loop(&p);
  print_pairs(&p, &w, before, step + 1, t->node[before].kids);
  close_loop(&p);
  if (!b->plane)
    close_loop(&p);
  mirror_clear(&p);
  text_clear(&first);
  text_clear(&end);
  text_clear(&unused);
  text_clear(&range);
  text_clear(&many);
}

void tiler_print_rest(const tiler_tree *t, const char length[][CDAG_NAME], const tiler_bundles *b, text *out)
{
  printer p = { .t = t, .length = length, .out = out, .rest = b };
  text groups = { 0 };
  text_printf(out, "# %srows left over: by squares\n", b->plane ? "" : "pairs inside a group, and ");
  text_printf(&groups, b->plane ? "1..2" : "%s + 1", b->groups);
  mirror_init(&p, b);
  open_loop(&p, b->u, text_str(&groups), NULL);
  print_node(&p, 0);
  close_loop(&p);
  mirror_clear(&p);
  text_clear(&groups);
}

void tiler_print_mirrored(const tiler_tree *t, const char length[][CDAG_NAME], const tiler_bundles *b, text *out)
{
  printer p = { .t = t, .length = length, .out = out };
  text_add(out, "# each pair with the one the other way round, from the same rows\n");
  mirror_init(&p, b);
  print_node(&p, 0);
  end_line(&p);
  mirror_clear(&p);
}
