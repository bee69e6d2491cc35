#!/usr/bin/env bash
# Fails when a C++ file is not as clang-format (of .clang-format) would have it. --fix formats in place.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v clang-format >/dev/null || { echo "clang-format is not installed: formatting was not checked" >&2; exit 0; }
files=$(git ls-files '*.cpp' '*.hpp')
if [ "${1:-}" = --fix ]; then
  clang-format -i $files
else
  clang-format --dry-run --Werror $files
fi
