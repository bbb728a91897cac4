/* print.c -- a schedule as .sched text: parsing it again gives the same tree.  Comments after the opening ones are not
 * kept. */
#include "schedules/schedule.h"
#include <string.h>

static void indent(text *out, int depth)
{
  for (int i = 0; i < depth; i++)
    text_add(out, "  ");
}

static void print_index(text *out, const schedule *s, const schedule_index *x)
{
  if (x->kind == CDAG_ALL)
    text_add(out, "*");
  else if (x->loop >= 0)
    text_add(out, s->loop[x->loop].name);
  else
    expr_print(out, x->lo);
  if (x->kind == CDAG_RANGE) {
    text_add(out, "..");
    expr_print(out, x->hi);
  }
}

static void print_boxes(text *out, const schedule *s, const schedule_box *box, int boxes)
{
  for (int i = 0; i < boxes; i++) {
    text_printf(out, "%s%s", i ? ", " : " ", s->g->array[box[i].array].name);
    if (box[i].whole)
      continue;
    for (int r = 0; r < box[i].indices; r++) {
      text_char(out, r ? ',' : '[');
      print_index(out, s, &box[i].index[r]);
    }
    text_add(out, box[i].indices ? "]" : "[]");
  }
}

static void print_move(text *out, const schedule *s, const schedule_node *n)
{
  text_add(out, pebble_kind_name(n->move));
  print_boxes(out, s, n->box, n->boxes);
  if (n->drops) {
    text_add(out, " dropping");
    print_boxes(out, s, n->drop, n->drops);
  }
}

static void print_for(text *out, const schedule *s, const schedule_loop *l)
{
  text_printf(out, "for %s in ", l->name);
  if (l->over_loop >= 0)
    text_add(out, s->loop[l->over_loop].name);
  if (l->lo) {
    expr_print(out, l->lo);
    text_add(out, "..");
  }
  if (l->hi)
    expr_print(out, l->hi);
  if (l->by) {
    text_add(out, " by ");
    expr_print(out, l->by);
  }
  text_add(out, l->reversed ? " reversed" : "");
  text_add(out, l->snake ? " snake" : "");
}

static void print_node(text *out, const schedule *s, const schedule_node *n, int depth);

/* "{", the statements, and "}" without a line end */
static void print_braces(text *out, const schedule *s, const schedule_node *block, int depth)
{
  text_add(out, " {\n");
  print_node(out, s, block, depth + 1);
  indent(out, depth);
  text_add(out, "}");
}

static void print_if(text *out, const schedule *s, const schedule_node *n, int depth)
{
  text_add(out, "if ");
  expr_print(out, n->condition);
  print_braces(out, s, n->child[0], depth);
  if (n->children < 2)
    return;
  text_add(out, " else");
  if (n->child[1]->kind == SCHEDULE_IF) {
    text_char(out, ' ');
    print_if(out, s, n->child[1], depth);
  } else
    print_braces(out, s, n->child[1], depth);
}

static void print_node(text *out, const schedule *s, const schedule_node *n, int depth)
{
  if (n->kind == SCHEDULE_BLOCK) {
    for (int i = 0; i < n->children; i++)
      print_node(out, s, n->child[i], depth);
    return;
  }
  indent(out, depth);
  if (n->kind == SCHEDULE_FOR) {
    print_for(out, s, &s->loop[n->loop]);
    print_braces(out, s, n->child[0], depth);
  } else if (n->kind == SCHEDULE_IF)
    print_if(out, s, n, depth);
  else
    print_move(out, s, n);
  text_char(out, '\n');
}

static void print_comment(text *out, const char *comment)
{
  for (const char *line = comment; *line;) {
    size_t n = strcspn(line, "\n");
    text_add(out, n ? "# " : "#");
    text_add_n(out, line, n);
    text_char(out, '\n');
    line += n + (line[n] == '\n');
  }
}

void schedule_print(text *out, const schedule *s)
{
  print_comment(out, text_str(&s->comment));
  if (s->name[0]) {
    text_printf(out, "schedule %s", s->name);
    text_printf(out, s->family[0] ? " for %s\n" : "\n", s->family);
  }
  for (int i = 0; i < s->params; i++) {
    text_printf(out, "param %s", s->param[i].name);
    if (s->param[i].fallback) {
      text_add(out, " = ");
      expr_print(out, s->param[i].fallback);
    } else if (s->param[i].automatic)
      text_add(out, " = auto");
    text_char(out, '\n');
  }
  print_node(out, s, s->body, 0);
}
