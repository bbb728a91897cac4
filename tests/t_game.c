/* t_game.c -- the element engine against the reference player: move lists legal and corrupted, random programs of
   boxes, each in all variants; and numbers known by hand. */
#include "base/mem.h"
#include "pebble/element/element.h"
#include "tests/support.h"
#include "tests/support_player.h"
#include "tests/support_program.h"
#include "tests/support_random_cdag.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- both players on one schedule ---- */

typedef struct { pebble_game *game; } playing;

static bool hand_on(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)at, (void)box, (void)slot;
  return pebble_play(((playing *)context)->game, move);
}

/* Every array's dimensions in some order of its own. */
static void lay_out(pebble_game *game, const cdag *g, uint64_t seed)
{
  support_random r = { seed };
  for (int a = 0; a < g->arrays; a++) {
    int order[CDAG_RANK] = { 0 };
    for (int q = 0; q < g->array[a].rank; q++) {
      int at = (int)support_between(&r, 0, q);
      order[q] = order[at];
      order[at] = q;
    }
    pebble_lay_out(game, a, order);
  }
}

static void same_pebbles(const pebble_game *game, const cdag *g, const char *pebbles, const char *what)
{
  for (uint32_t v = 0; v < g->vertices; v++) {
    cdag_element e;
    cdag_at(g, v, &e);
    int have = pebble_is_red(game, e.array, e.x) + 2 * pebble_is_blue(game, e.array, e.x);
    ck_assert_msg(have == pebbles[v], "vertex %u ends with %d, not %d\n%s", v, have, pebbles[v], what);
  }
}

/* pebbles: what the last position must be, or NULL */
static pebble_verdict engine_verdict(const schedule *s, const pebble_rules *rules, bool plain, const char *pebbles,
                                     const char *what)
{
  playing p;
  diag d = { 0 };
  ck_assert_int_eq(pebble_new(&p.game, s->g, PEBBLE_BY_ELEMENT, rules, &d), OK);
  element_set_plain(p.game, plain);
  if (!plain)
    lay_out(p.game, s->g, rules->m);
  ck_assert_int_eq(schedule_each_move(s, hand_on, &p, &d), OK);
  if (pebble_verdict_of(p.game)->legal)
    pebble_end(p.game);
  pebble_verdict v = *pebble_verdict_of(p.game);
  if (pebbles)
    same_pebbles(p.game, s->g, pebbles, what);
  pebble_free(p.game);
  return v;
}

static pebble_verdict stream_verdict(const cdag *g, const char *moves, const pebble_rules *rules, uint64_t *smallest)
{
  schedule_verdict v;
  diag d = { 0 };
  schedule_play_options o = { .rules = *rules, .engine = PEBBLE_BY_ELEMENT, .want_smallest = true };
  FILE *in = fmemopen((void *)(uintptr_t)moves, strlen(moves), "r");
  status st = schedule_play_stream(in, "list", g, &o, &v, &d);
  ck_assert_msg(st == OK, "%d:%d: %s", d.line, d.column, d.message);
  fclose(in);
  pebble_verdict w = v.verdict;
  *smallest = v.has_smallest ? v.smallest_memory : 0;
  schedule_verdict_clear(&v);
  return w;
}

static void same_element(const cdag *g, const cdag_element *e, uint32_t vertex, const char *what)
{
  if (vertex == UINT32_MAX)
    return;
  ck_assert_msg(cdag_id(g, e->array, e->x) == vertex, "%s: element %lu, not %u", what,
                (unsigned long)cdag_id(g, e->array, e->x), vertex);
}

