import Foundation
import TestSupport
import Testing

/// The code of articles is the code of Snippets, which is compiled and run.
@Suite("Articles and README")
struct DocumentationTests {
  private static let root = SharedData.packageRoot
  private static let catalogue = root.appending(path: "Sources/RunAnywhere/RunAnywhere.docc")
  static let articles: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: catalogue.path)) ?? []).filter { $0.hasSuffix(".md") }
    .sorted()

  /// The lines between `// snippet.NAME` and `// snippet.end`, without their common indentation.
  private func snippet(_ name: String, of file: String) throws -> String {
    let text = try String(contentsOf: Self.root.appending(path: "Snippets/\(file)"), encoding: .utf8)
    let lines = text.components(separatedBy: "\n")
    func trimmed(_ line: String) -> String { line.trimmingCharacters(in: .whitespaces) }
    let start = try #require(lines.firstIndex { trimmed($0) == "// snippet.\(name)" }, "\(file)#\(name)")
    let end = try #require(lines[start...].firstIndex { trimmed($0) == "// snippet.end" }, "\(file)#\(name)")
    let body = lines[(start + 1)..<end]
    let indent = body.filter { !trimmed($0).isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return body.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
  }

  @Test("every block of Swift in an article is a snippet", arguments: articles)
  func blocks(_ article: String) throws {
    let text = try String(contentsOf: Self.catalogue.appending(path: article), encoding: .utf8)
    let lines = text.components(separatedBy: "\n")
    for start in lines.indices where lines[start].hasPrefix("```swift") {
      let mark = start > 0 ? lines[start - 1] : ""
      let reference = mark.replacing("<!-- snippet: ", with: "").replacing(" -->", with: "").split(separator: "#")
      guard mark.hasPrefix("<!-- snippet: "), reference.count == 2 else {
        Issue.record("\(article):\(start + 1): the block names no snippet")
        continue
      }
      let end = try #require(lines[(start + 1)...].firstIndex { $0 == "```" })
      let expected = try snippet(String(reference[1]), of: String(reference[0]))
      #expect(lines[(start + 1)..<end].joined(separator: "\n") == expected, "\(article):\(start + 1)")
    }
  }

  @Test("the articles are there, and the landing page names each")
  func landing() throws {
    let landing = try String(contentsOf: Self.catalogue.appending(path: "RunAnywhere.md"), encoding: .utf8)
    #expect(Self.articles.count >= 8)
    for article in Self.articles where article != "RunAnywhere.md" {
      #expect(landing.contains("<doc:\(article.dropLast(3))>"), "\(article)")
    }
  }

  @Test("the first code of README is a snippet")
  func readme() throws {
    let text = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let code = "```swift\nimport RunAnywhere\n\n" + (try snippet("readme", of: "GettingStarted.swift")) + "\n```"
    #expect(text.contains(code))
  }
}
