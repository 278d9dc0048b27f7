package import GGUF
import Tensor

extension GGUFFile {
  /// Touches everything that the file claims to hold: every value, every string, every row. For tests in which that must
  /// not lead out of the file.
  ///
  /// - Returns: a checksum, so that nothing is optimised away.
  @discardableResult
  package func touchEverything(maximumRows: Int = .max) -> Int {
    var sum = 0
    func touch(_ array: MetadataArray) {
      if let strings = array.strings {
        for index in 0..<strings.count { sum &+= strings.bytes(at: index).reduce(0) { $0 &+ Int($1) } }
      }
      for nested in array.arrays ?? [] { touch(nested) }
      sum &+= array.integers?.reduce(0, &+) ?? 0
      sum &+= array.floats?.count ?? 0
      if array.count > 0 { sum &+= array[array.count - 1].description.utf8.count }
    }
    for key in metadata.keys {
      guard let value = metadata[key] else { continue }
      sum &+= value.description.utf8.count
      if case .array(let array) = value { touch(array) }
      if case .string(let string) = value { sum &+= string.text.utf8.count }
    }
    for info in tensors {
      guard let tensor = tensor(info.name) else { continue }
      for row in 0..<min(tensor.rows, maximumRows) { sum &+= tensor.decodedRow(row).count }
    }
    return sum
  }
}
