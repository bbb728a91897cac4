/* patience.h -- how many elements a search one by one may look at before it says that it gives up.

   A build for fuzzing (the macro is the one libFuzzer's documentation names) is less patient, so that an input takes
   milliseconds; what is answered is the same, what is given up comes sooner. */
#ifndef REDBLUE_PATIENCE_H
#define REDBLUE_PATIENCE_H

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define PATIENCE(steps) ((steps) >> 9)
#else
#define PATIENCE(steps) (steps)
#endif

#endif
