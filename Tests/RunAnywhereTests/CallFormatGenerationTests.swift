import RunAnywhere
import Testing
import Tools

@Suite("Every call format, from the model's tokens to the handler")
struct CallFormatGenerationTests {
  private func weather(_ calls: Recorder<String>) -> Tool {
    let city = ToolParameter(name: "city", type: .string, description: "")
    let exact = ToolParameter(name: "exact", type: .boolean, description: "", required: false)
    return Tool(ToolDefinition(name: "get_weather", description: "", parameters: [city, exact])) { arguments in
      calls.append("\(arguments["city"]?.stringValue ?? "?") \(arguments["exact"]?.booleanValue ?? false)")
      return ["temperature": .number(21)]
    }
  }

  private func time() -> Tool {
    Tool(ToolDefinition(name: "get_time", description: "", parameters: [])) { _ in ["time": "12:00"] }
  }

  @Test(
    "auto: the call reaches the handler, the words before it the user, and nothing of it does",
    arguments: [
      (.mistral, #"[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Oslo", "exact": true}}]"#),
      (.mistralNamed, #"[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo", "exact": true}"#),
      (.functionary, #"<function=get_weather>{"city": "Oslo", "exact": true}</function>"#),
      (.lfm, "<|tool_call_start|>[get_weather(city='Oslo', exact=True)]<|tool_call_end|>"),
      (.lfm, "[get_weather(city='Oslo', exact=True)]"), (.pythonic, "[get_weather(city='Oslo', exact=True)]"),
      (.pythonic, #"[get_weather(city="Oslo", exact=True)]"#), (.llama, "[get_weather(city='Oslo', exact=True)]"),
    ] as [(ToolCallFormat, String)])
  func auto(_ format: ToolCallFormat, _ call: String) async throws {
    let isMarked = !call.hasPrefix("[get")
    for before in isMarked ? ["", "Let me see. "] : [""] {
      let calls = Recorder<String>()
      let model = LanguageModel(engine: .conversing([before + call, "It is 21 degrees."]))
      let options = ToolCallingOptions(temperature: 0, callFormat: format, callShare: nil)
      let result = try await model.respond(to: "Weather?", tools: [weather(calls), time()], options: options)
      #expect(calls.all == ["Oslo true"], "\(call)")
      #expect(result.text == "It is 21 degrees.")
      #expect(result.transcript[1].content == (before.isEmpty ? "" : "Let me see."))
    }
  }

  @Test("required: whatever the model wants, calls are in form", arguments: ToolCallFormat.allCases)
  func required(_ format: ToolCallFormat) async throws {
    let calls = Recorder<String>()
    // Wants quotes and brackets first, so that texts and calls end.
    let engine = Engine.scripted { _, _ in [34, 39, 125, 41, 93, 62, ByteCodec.end] + Array(97...122) }
    let result = try await LanguageModel(engine: engine).respond(
      to: "Weather?", tools: [weather(calls), time()],
      options: ToolCallingOptions(
        maxToolCalls: 1, autoExecute: false, temperature: 0, maxTokens: 300, toolChoice: .required, callFormat: format))
    #expect(result.finishReason == .toolCalls && result.toolCalls.count == 1, "\(format): \(result)")
    #expect(result.text.isEmpty)
  }

  @Test("plain answers stay answers under every format", arguments: ToolCallFormat.allCases)
  func answers(_ format: ToolCallFormat) async throws {
    for text in ["It is sunny.", "[1, 2]", "f(x) = 2", "See [this](http://x.y).", "a < b"] {
      let model = LanguageModel(engine: .conversing([text]))
      let result = try await model.respond(
        to: "q", tools: [weather(Recorder()), time()],
        options: ToolCallingOptions(temperature: 0, callFormat: format, callShare: nil))
      #expect(result.text == text && result.toolCalls.isEmpty, "\(format): \(result.text)")
    }
  }
}
