import Foundation
import RunAnywhere
import Synchronization

/// A model whose preferences are written down: after the tokens of a prompt it wants those of the script, one after the
/// other, whatever a mask makes of it.
final class ScriptedPredictor: TokenPredictor {
  /// What a predictor was asked to do, shared by all that a script makes.
  final class Log: Sendable {
    private let runs = Mutex<[Int]>([])
    /// The sizes of the runs of tokens, in order.
    var all: [Int] { runs.withLock { $0 } }
    func append(_ count: Int) { runs.withLock { $0.append(count) } }
  }

  let contextLength: Int
  private let size: Int
  private let log: Log?
  private let pause: Double
  /// The ids that the model wants most, best first, given what it has seen and what it has produced in this turn.
  private let wants: @Sendable (_ produced: [Int], _ seen: [Int]) -> [Int]
  fileprivate var seen: [Int] = []
  private var rows: [[Float]] = []

  init(
    size: Int = 310, contextLength: Int = 4096, log: Log? = nil, pause: Double = 0,
    wants: @escaping @Sendable (_ produced: [Int], _ seen: [Int]) -> [Int]
  ) {
    self.size = size
    self.contextLength = contextLength
    self.log = log
    self.pause = pause
    self.wants = wants
  }

  var count: Int { seen.count }

  func rewind(to count: Int) { seen.removeSubrange(count...) }

  func forward(_ tokens: [Int], logits: WantedLogits, isCancelled: () -> Bool) throws {
    let start = seen
    rows = []
    let wanted =
      switch logits {
      case .none: 0
      case .tail(let count): count
      case .chosen: 1
      }
    for (index, token) in tokens.enumerated() {
      if pause > 0 { Thread.sleep(forTimeInterval: pause) }
      if isCancelled() {
        seen = start
        throw CancellationError()
      }
      seen.append(token)
      if index >= tokens.count - wanted { rows.append(preferences) }
    }
    // Logits that aren't asked for are worthless, so that a test notices when they are used.
    if case .chosen(let ids) = logits, let ids = ids() {
      rows = rows.map { row in row.indices.map { ids.contains($0) ? row[$0] : .nan } }
    }
    log?.append(tokens.count)
  }

  func logits(at index: Int) -> [Float] { rows[index] }

  private var preferences: [Float] {
    var logits = [Float](repeating: -10, count: size)
    for (rank, id) in wants(produced, seen).enumerated() where id < size { logits[id] = 10 - Float(rank) }
    return logits
  }

  /// The tokens behind the last "assistant\n" of the prompt.
  private var produced: [Int] {
    guard let start = seen.lastIndex(of: ByteCodec.start) else { return seen }
    return Array(seen[(start + 1)...].drop { $0 != 10 }.dropFirst())
  }
}

/// The tokens, as text.
extension ScriptedPredictor: SnapshotPredictor {
  var fingerprint: String { "scripted \(contextLength)" }

  func writeSnapshot(to write: (UnsafeRawBufferPointer) throws -> Void) throws {
    for token in seen { try Array("\(token) ".utf8).withUnsafeBytes(write) }
  }

  func restoreSnapshot(_ bytes: UnsafeRawBufferPointer) throws {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    let tokens = words.compactMap { Int($0) }
    guard tokens.count == words.count else { throw CocoaError(.coderInvalidValue) }
    seen = tokens
  }
}

extension Engine {
  /// An engine with a scripted model.
  static func scripted(
    contextLength: Int = 4096, log: ScriptedPredictor.Log? = nil, pause: Double = 0, size: Int = 310,
    settings: EngineSettings = EngineSettings(),
    wants: @escaping @Sendable (_ produced: [Int], _ seen: [Int]) -> [Int]
  ) -> Engine {
    Engine(name: "scripted", codec: ByteCodec(), renderer: PlainRenderer(), settings: settings) {
      ScriptedPredictor(size: size, contextLength: contextLength, log: log, pause: pause, wants: wants)
    }
  }

  /// An engine whose model says the same ids in every turn and then ends it.
  static func saying(_ ids: [Int], contextLength: Int = 4096, log: ScriptedPredictor.Log? = nil) -> Engine {
    scripted(contextLength: contextLength, log: log) { produced, _ in
      [produced.count < ids.count ? ids[produced.count] : ByteCodec.end]
    }
  }

  static func saying(_ text: String, contextLength: Int = 4096, log: ScriptedPredictor.Log? = nil) -> Engine {
    saying(ByteCodec().encode(bytes: Array(text.utf8)), contextLength: contextLength, log: log)
  }

  /// An engine whose model writes letters without end, in a context that takes minutes to fill.
  static func endless(pause: Double = 0, log: ScriptedPredictor.Log? = nil) -> Engine {
    scripted(contextLength: 1 << 18, log: log, pause: pause) { produced, _ in [97 + produced.count % 26] }
  }
}

extension Engine {
  /// An engine whose model says one text in each turn of a conversation, whatever is asked.
  static func conversing(_ texts: [String], contextLength: Int = 8192, log: ScriptedPredictor.Log? = nil) -> Engine {
    let codec = ByteCodec()
    let marker = codec.encode(bytes: Array("assistant\n".utf8))
    let turns = texts.map { Array($0.utf8) }
    return scripted(contextLength: contextLength, log: log) { produced, seen in
      let turn = seen.indices.count { seen[$0] == ByteCodec.start && seen[($0 + 1)...].starts(with: marker) } - 1
      // By bytes, since forced text may be cut into other tokens than the script.
      let text = turns.isEmpty ? [] : turns[min(max(turn, 0), turns.count - 1)]
      let done = produced.reduce(0) { $0 + codec.bytes(of: $1).count }
      let rest = Array(text.dropFirst(done))
      guard let first = rest.first else { return [ByteCodec.end] }
      // The other cut is much less likely, so that the model is sure of what it says.
      return codec.encode(bytes: rest).prefix(1) + Array(repeating: Int.max, count: 6) + [Int(first)]
    }
  }
}
