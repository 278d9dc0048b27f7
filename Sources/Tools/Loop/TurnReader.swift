import JSON
import Synchronization

/// Reads one turn as it grows: tells events as they happen and keeps text and calls.
///
/// Blanks at the ends of the text are never told. The generator calls ``feed(_:)`` from its own thread; a mutex protects
/// the parser, and no event is sent while it is held.
final class TurnReader: Sendable {
  /// A complete call, or what was marked as one.
  enum Call {
    case call(name: String, arguments: JSONObject)
    case malformed(String, reason: String)
  }

  private struct State {
    var parser: AnswerParser
    var text = ""
    var blanks = ""
    var calls: [Call] = []
    var isUnfinished = false
  }

  private let state: Mutex<State>
  private let emit: @Sendable (ToolCallingEvent) -> Void

  init(_ parser: AnswerParser, emit: @escaping @Sendable (ToolCallingEvent) -> Void) {
    state = Mutex(State(parser: parser))
    self.emit = emit
  }

  func feed(_ delta: String) {
    let events = state.withLock { state in
      TurnReader.events(for: state.parser.feed(delta), in: &state)
    }
    for event in events { emit(event) }
  }

  /// - Parameter mustCall: whether the turn could only be calls.
  func finish(mustCall: Bool) {
    let events = state.withLock { state in
      TurnReader.events(for: state.parser.finish(mustCall: mustCall), in: &state)
    }
    for event in events { emit(event) }
  }

  var text: String { state.withLock { $0.text } }
  var calls: [Call] { state.withLock { $0.calls } }
  /// Whether the turn ended inside a call.
  var isUnfinished: Bool { state.withLock { $0.isUnfinished } }

  private static func events(for pieces: [AnswerPiece], in state: inout State) -> [ToolCallingEvent] {
    var events: [ToolCallingEvent] = []
    for piece in pieces {
      switch piece {
      case .text(let delta):
        if let text = told(delta, &state) { events.append(.text(text)) }
      case .callStarted(let name): events.append(.toolCallStarted(name))
      case .arguments(let delta): events.append(.toolCallArguments(delta))
      case .call(let name, let arguments): state.calls.append(.call(name: name, arguments: arguments))
      case .malformedCall(let text, let reason): state.calls.append(.malformed(text, reason: reason))
      case .unfinishedCall: state.isUnfinished = true
      }
    }
    return events
  }

  /// Adds to the text; what of it can be told: without blanks at the start, and blanks at the end only when more comes.
  private static func told(_ delta: String, _ state: inout State) -> String? {
    let scalars = (state.blanks + delta).unicodeScalars
    let start = state.text.isEmpty ? scalars.firstIndex { !$0.properties.isWhitespace } : scalars.startIndex
    guard let start, let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }), start <= last else {
      state.blanks = state.text.isEmpty ? "" : String(scalars)
      return nil
    }
    let end = scalars.index(after: last)
    state.blanks = String(scalars[end...])
    let text = String(scalars[start..<end])
    state.text += text
    return text
  }
}
