import GGUF
import Tensor
import TestSupport
import Testing

/// Files that were damaged on purpose: each is either read or refused with one line, and nothing else happens.
@Suite("Hostile GGUF files")
struct HostileFileTests {
  /// Opens `bytes` in front of a guard page and touches everything. Returns whether they were accepted.
  @discardableResult
  static func open(_ bytes: ArraySlice<UInt8>, maximumRows: Int = .max) throws -> Bool {
    let guarded = try #require(GuardedBytes(bytes))
    do {
      let file = try GGUFFile(storage: guarded.storage, path: "hostile.gguf")
      file.touchEverything(maximumRows: maximumRows)
      return true
    } catch {
      let line = "\(error)"
      #expect(line.hasPrefix("hostile.gguf: ") && line.utf8.count < 1000)
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
      return false
    }
  }

  @Test("Every field of the header, at every value where sizes wrap or turn")
  func everyField() throws {
    let valid = try GGUFWriterTests.richWriter().bytes()
    let header = GGUFFields(valid)
    #expect(try Self.open(valid[...]))
    var refused = 0
    for field in header.fields {
      for value in GGUFMutator.edges(around: header.value(of: field, in: valid)) {
        var bytes = valid
        header.set(field, to: value, in: &bytes)
        if try !Self.open(bytes[...]) { refused += 1 }
      }
    }
    // Most changes make a file that can't be; those of plain values and name bytes don't.
    #expect(refused > header.fields.count * 10)
  }

  @Test("Cut at every length")
  func everyLength() throws {
    let valid = try GGUFWriterTests.richWriter().bytes()
    // The last tensor ends 20 bytes before the file, which is padded: that much may be missing.
    let needed = try #require(try GGUFFile(bytes: valid).tensors.map { $0.offset + $0.byteCount }.max())
    for length in 0..<valid.count {
      #expect(try Self.open(valid[..<length]) == (length >= needed), "\(length) of \(valid.count)")
    }
  }

  @Test("A model cut within its vocabulary, descriptions and data")
  func cutModel() throws {
    let valid = try TinyModel().bytes()
    let header = GGUFFields(valid).headerByteCount
    let needed = try #require(try GGUFFile(bytes: valid).tensors.map { $0.offset + $0.byteCount }.max())
    for length in Array(stride(from: 0, to: header + 64, by: 13)) + Array(stride(from: header, to: needed, by: 4099)) {
      #expect(try Self.open(valid[..<length], maximumRows: 1) == false, "\(length) of \(valid.count)")
    }
    #expect(try Self.open(valid[..<needed], maximumRows: 1))
  }

  @Test("Random structure-aware damage", arguments: [UInt64(1), 2, 3])
  func randomDamage(seed: UInt64) throws {
    let mutator = GGUFMutator(try GGUFWriterTests.richWriter().bytes())
    for iteration in 0..<UInt64(1500) {
      try Self.open(mutator.mutated(iteration: iteration, seed: seed)[...])
    }
  }

  @Test("Random damage of a whole model")
  func randomDamageOfModel() throws {
    let mutator = GGUFMutator(try TinyModel().bytes())
    for iteration in 0..<UInt64(150) {
      try Self.open(mutator.mutated(iteration: iteration, seed: 9)[...], maximumRows: 2)
    }
  }

  @Test("Arrays nested deep are refused before the stack ends")
  func deepNesting() throws {
    var bytes = Array("GGUF".utf8)
    func append(_ value: UInt64, _ byteCount: Int) {
      for index in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
    }
    append(3, 4)
    append(0, 8)
    append(1, 8)
    append(1, 8)
    bytes.append(UInt8(ascii: "x"))
    append(9, 4)
    for _ in 0..<100_000 {
      append(9, 4)
      append(1, 8)
    }
    append(0, 4)
    append(0, 8)
    let error = #expect(throws: GGUFError.self) { try GGUFFile(bytes: bytes) }
    #expect(error?.description == #"key "x": arrays are nested more than 8 deep"#)
  }

  @Test("Names with control characters and of any length can't disturb a terminal")
  func printableNames() throws {
    var writer = GGUFWriter()
    writer["\u{1B}[31mred\n\u{202E}" + String(repeating: "x", count: 60_000)] = .uint32(1)
    var bytes = writer.bytes()
    let header = GGUFFields(bytes)
    let type = try #require(header.fields.first { $0.kind == .valueType })
    header.set(type, to: 77, in: &bytes)
    let error = #expect(throws: GGUFError.self) { try GGUFFile(bytes: bytes) }
    let line = error?.description ?? ""
    #expect(line.hasPrefix("key \"\u{FFFD}[31mred\u{FFFD}\u{FFFD}xxx"))
    #expect(line.hasSuffix("…\": value type 77 is unknown"))
    #expect(line.utf8.count < 200)
  }

  @Test("Names that occur twice, and tensors that share bytes")
  func duplicates() throws {
    var writer = GGUFWriter()
    writer["aa"] = .uint32(1)
    writer["ab"] = .uint32(1)
    try writer.addTensor("ta", floats: [1, 2])
    try writer.addTensor("tb", floats: [3, 4])
    let valid = writer.bytes()
    let header = GGUFFields(valid)
    func refusal(_ change: (inout [UInt8]) -> Void) -> String {
      var bytes = valid
      change(&bytes)
      do { _ = try GGUFFile(bytes: bytes) } catch { return "\(error)" }
      return "accepted"
    }
    func field(_ kind: GGUFFields.Kind, _ index: Int) -> GGUFFields.Field {
      header.fields.filter { $0.kind == kind }[index]
    }
    let a = UInt64(UInt8(ascii: "a"))
    #expect(refusal { header.set(field(.nameByte, 3), to: a, in: &$0) } == #"key "aa": the key occurs twice"#)
    #expect(refusal { header.set(field(.nameByte, 7), to: a, in: &$0) } == #"tensor "ta": the name occurs twice"#)
    #expect(
      refusal { header.set(field(.tensorOffset, 1), to: 0, in: &$0) }
        == #"tensor "tb": its data overlaps that of tensor "ta""#)
    #expect(
      refusal { header.set(field(.tensorOffset, 1), to: 31, in: &$0) }
        == #"tensor "tb": offset 31 is no multiple of the alignment 32"#)
    #expect(
      refusal { header.set(field(.nameByte, 0), to: 0xFF, in: &$0) }
        == "metadata key 1 of 2: the name is no valid UTF-8")
  }
}
