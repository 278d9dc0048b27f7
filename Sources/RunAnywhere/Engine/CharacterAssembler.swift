/// Puts bytes together to text that never shows half a character, and finds stop texts in it.
///
/// Bytes that could still become part of a character or of a stop text are held back. A byte that can't be UTF-8 becomes
/// U+FFFD as soon as that is sure.
struct CharacterAssembler {
  private let stops: [[UInt8]]
  private var held: [UInt8] = []
  /// Whether a stop text has come; nothing after it counts.
  private(set) var isStopped = false

  init(stops: [String] = []) {
    self.stops = stops.filter { !$0.isEmpty }.map { Array($0.utf8) }
  }

  /// The text that is sure now.
  mutating func append(_ bytes: [UInt8]) -> String {
    guard !isStopped else { return "" }
    held += bytes
    if let stop = firstStop() {
      isStopped = true
      held.removeSubrange(stop...)
      return finish()
    }
    let end = held.count - max(incompleteTail(), stopTail())
    let cut = boundary(before: end)
    defer { held.removeFirst(cut) }
    return String(decoding: held[..<cut], as: UTF8.self)
  }

  /// What was held back, at the end.
  mutating func finish() -> String {
    defer { held = [] }
    return String(decoding: held, as: UTF8.self)
  }

  private func firstStop() -> Int? {
    var first: Int?
    for stop in stops where held.count >= stop.count {
      for start in 0...(held.count - stop.count) where held[start..<(start + stop.count)] == stop[...] {
        first = min(first ?? start, start)
        break
      }
    }
    return first
  }

  /// How many bytes at the end could be the beginning of a stop text.
  private func stopTail() -> Int {
    var longest = 0
    for stop in stops {
      var length = min(stop.count - 1, held.count)
      while length > longest {
        if held.suffix(length) == stop.prefix(length) { longest = length }
        length -= 1
      }
    }
    return longest
  }

  /// How many bytes at the end are the beginning of a character.
  private func incompleteTail() -> Int {
    for back in 1...3 where back <= held.count {
      let byte = held[held.count - back]
      if byte & 0xC0 == 0x80 { continue }
      let length = CharacterAssembler.length(startingWith: byte)
      return length > back ? back : 0
    }
    return 0
  }

  /// How many bytes a character has that starts with `byte`; 1 for bytes that start none.
  private static func length(startingWith byte: UInt8) -> Int {
    switch byte {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }

  /// `end`, moved back to where a character begins.
  private func boundary(before end: Int) -> Int {
    var cut = end
    while cut > 0, cut < held.count, held[cut] & 0xC0 == 0x80, end - cut < 4 { cut -= 1 }
    return cut
  }
}
