import JSON

/// Renders small conversations and looks for their parts in the result.
///
/// The words that are looked for occur in no template, and each is searched as data, so that a template's own examples
/// are never taken for them.
struct TemplateProbe {
  let template: ChatTemplate
  let variables: [String: Value]
  /// The spellings of the vocabulary's control tokens.
  let controlTokens: Set<String>
  private let clock = TemplateClock(year: 2025, month: 1, day: 2)
  private(set) var traits = TemplateTraits()

  private static let user = "QzUserQz"
  private static let answer = "QzAnswerQz"
  private static let system = "QzSystemQz"
  private static let late = "QzLateQz"
  private static let toolName = "qz_tool_qz"
  private static let otherName = "qz_other_qz"
  private static let value = "QzValueQz"
  private static let result = "QzResultQz"

  init(_ template: ChatTemplate, variables: [String: Value], controlTokens: Set<String>) {
    self.template = template
    self.variables = variables
    self.controlTokens = controlTokens
  }

  /// The template's traits.
  ///
  /// Throws when not even a user's turn reaches the prompt.
  static func traits(
    of template: ChatTemplate, variables: [String: Value], controlTokens: Set<String>
  ) throws(TemplateError) -> TemplateTraits {
    var probe = TemplateProbe(template, variables: variables, controlTokens: controlTokens)
    try probe.probeUser()
    probe.probeSystem()
    probe.probeTools()
    probe.probeCalls()
    probe.probePrefix()
    return probe.traits
  }

  // MARK: Rendering

  private func render(
    _ messages: [ChatMessage], tools: Bool = false, generation: Bool = true
  ) throws(TemplateError) -> String {
    let given: JSONValue = tools ? .array([Self.tool]) : traits.wantsToolList ? .array([]) : .null
    var (context, weight) = try template.values(of: Self.toolVariables(given, traits, clock))
    context["messages"] = .list(messages.map { Turn($0).value(traits) })
    context["add_generation_prompt"] = .boolean(generation)
    weight += messages.count * 1024
    return try template.render(variables: variables.merging(context) { $1 }, clock: clock, weight: weight).string
  }

  /// The variables in which a template looks for tools.
  static func toolVariables(_ tools: JSONValue, _ traits: TemplateTraits, _ clock: TemplateClock) -> JSONObject {
    var variables: JSONObject = ["tools": tools]
    if traits.wantsFunctionText {
      variables["functions"] = .string(JSONValue.array(tools.arrayValue ?? []).text(.indented(4)))
      variables["datetime"] = .string(clock.date().formatted("%b %d %Y %H:%M:%S GMT"))
    }
    return variables
  }

  private func attempt(_ messages: [ChatMessage], tools: Bool = false, generation: Bool = true) -> String? {
    try? render(messages, tools: tools, generation: generation)
  }

  private func message(_ role: String, _ content: String) -> ChatMessage {
    ChatMessage(role: role, content: content)
  }

  private func call(_ names: [String], id: String = "call00001") -> ChatMessage {
    let calls = names.enumerated().map { index, name in
      ChatMessage.ToolCall(
        id: "\(id.dropLast())\(index + 1)", name: name, arguments: .object(["x": .string(Self.value)]))
    }
    return .assistant("", toolCalls: calls)
  }

  private func result(_ number: Int, name: String, id: String = "call00001") -> ChatMessage {
    .tool("\(Self.result)\(number)", callID: "\(id.dropLast())\(number)", name: name)
  }

  private static let tool = JSONValue.object([
    "type": .string("function"),
    "function": .object([
      "name": .string(toolName),
      "description": .string("a tool"),
      "parameters": .object([
        "type": .string("object"),
        "properties": .object(["x": .object(["type": .string("string"), "description": .string("a text")])]),
        "required": .array([.string("x")]),
      ]),
    ]),
  ])

  // MARK: Probes

