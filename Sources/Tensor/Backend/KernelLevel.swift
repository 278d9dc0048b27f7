import CKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An instruction set that the kernels of a product are chosen for.
package struct KernelLevel: Sendable, Equatable {
  let raw: ck_level

  /// The best that this machine can run and whose kernels all pass ``KernelSelfCheck``. Chosen once for the process.
  ///
  /// The environment variable `RA_KERNEL_LEVEL` names a level not to go beyond, such as `avx2`, for measuring and for
  /// finding faults; a name that this machine doesn't know changes nothing.
  package static let best: KernelLevel = {
    var candidates = Array(available.reversed())
    if let wanted = getenv("RA_KERNEL_LEVEL").map({ String(cString: $0) }),
      let index = candidates.firstIndex(where: { $0.name == wanted })
    {
      candidates.removeFirst(index)
    }
    return candidates.first { KernelSelfCheck.run($0).allSatisfy(\.isSound) } ?? .scalar
  }()
  /// No SIMD kernels: products go through decoded float rows.
  package static let scalar = KernelLevel(raw: CK_SCALAR)
  package static let avx2 = KernelLevel(raw: CK_AVX2)

  /// Every level that this machine can run, worst to best.
  package static var available: [KernelLevel] {
    [CK_SCALAR, CK_AVX2, CK_AVX512_VNNI, CK_NEON_DOTPROD, CK_NEON_I8MM].map(KernelLevel.init(raw:))
      .filter(\.isAvailable)
  }

  package var isAvailable: Bool { ck_can_run(raw) != 0 }
  package var name: String { String(cString: ck_level_name(raw)) }

  var kernels: UnsafePointer<ck_kernels> {
    guard let kernels = ck_kernels_for(raw) else { preconditionFailure("no kernel table for \(name)") }
    return kernels
  }

  package static func == (left: KernelLevel, right: KernelLevel) -> Bool { left.raw == right.raw }
}
