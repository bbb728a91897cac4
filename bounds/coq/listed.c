/* Attention on a block mask as Coq is told of it (proofs/cdags/Listed.v): how many rows are alike, one after the
   other, and the ranges of keys that these keep.  The family's tables say it. */
#include "base/scoped.h"
#include "bounds/coq/listed.h"
#include "base/mem.h"
#include "base/num.h"
#include <inttypes.h>
#include <string.h>

enum { RANGES = 1 << 14 }; /* more than these Coq takes long to read */

typedef struct {
  const expr_table *rows, *count, *column, *columns;
  int64_t block, pairs, widest; /* keys of a row at most */
} mask;

static const expr_table *table(const cdag *g, const char *name)
{
  for (int i = 0; i < g->tables; i++)
    if (strcmp(g->table[i].name, name) == 0 && !g->table[i].unstored)
      return &g->table[i];
  return NULL;
}

static bool read_mask(const cdag *g, mask *k)
{
  int b = cdag_find_param(g, "b");
  *k = (mask){ .rows = table(g, "rows"),
               .count = table(g, "cnt"),
               .column = table(g, "col"),
               .columns = table(g, "cols"),
               .block = b < 0 ? 0 : g->param[b].value };
  return k->rows && k->count && k->column && k->columns && k->block > 0;
}

static int64_t column(const mask *k, int64_t row, int64_t q)
{
  return expr_entry(k->column, row * k->column->extent[1] + q);
}

/* The keys of the block row's blocks from the first on that follow one another; the first behind them. */
static int64_t run(const mask *k, int64_t row, int64_t first, int64_t range[2])
{
  int64_t q = first + 1, n = expr_entry(k->count, row);
  while (q < n && column(k, row, q) == column(k, row, q - 1) + 1)
    q++;
  int64_t last = column(k, row, q - 1);
  range[0] = column(k, row, first) * k->block;
  range[1] = last * k->block + expr_entry(k->columns, last);
  return q;
}

static bool alike(const mask *k, int64_t row, int64_t other)
{
  int64_t n = expr_entry(k->count, row);
  bool same = n == expr_entry(k->count, other);
  for (int64_t q = 0; same && q < n; q++)
    same = column(k, row, q) == column(k, other, q);
  return same;
}

/* What the list says in numbers, too; false when there are too many ranges. */
static bool put_mask(mask *k, text *out)
{
  int64_t blocks = k->rows->extent[0], ranges = 0, range[2];
  k->pairs = k->widest = 0;
  text_add(out, "[:: ");
  for (int64_t row = 0, next; row < blocks && ranges <= RANGES; row = next) {
    int64_t height = 0, keys = 0;
    for (next = row; next < blocks && alike(k, row, next); next++)
      height += expr_entry(k->rows, next);
    text_printf(out, "%s(%" PRId64 ", [:: ", row ? ";\n      " : "", height);
    for (int64_t q = 0; q < expr_entry(k->count, row); ranges++) {
      const char *before = q ? "; " : "";
      q = run(k, row, q, range);
      text_printf(out, "%s(%" PRId64 ", %" PRId64 ")", before, range[0], range[1]);
      keys += range[1] - range[0];
    }
    k->pairs += height * keys;
    k->widest = num_max(k->widest, keys);
    text_add(out, "])");
  }
  text_add(out, "]");
  return ranges <= RANGES;
}

/* Of blocks some row keeps one; what is computed of no pair is no computation of Coq's. */
static bool keeps_all_columns(const mask *k)
{
  SCOPED_MEM char *kept = mem_new(k->columns->extent[0] + 1, 1);
  int64_t missing = k->columns->extent[0];
  for (int64_t row = 0; row < k->rows->extent[0]; row++)
    for (int64_t q = 0; q < expr_entry(k->count, row); q++) {
      char *c = &kept[column(k, row, q)];
      missing -= !*c;
      *c = 1;
    }
  return missing == 0;
}

/* No word serves more steps than the claim says: of pairs, of columns and of rows. */
static bool has_fibers(const mask *k, const cdag *g, const json_value *v)
{
  int64_t dv = g->param[cdag_find_param(g, "dv")].value, n = g->param[cdag_find_param(g, "n")].value, claimed[3];
  int64_t own[3] = { num_min(dv, num_min(n, k->widest)), 0, num_max(dv, num_max(n, k->widest)) };
  own[1] = dv + n + k->widest - own[0] - own[2];
  bool good = json_get_int64s(v, "fibers", 3, 0, INT64_MAX, claimed) == 3;
  for (int i = 0; i < 3; i++)
    good = good && claimed[i] >= own[i];
  return good;
}

bool coq_listed_proves(const bound_question *q, const bound *b, const json_value *v, text *told)
{
  mask k;
  text listing = { 0 };
  int64_t pairs;
  bool segment = strcmp(b->name, "attention-segment") == 0;
  const json_value *of = json_get(v, "pairs") ? v : json_get(v, "parameters");
  bool good = read_mask(q->g, &k) && put_mask(&k, &listing) && of && json_get_int(of, "pairs", &pairs) &&
              pairs == k.pairs && (segment ? has_fibers(&k, q->g, v) : keeps_all_columns(&k));
  if (good && told)
    text_add(&told[COQ_TEXT], text_str(&listing));
  text_clear(&listing);
  return good;
}
