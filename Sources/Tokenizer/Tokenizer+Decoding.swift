extension Tokenizer {
  /// The bytes that `id` stands for in a text: none for control, unknown and unused tokens and beyond the vocabulary.
  ///
  /// - Parameter showsControl: gives the spelling of control and unknown tokens instead of nothing.
  package func bytes(of id: Int, showsControl: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    appendBytes(of: id, showsControl: showsControl, to: &bytes)
    return bytes
  }

  /// Appends the bytes that `id` stands for to `output`; see ``bytes(of:showsControl:)``.
  package func appendBytes(of id: Int, showsControl: Bool = false, to output: inout [UInt8]) {
    let kind = kind(of: id)
    switch kind {
    case .normal: ByteAlphabet.decode(vocabulary.spellings[id], into: &output)
    case .userDefined: output.append(contentsOf: vocabulary.spellings[id])
    case .control, .unknown: if showsControl { output.append(contentsOf: vocabulary.spellings[id]) }
    case .byte: if let byte = vocabulary.spellings.byteToken(id) { output.append(byte) }
    case .unused: break
    }
  }

  /// The text of `ids`, with U+FFFD for bytes that are not UTF-8.
  package func decode(_ ids: [Int], showsControl: Bool = false) -> String {
    String(decoding: decodeBytes(ids, showsControl: showsControl), as: UTF8.self)
  }

  /// The bytes of `ids`; `decodeBytes(encode(bytes:))` gives back the bytes.
  package func decodeBytes(_ ids: [Int], showsControl: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    for id in ids { appendBytes(of: id, showsControl: showsControl, to: &bytes) }
    return bytes
  }
}
