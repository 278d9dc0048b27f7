extension Tokenizer {
  /// The token ids of `text`. With `special`, the spelling of a control token means that token; otherwise it is text like
  /// any other. User-defined tokens are found either way.
  ///
  /// - Complexity: O(n log n) in the length of the longest piece that the splitting rule makes, else linear.
  package func encode(_ text: String, special: Bool = false) -> [Int] {
    encode(bytes: Array(text.utf8), special: special)
  }

  /// The token ids of any bytes. Bytes that are not UTF-8 are encoded like symbols, each as it is, so that decoding gives
  /// them back.
  package func encode(bytes: [UInt8], special: Bool = false) -> [Int] {
    encode(bytes, controlRanges: special ? [0..<bytes.count] : [])
  }

  /// The token ids of a text in pieces.
  ///
  /// The ids are those of the joined text: where one piece ends and the next begins does not show in them. A control token
  /// is recognised only where its whole spelling lies in pieces that allow it.
  package func encode(_ pieces: [TextPiece]) -> [Int] {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    for piece in pieces {
      let start = bytes.count
      bytes.append(contentsOf: piece.text.utf8)
      guard piece.allowsSpecial, bytes.count > start else { continue }
      if let last = ranges.last, last.upperBound == start {
        ranges[ranges.count - 1] = last.lowerBound..<bytes.count
      } else {
        ranges.append(start..<bytes.count)
      }
    }
    return encode(bytes, controlRanges: ranges)
  }

  /// Whether the vocabulary has a token for `byte`. Bytes without one (a few control characters, in some vocabularies) are
  /// left out of what is encoded.
  package func canEncode(_ byte: UInt8) -> Bool {
    byteIDs[Int(byte)] != BytePairMerger.noToken
  }

  /// `controlRanges` rise and don't touch each other.
  private func encode(_ bytes: [UInt8], controlRanges: [Range<Int>]) -> [Int] {
    bytes.withUnsafeBufferPointer { bytes in
      // The encoder does not outlive this call, in which the bytes stay where they are.
      var encoder = TextEncoder(self, bytes)
      var range = controlRanges[...]
      var start = 0
      var index = 0
      while index < bytes.count {
        while let first = range.first, first.upperBound <= index { range.removeFirst() }
        let controlEnd = range.first.map { $0.lowerBound <= index ? $0.upperBound : 0 } ?? 0
        if let match = special.longestMatch(in: bytes, at: index, controlEnd: controlEnd) {
          encoder.encode(start..<index)
          encoder.ids.append(match.id)
          index = match.end
          start = index
        } else {
          index += 1
        }
      }
      encoder.encode(start..<bytes.count)
      return encoder.finish()
    }
  }
}
