/* table_csv.c -- rows as CSV, which know what they are: written, resumed, joined.

   The last column, `check`, is xxxxxxxx-yyyyyyyy: the digest of the table (computation, game, sweep, columns, version
   of the program, contents of the files named), then that of this row in it: where it stands and what it says.  A row
   of another table, in another place, or changed since is refused by its line. */
#include "report/table.h"
#include "base/digest.h"
#include "base/mem.h"
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#define CHECK "check"
enum { CHECK_LENGTH = 17 };

/* ---- the digests ---- */

static uint64_t add_number(uint64_t h, int64_t v)
{
  char digits[32];
  snprintf(digits, sizeof digits, "%" PRId64, v);
  return digest_text(h, digits);
}

/* A word with a dot or a slash may name a file: what stands in it belongs to the table. */
static uint64_t add_file(uint64_t h, const char *word, size_t n)
{
  SCOPED_TEXT bytes = { 0 };
  struct stat of;
  char *path = mem_text_n(word, n);
  bool is_file =
      strpbrk(path, "./") && stat(path, &of) == 0 && S_ISREG(of.st_mode) && text_read(&bytes, path, 0, NULL) == OK;
  mem_free(path);
  h = is_file ? digest_bytes(h, text_str(&bytes), bytes.n) : h;
  return h;
}

/* A computation or an expression, and the files it names: mine.cdag:n=4,mask=@m.txt, tuned(./mine.sched). */
static uint64_t add_words(uint64_t h, const char *s)
{
  h = digest_text(h, s);
  for (size_t n; *s; s += n + (s[n] != '\0')) {
    n = strcspn(s, ":,=@()+* ");
    h = n ? add_file(h, s, n) : h;
  }
  return h;
}

static uint64_t add_case(uint64_t h, const report_case *c)
{
  h = add_words(h, c->spec);
  h = digest_text(add_number(h, (int64_t)c->m), c->machine ? c->machine : "");
  for (int i = 0; i < c->names; i++)
    h = add_words(digest_text(h, c->name[i]), c->value[i]);
  return digest_text(h, "case");
}

static uint64_t add_variable(uint64_t h, const report_variable *v)
{
  h = digest_text(h, v->name);
  for (size_t k = 0; k < v->n; k++)
    h = digest_text(add_number(h, v->value[k]), v->label[k] ? v->label[k] : "");
  return digest_text(h, "variable");
}

uint64_t report_table_digest(const report_table *t)
{
  uint64_t h = add_words(digest_text(DIGEST_BEGIN, REDBLUE_VERSION), text_str(&t->spec));
  for (size_t i = 0; i < t->n_cases; i++)
    h = add_case(h, &t->cases[i]);
  h = add_number(add_number(h, (int64_t)t->rules.variant), t->rules.one_shot);
  for (int i = 0; i < t->sweep.variables; i++)
    h = add_variable(h, &t->sweep.variable[i]);
  for (int i = 0; i < t->columns; i++)
    h = add_words(digest_text(h, t->column[i].title), t->column[i].expression);
  return digest_text(add_number(h, t->says_missing), text_str(&t->missing));
}

static void put_digest(char *to, uint64_t h) { snprintf(to, 9, "%08" PRIx32, (uint32_t)(h ^ h >> 32)); }

/* line: the cells of row k of this table, as written. */
static void row_check(char to[CHECK_LENGTH + 1], const char *table, size_t row, const char *line, size_t n)
{
  memcpy(to, table, 8);
  to[8] = '-';
  put_digest(to + 9, digest_bytes(add_number(digest_bytes(DIGEST_BEGIN, table, 8), (int64_t)row), line, n));
}

/* ---- writing ---- */

/* What a spreadsheet would take for a formula is written behind a quote mark, and read without it. */
static bool is_formula(const char *s)
{
  double value;
  s += strspn(s, "'");
  return *s && strchr("=+-@", *s) && !report_is_number(s, &value);
}

static void csv_cell(text *out, const char *s, bool first)
{
  text_add(out, first ? "" : ",");
  bool quoted = s[strcspn(s, ",\"\n\r")];
  text_add(out, quoted ? "\"" : "");
  text_add(out, is_formula(s) ? "'" : "");
  for (; *s; s++) {
    if (*s == '"')
      text_char(out, '"');
    text_char(out, *s);
  }
  text_add(out, quoted ? "\"" : "");
}

