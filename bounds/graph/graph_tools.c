/* The one file of this room that includes igraph, and AMD of SuiteSparse. */
#include "bounds/graph/graph_tools.h"
#include "base/mem.h"
#include <igraph/igraph.h>
#include <math.h>
#include <suitesparse/amd.h>
#include "late_amd.h"
#include "late_igraph.h"

/* ---- elimination order ---- */

void bound_tools_order(uint32_t n, const uint64_t *at, const uint32_t *column, uint32_t *order)
{
  SuiteSparse_long *p = MEM_NEW(SuiteSparse_long, (size_t)n + 1), *i = MEM_NEW(SuiteSparse_long, at[n]),
                   *result = MEM_NEW(SuiteSparse_long, n);
  for (uint32_t v = 0; v <= n; v++)
    p[v] = (SuiteSparse_long)at[v];
  for (uint64_t e = 0; e < at[n]; e++)
    i[e] = column[e];
  SuiteSparse_long st = amd_l_order(n, p, i, result, NULL, NULL);
  for (uint32_t v = 0; v < n; v++)
    order[v] = st == AMD_OK || st == AMD_OK_BUT_JUMBLED ? (uint32_t)result[v] : v;
  mem_free(p);
  mem_free(i);
  mem_free(result);
}

/* ---- igraph, its error handler held ---- */

typedef struct {
  igraph_error_handler_t *error;
  igraph_warning_handler_t *warning;
} handlers;

static handlers hold(void)
{
  return (handlers){ igraph_set_error_handler(igraph_error_handler_ignore),
                     igraph_set_warning_handler(igraph_warning_handler_ignore) };
}

static status release(handlers h, igraph_error_t e, diag *d)
{
  igraph_set_error_handler(h.error);
  igraph_set_warning_handler(h.warning);
  return e == IGRAPH_SUCCESS ? OK : diag_set(d, SOLVER, "solver", "igraph: %s", igraph_strerror(e));
}

status bound_tools_eigenvalues_estimate(uint32_t n, const double *a, double *values, diag *d)
{
  igraph_matrix_t m;
  igraph_vector_t v;
  handlers h = hold();
  igraph_error_t e = igraph_matrix_init(&m, n, n);
  if (e != IGRAPH_SUCCESS)
    return release(h, e, d);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      MATRIX(m, i, j) = a[(size_t)i * n + j];
  e = igraph_vector_init(&v, n);
  if (e == IGRAPH_SUCCESS) {
    e = igraph_lapack_dsyevr(&m, IGRAPH_LAPACK_DSYEV_ALL, 0, 0, 0, 0, 0, 1e-14, &v, NULL, NULL);
    for (uint32_t i = 0; e == IGRAPH_SUCCESS && i < n; i++)
      values[i] = VECTOR(v)[i];
    igraph_vector_destroy(&v);
  }
  igraph_matrix_destroy(&m);
  return release(h, e, d);
}

typedef struct {
  bound_operator apply;
  void *context;
} operation;

static igraph_error_t apply(igraph_real_t *to, const igraph_real_t *from, int n, void *extra)
{
  const operation *o = extra;
  o->apply(o->context, (uint32_t)n, from, to);
  return IGRAPH_SUCCESS;
}

static void start_vector(igraph_matrix_t *vectors, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    MATRIX(*vectors, i, 0) = 1 + 0.5 * sin(1.7 * i + 0.3 * i * i);
}

static igraph_error_t run_arpack(uint32_t n, operation *o, uint32_t wanted, igraph_vector_t *v,
                                 igraph_matrix_t *vectors)
{
  igraph_arpack_options_t options;
  igraph_arpack_options_init(&options);
  options.n = (int)n;
  options.which[0] = 'L', options.which[1] = 'A';
  options.nev = (int)wanted;
  options.ncv = (int)(2 * wanted + 20 < n ? 2 * wanted + 20 : n);
  options.mxiter = 30;
  options.tol = 1e-8; /* of the vector: the value is twice as good */
  options.start = 1;
  start_vector(vectors, n);
  igraph_error_t e = igraph_arpack_rssolve(apply, o, &options, NULL, v, vectors);
  return e == IGRAPH_SUCCESS || options.nconv > 0 ? IGRAPH_SUCCESS : e;
}

status bound_tools_largest_estimate(uint32_t n, bound_operator op, void *context, uint32_t wanted, double *values,
                                    uint32_t *found, diag *d)
{
  igraph_matrix_t vectors;
  igraph_vector_t v;
  operation o = { op, context };
  handlers h = hold();
  *found = 0;
  igraph_error_t e = igraph_matrix_init(&vectors, n, 1);
  if (e != IGRAPH_SUCCESS)
    return release(h, e, d);
  e = igraph_vector_init(&v, 0);
  if (e == IGRAPH_SUCCESS) {
    e = run_arpack(n, &o, wanted, &v, &vectors);
    for (; e == IGRAPH_SUCCESS && *found < wanted && *found < igraph_vector_size(&v); ++*found)
      values[*found] = VECTOR(v)[*found];
    igraph_vector_destroy(&v);
  }
  igraph_matrix_destroy(&vectors);
  return release(h, e, d);
}
