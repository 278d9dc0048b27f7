/// Follows the text of one call byte by byte: finds its end and its name, whatever its strings hold.
///
/// It only follows; whether the text is a valid call is for ``call()``, which gets the whole of it.
protocol CallScanner: Sendable {
  /// The bytes so far.
  var bytes: [UInt8] { get }
  /// Whether the last byte ends a value, so that brackets may close what is open without cutting anything short.
  var isBehindValue: Bool { get }
  /// Whether what was read so far has a name and arguments.
  var looksComplete: Bool { get }
  /// Whether the bytes that are told as arguments are JSON already; otherwise the arguments are told at the end.
  var tellsArguments: Bool { get }
  /// Takes a byte and says what it did.
  mutating func scan(_ byte: UInt8) -> CallScannerStep
  /// The call, once its end was found.
  func call() throws(CallObjectError) -> CallObject
}

/// What a byte did.
enum CallScannerStep: Equatable {
  /// Nothing to tell.
  case none
  /// The byte belongs to the value of the arguments.
  case arguments
  /// The name is complete.
  case named(String)
  /// The call is complete.
  case ended
  /// This can't be a call.
  case refused
}

extension CallScanner {
  var tellsArguments: Bool { true }
}

extension UInt8 {
  /// Whether the byte may stand in the name of a tool.
  var isToolNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

/// Brackets and strings of a text in JSON's or Python's notation.
struct BracketDepth: Sendable {
  /// How many brackets are open.
  private(set) var depth = 0
  /// The quote of the string that is open.
  private(set) var quote: UInt8?
  private var isEscaped = false
  private let quotes: [UInt8]

  /// - Parameter quotes: the bytes that begin and end strings.
  init(quotes: String) { self.quotes = Array(quotes.utf8) }

  mutating func scan(_ byte: UInt8) {
    if let quote {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == quote {
        self.quote = nil
      }
      return
    }
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
    default: if quotes.contains(byte) { quote = byte }
    }
  }
}
