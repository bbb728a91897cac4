#!/bin/sh
# run.sh [FILE...] -- corrupt the trusted code one place at a time, and see that the tests notice.  Without files: every .c of the
# referee and of the certificate checker.  Each survivor is printed with its line: it wants a test, or FUNCTION GUARD I/N
# in equivalent.txt saying why no test can tell it from the original.
# KIND=never or swap: only such places.  EVERY=n: only every n-th place (FROM=k: from the k-th).  LIMIT=s: seconds a test may take, else it counts as noticed.
# AGAIN=file: only places that an earlier run printed, its output being in the file.  TESTS: the programs to ask, in the place of tests_of.
: "${CC:=cc}" "${EVERY:=1}" "${FROM:=1}" "${LIMIT:=120}" "${OBJ:=build/release}"
here=tests/mutation
: "${work:=build/mutation}"
mkdir -p $work/tests
referee="pebble/element/element.c pebble/element/end.c pebble/element/point.c pebble/element/rule.c pebble/element/run.c pebble/element/steps.c pebble/game.c pebble/judge.c \
pebble/partial.c pebble/tile/*.c pebble/extrapolate/*.c"
[ $# -gt 0 ] || set -- $referee bounds/check/*.c bounds/check/graph/*.[ch] bounds/check/affine/*.c bounds/check/reading/*.c

# what is asked, the quickest first: programs (program:case, one test case of it), which take the library from $work and before it the corrupted file
tests_of() {
  [ -z "$TESTS" ] || { echo "$TESTS"; return; }
  case $1 in
  pebble/tile/tiles*) echo t_tiles t_stretch t_tile t_tile_programs t_tile_library t_shear t_tile_long t_triangle t_tile_forward t_tile_tables ;;
  pebble/tile/shape*) echo t_tile_shape t_tile t_tile_programs ;;
  pebble/tile/* | pebble/extrapolate/*) echo t_tile_iterations t_tile_rule t_schedule t_tile t_element_rows t_tile_shape t_stretch t_tile_library t_tile_programs t_tile_long t_shear t_lean t_triangle t_tile_forward t_tile_alike t_tile_tables t_tile_growing ;;
  pebble/judge.c) echo t_judge t_schedule t_any ;;
  pebble/element/bits.c) echo t_element t_game_bits ;;
  pebble/*) echo t_element_rows t_element t_schedule t_any t_game t_moves t_tile ;;
  bounds/check/checker.c) echo t_certificate t_check_damage ;;
  bounds/check/spectral.c) echo t_claims_graph t_spectral ;;
  bounds/check/wavefront.c) echo t_claims_graph t_wavefront ;;
  bounds/check/positions.c | bounds/check/graph/closed.h) echo t_positions ;;
  bounds/check/affine/stored.c | bounds/check/affine/mirror.c | bounds/check/affine/together.c) echo t_claims_affine t_forged_sets t_forged_affine ;;
  bounds/check/pieces.c | bounds/check/graph/*) echo t_claims_graph t_pieces ;;
  bounds/check/fft.c) echo t_claims_graph t_fft ;;
  bounds/check/reading/graph.c) echo t_claims_graph t_spectral t_wavefront ;;
  bounds/check/reading/cover.c) echo t_checker_cover t_claims:rules t_claims:arrays ;;
  bounds/check/reading/shape.c) echo t_checker_shape t_claims:rules t_claims:arrays ;;
  bounds/check/cut.c | bounds/check/pairs.c) echo t_checker_parts t_claims_ways ;;
  bounds/check/covering.c) echo t_claims_backward t_claims_covering t_claims:hand t_backward t_claims:rules t_claims:arrays ;;
  bounds/check/compulsory.c) echo t_checker_parts t_claims:hand t_claims:graphs t_claims:arrays ;;
  bounds/check/reading/read.c | bounds/check/reading/live.c | bounds/check/reading/chain.c | bounds/check/reading/named.c | bounds/check/reading/selected.c) echo t_checker_reading:full t_checker_cover t_checker_shape t_bound_reading t_checker_reading:reading ;;
  bounds/check/reading/form.c) echo t_checker_parts t_checker_reading t_bound_reading t_covering t_backward ;;
  bounds/check/elimination.c) echo t_bound_elimination:claims ;;
  bounds/check/lowrank.c) echo t_lp_features t_claims_lowrank ;;
  bounds/check/reading/features.c | bounds/check/reading/monomials.c) echo t_lp_features t_claims_lowrank ;;
  bounds/check/projective*.c) echo t_claims_projective t_claims:rules t_projective_cdag t_claims:projective ;;
  bounds/check/lines.c) echo t_bound_lines:claims ;;
  bounds/check/crossings.c) echo t_bound_crossings:claims ;;
  bounds/check/pyramids.c | bounds/check/reading/grid.c) echo t_bound_pyramids:claims ;;
  bounds/check/small.c | bounds/check/segment.c) echo t_claims_ways t_checker_parts t_claims:hand t_bound_syrk t_claims:rules t_claims:arrays ;;
  bounds/check/*) echo t_checker_parts t_claims ;;
  schedules/extrapolate/alike.c) echo t_tile_alike t_masks ;;
  esac
}
link_tests() {
  for t in "$@"; do
    t=${t%%:*}
    [ -f $OBJ/tests/"$t".o ] || continue
    [ -x $work/tests/"$t" ] && [ $work/tests/"$t" -nt $OBJ/tests/"$t".o ] && continue
    # shellcheck disable=SC2046,SC2086
    $CC -o $work/tests/"$t" $OBJ/tests/"$t".o $OBJ/tests/support*.o -L$work -lredblue $(pkg-config --libs check igraph) $libs || exit 1
  done
}
# $work/mutant.c as objects that take the place of the file's own; of a header, all of its room that include it
compile_mutant() {
  rm -rf $work/mutant*.o $work/room
  case $1 in
  *.h)
    mkdir -p "$work/room/$(dirname "$1")"
    cp $work/mutant.c "$work/room/$1"
    for source in $(grep -l "\"$1\"" "$(dirname "$1")"/*.c); do
      # shellcheck disable=SC2086
      $CC -I$work/room $flags -O1 -g0 -w -c "$source" -o "$work/mutant_$(basename "$source" .c).o" 2>/dev/null || return 1
    done ;;
  # shellcheck disable=SC2086
  *) $CC $flags -O1 -g0 -w -c $work/mutant.c -o $work/mutant.o 2>/dev/null ;;
  esac
}
listed() { grep -qxF "$(printf '%s\t%s\t%s' "$1" "${2%% *}" "${2#* }")" $here/equivalent.txt; } # FILE, "FUNCTION GUARD I/N"
linked() { # a library of the objects $2 ...
  out=$1; shift
  # shellcheck disable=SC2086
  $CC -shared -o "$out.new" "$@" $libs 2>/dev/null && mv "$out.new" "$out"
}
noticed() { # by whom
  for t in "$@"; do
    case $t in *:*) only=CK_RUN_CASE=${t#*:} ;; *) only= ;; esac
    [ -x $work/tests/"${t%%:*}" ] || continue
    # shellcheck disable=SC2086
    timeout "$LIMIT" env LD_LIBRARY_PATH=$work LD_PRELOAD=$mutant FIRST_FAILURE=1 CK_FORK=no CK_VERBOSITY=silent $only $work/tests/"${t%%:*}" >/dev/null 2>&1 || { echo "$t"; return 0; }
  done
  return 1
}

# shellcheck disable=SC2046
make -s all $(for file in "$@"; do for t in $(tests_of "$file"); do echo "$OBJ/tests/${t%%:*}"; done; done | sort -u) || exit 1
flags=$(make -s print-flags)
libs=$(make -s print-libs)
objects=$(make -s print-objects)
tried=0; survived=0; known=0; number=0
# shellcheck disable=SC2086
linked $work/libredblue.so $objects || { echo "the library does not link"; exit 1; }
for file in "$@"; do
  tests=$(tests_of "$file")
  mutant=
  # shellcheck disable=SC2086
  link_tests $tests
  # shellcheck disable=SC2086
  if by=$(noticed $tests); then echo "$file: $by fails as it is"; exit 1; fi
  awk -f $here/sites.awk "$file" >$work/sites
  while read -r line column kind place; do
    [ -z "$KIND" ] || [ "$kind" = "$KIND" ] || continue
    [ -z "$AGAIN" ] || grep -qF "$file:$line: $kind@$column:" "$AGAIN" || continue
    number=$((number + 1))
    [ $(((number - FROM) % EVERY)) = 0 ] || continue
    if listed "$file" "$place"; then known=$((known + 1)); continue; fi
    awk -v line="$line" -v column="$column" -v kind="$kind" -f $here/sites.awk "$file" >$work/mutant.c
    compile_mutant "$file" || continue
    tried=$((tried + 1))
    mutant=$work/mutant.so # its functions go before the library's own
    linked $mutant $work/mutant*.o
    # shellcheck disable=SC2086
    if ! noticed $tests >/dev/null; then
      survived=$((survived + 1))
      echo "$file:$line: $kind@$column: $place: $(sed -n "${line}p" $work/mutant.c | sed 's/^ *//')"
    fi
  done <$work/sites
done
echo "$tried corrupted places, $survived not noticed, $known known to make no difference"
[ $survived = 0 ]
