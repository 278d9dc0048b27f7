#!/usr/bin/env bash
# Copies the two programs to PREFIX/bin. They need OpenBLAS at run time (Linux) and nothing of this folder.
set -euo pipefail
cd "$(dirname "$0")/.."

prefix=${1:?usage: install.sh PREFIX}
built=$(${SWIFT:-swift} build -c release --show-bin-path)
mkdir -p "$prefix/bin" 2>/dev/null && [ -w "$prefix/bin" ] || {
  echo "install: can't write to $prefix/bin: make install PREFIX=\$HOME/.local, or run as root" >&2
  exit 1
}
install -m 755 "$built/ra-run" "$built/ra-bench" "$prefix/bin/"
echo "installed $prefix/bin/ra-run and $prefix/bin/ra-bench" >&2
