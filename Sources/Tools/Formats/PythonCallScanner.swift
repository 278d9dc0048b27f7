import JSON

/// Follows a call in Python's notation: `get_weather(city='Oslo', days=3)`.
struct PythonCallScanner: CallScanner {
  private(set) var bytes: [UInt8] = []
  private var name: String?
  private var brackets = BracketDepth(quotes: "\"'")
  /// Whether a keyword's value is being read.
  private var isInValue = false

  private static let longestName = 128

  mutating func scan(_ byte: UInt8) -> CallScannerStep {
    bytes.append(byte)
    guard name != nil else {
      if byte.isToolNameByte { return bytes.count <= PythonCallScanner.longestName ? .none : .refused }
      guard byte == UInt8(ascii: "("), bytes.count > 1 else { return .refused }
      brackets.scan(byte)
      let name = String(decoding: bytes.dropLast(), as: UTF8.self)
      self.name = name
      return .named(name)
    }
    brackets.scan(byte)
    if brackets.depth == 1, brackets.quote == nil {
      if byte == UInt8(ascii: "=") { isInValue = true }
      if byte == UInt8(ascii: ",") { isInValue = false }
    }
    return brackets.depth == 0 ? .ended : .none
  }

  var tellsArguments: Bool { false }

  var isBehindValue: Bool {
    guard name != nil, brackets.quote == nil, let last = bytes.last(where: { !CallOpening.isBlank($0) }) else {
      return false
    }
    if last == UInt8(ascii: "("), brackets.depth == 1 { return true }
    return isInValue && Array("\"')]}el".utf8).contains(last)
  }

  var looksComplete: Bool { name != nil }

  func call() throws(CallObjectError) -> CallObject {
    var reader = PythonReader(bytes.dropFirst(name?.utf8.count ?? 0))
    return CallObject(name: name ?? "", arguments: try reader.arguments())
  }
}
