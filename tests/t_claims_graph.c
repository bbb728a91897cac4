/* Claims of the theorems that hold for any graph, made by hand: the checker's functions are asked directly, about
   graphs, and descriptions that are written out. */
#include "base/json_read.h"
#include "bounds/checker.h"
#include "bounds/check/reading/graph.h"
#include "tests/support.h"
#include <string.h>

#define FFT2 "input x[2,2]\ny[a:2,b:2] = x[a,0], x[a,1]\nz[a:2,b:2] = y[0,b], y[1,b]\n" /* of two levels */
#define DEAD FFT2 "output z[0,*], z[1,0]\n"              /* the last vertex, 11, does not matter */
#define FLOW(x, flow, red, arcs)                                                                                       \
  "{\"compulsory\":7,\"chain\":[],\"waves\":[{\"x\":" x ",\"after\":0,\"interval\":0,\"flow\":" flow ",\"red\":" red   \
  ",\"along\":[" arcs "],\"against\":[]}]}"
#define WAVE(x, arcs) FLOW(x, "0", "0", arcs)
#define ORDER(order, steps) "{\"runs\":2,\"halved\":0,\"order\":[" order "],\"steps\":[" steps "]}"
/* Numbers that are added to one vertex, 1 for each; at 1 + 2^-46 their pivots are 2^-46, and that of the sum 2^46 for
 * each. */
#define STAR(k) "input x[" #k "]\ny[i:1] = x[*]\noutput y[0]\n"
#define STAR_ORDER(n, order, below)                                                                                    \
  "{\"runs\":" #n ",\"halved\":0,\"order\":[" order "],\"steps\":[" #below ",1099511627776]}"
#define PIECES(compulsory, list) "{\"compulsory\":" compulsory ",\"pieces\":[" list "]}"
#define GRID(excess, vertices) "{\"excess\":" excess ",\"vertices\":[" vertices "]}"
#define UPPER "0,1,2,3,4,5"
#define ALL "0,1,2,3,4,5,6,7,8"
/* Why a claim is refused, or NULL, and then the value that follows, if not 0.  A spec of several lines is a text. */
typedef struct {
  const char *spec;
  int64_t m;
  const char *theorem, *parameters, *reason;
  long value;
} claim_by_hand;

