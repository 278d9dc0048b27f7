/// Lays out help: two columns, wrapped at a fixed width so that it reads the same everywhere.
package enum HelpText {
  /// The width to which help is wrapped.
  package static let width = 100

  /// Two columns; a left entry too long for its column gets a line of its own.
  package static func table(_ rows: [(left: String, right: String)], indent: Int = 2) -> [String] {
    let longest = rows.map(\.left.count).max() ?? 0
    let column = min(longest, 30)
    let margin = String(repeating: " ", count: indent)
    let start = String(repeating: " ", count: indent + column + 2)
    return rows.flatMap { row -> [String] in
      let right = wrap(row.right, width: width - start.count)
      guard row.left.count <= column else { return [margin + row.left] + right.map { start + $0 } }
      let padded = row.left + String(repeating: " ", count: column + 2 - row.left.count)
      let first = margin + padded + (right.first ?? "")
      return [first] + right.dropFirst().map { start + $0 }
    }
  }

  /// Breaks `text` at spaces so that no line is longer than `width`, unless one word alone is.
  package static func wrap(_ text: some StringProtocol, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty && line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
