#!/bin/sh
# run.sh [NAME...] -- let every fuzz target beside this file (or those named) run, all of them within FUZZ_S seconds together, or
# FUZZ_RUNS inputs each.  With clang the library is built for libFuzzer under ASan and UBSan, otherwise for driver.c with what CC has.
# What a target finds is left in build/fuzz/found/ (a pair is made small first) and ends the run with 1.
: "${FUZZ_S:=60}" "${FUZZ_RUNS:=0}" "${SEED:=$(date +%s)}" "${JOBS:=2}"
here=tests/fuzz
targets="cdag sched pair edges dot graphml hyperdag matrixmarket certificate table"
[ $# -gt 0 ] || set -- $targets
if [ -z "$CC" ] || [ "$CC" = cc ]; then CC=cc; command -v clang >/dev/null && CC=clang; fi
if [ "$CC" = clang ]; then variant=fuzz driver=-fsanitize=fuzzer; else variant=asan driver=build/asan/tests/fuzz/driver.o; fi
make --no-print-directory -s -j"$JOBS" VARIANT=$variant CC="$CC" fuzz-targets FUZZ_MAIN="$driver" || exit 1
obj=build/$variant/fuzz
found=build/fuzz/found
mkdir -p $found
seconds=$((FUZZ_S / $#)); [ "$seconds" -gt 0 ] || seconds=1
[ "$FUZZ_RUNS" = 0 ] || seconds=1000000

# longest input of each target: what does not fit tells nothing new
longest() { case $1 in pair) echo 600 ;; certificate) echo 3000 ;; graphml | table) echo 1500 ;; *) echo 700 ;; esac; }

shrink() { # the pair of a crash, made small
  FUZZ_PAIR=$found/pair.txt $obj/pair "$1" >/dev/null 2>&1
  $obj/shrink $found/pair.txt | tee $found/pair-small.txt
}

for name in "$@"; do
  work=build/fuzz/corpus/$name
  mkdir -p "$work"
  echo "== $name, seed $SEED"
  export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:malloc_context_size=4:quarantine_size_mb=8 LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0
  if [ $variant = fuzz ]; then
    $obj/"$name" -max_total_time=$seconds -entropic=0 $([ "$FUZZ_RUNS" = 0 ] || echo "-runs=$FUZZ_RUNS") -seed="$SEED" -max_len="$(longest "$name")" -timeout=20 \
      -rss_limit_mb=3000 -dict=$here/words/"$name".dict -artifact_prefix=$found/"$name"- -print_final_stats=1 -verbosity="${VERBOSE:-0}" "$work" \
      $here/corpus/"$name" 2>$found/"$name".log </dev/null
  else
    $obj/"$name" -max_total_time=$seconds -runs="$FUZZ_RUNS" -seed="$SEED" $here/corpus/"$name" $here/words/"$name".dict $found/"$name"-last \
      2>$found/"$name".log </dev/null
  fi
  code=$?
  grep -E 'number_of_executed_units|Done' $found/"$name".log
  if [ $code != 0 ]; then
    grep -v '^stat::' $found/"$name".log | tail -n 60
    # shellcheck disable=SC2012
    case $name in pair) shrink "$(ls -t $found/pair-* | head -1)" ;; esac
    echo "$name failed; what it was given is in $found/"
    exit 1
  fi
done
