extension Filter {
  static let numberFilters: [String: Filter] = [
    "int": Filter(["default", "base"]) { (run, value, given) throws(TemplateError) in
      let fallback = given[0] ?? .integer(0)
      switch value {
      case .integer, .big: return value
      case .boolean(let flag): return .integer(flag ? 1 : 0)
      case .double(let number): return BigInteger(number).map { Value($0) } ?? fallback
      case .string(let text):
        // Reading digits is quadratic in their number.
        try run.step(text.bytes.count * text.bytes.count >> 7)
        if let whole = PythonNumber.integer(text, base: try run.integer(given[1], "base", default: 10)) { return whole }
        return PythonNumber.double(text).flatMap { BigInteger($0) }.map { Value($0) } ?? fallback
      case .undefined(let undefined): throw run.fail(undefined)
      default: return fallback
      }
    },
    "float": Filter(["default"]) { (run, value, given) throws(TemplateError) in
      let fallback = given[0] ?? .double(0)
      if let number = Number(value) { return .double(number.double) }
      switch value {
      case .string(let text): return PythonNumber.double(text).map { .double($0) } ?? fallback
      case .undefined(let undefined): throw run.fail(undefined)
      default: return fallback
      }
    },
    "abs": Filter { (run, value, _) throws(TemplateError) in
      guard let number = Number(value) else {
        if case .undefined(let undefined) = value { throw run.fail(undefined) }
        throw run.fail(.type, "bad operand type for abs(): '\(value.typeName)'")
      }
      guard let whole = number.whole else { return .double(number.double.magnitude) }
      return Value(whole.isNegative ? -whole : whole)
    },
    "round": Filter(["precision", "method"]) { (run, value, given) throws(TemplateError) in
      let places = try run.integer(given[0], "precision", default: 0)
      let method = try run.text(given[1], default: "common").string
      guard let number = Number(value) else {
        throw run.fail(.type, "type \(value.typeName) has no rounded form")
      }
      guard abs(places) <= 300 else { throw run.fail(.value, "precision is out of range") }
      let factor = Libm.power(10, Double(places))
      switch method {
      case "common":
        if case .double(let double) = number { return .double(rounded(double, places)) }
        guard places < 0, let whole = number.whole else { return value.index.map { .integer($0) } ?? value }
        return .integer(Int(exactly: rounded(whole.double, places)) ?? 0)
      case "ceil": return .double((number.double * factor).rounded(.up) / factor)
      case "floor": return .double((number.double * factor).rounded(.down) / factor)
      default: throw run.fail(.value, "method must be common, ceil or floor")
      }
    },
    "filesizeformat": Filter(["binary"]) { (run, value, given) throws(TemplateError) in
      guard let bytes = Number(value)?.double else { throw run.fail(.type, "a size must be a number") }
      let binary = given[0]?.isTrue ?? false
      let base: Double = binary ? 1024 : 1000
      if bytes == 1 { return .data("1 Byte") }
      if bytes < base { return .data("\(PythonNumber.fixed(bytes.rounded(.towardZero), places: 0)) Bytes") }
      let units = ["k", "M", "G", "T", "P", "E", "Z", "Y"]
      var size = bytes / base
      var unit = 0
      while size >= base, unit < units.count - 1 {
        size /= base
        unit += 1
      }
      let name = binary ? units[unit].uppercased() + "iB" : units[unit] + "B"
      return .data("\(PythonNumber.fixed(size, places: 1)) \(name)")
    },
  ]

  /// `value` to `places` decimals, the nearest of them, halves to even.
  private static func rounded(_ value: Double, _ places: Int) -> Double {
    guard value.isFinite else { return value }
    if places >= 0 { return places > 30 ? value : Double(PythonNumber.fixed(value, places: places)) ?? value }
    let factor = Libm.power(10, Double(-places))
    return (value / factor).rounded(.toNearestOrEven) * factor
  }
}
