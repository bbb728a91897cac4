/* The checker of one statement's projective accesses, asked directly: ways that are put together by hand, and why they are refused. */
#include "tests/support.h"
#include "tests/support_bound.h"

/* ---- attention, with one more row of words, values told by one token, and a second computed operand ---- */

#define RULES(tables, q, more) tables "input Q[n,d], K[n,d], X[n,d], V[n,e], Y[n,e], B[n]\n" \
  "S[i:n, j:n, k:d] = S[i,j,k-1], " q ", K[j,k]\nP[i:n, j:n] = S[i,j,d-1], Q[i,0], X[i,*]\nG[j:n, l:e] = Y[j,l], K[j,*]\nR[z:1] = B[*]\n" \
  "Z[i:n, l:e, j:n] = Z[i,l,j-1], P[i,j], V[j,l], G[j,l], R[0]" more "\noutput Z[*,*,n-1]\n"
static const char seeded[] = "param n d e\ninput Q[n,d], K[n,d], X[n,e,1], V[n,e]\n"
  "S[i:n, j:n, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:n] = S[i,j,d-1], X[i,*,0]\n"
  "Z[i:n, l:e, j:n] = Z[i,l,j-1], P[i,j], V[j,l], X[i,l,j]\noutput Z[*,*,n-1]\n";
static const char base[] = "param n d e\n" RULES("", "Q[i,k]", ""), told[] = "param n d e\n" RULES("table u[i:n] = n-1-i\ninput T[n]\n", "Q[u[i],k]", ", T[u[i]]");

#define NEED(term, loops) "{\"term\": " #term ", \"made\": false, \"loops\": " #loops "}"
#define PART(array, loops, words, power) "{\"array\": \"" #array "\", \"loops\": " #loops ", \"words\": " #words ", \"power\": " #power "}"
#define MADE(term, loops, den, parts) "{\"term\": " #term ", \"made\": true, \"loops\": " #loops ", \"of\": [" parts "], \"power_den\": " #den ", \"factor\": 1}"
#define SETS(den, needs, loops) "{\"den\": " #den ", \"needs\": [" needs "], \"loops\": [" loops "]}"
#define WAY(needs, sets) "{\"needs\": [" needs "], \"exponents\": [" sets "]}"
#define CLAIM(alone, ways) "{\"statement\": \"Z\", \"best_way_alone\": " #alone ", \"ways\": [" ways "]" NUMBERS
#define NUMBERS ", \"work\": 180, \"births\": 30, \"stores\": 30, \"segments\": 1, \"first\": 0, \"length\": 0, \"most_first\": 0, \"most\": 0, \"events\": 1}"

/* Z over i, l, j: its chain, V, and P carried or made of Q or X and K */
#define CHAIN NEED(-1, 3)
#define VALUE NEED(2, 6)
#define CARRIED NEED(1, 5)
#define ROWS(den, q, k) MADE(1, 5, den, PART(Q, 1, 3, q) ", " PART(K, 4, 3, k))
#define HALF SETS(2, "1,1,1", "0,0,0")
#define WHOLE SETS(1, "0,0,1", "0,1,0")
#define WAYS2(needs0, sets0, needs1, sets1) WAY(needs0, sets0) ", " WAY(needs1, sets1)
#define TWO(needs0, needs1) WAYS2(CHAIN ", " VALUE ", " needs0, HALF, CHAIN ", " VALUE ", " needs1, HALF)
/* P and G, carried and made */
#define BOTH_MADE(first, only, second) WAY(CARRIED ", " NEED(3, 6), PAIR) ", " WAY(first ", " NEED(3, 6), PAIR) ", " WAY(CARRIED ", " only, PAIR) ", " WAY(second, PAIR)
#define PAIR SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "1,0,0")
#define OF_Y(den, power) MADE(3, 6, den, PART(Y, 6, 1, power))

