/// Spellings by which model families end a turn or a text.
enum EndOfTurn {
  /// Spelled like nothing that a text would hold: they end a turn whatever kind the file gives them.
  private static let marks: Set<String> = [
    "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|endoftext|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>",
    "<|END_OF_TURN_TOKEN|>", "<end_of_turn>", "<end_of_utterance>", "<|end_of_turn|>", "<|user_end|>",
  ]
  /// Could be text (`</s>` ends a strike-through in HTML): they end a turn only as control tokens.
  private static let ambiguous: Set<String> = ["</s>", "<eos>", "<EOT>", "_<EOT>", "[EOT]", "<|eos|>", "[EOS]"]

  /// Keys of the file that name such a token.
  static let keys = ["eos_token_id", "eot_token_id", "eom_token_id"]

  private static let lengths = Set(marks.union(ambiguous).map(\.utf8.count))

  /// Every token of a vocabulary that ends a turn; `named` are those that the file's keys name.
  static func find(in spellings: Spellings, _ kinds: [TokenKind], named: [String: Int]) -> Set<Int> {
    var ids = Set(keys.compactMap { named[$0] })
    for (id, kind) in kinds.enumerated() {
      // Nearly all tokens are told by their last byte, without making a string of them.
      guard let last = spellings[id].last, last == UInt8(ascii: ">") || last == UInt8(ascii: "]"),
        lengths.contains(spellings[id].count)
      else { continue }
      let spelling = spellings.text(of: id)
      if marks.contains(spelling) || (kind == .control && ambiguous.contains(spelling)) { ids.insert(id) }
    }
    return ids
  }
}
