/* Claims on affine computations as Coq is told of them: steps, and the whole. */
#include "bounds/coq/affine.h"
#include "base/mem.h"
#include "bounds/coq/affine_internal.h"
#include <string.h>

/* ---- steps ---- */

/* Words of one array are told by its labels; those of several ways by what is a function of all. */
static bool read_need(claimed *k, stating *z, int i)
{
  int a = want_of(z, i), of = z->of[i];
  bool own = a < 0, plain = of < k->t.form.arrays;
  z->forms[i] = !plain ? z->facts.forms[i] : own ? k->f.words.labels[of] : coq_labels_read(k, a, z->form[i]);
  if (own || !plain)
    memcpy(z->form[i], plain ? k->f.words.label[z->s->array] : z->facts.form[i],
           (size_t)z->forms[i] * sizeof z->form[i][0]);
  return z->forms[i] >= 0;
}

/* The forms of the need are those of words of the kind. */
static bool is_named(const claimed *k, const stating *z, const step_region *r, int i)
{
  int a = r->way[i].access, array = a < 0 ? z->s->array : access_of(k, a)->to;
  const word_kind *of = &k->kinds[array].item[r->way[i].kind];
  bool good = of->of == z->of[i] && of->forms == z->forms[i];
  for (int f = 0; f < of->forms && good; f++) {
    linear read = of->form[f];
    good = (a < 0 || linear_substitute(&of->form[f], access_of(k, a)->index, k->t.box[array].n, 0, &read)) &&
           coq_same(&k->t.box[z->s->array], &r->where, &z->form[i][f], &read);
  }
  return good;
}

static bool is_met(const claimed *k, const stating *z, const step_region *r, int i)
{
  const coq_box *b = &k->t.box[z->s->array];
  int a = r->way[i].access;
  bool counted = k->counted[z->of[i]], rooted = coq_all_rooted(k, z->of[i]);
  linear own[CDAG_RANK];
  linear_variables(own, b->n, 0);
  if (!is_named(k, z, r, i) || !coq_of_kind(k, b, &r->where, a < 0 ? z->s->array : access_of(k, a)->to,
                                             a < 0 ? own : access_of(k, a)->index, r->way[i].kind))
    return false;
  return a < 0 ? counted || rooted
               : coq_is_single(k, a, &r->where) && ((k->once && counted) || coq_may_be_made(k, z->of[i], a, &r->where));
}

static bool is_region(const claimed *k, const stating *z, const step_region *r)
{
  int x = z->s->array;
  bool there = false, reads = false;
  for (int i = 0; i < k->t.form.array[x].domain.n; i++)
    there = there || coq_implies_all(&k->t.box[x], &r->where, &k->t.piece[x][i]);
  if (!there || !k->ends.region[x] || !coq_implies_all(&k->t.box[x], &r->where, k->ends.region[x]))
    return false;
  for (int i = 0; i < z->s->items; i++) {
    reads = reads || r->way[i].access >= 0;
    if (!is_met(k, z, r, i))
      return false;
  }
  return reads;
}

static bool read_steps(claimed *k, stating *z)
{
  const coq_box *b = &k->t.box[z->s->array];
  if (!coq_split_steps(k, z))
    return false;
  for (int p = 0; p < z->n; p++) {
    if (!is_region(k, z, &z->region[p]))
      return false;
    for (int i = 0; i < p; i++) {
      coq_forms both = coq_forms_both(k->memory, &z->region[i].where, &z->region[p].where);
      if (!coq_implies(b, &both, &coq_never))
        return false;
    }
  }
  return true;
}

static void read_order(const claimed *k, stating *z)
{
  const coq_box *b = &k->t.box[z->s->array];
  z->order.loops = b->n;
  memcpy(z->order.size, b->size, (size_t)b->n * sizeof *b->size);
  memcpy(z->order.split, z->s->split, sizeof z->order.split);
  coq_order_claimed(&z->order, z->s->order, z->s->loops);
}

/* ---- reading ---- */

/* The claim is about what Coq is told of: nothing was laid together or divided. */
bool coq_same_text(const normal_form *a, const normal_form *b)
{
  bool good = a->arrays == b->arrays && a->accesses == b->accesses;
  for (int x = 0; x < a->arrays && good; x++)
    good = a->array[x].rank == b->array[x].rank && !b->array[x].piece_of;
  for (int i = 0; i < a->accesses && good; i++) {
    const access *x = a->access[i], *y = b->access[i];
    good = x->from == y->from && x->to == y->to && x->where->vars == y->where->vars;
    linear index[CDAG_RANK];
    coq_access_index(y, good ? a->array[x->to].rank : 0, index);
    for (int r = 0; good && r < a->array[x->to].rank; r++)
      good = linear_equal(&x->index[r], &index[r]);
  }
  return good;
}

/* With tails one statement reads nothing else. */
static bool is_asked(item_kind kind, bool tails)
{
  return tails ? kind == ITEM_OWN || kind == ITEM_TAIL : kind != ITEM_TAIL;
}

