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

  /// A number that is about normally distributed: the sum of four uniform ones, without tails beyond 3.5 deviations.
  package mutating func gaussian(deviation: Float = 1) -> Float {
    let bits = next()
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    // Four uniform numbers from 0 to 65535 have the mean 131070 and the deviation 65536 / √3.
    return (Float(sum) - 131_070) * (deviation * 2.642_899_8e-5)
  }

  /// `count` normally distributed numbers.
  package mutating func gaussians(_ count: Int, deviation: Float = 1) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(count)
    for _ in 0..<count { result.append(gaussian(deviation: deviation)) }
    return result
  }
}
