#!/bin/sh
# make install into a folder of its own; a C program outside the tree built against it, shared and static; make uninstall leaves nothing.
t=$(mktemp -d); passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
case $OBJ in */release) ;; *) echo "only for the release build"; echo "0 passed, 0 failed"; rm -rf "$t"; exit 0 ;; esac
unset MAKEFLAGS MAKELEVEL MFLAGS
to="BUILD=$(dirname "$OBJ") VARIANT=release PREFIX=$t/usr"
# install asks for `all`; the build under test is up to date and must not be made again while other tests use it
make -s --no-print-directory $to -o all install > "$t/log" 2>&1; ok "install" $? 0
for f in bin/redblue lib/libredblue.a lib/libredblue.so lib/libredblue.so.0 lib/pkgconfig/redblue.pc include/redblue/bounds/bound.h \
  include/redblue/schedules/schedule.h share/man/man1/redblue.1 share/man/man1/redblue-plot.1 share/bash-completion/completions/redblue \
  share/zsh/site-functions/_redblue share/fish/vendor_completions.d/redblue.fish; do
  ok "there is $f" "$(test -s "$t/usr/$f" && echo yes)" yes
done
ok "no private header" "$(find "$t/usr/include" -name '*_internal.h' | wc -l)" 0
"$t/usr/bin/redblue" --version > "$t/version"; ok "the installed program" $? 0
ok "one version" "$(PKG_CONFIG_PATH=$t/usr/lib/pkgconfig pkg-config --modversion redblue)" "$(grep -o '[0-9.]*[0-9]' "$t/version" | head -1)"

cp examples/library.c "$t/"
export PKG_CONFIG_PATH="$t/usr/lib/pkgconfig"
(cd "$t" && ${CC:-cc} library.c -o shared $(pkg-config --cflags --libs redblue)) > "$t/log" 2>&1; ok "built on the shared library" $? 0
LD_LIBRARY_PATH=$t/usr/lib "$t/shared" > "$t/shared.out"; ok "runs" $? 0
ok "finds a legal schedule" "$(grep -c '^attenio: legal, [0-9]* words move$' "$t/shared.out")" 1
static=$(pkg-config --static --libs redblue | sed "s|-lredblue|$t/usr/lib/libredblue.a|")
(cd "$t" && ${CC:-cc} library.c -o static $(pkg-config --cflags redblue) $static) > "$t/log" 2>&1; ok "built on the static library" $? 0
"$t/static" > "$t/static.out"; ok "runs" $? 0
ok "the same answer" "$(cat "$t/static.out")" "$(cat "$t/shared.out")"
(cd "$t/usr/include/redblue" && find . -name '*.h' | sed 's|^./\(.*\)|#include "\1"|') > "$t/all.c"
echo 'int main(void) { return 0; }' >> "$t/all.c"
(cd "$t" && ${CC:-cc} -std=c11 -D_GNU_SOURCE -c all.c -o all.o $(pkg-config --cflags --static redblue)) > "$t/log" 2>&1 || cat "$t/log"
ok "every installed header is complete" "$(test -s "$t/all.o" && echo yes)" yes

for p in $(sed -n 's/^DEB := //p' Makefile); do ok "README names $p" "$(grep -c "apt-get install build-essential.* $p\|apt-get install $p" README.md)" 1; done

make -s --no-print-directory $to uninstall > "$t/log" 2>&1; ok "uninstall" $? 0
ok "nothing is left" "$(find "$t/usr" ! -type d | wc -l)" 0
# DESTDIR stands before everything, and is not in what the .pc file says
make -s --no-print-directory BUILD="$(dirname "$OBJ")" VARIANT=release PREFIX=/opt/rb DESTDIR="$t/root" -o all install > "$t/log" 2>&1; ok "install under DESTDIR" $? 0
ok "the program is under it" "$(test -x "$t/root/opt/rb/bin/redblue" && echo yes)" yes
ok "the prefix is without it" "$(head -1 "$t/root/opt/rb/lib/pkgconfig/redblue.pc")" "prefix=/opt/rb"
rm -rf "$t"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
