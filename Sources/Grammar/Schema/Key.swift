/// An object key, compared by its bytes: two keys that only look alike are two keys.
struct Key: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: Key, right: Key) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    // One value for the hasher: feeding it byte by byte costs several times as much (FNV-1a).
    var mixed: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hasher.combine(mixed)
  }
}
