// Tools whose arguments and results are Swift types.
import Foundation
import RunAnywhere

// snippet.types
struct ForecastRequest: SchemaDescribing {
  enum Unit: String, CaseIterable, Decodable { case celsius, fahrenheit }

  let city: String
  let days: Int?
  let unit: Unit

  static let descriptions = ["city": "City name", "days": "How many days ahead, 1 to 7"]
}

struct Forecast: Encodable {
  let city: String
  let degrees: [Double]
  let asOf: Date
}
// snippet.end

func registerForecast() async throws {
  // snippet.register
  await RunAnywhere.registerTool(name: "get_forecast", description: "Get the weather of the next days") {
    (request: ForecastRequest) in
    let degrees = (0..<(request.days ?? 1)).map { 20 + Double($0) }
    return Forecast(city: request.city, degrees: degrees, asOf: Date())
  }
  // snippet.end
  // snippet.validate
  try await RunAnywhere.validateTools()
  // snippet.end
}

func localTools(_ model: LanguageModel) async throws -> ToolCallingResult {
  // snippet.local
  struct Dice: Decodable { let sides: Int }
  let dice = Tool(name: "roll", description: "Roll one die") { (dice: Dice) in
    Int.random(in: 1...max(dice.sides, 1))
  }
  let result = try await model.respond(to: "Roll a die with 20 sides.", tools: [dice])
  // snippet.end
  // snippet.repeats
  let die = Tool(name: "roll", description: "Roll one die", allowsRepeats: true) { (dice: Dice) in
    Int.random(in: 1...max(dice.sides, 1))
  }
  let both = try await model.respond(to: "Roll two dice with 6 sides.", tools: [die])
  // snippet.end
  _ = both
  return result
}
