import Foundation
import GGUF
import Tensor
import TestSupport
import Testing

@Suite("Writing GGUF files")
struct GGUFWriterTests {
  /// A value of every type, and arrays of every type.
  static func richWriter() throws -> GGUFWriter {
    var writer = GGUFWriter()
    writer["a.uint8"] = .value(.uint8(.max))
    writer["a.int8"] = .value(.int8(.min))
    writer["a.uint16"] = .value(.uint16(.max))
    writer["a.int16"] = .value(.int16(.min))
    writer["a.uint32"] = .uint32(.max)
    writer["a.int32"] = .int32(.min)
    writer["a.uint64"] = .uint64(.max)
    writer["a.int64"] = .value(.int64(.min))
    writer["a.float32"] = .float32(1.5)
    writer["a.float64"] = .value(.float64(-0.1))
    writer["a.bool"] = .bool(true)
    writer["a.string"] = .string("naïve 北京 🌧️\r\n")
    writer["b.strings"] = .strings(["", "a", "🌧️", "ab"])
    writer["b.empty"] = .array(.string, [])
    writer["b.int32s"] = .int32s([1, -2, 3])
    writer["b.float32s"] = .float32s([0.5, -1])
    writer["b.bools"] = .array(.bool, [.bool(true), .bool(false)])
    writer["b.uint64s"] = .array(.uint64, [.uint64(1), .uint64(.max)])
    writer["b.nested"] = .array(
      .array,
      [.array(.uint8, [.value(.uint8(1)), .value(.uint8(2))]), .strings(["x", "yz"]), .array(.array, [.int32s([7])])])
    try writer.addTensor("first", type: .q8_0, dimensions: [32, 2], floats: (0..<64).map { Float($0) })
    try writer.addTensor("second", floats: [1, 2, 3])
    return writer
  }

  @Test("What is written is read back, for every metadata type")
  func roundTrip() throws {
    let file = try GGUFFile(bytes: Self.richWriter().bytes())
    let metadata = file.metadata
    #expect(file.version == 3)
    #expect(metadata.keys.first == "a.uint8" && metadata.keys.last == "b.nested" && metadata.count == 19)
    for (key, value) in [
      ("uint8", 255), ("int8", -128), ("uint16", 65_535), ("int16", -32_768), ("uint32", 4_294_967_295),
      ("int32", -2_147_483_648), ("int64", Int.min),
    ] {
      #expect(try metadata.integer("a.\(key)") == value)
    }
    #expect(throws: GGUFError.self) { try metadata.integer("a.uint64") }
    guard case .uint64(.max) = metadata["a.uint64"] else { throw Unexpected() }
    #expect(try metadata.float("a.float32") == 1.5)
    #expect(try metadata.float("a.float64") == -0.1)
    #expect(try metadata.float("a.int8") == -128)
    #expect(try metadata.bool("a.bool") == true)
    #expect(try metadata.string("a.string").map { Array($0.utf8) } == Array("naïve 北京 🌧️\r\n".utf8))
    let strings = try #require(try metadata.strings("b.strings"))
    #expect((0..<strings.count).map { strings.string(at: $0) } == ["", "a", "🌧️", "ab"])
    #expect(strings.bytes(at: 3) == Array("ab".utf8))
    #expect(try metadata.strings("b.empty")?.count == 0)
    #expect(try metadata.integers("b.int32s") == [1, -2, 3])
    #expect(try metadata.floats("b.float32s") == [0.5, -1])
    #expect(throws: GGUFError.self) { try metadata.integers("b.uint64s") }
    let nested = try #require(try metadata.array("b.nested")?.arrays)
    #expect(nested[0].integers == [1, 2])
    #expect(nested[1].strings?.string(at: 1) == "yz")
    #expect(nested[2].arrays?.first?.integers == [7])
    #expect(try metadata.string("absent") == nil)
  }