void report_csv_header(text *out, const report_table *t)
{
  for (int c = 0; c < t->columns; c++)
    csv_cell(out, t->column[c].title, c == 0);
  text_add(out, "," CHECK "\n");
}

void report_csv_row(text *out, const report_table *t, const report_cells *c, size_t row)
{
  char table[9], check[CHECK_LENGTH + 1];
  size_t begin = out->n;
  for (int i = 0; i < t->columns; i++) {
    const char *cell = c->cell[row * (size_t)t->columns + (size_t)i];
    csv_cell(out, cell ? cell : "", i == 0);
  }
  put_digest(table, t->digest);
  row_check(check, table, row, out->s + begin, out->n - begin);
  text_printf(out, ",%s\n", check);
}

/* ---- reading ---- */

/* The next cell of a line, unquoted in place; *at moves behind it.  False at the line's end. */
static bool csv_next(char **at, char **cell)
{
  char *s = *at;
  if (!s)
    return false;
  if (*s != '"')
    *cell = strsep(at, ",");
  else {
    char *to = *cell = ++s;
    for (; *s && !(*s == '"' && s[1] != '"'); s++) {
      s += *s == '"';
      *to++ = *s;
    }
    *at = *s && s[1] == ',' ? s + 2 : NULL;
    *to = '\0';
  }
  *cell += **cell == '\'' && is_formula(*cell);
  return true;
}

/* A line of the file: its cells, as they stand and as they read, and what its check says. */
typedef struct {
  const char *file;
  int number;
  size_t length;               /* of the cells as they stand */
  const char *check;
} csv_line;

static status refuse(const csv_line *l, diag *d, const char *why)
{
  return diag_at(d, BAD_INPUT, "file", l->file, l->number, 1, "%s", why);
}

/* The check behind the last comma of a line. */
static status find_check(csv_line *l, const char *line, diag *d)
{
  const char *comma = strrchr(line, ',');
  l->check = comma ? comma + 1 : "";
  l->length = comma ? (size_t)(comma - line) : 0;
  if (strlen(l->check) != CHECK_LENGTH || l->check[8] != '-' || strspn(l->check, "0123456789abcdef-") != CHECK_LENGTH)
    return refuse(l, d, "this row does not end in a check: it was cut, or was not written by redblue table");
  return OK;
}

static bool check_fits(const csv_line *l, const char *line, size_t row)
{
  char check[CHECK_LENGTH + 1];
  row_check(check, l->check, row, line, l->length);
  return strcmp(check, l->check) == 0;
}

static void keep_cells(const report_table *t, report_cells *c, size_t row, char **cell)
{
  for (int i = 0; i < t->columns; i++) {
    char **to = &c->cell[row * (size_t)t->columns + (size_t)i];
    mem_free(*to);
    *to = mem_text(cell[i]);
  }
}

/* Put a line's cells where its row is, searching from *row on. */
static status keep_line(const report_table *t, report_cells *c, csv_line *l, char *line, size_t *row, diag *d)
{
  char *cell[REPORT_COLUMNS + 1], *copy = mem_text(line), *rest = copy, table[9];
  int n = 0;
  put_digest(table, t->digest);
  status st = find_check(l, line, d);
  while (n <= t->columns && csv_next(&rest, &cell[n]))
    n++;
  if (st == OK && (n != t->columns + 1 || rest))
    st = refuse(l, d, "this row has another number of cells than the table has columns");
  else if (st == OK && memcmp(table, l->check, 8) != 0)
    st = refuse(l, d,
                "this row is of another table: its computation, game, sweep, columns or the version of redblue differ");
  while (st == OK && *row < c->rows && !check_fits(l, line, *row))
    ++*row;
  if (st == OK && *row == c->rows)
    st = refuse(l, d, "this row does not fit its check: it was changed, or is not in its order");
  if (st == OK)
    keep_cells(t, c, (*row)++, cell);
  mem_free(copy);
  return st;
}

