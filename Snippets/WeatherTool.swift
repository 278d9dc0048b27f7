// A tool that looks something up by name.
import RunAnywhere

let weatherTool = ToolDefinition(
  name: "get_weather",
  description: "Get current weather for a city including temperature and conditions",
  parameters: [
    ToolParameter(name: "city", type: .string, description: "City name", required: true)
  ]
)

func registerWeatherTool() async {
  await RunAnywhere.registerTool(weatherTool) { args -> [String: ToolValue] in
    let city = args["city"]?.stringValue ?? "Unknown"

    // In production, call a real weather API here
    let conditions: [String: (Double, String)] = [
      "san francisco": (62.0, "foggy"),
      "new york": (45.0, "cloudy"),
      "miami": (82.0, "sunny"),
    ]

    let key = city.lowercased()
    let (temp, condition) = conditions[key] ?? (70.0, "clear")

    return [
      "temperature": .number(temp),
      "condition": .string(condition),
      "city": .string(city),
    ]
  }
}
