// Calls that the program approves before they run.
import RunAnywhere

func approvedCalls(
  prompt: String, approves: @Sendable (ToolCall) async -> Bool
) async throws -> ToolCallingResult {
  // snippet.approval
  let options = ToolCallingOptions(autoExecute: false)
  var result = try await RunAnywhere.generateWithTools(prompt: prompt, options: options)
  while !result.pendingCalls.isEmpty {
    var results: [ToolResult] = []
    for call in result.pendingCalls {
      if await approves(call) {
        results.append(try await RunAnywhere.executeTool(call))
      } else {
        results.append(.failure("the user did not allow this call", of: call))
      }
    }
    result = try await RunAnywhere.continueWithToolResults(results, after: result, options: options)
  }
  // snippet.end
  return result
}
