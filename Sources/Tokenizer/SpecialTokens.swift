/// The tokens that are found by their spelling before a text is split: control tokens and user-defined ones.
///
/// A trie over their bytes, so that a text full of beginnings of spellings costs no more than their length each.
struct SpecialTokens: Sendable {
  /// A token found in a text.
  struct Match {
    let id: Int
    let end: Int
  }

  private struct Ending {
    let id: Int
    let isControl: Bool
  }

  /// The node behind node × 256 + byte; node 0 is the root.
  private var edges: [Int: Int] = [:]
  private var endings: [Int: Ending] = [:]
  private var nodeCount = 1
  private var isFirstByte = [Bool](repeating: false, count: 256)

  /// Adds a token; an empty spelling is never found. Of equal spellings the first stays.
  mutating func insert(_ spelling: some Collection<UInt8>, id: Int, isControl: Bool) {
    guard let first = spelling.first else { return }
    isFirstByte[Int(first)] = true
    var node = 0
    for byte in spelling {
      let edge = node << 8 | Int(byte)
      if let next = edges[edge] {
        node = next
      } else {
        edges[edge] = nodeCount
        node = nodeCount
        nodeCount += 1
      }
    }
    if endings[node] == nil { endings[node] = Ending(id: id, isControl: isControl) }
  }

  /// The longest token spelled at `start`; control tokens count only when they end at or before `controlEnd`.
  func longestMatch(in bytes: UnsafeBufferPointer<UInt8>, at start: Int, controlEnd: Int) -> Match? {
    guard isFirstByte[Int(bytes[start])] else { return nil }
    var match: Match?
    var node = 0
    for index in start..<bytes.count {
      guard let next = edges[node << 8 | Int(bytes[index])] else { break }
      node = next
      if let ending = endings[node], !ending.isControl || index < controlEnd {
        match = Match(id: ending.id, end: index + 1)
      }
    }
    return match
  }
}
