/* Records of lower bounds, and the walk over the table of theorems that collects them. */
#include "base/clock.h"
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/coq.h"
#include "bounds/leading.h"
#include "bounds/recognise/shape.h"
#include <math.h>
#include <string.h>

const char *bound_trust_name(bound_trust t)
{
  static const char *const names[] = { "proved", "certified", "numeric", "published", "asymptotic", "refuted" };
  return names[t];
}

void bound_init(bound *b, const char *name, bound_trust trust, unsigned models, const char *source)
{
  *b = (bound){ .name = name, .trust = trust, .models = models, .source = source };
  b->checked = MEM_NEW(struct bound_checked, 1);
  mpz_init(b->value);
}

void bound_clear(bound *b)
{
  if (b->name)
    mpz_clear(b->value);
  text_clear(&b->leading);
  text_clear(&b->parameters);
  text_clear(&b->proof);
  text_clear(&b->proof_latex);
  mem_free(b->checked);
  *b = (bound){ 0 };
}

bound *bound_list_add(bound_list *l, const char *name, bound_trust trust, unsigned models, const char *source)
{
  l->item = mem_room(l->item, l->n, &l->room, sizeof *l->item);
  bound *b = &l->item[l->n++];
  bound_init(b, name, trust, models, source);
  return b;
}

void bound_list_clear(bound_list *l)
{
  for (size_t i = 0; i < l->n; i++)
    bound_clear(&l->item[i]);
  mem_free(l->item);
  *l = (bound_list){ 0 };
}

bool bound_holds_in(const bound *b, const bound_question *q)
{
  static const unsigned variants[] = { BOUND_PLACING, BOUND_SLIDING, BOUND_PARTIAL };
  /* the partial game computes every vertex once by definition */
  unsigned once = q->one_shot || q->variant == 2 ? BOUND_ONE_SHOT : BOUND_RECOMPUTE;
  return (b->models & once) && (b->models & variants[q->variant]);
}

static bool may_be_best(const bound *b, const bound_question *q)
{
  return (b->trust == BOUND_PROVED || b->trust == BOUND_CERTIFIED) && bound_holds_in(b, q);
}

/* Of two that say the same the one that Coq has checked is the better. */
static bool is_better(const bound *b, const bound *than, const bound_question *q)
{
  int more = mpz_cmp(b->value, than->value);
  return more > 0 || (more == 0 && !bound_machine_checked(q, than) && bound_machine_checked(q, b));
}

static int best_of(const bound_list *l, const bound_question *q)
{
  int best = -1;
  for (size_t i = 0; i < l->n; i++)
    if (may_be_best(&l->item[i], q) && (best < 0 || is_better(&l->item[i], &l->item[best], q)))
      best = (int)i;
  return best;
}

const bound_theorem *bound_theorem_find(const char *name)
{
  for (const bound_theorem *const *t = bound_theorems; *t; t++)
    if (strcmp((*t)->name, name) == 0)
      return *t;
  return NULL;
}

/* Every play moves 0 words: a theorem that says no more says nothing.  (Compulsory traffic stays, so that there is
 * always an answer.) */
static void drop_empty(bound_list *l)
{
  size_t kept = 0;
  for (size_t i = 0; i < l->n; i++) {
    if (mpz_sgn(l->item[i].value) > 0 || strcmp(l->item[i].name, "compulsory") == 0)
      l->item[kept++] = l->item[i];
    else
      bound_clear(&l->item[i]);
  }
  l->n = kept;
}

status bound_all(const bound_question *q, bound_list *out, int *best, diag *d)
{
  status st = OK;
  bound_live live;
  bound_question known = *q;
  bound_live_find(q->g, &live);
  known.live = &live;
  for (const bound_theorem *const *t = bound_theorems; st == OK && *t; t++) {
    if (q->until > 0) /* each takes its share of what is left, or the schedules would get nothing */
      known.seconds = fmin(q->seconds, q->until - clock_seconds());
    out->stopped |= q->until > 0 && known.seconds <= 0;
    bool asked = !q->theorem || strcmp(q->theorem, (*t)->name) == 0;
    bool in_time = !out->stopped || t == bound_theorems; /* the first, compulsory moves, always answers */
    if (asked && in_time && (!(*t)->slow || q->seconds > 0))
      st = (*t)->apply(&known, out, d);
  }
  for (size_t i = 0; i < out->n; i++)
    bound_leading_keep(&known, &out->item[i]);
  bound_live_clear(&live);
  drop_empty(out);
  *best = best_of(out, q);
  return st;
}
