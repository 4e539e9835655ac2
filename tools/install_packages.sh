#!/usr/bin/env bash
# Installs the Debian packages that Rebound needs; says nothing when all are there. The one list of packages.
#   tools/install_packages.sh build        to build and run
#   tools/install_packages.sh build test   to run the tests as well
set -euo pipefail

build=(
  g++ cmake ninja-build ccache pkg-config git ca-certificates
  libeigen3-dev                # linear algebra
  libsuitesparse-dev           # CHOLMOD
  libopenblas0-pthread         # CHOLMOD's dense kernels; the reference BLAS is ten times slower
  libxxhash-dev                # fingerprints of matrices
  libtet1.5-dev                # TetGen, for the rebound-tetgen program
  libembree-dev                # the triangles next to a point
  libtinyobjloader-dev libtinygltf-dev nlohmann-json3-dev libcli11-dev
  libglfw3-dev libgl-dev libopengl-dev libegl-dev libimgui-dev libfreetype-dev libstb-dev
  python3-minimal python3-glad # generates the OpenGL loader
  libgl1 libegl1 libgl1-mesa-dri
  fonts-inter fonts-dejavu-core
  ffmpeg
  libgtest-dev                 # the tests are configured with the rest, though ./run does not build them
  libspectra-dev               # eigenvalues that tests compare with: headers alone
)
test=(
  python3 python3-jsonschema python3-xlib
  xvfb xauth xdotool x11-utils x11-xserver-utils imagemagick
  locales
  groff-base fish zsh              # the manual page and the completions
  chromium                         # opens the page of `rebound reproduce`; its console must stay empty
  clang-format                     # the sources are as it makes them
  file dpkg-dev                    # the Debian package; lintian looks at it where it is there
  clang libclang-rt-14-dev llvm    # the sanitizers, in half the time of g++; libFuzzer for the long form; names in reports
)

wanted=()
for group in "${@:-build}"; do
  case "$group" in
    build) wanted+=("${build[@]}") ;;
    test) wanted+=("${test[@]}") ;;
    *) echo "install_packages.sh: '$group' is not a group; use build or test" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "Rebound needs these packages, and root to install them: ${missing[*]}" >&2; exit 3; }
  as_root=(sudo)
fi
echo "Installing ${#missing[@]} packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update -q && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
       apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -20 "$log" >&2
  echo "Installing the packages failed; see above" >&2
  exit 3
fi
