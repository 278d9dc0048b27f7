import Tensor

/// How the keys and values of a conversation are kept in memory.
public enum CacheType: String, Sendable, Hashable, CaseIterable {
  /// 16 bits a number: the default.
  case f16
  /// 8 bits a number and a scale for every 32: a little more than half the memory, with a small rounding.
  case q8_0

  /// The cache's own name for it.
  var element: CacheLayout.Element {
    switch self {
    case .f16: .f16
    case .q8_0: .q8_0
    }
  }
}
