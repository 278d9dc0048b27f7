extension Double {
  /// The fewest decimal digits that read back as this finite number, laid out as Python's `repr` does.
  ///
  /// Positional from 1e-4 up to but not including 1e16 (`0.0001`, `100.0`), else with a signed exponent of at least two
  /// digits (`1e-05`, `1.5e+16`). Swift finds the same digits but changes over at other magnitudes.
  package var shortestDecimal: String {
    let (digits, exponent) = shortestDigits
    let sign = self.sign == .minus ? "-" : ""
    if exponent < -4 || exponent >= 16 {
      let fraction = digits.dropFirst()
      let magnitude = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
      return
        "\(sign)\(digits.prefix(1))\(fraction.isEmpty ? "" : ".")\(fraction)e\(exponent < 0 ? "-" : "+")\(magnitude)"
    }
    if exponent < 0 { return "\(sign)0.\(String(repeating: "0", count: -exponent - 1))\(digits)" }
    let whole = digits.prefix(exponent + 1)
    let padding = String(repeating: "0", count: exponent + 1 - whole.count)
    let fraction = digits.dropFirst(exponent + 1)
    return "\(sign)\(whole)\(padding).\(fraction.isEmpty ? "0" : fraction)"
  }

  /// The significant digits without leading or trailing zeros, and the power of ten of the first of them.
  private var shortestDigits: (digits: String, exponent: Int) {
    let parts = magnitude.description.split(separator: "e")
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    exponent += mantissa[0].count - 1
    var digits = mantissa.joined()[...]
    while digits.hasPrefix("0"), digits.count > 1 {
      digits.removeFirst()
      exponent -= 1
    }
    while digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
    return (String(digits), digits == "0" ? 0 : exponent)
  }
}
