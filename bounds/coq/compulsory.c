/* Regions that lead to outputs, with the cases that show it, and how many points they have. */
#include "base/num.h"
#include "bounds/coq/cases.h"
#include "bounds/coq/text.h"
#include <inttypes.h>
#include <string.h>

enum { WAYS = 24, REGIONS = 8, POINTS_MOST = 1 << 20 };

/* How an element of an array is read by another, or put out: Read or Out of CompulsoryCertificate.v. */
typedef struct {
  int access, output; /* -1: it is read */
  int forms;
  linear form[POLYHEDRON_VARS]; /* the reader's loops and what runs, or only that, in the element's indices */
  coq_forms asked;
} way;

typedef struct {
  coq_text *t;
  arena *memory;
  int array;          /* the element's */
  coq_forms **region; /* of each array, or NULL */
  int ways, tries;    /* of the region at hand */
  int by, output;     /* of the ways at hand */
  way way[WAYS];
} search;

/* ---- ways ---- */

/* The values in the element's indices, which stand behind the unknowns, and what is asked of them. */
static void keep_way(search *s, const coq_unknowns *u, int by, int output)
{
  coq_text *t = s->t;
  int rank = t->box[s->array].n, first = output < 0 ? 0 : rank;
  linear place[POLYHEDRON_VARS] = { 0 };
  if (s->ways == WAYS)
    return;
  way *w = &s->way[s->ways];
  *w = (way){ .access = by, .output = output };
  linear_variables(&place[u->n], rank, 0);
  for (int v = first; v < u->n; v++)
    if (!linear_substitute(&u->value[v], place, u->n + rank, 0, &w->form[w->forms++]))
      return;
  for (int i = 0; i < s->ways; i++)
    if (s->way[i].access == by && s->way[i].output == output && memcmp(s->way[i].form, w->form, sizeof w->form) == 0)
      return;
  s->ways++;
}

static void keep_found(void *search_at_hand, const coq_unknowns *u)
{
  search *s = search_at_hand;
  keep_way(s, u, s->by, s->output);
}

static void try_ways(search *s, const coq_unknowns *u, int by, int output)
{
  coq_trial trial = { .tries = s->tries, .found = keep_found, .to = s };
  s->by = by;
  s->output = output;
  coq_try_limits(&trial, u);
  s->tries = trial.tries;
}

/* An element of the array is what access i reads. */
static void add_reads(search *s, int i)
{
  const coq_text *t = s->t;
  const access *a = t->form.access[i];
  coq_unknowns u = { .n = t->loops[i].n };
  int rank = t->box[a->to].n;
  if (u.n + rank > POLYHEDRON_VARS || !coq_add_limits(&u, &t->loops[i], &t->where[i]))
    return;
  for (int r = 0; r < rank; r++) {
    u.equation[u.equations] = a->index[r];
    u.equation[u.equations++].coef[u.n + r] -= 1;
  }
  for (int k = 0; k < a->where->n; k++)
    if (a->where->row[k].equal && u.equations < POLYHEDRON_VARS)
      u.equation[u.equations++] = a->where->row[k].form;
  if (coq_solve(&u))
    try_ways(s, &u, i, -1);
}

/* It is put out, and access i reads something for it. */
static void add_outs(search *s, int output, int i)
{
  const coq_text *t = s->t;
  coq_unknowns u = { .n = t->loops[i].n };
  int rank = t->box[s->array].n;
  if (u.n + rank > POLYHEDRON_VARS || !coq_add_limits(&u, &t->loops[i], &t->where[i]))
    return;
  for (int r = 0; r < rank; r++) {
    linear index = linear_variable(u.n + r);
    if (!coq_tell(&u, r, &index))
      return;
  }
  try_ways(s, &u, i, output);
}

static bool ask_all(search *s, way *w, const coq_forms *l, const linear *value, int n)
{
  for (int i = 0; i < l->n; i++) {
    linear f;
    if (!linear_substitute(&l->item[i], value, n, 0, &f))
      return false;
    coq_forms_add(s->memory, &w->asked, &f);
  }
  return true;
}

static bool ask_inside(search *s, way *w, const linear *value, const int64_t *size, int n)
{
  for (int v = 0; v < n; v++) {
    linear last = linear_constant(size[v] - 1);
    if (!linear_add(&last, &value[v], -1))
      return false;
    coq_forms_add(s->memory, &w->asked, &value[v]);
    coq_forms_add(s->memory, &w->asked, &last);
  }
  return true;
}

