import JSON

/// Follows the JSON object of a call byte by byte: finds its end whatever braces, quotes and tags its strings hold, the
/// name as soon as it is complete, and where the arguments lie.
///
/// It only follows; whether the object is valid JSON is for the parser that gets the whole of it.
struct CallObjectScanner: CallScanner {
  /// The bytes so far.
  private(set) var bytes: [UInt8] = []
  /// The name, once complete.
  private(set) var name: String?
  private var depth = 0
  private var inString = false
  private var escaped = false
  private var stringStart = 0
  /// The key at depth 1 whose value is being read.
  private var key: String?
  private var hasArguments = false
  private var expectsKey = true

  /// Keys that the object of a call may have.
  private static let keys: Set<String> = ["name", "arguments", "parameters", "type", "id"]

  mutating func scan(_ byte: UInt8) -> CallScannerStep {
    let inArguments = isInArguments
    bytes.append(byte)
    if inString { return scanString(byte, inArguments: inArguments) }
    switch byte {
    case UInt8(ascii: "\""):
      guard depth > 0 else { return .refused }
      inString = true
      stringStart = bytes.count - 1
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if depth == 0, byte != UInt8(ascii: "{") { return .refused }
      if depth == 1, expectsKey { return .refused }
      depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard depth > 0 else { return .refused }
      depth -= 1
      if depth == 0 { return .ended }
    case UInt8(ascii: ","):
      if depth == 1 {
        key = nil
        expectsKey = true
        return .none
      }
    case UInt8(ascii: ":"):
      if depth == 1 {
        // A second name would be another call than the one that was told.
        guard let key, CallObjectScanner.keys.contains(key), key != "name" || name == nil else { return .refused }
        expectsKey = false
        if key == "arguments" || key == "parameters" { hasArguments = true }
        return .none
      }
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
      return inArguments && depth > 1 ? .arguments : .none
    default:
      if depth == 0 || depth == 1 && expectsKey { return .refused }
    }
    return inArguments || isInArguments ? .arguments : .none
  }

  private mutating func scanString(_ byte: UInt8, inArguments: Bool) -> CallScannerStep {
    let step: CallScannerStep = inArguments ? .arguments : .none
    if escaped {
      escaped = false
      return step
    }
    if byte == UInt8(ascii: "\\") { escaped = true }
    guard byte == UInt8(ascii: "\"") else { return step }
    inString = false
    guard depth == 1 else { return step }
    let text = String(decoding: bytes[(stringStart + 1)..<(bytes.count - 1)], as: UTF8.self)
    if expectsKey {
      key = text
      return .none
    }
    if key == "name", name == nil {
      // As the whole object will be read: a name may have escapes in it.
      let spelled = bytes[stringStart...]
      let read = (try? JSONValue(parsing: Array(spelled), loneSurrogates: .replace))?.stringValue ?? text
      name = read
      return .named(read)
    }
    return step
  }

  /// Whether the last byte ends a value, so that brackets may close what is open without cutting anything short.
  var isBehindValue: Bool {
    guard !inString, let last = bytes.last(where: { !CallOpening.isBlank($0) }) else { return false }
    return last == UInt8(ascii: "\"") && !expectsKey || last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
      || last == UInt8(ascii: "e") || last == UInt8(ascii: "l")
  }

  /// Whether the object so far has a name and arguments.
  var looksComplete: Bool { name != nil && hasArguments }

  func call() throws(CallObjectError) -> CallObject { try CallObject(bytes) }

  private var isInArguments: Bool {
    !expectsKey && depth >= 1 && (key == "arguments" || key == "parameters")
  }
}
