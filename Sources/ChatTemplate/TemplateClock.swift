/// What time it is for `strftime_now`, as seconds since 1970-01-01 00:00 UTC plus an offset.
///
///     let clock = TemplateClock(year: 2026, month: 4, day: 3)
///     try template.render(context, clock: clock)   // "Today Date: 03 Apr 2026"
///
/// Dates are Gregorian and names English whatever the machine's locale and time zone are. Without a clock of your own
/// the machine's time in UTC is used.
package struct TemplateClock: Sendable {
  private let now: @Sendable () -> Int

  /// A clock that asks `secondsSince1970` at every rendering.
  ///
  /// - Parameter utcOffset: seconds east of Greenwich that are added before the date is taken.
  package init(utcOffset: Int = 0, secondsSince1970: @escaping @Sendable () -> Int) {
    now = { secondsSince1970() &+ utcOffset }
  }

  /// A clock that stands still.
  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    let seconds = CivilDate.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    now = { seconds }
  }

  /// A clock that stands still at a time written as `2026-04-03` or `2026-04-03T14:05:07`; nil when `text` is neither, or
  /// no such day exists.
  package init?(_ text: String) {
    let scalars = Array(text.utf8)
    guard scalars.count == 10 || scalars.count == 19 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      let digits = scalars[range]
      guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    let marks = [4: "-", 7: "-", 10: "T", 13: ":", 16: ":"].filter { $0.key < scalars.count }
    guard marks.allSatisfy({ scalars[$0.key] == $0.value.utf8.first }), let year = number(0..<4),
      let month = number(5..<7), let day = number(8..<10), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    var (hour, minute, second) = (0, 0, 0)
    if scalars.count == 19 {
      guard let h = number(11..<13), let m = number(14..<16), let s = number(17..<19), h < 24, m < 60, s < 60 else {
        return nil
      }
      (hour, minute, second) = (h, m, s)
    }
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    // The 31st of a short month would be a day of the next one.
    guard date().day == day else { return nil }
  }

  /// The machine's clock.
  ///
  /// - Parameter utcOffset: seconds east of Greenwich; 0 gives the date in UTC.
  package static func system(utcOffset: Int = 0) -> TemplateClock {
    TemplateClock(utcOffset: utcOffset) { Libm.secondsNow() }
  }

  func date() -> CivilDate { CivilDate(secondsSince1970: now()) }
}
