import Synchronization
import Tools

/// A model whose turns are written down beforehand, cut into chunks of a few characters.
final class ScriptedGenerator: Generator {
  /// One turn of the script.
  struct Turn: Sendable {
    var text: String
    var reason = FinishReason.stop
    var tokens = 10
    var error: (any Error)?

    init(_ text: String, reason: FinishReason = .stop, tokens: Int = 10, error: (any Error)? = nil) {
      self.text = text
      self.reason = reason
      self.tokens = tokens
      self.error = error
    }
  }

  let callFormat: ToolCallFormat
  private let chunk: Int
  private let state: Mutex<(turns: [Turn], last: Turn, requests: [TurnRequest])>

  /// After the last turn of the script it is repeated.
  init(_ turns: [Turn], format: ToolCallFormat = .hermes, chunk: Int = 3) {
    callFormat = format
    self.chunk = chunk
    state = Mutex((turns, turns.last ?? Turn(""), []))
  }

  convenience init(_ texts: String..., format: ToolCallFormat = .hermes) {
    self.init(texts.map { Turn($0) }, format: format)
  }

  /// What was asked for so far.
  var requests: [TurnRequest] { state.withLock { $0.requests } }

  func generate(
    _ request: TurnRequest, onText: @escaping @Sendable (String) -> Void
  ) async throws -> GeneratedTurn {
    try Task.checkCancellation()
    let turn = state.withLock { state in
      state.requests.append(request)
      return state.turns.isEmpty ? state.last : state.turns.removeFirst()
    }
    if let error = turn.error { throw error }
    var rest = Array(turn.text.unicodeScalars)
    while !rest.isEmpty {
      var text = ""
      text.unicodeScalars.append(contentsOf: rest.prefix(chunk))
      rest.removeFirst(min(chunk, rest.count))
      onText(text)
    }
    return GeneratedTurn(
      reason: turn.reason, usage: TokenUsage(promptTokens: 5, generatedTokens: turn.tokens),
      timings: GenerationTimings())
  }
}

/// Hermes' spelling of a call.
func hermes(_ name: String, _ arguments: String = "{}") -> String {
  "<tool_call>\n{\"name\": \"\(name)\", \"arguments\": \(arguments)}\n</tool_call>"
}

/// Counts, safely from anywhere.
final class Counter: Sendable {
  private let count = Mutex(0)
  func increment() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}

/// Keeps values, safely from anywhere.
final class Recorder<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  func append(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
}
