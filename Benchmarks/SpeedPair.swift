import Transformer

/// Medians of our own runs and of a peer's, measured in turns.
struct SpeedPair {
  let own: SpeedSample
  let peer: SpeedSample?

  /// Measures `runs` times, this engine and then the peer; `show` gets each run's number and figures as cells.
  static func measure(
    _ plan: SpeedPlan, _ context: InferenceContext, peer: PeerCommand?, runs: Int,
    show: (_ run: Int, _ cells: [String]) -> Void
  ) throws -> SpeedPair {
    var own: [SpeedSample] = []
    var others: [SpeedSample] = []
    for run in 1...runs {
      let sample = try plan.measure(context)
      own.append(sample)
      var cells = [fixed(sample.prefill), fixed(sample.decode)]
      if let peer {
        let other = try peer.measure()
        others.append(other)
        cells += [fixed(other.prefill), fixed(other.decode)]
      }
      show(run, cells)
    }
    return SpeedPair(own: .median(own), peer: others.isEmpty ? nil : .median(others))
  }
}