static void agree(const cdag *g, const pebble_verdict *v, const player_verdict *w, const char *played)
{
  const char *rule = pebble_rule_name(v->rule);
  ck_assert_msg(v->legal == w->legal && (w->legal || strcmp(rule, w->rule) == 0), "rule %s, not %s (move %zu)\n%s",
                rule ? rule : "none", w->rule ? w->rule : "none", w->at, played);
  ck_assert_msg(v->loads == w->loads && v->stores == w->stores && v->computes == w->computes && v->peak == w->peak &&
                    v->needed == w->needed && v->moves == w->at && v->has_missing == (w->missing != UINT32_MAX),
                "%lu %lu %lu peak %lu needed %lu moves %lu, not %lu %lu %lu peak %lu needed %lu moves %zu\n%s",
                (unsigned long)v->loads, (unsigned long)v->stores, (unsigned long)v->computes, (unsigned long)v->peak,
                (unsigned long)v->needed, (unsigned long)v->moves, (unsigned long)w->loads, (unsigned long)w->stores,
                (unsigned long)w->computes, (unsigned long)w->peak, (unsigned long)w->needed, w->at, played);
  same_element(g, &v->element, w->vertex, played);
  same_element(g, &v->missing, w->missing, played);
}

/* Vertices by name of their array, then index. */
static const cdag *sorting;
static int by_name(const void *a, const void *b)
{
  uint32_t u = *(const uint32_t *)a, v = *(const uint32_t *)b;
  cdag_element x, y;
  cdag_at(sorting, u, &x);
  cdag_at(sorting, v, &y);
  int c = strcmp(sorting->array[x.array].name, sorting->array[y.array].name);
  return c ? c : u < v ? -1 : u > v;
}

static uint32_t *output_order(const cdag *g)
{
  uint32_t *order = MEM_NEW(uint32_t, g->vertices);
  for (uint32_t v = 0; v < g->vertices; v++)
    order[v] = v;
  sorting = g;
  qsort(order, g->vertices, sizeof *order, by_name);
  return order;
}

/* ---- numbers known by hand ---- */

static const char attenio[] =
    "param a = (M - d - 1) / (2*d + 2)\n"
    "for I in n by a { load Q[I,*] for j in nk { load K[j,*] compute S[I,j,*] dropping S drop K[j,*] compute P[I,j] "
    "dropping S\n"
    "compute L[I,j] dropping L load V[j,*] compute Z[I,*,j] dropping Z drop V[j,*], P[I,j] }\n"
    "drop Q[I,*] compute O[I,*] dropping Z drop L[I,nk-1] store O[I,*] drop O[I,*] }\n";

static const struct { uint64_t m, io, peak; } hand[] = {
  { 10, 288, 9 }, { 20, 160, 15 }, { 23, 128, 21 }, { 40, 96, 39 }, { 100, 64, 51 },
};

START_TEST(attention_by_hand)
{
  cdag *g;
  schedule *s;
  diag d = { 0 };
  pebble_rules rules = { .m = hand[_i / 2].m };
  ck_assert_msg(cdag_open(&g, "attention:n=8,d=2", &d) == OK, "%s", d.message);
  ck_assert_msg(schedule_parse(&s, g, rules.m, "attenio", attenio, "", &d) == OK, "%s", d.message);
  pebble_verdict v = engine_verdict(s, &rules, _i % 2, NULL, NULL);
  ck_assert(v.legal);
  ck_assert_uint_eq(v.loads + v.stores, hand[_i / 2].io);
  ck_assert_uint_eq(v.peak, hand[_i / 2].peak);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* theory: AttenIO at d=2, a=2, M=18 is one word short when placing, and fits when sliding */
START_TEST(one_word_short)
{
  cdag *g;
  schedule *s;
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, "attention:n=4,d=2", &d), OK);
  for (uint64_t m = 1; m < 40; m++)
    for (int variant = PEBBLE_PLACING; variant <= PEBBLE_SLIDING; variant++) {
      pebble_rules rules = { .m = m, .variant = (pebble_variant)variant };
      ck_assert_int_eq(schedule_parse(&s, g, m, "attenio", attenio, "a=2", &d), OK);
      pebble_verdict v = engine_verdict(s, &rules, false, NULL, NULL);
      ck_assert_uint_eq(v.legal, m >= (variant == PEBBLE_SLIDING ? 14 : 15));
      schedule_free(s);
    }
  cdag_free(g);
}
END_TEST

