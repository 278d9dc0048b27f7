import Foundation
import TestSupport
import Testing

/// `Tests/CASES.md` lists tests for every known fault, `Tests/BEHAVIOUR.md` for every promise of the API; this keeps the
/// lists true.
@Suite("Tables of tests")
struct CaseTableTests {
  private static let folder = SharedData.packageRoot.appending(path: "Tests")

  /// The numbers of faults in use.
  static let numbers = [
    1, 3, 4, 5, 7, 9, 11, 13, 14, 15, 17, 18, 20, 21, 22, 24, 25, 27, 28, 29, 31, 32, 34, 35, 37, 38, 39, 40, 42, 44,
    45, 47, 48, 50, 51, 53, 54, 56,
  ]

  /// The rows of a table: the first cell and the tests in the last.
  private static func rows(_ file: String) throws -> [(row: String, tests: [String])] {
    let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    return lines.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let tests = cells.dropLast(cells.last?.isEmpty == true ? 1 : 0).last ?? ""
      return (cells.first ?? "", tests.split(separator: "`").map(String.init).filter { $0.contains("Tests/") })
    }
  }

  @Test("every fault has a row")
  func faults() throws {
    #expect(try Self.rows("CASES.md").map { Int($0.row) } == Self.numbers)
  }

  @Test("every row has tests, and every test in it exists", arguments: [("CASES.md", 38), ("BEHAVIOUR.md", 20)])
  func table(_ file: String, _ least: Int) throws {
    let rows = try Self.rows(file)
    #expect(rows.count >= least)
    var sources: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path) where path.hasSuffix(".swift") {
      sources[path] = try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
    }
    for (row, tests) in rows {
      #expect(!tests.isEmpty, "\(row)")
      for test in tests {
        // `TokenizerTests/GoldenTests.reported`: a file and a function in it.
        let parts = test.split(separator: ".").map(String.init)
        guard parts.count == 2, let source = sources[parts[0] + ".swift"] else {
          Issue.record("\(row): there is no file \(parts[0]).swift")
          continue
        }
        #expect(source.contains("func \(parts[1])("), "\(row): no test \(parts[1]) in \(parts[0]).swift")
      }
    }
  }
}
