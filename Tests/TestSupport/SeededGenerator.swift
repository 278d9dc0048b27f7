/// A repeatable random number generator for tests and synthetic data (SplitMix64).
///
/// ```swift
/// var generator = SeededGenerator(seed: 7)
/// let value = Int.random(in: 0..<10, using: &generator)
/// ```
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A normally distributed number (sum of twelve uniform ones: close enough for weights, and without tails).
  package mutating func gaussian(deviation: Float = 1) -> Float {
    var sum: Float = -6
    for _ in 0..<12 { sum += Float(next() >> 40) * 0x1p-24 }
    return sum * deviation
  }

  /// `count` normally distributed numbers.
  package mutating func gaussians(_ count: Int, deviation: Float = 1) -> [Float] {
    (0..<count).map { _ in gaussian(deviation: deviation) }
  }
}
