import Foundation
import Synchronization

/// A model that can be loaded.
public struct ModelInfo: Sendable, Hashable {
  /// The id under which `loadModel` finds it.
  public let id: String
  /// Where its file lies.
  public let path: String
  /// The size of its file in bytes.
  public let byteCount: Int
}

/// Finds model files by id: paths, files that were added by hand, and the models folder.
package final class ModelCatalog: Sendable {
  package let folder: ModelFolder
  private let added = Mutex<[(id: String, path: String)]>([])

  package init(folder: ModelFolder = ModelFolder()) {
    self.folder = folder
  }

  /// Makes the file at `path` known as `id`; the later file replaces an earlier one of the same id.
  package func add(_ id: String, path: String) {
    added.withLock { added in
      added.removeAll { $0.id == id }
      added.append((id, path))
    }
  }

  /// The file that `id` names.
  ///
  /// - Throws: ``SDKError``: `.modelNotFound`, saying where it was looked for and how to get it; `.invalidInput` for an
  ///   empty id.
  package func path(of id: String) throws(SDKError) -> String {
    guard !id.isEmpty else { throw SDKError(code: .invalidInput, message: "the model's id is empty") }
    if let known = added.withLock({ $0.last { $0.id == id }?.path }) { return known }
    if FileManager.default.fileExists(atPath: id) { return id }
    if id.contains("/") {
      throw SDKError(code: .modelNotFound, message: "there is no model file \(id)")
    }
    for name in [id] + (ModelCatalog.aliases[id.lowercased()] ?? []) {
      if let file = folder.file(named: name) { return file.path }
    }
    throw SDKError(
      code: .modelNotFound,
      message: "no model \"\(id)\": neither a file of that name here nor one in \(folder.url.path)"
        + "\(there()). Put its GGUF file there, or fetch the small model with: ra-run pull smollm2-135m-instruct")
  }

  /// Everything that can be loaded by id, by id.
  package var models: [ModelInfo] {
    let known = added.withLock { $0 }.map { ModelCatalog.info($0.id, path: $0.path) }
    let found = folder.files().map { file in
      ModelCatalog.info(file.deletingPathExtension().lastPathComponent.lowercased(), path: file.path)
    }
    return (known + found).sorted { $0.id < $1.id }
  }

  private func there() -> String {
    let names = folder.files().map(\.lastPathComponent)
    return names.isEmpty ? "" : " (there are: \(names.joined(separator: ", ")))"
  }

  private static func info(_ id: String, path: String) -> ModelInfo {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return ModelInfo(id: id, path: path, byteCount: (attributes?[.size] as? NSNumber)?.intValue ?? 0)
  }

  /// Names under which a model is asked for, and how its file may be called beside that name itself.
  private static let aliases = [
    "llama-3.2-1b-instruct-q4": ["llama-3.2-1b-instruct-q4_k_m", "llama-3.2-1b-instruct-q4_0"],
    "llama-3.2-3b-instruct-q4": ["llama-3.2-3b-instruct-q4_k_m", "llama-3.2-3b-instruct-q4_0"],
    "qwen2.5-coder-1.5b-instruct": ["qwen2.5-coder-1.5b-instruct-q4_k_m"],
    "smollm2-135m-instruct": ["smollm2-135m-instruct.q4_1"],
  ]
}
