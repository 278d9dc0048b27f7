import JSON

/// Follows a call whose name stands before the JSON object of its arguments: `get_weather>{"city": "Oslo"}` or
/// `get_weather[ARGS]{"city": "Oslo"}`.
struct NamedCallScanner: CallScanner {
  private enum Part {
    case name, separator, blanks, object
  }

  private(set) var bytes: [UInt8] = []
  private let separator: [UInt8]
  private var part = Part.name
  private var name: [UInt8] = []
  /// What stands between the name and the arguments, so far.
  private var between: [UInt8] = []
  private var objectStart = 0
  private var brackets = BracketDepth(quotes: "\"")

  /// What some models write before the separator, with an id behind it.
  private static let identifier = Array("[CALL_ID]".utf8)
  private static let longestName = 128

  /// - Parameter separator: what ends the name.
  init(separator: String) { self.separator = Array(separator.utf8) }

  mutating func scan(_ byte: UInt8) -> CallScannerStep {
    bytes.append(byte)
    switch part {
    case .name:
      guard !byte.isToolNameByte else {
        name.append(byte)
        return name.count <= NamedCallScanner.longestName ? .none : .refused
      }
      part = .separator
      return name.isEmpty ? .refused : scanSeparator(byte)
    case .separator: return scanSeparator(byte)
    case .blanks:
      if CallOpening.isBlank(byte) { return .none }
      guard byte == UInt8(ascii: "{") else { return .refused }
      part = .object
      objectStart = bytes.count - 1
      brackets.scan(byte)
      return .arguments
    case .object:
      brackets.scan(byte)
      return brackets.depth == 0 ? .ended : .arguments
    }
  }

  private mutating func scanSeparator(_ byte: UInt8) -> CallScannerStep {
    between.append(byte)
    if between.count >= separator.count, between.suffix(separator.count) == separator[...] {
      part = .blanks
      return .named(String(decoding: name, as: UTF8.self))
    }
    let identifier = NamedCallScanner.identifier
    let mayBeSeparator = separator.starts(with: between)
    let mayBeIdentifier = identifier.starts(with: between) || between.starts(with: identifier)
    return mayBeSeparator || mayBeIdentifier && between.count < 96 ? .none : .refused
  }

  var isBehindValue: Bool {
    guard part == .object, brackets.quote == nil, let last = bytes.last(where: { !CallOpening.isBlank($0) }) else {
      return false
    }
    return [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "e"), UInt8(ascii: "l")]
      .contains(last)
  }

  var looksComplete: Bool { part == .object }

  func call() throws(CallObjectError) -> CallObject {
    do {
      let value = try JSONValue(parsing: Array(bytes[objectStart...]), loneSurrogates: .replace)
      return CallObject(name: String(decoding: name, as: UTF8.self), arguments: value.objectValue ?? JSONObject())
    } catch {
      throw CallObjectError(reason: "the arguments are not valid JSON: \(error)")
    }
  }
}
