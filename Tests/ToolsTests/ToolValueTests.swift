import Foundation
import JSON
import Testing
import Tools

@Suite("Tool values")
struct ToolValueTests {
  @Test("accessors answer for their own case only")
  func accessors() {
    #expect(ToolValue.string("a").stringValue == "a")
    #expect(ToolValue.integer(3).numberValue == 3)
    #expect(ToolValue.number(3).integerValue == 3)
    #expect(ToolValue.number(3.5).integerValue == nil)
    #expect(ToolValue.number(1e300).integerValue == nil)
    #expect(ToolValue.number(.nan).integerValue == nil)
    #expect(ToolValue.boolean(true).booleanValue == true)
    #expect(ToolValue.boolean(true).numberValue == nil)
    #expect(ToolValue.array([1]).arrayValue == [1])
    #expect(ToolValue.object(["a": 1]).objectValue?["a"] == 1)
    #expect(ToolValue.null.isNull)
  }

  @Test("literals")
  func literals() {
    let value: ToolValue = ["a": 1, "b": [1.5, true, nil, "x\(1)"]]
    #expect(value == .object(["a": .integer(1), "b": .array([.number(1.5), .boolean(true), .null, .string("x1")])]))
  }

  @Test("integers beyond 2^53 stay exact, through JSON and Codable")
  func largeIntegers() throws {
    let value = ToolValue.integer(9_007_199_254_740_993)
    #expect(value.jsonText == "9007199254740993")
    #expect(try ToolValue(json: value.jsonText) == value)
    let data = try JSONEncoder().encode(["v": value])
    #expect(try JSONDecoder().decode([String: ToolValue].self, from: data) == ["v": value])
  }

  @Test("NaN and infinities become null")
  func nonFinite() throws {
    let value = ToolValue.array([.number(.nan), .number(.infinity), .number(1)])
    #expect(value.jsonText == "[null,null,1.0]")
    #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == "[null,null,1]")
  }

  @Test("members are written in the order of their names")
  func sortedMembers() {
    let members = Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", ToolValue.integer($0)) })
    let keys = ToolValue.json(of: members).keys
    #expect(keys == keys.sorted())
  }

  @Test("arguments take the type that the schema gives them")
  func typedArguments() throws {
    let parameters = [
      ToolParameter(name: "n", type: .number, description: ""),
      ToolParameter(name: "i", type: .integer, description: ""),
      ToolParameter(name: "list", type: .array(of: .number), description: ""),
      ToolParameter(
        name: "o", type: .object([ToolParameter(name: "x", type: .number, description: "")]), description: ""),
    ]
    let schema = ToolDefinition(name: "t", description: "", parameters: parameters).argumentSchema.value
    let json = try JSONValue(parsing: #"{"n": 3, "i": 3, "list": [1, 2.5], "o": {"x": 1}}"#)
    let arguments = ToolValue.arguments(json.objectValue ?? JSONObject(), schema: schema)
    #expect(arguments["n"] == .number(3))
    #expect(arguments["i"] == .integer(3))
    #expect(arguments["list"] == .array([.number(1), .number(2.5)]))
    #expect(arguments["o"] == .object(["x": .number(1)]))
  }
}
