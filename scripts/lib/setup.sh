# Sourced by the scripts beside it: go to the top of the checkout, install what is missing, build.
# Nothing is downloaded but Debian packages, and nothing at all when they are there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { printf '\033[1m== %s\033[0m\n' "$*" >&2; }
give_up() { printf 'error: %s\n' "$*" >&2; exit 1; }

# WITH_SICONOS=1, WITH_CGAL=1, WITH_PLOTS=1, WITH_FILMS=1, WITH_REPORT=1, WITH_SLURM=1, WITH_FUZZ=1, WITH_DEB=1: what comparing with Siconos, remeshing,
# figures, films, the player of scripts/report.py with its tests, the test of sweeps as array jobs,
# fuzzing and making a package need, too. A node with
# npm from elsewhere serves as well, and is no friend of Debian's npm.
packages() {
  grep -v '^#' scripts/lib/packages.txt
  [ -z "${WITH_CGAL:-}" ] || printf '%s\n' libcgal-dev
  [ -z "${WITH_PLOTS:-}" ] || printf '%s\n' python3-matplotlib
  [ -z "${WITH_SLURM:-}" ] || printf '%s\n' slurm-wlm munge
  [ -z "${WITH_REPORT:-}" ] || printf '%s\n' chromium
  [ -z "${WITH_REPORT:-}" ] || command -v npm >/dev/null || printf '%s\n' nodejs npm
  [ -z "${WITH_DEB:-}" ] || printf '%s\n' file dpkg-dev
  [ -z "${WITH_FUZZ:-}" ] || printf '%s\n' clang libclang-rt-14-dev
  [ -z "${WITH_FILMS:-}" ] || printf '%s\n' ffmpeg
  [ -z "${WITH_SICONOS:-}" ] || printf '%s\n' python3-scipy python3-siconos libfclib0
}

missing_packages() {
  local package
  packages | while read -r package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done
}

# as_root COMMAND...: plainly for root, else by sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

install_missing() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    give_up "this script installs Debian packages, and this system has no apt-get.
Install the like of these yourself, then run
    cmake --preset release && cmake --build build/release && ctest --preset release
$(packages | sed 's/^/  /')"
  fi
  local missing
  missing=$(missing_packages)
  [ -z "$missing" ] && return 0
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    give_up "these packages are missing, and you are neither root nor is there sudo:
  $missing
Ask an administrator to run:  apt-get install $missing"
  fi
  say "installing $missing"
  # shellcheck disable=SC2086
  if ! as_root env DEBIAN_FRONTEND=noninteractive sh -c "apt-get update -q && apt-get install -q -y --no-install-recommends $missing" >&2; then
    give_up "the packages could not be installed. Is the network there, and may you install packages?
To do it by hand:  apt-get install $missing"
  fi
}

# build PRESET [TARGET...]: configure and build these targets, or everything; quietly when nothing changed.
build() {
  local preset=$1
  shift
  say "building (preset $preset, into build/$preset)"
  cmake --preset "$preset" >"build-$preset.log" 2>&1 || { cat "build-$preset.log" >&2; give_up "cmake could not configure the build"; }
  rm -f "build-$preset.log"
  cmake --build "build/$preset" ${1:+--target "$@"} >&2
}
