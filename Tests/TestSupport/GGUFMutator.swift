/// Damages a valid GGUF file in ways that keep most of its structure, repeatably.
///
/// ```swift
/// let mutator = GGUFMutator(try TinyModel().bytes())
/// let hostile = mutator.mutated(iteration: 17, seed: 1)     // always the same bytes
/// ```
package struct GGUFMutator: Sendable {
  private let bytes: [UInt8]
  private let header: GGUFFields

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    header = GGUFFields(bytes)
  }

  /// Values at which sizes wrap, turn negative, or just pass a check, for a field that holds `value`.
  package static func edges(around value: UInt64) -> [UInt64] {
    let powers: [UInt64] = [7, 8, 15, 16, 20, 31, 32, 42, 60, 61, 62, 63].flatMap { power -> [UInt64] in
      [1 << power, (1 << power) - 1, (1 << power) + 1]
    }
    let near: [UInt64] = [value &+ 1, value &- 1, value &* 2, value / 2, value &* 32, ~value, value.byteSwapped]
    return powers + near + [0, 1, 2, 3, 4, 5, 9, 12, 13, 14, 32, 255, .max, .max - 1, .max - 7]
  }

  package func mutated(iteration: UInt64, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ iteration)
    var result = bytes
    // One change leads deep into the reader; several find combinations.
    for _ in 0..<[1, 1, 1, 2, 3, 6][Int.random(in: 0..<6, using: &generator)] { mutate(&result, &generator) }
    return result
  }

  private func mutate(_ result: inout [UInt8], _ generator: inout SeededGenerator) {
    guard !result.isEmpty else { return }
    switch Int.random(in: 0..<16, using: &generator) {
    case 0..<8: changeField(&result, &generator)
    case 8..<10: flipByte(&result, &generator, below: header.headerByteCount)
    case 10: flipByte(&result, &generator, below: result.count)
    case 11: result.removeLast(Int.random(in: 0...result.count, using: &generator))
    case 12: result.removeLast(Int.random(in: 0...min(result.count, 64), using: &generator))
    case 13:
      let (start, count) = slice(result, &generator)
      result.removeSubrange(start..<start + count)
    case 14:
      let (start, count) = slice(result, &generator)
      result.insert(contentsOf: Array(result[start..<start + count]), at: start)
    default:
      let (start, count) = slice(result, &generator)
      let target = Int.random(in: 0...min(header.headerByteCount, result.count - count), using: &generator)
      result.replaceSubrange(target..<target + count, with: Array(result[start..<start + count]))
    }
  }

  private func changeField(_ result: inout [UInt8], _ generator: inout SeededGenerator) {
    guard let field = header.fields.randomElement(using: &generator), field.offset + field.byteCount <= result.count
    else { return }
    let value = header.value(of: field, in: result)
    let edges = Self.edges(around: value)
    let isEdge = Bool.random(using: &generator)
    let small = UInt64.random(in: 0..<64, using: &generator)
    header.set(field, to: isEdge ? edges[Int.random(in: 0..<edges.count, using: &generator)] : small, in: &result)
  }

  private func flipByte(_ result: inout [UInt8], _ generator: inout SeededGenerator, below limit: Int) {
    let index = Int.random(in: 0..<min(max(limit, 1), result.count), using: &generator)
    result[index] = UInt8.random(in: 0...255, using: &generator)
  }

  /// A short piece of the header.
  private func slice(_ result: [UInt8], _ generator: inout SeededGenerator) -> (start: Int, count: Int) {
    let start = Int.random(in: 0..<min(max(header.headerByteCount, 1), result.count), using: &generator)
    return (start, Int.random(in: 0...min(64, result.count - start), using: &generator))
  }
}
