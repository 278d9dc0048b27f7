import Arguments
import Foundation
import RunAnywhere
import Synchronization

/// Asks the person at the terminal whether a call may run. Questions come one after the other.
final class Approval: Sendable {
  /// What a person may say.
  enum Answer: Equatable {
    case yes
    case no
    /// Yes, and to every later call of this tool.
    case always

    /// The answer that a line means; `nil` for one that means nothing.
    init?(_ line: String) {
      switch line.trimmingCharacters(in: .whitespaces).lowercased() {
      case "y", "yes": self = .yes
      case "n", "no", "": self = .no
      case "a", "always": self = .always
      default: return nil
      }
    }
  }

  private let descriptor: Int32
  private let allowed = Mutex<Set<String>>([])
  private let turn = NSLock()

  /// - Throws: `UsageError` when there is no terminal to ask on.
  init() throws(UsageError) {
    // The terminal itself, so that standard input and output stay what they are.
    descriptor = open("/dev/tty", O_RDWR)
    guard descriptor >= 0 else { throw UsageError("--ask needs a terminal") }
  }

  deinit { close(descriptor) }

  /// Whether `call` may run.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while the question stands.
  func allows(_ call: ToolCall) async throws -> Bool {
    let isOver = Flag()
    let answer = await withTaskCancellationHandler {
      // Waiting for a person blocks a thread, so it is one of its own and none of the pool's.
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [self] in
          continuation.resume(returning: turn.withLock { ask(call) { isOver.isSet } })
        }
      }
    } onCancel: {
      isOver.set()
    }
    guard let answer else { throw CancellationError() }
    return answer != .no
  }

  /// The answer to one question; `nil` when it is over before there is one.
  private func ask(_ call: ToolCall, isOver: () -> Bool) -> Answer? {
    if allowed.withLock({ $0.contains(call.toolName) }) { return .always }
    while true {
      say("run \(Quantity.printable("\(call)"))? [y]es, [n]o, [a]lways: ")
      guard let line = line(isOver: isOver) else { return nil }
      guard let answer = Answer(line) else { continue }
      if answer == .always { allowed.withLock { _ = $0.insert(call.toolName) } }
      return answer
    }
  }

  private func say(_ text: String) {
    _ = text.utf8CString.withUnsafeBytes { write(descriptor, $0.baseAddress, text.utf8.count) }
  }

  /// A line from the terminal. The end of input means no; `nil` when it is over before.
  private func line(isOver: () -> Bool) -> String? {
    var bytes: [UInt8] = []
    while true {
      guard !isOver() else { return nil }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 100) > 0 else { continue }
      var byte: UInt8 = 0
      guard read(descriptor, &byte, 1) == 1 else { return "no" }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      if bytes.count < 4096 { bytes.append(byte) }
    }
  }
}

/// Whether something has happened, seen by several threads.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
