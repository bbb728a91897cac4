/* Words as AffineClaim.v tells them apart: of each array kinds of elements, each with a component.  Words of one
   component that stand in several ledgers, and operands, are of components of their own; steps are cut where a need is
   met in another way. */
#include "bounds/check/affine/operands.h"
#include "bounds/coq/affine_internal.h"
#include "bounds/coq/walks.h"
#include <string.h>

coq_forms coq_affine_moved(const claimed *k, const coq_forms *l, const linear *index, int n)
{
  coq_forms moved = { 0 };
  if (!coq_forms_moved(k->memory, l, index, n, &moved))
    coq_forms_add(k->memory, &moved, &coq_never); /* of numbers too large: says nothing that holds */
  return moved;
}

bool coq_of_kind(const claimed *k, const coq_box *b, const coq_forms *known, int array, const linear *index, int q)
{
  int n = k->t.box[array].n;
  coq_forms here = coq_affine_moved(k, &k->kinds[array].item[q].where, index, n);
  bool good = coq_implies_all(b, known, &here);
  for (int e = 0; e < q && good; e++) {
    coq_forms before = coq_affine_moved(k, &k->kinds[array].item[e].where, index, n);
    before = coq_forms_both(k->memory, &before, known);
    good = coq_implies(b, &before, &coq_never);
  }
  return good;
}

/* ---- components ---- */

static bool is_word(const claim_way *way) { return way->kind != ITEM_OPERAND; }
/* Words are cut there. */
static bool is_cut(const claim_way *way) { return way->kind == ITEM_OPERAND || way->kind == ITEM_TAIL; }
static int way_component(const claimed *k, const stating *z, const claim_way *way)
{
  return component(k, way->kind == ITEM_OWN ? z->s->array : access_of(k, way->access)->to);
}

/* Computed operands stand in the column, or words with tails, or a need that may be met in several ways. */
static bool is_mixed(const claimed *k, int group, int column)
{
  const claim_group *g = &k->c.group[group];
  for (int s = 0; s < g->statements; s++)
    for (int i = 0; i < g->statement[s].items; i++)
      if (g->statement[s].item[i].column == column &&
          (g->statement[s].item[i].ways > 1 || is_cut(&g->statement[s].item[i].way[0])))
        return true;
  return false;
}

/* A need of the column may be met in several ways. */
static bool has_ways(const claimed *k, int group, int column)
{
  const claim_group *g = &k->c.group[group];
  for (int s = 0; s < g->statements; s++)
    for (int i = 0; i < g->statement[s].items; i++)
      if (g->statement[s].item[i].column == column && g->statement[s].item[i].ways > 1)
        return true;
  return false;
}

/* The group whose words keep the component: one that continues them, or the first. */
static int home_of(claimed *k, int word)
{
  int home = -1;
  bool own = false;
  for (need_place p = { .item = -1 }; coq_next_need(k, &p);) {
    const claim_item *item = &p.z->s->item[p.item];
    if (is_mixed(k, p.group, item->column) || way_component(k, p.z, &item->way[0]) != word || own)
      continue;
    own = item->way[0].kind == ITEM_OWN;
    if (own || home < 0)
      home = p.group;
  }
  return home;
}

/* Of words of other groups, and of columns with operands, the component is a new one; of operands of two arrays that
   are never one need there are two. */
static void read_components(claimed *k)
{
  int arrays = k->t.form.arrays;
  int *mixed = ARENA_NEW(k->memory, int, (size_t)(arrays + 1) * CLAIM_GROUPS * CLAIM_COLUMNS);
  int *apart = ARENA_NEW(k->memory, int, (size_t)arrays * CLAIM_GROUPS);
  k->components = arrays;
  for (need_place p = { .item = -1 }; coq_next_need(k, &p);) {
    const claim_item *item = &p.z->s->item[p.item];
    int word = way_component(k, p.z, &item->way[0]);
    bool is = is_mixed(k, p.group, item->column);
    bool alone = is && !has_ways(k, p.group, item->column) && !is_word(&item->way[0]);
    int array = alone ? access_of(k, item->way[0].access)->to : arrays;
    int *at = is ? &mixed[(array * CLAIM_GROUPS + p.group) * CLAIM_COLUMNS + item->column]
                 : &apart[word * CLAIM_GROUPS + p.group];
    if (*at == 0)
      *at = is || home_of(k, word) != p.group ? 1 + k->components++ : 1 + word;
    p.z->of[p.item] = *at - 1;
  }
}

/* ---- kinds ---- */

