/* Liveness by counting.  If a live array names ends of chains only, a different one by each of k of its elements, and
   there are k chains, then every end is named, so every chain is live. */
#include "bounds/check/reading/named.h"
#include "base/mem.h"
#include "bounds/check/reading/mark.h"
#include "bounds/check/reading/read.h"

/* What is marked here a theorem may ask for many times. */
enum { LIVE_VERTICES = PATIENCE(1 << 20), LIVE_EDGES = PATIENCE(1 << 24) };

/* ---- liveness ---- */

static bool ends_selected(const cdag *g, int array, const checker_chain *c, uint64_t ends)
{
  uint64_t named;
  for (int i = 0; i < g->selections; i++)
    if (g->selection[i].array == array && checker_selection_names(g, c, &g->selection[i], &named) && named == ends)
      return true;
  return checker_selections_point_at(g, array, c, ends);
}

static bool array_live(const cdag *g, const bool *live, int array)
{
  const cdag_array *a = &g->array[array];
  checker_chain c;
  uint64_t ends;
  if (a->count == 0 || a->declared_output)
    return true;
  checker_chain_read(g, array, &c);
  if (!c.straight || !checker_chain_count(g, array, &c, &ends))
    return false;
  if (ends_selected(g, array, &c, ends))
    return true;
  return checker_named(g, live, array, &c) == ends;
}

bool *checker_live_counted(const cdag *g)
{
  bool *live = MEM_NEW(bool, g->arrays);
  for (bool again = true; again;) {
    again = false;
    for (int a = 0; a < g->arrays; a++)
      if (!live[a] && g->array[a].terms > 0 && array_live(g, live, a))
        live[a] = again = true;
  }
  return live;
}

/* Arrays of computed elements all of which are seen. */
static void add_seen(const cdag *g, const uint8_t *seen, bool *live)
{
  for (int a = 0; a < g->arrays; a++) {
    bool all = g->array[a].terms > 0;
    for (uint64_t i = 0; all && i < g->array[a].count; i++)
      all = seen[g->array[a].first + i];
    live[a] = live[a] || all;
  }
}

/* Counting does not see all; what is small enough is marked, when something is left unseen. */
bool *checker_live(const cdag *g)
{
  bool *live = checker_live_counted(g), unseen = false;
  uint64_t outputs;
  for (int a = 0; a < g->arrays; a++)
    unseen = unseen || (!live[a] && g->array[a].terms > 0);
  if (!unseen || g->vertices > LIVE_VERTICES)
    return live;
  SCOPED_MEM uint8_t *seen = MEM_NEW(uint8_t, g->vertices);
  if (checker_mark(g, LIVE_VERTICES, LIVE_EDGES, seen, &outputs))
    add_seen(g, seen, live);
  return live;
}

/* Does array y read the other in one term, and there single elements? */
static const cdag_term *only_term(const cdag *g, int y, int array)
{
  const cdag_term *only = NULL;
  for (int t = 0; t < g->array[y].terms; t++) {
    if (g->array[y].term[t].array != array)
      continue;
    if (only)
      return NULL;
    only = &g->array[y].term[t];
  }
  for (int r = 0; only && r < g->array[array].rank; r++)
    if (only->index[r].kind != CDAG_AT)
      return NULL;
  return only;
}

bool checker_ends_stored(const cdag *g, int array, uint64_t *taken)
{
  checker_chain c;
  spread where;
  uint64_t ends;
  checker_chain_read(g, array, &c);
  if (!c.straight || !checker_chain_count(g, array, &c, &ends) || ends == 0)
    return false;
  if (g->array[array].declared_output || ends_selected(g, array, &c, ends))
    return true;
  for (int y = 0; y < g->arrays && y < 64; y++) {
    const cdag_term *t = only_term(g, y, array);
    if (y == array || *taken >> y & 1 || !t || !g->array[y].declared_output || g->array[y].declared_input ||
        checker_named_by(g, array, &c, y, t, &where) != ends)
      continue;
    *taken |= (uint64_t)1 << y;
    return true;
  }
  return false;
}

/* Index r of the array is a loop of the reader of its own, shifted, or it runs along the chain: which of the array's
 * loops are told by loops along the reader's chain? */
static bool loops_along(const cdag *g, int array, const checker_chain *c, int reader, const checker_chain *by,
                        const cdag_term *t, unsigned *along)
{
  form loops[CDAG_RANK], index;
  unsigned used = 0;
  *along = 0;
  for (int r = 0; r < CDAG_RANK; r++)
    loops[r] = form_loop(r);
  for (int r = 0; r < g->array[array].rank; r++) {
    if (c->loops >> r & 1)
      continue;
    if (!form_read(g, t->index[r].lo, loops, g->array[reader].rank, &index) || form_uses(&index) == 0)
      return false;
    unsigned loop = form_uses(&index);
    form own = form_loop(__builtin_ctz(loop));
    own.c = index.c;
    if (loop & used || !form_same(&own, &index))
      return false;
    used |= loop;
    *along |= loop & by->loops ? 1u << r : 0;
  }
  return true;
}

