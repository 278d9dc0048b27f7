/// Finds what a mistyped word was meant to be.
package enum Spelling {
  /// The candidate within two edits of `word`, the nearest first; `nil` when none is that close.
  package static func nearest(to word: String, in candidates: [String]) -> String? {
    let scored = candidates.map { ($0, distance(Array(word.utf8), Array($0.utf8))) }
    guard let best = scored.min(by: { $0.1 < $1.1 }), best.1 <= 2 else { return nil }
    return best.0
  }

  /// The edits that turn one word into the other: a byte inserted, removed or replaced, or two neighbours swapped.
  ///
  /// - Complexity: O(m·n); the words are a user's, so short ones are assumed and long ones are never close.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard left.count <= 64, right.count <= 64 else { return .max }
    var rows = [Array(0...right.count)]
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        let substituted = rows[i][j] + (left[i] == right[j] ? 0 : 1)
        var least = min(substituted, rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
