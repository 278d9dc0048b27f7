import GGUF
import Tensor

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

extension ModelConfiguration {
  /// Reads the metadata of a file of `family`.
  ///
  /// - Throws: ``ModelError`` naming the key when one is missing, is out of range, contradicts another, or asks for what
  ///   this engine doesn't compute.
  init(_ metadata: Metadata, family: ModelFamily) throws(ModelError) {
    let reader = HyperparameterReader(metadata: metadata, prefix: family.name)
    try reader.refuseUnsupported()
    architecture = family.name
    contextLength = try reader.required("context_length", 1...Self.limit)
    embeddingLength = try reader.required("embedding_length", 1...Self.limit)
    blockCount = try reader.required("block_count", 1...4096)
    feedForwardLength = try reader.required("feed_forward_length", 1...Self.limit)
    headCount = try reader.required("attention.head_count", 1...65_536)
    keyValueHeadCount = try reader.optional("attention.head_count_kv", 1...headCount) ?? headCount
    guard headCount % keyValueHeadCount == 0 else {
      throw reader.invalid("attention.head_count_kv", keyValueHeadCount, "a divisor of the \(headCount) query heads")
    }
    guard headCount / keyValueHeadCount <= Attention.groupLimit else {
      throw reader.invalid(
        "attention.head_count_kv", keyValueHeadCount, "at least one for every \(Attention.groupLimit) query heads")
    }
    if let length = try reader.optional("attention.key_length", 2...65_536) {
      keyLength = length
    } else {
      guard embeddingLength % headCount == 0 else {
        throw reader.invalid("attention.head_count", headCount, "a divisor of the embedding length \(embeddingLength)")
      }
      keyLength = embeddingLength / headCount
    }
    guard keyLength % 2 == 0 else { throw reader.invalid("attention.key_length", keyLength, "an even number") }
    valueLength = try reader.optional("attention.value_length", 1...65_536) ?? keyLength
    let turned = try reader.optional("rope.dimension_count", 0...Self.limit) ?? keyLength
    guard turned == keyLength else {
      throw reader.invalid("rope.dimension_count", turned, "the head width \(keyLength)")
    }
    normEpsilon = try reader.number("attention.layer_norm_rms_epsilon", above: 0, upTo: 1)
    ropeBase = try reader.number("rope.freq_base", above: 0, upTo: 1e12, default: 10_000)
    ropeScale = try reader.ropeScale()
    ropePairing = family.ropePairing
  }
}

/// Reads the keys of one architecture, with errors that name the key.
private struct HyperparameterReader {
  let metadata: Metadata
  let prefix: String

  func invalid(_ key: String, _ found: some CustomStringConvertible, _ expected: String) -> ModelError {
    .invalidValue(key: "\(prefix).\(key)", found: found.description, expected: expected)
  }

  func optional(_ key: String, _ range: ClosedRange<Int>) throws(ModelError) -> Int? {
    guard let value = try reading({ () throws(GGUFError) in try metadata.integer("\(prefix).\(key)") }) else {
      return nil
    }
    guard range.contains(value) else {
      throw invalid(key, value, "\(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func required(_ key: String, _ range: ClosedRange<Int>) throws(ModelError) -> Int {
    guard let value = try optional(key, range) else { throw .missingKey("\(prefix).\(key)") }
    return value
  }

  func number(
    _ key: String, above lower: Double, upTo upper: Double, default fallback: Double? = nil
  ) throws(ModelError) -> Double {
    guard let value = try reading({ () throws(GGUFError) in try metadata.float("\(prefix).\(key)") }) ?? fallback
    else { throw .missingKey("\(prefix).\(key)") }
    guard value > lower, value <= upper else {
      throw invalid(key, value, "a number above \(lower) and up to \(upper)")
    }
    return value
  }

  /// The factor of linear position scaling. Other kinds would be silently wrong at long range and are refused; the
  /// factors of Llama 3.1 come as a tensor and need no key.
  func ropeScale() throws(ModelError) -> Double {
    let kind = try reading { () throws(GGUFError) in try metadata.string("\(prefix).rope.scaling.type") }
    switch kind ?? "none" {
    case "none", "linear", "": break
    case let other: throw invalid("rope.scaling.type", "\"\(other)\"", "\"none\" or \"linear\"")
    }
    let old = try number("rope.scale_linear", above: 0, upTo: 1e6, default: 1)
    return try number("rope.scaling.factor", above: 0, upTo: 1e6, default: old)
  }

  /// Refuses files of a supported architecture that use parts which aren't computed here.
  func refuseUnsupported() throws(ModelError) {
    if let experts = try optional("expert_count", 0...ModelConfiguration.limit), experts > 0 {
      throw invalid("expert_count", experts, "0 (mixtures of experts are not supported)")
    }
    for key in ["attention.clamp_kqv", "attention.max_alibi_bias", "attn_logit_softcapping"] {
      let value = try reading { () throws(GGUFError) in try metadata.float("\(prefix).\(key)") } ?? 0
      if value != 0 { throw invalid(key, value, "0 (other values are not supported)") }
    }
  }

  private func reading<Value>(_ body: () throws(GGUFError) -> Value) throws(ModelError) -> Value {
    do { return try body() } catch { throw .file(error) }
  }
}
