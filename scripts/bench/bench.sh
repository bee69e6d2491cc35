#!/usr/bin/env bash
# scripts/bench/bench.sh NAME [options...]: what the scripts beside it call. Installs what is missing, builds, and runs scripts/bench.py;
# with --simrun PATH (or --help) nothing is installed or built, with --plan nothing is built.
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"
case " $* " in
  *" --simrun"* | *" --help "* | *" -h "*) ;;
  *" --plan "*) WITH_PLOTS=1 install_missing ;;
  " all "* | " pull "*) WITH_PLOTS=1 WITH_FILMS=1 install_missing && build release simrun simcheck simsolve ;;
  *) WITH_PLOTS=1 install_missing && build release simrun simcheck simsolve ;;
esac
exec /usr/bin/python3 scripts/bench.py "$@"