static const claim_by_hand by_hand[] = {
  { "dot:k=9000000000", 5, "wavefront", "{}", "", 0 },
  { "dot:k=9000000000", 5, "spectral", "{}", "", 0 },
  { "dot:k=9000000000", 5, "fft-segments", "{\"counted\":\"loads\",\"levels\":3}", "", 0 },
  { "fft:l=2", 1, "wavefront",
    "{\"compulsory\":8,\"chain\":[],\"waves\":[{\"x\":5,\"after\":0,\"interval\":0,\"flow\":0,\"red\":0,\"along\":[],"
    "\"against\":[]}]}",
    "cannot be computed with this memory", 0 },
  { "fft:l=2", 4, "wavefront",
    "{\"compulsory\":8,\"chain\":[],\"waves\":[{\"x\":5,\"after\":0,\"interval\":0,\"flow\":0,\"red\":0,\"along\":[],"
    "\"against\":[]}]}",
    "do not have the sum", 0 },
  { "fft:l=2", 4, "wavefront",
    "{\"compulsory\":8,\"chain\":[],\"waves\":[{\"x\":5,\"after\":1,\"interval\":0,\"flow\":0,\"red\":0,\"along\":[],"
    "\"against\":[]}]}",
    "lacks a number", 0 },
  { "fft:l=2", 4, "wavefront",
    "{\"compulsory\":8,\"chain\":[],\"waves\":[{\"x\":1,\"after\":0,\"interval\":0,\"flow\":0,\"red\":0,\"along\":[],"
    "\"against\":[]}]}",
    "is never computed", 0 },
  { "fft:l=2", 99, "fft-segments", "{\"counted\":\"loads\",\"levels\":2,\"T\":1,\"first\":0,\"later\":8}", NULL, 0 },
  { "fft:l=2", 1, "fft-segments", "{\"counted\":\"loads\",\"levels\":2,\"T\":8,\"first\":8,\"later\":8}",
    "one segment may compute everything", 0 },
  { "fft:l=2", 1, "fft-segments", "{\"counted\":\"loads\",\"levels\":2,\"T\":\"1\",\"first\":0,\"later\":0}",
    "not three numbers", 0 },
  { "fft:l=2", 1, "fft-segments", "{\"counted\":\"loads\",\"levels\":2,\"T\":0,\"first\":0,\"later\":0}",
    "not three numbers", 0 },
  { "fft:l=2", 1, "fft-segments", "{\"counted\":\"loads\",\"levels\":2,\"T\":9,\"first\":8,\"later\":8}",
    "not three numbers", 0 },
  { "fft:l=2", 1, "fft-segments", "{\"counted\":\"loads\",\"levels\":2,\"T\":1,\"later\":0}", "not three numbers", 0 },
  { "fft:l=2", 1, "fft-segments", "{\"counted\":\"loads\",\"levels\":2,\"T\":1,\"first\":0}", "not three numbers", 0 },
  { "fft:l=2", 1, "fft-segments", "{\"counted\":\"loads\",\"levels\":2,\"T\":1,\"first\":1,\"later\":0}",
    "at most 0 vertices, a later one 0", 0 },
  { "fft:l=2", 1, "fft-segments", "{\"counted\":\"loads\",\"levels\":2,\"T\":1,\"first\":0,\"later\":1}",
    "at most 0 vertices, a later one 0", 0 },
  { "fft:l=2", INT64_MAX, "fft-segments-one-shot", "{\"levels\":2,\"T\":1,\"first\":0,\"later\":8}", NULL, 0 },
  { "fft:l=2", 1, "fft-segments", "{\"counted\":\"loads\",\"levels\":2,\"T\":1,\"first\":0,\"later\":0}",
    "one segment may compute everything", 0 },
  { "dot:k=2", 1, "fft-segments", "{\"counted\":\"loads\",\"levels\":2}", "not an FFT graph", 0 },
  { "fft:l=2", 3, "fft-segments", "{\"counted\":\"loads\",\"levels\":1}", "not an FFT graph", 0 },
  { "fft:l=2", 3, "fft-segments", "{\"counted\":\"loads\",\"levels\":\"2\"}", "is missing", 0 },
  { "fft:l=1", 3, "fft-segments", "{\"counted\":\"loads\",\"levels\":1,\"T\":1,\"first\":0,\"later\":2}", NULL, 0 },
  { "fft:l=2", 99, "fft-segments", "{\"levels\":2,\"T\":1,\"first\":0,\"later\":8}", "neither loads nor moves", 0 },
  { "fft:l=2", 3, "fft-segments", "{\"levels\":2,\"counted\":\"stores\",\"T\":1,\"first\":0,\"later\":2}",
    "neither loads nor moves", 0 },
  { "fft:l=2", 3, "fft-segments", "{\"levels\":2,\"counted\":\"moves\",\"T\":1,\"first\":2,\"later\":6}", NULL, 2 },
  { "fft:l=2", 3, "fft-segments", "{\"levels\":2,\"counted\":\"moves\",\"T\":1,\"first\":3,\"later\":6}",
    "at most 2 vertices, a later one 6", 0 },
  { "fft:l=2", 4, "fft-segments", "{\"levels\":2,\"counted\":\"moves\",\"T\":8,\"first\":8,\"later\":8}",
    "one segment may compute everything", 0 },
  { "fft:l=2", 5, "fft-segments", "{\"levels\":2,\"counted\":\"moves\",\"T\":1,\"first\":3,\"later\":8}",
    "more words than lanes", 0 },
  { "input x[2]\ny[i:2] = x[0], x[1]\noutput y[*]\n", 3, "fft-segments",
    "{\"counted\":\"loads\",\"levels\":1,\"T\":1,\"first\":0,\"later\":2}", NULL, 0 },
  { "input x[2]\ny[i:2] = x[0], x[1]\noutput y[0]\n", 3, "fft-segments",
    "{\"counted\":\"loads\",\"levels\":1,\"T\":1,\"first\":0,\"later\":2}", "not an FFT graph", 0 },
  { FFT2 "output z[*,*]\n", 3, "spectral-boundaries", "{\"runs\":2,\"halved\":0,\"levels\":2,\"steps\":[1,1]}", NULL,
    0 },
  { FFT2 "output z[0,*], z[1,0]\n", 3, "spectral-boundaries", "{\"runs\":2,\"halved\":0,\"levels\":2,\"steps\":[1,1]}",
    "not an FFT graph", 0 },
  { FFT2 "output z[*,*], y[0,0]\n", 3, "spectral-boundaries", "{\"runs\":2,\"halved\":0,\"levels\":2,\"steps\":[1,1]}",
    "not an FFT graph", 0 },
  { FFT2 "output z[0,*], z[1,0], y[0,0]\n", 3, "spectral-boundaries",
    "{\"runs\":2,\"halved\":0,\"levels\":2,\"steps\":[1,1]}", "not an FFT graph", 0 },
  { FFT2 "output y[*,*]\n", 3, "spectral", "{\"runs\":0,\"halved\":0,\"steps\":[]}", NULL, 4 },
  { FFT2 "output y[*,*], z[*,*]\n", 3, "spectral", "{\"runs\":0,\"halved\":0,\"steps\":[]}", NULL, 4 },
  { FFT2 "output y[*,*], z[0,0]\n", 3, "spectral", "{\"runs\":0,\"halved\":0,\"steps\":[]}", NULL, 3 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "1,1"), NULL, 3 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10,11", "1,1"), "does not name the 11", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,11", "1,1"), "names a vertex twice, or one", 0 },
  { DEAD, 3, "spectral",
    "{\"runs\":2,\"halved\":0,\"order\":{\"v0\":0,\"v1\":1,\"v2\":2,\"v3\":3,\"v4\":4,\"v5\":5,\"v6\":6,\"v7\":7,"
    "\"v8\":8,\"v9\":9,\"v10\":10},\"steps\":[1,1]}",
    "does not name the 11", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,12", "1,1"), "names a vertex twice, or one", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,9", "1,1"), "names a vertex twice, or one", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,-1", "1,1"), "names a vertex twice, or one", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,\"10\"", "1,1"), "names a vertex twice, or one", 0 },
  /* the second eigenvalue is 0.382, and would be another if edges to the dead vertex were counted */
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "1,406819302277"), NULL, 3 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "1,422212465065"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "0,54975581388"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "0,1"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "1,1,1,2"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "-1,1"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "2,1"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "18446744073709551617,1"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "1,0"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "1,-1"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "1,18446744073709551617"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "1,\"1\""), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "\"1\",1"), "a step does not hold", 0 },
  { DEAD, 3, "spectral", ORDER("0,1,2,3,4,5,6,7,8,9,10", "1"), "not a list of pairs", 0 },
  { DEAD, 3, "spectral", "{\"runs\":-1,\"halved\":0,\"steps\":[]}", "out of range", 0 },
  { DEAD, 3, "spectral", "{\"runs\":12,\"halved\":0,\"steps\":[]}", "out of range", 0 },
  { DEAD, 3, "spectral", "{\"runs\":\"1\",\"halved\":0,\"steps\":[]}", "out of range", 0 },
  { DEAD, 3, "spectral", "{\"runs\":11,\"halved\":0,\"steps\":[]}", NULL, 3 },
  { DEAD, 3, "spectral", "{\"runs\":0,\"halved\":-1,\"steps\":[]}", "out of range", 0 },
  { DEAD, 3, "spectral", "{\"runs\":0,\"halved\":2,\"steps\":[]}", "out of range", 0 },
  { DEAD, 3, "spectral", "{\"runs\":0,\"halved\":\"0\",\"steps\":[]}", "out of range", 0 },
  { DEAD, 3, "spectral", "{\"runs\":0,\"halved\":1,\"steps\":[]}", "not in the published", 0 },
  { DEAD, 3, "spectral-boundaries", "{\"runs\":0,\"halved\":1,\"steps\":[]}", NULL, 7 },
  { DEAD, 3, "spectral", "{\"runs\":0,\"halved\":0,\"steps\":{}}", "not a list of pairs", 0 },
  { DEAD, 3, "spectral", "{\"runs\":0,\"halved\":0}", "not a list of pairs", 0 },
  { STAR(2), 3, "spectral", STAR_ORDER(3, "0,1,2", 2), NULL, 0 },
  { STAR(3), 3, "spectral", STAR_ORDER(4, "0,1,2,3", 3), "a step does not hold", 0 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", GRID("4", ALL)), NULL, 6 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", GRID("3", ALL)), NULL, 5 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", ""), NULL, 2 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("3", GRID("4", ALL)), "make 2 compulsory moves", 0 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", GRID("5", ALL)), "9 vertices has a way of excess 4", 0 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", GRID("1", UPPER) "," GRID("1", "6,7,8")),
    "3 vertices has a way of excess 0", 0 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", GRID("1", UPPER)), NULL, 3 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", GRID("0", ALL)), "lacks its excess", 0 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", "{\"excess\":4,\"vertices\":[" ALL "],\"more\":1}"),
    "lacks its excess", 0 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", "{\"excess\":4,\"vertices\":9}"), "no list of vertices", 0 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", GRID("4", "0,1,9")), "stands in two", 0 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", GRID("4", "-1,0,1")), "stands in two", 0 },
  { "grid:r=3,c=3", 3, "pieces", PIECES("2", GRID("1", UPPER) "," GRID("1", "7,5")), "stands in two", 0 },
  { "grid:r=3,c=3", 2, "pieces", PIECES("2", GRID("4", ALL)), "cannot be computed with this memory", 0 },
  { "grid:r=3,c=3", 3, "pieces", "{\"compulsory\":2}", "no list of pieces", 0 },
  { "grid:r=3,c=3", 3, "pieces", "{\"compulsory\":2,\"pieces\":[],\"more\":1}", "something beside it", 0 },
  { DEAD, 3, "pieces", PIECES("7", GRID("1", "11,9")), "does not matter", 0 },
  { STAR(513), 600, "pieces", PIECES("514", GRID("1", "513,0")), "a way of excess 0", 0 },
  { "input x[1]\ny[i:513] = x[0]\noutput y[*]\n", 3, "pieces", PIECES("514", GRID("1", "0")),
    "more than 512 vertices", 0 },
  { DEAD, 4, "wavefront", WAVE("11", ""), "is never computed", 0 },
  { DEAD, 4, "wavefront", WAVE("10", "7,11,1"), "no edge to a vertex that matters", 0 },
  { DEAD, 4, "wavefront", WAVE("4", "2,6,1"), "springs up at 2", 0 },
  { DEAD, 4, "wavefront", WAVE("4", "0,5,1"), "ends at 5", 0 },
  { DEAD, 4, "wavefront", WAVE("4", "0,4,1"), "may carry 1", 0 },
  { DEAD, 4, "wavefront", FLOW("4", "0", "1", "0,4,1"), "the flow at 4 is 1", 0 },
  { DEAD, 4, "wavefront", FLOW("4", "1", "1", "0,4,1"), "do not have the sum", 0 },
  { DEAD, 4, "wavefront", WAVE("10", "1,6,1"), "no edge to a vertex that matters", 0 },
  { DEAD, 4, "wavefront", WAVE("10", "5,10,1"), "no edge to a vertex that matters", 0 },
};

