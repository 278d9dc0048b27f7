import Grammar
import Sampling
import Tools

/// Where a turn stands in its constraint: the branches that are still alive.
struct ConstraintState: Sendable {
  private struct Branch: Sendable {
    var matcher: Matcher
    let isText: Bool
  }

  private let constraint: OutputConstraint
  /// What the turn is if it is calls, where that is chosen before its first token; at most one.
  private var held: [ConstraintState] = []
  private var branches: [Branch]
  /// The turn so far.
  private var bytes: [UInt8] = []
  private var isDecided = false

  init(_ constraint: OutputConstraint, grammars: [Grammar], vocabulary: Vocabulary) {
    self.constraint = constraint
    branches = zip(constraint.branches, grammars).map { branch, grammar in
      Branch(matcher: Matcher(grammar, vocabulary: vocabulary), isText: branch.isText)
    }
  }

  /// The choice between an answer and calls, if it is still to be made, and the state of a turn that is calls.
  mutating func takeOpening() -> (OutputConstraint.Opening, calls: ConstraintState)? {
    guard bytes.isEmpty, let opening = constraint.opening, let calls = held.popLast() else { return nil }
    return (opening, calls)
  }

  /// Leaves nothing but an answer.
  mutating func dropCalls() {
    guard branches.contains(where: { $0.isText }) else { return }
    branches.removeAll { !$0.isText }
  }

  /// A state whose turn may be chosen to be calls.
  func holding(_ calls: ConstraintState) -> ConstraintState {
    var state = self
    state.held = [calls]
    return state
  }

  /// The tokens that may come next; end tokens exactly when the turn may end here.
  mutating func mask() -> TokenMask? {
    guard var mask = branches.first.map({ _ in branches[0].matcher.mask() }) else { return nil }
    for index in branches.indices.dropFirst() {
      mask.formUnion(branches[index].matcher.mask())
    }
    return mask
  }

  /// Takes a token; false, and nothing changed, when no branch allows it.
  mutating func accept(_ id: Int, spelling: [UInt8]) -> Bool {
    // In place, so that no history is copied: those that take the token move to the front.
    var alive = 0
    for index in branches.indices where branches[index].matcher.accept(token: id) {
      if index != alive { branches.swapAt(index, alive) }
      alive += 1
    }
    guard alive > 0 else { return false }
    branches.removeSubrange(alive...)
    note(spelling)
    return true
  }

  /// Whether the turn can only be calls, or a document.
  var isHeldToCalls: Bool { branches.allSatisfy { !$0.isText } }

  /// Whether the turn may end here.
  var mayEnd: Bool { branches.contains { $0.matcher.isComplete } }

  /// Whether the turn can only end here.
  mutating func mustEnd(_ ends: Set<Int>) -> Bool {
    mask().map { Choice($0, ends: ends) == .end } ?? false
  }

  /// Whether the turn is ended by any legal text when tokens run out.
  var endsAnyhow: Bool { constraint.ending == .shortest }

  /// How many tokens back the cut of a text can reach.
  static let reach = 64

  /// The tokens that must come next, as the tokenizer cuts them, and the one that nearly always follows. A choice that is
  /// made as a whole ends them.
  ///
  /// - Parameter before: the latest tokens of prompt and turn.
  func forced(after before: [Int], _ codec: any TextCodec) -> ForcedTokens {
    guard branches.count == 1 else { return ForcedTokens() }
    let text = branches[0].matcher.forcedBytes()
    if text.isEmpty { return ForcedTokens() }
    let (part, followers) = partBeforeChoice(text)
    guard let followers else {
      return branches[0].matcher.forced(after: before) { codec.encode(bytes: $0) }
    }
    var forced = ForcedTokens()
    forced.tokens = ForcedText(codec: codec, followers: followers).tokens(of: part, after: before[...])
    return forced
  }

