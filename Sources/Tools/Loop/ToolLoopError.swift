/// Why a generation with tools was refused before it began.
package enum ToolLoopError: Error, Sendable, Equatable {
  case emptyPrompt
  case negativeCallLimit(Int)
  case noTokens(Int)
  /// A call is required, but no tool is registered.
  case noToolToRequire
  /// A tool was named that isn't registered; with those that are.
  case unknownTool(String, known: [String])
  case invalidTools([ToolIssue])
  /// `continueWithToolResults` got results that don't match the calls that wait for them.
  case wrongResults(String)
}

extension ToolLoopError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .emptyPrompt: return "the prompt is empty"
    case .negativeCallLimit(let limit): return "maxToolCalls is \(limit); it must be 0 or more"
    case .noTokens(let limit): return "maxTokens is \(limit); it must be at least 1"
    case .noToolToRequire: return "toolChoice asks for a tool call, but no tool is registered"
    case .unknownTool(let name, let known):
      let list = known.isEmpty ? "none" : known.joined(separator: ", ")
      return "toolChoice names the tool \"\(name)\", which is not registered; registered: \(list)"
    case .invalidTools(let issues):
      let list = issues.map(\.description).joined(separator: "; ")
      return "\(list). Register a corrected definition, or unregister the tool"
    case .wrongResults(let reason): return reason
    }
  }
}
