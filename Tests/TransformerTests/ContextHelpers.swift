import GGUF
import Tensor
import TestSupport
import Testing

@testable import Transformer

/// `count` repeatable token ids.
func tokens(_ count: Int, below limit: Int = 250, seed: UInt64 = 3) -> [Int] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { _ in Int.random(in: 0..<limit, using: &generator) }
}

extension InferenceContext {
  /// Runs `tokens` and copies the logits of those positions that were asked for.
  func run(_ tokens: [Int], logits request: LogitsRequest = .all) throws -> [[Float]] {
    try forward(tokens, logits: request)
    return (0..<logitsCount).map { Array(logits(at: $0)) }
  }
}

/// A context of a model with few positions and its own threads.
func context(
  _ model: Model, threads: Int = 2, length: Int? = nil, precision: Precision = .exact, chunk: Int = 32,
  kernels: ForwardKernels = .best
) throws -> InferenceContext {
  try InferenceContext(
    model: model, pool: WorkerPool(threads: threads), contextLength: length, precision: precision, chunkLength: chunk,
    kernels: kernels)
}

/// The greatest distance between two lists of logits; infinite when one has a number that the other can't be compared to.
func distance(_ left: [[Float]], _ right: [[Double]]) -> Double {
  guard left.count == right.count else { return .infinity }
  var worst = 0.0
  for (a, b) in zip(left, right) {
    guard a.count == b.count else { return .infinity }
    for (x, y) in zip(a, b) {
      let delta = abs(Double(x) - y)
      worst = delta.isNaN ? .infinity : max(worst, delta)
    }
  }
  return worst
}

func distance(_ left: [[Float]], _ right: [[Float]]) -> Double {
  distance(left, right.map { $0.map(Double.init) })
}