  @Test("A value of another type than asked for is an error that says both")
  func typeErrors() throws {
    let metadata = try GGUFFile(bytes: Self.richWriter().bytes()).metadata
    func message(_ body: () throws -> Void) -> String {
      do { try body() } catch { return "\(error)" }
      return ""
    }
    #expect(
      message { _ = try metadata.integer("a.float32") } == #"key "a.float32": an integer is expected, not float32 1.5"#)
    #expect(
      message { _ = try metadata.strings("b.int32s") }
        == #"key "b.int32s": an array of strings is expected, not an array of 3 int32"#)
    #expect(message { _ = try metadata.bool("a.uint8") } == #"key "a.uint8": true or false is expected, not uint8 255"#)
  }

  @Test("Tensors come back, whatever the alignment", arguments: [8, 16, 32, 64, 4096])
  func alignment(alignment: Int) throws {
    var writer = GGUFWriter(alignment: alignment)
    writer["general.architecture"] = .string("none")
    try writer.addTensor("odd", floats: [1, 2, 3])
    try writer.addTensor("rows", type: .f16, dimensions: [3, 5]) { row, bytes in
      for index in bytes.indices { bytes[index] = UInt8(row) }
    }
    let file = try GGUFFile(bytes: writer.bytes())
    #expect(file.alignment == alignment)
    #expect(file.tensors.allSatisfy { $0.offset % alignment == 0 })
    #expect(file.tensor("odd")?.decoded() == [1, 2, 3])
    let rows = try #require(file.tensor("rows"))
    #expect(rows.rows == 5 && rows.columns == 3)
    #expect(rows.row(4).loadUnaligned(as: UInt32.self) == 0x0404_0404)
    #expect(file.tensor("absent") == nil)
  }

  @Test("Writing what was read gives the same bytes")
  func copies() throws {
    let bytes = try Self.richWriter().bytes()
    let file = try GGUFFile(bytes: bytes)
    var copy = GGUFWriter()
    for key in file.metadata.keys { copy[key] = file.metadata[key].map(GGUFWriter.Value.value) }
    for info in file.tensors {
      let tensor = try #require(file.tensor(info.name))
      try copy.addTensor(info.name, type: info.type, dimensions: info.dimensions) { row, target in
        target.copyMemory(from: UnsafeRawBufferPointer(start: tensor.row(row), count: tensor.rowByteCount))
      }
    }
    #expect(copy.bytes() == bytes)
  }

  @Test("A file on disk is the same as in memory, and nothing else remains in the folder")
  func disk() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gguf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let writer = try Self.richWriter()
    let path = folder.appending(path: "model.gguf")
    try writer.write(to: path.path)
    #expect(try [UInt8](Data(contentsOf: path)) == writer.bytes())
    #expect(try GGUFFile(path: path.path).tensor("second")?.decoded() == [1, 2, 3])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["model.gguf"])
    #expect(throws: GGUFError.self) { try writer.write(to: folder.appending(path: "no/such/folder.gguf").path) }
  }

  @Test("Tensors that can't be are refused when added")
  func refusals() throws {
    var writer = GGUFWriter()
    try writer.addTensor("taken", floats: [1])
    #expect(throws: GGUFError.self) { try writer.addTensor("taken", floats: [1]) }
    #expect(throws: GGUFError.self) { try writer.addTensor("", floats: [1]) }
    #expect(throws: GGUFError.self) { try writer.addTensor("x", type: .q4_0, floats: [1]) }
    #expect(throws: GGUFError.self) { try writer.addTensor("x", type: .f32, dimensions: [2], bytes: [0]) }
    #expect(throws: GGUFError.self) { try writer.addTensor("x", type: .f32, dimensions: [0], bytes: []) }
    #expect(throws: GGUFError.self) { try writer.addTensor("x", type: .f32, dimensions: [.max, 2]) { _, _ in } }
    #expect(throws: GGUFError.self) { try writer.addTensor("x", type: .f32, dimensions: [1, 1, 1, 1, 1]) { _, _ in } }
    #expect(try GGUFFile(bytes: writer.bytes()).tensors.count == 1)
  }

  struct Unexpected: Error {}
}
