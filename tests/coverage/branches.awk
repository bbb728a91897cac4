# branches.awk -- of gcov's listings (-b -c -t): the branches that were not taken, and how many were, for each of `files`.
# A source that is compiled more than once (one object includes it) counts a branch as taken when one object takes it.
BEGIN { n = split(files, file, " "); for (i = 1; i <= n; i++) wanted[file[i]] = 1 }
function leave_out(text) {        # the comment may stand above; an assert goes on to its semicolon
  skip = asserting
  if (text ~ /(^|[^a-z_])assert\(/) { skip = 1; asserting = text !~ /;/ }
  else if (asserting) asserting = text !~ /;/
  marked = text ~ /unreachable: / || above
  above = text ~ /^ *\/\*.*unreachable: .*\*\/$/ || (above && text ~ /^ *\/\*.*\*\/$/)
}
/^ *-: *0:Source:/ { source = $0; sub(/.*Source:/, "", source); above = asserting = 0; next }
!wanted[source] { next }
/^branch/ {
  if (skip) next
  key = source SUBSEP line SUBSEP $2
  if (!(key in taken)) { numbers[source, line] = numbers[source, line] " " $2; taken[key] = 0 }   # calls are numbered among them
  if ($3 == "taken") taken[key] += $4
  next
}
/^ *[^:]+: *[0-9]+:/ {
  line = $0; sub(/^[^:]*: */, "", line); text = line; sub(/:.*/, "", line); sub(/^[0-9]*:/, "", text)
  line += 0
  leave_out(text)
  said[source, line] = text; mark[source, line] = marked
  if (line > last[source]) last[source] = line
}
function of_line(f, l,   b, k, number, s) {
  got = missed = 0
  k = split(numbers[f, l], number, " ")
  for (b = 1; b <= k; b++) { if (taken[f, l, number[b]]) got++; else { missed++; s = s " " b } }
  return s " of " k
}
END {
  for (i = 1; i <= n; i++) {
    f = file[i]; all = reached = unreachable = 0
    for (l = 1; l <= last[f]; l++) {
      if (!numbers[f, l]) continue
      which = of_line(f, l)
      reached += got
      if (mark[f, l]) {
        if (missed) unreachable += missed; else { print f ":" l ": marked unreachable, and taken:" said[f, l]; wrong++ }
      } else {
        all += missed
        if (missed) print f ":" l ":" which ":" said[f, l]
      }
      all += got
    }
    if (f ~ /\.h$/ && all + unreachable == 0) continue   # nothing but declarations
    summary = summary sprintf("%-34s %5d of %5d branches taken%s\n", f, reached, all, unreachable ? ", " unreachable " cannot be" : "")
    total += all; total_reached += reached; total_un += unreachable
  }
  printf "%s%-34s %5d of %5d branches taken, %d cannot be\n", summary, "all", total_reached, total, total_un
  exit total > total_reached || wrong > 0
}
