/* shared.c -- loops that statements share, and what stays while they run. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/circles/split.h"
#include "schedules/tiler/plain/writer.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- loops that statements share ---- */

typedef struct {
  text lo, hi;
} ends;

/* The least (or greatest) of the members' ends: one for each base. */
static void print_shared_end(const order_node *n, const ends *own, bool hi, text *out)
{
  text list = { 0 };
  int bases = 0;
  for (int k = 0; k < n->members; k++) {
    const char *end = text_str(hi ? &own[k].hi : &own[k].lo);
    int64_t best, number;
    int length = plain_split_end(end, &best);
    bool again = false;
    for (int i = 0; i < n->members; i++) {
      const char *other = text_str(hi ? &own[i].hi : &own[i].lo);
      if (plain_split_end(other, &number) != length || strncmp(other, end, (size_t)length) != 0)
        continue;
      again |= i < k;
      best = hi ? num_max(best, number) : num_min(best, number);
    }
    if (again)
      continue;
    text_add(&list, bases++ ? ", " : "");
    plain_add_sum(end, length, best, &list);
  }
  text_printf(out, bases > 1 ? "%s(%s)" : "%s%s", bases < 2 ? "" : hi ? "max" : "min", text_str(&list));
  text_clear(&list);
}

/* The union of what the members walk. */
static void shared_range(const writer *w, const order_node *n, ends *own, text *out)
{
  for (int k = 0; k < n->members; k++) {
    text lo = { 0 }, hi = { 0 };
    plain_own_range(w, n->member[k].array, n->member[k].dim, &lo, &hi);
    plain_add_end(text_str(&lo), n->member[k].shift, &own[k].lo);
    plain_add_end(text_str(&hi), n->member[k].shift, &own[k].hi);
    text_clear(&lo);
    text_clear(&hi);
  }
  text lo = { 0 };
  print_shared_end(n, own, false, &lo);
  if (strcmp(text_str(&lo), "0") != 0)
    text_printf(out, "%s..", text_str(&lo));
  print_shared_end(n, own, true, out);
  text_clear(&lo);
}

/* ---- what stays while statements share a loop ---- */

/* Where an element is wanted from slow memory: the indices that are constants, of those that have a loop; false: it may
 * be any element. */
static bool print_wanted(const writer *w, int array, const bool *constant, const int64_t *value, text *out)
{
  size_t before = out->n;
  for (int r = 0; r < w->s->s[array].rank; r++)
    if (constant[r] && !tiler_is_chain(&w->s->s[array], r) && w->at[array].single >> r & 1)
      text_printf(out, "%s(%s == %" PRId64 ")", out->n > before ? " * " : "", w->alone[array]->cls[r].name, value[r]);
  return out->n > before;
}

static bool wanted_by_reads(const writer *w, int array, int reader, text *out)
{
  for (int i = 0; i < stay_items(&w->s->s[reader]); i++) {
    tiler_access a = stay_item(w->s, reader, i);
    bool constant[CDAG_RANK];
    int64_t value[CDAG_RANK];
    if (a.array != array || (i < STAY_READS && w->treat[reader].made >> i & 1))
      continue;
    for (int r = 0; r < a.rank; r++) {
      constant[r] = a.at[r].kind == CDAG_AT && a.at[r].affine && tiler_form_constant(&a.at[r].lo, CDAG_RANK);
      value[r] = a.at[r].lo.base;
    }
    text_add(out, out->n ? " + " : "");
    if (!print_wanted(w, array, constant, value, out))
      return false;
  }
  return true;
}

static bool wanted_by_outputs(const writer *w, int array, text *out)
{
  const cdag *g = w->s->g;
  expr_env env = { g->param_value, g->table };
  if (g->array[array].declared_output || (w->s->s[array].output && g->selections == 0))
    return false;
  for (int i = 0; i < g->selections; i++) {
    const cdag_selection *s = &g->selection[i];
    bool constant[CDAG_RANK];
    int64_t value[CDAG_RANK];
    if (s->array != array)
      continue;
    for (int r = 0; r < g->array[array].rank; r++) {
      tiler_form f = { 0 };
      constant[r] = s->index[r].kind == CDAG_AT && !s->of_rule &&
                    expr_affine(s->index[r].lo, &env, g->params, s->vars, &f.base, f.coef) &&
                    tiler_form_constant(&f, s->vars);
      value[r] = f.base;
    }
    text_add(out, out->n ? " + " : "");
    if (!print_wanted(w, array, constant, value, out))
      return false;
  }
  return true;
}

/* What stays is stored only where others want it. */
static void want_stored(writer *w, int array)
{
  treatment *t = &w->treat[array];
  text_clear(&t->store_if);
  t->unstored = wanted_by_outputs(w, array, &t->store_if);
  for (int k = 0; k < w->s->n && t->unstored; k++)
    t->unstored = wanted_by_reads(w, array, w->s->order[k], &t->store_if);
}

