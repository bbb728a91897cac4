#include "bounds/affine/say.h"
#include "bounds/leading.h"
#include "bounds/proof.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- names ---- */

static void put_index(const cdag_array *a, int r, text *out)
{
  if (r < a->rank && a->var[r][0])
    text_add(out, a->var[r]);
  else
    text_printf(out, "x%d", r);
}

static void put_loop(const normal_form *f, int array, int r, text *out)
{
  const cdag_array *a = normal_form_text(f, array);
  const index_part *p = &f->array[array].part[r];
  int whole = p->of ? p->of - 1 : r, more = f->array[array].more[whole];
  text_add(out, more ? "(" : "");
  put_index(a, whole, out);
  if (more) {
    text_add(out, "+");
    put_index(a, more - 1, out);
    text_add(out, ")");
  }
  if (p->of && p->under > 1)
    text_printf(out, "/%" PRId64, p->under);
  if (p->by > 0)
    text_printf(out, "%c%" PRId64, p->of ? '%' : '/', p->by);
}

static void put_form(const normal_form *f, int array, const linear *form, text *out)
{
  bool some = false;
  for (int r = 0; r < f->array[array].rank; r++) {
    int64_t c = form->coef[r];
    if (c == 0)
      continue;
    text_add(out, c < 0 ? "-" : some ? "+" : "");
    if (c != 1 && c != -1)
      text_printf(out, "%" PRId64 " ", c < 0 ? -c : c);
    put_loop(f, array, r, out);
    some = true;
  }
  if (form->base || !some)
    text_printf(out, some ? "%+" PRId64 : "%" PRId64, form->base);
}

/* U[k,j,k-1], in the loops of who reads it. */
static void put_access(const normal_form *f, const access *a, text *out)
{
  text_printf(out, "%s[", normal_form_text(f, a->to)->name);
  for (int r = 0; r < f->array[a->to].rank; r++) {
    text_add(out, r ? "," : "");
    put_form(f, a->from, &a->index[r], out);
  }
  text_char(out, ']');
}

static void put_element(const normal_form *f, int array, text *out)
{
  text_printf(out, "%s[", normal_form_text(f, array)->name);
  for (int r = 0; r < f->array[array].rank; r++) {
    text_add(out, r ? "," : "");
    put_loop(f, array, r, out);
  }
  text_char(out, ']');
}

/* ---- the leading term ---- */

static double rate(const group_facts *g, int64_t m)
{
  double s = g->guess_s;
  return s > 1 ? pow(s - 1, s - 1) / (pow(s, s) * g->guess_c) * mpz_get_d(g->work) / pow((double)m, s - 1) : 0;
}

void affine_say_leading(const affine_facts *f, const affine_claim *c, int64_t m, text *out)
{
  for (int g = 0; g < c->groups; g++) {
    const group_facts *of = &f->group[g];
    double s = of->guess_s, k = pow(s - 1, s - 1) / (pow(s, s) * of->guess_c);
    if (rate(of, m) <= 0 || of->unit > 1)
      continue;
    char *digits = mpz_get_str(NULL, 10, of->work);
    text_add(out, out->n ? " + " : "");
    bound_leading_term(k, digits, s - 1, out);
    free(digits);
  }
}

/* ---- the argument ---- */

static void say_words(const proof *say, const affine_facts *f, const affine_claim *c)
{
  text list = { 0 };
  for (int i = 0; i < c->owns; i++) {
    const access *a = f->form.access[c->own[i]];
    text_add(&list, i ? "; " : "");
    put_element(&f->form, a->from, &list);
    text_add(&list, " after ");
    put_access(&f->form, a, &list);
  }
  if (c->owns)
    proof_tell(say, "affine/say/words", "list %s", text_str(&list));
  else
    proof_say(say, "Words. Each element is a word by itself.");
  proof_paragraph(say);
  text_clear(&list);
}

static void say_item(const affine_facts *f, const claim_statement *s, int i, text *out)
{
  static const char *const as[] = { "the word that it continues", "the word of ", "the element ", "the word of ",
                                    "the word of " };
  if (s->item[i].views)
    text_printf(out, "(once for each of %d ways) ", s->item[i].ways);
  for (int w = 0; w < s->item[i].ways; w++) {
    const claim_way *way = &s->item[i].way[w];
    text_add(out, w ? " or elsewhere " : "");
    text_add(out, as[way->kind]);
    if (way->kind != ITEM_OWN)
      put_access(&f->form, f->form.access[way->access], out);
  }
}

