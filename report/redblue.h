/* redblue.h -- everything a program may include, from C and from C++.

   The headers of the rooms are plain C and do not speak of C++; what they include from outside is included here first,
   so that only ours stand between the braces. */
#ifndef REDBLUE_H
#define REDBLUE_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "base/json.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/bound.h"
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "cdag/cdag.h"
#include "pebble/game.h"
#include "pebble/optimal.h"
#include "report/api.h"
#include "report/lesson.h"
#include "report/plot.h"
#include "report/setting.h"
#include "report/sweep.h"
#include "report/table.h"
#include "report/time.h"
#include "schedules/any.h"
#include "schedules/schedule.h"

#ifdef __cplusplus
}
#endif
#endif