  private mutating func probeUser() throws(TemplateError) {
    var first: TemplateError?
    for (parts, list, text) in [
      (false, false, false), (true, false, false), (false, true, false), (true, true, false), (false, false, true),
    ] {
      traits.wantsContentParts = parts
      traits.wantsToolList = list
      traits.wantsFunctionText = text
      do throws(TemplateError) {
        if try render([message("user", Self.user)]).contains(Self.user) { return }
        first = first ?? TemplateError(.value, "the template doesn't print what the user says")
      } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  private mutating func probeSystem() {
    let user = message("user", Self.user)
    let turns = [user, message("assistant", Self.answer), message("system", Self.late), user]
    traits.supportsSystem = attempt([message("system", Self.system), user])?.contains(Self.system) == true
    if traits.supportsSystem {
      // A system text that goes along with the last question would change every earlier turn.
      let long = attempt([message("system", Self.system), user, message("assistant", Self.answer), user]) ?? ""
      if let place = long.firstRange(of: Self.system), let answer = long.firstRange(of: Self.answer) {
        traits.supportsSystem = place.lowerBound < answer.lowerBound
      }
    }
    traits.supportsLateSystem = traits.supportsSystem && attempt(turns)?.contains(Self.late) == true
    traits.allowsRepeatedUser = attempt([user, user]) != nil
    traits.defaultSystem = defaultSystem(tools: false)
  }

  /// What the template itself says where a system text would stand.
  private func defaultSystem(tools: Bool) -> String {
    let user = message("user", Self.user)
    guard let with = attempt([message("system", Self.system), user], tools: tools),
      let without = attempt([user], tools: tools), let place = with.firstRange(of: Self.system)
    else { return "" }
    let before = with[..<place.lowerBound]
    let after = with[place.upperBound...]
    guard without.utf8.count > before.utf8.count + after.utf8.count, without.hasPrefix(before), without.hasSuffix(after)
    else { return "" }
    return String(without.dropFirst(before.count).dropLast(after.count))
  }

  private mutating func probeTools() {
    let user = message("user", Self.user)
    traits.supportsTools = attempt([user], tools: true)?.contains(Self.toolName) == true
    traits.defaultSystemWithTools = traits.supportsTools ? defaultSystem(tools: true) : traits.defaultSystem
  }

  private mutating func probeCalls() {
    guard probeCallForm() else {
      probeCallsInText()
      return
    }
    let user = message("user", Self.user)
    let two = [
      user, call([Self.toolName, Self.otherName]), result(1, name: Self.toolName), result(2, name: Self.otherName),
      user,
    ]
    if let text = attempt(two, tools: traits.supportsTools) {
      traits.supportsParallelCalls = [Self.toolName, Self.otherName, Self.result + "1", Self.result + "2"]
        .allSatisfy { text.contains($0) }
    }
    traits.callHint = callHint()
  }

  /// Looks for the form of arguments and ids in which a call shows; false when there is none.
  private mutating func probeCallForm() -> Bool {
    for nullContent in [false, true] {
      for (stringArguments, shortIDs) in [(false, false), (false, true), (true, false), (true, true)] {
        traits.wantsNullContent = nullContent
        traits.wantsStringArguments = stringArguments
        traits.wantsShortIDs = shortIDs
        let id = shortIDs ? "call00001" : "call_qz_00001"
        let turns = [
          message("user", Self.user), call([Self.otherName], id: id), result(1, name: Self.otherName, id: id),
        ]
        guard let text = attempt(turns, tools: traits.supportsTools), showsArguments(text) else { continue }
        traits.supportsToolCalls = text.contains(Self.otherName)
        traits.supportsToolResults = text.contains(Self.result)
        return true
      }
    }
    traits.wantsNullContent = false
    traits.wantsStringArguments = false
    traits.wantsShortIDs = false
    // Perhaps a tool's turn alone is what the template refuses, or the call.
    let user = message("user", Self.user)
    if let text = attempt([user, call([Self.otherName])], tools: traits.supportsTools) {
      traits.supportsToolCalls = text.contains(Self.otherName) && showsArguments(text)
    }
    return traits.supportsToolCalls
  }

  /// Looks for a template that shows tools and results, and calls only as the text of a turn: the marks around a call are
  /// then known by the vocabulary, or by their siblings around tools and results.
  private mutating func probeCallsInText() {
    let turns = [message("user", Self.user), message("assistant", Self.answer), result(1, name: Self.otherName)]
    guard traits.supportsTools, let text = attempt(turns, tools: true), text.contains(Self.result) else { return }
    traits.supportsToolResults = true
    let marks = ["<|tool_call_start|>", "<|tool_call_end|>"]
    guard marks.allSatisfy(controlTokens.contains) || text.contains("<|tool_list_start|>") else { return }
    traits.callWriting = .lfm
    traits.supportsParallelCalls = true
    traits.callHint.markers = [.toolCallStart]
    traits.callHint.example = CallWriting.lfm.example("f", ["x": "y"])
  }

  /// Whether the arguments show, and neither as Python's text of a dictionary nor as JSON within JSON.
  private func showsArguments(_ text: String) -> Bool {
    text.contains(Self.value) && !text.contains("'\(Self.value)'}") && !text.contains("\\\"\(Self.value)\\\"")
  }

  private func callHint() -> CallHint {
    var hint = CallHint()
    let user = message("user", Self.user)
    guard let before = attempt([user], tools: traits.supportsTools, generation: false),
      let after = attempt([user, call([Self.otherName])], tools: traits.supportsTools, generation: false)
    else { return hint }
    let shared = before.utf8CommonPrefix(with: after)
    var bytes = Array(after.utf8)[shared...]
    if String(decoding: bytes, as: UTF8.self).contains(Self.toolName) {
      // The definitions of the tools stand after the turns: they are no part of the call.
      let tail = zip(before.utf8.reversed(), bytes.reversed()).prefix { $0 == $1 }.count
      bytes = bytes.dropLast(tail)
    }
    let turn = String(decoding: bytes, as: UTF8.self)
    let places = CallHint.Marker.allCases.compactMap { marker in
      turn.firstRange(of: marker.rawValue).map { (marker, $0.lowerBound) }
    }
    hint.markers = places.sorted { $0.1 < $1.1 }.map(\.0)
    hint.argumentsKey = ["arguments", "parameters"].first { turn.contains("\"\($0)\"") }
    hint.example = turn.replacing(Self.otherName, with: "f").replacing(Self.value, with: "y")
    return hint
  }

  private mutating func probePrefix() {
    let user = message("user", Self.user)
    let answer = message("assistant", Self.answer)
    let plain = [[user], [user, answer, user], [user, answer, user, answer, user]]
    traits.keepsPrefix = growsAtTheEnd(plain, tools: false)
    guard traits.supportsToolHistory else {
      traits.keepsPrefixWithTools = traits.keepsPrefix
      return
    }
    let one = call([Self.otherName])
    let reply = result(1, name: Self.otherName)
    let withCalls = [[user], [user, one, reply], [user, one, reply, answer, user]]
    traits.keepsPrefixWithTools = growsAtTheEnd(withCalls, tools: traits.supportsTools)
  }

  /// Whether each conversation's text, without a beginning of the next turn, begins the text of the one after it.
  private func growsAtTheEnd(_ conversations: [[ChatMessage]], tools: Bool) -> Bool {
    let texts = conversations.map { attempt($0, tools: tools, generation: false) ?? "" }
    return zip(texts, texts.dropFirst()).allSatisfy { $0.utf8CommonPrefix(with: $1) == $0.utf8.count }
  }
}

extension String {
  /// The number of bytes that both texts begin with.
  func utf8CommonPrefix(with other: String) -> Int {
    var count = 0
    for (own, theirs) in zip(utf8, other.utf8) {
      if own != theirs { break }
      count += 1
    }
    return count
  }
}
