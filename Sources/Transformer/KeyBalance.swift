import Tensor

/// Factors that even out a block's keys before they are rounded to 8 bits, and their inverses for the queries.
///
/// Elements that share a scale are rounded to steps of their greatest. Some models (Qwen2) have biases that make a few
/// elements of every key a hundred times as large as the others, which would then be rounded away. Each pair of a head
/// that rope rotates is divided by the greatest size that is expected of it, so that all are at most about 1; the pair of
/// the query is multiplied by it, so that scores stay what they are.
///
/// What is expected: normalised activations are near 1 times the norm's weights, so that element `d` of a key deviates
/// from its bias by `σ_d = √(Σ_j (W_dj · norm_j)²)`, and a pair is at most as large as its biases' root of squares and
/// three times its deviation.
///
/// Invariant: `keys` has a factor for each element of all heads' keys, `queries` one for each element of all queries.
final class KeyBalance {
  private let keys: FloatBuffer
  private let queries: FloatBuffer
  private let keyWidth: Int
  private let queryWidth: Int

  /// - Complexity: O(elements of the key matrix), which is decoded.
  init(_ block: BlockWeights, _ configuration: ModelConfiguration) {
    let c = configuration
    (keyWidth, queryWidth) = (c.keyWidth, c.queryWidth)
    keys = FloatBuffer(keyWidth)
    queries = FloatBuffer(queryWidth)
    let deviations = Self.deviations(block, width: keyWidth)
    for head in 0..<c.keyValueHeadCount {
      for d in 0..<c.keyLength {
        let (first, second) = (head * c.keyLength + d, head * c.keyLength + c.ropePairing.partner(of: d, c.keyLength))
        let biases = [first, second].map { block.keyBias?.pointer[$0] ?? 0 }
        let bias = (biases[0] * biases[0] + biases[1] * biases[1]).squareRoot()
        let size = bias + 3 * max(deviations[first], deviations[second])
        // Whatever is no ordinary number leaves things as they are.
        let factor = size > 1e-6 && size < 1e6 ? size : 1
        keys.pointer[first] = 1 / factor
        for query in head * c.groupSize..<(head + 1) * c.groupSize {
          queries.pointer[query * c.keyLength + d] = factor
        }
      }
    }
  }

  /// Divides one token's keys, heads x key length.
  func apply(key: UnsafeMutablePointer<Float>) {
    for i in 0..<keyWidth { key[i] *= keys.pointer[i] }
  }

  /// Multiplies one token's queries, heads x key length.
  func apply(query: UnsafeMutablePointer<Float>) {
    for i in 0..<queryWidth { query[i] *= queries.pointer[i] }
  }

  private static func deviations(_ block: BlockWeights, width: Int) -> [Float] {
    let columns = block.key.columns
    let row = FloatBuffer(columns)
    return (0..<width).map { d in
      block.key.decodeRow(d, into: row.pointer)
      var sum: Float = 0
      for j in 0..<columns {
        let weight = row.pointer[j] * block.attentionNorm.pointer[j]
        sum += weight * weight
      }
      return sum.squareRoot()
    }
  }
}

extension RopePairing {
  /// The element that rope rotates with element `d` of a head of `length`; `d` itself where there is none.
  fileprivate func partner(of d: Int, _ length: Int) -> Int {
    let half = length / 2
    let partner =
      switch self {
      case .interleaved: d ^ 1
      case .split: d < half ? d + half : d - half
      }
    return partner < length ? partner : d
  }
}
