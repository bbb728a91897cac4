/* Certificates forged consistently: several members altered together (theorem, games, M, the computation, parameters,
   those of another certificate), then mended from the checker's own words, value and digest too.  Whatever is still
   found valid is compared with an exact optimum or a legal play, in every game the certificate names and of the
   computation that stands in it.  ROUNDS=100 forges some 10^5.  FORGED_SAY=1 prints a row for each theorem;
   FORGED_FROM=SEED FORGED_MANY=N: a long run in pieces. */
#include "base/json.h"
#include "base/json_read.h"
#include "base/mem.h"
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "pebble/optimal.h"
#include "schedules/any.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for, with numbers drawn at random where # stands: between them, every theorem that can be checked is
   met.  Theorems: all (NULL), or these alone. */
static const struct {
  const char *spec;
  int least, most, memory_least, memory_most;
  bool one_shot;
  const char *theorems;
} questions[] = {
  { "matmul:m=#,n=#,k=#", 2, 3, 3, 8, false, NULL },
  { "matmul:m=#,n=#,k=#,acc=1", 1, 3, 3, 8, false, NULL },
  { "matmul:m=#,n=#,k=#", 4, 9, 4, 30, false, NULL },
  { "dot:k=#", 2, 9, 3, 6, false, NULL },
  { "dot:k=#", 300000, 400000, 4, 9, false, "compulsory" },
  { "matvec:m=#,n=#", 2, 5, 3, 8, false, NULL },
  { "attention:n=#,d=1", 2, 3, 4, 9, false, NULL },
  { "attention:n=#,nk=#,d=#", 2, 9, 6, 40, false, "compulsory attention-segment attention-two-products projective" },
  { "attention:n=24,d=#", 2, 5, 8, 40, false, "covering attention-three-way attention-two-products attention-segment" },
  { "attention:n=96,d=8", 1, 1, 40, 90, false,
    "covering attention-segment attention-two-products attention-three-way" },
  { "attention-causal:n=#,d=#", 2, 5, 6, 30, false, "compulsory attention-segment projective affine" },
  { "attention-online:n=#,d=#,b=2", 2, 5, 6, 30, false, "compulsory attention-segment projective" },
  { "attention-sparse:n=32,d=#,b=8", 2, 4, 10, 60, false, "compulsory attention-segment covering projective" },
  { "attention-backward:n=#,d=1", 2, 5, 6, 20, false, "compulsory backward pairs-and-inputs projective" },
  { "attention-backward:n=40,d=3", 1, 1, 50, 70, false, "backward" },
  { "attention-lowrank:n=#,d=2,r=#", 3, 12, 6, 24, false, "lowrank" },
  { "attention-lowrank:n=30,d=3,g=2", 1, 1, 30, 50, false, "lowrank" },
  { "attention-lowrank:n=#,d=2,g=2", 4, 12, 6, 16, false, "features" },
  { "attention-lowrank:n=20,d=4,g=2", 1, 1, 12, 30, false, "features" },
  { "param n = #\ninput P[s:n+1,i:n,j:n] = P[s-1,i,j], P[s-1+(s-1<j),i,s-1], P[s-1+(s-1<i),s-1,j]\n"
    "output P[n,*,*]\n", 16, 20, 6, 12, true, "affine-stored" },
  { "mlp:m=#,k=#,h=#,n=#", 2, 5, 5, 20, false, NULL },
  { "cholesky:n=#", 3, 10, 4, 8, false, NULL },
  { "grid:r=#,c=#", 2, 7, 3, 5, true, NULL },
  { "grid:r=#,c=#", 2, 7, 3, 5, false, NULL },
  { "pyramid:h=#", 2, 9, 3, 5, true, NULL },
  { "pyramid:h=#", 3, 9, 3, 5, false, NULL },
  { "fft:l=#", 2, 4, 4, 6, true, NULL },
  { "fft:l=#", 2, 4, 4, 6, false, NULL },
  { "hypercube:l=#", 2, 4, 5, 7, true, NULL },
  { "stencil:w=#,t=#", 3, 20, 4, 6, true, "columns lines" },
  { "stencil:w=#,t=#", 3, 20, 4, 6, false, "compulsory columns lines affine" },
  { "param n = #\ninput x[1]\na[i:n] = x[0]\nb[i:n] = b[i-1], a[i]\nc[i:n] = c[i-1], a[i], b[i+n-1]\noutput c[n-1]\n",
    3, 4, 4, 4, true, NULL }, /* cheap when computed again */
  { "random:n=#,degree=2,seed=#", 9, 14, 3, 5, true, NULL },
  { "random:n=13,degree=2,seed=#", 1, 99, 4, 4, true, NULL },
  { "random:n=#,degree=2,seed=#", 8, 40, 4, 6, true, NULL },
  { "random:n=#,degree=3,seed=#", 8, 40, 4, 6, false, NULL },
  { "matmul:m=2,n=2,k=# x2", 2, 3, 3, 8, false, "components compulsory" },
  { "dot:k=2 x#", 2, 2, 3, 5, false, "components" },
  { "param n = #\ninput A[n,2], B[2,n], s[n]\na[i:n, k:2] = A[i,k], s[i]\n"
    "output C[i:n, j:n] = sum k:2 { a[i,k], B[k,j] }\n", 2, 3, 4, 9, false, "given" },
  { "param n = #\ninput x[n,2], c[n]\nq[i:n, z:2] = x[i,*], c[i]\noutput s[i:n, j:n] = q[i,0], q[j,1]\n", 2, 3, 4, 6,
    true, "given" },
  { "input a[2,#]\ninput b[3]\ns[i:2] = a[i,0], a[i,1]\nt[i:2] = t[i-1], b[i], b[i+1]\noutput s[*]\noutput t[1]\n",
    2, 3, 3, 5, false, "components" },
  { "input a[2,2]\ninput b[2,#]\nc[i:2, j:2, l:2] = a[i,l], b[l,j], c[i,j,l-1]\noutput c[*,*,1]\ninput x[2]\n"
    "y[i:2] = x[0], x[1]\nz[i:2] = y[0], y[1]\noutput z[*]\n", 2, 2, 4, 6, true, "components" },
  { "param b = #, n = #\ninput X[b,n]\nL[i:b, j:n] = L[i,j-1], X[i,j]\noutput Y[i:b, j:n] = X[i,j], L[i,n-1]\n", 1, 7,
    3, 4, true, "gates" },
  { "param t = #, n = #\ninput X[n]\nL[s:t, j:n] = L[s,j-1], X[j], L[s-1,n-1]\noutput L[t-1,n-1]\n", 2, 6, 4, 5, true,
    "gates" },
  { "param n = #\ninput A[n,n,1]\nU[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
    "output L[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..n, j:i..n, i-1]\n",
    7, 8, 4, 5, true, "affine" },
  { "param m = 4, n = #\ninput A[m,n,1]\nN[k:n, i:m] = N[k,i-1], V[i,k,k-1], A[i,k,k]\noutput D[k:n] = N[k,m-1]\n"
    "output Q[i:m, k:n] = V[i,k,k-1], A[i,k,k], D[k]\n"
    "R[k:n, j:k+1..n, i:m] = R[k,j,i-1], Q[i,k], V[i,j,k-1], A[i,j,k]\n"
    "V[i:m, j:n, k:j] = V[i,j,k-1], A[i,j,k], Q[i,k], R[k,j,m-1]\noutput R[*,*,m-1]\n", 3, 5, 4, 5, true,
    "gates affine" },
  { "grid:r=#,c=#", 3, 9, 3, 4, true, "crossings lines" },
  { "attention-lowrank:n=#,d=1,r=2", 4, 9, 5, 8, false, "lowrank" },
  { "attention-block:n=#,d=1,b=2,r=1,w=0", 3, 5, 5, 9, false, "block-approximate" },
  { "attention-gradient:n=#,d=1", 1, 3, 5, 9, false, "attention-gradient" },
  { "attention-split:n=#,d=1,c=2", 2, 4, 5, 9, false, "attention-segment" },
  { "param m = #, k = 2, c = #\ninput A[m,k*c], B[k*c,m]\n"
    "P[i:m, j:m, t:c, l:k] = P[i,j,t,l-1], A[i,t*k+l], B[t*k+l,j]\nC[i:m, j:m, t:c] = C[i,j,t-1], P[i,j,t,k-1]\n"
    "output C[*,*,c-1]\n", 1, 3, 3, 6, false, "product-segment" },
  { "attention-decode:n=#,d=2,T=2", 2, 8, 8, 30, false, "rounds compulsory" },
};