/* ---- random programs ---- */

static const struct { const char *spec, *source;
} computations[] = {
  { "attention:n=3,d=2", NULL },
  { "attention:n=4,d=3,nk=2", NULL },
  { "attention-causal:n=4,d=2", NULL },
  { "attention-backward:n=2,d=2", NULL },
  { "matmul:m=3,n=4,k=3", NULL },
  { "matmul:m=2,n=3,k=5,acc=1", NULL },
  { "attention-online:n=4,d=2,b=3", NULL },
  { "mlp:m=2,k=2,h=3,n=2", NULL },
  { "attention-lowrank:n=3,d=2,r=3", NULL },
  { "attention-sparse:n=4,d=2,b=2", NULL },
  { "w=5,t=4", "param w t\ninput A[s:t+1, i:w] = A[s-1,i-1], A[s-1,i], A[s-1,i+1]\noutput A[t,*]\n" },
  { "r=4,c=5", "param r c\ninput a[r,1], b[1,c]\noutput G[i:r, j:c] = G[i-1,j], G[i,j-1], a[i,j], b[i,j]\n" },
  { "n=40", "param n\ninput x[n]\nF[i:n] = F[i-1], F[i-2], x[i]\noutput F[n-1]\n" }, /* a lag of two */
  { "n=30", "param n\ninput x[n]\nG[i:n] = G[i-2], x[i]\noutput G[n-1], G[n-2]\n" }, /* two chains, interleaved */
  { "n=7", "param n\ninput x[n]\nH[i:n, j:2] = H[i,j-1], H[i-1,j], x[i]\noutput H[4,*], H[2..4,1]\n" },
  { "n=5", "param n\ninput x[n,n]\nR[i:n] = x[i,*]\nC[j:n] = x[1..3,j], R[j]\noutput R[*], C[*]\n" },
  { "n=6", "param n\ninput x[2*n]\ntable p[n] = 3, 1, 4, 1, 5, 9\noutput Y[i:n] = x[2*i+1], x[p[i]], x[n-i]\n" },
  { "n=5", "param n\ninput x[i:n, j:i+1]\nT[i:n, j:i+1, k:n-j] = T[i,j,k-1], x[i,j], x[i,j-1]\noutput T[i:n,*,0]\n" },
  { "n=70", "param n\ninput x[2,n]\nS[i:2, j:n] = S[i,j-1], x[i,j]\nU[i:2, j:n] = S[i,n-1], x[i,j]\noutput V[j:n] = "
            "U[0,j], U[1,j], V[j-1]\n" },
};

static cdag *computation(int i)
{
  cdag *g = NULL;
  diag d = { 0 };
  status st = computations[i].source ? cdag_parse(&g, "text", computations[i].source, computations[i].spec, &d)
                                     : cdag_open(&g, computations[i].spec, &d);
  ck_assert_msg(st == OK, "%s: %d:%d: %s", computations[i].spec, d.line, d.column, d.message);
  return g;
}

static pebble_rules rules_of(uint64_t seed, uint64_t m)
{
  return (pebble_rules){ .variant = seed % 5 == 4 ? PEBBLE_PARTIAL
                                    : seed % 2    ? PEBBLE_SLIDING
                                                  : PEBBLE_PLACING,
                         .one_shot = seed % 3 == 0,
                         .m = m };
}

