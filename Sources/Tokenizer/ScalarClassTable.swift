import Synchronization

/// The classes of scalars, looked up from Unicode's tables a block of 256 at a time when first asked for.
struct ScalarClassTable {
  /// Where each block of 256 scalars begins in `classes`, in blocks counted from 1; 0 for one not yet looked up.
  private var blocks = [UInt16](repeating: 0, count: 0x1100)
  private var classes: [ScalarClass] = []

  /// How many blocks have been looked up.
  var blockCount: Int { classes.count / 256 }

  /// The class of the scalar with this value, which must be one.
  subscript(value: UInt32) -> ScalarClass {
    mutating get {
      let block = blocks[Int(value >> 8)]
      if block == 0 { return lookUpBlock(of: value) }
      return classes[Int(block - 1) << 8 | Int(value & 0xFF)]
    }
  }

  private mutating func lookUpBlock(of value: UInt32) -> ScalarClass {
    let first = value & ~0xFF
    blocks[Int(value >> 8)] = UInt16(blockCount + 1)
    for value in first...(first | 0xFF) {
      classes.append(Unicode.Scalar(value).map(ScalarClass.init) ?? .other)
    }
    return classes[classes.count - 256 + Int(value & 0xFF)]
  }

  /// What has been looked up in this process so far.
  private static let shared = Mutex(ScalarClassTable())

  /// The table as far as it has been looked up; cheap to copy.
  static var snapshot: ScalarClassTable { shared.withLock { $0 } }

  /// Keeps what this table looked up for later snapshots.
  func publish() {
    Self.shared.withLock { if $0.blockCount < blockCount { $0 = self } }
  }
}
