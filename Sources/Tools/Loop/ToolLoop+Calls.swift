import JSON

/// A call in a turn, and its result where it is known without running anything.
struct AcceptedCall: Sendable {
  let call: ToolCall
  let known: ToolResult?
}

extension ToolLoop {
  /// The calls of a turn that count: no more than the limit leaves, up to a second repetition of an earlier turn's; one that
  /// repeats the one before it in the same turn doesn't. Of a tool that allows repeats all count.
  func accept(_ requested: [TurnReader.Call], in run: inout ToolRun) -> [AcceptedCall] {
    var accepted: [AcceptedCall] = []
    var last = run.calls.last
    var ids = CallIdentifiers(of: run.conversation)
    for request in requested {
      let number = run.calls.count + accepted.count
      guard number < options.maxToolCalls else {
        run.limitReached = true
        break
      }
      let (call, failure) = read(request, id: ids.next())
      // Said twice in one breath is said once: the second would be answered from the result of the first.
      if isRepetition(call, of: accepted.last?.call) { continue }
      if isRepetition(call, of: last), options.autoExecute {
        run.repetitions += 1
        guard run.repetitions < 2 else {
          run.limitReached = true
          break
        }
      } else {
        run.repetitions = 0
      }
      last = call
      emit(.toolCall(call))
      accepted.append(AcceptedCall(call: call, known: failure.map { .failure($0, of: call) }))
    }
    return accepted
  }

  /// Runs calls in order, or at the same time if the options say so, and notes their results in order.
  func execute(_ accepted: [AcceptedCall], in run: inout ToolRun) async throws {
    if options.parallelToolCalls {
      let results = try await withThrowingTaskGroup(of: (Int, ToolResult).self) { group in
        for (index, item) in accepted.enumerated() {
          let known = item.known ?? (index == 0 ? known(item.call, run) : nil)
          group.addTask { (index, try await self.result(of: item.call, known: known)) }
        }
        var results: [Int: ToolResult] = [:]
        for try await (index, result) in group { results[index] = result }
        return results
      }
      for (index, item) in accepted.enumerated() {
        if let result = results[index] { note(result, of: item.call, in: &run) }
      }
    } else {
      for item in accepted {
        let result = try await result(of: item.call, known: item.known ?? known(item.call, run))
        note(result, of: item.call, in: &run)
      }
    }
  }

  /// Whether a call says what the one before it said, and needn't be run for it.
  private func isRepetition(_ call: ToolCall, of last: ToolCall?) -> Bool {
    guard let last, call.repeats(last) else { return false }
    return tools.first { $0.definition.name == call.toolName }?.definition.allowsRepeats != true
  }

  /// The result of the last call, when `call` repeats it.
  private func known(_ call: ToolCall, _ run: ToolRun) -> ToolResult? {
    guard isRepetition(call, of: run.calls.last), let result = run.results.last else { return nil }
    return ToolResult(
      success: result.success, result: result.result, error: result.error, toolName: call.toolName, callId: call.id)
  }

  private func note(_ result: ToolResult, of call: ToolCall, in run: inout ToolRun) {
    run.calls.append(call)
    run.append(result, of: call)
    emit(.toolResult(result))
  }

  /// Runs one call, unless its result is known.
  private func result(of call: ToolCall, known: ToolResult?) async throws -> ToolResult {
    if let known { return known }
    guard let tool = tools.first(where: { $0.definition.name == call.toolName }) else {
      return .failure("there is no tool \"\(call.toolName)\"", of: call)
    }
    return try await ToolExecutor(timeout: options.handlerTimeout).run(call, with: tool)
  }

  /// A request as a call, and why it can't run if it can't.
  private func read(_ request: TurnReader.Call, id: String) -> (ToolCall, failure: String?) {
    switch request {
    case .malformed(_, let reason):
      return (ToolCall(toolName: "", written: JSONObject(), schema: .null, id: id), reason)
    case .call(let name, let arguments):
      guard let tool = tools.first(where: { $0.definition.name == name }) else {
        let names = tools.map(\.definition.name).joined(separator: ", ")
        let call = ToolCall(toolName: name, written: arguments, schema: .null, id: id)
        return (call, "there is no tool \"\(name)\"; the tools are: \(names)")
      }
      let schema = tool.definition.argumentSchema.value
      let call = ToolCall(toolName: name, written: arguments, schema: schema, id: id)
      return (call, options.grammar == .off ? ArgumentCheck.fault(in: arguments, schema: schema) : nil)
    }
  }

  /// Pairs results with the calls that wait for them, by id, or by order when the results carry none.
  static func match(_ results: [ToolResult], with calls: [ToolCall]) throws(ToolLoopError) -> [(ToolCall, ToolResult)] {
    guard !calls.isEmpty else { throw .wrongResults("no tool call is waiting for a result") }
    guard results.count == calls.count else {
      throw .wrongResults("\(calls.count) calls wait for their results, but \(results.count) were given")
    }
    var pairs: [(ToolCall, ToolResult)] = []
    for (index, call) in calls.enumerated() {
      let result = results.first { $0.callId == call.id } ?? results[index]
      guard result.callId.isEmpty || result.callId == call.id else {
        throw .wrongResults("there is no result for the call \(call.id) of \"\(call.toolName)\"")
      }
      pairs.append(
        (
          call,
          ToolResult(
            success: result.success, result: result.result, error: result.error, toolName: call.toolName,
            callId: call.id)
        ))
    }
    return pairs
  }
}

/// New names for the calls of a conversation: nine alphanumerics, which every family's template accepts, different from all
/// that the conversation has.
private struct CallIdentifiers {
  private let taken: Set<String>
  private var number: Int

  init(of conversation: [LLMMessage]) {
    let calls = conversation.flatMap(\.toolCalls)
    taken = Set(calls.map(\.id))
    number = calls.count
  }

  mutating func next() -> String {
    while true {
      let digits = String(number)
      number += 1
      let id = "call" + String(repeating: "0", count: max(5 - digits.utf8.count, 0)) + digits
      if !taken.contains(id) { return id }
    }
  }
}
