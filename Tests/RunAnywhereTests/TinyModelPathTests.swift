import GGUF
import RunAnywhere
import Tensor
import TestSupport
import Testing
import Tokenizer
import Tools
import Transformer

/// The fast paths over a real transformer: a tiny random one.
@Suite("Fast paths with a tiny model")
struct TinyModelPathTests {
  private let tokenizer: Tokenizer
  private let model: Model

  init() throws {
    var tiny = TinyModel.wide(.qwen2, .q8_0)
    tiny.contextLength = 1024
    tiny.biasDeviation = 0.2
    let file = try tiny.file()
    tokenizer = try Tokenizer(file)
    model = try Model(file)
  }

  /// Runs every token by itself.
  private final class OneByOne: TokenPredictor {
    private let whole: TransformerPredictor
    private var rows: [[Float]] = []
    init(_ whole: TransformerPredictor) { self.whole = whole }
    var contextLength: Int { whole.contextLength }
    var count: Int { whole.count }
    func rewind(to count: Int) { whole.rewind(to: count) }
    func forward(_ tokens: [Int], logits: WantedLogits, isCancelled: () -> Bool) throws {
      var wanted = 1
      if case .none = logits { wanted = 0 }
      if case .tail(let count) = logits { wanted = count }
      rows = []
      let start = count
      do {
        for (index, token) in tokens.enumerated() {
          let isWanted = index >= tokens.count - wanted
          try whole.forward([token], logits: isWanted ? .tail(1) : .none, isCancelled: isCancelled)
          if isWanted { rows.append(whole.logits(at: 0)) }
        }
      } catch {
        // A run that is given up leaves nothing behind.
        whole.rewind(to: start)
        throw error
      }
    }
    func logits(at index: Int) -> [Float] { rows[index] }
  }

  /// Keeps the logits behind each position, as they were made last.
  private final class Recording: TokenPredictor {
    private let whole: any TokenPredictor
    private let recorder: Recorder<(position: Int, bits: [UInt32])>
    init(_ whole: any TokenPredictor, _ recorder: Recorder<(position: Int, bits: [UInt32])>) {
      self.whole = whole
      self.recorder = recorder
    }
    var contextLength: Int { whole.contextLength }
    var count: Int { whole.count }
    func rewind(to count: Int) { whole.rewind(to: count) }
    func forward(_ tokens: [Int], logits: WantedLogits, isCancelled: () -> Bool) throws {
      try whole.forward(tokens, logits: logits, isCancelled: isCancelled)
      let wanted =
        switch logits {
        case .none: 0
        case .tail(let count): count
        case .chosen: 1
        }
      for index in 0..<wanted {
        recorder.append((count - wanted + index, whole.logits(at: index).map(\.bitPattern)))
      }
    }
    func logits(at index: Int) -> [Float] { whole.logits(at: index) }
  }

  /// A turn: its text, and how many tokens it has.
  private struct Outcome: Equatable {
    let text: String
    let count: Int
    let reason: FinishReason
  }

  /// Generates a turn; `logits` has those behind each position that some were made for.
  private func turn(
    _ settings: EngineSettings, oneByOne: Bool = false, prompt: String = "hello world hello", schema: String? = nil,
    tools: [CallableTool] = [], sampling: SamplingSettings, maxTokens: Int = 80
  ) async throws -> (outcome: Outcome, usage: TokenUsage, logits: [Int: [UInt32]]) {
    let recorder = Recorder<(position: Int, bits: [UInt32])>()
    let model = model
    var settings = settings
    if oneByOne { settings.draftLength = 0 }
    let engine = Engine(
      name: "tiny", codec: TokenizerCodec(tokenizer), renderer: PlainRenderer(), settings: settings
    ) {
      let predictor = TransformerPredictor(try InferenceContext(model: model, pool: WorkerPool(threads: 2)))
      return Recording(oneByOne ? OneByOne(predictor) : predictor, recorder)
    }
    let slot = engine.makeSlot()
    let text = Recorder<String>()
    var constraint = try schema.map { OutputConstraint.document(try JSONSchema(parsing: $0)) }
    if !tools.isEmpty { constraint = .calls(tools, format: HermesFormat(), maximum: 1) }
    let turn = try await engine.generate(
      TurnRequest(messages: [.user(prompt)], constraint: constraint, sampling: sampling, maxTokens: maxTokens),
      slot: slot, onText: { text.append($0) })
    let usage = turn.usage
    return (
      Outcome(text: text.all.joined(), count: usage.generatedTokens, reason: turn.reason), usage,
      Dictionary(recorder.all.map { ($0.position, $0.bits) }, uniquingKeysWith: { $1 })
    )
  }

