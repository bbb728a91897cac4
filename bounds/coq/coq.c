#include "base/scoped.h"
#include "bounds/coq.h"
#include "bounds/coq/affine.h"
#include "bounds/coq/gates.h"
#include "bounds/coq/listed.h"
#include "base/json_read.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/coq/statement.h"
#include "bounds/coq/text.h"
#include "bounds/geometry/crossings.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUT "{.first} {.length} {.segments-1} {.most_first} {.most} {value}"
#define SHARES "{.share} {.share_of} {.first} {.length} {.segments-1} {value}"
#define BOTH                                                                                                           \
  "{.loads.first} {.loads.length} {.loads.segments-1} {.loads.most_first} {.loads.most} "                              \
  "{.first} {.length} {.most_first} {.most} {.events_and_stores} {value}"
#define CAUSAL_BACKWARD                                                                                                \
  "MaskedBackward.attention_backward (nat_ {d}) (nat_ {d}) (@AttentionCertificate.causal (nat_ {n}))"
#define LISTED_BACKWARD                                                                                                \
  "MaskedBackward.attention_backward (nat_ {d}) (nat_ {d}) (@Listed.listed (nat_ {n}) (nat_ {nk}) mask)"
#define LISTED "proofs/certify/ListedCertificate.v"
#define ATTENTION "proofs/certify/AttentionCertificate.v"
#define TWO_PRODUCTS "proofs/certify/TwoProductsCertificate.v"
#define THREE_WAYS "proofs/certify/ThreeWaysCertificate.v"
#define COVERING "proofs/certify/CoveringCertificate.v"
#define BACKWARD "proofs/certify/BackwardCertificate.v"

#define PYRAMIDS "proofs/certify/PyramidCertificate.v"
#define BESIDES "proofs/certify/BesidesCertificate.v"
#define BESIDES_CUT                                                                                                    \
  "{.parameters.first} {.parameters.length} {.parameters.segments-1} {.parameters.most_first} {.parameters.most} "     \
  "{value}"
#define BESIDES_BOTH                                                                                                   \
  "{.parameters.loads.first} {.parameters.loads.length} {.parameters.loads.segments-1} "                               \
  "{.parameters.loads.most_first} {.parameters.loads.most} "                                                           \
  "{.parameters.first} {.parameters.length} {.parameters.most_first} {.parameters.most} "                              \
  "{.parameters.events_and_stores} {value}"

#define STATEMENT "one statement that sums products of inputs over a box"
#define STATEMENTS "proofs/certify/StatementCertificate.v"
#define TEXTS "texts of affine rules"
#define COMPULSORY "proofs/certify/CompulsoryCertificate.v"
#define AFFINE "proofs/certify/AffineCertificate.v"
#define GATES "proofs/certify/GatesCertificate.v"
#define FORKS "proofs/certify/ForksCertificate.v"
#define WAITS "proofs/certify/WaitsCertificate.v"

/* Claims about texts that are no family's: who proves them, and how they are written, with what the file needs and what
   it says of the claim. */
struct coq_told {
  coq_prover *proves;
  bool (*write)(const bound_question *, const bound *, const bound_coq_theorem *, const json_value *, text *out);
  const char *needs, *claim;
};

static bool write_statement(const bound_question *, const bound *, const bound_coq_theorem *, const json_value *,
                            text *);
static bool write_text(const bound_question *, const bound *, const bound_coq_theorem *, const json_value *, text *);

static bool write_listed(const bound_question *, const bound *, const bound_coq_theorem *, const json_value *, text *);

