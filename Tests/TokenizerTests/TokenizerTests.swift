import GGUF
import TestSupport
import Testing

@testable import Tokenizer

@Suite("Tokenizer")
struct TokenizerTests {
  let vocabulary = TestVocabulary()

  private func ids(_ spellings: String...) -> [Int] {
    spellings.map(vocabulary.id)
  }

  @Test("merges, and control tokens only where asked")
  func encoding() throws {
    let tokenizer = try vocabulary.tokenizer()
    #expect(tokenizer.encode("hello world") == ids("hello", "Ġworld"))
    #expect(tokenizer.encode("<|eot_id|>", special: true) == ids("<|eot_id|>"))
    #expect(!tokenizer.encode("<|eot_id|>").contains(vocabulary.id("<|eot_id|>")))
    #expect(tokenizer.encode("hello<|eot_id|>hello", special: true) == ids("hello", "<|eot_id|>", "hello"))
    #expect(tokenizer.encode("a<tool_call>") == ids("a", "<tool_call>"))
    #expect(tokenizer.encode("") == [])
  }

  @Test("pieces join; control tokens must lie wholly in pieces that allow them")
  func pieces() throws {
    let tokenizer = try vocabulary.tokenizer()
    func encode(_ pieces: (String, Bool)...) -> [Int] {
      tokenizer.encode(pieces.map { TextPiece($0.0, allowsSpecial: $0.1) })
    }
    #expect(encode(("hel", true), ("lo wor", false), ("ld", true)) == ids("hello", "Ġworld"))
    #expect(encode(("<|eot", true), ("_id|>", true)) == ids("<|eot_id|>"))
    #expect(encode(("<|eot", true), ("", false), ("_id|>", true)) == ids("<|eot_id|>"))
    #expect(encode(("<|eot", true), ("_id|>", false)) == tokenizer.encode("<|eot_id|>"))
    #expect(encode(("<|eot", false), ("_id|>", true)) == tokenizer.encode("<|eot_id|>"))
    #expect(encode(("<|eot_id|>", false), ("<|eot_id|>", true)) == tokenizer.encode("<|eot_id|>") + ids("<|eot_id|>"))
    #expect(encode(("<|eot_id|>", true), ("<|eot_id|>", false)) == ids("<|eot_id|>") + tokenizer.encode("<|eot_id|>"))
    #expect(encode(("<tool", true), ("_call>", false)) == ids("<tool_call>"))
    #expect(encode() == [])
  }

  @Test("special tokens: the longest at the leftmost place")
  func longestSpecial() throws {
    var vocabulary = vocabulary
    vocabulary.tokens += ["<|a", "<|a|>", "<|a|><|b|>", "|><"]
    vocabulary.types += [3, 3, 3, 3]
    let tokenizer = try vocabulary.tokenizer()
    #expect(
      tokenizer.encode("<|a|><|b|><|a|><", special: true) == [
        vocabulary.id("<|a|><|b|>"), vocabulary.id("<|a|>"), vocabulary.id("<"),
      ])
    let pieces = [TextPiece("<|a|>", allowsSpecial: true), TextPiece("<|b|>", allowsSpecial: false)]
    #expect(tokenizer.encode(pieces).first == vocabulary.id("<|a|>"))
  }

  @Test("an emoji beside a control token leaves it whole")
  func emoji() throws {
    let tokenizer = try vocabulary.tokenizer()
    let text = "🥳🥳🥳<|eot_id|>👩‍👩‍👧<|im_end|>\r\n"
    let ids = tokenizer.encode(text, special: true)
    #expect(ids.filter { $0 == vocabulary.id("<|eot_id|>") }.count == 1)
    #expect(ids.filter { $0 == vocabulary.id("<|im_end|>") }.count == 1)
    #expect(tokenizer.decode(ids, showsControl: true).utf8.elementsEqual(text.utf8))
    #expect(tokenizer.decode(ids).utf8.elementsEqual("🥳🥳🥳👩‍👩‍👧\r\n".utf8))
  }

  @Test("a piece that is a token is taken whole only where the rule says so")
  func wholePieces() throws {
    for (pre, whole) in [("llama-bpe", true), ("qwen2", false)] {
      var vocabulary = TestVocabulary(pre: pre)
      vocabulary.tokens.append("Ġxyz")
      vocabulary.types.append(1)
      let ids = try vocabulary.tokenizer().encode(" xyz")
      #expect((ids == [vocabulary.id("Ġxyz")]) == whole)
    }
  }

  @Test("ends of turn by key and by spelling")
  func endsOfTurn() throws {
    var vocabulary = vocabulary
    vocabulary.tokens += ["</s>", "<|end|>", "[EOT]"]
    vocabulary.types += [1, 1, 3]
    vocabulary.extra["eos_token_id"] = .uint32(UInt32(vocabulary.id("<|end_of_text|>")))
    vocabulary.extra["eot_token_id"] = .int32(Int32(vocabulary.id("<|python_tag|>")))
    vocabulary.extra["bos_token_id"] = .uint64(0)
    let tokenizer = try vocabulary.tokenizer()
    let ends = [
      "<|end_of_text|>", "<|eom_id|>", "<|eot_id|>", "<|endoftext|>", "<|im_end|>", "<|python_tag|>", "<|end|>",
      "[EOT]",
    ]
    #expect(tokenizer.endOfTurn == Set(ends.map(vocabulary.id)))
    #expect(tokenizer.eos == vocabulary.id("<|end_of_text|>"))
    #expect(tokenizer.bos == 0)
    #expect(tokenizer.kind(of: vocabulary.id("<|end|>")) == .control)
    #expect(tokenizer.controlTokens["<|eot_id|>"] == vocabulary.id("<|eot_id|>"))
    #expect(tokenizer.controlTokens["<tool_call>"] == vocabulary.id("<tool_call>"))
    #expect(tokenizer.controlTokens["hello"] == nil)
    #expect(tokenizer.addsBOS)
  }

  @Test("padded ids stand for nothing")
  func padding() throws {
    var vocabulary = vocabulary
    let pad = vocabulary.tokens.count
    vocabulary.tokens.append("[PAD\(pad)]")
    vocabulary.types.append(4)
    let tokenizer = try vocabulary.tokenizer()
    for id in [pad, pad + 1, 1 << 40, -1] {
      #expect(tokenizer.bytes(of: id, showsControl: true) == [])
      #expect(tokenizer.kind(of: id) == .unused)
    }
    #expect(!tokenizer.encode("[PAD\(pad)]", special: true).contains(pad))
    #expect(tokenizer.decode([pad, vocabulary.id("hello"), pad + 7]) == "hello")
  }
}
