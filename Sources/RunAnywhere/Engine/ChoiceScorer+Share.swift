#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// How likely it is that one of many texts follows.
extension ChoiceScorer {
  /// Texts that begin alike, as far as what they begin with is known to be likely.
  private struct OpenBranch {
    /// What has to run before the probability of what comes next is known: all but the last token are behind the base.
    let path: [Int]
    /// The texts from their first token on, all longer than the path.
    let texts: [[Int]]
    /// The log-probability of the path.
    let probability: Double
  }

  /// The probability that one of the texts follows.
  ///
  /// The texts go through the model as a prefix tree, the likeliest branch first, so that only what the model would really
  /// write is run; branches below `floor` are not, and nothing is once the answer is settled.
  ///
  /// - Parameters:
  ///   - prompt: the ids behind which it is asked; the cache then holds them.
  ///   - floor: the probability from which on a branch counts.
  ///   - isSettled: whether it is enough to know that the probability is from the first to the second number.
  /// - Returns: what was found of it, which is never too much.
  func share(
    of texts: [[Int]], behind prompt: [Int], floor: Double, isSettled: (Double, Double) -> Bool = { _, _ in false }
  ) throws -> Double {
    var sum = 0.0
    var open: [OpenBranch] = []
    let base = prompt.count

    func add(_ texts: [[Int]], behind path: [Int], probability: Double, _ row: Row) {
      let groups = Dictionary(grouping: texts) { $0[path.count] }
      for (first, group) in groups.sorted(by: { $0.key < $1.key }) {
        let probability = probability + row.logProbability(of: first)
        guard probability >= log(floor) else { continue }
        if group.contains(where: { $0.count == path.count + 1 }) {
          sum += exp(probability)
        } else {
          open.append(OpenBranch(path: path + [first], texts: group, probability: probability))
        }
      }
    }

    add(
      texts.filter { !$0.isEmpty }, behind: [], probability: 0,
      try Row(logits(behind: prompt), size: codec.vocabularySize))
    while let next = open.indices.max(by: { open[$0].probability < open[$1].probability }) {
      if isSettled(sum, sum + open.reduce(0) { $0 + exp($1.probability) }) { break }
      let branch = open.remove(at: next)
      // What all texts of the branch begin with, but for the last token of the shortest.
      var path = branch.texts[0]
      for text in branch.texts { path = Array(zip(path, text.dropLast()).prefix { $0 == $1 }.map(\.0)) }
      let shared = zip(path, slot.tokens.dropFirst(base)).prefix { $0 == $1 }.count
      // The logits behind the known part have to be made again: its last token runs once more.
      let start = min(shared, branch.path.count - 1)
      try slot.rewind(to: base + start)
      let new = Array(path[start...])
      try run(new)
      var probability = branch.probability
      let rows = try new.indices.map { try Row(slot.open().logits(at: $0), size: codec.vocabularySize) }
      for step in branch.path.count..<max(branch.path.count, path.count) {
        probability += rows[step - 1 - start].logProbability(of: path[step])
      }
      if probability >= log(floor), let last = rows.last {
        add(branch.texts, behind: path, probability: probability, last)
      }
    }
    try slot.rewind(to: base)
    return sum
  }
}
