/// Case mapping by the full Unicode tables, scalar by scalar, each result keeping the origin of its source.
extension Text {
  func uppercased() -> Text { mapped { scalar, _ in scalar.properties.uppercaseMapping } }

  func lowercased() -> Text {
    let all = scalars
    return mapped { scalar, index in
      scalar == "Σ" && isFinalSigma(at: index, in: all) ? "ς" : scalar.properties.lowercaseMapping
    }
  }

  /// The first scalar in title case and the rest in lower case.
  func capitalized() -> Text {
    guard !isEmpty else { return self }
    let width = scalar(at: 0).1
    var result = self[0..<width].mapped { scalar, _ in scalar.properties.titlecaseMapping }
    result.append(self[width..<bytes.count].lowercased())
    result.isMarkup = isMarkup
    return result
  }

  /// Python's `str.title`: a cased scalar after one without case is in title case, every other in lower case.
  func titlecased() -> Text {
    var afterCased = false
    return mapped { scalar, _ in
      defer { afterCased = scalar.properties.isCased }
      return afterCased ? scalar.properties.lowercaseMapping : scalar.properties.titlecaseMapping
    }
  }

  func swappingCase() -> Text {
    mapped { scalar, _ in
      scalar.properties.isUppercase ? scalar.properties.lowercaseMapping : scalar.properties.uppercaseMapping
    }
  }

  private func mapped(_ transform: (Unicode.Scalar, Int) -> String) -> Text {
    var result = Text()
    result.reserveCapacity(bytes.count)
    for (index, (scalar, range)) in scalars.enumerated() {
      result.append(transform(scalar, index).utf8, origin(at: range.lowerBound))
    }
    result.isMarkup = isMarkup
    return result
  }
}

/// Whether the capital sigma at `index` ends a word, where its small form is ς.
private func isFinalSigma(at index: Int, in scalars: [(scalar: Unicode.Scalar, range: Range<Int>)]) -> Bool {
  func cased(_ indices: some Sequence<Int>) -> Bool {
    for position in indices {
      let properties = scalars[position].scalar.properties
      if !properties.isCaseIgnorable { return properties.isCased }
    }
    return false
  }
  return cased(stride(from: index - 1, through: 0, by: -1)) && !cased(index + 1..<scalars.count)
}
