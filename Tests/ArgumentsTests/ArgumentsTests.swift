import Arguments
import Testing

@Suite("Arguments")
struct ArgumentsTests {
  let command = Command(
    "run", "answers a prompt", operands: "[PROMPT...]",
    options: [
      Option("model", short: "m", value: "FILE", "the GGUF file"),
      Option("max-tokens", short: "n", aliases: ["n-predict", "predict"], value: "N", "most tokens to generate"),
      Option("temp", aliases: ["temperature"], value: "T", "temperature"),
      Option("stop", value: "TEXT", "ends the answer"),
      Option("mode", value: "WORD", "one of a few"),
      Option("json", "one JSON document"),
    ])

  func parse(_ words: String...) throws -> Arguments {
    try Arguments(words, for: command)
  }

  @Test("A value follows as the next word or after '='")
  func spellings() throws {
    for words in [["-n", "3"], ["--max-tokens", "3"], ["--max-tokens=3"], ["-n=3"], ["--n-predict", "3"]] {
      #expect(try Arguments(words, for: command).integer("max-tokens") == 3, "\(words)")
    }
    #expect(try parse("--model=a=b").string("model") == "a=b")
    #expect(try parse("--model=").string("model")?.isEmpty == true)
    #expect(try parse("--temperature", "0.5").double("temp") == 0.5)
  }

  @Test("Flags, repeated options and operands mix in any order")
  func mixed() throws {
    let arguments = try parse("Hello", "--json", "--stop", "a", "-", "--stop=b", "-m", "x", "-m", "y")
    #expect(arguments.flag("json"))
    #expect(arguments.strings("stop") == ["a", "b"])
    #expect(arguments.string("model") == "y")
    #expect(arguments.operands == ["Hello", "-"])
    #expect(!arguments.wantsHelp)
    #expect(try !parse("x").flag("json"))
    #expect(try parse("x").strings("stop").isEmpty)
  }

  @Test("Two dashes end the options")
  func dashes() throws {
    let arguments = try parse("-n", "3", "--", "--json", "-x")
    #expect(arguments.operands == ["--json", "-x"])
    #expect(!arguments.flag("json"))
  }

  @Test("A negative number is a value, a declared option is not")
  func negativeValues() throws {
    #expect(try parse("-n", "-1").integer("max-tokens") == -1)
    #expect(throws: UsageError("-n needs a value (N)")) { try parse("-n", "--json") }
    #expect(throws: UsageError("--model needs a value (FILE)")) { try parse("--model") }
    #expect(try parse("--stop=--json").string("stop") == "--json")
  }

  @Test("Unknown options name their neighbour")
  func unknown() {
    #expect(throws: UsageError("run: unknown option --modle; did you mean --model?")) { try parse("--modle", "x") }
    #expect(throws: UsageError("run: unknown option --tokens; did you mean --max-tokens?")) {
      try parse("--tokens", "x")
    }
    #expect(throws: UsageError("run: unknown option --frobnicate")) { try parse("--frobnicate") }
    #expect(throws: UsageError("run: unknown option -x")) { try parse("-x") }
    #expect(throws: UsageError("--json takes no value")) { try parse("--json=1") }
  }

  @Test("Numbers are whole words within their range")
  func numbers() throws {
    for bad in ["0", "1025", "abc", "", "3.5", "2 ", "0x10", "99999999999999999999"] {
      #expect(throws: UsageError("--max-tokens wants a whole number from 1 to 1024, not '\(bad)'")) {
        _ = try parse("--max-tokens=\(bad)").integer("max-tokens", in: 1...1024)
      }
    }
    for bad in ["nan", "inf", "-0.1", "2.5", "warm", ""] {
      #expect(throws: UsageError.self) { _ = try parse("--temp=\(bad)").double("temp", in: 0...2) }
    }
    #expect(throws: UsageError("--max-tokens wants a whole number of at least 0, not '-1'")) {
      _ = try parse("-n", "-1").integer("max-tokens", in: 0 ... .max)
    }
    #expect(try parse().integer("max-tokens") == nil)
  }

  @Test("Missing and wrong words are named")
  func requiredAndChoice() throws {
    #expect(throws: UsageError("run: --model FILE is missing")) { _ = try parse().required("model") }
    #expect(throws: UsageError("--mode wants one of auto, none, not 'x'")) {
      _ = try parse("--mode", "x").choice("mode", of: ["auto", "none"])
    }
    #expect(try parse("--mode", "none").choice("mode", of: ["auto", "none"]) == "none")
  }

  @Test("A command without operands refuses them")
  func noOperands() throws {
    let bare = Command("list", "lists models")
    #expect(throws: UsageError("list: unexpected argument 'x'")) { try Arguments(["x"], for: bare) }
    #expect(try Arguments(["--help", "x"], for: bare).wantsHelp)
  }

  @Test("Help is laid out in two columns")
  func help() {
    let text = Command(
      "run", "answers a prompt", operands: "[PROMPT...]",
      options: [
        Option("model", short: "m", value: "FILE", "the GGUF file"),
        Option("json", "one JSON document"),
        Option(
          "a-rather-long-option-name", value: "PLACEHOLDER",
          "does something that takes quite a few words to tell, so that the text has to go on in a second line"),
      ],
      discussion: "example:\n  ra-run run Hello"
    ).help(program: "ra-run")
    #expect(
      text == """
        usage: ra-run run [OPTIONS] [PROMPT...]

        Answers a prompt.

        options:
          -m, --model FILE                the GGUF file
              --json                      one JSON document
              --a-rather-long-option-name PLACEHOLDER
                                          does something that takes quite a few words to tell, so that the
                                          text has to go on in a second line

        example:
          ra-run run Hello
        """)
  }

  @Test("The nearest spelling is within two edits")
  func nearest() {
    #expect(Spelling.nearest(to: "chta", in: ["chat", "run"]) == "chat")
    #expect(Spelling.nearest(to: "xyz", in: ["chat", "tokenize"]) == nil)
    #expect(Spelling.nearest(to: "", in: []) == nil)
    #expect(Spelling.nearest(to: String(repeating: "a", count: 100), in: ["chat"]) == nil)
  }
}
