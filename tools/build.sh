#!/usr/bin/env bash
# Configures and builds a preset; says nothing when there is nothing to do.
#   tools/build.sh PRESET [TARGET...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
folder=build/$preset
mkdir -p "$folder"
log=$folder/build.log
quietly() {
  "$@" >"$log" 2>&1 || { tail -40 "$log" >&2; echo "The build failed; the whole log: $log" >&2; exit 1; }
}
[ -f "$folder/build.ninja" ] || quietly cmake --preset "$preset"
targets=()
[ $# -gt 0 ] && targets=(--target "$@")
if [ -t 1 ]; then
  cmake --build --preset "$preset" "${targets[@]}" -- --quiet
else
  quietly cmake --build --preset "$preset" "${targets[@]}"
fi
