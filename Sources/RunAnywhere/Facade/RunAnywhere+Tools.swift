public import Tools

extension RunAnywhere {
  // MARK: Registering

  /// Registers a tool: its definition, and the handler that runs when the model calls it.
  ///
  /// ```swift
  /// await RunAnywhere.registerTool(weatherTool) { args -> [String: ToolValue] in
  ///   ["temperature": .number(72), "city": .string(args["city"]?.stringValue ?? "Unknown")]
  /// }
  /// ```
  ///
  /// A tool of the same name is replaced and keeps its place. Handlers run off the main actor; what they throw goes to the
  /// model as data. What is wrong with a definition is reported by ``validateTools()`` and by the next generation.
  public static func registerTool(
    _ definition: ToolDefinition,
    handler: @escaping @Sendable ([String: ToolValue]) async throws -> [String: ToolValue]
  ) async {
    SharedState.shared.registry.register(definition, handler: handler)
  }

  /// Registers a tool; another spelling of ``registerTool(_:handler:)``.
  @_disfavoredOverload
  public static func registerTool(
    _ definition: ToolDefinition,
    executor: @escaping @Sendable ([String: ToolValue]) async throws -> [String: ToolValue]
  ) async {
    SharedState.shared.registry.register(definition, handler: executor)
  }

  /// Registers a tool whose handler takes and returns values of Swift types; the schema of its arguments follows from
  /// theirs.
  ///
  /// ```swift
  /// struct WeatherRequest: Decodable { let city: String; let days: Int? }
  /// struct Weather: Encodable { let temperature: Double; let condition: String }
  ///
  /// await RunAnywhere.registerTool(name: "get_weather", description: "Get current weather for a city") {
  ///   (request: WeatherRequest) in Weather(temperature: 72, condition: "sunny in \(request.city)")
  /// }
  /// ```
  ///
  /// The type of the arguments must decode from an object; ``JSONSchema/init(describing:)`` says what it may hold, and
  /// ``SchemaDescribing`` adds descriptions. A type that can't be described makes the tool invalid, which is reported as
  /// every invalid definition is. A result that encodes to no object arrives under `result`.
  /// With `allowsRepeats` identical calls all count; see ``ToolDefinition/allowsRepeats``.
  public static func registerTool<Arguments: Decodable & SendableMetatype, Output: Encodable & SendableMetatype>(
    name: String, description: String, allowsRepeats: Bool = false,
    handler: @escaping @Sendable (Arguments) async throws -> Output
  ) async {
    let tool = TypedTool(name: name, description: description, allowsRepeats: allowsRepeats, handler: handler)
    SharedState.shared.registry.register(RegisteredTool(tool))
  }

  /// Removes the tool called `name`, if there is one.
  public static func unregisterTool(_ name: String) async {
    SharedState.shared.registry.unregister(name)
  }

  /// Removes all registered tools.
  public static func clearTools() async {
    SharedState.shared.registry.clear()
  }

  /// The registered tools in the order of their first registration.
  public static func registeredTools() async -> [ToolDefinition] {
    SharedState.shared.registry.all.map(\.definition)
  }

  /// Checks the definitions of all registered tools.
  ///
  /// - Throws: ``SDKError`` with `.validationFailed`, naming tool, place and reason of everything that is wrong.
  public static func validateTools() async throws {
    let issues = SharedState.shared.registry.all.flatMap(\.issues)
    guard issues.isEmpty else { throw SDKError(mapping: ToolLoopError.invalidTools(issues)) }
  }

  // MARK: Generating

  /// Answers a prompt, letting the model call the registered tools.
  ///
  /// ```swift
  /// let result = try await RunAnywhere.generateWithTools(prompt: "What's the weather in San Francisco?")
  /// print(result.text, result.toolCalls)
  /// ```
  ///
  /// - Throws: ``SDKError``: `.notInitialized` without a model, `.invalidInput`, `.validationFailed`, `.contextTooLong`,
  ///   `.cancelled`, `.generationFailed`, `.processingFailed`. What handlers throw is not thrown here.
  public static func generateWithTools(
    prompt: String, options: ToolCallingOptions = ToolCallingOptions()
  ) async throws -> ToolCallingResult {
    try await withTools(options) { try await $0.run(prompt) }
  }

  /// Answers a prompt with tools; another spelling of ``generateWithTools(prompt:options:)``.
  public static func generateWithTools(
    _ prompt: String, options: ToolCallingOptions = ToolCallingOptions()
  ) async throws -> ToolCallingResult {
    try await generateWithTools(prompt: prompt, options: options)
  }

  /// Answers a prompt with tools and tells what happens as it happens; the last event is `.finished`.
  ///
  /// Dropping the stream stops the work.
  public static func generateWithToolsStream(
    prompt: String, options: ToolCallingOptions = ToolCallingOptions()
  ) -> AsyncThrowingStream<ToolCallingEvent, any Error> {
    StreamingTask.events { emit in
      _ = try await withTools(options, emit: emit) { try await $0.run(prompt) }
    }
  }

  /// Goes on after the program has run the calls that a generation with `autoExecute: false` ended with.
  ///
  /// ```swift
  /// var options = ToolCallingOptions(autoExecute: false)
  /// var result = try await RunAnywhere.generateWithTools(prompt: prompt, options: options)
  /// while !result.pendingCalls.isEmpty {
  ///   var results: [ToolResult] = []
  ///   for call in result.pendingCalls { results.append(try await RunAnywhere.executeTool(call)) }
  ///   result = try await RunAnywhere.continueWithToolResults(results, after: result, options: options)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - results: one for each of `previous.pendingCalls`, matched by their ids or in order.
  ///   - previous: the result that ended with the calls.
  ///   - options: as they were given for `previous`.
  /// - Throws: ``SDKError``.
  public static func continueWithToolResults(
    _ results: [ToolResult], after previous: ToolCallingResult, options: ToolCallingOptions = ToolCallingOptions()
  ) async throws -> ToolCallingResult {
    try await withTools(options) { try await $0.resume(previous, results: results) }
  }

  /// Runs the handler of a call, as a generation with `autoExecute` does: what it throws, and taking longer than 30
  /// seconds, becomes a failed result.
  ///
  /// - Throws: ``SDKError``: `.invalidInput` when no tool of that name is registered, `.cancelled`.
  public static func executeTool(_ call: ToolCall) async throws -> ToolResult {
    try await executeTool(call, timeout: ToolCallingOptions().handlerTimeout)
  }

  /// Runs the handler of a call with a time limit; see ``executeTool(_:)``.
  public static func executeTool(_ call: ToolCall, timeout: Duration) async throws -> ToolResult {
    let registry = SharedState.shared.registry
    guard let tool = registry.tool(call.toolName) else {
      let names = registry.all.map(\.definition.name).joined(separator: ", ")
      throw SDKError(
        code: .invalidInput,
        message: "there is no tool \"\(call.toolName)\"; registered: \(names.isEmpty ? "none" : names)")
    }
    return try await SDKError.mapping {
      try await ToolExecutor(timeout: timeout).run(call, with: tool)
    }
  }

  private static func withTools(
    _ options: ToolCallingOptions, emit: @escaping @Sendable (ToolCallingEvent) -> Void = { _ in },
    _ body: @escaping @Sendable (ToolLoop) async throws -> ToolCallingResult
  ) async throws -> ToolCallingResult {
    let model = try SharedState.shared.loadedModel(before: "generating with tools")
    let tools = SharedState.shared.registry.all
    return try await SDKError.mapping {
      try await SharedState.shared.cancellable {
        try await model.run(tools, options: options, emit: emit, body)
      }
    }
  }
}
