import JSON
import Testing
import Tools

@Suite("Registry and validation")
struct ToolRegistryTests {
  private func tool(_ name: String, _ parameters: [ToolParameter] = []) -> ToolDefinition {
    ToolDefinition(name: name, description: "", parameters: parameters)
  }

  @Test("the later registration replaces, in the place of the first")
  func replacing() {
    let registry = ToolRegistry()
    for name in ["a", "b", "a"] { registry.register(tool(name, [])) { _ in [:] } }
    registry.register(ToolDefinition(name: "a", description: "new", parameters: [])) { _ in [:] }
    #expect(registry.all.map(\.definition.name) == ["a", "b"])
    #expect(registry.tool("a")?.definition.description == "new")
    #expect(registry.unregister("a"))
    #expect(!registry.unregister("a"))
    registry.clear()
    #expect(registry.all.isEmpty)
  }

  @Test("names", arguments: [("", false), ("get weather", false), ("wetter_ä", false), ("a.b-c_1", true)])
  func names(_ name: String, _ valid: Bool) {
    #expect(tool(name).issues().isEmpty == valid)
  }

  @Test("a name of more than 64 bytes is refused")
  func longName() {
    #expect(tool(String(repeating: "a", count: 64)).issues().isEmpty)
    #expect(!tool(String(repeating: "a", count: 65)).issues().isEmpty)
  }

  @Test("duplicate and nameless parameters are named by pointer")
  func parameters() {
    let city = ToolParameter(name: "a/b", type: .string, description: "")
    #expect(tool("t", [city, city]).issues().map(\.pointer) == ["/properties/a~1b"])
    let nested = ToolParameter(name: "o", type: .object([city, city]), description: "")
    #expect(tool("t", [nested]).issues().map(\.pointer) == ["/properties/o/properties/a~1b"])
    #expect(!tool("t", [ToolParameter(name: "", type: .string, description: "")]).issues().isEmpty)
  }

  @Test("names that a dictionary takes for one are one: of parameters, and of tools")
  func equivalentNames() {
    let names = ["\u{E9}", "e\u{301}"].map { ToolParameter(name: $0, type: .string, description: "") }
    #expect(tool("t", names).issues().count == 1)
    let issues = ToolDefinition.sharedNames(of: [tool("a"), tool("b"), tool("a")])
    #expect(issues.map(\.tool) == ["a"] && ToolDefinition.sharedNames(of: [tool("a"), tool("A")]).isEmpty)
  }

  @Test("values of an enumeration must have the parameter's type")
  func enumerations() {
    func issues(_ type: ToolParameterType, _ values: [String]) -> [ToolIssue] {
      tool("t", [ToolParameter(name: "p", type: type, description: "", enumValues: values)]).issues()
    }
    #expect(issues(.integer, ["1", "10"]).isEmpty)
    #expect(issues(.integer, ["1", "x"]).map(\.pointer) == ["/properties/p/enum"])
    #expect(!issues(.string, []).isEmpty)
    #expect(!issues(.array(of: .string), ["a"]).isEmpty)
  }

  @Test("the schema shown to the model follows from the parameters")
  func derivedSchema() throws {
    let definition = ToolDefinition(
      name: "get_weather", description: "Get current weather for a city",
      parameters: [
        ToolParameter(name: "city", type: .string, description: "City name"),
        ToolParameter(name: "days", type: .integer, description: "", required: false, enumValues: ["1", "3"]),
      ])
    let expected = """
      {"type": "function", "function": {"name": "get_weather", "description": "Get current weather for a city", \
      "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "City name"}, \
      "days": {"type": "integer", "enum": [1, 3]}}, "required": ["city"]}}}
      """
    #expect(definition.openAIForm.spaced == expected)
  }

  @Test("a tool without parameters shows an object with empty properties")
  func withoutParameters() {
    let shown = tool("get_time").openAIForm["function"]?["parameters"]
    #expect(shown?.spaced == #"{"type": "object", "properties": {}, "required": []}"#)
  }
}
