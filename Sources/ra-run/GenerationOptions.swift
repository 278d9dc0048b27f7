import Arguments
import RunAnywhere

/// The options of sampling and resources, spelled as the field spells them, and their values.
struct GenerationOptions: Sendable, Equatable {
  var maxTokens: Int
  var temperature: Double
  var topP: Double
  var topK: Int
  var minP: Double
  var repetitionPenalty: Double
  var seed: UInt64?
  var stop: [String]
  var threads: Int?
  var contextLength: Int?
  var draftLength: Int
  var cacheType: CacheType

  /// The declarations, with the defaults that the help names.
  ///
  /// - Parameter hasPenalty: whether the command knows a repetition penalty.
  static func options(temperature: Double, maxTokens: Int, hasPenalty: Bool = true) -> [Option] {
    let all = [
      Option(
        "max-tokens", short: "n", aliases: ["n-predict", "predict"], value: "N",
        "most tokens to generate; -1 is all that fit (\(maxTokens))"),
      Option(
        "temp", aliases: ["temperature"], value: "T",
        "randomness; 0 always takes the likeliest token (\(temperature == 0 ? "0" : "\(temperature)"))"),
      Option("top-p", value: "P", "only the likeliest tokens that make up this probability (1)"),
      Option("top-k", value: "K", "only the K likeliest tokens; 0 is all (0)"),
      Option("min-p", value: "P", "only tokens at least P times as likely as the likeliest (0)"),
      Option("repeat-penalty", aliases: ["repetition-penalty"], value: "R", "above 1 makes repetition less likely (1)"),
      Option("seed", short: "s", value: "N", "makes the choices repeatable"),
      Option("stop", value: "TEXT", "ends the answer before TEXT; may be given several times"),
      Option("threads", short: "t", value: "N", "worker threads (as many as this process may use)"),
      Option(
        "ctx-size", short: "c", value: "N", "most tokens of prompt and answer together (what the model was made for)"),
      Option("cache-type", value: "TYPE", "how keys and values are kept: f16, or q8_0 in half the memory (f16)"),
      Option(
        "drafts", value: "N",
        "most tokens that are copied from earlier text and checked at once: 8 makes answers that repeat "
          + "their prompt faster (\(LanguageModel.defaultDraftLength))"),
      Option("no-drafts", "the same as --drafts 0"),
    ]
    return hasPenalty ? all : all.filter { $0.name != "repeat-penalty" }
  }

  /// Reads what was given.
  init(_ arguments: Arguments, temperature: Double, maxTokens: Int) throws(UsageError) {
    // llama.cpp spells "as many as fit" as -1.
    let limit = try arguments.integer("max-tokens", in: -1...1_000_000) ?? maxTokens
    guard limit != 0 else { throw UsageError("--max-tokens wants a whole number of at least 1, or -1, not '0'") }
    self.maxTokens = limit < 0 ? 1_000_000 : limit
    self.temperature = try arguments.double("temp", in: 0...100) ?? temperature
    topP = try arguments.double("top-p", in: 0...1) ?? 1
    topK = try arguments.integer("top-k", in: 0...1_000_000) ?? 0
    minP = try arguments.double("min-p", in: 0...1) ?? 0
    repetitionPenalty =
      arguments.declares("repeat-penalty") ? try arguments.double("repeat-penalty", in: 0.01...100) ?? 1 : 1
    // llama.cpp spells "any seed" as -1.
    seed = try arguments.integer("seed", in: -1 ... .max).flatMap { UInt64(exactly: $0) }
    stop = arguments.strings("stop")
    guard !stop.contains("") else { throw UsageError("--stop wants a text that isn't empty") }
    threads = try arguments.integer("threads", in: 1...1024)
    contextLength = try arguments.integer("ctx-size", in: 1...16_777_216)
    let cache = try arguments.choice("cache-type", of: CacheType.allCases.map(\.rawValue))
    cacheType = cache.flatMap(CacheType.init(rawValue:)) ?? .f16
    let drafts = try arguments.integer("drafts", in: 0...LanguageModel.longestDraft)
    draftLength = arguments.flag("no-drafts") ? 0 : drafts ?? LanguageModel.defaultDraftLength
  }
}