/* ---- how many, by theorem ---- */

typedef struct {
  long forged, accepted, solved, played;
} tally;
static tally tallies[64];

static int number_of(const char *theorem)
{
  int k = 0;
  while (bound_checkers[k] && strcmp(bound_checkers[k]->theorem, theorem) != 0)
    k++;
  ck_assert_int_lt(k, COUNT(tallies));
  return k;
}

/* ---- the truth: what a play costs ---- */

enum { SOLVED = 14, FOUND = 400, PLAYED = 1000000, REMEMBERED = 4096 };
#define UNKNOWN UINT64_MAX
#define SEARCHED .01 /* seconds, for a first idea of a play */

typedef struct {
  uint64_t digest, cost;
  pebble_rules rules;
  bool exact;
} truth;

static truth memory[REMEMBERED];

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The optimum of a small graph; what a search finds of one not too large. */
static uint64_t cost_of_graph(const cdag *g, const pebble_rules *rules, bool *exact)
{
  cdag_graph e = { 0 };
  pebble_trace moves = { 0 };
  pebble_optimum o = { 0 };
  schedule_any_info info = { 0 };
  pebble_optimal_limits limits = { .seconds = .3, .bytes = 64 << 20 };
  diag d = { 0 };
  uint64_t cost = UNKNOWN;
  if (cdag_materialise(g, FOUND, &e, &d) != OK)
    return UNKNOWN;
  if (e.n <= SOLVED) {
    status st = pebble_optimal(&e, rules, &limits, &o, &d);
    cost = (st == OK || st == GAVE_UP) && o.possible ? o.upper : UNKNOWN;
    *exact = st == OK;
  } else if (schedule_any(&e, rules, 1, SEARCHED, &moves, &info, &d) == OK && info.legal)
    cost = info.io;
  pebble_optimum_clear(&o);
  pebble_trace_clear(&moves);
  cdag_graph_clear(&e);
  return cost;
}

