import CKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which elements of a head rotary position embedding turns together.
package enum RopePairing: Sendable {
  /// `(2i, 2i + 1)`: how GGUF files of the `llama` family store the rows of q and k.
  case interleaved
  /// `(i, i + width / 2)`: the original layout of most other families.
  case split
}

/// Sines and cosines of a run of positions, for rotary position embedding.
///
/// The angle of pair `i` at position `p` is `p · frequencies[i]`. They are computed in double precision once per run and
/// serve every layer and head.
///
/// Invariant: `base` holds two tables of `capacity` x `half` cosines and as many sines: for keys, and for queries, which
/// are scaled by `queryScale` on the way.
package final class RopeTable {
  package let half: Int
  private let frequencies: [Double]
  private let queryScale: Double
  private var base: UnsafeMutablePointer<Float>?
  private var capacity = 0

  /// - Parameters:
  ///   - frequencies: radians per position, one for each pair.
  ///   - queryScale: what queries are multiplied with, usually `1 / sqrt(head width)`.
  package init(frequencies: [Double], queryScale: Double) {
    half = frequencies.count
    self.frequencies = frequencies
    self.queryScale = queryScale
  }

  deinit { base?.deallocate() }

  /// Fills the tables for positions `first ..< first + count`.
  package func fill(first: Int, count: Int) {
    if count > capacity {
      base?.deallocate()
      base = .allocate(capacity: 4 * count * half)
      capacity = count
    }
    guard let base else { return }
    let plane = capacity * half
    for row in 0..<count {
      for i in 0..<half {
        let angle = Double(first + row) * frequencies[i]
        let (cosine, sine) = (cos(angle), sin(angle))
        let at = row * half + i
        base[at] = Float(cosine)
        base[plane + at] = Float(sine)
        base[2 * plane + at] = Float(cosine * queryScale)
        base[3 * plane + at] = Float(sine * queryScale)
      }
    }
  }

  /// The tables of the `row`-th position of the last ``fill(first:count:)``, for keys or for scaled queries.
  package func angles(_ row: Int, scaled: Bool) -> RopeAngles {
    guard let base, row >= 0, row < capacity else { preconditionFailure("no angles for row \(row)") }
    let plane = capacity * half
    let start = base + (scaled ? 2 * plane : 0) + row * half
    return RopeAngles(cosines: start, sines: start + plane, half: half)
  }
}

/// `half` cosines and sines of one position, valid until their table is filled again.
package struct RopeAngles {
  let cosines: UnsafePointer<Float>
  let sines: UnsafePointer<Float>
  let half: Int

  package init(cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>, half: Int) {
    self.cosines = cosines
    self.sines = sines
    self.half = half
  }
}

extension ForwardKernels {
  /// Turns each of `heads` neighbouring heads of `2 · half` elements by the angles, in place: a pair `(a, b)` becomes
  /// `(a cos − b sin, a sin + b cos)`.
  ///
  /// Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021).
  package func rope(_ x: UnsafeMutablePointer<Float>, heads: Int, angles: RopeAngles, pairing: RopePairing) {
    let half = angles.half
    let kernel = pairing == .interleaved ? table?.pointee.rope_pairs : table?.pointee.rope_halves
    for head in 0..<heads {
      let start = x + head * 2 * half
      if let kernel {
        kernel(start, angles.cosines, angles.sines, half)
        continue
      }
      for i in 0..<half {
        let (first, second) = pairing == .interleaved ? (2 * i, 2 * i + 1) : (i, i + half)
        let (a, b) = (start[first], start[second])
        start[first] = a * angles.cosines[i] - b * angles.sines[i]
        start[second] = a * angles.sines[i] + b * angles.cosines[i]
      }
    }
  }
}
