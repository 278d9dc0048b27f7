typealias FrameID = Int32
typealias StateID = Int32

/// One level of the stack: what is being read, and what it is part of. Immutable and hash-consed, so equal stacks are one.
///
/// The meaning of `a` … `d` depends on the kind; see each case.
struct Frame: Equatable {
  enum Kind: UInt8 {
    /// The text is complete.
    case end
    /// Fixed bytes: literal `a` at offset `b`.
    case literal
    /// Inside a string, number or free text: leaf state `a`, `b` code points read, capture `c`, length spec `d`.
    case leaf
    /// Before a value of schema `a`; `b` = 1: its text is captured for its parent, an array of unique items.
    case value
    /// In object record `a` with progress `b`, phase `c`, pending member `d`.
    case object
    /// Inside a declared key of object record `a`: node `b` of its trie.
    case key
    /// In array record `a` with progress `b`, phase `c`.
    case array
    /// In the sequence production `a`; part `b` is next.
    case sequence
    /// In the repetition production `a`; `b` items are done; `c` = 1: the separator is being read.
    case repetition
    /// Control token `a`.
    case control
  }

  var kind: Kind
  var a: Int32 = 0
  var b: Int32 = 0
  var c: Int32 = 0
  var d: Int32 = 0
  var parent: FrameID = -1

  var hash: UInt64 {
    var hash = UInt64(kind.rawValue) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ UInt64(UInt32(bitPattern: a)) ^ UInt64(UInt32(bitPattern: b)) << 32) &* 0xBF58_476D_1CE4_E5B9
    hash ^= hash >> 29
    hash = (hash ^ UInt64(UInt32(bitPattern: c)) ^ UInt64(UInt32(bitPattern: d)) << 32) &* 0x94D0_49BB_1331_11EB
    hash ^= hash >> 31
    hash = (hash ^ UInt64(UInt32(bitPattern: parent))) &* 0x9E37_79B9_7F4A_7C15
    return hash ^ hash >> 32
  }
}

/// Where in an object or array the text is: phase, white space read in this gap, nesting depth, packed in a frame's `c`.
struct ContainerPhase {
  enum Step: Int32 {
    /// After the opening bracket.
    case open
    /// Inside a key.
    case key
    /// After a key.
    case colon
    /// After the colon.
    case gap
    /// Inside a value.
    case value
    /// After a value.
    case after
    /// After the comma.
    case comma
  }

  var step: Step
  var blanks: Int32
  var depth: Int32

  init(_ step: Step, blanks: Int32 = 0, depth: Int32) {
    self.step = step
    self.blanks = blanks
    self.depth = depth
  }

  /// The same container when one of its values has ended.
  var behindValue: ContainerPhase { ContainerPhase(.after, depth: depth) }

  @inline(__always)
  init(packed: Int32) {
    step = Step(rawValue: packed & 7) ?? .open
    blanks = packed >> 3 & 0xFF
    depth = packed >> 11
  }

  var packed: Int32 { step.rawValue | min(blanks, 0xFF) << 3 | depth << 11 }
}