/* What this schedule costs, if it is one of that computation and legal.  No play needs more memory than there are
   vertices, and blocks as long as a forged M take it long. */
static uint64_t cost_of_text(const cdag *g, const pebble_rules *rules, const schedule_listing *l)
{
  schedule *s = NULL;
  schedule_verdict v = { 0 };
  diag d = { 0 };
  uint64_t cost = UNKNOWN, m = rules->m < g->vertices ? rules->m : g->vertices;
  schedule_play_options o = { .rules = { .m = m, .variant = rules->variant, .one_shot = rules->one_shot },
                              .engine = rules->variant == PEBBLE_PARTIAL ? PEBBLE_BY_ELEMENT : PEBBLE_BY_TILE,
                              .fast_forward = true };
  if (schedule_parse(&s, g, m, l->path, l->text, "", &d) == OK && schedule_unset(s) < 0) {
    if (schedule_play(s, &o, &v, &d) == OK && v.verdict.legal)
      cost = (uint64_t)pebble_io(&v.verdict);
    schedule_verdict_clear(&v);
  }
  schedule_free(s);
  return cost;
}

static uint64_t cost_of_library(const cdag *g, const pebble_rules *rules)
{
  const schedule_listing *l;
  uint64_t cost = UNKNOWN;
  for (int i = 0, n = schedule_library(&l); i < n && !g->graph; i++)
    if (strcmp(l[i].family, g->name) == 0)
      cost = least(cost, cost_of_text(g, rules, &l[i]));
  return cost;
}

static const truth *truth_of(const cdag *g, const pebble_rules *rules)
{
  uint64_t digest = cdag_digest(g);
  truth *t = &memory[(digest ^ rules->m * 97 ^ (uint64_t)rules->variant * 31 ^ rules->one_shot) % REMEMBERED];
  if (t->digest == digest && t->rules.m == rules->m && t->rules.variant == rules->variant &&
      t->rules.one_shot == rules->one_shot)
    return t;
  *t = (truth){ .digest = digest, .cost = UNKNOWN, .rules = *rules };
  if (g->vertices <= FOUND)
    t->cost = cost_of_graph(g, rules, &t->exact);
  if (!t->exact && g->vertices <= PLAYED)
    t->cost = least(t->cost, cost_of_library(g, rules));
  return t;
}

/* ---- a certificate as a tree ---- */

static json_value *member(json_value *v, const char *key) { return (json_value *)(uintptr_t)json_get(v, key); }