static const char needs[] = "a step does not need", another[] = "in another way", mixtures[] = "mixtures", cover[] = "do not cover", missing[] = "is missing", births[] = "'births'";
static const struct { const char *text, *claim, *why; } made[] = {
  { base, CLAIM(true, TWO(CARRIED, ROWS(8, 8, 8))), NULL },
  { base, CLAIM(false, TWO(CARRIED, ROWS(8, 8, 8))), NULL },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(X, 1, 4, 8) ", " PART(K, 4, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(X, 1, 3, 8) ", " PART(K, 4, 3, 8)))), NULL },
  /* what is missing, or too much */
  { base, "{\"statement\": \"Z\"}", missing },
  { base, "{\"statement\": \"Z\", \"best_way_alone\": true, \"ways\": []}", missing },
  { base, "{\"statement\": \"Z\", \"best_way_alone\": true, \"ways\": [1, 1, 1, 1, 1, 1, 1, 1, 1]}", missing },
  { base, "{\"statement\": \"Z\", \"best_way_alone\": true, \"ways\": [1, 1, 1, 1, 1, 1, 1, 1]}", needs },
  { base, "{\"statement\": \"Z\", \"ways\": [1]}", missing },
  { base, CLAIM(true, WAY(VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " CHAIN, SETS(2, "1,1,1,1,1,1,1,1,1,1,1,1", "2,0,0"))), NULL },
  { base, CLAIM(true, WAY(VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " VALUE ", " CHAIN, SETS(2, "1,1,1,1,1,1,1,1,1,1,1,1,1", "2,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " VALUE, SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0"))), NULL },
  { base, CLAIM(true, WAY(CHAIN ", " VALUE, SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0") ", " SETS(1, "1,1", "0,0,0"))), needs },
  /* needs that are none: other loops, no term, a term that is not there, a made input */
  { base, CLAIM(true, WAY(CHAIN ", " VALUE ", " NEED(-1, 5), SETS(1, "1,1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " VALUE ", " NEED(2, 5), SETS(1, "1,1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " VALUE ", " NEED(1, 3), SETS(1, "1,1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " VALUE ", " NEED(5, 5), SETS(1, "1,1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " VALUE ", " NEED(-2, 5), SETS(1, "1,1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " VALUE ", " NEED(0, 3), SETS(1, "1,1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " VALUE ", " MADE(2, 6, 8, PART(V, 6, 1, 8)), SETS(1, "1,1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " VALUE ", " MADE(-1, 3, 8, PART(Q, 1, 3, 8)), SETS(1, "1,1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " VALUE ", " NEED(1, 15), SETS(1, "1,1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " "{\"term\": 2, \"loops\": 6}", SETS(1, "1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " "{\"made\": false, \"loops\": 6}", SETS(1, "1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " "{\"term\": 2, \"made\": false}", SETS(1, "1,1", "0,0,0"))), needs },
  { base, CLAIM(true, WAY(CHAIN ", " "{\"term\": 2, \"made\": false, \"loops\": 4294967302}", SETS(1, "1,1", "0,0,0"))), needs },
  /* made of other words, of more loops, twice of the same, of too little, by no power */
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(Q, 1, 2, 8) ", " PART(K, 4, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(Q, 4, 3, 8) ", " PART(K, 4, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(V, 1, 3, 8) ", " PART(K, 4, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(Q, 1, 3, 8) ", " PART(Q, 1, 3, 8) ", " PART(K, 4, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(Q, 1, 3, 7) ", " PART(K, 4, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(Q, 1, 3, 8) ", " PART(K, 4, 3, 7)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(Q, 1, 3, -1) ", " PART(K, 4, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(Q, 1, 3, 1025) ", " PART(K, 4, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(Q, 1, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(Q, 4294967297, 3, 8) ", " PART(K, 4, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(Q, 1, 3, 1024) ", " PART(K, 4, 3, 8)))), NULL },
  { base, CLAIM(true, TWO(CARRIED, MADE(1, 1, 8, PART(Q, 1, 3, 8) ", " PART(K, 4, 3, 8)))), needs },
  { base, CLAIM(true, TWO(CARRIED, ROWS(0, 8, 8))), needs },
  { base, CLAIM(true, TWO(CARRIED, ROWS(1025, 1024, 1024))), needs },
  { base, CLAIM(true, TWO(CARRIED, "{\"term\": 1, \"made\": true, \"loops\": 5, \"of\": [" PART(Q, 1, 3, 8) ", " PART(K, 4, 3, 8) "], \"power_den\": 8, \"factor\": 2}")), needs },
  { told, CLAIM(true, TWO(CARRIED, ROWS(8, 8, 8))), needs },
  { told, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(X, 1, 3, 8) ", " PART(K, 4, 3, 8)))), NULL },
  /* powers over 1024 at the finest */
  { base, CLAIM(false, WAYS2(CHAIN ", " VALUE ", " CARRIED, HALF, CHAIN ", " VALUE ", " ROWS(1024, 1024, 1024) ", " ROWS(512, 1024, 1024), SETS(2, "1,1,1,0", "0,0,0"))), NULL },
  { base, CLAIM(false, WAYS2(CHAIN ", " VALUE ", " CARRIED, HALF, CHAIN ", " VALUE ", " ROWS(1023, 1024, 1024) ", " ROWS(1024, 1024, 1024), SETS(2, "1,1,1,0", "0,0,0"))), needs },
  { base, CLAIM(false, WAYS2(CHAIN ", " VALUE ", " CARRIED, HALF, CHAIN ", " VALUE ", " ROWS(3, 1024, 1024) ", " ROWS(512, 1024, 1024), SETS(2, "1,1,1,0", "0,0,0"))), needs },
  { base, CLAIM(false, WAYS2(CHAIN ", " VALUE ", " CARRIED, HALF, CHAIN ", " VALUE ", " ROWS(1024, 1024, 1024) ", " ROWS(3, 1024, 1024), SETS(2, "1,1,1,0", "0,0,0"))), needs },
  { base, CLAIM(false, WAYS2(CHAIN ", " VALUE ", " CARRIED, HALF, CHAIN ", " VALUE ", " ROWS(512, 1024, 1024) ", " ROWS(3, 1024, 1024), SETS(2, "1,1,1,0", "0,0,0"))), needs },
  /* ways that are not all there are */
  { base, CLAIM(true, WAY(CHAIN ", " VALUE ", " CARRIED, HALF)), another },
  { base, CLAIM(true, TWO(CARRIED, CARRIED)), another },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, HALF, CHAIN ", " VALUE ", " ROWS(8, 8, 8) ", " CARRIED, SETS(2, "1,1,1,1", "0,0,0"))), another },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED ", " ROWS(8, 8, 8), SETS(2, "1,1,1,1", "0,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), another },
  { base, CLAIM(true, TWO(ROWS(8, 8, 8), CARRIED)), another },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, HALF, CARRIED ", " VALUE ", " ROWS(8, 8, 8), HALF)), another },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, HALF, CHAIN ", " NEED(3, 6) ", " ROWS(8, 8, 8), HALF)), another },
  { base, CLAIM(true, WAY(CARRIED ", " CARRIED ", " CARRIED ", " CARRIED, SETS(1, "1,1,1,1", "1,1,1")) ", " WAY(CARRIED ", " CARRIED ", " CARRIED ", " CARRIED, SETS(1, "1,1,1,1", "1,1,1")) ", " WAY(CARRIED ", " CARRIED ", " CARRIED ", " CARRIED, SETS(1, "1,1,1,1", "1,1,1")) ", " WAY(CARRIED ", " CARRIED ", " CARRIED ", " CARRIED, SETS(1, "1,1,1,1", "1,1,1")) ", " WAY(CARRIED ", " CARRIED ", " CARRIED ", " CARRIED, SETS(1, "1,1,1,1", "1,1,1")) ", " WAY(CARRIED ", " CARRIED ", " CARRIED ", " CARRIED, SETS(1, "1,1,1,1", "1,1,1")) ", " WAY(CARRIED ", " CARRIED ", " CARRIED ", " CARRIED, SETS(1, "1,1,1,1", "1,1,1")) ", " WAY(CARRIED ", " CARRIED ", " CARRIED ", " CARRIED, SETS(1, "1,1,1,1", "1,1,1"))), another },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE, SETS(1, "1,1", "0,0,0"), CHAIN ", " VALUE, SETS(1, "1,1", "0,0,0"))), another },
  /* exponents that leave a loop uncovered, too large ones, too few */
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,1,1", "0,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,1", "0,0,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,0", "0,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,0", "1,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1", "2,2,2"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,1", "0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,-1", "2,2,2"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,9", "0,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(0, "1,1,1", "0,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(1025, "1025,1025,1025", "0,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,0", "1,0,1"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), NULL },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,8", "0,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), NULL },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(1024, "1024,1024,1024", "0,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), HALF)), NULL },
  /* the best way alone: made of one token's words the price need not fall, but the exponents of each way's own words may be 1 */
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, WHOLE, CHAIN ", " VALUE ", " MADE(1, 1, 8, PART(Q, 1, 3, 8)), SETS(1, "0,0,1", "0,1,1"))), NULL },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, WHOLE, CHAIN ", " VALUE ", " MADE(1, 1, 8, PART(Q, 1, 3, 8)), SETS(1, "0,0,1", "0,1,1") ", " SETS(1, "0,0,1", "0,1,1"))), mixtures },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, WHOLE ", " WHOLE, CHAIN ", " VALUE ", " MADE(1, 1, 8, PART(Q, 1, 3, 8)), SETS(1, "0,0,1", "0,1,1"))), mixtures },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,1", "0,0,0"), CHAIN ", " VALUE ", " MADE(1, 1, 8, PART(Q, 1, 3, 8)), SETS(1, "0,0,1", "0,1,1"))), NULL },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,1", "0,0,0"), CHAIN ", " VALUE ", " MADE(1, 1, 8, PART(Q, 1, 3, 8)), SETS(1, "1,1,1", "0,0,1"))), mixtures },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, WHOLE, CHAIN ", " VALUE ", " MADE(1, 1, 8, PART(Q, 1, 3, 8)), SETS(2, "1,1,1", "0,0,0"))), cover },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(1, "1,1,1", "0,0,0"), CHAIN ", " VALUE ", " MADE(1, 1, 8, PART(Q, 1, 3, 8)), SETS(2, "1,1,1", "0,0,1"))), mixtures },
  { base, CLAIM(false, WAYS2(CHAIN ", " VALUE ", " CARRIED, SETS(2, "1,1,1", "0,0,0"), CHAIN ", " VALUE ", " MADE(1, 1, 8, PART(Q, 1, 3, 8)), SETS(1, "0,0,1", "0,1,1"))), NULL },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " CARRIED ", " NEED(4, 0), SETS(2, "1,1,1,1", "0,0,0"), CHAIN ", " VALUE ", " ROWS(8, 8, 8), SETS(2, "1,1,1", "0,0,0"))), another },
  { base, CLAIM(true, WAY(CHAIN ", " CARRIED ", " CARRIED, SETS(1, "0,1,1", "0,1,0") ", " SETS(1, "0,1,1", "0,1,0")) ", " WAY(CHAIN, SETS(1, "1", "0,0,1")) ", " WAY(CHAIN, SETS(1, "1", "0,0,1")) ", " WAY(CHAIN, SETS(1, "1", "0,0,1"))), mixtures },
  /* chains that start from words of which values are made */
  { seeded, CLAIM(true, TWO(CARRIED, ROWS(8, 8, 8))), births },
  { seeded, CLAIM(true, TWO(CARRIED, MADE(1, 5, 8, PART(X, 1, 5, 8) ", " PART(K, 4, 3, 8)))), mixtures },
  /* a value of no loops at all, made by no power of its words */
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " NEED(4, 0), SETS(1, "1,1,0", "0,0,0") ", " SETS(1, "1,1,1", "0,0,0"), CHAIN ", " VALUE ", " MADE(4, 0, 1, PART(B, 0, 6, 1)), SETS(1, "1,1,0", "0,0,0") ", " SETS(1, "1,1,1", "0,0,0"))), NULL },
  { base, CLAIM(true, WAYS2(CHAIN ", " VALUE ", " NEED(4, 0), SETS(1, "1,1,0", "0,0,0") ", " SETS(1, "1,1,1", "0,0,0"), CHAIN ", " VALUE ", " MADE(4, 0, 1, PART(B, 0, 6, 0)), SETS(1, "1,1,0", "0,0,0") ", " SETS(1, "1,1,1", "0,0,0"))), mixtures },
  /* two values that are carried or made: each in one way only */
  { base, CLAIM(true, BOTH_MADE(ROWS(8, 8, 8), OF_Y(8, 8), ROWS(8, 8, 8) ", " OF_Y(8, 8))), NULL },
  { base, CLAIM(true, BOTH_MADE(ROWS(8, 8, 8), OF_Y(8, 8), OF_Y(8, 8) ", " ROWS(8, 8, 8))), NULL },
  { base, CLAIM(true, BOTH_MADE(ROWS(8, 8, 8), MADE(3, 6, 8, PART(Y, 6, 1, 8) ", " PART(K, 4, 3, 0)), ROWS(8, 8, 8) ", " MADE(3, 6, 8, PART(Y, 6, 1, 8) ", " PART(K, 4, 3, 0)))), mixtures },
  { base, CLAIM(true, BOTH_MADE(ROWS(8, 9, 8), OF_Y(8, 8), ROWS(8, 8, 8) ", " OF_Y(8, 8))), mixtures },
  { base, CLAIM(true, BOTH_MADE(ROWS(8, 8, 8), OF_Y(8, 8), ROWS(8, 8, 9) ", " OF_Y(8, 8))), mixtures },
  { base, CLAIM(true, BOTH_MADE(ROWS(16, 16, 16), OF_Y(8, 8), ROWS(8, 8, 8) ", " OF_Y(8, 8))), mixtures },
  { base, CLAIM(true, BOTH_MADE(ROWS(7, 8, 8), OF_Y(8, 8), ROWS(8, 8, 8) ", " OF_Y(8, 8))), mixtures },
  { base, CLAIM(true, BOTH_MADE(ROWS(8, 8, 8), OF_Y(8, 9), ROWS(8, 8, 8) ", " OF_Y(8, 8))), mixtures },
  { base, CLAIM(true, BOTH_MADE(MADE(1, 5, 8, PART(X, 1, 3, 8) ", " PART(K, 4, 3, 8)), OF_Y(8, 8), ROWS(8, 8, 8) ", " OF_Y(8, 8))), mixtures },
  { base, CLAIM(true, BOTH_MADE(MADE(1, 5, 8, PART(X, 1, 3, 8) ", " PART(Q, 1, 3, 8) ", " PART(K, 4, 3, 8)), OF_Y(8, 8), ROWS(8, 8, 8) ", " OF_Y(8, 8))), mixtures },
  { base, CLAIM(true, BOTH_MADE(MADE(1, 5, 8, PART(Q, 1, 1, 8) ", " PART(K, 4, 3, 8)), OF_Y(8, 8), ROWS(8, 8, 8) ", " OF_Y(8, 8))), mixtures },
};