static const struct coq_told listed = { coq_listed_proves, write_listed, NULL, NULL };
static const struct coq_told statement = { coq_statement_proves, write_statement, NULL, NULL };
static const struct coq_told compulsory = { coq_compulsory_proves, write_text, "", NULL };
static const struct coq_told affine = {
  coq_affine_proves, write_text,
  "From redblue Require Import CompulsoryCertificate OneShot.\n"
  "From redblue Require AffineForms AffineClaim.\n\n",
  "(* Accesses that read own predecessors, and the reader's loops in what is read; of each array its\n"
  "   component and labels; components with births; groups of statements with steps, needs, columns\n"
  "   and powers: AffineCertificate.v. *)\n"
};
static const struct coq_told tails = {
  coq_tails_proves, write_text,
  "From redblue Require Import CompulsoryCertificate.\n"
  "From redblue Require AffineForms AffineClaim AffineCertificate AffineTails.\n\n",
  "(* A claim as of AffineCertificate.v, of words cut before their tails; words before they are cut, what is read,\n"
  "   and the chain that makes it: AffineTails.v. *)\n"
};
static const struct coq_told gates = {
  coq_gates_proves, write_text,
  "From redblue Require Import CompulsoryCertificate.\nFrom redblue Require Walks.\n\n",
  "(* Of each array its component and labels, and where words begin; families of gates with what uses words\n"
  "   behind them, and the reads that lead from one to the other: GatesCertificate.v, Walks.v. *)\n"
};
static const struct coq_told forks = {
  coq_forks_proves, write_text,
  "From redblue Require Import CompulsoryCertificate OneShot.\nFrom redblue Require Walks.\n\n",
  "(* The gates' array and keys, the elements that wait, the reads along their paths on both sides, and the\n"
  "   reads that lead from another element of the gate to where these begin: ForksCertificate.v, Walks.v. *)\n"
};
static const struct coq_told waits = {
  coq_waits_proves, write_text,
  "From redblue Require Import CompulsoryCertificate OneShot.\n"
  "From redblue Require GatesCertificate Walks.\n\n",
  "(* The lag; families of gates, the last elements of the paths that wait there, the reads along them, and\n"
  "   those that lead from the last to the gate and from the gate to the first: WaitsCertificate.v,\n"
  "   GatesCertificate.v, Walks.v. *)\n"
};

/* Inputs beside work at pairs that this theorem counts. */
static bool is_besides(const json_value *v, const char *theorem)
{
  const char *of = json_get_string(v, "theorem");
  return of && strcmp(of, theorem) == 0;
}
static bool is_besides_14(const bound_question *q, const bound *b, const json_value *v)
{
  (void)q, (void)b;
  return is_besides(v, "backward-14");
}
static bool is_besides_12(const bound_question *q, const bound *b, const json_value *v)
{
  (void)q, (void)b;
  return is_besides(v, "backward-12");
}
static bool is_besides_covering(const bound_question *q, const bound *b, const json_value *v)
{
  (void)q, (void)b;
  return is_besides(v, "covering");
}

/* Pyramids in all places of a grid, or side by side. */
static bool is_everywhere(const bound_question *q, const bound *b, const json_value *v)
{
  (void)q, (void)b;
  return json_get(v, "base") != NULL;
}

static bool is_side_by_side(const bound_question *q, const bound *b, const json_value *v)
{
  return !is_everywhere(q, b, v);
}

/* The pyramid has one output, the last vertex; any other would be no output in Coq. */
static bool is_pyramid(const bound_question *q, const bound *b, const json_value *v)
{
  const cdag_graph *g = q->g->graph;
  int64_t height, claimed;
  (void)b;
  bool same = g && bound_is_pyramid(g, &height) && json_get_int(v, "height", &claimed) && claimed == height;
  for (uint32_t i = 0; same && i + 1 < g->n; i++)
    same = !g->output[i];
  return same;
}

