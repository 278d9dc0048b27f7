/// Text from tokens that arrive one by one, in whole characters.
///
/// ```swift
/// var decoder = tokenizer.streamingDecoder()
/// for id in ids { print(decoder.append(id), terminator: "") }
/// print(decoder.finish())
/// ```
///
/// A character whose bytes come with several tokens appears with the last of them. At most three bytes are ever held
/// back: bytes that can't become a character any more appear at once as U+FFFD. The joined texts are what
/// `Tokenizer.decode` gives for all ids.
package struct StreamingDecoder: Sendable {
  private let tokenizer: Tokenizer
  private let showsControl: Bool
  private var pending: [UInt8] = []

  package init(_ tokenizer: Tokenizer, showsControl: Bool = false) {
    self.tokenizer = tokenizer
    self.showsControl = showsControl
  }

  /// The text that `id` completes; often empty in the middle of a character, and for control tokens.
  package mutating func append(_ id: Int) -> String {
    tokenizer.appendBytes(of: id, showsControl: showsControl, to: &pending)
    let whole = pending.count - UTF8Sequence.incompleteSuffix(of: pending)
    defer { pending.removeFirst(whole) }
    return String(decoding: pending[..<whole], as: UTF8.self)
  }

  /// What is left at the end: U+FFFD for a character that was cut off, else nothing.
  package mutating func finish() -> String {
    defer { pending.removeAll() }
    return String(decoding: pending, as: UTF8.self)
  }
}