/* What stays of an array that the loop does not compute; of index `ranged` this range. */
static void print_values(writer *w, const stay *s, int ranged, const char *range, int64_t off, const char *verb)
{
  plain_line(w);
  text_printf(w->out, "%s %s[", verb, w->s->g->array[s->array].name);
  for (int r = 0; r < w->s->s[s->array].rank; r++) {
    stay_at at = r == s->dim ? (stay_at){ w->shared, off } : s->at[r];
    text_add(w->out, r ? "," : "");
    if (r == ranged)
      text_add(w->out, range);
    else if (at.loop < 0 || (at.loop == w->shared && r != s->dim))
      text_char(w->out, '*');
    else if (at.loop == STAY_CONSTANT)
      text_printf(w->out, "%" PRId64, at.off);
    else {
      text_add(w->out, w->shared_name[at.loop]);
      plain_shift_by(at.off, w->out);
    }
  }
  text_add(w->out, "]\n");
}

/* The slice at the value of the loop and `off` more, or all of it. */
static void print_slice(writer *w, const stay *s, int64_t off, const char *verb)
{
  const char *loop = w->shared_name[w->shared];
  if (s->made) {
    plain_bind_variable(w, s->array, s->dim, loop, -off);
    plain_print_own(w, s->array, verb, plain_keeps_chain(w, s->array) ? TILER_ENDS : TILER_COMPUTED, "");
    plain_bind_variable(w, s->array, s->dim, loop, -w->variables[s->array].of[s->dim].off);
    return;
  }
  print_values(w, s, -1, "", off, verb);
}

/* The slices at first .. last - 1 of one end of the loop, in a loop of their own. */
static void print_slices(writer *w, const stay *s, const char *end, const char *verb)
{
  text head = { 0 };
  if (s->dim < 0 && !s->made)
    print_slice(w, s, 0, verb);
  if (s->dim < 0 || s->first == s->last)
    return;
  text_printf(&head, "for %s in ", w->shared_name[w->shared]);
  plain_add_end(end, s->first, &head);
  text_add(&head, "..");
  plain_add_end(end, s->last, &head);
  plain_open_block(w, text_str(&head));
  print_slice(w, s, 0, verb);
  plain_close_block(w);
  text_clear(&head);
}

/* ---- what stays in part ---- */

/* The first word of an input that is not on chip when its loop is at that value; so many iterations later. */
static void print_part_end(const writer *w, const char *at, int64_t later, text *out)
{
  const stay *s = w->part;
  const cdag_box *hull = &w->s->g->array[s->array].hull;
  int64_t first = hull->lo[s->across], past = hull->hi[s->across];
  if (!s->grows) {
    text_printf(out, "%" PRId64, num_min(past, first + s->part));
    return;
  }
  text_printf(out, "min(%" PRId64 ",%" PRId64 " + ", past, first + s->part - s->grows * (1 + later));
  if (s->grows > 1)
    text_printf(out, "%" PRId64 "*", s->grows);
  text_printf(out, "(%s - %s))", w->part_past, at);
}

int64_t plain_part_begin(const writer *w, const stay *s)
{
  return w->s->s[s->array].lo[s->across].f[0].base + s->part;
}

/* The sum of an index and of its mirror image. */
static tiler_form mirror_sum(const stay *s)
{
  tiler_form f = s->mirror;
  f.coef[s->across]++;
  return f;
}

void plain_beyond_part(const writer *w, int array, const tiler_access *a, text *condition)
{
  const stay *s = w->part;
  if (!s || s->array != a->array)
    return;
  text index = { 0 };
  plain_print_index(w, array, a, s->across, false, &index);
  text_printf(condition, "%s(%s >= ", condition->n ? " * " : "", text_str(&index));
  if (s->mirrored) {
    tiler_form sum = mirror_sum(s);
    text_printf(condition, "%" PRId64 ") * (", plain_part_begin(w, s));
    plain_print_form(w, s->array, &sum, condition);
    text_printf(condition, " >= %s + %" PRId64, text_str(&index), plain_part_begin(w, s));
  } else
    print_part_end(w, w->part_loop, 0, condition);
  text_char(condition, ')');
  text_clear(&index);
}

/* What stays of an input when its loop is at that value, or of that what does not in the next iteration. */
static void print_part(writer *w, const char *verb, const char *at, bool rest)
{
  const stay *s = w->part;
  text range = { 0 };
  if (rest)
    print_part_end(w, at, 1, &range);
  else
    text_printf(&range, "%" PRId64, w->s->g->array[s->array].hull.lo[s->across]);
  text_add(&range, "..");
  print_part_end(w, at, 0, &range);
  print_values(w, s, s->across, text_str(&range), 0, verb);
  text_clear(&range);
}

