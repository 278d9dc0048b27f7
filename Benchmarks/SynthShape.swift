import Foundation

/// The sizes of a model of the `llama` architecture.
struct SynthShape: Sendable {
  let name: String
  let width: Int
  let blocks: Int
  let heads: Int
  let keyValueHeads: Int
  let headWidth: Int
  let feedForward: Int
  let contextLength: Int
  /// Size of a made-up vocabulary; a copied one brings its own.
  let vocabulary: Int
  let ropeBase: Double
  /// Llama 3's rope scaling: the factor for long waves.
  let ropeFactor: Double

  static let all: [SynthShape] = [
    SynthShape(
      name: "llama-3.2-1b", width: 2048, blocks: 16, heads: 32, keyValueHeads: 8, headWidth: 64, feedForward: 8192,
      contextLength: 131_072, vocabulary: 128_256, ropeBase: 500_000, ropeFactor: 32),
    SynthShape(
      name: "tiny", width: 256, blocks: 2, heads: 4, keyValueHeads: 2, headWidth: 64, feedForward: 768,
      contextLength: 2048, vocabulary: 1024, ropeBase: 500_000, ropeFactor: 32),
  ]

  /// What the rope frequencies are divided by: 1 for short waves, `ropeFactor` for long ones, and a smooth passage
  /// for wavelengths from a quarter to all of the original context of 8192 positions.
  ///
  /// Source: the rope scaling of Llama 3.1 (`low_freq_factor` 1, `high_freq_factor` 4), as in Meta's `llama-models`.
  var ropeFactors: [Float] {
    let (originalContext, lowFactor, highFactor) = (8192.0, 1.0, 4.0)
    return (0..<headWidth / 2).map { index in
      let frequency = pow(ropeBase, -2 * Double(index) / Double(headWidth))
      let wavelength = 2 * Double.pi / frequency
      if wavelength < originalContext / highFactor { return 1 }
      if wavelength > originalContext / lowFactor { return Float(ropeFactor) }
      let smooth = (originalContext / wavelength - lowFactor) / (highFactor - lowFactor)
      return Float(1 / ((1 - smooth) / ropeFactor + smooth))
    }
  }
}
