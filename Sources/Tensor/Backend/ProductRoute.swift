import CKernels

/// The way a product with one matrix is computed.
enum ProductRoute {
  /// Rows decoded to float32 panels, multiplied by BLAS.
  case float
  /// Dot products of rows with float activations (plain floating-point types).
  case floatDot(ck_dot_function)
  /// Dot products of rows with activations of 8 bits: reads the weights once, for a few tokens.
  case dot(ck_dot_function)
  /// Panels of unpacked rows with groups of activations of 8 bits, for many tokens.
  case panel(ck_panel_function)

  /// Chooses the route: the one place where it is decided.
  init(type: ElementType, tokens: Int, precision: Precision, kernels: UnsafePointer<ck_kernels>) {
    if type.isQuantized, precision == .quantized {
      if tokens > Self.mostDotTokens, let panel = kernels.panel(for: type) {
        self = .panel(panel)
        return
      }
      if let dot = kernels.dot(for: type) {
        self = .dot(dot)
        return
      }
    }
    if !type.isQuantized, tokens <= Self.mostFloatDotTokens, let dot = kernels.dot(for: type) {
      self = .floatDot(dot)
      return
    }
    self = .float
  }

  /// Up to here dot products are faster than panels. Measured with Q4_0, 2048 columns, in cache, against one dot
  /// product: two tokens cost 1.46 as dot products and 1.36 as a panel, four 2.23 and 1.63 (AVX-512); but a panel
  /// reads 32 streams of memory instead of one.
  static let mostDotTokens = 2
  /// Up to here float dot products are faster than decoding panels for BLAS.
  static let mostFloatDotTokens = 4
}

extension UnsafePointer<ck_kernels> {
  func dot(for type: ElementType) -> ck_dot_function? { entry(\.dot, type) }

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
