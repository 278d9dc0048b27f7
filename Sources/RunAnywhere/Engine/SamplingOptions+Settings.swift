import Sampling
import Tools

extension SamplingOptions {
  /// The sampler's options; without a seed a new one.
  init(_ settings: SamplingSettings) {
    self.init()
    temperature = settings.temperature
    topK = settings.topK
    topP = settings.topP
    minP = settings.minP
    repetitionPenalty = settings.repetitionPenalty
    seed = settings.seed ?? UInt64.random(in: .min ... .max)
  }
}
