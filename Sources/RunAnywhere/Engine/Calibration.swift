import Synchronization
import Tools

/// How likely a model finds each of the tools when nothing is asked, kept by prompt and tools.
///
/// Taking this off the scores of a real question takes off the leaning towards a name or a place in the list (contextual
/// calibration, Zhao et al. 2021).
final class CalibrationStore: Sendable {
  /// Requests that ask nothing; their scores are averaged.
  static let emptyRequests = ["N/A", "..."]

  private let known = Mutex<[String: [Double]]>([:])
  private static let capacity = 64

  /// The scores of `choice` when nothing is asked, computed at the first request.
  ///
  /// - Parameter prompt: the ids of the prompt that asks `$0`.
  func scores(
    of choice: OutputConstraint.ClosedChoice, key: String, scorer: ChoiceScorer, prompt: (String) throws -> [Int]
  ) throws -> [Double] {
    if let scores = known.withLock({ $0[key] }) { return scores }
    let codec = scorer.codec
    let alternatives = choice.alternatives.map { codec.encode(bytes: $0) }
    var sums = [Double](repeating: 0, count: alternatives.count)
    for request in CalibrationStore.emptyRequests {
      let ids = try prompt(request) + codec.encode(bytes: choice.trigger)
      let cached = try scorer.slot.reuse(ids)
      try scorer.slot.forward(Array(ids[cached...])) { scorer.cancellation.isCancelled }
      let scores = try scorer.scores(of: alternatives, first: scorer.slot.open().logits(at: 0))
      for index in scores.indices { sums[index] += scores[index] / Double(CalibrationStore.emptyRequests.count) }
    }
    known.withLock { known in
      if known.count >= CalibrationStore.capacity { known.removeAll() }
      known[key] = sums
    }
    return sums
  }
}
