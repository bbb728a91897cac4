#!/bin/sh
# With the plain build only: programs made with one line changed.
# A condition that the checker of certificates forgets to ask is seen: forged certificates (t_forged) are then found valid that say more than a play costs.
# Each row builds that test with one line of the checker changed.  ROUNDS above 1: all rows; otherwise one.
: "${OBJ:?}" "${ROUNDS:=1}" "${CC:=cc}"
passed=0; failed=0
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "$*"; }
# compiled as what it is linked with: OBJ ends in the variant's name
variant=$(basename "$OBJ"); flags=$(make -s VARIANT="$variant" print-flags)
libs="$(pkg-config --libs check igraph) $(make -s VARIANT="$variant" print-libs)"

# forgotten SEED N FILE FROM TO: with FROM, a literal text that FILE has, become TO, the seeds from SEED on forge a false certificate
forgotten() {
  seed=$1 many=$2 file=$3 from=$4 to=$5
  row=$((row + 1))
  [ "$ROUNDS" -gt 1 ] || [ $row = 1 ] || return
  FROM=$from TO=$to awk 'BEGIN { from = ENVIRON["FROM"]; to = ENVIRON["TO"] }
    { at = index($0, from); if (at && !done) { $0 = substr($0, 1, at - 1) to substr($0, at + length(from)); done = 1 } print } END { exit !done }' \
    "$file" >"$work/broken.c" || { bad "$file has no '$from'"; return; }
  # shellcheck disable=SC2086
  $CC $flags -O1 -w -c "$work/broken.c" -o "$work/broken.o" &&
    $CC $flags -o "$work/forged" "$OBJ/tests/t_forged.o" "$OBJ"/tests/support*.o "$work/broken.o" "$OBJ/libredblue.a" $libs || { bad "$file with '$to' does not build"; return; }
  CK_FORK=no FORGED_FROM=$seed FORGED_MANY=$many timeout 300 "$work/forged" >"$work/out" 2>&1
  if grep -q 'is found valid, and .* costs' "$work/out"; then good; else bad "$file with '$to': no forgery is found out"; fi
}
forgotten 22 1 bounds/check/checker.c 'return !(*named & ~models) ||' 'return true ||'
forgotten 0 200 bounds/check/checker.c '  if (unsaid) {' '  if (0) {'
forgotten 0 200 bounds/check/checker.c 'mpz_cmp(value, claimed) == 0' 'mpz_cmp(value, claimed) <= 0'
forgotten 0 200 bounds/check/compulsory.c 'within(c, checker_inputs(c->g, live), checker_outputs(c->g), value' 'within(c, UINT64_MAX, UINT64_MAX, value'
forgotten 0 200 bounds/check/crossings.c 'return good || bound_refuse(reason, "this is no pyramid' 'return true || bound_refuse(reason, "this is no pyramid'
# as it is, the same seeds forge nothing that is false
CK_FORK=no FORGED_FROM=22 FORGED_MANY=1 "$OBJ/tests/t_forged" >"$work/out" 2>&1 && good || bad "as it is: $(cat "$work/out")"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
