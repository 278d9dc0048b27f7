import Foundation
import GGUF
import Grammar
import Tokenizer

/// A model's vocabulary as the grammar sees it, with the tokenizer that tells canonical tokens.
struct SchemasVocabulary: Sendable {
  let tokenizer: Tokenizer
  let vocabulary: Vocabulary
  let endToken: Int

  init(path: String) throws {
    tokenizer = try Tokenizer(GGUFFile(path: path))
    let tokenizer = self.tokenizer
    let tokens = (0..<tokenizer.vocabularySize).map { id -> [UInt8]? in
      let bytes = tokenizer.bytes(of: id)
      return bytes.isEmpty ? nil : bytes
    }
    let ends = tokenizer.endOfTurn.union([tokenizer.eos].compactMap(\.self)).sorted()
    endToken = ends.first ?? 0
    vocabulary = Vocabulary(tokens: tokens, controls: tokenizer.controlTokens, endTokens: ends)
  }

  /// The tokens of `text`, control tokens off.
  func encode(_ text: String) -> [Int] { tokenizer.encode(text) }
}

/// Processor time of this thread in microseconds.
func threadMicroseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// The value below which the share `part` of `values` lies; 0 when there is none.
func quantile(_ values: [Double], _ part: Double) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
}
