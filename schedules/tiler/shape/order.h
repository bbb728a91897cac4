/* order.h -- a legal order of loops for statements that read one another in any affine way.

   Allen and Kennedy's distribution: statements that read one another in a circle share a loop, each with one of its
   dimensions and a shift, such that no read goes forward in it; reads that go back are then kept by the loop, and the
   rest is ordered inside. */
#ifndef REDBLUE_SCHEDULES_TILER_SHAPE_ORDER_H
#define REDBLUE_SCHEDULES_TILER_SHAPE_ORDER_H

#include "schedules/tiler/shape/shape.h"

enum { ORDER_STATEMENTS = 64 };

typedef struct order_node {
  bool leaf;
  int array;                   /* leaf */
  int members;                 /* loop: the statements that walk it, each x[dim] = sign * (loop variable - shift) */
  struct { int array, dim; int64_t shift; } member[ORDER_STATEMENTS];
  bool reversed;
  int kids, room;
  struct order_node **kid;
} order_node;

/* The greatest value of a form on the statement's domain, or more. */
int64_t tiler_form_most(const tiler_statement *s, const tiler_form *f);

/* NULL when none is found.  Leaves stand below loops over the dimensions that had to be ordered; the others are free.
   open: a circle that gets no order is a node with members and no kids.
   fusion: circles that hand on to one another share loops that keep none of their reads; or the outermost loops alone,
   in which a reader goes as far behind as what it reads lies ahead. */
typedef enum { ORDER_APART, ORDER_TOGETHER, ORDER_LAGGED } order_fusion;
order_node *tiler_order(const tiler_shape *s, bool open, order_fusion fusion);
void tiler_order_free(order_node *n);

#endif
