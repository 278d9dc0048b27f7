import CKernels

/// The product of a region's activations with one matrix, or with some of its rows, by the route chosen for it.
struct Product {
  let weights: Tensor
  /// The rows to multiply with, in this order; `nil` for all.
  let ids: [Int]?
  /// `tokens` x ``rowCount``, row-major.
  let output: UnsafeMutablePointer<Float>
  let route: ProductRoute

  var rowCount: Int { ids?.count ?? weights.rows }

  /// How the rows are cut for `workers` threads.
  func tiles(workers: Int, floatPanelRows: Int) -> TileQueue.Item {
    switch route {
    case .float: TileQueue.Item(rows: rowCount, tileRows: floatPanelRows)
    case .panel: TileQueue.Item(rows: rowCount, tileRows: CK_PANEL_ROWS)
    case .batch:
      // As for dot products, and enough rows to use what a slice of the activations' columns brings into the cache.
      TileQueue.Item(
        rows: rowCount, tileRows: max(2, min(max(32, 65_536 / weights.rowByteCount), rowCount / (4 * workers) & ~1)))
    case .dot, .floatDot:
      // Long enough for a stream of memory, short enough to keep all threads busy to the end.
      TileQueue.Item(rows: rowCount, tileRows: max(1, min(65_536 / weights.rowByteCount, rowCount / (4 * workers))))
    }
  }

  func multiplyAsFloat(
    _ rows: Range<Int>, _ panel: FloatPanel, input: UnsafePointer<Float>, tokens: Int,
    scratch: UnsafeMutablePointer<Float>
  ) {
    let target = output + rows.lowerBound
    if let ids {
      panel.multiply(
        ids[rows], of: weights, input: input, tokens: tokens, output: target, outputStride: rowCount, scratch: scratch)
    } else {
      panel.multiply(
        rows, of: weights, input: input, tokens: tokens, output: target, outputStride: rowCount, scratch: scratch)
    }
  }

  /// `vectors` are those of all tokens, in the layout of `dot`'s route.
  func multiply(_ rows: Range<Int>, by dot: ck_dot_function, vectors: UnsafeRawPointer, tokens: Int) {
    multiply(rows, by: dot, activations: vectors, tokens: tokens, into: output)
  }

  /// `batches` are those of all tokens, one for every CK_BATCH_TOKENS.
  func multiply(_ rows: Range<Int>, by batch: ck_dot_function, batches: UnsafeRawPointer, tokens: Int) {
    let batchBytes = ck_batch_bytes(weights.columns, CK_BATCH_TOKENS)
    for first in stride(from: 0, to: tokens, by: CK_BATCH_TOKENS) {
      multiply(
        rows, by: batch, activations: batches + first / CK_BATCH_TOKENS * batchBytes,
        tokens: min(CK_BATCH_TOKENS, tokens - first), into: output + first * rowCount)
    }
  }

  /// `target` is where the first token's results go.
  private func multiply(
    _ rows: Range<Int>, by dot: ck_dot_function, activations: UnsafeRawPointer, tokens: Int,
    into target: UnsafeMutablePointer<Float>
  ) {
    let columns = weights.columns
    if let ids {
      for index in rows {
        dot(weights.row(ids[index]), 0, 1, columns, activations, tokens, target + index, rowCount)
      }
    } else {
      // `rows` lie inside the tensor, one after the other.
      dot(
        weights.row(rows.lowerBound), weights.rowByteCount, rows.count, columns, activations, tokens,
        target + rows.lowerBound, rowCount)
    }
  }

  /// `groups` are those of all tokens; `rows` are at most a panel's.
  func multiply(
    _ rows: Range<Int>, by panel: ck_panel_function, groups: UnsafeRawPointer, tokens: Int,
    scratch: UnsafeMutableRawPointer
  ) {
    let count = rows.count
    withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: count) { addresses in
      for index in 0..<count {
        let row = rows.lowerBound + index
        addresses[index] = weights.row(ids?[row] ?? row)
      }
      panel(
        addresses.baseAddress, count, weights.columns, groups, tokens, output + rows.lowerBound, rowCount, scratch)
    }
  }
}
