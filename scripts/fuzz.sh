#!/usr/bin/env bash
# scripts/fuzz.sh [SECONDS [TARGET...]]: builds the libFuzzer targets of tests/fuzz and runs each for so long (default: an
# hour), two at a time. Prints a table; exit status 1 where one found something, which is then in build/fuzz/found.
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

seconds=${1:-3600}
[ $# -gt 0 ] && shift
[[ $seconds =~ ^[0-9]+$ ]] || give_up "\"$seconds\": expected how many seconds each target runs; usage: scripts/fuzz.sh [SECONDS [TARGET...]]"
export WITH_FUZZ=1
install_missing

simrun=${SIMRUN:-build/release/apps/simrun}
[ -n "${SIMRUN:-}" ] || build release simrun
build fuzz tests/fuzz/all
targets=("$@")
[ ${#targets[@]} -gt 0 ] || for file in build/fuzz/tests/fuzz/fuzz_*; do targets+=("${file##*/fuzz_}"); done

at=$PWD/build/fuzz
mkdir -p "$at/found" "$at/log" "$at/corpus"/{scene,expression,msh,vtk,node,obj,off,ply,stl,result,checkpoint,fclib}
"$simrun" tests/fuzz/whole.json -o "$at/whole.h5" --dump-problem 4 >"$at/log/whole.log" 2>&1 ||
  { cat "$at/log/whole.log" >&2; give_up "the result file to damage could not be made"; }
cp -n scenes/*.json tests/fuzz/whole.json "$at/corpus/scene/"
for format in msh vtk obj off ply stl; do cp -n tests/data/meshes/*."$format" "$at/corpus/$format/"; done
for node in tests/data/meshes/*.node; do { cat "$node"; printf '\0'; cat "${node%.node}.ele"; } >"$at/corpus/node/$(basename "$node")"; done
grep -ohE '"[^"]*\bt\b[^"]*[-+*/(][^"]*"' scenes/*.json | tr -d '"' | sort -u | split -l 1 - "$at/corpus/expression/"
head -c 64 /dev/zero | tee "$at"/corpus/{result,checkpoint,fclib}/zeros >/dev/null

run() {  # TARGET. What takes 120 s by the clock hangs, on a busy machine too.
  local whole=$at/whole.h5
  [ "$1" = fclib ] && whole=$at/whole.step4.hdf5
  SIMRUN_FUZZ_FILE=$whole ASAN_OPTIONS=detect_leaks=${LEAKS:-1} "$at/tests/fuzz/fuzz_$1" "$at/corpus/$1" \
    -max_total_time="$seconds" -timeout=120 -rss_limit_mb=4096 -max_len=20000 -print_final_stats=1 \
    -artifact_prefix="$at/found/$1-" >"$at/log/$1.log" 2>&1
}
export -f run
export at seconds

say "${#targets[@]} targets, $seconds s each, two at a time: $(((${#targets[@]} + 1) / 2 * seconds / 60)) minutes"
printf '%s\n' "${targets[@]}" | xargs -P 2 -I{} bash -c 'run {}; echo $? >"$at/log/{}.status"'

found=0
printf '| %-10s | %12s | %9s | %s |\n|---|---|---|---|\n' target inputs "features" ended
for target in "${targets[@]}"; do
  status=$(cat "$at/log/$target.status")
  inputs=$(grep -aoP 'number_of_executed_units: \K\d+' "$at/log/$target.log" | tail -1)
  features=$(grep -aoP ' ft: \K\d+' "$at/log/$target.log" | tail -1)
  [ "$status" -eq 0 ] || found=1
  printf '| %-10s | %12s | %9s | %s |\n' "$target" "${inputs:-?}" "${features:-?}" \
    "$([ "$status" -eq 0 ] && echo clean || echo "status $status: build/fuzz/log/$target.log")"
done
exit $found
