import Foundation

/// Dates as JSON Schema's format `date-time` writes them (RFC 3339, section 5.6).
enum RFC3339 {
  /// `2026-04-03T12:00:00Z`, with milliseconds where there are any.
  static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    let isWhole = seconds == seconds.rounded()
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
  }

  /// The date that `text` stands for; `nil` for text in another form and for days that don't exist. A leap second counts
  /// as the second behind it.
  static func date(_ text: String) -> Date? {
    var reader = Reader(bytes: Array(text.utf8))
    guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"),
      let day = reader.digits(2), reader.take("Tt "), let hour = reader.digits(2), reader.take(":"),
      let minute = reader.digits(2), reader.take(":"), let second = reader.digits(2)
    else { return nil }
    guard (1...12).contains(month), day >= 1, day <= length(of: month, year), hour < 24, minute < 60, second <= 60
    else {
      return nil
    }
    guard let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd else { return nil }
    let clock = hour * 3600 + minute * 60 + second - offset
    return Date(timeIntervalSince1970: Double(days(year, month, day) * 86_400 + clock) + fraction)
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func length(of month: Int, _ year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1 January 1970 in the Gregorian calendar; years from 0 to 9999.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years begin with March here, so that the leap day is the last one.
    let year = month > 2 ? year : year - 1
    let month = month > 2 ? month - 3 : month + 9
    let era = year >= 0 ? year / 400 : -1
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * month + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    var isAtEnd: Bool { place == bytes.count }

    mutating func digits(_ count: Int) -> Int? {
      guard place + count <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[place..<place + count] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      place += count
      return value
    }

    /// Takes one of `signs`.
    mutating func take(_ signs: String) -> Bool {
      guard place < bytes.count, signs.utf8.contains(bytes[place]) else { return false }
      place += 1
      return true
    }

    /// The digits behind a point, 0 without a point; `nil` for a point without digits.
    mutating func fraction() -> Double? {
      guard take(".") else { return 0 }
      var value = 0.0
      var unit = 0.1
      let start = place
      while let digit = digits(1) {
        value += Double(digit) * unit
        unit /= 10
      }
      return place > start ? value : nil
    }

    /// Seconds east of Greenwich.
    mutating func offset() -> Int? {
      if take("Zz") { return 0 }
      let isWest = place < bytes.count && bytes[place] == UInt8(ascii: "-")
      guard take("+-"), let hours = digits(2), take(":"), let minutes = digits(2), hours < 24, minutes < 60 else {
        return nil
      }
      let seconds = hours * 3600 + minutes * 60
      return isWest ? -seconds : seconds
    }
  }
}
