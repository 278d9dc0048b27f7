/// Templates of our own for files that carry none, chosen by the control tokens of the vocabulary.
package enum FallbackTemplate: String, Sendable, CaseIterable {
  case llama3
  case chatML = "chatml"

  /// The name that people know it by.
  package var title: String {
    switch self {
    case .llama3: "Llama-3"
    case .chatML: "ChatML"
    }
  }

  /// The control tokens without which the form makes no sense.
  var markers: [String] {
    switch self {
    case .llama3: ["<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
    case .chatML: ["<|im_start|>", "<|im_end|>"]
    }
  }

  package var source: String {
    switch self {
    case .llama3:
      """
      {{ bos_token }}
      {%- for message in messages %}
        {{- '<|start_header_id|>' ~ message.role ~ '<|end_header_id|>\\n\\n' ~ message.content ~ '<|eot_id|>' }}
      {%- endfor %}
      {%- if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}
      """
    case .chatML:
      """
      {%- for message in messages %}
        {{- '<|im_start|>' ~ message.role ~ '\\n' ~ message.content ~ '<|im_end|>\\n' }}
      {%- endfor %}
      {%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}
      """
    }
  }

  /// The form whose control tokens a vocabulary has.
  package static func matching(_ controlTokens: Set<String>) -> FallbackTemplate? {
    allCases.first { $0.markers.allSatisfy(controlTokens.contains) }
  }
}
