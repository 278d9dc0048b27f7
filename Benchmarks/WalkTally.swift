import Foundation
import Grammar
import JSON
import Tokenizer

/// What came out of the walks of one schema, or of all.
struct WalkTally: Sendable {
  var schemas = 0
  var walks = 0
  var ended = 0
  var valid = 0
  var compared = 0
  var wrong = 0
  var tokens = MasksTally()
  /// What was not right.
  var lines: [String] = []
  /// The texts, with the ids of their schemas.
  var texts: [(id: String, text: [UInt8])] = []

  /// Walks all schemas on all processors, in the order of the cases.
  static func all(
    _ cases: [SchemasCase], _ vocabulary: SchemasVocabulary, seeds: Int, states: Int
  ) async -> WalkTally {
    // Masks that a schema's walks didn't reach are made up for by the others.
    let share = states == 0 ? 0 : states * 5 / (4 * max(1, cases.count)) + 1
    let parts = await withTaskGroup(of: (Int, WalkTally).self) { group in
      for (index, item) in cases.enumerated() {
        group.addTask { (index, WalkTally(item, index, vocabulary, seeds: seeds, states: share)) }
      }
      var parts: [(Int, WalkTally)] = []
      for await part in group { parts.append(part) }
      return parts.sorted { $0.0 < $1.0 }.map(\.1)
    }
    var sum = WalkTally()
    for part in parts { sum.add(part) }
    return sum
  }

  private init() {}

  private init(_ item: SchemasCase, _ index: Int, _ vocabulary: SchemasVocabulary, seeds: Int, states: Int) {
    guard let grammar = try? Grammar.schema(item.schema, options: WalkOptions.options(index)) else { return }
    schemas = 1
    let start = Matcher(grammar, vocabulary: vocabulary.vocabulary)
    let validator = SchemaValidator(item.schema)
    for seed in 0..<seeds {
      walks += 1
      var walk = RandomWalk(start, vocabulary.vocabulary, seed: UInt64(index * 1_000_003 + seed))
      let bytes = walk.run(budget: [4, 16, 64, 200][seed % 4], comparing: seed % 4 == 0 ? 0 : states - compared)
      compared += walk.compared
      wrong += walk.wrong
      if walk.wrong > 0 { lines.append("mask     \(item.id)  seed \(seed)  …\(walk.tail)") }
      guard let bytes else {
        lines.append("no end   \(item.id)  seed \(seed)  …\(walk.tail)")
        continue
      }
      ended += 1
      texts.append((item.id, bytes))
      guard let value = try? JSONValue(parsing: bytes, maximumDepth: 1_000) else {
        lines.append("no JSON  \(item.id)  seed \(seed)  …\(walk.tail)")
        continue
      }
      if let error = validator.firstError(value) {
        lines.append("invalid  \(item.id)  seed \(seed)  \(error)  …\(walk.tail)")
      } else {
        valid += 1
      }
      if seed % 4 != 3 { readAgain(bytes, start, vocabulary, "\(item.id)  seed \(seed)") }
    }
  }

  /// Reads a text in the tokenizer's tokens, which are those that the grammar forces.
  private mutating func readAgain(
    _ bytes: [UInt8], _ start: Matcher, _ vocabulary: SchemasVocabulary, _ name: String
  ) {
    let ids = vocabulary.tokenizer.encode(bytes: bytes)
    var reading = MasksReading(ids, vocabulary)
    var matcher = start
    let faults = tokens.nonCanonical
    for place in ids.indices {
      reading.count(place, matcher, in: &tokens)
      guard matcher.accept(token: ids[place]) else {
        lines.append("refused  \(name)  token \(place)  …\(String(decoding: bytes.suffix(80), as: UTF8.self))")
        valid -= 1
        return
      }
    }
    if tokens.nonCanonical > faults {
      lines.append("forced   \(name)  …\(String(decoding: bytes.suffix(80), as: UTF8.self))")
    }
  }

  private mutating func add(_ part: WalkTally) {
    schemas += part.schemas
    walks += part.walks
    ended += part.ended
    valid += part.valid
    compared += part.compared
    wrong += part.wrong
    tokens.tokens += part.tokens.tokens
    tokens.forced += part.tokens.forced
    tokens.nonCanonical += part.tokens.nonCanonical
    lines += part.lines
    texts += part.texts
  }

  /// A line a text.
  static func write(_ texts: [(id: String, text: [UInt8])], to path: String) throws {
    var bytes: [UInt8] = []
    for (id, text) in texts {
      bytes +=
        JSONValue.object(JSONObject([("id", .string(id)), ("text", .string(String(decoding: text, as: UTF8.self)))]))
        .compact.utf8
      bytes.append(0x0A)
    }
    try Data(bytes).write(to: URL(filePath: path))
  }
}
