/// Case mapping by the full Unicode tables, scalar by scalar, each result keeping the origin of its source.
extension Text {
  func uppercased() -> Text { mapped { $0.properties.uppercaseMapping } }

  func lowercased() -> Text {
    guard firstIndex(of: Array("Σ".utf8)) != nil else { return mapped { $0.properties.lowercaseMapping } }
    return mapped { scalar, range in
      scalar == "Σ" && isFinalSigma(at: range) ? "ς" : scalar.properties.lowercaseMapping
    }
  }

  /// The first scalar in title case and the rest in lower case.
  func capitalized() -> Text {
    guard !isEmpty else { return self }
    let width = scalar(at: 0).1
    var result = self[0..<width].mapped { $0.properties.titlecaseMapping }
    result.append(self[width..<bytes.count].lowercased())
    result.isMarkup = isMarkup
    return result
  }

  /// Python's `str.title`: a cased scalar after one without case is in title case, every other in lower case.
  func titlecased() -> Text {
    var afterCased = false
    return mapped { scalar in
      defer { afterCased = scalar.properties.isCased }
      return afterCased ? scalar.properties.lowercaseMapping : scalar.properties.titlecaseMapping
    }
  }

  func swappingCase() -> Text {
    mapped { scalar in
      scalar.properties.isUppercase ? scalar.properties.lowercaseMapping : scalar.properties.uppercaseMapping
    }
  }

  private func mapped(_ transform: (Unicode.Scalar) -> String) -> Text { mapped { scalar, _ in transform(scalar) } }

  private func mapped(_ transform: (Unicode.Scalar, Range<Int>) -> String) -> Text {
    var result = Text()
    result.reserveCapacity(bytes.count)
    var run = 0
    for (scalar, range) in scalars {
      while run < runs.count, runs[run].end <= range.lowerBound { run += 1 }
      result.append(transform(scalar, range).utf8, run < runs.count ? runs[run].origin : origin)
    }
    result.isMarkup = isMarkup
    return result
  }

  /// Whether the capital sigma at `range` ends a word, where its small form is ς.
  private func isFinalSigma(at range: Range<Int>) -> Bool {
    let before = String(decoding: bytes[..<range.lowerBound].suffix(256), as: UTF8.self).unicodeScalars.reversed()
    let after = String(decoding: bytes[range.upperBound...].prefix(256), as: UTF8.self).unicodeScalars
    func cased(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
      scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }
    return cased(before) && !cased(after)
  }
}
