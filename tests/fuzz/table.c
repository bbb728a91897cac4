/* Table files: refused with a line, or a table whose columns can be evaluated or refused, each with a sentence. */
#include "base/mem.h"
#include "report/table.h"
#include "tests/fuzz/fuzz.h"

/* Kept for a while: its bounds and schedules are worked out once. */
static report_setting *setting;

static void renew_setting(void)
{
  static int inputs;
  pebble_rules rules = { .m = 4 };
  diag d = { 0 };
  if (inputs++ % 500 == 0) {
    report_setting_free(setting);
    fuzz_no_leak();
    if (report_setting_new(&setting, "dot:k=3", &rules, &d) != OK)
      fuzz_fault("%s", d.message);
  }
}

/* One small computation for every column: what is under trial is the language. */
static void evaluate(const report_table *t)
{
  static const char *const names[] = { "n", "d", "k", "M" };
  report_value known[4], v;
  for (int i = 0; i < 4; i++) {
    report_value_init(&known[i]);
    known[i].number = true;
    mpq_set_si(known[i].q, i + 1, 1);
  }
  report_names all = { 4, names, known };
  for (int c = 0; c < t->columns; c++) {
    diag d = { 0 };
    report_value_init(&v);
    status st = t->column[c].swept ? OK : report_evaluate(setting, t->column[c].expression, &all, &v, &d);
    if (st != OK)
      fuzz_refused(st, &d);
    report_value_clear(&v);
  }
  for (int i = 0; i < 4; i++)
    report_value_clear(&known[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  report_table t = { 0 };
  diag d = { 0 };
  renew_setting();
  char *source = fuzz_text(data, size);
  if (!source)
    return 0;
  status st = report_table_parse(&t, source, "input", &d);
  if (st == OK)
    st = report_table_settle(&t, &d);
  if (st != OK)
    fuzz_refused(st, &d);
  else
    evaluate(&t);
  report_table_clear(&t);
  mem_free(source);
  return 0;
}