static void say_statement(const proof *say, const affine_facts *f, const claim_group *g, const claim_statement *s)
{
  text step = { 0 }, list = { 0 };
  put_element(&f->form, s->array, &step);
  for (int i = 0; i < s->items; i++) {
    text_add(&list, i == 0 ? "" : i + 1 < s->items ? ", " : " and ");
    say_item(f, s, i, &list);
    if (!g->pairs && s->item[i].power)
      text_printf(&list, " (power %" PRId64 "/%" PRId64 ")", s->item[i].power, g->den);
  }
  proof_say(say, "A step of %s, where all of these exist, uses %s.", text_str(&step), text_str(&list));
  text_clear(&step);
  text_clear(&list);
}

static void say_most(const proof *say, const claim_group *g, const group_facts *f)
{
  if (f->triangles)
    proof_tell(say, "affine/say/triangles", "");
  else if (g->pairs)
    proof_tell(say, "affine/say/pairs", "rows %ld, pairs %ld, one %s", 2L * g->pairs, (long)g->pairs,
               g->statement[0].item[2 * g->pairs].way[0].kind == ITEM_OWN ? "chain" : "word of the last kind");
  else if (f->mirrored)
    proof_tell(say, "affine/say/mirrored", "");
  else
    proof_tell(say, "affine/say/loops", "");
  if (f->unit > 1)
    proof_tell(say, "affine/say/weights", "unit %ld", (long)f->unit);
  proof_say(say, " With {X} words in all, {H^%lu * %Zd <= %Zd X^%lu} for the number {H} of steps%s.",
            f->law.degree, f->law.taken, f->law.room, f->law.power, f->parts > 1 ? " of those that share words" : "");
  if (f->parts)
    proof_tell(say, "affine/say/made", "tail %ld, square %ld", (long)g->tail, (long)(g->tail * g->tail));
  else if (g->tail)
    proof_tell(say, "affine/say/last-elements", "tail_and_1 %ld, slots %ld, many %ld, square %ld, which %s",
               (long)g->tail + 1, (long)f->tail.slots, (long)f->tail.many,
               (long)(f->tail.share * f->tail.slots * f->tail.slots), f->tail.own_pool ? "those read" : "all");
}

static void say_group(const proof *say, const affine_facts *f, const affine_claim *c, int k, int64_t m)
{
  const claim_group *g = &c->group[k];
  const group_facts *of = &f->group[k];
  int64_t all = affine_pebbles(f, m) + g->length;
  mpz_t events;
  for (int s = 0; s < g->statements; s++) {
    proof_say(say, s ? " " : "");
    say_statement(say, f, g, &g->statement[s]);
  }
  if (g->together)
    proof_tell(say, "affine/say/one-space", "");
  say_most(say, g, of);
  mpz_init_set_si(events, g->length);
  mpz_mul_si(events, events, g->segments - 1);
  mpz_add_ui(events, events, (unsigned long)g->first + 1);
  proof_tell(say, "affine/say/cut",
             "work %Zd, births_at %s, first %ld, later %ld, length %ld, most %ld, all %ld, events %Zd, births %Zd, "
             "or_of %s",
             of->work,
             f->operands ? " and at computes of operands (the first of those that follow one another on a word)"
                         : " and at births",
             (long)g->first, (long)(g->segments - 1), (long)g->length, (long)(all - m), (long)all, events, of->births,
             f->operands ? " or of such operands" : "");
  mpz_clear(events);
}

/* Indices that count from elsewhere than in the text. */
static void say_names(const proof *say, const normal_form *f, int x)
{
  const cdag_array *a = normal_form_text(f, x);
  SCOPED_TEXT whole = { 0 }, before = { 0 };
  bool some = false;
  for (int r = 0; r < a->rank; r++) {
    some = some || f->array[x].more[r];
    text_add(&before, r ? "," : "");
    put_index(a, r, &before);
  }
  if (!some)
    return;
  put_element(f, x, &whole);
  proof_say(say, "Other names. %s[%s] is called %s here, and no other element is.", a->name, text_str(&before),
            text_str(&whole));
  proof_paragraph(say);
}