static void one_program(const cdag *g, const cdag_graph *graph, const uint32_t *order, const char *program,
                        uint64_t seed)
{
  schedule *s;
  diag d = { 0 };
  player_list l = { 0 };
  pebble_rules rules = rules_of(seed, INT64_MAX);
  if (schedule_parse(&s, g, 0, "program", program, "", &d) != OK)
    ck_abort_msg("%d:%d: %s\n%s", d.line, d.column, d.message, program);
  char *pebbles = MEM_NEW(char, graph->n);
  player_list_of(&l, s, graph);
  for (int round = 0; round < 3; round++) {
    bool one_shot = rules.one_shot || rules.variant == PEBBLE_PARTIAL;
    player_verdict w = player_play(graph, (int)rules.variant, one_shot, rules.m, &l, order, pebbles);
    for (int plain = 0; plain < 2; plain++) {
      pebble_verdict v = engine_verdict(s, &rules, plain, pebbles, program);
      agree(g, &v, &w, program);
    }
    rules.m = w.peak > (uint64_t)round ? w.peak - (uint64_t)round : 0; /* then just enough, then one too few */
  }
  mem_free(pebbles);
  player_list_clear(&l);
  schedule_free(s);
}

static void programs_on(const cdag *g, uint64_t seed, int programs)
{
  cdag_graph graph = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(cdag_materialise(g, 0, &graph, &d), OK);
  uint32_t *order = output_order(g);
  for (int k = 0; k < programs; k++) {
    text t = { 0 };
    support_random_program(&t, g, seed * 1000 + (uint64_t)k);
    one_program(g, &graph, order, text_str(&t), seed + (uint64_t)k);
    text_clear(&t);
  }
  mem_free(order);
  cdag_graph_clear(&graph);
}

START_TEST(random_programs)
{
  cdag *g = computation(_i % COUNT(computations));
  programs_on(g, (uint64_t)_i, 25);
  cdag_free(g);
}
END_TEST

START_TEST(random_computations)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .plain = _i % 2 };
  cdag *g = support_random_cdag(&r, &o, NULL);
  programs_on(g, (uint64_t)_i, 4);
  cdag_free(g);
}
END_TEST

/* Rows in which what one element does matters to another, written out. */
static const struct { const char *assign, *source, *program;
} rows[] = {
  { "n=8", "param n\ninput x[n], y[n]\noutput R[i:n] = x[i], y[i]\n",
    "load x[*], y[*] compute R[*] dropping x[0..2], x[4..6], y[1..3] drop x[2..4], x[6..8], y[0], y[3..8] store R[*]" },
  { "n=8", "param n\ninput x[n], y[n]\noutput R[i:n] = x[i], y[i]\n",
    "load x[*], y[*] compute R[*] dropping x[0..4], x[4..8] store R[*]" },
  { "n=8", "param n\ninput x[n]\noutput R[i:n] = x[0], x[i]\n", "load x[*] compute R[*] dropping x[1..8] store R[*]" },
  { "n=8", "param n\ninput x[n]\noutput R[i:n] = x[0], x[i]\n", "load x[*] compute R[*] dropping x" },
  { "n=8", "param n\ninput x[n]\noutput R[i:n] = x[n-1], x[i]\n", "load x[*] compute R[*] dropping x store R[*]" },
  { "n=8", "param n\ninput x[n]\noutput R[i:n] = x[i], x[n-1-i]\n", "load x[*] compute R[*] dropping x[0..4]" },
  { "n=8", "param n\ninput x[n]\noutput R[i:n] = R[i-3], x[i]\n",
    "load x[*] compute R[0..3] compute R[3..8] dropping R store R[5..8]" },
  { "n=8", "param n\ninput x[n]\noutput R[i:n] = R[i-1], x[i]\n",
    "load x[*] compute R[0..3] dropping R compute R[3..8] dropping R[0..5], x" },
  { "n=8", "param n\ninput x[n]\noutput R[i:n] = R[i-1], R[i-2], x[i]\n",
    "load x[*] compute R[*] dropping R[0..1], x store R[*]" },
  { "n=8", "param n\ninput x[n,2]\nR[i:n] = x[i,*]\noutput R[*]\n",
    "load x[*,*] compute R[*] dropping x[*,1] drop x[*,0] store R[*]" },
};

