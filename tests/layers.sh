#!/bin/sh
# layers.sh -- how wide lines are, and who may include whom: cli -> report -> {bounds, schedules} -> pebble -> cdag -> base, never upwards; bounds
# and schedules do not know each other; GLPK and igraph each have their one place; pebble knows neither, nor has it GMP.
# Within a room a folder includes its own headers, those that lie in the room itself, and the folders named beside it here.
bad=0
complain() { echo "$1"; bad=$((bad + 1)); }
rooms_below() {
  case $1 in
  base) echo base ;;
  cdag) echo base cdag ;;
  pebble) echo base cdag pebble ;;
  schedules) echo base cdag pebble schedules ;;
  bounds) echo base cdag pebble bounds ;;
  report) echo base cdag pebble schedules bounds report ;;
  cli) echo base cdag pebble schedules bounds report cli ;;
  esac
}
# what a folder may include of the other folders of its room; docs/architecture.md says why an arrow runs both ways
folders_below() {
  case $1 in
  cdag/domain) echo cdag/language cdag/polyhedral ;; # sums over nests are counts of points
  cdag/polyhedral) echo cdag/language ;;
  cdag/import/flow) echo cdag/import cdag/import/c ;; # the text is read, then its dataflow analysed
  cdag/language) echo cdag/import ;; # a loop nest in C is opened as the text it is put into
  pebble/extrapolate) echo pebble/tile ;;
  pebble/tile) echo pebble/extrapolate ;; # both ways: the log that the engine keeps is what is extrapolated
  schedules/language) echo schedules/play ;; # both ways: the parsed tree is what is played
  schedules/play) echo schedules/language schedules/extrapolate ;;
  schedules/extrapolate) echo schedules/play schedules/sign ;;
  schedules/count) echo schedules/play schedules/extrapolate schedules/sign ;;
  schedules/sign) echo schedules/poly schedules/symbolic ;; # both ways: a sign is asked under a formula's assumptions
  schedules/symbolic) echo schedules/poly schedules/sign schedules/count ;;
  schedules/tune) echo schedules/language schedules/play schedules/count schedules/sign schedules/symbolic ;;
  schedules/tiler) echo schedules/language schedules/tiler/plain ;;
  schedules/tiler/plain) echo schedules/tiler ;; # both ways: the search asks for plain schedules, which read its shapes
  bounds/check) echo bounds/check/reading bounds/check/affine bounds/check/gates bounds/check/graph ;;
  bounds/check/reading) echo bounds/check ;; # an oracle of cut.h
  bounds/check/affine) echo ;;
  bounds/check/gates) echo bounds/check/affine ;;
  bounds/affine) echo bounds/segment bounds/check/affine bounds/check/gates ;;
  bounds/recognise) echo bounds/program bounds/check/reading ;;
  bounds/segment) echo bounds/recognise ;;
  bounds/program) echo bounds/recognise bounds/segment bounds/check/reading ;;
  bounds/geometry) echo bounds/recognise bounds/segment bounds/check/reading ;;
  bounds/graph) echo bounds/recognise bounds/program bounds/check/reading bounds/check/graph ;;
  bounds/literature) echo bounds/recognise bounds/check/reading ;;
  bounds/collection) echo bounds/recognise ;;
  esac
}
count=0
for f in $(find base cdag pebble schedules bounds report cli -name '*.[ch]' | sort); do
  count=$((count + 1))
  room=${f%%/*} folder=${f%/*}
  rooms=" $(rooms_below "$room") " folders=" $room $folder $(folders_below "$folder") "
  for inc in $(sed -n 's|^#include "\([a-z/]*\)/[a-z_0-9]*\.h".*|\1|p' "$f" | sort -u); do
    case $rooms in *" ${inc%%/*} "*) ;; *) complain "$f includes $inc/, which is above $room/" ;; esac
    if [ "$folder" != "$room" ] && [ "${inc%%/*}" = "$room" ]; then
      case $folders in *" $inc "*) ;; *) complain "$f includes $inc/, which is not below $folder/" ;; esac
    fi
  done
  if grep -q '#include <glpk.h>' "$f" && [ "$f" != bounds/program/lp.c ]; then complain "$f includes <glpk.h>"; fi
  if grep -q '#include <igraph' "$f" && [ "$f" != bounds/graph/graph_tools.c ]; then complain "$f includes <igraph.h>"; fi
  case $folder in bounds/check*) # who checks certificates asks nothing of who finds bounds
    for inc in $(sed -n 's|^#include "bounds/\([a-z_/]*\).h".*|\1|p' "$f"); do
      case $inc in check/* | checker | bound) ;; *) complain "$f includes bounds/$inc.h" ;; esac
    done ;;
  esac
  case $room in pebble) if grep -Eq '#include <(gmp|jansson|cairo)' "$f"; then complain "$f: the referee stays plain"; fi ;; esac
done
# lines within the 120 columns of .clang-format; t_claims_projective.c is a table of macros, a claim a line
for f in $(find base cdag pebble schedules bounds report cli tests -name '*.[ch]' ! -name t_claims_projective.c | sort); do
  wide=$(awk 'length($0) > 120 { print FNR; exit }' "$f")
  count=$((count + 1))
  [ -z "$wide" ] || complain "$f:$wide: more than 120 columns"
done
echo "$((count - bad)) passed, $bad failed"
[ $bad = 0 ]