/* Elements of one array and component, found one after another. */
typedef struct {
  int array;
  word_kind common;
  polyhedra at;
} pool;
typedef struct {
  int n, room;
  pool *item;
} pools;

static pool *find_pool(claimed *k, pools *l, int array, const stating *z, int i, int w, const linear *basis)
{
  word_kind fresh = { .of = z->of[i], .forms = z->facts.forms[i] };
  for (int f = 0; f < fresh.forms; f++)
    fresh.form[f] = operands_form(&z->facts, i, w, f, basis);
  for (int x = 0; x < l->n; x++) {
    const word_kind *of = &l->item[x].common;
    bool same = l->item[x].array == array && of->of == fresh.of && of->forms == fresh.forms;
    for (int f = 0; f < fresh.forms && same; f++)
      same = linear_equal(&of->form[f], &fresh.form[f]);
    if (same)
      return &l->item[x];
  }
  l->item = arena_room(k->memory, l->item, l->n, &l->room, sizeof *l->item);
  l->item[l->n] = (pool){ .array = array, .common = fresh };
  return &l->item[l->n++];
}

/* The elements that the way reads. */
static bool add_operands(claimed *k, pools *l, const stating *z, int i, int w)
{
  const way_facts *way = &z->facts.way[i][w];
  linear index[CDAG_RANK];
  linear_variables(index, way->indices, 0);
  pool *at = find_pool(k, l, way->to, z, i, w, index);
  k->once = true;
  return operands_image(&k->f, &z->facts, i, w, way->index, way->indices, &at->at);
}

static bool exists(claimed *k, int array, const polyhedron *at)
{
  const array_form *form = &k->f.form.array[array];
  for (int i = 0; i < form->domain.n; i++) {
    polyhedron *p = polyhedron_copy(&k->f.scratch, at);
    polyhedron_meet(&k->f.scratch, p, form->domain.item[i], form->rank);
    if (!polyhedron_empty(p))
      return true;
  }
  return false;
}

/* All elements of the words that the way uses. */
static bool add_words(claimed *k, pools *l, const stating *z, int i, int w)
{
  const way_facts *way = &z->facts.way[i][w];
  polyhedra labels = { 0 };
  if (way->reduced || !operands_image(&k->f, &z->facts, i, w, way->form, way->forms, &labels))
    return false;
  for (int x = 0; x < k->t.form.arrays; x++) {
    for (int r = 0; r < labels.n && component(k, x) == way->component; r++) {
      polyhedron *p = polyhedron_new(&k->f.scratch, k->t.box[x].n);
      polyhedron_include(&k->f.scratch, p, labels.item[r], k->f.words.label[x], way->forms);
      if (exists(k, x, p))
        polyhedra_add(&k->f.scratch, &find_pool(k, l, x, z, i, w, k->f.words.label[x])->at, p);
    }
  }
  return true;
}

/* The tails of all that the way reads, wherever it reads: elements of its word from there on down. */
static bool add_tails(claimed *k, pools *l, const stating *z, int i, int w)
{
  const way_facts *way = &z->facts.way[i][w];
  linear *level = ARENA_NEW(&k->f.scratch, linear, (size_t)k->t.form.arrays), here;
  if (way->reduced || !words_levels(&k->f.words, way->component, level) ||
      !linear_substitute(&level[way->to], way->index, way->indices, 0, &here))
    return false;
  for (int x = 0; x < k->t.form.arrays; x++) {
    int n = k->t.box[x].n;
    polyhedron *p = polyhedron_new(&k->f.scratch, n);
    bool exact;
    linear moved, least;
    if (component(k, x) != way->component)
      continue;
    polyhedron_include(&k->f.scratch, p, way->where, NULL, 0);
    for (int r = 0; r < way->forms; r++)
      if (linear_substitute(&way->form[r], NULL, 0, n, &moved))
        polyhedron_same(&k->f.scratch, p, &k->f.words.label[x][r], &moved);
    if (!linear_substitute(&here, NULL, 0, n, &moved))
      return false;
    polyhedron_require(&k->f.scratch, p, &level[x], &moved);
    least = moved;
    least.base -= k->c.group[0].tail;
    polyhedron_require(&k->f.scratch, p, &least, &level[x]);
    p = polyhedron_project(&k->f.scratch, p, n, &exact);
    if (p->open)
      return false;
    if (!polyhedron_empty(p) && exists(k, x, p))
      polyhedra_add(&k->f.scratch, &find_pool(k, l, x, z, i, w, k->f.words.label[x])->at, p);
  }
  return true;
}

