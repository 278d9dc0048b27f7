import GGUF
import TestSupport
import Testing

@testable import Tokenizer

@Suite("Tokenizer loading")
struct TokenizerLoadingTests {
  @Test("what isn't supported or missing is refused by its key")
  func refused() {
    func message(_ change: (inout TestVocabulary) -> Void) -> String {
      var vocabulary = TestVocabulary()
      change(&vocabulary)
      do { return "accepted: \(try vocabulary.tokenizer().vocabularySize)" } catch { return "\(error)" }
    }
    #expect(message { $0.model = "llama" }.contains("tokenizer.ggml.model"))
    #expect(message { $0.model = nil }.contains("tokenizer.ggml.model"))
    #expect(message { $0.pre = "deepseek-v3" }.contains("\"tokenizer.ggml.pre\": \"deepseek-v3\" is not supported"))
    #expect(message { $0.absent = ["tokens"] }.contains("tokenizer.ggml.tokens"))
    #expect(message { $0.absent = ["merges"] }.contains("tokenizer.ggml.merges"))
    #expect(message { ($0.tokens, $0.types) = ([], []) }.contains("vocabulary is empty"))
    #expect(message { $0.types.removeLast() }.contains("tokenizer.ggml.token_type"))
    #expect(message { $0.types[3] = 9 }.contains("token 3 has the type 9"))
    for line in ["", " ", "a", "ab", " b", "a ", "  "] {
      #expect(message { $0.merges[1] = line }.contains("tokenizer.ggml.merges"), "'\(line)'")
    }
    #expect(message { $0.extra["eos_token_id"] = .string("2") }.contains("tokenizer.ggml.eos_token_id"))
  }

  @Test("what is odd but usable is a warning that names the key")
  func warnings() throws {
    func warnings(_ change: (inout TestVocabulary) -> Void) throws -> [String] {
      var vocabulary = TestVocabulary()
      change(&vocabulary)
      return try vocabulary.tokenizer().warnings
    }
    #expect(try warnings { _ in }.isEmpty)
    #expect(try warnings { $0.pre = nil }.first?.contains("tokenizer.ggml.pre") == true)
    #expect(try warnings { $0.extra["eos_token_id"] = .uint32(99_999) }.first?.contains("eos_token_id") == true)
    #expect(try warnings { $0.merges.append("x yz") }.first?.contains("1 merges") == true)
    #expect(try warnings { $0.absent = ["token_type"] }.first?.contains("token_type") == true)
    #expect(try warnings { $0.tokens[0] = "zzz" }.first?.contains("1 of 256 bytes") == true)
  }

  @Test("a byte without a token is left out and nothing merges across it")
  func missingByte() throws {
    var vocabulary = TestVocabulary()
    vocabulary.tokens[Int(UInt8(ascii: "x"))] = "zzz"
    let tokenizer = try vocabulary.tokenizer()
    #expect(!tokenizer.canEncode(UInt8(ascii: "x")) && tokenizer.canEncode(UInt8(ascii: "y")))
    #expect(tokenizer.encode("hexllo") == ["he", "ll", "o"].map(vocabulary.id))
    let long = String(repeating: "hxe", count: 40)
    #expect(tokenizer.encode(long) == (0..<40).flatMap { _ in ["h", "e"].map(vocabulary.id) })
  }

  @Test("bytes spelled <0x41> fill in for missing letters")
  func byteTokens() throws {
    var vocabulary = TestVocabulary(pre: "qwen2")
    vocabulary.tokens[Int(UInt8(ascii: "x"))] = "zzz"
    vocabulary.tokens += ["<0x78>", "<0xZZ>", "<unk>"]
    vocabulary.types += [6, 6, 2]
    let tokenizer = try vocabulary.tokenizer()
    #expect(tokenizer.encode("x") == [vocabulary.id("<0x78>")])
    #expect(tokenizer.decode([vocabulary.id("<0x78>"), vocabulary.id("<0xZZ>"), vocabulary.id("<unk>")]) == "x")
  }

  @Test("Fuzz: damaged vocabularies and texts neither trap nor hang")
  func fuzz() throws {
    try FuzzRun("tokenizer", iterations: 80).run { iteration in
      var random = RandomText(seed: iteration)
      guard let tokenizer = try? Self.damaged(&random).tokenizer() else { return }
      for _ in 0..<10 {
        let bytes = random.bytes(Int.random(in: 0...200, using: &random.generator))
        let ids = tokenizer.encode(bytes: bytes, special: true)
        #expect(ids.allSatisfy { (0..<tokenizer.vocabularySize).contains($0) }, "seed \(iteration)")
        let pieces = ids.flatMap { tokenizer.bytes(of: $0, showsControl: true) }
        #expect(pieces == tokenizer.decodeBytes(ids, showsControl: true), "seed \(iteration)")
      }
    }
  }

  /// The tiny vocabulary with up to 30 faults.
  private static func damaged(_ random: inout RandomText) -> TestVocabulary {
    let rule = PreTokenizer.allCases.randomElement(using: &random.generator) ?? .gpt2
    var vocabulary = TestVocabulary(pre: rule.name)
    for _ in 0..<Int.random(in: 0...30, using: &random.generator) {
      let place = Int.random(in: 0..<vocabulary.tokens.count, using: &random.generator)
      switch Int.random(in: 0..<4, using: &random.generator) {
      case 0: vocabulary.tokens[place] = random.text(6)
      case 1: vocabulary.types[place] = Int32.random(in: 1...6, using: &random.generator)
      case 2: vocabulary.tokens[place] = vocabulary.tokens[place / 2]
      default: vocabulary.merges.append("\(vocabulary.tokens[place]) \(vocabulary.tokens[place / 3])")
      }
    }
    for key in ["bos", "eos", "eot"] {
      vocabulary.extra["\(key)_token_id"] = .int32(Int32.random(in: -5...400, using: &random.generator))
    }
    return vocabulary
  }
}
