/* write.c -- the text of the computation. */
#include "cdag/import/flow/flow.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* Outputs of a part that are not all of it, as lines. */
typedef struct {
  flow *f;
  const part *p;
  text *out;
} selection;

/* Index r has one value in b, an expression of the parameters: it, as text; and slice is cut there. */
static bool one_value(selection *w, isl_basic_set *b, int r, int rank, isl_set **slice, text *out)
{
  isl_constraint *c;
  bool found = isl_basic_set_has_defining_equality(b, OF_SET, r, &c) == isl_bool_true;
  if (!found)
    return false;
  isl_aff *value = isl_constraint_get_bound(c, OF_SET, r);
  found = !isl_aff_involves_dims(value, OF_IN, 0, (unsigned)rank);
  if (found) {
    flow_put_aff(w->f, w->p, value, 1, out);
    *slice = isl_set_add_constraint(*slice, isl_constraint_copy(c));
  }
  isl_aff_free(value);
  isl_constraint_free(c);
  return found;
}

/* C[*,n-1]: all of the array where some indices have one value; false where b is something else. */
static bool put_slice(selection *w, isl_basic_set *b)
{
  int rank = isl_basic_set_dim(b, OF_SET);
  isl_set *slice = flow_as_set(w->p->domain);
  isl_set *own = flow_as_set(b);
  SCOPED_TEXT indices = { 0 };
  for (int r = 0; r < rank; r++) {
    SCOPED_TEXT value = { 0 };
    bool one = one_value(w, b, r, rank, &slice, &value);
    text_printf(&indices, "%s%s", r ? "," : "", one ? text_str(&value) : "*");
  }
  own = isl_set_intersect_params(own, isl_set_copy(w->f->context));
  slice = isl_set_intersect_params(slice, isl_set_copy(w->f->context));
  bool is = rank > 0 && isl_set_is_equal(slice, own) == isl_bool_true;
  if (is)
    text_printf(w->out, "[%s]", text_str(&indices));
  isl_set_free(slice);
  isl_set_free(own);
  return is;
}

static isl_stat put_selection(isl_basic_set *b, void *user)
{
  selection *w = user;
  text_printf(w->out, "output %s", w->p->name);
  if (!put_slice(w, b))
    flow_put_domain(w->f, w->p, b, w->out);
  text_char(w->out, '\n');
  isl_basic_set_free(b);
  return isl_stat_ok;
}

static void put_statement(flow *f, const part *p, text *selections)
{
  isl_set *all = flow_as_set(p->domain);
  isl_set *out = isl_set_intersect(isl_union_set_extract_set(f->output, isl_set_get_space(all)), isl_set_copy(all));
  bool whole = isl_set_is_subset(all, out);
  text_printf(f->out, "# line %d\n%s%s", f->n->statement[p->of].line, whole ? "output " : "", p->name);
  flow_put_domain(f, p, p->domain, f->out);
  flow_put_terms_of(f, p, f->out);
  text_char(f->out, '\n');
  if (!whole) {
    out = isl_set_make_disjoint(
        isl_set_coalesce(isl_set_compute_divs(isl_set_gist_params(out, isl_set_copy(f->context)))));
    isl_set_foreach_basic_set(out, put_selection, &(selection){ .f = f, .p = p, .out = selections });
  }
  isl_set_free(all);
  isl_set_free(out);
}

static void put_param(const c_param *p, text *out)
{
  char name[C_NAME + 1];
  text_printf(out, "param %s", flow_said(p, name));
  text_printf(out, p->given || p->fixed ? " = %lld\n" : "%.0lld\n", (long long)p->value);
}

void flow_put_all(flow *f)
{
  SCOPED_TEXT selections = { 0 };
  for (int i = 0; i < f->n->params; i++) {
    const c_param *p = &f->n->param[i];
    put_param(p, f->out);
    if (p->fixed || f->fixed)
      text_add(f->out, "# for this value alone\n");
  }
  for (int i = 0; i < f->parts; i++)
    if (f->part[i].input) {
      text_printf(f->out, "input %s", f->part[i].name);
      flow_put_domain(f, &f->part[i], f->part[i].domain, f->out);
      text_char(f->out, '\n');
    }
  for (int i = 0; i < f->parts; i++)
    if (!f->part[i].input)
      put_statement(f, &f->part[i], &selections);
  text_add(f->out, text_str(&selections));
}
