#!/usr/bin/env bash
# Configures and builds a preset, and shows how far it is; says nothing when there is nothing to do.
#   tools/build.sh PRESET [TARGET...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
folder=build/$preset
mkdir -p "$folder"
log=$folder/build.log
[ -t 1 ] && terminal=yes || terminal=

# On a terminal one line that is rewritten, and gone at the end.
line() { [ -z "$terminal" ] || printf '\r%s\033[K' "$1"; }

failed() {
  line ""
  tail -40 "$log" >&2
  echo "The build failed; the whole log: $log" >&2
  exit 1
}

# Ninja's output goes to the log; what it says of its steps, "[57/130] Building ...", is shown: to a pipe every tenth.
progress() {
  local text tenth=-1
  while IFS= read -r text; do
    printf '%s\n' "$text" >&3
    # Looking for changes is no building.
    [[ $text =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) && ${BASH_REMATCH[3]} != Re-* ]] || continue
    local done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    line "Building: $done of $total"
    [ -z "$terminal" ] && [ $((10 * done / total)) -gt $tenth ] || continue
    tenth=$((10 * done / total))
    echo "Building: $done of $total"
  done 3>>"$log"
  line ""
}

: >"$log"
if [ ! -f "$folder/build.ninja" ]; then
  line "Configuring"
  cmake --preset "$preset" >>"$log" 2>&1 || failed
fi
targets=()
[ $# -gt 0 ] && targets=(--target "$@")
# As many at a time as there are cores: the largest files take near 3 GB each.
NINJA_STATUS="[%f/%t] " cmake --build --preset "$preset" --parallel "$(nproc)" "${targets[@]}" 2>&1 | progress || failed
