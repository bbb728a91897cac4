#!/bin/sh
# The Python package against the library just built, the notebooks' cells one after the other, and the wheel's own copy.
: "${OBJ:?}"
if ! command -v python3 >/dev/null || ldd "$OBJ/libredblue.so" | grep -q -e asan -e ubsan -e gcov; then
  echo "no python3, or a build that a program of others cannot load"; echo "0 passed, 0 failed"; exit 0
fi
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
passed=0; failed=0
ok() { if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$*"; tail -20 "$work/log"; fi; }
PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 REDBLUE_LIBRARY=$OBJ/libredblue.so
export PYTHONPATH PYTHONDONTWRITEBYTECODE REDBLUE_LIBRARY
ok python3 -m unittest -q python/tests/test_redblue.py
# by Jupyter where it is, else cell by cell
if python3 -c 'import nbclient, ipykernel' 2>/dev/null; then run=jupyter; else run=cells; fi
for n in examples/notebooks/*.ipynb; do
  [ $run = cells ] || ok python3 -W ignore -c 'import sys, nbformat, nbclient
nbclient.NotebookClient(nbformat.read(sys.argv[1], 4), timeout=300, kernel_name="python3").execute()' "$n"
  [ $run = jupyter ] || ok python3 -c 'import json, sys
cells = [c for c in json.load(open(sys.argv[1]))["cells"] if c["cell_type"] == "code"]
space = {}
for c in cells: exec("".join(c["source"]), space)' "$n"
done
ok python3 python/make_wheel.py "$OBJ/libredblue.so" 0.0.0 "$work"
mkdir "$work/site"
ok python3 -m zipfile -e "$work"/redblue-*.whl "$work/site"
unset REDBLUE_LIBRARY
unset REDBLUE
ok env PYTHONPATH="$work/site" python3 -c 'import redblue; assert redblue.Computation("dot", k=3).bound(4).best.value == 7'
# and its own program, which pip makes executable where the archive says so and calls it a regular file; an unzipper does not
ok python3 -c 'import stat, sys, zipfile
mode = zipfile.ZipFile(sys.argv[1]).getinfo("redblue/redblue-program").external_attr >> 16
assert stat.S_ISREG(mode) and mode & 0o111, oct(mode)' "$work"/redblue-*.whl
chmod +x "$work/site/redblue/redblue-program"
ok env PYTHONPATH="$work/site" python3 -c 'import redblue; assert redblue.Computation("dot", k=3).optimal(4).io == 7'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