static void put(json *j, const json_value *v)
{
  static const char *const words[] = { [JSON_NULL] = "null", [JSON_FALSE] = "false", [JSON_TRUE] = "true" };
  bool object = v->type == JSON_OBJECT;
  if (v->type == JSON_STRING)
    json_string(j, v->text);
  else if (v->type == JSON_ARRAY || object) {
    json_open(j, object ? '{' : '[');
    for (size_t i = 0; i < v->n; i++) {
      if (object)
        json_key(j, v->key[i]);
      put(j, &v->item[i]);
    }
    json_close(j, object ? '}' : ']');
  } else
    json_raw(j, v->type == JSON_NUMBER ? v->text : words[v->type]);
}

static void set_text(json_value *v, const char *s)
{
  char *old = v->text;
  v->text = mem_text(s);
  mem_free(old);
}

/* As text, with the digest that is its own. */
static char *written(json_value *v)
{
  char digits[17];
  json j = { 0 };
  snprintf(digits, sizeof digits, "%016" PRIx64, json_digest(v, "digest"));
  set_text(member(v, "digest"), digits);
  put(&j, v);
  char *bytes = mem_text(text_str(&j.out));
  json_clear(&j);
  return bytes;
}

static json_value read_back(const char *bytes)
{
  json_value v;
  diag d = { 0 };
  ck_assert_msg(json_read(&v, bytes, strlen(bytes), "x", &d) == OK, "%s", d.message);
  return v;
}

/* v becomes what the other one is. */
static void graft(json_value *v, const json_value *other)
{
  json j = { 0 };
  put(&j, other);
  json_value_clear(v);
  *v = read_back(text_str(&j.out));
  json_clear(&j);
}

/* ---- the certificates met so far, of which parts are taken ---- */

enum { POOL = 512 };
static struct {
  char *bytes;
  int theorem;
} pool[POOL];
static int pooled;

static void keep(const char *bytes, int theorem)
{
  int at = pooled++ % POOL;
  free(pool[at].bytes); /* of the C library: kept from test to test */
  pool[at].bytes = strdup(bytes);
  pool[at].theorem = theorem;
}

/* One of this theorem, or of any (-1), or NULL. */
static const char *donor(support_random *r, int theorem)
{
  int n = pooled < POOL ? pooled : POOL, from = n ? (int)support_between(r, 0, n - 1) : 0;
  for (int i = 0; i < n; i++)
    if (theorem < 0 || pool[(from + i) % n].theorem == theorem)
      return pool[(from + i) % n].bytes;
  return NULL;
}

static void take(support_random *r, json_value *v, const char *key, bool same_theorem)
{
  const char *bytes = donor(r, same_theorem ? number_of(json_get_string(v, "theorem")) : -1);
  if (!bytes)
    return;
  json_value other = read_back(bytes);
  graft(member(v, key), json_get(&other, key));
  json_value_clear(&other);
}

/* ---- alterations ---- */

static void alter_digits(support_random *r, char **digits)
{
  mpz_t x;
  char *slash = strchr(*digits, '/'), *made;
  mpz_init(x);
  size_t from = slash && support_between(r, 0, 1) ? (size_t)(slash + 1 - *digits) : 0,
         to = slash && !from ? (size_t)(slash - *digits) : strlen(*digits);
  char *part = mem_text_n(*digits + from, to - from);
  int64_t by = support_between(r, 1, 3);
  if (mpz_set_str(x, part, 10) != 0)
    mpz_set_si(x, by);
  switch (support_between(r, 0, 15)) {
  case 0:
  case 1:
  case 8:
  case 9:
  case 10: mpz_add_ui(x, x, (unsigned long)by); break;
  case 2:
  case 3:
  case 11:
  case 12:
  case 13: mpz_sub_ui(x, x, (unsigned long)by); break;
  case 4: mpz_mul_2exp(x, x, 1); break;
  case 5: mpz_fdiv_q_2exp(x, x, 1); break;
  case 6: mpz_set_si(x, by - 1); break;
  case 7: mpz_neg(x, x); break;
  default:
    mpz_set_ui(x, 1), mpz_mul_2exp(x, x, (unsigned long)support_between(r, 29, 66)),
        mpz_sub_ui(x, x, (unsigned long)by);
  }
  made = mpz_get_str(NULL, 10, x);
  text t = { 0 };
  text_printf(&t, "%.*s%s%s", (int)from, *digits, made, *digits + to);
  mem_free(*digits);
  *digits = mem_text(text_str(&t));
  text_clear(&t);
  free(made); /* GMP's */
  mem_free(part);
  mpz_clear(x);
}

