import Foundation
import JSON
import Testing
import TestSupport

@testable import Tools

@Suite("Typed tools")
struct TypedToolTests {
  struct Request: Decodable {
    let city: String
    let days: Int?
    let when: Date?
  }
  struct Forecast: Encodable {
    let city: String
    let degrees: [Double]
    let at: Date?
  }

  @Test("arguments arrive decoded, the result leaves encoded")
  func roundTrip() async throws {
    let tool = TypedTool(name: "forecast", description: "") { (request: Request) in
      Forecast(city: request.city, degrees: [1.5, .nan], at: request.when)
    }
    #expect(tool.issues.isEmpty)
    let result = try await tool.handler(["city": "Bonn", "days": 3, "when": "2026-04-03T14:00:00.25+02:00"])
    #expect(result == ["city": "Bonn", "degrees": [1.5, nil], "at": "2026-04-03T12:00:00.250Z"])
  }

  @Test("a result that is no object stands under \"result\"")
  func bareResults() async throws {
    let text = TypedTool(name: "t", description: "") { (_: Request) in "fine" }
    let list = TypedTool(name: "t", description: "") { (_: Request) in [1, 2] }
    let nothing = TypedTool(name: "t", description: "") { (_: Request) in Double?.none }
    let values = TypedTool(name: "t", description: "") { (_: Request) -> [String: ToolValue] in
      ["n": .number(.infinity)]
    }
    #expect(try await text.handler(["city": "a"]) == ["result": "fine"])
    #expect(try await list.handler(["city": "a"]) == ["result": [1, 2]])
    #expect(try await nothing.handler(["city": "a"]) == ["result": nil])
    #expect(try await values.handler(["city": "a"])["n"]?.json == .null)
  }

  @Test("arguments that don't fit are an error that names the place")
  func misfits() async throws {
    let tool = TypedTool(name: "t", description: "") { (request: Request) in request.city }
    func message(_ arguments: [String: ToolValue]) async -> String {
      do {
        return "\(try await tool.handler(arguments))"
      } catch {
        return "\(error)"
      }
    }
    #expect(await message([:]).contains("\"city\" is missing"))
    #expect(await message(["city": 3]).contains("\"city\" must be String"))
    #expect(await message(["city": "a", "days": 1.5]).contains("does not fit"))
    #expect(await message(["city": "a", "when": "2026-02-30T00:00:00Z"]).contains("no date and time"))
  }

  enum Unlisted: String, Decodable { case a }
  struct Invalid: Decodable { let kind: Unlisted }

  @Test("a type that can't be described is an issue of the tool")
  func issues() throws {
    let invalid = RegisteredTool(TypedTool(name: "t", description: "") { (_: Invalid) in 1 })
    #expect(invalid.issues.map(\.pointer) == ["/properties/kind"])
    #expect(invalid.issues.first?.reason.contains("Unlisted") == true)
    let bare = RegisteredTool(TypedTool(name: "t", description: "") { (_: String) in 1 })
    #expect(bare.issues.first?.reason.contains("use a struct") == true)
    let named = RegisteredTool(TypedTool(name: "no good", description: "") { (_: Request) in 1 })
    #expect(named.issues.count == 1)
  }

  @Test(
    "dates by RFC 3339",
    arguments: [
      ("1970-01-01T00:00:00Z", 0.0), ("2000-02-29t12:30:00z", 951_827_400), ("2016-12-31T23:59:60Z", 1_483_228_800),
      ("2026-04-03T12:00:00-05:30", 1_775_237_400), ("0001-01-01T00:00:00Z", -62_135_596_800),
    ])
  func dates(_ text: String, _ seconds: Double) {
    #expect(RFC3339.date(text)?.timeIntervalSince1970 == seconds)
  }

  @Test(
    "what is no date",
    arguments: [
      "", "2026", "2026-13-01T00:00:00Z", "2026-04-03T12:00:00", "2026-04-03T12:00:00.Z", "2026-04-03T12:00:00Z ",
    ])
  func notDates(_ text: String) {
    #expect(RFC3339.date(text) == nil)
  }

  @Test("dates come back as they were")
  func dateLaw() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let seconds = Double(Int.random(in: -60_000_000_000...200_000_000_000, using: &generator)) / 1000
      let date = Date(timeIntervalSince1970: seconds)
      let back = RFC3339.date(RFC3339.text(date))?.timeIntervalSince1970 ?? .nan
      #expect(abs(back - seconds) < 0.0015, "seed 7: \(seconds) \(RFC3339.text(date))")
    }
  }
}
