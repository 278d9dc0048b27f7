import Testing
import Tools

@Suite("Calculator")
struct CalculatorTests {
  @Test(
    "values",
    arguments: [
      ("2 + 3 * 4", 14), ("(2+3)*4", 20), ("-2^2", -4), ("2^-1", 0.5), ("2^3^2", 512), ("2**10", 1024),
      ("15% * 47.50", 7.125), ("0.15 * 47.50", 7.125), ("15% of 47.50", 7.125), ("47.50 + 15%", 54.625),
      ("100 - 10%", 90), ("10 % 4", 2), ("7 %(3)", 1), ("$47.50 * 0.15", 7.125), ("1,234,567 + 1", 1_234_568),
      ("sqrt(16) + abs(-3)", 7), ("pi * 0", 0), ("1e3 + .5", 1000.5), ("1.", 1), ("--3", 3), ("6 ÷ 2 × 3", 9),
      ("  42  ", 42), ("SQRT(4)", 2),
    ])
  func values(_ expression: String, _ value: Double) throws {
    #expect(abs(try Calculator.evaluate(expression) - value) < 1e-9)
  }

  @Test(
    "faults",
    arguments: [
      ("", CalculatorError.incomplete), ("1 +", .incomplete), ("(1", .incomplete), ("1 / 0", .divisionByZero),
      ("5 % 0", .divisionByZero), ("2 2", .unexpected("2")), ("1; drop", .unexpected("; drop")),
      ("rm(1)", .unknownName("rm")), ("9^9^9", .notFinite), ("sqrt(-1)", .notFinite),
    ])
  func faults(_ expression: String, _ error: CalculatorError) {
    #expect(throws: error) { try Calculator.evaluate(expression) }
  }

  @Test("hostile lengths and depths are refused, not followed")
  func bounds() {
    #expect(throws: CalculatorError.tooLong) { try Calculator.evaluate(String(repeating: "1+", count: 4000)) }
    #expect(throws: CalculatorError.tooDeep) { try Calculator.evaluate(String(repeating: "(", count: 4000)) }
    #expect(throws: CalculatorError.tooDeep) { try Calculator.evaluate(String(repeating: "2^", count: 2000) + "2") }
    #expect(throws: CalculatorError.incomplete) { try Calculator.evaluate(String(repeating: "-", count: 4000)) }
  }

  @Test("random texts never trap")
  func randomTexts() {
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: .min ... .max, using: &generator)
    var state = seed
    let alphabet = Array("0123456789+-*/%^().,e $piof×é")
    for _ in 0..<5000 {
      var text = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      let value = try? Calculator.evaluate(text)
      #expect(value?.isFinite != false, "\(text), seed \(seed)")
    }
  }
}
