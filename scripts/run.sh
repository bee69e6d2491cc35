#!/usr/bin/env bash
# scripts/run.sh [scene.json] [simrun options...]
# Installs what is missing, builds, runs a scene (default: scenes/first.json) and says where the result is.
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
if scripts/render.py "results/$name.h5" --frames last -o "$picture" >/dev/null 2>&1; then
  say "picture of the last frame: $PWD/$picture"
fi
cat >&2 <<EOM
Look at it
  in ParaView:    open results/$name.xdmf
  as pictures:    scripts/render.py results/$name.h5 --frames 0,last
  as plots:       scripts/plot.py results/$name.h5
  in Python:      docs/post-processing.md
EOM