static const bound_coq_theorem table[] = {
  { "compulsory", TEXTS, NULL, "compulsory_certificate", COMPULSORY, NULL, NULL, NULL, NULL, &compulsory },
  { "product-segment", "matmul", "acc=0", "matmul_certificate", "proofs/certify/ProductCertificate.v",
    "Matmul.matmul (nat_ {m}) (nat_ {n}) (nat_ {k})", "{M} {m} {n} {k} " CUT, NULL, NULL, NULL },
  { "product-segment", "matmul", "acc=1", "matmul_add_certificate", "proofs/certify/ProductCertificate.v",
    "MatmulAdd.matmul_add (nat_ {m}) (nat_ {n}) (nat_ {k})", "{M} {m} {n} {k} " CUT, NULL, NULL, NULL },
  { "product-segment", "syrk", NULL, "syrk_certificate", "proofs/certify/ProductCertificate.v",
    "Syrk.syrk (nat_ {n}) (nat_ {k})", "{M} {n} {k} " CUT, NULL, NULL, NULL },
  { "attention-segment", "attention", NULL, "attention_certificate", ATTENTION,
    "Attention.attention (nat_ {n}) (nat_ {nk}) (nat_ {d}) (nat_ {dv})", "{M} {n} {nk} {d} {dv} " CUT, NULL, NULL,
    NULL },
  { "attention-segment", "attention-causal", NULL, "causal_certificate", ATTENTION,
    "MaskedAttention.attention (nat_ {d}) (nat_ {dv}) (@causal (nat_ {n}))", "{M} {n} {d} {dv} " CUT, NULL, NULL,
    NULL },
  { "attention-segment", "attention-sparse", NULL, "listed_certificate", LISTED,
    "MaskedAttention.attention (nat_ {d}) (nat_ {dv}) (@Listed.listed (nat_ {n}) (nat_ {nk}) mask)",
    "{M} {n} {nk} {d} {dv} mask " CUT, NULL, NULL, &listed },
  { "attention-two-products", "attention", "dv=d", "two_products_certificate", TWO_PRODUCTS,
    "Attention.attention (nat_ {n}) (nat_ {nk}) (nat_ {d}) (nat_ {d})", "{M} {n} {nk} {d} " CUT, NULL, NULL, NULL },
  { "attention-two-products", "attention-causal", "dv=d", "causal_two_products_certificate", TWO_PRODUCTS,
    "MaskedAttention.attention (nat_ {d}) (nat_ {d}) (@AttentionCertificate.causal (nat_ {n}))", "{M} {n} {d} " CUT,
    NULL, NULL, NULL },
  { "attention-two-products", "attention-sparse", "dv=d", "listed_two_products_certificate", LISTED,
    "MaskedAttention.attention (nat_ {d}) (nat_ {d}) (@Listed.listed (nat_ {n}) (nat_ {nk}) mask)",
    "{M} {n} {nk} {d} mask " CUT, NULL, NULL, &listed },
  { "attention-three-way", "attention", NULL, "three_ways_certificate", THREE_WAYS,
    "Attention.attention (nat_ {n}) (nat_ {nk}) (nat_ {d}) (nat_ {dv})", "{M} {n} {nk} {d} {dv} " SHARES, NULL, NULL,
    NULL },
  { "attention-three-way", "attention-causal", NULL, "causal_three_ways_certificate", THREE_WAYS,
    "MaskedAttention.attention (nat_ {d}) (nat_ {dv}) (@AttentionCertificate.causal (nat_ {n}))",
    "{M} {n} {d} {dv} " SHARES, NULL, NULL, NULL },
  { "attention-three-way", "attention-sparse", NULL, "listed_three_ways_certificate", LISTED,
    "MaskedAttention.attention (nat_ {d}) (nat_ {dv}) (@Listed.listed (nat_ {n}) (nat_ {nk}) mask)",
    "{M} {n} {nk} {d} {dv} mask " SHARES, NULL, NULL, &listed },
  { "backward-12", "attention-backward", "dv=d", "backward_12_certificate", BACKWARD,
    "AttentionBackward.attention_backward (nat_ {n}) (nat_ {d}) (nat_ {nk}) (nat_ {d})", "{M} {n} {nk} {d} " CUT, NULL,
    NULL, NULL },
  { "backward-14", "attention-backward", "dv=d", "backward_14_certificate", BACKWARD,
    "AttentionBackward.attention_backward (nat_ {n}) (nat_ {d}) (nat_ {nk}) (nat_ {d})", "{M} {n} {nk} {d} " BOTH, NULL,
    NULL, NULL },
  { "backward-12", "attention-causal-backward", "dv=d", "causal_backward_12_certificate", BACKWARD, CAUSAL_BACKWARD,
    "{M} {n} {d} " CUT, NULL, NULL, NULL },
  { "backward-14", "attention-causal-backward", "dv=d", "causal_backward_14_certificate", BACKWARD, CAUSAL_BACKWARD,
    "{M} {n} {d} " BOTH, NULL, NULL, NULL },
  { "backward-12", "attention-sparse-backward", "dv=d", "listed_backward_12_certificate", LISTED, LISTED_BACKWARD,
    "{M} {n} {nk} {d} mask " CUT, NULL, NULL, &listed },
  { "backward-14", "attention-sparse-backward", "dv=d", "listed_backward_14_certificate", LISTED, LISTED_BACKWARD,
    "{M} {n} {nk} {d} mask " BOTH, NULL, NULL, &listed },
  { "lowrank", "attention-lowrank", "g=0", "lowrank_certificate", "proofs/certify/LowRankCertificate.v",
    "LowRank.lowrank (nat_ {n}) (nat_ {d}) (nat_ {r}) (nat_ {dv})", "{M} {n} {d} {r} {dv} {.weigh_normaliser} " CUT,
    NULL, NULL, NULL },
  { "covering", "attention", NULL, "covering_attention_certificate", COVERING,
    "Attention.attention (nat_ {n}) (nat_ {nk}) (nat_ {d}) (nat_ {dv})",
    "{M} {n} {nk} {d} {dv} {.scale} {.kinds.0.weight} " CUT, NULL, NULL, NULL },
  { "covering", "attention-backward", NULL, "covering_backward_certificate", COVERING,
    "AttentionBackward.attention_backward (nat_ {n}) (nat_ {d}) (nat_ {nk}) (nat_ {dv})",
    "{M} {n} {nk} {d} {dv} {.scale} {.kinds.0.weight} {.kinds.1.weight} {.kinds.2.weight} {.sides} " CUT, NULL, NULL,
    NULL },
  { "pairs-and-inputs", "attention-backward", "dv=d", "besides_backward_14_certificate", BESIDES,
    "AttentionBackward.attention_backward (nat_ {n}) (nat_ {d}) (nat_ {nk}) (nat_ {d})",
    "{M} {n} {nk} {d} {.inputs} " BESIDES_BOTH, NULL, is_besides_14, NULL },
  { "pairs-and-inputs", "attention-backward", "dv=d", "besides_backward_12_certificate", BESIDES,
    "AttentionBackward.attention_backward (nat_ {n}) (nat_ {d}) (nat_ {nk}) (nat_ {d})",
    "{M} {n} {nk} {d} {.inputs} " BESIDES_CUT, NULL, is_besides_12, NULL },
  { "pairs-and-inputs", "attention-causal-backward", "dv=d", "besides_causal_backward_14_certificate", BESIDES,
    CAUSAL_BACKWARD, "{M} {n} {d} {.inputs} " BESIDES_BOTH, NULL, is_besides_14, NULL },
  { "pairs-and-inputs", "attention-causal-backward", "dv=d", "besides_causal_backward_12_certificate", BESIDES,
    CAUSAL_BACKWARD, "{M} {n} {d} {.inputs} " BESIDES_CUT, NULL, is_besides_12, NULL },
  { "pairs-and-inputs", "attention-sparse-backward", "dv=d", "besides_listed_backward_14_certificate", LISTED,
    LISTED_BACKWARD, "{M} {n} {nk} {d} mask {.inputs} " BESIDES_BOTH, NULL, is_besides_14, &listed },
  { "pairs-and-inputs", "attention-sparse-backward", "dv=d", "besides_listed_backward_12_certificate", LISTED,
    LISTED_BACKWARD, "{M} {n} {nk} {d} mask {.inputs} " BESIDES_CUT, NULL, is_besides_12, &listed },
  { "pairs-and-inputs", "attention-backward", NULL, "besides_covering_backward_certificate", BESIDES,
    "AttentionBackward.attention_backward (nat_ {n}) (nat_ {d}) (nat_ {nk}) (nat_ {dv})",
    "{M} {n} {nk} {d} {dv} {.inputs} {.parameters.scale} {.parameters.kinds.0.weight} {.parameters.kinds.1.weight} "
    "{.parameters.kinds.2.weight} {.parameters.sides} " BESIDES_CUT, NULL, is_besides_covering, NULL },
  { "pairs-and-inputs", "attention-bias", NULL, "besides_covering_attention_certificate", BESIDES,
    "BesidesAttention.Bias.attention_bias (nat_ {n}) (nat_ {nk}) (nat_ {d}) (nat_ {dv})",
    "{M} {n} {nk} {d} {dv} {.inputs} {.parameters.scale} {.parameters.kinds.0.weight} " BESIDES_CUT, NULL,
    is_besides_covering, NULL },
  { "elimination", "cholesky", NULL, "cholesky_certificate", "proofs/certify/EliminationCertificate.v",
    "Cholesky.cholesky (nat_ {n})", "{M} {n} {.apart} " CUT, NULL, NULL, NULL },
  { "pyramids", "grid", NULL, "pyramids_everywhere_certificate", PYRAMIDS, "Grid.grid (nat_ {r}) (nat_ {c})",
    "{M} {r} {c} {.base} {value}", NULL, is_everywhere, NULL },
  { "pyramids", "grid", NULL, "pyramids_side_by_side_certificate", PYRAMIDS, "Grid.grid (nat_ {r}) (nat_ {c})",
    "{M} {r} {c} {.half} {.first} {value}", NULL, is_side_by_side, NULL },
  { "crossings", "pyramid", NULL, "crossings_certificate", PYRAMIDS, "Pyramid.pyramid (nat_ {.height})",
    "{M} {.height} {.loads} {.base} {.stores} {value}", "placing", is_pyramid, NULL },
  { "crossings-sliding", "pyramid", NULL, "crossings_sliding_certificate", PYRAMIDS, "Pyramid.pyramid (nat_ {.height})",
    "{M} {.height} {.loads} {.base} {.stores} {value}", NULL, is_pyramid, NULL },
  { "projective", STATEMENT, NULL, "statement_certificate", STATEMENTS, NULL, NULL, NULL, NULL, &statement },
  { "affine", STATEMENT, NULL, "statement_certificate", STATEMENTS, NULL, NULL, NULL, NULL, &statement },
  { "affine", TEXTS, NULL, "affine_certificate", AFFINE, NULL, NULL, NULL, NULL, &affine },
  { "affine", TEXTS, NULL, "affine_tails_certificate", "proofs/certify/TailsCertificate.v", NULL, NULL, NULL, NULL,
    &tails },
  { "affine-one-shot", TEXTS, NULL, "affine_once_certificate", AFFINE, NULL, NULL, NULL, NULL, &affine },
  { "gates", TEXTS, NULL, "gates_certificate", GATES, NULL, NULL, NULL, NULL, &gates },
  { "gates-one-shot", TEXTS, NULL, "gates_once_certificate", FORKS, NULL, NULL, NULL, NULL, &forks },
  { "gates-one-shot", TEXTS, NULL, "waits_once_certificate", WAITS, NULL, NULL, NULL, NULL, &waits },
  { "affine", TEXTS, NULL, "compulsory_certificate", COMPULSORY, NULL, NULL, NULL, NULL, &compulsory },
};

