/// What came of a tool call.
public struct ToolResult: Sendable, Hashable {
  /// Whether the handler returned.
  public let success: Bool
  /// What the handler returned, or `nil` when it failed.
  public let result: [String: ToolValue]?
  /// Why there is no result.
  public let error: String?
  /// The name of the called tool.
  public let toolName: String
  /// The ``ToolCall/id`` of the call.
  public let callId: String

  /// A result, for programs that run tools themselves (`autoExecute: false`).
  public init(
    success: Bool, result: [String: ToolValue]? = nil, error: String? = nil, toolName: String = "", callId: String = ""
  ) {
    self.success = success
    self.result = result
    self.error = error
    self.toolName = toolName
    self.callId = callId
  }

  /// The result of `call`.
  public static func success(_ result: [String: ToolValue], of call: ToolCall) -> ToolResult {
    ToolResult(success: true, result: result, toolName: call.toolName, callId: call.id)
  }

  /// The failure of `call`; `error` goes to the model as data.
  public static func failure(_ error: String, of call: ToolCall) -> ToolResult {
    ToolResult(success: false, error: error, toolName: call.toolName, callId: call.id)
  }
}

extension ToolResult: CustomStringConvertible {
  /// The result in a line: `get_weather: {"city":"Miami","temperature":82.0}`, or `get_weather failed: no such city`.
  public var description: String {
    let name = toolName.isEmpty ? "tool" : toolName
    guard success else { return "\(name) failed: \(error ?? "no reason given")" }
    return "\(name): \(ToolValue.object(result ?? [:]).jsonText)"
  }
}
