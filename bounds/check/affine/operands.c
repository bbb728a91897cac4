/* Operands: what steps read that is computed.  They cut words, and those that follow one another on a word are runs. */
#include "bounds/check/affine/operands.h"
#include "bounds/checker.h"

bool derivation_same_column(const derivation *d, int a, int i, int b, int k)
{
  return d->group[a] == d->group[b] && d->t[a].s->item[i].column == d->t[b].s->item[k].column;
}

/* ---- operands ---- */

bool operands_image(affine_facts *f, const statement_facts *t, int i, int w, const linear *form, int forms,
                    polyhedra *image)
{
  const way_facts *way = &t->way[i][w];
  for (int k = 0; k < t->steps.n; k++) {
    polyhedron *p = polyhedron_new(&f->scratch, forms);
    bool exact;
    polyhedron *taken = polyhedron_copy(&f->scratch, t->steps.item[k]);
    if (t->s->item[i].ways > 1)
      polyhedron_meet(&f->scratch, taken, way->where, t->rank);
    polyhedron_include(&f->scratch, p, taken, NULL, 0);
    for (int r = 0; r < forms; r++) {
      linear y = linear_variable(r), moved;
      if (!linear_substitute(&form[r], NULL, 0, forms, &moved))
        return false;
      polyhedron_same(&f->scratch, p, &y, &moved);
    }
    if (polyhedron_empty(p))
      continue;
    p = polyhedron_project(&f->scratch, p, forms, &exact);
    if (p->open)
      return false;
    polyhedra_add(&f->scratch, image, p);
  }
  return true;
}

static bool cut_by(derivation *d, int array, const polyhedra *image, operand_list *l)
{
  const normal_form *f = &d->f->form;
  for (int i = 0; i < d->f->words.n; i++) {
    const access *a = f->access[d->f->words.own[i]];
    for (int k = 0; a->to == array && k < image->n; k++) {
      polyhedron *p = polyhedron_copy(&d->f->scratch, a->where);
      polyhedron_include(&d->f->scratch, p, image->item[k], a->index, f->array[array].rank);
      if (p->open)
        return false;
      if (polyhedron_empty(p))
        continue;
      l->cut = arena_room(&d->f->scratch, l->cut, l->cuts, &l->cut_room, sizeof *l->cut);
      l->cut[l->cuts++] = (struct cut){ a->from, p };
    }
  }
  return true;
}

static bool all_meet(derivation *d, const polyhedron *p, const polyhedron *q, int rank)
{
  polyhedron *both = polyhedron_copy(&d->f->scratch, p);
  polyhedron_meet(&d->f->scratch, both, q, rank);
  return !polyhedron_empty(both);
}

/* No counted step is an operand and the start of its word at once: such steps do not count. */
static bool drop_lone_operands(derivation *d, const polyhedra *image, int array, const operand_list *l)
{
  for (int a = 0; a < d->n; a++)
    for (int p = 0; p < d->t[a].steps.n && d->t[a].s->array == array; p++)
      for (int k = 0; k < image->n; k++) {
        int rank = d->t[a].rank, starts = d->f->words.start[array].n;
        polyhedron *both = polyhedron_copy(&d->f->scratch, d->t[a].steps.item[p]);
        polyhedron_meet(&d->f->scratch, both, image->item[k], rank);
        if (polyhedron_empty(both))
          continue;
        for (int s = 0; s < starts + l->cuts; s++) {
          const polyhedron *start = s < starts ? d->f->words.start[array].item[s] : l->cut[s - starts].where;
          if ((s >= starts && l->cut[s - starts].array != array) || !all_meet(d, both, start, rank))
            continue;
          polyhedron *lone = polyhedron_copy(&d->f->scratch, both);
          polyhedron_meet(&d->f->scratch, lone, start, rank);
          /* with fewer steps, anew */
          return steps_part_thin(d->f, &d->t[a], lone) && drop_lone_operands(d, image, array, l);
        }
      }
  return true;
}

static bool rooted_whole(const derivation *d, int component, const operand_list *l)
{
  for (int s = 0; s < l->cuts; s++)
    if (d->f->words.component[l->cut[s].array] == component)
      return false;
  return true;
}

bool derivation_next_need(const derivation *d, item_kind kind, need *n)
{
  for (n->w++; n->a < d->n; n->a++, n->i = 0)
    for (; n->i < d->t[n->a].s->items; n->i++, n->w = 0)
      for (; n->w < d->t[n->a].s->item[n->i].ways; n->w++)
        if (d->t[n->a].s->item[n->i].way[n->w].kind == kind)
          return true;
  return false;
}

