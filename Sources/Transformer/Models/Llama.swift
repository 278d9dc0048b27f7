import Tensor

extension ModelFamily {
  /// Llama 2, 3, 3.1, 3.2, and models of the same build, such as SmolLM2 and Mistral 7B.
  ///
  /// Converters permute the rows of q and k so that rotary pairs lie next to each other. Llama 3.1 and later divide the
  /// rotary frequencies by the factors of `rope_freqs.weight`. Small models use the token embedding as output head too.
  package static let llama = ModelFamily(name: "llama", ropePairing: .interleaved, requiresAttentionBias: false)
}