/* The k-th leaf below v, counted down. */
static json_value *leaf(json_value *v, int *k)
{
  if (v->type != JSON_ARRAY && v->type != JSON_OBJECT)
    return (*k)-- == 0 ? v : NULL;
  json_value *found = NULL;
  for (size_t i = 0; i < v->n && !found; i++)
    found = leaf(&v->item[i], k);
  return found;
}

static json_value *random_leaf(support_random *r, json_value *v)
{
  int n = 1 << 20, most = n;
  leaf(v, &n);
  n = most - n;
  int k = n ? (int)support_between(r, 0, n - 1) : 0;
  return n ? leaf(v, &k) : NULL;
}

static void remove_item(json_value *v, size_t i)
{
  json_value_clear(&v->item[i]);
  if (v->key)
    mem_free(v->key[i]);
  for (v->n--; i < v->n; i++) {
    v->item[i] = v->item[i + 1];
    if (v->key)
      v->key[i] = v->key[i + 1];
  }
}

static void swap(json_value *a, json_value *b)
{
  json_value c = *a;
  *a = *b;
  *b = c;
}

static void alter_parameters(support_random *r, json_value *v)
{
  json_value *p = member(v, "parameters"), *a = random_leaf(r, p), *b = random_leaf(r, p);
  int64_t how = support_between(r, 0, 9);
  if (!a)
    return;
  if (how < 6 && (a->type == JSON_NUMBER || (a->type == JSON_STRING && isdigit((unsigned char)*a->text))))
    alter_digits(r, &a->text);
  else if (how < 8)
    swap(a, b);
  else if (how == 8 && a != b)
    graft(a, b);
  else if (p->n)
    remove_item(p, (size_t)support_between(r, 0, (int64_t)p->n - 1));
}

static void name_games(json_value *list, unsigned named)
{
  text t = { 0 };
  for (int i = 0; i < BOUND_GAMES; i++)
    if (named >> i & 1)
      text_printf(&t, "%s\"%s\"", t.n ? ", " : "[", bound_game_name(i));
  text_add(&t, t.n ? "]" : "[]");
  json_value_clear(list);
  *list = read_back(text_str(&t));
  text_clear(&t);
}

/* A name less; or any set of games, mostly one that says all there is to say. */
static void alter_games(support_random *r, json_value *v)
{
  json_value *list = member(v, "models");
  if (list->n > 1 && !support_between(r, 0, 2)) {
    remove_item(list, (size_t)support_between(r, 0, (int64_t)list->n - 1));
    return;
  }
  unsigned named = (unsigned)support_between(r, 1, (1 << BOUND_GAMES) - 1);
  for (int tries = support_between(r, 0, 2) ? 8 : 0; tries > 0 && bound_games_unsaid(named); tries--)
    named = (unsigned)support_between(r, 1, (1 << BOUND_GAMES) - 1);
  name_games(list, named);
}

/* Words and numbers of the two languages, to stand where others stood. */
static const char *const pieces[] = { "i",   "j",   "k",   "l",   "0",   "1",   "2", "3",     "n",   "d", "m", "i+1",
                                      "j-1", "k-1", "i,j", "j,i", "Q",   "K",   "V", "A",     "B",   "C", "S", "P",
                                      "Z",   "X",   "n-1", "d-1", "i:n", "j:n", "*", "j:i+1", "i-1", "4", "5" };

static void alter_source(support_random *r, json_value *text_value)
{
  const char *s = text_value->text;
  size_t n = strlen(s);
  for (int tries = 0; n > 0 && tries < 50; tries++) {
    size_t at = (size_t)support_between(r, 0, (int64_t)n - 1), to = at;
    while (at > 0 && isalnum((unsigned char)s[at - 1]))
      at--;
    while (isalnum((unsigned char)s[to]))
      to++;
    if (to == at)
      continue;
    text t = { 0 };
    text_printf(&t, "%.*s%s%s", (int)at, s, pieces[support_between(r, 0, COUNT(pieces) - 1)], s + to);
    set_text(text_value, text_str(&t));
    text_clear(&t);
    return;
  }
}

