import CKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension ForwardKernels {
  /// The gated activation of the feed-forward layer, in place: `gate[i] = silu(gate[i]) · up[i]`, where
  /// `silu(x) = x / (1 + e⁻ˣ)`.
  ///
  /// Source: Shazeer, "GLU Variants Improve Transformer" (2020).
  package func swiGLU(gate: UnsafeMutablePointer<Float>, up: UnsafePointer<Float>, count: Int) {
    if let kernel = table?.pointee.swiglu { return kernel(gate, up, count) }
    for i in 0..<count { gate[i] = gate[i] / (1 + exp(-gate[i])) * up[i] }
  }
}
