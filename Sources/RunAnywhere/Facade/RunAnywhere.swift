/// Language models on the device, with tools: the entry to the API.
///
/// ```swift
/// import RunAnywhere
///
/// try await RunAnywhere.loadModel(modelId: "smollm2-135m-instruct")
/// await RunAnywhere.registerTool(weatherTool) { args -> [String: ToolValue] in
///   ["temperature": .number(72), "city": .string(args["city"]?.stringValue ?? "Unknown")]
/// }
/// let result = try await RunAnywhere.generateWithTools(prompt: "What's the weather in San Francisco?")
/// print(result.text)
/// ```
///
/// One model is loaded at a time; requests are served one after the other. Programs with several models make instances of
/// ``LanguageModel``. Nothing needs to be initialised, and everything may be called from any task.
public enum RunAnywhere {}