int bound_coq_theorems(const bound_coq_theorem **rows)
{
  *rows = table;
  return (int)(sizeof table / sizeof *table);
}

static bool parameter(const cdag *g, const char *name, size_t n, int64_t *value)
{
  for (int i = 0; i < g->params; i++)
    if (strlen(g->param[i].name) == n && strncmp(g->param[i].name, name, n) == 0) {
      *value = g->param[i].value;
      return true;
    }
  return false;
}

/* "dv=d": has g this parameter, with this value? */
static bool is_fixed(const cdag *g, const char *fixed)
{
  const char *equals = strchr(fixed, '=');
  int64_t left, right;
  if (!parameter(g, fixed, (size_t)(equals - fixed), &left))
    return false;
  if (!parameter(g, equals + 1, strlen(equals + 1), &right))
    right = strtoll(equals + 1, NULL, 10);
  return left == right;
}

/* Computations of theorems in other words than a family's; the vertices and edges are the same (proofs/edges.sh). */
static const struct {
  const char *name, *source;
} own_text[] = {
  { "cholesky", "param n\ninput A[i:n, j:i+1, z:1]\nC[i:n, j:i+1, k:j] = C[i,j,k-1], A[i,j,k], L[i,k], L[j,k]\n"
                "output L[i:n, j:i] = C[i,j,j-1], A[i,j,j], D[j]\noutput D[i:n] = C[i,i,i-1], A[i,i,i]\n" },
  { "attention-bias", "param n d\nparam nk = n, dv = d\ninput Q[n,d], K[nk,d], V[nk,dv], B[n,nk]\n"
                      "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d-1], B[i,j]\n"
                      "L[i:n, j:nk] = L[i,j-1], P[i,j]\nZ[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], V[j,l]\n"
                      "output O[i:n, l:dv] = Z[i,l,nk-1], L[i,nk-1]\n" },
};

