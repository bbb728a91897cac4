/* json.h -- writing JSON: integers of any size stay plain integers.  Commas and nesting are kept by the writer. */
#ifndef REDBLUE_JSON_H
#define REDBLUE_JSON_H

#include "base/diag.h"
#include "base/num.h"
#include "base/text.h"
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  text out;
  int depth;
  bool some[64];     /* something was already written at this depth */
  bool after_key;
} json;

void json_open(json *j, char bracket);   /* '{' or '[' */
void json_close(json *j, char bracket);  /* '}' or ']' */
void json_key(json *j, const char *key);
void json_string(json *j, const char *s);   /* NULL gives null */
void json_int(json *j, int64_t v);
void json_uint(json *j, num_count v);      /* null for NUM_TOO_MANY */
void json_big(json *j, const mpz_t v);
void json_real(json *j, double v);          /* shortest text that reads back; null when not finite */
void json_bool(json *j, bool v);
void json_raw(json *j, const char *s);      /* s is already JSON */
void json_clear(json *j);
#define SCOPED_JSON __attribute__((cleanup(json_clear))) json /* cleared where its block ends */

/* key and value in one call */
void json_put_open(json *j, const char *key, char bracket); /* what json_close closes */
void json_put_string(json *j, const char *key, const char *s);
void json_put_error(json *j,
                    const diag *d); /* the field "error": kind, message and, if there are such, file, line and column */
void json_put_int(json *j, const char *key, int64_t v);
void json_put_uint(json *j, const char *key, num_count v);
void json_put_bool(json *j, const char *key, bool v);
void json_put_real(json *j, const char *key, double v);
void json_put_big(json *j, const char *key, const mpz_t v);
void json_put_ints(json *j, const char *key, const int *v, int n);        /* a list */
void json_put_int64s(json *j, const char *key, const int64_t *v, int n);

#endif
