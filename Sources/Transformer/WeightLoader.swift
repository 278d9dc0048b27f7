import GGUF
import Tensor

/// Finds a file's tensors by name and checks their dimensions before anything is computed with them.
struct WeightLoader {
  let file: GGUFFile

  /// A matrix from `columns` inputs to `rows` outputs.
  func matrix(_ name: String, columns: Int, rows: Int, neededFor purpose: String) throws(ModelError) -> Tensor {
    guard let tensor = file.tensor(name) else { throw .missingTensor(name, neededFor: purpose) }
    try check(tensor, [columns, rows])
    return tensor
  }

  /// A vector of `count` elements, decoded, or `nil` when the file has none of that name.
  func optionalVector(_ name: String, count: Int) throws(ModelError) -> FloatVector? {
    guard let tensor = file.tensor(name) else { return nil }
    try check(tensor, [count])
    return FloatVector(tensor)
  }

  func vector(_ name: String, count: Int, neededFor purpose: String) throws(ModelError) -> FloatVector {
    guard let vector = try optionalVector(name, count: count) else {
      throw .missingTensor(name, neededFor: purpose)
    }
    return vector
  }

  /// Trailing dimensions of 1 mean nothing.
  private func check(_ tensor: Tensor, _ expected: [Int]) throws(ModelError) {
    var found = tensor.dimensions
    while found.count > expected.count, found.last == 1 { found.removeLast() }
    guard found == expected else {
      throw .shape(tensor: tensor.name, expected: expected, found: tensor.dimensions)
    }
  }
}
