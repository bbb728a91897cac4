#include "base/scoped.h"
#include "bounds/segment/record.h"
#include <inttypes.h>

void segment_write_fibers(json *j, const int64_t f[3]) { json_put_int64s(j, "fibers", f, 3); }

segment_account segment_account_of(const cdag *g, const bound_live *l, const bound_statement *s)
{
  return (segment_account){ s->seed >= 0 ? 0 : s->chains, l->outputs, s->sum < 0 ? NULL : g->array[s->sum].name };
}

void segment_say_counted(const proof *say, const cdag *g, const bound_statement *s)
{
  if (s->sum >= 0)
    proof_tell(say, "segment/record/trees", "sum %s, chains %lu", g->array[s->sum].name, (unsigned long)s->chains);
  else
    proof_tell(say, "segment/record/chains", "");
}

void segment_value(const segment_cut *c, const segment_account *a, mpz_t value)
{
  mpz_sub_ui(value, c->events, a->births);
  mpz_add_ui(value, value, a->stores);
}

void segment_write(json *j, const segment_problem *p, const segment_cut *c, const segment_account *a)
{
  json_put_big(j, "work", p->work);
  json_put_int(j, "segments", c->n);
  json_put_int(j, "first", c->first);
  json_put_int(j, "length", c->length);
  json_put_big(j, "most_first", c->most_first);
  json_put_big(j, "most", c->most);
  json_put_big(j, "events", c->events);
  json_put_uint(j, "births", a->births);
  json_put_uint(j, "stores", a->stores);
  if (a->sum)
    json_put_string(j, "sum", a->sum);
}

void segment_work_text(const cdag *g, const bound_statement *s, text *out)
{
  if (!g->array[s->array].rectangular) {
    text_printf(out, "%" PRIu64, s->steps);
    return;
  }
  for (int r = 0; r < s->rank; r++) {
    if (r > 0)
      text_char(out, ' ');
    bound_loop_text(g, s->array, r, s->extent[r], out);
  }
}

/* How many words are red when a segment begins. */
static const char *words_before(const bound_question *q, const segment_problem *p)
{
  return p->m < (int64_t)q->m ? "M - 1" : "M";
}

static void say_cut(const proof *say, const bound_question *q, const segment_problem *p, const segment_cut *c,
                    const char *unit)
{
  SCOPED_MPZ sum, fewer;
  mpz_inits(sum, fewer, NULL);
  mpz_sub_ui(fewer, c->events, 1);
  mpz_mul_si(sum, c->most, c->n - 1);
  mpz_add(sum, sum, c->most_first);
  proof_tell(say, "segment/record/first", "fewer %Zd, first %ld", fewer, (long)c->first);
  if (c->n > 1)
    proof_say(say, " and at most {%ld} others of at most {%ld} events each", (long)(c->n - 1), (long)c->length);
  proof_tell(say, "segment/record/nothing-red", "first %ld, most_first %Zd, unit %s", (long)c->first, c->most_first,
             unit);
  if (c->n > 1)
    proof_say(say, " Each other has at most {%s + %ld = %ld} words and does at most {%Zd} %s.", words_before(q, p),
              (long)c->length, (long)(c->length + p->m), c->most, unit);
  proof_tell(say, "segment/record/sum", "sum %Zd, unit %s, work %Zd, events %Zd", sum, unit, p->work, c->events);
  proof_paragraph(say);
}

void segment_proof_moves(const proof *say, const bound_question *q, const segment_problem *p, const segment_cut *c,
                         const char *unit)
{
  proof_tell(say, "segment/record/moves", "M %ld", (long)q->m);
  say_cut(say, q, p, c, unit);
  proof_say(say, "Hence {Q >= %Zd}.", c->events);
  proof_paragraph(say);
}

void segment_proof(const proof *say, const bound_question *q, const segment_problem *p, const segment_cut *c,
                   const segment_account *a, const char *unit)
{
  proof_tell(say, "segment/record/events", "birth %s, before %s, M %ld, free %s",
             a->sum      ? ", or a birth: the computation of a first element when no counted value of its chain is red"
      : a->births ? ", or a birth: the computation that begins a chain"
                  : "",
             words_before(q, p), (long)p->m, p->m < (int64_t)q->m ? " since a load needs a free pebble" : "");
  say_cut(say, q, p, c, unit);
  if (a->sum)
    proof_tell(say, "segment/record/births", "births %lu", (unsigned long)a->births);
  else if (a->births)
    proof_tell(say, "segment/record/free-births", "births %lu", (unsigned long)a->births);
  SCOPED_MPZ value;
  mpz_init(value);
  segment_value(c, a, value);
  proof_tell(say, "segment/record/stored", "stores %lu, events %Zd, births %lu, value %Zd", (unsigned long)a->stores,
             c->events, (unsigned long)a->births, value);
}
