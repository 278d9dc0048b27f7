/// How far an object has come.
struct ObjectProgress: Hashable {
  var record: Int32
  /// Index of the last declared name, the number of names once undeclared keys have begun; -1 at first.
  var last: Int32 = -1
  /// The names so far, one bit each, when any order is allowed.
  var seen: [UInt64] = []
  /// Members so far, as far as bounds care.
  var count: Int32 = 0
  /// Captures of the undeclared keys so far, sorted.
  var extras: [CaptureID] = []
  /// The witnesses found, one bit each.
  var witnesses: UInt32 = 0

  func has(_ name: Int) -> Bool {
    name >> 6 < seen.count && seen[name >> 6] >> UInt64(name & 63) & 1 == 1
  }
}

/// What may come next in an object.
struct ObjectChoices {
  /// For each declared name, whether it may be the next key.
  var names: [Bool] = []
  var hasName = false
  /// First state of an undeclared key, 0 when none may come.
  var extra: LeafID = 0
  var canClose = false

  var hasMore: Bool { hasName || extra != 0 }
}

/// How far an array has come.
struct ArrayProgress: Hashable {
  var record: Int32
  /// Items so far, as far as bounds and the prefix care.
  var index: Int32 = 0
  var counts: [Int] = []
  /// The items so far when they must differ, sorted.
  var seen: [SchemaID] = []
}

/// What may come next in an array.
struct ArrayChoices {
  var items: [(value: SchemaID, progress: Int32)] = []
  var canClose = false
}

/// Bytes read since a mark, as a hash-consed list: equal texts have equal ids. 0 is the empty text, -1 "not captured".
typealias CaptureID = Int32

struct CaptureStore {
  private var previous: [CaptureID] = [-1]
  private var bytes: [UInt8] = [0]
  private var map = IntMap()

  mutating func append(_ byte: UInt8, to capture: CaptureID) -> CaptureID {
    let key = UInt64(UInt32(bitPattern: capture)) << 8 | UInt64(byte)
    if let known = map[key] { return known }
    let id = CaptureID(truncatingIfNeeded: previous.count)
    previous.append(capture)
    bytes.append(byte)
    map.insert(key, id)
    return id
  }

  func text(_ capture: CaptureID) -> [UInt8] {
    var result: [UInt8] = []
    var place = capture
    while place > 0 {
      result.append(bytes[Int(place)])
      place = previous[Int(place)]
    }
    return result.reversed()
  }
}
