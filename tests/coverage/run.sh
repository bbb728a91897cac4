#!/bin/sh
# run.sh [FILE...] -- which branches of the trusted code no test takes.  Without files: the games and the certificate checker.
# A branch that nothing can take is marked in the source, with the reason, by a comment on its line or on the line above:
#   unreachable: an odd box has an odd side
# Such lines and asserts are left out; a mark on a line whose branches are all taken is said to be wrong.
# A header's code is that of every object of its room, and of every test that includes it, taken together.
# TESTS: the programs to run.  ROUNDS: as for the tests themselves.
: "${OBJ:=build/coverage}"
: "${TESTS:=t_judge t_element t_element_rows t_game t_game_bits t_any t_moves t_partition t_optimal t_rows t_schedule t_tiles t_tile t_tile_forward t_tile_library t_tile_long \
t_tile_programs t_tile_rule t_tile_shape t_tile_iterations t_lean t_tile_tables t_tile_growing t_triangle t_shear t_stretch t_lesson_watch \
t_backward t_bound_elimination t_bound_lines t_bound_own t_bound_reading t_bound_segment t_certificate t_check_damage t_checker_cover t_checker_parts t_checker_reading t_checker_shape t_claims t_claims_backward t_claims_covering t_claims_ways t_claims_graph t_claims_lowrank t_claims_projective t_covering t_fft t_lp_lowrank t_projective \
t_projective_cdag t_spectral t_wavefront}"
[ $# -gt 0 ] || set -- pebble/*.[ch] pebble/*/*.[ch] bounds/checker.h bounds/check/*.[ch] bounds/check/reading/*.[ch]
objects_of() { for file in "$@"; do case $file in *.h) ls "$(dirname "$file")"/*.c; grep -l "\"$file\"" tests/*.c ;; *) echo "$file" ;; esac; done | sort -u; }
# shellcheck disable=SC2086
make -s VARIANT=coverage $(for t in $TESTS; do echo "$OBJ/tests/$t"; done) "$OBJ/redblue" || exit 1
find "$OBJ" -name '*.gcda' -delete
REDBLUE=$(pwd)/$OBJ/redblue
export REDBLUE OBJ CK_FORK=no CK_VERBOSITY=minimal
# shellcheck disable=SC2086
printf '%s\n' $TESTS | xargs -P 2 -I{} sh -c "timeout 300 $OBJ/tests/{} >$OBJ/{}.log 2>&1 || { echo {} fails; tail -5 $OBJ/{}.log; }"
for file in $(objects_of "$@"); do
  gcov -b -c -t -s "$(pwd)" -r -o "$OBJ/$(dirname "$file")" "$file" 2>/dev/null
done >"$OBJ/branches"
awk -v files="$*" -f tests/coverage/branches.awk "$OBJ/branches"
