#include "bounds/coq/powers.h"
#include "base/num.h"
#include <inttypes.h>

void coq_order_add(coq_order *o, int name)
{
  int r = name % CDAG_RANK;
  int64_t by = o->split[r] > 1 ? o->split[r] : 1;
  for (int k = 0; k < o->n; k++)
    if (o->at[k].loop == r && o->at[k].rest == (name >= CDAG_RANK))
      return;
  if (name < CDAG_RANK || by > 1)
    o->at[o->n++] = (coq_coordinate){ r, by, name >= CDAG_RANK };
}

void coq_order_claimed(coq_order *o, const int *named, int n)
{
  for (int k = n - 1; k >= 0; k--)
    if (named[k] % CDAG_RANK < o->loops)
      coq_order_add(o, named[k]);
  for (int r = o->loops - 1; r >= 0; r--) {
    coq_order_add(o, CDAG_RANK + r);
    coq_order_add(o, r);
  }
}

int64_t coq_order_extent(const coq_order *o, int i)
{
  const coq_coordinate *c = &o->at[i];
  return c->rest ? c->by : (o->size[c->loop] - 1) / c->by + 1;
}

static int64_t coefficient(const coq_order *o, const int64_t *coef, int i)
{
  return coef[o->at[i].loop] * (o->at[i].rest ? 1 : o->at[i].by);
}

bool coq_order_told(const coq_order *o, const int64_t *coef, int i)
{
  int64_t g = 0, a = coefficient(o, coef, i);
  for (int k = 0; k < i; k++) {
    int64_t c = coefficient(o, coef, k);
    g = num_gcd(g, c < 0 ? -c : c);
  }
  return g == 0 ? a != 0 : (a == 1 || a == -1) && coq_order_extent(o, i) <= g;
}

void coq_put_numbers(const int64_t *v, int n, text *out)
{
  text_add(out, "[::");
  for (int i = 0; i < n; i++)
    text_printf(out, "%s %" PRId64, i ? ";" : "", v[i]);
  text_add(out, "]");
}

void coq_order_put(const coq_order *o, text *out)
{
  coq_put_numbers(o->split, o->loops, out);
  text_add(out, " [::");
  for (int i = 0; i < o->n; i++)
    text_printf(out, "%s (%d%%nat, (%" PRId64 ", %s))", i ? ";" : "", o->at[i].loop, o->at[i].by,
                o->at[i].rest ? "true" : "false");
  text_add(out, "]");
}
