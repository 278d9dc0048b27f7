/// Selects the largest logits without sorting the others.
struct MostLikely {
  /// A binary heap of ids whose least likely stands first; of equal logits the higher id is less likely.
  private var heap: [Int] = []
  private let logits: [Float]

  /// The ids of the `count` largest finite logits, the largest first; fewer when there are fewer.
  ///
  /// - Complexity: one comparison a logit, and O(log `count`) for those that are among the largest so far.
  static func select(_ count: Int, of logits: [Float]) -> [Int] {
    var selection = MostLikely(logits: logits)
    selection.heap.reserveCapacity(count)
    for (id, logit) in logits.enumerated() where logit > -.infinity && logit < .infinity {
      if selection.heap.count < count {
        selection.push(id)
      } else if let least = selection.heap.first, logit > logits[least] {
        selection.replaceLeast(with: id)
      }
    }
    return selection.heap.sorted { selection.isLess($1, $0) }
  }

  private init(logits: [Float]) {
    self.logits = logits
  }

  private func isLess(_ left: Int, _ right: Int) -> Bool {
    logits[left] < logits[right] || (logits[left] == logits[right] && left > right)
  }

  private mutating func push(_ id: Int) {
    heap.append(id)
    var child = heap.count - 1
    while child > 0, isLess(heap[child], heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func replaceLeast(with id: Int) {
    heap[0] = id
    var parent = 0
    while 2 * parent + 1 < heap.count {
      var child = 2 * parent + 1
      if child + 1 < heap.count, isLess(heap[child + 1], heap[child]) { child += 1 }
      guard isLess(heap[child], heap[parent]) else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
