#!/usr/bin/env bash
# scripts/test.sh [ctest options...]
# Installs what is missing, builds and runs the whole test suite. PRESET=debug|asan|tsan|ci picks another build.
# WITH_SICONOS=1 installs Siconos too (680 MB); without it the comparison with it is skipped. WITH_SLURM=1 installs Slurm;
# without it sweeps as array jobs are not tested.
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

install_missing
preset=${PRESET:-release}
build "$preset"
say "testing"
ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" "$@"
