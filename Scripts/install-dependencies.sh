#!/usr/bin/env bash
# Installs what building needs (OpenBLAS on Linux, nothing on macOS); with --pip also what fetching a model needs.
# Does nothing, and takes no time, when everything is there.
set -euo pipefail

say() { echo "install-dependencies: $*" >&2; }

want_pip=false
[ "${1:-}" = --pip ] && want_pip=true

command -v "${SWIFT:-swift}" >/dev/null || {
  say "no swift here: install Swift 6.2 or later (https://www.swift.org/install)"
  exit 1
}

if [ "$(uname -s)" = Darwin ]; then
  # Accelerate is part of the system, python3 of the command line tools.
  exit 0
fi

has_openblas() {
  # What compiler and linker look for; the folders differ between distributions.
  first_of /usr/include/cblas.h /usr/include/*-linux-gnu/cblas.h /usr/include/openblas/cblas.h &&
    first_of /usr/lib/libopenblas.so /usr/lib64/libopenblas.so /usr/lib/*-linux-gnu/libopenblas.so
}

# Whether one of the files is there.
first_of() {
  local file
  for file in "$@"; do [ -e "$file" ] && return 0; done
  return 1
}

missing=()
has_openblas || missing+=(libopenblas-dev)
if $want_pip && ! python3 -m pip --version >/dev/null 2>&1; then missing+=(python3-pip); fi
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  say "missing: ${missing[*]} (Debian's names); there is no apt-get here, so install them with your package manager"
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    say "missing: ${missing[*]}; neither root nor sudo here, so run as root: apt-get install ${missing[*]}"
    exit 1
  }
  as_root=(sudo)
fi

say "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
install() { "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" </dev/null >&2; }
# A machine that never updated its lists knows no packages yet.
install || { "${as_root[@]}" apt-get update -q </dev/null >&2 && install; } || {
  say "apt-get could not install ${missing[*]}"
  exit 1
}
