#!/usr/bin/env bash
# The demonstration: fetches the default model once, then asks a question whose answer takes a tool.
set -euo pipefail
cd "$(dirname "$0")/.."

run=$(${SWIFT:-swift} build -c release --show-bin-path)/ra-run
"$run" pull
default="What's the weather in San Francisco?"
exec "$run" demo "${PROMPT:-$default}"