/* What is claimed of an optimum depends on the games. */
static const struct { claim_by_hand claim; unsigned models; } of_games[] = {
  { { "grid:r=3,c=3", 3, "optimum", PIECES("2", GRID("4", ALL)), NULL, 6 }, BOUND_ONE_SHOT | BOUND_PLACING },
  { { "grid:r=3,c=3", 3, "optimum", PIECES("2", GRID("4", ALL)), "way of excess 3", 0 },
    BOUND_RECOMPUTE | BOUND_PLACING },
  { { "grid:r=3,c=3", 3, "optimum", PIECES("2", GRID("3", ALL)), NULL, 5 }, BOUND_RECOMPUTE | BOUND_PLACING },
  { { "grid:r=3,c=3", 3, "optimum", PIECES("2", GRID("1", ALL)), "way of excess 0", 0 }, BOUND_ANY },
  { { "grid:r=3,c=3", 3, "optimum", PIECES("2", GRID("1", UPPER)), "all that hangs together", 0 }, BOUND_ANY },
  { { "grid:r=3,c=3", 3, "optimum", PIECES("2", GRID("1", "6,7,8")), "all that hangs together", 0 }, BOUND_ANY },
};

static void check_by_hand(const claim_by_hand *c, unsigned models)
{
  cdag *g = NULL;
  diag d = { 0 };
  json_value parameters;
  text reason = { 0 };
  mpz_t value;
  mpz_init(value);
  ck_assert_msg((strchr(c->spec, '\n') ? cdag_parse(&g, "text", c->spec, "", &d) : cdag_open(&g, c->spec, &d)) == OK,
                "%s", d.message);
  ck_assert_int_eq(json_read(&parameters, c->parameters, strlen(c->parameters), "claim", &d), OK);
  bool good = bound_checker_find(c->theorem)
                  ->check(&(bound_claim){ c->theorem, g, c->m, &parameters, models }, value, &reason);
  ck_assert_msg(good == !c->reason && (good || strstr(text_str(&reason), c->reason)), "%s of %s: %s", c->parameters,
                c->spec, text_str(&reason));
  ck_assert_msg(!c->value || mpz_cmp_si(value, c->value) == 0, "%s of %s: %ld follows", c->parameters, c->spec,
                mpz_get_si(value));
  json_value_clear(&parameters);
  text_clear(&reason);
  mpz_clear(value);
  cdag_free(g);
}