static bool is_computation(const cdag *g, const char *name)
{
  for (size_t i = 0; i < sizeof own_text / sizeof *own_text; i++)
    if (strcmp(own_text[i].name, name) == 0 && cdag_is_text(g, own_text[i].source))
      return true;
  return cdag_is_family(g, name);
}

static bool accepts(const bound_coq_theorem *t, const bound_question *q, const bound *b)
{
  json_value v;
  diag d = { 0 };
  if (!t->accepts && !t->told)
    return true;
  if (json_read(&v, text_str(&b->parameters), b->parameters.n, "the bound's parameters", &d) != OK)
    return false;
  bool yes = (!t->accepts || t->accepts(q, b, &v)) && (!t->told || t->told->proves(q, b, &v, NULL));
  json_value_clear(&v);
  return yes;
}

static bool is_about(const bound_coq_theorem *t, const bound_question *q, const bound *b)
{
  if (strcmp(t->bound, b->name) != 0 || (q->g->graph && !t->accepts && !t->told))
    return false;
  if (t->graph && !q->g->graph && ((t->fixed && !is_fixed(q->g, t->fixed)) || !is_computation(q->g, t->family)))
    return false;
  return accepts(t, q, b);
}

static const bound_coq_theorem *theorem_of(const bound_question *q, const bound *b)
{
  if (mpz_sgn(b->value) <= 0) /* natural numbers; and there is nothing to prove */
    return NULL;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (is_about(&table[i], q, b))
      return &table[i];
  return NULL;
}

