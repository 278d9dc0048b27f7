/// A string of the template language that remembers where each of its bytes came from.
///
/// Bytes are well-formed UTF-8. Runs that the template's author wrote are kept apart from runs that were inserted
/// (messages, tools, arguments, results), so that only the former can become control tokens:
///
///     var text = Text(template: "<|user|>")
///     text.append(Text(data: "<|user|>"))
///     text.segments  // [template "<|user|>", data "<|user|>"]
///
/// Equality and order look at the bytes alone, as Python compares code points (UTF-8 keeps their order).
struct Text: Sendable {
  /// Where a run of bytes came from.
  enum Origin: UInt8, Sendable { case data, template }

  /// A stretch of bytes of one origin, ending before `end`.
  struct Run: Sendable {
    var end: Int
    var origin: Origin
  }

  /// The UTF-8 bytes.
  private(set) var bytes: [UInt8]

  /// The runs in order when both origins occur; empty while the whole text is of `origin`.
  private(set) var runs: [Run]

  /// The origin of the whole text while `runs` is empty.
  private(set) var origin: Origin

  /// Whether `|safe` or `|escape` marked this text as ready for HTML; adding to it then escapes what is added.
  var isMarkup = false

  init() {
    bytes = []
    runs = []
    origin = .data
  }

  init(bytes: [UInt8], origin: Origin) {
    self.bytes = bytes
    self.origin = origin
    runs = []
  }

  /// Text that was inserted or derived.
  init(data: String) { self.init(bytes: Array(data.utf8), origin: .data) }

  /// Text that the template's author wrote.
  init(template: String) { self.init(bytes: Array(template.utf8), origin: .template) }

  var isEmpty: Bool { bytes.isEmpty }

  /// The text without its origins.
  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The text cut where the origin changes.
  var segments: [PromptSegment] {
    if bytes.isEmpty { return [] }
    if runs.isEmpty { return [PromptSegment(text: string, isTemplate: origin == .template)] }
    var start = 0
    return runs.map { run in
      defer { start = run.end }
      return PromptSegment(
        text: String(decoding: bytes[start..<run.end], as: UTF8.self), isTemplate: run.origin == .template)
    }
  }

  mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }
}

// MARK: - Appending

extension Text {
  /// Adds `other`, keeping its origins.
  mutating func append(_ other: Text) {
    guard other.runs.isEmpty else { return append(other, 0..<other.bytes.count) }
    let start = bytes.count
    bytes.append(contentsOf: other.bytes)
    extend(from: start, by: other.origin)
  }

  /// Adds the bytes `range` of `other`, keeping their origins. The range lies on scalar boundaries.
  mutating func append(_ other: Text, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    guard !other.runs.isEmpty else { return append(other.bytes[range], other.origin) }
    var low = range.lowerBound
    for run in other.runs where run.end > low {
      let high = min(run.end, range.upperBound)
      append(other.bytes[low..<high], run.origin)
      low = high
      if low == range.upperBound { break }
    }
  }

  /// Adds bytes of one origin.
  mutating func append(_ added: some Collection<UInt8>, _ origin: Origin) {
    let start = bytes.count
    bytes.append(contentsOf: added)
    extend(from: start, by: origin)
  }

  /// Adds a byte of ASCII.
  mutating func append(_ byte: UInt8, _ origin: Origin) {
    bytes.append(byte)
    extend(from: bytes.count - 1, by: origin)
  }

  private mutating func extend(from start: Int, by added: Origin) {
    let end = bytes.count
    guard end > start else { return }
    if start == 0 {
      origin = added
      runs.removeAll()
    } else if runs.isEmpty {
      if added != origin { runs = [Run(end: start, origin: origin), Run(end: end, origin: added)] }
    } else if runs[runs.count - 1].origin == added {
      runs[runs.count - 1].end = end
    } else {
      runs.append(Run(end: end, origin: added))
    }
  }

  /// The bytes `range` as a text of their own.
  subscript(range: Range<Int>) -> Text {
    if range.count == bytes.count { return self }
    var part = Text()
    part.append(self, range)
    part.isMarkup = isMarkup
    return part
  }

  /// The origin of the byte at `index`.
  func origin(at index: Int) -> Origin {
    if runs.isEmpty { return origin }
    return runs.first { $0.end > index }?.origin ?? .data
  }
}

// MARK: - Comparing

extension Text: Equatable {
  static func == (left: Text, right: Text) -> Bool { left.bytes == right.bytes }

  static func < (left: Text, right: Text) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

// MARK: - Scalars

extension Text {
  /// Whether `byte` begins a scalar.
  static func isBoundary(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

  /// The number of Unicode scalars, which is what Python's `len` counts.
  ///
  /// - Complexity: linear in the bytes.
  var count: Int {
    var count = 0
    for byte in bytes where Text.isBoundary(byte) { count += 1 }
    return count
  }

  /// The byte offset of each scalar, and the length at the end.
  var boundaries: [Int] {
    var result: [Int] = []
    result.reserveCapacity(bytes.count + 1)
    for (offset, byte) in bytes.enumerated() where Text.isBoundary(byte) { result.append(offset) }
    result.append(bytes.count)
    return result
  }

  /// The scalars in order, each with the byte range it occupies, decoded as they are asked for.
  var scalars: ScalarSequence { ScalarSequence(bytes: bytes) }

  /// The single-scalar texts in order.
  var characters: [Text] {
    let edges = boundaries
    return zip(edges, edges.dropFirst()).map { self[$0..<$1] }
  }
}

extension Text {
  /// What the text takes in memory, roughly.
  var cost: Int { bytes.count + runs.count * MemoryLayout<Run>.stride }

  /// The byte offset at which the scalar `index` begins; the length for the number of scalars.
  func offset(ofScalar index: Int) -> Int {
    var left = index
    for (offset, byte) in bytes.enumerated() where Text.isBoundary(byte) {
      if left == 0 { return offset }
      left -= 1
    }
    return bytes.count
  }
}
