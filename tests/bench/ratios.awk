# ratios.awk -- from what the benchmarks print, the numbers that hold across machines: ratios of processor times on one machine, and bytes.
# Prints "NAME<TAB>VALUE" lines in a fixed order; "-" when a benchmark did not run.
function find(s, what,   at) { at = match(s, "[0-9.]+ " what); return at ? substr(s, at) + 0 : "-" }
/^== / { section = $2 }
/^graph file of/ { where = "graph" }
/^attention:n=1024,d=64/ { where = "" }
/^attention:n=128,d=32/ { where = "small" }
/^explicit graph/ { where = "explicit" }
/^list of/ { where = "list" }
/^attention:n=131072,d=128, attenio/ { where = "big" }
/^attention:n=1000000/ { where = "" }
section == "game" && where == "graph" && /^  memory/ { value["bytes a vertex, graph"] = $2 }
section == "game" && where == "small" && /^  rows/ { value["rows / reference"] = find($0, "times the reference") }
section == "game" && where == "small" && /^  plain path/ { value["plain / reference"] = find($0, "times the reference") }
section == "game" && where == "explicit" && /^  moves in memory/ { value["trace / reference"] = find($0, "times the reference") }
section == "game" && where == "list" && /^  moves read as text/ { value["list / reference"] = find($0, "times the reference") }
section == "game" && where == "list" && /^  moves read as bytes/ { value["bytes / reference"] = find($0, "times the reference") }
section == "tile" && where == "big" && /^  count/ { count = $2 }
section == "tile" && where == "big" && /^  fast-forward/ { forward = $2 }
section == "tile" && where == "big" && /^  every iteration/ { every = $3 }
section == "tile" && where == "big" && /^  a box/ { value["box / program"] = $(NF - 1) > 0 ? sprintf("%.1f", $3 / $(NF - 1)) : "-"; where = "" }
section == "any_graph" && /plain lines are read/ { value["plain lines / lines"] = $5 }
section == "any_graph" && /geometric means/ { value["found / depth-first"] = $6 + 0; value["found / proved"] = $10 }
END {
  if (forward > 0) value["every iteration / inferred"] = sprintf("%.0f", every / forward)
  n = split("rows / reference|plain / reference|trace / reference|bytes a vertex, graph|box / program|every iteration / inferred|plain lines / lines|found / depth-first|found / proved|list / reference|bytes / reference", name, "|")
  for (i = 1; i <= n; i++) printf "%s\t%s\n", name[i], (name[i] in value) ? value[name[i]] : "-"
}
