#!/usr/bin/env bash
# Converts the documentation of RunAnywhere; broken links and other warnings are errors. The archive goes to
# .build/RunAnywhere.doccarchive.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
$swift build --target RunAnywhere
modules=$($swift build --show-bin-path)
graphs=.build/symbol-graphs
rm -rf "$graphs" .build/RunAnywhere.doccarchive
mkdir -p "$graphs"
target=$($swift -print-target-info | sed -n 's/.*"triple": *"\([^"]*\)".*/\1/p' | head -n 1)
$swift symbolgraph-extract -module-name RunAnywhere -I "$modules/Modules" \
  -Xcc "-fmodule-map-file=$modules/CKernels.build/module.modulemap" \
  -Xcc "-fmodule-map-file=Sources/CBLAS/module.modulemap" \
  -minimum-access-level public -target "$target" \
  -experimental-allowed-reexported-modules=Tools,JSON -output-dir "$graphs"
docc=$(command -v docc || echo "$(dirname "$(command -v "$swift")")/docc")
"$docc" convert Sources/RunAnywhere/RunAnywhere.docc --additional-symbol-graph-dir "$graphs" \
  --fallback-display-name RunAnywhere --fallback-bundle-identifier runanywhere.RunAnywhere \
  --warnings-as-errors --output-path .build/RunAnywhere.doccarchive
echo "the documentation is in .build/RunAnywhere.doccarchive"
