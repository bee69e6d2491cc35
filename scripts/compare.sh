#!/usr/bin/env bash
# scripts/compare.sh scene.json [--solvers a,b,c] [options...]
# Several contact methods from one checkpoint over one window of steps, and their table. --help lists the options.
exec /usr/bin/python3 "$(dirname "${BASH_SOURCE[0]}")/compare.py" "$@"