START_TEST(claims_by_hand)
{
  check_by_hand(&by_hand[_i], 0);
}
END_TEST

START_TEST(claims_of_games)
{
  check_by_hand(&of_games[_i].claim, of_games[_i].models);
}
END_TEST

/* Graphs that are nearly the FFT of two levels: vertices 0-3, 4-7, 8-11; every row lists the predecessors of 4, 5,
 * ... 11. */
static const struct { int from[8][3]; bool fft;
} near_fft[] = {
  { { { 0, 1 }, { 0, 1 }, { 2, 3 }, { 2, 3 }, { 4, 6 }, { 5, 7 }, { 4, 6 }, { 5, 7 } }, true },
  { { { 0, 2 }, { 1, 3 }, { 0, 2 }, { 1, 3 }, { 4, 5 }, { 4, 5 }, { 6, 7 }, { 6, 7 } }, true },
  { { { 0, 1 }, { 0, 1 }, { 2, 3 }, { 2, 3 }, { 4, 5 }, { 4, 5 }, { 6, 7 }, { 6, 7 } },
    false }, /* the same bit twice */
  { { { 0, 3 }, { 1, 2 }, { 1, 2 }, { 0, 3 }, { 4, 6 }, { 5, 7 }, { 4, 6 }, { 5, 7 } }, false }, /* two bits at once */
  { { { 0, 1 }, { 1, 3 }, { 2, 3 }, { 2, 3 }, { 4, 6 }, { 5, 7 }, { 4, 6 }, { 5, 7 } },
    false }, /* another bit in one lane */
  { { { 0, 1 }, { 2, 3 }, { 2, 3 }, { 2, 3 }, { 4, 6 }, { 5, 7 }, { 4, 6 }, { 5, 7 } }, false }, /* not its own lane */
  { { { 0, 1 }, { 0, 1 }, { 2, 3 }, { 2, 3 }, { 0, 4 }, { 5, 7 }, { 4, 6 }, { 5, 7 } },
    false }, /* from two ranks before */
  { { { 0, 1 }, { 0, 1 }, { 2, 3 }, { 2, 3 }, { 4, 6 }, { 5, 7 }, { 4, 6 }, { 7, 10 } },
    false }, /* from the same rank */
  { { { 0, 1 }, { 0, 1 }, { 2, 3 }, { 2, 3 }, { 4, 6 }, { 5, 7 }, { 4, 6 }, { 9, 10 } }, false },
  { { { 0, 1 }, { 0, 1 }, { 2, 3 }, { 0, 1 }, { 1, 3 }, { 5, 7 }, { 4, 6 }, { 5, 7 } }, false },
  { { { 0, 1 }, { 0, 1 }, { 2, 3 }, { 2, 3 }, { 4, 6 }, { 5, 7 }, { 4, 6, 5 }, { 5, 7 } },
    false }, /* three predecessors */
  { { { 1, 2 }, { 0, 1 }, { 2, 3 }, { 2, 3 }, { 4, 6 }, { 5, 7 }, { 4, 6 }, { 5, 7 } }, false },
  { { { 1, 3 }, { 0, 1 }, { 2, 3 }, { 2, 3 }, { 4, 6 }, { 5, 7 }, { 4, 6 }, { 5, 7 } }, false },
};