START_TEST(rows_by_hand)
{
  cdag *g;
  cdag_graph graph = { 0 };
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "rows", rows[_i].source, rows[_i].assign, &d) == OK, "%s", d.message);
  ck_assert_int_eq(cdag_materialise(g, 0, &graph, &d), OK);
  uint32_t *order = output_order(g);
  for (uint64_t seed = 0; seed < 6; seed++)
    one_program(g, &graph, order, rows[_i].program, seed);
  mem_free(order);
  cdag_graph_clear(&graph);
  cdag_free(g);
}
END_TEST

/* ---- lists on graphs, and what one wrong move does ---- */

static void print_list(text *t, const player_list *l)
{
  static const char *const words[] = { "load", "store", "compute", "drop", "erase" };
  for (size_t i = 0; i < l->n; i++) {
    const player_move *m = &l->move[i];
    text_printf(t, "%s v[%u]", words[strchr("lscde", m->kind) - "lscde"], m->vertex);
    for (uint32_t k = 0; k < m->drops; k++)
      text_printf(t, "%sv[%u]", k ? ", " : " dropping ", m->drop[k]);
    text_char(t, '\n');
  }
}

static void judge_list(const cdag *g, const pebble_rules *rules, const player_list *l)
{
  text t = { 0 };
  uint64_t smallest = 0;
  bool one_shot = rules->one_shot || rules->variant == PEBBLE_PARTIAL;
  print_list(&t, l);
  player_verdict w = player_play(g->graph, (int)rules->variant, one_shot, rules->m, l, NULL, NULL);
  pebble_verdict v = stream_verdict(g, text_str(&t), rules, &smallest);
  agree(g, &v, &w, text_str(&t));
  if (v.rule == PEBBLE_MEMORY) {
    player_verdict u = player_play(g->graph, (int)rules->variant, one_shot, UINT64_MAX, l, NULL, NULL);
    ck_assert_uint_eq(smallest, u.legal ? u.peak : 0);
  } else
    ck_assert_uint_eq(smallest, 0);
  text_clear(&t);
}

/* The partial game on 0 -> 3, 1 -> 3, 2 -> 3, 3 -> 4: moves as letter and vertex, and what comes of them. */
static const struct { const char *moves, *rule; uint64_t m, io, peak;
} partial[] = {
  { "l0 c3 d0 l1 c3 d1 l2 c3 d2 c4 d3 s4", NULL, 2, 4, 2 },
  { "l2 c3 d2 l0 c3 d0 l1 c3 d1 c4 s4", NULL, 2, 4, 2 }, /* any order */
  { "l0 l1 c3 d0 d1 l2 c3 c4 s4", NULL, 3, 4, 3 },       /* two edges at once */
  { "l0 l1 l2 c3 c4 s4", "memory", 3, 3, 3 },
  { "l0 c3 s3 d3 d0 l1 l3 c3 s3 l2 c3 c4 s4", NULL, 4, 7,
    4 },                                           /* an unfinished value goes out and comes back; copies get stale */
  { "l0 c3 s3 l1 c3 d3 l3", "not blue", 3, 3, 3 }, /* the copy was stale, so it went */
  { "l0 c3 s3 l1 s3", "already blue", 3, 3, 3 },
  { "l0 c3 d3 l1 c3", "recompute", 3, 2, 2 },    /* what was gathered is lost */
  { "l0 c3 s3 d3 l1 c3", "recompute", 3, 3, 2 }, /* it must be red to go on */
  { "l0 c3 c4", "predecessor", 9, 1, 2 },        /* unfinished values are not read */
  { "l0 c3 c3", "predecessor", 9, 1, 2 },        /* nothing more to gather */
  { "l0 l1 l2 c3 c3", "already red", 9, 3, 4 },
  { "l0 l1 l2 c3 d3 c3", "recompute", 9, 3, 4 },
  { "l0 c0", "input", 9, 1, 1 },
  { "l0 c3", "output", 9, 1, 2 },
};

static void list_of_letters(player_list *l, const char *moves)
{
  for (; *moves; moves += moves[2] ? 3 : 2)
    player_list_add(l, moves[0], (uint32_t)(moves[1] - '0'), NULL, 0);
}

