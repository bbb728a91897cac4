#!/bin/sh
# libraries.sh DIR -- what the program needs in WebAssembly, made in DIR: the C library and the compiler's own (Debian's emscripten, once, minutes), GMP and
# GLPK from Debian's source packages.  DIR/flags holds the compiler's flags.  EM_CACHE: where emscripten's libraries are or shall be.
# The target is wasm64, so that long has 64 bits as on the machines the program is written for; playground/link.sh makes it run on 32-bit engines.
set -e
dir=$(mkdir -p "$1" && cd "$1" && pwd)
cache=${EM_CACHE:-$dir/emscripten}
mkdir -p "$dir/lib" "$dir/include" "$dir/source"
flags="-target wasm64-unknown-emscripten -D__EMSCRIPTEN__ -fignore-exceptions --sysroot=$cache/sysroot -isystem $dir/include"

# Debian freezes the cache of its emscripten, which holds no wasm64
if ! [ -f "$cache/sysroot/lib/wasm64-emscripten/libdlmalloc.a" ]; then
  sed 's/^FROZEN_CACHE.*/FROZEN_CACHE = False/' /usr/share/emscripten/.emscripten > "$dir/emscripten.cfg"
  EM_CONFIG=$dir/emscripten.cfg EM_CACHE=$cache NODE_PATH=/usr/share/nodejs embuilder --wasm64 build libc libcompiler_rt libdlmalloc > "$dir/emscripten.log" 2>&1
fi

# apt-get source needs a deb-src line; this one is ours alone
fetch() {
  mkdir -p "$dir/apt/lists/partial"
  echo "deb-src http://deb.debian.org/debian $(. /etc/os-release; echo "$VERSION_CODENAME") main" > "$dir/apt/sources.list"
  own="-o Dir::Etc::sourcelist=$dir/apt/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$dir/apt/lists -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= -o APT::Sandbox::User="
  apt-get -q $own update > "$dir/apt/log" 2>&1
  (cd "$dir/source" && apt-get -q $own source --download-only "$1" >> "$dir/apt/log" 2>&1)
}

# The original with Debian's patches
unpack() {
  [ -d "$dir/source/$1" ] && return
  ls "$dir/source/$1"_*.orig.tar.* > /dev/null 2>&1 || fetch "$1"
  mkdir "$dir/source/$1.new"
  tar -xf "$(ls "$dir/source/$1"_*.orig.tar.?z)" -C "$dir/source/$1.new" --strip-components=1
  tar -xf "$(ls "$dir/source/$1"_*.debian.tar.xz)" -C "$dir/source/$1.new"
  if [ -f "$dir/source/$1.new/debian/patches/series" ]; then
    grep -v '^#' "$dir/source/$1.new/debian/patches/series" | while read -r patch rest; do patch -s -p1 -d "$dir/source/$1.new" < "$dir/source/$1.new/debian/patches/$patch"; done
  fi
  mv "$dir/source/$1.new" "$dir/source/$1"
}

# GMP's plain C.  It is configured for this machine, whose types are wasm64's (8 bytes for long and pointers), and compiled for wasm64.
if ! [ -f "$dir/lib/libgmp.a" ]; then
  unpack gmp
  (cd "$dir/source/gmp"
   mkdir -p doc && echo all: > doc/Makefile.in  # Debian's archive has no manual
   ./configure --disable-shared --disable-assembly --host=none-unknown-linux-gnu CC=cc CFLAGS=-O2
   sed -i 's/^#define HAVE_OBSTACK_VPRINTF 1//' config.h
   make -j2 CC="${CLANG:-clang} $flags" CFLAGS="-O2 -w" AR=llvm-ar RANLIB=llvm-ranlib all) > "$dir/gmp.log" 2>&1
  cp "$dir/source/gmp/gmp.h" "$dir/include/"
  cp "$dir/source/gmp/.libs/libgmp.a" "$dir/lib/" && llvm-ranlib "$dir/lib/libgmp.a"  # libtool took the ar of this machine
fi

# GLPK without its dynamic drivers
if ! [ -f "$dir/lib/libglpk.a" ]; then
  unpack glpk
  (cd "$dir/source/glpk/src"
   find . -name '*.c' | sort > ../files
   xargs -P2 -I@ sh -c '"${CLANG:-clang}" '"$flags"' -O2 -w -DHAVE_SYS_TIME_H -DHAVE_GETTIMEOFDAY -I. -Iamd -Iapi -Ibflib -Icolamd -Idraft -Ienv -Iintopt -Iminisat -Imisc -Impl -Inpp -Iproxy -Isimplex -Izlib -c @ -o @.o' < ../files
   find . -name '*.o' | sort | xargs llvm-ar qcs "$dir/lib/libglpk.a") > "$dir/glpk.log" 2>&1
  cp "$dir/source/glpk/src/glpk.h" "$dir/include/"
fi
for library in cairo isl; do
  [ -e "$dir/include/$library" ] || ln -s "/usr/include/$library" "$dir/include/$library"
done
echo "$flags" > "$dir/flags"
