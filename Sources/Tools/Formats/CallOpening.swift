/// How a call may begin: a mark, a brace, a list of objects, or a fence around either.
enum CallOpening: Equatable {
  /// More is needed to tell.
  case undecided
  /// This is not the beginning of a call.
  case text
  /// An object begins at this offset; whether a mark came before it.
  case object(Int, marked: Bool)
  /// A mark with something else than an object behind it.
  case malformed

  static let fence = Array("```".utf8)

  /// What comes behind the fence, up to the end of its line.
  private static let languages = ["", "json", "tool_call", "tool_calls"].map { Array($0.utf8) }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }

  /// Looks at the beginning of an answer.
  static func find(in bytes: [UInt8], mark: [UInt8]?) -> CallOpening {
    var position = blanks(in: bytes, from: 0)
    guard position < bytes.count else { return .undecided }
    var isMarked = false
    if let mark {
      let rest = bytes[position...]
      if rest.starts(with: mark) {
        position = blanks(in: bytes, from: position + mark.count)
        isMarked = true
        guard position < bytes.count else { return .undecided }
      } else if mark.starts(with: rest) {
        return .undecided
      }
    }
    let rest = bytes[position...]
    if rest.starts(with: fence) {
      guard let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) else {
        let begun = Array(rest.dropFirst(fence.count))
        return languages.contains { $0.starts(with: begun) } ? .undecided : failure(isMarked)
      }
      guard languages.contains(Array(bytes[(position + fence.count)..<lineEnd])) else { return failure(isMarked) }
      position = blanks(in: bytes, from: lineEnd)
    } else if fence.starts(with: rest) {
      return .undecided
    }
    guard position < bytes.count else { return .undecided }
    if bytes[position] == UInt8(ascii: "[") { position = blanks(in: bytes, from: position + 1) }
    guard position < bytes.count else { return .undecided }
    guard bytes[position] == UInt8(ascii: "{") else { return failure(isMarked) }
    // The outer braces may be doubled; the byte behind the first one tells.
    let inner = blanks(in: bytes, from: position + 1)
    guard inner < bytes.count else { return .undecided }
    return .object(bytes[inner] == UInt8(ascii: "{") ? inner : position, marked: isMarked)
  }

  /// Whether `bytes`, the text so far, is a call at the start of the answer up to and including the closing quote of a
  /// name that is one of `names`: from here on it can only be a call.
  static func namesTool(_ bytes: [UInt8], names: [String], mark: [UInt8]?) -> Bool {
    guard bytes.last == UInt8(ascii: "\""), case .object(let start, _) = find(in: bytes, mark: mark) else {
      return false
    }
    var scanner = CallObjectScanner()
    for byte in bytes[start...] {
      switch scanner.scan(byte) {
      case .named(let name): return names.contains(name)
      case .refused, .ended: return false
      case .none, .arguments: break
      }
    }
    return false
  }

  private static func failure(_ isMarked: Bool) -> CallOpening { isMarked ? .malformed : .text }

  private static func blanks(in bytes: [UInt8], from start: Int) -> Int {
    var position = start
    while position < bytes.count, isBlank(bytes[position]) { position += 1 }
    return position
  }
}