  /// Whether two turns' logits are the same bits wherever both have some; those of the tokens left out are −∞.
  private func agree(_ left: [Int: [UInt32]], _ right: [Int: [UInt32]]) -> Bool {
    let none = (-Float.infinity).bitPattern
    return left.allSatisfy { position, bits in
      guard let others = right[position] else { return true }
      return bits == others || zip(bits, others).allSatisfy { $0 == $1 || $0 == none || $1 == none }
    }
  }

  private static let schemas = [
    #"{"type": "object", "properties": {"hello": {"type": "string", "maxLength": 20}, "n": {"type": "integer", "maximum": 99999}, "kind": {"enum": ["red", "green", "blue"]}, "ok": {"type": "boolean"}}, "required": ["hello", "n", "kind", "ok"], "additionalProperties": false}"#,
    #"{"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 8}"#,
    #"{"type": "string", "pattern": "^[a-f]{2}(hello|world)+[0-9]{4}$", "maxLength": 30}"#,
  ]

  private static let samplings = (1...1).flatMap { seed in
    [
      SamplingSettings(temperature: 0, repetitionPenalty: 1.1),
      SamplingSettings(temperature: 1, seed: UInt64(seed)),
      SamplingSettings(
        temperature: 1.5, topP: 0.9, topK: 20, repetitionPenalty: 1.2, seed: UInt64(10 + seed)),
    ]
  }

  @Test("rows of the head, masks beside: the ids of the whole head and of masks made before")
  func rows() async throws {
    for schema in Self.schemas {
      for sampling in Self.samplings {
        let plain = try await turn(.plain, schema: schema, sampling: sampling)
        var settings = EngineSettings.plain
        settings.choosesRows = true
        #expect(
          try await turn(settings, schema: schema, sampling: sampling).outcome == plain.outcome)
        settings.forcesText = true
        let before = try await turn(settings, schema: schema, sampling: sampling)
        settings.masksBeside = true
        #expect(
          try await turn(settings, schema: schema, sampling: sampling).outcome == before.outcome)
      }
    }
  }

  @Test("forced tokens in a batch: the ids of the same tokens run one by one")
  func forced() async throws {
    for schema in Self.schemas {
      for sampling in Self.samplings {
        let batch = try await turn(EngineSettings(), schema: schema, sampling: sampling)
        let single = try await turn(EngineSettings(), oneByOne: true, schema: schema, sampling: sampling)
        #expect(batch.outcome == single.outcome)
        #expect(agree(batch.logits, single.logits))
        #expect(batch.usage.forcedTokens == single.usage.forcedTokens)
      }
    }
  }

  @Test("a call: the ids of the plain way where forced text is cut the same")
  func call() async throws {
    let tool = CallableTool(
      name: "hello",
      schema: try JSONSchema(
        parsing:
          #"{"type": "object", "properties": {"n": {"type": "integer"}, "ok": {"type": "boolean"}}, "required": ["n", "ok"]}"#
      ).value)
    for sampling in Self.samplings {
      let fast = try await turn(EngineSettings(), tools: [tool], sampling: sampling)
      let slow = try await turn(EngineSettings(), oneByOne: true, tools: [tool], sampling: sampling)
      #expect(fast.outcome == slow.outcome)
      #expect(agree(fast.logits, slow.logits))
      #expect(fast.usage.forcedTokens * 2 > fast.usage.generatedTokens)
    }
  }

  @Test("drafts of any length: ids and logits of one token after the other, greedy and drawn")
  func drafts() async throws {
    var without = EngineSettings()
    without.draftLength = 0
    var copied = 0
    for schema in [nil, Self.schemas[0], Self.schemas[2]] {
      for sampling in Self.samplings + [SamplingSettings(temperature: 0)] {
        let prompt = "hello world, hello world, hello world, the thing in the thing"
        let plain = try await turn(without, prompt: prompt, schema: schema, sampling: sampling)
        for length in schema == nil ? [2, 8, 16] : [8] {
          var settings = EngineSettings()
          settings.draftLength = length
          let drafted = try await turn(settings, prompt: prompt, schema: schema, sampling: sampling)
          #expect(drafted.outcome == plain.outcome, "drafts of \(length), \(sampling)")
          #expect(agree(drafted.logits, plain.logits), "drafts of \(length), \(sampling)")
          copied += drafted.usage.copiedTokens
        }
      }
    }
    #expect(copied > 0)
  }
}
