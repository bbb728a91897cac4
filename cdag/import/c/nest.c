/* nest.c -- reading the nest of a text: pragmas, the function that has it, what its arrays are in the end. */
#include "cdag/import/c/reader.h"
#include "base/mem.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *c_keep(c_nest *n, void *block)
{
  n->block = mem_room(n->block, n->blocks, &n->room, sizeof *n->block);
  return n->block[n->blocks++] = block;
}

char *c_nest_keep_text(c_nest *n, text *t)
{
  char *s = mem_text(text_str(t));
  text_clear(t);
  return c_keep(n, s);
}

bool c_refuse(reader *r, int line, int column, const char *format, ...)
{
  char message[300];
  va_list ap;
  va_start(ap, format);
  vsnprintf(message, sizeof message, format, ap);
  va_end(ap);
  if (r->st == OK)
    r->st = diag_at(r->d, BAD_INPUT, "import", r->file, line, column, "%s", message);
  r->in.now.kind = T_END;
  return false;
}

c_param *c_find_param(const c_nest *n, const char *name)
{
  for (int i = 0; i < n->params; i++)
    if (strcmp(n->param[i].name, name) == 0)
      return &n->param[i];
  return NULL;
}

c_param *c_nest_param(c_nest *n, const char *name, bool given, int64_t value)
{
  c_param *old = c_find_param(n, name);
  if (!old) {
    n->param = mem_grow(n->param, (size_t)n->params + 1, sizeof *n->param);
    old = &n->param[n->params++];
    *old = (c_param){ .given = false };
    snprintf(old->name, C_NAME, "%s", name);
  }
  old->given = given;
  old->value = value;
  return old;
}

/* ---- the text ---- */

static bool pragma_is(const reader *r, const char *words)
{
  if (r->in.now.kind != T_PRAGMA)
    return false;
  const char *s = r->in.now.rest + 1;
  s += strspn(s, " \t") + strlen("pragma");
  s += strspn(s, " \t");
  return strncmp(s, words, strlen(words)) == 0;
}

/* #pragma redblue output A, B */
static void output_pragma(reader *r)
{
  const char *s = strstr(r->in.now.rest, "output") + 6, *end = r->in.now.rest + strcspn(r->in.now.rest, "\n");
  while (s < end) {
    char name[C_NAME];
    s += strspn(s, " \t,\r");
    int n = (int)strcspn(s, " \t,\r\n");
    snprintf(name, sizeof name, "%.*s", n, s);
    int a = n > 0 ? c_find_array(r->n, name) : -1;
    if (n > 0 && a < 0)
      c_refuse(r, r->in.now.line, r->in.now.column, "'%s' is not declared as data before this line", name);
    else if (n > 0)
      r->n->array[a].output = true;
    s += n > 0 ? n : 1;
  }
}

/* How many declarations came before. */
static int skip_to_scop(reader *r)
{
  int k = 0;
  while (r->st == OK && !pragma_is(r, "scop") && r->in.now.kind != T_END && !c_at(r, "}")) {
    if (pragma_is(r, "redblue output")) {
      output_pragma(r);
      c_next(r);
    } else if (c_is_some_type(r))
      c_placed_statement(r, k++);
    else
      c_next(r);
  }
  if (pragma_is(r, "scop"))
    c_next(r);
  return k;
}

static void body(reader *r, bool marked)
{
  r->global = false;
  r->whole = !marked;
  for (int k = marked ? skip_to_scop(r) : 0; r->st == OK; k++) {
    if (pragma_is(r, "endscop") || (!marked && c_at(r, "}")))
      return;
    if (pragma_is(r, "redblue output")) {
      output_pragma(r);
      c_next(r);
    } else if (r->in.now.kind == T_PRAGMA)
      c_next(r);
    else if (r->in.now.kind == T_END)
      c_refuse(r, r->in.now.line, r->in.now.column, marked ? "there is no #pragma endscop" : "expected '}', found %s",
               c_found(r));
    else
      c_placed_statement(r, k);
  }
}

/* typedef int index; is read as a word for int. */
static void type_definition(reader *r)
{
  const char *s = r->in.now.rest + strlen("typedef");
  const char *end = s;
  while (*end && *end != ';')
    end = *end == '{' ? c_lex_behind(end) : end + 1;
  c_lex_type(&r->in, s, end);
  c_lex_skip(&r->in, *end ? end + 1 : end);
  c_next(r);
}

static bool has_loop(const char *s, const char *end)
{
  return c_lex_find(s, end, "for") || c_lex_find(s, end, "while") || c_lex_find(s, end, "do");
}

/* A function: read where it has the nest, passed over where a later one has.  True: it was read. */
static bool function(reader *r, const token *name, bool marked)
{
  const char *open = r->in.now.rest, *end = c_lex_behind(open);
  c_lexer behind = { .at = end };
  const char *begin = c_lex_ahead(&behind);
  bool has_body = *begin == '{';
  const char *last = has_body ? c_lex_behind(begin) : end + strcspn(end, ";");
  bool there = has_body && (marked ? strstr(begin, "#pragma scop") && strstr(begin, "#pragma scop") < last
                                   : has_loop(begin, last) || !has_loop(last, last + strlen(last)));
  if (!there) {
    if (strcmp(name->text, "print_array") == 0)
      r->printed = open, r->behind_printed = end;
    c_lex_skip(&r->in, last);
    c_next(r);
    c_accept(r, ";");
    return false;
  }
  snprintf(r->n->name, C_NAME, "%s", name->text);
  r->body = begin;
  r->end = last;
  c_next(r);
  c_parameters(r);
  c_expect(r, "{");
  body(r, marked);
  return true;
}

