/// A stretch of a rendered prompt that comes either from the template's own text or from inserted data.
///
/// Only segments with `isTemplate` may be tokenised with control tokens on: whatever a user, a tool definition or a
/// tool's result says is data, also when it spells `<|eot_id|>`.
package struct PromptSegment: Sendable, Equatable {
  /// The text, never empty in what a rendering returns.
  package var text: String

  /// Whether the template's author wrote this text.
  package var isTemplate: Bool

  package init(text: String, isTemplate: Bool) {
    self.text = text
    self.isTemplate = isTemplate
  }
}

extension [PromptSegment] {
  /// The whole prompt as one string.
  package var text: String { map(\.text).joined() }
}
