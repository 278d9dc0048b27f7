import JSON

/// A value that goes in and out as a JSON document of a known shape; encoders and decoders get the same shape.
protocol JSONDocument: Codable {
  /// The value as a document.
  var document: JSONValue { get }

  /// A value from its document.
  ///
  /// - Throws: ``ToolImportError``, naming what is missing or wrong.
  init(importing json: JSONValue) throws(ToolImportError)
}

extension JSONDocument {
  /// Decodes the document that encoding gives.
  public init(from decoder: any Decoder) throws {
    try self.init(importing: try ToolValue(from: decoder).json)
  }

  /// Encodes the value as its JSON document.
  public func encode(to encoder: any Encoder) throws {
    try ToolValue(document).encode(to: encoder)
  }
}

// What programs see of it: each is `Codable`.
extension LLMMessage: Codable, JSONDocument {
  var document: JSONValue { openAIMessage }
}

extension ToolCall: Codable, JSONDocument {
  var document: JSONValue { openAICall }
}

extension ToolResult: Codable, JSONDocument {
  var document: JSONValue { json }
}

extension ToolCallingResult: Codable, JSONDocument {
  var document: JSONValue { json }
}

extension TokenUsage: Codable, JSONDocument {
  var document: JSONValue { json }
}

extension GenerationTimings: Codable, JSONDocument {
  var document: JSONValue { json }
}
