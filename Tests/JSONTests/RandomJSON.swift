import JSON
import TestSupport

/// Random JSON values, the same for the same seed.
struct RandomJSON {
  var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func next(depth: Int = 4) -> JSONValue {
    switch Int.random(in: 0..<(depth == 0 ? 6 : 9), using: &generator) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &generator))
    case 2: return .integer(Int(truncatingIfNeeded: generator.next() >> UInt64.random(in: 0..<64, using: &generator)))
    case 3: return .double(double())
    case 4, 5: return .string(text())
    case 6: return .array((0..<Int.random(in: 0..<5, using: &generator)).map { _ in next(depth: depth - 1) })
    default:
      let count = Int.random(in: 0..<14, using: &generator)
      return .object(JSONObject((0..<count).map { _ in (text(), next(depth: depth - 1)) }))
    }
  }

  private mutating func double() -> Double {
    let value = Double(bitPattern: generator.next())
    return value.isFinite ? value : 0.5
  }

  private mutating func text() -> String {
    let ranges: [ClosedRange<UInt32>] = [0...0x1F, 0x20...0x7E, 0x7F...0x2FFF, 0xE000...0xFFFF, 0x10000...0x10FFFF]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<8, using: &generator) {
      let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
      text.append(Unicode.Scalar(UInt32.random(in: range, using: &generator)) ?? "\u{FFFD}")
    }
    return String(text)
  }
}
