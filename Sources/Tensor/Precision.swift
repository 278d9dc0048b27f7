/// How a matrix product treats its activations.
package enum Precision: Sendable {
  /// Activations of a quantised product are rounded to 8 bits, in blocks of 32 with a scale each.
  case quantized
  /// Activations stay in float32 and weights are decoded exactly.
  case exact
}
