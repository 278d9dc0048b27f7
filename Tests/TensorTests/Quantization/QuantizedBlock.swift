import Foundation

@testable import Tensor

/// A line of `Tests/Fixtures/quantized-blocks.txt`.
struct QuantizedBlock {
  let type: ElementType
  let bytes: [UInt8]
  let values: [Float]

  struct Malformed: Error { let line: Substring }

  static func all() throws -> [QuantizedBlock] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Fixtures/quantized-blocks.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let fields = line.split(separator: " ")
      guard fields.count == 3, let type = ElementType.allCases.first(where: { $0.name == fields[0] }) else {
        throw Malformed(line: line)
      }
      let values = bytes(hex: fields[2])
      return QuantizedBlock(
        type: type, bytes: bytes(hex: fields[1]),
        values: stride(from: 0, to: values.count, by: 4).map { offset in
          Float(bitPattern: values[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        })
    }
  }

  private static func bytes(hex: Substring) -> [UInt8] {
    let digits = hex.utf8.map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
