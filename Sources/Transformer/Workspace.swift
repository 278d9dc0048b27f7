import Tensor

/// The activations of one chunk of tokens, in memory that is kept from chunk to chunk.
///
/// Invariant: after ``reserve(tokens:)`` each pointer has room for `tokens` rows of the width its name says.
final class Workspace {
  private let configuration: ModelConfiguration
  private let memory = FloatBuffer()
  private(set) var tokens = 0
  /// The residual stream, tokens x embedding length.
  private(set) var residual: UnsafeMutablePointer<Float>
  /// What a sublayer reads: the normalised residual, tokens x embedding length.
  private(set) var normalized: UnsafeMutablePointer<Float>
  /// What a sublayer adds to the residual, tokens x embedding length.
  private(set) var delta: UnsafeMutablePointer<Float>
  private(set) var queries: UnsafeMutablePointer<Float>
  private(set) var keys: UnsafeMutablePointer<Float>
  private(set) var values: UnsafeMutablePointer<Float>
  /// Attention's result, tokens x heads x value length.
  private(set) var attended: UnsafeMutablePointer<Float>
  private(set) var gate: UnsafeMutablePointer<Float>
  private(set) var up: UnsafeMutablePointer<Float>

  init(_ configuration: ModelConfiguration) {
    self.configuration = configuration
    residual = memory.pointer
    normalized = memory.pointer
    delta = memory.pointer
    queries = memory.pointer
    keys = memory.pointer
    values = memory.pointer
    attended = memory.pointer
    gate = memory.pointer
    up = memory.pointer
  }

  /// Makes room for `tokens` tokens; what was there is lost when that takes more memory than before.
  func reserve(tokens: Int) {
    guard tokens > self.tokens else { return }
    self.tokens = tokens
    let c = configuration
    // Attention's buffers and the feed-forward ones are never in use together.
    let attentionWidths = [c.queryWidth, c.keyWidth, c.valueWidth, c.attentionWidth]
    let shared = max(
      attentionWidths.reduce(0) { $0 + Self.padded($1 * tokens) }, 2 * Self.padded(c.feedForwardLength * tokens))
    let common = Self.padded(c.embeddingLength * tokens)
    var next = memory.reserve(3 * common + shared)
    func take(_ count: Int) -> UnsafeMutablePointer<Float> {
      defer { next += Self.padded(count) }
      return next
    }
    residual = take(common)
    normalized = take(common)
    delta = take(common)
    let start = next
    queries = take(c.queryWidth * tokens)
    keys = take(c.keyWidth * tokens)
    values = take(c.valueWidth * tokens)
    attended = take(c.attentionWidth * tokens)
    next = start
    gate = take(c.feedForwardLength * tokens)
    up = take(c.feedForwardLength * tokens)
  }

  /// Whole cache lines.
  private static func padded(_ count: Int) -> Int { (count + 15) & ~15 }
}