/* A line of an edge list goes, comes twice with another end, or has another end. */
static void alter_edges(support_random *r, json_value *edges)
{
  char *s = edges->text, *begin = s, *end;
  size_t n = strlen(s);
  if (n == 0)
    return;
  begin += support_between(r, 0, (int64_t)n - 1);
  while (begin > s && begin[-1] != '\n')
    begin--;
  end = begin + strcspn(begin, "\n");
  long from = strtol(begin, NULL, 10), to = from + support_between(r, 1, 6);
  text t = { 0 };
  int64_t how = support_between(r, 0, 2);
  text_add_n(&t, s, (size_t)(how == 1 ? end - s : begin - s));
  if (how)
    text_printf(&t, "%s%ld %ld", how == 1 ? "\n" : "", from, to);
  text_add(&t, how == 0 && *end ? end + 1 : end);
  set_text(edges, text_str(&t));
  text_clear(&t);
}

static void alter_assignment(support_random *r, json_value *assign)
{
  char *equals = strchr(assign->text, '=');
  for (int64_t k = support_between(r, 0, 5); k > 0 && equals; k--)
    equals = strchr(equals + 1, '=') ? strchr(equals + 1, '=') : equals;
  if (!equals)
    return;
  char *after = equals + 1 + strspn(equals + 1, "-0123456789");
  text t = { 0 };
  long value = strtol(equals + 1, NULL, 10) + support_between(r, -2, 2);
  text_printf(&t, "%.*s%ld%s", (int)(equals + 1 - assign->text), assign->text, value, after);
  set_text(assign, text_str(&t));
  text_clear(&t);
}

static void alter_computation(support_random *r, json_value *v)
{
  json_value *c = member(v, "cdag"), *source = member(c, "text"), *assign = member(c, "assign"),
             *edges = member(c, "edges");
  if (edges)
    alter_edges(r, edges);
  else if (support_between(r, 0, 1))
    alter_assignment(r, assign);
  else
    alter_source(r, source);
}

static void alter_theorem(support_random *r, json_value *v)
{
  int n = number_of("");
  set_text(member(v, "theorem"), bound_checkers[support_between(r, 0, n - 1)]->theorem);
}

static void alter(support_random *r, json_value *v)
{
  switch (support_between(r, 0, 15)) {
  case 0:
  case 1:
  case 2:
  case 3:
  case 4: alter_parameters(r, v); break;
  case 5:
  case 6: alter_games(r, v); break;
  case 7:
  case 8: alter_digits(r, &member(v, "M")->text); break;
  case 9:
  case 10:
  case 11: alter_computation(r, v); break;
  case 12: take(r, v, "parameters", true); break;
  case 13: take(r, v, "cdag", support_between(r, 0, 3) > 0); break;
  case 14: take(r, v, "M", true); break;
  default: alter_theorem(r, v);
  }
}

/* ---- mending by what the checker says ---- */

/* The value itself, or that of the part that is spoken of. */
static bool mend_value(json_value *v, const char *why)
{
  static const char words[] = "the value follows as ";
  const char *at = strstr(why, words);
  json_value *parts = member(member(v, "parameters"), "parts");
  int part = 0;
  if (!at)
    return false;
  if (sscanf(why, "part %d of", &part) == 1 && parts && part >= 1 && (size_t)part <= parts->n)
    v = &parts->item[part - 1];
  char *digits = mem_text_n(at + strlen(words), strspn(at + strlen(words), "-0123456789"));
  set_text(member(v, "value"), digits);
  mem_free(digits);
  return true;
}

/* A parameter that is named in quotes takes a number that stands in the sentence. */
static bool mend_parameter(support_random *r, json_value *v, const char *why)
{
  json_value *p = member(v, "parameters");
  const char *numbers[16];
  int n = 0;
  for (const char *s = why; *s && n < COUNT(numbers); s++)
    if (isdigit((unsigned char)*s) && (s == why || !isalnum((unsigned char)s[-1])))
      numbers[n++] = s;
  for (size_t i = 0; i < p->n && n && p->type == JSON_OBJECT; i++) {
    char quoted[80];
    snprintf(quoted, sizeof quoted, "'%.60s'", p->key[i]);
    if (p->item[i].type != JSON_NUMBER || !strstr(why, quoted))
      continue;
    const char *number = numbers[support_between(r, 0, n - 1)];
    char *digits = mem_text_n(number, strspn(number, "0123456789"));
    set_text(&p->item[i], digits);
    mem_free(digits);
    return true;
  }
  return false;
}

/* Wavefronts carry a sum of their numbers (bounds/check/wavefront.c says which), against accidents; a forger writes it
   anew. */
