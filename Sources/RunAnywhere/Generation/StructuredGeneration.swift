public import Tools

extension RunAnywhere {
  /// Answers a prompt with JSON that satisfies `schema`.
  ///
  /// ```swift
  /// let schema = try JSONSchema(parsing: #"{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}"#)
  /// let result = try await RunAnywhere.generate("Where is the Louvre?", schema: schema)
  /// print(result.text)  // {"city": "Paris"}
  /// ```
  ///
  /// When tokens run out the document is closed by the shortest legal text; only where that doesn't fit either it stays
  /// unfinished, and `finishReason` is `.length`.
  ///
  /// - Throws: ``SDKError``; `.validationFailed` when the schema can't be honoured.
  public static func generate(
    _ prompt: String, schema: JSONSchema, options: LLMGenerationOptions = .structured
  ) async throws -> LLMGenerationResult {
    try await generate(prompt, options: options.holding(to: schema))
  }

  /// Answers a prompt with a value.
  ///
  /// ```swift
  /// struct Person: Decodable, Sendable {
  ///   let name: String
  ///   let age: Int
  /// }
  /// let person = try await RunAnywhere.generate("Invent a person.", as: Person.self)
  /// ```
  ///
  /// The answer is held to `schema`; `nil` takes the schema of the type.
  ///
  /// - Throws: ``SDKError``: `.validationFailed` when the type has no schema, its schema can't be honoured, or what fits
  ///   `schema` doesn't fit the type; `.generationFailed` when tokens ran out before the document was complete.
  public static func generate<Value: Decodable & Sendable>(
    _ prompt: String, as type: Value.Type, schema: JSONSchema? = nil, options: LLMGenerationOptions = .structured
  ) async throws -> Value {
    let schema = try StructuredAnswer.schema(of: type, or: schema)
    return try StructuredAnswer.value(of: await generate(prompt, schema: schema, options: options))
  }
}

extension LanguageModel {
  /// Answers a question with a value; see `RunAnywhere.generate(_:as:schema:options:)`.
  ///
  /// - Throws: ``SDKError``.
  public func respond<Value: Decodable & Sendable>(
    to prompt: String, as type: Value.Type, schema: JSONSchema? = nil, options: LLMGenerationOptions = .structured
  ) async throws -> Value {
    let schema = try StructuredAnswer.schema(of: type, or: schema)
    return try StructuredAnswer.value(of: await respond(to: prompt, generating: schema, options: options))
  }
}

extension ChatSession {
  /// Answers a question with a value; its JSON text becomes the turn.
  ///
  /// - Throws: ``SDKError``.
  public func respond<Value: Decodable & Sendable>(
    to prompt: String, as type: Value.Type, schema: JSONSchema? = nil, options: LLMGenerationOptions = .structured
  ) async throws -> Value {
    let schema = try StructuredAnswer.schema(of: type, or: schema)
    return try StructuredAnswer.value(of: await respond(to: prompt, generating: schema, options: options))
  }
}

extension LLMGenerationOptions {
  /// The defaults for answers in JSON: up to 512 tokens, always the likeliest one.
  public static var structured: LLMGenerationOptions { LLMGenerationOptions(maxTokens: 512, temperature: 0) }

  /// The same options for an answer that satisfies `schema`.
  func holding(to schema: JSONSchema) -> LLMGenerationOptions {
    var options = self
    options.schema = schema
    return options
  }
}

/// From a type to the schema of an answer, and from the answer to a value.
enum StructuredAnswer {
  static func schema<Value: Decodable>(of type: Value.Type, or schema: JSONSchema?) throws(SDKError) -> JSONSchema {
    if let schema { return schema }
    do throws(SchemaDerivationError) {
      return try JSONSchema(describing: type)
    } catch {
      throw SDKError(code: .validationFailed, message: "\(error)", underlyingError: error)
    }
  }

  static func value<Value: Decodable>(of result: LLMGenerationResult) throws(SDKError) -> Value {
    guard let document = try? ToolValue(json: result.text) else {
      throw SDKError(
        code: .generationFailed,
        message:
          "the answer ended after \(result.tokensUsed) tokens (\(result.finishReason)) before its JSON was complete; "
          + "raise maxTokens, or bound strings and arrays in the schema. So far: \(result.text.prefix(200))")
    }
    do throws(ToolCodingError) {
      return try document.decode(Value.self)
    } catch {
      throw SDKError(
        code: .validationFailed, message: "what fits the schema doesn't fit \(Value.self): \(error)",
        underlyingError: error)
    }
  }
}