status report_csv_read(const report_table *t, report_cells *c, const char *file, diag *d)
{
  SCOPED_TEXT bytes = { 0 }, header = { 0 };
  csv_line l = { .file = file, .number = 1 };
  status st = text_read_plain(&bytes, file, 0, d);
  report_csv_header(&header, t);
  size_t row = 0;
  if (st == OK && bytes.n && (bytes.n < header.n || memcmp(bytes.s, header.s, header.n) != 0))
    st = diag_set(d, BAD_INPUT, "file", "%s has other columns than this table", file);
  char *line = st == OK && bytes.n ? bytes.s + header.n : NULL, *end;
  for (; line && st == OK && (end = strchr(line, '\n')); line = end + 1) {
    *end = '\0';
    l.number++;
    st = keep_line(t, c, &l, line, &row, d);
  }
  return st;
}

/* ---- joining ---- */

typedef struct {
  text bytes;
  char *at;                    /* the rest, or NULL */
  csv_line line;
} shard;

/* The next whole line of a shard, its end cut off; NULL when there is none. */
static char *next_line(shard *s)
{
  char *line = s->at, *end = line ? strchr(line, '\n') : NULL;
  if (!end)
    return NULL;
  *end = '\0';
  s->at = end + 1;
  s->line.number++;
  return line;
}

/* Row k of the whole is the next line of shard k mod n. */
static status interleave(shard *s, int n, text *out, diag *d)
{
  char table[9] = "";
  status st = OK;
  char *line;
  for (size_t k = 0; st == OK && (line = next_line(&s[k % (size_t)n])); k++) {
    csv_line *l = &s[k % (size_t)n].line;
    st = find_check(l, line, d);
    if (st == OK && k == 0)
      memcpy(table, l->check, 8);
    if (st == OK && memcmp(table, l->check, 8) != 0)
      st = refuse(
          l, d, "this row is of another table: its computation, game, sweep, columns or the version of redblue differ");
    else if (st == OK && !check_fits(l, line, k))
      st = refuse(l, d,
                  "this row does not fit its check: it was changed, or its shard is not the one of this place; shards "
                  "come in order, all of them");
    text_printf(out, "%s\n", line);
  }
  for (int k = 0; st == OK && k < n; k++)
    if (s[k].at < s[k].bytes.s + s[k].bytes.n)
      st = diag_set(d, BAD_INPUT, "file",
                    "%s has more rows than its place among the shards allows: is a shard unfinished or out of order?",
                    s[k].line.file);
  return st;
}

static bool same_file(const char *a, const char *b)
{
  struct stat of_a, of_b;
  return strcmp(a, b) == 0 ||
         (stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino);
}

static status refuse_twice(char *const *name, int n, diag *d)
{
  for (int k = 1; k < n; k++)
    for (int i = 0; i < k; i++)
      if (same_file(name[i], name[k]))
        return diag_set(d, BAD_USAGE, "usage", "%s is named twice: as shard %d and as shard %d", name[k], i + 1, k + 1);
  return OK;
}

/* All shards begin with the same header, which goes out. */
static status take_header(shard *s, int n, text *out, diag *d)
{
  for (int k = 0; k < n; k++) {
    char *header = next_line(&s[k]);
    if (!header || (k && strcmp(header, out->s) != 0))
      return diag_set(d, BAD_INPUT, "file", "%s is no shard of the same table as %s", s[k].line.file, s[0].line.file);
    if (k == 0)
      text_add(out, header);
  }
  text_char(out, '\n');
  return OK;
}

status report_csv_join(char *const *name, int n, text *out, diag *d)
{
  SCOPED_MEM shard *s = MEM_NEW(shard, (size_t)n);
  status st = refuse_twice(name, n, d);
  for (int k = 0; k < n && st == OK; k++) {
    s[k].line.file = name[k];
    st = text_read_plain(&s[k].bytes, name[k], 0, d);
    s[k].at = s[k].bytes.s;
  }
  if (st == OK)
    st = take_header(s, n, out, d);
  if (st == OK)
    st = interleave(s, n, out, d);
  for (int k = 0; k < n; k++)
    text_clear(&s[k].bytes);
  return st;
}