/* index - x, both ways */
static bool ask_same(search *s, way *w, const linear *index, int n)
{
  for (int r = 0; r < n; r++) {
    linear more = index[r], fewer = { 0 };
    more.coef[r] -= 1;
    if (!linear_add(&fewer, &more, -1))
      return false;
    coq_forms_add(s->memory, &w->asked, &more);
    coq_forms_add(s->memory, &w->asked, &fewer);
  }
  return true;
}

/* What Coq's check asks of a way. */
static bool ask(search *s, way *w)
{
  coq_text *t = s->t;
  const access *a = t->form.access[w->access];
  int rank = t->box[s->array].n, loops = t->loops[w->access].n;
  linear value[POLYHEDRON_VARS], index[CDAG_RANK];
  linear_variables(value, rank, 0);
  memcpy(w->output < 0 ? value : &value[rank], w->form, (size_t)w->forms * sizeof *value);
  for (int r = 0; r < t->box[a->to].n; r++)
    if (!linear_substitute(&a->index[r], value, loops, 0, &index[r]))
      return false;
  if (!ask_all(s, w, &t->where[w->access], value, loops))
    return false;
  if (w->output < 0)
    return s->region[a->from] && ask_inside(s, w, value, t->loops[w->access].size, loops) &&
           ask_same(s, w, index, rank) && ask_all(s, w, s->region[a->from], value, loops);
  return t->form.array[a->to].domain.n == 1 && ask_all(s, w, &t->output[w->output], value, rank) &&
         ask_inside(s, w, &value[rank], &t->loops[w->access].size[rank], loops - rank) &&
         ask_inside(s, w, index, t->box[a->to].size, t->box[a->to].n) &&
         ask_all(s, w, t->piece[a->to], index, t->box[a->to].n);
}

static void find_ways(search *s, bool read)
{
  coq_text *t = s->t;
  s->ways = 0;
  for (int o = 0; o < t->outputs; o++)
    for (int i = 0; i < t->form.accesses && t->output_of[o] == s->array; i++)
      if (t->form.access[i]->from == s->array)
        add_outs(s, o, i);
  for (int i = 0; i < t->form.accesses && read; i++)
    if (t->form.access[i]->to == s->array && s->region[t->form.access[i]->from])
      add_reads(s, i);
  int kept = 0;
  for (int i = 0; i < s->ways; i++)
    if (ask(s, &s->way[i]))
      s->way[kept++] = s->way[i];
  s->ways = kept;
}

/* ---- cases ---- */

static void put_way(const search *s, const way *w, text *out)
{
  coq_forms forms = { .n = w->forms, .item = (linear *)w->form };
  if (w->output < 0)
    text_printf(out, "(Read %d%%nat ", w->access);
  else
    text_printf(out, "(Out %d%%nat %d%%nat ", w->output, w->access);
  coq_put_forms(&forms, s->t->box[s->array].n, out);
  text_char(out, ')');
}

/* A region and its cases, as Coq reads them. */
static bool put_region(search *s, int array, const coq_forms *known, bool read, text *out)
{
  bool there = false;
  s->array = array;
  s->tries = 0;
  for (int i = 0; i < s->t->form.array[array].domain.n; i++)
    there = there || coq_implies_all(&s->t->box[array], known, &s->t->piece[array][i]);
  find_ways(s, read);
  s->tries = 0;
  text_char(out, '(');
  coq_put_forms(known, s->t->box[array].n, out);
  text_add(out, ", ");
  coq_case *item = ARENA_NEW(s->memory, coq_case, (size_t)s->ways + 1);
  for (int i = 0; i < s->ways; i++) {
    item[i].asked = s->way[i].asked;
    put_way(s, &s->way[i], &item[i].leaf);
  }
  coq_cases cases = { .memory = s->memory, .box = &s->t->box[array], .cases = s->ways, .item = item, .split = "Split",
                      .never = "Never" };
  bool good = there && coq_cases_put(&cases, known, out);
  for (int i = 0; i < s->ways; i++)
    text_clear(&item[i].leaf);
  text_char(out, ')');
  return good;
}

