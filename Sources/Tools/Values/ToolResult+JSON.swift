public import JSON

extension ToolResult {
  /// The result as a document: `call_id`, `name`, `success`, and `result` or `error`.
  public var json: JSONValue {
    var document: JSONObject = [
      "call_id": .string(callId), "name": .string(toolName), "success": .boolean(success),
    ]
    document["result"] = result.map { ToolValue.object($0).json } ?? .null
    document["error"] = error.map { .string($0) } ?? .null
    return .object(document)
  }

  /// A result from its document.
  ///
  /// - Throws: ``ToolImportError`` when it doesn't say whether the call succeeded, or its result is no object.
  public init(importing json: JSONValue) throws(ToolImportError) {
    guard let success = json["success"]?.booleanValue else {
      throw ToolImportError(reason: "a tool's result doesn't say whether it is a success")
    }
    var result: [String: ToolValue]?
    switch json["result"] ?? .null {
    case .null: break
    case .object(let object): result = ToolValue.members(of: object)
    default: throw ToolImportError(reason: "a tool's result is no object")
    }
    self.init(
      success: success, result: result, error: json["error"]?.stringValue, toolName: json["name"]?.stringValue ?? "",
      callId: json["call_id"]?.stringValue ?? "")
  }
}
