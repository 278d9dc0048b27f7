import ChatTemplate
import Foundation
import GGUF
import Tensor
import Tokenizer
import Transformer

/// What a GGUF file says about itself, as plain values: for listings, also of files without weights.
package struct ModelInspection: Sendable {
  /// One entry of the metadata.
  package struct Entry: Sendable, Equatable {
    package let key: String
    package let type: String
    /// The value on one line; long ones are cut.
    package let text: String
  }

  /// One tensor's description.
  package struct TensorSummary: Sendable, Equatable {
    package let name: String
    package let type: String
    /// The fastest-varying dimension first, as in the file.
    package let dimensions: [Int]
    package let byteCount: Int
  }

  /// The tensors of one element type together.
  package struct TypeSummary: Sendable, Equatable {
    package let type: String
    package let tensors: Int
    package let byteCount: Int
  }

  package let path: String
  package let fileByteCount: Int
  package let version: Int
  package let alignment: Int
  package let architecture: String?
  package let name: String?
  package let metadata: [Entry]
  package let tensors: [TensorSummary]
  /// The number of weights; 0 for a file that has only a vocabulary.
  package let parameterCount: Int
  package let contextLength: Int?
  package let embeddingLength: Int?
  package let blockCount: Int?
  package let headCount: Int?
  package let keyValueHeadCount: Int?
  package let tokenizerModel: String?
  package let preTokenizer: String?
  package let vocabularySize: Int?
  package let chatTemplate: String?
  /// Why this engine can't run the model though nothing is wrong with the file; `nil` when it can, or when the file has
  /// no weights.
  package let obstacle: String?

  /// Reads the header of the file at `path`; weights aren't touched.
  ///
  /// - Throws: what loading the file would throw, as far as it can be known without its weights.
  package init(path: String) throws {
    let file = try GGUFFile(path: path)
    let metadata = file.metadata
    self.path = path
    fileByteCount = file.storage.count
    version = file.version
    alignment = file.alignment
    architecture = try metadata.string("general.architecture")
    name = try metadata.string("general.name")
    self.metadata = metadata.keys.compactMap { key in
      metadata[key].map { Entry(key: key, type: "\($0.type)", text: $0.description) }
    }
    tensors = file.tensors.map {
      TensorSummary(name: $0.name, type: $0.type.name, dimensions: $0.dimensions, byteCount: $0.byteCount)
    }
    // Each product fits, the reader has checked that; the sum need not, where tensors share bytes.
    parameterCount = Self.sum(file.tensors.map { $0.dimensions.reduce(1, *) })
    let prefix = architecture.map { $0 + "." } ?? ""
    func hyperparameter(_ key: String) throws -> Int? { try metadata.integer(prefix + key) }
    contextLength = try hyperparameter("context_length")
    embeddingLength = try hyperparameter("embedding_length")
    blockCount = try hyperparameter("block_count")
    // Some architectures give these per layer; then they are no single number.
    headCount = metadata[prefix + "attention.head_count"]?.integer
    keyValueHeadCount = metadata[prefix + "attention.head_count_kv"]?.integer
    tokenizerModel = try metadata.string("tokenizer.ggml.model")
    preTokenizer = try metadata.string("tokenizer.ggml.pre")
    vocabularySize = try metadata.strings("tokenizer.ggml.tokens")?.count
    chatTemplate = try metadata.string("tokenizer.chat_template")
    obstacle = try Self.obstacle(file)
  }

  /// Makes what loading makes, and keeps nothing of it.
  private static func obstacle(_ file: GGUFFile) throws -> String? {
    do {
      if file.metadata["tokenizer.ggml.model"] != nil { try checkTemplate(file, try Tokenizer(file)) }
      if !file.tensors.isEmpty { _ = try Model(file) }
      return nil
    } catch let error as TokenizerError {
      guard case .unsupported = error else { throw error }
      return "\(error)"
    } catch let error as ModelError {
      guard case .unsupportedArchitecture = error else { throw error }
      return "\(error)"
    }
  }

  /// The element types in the order of their share of the file.
  package var types: [TypeSummary] {
    Dictionary(grouping: tensors, by: \.type)
      .map { TypeSummary(type: $0.key, tensors: $0.value.count, byteCount: Self.sum($0.value.map(\.byteCount))) }
      .sorted { ($1.byteCount, $0.type) < ($0.byteCount, $1.type) }
  }

  /// Generation would fall back on a template of ours; who asks about the file wants to know that its own is no good.
  private static func checkTemplate(_ file: GGUFFile, _ tokenizer: Tokenizer) throws {
    guard let source = try file.metadata.string("tokenizer.chat_template") else { return }
    func spelling(_ id: Int?) -> String? {
      id.map { String(decoding: tokenizer.bytes(of: $0, showsControl: true), as: UTF8.self) }
    }
    let prompt = try ChatPrompt(
      source: source, controlTokens: Set(tokenizer.controlTokens.keys), bosToken: spelling(tokenizer.bos),
      eosToken: spelling(tokenizer.eos), addsBOS: tokenizer.addsBOS)
    if case .fallback(_, let reason?) = prompt.origin {
      throw GGUFError(.invalidMetadata, .key("tokenizer.chat_template"), reason: reason, path: file.path)
    }
  }

  /// The sum, or the largest integer where it would be larger still.
  private static func sum(_ values: [Int]) -> Int {
    values.reduce(0) { total, value in
      let (sum, overflows) = total.addingReportingOverflow(value)
      return overflows ? .max : sum
    }
  }
}
