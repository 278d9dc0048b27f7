import TestSupport
import Testing

@testable import Tensor

@Suite("Decoding of element types")
struct DecodingTests {
  /// Blocks with the values that an independent implementation gives (see `Scripts/write-quantized-blocks.py`).
  @Test("Every type decodes bit for bit as gguf-py does", arguments: ElementType.allCases)
  func goldenBlocks(type: ElementType) throws {
    let blocks = try QuantizedBlock.all().filter { $0.type == type }
    #expect(blocks.count >= 3)
    for block in blocks {
      let count = block.bytes.count / type.blockByteCount * type.blockLength
      let tensor = try #require(
        Tensor(name: "golden", type: type, dimensions: [count], storage: Storage(copying: block.bytes)))
      let decoded = tensor.decodedRow(0)
      #expect(decoded.count == block.values.count)
      for (index, (ours, theirs)) in zip(decoded, block.values).enumerated() {
        let isSame = ours.bitPattern == theirs.bitPattern || (ours.isNaN && theirs.isNaN)
        if !isSame { Issue.record("\(type.name)[\(index)]: \(ours) instead of \(theirs)") }
      }
    }
  }

  @Test("A row is found by its index, at any offset of the storage")
  func rows() throws {
    var generator = SeededGenerator(seed: 5)
    for type in ElementType.allCases {
      let columns = 512
      let rows = (0..<3).map { _ in generator.gaussians(columns) }
      let encoded = try rows.map { try #require(type.encoded($0)) }
      let storage = Storage(copying: [1, 2, 3, 4] + encoded.flatMap { $0 })
      let tensor = try #require(
        Tensor(name: "rows", type: type, dimensions: [columns, 3], storage: storage, offset: 4))
      for row in 0..<3 {
        let alone = try #require(
          Tensor(name: "row", type: type, dimensions: [columns], storage: Storage(copying: encoded[row])))
        #expect(tensor.decodedRow(row) == alone.decoded())
      }
      #expect(tensor.decoded() == (0..<3).flatMap { tensor.decodedRow($0) })
    }
  }

  @Test("The dot product is that of the decoded values", arguments: ElementType.allCases)
  func dot(type: ElementType) throws {
    var generator = SeededGenerator(seed: 6)
    let (values, activations) = (generator.gaussians(768), generator.gaussians(768))
    let bytes = try #require(type.encoded(values))
    let tensor = try #require(Tensor(name: "dot", type: type, dimensions: [768], storage: Storage(copying: bytes)))
    let expected = zip(tensor.decodedRow(0), activations).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    let dot = activations.withUnsafeBufferPointer { activations in
      activations.baseAddress.map { type.dot(tensor.row(0), $0, count: 768) }
    }
    #expect(dot == Float(expected))
  }
}
