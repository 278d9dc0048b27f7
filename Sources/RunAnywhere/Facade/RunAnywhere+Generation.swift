extension RunAnywhere {
  /// Answers a prompt with the loaded model.
  ///
  /// ```swift
  /// let result = try await RunAnywhere.generate("Name three rivers.", options: LLMGenerationOptions(maxTokens: 60))
  /// print(result.text, result.tokensPerSecond)
  /// ```
  ///
  /// - Throws: ``SDKError``.
  public static func generate(
    _ prompt: String, options: LLMGenerationOptions = LLMGenerationOptions()
  ) async throws -> LLMGenerationResult {
    let model = try SharedState.shared.loadedModel(before: "generating")
    return try await SDKError.mapping {
      try await SharedState.shared.cancellable { try await model.respond(to: prompt, options: options) }
    }
  }

  /// Answers a prompt in chunks.
  ///
  /// - Throws: ``SDKError`` when no model is loaded; everything later comes through the stream.
  public static func generateStream(
    _ prompt: String, options: LLMGenerationOptions = LLMGenerationOptions()
  ) async throws -> LLMStreamingResult {
    let model = try SharedState.shared.loadedModel(before: "generating")
    return StreamingTask.start { emit in
      try await SDKError.mapping {
        try await SharedState.shared.cancellable {
          try await model.generate([.user(prompt)], options: options, onText: emit)
        }
      }
    }
  }

  /// The answer to one message, as text.
  ///
  /// - Throws: ``SDKError``.
  public static func chat(_ message: String) async throws -> String {
    try await generate(message, options: LLMGenerationOptions(maxTokens: 512)).text
  }

  /// Cancels everything that is being generated; it ends with `.cancelled` within a token or a chunk of the prompt.
  public static func cancelGeneration() async {
    SharedState.shared.cancelAll()
  }
}
