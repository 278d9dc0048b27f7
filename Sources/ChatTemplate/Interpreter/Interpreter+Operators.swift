extension Interpreter {
  func signed(_ value: Value, isMinus: Bool) throws(TemplateError) -> Value {
    switch value {
    case .integer(let number):
      guard isMinus else { return value }
      return number == .min ? Value(-BigInteger(number)) : .integer(-number)
    case .big(let number): return isMinus ? Value(-number) : value
    case .double(let number): return .double(isMinus ? -number : number)
    case .boolean(let flag): return .integer(flag ? (isMinus ? -1 : 1) : 0)
    case .undefined(let undefined): throw fail(undefined)
    default: throw fail(.type, "bad operand type for unary \(isMinus ? "-" : "+"): '\(value.typeName)'")
    }
  }

  func apply(_ operation: Arithmetic.Operator, _ left: Value, _ right: Value) throws(TemplateError) -> Value {
    try step()
    if case .undefined(let undefined) = left { throw fail(undefined) }
    if case .undefined(let undefined) = right { throw fail(undefined) }
    if operation == .add, case .string(let first) = left {
      guard case .string(let second) = right else {
        throw fail(.type, "can only concatenate str (not \"\(right.typeName)\") to str")
      }
      return .string(try joined(first, second))
    }
    if let a = Number(left), let b = Number(right) { return try arithmetic(operation, a, b) }
    switch (operation, left, right) {
    case (.add, .list(let first), .list(let second)): return .list(try list(first.values + second.values))
    case (.add, .tuple(let first), .tuple(let second)): return .tuple(try list(first.values + second.values))
    case (.multiply, .string, _), (.multiply, _, .string), (.multiply, .list, _), (.multiply, _, .list),
      (.multiply, .tuple, _), (.multiply, _, .tuple):
      if let count = right.index { return try repeated(left, count, right) }
      if let count = left.index { return try repeated(right, count, left) }
    case (.modulo, .string(let format), _): return .string(try formatted(percent: format, right))
    default: break
    }
    throw fail(
      .type,
      "unsupported operand type(s) for \(operation.rawValue): '\(left.typeName)' and '\(right.typeName)'")
  }

  private func joined(_ first: Text, _ second: Text) throws(TemplateError) -> Text {
    try allocate(first.cost + second.cost)
    let isMarkup = first.isMarkup || second.isMarkup
    var result = isMarkup && !first.isMarkup ? try escaped(first) : first
    result.append(isMarkup && !second.isMarkup ? try escaped(second) : second)
    result.isMarkup = isMarkup
    return result
  }

  private func repeated(_ value: Value, _ count: Int, _ other: Value) throws(TemplateError) -> Value {
    let times = max(0, count)
    func reserve(_ size: Int) throws(TemplateError) {
      let (total, overflow) = size.multipliedReportingOverflow(by: times)
      try allocate(overflow ? .max : total)
    }
    switch value {
    case .string(let text):
      try reserve(text.cost)
      var result = Text()
      if !text.isEmpty { for _ in 0..<times { result.append(text) } }
      result.isMarkup = text.isMarkup
      return .string(result)
    case .list(let items):
      try reserve(items.values.count * MemoryLayout<Value>.stride)
      return .list(try list(items.values.isEmpty ? [] : Array(repeatElement(items.values, count: times).joined())))
    case .tuple(let items):
      try reserve(items.values.count * MemoryLayout<Value>.stride)
      return .tuple(try list(items.values.isEmpty ? [] : Array(repeatElement(items.values, count: times).joined())))
    default:
      throw fail(.type, "unsupported operand type(s) for *: '\(value.typeName)' and '\(other.typeName)'")
    }
  }
}

// MARK: - Numbers

/// A number of either kind.
enum Number {
  case integer(BigInteger)
  case small(Int)
  case double(Double)

