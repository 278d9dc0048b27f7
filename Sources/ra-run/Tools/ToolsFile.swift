import RunAnywhere

/// A tool of the user's, read from a file.
struct UserTool: Sendable {
  let definition: ToolDefinition
  /// The program that runs the tool, with its arguments; `nil` when calls are only printed.
  let command: [String]?
}

/// The user's tools: a JSON file in the shape of OpenAI's API or of MCP's `tools/list`.
///
/// ```json
/// [{"type": "function",
///   "function": {"name": "get_weather", "description": "…", "parameters": {"type": "object", …}},
///   "command": ["./weather.sh"]}]
/// ```
///
/// The list may stand in a member `tools`; a tool may be flat (`name`, `description` and `parameters` or `inputSchema`
/// beside each other).
struct ToolsFile: Sendable {
  let tools: [UserTool]

  /// Reads the file at `path`.
  init(path: String) throws(Failure) {
    try self.init(parsing: InputFile.bytes(path), name: path)
  }

  /// - Parameter name: what errors call the file.
  init(parsing bytes: [UInt8], name: String) throws(Failure) {
    try self.init(InputFile.json(bytes, name: name), name: name)
  }

  /// - Parameter name: what errors call the document.
  init(_ document: JSONValue, name: String) throws(Failure) {
    let list =
      document.arrayValue ?? document["tools"]?.arrayValue ?? (document.objectValue.map { [.object($0)] } ?? [])
    guard !list.isEmpty else { throw Failure("\(name): no tools in it; a list of tools is expected") }
    var tools: [UserTool] = []
    for (index, item) in list.enumerated() {
      do {
        tools.append(try Self.tool(item))
      } catch {
        throw Failure("\(name): tool \(index + 1): \(error)")
      }
    }
    self.tools = tools
  }

  private static func tool(_ item: JSONValue) throws(Failure) -> UserTool {
    guard item.objectValue != nil else { throw Failure("an object is expected") }
    if let type = item["type"]?.stringValue, type != "function", item["inputSchema"] == nil {
      throw Failure("type \"\(type)\" isn't supported, only \"function\"")
    }
    let definition: ToolDefinition
    do throws(ToolImportError) {
      definition = try ToolDefinition(importing: item)
    } catch {
      throw Failure(error.reason)
    }
    let command = try command(item["command"] ?? item["function"]?["command"], of: definition.name)
    return UserTool(definition: definition, command: command)
  }

  private static func command(_ value: JSONValue?, of name: String) throws(Failure) -> [String]? {
    guard let value, !value.isNull else { return nil }
    let words = value.arrayValue?.map(\.stringValue) ?? []
    let command = words.compactMap { $0 }
    guard !command.isEmpty, command.count == words.count, command.first?.isEmpty == false else {
      throw Failure("\(name): command must be a list of strings, the program first")
    }
    return command
  }
}
