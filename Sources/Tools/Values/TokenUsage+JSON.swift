public import JSON

extension TokenUsage {
  /// The counts by their names in JSON.
  static let members: [(name: String, count: any WritableKeyPath<TokenUsage, Int> & Sendable)] = [
    ("prompt_tokens", \.promptTokens), ("cached_tokens", \.cachedTokens), ("generated_tokens", \.generatedTokens),
    ("forced_tokens", \.forcedTokens), ("drafted_tokens", \.draftedTokens), ("copied_tokens", \.copiedTokens),
    ("weighed_tokens", \.weighedTokens),
  ]

  /// The counts as a document: `prompt_tokens`, `cached_tokens`, `generated_tokens`, `forced_tokens`, `drafted_tokens`,
  /// `copied_tokens` and `weighed_tokens`.
  public var json: JSONValue {
    .object(JSONObject(Self.members.map { ($0.name, .integer(self[keyPath: $0.count])) }))
  }

  /// The counts from their document; those that are missing are 0.
  ///
  /// - Throws: ``ToolImportError`` when it is no object, or a count is no whole number.
  public init(importing json: JSONValue) throws(ToolImportError) {
    self.init()
    for (name, count) in Self.members { self[keyPath: count] = try Self.figure(json, name, \.integerValue) ?? 0 }
  }
}

extension GenerationTimings {
  private static let members: [(name: String, figure: any WritableKeyPath<GenerationTimings, Double> & Sendable)] = [
    ("time_to_first_token_s", \.timeToFirstToken), ("prefill_s", \.prefill), ("decode_s", \.decode),
    ("prefill_tps", \.prefillTokensPerSecond), ("decode_tps", \.decodeTokensPerSecond),
  ]

  /// The times as a document, in seconds and tokens a second: `time_to_first_token_s`, `prefill_s`, `decode_s`,
  /// `prefill_tps` and `decode_tps`.
  public var json: JSONValue {
    .object(JSONObject(Self.members.map { ($0.name, .double(self[keyPath: $0.figure])) }))
  }

  /// The times from their document; those that are missing are 0.
  ///
  /// - Throws: ``ToolImportError`` when it is no object, or a time is no number.
  public init(importing json: JSONValue) throws(ToolImportError) {
    self.init()
    for (name, figure) in Self.members { self[keyPath: figure] = try Self.figure(json, name, \.doubleValue) ?? 0 }
  }
}

extension JSONDocument {
  /// The figure called `name` in a document of figures; nil when it isn't there.
  fileprivate static func figure<Figure>(
    _ json: JSONValue, _ name: String, _ read: (JSONValue) -> Figure?
  ) throws(ToolImportError) -> Figure? {
    guard let object = json.objectValue else { throw ToolImportError(reason: "counts and times are no object") }
    guard let value = object[name], !value.isNull else { return nil }
    guard let figure = read(value) else { throw ToolImportError(reason: "\"\(name)\" is no number") }
    return figure
  }
}
