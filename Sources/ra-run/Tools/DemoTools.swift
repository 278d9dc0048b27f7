import Foundation
import RunAnywhere

/// Three small tools to try things with: the weather (made up), a calculator, the time.
enum DemoTools {
  static let all = [weather, calculator, time]

  static let weather = Tool(
    ToolDefinition(
      name: "get_weather", description: "Get current weather for a city including temperature and conditions",
      parameters: [ToolParameter(name: "city", type: .string, description: "City name")])
  ) { arguments in
    let city = arguments["city"]?.stringValue ?? "Unknown"
    let known: [String: (Double, String)] = [
      "san francisco": (62, "foggy"), "new york": (45, "cloudy"), "miami": (82, "sunny"), "london": (51, "rainy"),
    ]
    let (temperature, condition) = known[city.lowercased()] ?? (70, "clear")
    return ["city": .string(city), "temperature_fahrenheit": .number(temperature), "condition": .string(condition)]
  }

  static let calculator = Tool(
    ToolDefinition(
      name: "calculate", description: "Evaluate a mathematical expression and return the numeric result",
      parameters: [
        ToolParameter(name: "expression", type: .string, description: "Math expression (e.g. '2 + 3 * 4')")
      ])
  ) { arguments in
    ["result": .number(try Calculator.evaluate(arguments["expression"]?.stringValue ?? ""))]
  }

  static let time = Tool(
    ToolDefinition(name: "get_current_time", description: "Get the current date and time", parameters: [])
  ) { _ in
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss zzz"
    return ["datetime": .string(formatter.string(from: Date()))]
  }
}
