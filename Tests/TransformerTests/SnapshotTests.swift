import Tensor
import TestSupport
import Testing

@testable import Transformer

/// A context that is saved and restored goes on as if nothing had happened; damaged or foreign snapshots are refused.
@Suite struct SnapshotTests {
  private static func tiny(seed: UInt64 = 1) -> TinyModel {
    var tiny = TinyModel(.qwen2)
    tiny.contextLength = 600
    // Widths that aren't multiples of 32: groups of scales that aren't full.
    (tiny.heads, tiny.keyValueHeads, tiny.headWidth) = (4, 2, 40)
    tiny.seed = seed
    return tiny
  }

  private static func context(
    _ model: Model, _ element: CacheLayout.Element = .f16, length: Int? = nil
  ) throws -> InferenceContext {
    try InferenceContext(model: model, pool: WorkerPool(threads: 2), contextLength: length, cache: element)
  }

  private static func snapshot(_ context: InferenceContext, of positions: Int? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    context.writeSnapshot(of: positions) { bytes.append(contentsOf: $0) }
    return bytes
  }

  private static func restore(_ bytes: [UInt8], into context: InferenceContext) throws(SnapshotError) {
    // Typed errors don't pass through `withUnsafeBytes`.
    var failure: SnapshotError?
    bytes.withUnsafeBytes { bytes in
      do throws(SnapshotError) { try context.restoreSnapshot(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  @Test(arguments: CacheLayout.Element.allCases, [1, 15, 16, 255, 256, 300])
  func restoredContextGoesOnTheSame(element: CacheLayout.Element, positions: Int) throws {
    let model = try Model(Self.tiny().file())
    let context = try Self.context(model, element)
    _ = try context.run(tokens(positions + 7), logits: .none)
    let bytes = Self.snapshot(context, of: positions)
    #expect(bytes.count == context.snapshotByteCount(of: positions))
    context.rewind(to: positions)
    #expect(Self.snapshot(context) == bytes)

    let more = tokens(20, seed: 9)
    let expected = try context.run(more)
    let other = try Self.context(model, element)
    _ = try other.run(tokens(33, seed: 5), logits: .last)
    try Self.restore(bytes, into: other)
    #expect(other.count == positions && other.logitsCount == 0)
    #expect(try other.run(more) == expected)
  }

  @Test func anEmptyContextHasASnapshotToo() throws {
    let context = try Self.context(Model(Self.tiny().file()))
    let bytes = Self.snapshot(context)
    _ = try context.run(tokens(3))
    try Self.restore(bytes, into: context)
    #expect(context.count == 0)
  }

  @Test func foreignSnapshotsAreRefused() throws {
    let model = try Model(Self.tiny().file())
    let context = try Self.context(model)
    _ = try context.run(tokens(40), logits: .none)
    let bytes = Self.snapshot(context)

    let other = try Model(Self.tiny(seed: 2).file())
    #expect(other.fingerprint != model.fingerprint)
    #expect(throws: SnapshotError.otherModel(expected: other.fingerprint, found: model.fingerprint)) {
      try Self.restore(bytes, into: Self.context(other))
    }
    #expect(throws: SnapshotError.otherLayout(what: "cache element type", expected: 2, found: 0)) {
      try Self.restore(bytes, into: Self.context(model, .q8_0))
    }
    #expect(throws: SnapshotError.tooLong(positions: 40, limit: 39)) {
      try Self.restore(bytes, into: Self.context(model, length: 39))
    }
    var later = bytes
    later[8] = 9
    #expect(throws: SnapshotError.unsupportedVersion(9, supported: 1)) { try Self.restore(later, into: context) }
    #expect(throws: SnapshotError.notASnapshot) { try Self.restore(Array("GGUF".utf8), into: context) }
    #expect(throws: SnapshotError.notASnapshot) { try Self.restore([], into: context) }
    #expect(throws: SnapshotError.byteCount(expected: bytes.count, found: bytes.count - 1)) {
      try Self.restore(bytes.dropLast(), into: context)
    }
    #expect(throws: SnapshotError.byteCount(expected: bytes.count, found: bytes.count + 1)) {
      try Self.restore(bytes + [0], into: context)
    }
  }

  /// Whatever is damaged: an error, and the context as it was.
  @Test func damagedSnapshotsFuzz() throws {
    let model = try Model(Self.tiny().file())
    let source = try Self.context(model)
    _ = try source.run(tokens(40), logits: .none)
    let bytes = Self.snapshot(source)
    let context = try Self.context(model)
    _ = try context.run(tokens(10, seed: 4), logits: .none)
    let before = Self.snapshot(context)
    try FuzzRun("snapshot", iterations: 200).run { iteration in
      var generator = SeededGenerator(seed: iteration)
      var damaged = bytes
      // Half of the damage is in the header, which is small.
      let place = Int.random(in: 0..<(iteration % 2 == 0 ? SnapshotHeader.byteCount : bytes.count), using: &generator)
      damaged[place] ^= UInt8.random(in: 1...255, using: &generator)
      if iteration % 5 == 0 { damaged.removeLast(Int.random(in: 0...damaged.count, using: &generator)) }
      #expect(throws: SnapshotError.self, "byte \(place)") { try Self.restore(damaged, into: context) }
      #expect(context.count == 10)
    }
    #expect(Self.snapshot(context) == before)
  }

  @Test func aFailingSinkEndsTheWriting() throws {
    struct Full: Error, Equatable {}
    let context = try Self.context(Model(Self.tiny().file()))
    _ = try context.run(tokens(40), logits: .none)
    var pieces = 0
    #expect(throws: Full()) {
      try context.writeSnapshot { (_: UnsafeRawBufferPointer) throws(Full) in
        pieces += 1
        if pieces == 3 { throw Full() }
      }
    }
    #expect(pieces == 3)
  }

  /// Neither unused lanes nor rewound tokens leave anything in the bytes.
  @Test(arguments: CacheLayout.Element.allCases)
  func nothingBeyondThePositionsIsWritten(element: CacheLayout.Element) throws {
    let model = try Model(Self.tiny().file())
    let clean = try Self.context(model, element)
    _ = try clean.run(tokens(21), logits: .none)
    let used = try Self.context(model, element)
    _ = try used.run(tokens(21) + tokens(200, seed: 7), logits: .none)
    used.rewind(to: 0)
    _ = try used.run(tokens(21), logits: .none)
    #expect(Self.snapshot(used) == Self.snapshot(clean))
  }
}

