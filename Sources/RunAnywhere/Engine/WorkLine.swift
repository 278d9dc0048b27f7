import Foundation

/// What waits for a thread, first come first served.
///
/// `@unchecked Sendable`: `condition` protects `items` and `isClosed`.
final class WorkLine<Item: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var items: [Item] = []
  private var isClosed = false

  /// Puts `item` at the end, unless it is unwanted when its turn to enter comes.
  ///
  /// - Returns: whether it waits now.
  @discardableResult
  func append(_ item: Item, unless isUnwanted: () -> Bool = { false }) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if isUnwanted() { return false }
    items.append(item)
    condition.signal()
    return true
  }

  /// Takes the first item out that fits, if one still waits.
  func remove(where fits: (Item) -> Bool) -> Item? {
    condition.lock()
    defer { condition.unlock() }
    return items.firstIndex(where: fits).map { items.remove(at: $0) }
  }

  /// What waits is still served; then there is nothing more.
  func close() {
    condition.lock()
    isClosed = true
    condition.signal()
    condition.unlock()
  }

  /// The next item; waits for one. nil once the line is closed and empty.
  func next() -> Item? {
    condition.lock()
    defer { condition.unlock() }
    while items.isEmpty {
      if isClosed { return nil }
      condition.wait()
    }
    return items.removeFirst()
  }
}

extension Thread {
  /// Starts a thread that serves a line until it is closed and empty; grammars and templates need the deep stack.
  static func serve<Item: Sendable>(
    _ line: WorkLine<Item>, name: String, quality: QualityOfService = .default,
    _ work: @escaping @Sendable (Item) -> Void
  ) {
    let thread = Thread { while let item = line.next() { work(item) } }
    thread.name = name
    thread.stackSize = 16 << 20
    thread.qualityOfService = quality
    thread.start()
  }
}
