import GGUF
import Tensor
import TestSupport
import Testing

/// The files that `../shared/cases/gguf_cases.py` makes: one valid model, and copies with one change each.
@Suite("Cases of gguf_cases.py")
struct SharedCaseTests {
  @Test(
    "G1–G9, I18: every ok file opens as the base does, every bad one is refused on one line",
    .enabled(if: GGUFCases.areAvailable, "needs ../shared/cases/gguf_cases.py and /usr/bin/python3"))
  func cases() throws {
    let cases = try GGUFCases()
    defer { cases.remove() }
    #expect(cases.names.count >= 35)
    let base = try GGUFFile(path: cases.path("base"))

    for name in cases.names {
      let path = cases.path(name)
      // The templates of cases 28 are no business of the file reader.
      let isRefused = name.hasPrefix("bad-") && !name.hasPrefix("bad-28")
      do {
        let file = try GGUFFile(path: path)
        #expect(!isRefused, "\(name) was accepted")
        try expectSame(file, base, name)
      } catch let error as GGUFError {
        #expect(isRefused, "\(error)")
        let line = error.description
        #expect(line.hasPrefix(path + ": ") && !line.contains("\n"), "\(line)")
        if let expected = Self.expected[name] { #expect(line.contains(expected), "\(line)") }
      }
    }
  }

  /// What the message about a refused file has to say.
  static let expected = [
    "bad-01a-dims-wrap": #"tensor "token_embd.weight""#, "bad-01b-dims-signed": #"tensor "token_embd.weight""#,
    "bad-01c-dim-plus-2p42": #"tensor "token_embd.weight""#, "bad-03a-nkv-2p63": "metadata count",
    "bad-03b-nt-2p60": "tensor count", "bad-03d-arr-2p60-u8": #"key "x""#, "bad-03e-arr-2p61-u64": #"key "x""#,
    "bad-04-align-0": #"key "general.alignment": 0"#, "bad-04-align-3": #"key "general.alignment": 3"#,
    "bad-05a-empty-key": "the name is empty", "bad-05b-zero-dim": #"tensor "blk.0.attn_k.weight": a dimension is 0"#,
    "bad-05c-ndims-5": "5 dimensions", "bad-05d-ndims-255": "255 dimensions",
    "bad-05e-type-999": #"tensor "output_norm.weight": type 999 is not supported"#,
    "bad-07d-arr-elem-type-77": "array element type 77", "bad-09b-big-endian": "big-endian",
    "bad-09c-v99": "version 99", "bad-09d-ggml-magic": "old GGML file", "bad-09e-lfs-pointer": "git-lfs pointer",
    "bad-09f-empty": "the file is empty",
  ]

  private func expectSame(_ file: GGUFFile, _ base: GGUFFile, _ name: String) throws {
    #expect(file.tensors.map(\.name) == base.tensors.map(\.name))
    for key in ["llama.embedding_length", "llama.block_count", "llama.attention.head_count"] {
      #expect(try file.metadata.integer(key) == base.metadata.integer(key), "\(name): \(key)")
    }
    #expect(
      try file.metadata.integers("tokenizer.ggml.token_type") == base.metadata.integers("tokenizer.ggml.token_type"))
    #expect(try file.metadata.strings("tokenizer.ggml.tokens")?.count == 269)
    for info in base.tensors {
      let (ours, theirs) = (file.tensor(info.name)?.decodedRow(0), base.tensor(info.name)?.decodedRow(0))
      // `nan-21` differs in one weight, which is no number.
      if !name.hasPrefix("nan-21") { #expect(ours == theirs, "\(name): \(info.name)") }
    }
  }
}