/* ---- regions ---- */

/* What may be a region of an array: its domain in one piece, then each piece of what leads to an output. */
static coq_forms *candidate(coq_text *t, int array, int k)
{
  const array_form *form = &t->form.array[array];
  coq_forms *l = ARENA_NEW(&t->form.memory, coq_forms, 1);
  if (form->live.n == 0)
    return NULL;
  if (k == 0)
    return form->domain.n == 1 ? &t->piece[array][0] : l;
  return k <= form->live.n && k < REGIONS &&
                 coq_forms_beyond(&t->form.memory, &t->box[array], form->live.item[k - 1], l)
             ? l
             : NULL;
}

/* Regions shrink until each leads into others.  The texts of those there are. */
static void find_regions(search *s, text *cases)
{
  coq_text *t = s->t;
  int *at = ARENA_NEW(s->memory, int, (size_t)t->form.arrays);
  for (int x = 0; x < t->form.arrays; x++)
    s->region[x] = candidate(t, x, 0);
  for (int x = 0; x < t->form.arrays; x++) {
    text_clear(&cases[x]);
    if (!s->region[x] || put_region(s, x, s->region[x], true, &cases[x]))
      continue;
    s->region[x] = candidate(t, x, ++at[x]);
    x = -1;
  }
}

/* Those before it being known, each form asks for the variable alone, in steps of one, or does not: no need to go
   through its values. */
static bool are_counted(const coq_forms *known, int v, int n)
{
  for (int i = 0; i < known->n; i++) {
    const int64_t *coef = known->item[i].coef;
    if (coef[v] < -1 || coef[v] > 1)
      return false;
    for (int w = v + 1; w < n && coef[v]; w++)
      if (coef[w])
        return false;
  }
  return true;
}

/* All forms ask for the last variable in steps of one or not at all: the last two are counted as a plane is. */
static bool is_plane(const coq_forms *known, int n)
{
  for (int i = 0; i < known->n; i++)
    if (known->item[i].coef[n - 1] < -1 || known->item[i].coef[n - 1] > 1)
      return false;
  return true;
}

bool coq_points(arena *a, const coq_box *b, const coq_forms *known, mpz_t sum)
{
  int long_way = b->n > 1 && is_plane(known, b->n) ? b->n - 2 : b->n;
  polyhedron *p = polyhedron_new(a, b->n);
  int64_t steps = 1;
  for (int v = 0; v < b->n; v++) {
    linear x = linear_variable(v), last = linear_constant(b->size[v] - 1), zero = { 0 };
    polyhedron_require(a, p, &zero, &x);
    polyhedron_require(a, p, &x, &last);
    if (v < long_way && !are_counted(known, v, b->n) && (!num_mul(steps, b->size[v], &steps) || steps > POINTS_MOST))
      return false;
  }
  for (int i = 0; i < known->n; i++)
    polyhedron_add(a, p, &known->item[i], false);
  mpz_t count;
  mpz_init(count);
  bool good = !p->open && polyhedron_count(p, count);
  mpz_add(sum, sum, count);
  mpz_clear(count);
  return good;
}

/* Elements of the array that read nothing: no access holds where l does. */
static bool read_nothing(search *s, int array, coq_forms *l)
{
  coq_text *t = s->t;
  const array_form *form = &t->form.array[array];
  if (form->inputs.n != 1 || !coq_forms_beyond(s->memory, &t->box[array], form->inputs.item[0], l))
    return false;
  for (int i = 0; i < t->form.accesses; i++)
    if (t->form.access[i]->from == array) {
      coq_forms both = coq_forms_both(s->memory, l, &t->where[i]);
      if (!coq_implies(&t->loops[i], &both, &coq_never))
        return false;
    }
  return true;
}

/* Inputs of the array's region. */
static void put_inputs(search *s, int array, mpz_t sum, text *out)
{
  coq_forms inputs = { 0 };
  if (!s->region[array] || !read_nothing(s, array, &inputs))
    return;
  coq_forms both = coq_forms_both(s->memory, &inputs, s->region[array]);
  if (!coq_points(s->memory, &s->t->box[array], &both, sum))
    return;
  text_printf(out, "%s(%d%%nat, ", out->n ? "; " : " ", array);
  coq_put_forms(&inputs, s->t->box[array].n, out);
  text_char(out, ')');
}

