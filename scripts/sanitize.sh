#!/usr/bin/env bash
# scripts/sanitize.sh [asan|tsan [ctest options...]]: builds and runs the whole test suite with AddressSanitizer and
# UndefinedBehaviorSanitizer, and again with ThreadSanitizer; or with one of them. For a nightly job: it takes hours.
# Exit status 1 where a test fails or a sanitizer complains. docs/security.md says when it last ran, and how it ended.
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

kinds=(asan tsan)
case "${1:-}" in
  "") ;;
  asan | tsan) kinds=("$1"); shift ;;
  *) give_up "\"$1\": expected asan or tsan; usage: scripts/sanitize.sh [asan|tsan [ctest options...]]" ;;
esac
export WITH_SICONOS=1 WITH_PLOTS=1
install_missing

export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1
export LSAN_OPTIONS=suppressions=$PWD/scripts/lib/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
# ThreadSanitizer of GCC 12 ends where the system scatters addresses more widely than it knows (vm.mmap_rnd_bits above 28).
as_known=()
! setarch "$(uname -m)" -R true 2>/dev/null || as_known=(setarch "$(uname -m)" -R)
status=0
for kind in "${kinds[@]}"; do
  build "$kind"
  say "testing ($kind)"
  "${as_known[@]}" ctest --test-dir "build/$kind" --output-on-failure --timeout 3600 -j "$(nproc)" "$@" || status=1
done
exit "$status"
