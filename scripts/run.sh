#!/usr/bin/env bash
# scripts/run.sh [scene.json] [simrun options...]
# Installs what is missing, builds, runs a scene (default: scenes/first.json), draws it, and says where all is.
start=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

scene=$PWD/scenes/first.json
if [ $# -gt 0 ] && [ "${1#-}" = "$1" ]; then
  case $1 in /*) scene=$1 ;; *) scene=$start/$1 ;; esac
  [ -e "$scene" ] || give_up "there is no scene file $scene"
  shift
fi

install_missing
build release simrun simcheck
name=$(basename "$scene" .json)
mkdir -p results
say "running $scene"
build/release/apps/simrun "$scene" -o "results/$name.h5" "$@"

say "result: $PWD/results/$name.h5"
picture="results/$name.png"
if scripts/render.py "results/$name.h5" --moments 4 --columns 2 --size 800x560 -o "$picture" >/dev/null; then
  say "picture of four moments: $PWD/$picture"
fi
page="results/$name.html"  # its player takes node and npm; numbers and plots need neither
if scripts/report.py "results/$name.h5" -o "$page" >/dev/null 2>&1 || scripts/report.py "results/$name.h5" -o "$page" --no-player >/dev/null; then
  say "page with the numbers, to open in a browser: $PWD/$page"
fi
cat >&2 <<EOM
Look at it
  in a browser:   $page
  in ParaView:    open results/$name.xdmf
  as a film:      scripts/render.py results/$name.h5 --film results/$name.mp4
  as plots:       scripts/plot.py results/$name.h5
  in Python:      docs/post-processing.md
  judge it:       build/release/apps/simcheck results/$name.h5
EOM
