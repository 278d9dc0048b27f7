import Foundation
import GGUF
import Tensor
import TestSupport
import Testing

@testable import Transformer

#if !DEBUG
  /// Prompts run in chunks, not token by token: the one claim about speed that a test can make on any machine.
  @Suite("Prompts against single tokens", .serialized)
  struct PromptRateTests {
    /// Seconds for which this thread, which does all the work, has been running: others may be running too.
    private static var workSeconds: Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test(
      "a prompt of 512 is at least three times as fast a token as decoding, and twice it is no more than 2.5 times (case 54)",
      arguments: [ElementType.q8_0, .q4_K])
    func rates(type: ElementType) throws {
      var tiny = TinyModel.wide(.llama, type)
      tiny.width = 768
      tiny.headWidth = 64
      tiny.heads = 12
      tiny.keyValueHeads = 4
      tiny.feedForward = 2048
      tiny.blockCount = 4
      tiny.contextLength = 2048
      let model = try Model(tiny.file())
      let context = try InferenceContext(model: model, pool: WorkerPool(threads: 1))
      func tokens(_ count: Int) -> [Int] { (0..<count).map { ($0 * 7 + 3) % tiny.vocabulary.tokens.count } }
      /// The fastest of some runs, which is the one that was disturbed least.
      func seconds(_ runs: Int, _ body: () throws -> Void) throws -> Double {
        var best = Double.infinity
        for _ in 0..<runs {
          context.rewind(to: 0)
          let start = Self.workSeconds
          try body()
          best = min(best, Self.workSeconds - start)
        }
        return best
      }
      let short = try seconds(4) { try context.forward(tokens(512)) }
      let long = try seconds(3) { try context.forward(tokens(1024)) }
      let decode = try seconds(4) { for token in tokens(64) { try context.forward([token]) } } / 64
      #expect(short / 512 * 3 <= decode, "\(512 / short) tokens/s of a prompt, \(1 / decode) of single ones")
      #expect(long < short * 2.5 + 0.01, "512 tokens \(short) s, 1024 \(long) s")
      // Logits are there for the last position only.
      #expect(context.logitsCount == 1)
    }
  }
#endif
