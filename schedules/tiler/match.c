#include "schedules/tiler/match.h"
#include "base/embed.h"
#include "base/mem.h"
#include "schedules/tiler/nests/words.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- are two statements the same? ---- */

static bool same_form(const tiler_form *a, const tiler_form *b) { return memcmp(a, b, sizeof *a) == 0; }

static bool same_bound(const tiler_bound *a, const tiler_bound *b)
{
  if (a->affine != b->affine || (a->affine && a->n != b->n))
    return false;
  for (int i = 0; a->affine && i < a->n; i++)
    if (!same_form(&a->f[i], &b->f[i]))
      return false;
  return true;
}

/* Both not affine: the same expression of parameters, variables and tables by number. */
static bool same_expression(const expr *a, const expr *b) { return a == b || (a && b && expr_equal(a, b)); }

static bool same_index(const tiler_index *a, const tiler_index *b, const cdag_index *x, const cdag_index *y)
{
  if (a->kind != b->kind || a->affine != b->affine)
    return false;
  if (a->kind == CDAG_ALL)
    return true;
  if (!a->affine)
    return same_expression(x->lo, y->lo) && (a->kind == CDAG_AT || same_expression(x->hi, y->hi));
  return same_form(&a->lo, &b->lo) && (a->kind == CDAG_AT || same_form(&a->hi, &b->hi));
}

typedef struct { const tiler_shape *f, *g; int *array; } pairing; /* the family, the computation */

static bool same_access(const pairing *p, const tiler_statement *s, const tiler_access *a, const tiler_statement *t,
                        const tiler_access *b)
{
  if (p->array[a->array] != b->array)
    return false;
  for (int q = 0; q < a->rank; q++)
    if (!same_index(&a->at[q], &b->at[q], &p->f->g->array[s->array].term[a->term].index[q],
                    &p->g->g->array[t->array].term[b->term].index[q]))
      return false;
  return true;
}

static bool same_accesses(const pairing *p, const tiler_statement *s, const tiler_access *a, int n,
                          const tiler_statement *t, const tiler_access *b)
{
  uint64_t used = 0;
  for (int i = 0; i < n; i++) {
    int k = 0;
    while (k < n && k < 64 && ((used >> k & 1) || !same_access(p, s, &a[i], t, &b[k])))
      k++;
    if (k == n || k == 64)
      return false;
    used |= 1ull << k;
  }
  return true;
}

static bool same_statement(const pairing *p, int f)
{
  const tiler_statement *s = &p->f->s[f], *t = &p->g->s[p->array[f]];
  const cdag_array *a = &p->f->g->array[f], *b = &p->g->g->array[p->array[f]];
  if (a->count == 0 && b->count == 0)
    return true;
  if (s->accesses != t->accesses || s->selves != t->selves || a->declared_output != b->declared_output)
    return false;
  for (int r = 0; r < s->rank; r++)
    if (s->least[r] != t->least[r] || s->most[r] != t->most[r] || !same_bound(&s->lo[r], &t->lo[r]) ||
        !same_bound(&s->hi[r], &t->hi[r]) || (!s->lo[r].affine && !same_expression(a->lo[r], b->lo[r])) ||
        (!s->hi[r].affine && !same_expression(a->hi[r], b->hi[r])))
      return false;
  return same_accesses(p, s, s->access, s->accesses, t, t->access) &&
         same_accesses(p, s, s->self, s->selves, t, t->self);
}

static bool same_selection(const pairing *p, const cdag_selection *x, const cdag_selection *y)
{
  if (p->array[x->array] != y->array || x->vars != y->vars)
    return false;
  for (int q = 0; q < p->f->g->array[x->array].rank; q++) {
    const cdag_index *a = &x->index[q], *b = &y->index[q];
    if (a->kind != b->kind ||
        (a->kind != CDAG_ALL && (a->affine != b->affine || a->base != b->base ||
                                 memcmp(a->coef, b->coef, sizeof a->coef) != 0 || a->hi_base != b->hi_base)))
      return false;
  }
  return true;
}

static bool same_tables(const cdag *f, const cdag *g)
{
  if (f->tables != g->tables)
    return false;
  for (int t = 0; t < f->tables; t++) {
    const expr_table *a = &f->table[t], *b = &g->table[t];
    int64_t n = 1;
    if (a->rank != b->rank || a->unstored || b->unstored)
      return false;
    for (int r = 0; r < a->rank; n *= a->extent[r++])
      if (a->extent[r] != b->extent[r])
        return false;
    for (int64_t i = 0; i < n; i++)
      if (expr_entry(a, i) != expr_entry(b, i))
        return false;
  }
  return true;
}

