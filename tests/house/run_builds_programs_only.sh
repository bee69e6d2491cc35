#!/usr/bin/env bash
# scripts/run.sh builds the programs and nothing else: who wants to see a scene move does not wait for tests.
# With a cmake that only writes down what it is asked for, and packages that are all there.
set -euo pipefail
unset PRESET  # as a user starts it, whatever preset these tests run in
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp -r "$1/scripts" "$1/scenes" "$place"
mkdir "$place/bin"
printf '#!/bin/sh\necho "$@" >>"%s/asked"\n' "$place" >"$place/bin/cmake"
printf '#!/bin/sh\nprintf installed\n' >"$place/bin/dpkg-query"
printf '#!/bin/sh\nexit 1\n' >"$place/bin/apt-get"
chmod +x "$place/bin/"*
PATH=$place/bin:$PATH "$place/scripts/run.sh" >/dev/null 2>&1 || true  # there is no program to run
grep -qx -- '--build build/release --target simrun simcheck' "$place/asked" || { cat "$place/asked"; exit 1; }
: >"$place/asked"
PATH=$place/bin:$PATH "$place/scripts/test.sh" >/dev/null 2>&1 || true
grep -qx -- '--build build/release' "$place/asked" || { cat "$place/asked"; exit 1; }