START_TEST(made_by_hand)
{
  cdag *g = bound_text_open(made[_i].text, "n=6,d=3,e=5");
  if (made[_i].why)
    bound_claim_refused("projective", g, 30, made[_i].claim, made[_i].why);
  else
    ck_assert_msg(bound_claim_holds("projective", g, 30, made[_i].claim), "%s", made[_i].claim);
  cdag_free(g);
}
END_TEST

#define PRODUCT CLAIM(true, WAY(CHAIN ", " VALUE ", " CARRIED, HALF))
#define SUM(main, first, most, events) WEIGHING("1", main, first, most, events)
#define WEIGHING(weight, main, first, most, events) "{\"statements\": [{\"statement\": \"Z\", \"best_way_alone\": true, \"main\": 0, \"main_exponents\": " main ", \"weight\": " weight ", \"ways\": [" \
  WAY(CHAIN ", " VALUE ", " CARRIED, HALF ", " SETS(1, "1,0,0", "0,0,1")) "]}], \"work\": 180, \"births\": 30, \"stores\": 30, \"segments\": 1, \"first\": " first \
  ", \"length\": 0, \"most_first\": " most ", \"most\": 0, \"events\": " events "}"

/* The statement as the first array; what its main way's exponents allow alone: of three words one step, or three by all six tokens. */
START_TEST(first_array)
{
  cdag *g = bound_text_open("param n e\nZ[i:n, l:e, j:n] = Z[i,l,j-1], P[i,j], V[j,l]\ninput P[n,n], V[n,e]\noutput Z[*,*,n-1]\n", "n=6,e=5");
  ck_assert(bound_claim_holds("projective", g, 30, PRODUCT));
  ck_assert(bound_claim_holds("projective-sum", g, 30, SUM("0", "0", "1", "1")));
  ck_assert(bound_claim_holds("projective-sum", g, 30, SUM("0", "3", "2", "4")));
  ck_assert(bound_claim_holds("projective-sum", g, 30, SUM("1", "3", "19", "4")));
  bound_claim_refused("projective-sum", g, 30, WEIGHING("0", "0", "3", "2", "4"), "'weight'");
  bound_claim_refused("projective-sum", g, 30, WEIGHING("-1", "0", "3", "2", "4"), "'weight'");
  bound_claim_refused("projective-sum", g, 30, WEIGHING("true", "0", "3", "2", "4"), "'weight'");
  bound_claim_refused("projective-sum", g, 30, WEIGHING("115792089237316195423570985008687907853269984665640564039457584007913129639935", "0", "3", "2", "4"), "'weight'");
  cdag_free(g);
}
END_TEST