static bool same(const pairing *p)
{
  const cdag *f = p->f->g, *g = p->g->g;
  bool good = f->selections == g->selections && f->vertices == g->vertices && same_tables(f, g);
  for (int a = 0; a < f->arrays && good; a++)
    good = same_statement(p, a);
  for (int i = 0; i < f->selections && good; i++)
    good = same_selection(p, &f->selection[i], &g->selection[i]);
  return good;
}

/* ---- sizes ---- */

/* The value that a bound which is a parameter alone must have. */
static bool size_from(const cdag *f, const expr *hi, int64_t value, int64_t *of, bool *known)
{
  if (!hi || hi->op != EXPR_SLOT || hi->slot >= f->params)
    return true;
  if (known[hi->slot] && of[hi->slot] != value)
    return false;
  known[hi->slot] = true;
  of[hi->slot] = value;
  return true;
}

/* What the family's parameters must be for its arrays to be those of g: "n=8,d=2"; false when they cannot. */
static bool find_sizes(const cdag *f, const cdag *g, const int *array, text *assign)
{
  int64_t *of = MEM_NEW(int64_t, (size_t)f->params + 1);
  bool *known = MEM_NEW(bool, (size_t)f->params + 1), good = true;
  for (int a = 0; a < f->arrays && good; a++)
    for (int r = 0; r < f->array[a].rank && good && g->array[array[a]].count > 0; r++)
      good = size_from(f, f->array[a].hi[r], g->array[array[a]].hull.hi[r], of, known);
  for (int p = 0; p < f->params && good; p++) {
    int same = cdag_find_param(g, f->param[p].name);
    if (!known[p] && same >= 0) {
      known[p] = true;
      of[p] = g->param_value[same];
    }
    if (known[p])
      text_printf(assign, "%s%s=%" PRId64, assign->n ? "," : "", f->param[p].name, of[p]);
    else
      good = f->param[p].fallback != NULL;
  }
  mem_free(of);
  mem_free(known);
  return good;
}

/* ---- which array is which ---- */

static bool alike(const cdag_array *a, const cdag_array *b)
{
  return a->rank == b->rank && a->terms == b->terms && a->declared_input == b->declared_input &&
         a->declared_output == b->declared_output;
}

static bool check(const tiler_shape *g, const char *source, const char *name, const char *assign, int *array,
                  tiler_match *out)
{
  diag d = { 0 };
  tiler_shape f;
  if (cdag_parse(&out->family, name, source, assign, &d) != OK)
    return false;
  tiler_shape_init(&f, out->family, false);
  bool good = same(&(pairing){ &f, g, array });
  tiler_shape_clear(&f);
  if (!good) {
    cdag_free(out->family);
    out->family = NULL;
  }
  return good;
}

typedef struct { const char *name, *source; } origin;

/* Arrays from a on, each with one of the same kind that is not taken; all ways, as long as they are few. */
static bool pair_arrays(const tiler_shape *g, const cdag *model, const origin *f, int a, int *array, uint64_t taken,
                        int *tries, tiler_match *out)
{
  if (a == model->arrays) {
    text assign = { 0 };
    bool good = ++*tries < 200 && find_sizes(model, g->g, array, &assign) &&
                check(g, f->source, f->name, text_str(&assign), array, out);
    text_clear(&assign);
    return good;
  }
  for (int b = 0; b < g->g->arrays && *tries < 200; b++) {
    if ((taken >> b & 1) || !alike(&model->array[a], &g->g->array[b]))
      continue;
    array[a] = b;
    if (pair_arrays(g, model, f, a + 1, array, taken | 1ull << b, tries, out))
      return true;
  }
  return false;
}

static const char *line_end(const char *s) { return s + strcspn(s, "\n"); }

static bool begins(const char *s, const char *word)
{
  size_t n = strlen(word);
  s += strspn(s, " ");
  return strncmp(s, word, n) == 0 && isspace((unsigned char)s[n]);
}

/* The comma behind a default, or the end. */
static const char *past_default(const char *s, const char *end)
{
  int depth = 0;
  while (s < end && *s != '#' && !(*s == ',' && depth == 0)) {
    depth += (*s == '(') - (*s == ')');
    s++;
  }
  return s;
}

/* "n=2,d=2" for the parameters that have no default, from the lines that begin with param. */
static void small_sizes(const char *source, text *out)
{
  for (const char *s = source; *s; s += *s == '\n') {
    const char *end = line_end(s);
    if (begins(s, "param"))
      for (const char *p = s + strlen("param"); p < end && *p != '#';) {
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || p[n] == '_')
          n++;
        const char *after = p + n + strspn(p + n, " ");
        if (n && *after == '=')
          p = past_default(after, end);
        else {
          if (n)
            text_printf(out, "%s%.*s=2", out->n ? "," : "", (int)n, p);
          p += n ? n : 1;
        }
      }
    s = end;
  }
}