START_TEST(partial_by_hand)
{
  static const uint32_t from[] = { 0, 1, 2, 3 }, to[] = { 3, 3, 3, 4 };
  cdag_graph graph = { 0 };
  cdag *g;
  diag d = { 0 };
  player_list l = { 0 };
  pebble_rules rules = { .variant = PEBBLE_PARTIAL, .m = partial[_i].m };
  ck_assert_int_eq(cdag_graph_init(&graph, 5, 4, from, to, NULL, &d), OK);
  ck_assert_int_eq(cdag_from_graph(&g, &graph, "star"), OK);
  list_of_letters(&l, partial[_i].moves);
  player_verdict w = player_play(g->graph, PLAYER_PARTIAL, true, rules.m, &l, NULL, NULL);
  ck_assert_str_eq(w.rule ? w.rule : "", partial[_i].rule ? partial[_i].rule : "");
  ck_assert_uint_eq(w.loads + w.stores, partial[_i].io);
  ck_assert_uint_eq(w.peak, partial[_i].peak);
  judge_list(g, &rules, &l);
  player_list_clear(&l);
  cdag_free(g);
}
END_TEST

static cdag *random_graph(uint64_t seed)
{
  cdag_graph graph = { 0 };
  cdag *g;
  diag d = { 0 };
  support_random r = { seed };
  int64_t n = support_between(&r, 4, 14);
  ck_assert_int_eq(cdag_graph_random(&graph, n, (int64_t)seed, support_between(&r, 1, 3), (int64_t)(seed % 2), &d), OK);
  ck_assert_int_eq(cdag_from_graph(&g, &graph, "random"), OK);
  return g;
}

static uint64_t in_degree(const cdag_graph *g)
{
  uint64_t most = 0;
  for (uint32_t v = 0; v < g->n; v++)
    if (g->pred_at[v + 1] - g->pred_at[v] > most)
      most = g->pred_at[v + 1] - g->pred_at[v];
  return most;
}

static void swap_moves(player_list *l, size_t i, size_t j)
{
  player_move m = l->move[i];
  l->move[i] = l->move[j];
  l->move[j] = m;
}

/* Every way to spoil move i of the legal list: delete, duplicate, swap with the next, another kind, another vertex, no
 * drop. */
static void corrupt(const cdag *g, const pebble_rules *rules, const player_list *legal, size_t i)
{
  static const char kinds[] = "lscde";
  for (int how = 0; how < 10; how++) {
    player_list l = { 0 };
    player_list_copy(&l, legal);
    if (how == 0)
      player_list_remove(&l, i);
    else if (how == 1) {
      player_move m = l.move[i];
      player_list_add(&l, m.kind, m.vertex, m.drop, m.drops);
      for (size_t k = l.n - 1; k > i + 1; k--)
        swap_moves(&l, k, k - 1);
    } else if (how == 2 && i + 1 < l.n)
      swap_moves(&l, i, i + 1);
    else if (how >= 3 && how < 8) {
      l.move[i].kind = kinds[how - 3];
      if (l.move[i].kind != 'c')
        mem_free(l.move[i].drop), l.move[i].drop = NULL, l.move[i].drops = 0;
    } else if (how == 8)
      l.move[i].vertex = (l.move[i].vertex + 1) % g->graph->n;
    else
      l.move[i].drops = 0;
    judge_list(g, rules, &l);
    player_list_clear(&l);
  }
}

START_TEST(corrupted_lists)
{
  cdag *g = random_graph((uint64_t)_i);
  player_list l = { 0 };
  uint64_t m = in_degree(g->graph) + 1 + (uint64_t)_i % 3;
  player_random_legal(&l, g->graph, m, _i % 2, (uint64_t)_i);
  pebble_rules rules = { .m = m, .one_shot = true };
  player_verdict w = player_play(g->graph, _i % 2 ? PLAYER_SLIDING : PLAYER_PLACING, true, m, &l, NULL, NULL);
  ck_assert_msg(w.legal, "the list is not legal: %s", w.rule);
  for (int variant = 0; variant < 3; variant++) {
    rules.variant = (pebble_variant)variant;
    rules.one_shot = _i % 3 == 0;
    rules.m = m - (uint64_t)(_i / 3 % 2);
    judge_list(g, &rules, &l);
    for (size_t i = 0; i < l.n; i++)
      corrupt(g, &rules, &l, i);
  }
  player_list_clear(&l);
  cdag_free(g);
}
END_TEST

