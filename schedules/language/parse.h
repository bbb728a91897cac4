/* parse.h -- the parser's state: what the reader of streams needs to take statements one at a time.  Private to the
 * room. */
#ifndef REDBLUE_SCHEDULES_PARSE_H
#define REDBLUE_SCHEDULES_PARSE_H

#include "cdag/language/lex.h"
#include "schedules/play/run.h"
#include "schedules/schedule.h"

typedef struct {
  lexer in;
  schedule *s;                 /* grows while reading */
  diag *d;
  int open[SCHEDULE_DEPTH], opens; /* loops around the place now read */
  int depth;                   /* blocks around it */
  int copies; /* of a collection, when the text is for one copy: the first so many of `open` are over the copies */
  size_t loop_room, param_room;
} schedule_parser;

/* At the first token of source, which must outlive the parser; makes p->s with an empty body. */
void schedule_parser_init(schedule_parser *p, const cdag *g, uint64_t m, const char *file, const char *source, diag *d);
status schedule_parse_head(schedule_parser *p);                        /* title and parameters */
status schedule_parse_statement(schedule_parser *p, schedule_node *block, size_t *room); /* one more child of block */
/* Can a compute of this array be followed by `dropping` the other: does its rule read it? */
bool schedule_may_drop(const cdag *g, int computed, int dropped);

/* Give the parameters their values: "a=3,b=auto" (or NULL), then the defaults. */
status schedule_assign(schedule *s, const char *assign, diag *d);


/* Playing (play.c, shear.c). */
void schedule_verdict_init(schedule_verdict *v, const cdag *g);
void schedule_verdict_fill(schedule_verdict *v, const pebble_game *game); /* verdict and tables by array */
void schedule_lay_out(const schedule *s, pebble_game *game);              /* tell the engine how the boxes lie */
void schedule_lay_sheared(const schedule *s, pebble_game *game);          /* part of that */
void schedule_verdict_value(schedule_verdict *v, const schedule_run *r);  /* rule VALUE: the run went bad */
/* The verdict once the run has come to `flow`; at: the box played last, read only when an engine stopped there. */
void schedule_verdict_end(schedule_verdict *v, schedule_flow flow, const schedule_run *run, pebble_game *game,
                          const schedule_box *at);

#endif
