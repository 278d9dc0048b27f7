/// Scale and minimum with which a group of a K format covers its values: `x = scale q - minimum`, `q` in `0...levels`.
struct AffineGroup {
  let scale: Float
  /// Not negative: the formats can only subtract, so a group of positive values is covered from zero.
  let minimum: Float

  init(_ values: UnsafePointer<Float>, count: Int, levels: Int) {
    let (lowest, highest) = Quantizer.bounds(values, count: count)
    minimum = max(0, -lowest)
    scale = max(0, highest + minimum) / Float(levels)
  }
}
