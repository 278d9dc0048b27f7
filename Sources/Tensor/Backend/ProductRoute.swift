import CKernels

/// The way a product with one matrix is computed.
enum ProductRoute {
  /// Rows decoded to float32 panels, multiplied by BLAS.
  case float
  /// Dot products of rows with float activations (plain floating-point types).
  case floatDot(ck_dot_function)
  /// Dot products of rows with activations of 8 bits: reads the weights once, for a few tokens.
  case dot(ck_dot_function)
  /// Rows unpacked in registers, each multiplied with all tokens of a small batch of 8-bit activations.
  case batch(ck_dot_function)
  /// Panels of unpacked rows with groups of activations of 8 bits, for many tokens.
  case panel(ck_panel_function)

  /// Chooses the route: the one place where it is decided.
  ///
  /// Up to ``mostBatchTokens`` tokens a product of a row and a token is the same to the last bit on every route that may
  /// be chosen: dot products and small batches add in one order, and so do float dot products and decoded rows.
  init(type: ElementType, tokens: Int, precision: Precision, kernels: UnsafePointer<ck_kernels>) {
    if type.isQuantized, precision == .quantized {
      let panel = kernels.panel(for: type)
      let isSmall = tokens <= Self.mostBatchTokens
      if tokens > Self.mostDotTokens, isSmall || panel == nil, let batch = kernels.batch(for: type) {
        self = .batch(batch)
        return
      }
      if !isSmall, let panel {
        self = .panel(panel)
        return
      }
      if let dot = kernels.dot(for: type) {
        self = .dot(dot)
        return
      }
    }
    if !type.isQuantized, tokens <= Self.mostBatchTokens, let dot = kernels.dot(for: type) {
      self = .floatDot(dot)
      return
    }
    self = .float
  }

  /// Up to here dot products are fastest, and up to `mostBatchTokens` small batches. Measured with one thread on 100 MB
  /// of weights, 2048 columns, Zen 5; the time of one token is 1:
  ///
  /// | tokens | Q4_0 AVX-512 dot, batch, panel | Q4_K | Q6_K | Q4_0 AVX2 | Q4_K | Q6_K |
  /// |---|---|---|---|---|---|---|
  /// | 2 | 1.5, 1.8, 3.5 | 1.2, 1.5, 3.5 | 1.1, 1.7, 3.8 | 1.6, 1.7, 3.1 | 1.1, 1.8, 2.7 | 1.6, 2.0, 3.3 |
  /// | 4 | 3.3, 1.8, 3.8 | 1.8, 1.5, 3.8 | 1.8, 1.7, 4.1 | 2.9, 1.8, 3.2 | 2.1, 1.9, 2.8 | 2.3, 2.0, 3.8 |
  /// | 8 | 8.6, 2.2, 4.3 | 3.9, 1.8, 4.2 | 5.5, 1.9, 4.8 | 5.9, 2.8, 4.1 | 4.1, 2.5, 3.5 | 5.2, 2.9, 4.7 |
  /// | 16 | 23, 3.7, 5.5 | 12, 3.5, 5.2 | 14, 2.7, 5.6 | 14, 5.1, 5.9 | 8.8, 4.9, 5.0 | 12, 5.1, 6.8 |
  /// | 24 | 33, 5.6, 6.8 | 19, 5.2, 6.5 | 20, 4.0, 6.7 | 21, 7.8, 7.8 | 14, 7.4, 6.5 | 17, 8.1, 9.1 |
  /// | 32 | 42, 7.1, 7.8 | 25, 6.8, 7.6 | 26, 5.3, 7.7 | 28, 10, 9.6 | 18, 9.3, 8.0 | 22, 10, 11 |
  static let mostDotTokens = 2
  /// Up to here a token gets what it would get alone, to the last bit, and small batches are fastest (the table above).
  ///
  /// Float dot products are faster than decoding panels for BLAS at least as long. F16 with 2048 columns from memory, one
  /// token is 1: 8 tokens cost 1.8 (AVX-512) and 2.9 (AVX2), 16 cost 3.1 and 6.5, 24 cost 4.4 and 9.8.
  static let mostBatchTokens = 24
}

extension UnsafePointer<ck_kernels> {
  func dot(for type: ElementType) -> ck_dot_function? { entry(\.dot, type) }

  func batch(for type: ElementType) -> ck_dot_function? { entry(\.batch, type) }

  func panel(for type: ElementType) -> ck_panel_function? { entry(\.panel, type) }

  /// An element of one of the table's arrays, which C arrays being tuples in Swift are read through their bytes.
  private func entry<Table, Function>(_ table: KeyPath<ck_kernels, Table>, _ type: ElementType) -> Function? {
    let index = Int(type.rawValue)
    guard index < CK_TYPE_COUNT else { return nil }
    // `Table` is CK_TYPE_COUNT optional function pointers one after the other, and `index` is below that.
    return withUnsafeBytes(of: pointee[keyPath: table]) { bytes in
      bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Function?>.stride, as: Function?.self)
    }
  }
}
