/* verb_draw.c -- the picture of a computation and of a play on it. */
#include "cli/common.h"
#include "report/draw.h"

static status read_drawing(const cli_args *a, report_drawing *w, cdag **g, schedule **s, diag *d)
{
  status st = OK;
  w->at = -1;
  if (a->n > 1 && a->value[CLI_WAVEFRONT])
    st = diag_set(d, BAD_USAGE, "usage", "--wavefront draws a bound: give no schedule");
  else if (a->n > 1 || a->value[CLI_WAVEFRONT])
    st = cli_rules(a, &w->rules, d);
  if (st == OK && a->n == 1 && (a->value[CLI_AT] || a->value[CLI_SEGMENT]))
    st = diag_set(d, BAD_USAGE, "usage", "--at and --segment draw a play: give a schedule");
  if (st == OK && a->value[CLI_AT])
    st = cli_integer(a, CLI_AT, 0, 0, &w->at, d);
  if (st == OK && a->value[CLI_SEGMENT])
    st = cli_integer(a, CLI_SEGMENT, 1, 1, &w->segment, d);
  if (st == OK && a->value[CLI_AT] && a->value[CLI_SEGMENT])
    st = diag_set(d, BAD_USAGE, "usage", "--at draws one moment, --segment the whole play: give one of them");
  if (st == OK)
    st = cli_width(a, &w->width, d);
  if (st == OK)
    st = cdag_open(g, a->argument[0], d);
  w->g = *g;
  w->title = a->value[CLI_TITLE] ? a->value[CLI_TITLE] : a->argument[0];
  if (st == OK && a->n > 1)
    st = cli_schedule(a, *g, &w->rules, a->argument[1], s, d);
  w->s = *s;
  return st;
}

static void put_numbers(const cli_args *a, const report_drawing *w, const report_drawn *n)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_uint(&j, "vertices", n->vertices);
  json_put_uint(&j, "edges", n->edges);
  for (int i = 0; i < 4; i++) {
    static const char *const name[] = { "moves", "loads", "stores", "red" };
    const int64_t value[] = { n->moves, n->loads, n->stores, n->red };
    if (w->s)
      json_put_int(&j, name[i], value[i]);
    else
      json_put_string(&j, name[i], NULL);
  }
  cli_json_asked(&j, a, w->s || w->wave ? &w->rules.m : NULL);
  cli_json_end(&j, "counted");
}

static cli_exit run(const cli_args *a)
{
  diag d = { 0 };
  report_drawing w = { 0 };
  report_drawn drawn = { 0 };
  report_picture how;
  cdag *g = NULL;
  schedule *s = NULL;
  scene marks = { 0 };
  report_wave wave = { 0 };
  SCOPED_TEXT bytes = { 0 };
  status st = cli_picture(a, &how, &d);
  if (st == OK)
    st = read_drawing(a, &w, &g, &s, &d);
  if (st == OK && a->value[CLI_WAVEFRONT]) {
    bound_question q = { .g = g, .m = w.rules.m, .variant = (int)w.rules.variant };
    st = report_wave_find(&q, &wave, &d);
    w.wave = &wave;
  }
  if (st == OK)
    st = report_draw(&w, &marks, &drawn, &d);
  bool picture = !a->json || (a->value[CLI_OUTPUT] && !cli_prints(a, CLI_OUTPUT));
  if (st == OK && picture)
    st = scene_draw(&marks, how, &bytes, &d);
  if (st == OK && picture)
    st = text_write(&bytes, a->value[CLI_OUTPUT], &d);
  if (st == OK && a->json)
    put_numbers(a, &w, &drawn);
  report_wave_clear(&wave);
  scene_clear(&marks);
  schedule_free(s);
  cdag_free(g);
  return st == OK ? EXIT_YES : cli_fail(a, st, &d);
}

static const cli_option_id options[] = { CLI_M,     CLI_MEMORY, CLI_WORD,    CLI_RULES,  CLI_ONE_SHOT,
                                         CLI_PARAM, CLI_AT,     CLI_SEGMENT, CLI_WAVEFRONT,
                                         CLI_OUTPUT, CLI_FORMAT, CLI_TITLE, CLI_WIDTH,  CLI_OPTIONS };
const cli_verb cli_verb_draw = {
  .name = "draw",
  .arguments = "SPEC [SCHED]",
  .least = 1,
  .most = 2,
  .summary = "draw a computation, and a play on it",
  .description =
      "The arrays with their vertices and edges: squares are inputs, double rims outputs. With SCHED the vertices are "
      "shaded in\n"
      "the order of their first computation, so that tiles are seen; --at MOVE draws the pebbles after so many moves;\n"
      "--segment T colours by the segment of T loads and stores in which each vertex is computed first.\n"
      "--wavefront draws what a wavefront bound rests on: a moment, the flow through it, and the cut.\n\n"
      "-o FILE.svg, .pdf, .png or .tex (TikZ source), or --format; SVG on standard output otherwise.\n"
      "A drawing shows at most 4000 vertices. The same command gives the same bytes. --json prints what is drawn in "
      "numbers.",
  .examples = "$ redblue draw matmul:m=3,n=3,k=3 -o cdag.svg\n"
              "$ redblue draw matmul:m=4,n=4,k=3 resident -M 12 -o order.pdf\n"
              "$ redblue draw pyramid:h=5 rows -M 8 --at 20 -o moment.tex\n"
              "$ redblue draw attention:n=4,d=2 attenio -M 12 --segment 12 -o segments.svg\n"
              "$ redblue draw pyramid:h=6 -M 4 --wavefront -o wavefront.svg",
  .options = options,
  .run = run,
};
