/// How an engine saves work. What it generates doesn't depend on it, beyond the rounding of sums and the cut of forced
/// text into tokens.
package struct EngineSettings: Sendable, Hashable {
  /// Whether text that must come is taken without asking the model, and runs as one batch.
  package var forcesText = true
  /// Whether the output head is computed for the allowed tokens only, when they are few.
  package var choosesRows = true
  /// Whether masks are made beside the model's pass instead of before it.
  package var masksBeside = true
  /// The most tokens that are copied from earlier text and checked in one pass; 0 turns drafts off.
  package var draftLength = 8

  package init() {}

  /// Everything done the plain way: one token, one pass, all logits.
  package static let plain: EngineSettings = {
    var settings = EngineSettings()
    settings.forcesText = false
    settings.choosesRows = false
    settings.masksBeside = false
    settings.draftLength = 0
    return settings
  }()
}
