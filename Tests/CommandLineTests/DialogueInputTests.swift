import Testing

@testable import ra_run

@Suite("What is typed in a conversation")
struct DialogueInputTests {
  @Test(
    "a line's meaning",
    arguments: [
      ("Hello", .message("Hello")), ("", .blank), ("  \t", .blank), ("/help", .help), (" /? ", .help),
      ("/clear", .clear), ("/tools", .tools), ("/save", .save(nil)), ("/save a b.ra", .save("a b.ra")),
      ("/load x", .load("x")), ("/load", .mistake("/load wants a file")), ("/system", .system(nil)),
      ("/system Be brief.", .system("Be brief.")), ("/exit", .exit), ("/bye", .exit), ("/quit", .exit),
      ("/exit now", .mistake("/exit takes nothing behind it")),
      ("/nope", .mistake("there is no /nope; /help shows what can be typed")),
      ("/etc/passwd holds what?", .message("/etc/passwd holds what?")), ("/", .message("/")), ("1/2", .message("1/2")),
    ] as [(String, DialogueInput)])
  func meaning(_ line: String, _ input: DialogueInput) {
    #expect(DialogueInput(line) == input)
  }

  private func read(_ lines: [String]) -> ([DialogueInput], prompts: [String]) {
    var rest = lines[...]
    var prompts: [String] = []
    var inputs: [DialogueInput] = []
    func next(_ sign: String) -> String? {
      prompts.append(sign)
      return rest.popFirst()
    }
    while let input = DialogueInput.read(line: next) { inputs.append(input) }
    return (inputs, prompts)
  }

  @Test("lines that belong together")
  func severalLines() {
    #expect(read(["a\\", "b", "c"]).0 == [.message("a\nb"), .message("c")])
    #expect(read(["a\\"]).0 == [.message("a")])
    #expect(read(["\"\"\"", "a", "/exit", "", "b\"\"\"", "c"]).0 == [.message("a\n/exit\n\nb"), .message("c")])
    #expect(read(["\"\"\"one line\"\"\""]).0 == [.message("one line")])
    #expect(read(["\"\"\"first", "last", "\"\"\""]).0 == [.message("first\nlast")])
    #expect(read(["\"\"\"unfinished", "text"]).0 == [.message("unfinished\ntext")])
    #expect(read(["a\\", "b"]).prompts == [">>> ", "... ", ">>> "])
    #expect(read([]).0.isEmpty)
  }

  @Test(
    "answers to a question", arguments: [("y", Approval.Answer.yes), ("No", .no), ("", .no), (" always ", .always)])
  func approval(_ line: String, _ answer: Approval.Answer) {
    #expect(Approval.Answer(line) == answer)
  }

  @Test("other answers are asked again")
  func otherAnswers() {
    #expect(Approval.Answer("perhaps") == nil)
  }
}