const bound_coq_theorem *bound_machine_checked(const bound_question *q, const bound *b)
{
  if (!b->checked->known)
    *b->checked = (struct bound_checked){ true, theorem_of(q, b) };
  return b->checked->theorem;
}

/* ---- the file ---- */

void coq_put_big(text *out, const mpz_t v)
{
  SCOPED_MEM char *digits = mem_new(mpz_sizeinbase(v, 10) + 2, 1);
  text_add(out, mpz_get_str(digits, 10, v));
}

/* A whole number, or whether something is so: 1 or 0. */
static bool get_number(const json_value *v, const char *key, mpz_t number)
{
  const json_value *member = json_get(v, key);
  mpz_set_ui(number, member && member->type == JSON_TRUE);
  return member && (member->type == JSON_TRUE || member->type == JSON_FALSE || json_get_big(v, key, number));
}

/* An object's member, or a list's item by its number. */
static const json_value *part(const json_value *v, const char *key)
{
  if (v && v->type == JSON_ARRAY) {
    size_t i = strtoul(key, NULL, 10);
    return i < v->n ? &v->item[i] : NULL;
  }
  return json_get(v, key);
}

/* "loads.segments", "kinds.0.weight": a member of the certificate's parameters; less: so much less */
static bool put_member(const json_value *v, char *path, unsigned less, text *out)
{
  for (char *dot; (dot = strchr(path, '.')); path = dot + 1) {
    *dot = '\0';
    v = part(v, path);
  }
  SCOPED_MPZ k;
  mpz_init(k);
  bool good = get_number(v, path, k);
  mpz_sub_ui(k, k, less);
  coq_put_big(out, k);
  return good;
}

