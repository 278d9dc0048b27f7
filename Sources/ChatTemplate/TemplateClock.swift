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

  /// The machine's clock.
  ///
  /// - Parameter utcOffset: seconds east of Greenwich; 0 gives the date in UTC.
  package static func system(utcOffset: Int = 0) -> TemplateClock {
    TemplateClock(utcOffset: utcOffset) { Libm.secondsNow() }
  }

  func date() -> CivilDate { CivilDate(secondsSince1970: now()) }
}
