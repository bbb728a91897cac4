# certificates.awk -- of the theorems that the writer (certificates.c) has written one Coq file that asks for every certificate's check:
# yes with the program's integers, no when any one of them is made better by one.  Texts stand once, whatever is asked of them.
# The first file of each theorem stands whole in a module, and at the end Coq is asked what all of these rest on.
BEGIN {
  chunk = 50 # certificates of one theorem for each question to Coq
  print "From redblue Require Import Asked.\nOpen Scope N_scope."
}
# "@ THEOREM SPEC M BOUND", the file, "@"
$1 == "@" && NF > 1 { theorem = $2; sub(/_certificate$/, "", theorem); asked = $3 " " $4 " " $5; id++; file = claim = call = ""; next }
$1 == "@" { if (!(theorem in whole)) whole[theorem] = file; certificate(); next }
/^@/ { next }
!(theorem in whole) && !/^Print Assumptions/ { file = file $0 "\n" }
/^Definition (exponents|statement|text|ends|claim|mask) (: [A-Za-z.]+ )?:=/ { on = 1; what = $2; sub(/^Definition [a-z]*/, "Definition " what id) }
on { print; if (what == "claim") claim = claim $0; if (/\.$/) on = 0; next }
/apply: \(@/ {
  call = $0
  sub(/^.*\(@[a-z_0-9]*_certificate( game)? /, "", call); sub(/\); vm_compute.*$/, "", call)
  n = split(call, word, " ")
  for (w = 1; w <= n; w++) if (word[w] ~ /^(exponents|statement|text|ends|claim|mask)$/) word[w] = word[w] id
}

# the check with number k from the end changed by `by`, 0: none; MEMORY: of the first
function check(k, by, w, line, at) {
  at = k == "M" ? 1 : k ? n - k + 1 : 0
  if (at && by < 0 && word[at] == "0") return ""
  line = theorem (parted() ? "_numbers" : "_check")
  for (w = 1; w <= n; w++) line = line " " (w == at ? "(" word[w] (by < 0 ? " - 1)" : " + 1)") : word[w])
  return parted() ? "same" id " && " line : line
}
# Are what the text says and what the numbers say asked apart?
function parted() { return theorem ~ /^affine/ }
# Numbers from the end: value, `most`, `most_first`, segments - 1, `length`, `first`; of affine claims a list of groups, with ; between.
function better(line, some, at, g, cuts, part, m, s, of, block) {
  if (theorem ~ /^crossings/) return "1:1 2:1 4:1" # value, stores, loads
  if (theorem ~ /^pyramids/ || theorem == "compulsory") return "1:1"
  if (theorem ~ /three_ways$/) return "1:1 2:1" # of its lengths the program tries a few
  if (theorem ~ /^gates|^waits/) return "1:1 M:1" # value, memory
  # of a ragged block, of rows or of columns, the program takes a whole block, and Coq those there are
  if (theorem == "listed") {
    match(asked, /,b=[0-9]+/); block = substr(asked, RSTART + 3, RLENGTH - 3)
    if (match(asked, /:n=[0-9]+/) && substr(asked, RSTART + 3, RLENGTH - 3) % block) return ""
    if (match(asked, /,nk=[0-9]+/) && substr(asked, RSTART + 4, RLENGTH - 4) % block) return ""
  }
  if (theorem ~ /^besides.*backward_14$/) return "1:1 12:1" # the inputs besides, too
  if (theorem == "besides_covering_backward") return "1:1 12:1" of_cut()
  if (theorem == "besides_covering_attention") return "1:1 9:1" of_cut()
  if (theorem ~ /^besides/) return "1:1 7:1" of_cut()
  if (theorem ~ /backward_14$/) return "1:1" # the other numbers: its check allows a little more than the program finds, so that one less may do
  if (theorem !~ /^affine/) return "1:1" of_cut()
  line = "1:1"
  match(call, /\[:: [^]]*\]/)
  cuts = substr(call, RSTART + 4, RLENGTH - 5); gsub(/;/, " ", cuts)
  m = split(cuts, part, " ")
  at = 3
  for (g = m - 4; g > 0; g -= 5) { # first, length, segments - 1, most_first, most
    some = part[g + 4] == 0 && (part[g + 1] == 0 || part[g + 2] == 0) ? "8" : "8 6 4" # of one segment what the others do does not matter
    # where words are made the program's law allows a little more than Coq's: a segment more may do
    if (claim !~ /AffineClaim\.Maker/) { m = split(some, of, " "); for (s = 1; s <= m; s++) line = line " " (at + of[s]) ":1" }
    line = line " " (at + 2) ":-1" (some == "8" ? "" : " " at ":-1")
    at += 10
  }
  return line
}
# of one segment its length, their number and what they do does not matter
function of_cut() { return " 6:1" (call ~ / 0 0 [0-9]+ 0 [0-9]+$/ ? " 3:-1" : " 5:1 4:1 3:-1 2:-1") }

function certificate(m, c, change, part, line) {
  if (call == "") { print "no theorem for " asked >"/dev/stderr"; bad = 1; exit 1 }
  print "(* " id ": " asked " *)"
  if (parted()) print "Definition same" id " := Eval vm_compute in " theorem "_text text" id " ends" id " claim" id "."
  yes[theorem] = yes[theorem] (yes[theorem] == "" ? "" : ";\n  ") "(" id ", " check(0, 0) ")"
  m = split(better(), change, " ")
  for (c = 1; c <= m; c++) {
    split(change[c], part, ":")
    line = check(part[1], part[2])
    if (line != "") no[theorem] = no[theorem] (no[theorem] == "" ? "" : ";\n  ") "(" id ", " line ")"
  }
  if (++had[theorem] % chunk == 0) ask(theorem)
}
function ask(of) {
  printf "Goal True. idtac \"@ %s\". Abort.\nEval vm_compute in (wrong true [::\n  %s],\n  wrong false [::\n  %s]).\n", of, yes[of], no[of]
  yes[of] = no[of] = ""
}
END {
  if (bad) exit 1
  for (theorem in yes) if (yes[theorem] != "") ask(theorem)
  for (theorem in whole) {
    print "Module " theorem ".\n" whole[theorem] "End " theorem "."
    all = all "@" theorem ".redblue_bound,\n  "
  }
  print "Definition all_whole := (" all "tt).\nGoal True. idtac \"@@\". Abort.\nPrint Assumptions all_whole."
}
