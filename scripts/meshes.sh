#!/usr/bin/env bash
# scripts/meshes.sh [bunny] [bunny-shells] [armadillo] [armadillo-small] [cage] [race] [chess] [chains] [letters] [skirt] [tied]     (default: all of them)
# Makes the meshes of the benchmarks in scenes/meshes: the Stanford bunny and Armadillo (from Debian's package libcgal-demo, not
# installed), remeshed to even triangles by CGAL, and the shapes of the pyramid, the bearing, the chess figures, chains, letters, the skirt, and ribbons tied to knots. What is
# there already is kept. Debian packages, installed if missing: libcgal-dev, for the remeshing.
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

FOLDER=scenes/meshes
SOURCE=$FOLDER/source
declare -A SUM=(
  [armadillo.off]=6f7f3ca1abc506569466b72f2f59d49493a284e7376d7a7e23c08115ec8cec4e
  [bunny00.off]=ab651cb04955c161efaeb079035a1e5e1f0e0d1f816a2df67beaea68f393ff2b)

is_genuine() { [ -s "$1" ] && [ "$(sha256sum "$1" | cut -d' ' -f1)" = "${SUM[$(basename "$1")]}" ]; }

# fetch FILE: the original model, from the Debian package that holds it.
fetch() {
  is_genuine "$SOURCE/$1" && return 0
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
    give_up "$1 comes in Debian's package libcgal-demo, and this system has no apt-get and dpkg-deb. Put the file into $SOURCE yourself:
  in that package it is data/meshes/$1 in usr/share/doc/libcgal-dev/data.tar.gz; sha256 ${SUM[$1]}"
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  say "downloading libcgal-demo (24 MB) for $1"
  (cd "$folder" && { apt-get download -q libcgal-demo || { as_root apt-get update -q && apt-get download -q libcgal-demo; }; }) >&2 ||
    give_up "the package libcgal-demo could not be downloaded, so there is no $1. Is the network there?"
  mkdir -p "$SOURCE"
  dpkg-deb --fsys-tarfile "$folder"/libcgal-demo_*.deb | tar -xO ./usr/share/doc/libcgal-dev/data.tar.gz |
    tar -xz -C "$SOURCE" --strip-components=2 data/meshes/armadillo.off data/meshes/bunny00.off ||
    give_up "this version of libcgal-demo does not hold data/meshes/$1"
  is_genuine "$SOURCE/$1" || give_up "$SOURCE/$1 is not the model that the benchmarks were made with: its sha256 is
  $(sha256sum "$SOURCE/$1" | cut -d' ' -f1), not
  ${SUM[$1]}"
}

# The remeshing program, compiled once.
remesher() {
  local program=build/meshes/remesh
  [ "$program" -nt scripts/meshes/remesh.cpp ] && return 0
  WITH_CGAL=1 install_missing
  mkdir -p build/meshes
  say "compiling scripts/meshes/remesh.cpp (about a minute)"
  g++ -std=c++17 -O2 -DNDEBUG scripts/meshes/remesh.cpp -o "$program" -lgmp -lmpfr ||
    give_up "the remeshing program does not compile; it needs CGAL 5 (libcgal-dev)"
}

# remeshed NAME ORIGINAL EDGE HEIGHT ITERATIONS
remeshed() {
  [ -s "$FOLDER/$1.off" ] && { echo "$FOLDER/$1.off: kept"; return 0; }
  fetch "$2"
  remesher
  counts=$(build/meshes/remesh "$SOURCE/$2" "$FOLDER/$1.new.off" "$3" "$4" "$5") || give_up "there is no $FOLDER/$1.off"
  mv "$FOLDER/$1.new.off" "$FOLDER/$1.off"
  echo "$FOLDER/$1.off: $counts"
}

# shaped FILE PROGRAM WORDS...: what a small program makes.
shaped() {
  local file=$FOLDER/$1 program=$2
  shift 2
  [ -s "$file" ] && [ "$file" -nt "scripts/meshes/$program" ] && { echo "$file: kept"; return 0; }
  "scripts/meshes/$program" "$file.new" "$@" || give_up "there is no $file"
  mv "$file.new" "$file"
  echo "$file: made"
}

mkdir -p "$FOLDER"
[ $# -gt 0 ] || set -- bunny bunny-shells armadillo armadillo-small cage race chess chains letters skirt tied
for name; do
  case $name in
    bunny) remeshed bunny bunny00.off 0.065 0.2 5 ;;
    bunny-shells) remeshed bunny-242 bunny00.off 0.109 0.2 5; remeshed bunny-611 bunny00.off 0.07 0.2 5 ;;
    armadillo) remeshed armadillo armadillo.off 1.8 1.5 5 ;;
    armadillo-small) remeshed armadillo-small armadillo.off 6.8 1.5 5 ;;
    cage) shaped cage.vtk cage.py ;;
    race) shaped race.off race.py 0.3 0.1 72 36 ;;
    chess) for figure in pawn rook knight bishop queen king; do shaped "$figure.vtk" turned.py "$figure"; done ;;
    chains) shaped chains-2x5.csv chains.py 2 5 0.06; shaped chains-10x20.csv chains.py 10 20 0.1 ;;
    letters) for letter in A E F H I K L M N O S T U X Z; do shaped "letter-$letter.off" letters.py "$letter"; done ;;
    skirt)
      for layer in 0 1 2 3 4 5; do shaped "skirt-$layer.off" skirt.py "$layer"; done
      for layer in 0 1 2; do shaped "skirt-small-$layer.off" skirt.py "$layer" small; done
      for part in hips leg; do shaped "skirt-$part.off" skirt.py "$part"; done
      for part in turn left right; do shaped "skirt-$part.csv" skirt.py "$part"; done ;;
    tied)
      for side in A B; do shaped "reef-$side.off" tied.py reef "$side"; done
      shaped bowline.off tied.py bowline
      for count in 42 119 162; do shaped "ball-$count.off" tied.py ball "$count"; done ;;
    *) give_up "there is no mesh $name; expected some of bunny bunny-shells armadillo armadillo-small cage race chess chains letters skirt tied" ;;
  esac
done
