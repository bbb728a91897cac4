#!/bin/sh
# run.sh PROGRAM... -- run Check programs and the t_*.sh scripts beside this file, two at a time; sum what they say.
# A Check program runs in one process, which spares thousands of forks; when it fails, it runs again with each test in a process of its own, which
# outlives a crash, ends what hangs and says which it was.  It has failed all the same.
# OBJ: where the build is.  MOD: only tests whose name begins so.  WRAP: put before each program.  TEST_LIMIT: seconds for one test, in
# which everything ends that is not hanging.  SANITIZED: not empty when the build finds faults of memory; then the scripts that say
# "With the plain build only" are left out.
: "${OBJ:?}" "${TEST_LIMIT:=300}"
REDBLUE=$(cd "$OBJ" && pwd)/redblue
OBJ=$(cd "$OBJ" && pwd)
export REDBLUE OBJ ROUNDS TEST_LIMIT
if [ -z "$REDBLUE_DAGS" ] && [ -f ../shared/dags/README.md ]; then
  REDBLUE_DAGS=$(cd ../shared/dags && pwd)
  export REDBLUE_DAGS
fi
logs=$OBJ/logs
rm -rf "$logs"; mkdir -p "$logs"
list=
# Scripts first, and the longest before the others; then the longest programs: what is left at the end must be short.
long="docs nests paper proofs contributing outputs faults"
for s in $(for n in $long; do echo "tests/t_$n.sh"; done) tests/t_*.sh; do
  [ -f "$s" ] || continue
  case " $list " in *" $s "*) continue ;; esac
  [ -n "$SANITIZED" ] && grep -q '^# With the plain build only' "$s" && continue
  case $(basename "$s") in t_"$MOD"*) list="$list $s" ;; esac
done
for p in "$@"; do case $p in */t_tiler* | */t_bound_gates | */t_leading | */t_masks) list="$list $p" ;; esac; done
for p in "$@"; do case " $list " in *" $p "*) ;; *) list="$list $p" ;; esac; done
one='t=$1; n=$(basename "$t")
within() { timeout -k 5 "$TEST_LIMIT" "$@"; }
whole() { CK_FORK=no within "$t" || { echo "each test by itself:"; CK_FORK=yes within "$t"; false; }; }
{ case $t in *.sh) within sh "$t" ;; *) if [ -n "$CK_FORK$WRAP" ]; then within $WRAP "$t"; else whole; fi ;; esac; } >"$0/$n.log" 2>&1; echo $? >"$0/$n.rc"; times >"$0/$n.time"'
printf '%s\n' $list | xargs -P "${TEST_JOBS:-2}" -I{} sh -c "$one" "$logs" {}
passed=0; failed=0
for t in $list; do
  n=$(basename "$t")
  rc=$(cat "$logs/$n.rc" 2>/dev/null || echo 99)
  # Check's closing line, of several the last: "100%: Checks: 12, Failures: 0, Errors: 0"
  counts=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' "$logs/$n.log" | awk '{c=$1;f=$2+$3} END{if(NR)print c-f, f}')
  [ -n "$counts" ] || counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' "$logs/$n.log" | tail -1)
  if [ "$rc" != 0 ]; then
    [ "$rc" != 124 ] || rc="124: not done after $TEST_LIMIT s"
    echo "FAILED $n (exit $rc)"; tail -n 40 "$logs/$n.log"
    [ -n "$counts" ] || counts="0 1"
    [ "${counts#* }" != 0 ] || counts="${counts% *} 1"
  fi
  [ -n "$counts" ] || counts="1 0"
  passed=$((passed + ${counts% *})); failed=$((failed + ${counts#* }))
done
# where the time went: processor seconds of the slowest, user and system
[ -z "$TIMES" ] || (cd "$logs" && awk 'FNR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%7.1f %s\n", 60 * (u[1] + s[1]) + u[2] + s[2], FILENAME }' ./*.time | sort -rn | head -"$TIMES")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
