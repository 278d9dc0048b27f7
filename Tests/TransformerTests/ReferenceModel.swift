import Foundation
import GGUF
import Tensor

/// A forward pass in double precision, written from the papers and without any of the engine's code but the decoding of
/// weights: whole sequences, no cache, one plain loop after the other.
struct ReferenceModel {
  let weights: [String: [Double]]
  let isQwen: Bool
  let width, blocks, heads, keyHeads, headWidth, inner, vocabulary: Int
  let epsilon, base: Double

  init(_ file: GGUFFile) throws {
    var weights: [String: [Double]] = [:]
    for info in file.tensors { weights[info.name] = file.tensor(info.name)?.decoded().map(Double.init) }
    self.weights = weights
    let name = try file.metadata.string("general.architecture") ?? ""
    func integer(_ key: String) throws -> Int? { try file.metadata.integer("\(name).\(key)") }
    isQwen = name == "qwen2"
    width = try integer("embedding_length") ?? 0
    blocks = try integer("block_count") ?? 0
    heads = try integer("attention.head_count") ?? 0
    keyHeads = try integer("attention.head_count_kv") ?? heads
    headWidth = try integer("attention.key_length") ?? width / heads
    inner = try integer("feed_forward_length") ?? 0
    vocabulary = (weights["token_embd.weight"]?.count ?? 0) / width
    epsilon = try file.metadata.float("\(name).attention.layer_norm_rms_epsilon") ?? 0
    base = try file.metadata.float("\(name).rope.freq_base") ?? 10_000
  }

  /// Logits of every position of `tokens`.
  func logits(_ tokens: [Int]) -> [[Double]] {
    let embedding = weights["token_embd.weight"] ?? []
    var stream = tokens.map { Array(embedding[$0 * width..<($0 + 1) * width]) }
    for block in 0..<blocks {
      let attended = attention(stream.map { norm($0, "blk.\(block).attn_norm") }, block)
      for t in stream.indices { stream[t] = sum(stream[t], attended[t]) }
      for t in stream.indices {
        let x = norm(stream[t], "blk.\(block).ffn_norm")
        let gate = linear(x, "blk.\(block).ffn_gate")
        let up = linear(x, "blk.\(block).ffn_up")
        let hidden = zip(gate, up).map { $0 / (1 + exp(-$0)) * $1 }
        stream[t] = sum(stream[t], linear(hidden, "blk.\(block).ffn_down"))
      }
    }
    let head = weights["output.weight"] == nil ? "token_embd" : "output"
    return stream.map { linear(norm($0, "output_norm"), head) }
  }

  private func attention(_ inputs: [[Double]], _ block: Int) -> [[Double]] {
    let prefix = "blk.\(block).attn_"
    let queries = inputs.enumerated().map { rotate(linear($1, prefix + "q"), position: $0) }
    let keys = inputs.enumerated().map { rotate(linear($1, prefix + "k"), position: $0) }
    let values = inputs.map { linear($0, prefix + "v") }
    return inputs.indices.map { t in
      var joined: [Double] = []
      for head in 0..<heads {
        let own = head * headWidth
        let shared = head / (heads / keyHeads) * headWidth
        let scores = (0...t).map { s in
          (0..<headWidth).reduce(0) { $0 + queries[t][own + $1] * keys[s][shared + $1] }
            / Double(headWidth).squareRoot()
        }
        let greatest = scores.max() ?? 0
        let shares = scores.map { exp($0 - greatest) }
        let total = shares.reduce(0, +)
        for d in 0..<headWidth {
          joined.append((0...t).reduce(0) { $0 + shares[$1] / total * values[$1][shared + d] })
        }
      }
      return linear(joined, prefix + "output")
    }
  }

  private func rotate(_ x: [Double], position: Int) -> [Double] {
    var out = x
    let half = headWidth / 2
    for start in stride(from: 0, to: x.count, by: headWidth) {
      for i in 0..<half {
        var frequency = pow(base, -2 * Double(i) / Double(headWidth))
        if let factors = weights["rope_freqs.weight"] { frequency /= factors[i] }
        let angle = Double(position) * frequency
        let (a, b) = isQwen ? (start + i, start + i + half) : (start + 2 * i, start + 2 * i + 1)
        out[a] = x[a] * cos(angle) - x[b] * sin(angle)
        out[b] = x[a] * sin(angle) + x[b] * cos(angle)
      }
    }
    return out
  }

  private func norm(_ x: [Double], _ name: String) -> [Double] {
    let scale = 1 / (x.reduce(0) { $0 + $1 * $1 } / Double(x.count) + epsilon).squareRoot()
    return zip(x, weights["\(name).weight"] ?? []).map { $0 * scale * $1 }
  }

  private func linear(_ x: [Double], _ name: String) -> [Double] {
    let matrix = weights["\(name).weight"] ?? []
    let bias = weights["\(name).bias"]
    return (0..<matrix.count / x.count).map { row in
      var total = bias?[row] ?? 0
      for i in x.indices { total += matrix[row * x.count + i] * x[i] }
      return total
    }
  }

  private func sum(_ a: [Double], _ b: [Double]) -> [Double] { zip(a, b).map(+) }
}
