#!/bin/sh
# deps.sh PACKAGE... -- install the Debian packages that are missing, when this runs as root on an apt system;
# otherwise print the exact command and fail.  Says nothing when nothing is missing.
missing=
for p in "$@"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "redblue: not a Debian system; install the equivalents of:$missing" >&2
  exit 0 # the compiler will say what is really missing
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "redblue: installing$missing"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing >/dev/null && exit 0
  echo "redblue: apt-get failed" >&2
  exit 1
fi
echo "redblue: missing packages; run:  sudo apt-get install$missing" >&2
exit 1
