package import JSON

/// How calls are written into the text of a turn where no template does it: in the history, and as the form that a
/// prompt in words teaches.
package struct CallWriting: Sendable, Hashable {
  /// What one call looks like.
  package enum Shape: Sendable, Hashable {
    /// `{"name": "f", KEY: {…}}`
    case object(argumentsKey: String)
    /// The name, this text, and the JSON object of the arguments.
    case named(String)
    /// `f(x='y')`
    case python
  }

  private let shape: Shape
  private let opening: String
  private let separator: String
  private let closing: String

  /// - Parameters:
  ///   - opening: what stands before the first call.
  ///   - separator: what stands between two.
  ///   - closing: what stands behind the last.
  package init(_ shape: Shape, opening: String = "", separator: String, closing: String = "") {
    self.shape = shape
    self.opening = opening
    self.separator = separator
    self.closing = closing
  }

  /// `<tool_call>` around an object, a pair of tags a call: what most models without a form of their own have seen.
  package static let hermes = CallWriting(
    .object(argumentsKey: "arguments"), opening: "<tool_call>\n", separator: "\n</tool_call>\n<tool_call>\n",
    closing: "\n</tool_call>")

  /// `<|tool_call_start|>[f(x='y')]<|tool_call_end|>`: LFM2.
  package static let lfm = CallWriting(
    .python, opening: "<|tool_call_start|>[", separator: ", ", closing: "]<|tool_call_end|>")

  /// Calls as the text of a turn; names and arguments are data, the marks around them the template's.
  func text(_ calls: [ChatMessage.ToolCall]) -> Text {
    var text = Text(template: opening)
    for (index, call) in calls.enumerated() {
      if index > 0 { text.append(separator.utf8, .template) }
      append(call, to: &text)
    }
    text.append(closing.utf8, .template)
    return text
  }

  /// A call of this function with these arguments, as text.
  package func example(_ name: String, _ arguments: JSONObject) -> String {
    text([ChatMessage.ToolCall(id: "", name: name, arguments: .object(arguments))]).string
  }

  private func append(_ call: ChatMessage.ToolCall, to text: inout Text) {
    switch shape {
    case .object(let key):
      text.append("{\"name\": ".utf8, .template)
      text.append(JSONValue.string(call.name).spaced.utf8, .data)
      text.append(", \"\(key)\": ".utf8, .template)
      text.append(call.arguments.spaced.utf8, .data)
      text.append("}".utf8, .template)
    case .named(let mark):
      text.append(call.name.utf8, .data)
      text.append(mark.utf8, .template)
      text.append(call.arguments.spaced.utf8, .data)
    case .python:
      let arguments = call.arguments.objectValue ?? JSONObject()
      text.append(PythonNotation.text(name: call.name, arguments: arguments).utf8, .data)
    }
  }
}