static void add_numbers(const json_value *v, uint64_t *sum)
{
  int64_t number;
  if (v && v->type == JSON_NUMBER && json_integer64(v, &number))
    *sum = (uint64_t)(((unsigned __int128)*sum * 1000003 + (uint64_t)number) % ((UINT64_C(1) << 61) - 1));
  for (size_t i = 0; v && v->type == JSON_ARRAY && i < v->n; i++)
    add_numbers(&v->item[i], sum);
}

static void mend_sum(json_value *v)
{
  static const char *const order[] = { "x", "after", "interval", "flow", "red", "along", "against" };
  json_value *p = member(v, "parameters"), *sum = member(p, "sum");
  const json_value *waves = json_get(p, "waves");
  uint64_t s = 0;
  char digits[24];
  if (!sum || !waves)
    return;
  add_numbers(json_get(p, "chain"), &s);
  for (size_t i = 0; i < waves->n; i++)
    for (int k = 0; k < COUNT(order); k++)
      add_numbers(json_get(&waves->item[i], order[k]), &s);
  snprintf(digits, sizeof digits, "%" PRIu64, s);
  set_text(sum, digits);
}

/* ---- judging ---- */

static cdag *computation_of(const json_value *v)
{
  cdag *g = NULL;
  cdag_graph graph = { 0 };
  diag d = { 0 };
  const json_value *c = json_get(v, "cdag");
  const char *name = json_get_string(c, "name"), *edges = json_get_string(c, "edges");
  status st = edges ? cdag_graph_read_edges(&graph, edges, strlen(edges), name, &d)
                    : cdag_parse(&g, name, json_get_string(c, "text"), json_get_string(c, "assign"), &d);
  if (edges && st == OK)
    st = cdag_from_graph(&g, &graph, name);
  ck_assert_msg(st == OK, "valid, but its computation cannot be read: %s", d.message);
  return g;
}

/* The games a reader takes it for: what is not said, he takes for the usual game.  No play in any of them costs less
   than the certificate says. */
static void expect_true(const json_value *v, const bound_check_result *c, const char *bytes, tally *t)
{
  static const unsigned flag[] = { BOUND_PLACING, BOUND_SLIDING, BOUND_PARTIAL };
  bool solved = true, played = true, again = c->models & BOUND_RECOMPUTE || !(c->models & BOUND_ONE_SHOT);
  cdag *g = computation_of(v);
  for (int variant = 0; variant < COUNT(flag); variant++)
    if (c->models & flag[variant]) {
      pebble_rules rules = { (pebble_variant)variant, !again || variant == PEBBLE_PARTIAL, (uint64_t)c->m };
      const truth *is = truth_of(g, &rules);
      solved &= is->exact;
      played &= is->cost != UNKNOWN;
      ck_assert_msg(is->cost == UNKNOWN || mpz_cmp_ui(c->value, is->cost) <= 0,
                    "%s: %ld is found valid, and %s costs %" PRIu64 " (variant %d, one-shot %d)\n%s",
                    text_str(&c->theorem), mpz_get_si(c->value), is->exact ? "the optimum" : "a play", is->cost,
                    variant, rules.one_shot, bytes);
    }
  t->accepted++;
  t->solved += solved;
  t->played += played && !solved;
  cdag_free(g);
}

enum { MENDINGS = 6 };

/* Is it found valid, as it is or mended?  Then it is true. */
static bool judge(support_random *r, json_value *v)
{
  bound_check_result c;
  diag d = { 0 };
  bool again = true, valid = false;
  tally *t = &tallies[number_of(json_get_string(v, "theorem"))];
  t->forged++;
  for (int i = 0; again && i < MENDINGS; i++) {
    mend_sum(v);
    char *bytes = written(v);
    status st = bound_check(bytes, strlen(bytes), "forged", &c, &d);
    ck_assert(st == OK ? c.valid || c.reason.n > 0 : d.message[0] != '\0');
    valid = st == OK && c.valid;
    if (valid)
      expect_true(v, &c, bytes, t);
    again = st == OK && !valid && (mend_value(v, text_str(&c.reason)) || mend_parameter(r, v, text_str(&c.reason)));
    bound_check_clear(&c);
    mem_free(bytes);
  }
  return valid;
}

/* ---- a question, its certificates, and what is made of them ---- */

static void draw(support_random *r, int which, char *spec, size_t size)
{
  size_t n = 0;
  for (const char *s = questions[which].spec; *s && n + 8 < size; s++)
    n += (size_t)(*s == '#' ? snprintf(spec + n, size - n, "%d",
                                       (int)support_between(r, questions[which].least, questions[which].most))
                            : snprintf(spec + n, size - n, "%c", *s));
}