/* Global declarations, then the function with the nest. */
static void unit(reader *r, const char *source)
{
  bool marked = strstr(source, "#pragma scop") != NULL, read = false;
  while (r->st == OK && !read) {
    bool typedefs = c_at(r, "typedef"), integer = false;
    if (r->in.now.kind == T_END)
      c_refuse(r, r->in.now.line, r->in.now.column, "there is no function with a loop nest in this text");
    else if (typedefs)
      type_definition(r);
    else if (r->in.now.kind == T_PRAGMA || c_at(r, ";"))
      c_next(r);
    else {
      integer = c_types(r);
      token name = r->in.now;
      int stars = c_at(r, "*") ? c_pointers(r) : 0;
      name = stars ? r->in.now : name;
      if (name.kind == T_NAME && *c_lex_ahead(&r->in) == '(' && strncmp(name.text, "POLYBENCH_", 10)) {
        c_next(r);
        read = function(r, &name, marked);
        continue;
      }
      do
        c_declarator(r, integer);
      while (r->st == OK && c_accept(r, ","));
      c_expect(r, ";");
    }
  }
}

/* An element of a flat array that was named before the length of its rows was known lies in the first of them. */
static void lift(c_nest *n, c_access *a)
{
  const c_array *own = &n->array[a->array], *x = own->twin ? &n->array[own->twin - 1] : own;
  text t = { 0 };
  if (a->side)
    text_printf(&t, "%s,", a->side);
  else if (x->twin)
    text_printf(&t, "%d,", own->side);
  for (int i = 0; a->all && i < x->rank; i++)
    text_printf(&t, "%sx%d", i ? "," : "", i);
  for (int i = a->rank; i < x->rank && x->strides > 0 && !a->all; i++)
    text_add(&t, "0,");
  text_add(&t, a->index);
  a->index = c_nest_keep_text(n, &t);
  a->rank = x->rank + (x->twin > 0);
  a->array = (int)(x - n->array);
}

/* Two sides become one array: its accesses say which. */
static void unite_twins(c_nest *n)
{
  for (int i = 0; i < n->arrays; i++) {
    c_array *x = &n->array[i], *lead = &n->array[x->twin ? x->twin - 1 : i];
    if (lead == x)
      continue;
    lead->written = lead->written || x->written;
    lead->output = lead->output || x->output;
    memmove(lead->extent + 1, lead->extent, (C_RANK - 1) * sizeof *lead->extent);
    text two = { 0 };
    text_add(&two, "2");
    lead->extent[0] = c_nest_keep_text(n, &two);
    lead->rank++;
    x->output = x->written = false;
  }
}

static void settle_params(c_nest *n)
{
  int kept = 0;
  for (int i = 0; i < n->params; i++)
    if (n->param[i].used || !n->param[i].defined)
      n->param[kept++] = n->param[i];
  n->params = kept;
}

static void settle_arrays(c_nest *n)
{
  bool named_outputs = false;
  for (int i = 0; i < n->arrays; i++)
    named_outputs = named_outputs || n->array[i].output;
  for (int i = 0; i < n->arrays; i++) {
    c_array *x = &n->array[i];
    bool seen = x->returned || (x->outside && x->rank > 0);
    x->output = named_outputs ? x->output : x->written && seen;
    x->extent[0] = x->strides ? NULL : x->extent[0];
  }
}

/* What PolyBench's print_array is given is what it wants of the nest, where no pragma says. */
static void take_printed(reader *r)
{
  bool named = false;
  for (int i = 0; i < r->n->arrays; i++)
    named = named || r->n->array[i].output;
  for (int i = 0; i < r->n->arrays && r->printed && !named; i++) {
    c_array *x = &r->n->array[i];
    x->output = x->outside && x->written && x->rank > 0 && c_lex_find(r->printed, r->behind_printed, x->name);
  }
}

/* Scalars that nothing writes stay in registers; outputs are what is seen outside, unless a pragma says which. */
static void settle(c_nest *n)
{
  settle_params(n);
  settle_arrays(n);
  for (int k = 0; k < n->statements; k++) {
    c_statement *s = &n->statement[k];
    int kept = 0;
    for (int i = 0; i < s->reads; i++)
      if (n->array[s->read[i].array].rank > 0 || n->array[s->read[i].array].written)
        s->read[kept++] = s->read[i];
    s->reads = kept;
    lift(n, &s->write);
    for (int i = 0; i < kept; i++)
      lift(n, &s->read[i]);
  }
  unite_twins(n);
}

status c_nest_read(c_nest *n, const char *file, const char *source, const cdag *like, c_rows *rows, diag *d)
{
  *n = (c_nest){ .params = 0 };
  SCOPED_MEM reader *r = MEM_NEW(reader, 1);
  *r = (reader){ .file = file, .like = like, .rows = *rows, .d = d, .st = OK, .n = n, .global = true };
  c_lex_init(&r->in, n, source);
  c_next(r);
  unit(r, source);
  take_printed(r);
  settle(n);
  if (r->st == OK && n->statements == 0)
    r->st = diag_at(d, BAD_INPUT, "import", file, r->in.now.line, r->in.now.column, "the nest computes nothing");
  status st = r->st;
  *rows -= *rows != C_ROWS_NONE && r->no_rows;
  c_lex_clear(&r->in);
  mem_free(r->alias);
  if (st != OK)
    c_nest_clear(n);
  return st;
}

void c_nest_clear(c_nest *n)
{
  for (int k = 0; k < n->statements; k++)
    mem_free(n->statement[k].read);
  for (size_t i = 0; i < n->blocks; i++)
    mem_free(n->block[i]);
  mem_free(n->block);
  mem_free(n->param);
  mem_free(n->claim);
  mem_free(n->array);
  mem_free(n->statement);
  *n = (c_nest){ .params = 0 };
}