/* Two statements that share V: the first grows in words of V alone, which are not its own. */
START_TEST(shared_words)
{
#define MEMBER(name, needs, loops) "{\"statement\": \"" name "\", \"best_way_alone\": true, \"main\": 0, \"main_exponents\": 0, \"weight\": 1, \"ways\": [" \
  WAY(CHAIN ", " VALUE ", " CARRIED, SETS(1, needs, loops)) "]}"
  cdag *g = bound_text_open("param n e\ninput P[n,n], T[n,n], V[n,e]\nZ[i:n, l:e, j:n] = Z[i,l,j-1], P[i,j], V[j,l]\n"
                            "Y[i:n, l:e, j:n] = Y[i,l,j-1], T[i,j], V[j,l]\noutput Z[*,*,n-1], Y[*,*,n-1]\n", "n=6,e=5");
  bound_claim_refused("projective-sum", g, 30, "{\"statements\": [" MEMBER("Z", "0,1,0", "1,0,0") ", " MEMBER("Y", "1,1,0", "0,0,0") "]}", "do not grow fast enough");
  bound_claim_refused("projective-sum", g, 30, "{\"statements\": [" MEMBER("Z", "0,0,1", "0,1,0") ", " MEMBER("Y", "1,1,0", "0,0,0") "]}", "'births'");
  cdag_free(g);
}
END_TEST

/* Chains are told by bits: the 64th array is the last that may have some. */
START_TEST(many_arrays)
{
  text source = { 0 };
  text_add(&source, "param n e\ninput P[n,n], V[n,e]");
  for (int i = 0; i < _i; i++)
    text_printf(&source, ", E%d[1]", i);
  text_add(&source, "\nZ[i:n, l:e, j:n] = Z[i,l,j-1], P[i,j], V[j,l]\noutput Z[*,*,n-1]\n");
  cdag *g = bound_text_open(text_str(&source), "n=6,e=5");
  if (_i < 62)
    ck_assert(bound_claim_holds("projective", g, 30, PRODUCT));
  else
    bound_claim_refused("projective", g, 30, PRODUCT, "too many arrays");
  cdag_free(g);
  text_clear(&source);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("claims_projective");
  TCase *c = support_case(s, "projective");
  tcase_add_loop_test(c, made_by_hand, 0, COUNT(made));
  tcase_add_test(c, first_array);
  tcase_add_test(c, shared_words);
  tcase_add_loop_test(c, many_arrays, 61, 64);
  return support_run(s);
}
