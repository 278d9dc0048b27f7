/// How a call may begin: a mark, a brace, a list, or a fence around either.
enum CallOpening {
  /// More is needed to tell.
  case undecided
  /// This is not the beginning of a call.
  case text
  /// A call begins at this offset, to be followed by the scanner; whether a mark came before it.
  case call(Int, any CallScanner, marked: Bool)
  /// A mark with something else than a call behind it.
  case malformed

  static let fence = Array("```".utf8)

  /// What comes behind the fence, up to the end of its line.
  private static let languages = ["", "json", "tool_call", "tool_calls", "python"].map { Array($0.utf8) }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }

  /// Looks at the beginning of an answer, or at what stands behind a call.
  ///
  /// - Parameter isInList: whether a list of calls in Python's notation is open.
  static func find(in bytes: [UInt8], form: CallForm, isInList: Bool = false) -> CallOpening {
    var position = blanks(in: bytes, from: 0)
    guard position < bytes.count else { return .undecided }
    var isMarked = false
    if !form.opening.isEmpty {
      let rest = bytes[position...]
      if rest.starts(with: form.opening) {
        position = blanks(in: bytes, from: position + form.opening.count)
        isMarked = true
        guard position < bytes.count else { return .undecided }
        if case .named(let separator) = form.syntax, !isBracket(bytes[position]) {
          return .call(position, NamedCallScanner(separator: separator), marked: true)
        }
      } else if form.opening.starts(with: rest) {
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
    return body(in: bytes, at: position, form, isMarked: isMarked, isInList: isInList)
  }

  /// Looks at what stands behind marks and fences.
  private static func body(
    in bytes: [UInt8], at start: Int, _ form: CallForm, isMarked: Bool, isInList: Bool
  ) -> CallOpening {
    var position = start
    guard position < bytes.count else { return .undecided }
    let isListed = bytes[position] == UInt8(ascii: "[")
    if isListed { position = blanks(in: bytes, from: position + 1) }
    guard position < bytes.count else { return .undecided }
    if form.takesLists, isListed || isInList || isMarked, bytes[position].isToolNameByte {
      return .call(position, PythonCallScanner(), marked: isMarked)
    }
    guard bytes[position] == UInt8(ascii: "{") else { return failure(isMarked) }
    // The outer braces may be doubled; the byte behind the first one tells.
    let inner = blanks(in: bytes, from: position + 1)
    guard inner < bytes.count else { return .undecided }
    return .call(
      bytes[inner] == UInt8(ascii: "{") ? inner : position, CallObjectScanner(), marked: isMarked)
  }

  /// Whether `bytes`, the text so far, begins with a call up to where its name is complete and one of `names`: from here
  /// on it can only be a call.
  static func namesTool(_ bytes: [UInt8], names: [String], form: CallForm) -> Bool {
    guard case .call(let start, var scanner, _) = find(in: bytes, form: form) else { return false }
    for byte in bytes[start...] {
      switch scanner.scan(byte) {
      case .named(let name): return names.contains(name)
      case .refused, .ended: return false
      case .none, .arguments: break
      }
    }
    return false
  }

  private static func isBracket(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

  private static func failure(_ isMarked: Bool) -> CallOpening { isMarked ? .malformed : .text }

  private static func blanks(in bytes: [UInt8], from start: Int) -> Int {
    var position = start
    while position < bytes.count, isBlank(bytes[position]) { position += 1 }
    return position
  }
}

/// What a parser has to know of a format.
struct CallForm: Sendable {
  /// The mark before a call; empty when there is none.
  let opening: [UInt8]
  /// The mark behind a call; empty when there is none.
  let closing: [UInt8]
  let syntax: CallSyntax
  /// Whether a list of calls in Python's notation is a call.
  let takesLists: Bool

  init(_ format: any CallFormat) {
    opening = Array((format.marks?.opening ?? "").utf8)
    closing = Array((format.marks?.closing ?? "").utf8)
    syntax = format.syntax
    takesLists = format.takesLists
  }
}
