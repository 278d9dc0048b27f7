// Definitions and transcripts in the shapes of other programs.
import RunAnywhere

func importing(_ text: String) async throws -> ToolDefinition {
  // snippet.import
  let definition = try ToolDefinition(importing: try JSONValue(parsing: text))
  await RunAnywhere.registerTool(definition) { arguments in
    ["received": .object(arguments)]
  }
  print(definition.openAIDefinition.compact)
  print(definition.mcpDefinition.compact)
  // snippet.end
  return definition
}

func schemaTool() async throws {
  // snippet.schema
  let schema = try JSONSchema(
    parsing: """
      {"type": "object", "properties": {"tags": {"type": "array", "items": {"enum": ["red", "blue"]}, "maxItems": 3}},
       "required": ["tags"]}
      """)
  let tool = ToolDefinition(name: "paint", description: "Paint in these colours", schema: schema)
  await RunAnywhere.registerTool(tool) { arguments in
    ["count": .integer(arguments["tags"]?.arrayValue?.count ?? 0)]
  }
  // snippet.end
}

func transcripts(_ result: ToolCallingResult) throws -> [LLMMessage] {
  // snippet.transcript
  let text = result.transcript.openAIMessages.compact
  let messages = try [LLMMessage](importing: try JSONValue(parsing: text))
  // snippet.end
  return messages
}