/* What was made by pairs in the last iteration, and stays. */
static void drop_pairs(writer *w, const stay *s, const char *past)
{
  text head = { 0 }, range = { 0 };
  tiler_form sum = mirror_sum(s);
  int64_t begin = plain_part_begin(w, s);
  text_printf(&head, "for %s in ", w->shared_name[w->shared]);
  plain_add_end(past, -1, &head);
  text_printf(&head, "..%s", past);
  plain_open_block(w, text_str(&head));
  text_printf(&range, "%" PRId64 "..%" PRId64, begin - s->part, begin);
  print_values(w, s, s->across, text_str(&range), -w->variables[s->array].of[s->dim].off, "drop");
  text_clear(&range);
  text_printf(&range, "max(%" PRId64 ",", begin);
  plain_print_form(w, s->array, &sum, &range);
  plain_shift_by(s->grows + 1 - begin, &range);
  text_add(&range, ")..");
  plain_print_form(w, s->array, &sum, &range);
  plain_shift_by(s->part + 1 - begin + s->beyond, &range);
  print_values(w, s, s->across, text_str(&range), -w->variables[s->array].of[s->dim].off, "drop");
  plain_close_block(w);
  text_clear(&head);
  text_clear(&range);
}

typedef struct {
  stay s[STAY_MOST];
  int n;
  bool reversed;
  double left;
  text lo, hi;
} stays;

/* All that the loop made, and that stayed. */
static void drop_made(writer *w, const stay *s, const stays *l)
{
  text head = { 0 };
  text_printf(&head, "for %s in %s..%s", w->shared_name[w->shared], text_str(&l->lo), text_str(&l->hi));
  plain_open_block(w, text_str(&head));
  plain_print_own(w, s->array, "drop", plain_keeps_chain(w, s->array) ? TILER_ENDS : TILER_COMPUTED, "");
  plain_close_block(w);
  text_clear(&head);
}

/* What it computes is not dropped at once, and stored where others want it. */
static void begin_made(writer *w, const stay *s)
{
  w->treat[s->array].stays = true;
  w->treat[s->array].pairs = s->mirrored ? s : NULL;
  want_stored(w, s->array);
}

static void end_made(writer *w, const stay *s)
{
  w->treat[s->array].stays = w->treat[s->array].unstored = false;
  w->treat[s->array].pairs = NULL;
}

/* Readers that need no load, or need it no more. */
static void serve(writer *w, const stay *s, bool now)
{
  for (int k = 0; k < s->reads; k++) {
    treatment *t = &w->treat[s->read[k].array];
    uint64_t item = UINT64_C(1) << s->read[k].item;
    bool served = now && (!s->part || s->read[k].array == s->array), made = now && s->made;
    t->served = served ? t->served | item : t->served & ~item;
    t->made = made ? t->made | item : t->made & ~item;
  }
}

/* The last that begins: no room is left. */
static void begin_part(writer *w, const stay *s, const stays *l)
{
  w->part = s;
  w->part_loop = w->shared_name[w->shared];
  w->part_past = text_str(&l->hi);
  w->left = 0;
  if (!s->made) {
    print_part(w, "load", text_str(&l->lo), false);
    return;
  }
  treatment *t = &w->treat[s->array];
  text own = t->store_if;
  t->store_if = (text){ 0 };
  plain_bind_variable(w, s->array, s->dim, w->part_loop, -s->first);
  want_stored(w, s->array);
  plain_bind_variable(w, s->array, s->dim, w->part_loop, -w->variables[s->array].of[s->dim].off);
  w->part_wanted = t->store_if;
  t->store_if = own;
}

static void end_part(writer *w)
{
  const stay *s = w->part;
  if (s->made)
    drop_pairs(w, s, w->part_past);
  else
    print_part(w, "drop", w->part_past, false);
  text_clear(&w->part_wanted);
  w->part = NULL;
}

