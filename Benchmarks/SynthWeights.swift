import Tensor

/// Random rows of an element type, fast: blocks that were encoded once are drawn at random.
///
/// Encoding every weight of a file of a gigabyte would take minutes. A pool of some hundred blocks with well-formed
/// scales gives as many different rows as anyone needs, whatever the type's layout. Rows of a few blocks only, in which
/// that would show (two tokens with the same embedding), are encoded one by one.
final class SynthWeights {
  private let type: ElementType
  private let deviation: Float
  private let blockByteCount: Int
  private let blockCount: Int
  private let blocks: [UInt8]

  init(type: ElementType, seed: UInt64, deviation: Float) {
    // Plain types are drawn in pieces of 32 elements too: a random number per element would be slow.
    let length = max(type.blockLength, 32)
    var generator = SynthGenerator(seed: seed ^ UInt64(type.rawValue))
    self.type = type
    self.deviation = deviation
    blockCount = 1024
    var values: [Float] = []
    values.reserveCapacity(blockCount * length)
    for _ in 0..<blockCount * length { values.append(generator.gaussian() * deviation) }
    // No type's blocks are longer than what is encoded here, and all lengths divide it.
    blocks = type.encoded(values) ?? []
    blockByteCount = blocks.count / blockCount
  }

  /// Fills a row, which has to be a whole number of blocks (of 32 elements for plain types).
  func fill(_ row: UnsafeMutableRawBufferPointer, seed: UInt64) {
    var generator = SynthGenerator(seed: seed)
    guard row.count >= 4 * blockByteCount else {
      let values = (0..<row.count / type.blockByteCount * type.blockLength).map { _ in generator.gaussian() * deviation
      }
      row.copyBytes(from: type.encoded(values) ?? [])
      return
    }
    blocks.withUnsafeBytes { pool in
      var start = 0
      while start + blockByteCount <= row.count {
        let block = Int(truncatingIfNeeded: generator.next() >> 32) % blockCount * blockByteCount
        // Both ranges lie inside their buffers by the loop's condition and the remainder above.
        UnsafeMutableRawBufferPointer(rebasing: row[start..<start + blockByteCount]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: pool[block..<block + blockByteCount]))
        start += blockByteCount
      }
    }
  }
}

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
struct SynthGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// About normally distributed: the sum of four uniform numbers of 16 bits, brought to mean 0 and deviation 1.
  mutating func gaussian() -> Float {
    let bits = next()
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    return (Float(sum) - 131_070) * 2.642_899_8e-5
  }
}