  /// `text`, up to where a choice is made as a whole, and then with all texts that may follow there.
  private func partBeforeChoice(_ text: [UInt8]) -> (text: [UInt8], followers: [[UInt8]]?) {
    guard let choice = constraint.choice else { return (text, nil) }
    let trigger = choice.trigger
    let tail = Array(bytes.suffix(trigger.count - 1))
    let whole = tail + text
    var end = tail.count + 1
    while end <= whole.count {
      if whole[..<end].suffix(trigger.count) == trigger[...] {
        return (Array(whole[tail.count..<end]), choice.alternatives)
      }
      end += 1
    }
    return (text, nil)
  }

  /// The texts to choose from, when a choice is to be made as a whole here.
  var openChoice: [[UInt8]]? {
    guard let choice = constraint.choice, isHeldToCalls, bytes.count >= choice.trigger.count,
      bytes.suffix(choice.trigger.count) == choice.trigger[...]
    else { return nil }
    return choice.alternatives
  }

  /// The values to choose from, when an argument that can only be one of few is to come and is chosen as a whole.
  var openValue: ClosedChoice? {
    guard constraint.choosesValues, branches.count == 1, !branches[0].isText else { return nil }
    return branches[0].matcher.closedChoice(limit: ConstraintState.mostValues)
  }

  private static let mostValues = 24

  /// The tokens, or the text for tokens, that end the turn legally when tokens run out; nil when it can't be ended.
  mutating func ending(_ codec: any TextCodec) -> [Ending]? {
    if branches.contains(where: { $0.matcher.isComplete }) { return [] }
    guard let index = branches.firstIndex(where: { !$0.isText }) else { return nil }
    switch constraint.ending {
    case .shortest: return branches[index].matcher.shortestCompletion().map { [.text($0)] }
    case .closingOnly: return constraint.isBehindValue(bytes) ? closing(branches[index].matcher, codec) : nil
    }
  }

  /// The text of which either all follows or nothing, where the turn may end behind a call.
  var openContinuation: [UInt8]? {
    guard let text = constraint.continuation, branches.contains(where: { $0.matcher.isComplete }), isHeldToCalls
    else { return nil }
    return text
  }

  /// Whether `tokens` may come next, one after the other.
  func allows(_ tokens: [Int], _ codec: any TextCodec) -> Bool {
    var copy = self
    return tokens.allSatisfy { copy.accept($0, spelling: codec.spelling(of: $0)) }
  }

  /// How many of `tokens` may come next, one after the other.
  func allowedCount(of tokens: [Int], _ codec: any TextCodec) -> Int {
    var copy = self
    return tokens.firstIndex { !copy.accept($0, spelling: codec.spelling(of: $0)) } ?? tokens.count
  }

  /// A part of what ends a turn.
  enum Ending: Equatable {
    case text([UInt8])
    case token(Int)
  }

  /// Brackets, blanks and the closing mark, one after the other, until the text is complete.
  private func closing(_ matcher: Matcher, _ codec: any TextCodec) -> [Ending]? {
    var matcher = matcher
    var parts: [Ending] = []
    var text: [UInt8] = []
    let mark = constraint.closingMark ?? ""
    let markToken = codec.controlTokens[mark]
    while !matcher.isComplete {
      guard parts.count + text.count < ConstraintState.longestClosing else { return nil }
      if let markToken, matcher.accept(token: markToken) {
        parts += [.text(text), .token(markToken)]
        text = []
      } else if markToken == nil, !mark.isEmpty, matcher.accept(bytes: mark.utf8) {
        text += mark.utf8
      } else if let byte = ConstraintState.closers.first(where: { matcher.accept(bytes: [$0]) }) {
        text.append(byte)
      } else {
        return nil
      }
    }
    return (parts + [.text(text)]).filter { $0 != .text([]) }
  }

  private static let longestClosing = 96
  private static let closers = Array("}])\n `".utf8)

  private mutating func note(_ spelling: [UInt8]) {
    for byte in spelling {
      bytes.append(byte)
      guard !isDecided, OutputConstraint.mayCompleteName(byte), branches.contains(where: { $0.isText }),
        branches.contains(where: { !$0.isText }), constraint.isCall(bytes)
      else { continue }
      isDecided = true
      branches.removeAll { $0.isText }
    }
  }
}