  init?(_ value: Value) {
    switch value {
    case .integer(let number): self = .small(number)
    case .boolean(let flag): self = .small(flag ? 1 : 0)
    case .big(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    default: return nil
    }
  }

  var double: Double {
    switch self {
    case .integer(let number): number.double
    case .small(let number): Double(number)
    case .double(let number): number
    }
  }

  /// The whole number; `nil` for a double.
  var whole: BigInteger? {
    switch self {
    case .integer(let number): number
    case .small(let number): BigInteger(number)
    case .double: nil
    }
  }
}

extension Interpreter {
  private func arithmetic(
    _ operation: Arithmetic.Operator, _ left: Number, _ right: Number
  ) throws(TemplateError) -> Value {
    if case .small(let a) = left, case .small(let b) = right, let fast = try small(operation, a, b) { return fast }
    guard let a = left.whole, let b = right.whole else { return try floating(operation, left.double, right.double) }
    try step(a.limbs.count * b.limbs.count + 8)
    switch operation {
    case .add: return Value(a + b)
    case .subtract: return Value(a - b)
    case .multiply: return Value(a * b)
    case .divide: return try floating(.divide, a.double, b.double)
    case .floorDivide, .modulo:
      try step(a.bitWidth * (b.limbs.count + a.limbs.count))
      guard let (quotient, rest) = a.floorDivided(by: b) else { throw divisionByZero }
      return Value(operation == .modulo ? rest : quotient)
    case .power:
      guard !b.isNegative else { return try floating(.power, a.double, b.double) }
      if a.bitWidth <= 1 || b.limbs.isEmpty {
        let isOdd = (b.limbs.first ?? 0) & 1 == 1
        return b.limbs.isEmpty || (a.limbs.count == 1 && (!a.isNegative || !isOdd)) ? .integer(1) : Value(a)
      }
      guard let exponent = b.small, exponent < 4096, a.bitWidth * exponent <= 1 << 15 else {
        throw fail(.limit, "this power is too large")
      }
      let width = a.bitWidth * exponent / 32 + 1
      try step(width * width)
      return Value(PythonNumber.power(a, exponent))
    }
  }

  private var divisionByZero: TemplateError { fail(.value, "division by zero") }

  /// The result where it fits 64 bits.
  private func small(_ operation: Arithmetic.Operator, _ a: Int, _ b: Int) throws(TemplateError) -> Value? {
    switch operation {
    case .add:
      let (result, overflow) = a.addingReportingOverflow(b)
      return overflow ? nil : .integer(result)
    case .subtract:
      let (result, overflow) = a.subtractingReportingOverflow(b)
      return overflow ? nil : .integer(result)
    case .multiply:
      let (result, overflow) = a.multipliedReportingOverflow(by: b)
      return overflow ? nil : .integer(result)
    case .divide:
      guard b != 0 else { throw divisionByZero }
      return .double(Double(a) / Double(b))
    case .floorDivide, .modulo:
      guard b != 0 else { throw divisionByZero }
      guard b != -1 else { return operation == .modulo ? .integer(0) : try small(.subtract, 0, a) }
      let (quotient, rest) = a.quotientAndRemainder(dividingBy: b)
      let rounds = rest != 0 && (rest < 0) != (b < 0)
      return .integer(operation == .modulo ? (rounds ? rest + b : rest) : (rounds ? quotient - 1 : quotient))
    case .power: return nil
    }
  }

  private func floating(_ operation: Arithmetic.Operator, _ a: Double, _ b: Double) throws(TemplateError) -> Value {
    switch operation {
    case .add: return .double(a + b)
    case .subtract: return .double(a - b)
    case .multiply: return .double(a * b)
    case .divide:
      guard b != 0 else { throw divisionByZero }
      return .double(a / b)
    case .floorDivide:
      guard b != 0 else { throw divisionByZero }
      return .double((a / b).rounded(.down))
    case .modulo:
      guard b != 0 else { throw divisionByZero }
      let rest = a.truncatingRemainder(dividingBy: b)
      if rest == 0 { return .double(b < 0 ? -0.0 : 0) }
      return .double((rest < 0) != (b < 0) ? rest + b : rest)
    case .power:
      guard a != 0 || b >= 0 else { throw fail(.value, "0.0 cannot be raised to a negative power") }
      return .double(Libm.power(a, b))
    }
  }
}
