/// A string that compares and hashes by its Unicode scalars.
///
/// `String` itself compares by canonical equivalence, under which two different JSON keys could be one.
struct ScalarString: Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ScalarString, right: ScalarString) -> Bool {
    let (left, right) = (left.text.utf8, right.text.utf8)
    return left.count == right.count && left.elementsEqual(right)
  }

  func hash(into hasher: inout Hasher) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
    if done == nil {
      for byte in text.utf8 { hasher.combine(byte) }
    }
    hasher.combine(0xFF as UInt8)
  }
}
