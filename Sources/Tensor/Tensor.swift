/// A named, read-only view of weights: up to four dimensions over storage that is never copied.
///
/// `dimensions` are in the order of the GGUF format, the fastest-varying first: a weight matrix that maps `columns`
/// inputs to `rows` outputs has dimensions `[columns, rows]` and is stored row after row.
package struct Tensor: Sendable {
  package let name: String
  package let type: ElementType
  package let dimensions: [Int]
  package let storage: Storage
  /// Offset of the first byte in `storage`.
  package let offset: Int

  /// Length of a row, in elements.
  package var columns: Int { dimensions.first ?? 1 }
  /// Number of rows: the product of all dimensions but the first.
  package let rows: Int
  /// Bytes from one row to the next.
  package let rowByteCount: Int
  /// Bytes of the whole tensor.
  package var byteCount: Int { rows * rowByteCount }

  /// Views `dimensions` elements of `type` at `offset` in `storage`.
  ///
  /// - Returns: `nil` when a dimension isn't positive, a row isn't a whole number of blocks, a size overflows, or the
  ///   bytes don't lie inside the storage.
  package init?(name: String, type: ElementType, dimensions: [Int], storage: Storage, offset: Int = 0) {
    guard !dimensions.isEmpty, dimensions.count <= 4, dimensions.allSatisfy({ $0 > 0 }), offset >= 0,
      let rowByteCount = type.byteCount(elements: dimensions[0])
    else { return nil }
    var rows = 1
    for dimension in dimensions.dropFirst() {
      let (product, overflow) = rows.multipliedReportingOverflow(by: dimension)
      guard !overflow else { return nil }
      rows = product
    }
    let (byteCount, overflow) = rows.multipliedReportingOverflow(by: rowByteCount)
    guard !overflow, offset <= storage.count, byteCount <= storage.count - offset else { return nil }
    self.name = name
    self.type = type
    self.dimensions = dimensions
    self.storage = storage
    self.offset = offset
    self.rows = rows
    self.rowByteCount = rowByteCount
  }

  /// The first byte of row `index`. Valid while the tensor is alive; `rowByteCount` bytes may be read.
  package func row(_ index: Int) -> UnsafeRawPointer {
    precondition(index >= 0 && index < rows, "row \(index) of \(rows)")
    return storage.base + offset + index * rowByteCount
  }
}
