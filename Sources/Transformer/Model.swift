package import GGUF
import Tensor

/// A model's configuration and weights, ready to run.
///
/// ```swift
/// let model = try Model(GGUFFile(path: "model.gguf"))
/// let context = try InferenceContext(model: model, pool: WorkerPool(), contextLength: 2048)
/// ```
///
/// Matrices are views of the mapped file and take no memory of their own. A model is immutable and may serve any number
/// of contexts at the same time.
package final class Model: Sendable {
  package let configuration: ModelConfiguration
  let embedding: Tensor
  let blocks: [BlockWeights]
  let outputNorm: FloatVector
  /// The output head: `output.weight`, or the embedding where the file has none ("tied").
  let output: Tensor
  /// Radians per position of each pair of a head.
  let ropeFrequencies: [Double]
  /// Whether the file's own factors (`rope_freqs.weight`) went into ``ropeFrequencies``.
  package let hasRopeFactors: Bool
  private let file: GGUFFile

  /// Reads the configuration, finds every tensor and checks its dimensions.
  ///
  /// - Throws: ``ModelError`` naming the key or tensor, what was expected, and what was found.
  package init(_ file: GGUFFile) throws(ModelError) {
    let name: String?
    do { name = try file.metadata.string("general.architecture") } catch { throw .file(error) }
    guard let name else { throw .missingKey("general.architecture") }
    let family = try ModelFamily.named(name)
    var configuration = try ModelConfiguration(file.metadata, family: family)
    let loader = WeightLoader(file: file)
    embedding = try Self.loadEmbedding(file, width: configuration.embeddingLength)
    configuration.vocabularySize = embedding.rows
    outputNorm = try loader.vector(
      "output_norm.weight", count: configuration.embeddingLength, neededFor: "it comes before the output head")
    if file.tensor("output.weight") != nil {
      output = try loader.matrix(
        "output.weight", columns: configuration.embeddingLength, rows: embedding.rows,
        neededFor: "it is the output head")
    } else {
      output = embedding
    }
    var blocks: [BlockWeights] = []
    for index in 0..<configuration.blockCount {
      blocks.append(try BlockWeights(block: index, of: loader, configuration, family: family))
    }
    self.blocks = blocks
    let factors = try loader.optionalVector("rope_freqs.weight", count: configuration.keyLength / 2)
    ropeFrequencies = try Self.divide(configuration.ropeFrequencies, by: factors)
    hasRopeFactors = factors != nil
    self.configuration = configuration
    self.file = file
  }

  /// What tells this model's file from others.
  ///
  /// - Complexity: O(bytes of the file's header): some milliseconds, each time.
  package var fingerprint: ModelFingerprint { ModelFingerprint(file) }

  /// Makes sure that the weights can still be read.
  ///
  /// - Throws: ``ModelError/file(_:)`` when somebody has cut the file since it was mapped.
  func requireWholeFile() throws(ModelError) {
    do { try file.requireWhole() } catch { throw .file(error) }
  }

  private static func loadEmbedding(_ file: GGUFFile, width: Int) throws(ModelError) -> Tensor {
    let name = "token_embd.weight"
    guard let tensor = file.tensor(name) else {
      throw .missingTensor(name, neededFor: "tokens have no vectors without it")
    }
    guard tensor.columns == width, tensor.dimensions.count == 2, tensor.rows <= ModelConfiguration.limit else {
      throw .shape(tensor: name, expected: [width, tensor.rows], found: tensor.dimensions)
    }
    return tensor
  }

  /// Divides each pair's frequency by its factor.
  private static func divide(_ frequencies: [Double], by factors: FloatVector?) throws(ModelError) -> [Double] {
    guard let factors else { return frequencies }
    var result = frequencies
    for index in result.indices {
      let factor = Double(factors.pointer[index])
      guard factor > 0, factor.isFinite else {
        throw .invalidTensor(
          "rope_freqs.weight", reason: "factor \(index) is \(factor), where positive numbers are expected")
      }
      result[index] /= factor
    }
    return result
  }
}
