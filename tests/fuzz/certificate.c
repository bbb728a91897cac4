/* Certificates: refused, or judged; and what is judged valid is true -- on computations small enough to be solved
   exactly, no pebbling in any game of the theorem beats the value.  The digest is mended first: it notices accidents
   and would hide the rest. */
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/checker.h"
#include "pebble/optimal.h"
#include "tests/fuzz/fuzz.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SMALL = 13 };

static void mend_digest(char *bytes)
{
  static const char key[] = "\"digest\": \"";
  json_value v = { 0 };
  diag d = { 0 };
  char digits[17], *at = strstr(bytes, key);
  if (!at || strlen(at) < strlen(key) + 17 || json_read(&v, bytes, strlen(bytes), "input", &d) != OK)
    return;
  snprintf(digits, sizeof digits, "%016" PRIx64, json_digest(&v, "digest"));
  memcpy(at + strlen(key), digits, 16);
  json_value_clear(&v);
}

static void not_above(const cdag_graph *graph, const pebble_rules *rules, const mpz_t value, const char *bytes)
{
  pebble_optimum o = { 0 };
  pebble_optimal_limits limits = { .seconds = 1 };
  diag d = { 0 };
  status st = pebble_optimal(graph, rules, &limits, &o, &d);
  if (st == OK && o.possible && mpz_cmp_ui(value, o.upper) > 0)
    fuzz_fault("the optimum of game %d%s is %" PRIu64 ", and this is valid:\n%s", (int)rules->variant,
               rules->one_shot ? ", one-shot," : "", o.upper, bytes);
  pebble_optimum_clear(&o);
}

/* Every game the theorem holds in. */
static void is_true(const cdag *g, uint64_t m, unsigned models, const mpz_t value, const char *bytes)
{
  static const unsigned flag[] = { BOUND_PLACING, BOUND_SLIDING, BOUND_PARTIAL };
  cdag_graph graph = { 0 };
  diag d = { 0 };
  if (g->vertices > SMALL || cdag_materialise(g, SMALL, &graph, &d) != OK)
    return;
  for (int v = 0; v < 3; v++)
    if (models & flag[v]) {
      pebble_rules rules = { .variant = (pebble_variant)v, .one_shot = !(models & BOUND_RECOMPUTE), .m = m };
      not_above(&graph, &rules, value, bytes);
    }
  cdag_graph_clear(&graph);
}

static void judge_truth(const char *bytes, const bound_check_result *r)
{
  json_value v = { 0 };
  diag d = { 0 };
  int64_t m = 0;
  cdag *g = NULL;
  cdag_graph graph = { 0 };
  if (json_read(&v, bytes, strlen(bytes), "input", &d) != OK || !json_get_int(&v, "M", &m))
    fuzz_fault("valid, but cannot be read");
  const json_value *c = json_get(&v, "cdag");
  const char *source = json_get_string(c, "text"), *assign = json_get_string(c, "assign"),
             *edges = json_get_string(c, "edges");
  status st = source && assign ? cdag_parse(&g, "cdag", source, assign, &d)
                               : cdag_graph_read_edges(&graph, edges, strlen(edges), "cdag", &d);
  if (st == OK && !g)
    st = cdag_from_graph(&g, &graph, "cdag");
  if (st != OK)
    fuzz_fault("valid, but its computation cannot be read: %s", d.message);
  is_true(g, (uint64_t)m, bound_checker_find(text_str(&r->theorem))->models, r->value, bytes);
  cdag_free(g);
  json_value_clear(&v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bound_check_result r;
  diag d = { 0 };
  char *bytes = fuzz_text(data, size);
  if (!bytes)
    return 0;
  mend_digest(bytes);
  status st = bound_check(bytes, strlen(bytes), "input", &r, &d);
  if (st != OK)
    fuzz_refused(st, &d);
  else if (!r.valid && !r.reason.n)
    fuzz_fault("refused without a reason");
  else if (r.valid)
    judge_truth(bytes, &r);
  bound_check_clear(&r);
  mem_free(bytes);
  fuzz_no_leak();
  return 0;
}