static void begin_stays(writer *w, const order_node *n, stays *l)
{
  uint64_t *served = MEM_NEW(uint64_t, (size_t)w->s->g->arrays + 1);
  bool *chained = MEM_NEW(bool, (size_t)w->s->g->arrays + 1);
  for (int a = 0; a < w->s->g->arrays; a++) {
    served[a] = w->treat[a].served;
    chained[a] = w->alone[a] && plain_keeps_chain(w, a);
    for (int i = w->s->s[a].accesses; w->alone[a] && i < stay_items(&w->s->s[a]) && i < STAY_READS; i++)
      if (plain_carries_chain(w, a))
        served[a] |= UINT64_C(1) << i;
  }
  stay_question q = { w->s, n, w->shared, w->variables, served, chained, .inputs = w->form != NULL };
  enum { ROOM = 16 };
  bool parts = !w->part && (w->form || !w->nests); /* nests load all that they read */
  l->n = w->left > ROOM && w->shared > w->bare ? stay_find(&q, w->left - ROOM, parts, l->s) : 0;
  l->reversed = n->reversed;
  l->left = w->left;
  for (int i = 0; i < l->n; i++) {
    if (!l->s[i].part)
      w->left -= l->s[i].words;
    serve(w, &l->s[i], true);
  }
  for (int i = 0; i < l->n; i++) {
    const stay *s = &l->s[i];
    if (s->made)
      begin_made(w, s);
    if (s->part)
      begin_part(w, s, l);
    else if (!s->made)
      print_slices(w, s, text_str(l->reversed ? &l->hi : &l->lo), "load");
  }
  w->tiled += l->n;
  mem_free(served);
  mem_free(chained);
}

/* In each iteration, what enters and what leaves. */
static void print_stays(writer *w, const stays *l, bool enter)
{
  for (int i = 0; i < l->n; i++) {
    const stay *s = &l->s[i];
    if (s->part && s->grows && !s->made && !enter)
      print_part(w, "drop", w->part_loop, true);
    if (s->dim >= 0 && !(enter && s->made) && !s->mirrored)
      print_slice(w, s, enter == l->reversed ? s->first : s->last, enter ? "load" : "drop");
  }
}

static void end_stays(writer *w, stays *l)
{
  for (int i = 0; i < l->n; i++) {
    const stay *s = &l->s[i];
    if (s->part)
      end_part(w);
    else
      print_slices(w, s, text_str(l->reversed ? &l->lo : &l->hi), "drop");
    if (s->made && s->dim < 0)
      drop_made(w, s, l);
    serve(w, s, false);
    if (s->made)
      end_made(w, s);
  }
  w->left = l->left;
  text_clear(&l->lo);
  text_clear(&l->hi);
}

static void bind_members(writer *w, const order_node *n, const ends *own, const stays *whole, int *length)
{
  const char *name = w->shared_name[w->shared];
  for (int k = 0; k < n->members; k++) {
    int a = n->member[k].array;
    length[k] = w->guard[a].n;
    if (strcmp(text_str(&own[k].lo), text_str(&whole->lo)) != 0 ||
        strcmp(text_str(&own[k].hi), text_str(&whole->hi)) != 0) {
      SCOPED_TEXT from = { 0 }, to = { 0 };
      text_printf(&from, "(%s >= %s)", name, text_str(&own[k].lo));
      text_printf(&to, "(%s < %s)", name, text_str(&own[k].hi));
      plain_require(&w->guard[a], text_str(&from));
      plain_require(&w->guard[a], text_str(&to));
    }
    plain_bind_variable(w, a, n->member[k].dim, name, n->member[k].shift);
    w->variables[a].of[n->member[k].dim] = (stay_at){ w->shared, -n->member[k].shift };
    w->backward[a] |= (uint32_t)n->reversed << n->member[k].dim;
  }
}

static void free_members(writer *w, const order_node *n, const int *length)
{
  for (int k = 0; k < n->members; k++) {
    int a = n->member[k].array;
    w->at[a].single &= ~(1u << n->member[k].dim);
    w->variables[a].of[n->member[k].dim].loop = STAY_NOWHERE;
    w->backward[a] &= ~(1u << n->member[k].dim);
    plain_guard_cut(&w->guard[a], length[k]);
  }
}

bool plain_print_shared(writer *w, const order_node *n)
{
  text range = { 0 }, head = { 0 };
  ends *own = MEM_NEW(ends, (size_t)n->members + 1);
  int *length = MEM_NEW(int, (size_t)n->members + 1);
  stays *l = MEM_NEW(stays, 1);
  shared_range(w, n, own, &range);
  char *name = w->shared_name[++w->shared];
  print_shared_end(n, own, false, &l->lo);
  print_shared_end(n, own, true, &l->hi);
  plain_loop_name(w, w->s->g->array[n->member[0].array].var[n->member[0].dim], name);
  text_printf(&head, "for %s in %s%s", name, text_str(&range), n->reversed ? " reversed" : "");
  bind_members(w, n, own, l, length);
  begin_stays(w, n, l);
  plain_open_block(w, text_str(&head));
  print_stays(w, l, true);
  bool good = plain_print_tree(w, n);
  print_stays(w, l, false);
  plain_close_block(w);
  end_stays(w, l);
  free_members(w, n, length);
  for (int k = 0; k < n->members; k++) {
    text_clear(&own[k].lo);
    text_clear(&own[k].hi);
  }
  plain_forget_name(w, name);
  w->shared--;
  mem_free(l);
  mem_free(own);
  mem_free(length);
  text_clear(&range);
  text_clear(&head);
  return good;
}