static bool put_name(const bound_question *q, const bound *b, const json_value *v, char *name, text *out)
{
  int64_t value;
  char *less = strstr(name, "-1");
  if (less)
    *less = '\0';
  if (*name == '.')
    return put_member(v, name + 1, less != NULL, out);
  if (strcmp(name, "M") == 0)
    text_printf(out, "%" PRIu64, q->m);
  else if (strcmp(name, "value") == 0)
    coq_put_big(out, b->value);
  else if (parameter(q->g, name, strlen(name), &value))
    text_printf(out, "%" PRId64, value);
  else
    return false;
  return true;
}

/* The form with a number for each name in braces. */
static bool fill(const bound_question *q, const bound *b, const json_value *v, const char *form, text *out)
{
  bool good = true;
  char name[64];
  for (const char *open; good && (open = strchr(form, '{')); form = strchr(open, '}') + 1) {
    text_add_n(out, form, (size_t)(open - form));
    snprintf(name, sizeof name, "%.*s", (int)strcspn(open + 1, "}"), open + 1);
    good = put_name(q, b, v, name, out);
  }
  text_add(out, form);
  return good;
}

static void write_head(const bound_question *q, const bound *b, const bound_coq_theorem *t, const char *graph,
                       text *out)
{
  const char *file = strrchr(t->file, '/') + 1;
  text_printf(
      out,
      "(* %s, M = %" PRIu64
      ".  In the folder of redblue's proofs, after `make proofs`: coqc -w -notation-overridden -R . redblue FILE *)\n",
      b->name, q->m);
  text_printf(out,
              "From Coq Require Import ZArith NArith.\nFrom mathcomp Require Import all_ssreflect.\n"
              "From redblue Require Import Game.\nFrom redblue Require %.*s.\nFrom redblue Require Import %.*s.\n",
              (int)strcspn(graph, "."), graph, (int)(strlen(file) - 2), file);
  text_add(out, "Local Notation nat_ := N.to_nat.\nOpen Scope N_scope.\n\n");
}

/* The theorem's forms are filled with the numbers of parameters v.  plays: "s : seq (move (COMPUTATION))". */
static bool write_theorem(const bound_question *q, const bound *b, const bound_coq_theorem *t, const char *plays,
                          const char *integers, const json_value *v, text *out)
{
  const char *game = t->game ? t->game : "placing or sliding", *any = t->game ? "" : " game";
  bool once = strstr(t->theorem, "_once_") != NULL;
  text_printf(out, "(* every legal play, %s, %s *)\nTheorem redblue_bound%s :\n", game,
              once ? "that computes nothing twice" : "with recomputation or without", any);
  text_add(out, "  forall ");
  bool good = fill(q, b, v, plays, out);
  text_printf(out, ",\n  legal %s (nat_ ", t->game ? t->game : "game");
  good = good && fill(q, b, v, once ? "{M}) s -> one_shot s -> " : "{M}) s -> ", out) &&
         fill(q, b, v, "{value} <= N.of_nat (cost s).\nProof. by apply: (@", out);
  text_printf(out, "%s%s ", t->theorem, any);
  good = good && fill(q, b, v, integers, out);
  text_add(out, "); vm_compute. Qed.\nPrint Assumptions redblue_bound.\n");
  return good;
}

/* The text of q's computation, in numbers, and the exponents stand before the theorem. */
static bool write_statement(const bound_question *q, const bound *b, const bound_coq_theorem *t, const json_value *v,
                            text *out)
{
  text told[COQ_TEXTS] = { 0 }, integers = { 0 };
  bool good = t->told->proves(q, b, v, told);
  write_head(q, b, t, "Statement.", out);
  text_printf(
      out,
      "(* Extents of the loops of the result and of the sums, sizes of the inputs; of each operand the input and,\n"
      "   for each of its indices, the constant and the loops' coefficients: Statement.v says what it is. *)\n"
      "Definition statement := Statement.%s.\n"
      "(* How loops are split, the order in which they are told, the last first, the common denominator,\n"
      "   the exponents of chains and of operands: StatementCertificate.v. *)\n"
      "Definition exponents := %s.\n\n",
      text_str(&told[COQ_TEXT]), text_str(&told[COQ_CLAIM]));
  text_printf(&integers, "{M} statement exponents %s {value}", text_str(&told[COQ_CUTS]));
  good = good &&
         write_theorem(q, b, t, "s : seq (move (Statement.computation statement))", text_str(&integers), NULL, out);
  for (int i = 0; i < COQ_TEXTS; i++)
    text_clear(&told[i]);
  text_clear(&integers);
  return good;
}

