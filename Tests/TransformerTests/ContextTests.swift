import GGUF
import Tensor
import TestSupport
import Testing

@testable import Transformer

/// What must not change a result, and what ends a run.
@Suite struct ContextTests {
  static func model(_ architecture: TinyModel.Architecture = .llama) throws -> Model {
    var tiny = TinyModel.wide(architecture, .q4_K)
    tiny.blockCount = 2
    return try Model(tiny.file())
  }

  @Test(arguments: [1, 2, 7, 32, 100], [1, 2, 3])
  func chunksAndThreadsDoNotMatter(chunk: Int, threads: Int) throws {
    let model = try Self.model()
    let ids = tokens(70)
    for precision in [Precision.exact, .quantized] {
      let whole = try context(model, threads: 1, precision: precision, chunk: 70).run(ids)
      let other = try context(model, threads: threads, precision: precision, chunk: chunk).run(ids)
      // Rounding may tip an activation to the neighbouring 8-bit step.
      #expect(distance(other, whole) < (precision == .exact ? 1e-4 : 0.1))
    }
  }

  @Test func callsDoNotMatter() throws {
    let model = try Self.model(.qwen2)
    let ids = tokens(60)
    let whole = try context(model).run(ids)
    let parts = try context(model)
    var logits: [[Float]] = []
    for part in [ids[..<1], ids[1..<4], ids[4..<5], ids[5..<37], ids[37...]] { logits += try parts.run(Array(part)) }
    #expect(distance(logits, whole) < 1e-4)
  }

  @Test func lastAndNoneMatchAll() throws {
    let model = try Self.model()
    let ids = tokens(45)
    let all = try context(model, chunk: 10).run(ids)
    let context = try context(model, chunk: 10)
    #expect(try context.run(Array(ids[..<20]), logits: .none).isEmpty)
    let last = try context.run(Array(ids[20...]), logits: .last)
    #expect(last.count == 1)
    #expect(distance(last, [all[44]]) < 1e-4)
  }

