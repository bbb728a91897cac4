/* plain.c -- the order of all statements, and nests between circles. */
#include "base/mem.h"
#include "schedules/tiler/circles/circle.h"
#include "schedules/tiler/plain/writer.h"
#include "schedules/tiler/shape/part.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The statement that the node is, or -1. */
static int lone_statement(const writer *w, const order_node *n)
{
  return n->leaf ? n->array : plain_is_own_chain(w, n) ? n->member[0].array : -1;
}

/* What the loops around say of a statement, beside others that are printed with it; false: not all is known. */
static bool look_around(const writer *w, int array, const bool *beside, tiler_around *out)
{
  const tiler_statement *s = &w->s->s[array];
  *out = (tiler_around){ .earlier = 0 };
  for (int r = 0; r < s->rank; r++)
    out->value[r] = w->at[array].single >> r & 1 ? w->alone[array]->cls[r].name : NULL;
  const treatment *t = &w->treat[array];
  if (s->accesses + s->selves > TILER_READS || t->store_if.n || t->pairs)
    return false;
  out->held = t->served;
  out->stays = t->stays;
  out->unstored = t->unstored;
  for (int i = 0; i < s->accesses + s->selves; i++) {
    const tiler_access *a = i < s->accesses ? &s->access[i] : &s->self[i - s->accesses];
    int when = beside[a->array] ? plain_iteration_of(w, array, a) : 0;
    if (when > 0)
      return false;
    out->earlier |= (uint64_t)(when < 0) << i;
  }
  return true;
}

/* Lines of text, as deep as this place is. */
static void add_indented(writer *w, const text *body)
{
  for (const char *s = text_str(body); *s;) {
    const char *end = strchr(s, '\n');
    plain_line(w);
    text_printf(w->out, "%.*s\n", (int)(end - s), s);
    s = end + 1;
  }
}

/* Under the guard of the first. */
static bool print_nests_inside(writer *w, const int *array, int n)
{
  tiler_around *around = MEM_NEW(tiler_around, (size_t)n + 1);
  bool *beside = MEM_NEW(bool, (size_t)w->s->g->arrays + 1), good = true;
  for (int k = 0; k < n; k++)
    beside[array[k]] = true;
  for (int k = 0; k < n && good; k++)
    good = look_around(w, array[k], beside, &around[k]);
  if (good) {
    tiler_shape part;
    text body = { 0 };
    tiler_part_init(&part, w->s, array, n, w->shared ? around : NULL);
    good = w->nests->print(w->nests->context, &part, w->left, &w->loops, &w->params, &body);
    tiler_part_clear(&part);
    int guarded = good && w->guard[array[0]].n > 0;
    if (guarded)
      plain_open_guard(w, array[0]);
    add_indented(w, &body);
    if (guarded)
      plain_close_block(w);
    text_clear(&body);
  }
  w->tiled += good;
  mem_free(around);
  mem_free(beside);
  return good;
}

/* Where a loop around has values for all of them one nest; where not, those that it has values for. */
static bool print_nests_peeled(writer *w, const int *array, int n)
{
  plain_guard all = { 0 }, first = w->guard[array[0]];
  size_t before = w->out->n;
  for (int k = 0; k < n; k++)
    plain_require_others(&all, &w->guard[array[k]], &all);
  w->guard[array[0]] = all;
  bool good = print_nests_inside(w, array, n);
  w->guard[array[0]] = first;
  for (int k = 0, many; k < n && good; k += many) {
    plain_guard *guard = &w->guard[array[k]], rest = { 0 };
    for (many = 1; k + many < n && plain_guards_alike(guard, &w->guard[array[k + many]]);)
      many++;
    plain_require_others(&rest, &all, guard);
    if (rest.n) {
      SCOPED_TEXT missing = { 0 };
      text_add(&missing, "((");
      plain_print_guard(&rest, &missing);
      text_add(&missing, ") == 0)");
      plain_require(guard, text_str(&missing));
      good = print_nests_inside(w, array + k, many);
      plain_guard_cut(guard, guard->n - 1);
    }
    plain_guard_clear(&rest);
  }
  if (!good && w->out->s)
    w->out->s[w->out->n = before] = '\0';
  plain_guard_clear(&all);
  return good;
}

static bool print_nests(writer *w, const int *array, int n)
{
  bool alike = true;
  for (int k = 1; k < n; k++)
    alike = alike && plain_guards_alike(&w->guard[array[0]], &w->guard[array[k]]);
  return alike ? print_nests_inside(w, array, n) : print_nests_peeled(w, array, n);
}