static void put_list(const char *before, text *items, int n, const char *none, text *out)
{
  text_add(out, before);
  for (int i = 0; i < n; i++)
    text_printf(out, "%s%s", i ? ";\n      " : " ", items[i].n ? text_str(&items[i]) : none);
  text_add(out, "]");
}

/* What holds on all pieces of the array's outputs; that all of it is put out is asked later. */
static bool common(search *s, int array, coq_forms *l)
{
  const coq_text *t = s->t;
  const coq_forms *first = NULL;
  for (int o = 0; o < t->outputs && !first; o++)
    first = t->output_of[o] == array ? &t->output[o] : NULL;
  for (int i = 0; first && i < first->n; i++) {
    bool all = true;
    for (int o = 0; o < t->outputs; o++)
      all = all && (t->output_of[o] != array || coq_implies(&t->box[array], &t->output[o], &first->item[i]));
    if (all)
      coq_forms_add(s->memory, l, &first->item[i]);
  }
  return first != NULL;
}

/* Inputs of regions, and outputs; Coq's record of them. */
static void put_ends(search *s, text *cases, coq_ends *ends)
{
  coq_text *t = s->t;
  text outs = { 0 }, ins = { 0 };
  for (int x = 0; x < t->form.arrays; x++) {
    coq_forms put = { 0 };
    text one = { 0 };
    put_inputs(s, x, ends->inputs_of[x], &ins);
    mpz_add(ends->inputs, ends->inputs, ends->inputs_of[x]);
    if (common(s, x, &put) && put_region(s, x, &put, false, &one) &&
        coq_points(s->memory, &t->box[x], &put, ends->outputs))
      text_printf(&outs, "%s(%d%%nat, %s)", outs.n ? ";\n      " : " ", x, text_str(&one));
    text_clear(&one);
  }
  for (int x = 0; x < t->form.arrays; x++)
    if (s->region[x]) {
      text some = cases[x];
      cases[x] = (text){ 0 };
      text_printf(&cases[x], "Some %s", text_str(&some));
      text_clear(&some);
    } else
      text_clear(&cases[x]);
  put_list("Ends\n  [::", cases, t->form.arrays, "None", &ends->written);
  text_printf(&ends->written, "\n  [::%s]\n  [::%s]", text_str(&ins), text_str(&outs));
  text_clear(&ins);
  text_clear(&outs);
}

void coq_ends_init(coq_ends *ends, coq_text *t)
{
  search *s = ARENA_NEW(&t->form.memory, search, 1);
  text *cases = ARENA_NEW(&t->form.memory, text, (size_t)t->form.arrays);
  *ends = (coq_ends){ .arrays = t->form.arrays };
  mpz_inits(ends->inputs, ends->outputs, NULL);
  ends->inputs_of = ARENA_NEW(&t->form.memory, mpz_t, (size_t)t->form.arrays);
  for (int x = 0; x < t->form.arrays; x++)
    mpz_init(ends->inputs_of[x]);
  *s = (search){ .t = t, .memory = &t->form.memory };
  s->region = ends->region = ARENA_NEW(s->memory, coq_forms *, (size_t)t->form.arrays);
  find_regions(s, cases);
  put_ends(s, cases, ends);
  for (int x = 0; x < t->form.arrays; x++)
    text_clear(&cases[x]);
}

void coq_ends_clear(coq_ends *ends)
{
  mpz_clears(ends->inputs, ends->outputs, NULL);
  for (int x = 0; x < ends->arrays; x++)
    mpz_clear(ends->inputs_of[x]);
  text_clear(&ends->written);
}

bool coq_compulsory_proves(const bound_question *q, const bound *b, const json_value *v, text *told)
{
  (void)v;
  coq_text t;
  bool proves = coq_text_read(&t, q->g);
  if (proves) {
    coq_ends ends;
    coq_ends_init(&ends, &t);
    mpz_add(ends.inputs, ends.inputs, ends.outputs);
    proves = mpz_cmp(b->value, ends.inputs) <= 0;
    if (proves && told) {
      coq_text_put(&t, &told[COQ_TEXT]);
      text_add(&told[COQ_ENDS], text_str(&ends.written));
    }
    coq_ends_clear(&ends);
  }
  coq_text_clear(&t);
  return proves;
}