/* What the counted steps read, and where that cuts words. */
static bool find_images(derivation *d, operand_list *l)
{
  bool good = true;
  l->cuts = 0;
  for (int x = 0; x < l->n && good; x++) {
    const statement_facts *t = &d->t[l->of[x].a];
    const way_facts *way = &t->way[l->of[x].i][l->of[x].w];
    l->of[x].image = (polyhedra){ 0 };
    good = operands_image(d->f, t, l->of[x].i, l->of[x].w, way->index, way->indices, &l->of[x].image) &&
           cut_by(d, l->of[x].array, &l->of[x].image, l);
  }
  return good;
}

bool operands_find(derivation *d, operand_list *l, text *reason)
{
  for (need n = { 0, 0, -1 }; derivation_next_need(d, ITEM_OPERAND, &n); l->n++) {
    int to = d->t[n.a].way[n.i][n.w].to;
    d->f->operands = true;
    l->of[l->n].group = d->group[n.a];
    l->of[l->n].array = to;
    l->of[l->n].a = n.a;
    l->of[l->n].i = n.i;
    l->of[l->n].w = n.w;
  }
  if (!find_images(d, l))
    return bound_refuse(reason, "the operands are not found");
  need tail = { 0, 0, -1 }, made = { 0, 0, -1 };
  if (l->n && (derivation_next_need(d, ITEM_TAIL, &tail) || derivation_next_need(d, ITEM_MADE, &made)))
    return bound_refuse(reason, "operands and tails at once");
  for (int x = 0; x < l->n; x++)
    if (!drop_lone_operands(d, &l->of[x].image, l->of[x].array, l))
      return bound_refuse(reason, "a counted step may be an operand and the start of its word");
  if (!find_images(d, l)) /* of fewer steps now */
    return bound_refuse(reason, "the operands are not found");
  for (need n = { 0, 0, -1 }; derivation_next_need(d, ITEM_READ, &n);)
    if (!rooted_whole(d, d->t[n.a].way[n.i][n.w].component, l))
      return bound_refuse(reason, "a rooted word is cut");
  return true;
}

/* ---- runs of operands ---- */

static bool same_need(const operand_list *l, int x, int y)
{
  return l->of[x].a == l->of[y].a && l->of[x].i == l->of[y].i;
}

linear operands_form(const statement_facts *t, int i, int w, int k, const linear *basis)
{
  const way_facts *way = &t->way[i][w];
  linear f = way->pick[k] < 0 ? linear_constant(0) : basis[way->pick[k]];
  f.base -= way->shift[k];
  return f;
}

/* Elements of p, operands by x, whose own predecessor by `a` is in q, an operand by y of the same need, and has the
   same forms. */
static bool add_followers(derivation *d, const operand_list *l, int x, int y, const access *a, const polyhedron *p,
                          const polyhedron *q, polyhedra *inner)
{
  const normal_form *f = &d->f->form;
  const statement_facts *t = &d->t[l->of[x].a];
  int i = l->of[x].i, rank = f->array[a->from].rank;
  polyhedron *both = polyhedron_copy(&d->f->scratch, a->where);
  linear element[CDAG_RANK];
  bool exact;
  for (int r = 0; r < rank; r++)
    element[r] = linear_variable(r);
  polyhedron_meet(&d->f->scratch, both, p, rank);
  polyhedron_include(&d->f->scratch, both, q, a->index, f->array[a->to].rank);
  for (int k = 0; k < t->forms[i]; k++) {
    linear own = operands_form(t, i, l->of[x].w, k, element),
           before = operands_form(t, i, l->of[y].w, k, a->index);
    polyhedron_same(&d->f->scratch, both, &own, &before);
  }
  if (both->open)
    return false;
  if (polyhedron_empty(both))
    return true;
  both = polyhedron_project(&d->f->scratch, both, rank, &exact);
  if (exact)
    polyhedra_add(&d->f->scratch, inner, both);
  return exact;
}

/* Elements of the array that are operands of another need than x, or whose own predecessor is. */
static bool add_strangers(derivation *d, const operand_list *l, int x, polyhedra *others)
{
  const normal_form *f = &d->f->form;
  bool exact, good = true;
  for (int z = 0; z < l->n; z++)
    for (int k = 0; k < l->of[z].image.n && !same_need(l, x, z); k++) {
      if (l->of[z].array == l->of[x].array)
        polyhedra_add(&d->f->scratch, others, l->of[z].image.item[k]);
      for (int o = 0; o < d->f->words.n; o++) {
        const access *a = f->access[d->f->words.own[o]];
        if (a->from != l->of[x].array || a->to != l->of[z].array)
          continue;
        polyhedron *p = polyhedron_copy(&d->f->scratch, a->where);
        polyhedron_include(&d->f->scratch, p, l->of[z].image.item[k], a->index, f->array[a->to].rank);
        if (!p->open && polyhedron_empty(p))
          continue;
        p = polyhedron_project(&d->f->scratch, p, f->array[a->from].rank, &exact);
        good = good && !p->open;
        polyhedra_add(&d->f->scratch, others, p);
      }
    }
  return good;
}

