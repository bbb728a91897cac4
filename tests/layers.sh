#!/bin/sh
# layers.sh -- how wide lines are, and who may include whom: cli -> report -> {bounds, schedules} -> pebble -> cdag -> base, never upwards; bounds
# and schedules do not know each other; GLPK, igraph and isl each have their one place; pebble knows none of them, nor has it GMP.
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
  schedules/tiler)
    echo schedules/language schedules/tiler/shape schedules/tiler/nests schedules/tiler/sweeps schedules/tiler/plain ;;
  schedules/tiler/shape) echo ;;
  schedules/tiler/nests) echo schedules/tiler/shape ;;
  schedules/tiler/circles) echo schedules/tiler/shape ;;
  schedules/tiler/sweeps) echo schedules/tiler/shape schedules/tiler/nests schedules/tiler/circles ;;
  schedules/tiler/plain) # what goes element by element asks for circles and lanes where they are better
    echo schedules/tiler/shape schedules/tiler/nests schedules/tiler/circles schedules/tiler/sweeps ;;
  bounds/check) echo bounds/check/reading bounds/check/affine bounds/check/gates bounds/check/graph ;;
  bounds/check/reading) echo bounds/check ;; # an oracle of cut.h
  bounds/check/affine) echo ;;
  bounds/check/gates) echo bounds/check/affine ;;
  bounds/affine) echo bounds/segment bounds/check/affine bounds/check/gates ;;
  bounds/affine/find) echo bounds/affine bounds/segment bounds/check/affine ;;
  bounds/affine/gates) echo bounds/affine bounds/segment bounds/check/affine bounds/check/gates ;;
  bounds/recognise) echo bounds/program bounds/check/reading ;;
  bounds/segment) echo bounds/recognise ;;
  bounds/program) echo bounds/recognise bounds/segment bounds/check/reading ;;
  bounds/geometry) echo bounds/recognise bounds/segment bounds/check/reading ;;
  bounds/graph) echo bounds/recognise bounds/program bounds/check/reading bounds/check/graph ;;
  bounds/literature) echo bounds/recognise bounds/check/reading ;;
  bounds/collection) echo bounds/recognise ;;
  bounds/coq) echo bounds/check/affine bounds/check/gates bounds/geometry ;; # reads claims as the checker does
  esac
}
sources=$(find base cdag pebble schedules bounds report cli -name '*.[ch]' | sort)
count=$(echo "$sources" | wc -l)
# "FOLDER INCLUDED FILE": each folder that another includes, with a file that does
arrows=$(awk '
  FNR == 1 { folder = FILENAME; sub(/\/[^\/]*$/, "", folder) }
  /^#include "[a-z_\/]*\/[a-z_0-9]*\.h"/ { split($0, part, "\""); to = part[2]; sub(/\/[^\/]*$/, "", to)
    if (!seen[folder, to]++) print folder, to, FILENAME }' $sources)
while read -r folder inc f; do
  room=${f%%/*}
  case " $(rooms_below "$room") " in *" ${inc%%/*} "*) ;; *) complain "$f includes $inc/, which is above $room/" ;; esac
  if [ "$folder" != "$room" ] && [ "${inc%%/*}" = "$room" ]; then
    case " $room $folder $(folders_below "$folder") " in *" $inc "*) ;; *) complain "$f includes $inc/, which is not below $folder/" ;; esac
  fi
done <<END
$arrows
END
# found PATTERN WHAT EXCEPT FILE...: the files but EXCEPT that have the pattern
found() {
  pattern=$1 what=$2 except=$3
  shift 3
  for f in $(grep -El "$pattern" "$@"); do [ "$f" = "$except" ] || complain "$f$what"; done
}
found '#include <glpk.h>' ' includes <glpk.h>' bounds/program/lp.c $sources
found '#include <igraph' ' includes <igraph.h>' bounds/graph/graph_tools.c $sources
found '#include <isl/' ' includes isl' '' $(echo "$sources" | grep -v '^cdag/import/flow/')
found '#include <(gmp|jansson|cairo)' ': the referee stays plain' '' $(echo "$sources" | grep '^pebble/')
# who checks certificates asks nothing of who finds bounds
checkers=$(echo "$sources" | grep '^bounds/check/')
for f in $(grep -El '^#include "bounds/' $checkers); do
  for inc in $(sed -n 's|^#include "bounds/\([a-z_/]*\).h".*|\1|p' "$f"); do
    case $inc in check/* | checker | bound) ;; *) complain "$f includes bounds/$inc.h" ;; esac
  done
done
# lines within the 120 columns of .clang-format; t_claims_projective.c is a table of macros, a claim a line
measured=$(echo "$sources"; find tests -name '*.[ch]' ! -name t_claims_projective.c | sort)
count=$((count + $(echo "$measured" | wc -l)))
wide=$(awk 'length($0) > 120 && !seen[FILENAME]++ { print FILENAME ":" FNR }' $measured)
for w in $wide; do complain "$w: more than 120 columns"; done
echo "$((count - bad)) passed, $bad failed"
[ $bad = 0 ]
