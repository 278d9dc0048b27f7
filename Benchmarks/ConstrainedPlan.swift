import JSON
import RunAnywhere
import Tools

/// One generation of ``ConstrainedBench``.
struct ConstrainedSample: Sendable {
  let text: String
  /// Of the whole.
  let seconds: Double
  /// Generated tokens a second, without the prompt.
  let rate: Double
  let usage: TokenUsage
}

/// What ``ConstrainedBench`` asks, and under which schemas.
struct ConstrainedPlan: Sendable {
  /// Tokens of an answer.
  let tokens: Int
  let schemas: [(name: String, schema: JSONSchema)]

  init(tokens: Int) {
    self.tokens = tokens
    schemas = [
      // Nearly all tokens are free text, so that the grammar can save nothing.
      ("string", #"{"type": "object", "properties": {"story": {"type": "string"}}, "required": ["story"]}"#),
      (
        "people",
        #"{"type": "array", "minItems": 20, "items": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 24}, "age": {"type": "integer", "minimum": 0, "maximum": 130}, "role": {"enum": ["reader", "writer", "printer"]}, "email": {"type": "string", "format": "email"}}, "required": ["name", "age", "role", "email"], "additionalProperties": false}}"#
      ),
      ("anything", #"{"type": "object", "minProperties": 30}"#),
    ].compactMap { name, text in (try? JSONSchema(parsing: text)).map { (name, $0) } }
  }

  /// Positions that the generations take.
  var positions: Int { tokens + 1024 }

  func answer(_ model: LanguageModel, schema: JSONSchema?) async throws -> ConstrainedSample {
    let options = LLMGenerationOptions(maxTokens: tokens, temperature: 0, schema: schema)
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await model.respond(to: "Tell a long story of a fox who learns to print books.", options: options)
    return ConstrainedSample(
      text: result.text, seconds: (clock.now - start).seconds, rate: result.tokensPerSecond, usage: result.usage)
  }

  func call(_ model: LanguageModel, tools count: Int) async throws -> ConstrainedSample {
    let tools = [
      ("get_weather", "Get current weather for a city", [("city", ToolParameterType.string)]),
      ("calculate", "Compute an arithmetic expression", [("expression", .string)]),
      ("get_current_time", "Tell the time in a time zone", [("timezone", .string)]),
    ].prefix(count).map { name, description, parameters in
      Tool(
        ToolDefinition(
          name: name, description: description,
          parameters: parameters.map { ToolParameter(name: $0, type: $1, description: "The \($0)") })
      ) { _ in [:] }
    }
    let options = ToolCallingOptions(
      maxToolCalls: 1, autoExecute: false, temperature: 0, maxTokens: 200, toolChoice: .required)
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await model.respond(
      to: "What's the weather in San Francisco?", tools: Array(tools), options: options)
    return ConstrainedSample(
      text: result.toolCalls.map(\.description).joined(separator: "; "), seconds: (clock.now - start).seconds,
      rate: result.timings.decodeTokensPerSecond, usage: result.usage)
  }
}