/* Its text, or NULL for one that is generated. */
static const char *text_of(const char *family)
{
  text path = { 0 };
  const char *found = NULL;
  text_printf(&path, "cdag/families/%s.cdag", family);
  for (const embedded_file *f = embedded_files; f->path && !found; f++)
    found = strcmp(f->path, text_str(&path)) == 0 ? f->text : NULL;
  text_clear(&path);
  return found;
}

bool tiler_match_family(const tiler_shape *g, const char *family, tiler_match *out)
{
  const char *source = text_of(family);
  cdag *model = NULL;
  diag d = { 0 };
  text small = { 0 };
  int tries = 0;
  bool good = false;
  *out = (tiler_match){ 0 };
  if (!source)
    return false;
  small_sizes(source, &small);
  if (g->g->arrays <= 64 && cdag_parse(&model, family, source, text_str(&small), &d) == OK &&
      model->arrays == g->g->arrays) {
    out->array = MEM_NEW(int, (size_t)model->arrays + 1);
    good = pair_arrays(g, model, &(origin){ family, source }, 0, out->array, 0, &tries, out);
  }
  if (!good)
    tiler_match_clear(out);
  cdag_free(model);
  text_clear(&small);
  return good;
}

void tiler_match_clear(tiler_match *m)
{
  cdag_free(m->family);
  mem_free(m->array);
  *m = (tiler_match){ 0 };
}

/* ---- the text under other names ---- */

static bool means_something(const cdag *g, const char *name)
{
  for (int t = 0; t < g->tables; t++)
    if (strcmp(g->table[t].name, name) == 0)
      return true;
  return cdag_find_param(g, name) >= 0 || cdag_find_array(g, name) >= 0;
}

/* A parameter by its own name where g has one of that name and value, by another of that value, or as a number. */
static void add_parameter(const cdag *f, int p, const cdag *g, text *out)
{
  int same = cdag_find_param(g, f->param[p].name);
  for (int q = 0; q < g->params && !(same >= 0 && g->param_value[same] == f->param_value[p]); q++)
    same = g->param_value[q] == f->param_value[p] ? q : same;
  if (same >= 0 && g->param_value[same] == f->param_value[p])
    text_add(out, g->param[same].name);
  else
    text_printf(out, "%" PRId64, f->param_value[p]);
}

static void add_word(const tiler_match *m, const cdag *g, const char *word, text *out)
{
  const cdag *f = m->family;
  int a = cdag_find_array(f, word), p = cdag_find_param(f, word);
  for (int t = 0; t < f->tables; t++)
    if (strcmp(f->table[t].name, word) == 0) {
      text_add(out, g->table[t].name);
      return;
    }
  if (a >= 0)
    text_add(out, g->array[m->array[a]].name);
  else if (p >= 0)
    add_parameter(f, p, g, out);
  else
    text_printf(out, "%s%s", word, !cdag_reserved(word) && means_something(g, word) ? "_" : "");
}

static void add_line(const tiler_match *m, const cdag *g, const char *s, const char *end, text *out)
{
  while (s < end) {
    char word[CDAG_NAME];
    size_t n = 0;
    if (*s == '#') {
      text_add_n(out, s, (size_t)(end - s));
      break;
    }
    if (!isalpha((unsigned char)*s) && *s != '_') {
      do
        text_char(out, *s++);
      while (s < end && isdigit((unsigned char)s[-1]) && isdigit((unsigned char)*s));
      continue;
    }
    while (s < end && (isalnum((unsigned char)*s) || *s == '_')) {
      if (n < CDAG_NAME - 1)
        word[n++] = *s;
      s++;
    }
    word[n] = '\0';
    add_word(m, g, word, out);
  }
  text_char(out, '\n');
}

void tiler_match_text(const tiler_match *m, const cdag *g, const char *source, const char *params, text *out)
{
  bool placed = false;
  for (const char *s = source; *s;) {
    const char *end = line_end(s);
    bool comment = *s == '#';
    if (begins(s, "schedule")) {
      char name[CDAG_NAME];
      const char *w = s + strlen("schedule") + 1;
      size_t n = strcspn(w, " \n");
      n = n < CDAG_NAME - 1 ? n : CDAG_NAME - 1;
      memcpy(name, w, n);
      name[n] = '\0';
      tiler_print_title(g, name, out);
    } else if (begins(s, "param")) {
      const char *close = end;
      while (close > s && (close[-1] == ' ' || close[-1] == ','))
        close--;
      while (close < end && *close == ',') { /* the line goes on */
        end = line_end(end + (*end == '\n'));
        close = end;
      }
    } else {
      if (!placed && !comment && end > s) {
        text_add(out, params);
        placed = true;
      }
      add_line(m, g, s, end, out);
    }
    s = end + (*end == '\n');
  }
}