@Suite struct FingerprintTests {
  @Test func textFormReadsBack() throws {
    let fingerprint = try Model(TinyModel().file()).fingerprint
    #expect(fingerprint.description.utf8.count == 32)
    #expect(ModelFingerprint(fingerprint.description) == fingerprint)
    for text in [
      "", "0", fingerprint.description + "0", String(repeating: "g", count: 32), String(repeating: "+", count: 32),
    ] {
      #expect(ModelFingerprint(text) == nil)
    }
  }

  @Test func everythingInFrontOfTheWeightsCounts() throws {
    let plain = try Model(TinyModel().file()).fingerprint
    #expect(try Model(TinyModel().file()).fingerprint == plain)
    var tiny = TinyModel()
    tiny.ropeBase = 10_001
    #expect(try Model(tiny.file()).fingerprint != plain)
    tiny = TinyModel()
    tiny.seed = 2
    #expect(try Model(tiny.file()).fingerprint != plain)
  }

  /// Every bit of a piece, its length and its place change the hash.
  @Test func hashSeesEveryBit() {
    let bytes = [UInt8](repeating: 0, count: 45)
    var seen: Set<[UInt64]> = []
    func hash(_ pieces: [[UInt8]]) -> [UInt64] {
      var hash = ContentHash()
      for piece in pieces { piece.withUnsafeBytes { hash.update($0) } }
      return [hash.low, hash.high]
    }
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(seen.insert(hash([changed])).inserted)
    }
    for count in 0...bytes.count { #expect(seen.insert(hash([Array(bytes.prefix(count))])).inserted) }
    #expect(hash([[1], [2]]) != hash([[1, 2]]))
    #expect(hash([[1], [2]]) != hash([[2], [1]]))
  }
}
