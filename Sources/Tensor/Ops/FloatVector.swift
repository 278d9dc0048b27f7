/// Read-only floats decoded from a small tensor: norm weights, biases.
///
/// `@unchecked Sendable`: written in `init` only. Invariant: `pointer` has `count` initialised floats until deinit.
package final class FloatVector: @unchecked Sendable {
  package let count: Int
  package let pointer: UnsafePointer<Float>
  private let memory: FloatBuffer

  /// Decodes all elements of `tensor`, row after row.
  package init(_ tensor: Tensor) {
    count = tensor.rows * tensor.columns
    memory = FloatBuffer(count)
    for row in 0..<tensor.rows { tensor.decodeRow(row, into: memory.pointer + row * tensor.columns) }
    pointer = UnsafePointer(memory.pointer)
  }
}
