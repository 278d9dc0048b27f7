import CKernels

extension ForwardKernels {
  /// Root-mean-square normalisation: `out[i] = x[i] / sqrt(mean(x²) + epsilon) · weight[i]`.
  ///
  /// With a `delta` (the output of the sublayer before), `x[i] += delta[i]` comes first: the residual connection and the
  /// norm that follows it are one pass.
  ///
  /// - Parameters: all hold `count` floats; `out` may be none of the others.
  ///
  /// Source: Zhang and Sennrich, "Root Mean Square Layer Normalization" (2019).
  package func rmsNorm(
    _ x: UnsafeMutablePointer<Float>, adding delta: UnsafePointer<Float>? = nil, weight: UnsafePointer<Float>,
    count: Int, epsilon: Float, into out: UnsafeMutablePointer<Float>
  ) {
    if let kernel = table?.pointee.rms_norm { return kernel(out, x, delta, weight, count, epsilon) }
    if let delta { add(delta, to: x, count: count) }
    var sum = 0.0
    for i in 0..<count { sum += Double(x[i]) * Double(x[i]) }
    let factor = Float(1 / (sum / Double(count) + Double(epsilon)).squareRoot())
    for i in 0..<count { out[i] = x[i] * factor * weight[i] }
  }

  /// `x[i] += y[i]`: a residual connection or a bias.
  package func add(_ y: UnsafePointer<Float>, to x: UnsafeMutablePointer<Float>, count: Int) {
    if let kernel = table?.pointee.add { return kernel(x, y, count) }
    for i in 0..<count { x[i] += y[i] }
  }
}