bool checker_sums_of_chains(const cdag *g, int array, int sum, unsigned *along, uint64_t *trees)
{
  checker_chain own, by;
  spread where;
  uint64_t ends, outputs = 0, taken = 0;
  const cdag_term *t = sum == array || sum >= 64 ? NULL : only_term(g, sum, array);
  if (!t || g->array[sum].declared_input || cdag_has_output(g, array))
    return false;
  checker_chain_read(g, array, &own);
  checker_chain_read(g, sum, &by);
  if (!by.straight || by.self != (by.outer >= 0 ? 2 : 1) || __builtin_popcount(by.loops) != by.self ||
      !checker_chain_count(g, array, &own, &ends) || ends != g->array[sum].count ||
      checker_named_by(g, array, &own, sum, t, &where) != ends || !loops_along(g, array, &own, sum, &by, t, along) ||
      !checker_chain_count(g, sum, &by, trees) || !checker_ends_stored(g, sum, &taken))
    return false;
  return taken ? !cdag_has_output(g, sum) : cdag_array_outputs(g, sum, &outputs) && outputs == *trees;
}

static bool holds_level(const cdag_box *box, const cdag_box *hull, int rank, int loop)
{
  for (int r = 0; r < rank; r++)
    if (box->lo[r] > (r == loop ? hull->hi[r] - 1 : hull->lo[r]) || box->hi[r] < hull->hi[r])
      return false;
  return true;
}

bool checker_last_stored(const cdag *g, int array, int loop)
{
  cdag_box box;
  for (int i = 0; i < g->selections; i++)
    if (g->selection[i].array == array && checker_selection_box(g, &g->selection[i], &box) &&
        holds_level(&box, &g->array[array].hull, g->array[array].rank, loop))
      return true;
  return g->array[array].declared_output;
}

/* ---- arrays that are inputs on one level ---- */

/* Does the term read the array itself at smaller values of the loop, whatever its other indices are? */
static bool reads_back(const cdag *g, int array, const cdag_term *t, int loop)
{
  form at[CDAG_RANK], step;
  for (int r = 0; r < CDAG_RANK; r++)
    at[r] = form_loop(r);
  return t->array == array && t->index[loop].kind == CDAG_AT &&
         form_read(g, t->index[loop].lo, at, g->array[array].rank, &step) && form_plus(&step, &at[loop], -1) &&
         form_is_number(&step) && step.c < 0;
}

bool checker_sources_at(const cdag *g, int array, int loop)
{
  const cdag_array *a = &g->array[array];
  bool straight = false;
  if (!form_whole_box(g, array))
    return false;
  for (int t = 0; t < a->terms; t++) {
    if (!reads_back(g, array, &a->term[t], loop))
      return false;
    straight = straight || checker_moves_along(g, array, &a->term[t], loop) == -1;
  }
  return straight;
}

/* Elements of such an array that are inputs, or 0; *loop: at its first value. */
static uint64_t source_level(const cdag *g, int array, int *loop)
{
  const cdag_box *hull = &g->array[array].hull;
  for (*loop = 0; *loop < g->array[array].rank && g->array[array].count > 0; ++*loop)
    if (checker_sources_at(g, array, *loop))
      return g->array[array].count / (uint64_t)(hull->hi[*loop] - hull->lo[*loop]);
  *loop = -1;
  return 0;
}

/* ---- outputs ---- */

static uint64_t selected(const cdag *g, const cdag_selection *sel)
{
  checker_chain none = { .outer = -1, .inner = -1 };
  uint64_t count;
  return checker_selection_names(g, &none, sel, &count) ? count : 0;
}

/* Elements of the selection that are no inputs, at least. */
static uint64_t selected_computed(const cdag *g, const cdag_selection *sel, int loop, uint64_t inputs)
{
  form at, place[CDAG_RANK];
  uint64_t all = selected(g, sel);
  for (int q = 0; q < sel->vars; q++)
    place[q] = form_loop(q);
  if (loop < 0 || (sel->index[loop].kind == CDAG_AT && form_read(g, sel->index[loop].lo, place, sel->vars, &at) &&
                   form_is_number(&at) && at.c > g->array[sel->array].hull.lo[loop]))
    return all;
  return all > inputs ? all - inputs : 0;
}

uint64_t checker_inputs_of(const cdag *g, const bool *live, int a)
{
  checker_chain none = { .outer = -1, .inner = -1 };
  return checker_named(g, live, a, &none);
}

uint64_t checker_inputs(const cdag *g, const bool *live)
{
  uint64_t all = 0;
  for (int a = 0, loop; a < g->arrays; a++) {
    if (live[a] && g->array[a].declared_input)
      all += source_level(g, a, &loop);
    if (g->array[a].terms == 0 && !g->array[a].declared_output)
      all += checker_inputs_of(g, live, a);
  }
  return all;
}

uint64_t checker_outputs(const cdag *g)
{
  uint64_t all = 0;
  for (int a = 0; a < g->arrays; a++) {
    uint64_t most = 0, inputs = 0;
    int loop = -1;
    if (g->array[a].terms == 0 || (g->array[a].declared_input && (inputs = source_level(g, a, &loop)) == 0))
      continue;
    for (int i = 0; i < g->selections; i++) {
      uint64_t here = g->selection[i].array == a ? selected_computed(g, &g->selection[i], loop, inputs) : 0;
      most = here > most ? here : most;
    }
    if (most == 0 && !g->array[a].declared_input && !g->array[a].declared_output)
      most = cdag_array_outputs(g, a, &inputs) ? inputs : 0;
    all += g->array[a].declared_output ? g->array[a].count - inputs : most;
  }
  return all;
}
