import JSON
import TestSupport
import Testing

@Suite("JSON objects and accessors")
struct JSONObjectTests {
  @Test("keys keep their order and compare by scalars")
  func keys() {
    var object: JSONObject = ["z": 1, "\u{E9}": 2, "e\u{301}": 3]
    #expect(object.keys.map { Array($0.utf8) } == ["z", "\u{E9}", "e\u{301}"].map { Array($0.utf8) })
    object["z"] = 4
    object["new"] = .null
    object["\u{E9}"] = nil
    #expect(object["e\u{301}"] == 3)
    #expect(object["\u{E9}"] == nil)
    #expect(object.values == [4, 3, .null])
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
  }

  @Test("a large object behaves like a list of pairs", arguments: 0..<20 as Range<UInt64>)
  func largeObject(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var object = JSONObject()
    var twin: [(String, JSONValue)] = []
    for step in 0..<300 {
      let key = "k\(Int.random(in: 0..<40, using: &generator))"
      let place = twin.firstIndex { $0.0 == key }
      #expect(object[key] == place.map { twin[$0].1 })
      if Bool.random(using: &generator) {
        object[key] = .integer(step)
        if let place { twin[place].1 = .integer(step) } else { twin.append((key, .integer(step))) }
      } else {
        object[key] = nil
        if let place { twin.remove(at: place) }
      }
      #expect(object.keys == twin.map(\.0), "seed \(seed)")
    }
    #expect(object == JSONObject(twin.reversed()))
    #expect(object.hashValue == JSONObject(twin.reversed()).hashValue)
  }

  @Test("of equal keys the last value wins in the first one's place")
  func duplicates() throws {
    #expect(try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#).compact == #"{"a":3,"b":2}"#)
  }

  @Test("accessors answer for their kind only")
  func accessors() {
    let value: JSONValue = ["a": [1, 2.0, 2.5, "x", true, .null]]
    #expect(value["a"]?[0]?.integerValue == 1)
    #expect(value["a"]?[0]?.doubleValue == 1)
    #expect(value["a"]?[1]?.integerValue == 2)
    #expect(value["a"]?[2]?.integerValue == nil)
    #expect(value["a"]?[3]?.stringValue == "x")
    #expect(value["a"]?[4]?.booleanValue == true)
    #expect(value["a"]?[5]?.isNull == true)
    #expect(value["a"]?[6] == nil)
    #expect(value["a"]?[-1] == nil)
    #expect(value["b"] == nil)
    #expect(value[0] == nil)
    #expect(JSONValue.double(1e300).integerValue == nil)
    #expect(JSONValue.integer(1) != .double(1))
  }
}
