/// Why a schema or an expression can't be compiled: where, which keyword, and what is wrong with it.
public struct GrammarError: Error, Sendable, Hashable, CustomStringConvertible {
  /// JSON pointer to the schema object (`#/properties/city`), or a place in the expression.
  public let pointer: String

  /// The keyword that can't be honoured; empty when none is to blame.
  public let keyword: String

  /// What is wrong and what to do.
  public let reason: String

  /// An error at a place.
  public init(pointer: String, keyword: String, reason: String) {
    self.pointer = pointer
    self.keyword = keyword
    self.reason = reason
  }

  /// `#/properties/city: "pattern": …`
  public var description: String {
    keyword.isEmpty ? "\(pointer): \(reason)" : "\(pointer): \"\(keyword)\": \(reason)"
  }
}
