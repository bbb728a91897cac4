#!/bin/sh
# link.sh LIBRARIES OUT OBJECT... -- one WebAssembly module.  Linked for wasm64, where long has 64 bits, and then lowered: pointers stay 64 bits wide in the program and
# are cut to 32 at each load and store, so that any browser runs it.  --stack-first: a stack that overflows is a trap and not another value.
set -e
libraries=$1 out=$2
shift 2
system=${EM_CACHE:-$libraries/emscripten}/sysroot/lib/wasm64-emscripten
wasm-ld -mwasm64 --no-entry --allow-undefined --export=main --export=malloc --export=__wasm_call_ctors --stack-first -z stack-size=16777216 -s \
  --fatal-warnings -o "$out.64" "$@" "$libraries/lib/libglpk.a" "$libraries/lib/libgmp.a" "$system/libc.a" "$system/libdlmalloc.a" "$system/libcompiler_rt.a"
wasm-opt --enable-memory64 --enable-bulk-memory --enable-mutable-globals --memory64-lowering -O2 "$out.64" -o "$out"
rm "$out.64"
