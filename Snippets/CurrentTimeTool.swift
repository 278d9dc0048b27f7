// A tool without parameters.
import Foundation
import RunAnywhere

let timeTool = ToolDefinition(
  name: "get_current_time",
  description: "Get the current date and time",
  parameters: []
)

func registerTimeTool() async {
  await RunAnywhere.registerTool(timeTool) { _ -> [String: ToolValue] in
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss zzz"
    return [
      "datetime": .string(formatter.string(from: Date())),
      "timestamp": .number(Date().timeIntervalSince1970),
    ]
  }
}
