/* flow.c -- a loop nest in C as a computation. */
#include "cdag/import/flow/flow.h"
#include "cdag/import/import.h"
#include "base/mem.h"
#include "base/num.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST_OPERATIONS = 4000000 };

isl_set *flow_as_set(isl_basic_set *b) { return isl_set_from_basic_set(isl_basic_set_copy(b)); }

/* The parameter's number in `like`, or -1. */
static int find_like(const cdag *like, const c_param *p)
{
  char name[C_NAME + 1];
  return like ? cdag_find_param(like, flow_said(p, name)) : -1;
}

/* Of parameter i: the text need not hold below that. */
static int64_t least_of(const flow *f, int i)
{
  int known = find_like(f->like, &f->n->param[i]);
  return known < 0 ? 1 : num_max(1, num_min(f->like->param[known].value, IMPORT_NEAR));
}

static void begin(flow *f, const c_nest *n)
{
  SCOPED_TEXT context = { 0 };
  text_char(&f->head, '[');
  for (int i = 0; i < n->params; i++) {
    text_printf(&f->head, "%sp_%s", i ? "," : "", n->param[i].name);
    const c_param *p = &n->param[i];
    text_printf(&context, "%sp_%s %s %lld", i ? " and " : "", p->name, p->fixed ? "=" : ">=",
                (long long)(p->fixed ? p->value : least_of(f, i)));
  }
  text_add(&f->head, "] -> { ");
  f->context = isl_set_params(flow_set_of(f, "[] : %s%s", n->params ? text_str(&context) : "1 = 1", ""));
  for (int k = 0; k < n->statements; k++)
    f->places = n->statement[k].places > f->places ? n->statement[k].places : f->places;
  f->writes = isl_union_map_empty_ctx(f->ctx);
  f->schedule = isl_union_map_empty_ctx(f->ctx);
  f->output = isl_union_set_empty_ctx(f->ctx);
  f->visible = C_RANK;
  f->s = MEM_NEW(flow_statement, (size_t)n->statements);
}

static void end(flow *f)
{
  for (int k = 0; k < f->n->statements; k++) {
    for (int i = 0; f->s[k].read && i < f->n->statement[k].reads; i++)
      isl_union_map_free(f->s[k].read[i]);
    for (int i = 0; f->s[k].direct && i < f->n->statement[k].reads; i++)
      isl_union_map_free(f->s[k].direct[i]);
    mem_free(f->s[k].direct);
    mem_free(f->s[k].read);
    isl_set_free(f->s[k].domain);
    isl_map_free(f->s[k].without);
  }
  for (int i = 0; i < f->parts; i++)
    isl_basic_set_free(f->part[i].domain);
  isl_union_map_free(f->writes);
  isl_union_map_free(f->schedule);
  isl_union_set_free(f->output);
  isl_set_free(f->context);
  text_clear(&f->head);
  mem_free(f->s);
  mem_free(f->part);
  isl_ctx_free(f->ctx);
}

/* Is it known that `wrong` holds nowhere, for parameters in the context? */
static bool claim_holds(flow *f, const c_claim *c, isl_set *context)
{
  SCOPED_TEXT where = { 0 };
  text_printf(&where, "[%s] : %s%s%s", c->vars, c->domain, *c->domain ? " and " : "", c->wrong);
  isl_set *set = isl_set_intersect_params(flow_set_of(f, "%s%s", text_str(&where), ""), isl_set_copy(context));
  isl_bool never = isl_set_is_empty(set);
  isl_set_free(set);
  return never == isl_bool_true;
}

/* The parameters' values and no others; NULL: they have none. */
static isl_set *these_values(flow *f)
{
  SCOPED_TEXT values = { 0 };
  for (int i = 0; i < f->n->params && f->like; i++) {
    int known = find_like(f->like, &f->n->param[i]);
    if (known < 0 && !f->n->param[i].given)
      return NULL;
    text_printf(&values, "%sp_%s = %lld", i ? " and " : "", f->n->param[i].name,
                (long long)(known < 0 ? f->n->param[i].value : f->like->param[known].value));
  }
  return values.n ? isl_set_params(flow_set_of(f, "[] : %s%s", text_str(&values), "")) : NULL;
}