  @Test(arguments: [Precision.exact, .quantized])
  func chosenIDsMatchAll(precision: Precision) throws {
    let model = try Self.model()
    let ids = tokens(23)
    let all = try context(model, precision: precision).run(ids)[22]
    for chosen in [[], [7], [250, 3, 11, 12, 13, 14, 15, 16, 100], Array(all.indices)] {
      let some = try #require(context(model, precision: precision).run(ids, logits: .ids(chosen)).first)
      #expect(some.count == all.count)
      for id in all.indices {
        if chosen.contains(id) {
          #expect(abs(some[id] - all[id]) < (precision == .exact ? 1e-4 : 0.1))
        } else {
          #expect(some[id] == -.infinity)
        }
      }
    }
    let context = try context(model, precision: precision)
    #expect(throws: ModelError.tokenOutOfRange(-1, vocabularySize: all.count)) {
      try context.forward(ids, logits: .ids([0, -1]))
    }
    #expect(context.count == 0)
  }

  /// Drafted tokens are checked in one run: each position's greatest logit is the one that single steps give.
  @Test func draftsAreCheckedInOneRun() throws {
    let model = try Self.model(.qwen2)
    let context = try context(model)
    let prompt = tokens(40)
    var logits = try #require(context.run(prompt, logits: .last).first)
    var greedy: [Int] = []
    for _ in 0..<12 {
      let next = try #require(logits.indices.max { logits[$0] < logits[$1] })
      greedy.append(next)
      logits = try #require(context.run([next], logits: .last).first)
    }
    context.rewind(to: prompt.count)
    let checked = try context.run(greedy, logits: .all)
    #expect(checked.count == greedy.count)
    for (position, row) in checked.dropLast().enumerated() {
      #expect(row.indices.max { row[$0] < row[$1] } == greedy[position + 1])
    }
    // Half of them are kept.
    context.rewind(to: prompt.count + 6)
    #expect(distance([try context.run([greedy[6]], logits: .last)[0]], [checked[6]]) < 1e-4)
  }

  @Test func rewindEqualsFresh() throws {
    let (shared, first, second) = (tokens(33), tokens(300 - 33, seed: 8), tokens(20, seed: 9))
    var tiny = TinyModel.wide(.llama, .q4_K)
    tiny.contextLength = 600
    let long = try Model(tiny.file())
    for precision in [Precision.exact, .quantized] {
      let used = try context(long, precision: precision)
      _ = try used.run(shared + first, logits: .none)
      used.rewind(to: shared.count)
      #expect(used.count == shared.count)
      let again = try used.run(second)
      let fresh = try context(long, precision: precision)
      _ = try fresh.run(shared, logits: .none)
      #expect(distance(again, try fresh.run(second)) < (precision == .exact ? 1e-4 : 0.1))
    }
  }

  @Test func sameRunSameLogits() throws {
    let model = try Self.model()
    let ids = tokens(50)
    #expect(
      try context(model, precision: .quantized).run(ids) == context(model, precision: .quantized).run(ids))
  }

  /// An 8-bit cache: a little more than half of the memory, logits near those of the F16 one.
  @Test func byteCache() throws {
    var tiny = TinyModel.wide(.qwen2, .q8_0)
    (tiny.blockCount, tiny.contextLength) = (2, 600)
    let model = try Model(tiny.file())
    let ids = tokens(300)
    let exact = try context(model, precision: .exact).run(ids)
    for kernels in ForwardKernels.available {
      let context = try InferenceContext(
        model: model, pool: WorkerPool(threads: 2), precision: .exact, cache: .q8_0, kernels: kernels)
      #expect(distance(try context.run(ids), exact) < 0.06, "\(kernels)")
      context.rewind(to: 280)
      let single = try ids[280...].map { try context.run([$0])[0] }
      #expect(distance(single, Array(exact[280...])) < 0.06, "\(kernels)")
      #expect(Double(context.cache.byteCount) / Double(2 * 2 * 2 * 2 * 64 * 512) == 0.53125)
    }
  }

  // MARK: Cancellation

  @Test(arguments: [0, 1, 2, 3, 5])
  func cancellationLeavesTheContextAsItWas(calls: Int) throws {
    let model = try Self.model()
    let context = try context(model, chunk: 10)
    let (start, more) = (tokens(12), tokens(35, seed: 4))
    _ = try context.run(start, logits: .none)
    var left = calls
    #expect(throws: ModelError.cancelled) {
      try context.forward(more) {
        left -= 1
        return left < 0
      }
    }
    #expect(context.count == 12)
    #expect(context.logitsCount == 0)
    let after = try context.run(more)
    let fresh = try self.context(model)
    _ = try fresh.run(start, logits: .none)
    #expect(distance(after, try fresh.run(more)) < 1e-4)
  }

  private func context(_ model: Model, chunk: Int = 32) throws -> InferenceContext {
    try InferenceContext(
      model: model, pool: WorkerPool(threads: 2), precision: .exact, chunkLength: chunk)
  }

  private func context(
    _ model: Model, threads: Int = 2, precision: Precision, chunk: Int = 32
  ) throws -> InferenceContext {
    try InferenceContext(
      model: model, pool: WorkerPool(threads: threads), precision: precision, chunkLength: chunk)
  }

  // MARK: Limits (case 24)

  @Test func contextFull() throws {
    let model = try Model(TinyModel().file())
    let context = try context(model)
    #expect(context.contextLength == 256)
    #expect(throws: ModelError.contextFull(tokens: 257, used: 0, limit: 256)) { try context.forward(tokens(257)) }
    #expect(throws: ModelError.contextFull(tokens: 5000, used: 0, limit: 256)) { try context.forward(tokens(5000)) }
    try context.forward(tokens(255))
    try context.forward([1])
    #expect(context.count == 256)
    let full = #expect(throws: ModelError.self) { try context.forward([1]) }
    #expect(full?.description == "1 more tokens don't fit in the context of 256, of which 256 are in use")
    context.rewind(to: 10)
    try context.forward([1])
    #expect(context.count == 11)
  }

  @Test func wrongTokens() throws {
    var tiny = TinyModel()
    tiny.paddingRows = 4
    let model = try Model(tiny.file())
    let size = tiny.vocabulary.tokens.count + 4
    #expect(model.configuration.vocabularySize == size)
    let context = try context(model)
    for id in [-1, size, Int.max, Int.min] {
      #expect(throws: ModelError.tokenOutOfRange(id, vocabularySize: size)) { try context.forward([0, id]) }
    }
    #expect(throws: ModelError.noTokens) { try context.forward([]) }
    // A row without a text is still a row (case 18).
    #expect(try context.run([size - 1])[0].count == size)
    #expect(context.count == 1)
  }

  @Test func contextLengthIsChecked() throws {
    let model = try Model(TinyModel().file())
    for length in [0, -1, 257, Int.max] {
      #expect(throws: ModelError.contextLength(asked: length, limit: 256)) {
        _ = try InferenceContext(model: model, pool: WorkerPool(threads: 1), contextLength: length)
      }
    }
  }

  /// Memory comes with use: a window of 131,072 positions takes none.
  @Test func longWindowsCostNothingUnused() throws {
    var tiny = TinyModel()
    tiny.contextLength = 131_072
    let context = try context(Model(tiny.file()))
    #expect(context.cache.byteCount == 0)
    try context.forward(tokens(3))
    #expect(context.cache.byteCount < 1_000_000)
  }

  // MARK: Case 21

  /// An activation that isn't finite is stored in the cache and shows in later tokens, whatever the element type.
  @Test(arguments: CacheLayout.Element.allCases)
  func nonFiniteKeysShowInLaterTokens(element: CacheLayout.Element) throws {
    var tiny = TinyModel(.qwen2)
    tiny.blockCount = 1
    var edited = try EditedModel(tiny)
    var bias = [Float](repeating: 0, count: 32)
    bias[5] = .infinity
    edited.set("blk.0.attn_v.bias", [32], bias)
    let context = try InferenceContext(model: edited.model(), pool: WorkerPool(threads: 1), cache: element)
    for count in [1, 12, 1] { #expect(try context.run(tokens(count)).allSatisfy { $0.contains { !$0.isFinite } }) }
  }

  @Test(arguments: ["output_norm.weight", "blk.0.attn_norm.weight", "blk.1.ffn_norm.weight"], [1, 12])
  func nonFiniteActivationsShowInTheLogits(name: String, count: Int) throws {
    var tiny = TinyModel.wide(.llama, .q4_K)
    tiny.blockCount = 2
    var edited = try EditedModel(tiny)
    var weights = [Float](repeating: 1, count: 256)
    weights[7] = .nan
    edited.set(name, [256], weights)
    for precision in [Precision.exact, .quantized] {
      let logits = try context(edited.model(), precision: precision).run(tokens(count))
      #expect(logits.allSatisfy { $0.contains { !$0.isFinite } })
    }
  }
}