static bool is_simple(const affine_claim *c, bool tails)
{
  bool good = c->reading == READ_AS_IT_IS && c->groups > 0 &&
              (!tails || (c->groups == 1 && c->group[0].statements == 1 && c->group[0].tail > 1));
  for (int i = 0; i < c->groups && good; i++) {
    const claim_group *g = &c->group[i];
    good = g->statements > 0 && !g->together && !(g->tail && g->pairs) && g->segments > 0 && g->first >= 0 &&
           g->length >= 0;
  }
  for (int i = 0; i < c->groups; i++)
    for (int s = 0; s < c->group[i].statements; s++)
      for (int n = 0; n < c->group[i].statement[s].items; n++)
        for (int w = 0; w < c->group[i].statement[s].item[n].ways; w++)
          good = good && is_asked(c->group[i].statement[s].item[n].way[w].kind, tails);
  return good;
}

static void begin_group(claimed *k, int g)
{
  ledger *l = &k->l[g];
  l->group = &k->c.group[g];
  l->of = ARENA_NEW(k->memory, stating, (size_t)l->group->statements);
  for (int s = 0; s < l->group->statements; s++)
    l->of[s].s = &l->group->statement[s];
}

static bool read_group(claimed *k, int g)
{
  ledger *l = &k->l[g];
  for (int s = 0; s < l->group->statements; s++) {
    stating *z = &l->of[s];
    for (int i = 0; i < z->s->items; i++)
      if (!read_need(k, z, i))
        return false;
    if (!read_steps(k, z))
      return false;
    read_order(k, z);
  }
  return l->group->pairs > 0 ? coq_read_pairs(k, l) : coq_read_columns(l) && coq_is_block(k, l);
}

static bool read_claim(claimed *k, const bound_question *q, const bound *b)
{
  text reason = { 0 };
  bool good = affine_derive(&k->f, &k->c, &reason) && coq_same_text(&k->t.form, &k->f.form);
  text_clear(&reason);
  for (int g = 0; g < k->c.groups; g++) {
    good = good && k->f.group[g].unit == 1;
    begin_group(k, g);
  }
  k->once = k->tails;
  k->tail = k->tails ? k->c.group[0].tail - 1 : 0;
  if (!good || !coq_read_own(k) || !coq_read_kinds(k) || !coq_read_words(k) || !coq_ledgers_apart(k) ||
      (!k->tails && !coq_read_makers(k)))
    return false;
  coq_ends_init(&k->ends, &k->t);
  for (int g = 0; g < k->c.groups && good; g++)
    good = read_group(k, g);
  return good && coq_affine_as_much(k, q, b) && (!k->tails || coq_read_tails(k, &k->cut));
}

static void init_cuts(claimed *k)
{
  for (int g = 0; g < CLAIM_GROUPS; g++)
    mpz_inits(k->l[g].first, k->l[g].length, k->l[g].others, k->l[g].most_first, k->l[g].most, NULL);
}

static void clear_cuts(claimed *k)
{
  for (int g = 0; g < CLAIM_GROUPS; g++)
    mpz_clears(k->l[g].first, k->l[g].length, k->l[g].others, k->l[g].most_first, k->l[g].most, NULL);
}

static bool claim_proves(const bound_question *q, const bound *b, const json_value *v, bool tails, text *told)
{
  claimed *k = MEM_NEW(claimed, 1);
  text reason = { 0 };
  k->tails = tails;
  bool read = affine_claim_read(v, &k->c, &reason) && is_simple(&k->c, tails), proves = false;
  text_clear(&reason);
  init_cuts(k);
  if (read && coq_text_read(&k->t, q->g) && affine_facts_init(&k->f, q->g, READ_AS_IT_IS)) {
    k->memory = &k->t.form.memory;
    coq_from_zero(&k->f.form);
    proves = read_claim(k, q, b);
    if (proves && told) {
      coq_text_put(&k->t, &told[COQ_TEXT]);
      text_add(&told[COQ_ENDS], text_str(&k->ends.written));
      text_add(&told[COQ_CLAIM], tails ? "(" : "");
      coq_put_affine(k, &told[COQ_CLAIM]);
      text_printf(&told[COQ_CLAIM], tails ? ",\n  %s)" : "%s", text_str(&k->cut));
      coq_put_cuts(k, &told[COQ_CUTS]);
    }
    if (k->ends.region)
      coq_ends_clear(&k->ends);
    affine_facts_clear(&k->f);
  }
  if (read)
    coq_text_clear(&k->t);
  clear_cuts(k);
  text_clear(&k->cut);
  mem_free(k);
  return proves;
}

bool coq_affine_proves(const bound_question *q, const bound *b, const json_value *v, text *told)
{
  return claim_proves(q, b, v, false, told);
}

bool coq_tails_proves(const bound_question *q, const bound *b, const json_value *v, text *told)
{
  return claim_proves(q, b, v, true, told);
}
