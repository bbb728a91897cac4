#!/bin/sh
# bounds-catalogue.sh -- write docs/bounds-catalogue.md from the table of bounds of the program just built:
#   REDBLUE=build/redblue sh docs/bounds-catalogue.sh > docs/bounds-catalogue.md
: "${REDBLUE:=build/redblue}"
cat <<'E1'
# The bounds

The theorems that `redblue bound` tries, with what each asks for, where it holds and where its proof stands. Made from the table of bounds by `docs/bounds-catalogue.sh`; `make check` says when it is out of date. A bound that needs
`--limit-time` is marked *slow*.

| bound | what it counts | where it is proved |
|---|---|---|
E1
"$REDBLUE" bounds | awk '
  /^[^ ]/ { name = $1; slow = /needs --limit-time/ ? " *slow*" : "" }
  /^  source: / { sub(/^  source: /, ""); printf "| `%s`%s | %s | %s |\n", name, slow, summary, $0; next }
  /^  / { sub(/^  /, ""); summary = $0 }'
cat <<'E1'

`proved` and `certified` bounds may enter `best` and a ratio; how far the others can be trusted is said beside each (`numeric`, `published`, `asymptotic`,
`refuted`). Which of them apply to a computation, and in which games, is the answer of `redblue bound SPEC -M m`. Those with a certificate are derived again by
`redblue check` ([certificates](certificates.md)).
E1
