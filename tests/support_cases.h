/* support_cases.h -- the cases of a test, from a text a person can read:

     # a remark
     == SETTING     a computation begins: its text follows
     -- REASON      a case: lines of its own, each in the place of the computation's line that begins alike (up to its
                    first bracket), else behind them all (a table: in front); "!S" leaves
                    out the line that begins with S
     < QUESTION     what is asked; lines that begin with a space go on with it
     > ANSWER       and answered; it may go on in lines that begin with ";", and more questions and answers may follow

   SETTING, text and QUESTION mean what the test says. */
#ifndef REDBLUE_TESTS_SUPPORT_CASES_H
#define REDBLUE_TESTS_SUPPORT_CASES_H
#include "base/text.h"

typedef struct {
  int line; /* of the answer */
  char *setting, *text, *reason, *ask, *answer;
} test_case;

typedef struct { const char *path; test_case *item; int n; } test_cases;

/* The cases of tests/cases/NAME.txt, kept until the program ends. */
test_cases cases_read(const char *name);
#endif
