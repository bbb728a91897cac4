#include "bounds/affine/say.h"
#include "bounds/proof.h"
#include <inttypes.h>
#include <math.h>

/* ---- names ---- */

static void put_loop(const normal_form *f, int array, int r, text *out)
{
  const cdag_array *a = &f->g->array[array];
  const index_part *p = &f->array[array].part[r];
  int whole = p->of ? p->of - 1 : r;
  if (whole < a->rank && a->var[whole][0])
    text_add(out, a->var[whole]);
  else
    text_printf(out, "x%d", whole);
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
  text_printf(out, "%s[", f->g->array[a->to].name);
  for (int r = 0; r < f->array[a->to].rank; r++) {
    text_add(out, r ? "," : "");
    put_form(f, a->from, &a->index[r], out);
  }
  text_char(out, ']');
}

static void put_element(const normal_form *f, int array, text *out)
{
  text_printf(out, "%s[", f->g->array[array].name);
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
    if (rate(of, m) <= 0)
      continue;
    text_printf(out, "%s%.4g ", out->n ? " + " : "", k);
    char *digits = mpz_get_str(NULL, 10, of->work);
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    text_add(out, digits);
    size_t n = 0;
    while (digits[n])
      n++;
    release(digits, n + 1);
    if (fabs(s - 1.5) < 1e-9)
      text_add(out, " / sqrt(M)");
    else if (fabs(s - 2) < 1e-9)
      text_add(out, " / M");
    else
      text_printf(out, " / M^%.4g", s - 1);
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
    proof_say(say,
              "Words. Give each element at most one predecessor of its own, where it exists: %s. No element has two, "
              "and none is the own predecessor of two "
              "elements, so the elements fall into disjoint paths, the words.",
              text_str(&list));
  else
    proof_say(say, "Words. Each element is a word by itself.");
  proof_paragraph(say);
  text_clear(&list);
}

