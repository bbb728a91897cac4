#include "schedules/tiler/text.h"
#include "schedules/tiler/words.h"
#include <inttypes.h>
#include <string.h>

typedef struct {
  const tiler_tree *t;
  const char (*length)[CDAG_NAME];
  text *out;
  int depth;
  uint64_t spared;             /* groups that are not loaded in this part */
  const char *verb;            /* of the line that is open, or NULL */
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

/* Ends of chains that depend on an index: no box names them, so they go one by one. */
static void print_ends(printer *p, const char *verb, int x, tiler_node at)
{
  int needs = tiler_end_needs(p->t->n, x, &at);
  if (needs < 0) {
    begin_box(p, verb);
    tiler_own_box(p->t->n, x, &at, TILER_ENDS, p->out);
    return;
  }
  text range = { 0 };
  if (at.blocked >> needs & 1)
    text_add(&range, p->t->n->cls[needs].block);
  else
    tiler_range(p->t->n, needs, 1u << x, &at, &range);
  open_loop(p, p->t->n->cls[needs].name, text_str(&range), NULL);
  at.single |= 1u << needs;
  print_ends(p, verb, x, at);
  close_loop(p);
  text_clear(&range);
}

static void print_own(printer *p, const char *verb, int x, const tiler_node *at, tiler_part part)
{
  begin_box(p, verb);
  tiler_own_box(p->t->n, x, at, part, p->out);
}

static void print_op(printer *p, const tiler_op *o, const tiler_node *at)
{
  const tiler_nest *n = p->t->n;
  switch (o->kind) {
  case OP_LOAD: case OP_DROP:
    if (p->spared >> o->what & 1)
      break;
    begin_box(p, o->kind == OP_LOAD ? "load" : "drop");
    tiler_box(n, &n->group[o->what], at, p->out);
    break;
  case OP_INIT: begin_box(p, "load"); tiler_box(n, &n->init[o->what], at, p->out); break;
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

static void print_leaf(printer *p, int x, const tiler_node *at)
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
  text_char(p->out, '\n');
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

static void print_part(printer *p, int node, const char *lo, const char *hi, uint64_t spared)
{
  text range = { 0 };
  if (strcmp(lo, "0") != 0)
    text_printf(&range, "%s..", lo);
  text_add(&range, hi);
  p->spared |= spared;
  print_turns(p, node, text_str(&range));
  p->spared &= ~spared;
  text_clear(&range);
}

/* Before the diagonal, on it, and behind it. */
static void print_split(printer *p, int node)
{
  const tiler_tree *t = p->t;
  int inner = t->node[node].cls;
  const tiler_class *outer = &t->n->cls[t->diagonal[inner].outer];
  text lo = { 0 }, hi = { 0 }, from = { 0 }, to = { 0 };
  tiler_range_ends(t->n, inner, statements_under(t, node), &t->node[t->node[node].parent], &lo, &hi);
  text_printf(&from, "lo(%s)", outer->block);
  text_printf(&to, "hi(%s)", outer->block);
  uint64_t spared = t->diagonal[inner].spared;
  tiler_side side = t->diagonal[inner].side;
  bool ends_there = strcmp(text_str(&hi), text_str(&to)) == 0; /* with the block: the block is the range */
  if (side != SIDE_ABOVE)
    print_part(p, node, text_str(&lo), text_str(&from), 0);
  if (side == SIDE_BOTH || (side == SIDE_BELOW && ends_there))
    print_part(p, node, "0", outer->block, spared);
  else
    print_part(p, node, text_str(side == SIDE_BELOW ? &from : &lo), text_str(side == SIDE_BELOW ? &hi : &to), spared);
  if (side != SIDE_BELOW)
    print_part(p, node, text_str(&to), text_str(&hi), 0);
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
  if (up->blocked >> k->cls & 1)
    text_add(&range, c->block);
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
          add_name(t->node[k].single ? &comes : &stays, g->array[t->n->group[t->op[o].what].array].name);
  for (int x = 0; x < t->n->n; x++) {
    const char *name = g->array[t->n->stmt[x]].name;
    if (!(t->n->stored >> x & 1))
      add_name(&made, name);
    else if (!t->node[t->place[x]].single && !t->spill[x])
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
