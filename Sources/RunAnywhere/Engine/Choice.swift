import Sampling

/// What a mask leaves to choose.
enum Choice: Equatable {
  /// Nothing: a dead end.
  case none
  /// Only the end of the turn.
  case end
  /// Exactly this token, and not the end.
  case single(Int)
  /// More than one.
  case several

  init(_ mask: TokenMask, ends: Set<Int>) {
    var found: Int?
    for (index, word) in mask.words.enumerated() where word != 0 {
      var rest = word
      while rest != 0 {
        let id = index << 6 | rest.trailingZeroBitCount
        rest &= rest - 1
        if ends.contains(id) { continue }
        guard found == nil else {
          self = .several
          return
        }
        found = id
      }
    }
    let mayEnd = ends.contains { mask.contains($0) }
    switch (found, mayEnd) {
    case (nil, false): self = .none
    case (nil, true): self = .end
    case (let id?, false): self = .single(id)
    case (_?, true): self = .several
    }
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
