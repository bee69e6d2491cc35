#!/usr/bin/env bash
# scripts/bench/auto.sh [options...]: --help lists them; docs/benchmarks.md tells what it is.
exec "$(dirname "${BASH_SOURCE[0]}")/bench.sh" auto "$@"
