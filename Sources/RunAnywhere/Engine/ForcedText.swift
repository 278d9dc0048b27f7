/// The tokens of a text that must come next, as the tokenizer itself would cut it, where what may follow is known.
struct ForcedText {
  let codec: any TextCodec
  /// All texts that may follow.
  let followers: [[UInt8]]

  /// The tokens of `text` after the tokens `before`, up to where what follows could cut it otherwise; none when the text
  /// would change how what stands before it is cut.
  func tokens(of text: [UInt8], after before: ArraySlice<Int>) -> [Int] {
    // Control tokens separate: nothing is cut across them.
    let start = before.lastIndex { codec.bytes(of: $0).isEmpty || codec.controlIDs.contains($0) }
    let tail = before[(start.map { $0 + 1 } ?? before.startIndex)...]
    let head = tail.flatMap { codec.bytes(of: $0) }
    let whole = codec.encode(bytes: head + text)
    guard whole.starts(with: tail) else { return [] }
    var sure = whole.count
    for follower in followers {
      let longer = codec.encode(bytes: head + text + follower)
      var same = 0
      while same < min(sure, longer.count), longer[same] == whole[same] { same += 1 }
      sure = same
      if sure <= tail.count { return [] }
    }
    return Array(whole[tail.count..<sure])
  }
}
