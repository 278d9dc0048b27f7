import CBLAS
import CKernels

/// Products by way of float32: rows are decoded to a panel in cache-sized scratch and multiplied by BLAS, or with few
/// tokens by dot products, whose sums depend on neither their number nor the row's place in a panel.
///
/// Exact up to float rounding, for every element type.
struct FloatPanel {
  let columns: Int
  /// Dot products of float32 rows.
  let dot: ck_dot_function
  /// Rows in a panel.
  let rows: Int

  /// Floats of scratch that a worker needs.
  var floatCount: Int { rows * columns }

  init(columns: Int, dot: @escaping ck_dot_function) {
    self.columns = columns
    self.dot = dot
    // 512 KB of decoded rows: with its share of the activations it stays in a core's L2 cache.
    rows = min(64, max(8, 131_072 / columns))
    _ = Self.useOneThread
  }

  private static let useOneThread: Void = cblas_use_calling_thread_only()

  /// Multiplies `input` (`tokens` x `columns`) with some rows of `weights`; the products of a token are written to
  /// consecutive places of `output`, those of the next token `outputStride` further.
  ///
  /// `scratch` must have room for `floatCount` floats.
  func multiply(
    _ ids: some RandomAccessCollection<Int>, of weights: Tensor, input: UnsafePointer<Float>, tokens: Int,
    output: UnsafeMutablePointer<Float>, outputStride: Int, scratch: UnsafeMutablePointer<Float>
  ) {
    precondition(ids.count <= rows && weights.columns == columns)
    for (index, id) in ids.enumerated() { weights.decodeRow(id, into: scratch + index * columns) }
    if tokens <= ProductRoute.mostBatchTokens {
      dot(scratch, columns * MemoryLayout<Float>.size, ids.count, columns, input, tokens, output, outputStride)
    } else {
      cblas_sgemm(
        CblasRowMajor, CblasNoTrans, CblasTrans, Int32(tokens), Int32(ids.count), Int32(columns), 1, input,
        Int32(columns), scratch, Int32(columns), 0, output, Int32(outputStride))
    }
  }
}
