#!/bin/sh
# With the plain build only: programs made with one line changed.
# Every counter, broken so that it counts too little, is seen: a play below a bound that holds, or two engines that do not agree, ends the answer with exit 5.
# Each row builds the program with one line changed.  ROUNDS above 1: all rows; otherwise a few.
: "${REDBLUE:?}" "${OBJ:?}" "${ROUNDS:=1}" "${CC:=cc}"
passed=0; failed=0
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "$*"; }
# compiled as what it is linked with: OBJ ends in the variant's name
variant=$(basename "$OBJ"); flags=$(make -s VARIANT="$variant" print-flags); libs=$(make -s VARIANT="$variant" print-libs)

"$REDBLUE" cdag matvec:m=3,n=3 --format edges >"$work/graph.edges"
"$REDBLUE" schedule "$work/graph.edges" -M 20 --limit-time 1 --moves "$work/graph.moves" >/dev/null
"$REDBLUE" moves dot:k=64 stream -M 4 >"$work/dot.moves"
printf 'input x[4,4]\noutput y[i:4, l:1] = x[i,*]\n' >"$work/few.cdag"

ask() { # the command of a row, by the program $1
  program=$1; shift
  (cd "$work" && timeout 60 "$program" "$@" >out 2>err)
}
# broken FILE FROM TO COMMAND...: with FROM, a literal text that FILE has once, become TO, the command ends with exit 5 and a sentence; as it is, with 0
broken() {
  file=$1 from=$2 to=$3; shift 3
  row=$((row + 1))
  [ "$ROUNDS" -gt 1 ] || [ $((row % 6)) = 1 ] || return
  ask "$REDBLUE" "$@" || { bad "$*: exit $? as it is: $(cat "$work/err")"; return; }
  FROM=$from TO=$to awk 'BEGIN { from = ENVIRON["FROM"]; to = ENVIRON["TO"] }
    { at = index($0, from); if (at && !done) { $0 = substr($0, 1, at - 1) to substr($0, at + length(from)); done = 1 } print } END { exit !done }' \
    "$file" >"$work/broken.c" || { bad "$file has no '$from'"; return; }
  # shellcheck disable=SC2086
  $CC $flags -O1 -w -c "$work/broken.c" -o "$work/broken.o" && $CC $flags -o "$work/broken" "$OBJ"/cli/*.o "$OBJ/gen/verbs.o" "$work/broken.o" "$OBJ/libredblue.a" $libs ||
    { bad "$file with '$to' does not build"; return; }
  ask "$work/broken" "$@"
  code=$?
  if [ $code = 5 ] && grep -q '^redblue: ....' "$work/err"; then good; else bad "$file with '$to': $*: exit $code: $(head -3 "$work/err")"; fi
}
dot="verify dot:k=64 stream -M 4"
# what a counter leaves out is a play that costs less than any can
broken pebble/tile/tile.c 'v->loads = num_plus(v->loads, volume);' 'v->loads = num_plus(v->loads, volume - 1);' $dot
broken pebble/tile/tile.c 'v->stores = num_plus(v->stores, volume);' ';' $dot
broken pebble/tile/tile.c 'v->computes = num_plus(v->computes, volume);' ';' $dot --engine both
broken pebble/tile/tile.c 't->base.loads[move->array] = num_plus(t->base.loads[move->array], volume);' ';' $dot --engine both
broken pebble/tile/tile.c 't->base.stores[move->array] = num_plus(t->base.stores[move->array], volume);' ';' $dot --engine both
broken pebble/extrapolate/forward.c 'more = num_plus(more, num_times(choose, v[0]));' 'more = num_plus(more, num_times(choose, v[0]) / 2);' $dot
broken pebble/extrapolate/forward.c 'v->loads = sum_beyond(m, marks, ' 'v->loads = sum_beyond(m, marks, 0 * ' $dot
broken pebble/extrapolate/forward.c 'v->stores = sum_beyond(m, marks, ' 'v->stores = sum_beyond(m, marks, 0 * ' verify matvec:m=64,n=4 rows -M 8 --engine both
broken pebble/extrapolate/forward.c 'v->computes = sum_beyond(m, marks, ' 'v->computes = sum_beyond(m, marks, 0 * ' $dot --engine both
broken pebble/element/run.c 'e->base.verdict.loads += length(w);' ';' verify attention:n=6,d=4 attenio -M 60 --engine element
broken pebble/element/run.c 'w->e->base.verdict.stores += length(w);' ';' verify matvec:m=4,n=4 rows -M 40 --engine element
broken pebble/element/run.c 'w->e->base.verdict.computes += length(w);' ';' verify matvec:m=4,n=4 rows -M 40 --engine both
broken pebble/element/run.c 'e->base.loads[w->move->array] += length(w);' ';' verify attention:n=6,d=4 attenio -M 60 --engine both
broken pebble/element/run.c 'w->e->base.stores[w->move->array] += length(w);' ';' verify matvec:m=4,n=4 rows -M 40 --engine both
broken pebble/element/point.c 'e->base.verdict.loads++;' ';' $dot --engine element
broken pebble/element/point.c 'e->base.loads[p.array]++;' ';' $dot --engine both
broken pebble/element/point.c 'e->base.stores[p.array]++;' ';' $dot --engine both
broken pebble/element/point.c 'e->base.verdict.stores++;' ';' $dot --engine element
broken pebble/element/point.c 'e->base.verdict.computes++;' ';' verify dot:k=64 dot.moves -M 4 --engine both
tree='verify tree:h=3 depth-first -M 6'
broken pebble/element/element.c 'e->base.verdict.loads++;' ';' $tree
broken pebble/element/element.c 'e->base.verdict.stores++;' ';' $tree
broken pebble/element/element.c 'v->computes++;' ';' $tree --engine both
broken pebble/element/steps.c 'e->base.verdict.loads++;' ';' verify graph.edges graph.moves -M 20
broken pebble/element/steps.c 'e->base.verdict.stores++;' ';' verify graph.edges graph.moves -M 20
broken pebble/judge.c 'p->v.loads++;' ';' verify graph.edges graph.moves -M 20 --engine both
broken pebble/judge.c 'p->v.stores++;' ';' verify graph.edges graph.moves -M 20 --engine both
broken pebble/judge.c 'p->v.computes++;' ';' verify graph.edges graph.moves -M 20 --engine both
broken pebble/partial.c 'e->base.verdict.computes++;' ';' verify attention:n=4,d=2 attenio -M 40 --rules partial --engine both
# where verdicts meet bounds elsewhere: the list of bounds, a table
broken pebble/tile/tile.c 'v->loads = num_plus(v->loads, volume);' 'v->loads = num_plus(v->loads, volume - 1);' bound dot:k=64 -M 4
broken pebble/tile/tile.c 'v->loads = num_plus(v->loads, volume);' 'v->loads = num_plus(v->loads, volume - 1);' table --spec dot --sweep k=64 --sweep M=4 --columns 'io(stream),bound'
broken pebble/tile/tile.c 'v->loads = num_plus(v->loads, volume);' 'v->loads = num_plus(v->loads, volume - 1);' table --spec dot --sweep k=64 --sweep M=4 --columns 'best,gap' --jobs 2
broken pebble/tile/tile.c 'v->loads = num_plus(v->loads, volume);' 'v->loads = num_plus(v->loads, volume - 1);' table --spec dot --sweep k=64 --sweep M=4 --columns 'best,bound'

# as it is: a schedule that breaks a rule is no contradiction, however little it moves
printf 'for i in 4 { load x[i,0] drop x[i,0] }\n' >"$work/short.sched"
ask "$REDBLUE" table --spec few.cdag --sweep M=9 --columns 'bound,io(short.sched)'
[ $? = 3 ] && grep -q "breaks rule 'output'" "$work/err" && good || bad "an illegal schedule below the bound in a table: $(cat "$work/err")"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
