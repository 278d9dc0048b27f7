import Synchronization
import Tools

/// How a model chooses when nothing is asked: what it leans to whatever the request.
///
/// Taking this off the scores of a real question takes off the leaning towards a name or a place in the list, and the
/// habit of ending the turn behind a call (contextual calibration, Zhao et al. 2021).
struct Leaning: Sendable, Equatable {
  /// The log-probabilities of the tools' names.
  var names: [Double] = []
  /// How much the log-probability of another call must exceed that of the end.
  var anotherCall = 0.0

  func name(_ index: Int) -> Double { names.indices.contains(index) ? names[index] : 0 }

  /// By how much a request must make another call likelier than a request for one thing does.
  ///
  /// Measured on Qwen2.5-Coder-1.5B, log-odds above those of ``CalibrationStore/singleRequest``: behind the last call that
  /// a request asks for from -1.7 to 0.5, before it from 0.9 to 11.
  static let margin = 0.7
}

/// The leanings of a model, kept by prompt and tools.
final class CalibrationStore: Sendable {
  /// Requests that ask nothing; the scores of names are averaged over them.
  static let emptyRequests = ["N/A", "..."]
  /// A request that asks for one thing, and says nothing about it.
  static let singleRequest = "What is it?"

  private let leanings = Known<Leaning>()
  private let oddsOfYes = Known<Double>()

  /// What the model leans to, computed at the first request.
  ///
  /// - Parameter prompt: the ids of the prompt that asks `$0`.
  func leaning(
    _ wanted: OutputConstraint.Leanings, key: String, scorer: ChoiceScorer, prompt: (String) throws -> [Int]
  ) throws -> Leaning {
    try leanings.value(key) {
      var leaning = Leaning()
      if let choice = wanted.choice { leaning.names = try names(of: choice, scorer, prompt) }
      if let example = wanted.callExample {
        leaning.anotherCall = try anotherCall(behind: example, wanted.continuation, scorer, prompt) + Leaning.margin
      }
      return leaning
    }
  }

  /// The log-odds of "yes" to a question about a request that asks nothing, computed when first wanted.
  ///
  /// - Parameter prompt: the ids of the prompt that asks `$0`.
  func logOddsOfYes(
    to question: String, key: String, scorer: ChoiceScorer, prompt: (String) throws -> [Int]
  ) throws -> Double {
    try oddsOfYes.value("\(key) \(question)") {
      let empty = CallCheck.asking(question, behind: CalibrationStore.emptyRequests[0])
      return try scorer.logOddsOfYes(behind: try prompt(empty))
    }
  }

  private func names(
    of choice: OutputConstraint.ClosedChoice, _ scorer: ChoiceScorer, _ prompt: (String) throws -> [Int]
  ) throws -> [Double] {
    let codec = scorer.codec
    let alternatives = choice.alternatives.map { codec.encode(bytes: $0) }
    var sums = [Double](repeating: 0, count: alternatives.count)
    for request in CalibrationStore.emptyRequests {
      let scores = try scorer.scores(
        of: alternatives, behind: try prompt(request) + codec.encode(bytes: choice.trigger))
      for index in scores.indices { sums[index] += scores[index] / Double(CalibrationStore.emptyRequests.count) }
    }
    return sums
  }

  /// The log-odds of another call behind a call when one thing is asked.
  private func anotherCall(
    behind example: String, _ continuation: [UInt8], _ scorer: ChoiceScorer, _ prompt: (String) throws -> [Int]
  ) throws -> Double {
    let codec = scorer.codec
    let call = codec.encode(example, special: true)
    let next = codec.encode(String(decoding: continuation, as: UTF8.self), special: true)
    let ends = codec.endOfTurn.sorted()
    guard !next.isEmpty, !ends.isEmpty else { return 0 }
    let scores = try scorer.scores(
      of: [next] + ends.map { [$0] }, behind: try prompt(CalibrationStore.singleRequest) + call)
    return scores[0] - (scores.dropFirst().max() ?? 0)
  }
}

/// Values that were computed once, by their keys.
private final class Known<Value: Sendable>: Sendable {
  private let values = Mutex<[String: Value]>([:])
  private let capacity = 64

  /// The value of `key`, computed when it isn't known. The lock isn't held meanwhile.
  func value(_ key: String, compute: () throws -> Value) rethrows -> Value {
    if let value = values.withLock({ $0[key] }) { return value }
    let value = try compute()
    values.withLock { values in
      if values.count >= capacity { values.removeAll() }
      values[key] = value
    }
    return value
  }
}
