/// Reads classes of scalars from a text's UTF-8.
///
/// A byte that is not part of valid UTF-8 counts as a scalar of the class `other`: every byte of a text comes out of
/// the splitting again, valid or not.
///
/// Invariant of the pointer: the text outlives the scanner, which is used only within the call that lends it.
struct TextScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The end of the part that is being split: rules don't look beyond it. At most `bytes.count`.
  private(set) var end: Int
  private var table: ScalarClassTable
  private let ascii: [ScalarClass]

  init(_ bytes: UnsafeBufferPointer<UInt8>, table: ScalarClassTable = .snapshot) {
    self.bytes = bytes
    self.end = bytes.count
    self.table = table
    ascii = Self.asciiClasses
  }

  /// Sets the end of the part that is being split.
  mutating func limit(to end: Int) {
    self.end = min(max(end, 0), bytes.count)
  }

  /// Keeps the looked-up classes for later scanners.
  func publish() {
    table.publish()
  }

  /// The class of the scalar at `index` and where the next one begins; nil at the end.
  @inline(__always)
  mutating func scalar(at index: Int) -> (kind: ScalarClass, next: Int)? {
    guard index < end else { return nil }
    let byte = bytes[index]
    if byte < 0x80 { return (ascii[Int(byte)], index + 1) }
    return wideScalar(at: index)
  }

  private mutating func wideScalar(at index: Int) -> (kind: ScalarClass, next: Int) {
    guard let (value, length) = UTF8Sequence.scalar(in: bytes, at: index, end: end) else { return (.other, index + 1) }
    return (table[value], index + length)
  }

  /// Where the run of scalars of class `kind` that begins at `index` ends; `index` when there is none.
  mutating func run(of kind: ScalarClass, from index: Int) -> Int {
    var index = index
    while let scalar = scalar(at: index), scalar.kind == kind { index = scalar.next }
    return index
  }

  private static let asciiClasses: [ScalarClass] = (0..<0x80 as Range<UInt8>).map { ScalarClass(Unicode.Scalar($0)) }
}