/* Those from the i-th kid on that no circle parts, together, or else each alone.  How many kids were printed. */
static int print_lone(writer *w, const order_node *n, int i)
{
  int array[ORDER_STATEMENTS], many = 0;
  while (w->nests && (w->depth == 0 || !w->form) && i + many < n->kids && many < ORDER_STATEMENTS) {
    int a = lone_statement(w, n->kid[i + many]);
    if (a < 0 || !w->s->s[a].affine || (w->shared == 0 && w->s->s[a].reads_itself))
      break;
    array[many++] = a;
  }
  if (many > 1 && print_nests(w, array, many))
    return many;
  if (many == 0)
    array[0] = lone_statement(w, n->kid[i]);
  else if (print_nests(w, array, 1))
    return 1;
  if (!plain_print_sum(w, array[0]))
    plain_print_statement(w, array[0]);
  return 1;
}

bool plain_print_tree(writer *w, const order_node *n)
{
  bool good = true;
  for (int i = 0; i < n->kids && good; i++) {
    int joined = plain_print_joined(w, n, i);
    if (joined) {
      i += joined - 1;
    } else if (lone_statement(w, n->kid[i]) >= 0) {
      i += print_lone(w, n, i) - 1;
    } else if (!w->form || w->depth > 0 || !plain_print_circle(w, n->kid[i]))
      good = n->kid[i]->kids > 0 && plain_print_shared(w, n->kid[i]);
  }
  return good;
}

static bool print_all(const tiler_shape *s, const normal_form *form, const tiler_nests *nests, double m, int which,
                      const tiler_stay_plan *plan, int *tiled, bool *parts, text *out)
{
  order_node *order = tiler_order(s, form != NULL, plan->fusion);
  if (!order)
    return false;
  size_t arrays = (size_t)s->g->arrays;
  text body = { 0 };
  writer w = { .s = s,
               .out = &body,
               .form = form,
               .nests = nests,
               .m = m,
               .which = which < 0 ? 0 : which,
               .bare = plan->bare,
               .alone = MEM_NEW(tiler_nest *, arrays + 1),
               .at = MEM_NEW(tiler_node, arrays + 1),
               .guard = MEM_NEW(plain_guard, arrays + 1),
               .treat = MEM_NEW(treatment, arrays + 1),
               .left = form && !nests ? 0 : m,
               .apart = which == TILER_APART   ? 1
                        : which == TILER_WHOLE ? 0
                                               : 0.9,
               .joins = which == TILER_JOINED,
               .streams = which == TILER_STREAMED,
               .backward = MEM_NEW(uint32_t, arrays + 1),
               .variables = MEM_NEW(stay_variables, arrays + 1) };
  text_char(&w.loops, ' ');
  for (int k = 0; k < s->n; k++) {
    w.alone[s->order[k]] = MEM_NEW(tiler_nest, 1);
    tiler_nest_alone(w.alone[s->order[k]], s, s->order[k]);
    w.at[s->order[k]].cls = -1;
    for (int r = 0; r < CDAG_RANK; r++)
      w.variables[s->order[k]].of[r].loop = STAY_NOWHERE;
  }
  bool good = plain_print_tree(&w, order) && (w.joined > 0 || !w.joins) && (w.streamed > 0 || !w.streams);
  *tiled = w.tiled;
  *parts = w.parts;
  if (!w.tiled)
    text_add(out, "# Element by element, in an order that every read allows.\n");
  tiler_print_title(s->g, w.tiled ? "found" : "plain", out);
  text_add(out, text_str(&w.params));
  text_add(out, text_str(&body));
  text_clear(&body);
  text_clear(&w.params);
  for (size_t a = 0; a < arrays; a++) {
    mem_free(w.alone[a]);
    plain_guard_clear(&w.guard[a]);
    text_clear(&w.treat[a].store_if);
  }
  mem_free(w.treat);
  mem_free(w.variables);
  mem_free(w.alone);
  mem_free(w.at);
  mem_free(w.guard);
  mem_free(w.backward);
  text_clear(&w.loops);
  tiler_order_free(order);
  return good;
}

bool tiler_plain(const tiler_shape *s, text *out)
{
  int tiled;
  bool parts;
  tiler_stay_plan plan = { 0 };
  return print_all(s, NULL, NULL, 0, 0, &plan, &tiled, &parts, out);
}

bool tiler_staying(const tiler_shape *s, double m, const tiler_stay_plan *plan, const tiler_nests *nests, text *out)
{
  int tiled;
  bool parts;
  return print_all(s, NULL, nests, m, 0, plan, &tiled, &parts, out) && tiled > 0;
}

bool tiler_circles(const tiler_shape *s, double m, int which, const tiler_nests *nests, text *out, bool *parts)
{
  normal_form f;
  int tiled = 0;
  normal_form_init(&f, s->g);
  tiler_stay_plan plan = { 0 };
  bool good = print_all(s, &f, nests, m, which, &plan, &tiled, parts, out) && tiled > 0;
  normal_form_clear(&f);
  return good;
}