/* All but that a vertex of the first rank is no input. */
START_TEST(first_rank_is_read_only)
{
  static const char edges[] = "4 5\n0 2\n1 2\n0 3\n1 3\n0 1\n";
  cdag_graph graph = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(cdag_graph_read_edges(&graph, edges, strlen(edges), "near", &d), OK);
  ck_assert(!checker_is_fft(&graph, 1));
  cdag_graph_clear(&graph);
}
END_TEST

START_TEST(graphs_near_the_fft)
{
  text edges = { 0 };
  cdag_graph graph = { 0 };
  diag d = { 0 };
  int n = 0;
  for (int v = 0; v < 8; v++)
    for (int k = 0; k < 3; k++)
      n += k < 2 || near_fft[_i].from[v][k];
  text_printf(&edges, "12 %d\n", n);
  for (int v = 0; v < 8; v++)
    for (int k = 0; k < 3; k++)
      if (k < 2 || near_fft[_i].from[v][k])
        text_printf(&edges, "%d %d\n", near_fft[_i].from[v][k], v + 4);
  ck_assert_msg(cdag_graph_read_edges(&graph, edges.s, edges.n, "near", &d) == OK, "%s", d.message);
  ck_assert(checker_is_fft(&graph, 2) == near_fft[_i].fft);
  ck_assert(!checker_is_fft(&graph, 1) && !checker_is_fft(&graph, 0) && !checker_is_fft(&graph, 3) &&
            !checker_is_fft(&graph, INT64_MAX) && !checker_is_fft(&graph, -1));
  cdag_graph_clear(&graph);
  text_clear(&edges);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("claims_graph");
  TCase *c = support_case(s, "graph");
  tcase_add_loop_test(c, claims_by_hand, 0, COUNT(by_hand));
  tcase_add_loop_test(c, claims_of_games, 0, COUNT(of_games));
  tcase_add_test(c, first_rank_is_read_only);
  tcase_add_loop_test(c, graphs_near_the_fft, 0, COUNT(near_fft));
  return support_run(s);
}