/* A claim that does not hold, or NULL.  What holds for the parameters' values alone makes a text for these. */
static const c_claim *wrong_claim(flow *f)
{
  const c_claim *wrong = NULL;
  isl_set *values = these_values(f);
  for (int i = 0; i < f->n->claims && !wrong; i++) {
    const c_claim *c = &f->n->claim[i];
    bool holds = claim_holds(f, c, f->context);
    if (!holds && values && claim_holds(f, c, values))
      f->fixed = holds = true;
    wrong = holds ? NULL : c;
  }
  isl_set_free(values);
  return wrong;
}

static status analyse(flow *f, const char *file, diag *d)
{
  const c_nest *n = f->n;
  const c_claim *c = wrong_claim(f);
  f->no_rows = c && c->rows;
  if (c)
    return diag_at(d, BAD_INPUT, "import", file, c->line, c->column, "%s", c->message);
  for (int k = 0; k < n->statements; k++)
    flow_read_statement(f, k);
  for (int k = 0; k < n->statements; k++)
    flow_read_accesses(f, k);
  for (int a = 0; a < n->arrays; a++)
    if (n->array[a].output)
      f->output = isl_union_set_union(f->output, flow_last_values(f, a));
  flow_forward_values(f);
  if (!flow_drop_constants(f))
    return diag_at(d, BAD_INPUT, "import", file, n->statement[0].line, n->statement[0].column,
                   "values that depend on constants alone feed each other without end here; give them an input");
  flow_name_indices(f);
  flow_make_input_parts(f);
  flow_make_statement_parts(f);
  flow_put_all(f);
  return !f->bad && isl_ctx_last_error(f->ctx) == isl_error_none
             ? OK
             : diag_at(d, GAVE_UP, "limit", file, n->statement[0].line, n->statement[0].column,
                       "the flow of values in this nest cannot be said by ranges and affine conditions");
}

/* The nest is read for the values of its parameters alone; false: they have none. */
static bool fix_values(c_nest *n, const cdag *like)
{
  for (int i = 0; i < n->params; i++) {
    c_param *p = &n->param[i];
    int known = find_like(like, p);
    if (known < 0 && !p->given)
      return false;
    p->value = known < 0 ? p->value : like->param[known].value;
    p->fixed = true;
  }
  return true;
}

/* `values`: for those of `like` alone. */
static status import_as(const char *file, const char *source, const cdag *like, bool values, c_rows *rows, text *out,
                        diag *d)
{
  c_nest n;
  status st = c_nest_read(&n, file, source, like, rows, d);
  if (st != OK)
    return st;
  if (values && !fix_values(&n, like)) {
    c_nest_clear(&n);
    return GAVE_UP;
  }
  size_t before = out->n;
  flow f = { .n = &n, .like = like, .ctx = isl_ctx_alloc(), .out = out };
  isl_options_set_on_error(f.ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(f.ctx, MOST_OPERATIONS); /* some seconds; then isl gives up */
  begin(&f, &n);
  st = analyse(&f, file, d);
  *rows -= *rows != C_ROWS_NONE && f.no_rows;
  end(&f);
  c_nest_clear(&n);
  if (st != OK && out->s)
    out->s[out->n = before] = '\0';
  return st;
}

static status import_rows(const char *file, const char *source, const cdag *like, bool values, text *out, diag *d)
{
  c_rows before, rows = C_ROWS_IN_WORDS;
  status st;
  do {
    before = rows;
    st = import_as(file, source, like, values, &rows, out, d);
  } while (rows != before);
  return st;
}

status cdag_import_c(const char *file, const char *source, const cdag *like, text *out, diag *d)
{
  status st = import_rows(file, source, like, false, out, d);
  return st == GAVE_UP && like ? import_rows(file, source, like, true, out, d) : st;
}