static bool add_kind(claimed *k, int array, const word_kind *common, polyhedron *at)
{
  kinds *l = &k->kinds[array];
  word_kind fresh = *common;
  fresh.at = at;
  l->item = arena_room(k->memory, l->item, l->n, &l->room, sizeof *l->item);
  if (at && !coq_forms_beyond(k->memory, &k->t.box[array], at, &fresh.where))
    return false;
  l->item[l->n++] = fresh;
  return true;
}

static bool add_pool(claimed *k, pool *p)
{
  polyhedra pieces = { 0 };
  polyhedra_join(&k->f.scratch, &p->at);
  bool good = polyhedra_disjoint(&k->f.scratch, &p->at, k->t.box[p->array].n, &pieces);
  for (int i = 0; i < pieces.n && good; i++)
    good = add_kind(k, p->array, &p->common, polyhedron_tidy(&k->f.scratch, pieces.item[i]));
  return good;
}

static bool add_rest(claimed *k, int array)
{
  word_kind rest = { .of = component(k, array), .forms = k->f.words.labels[component(k, array)] };
  memcpy(rest.form, k->f.words.label[array], sizeof rest.form);
  return add_kind(k, array, &rest, NULL);
}

static bool read_facts(claimed *k)
{
  text reason = { 0 };
  bool good = true;
  for (int g = 0; g < k->c.groups && good; g++)
    for (int s = 0; s < k->c.group[g].statements && good; s++) {
      stating *z = &k->l[g].of[s];
      good = statement_facts_of(&k->f, z->s, &z->facts, &reason);
      z->facts.steps = k->f.group[g].steps[s];
    }
  text_clear(&reason);
  return good;
}

/* ---- labels with few loops in them: Coq asks which loops one label tells ---- */

static int loops_in(const linear *f)
{
  int n = 0;
  for (int v = 0; v < POLYHEDRON_VARS; v++)
    n += f->coef[v] != 0;
  return n;
}

/* Label a with so many times label b in its place: how many loops are fewer, over the arrays of the component. */
static int spared(const claimed *k, int of, int a, int b, int times)
{
  int spare = 0;
  for (int x = 0; x < k->t.form.arrays; x++) {
    if (component(k, x) != of)
      continue;
    linear f = k->f.words.label[x][a];
    bool good = linear_add(&f, &k->f.words.label[x][b], times);
    spare += good ? loops_in(&k->f.words.label[x][a]) - loops_in(&f) : -CDAG_RANK;
  }
  return spare;
}

static void simplify_labels(claimed *k)
{
  for (int of = 0; of < k->t.form.arrays; of++)
    for (int a = 0; a < k->f.words.labels[of]; a++)
      for (int b = 0; b < k->f.words.labels[of]; b++)
        for (int times = -1; times <= 1 && a != b; times += 2)
          if (spared(k, of, a, b, times) > 0)
            for (int x = 0; x < k->t.form.arrays; x++)
              if (component(k, x) == of)
                linear_add(&k->f.words.label[x][a], &k->f.words.label[x][b], times);
}

bool coq_read_kinds(claimed *k)
{
  pools l = { 0 };
  simplify_labels(k);
  if (!read_facts(k))
    return false;
  read_components(k);
  k->kinds = ARENA_NEW(k->memory, kinds, (size_t)k->t.form.arrays);
  for (need_place p = { .item = -1 }; coq_next_need(k, &p);)
    for (int w = 0; p.z->of[p.item] >= k->t.form.arrays && w < p.z->s->item[p.item].ways; w++) {
      item_kind kind = p.z->s->item[p.item].way[w].kind;
      if (!(kind == ITEM_TAIL      ? add_tails(k, &l, p.z, p.item, w)
            : kind == ITEM_OPERAND ? add_operands(k, &l, p.z, p.item, w)
                                   : add_words(k, &l, p.z, p.item, w)))
        return false;
    }
  for (int i = 0; i < l.n; i++)
    if (!add_pool(k, &l.item[i]))
      return false;
  for (int x = 0; x < k->t.form.arrays; x++)
    if (!add_rest(k, x))
      return false;
  return true;
}

/* ---- steps, cut ---- */

static polyhedron *moved_kind(claimed *k, int array, int q, const linear *index, int vars)
{
  polyhedron *p = polyhedron_new(&k->f.scratch, vars);
  if (k->kinds[array].item[q].at)
    polyhedron_include(&k->f.scratch, p, k->kinds[array].item[q].at, index, k->t.box[array].n);
  return p;
}