void affine_say_reading(const proof *say, const affine_facts *f)
{
  for (int x = 0; x < f->form.arrays; x++)
    say_names(say, &f->form, x);
  if (f->reading == READ_MERGED)
    proof_tell(say, "affine/say/copies", "");
  if (f->reading == READ_ENDS)
    proof_tell(say, "affine/say/ends", "");
  for (int x = 0; x < f->form.arrays; x++) {
    text element = { 0 };
    if (!f->form.array[x].chain)
      continue;
    put_element(&f->form, x, &element);
    proof_tell(say, "affine/say/windows", "array %s, element %s", normal_form_text(&f->form, x)->name,
               text_str(&element));
    text_clear(&element);
  }
  if (f->reading == READ_FUSED) {
    proof_tell(say, "affine/say/parts", "part_steps %ld", (long)f->form.part_steps);
    if (f->group[0].part_words)
      proof_tell(say, "affine/say/through", "");
  }
  for (int x = 0; x < f->form.arrays; x++) {
    const array_form *y = &f->form.array[x];
    text whole = { 0 }, piece = { 0 };
    if (!y->piece_of)
      continue;
    put_element(&f->form, x, &piece);
    text_printf(&whole, "%s[", normal_form_text(&f->form, y->piece_of - 1)->name);
    for (int r = 0; r < f->form.array[y->piece_of - 1].rank; r++) {
      text_add(&whole, r ? "," : "");
      put_form(&f->form, x, &y->place[r], &whole);
    }
    text_char(&whole, ']');
    proof_say(say, "One array. %s is called %s here, a name that is free.", text_str(&piece), text_str(&whole));
    proof_paragraph(say);
    text_clear(&whole);
    text_clear(&piece);
  }
}

void affine_say_proof(const affine_facts *f, const affine_claim *c, int64_t m, bound *b)
{
  proof say = { &b->proof, &b->proof_latex };
  affine_say_reading(&say, f);
  if (c->groups)
    say_words(&say, f, c);
  for (int g = 0; g < c->groups; g++)
    say_group(&say, f, c, g, m);
  if (c->groups)
    proof_tell(&say, "affine/say/segment", "or_to %s",
               f->operands ? ", or to an element whose compute is an event" : "");
  proof_tell(&say, "affine/say/sum", "add_up %s, inputs %Zd, besides %s, outputs %Zd, value %Zd",
             c->groups > 1 ? "The words of the groups are different ones, so their events add up. " : "", f->inputs,
             c->groups ? "besides " : "", f->outputs, b->value);
}

/* ---- gates ---- */

/* q[s,1,n-2]: a key by its name, or its value, or * for any. */
static void put_gate(const normal_form *f, const gate_family *k, text *out)
{
  text_printf(out, "%s[", normal_form_text(f, k->array)->name);
  for (int r = 0; r < f->array[k->array].rank; r++) {
    text_add(out, r ? "," : "");
    if (k->role[r] == GATE_AT && k->along[r]) {
      int64_t at = k->at[r];
      text_add(out, k->along[r] < 0 ? "-" : "");
      put_loop(f, k->array, abs(k->along[r]) - 1, out);
      if (at)
        text_printf(out, "%c%" PRId64, at < 0 ? '-' : '+', at < 0 ? -at : at);
    } else if (k->role[r] == GATE_AT)
      text_printf(out, "%" PRId64, k->at[r]);
    else if (k->role[r] == GATE_KEY)
      put_loop(f, k->array, r, out);
    else
      text_char(out, '*');
  }
  text_char(out, ']');
}

