// Answers that are values.
import RunAnywhere

// snippet.type
struct City: Decodable, Sendable {
  let name: String
  let population: Int
}
// snippet.end

func typedAnswer() async throws -> City {
  // snippet.value
  let city = try await RunAnywhere.generate("What is the largest city of Japan?", as: City.self)
  print(city.name, city.population)
  // snippet.end
  return city
}

func typedAnswer(in session: ChatSession) async throws -> City {
  // snippet.session
  let city = try await session.respond(to: "And of France?", as: City.self)
  // snippet.end
  return city
}

func structuredAnswer(_ model: LanguageModel) async throws -> ToolValue {
  // snippet.schema
  let schema = try JSONSchema(
    parsing: """
      {"type": "object", "properties": {"city": {"type": "string", "maxLength": 40}, "population": {"type": "integer"}},
       "required": ["city", "population"], "additionalProperties": false}
      """)
  let result = try await model.respond(to: "What is the largest city of Japan?", generating: schema)
  let value = try ToolValue(json: result.text)
  // snippet.end
  return value
}

func derivedSchema() throws -> JSONSchema {
  // snippet.derive
  let schema = try JSONSchema(describing: City.self)
  print(schema.value)
  // snippet.end
  return schema
}