/* Moves to no purpose reach positions that no schedule would: stale copies, spent edges, erased inputs. */
START_TEST(random_walks)
{
  cdag *g = random_graph((uint64_t)_i);
  for (int variant = 0; variant < 3; variant++) {
    player_list l = { 0 };
    schedule *s;
    diag d = { 0 };
    text t = { 0 };
    pebble_rules rules = { .variant = (pebble_variant)variant,
                           .one_shot = _i % 3 == 0,
                           .m = in_degree(g->graph) + (uint64_t)_i % 3 };
    player_random_walk(&l, g->graph, variant, rules.one_shot || variant == PLAYER_PARTIAL, rules.m, 60, (uint64_t)_i);
    judge_list(g, &rules, &l);
    print_list(&t, &l);
    ck_assert_int_eq(schedule_parse(&s, g, 0, "walk", text_str(&t), "", &d), OK);
    char *pebbles = MEM_NEW(char, g->graph->n);
    player_verdict w =
        player_play(g->graph, variant, rules.one_shot || variant == PLAYER_PARTIAL, rules.m, &l, NULL, pebbles);
    pebble_verdict v = engine_verdict(s, &rules, false, pebbles, text_str(&t));
    agree(g, &v, &w, text_str(&t));
    mem_free(pebbles);
    schedule_free(s);
    text_clear(&t);
    player_list_clear(&l);
  }
  cdag_free(g);
}
END_TEST

/* ---- what an engine cannot hold is refused with a sentence ---- */

static const struct {
  const char *spec;
  pebble_engine engine;
  pebble_variant variant;
  status st;
  const char *says;
} beyond[] = {
  { "tree:h=2", PEBBLE_BY_TILE, PEBBLE_PLACING, BAD_INPUT, "explicit graph" },
  { "dot:k=3", PEBBLE_BY_TILE, PEBBLE_PARTIAL, BAD_INPUT, "partial game" },
  { "attention:n=1000000,d=4000", PEBBLE_BY_ELEMENT, PEBBLE_PLACING, GAVE_UP, "too many elements" },
};

START_TEST(refusals)
{
  cdag *g = NULL;
  pebble_game *game = NULL;
  pebble_rules rules = { .variant = beyond[_i].variant, .m = 10 };
  diag d = { 0 };
  ck_assert_msg(cdag_open(&g, beyond[_i].spec, &d) == OK, "%s", d.message);
  ck_assert_int_eq(pebble_new(&game, g, beyond[_i].engine, &rules, &d), beyond[_i].st);
  ck_assert_ptr_null(game);
  ck_assert_msg(strstr(d.message, beyond[_i].says), "%s", d.message);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("game");
  TCase *c = support_case(s, "game");
  tcase_add_loop_test(c, refusals, 0, COUNT(beyond));
  tcase_add_loop_test(c, attention_by_hand, 0, 2 * COUNT(hand));
  tcase_add_test(c, one_word_short);
  tcase_add_loop_test(c, rows_by_hand, 0, COUNT(rows));
  tcase_add_loop_test(c, random_programs, 0, support_rounds(3 * COUNT(computations)));
  tcase_add_loop_test(c, random_computations, 0, support_rounds(150));
  tcase_add_loop_test(c, partial_by_hand, 0, COUNT(partial));
  tcase_add_loop_test(c, corrupted_lists, 0, support_rounds(60));
  tcase_add_loop_test(c, random_walks, 0, support_rounds(150));
  return support_run(s);
}