/* "with j = i, k = k - 1": the gate of an element. */
static void put_keys(const normal_form *f, const gate_family *k, int array, const gate_keys *keys, text *out)
{
  const char *before = " at the gate with ";
  for (int r = 0; r < f->array[k->array].rank; r++)
    if (k->role[r] == GATE_KEY) {
      text_add(out, before);
      put_loop(f, k->array, r, out);
      text_add(out, " = ");
      put_loop(f, array, keys->loop[r], out);
      int64_t offset = keys->offset[r];
      if (offset)
        text_printf(out, " %c %" PRId64, offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
      before = ", ";
    }
}

/* The last family of all that alternate, without a time, has no next gate. */
static bool has_next(const gates_claim *c, int n)
{
  return c->family[n].time >= 0 || (n + 1 < c->families && c->family[n + 1].alternates);
}

/* Does it alternate with the family before it, or behind it? */
static bool takes_turns(const gates_claim *c, int n)
{
  return c->family[n].alternates || (n + 1 < c->families && c->family[n + 1].alternates);
}

/* "; the next gate is that of the next paragraph, 2 times later". */
static void say_next(const proof *say, const gates_claim *c, int n)
{
  const gate_family *k = &c->family[n];
  int first = n;
  bool last = n + 1 == c->families || !c->family[n + 1].alternates;
  if (!takes_turns(c, n) || (last && k->time < 0))
    return;
  while (c->family[first].alternates)
    first--;
  int later = last ? k->lag + c->family[first].phase - k->phase : c->family[n + 1].phase - k->phase;
  proof_say(say, "; the next gate is that of the %s", last ? "first paragraph of these" : "next paragraph");
  if (k->time >= 0 && later != 0)
    proof_say(say, later == 1 ? ", one time later" : ", {%d} times later", later);
}

static void say_use(const proof *say, const normal_form *f, const gates_claim *c, int n, const gate_use *u)
{
  const gate_family *k = &c->family[n];
  text t = { 0 };
  put_element(f, u->array, &t);
  text_add(&t, u->access < 0 ? " continues a word" : u->via ? " reads " : " reads the word of ");
  if (u->access >= 0)
    put_access(f, f->access[u->access], &t);
  if (u->via) {
    text_add(&t, ", and that (as ");
    put_element(f, f->access[u->via - 1]->from, &t);
    text_add(&t, ") the word of ");
    put_access(f, f->access[u->via - 1], &t);
  }
  put_keys(f, k, u->array, &u->keys, &t);
  proof_say(say, " %s: the gate is an ancestor of it or is it", text_str(&t));
  if ((k->lag == 1 || takes_turns(c, n)) && has_next(c, n))
    proof_say(say, ", it is an ancestor of the next gate");
  else if (k->lag > 1)
    proof_say(say, ", it is an ancestor of the gate {%ld} times later", (long)k->lag);
  proof_say(say, ", and the input of the word is an ancestor of the gate.");
  text_clear(&t);
}

static void say_wait(const proof *say, const normal_form *f, const gate_family *k, const gate_wait *w)
{
  text t = { 0 };
  put_element(f, w->array, &t);
  put_keys(f, k, w->array, &w->keys, &t);
  proof_tell(say, "affine/say/wait", "links %ld, list %s", (long)w->links, text_str(&t));
  text_clear(&t);
}

/* The paths of one side, from the gate's element down. */
static void put_side(const normal_form *f, const gate_fork *k, int side, text *t)
{
  for (int i = 0; i < k->paths; i++) {
    const fork_path *p = &k->side[side][i];
    text_add(t, i > 0 ? "; and " : "");
    for (int l = 0; l < p->links; l++) {
      text_add(t, l > 0 ? ", " : "");
      put_access(f, f->access[p->link[l]], t);
    }
    text_add(t, k->input[i] ? " (an input: it counts as a word)" : "");
  }
}

static void say_fork(const proof *say, const normal_form *f, const gate_fork *k)
{
  text first = { 0 }, second = { 0 };
  put_side(f, k, 0, &first);
  put_side(f, k, 1, &second);
  proof_tell(say, "affine/say/fork", "first %s, second %s", text_str(&first), text_str(&second));
  text_clear(&first);
  text_clear(&second);
}

/* Every class has `width` words, which all its gates use, and each gate the words of another class too. */
static void say_hourglass(const proof *say, const gates_facts *g, const gate_family *k, int64_t m)
{
  const normal_form *f = &g->f->form;
  text read = { 0 };
  put_access(f, f->access[k->partner], &read);
  proof_tell(say, "affine/say/hourglass", "width %ld, read %s, steps %Zd, first %ld, later %ld, length %ld, words %ld",
             (long)g->set[0].width, text_str(&read), g->set[0].steps, (long)k->first, (long)(k->segments - 1),
             (long)k->length, (long)(k->length + m));
  text_clear(&read);
}

/* Words that are continued and words that are read, at gates between. */
static void say_stays(const proof *say, const gates_facts *g, const gates_claim *c, int64_t m)
{
  const normal_form *f = &g->f->form;
  const gate_stays *p = &c->stays;
  text read[4] = { 0 };
  const int at[4] = { c->family[0].partner, p->own, p->read[0], p->read[1] };
  mpz_t gates, all;
  mpz_inits(gates, all, NULL);
  for (int k = 0; k < 4; k++)
    put_access(f, f->access[at[k]], &read[k]);
  polyhedra_count(&g->set[0].gates, gates);
  polyhedra_count(&g->set[0].words, all);
  proof_tell(say, "affine/say/stays",
             "read %s, own %s, before %s, also %s, steps %Zd, gates %Zd, words %Zd, step %ld, word %ld, scale %ld, "
             "paid %ld, store %s, room %ld, shared %ld, four_scale %ld",
             text_str(&read[0]), text_str(&read[1]), text_str(&read[2]), text_str(&read[3]), g->set[0].steps, gates,
             all, (long)p->step, (long)p->word, (long)p->scale, (long)(1 + p->stores),
             p->stores ? ", and a store of what it continues" : "", (long)(m - g->set[0].beside),
             (long)gates_stays_shared(p), (long)(4 * p->scale));
  for (int k = 0; k < 4; k++)
    text_clear(&read[k]);
  mpz_clears(gates, all, NULL);
}

/* Words of rows that are read beside what waits. */
static void say_row_words(const proof *say, const normal_form *f, const gate_family *k)
{
  text readers = { 0 };
  for (int i = 0; i < k->rows; i++) {
    text element = { 0 }, read = { 0 };
    put_element(f, k->row[i].array, &element);
    put_access(f, f->access[k->row[i].access], &read);
    text_printf(&readers, "%s%s reads %s", i == 0 ? "" : i + 1 < k->rows ? ", " : " and ", text_str(&element),
                text_str(&read));
    for (int q = 0; q < f->array[k->row[i].array].rank; q++) {
      if (k->row[i].keys.loop[q] >= 0)
        continue;
      text_add(&readers, " where ");
      put_loop(f, k->row[i].array, q, &readers);
      text_printf(&readers, " = %" PRId64, k->row[i].keys.offset[q]);
    }
    text_clear(&element);
    text_clear(&read);
  }
  proof_tell(say, "affine/say/row-words", "readers %s, rows %ld, words %ld", text_str(&readers), (long)k->rows,
             (long)k->rows + 2);
  text_clear(&readers);
}

/* Rows and columns of cells: the uses are the column's word, then the row's. */
static void say_cells(const proof *say, const gates_facts *g, const gates_claim *c, int64_t m)
{
  const normal_form *f = &g->f->form;
  const gate_family *of = &c->family[0];
  text gate = { 0 }, name = { 0 }, read[2] = { 0 };
  put_gate(f, of, &gate);
  put_element(f, of->use[0].array, &name);
  for (int k = 0; k < 2; k++)
    put_access(f, f->access[of->use[k].access], &read[k]);
  if (c->cells.ordered)
    proof_tell(say, "affine/say/cells-ordered",
               "name %s, gate %s, read %s, other %s, least %ld, cap %ld, steps %Zd, first %ld, later %ld, length %ld, "
               "words %ld",
               text_str(&name), text_str(&gate), text_str(&read[0]), text_str(&read[1]), (long)c->cells.least,
               (long)c->cells.cap, g->set[0].steps, (long)of->first, (long)(of->segments - 1), (long)of->length,
               (long)(of->length + m));
  else
    proof_tell(say, "affine/say/cells",
               "name %s, gate %s, read %s, other %s, least %ld, cap %ld, steps %Zd, two_caps %ld, first %ld, "
               "later %ld, length %ld, words %ld, chained %s",
               text_str(&name), text_str(&gate), text_str(&read[0]), text_str(&read[1]), (long)c->cells.least,
               (long)c->cells.cap, g->set[0].steps, (long)(2 * c->cells.cap), (long)of->first,
               (long)(of->segments - 1), (long)of->length, (long)(of->length + m),
               c->cells.chained ? " Steps of a cell come in their order, and the next cell of a column has its splits "
                                  "and more: so a column without a whole cell has two cells, whose steps read "
                                  "different words, and all is worth {(X + s + C)^2 / 4 + C X} at most, {C} the cap."
                                : "");
  if (c->cells.once)
    proof_say(say, "Some words begin with computed elements; nothing is computed twice, so a word that is used in a "
                   "segment is red at its beginning, loaded, or begun there. Segments are cut at loads and at these "
                   "computes, {%Zd}, which are taken off. ", g->set[0].births);
  text_clear(&gate);
  text_clear(&name);
  text_clear(&read[0]);
  text_clear(&read[1]);
}

static void say_family(const proof *say, const gates_facts *g, const gates_claim *c, int n, int64_t m)
{
  const gate_family *k = &c->family[n];
  const normal_form *f = &g->f->form;
  text gate = { 0 };
  mpz_t value;
  put_gate(f, k, &gate);
  proof_say(say, "Gates. The gate is the first compute of %s%s", text_str(&gate),
            k->time >= 0 && k->uses > 0 ? "; gates of one class come in the order of their times" : "");
  say_next(say, c, n);
  proof_say(say, ".");
  for (int i = 0; i < k->uses; i++)
    say_use(say, f, c, n, &k->use[i]);
  for (int i = 0; i < k->waits; i++)
    say_wait(say, f, k, &k->wait[i]);
  if (k->fork.paths)
    say_fork(say, f, &k->fork);
  if (k->partner >= 0) {
    if (c->stays.scale > 0)
      say_stays(say, g, c, m);
    else
      say_hourglass(say, g, k, m);
    text_clear(&gate);
    return;
  }
  proof_tell(say, "affine/say/family", "room %ld, beside %s, until %s, waiting %s", (long)(m - g->set[n].beside),
             g->set[n].beside ? " beside the gate" : "",
             k->lag > 1 && !takes_turns(c, n) ? "last of these gates" : has_next(c, n) ? "next gate" : "end",
             gates_waits(k) ? ", and every path that waits has an element that is computed and is still to be read: if "
                              "it is not red it was stored, and is loaded; so a red one saves two moves on a path, and "
                              "one on a word"
                            : "");
  mpz_init(value);
  if (k->chained && polyhedra_count(&g->set[n].chains, value)) {
    text read = { 0 };
    put_access(f, f->access[k->chained - 1], &read);
    proof_tell(say, "affine/say/chains", "read %s, chains %Zd", text_str(&read), value);
    text_clear(&read);
    if (k->rows > 0)
      say_row_words(say, f, k);
  }
  if (gates_family_value(g, c, n, m, value)) {
    proof_say(say, " Summed over the gates%s that is {%Zd}.",
              k->cut.key >= 0 ? " at which more is used than can be red" : "", value);
    if (k->lag > 1) {
      proof_say(say, " Those count whose times");
      if (k->phase > 0)
        proof_say(say, ", less {%ld},", (long)k->phase);
      proof_say(say, " have one rest by {%ld}, the same in all paragraphs that say so; the best rest has at least "
                     "{1/%ld} of what these add up to.",
                (long)k->lag, (long)k->lag);
    }
  }
  proof_paragraph(say);
  mpz_clear(value);
  text_clear(&gate);
}

void gates_say_proof(const gates_facts *g, const gates_claim *c, int64_t m, bound *b)
{
  proof say = { &b->proof, &b->proof_latex };
  affine_claim like = { .owns = c->owns };
  affine_say_reading(&say, g->f);
  for (int i = 0; i < c->owns; i++)
    like.own[i] = c->own[i];
  say_words(&say, g->f, &like);
  if (c->cells.least > 0)
    say_cells(&say, g, c, m);
  for (int k = 0; k < c->families && c->cells.least == 0; k++)
    say_family(&say, g, c, k, m);
  if (c->family[0].partner >= 0 || c->cells.least > 0)
    proof_say(&say, "{%Zd} outputs are computed, and stored. In all {Q >= %Zd}.", g->f->outputs, b->value);
  else
    proof_tell(&say, "affine/say/gates-sum", "inputs %Zd, outputs %Zd, value %Zd", g->f->inputs, g->f->outputs,
               b->value);
  proof_paragraph(&say);
}
