#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// What was weighed before the first token of an answer under ``ToolChoice/auto``, for choosing
/// ``ToolCallingOptions/callEvidence`` and ``ToolCallingOptions/callShare`` with requests of one's own.
public struct CallWeighing: Sendable, Hashable {
  /// The probability of the beginnings of calls together; very unlikely ones are not counted.
  public let share: Double
  /// The log-odds of "yes" to ``ToolCallingOptions/callCheck``, above those for a request that asks nothing; `nil` where it
  /// wasn't asked: where nothing is to be asked, or more than two thirds of the beginnings are calls.
  public let check: Double?

  package init(share: Double, check: Double?) {
    self.share = share
    self.check = check
  }

  /// The log-odds of the check and two fifths of the log-odds of the share.
  ///
  /// The two err in different ways: a model says yes to whatever is near a tool, and begins calls out of habit.
  public var evidence: Double? {
    check.map { $0 + CallWeighing.shareWeight * CallWeighing.logOdds(share) }
  }

  private static let shareWeight = 0.4
  private static let leastShare = 0.001

  private static func logOdds(_ share: Double) -> Double {
    let share = min(max(share, leastShare), 1 - leastShare)
    return log(share / (1 - share))
  }

  /// The share from which on the model has made up its mind, and nothing is asked.
  package static let certainShare = 2.0 / 3
}
