import JSON
import TestSupport
import Testing

@testable import ChatTemplate

@Suite struct BigIntegerTests {
  /// Against 64-bit arithmetic, where it doesn't overflow, and against the laws beyond.
  @Test func arithmeticAgreesWithInt() {
    let seed: UInt64 = 7
    var generator = SeededGenerator(seed: seed)
    for round in 0..<3000 {
      let (a, b) = (
        Int.random(in: -(1 << 31)...1 << 31, using: &generator), Int.random(in: -999...999, using: &generator)
      )
      let (x, y) = (BigInteger(a), BigInteger(b))
      #expect(
        (x + y).small == a + b && (x - y).small == a - b && (x * y).small == a * b, "seed \(seed), round \(round)")
      #expect(x.description == String(a) && (x < y) == (a < b))
      if let (quotient, rest) = x.floorDivided(by: y) {
        #expect((quotient * y + rest) == x && (rest.limbs.isEmpty || rest.isNegative == (b < 0)), "round \(round)")
      }
    }
    #expect(BigInteger(Int.min).small == .min && (BigInteger(Int.min) - BigInteger(1)).small == nil)
    #expect(BigInteger(Int.min).description == String(Int.min) && BigInteger(1).floorDivided(by: BigInteger(0)) == nil)
  }

  @Test func largeNumbersKeepTheLaws() {
    var generator = SeededGenerator(seed: 11)
    func random() -> BigInteger {
      let digits = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
        UInt8.random(in: 48...57, using: &generator)
      }
      let value = BigInteger(digits: digits, radix: 10) ?? BigInteger(0)
      return Bool.random(using: &generator) ? value : -value
    }
    for _ in 0..<300 {
      let (a, b, c) = (random(), random(), random())
      #expect((a + b) * c == a * c + b * c && a - a == BigInteger(0) && a + b == b + a)
      #expect(BigInteger(digits: (a.isNegative ? -a : a).description.utf8, radix: 10) == (a.isNegative ? -a : a))
      if let (quotient, rest) = a.floorDivided(by: b) { #expect(quotient * b + rest == a) }
    }
    #expect(BigInteger(1e22)?.description == "10000000000000000000000" && BigInteger(-0.5)?.small == 0)
    #expect(BigInteger(Double.infinity) == nil && BigInteger(0x1p53)?.small == 1 << 53)
  }
}

@Suite struct PythonNumberTests {
  @Test(arguments: [
    (1.0, "1.0"), (0.1, "0.1"), (1e16, "1e+16"), (1e15, "1000000000000000.0"), (1e-4, "0.0001"), (1e-5, "1e-05"),
    (-0.0, "-0.0"), (1.5e300, "1.5e+300"), (.infinity, "inf"), (123456.789, "123456.789"), (5e-324, "5e-324"),
  ]) func doublesPrintAsPythonPrintsThem(_ value: Double, _ text: String) {
    #expect(PythonNumber.text(value) == text)
  }

  @Test(arguments: [
    (2.5, 0, "2"), (3.5, 0, "4"), (2.675, 2, "2.67"), (0.125, 2, "0.12"), (-1.5, 0, "-2"),
    (1e22, 1, "10000000000000000000000.0"),
    (0.05, 1, "0.1"), (0, 3, "0.000"), (5e-324, 2, "0.00"),
  ]) func roundingIsExact(_ value: Double, _ places: Int, _ text: String) {
    #expect(PythonNumber.fixed(value, places: places) == text)
  }

  @Test func numbersAreReadAsPythonReadsThem() {
    func integer(_ text: String, _ base: Int = 10) -> String? {
      switch PythonNumber.integer(Text(data: text), base: base) {
      case .integer(let value)?: String(value)
      case .big(let value)?: value.description
      default: nil
      }
    }
    #expect(integer(" -1_000 ") == "-1000" && integer("0x1f", 16) == "31" && integer("ff", 16) == "255")
    #expect(integer("1.5") == nil && integer("") == nil && integer("_1") == nil && integer("0x") == nil)
    #expect(integer("99999999999999999999") == "99999999999999999999")
    #expect(PythonNumber.double(Text(data: " .5 ")) == 0.5 && PythonNumber.double(Text(data: "1.")) == 1)
    #expect(PythonNumber.double(Text(data: "x")) == nil && PythonNumber.double(Text(data: "-inf")) == -.infinity)
  }
}

@Suite struct CivilDateTests {
  /// Counts days one by one over several centuries, as a calendar on the wall does.
  @Test func datesAgreeWithCountingDays() {
    var (year, month, day) = (1890, 1, 1)
    var number = CivilDate.days(year: 1890, month: 1, day: 1)
    var dayOfYear = 1
    while year < 2110 {
      let date = CivilDate(secondsSince1970: number * 86_400 + 86_399)
      #expect(date.year == year && date.month == month && date.day == day && date.dayOfYear == dayOfYear)
      #expect(date.weekday == ((number + 4) % 7 + 7) % 7 && date.hour == 23 && date.second == 59)
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      (number, day, dayOfYear) = (number + 1, day + 1, dayOfYear + 1)
      if day > length { (day, month) = (1, month + 1) }
      if month > 12 { (month, year, dayOfYear) = (1, year + 1, 1) }
    }
    #expect(CivilDate(secondsSince1970: 0).weekday == 4)
  }

  @Test func case31_theDateIsEnglishGregorianAndOfTwoDigits() throws {
    let source = "{{ strftime_now('%d %b %Y|%A %B %e|%j %I %p %M:%S|%y %-d %% %F %T') }}"
    let clock = TemplateClock(year: 2026, month: 4, day: 3, hour: 14, minute: 5, second: 7)
    let text = try ChatTemplate(source: source).render([:], clock: clock).text
    #expect(text == "03 Apr 2026|Friday April  3|093 02 PM 05:07|26 3 % 2026-04-03 14:05:07")
    let east = TemplateClock(utcOffset: 14 * 3600) { 1_775_213_999 }
    #expect(try ChatTemplate(source: "{{ strftime_now('%d') }}").render([:], clock: east).text == "04")
    #expect(CivilDate(secondsSince1970: .max).year > 300_000 && CivilDate(secondsSince1970: .min).year < -300_000)
  }
}
