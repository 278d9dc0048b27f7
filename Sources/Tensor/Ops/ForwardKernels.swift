import CKernels

/// The kernels of a forward pass beside matrix multiplication, for one instruction set.
///
/// ```swift
/// let kernels = ForwardKernels.best
/// kernels.rmsNorm(x, weight: w, count: 2048, epsilon: 1e-5, into: h)
/// ```
///
/// Each operation is an extension in a file of its own, with a Swift twin that says what the operation is: the twin is
/// the oracle of the tests and serves on a processor that no SIMD kernels are there for.
///
/// `@unchecked Sendable`: the table is a constant of the C target.
package struct ForwardKernels: @unchecked Sendable {
  /// The SIMD kernels, or `nil` for the twins.
  let table: UnsafePointer<ck_forward_kernels>?

  /// The fastest set that this machine can run, not beyond the level of the matrix products (``KernelLevel/best``).
  package static let best: ForwardKernels = {
    switch KernelLevel.best {
    // Where there are better levels this one was asked for, or the others failed.
    case .scalar where KernelLevel.available.count > 1: twins
    case .avx2: available.first { $0.name == KernelLevel.avx2.name } ?? twins
    default: ForwardKernels(table: ck_forward_best())
    }
  }()
  /// The Swift twins.
  package static let twins = ForwardKernels(table: nil)

  /// Every set that this machine can run: the SIMD ones, best first, then the twins.
  package static var available: [ForwardKernels] {
    var sets: [ForwardKernels] = []
    while let table = ck_forward_variant(sets.count) { sets.append(ForwardKernels(table: table)) }
    return sets + [twins]
  }

  /// The instruction set, such as `avx2`.
  package var name: String { table.map { String(cString: $0.pointee.name) } ?? "swift" }
}

extension ForwardKernels: CustomStringConvertible {
  package var description: String { name }
}
