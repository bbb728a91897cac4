#!/bin/sh
# build.sh BUILD OUT [--if-possible] -- the playground: the program compiled to WebAssembly, its page, its examples, in OUT.
# With --if-possible a machine without the tools only says that it is left out.
build=$1 out=$2
missing=
for tool in emcc clang wasm-ld wasm-opt llvm-ar python3; do
  command -v "$tool" > /dev/null || missing="$missing $tool"
done
if [ -n "$missing" ]; then
  echo "the playground is left out: it wants$missing (Debian: emscripten, clang, lld, llvm, binaryen, python3)" >&2
  [ "$3" = --if-possible ]
  exit
fi
set -e
sh playground/libraries.sh "$build/wasm-libraries"
"${MAKE:-make}" --no-print-directory -j2 VARIANT=wasm BUILD="$build" "$build/wasm/redblue.wasm"
mkdir -p "$out"
python3 playground/page.py "$build/wasm/redblue.wasm" "$build/redblue" "$out" ${3:+--site}
