// A tool that computes. `Calculator` reads what models write ("15% of 47.50") and works on every platform; on Apple's,
// NSExpression is another way, but it raises an exception on text that isn't an expression.
import Foundation
import RunAnywhere

let calcTool = ToolDefinition(
  name: "calculate",
  description: "Evaluate a mathematical expression and return the numeric result",
  parameters: [
    ToolParameter(
      name: "expression", type: .string, description: "Math expression (e.g. '2 + 3 * 4')", required: true)
  ]
)

func registerCalculatorTool() async {
  await RunAnywhere.registerTool(calcTool) { args -> [String: ToolValue] in
    let expr = args["expression"]?.stringValue ?? "0"
    if let result = try? Calculator.evaluate(expr) {
      return ["result": .number(result)]
    }
    return ["error": .string("Could not evaluate expression")]
  }
}

#if canImport(ObjectiveC)
  func registerExpressionTool() async {
    await RunAnywhere.registerTool(calcTool) { args -> [String: ToolValue] in
      let expr = args["expression"]?.stringValue ?? "0"
      let expression = NSExpression(format: expr)
      if let result = expression.expressionValue(with: nil, context: nil) as? NSNumber {
        return ["result": .number(result.doubleValue)]
      }
      return ["error": .string("Could not evaluate expression")]
    }
  }
#endif