/* Operands by x that go on a run: they follow one of the same need on their word, with the same forms, and are of no
   other need, nor is that one.  None where others share the column, or words are asked for more than the forms. */
static bool find_inner(derivation *d, const operand_list *l, int x, polyhedra *inner)
{
  const normal_form *f = &d->f->form;
  polyhedra found = { 0 }, others = { 0 };
  const claim_group *c = &d->c->group[l->of[x].group];
  bool good = !c->pairs && !c->together && d->t[l->of[x].a].s->item[l->of[x].i].ways > 1;
  for (int b = 0; b < d->n; b++)
    for (int k = 0; k < d->t[b].s->items; k++)
      good = good && ((b == l->of[x].a && k == l->of[x].i) || !derivation_same_column(d, l->of[x].a, l->of[x].i, b, k));
  for (int y = 0; y < l->n && good; y++)
    for (int o = 0; o < d->f->words.n && same_need(l, x, y); o++) {
      const access *a = f->access[d->f->words.own[o]];
      if (a->from != l->of[x].array || a->to != l->of[y].array)
        continue;
      for (int p = 0; p < l->of[x].image.n; p++)
        for (int q = 0; q < l->of[y].image.n; q++)
          good = good && add_followers(d, l, x, y, a, l->of[x].image.item[p], l->of[y].image.item[q], &found);
    }
  return good && add_strangers(d, l, x, &others) &&
         polyhedra_minus(&d->f->scratch, &found, &others, f->array[l->of[x].array].rank, inner);
}

/* ---- births ---- */

/* Those of `all` that are none of `take`; all, where that is not found. */
static void leave_out(derivation *d, polyhedra *all, const polyhedra *take, int rank)
{
  polyhedra rest = { 0 };
  if (polyhedra_minus(&d->f->scratch, all, take, rank, &rest))
    *all = rest;
}

/* Add the number of elements of the array that begin runs of the group's operands, or at which words are cut and that
   are no operands. */
static bool add_union(derivation *d, const operand_list *l, int group, int array, bool cuts, mpz_t births)
{
  polyhedra all = { 0 }, but = { 0 }, pieces = { 0 };
  mpz_t n;
  for (int x = 0; x < l->n; x++) {
    for (int k = 0; l->of[x].array == array && k < l->of[x].image.n; k++)
      if (cuts)
        polyhedra_add(&d->f->scratch, &but, l->of[x].image.item[k]);
      else if (l->of[x].group == group)
        polyhedra_add(&d->f->scratch, &all, l->of[x].image.item[k]);
    polyhedra inner = { 0 };
    if (!cuts && l->of[x].group == group && l->of[x].array == array && find_inner(d, l, x, &inner))
      for (int k = 0; k < inner.n; k++)
        polyhedra_add(&d->f->scratch, &but, inner.item[k]);
  }
  for (int x = 0; x < l->cuts && cuts; x++)
    if (l->cut[x].array == array)
      polyhedra_add(&d->f->scratch, &all, l->cut[x].where);
  leave_out(d, &all, &but, d->f->form.array[array].rank);
  mpz_init(n);
  bool good = polyhedra_disjoint(&d->f->scratch, &all, d->f->form.array[array].rank, &pieces) &&
              polyhedra_count(&pieces, n);
  mpz_add(births, births, n);
  mpz_clear(n);
  return good;
}

bool operands_runs(derivation *d, const operand_list *l, int group, int array, mpz_t runs)
{
  return add_union(d, l, group, array, false, runs);
}

/* Arrays of components in which the group has words of its own: their starts, and where they are cut; and its operands.
 */
bool operands_births(derivation *d, const operand_list *l, int group, text *reason)
{
  mpz_t n, *births = &d->f->group[group].births;
  bool good = true;
  mpz_init(n);
  for (int x = 0; x < d->f->form.arrays && good; x++) {
    bool own = false;
    for (int a = 0; a < d->n; a++)
      for (int i = 0; i < d->t[a].s->items && d->group[a] == group; i++)
        own = own || (d->t[a].s->item[i].way[0].kind == ITEM_OWN &&
                      d->t[a].way[i][0].component == d->f->words.component[x]);
    if (own) {
      good = d->f->form.array[x].known && polyhedra_count(&d->f->words.start[x], n);
      mpz_add(*births, *births, n);
      good = good && add_union(d, l, group, x, true, *births);
    }
    good = good && operands_runs(d, l, group, x, *births);
  }
  mpz_clear(n);
  return good || bound_refuse(reason, "the births are not counted");
}
