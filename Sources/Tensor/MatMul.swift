import CKernels

/// Matrix products of activations with weights, over a pool's threads.
///
/// ```swift
/// let matmul = MatMul(pool: WorkerPool())
/// matmul.matmul([q, k, v], input: x, tokens: 1, outputs: [qOut, kOut, vOut], precision: .quantized)
/// ```
///
/// Results depend on neither the number of threads nor the order in which they run. One owner at a time: the object
/// holds the scratch memory of its products.
package final class MatMul {
  package let pool: WorkerPool
  /// The instruction set whose kernels run.
  package let level: KernelLevel
  private let scratch: ScratchPool

  /// - Parameter level: must be one that this machine can run (``KernelLevel/isAvailable``).
  package init(pool: WorkerPool, level: KernelLevel = .best) {
    precondition(level.isAvailable, "this machine can't run \(level.name)")
    self.pool = pool
    self.level = level
    scratch = ScratchPool(workers: pool.threads)
  }

  /// Multiplies the same `tokens` rows of activations with each of `weights`, in one parallel region.
  ///
  /// - Parameters:
  ///   - weights: matrices with the same number of columns.
  ///   - input: `tokens` x columns, row-major.
  ///   - outputs: for each of `weights` room for `tokens` x its rows, row-major. Must not overlap the input.
  package func matmul(
    _ weights: [Tensor], input: UnsafePointer<Float>, tokens: Int, outputs: [UnsafeMutablePointer<Float>],
    precision: Precision
  ) {
    guard let columns = weights.first?.columns, tokens > 0 else { return }
    precondition(weights.count == outputs.count, "\(weights.count) weights, \(outputs.count) outputs")
    precondition(weights.allSatisfy { $0.columns == columns }, "weights of one product differ in columns")
    multiplyAsFloat(weights, input: input, tokens: tokens, outputs: outputs)
  }

  /// Multiplies activations with the rows `ids` of `weights` only: `output` is `tokens` x `ids.count`, row-major.
  ///
  /// - Complexity: proportional to `ids.count`, not to the rows of `weights`.
  package func matmul(
    rows ids: [Int], of weights: Tensor, input: UnsafePointer<Float>, tokens: Int,
    output: UnsafeMutablePointer<Float>, precision: Precision
  ) {
    guard !ids.isEmpty, tokens > 0 else { return }
    precondition(ids.allSatisfy { $0 >= 0 && $0 < weights.rows }, "row out of range")
    multiplyAsFloat(rows: ids, of: weights, input: input, tokens: tokens, output: output)
  }

  // MARK: Float panels

  private func multiplyAsFloat(
    _ weights: [Tensor], input: UnsafePointer<Float>, tokens: Int, outputs: [UnsafeMutablePointer<Float>]
  ) {
    let columns = weights[0].columns
    let panel = FloatPanel(columns: columns)
    let tiles = TileQueue(rowCounts: weights.map(\.rows), tileRows: panel.rows)
    scratch.reserve(floats: panel.floatCount)
    pool.run { worker, _ in
      while let tile = tiles.next() {
        panel.multiply(
          tile.rows, of: weights[tile.item], input: input, tokens: tokens,
          output: outputs[tile.item] + tile.rows.lowerBound,
          outputStride: weights[tile.item].rows, scratch: scratch.floats(worker: worker))
      }
    }
  }

  private func multiplyAsFloat(
    rows ids: [Int], of weights: Tensor, input: UnsafePointer<Float>, tokens: Int,
    output: UnsafeMutablePointer<Float>
  ) {
    let panel = FloatPanel(columns: weights.columns)
    let tiles = TileQueue(rowCounts: [ids.count], tileRows: panel.rows)
    scratch.reserve(floats: panel.floatCount)
    pool.run { worker, _ in
      while let tile = tiles.next() {
        panel.multiply(
          ids[tile.rows], of: weights, input: input, tokens: tokens, output: output + tile.rows.lowerBound,
          outputStride: ids.count, scratch: scratch.floats(worker: worker))
      }
    }
  }
}
