import RunAnywhere
import Testing

@testable import ra_run

@Suite("Tools file")
struct ToolsFileTests {
  func parse(_ text: String) throws -> [UserTool] {
    try ToolsFile(parsing: Array(text.utf8), name: "tools.json").tools
  }

  @Test(
    "Every shape in use gives the same tool",
    arguments: [
      #"[{"type": "function", "function": {"name": "f", "description": "d", "parameters": SCHEMA}, "command": ["a", "b"]}]"#,
      #"[{"type": "function", "name": "f", "description": "d", "parameters": SCHEMA, "command": ["a", "b"]}]"#,
      #"{"tools": [{"name": "f", "description": "d", "inputSchema": SCHEMA, "command": ["a", "b"]}]}"#,
      #"[{"name": "f", "description": "d", "input_schema": SCHEMA, "command": ["a", "b"]}]"#,
      #"{"function": {"name": "f", "description": "d", "parameters": SCHEMA, "command": ["a", "b"]}}"#,
    ])
  func shapes(text: String) throws {
    let schema = #"{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}"#
    let tools = try parse(text.replacing("SCHEMA", with: schema))
    #expect(tools.count == 1)
    let tool = try #require(tools.first)
    #expect(tool.definition.name == "f" && tool.definition.description == "d")
    #expect(tool.definition.argumentSchema.value == (try JSONValue(parsing: schema)))
    #expect(tool.command == ["a", "b"])
  }

  @Test("A tool may have neither parameters nor a command")
  func bare() throws {
    let tools = try parse(#"[{"name": "now"}]"#)
    let tool = try #require(tools.first)
    #expect(tool.command == nil)
    #expect(tool.definition.argumentSchema.value["type"] == "object")
  }

  @Test(
    "What is wrong is named, with the place",
    arguments: [
      ("{", "tools.json: not JSON"), ("[]", "no tools in it"), ("3", "no tools in it"), ("[3]", "tool 1: an object"),
      (#"[{"name": "a"}, {"description": "b"}]"#, "tool 2: the tool has no name"),
      (#"[{"type": "web_search", "name": "a"}]"#, "web_search"),
      (#"[{"name": "a", "parameters": 3}]"#, "the schema of the tool \"a\""),
      (#"[{"name": "a", "command": "ls -l"}]"#, "a: command must be a list"),
      (#"[{"name": "a", "command": []}]"#, "a: command must be a list"),
      (#"[{"name": "a", "command": ["x", 3]}]"#, "a: command must be a list"),
    ])
  func faults(text: String, part: String) {
    do {
      _ = try parse(text)
      Issue.record("accepted \(text)")
    } catch {
      #expect("\(error)".contains(part), "\(error)")
    }
  }
}
