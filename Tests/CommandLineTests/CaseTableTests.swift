import Foundation
import TestSupport
import Testing

/// `Tests/CASES.md` lists a test for every known fault; this keeps the list true.
@Suite("Table of reported faults")
struct CaseTableTests {
  private static let folder = SharedData.packageRoot.appending(path: "Tests")

  /// The numbers in use.
  static let numbers = [
    1, 3, 4, 5, 7, 9, 11, 13, 14, 15, 17, 18, 20, 21, 22, 24, 25, 27, 28, 29, 31, 32, 34, 35, 37, 38, 39, 40, 42, 44,
    45, 47, 48, 50, 51, 53, 54, 56,
  ]

  /// The rows of the table: number and test names.
  private static func rows() throws -> [Int: [String]] {
    let text = try String(contentsOf: folder.appending(path: "CASES.md"), encoding: .utf8)
    var rows: [Int: [String]] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count >= 3, let number = Int(cells[0]) else { continue }
      rows[number] = cells[2].split(separator: "`").map(String.init).filter { $0.contains(".") }
    }
    return rows
  }

  @Test("every number has a row, and every test in it exists")
  func table() throws {
    let rows = try Self.rows()
    #expect(rows.keys.sorted() == Self.numbers)
    var sources: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path) where path.hasSuffix(".swift") {
      sources[path] = try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
    }
    for (number, tests) in rows {
      #expect(!tests.isEmpty, "case \(number)")
      for test in tests {
        // `TokenizerTests/GoldenTests.reported`: a file and a function in it.
        let parts = test.split(separator: ".").map(String.init)
        guard parts.count == 2, let source = sources[parts[0] + ".swift"] else {
          Issue.record("case \(number): there is no file \(parts[0]).swift")
          continue
        }
        let isThere = ["func \(parts[1])(", "@Test func \(parts[1])("].contains { source.contains($0) }
        #expect(isThere, "case \(number): no test \(parts[1]) in \(parts[0]).swift")
      }
    }
  }
}
