/* game.c -- rates of the element engine: rows, the plain path and the reference player on the same schedule, and moves
   on an explicit graph, played from memory and read as a list; memory of a graph read from a file.  Processor time. */
#include "base/mem.h"
#include "pebble/element/element.h"
#include "schedules/play/compact.h"
#include "tests/bench/bench.h"
#include "tests/support_player.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long kilobytes(void)
{
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_maxrss;
}

static void line(const char *what, double count, const char *unit, double seconds, double against)
{
  printf("%-34s %8.1f M %s/s   %8.3f s", what, count / seconds / 1e6, unit, seconds);
  if (against > 0)
    printf("   %6.2f times the reference player", against / seconds);
  puts("");
}

/* ---- attention ---- */

static bool play_box(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)at, (void)box, (void)slot;
  return pebble_play(context, move);
}

static double by_element(const schedule *s, uint64_t m, bool plain)
{
  pebble_game *game;
  pebble_rules rules = { .m = m };
  diag d;
  double start = now();
  if (!plain) { /* with the layout a schedule gets when it is played */
    schedule_verdict v;
    schedule_play_options o = { .rules = rules, .engine = PEBBLE_BY_ELEMENT };
    need(schedule_play(s, &o, &v, &d), &d);
    if (!v.verdict.legal)
      exit(1);
    schedule_verdict_clear(&v);
    return now() - start;
  }
  need(pebble_new(&game, s->g, PEBBLE_BY_ELEMENT, &rules, &d), &d);
  element_set_plain(game, true);
  need(schedule_each_move(s, play_box, game, &d), &d);
  if (!pebble_verdict_of(game)->legal)
    exit(1);
  pebble_free(game);
  return now() - start;
}

static double by_reference(const schedule *s, uint64_t m)
{
  cdag_graph graph = { 0 };
  player_list l = { 0 };
  diag d;
  need(cdag_materialise(s->g, 0, &graph, &d), &d);
  player_list_of(&l, s, &graph);
  double start = now();
  if (!player_play(&graph, PLAYER_PLACING, false, m, &l, NULL, NULL).legal)
    exit(1);
  double seconds = now() - start;
  player_list_clear(&l);
  cdag_graph_clear(&graph);
  return seconds;
}

static void attention(const char *spec, uint64_t m, bool all)
{
  cdag *g;
  schedule *s;
  diag d;
  need(cdag_open(&g, spec, &d), &d);
  need(schedule_open(&s, g, m, "attenio", &d), &d);
  long before = kilobytes();
  double rows = by_element(s, m, false), elements = (double)g->vertices;
  long after = kilobytes();
  double reference = all ? by_reference(s, m) : 0;
  printf("%s, M = %" PRIu64 ": %" PRIu64 " vertices\n", spec, m, g->vertices);
  line("  rows", elements, "elements", rows, reference);
  if (all) {
    line("  plain path", elements, "elements", by_element(s, m, true), reference);
    line("  reference player (moves in memory)", elements, "elements", reference, 0);
  } else
    printf("  memory                             %8.3f bytes a vertex\n", 1024.0 * (double)(after - before) / elements);
  schedule_free(s);
  cdag_free(g);
}

/* ---- an explicit graph ---- */

/* v reads v-1 and v-2, in order. */
static cdag *ladder(uint32_t n)
{
  cdag_graph graph = { 0 };
  cdag *g;
  diag d;
  uint32_t *from = MEM_NEW(uint32_t, 2 * (size_t)n), *to = MEM_NEW(uint32_t, 2 * (size_t)n);
  uint64_t m = 0;
  for (uint32_t v = 2; v < n; v++)
    for (uint32_t back = 1; back <= 2; back++) {
      from[m] = v - back;
      to[m++] = v;
    }
  need(cdag_graph_init(&graph, n, m, from, to, NULL, &d), &d);
  mem_free(from);
  mem_free(to);
  need(cdag_from_graph(&g, &graph, "ladder"), &d);
  return g;
}

static double steps(const cdag *g, const pebble_trace *t)
{
  pebble_game *game;
  pebble_rules rules = { .m = 3 };
  diag d;
  need(pebble_new(&game, g, PEBBLE_BY_ELEMENT, &rules, &d), &d);
  double start = now();
  if (pebble_play_steps(game, t->step, t->n) != t->n || !pebble_end(game))
    exit(1);
  double seconds = now() - start;
  pebble_free(game);
  return seconds;
}

static double from_list(const cdag *g, uint64_t m, const char *moves, size_t n)
{
  schedule_verdict v;
  schedule_play_options o = { .rules = { .m = m }, .engine = PEBBLE_BY_ELEMENT };
  diag d;
  FILE *in = fmemopen((void *)(uintptr_t)moves, n, "r");
  double start = now();
  need(schedule_play_stream(in, "list", g, &o, &v, &d), &d);
  double seconds = now() - start;
  if (!v.verdict.legal)
    exit(1);
  schedule_verdict_clear(&v);
  fclose(in);
  return seconds;
}

static void add(pebble_trace *t, player_list *l, text *moves, pebble_kind kind, uint32_t v)
{
  pebble_trace_add(t, kind, v);
  player_list_add(l, "lscde"[kind], v, NULL, 0);
  text_printf(moves, "%s v[%u]\n", pebble_kind_name(kind), v);
}

