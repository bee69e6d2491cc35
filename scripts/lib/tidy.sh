#!/usr/bin/env bash
# Runs clang-tidy (of .clang-tidy) over the C++ sources, or over those named. Needs build/release to be configured.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v clang-tidy >/dev/null || { echo "clang-tidy is not installed" >&2; exit 1; }
[ -e build/release/compile_commands.json ] || cmake --preset release >/dev/null
[ $# -gt 0 ] && files=("$@") || mapfile -t files < <(git ls-files 'libsim/*.cpp' 'apps/*.cpp')
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet -p build/release
