import Arguments
import GGUF
import JSON
import Tokenizer

/// Compares the token ids of texts with goldens, and measures loading and encoding.
struct TokenizerBench: BenchCommand {
  let command = Command(
    "tokenizer", "compares token ids with goldens; measures loading and encoding",
    options: [
      Option("model", short: "m", value: "FILE", "a GGUF file with a tokenizer"),
      Option("golden", value: "FILE", "texts with their ids, a JSON object a line"),
      Option("speed", "measures loading and encoding instead"),
      Option("text", value: "FILE", "with --speed: the text to encode (made up when left out)"),
    ])

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let path = try arguments.required("model")
    if arguments.flag("speed") {
      return try TokenizerSpeed(model: path, text: arguments.string("text")).report()
    }
    let golden = try arguments.required("golden")
    return try compare(Tokenizer(GGUFFile(path: path)), TokenizerGolden.read(golden))
  }

  private func compare(_ tokenizer: Tokenizer, _ goldens: [TokenizerGolden]) -> BenchReport {
    var report = BenchReport()
    var equal = 0
    var lacking = 0
    for golden in goldens {
      let absent = golden.ids.filter { tokenizer.kind(of: $0) == .unused }
      if let id = absent.first {
        // No tokenizer of this file can give an id that its vocabulary leaves empty.
        lacking += 1
        report.line("\(JSONValue.string(golden.text).compact): needs token \(id), which the file leaves unused")
      } else if let difference = golden.difference(from: tokenizer) {
        report.line(difference)
      } else {
        equal += 1
      }
    }
    for warning in tokenizer.warnings { report.line("warning: \(warning)") }
    report.line("\(equal) of \(goldens.count)\(lacking > 0 ? ", \(lacking) need tokens that the file lacks" : "")")
    report["texts"] = .integer(goldens.count)
    report["equal"] = .integer(equal)
    report["lacking"] = .integer(lacking)
    report.verdict = equal + lacking == goldens.count && equal > 0
    return report
  }
}

/// A text and the ids it has.
struct TokenizerGolden {
  let text: String
  let ids: [Int]
  /// The ids when control tokens are recognised, where those were noted.
  let idsWithSpecial: [Int]?

  /// Reads lines of the form `{"text": …, "ids": [...], "ids_parse_special": [...]}`.
  static func read(_ path: String) throws -> [TokenizerGolden] {
    try BenchInput.lines(path).enumerated().map { index, value in
      guard let text = value["text"]?.stringValue, let ids = value["ids"]?.arrayValue else {
        throw UsageError("\(path): line \(index + 1) has no text or no ids")
      }
      let special = value["ids_parse_special"]?.arrayValue
      return TokenizerGolden(
        text: text, ids: ids.compactMap(\.integerValue), idsWithSpecial: special?.compactMap(\.integerValue))
    }
  }

  /// What differs when `tokenizer` encodes and decodes the text; nil when nothing does.
  func difference(from tokenizer: Tokenizer) -> String? {
    let found = tokenizer.encode(text)
    if found != ids { return "\(JSONValue.string(text).compact): \(found), not \(ids)" }
    let encodable = text.utf8.filter(tokenizer.canEncode)
    if tokenizer.decodeBytes(ids) != encodable { return "\(JSONValue.string(text).compact): decodes wrong" }
    guard let idsWithSpecial else { return nil }
    let special = tokenizer.encode(text, special: true)
    return special == idsWithSpecial
      ? nil : "\(JSONValue.string(text).compact), special: \(special), not \(idsWithSpecial)"
  }
}
