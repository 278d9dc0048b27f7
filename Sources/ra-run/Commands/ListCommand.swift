import Arguments
import Foundation
import RunAnywhere

/// What is in the model folder.
struct ListCommand: ProgramCommand {
  let command = Command(
    "list", "lists the downloaded models", options: [Option("json", "print one JSON document")],
    discussion: """
      Models lie in $RUNANYWHERE_MODELS, else in runanywhere/models in $XDG_CACHE_HOME or ~/.cache;
      any GGUF file put there is found by its name.

      --json prints one object: "folder" and "models", each "name", "file" and "bytes".
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    let folder = ModelFolder()
    let files = folder.files().map { file -> (name: String, path: String, bytes: Int) in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
      return (file.deletingPathExtension().lastPathComponent, file.path, attributes?[.size] as? Int ?? 0)
    }
    if arguments.flag("json") {
      let models = files.map { file -> JSONValue in
        ["name": .string(file.name), "file": .string(file.path), "bytes": .integer(file.bytes)]
      }
      let document: JSONValue = ["folder": .string(folder.url.path), "models": .array(models)]
      try Console.print(document.compact)
    } else if files.isEmpty {
      Console.error.line("no models in \(folder.url.path) yet; \(Program.name) pull fetches the default one")
    } else {
      let rows = files.map { (left: Quantity.printable($0.name), right: Quantity.bytes($0.bytes)) }
      try Console.print(HelpText.table(rows, indent: 0).joined(separator: "\n"))
    }
    return Program.Status.done
  }
}
