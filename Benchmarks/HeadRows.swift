import GGUF
import JSON
import Tensor
import Transformer

/// The time of a token whose logits are computed for some rows of the output head only.
struct HeadRows {
  let path: String
  let threads: Int?

  func measure(into report: inout BenchReport) throws {
    let model = try Model(GGUFFile(path: path))
    let context = try InferenceContext(
      model: model, pool: WorkerPool(threads: threads ?? WorkerPool.allowedThreads), contextLength: 256)
    let size = model.configuration.vocabularySize
    let shares = [0, 64, 16, 8, 4, 2, 1]
    var times = [[Double]](repeating: [], count: shares.count + 1)
    let clock = ContinuousClock()
    for _ in 0..<12 {
      for place in times.indices {
        context.rewind(to: 0)
        try context.forward([1, 2, 3, 4], logits: .none)
        // Rows spread over the vocabulary, as those of a mask are.
        let ids = place < shares.count ? rows(share: shares[place], of: size) : []
        let request = place < shares.count ? LogitsRequest.ids(ids) : .last
        times[place].append(
          try clock.measure { for token in 5..<13 { try context.forward([token], logits: request) } }.seconds / 8)
      }
    }
    let whole = median(times[shares.count])
    for (place, share) in shares.enumerated() {
      let time = median(times[place])
      report.line(
        "head: \(rows(share: share, of: size).count) of \(size) rows: \(fixed(time * 1000, 3)) ms a token, "
          + "\(fixed(time / whole, 3)) of the whole head's")
      report["head_\(rows(share: share, of: size).count)"] = .double(time / whole)
    }
  }

  private func rows(share: Int, of size: Int) -> [Int] {
    share == 0 ? [size / 2] : Array(stride(from: 0, to: size, by: share))
  }
}