static void say_item(const affine_facts *f, const claim_statement *s, int i, text *out)
{
  static const char *const as[] = { "the word that it continues", "the word of ", "the element ", "the word of ",
                                    "the word of " };
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
    proof_say(say, " The three words are the sides of a triangle whose corners are numbered in one order, and "
                   "tell the step. {H} triangles have {6 H} ordered triples of corners, with {2 X} pairs of ends: "
                   "{6 H <= (2 X)^(3/2)}.");
  else if (g->pairs)
    proof_say(say,
              " The first %ld are rows taken in pairs: the pairs of steps with one %s name unordered pairs of rows, "
              "each once, so {t} of it and {r} rows have at "
              "most {r sqrt(t / 2)} steps, and {r} rows are at least {%ld r} words.",
              2L * g->pairs,
              g->statement[0].item[2 * g->pairs].way[0].kind == ITEM_OWN ? "chain" : "word of the last kind",
              (long)g->pairs);
  else
    proof_say(say, " The loops are told by what the steps use: with these powers each loop is the pivot of enough of "
                   "it, or is paid for by its extent, so the number of "
                   "steps is at most the product of the numbers of words to these powers.");
  proof_say(say, " With {X} words in all, {H^%lu * %Zd <= %Zd X^%lu} for the number {H} of steps%s.",
            f->law.degree, f->law.taken, f->law.room, f->law.power, f->parts > 1 ? " of those that share words" : "");
  if (f->parts)
    proof_say(say,
              " What is made is read by its word: it or one of {%ld} elements of the chain before is red or loaded, or "
              "they are computed in the segment, with as many different words in a row and in a column. Steps there do "
              "not count, unless their words are in the column of what is read: then they are the same words. "
              "So {u} words in rows and columns make at most {u^2 / %ld}, less where these differ in kind; and the sum "
              "of the work is most when the statements that share words have all words there are, and the others what "
              "these make (docs/theory-affine.md, section 4.2).",
              (long)g->tail, (long)(g->tail * g->tail));
  else if (g->tail)
    proof_say(say, " A word that is read counts when one of its last {%ld} elements up to that is red or loaded; "
              "steps there do not count. If none is, these are computed in the segment, which reads {%ld} words in a "
              "row and {%ld} in a column; so of {s} words at most {%ld s^2 / %ld} come without one, s %s "
              "(docs/theory-affine.md, section 4.1).",
              (long)g->tail + 1, (long)f->tail.slots, (long)f->tail.slots, (long)f->tail.many,
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
    proof_say(say,
              " The steps are different points of one space, and what they use is the same function of the point in "
              "each of these statements, so they count as those of one.");
  say_most(say, g, of);
  mpz_init_set_si(events, g->length);
  mpz_mul_si(events, events, g->segments - 1);
  mpz_add_ui(events, events, (unsigned long)g->first + 1);
  proof_say(say,
            " There are {%Zd} such steps. Cut the play at loads of these words%s: a first segment of {%ld} events, "
            "then {%ld} of {%ld}, with {M + %ld = %ld} words each, do less. "
            "So there are at least {%Zd} events, of which at most {%Zd} are computes of elements without an own "
            "predecessor%s.",
            of->work, f->operands ? " and at computes of operands" : " and at births", (long)g->first,
            (long)(g->segments - 1), (long)g->length, (long)(all - m), (long)all, events, of->births,
            f->operands ? " or of operands" : "");
  proof_paragraph(say);
  mpz_clear(events);
}

void affine_say_reading(const proof *say, const affine_facts *f)
{
  if (f->reading == READ_MERGED) {
    proof_say(say,
              "Copies. An element that reads one other, and nothing else, counts here as that other. A play of the "
              "computation is one of what is left, with no more moves: call an element red, or blue, when it or one of "
              "its copies is; to make a copy then does nothing.");
    proof_paragraph(say);
  }
  for (int x = 0; x < f->form.arrays; x++) {
    text element = { 0 };
    if (!f->form.array[x].chain)
      continue;
    put_element(&f->form, x, &element);
    proof_say(say,
              "Windows. An element of %s reads several windows of one shape. It counts as a chain of elements, %s, of "
              "which each reads the one before it and one place of each window, and of which the last is the element "
              "(docs/theory-affine.md, section 1). A play of the computation makes the chain where it computes the "
              "element, with one red pebble more, and moves no word more.",
              f->form.g->array[x].name, text_str(&element));
    proof_paragraph(say);
    text_clear(&element);
  }
  if (f->reading == READ_FUSED) {
    proof_say(say,
              "Parts. Where one element alone reads another, that is a part of it here, and what it reads counts as "
              "read by the one. If a part is red when a segment begins, or loaded in it, it is one of the words "
              "there, and spares {%ld} steps at most; if not, it is computed in the segment, and what it reads is "
              "read. What words allow is convex in their number, so it is most when all are words that are read, or "
              "all are parts (docs/theory-affine.md, section 4.3).",
              (long)f->form.part_steps);
    proof_paragraph(say);
  }
  for (int x = 0; x < f->form.arrays; x++) {
    const array_form *y = &f->form.array[x];
    text whole = { 0 }, piece = { 0 };
    if (!y->piece_of)
      continue;
    put_element(&f->form, x, &piece);
    text_printf(&whole, "%s[", f->form.g->array[y->piece_of - 1].name);
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
    proof_say(&say,
              "In a segment a word that is read meets what is red at its beginning or loaded in it: follow its value "
              "back to its input%s. Words of different kinds "
              "are different, so each counts once. ",
              f->operands ? ", or to an element whose compute is an event" : "");
  proof_say(&say,
            "%sThere are {%Zd} inputs %sthat lead to an output, and {%Zd} outputs are computed; each costs a move "
            "more. In all {Q >= %Zd}.",
            c->groups > 1 ? "The words of the groups are different ones, so their events add up. " : "", f->inputs,
            c->groups ? "besides " : "", f->outputs, b->value);
  proof_paragraph(&say);
}

/* ---- gates ---- */

/* q[s,1,n-2]: a key by its name, or its value, or * for any. */
static void put_gate(const normal_form *f, const gate_family *k, text *out)
{
  text_printf(out, "%s[", f->g->array[k->array].name);
  for (int r = 0; r < f->array[k->array].rank; r++) {
    text_add(out, r ? "," : "");
    if (k->role[r] == GATE_AT)
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

static void say_use(const proof *say, const normal_form *f, const gates_claim *c, int n, const gate_use *u)
{
  const gate_family *k = &c->family[n];
  text t = { 0 };
  put_element(f, u->array, &t);
  text_add(&t, u->access < 0 ? " continues a word" : " reads the word of ");
  if (u->access >= 0)
    put_access(f, f->access[u->access], &t);
  put_keys(f, k, u->array, &u->keys, &t);
  proof_say(say, " %s: the gate is an ancestor of it or is it", text_str(&t));
  if (k->lag == 1 && has_next(c, n))
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
  proof_say(say, " The path of {%ld} own predecessors up to %s begins at an ancestor of the gate and ends after it.",
            (long)w->links, text_str(&t));
  text_clear(&t);
}

/* Every class has `width` words, which all its gates use, and each gate the words of another class too. */
static void say_hourglass(const proof *say, const gates_facts *g, const gate_family *k, int64_t m)
{
  const normal_form *f = &g->f->form;
  text read = { 0 };
  put_access(f, f->access[k->partner], &read);
  proof_say(say,
            " Each class has {%ld} words, which are used after each of its gates; with them the words of %s are read, "
            "those of another class, and no two classes do so for each other. There are {%Zd} steps, a word and a gate "
            "each. Cut the play at loads of these words: with {X} words in all, {f = floor(X / %ld)} classes have all "
            "theirs, so all but the first and the last gate of a class in the segment belong to one of {f (f - 1) / 2} "
            "pairs, and there are at most {2 X + %ld f (f - 1) / 2} steps. ",
            (long)g->set[0].width, text_str(&read), g->set[0].steps, (long)g->set[0].width, (long)g->set[0].width);
  proof_say(say, "A first segment of {%ld} loads and then {%ld} of {%ld}, with {%ld} words each, do less than all. ",
            (long)k->first, (long)(k->segments - 1), (long)k->length, (long)(k->length + m));
  proof_paragraph(say);
  text_clear(&read);
}

/* Rows and columns of cells: family 0 has the rows' gates, family 1 the columns'. */
static void say_cells(const proof *say, const gates_facts *g, const gates_claim *c, int64_t m)
{
  const normal_form *f = &g->f->form;
  const gate_family *row = &c->family[0];
  text gate = { 0 }, name = { 0 }, read[2] = { 0 };
  put_gate(f, row, &gate);
  put_element(f, row->use[0].array, &name);
  for (int k = 0; k < 2; k++)
    put_access(f, f->access[c->family[k].use[0].access], &read[k]);
  proof_say(say,
            "Cells. Those of %s that differ in the other loop alone are a cell, and %s is its gate: the first of its "
            "elements to be computed. Each element of a cell is computed before the next gate of its row, and before "
            "that of its column, and it reads two words: that of %s, told by the row and the other loop, and that of "
            "%s, told by the column and the other loop. At any time one cell of a row is begun and not done, and one "
            "of a column.",
            text_str(&name), text_str(&gate), text_str(&read[0]), text_str(&read[1]));
  proof_say(say,
            " Count cells of {%ld} steps and more: {%Zd} steps. Cut the play at loads. In a segment with {X} words, "
            "red at its beginning or loaded, cells that were begun before it or are not done after it take a step for "
            "each word and end, {2 X} in all. Of cells that are all inside, the rows have {r} words and the columns "
            "{c}, one of a row and a column in common at most; there are {f = floor(X / %ld)} rows and columns at "
            "most, so {r + c <= X + f^2}, and {r c / %ld <= (X + f^2)^2 / %ld} steps, and no more than {f X}.",
            (long)c->cells.least, g->set[0].steps, (long)c->cells.least, (long)c->cells.least,
            (long)(4 * c->cells.least));
  proof_say(say, " A first segment of {%ld} loads and then {%ld} of {%ld}, with {%ld} words each, do less than all. ",
            (long)row->first, (long)(row->segments - 1), (long)row->length, (long)(row->length + m));
  proof_paragraph(say);
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
  proof_say(say, "Gates. The gate is the first compute of %s%s%s.", text_str(&gate),
            k->time >= 0 ? "; gates of one class come in the order of their times" : "",
            n + 1 < c->families && c->family[n + 1].alternates ? "; the next gate is that of the next paragraph"
            : k->alternates && k->time >= 0 ? "; the next gate is that of the first paragraph of these, one time later"
                                       : "");
  for (int i = 0; i < k->uses; i++)
    say_use(say, f, c, n, &k->use[i]);
  for (int i = 0; i < k->waits; i++)
    say_wait(say, f, k, &k->wait[i]);
  if (k->partner >= 0) {
    say_hourglass(say, g, k, m);
    text_clear(&gate);
    return;
  }
  proof_say(say,
            " At a gate at most {%ld} of these words are red%s; every other one that is used before the %s is loaded "
            "again, after its input was loaded once%s. ",
            (long)(m - g->set[n].beside), g->set[n].beside ? " beside the gate" : "",
            k->lag > 1          ? "last of these gates"
            : has_next(c, n) ? "next gate"
                             : "end",
            k->waits ? ", and every path that waits has an element that is computed and is still to be read: if it is "
                       "not red it was stored, and is loaded; so a red one saves two moves on a path, and one on a "
                       "word"
                     : "");
  mpz_init(value);
  if (gates_family_value(g, c, n, m, value)) {
    proof_say(say, "Summed over the gates%s", k->cut.key >= 0 ? " at which more is used than can be red" : "");
    if (k->lag > 1)
      proof_say(say, ", those whose times have the best rest by {%ld},", (long)k->lag);
    proof_say(say, " that is {%Zd}.", value);
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
    proof_say(&say,
              "There are {%Zd} inputs that lead to an output, and {%Zd} outputs are computed; each costs a move more. "
              "In all {Q >= %Zd}.",
              g->f->inputs, g->f->outputs, b->value);
  proof_paragraph(&say);
}
