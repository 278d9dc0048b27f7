import JSON

/// The loop of a generation with tools: the model's turn, its calls, their results, the model's next turn, until there is
/// an answer.
///
/// Tools stay in the prompt in every round. A call that repeats the one before it is answered from its result; the second
/// repetition, or reaching the limit, ends calling, and a last turn without calls gives the answer.
package struct ToolLoop: Sendable {
  package let generator: any Generator
  package let tools: [RegisteredTool]
  package let options: ToolCallingOptions
  let emit: @Sendable (ToolCallingEvent) -> Void

  package init(
    generator: any Generator, tools: [RegisteredTool], options: ToolCallingOptions,
    emit: @escaping @Sendable (ToolCallingEvent) -> Void = { _ in }
  ) {
    self.generator = generator
    self.tools = tools
    self.options = options
    self.emit = emit
  }

  /// Answers `prompt`.
  ///
  /// - Throws: ``ToolLoopError`` before anything is generated, `CancellationError`, and what the generator throws.
  package func run(_ prompt: String) async throws -> ToolCallingResult {
    guard prompt.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw ToolLoopError.emptyPrompt
    }
    try check()
    var run = ToolRun(conversation: options.history + [.user(prompt)], resultLimit: options.resultLimit)
    return try await go(&run, choice: options.toolChoice)
  }

  /// Goes on after the program has run the calls that `previous` waits for.
  ///
  /// - Throws: as ``run(_:)``, and ``ToolLoopError/wrongResults(_:)``.
  package func resume(_ previous: ToolCallingResult, results: [ToolResult]) async throws -> ToolCallingResult {
    try check()
    var run = ToolRun(conversation: previous.transcript, resultLimit: options.resultLimit)
    run.calls = previous.toolCalls
    run.results = previous.toolResults
    for (call, result) in try ToolLoop.match(results, with: previous.pendingCalls) {
      run.append(result, of: call)
      emit(.toolResult(result))
    }
    return try await go(&run, choice: .auto)
  }

  /// Checks everything that can be known before the first token.
  package func check() throws(ToolLoopError) {
    guard options.maxToolCalls >= 0 else { throw .negativeCallLimit(options.maxToolCalls) }
    guard options.maxTokens > 0 else { throw .noTokens(options.maxTokens) }
    let issues = tools.flatMap(\.issues) + ToolDefinition.sharedNames(of: tools.map(\.definition))
    guard issues.isEmpty else { throw .invalidTools(issues) }
    switch options.toolChoice {
    case .required where tools.isEmpty: throw .noToolToRequire
    case .tool(let name) where !tools.contains(where: { $0.definition.name == name }):
      throw .unknownTool(name, known: tools.map(\.definition.name))
    default: break
    }
  }

  // MARK: Rounds

  private var offersTools: Bool {
    !tools.isEmpty && options.maxToolCalls > 0 && options.toolChoice != .none
  }

  private func go(_ run: inout ToolRun, choice: ToolChoice) async throws -> ToolCallingResult {
    var choice = choice
    if run.calls.count >= options.maxToolCalls, options.maxToolCalls > 0 { run.limitReached = true }
    while true {
      try Task.checkCancellation()
      guard options.maxTokens > run.usage.generatedTokens else { return run.finish(.length, text: run.text) }
      let mayCall = offersTools && !run.limitReached
      let reader = try await turn(&run, choice: choice, mayCall: mayCall)
      let requested = mayCall ? reader.calls : []
      if asksForAnswers, requested.isEmpty, reader.text.isEmpty, run.conversation.last?.role == .tool, !run.wasSilent {
        run.wasSilent = true
        continue
      }
      if requested.isEmpty || run.limitReached {
        return run.finish(run.lastReason == .length || reader.isUnfinished ? .length : .stop, text: reader.text)
      }
      let calls = accept(requested, in: &run)
      run.text = reader.text
      // Nothing but repetitions: the turn is dropped from the conversation, and the next one answers.
      if calls.isEmpty { continue }
      run.conversation.append(
        LLMMessage(role: .assistant, content: reader.text, toolCalls: calls.map(\.call)))
      if !options.autoExecute {
        run.pending = calls.map(\.call)
        run.calls += run.pending
        return run.finish(.toolCalls, text: reader.text)
      }
      try await execute(calls, in: &run)
      if run.calls.count >= options.maxToolCalls { run.limitReached = true }
      if run.lastReason == .length { return run.finish(.length, text: reader.text) }
      choice = .auto
    }
  }

  /// Generates one turn. A prompt that does not fit because of tool results is tried again with shorter ones.
  private func turn(_ run: inout ToolRun, choice: ToolChoice, mayCall: Bool) async throws -> TurnReader {
    var limit = max(options.resultLimit, 0)
    while true {
      let request = request(run, choice: choice, mayCall: mayCall, resultLimit: limit)
      let reader = TurnReader(
        AnswerParser(
          format: format, toolNames: tools.map(\.definition.name), acceptsUnknownNames: options.grammar == .off,
          allowsCalls: mayCall), emit: emit)
      do {
        let turn = try await generator.generate(request) { reader.feed($0) }
        reader.finish(mustCall: turn.isHeldToCalls)
        run.add(turn)
        return reader
      } catch let overflow as ContextOverflow {
        guard limit > ToolLoop.shortestResult, !run.toolTurns.isEmpty else { throw overflow }
        limit = max(limit / 2, ToolLoop.shortestResult)
      }
    }
  }

  private static let shortestResult = 128

  private var format: any CallFormat { (options.callFormat ?? generator.callFormat).rules }

  /// Whether a request for an answer may be put behind results as a turn of its own.
  private var asksForAnswers: Bool {
    !options.asksBehindEveryResult(format.kind, own: generator.callFormat) && !options.answerRequest.isEmpty
  }

  private func request(_ run: ToolRun, choice: ToolChoice, mayCall: Bool, resultLimit: Int) -> TurnRequest {
    let messages = messages(run, mayCall: mayCall, resultLimit: resultLimit)
    // A model that is still tempted to call when it has results is better asked for the answer.
    let asksIfTempted = asksForAnswers && mayCall && messages.last?.role == .tool
    let constraint = wholeConstraint(
      choice, mayCall: mayCall, left: options.maxToolCalls - run.calls.count,
      isBehindResults: run.conversation.last?.role == .tool)
    let check = constraint?.opening.flatMap { _ in
      CallCheck(messages, question: options.callCheck, evidence: options.callEvidence)
    }
    return TurnRequest(
      messages: messages,
      messagesForAnswer: asksIfTempted ? messages + [.user(options.answerRequest)] : nil,
      messagesWithoutTools: check.map { _ in
        ToolMention(introduction: options.toolMention, tools: tools.map(\.definition)).added(to: messages)
      },
      check: check,
      tools: offersTools ? tools.map(\.definition.openAIForm) : [],
      wording: options.wording(for: format.kind, own: generator.callFormat),
      constraint: constraint,
      sampling: SamplingSettings(
        temperature: options.temperature, topP: options.topP, topK: options.topK, minP: options.minP,
        seed: options.seed),
      maxTokens: options.maxTokens - run.usage.generatedTokens, stop: options.stop)
  }

  private func wholeConstraint(
    _ choice: ToolChoice, mayCall: Bool, left: Int, isBehindResults: Bool
  ) -> OutputConstraint? {
    let constraint = constraint(choice, mayCall: mayCall, left: left, isBehindResults: isBehindResults)
    return options.valueSelection == .tokenByToken ? constraint : constraint?.choosingValues()
  }

  private func constraint(
    _ choice: ToolChoice, mayCall: Bool, left: Int, isBehindResults: Bool
  ) -> OutputConstraint? {
    guard offersTools, options.grammar == .strict else { return nil }
    let callable = tools.map { CallableTool($0.definition) }
    guard mayCall else { return .answer(callable, format: format) }
    let selection = options.toolSelection ?? format.defaultSelection
    switch choice {
    case .auto, .none:
      guard let share = options.callShare else {
        return .answerOrCalls(callable, format: format, maximum: left, selection: selection)
      }
      // A model that has results may well be done: then it calls only if that is likelier than an answer.
      return .weighed(
        callable, format: format, maximum: left, selection: selection, share: isBehindResults ? max(share, 0.5) : share,
        isBehindResults: isBehindResults)
    case .required: return .calls(callable, format: format, maximum: left, selection: selection)
    case .tool(let name): return .calls(callable.filter { $0.name == name }, format: format, maximum: left)
    }
  }

  /// The conversation with the system text in front, results clipped, and the request for an answer behind the last
  /// result when calling has ended, the model repeats itself, or it said nothing.
  private func messages(_ run: ToolRun, mayCall: Bool, resultLimit: Int) -> [LLMMessage] {
    var messages = run.conversation
    for (index, result) in run.toolTurns {
      messages[index].content = ResultText.text(of: result, limit: resultLimit)
    }
    if !mayCall || run.repetitions > 0 || run.wasSilent, messages.last?.role == .tool, asksForAnswers {
      messages.append(.user(options.answerRequest))
    }
    guard let prompt = options.systemPrompt, !prompt.isEmpty else { return messages }
    if messages.first?.role == .system { messages.removeFirst() }
    return [.system(prompt)] + messages
  }
}
