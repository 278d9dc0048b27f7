/// The xoshiro256** generator of Blackman and Vigna ("Scrambled linear pseudorandom number generators", 2018), its state
/// filled from a seed by SplitMix64 as its authors advise.
package struct Xoshiro256: RandomNumberGenerator, Sendable, Equatable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  package init(seed: UInt64) {
    var seed = seed
    func splitMix() -> UInt64 {
      seed &+= 0x9E37_79B9_7F4A_7C15
      var mixed = seed
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
    state = (splitMix(), splitMix(), splitMix(), splitMix())
  }

  package mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = (product << 7 | product >> 57) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = state.3 << 45 | state.3 >> 19
    return result
  }

  /// A number from 0 up to but not including 1, a multiple of 2^-53.
  package mutating func nextUnit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  package static func == (left: Xoshiro256, right: Xoshiro256) -> Bool {
    left.state == right.state
  }
}
