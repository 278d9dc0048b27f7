/// A date and time of the Gregorian calendar.
struct CivilDate: Equatable, Sendable {
  var year: Int
  var month: Int
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int
  /// 0 is Sunday.
  var weekday: Int
  /// From 1.
  var dayOfYear: Int

  /// Years are counted from March, so that the leap day comes last and months follow one formula; 400 years are one
  /// era of 146,097 days.
  init(secondsSince1970 seconds: Int) {
    let seconds = min(max(seconds, -10_000_000_000_000), 10_000_000_000_000)
    let days = Self.floorDivide(seconds, 86_400)
    let rest = seconds - days * 86_400
    let shifted = days + 719_468
    let era = Self.floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayFromMarch = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayFromMarch + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    day = dayFromMarch - (153 * monthFromMarch + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3600
    minute = rest / 60 % 60
    second = rest % 60
    weekday = days + 4 - Self.floorDivide(days + 4, 7) * 7
    dayOfYear = days - Self.days(year: year, month: 1, day: 1) + 1
  }

  private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }

  /// Days since 1970-01-01.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayFromMarch = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayFromMarch - 719_468
  }
}

// MARK: - Formatting

extension CivilDate {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

  /// C's `strftime` in the C locale; an unknown directive stays as it is.
  func formatted(_ format: String) -> String {
    var result = ""
    var scalars = Array(format.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "%", var directive = scalars.popFirst() else {
        result.unicodeScalars.append(scalar)
        continue
      }
      // `%-d` prints without padding, as the C library of Linux does.
      let isBare = directive == "-" && !scalars.isEmpty
      if isBare { directive = scalars.popFirst() ?? "-" }
      let text = self.text(of: directive)
      result +=
        isBare
        ? text.drop { $0 == "0" || $0 == " " }.isEmpty ? "0" : String(text.drop { $0 == "0" || $0 == " " }) : text
    }
    return result
  }

  private func text(of directive: Unicode.Scalar) -> String {
    switch directive {
    case "Y": padded(year, 4)
    case "y": padded(year % 100)
    case "C": padded(year / 100)
    case "m": padded(month)
    case "B": Self.months[month - 1]
    case "b", "h": String(Self.months[month - 1].prefix(3))
    case "d": padded(day)
    case "e": padded(day, with: " ")
    case "j": padded(dayOfYear, 3)
    case "A": Self.weekdays[weekday]
    case "a": String(Self.weekdays[weekday].prefix(3))
    case "w": String(weekday)
    case "u": String(weekday == 0 ? 7 : weekday)
    case "U": padded((dayOfYear + 6 - weekday) / 7)
    case "W": padded((dayOfYear + 6 - (weekday + 6) % 7) / 7)
    case "H": padded(hour)
    case "I": padded((hour + 11) % 12 + 1)
    case "M": padded(minute)
    case "S": padded(second)
    case "f": "000000"
    case "p": hour < 12 ? "AM" : "PM"
    case "F": formatted("%Y-%m-%d")
    case "T", "X": formatted("%H:%M:%S")
    case "R": formatted("%H:%M")
    case "D", "x": formatted("%m/%d/%y")
    case "c": formatted("%a %b %e %H:%M:%S %Y")
    case "Z", "z": ""
    case "n": "\n"
    case "t": "\t"
    case "%": "%"
    default: "%" + String(directive)
    }
  }

  private func padded(_ value: Int, _ width: Int = 2, with fill: Character = "0") -> String {
    let digits = String(value)
    return String(repeating: fill, count: max(0, width - digits.count)) + digits
  }
}
