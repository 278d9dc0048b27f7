import CKernels

/// Matrix products of activations with weights, over a pool's threads.
///
/// ```swift
/// let matmul = MatMul(pool: WorkerPool())
/// matmul.matmul([q, k, v], input: x, tokens: 1, outputs: [qOut, kOut, vOut], precision: .quantized)
/// ```
///
/// Results depend on neither the number of threads nor the order in which they run; up to ``mostBatchTokens`` tokens
/// neither on how many there are, nor on which rows are multiplied beside one. One owner at a time: the object holds the
/// scratch memory of its products.
package final class MatMul {
  /// Products of up to so many tokens are those of each token by itself, bit for bit, at every level, for every element
  /// type and precision. More tokens are multiplied in panels, which add in another order.
  package static let mostBatchTokens = ProductRoute.mostBatchTokens

  package let pool: WorkerPool
  /// The instruction set whose kernels run.
  package let level: KernelLevel
  private let kernels: UnsafePointer<ck_kernels>
  private let floatDot: ck_dot_function
  private let scratch: ScratchPool
  /// Quantised activations of the product under way: vectors, small batches, and groups for the panels.
  private let vectors = ScratchPool(workers: 1)
  private let batches = ScratchPool(workers: 1)
  private let groups = ScratchPool(workers: 1)

  /// - Parameter level: must be one that this machine can run (``KernelLevel/isAvailable``).
  package init(pool: WorkerPool, level: KernelLevel = .best) {
    precondition(level.isAvailable, "this machine can't run \(level.name)")
    self.pool = pool
    self.level = level
    kernels = level.kernels
    guard let dot = kernels.dot(for: .f32) else { preconditionFailure("no float kernel at \(level.name)") }
    floatDot = dot
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
    let products = zip(weights, outputs).map { weight, output in
      Product(weights: weight, ids: nil, output: output, route: route(for: weight, tokens, precision))
    }
    run(products, input: input, tokens: tokens, columns: columns)
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
    let product = Product(weights: weights, ids: ids, output: output, route: route(for: weights, tokens, precision))
    run([product], input: input, tokens: tokens, columns: weights.columns)
  }

  private func route(for weights: Tensor, _ tokens: Int, _ precision: Precision) -> ProductRoute {
    ProductRoute(type: weights.type, tokens: tokens, precision: precision, kernels: kernels)
  }

  // MARK: One region

  private func run(_ products: [Product], input: UnsafePointer<Float>, tokens: Int, columns: Int) {
    let panel = FloatPanel(columns: columns, dot: floatDot)
    var scratchBytes = 0
    var needsVectors = false
    var needsBatches = false
    var needsGroups = false
    for product in products {
      switch product.route {
      case .float: scratchBytes = max(scratchBytes, panel.floatCount * MemoryLayout<Float>.size)
      case .panel:
        scratchBytes = max(scratchBytes, ck_panel_scratch_bytes(tokens))
        needsGroups = true
      case .batch: needsBatches = true
      case .dot: needsVectors = true
      case .floatDot: break
      }
    }
    scratch.reserve(bytes: scratchBytes)
    if needsVectors { quantizeVectors(input, tokens: tokens, columns: columns) }
    if needsBatches { quantizeBatches(input, tokens: tokens, columns: columns) }
    if needsGroups { quantizeGroups(input, tokens: tokens, columns: columns) }

    let tiles = TileQueue(
      products.map { $0.tiles(workers: pool.threads, floatPanelRows: panel.rows) }, workers: pool.threads)
    pool.run { worker, _ in
      while let tile = tiles.next(worker) {
        let product = products[tile.item]
        switch product.route {
        case .float:
          product.multiplyAsFloat(
            tile.rows, panel, input: input, tokens: tokens, scratch: scratch.floats(worker: worker))
        case .floatDot(let dot): product.multiply(tile.rows, by: dot, vectors: UnsafeRawPointer(input), tokens: tokens)
        case .dot(let dot): product.multiply(tile.rows, by: dot, vectors: vectors.bytes(worker: 0), tokens: tokens)
        case .batch(let batch):
          product.multiply(tile.rows, by: batch, batches: batches.bytes(worker: 0), tokens: tokens)
        case .panel(let panel):
          product.multiply(
            tile.rows, by: panel, groups: groups.bytes(worker: 0), tokens: tokens,
            scratch: scratch.bytes(worker: worker))
        }
      }
    }
  }

  /// One vector a token, by the caller alone: for the few tokens of this route that takes less than a region.
  private func quantizeVectors(_ input: UnsafePointer<Float>, tokens: Int, columns: Int) {
    guard let quantize = kernels.pointee.quantize_vector else { preconditionFailure("no quantiser at \(level.name)") }
    let vectorBytes = ck_vector_bytes(columns)
    vectors.reserve(bytes: tokens * vectorBytes)
    let base = vectors.bytes(worker: 0)
    for token in 0..<tokens { quantize(input + token * columns, columns, base + token * vectorBytes) }
  }

  /// A batch for every CK_BATCH_TOKENS tokens.
  private func quantizeBatches(_ input: UnsafePointer<Float>, tokens: Int, columns: Int) {
    quantize(
      input, tokens: tokens, columns: columns, by: kernels.pointee.quantize_batch, length: CK_BATCH_TOKENS,
      bytes: ck_batch_bytes(columns, CK_BATCH_TOKENS), into: batches)
  }

  /// One group for every CK_GROUP_TOKENS tokens.
  private func quantizeGroups(_ input: UnsafePointer<Float>, tokens: Int, columns: Int) {
    quantize(
      input, tokens: tokens, columns: columns, by: kernels.pointee.quantize_group, length: CK_GROUP_TOKENS,
      bytes: ck_group_bytes(columns), into: groups)
  }

  /// Parts of `length` tokens, `bytes` for each, one behind the other; several in a region of their own.
  private func quantize(
    _ input: UnsafePointer<Float>, tokens: Int, columns: Int, by quantizer: ck_quantize_tokens_function?, length: Int,
    bytes: Int, into target: ScratchPool
  ) {
    guard let quantizer else { preconditionFailure("no quantiser at \(level.name)") }
    let count = (tokens + length - 1) / length
    target.reserve(bytes: count * bytes)
    let base = target.bytes(worker: 0)
    if count == 1 { return quantizer(input, columns, tokens, base) }
    let tiles = TileQueue([TileQueue.Item(rows: count, tileRows: 1)], workers: pool.threads)
    pool.run { worker, _ in
      while let part = tiles.next(worker)?.rows.lowerBound {
        let first = part * length
        quantizer(input + first * columns, columns, min(length, tokens - first), base + part * bytes)
      }
    }
  }
}
