import JSON

/// Brings a conversation into the form that a template can render, by the template's traits.
struct MessageNormalizer {
  let traits: TemplateTraits
  /// Whether tools, calls and results are put in words, because the template ignores them or another form of calls is
  /// wanted than its own.
  let presentsTools: Bool
  let wording: ToolWording
  /// Whether this turn must be a call, so that no sentence offers another way.
  let requiresCall: Bool

  /// The conversation in normal form.
  ///
  /// In order: roles, arguments, the tool prompt, calls and results in words where the template has no turns for them,
  /// parallel calls split, ids shortened, system texts merged where they would be refused, repeated user turns joined.
  func normalize(_ messages: [ChatMessage], tools: [JSONValue]) -> [Turn] {
    var result = messages.map { Turn($0) }
    result = mergingLeadingSystem(result)
    result = addingToolText(result, tools)
    // A generic prompt teaches the generic form: the history must show the same one.
    if presentsTools || !traits.keepsToolHistory {
      result = writingHistoryInWords(result)
    } else if let writing = traits.callWriting {
      result = result.map { MessageNormalizer.writing($0, writing, joint: "") }
    } else {
      if !traits.supportsParallelCalls { result = splittingParallelCalls(result) }
      result = withShortIDs(result)
    }
    if !traits.supportsSystem {
      result = movingSystemToUser(result, where: { _ in true })
    } else if !traits.supportsLateSystem {
      result = movingSystemToUser(result, where: { $0 > 0 })
    }
    return traits.allowsRepeatedUser ? result : joiningNeighbours(result, role: "user")
  }

  // MARK: System text

  private func mergingLeadingSystem(_ messages: [Turn]) -> [Turn] {
    let leading = messages.prefix { $0.role == "system" }
    guard leading.count > 1 else { return messages }
    let text = Text.joined(leading.map(\.content).filter { !$0.isEmpty }, by: "\n\n")
    return [Turn(role: "system", content: text)] + messages.dropFirst(leading.count)
  }

  private func addingToolText(_ messages: [Turn], _ tools: [JSONValue]) -> [Turn] {
    guard !tools.isEmpty else { return messages }
    var parts: [Text] = []
    if presentsTools { parts.append(wording.systemText(tools: tools)) }
    if let sentences = wording.guidance(requiresCall: requiresCall) { parts.append(sentences) }
    guard !parts.isEmpty else { return messages }
    var messages = messages
    let hasSystem = messages.first?.role == "system"
    let standard = Text(template: presentsTools ? traits.defaultSystem : traits.defaultSystemWithTools)
    let own = hasSystem ? messages[0].content : standard
    let text = Text.joined([own].filter { !$0.isEmpty } + parts, by: "\n\n")
    if hasSystem {
      messages[0].content = text
    } else {
      messages.insert(Turn(role: "system", content: text), at: 0)
    }
    return messages
  }

  /// Puts system texts in front of the user turn that follows them.
  private func movingSystemToUser(_ messages: [Turn], where moves: (Int) -> Bool) -> [Turn] {
    var result: [Turn] = []
    var waiting: [Text] = []
    for (index, message) in messages.enumerated() {
      if message.role == "system", moves(index) {
        waiting.append(message.content)
      } else if message.role == "user", !waiting.isEmpty {
        var message = message
        message.content = Text.joined(waiting + [message.content], by: "\n\n")
        waiting = []
        result.append(message)
      } else {
        result.append(message)
      }
    }
    if !waiting.isEmpty { result.append(Turn(role: "user", content: Text.joined(waiting, by: "\n\n"))) }
    return result
  }

  private func joiningNeighbours(_ messages: [Turn], role: String) -> [Turn] {
    var result: [Turn] = []
    for message in messages {
      if message.role == role, let last = result.last, last.role == role {
        result[result.count - 1].content = Text.joined([last.content, message.content], by: "\n\n")
      } else {
        result.append(message)
      }
    }
    return result
  }

  // MARK: Calls and results

  private func writingHistoryInWords(_ messages: [Turn]) -> [Turn] {
    var result: [Turn] = []
    var afterResult = false
    for (index, message) in messages.enumerated() {
      guard message.role == "tool" else {
        afterResult = false
        result.append(MessageNormalizer.writing(message, wording.writing ?? .hermes, joint: "\n"))
        continue
      }
      var text = ToolWording.resultText(message.content)
      if !afterResult {
        text = Text.joined([Text(template: wording.resultIntroduction), text].filter { !$0.isEmpty }, by: "\n")
      }
      let isLastResult = index + 1 == messages.count || messages[index + 1].role != "tool"
      if isLastResult {
        text = Text.joined([text, Text(template: wording.resultRequest)].filter { !$0.isEmpty }, by: "\n")
      }
      if afterResult, let last = result.last {
        result[result.count - 1].content = Text.joined([last.content, text], by: "\n")
      } else {
        result.append(Turn(role: "user", content: text))
      }
      afterResult = true
    }
    return result
  }

  /// A turn with its calls in its text, behind what else it says.
  private static func writing(_ message: Turn, _ writing: CallWriting, joint: String) -> Turn {
    guard !message.toolCalls.isEmpty else { return message }
    let parts = [message.content, writing.text(message.toolCalls)].filter { !$0.isEmpty }
    return Turn(role: "assistant", content: Text.joined(parts, by: joint))
  }

  /// One turn a call, each followed by its result.
  private func splittingParallelCalls(_ messages: [Turn]) -> [Turn] {
    var result: [Turn] = []
    var index = 0
    while index < messages.count {
      let message = messages[index]
      index += 1
      guard message.toolCalls.count > 1 else {
        result.append(message)
        continue
      }
      var results: [Turn] = []
      while index < messages.count, messages[index].role == "tool" {
        results.append(messages[index])
        index += 1
      }
      for (place, call) in message.toolCalls.enumerated() {
        result.append(
          Turn(role: "assistant", content: place == 0 ? message.content : Text(), toolCalls: [call]))
        if let own = results.firstIndex(where: { $0.toolCallID == call.id }) {
          result.append(results.remove(at: own))
        } else if let unnamed = results.firstIndex(where: { $0.toolCallID == nil }) {
          result.append(results.remove(at: unnamed))
        }
      }
      result += results
    }
    return result
  }

  /// Ids of nine letters or digits where the template insists on them; the same id always gets the same one.
  private func withShortIDs(_ messages: [Turn]) -> [Turn] {
    guard traits.wantsShortIDs else { return messages }
    var known: [String: String] = [:]
    func short(_ id: String) -> String {
      if id.utf8.count == 9, id.utf8.allSatisfy({ $0.isNameByte && $0 != UInt8(ascii: "_") }) { return id }
      if let known = known[id] { return known }
      let number = String(known.count + 1)
      known[id] = "call" + String(repeating: "0", count: max(0, 5 - number.count)) + number
      return known[id] ?? id
    }
    return messages.map { message in
      var message = message
      for index in message.toolCalls.indices { message.toolCalls[index].id = short(message.toolCalls[index].id) }
      message.toolCallID = message.toolCallID.map(short)
      return message
    }
  }
}
