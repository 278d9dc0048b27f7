/// What a template makes of the parts of a conversation, found out by rendering small ones.
package struct TemplateTraits: Sendable, Equatable {
  /// Whether a system turn at the beginning reaches the prompt.
  package var supportsSystem = true
  /// Whether a system turn further on reaches the prompt.
  package var supportsLateSystem = true
  /// Whether tool definitions reach the prompt.
  package var supportsTools = false
  /// Whether the calls of an assistant turn reach the prompt.
  package var supportsToolCalls = false
  /// Whether a tool's turn reaches the prompt.
  package var supportsToolResults = false
  /// Whether an assistant turn may hold several calls.
  package var supportsParallelCalls = false
  /// Whether call arguments must be a string that holds JSON, instead of an object.
  package var wantsStringArguments = false
  /// Whether call ids must have nine letters or digits.
  package var wantsShortIDs = false
  /// Whether a message's content must be a list of parts instead of a string.
  package var wantsContentParts = false
  /// Whether the variable `tools` must be a list also when there are none.
  package var wantsToolList = false
  /// Whether the tools are wanted as a text, in the variable `functions`, and the time in `datetime`.
  package var wantsFunctionText = false
  /// Whether the content of a turn with calls must be none for the calls to show.
  package var wantsNullContent = false
  /// Whether user turns may follow each other.
  package var allowsRepeatedUser = true
  /// The system text that the template puts in when the conversation has none, without tools.
  package var defaultSystem = ""
  /// The same with tools.
  package var defaultSystemWithTools = ""
  /// How the template writes a call.
  package var callHint = CallHint()
  /// How calls stand in the text of a turn, for templates that show tools and their results and leave the calls between
  /// them to the turn's text, as the model writes them; nil for others.
  package var callWriting: CallWriting?
  /// Whether a longer conversation's prompt begins with the shorter one's, so that its KV cache can be used again.
  package var keepsPrefix = true
  /// The same for a conversation with tools and calls.
  package var keepsPrefixWithTools = true

  /// Whether calls and their results can stay in the template's own form.
  package var supportsToolHistory: Bool { supportsToolCalls && supportsToolResults }

  /// Whether calls and their results can stay in the form that the model was trained on, be it in the text of a turn.
  package var keepsToolHistory: Bool { supportsToolHistory || callWriting != nil && supportsToolResults }
}

/// What a rendered call looks like, to choose the call format by.
package struct CallHint: Sendable, Equatable {
  /// Marks that call formats are told apart by.
  package enum Marker: String, Sendable, CaseIterable {
    case toolCallTag = "<tool_call>"
    case jsonName = "{\"name\""
    case toolCallsToken = "[TOOL_CALLS]"
    case toolCallStart = "<|tool_call_start|>"
    case functionTag = "<function="
  }

  /// The markers in the rendering of an assistant turn with one call, by where they first stand.
  package var markers: [Marker] = []

  /// The key before the arguments of a call in JSON: `arguments` or `parameters`; `nil` when neither is written.
  package var argumentsKey: String?

  /// The rendered assistant turn with a call of `f` and the argument `{"x": "y"}`; `nil` when calls don't show.
  package var example: String?

  package init() {}

  /// The ways of writing calls that models are trained on.
  package enum Family: Sendable, Equatable {
    /// `<tool_call>` with a JSON object of name and arguments.
    case hermes
    /// A JSON object of name and `parameters` as the whole answer.
    case llama
    /// `[TOOL_CALLS]` with an array of JSON objects.
    case mistralArray
    /// `[TOOL_CALLS]name[ARGS]{…}`.
    case mistralArguments
    /// `<|tool_call_start|>[name(key='value')]`.
    case pythonic
    /// `<function=name>` as the beginning of the answer.
    case functionTag
    /// Anything else, or nothing.
    case other
  }

  /// The family that the markers and the example belong to.
  package var family: Family {
    switch markers.first {
    case .toolCallTag: return markers.count > 1 && markers[1] == .jsonName ? .hermes : .other
    case .jsonName:
      let isArray = example?.contains("[{\"name\"") ?? true
      return argumentsKey == "parameters" && !isArray ? .llama : .other
    case .toolCallsToken:
      if example?.contains("[TOOL_CALLS][{\"name\"") == true { return .mistralArray }
      return example?.contains("[ARGS]{") == true ? .mistralArguments : .other
    case .toolCallStart: return .pythonic
    case .functionTag: return example?.contains("<function=f>{") == true ? .functionTag : .other
    case nil: return .other
    }
  }
}
