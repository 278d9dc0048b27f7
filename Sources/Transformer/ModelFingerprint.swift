package import GGUF
import Tensor

/// What tells a model's file from others: 128 bits over everything in front of the tensor data (metadata, vocabulary,
/// names, types and shapes of tensors), the file's length, and 64 bytes from the beginning, the middle and the end of each
/// tensor.
///
/// Files that differ in a few weights only may have the same fingerprint. It guards against accidents, not against people.
package struct ModelFingerprint: Hashable, Sendable {
  package let low: UInt64
  package let high: UInt64

  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  package init(_ file: GGUFFile) {
    var hash = ContentHash()
    // Every range below lies inside the storage: the file's header was checked when it was opened. The storage lives to
    // the end of the closure as a capture.
    let bytes = UnsafeRawBufferPointer(start: file.storage.base, count: file.storage.count)
    withExtendedLifetime(file.storage) {
      let header = file.tensors.map(\.offset).min() ?? bytes.count
      hash.update(UnsafeRawBufferPointer(rebasing: bytes[0..<header]))
      hash.update(UInt64(bytes.count), UInt64(file.tensors.count))
      for tensor in file.tensors {
        let length = min(64, tensor.byteCount)
        for start in [0, (tensor.byteCount - length) / 2, tensor.byteCount - length] {
          let first = tensor.offset + start
          hash.update(UnsafeRawBufferPointer(rebasing: bytes[first..<first + length]))
        }
      }
    }
    self.init(low: hash.low, high: hash.high)
  }
}

extension ModelFingerprint: CustomStringConvertible {
  /// 32 hexadecimal digits.
  package var description: String { Self.digits(high) + Self.digits(low) }

  /// Reads ``description``; `nil` for anything else.
  package init?(_ description: String) {
    let digits = Array(description.utf8)
    let areDigits = digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard digits.count == 32, areDigits else { return nil }
    let text = String(decoding: digits, as: UTF8.self)
    guard let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16) else {
      return nil
    }
    self.init(low: low, high: high)
  }

  private static func digits(_ word: UInt64) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }
}
