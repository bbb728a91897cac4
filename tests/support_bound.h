/* support_bound.h -- what tests of one theorem share: its bound of a description, the certificate, and the claim said
 * of other descriptions. */
#ifndef REDBLUE_SUPPORT_BOUND_H
#define REDBLUE_SUPPORT_BOUND_H

#include "bounds/bound.h"

/* A description that must be readable. */
cdag *bound_text_open(const char *source, const char *assign);
/* A family's text in which `from`, that must be there, says `to`. */
cdag *bound_family_changed(const char *spec, const char *from, const char *to);
/* What the best play known moves: the optimum, or what a tenth of a second found.  False: none. */
bool bound_least_cost(const cdag *g, uint64_t m, bool one_shot, uint64_t *cost);
/* The theorem's record, or NULL. */
const bound *bound_named(const bound_list *l, const char *theorem);
/* The certificate is valid and says the same value; with any of these numbers of it changed (each given as it stands
   before the number, such as "\"room\": ") it is refused. */
void bound_certificate_stands(const bound_question *q, const bound *b, const char *what, const char *const *number,
                              int numbers);
/* The same of the record that the theorem, asked alone, gives for g. */
void bound_own_certificate_stands(const char *theorem, const cdag *g, uint64_t m, const char *what,
                                  const char *const *number, int numbers);
/* The parameters of the theorem's record for g, which there must be; to be cleared. */
text bound_claim_of(const char *theorem, const cdag *g, uint64_t m);
/* Does the checker accept these parameters of the theorem for g?  It refuses with a sentence. */
bool bound_claim_holds(const char *theorem, const cdag *g, int64_t m, const char *parameters);
/* And does it find this value from them? */
bool bound_claim_gives(const char *theorem, const cdag *g, int64_t m, const char *parameters, const mpz_t value);
/* The k-th number of the text, larger by one; false when it has no such number. */
bool bound_claim_alter(const char *from, int k, text *to);
/* It refuses them, and the sentence has these words. */
void bound_claim_refused(const char *theorem, const cdag *g, int64_t m, const char *parameters, const char *why);

#endif
