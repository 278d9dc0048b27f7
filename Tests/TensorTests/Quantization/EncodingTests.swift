import TestSupport
import Testing

@testable import Tensor

@Suite("Encoding of element types")
struct EncodingTests {
  /// What a block's largest magnitude is multiplied with to bound the error of each of its elements.
  ///
  /// Half a step for the types with a minimum, a whole step where the level of the extreme value has no counterpart on the
  /// other side, and half a step of the scales on top where these are quantised themselves.
  static func bound(_ type: ElementType) -> Float {
    switch type {
    case .f32: 0
    case .f16: 0x1p-11
    case .bf16: 0x1p-8
    case .q8_0: 0.5 / 127 + 0x1p-10
    case .q4_0: 1.0 / 8 + 0x1p-10
    case .q5_0: 1.0 / 16 + 0x1p-10
    case .q4_1: 1.0 / 15 + 0x1p-9
    case .q5_1: 1.0 / 31 + 0x1p-9
    case .q6_K: 1.0 / 32 + 1.0 / 256 + 0x1p-10
    case .q5_K: 1.0 / 31 + 1.5 / 63 + 0x1p-9
    case .q4_K: 1.0 / 15 + 1.5 / 63 + 0x1p-9
    case .q3_K: 1.0 / 4 + 1.0 / 32 + 0x1p-9
    case .q2_K: 1.0 / 3 + 1.5 / 15 + 0x1p-9
    }
  }

  static func roundTrip(_ values: [Float], _ type: ElementType) throws -> [Float] {
    let bytes = try #require(type.encoded(values))
    let tensor = try #require(
      Tensor(name: "encoded", type: type, dimensions: [values.count], storage: Storage(copying: bytes)))
    return tensor.decodedRow(0)
  }

  @Test("Decoding what was encoded stays within the type's bound", arguments: ElementType.allCases)
  func errorBound(type: ElementType) throws {
    for seed in UInt64(0)..<40 {
      var generator = SeededGenerator(seed: seed)
      let deviation = Float.random(in: 1e-3...10, using: &generator)
      // Every fourth block is one-sided, which is the hard case for formats without a minimum, or with one only.
      let shift: Float = seed % 4 == 3 ? 5 * deviation * (seed % 8 == 3 ? 1 : -1) : 0
      let values = generator.gaussians(256, deviation: deviation).map { $0 + shift }
      let decoded = try Self.roundTrip(values, type)
      for start in stride(from: 0, to: 256, by: type.blockLength) {
        let block = start..<start + type.blockLength
        let largest = block.map { abs(values[$0]) }.max() ?? 0
        let worst = block.map { abs(values[$0] - decoded[$0]) }.max() ?? 0
        #expect(worst <= largest * Self.bound(type), "\(type.name), seed \(seed): \(worst / largest)")
      }
    }
  }

  @Test("Zeros stay zeros, and a constant block comes back", arguments: ElementType.allCases)
  func constants(type: ElementType) throws {
    #expect(try Self.roundTrip([Float](repeating: 0, count: 256), type).allSatisfy { $0 == 0 })
    for constant in [1, -1, 0.37, -250] as [Float] {
      let decoded = try Self.roundTrip([Float](repeating: constant, count: 256), type)
      #expect(decoded.allSatisfy { abs($0 - constant) <= abs(constant) * Self.bound(type) }, "\(type.name) \(constant)")
    }
  }

  @Test("Extreme and non-finite values don't trap", arguments: ElementType.allCases)
  func extremes(type: ElementType) throws {
    for value in [
      Float.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan, 0x1p-149, 1e-30,
    ] {
      var values = [Float](repeating: 0.5, count: 256)
      values[17] = value
      _ = try Self.roundTrip(values, type)
      _ = try Self.roundTrip([Float](repeating: value, count: 256), type)
    }
  }

  @Test("What is no whole number of blocks isn't encoded")
  func wholeBlocks() {
    for type in ElementType.allCases where type.blockLength > 1 {
      #expect(type.encoded([Float](repeating: 0, count: type.blockLength - 1)) == nil)
      #expect(type.encoded([])?.isEmpty == true)
    }
  }
}
