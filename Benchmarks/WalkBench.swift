import Arguments
import Grammar
import JSON
import Sampling

/// Random walks under the mask: each has to end, parse as strict JSON, and satisfy its schema.
struct WalkBench: BenchCommand {
  let command = Command(
    "walk", "walks at random under the masks and checks what comes out",
    options: [
      Option("vocab", value: "FILE", "a GGUF file with a tokenizer"),
      Option("cases", value: "FILE", "schemas, a JSON object a line"),
      Option("seeds", value: "N", "walks a schema (20)"),
      Option("states", value: "N", "compare so many masks with brute force over the vocabulary (0)"),
    ],
    discussion: """
      A walk picks among the allowed tokens at random; after some tokens it takes the shortest completion, as a caller \
      does whose budget is used up. The results are checked by a validator that knows nothing of the automaton.
      """)

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let vocabulary = try SchemasVocabulary(path: try arguments.required("vocab")).vocabulary
    let cases = try SchemasCase.read(try arguments.required("cases"))
    let seeds = try arguments.integer("seeds", in: 1...1_000_000) ?? 20
    var states = try arguments.integer("states", in: 0...1_000_000) ?? 0
    var report = BenchReport(columns: ["schemas", "walks", "ended", "valid", "masks compared", "masks wrong"])
    var (schemas, walks, ended, valid, compared, wrong) = (0, 0, 0, 0, 0, 0)
    for (index, item) in cases.enumerated() {
      let options = WalkOptions.options(index)
      guard let grammar = try? Grammar.schema(item.schema, options: options) else { continue }
      schemas += 1
      let start = Matcher(grammar, vocabulary: vocabulary)
      let validator = SchemaValidator(item.schema)
      for seed in 0..<seeds {
        walks += 1
        var walk = RandomWalk(start, vocabulary, seed: UInt64(index * 1_000_003 + seed))
        let share = max(1, states / max(1, cases.count - index))
        let bytes = walk.run(budget: [4, 16, 64, 200][seed % 4], comparing: seed == 0 ? min(states, share) : 0)
        states -= walk.compared
        compared += walk.compared
        wrong += walk.wrong
        guard let bytes else {
          report.line("no end   \(item.id)  seed \(seed)  …\(walk.tail)")
          continue
        }
        ended += 1
        guard let value = try? JSONValue(parsing: bytes, maximumDepth: 1_000) else {
          report.line("no JSON  \(item.id)  seed \(seed)  …\(walk.tail)")
          continue
        }
        if let error = validator.firstError(value) {
          report.line("invalid  \(item.id)  seed \(seed)  \(error)  …\(walk.tail)")
        } else {
          valid += 1
        }
      }
    }
    report.row([schemas, walks, ended, valid, compared, wrong].map(String.init))
    for (field, count) in [
      ("schemas", schemas), ("walks", walks), ("ended", ended), ("valid", valid), ("masks_compared", compared),
      ("masks_wrong", wrong),
    ] {
      report[field] = .integer(count)
    }
    report.verdict = ended == walks && valid == walks && wrong == 0
    return report
  }
}

/// Every form of text gets its share of the schemas.
enum WalkOptions {
  static func options(_ index: Int) -> GrammarOptions {
    let forms: [GrammarOptions.Whitespace] = [.spaced, .compact, .flexible(maximum: 3)]
    return GrammarOptions(whitespace: forms[index % 3], keyOrder: index % 2 == 0 ? .declared : .any)
  }
}

/// One walk.
struct RandomWalk {
  private var matcher: Matcher
  private let vocabulary: Vocabulary
  private var random: WalkGenerator
  private var bytes: [UInt8] = []
  private(set) var compared = 0
  private(set) var wrong = 0

  init(_ start: Matcher, _ vocabulary: Vocabulary, seed: UInt64) {
    matcher = start
    self.vocabulary = vocabulary
    random = WalkGenerator(seed: seed)
  }

  /// The end of the text, for messages.
  var tail: String { String(decoding: bytes.suffix(80), as: UTF8.self) }

  /// - Returns: the text, or `nil` when the walk came to a place from which nothing goes on.
  mutating func run(budget: Int, comparing states: Int) -> [UInt8]? {
    for step in 0..<budget {
      let mask = matcher.mask()
      if compared < states, Int.random(in: 0..<3, using: &random) == 0 { compare(mask) }
      if matcher.isComplete, Bool.random(using: &random) { return bytes }
      guard let token = choose(mask, step) else { return nil }
      if vocabulary.endTokens.contains(token) { return bytes }
      guard matcher.accept(token: token) else { return nil }
      bytes += vocabulary.bytes(of: token)
    }
    guard let rest = matcher.shortestCompletion(), rest.isEmpty || matcher.accept(bytes: rest), matcher.isComplete
    else { return nil }
    bytes += rest
    return bytes
  }

  /// Any token; every third time, if it can be, one that closes a string, so that walks get somewhere.
  private mutating func choose(_ mask: TokenMask, _ step: Int) -> Int? {
    var chosen: Int?
    for _ in 0..<(step % 3 == 2 ? 40 : 1) {
      chosen = mask.randomElement(using: &random)
      if let chosen, vocabulary.bytes(of: chosen).contains(0x22) { break }
    }
    return chosen
  }

  private mutating func compare(_ mask: TokenMask) {
    compared += 1
    for token in 0..<vocabulary.count {
      var trial = matcher
      if trial.accept(token: token) != mask.contains(token) {
        wrong += 1
        return
      }
    }
  }
}

extension TokenMask {
  /// One of the ids, each as likely as any other; `nil` when there is none.
  func randomElement(using random: inout WalkGenerator) -> Int? {
    let count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    guard count > 0 else { return nil }
    var left = Int.random(in: 0..<count, using: &random)
    for (index, start) in words.enumerated() {
      if left >= start.nonzeroBitCount {
        left -= start.nonzeroBitCount
        continue
      }
      var word = start
      for _ in 0..<left { word &= word - 1 }
      return index * 64 + word.trailingZeroBitCount
    }
    return nil
  }
}
