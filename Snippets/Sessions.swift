// A conversation that remembers, and answers in JSON that fits a schema.
import RunAnywhere

func conversation(_ model: LanguageModel) async throws -> [LLMMessage] {
  let session = ChatSession(model, systemPrompt: "Answer in one sentence.")
  print(try await session.respond(to: "Who wrote Faust?").text)
  print(try await session.respond(to: "When?").text)
  return session.transcript
}

func structuredAnswer(_ model: LanguageModel) async throws -> ToolValue {
  let schema = try JSONSchema(
    parsing: """
      {"type": "object", "properties": {"city": {"type": "string", "maxLength": 40}, "population": {"type": "integer"}},
       "required": ["city", "population"], "additionalProperties": false}
      """)
  let result = try await model.respond(to: "What is the largest city of Japan?", generating: schema)
  return try ToolValue(json: result.text)
}
