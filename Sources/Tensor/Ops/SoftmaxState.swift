import CKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The running state of online softmaxes, one for each of some query rows: the greatest score so far, the sum of
/// `exp(score − greatest)`, and the values weighted so, not yet divided by the sum.
///
/// Two states over different keys merge into that of all keys, which is how workers share one head and how blocks of the cache add up.
///
/// Invariant: the pointers have room for `rows`, `rows` and `rows · stride` floats that nothing else uses meanwhile.
///
/// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018).
struct SoftmaxState {
  let maximum: UnsafeMutablePointer<Float>
  let sum: UnsafeMutablePointer<Float>
  let output: UnsafeMutablePointer<Float>
  let stride: Int

  /// Floats that a state of `rows` rows takes.
  static func floatCount(rows: Int, stride: Int) -> Int { rows * (stride + 2) }

  /// A state of `rows` rows at `base`, which has ``floatCount(rows:stride:)`` floats.
  init(_ base: UnsafeMutablePointer<Float>, rows: Int, stride: Int) {
    output = base
    maximum = base + rows * stride
    sum = maximum + rows
    self.stride = stride
  }

  private init(_ state: SoftmaxState, from row: Int) {
    output = state.output + row * state.stride
    maximum = state.maximum + row
    sum = state.sum + row
    stride = state.stride
  }

  /// The state without its first `rows` rows.
  func dropping(_ rows: Int) -> SoftmaxState { SoftmaxState(self, from: rows) }

  /// Forgets all keys for the first `rows` rows.
  func reset(rows: Int) {
    maximum.update(repeating: -.infinity, count: rows)
    sum.update(repeating: 0, count: rows)
    output.update(repeating: 0, count: rows * stride)
  }

  /// Takes one score and its values into row `row`: the twin of what the kernels do many at a time.
  func fold(row: Int, score: Float, value: (Int) -> Float) {
    let start = output + row * stride
    let greatest = max(maximum[row], score)
    let factor = maximum[row] == -.infinity ? 0 : exp(maximum[row] - greatest)
    let weight = exp(score - greatest)
    for d in 0..<stride { start[d] = start[d] * factor + weight * value(d) }
    sum[row] = sum[row] * factor + weight
    maximum[row] = greatest
  }

  /// Merges the first `rows` rows of `other`, which saw other keys; both saw at least one.
  func merge(_ other: SoftmaxState, rows: Int, kernels: ForwardKernels) {
    if let kernel = kernels.table?.pointee.merge { return kernel(raw, other.raw, rows, stride) }
    for row in 0..<rows {
      let greatest = max(maximum[row], other.maximum[row])
      let (factor, otherFactor) = (exp(maximum[row] - greatest), exp(other.maximum[row] - greatest))
      let (own, others) = (output + row * stride, other.output + row * stride)
      for d in 0..<stride { own[d] = own[d] * factor + others[d] * otherFactor }
      sum[row] = sum[row] * factor + other.sum[row] * otherFactor
      maximum[row] = greatest
    }
  }

  /// Writes the weighted mean of row `row`'s values to `count` floats at `out`.
  func finish(row: Int, into out: UnsafeMutablePointer<Float>, count: Int, kernels: ForwardKernels) {
    kernels.scale(output + row * stride, by: 1 / sum[row], count: count, into: out)
  }

  /// The state as the C kernels take it.
  var raw: ck_softmax_state { ck_softmax_state(maximum: maximum, sum: sum, output: output) }
}

extension ForwardKernels {
  /// `out[i] = x[i] · factor`.
  func scale(_ x: UnsafePointer<Float>, by factor: Float, count: Int, into out: UnsafeMutablePointer<Float>) {
    if let kernel = table?.pointee.scale { return kernel(out, x, factor, count) }
    for i in 0..<count { out[i] = x[i] * factor }
  }
}
