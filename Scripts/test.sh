#!/usr/bin/env bash
# Builds and runs every test; arguments go to `swift test` (for example --filter Tokenizer).
# The default model is fetched when it can be; without it, and without ../shared, the tests that need them are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
"$swift" build --build-tests
run=$("$swift" build --show-bin-path)/ra-run
"$run" pull || echo "test: going on without the default model; the tests on real weights are skipped" >&2
[ -d ../shared/data ] || echo "test: no ../shared; the tests against its goldens are skipped" >&2
# Every test is a Swift Testing one: an empty XCTest run would only add a misleading "0 tests".
"$swift" test --skip-build --disable-xctest "$@"
