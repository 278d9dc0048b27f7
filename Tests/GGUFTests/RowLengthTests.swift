import GGUF
import Tensor
import TestSupport
import Testing

@Suite("Rows that aren't whole blocks")
struct RowLengthTests {
  @Test(
    "a row that is no whole number of blocks is refused, naming tensor, length and type (case 22)",
    arguments: ElementType.allCases.filter { $0.blockLength > 1 })
  func refused(type: ElementType) throws {
    // A valid file whose tensor then claims another type or another row.
    var writer = GGUFWriter()
    try writer.addTensor("ok.weight", type: type, dimensions: [768, 2], floats: [Float](repeating: 0.5, count: 1536))
    let valid = writer.bytes()
    #expect(try GGUFFile(bytes: valid).tensor("ok.weight")?.rows == 2)
    let header = GGUFFields(valid)
    let dimension = try #require(header.fields.first { $0.kind == .dimension })
    for columns in [1, type.blockLength - 1, type.blockLength + 1, 896 + 16, 767] where columns % type.blockLength != 0
    {
      var bytes = valid
      header.set(dimension, to: UInt64(columns), in: &bytes)
      let error = #expect(throws: GGUFError.self) { try GGUFFile(bytes: bytes) }
      let line = error?.description ?? ""
      #expect(line.contains("\"ok.weight\"") && line.contains("\(columns)") && line.contains(type.name), "\(line)")
    }
  }

  @Test("896 columns fit blocks of 32 and not of 256 (case 22)", arguments: ElementType.allCases)
  func columnsOfSmallQwen(type: ElementType) throws {
    var writer = GGUFWriter()
    try writer.addTensor("x", type: .f32, dimensions: [896, 1], floats: [Float](repeating: 0, count: 896))
    var bytes = writer.bytes()
    let header = GGUFFields(bytes)
    let field = try #require(header.fields.first { $0.kind == .tensorType })
    header.set(field, to: UInt64(type.rawValue), in: &bytes)
    let fits = 896 % type.blockLength == 0
    #expect(((try? GGUFFile(bytes: bytes)) != nil) == fits)
  }
}
