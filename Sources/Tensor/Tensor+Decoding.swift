extension Tensor {
  /// Decodes a row to float32, exactly as the element type defines it.
  ///
  /// - Parameter output: room for ``columns`` floats.
  package func decodeRow(_ row: Int, into output: UnsafeMutablePointer<Float>) {
    // `row(_:)` checks the index; a tensor's rows are whole blocks that lie inside its storage, which `self` keeps alive.
    type.decode(self.row(row), count: columns, into: output)
  }

  /// A row as float32.
  package func decodedRow(_ row: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: columns) { output, initialized in
      if let base = output.baseAddress { decodeRow(row, into: base) }
      initialized = columns
    }
  }

  /// All elements as float32, row after row. For small tensors such as norms and biases.
  package func decoded() -> [Float] {
    let columns = self.columns
    return [Float](unsafeUninitializedCapacity: rows * columns) { output, initialized in
      if let base = output.baseAddress {
        for row in 0..<rows { decodeRow(row, into: base + row * columns) }
      }
      initialized = rows * columns
    }
  }
}
