#!/bin/sh
# run.sh [NAME...] -- let every fuzz target beside this file (or those named) run, JOBS at a time and all of them within FUZZ_S seconds
# together, or FUZZ_RUNS inputs each.  With clang the library is built for libFuzzer under ASan and UBSan, otherwise for driver.c with what CC has.
# What a target finds is left in build/fuzz/found/ (a pair is made small first) and ends the run with 1.
: "${FUZZ_S:=60}" "${FUZZ_RUNS:=0}" "${SEED:=$(date +%s)}" "${JOBS:=2}"
here=tests/fuzz
targets="cdag sched moves pair edges dot graphml hyperdag matrixmarket certificate table"
[ $# -gt 0 ] || set -- $targets
if [ -z "$CC" ] || [ "$CC" = cc ]; then CC=cc; command -v clang >/dev/null && CC=clang; fi
if [ "$CC" = clang ]; then variant=fuzz driver=-fsanitize=fuzzer; else variant=asan driver=build/asan/tests/fuzz/driver.o; fi
make --no-print-directory -s -j"$JOBS" VARIANT=$variant CC="$CC" fuzz-targets FUZZ_MAIN="$driver" || exit 1
obj=build/$variant/fuzz
found=build/fuzz/found
mkdir -p $found
seconds=$((FUZZ_S * JOBS / $#)); [ "$seconds" -le "$FUZZ_S" ] || seconds=$FUZZ_S; [ "$seconds" -gt 0 ] || seconds=1
[ "$FUZZ_RUNS" = 0 ] || seconds=1000000

# longest input of each target: what does not fit tells nothing new
longest() { case $1 in pair) echo 600 ;; certificate) echo 3000 ;; graphml | table) echo 1500 ;; *) echo 700 ;; esac; }

shrink() { # the pair of a crash, made small
  FUZZ_PAIR=$found/pair.txt $obj/pair "$1" >/dev/null 2>&1
  $obj/shrink $found/pair.txt | tee $found/pair-small.txt
}

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:malloc_context_size=4:quarantine_size_mb=8 LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0
target() { # NAME
  work=build/fuzz/corpus/$1
  mkdir -p "$work"
  echo "== $1, seed $SEED"
  if [ $variant = fuzz ]; then
    $obj/"$1" -max_total_time=$seconds -entropic=0 $([ "$FUZZ_RUNS" = 0 ] || echo "-runs=$FUZZ_RUNS") -seed="$SEED" -max_len="$(longest "$1")" -timeout=20 \
      -rss_limit_mb=3000 -dict=$here/words/"$1".dict -artifact_prefix=$found/"$1"- -print_final_stats=1 -verbosity="${VERBOSE:-0}" "$work" \
      $here/corpus/"$1" 2>$found/"$1".log </dev/null
  else
    $obj/"$1" -max_total_time=$seconds -runs="$FUZZ_RUNS" -seed="$SEED" $here/corpus/"$1" $here/words/"$1".dict $found/"$1"-last \
      2>$found/"$1".log </dev/null
  fi
  code=$?
  grep -E 'number_of_executed_units|Done' $found/"$1".log
  [ $code != 0 ] || return 0
  grep -v '^stat::' $found/"$1".log | tail -n 60
  # shellcheck disable=SC2012
  case $1 in pair) shrink "$(ls -t $found/pair-* | head -1)" ;; esac
  echo "$1 failed; what it was given is in $found/"
  return 1
}
lane() { # every JOBS-th target, until one fails; what a target says comes in one piece
  while [ $# -gt 0 ]; do
    said=$(target "$1"); code=$?
    echo "$said"
    [ $code = 0 ] || return 1
    [ $# -gt "$JOBS" ] || return 0
    shift "$JOBS"
  done
}

lanes=
for first in $(seq "$JOBS"); do
  lane "$@" & lanes="$lanes $!"
  [ $# -gt 1 ] || break
  shift
done
failed=0
for lane in $lanes; do wait "$lane" || failed=1; done
exit $failed
