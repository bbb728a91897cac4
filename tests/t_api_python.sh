#!/bin/sh
# The Python example of docs/library.md prints what the document says, through ctypes and the shared library just built.
: "${OBJ:?}"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
if ! command -v python3 >/dev/null || ldd "$OBJ/libredblue.so" | grep -q -e asan -e ubsan; then
  echo "no python3, or a build that a program of others cannot load"; echo "0 passed, 0 failed"; exit 0
fi
ln -s "$OBJ/libredblue.so" "$work/libredblue.so.0"
awk '/^```python$/{on=1;next} /^```$/{on=0} on' docs/library.md >"$work/example.py"
awk '/^prints$/{ready=1} ready&&/^```$/{n++;next} n==1' docs/library.md >"$work/expected"
LD_LIBRARY_PATH=$work python3 "$work/example.py" >"$work/out" 2>"$work/err"
if [ -s "$work/expected" ] && cmp -s "$work/out" "$work/expected"; then echo "1 passed, 0 failed"; exit 0; fi
diff "$work/expected" "$work/out"; cat "$work/err"
echo "0 passed, 1 failed"; exit 1
