package import Tensor

/// A GGUF file: metadata and tensors, viewed where they lie.
///
/// ```swift
/// let file = try GGUFFile(path: "model.gguf")
/// print(try file.metadata.string("general.architecture") ?? "?", file.tensors.count)
/// if let embedding = file.tensor("token_embd.weight") { print(embedding.type.name, embedding.dimensions) }
/// ```
///
/// Versions 2 and 3, little-endian. Everything that the file says is checked before it is used: opening a file of any
/// content either succeeds or throws, and no later access leads outside of it. The checks cost time and memory in
/// proportion to the bytes really there, never to a number written in the file.
///
/// Source: the GGUF specification (`docs/gguf.md` of the ggml project).
package struct GGUFFile: Sendable {
  package let path: String?
  package let version: Int
  package let metadata: Metadata
  /// In file order.
  package let tensors: [TensorInfo]
  /// Tensor data begins at multiples of this many bytes.
  package let alignment: Int
  package let storage: Storage
  private let indices: [String: Int]
  /// The mapping, when the bytes come from a file.
  private var mapping: MappedFile?

  /// Maps the file at `path` and reads its header. The tensor data isn't touched.
  ///
  /// - Throws: ``GGUFError``, whose description names file, key or tensor, and reason on one line.
  /// - Complexity: O(bytes of the header).
  package init(path: String) throws(GGUFError) {
    let file = try MappedFile(path: path)
    try self.init(storage: file.storage, path: path)
    mapping = file
  }

  /// Makes sure that a mapped file is still whole. To be asked before its tensors are read after a while.
  ///
  /// - Throws: ``GGUFError/Kind/truncated`` when somebody has shortened it.
  package func requireWhole() throws(GGUFError) { try mapping?.requireWhole(path: path) }

  /// Reads a file that is in memory.
  package init(bytes: [UInt8]) throws(GGUFError) {
    try self.init(storage: Storage(copying: bytes), path: nil)
  }

  /// Reads a file from `storage`; `path` is for error messages.
  package init(storage: Storage, path: String?) throws(GGUFError) {
    do {
      var parser = HeaderParser(storage)
      let header = try parser.parse()
      self.path = path
      self.storage = storage
      self.version = header.version
      self.metadata = header.metadata
      self.tensors = header.tensors
      self.alignment = header.alignment
      self.indices = header.indices
    } catch {
      var located = error
      located.path = path
      throw located
    }
  }

  /// The tensor of that name, or `nil` when the file has none.
  ///
  /// - Complexity: O(1); nothing is copied.
  package func tensor(_ name: String) -> Tensor? {
    guard let index = indices[name] else { return nil }
    let info = tensors[index]
    return Tensor(
      name: info.name, type: info.type, dimensions: info.dimensions, storage: storage, offset: info.offset)
  }
}
