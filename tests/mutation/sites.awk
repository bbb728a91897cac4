# sites.awk -- where a C file can be corrupted: one line a site, "LINE COLUMN KIND FUNCTION GUARD I/N": the I-th of the N sites in
# the function that say GUARD (if, &&, < and so on).  FUNCTION GUARD I/N is what equivalent.txt calls it: names may change, but a
# site more or less is seen.  With -v line= column= kind=, print the file with that one site corrupted instead.
#   never   if (CONDITION)      ->  if (0 && (CONDITION)): a guard that never holds
#   swap    && || < <= > >= == !=  ->  || && <= < >= > != ==
# Comments, strings, preprocessor lines and loops' heads are left alone (a corrupted loop mostly runs for ever).
function code_of(s,   i, c, out, quoted) {   # the line with strings and comments blanked
  out = ""; quoted = ""
  for (i = 1; i <= length(s); i++) {
    c = substr(s, i, 1)
    if (inside) { if (substr(s, i, 2) == "*/") { inside = 0; out = out " "; i++ } out = out " "; continue }
    if (quoted != "") { if (c == "\\") { out = out "  "; i++; continue } if (c == quoted) quoted = ""; out = out " "; continue }
    if (c == "\"" || c == "'") { quoted = c; out = out " "; continue }
    if (substr(s, i, 2) == "/*") { inside = 1; out = out "  "; i++; continue }
    out = out c
  }
  return out
}
function closing(s, at,   depth, c) {        # the parenthesis that closes the one at `at`, on this line; 0: none
  depth = 0
  for (; at <= length(s); at++) {
    c = substr(s, at, 1)
    depth += (c == "(") - (c == ")")
    if (depth == 0) return at
  }
  return 0
}
function leave(   i) {                       # a function is at its end: its sites, now that they are counted
  for (i = 1; i <= sites; i++) print place[i], within, guard[i] " " number[i] "/" count[guard[i]]
  sites = 0
  split("", count)
}
function site(column_, kind_, guard_, from, n, with) {
  if (line == "") { place[++sites] = FNR " " column_ " " kind_; guard[sites] = guard_; number[sites] = ++count[guard_]; return }
  if (FNR == line && column_ == column && kind_ == kind) $0 = substr($0, 1, from - 1) with substr($0, from + n)
}
function swapped(op) {
  return op == "&&" ? "||" : op == "||" ? "&&" : op == "<" ? "<=" : op == "<=" ? "<" : op == ">" ? ">=" : op == ">=" ? ">" : op == "==" ? "!=" : "=="
}
{
  code = code_of($0); whole = $0
  if (match(code, /^[A-Za-z_][^=;]*\(/)) {
    leave()
    within = substr(code, 1, index(code, "(") - 1)
    sub(/.*[ *]/, "", within)
  }
  if (code !~ /^#/ && code !~ /(^|[^a-z_])(for|while|assert) *\(/) {
    at = match(code, /(^|[^a-z_])if \(/)
    if (at) {
      from = at + RLENGTH - 1; to = closing(code, from)
      if (to) site(from, "never", "if", from, to - from + 1, "(0 && " substr(whole, from, to - from + 1) ")")
    }
    if (code !~ /^[a-z].*;$/)
      for (i = 1; i < length(code); i++)
        if (match(substr(code, i), /^ (&&|\|\||<=|>=|==|!=|<|>) /)) {
          op = substr(code, i + 1, RLENGTH - 2)
          site(i + 1, "swap", op, i + 1, length(op), swapped(op))
          i += RLENGTH - 2
        }
  }
  if (line != "") print
}
END { if (line == "") leave() }
