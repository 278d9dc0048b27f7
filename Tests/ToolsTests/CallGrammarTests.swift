import Grammar
import JSON
import Sampling
import Testing
import Tools

@Suite("Grammars of call formats")
struct CallGrammarTests {
  private let tools = [
    CallableTool(ToolDefinition(name: "a", description: "", parameters: [])),
    CallableTool(
      ToolDefinition(
        name: "b", description: "", parameters: [ToolParameter(name: "x", type: .integer, description: "")])),
  ]

  private func matcher(_ expression: GrammarExpression) throws -> Matcher {
    let tokens = (0..<256).map { [UInt8($0)] as [UInt8]? }
    let vocabulary = Vocabulary(tokens: tokens + [nil], controls: ["<|im_end|>": 256], endTokens: [256])
    return Matcher(try Grammar(expression, options: .toolCalls), vocabulary: vocabulary)
  }

  @Test("canonical calls: the turn may end behind each of them, and not before")
  func canonical() throws {
    for format in [HermesFormat(), LlamaFormat()] as [any CallFormat] {
      var matcher = try matcher(format.canonicalCalls(tools, maximum: 2))
      let mark = format.marks?.closing ?? ""
      let first =
        "\(format.choiceTrigger) \"a\", \"\(format.argumentsKey)\": {}}\(mark.isEmpty ? "" : "\n\(mark)")"
      let second = first.replacing("\"a\"", with: "\"b\"").replacing("{}", with: "{\"x\": 12}")
      for byte in first.utf8 {
        let before = matcher.mask()
        #expect(!matcher.isComplete && !before.contains(256))
        let isTaken = matcher.accept(token: Int(byte))
        #expect(isTaken)
      }
      #expect(matcher.isComplete)
      let between = matcher.mask()
      #expect(between.contains(256))
      #expect(matcher.forcedBytes().isEmpty)
      let separator = format.kind == .llama ? "; " : "\n"
      for byte in (separator + second).utf8 {
        let isTaken = matcher.accept(token: Int(byte))
        #expect(isTaken)
      }
      #expect(matcher.isComplete)
      let last = matcher.mask()
      #expect(Array(last.ids) == [256])
    }
  }
}
