import Grammar
import JSON
import TestSupport
import Testing

@testable import Grammar

@Suite struct NumberTests {
  @Test("integers follow JSON (case 37)") func integersFollowJSON() throws {
    let integer = try GrammarFixture.matcher(["type": "integer"])
    for text in ["0", "-0", "-7", "42", "9223372036854775807", "-9223372036854775808"] {
      #expect(GrammarFixture.accepts(integer, text), "\(text)")
    }
    for text in ["02", "-", "+1", "1.0", "--1", "", "1e5", "0x10", "9223372036854775808"] {
      #expect(!GrammarFixture.accepts(integer, text), "\(text)")
    }
  }

  @Test("numbers follow JSON (case 37)") func numbersFollowJSON() throws {
    let number = try GrammarFixture.matcher(["type": "number"])
    for text in ["0.5", "1e5", "1E+10", "-0.0", "1e-07", "0", "47.50"] {
      #expect(GrammarFixture.accepts(number, text), "\(text)")
    }
    for text in [".5", "1.", "1e", "01", "NaN", "Infinity", "0x10", "1e999", "-"] {
      #expect(!GrammarFixture.accepts(number, text), "\(text)")
    }
  }

  @Test("number bounds are kept (case 37)") func boundsAreKept() throws {
    let bounded = try GrammarFixture.matcher(["type": "integer", "minimum": 3, "maximum": 42])
    for text in ["3", "9", "10", "42"] { #expect(GrammarFixture.accepts(bounded, text), "\(text)") }
    for text in ["2", "43", "03", "-3", "100", "3.0"] { #expect(!GrammarFixture.accepts(bounded, text), "\(text)") }
  }

  @Test("exponents only where they can't lead out of the set (case 37)") func exponents() throws {
    let free = try GrammarFixture.matcher(["type": "number"])
    for text in ["1e+300", "9e307", "12345678901234567890e280", "0.1e-280"] {
      #expect(GrammarFixture.accepts(free, text), "\(text)")
    }
    for text in ["1e308", "12e300", "1.5e300", "1e-300"] { #expect(!GrammarFixture.accepts(free, text), "\(text)") }
    let latitude = try GrammarFixture.matcher(["type": "number", "minimum": -90, "maximum": 90])
    for text in ["1e-07", "-89.5E-3", "0e-1"] { #expect(GrammarFixture.accepts(latitude, text), "\(text)") }
    for text in ["1e7", "1e+0", "1e07", "91e-1", "1e-", "1e-0x"] {
      #expect(!GrammarFixture.accepts(latitude, text), "\(text)")
    }
    let above = try GrammarFixture.matcher(["type": "number", "minimum": 1, "maximum": 90])
    #expect(!GrammarFixture.accepts(above, "5e-1"))
    let positive = try GrammarFixture.matcher(["type": "number", "exclusiveMinimum": 0, "maximum": 1])
    #expect(GrammarFixture.accepts(positive, "1e-9"))
    #expect(!GrammarFixture.accepts(positive, "0e-9"))
  }

  @Test("a model that prefers digits comes to an end (case 37)") func numbersEnd() throws {
    var matcher = try GrammarFixture.matcher(["type": "number"])
    var digits = 0
    while matcher.accept(bytes: [0x39]) { digits += 1 }
    #expect(digits == 20)
    #expect(matcher.isComplete)
  }

  @Test("multiples with many digits are found, and sets without a number refused, by calculation")
  func largeMultiples() throws {
    let prime = try GrammarFixture.matcher(["type": "integer", "multipleOf": 999_999_937])
    for text in ["0", "999999937", "-1999999874", "9223372035927525129"] {
      #expect(GrammarFixture.accepts(prime, text), "\(text)")
    }
    #expect(!GrammarFixture.accepts(prime, "999999938"))
    var started = prime
    expect(started.accept(bytes: "7".utf8))
    let rest = try #require(started.shortestCompletion())
    expect(started.accept(bytes: rest) && started.isComplete)

    let either = try GrammarFixture.matcher(
      ["oneOf": [["type": "integer", "multipleOf": 2], ["type": "integer", "multipleOf": 3000]]])
    for (text, isRight) in [("2", true), ("2998", true), ("3000", false), ("6000", false), ("7", false)] {
      #expect(GrammarFixture.accepts(either, text) == isRight, "\(text)")
    }
    for schema: JSONValue in [
      ["type": "integer", "multipleOf": 1_000_003, "minimum": 1, "maximum": 1_000_002],
      ["type": "integer", "multipleOf": 3_000_000, "not": ["multipleOf": 1_000_000]],
      ["type": "integer", "not": ["multipleOf": 0.0009765625]],
      [
        "type": "number",
        "allOf": [["multipleOf": 0.9999991], ["multipleOf": 1.1], ["minimum": 0.1, "maximum": 1000]],
      ],
    ] {
      #expect(throws: GrammarError.self, "\(schema)") { try GrammarFixture.matcher(schema) }
    }
  }

  /// What is calculated about endings against trying every digit.
  @Test func endingsEqualTrying() throws {
    var random = SeededGenerator(seed: 63)
    for round in 0..<60 {
      var constraint = NumberConstraint(isInteger: round % 3 != 0)
      func bound() -> NumberConstraint.Bound? {
        let scale: Double = constraint.isInteger ? 1 : ([1, 10, 1000].randomElement(using: &random) ?? 1)
        let value = DecimalNumber(.double(Double(Int.random(in: -900...900, using: &random)) / scale))
        return value.map { NumberConstraint.Bound(value: $0, isExclusive: Bool.random(using: &random)) }
      }
      // Without bounds there are twenty digits to try.
      let isOpen = round % 10 == 0 && constraint.isInteger
      if !isOpen || Bool.random(using: &random) { constraint.lower = bound() }
      if !isOpen || Bool.random(using: &random) { constraint.upper = bound() }
      let steps: [JSONValue] = isOpen ? [2, 7] : constraint.isInteger ? [2, 7, 30, 64] : [0.5, 3, 0.07, 12]
      if round % 4 != 1, let step = steps.randomElement(using: &random) {
        constraint.multiples = [DecimalNumber(step)].compactMap { $0 }
      }
      if round % 5 == 0, let step = [2, 5, 0.1].randomElement(using: &random) {
        constraint.nonMultiples = [DecimalNumber(.double(step))].compactMap { $0 }
      }
      let machine = try NumberMachine(constraint, maximumDigits: 6)
      var known: [NumberState: Bool] = [:]
      func tried(_ state: NumberState) -> Bool {
        if let result = known[state] { return result }
        var result = machine.accepts(state)
        for byte in NumberMachine.alphabet { if let next = machine.next(state, byte), tried(next) { result = true } }
        known[state] = result
        return result
      }
      _ = tried(machine.start)
      for (state, isAlive) in known {
        switch machine.ending(state) {
        case nil: break
        case .never: #expect(!isAlive, "\(state) in \(constraint), seed 63")
        case .bytes(let bytes):
          let end = bytes.reduce(NumberState?.some(state)) { state, byte in state.flatMap { machine.next($0, byte) } }
          #expect(end.map { machine.accepts($0) } == true, "\(state) and \(bytes) in \(constraint), seed 63")
        }
      }
    }
  }

  /// The automaton against the arithmetic of `DecimalNumber`, on random bounds and spellings.
  @Test func machineEqualsArithmetic() throws {
    var random = SeededGenerator(seed: 31)
    func decimal() -> DecimalNumber? {
      let scale = [1, 10, 100].randomElement(using: &random) ?? 1
      return DecimalNumber(.double(Double(Int.random(in: -3_000...3_000, using: &random)) / Double(scale)))
    }
    for round in 0..<150 {
      var constraint = NumberConstraint(isInteger: Bool.random(using: &random))
      if Bool.random(using: &random), let value = decimal() {
        constraint.lower = .init(value: value, isExclusive: Bool.random(using: &random))
      }
      if Bool.random(using: &random), let value = decimal() {
        constraint.upper = .init(value: value, isExclusive: Bool.random(using: &random))
      }
      if round % 4 == 0, let step = DecimalNumber(.double([0.25, 3, 0.1, 7].randomElement(using: &random) ?? 3)) {
        if round % 8 == 0 { constraint.multiples = [step] } else { constraint.nonMultiples = [step] }
      }
      if constraint.single != nil { continue }
      let machine = try NumberMachine(constraint, maximumDigits: 20)
      for _ in 0..<60 {
        guard let value = decimal() else { continue }
        let text = value.spelling
        var state: NumberState? = machine.start
        for byte in text.utf8 { state = state.flatMap { machine.next($0, byte) } }
        let found = state.map { machine.accepts($0) } ?? false
        var wanted = !constraint.isInteger || value.isInteger
        if let lower = constraint.lower {
          wanted = wanted && (value > lower.value || (value == lower.value && !lower.isExclusive))
        }
        if let upper = constraint.upper {
          wanted = wanted && (value < upper.value || (value == upper.value && !upper.isExclusive))
        }
        for step in constraint.multiples { wanted = wanted && value.isMultiple(of: step) }
        for step in constraint.nonMultiples { wanted = wanted && !value.isMultiple(of: step) }
        #expect(found == wanted, "\(text) in \(constraint), seed 31")
      }
    }
  }
}
