/* elementary.c -- see elementary.h.

   In the partial game a vertex may be computed many times, and what is dropped with it is what is red by then: there
   the moves are played as they are told, and the position says what a compute drops. */
#include "schedules/play/elementary.h"
#include "schedules/play/stream.h"

void schedule_step_text(text *out, const cdag *g, const schedule_step *step)
{
  text_add(out, pebble_kind_name(step->kind));
  text_char(out, ' ');
  cdag_element_print(out, g, &step->element);
  if (step->slides) {
    text_add(out, " dropping ");
    cdag_element_print(out, g, &step->slide);
  }
}

typedef struct {
  const cdag *g;
  const pebble_move *move;
  schedule_visit_step visit;
  void *context;
  schedule_step step;
  pebble_game *game;           /* partial: the moves so far; NULL otherwise, and after an illegal one */
  bool stopped;
  int found;                   /* dropped predecessors of the element so far */
} expansion;

static bool dropped(const expansion *e, const cdag_element *p)
{
  if (e->game && !pebble_is_red(e->game, p->array, p->x))
    return false;
  for (int k = 0; k < e->move->drops; k++) {
    const pebble_drop *drop = &e->move->drop[k];
    bool inside = drop->array == p->array;
    for (int r = 0; inside && !drop->whole && r < e->g->array[p->array].rank; r++)
      inside = drop->box.lo[r] <= p->x[r] && p->x[r] < drop->box.hi[r];
    if (inside)
      return true;
  }
  return false;
}

/* The first dropped predecessor goes with the compute ... */
static bool find_slide(void *context, const cdag_element *p, int term)
{
  expansion *e = context;
  (void)term;
  if (!dropped(e, p))
    return true;
  e->step.slides = true;
  e->step.slide = *p;
  return false;
}

/* ... each other is a drop after it. */
static bool drop_others(void *context, const cdag_element *p, int term)
{
  expansion *e = context;
  (void)term;
  if (!dropped(e, p) || e->found++ == 0)
    return true;
  schedule_step drop = { .kind = PEBBLE_DROP, .element = *p, .with_compute = true, .line = e->step.line };
  e->stopped = !e->visit(e->context, &drop);
  return !e->stopped;
}

/* The position moves on; once a move is illegal, nothing is known any more. */
static void follow(expansion *e)
{
  pebble_move move = *e->move;
  for (int r = 0; r < e->g->array[move.array].rank; r++) {
    move.box.lo[r] = e->step.element.x[r];
    move.box.hi[r] = e->step.element.x[r] + 1;
  }
  if (pebble_play(e->game, &move))
    return;
  pebble_free(e->game);
  e->game = NULL;
}

static void one_element(expansion *e)
{
  const cdag_element *at = &e->step.element;
  bool drops = e->move->kind == PEBBLE_COMPUTE && e->move->drops > 0;
  e->step.slides = false;
  if (drops)
    cdag_each_predecessor(e->g, at->array, at->x, find_slide, e);
  e->stopped = !e->visit(e->context, &e->step);
  e->found = 0;
  if (drops && e->step.slides && !e->stopped)
    cdag_each_predecessor(e->g, at->array, at->x, drop_others, e);
  if (e->game && !e->stopped)
    follow(e);
}

static bool one_run(void *context, const int64_t *x, int64_t hi)
{
  expansion *e = context;
  int rank = e->g->array[e->move->array].rank;
  for (int r = 0; r < rank; r++)
    e->step.element.x[r] = x[r];
  for (int64_t v = x[rank - 1]; v < hi && !e->stopped; v++) {
    e->step.element.x[rank - 1] = v;
    one_element(e);
  }
  return !e->stopped;
}

static bool move_at_line(void *context, const pebble_move *move, int line)
{
  expansion *e = context;
  e->move = move;
  e->step.kind = move->kind;
  e->step.element.array = move->array;
  e->step.line = line;
  return cdag_each_run(e->g, move->array, &move->box, one_run, e);
}

static bool one_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)slot;
  return move_at_line(context, move, at->box[box].line);
}

/* s, or list. */
static status tell(const schedule *s, schedule_reader *list, const cdag *g, const pebble_rules *rules,
                   schedule_visit_step visit, void *context, diag *d)
{
  expansion e = { .g = g, .visit = visit, .context = context };
  status st = OK;
  if (rules->variant == PEBBLE_PARTIAL)
    st = pebble_new(&e.game, g, PEBBLE_BY_ELEMENT, rules, d);
  if (st == OK)
    st = list ? schedule_tell_list(list, g, rules->m, move_at_line, &e, d) : schedule_each_move(s, one_move, &e, d);
  pebble_free(e.game);
  return st;
}

status schedule_each_step(const schedule *s, const pebble_rules *rules, schedule_visit_step visit, void *context,
                          diag *d)
{
  return tell(s, NULL, s->g, rules, visit, context, d);
}

status schedule_each_list_step(schedule_reader *list, const cdag *g, const pebble_rules *rules,
                               schedule_visit_step visit, void *context, diag *d)
{
  return tell(NULL, list, g, rules, visit, context, d);
}