enum { FORGERIES = 8 };

static bool claims_more(const json_value *a, const json_value *b)
{
  mpz_t x, y;
  mpz_inits(x, y, NULL);
  bool more = json_get_big(a, "value", x) && json_get_big(b, "value", y) && mpz_cmp(x, y) >= 0;
  mpz_clears(x, y, NULL);
  return more;
}

/* What is found valid and claims no less is where the next forgery begins: a condition that is not asked lets the claim
   climb. */
static void forge(support_random *r, const char *bytes)
{
  json_value best = read_back(bytes);
  for (int k = 0; k < FORGERIES; k++) {
    json_value v = { 0 };
    graft(&v, &best);
    if (k == 0)
      alter_games(r, &v); /* and nothing else */
    else if (k % 2)
      alter_parameters(r, &v);
    else
      for (int64_t times = support_between(r, 1, 4); times > 0; times--)
        alter(r, &v);
    if (judge(r, &v) && claims_more(&v, &best))
      swap(&v, &best);
    json_value_clear(&v);
  }
  json_value_clear(&best);
}

static void forge_all(support_random *r, const bound_question *q)
{
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_msg(bound_all(q, &list, &best, &d) == OK, "%s", d.message);
  for (size_t i = 0; i < list.n; i++)
    if (bound_has_certificate(&list.item[i])) {
      text t = { 0 };
      ck_assert_int_eq(bound_certificate(q, &list.item[i], &t, &d), OK);
      keep(text_str(&t), number_of(list.item[i].name));
      forge(r, text_str(&t));
      text_clear(&t);
    }
  bound_list_clear(&list);
}

START_TEST(forged)
{
  support_random r = { (uint64_t)_i + 1 };
  int which = _i % COUNT(questions);
  char spec[512], names[160], *rest = names;
  cdag *g = NULL;
  diag d = { 0 };
  draw(&r, which, spec, sizeof spec);
  status st = strchr(spec, '\n') ? cdag_parse(&g, "own", spec, "", &d) : cdag_open(&g, spec, &d);
  ck_assert_msg(st == OK, "%s: %s", spec, d.message);
  bound_question q = { .g = g,
                       .m = (uint64_t)support_between(&r, questions[which].memory_least, questions[which].memory_most),
                       .one_shot = questions[which].one_shot };
  q.variant = support_between(&r, 0, 3) ? 0 : (int)support_between(&r, 1, 2);
  if (!questions[which].theorems)
    forge_all(&r, &q);
  snprintf(names, sizeof names, "%s", questions[which].theorems ? questions[which].theorems : "");
  while ((q.theorem = strtok_r(NULL, " ", &rest)))
    forge_all(&r, &q);
  cdag_free(g);
}
END_TEST

START_TEST(every_theorem_was_forged)
{
  tally all = { 0 };
  for (int k = 0; bound_checkers[k]; k++) {
    const tally *t = &tallies[k];
    if (getenv("FORGED_SAY"))
      printf("%-28s forged %7ld  valid %7ld  against an optimum %7ld  against a play %7ld\n",
             bound_checkers[k]->theorem, t->forged, t->accepted, t->solved, t->played);
    all = (tally){ all.forged + t->forged, all.accepted + t->accepted, all.solved + t->solved, all.played + t->played };
    ck_assert_msg(t->forged > 0 || support_rounds(4) < 8, "no certificate of %s was forged",
                  bound_checkers[k]->theorem);
  }
  if (getenv("FORGED_SAY"))
    printf("%-28s forged %7ld  valid %7ld  against an optimum %7ld  against a play %7ld\n", "all", all.forged,
           all.accepted, all.solved, all.played);
  ck_assert_msg(all.solved + all.played > all.accepted / 2 && all.accepted > all.forged / 20,
                "hardly any forgery was compared with anything");
}
END_TEST

static int number_in(const char *variable, int otherwise)
{
  const char *digits = getenv(variable);
  return digits ? atoi(digits) : otherwise;
}

int main(void)
{
  Suite *s = suite_create("forged");
  TCase *c = support_case(s, "forged");
  int first = number_in("FORGED_FROM", 0), many = number_in("FORGED_MANY", 0);
  tcase_add_loop_test(c, forged, first, first + (many ? many : support_rounds(2 * COUNT(questions))));
  if (!many)
    tcase_add_test(c, every_theorem_was_forged);
  return support_run(s);
}
