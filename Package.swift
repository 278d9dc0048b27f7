// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A Swift target; what it may import is exactly `dependencies` (the floors of ARCHITECTURE.md).
func floor(
  _ name: String, _ dependencies: [Target.Dependency] = [], linking: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, swiftSettings: settings, linkerSettings: linking)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["TestSupport"], swiftSettings: settings)
}

let package = Package(
  name: "RunAnywhere",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "RunAnywhere", targets: ["RunAnywhere"]),
    .executable(name: "ra-run", targets: ["ra-run"]),
    .executable(name: "ra-bench", targets: ["ra-bench"]),
  ],
  targets: [
    // Floor 0: the only C.
    .target(name: "CKernels"),
    .systemLibrary(name: "CBLAS", providers: [.apt(["libopenblas-dev"])]),

    // Floor 1.
    floor(
      "Tensor", ["CKernels", "CBLAS"],
      linking: [
        .linkedLibrary("openblas", .when(platforms: [.linux])),
        .linkedFramework("Accelerate", .when(platforms: [.macOS, .iOS])),
      ]),
    floor("JSON"),
    floor("Sampling"),
    floor("Arguments"),

    // Floor 2.
    floor("GGUF", ["Tensor"]),
    floor("Grammar", ["JSON", "Sampling"]),
    floor("ChatTemplate", ["JSON"]),

    // Floor 3.
    floor("Tokenizer", ["GGUF"]),
    floor("Transformer", ["Tensor", "GGUF"]),

    // Floor 4.
    floor("Tools", ["JSON", "Grammar", "ChatTemplate"]),

    // Floor 5: the public API, the only place where the floors meet.
    floor(
      "RunAnywhere",
      [
        "Tensor", "JSON", "Sampling", "GGUF", "Grammar", "ChatTemplate", "Tokenizer", "Transformer",
        "Tools",
      ]),

    // Floor 6: programs.
    .executableTarget(name: "ra-run", dependencies: ["RunAnywhere", "Arguments"], swiftSettings: settings),
    .executableTarget(
      name: "ra-bench",
      dependencies: [
        "RunAnywhere", "Arguments", "Tensor", "JSON", "Sampling", "GGUF", "Grammar", "ChatTemplate", "Tokenizer",
        "Transformer", "Tools",
      ],
      path: "Benchmarks", exclude: ["Cases", "RESULTS.md", "results"], swiftSettings: settings),

    // The samples of the documentation, compiled, so that tests can run them.
    .target(name: "Snippets", dependencies: ["RunAnywhere"], path: "Snippets", swiftSettings: settings),

    // Tests mirror the sources.
    .target(
      name: "TestSupport", dependencies: ["Tensor", "GGUF", "JSON"], path: "Tests/TestSupport",
      swiftSettings: settings),
    tests("Tensor", ["Tensor", "CKernels"]),
    tests("JSON", ["JSON"]),
    tests("Sampling", ["Sampling"]),
    tests("Arguments", ["Arguments"]),
    tests("GGUF", ["GGUF", "Tensor"]),
    tests("Grammar", ["Grammar", "JSON", "Sampling"]),
    tests("ChatTemplate", ["ChatTemplate", "JSON"]),
    tests("Tokenizer", ["Tokenizer", "GGUF"]),
    tests("Transformer", ["Transformer", "Tensor", "GGUF"]),
    tests("Tools", ["Tools", "Grammar", "ChatTemplate", "JSON"]),
    tests(
      "RunAnywhere",
      [
        "RunAnywhere", "Tools", "Transformer", "Tokenizer", "Sampling", "Grammar", "ChatTemplate", "GGUF", "JSON",
        "Snippets",
      ]),
    tests("CommandLine", ["ra-run", "RunAnywhere", "Arguments", "Tools", "GGUF"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)
