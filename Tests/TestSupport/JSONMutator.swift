package import JSON

/// Changes JSON documents as documents: the result is always JSON, but says something else.
///
/// ```swift
/// let mutator = JSONMutator(schemas, keys: ["type", "minLength"], values: ["string", -1])
/// let odd = mutator.mutated(iteration: 17, seed: 1)     // always the same value
/// ```
package struct JSONMutator: Sendable {
  private let corpus: [JSONValue]
  private let keys: [String]
  private let values: [JSONValue]
  private let parts: [JSONValue]

  /// - Parameters:
  ///   - corpus: valid documents.
  ///   - keys: names of members that mean something.
  ///   - values: values that mean something.
  package init(_ corpus: [JSONValue], keys: [String], values: [JSONValue]) {
    self.corpus = corpus
    self.keys = keys
    self.values = values + Self.edges
    parts = corpus.flatMap { Self.parts(of: $0, depth: 0) }
  }

  private static let edges: [JSONValue] = [
    .null, true, false, 0, 1, -1, 2, 64, 65_536, 1_000_000_000, .integer(.max), .integer(.min), 0.5, -0.0, 1e308,
    -1e308,
    1e-308, .double(9_007_199_254_740_992), "", "a", "é", "🌧️", "\u{0}", "#", "#/", "#/x", "~0~1", [], [:], [[]],
    ["a": [:]],
  ]

  package func mutated(iteration: UInt64, seed: UInt64) -> JSONValue {
    var generator = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ iteration)
    var value = corpus.randomElement(using: &generator) ?? .null
    for _ in 0..<[1, 1, 2, 3, 6][Int.random(in: 0..<5, using: &generator)] {
      value = changed(value, &generator, depth: 0)
    }
    return value
  }

  /// `value` with one change somewhere in it.
  private func changed(_ value: JSONValue, _ generator: inout SeededGenerator, depth: Int) -> JSONValue {
    let goesDown = depth < 40 && Int.random(in: 0..<4, using: &generator) > 0
    switch value {
    case .object(let object):
      var members = object.members
      if goesDown, let place = members.indices.randomElement(using: &generator) {
        members[place].value = changed(members[place].value, &generator, depth: depth + 1)
      } else {
        change(&members, &generator)
      }
      return .object(JSONObject(members.map { ($0.key, $0.value) }))
    case .array(var items):
      if goesDown, let place = items.indices.randomElement(using: &generator) {
        items[place] = changed(items[place], &generator, depth: depth + 1)
      } else {
        change(&items, &generator)
      }
      return .array(items)
    default: return other(than: value, &generator)
    }
  }

  private func change(_ members: inout [(key: String, value: JSONValue)], _ generator: inout SeededGenerator) {
    let place = members.indices.randomElement(using: &generator)
    switch (Int.random(in: 0..<6, using: &generator), place) {
    case (0, let place?): members.remove(at: place)
    case (1, let place?): members[place].key = key(&generator)
    case (2, let place?): members[place].value = part(&generator)
    case (3, let place?):
      members.swapAt(place, Int.random(in: 0..<members.count, using: &generator))
    default: members.append((key(&generator), part(&generator)))
    }
  }

  private func change(_ items: inout [JSONValue], _ generator: inout SeededGenerator) {
    switch (Int.random(in: 0..<4, using: &generator), items.indices.randomElement(using: &generator)) {
    case (0, let place?): items.remove(at: place)
    case (1, let place?): items.insert(items[place], at: place)
    case (2, let place?): items[place] = part(&generator)
    default: items.append(part(&generator))
    }
  }

  private func other(than value: JSONValue, _ generator: inout SeededGenerator) -> JSONValue {
    switch (value, Int.random(in: 0..<4, using: &generator)) {
    case (.integer(let number), 0): .integer(number &+ Int.random(in: -2...2, using: &generator))
    case (.integer(let number), 1): .integer(number &* 1000)
    case (.string(let text), 0): .string(text + text)
    case (.string(let text), 1): .string(String(text.unicodeScalars.dropLast()))
    case (.string, 2): .string(key(&generator))
    default: part(&generator)
    }
  }

  private func key(_ generator: inout SeededGenerator) -> String { keys.randomElement(using: &generator) ?? "" }

  private func part(_ generator: inout SeededGenerator) -> JSONValue {
    let source = Bool.random(using: &generator) ? values : parts
    return source.randomElement(using: &generator) ?? .null
  }

  private static func parts(of value: JSONValue, depth: Int) -> [JSONValue] {
    guard depth < 20 else { return [value] }
    switch value {
    case .object(let object): return [value] + object.values.flatMap { parts(of: $0, depth: depth + 1) }
    case .array(let items): return [value] + items.flatMap { parts(of: $0, depth: depth + 1) }
    default: return [value]
    }
  }
}
