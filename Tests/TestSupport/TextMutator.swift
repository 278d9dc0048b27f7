/// Damages texts of a language in ways that keep most of their structure, repeatably.
///
/// ```swift
/// let mutator = TextMutator(["{{ a }}", "{% if a %}b{% endif %}"], words: ["{{", "}}", "{%", "%}", " if "])
/// let hostile = mutator.mutated(iteration: 17, seed: 1)     // always the same bytes
/// ```
///
/// Texts are cut at the words and at the borders of letters, digits and signs; pieces are dropped, doubled, swapped,
/// nested, and taken from other texts. Now and then a byte changes, so that invalid UTF-8 occurs too.
package struct TextMutator: Sendable {
  private let corpus: [[ArraySlice<UInt8>]]
  private let words: [ArraySlice<UInt8>]

  /// - Parameters:
  ///   - texts: valid texts, the shorter the faster.
  ///   - words: what the language is made of; inserted now and then.
  package init(_ texts: [String], words: [String]) {
    self.init(texts.map { Array($0.utf8) }, words: words)
  }

  package init(_ texts: [[UInt8]], words: [String]) {
    self.words = (words + Self.edges).map { ArraySlice(Array($0.utf8)) }
    corpus = texts.map { Self.pieces(of: $0) }
  }

  /// Numbers and characters at which parsers stumble.
  private static let edges = [
    "0", "-1", "-0", "1e308", "1e-400", "1e999", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "18446744073709551616", "2147483648", "0.1", "1000000000", "\u{0}", "\u{1B}", "\u{85}", "\u{2028}", "\u{FEFF}",
    "\u{FFFD}", "é", "e\u{301}", "\r\n", "\n", " ", "\t", "🌧️", "👨‍👩‍👧", "ﬃ", "ß", "İ", "\u{10FFFF}", "\\", "\"", "'",
    "\\ud83c", "\\u0000", "\\udc00\\ud800",
  ]

  package func mutated(iteration: UInt64, seed: UInt64, maximumByteCount: Int = 8192) -> [UInt8] {
    var generator = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ iteration)
    var pieces = corpus.randomElement(using: &generator) ?? []
    // One change leads deep into the parser; several find combinations.
    for _ in 0..<[1, 1, 1, 1, 2, 5][Int.random(in: 0..<6, using: &generator)] { mutate(&pieces, &generator) }
    var bytes = Array(pieces.joined().prefix(maximumByteCount))
    if Int.random(in: 0..<8, using: &generator) == 0, !bytes.isEmpty {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
    }
    return bytes
  }

  /// The same as text; what isn't UTF-8 becomes U+FFFD.
  package func mutatedText(iteration: UInt64, seed: UInt64, maximumByteCount: Int = 8192) -> String {
    String(decoding: mutated(iteration: iteration, seed: seed, maximumByteCount: maximumByteCount), as: UTF8.self)
  }

  private func mutate(_ pieces: inout [ArraySlice<UInt8>], _ generator: inout SeededGenerator) {
    let range = span(in: pieces, &generator)
    let slice = Array(pieces[range])
    switch Int.random(in: 0..<11, using: &generator) {
    case 0: pieces.removeSubrange(range)
    case 1: pieces.insert(contentsOf: slice, at: range.upperBound)
    case 2:
      // Nesting and long repetition: the classic ways to exhaust a stack.
      let count = [3, 20, 300][Int.random(in: 0..<3, using: &generator)]
      pieces.insert(contentsOf: (0..<count).flatMap { _ in slice.prefix(4) }, at: range.lowerBound)
    case 3: pieces.removeSubrange(Int.random(in: 0...pieces.count, using: &generator)..<pieces.count)
    case 4:
      let target = Int.random(in: 0...pieces.count, using: &generator)
      pieces.insert(contentsOf: slice, at: target)
    case 5:
      guard let other = corpus.randomElement(using: &generator) else { return }
      pieces.replaceSubrange(range, with: other[span(in: other, &generator)])
    case 6, 7:
      if let word = words.randomElement(using: &generator) { pieces.insert(word, at: range.lowerBound) }
    case 8, 9:
      if let word = words.randomElement(using: &generator) { pieces.replaceSubrange(range.prefix(1), with: [word]) }
    default:
      let wrapped = words.randomElement(using: &generator).map { [$0] + slice + [$0] } ?? slice
      pieces.replaceSubrange(range, with: wrapped)
    }
  }

  /// A few neighbouring pieces.
  private func span(in pieces: [ArraySlice<UInt8>], _ generator: inout SeededGenerator) -> Range<Int> {
    guard !pieces.isEmpty else { return 0..<0 }
    let start = Int.random(in: 0..<pieces.count, using: &generator)
    let most = min([1, 1, 4, 16, 64][Int.random(in: 0..<5, using: &generator)], pieces.count - start)
    return start..<start + Int.random(in: 1...most, using: &generator)
  }

  /// Runs of letters or digits, and single other bytes.
  private static func pieces(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    func kind(_ byte: UInt8) -> Int {
      switch byte {
      case 0x30...0x39: 1
      case 0x41...0x5A, 0x61...0x7A, 0x5F: 2
      case 0x80...: 3
      default: 0
      }
    }
    var result: [ArraySlice<UInt8>] = []
    var start = 0
    for index in text.indices where index > 0 {
      if kind(text[index]) == 0 || kind(text[index]) != kind(text[index - 1]) {
        result.append(text[start..<index])
        start = index
      }
    }
    if start < text.count { result.append(text[start...]) }
    return result
  }
}
