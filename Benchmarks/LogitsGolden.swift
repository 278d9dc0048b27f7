import JSON

/// Golden logits: for each prompt some positions with the greatest logits and a few probes, and a greedy continuation.
struct LogitsGolden {
  /// What is known of one position's logits.
  struct Position {
    let position: Int
    let logSumExp: Double
    /// Ids and logits, greatest first.
    let top: [(id: Int, logit: Double)]
    /// Further ids, spread over the vocabulary.
    let probes: [(id: Int, logit: Double)]

    /// How far the greatest logit is above the second.
    var margin: Double { top.count > 1 ? top[0].logit - top[1].logit : .infinity }
  }

  struct Prompt {
    let name: String
    let tokens: [Int]
    let positions: [Position]
    let greedy: [Int]
    let greedyMargins: [Double]
  }

  let prompts: [Prompt]

  /// Reads a file that `reference.py` wrote.
  init(path: String) throws {
    let text = try BenchInput.text(path)
    let document = try JSONValue(parsing: text)
    prompts = try Self.array(document["prompts"], "prompts").map(Self.prompt)
  }

  private static func prompt(_ value: JSONValue) throws -> Prompt {
    let prompt = Prompt(
      name: value["name"]?.stringValue ?? "?",
      tokens: try array(value["tokens"], "tokens").compactMap(\.integerValue),
      positions: try array(value["rows"], "rows").map(position),
      greedy: try array(value["greedy"], "greedy").compactMap(\.integerValue),
      greedyMargins: try array(value["greedy_margin"], "greedy_margin").compactMap(\.doubleValue))
    guard prompt.greedy.count == prompt.greedyMargins.count,
      prompt.positions.allSatisfy({ prompt.tokens.indices.contains($0.position) && !$0.top.isEmpty })
    else { throw BenchError("the golden of prompt \(prompt.name) contradicts itself") }
    return prompt
  }

  private static func position(_ value: JSONValue) throws -> Position {
    guard let position = value["position"]?.integerValue, let logSumExp = value["logsumexp"]?.doubleValue else {
      throw BenchError("a golden row has no position or logsumexp")
    }
    return Position(
      position: position, logSumExp: logSumExp, top: try array(value["top"], "top").compactMap(pair),
      probes: try array(value["probes"], "probes").compactMap(pair))
  }

  private static func pair(_ value: JSONValue) -> (id: Int, logit: Double)? {
    guard let id = value[0]?.integerValue, let logit = value[1]?.doubleValue else { return nil }
    return (id, logit)
  }

  private static func array(_ value: JSONValue?, _ name: String) throws -> [JSONValue] {
    guard let items = value?.arrayValue else { throw BenchError("the golden has no \(name)") }
    return items
  }
}

/// Why a measurement can't be made.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
