import Foundation
import Grammar
import JSON
import Testing

/// The sample of the module's guide compiles and does what it says.
@Suite struct GuideTests {
  @Test func sample() throws {
    // sample
    let words = ["{", "}", "\"city\"", ": ", "\"Paris\"", "\"Rome\"", "true"]
    let vocabulary = Vocabulary(tokens: words.map { Array($0.utf8) } + [nil], controls: [:], endTokens: [7])

    let grammar = try Grammar.schema([
      "type": "object", "properties": ["city": ["enum": ["Paris", "Rome"]]], "required": ["city"],
      "additionalProperties": false,
    ])
    var matcher = Matcher(grammar, vocabulary: vocabulary)
    let first = matcher.mask()  // only "{"
    let isTaken = matcher.accept(token: 0)  // true
    let certain = matcher.forcedBytes()  // "city": " – no model has to be asked
    let cities = matcher.closedChoice()  // "city": "Paris" and "city": "Rome", then }
    let end = matcher.shortestCompletion()  // "city": "Rome"}
    // end
    #expect(first.ids == [0])
    #expect(isTaken)
    #expect(certain == Array("\"city\": \"".utf8))
    #expect(cities?.texts == ["\"city\": \"Paris\"", "\"city\": \"Rome\""].map { Array($0.utf8) })
    #expect(cities?.boundary == Array("}".utf8))
    #expect(end == Array("\"city\": \"Rome\"}".utf8))
  }

  /// What stands in the guide is what is compiled above.
  @Test func sampleIsThatOfTheGuide() throws {
    let here = URL(filePath: #filePath)
    let guide = here.deletingLastPathComponent().appending(path: "../../Sources/Grammar/Grammar.docc/Grammar.md")
    let code = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```swift\n")
    let source = try String(contentsOf: here, encoding: .utf8).components(separatedBy: "// sample\n")
    let written = try #require(code.last?.components(separatedBy: "```").first)
    let compiled = try #require(source.dropFirst().first?.components(separatedBy: "    // end").first)
    let indented = written.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.isEmpty ? "" : "    \($0)"
    }
    #expect(indented.joined(separator: "\n") == compiled)
  }
}
