/// Free UTF-8 text in which none of a few markers occurs: Aho and Corasick's automaton beside a UTF-8 decoder.
struct MarkerMachine {
  private var children: [[UInt8: Int32]] = [[:]]
  private var failure: [Int32] = [0]
  private var isMarker: [Bool] = [false]

  init(_ markers: [String]) {
    for marker in markers where !marker.isEmpty {
      var node = 0
      for byte in marker.utf8 {
        if let child = children[node][byte] {
          node = Int(child)
        } else {
          children[node][byte] = Int32(truncatingIfNeeded: children.count)
          node = children.count
          children.append([:])
          failure.append(0)
          isMarker.append(false)
        }
      }
      isMarker[node] = true
    }
    var queue = children[0].values.map { Int($0) }
    var head = 0
    while head < queue.count {
      let node = queue[head]
      head += 1
      for (byte, child) in children[node] {
        failure[Int(child)] = next(failure[node], byte) ?? 0
        if isMarker[Int(failure[Int(child)])] { isMarker[Int(child)] = true }
        queue.append(Int(child))
      }
    }
  }

  /// The node after `byte`; `nil` when a marker would be complete.
  func next(_ node: Int32, _ byte: UInt8) -> Int32? {
    var place = Int(node)
    while true {
      if let child = children[place][byte] { return isMarker[Int(child)] ? nil : child }
      if place == 0 { return 0 }
      place = Int(failure[place])
    }
  }
}

/// A place in free text.
struct MarkerLeaf: Hashable {
  var machine: Int32
  var node: Int32 = 0
  /// Continuation bytes that are missing, and the range of the next one.
  var left: UInt8 = 0
  var lower: UInt8 = 0x80
  var upper: UInt8 = 0xBF

  /// The state of the UTF-8 decoder after `byte`.
  func decoded(_ byte: UInt8) -> MarkerLeaf? {
    var result = self
    if left > 0 {
      guard byte >= lower, byte <= upper else { return nil }
      result.left -= 1
      result.lower = 0x80
      result.upper = 0xBF
      return result
    }
    switch byte {
    case 0...0x7F: return result
    case 0xC2...0xDF: result.left = 1
    case 0xE0...0xEF:
      result.left = 2
      if byte == 0xE0 { result.lower = 0xA0 }
      if byte == 0xED { result.upper = 0x9F }
    case 0xF0...0xF4:
      result.left = 3
      if byte == 0xF0 { result.lower = 0x90 }
      if byte == 0xF4 { result.upper = 0x8F }
    default: return nil
    }
    return result
  }
}
