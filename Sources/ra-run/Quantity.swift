/// Figures and foreign text in a form for people.
enum Quantity {
  /// A size in the decimal units that disks and downloads are sold in: `98.4 MB`.
  static func bytes(_ count: Int) -> String {
    scaled(count, units: ["B", "kB", "MB", "GB", "TB"], separator: " ")
  }

  /// A number of parameters: `134.5M`.
  static func count(_ count: Int) -> String {
    scaled(count, units: ["", "K", "M", "B", "T"], separator: "")
  }

  /// One decimal below 100, none above.
  static func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    let tenths = Int((value * 10).rounded())
    return abs(value) >= 100 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(abs(tenths % 10))"
  }

  /// `0.09 s`, `12.3 s`.
  static func seconds(_ value: Double) -> String {
    guard value.isFinite, value < 10, value >= 0 else { return "\(decimal(value)) s" }
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10) s"
  }

  /// `text` without control characters, so that a file can't write to the terminal through its names.
  static func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isControl =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
      result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return result
  }

  private static func scaled(_ count: Int, units: [String], separator: String) -> String {
    var value = Double(count)
    var unit = 0
    while value >= 1000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return (unit == 0 ? "\(count)" : decimal(value)) + separator + units[unit]
  }
}
