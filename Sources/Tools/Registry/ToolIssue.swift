/// Why a tool can't be offered to the model.
public struct ToolIssue: Sendable, Hashable, CustomStringConvertible {
  /// The tool's name as it was registered.
  public let tool: String
  /// Where in the definition, as a JSON pointer into the schema of the arguments; empty for the tool itself.
  public let pointer: String
  /// What is wrong and what to do.
  public let reason: String

  /// An issue in one line.
  public var description: String {
    let name = tool.isEmpty ? "a tool without a name" : "tool \"\(tool)\""
    return pointer.isEmpty ? "\(name): \(reason)" : "\(name) at \(pointer): \(reason)"
  }
}
