/// What a ``ToolLoop`` has done so far.
struct ToolRun: Sendable {
  var conversation: [LLMMessage]
  var calls: [ToolCall] = []
  var results: [ToolResult] = []
  var pending: [ToolCall] = []
  var limitReached = false
  /// How often the last call has been repeated.
  var repetitions = 0
  /// Whether a turn behind results was empty; the answer is asked for once.
  var wasSilent = false
  var usage = TokenUsage()
  var lastReason = FinishReason.stop
  /// The text of the last turn that had calls.
  var text = ""
  /// Results by their turn in the conversation.
  var toolTurns: [Int: ToolResult] = [:]
  private var weighing: CallWeighing?
  private var timeToFirstToken = 0.0
  private var prefill = 0.0
  private var decode = 0.0
  private var turns = 0

  private let resultLimit: Int

  init(conversation: [LLMMessage], resultLimit: Int) {
    self.conversation = conversation
    self.resultLimit = resultLimit
  }

  mutating func add(_ turn: GeneratedTurn) {
    usage += turn.usage
    if turns == 0 {
      timeToFirstToken = turn.timings.timeToFirstToken
      weighing = turn.weighing
    }
    prefill += turn.timings.prefill
    decode += turn.timings.decode
    turns += 1
    lastReason = turn.reason
  }

  /// Notes the result of a call that is in the conversation.
  mutating func append(_ result: ToolResult, of call: ToolCall) {
    results.append(result)
    toolTurns[conversation.count] = result
    conversation.append(
      LLMMessage(
        role: .tool, content: ResultText.text(of: result, limit: resultLimit), toolCallId: call.id,
        toolName: call.toolName))
  }

  /// The result of the generation; `text` becomes the last turn unless calls are pending.
  mutating func finish(_ reason: FinishReason, text: String) -> ToolCallingResult {
    if conversation.last?.role != .assistant, !text.isEmpty { conversation.append(.assistant(text)) }
    return ToolCallingResult(
      text: text, toolCalls: calls, toolResults: results, finishReason: reason, limitReached: limitReached,
      usage: usage,
      timings: GenerationTimings(
        timeToFirstToken: timeToFirstToken, prefill: prefill, decode: decode, usage: usage),
      transcript: conversation, pendingCalls: pending, weighing: weighing)
  }
}
