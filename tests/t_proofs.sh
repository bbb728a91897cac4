#!/bin/sh
# The proofs' text: nothing is admitted, no axiom is declared, and what the documents say is proved is asked of Coq.
# Coq itself is asked by `make proofs`.
cd "$(dirname "$0")/.." || exit 1
passed=0; failed=0
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "$1"; }
files=$(find proofs -name '*.v')
# comments may speak of these; `Parameter` and `Axiom` may not occur, `Variable` and `Hypothesis` in a section only
bad=$(for f in $files; do
  awk -v f="$f" '
    /^[[:space:]]*(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture)([^a-zA-Z_]|$)/ || /[^a-zA-Z_](Admitted|admit)\./ { print f ":" NR ": " $0 }
    /^[[:space:]]*Section / { depth++ }
    /^[[:space:]]*End / { depth-- }
    /^[[:space:]]*(Variable|Variables|Hypothesis|Hypotheses|Context)[^a-zA-Z_]/ && depth < 1 { print f ":" NR ": outside of a section: " $0 }
    /-type-in-type|Unset (Guard|Positivity|Universe) Checking|bypass_check/ { print f ":" NR ": " $0 }' "$f"
done)
[ -n "$files" ] && [ -z "$bad" ] && pass || fail "$bad"
# what docs/proofs.md and README.md call machine-checked is among the final statements
for name in $(sed -n 's/.*`\([A-Za-z0-9_.]*\)` (proofs\/[A-Za-z/]*\.v).*/\1/p' docs/proofs.md README.md | sort -u); do
  grep -Eq "^Print Assumptions ([A-Za-z]*\.)?$name\.$" proofs/Main.v && pass || fail "$name: Main.v does not ask what it rests on"
done
# and a file said to hold it holds it
while read -r name file; do
  grep -Eq "^(Theorem|Lemma) $name\b" "$file" && pass || fail "$file has no theorem $name"
done <<END
$(sed -n 's/.*`\([A-Za-z0-9_.]*\)` (\(proofs\/[A-Za-z/]*\.v\)).*/\1 \2/p' docs/proofs.md README.md | sort -u)
END
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
