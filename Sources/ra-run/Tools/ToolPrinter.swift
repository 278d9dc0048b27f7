import Arguments
import RunAnywhere
import Synchronization

/// Prints an answer as it comes, and tells on standard error what the model calls and what comes back.
final class ToolPrinter: Sendable {
  private struct State {
    var endsLine = true
    var isReaderGone = false
  }
  private let state = Mutex(State())
  private let printer = AnswerPrinter()
  private let showsText: Bool
  private let onReaderGone: @Sendable () -> Void

  /// - Parameters:
  ///   - showsText: whether the answer is printed piece by piece; otherwise only calls and results are told.
  ///   - onReaderGone: called when nobody reads the answer any more.
  init(showsText: Bool, onReaderGone: @escaping @Sendable () -> Void = {}) {
    self.showsText = showsText
    self.onReaderGone = onReaderGone
  }

  func show(_ event: ToolCallingEvent) {
    switch event {
    case .text(let piece) where showsText: print(piece)
    case .toolCall(let call): tell("→ \(call)")
    case .toolResult(let result): tell("← " + Self.text(result))
    default: break
    }
  }

  /// Ends the last line of the answer.
  ///
  /// - Throws: ``ReaderGone`` when nobody read it.
  func finish() throws(ReaderGone) {
    let (endsLine, isReaderGone) = state.withLock { state in
      defer { state.endsLine = true }
      return (state.endsLine, state.isReaderGone)
    }
    if isReaderGone { throw ReaderGone() }
    if !endsLine { try Console.print("") }
  }

  private func print(_ piece: String) {
    let isGone = state.withLock { state -> Bool in
      guard !state.isReaderGone, !piece.isEmpty else { return false }
      do throws(ReaderGone) {
        try printer.print(piece)
        state.endsLine = piece.hasSuffix("\n")
        return false
      } catch {
        state.isReaderGone = true
        return true
      }
    }
    if isGone { onReaderGone() }
  }

  private func tell(_ line: String) {
    state.withLock { state in
      if !state.endsLine { Console.output.write("\n") }
      state.endsLine = true
    }
    Console.error.line(Style(.error).dim(Quantity.printable(line)))
  }

  /// A result as JSON text, or why there is none.
  static func text(_ result: ToolResult) -> String {
    result.result.map { ToolValue.object($0).jsonText } ?? "failed: " + (result.error ?? "no reason given")
  }
}
