/* The claim and the cuts as Coq reads them. */
#include "bounds/coq/affine_internal.h"
#include "bounds/coq/statement.h"

static void put_list_of_forms(const linear *f, int n, int vars, text *out)
{
  coq_forms l = { .n = n, .item = (linear *)f };
  coq_put_forms(&l, vars, out);
}

static void put_owned(const claimed *k, text *out)
{
  bool some = false;
  text_add(out, "  [::");
  for (int i = 0; i < k->owns; i++) {
    const access *x = access_of(k, k->own[i]);
    text_printf(out, "%s(%d%%nat, ", i ? "; " : " ", k->own[i]);
    put_list_of_forms(k->back[i], coq_is_counted(k, i) ? k->t.box[x->from].n : 0, k->t.box[x->to].n, out);
    text_char(out, ')');
  }
  text_add(out, "]\n  [::");
  for (int x = 0; x < k->t.form.arrays; x++) {
    text_add(out, x ? ";\n    [::" : " [::");
    for (int q = 0; q < k->kinds[x].n; q++) {
      const word_kind *of = &k->kinds[x].item[q];
      text_add(out, q ? "; (" : " (");
      coq_put_forms(&of->where, k->t.box[x].n, out);
      text_printf(out, ", (%d%%nat, ", of->of);
      put_list_of_forms(of->form, of->forms, k->t.box[x].n, out);
      text_add(out, "))");
    }
    text_char(out, ']');
  }
  text_add(out, "]\n  [::");
  for (int c = 0; c < k->components; c++)
    if (k->counted[c]) {
      text_printf(out, "%s%d%%nat", some ? "; " : " ", c);
      some = true;
    }
  text_char(out, ']');
}

static void put_makers(const claimed *k, text *out)
{
  text_add(out, "\n  [::");
  for (int i = 0; i < k->makers; i++)
    text_printf(out, "%sAffineClaim.Maker %d%%nat %d%%nat %d%%nat", i ? "; " : " ", k->maker[i].before, k->maker[i].row,
                k->maker[i].column);
  text_printf(out, "] %ld", (long)k->tail);
}

static void put_powers(const ledger *l, const stating *z, text *out)
{
  int64_t power[CLAIM_ITEMS], column[CLAIM_ITEMS];
  for (int i = 0; i < z->s->items; i++) {
    power[i] = z->s->item[i].power / divisor(l);
    column[i] = z->s->item[i].column;
  }
  coq_put_numbers(column, z->s->items, out);
  text_add(out, "%nat\n      (AffineForms.Exponents ");
  coq_order_put(&z->order, out);
  text_printf(out, " %ld ", (long)l->den);
  coq_put_numbers(power, z->s->items, out);
  text_char(out, ')');
}

static void put_region(const claimed *k, const stating *z, const step_region *r, text *out)
{
  text_char(out, '(');
  coq_put_forms(&r->where, k->t.box[z->s->array].n, out);
  text_add(out, ", [::");
  for (int i = 0; i < z->s->items; i++) {
    text_add(out, i ? "; (" : " (");
    if (r->way[i].access < 0)
      text_add(out, "None");
    else
      text_printf(out, "Some %d%%nat", r->way[i].access);
    text_printf(out, ", %d%%nat)", r->way[i].kind);
  }
  text_add(out, "])");
}

static void put_sibling(const claimed *k, const ledger *l, const stating *z, text *out)
{
  text_printf(out, "AffineCertificate.Sibling %d%%nat [::", z->s->array);
  for (int i = 0; i < z->n; i++) {
    text_add(out, i ? ";\n      " : " ");
    put_region(k, z, &z->region[i], out);
  }
  text_add(out, "]\n      [::");
  for (int i = 0; i < z->s->items; i++) {
    text_printf(out, "%s(%d%%nat, ", i ? "; " : " ", z->of[i]);
    put_list_of_forms(z->form[i], z->forms[i], k->t.box[z->s->array].n, out);
    text_char(out, ')');
  }
  text_add(out, "] ");
  if (l->group->pairs > 0)
    text_add(out, "[::] (AffineForms.Exponents [::] [::] 0 [::])");
  else
    put_powers(l, z, out);
}

static void put_pairs(const ledger *l, text *out)
{
  text_add(out, "[::] [::] (Some (AffineClaim.Pairing [::");
  for (int q = 0; q < l->group->pairs; q++)
    text_printf(out, "%s (%d%%nat, %d%%nat)", q ? ";" : "", l->rows[2 * q], l->rows[2 * q + 1]);
  text_printf(out, "] %d%%nat %d%%nat %d%%nat))", 2 * l->group->pairs, l->order_at, l->order_of);
}

static void put_columns(const ledger *l, text *out)
{
  int n = CLAIM_COLUMNS;
  while (n > 0 && !l->power[n - 1])
    n--;
  coq_put_numbers(l->power, n, out);
  text_add(out, " [::");
  for (int u = 0; u < l->units; u++) {
    int64_t columns[] = { l->unit[u].a, l->unit[u].b };
    text_add(out, u ? "; (" : " (");
    coq_put_numbers(columns, columns[0] == columns[1] ? 1 : 2, out);
    text_printf(out, "%%nat, %ld)", (long)l->unit[u].power);
  }
  text_add(out, "] None");
}

void coq_put_affine(const claimed *k, text *out)
{
  text_printf(out, "AffineCertificate.GroupsClaim %s\n", k->once ? "true" : "false");
  put_owned(k, out);
  put_makers(k, out);
  text_add(out, "\n  [::");
  for (int g = 0; g < k->c.groups; g++) {
    const ledger *l = &k->l[g];
    text_add(out, g ? ";\n    AffineCertificate.Group [:: " : " AffineCertificate.Group [:: ");
    for (int s = 0; s < l->group->statements; s++) {
      text_add(out, s ? ";\n    " : "");
      put_sibling(k, l, &l->of[s], out);
    }
    text_add(out, "] ");
    if (l->group->pairs > 0)
      put_pairs(l, out);
    else
      put_columns(l, out);
  }
  text_char(out, ']');
}

void coq_put_cuts(const claimed *k, text *out)
{
  text_add(out, "[::");
  for (int g = 0; g < k->c.groups; g++) {
    const ledger *l = &k->l[g];
    const mpz_t *all[] = { &l->first, &l->length, &l->others, &l->most_first, &l->most };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
      text_add(out, g || i ? " ; " : " ");
      coq_put_big(out, *all[i]);
    }
  }
  text_add(out, " ]");
}
