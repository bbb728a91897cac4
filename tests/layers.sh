#!/bin/sh
# layers.sh -- who may include whom: cli -> report -> {bounds, schedules} -> pebble -> cdag -> base, never upwards; bounds
# and schedules do not know each other; GLPK and igraph each have their one place; pebble knows neither, nor has it GMP.
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
count=0
for room in base cdag pebble schedules bounds report cli; do
  below=" $(rooms_below $room) "
  for f in "$room"/*.c "$room"/*.h; do
    [ -f "$f" ] || continue
    count=$((count + 1))
    for inc in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$f" | sort -u); do
      case $below in *" $inc "*) ;; *) complain "$f includes $inc/, which is above $room/" ;; esac
    done
    if grep -q '#include <glpk.h>' "$f" && [ "$f" != bounds/lp.c ]; then complain "$f includes <glpk.h>"; fi
    if grep -q '#include <igraph' "$f"; then
      case $f in cdag/igraph_bridge.c | bounds/graph_tools.c) ;; *) complain "$f includes <igraph.h>" ;; esac
    fi
    case $f in bounds/checker*) # who checks certificates shares nothing with who finds bounds but two headers' types
      for inc in $(sed -n 's|^#include "bounds/\([a-z_]*\).h".*|\1|p' "$f"); do
        case $inc in checker* | bound | shape) ;; *) complain "$f includes bounds/$inc.h" ;; esac
      done ;;
    esac
    case $room in pebble) if grep -Eq '#include <(gmp|jansson|cairo)' "$f"; then complain "$f: the referee stays plain"; fi ;; esac
  done
done
echo "$((count - bad)) passed, $bad failed"
[ $bad = 0 ]