static bool write_family(const bound_question *q, const bound *b, const bound_coq_theorem *t, const json_value *v,
                         text *out)
{
  text plays = { 0 };
  write_head(q, b, t, t->graph, out);
  text_printf(&plays, "s : seq (move (%s))", t->graph);
  bool good = write_theorem(q, b, t, text_str(&plays), t->integers, v, out);
  text_clear(&plays);
  return good;
}

/* The mask stands before the theorem. */
static bool write_listed(const bound_question *q, const bound *b, const bound_coq_theorem *t, const json_value *v,
                         text *out)
{
  text told[COQ_TEXTS] = { 0 }, plays = { 0 };
  bool good = t->told->proves(q, b, v, told);
  write_head(q, b, t, t->graph, out);
  text_printf(out,
              "From redblue Require Listed.\n\n"
              "(* Rows that are alike, one after the other, and the ranges of keys that they keep: Listed.v. *)\n"
              "Definition mask : Listed.listing :=\n  %s.\n\n",
              text_str(&told[COQ_TEXT]));
  text_printf(&plays, "s : seq (move (%s))", t->graph);
  good = good && write_theorem(q, b, t, text_str(&plays), t->integers, v, out);
  for (int i = 0; i < COQ_TEXTS; i++)
    text_clear(&told[i]);
  text_clear(&plays);
  return good;
}

/* Any affine text: that it has no circle, as no computation has, is left to the program. */
static bool write_text(const bound_question *q, const bound *b, const bound_coq_theorem *t, const json_value *v,
                       text *out)
{
  text told[COQ_TEXTS] = { 0 }, integers = { 0 };
  const char *claim = t->told->claim;
  bool good = t->told->proves(q, b, v, told);
  write_head(q, b, t, "Affine.", out);
  text_printf(out,
              "%s(* Of each array the extents and where its elements are; of each access reader, array read, extents\n"
              "   of indices that run, where it holds, the indices; outputs: Affine.v says what they are. *)\n"
              "Definition text := %s.\n"
              "(* Regions with their cases, inputs by arrays, outputs by arrays: CompulsoryCertificate.v. *)\n"
              "Definition ends := %s.\n\n",
              t->told->needs, text_str(&told[COQ_TEXT]), text_str(&told[COQ_ENDS]));
  if (claim)
    text_printf(out, "%sDefinition claim := %s.\n\n", claim, text_str(&told[COQ_CLAIM]));
  text_printf(&integers, "%stext ends %s%s%s{value}", claim ? "{M} " : "", claim ? "claim " : "",
              text_str(&told[COQ_CUTS]),
              told[COQ_CUTS].n ? " " : "");
  good = good && write_theorem(q, b, t, "(no : Affine.no_circle text) (s : seq (move (Affine.computation no)))",
                               text_str(&integers), NULL, out);
  for (int i = 0; i < COQ_TEXTS; i++)
    text_clear(&told[i]);
  text_clear(&integers);
  return good;
}

status bound_coq(const bound_question *q, const bound *b, text *out, diag *d)
{
  const bound_coq_theorem *t = bound_machine_checked(q, b);
  json_value v;
  if (!t)
    return diag_set(d, GAVE_UP, "limit",
                    "%s is not machine-checked for this computation (docs/proofs.md lists what is)", b->name);
  status st = json_read(&v, text_str(&b->parameters), b->parameters.n, "the bound's parameters", d);
  if (st != OK)
    return st;
  if (!(t->told ? t->told->write : write_family)(q, b, t, &v, out))
    st = diag_set(d, GAVE_UP, "limit", "%s has no such certificate", b->name);
  json_value_clear(&v);
  return st;
}
