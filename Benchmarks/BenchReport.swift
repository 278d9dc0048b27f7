import JSON

/// What a run found: a table for people, fields for programs, and its verdict.
struct BenchReport: Sendable {
  /// The table's head; empty when the run has only lines.
  private let columns: [String]
  private var rows: [[String]] = []
  private var lines: [String] = []
  private(set) var fields = JSONObject()

  /// Whether the run's own threshold holds: exit status 0 or 1.
  var verdict = true

  /// A report with a table of these columns.
  init(columns: [String] = []) {
    self.columns = columns
  }

  /// A field of the JSON object.
  subscript(field: String) -> JSONValue? {
    get { fields[field] }
    set { fields[field] = newValue }
  }

  /// Appends a row to the table, one cell a column.
  mutating func row(_ cells: String...) {
    rows.append(cells)
  }

  /// Appends a row to the table.
  mutating func row(_ cells: [String]) {
    rows.append(cells)
  }

  /// Appends a line below the table.
  mutating func line(_ text: String) {
    lines.append(text)
  }

  /// The table and the lines below it, as they are printed.
  var text: String {
    let table = columns.isEmpty && rows.isEmpty ? [] : Self.layOut((columns.isEmpty ? [] : [columns]) + rows)
    return (table + lines).joined(separator: "\n")
  }

  /// Aligns cells: the first column to the left, the others (figures) to the right.
  static func layOut(_ rows: [[String]]) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell -> String in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
