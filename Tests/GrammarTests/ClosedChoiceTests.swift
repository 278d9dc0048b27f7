import Grammar
import JSON
import Testing

/// Values that can only be one of a few texts.
@Suite struct ClosedChoiceTests {
  private func choice(_ property: String, after text: String) throws -> ClosedChoice? {
    let schema = try GrammarFixture.schema(
      "{\"type\":\"object\",\"properties\":{\"unit\":\(property),\"b\":{\"type\":\"integer\"}},"
        + "\"required\":[\"unit\"],\"additionalProperties\":false}")
    var matcher = try GrammarFixture.matcher(schema, whitespace: .spaced)
    expect(matcher.accept(bytes: text.utf8))
    let choice = matcher.closedChoice()
    // Each text is allowed, and so is what follows it.
    for text in choice?.texts ?? [] {
      var trial = matcher
      expect(trial.accept(bytes: text))
      for byte in choice?.followers ?? [] {
        var next = trial
        expect(next.accept(bytes: [byte]))
      }
      if let boundary = choice?.boundary, !boundary.isEmpty { expect(trial.accept(bytes: boundary)) }
    }
    return choice
  }

  private func texts(_ choice: ClosedChoice?) -> [String] {
    choice?.texts.map { String(decoding: $0, as: UTF8.self) } ?? []
  }

  @Test("values of an enumeration, from wherever the model stands (case 38)")
  func enumerations() throws {
    let units = #"{"enum":["celsius","fahrenheit","c"]}"#
    for (text, before) in [("{\"unit\"", ": \""), ("{\"unit\":", " \""), ("{\"unit\": ", "\""), ("{\"unit\": \"", "")] {
      let choice = try choice(units, after: text)
      #expect(texts(choice) == ["c\"", "celsius\"", "fahrenheit\""].map { before + $0 })
      #expect(choice?.followers == Array(",}".utf8))
    }
    #expect(texts(try choice(units, after: "{\"unit\": \"c")) == ["\"", "elsius\""])
    #expect(try choice(units, after: "{\"unit\": \"f") == nil)
    let odd = try choice(#"{"enum":["a\"b","a\\b","","北京"]}"#, after: "{\"unit\": \"")
    #expect(texts(odd) == ["\"", #"a\"b""#, #"a\\b""#, "北京\""])
  }

  @Test("other small sets of values")
  func smallSets() throws {
    #expect(texts(try choice(#"{"type":"boolean"}"#, after: "{\"unit\": ")) == ["false", "true"])
    #expect(texts(try choice(#"{"enum":[1,10,null,"x"]}"#, after: "{\"unit\": ")) == ["\"x\"", "1", "10", "null"])
    let small = try choice(#"{"type":"integer","minimum":8,"maximum":12}"#, after: "{\"unit\": ")
    #expect(texts(small) == ["10", "11", "12", "8", "9"])
    #expect(texts(try choice(#"{"enum":[[1],{"k":2}]}"#, after: "{\"unit\": ")) == ["[1]", "{\"k\": 2}"])
  }

  @Test("open values are no choice")
  func openValues() throws {
    for property in [#"{"type":"string"}"#, #"{"type":"integer"}"#, "{}", #"{"type":"string","pattern":"^[a-z]+$"}"#] {
      #expect(try choice(property, after: "{\"unit\": ") == nil, "\(property)")
    }
    #expect(try choice(#"{"enum":["only"]}"#, after: "{\"unit\": ") == nil)
  }

  @Test("behind the last value comes a certain text")
  func boundaries() throws {
    let schema = try GrammarFixture.schema(
      #"{"type":"object","properties":{"unit":{"enum":["a","b"]}},"required":["unit"],"additionalProperties":false}"#)
    var matcher = try GrammarFixture.matcher(schema)
    expect(matcher.accept(bytes: "{\"unit\":".utf8))
    #expect(matcher.closedChoice()?.boundary == Array("}".utf8))
    #expect(matcher.closedChoice(limit: 1) == nil)
  }
}
