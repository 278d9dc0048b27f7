import JSON

/// The words in which a prompt speaks of tools, where the template leaves them to us.
///
///     var wording = ToolWording.standard
///     wording.abstention = "Answer directly when no function helps."
///     try prompt.segments(messages: messages, tools: tools, wording: wording)
///
/// These words count as the template's own text, so that a vocabulary in which `<tool_call>` is a control token gets
/// it as one; the tools, arguments and results between them are data.
package struct ToolWording: Sendable, Hashable {
  /// Before the list of tools, for templates that ignore tools.
  package var introduction: String
  /// After the list: how to write a call.
  package var callForm: String
  /// How calls are written in words, in the history as the model shall write them; `nil` leaves calls to the template
  /// where it has a form for them. See ``teaching(_:)``.
  package var writing: CallWriting?
  /// The sentence that lets the model answer without a call. Added to the system text, of templates that know tools
  /// too, unless a call is required; `nil` adds nothing.
  package var abstention: String?
  /// The sentence that asks for a call for each of several things, behind ``abstention``; `nil` adds nothing.
  package var severalCalls: String?
  /// Before the results of a turn's calls, for templates without a tool's turn.
  package var resultIntroduction: String
  /// After them. Without it small models repeat the result instead of answering: of SmolLM2-135M's answers to the
  /// demonstration's questions none was a sentence, and with it all are.
  package var resultRequest: String

  package init(
    introduction: String, callForm: String, abstention: String?, severalCalls: String? = nil,
    resultIntroduction: String = "Result:", resultRequest: String = ToolWording.answerRequest
  ) {
    self.introduction = introduction
    self.callForm = callForm
    self.abstention = abstention
    self.severalCalls = severalCalls
    self.resultIntroduction = resultIntroduction
    self.resultRequest = resultRequest
  }

  /// What is asked of a model that has results and shall say what they mean.
  package static let answerRequest = "Now answer my question in a sentence or two."

  /// The Hermes form, which most models without a form of their own have seen.
  package static let standard = ToolWording(
    introduction: """
      You can call functions to help with the user's request. These functions are available, \
      each with a JSON Schema of its parameters, inside <tools></tools>:
      """,
    callForm: """
      To call a function, answer with its name and arguments as a JSON object inside <tool_call></tool_call>:
      <tool_call>
      {"name": "<function name>", "arguments": {<arguments>}}
      </tool_call>
      """,
    abstention:
      "If none of the functions fits the request, answer in plain words without calling a function.")

  /// The same words, with calls in words also where the template has a form of its own, and in the form of `writing`.
  package func teaching(_ writing: CallWriting) -> ToolWording {
    var wording = self
    wording.writing = writing
    if writing != .hermes {
      let example = writing.example("function_name", ["parameter": "value", "other_parameter": 5])
      wording.callForm =
        "To call a function, answer with nothing but its name and its arguments in exactly this form:\n\(example)"
    }
    return wording
  }

  /// Nothing but what the template itself says.
  package static var templateOnly: ToolWording {
    var wording = standard
    wording.abstention = nil
    return wording
  }
}

extension ToolWording {
  /// The part of a system text that presents `tools`, for templates that ignore them.
  func systemText(tools: [JSONValue]) -> Text {
    Text.joined(
      [Text(template: "\(introduction)\n<tools>")] + tools.map { Text(data: $0.spaced) }
        + [Text(template: "</tools>\n\n\(callForm)")],
      by: "\n")
  }

  /// The sentences for the system text about when to call, as one paragraph; nil when there are none.
  func guidance(requiresCall: Bool) -> Text? {
    let sentences = [requiresCall ? nil : abstention, severalCalls].compactMap { $0 }.filter { !$0.isEmpty }
    return sentences.isEmpty ? nil : Text(template: sentences.joined(separator: " "))
  }

  /// A tool's result as a user's text, for templates without a tool's turn.
  static func resultText(_ content: Text) -> Text {
    Text.joined([Text(template: "<tool_response>"), content, Text(template: "</tool_response>")], by: "\n")
  }
}