bool coq_kind_parts(claimed *k, const polyhedron *p, int array, const linear *index, int q, polyhedra *parts)
{
  polyhedra away = { 0 }, all = { 0 };
  polyhedron *here = polyhedron_copy(&k->f.scratch, p);
  if (k->kinds[array].item[q].at)
    polyhedron_include(&k->f.scratch, here, k->kinds[array].item[q].at, index, k->t.box[array].n);
  if (here->open || polyhedron_empty(here))
    return !here->open;
  polyhedra_add(&k->f.scratch, &all, here);
  for (int e = 0; e < q; e++)
    polyhedra_add(&k->f.scratch, &away, moved_kind(k, array, e, index, p->vars));
  if (q > 0)
    return polyhedra_minus(&k->f.scratch, &all, &away, p->vars, parts);
  *parts = all;
  return true;
}

static bool split(claimed *k, stating *z, int i, const polyhedron *p, step_region *so_far);

/* The need is met by what the access reads, or by the step's own word (-1), where that is of its component. */
static bool split_by(claimed *k, stating *z, int i, const polyhedron *p, int a, step_region *so_far)
{
  int array = a < 0 ? z->s->array : access_of(k, a)->to;
  linear own[CDAG_RANK];
  linear_variables(own, k->t.box[array].n, 0);
  for (int q = 0; q < k->kinds[array].n; q++) {
    polyhedra parts = { 0 };
    if (k->kinds[array].item[q].of != z->of[i])
      continue;
    if (!coq_kind_parts(k, p, array, a < 0 ? own : k->f.form.access[a]->index, q, &parts))
      return false;
    so_far->way[i].access = a;
    so_far->way[i].kind = q;
    for (int r = 0; r < parts.n; r++)
      if (!split(k, z, i + 1, parts.item[r], so_far))
        return false;
  }
  return true;
}

/* A step that is an operand uses the word that its own predecessor ends. */
static bool split_operands(claimed *k, stating *z, int i, const polyhedron *p, step_region *so_far)
{
  linear own[CDAG_RANK];
  int array = z->s->array;
  linear_variables(own, k->t.box[array].n, 0);
  for (int q = 0; q < k->kinds[array].n; q++) {
    polyhedra parts = { 0 };
    if (k->kinds[array].item[q].of == z->of[i])
      continue;
    if (!coq_kind_parts(k, p, array, own, q, &parts))
      return false;
    for (int r = 0; r < parts.n; r++)
      for (int o = 0; o < k->owns; o++) {
        if (access_of(k, k->own[o])->from != array)
          continue;
        polyhedron *there = polyhedron_copy(&k->f.scratch, parts.item[r]);
        polyhedron_meet(&k->f.scratch, there, k->f.form.access[k->own[o]]->where, k->t.box[array].n);
        if (!polyhedron_empty(there) && !split_by(k, z, i, there, k->own[o], so_far))
          return false;
      }
  }
  return true;
}

static bool add_region(claimed *k, stating *z, const polyhedron *p, const step_region *so_far)
{
  step_region r = *so_far;
  r.where = (coq_forms){ 0 };
  if (k->components > k->t.form.arrays)
    p = polyhedron_tidy(&k->f.scratch, p);
  if (!coq_forms_beyond(k->memory, &k->t.box[z->s->array], p, &r.where))
    return false;
  z->region = arena_room(k->memory, z->region, z->n, &z->room, sizeof *z->region);
  z->region[z->n++] = r;
  return true;
}

static bool split(claimed *k, stating *z, int i, const polyhedron *p, step_region *so_far)
{
  if (i == z->s->items)
    return add_region(k, z, p, so_far);
  const claim_item *item = &z->s->item[i];
  if (item->way[0].kind == ITEM_OWN)
    return split_by(k, z, i, p, -1, so_far) && split_operands(k, z, i, p, so_far);
  bool good = true;
  for (int w = 0; w < item->ways && good; w++) {
    polyhedron *there = polyhedron_copy(&k->f.scratch, p);
    if (item->ways > 1)
      polyhedron_meet(&k->f.scratch, there, z->facts.way[i][w].where, z->facts.rank);
    good = polyhedron_empty(there) || split_by(k, z, i, there, item->way[w].access, so_far);
  }
  return good;
}

bool coq_split_steps(claimed *k, stating *z)
{
  step_region start = { 0 };
  for (int p = 0; p < z->facts.steps.n; p++)
    if (!split(k, z, 0, z->facts.steps.item[p], &start))
      return false;
  return z->n > 0;
}
