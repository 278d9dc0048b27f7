#!/usr/bin/env bash
# Builds with the compiler's check that a target imports only what Package.swift lets it import.
# The build's log says "complete" even when the check fails, so its exit status decides.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ${SWIFT:-swift} build --build-tests --explicit-target-dependency-import-check error >"$log" 2>&1; then
  echo "imports: every target imports only what it declares"
else
  status=$?
  grep -E "error:" "$log" || tail -20 "$log"
  echo "imports: failed (exit status $status)" >&2
  exit 1
fi
