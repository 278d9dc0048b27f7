import Grammar
import Sampling
import Tools

/// Where a turn stands in its constraint: the branches that are still alive.
struct ConstraintState {
  private struct Branch {
    var matcher: Matcher
    let isText: Bool
  }

  private let constraint: OutputConstraint
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
    var alive: [Branch] = []
    for var branch in branches where branch.matcher.accept(token: id) { alive.append(branch) }
    guard !alive.isEmpty else { return false }
    branches = alive
    note(spelling)
    return true
  }

  /// Whether the turn can only end here.
  mutating func mustEnd(_ ends: Set<Int>) -> Bool {
    mask().map { Choice($0, ends: ends) == .end } ?? false
  }

  /// Whether the turn is ended by any legal text when tokens run out.
  var endsAnyhow: Bool { constraint.ending == .shortest }

  /// The text that must come next, if only one can.
  mutating func forcedBytes() -> [UInt8] {
    branches.count == 1 ? branches[0].matcher.forcedBytes() : []
  }

  /// The text that ends the turn legally, if it may be ended when tokens run out: nothing where it may end anyway.
  mutating func ending() -> [UInt8]? {
    if branches.contains(where: { $0.matcher.isComplete }) { return [] }
    guard let index = branches.firstIndex(where: { !$0.isText }),
      let completion = branches[index].matcher.shortestCompletion()
    else { return nil }
    switch constraint.ending {
    case .shortest: return completion
    case .closingOnly: return closesOnly(completion) ? completion : nil
    }
  }

  /// Whether `completion` adds no value and cuts none short: brackets first, then blanks and marks.
  private func closesOnly(_ completion: [UInt8]) -> Bool {
    guard let last = bytes.last(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }) else { return false }
    let isBehindValue =
      last == UInt8(ascii: "\"") || last == UInt8(ascii: "}") || last == UInt8(ascii: "]") || last == UInt8(ascii: "e")
      || last == UInt8(ascii: "l") || last == UInt8(ascii: ">")
    guard isBehindValue else { return false }
    let brackets = completion.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "`") }
    return brackets.allSatisfy {
      $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n")
    }
  }

  private mutating func note(_ spelling: [UInt8]) {
    for byte in spelling {
      bytes.append(byte)
      guard !isDecided, byte == UInt8(ascii: "\""), branches.contains(where: { $0.isText }),
        branches.contains(where: { !$0.isText }), constraint.isCall(bytes)
      else { continue }
      isDecided = true
      branches.removeAll { $0.isText }
    }
  }
}