static void lists(uint32_t n)
{
  cdag *g = ladder(n);
  pebble_trace t = { 0 };
  player_list l = { 0 };
  text moves = { 0 };
  add(&t, &l, &moves, PEBBLE_LOAD, 0);
  add(&t, &l, &moves, PEBBLE_LOAD, 1);
  for (uint32_t v = 2; v < n; v++) {
    add(&t, &l, &moves, PEBBLE_COMPUTE, v);
    add(&t, &l, &moves, PEBBLE_DROP, v - 2);
  }
  add(&t, &l, &moves, PEBBLE_STORE, n - 1);
  double start = now();
  if (!player_play(g->graph, PLAYER_PLACING, false, 3, &l, NULL, NULL).legal)
    exit(1);
  double reference = now() - start;
  printf("explicit graph of %u vertices, %zu moves\n", n, t.n);
  line("  moves in memory", (double)t.n, "moves", steps(g, &t), reference);
  line("  moves read as text", (double)t.n, "moves", from_list(g, 3, moves.s, moves.n), 0);
  pebble_trace_clear(&t);
  player_list_clear(&l);
  text_clear(&moves);
  cdag_free(g);
}

/* ---- a list of an affine computation ---- */

typedef struct { const cdag *g; text list; compact_writer *compact; uint64_t moves; } telling;

static bool tell(void *context, const schedule_step *step)
{
  telling *t = context;
  schedule_step_text(&t->list, t->g, step);
  text_char(&t->list, '\n');
  compact_add(t->compact, step);
  t->moves++;
  return true;
}

static void product(const char *spec)
{
  cdag *g;
  schedule *s;
  diag d;
  pebble_rules rules = { .m = 4 };
  need(cdag_open(&g, spec, &d), &d);
  need(schedule_open(&s, g, rules.m, "naive", &d), &d);
  char *bytes;
  size_t n;
  FILE *to = open_memstream(&bytes, &n);
  telling t = { .g = g, .compact = compact_writer_new(to, g) };
  need(schedule_each_step(s, &rules, tell, &t, &d), &d);
  compact_writer_end(t.compact);
  fclose(to);
  printf("list of %s, %zu bytes; compact %zu\n", spec, t.list.n, n);
  double reference = by_reference(s, rules.m);
  line("  moves read as text", (double)t.moves, "moves", from_list(g, rules.m, t.list.s, t.list.n), reference);
  line("  moves read as bytes", (double)t.moves, "moves", from_list(g, rules.m, bytes, n), reference);
  free(bytes);
  text_clear(&t.list);
  schedule_free(s);
  cdag_free(g);
}

/* ---- a graph from a file, and its moves from another ---- */

static void write_files(uint32_t n, const char *graph, const char *moves)
{
  FILE *g = fopen(graph, "w"), *m = fopen(moves, "w");
  if (!g || !m)
    exit(1);
  fprintf(g, "%u %u\n", n, 2 * (n - 2));
  fprintf(m, "load v[0]\nload v[1]\n");
  for (uint32_t v = 2; v < n; v++) {
    fprintf(g, "%u %u\n%u %u\n", v - 1, v, v - 2, v);
    fprintf(m, "compute v[%u]\ndrop v[%u]\n", v, v - 2);
  }
  fprintf(m, "store v[%u]\n", n - 1);
  fclose(g);
  fclose(m);
}

static void play_files(const char *graph, const char *moves, uint32_t n)
{
  cdag *g;
  schedule_verdict v;
  schedule_play_options o = { .rules = { .m = 3 }, .engine = PEBBLE_BY_ELEMENT };
  diag d;
  need(cdag_open(&g, graph, &d), &d);
  FILE *in = fopen(moves, "r");
  need(schedule_play_stream(in, moves, g, &o, &v, &d), &d);
  if (!v.verdict.legal)
    exit(1);
  printf("graph file of %u vertices, two edges each, its moves streamed\n  memory                             %8.1f "
         "bytes a vertex, all in\n",
         n, 1024.0 * (double)kilobytes() / n);
  schedule_verdict_clear(&v);
  cdag_free(g);
  fclose(in);
}

/* In a process of its own: the most memory a program held is never less again. */
static void files(uint32_t n)
{
  int how = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child > 0 && (waitpid(child, &how, 0) != child || how != 0))
    exit(1);
  if (child != 0)
    return;
  char folder[] = "/tmp/redblue.bench.XXXXXX", graph[64], moves[64];
  if (!mkdtemp(folder))
    exit(1);
  snprintf(graph, sizeof graph, "%s/ladder.edges", folder);
  snprintf(moves, sizeof moves, "%s/ladder.moves", folder);
  write_files(n, graph, moves);
  play_files(graph, moves, n);
  remove(graph);
  remove(moves);
  remove(folder);
  exit(0);
}

int main(void)
{
  files(2000000);
  attention("attention:n=1024,d=64", 20480, false);
  attention("attention:n=128,d=32", 2048, true);
  lists(2000000);
  product("matmul:m=64,n=64,k=64");
  return 0;
}
