/* json_read.h -- reading JSON strictly (RFC 8259): numbers keep their digits, so that integers of any size arrive
   whole; a key given twice, anything after the value, nesting deeper than 64 and control characters in strings are
   errors. */
#ifndef REDBLUE_JSON_READ_H
#define REDBLUE_JSON_READ_H

#include "base/diag.h"
#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_type;

typedef struct json_value {
  json_type type;
  char *text;                 /* NUMBER: as written; STRING: decoded to UTF-8 */
  size_t n;                   /* ARRAY, OBJECT: items */
  struct json_value *item;
  char **key;                 /* OBJECT: n keys */
} json_value;

/* name is how messages call the text.  BAD_INPUT kind "format" with line and column. */
status json_read(json_value *v, const char *bytes, size_t n, const char *name, diag *d);
void json_value_clear(json_value *v);

/* The member, or NULL when v is NULL, no object or has none of that name. */
const json_value *json_get(const json_value *v, const char *key);
/* Value of a member of the right type; false (and *r untouched) otherwise.  Integers: digits with an optional minus
 * only. */
bool json_get_big(const json_value *v, const char *key, mpz_t r);
bool json_get_int(const json_value *v, const char *key, int64_t *r);
bool json_integer(const json_value *v, mpz_t r);  /* of the value itself */
bool json_integer64(const json_value *v, int64_t *r);
const char *json_get_string(const json_value *v, const char *key); /* borrowed, or NULL */
/* Integers from lo to hi.  A list has at most `most`: how many, or -1 when it is none of such; what was read before the
   fault is in to[]. */
bool json_get_int64_in(const json_value *v, const char *key, int64_t lo, int64_t hi, int64_t *r);
bool json_get_int_in(const json_value *v, const char *key, int lo, int hi, int *r);
int json_get_int64s(const json_value *v, const char *key, int most, int64_t lo, int64_t hi, int64_t *to);
int json_get_ints(const json_value *v, const char *key, int most, int lo, int hi, int *to);
/* The items of a list that has at most `most`: how many goes to *n; -1 and NULL otherwise. */
const json_value *json_get_items(const json_value *v, const char *key, int most, int *n);
/* FNV-1a, 64 bits, of the value as read: types, numbers as written, strings, keys in order; members called `skip` (may
   be NULL) at the top are left out.  To notice alterations, not to resist an adversary. */
uint64_t json_digest(const json_value *v, const char *skip);

#endif
